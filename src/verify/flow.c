/* SPDX-License-Identifier: MIT */
#include "verify/flow.h"

#include "base/fail.h"
#include "mpi/cluster.h"

/* Length of a step that only projects, s. At speeds of some m/s and cells of some mm, advection
 * moves nothing in such a time. */
static const double INSTANT = 1e-9;

BillowDef flow_def(const VerifyRun *run, int nx, int ny, int nz, double cell_size)
{
    BillowDef def = billow_default_def();
    def.nx = nx;
    def.ny = ny;
    def.nz = nz;
    def.cell_size = (float)cell_size;
    def.faces[BILLOW_CEILING] = BILLOW_CLOSED;
    def.threads = run->threads;
    BillowParams *params = &def.params;
    params->buoyancy = 0;
    params->weight = 0;
    params->vorticity = 0;
    params->advection = BILLOW_REFLECTION;
    params->tolerance = 1e-4f;
    params->cycles = 2; /* enough in single precision, because the last pressure is reused */
    params->cfl = 100;
    return def;
}

void flow_wrap(BillowDef *def, int axis)
{
    def->faces[2 * axis] = def->faces[2 * axis + 1] = BILLOW_PERIODIC;
}

void flow_open(BillowDef *def)
{
    for (int side = 0; side < BILLOW_SIDES; side++)
        def->faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
}

BillowDef flow_slab_def(const VerifyRun *run, int nx, int ny, double cell_size)
{
    BillowDef def = flow_def(run, nx, ny, BILLOW_GRID_MIN, cell_size);
    flow_wrap(&def, 2);
    return def;
}

BillowSim *flow_create(VerifyRun *run, const BillowDef *def)
{
    bool thin = def->nz < BILLOW_RANK_PLANES * cluster_ranks();
    BillowSim *sim = billow_create_exchanging(def, thin ? NULL : cluster_exchange(), &run->error);
    if (verify_agree(run, sim != NULL))
        return sim;
    billow_destroy(sim);
    return NULL;
}

BillowSim *flow_start(VerifyRun *run, const BillowDef *def, int steps)
{
    flow_plan(run, def->nx, def->ny, def->nz, steps);
    return flow_create(run, def);
}

void flow_plan(VerifyRun *run, int nx, int ny, int nz, double steps)
{
    run->planned += steps * nx * ny * nz;
}

bool flow_step(VerifyRun *run, BillowSim *sim, double dt)
{
    billow_step(sim, dt);
    BillowView view = billow_view(sim);
    billow_fetch_planes(sim, view.nz);
    const BillowView wind = billow_wind_view(&view);
    run->stepped += (double)wind.nx * wind.ny * wind.nz;
    double share = run->planned > 0 ? run->stepped / run->planned : 0;
    if (billow_stats(sim).nonfinite > 0) {
        run->failed = true;
        return fail(&run->error, "%s: the flow became infinite or NaN after %.4g s", run->of->name,
                    view.time);
    }
    bool going = run->go_on == NULL || run->go_on(run->context, share < 1 ? share : 1);
    run->stopped = cluster_any(!going);
    return !run->stopped;
}

bool flow_project(VerifyRun *run, BillowSim *sim)
{
    const BillowParams usual = billow_params(sim);
    BillowParams params = usual;
    params.warm_start = false; /* the last pressure is a bad first guess for the next pass */
    bool going = billow_set_params(sim, &params, NULL);
    for (int pass = 0; pass < 3 && going; pass++)
        going = flow_step(run, sim, INSTANT);
    return billow_set_params(sim, &usual, NULL) && going;
}

void flow_record(VerifyRun *run, BillowSim *sim, int steps, double dt, FlowProbe *probe,
                 const void *context, VerifySeries *series, double from, Signal *signal)
{
    signal->count = 0;
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++) {
        double time = billow_view(sim).time, value = probe(context, sim);
        plot_point(series, time, value);
        if (time >= from)
            signal_add(signal, time, value);
    }
    billow_destroy(sim);
}

/* -- fields ------------------------------------------------------------------------------------ */

BillowView flow_grid(const BillowView *view, Part part)
{
    return part <= PART_W ? billow_wind_view(view) : *view;
}

void flow_extent(const BillowView *view, Part part, int extent[3])
{
    const BillowView grid = flow_grid(view, part);
    const int counts[3] = {grid.nx, grid.ny, grid.nz};
    for (int axis = 0; axis < 3; axis++)
        extent[axis] = counts[axis] + (axis == (int)part ? 1 : 0);
}

const float *flow_field(const BillowView *view, Part part)
{
    const float *const fields[] = {view->u, view->v, view->w, view->density, view->temperature};
    return fields[part];
}

/* Position of an element, m. view: that of flow_grid. */
static void place(const BillowView *view, Part part, int i, int j, int k, double at[3])
{
    const int index[3] = {i, j, k};
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (index[axis] + (axis == (int)part ? 0 : 0.5)) * (double)view->cell_size;
}

void flow_fill(BillowSim *sim, Part part, FlowFunction *function, const void *context)
{
    BillowFields fields = billow_fields(sim);
    float *const all[] = {fields.u, fields.v, fields.w, fields.density, fields.temperature};
    const BillowView whole = billow_view(sim), view = flow_grid(&whole, part);
    int extent[3];
    flow_extent(&whole, part, extent);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++)
            for (int i = 0; i < extent[0]; i++) {
                double at[3];
                place(&view, part, i, j, k, at);
                all[part][flow_at(&view, i, j, k)] = (float)function(context, at[0], at[1], at[2]);
            }
}

typedef struct Stream {
    FlowFunction *psi;
    const void *context;
    Part part;
    double half; /* half a cell, m */
} Stream;

static double stream_velocity(const void *context, double x, double y, double z)
{
    const Stream *stream = context;
    const double h = stream->half, dx = stream->part == PART_U ? 0 : -h,
                 dy = stream->part == PART_U ? h : 0;
    (void)z;
    return (stream->psi(stream->context, x + dx, y + dy, 0) -
            stream->psi(stream->context, x - dx, y - dy, 0)) /
           (2 * h);
}

void flow_fill_stream(BillowSim *sim, FlowFunction *psi, const void *context)
{
    const BillowView view = billow_view(sim), wind = billow_wind_view(&view);
    Stream stream = {psi, context, PART_U, 0.5 * (double)wind.cell_size};
    for (; stream.part <= PART_V; stream.part++)
        flow_fill(sim, stream.part, stream_velocity, &stream);
}

void flow_visit(const BillowSim *sim, Part part, FlowVisit *visit, void *context)
{
    const BillowView whole = billow_view(sim), view = flow_grid(&whole, part);
    const float *field = flow_field(&whole, part);
    int extent[3];
    flow_extent(&whole, part, extent);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++)
            for (int i = 0; i < extent[0]; i++) {
                double at[3];
                place(&view, part, i, j, k, at);
                visit(context, at, (double)field[flow_at(&view, i, j, k)]);
            }
}

typedef struct Distance {
    FlowFunction *function;
    const void *context;
    double squares, count;
    FlowDistance result;
} Distance;

static void add_distance(void *context, const double at[3], double value)
{
    Distance *distance = context;
    double away = value - distance->function(distance->context, at[0], at[1], at[2]);
    distance->squares += away * away;
    distance->count++;
    distance->result.sum += fabs(away);
}

FlowDistance flow_distance(const BillowSim *sim, Part part, FlowFunction *function,
                           const void *context)
{
    Distance distance = {.function = function, .context = context};
    flow_visit(sim, part, add_distance, &distance);
    distance.result.rms = sqrt(distance.squares / distance.count);
    return distance.result;
}

typedef struct Squares {
    int axis;
    double end, sum; /* end: position of the last face, m */
} Squares;

/* Only half of the air around the first and the last face is in the box. */
static void add_square(void *context, const double at[3], double value)
{
    Squares *squares = context;
    bool inside = at[squares->axis] > 0 && at[squares->axis] < squares->end;
    squares->sum += (inside ? 1 : 0.5) * value * value;
}

double flow_energy(const BillowSim *sim)
{
    const BillowView whole = billow_view(sim), view = billow_wind_view(&whole);
    const int cells[3] = {view.nx, view.ny, view.nz};
    double h = (double)view.cell_size;
    Squares squares = {.sum = 0};
    for (Part part = PART_U; part <= PART_W; part++) {
        squares.axis = part;
        squares.end = (cells[part] - 0.5) * h;
        flow_visit(sim, part, add_square, &squares);
    }
    return 0.5 * squares.sum * h * h * h;
}

static void add_mode(void *context, const double at[3], double value)
{
    FlowMode *mode = context;
    mode->cosine += value * cos(mode->wave * at[0]);
    mode->sine += value * sin(mode->wave * at[0]);
}

FlowMode flow_mode(const BillowSim *sim, double wave)
{
    FlowMode mode = {.wave = wave};
    flow_visit(sim, PART_V, add_mode, &mode);
    return mode;
}

double flow_log_mode(const void *wave, const BillowSim *sim)
{
    return log(fabs(flow_mode(sim, *(const double *)wave).cosine));
}

/* Central difference of a velocity component along an axis at the cell centres, not divided: the
 * derivative times two cell widths. */
static double difference(const BillowView *view, Part part, int axis, ptrdiff_t here)
{
    const ptrdiff_t strides[3] = {1, view->stride_y, view->stride_z};
    const float *field = flow_field(view, part);
    ptrdiff_t along = strides[part], side = strides[axis];
    double high = (double)field[here + side] + (double)field[here + side + along];
    double low = (double)field[here - side] + (double)field[here - side + along];
    return 0.5 * (high - low);
}

void flow_curl(const BillowView *view, int i, int j, int k, double curl[3])
{
    bool inside =
        i > 0 && j > 0 && k > 0 && i < view->nx - 1 && j < view->ny - 1 && k < view->nz - 1;
    ptrdiff_t here = flow_at(view, i, j, k);
    double scale = 0.5 / (double)view->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        curl[axis] =
            inside
                ? scale * (difference(view, (Part)c, b, here) - difference(view, (Part)b, c, here))
                : 0;
    }
}

/* -- signals ----------------------------------------------------------------------------------- */

/* Part of a signal. */
typedef struct Piece {
    const double *times, *values;
    int count;
} Piece;

static double power_of(const Piece *piece, double frequency)
{
    Line line = fit_line(piece->times, piece->values, piece->count);
    double cosine = 0, sine = 0, length = piece->times[piece->count - 1] - piece->times[0];
    for (int n = 0; n < piece->count; n++) {
        double since = piece->times[n] - piece->times[0], phase = 2 * PI * frequency * since;
        double window = 0.5 - 0.5 * cos(2 * PI * since / length);
        double rest = piece->values[n] - line.slope * piece->times[n] - line.intercept;
        cosine += window * rest * cos(phase);
        sine += window * rest * sin(phase);
    }
    return cosine * cosine + sine * sine;
}

double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency)
{
    double sum = 0;
    for (int first = 0; first + piece <= count; first += piece / 2)
        sum += power_of(&(Piece){times + first, values + first, piece}, frequency);
    return sum;
}

double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series)
{
    const double low = 0.3, high = 6, fine = 0.02;
    double most = 0, peak = UNKNOWN;
    for (double frequency = low; frequency <= high; frequency += fine) {
        double power = spectrum_power(times, values, count, piece, frequency);
        plot_point(series, frequency, power);
        if (power > most) {
            most = power;
            peak = frequency;
        }
    }
    plot_scale(series);
    return peak;
}

double crossing_frequency(const double *times, const double *values, int count)
{
    double mean = 0, first = 0, last = 0;
    int passed = 0;
    for (int n = 0; n < count; n++)
        mean += values[n] / count;
    for (int n = 1; n < count; n++) {
        double low = values[n - 1] - mean, high = values[n] - mean;
        if (!(low < 0 && high >= 0))
            continue;
        last = times[n - 1] - low / (high - low) * (times[n] - times[n - 1]);
        if (passed++ == 0)
            first = last;
    }
    return passed >= 4 ? (passed - 1) / (last - first) : UNKNOWN;
}
