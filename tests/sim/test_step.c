/* SPDX-License-Identifier: MIT
 * The whole step: rest, symmetry, bounds, determinism, instruction sets. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hash_fixture.h"

static void same_hash_whoever_computes(void **state)
{
    (void)state;
    assert_one_hash(NULL);
}

static void hash_sees_every_field(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    BillowSim *sim = make(&def);
    billow_step(sim, 1.0 / 60);
    uint64_t before = billow_state_hash(sim);
    const Grid *grid = &sim->grid;
    float *const touched[] = {
        sim->density + grid_row(grid, grid->ny - 1, grid->nz - 1) + grid->nx - 1,
        sim->temperature + grid_row(grid, 0, 0),
        sim->velocity[0] + grid_row(grid, 3, 4) + grid->nx,
        sim->velocity[1] + grid_row(grid, grid->ny, 4) + 2,
        sim->velocity[2] + grid_row(grid, 5, grid->nz) + 2,
        grid_packed(grid, sim->pressure).color[1] + packed_row(grid, 2, 2) + 1,
    };
    for (size_t t = 0; t < sizeof touched / sizeof touched[0]; t++) {
        float kept = *touched[t];
        *touched[t] = kept + 1;
        assert_true(billow_state_hash(sim) != before);
        *touched[t] = kept;
        assert_true(billow_state_hash(sim) == before);
    }
    billow_destroy(sim);
}

/* The account, in loops as plain as can be, each sum in one double. */
typedef struct PlainStatistics {
    double mass, heat, energy, divergence2, speed2_max, divergence_max, velocity[3];
} PlainStatistics;

static void plain_statistics_cell(PlainStatistics *sum, const BillowSim *sim, float expansion,
                                  int i, int j, int k)
{
    const float *u = sim->velocity[0], *v = sim->velocity[1], *w = sim->velocity[2];
    float u0 = at(sim, u, i, j, k), u1 = at(sim, u, i + 1, j, k);
    float v0 = at(sim, v, i, j, k), v1 = at(sim, v, i, j + 1, k);
    float w0 = at(sim, w, i, j, k), w1 = at(sim, w, i, j, k + 1);
    double inflow = (double)((u0 - u1) + (v0 - v1) + (w0 - w1) + expansion);
    double speed2 = (pow((double)u0 + (double)u1, 2) + pow((double)v0 + (double)v1, 2) +
                     pow((double)w0 + (double)w1, 2)) /
                    4;
    sum->mass += (double)at(sim, sim->density, i, j, k);
    sum->heat += (double)at(sim, sim->temperature, i, j, k);
    sum->energy += speed2;
    sum->velocity[0] += 0.5 * (double)(u0 + u1);
    sum->velocity[1] += 0.5 * (double)(v0 + v1);
    sum->velocity[2] += 0.5 * (double)(w0 + w1);
    sum->divergence2 += inflow * inflow;
    sum->speed2_max = fmax(sum->speed2_max, speed2);
    sum->divergence_max = fmax(sum->divergence_max, fabs(inflow));
}

static PlainStatistics plain_statistics(const BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    PlainStatistics sum = {0};
    for (int k = 0; k < grid->nz; k++) {
        ptrdiff_t stride;
        const float *expansion = expansion_plane(sim, k, sim->scratch.fields[3], &stride);
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++)
                plain_statistics_cell(&sum, sim, expansion[j * stride + i * (stride > 0)], i, j, k);
    }
    return sum;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void compare_statistics(BillowDef def, bool expands)
{
    for (int e = 0; e < def.emitter_count && !expands; e++)
        def.emitters[e].expansion = 0;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 3; s++)
        billow_step(sim, 1.0 / 60);
    ptrdiff_t some, none;
    expansion_plane(sim, 10, sim->scratch.fields[3], &some);
    expansion_plane(sim, sim->grid.nz - 1, sim->scratch.fields[3], &none);
    assert_true((some > 0) == expands && none == 0);
    PlainStatistics plain = plain_statistics(sim);
    BillowStats stats = billow_stats(sim);
    double h = (double)def.cell_size, volume = h * h * h;
    assert_near(stats.mass, plain.mass * volume, 1e-12);
    assert_near(stats.heat, plain.heat * volume, 1e-12);
    assert_near(stats.kinetic_energy, 0.6 * plain.energy * volume, 1e-6);
    assert_near(stats.speed_max, sqrt(plain.speed2_max), 1e-6);
    for (int axis = 0; axis < 3; axis++)
        assert_near(stats.momentum[axis], 1.2 * volume * plain.velocity[axis], 1e-6);
    assert_near(stats.divergence_max, plain.divergence_max / h, 1e-12);
    assert_near(stats.residual_relative, sqrt(plain.divergence2) / sim->divergence_before, 1e-12);
    assert_true(stats.residual_relative > 0 && stats.mass > 0 && stats.nonfinite == 0);
    *(sim->temperature + grid_row(&sim->grid, 5, 5) + 24) = NAN;
    statistics_update(sim, 1.0 / 60);
    assert_true(billow_stats(sim).nonfinite == 1);
    billow_destroy(sim);
}

/* With an emitter that expands in some planes and not in others; and without, where the pass that
 * advects the scalars computes the statistics. */
static void statistics_equal_plain_sums(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_REFLECTION; advection++) {
            BillowDef def = busy_def(threads);
            def.params.advection = (BillowAdvection)advection;
            compare_statistics(def, true);
            compare_statistics(def, false);
        }
}

/* What flows out through one face of the box after the other, by a flow of 2 m/s everywhere. */
static void outflow_counts_every_face(void **state)
{
    (void)state;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        BillowDef def = quiet_def(10, 9, 8, BILLOW_OPEN);
        BillowSim *sim = make(&def);
        const int n[3] = {10, 9, 8}, axis = side / 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
        for (int q = 0; q < n[c]; q++)
            for (int p = 0; p < n[b]; p++) {
                int face[3];
                face[axis] = side % 2 == 0 ? 0 : n[axis];
                face[b] = p;
                face[c] = q;
                sim->velocity[axis][grid_row(&sim->grid, face[1], face[2]) + face[0]] =
                    side % 2 == 0 ? -2 : 2;
            }
        statistics_update(sim, 1.0 / 60);
        double h = (double)def.cell_size;
        assert_near(billow_stats(sim).outflow, 2 * n[b] * n[c] * h * h, 1e-6);
        billow_destroy(sim);
    }
}

static void rest_stays_at_rest(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    def.emitter_count = 0;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 20; s++)
        billow_step(sim, 0.1);
    assert_true(largest_velocity(sim) == 0);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.mass == 0 && stats.heat == 0 && stats.divergence_max == 0);
    billow_destroy(sim);
}

/* Odd nx, so that mirroring keeps the colours of the relaxation: left and right differ by rounding
 * alone. */
static void symmetric_scene_stays_symmetric(void **state)
{
    (void)state;
    assert_below(mirror_error(BILLOW_SEMI_LAGRANGIAN), 1e-3);
}

/* Steps of violence: 50 cells a step, heat, cold and weight. */
static void check_violence(BillowAdvection advection, int steps, double least_cfl)
{
    BillowDef def = busy_def(FEW_THREADS);
    def.params.advection = advection;
    def.nx = def.ny = def.nz = 16;
    def.params.cfl = 100;
    def.params.substeps_max = 1;
    def.params.vorticity = 30;
    def.params.overrelaxation = 1.98f;
    def.emitters[0].velocity[0] = 50 * 60 / 32.0f;
    def.emitters[0].burst = 100;
    def.emitters[0].grip = 1000;
    def.emitters[0].noise = 4;
    BillowSim *sim = make(&def);
    double cfl = 0;
    for (int s = 0; s < long_run(steps); s++) {
        billow_step(sim, 1.0 / 60);
        cfl = fmax(cfl, billow_stats(sim).cfl);
        assert_true(billow_stats(sim).nonfinite == 0);
    }
    assert_true(cfl > least_cfl);
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++)
                assert_true(at(sim, sim->density, i, j, k) >= 0);
    billow_destroy(sim);
}

static void violence_stays_finite(void **state)
{
    (void)state;
    check_violence(BILLOW_SEMI_LAGRANGIAN, 1000, 20);
    check_violence(BILLOW_REFLECTION, 400, 50);
}

static double wind(double x, double y, double z)
{
    return 1 + 0 * (x + y + z);
}

/* Nothing resists a draught through two open faces but the still air that comes in behind it. */
static void draught_dies_in_an_open_box(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, wind);
    billow_fields(sim); /* the step is to look at them */
    for (int s = 0; s < 60; s++)
        billow_step(sim, 1.0 / 60);
    assert_below(billow_stats(sim).speed_max, 0.3); /* from 1 m/s, in four crossings */
    billow_destroy(sim);
}

static void substeps_follow_the_cfl_limit(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    def.params.cfl = 1;
    def.params.buoyancy = 0;
    def.emitters[0].velocity[0] = 4;
    def.emitters[0].grip = 100;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 10; s++)
        billow_step(sim, 1.0 / 30);
    BillowStats stats = billow_stats(sim);
    assert_true(stats.last_substeps >= 3); /* 4 m/s * 32 cells/m / 30 = 4.3 cells */
    assert_below(stats.cfl, 1.3);
    assert_true(stats.steps == 10 && stats.substeps > 20);
    assert_below(fabs(stats.time - 10.0 / 30), 1e-12);
    billow_destroy(sim);
}

/* A substep crosses at most `cfl` cells: 4.3 cells take 5 of them, not 4. */
static void substeps_are_enough(void **state)
{
    (void)state;
    const double cells[] = {0.5, 1, 1.2, 2.4, 4.3, 4.999};
    const unsigned wanted[] = {1, 1, 2, 3, 5, 5};
    for (int c = 0; c < 6; c++) {
        BillowDef def = quiet_def(8, 8, 8, BILLOW_PERIODIC);
        def.params.cfl = 1;
        BillowSim *sim = make(&def);
        for (int k = 0; k < 8; k++)
            for (int j = 0; j < 8; j++)
                for (int i = 0; i <= 8; i++)
                    billow_fields(sim).u[grid_row(&sim->grid, j, k) + i] = 1.0f / 64;
        billow_step(sim, cells[c]);
        assert_int_equal(billow_stats(sim).last_substeps, wanted[c]);
        billow_destroy(sim);
    }
}

/* The clock: uneven slices of real time give the same whole steps, and the remainder is not lost.
 */
static void advance_carries_the_remainder(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = make(&def), *even = make(&def);
    const double slices[] = {0.013, 0.04, 0.001, 0.1, 0.0005, 0.0455};
    int steps = 0;
    for (int round = 0; round < 5; round++)
        for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++)
            steps += billow_advance(sim, slices[s], 0.02, 100);
    assert_int_equal(steps, 50); /* one second */
    for (int s = 0; s < 50; s++)
        billow_step(even, 0.02);
    assert_memory_equal(sim->density + grid_row(&sim->grid, 9, 9),
                        even->density + grid_row(&sim->grid, 9, 9), 25 * sizeof(float));
    assert_int_equal(billow_advance(sim, 10.0, 0.02, 3), 3); /* too slow: the excess is dropped */
    assert_int_equal(billow_advance(sim, 0.02, 0.02, 3), 1);
    assert_int_equal(billow_advance(sim, NAN, 0.02, 3), 0);
    assert_int_equal(billow_advance(sim, -1, 0.02, 3), 0);
    billow_destroy(sim);
    billow_destroy(even);
}

/* The kernels of every instruction set against the plainest ones, bit for bit, on rows of all
 * lengths. (Those that sample fields are held together by the hash of the whole step, above;
 * the solver's in test_multigrid.c.) */
typedef struct Bench {
    float in[12][80], out[4][80], halves[2][80];
} Bench;

static void run_all(const Kernels *kernels, Bench *b, int n, DivergenceSums *sums_of_divergence,
                    PlaneStatistics *sums, ScalarSum *scalar)
{
    float(*in)[80] = b->in;
    const float *rows[5] = {in[0] + 8, in[1] + 8, in[2] + 8, in[3] + 8, in[4] + 8};
    const float *more[5] = {in[5] + 8, in[6] + 8, in[7] + 8, in[8] + 8, in[9] + 8};
    RowsOut curl = {b->out[0], b->out[1], b->out[2]};
    kernels->forces->vorticity(rows, rows, more, more, rows, 0.25f, 0.7f, false, n, curl,
                               b->out[3]);
    kernels->forces->confinement(more, 0.3f, false, n, curl);
    kernels->forces->buoyancy(rows[0], rows[1], rows[2], rows[3], 0.2f, 0.3f, n, b->out[0]);
    kernels->forces->add_average(rows[0], rows[1], 0.5f, n, b->out[1]);
    DivergenceRows velocity = {rows[0], rows[1], rows[2], rows[3], rows[4], more[4]};
    PackedRows packed = {{b->halves[0], b->halves[1]}, 0, 1};
    *sums_of_divergence = kernels->project->negative_divergence(&velocity, 0, 0, n, 1, &packed);
    kernels->project->subtract_gradient(rows[1], rows[2], rows[4], 1, n, b->out[1], b->out[2],
                                        b->out[3]);
    kernels->project->add_constant(0.1f, n, b->out[2]);
    kernels->relax->scale(0.9f, n, b->out[3]);
    kernels->relax->pack(b->out[2], n, b->halves[0], b->halves[1]);
    kernels->relax->unpack(b->halves[1], b->halves[0], n & ~1, b->out[2]);
    StatisticsRows first = {rows[0], rows[1], rows[2], rows[3], rows[4], more[0]};
    *sums = kernels->statistics->sum(&first, 80, 80, n, 3);
    *scalar = (ScalarSum){0};
    kernels->statistics->sum_scalar(rows[1], 0, n, 1, scalar);
}

static void kernels_agree_to_the_bit(void **state)
{
    (void)state;
    const Kernels *plain = NULL;
    for (int table = 0; kernels_at(table) != NULL; table++)
        plain = kernels_at(table); /* the last is the plainest */
    static Bench first, second;
    unsigned seed = 17;
    for (int n = 4; n <= 64; n++)
        for (int table = 0; kernels_at(table) != NULL; table++) {
            const Kernels *kernels = kernels_find(kernels_at(table)->name);
            if (kernels == NULL)
                continue;
            for (int r = 0; r < 12; r++)
                for (int i = 0; i < 80; i++)
                    first.in[r][i] = (float)scatter(&seed) + 2;
            memset(first.out, 0, sizeof first.out);
            memset(first.halves, 0, sizeof first.halves);
            second = first;
            DivergenceSums sums_of_divergence[2];
            PlaneStatistics sums[2];
            ScalarSum scalars[2];
            run_all(plain, &first, n, &sums_of_divergence[0], &sums[0], &scalars[0]);
            run_all(kernels, &second, n, &sums_of_divergence[1], &sums[1], &scalars[1]);
            assert_memory_equal(first.out, second.out, sizeof first.out);
            assert_memory_equal(first.halves, second.halves, sizeof first.halves);
            assert_memory_equal(&sums_of_divergence[0], &sums_of_divergence[1],
                                sizeof sums_of_divergence[0]);
            assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
            assert_true(scalars[0].sum == scalars[1].sum && scalars[0].most == scalars[1].most);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_hash_whoever_computes),
        cmocka_unit_test(hash_sees_every_field),
        cmocka_unit_test(statistics_equal_plain_sums),
        cmocka_unit_test(outflow_counts_every_face),
        cmocka_unit_test(rest_stays_at_rest),
        cmocka_unit_test(symmetric_scene_stays_symmetric),
        cmocka_unit_test(violence_stays_finite),
        cmocka_unit_test(draught_dies_in_an_open_box),
        cmocka_unit_test(substeps_follow_the_cfl_limit),
        cmocka_unit_test(substeps_are_enough),
        cmocka_unit_test(advance_carries_the_remainder),
        cmocka_unit_test(kernels_agree_to_the_bit),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
