/* SPDX-License-Identifier: MIT
 * Values over time: interpolation of tracks, refusals, and simulations that follow. */
#include "scene_fixture.h"

#include "scene/scene_play.h"

static Scene scene_of(const char *text)
{
    Scene scene = *scene_default();
    BillowError error;
    if (!parse(text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

static double vorticity_at(const Scene *scene, double time)
{
    BillowDef def = scene_def(scene);
    BillowError error;
    def.nx = def.ny = def.nz = 8;
    def.threads = 1;
    ScenePlay *play = scene_play_create(scene, &def, &error);
    assert_non_null(play);
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    if (time > 0)
        billow_step(sim, time);
    assert_true(scene_play_prepare(play, sim, 0.01, &error));
    double found = (double)billow_params(sim).vorticity;
    assert_true((double)scene_play_params(play).vorticity == found);
    billow_destroy(sim);
    scene_play_destroy(play);
    return found;
}

static void linear_goes_straight_and_holds_outside(void **state)
{
    (void)state;
    const Scene scene = scene_of("timeline:\n  - key: solver.vorticity\n    mode: linear\n"
                                 "    values: [[1, 2], [3, 8], [4, 6]]\n");
    const double wanted[][2] = {{0, 2}, {1, 2},   {2, 5}, {2.5, 6.5},
                                {3, 8}, {3.5, 7}, {4, 6}, {9, 6}};
    for (int w = 0; w < LENGTH(wanted); w++)
        assert_true(fabs(vorticity_at(&scene, wanted[w][0]) - wanted[w][1]) < 1e-6);
}

/* Through the moments, between them nowhere beyond, at rest at the ends and where it turns. */
static void smooth_does_not_overshoot(void **state)
{
    (void)state;
    const Scene scene = scene_of("timeline: [{key: solver.vorticity, values: [[0, 1], [1, 2], [2, "
                                 "9], [3, 9], [4, 3]]}]\n");
    const double moments[] = {1, 2, 9, 9, 3};
    double before = 1;
    for (int s = 0; s <= 40; s++) {
        double time = 0.1 * s, value = vorticity_at(&scene, time);
        int left = s / 10 < 4 ? s / 10 : 3;
        double low = fmin(moments[left], moments[left + 1]);
        double high = fmax(moments[left], moments[left + 1]);
        assert_true(value >= low - 1e-6 && value <= high + 1e-6);
        assert_true(s > 30 || value >= before - 1e-6);
        if (s % 10 == 0)
            assert_true(fabs(value - moments[s / 10]) < 1e-6);
        before = value;
    }
    assert_true(vorticity_at(&scene, 0.05) - 1 < 0.02);      /* leaves gently */
    assert_true(vorticity_at(&scene, 1.05) - 2 > 0.05);      /* passes with some speed */
    assert_true(fabs(vorticity_at(&scene, 2.5) - 9) < 1e-6); /* and stays */
}

/* The slope at a moment, by Fritsch and Butland: between spans of 1 and 2 with secants of 1 and 3,
 * it is 9 / (5/1 + 4/3) = 27/19. It shows halfway between moments, as an eighth of the span. */
static void smooth_weighs_the_spans(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("timeline: [{key: solver.vorticity, values: [[0, 0], [1, 1], [3, 7]]}]\n");
    const double slope = 27.0 / 19;
    assert_true(fabs(vorticity_at(&scene, 0.5) - (0.5 - slope / 8)) < 1e-6);
    assert_true(fabs(vorticity_at(&scene, 2) - (4 + 2 * slope / 8)) < 1e-6);
    /* A quarter of the way: 1/4^2 (3 - 2/4) = 5/32 of the rise, and 3/64 of the span times the
     * slope. */
    assert_true(fabs(vorticity_at(&scene, 0.25) - (5.0 / 32 - 3.0 / 64 * slope)) < 1e-6);
}

/* Lamps are moved and dimmed as pictures are drawn. */
static void lamps_move_and_dim(void **state)
{
    (void)state;
    const Scene scene = scene_of("lamps: [{intensity: 3}]\ntimeline:\n  - {key: "
                                 "\"lamps[0].intensity\", mode: linear, values: "
                                 "[[0, 3], [2, 0]]}\n  - {key: \"lamps[0].position\", mode: "
                                 "linear, values: [[0, [0, 1, 0]], "
                                 "[4, [2, 1, 0]]]}\n");
    RenderSettings settings = scene.render;
    BillowError error;
    assert_true(scene_play_render(&scene, 1, &settings, &error));
    assert_true(fabsf(settings.lamps[0].intensity - 1.5f) < 1e-6f);
    assert_true(fabsf(settings.lamps[0].position[0] - 0.5f) < 1e-6f &&
                settings.lamps[0].position[1] == 1);
}

/* The stops of ramps change colour and place as pictures are drawn, and may meet on their way. */
static void ramps_change(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("smoke: {ramp: [{at: 0.1}, {at: 0.6, color: [1, 0, 0]}]}\nfire: {ramp: ice}\n"
                 "timeline:\n  - {key: \"smoke.ramp[1].color\", mode: linear, values: "
                 "[[0, [1, 0, 0]], [2, [0, 1, 0]]]}\n  - {key: \"smoke.ramp[0].at\", mode: "
                 "linear, values: [[0, 0.1], [4, 0.9]]}\n  - {key: \"fire.ramp_high\", mode: "
                 "linear, values: [[0, 1000], [1, 2000]]}\n");
    RenderSettings settings = scene.render;
    BillowError error;
    assert_true(scene_play_render(&scene, 1, &settings, &error));
    const RenderStop *stops = settings.smoke_ramp.stops;
    assert_true(fabsf(stops[1].color[0] - 0.5f) < 1e-6f && fabsf(stops[1].color[1] - 0.5f) < 1e-6f);
    assert_true(fabsf(stops[0].at - 0.3f) < 1e-6f && stops[1].at == 0.6f);
    assert_true(settings.fire_ramp.high == 2000.0f && settings.fire_ramp.stop_count == 4);
    assert_true(scene_play_render(&scene, 4, &settings, &error));
    assert_true(fabsf(settings.smoke_ramp.stops[0].at - 0.9f) < 1e-6f);
}

/* A rate that rises evenly from 0 to 6 releases half of what 6 does all the time. */
static void a_simulation_follows(void **state)
{
    (void)state;
    double mass[2];
    for (int timed = 0; timed < 2; timed++) {
        Scene scene =
            scene_of(timed ? "fluid: {weight: 0}\ndomain: {cells: 16}\nemitters: [{center: [0.5, "
                             "0.5, 0.5], size: "
                             "0.2, heat: 0}]\nforces: [{kind: wind}]\ntimeline:\n"
                             "  - {key: 'emitters[0].smoke', mode: linear, values: [[0, 0], "
                             "[1, 6]]}\n  - {key: 'forces[0].strength', values: [[0, 0], [1, "
                             "0]]}\n"
                           : "fluid: {weight: 0}\ndomain: {cells: 16}\nemitters: [{center: [0.5, "
                             "0.5, 0.5], size: "
                             "0.2, heat: 0}]\n");
        BillowDef def = scene_def(&scene);
        def.threads = 1;
        BillowError error;
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        BillowSim *sim = billow_create(&def, &error);
        for (int s = 0; s < 100; s++) {
            assert_true(scene_play_prepare(play, sim, 0.01, &error));
            billow_step(sim, 0.01);
        }
        mass[timed] = billow_stats(sim).mass;
        billow_destroy(sim);
        scene_play_destroy(play);
    }
    assert_true(fabs(mass[1] / mass[0] - 0.495) < 1e-4); /* each step has its beginning's rate */
}

static void the_look_follows(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("timeline:\n  - {key: camera.target, mode: linear, values: [[0, [0, 1, "
                 "2]], [2, [4, 1, 0]]]}\n  - {key: sun.azimuth, values: [[0, -30], "
                 "[1, 30]]}\n");
    RenderSettings settings = scene.render;
    BillowError error;
    assert_true(scene_play_render(&scene, 1, &settings, &error));
    assert_true(settings.camera.target[0] == 2 && settings.camera.target[2] == 1);
    assert_true(fabsf(settings.sun.azimuth - 30) < 1e-4f);
    assert_true(scene_play_render(&scene, 0.5, &settings, &error));
    assert_true(fabsf(settings.sun.azimuth) < 1e-4f);
    Scene dropped = scene;
    scene_drop_tracks(&dropped, "camera.");
    assert_int_equal(dropped.track_count, 1);
    assert_string_equal(dropped.tracks[0].key, "sun.azimuth");
}

static void turning_takes_whole_turns(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("emitters: [{shape: torus}]\ntimeline: [{key: 'emitters[0].rotation', mode: "
                 "linear, values: [[0, [0, 0, 1, 0]], [8, [0, 0, 1, 720]]]}]\n");
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    BillowError error;
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    assert_non_null(play);
    assert_true(def.emitters[0].rotation[3] == 1.0f);
    scene_play_destroy(play);
    Scene later = scene;
    assert_true(set(
        &later, "timeline=[{key: 'emitters[0].rotation', values: [[0, [0, 0, 2, 180]]]}]", &error));
    def = scene_def(&later);
    play = scene_play_create(&later, &def, &error);
    assert_non_null(play);
    assert_true(fabsf(def.emitters[0].rotation[2] - 1) < 1e-6f);
    scene_play_destroy(play);
}

/* From 0 to 350 degrees within a step a solid turns back by 10, and from 0 to 170 ahead. */
static void turning_takes_the_shorter_arc(void **state)
{
    (void)state;
    const double radian = 3.14159265358979323846 / 180, step = (double)scene_default()->step;
    const double turns[][2] = {{350, -10}, {170, 170}};
    for (int t = 0; t < LENGTH(turns); t++) {
        char text[200];
        snprintf(text, sizeof text,
                 "solids: [{shape: box}]\ntimeline: [{key: 'solids[0].rotation', mode: linear, "
                 "values: [[0, [0, 1, 0, 0]], [%.9g, [0, 1, 0, %g]]]}]\n",
                 step, turns[t][0]);
        const Scene scene = scene_of(text);
        BillowDef def = scene_def(&scene);
        BillowError error;
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        assert_non_null(play);
        double turned = (double)def.solids[0].spin[1] * step / radian;
        if (!(fabs(turned - turns[t][1]) < 1e-3))
            fail_msg("turned by %g degrees, not by %g", turned, turns[t][1]);
        scene_play_destroy(play);
    }
}

/* -- solids -------------------------------------------------------------------------------------
 */

static const char moving_ball[] =
    "domain: {cells: 32}\nfluid: {buoyancy: 0, weight: 0}\nsolver: {vorticity: 0}\n"
    "emitters: [{center: [0.5, 0.3, 0.5], heat: 0}]\n"
    "solids: [{size: 0.12, center: [0.9, 0.9, 0.9]}]\n"
    "timeline:\n"
    "  - {key: 'solids[0].center', mode: linear, values: [[0, [0.25, 0.5, 0.5]], "
    "[0.5, [0.7, 0.5, 0.5]], [0.8, [0.7, 0.3, 0.45]]]}\n"
    "  - {key: 'solids[0].rotation', mode: linear, values: [[0, [0, 1, 0, 0]], "
    "[0.5, [0, 1, 0, 500]]]}\n";

/* The position on its linear path. */
static void path(double time, double place[3], double *angle)
{
    double u = fmin(time / 0.5, 1), v = fmin(fmax((time - 0.5) / 0.3, 0), 1);
    place[0] = 0.25 + 0.45 * u;
    place[1] = 0.5 - 0.2 * v;
    place[2] = 0.5 - 0.05 * v;
    *angle = u * 500 * 3.14159265358979323846 / 180;
}

static bool is_shut(const BillowView *view, ptrdiff_t face, ptrdiff_t a, ptrdiff_t b)
{
    const float *d = view->solid + face;
    return d[0] < 0 && d[a] < 0 && d[b] < 0 && d[a + b] < 0;
}

static bool is_open(const BillowView *view, ptrdiff_t face, ptrdiff_t a, ptrdiff_t b)
{
    const float *d = view->solid + face;
    return d[0] + d[a] + d[b] + d[a + b] > 0;
}

/* Faces along x that the ball shuts, with fluid on one side: the fluid there moves with it. */
static int surface_faces(const BillowView *view, const BillowSolid *ball)
{
    int found = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 1; i + 1 < view->nx; i++) {
                ptrdiff_t at = i + j * view->stride_y + k * view->stride_z;
                bool shut = is_shut(view, at, view->stride_y, view->stride_z);
                bool fluid = is_open(view, at - 1, view->stride_y, view->stride_z) ||
                             is_open(view, at + 1, view->stride_y, view->stride_z);
                if (!shut || !fluid)
                    continue;
                found++;
                double z = (k + 0.5) * (double)view->cell_size - (double)ball->center[2];
                double speed = (double)ball->velocity[0] + (double)ball->spin[1] * z;
                assert_true(fabs((double)view->u[at] - speed) < 1e-4);
            }
    return found;
}

static void a_solid_follows_its_path(void **state)
{
    (void)state;
    const Scene scene = scene_of(moving_ball);
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    BillowError error;
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    assert_non_null(play);
    assert_true(fabsf(def.solids[0].velocity[0] - 0.9f) < 1e-4f);
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    for (int s = 0; s < 90; s++) {
        double place[3], before[3], angle;
        path(0.01 * s, before, &angle);
        assert_true(scene_play_prepare(play, sim, 0.01, &error));
        billow_step(sim, 0.01);
        path(0.01 * (s + 1), place, &angle);
        const BillowSolid *ball = billow_solid(sim, 0);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs((double)ball->center[axis] - place[axis]) < 1e-6);
            assert_true(fabs((double)ball->velocity[axis] - (place[axis] - before[axis]) / 0.01) <
                        1e-4);
        }
        assert_true(fabs(fabs((double)ball->rotation[3]) - fabs(cos(angle / 2))) < 1e-5);
        assert_true(fabs(fabs((double)ball->rotation[1]) - fabs(sin(angle / 2))) < 1e-5);
        BillowView view = billow_view(sim);
        if (s % 10 == 5)
            assert_true(surface_faces(&view, ball) > 10);
    }
    uint64_t version = billow_view(sim).solid_version;
    assert_true(scene_play_prepare(play, sim, 0.01, &error));
    billow_step(sim, 0.01); /* arrived: it stands still, to the bit */
    assert_true(billow_view(sim).solid_version == version);
    assert_true(billow_solid(sim, 0)->velocity[1] == 0.0f);
    billow_destroy(sim);
    scene_play_destroy(play);
}

static void its_path_does_not_hang_on_the_steps(void **state)
{
    (void)state;
    const Scene scene = scene_of(moving_ball);
    double mass[3], energy[3];
    float place[3][3];
    static const int steps[3] = {24, 48, 60}; /* of 0.8 s */
    for (int run = 0; run < 3; run++) {
        BillowDef def = scene_def(&scene);
        def.threads = 1;
        BillowError error;
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        BillowSim *sim = billow_create(&def, &error);
        for (int s = 0; s < steps[run]; s++) {
            assert_true(scene_play_prepare(play, sim, 0.8 / steps[run], &error));
            billow_step(sim, 0.8 / steps[run]);
        }
        memcpy(place[run], billow_solid(sim, 0)->center, sizeof place[run]);
        mass[run] = billow_stats(sim).mass;
        energy[run] = billow_stats(sim).kinetic_energy;
        billow_destroy(sim);
        scene_play_destroy(play);
    }
    for (int run = 1; run < 3; run++) {
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabsf(place[run][axis] - place[0][axis]) < 1e-6f);
        assert_true(fabs(mass[run] / mass[0] - 1) < 0.05);
        assert_true(fabs(energy[run] / energy[0] - 1) < 0.15);
    }
}

/* Speeds on the timeline are met in the middle of steps: their ways add up. */
static void speeds_add_up(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("domain: {cells: 8}\nsolids: [{size: 0.1, center: [0.2, 0.5, 0.5], "
                 "isothermal: true}]\ntimeline:\n"
                 "  - {key: 'solids[0].velocity', mode: linear, values: [[0, [0, 0, "
                 "0]], [1, [1, 0, 0]]]}\n"
                 "  - {key: 'solids[0].temperature', mode: linear, values: [[0, 0], "
                 "[1, 100]]}\n");
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    BillowError error;
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    BillowSim *sim = billow_create(&def, &error);
    for (int s = 0; s < 10; s++) {
        assert_true(scene_play_prepare(play, sim, 0.1, &error));
        billow_step(sim, 0.1);
    }
    assert_true(fabsf(billow_solid(sim, 0)->center[0] - 0.7f) < 1e-5f);
    assert_true(fabsf(billow_solid(sim, 0)->temperature - 95) < 1e-3f);
    billow_destroy(sim);
    scene_play_destroy(play);
}

/* A rotation has no axis halfway between opposite ones. */
static void an_axis_of_length_0_is_refused(void **state)
{
    (void)state;
    const Scene scene =
        scene_of("domain: {cells: 8}\nsolids: [{size: 0.1}]\ntimeline:\n"
                 "  - {key: 'solids[0].rotation', mode: linear, values: [[0, [0, 1, 0, 0]], "
                 "[1, [0, -1, 0, 90]]]}\n");
    BillowDef def = scene_def(&scene);
    BillowError error;
    SceneDriver driver;
    assert_true(scene_driver_create(&driver, &scene, &def, NULL, &error));
    assert_true(scene_driver_step(&driver, 0.25, &error));
    assert_false(scene_driver_step(&driver, 0.25, &error));
    assert_string_equal(error.text,
                        "timeline at 0.5 s: solids[0].rotation: the axis of a rotation is 0");
    scene_driver_destroy(&driver);
}

static const Wrong wrong[] = {
    {"timeline: [{key: solver.vorticity, values: [[0, 2], [3, 8], [1, 4]]}]\n",
     "f.yaml:1:61: 'timeline[0].values[2]' is at 1 s, which is not after the 3 s of the moment "
     "before"},
    {"timeline: [{key: solver.vorticity, values: [[0, 2], [0, 8]]}]\n",
     "f.yaml:1:53: 'timeline[0].values[1]' is at 0 s, which is not after the 0 s of the moment "
     "before"},
    {"timeline: [{key: solver.vorticity, values: [[-1, 2]]}]\n",
     "f.yaml:1:45: 'timeline[0].values[0]' is at -1 s; moments lie between 0 and 1e+09 s"},
    {"timeline:\n  - key: solver.vorticty\n    values: [[0, 1]]\n",
     "f.yaml:2:10: timeline[0].key: key 'vorticty' is not known here; did you mean 'vorticity'?"},
    {"timeline:\n  - key: emitters[2].smoke\n    values: [[0, 1]]\n",
     "f.yaml:2:10: timeline[0].key: there is no emitter 2; this scene has none"},
    {"timeline:\n  - key: solver.vorticity\n    values: [[0, 1], [2, 500]]\n",
     "f.yaml:3:13: timeline[0].values[1]: must be 0 to 100 1/s, not '500'"},
    {"timeline:\n  - key: camera.target\n    values: [[0, 1]]\n",
     "f.yaml:3:13: timeline[0].values[0]: must be a list [x, y, z], not '1'"},
    {"timeline:\n  - key: domain.cells\n    values: [[0, 64]]\n",
     "f.yaml:2:10: timeline[0].key: domain.cells cannot change while a scene is played: "
     "set it once, outside the timeline"},
    {"emitters: [{}]\ntimeline:\n  - key: emitters[0].shape\n    values: [[0, 64]]\n",
     "f.yaml:3:10: timeline[0].key: emitters[0].shape cannot change while a scene is played: "
     "set it once, outside the timeline"},
    {"solids: [{}]\ntimeline:\n  - key: solids[0].bounce\n    values: [[0, 1]]\n",
     "f.yaml:3:10: timeline[0].key: solids[0].bounce cannot change while a scene is played: "
     "set it once, outside the timeline"},
    {"solids: [{motion: falling}]\ntimeline:\n  - {key: 'solids[0].center', values: [[0, [0, 0, "
     "0]]]}\n",
     "f.yaml:3:11: timeline[0].key: solids[0].center cannot change: that solid is falling; "
     "only a driven one can have it"},
    {"solids: [{}]\ntimeline:\n  - {key: 'solids[0].center', values: [[0, [0, 0, 0]]]}\n"
     "  - {key: 'solids[0].velocity', values: [[0, [0, 0, 0]]]}\n",
     "f.yaml:4:11: timeline[1].key: solids[0].velocity has a track already: the solid's "
     "position and its speed cannot both have one"},
    {"timeline:\n  - {key: 'solids[0].center', values: [[0, [0, 0, 0]]]}\n",
     "f.yaml:2:11: timeline[0].key: there is no solid 0; this scene has none"},
    {"timeline:\n  - {key: smoke.detail, values: [[0, 1]]}\n"
     "  - {key: 'solids[0].center', values: [[0, [0, 0, 0]]]}\n",
     "f.yaml:3:11: timeline[0].key: there is no solid 0; this scene has none"},
    {"timeline:\n  - {key: exposure, values: [[0, 1]]}\n  - {key: exposure, values: [[0, 2]]}\n",
     "f.yaml:3:11: timeline[1].key: exposure has a track already"},
    {"timeline: {key: exposure}\n", "f.yaml:1:11: 'timeline' must be a list of tracks, not a group "
                                    "of keys"},
    {"timeline: [{key: exposure}]\n", "f.yaml:1:12: 'timeline[0]' needs a key and its values"},
    {"timeline: [{key: exposure, when: 3}]\n",
     "f.yaml:1:28: key 'when' is not known here; known are: key, mode, values"},
    {"timeline: [{key: exposure, mode: jumpy, values: [[0, 1]]}]\n",
     "f.yaml:1:34: 'timeline[0].mode' must be smooth or linear, not 'jumpy'"},
    {"timeline: [{key: '', values: [[0, 1]]}]\n",
     "f.yaml:1:18: 'timeline[0].key' must be a key of the scene, such as solver.vorticity, not an "
     "empty value"},
    {"timeline: [{key: exposure, values: []}]\n",
     "f.yaml:1:36: 'timeline[0].values' is empty; it needs at least one moment, such as [1.5, 8]"},
    {"timeline: [{key: exposure, values: [1, 2]}]\n",
     "f.yaml:1:37: 'timeline[0].values[0]' must be a moment [seconds, value], such as [1.5, 8] or "
     "[1.5, [0, 1, 0]], not '1'"},
    {"timeline: [{key: exposure, values: [[0, fast]]}]\n",
     "f.yaml:1:37: 'timeline[0].values[0]' must be a moment [seconds, value], such as [1.5, 8] or "
     "[1.5, [0, 1, 0]], not a list"},
    {"timeline: [{key: camera.target, values: [[0, [1, 2, 3]], [1, 4]]}]\n",
     "f.yaml:1:58: 'timeline[0].values[1]' holds 1 number, and the moment before holds 3"},
};

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    for (int w = 0; w < LENGTH(wrong); w++) {
        Scene scene = *scene_default();
        BillowError error;
        assert_false(parse(wrong[w].input, strlen(wrong[w].input), &scene, &error));
        assert_string_equal(error.text, wrong[w].message);
    }
    Scene scene = *scene_default();
    BillowError error;
    assert_false(set(&scene, "timeline=[{key: solver.vorticity, values: [[0, 900]]}]", &error));
    assert_string_equal(error.text,
                        "--set timeline: timeline[0].values[0]: must be 0 to 100 1/s, not "
                        "'900'");
    char many[1000] = "timeline: [{key: exposure, values: [[0, 1]";
    for (int moment = 1; moment <= SCENE_MOMENTS_MAX; moment++)
        snprintf(many + strlen(many), 20, ", [%d, 1]", moment);
    strcat(many, "]}]\n");
    assert_false(parse(many, strlen(many), &scene, &error));
    assert_string_equal(error.text,
                        "f.yaml:1:36: 'timeline[0].values' has 49 moments; at most 48 fit");
    strcpy(many, "timeline: [{}");
    for (int track = 1; track <= SCENE_TRACKS_MAX; track++)
        strcat(many, ", {}");
    strcat(many, "]\n");
    assert_false(parse(many, strlen(many), &scene, &error));
    assert_string_equal(error.text, "f.yaml:1:11: 'timeline' has 25 entries; at most 24 fit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_goes_straight_and_holds_outside),
        cmocka_unit_test(smooth_does_not_overshoot),
        cmocka_unit_test(smooth_weighs_the_spans),
        cmocka_unit_test(lamps_move_and_dim),
        cmocka_unit_test(ramps_change),
        cmocka_unit_test(a_simulation_follows),
        cmocka_unit_test(the_look_follows),
        cmocka_unit_test(turning_takes_whole_turns),
        cmocka_unit_test(turning_takes_the_shorter_arc),
        cmocka_unit_test(a_solid_follows_its_path),
        cmocka_unit_test(its_path_does_not_hang_on_the_steps),
        cmocka_unit_test(speeds_add_up),
        cmocka_unit_test(an_axis_of_length_0_is_refused),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
