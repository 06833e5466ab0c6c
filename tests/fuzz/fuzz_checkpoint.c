/* SPDX-License-Identifier: MIT
 * Checkpoint files: opened and, on small grids, resumed for a step. The first byte says whether
 * the checksums are corrected first. Otherwise they would find all damage at once, and hostile
 * files have correct ones. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "scene_checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { HEADER = 24, SECTION = 32, BLOCK_HEAD = 20, BLOCK = 1 << 20 };
enum { EDGE_MAX = 16, TRACERS_MAX = 1000, SUBSTEPS_MAX = 2, SWEEPS_MAX = 20 };

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put(uint8_t *bytes, uint32_t word)
{
    for (int b = 0; b < 4; b++)
        bytes[b] = (uint8_t)(word >> (8 * b));
}

static void seal(uint8_t *head, size_t count)
{
    put(head + count - 4, (uint32_t)crc32(crc32(0, NULL, 0), head, (uInt)count - 4));
}

/* Walks along the file as a reader does, as far as it makes sense. */
static void put_checksums_right(uint8_t *file, size_t size)
{
    size_t at = HEADER;
    if (size < HEADER)
        return;
    seal(file, HEADER);
    for (uint32_t number = 0; at + SECTION <= size; number++) {
        uint64_t left = word_at(file + at + 8) | (uint64_t)word_at(file + at + 12) << 32;
        put(file + at + 4, number);
        put(file + at + 16, (uint32_t)at);
        put(file + at + 20, 0);
        put(file + at + 24, 0);
        seal(file + at, SECTION);
        at += SECTION;
        while (left > 0 && at + BLOCK_HEAD <= size) {
            uint8_t *head = file + at;
            size_t packed = word_at(head + 4), count = left < BLOCK ? (size_t)left : BLOCK;
            at += BLOCK_HEAD;
            packed = packed <= size - at ? packed : size - at;
            put(head, (uint32_t)count);
            put(head + 12, (uint32_t)crc32(crc32(0, NULL, 0), file + at, (uInt)packed));
            seal(head, BLOCK_HEAD);
            at += packed;
            left -= count;
        }
    }
}

/* Where the inputs are written to, one after the other. */
static char path[] = "/tmp/billow-fuzz-XXXXXX";

static void remove_file(void)
{
    remove(path);
}

static void store(const uint8_t *data, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemp(path);
        atexit(remove_file);
    }
    FUZZ_HOLDS(file >= 0 && ftruncate(file, 0) == 0 &&
               pwrite(file, data, size, 0) == (ssize_t)size);
}

static bool is_small(const BillowDef *def)
{
    const BillowParams *p = &def->params;
    return def->nx <= EDGE_MAX && def->ny <= EDGE_MAX && def->nz <= EDGE_MAX &&
           def->tracers <= TRACERS_MAX && p->substeps_max <= SUBSTEPS_MAX &&
           p->sweeps <= SWEEPS_MAX && p->cycles <= SWEEPS_MAX && p->diffusion_sweeps <= SWEEPS_MAX;
}

static void go_on(CheckpointReader *reader, const Scene *scene, BillowError *error)
{
    ScenePlay *play = NULL;
    BillowSim *sim = NULL;
    BillowDef def = scene_def(scene);
    def.threads = 1;
    if (!is_small(&def))
        return;
    if (!scene_checkpoint_start(reader, scene, &def, &play, &sim, error)) {
        FUZZ_HOLDS(error->text[0] != '\0' && sim == NULL && play == NULL);
        return;
    }
    FUZZ_HOLDS(sim != NULL);
    if (play == NULL || scene_play_prepare(play, sim, (double)scene->step, error))
        if (!billow_step(sim, (double)scene->step))
            FUZZ_HOLDS(billow_error(sim)[0] != '\0');
    billow_destroy(sim);
    scene_play_destroy(play);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Scene scene;
    CheckpointReader reader;
    BillowError error;
    memset(&error, 0, sizeof error);
    if (size < 1)
        return 0;
    uint8_t *file = malloc(size);
    FUZZ_HOLDS(file != NULL);
    memcpy(file, data + 1, size - 1);
    if (data[0] & 1)
        put_checksums_right(file, size - 1);
    store(file, size - 1);
    free(file);
    if (scene_checkpoint_open(&reader, path, &scene, &error)) {
        go_on(&reader, &scene, &error);
        checkpoint_close(&reader);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0');
    }
    return 0;
}
