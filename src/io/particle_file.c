/* SPDX-License-Identifier: MIT */
#include "io/particle_file.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/words.h"
#include "io/paths.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* -- columns ----------------------------------------------------------------------------------- */

typedef enum Column {
    COLUMN_TIME,
    COLUMN_ID,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_VX,
    COLUMN_VY,
    COLUMN_VZ,
    COLUMN_RADIUS,
    COLUMNS
} Column;

/* What programs call the columns, in lower case. An array of three numbers a particle begins at the
 * column of its first. */
static const struct ColumnName {
    const char *name;
    Column column;
    int width;
} column_names[] = {
    {"time", COLUMN_TIME, 1},     {"t", COLUMN_TIME, 1},        {"id", COLUMN_ID, 1},
    {"x", COLUMN_X, 1},           {"y", COLUMN_Y, 1},           {"z", COLUMN_Z, 1},
    {"p.x", COLUMN_X, 1},         {"p.y", COLUMN_Y, 1},         {"p.z", COLUMN_Z, 1},
    {"p[0]", COLUMN_X, 1},        {"p[1]", COLUMN_Y, 1},        {"p[2]", COLUMN_Z, 1},
    {"vx", COLUMN_VX, 1},         {"vy", COLUMN_VY, 1},         {"vz", COLUMN_VZ, 1},
    {"v.x", COLUMN_VX, 1},        {"v.y", COLUMN_VY, 1},        {"v.z", COLUMN_VZ, 1},
    {"v[0]", COLUMN_VX, 1},       {"v[1]", COLUMN_VY, 1},       {"v[2]", COLUMN_VZ, 1},
    {"radius", COLUMN_RADIUS, 1}, {"pscale", COLUMN_RADIUS, 1}, {"position", COLUMN_X, 3},
    {"p", COLUMN_X, 3},           {"velocity", COLUMN_VX, 3},   {"v", COLUMN_VX, 3},
};

enum { NAMES = sizeof column_names / sizeof column_names[0] };

/* The row of a name of so many numbers a particle; NULL: the column is not used. */
static const struct ColumnName *find_name(const char *name, size_t length, int width)
{
    for (int n = 0; n < NAMES; n++) {
        size_t letter = 0;
        while (letter < length && ascii_lower(name[letter]) == column_names[n].name[letter])
            letter++;
        if (letter == length && column_names[n].name[letter] == '\0' &&
            column_names[n].width == width)
            return &column_names[n];
    }
    return NULL;
}

static double *value_of(Particle *particle, Column column)
{
    switch (column) {
    case COLUMN_TIME:
        return &particle->time;
    case COLUMN_ID:
        return &particle->id;
    case COLUMN_RADIUS:
        return &particle->radius;
    case COLUMN_VX:
    case COLUMN_VY:
    case COLUMN_VZ:
        return &particle->velocity[column - COLUMN_VX];
    default:
        return &particle->place[column - COLUMN_X];
    }
}

/* Notes which columns there are, seen[COLUMNS]. */
static bool take_columns(ParticleFile *file, const bool seen[COLUMNS], BillowError *error)
{
    file->times = seen[COLUMN_TIME];
    file->ids = seen[COLUMN_ID];
    file->radii = seen[COLUMN_RADIUS];
    file->velocities = seen[COLUMN_VX];
    if (!seen[COLUMN_X] || !seen[COLUMN_Y] || !seen[COLUMN_Z])
        return fail(error, "it has no columns x, y and z, or position");
    if (seen[COLUMN_VX] != seen[COLUMN_VY] || seen[COLUMN_VY] != seen[COLUMN_VZ])
        return fail(error, "it has some of vx, vy and vz, and needs all three or none");
    return true;
}

static bool add_particles(ParticleFile *file, size_t *room, size_t count, BillowError *error)
{
    if ((size_t)file->count + count > PARTICLE_FILE_MAX)
        return fail(error, "it has more than %d particles", PARTICLE_FILE_MAX);
    Particle *longer =
        grow(file->particles, room, (size_t)file->count + count + 1, sizeof *file->particles);
    if (longer == NULL)
        return fail(error, "not enough memory for its particles");
    file->particles = longer;
    for (size_t p = 0; p < count; p++, file->count++)
        file->particles[file->count] = (Particle){.id = file->count};
    return true;
}

/* Puts the particles in order, and refuses values that no particle has. Most files are in order. */
static int compare(const void *one, const void *other)
{
    const Particle *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool finish(ParticleFile *file, BillowError *error)
{
    bool ordered = true;
    for (int p = 0; p < file->count; p++) {
        Particle *particle = &file->particles[p];
        for (int column = 0; column < COLUMNS; column++)
            if (!(fabs(*value_of(particle, (Column)column)) <= 1e9))
                return fail(error, "particle %d has a number beyond 1e9, or none", p + 1);
        if (particle->radius < 0)
            return fail(error, "particle %d has a radius below 0", p + 1);
        ordered = ordered && (p == 0 || compare(particle - 1, particle) <= 0);
    }
    if (!ordered)
        qsort(file->particles, (size_t)file->count, sizeof *file->particles, compare);
    for (int p = 1; p < file->count && file->ids; p++)
        if (compare(&file->particles[p - 1], &file->particles[p]) == 0)
            return fail(error, "the particle of id %.10g is there twice at %g s",
                        file->particles[p].id, file->particles[p].time);
    return true;
}

/* -- .csv -------------------------------------------------------------------------------------- */

enum { CSV_COLUMNS_MAX = 256 };

typedef struct Csv {
    const char *at;
    size_t line;
    char separator;
    int count, columns[CSV_COLUMNS_MAX]; /* of the file: a Column, or -1 */
} Csv;

static bool ends_line(char letter)
{
    return letter == '\0' || letter == '\n' || letter == '\r';
}

/* Takes the next cell of a line, without blanks and quotation marks around it. */
static size_t take_cell(Csv *csv, const char **cell)
{
    const char *begin = csv->at, *end;
    while (!ends_line(*csv->at) && *csv->at != csv->separator)
        csv->at++;
    end = csv->at;
    csv->at += *csv->at == csv->separator && !ends_line(*csv->at);
    while (begin < end && (*begin == ' ' || *begin == '"'))
        begin++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '"'))
        end--;
    *cell = begin;
    return (size_t)(end - begin);
}

/* Goes to the next line that has more than blanks and is no comment. Returns false at the end. */
static bool next_line(Csv *csv)
{
    for (bool first = csv->line == 0;; first = false) {
        if (!first) {
            while (!ends_line(*csv->at))
                csv->at++;
            if (*csv->at == '\0')
                return false;
            csv->at += csv->at[0] == '\r' && csv->at[1] == '\n' ? 2 : 1;
        }
        csv->line++;
        const char *letter = csv->at + strspn(csv->at, " \t");
        if (!ends_line(*letter) && *letter != '#')
            return true;
    }
}

static bool read_heading(Csv *csv, bool seen[COLUMNS], BillowError *error)
{
    const char *cell;
    size_t end = strcspn(csv->at, "\r\n"), found = strcspn(csv->at, ",;\t");
    csv->separator = found < end ? csv->at[found] : ',';
    while (!ends_line(*csv->at)) {
        if (csv->count == CSV_COLUMNS_MAX)
            return fail(error, "it has more than %d columns", CSV_COLUMNS_MAX);
        size_t length = take_cell(csv, &cell);
        const struct ColumnName *name = find_name(cell, length, 1);
        csv->columns[csv->count++] = name != NULL ? (int)name->column : -1;
        if (name != NULL && seen[name->column])
            return fail(error, "line %zu: the column %s is there twice", csv->line, name->name);
        if (name != NULL)
            seen[name->column] = true;
    }
    return true;
}

static bool read_csv_row(Csv *csv, Particle *particle, BillowError *error)
{
    const char *cell;
    for (int column = 0; column < csv->count; column++) {
        char number[64];
        size_t length = take_cell(csv, &cell);
        if (csv->columns[column] < 0)
            continue;
        if (length >= sizeof number)
            length = sizeof number - 1;
        memcpy(number, cell, length);
        number[length] = '\0';
        if (!number_read_decimal(number, value_of(particle, (Column)csv->columns[column])))
            return fail(error, "line %zu: '%.30s' in column %d is no number", csv->line, number,
                        column + 1);
    }
    return true;
}

static bool read_csv(const char *bytes, size_t length, ParticleFile *file, bool seen[COLUMNS],
                     BillowError *error)
{
    Csv csv = {.at = bytes};
    size_t room = 0;
    if (strlen(bytes) != length)
        return fail(error, "it is no text in UTF-8, since it has a byte that is 0");
    if (strncmp(csv.at, "\xef\xbb\xbf", 3) == 0) /* a byte-order mark */
        csv.at += 3;
    if (!next_line(&csv))
        return fail(error, "it is empty; its first line must name its columns, as in x,y,z");
    if (!read_heading(&csv, seen, error))
        return false;
    while (next_line(&csv))
        if (!add_particles(file, &room, 1, error) ||
            !read_csv_row(&csv, &file->particles[file->count - 1], error))
            return false;
    return true;
}

/* -- .npz --------------------------------------------------------------------------------------
 *
 * A ZIP archive of .npy files. Its directory, at the end, lists them. */

enum {
    ZIP_END = 22,
    ZIP_ENTRY = 46,
    ZIP_LOCAL = 30,
    ZIP_COMMENT_MAX = 65535,
    NPY_HEAD_MAX = 65536
};

typedef struct ZipEntry {
    const unsigned char *name, *packed;
    size_t name_length, packed_size, size;
    uint32_t crc; /* of the unpacked bytes */
    bool deflated;
} ZipEntry;

typedef struct Zip {
    const unsigned char *bytes;
    size_t length, at;
    int left; /* entries that are not read yet */
} Zip;

static bool zip_begin(Zip *zip, BillowError *error)
{
    const size_t reach = ZIP_END + ZIP_COMMENT_MAX;
    for (size_t back = ZIP_END; back <= zip->length && back <= reach; back++) {
        const unsigned char *end = zip->bytes + zip->length - back;
        if (get32(end) != 0x06054b50)
            continue;
        zip->left = (int)(get32(end + 8) >> 16);
        zip->at = get32(end + 16);
        return zip->at < zip->length || fail(error, "it is damaged: its directory is missing");
    }
    return fail(error, "it is no .npz file, or incomplete");
}

static bool zip_next(Zip *zip, ZipEntry *entry, BillowError *error)
{
    const unsigned char *row = zip->bytes + zip->at;
    if (zip->length - zip->at < ZIP_ENTRY || get32(row) != 0x02014b50)
        return fail(error, "it is damaged: its directory ends too early");
    size_t local = get32(row + 42), method = get32(row + 8) >> 16;
    *entry = (ZipEntry){.name = row + ZIP_ENTRY,
                        .name_length = get32(row + 28) & 0xffff,
                        .crc = get32(row + 16),
                        .packed_size = get32(row + 20),
                        .size = get32(row + 24),
                        .deflated = method == 8};
    size_t all =
        ZIP_ENTRY + entry->name_length + (get32(row + 28) >> 16) + (get32(row + 32) & 0xffff);
    if (all > zip->length - zip->at)
        return fail(error, "it is damaged: its directory ends too early");
    zip->at += all;
    zip->left--;
    if (local > zip->length || zip->length - local < ZIP_LOCAL)
        return fail(error, "it is damaged: an array lies outside of it");
    const unsigned char *head = zip->bytes + local;
    size_t begin = local + ZIP_LOCAL + (get32(head + 26) & 0xffff) + (get32(head + 26) >> 16);
    if (begin > zip->length || zip->length - begin < entry->packed_size ||
        (method != 0 && method != 8) || (method == 0 && entry->packed_size != entry->size))
        return fail(error, "it is damaged, or packed in a way that numpy.savez does not use");
    entry->packed = zip->bytes + begin;
    return true;
}

static bool inflate_entry(const ZipEntry *entry, unsigned char *bytes)
{
    z_stream stream = {.next_in = (Bytef *)entry->packed, /* only read */
                       .avail_in = (uInt)entry->packed_size,
                       .next_out = bytes,
                       .avail_out = (uInt)entry->size};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    bool good = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return good;
}

/* Unpacks an entry. Returns NULL if it is damaged or memory is short; the caller frees the result,
 * which a 0 follows. */
static unsigned char *unpack(const ZipEntry *entry, BillowError *error)
{
    /* An array of more than a thousand times its packed size is not unpacked: deflate cannot. */
    bool possible = entry->size <= PARTICLE_FILE_BYTES_MAX &&
                    (!entry->deflated || entry->size / 1100 <= entry->packed_size);
    unsigned char *bytes = possible ? malloc(entry->size + 1) : NULL;
    if (bytes == NULL) {
        fail(error,
             possible ? "not enough memory for its particles" : "one of its arrays is too large");
        return NULL;
    }
    bytes[entry->size] = 0;
    bool good = entry->deflated ? inflate_entry(entry, bytes) : true;
    if (!entry->deflated)
        memcpy(bytes, entry->packed, entry->size);
    if (good && crc32(0, bytes, (uInt)entry->size) == entry->crc)
        return bytes;
    free(bytes);
    fail(error, "it is damaged: one of its arrays cannot be unpacked");
    return NULL;
}
typedef enum NpyKind { NPY_F4, NPY_F8, NPY_I4, NPY_I8, NPY_U4, NPY_KINDS } NpyKind;

static const struct NpyType {
    const char *name;
    int bytes;
} npy_types[NPY_KINDS] = {{"<f4", 4}, {"<f8", 8}, {"<i4", 4}, {"<i8", 8}, {"<u4", 4}};

typedef struct Npy {
    NpyKind kind;
    size_t count;
    int width;          /* numbers a particle: 1 or 3; 0: neither */
    bool columns_first; /* whether all first numbers come before all second ones */
    const unsigned char *values;
} Npy;

static double npy_value(const Npy *npy, size_t row, int part)
{
    size_t index = npy->columns_first ? (size_t)part * npy->count + row
                                      : row * (size_t)npy->width + (size_t)part;
    const unsigned char *bytes = npy->values + index * (size_t)npy_types[npy->kind].bytes;
    switch (npy->kind) {
    case NPY_F4:
        return (double)get_float(bytes);
    case NPY_F8:
        return get_double(bytes);
    case NPY_I4:
        return (double)(int32_t)get32(bytes);
    case NPY_U4:
        return (double)get32(bytes);
    default:
        return (double)(int64_t)get64(bytes);
    }
}

/* The text behind a key of a .npy file's head, which is a dictionary in Python's notation. */
static const char *npy_entry(const char *head, const char *key)
{
    const char *found = strstr(head, key);
    return found != NULL ? found + strlen(key) + strspn(found + strlen(key), " :") : "";
}

/* Reads the head of a .npy file, and finds its numbers. */
static bool read_npy(const unsigned char *bytes, size_t size, Npy *npy, BillowError *error)
{
    char head[NPY_HEAD_MAX];
    if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return fail(error, "is no array of NumPy");
    size_t begin = bytes[6] == 1 ? 10 : 12;
    size_t length = bytes[6] == 1 ? get32(bytes + 8) & 0xffff : get32(bytes + 8);
    if (length >= sizeof head || length > size - begin)
        return fail(error, "is damaged");
    memcpy(head, bytes + begin, length);
    head[length] = '\0';
    const char *type = npy_entry(head, "'descr'"), *shape = npy_entry(head, "'shape'");
    npy->kind = NPY_KINDS;
    for (int kind = 0; kind < NPY_KINDS; kind++)
        if (type[0] == '\'' && strncmp(type + 1, npy_types[kind].name, 3) == 0 && type[4] == '\'')
            npy->kind = (NpyKind)kind;
    if (npy->kind == NPY_KINDS)
        return fail(error,
                    "has numbers of another type than float32, float64, int32, uint32 and int64");
    npy->columns_first = strncmp(npy_entry(head, "'fortran_order'"), "True", 4) == 0;
    char *end = NULL;
    unsigned long long rows = shape[0] == '(' ? strtoull(shape + 1, &end, 10) : 0, across = 1;
    npy->width = 0;
    if (end == NULL || end == shape + 1 || *end != ',')
        return true;
    end += 1 + strspn(end + 1, " ");
    if (*end != ')')
        across = strtoull(end, &end, 10);
    if (*end != ')' || (across != 1 && across != 3))
        return true;
    npy->count = rows;
    npy->width = (int)across;
    npy->values = bytes + begin + length;
    return rows <= (size - begin - length) / (across * (size_t)npy_types[npy->kind].bytes) ||
           fail(error, "is incomplete");
}

static bool take_npy(const Npy *npy, const struct ColumnName *name, ParticleFile *file,
                     size_t *room, bool seen[COLUMNS], BillowError *error)
{
    bool any = file->particles != NULL;
    if (any && npy->count != (size_t)file->count)
        return fail(error, "has %zu particles, where another array has %d", npy->count,
                    file->count);
    if (!any && !add_particles(file, room, npy->count, error))
        return false;
    for (int part = 0; part < npy->width; part++) {
        const Column column = (Column)((int)name->column + part);
        if (seen[column])
            return fail(error, "gives a column that another array gives, too");
        seen[column] = true;
        for (size_t row = 0; row < npy->count; row++)
            *value_of(&file->particles[row], column) = npy_value(npy, row, part);
    }
    return true;
}

static bool read_npz(const char *bytes, size_t length, ParticleFile *file, bool seen[COLUMNS],
                     BillowError *error)
{
    Zip zip = {.bytes = (const unsigned char *)bytes, .length = length};
    size_t room = 0;
    if (!zip_begin(&zip, error))
        return false;
    while (zip.left > 0) {
        ZipEntry entry = {.size = 0};
        BillowError reason;
        Npy npy = {.width = 0};
        if (!zip_next(&zip, &entry, error))
            return false;
        if (entry.name_length < 4 || memcmp(entry.name + entry.name_length - 4, ".npy", 4) != 0)
            continue;
        const char *word = (const char *)entry.name;
        size_t letters = entry.name_length - 4;
        if (find_name(word, letters, 1) == NULL && find_name(word, letters, 3) == NULL)
            continue;
        unsigned char *unpacked = unpack(&entry, error);
        if (unpacked == NULL)
            return false;
        bool good = read_npy(unpacked, entry.size, &npy, &reason);
        const struct ColumnName *name = good ? find_name(word, letters, npy.width) : NULL;
        if (good && name == NULL)
            good = fail(&reason, "has not one number a particle, or three as position has");
        good = good && take_npy(&npy, name, file, &room, seen, &reason);
        free(unpacked);
        if (!good)
            return fail(error, "its array %.*s %.300s", (int)(letters < 40 ? letters : 40), word,
                        reason.text);
    }
    return true;
}

/* -- files ------------------------------------------------------------------------------------- */

bool particle_file_read(const char *bytes, size_t length, bool npz, ParticleFile *file,
                        BillowError *error)
{
    bool seen[COLUMNS] = {false};
    *file = (ParticleFile){0};
    if ((npz ? read_npz : read_csv)(bytes, length, file, seen, error) &&
        take_columns(file, seen, error) && finish(file, error))
        return true;
    particle_file_free(file);
    return false;
}

bool particle_file_load(const char *path, ParticleFile *file, BillowError *error)
{
    size_t length;
    BillowError reason;
    *file = (ParticleFile){0};
    const bool npz = paths_end_in(path, ".npz");
    if (!npz && !paths_end_in(path, ".csv"))
        return fail(error, "%.250s: files of particles end in .csv or .npz", path);
    char *bytes = whole_file_read(path, PARTICLE_FILE_BYTES_MAX, &length, error);
    if (bytes == NULL)
        return false;
    bool good = particle_file_read(bytes, length, npz, file, &reason);
    free(bytes);
    return good || fail(error, "%.250s: %.250s", path, reason.text);
}

void particle_file_free(ParticleFile *file)
{
    free(file->particles);
    *file = (ParticleFile){0};
}
