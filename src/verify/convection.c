/* SPDX-License-Identifier: MIT
 * Convection between walls of given temperature. Units: depth 1 m, temperature difference 1 K,
 * buoyancy 1 m/s2 per K. Then the Rayleigh number is 1 / (viscosity * diffusion). */
#include "verify/flow.h"

/* -- a layer heated from below ----------------------------------------------------------------- */

/* Linear temperature profile of pure conduction, plus a small roll. context: wave number of the
 * roll, 1/m. */
static double warm_below(const void *wave, double x, double y, double z)
{
    const double small = 1e-3;
    (void)z;
    return 0.5 - y + small * cos(*(const double *)wave * x) * sin(PI * y);
}

typedef struct Layer {
    BillowFace floor, ceiling;
    int width, depth; /* cells; width is half a wavelength, mirrored by free-slip walls */
    int steps;
    double dt; /* s */
} Layer;

static double layer_wave(const Layer *layer)
{
    return PI * layer->depth / layer->width;
}

/* Makes two opposite faces isothermal, `warm` at +0.5 K and `cold` at -0.5 K, and sets viscosity
 * and heat diffusion. */
static void heat_sides(BillowDef *def, int warm, int cold, double viscosity, double diffusion)
{
    def->boundaries[warm].isothermal = def->boundaries[cold].isothermal = true;
    def->boundaries[warm].temperature = 0.5f;
    def->boundaries[cold].temperature = -0.5f;
    def->params.buoyancy = 1;
    def->params.viscosity = (float)viscosity;
    def->params.heat_diffusion = (float)diffusion;
    def->params.diffusion_sweeps = 40;
}

/* Growth rate of a small roll, measured in the second half of the simulated time, 1/s. */
static double roll_growth(VerifyRun *run, const Layer *layer, double rayleigh, VerifySeries *series)
{
    static Signal signal;
    const double wave = layer_wave(layer), diffusion = 1 / sqrt(rayleigh);
    BillowDef def = flow_slab_def(run, layer->width, layer->depth, 1.0 / layer->depth);
    def.faces[BILLOW_FLOOR] = layer->floor;
    def.faces[BILLOW_CEILING] = layer->ceiling;
    heat_sides(&def, BILLOW_FLOOR, BILLOW_CEILING, diffusion, diffusion);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_fill(sim, PART_TEMPERATURE, warm_below, &wave);
    flow_record(run, sim, layer->steps, layer->dt, flow_log_mode, &wave, series,
                (0.5 * layer->steps + 0.5) * layer->dt, &signal);
    return signal_slope(&signal);
}

enum { TRIALS = 3 };

/* Measures the growth rate at each Rayleigh number. Returns the critical one, at which the growth
 * rate is 0, by linear interpolation. */
static double critical(VerifyRun *run, const Layer *layer, const double rayleigh[TRIALS],
                       double growth[TRIALS])
{
    BillowDef def = flow_slab_def(run, layer->width, layer->depth, 1);
    flow_plan(run, &def, TRIALS * layer->steps);
    VerifyPlot *plot = plot_add(run, "Growth of a small roll", "time (s)", "logarithm of the flow");
    for (int trial = 0; trial < TRIALS && verify_going(run); trial++)
        growth[trial] = roll_growth(run, layer, rayleigh[trial],
                                    plot_series(plot, VERIFY_LINE, "Ra %.0f", rayleigh[trial]));
    if (!verify_going(run))
        return UNKNOWN;
    int low = growth[1] > 0 ? 0 : 1;
    double share = -growth[low] / (growth[low + 1] - growth[low]);
    return rayleigh[low] + share * (rayleigh[low + 1] - rayleigh[low]);
}

static void run_rigid(VerifyRun *run)
{
    const Layer layer = {BILLOW_NO_SLIP, BILLOW_NO_SLIP, 32, 32, 1500, 0.02};
    const double rayleigh[TRIALS] = {1400, 1700, 2000};
    double growth[TRIALS];
    double onset = critical(run, &layer, rayleigh, growth);
    if (!verify_going(run))
        return;
    row_between(run, "critical Rayleigh number, rigid plates", onset, 1707.762, 1500, 1950);
    row_between(run, "growth rate at Ra 1400, 1/s", growth[0], UNKNOWN, -UNLIMITED, 0);
    row_between(run, "growth rate at Ra 2000, 1/s", growth[2], UNKNOWN, 0, UNLIMITED);
}

/* The most unstable wave number is 2.682 / depth. */
static void run_rigid_free(VerifyRun *run)
{
    const Layer layer = {BILLOW_NO_SLIP, BILLOW_CLOSED, 38, 32, 1500, 0.02};
    const double rayleigh[TRIALS] = {900, 1100, 1300};
    double growth[TRIALS];
    double onset = critical(run, &layer, rayleigh, growth);
    if (!verify_going(run))
        return;
    row_relative(run, "critical Rayleigh number, rigid below, free above", onset, 1100.65, 0.10);
    row_between(run, "growth rate at Ra 900, 1/s", growth[0], UNKNOWN, -UNLIMITED, 0);
    row_between(run, "growth rate at Ra 1300, 1/s", growth[2], UNKNOWN, 0, UNLIMITED);
}

/* Growth rate s of a mode: (s + kappa q2)(s + nu q2) = g alpha beta k2 / q2, with q2 = k2 + pi2 and
 * kappa = nu. */
static double free_growth(double rayleigh, double wave)
{
    double nu = 1 / sqrt(rayleigh), squares = wave * wave + PI * PI;
    return sqrt(wave * wave / squares) - nu * squares;
}

static void run_free(VerifyRun *run)
{
    const Layer layer = {BILLOW_CLOSED, BILLOW_CLOSED, 46, 32, 1500, 0.02};
    const double rayleigh[TRIALS] = {550, 650, 900};
    double growth[TRIALS];
    double onset = critical(run, &layer, rayleigh, growth);
    if (!verify_going(run))
        return;
    row_relative(run, "critical Rayleigh number, free plates", onset, 657.511, 0.10);
    row_relative(run, "growth rate at Ra 900, 1/s", growth[2], free_growth(900, layer_wave(&layer)),
                 0.10);
}

/* -- a cavity heated from the side ---------------------------------------------------------- */

/* Nusselt number: mean of -dT/dx at the hot wall. The slope is that of the parabola through the
 * temperatures of the wall and the two nearest cell centres. A FlowProbe. */
static double nusselt(const void *context, const BillowView *view)
{
    (void)context;
    double sum = 0, h = (double)view->cell_size;
    for (int j = 0; j < view->ny; j++) {
        double first = (double)view->temperature[flow_at(view, 0, j, 4)];
        double second = (double)view->temperature[flow_at(view, 1, j, 4)];
        sum += (8 * 0.5 - 9 * first + second) / (3 * h);
    }
    return sum / view->ny;
}

/* Simulates a cavity heated from the side for a number of steps and returns its Nusselt number. */
static double side_heated(VerifyRun *run, int cells, double rayleigh, int steps, double dt,
                          VerifySeries *series)
{
    static Signal signal;
    const double prandtl = 0.71;
    BillowDef def = flow_slab_def(run, cells, cells, 1.0 / cells);
    for (int side = BILLOW_LEFT; side <= BILLOW_CEILING; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    heat_sides(&def, BILLOW_LEFT, BILLOW_RIGHT, sqrt(prandtl / rayleigh),
               1 / sqrt(prandtl * rayleigh));
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_record(run, sim, steps, dt, nusselt, NULL, series, 0, &signal);
    return signal.count > 0 ? signal.values[signal.count - 1] : UNKNOWN;
}

static void run_heated_cavity(VerifyRun *run)
{
    static const double rayleigh[3] = {1e3, 1e4, 1e5}, reference[3] = {1.118, 2.243, 4.519};
    static const int steps[3] = {2000, 3000, 4000};
    BillowDef def = flow_slab_def(run, 64, 64, 1);
    flow_plan(run, &def, steps[0] + steps[1] + steps[2]);
    VerifyPlot *plot = plot_add(run, "Heat through the hot wall", "time (s)", "Nusselt number");
    for (int n = 0; n < 3; n++) {
        double number = side_heated(run, 64, rayleigh[n], steps[n], 0.02,
                                    plot_series(plot, VERIFY_LINE, "Ra %.0f", rayleigh[n]));
        if (!verify_going(run))
            return;
        row_relative(run, row_words(run, "Nusselt number at Ra %.0f", rayleigh[n]), number,
                     reference[n], 0.05);
    }
}

/* The boundary layer takes about 2 % of the width, which is 2 to 3 of the 128 cells. */
static void run_heated_cavity_1e6(VerifyRun *run)
{
    enum { CELLS = 128, STEPS = 5000 };
    BillowDef def = flow_slab_def(run, CELLS, CELLS, 1);
    flow_plan(run, &def, STEPS);
    double number = side_heated(run, CELLS, 1e6, STEPS, 0.02,
                                plot_over_time(run, "Heat through the hot wall", "Nusselt number"));
    if (verify_going(run))
        row_relative(run, "Nusselt number at Ra 1000000", number, 8.800, 0.05);
}

const VerifyCase convection_cases[] = {
    {"rayleigh-benard", "onset of convection between rigid plates", "Chandrasekhar 1961",
     "A half wave in 32\u00b2 cells, 8 thick and periodic in z; plates no-slip at given "
     "temperatures, Pr 1, growth of a small roll at Ra 1400, 1700, 2000 over 15 to 30 s.",
     true, run_rigid},
    {"rayleigh-benard-free", "onset and growth of convection between free-slip plates",
     "Chandrasekhar 1961",
     "A half wave in 46x32 cells, 8 thick and periodic in z; Pr 1, Ra 550, 650, 900.", false,
     run_free},
    {"rayleigh-benard-mixed", "onset of convection between a no-slip floor and a free-slip ceiling",
     "Chandrasekhar 1961",
     "A half wave in 38x32 cells, 8 thick and periodic in z; Pr 1, Ra 900, 1100, 1300.", false,
     run_rigid_free},
    {"heated-cavity", "heat through a square box that is heated from one side",
     "de Vahl Davis 1983",
     "64\u00b2 cells, 8 thick and periodic in z, no-slip, Pr 0.71, until t = 40, 60, 80.", false,
     run_heated_cavity},
    {"heated-cavity-1e6", "heat through such a box at Ra 1000000", "de Vahl Davis 1983",
     "128\u00b2 cells, 8 thick and periodic in z, no-slip, Pr 0.71, until t = 100.", false,
     run_heated_cavity_1e6},
    {.name = NULL},
};
