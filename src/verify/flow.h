/* SPDX-License-Identifier: MIT
 * Shared by the cases of flows: create a flow, set its fields, step it, measure it. A flow is run
 * through the public header alone. */
#ifndef VERIFY_FLOW_H
#define VERIFY_FLOW_H

#include "verify.h"

typedef enum Part { PART_U, PART_V, PART_W, PART_DENSITY, PART_TEMPERATURE } Part;

/* -- running ----------------------------------------------------------------------------------- */

/* Defines a fluid without buoyancy, weight, confinement and viscosity in a closed box: MacCormack
 * advection, a tight pressure solve, one substep per step. */
BillowDef flow_def(const VerifyRun *run, int nx, int ny, int nz, double cell_size);

/* The same for flows in two dimensions: 8 cells thick and periodic along z. */
BillowDef flow_slab_def(const VerifyRun *run, int nx, int ny, double cell_size);

/* Makes both faces across an axis periodic. */
void flow_wrap(BillowDef *def, int axis);
/* Opens all faces but the floor. */
void flow_open(BillowDef *def);

/* Returns NULL, with the run marked as failed, if the simulation cannot be created. */
BillowSim *flow_create(VerifyRun *run, const BillowDef *def);

/* Announces steps to come, for the progress of the case. Calls add up. */
void flow_plan(VerifyRun *run, const BillowDef *def, double steps);

/* flow_plan and flow_create, for cases of one simulation. */
BillowSim *flow_start(VerifyRun *run, const BillowDef *def, int steps);

/* Simulates one step of dt seconds. False if the case must end: interrupted, or not finite. */
bool flow_step(VerifyRun *run, BillowSim *sim, double dt);

/* Removes the divergence of the velocity, by steps too short to do anything else. */
bool flow_project(VerifyRun *run, BillowSim *sim);

/* Simulates steps of dt seconds, and destroys the simulation. After each step the probe measures a
 * value, which goes into the series (if not NULL) and, from a time on, into the signal. The signal
 * is emptied before. */
typedef double FlowProbe(const void *context, const BillowView *view);
void flow_record(VerifyRun *run, BillowSim *sim, int steps, double dt, FlowProbe *probe,
                 const void *context, VerifySeries *series, double from, Signal *signal);

/* -- fields ------------------------------------------------------------------------------------ */

/* A value at the point (x, y, z), m from the corner of the box. */
typedef double FlowFunction(const void *context, double x, double y, double z);

/* Sets a field to a function of the position of each element (face or cell centre). */
void flow_fill(BillowSim *sim, Part part, FlowFunction *function, const void *context);

/* Calls visit for every element of a field with its position. */
typedef void FlowVisit(void *context, const double at[3], double value);
void flow_visit(const BillowView *view, Part part, FlowVisit *visit, void *context);

/* Root mean square of field - function, over all elements. */
double flow_distance(const BillowView *view, Part part, FlowFunction *function,
                     const void *context);

/* Kinetic energy per density: sum over the faces of velocity^2 / 2 times a cell's volume, m5/s2. */
double flow_energy(const BillowView *view);

/* Sums of the upward velocity times cos(wave x) and times sin(wave x). */
typedef struct FlowMode {
    double wave; /* 1/m */
    double cosine, sine;
} FlowMode;
FlowMode flow_mode(const BillowView *view, double wave);
/* Logarithm of the cosine's sum. A FlowProbe; context: the wave, a double. */
double flow_log_mode(const void *wave, const BillowView *view);

const float *flow_field(const BillowView *view, Part part);
/* Elements of a field along each axis. */
void flow_extent(const BillowView *view, Part part, int extent[3]);

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

/* Curl at a cell's centre from the velocities at the centres around it, 1/s; 0 in the outermost
 * cells. */
void flow_curl(const BillowView *view, int i, int j, int k, double curl[3]);

/* -- frequencies of signals, sampled at even times --------------------------------------------- */

/* Power at a frequency, in arbitrary units: the mean over pieces of `piece` samples that overlap by
 * half (Welch 1967), each without its fitted line and under a Hann window. */
double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency);

/* The frequency between 0.3 and 6 Hz with the most power. series gets the powers divided by the
 * largest; NULL: not wanted. */
double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series);

/* Frequency from upward crossings of the mean; NaN if there are fewer than four. */
double crossing_frequency(const double *times, const double *values, int count);

#endif
