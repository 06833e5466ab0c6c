/* SPDX-License-Identifier: MIT
 * Smoke that is finer than the wind: what flows through its cells, amounts, and which cells take
 * part. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "hash_fixture.h"
#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"
#include "sim/pressure/project.h"

static const int cells[3] = {12, 14, 10};

static float smoke_at(const BillowSim *sim, const float *field, int i, int j, int k)
{
    return field[grid_row(&sim->smoke.grid, j, k) + i];
}

static double smoke_total(const BillowSim *sim, const float *field)
{
    double sum = 0;
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int j = 0; j < sim->smoke.grid.ny; j++)
            for (int i = 0; i < sim->smoke.grid.nx; i++)
                sum += (double)smoke_at(sim, field, i, j, k);
    return sum;
}

/* f at the centres of smoke cells, in wind cells. */
static void fill_smoke(BillowSim *sim, float *field, Function *f)
{
    const double h = 1.0 / sim->smoke.refine;
    sim->touched = true;
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int j = 0; j < sim->smoke.grid.ny; j++)
            for (int i = 0; i < sim->smoke.grid.nx; i++)
                field[grid_row(&sim->smoke.grid, j, k) + i] =
                    (float)f(h * (i + 0.5), h * (j + 0.5), h * (k + 0.5));
}

/* A swirling flow without divergence: projected noise. */
static BillowSim *swirling(BillowFace faces, int refine, BillowAdvection advection)
{
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], faces);
    def.params.advection = advection;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 40;
    def.params.cfl = 100;
    def.refine = refine;
    BillowSim *sim = make(&def);
    unsigned seed = 9;
    for (int axis = 0; axis < 3; axis++) {
        int n[3] = {cells[0], cells[1], cells[2]};
        n[axis]++;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] =
                        (float)scatter(&seed) * 3 / 64;
    }
    boundaries_apply(sim);
    project(sim, 1);
    return sim;
}

/* Speed through the low face along `axis` of a smoke cell. */
static double flow(const BillowSim *sim, int axis, int i, int j, int k)
{
    const FlowKernels *kernels = sim->kernels->flow;
    const Wind wind = smoke_wind(sim, sim->velocity);
    float out[ROW_ALIGNMENT];
    if (axis == 0)
        kernels->row(&wind, i, j, k, 1, out);
    else
        kernels->columns(&wind, axis, (const int[3]){i, j, k}, 1, out);
    return (double)out[0];
}

/* Every smoke cell has the divergence of its wind cell, and through the smoke faces in a face of
 * the wind flows what flows through it. */
static void flow_keeps_its_divergence(void **state)
{
    (void)state;
    static const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_PERIODIC, BILLOW_OPEN};
    for (int run = 0; run < 9; run++) {
        const int r = 2 + run % 3;
        BillowSim *sim = swirling(kinds[run / 3], r, BILLOW_CONSERVATIVE);
        const Grid *fine = &sim->smoke.grid;
        double most = 0;
        for (int k = 0; k < fine->nz; k++)
            for (int j = 0; j < fine->ny; j++)
                for (int i = 0; i < fine->nx; i++) {
                    double fine_flow = 0, wind_flow = 0;
                    const int cell[3] = {i, j, k}, own[3] = {i / r, j / r, k / r};
                    for (int axis = 0; axis < 3; axis++) {
                        int next[3] = {i, j, k}, beyond[3] = {own[0], own[1], own[2]};
                        next[axis]++;
                        beyond[axis]++;
                        fine_flow += flow(sim, axis, next[0], next[1], next[2]) -
                                     flow(sim, axis, cell[0], cell[1], cell[2]);
                        wind_flow +=
                            ((double)at(sim, sim->velocity[axis], beyond[0], beyond[1], beyond[2]) -
                             (double)at(sim, sim->velocity[axis], own[0], own[1], own[2]));
                    }
                    most = fmax(most, fabs(r * fine_flow - wind_flow));
                }
        assert_below(most, 4e-7);
        for (int axis = 0; axis < 3; axis++) {
            int first[3] = {3, 4, 5};
            double sum = 0;
            for (int q = 0; q < r * r; q++) {
                int face[3] = {first[0] * r, first[1] * r, first[2] * r};
                face[(axis + 1) % 3] += q % r;
                face[(axis + 2) % 3] += q / r;
                sum += flow(sim, axis, face[0], face[1], face[2]) / (r * r);
            }
            assert_below(
                fabs(sum - (double)at(sim, sim->velocity[axis], first[0], first[1], first[2])),
                4e-8);
        }
        billow_destroy(sim);
    }
}

static double shear(double x, double y, double z)
{
    (void)x;
    return 0.3 + 0.05 * y - 0.02 * z;
}

/* A flow with linear profile is that at the faces of smoke cells, away from walls. */
static void linear_profiles_are_exact(void **state)
{
    (void)state;
    BillowDef def = quiet_def(cells[0], cells[1], cells[2], BILLOW_PERIODIC);
    def.refine = 3;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, shear);
    for (int k = 6; k < 20; k++)
        for (int j = 6; j < 30; j++)
            for (int i = 0; i <= 36; i++)
                assert_below(fabs(flow(sim, 0, i, j, k) - shear(0, (j + 0.5) / 3, (k + 0.5) / 3)),
                             1e-6);
    billow_destroy(sim);
}

static double seven(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.7;
}

static double block(double x, double y, double z)
{
    return x > 3 && x < 7 && y > 2 && y < 6 && z > 3 && z < 7 ? 1 : 0;
}

static void uniform_smoke_stays_uniform(void **state)
{
    (void)state;
    for (int run = 0; run < 7; run++) {
        const int r = run < 4 ? 1 + run : run - 2;
        BillowSim *sim = swirling(BILLOW_CLOSED, r, BILLOW_CONSERVATIVE);
        sim->def.params.eddies = run < 4 ? 0 : 1;
        fill_smoke(sim, sim->density, seven);
        for (int s = 0; s < 6; s++)
            advect_scalars(sim, 2);
        for (int k = 0; k < sim->smoke.grid.nz; k++)
            for (int j = 0; j < sim->smoke.grid.ny; j++)
                for (int i = 0; i < sim->smoke.grid.nx; i++)
                    assert_below(fabs((double)smoke_at(sim, sim->density, i, j, k) - 0.7), 1e-4);
        billow_destroy(sim);
    }
}

static void amounts_are_kept(void **state)
{
    (void)state;
    for (int r = 1; r <= 4; r++)
        for (int wraps = 0; wraps < 2; wraps++) {
            BillowSim *sim =
                swirling(wraps ? BILLOW_PERIODIC : BILLOW_CLOSED, r, BILLOW_CONSERVATIVE);
            fill_smoke(sim, sim->density, block);
            double before = smoke_total(sim, sim->density);
            for (int s = 0; s < 20; s++)
                advect_scalars(sim, 1.5);
            assert_below(fabs(smoke_total(sim, sim->density) / before - 1), 3e-5);
            for (int k = 0; k < sim->smoke.grid.nz; k++)
                for (int j = 0; j < sim->smoke.grid.ny; j++)
                    for (int i = 0; i < sim->smoke.grid.nx; i++) {
                        float value = smoke_at(sim, sim->density, i, j, k);
                        assert_true(value >= 0.0f && value < 1.001f);
                    }
            billow_destroy(sim);
        }
}

/* Cells that take no part would hold nothing if they did. */
static void idle_cells_are_empty(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
         advection++)
        for (int r = 1; r <= 3; r += 2) {
            BillowDef def = busy_def(2);
            def.refine = r;
            def.fire = def.color = def.age = true;
            def.params.smoke_diffusion = def.params.heat_diffusion =
                0; /* else all cells take part */
            def.params.advection = (BillowAdvection)advection;
            BillowSim *sims[2] = {make(&def), make(&def)};
            billow_reset(sims[0]); /* no cell takes part */
            bool idle = false;
            for (int s = 0; s < 6; s++) {
                billow_step(sims[0], 1.0 / 60);
                billow_fields(sims[1]); /* all do */
                sims[1]->touched = false;
                billow_step(sims[1], 1.0 / 60);
                idle |= sims[0]->smoke.before[sims[0]->smoke.grid.nz] <
                        (int64_t)sims[0]->smoke.grid.nx * sims[0]->smoke.blocks *
                            sims[0]->smoke.grid.nz;
                assert_true(billow_state_hash(sims[0]) == billow_state_hash(sims[1]));
            }
            assert_true(idle);
            billow_destroy(sims[0]);
            billow_destroy(sims[1]);
        }
}

/* A puff at the corner of a periodic box, which a uniform wind of whole cells carries along y, so
 * fast that a step passes rows that took part before. */
static BillowSim *puff_at_a_corner(void)
{
    BillowDef def = quiet_def(16, 80, 8, BILLOW_PERIODIC);
    def.refine = 4;
    BillowSim *sim = make(&def);
    const float speed = 60 * def.cell_size; /* a cell in a step */
    for (int k = 0; k < 8; k++)
        for (int j = 0; j <= 80; j++)
            for (int i = 0; i < 16; i++) {
                const ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
                sim->velocity[1][at] = 3.75f * speed;
                sim->velocity[0][at] = j < 80 ? -0.125f * speed : 0;
            }
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 64; i++)
                sim->density[grid_row(&sim->smoke.grid, j, k) + i] = i < 6 || i > 58 ? 1 : 0;
    sim->touched = true;
    return sim;
}

/* Rows that take part no longer leave no ghosts behind, which others would sample. */
static void idle_rows_leave_no_ghosts(void **state)
{
    (void)state;
    BillowSim *sim = puff_at_a_corner();
    const double before = smoke_total(sim, sim->density);
    for (int s = 0; s < 8; s++) {
        assert_true(billow_step(sim, 1.0 / 60));
        assert_below(fabs(smoke_total(sim, sim->density) / before - 1), 2e-3);
    }
    billow_destroy(sim);
}

/* Around a periodic box whose last block has fewer rows than the others, smoke comes past it into
 * the first block. */
static void smoke_passes_a_short_block(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 22, 8, BILLOW_PERIODIC); /* 44 rows: the last block has 4 */
    def.refine = 2;
    def.params.advection = BILLOW_CONSERVATIVE_SMOOTH;
    def.params.cfl = 100;
    BillowSim *sim = make(&def);
    for (int k = 0; k < 8; k++)
        for (int j = 0; j <= 22; j++)
            for (int i = 0; i < 16; i++)
                sim->velocity[1][grid_row(&sim->grid, j, k) + i] = 3 * 60 * def.cell_size;
    for (int j = 27; j < 33; j++)
        for (int i = 8; i < 16; i++)
            sim->density[grid_row(&sim->smoke.grid, j, 7) + i] = 1;
    sim->touched = true;
    const double before = smoke_total(sim, sim->density);
    for (int s = 0; s < 6; s++) {
        assert_true(billow_step(sim, 1.0 / 60));
        assert_below(fabs(smoke_total(sim, sim->density) / before - 1), 2e-3);
    }
    billow_destroy(sim);
}

static void a_reset_leaves_nothing(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    def.refine = 3;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_PERIODIC;
    def.nx += def.nx % 2, def.ny += def.ny % 2, def.nz += def.nz % 2;
    memset(def.boundaries, 0, sizeof def.boundaries);
    for (int e = 0; e < def.emitter_count; e++)
        def.emitters[e].expansion = 0;
    BillowSim *sim = make(&def);
    uint64_t hashes[10];
    billow_reset(sim);
    for (int run = 0; run < 2; run++) {
        for (int s = 0; s < 10; s++) {
            billow_step(sim, 1.0 / 60);
            hashes[s] = run == 0 ? billow_state_hash(sim) : hashes[s];
            assert_true(hashes[s] == billow_state_hash(sim));
        }
        billow_reset(sim);
    }
    billow_destroy(sim);
}

/* Values of -0 are nothing. */
static void negative_zeros_are_nothing(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_CLOSED);
    BillowSim *sim = make(&def);
    const BillowFields fields = billow_fields(sim);
    const BillowView view = billow_view(sim);
    for (int i = 0; i < 16; i++)
        fields.temperature[i + 9 * view.stride_y + 8 * view.stride_z] = -0.0f;
    fields.density[3 + 2 * view.stride_y + 2 * view.stride_z] = 1;
    for (int s = 0; s < 3; s++)
        assert_true(billow_step(sim, 1.0 / 60));
    assert_below(fabs(smoke_total(sim, sim->density) - 1), 1e-5);
    assert_true(smoke_span(&sim->smoke, 9, 8).begin >= smoke_span(&sim->smoke, 9, 8).end);
    billow_destroy(sim);
}

static void refine_2(BillowDef *def)
{
    def->refine = 2;
    def->params.smoke_diffusion = def->params.heat_diffusion = 0;
    def->params.advection = BILLOW_CONSERVATIVE;
    def->fire = def->color = true;
}

static void refine_3(BillowDef *def)
{
    def->refine = 3;
    def->params.smoke_diffusion = def->params.heat_diffusion = 0;
    def->params.advection = BILLOW_SEMI_LAGRANGIAN;
}

static void same_hash_everywhere(void **state)
{
    (void)state;
    assert_one_hash(refine_2);
    assert_one_hash(refine_3);
}

/* The mass that a plume releases and that a charge burns is there, whatever the grid of the smoke.
 */
static void budgets_balance(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE; advection++)
        for (int r = 1; r <= 3; r++) {
            BillowDef def = busy_def(2);
            def.refine = r;
            def.params.advection = (BillowAdvection)advection;
            def.params.smoke_diffusion = def.params.heat_diffusion = 0;
            def.params.tolerance = 1e-4f;
            def.params.cycles = 20;
            BillowSim *sim = make(&def);
            for (int s = 0; s < 30; s++)
                billow_step(sim, 1.0 / 60);
            BillowStats stats = billow_stats(sim);
            assert_true(stats.mass_sources > 0 && stats.nonfinite == 0);
            double limit = advection == BILLOW_CONSERVATIVE ? 1e-3 : 0.02;
            if (!(fabs(stats.mass_drift) < limit * stats.mass_sources))
                fail_msg("advection %d, refine %d: of %g m3 released the budget misses %g",
                         advection, r, stats.mass_sources, stats.mass_drift);
            billow_destroy(sim);
        }
}

static double slanted(double x, double y, double z)
{
    return 0.3 * x - 0.2 * y + 0.1 * z;
}

/* -- diffusion --------------------------------------------------------------------------------- */

/* A box of 12 cells along an axis and 8 along the others, whose smoke diffuses by `a` cells of
 * smoke squared in a second. */
static BillowDef diffusing_def(int axis, int refine, BillowFace faces, double a)
{
    int n[3] = {8, 8, 8};
    n[axis] = 12;
    BillowDef def = quiet_def(n[0], n[1], n[2], faces);
    const double h = (double)def.cell_size / refine;
    def.refine = refine;
    def.params.smoke_diffusion = def.params.heat_diffusion = (float)(a * h * h);
    return def;
}

static float on_line(const BillowSim *sim, const float *field, int axis, int cell)
{
    int at[3] = {9, 10, 11};
    at[axis] = cell;
    return smoke_at(sim, field, at[0], at[1], at[2]);
}

/* A step divides the gravest mode of an insulated box, and that of a periodic one, by 1 + a l, with
 * l = 2 - 2 cos(k) and the phase k from cell to cell. */
static void waves_diffuse(void **state)
{
    (void)state;
    for (int run = 0; run < 12; run++) {
        const int axis = run % 3, refine = 2 + run / 3 % 2;
        const bool wraps = run >= 6;
        BillowDef def = diffusing_def(axis, refine, wraps ? BILLOW_PERIODIC : BILLOW_CLOSED, 2.5);
        BillowSim *sim = make(&def);
        const Grid *grid = &sim->smoke.grid;
        const double phase = (wraps ? 2 : 1) * PI / grid->cells[axis];
        for (int k = 0; k < grid->nz; k++)
            for (int j = 0; j < grid->ny; j++)
                for (int i = 0; i < grid->nx; i++)
                    sim->density[grid_row(grid, j, k) + i] =
                        (float)(2 + cos(phase * (((const int[3]){i, j, k})[axis] + 0.5)));
        diffuse_scalars(sim, 1);
        for (int c = 0; c < grid->cells[axis]; c++) {
            double wanted = 2 + cos(phase * (c + 0.5)) / (1 + 2.5 * (2 - 2 * cos(phase)));
            assert_below(fabs((double)on_line(sim, sim->density, axis, c) - wanted), 2e-6);
        }
        billow_destroy(sim);
    }
}

static void plates_conduct_linearly(void **state)
{
    (void)state;
    for (int axis = SANITIZED ? 2 : 0; axis < 3; axis++) {
        BillowDef def = diffusing_def(axis, 3, BILLOW_CLOSED, 50);
        BillowBoundary *low = &def.boundaries[2 * axis], *high = low + 1;
        low->isothermal = high->isothermal = true;
        low->temperature = 40;
        high->temperature = -10;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 100; s++)
            diffuse_scalars(sim, 1);
        const int n = sim->smoke.grid.cells[axis];
        for (int c = 0; c < n; c++)
            assert_below(
                fabs((double)on_line(sim, sim->temperature, axis, c) - 40 + 50 * (c + 0.5) / n),
                2e-3);
        billow_destroy(sim);
    }
}

static double patchy(double x, double y, double z)
{
    return sin(5 * x) * sin(3 * y) * sin(4 * z) > 0 ? 1 : 0;
}

/* Around a ball, in a periodic box: the amount, no new extrema, and nothing in the ball. */
static void diffusion_keeps_amounts(void **state)
{
    (void)state;
    BillowDef def = diffusing_def(0, 2, BILLOW_PERIODIC, 3);
    def.solids[def.solid_count++] = billow_default_solid();
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 4.3f * def.cell_size;
    def.solids[0].size[0] = 2.6f * def.cell_size;
    BillowSim *sim = make(&def);
    const Grid *grid = &sim->smoke.grid;
    fill_smoke(sim, sim->density, patchy);
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++)
                if (!smoke_is_fluid(sim, (const int[3]){i, j, k}))
                    sim->density[grid_row(grid, j, k) + i] = 0;
    const double before = smoke_total(sim, sim->density);
    for (int s = 0; s < 40; s++)
        diffuse_scalars(sim, 1);
    assert_below(fabs(smoke_total(sim, sim->density) / before - 1), 1e-5);
    int solid = 0;
    float least = 1, most = 0;
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++) {
                const float value = smoke_at(sim, sim->density, i, j, k);
                if (smoke_is_fluid(sim, (const int[3]){i, j, k})) {
                    least = fminf(least, value);
                    most = fmaxf(most, value);
                } else {
                    solid++;
                    assert_true(value == 0.0f);
                }
            }
    assert_true(solid > 100 && least > 0.2f && most < 0.8f);
    billow_destroy(sim);
}

/* From a plate that keeps 80 K into a long box: 80 erfc(x / (2 sqrt(k t))). */
static void a_plate_heats_the_smoke(void **state)
{
    (void)state;
    for (int refine = 2; refine <= (SANITIZED ? 2 : 4); refine++) {
        BillowDef def = diffusing_def(0, refine, BILLOW_CLOSED, 1);
        const float h = def.cell_size;
        const double depth = 2, steps = 90; /* depth: wind cells, sqrt(k t) */
        def.nx = 24;
        def.params.heat_diffusion = (float)(depth * depth * (double)h * (double)h / steps);
        def.solids[0] = billow_default_solid();
        def.solids[0].shape = BILLOW_BOX;
        def.solids[0].size[0] = 4 * h;
        def.solids[0].size[1] = def.solids[0].size[2] = 1;
        def.solids[0].center[0] = 0;
        def.solids[0].isothermal = true;
        def.solids[0].temperature = 80;
        def.solid_count = 1;
        BillowSim *sim = make(&def);
        for (int s = 0; s < (int)steps; s++)
            diffuse_scalars(sim, 1);
        for (int n = 4 * refine; n < 24 * refine; n++) {
            const double x = (n + 0.5) / refine - 4;
            assert_below(
                fabs((double)on_line(sim, sim->temperature, 0, n) - 80 * erfc(x / (2 * depth))),
                0.5);
        }
        billow_destroy(sim);
    }
}

/* -- views ------------------------------------------------------------------------------------- */

/* A velocity that is linear in space, at the centres of the smoke's cells; beyond the centres of
 * the outermost cells of wind it is that of these. */
static void cells_of_smoke_have_a_velocity(void **state)
{
    (void)state;
    for (int refine = 1; refine <= BILLOW_REFINE_MAX; refine++) {
        BillowDef def = quiet_def(9, 8, 10, BILLOW_CLOSED);
        def.refine = refine;
        BillowSim *sim = make(&def);
        for (int axis = 0; axis < 3; axis++)
            fill_faces(sim, axis, slanted);
        BillowView view = billow_view(sim);
        const BillowView wind = billow_wind_view(&view);
        assert_true(wind.nx == 9 && wind.ny == 8 && wind.nz == 10 && wind.refine == 1);
        assert_true(wind.cell_size == def.cell_size && wind.density == NULL && wind.u == view.u);
        for (int k = refine; k < 9 * refine; k++)
            for (int j = refine; j < 7 * refine; j++)
                for (int i = refine; i < 8 * refine; i++) {
                    const int cell[3] = {i, j, k};
                    const double h = 1.0 / refine;
                    double wanted = slanted(h * (i + 0.5), h * (j + 0.5), h * (k + 0.5));
                    float velocity[3];
                    billow_cell_velocity(&view, cell, velocity);
                    for (int axis = 0; axis < 3; axis++)
                        assert_below(fabs((double)velocity[axis] - wanted), 1e-5);
                }
        view.refine = 0; /* as in a view made by hand, whose cells are those of the wind */
        if (refine == 1) {
            float velocity[3];
            view.wind_stride_y = view.wind_stride_z = 0;
            billow_cell_velocity(&view, (const int[3]){4, 4, 4}, velocity);
            assert_below(fabs((double)velocity[1] - slanted(4.5, 4.5, 4.5)), 1e-5);
        }
        billow_destroy(sim);
    }
}

static void refine_is_limited(void **state)
{
    (void)state;
    BillowError error = {""};
    BillowDef def = quiet_def(16, 1024, 8, BILLOW_CLOSED);
    def.refine = 3;
    assert_null(billow_create(&def, &error));
    assert_non_null(strstr(error.text, "refine 3 makes 3072 cells of smoke of the 1024 along y; at "
                                       "most 2048 can be"));
    def.refine = 0; /* as in a definition that was cleared */
    assert_true(billow_bytes_needed(&def) == 0);
    assert_null(billow_create(&def, &error));
    def.refine = 5;
    assert_true(billow_bytes_needed(&def) == 0);
    assert_null(billow_create(&def, &error));
    assert_non_null(strstr(error.text, "refine is 5; it must lie between 1 and 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_keeps_its_divergence),
        cmocka_unit_test(linear_profiles_are_exact),
        cmocka_unit_test(uniform_smoke_stays_uniform),
        cmocka_unit_test(amounts_are_kept),
        cmocka_unit_test(idle_cells_are_empty),
        cmocka_unit_test(idle_rows_leave_no_ghosts),
        cmocka_unit_test(smoke_passes_a_short_block),
        cmocka_unit_test(a_reset_leaves_nothing),
        cmocka_unit_test(negative_zeros_are_nothing),
        cmocka_unit_test(same_hash_everywhere),
        cmocka_unit_test(budgets_balance),
        cmocka_unit_test(waves_diffuse),
        cmocka_unit_test(plates_conduct_linearly),
        cmocka_unit_test(diffusion_keeps_amounts),
        cmocka_unit_test(a_plate_heats_the_smoke),
        cmocka_unit_test(cells_of_smoke_have_a_velocity),
        cmocka_unit_test(refine_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
