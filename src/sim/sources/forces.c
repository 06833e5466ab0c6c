/* SPDX-License-Identifier: MIT
 *
 * Stage 3: buoyancy and vorticity confinement (Fedkiw, Stam, Jensen 2001), then
 * disturbance and shredding (breakup.c) and the scene's own forces (body_forces.c):
 *
 *     f = (beta T - alpha rho) up + eps h (N x omega),   N = grad |omega| / |grad |omega||
 *
 * Confinement returns to eddies what interpolation takes from them, at a rate of at most eps. An
 * eddy at speed |u| loses at a rate of about |u| / h, and in still air none loses anything. eps is
 * therefore bounded by CONFINEMENT_SHARE * |u| / h. Unbounded, it made eddies of a few cells out of
 * rounding errors, which filled the still air around a plume within half a minute.
 *
 * Both run in one pass over memory. Each worker processes the planes of its slab in ascending
 * order. At plane k it computes, row by row:
 *
 *     omega and |omega|   of plane k+1, from the velocity of planes k .. k+2
 *     N x omega           of plane k, from |omega| of planes k-1 .. k+1, in place of omega
 *     velocity            of plane k's faces, from the forces of planes k-1 and k
 *
 * The velocity is changed in place, because omega no longer needs its old value by then. omega and
 * the forces are in a ring of three planes that fits the cache. At the ends of a slab omega
 * depends on velocity that the neighbouring workers change. Those planes of omega are computed
 * first, before any worker changes the velocity. If z is periodic, this includes the ends of the
 * box, and plane numbers continue past the last plane. */
#include "sim/follow/follow.h"
#include "sim/sim.h"
#include "sim/sources/neighbour_rows.h"
#include "sim/sources/sources.h"

#include "sim/fields/constants.h"
#include "sim/fields/parallel.h"
#include "sim/kernels/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Slots of scratch memory, starting at the slab's first plane: a ring with plane k in slot k mod 3,
 * a slot for the slab's last plane, and a slot for the plane after the slab. */
enum { RING = 3, RING_PLANES = RING + 2 };

/* Planes beside those of a rank whose velocity the impulses at its faces depend on. */
enum { CURL_REACH = 3 };

/* Number of rows by which prefetching is ahead. */
enum { ROWS_AHEAD = 2 };

typedef struct ForceTask {
    BillowSim *sim;
    float confinement, lift, sink; /* factors of the forces, times dt */
    float rise;            /* confinement has its full strength from a speed of 1 / rise on, s/m */
    bool confined, lifted; /* which forces act */
} ForceTask;

/* Offset of plane k in the ring. There SCRATCH_CONFINEMENT contains omega at first and the force
 * later, and SCRATCH_CURL_LENGTH contains |omega|. */
static ptrdiff_t ring_plane(const BillowSim *sim, Slab slab, int k)
{
    int last = slab.end - 1;
    int slot = k < last ? (k + RING) % RING : RING + (k - last);
    return grid_row(&sim->grid, 0, slab.begin + slot);
}

static RowsOut ring_row(const BillowSim *sim, ptrdiff_t at)
{
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    return (RowsOut){f[0] + at, f[1] + at, f[2] + at};
}

static void vorticity_row(const ForceTask *task, int j, int k, ptrdiff_t ring)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    if (boundary_wraps(&sim->def, 2))
        k = (k + grid->nz) % grid->nz;
    Span span = active_span(sim, ACTIVE_CURL, j, k);
    if (span_is_empty(span))
        return;
    Around at = around_in_field(sim, j, k);
    FaceRows faces = face_rows(sim, &at);
    face_rows_skip(&faces, span.begin);
    for (int axis = 0; axis < 3; axis++)
        prefetch_row(sim->velocity[axis] + at.above + ROWS_AHEAD * grid->stride_y, grid->nx);
    ptrdiff_t out = ring + j * grid->stride_y + span.begin;
    sim->kernels->forces->vorticity(
        faces.u, faces.v, faces.v_up, faces.w, faces.w_up, 0.25f / sim->def.cell_size, task->rise,
        boundary_wraps(&sim->def, 0), span.end - span.begin, ring_row(sim, out),
        scratch_use(&sim->scratch, SCRATCH_CURL_LENGTH)[0] + out);
}

static Span curl_rows(const BillowSim *sim, int k)
{
    return active_rows(sim, ACTIVE_CURL, (k + sim->grid.nz) % sim->grid.nz);
}

static void vorticity_planes(const ForceTask *task, Slab slab, int begin, int end)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    bool wraps = boundary_wraps(&sim->def, 2);
    for (int k = begin > 0 || wraps ? begin : 0; k < end && (k < grid->nz || wraps); k++)
        for (int j = curl_rows(sim, k).begin; j < curl_rows(sim, k).end; j++)
            vorticity_row(task, j, k, ring_plane(sim, slab, k));
}

static void confine_row(const ForceTask *task, int j, int k, const Around *ring)
{
    const BillowSim *sim = task->sim;
    const float *length[5];
    Span span = active_span(sim, ACTIVE_FACES, j, k);
    if (span_is_empty(span))
        return;
    rows_around(scratch_use(&sim->scratch, SCRATCH_CURL_LENGTH)[0] + span.begin, ring, length);
    sim->kernels->forces->confinement(length, task->confinement, boundary_wraps(&sim->def, 0),
                                      span.end - span.begin,
                                      ring_row(sim, ring->here + span.begin));
    if (sim->solids != NULL)
        solids_calm_row(sim, j, k, ring_row(sim, ring->here));
}

void impulse_push_row(BillowSim *sim, int j, int k, RowsOut here, const float *south,
                      const float *below)
{
    const ForceKernels *kernels = sim->kernels->forces;
    const Grid *grid = &sim->grid;
    Span own = active_span(sim, ACTIVE_CELLS, j, k);
    Span y = span_hull(own, j > 0 ? active_span(sim, ACTIVE_CELLS, j - 1, k) : own);
    Span z = span_hull(own, k > 0 ? active_span(sim, ACTIVE_CELLS, j, k - 1) : own);
    ptrdiff_t row = grid_row(grid, j, k);
    if (!span_is_empty(own)) {
        int begin = own.begin > 0 ? own.begin : 1,
            end = own.end < grid->nx ? own.end + 1 : grid->nx;
        kernels->add_average(here.x + begin - 1, here.x + begin, 0.5f, end - begin,
                             sim->velocity[0] + row + begin);
    }
    if (boundary_wraps(&sim->def, 0))
        sim->velocity[0][row] += 0.5f * (here.x[0] + here.x[grid->nx - 1]);
    if (south != NULL && !span_is_empty(y))
        kernels->add_average(here.y + y.begin, south + y.begin, 0.5f, y.end - y.begin,
                             sim->velocity[1] + row + y.begin);
    if (below != NULL && !span_is_empty(z))
        kernels->add_average(here.z + z.begin, below + z.begin, 0.5f, z.end - z.begin,
                             sim->velocity[2] + row + z.begin);
}

/* Pushes the faces of row j, except the v faces of row 0. */
static void push_row(BillowSim *sim, int j, int k, const Around *ring)
{
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    bool has_below = k > 0 || boundary_wraps(&sim->def, 2);
    impulse_push_row(sim, j, k, ring_row(sim, ring->here), j > 0 ? f[1] + ring->south : NULL,
                     has_below ? f[2] + ring->below : NULL);
}

/* Pushes the v faces of row 0 in a box that is periodic along y. They are between the last row and
 * the first. */
static void push_around(BillowSim *sim, int k, ptrdiff_t ring)
{
    const Grid *grid = &sim->grid;
    const float *first = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT)[1] + ring,
                *last = first + (grid->ny - 1) * grid->stride_y;
    sim->kernels->forces->add_average(first, last, 0.5f, grid->nx,
                                      sim->velocity[1] + grid_row(grid, 0, k));
}

/* Adds buoyancy to row j of v, 0 <= j <= ny. */
static void lift_row(const ForceTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    bool wraps = boundary_wraps(&sim->def, 1); /* row ny repeats row 0 */
    bool floor_wall = j == 0 && sim->def.faces[BILLOW_FLOOR] != BILLOW_OPEN && !wraps;
    bool ceiling_wall = j == grid->ny && sim->def.faces[BILLOW_CEILING] != BILLOW_OPEN;
    if (!task->lifted || floor_wall || ceiling_wall)
        return;
    /* A face at an open side is next to one cell only. */
    ptrdiff_t above = grid_row(grid, j < grid->ny ? j : j - 1, k);
    ptrdiff_t below = grid_row(grid, j > 0 ? j - 1 : wraps ? grid->ny - 1 : 0, k);
    Span span = active_span(sim, ACTIVE_FACES, j < grid->ny ? j : j - 1, k);
    if (span_is_empty(span))
        return;
    above += span.begin;
    below += span.begin;
    prefetch_row(sim->temperature + above + ROWS_AHEAD * grid->stride_y, grid->nx);
    prefetch_row(sim->density + above + ROWS_AHEAD * grid->stride_y, grid->nx);
    sim->kernels->forces->buoyancy(sim->temperature + above, sim->temperature + below,
                                   sim->density + above, sim->density + below, task->lift,
                                   task->sink, span.end - span.begin,
                                   sim->velocity[1] + grid_row(grid, j, k) + span.begin);
}

static void force_plane(const ForceTask *task, Slab slab, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    ptrdiff_t here = ring_plane(sim, slab, k);
    bool wraps = boundary_wraps(&sim->def, 2);
    ptrdiff_t below = k > 0 || wraps ? ring_plane(sim, slab, k - 1) : here;
    ptrdiff_t above = k + 1 < grid->nz || wraps ? ring_plane(sim, slab, k + 1) : here;
    Span rows = active_rows(sim, ACTIVE_CURL, k);
    if (k + 1 < grid->nz)
        rows = span_hull(rows, active_rows(sim, ACTIVE_CURL, k + 1));
    for (int j = rows.begin; j < rows.end; j++) {
        if (k + 1 <
            slab.end - 1) /* the slab's last plane and the plane after it were computed first */
            vorticity_row(task, j, k + 1, above);
        Around ring = around(sim, j, below, here, above);
        confine_row(task, j, k, &ring);
        push_row(sim, j, k, &ring);
        if (j > 0)
            lift_row(task, j, k);
    }
    if (boundary_wraps(&sim->def, 1))
        push_around(sim, k, here);
    lift_row(task, 0, k);
    lift_row(task, grid->ny, k);
}

/* Computes the force on the plane below the slab. The impulse of a w face at the bottom of the slab
 * is the mean of the impulses in that plane and in the slab's first plane. */
static void force_below(const ForceTask *task, Slab slab)
{
    const BillowSim *sim = task->sim;
    int k = slab.begin - 1;
    ptrdiff_t here = ring_plane(sim, slab, k), above = ring_plane(sim, slab, k + 1);
    ptrdiff_t below = k > 0 || boundary_wraps(&sim->def, 2) ? ring_plane(sim, slab, k - 1) : here;
    for (int j = 0; j < sim->grid.ny; j++) {
        Around ring = around(sim, j, below, here, above);
        confine_row(task, j, (k + sim->grid.nz) % sim->grid.nz, &ring);
    }
}

/* The planes of this rank that contain all cells whose curl is computed. */
static Slab curl_planes(const BillowSim *sim)
{
    Slab planes = ranks_own(sim->ranks, sim->grid.nz);
    while (planes.begin < planes.end && span_is_empty(curl_rows(sim, planes.begin)))
        planes.begin++;
    while (planes.begin < planes.end && span_is_empty(curl_rows(sim, planes.end - 1)))
        planes.end--;
    return planes;
}

/* Slab of this worker. Leaves workers idle rather than give any fewer than RING_PLANES planes. */
static Slab thick_slab(const BillowSim *sim, Team team)
{
    Slab planes = curl_planes(sim);
    int count = planes.end - planes.begin, most = count / RING_PLANES;
    if (team.count > most)
        team.count = most;
    if (team.index >= team.count)
        return (Slab){0, 0};
    Slab slab = team_part(team, count);
    return (Slab){planes.begin + slab.begin, planes.begin + slab.end};
}

/* Clears the ring in the field of a simulation with a region that must be 0 beyond it (follow.h).
 */
static void clear_ring(const BillowSim *sim, Slab slab)
{
    const Grid *grid = &sim->grid;
    int first = grid->window.low[0] - 1, end = grid->window.high[0] + 1;
    Span rows = {0, 0};
    for (int k = slab.begin > 0 ? slab.begin - 1 : 0; k <= slab.end && k < grid->nz; k++)
        rows = span_hull(rows, curl_rows(sim, k));
    float *length = scratch_use(&sim->scratch, SCRATCH_CURL_LENGTH)[0];
    for (int slot = 0; slot < RING_PLANES; slot++)
        for (int j = rows.begin; j < rows.end; j++)
            memset(length + grid_row(grid, j, slab.begin + slot) + first, 0,
                   (size_t)(end - first) * sizeof(float));
}

static void confinement_task(void *context, Team team)
{
    const ForceTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = thick_slab(sim, team);
    bool idle = slab.begin == slab.end;
    if (!idle) {
        vorticity_planes(task, slab, slab.begin - 2, slab.begin + 1);
        vorticity_planes(task, slab, slab.end - 1, slab.end + 1);
    }
    team_barrier(team);
    if (!idle && (slab.begin > 0 || boundary_wraps(&sim->def, 2)))
        force_below(task, slab);
    for (int k = slab.begin; k < slab.end; k++)
        force_plane(task, slab, k);
    if (sim->region != NULL && !idle)
        clear_ring(sim, slab);
}

static void buoyancy_task(void *context, Team team)
{
    const ForceTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = active_rows(task->sim, ACTIVE_FACES, k).begin;
             j <= active_rows(task->sim, ACTIVE_FACES, k).end; j++)
            lift_row(task, j, k);
}

void forces_apply(BillowSim *sim, double dt, double share)
{
    const BillowParams *params = &sim->def.params;
    float step = (float)(dt * share);
    ForceTask task = {
        .sim = sim,
        .confinement = fminf(params->vorticity * sim->def.cell_size * step, CONFINEMENT_MOST),
        .rise = (params_second_order(params) ? CONFINEMENT_SHARE_SHARP : CONFINEMENT_SHARE) /
                (sim->def.cell_size * fmaxf(params->vorticity, FLT_MIN)),
        .lift = 0.5f * step * params->buoyancy,
        .sink = 0.5f * step * params->weight,
        .confined = params->vorticity > 0.0f,
        .lifted = params->buoyancy != 0.0f || params->weight != 0.0f,
    };
    if (task.confined) {
        scratch_claim(&sim->scratch, SCRATCH_CONFINEMENT);
        scratch_claim(&sim->scratch, SCRATCH_CURL_LENGTH);
        exchange_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, CURL_REACH);
        sim_run(sim, confinement_task, &task);
        scratch_release(&sim->scratch, SCRATCH_CURL_LENGTH);
        scratch_release(&sim->scratch, SCRATCH_CONFINEMENT);
    } else if (task.lifted)
        sim_run(sim, buoyancy_task, &task);
    profile_traffic(sim, (task.confined ? 6 : task.lifted ? 2 : 0) + (task.lifted ? 2 : 0));
    breakup_apply(sim, dt, share);
    body_forces_apply(sim, dt, share);
}
