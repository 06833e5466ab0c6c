/* SPDX-License-Identifier: MIT
 * Pictures that several ranks draw together, each from its own planes, are those of one renderer.
 * The ranks are threads, each with its own GL context. All planes that a rank does not have are
 * NaN.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "render/gl/context.h"
#include "render/renderer_state.h"
#include "sanitized.h"
#include "scene/scene_play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ranks_fixture.h"
#include "render/pass/slab_march.h"
#include "render/readback.h"
#include "render/upload.h"
#include "smoke_fixture.h"

enum { WIDTH = 96, HEIGHT = 72, BYTES = WIDTH * HEIGHT * 4 };

/* A picture of a simulated scene by one renderer and by several. */
typedef struct Shot {
    const char *scene, *grid;
    double seconds;                         /* simulated */
    void (*change)(RenderSettings *render); /* changes the scene's settings; NULL: no change */
    RenderFrame frame;
    BillowView view;
    RenderSettings render;
    bool breaks; /* the last rank cannot go on */
    uint8_t pixels[BYTES];
    bool drawn[RANKS_MAX];
    BillowError errors[RANKS_MAX];
} Shot;

/* -- ranks ------------------------------------------------------------------------------------- */

static const BillowExchange *agreeing[RANKS_MAX]; /* of each thread */
static _Thread_local int own_rank;

typedef struct Answer {
    bool good;
    BillowError error;
} Answer;

static bool agree(bool good, BillowError *error)
{
    const BillowExchange *exchange = agreeing[own_rank];
    Answer answers[RANKS_MAX];
    size_t offsets[RANKS_MAX + 1];
    memset(answers, 0, sizeof answers);
    for (int r = 0; r <= exchange->ranks; r++)
        offsets[r] = (size_t)r * sizeof *answers;
    answers[own_rank].good = good;
    if (!good)
        answers[own_rank].error = *error;
    exchange->gather(exchange->context, answers, offsets);
    for (int r = 0; r < exchange->ranks; r++)
        if (!answers[r].good) {
            *error = answers[r].error;
            return false;
        }
    return true;
}

/* Copies the fields of a view, without the planes outside low <= k < high. */
static void cut_out(BillowView *view, int low, int high, float *copies[BILLOW_FIELDS_MAX * 3])
{
    BillowField fields[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, fields), made = 0;
    for (int f = 0; f < count; f++) {
        const float *values[3] = {NULL};
        if (!fields[f].drawn || fields[f].place != BILLOW_AT_CENTRES)
            continue;
        for (int a = 0; a < fields[f].arrays; a++) {
            size_t floats = (size_t)view->stride_z * (size_t)view->nz;
            float *copy = malloc(floats * sizeof *copy);
            memset(copy, 0xff, floats * sizeof *copy); /* NaN */
            for (int k = low < 0 ? 0 : low; k < high && k < view->nz; k++)
                for (int j = 0; j < view->ny; j++)
                    memcpy(copy + j * view->stride_y + k * view->stride_z,
                           fields[f].values[a] + j * view->stride_y + k * view->stride_z,
                           (size_t)view->nx * sizeof *copy);
            values[a] = copies[made++] = copy;
        }
        billow_set_field(view, &fields[f], values);
    }
}

static bool draw(Renderer *renderer, Shot *shot, BillowError *error)
{
    return renderer_draw(renderer, &shot->render, &shot->frame, error) &&
           renderer_read(renderer, 4, shot->pixels, error);
}

static bool draw_rank(Renderer *renderer, const BillowExchange *exchange, Shot *shot,
                      BillowError *error)
{
    const RenderRanks ranks = {exchange, agree};
    float *copies[BILLOW_FIELDS_MAX * 3] = {NULL};
    BillowView view = shot->view;
    const int rank = exchange->rank, first = view.nz * rank / exchange->ranks;
    const int end = view.nz * (rank + 1) / exchange->ranks;
    const int cells[3] = {view.nx, view.ny, view.nz};
    const int beside = renderer_planes_beside(renderer, cells);
    cut_out(&view, first - beside, end + beside, copies);
    if (shot->breaks && rank == exchange->ranks - 1)
        renderer->limits.texture_3d_max = 16;
    bool good = renderer_divide(renderer, &ranks, view.nz, first, error) &&
                renderer_upload(renderer, &view, &shot->render, error);
    if (good && rank > 0)
        renderer_serve(renderer);
    else if (good) {
        good = draw(renderer, shot, error);
        renderer_release(renderer);
    }
    for (int c = 0; c < BILLOW_FIELDS_MAX * 3; c++)
        free(copies[c]);
    return good;
}

static void run_rank(const BillowExchange *exchange, void *context)
{
    Shot *shot = context;
    BillowError *error = &shot->errors[exchange->rank];
    own_rank = exchange->rank;
    agreeing[own_rank] = exchange;
    RenderContext *gl = render_context_open(error);
    Renderer *renderer = gl != NULL ? renderer_create(NULL, error) : NULL;
    if (agree(renderer != NULL, error)) {
        renderer_light_as(renderer, LIGHT_STILL);
        shot->drawn[own_rank] = draw_rank(renderer, exchange, shot, error);
    }
    renderer_destroy(renderer);
    render_context_close(gl);
}

/* -- scenes ------------------------------------------------------------------------------------ */

static BillowSim *simulate(Shot *shot)
{
    const SceneRequest request = {.name_or_path = shot->scene, .grid = shot->grid};
    Scene *scene = malloc(sizeof *scene);
    BillowError error;
    if (!scene_open(&request, scene, &error))
        fail_msg("%s", error.text);
    const BillowDef def = scene_def(scene);
    BillowDef played = def;
    ScenePlay *play = scene_play_create(scene, &played, &error);
    BillowSim *sim = play != NULL ? billow_create(&played, &error) : NULL;
    if (sim == NULL)
        fail_msg("%s: %s", shot->scene, error.text);
    scene_play_begin(play, sim);
    for (double time = 0; time < shot->seconds; time += (double)scene->step) {
        assert_true(scene_play_prepare(play, sim, (double)scene->step, &error));
        assert_true(billow_step(sim, (double)scene->step));
    }
    shot->view = billow_view(sim);
    shot->render = scene->render;
    if (shot->change != NULL)
        shot->change(&shot->render);
    scene_play_destroy(play);
    free(scene);
    return sim;
}

/* Draws the picture with one renderer. */
static void draw_alone(Shot *shot)
{
    BillowError error = {""};
    RenderContext *gl = render_context_open(&error);
    Renderer *renderer = gl != NULL ? renderer_create(NULL, &error) : NULL;
    if (renderer == NULL)
        fail_msg("%s", error.text);
    renderer_light_as(renderer, LIGHT_STILL);
    if (!renderer_upload(renderer, &shot->view, &shot->render, &error) ||
        !draw(renderer, shot, &error))
        fail_msg("%s: %s", shot->scene, error.text);
    renderer_destroy(renderer);
    render_context_close(gl);
}

static RenderFrame small_frame(void)
{
    RenderFrame frame = render_default_frame();
    frame.width = WIDTH;
    frame.height = HEIGHT;
    frame.step = 1;
    return frame;
}

/* Compares the picture of one renderer with that of several ranks. */
static void compare(Shot *shot, int ranks)
{
    uint8_t *alone = malloc(BYTES);
    int shown = 0, most = 0;
    draw_alone(shot);
    memcpy(alone, shot->pixels, BYTES);
    for (int i = 4; i < BYTES; i++)
        shown += alone[i] != alone[i - 4];
    assert_true(shown > BYTES / 100);
    memset(shot->pixels, 0, BYTES);
    ranks_run(ranks, run_rank, shot);
    for (int r = 0; r < ranks; r++)
        if (!shot->drawn[r])
            fail_msg("%s: rank %d: %s", shot->scene, r, shot->errors[r].text);
    for (int i = 0; i < BYTES; i++)
        most = abs(shot->pixels[i] - alone[i]) > most ? abs(shot->pixels[i] - alone[i]) : most;
    print_message("%s, %d ranks: largest difference %d\n", shot->scene, ranks, most);
    assert_in_range(most, 0, 1);
    free(alone);
}

/* The same for a scene that is simulated for it. */
static void compare_scene(Shot *shot)
{
    BillowSim *sim = simulate(shot);
    compare(shot, 2);
    billow_destroy(sim);
}

/* -- tests ------------------------------------------------------------------------------------- */

static void see_from_inside(RenderSettings *render)
{
    render->camera.distance *= 0.1f;
}

static void see_from_above(RenderSettings *render)
{
    render->camera.elevation = 80;
}

/* A camera whose picture has rays of both ways along z in every row. */
static void see_across(RenderSettings *render)
{
    render->camera.azimuth += 90;
}

static void test_plume(void **state)
{
    static void (*const changes[])(RenderSettings *) = {see_from_inside, see_from_above,
                                                        see_across};
    Shot shot = {.scene = "plume", .grid = "32", .seconds = 1, .frame = small_frame()};
    (void)state;
    BillowSim *sim = simulate(&shot);
    const RenderSettings plain = shot.render;
    for (int c = 0; c < (SANITIZED ? 1 : 3); c++) {
        shot.render = plain;
        changes[c](&shot.render);
        compare(&shot, 2 + c / 2);
    }
    billow_destroy(sim);
}

/* Flames, sparks and bloom. */
static void test_fire(void **state)
{
    (void)state;
    Shot shot = {.scene = "fire", .grid = "32", .seconds = 1, .frame = small_frame()};
    compare_scene(&shot);
}

/* Only the planes of the last rank are hot, and light the smoke of the others. */
static void test_hot_on_one_rank(void **state)
{
    enum { EDGE = 24, CELLS = EDGE * EDGE * EDGE };
    (void)state;
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int i = 0; i < CELLS; i++) {
        smoke.density[i] = 1;
        smoke.temperature[i] = i < CELLS * 3 / 4 ? 0 : 1500;
    }
    Shot shot = {.scene = "hot smoke",
                 .view = smoke.view,
                 .render = render_default_settings(),
                 .frame = small_frame()};
    shot.render.camera = (RenderCamera){{0.5f, 0.5f, 0.5f}, 3, 60, 15, 35};
    shot.render.smoke.glow = 1;
    shot.render.sun.intensity = shot.render.sky.intensity = 0;
    compare(&shot, 2);
    smoke_destroy(&smoke);
}

/* Fire that darkens to soot, and depth. */
static void test_explosion(void **state)
{
    (void)state;
    Shot shot = {.scene = "explosion", .grid = "40", .seconds = 0.6, .frame = small_frame()};
    shot.frame.depth = true;
    compare_scene(&shot);
}

static void test_clouds(void **state)
{
    skip_sanitized();
    (void)state;
    Shot shot = {.scene = "clouds", .grid = "40", .seconds = 2, .frame = small_frame()};
    compare_scene(&shot);
}

/* Lamps, smoke that dims colours differently, solids and cubic interpolation. */
static void add_lamps(RenderSettings *render)
{
    render->picture.filter = RENDER_FILTER_CUBIC;
    render->smoke.extinction_color[0] = 0.6f;
    for (int l = 0; l < 2; l++) {
        RenderLamp *lamp = &render->lamps[l];
        *lamp = render_default_lamp();
        memcpy(lamp->position, render->camera.target, sizeof lamp->position);
        lamp->position[2] += l == 0 ? 0.3f : -0.4f;
        lamp->radius = 0.05f;
    }
    render->lamp_count = 2;
}

static void test_lamps(void **state)
{
    (void)state;
    Shot shot = {.scene = "falling-ball",
                 .grid = "32",
                 .seconds = 1,
                 .frame = small_frame(),
                 .change = add_lamps};
    compare_scene(&shot);
}

/* Coloured smoke and depth of field. */
static void open_lens(RenderSettings *render)
{
    render->smoke.tint_extinction = 0.5f;
    render->lens.aperture = 1;
}

static void test_lens(void **state)
{
    (void)state;
    Shot shot = {
        .scene = "gases", .grid = "32", .seconds = 1, .frame = small_frame(), .change = open_lens};
    shot.frame.exposures = 3;
    compare_scene(&shot);
}

/* What one rank lacks, all ranks report. */
static void test_failure(void **state)
{
    (void)state;
    Shot shot = {
        .scene = "plume", .grid = "32", .seconds = 0.1, .frame = small_frame(), .breaks = true};
    BillowSim *sim = simulate(&shot);
    ranks_run(2, run_rank, &shot);
    for (int rank = 0; rank < 2; rank++) {
        assert_false(shot.drawn[rank]);
        assert_non_null(strstr(shot.errors[rank].text, "do not fit into this graphics driver's"));
    }
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plume),
        cmocka_unit_test(test_fire),
        cmocka_unit_test(test_hot_on_one_rank),
        cmocka_unit_test(test_explosion),
        cmocka_unit_test(test_clouds),
        cmocka_unit_test(test_lamps),
        cmocka_unit_test(test_lens),
        cmocka_unit_test(test_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
