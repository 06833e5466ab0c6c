/* SPDX-License-Identifier: MIT */
#include "render/frame/field_slice.h"
#include "base/fail.h"
#include "base/vec3.h"

#include <math.h>

static const FieldMeaning meanings[FIELD_KINDS] = {
    [FIELD_DENSITY] = {"density", "", "the smoke's concentration", false},
    [FIELD_TEMPERATURE] = {"temperature", "K", "above ambient", false},
    [FIELD_SPEED] = {"speed", "m/s", "of the flow", false},
    [FIELD_VORTICITY] = {"vorticity", "1/s", "length of the velocity's curl", false},
    [FIELD_CURL] = {"curl", "1/s", "vorticity about the slice's normal", true},
    [FIELD_PRESSURE] = {"pressure", "Pa", "above that outside, or the mean of a closed box", true},
    [FIELD_DIVERGENCE] = {"divergence", "1/s", "of the velocity, expansion included", true},
    [FIELD_U] = {"u", "m/s", "velocity along x", true},
    [FIELD_V] = {"v", "m/s", "velocity along y", true},
    [FIELD_W] = {"w", "m/s", "velocity along z", true},
    [FIELD_FUEL] = {"fuel", "", "concentration of what can burn", false},
    [FIELD_FLAME] = {"flame", "1/s", "fuel that burns", false},
    [FIELD_SOLID] = {"solid", "m", "distance from the nearest solid", true},
};

const FieldMeaning *field_meaning(FieldKind kind)
{
    return &meanings[kind];
}

bool field_known(const BillowView *view, FieldKind kind)
{
    switch (kind) {
    case FIELD_DENSITY:
        return view->density != NULL;
    case FIELD_TEMPERATURE:
        return view->temperature != NULL;
    case FIELD_PRESSURE:
        return view->pressure[0] != NULL;
    case FIELD_FUEL:
        return view->fuel != NULL;
    case FIELD_FLAME:
        return view->flame != NULL;
    case FIELD_SOLID:
        return view->solid != NULL;
    default:
        return view->u != NULL;
    }
}

bool field_offered(const BillowDef *def, FieldKind kind)
{
    switch (kind) {
    case FIELD_FUEL:
    case FIELD_FLAME:
        return def->fire;
    case FIELD_SOLID:
        return def->solid_count > 0;
    default:
        return true;
    }
}

size_t field_slice_floats(int nx, int ny, int nz)
{
    size_t xy = (size_t)nx * (size_t)ny, xz = (size_t)nx * (size_t)nz, yz = (size_t)ny * (size_t)nz;
    size_t most = xy > xz ? xy : xz;
    return most > yz ? most : yz;
}

static bool is_of_smoke(FieldKind kind)
{
    return kind == FIELD_DENSITY || kind == FIELD_TEMPERATURE || kind == FIELD_FUEL ||
           kind == FIELD_FLAME;
}

/* -- a cell ------------------------------------------------------------------------------------ */

/* A cell of the smoke, or of billow_wind_view, as the field needs. */
typedef struct Cell {
    const BillowView *view;
    int at[3];
    ptrdiff_t index;
} Cell;

static ptrdiff_t stride(const BillowView *view, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? view->stride_y : view->stride_z;
}

static Cell cell_at(const BillowView *view, int i, int j, int k)
{
    return (Cell){view, {i, j, k}, i + j * view->stride_y + k * view->stride_z};
}

static const float *component(const BillowView *view, int axis)
{
    return axis == 0 ? view->u : axis == 1 ? view->v : view->w;
}

/* Velocity component at a cell's centre: the mean of the component at the cell's two faces. */
static float centered(const BillowView *view, int axis, ptrdiff_t index)
{
    const float *values = component(view, axis);
    return 0.5f * (values[index] + values[index + stride(view, axis)]);
}

/* Derivative of velocity component `of` along axis `along`, 1/s. */
static float slope(const Cell *cell, int of, int along)
{
    const BillowView *view = cell->view;
    const int cells[3] = {view->nx, view->ny, view->nz};
    ptrdiff_t step = stride(view, along);
    int before = cell->at[along] > 0 ? 1 : 0, after = cell->at[along] + 1 < cells[along] ? 1 : 0;
    float difference = centered(view, of, cell->index + after * step) -
                       centered(view, of, cell->index - before * step);
    return difference / ((float)(before + after) * view->cell_size);
}

static float curl(const Cell *cell, int axis)
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    return slope(cell, b, a) - slope(cell, a, b);
}

static float divergence(const Cell *cell)
{
    const BillowView *view = cell->view;
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *values = component(view, axis) + cell->index;
        sum += values[stride(view, axis)] - values[0];
    }
    return sum / view->cell_size;
}

static float pressure(const Cell *cell)
{
    const BillowView *view = cell->view;
    int color = (cell->at[0] + cell->at[1] + cell->at[2]) & 1;
    ptrdiff_t index = (cell->at[0] >> 1) + cell->at[1] * view->pressure_stride_y +
                      cell->at[2] * view->pressure_stride_z;
    return view->pressure_unit * view->pressure[color][index];
}

/* Distance of the centre of a cell of the wind to the nearest solid, cells: the mean of the cell's
 * eight corners. */
static float solid_distance(const Cell *cell)
{
    const BillowView *view = cell->view;
    float sum = 0;
    for (int corner = 0; corner < 8; corner++)
        sum += view->solid[cell->index + (corner & 1) + (corner >> 1 & 1) * view->stride_y +
                           (corner >> 2) * view->stride_z];
    return 0.125f * sum;
}

static float value(const Cell *cell, FieldKind kind, int axis)
{
    const BillowView *view = cell->view;
    switch (kind) {
    case FIELD_DENSITY:
        return view->density[cell->index];
    case FIELD_TEMPERATURE:
        return view->temperature[cell->index];
    case FIELD_SPEED:
        return vec3_length(vec3(centered(view, 0, cell->index), centered(view, 1, cell->index),
                                centered(view, 2, cell->index)));
    case FIELD_VORTICITY:
        return vec3_length(vec3(curl(cell, 0), curl(cell, 1), curl(cell, 2)));
    case FIELD_CURL:
        return curl(cell, axis);
    case FIELD_PRESSURE:
        return pressure(cell);
    case FIELD_DIVERGENCE:
        return divergence(cell);
    case FIELD_U:
    case FIELD_V:
    case FIELD_W:
        return centered(view, (int)(kind - FIELD_U), cell->index);
    case FIELD_FUEL:
        return view->fuel[cell->index];
    case FIELD_FLAME:
        return view->flame[cell->index];
    default:
        return view->cell_size * solid_distance(cell);
    }
}

/* -- a plane ----------------------------------------------------------------------------------- */

/* Whether the centre of the cell of the wind around a cell is outside of solids. refine: cells
 * along its edge. */
static bool is_fluid(const BillowView *wind, int refine, const int at[3])
{
    if (wind->solid == NULL)
        return true;
    const Cell around = cell_at(wind, at[0] / refine, at[1] / refine, at[2] / refine);
    return solid_distance(&around) >= 0;
}

void field_slice_fill(FieldSlice *slice, const BillowView *whole)
{
    const BillowView wind = billow_wind_view(whole);
    const BillowView *view = is_of_smoke(slice->kind) ? whole : &wind;
    const int cells[3] = {view->nx, view->ny, view->nz}, refine = view->nx / wind.nx;
    int axis = slice->axis, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    float h = view->cell_size, origin = view->origin[axis], end = (float)cells[axis] * h;
    slice->position = origin + fminf(fmaxf(slice->position - origin, 0), end);
    float place = fminf(fmaxf((slice->position - origin) / h - 0.5f, 0), (float)(cells[axis] - 1));
    int plane = (int)place;
    float share = place - (float)plane;
    bool between = share > 1e-4f && plane + 1 < cells[axis], any = false;
    slice->n[0] = cells[a];
    slice->n[1] = cells[b];
    slice->low = slice->high = 0;
    float *out = slice->values;
    for (int q = 0; q < cells[b]; q++)
        for (int p = 0; p < cells[a]; p++, out++) {
            int at[3];
            at[a] = p, at[b] = q, at[axis] = plane;
            Cell cell = cell_at(view, at[0], at[1], at[2]);
            *out = value(&cell, slice->kind, axis);
            const bool shown = slice->kind == FIELD_SOLID || is_fluid(&wind, refine, at);
            if (between) {
                at[axis]++;
                Cell next = cell_at(view, at[0], at[1], at[2]);
                *out += share * (value(&next, slice->kind, axis) - *out);
            }
            if (!shown || !isfinite(*out))
                continue;
            slice->low = any ? fminf(slice->low, *out) : *out;
            slice->high = any ? fmaxf(slice->high, *out) : *out;
            any = true;
        }
}

void field_slice_range(const FieldSlice *slice, float range[2])
{
    bool both_signs = meanings[slice->kind].both_signs;
    range[0] = slice->low;
    range[1] = slice->high;
    if (both_signs) {
        range[1] = fmaxf(fabsf(slice->low), fabsf(slice->high));
        range[0] = -range[1];
    } else if (slice->low > 0 && slice->low < 0.05f * slice->high)
        range[0] = 0;
    /* A range that is only due to rounding counts as empty. */
    float size = fmaxf(fabsf(range[0]), fabsf(range[1]));
    if (range[1] - range[0] > fmaxf(1e-5f * size, 1e-30f))
        return;
    range[0] = both_signs ? -1 : range[0];
    range[1] = both_signs ? 1 : range[0] + fmaxf(1, 1e-4f * size);
}

/* -- values under a pixel ---------------------------------------------------------------------- */

/* Computes the weights of the Catmull-Rom spline (1974) for four equidistant values. t: position
 * between the second and the third value, 0..1. */
static void spline(float t, float weights[4])
{
    weights[0] = t * (t * (1 - 0.5f * t) - 0.5f);
    weights[1] = t * t * (1.5f * t - 2.5f) + 1;
    weights[2] = t * (0.5f + t * (2 - 1.5f * t));
    weights[3] = 0.5f * t * t * (t - 1);
}

static int within(int cell, int count)
{
    return cell < 0 ? 0 : cell < count ? cell : count - 1;
}

/* Interpolates between cell centres by a Catmull-Rom spline. u, v: position on the plane, 0..1. */
static float value_between(const FieldSlice *slice, float u, float v)
{
    const int *n = slice->n;
    float x = u * (float)n[0] - 0.5f, y = v * (float)n[1] - 0.5f;
    float across[4], up[4], value = 0;
    int i0 = (int)floorf(x), j0 = (int)floorf(y);
    spline(x - floorf(x), across);
    spline(y - floorf(y), up);
    for (int row = 0; row < 4; row++) {
        const float *from = slice->values + (ptrdiff_t)within(j0 + row - 1, n[1]) * n[0];
        float sum = 0;
        for (int i = 0; i < 4; i++)
            sum += across[i] * from[within(i0 + i - 1, n[0])];
        value += up[row] * sum;
    }
    return value;
}

bool field_slice_seen(const FieldSlice *slice, const Camera *camera, const float low[3],
                      const float high[3], float across, float up, float *value, float *distance)
{
    float direction[3], share[3];
    int axis = slice->axis;
    for (int a = 0; a < 3; a++)
        direction[a] = camera->forward[a] +
                       across * camera->half_height * camera->aspect * camera->right[a] +
                       up * camera->half_height * camera->up[a];
    float along = (slice->position - camera->origin[axis]) / direction[axis];
    for (int a = 0; a < 3; a++)
        share[a] = (camera->origin[a] + along * direction[a] - low[a]) / (high[a] - low[a]);
    float u = share[axis == 0 ? 1 : 0], v = share[axis == 2 ? 1 : 2];
    if (!(along > 0 && isfinite(along) && u >= 0 && u <= 1 && v >= 0 && v <= 1))
        return false;
    *value = value_between(slice, u, v);
    *distance = along; /* equals the distance along the view axis: forward has unit length, right
                          and up are normal to it */
    return true;
}

/* -- drawing a slice --------------------------------------------------------------------------- */

SliceAsk slice_ask_default(void)
{
    return (SliceAsk){.axis = SLICE_ACROSS, .veil = 0.3f};
}

bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    if (!field_offered(def, ask->kind))
        return fail(error, "a slice of %s: this scene has no %s", field_meaning(ask->kind)->name,
                    ask->kind == FIELD_SOLID ? "solids" : "fire (fluid.fire)");
    if (ask->axis == SLICE_ACROSS) { /* that nearest to the camera's direction */
        float towards[3];
        render_direction(camera->azimuth, camera->elevation, towards);
        ask->axis = 2;
        for (int axis = 0; axis < 2; axis++)
            if (fabsf(towards[axis]) > fabsf(towards[ask->axis]) + 1e-4f)
                ask->axis = axis;
    }
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
