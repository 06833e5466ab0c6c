/* SPDX-License-Identifier: MIT
 *
 * Transfer of velocity between the active cells and the far field: restriction, the mean of the
 * fine faces of a far face; and prolongation, interpolation of fine faces between far ones. */
#include "sim/follow/follow.h"

#include <string.h>

/* Spans of the far faces of component `axis` in far row (j, k) that touch a far cell under active
 * cells: those of the row itself and of the row below along the axis. */
static void under_faces(const BillowSim *sim, int axis, int j, int k, Span faces[2])
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    int below_j = axis == 1 ? j - 1 : j, below_k = axis == 2 ? k - 1 : k;
    faces[0] = faces[1] = (Span){0, 0};
    if (j < far->ny && k < far->nz)
        faces[0] = follow->under[j + (ptrdiff_t)k * far->ny];
    if (axis > 0 && below_j >= 0 && below_k >= 0)
        faces[1] = follow->under[below_j + (ptrdiff_t)below_k * far->ny];
    if (axis == 0 && !span_is_empty(faces[0]))
        faces[0].end++;
}

/* Means of the four fine faces that make up each far face of a row. */
static void restrict_faces(const BillowSim *sim, int axis, int j, int k, Span faces)
{
    const Grid *grid = &sim->grid;
    BillowSim *far = sim->follow->far;
    ptrdiff_t a = axis == 0 ? grid->stride_y : 1;
    ptrdiff_t b = axis == 2 ? grid->stride_y : grid->stride_z;
    const float *fine = sim->velocity[axis] + grid_row(grid, 2 * j, 2 * k);
    const float *const rows[4] = {fine, fine + a, fine + b, fine + a + b};
    sim->kernels->follow->restrict_faces(rows, faces,
                                         far->velocity[axis] + grid_row(&far->grid, j, k));
}

typedef struct RestrictTask {
    BillowSim *sim;
    bool border; /* only faces on the border of far cells beyond active cells */
} RestrictTask;

static void restrict_border(const BillowSim *sim, int axis, int j, int k, Span faces)
{
    const Grid *far = &sim->follow->far->grid;
    Span inner = {0, 0}, parts[3];
    if (j < far->ny && k < far->nz)
        inner = sim->follow->inner[j + (ptrdiff_t)k * far->ny];
    int count = span_parts(faces, inner, (Span){0, 0}, parts);
    for (int p = 0; p < count; p++)
        restrict_faces(sim, axis, j, k, parts[p]);
}

/* The far rows of plane k that have faces of far cells under active cells. */
static Span restrict_rows(const BillowSim *sim, int k)
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    if (follow->under == follow->far_all)
        return (Span){0, (short)far->ny};
    Span own = k < far->nz ? follow->under_rows[k] : (Span){0, 0};
    return k > 0 ? span_hull(own, follow->under_rows[k - 1]) : own;
}

static void restrict_task(void *context, Team team)
{
    const RestrictTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    int end = slab.end + (slab.end == far->nz);
    for (int k = slab.begin; k < end; k++) {
        Span rows = restrict_rows(sim, k);
        for (int axis = 0; axis < 3; axis++)
            for (int j = rows.begin; j < rows.end + (axis == 1); j++) {
                Span faces[2];
                if (k == far->nz && axis != 2)
                    continue;
                under_faces(sim, axis, j, k, faces);
                for (int part = 0; part < 2; part++)
                    if (part == 1 && span_covers(faces[0], faces[1]))
                        continue;
                    else if (task->border)
                        restrict_border(sim, axis, j, k, faces[part]);
                    else
                        restrict_faces(sim, axis, j, k, faces[part]);
            }
    }
}

void follow_restrict(BillowSim *sim)
{
    sim_run(sim, restrict_task, &(RestrictTask){sim, false});
    displacement_drop(sim->follow->far);
}

void follow_restrict_border(BillowSim *sim)
{
    sim_run(sim, restrict_task, &(RestrictTask){sim, true});
}

/* Two far rows or planes and their weights, for fine row or plane i. Along the axis of a velocity
 * component every other fine face coincides with a far face. Across it, fine faces lie a quarter of
 * a far cell from the nearest far row. n: far cells along the axis. */
typedef struct Pair {
    int own, other;
    float weight; /* of `other` */
} Pair;

static Pair pair_of(int i, bool along, int n)
{
    int own = i >> 1, other = i & 1 ? own + 1 : own - 1;
    if (along)
        return (Pair){own, i & 1 ? own + 1 : own, i & 1 ? 0.5f : 0.0f};
    return (Pair){own, other < 0 || other >= n ? own : other, 0.25f};
}

/* Interpolates fine faces of a row linearly between far faces. */
static void prolong_faces(const BillowSim *sim, int axis, int j, int k, Span faces, float *out)
{
    const BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    Pair y = pair_of(j, axis == 1, grid->ny), z = pair_of(k, axis == 2, grid->nz);
    const float *field = far->velocity[axis];
    const float *const rows[4] = {
        field + grid_row(grid, y.own, z.own), field + grid_row(grid, y.other, z.own),
        field + grid_row(grid, y.own, z.other), field + grid_row(grid, y.other, z.other)};
    const float weights[4] = {(1 - y.weight) * (1 - z.weight), y.weight * (1 - z.weight),
                              (1 - y.weight) * z.weight, y.weight * z.weight};
    sim->kernels->follow->prolong_faces(rows, weights, axis == 0,
                                        axis == 0 ? grid->nx : grid->nx - 1, faces, out);
}

/* Fills the low faces of the cells of `outer`, and the last faces of the box, except those that are
 * faces of the cells of `inner`. */
typedef struct ProlongTask {
    const BillowSim *sim;
    float *const *velocity;
    const Span *outer, *inner, *rows;
} ProlongTask;

static Span row_of(const ProlongTask *task, const Span *spans, int j, int k)
{
    const Grid *grid = &task->sim->grid;
    if (j < 0 || k < 0 || j >= grid->ny || k >= grid->nz)
        return (Span){0, 0};
    return spans[j + (ptrdiff_t)k * grid->ny];
}

/* The faces in row (j, k) of a component that belong to cells: their low faces, and the high faces
 * of the row's own cells (axis 0) or of the cells in the row below along the axis. */
static void faces_of(const ProlongTask *task, const Span *spans, int axis, int j, int k,
                     Span faces[2])
{
    faces[0] = row_of(task, spans, j, k);
    faces[1] = axis == 0 ? (Span){0, 0} : row_of(task, spans, j - (axis == 1), k - (axis == 2));
    if (axis == 0 && !span_is_empty(faces[0]))
        faces[0].end++;
}

static void prolong_row(const ProlongTask *task, int axis, int j, int k, Span outer)
{
    const BillowSim *sim = task->sim;
    Span inner[2], parts[3];
    if (axis == 0 && outer.end == sim->grid.nx)
        outer.end++;
    faces_of(task, task->inner, axis, j, k, inner);
    int count = span_parts(outer, inner[0], inner[1], parts);
    for (int p = 0; p < count; p++)
        prolong_faces(sim, axis, j, k, parts[p], task->velocity[axis] + grid_row(&sim->grid, j, k));
}

/* The faces of the cells of row (j, k), and of the sides of the box next to it. */
static void prolong_cells(const ProlongTask *task, int j, int k)
{
    const Grid *grid = &task->sim->grid;
    Span outer = row_of(task, task->outer, j, k);
    if (span_covers(row_of(task, task->inner, j, k), outer))
        return;
    for (int axis = 0; axis < 3; axis++) {
        int high_j = j + (axis == 1), high_k = k + (axis == 2);
        if (task->velocity[axis] == NULL)
            continue;
        prolong_row(task, axis, j, k, outer);
        if (high_j == grid->ny || high_k == grid->nz)
            prolong_row(task, axis, high_j, high_k, outer);
    }
}

static void prolong_task(void *context, Team team)
{
    const ProlongTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = task->rows[k].begin; j < task->rows[k].end; j++)
            prolong_cells(task, j, k);
}

void follow_prolong_slab(const BillowSim *sim, int axis, float *component, ActiveSet outer,
                         Team team)
{
    if (!follows(sim))
        return;
    const ActiveRegion *region = &sim->follow->region;
    float *velocity[3] = {NULL, NULL, NULL};
    velocity[axis] = component;
    ProlongTask task = {sim, velocity, region->spans[outer], region->spans[ACTIVE_CELLS],
                        region->rows[outer]};
    prolong_task(&task, team);
}

void follow_prolong(BillowSim *sim, const Span *inner)
{
    const ActiveRegion *region = &sim->follow->region;
    ProlongTask task = {sim, sim->velocity, region->spans[ACTIVE_BAND], inner,
                        region->rows[ACTIVE_BAND]};
    sim_run(sim, prolong_task, &task);
}

void follow_fill_band(BillowSim *sim)
{
    follow_prolong(sim, sim->follow->region.spans[ACTIVE_CELLS]);
}

const float *follow_row(const BillowSim *sim, int axis, const float *field, int j, int k,
                        float *memory)
{
    const float *row = field + grid_row(&sim->grid, j, k);
    int n = sim->grid.nx + (axis == 0);
    Span parts[3], kept = follow_kept(sim, j, k, n);
    if (!follows(sim))
        return row;
    int count = span_parts((Span){0, (short)n}, kept, (Span){0, 0}, parts);
    if (!span_is_empty(kept))
        memcpy(memory + kept.begin, row + kept.begin,
               (size_t)(kept.end - kept.begin) * sizeof *memory);
    for (int p = 0; p < count; p++)
        if (axis >= 0)
            prolong_faces(sim, axis, j, k, parts[p], memory);
        else
            memset(memory + parts[p].begin, 0,
                   (size_t)(parts[p].end - parts[p].begin) * sizeof *memory);
    return memory;
}
