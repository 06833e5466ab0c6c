/* SPDX-License-Identifier: MIT
 *
 * Stage 1: emitters. The first half of this file computes which share of each cell an emitter
 * covers. The second half releases smoke, heat and fuel into covered cells, and drives the velocity
 * of covered faces. */
#include "sim/sources/sources.h"

#include "base/mathematics.h"
#include "base/vec3.h"
#include "sim/fields/field_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- coverage ---------------------------------------------------------------------------------- */

static float minimum(float a, float b)
{
    return a < b ? a : b;
}

static float ramp(float inside) /* distance to the surface in cells, positive inside */
{
    float covered = 0.5f + 0.5f * inside;
    return covered < 0 ? 0 : minimum(covered, 1.0f);
}

/* Coverage of a slab at a `distance` from its middle plane, along its axis. `half` is half its
 * thickness; all in cells. A slab thinner than two cells peaks below 1, at `half`. */
static float slab_coverage(float distance, float half)
{
    float from_centre = fabsf(distance);
    return half <= 0 ? 0 : minimum(ramp(half - from_centre), half);
}

float emitter_coverage(const PlacedEmitter *placed, float x, float y, float z)
{
    if (placed->general) {
        const double point[3] = {(double)x, (double)y, (double)z};
        float covered = ramp(-(float)shape_distance(&placed->shape, point));
        return covered > 0 ? covered * (float)shape_amount(&placed->shape, point) : 0;
    }
    float dx = x - placed->center[0], dy = y - placed->center[1], dz = z - placed->center[2];
    if (placed->emitter.shape == BILLOW_BOX)
        return slab_coverage(dx, placed->size[0]) * slab_coverage(dy, placed->size[1]) *
               slab_coverage(dz, placed->size[2]);
    return ramp(placed->size[0] - sqrtf(dx * dx + dy * dy + dz * dz));
}

/* Range *low <= x < *high of the lattice points along an axis that the shape may cover. */
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

/* Sum of the coverage over all cells, in the grid or outside. */
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

/* Number of cells of a row that can be skipped if the surface is `distance` > 0 away, at least 1.
 * The distance falls by at most 1 per cell, or somewhat faster between the samples of a volume. */
static double cells_to(const PlacedEmitter *placed, double distance)
{
    double cells = placed->emitter.shape == BILLOW_VOLUME ? 0.5 * distance : distance;
    return cells > 1 ? floor(cells) : 1;
}

static bool has_factors(const PlacedEmitter *placed)
{
    return placed->emitter.shape == BILLOW_VOLUME && placed->emitter.volume->amount != NULL;
}

/* Coverage of a general shape, summed over the cells low <= x < high of a row. */
static double row_sum(const PlacedEmitter *placed, double low, double high, double y, double z)
{
    const bool factors = has_factors(placed);
    double sum = 0, cells;
    for (double x = low; x < high; x += cells) {
        const double point[3] = {x, y, z};
        double distance = shape_distance(&placed->shape, point), factor = 1;
        double same = factors ? distance : fabs(distance); /* until the coverage may change */
        cells = same > 1 ? cells_to(placed, same - 1) : 1;
        cells = cells < high - x ? cells : high - x;
        if (factors && distance < 1)
            factor = shape_amount(&placed->shape, point);
        sum += cells * (double)ramp(-(float)distance) * factor;
    }
    return sum;
}

/* Volume of a general shape divided by the sum of its coverage; 1 for a plane, which is infinite.
 * The volume of one with factors at its samples is their integral. If the shape has very many rows,
 * its surface is nearly flat within a cell, and an integral replaces the sum. */
static float general_amount(const PlacedEmitter *placed)
{
    const PlacedShape *shape = &placed->shape;
    if (shape->shape == BILLOW_PLANE)
        return 1;
    double low[3], high[3], sum = 0;
    for (int axis = 0; axis < 3; axis++)
        lattice_range(placed, axis, &low[axis], &high[axis]);
    if (!has_factors(placed) && (high[1] - low[1]) * (high[2] - low[2]) > COVERAGE_SUM_ROWS)
        sum = shape_spread(shape, 1);
    else
        for (double z = low[2]; z < high[2]; z++)
            for (double y = low[1]; y < high[1]; y++)
                sum += row_sum(placed, low[0], high[0], y, z);
    double volume = has_factors(placed) ? shape_amounts(shape) : shape_volume(shape);
    return sum > 0 ? (float)(volume / sum) : 0;
}

/* Coverage of a slab, summed over the cells low <= x < high along an axis. */
static double slab_sum(const PlacedEmitter *placed, int axis, double low, double high)
{
    double sum = 0;
    for (double x = low; x < high; x++)
        sum += (double)slab_coverage((float)x - placed->center[axis], placed->size[axis]);
    return sum;
}

/* Volume of the shape divided by the sum of its coverage. For a ramp of half width w = 1 the sum is
 * 4/3 pi (r^3 + r w^2) for a sphere. For a slab the sum equals the volume. Both hold for shapes
 * wider than the ramp. */
static float coverage_amount(const PlacedEmitter *placed)
{
    const float *size = placed->size;
    if (placed->general)
        return general_amount(placed);
    if (placed->emitter.shape == BILLOW_BOX) {
        double amount = 1;
        for (int axis = 0; axis < 3; axis++)
            if (size[axis] < COVERAGE_SUM_CELLS) {
                double low, high;
                lattice_range(placed, axis, &low, &high);
                double sum = slab_sum(placed, axis, low, high);
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

/* Finds the largest factor and the largest speed among the samples of a volume. */
static void find_most(PlacedEmitter *placed)
{
    const BillowVolume *volume = placed->emitter.volume;
    double squared = 0;
    placed->most = 1;
    if (placed->emitter.shape != BILLOW_VOLUME)
        return;
    size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    if (volume->amount != NULL)
        placed->most = 0;
    for (size_t s = 0; volume->amount != NULL && s < samples; s++)
        placed->most = volume->amount[s] > placed->most ? volume->amount[s] : placed->most;
    for (size_t s = 0; volume->velocity != NULL && s < samples; s++) {
        double speed = (double)vector_dot(volume->velocity[s], volume->velocity[s]);
        squared = speed > squared ? speed : squared;
    }
    placed->speed = (float)sqrt(squared);
}

static int into_range(double x, int high)
{
    return x < 0 ? 0 : x > (double)high ? high : (int)x;
}

PlacedEmitter emitter_place(const BillowEmitter *emitter, const Grid *grid, const BillowDef *def,
                            float cell_size)
{
    PlacedEmitter placed = {.emitter = *emitter};
    for (int axis = 0; axis < 3; axis++) {
        double from_corner = (double)emitter->center[axis] - (double)def->origin[axis];
        placed.center[axis] = (float)(from_corner / (double)cell_size - 0.5);
        placed.size[axis] = emitter->size[axis] / cell_size;
    }
    const float *q = emitter->rotation;
    bool upright = q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f;
    placed.general = emitter->shape != BILLOW_SPHERE && !(emitter->shape == BILLOW_BOX && upright);
    placed.shape =
        shape_place(emitter->shape, placed.size, placed.center, emitter->rotation, emitter->volume);
    placed.amount = coverage_amount(&placed);
    find_most(&placed);
    for (int axis = 0; axis < 3; axis++) {
        double low, high;
        lattice_range(&placed, axis, &low, &high);
        placed.low[axis] = into_range(low, grid->cells[axis]);
        placed.high[axis] = into_range(high + 1.0, grid->cells[axis] + 1);
    }
    return placed;
}

/* Narrows a row from both ends for a general shape. A covered face is less than 1 cell from the
 * surface, and the centre of its cell is at most half a cell farther. */
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
    /* 1 cell for the ramp, and 1 for the half cell from a face to its cell's centre, rounded up */
    double radius = (double)placed->size[0] + 2.0, x = (double)placed->center[0];
    double dy = j - (double)placed->center[1], dz = k - (double)placed->center[2];
    double half = sqrt(fmax(radius * radius - dy * dy - dz * dz, 0));
    *low = into_range(fmax(floor(x - half), *low), *high);
    *high = into_range(fmin(ceil(x + half) + 1.0, *high), *high);
}

/* Coverage of a sphere, summed over the cells first to last of a row. Coverage falls from the
 * middle of the row outwards, so that all cells between two fully covered ones are covered. */
static double ball_row_sum(const PlacedEmitter *placed, int first, int last, int j, int k)
{
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

double emitter_inside(const PlacedEmitter *placed, const Grid *grid)
{
    double sum = 0;
    int end[3], first, last;
    for (int axis = 0; axis < 3; axis++)
        end[axis] = placed->high[axis] < grid->cells[axis] ? placed->high[axis] : grid->cells[axis];
    if (!placed->general && placed->emitter.shape == BILLOW_BOX) {
        sum = 1;
        for (int axis = 0; axis < 3; axis++)
            sum *= slab_sum(placed, axis, placed->low[axis], end[axis]);
    } else
        for (int k = placed->low[2]; k < end[2]; k++)
            for (int j = placed->low[1]; j < end[1]; j++) {
                emitter_row(placed, j, k, &first, &last);
                last = last < grid->nx ? last : grid->nx;
                sum += placed->general ? row_sum(placed, first, last, j, k)
                                       : ball_row_sum(placed, first, last - 1, j, k);
            }
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

/* Time until `time` during which a repeated emitter was on, s. */
static double seconds_until(const BillowEmitter *emitter, double time)
{
    const double since = fmax(time - emitter->start, 0), each = emitter->end - emitter->start;
    const double times = floor(since / emitter->every);
    return times * fmin(each, emitter->every) + fmin(since - times * emitter->every, each);
}

double emitter_seconds(const BillowEmitter *emitter, double begin, double end)
{
    double first = emitter->start > begin ? emitter->start : begin;
    double last = emitter->end < end ? emitter->end : end;
    if (emitter->every > 0)
        return fmax(seconds_until(emitter, end) - seconds_until(emitter, begin), 0);
    return last > first ? last - first : 0;
}

double emitter_flicker_max(const BillowEmitter *emitter)
{
    return 1.0 + (double)emitter->noise * (double)NOISE_MAX;
}

/* The hue of a colour turns on a hexagon: with the largest component V, the difference C between
 * the largest and the smallest, and the hue h in sixths of a turn, counted from red,
 *
 *     component = V - C min(max(min(k, 4 - k), 0), 1),   k = (n + h) mod 6,   n = 5, 3, 1
 *
 * for red, green and blue (Smith 1978). V and C stay. */
void emitter_color(const BillowEmitter *emitter, double time, float color[3])
{
    int most = 0, least = 0;
    memcpy(color, emitter->color, sizeof emitter->color);
    for (int c = 1; c < 3; c++) {
        most = color[c] > color[most] ? c : most;
        least = color[c] < color[least] ? c : least;
    }
    double value = (double)color[most], range = value - (double)color[least];
    if (emitter->hue_speed == 0.0f || !(range > 0))
        return;
    double next = (double)emitter->color[(most + 1) % 3],
           last = (double)emitter->color[(most + 2) % 3];
    double hue = 2 * most + (next - last) / range + 6 * (double)emitter->hue_speed * time;
    for (int c = 0; c < 3; c++) {
        double k = 5 - 2 * c + hue;
        k -= 6 * floor(k / 6);
        double share = k < 4 - k ? k : 4 - k;
        color[c] = (float)(value - range * fmin(fmax(share, 0), 1));
    }
}

/* -- release ----------------------------------------------------------------------------------- */

/* An emitter in one substep. `seconds`: time that it is on. `pull`: share of the difference between
 * the fluid's and the emitter's velocity that it removes in that time. */
typedef struct Release {
    const PlacedEmitter *placed,
        *smoke; /* the emitter in cells of the wind; in those of the smoke */
    double seconds;
    float pull, color[3];
    float *fields[SCALARS_MAX], rates[SCALARS_MAX]; /* of the scalars with a rate of release */
    int rate_count;
} Release;

typedef struct SourceTask {
    BillowSim *sim;
    Release releases[2 * BILLOW_EMITTERS_MAX];
    int count;
} SourceTask;

static Release release_of(BillowSim *sim, int e, double seconds)
{
    Scalar list[SCALARS_MAX];
    const PlacedEmitter *placed = sim_emitter(sim, e);
    float pull = (float)-math_expm1(-(double)placed->emitter.grip * seconds);
    Release release = {
        .placed = placed, .smoke = smoke_emitter(sim, e), .seconds = seconds, .pull = pull};
    emitter_color(&placed->emitter, sim->time, release.color);
    int count = scalars_list(sim, list);
    for (int s = 0; s < count; s++)
        if (list[s].rate != 0) {
            release.fields[release.rate_count] = *list[s].field;
            release.rates[release.rate_count++] =
                *(const float *)((const char *)&placed->emitter + list[s].rate);
        }
    return release;
}

/* Coverage of the low face of a cell along `axis`; 0 if the grid has no such face. A cell past the
 * grid's last one, at nx, ny or nz, has one face that belongs to the grid. */
static float face_coverage(const Grid *grid, const PlacedEmitter *placed, int axis,
                           const int cell[3])
{
    for (int other = 0; other < 3; other++)
        if (other != axis && cell[other] >= grid->cells[other])
            return 0;
    float at[3] = {(float)cell[0], (float)cell[1], (float)cell[2]};
    at[axis] -= 0.5f;
    return emitter_coverage(placed, at[0], at[1], at[2]);
}

/* Drives the low faces of a cell: u += pull * coverage * (flicker * target - u). */
static void drive_cell(BillowSim *sim, const Release *release, const int cell[3],
                       const float coverage[3], float flicker)
{
    const PlacedEmitter *placed = release->placed;
    const BillowEmitter *emitter = &placed->emitter;
    ptrdiff_t at = grid_row(&sim->grid, cell[1], cell[2]) + cell[0];
    /* A shape smaller or thinner than a cell fills only a share of the cells that it touches, and
     * drives that share of their fluid. The inside of a larger shape takes the full velocity. */
    bool small = placed->general ? placed->amount < 0.5f
                                 : emitter->shape == BILLOW_SPHERE && placed->size[0] < 1;
    float driven = small ? placed->amount : 1;
    for (int axis = 0; axis < 3; axis++) {
        float away[3], own[3], *u = sim->velocity[axis] + at;
        double face[3];
        if (!(coverage[axis] > 0))
            continue;
        for (int a = 0; a < 3; a++) {
            float place = (float)cell[a] - (a == axis ? 0.5f : 0.0f);
            away[a] = place - placed->center[a];
            face[a] = (double)place;
        }
        shape_velocity(&placed->shape, face, own);
        float target = emitter->velocity[axis] + own[axis];
        if (emitter->burst != 0.0f) {
            float distance = sqrtf(vector_dot(away, away));
            target += emitter->burst * (distance > 0 ? away[axis] / distance : 0);
        }
        *u += release->pull * (driven * minimum(coverage[axis], 1.0f)) * (target * flicker - *u);
    }
}

static void release_scalars(BillowSim *sim, const Release *release, float amount, const int cell[3])
{
    const BillowEmitter *emitter = &release->placed->emitter;
    ptrdiff_t at = grid_row(&sim->smoke.grid, cell[1], cell[2]) + cell[0];
    if (!smoke_is_fluid(sim, cell))
        return;
    float smoke = emitter->smoke * amount, before = sim->density[at];
    for (int r = 0; r < release->rate_count; r++) {
        float *value = release->fields[r] + at;
        *value = limited(*value + release->rates[r] * amount);
    }
    sim->plane_budgets[cell[2]].released += (double)sim->density[at] - (double)before;
    for (int c = 0; c < 3 && sim->def.color; c++)
        sim->color[c][at] = limited(sim->color[c][at] + release->color[c] * smoke);
}

/* The flicker along a row of cells. */
typedef struct RowFlicker {
    NoiseMemory memory;
    int wind;        /* the wind cell at whose ends it is known; -1: none is */
    float low, high; /* there */
} RowFlicker;

/* Flicker at a cell of the smoke. The noise hardly bends within a cell of the wind, unless it is as
 * fine as these: it is interpolated along x between their ends. */
static float smoke_flicker(const BillowSim *sim, const PlacedEmitter *placed, const int cell[3],
                           RowFlicker *row)
{
    const int refine = sim->smoke.refine, wind = cell[0] / refine;
    const float h = sim->smoke.cell_size, y = (float)cell[1], z = (float)cell[2];
    if (refine == 1 || placed->emitter.noise_scale < 3 * sim->def.cell_size)
        return emitter_flicker(placed, (float)cell[0], y, z, h, sim->time, &row->memory);
    const float first = (float)(wind * refine) - 0.5f;
    if (row->wind != wind) {
        row->low = row->wind >= 0 && row->wind == wind - 1
                       ? row->high
                       : emitter_flicker(placed, first, y, z, h, sim->time, &row->memory);
        row->high =
            emitter_flicker(placed, first + (float)refine, y, z, h, sim->time, &row->memory);
        row->wind = wind;
    }
    return row->low + ((float)cell[0] - first) / (float)refine * (row->high - row->low);
}

/* A pass over the cells that an emitter may cover. */
typedef void CellPass(BillowSim *sim, const Release *release, const int cell[3], RowFlicker *row);

/* Releases into a cell of the smoke. */
static void release_cell(BillowSim *sim, const Release *release, const int cell[3], RowFlicker *row)
{
    const Grid *grid = &sim->smoke.grid;
    const PlacedEmitter *placed = release->smoke;
    float x = (float)cell[0], y = (float)cell[1], z = (float)cell[2];
    bool inside = cell[0] < grid->nx && cell[1] < grid->ny && cell[2] < grid->nz;
    float coverage = inside ? emitter_coverage(placed, x, y, z) : 0;
    if (!(coverage > 0))
        return;
    float flicker = smoke_flicker(sim, placed, cell, row);
    float amount = coverage * placed->amount * flicker * (float)release->seconds;
    release_scalars(sim, release, amount, cell);
}

/* Drives the three low faces of a cell of the wind. */
static void push_cell(BillowSim *sim, const Release *release, const int cell[3], RowFlicker *row)
{
    const PlacedEmitter *placed = release->placed;
    float x = (float)cell[0], y = (float)cell[1], z = (float)cell[2], faces[3];
    for (int axis = 0; axis < 3; axis++)
        faces[axis] = face_coverage(&sim->grid, placed, axis, cell);
    if (faces[0] + faces[1] + faces[2] > 0.0f)
        drive_cell(sim, release, cell, faces,
                   emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->time, &row->memory));
}

static void pass_cells(BillowSim *sim, const Release *release, const PlacedEmitter *placed,
                       Slab slab, CellPass *pass)
{
    Slab planes = slab_meet(slab, (Slab){placed->low[2], placed->high[2]});
    for (int k = planes.begin, low, high; k < planes.end; k++) {
        RowFlicker row = {.wind = -1};
        for (int j = placed->low[1]; j < placed->high[1]; j++) {
            emitter_row(placed, j, k, &low, &high);
            row.wind = -1;
            for (int i = low; i < high; i++)
                pass(sim, release, (const int[3]){i, j, k}, &row);
        }
    }
}

/* Planes that releases reach, of the smoke or of the wind. */
static Slab placed_planes(const SourceTask *task, bool smoke)
{
    Slab planes = {BILLOW_GRID_MAX, 0};
    for (int r = 0; r < task->count; r++) {
        const Release *release = &task->releases[r];
        const PlacedEmitter *placed = smoke ? release->smoke : release->placed;
        if (placed->low[2] < planes.begin)
            planes.begin = placed->low[2];
        if (placed->high[2] > planes.end)
            planes.end = placed->high[2];
    }
    return planes;
}

static void source_task(void *context, Team team)
{
    SourceTask *task = context;
    BillowSim *sim = task->sim;
    Slab wind = team_slab_around(team, sim->grid.nz, placed_planes(task, false));
    Slab smoke = team_slab_around(team, sim->smoke.grid.nz, placed_planes(task, true));
    wind.end += slab_ends(wind, sim->grid.nz); /* includes the faces at nz */
    for (int k = smoke.begin; k < smoke.end; k++)
        sim->plane_budgets[k].released = 0;
    for (int r = 0; r < task->count; r++) {
        const Release *release = &task->releases[r];
        pass_cells(sim, release, release->smoke, smoke, release_cell);
        if (release->pull > 0.0f)
            pass_cells(sim, release, release->placed, wind, push_cell);
    }
}

void sources_apply(BillowSim *sim, double dt)
{
    SourceTask task = {.sim = sim};
    for (int e = 0; e < sim_emitter_count(sim); e++) {
        double seconds = sim_emitter_seconds(sim, e, dt);
        if (seconds > 0)
            task.releases[task.count++] = release_of(sim, e, seconds);
    }
    if (task.count == 0)
        return;
    sim_run(sim, source_task, &task);
    budget_released(sim, 1);
}

void budget_released(BillowSim *sim, double share)
{
    double released = 0;
    sim_exchange_budgets(sim);
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        released += sim->plane_budgets[k].released;
    sim->stats.mass_sources += share * released * smoke_cell_volume(sim);
}

/* `mass` remains after dissipation has left the share s of the density. Dissipation therefore
 * removed (1 - s) / s times `mass`. */
void budget_dissipated(BillowSim *sim, double mass)
{
    BillowStats *stats = &sim->stats;
    double share = (double)sim->density_share;
    if (share >= (double)FLT_MIN)
        stats->mass_dissipated += (1 - share) / share * mass;
    else /* nothing is left */
        stats->mass_dissipated = stats->mass_sources - stats->mass_outflow;
    sim->density_share = 1;
}

double sources_speed(const BillowSim *sim, double dt)
{
    double most = 0;
    for (int e = 0; e < sim_emitter_count(sim); e++) {
        const BillowEmitter *emitter = &sim_emitter(sim, e)->emitter;
        const float *v = emitter->velocity;
        double on = sim_emitter_seconds(sim, e, dt);
        double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                            (double)v[2] * (double)v[2]) +
                       fabs((double)emitter->burst) + (double)sim_emitter(sim, e)->speed;
        speed *= -math_expm1(-(double)emitter->grip * on) * emitter_flicker_max(emitter);
        most = speed > most ? speed : most;
    }
    return most;
}
