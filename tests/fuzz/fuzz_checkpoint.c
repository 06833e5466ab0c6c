/* SPDX-License-Identifier: MIT
 * Checkpoint files: opened and, on small grids, resumed for a step. The first byte says whether
 * the checksums are corrected first. Otherwise they would find all damage at once, and hostile
 * files have correct ones. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "base/words.h"
#include "io/checkpoint_block.h"
#include "scene/scene_checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { HEADER = 24, SECTION = 32, BLOCK = CHECKPOINT_BLOCK };
enum { EDGE_MAX = 16, TRACERS_MAX = 1000, SUBSTEPS_MAX = 2, SWEEPS_MAX = 20 };

static void seal(uint8_t *head, size_t count)
{
    put32(head + count - 4, (uint32_t)crc32(crc32(0, NULL, 0), head, (uInt)count - 4));
}

/* Walks along the file as a reader does, as far as it makes sense. */
static void put_checksums_right(uint8_t *file, size_t size)
{
    size_t at = HEADER;
    if (size < HEADER)
        return;
    seal(file, HEADER);
    for (uint32_t number = 0; at + SECTION <= size; number++) {
        uint64_t left = get32(file + at + 8) | (uint64_t)get32(file + at + 12) << 32;
        put32(file + at + 4, number);
        put32(file + at + 16, (uint32_t)at);
        put32(file + at + 20, 0);
        put32(file + at + 24, 0);
        seal(file + at, SECTION);
        at += SECTION;
        while (left > 0 && at + BLOCK_HEAD <= size) {
            uint8_t *head = file + at;
            size_t packed = get32(head + 4), count = left < BLOCK ? (size_t)left : BLOCK;
            at += BLOCK_HEAD;
            packed = packed <= size - at ? packed : size - at;
            put32(head, (uint32_t)count);
            put32(head + 12, (uint32_t)crc32(crc32(0, NULL, 0), file + at, (uInt)packed));
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
    SceneDriver driver;
    BillowDef def = scene_def(scene);
    def.threads = 1;
    if (!is_small(&def))
        return;
    bool good = scene_checkpoint_start(reader, scene, &def, &driver, error);
    if (good) {
        FUZZ_HOLDS(driver.sim != NULL);
        fuzz_count("had a state that was loaded");
        good = scene_driver_step(&driver, (double)scene->step, error);
    }
    FUZZ_HOLDS(good || error->text[0] != '\0');
    scene_driver_destroy(&driver);
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
    bool opened = scene_checkpoint_open(&reader, path, &scene, &error);
    if (opened ||
        (strstr(error.text, "wrong data") == NULL && strstr(error.text, "cut short") == NULL &&
         strstr(error.text, "of Billow") == NULL && strstr(error.text, "byte order") == NULL &&
         strstr(error.text, "version") == NULL))
        fuzz_count("passed the checksums up to the scene");
    if (opened) {
        fuzz_count("had a scene that was taken");
        go_on(&reader, &scene, &error);
        checkpoint_close(&reader);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0');
    }
    return 0;
}

/* -- mutations --------------------------------------------------------------------------------- */

typedef struct Section {
    uint32_t kind;
    uint8_t *bytes;
    size_t count, room;
} Section;

enum { SECTIONS_MAX = 8, GROW = 4096 };

/* Unpacks the sections of a file up to its end. Returns their number; 0 if the file is no whole one
 * of small sections. */
static int unpack(const uint8_t *file, size_t size, Section sections[SECTIONS_MAX])
{
    size_t at = HEADER;
    for (int count = 0; count < SECTIONS_MAX && at + SECTION <= size; count++) {
        Section *section = &sections[count];
        section->kind = get32(file + at);
        section->count = get32(file + at + 8);
        at += SECTION;
        if (section->count == 0)
            return count;
        if (section->count > BLOCK || at + BLOCK_HEAD > size)
            return 0;
        size_t packed = get32(file + at + 4);
        bool is_packed = get32(file + at + 8) == 1;
        at += BLOCK_HEAD;
        section->room = section->count + GROW;
        section->bytes = malloc(section->room);
        if (packed > size - at || (!is_packed && packed != section->count) ||
            section->bytes == NULL)
            return 0;
        if (!is_packed)
            memcpy(section->bytes, file + at, packed);
        else if (!state_unpack(file + at, packed, section->bytes, section->count))
            return 0;
        at += packed;
    }
    return 0;
}

/* Writes a file of sections behind its header. Returns its size, 0 if it is larger than `most`. */
static size_t pack(const Section *sections, int count, uint8_t *file, size_t most)
{
    size_t at = HEADER;
    for (int s = 0; s <= count; s++) {
        uint8_t *room = malloc(state_pack_bound(BLOCK)), block[BLOCK_HEAD];
        const uint8_t *packed = NULL;
        size_t length = 0, bytes = s < count ? sections[s].count : 0;
        FUZZ_HOLDS(room != NULL);
        if (bytes > 0)
            packed = checkpoint_block_pack(sections[s].bytes, bytes, room, block, &length);
        if (at + SECTION + BLOCK_HEAD + length > most) {
            free(room);
            return 0;
        }
        memset(file + at, 0, SECTION);
        put32(file + at, s < count ? sections[s].kind : CHECKPOINT_END);
        put32(file + at + 8, (uint32_t)bytes);
        at += SECTION;
        if (bytes > 0) {
            memcpy(file + at, block, BLOCK_HEAD);
            memcpy(file + at + BLOCK_HEAD, packed, length);
            at += BLOCK_HEAD + length;
        }
        free(room);
    }
    put_checksums_right(file, at);
    return at;
}

static void mutate(Section *section, unsigned *seed)
{
    const size_t count = section->count;
    if (section->kind == CHECKPOINT_SCENE)
        section->count = fuzz_mutate_text(section->bytes, count, section->room, 0, count, seed);
    else if (fuzz_random(seed, 8) == 0)
        section->count = fuzz_mutate_part(section->bytes, count, section->room, 0, count);
    else if (section->kind == CHECKPOINT_STATE && fuzz_random(seed, 2) == 0) /* its small parts */
        fuzz_mutate_inside(section->bytes, count, 0, count < 512 ? count : 512, seed);
    else
        fuzz_mutate_inside(section->bytes, count, 0, count, seed);
    if (section->count == 0)
        section->count = 1;
}

/* Changes the contents of a section and packs the file again. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    Section sections[SECTIONS_MAX] = {{0}};
    size_t packed = 0;
    int count = size > 1 && fuzz_random(&seed, 16) > 0 ? unpack(data + 1, size - 1, sections) : 0;
    if (count > 0) {
        mutate(&sections[fuzz_random(&seed, (size_t)count)], &seed);
        data[0] |= 1;
        packed = pack(sections, count, data + 1, most - 1);
    }
    for (int s = 0; s < SECTIONS_MAX; s++)
        free(sections[s].bytes);
    return packed > 0 ? packed + 1 : fuzz_mutate_part(data, size, most, 0, size);
}
