/* SPDX-License-Identifier: MIT */
#include "volume_file.h"

#include "atomic_file.h"
#include "fail.h"
#include "words.h"

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

static uint64_t header_bytes(const Packed *packed)
{
    return 8 * (3 + packed->blocks);
}

static uint64_t packed_bytes(const Packed *packed)
{
    uint64_t total = header_bytes(packed);
    for (uint64_t block = 0; block < packed->blocks; block++)
        total += packed->sizes[block];
    return total;
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

static void unpack(Packed *packed)
{
    free(packed->sizes);
    free(packed->bytes);
    *packed = (Packed){0};
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

static void put_head(FILE *stream, const VolumeFrame *frame)
{
    char extent[64];
    snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", frame->n[0], frame->n[1], frame->n[2]);
    fprintf(stream,
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
        offset += packed_bytes(&packed[index]);
    }
    fprintf(stream, "      </CellData>\n    </Piece>\n  </ImageData>\n"
                    "  <AppendedData encoding=\"raw\">\n_");
}

static void put_packed(AtomicFile *file, const Packed *packed)
{
    put_whole(file, packed->blocks);
    put_whole(file, BLOCK);
    put_whole(file, packed->last);
    for (uint64_t block = 0; block < packed->blocks; block++)
        put_whole(file, packed->sizes[block]);
    for (uint64_t block = 0; block < packed->blocks; block++)
        atomic_file_put(file, packed->bytes + block * packed->room, (size_t)packed->sizes[block]);
}

static bool write_packed(const char *path, const VolumeFrame *frame, const Packed *packed,
                         BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    put_head(file.stream, frame);
    put_fields(file.stream, frame, packed);
    for (int index = 0; index < frame->field_count; index++)
        put_packed(&file, &packed[index]);
    fprintf(file.stream, "\n  </AppendedData>\n</VTKFile>\n");
    return atomic_file_commit(&file, error);
}

bool vti_file_write(const char *path, const VolumeFrame *frame, BillowError *error)
{
    Packed packed[BILLOW_FIELDS_MAX] = {0};
    uint64_t cells = (uint64_t)frame->n[0] * (uint64_t)frame->n[1] * (uint64_t)frame->n[2];
    bool good = true;
    for (int index = 0; index < frame->field_count && good; index++)
        good = pack(&packed[index], &frame->fields[index], cells) ||
               fail(error, "%.200s: not enough memory to write it", path);
    good = good && write_packed(path, frame, packed, error);
    for (int index = 0; index < frame->field_count; index++)
        unpack(&packed[index]);
    return good;
}

/* -- the list of a sequence -------------------------------------------------------------------- */

static void put_escaped(FILE *stream, const char *text)
{
    for (const char *letter = text; *letter != 0; letter++)
        if (strchr("&<>\"'", *letter) != NULL || (unsigned char)*letter < 32)
            fprintf(stream, "&#%d;", *letter);
        else
            fputc(*letter, stream);
}

bool pvd_file_write(const char *path, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    fprintf(file.stream, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
                         "\n  <Collection>\n");
    for (int number = first; number <= last; number++) {
        char text[PVD_NAME];
        if (!name(context, number, text, error)) {
            atomic_file_abandon(&file);
            return false;
        }
        const char *slash = strrchr(text, '/');
        fprintf(file.stream, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"", number / fps);
        put_escaped(file.stream, slash != NULL ? slash + 1 : text);
        fprintf(file.stream, "\"/>\n");
    }
    fprintf(file.stream, "  </Collection>\n</VTKFile>\n");
    return atomic_file_commit(&file, error);
}
