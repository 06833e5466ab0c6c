/* SPDX-License-Identifier: MIT */
#include "render/frame/slice_ask.h"

#include "base/fail.h"

#include <math.h>

SliceAsk slice_ask_default(void)
{
    return (SliceAsk){.axis = SLICE_ACROSS, .veil = 0.3f};
}

static int across(const RenderCamera *camera)
{
    float towards[3];
    render_direction(camera->azimuth, camera->elevation, towards);
    int most = 2;
    for (int axis = 0; axis < 2; axis++)
        if (fabsf(towards[axis]) > fabsf(towards[most]) + 1e-4f)
            most = axis;
    return most;
}

static const char *what_lacks(FieldKind kind)
{
    switch (kind) {
    case FIELD_FUEL:
    case FIELD_FLAME:
        return "fire (fluid.fire)";
    default:
        return "solids";
    }
}

bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    if (!field_offered(def, ask->kind))
        return fail(error, "a slice of %s: this scene has no %s", field_meaning(ask->kind)->name,
                    what_lacks(ask->kind));
    if (ask->axis == SLICE_ACROSS)
        ask->axis = across(camera);
    float low = def->origin[ask->axis];
    float high = low + (float)cells[ask->axis] * def->cell_size;
    if (!ask->placed)
        ask->position = 0.5f * (low + high);
    ask->placed = true;
    return (ask->position >= low && ask->position <= high) ||
           fail(error, "a slice at %c=%g is not in the box, which goes from %g to %g m",
                'x' + ask->axis, (double)ask->position, (double)low, (double)high);
}

RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field)
{
    float range[2] = {ask->low, ask->high};
    bool both_signs = field_meaning(field->kind)->both_signs;
    if (!ask->ranged)
        field_slice_range(field, range);
    return (RenderSlice){.field = field,
                         .low = range[0],
                         .high = range[1],
                         .contours = both_signs ? (ask->contours + 1) / 2 * 2 : ask->contours,
                         .veil = ask->veil};
}
