/* SPDX-License-Identifier: MIT
 * Uploads of volumes: whatever moved since the last one, in whatever way the texels are sent, the
 * texture holds the field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/gl/context.h"
#include "render/gl/texture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 37, NY = 26, NZ = 21, UPLOADS = 12 };
enum { BLOCKS = (NY + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS };

static RenderContext *context;
static float values[NZ][NY][NX], seen[NZ][NY][NX];
static BillowSpan spans[NZ][BLOCKS];

static int open_context(void **state)
{
    (void)state;
    BillowError error;
    context = render_context_open(&error);
    return context != NULL ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    render_context_close(context);
    return 0;
}

/* A ball of smoke on its way through the box, which it leaves and enters again; its values are
 * exact as halves. Every third time nothing is left of it. */
static BillowView ball_at(int time)
{
    memset(values, 0, sizeof values);
    memset(spans, 0, sizeof spans);
    const float x = 5.0f * (float)time - 9, y = 20 - 2.0f * (float)time, z = 3.0f * (float)time - 6;
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const float square = ((float)i - x) * ((float)i - x) +
                                     ((float)j - y) * ((float)j - y) +
                                     ((float)k - z) * ((float)k - z);
                if (square > 40 || time % 3 == 2)
                    continue;
                values[k][j][i] = (float)(1 + (i + 7 * j + 5 * k + time) % 1000);
                BillowSpan *span = &spans[k][j / BILLOW_SPAN_ROWS];
                span->begin = (short)(span->end == 0 || i < span->begin ? i : span->begin);
                span->end = (short)(i + 1 > span->end ? i + 1 : span->end);
            }
    return (BillowView){.nx = NX,
                        .ny = NY,
                        .nz = NZ,
                        .stride_y = NX,
                        .stride_z = NX * NY,
                        .spans = &spans[0][0],
                        .span_blocks = BLOCKS};
}

static void expect_field(const Volume *volume)
{
    glBindTexture(GL_TEXTURE_3D, volume->texture);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_3D, 0, GL_RED, GL_FLOAT, seen);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    assert_memory_equal(seen, values, sizeof values);
}

/* Seconds that decide for one of the ways, or INFINITY for the volume to try. */
static void upload_balls(bool half, const double seconds[2])
{
    BillowError error;
    Volume volume = {0};
    for (int time = 0; time < UPLOADS; time++) {
        const BillowView view = ball_at(time);
        assert_true(volume_upload_field(&volume, &view, (const int[2]){0, NZ}, &values[0][0][0],
                                        half, "ball", &error));
        expect_field(&volume);
        if (seconds != NULL) {
            volume.tries = 1000;
            memcpy(volume.seconds, seconds, sizeof volume.seconds);
        }
    }
    volume_destroy(&volume);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_texture_holds_what_moves(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        upload_balls(half, NULL);
        upload_balls(half, (const double[2]){1, 2});
        upload_balls(half, (const double[2]){2, 1});
    }
}

static void test_both_ways_are_tried(void **state)
{
    (void)state;
    BillowError error;
    Volume volume = {0};
    const BillowView view = ball_at(3);
    for (int upload = 0; upload < 8; upload++) {
        assert_true(volume.seconds[0] == 0 || upload > 0);
        assert_true(volume_upload_field(&volume, &view, (const int[2]){0, NZ}, &values[0][0][0],
                                        true, "ball", &error));
    }
    assert_true(volume.seconds[0] > 0 && volume.seconds[0] < 1);
    assert_true(volume.seconds[1] > 0 && volume.seconds[1] < 1);
    volume_destroy(&volume);
}

/* -- drivers that lend no memory --------------------------------------------------------------- */

static void *lend_nothing(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    (void)target, (void)offset, (void)size, (void)access;
    return NULL;
}

static PFNGLUNMAPBUFFERPROC real_unmap;

static GLboolean lose(GLenum target)
{
    real_unmap(target);
    return GL_FALSE;
}

static void test_without_lent_memory(void **state)
{
    (void)state;
    const double buffer_wins[2] = {2, 1};
    const PFNGLMAPBUFFERRANGEPROC real_map = epoxy_glMapBufferRange;
    epoxy_glMapBufferRange = lend_nothing;
    upload_balls(true, buffer_wins);
    upload_balls(false, NULL);
    epoxy_glMapBufferRange = real_map;
    real_unmap = epoxy_glUnmapBuffer;
    epoxy_glUnmapBuffer = lose;
    upload_balls(true, buffer_wins);
    upload_balls(false, NULL);
    epoxy_glUnmapBuffer = real_unmap;
}

/* -- other layouts ----------------------------------------------------------------------------- */

/* Rows and planes with gaps, of which planes are not whole rows apart, and two channels. */
static void test_gaps(void **state)
{
    (void)state;
    enum { ROW = 2 * (NX + 3), PLANE = ROW * (NY + 1) + 2 };
    BillowError error;
    static float apart[NZ][PLANE], pairs[NZ][NY][NX][2];
    for (int way = 0; way < 2; way++) {
        Volume volume = {.tries = 0};
        for (int time = 0; time < 3; time++) {
            for (int k = 0; k < NZ; k++)
                for (int j = 0; j < NY; j++)
                    for (int i = 0; i < 2 * NX; i++)
                        apart[k][i + j * ROW] = (float)(i + 100 * j + 9 * k + time);
            const VolumeData data = {.n = {NX, NY, NZ},
                                     .channels = 2,
                                     .stride_y = ROW,
                                     .stride_z = PLANE,
                                     .values = &apart[0][0]};
            assert_true(volume_upload(&volume, &data, "pairs", &error));
            volume.tries = 1000;
            volume.seconds[way] = 1, volume.seconds[!way] = 2;
            glBindTexture(GL_TEXTURE_3D, volume.texture);
            glGetTexImage(GL_TEXTURE_3D, 0, GL_RG, GL_FLOAT, pairs);
            for (int k = 0; k < NZ; k++)
                for (int j = 0; j < NY; j++)
                    assert_memory_equal(pairs[k][j], &apart[k][j * ROW], sizeof pairs[k][j]);
        }
        volume_destroy(&volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texture_holds_what_moves),
        cmocka_unit_test(test_both_ways_are_tried),
        cmocka_unit_test(test_without_lent_memory),
        cmocka_unit_test(test_gaps),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
