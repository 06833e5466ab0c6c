/* SPDX-License-Identifier: MIT
 * Errors in shaders, and limits of an OpenGL driver. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/embed.h"
#include "render/frame/camera.h"
#include "render/renderer_state.h"
#include "renderer_fixture.h"

/* A folder with the embedded shaders in it. */
static void folder_create(char folder[64])
{
    snprintf(folder, 64, "/tmp/billow-shaders-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        assert_int_equal(fwrite(file->text, 1, file->length, stream), file->length);
        assert_int_equal(fclose(stream), 0);
    }
}

static void folder_destroy(const char *folder)
{
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Writes a shader anew with the first occurrence of one text replaced; returns its line. */
static int folder_edit(const char *folder, const char *name, const char *from, const char *to)
{
    const EmbeddedFile *file = embedded_shaders;
    while (file->name != NULL && strcmp(file->name, name) != 0)
        file++;
    assert_non_null(file->name);
    const char *at = strstr(file->text, from);
    assert_non_null(at);
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "%.*s%s%s", (int)(at - file->text), file->text, to, at + strlen(from));
    assert_int_equal(fclose(stream), 0);
    int line = 1;
    for (const char *c = file->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static void test_skipping_changes_nothing(void **state)
{
    (void)state;
    static uint8_t skipping[BYTES], marching[BYTES];
    char folder[64];
    folder_create(folder);
    folder_edit(folder, "raymarch.frag", "#define SKIP_EMPTY 1", "#define SKIP_EMPTY 0");
    BillowError error = {""};
    Renderer *plain = renderer_create(folder, &error);
    if (plain == NULL)
        fail_msg("%s", error.text);
    renderer_light_as(plain, LIGHT_STILL);
    Smoke smoke = smoke_ball(50, 43, 61);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    static const float azimuths[] = {0, 25, 90, 200};
    for (int i = 0; i < 4; i++) {
        settings.camera.azimuth = azimuths[i];
        settings.camera.distance = i == 3 ? 0.2f : 2.2f; /* the last from inside */
        frame.frame = (unsigned)i;
        frame.step = i == 1 ? 2.7f : 0.8f;
        upload(renderer, &smoke, &settings);
        upload(plain, &smoke, &settings);
        draw(renderer, &settings, &frame, skipping);
        draw(plain, &settings, &frame, marching);
        assert_in_range(largest_difference(skipping, marching), 0, 1);
    }
    smoke_destroy(&smoke);
    renderer_destroy(plain);
    folder_destroy(folder);
}

static void test_broken_shader(void **state)
{
    (void)state;
    static uint8_t before[BYTES], after[BYTES];
    char folder[64], place[128];
    folder_create(folder);
    BillowError error = {""};
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    Renderer *live = renderer_create(folder, &error);
    if (live == NULL)
        fail_msg("%s", error.text);
    draw(live, &settings, &frame, before);
    bool changed = true;
    assert_true(renderer_poll_shaders(live, &changed, &error));
    assert_false(changed);

    /* An error in a file that another includes is reported under its own name and line. */
    int line = folder_edit(folder, "box.glsl", "vec3 tiny = vec3(1e-7);", "vec3 tiny = nonsense;");
    assert_false(renderer_poll_shaders(live, &changed, &error));
    snprintf(place, sizeof place, "%s/box.glsl:%d: ", folder, line);
    if (strncmp(error.text, place, strlen(place)) != 0 || strstr(error.text, "nonsense") == NULL)
        fail_msg("expected %s..., got: %s", place, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_true(renderer_poll_shaders(live, &changed, &error)); /* said once */
    draw(live, &settings, &frame, after);
    assert_memory_equal(before, after, BYTES);
    assert_null(renderer_create(folder, &error));

    folder_edit(folder, "box.glsl", "vec3(1e-7)", "vec3(2e-7)");
    line = folder_edit(folder, "raymarch.frag", "float jitter =", "flaot jitter =");
    assert_false(renderer_poll_shaders(live, &changed, &error));
    snprintf(place, sizeof place, "%s/raymarch.frag:%d: ", folder, line);
    if (strncmp(error.text, place, strlen(place)) != 0)
        fail_msg("expected %s..., got: %s", place, error.text);

    folder_edit(folder, "raymarch.frag", "const float BRICK = 8.0", "const float BRICK = 8.00");
    if (!renderer_poll_shaders(live, &changed, &error))
        fail_msg("%s", error.text);
    assert_true(changed);
    renderer_destroy(live);
    folder_destroy(folder);

    assert_null(renderer_create("/nonexistent", &error));
    assert_string_equal(error.text, "/nonexistent: there is no such folder of shaders");
}

/* Adds to a file of the folder, as it is in the program, and returns the line of what is added. */
static int folder_append(const char *folder, const EmbeddedFile *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "%s%s", file->text, text);
    assert_int_equal(fclose(stream), 0);
    int line = 1;
    for (const char *c = file->text; *c != 0; c++)
        line += *c == '\n';
    return line;
}

static void expect_refusal(const char *folder, const char *begin)
{
    BillowError error = {""};
    assert_null(renderer_create(folder, &error));
    if (strncmp(error.text, begin, strlen(begin)) != 0 || strchr(error.text, '\n') != NULL)
        fail_msg("expected %s..., got: %s", begin, error.text);
}

/* A file too large, and one that includes one too many. */
static void expect_limits(const char *folder, const EmbeddedFile *file)
{
    char path[160], place[256];
    BillowError error = {""};
    char *large = malloc((2 << 20) + 1);
    assert_non_null(large);
    memset(large, '\n', 2 << 20);
    large[2 << 20] = '\0';
    folder_append(folder, file, large);
    free(large);
    snprintf(place, sizeof place, "%s/%s: holds 2.", folder, file->name);
    expect_refusal(folder, place);
    folder_append(folder, file, "");
    char many[SHADER_SOURCE_FILES_MAX * 32] = "";
    for (int n = 0; n < SHADER_SOURCE_FILES_MAX; n++) {
        snprintf(many + strlen(many), 32, "#include \"%d.glsl\"\n", n);
        snprintf(path, sizeof path, "%s/%d.glsl", folder, n);
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fclose(stream);
    }
    folder_append(folder, file, many);
    assert_null(renderer_create(folder, &error));
    assert_non_null(strstr(error.text, ": it includes more than 16 files"));
    folder_append(folder, file, "");
    for (int n = 0; n < SHADER_SOURCE_FILES_MAX; n++) {
        snprintf(path, sizeof path, "%s/%d.glsl", folder, n);
        assert_int_equal(unlink(path), 0);
    }
}

/* Whichever file it is, and whatever needs it. */
static void test_every_broken_shader_is_named(void **state)
{
    (void)state;
    char folder[64], path[160], place[256];
    BillowError error = {""};
    folder_create(folder);
    const EmbeddedFile *file = embedded_shaders;
    for (int i = 0; file->name != NULL; file++, i++) {
#ifdef BILLOW_SANITIZED
        if (i % 5 != 0) /* each takes a second without, and many with sanitizers */
            continue;
#endif
        int line = folder_append(folder, file, "float broken = nonsense;\n");
        snprintf(place, sizeof place, "%s/%s:%d: ", folder, file->name, line);
        expect_refusal(folder, place);
        folder_append(folder, file, "");
    }
    file = embedded_shaders;
    while (strcmp(file->name, "frame.glsl") != 0)
        file++;
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    assert_int_equal(unlink(path), 0);
    snprintf(place, sizeof place, "%s: cannot be opened: ", path);
    expect_refusal(folder, place);
    assert_int_equal(mkdir(path, 0700), 0); /* there, and no file */
    expect_refusal(folder, place);
    assert_int_equal(rmdir(path), 0);
    expect_limits(folder, file);
    /* A file that includes itself, or another that includes it, is in place once. */
    for (file = embedded_shaders; file->name != NULL; file++)
        if (strcmp(file->name, "box.glsl") == 0)
            folder_append(folder, file, "#include \"box.glsl\"\n#include \"phase.glsl\"\n");
        else if (strcmp(file->name, "phase.glsl") == 0)
            folder_append(folder, file, "#include \"box.glsl\"\n");
    Renderer *good = renderer_create(folder, &error);
    if (good == NULL)
        fail_msg("%s", error.text);
    renderer_destroy(good);
    folder_destroy(folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(place, sizeof place, "%s/", folder);
    expect_refusal(folder, place);
    assert_int_equal(rmdir(folder), 0);
}

/* All that debuggers list has a name. */
static void check_labels(GLboolean (*exists)(GLuint), GLenum kind, const char *what)
{
    int count = 0;
    for (GLuint name = 1; name < 500; name++) {
        char label[64] = "";
        if (!exists(name))
            continue;
        glGetObjectLabel(kind, name, sizeof label, NULL, label);
        if (label[0] == 0)
            fail_msg("%s %u has no label", what, name);
        count++;
    }
    assert_true(count > 0);
}

static void test_objects_have_labels(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    static float values[32 * 32];
    if (epoxy_gl_version() < 43 && !epoxy_has_gl_extension("GL_KHR_debug"))
        return;
    Smoke smoke = smoke_ball(24, 24, 24);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    FieldSlice slice = {.kind = FIELD_DENSITY, .axis = 2, .position = 0.5f, .values = values};
    field_slice_fill(&slice, &smoke.view);
    frame.slice.field = &slice;
    frame.outline = frame.linear = true;
    renderer_timed(renderer, true);
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, pixels);
    renderer_timed(renderer, false);
    check_labels(glIsTexture, GL_TEXTURE, "texture");
    check_labels(glIsFramebuffer, GL_FRAMEBUFFER, "framebuffer");
    check_labels(glIsBuffer, GL_BUFFER, "buffer");
    check_labels(glIsProgram, GL_PROGRAM, "program");
    check_labels(glIsVertexArray, GL_VERTEX_ARRAY, "vertex array");
    smoke_destroy(&smoke);
}

/* Smoke beyond the driver's limit of 3D textures is drawn coarser, with the same mass. */
static void check_coarse(Smoke *smoke, const RenderSettings *settings, const RenderFrame *frame,
                         int most)
{
    static uint8_t whole[BYTES], coarse[BYTES];
    BillowError error = {""};
    assert_true(renderer_upload_whole(renderer, &smoke->view, settings, &error));
    assert_int_equal(renderer_coarsened(renderer), 1);
    draw(renderer, settings, frame, whole);
    Renderer *small = renderer_create(NULL, &error);
    assert_non_null(small);
    renderer_light_as(small, LIGHT_STILL);
    small->limits.texture_3d_max = most;
    assert_false(renderer_upload_whole(small, &smoke->view, settings, &error));
    assert_non_null(strstr(error.text, "cells do not fit into this graphics driver's textures"));
    upload(small, smoke, settings);
    assert_int_equal(renderer_coarsened(small), 2);
    draw(small, settings, frame, coarse);
    double before = 0, after = 0, apart = 0;
    for (int i = 0; i < BYTES; i++) {
        /* Colours count as far as they are opaque. */
        int a = whole[i] * whole[i | 3], b = coarse[i] * coarse[i | 3];
        before += a / 255.0;
        after += b / 255.0;
        apart += abs(a - b) / 255.0;
    }
    assert_true(apart > 0);
    if (apart > 2.0 * BYTES || fabs(after - before) > 0.04 * before)
        fail_msg("%g of %g, on average apart by %g", after, before, apart / BYTES);
    renderer_destroy(small);
}

static void test_oversize_grid(void **state)
{
    (void)state;
    Smoke smoke = smoke_ball(43, 30, 37);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    assert_true(renderer_limits(renderer).texture_3d_max >= 256);
    settings.smoke.extinction = 3; /* so little that what shows is how much there is */
    check_coarse(&smoke, &settings, &frame, 22);
    frame.transparent = true;
    check_coarse(&smoke, &settings, &frame, 42);
    smoke_destroy(&smoke);

    /* Solids stand at the cells' corners, of which there is one more. */
    frame.transparent = false;
    smoke = smoke_with_room(32, 32, 32);
    for (int i = 0; i < 32; i++)
        smoke.density[i + 33 * (6 + 33 * 9)] = 1;
    float *solid = smoke_solid_ball(&smoke, (const float[]){0.5f, 0.45f, 0.5f}, 0.2f);
    check_coarse(&smoke, &settings, &frame, 32);
    free(solid);
    smoke_destroy(&smoke);

    BillowError error = {""};
    frame.width = 1000000;
    assert_false(renderer_draw(renderer, &settings, &frame, &error));
    assert_non_null(strstr(error.text, " pixels are too many for this graphics driver: "));
    static float values[4];
    Renderer *plain = renderer_create(NULL, &error);
    assert_non_null(plain);
    assert_false(renderer_read_linear(plain, values, &error));
    assert_string_equal(error.text, "picture: the last frame drew no linear picture");
    assert_false(renderer_read_through(plain, false, values, &error));
    assert_string_equal(error.text, "picture: the last frame drew no transmittance");
    assert_false(renderer_read_depth(plain, values, values, &error));
    assert_string_equal(error.text, "picture: the last frame drew no depth");
    renderer_destroy(plain);
}

/* A picture larger than the memory of any GL gives a message with its size, and the previous one
 * stays. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    static uint8_t before[BYTES], after[BYTES];
    float value = 0;
    Volume volume = {0};
    VolumeData data = {.n = {2048, 2048, 2048},
                       .channels = 4,
                       .stride_y = 4 * 2048,
                       .stride_z = (ptrdiff_t)4 * 2048 * 2048,
                       .values = &value,
                       .half = true};
    Smoke smoke = smoke_ball(20, 20, 20);
    RenderSettings settings = test_settings();
    RenderFrame frame = test_frame();
    BillowError error = {""};
    upload(renderer, &smoke, &settings);
    draw(renderer, &settings, &frame, before);
    assert_false(volume_upload(&volume, &data, "test", &error));
    assert_true(gl_check_ran_short(&error));
    assert_non_null(strstr(error.text, "test, 2048x2048x2048 values (68.7 GB)"));
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(volume.texture, 0);
    draw(renderer, &settings, &frame, after);
    assert_memory_equal(before, after, BYTES);
    upload(renderer, &smoke, &settings);
    smoke_destroy(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skipping_changes_nothing),
        cmocka_unit_test(test_broken_shader),
        cmocka_unit_test(test_every_broken_shader_is_named),
        cmocka_unit_test(test_objects_have_labels),
        cmocka_unit_test(test_oversize_grid),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests_name("renderer, limits", tests, open_renderer, close_renderer);
}
