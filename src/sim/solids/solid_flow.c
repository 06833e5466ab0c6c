/* SPDX-License-Identifier: MIT
 *
 * How solids change the velocity, before and after the projection, and the regions of fluid that
 * they enclose. */
#include "sim/solids/solid_flow.h"

#include "sim/fields/boundary.h"
#include "sim/fields/constants.h"
#include "sim/sim.h"
#include "sim/solids/bodies.h"
#include "sim/solids/floating_bodies.h"

#include <math.h>
#include <string.h>

typedef void FaceTask(BillowSim *sim, int axis, int i, int j, int k);

/* Runs the task on those low faces of the cells in row (j, k) that have the bit `kind`: CUT_SEEN or
 * CUT_SHUT. */
static void for_cut_row(BillowSim *sim, unsigned kind, int j, int k, FaceTask *task)
{
    const Region *region = &sim->solids->region;
    const unsigned char *cuts = sim->solids->cuts + grid_row(&sim->grid, j, k);
    const unsigned any = kind | kind << 1 | kind << 2;
    for (int i = region->low[0]; i <= region->high[0]; i++)
        for (int axis = 0; (cuts[i] & any) != 0 && axis < 3; axis++)
            if (cuts[i] & kind << axis)
                task(sim, axis, i, j, k);
}

/* Runs the task on all faces of the slab that have the bit `kind`. */
static void for_cut_faces(BillowSim *sim, Slab slab, unsigned kind, FaceTask *task)
{
    const Level *level = &sim->multigrid.levels[0];
    const int ny = sim->grid.ny, nz = sim->grid.nz;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < ny && level->fractions.planes[k]; j++) {
            if (!level_row_is_cut(level, j, k))
                continue;
            for_cut_row(sim, kind, j, k, task);
            if (j == ny - 1)
                for_cut_row(sim, kind, ny, k, task);
            if (k == nz - 1)
                for_cut_row(sim, kind, j, nz, task);
        }
}

static void mix(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    float open = *face_fraction(&sim->multigrid.levels[0], axis, i, j, k);
    float *face = sim->velocity[axis] + at;
    scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)[axis][at] = *face;
    *face = open * *face + (1 - open) * solids_velocity(sim, axis, i, j, k);
}

void solids_mix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SEEN, mix);
}

static void unmix(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    sim->velocity[axis][at] = scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)[axis][at];
}

void solids_unmix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SEEN, unmix);
}

void solids_empty(BillowSim *sim, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    if (sim->solids == NULL || !level->fractions.planes[k])
        return;
    for (int j = 0; j < sim->grid.ny; j++) {
        if (!level_row_is_cut(level, j, k))
            continue;
        const unsigned char *fluid = sim->solids->fluid + grid_row(&sim->grid, j, k);
        for (int i = 0; i < sim->grid.nx; i++)
            if (!fluid[i]) {
                float *rhs = packed_cell(&level->grid, level->rhs, i, j, k);
                sim->plane_squares[k] -= (double)*rhs * (double)*rhs;
                sim->plane_sums[k] -= (double)*rhs;
                *rhs = 0;
            }
    }
    if (sim->plane_squares[k] < 0) /* a rounding error of the subtractions */
        sim->plane_squares[k] = 0;
}

float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell)
{
    const ptrdiff_t sy = sim->grid.stride_y, sz = sim->grid.stride_z;
    const float *d = sim->solids->distance + cell;
    return 0.125f * (((d[0] + d[1]) + (d[sy] + d[sy + 1])) +
                     ((d[sz] + d[sz + 1]) + (d[sz + sy] + d[sz + sy + 1])));
}

/* Distance from a surface within which the confinement's force is removed, cells. The vorticity of
 * a cell depends on the cell's neighbours, and the gradient of vorticity on their neighbours. That
 * is 2 cells; 0.5 is added. */
#define CALM_CELLS 2.5f

void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force)
{
    const Region *region = &sim->solids->region;
    if (sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] > CALM_CELLS)
        return;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    for (int i = region->low[0]; i < region->high[0]; i++)
        if (solids_rough_distance(sim, row + i) < CALM_CELLS)
            force.x[i] = force.y[i] = force.z[i] = 0;
}

/* Computes the mean velocity of the open faces next to a face, along the two axes other than
 * `axis`. Returns false if there are none. */
static bool beside(const BillowSim *sim, int axis, int i, int j, int k, float *mean)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            int at[3] = {i, j, k};
            at[a] += step;
            if (a == axis || at[a] < 0 || at[a] >= grid->cells[a] ||
                *face_fraction(level, axis, at[0], at[1], at[2]) == 0.0f)
                continue;
            sum += sim->velocity[axis][grid_row(grid, at[1], at[2]) + at[0]];
            count++;
        }
    *mean = count > 0 ? sum / (float)count : 0;
    return count > 0;
}

static void impose(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    float mean;
    bool inside = (sim->solids->cuts[at] & CUT_SEEN << axis) == 0; /* no fluid on either side */
    bool slides = inside && beside(sim, axis, i, j, k, &mean) && !solids_stick(sim, axis, i, j, k);
    sim->velocity[axis][at] = slides ? mean : solids_velocity(sim, axis, i, j, k);
}

void solids_impose(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SHUT, impose);
}

/* Keeps, in SCRATCH_FLUID_VELOCITY, the velocity of a cut face within the range of the solid's and
 * those of the faces next to it that are more open. */
static void limit_face(BillowSim *sim, int axis, int i, int j, int k)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    ptrdiff_t here = grid_row(grid, j, k) + i;
    float open = *face_fraction(level, axis, i, j, k), face = sim->velocity[axis][here];
    float least = INFINITY, most = -INFINITY, solid = solids_velocity(sim, axis, i, j, k);
    for (int side = 0; side < BILLOW_SIDES && open > 0.0f; side++) {
        int at[3] = {i, j, k};
        at[side / 2] += side % 2 == 0 ? -1 : 1;
        if (at[side / 2] < 0 || at[side / 2] >= grid->cells[side / 2] ||
            *face_fraction(level, axis, at[0], at[1], at[2]) <= open)
            continue;
        float beside = sim->velocity[axis][grid_row(grid, at[1], at[2]) + at[0]];
        least = fminf(least, beside);
        most = fmaxf(most, beside);
    }
    bool any = least <= most;
    least = fminf(least, solid);
    most = fmaxf(most, solid);
    if (any && face < least)
        face = least;
    else if (any && face > most)
        face = most;
    scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)[axis][here] = face;
}

static void limit_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for_cut_faces(sim, slab, CUT_SEEN, limit_face);
    team_barrier(team);
    for_cut_faces(sim, slab, CUT_SEEN, unmix);
}

void solids_limit(BillowSim *sim)
{
    if (sim->solids == NULL)
        return;
    exchange_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, 1);
    scratch_claim(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    sim_run(sim, limit_task, sim);
    scratch_release(&sim->scratch, SCRATCH_FLUID_VELOCITY);
}

/* -- drag -------------------------------------------------------------------------------------- */

/* Viscous drag at sticky surfaces.
 *
 * The diffusion of velocity (diffuse.c) ignores solids. It couples a face outside a solid to a
 * neighbour inside as if the surface were a whole cell away. The surface is only theta cells away,
 * and its drag is 1 / theta times as large (Shortley & Weller 1938; Gibou, Fedkiw, Cheng & Kang
 * 2002). solids_drag applies the difference implicitly. Faces whose middle is inside the solid get
 * the solid's velocity. Without this drag a surface acts as if it were up to a cell deeper: eddies
 * left a sticky cylinder of 8 cells almost as fast as a slippery one. */

/* Distance from the middle of a face to the surface, in cells. */
static float face_distance(const BillowSim *sim, int axis, ptrdiff_t at)
{
    const float *distance = sim->solids->distance + at;
    ptrdiff_t b = sim->grid.strides[(axis + 1) % 3], c = sim->grid.strides[(axis + 2) % 3];
    return 0.25f * ((distance[0] + distance[b]) + (distance[c] + distance[b + c]));
}

/* Difference between the drag of the surface and the drag that diffusion applies, in units of nu /
 * h2, for a face `outside` cells away from the surface. `*links` becomes the number of neighbours
 * inside, which is the drag that diffusion applies. */
static float missing_drag(const BillowSim *sim, int axis, const int at[3], float outside,
                          int *links)
{
    const float nearest = 0.01f;
    ptrdiff_t here = grid_row(&sim->grid, at[1], at[2]) + at[0];
    float missing = 0;
    *links = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            if (at[a] + step < 0 || at[a] + step >= sim->grid.cells[a])
                continue;
            float beside = face_distance(sim, axis, here + step * sim->grid.strides[a]);
            float theta = beside < 0.0f ? outside / (outside - beside) : 1;
            missing += 1 / (theta > nearest ? theta : nearest) - 1;
            *links += beside < 0.0f;
        }
    return missing;
}

/* Gives the body at a sticky face the momentum that viscosity takes from the air there. slip: the
 * air's velocity relative to the surface, m/s; drag: of the surface, in units of nu / h2. */
static void drag_along(BillowSim *sim, int axis, const int at[3], float drag, float slip)
{
    double arm[3], impulse[3] = {0}, torque[3], h = (double)sim->def.cell_size;
    int solid = solids_nearest(sim, axis, at[0], at[1], at[2], arm);
    if (!bodies_float(&sim->def.solids[solid]))
        return;
    impulse[axis] =
        (double)AIR_DENSITY * h * h * h * (double)sim->solids->drag * (double)drag * (double)slip;
    floating_torque(arm, impulse, torque);
    floating_push(sim, at[2], solid, impulse, torque);
}

static void drag_row(BillowSim *sim, int axis, int j, int k)
{
    const Region *region = &sim->solids->region;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    int last = region->high[0] < sim->grid.nx ? region->high[0] : sim->grid.nx - 1;
    for (int i = region->low[0]; i <= last; i++) {
        const float near = 3; /* cells, from a low corner; beyond, no neighbour is inside */
        if (sim->solids->distance[row + i] > near)
            continue;
        float outside = face_distance(sim, axis, row + i), *face = sim->velocity[axis] + row + i;
        int links = 0;
        const int at[3] = {i, j, k};
        float missing = outside > 0.0f ? missing_drag(sim, axis, at, outside, &links) : 0;
        if ((outside > 0.0f && missing == 0.0f && links == 0) || !solids_stick(sim, axis, i, j, k))
            continue;
        float solid = solids_velocity(sim, axis, i, j, k);
        float left = outside > 0.0f ? 1 / (1 + sim->solids->drag * missing) : 0;
        if (outside <= 0.0f || missing != 0.0f)
            *face = solid + left * (*face - solid);
        if (outside > 0.0f)
            drag_along(sim, axis, at, missing + (float)links, *face - solid);
    }
}

static void drag_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < sim->grid.ny; j++) {
            const float near = 3;
            bool beside = sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] <= near;
            for (int axis = 0; axis < 3 && beside; axis++)
                drag_row(sim, axis, j, k);
        }
}

void solids_drag(BillowSim *sim, double dt)
{
    double h = (double)sim->def.cell_size;
    bool sticky = false;
    for (int s = 0; s < sim->def.solid_count; s++)
        sticky = sticky || sim->def.solids[s].sticky;
    if (!sticky || !(sim->def.params.viscosity > 0.0f))
        return;
    sim->solids->drag = (float)((double)sim->def.params.viscosity * dt / (h * h));
    sim_run(sim, drag_task, sim);
}

/* -- enclosed regions ----------------------------------------------------------------------------
 *
 * Regions of fluid that solids enclose. If fluid has no path to an open face, its right-hand sides
 * must add up to 0. Otherwise the equations of the pressure have no solution. In a closed box
 * project.c subtracts the mean of the right-hand sides. In each region that solids enclose, the
 * mean of that region must be subtracted.
 *
 * Regions consist of runs. A run is a sequence of fluid cells in a row with open faces between
 * them. Runs of neighbouring rows are joined if a face between them is open (union-find, Tarjan
 * 1975). Rows that solids do not touch need no run each: the first row of a band has the only run
 * of all. A plane without solids is one band; in another the rows below the solids' box are one,
 * and those above it. */

typedef struct Run {
    int begin, end; /* cells begin <= i < end of a row */
    int parent;     /* a lower run of the same region; itself for the lowest known run */
    int part; /* 1 + index of the enclosed region, or, before the region has an index, CLOSED_OFF or
                 REACHES_OUT. Only valid in a run that is its own parent. */
} Run;

typedef struct Runs {
    BillowSim *sim;
    Run *items;
    int *first; /* first run of row j + k*ny; one more entry at the end */
    int count, count_max;
    Region box; /* all rows and planes that solids touch, and free ones around them */
} Runs;

/* Rows of a plane, or one alone, with the runs of the first. */
static Slab band_of(const Runs *r, int j, int k)
{
    const Region *box = &r->box;
    const int ny = r->sim->grid.ny;
    if (k < box->low[2] || k >= box->high[2])
        return (Slab){0, ny};
    if (j < box->low[1])
        return (Slab){0, box->low[1]};
    return j < box->high[1] ? (Slab){j, j + 1} : (Slab){box->high[1], ny};
}

/* The entry of `first` with the runs of row (j, k). */
static int entry_of(const Runs *r, int j, int k)
{
    return band_of(r, j, k).begin + k * r->sim->grid.ny;
}

static float fraction_at(const Runs *r, int axis, int i, int j, int k)
{
    return *face_fraction(&r->sim->multigrid.levels[0], axis, i, j, k);
}

static void find_runs(Runs *r, int j, int k)
{
    int nx = r->sim->grid.nx;
    const unsigned char *fluid = r->sim->solids->fluid + grid_row(&r->sim->grid, j, k);
    bool cut = level_row_is_cut(&r->sim->multigrid.levels[0], j, k);
    for (int i = 0, end; i < nx; i = end) {
        end = cut ? i + 1 : nx;
        if (fluid[i] == SOLID)
            continue;
        while (end < nx && fluid[end] != SOLID && fraction_at(r, 0, end, j, k) > 0.0f)
            end++;
        if (r->count < r->count_max) {
            r->items[r->count] = (Run){i, end, r->count, 0};
            r->count++;
        }
    }
}

static int root_of(Runs *r, int run)
{
    while (r->items[run].parent != run) {
        r->items[run].parent = r->items[r->items[run].parent].parent;
        run = r->items[run].parent;
    }
    return run;
}

static void join(Runs *r, int a, int b)
{
    a = root_of(r, a);
    b = root_of(r, b);
    r->items[a > b ? a : b].parent = a > b ? b : a;
}

/* Joins the runs of row (j, k) with those of the previous row along `axis` if a face between them
 * is open. The previous row of the first row is the last one. */
static void join_rows(Runs *r, int axis, int j, int k)
{
    int ny = r->sim->grid.ny, nz = r->sim->grid.nz, here = entry_of(r, j, k);
    int before = axis == 1 ? entry_of(r, (j + ny - 1) % ny, k) : entry_of(r, j, (k + nz - 1) % nz);
    int a = r->first[before], b = r->first[here];
    while (a < r->first[before + 1] && b < r->first[here + 1]) {
        const Run *low = &r->items[a], *high = &r->items[b];
        int begin = low->begin > high->begin ? low->begin : high->begin;
        int end = low->end < high->end ? low->end : high->end;
        for (int i = begin; i < end; i++)
            if (fraction_at(r, axis, i, j, k) > 0.0f) {
                join(r, a, b);
                break;
            }
        if (low->end < high->end)
            a++;
        else
            b++;
    }
}

typedef void RunTask(Runs *r, int run, int j, int k);

static void for_runs(Runs *r, RunTask *task)
{
    int ny = r->sim->grid.ny, nz = r->sim->grid.nz;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int run = r->first[j + k * ny]; run < r->first[j + k * ny + 1]; run++)
                task(r, run, j, k);
}

enum { CLOSED_OFF = 0, REACHES_OUT = -1 };

/* Marks the region of a run that touches an open face of the box. */
static void mark_open(Runs *r, int run, int j, int k)
{
    const BillowFace *faces = r->sim->def.faces;
    const int *n = r->sim->grid.cells, low[3] = {r->items[run].begin, j, k};
    const int high[3] = {r->items[run].end, band_of(r, j, k).end, k + 1};
    for (int axis = 0; axis < 3; axis++)
        if ((low[axis] == 0 && faces[2 * axis] == BILLOW_OPEN) ||
            (high[axis] == n[axis] && faces[2 * axis + 1] == BILLOW_OPEN))
            r->items[root_of(r, run)].part = REACHES_OUT;
}

/* Numbers the enclosed regions in the order of their first runs. */
static void number(Runs *r, int run, int j, int k)
{
    (void)j, (void)k;
    Solids *solids = r->sim->solids;
    Run *item = &r->items[run];
    if (item->parent == run && item->part == CLOSED_OFF) {
        int c = solids->enclosed_count;
        item->part = 1 + c;
        if (c < ENCLOSED_MAX) {
            solids->enclosed[c] = (EnclosedRegion){{{0}, {0}}, 0};
            solids->enclosed_count++;
        }
    }
}

static void grow(Runs *r, int run, int j, int k)
{
    const Run *item = &r->items[run];
    int part = r->items[root_of(r, run)].part;
    Solids *solids = r->sim->solids;
    if (part <= 0 || part > solids->enclosed_count)
        return;
    EnclosedRegion *c = &solids->enclosed[part - 1];
    const int end = band_of(r, j, k).end;
    c->region = region_hull(c->region, (Region){{item->begin, j, k}, {item->end, end, k + 1}});
    c->cells += (double)(item->end - item->begin) * (end - j);
}

static void label(Runs *r, int run, int j, int k)
{
    Solids *solids = r->sim->solids;
    const Run *item = &r->items[run];
    int part = r->items[root_of(r, run)].part, c = part - 1;
    bool counts = part > 0 && c < solids->enclosed_count && c != solids->main_part;
    int value = counts ? ENCLOSED + c : FLUID;
    for (int end = band_of(r, j, k).end; j < end; j++) {
        unsigned char *fluid = solids->fluid + grid_row(&r->sim->grid, j, k);
        if (fluid[item->begin] != value)
            memset(fluid + item->begin, value, (size_t)(item->end - item->begin));
    }
}

/* Joins the runs of row (j, k), the first of a band, with those around it. */
static void join_around(Runs *r, int j, int k)
{
    const BillowSim *sim = r->sim;
    const int first = r->first[j + k * sim->grid.ny], last = r->first[j + k * sim->grid.ny + 1] - 1;
    if (boundary_wraps(&sim->def, 0) && first < last && r->items[first].begin == 0 &&
        r->items[last].end == sim->grid.nx && fraction_at(r, 0, 0, j, k) > 0.0f)
        join(r, first, last);
    if (j > 0 || boundary_wraps(&sim->def, 1))
        join_rows(r, 1, j, k);
    if (k > 0 || boundary_wraps(&sim->def, 2))
        join_rows(r, 2, j, k);
}

void enclosed_regions_find(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Solids *solids = sim->solids;
    int rows = grid->ny * grid->nz;
    char *memory = (char *)grid_memory(grid, scratch_use(&sim->scratch, SCRATCH_REGIONS)[0]);
    Runs runs = {
        .sim = sim,
        .first = (int *)memory,
        .items = (Run *)(memory + (size_t)(rows + 4) / 4 * 16),
        .box = solids->region,
    };
    runs.count_max = (int)((grid->field_floats - (size_t)rows - 8) / (sizeof(Run) / sizeof(float)));
    for (int row = 0; row < rows; row++) {
        runs.first[row] = runs.count;
        if (entry_of(&runs, row % grid->ny, row / grid->ny) == row)
            find_runs(&runs, row % grid->ny, row / grid->ny);
    }
    runs.first[rows] = runs.count;
    for (int row = 0; row < rows; row++)
        if (entry_of(&runs, row % grid->ny, row / grid->ny) == row)
            join_around(&runs, row % grid->ny, row / grid->ny);
    solids->enclosed_count = 0;
    for_runs(&runs, mark_open);
    for_runs(&runs, number);
    for_runs(&runs, grow);
    solids->main_part = -1;
    for (int c = 0; boundary_closed(&sim->def) && c < solids->enclosed_count; c++)
        if (solids->main_part < 0 ||
            solids->enclosed[c].cells > solids->enclosed[solids->main_part].cells)
            solids->main_part = c;
    for_runs(&runs, label);
    if (solids->main_part >= 0)
        solids->open_cells = solids->enclosed[solids->main_part].cells;
}

static void balance(BillowSim *sim, const EnclosedRegion *c, unsigned char value)
{
    const Level *level = &sim->multigrid.levels[0];
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        double mean = sum / c->cells;
        for (int k = c->region.low[2]; k < c->region.high[2]; k++)
            for (int j = c->region.low[1]; j < c->region.high[1]; j++)
                for (int i = c->region.low[0]; i < c->region.high[0]; i++) {
                    if (sim->solids->fluid[grid_row(&sim->grid, j, k) + i] != value)
                        continue;
                    float *rhs = packed_cell(&level->grid, level->rhs, i, j, k);
                    double found = (double)*rhs;
                    if (pass == 0) {
                        sum += found;
                        continue;
                    }
                    *rhs = (float)(found - mean);
                    sim->plane_sums[k] -= found;
                    sim->plane_squares[k] += (double)*rhs * (double)*rhs - found * found;
                }
    }
}

void enclosed_regions_balance(BillowSim *sim)
{
    Solids *solids = sim->solids;
    for (int c = 0; c < solids->enclosed_count; c++)
        if (c != solids->main_part)
            balance(sim, &solids->enclosed[c], (unsigned char)(ENCLOSED + c));
    for (int k = 0; k < sim->grid.nz; k++)
        if (sim->plane_squares[k] < 0) /* a rounding error of the subtractions */
            sim->plane_squares[k] = 0;
}
