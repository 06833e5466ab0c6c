/* SPDX-License-Identifier: MIT
 * Setting flows up, stepping and reading them: what the cases share. */
#ifndef VERIFY_FLOW_H
#define VERIFY_FLOW_H

#include "rows.h"

#define PI 3.14159265358979323846

typedef enum Part { PART_U, PART_V, PART_W, PART_DENSITY, PART_TEMPERATURE } Part;

/* A fluid with nothing to move it: no buoyancy, weight, confinement or viscosity, MacCormack, all
 * faces closed, a tight pressure solve, no sub-steps beside those the case asks for. */
BillowDef flow_def(const VerifyRun *run, int nx, int ny, int nz, double cell_size);

/* The same for flows of two dimensions: 8 cells thick, and periodic there. */
BillowDef flow_slab_def(const VerifyRun *run, int nx, int ny, double cell_size);

/* What leaves along an axis comes in on its other side. */
void flow_wrap(BillowDef *def, int axis);

/* NULL, and the run is failed, where that cannot be. */
BillowSim *flow_create(VerifyRun *run, const BillowDef *def);

/* Announces steps of a definition, for the share of the case that is done; adds up. */
void flow_plan(VerifyRun *run, const BillowDef *def, double steps);

/* One step. False where the case has to end: interrupted, or no finite numbers any more. */
bool flow_step(VerifyRun *run, BillowSim *sim, double dt);

/* Takes the divergence out of whatever velocity was set, by a step too short to do anything else.
 */
bool flow_project(VerifyRun *run, BillowSim *sim);

/* value at (x, y, z), m from the corner of the box */
typedef double FlowFunction(const void *context, double x, double y, double z);

/* Sets all elements of a field, each where it lies (faces or centres). */
void flow_fill(BillowSim *sim, Part part, FlowFunction *function, const void *context);

/* Calls visit with every element of a field and where it lies. */
typedef void FlowVisit(void *context, const double at[3], double value);
void flow_visit(const BillowView *view, Part part, FlowVisit *visit, void *context);

/* Root of the mean square of field - function, over all elements. */
double flow_distance(const BillowView *view, Part part, FlowFunction *function,
                     const void *context);

/* Sum over the faces of velocity squared / 2 times a cell's volume: J per kg/m3. */
double flow_energy(const BillowView *view);

const float *flow_field(const BillowView *view, Part part);
/* Elements along each axis. */
void flow_extent(const BillowView *view, Part part, int extent[3]);

static inline ptrdiff_t flow_at(const BillowView *view, int i, int j, int k)
{
    return i + j * view->stride_y + k * view->stride_z;
}

/* Of the curl at the centres, from the velocities at the centres around; 0 in the outermost cells.
 */
void flow_curl(const BillowView *view, int i, int j, int k, double curl[3]);

#endif
