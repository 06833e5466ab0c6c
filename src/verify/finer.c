/* SPDX-License-Identifier: MIT
 * Smoke that is finer than the wind (domain.refine): what the wind feels of it. */
#include "verify/flow.h"

enum { REFINES = 3 };
static const int refines[REFINES] = {1, 2, 3};

/* -- buoyancy ---------------------------------------------------------------------------------- */

/* A warm ball at the height of 0.25 m, wider than the wind's cells. */
static double warmth(const void *context, double x, double y, double z)
{
    double r = sqrt(pow(x - 0.5, 2) + pow(y - 0.25, 2) + pow(z - 0.5, 2));
    return *(const double *)context * exp(-pow(r / 0.13, 4));
}

typedef struct Risen {
    double total, moment; /* of the density: sums over cells, and of density times height */
    double front;         /* height below which 95 % of it is, m */
    double *rows;         /* sum over each level */
    double cell;          /* m */
} Risen;

static void add_risen(void *context, const double at[3], double value)
{
    Risen *risen = context;
    risen->total += value;
    risen->moment += value * at[1];
    risen->rows[(int)(at[1] / risen->cell)] += value;
}

static Risen risen_of(const BillowSim *sim)
{
    double rows[BILLOW_GRID_MAX] = {0}, below = 0;
    const BillowView view = billow_view(sim);
    Risen risen = {.rows = rows, .cell = (double)view.cell_size};
    flow_visit(sim, PART_DENSITY, add_risen, &risen);
    int level = 0;
    for (; level < view.ny && below < 0.95 * risen.total; level++)
        below += rows[level];
    const double beyond = (below - 0.95 * risen.total) / rows[level > 0 ? level - 1 : 0];
    risen.front = (level - beyond) * risen.cell;
    risen.total *= pow(risen.cell, 3);
    risen.rows = NULL;
    return risen;
}

static void run_rise(VerifyRun *run)
{
    enum { CELLS = 32, STEPS = 90 };
    double fronts[REFINES] = {0};
    flow_plan(run, CELLS, CELLS, CELLS, REFINES * STEPS);
    for (int r = 0; r < REFINES && verify_going(run); r++) {
        BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 1.0 / CELLS);
        def.params.buoyancy = billow_default_params().buoyancy;
        def.params.advection = BILLOW_CONSERVATIVE;
        def.refine = refines[r];
        BillowSim *sim = flow_create(run, &def);
        if (sim == NULL)
            return;
        flow_fill(sim, PART_DENSITY, warmth, &(double){1});
        flow_fill(sim, PART_TEMPERATURE, warmth, &(double){60});
        const double before = risen_of(sim).total;
        for (int step = 0; step < STEPS && flow_step(run, sim, 1.0 / 60); step++)
            ;
        const Risen after = risen_of(sim);
        fronts[r] = after.front;
        if (r > 0)
            row_relative(run, row_words(run, "height of the front, refine %d over 1", refines[r]),
                         fronts[r] / fronts[0], 1, 0.013);
        row_absolute(run,
                     row_words(run, "final over initial smoke in its cells, refine %d", refines[r]),
                     after.total / before, 1, 4.5e-5);
        row_absolute(
            run,
            row_words(run, "smoke in its cells over that of the statistics, refine %d", refines[r]),
            after.total / billow_stats(sim).mass, 1, 3e-7);
        billow_destroy(sim);
    }
}

/* -- a charge that burns ----------------------------------------------------------------------- */

/* A ball of fuel. */
static double charge(const void *context, double x, double y, double z)
{
    double r = sqrt(pow(x - 0.5, 2) + pow(y - 0.5, 2) + pow(z - 0.5, 2));
    return r < 0.15 ? *(const double *)context : 0;
}

static void set_fuel(BillowSim *sim, double fuel)
{
    const BillowView view = billow_view(sim);
    const BillowFields fields = billow_fields(sim);
    const double h = (double)view.cell_size;
    for (int k = 0; k < view.nz; k++)
        for (int j = 0; j < view.ny; j++)
            for (int i = 0; i < view.nx; i++)
                fields.fuel[flow_at(&view, i, j, k)] =
                    (float)charge(&fuel, (i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h);
}

/* Amount of fuel, m3. */
static double fuel_of(const BillowSim *sim)
{
    const BillowView view = billow_view(sim);
    double sum = 0;
    for (int k = 0; k < view.nz; k++)
        for (int j = 0; j < view.ny; j++)
            for (int i = 0; i < view.nx; i++)
                sum += (double)view.fuel[flow_at(&view, i, j, k)];
    return sum * pow((double)view.cell_size, 3);
}

static void run_charge(VerifyRun *run)
{
    enum { CELLS = 32, STEPS = 60 };
    flow_plan(run, CELLS, CELLS, CELLS, REFINES * STEPS);
    for (int r = 0; r < REFINES && verify_going(run); r++) {
        BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 1.0 / CELLS);
        flow_open(&def);
        def.params.advection = BILLOW_CONSERVATIVE_SMOOTH;
        def.params.burn_expansion = 2;
        def.fire = true;
        def.refine = refines[r];
        BillowSim *sim = flow_create(run, &def);
        if (sim == NULL)
            return;
        flow_fill(sim, PART_TEMPERATURE, charge, &(double){1500});
        set_fuel(sim, 0.5);
        const double fuel = fuel_of(sim), dt = 1.0 / 240;
        double grown = 0, left = 0;
        for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
            const BillowStats stats = billow_stats(sim);
            grown += stats.expansion * dt;
            left = stats.fuel;
        }
        row_relative(
            run, row_words(run, "volume made over that of the burnt fuel, refine %d", refines[r]),
            grown / (2 * (fuel - left)), 1, 2e-6);
        row_between(run, row_words(run, "share of the fuel that burns, refine %d", refines[r]),
                    1 - left / fuel, 1, 0.5, 1);
        billow_destroy(sim);
    }
}

const VerifyCase finer_cases[] = {
    {"fine-rise", "a warm ball rises by the means of finer smoke", "the same wind at refine 1",
     "A ball of 60 K in 32\u00b3 cells of wind of a closed box of 1 m, 1.5 s. Smoke and heat have "
     "1, "
     "2 and 3 cells along an edge of a cell of wind, and buoyancy acts on their means.",
     true, .run = run_rise},
    {"fine-charge", "a charge in finer smoke makes the volume of its fuel",
     "conservation of volume",
     "A hot ball of fuel in 32\u00b3 cells of wind burns for 0.25 s in an open box; "
     "fluid.burn_expansion is 2.",
     true, .run = run_charge},
    {.name = NULL},
};
