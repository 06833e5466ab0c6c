/* SPDX-License-Identifier: MIT
 * Simulations that follow the smoke: they agree with simulations of the whole box, whatever the
 * number of threads, and continue from saved states to the same bits. The same in boxes that
 * grow. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "sim/follow/follow.h"
#include "sim/growth.h"

/* A plume in the middle of a box with open sides, which takes up a small part of it. */
static BillowDef plume_def(BillowDomain domain)
{
    BillowDef def = billow_default_def();
    def.nx = 48;
    def.ny = 80;
    def.nz = 56;
    def.cell_size = 1.0f / 32;
    def.threads = FEW_THREADS;
    def.domain = domain;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    def.emitter_count = 1;
    BillowEmitter *emitter = &def.emitters[0];
    *emitter = billow_default_emitter();
    emitter->center[0] = 0.75f;
    emitter->center[1] = 0.3f;
    emitter->center[2] = 0.875f;
    emitter->size[0] = 0.15f;
    emitter->noise = 1;
    return def;
}

/* The same near a corner of a smaller box, whose sides grow. The numbers of cells are not multiples
 * of BLOCK and ALIGN. */
static BillowDef growing_def(BillowDomain domain)
{
    BillowDef def = plume_def(domain);
    def.nx = 44;
    def.ny = 34;
    def.nz = 54;
    def.emitters[0].center[0] = def.emitters[0].center[2] = 0.5f;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.unbounded[side] = side != BILLOW_FLOOR;
    return def;
}

static bool has_grown(const BillowSim *sim)
{
    return memcmp(sim->grid.cells, sim->home.n, sizeof sim->home.n) != 0;
}

static void run(BillowSim *sim, int steps)
{
    for (int s = 0; s < steps; s++)
        assert_true(billow_step(sim, 1.0 / 60));
}

static double share(const BillowSim *sim)
{
    double cells = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            cells += active_span(sim, ACTIVE_CELLS, j, k).end -
                     active_span(sim, ACTIVE_CELLS, j, k).begin;
    return cells / ((double)sim->grid.nx * sim->grid.ny * sim->grid.nz);
}

/* The density of a cell, which is 0 where the simulation has no memory. */
static double density_at(const BillowSim *sim, int i, int j, int k)
{
    Span kept = follow_kept(sim, j, k, sim->grid.nx);
    return i >= kept.begin && i < kept.end ? (double)at(sim, sim->density, i, j, k) : 0;
}

static double density_rms(const BillowSim *sim)
{
    double sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                sum += pow(density_at(sim, i, j, k), 2);
    return sqrt(sum);
}

static double height(const BillowSim *sim)
{
    double sum = 0, moment = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++) {
                double density = density_at(sim, i, j, k);
                sum += density;
                moment += density * (j + 0.5);
            }
    return moment / sum;
}

static void check_agrees(BillowDef box, BillowAdvection advection, bool windy)
{
    box.params.advection = advection;
    BillowDef follow = box;
    follow.domain = BILLOW_DOMAIN_FOLLOW;
    BillowSim *all = make(&box), *some = make(&follow);
    if (windy) { /* a force that acts after some time, set after the creation, and a push */
        BillowForce wind = billow_default_force();
        wind.velocity[0] = 0.5f;
        wind.strength = 2;
        wind.start = 0.1;
        assert_true(billow_set_forces(all, &wind, 1, NULL));
        assert_true(billow_set_forces(some, &wind, 1, NULL));
        wind.start = 0;
        wind.velocity[2] = 1;
        assert_true(billow_push(all, &wind) && billow_push(some, &wind));
    }
    run(all, long_run(80));
    run(some, long_run(80));
    BillowStats a = billow_stats(all), b = billow_stats(some);
    assert_true(follows(some));
    assert_true(share(some) < 0.5);
    if (fabs(b.mass - a.mass) >= (windy ? 3e-3 : 1e-3) * a.mass)
        fail_msg("mass %g m3 instead of %g", b.mass, a.mass);
    assert_true(fabs(b.heat - a.heat) < (windy ? 3e-3 : 1e-3) * a.heat);
    if (fabs(b.kinetic_energy - a.kinetic_energy) >= (windy ? 0.03 : 0.01) * a.kinetic_energy)
        fail_msg("kinetic energy %g J instead of %g", b.kinetic_energy, a.kinetic_energy);
    if (fabs(height(some) - height(all)) >= (windy ? 0.3 : 0.1))
        fail_msg("the smoke's height is %g cells instead of %g", height(some), height(all));
    assert_true(fabs(density_rms(some) - density_rms(all)) < 0.01 * density_rms(all));
    assert_true(b.residual_relative < 1e-3);
    billow_destroy(all);
    billow_destroy(some);
}

static void test_follow_agrees_with_the_box(void **state)
{
    (void)state;
    check_agrees(plume_def(BILLOW_DOMAIN_BOX), BILLOW_SEMI_LAGRANGIAN, false);
    check_agrees(growing_def(BILLOW_DOMAIN_BOX), BILLOW_REFLECTION, false);
    check_agrees(growing_def(BILLOW_DOMAIN_BOX), BILLOW_SEMI_LAGRANGIAN, true);
}

/* Whether a far cell lies under active cells. Cells outside of the box do not. */
static bool is_under(const BillowSim *sim, int i, int j, int k)
{
    const Grid *far = &sim->follow->far->grid;
    if (j < 0 || k < 0 || j >= far->ny || k >= far->nz)
        return false;
    Span span = sim->follow->under[j + (ptrdiff_t)k * far->ny];
    return i >= span.begin && i < span.end;
}

/* The sides that a far cell beyond active cells has in common with one under them. */
static int sides_shared(const BillowSim *sim, int i, int j, int k)
{
    if (is_under(sim, i, j, k))
        return 0;
    return is_under(sim, i - 1, j, k) + is_under(sim, i + 1, j, k) + is_under(sim, i, j - 1, k) +
           is_under(sim, i, j + 1, k) + is_under(sim, i, j, k - 1) + is_under(sim, i, j, k + 1);
}

/* A far cell beside active cells has no divergence after the projection, with the means of the fine
 * velocities at the sides that it shares with them. This holds as exactly there as elsewhere. */
static void test_no_air_is_lost_at_the_edge(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    def.params.tolerance = 1e-4f;
    def.params.cycles = 30;
    def.emitters[0].heat = 3000;
    BillowSim *sim = run_of(&def, 24, 1.0 / 60);
    const BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    double fastest = 0, edge = 0;
    int cells = 0;
    assert_true(follows(sim));
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++) {
                if (sides_shared(sim, i, j, k) == 0)
                    continue;
                double sum = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double low = (double)at(far, far->velocity[axis], i, j, k);
                    double high = (double)at(far, far->velocity[axis], i + (axis == 0),
                                             j + (axis == 1), k + (axis == 2));
                    sum += high - low;
                    fastest = fmax(fastest, fmax(fabs(low), fabs(high)));
                }
                edge = fmax(edge, fabs(sum));
                cells++;
            }
    print_message("%d cells at the edge: %g of %g m/s are lost\n", cells, edge, fastest);
    assert_true(cells > 100);
    assert_true(edge < 2e-4 * fastest);
    billow_destroy(sim);
}

/* The hash of a box that has grown, or of one of fixed size. */
static uint64_t follow_hash(const BillowDef *def)
{
    BillowSim *sim = run_of(def, def->unbounded[BILLOW_LEFT] ? 24 : 8, 1.0 / 60);
    assert_true(follows(sim) && has_grown(sim) == def->unbounded[BILLOW_LEFT]);
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    return hash;
}

static void test_one_hash_for_all_threads(void **state)
{
    (void)state;
    const BillowDef fixed = plume_def(BILLOW_DOMAIN_FOLLOW);
    const BillowDef growing = growing_def(BILLOW_DOMAIN_FOLLOW);
    assert_one_hash_of(&fixed, follow_hash);
    assert_one_hash_of(&growing, follow_hash);
}

/* Fields must be 0 beyond the band, because readers look there, and because cells that become
 * active rely on it. So must the last faces of the box beside cells that have left the band. */
static void assert_nothing_beyond_the_band(BillowSim *sim)
{
    const Region *window = &sim->grid.window;
    const ActiveRegion *region = &sim->follow->region;
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields), ends[3];
    for (int axis = 0; axis < 3; axis++)
        ends[axis] = window->high[axis] + (window->high[axis] == sim->grid.cells[axis]);
    for (int f = 0; f < count; f++) {
        bool packed = false; /* the first fields of scratch memory hold packed fields and rings */
        for (int s = 0; s < 3; s++)
            packed = packed || fields[f] == sim->scratch.fields[s];
        for (int k = window->low[2]; k < ends[2] && !packed; k++)
            for (int j = window->low[1]; j < ends[1]; j++) {
                Span kept = region_kept(&sim->grid, region, j, k, ends[0]);
                for (int i = window->low[0]; i < ends[0]; i++)
                    if (i < kept.begin || i > kept.end)
                        if (at(sim, fields[f], i, j, k) != 0.0f)
                            fail_msg("field %d is %g at (%d, %d, %d)", f,
                                     (double)at(sim, fields[f], i, j, k), i, j, k);
            }
    }
}

/* The smoke thins out, and the active cells shrink: of a plume amid still air, and of one that has
 * reached a corner under the ceiling. */
static void test_nothing_is_beyond_the_band(void **state)
{
    (void)state;
    for (int corner = 0; corner < 2; corner++) {
        BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
        if (corner == 1) {
            def.ny = 28;
            def.emitters[0].center[0] = 1.3f;
            def.emitters[0].center[2] = 1.6f;
        }
        BillowSim *sim = make(&def);
        run(sim, long_run(40));
        Span top = active_span(sim, ACTIVE_BAND, def.ny - 1, def.nz - 1);
        assert_true(SANITIZED || (corner == 1) == (top.end == def.nx));
        sim->def.emitters[0].end = 0;
        sim->def.params.dissipation = 3;
        run(sim, long_run(80));
        assert_true(follows(sim));
        assert_nothing_beyond_the_band(sim);
        billow_destroy(sim);
    }
}

/* The state is saved after `before` steps, while another simulation of the definition is at a later
 * step, of which nothing must be left. */
static void check_resumes(const BillowDef *def, int before)
{
    BillowSim *whole_run = make(def), *resumed = make(def);
    BillowError error;
    run(whole_run, before);
    size_t bytes = billow_state_bytes(whole_run);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(whole_run, saved);
    run(resumed, before + 12);
    if (!billow_load_state(resumed, saved, bytes, &error))
        fail_msg("%s", error.text);
    assert_int_equal(billow_state_hash(resumed), billow_state_hash(whole_run));
    run(whole_run, 20);
    run(resumed, 20);
    assert_int_equal(billow_state_hash(resumed), billow_state_hash(whole_run));
    free(saved);
    billow_destroy(whole_run);
    billow_destroy(resumed);
}

/* Number of steps until the box grows. */
static int steps_to_grow(const BillowDef *def)
{
    BillowSim *sim = make(def);
    while (!has_grown(sim) && billow_stats(sim).steps < 60)
        run(sim, 1);
    assert_true(has_grown(sim));
    int steps = (int)billow_stats(sim).steps;
    billow_destroy(sim);
    return steps;
}

static void test_saved_states_continue_alike(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW), growing = growing_def(BILLOW_DOMAIN_FOLLOW);
    int grows = steps_to_grow(&growing);
    check_resumes(&def, 21);
    check_resumes(&growing, grows - 1);
    check_resumes(&growing, grows);
}

/* -- growth ------------------------------------------------------------------------------------ */

static void check_row_shifted(const float *row, const float *old, Span span, const char *name)
{
    for (int i = span.begin; i < span.end; i++)
        if (memcmp(&row[i], &old[i], sizeof row[i]) != 0)
            fail_msg("%s: %g became %g", name, (double)old[i], (double)row[i]);
}

/* The same run with and without growth in the last step: the active cells, their faces and the far
 * field keep their values, and no more cells become active than those of the blocks at the old
 * sides. */
static void test_growth_keeps_the_active_cells(void **state)
{
    (void)state;
    BillowDef def = growing_def(BILLOW_DOMAIN_FOLLOW);
    int steps = steps_to_grow(&def), moved[BILLOW_SIDES];
    BillowSim *now = make(&def), *then = make(&def);
    run(now, steps);
    run(then, steps - 1);
    then->out_of_memory = true;
    run(then, 1);
    assert_true(has_grown(now) && !has_grown(then) && follows(now) && follows(then));
    growth_moved(now, moved);
    assert_true(moved[BILLOW_LEFT] > 0 && moved[BILLOW_BACK] > 0);
    Scalar new[SCALARS_MAX], old[SCALARS_MAX];
    int count = scalars_list(now, new);
    scalars_list(then, old);
    for (int k = 0; k < then->grid.nz; k++)
        for (int j = 0; j < then->grid.ny; j++) {
            Span span = active_span(then, ACTIVE_CELLS, j, k);
            ptrdiff_t from = grid_row(&then->grid, j, k);
            ptrdiff_t to = grid_row(&now->grid, j + moved[2], k + moved[4]) + moved[0];
            for (int s = 0; s < count; s++)
                check_row_shifted(*new[s].field + to, *old[s].field + from, span, old[s].name);
            for (int axis = 0; axis < 3 && !span_is_empty(span); axis++)
                for (int high = 0; high < 2; high++)
                    check_row_shifted(now->velocity[axis] + to + high * now->grid.strides[axis],
                                      then->velocity[axis] + from + high * then->grid.strides[axis],
                                      span, "velocity");
        }
    const BillowSim *far = now->follow->far, *old_far = then->follow->far;
    for (int k = 0; k < old_far->grid.nz; k++)
        for (int j = 0; j < old_far->grid.ny; j++) {
            Span span = {0, (short)old_far->grid.nx};
            ptrdiff_t from = grid_row(&old_far->grid, j, k);
            ptrdiff_t to = grid_row(&far->grid, j + moved[2] / 2, k + moved[4] / 2) + moved[0] / 2;
            for (int axis = 0; axis < 3; axis++)
                check_row_shifted(far->velocity[axis] + to, old_far->velocity[axis] + from, span,
                                  "far velocity");
            check_row_shifted(now->follow->pressure + to, then->follow->pressure + from, span,
                              "far pressure");
        }
    assert_true(billow_stats(now).mass == billow_stats(then).mass);
    assert_true(billow_stats(now).active_share == share(now));
    assert_true(share(now) < 0.7 * share(then));
    double used = (double)billow_bytes_used(now);
    if (used >= 0.75 * (double)billow_bytes(now))
        fail_msg("%g of %zu bytes are used; before growth %zu of %zu", used, billow_bytes(now),
                 billow_bytes_used(then), billow_bytes(then));
    billow_destroy(now);
    billow_destroy(then);
}

/* The place of the active cells' spans in a saved state. */
static unsigned char *find_spans(const BillowSim *sim, unsigned char *saved, size_t bytes)
{
    int blocks;
    const Span *spans = follow_saved_spans(sim, true, &blocks);
    size_t size = (size_t)blocks * sizeof *spans;
    for (size_t at = 0; at + size <= bytes; at++)
        if (memcmp(saved + at, spans, size) == 0)
            return saved + at;
    fail_msg("%s", "the state does not hold the active cells");
    return NULL;
}

static void test_wrong_states_are_refused(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW), box = plume_def(BILLOW_DOMAIN_BOX), odd = def;
    BillowSim *sim = make(&def), *other = make(&box);
    BillowError error;
    run(sim, 3);
    size_t bytes = billow_state_bytes(sim);
    unsigned char *saved = malloc(bytes);
    assert_non_null(saved);
    billow_save_state(sim, saved);
    assert_false(billow_load_state(other, saved, bytes, &error));
    assert_string_equal(error.text, "the state was saved with solver.domain: follow");
    uint64_t hash = billow_state_hash(sim);
    find_spans(sim, saved, bytes)[1] = 0x7f; /* begins far outside of the box */
    assert_false(billow_load_state(sim, saved, bytes, &error));
    assert_string_equal(error.text, "the state is damaged: its active cells are out of range");
    assert_int_equal(billow_state_hash(sim), hash);
    odd.nz = 57;
    assert_null(billow_create(&odd, &error));
    assert_string_equal(error.text,
                        "a grid of 48x80x57; domain: follow needs even numbers of cells");
    free(saved);
    billow_destroy(sim);
    billow_destroy(other);
}

static void test_what_leaves_is_budgeted(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    def.emitters[0].end = 0.1;
    def.params.dissipation = def.params.cooling = 20;
    BillowSim *sim = make(&def);
    run(sim, 40);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.mass_cut > 0);
    double known = stats.mass_sources - stats.mass_outflow - stats.mass_dissipated -
                   stats.mass_cut + stats.mass_drift;
    assert_true(fabs(stats.mass - known) < 1e-9 * stats.mass_sources);
    billow_destroy(sim);
}

/* A tolerance that floats cannot reach ends the cycles; there is nothing else to turn to. */
static void test_least_tolerance_is_tried(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    def.params.tolerance = BILLOW_TOLERANCE_MIN;
    def.params.cycles = 30;
    BillowSim *sim = make(&def);
    run(sim, 40);
    assert_true(billow_stats(sim).divergence_max < 1e-3);
    billow_destroy(sim);
}

static void test_share_and_memory_are_reported(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    run(sim, 10);
    assert_true(share(sim) > 0 && share(sim) < 0.5);
    assert_true(billow_stats(sim).active_share == share(sim));
    size_t rest = grid_make(def.nx, def.ny, def.nz).field_floats * sizeof(float);
    for (int k = 0; k < sim->grid.nz; k++) {
        Span rows = active_rows(sim, ACTIVE_BAND, k);
        rest -= (size_t)(rows.end - rows.begin) * (size_t)sim->grid.stride_y * sizeof(float);
    }
    /* velocity, density, temperature, scratch, pressure */
    assert_int_equal(billow_bytes(sim) - billow_bytes_used(sim),
                     rest * (3 + 2 + SCRATCH_FIELDS_OPEN + 1));
    billow_fields(sim); /* makes all cells active */
    assert_int_equal(billow_bytes_used(sim), billow_bytes(sim));
    billow_destroy(sim);
    def.domain = BILLOW_DOMAIN_BOX;
    sim = make(&def);
    run(sim, 1);
    assert_true(billow_stats(sim).active_share == 1);
    assert_int_equal(billow_bytes_used(sim), billow_bytes(sim));
    billow_destroy(sim);
}

/* The view holds all smoke, and at first only a part of the box. */
static void test_the_view_is_around_the_smoke(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    int rows_before = 0;
    for (int part = 0; part < 3; part++) {
        run(sim, part == 0 ? 10 : long_run(40));
        BillowView view = billow_view(sim);
        double mass = 0, moment = 0, h = (double)def.cell_size;
        for (int k = 0; k < view.nz; k++)
            for (int j = 0; j < view.ny; j++)
                for (int i = 0; i < view.nx; i++) {
                    double density =
                        (double)view.density[i + j * view.stride_y + k * view.stride_z];
                    mass += density * h * h * h;
                    moment += density * ((double)view.origin[1] + (j + 0.5) * h);
                }
        assert_true(fabs(mass - billow_stats(sim).mass) < 1e-6 * mass);
        assert_true(fabs(moment * h * h * h / mass - height(sim) * h) < 1e-4);
        assert_true(part > 0 || view.ny < def.ny);
        assert_true(view.ny >= rows_before);
        rows_before = view.ny;
        for (int axis = 0; axis < 3; axis++) {
            const int cells[3] = {def.nx, def.ny, def.nz};
            assert_true(view.home[0][axis] == def.origin[axis]);
            assert_true(fabsf(view.home[1][axis] - (float)cells[axis] * def.cell_size) < 1e-5f);
        }
    }
    billow_destroy(sim);
}

/* A box in which nothing has moved costs nothing, and a late emitter starts in it as in a new one.
 */
static void test_an_empty_box_rests(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    def.emitters[0].start = 0.5;
    def.emitters[0].noise = 0; /* which changes with time */
    BillowSim *late = make(&def);
    run(late, 30);
    assert_true(follow_rests(late));
    assert_int_equal(billow_stats(late).cycles, 0);
    assert_true(billow_stats(late).active_share == 0);
    run(late, 20);
    assert_false(follow_rests(late));
    def.emitters[0].start = 0;
    BillowSim *early = make(&def);
    run(early, 20);
    double mass = billow_stats(early).mass, energy = billow_stats(early).kinetic_energy;
    assert_true(mass > 0 && fabs(billow_stats(late).mass - mass) < 1e-4 * mass);
    assert_true(fabs(billow_stats(late).kinetic_energy - energy) < 1e-3 * energy);
    billow_destroy(late);
    billow_destroy(early);
}

/* Written fields make all cells active, and are simulated like those of a box. */
static void test_written_fields_count(void **state)
{
    (void)state;
    BillowDef def = plume_def(BILLOW_DOMAIN_FOLLOW);
    BillowSim *sim = make(&def);
    run(sim, 10);
    assert_true(follows(sim));
    BillowFields fields = billow_fields(sim);
    assert_false(follows(sim));
    fields.density[grid_row(&sim->grid, 70, 50) + 10] = 100;
    double before = billow_stats(sim).mass;
    run(sim, 9);
    assert_true(follows(sim));
    assert_true(billow_stats(sim).mass > before + 90 * pow((double)def.cell_size, 3));
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follow_agrees_with_the_box),
        cmocka_unit_test(test_no_air_is_lost_at_the_edge),
        cmocka_unit_test(test_one_hash_for_all_threads),
        cmocka_unit_test(test_nothing_is_beyond_the_band),
        cmocka_unit_test(test_saved_states_continue_alike),
        cmocka_unit_test(test_growth_keeps_the_active_cells),
        cmocka_unit_test(test_wrong_states_are_refused),
        cmocka_unit_test(test_what_leaves_is_budgeted),
        cmocka_unit_test(test_least_tolerance_is_tried),
        cmocka_unit_test(test_share_and_memory_are_reported),
        cmocka_unit_test(test_the_view_is_around_the_smoke),
        cmocka_unit_test(test_an_empty_box_rests),
        cmocka_unit_test(test_written_fields_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
