/* SPDX-License-Identifier: MIT */
#include "io/volume_file.h"

#include "base/fail.h"
#include "base/number.h"
#include "base/words.h"
#include "io/atomic_file.h"
#include "io/paths.h"
#include "mpi/cluster.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Bytes of uncompressed values in a block; a multiple of 4. */
enum { BLOCK = 1 << 18 };

/* A compressed field. */
typedef struct Packed {
    uint64_t blocks;
    uint64_t last;   /* bytes of the last block before compression if it is smaller than BLOCK;
                        otherwise 0 */
    uint64_t room;   /* largest size of a compressed block, bytes */
    uint64_t *sizes; /* sizes of the compressed blocks, bytes */
    uint8_t *bytes;  /* compressed block b starts at b * room */
} Packed;

static void put_whole(AtomicFile *file, uint64_t value)
{
    unsigned char bytes[8];
    put64(bytes, value);
    atomic_file_put(file, bytes, sizeof bytes);
}

static bool pack_block(Packed *packed, const float *values, uint64_t block, uint8_t *plain)
{
    uint64_t count = block + 1 < packed->blocks || packed->last == 0 ? BLOCK : packed->last;
    uLongf size = (uLongf)packed->room;
    for (uint64_t index = 0; index < count / 4; index++)
        put_float(plain + 4 * index, values[block * (BLOCK / 4) + index]);
    bool good = compress2(packed->bytes + block * packed->room, &size, plain, (uLong)count,
                          Z_BEST_SPEED) == Z_OK;
    packed->sizes[block] = size;
    return good;
}

static bool pack(Packed *packed, const VolumeField *field, uint64_t cells)
{
    uint64_t bytes = cells * (uint64_t)field->of.components * 4;
    *packed = (Packed){
        .blocks = (bytes + BLOCK - 1) / BLOCK, .last = bytes % BLOCK, .room = compressBound(BLOCK)};
    packed->sizes = calloc((size_t)packed->blocks, sizeof *packed->sizes);
    packed->bytes = malloc((size_t)(packed->blocks * packed->room));
    uint8_t *plain = malloc(BLOCK);
    bool good = packed->sizes != NULL && packed->bytes != NULL && plain != NULL;
    for (uint64_t block = 0; good && block < packed->blocks; block++)
        good = pack_block(packed, field->values, block, plain);
    free(plain);
    return good;
}

static void put_escaped(FILE *stream, const char *text)
{
    for (const char *letter = text; *letter != 0; letter++)
        if (strchr("&<>\"'", *letter) != NULL || (unsigned char)*letter < 32)
            fprintf(stream, "&#%d;", *letter);
        else
            fputc(*letter, stream);
}

/* Writes a text as a VTK String array: the codes of its characters and a terminating 0. */
static void put_text(FILE *stream, const char *name, const char *text)
{
    fprintf(stream,
            "      <DataArray type=\"String\" Name=\"%s\" NumberOfTuples=\"1\" format=\"ascii\">\n"
            "        ",
            name);
    for (const char *letter = text; *letter != 0; letter++)
        fprintf(stream, "%d ", (unsigned char)*letter);
    fprintf(stream, "0\n      </DataArray>\n");
}

enum { EXTENT = 80 };

/* Cells from `first` on as the numbers of their first and last points along each axis. */
static void print_extent(char text[EXTENT], const int first[3], const int n[3])
{
    snprintf(text, EXTENT, "%d %d %d %d %d %d", first[0], first[0] + n[0], first[1],
             first[1] + n[1], first[2], first[2] + n[2]);
}

static void put_head(FILE *stream, const VolumeFrame *frame)
{
    char extent[EXTENT];
    print_extent(extent, frame->first, frame->n);
    number_fprint(stream,
                  "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
                  "  <ImageData WholeExtent=\"%s\" Origin=\"%.9g %.9g %.9g\" "
                  "Spacing=\"%.9g %.9g %.9g\">\n"
                  "    <FieldData>\n"
                  "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">\n        %.17g\n      </DataArray>\n",
                  extent, frame->origin[0], frame->origin[1], frame->origin[2], frame->cell_size,
                  frame->cell_size, frame->cell_size, frame->time);
    put_text(stream, "scene", frame->scene);
    put_text(stream, "creator", "Billow " BILLOW_VERSION);
    fprintf(stream, "    </FieldData>\n    <Piece Extent=\"%s\">\n      <PointData/>\n", extent);
}

static const char *first_name(const VolumeFrame *frame, int components)
{
    for (int index = 0; index < frame->field_count; index++)
        if (frame->fields[index].of.components == components)
            return frame->fields[index].of.name;
    return "";
}

static void put_fields(FILE *stream, const VolumeFrame *frame, const Packed *packed)
{
    uint64_t offset = 0;
    fprintf(stream, "      <CellData Scalars=\"%s\" Vectors=\"%s\">\n", first_name(frame, 1),
            first_name(frame, 3));
    for (int index = 0; index < frame->field_count; index++) {
        const VolumeField *field = &frame->fields[index];
        fprintf(stream, "        <!-- %s, %s -->\n", field->of.meaning, field->of.unit);
        fprintf(stream,
                "        <DataArray type=\"Float32\" Name=\"%s\" NumberOfComponents=\"%d\" "
                "format=\"appended\" offset=\"%llu\">\n"
                "          <InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">%s"
                "</InformationKey>\n        </DataArray>\n",
                field->of.name, field->of.components, (unsigned long long)offset, field->of.unit);
        offset += 8 * (3 + packed[index].blocks); /* the numbers that write_packed puts first */
        for (uint64_t block = 0; block < packed[index].blocks; block++)
            offset += packed[index].sizes[block];
    }
    fprintf(stream, "      </CellData>\n    </Piece>\n  </ImageData>\n"
                    "  <AppendedData encoding=\"raw\">\n_");
}

static bool write_packed(const char *path, const VolumeFrame *frame, const Packed *packed,
                         BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    put_head(file.stream, frame);
    put_fields(file.stream, frame, packed);
    for (const Packed *field = packed; field < packed + frame->field_count; field++) {
        put_whole(&file, field->blocks);
        put_whole(&file, BLOCK);
        put_whole(&file, field->last);
        for (uint64_t block = 0; block < field->blocks; block++)
            put_whole(&file, field->sizes[block]);
        for (uint64_t block = 0; block < field->blocks; block++)
            atomic_file_put(&file, field->bytes + block * field->room, (size_t)field->sizes[block]);
    }
    fprintf(file.stream, "\n  </AppendedData>\n</VTKFile>\n");
    return atomic_file_commit(&file, error);
}

static bool write_frame(const char *path, const VolumeFrame *frame, BillowError *error)
{
    Packed packed[BILLOW_FIELDS_MAX] = {0};
    uint64_t cells = (uint64_t)frame->n[0] * (uint64_t)frame->n[1] * (uint64_t)frame->n[2];
    bool good = true;
    for (int index = 0; index < frame->field_count && good; index++)
        good = pack(&packed[index], &frame->fields[index], cells) ||
               fail(error, "%.200s: not enough memory to write it", path);
    good = good && write_packed(path, frame, packed, error);
    for (int index = 0; index < frame->field_count; index++) {
        free(packed[index].sizes);
        free(packed[index].bytes);
    }
    return good;
}

/* -- files of ranks ---------------------------------------------------------------------------- */

bool vti_piece_path(const char *path, int rank, char *piece, size_t size, BillowError *error)
{
    static const char ending[] = ".pvti";
    int stem = (int)(strlen(path) - strlen(ending));
    int length = snprintf(piece, size, "%.*s_%d.vti", stem, path, rank);
    return (length > 0 && (size_t)length < size) ||
           fail(error, "%.100s...: the name is too long", path);
}

/* The cells of a rank. */
typedef struct Piece {
    int first[3], n[3];
} Piece;

static bool is_empty(const Piece *piece)
{
    return piece->n[0] == 0 || piece->n[1] == 0 || piece->n[2] == 0;
}

/* Writes the lines that name the pieces. */
static bool put_pieces(FILE *stream, const char *path, const Piece *pieces, BillowError *error)
{
    char name[PVD_NAME], extent[EXTENT];
    for (int r = 0; r < cluster_ranks(); r++) {
        if (is_empty(&pieces[r]))
            continue;
        if (!vti_piece_path(path, r, name, sizeof name, error))
            return false;
        print_extent(extent, pieces[r].first, pieces[r].n);
        fprintf(stream, "    <Piece Extent=\"%s\" Source=\"", extent);
        put_escaped(stream, paths_last_part(name));
        fprintf(stream, "\"/>\n");
    }
    return true;
}

static bool write_list(const char *path, const VolumeFrame *frame, const Piece *pieces,
                       BillowError *error)
{
    AtomicFile file;
    char extent[EXTENT];
    if (!atomic_file_open(&file, path, error))
        return false;
    print_extent(extent, (const int[3]){0, 0, 0}, frame->box);
    number_fprint(file.stream,
                  "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
                  "  <PImageData WholeExtent=\"%s\" GhostLevel=\"0\" Origin=\"%.9g %.9g %.9g\" "
                  "Spacing=\"%.9g %.9g %.9g\">\n"
                  "    <PPointData/>\n    <PCellData Scalars=\"%s\" Vectors=\"%s\">\n",
                  extent, frame->origin[0], frame->origin[1], frame->origin[2], frame->cell_size,
                  frame->cell_size, frame->cell_size, first_name(frame, 1), first_name(frame, 3));
    for (int index = 0; index < frame->field_count; index++)
        fprintf(file.stream,
                "      <PDataArray type=\"Float32\" Name=\"%s\" NumberOfComponents=\"%d\"/>\n",
                frame->fields[index].of.name, frame->fields[index].of.components);
    fprintf(file.stream, "    </PCellData>\n");
    if (!put_pieces(file.stream, path, pieces, error)) {
        atomic_file_abandon(&file);
        return false;
    }
    fprintf(file.stream, "  </PImageData>\n</VTKFile>\n");
    return atomic_file_commit(&file, error);
}

/* Writes this rank's piece and then, on rank 0, the list. */
static bool write_pieces(const char *path, const VolumeFrame *frame, Piece *pieces,
                         BillowError *error)
{
    char name[PVD_NAME];
    Piece *own = &pieces[cluster_exchange()->rank];
    memcpy(own->first, frame->first, sizeof own->first);
    memcpy(own->n, frame->n, sizeof own->n);
    bool named = vti_piece_path(path, cluster_exchange()->rank, name, sizeof name, error);
    bool written = named && !is_empty(own) && write_frame(name, frame, error);
    bool good = cluster_agree(written || (named && is_empty(own)), error);
    cluster_gather(pieces, sizeof *pieces);
    if (good)
        good = cluster_agree(!cluster_leads() || write_list(path, frame, pieces, error), error);
    if (!good && written)
        remove(name);
    return good;
}

bool vti_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error)
{
    bool good = slab == NULL || volume_frame_fit(frame, slab->view, slab->first, slab->end, error);
    if (good && slab != NULL)
        volume_frame_fill(frame, slab->view);
    if (slab == NULL || !slab->shared)
        return good && write_frame(path, frame, error);
    Piece *pieces = calloc((size_t)cluster_ranks(), sizeof *pieces);
    if (pieces == NULL)
        good = fail(error, "%.200s: not enough memory to write it", path);
    good = cluster_agree(good, error) && write_pieces(path, frame, pieces, error);
    free(pieces);
    return good;
}

/* -- the list of a sequence -------------------------------------------------------------------- */

bool pvd_file_write(const char *path, bool replaces, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    file.replaces = file.replaces || replaces;
    fprintf(file.stream, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
                         "\n  <Collection>\n");
    for (int number = first; number <= last; number++) {
        char text[PVD_NAME];
        if (!name(context, number, text, error)) {
            atomic_file_abandon(&file);
            return false;
        }
        number_fprint(file.stream, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"",
                      number / fps);
        put_escaped(file.stream, paths_last_part(text));
        fprintf(file.stream, "\"/>\n");
    }
    fprintf(file.stream, "  </Collection>\n</VTKFile>\n");
    return atomic_file_commit(&file, error);
}
