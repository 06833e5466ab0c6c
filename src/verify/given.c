/* SPDX-License-Identifier: MIT */
#include "given.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Floats from a field's first element to past its last, rows' padding included. */
static size_t span(const BillowView *view, Part part)
{
    int extent[3];
    flow_extent(view, part, extent);
    return (size_t)(flow_at(view, extent[0] - 1, extent[1] - 1, extent[2] - 1) + 1);
}

bool given_start(VerifyRun *run, Given *given, BillowSim *sim)
{
    BillowView view = billow_view(sim);
    size_t cells = span(&view, PART_DENSITY) * sizeof(float);
    given->density = malloc(cells);
    bool whole = given->density != NULL;
    for (int axis = 0; axis < 3; axis++) {
        size_t bytes = span(&view, (Part)axis) * sizeof(float);
        given->flow[axis] = malloc(bytes);
        given->tried[axis] = malloc(bytes);
        whole = whole && given->flow[axis] != NULL && given->tried[axis] != NULL;
        if (whole)
            memcpy(given->flow[axis], flow_field(&view, (Part)axis), bytes);
    }
    if (!whole) {
        run->failed = true;
        fail(&run->error, "%s: no memory for the flow that is given", run->of->name);
    }
    return whole;
}

/* Copies elements alone: what stands between rows is the solver's. */
static void copy_elements(const BillowView *view, Part part, const float *from, float *to)
{
    int extent[3];
    flow_extent(view, part, extent);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++)
            memcpy(to + flow_at(view, 0, j, k), from + flow_at(view, 0, j, k),
                   (size_t)extent[0] * sizeof(float));
}

static void set_flow(const Given *given, BillowSim *sim)
{
    BillowFields fields = billow_fields(sim);
    BillowView view = billow_view(sim);
    float *const velocity[3] = {fields.u, fields.v, fields.w};
    for (int axis = 0; axis < 3; axis++)
        copy_elements(&view, (Part)axis, given->tried[axis], velocity[axis]);
}

/* tried += amplitude flow - what came of it; returns the largest of those differences. */
static double improve(Given *given, const BillowView *view, double amplitude)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *came = flow_field(view, (Part)axis), *flow = given->flow[axis];
        int extent[3];
        flow_extent(view, (Part)axis, extent);
        for (int k = 0; k < extent[2]; k++)
            for (int j = 0; j < extent[1]; j++)
                for (int i = 0; i < extent[0]; i++) {
                    ptrdiff_t at = flow_at(view, i, j, k);
                    double missing = amplitude * (double)flow[at] - (double)came[at];
                    given->tried[axis][at] += (float)missing;
                    most = fmax(most, fabs(missing));
                }
    }
    return most;
}

static void start_try(Given *given, const BillowView *view, double amplitude)
{
    for (int axis = 0; axis < 3; axis++)
        for (size_t at = 0; at < span(view, (Part)axis); at++)
            given->tried[axis][at] = (float)amplitude * given->flow[axis][at];
}

static double fastest(const Given *given, const BillowView *view)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++)
        for (size_t at = 0; at < span(view, (Part)axis); at++)
            most = fmax(most, fabs((double)given->flow[axis][at]));
    return most;
}

bool given_step(VerifyRun *run, Given *given, BillowSim *sim, double amplitude, double dt)
{
    BillowView view = billow_view(sim);
    copy_elements(&view, PART_DENSITY, view.density, given->density);
    start_try(given, &view, amplitude);
    for (int attempt = 0; attempt <= given->tries; attempt++) {
        set_flow(given, sim);
        if (!flow_step(run, sim, dt))
            return false;
        view = billow_view(sim);
        double missing = improve(given, &view, amplitude);
        if (attempt == given->tries)
            given->distance = fmax(given->distance, missing / fastest(given, &view));
        else
            copy_elements(&view, PART_DENSITY, given->density, billow_fields(sim).density);
    }
    return true;
}

void given_finish(Given *given)
{
    for (int axis = 0; axis < 3; axis++) {
        free(given->flow[axis]);
        free(given->tried[axis]);
    }
    free(given->density);
}
