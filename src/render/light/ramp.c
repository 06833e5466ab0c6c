/* SPDX-License-Identifier: MIT */
#include "render/light/ramp.h"

#include "base/vec3.h"

#include <math.h>

/* Density below which there is no smoke to divide by. */
#define LEAST_DENSITY 1e-6f

/* The field that a ramp follows, of the velocity its first component; NULL: the view has none. */
static const float *field_of(RenderRampBy by, const BillowView *view)
{
    return by == RENDER_RAMP_TEMPERATURE ? view->temperature
           : by == RENDER_RAMP_AGE       ? view->age
           : by == RENDER_RAMP_SPEED     ? view->u
                                         : view->density;
}

Ramp ramp_of(const RenderRamp *settings, const BillowView *view)
{
    return (Ramp){.on = settings->stop_count > 0 && field_of(settings->by, view) != NULL,
                  .weighted = settings->by == RENDER_RAMP_AGE,
                  .table = render_ramp_table(settings),
                  .by = settings->by,
                  .view = view};
}

float ramp_field(const Ramp *ramp, const int cell[3])
{
    const BillowView *view = ramp->view;
    if (ramp->by != RENDER_RAMP_SPEED)
        return field_of(ramp->by,
                        view)[cell[0] + cell[1] * view->stride_y + cell[2] * view->stride_z];
    float velocity[3];
    billow_cell_velocity(view, cell, velocity);
    return vec3_length(vec3_from(velocity));
}

void ramp_color(const Ramp *ramp, const int cell[3], float rgb[3])
{
    const BillowView *view = ramp->view;
    float value = ramp_field(ramp, cell);
    if (ramp->weighted)
        value /= fmaxf(view->density[cell[0] + cell[1] * view->stride_y + cell[2] * view->stride_z],
                       LEAST_DENSITY);
    render_ramp_color(&ramp->table, value, rgb);
}
