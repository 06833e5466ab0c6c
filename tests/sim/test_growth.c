/* SPDX-License-Identifier: MIT
 * Boxes that grow with their smoke: what stays in place, where growth ends, and states of boxes
 * that have grown. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "sim/growth.h"

/* The box makes room for denser smoke. */
#define FAINT 1e-4f

static const double step = 1.0 / 30;

/* Smoke that blows out of a small box, with everything that can be simulated. */
static BillowDef windy_def(int threads)
{
    BillowDef def = busy_def(threads);
    def.nx = 42;
    def.ny = 38;
    def.nz = 40;
    def.fire = def.color = def.age = true;
    def.texture_period = 0.2f;
    def.params.diffusion_sweeps = 3;
    def.params.substeps_max = 2;
    def.emitters[0].burst = 1;
    def.tracers = 100;
    def.origin[0] = 0.1f;
    def.emitters[0].center[0] = 0.1f + 0.66f;
    def.emitters[0].center[1] = 0.5f;
    def.emitters[0].center[2] = 0.62f;
    def.emitters[0].velocity[0] = -1;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].size[0] = 0.1f;
    def.solids[0].center[0] = 1;
    def.solids[0].center[1] = 0.4f;
    def.solids[0].center[2] = 0.4f;
    def.solids[0].spin[1] = 1;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        def.faces[side] = BILLOW_OPEN;
        def.unbounded[side] = true;
    }
    def.faces[BILLOW_FLOOR] = BILLOW_CLOSED;
    def.unbounded[BILLOW_FLOOR] = false;
    return def;
}

static bool has_grown(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    return view.nx != sim->home.n[0] || view.ny != sim->home.n[1] || view.nz != sim->home.n[2];
}

/* Steps until the box grows. */
static BillowSim *grown(const BillowDef *def)
{
    BillowSim *sim = make(def);
    for (int s = 0; s < 60 && !has_grown(sim); s++)
        assert_true(billow_step(sim, step));
    assert_true(has_grown(sim));
    return sim;
}

/* -- what stays -------------------------------------------------------------------------------- */

static void assert_shifted(const BillowSim *now, const float *new, const BillowSim *then,
                           const float *old, int axis, const char *name)
{
    int low[3];
    for (int a = 0; a < 3; a++)
        low[a] = (int)lround(((double)then->def.origin[a] - (double)now->def.origin[a]) /
                             (double)now->def.cell_size);
    const int *n = then->grid.cells;
    for (int k = 0; k < n[2] + (axis == 2); k++)
        for (int j = 0; j < n[1] + (axis == 1); j++)
            for (int i = 0; i < n[0] + (axis == 0); i++) {
                float before = at(then, old, i, j, k);
                float after = at(now, new, i + low[0], j + low[1], k + low[2]);
                if (memcmp(&before, &after, sizeof before) != 0)
                    fail_msg("%s at (%d, %d, %d): %g became %g", name, i, j, k, (double)before,
                             (double)after);
            }
}

static float pressure_at(const BillowView *view, int i, int j, int k)
{
    return view->pressure[(i + j + k) & 1]
                         [i / 2 + j * view->pressure_stride_y + k * view->pressure_stride_z];
}

/* The same run with and without growth in the last step. */
static void check_cells_stay(BillowDef def)
{
    BillowSim *now = grown(&def), *then = make(&def);
    int steps = (int)billow_stats(now).steps;
    for (int s = 0; s < steps; s++) {
        then->out_of_memory = s == steps - 1;
        billow_step(then, step);
    }
    assert_false(has_grown(then));
    Scalar new[SCALARS_MAX], old[SCALARS_MAX];
    int count = scalars_list(now, new);
    scalars_list(then, old);
    for (int axis = 0; axis < 3; axis++)
        assert_shifted(now, now->velocity[axis], then, then->velocity[axis], axis, "velocity");
    for (int s = 0; s < count; s++)
        assert_shifted(now, *new[s].field, then, *old[s].field, -1, old[s].name);
    assert_shifted(now, now->flame, then, then->flame, -1, "flame");
    BillowView after = billow_view(now), before = billow_view(then);
    int low[3], moved[BILLOW_SIDES];
    growth_moved(now, moved);
    for (int axis = 0; axis < 3; axis++)
        low[axis] = moved[2 * axis];
    for (int k = 0; k < before.nz; k++)
        for (int j = 0; j < before.ny; j++)
            for (int i = 0; i < before.nx; i++)
                assert_true(pressure_at(&before, i, j, k) ==
                            pressure_at(&after, i + low[0], j + low[1], k + low[2]));
    for (int axis = 0; axis < 3; axis++)
        assert_memory_equal(now->tracers.place[axis], then->tracers.place[axis],
                            100 * sizeof(float));
    assert_true(billow_stats(now).mass == billow_stats(then).mass);
    assert_true(billow_step(now, step));
    billow_destroy(now);
    billow_destroy(then);
}

static void every_cell_stays(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    check_cells_stay(def);
    for (int side = BILLOW_LEFT; side <= BILLOW_RIGHT; side++) {
        def.faces[side] = BILLOW_PERIODIC;
        def.unbounded[side] = false;
    }
    check_cells_stay(def);
}

/* Emitters and solids keep their place in the world, to rounding. */
static void bodies_stay(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    BillowSim *first = make(&def), *now = grown(&def);
    int moved[BILLOW_SIDES];
    growth_moved(now, moved);
    assert_true(moved[BILLOW_LEFT] + moved[BILLOW_BACK] > 0);
    for (int e = 0; e < def.emitter_count; e++)
        for (int axis = 0; axis < 3; axis++)
            assert_below(fabs((double)now->emitters[e].center[axis] - moved[2 * axis] -
                              (double)first->emitters[e].center[axis]),
                         2e-5);
    for (int k = 0; k < first->grid.nz; k++)
        for (int j = 0; j < first->grid.ny; j++)
            for (int i = 0; i < first->grid.nx; i++)
                assert_below(fabs((double)at(now, now->solids->distance, i + moved[0], j + moved[2],
                                             k + moved[4]) -
                                  (double)at(first, first->solids->distance, i, j, k)),
                             1e-4);
    assert_true(now->solids->version > first->solids->version);
    BillowView view = billow_view(now);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(view.home[0][axis] == def.origin[axis]);
        assert_true(view.origin[axis] <= def.origin[axis]);
    }
    billow_destroy(first);
    billow_destroy(now);
}

/* At the old sides the velocity continues: nothing starts or stops there. */
static void velocity_continues(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    BillowSim *sim = grown(&def);
    int moved[BILLOW_SIDES];
    growth_moved(sim, moved);
    int j = sim->home.n[1] / 2, k = moved[BILLOW_BACK] + sim->home.n[2] / 2, i = moved[BILLOW_LEFT];
    int last = i + sim->home.n[0];
    assert_true(i > 0 && at(sim, sim->velocity[0], i, j, k) != 0.0f);
    for (int n = 0; n < i; n++)
        assert_true(at(sim, sim->velocity[0], n, j, k) == at(sim, sim->velocity[0], i, j, k));
    for (int n = last + 1; n <= sim->grid.nx; n++)
        assert_true(at(sim, sim->velocity[0], n, j, k) == at(sim, sim->velocity[0], last, j, k));
    for (int n = k; n >= 0; n--)
        assert_true(at(sim, sim->density, 0, j, n) <= FAINT);
    billow_destroy(sim);
}

/* A plume that starts in a small box rises as in a box that was large from the start. */
static void small_box_is_enough(void **state)
{
    (void)state;
    double heights[2], masses[2];
    for (int large = 0; large < 2; large++) {
        BillowDef def = quiet_def(large ? 48 : 32, large ? 72 : 32, large ? 48 : 32, BILLOW_OPEN);
        def.faces[BILLOW_FLOOR] = BILLOW_CLOSED;
        def.params.buoyancy = billow_default_params().buoyancy;
        for (int side = 0; side < BILLOW_SIDES; side++)
            def.unbounded[side] = !large && side != BILLOW_FLOOR;
        def.origin[0] = def.origin[2] = large ? -0.375f : -0.25f;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].center[0] = def.emitters[0].center[2] = 0;
        BillowSim *sim = run_of(&def, 24, step);
        double sum = 0, moment = 0;
        for (int k = 0; k < sim->grid.nz; k++)
            for (int j = 0; j < sim->grid.ny; j++)
                for (int i = 0; i < sim->grid.nx; i++) {
                    double density = (double)at(sim, sim->density, i, j, k);
                    sum += density;
                    moment += density * (j + 0.5);
                }
        heights[large] = moment / sum;
        masses[large] = billow_stats(sim).mass;
        assert_true(large || sim->grid.ny > 32);
        assert_string_equal(billow_growth_notice(sim), "");
        assert_below(fabs(billow_stats(sim).mass_outflow), 1e-3 * masses[large]);
        billow_destroy(sim);
    }
    assert_below(fabs(heights[0] - heights[1]), 0.05 * heights[1]);
    assert_below(fabs(masses[0] - masses[1]), 0.05 * masses[1]);
}

/* -- smoke stays inside ------------------------------------------------------------------------ */

static float most_at_sides(const BillowSim *sim)
{
    const int *n = sim->grid.cells;
    float most = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                if (i == 0 || k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1)
                    most = fmaxf(most, at(sim, sim->density, i, j, k));
    return most;
}

static void no_smoke_reaches_a_side(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    def.cells_max = 1e6;
    def.fire = def.color = def.age = false;
    def.texture_period = 0;
    BillowSim *sim = make(&def);
    for (int s = 0; s < long_run(24); s++) {
        billow_step(sim, step);
        if (!(most_at_sides(sim) <= FAINT))
            fail_msg("%g at a side after step %d", (double)most_at_sides(sim), s + 1);
    }
    assert_string_equal(billow_growth_notice(sim), "");
    billow_destroy(sim);
}

/* -- one result -------------------------------------------------------------------------------- */

static uint64_t grown_hash(const BillowDef *def)
{
    BillowSim *sim = grown(def);
    for (int s = 0; s < 2; s++)
        billow_step(sim, step);
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    return hash;
}

static void one_hash_for_all_threads(void **state)
{
    (void)state;
    BillowDef def = windy_def(1);
    def.color = def.age = false;
    def.texture_period = 0;
    assert_one_hash_of(&def, grown_hash);
}

static void states_bring_their_box(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    def.guarded = true;
    BillowSim *sim = make(&def), *other = make(&def);
    size_t bytes = billow_state_bytes(sim);
    void *early = malloc(bytes);
    billow_step(sim, step);
    assert_false(has_grown(sim));
    billow_save_state(sim, early);
    uint64_t early_hash = billow_state_hash(sim);
    while (!has_grown(sim))
        billow_step(sim, step);
    size_t late_bytes = billow_state_bytes(sim);
    assert_true(late_bytes > bytes);
    void *late = malloc(late_bytes);
    billow_save_state(sim, late);
    BillowError error = {""};
    if (!billow_load_state(other, late, late_bytes, &error))
        fail_msg("%s", error.text);
    assert_true(billow_state_hash(other) == billow_state_hash(sim));
    assert_int_equal(billow_bytes(other), billow_bytes(sim));
    for (int s = 0; s < 10; s++) {
        billow_step(sim, step);
        billow_step(other, step);
    }
    assert_true(billow_state_hash(other) == billow_state_hash(sim));
    assert_true(billow_load_state(sim, early, bytes, NULL)); /* shrinks */
    assert_true(billow_state_hash(sim) == early_hash);
    assert_false(has_grown(sim));
    billow_load_state(other, late, late_bytes, NULL);
    while (billow_stats(sim).steps < billow_stats(other).steps)
        billow_step(sim, step);
    assert_true(billow_state_hash(sim) == billow_state_hash(other));
    free(early);
    free(late);
    billow_destroy(sim);
    billow_destroy(other);
}

static void reset_gives_the_first_box(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    BillowSim *sim = grown(&def), *fresh = make(&def);
    billow_reset(sim);
    assert_int_equal(billow_bytes(sim), billow_bytes(fresh));
    for (int s = 0; s < 3; s++) {
        assert_true(billow_state_hash(sim) == billow_state_hash(fresh));
        billow_step(sim, step);
        billow_step(fresh, step);
    }
    billow_destroy(sim);
    billow_destroy(fresh);
}

/* -- limits and refusals ----------------------------------------------------------------------- */

static void growth_ends_at_the_limit(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS);
    def.age = false;
    def.texture_period = 0;
    def.cells_max = 120000;
    def.params.advection = BILLOW_CONSERVATIVE;
    def.params.tolerance = 1e-3f;
    BillowSim *sim = make(&def);
    char first[256] = "";
    for (int s = 0; s < 30; s++) {
        assert_true(billow_step(sim, step));
        assert_true((double)sim->grid.nx * sim->grid.ny * sim->grid.nz <= def.cells_max);
        const char *notice = billow_growth_notice(sim);
        if (first[0] == '\0')
            snprintf(first, sizeof first, "%s", notice);
        assert_string_equal(first, notice); /* said once */
    }
    assert_non_null(strstr(first, "its limit is 120000 (cells_max); smoke now leaves through"));
    BillowStats stats = billow_stats(sim);
    assert_true(stats.mass_outflow > 0);
    assert_below(fabs(stats.mass_drift), 0.05 * stats.mass_sources);
    billow_reset(sim);
    assert_string_equal(billow_growth_notice(sim), "");
    billow_destroy(sim);
}

static void default_limit_is_eight_boxes(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 16, 20, BILLOW_OPEN);
    def.unbounded[BILLOW_LEFT] = true;
    BillowSim *sim = make(&def);
    assert_true(growth_limit(sim) == 128.0 * 128 * 128);
    sim->home.n[0] = 2000; /* a box too large for a test */
    sim->home.n[1] = 1000;
    assert_true(growth_limit(sim) == 8.0 * 2000 * 1000 * 20);
    sim->def.cells_max = 5;
    assert_true(growth_limit(sim) == 5);
    sim->home.n[0] = 24;
    sim->home.n[1] = 16;
    billow_destroy(sim);
}

/* All sides get their share of a limit, and the notice names the grid that the box has then. */
static void sides_share_the_limit(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.unbounded[side] = true;
    def.cells_max = 48 * 48 * 32;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = def.emitters[0].center[1] = def.emitters[0].center[2] = 0.125f;
    BillowSim *sim = run_of(&def, 2, step);
    assert_int_equal(sim->grid.nx, 48);
    assert_int_equal(sim->grid.ny, 48);
    assert_int_equal(sim->grid.nz, 32);
    assert_string_equal(billow_growth_notice(sim),
                        "the box has grown to 48x48x32 cells and its limit is 73728 (cells_max); "
                        "smoke now leaves through front");
    billow_destroy(sim);
}

static void an_axis_has_a_limit_too(void **state)
{
    (void)state;
    BillowDef def = quiet_def(2040, 8, 8, BILLOW_OPEN);
    def.unbounded[BILLOW_LEFT] = true;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = def.emitters[0].center[1] = def.emitters[0].center[2] = 0.06f;
    BillowSim *sim = run_of(&def, 1, step);
    assert_int_equal(sim->grid.nx, 2040);
    assert_string_equal(billow_growth_notice(sim),
                        "the box has grown to 2040 cells along x, and an axis has at most 2048; "
                        "smoke now leaves through left");
    billow_destroy(sim);
}

/* A solid leaves through an unbounded side. It would bounce off a bounded one. */
static void solids_leave(void **state)
{
    (void)state;
    for (int unbounded = 0; unbounded < 2; unbounded++) {
        BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
        def.unbounded[BILLOW_FLOOR] = unbounded;
        def.solid_count = 1;
        def.solids[0] = billow_default_solid();
        def.solids[0].size[0] = 0.04f;
        def.solids[0].center[0] = def.solids[0].center[1] = def.solids[0].center[2] = 0.125f;
        def.solids[0].motion = BILLOW_FALLING;
        def.solids[0].velocity[1] = -1;
        BillowSim *sim = run_of(&def, 10, step);
        assert_true((billow_solid(sim, 0)->center[1] < -0.1f) == (unbounded == 1));
        billow_destroy(sim);
    }
}

static void walls_cannot_be_unbounded(void **state)
{
    (void)state;
    BillowDef def = windy_def(1);
    BillowError error = {""};
    def.faces[BILLOW_BACK] = BILLOW_CLOSED;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "unbounded.back needs the face to be open");
}

/* A state of a box that the unbounded sides cannot give. */
static void other_boxes_are_refused(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS), other = def;
    BillowError error = {""};
    other.ny += 8;
    BillowSim *sim = make(&def), *from = make(&other);
    size_t bytes = billow_state_bytes(from);
    void *memory = malloc(bytes);
    billow_save_state(from, memory);
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_non_null(strstr(error.text, "the state has 42 x 46 x 40 cells"));
    billow_destroy(from);
    other.ny += 8;
    other.origin[1] -= 16 * other.cell_size; /* the floor has moved */
    from = make(&other);
    free(memory);
    bytes = billow_state_bytes(from);
    memory = malloc(bytes);
    billow_save_state(from, memory);
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_false(has_grown(sim));
    free(memory);
    billow_destroy(from);
    billow_destroy(sim);
}

/* A finer grid encloses the box that has grown, with its smoke in the same place. */
static void another_resolution_keeps_the_place(void **state)
{
    (void)state;
    BillowDef def = windy_def(FEW_THREADS), finer = def;
    BillowSim *from = grown(&def);
    BillowError error = {""};
    finer.nx = 63;
    finer.ny = 57;
    finer.nz = 60;
    finer.cell_size = def.cell_size / 1.5f;
    BillowSim *sim = make(&finer);
    if (!billow_resample(sim, from, &error))
        fail_msg("%s", error.text);
    assert_true(has_grown(sim));
    double center[2][3] = {{0}};
    const BillowSim *both[2] = {from, sim};
    for (int b = 0; b < 2; b++) {
        double sum = 0;
        for (int k = 0; k < both[b]->grid.nz; k++)
            for (int j = 0; j < both[b]->grid.ny; j++)
                for (int i = 0; i < both[b]->grid.nx; i++) {
                    double density = (double)at(both[b], both[b]->density, i, j, k);
                    const double cell[3] = {i + 0.5, j + 0.5, k + 0.5};
                    sum += density;
                    for (int axis = 0; axis < 3; axis++)
                        center[b][axis] += density * ((double)both[b]->def.origin[axis] +
                                                      cell[axis] * (double)both[b]->def.cell_size);
                }
        for (int axis = 0; axis < 3; axis++)
            center[b][axis] /= sum;
    }
    for (int axis = 0; axis < 3; axis++)
        assert_below(fabs(center[0][axis] - center[1][axis]), 0.1 * (double)def.cell_size);
    assert_true(billow_step(sim, step));
    billow_destroy(sim);
    billow_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_stays),
        cmocka_unit_test(bodies_stay),
        cmocka_unit_test(velocity_continues),
        cmocka_unit_test(small_box_is_enough),
        cmocka_unit_test(no_smoke_reaches_a_side),
        cmocka_unit_test(one_hash_for_all_threads),
        cmocka_unit_test(states_bring_their_box),
        cmocka_unit_test(reset_gives_the_first_box),
        cmocka_unit_test(growth_ends_at_the_limit),
        cmocka_unit_test(default_limit_is_eight_boxes),
        cmocka_unit_test(sides_share_the_limit),
        cmocka_unit_test(an_axis_has_a_limit_too),
        cmocka_unit_test(solids_leave),
        cmocka_unit_test(walls_cannot_be_unbounded),
        cmocka_unit_test(other_boxes_are_refused),
        cmocka_unit_test(another_resolution_keeps_the_place),
    };
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
