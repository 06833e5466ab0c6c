/* SPDX-License-Identifier: MIT
 * New values for a scene that plays. Live values change the running simulation, to the bits of one
 * created with them; other values rebuild it. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "sanitized.h"
#include "scene/scene_value.h"
#include "scene_alter.h"
#include "world_fixture.h"

#define STEPS 3

/* Sanitizers watch the change of every third value. */
enum { EVERY = SANITIZED ? 3 : 1 };

/* Everything in it that a step can feel, so that every value has an effect. */
static const char full_text[] =
    "domain: {size: 1, cells: 12}\n"
    "time: {step: 0.06}\n"
    "fluid: {fire: true, color: true, viscosity: 0.001, smoke_diffusion: 0.001,\n"
    "        heat_diffusion: 0.001, dissipation: 0.1, cooling: 0.1, radiation: 1, ignition: 20,\n"
    "        burn_expansion: 1}\n"
    "solver: {pressure: relaxation, sweeps: 8, diffusion_sweeps: 2, substeps_max: 3, cfl: 0.5,\n"
    "         disturbance: 2, disturbance_size: 0.3, shredding: 0.1}\n"
    "emitters:\n"
    "  - {center: [0.5, 0.2, 0.5], size: [0.2, 0.15, 0.1], fuel: 8, heat: 4000, color: [1, 0.5, "
    "0.2],\n"
    "     noise: 0.5, grip: 10, velocity: [0.3, 1, 0.2], burst: 0.5, expansion: 0.5, end: 0.12,\n"
    "     every: 0.15}\n"
    "  - {center: [0.3, 0.5, 0.3], size: [0.2, 0.15, 0.1], shape: box, rotation: [0, 0, 1, 30],\n"
    "     fuel: 8, heat: 4000, color: [1, 0.5, 0.2], noise: 0.5, grip: 10, start: 0.06, end: "
    "0.12,\n"
    "     velocity: [0.3, 1, 0.2], burst: 0.5, expansion: 0.5, every: 0.08}\n"
    "solids:\n"
    "  - {shape: box, center: [0.7, 0.5, 0.6], size: [0.1, 0.08, 0.09], velocity: [0.5, 0.2, "
    "0.1],\n"
    "     spin: [1, 2, 3], isothermal: true, temperature: 300, sticky: true}\n"
    "  - {shape: box, center: [0.3, 0.15, 0.7], size: [0.1, 0.08, 0.09], motion: falling,\n"
    "     velocity: [0.5, -4, 0.1], spin: [1, 2, 3], isothermal: true, temperature: 300, sticky: "
    "true}\n"
    "forces:\n"
    "  - {kind: vortex, strength: 5, radius: 0.3, velocity: [0.2, 1, 0.1], end: 0.12}\n"
    "  - {kind: turbulence, strength: 5, radius: 0.3, scale: 0.2, start: 0.06, end: 0.12}\n";

/* Values that have no effect in this scene, since others rule them out. */
static const char *const idle[] = {
    "solver.tolerance",     "solver.cycles",       "solver.cfl",
    "solver.eddies",        "emitters[0].tracers", "emitters[1].tracers",
    "emitters[0].rotation", "solids[0].gravity",   "solids[0].bounce",
    "solids[0].density",    "forces[0].scale",     "forces[0].speed",
    "forces[0].seed",       "forces[1].velocity",  "tracers.sparks",
    "tracers.speed",        "tracers.life",        NULL,
};

/* The same with multigrid, and with the substeps that cfl requires. */
static const char *const idle_fine[] = {
    "solver.sweeps",  "solver.overrelaxation", "solver.substeps_max", "solver.eddies",
    "tracers.sparks", "tracers.speed",         "tracers.life",        NULL,
};

static void apply(World *world, const Scene *scene)
{
    BillowError error = {{0}};
    if (!world->changing) /* as every frame does */
        assert_int_equal(world_poll(world, &error), WORLD_NOTHING);
    if (!world_apply(world, scene, NULL, &error))
        fail_msg("%s", error.text);
}

static void reset(World *world)
{
    uint64_t resets = first_snapshot(world)->resets;
    double end = clock_seconds() + PATIENCE;
    sim_thread_send(world->sim, &(SimCommand){.kind = SIM_RESET});
    while (world_snapshot(world)->resets == resets) {
        assert_true(clock_seconds() < end);
        nap(0.001);
    }
}

/* A world that stands still at the beginning of a scene. */
static void open_world(World *world, const Scene *scene)
{
    BillowError error = {{0}};
    const SceneRequest request = {.name_or_path = "plume", .grid = "12"};
    if (!world_open(world, &request, NULL, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    apply(world, scene);
    await(world, WORLD_CHANGED);
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    reset(world);
}

/* Two numbers of what a state is: enough to tell any two apart. */
typedef struct State {
    double time, energy, mass, heat, outflow, kelvin;
    uint64_t fields;
} State;

static uint64_t hash_field(uint64_t hash, const BillowView *view, const float *field)
{
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                uint32_t bits;
                memcpy(&bits, &field[i + j * view->stride_y + k * view->stride_z], sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
    return hash;
}

static State state_of(const BillowView *view, const BillowStats *stats)
{
    uint64_t hash = hash_field(14695981039346656037u, view, view->density);
    hash = hash_field(hash, view, view->temperature);
    for (int c = 0; c < 3 && view->color[c] != NULL; c++)
        hash = hash_field(hash, view, view->color[c]);
    return (State){stats->time,    stats->kinetic_energy,  stats->mass, stats->heat,
                   stats->outflow, stats->temperature_max, hash};
}

static State played(World *world)
{
    const uint64_t before = world_snapshot(world)->steps;
    const SimSnapshot *snapshot;
    double end = clock_seconds() + PATIENCE;
    for (int i = 0; i < STEPS; i++)
        sim_thread_send(world->sim, &(SimCommand){.kind = SIM_STEP});
    while ((snapshot = world_snapshot(world))->steps < before + STEPS) {
        assert_true(clock_seconds() < end);
        nap(0.001);
    }
    return state_of(&snapshot->view, &snapshot->stats);
}

static State created(const Scene *scene)
{
    BillowError error = {{0}};
    BillowDef def = scene_def(scene);
    def.threads = 1;
    ScenePlay *play = scene_play_create(scene, &def, &error);
    BillowSim *sim = play != NULL ? billow_create(&def, &error) : NULL;
    if (sim == NULL)
        fail_msg("%s", error.text);
    for (int i = 0; i < STEPS; i++) {
        assert_true(scene_play_prepare(play, sim, (double)scene->step, &error));
        billow_step(sim, (double)scene->step);
    }
    const BillowView view = billow_view(sim);
    const BillowStats stats = billow_stats(sim);
    State state = state_of(&view, &stats);
    billow_destroy(sim);
    scene_play_destroy(play);
    return state;
}

static bool same(const State *a, const State *b)
{
    return a->time == b->time && a->energy == b->energy && a->mass == b->mass &&
           a->heat == b->heat && a->outflow == b->outflow && a->kelvin == b->kelvin &&
           a->fields == b->fields;
}

static bool is_among(const char *const *paths, const char *path)
{
    while (*paths != NULL && strcmp(*paths, path) != 0)
        paths++;
    return *paths != NULL;
}

/* The running simulation is given the change at its beginning, plays, and is given back what was.
 */
static void check_live(World *world, const Scene *plain, const State *usual, const Scene *changed,
                       const char *path, const char *const *without)
{
    const SimThread *sim = world->sim;
    const State expected = created(changed);
    if (same(&expected, usual) != is_among(without, path))
        fail_msg("%s: has %s effect, unlike what is said here", path,
                 is_among(without, path) ? "an" : "no");
    apply(world, changed);
    if (world->changing)
        fail_msg("%s: another simulation", path);
    const State got = played(world);
    if (!same(&got, &expected))
        fail_msg(
            "%s: not as one created so: %.17g J, %.17g m3, %.17g K m3 instead of %.17g, %.17g, "
            "%.17g",
            path, got.energy, got.mass, got.heat, expected.energy, expected.mass, expected.heat);
    reset(world); /* which keeps the change */
    const State again = played(world);
    if (!same(&again, &expected))
        fail_msg("%s: forgotten by the reset", path);
    apply(world, plain);
    reset(world);
    assert_ptr_equal(world->sim, sim);
}

static void check_params(const Scene *plain, const char *const *without)
{
    const State usual = created(plain);
    World world;
    open_world(&world, plain);
    int count = 0;
    for (int row = 0; row < scene_keys()->count; row += EVERY) {
        const SceneKey *key = &scene_keys()->rows[row];
        SceneEffect effect = key->effect;
        if (effect != SCENE_EFFECT_PARAMS && effect != SCENE_EFFECT_STEP)
            continue;
        Scene changed = *plain;
        scene_alter(key, &changed);
        check_live(&world, plain, &usual, &changed, key->path, without);
        count++;
    }
    assert_true(count >= 25 / EVERY);
    world_close(&world);
}

static void test_every_live_value_of_the_scene(void **state)
{
    (void)state;
    Scene scene = parsed(full_text);
    check_params(&scene, idle);
    if (SANITIZED) /* all values have been changed once */
        return;
    scene.def.params.pressure = BILLOW_MULTIGRID;
    scene.def.params.cycles = 2;
    scene.def.params.tolerance = 1e-3f;
    scene.def.params.cfl = 0.6f;
    scene.def.params.substeps_max = 100;
    check_params(&scene, idle_fine);
}

/* Entries here have no files; a name has no effect on the smoke. */
static void check_entries(World *world, const Scene *plain, const State *usual, SceneKeyType type)
{
    static const char *const names[] = {"name", NULL};
    const SceneList *list = scene_list_of(type);
    for (int entry = 0; entry < (SANITIZED ? 1 : 2); entry++)
        for (int row = 0; row < list->keys()->count; row += EVERY) {
            const SceneKey *key = &list->keys()->rows[row];
            Scene changed = *plain;
            const SceneEntry whole = scene_list_whole(list, &changed, entry);
            char path[64];
            if (key->home == SCENE_HOME_FORM)
                continue;
            scene_alter(key, scene_entry_home(&whole, key));
            snprintf(path, sizeof path, "%s[%d].%s", list->name, entry, key->path);
            if (key->home == SCENE_HOME_NAME)
                check_live(world, plain, usual, &changed, key->path, names);
            else
                check_live(world, plain, usual, &changed, path, idle);
        }
}

static void test_every_value_of_entries(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    const State usual = created(&plain);
    World world;
    open_world(&world, &plain);
    check_entries(&world, &plain, &usual, SCENE_KEY_EMITTERS);
    check_entries(&world, &plain, &usual, SCENE_KEY_SOLIDS);
    check_entries(&world, &plain, &usual, SCENE_KEY_FORCES);
    world_close(&world);
}

/* -- what is not live -------------------------------------------------------------------------- */

static void test_tolerance_is_live(void **state)
{
    (void)state;
    Scene scene = parsed(full_text);
    scene.def.params.pressure = BILLOW_MULTIGRID;
    scene.def.params.tolerance = 0.5f;
    const State usual = created(&scene);
    Scene changed = scene;
    changed.def.params.tolerance = 1e-5f;
    World world;
    open_world(&world, &scene);
    check_live(&world, &scene, &usual, &changed, "solver.tolerance", idle_fine);
    world_close(&world);
}

/* Eddies fold smoke that is finer than the wind. */
static void test_eddies_are_live(void **state)
{
    (void)state;
    Scene scene = parsed(full_text);
    scene.def.refine = 2;
    scene.def.params.advection = BILLOW_CONSERVATIVE;
    const State usual = created(&scene);
    Scene changed = scene;
    changed.def.params.eddies = 1;
    World world;
    open_world(&world, &scene);
    check_live(&world, &scene, &usual, &changed, "solver.eddies", (const char *const[]){NULL});
    world_close(&world);
}

static void test_picture_and_hand_leave_the_simulation_alone(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    World world;
    open_world(&world, &plain);
    const SimThread *sim = world.sim;
    Scene changed = plain;
    changed.render.sun.intensity = 3;
    changed.brush.smoke = 1;
    snprintf(changed.title, sizeof changed.title, "another");
    world.render.camera.azimuth = 77; /* a person's */
    apply(&world, &changed);
    assert_ptr_equal(world.sim, sim);
    assert_false(world.changing);
    assert_int_equal(world.settings, 0);
    assert_true(world.render.sun.intensity == 3.0f && world.brush.kind.smoke == 1.0f);
    assert_true(world.render.camera.azimuth == 77.0f);
    assert_string_equal(world.scene.title, "another");
    changed.render.camera.distance = 5; /* the scene's own camera changed: it is followed */
    apply(&world, &changed);
    assert_memory_equal(&world.render.camera, &changed.render.camera, sizeof changed.render.camera);
    world_close(&world);
}

static void test_another_grid_begins_anew_and_says_so(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    World world;
    open_world(&world, &plain);
    played(&world);
    Scene changed = plain;
    SceneDifference difference;
    BillowError error = {{0}};
    changed.domain.cells[0] = 14;
    changed.def.params.weight = 3;
    world.render.camera.azimuth = 77;
    assert_true(world_apply(&world, &changed, &difference, &error));
    assert_int_equal(difference.effects, SCENE_EFFECT_REBUILD | SCENE_EFFECT_PARAMS);
    assert_true(world.changing);
    assert_non_null(strstr(world.why, "domain.cells changed: the simulation starts again"));
    await(&world, WORLD_CHANGED);
    const SimSnapshot *snapshot = first_snapshot(&world);
    assert_int_equal(snapshot->view.nx, 14);
    assert_true(snapshot->stats.time == 0);
    assert_true(sim_thread_paused(world.sim)); /* as it was */
    assert_true(world.render.camera.azimuth == 77.0f);
    const State got = played(&world), expected = created(&changed);
    assert_true(same(&got, &expected));
    world_close(&world);
}

/* Values that the start of the scene does not allow are refused at once, and nothing changes. */
static void test_what_cannot_be_played_is_refused(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    World world;
    open_world(&world, &plain);
    const SimThread *sim = world.sim;
    Scene changed = plain;
    BillowError error = {{0}};
    BillowSolid *tomb = &changed.def.solids[0];
    memset(tomb->velocity, 0, sizeof tomb->velocity);
    memset(tomb->spin, 0, sizeof tomb->spin);
    memcpy(changed.def.emitters[0].center, tomb->center, sizeof tomb->center);
    changed.def.emitters[0].size[0] = changed.def.emitters[0].size[1] =
        changed.def.emitters[0].size[2] = 0.02f;
    assert_false(world_apply(&world, &changed, NULL, &error));
    assert_non_null(strstr(error.text, "emitters[0] lies wholly inside solids[0]"));
    changed.domain.cells[0] = 20;
    assert_false(world_apply(&world, &changed, NULL, &error));
    assert_false(world.changing);
    assert_ptr_equal(world.sim, sim);
    changed = plain; /* more than any memory holds */
    changed.domain.cells[0] = changed.domain.cells[1] = changed.domain.cells[2] = 2048;
    assert_false(world_apply(&world, &changed, NULL, &error));
    assert_non_null(strstr(error.text, "GB are available; try fewer domain.cells"));
    assert_int_equal(scene_difference(&world.scene, &plain).effects, 0);
    world_close(&world);
}

/* The start of the scene allows the value, but not the present state: the ball has been moved to
 * where the emitter is put. */
static void test_what_the_moment_refuses_begins_anew(void **state)
{
    (void)state;
    const Scene plain =
        parsed("domain: {size: 1, cells: 12}\n"
               "time: {step: 0.1}\n"
               "emitters: [{center: [0.75, 0.3, 0.5], size: 0.02}]\n"
               "solids: [{center: [0.3, 0.8, 0.5], size: 0.15}]\n"
               "timeline: [{key: 'solids[0].center', mode: linear,\n"
               "            values: [[0, [0.3, 0.8, 0.5]], [0.3, [0.3, 0.2, 0.5]]]}]\n");
    World world;
    open_world(&world, &plain);
    for (int i = 0; i < 5; i++)
        played(&world);
    Scene changed = plain;
    memcpy(changed.def.emitters[0].center, (const float[3]){0.3f, 0.2f, 0.5f}, sizeof(float[3]));
    apply(&world, &changed);
    assert_false(world.changing);
    await(&world, WORLD_CHANGED);
    assert_non_null(
        strstr(world.why, "the simulation starts again: emitters[0] lies wholly inside solids[0]"));
    assert_true(first_snapshot(&world)->solids[0].center[1] > 0.6f);
    world_close(&world);
}

/* Many in a row, most of which no step sees: the newest holds, and no play is left or lost. */
static void test_a_flood_of_settings(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    World world;
    open_world(&world, &plain);
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = false});
    Scene changed = plain;
    for (int i = 0; i < 300; i++) {
        changed.def.params.weight = 0.01f * (float)i;
        changed.def.emitters[0].smoke = (float)i;
        changed.def.solids[0].center[0] = 0.7f + 1e-4f * (float)(i % 7);
        apply(&world, &changed);
        assert_true(world.play_count <= WORLD_PLAYS_MAX);
        await(&world, WORLD_NOTHING);
    }
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    reset(&world);
    const State got = played(&world), expected = created(&changed);
    assert_true(same(&got, &expected));
    assert_int_equal(world_poll(&world, NULL), WORLD_NOTHING);
    assert_int_equal(world.play_count, 1);
    world_close(&world);
}

static void test_a_show_is_over_at_its_time(void **state)
{
    (void)state;
    World world = {.scene = *scene_default()};
    SimSnapshot snapshot = {.view = {.time = 1e6}};
    assert_false(world_show_is_over(&world, &snapshot)); /* a scene that says nothing has no end */
    world.scene.show = 12;
    assert_true(world_show_is_over(&world, &snapshot));
    snapshot.view.time = 11.9;
    assert_false(world_show_is_over(&world, &snapshot));
    assert_false(world_show_is_over(&world, NULL));
}

static void test_timelines_change_live(void **state)
{
    (void)state;
    const Scene plain = parsed(full_text);
    Scene changed = plain;
    const char *text = "domain: {size: 1, cells: 12}\n"
                       "timeline:\n"
                       "  - {key: fluid.weight, values: [[0, 0], [0.1, 50]]}\n"
                       "  - {key: 'emitters[0].smoke', values: [[0, 0], [0.1, 50]]}\n"
                       "emitters: [{smoke: 1}]\n";
    const Scene timed = parsed(text);
    memcpy(changed.tracks, timed.tracks, sizeof changed.tracks);
    changed.track_count = timed.track_count;
    World world;
    open_world(&world, &plain);
    const State usual = created(&plain);
    check_live(&world, &plain, &usual, &changed, "timeline", idle);
    world_close(&world);
}

/* Creases are as deep as the poster's erosion or folds, and snapshots have the wind that they
 * follow.
 */
static void test_creases_follow_the_poster(void **state)
{
    (void)state;
    BillowError error = {{0}};
    World world = {0};
    open_world(&world, scene_default());
    assert_true(world.creases == 0);
    sim_thread_send(world.sim, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = world_snapshot(&world);
    assert_true(snapshot->view.u == NULL);
    Scene scene = world.scene;
    assert_true(scene_set(&scene, "poster.set='upres.factor=2 upres.turbulence=1.5'", &error));
    apply(&world, &scene);
    assert_true(fabsf(world.creases - 0.25f) < 1e-6f);
    assert_true(scene_set(&scene, "poster.set='upres.factor=2 upres.erosion=0.6'", &error));
    apply(&world, &scene);
    assert_true(fabsf(world.creases - 0.6f) < 1e-6f);
    double end = clock_seconds() + PATIENCE;
    do {
        assert_true(clock_seconds() < end);
        world_snapshot(&world);
        sim_thread_send(world.sim, &(SimCommand){.kind = SIM_STEP});
        nap(0.001);
    } while ((snapshot = world_snapshot(&world))->view.u == NULL);
    assert_true(snapshot->view.v != NULL && snapshot->view.w != NULL);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_live_value_of_the_scene),
        cmocka_unit_test(test_every_value_of_entries),
        cmocka_unit_test(test_tolerance_is_live),
        cmocka_unit_test(test_eddies_are_live),
        cmocka_unit_test(test_a_show_is_over_at_its_time),
        cmocka_unit_test(test_timelines_change_live),
        cmocka_unit_test(test_picture_and_hand_leave_the_simulation_alone),
        cmocka_unit_test(test_another_grid_begins_anew_and_says_so),
        cmocka_unit_test(test_what_cannot_be_played_is_refused),
        cmocka_unit_test(test_what_the_moment_refuses_begins_anew),
        cmocka_unit_test(test_a_flood_of_settings),
        cmocka_unit_test(test_creases_follow_the_poster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
