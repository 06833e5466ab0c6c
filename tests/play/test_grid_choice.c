/* SPDX-License-Identifier: MIT
 * The number of cells that the window chooses: which grids a scene may have, and the choice on
 * simulated machines. */
#include "app/session.h"

#include "scene_fixture.h"

#include <math.h>

/* -- simulated machines ------------------------------------------------------------------------ */

#define MILLION 1e6

/* ms per step and per upload on a million cells; how the time of a step grows with the cells; the
 * share by which times scatter. */
typedef struct Machine {
    double step, upload, growth, scatter;
    unsigned seed;
} Machine;

typedef struct Seen {
    int changes, lowest, highest; /* rungs */
    double late_ms;               /* time in which steps or uploads took longer than their limit */
} Seen;

static double scattered(Machine *machine, double ms)
{
    machine->seed = machine->seed * 1664525u + 1013904223u;
    return ms * (1 + machine->scatter * ((machine->seed >> 8) / 8388608.0 - 1));
}

static GridTimes times_on(Machine *machine, const GridChoice *choice)
{
    const GridRung *rung = &choice->rungs[choice->rung];
    double work = grid_work(rung) / MILLION;
    return (GridTimes){.step_ms = scattered(machine, machine->step * pow(work, machine->growth)),
                       .upload_ms =
                           scattered(machine, machine->upload * grid_smoke(rung) / MILLION)};
}

static double load(const GridChoice *choice, const Machine *machine, int rung)
{
    double work = grid_work(&choice->rungs[rung]) / MILLION;
    double smoke = grid_smoke(&choice->rungs[rung]) / MILLION;
    return fmax(machine->step * pow(work, machine->growth) / choice->step_limit_ms,
                machine->upload * smoke / choice->upload_limit_ms);
}

static Seen play(GridChoice *choice, Machine *machine, double seconds)
{
    Seen seen = {0, choice->rung, choice->rung, 0};
    for (double ms = 0; ms < seconds * 1e3;) {
        GridTimes times = times_on(machine, choice);
        double interval = fmax(1e3 / 30, times.step_ms + times.upload_ms);
        int before = choice->rung;
        bool changed = grid_choice_observe(choice, &times, interval);
        assert_true(changed == (choice->rung != before));
        assert_true(choice->rung >= 0 && choice->rung < choice->count);
        seen.changes += changed;
        seen.lowest = choice->rung < seen.lowest ? choice->rung : seen.lowest;
        seen.highest = choice->rung > seen.highest ? choice->rung : seen.highest;
        seen.late_ms += load(choice, machine, choice->rung) > 1 ? interval : 0;
        ms += interval;
    }
    return seen;
}

static Scene scene_of(const char *text)
{
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("f", text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

static GridChoice choice_of(const char *text, SceneQuality quality)
{
    const Scene scene = scene_of(text);
    const BillowDef def = scene_def(&scene);
    const GridAim aim = grid_aim_of(quality);
    return grid_choice_start(&scene, &def, false, &aim);
}

static const char cube[] = "domain: {size: 2, cells: 80}\ntime: {step: 0.0333333}\n";

/* Machines on which 40, 56, 80, 112, 160 and 256 cells along the axis are about right. */
static void any_machine_settles_in_three_seconds(void **state)
{
    (void)state;
    const int edges[] = {40, 56, 80, 112, 160, 256};
    for (size_t m = 0; m < sizeof edges / sizeof edges[0]; m++) {
        double cells = pow(edges[m], 3) / MILLION;
        GridChoice choice = choice_of(cube, SCENE_GOOD);
        const double step_ms = 0.6 * choice.step_limit_ms / pow(cells, 1.3);
        Machine machine = {step_ms, 1, 1.3, 0.2, 7 + (unsigned)m};
        assert_int_equal(choice.rungs[choice.rung].n[0], 48);
        play(&choice, &machine, 3);
        int settled = choice.rung;
        assert_true(load(&choice, &machine, settled) <= 1);
        if (load(&choice, &machine, settled) < 0.45)
            fail_msg("%d for %d: a load of %g", choice.rungs[settled].n[0], edges[m],
                     load(&choice, &machine, settled));
        Seen seen = play(&choice, &machine, 3600);
        assert_true(seen.changes <= 2);
        assert_true(seen.lowest == settled); /* it grows at most */
        assert_true(seen.late_ms == 0);
    }
}

static void a_hopeless_machine_gets_the_least(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {4000, 50, 1.2, 0.3, 3};
    play(&choice, &machine, 4);
    assert_int_equal(choice.rung, 0);
    assert_int_equal(choice.rungs[0].n[1], 40);
    assert_int_equal(play(&choice, &machine, 3600).changes, 0);
}

static void a_boundless_machine_gets_the_most(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {0.01, 0.01, 1, 0.3, 4};
    play(&choice, &machine, 60);
    assert_true(choice.rung >= choice.count - 2); /* the last step is hardly worth it */
    assert_int_equal(choice.rungs[choice.count - 1].n[2], 256);
    assert_int_equal(play(&choice, &machine, 600).changes, 0);
}

/* Uploads may take half of a picture, at 60, 30 and 10 a second. */
static void uploads_limit_the_grid(void **state)
{
    (void)state;
    const SceneQuality qualities[] = {SCENE_DRAFT, SCENE_GOOD, SCENE_BEST};
    double before = 0;
    for (int q = 0; q < 3; q++) {
        GridChoice choice = choice_of(cube, qualities[q]);
        Machine machine = {1, 20, 1.1, 0.1, 5};
        play(&choice, &machine, 20);
        double cells = grid_smoke(&choice.rungs[choice.rung]);
        assert_true(20 * cells / MILLION <= choice.upload_limit_ms);
        assert_true(cells > 1.4 * before);
        before = cells;
    }
}

/* Sets another aim as world_set_aim does, and returns the cells that the machine settles on. */
static double aim_again(GridChoice *choice, Machine *machine, double step_ms, SceneQuality quality)
{
    const GridAim aim = grid_aim_of(quality);
    grid_choice_aim(choice, &aim);
    choice->step_limit_ms = step_ms / aim.pace;
    play(choice, machine, 4);
    assert_true(load(choice, machine, choice->rung) <= 1);
    assert_true(fabs(choice->upload_limit_ms * aim.fps - 500) < 1e-6);
    return grid_smoke(&choice->rungs[choice->rung]);
}

/* The choice between fluid and fine moves the grid within seconds, to and fro. */
static void another_aim_moves_the_grid(void **state)
{
    (void)state;
    const double step_ms = 1e3 / 30;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {50, 20, 1.2, 0.1, 8};
    play(&choice, &machine, 30);
    const double plain = grid_smoke(&choice.rungs[choice.rung]);
    for (int time = 0; time < 3; time++) {
        const double fine = aim_again(&choice, &machine, step_ms, SCENE_BEST);
        const double fluid = aim_again(&choice, &machine, step_ms, SCENE_DRAFT);
        if (!(fine > 1.3 * plain && fluid < 0.8 * plain))
            fail_msg("%g cells, fluid %g, fine %g", plain, fluid, fine);
    }
    assert_true(aim_again(&choice, &machine, step_ms, SCENE_GOOD) > 0.7 * plain);
}

/* A fast explosion that calms down: the grid shrinks within seconds, and grows again later. */
static void the_grid_follows_the_load(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine calm = {60, 5, 1.2, 0.2, 6}, wild = {180, 5, 1.2, 0.2, 6};
    play(&choice, &calm, 30);
    int fine = choice.rung;
    Seen seen = play(&choice, &wild, 4);
    assert_true(seen.changes >= 1 && choice.rung < fine);
    assert_true(load(&choice, &wild, choice.rung) <= 1);
    seen = play(&choice, &wild, 600);
    assert_int_equal(seen.changes, 0);
    play(&choice, &calm, 60);
    assert_true(choice.rung >= fine - 1);
}

/* Light volumes of half the resolution make 80 cells along the axis cheaper to upload than 64. */
static void the_light_of_large_grids_is_cheaper(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    for (int frame = 0; frame < 30 * 30; frame++) {
        const double cells = grid_smoke(&choice.rungs[choice.rung]) / MILLION;
        double light = 24 * cells * (cells > 0.3733 ? 0.2 : 1);
        const GridTimes times = {.step_ms = 5, .upload_ms = 2 * cells, .light_ms = light};
        grid_choice_observe(&choice, &times, 1e3 / 30);
    }
    assert_true(choice.rungs[choice.rung].n[0] >= 80);
}

/* The load changes to and fro every five seconds, as with a pulsing emitter. */
static void a_pulse_does_not_make_it_oscillate(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine calm = {70, 5, 1.2, 0.2, 8}, wild = {130, 5, 1.2, 0.2, 8};
    int changes = 0;
    for (int pulse = 0; pulse < 360; pulse++) { /* an hour */
        Seen a = play(&choice, &calm, 5), b = play(&choice, &wild, 5);
        changes += pulse >= 6 ? a.changes + b.changes : 0;
    }
    if (changes > 12)
        fail_msg("%d changes in an hour", changes);
}

static void steps_with_cut_cycles_are_late(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {50, 5, 1.2, 0.1, 9};
    play(&choice, &machine, 20);
    int before = choice.rung;
    for (int frame = 0; frame < 90; frame++) {
        GridTimes times = times_on(&machine, &choice);
        times.cut = true;
        grid_choice_observe(&choice, &times, 1e3 / 30);
    }
    assert_true(choice.rung < before);
}

/* Drawing counts where the resolution cannot sink any more, and then alone shrinks the grid. */
static void drawing_counts_at_the_least_resolution(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {50, 5, 1.2, 0.1, 10};
    play(&choice, &machine, 20);
    int before = choice.rung;
    for (int frame = 0; frame < 90; frame++) {
        GridTimes times = times_on(&machine, &choice);
        times.draw_ms = 40;
        grid_choice_observe(&choice, &times, 40);
    }
    assert_true(choice.rung < before);
}

/* Steps of a second, of which the window sees one in thirty pictures, shrink the grid at once. */
static void slow_steps_count_for_all_their_pictures(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {5, 1, 1.2, 0, 12};
    play(&choice, &machine, 30);
    const int before = choice.rung;
    assert_true(before > 0);
    bool changed = false;
    for (int frame = 0; frame < 100 && !changed; frame++) {
        const GridTimes times = {.step_ms = frame % 30 == 0 ? 1000 : 0,
                                 .upload_ms = frame % 30 == 0 ? 1 : 0};
        changed = grid_choice_observe(&choice, &times, 1e3 / 30);
    }
    assert_true(changed && choice.rung < before);
    assert_true(choice.step_before > 300); /* three steps have come near what they last */
    World world = {.grid = choice};
    world.grid.step_ms = -1;
    assert_false(world_overloaded(&world, &(GridTimes){.step_ms = 3.9 * choice.step_limit_ms}));
    assert_true(world_overloaded(&world, &(GridTimes){.step_ms = 4.1 * choice.step_limit_ms}));
    world.grid.step_ms = 5 * choice.step_limit_ms; /* between two steps */
    assert_true(world_overloaded(&world, &(GridTimes){.step_ms = 0}));
}

static void a_refused_grid_is_not_tried_again(void **state)
{
    (void)state;
    GridChoice choice = choice_of(cube, SCENE_GOOD);
    Machine machine = {1, 1, 1, 0, 11};
    GridTimes times = times_on(&machine, &choice);
    int before = choice.rung;
    while (!grid_choice_observe(&choice, &times, 33))
        ;
    int refused = choice.rung;
    grid_choice_return(&choice, false);
    assert_int_equal(choice.rung, before);
    while (!grid_choice_observe(&choice, &times, 33))
        ;
    assert_int_equal(choice.rung, refused);
    grid_choice_return(&choice, true);
    Seen seen = play(&choice, &machine, 100);
    assert_true(seen.highest == refused - 1);
}

/* -- the grids of a scene ---------------------------------------------------------------------- */

static void assert_rungs(const GridChoice *choice, const Scene *scene)
{
    const BillowDef own = scene_def(scene);
    assert_true(choice->count >= 4);
    for (int r = 0; r < choice->count; r++) {
        const GridRung *rung = &choice->rungs[r];
        BillowDef def = own;
        GridChoice at = *choice;
        at.rung = r;
        grid_choice_apply(&at, &def);
        assert_true(billow_check_faces(&def, NULL));
        for (int axis = 0; axis < 3; axis++) {
            const int n[3] = {own.nx, own.ny, own.nz};
            double length = rung->n[axis] * (double)rung->cell_size;
            double own_length = n[axis] * (double)own.cell_size;
            assert_true(rung->n[axis] >= BILLOW_GRID_MIN);
            assert_true(fabs(length - own_length) <=
                        1.0001 * fmax((double)rung->cell_size, (double)own.cell_size));
        }
        if (r > 0)
            assert_true(grid_work(rung) > grid_work(&rung[-1]) && rung->refine >= rung[-1].refine);
    }
    const int *n = choice->rungs[choice->rung].n, first = n[0] * n[1] * n[2];
    assert_true(first <= 48 * 48 * 48);
    assert_true(choice->rung == choice->count - 1 || choice->rung == 0 || first > 30e3);
}

/* The smoke is as fine as the scene asks, before the wind has more cells; only on the smallest grid
 * it may be coarser, and not if the user has chosen how fine it is. */
static void smoke_is_fine_first(void **state)
{
    (void)state;
    static const char text[] = "domain: {size: 2, cells: 64, refine: 3}\n";
    const Scene scene = scene_of(text);
    const BillowDef own = scene_def(&scene);
    const GridAim aim = grid_aim_of(SCENE_GOOD);
    GridChoice choice = choice_of(text, SCENE_GOOD);
    assert_rungs(&choice, &scene);
    for (int r = 0; r < choice.count; r++) {
        BillowDef def = own;
        grid_rung_apply(&choice.rungs[r], &def);
        assert_int_equal(def.refine, r < 1 ? 2 : 3);
        assert_int_equal(def.nx == 32, r < 2);
        assert_true(def.nx * def.refine <= 384);
    }
    assert_int_equal(choice.rungs[choice.rung].n[0], 48);
    Machine slow = {4000, 50, 1.2, 0.3, 3}, able = {30, 1, 1.2, 0.1, 3};
    play(&choice, &slow, 10);
    assert_int_equal(choice.rung, 0);
    choice = choice_of(text, SCENE_GOOD);
    play(&choice, &able, 10);
    assert_int_equal(choice.rungs[choice.rung].refine, 3);
    choice = grid_choice_start(&scene, &own, true, &aim);
    play(&choice, &slow, 10);
    assert_int_equal(choice.rungs[choice.rung].refine, 3);
    assert_int_equal(choice.rungs[choice.rung].n[0], 32);
}

static void grids_keep_the_box(void **state)
{
    (void)state;
    static const char *const texts[] = {
        cube,
        "domain: {size: [1, 1.5, 0.7], cells: 96}\n",
        "domain: {size: [4, 1.4, 1], cells: [160, 56, 40]}\n",
        "domain: {size: [2, 1, 2], cells: 64, faces: {left: periodic, right: periodic, "
        "back: periodic, front: periodic}}\n",
        "domain: {size: [0.7, 1, 0.7], cells: 50}\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        const Scene scene = scene_of(texts[t]);
        const GridChoice choice = choice_of(texts[t], SCENE_GOOD);
        assert_rungs(&choice, &scene);
    }
}

/* A wall of 0.05 m is 2.5 cells thick on the scene's grid of 100 cells in 2 m, and less than one on
 * 39. */
static void walls_stay_thicker_than_a_cell(void **state)
{
    (void)state;
    static const char text[] = "domain: {size: 2, cells: 100}\n"
                               "solids:\n"
                               "  - {shape: box, center: [1, 1, 1], size: [0.5, 0.02, 0.5]}\n";
    const GridChoice choice = choice_of(text, SCENE_GOOD);
    assert_true(choice.count > 3);
    assert_true(choice.rungs[0].cell_size <= 0.04f);
}

/* A box whose numbers of cells have no common divisor has no other grid of the same proportions
 * that is small. */
static void a_box_without_other_grids_keeps_its_own(void **state)
{
    (void)state;
    const GridChoice choice =
        choice_of("domain: {size: [1, 1, 1], cells: [97, 89, 83]}\n", SCENE_GOOD);
    assert_int_equal(choice.rung, 0);
    assert_int_equal(choice.rungs[0].n[0], 97);
    assert_int_equal(choice.rungs[0].n[1], 89);
}

static void every_built_in_scene_has_grids(void **state)
{
    (void)state;
    const GridAim aim = grid_aim_of(SCENE_GOOD);
    for (int s = 0; scene_builtin_name(s) != NULL; s++) {
        Scene scene;
        BillowError error = {{0}};
        assert_true(scene_load(scene_builtin_name(s), &scene, &error));
        BillowDef def = scene_def(&scene);
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        assert_non_null(play);
        const GridChoice choice = grid_choice_start(&scene, &def, false, &aim);
        const int *n = choice.rungs[choice.rung].n;
        if (choice.count < 4 || n[0] * n[1] * n[2] > 48 * 48 * 48)
            fail_msg("%s: %d grids, the first %d x %d x %d", scene.name, choice.count,
                     choice.rungs[0].n[0], choice.rungs[0].n[1], choice.rungs[0].n[2]);
        scene_play_destroy(play);
    }
}

/* -- hands off --------------------------------------------------------------------------------- */

static void the_grid_waits_for_still_hands(void **state)
{
    (void)state;
    const GridHands still = {.idle = 1.5};
    assert_true(grid_may_change(&still));
    GridHands hands[] = {still, still, still, still, still, still, still};
    hands[0].dragging = true;
    hands[1].rewinding = true;
    hands[2].recording = true;
    hands[3].paused = true;
    hands[4].hidden = true;
    hands[5].exact = true;
    hands[6].idle = 0.5;
    for (int h = 0; h < 7; h++) {
        assert_false(grid_may_change(&hands[h]));
        hands[h].overloaded = true; /* only hands that are busy count less then */
        assert_true(grid_may_change(&hands[h]) == (h == 0 || h == 6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_machine_settles_in_three_seconds),
        cmocka_unit_test(a_hopeless_machine_gets_the_least),
        cmocka_unit_test(a_boundless_machine_gets_the_most),
        cmocka_unit_test(uploads_limit_the_grid),
        cmocka_unit_test(another_aim_moves_the_grid),
        cmocka_unit_test(the_grid_follows_the_load),
        cmocka_unit_test(the_light_of_large_grids_is_cheaper),
        cmocka_unit_test(a_pulse_does_not_make_it_oscillate),
        cmocka_unit_test(steps_with_cut_cycles_are_late),
        cmocka_unit_test(drawing_counts_at_the_least_resolution),
        cmocka_unit_test(slow_steps_count_for_all_their_pictures),
        cmocka_unit_test(a_refused_grid_is_not_tried_again),
        cmocka_unit_test(smoke_is_fine_first),
        cmocka_unit_test(grids_keep_the_box),
        cmocka_unit_test(walls_stay_thicker_than_a_cell),
        cmocka_unit_test(a_box_without_other_grids_keeps_its_own),
        cmocka_unit_test(every_built_in_scene_has_grids),
        cmocka_unit_test(the_grid_waits_for_still_hands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
