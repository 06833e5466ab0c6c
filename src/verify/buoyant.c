/* SPDX-License-Identifier: MIT
 * Buoyant flows: Rayleigh-Taylor, thermals, convection between walls, and a plume. */
#include "base/fail.h"
#include "verify/flow.h"

#include <stdlib.h>

/* -- Rayleigh-Taylor ------------------------------------------------------------------------ */

/* Cold air over warm air. The interface is a cosine with half a wavelength across the box. */
typedef struct Layers {
    double height, thickness, amplitude; /* dimensions of the interface, m */
    double wave;                         /* wave number, 1/m */
    double warmth; /* temperature of the lower layer minus that of the upper one, K */
} Layers;

static double layers(const void *context, double x, double y, double z)
{
    const Layers *l = context;
    double boundary = l->height + l->amplitude * cos(l->wave * x);
    (void)z;
    return -0.5 * l->warmth * tanh((y - boundary) / l->thickness);
}

/* Growth rate s of a sharp interface between inviscid layers of depth D: s^2 = A g k tanh(kD). Here
 * A g = buoyancy * warmth / 2. */
static void run_rayleigh_taylor(VerifyRun *run)
{
    enum { WIDTH = 64, HEIGHT = 128 };
    static Signal signal;
    const double h = 1.0 / WIDTH, warmth = 20;
    const Layers bent = {1, h, 0.1 * h, PI, warmth};
    BillowDef def = flow_slab_def(run, WIDTH, HEIGHT, h);
    def.params.buoyancy = billow_default_params().buoyancy;
    double growth = sqrt(0.5 * (double)def.params.buoyancy * warmth * PI * tanh(PI));
    double dt = 0.04 / growth;
    int steps = (int)(4.0 / 0.04);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    VerifyPlot *plot = plot_add(run, "Growth of the bend", "time (s)", "logarithm of the flow");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *expected = plot_series(plot, VERIFY_LINE, "slope of the reference");
    flow_fill(sim, PART_TEMPERATURE, layers, &bent);
    /* The flow starts from rest and grows as sinh(st), almost exponentially from st = 2. */
    flow_record(run, sim, steps, dt, flow_log_mode, &bent.wave, measured, 2 / growth, &signal);
    for (int n = 0; n < signal.count; n++)
        plot_point(expected, signal.times[n],
                   signal.values[0] + growth * (signal.times[n] - signal.times[0]));
    row_relative(run, "growth rate, 1/s", signal_slope(&signal), growth, 0.05);
}

/* -- thermals ------------------------------------------------------------------------------- */

enum { THERMAL_CELLS = 80, THERMAL_WIDE = 128, THERMAL_HEIGHT = 120, THERMAL_SAMPLES = 64 };
enum { THERMALS = 4 };

/* The initial ball of warm air. It is patchy, because a uniform ball rolls up to a smooth ring that
 * entrains little. Scorer's thermals were irregular from the start, too: he released them by
 * overturning a cup. */
typedef struct Ball {
    double middle, height, radius; /* m */
    double warmth; /* mean temperature, K; single patches have 0 to 2 times the mean */
    double patch;  /* size of a patch, m */
    uint32_t seed; /* seed of the random patches; 0: a uniform ball */
} Ball;

/* Returns a random number for one patch, uniform in -1 to 1. */
static double scatter(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
    uint32_t h = x * 73856093u ^ y * 19349663u ^ z * 83492791u ^ seed * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return (double)(h ^ h >> 16) / 2147483647.5 - 1;
}

static double hot_ball(const void *context, double x, double y, double z)
{
    const Ball *ball = context;
    double from_x = x - ball->middle, from_y = y - ball->height, from_z = z - ball->middle;
    if (sqrt(from_x * from_x + from_y * from_y + from_z * from_z) >= ball->radius)
        return 0;
    if (ball->seed == 0)
        return ball->warmth;
    return ball->warmth * (1 + scatter((uint32_t)(x / ball->patch), (uint32_t)(y / ball->patch),
                                       (uint32_t)(z / ball->patch), ball->seed));
}

typedef struct Cloud {
    double heat;            /* sum of the temperature over all cells, K */
    double threshold;       /* least temperature of a cell of the thermal, K */
    double top;             /* highest point of the thermal, m */
    double low[2], high[2]; /* extent of the thermal along x and z, m */
} Cloud;

static void add_cloud(void *context, const double at[3], double value)
{
    Cloud *cloud = context;
    cloud->heat += value;
    if (value < cloud->threshold)
        return;
    cloud->top = fmax(cloud->top, at[1]);
    for (int view = 0; view < 2; view++) {
        cloud->low[view] = fmin(cloud->low[view], at[2 * view]);
        cloud->high[view] = fmax(cloud->high[view], at[2 * view]);
    }
}

/* Measurements of one thermal. */
typedef struct Thermal {
    double tops[THERMAL_SAMPLES], radii[THERMAL_SAMPLES], times[THERMAL_SAMPLES];
    int count;
    double heat; /* initial heat: integral of the temperature, K m3 */
    double lost; /* share of the initial heat that is lost at the end */
} Thermal;

enum { THERMAL_STEPS = 300 };

/* Measures a thermal while its top is 5 to 12.5 initial radii high. seed: see Ball. */
static void follow_thermal(VerifyRun *run, uint32_t seed, VerifySeries *series, Thermal *thermal)
{
    const double h = 1.0 / THERMAL_CELLS, dt = 1.0 / 60;
    const Ball ball = {0.5 * THERMAL_WIDE * h, 0.15, 0.1, 40, 2 * h, seed};
    BillowDef def = flow_def(run, THERMAL_WIDE, THERMAL_HEIGHT, THERMAL_WIDE, h);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.advection = BILLOW_CONSERVATIVE; /* conserves the heat, and so g' r^3 */
    def.params.tolerance = 1e-3f;
    def.params.cfl = 2;
    flow_open(&def);
    *thermal = (Thermal){.count = 0};
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_TEMPERATURE, hot_ball, &ball);
    for (int step = 0; step < THERMAL_STEPS && flow_step(run, sim, dt); step++) {
        if (step % 4 != 0)
            continue;
        Cloud cloud = {.threshold = 0.05 * billow_stats(sim).temperature_max,
                       .low = {UNLIMITED, UNLIMITED},
                       .high = {-UNLIMITED, -UNLIMITED}};
        flow_visit(sim, PART_TEMPERATURE, add_cloud, &cloud);
        double heat = cloud.heat * h * h * h;
        thermal->heat = step == 0 ? heat : thermal->heat;
        if (cloud.top > 1.25 || thermal->count == THERMAL_SAMPLES)
            break;
        if (cloud.top < 0.5)
            continue;
        double wide = cloud.high[0] - cloud.low[0] + cloud.high[1] - cloud.low[1] + 2 * h;
        thermal->times[thermal->count] = billow_stats(sim).time;
        thermal->tops[thermal->count] = cloud.top;
        thermal->radii[thermal->count++] = 0.25 * wide;
        thermal->lost = 1 - heat / thermal->heat;
        plot_point(series, cloud.top, 0.25 * wide);
    }
    billow_destroy(sim);
}

/* Slope of the radius over the height of the top. */
static double widening(const Thermal *thermal)
{
    return fit_line(thermal->tops, thermal->radii, thermal->count).slope;
}

/* Froude number: mean of speed / sqrt(g' r), with g' r^3 = heat / 3. */
static double froude(const Thermal *thermal)
{
    double sum = 0;
    for (int n = 2; n + 2 < thermal->count; n++) {
        double speed = fit_line(thermal->times + n - 2, thermal->tops + n - 2, 5).slope;
        double lift = (double)billow_default_params().buoyancy * thermal->heat;
        sum += speed * thermal->radii[n] / sqrt(lift / 3);
    }
    return sum / (thermal->count - 4);
}

/* Scorer 1957: a thermal from a point widens as r = z / n, and its cap rises at w = C sqrt(g' r).
 * r is half its width, and g' its mean buoyancy over a volume of m r^3; m is 4.2 for a ball and
 * less for flatter thermals. Single thermals differ; the means are n = 4, C = 1.2, m = 3. z is the
 * height above the virtual origin, where the fitted radius is 0. */
static void run_thermal(VerifyRun *run)
{
    flow_plan(run, THERMAL_WIDE, THERMAL_HEIGHT, THERMAL_WIDE, (THERMALS + 1) * THERMAL_STEPS);
    VerifyPlot *plot =
        plot_add(run, "Radii of thermals", "height of the top (m)", "half width (m)");
    double slopes = 0, speeds = 0, least = UNLIMITED, most = 0, lost = 0;
    Thermal thermal;
    for (uint32_t seed = 1; seed <= THERMALS && verify_going(run); seed++) {
        follow_thermal(run, seed, plot_series(plot, VERIFY_DOTS, "thermal %d", (int)seed),
                       &thermal);
        slopes += widening(&thermal) / THERMALS;
        speeds += froude(&thermal) / THERMALS;
        least = fmin(least, widening(&thermal));
        most = fmax(most, widening(&thermal));
        lost = fmax(lost, fabs(thermal.lost));
    }
    if (verify_going(run))
        follow_thermal(run, 0, plot_series(plot, VERIFY_DOTS, "uniform ball"), &thermal);
    if (!verify_going(run))
        return;
    /* Single thermals widen by 0.17 to 0.34 of their height, so that the mean of four is uncertain
     * by a sixth, and Scorer's factors by as much. */
    row_relative(run, "radius over height, mean of four", slopes, 0.25, 0.30);
    row_relative(run, "speed over root of buoyancy times radius", speeds, 1.2, 0.30);
    row_report(run, "radius over height, least of four", least, 0.25);
    row_report(run, "radius over height, most of four", most, 0.25);
    row_report(run, "radius over height, ball uniform at the start", widening(&thermal), 0.25);
    row_report(run, "share of the heat that is lost, most of four", lost, 0);
}

/* -- convection between walls of given temperature -----------------------------------------------
 *
 * Units: depth 1 m, temperature difference 1 K, buoyancy 1 m/s2 per K. Then the Rayleigh number is
 * 1 / (viscosity * diffusion). */

/* -- a layer heated from below ----------------------------------------------------------------- */

/* Linear temperature profile of pure conduction, plus a small roll. context: wave number of the
 * roll, 1/m. */
static double warm_below(const void *wave, double x, double y, double z)
{
    const double small = 1e-3;
    (void)z;
    return 0.5 - y + small * cos(*(const double *)wave * x) * sin(PI * y);
}

enum { TRIALS = 3 };

typedef struct Layer {
    BillowFace floor, ceiling;
    int width, depth;        /* cells; width is half a wavelength, mirrored by free-slip walls */
    double rayleigh[TRIALS]; /* numbers to try, rising; the onset is between the first and last */
    int trials;              /* number of Rayleigh numbers that are tried */
    int steps;               /* of each trial; the growth is measured in the second half */
    double dt;               /* s */
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
    def.params.diffusion_sweeps = 20; /* diffusion * dt / h^2 is below 1 */
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_fill(sim, PART_TEMPERATURE, warm_below, &wave);
    flow_record(run, sim, layer->steps, layer->dt, flow_log_mode, &wave, series,
                (0.5 * layer->steps + 0.5) * layer->dt, &signal);
    return signal_slope(&signal);
}

/* Measures the growth rate at each Rayleigh number. Returns the critical one, at which the growth
 * rate is 0, by linear interpolation. */
static double critical(VerifyRun *run, const Layer *layer, double growth[TRIALS])
{
    const double *rayleigh = layer->rayleigh;
    flow_plan(run, layer->width, layer->depth, BILLOW_GRID_MIN, layer->trials * layer->steps);
    VerifyPlot *plot = plot_add(run, "Growth of a small roll", "time (s)", "logarithm of the flow");
    for (int trial = 0; trial < layer->trials && verify_going(run); trial++)
        growth[trial] = roll_growth(run, layer, rayleigh[trial],
                                    plot_series(plot, VERIFY_LINE, "Ra %.0f", rayleigh[trial]));
    if (!verify_going(run))
        return UNKNOWN;
    int low = growth[1] > 0 ? 0 : layer->trials - 2;
    double share = -growth[low] / (growth[low + 1] - growth[low]);
    return rayleigh[low] + share * (rayleigh[low + 1] - rayleigh[low]);
}

static void run_rigid(VerifyRun *run)
{
    const Layer layer = {BILLOW_NO_SLIP, BILLOW_NO_SLIP, 24, 24, {1500, 1900}, 2, 270, 0.03};
    double growth[TRIALS] = {0};
    double onset = critical(run, &layer, growth);
    row_relative(run, "critical Rayleigh number, rigid plates", onset, 1707.762, 0.05);
    row_between(run, "growth rate at Ra 1500, 1/s", growth[0], UNKNOWN, -UNLIMITED, 0);
    row_between(run, "growth rate at Ra 1900, 1/s", growth[1], UNKNOWN, 0, UNLIMITED);
}

/* The most unstable wave number is 2.682 / depth. */
static void run_rigid_free(VerifyRun *run)
{
    const Layer layer = {BILLOW_NO_SLIP, BILLOW_CLOSED, 38, 32, {900, 1100, 1300}, 3, 1500, 0.02};
    double growth[TRIALS] = {0};
    double onset = critical(run, &layer, growth);
    row_relative(run, "critical Rayleigh number, rigid below, free above", onset, 1100.65, 0.043);
    row_between(run, "growth rate at Ra 900, 1/s", growth[0], UNKNOWN, -UNLIMITED, 0);
    row_between(run, "growth rate at Ra 1300, 1/s", growth[2], UNKNOWN, 0, UNLIMITED);
}

static void run_free(VerifyRun *run)
{
    const Layer layer = {BILLOW_CLOSED, BILLOW_CLOSED, 46, 32, {550, 650, 900}, 3, 1500, 0.02};
    double growth[TRIALS] = {0};
    double onset = critical(run, &layer, growth);
    row_relative(run, "critical Rayleigh number, free plates", onset, 657.511, 0.038);
    /* Growth rate s of a mode: (s + kappa q2)(s + nu q2) = g alpha beta k2 / q2, with q2 = k2 + pi2
     * and kappa = nu. */
    double nu = 1 / sqrt(900), wave = layer_wave(&layer), squares = wave * wave + PI * PI;
    row_relative(run, "growth rate at Ra 900, 1/s", growth[2],
                 sqrt(wave * wave / squares) - nu * squares, 0.09);
}

/* -- a cavity heated from the side ---------------------------------------------------------- */

/* Nusselt number: mean of -dT/dx at the hot wall. The slope is that of the parabola through the
 * temperatures of the wall and the two nearest cell centres. A FlowProbe. */
static double nusselt(const void *context, const BillowSim *sim)
{
    (void)context;
    const BillowView view = billow_view(sim);
    double sum = 0, h = (double)view.cell_size;
    for (int j = 0; j < view.ny; j++) {
        double first = (double)view.temperature[flow_at(&view, 0, j, 4)];
        double second = (double)view.temperature[flow_at(&view, 1, j, 4)];
        sum += (8 * 0.5 - 9 * first + second) / (3 * h);
    }
    return sum / view.ny;
}

typedef struct Heated {
    int cells, steps; /* cells along an edge, 0: after the last */
    double rayleigh;
    double nusselt; /* reference */
    double share;   /* largest relative error of the Nusselt number that is within */
} Heated;

/* Simulates a cavity heated from the side and returns its Nusselt number. */
static double side_heated(VerifyRun *run, const Heated *heated, VerifySeries *series)
{
    static Signal signal;
    const double prandtl = 0.71, rayleigh = heated->rayleigh;
    BillowDef def = flow_slab_def(run, heated->cells, heated->cells, 1.0 / heated->cells);
    for (int side = BILLOW_LEFT; side <= BILLOW_CEILING; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    heat_sides(&def, BILLOW_LEFT, BILLOW_RIGHT, sqrt(prandtl / rayleigh),
               1 / sqrt(prandtl * rayleigh));
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_record(run, sim, heated->steps, 0.02, nusselt, NULL, series, 0, &signal);
    return signal.count > 0 ? signal.values[signal.count - 1] : UNKNOWN;
}

static void run_heated_cavity(VerifyRun *run)
{
    const Heated *cavities = run->of->plan;
    VerifyPlot *plot = plot_add(run, "Heat through the hot wall", "time (s)", "Nusselt number");
    for (const Heated *heated = cavities; heated->cells > 0; heated++)
        flow_plan(run, heated->cells, heated->cells, BILLOW_GRID_MIN, heated->steps);
    for (const Heated *heated = cavities; heated->cells > 0; heated++) {
        double number =
            side_heated(run, heated, plot_series(plot, VERIFY_LINE, "Ra %.0f", heated->rayleigh));
        if (!verify_going(run))
            return;
        row_relative(run, row_words(run, "Nusselt number at Ra %.0f", heated->rayleigh), number,
                     heated->nusselt, heated->share);
    }
}

/* -- a plume above a steady source of heat ----------------------------------------------------- */

enum { WIDE = 80, HIGH = 120, SETTLE = 750, STEPS = 3000 };
static const double SOURCE_RADIUS = 0.04; /* m */

/* Heights between which the plume is measured, in diameters of the source, as in George, Alpert &
 * Tamanini (1977). Below LOW, the flow is faster and narrower than a plume, because it starts from
 * rest, and a pressure gradient adds a quarter to the momentum gained from buoyancy. */
static const double LOW = 8, HIGHEST = 16;

/* Sums over time for each cell, and the times of the rising front. */
typedef struct Record {
    double *rise, *heat;     /* sums of the upward velocity and the temperature */
    double *rise_heat;       /* sum of velocity times temperature: total transport, with eddies */
    double *squares;         /* sum of the squared upward velocity */
    double front_time[HIGH]; /* time when the front reached each height, s; 0: not yet */
    int samples;
} Record;

static void add_sample(Record *record, const BillowView *view)
{
    size_t n = 0;
    for (int j = 0; j < HIGH; j++)
        for (int k = 0; k < WIDE; k++)
            for (int i = 0; i < WIDE; i++, n++) {
                double rise = flow_rise(view, i, j, k);
                double heat = (double)view->temperature[flow_at(view, i, j, k)];
                record->rise[n] += rise;
                record->heat[n] += heat;
                record->rise_heat[n] += rise * heat;
                record->squares[n] += rise * rise;
            }
    record->samples++;
}

/* Records the time at which the front reaches each height. The front is the highest plane with a
 * temperature above 2 % of `most`. */
static void follow_front(Record *record, const BillowView *view, double most)
{
    for (int j = HIGH - 1; j >= 0; j--)
        for (int k = 0; k < WIDE; k++)
            for (int i = 0; i < WIDE; i++)
                if ((double)view->temperature[flow_at(view, i, j, k)] > 0.02 * most) {
                    for (; j >= 0 && record->front_time[j] == 0; j--)
                        record->front_time[j] = view->time;
                    return;
                }
}

/* Time mean of the plume in a horizontal plane. Integrals cover the core, in which the upward
 * velocity exceeds 2 % of its maximum (van Reeuwijk & Craske 2015). width, rise and buoyancy are
 * the top-hat values b = Q / sqrt(pi M), w = M / Q, g' = F / Q, with the fluxes of volume Q,
 * momentum M and buoyancy F of the mean flow. */
typedef struct Level {
    double height;   /* m */
    double width;    /* b, m */
    double rise;     /* w, m/s */
    double buoyancy; /* g', m/s2 */
    double axis;     /* largest upward velocity, m/s */
    double flux;     /* buoyancy flux, including turbulent transport, m4/s3 */
    double momentum; /* momentum flux, including turbulent transport, m4/s2 */
    double push;     /* integral of buoyancy, the momentum flux gained per height, m3/s2 */
} Level;

static Level level_at(const Record *record, int j, double h, double lift)
{
    const size_t plane = (size_t)j * WIDE * WIDE;
    double most = 0, volume = 0, momentum = 0, flux = 0, area = h * h;
    Level level = {.height = (j + 0.5) * h};
    for (size_t n = plane; n < plane + WIDE * WIDE; n++)
        most = fmax(most, record->rise[n] / record->samples);
    for (size_t n = plane; n < plane + WIDE * WIDE; n++) {
        double w = record->rise[n] / record->samples, t = record->heat[n] / record->samples;
        if (w < 0.02 * most)
            continue;
        volume += w * area;
        momentum += w * w * area;
        flux += w * t * lift * area;
        level.flux += record->rise_heat[n] / record->samples * lift * area;
        level.momentum += record->squares[n] / record->samples * area;
        level.push += t * lift * area;
    }
    level.width = volume / sqrt(PI * momentum);
    level.rise = momentum / volume;
    level.buoyancy = flux / volume;
    level.axis = most;
    return level;
}

static BillowDef plume_def(const VerifyRun *run)
{
    BillowDef def = flow_def(run, WIDE, HIGH, WIDE, 1.0 / WIDE);
    flow_open(&def);
    def.params.advection = BILLOW_CONSERVATIVE; /* makes the heat flux equal at all heights */
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.tolerance = 1e-3f;
    def.params.cfl = 2;
    def.emitter_count = 1;
    BillowEmitter *source = &def.emitters[0];
    *source = billow_default_emitter();
    source->center[1] = 0.8f * (float)SOURCE_RADIUS;
    source->size[0] = (float)SOURCE_RADIUS;
    source->noise = 0.5f;
    source->heat = 800;
    source->smoke = 0;
    return def;
}

/* The planes whose height is within a range. */
typedef struct Levels {
    Level items[HIGH];
    int count;
    Line width;    /* line fitted to width over height */
    double origin; /* virtual origin: height at which the fitted width is 0, m */
} Levels;

static Levels levels_between(const Record *record, double low, double high, double h, double lift)
{
    Levels levels = {.count = 0};
    double z[HIGH], width[HIGH];
    for (int j = 0; j < HIGH; j++) {
        double height = (j + 0.5) * h;
        if (height < low || height > high)
            continue;
        Level level = level_at(record, j, h, lift);
        z[levels.count] = height;
        width[levels.count] = level.width;
        levels.items[levels.count++] = level;
    }
    levels.width = fit_line(z, width, levels.count);
    levels.origin = -levels.width.intercept / levels.width.slope;
    return levels;
}

/* Exponent p of the power law member ~ (height - origin)^p. offset: position of the member in
 * Level, bytes. */
static double exponent(const Levels *levels, size_t offset)
{
    double x[HIGH], y[HIGH];
    for (int n = 0; n < levels->count; n++) {
        const Level *level = &levels->items[n];
        x[n] = log(level->height - levels->origin);
        y[n] = log(*(const double *)(const void *)((const char *)level + offset));
    }
    return fit_line(x, y, levels->count).slope;
}

/* Gain of momentum flux from the lowest plane to the highest, over the gain that buoyancy explains.
 */
static double momentum_gained(const Levels *levels, double h)
{
    double push = 0;
    for (int n = 0; n + 1 < levels->count; n++)
        push += 0.5 * (levels->items[n].push + levels->items[n + 1].push) * h;
    return (levels->items[levels->count - 1].momentum - levels->items[0].momentum) / push;
}

/* Speed of the front divided by the later mean velocity on the axis, averaged over the planes. */
static double front_speed(const Record *record, const Levels *levels, double h)
{
    double sum = 0;
    for (int n = 0; n < levels->count; n++) {
        int j = (int)(levels->items[n].height / h);
        double passed = record->front_time[j + 3] - record->front_time[j - 3];
        sum += passed > 0 ? 6 * h / passed / levels->items[n].axis : UNKNOWN;
    }
    return sum / levels->count;
}

static void plot_levels(VerifyRun *run, const Levels *levels)
{
    VerifyPlot *widths = plot_add(run, "Width of the plume", "height (m)", "top-hat radius (m)");
    VerifySeries *measured = plot_series(widths, VERIFY_DOTS, "measured");
    VerifySeries *line = plot_series(widths, VERIFY_LINE, "fit");
    VerifyPlot *speeds = plot_add(run, "Rise of the plume", "height over the virtual origin (m)",
                                  "top-hat speed (m/s)");
    speeds->x_logarithmic = speeds->y_logarithmic = true;
    VerifySeries *dots = plot_series(speeds, VERIFY_DOTS, "measured");
    for (int n = 0; n < levels->count; n++) {
        const Level *level = &levels->items[n];
        plot_point(measured, level->height, level->width);
        plot_point(line, level->height, levels->width.slope * (level->height - levels->origin));
        plot_point(dots, level->height - levels->origin, level->rise);
    }
}

static void judge_levels(VerifyRun *run, const Record *record, double h, double lift)
{
    const double diameter = 2 * SOURCE_RADIUS;
    Levels levels = levels_between(record, LOW * diameter, HIGHEST * diameter, h, lift);
    Levels near = levels_between(record, 0.5 * LOW * diameter, LOW * diameter, h, lift);
    double away = 0;
    for (int n = 0; n < levels.count; n++)
        away = fmax(away, fabs(levels.items[n].width /
                                   (levels.width.slope * (levels.items[n].height - levels.origin)) -
                               1));
    plot_levels(run, &levels);
    row_between(run, "entrainment coefficient: 5/6 of the slope of the width",
                5.0 / 6 * levels.width.slope, 0.13, 0.08, 0.18);
    row_report(run, "largest relative distance of the width from its line", away, 0);
    row_report(run, "virtual origin, m", levels.origin, 0);
    row_absolute(run, "exponent of the speed", exponent(&levels, offsetof(Level, rise)), -1.0 / 3,
                 0.1);
    row_report(run, "exponent of the speed, from 4 to 8 diameters",
               exponent(&near, offsetof(Level, rise)), -1.0 / 3);
    row_report(run, "exponent of the buoyancy", exponent(&levels, offsetof(Level, buoyancy)),
               -5.0 / 3);
    row_absolute(run, "exponent of the flux of buoyancy", exponent(&levels, offsetof(Level, flux)),
                 0, 0.05);
    row_absolute(run, "gain of momentum over the buoyant impulse", momentum_gained(&levels, h), 1,
                 0.1);
    row_report(run, "gain over the impulse, from 4 to 8 diameters", momentum_gained(&near, h), 1);
    row_report(run, "speed of the front over the later speed on the axis",
               front_speed(record, &levels, h), 0.6);
}

static void run_plume(VerifyRun *run)
{
    const double h = 1.0 / WIDE, dt = 1.0 / 75;
    BillowDef def = plume_def(run);
    size_t cells = (size_t)WIDE * HIGH * WIDE;
    double *sums = calloc(4 * cells, sizeof *sums);
    Record record = {.rise = sums};
    flow_plan(run, WIDE, HIGH, WIDE, STEPS);
    if (sums == NULL)
        fail(&run->error, "%s: no memory for the means over time", run->of->name);
    BillowSim *sim = verify_agree(run, sums != NULL) ? flow_create(run, &def) : NULL;
    if (sim == NULL) {
        free(sums);
        return;
    }
    record.heat = sums + cells;
    record.rise_heat = sums + 2 * cells;
    record.squares = sums + 3 * cells;
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        if (record.front_time[HIGH - 1] == 0)
            follow_front(&record, &view, billow_stats(sim).temperature_max);
        if (step >= SETTLE && step % 4 == 0)
            add_sample(&record, &view);
    }
    billow_destroy(sim);
    if (verify_going(run))
        judge_levels(run, &record, h, (double)def.params.buoyancy);
    free(sums);
}

static const Heated heated_cavities[] = {{64, 2000, 1e3, 1.118, 0.011},
                                         {64, 3000, 1e4, 2.243, 0.008},
                                         {64, 4000, 1e5, 4.519, 0.04},
                                         {0}};
/* The boundary layer takes about 2 % of the width, which is 2 to 3 of the cells. */
static const Heated fine_heated_cavity[] = {{128, 5000, 1e6, 8.800, 0.04}, {0}};

const VerifyCase buoyant_cases[] = {
    {"rayleigh-taylor", "cold over warm air: growth rate of a wave", "Chandrasekhar 1961",
     "A half wave of a cosine in 64x128 cells, 8 thick and periodic in z, between free-slip walls; "
     "20 K, interface of two cells, no viscosity; slope of the logarithm from st = 2 to 4.",
     true, .run = run_rayleigh_taylor},
    {"thermal", "warm air widens and rises", "Scorer 1957",
     "Four balls of radius 8 cells, warmer by 0 to 80 K in patches of 2 cells, in 128x120x128 "
     "cells "
     "with open sides, conservative advection. Half width (mean of two directions) and top of the "
     "air warmer than 1/20 of the maximum, while the top is between 5 and 12.5 radii high; mean "
     "buoyancy over 3 r\u00b3.",
     false, .run = run_thermal},
    {"rayleigh-benard", "onset of convection between rigid plates", "Chandrasekhar 1961",
     "A half wave in 24\u00b2 cells, 8 thick and periodic in z; plates no-slip at given "
     "temperatures, Pr 1, growth of a small roll at Ra 1500 and 1900 from 4 to 8 s.",
     true, .run = run_rigid},
    {"rayleigh-benard-free", "onset and growth of convection between free-slip plates",
     "Chandrasekhar 1961",
     "A half wave in 46x32 cells, 8 thick and periodic in z; Pr 1, Ra 550, 650, 900.", false,
     .run = run_free},
    {"rayleigh-benard-mixed", "onset of convection between a no-slip floor and a free-slip ceiling",
     "Chandrasekhar 1961",
     "A half wave in 38x32 cells, 8 thick and periodic in z; Pr 1, Ra 900, 1100, 1300.", false,
     .run = run_rigid_free},
    {"heated-cavity", "heat through a square box that is heated from one side",
     "de Vahl Davis 1983",
     "64\u00b2 cells, 8 thick and periodic in z, no-slip, Pr 0.71, until t = 40, 60, 80.", false,
     .run = run_heated_cavity, .plan = heated_cavities},
    {"heated-cavity-1e6", "heat through such a box at Ra 1000000", "de Vahl Davis 1983",
     "128\u00b2 cells, 8 thick and periodic in z, no-slip, Pr 0.71, until t = 100.", false,
     .run = run_heated_cavity, .plan = fine_heated_cavity},
    {"plume", "a plume's width, rise and front", "Morton, Taylor & Turner 1956; Turner 1962",
     "A flickering ball of heat on the floor, 6.4 cells across, in 80x120x80 cells open at the "
     "sides and above; means over 30 s after 10 s, from 8 to 16 diameters of the source, where "
     "George, Alpert & Tamanini 1977 measured; heights above the virtual origin.",
     false, .run = run_plume},
    {.name = NULL},
};
