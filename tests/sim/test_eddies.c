/* SPDX-License-Identifier: MIT
 * Eddies that are smaller than the cells of the wind: their flow against its definition, where
 * there are none, and what they do to smoke. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "hash_fixture.h"

/* A closed, open or periodic box whose wind has a linear profile: row `axis` of `gradient` is what
 * that component changes by from cell to cell along x, y and z, m/s. */
typedef struct Shear {
    float gradient[3][3];
} Shear;

static const Shear turning = {{{0.01f, -0.03f, 0.02f},
                               {0.04f, 0.005f, -0.01f},
                               {0, 0.01f, -0.015f}}},
                   straining = {{{0.03f, 0.02f, 0}, {0.02f, -0.01f, 0.01f}, {0, 0.01f, -0.02f}}};

static BillowSim *sheared(BillowFace faces, int refine, const Shear *shear)
{
    BillowDef def = quiet_def(18, 20, 16, faces);
    def.params.advection = BILLOW_CONSERVATIVE;
    def.params.eddies = 0.5f;
    def.refine = refine;
    BillowSim *sim = make(&def);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k <= 16; k++)
            for (int j = 0; j <= 20; j++)
                for (int i = 0; i <= 18; i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] =
                        1 + shear->gradient[axis][0] * ((float)i + (axis == 0 ? 0 : 0.5f)) +
                        shear->gradient[axis][1] * ((float)j + (axis == 1 ? 0 : 0.5f)) +
                        shear->gradient[axis][2] * ((float)k + (axis == 2 ? 0 : 0.5f));
    return sim;
}

/* The eddies of a simulation as a step of so many seconds has them, and the wind with them. */
typedef struct Stirred {
    BillowSim *sim;
    Eddies eddies;
    Wind wind;
} Stirred;

static void stir(BillowSim *sim, double seconds, Stirred *stirred)
{
    stirred->sim = sim;
    assert_true(eddies_begin(sim, &stirred->eddies));
    stirred->wind = smoke_wind(sim, sim->velocity);
    stirred->wind.eddies = &stirred->eddies;
    stirred->wind.scale = (float)(seconds / (double)sim->smoke.cell_size);
    memset(sim->smoke.winds, 0, (size_t)(sim->grid.ny * sim->grid.nz) * sizeof *sim->smoke.winds);
    eddies_measure(sim, &stirred->wind, 1);
}

extern const EddyKernels eddies_one; /* compiled without vectors */

/* What flows through the low face along `axis` of smoke cell (i, j, k), m/s. */
static float eddy_flow(const Stirred *stirred, const EddyKernels *kernels, int axis, int i, int j,
                       int k)
{
    const int cell[3] = {i, j, k};
    float out[ROW_ALIGNMENT] = {0};
    if (axis == 0)
        kernels->row(&stirred->wind, i, j, k, 1, out);
    else
        kernels->columns(&stirred->wind, axis, cell, 1, out);
    return out[0] / stirred->wind.scale;
}

static double strength_at(const Stirred *stirred, int i, int j, int k)
{
    return (double)stirred->eddies.strength[grid_row(&stirred->sim->grid, j, k) + i];
}

/* -- the plain twin ---------------------------------------------------------------------------- */

/* The potential at the middle of an edge along `axis` that begins at a corner of smoke cells. */
static double plain_potential(const Stirred *stirred, int axis, const int corner[3])
{
    const Eddies *eddies = &stirred->eddies;
    double place[3], strength = 0;
    int at[3];
    for (int a = 0; a < 3; a++) {
        place[a] = (corner[a] + (a == axis ? 0.5 : 0)) / stirred->sim->smoke.refine;
        at[a] = (corner[a] + eddies->shift[a]) % eddies->cells;
    }
    for (int node = 0; node < 8; node++) {
        double share = 1;
        int n[3];
        for (int a = 0; a < 3; a++) {
            n[a] = (int)floor(place[a]) + (node >> a & 1);
            share *= 1 - fabs(place[a] - n[a]);
        }
        if (share > 0)
            strength += share * strength_at(stirred, n[0], n[1], n[2]);
    }
    return strength *
           (double)eddies
               ->potential[axis][(at[1] + (ptrdiff_t)at[2] * eddies->cells) * eddies->row + at[0]];
}

/* Circulation of the potential around the low face along `axis`. */
static double plain_flow(const Stirred *stirred, int axis, int i, int j, int k)
{
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    int corner[3] = {i, j, k}, beyond_b[3] = {i, j, k}, beyond_c[3] = {i, j, k};
    beyond_b[b]++;
    beyond_c[c]++;
    return plain_potential(stirred, c, beyond_b) - plain_potential(stirred, c, corner) -
           plain_potential(stirred, b, beyond_c) + plain_potential(stirred, b, corner);
}

static void kernels_follow_the_definition(void **state)
{
    (void)state;
    for (int r = 2; r <= 4; r++) {
        BillowSim *sim = sheared(BILLOW_OPEN, r, &turning);
        sim->stats.substeps = 4 * 16 * 12 + 9; /* somewhere in the pattern */
        Stirred stirred;
        stir(sim, 1e-3, &stirred);
        const Grid *fine = &sim->smoke.grid;
        unsigned seed = 3;
        for (int sample = 0; sample < 4000; sample++) {
            int at[3];
            for (int a = 0; a < 3; a++) {
                const int cells = fine->cells[a];
                at[a] = (int)((0.5 + 0.5 * scatter(&seed)) * cells) % cells;
            }
            for (int axis = 0; axis < 3; axis++) {
                const float found =
                    eddy_flow(&stirred, sim->kernels->eddies, axis, at[0], at[1], at[2]);
                const double expected = plain_flow(&stirred, axis, at[0], at[1], at[2]);
                assert_below(fabs((double)found - expected), 1e-7);
                assert_true(found == eddy_flow(&stirred, &eddies_one, axis, at[0], at[1], at[2]));
            }
        }
        billow_destroy(sim);
    }
}

/* A kernel's row or columns hold the flows of single faces. */
static void rows_are_single_faces(void **state)
{
    (void)state;
    enum { FACES = 41 };
    BillowSim *sim = sheared(BILLOW_OPEN, 3, &turning);
    Stirred stirred;
    stir(sim, 1e-3, &stirred);
    const EddyKernels *kernels = sim->kernels->eddies;
    float row[FACES] = {0}, columns[FACES * ROW_ALIGNMENT] = {0};
    kernels->row(&stirred.wind, 7, 20, 22, FACES, row);
    for (int f = 0; f < FACES; f++)
        assert_true(row[f] / stirred.wind.scale == eddy_flow(&stirred, kernels, 0, 7 + f, 20, 22));
    for (int axis = 1; axis < 3; axis++) {
        memset(columns, 0, sizeof columns);
        kernels->columns(&stirred.wind, axis, (const int[3]){16, 5, 4}, FACES, columns);
        for (int f = 0; f < FACES; f++)
            for (int c = 0; c < ROW_ALIGNMENT; c++) {
                const int j = 5 + (axis == 1 ? f : 0), k = 4 + (axis == 2 ? f : 0);
                assert_true(columns[f * ROW_ALIGNMENT + c] / stirred.wind.scale ==
                            eddy_flow(&stirred, kernels, axis, 16 + c, j, k));
            }
    }
    billow_destroy(sim);
}

/* -- where they are, and how strong ------------------------------------------------------------ */

static void they_have_no_divergence(void **state)
{
    (void)state;
    static const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_PERIODIC, BILLOW_OPEN};
    for (int run = 0; run < 3; run++) {
        BillowSim *sim = sheared(kinds[run], 4 - run, &turning);
        Stirred stirred;
        stir(sim, 1e-3, &stirred);
        const Grid *fine = &sim->smoke.grid;
        const EddyKernels *kernels = sim->kernels->eddies;
        double most = 0, flows = 0;
        for (int k = 0; k < fine->nz; k++)
            for (int j = 0; j < fine->ny; j++)
                for (int i = 0; i < fine->nx; i++) {
                    double sum = 0;
                    for (int axis = 0; axis < 3; axis++) {
                        int next[3] = {i, j, k};
                        next[axis]++;
                        const double low = (double)eddy_flow(&stirred, kernels, axis, i, j, k),
                                     high = (double)eddy_flow(&stirred, kernels, axis, next[0],
                                                              next[1], next[2]);
                        sum += high - low;
                        flows = fmax(flows, fabs(high));
                        /* nothing passes the sides of the box */
                        assert_true(next[axis] > 1 || low == 0);
                        assert_true(next[axis] < fine->cells[axis] || high == 0);
                    }
                    most = fmax(most, fabs(sum));
                }
        assert_true(flows > 0.05);
        assert_below(most, 1e-6 * flows);
        billow_destroy(sim);
    }
}

/* Between nodes of equal strength, the root mean square of the flow is that strength. */
static void they_are_as_strong_as_the_wind_turns(void **state)
{
    (void)state;
    for (int r = 2; r <= 4; r++) {
        BillowSim *sim = sheared(BILLOW_OPEN, r, &turning);
        Stirred stirred;
        stir(sim, 1e-3, &stirred);
        const float curl[3] = {0.01f - -0.01f, 0.02f - 0, 0.04f - -0.03f};
        const double expected =
            0.5 * sqrt((double)(curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]));
        for (int k = 1; k < 16; k++)
            for (int j = 1; j < 20; j++)
                for (int i = 1; i < 18; i++)
                    assert_below(fabs(strength_at(&stirred, i, j, k) / expected - 1), 1e-4);
        double squares = 0;
        int faces = 0;
        for (int k = r; k < 15 * r; k++)
            for (int j = r; j < 19 * r; j++)
                for (int i = r; i < 17 * r; i++)
                    for (int axis = 0; axis < 3; axis++, faces++) {
                        const double flow =
                            (double)eddy_flow(&stirred, sim->kernels->eddies, axis, i, j, k);
                        squares += flow * flow;
                    }
        assert_below(fabs(sqrt(squares / faces) / expected - 1), 0.05);
        billow_destroy(sim);
    }
}

/* -- limits ------------------------------------------------------------------------------------ */

/* A cell of smoke in the pattern and in its wind cell. */
typedef struct PatternCell {
    const Eddies *eddies;
    int refine;
    int at[3];    /* in the pattern */
    int place[3]; /* in the wind cell */
} PatternCell;

/* A flow, as a sum over the strengths of the nodes of a wind cell, and the sums of its edges'
 * potentials with positive and with negative signs. */
typedef struct NodeSum {
    double nodes[8], signs[2];
} NodeSum;

/* Adds sign times the flow through the low face along `axis` of the cell `beyond` the given one. */
static void add_face(const PatternCell *cell, int axis, int beyond, double sign, NodeSum *sum)
{
    const ptrdiff_t n = cell->eddies->cells;
    for (int edge = 0; edge < 4; edge++) {
        const int along = (axis + 1 + edge % 2) % 3, across = 3 - axis - along, far = edge / 2;
        int at[3];
        double place[3];
        for (int a = 0; a < 3; a++) {
            const int ahead = a == axis ? beyond : a == across ? far : 0;
            at[a] = (cell->at[a] + ahead) % cell->eddies->cells;
            place[a] = (cell->place[a] + ahead + (a == along ? 0.5 : 0)) / cell->refine;
        }
        const bool forward = (along == (axis + 2) % 3) == (far == 1);
        const double potential =
            (forward ? sign : -sign) *
            (double)cell->eddies->potential[along][(at[1] + at[2] * n) * cell->eddies->row + at[0]];
        for (int node = 0; node < 8; node++) {
            double share = potential;
            for (int a = 0; a < 3; a++)
                share *= node >> a & 1 ? place[a] : 1 - place[a];
            sum->nodes[node] += share;
        }
        sum->signs[potential < 0] += fabs(potential);
    }
}

/* Largest value of the flow with strengths between 0 and 1. */
static double worst_of(const NodeSum *sum)
{
    double above = 0, below = 0;
    for (int node = 0; node < 8; node++) {
        above += fmax(sum->nodes[node], 0);
        below -= fmin(sum->nodes[node], 0);
    }
    return fmax(above, below);
}

/* Largest speed of the pattern, and largest difference between the faces of a cell, wherever the
 * pattern lies over the wind's cells and whatever the strength at their nodes, between 0 and 1.
 * Looks at every `stride`-th cell of the pattern. */
static void find_worst(const Eddies *eddies, int refine, int stride, double *fastest,
                       double *falling)
{
    const int n = eddies->cells;
    *fastest = *falling = 0;
    for (int c = 0; c < n * n * n; c += stride)
        for (int axis = 0; axis < 3; axis++)
            for (int o = 0; o < refine * refine * refine; o++) {
                const PatternCell cell = {eddies,
                                          refine,
                                          {c % n, c / n % n, c / n / n},
                                          {o % refine, o / refine % refine, o / refine / refine}};
                NodeSum flow = {0};
                add_face(&cell, axis, 0, -1, &flow);
                NodeSum fall = flow;
                add_face(&cell, axis, 1, 1, &fall);
                *fastest = fmax(*fastest, worst_of(&flow));
                *falling = fmax(*falling, worst_of(&fall));
                if (fmax(flow.signs[0], flow.signs[1]) < *fastest &&
                    fmax(fall.signs[0], fall.signs[1]) < *falling)
                    break; /* nor does it exceed them elsewhere in the wind cell */
            }
}

static void limits_hold_for_any_strength(void **state)
{
    (void)state;
    for (int r = 2; r <= 4; r++) {
        BillowSim *sim = sheared(BILLOW_OPEN, r, &turning);
        Eddies eddies;
        double fastest, falling;
        assert_true(eddies_begin(sim, &eddies));
        const int stride = r < 4 ? 1 : SANITIZED ? 101 : 11; /* all takes half a minute */
        find_worst(&eddies, r, stride, &fastest, &falling);
        const EddyLimits limits = eddy_limits(r);
        assert_true((double)limits.fastest >= fastest && (double)limits.falling >= falling);
        const double close = stride == 1 ? 1.01 : 1.3;
        assert_true((double)limits.fastest < close * fastest);
        assert_true((double)limits.falling < close * falling);
        billow_destroy(sim);
    }
}

static void air_that_does_not_turn_has_none(void **state)
{
    (void)state;
    BillowSim *sim = sheared(BILLOW_OPEN, 3, &straining);
    Stirred stirred;
    stir(sim, 1e-3, &stirred);
    for (int k = 1; k < 16; k++)
        for (int j = 1; j < 20; j++)
            for (int i = 1; i < 18; i++)
                assert_below(strength_at(&stirred, i, j, k), 1e-6);
    billow_destroy(sim);
}

/* In a long step they move smoke by so much of a cell as they may, and less where the wind leaves
 * little of the step. */
static void long_steps_limit_them(void **state)
{
    (void)state;
    BillowSim *sim = sheared(BILLOW_OPEN, 3, &turning);
    Stirred stirred;
    const double falls = (double)eddy_limits(3).falling;
    const double seconds = 0.5, limit = FLUX_SHARE / falls / 3 / 64 / seconds;
    stir(sim, seconds, &stirred);
    assert_true(limit < 0.03);
    assert_below(fabs(strength_at(&stirred, 9, 10, 8) / limit - 1), 1e-5);
    const float left = 0.1f;
    sim->smoke.winds[10 + 8 * 20].cells = (1 - left) * 3 / stirred.wind.scale;
    eddies_measure(sim, &stirred.wind, 1);
    assert_below(fabs(strength_at(&stirred, 9, 10, 8) * (double)stirred.wind.scale * falls /
                          (FLUX_SHARE * (double)left) -
                      1),
                 1e-4);
    assert_below(fabs(strength_at(&stirred, 9, 9, 8) / limit - 1), 1e-5); /* not beside that row */
    billow_destroy(sim);
}

/* No eddy reaches the faces that a solid shuts. */
static void they_do_not_pass_solids(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.refine = 2;
    def.params.eddies = 1;
    def.params.smoke_diffusion = def.params.heat_diffusion = 0;
    def.params.advection = BILLOW_CONSERVATIVE;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].shape = BILLOW_BOX;
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].size[axis] = 0.1f;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 10; s++)
        assert_true(billow_step(sim, 1.0 / 60));
    Stirred stirred;
    stir(sim, 1e-3, &stirred);
    int shut = 0, open = 0;
    for (int k = 1; k < sim->grid.nz - 1; k++)
        for (int j = 1; j < sim->grid.ny - 1; j++)
            for (int i = 1; i < sim->grid.nx - 1; i++)
                for (int axis = 0; axis < 3; axis++) {
                    const bool still = at(sim, sim->velocity[axis], i, j, k) == 0.0f;
                    float most = 0;
                    for (int b = 0; b < 2; b++)
                        for (int c = 0; c < 2; c++) {
                            int face[3] = {2 * i, 2 * j, 2 * k};
                            face[(axis + 1) % 3] += b;
                            face[(axis + 2) % 3] += c;
                            most = fmaxf(most, fabsf(eddy_flow(&stirred, sim->kernels->eddies, axis,
                                                               face[0], face[1], face[2])));
                        }
                    assert_true(!still || most == 0);
                    shut += still;
                    open += most > 0;
                }
    assert_true(shut > 50 && open > 1000);
    billow_destroy(sim);
}

/* -- what they do ------------------------------------------------------------------------------ */

/* Sum of the differences between neighbours along all axes: about the area of the smoke's edge. */
static double edge_area(const BillowSim *sim)
{
    const Grid *fine = &sim->smoke.grid;
    double area = 0;
    for (int k = 1; k < fine->nz; k++)
        for (int j = 1; j < fine->ny; j++)
            for (int i = 1; i < fine->nx; i++)
                for (int axis = 0; axis < 3; axis++) {
                    const float *value = sim->density + grid_row(fine, j, k) + i;
                    area += fabs((double)(*value - value[-fine->strides[axis]]));
                }
    return area;
}

/* A block in a wind that turns it keeps its amount and gets no new extrema, and its edge folds. */
static void they_fold_and_keep_smoke(void **state)
{
    (void)state;
    double areas[2];
    for (int run = 0; run < 2; run++) {
        BillowSim *sim = sheared(BILLOW_OPEN, 3, &turning);
        const Grid *fine = &sim->smoke.grid;
        double before = 0, after = 0;
        sim->def.params.eddies = 0.5f * (float)run;
        for (int axis = 0; axis < 3; axis++) { /* the middle does not move */
            const float middle = at(sim, sim->velocity[axis], 9, 10, 8);
            for (ptrdiff_t f = 0; f <= grid_row(&sim->grid, 20, 16) + 18; f++)
                sim->velocity[axis][f] -= middle;
        }
        sim->touched = true;
        for (int k = 16; k < 32; k++)
            for (int j = 20; j < 40; j++)
                for (int i = 18; i < 36; i++, before++)
                    sim->density[grid_row(fine, j, k) + i] = 1;
        for (int s = 0; s < 8; s++) {
            advect_scalars(sim, 0.05);
            sim->stats.substeps++;
        }
        for (int k = 0; k < fine->nz; k++)
            for (int j = 0; j < fine->ny; j++)
                for (int i = 0; i < fine->nx; i++) {
                    const float value = sim->density[grid_row(fine, j, k) + i];
                    assert_true(value >= 0.0f && value < 1.02f); /* gradients do not add up to 0 */
                    after += (double)value;
                }
        assert_below(fabs(after / before - 1), 2e-5);
        areas[run] = edge_area(sim);
        billow_destroy(sim);
    }
    assert_true(areas[1] > 1.1 * areas[0]);
}

static void stirred_so(BillowDef *def)
{
    def->refine = 3;
    def->params.eddies = 0.8f;
    def->params.smoke_diffusion = def->params.heat_diffusion = 0;
    def->params.advection = BILLOW_CONSERVATIVE_SMOOTH;
    def->fire = def->color = true;
}

static void same_hash_everywhere(void **state)
{
    (void)state;
    assert_one_hash(stirred_so);
}

/* Cells that take no part would hold nothing if they did. */
static void idle_cells_are_empty(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    stirred_so(&def);
    BillowSim *sims[2] = {make(&def), make(&def)};
    billow_reset(sims[0]); /* no cell takes part */
    for (int s = 0; s < 6; s++) {
        billow_step(sims[0], 1.0 / 60);
        billow_fields(sims[1]); /* all do */
        sims[1]->touched = false;
        billow_step(sims[1], 1.0 / 60);
        assert_true(billow_state_hash(sims[0]) == billow_state_hash(sims[1]));
    }
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

/* They do nothing to smoke that is no finer than the wind, or not carried by fluxes. */
static void others_have_none(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        BillowDef def = busy_def(1);
        def.refine = run == 0 ? 1 : 2;
        def.params.advection = run == 0 ? BILLOW_CONSERVATIVE : BILLOW_REFLECTION;
        uint64_t hashes[2];
        for (int with = 0; with < 2; with++) {
            def.params.eddies = (float)with;
            hashes[with] = busy_hash(&def);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

/* The pattern moves on with the number of substeps, and stays where it was when the box grows. */
static void the_pattern_has_its_place(void **state)
{
    (void)state;
    BillowSim *sim = sheared(BILLOW_OPEN, 2, &turning);
    Eddies eddies;
    assert_true(eddies_begin(sim, &eddies));
    const int first = eddies.shift[0];
    sim->stats.substeps += 4;
    assert_true(eddies_begin(sim, &eddies));
    assert_int_equal(eddies.shift[0], (first + 1) % eddies.cells);
    sim->def.origin[0] -= 24 * sim->def.cell_size;
    assert_true(eddies_begin(sim, &eddies));
    assert_int_equal((eddies.shift[0] + 24 * 2) % eddies.cells, (first + 1) % eddies.cells);
    assert_int_equal(eddies.shift[1], (first + 1) % eddies.cells);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_follow_the_definition),
        cmocka_unit_test(rows_are_single_faces),
        cmocka_unit_test(they_have_no_divergence),
        cmocka_unit_test(they_are_as_strong_as_the_wind_turns),
        cmocka_unit_test(air_that_does_not_turn_has_none),
        cmocka_unit_test(long_steps_limit_them),
        cmocka_unit_test(limits_hold_for_any_strength),
        cmocka_unit_test(they_do_not_pass_solids),
        cmocka_unit_test(they_fold_and_keep_smoke),
        cmocka_unit_test(same_hash_everywhere),
        cmocka_unit_test(idle_cells_are_empty),
        cmocka_unit_test(others_have_none),
        cmocka_unit_test(the_pattern_has_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
