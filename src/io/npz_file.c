/* SPDX-License-Identifier: MIT
 * NumPy archives: a ZIP file of arrays, as numpy.savez_compressed writes it. */
#include "io/volume_file.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/words.h"
#include "io/atomic_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, HEAD_MAX = 192, FLOATS = BLOCK / 4 };

/* An archive in the making. Places and sizes in a ZIP file have 32 bits. */
typedef struct Archive {
    AtomicFile file;
    uint64_t at; /* bytes so far */
    unsigned char *directory;
    size_t directory_bytes, directory_room;
    int entries;
    bool failed; /* memory is short */
} Archive;

/* An array that is packed. */
typedef struct Packing {
    z_stream stream;
    unsigned char *packed;
    size_t bytes, room; /* of what is packed; room for it */
    uint64_t plain;     /* bytes that were packed */
    uint32_t crc;       /* of them */
    bool failed;
} Packing;

static void pack(Packing *packing, const unsigned char *bytes, size_t count, bool last)
{
    z_stream *stream = &packing->stream;
    packing->crc = (uint32_t)crc32(packing->crc, bytes, (uInt)count);
    packing->plain += count;
    stream->next_in = (Bytef *)bytes; /* only read */
    stream->avail_in = (uInt)count;
    for (int result = Z_OK;
         !packing->failed && (stream->avail_in > 0 || last) && result != Z_STREAM_END;) {
        unsigned char *longer = grow(packing->packed, &packing->room, packing->bytes + BLOCK, 1);
        packing->failed = longer == NULL;
        if (packing->failed)
            return;
        packing->packed = longer;
        stream->next_out = longer + packing->bytes;
        stream->avail_out = BLOCK;
        result = deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
        packing->bytes += BLOCK - stream->avail_out;
        packing->failed = result == Z_STREAM_ERROR;
    }
}

/* Packs a head for numbers of a type. shape: such as "(3, 4)". */
static void pack_head(Packing *packing, const char *type, const char *shape)
{
    char head[HEAD_MAX];
    unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    int length = snprintf(head, sizeof head,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    while ((length + 11) % 64 != 0) /* as NumPy does, so that the numbers are aligned */
        head[length++] = ' ';
    head[length++] = '\n';
    start[8] = (unsigned char)(length & 0xff);
    start[9] = (unsigned char)(length >> 8);
    pack(packing, start, sizeof start, false);
    pack(packing, (const unsigned char *)head, (size_t)length, false);
}

static void pack_floats(Packing *packing, const float *values, size_t count)
{
    unsigned char bytes[BLOCK];
    for (size_t begin = 0; begin < count; begin += FLOATS) {
        const size_t here = count - begin < FLOATS ? count - begin : FLOATS;
        for (size_t v = 0; v < here; v++)
            put_float(bytes + 4 * v, values[begin + v]);
        pack(packing, bytes, 4 * here, false);
    }
}

static void pack_doubles(Packing *packing, const double *values, size_t count)
{
    unsigned char bytes[8];
    for (size_t v = 0; v < count; v++) {
        put_double(bytes, values[v]);
        pack(packing, bytes, sizeof bytes, false);
    }
}

static void put_short(unsigned char *bytes, unsigned value)
{
    bytes[0] = (unsigned char)(value & 0xff);
    bytes[1] = (unsigned char)(value >> 8);
}

/* The fields that the entry before an array and the one in the directory have in common. The date
 * is the first that ZIP knows, so that equal frames give equal bytes. */
static void put_common(unsigned char bytes[26], const Packing *packing, size_t name)
{
    put_short(bytes, 20);        /* version that can read it */
    put_short(bytes + 2, 0);     /* flags */
    put_short(bytes + 4, 8);     /* deflate */
    put32(bytes + 6, 33u << 16); /* 1 January 1980 */
    put32(bytes + 10, packing->crc);
    put32(bytes + 14, (uint32_t)packing->bytes);
    put32(bytes + 18, (uint32_t)packing->plain);
    put_short(bytes + 22, (unsigned)name);
    put_short(bytes + 24, 0); /* no more fields */
}

static void put(Archive *archive, const void *bytes, size_t count)
{
    atomic_file_put(&archive->file, bytes, count);
    archive->at += count;
}

static void list(Archive *archive, const void *bytes, size_t count)
{
    unsigned char *longer =
        grow(archive->directory, &archive->directory_room, archive->directory_bytes + count, 1);
    archive->failed = archive->failed || longer == NULL;
    if (longer == NULL)
        return;
    archive->directory = longer;
    memcpy(longer + archive->directory_bytes, bytes, count);
    archive->directory_bytes += count;
}

/* Adds what was packed, and frees it. */
static void put_array(Archive *archive, const char *name, Packing *packing)
{
    unsigned char local[30], central[46] = {0};
    char full[80];
    pack(packing, (const unsigned char *)"", 0, true);
    deflateEnd(&packing->stream);
    archive->failed = archive->failed || packing->failed;
    if (!archive->failed) {
        const size_t length = (size_t)snprintf(full, sizeof full, "%.64s.npy", name);
        put32(local, 0x04034b50);
        put_common(local + 4, packing, length);
        put32(central, 0x02014b50);
        put_short(central + 4, 20);
        put_common(central + 6, packing, length);
        put32(central + 42, (uint32_t)archive->at);
        list(archive, central, sizeof central);
        list(archive, full, length);
        put(archive, local, sizeof local);
        put(archive, full, length);
        put(archive, packing->packed, packing->bytes);
        archive->entries++;
    }
    free(packing->packed);
}

/* zlib's stream stays where it was begun. */
static void start_packing(Packing *packing, const char *type, const char *shape)
{
    *packing = (Packing){.packed = NULL};
    packing->failed = deflateInit2(&packing->stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8,
                                   Z_DEFAULT_STRATEGY) != Z_OK;
    if (!packing->failed)
        pack_head(packing, type, shape);
}

static void put_field(Archive *archive, const VolumeFrame *frame, const VolumeField *field)
{
    char shape[64];
    const size_t count = (size_t)field->of.components * (size_t)frame->n[0] * (size_t)frame->n[1] *
                         (size_t)frame->n[2];
    snprintf(shape, sizeof shape, field->of.components > 1 ? "(%d, %d, %d, 3)" : "(%d, %d, %d)",
             frame->n[2], frame->n[1], frame->n[0]);
    Packing packing;
    start_packing(&packing, "<f4", shape);
    pack_floats(&packing, field->values, count);
    put_array(archive, field->of.name, &packing);
}

static void put_numbers(Archive *archive, const char *name, const double *values, int count)
{
    char shape[32] = "()";
    if (count > 1)
        snprintf(shape, sizeof shape, "(%d,)", count);
    Packing packing;
    start_packing(&packing, "<f8", shape);
    pack_doubles(&packing, values, (size_t)count);
    put_array(archive, name, &packing);
}

static void put_end(Archive *archive)
{
    unsigned char end[22] = {0};
    const uint64_t begin = archive->at;
    put(archive, archive->directory, archive->directory_bytes);
    put32(end, 0x06054b50);
    put_short(end + 8, (unsigned)archive->entries);
    put_short(end + 10, (unsigned)archive->entries);
    put32(end + 12, (uint32_t)archive->directory_bytes);
    put32(end + 16, (uint32_t)begin);
    put(archive, end, sizeof end);
}

/* Most bytes of an archive's arrays: places in it have 32 bits. */
#define BYTES_MOST 4.2e9

bool npz_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error)
{
    Archive archive = {.at = 0};
    double bytes = 0;
    if (slab != NULL && !volume_frame_fit(frame, slab->view, slab->first, slab->end, error))
        return false;
    if (slab != NULL)
        volume_frame_fill(frame, slab->view);
    for (int f = 0; f < frame->field_count; f++)
        bytes += 4.0 * frame->fields[f].of.components * frame->n[0] * frame->n[1] * frame->n[2];
    if (bytes > BYTES_MOST)
        return fail(error,
                    "%.200s: its arrays have %.3g GB, and an .npz holds 4.2; choose --fields, or "
                    "write .vdb",
                    path, bytes / 1e9);
    if (!atomic_file_open(&archive.file, path, error))
        return false;
    for (int f = 0; f < frame->field_count; f++)
        put_field(&archive, frame, &frame->fields[f]);
    put_numbers(&archive, "cell_size", &frame->cell_size, 1);
    put_numbers(&archive, "origin", frame->origin, 3);
    put_numbers(&archive, "time", &frame->time, 1);
    put_numbers(&archive, "fps", &frame->fps, 1);
    put_end(&archive);
    free(archive.directory);
    if (archive.failed) {
        atomic_file_abandon(&archive.file);
        return fail(error, "%.200s: not enough memory to write it", path);
    }
    return atomic_file_commit(&archive.file, error);
}
