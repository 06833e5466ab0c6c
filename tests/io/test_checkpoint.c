/* SPDX-License-Identifier: MIT
 * Checkpoint files return what was stored, and refuse everything else. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "base/words.h"
#include "io/checkpoint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char folder[] = "/tmp/billow_checkpoint_XXXXXX";
static char path[64], other[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.ckpt", folder);
    snprintf(other, sizeof other, "%s/b.ckpt", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder); /* which would fail had a temporary file been left */
}

/* -- a file to read ---------------------------------------------------------------------------- */

enum { STATE = 3 * (1 << 20) + 12345, SHAPE = 500 };

typedef struct Content {
    CheckpointRun run;
    const char *scene;
    unsigned char *shape, *state;
    size_t state_bytes;
} Content;

/* A smooth field, which packs well, with noise at its end, which does not. */
static void fill(unsigned char *bytes, size_t count)
{
    uint32_t random = 1;
    for (size_t w = 0; 4 * w + 4 <= count; w++) {
        float value = sinf(1e-3f * (float)w);
        random = random * 1664525u + 1013904223u;
        memcpy(bytes + 4 * w, w < count / 5 ? (void *)&value : (void *)&random, 4);
    }
    memset(bytes + count / 4 * 4, 7, count % 4);
}

static Content content_of(size_t state_bytes)
{
    Content content = {.run = {.program = "billow test",
                               .scene = "a\nscene",
                               .grid = {8, 2048, 31},
                               .time = 1.5,
                               .steps = 90,
                               .frames = 45,
                               .fps = 30,
                               .part = 1,
                               .parts = 2,
                               .exposed = true,
                               .exposure_metered = 0.5f,
                               .exposure_stops = -2},
                       .scene = "name: small\n",
                       .shape = malloc(SHAPE),
                       .state = malloc(state_bytes),
                       .state_bytes = state_bytes};
    assert_true(content.shape != NULL && content.state != NULL);
    fill(content.shape, SHAPE);
    fill(content.state, state_bytes);
    return content;
}

static void free_content(Content *content)
{
    free(content->shape);
    free(content->state);
}

static void write_content(const Content *content, const char *to)
{
    CheckpointWriter writer;
    BillowError error = {""};
    if (!checkpoint_create(&writer, to, &content->run, &error))
        fail_msg("%s", error.text);
    checkpoint_add(&writer, CHECKPOINT_SCENE, content->scene, strlen(content->scene));
    checkpoint_add(&writer, CHECKPOINT_SHAPE, content->shape, SHAPE);
    checkpoint_add(&writer, CHECKPOINT_STATE, content->state, content->state_bytes);
    if (!checkpoint_commit(&writer, &error))
        fail_msg("%s", error.text);
}

static bool next_is(CheckpointReader *reader, CheckpointKind kind, const void *expected,
                    size_t bytes, BillowError *error)
{
    unsigned char *memory = malloc(bytes);
    assert_non_null(memory);
    if (reader->kind != kind || reader->bytes != bytes)
        fail_msg("section %x of %llu bytes instead of %x of %zu", (unsigned)reader->kind,
                 (unsigned long long)reader->bytes, (unsigned)kind, bytes);
    bool good = checkpoint_read(reader, memory, error);
    if (good)
        assert_memory_equal(memory, expected, bytes);
    free(memory);
    return good;
}

/* Whether the whole file could be read. If so, its content must be the original. */
static bool read_content(const Content *content, const char *from, BillowError *error)
{
    CheckpointReader reader;
    if (!checkpoint_open(&reader, from, error))
        return false;
    bool good = next_is(&reader, CHECKPOINT_SCENE, content->scene, strlen(content->scene), error) &&
                next_is(&reader, CHECKPOINT_SHAPE, content->shape, SHAPE, error) &&
                next_is(&reader, CHECKPOINT_STATE, content->state, content->state_bytes, error);
    if (good)
        assert_int_equal(reader.kind, CHECKPOINT_END);
    checkpoint_close(&reader);
    return good;
}

/* The whole file, with some bytes of room after it. */
static unsigned char *read_bytes(const char *from, size_t *count)
{
    FILE *stream = fopen(from, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *count = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc(*count + 8);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *count, stream), *count);
    fclose(stream);
    return bytes;
}

static void write_bytes(const unsigned char *bytes, size_t count, const char *to)
{
    FILE *stream = fopen(to, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

static void assert_refused(const Content *content, const unsigned char *bytes, size_t count,
                           const char *words)
{
    BillowError error = {""};
    write_bytes(bytes, count, other);
    if (read_content(content, other, &error))
        fail_msg("%zu bytes were taken that are not '%s'", count, words);
    if (strncmp(error.text, other, strlen(other)) != 0 || strstr(error.text, words) == NULL ||
        strchr(error.text, '\n') != NULL)
        fail_msg("'%s' does not name the file and '%s' in one line", error.text, words);
}

/* -- what holds -------------------------------------------------------------------------------- */

static void what_was_written_is_read(void **state)
{
    (void)state;
    const size_t lengths[] = {1, 4, 1000, 1 << 20, (1 << 20) + 1, STATE};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        Content content = content_of(lengths[l]);
        BillowError error = {""};
        write_content(&content, path);
        assert_true(checkpoint_is_one(path));
        if (!read_content(&content, path, &error))
            fail_msg("%zu bytes: %s", lengths[l], error.text);
        CheckpointReader reader;
        assert_true(checkpoint_open(&reader, path, &error));
        const CheckpointRun *run = &reader.run;
        assert_string_equal(run->program, "billow test");
        assert_string_equal(run->scene, "a?scene"); /* in one line */
        assert_true(run->grid[0] == 8 && run->grid[1] == 2048 && run->grid[2] == 31);
        assert_true(run->time == 1.5 && run->steps == 90 && run->frames == 45);
        assert_true(run->fps == 30 && run->part == 1 && run->parts == 2 && run->exposed);
        assert_true(run->exposure_metered == 0.5f && run->exposure_stops == -2);
        while (reader.kind != CHECKPOINT_END) {
            void *section = malloc((size_t)reader.bytes);
            assert_true(checkpoint_read(&reader, section, &error));
            free(section);
        }
        checkpoint_close(&reader);
        free_content(&content);
    }
}

static void packed_where_it_gets_smaller(void **state)
{
    (void)state;
    Content content = content_of(STATE);
    size_t count;
    write_content(&content, path);
    free(read_bytes(path, &count));
    assert_true(state_pack_works() ? count < STATE - STATE / 8 : count > STATE);
    assert_true(count < STATE + 20000);
    free_content(&content);
}

static void every_bit_counts(void **state)
{
    (void)state;
    Content content = content_of(600);
    size_t count;
    write_content(&content, path);
    unsigned char *bytes = read_bytes(path, &count);
    for (size_t at = 0; at < count; at++) {
        bytes[at] ^= (unsigned char)(1u << at % 8);
        assert_refused(&content, bytes, count, "checkpoint");
        bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    write_bytes(bytes, count, other);
    assert_true(read_content(&content, other, NULL));
    free(bytes);
    free_content(&content);
}

static void every_length_but_its_own_is_refused(void **state)
{
    (void)state;
    Content content = content_of(300);
    size_t count;
    write_content(&content, path);
    unsigned char *bytes = read_bytes(path, &count);
    for (size_t length = 0; length < count; length++)
        assert_refused(&content, bytes, length,
                       length < 8    ? "this is no checkpoint of Billow"
                       : length < 24 ? "the checkpoint is cut short: it ends at byte "
                                     : "the checkpoint is cut short: it ends within the ");
    bytes[count] = 0;
    assert_refused(&content, bytes, count + 1,
                   "the checkpoint is damaged: there is data after its end");
    free(bytes);
    free_content(&content);
}

/* A hostile change: the checksums are corrected. */
static void reseal(unsigned char *head, size_t count)
{
    uint32_t sum = (uint32_t)crc32(crc32(0, NULL, 0), head, (uInt)(count - 4));
    for (int b = 0; b < 4; b++)
        head[count - 4 + (size_t)b] = (unsigned char)(sum >> (8 * b));
}

static void other_versions_are_named(void **state)
{
    (void)state;
    Content content = content_of(100);
    size_t count;
    write_content(&content, path);
    unsigned char *bytes = read_bytes(path, &count);
    bytes[8] = 2;
    reseal(bytes, 24);
    assert_refused(&content, bytes, count,
                   "version 2, and this Billow reads version 1; a newer Billow wrote it");
    bytes[8] = 0;
    reseal(bytes, 24);
    assert_refused(&content, bytes, count, "version 0");
    bytes[8] = 1;
    for (int b = 0; b < 4; b++)
        bytes[12 + b] = (unsigned char)(0x0a + b);
    assert_refused(&content, bytes, count, "the checkpoint has the other byte order");
    assert_refused(&content, (const unsigned char *)"\x89PNG\r\n\x1a\n", 8, "no checkpoint");
    free(bytes);
    free_content(&content);
}

enum { HEADER = 24, SECTION = 32, HEAD = 20 /* of a block */ };

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const struct {
        size_t at; /* from the first section's head on */
        unsigned char byte;
        size_t head, length; /* to be sealed again */
    } lies[] = {
        {0, 'X', 0, SECTION},            /* another kind, */
        {4, 9, 0, SECTION},              /* number, */
        {15, 255, 0, SECTION},           /* length, as long as never was any, */
        {16, 0, 0, SECTION},             /* place */
        {SECTION + 3, 1, SECTION, HEAD}, /* a block of another length, */
        {SECTION + 7, 1, SECTION, HEAD}, /* packed to more than it was, */
        {SECTION + 8, 2, SECTION, HEAD}, /* by a method that nobody knows */
    };
    Content content = content_of(100);
    size_t count;
    write_content(&content, path);
    for (size_t l = 0; l < sizeof lies / sizeof lies[0]; l++) {
        unsigned char *bytes = read_bytes(path, &count);
        assert_true(bytes[HEADER + lies[l].at] != lies[l].byte);
        bytes[HEADER + lies[l].at] = lies[l].byte;
        reseal(bytes + HEADER + lies[l].head, lies[l].length);
        assert_refused(&content, bytes, count, "checkpoint is");
        free(bytes);
    }
    free_content(&content);
}

enum { RUN_BYTES = 384, BLOCK_AT = HEADER + SECTION, RUN_AT = BLOCK_AT + HEAD };
enum { END_AT = RUN_AT + RUN_BYTES, RUN_ALONE = END_AT + SECTION };

/* A checkpoint with only the description of its run, unpacked. The checksum of its block is not set
 * yet. */
static void make_run_alone(unsigned char bytes[RUN_ALONE])
{
    Content content = content_of(100);
    size_t count;
    write_content(&content, path);
    unsigned char *whole = read_bytes(path, &count);
    memset(bytes, 0, RUN_ALONE);
    memcpy(bytes, whole, BLOCK_AT);
    put32(bytes + BLOCK_AT, RUN_BYTES);
    put32(bytes + BLOCK_AT + 4, RUN_BYTES);
    if (state_pack_works())
        assert_true(
            state_unpack(whole + RUN_AT, get32(whole + BLOCK_AT + 4), bytes + RUN_AT, RUN_BYTES));
    else
        memcpy(bytes + RUN_AT, whole + RUN_AT, RUN_BYTES);
    put32(bytes + END_AT, CHECKPOINT_END);
    put32(bytes + END_AT + 4, 1);
    put64(bytes + END_AT + 16, END_AT);
    reseal(bytes + END_AT, SECTION);
    free(whole);
    free_content(&content);
}

static void seal_block(unsigned char *head)
{
    uint32_t packed = get32(head + 4);
    put32(head + 12, (uint32_t)crc32(crc32(0, NULL, 0), head + HEAD, packed));
    reseal(head, HEAD);
}

/* Expects that the file opens, or is refused with this message. */
static void assert_run(unsigned char bytes[RUN_ALONE], const char *words)
{
    CheckpointReader reader;
    BillowError error = {""};
    seal_block(bytes + BLOCK_AT);
    write_bytes(bytes, RUN_ALONE, other);
    bool good = checkpoint_open(&reader, other, &error);
    if (good)
        checkpoint_close(&reader);
    if (good != (words == NULL) || (!good && strstr(error.text, words) == NULL))
        fail_msg("'%s' instead of '%s'", error.text, words != NULL ? words : "");
}

/* Control characters in the name of a scene are not printed. */
static void names_that_are_no_text_are_refused(void **state)
{
    (void)state;
    static const char words[] = "damaged: the description of its run is impossible";
    static const struct {
        size_t at, size;
    } names[] = {{0, 64}, {64, 256}};
    unsigned char bytes[RUN_ALONE];
    make_run_alone(bytes);
    assert_run(bytes, NULL);
    for (size_t n = 0; n < 2; n++) {
        unsigned char *name = bytes + RUN_AT + names[n].at;
        for (const char *c = "\033\n\177"; *c != 0; c++) {
            make_run_alone(bytes);
            name[0] = (unsigned char)*c;
            assert_run(bytes, words);
        }
        memset(name, 'a', names[n].size); /* without an end */
        assert_run(bytes, words);
    }
}

static void sections_out_of_order_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[RUN_ALONE];
    make_run_alone(bytes);
    put32(bytes + HEADER, CHECKPOINT_SCENE);
    reseal(bytes + HEADER, SECTION);
    assert_run(bytes, "the description of its run is missing");
    make_run_alone(bytes);
    put64(bytes + END_AT + 8, 1); /* an end that has bytes */
    reseal(bytes + END_AT, SECTION);
    assert_run(bytes, "wrong data from byte 460 on");
}

static void packed_bytes_that_are_none_are_refused(void **state)
{
    (void)state;
    Content content = content_of(100);
    size_t count;
    write_content(&content, path);
    unsigned char *bytes = read_bytes(path, &count);
    memset(bytes + RUN_AT, 0xff, get32(bytes + BLOCK_AT + 4));
    seal_block(bytes + BLOCK_AT);
    assert_refused(&content, bytes, count,
                   state_pack_works() ? "wrong data from byte 76 on"
                                      : "the description of its run is impossible");
    free(bytes);
    free_content(&content);
}

static void runs_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const Content good = content_of(100);
    for (int lie = 0; lie < 11; lie++) {
        Content content = good;
        CheckpointRun *run = &content.run;
        BillowError error = {""};
        lie == 0   ? (void)(run->grid[1] = 7)
        : lie == 1 ? (void)(run->grid[2] = 2049)
        : lie == 2 ? (void)(run->time = -1)
        : lie == 3 ? (void)(run->time = (double)INFINITY)
        : lie == 4 ? (void)(run->fps = (double)NAN)
        : lie == 5 ? (void)(run->fps = 0) /* and yet frames */
        : lie == 6 ? (void)(run->part = 3)
        : lie == 7 ? (void)(run->steps = UINT64_MAX)
        : lie == 8 ? (void)(run->frames = UINT64_MAX)
        : lie == 9 ? (void)(run->exposure_stops = NAN)
                   : (void)(run->exposure_metered = INFINITY);
        write_content(&content, path);
        assert_false(read_content(&content, path, &error));
        if (strstr(error.text,
                   "the checkpoint is damaged: the description of its run is impossible") == NULL)
            fail_msg("lie %d: '%s'", lie, error.text);
    }
    free_content((Content *)&good);
}

static void what_cannot_be_written_leaves_what_was_there(void **state)
{
    (void)state;
    Content content = content_of(100);
    BillowError error = {""};
    CheckpointWriter writer;
    write_content(&content, path);
    assert_true(checkpoint_create(&writer, path, &content.run, &error));
    checkpoint_abandon(&writer);
    assert_true(read_content(&content, path, &error));
    assert_false(checkpoint_create(&writer, "/no/such/folder/a.ckpt", &content.run, &error));
    assert_non_null(strstr(error.text, "no folder"));
    assert_false(checkpoint_is_one("/no/such/folder/a.ckpt"));
    assert_false(read_content(&content, folder, &error));
    assert_non_null(strstr(error.text, "cannot be read"));
    free_content(&content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(packed_where_it_gets_smaller),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(every_length_but_its_own_is_refused),
        cmocka_unit_test(other_versions_are_named),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(names_that_are_no_text_are_refused),
        cmocka_unit_test(sections_out_of_order_are_refused),
        cmocka_unit_test(packed_bytes_that_are_none_are_refused),
        cmocka_unit_test(runs_that_cannot_be_are_refused),
        cmocka_unit_test(what_cannot_be_written_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
