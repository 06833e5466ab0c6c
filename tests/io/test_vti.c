/* SPDX-License-Identifier: MIT
 * Fields for other programs, and .vti files read back by a separate reader. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* mkdtemp */
#endif

#include "volume_fixture.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char folder[] = "/tmp/billow-test-vti-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

static VolumeFrame make(VolumeUp up)
{
    VolumeFrame frame;
    BillowError error = {"nothing said why"};
    if (!volume_make(&frame, up, &error))
        fail_msg("%s", error.text);
    return frame;
}

/* -- fields -------------------------------------------------------------------------------------
 */

static void check_values(const VolumeFrame *frame, const VolumeField *field, const float *values)
{
    size_t at = 0;
    for (int k = 0; k < frame->n[2]; k++)
        for (int j = 0; j < frame->n[1]; j++)
            for (int i = 0; i < frame->n[0]; i++)
                for (int part = 0; part < field->of.components; part++, at++) {
                    int cell[3] = {i, j, k};
                    float wanted = volume_expected(frame, field->of.name, part, cell);
                    if (!(fabsf(values[at] - wanted) <= 1e-6f * fabsf(wanted) + 1e-7f))
                        fail_msg("%s[%d] of %d, %d, %d is %g, not %g", field->of.name, part, i, j,
                                 k, (double)values[at], (double)wanted);
                }
}

static void test_fields_keep_their_places(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        VolumeFrame frame = make(turned ? VOLUME_UP_Z : VOLUME_UP_Y);
        assert_int_equal(frame.field_count, VOLUME_FIELDS);
        for (int index = 0; index < frame.field_count; index++)
            check_values(&frame, &frame.fields[index], frame.fields[index].values);
        volume_frame_destroy(&frame);
    }
}

/* (x, y, z) becomes (x, -z, y): the box from z = 0.5 to 3 lies from -3 to -0.5 along the new y. */
static void test_box_turns_with_its_fields(void **state)
{
    (void)state;
    VolumeFrame frame = make(VOLUME_UP_Y);
    assert_true(frame.n[1] == VOLUME_NY && frame.n[2] == VOLUME_NZ);
    assert_true(frame.origin[0] == -1 && frame.origin[1] == 2 && frame.origin[2] == 0.5);
    volume_frame_destroy(&frame);
    frame = make(VOLUME_UP_Z);
    assert_true(frame.n[1] == VOLUME_NZ && frame.n[2] == VOLUME_NY);
    assert_true(frame.origin[0] == -1 && frame.origin[1] == -3 && frame.origin[2] == 2);
    volume_frame_destroy(&frame);
}

static void test_only_what_is_asked_for(void **state)
{
    (void)state;
    VolumeFrame frame;
    BillowError error;
    BillowDef def = volume_def();
    def.fire = def.color = false;
    assert_int_equal(volume_fields_of(&def),
                     volume_bit("density") | volume_bit("temperature") | volume_bit("velocity"));
    assert_true(
        volume_frame_create(&frame, &def, volume_bit("velocity"), VOLUME_UP_Y, 0.25f, "a", &error));
    assert_int_equal(frame.field_count, 1);
    assert_string_equal(frame.fields[0].of.name, "velocity");
    volume_frame_destroy(&frame);
    assert_true(
        volume_frame_create(&frame, &def, volume_bit("density"), VOLUME_UP_Y, 0.25f, "a", &error));
    assert_true(frame.fields[0].least == 0.25f);
    volume_frame_destroy(&frame);
}

/* -- .vti ---------------------------------------------------------------------------------------
 */

typedef struct Read {
    char *text; /* with a 0 after it */
    size_t length;
} Read;

static Read read_whole(const char *path)
{
    Read read = {.text = calloc(1, 1 << 20)};
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_non_null(read.text);
    read.length = fread(read.text, 1, (1 << 20) - 1, stream);
    fclose(stream);
    unlink(path);
    return read;
}

static const char *after(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    if (found == NULL)
        fail_msg("there is no '%s'", words);
    return found + strlen(words);
}

static uint64_t whole_at(const char *bytes)
{
    uint64_t value = 0;
    for (int byte = 8; byte-- > 0;)
        value = value << 8 | (unsigned char)bytes[byte];
    return value;
}

/* A field's compressed blocks as numbers, which they must fill. */
static float *inflate_field(const Read *read, const char *blocks, size_t count)
{
    uint64_t block_count = whole_at(blocks), block_size = whole_at(blocks + 8);
    uint64_t last = whole_at(blocks + 16);
    const char *from = blocks + 8 * (3 + block_count);
    unsigned char *bytes = malloc(count * 4);
    size_t at = 0;
    assert_non_null(bytes);
    assert_true(block_count > 0);
    for (uint64_t block = 0; block < block_count; block++) {
        uint64_t packed = whole_at(blocks + 8 * (3 + block));
        uLongf size = block + 1 == block_count && last != 0 ? last : block_size;
        uLongf found = count * 4 - at;
        assert_true(from + packed < read->text + read->length);
        assert_int_equal(uncompress(bytes + at, &found, (const Bytef *)from, packed), Z_OK);
        assert_int_equal(found, size);
        at += found;
        from += packed;
    }
    assert_int_equal(at, count * 4);
    float *values = malloc(count * sizeof *values);
    assert_non_null(values);
    for (size_t index = 0; index < count; index++) {
        const unsigned char *four = bytes + 4 * index;
        uint32_t bits = (uint32_t)four[0] | (uint32_t)four[1] << 8 | (uint32_t)four[2] << 16 |
                        (uint32_t)four[3] << 24;
        memcpy(&values[index], &bits, 4);
    }
    free(bytes);
    return values;
}

static void check_vti(VolumeFrame *frame)
{
    BillowError error;
    char extent[64];
    assert_true(vti_file_write("a.vti", frame, NULL, &error));
    Read read = read_whole("a.vti");
    snprintf(extent, sizeof extent, "WholeExtent=\"0 %d 0 %d 0 %d\"", frame->n[0], frame->n[1],
             frame->n[2]);
    after(read.text, extent);
    after(read.text, "Spacing=\"0.25 0.25 0.25\"");
    double origin[3];
    assert_int_equal(
        sscanf(after(read.text, "Origin=\""), "%lf %lf %lf", &origin[0], &origin[1], &origin[2]),
        3);
    for (int axis = 0; axis < 3; axis++)
        assert_true(origin[axis] == frame->origin[axis]);
    assert_true(strtod(strchr(after(read.text, "\"TimeValue\""), '>') + 1, NULL) == 1.5);
    const char *data = after(read.text, "<AppendedData encoding=\"raw\">\n_");
    size_t cells = (size_t)frame->n[0] * (size_t)frame->n[1] * (size_t)frame->n[2];
    for (int index = 0; index < frame->field_count; index++) {
        const VolumeField *field = &frame->fields[index];
        char name[64], unit[64];
        snprintf(name, sizeof name, "Name=\"%s\" NumberOfComponents=\"%d\"", field->of.name,
                 field->of.components);
        snprintf(unit, sizeof unit, "location=\"vtkDataArray\">%s<", field->of.unit);
        const char *entry = after(read.text, name);
        assert_true(after(entry, unit) < after(entry, "</DataArray>"));
        long offset = atol(after(entry, "offset=\""));
        float *values = inflate_field(&read, data + offset, cells * (size_t)field->of.components);
        check_values(frame, field, values);
        free(values);
    }
    static const char end[] = "\n  </AppendedData>\n</VTKFile>\n";
    assert_string_equal(read.text + read.length + 1 - sizeof end, end);
    free(read.text);
}

static void test_vti_round_trip(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        VolumeFrame frame = make(turned ? VOLUME_UP_Z : VOLUME_UP_Y);
        check_vti(&frame);
        volume_frame_destroy(&frame);
    }
}

/* More than a block, and blocks that are all full. */
static void test_vti_of_many_blocks(void **state)
{
    (void)state;
    BillowDef def = volume_def();
    BillowError error;
    VolumeFrame frame;
    for (int full = 0; full < 2; full++) {
        def.nx = 64;
        def.ny = full ? 64 : 61;
        def.nz = 32;
        assert_true(
            volume_frame_create(&frame, &def, volume_bit("density"), VOLUME_UP_Y, 0, "a", &error));
        size_t cells = (size_t)def.nx * (size_t)def.ny * (size_t)def.nz;
        for (size_t cell = 0; cell < cells; cell++)
            frame.fields[0].values[cell] = (float)(cell * 2654435761u >> 16 & 1023);
        assert_true(vti_file_write("a.vti", &frame, NULL, &error));
        Read read = read_whole("a.vti");
        const char *data = after(read.text, "<AppendedData encoding=\"raw\">\n_");
        assert_true(whole_at(data) > 1);
        assert_true((whole_at(data + 16) == 0) == (full == 1));
        float *values = inflate_field(&read, data, cells);
        assert_memory_equal(values, frame.fields[0].values, cells * sizeof *values);
        free(values);
        free(read.text);
        volume_frame_destroy(&frame);
    }
}

static void test_vti_is_whole_or_not_there(void **state)
{
    (void)state;
    BillowError error;
    VolumeFrame frame = make(VOLUME_UP_Y);
    assert_false(vti_file_write("/dev/full", &frame, NULL, &error));
    assert_string_equal(error.text,
                        "/dev/full: could not be written completely: No space left on device");
    assert_false(vti_file_write("no/a.vti", &frame, NULL, &error));
    assert_string_equal(error.text, "no/a.vti: cannot be written: there is no folder no/");
    volume_frame_destroy(&frame);
}

static bool name_file(const void *context, int number, char *name, BillowError *error)
{
    (void)error;
    return snprintf(name, PVD_NAME, "%s/a&b_%d.vti", (const char *)context, number) > 0;
}

static bool name_two(const void *context, int number, char *name, BillowError *error)
{
    if (number > 2)
        snprintf(error->text, sizeof error->text, "no name for %d", number);
    return number <= 2 && name_file(context, number, name, error);
}

static void test_pvd_is_whole_or_not_there(void **state)
{
    (void)state;
    BillowError error;
    assert_false(pvd_file_write("a.pvd", false, 1, 3, 25, name_two, ".", &error));
    assert_string_equal(error.text, "no name for 3");
    assert_int_not_equal(access("a.pvd", F_OK), 0); /* nor a temporary: the folder must be empty */
    assert_false(pvd_file_write("no/a.pvd", false, 1, 3, 25, name_file, ".", &error));
    assert_string_equal(error.text, "no/a.pvd: cannot be written: there is no folder no/");
}

static void test_pvd(void **state)
{
    (void)state;
    BillowError error;
    assert_true(pvd_file_write("a.pvd", false, 1, 3, 25, name_file, "some/where", &error));
    Read read = read_whole("a.pvd");
    const char *first = after(read.text, "timestep=\"0.04");
    after(first, "file=\"a&#38;b_1.vti\"");
    double last = strtod(after(after(first, "b_2.vti"), "timestep=\""), NULL);
    assert_true(fabs(last - 0.12) < 1e-12);
    after(read.text, "b_3.vti");
    assert_null(strstr(read.text, "where"));
    assert_null(strstr(read.text, "b_4.vti"));
    free(read.text);
    assert_false(pvd_file_write("/dev/full", false, 1, 3, 25, name_file, ".", &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_keep_their_places),
        cmocka_unit_test(test_box_turns_with_its_fields),
        cmocka_unit_test(test_only_what_is_asked_for),
        cmocka_unit_test(test_vti_round_trip),
        cmocka_unit_test(test_vti_of_many_blocks),
        cmocka_unit_test(test_vti_is_whole_or_not_there),
        cmocka_unit_test(test_pvd),
        cmocka_unit_test(test_pvd_is_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
