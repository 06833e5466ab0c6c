/* SPDX-License-Identifier: MIT
 *
 * Helpers for the cases of flows: create a simulation, fill its fields, step it and measure it.
 * They use only the public headers of Billow.
 *
 * Under mpirun all ranks run the case. They divide its steps, and every rank has the whole fields
 * before and after each, so all ranks measure the same values and decide alike. */
#ifndef VERIFY_FLOW_H
#define VERIFY_FLOW_H

#include "verify/verify.h"

typedef enum Part { PART_U, PART_V, PART_W, PART_DENSITY, PART_TEMPERATURE } Part;

/* -- running ----------------------------------------------------------------------------------- */

/* Defines air in a closed box without buoyancy, weight, confinement and viscosity. Uses advection
 * with reflection, a small pressure tolerance and one substep per step. */
BillowDef flow_def(const VerifyRun *run, int nx, int ny, int nz, double cell_size);

/* Like flow_def, for flows in two dimensions: 8 cells thick and periodic along z. */
BillowDef flow_slab_def(const VerifyRun *run, int nx, int ny, double cell_size);

/* Makes both faces across an axis periodic. */
void flow_wrap(BillowDef *def, int axis);
/* Opens all faces but the floor. */
void flow_open(BillowDef *def);

/* Returns NULL, with the run marked as failed, if the simulation cannot be created. A box with
 * fewer than BILLOW_RANK_PLANES planes along z per rank is not divided: every rank simulates it
 * whole. */
BillowSim *flow_create(VerifyRun *run, const BillowDef *def);

/* Adds the work of `steps` steps of so many cells to what the case has announced. The progress of
 * the case is measured against the sum. */
void flow_plan(VerifyRun *run, int nx, int ny, int nz, double steps);

/* Calls flow_plan and flow_create. For cases with a single simulation. */
BillowSim *flow_start(VerifyRun *run, const BillowDef *def, int steps);

/* Simulates one step of dt seconds. Returns false if the case must end, because it was interrupted
 * or values are NaN or infinite. */
bool flow_step(VerifyRun *run, BillowSim *sim, double dt);

/* Removes the divergence of the velocity, in steps too short for anything else to change. */
bool flow_project(VerifyRun *run, BillowSim *sim);

/* Simulates `steps` steps of dt seconds, then destroys sim. After each step, the probe measures one
 * value. The value is added to series (may be NULL) and, from time `from` on, to signal. signal is
 * emptied first. */
typedef double FlowProbe(const void *context, const BillowSim *sim);
void flow_record(VerifyRun *run, BillowSim *sim, int steps, double dt, FlowProbe *probe,
                 const void *context, VerifySeries *series, double from, Signal *signal);

/* -- fields ------------------------------------------------------------------------------------ */

/* Value of a function at the point (x, y, z), m from the lower corner of the box. */
typedef double FlowFunction(const void *context, double x, double y, double z);

/* Sets every element of a field to the value of a function at the element's position (face or cell
 * centre). */
void flow_fill(BillowSim *sim, Part part, FlowFunction *function, const void *context);
/* Sets the velocity to the flow of a stream function psi, m2/s, which is called with z = 0: (d psi
 * / dy, -d psi / dx, 0). The velocity on a face is the difference quotient of psi between the
 * face's edges. Its discrete divergence is therefore 0. */
void flow_fill_stream(BillowSim *sim, FlowFunction *psi, const void *context);

/* Calls visit with the position and value of every element of a field. */
typedef void FlowVisit(void *context, const double at[3], double value);
void flow_visit(const BillowSim *sim, Part part, FlowVisit *visit, void *context);

/* Root mean square of (field - function), and sum of its absolute values, over all elements of the
 * field. */
typedef struct FlowDistance {
    double rms, sum;
} FlowDistance;
FlowDistance flow_distance(const BillowSim *sim, Part part, FlowFunction *function,
                           const void *context);

/* Kinetic energy divided by the air's density, m5/s2: sum over the faces of velocity^2 / 2 times
 * the volume of a cell. */
double flow_energy(const BillowSim *sim);

/* A Fourier mode of the upward velocity v: sums over the field of v cos(wave x) and v sin(wave x).
 */
typedef struct FlowMode {
    double wave; /* 1/m */
    double cosine, sine;
} FlowMode;
FlowMode flow_mode(const BillowSim *sim, double wave);
/* Logarithm of |FlowMode.cosine|. A FlowProbe; context: the wave number, a double. */
double flow_log_mode(const void *wave, const BillowSim *sim);

/* The view whose cells a field lives in: that of the wind for the velocity (billow_wind_view). */
BillowView flow_grid(const BillowView *view, Part part);
const float *flow_field(const BillowView *view, Part part);
/* Number of elements of a field along each axis. */
void flow_extent(const BillowView *view, Part part, int extent[3]);

/* view: that of flow_grid. */
static inline ptrdiff_t flow_at(const BillowView *view, int i, int j, int k)
{
    return i + j * view->stride_y + k * view->stride_z;
}

/* Upward velocity at a cell's centre, m/s. */
static inline double flow_rise(const BillowView *view, int i, int j, int k)
{
    ptrdiff_t at = flow_at(view, i, j, k);
    return 0.5 * ((double)view->v[at] + (double)view->v[at + view->stride_y]);
}

/* Curl of the velocity at a cell's centre, 1/s. Computed by central differences of the velocity at
 * cell centres; 0 in the outermost cells. */
void flow_curl(const BillowView *view, int i, int j, int k, double curl[3]);

/* -- frequencies of signals, sampled at even times --------------------------------------------- */

/* Power at a frequency, in arbitrary units (Welch 1967): the mean over segments of `piece` samples
 * that overlap by half. Each segment has its linear trend removed and a Hann window applied. */
double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency);

/* Finds the frequency between 0.3 and 6 Hz with the most power. series (may be NULL) receives the
 * power at each frequency, divided by the largest. */
double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series);

/* Frequency of the upward crossings of the mean value, Hz; NaN if there are fewer than four
 * crossings. */
double crossing_frequency(const double *times, const double *values, int count);

#endif
