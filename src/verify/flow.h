/* SPDX-License-Identifier: MIT
 * What the cases of flows share: setting flows up, stepping, reading them, and their frequencies.
 */
#ifndef VERIFY_FLOW_H
#define VERIFY_FLOW_H

#include "verify.h"

#define PI 3.14159265358979323846

typedef enum Part { PART_U, PART_V, PART_W, PART_DENSITY, PART_TEMPERATURE } Part;

/* A fluid without buoyancy, weight, confinement and viscosity, in a closed box: MacCormack, a tight
 * pressure solve, one substep per step. */
BillowDef flow_def(const VerifyRun *run, int nx, int ny, int nz, double cell_size);

/* The same for flows in two dimensions: 8 cells thick and periodic along z. */
BillowDef flow_slab_def(const VerifyRun *run, int nx, int ny, double cell_size);

/* Makes both faces across an axis periodic. */
void flow_wrap(BillowDef *def, int axis);

/* NULL, with the run marked as failed, where the simulation cannot be created. */
BillowSim *flow_create(VerifyRun *run, const BillowDef *def);

/* Announces steps to come, for the progress of the case. Calls add up. */
void flow_plan(VerifyRun *run, const BillowDef *def, double steps);

/* One step of dt seconds. False where the case must end: interrupted, or numbers not finite. */
bool flow_step(VerifyRun *run, BillowSim *sim, double dt);

/* Removes the divergence of the velocity, by a step too short to do anything else. */
bool flow_project(VerifyRun *run, BillowSim *sim);

/* A value at (x, y, z), m from the corner of the box. */
typedef double FlowFunction(const void *context, double x, double y, double z);

/* Sets a field by a function of the place of each element, face or centre. */
void flow_fill(BillowSim *sim, Part part, FlowFunction *function, const void *context);

/* Calls visit with every element of a field and its place. */
typedef void FlowVisit(void *context, const double at[3], double value);
void flow_visit(const BillowView *view, Part part, FlowVisit *visit, void *context);

/* Root of the mean square of field - function, over all elements. */
double flow_distance(const BillowView *view, Part part, FlowFunction *function,
                     const void *context);

/* Kinetic energy per density: sum over the faces of velocity^2 / 2 times a cell's volume, m5/s2. */
double flow_energy(const BillowView *view);

const float *flow_field(const BillowView *view, Part part);
/* Elements of a field along each axis. */
void flow_extent(const BillowView *view, Part part, int extent[3]);

static inline ptrdiff_t flow_at(const BillowView *view, int i, int j, int k)
{
    return i + j * view->stride_y + k * view->stride_z;
}

/* Curl at a cell's centre from the velocities at the centres around it, 1/s; 0 in the outermost
 * cells. */
void flow_curl(const BillowView *view, int i, int j, int k, double curl[3]);

/* -- signals, sampled at even times ------------------------------------------------------------ */

/* Power at a frequency, not to scale. It is the mean over pieces of `piece` samples that overlap by
 * half (Welch 1967), each without its fitted line and under a Hann window. */
double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency);

/* The frequency between 0.3 and 6 Hz with the most power. series, or NULL, gets the powers divided
 * by the largest. */
double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series);

/* Frequency from upward crossings of the mean; NaN where there are fewer than four. */
double crossing_frequency(const double *times, const double *values, int count);

#endif
