/* SPDX-License-Identifier: MIT */
#include "emitter.h"

#include "constants.h"
#include "noise.h"

#include <math.h>

static float minimum(float a, float b)
{
    return a < b ? a : b;
}

static float ramp(float inside) /* distance to the surface in cells, positive inside */
{
    float covered = 0.5f + 0.5f * inside;
    return covered < 0 ? 0 : minimum(covered, 1.0f);
}

/* A slab thinner than two cells peaks below 1 along its axis: at its half thickness. */
static float slab_coverage(float distance, float half)
{
    float from_centre = fabsf(distance);
    return half <= 0 ? 0 : minimum(ramp(half - from_centre), half);
}

float emitter_coverage(const PlacedEmitter *placed, float x, float y, float z)
{
    if (placed->general)
        return ramp(-(float)shape_distance(&placed->shape,
                                           (const double[3]){(double)x, (double)y, (double)z}));
    float dx = x - placed->center[0], dy = y - placed->center[1], dz = z - placed->center[2];
    if (placed->emitter.shape == BILLOW_BOX)
        return slab_coverage(dx, placed->size[0]) * slab_coverage(dy, placed->size[1]) *
               slab_coverage(dz, placed->size[2]);
    return ramp(placed->size[0] - sqrtf(dx * dx + dy * dy + dz * dz));
}

/* First and past-last lattice point that the shape may cover along an axis. */
static void lattice_range(const PlacedEmitter *placed, int axis, double *low, double *high)
{
    if (placed->general) {
        double least[3], most[3];
        shape_bounds(&placed->shape, least, most);
        *low = floor(least[axis] - 1.0);
        *high = ceil(most[axis] + 1.0) + 1.0;
        return;
    }
    bool sphere = placed->emitter.shape == BILLOW_SPHERE;
    double size = (double)placed->size[sphere ? 0 : axis] + 1.0;
    *low = floor((double)placed->center[axis] - size);
    *high = ceil((double)placed->center[axis] + size) + 1.0;
}

/* Sum of the coverage over all cells of space, inside the grid or not. */
static double coverage_sum(const PlacedEmitter *placed)
{
    double low[3], high[3], sum = 0;
    for (int axis = 0; axis < 3; axis++)
        lattice_range(placed, axis, &low[axis], &high[axis]);
    for (double z = low[2]; z < high[2]; z++)
        for (double y = low[1]; y < high[1]; y++)
            for (double x = low[0]; x < high[0]; x++)
                sum += (double)emitter_coverage(placed, (float)x, (float)y, (float)z);
    return sum;
}

/* Cells that can be skipped over a `distance` greater than 0: the distance falls by at most 1 per
 * cell, or somewhat faster between the samples of a volume. */
static double cells_to(const PlacedEmitter *placed, double distance)
{
    double cells = placed->emitter.shape == BILLOW_VOLUME ? 0.5 * distance : distance;
    return cells > 1 ? floor(cells) : 1;
}

/* Coverage of a general shape, summed over the cells low <= x < high of a row. */
static double row_sum(const PlacedEmitter *placed, double low, double high, double y, double z)
{
    double sum = 0, cells;
    for (double x = low; x < high; x += cells) {
        double distance = shape_distance(&placed->shape, (const double[3]){x, y, z});
        cells = fabs(distance) > 1 ? cells_to(placed, fabs(distance) - 1) : 1;
        cells = cells < high - x ? cells : high - x;
        sum += cells * (double)ramp(-(float)distance);
    }
    return sum;
}

/* A plane has no end, and no ramp changes what it divides. Shapes of too many rows look plane to a
 * cell: their sum is the integral. */
static float general_amount(const PlacedEmitter *placed)
{
    const PlacedShape *shape = &placed->shape;
    if (shape->shape == BILLOW_PLANE)
        return 1;
    double low[3], high[3], sum = 0;
    for (int axis = 0; axis < 3; axis++)
        lattice_range(placed, axis, &low[axis], &high[axis]);
    if ((high[1] - low[1]) * (high[2] - low[2]) > COVERAGE_SUM_ROWS)
        sum = shape_spread(shape, 1);
    else
        for (double z = low[2]; z < high[2]; z++)
            for (double y = low[1]; y < high[1]; y++)
                sum += row_sum(placed, low[0], high[0], y, z);
    return sum > 0 ? (float)(shape_volume(shape) / sum) : 0;
}

static double slab_sum(const PlacedEmitter *placed, int axis)
{
    double low, high, sum = 0;
    lattice_range(placed, axis, &low, &high);
    for (double x = low; x < high; x++)
        sum += (double)slab_coverage((float)x - placed->center[axis], placed->size[axis]);
    return sum;
}

/* Volume of the shape over the sum of its coverage. With a ramp of half width w = 1 the sum is 4/3
 * pi (r^3 + r w^2) for a sphere, and exact for a slab, if they are wider than the ramp. */
static float coverage_amount(const PlacedEmitter *placed)
{
    const float *size = placed->size;
    if (placed->general)
        return general_amount(placed);
    if (placed->emitter.shape == BILLOW_BOX) {
        double amount = 1;
        for (int axis = 0; axis < 3; axis++)
            if (size[axis] < COVERAGE_SUM_CELLS) {
                double sum = slab_sum(placed, axis);
                amount *= sum > 0 ? 2.0 * (double)size[axis] / sum : 0;
            }
        return (float)amount;
    }
    double r = (double)size[0];
    if (r > (double)COVERAGE_SUM_CELLS)
        return (float)(1.0 / (1.0 + 1.0 / (r * r)));
    double sum = coverage_sum(placed);
    return sum > 0 ? (float)(4.0 / 3.0 * 3.14159265358979 * r * r * r / sum) : 0;
}

static int into_range(double x, int high)
{
    return x < 0 ? 0 : x > (double)high ? high : (int)x;
}

/* Neither a sphere nor an upright box; those have faster formulas. */
static bool is_general(const BillowEmitter *emitter)
{
    const float *q = emitter->rotation;
    bool upright = q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f;
    return emitter->shape != BILLOW_SPHERE && !(emitter->shape == BILLOW_BOX && upright);
}

PlacedEmitter emitter_place(const BillowEmitter *emitter, const Grid *grid, const BillowDef *def)
{
    PlacedEmitter placed = {.emitter = *emitter};
    for (int axis = 0; axis < 3; axis++) {
        double from_corner = (double)emitter->center[axis] - (double)def->origin[axis];
        placed.center[axis] = (float)(from_corner / (double)def->cell_size - 0.5);
        placed.size[axis] = emitter->size[axis] / def->cell_size;
    }
    placed.general = is_general(emitter);
    placed.shape =
        shape_place(emitter->shape, placed.size, placed.center, emitter->rotation, emitter->volume);
    placed.amount = coverage_amount(&placed);
    const int cells[3] = {grid->nx, grid->ny, grid->nz};
    for (int axis = 0; axis < 3; axis++) {
        double low, high;
        lattice_range(&placed, axis, &low, &high);
        placed.low[axis] = into_range(low, cells[axis]);
        placed.high[axis] = into_range(high + 1.0, cells[axis] + 1);
    }
    return placed;
}

/* Narrows a row for a general shape, from both ends. A covered face is less than 1 cell from the
 * surface, and the centre of its cell half a cell more. */
static void general_row(const PlacedEmitter *placed, int j, int k, int *low, int *high)
{
    int end = *high;
    double distance;
    for (; *low < end; *low = into_range(*low + cells_to(placed, distance - 1.5), end)) {
        distance = shape_distance(&placed->shape, (const double[3]){*low, j, k});
        if (distance < 1.5)
            break;
    }
    for (; *high > *low; *high = into_range(*high - cells_to(placed, distance - 1.5), end)) {
        distance = shape_distance(&placed->shape, (const double[3]){*high - 1, j, k});
        if (distance < 1.5)
            break;
    }
    *high = *high < *low ? *low : *high;
}

void emitter_row(const PlacedEmitter *placed, int j, int k, int *low, int *high)
{
    *low = placed->low[0];
    *high = placed->high[0];
    if (placed->general)
        general_row(placed, j, k, low, high);
    if (placed->emitter.shape != BILLOW_SPHERE)
        return;
    /* the sphere, its ramp of one cell, and half a cell from a face to its cell's centre */
    double radius = (double)placed->size[0] + 2.0, x = (double)placed->center[0];
    double dy = j - (double)placed->center[1], dz = k - (double)placed->center[2];
    double half = sqrt(fmax(radius * radius - dy * dy - dz * dz, 0));
    *low = into_range(fmax(floor(x - half), *low), *high);
    *high = into_range(fmin(ceil(x + half) + 1.0, *high), *high);
}

/* Coverage of a slab, summed over the grid's cells along an axis. */
static double slab_inside(const PlacedEmitter *placed, int axis, int cells)
{
    double sum = 0;
    for (int x = placed->low[axis]; x < placed->high[axis] && x < cells; x++)
        sum += (double)slab_coverage((float)x - placed->center[axis], placed->size[axis]);
    return sum;
}

/* Coverage of a sphere, summed over a row. It falls from the middle outwards: every cell between
 * two fully covered ones is fully covered. */
static double ball_row_inside(const PlacedEmitter *placed, const Grid *grid, int j, int k)
{
    int first, end;
    emitter_row(placed, j, k, &first, &end);
    int last = (end < grid->nx ? end : grid->nx) - 1;
    double sum = 0;
    float covered;
    for (; first <= last; first++, sum += (double)covered)
        if ((covered = emitter_coverage(placed, (float)first, (float)j, (float)k)) >= 1)
            break;
    for (; first <= last; last--, sum += (double)covered)
        if ((covered = emitter_coverage(placed, (float)last, (float)j, (float)k)) >= 1)
            break;
    return first <= last ? sum + (last - first + 1) : sum;
}

static double row_inside(const PlacedEmitter *placed, const Grid *grid, int j, int k)
{
    if (!placed->general)
        return ball_row_inside(placed, grid, j, k);
    int first, end;
    emitter_row(placed, j, k, &first, &end);
    return row_sum(placed, first, end < grid->nx ? end : grid->nx, j, k);
}

double emitter_inside(const PlacedEmitter *placed, const Grid *grid)
{
    double sum = 0;
    if (!placed->general && placed->emitter.shape == BILLOW_BOX)
        sum = slab_inside(placed, 0, grid->nx) * slab_inside(placed, 1, grid->ny) *
              slab_inside(placed, 2, grid->nz);
    else
        for (int k = placed->low[2]; k < placed->high[2] && k < grid->nz; k++)
            for (int j = placed->low[1]; j < placed->high[1] && j < grid->ny; j++)
                sum += row_inside(placed, grid, j, k);
    return sum * (double)placed->amount;
}

float emitter_flicker(const PlacedEmitter *placed, float x, float y, float z, float cell_size,
                      double time, NoiseMemory *memory)
{
    const BillowEmitter *emitter = &placed->emitter;
    if (emitter->noise == 0.0f)
        return 1.0f;
    float scale = cell_size / emitter->noise_scale;
    float phase = (float)(time * (double)emitter->noise_speed);
    float factor = 1.0f + emitter->noise * noise4((x - placed->center[0]) * scale,
                                                  (y - placed->center[1]) * scale,
                                                  (z - placed->center[2]) * scale, phase,
                                                  emitter->seed, memory);
    return factor > 0 ? factor : 0;
}

double emitter_seconds(const BillowEmitter *emitter, double begin, double end)
{
    double first = emitter->start > begin ? emitter->start : begin;
    double last = emitter->end < end ? emitter->end : end;
    return last > first ? last - first : 0;
}

double emitter_flicker_max(const BillowEmitter *emitter)
{
    return 1.0 + (double)emitter->noise * (double)NOISE_MAX;
}
