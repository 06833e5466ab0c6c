/* SPDX-License-Identifier: MIT
 *
 * Stage 3: buoyancy and vorticity confinement (Fedkiw, Stam, Jensen 2001), then
 * disturbance and shredding (below) and the scene's own forces (body_forces.c):
 *
 *     f = (beta T - alpha rho) up + eps h (N x omega),   N = grad |omega| / |grad |omega||
 *
 * Confinement returns to eddies what interpolation takes from them, at a rate of at most eps. An
 * eddy at speed |u| loses at a rate of about |u| / h, and in still air none loses anything. eps is
 * therefore bounded by CONFINEMENT_SHARE * |u| / h. Unbounded, it made eddies of a few cells out of
 * rounding errors, which filled the still air around a plume within half a minute.
 *
 * Buoyancy and confinement run in one pass over memory, except on thin slabs (force_apart). Each
 * worker processes the planes of its slab in ascending order. At plane k it computes, row by row:
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
#include "sim/sources/forces.h"

#include "sim/fields/boundary.h"
#include "sim/kernels/loops.h"
#include "sim/sim.h"
#include "sim/solids/solid_flow.h"
#include "sim/sources/body_forces.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- rows and faces ---------------------------------------------------------------------------- */

/* Offsets of a row and its neighbours. Beyond a wall the row itself replaces the missing neighbour;
 * beyond a periodic face the row at the other end does. */
typedef struct Around {
    ptrdiff_t here, south, north, below, above;
} Around;

static void rows_around(const float *field, const Around *at, const float *rows[5])
{
    rows[0] = field + at->here;
    rows[1] = field + at->south;
    rows[2] = field + at->north;
    rows[3] = field + at->below;
    rows[4] = field + at->above;
}

/* Offsets around row j of a plane; below, here and above are the offsets of three planes. */
static Around around(const BillowSim *sim, int j, ptrdiff_t below, ptrdiff_t here, ptrdiff_t above)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t row = j * grid->stride_y;
    ptrdiff_t turn = boundary_wraps(&sim->def, 1) ? (grid->ny - 1) * grid->stride_y : 0;
    ptrdiff_t south = j > 0 ? -grid->stride_y : turn;
    ptrdiff_t north = j + 1 < grid->ny ? grid->stride_y : -turn;
    return (Around){here + row, here + row + south, here + row + north, below + row, above + row};
}

/* Offsets around row j of plane k in a field. */
static Around around_in_field(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    bool wraps = boundary_wraps(&sim->def, 2);
    int below = k > 0 ? k - 1 : wraps ? grid->nz - 1 : 0;
    int above = k + 1 < grid->nz ? k + 1 : wraps ? 0 : k;
    return around(sim, j, grid_row(grid, 0, below), grid_row(grid, 0, k), grid_row(grid, 0, above));
}

/* Rows of faces around a row of cells; v_up and w_up are those on the high sides of v and w. */
typedef struct FaceRows {
    const float *u[5], *v[5], *v_up[5], *w[5], *w_up[5];
} FaceRows;

static FaceRows face_rows(const BillowSim *sim, const Around *at)
{
    const float *v = sim->velocity[1], *w = sim->velocity[2];
    FaceRows rows;
    rows_around(sim->velocity[0], at, rows.u);
    rows_around(v, at, rows.v);
    rows_around(v + sim->grid.stride_y, at, rows.v_up);
    rows_around(w, at, rows.w);
    rows_around(w + sim->grid.stride_z, at, rows.w_up);
    return rows;
}

/* Row of the impulse at an offset in SCRATCH_CONFINEMENT. */
static RowsOut impulse_at(const BillowSim *sim, ptrdiff_t at)
{
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    return (RowsOut){f[0] + at, f[1] + at, f[2] + at};
}

/* Adds to each low face of row (j, k) the mean of the impulses of its two cells. here: impulse of
 * the row, m/s. south and below: y- and z-components of the impulses in rows (j-1, k) and (j, k-1);
 * NULL = the faces on that side do not change. */
static void push_faces(BillowSim *sim, int j, int k, RowsOut here, const float *south,
                       const float *below)
{
    const ForceKernels *kernels = sim->kernels->forces;
    const Grid *grid = &sim->grid;
    ptrdiff_t row = grid_row(grid, j, k);
    kernels->add_average(here.x, here.x + 1, 0.5f, grid->nx - 1, sim->velocity[0] + row + 1);
    if (boundary_wraps(&sim->def, 0))
        sim->velocity[0][row] += 0.5f * (here.x[0] + here.x[grid->nx - 1]);
    if (south != NULL)
        kernels->add_average(here.y, south, 0.5f, grid->nx, sim->velocity[1] + row);
    if (below != NULL)
        kernels->add_average(here.z, below, 0.5f, grid->nx, sim->velocity[2] + row);
}

/* -- confinement and buoyancy ------------------------------------------------------------------ */

/* Slots of scratch memory, starting at the slab's first plane: a ring with plane k in slot k mod 3,
 * a slot for the slab's last plane, and a slot for the plane after the slab. */
enum { RING = 3, RING_PLANES = RING + 2 };

/* Least mean thickness of slabs for which a ring is used, planes. */
enum { THICK_PLANES = 12 };

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

static void vorticity_row(const ForceTask *task, int j, int k, ptrdiff_t ring)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    if (boundary_wraps(&sim->def, 2))
        k = (k + grid->nz) % grid->nz;
    Around at = around_in_field(sim, j, k);
    FaceRows faces = face_rows(sim, &at);
    for (int axis = 0; axis < 3; axis++)
        prefetch_row(sim->velocity[axis] + at.above + ROWS_AHEAD * grid->stride_y, grid->nx);
    ptrdiff_t out = ring + j * grid->stride_y;
    sim->kernels->forces->vorticity(faces.u, faces.v, faces.v_up, faces.w, faces.w_up,
                                    0.25f / sim->def.cell_size, task->rise,
                                    boundary_wraps(&sim->def, 0), grid->nx, impulse_at(sim, out),
                                    scratch_use(&sim->scratch, SCRATCH_CURL_LENGTH)[0] + out);
}

static void vorticity_planes(const ForceTask *task, Slab slab, int begin, int end)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    bool wraps = boundary_wraps(&sim->def, 2);
    for (int k = begin > 0 || wraps ? begin : 0; k < end && (k < grid->nz || wraps); k++)
        for (int j = 0; j < grid->ny; j++)
            vorticity_row(task, j, k, ring_plane(sim, slab, k));
}

static void confine_row(const ForceTask *task, int j, int k, const Around *ring)
{
    const BillowSim *sim = task->sim;
    const float *length[5];
    rows_around(scratch_use(&sim->scratch, SCRATCH_CURL_LENGTH)[0], ring, length);
    sim->kernels->forces->confinement(length, task->confinement, boundary_wraps(&sim->def, 0),
                                      sim->grid.nx, impulse_at(sim, ring->here));
    if (sim->solids != NULL)
        solids_calm_row(sim, j, k, impulse_at(sim, ring->here));
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
    prefetch_row(sim_felt_temperature(sim) + above + ROWS_AHEAD * grid->stride_y, grid->nx);
    prefetch_row(sim_felt_density(sim) + above + ROWS_AHEAD * grid->stride_y, grid->nx);
    sim->kernels->forces->buoyancy(sim_felt_temperature(sim) + above,
                                   sim_felt_temperature(sim) + below, sim_felt_density(sim) + above,
                                   sim_felt_density(sim) + below, task->lift, task->sink, grid->nx,
                                   sim->velocity[1] + grid_row(grid, j, k));
}

/* Pushes the low faces of row (j, k), but for the v faces of row 0. at: the impulses around it. */
static void push_row(const ForceTask *task, int j, int k, const Around *at)
{
    BillowSim *sim = task->sim;
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    push_faces(sim, j, k, impulse_at(sim, at->here), j > 0 ? f[1] + at->south : NULL,
               k > 0 || boundary_wraps(&sim->def, 2) ? f[2] + at->below : NULL);
    if (j > 0)
        lift_row(task, j, k);
}

/* Pushes the v faces of row 0, between the last row and the first, and lifts those of the last. */
static void push_ends(const ForceTask *task, int k, ptrdiff_t here)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    if (boundary_wraps(&sim->def, 1))
        sim->kernels->forces->add_average(f[1] + here,
                                          f[1] + here + (grid->ny - 1) * grid->stride_y, 0.5f,
                                          grid->nx, sim->velocity[1] + grid_row(grid, 0, k));
    lift_row(task, 0, k);
    lift_row(task, grid->ny, k);
}

static void force_plane(const ForceTask *task, Slab slab, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    ptrdiff_t here = ring_plane(sim, slab, k);
    bool wraps = boundary_wraps(&sim->def, 2);
    ptrdiff_t below = k > 0 || wraps ? ring_plane(sim, slab, k - 1) : here;
    ptrdiff_t above = k + 1 < grid->nz || wraps ? ring_plane(sim, slab, k + 1) : here;
    for (int j = 0; j < grid->ny; j++) {
        /* the slab's last plane and the plane after it were computed first */
        if (k + 1 < slab.end - 1)
            vorticity_row(task, j, k + 1, above);
        Around ring = around(sim, j, below, here, above);
        confine_row(task, j, k, &ring);
        push_row(task, j, k, &ring);
    }
    push_ends(task, k, here);
}

/* Applies the forces in three passes over a thin slab, with its curls and impulses kept for all
 * planes. A ring needs one pass, but computes the curls of five planes more than the slab has. */
static void force_apart(const ForceTask *task, Slab slab, Team team)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            vorticity_row(task, j, k, grid_row(grid, 0, k));
    team_barrier(team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++) {
            const Around at = around_in_field(sim, j, k);
            confine_row(task, j, k, &at);
        }
    team_barrier(team);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny; j++) {
            const Around at = around_in_field(sim, j, k);
            push_row(task, j, k, &at);
        }
        push_ends(task, k, grid_row(grid, 0, k));
    }
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

/* Whether slabs are thin (force_apart). */
static bool slabs_are_thin(const BillowSim *sim, int workers)
{
    return sim->ranks == NULL && sim->grid.nz < THICK_PLANES * workers;
}

/* Slab of this worker. Leaves workers idle rather than give any fewer than RING_PLANES planes. */
static Slab thick_slab(const BillowSim *sim, Team team)
{
    Slab planes = ranks_own(sim->ranks, sim->grid.nz);
    int most = (planes.end - planes.begin) / RING_PLANES;
    if (team.count > most)
        team.count = most;
    if (team.index >= team.count)
        return (Slab){0, 0};
    return team_slab(team, sim->grid.nz);
}

static void confinement_task(void *context, Team team)
{
    const ForceTask *task = context;
    BillowSim *sim = task->sim;
    if (slabs_are_thin(sim, team.count)) {
        force_apart(task, team_slab(team, sim->grid.nz), team);
        return;
    }
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
}

static void buoyancy_task(void *context, Team team)
{
    const ForceTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j <= grid->ny; j++)
            lift_row(task, j, k);
}

/* -- disturbance and shredding ------------------------------------------------------------------
 *
 * Disturbance and shredding, two forces that break up smooth shapes:
 *
 *     f = D min(1, rho/rho_0) D/(D + s |omega|^2) n  +  S min(1, T/T_0) e N
 *
 *     n      three components of one octave of noise at x/s and t, each with root mean square 1
 *     omega  curl u; eddies of size s that D feeds turn at about the root of D/s
 *     N      grad T / |grad T|
 *     e      N . grad(u) N, the rate at which the flow stretches along N
 *
 * Where N is constant, the second force alone gives dU/dt = S dU/dN for the speed U = u . N: it
 * moves the profile of U by S dt, from hot to cold gas.
 *
 * Two passes: the impulse of each cell from the velocity of its neighbours, then each face takes
 * the mean of its two cells. Rows without smoke skip the noise, rows without heat the shredding. */

/* Seed of the first component of the noise; the others follow. */
enum { NOISE_SEED = 0x5eed };

typedef struct Breakup {
    BillowSim *sim;
    float strength, size;   /* of disturbance: m/s2, m */
    float impulse;          /* factor on the noise, m/s */
    double per_cell, phase; /* size of a cell and time, in units of the noise */
    float distance;         /* S dt, m */
    float per_density, per_kelvin;
} Breakup;

typedef struct NoiseRows {
    NoiseColumns columns;
    NoisePlane planes[3];
} NoiseRows;

static bool any_above_zero(const float *row, int n)
{
    for (int i = 0; i < n; i++)
        if (row[i] > 0.0f)
            return true;
    return false;
}

static void disturb_row(const Breakup *breakup, const FaceRows *faces, NoiseRows *noise, int j,
                        int k, RowsOut out)
{
    const BillowSim *sim = breakup->sim;
    const ForceKernels *kernels = sim->kernels->forces;
    float curl[3][BILLOW_GRID_MAX], length[BILLOW_GRID_MAX];
    float *rows[3] = {out.x, out.y, out.z};
    double low = (double)sim->def.origin[1] / (double)breakup->size;
    for (int axis = 0; axis < 3; axis++)
        noise_plane_row(&noise->planes[axis], low + (j + 0.5) * breakup->per_cell, breakup->impulse,
                        rows[axis]);
    kernels->vorticity(faces->u, faces->v, faces->v_up, faces->w, faces->w_up,
                       0.25f / sim->def.cell_size, 0, boundary_wraps(&sim->def, 0), sim->grid.nx,
                       (RowsOut){curl[0], curl[1], curl[2]}, length);
    kernels->disturb(sim_felt_density(sim) + grid_row(&sim->grid, j, k), length,
                     breakup->per_density, breakup->strength, breakup->size, sim->grid.nx, out);
}

/* Computes the impulse of row j of plane k. */
static void fill_row(const Breakup *breakup, NoiseRows *noise, int j, int k)
{
    const BillowSim *sim = breakup->sim;
    const ForceKernels *kernels = sim->kernels->forces;
    ptrdiff_t first = grid_row(&sim->grid, j, k);
    RowsOut out = impulse_at(sim, first);
    float *const rows[3] = {out.x, out.y, out.z};
    int n = sim->grid.nx;
    Around at = around_in_field(sim, j, k);
    FaceRows faces = face_rows(sim, &at);
    if (breakup->strength > 0 && any_above_zero(sim_felt_density(sim) + first, n))
        disturb_row(breakup, &faces, noise, j, k, out);
    else
        for (int axis = 0; axis < 3; axis++)
            memset(rows[axis], 0, (size_t)n * sizeof(float));
    if (breakup->distance > 0 && any_above_zero(sim_felt_temperature(sim) + first, n)) {
        const float *heat[5];
        rows_around(sim_felt_temperature(sim), &at, heat);
        kernels->shred(faces.u, faces.v, faces.v_up, faces.w, faces.w_up, heat,
                       1 / sim->def.cell_size, breakup->distance, breakup->per_kelvin,
                       boundary_wraps(&sim->def, 0), n, out);
    }
    if (sim->solids != NULL)
        solids_calm_row(sim, j, k, out);
}

static void breakup_task(void *context, Team team)
{
    const Breakup *breakup = context;
    BillowSim *sim = breakup->sim;
    const Grid *grid = &sim->grid;
    const double size = (double)breakup->size;
    bool wraps_y = boundary_wraps(&sim->def, 1), wraps_z = boundary_wraps(&sim->def, 2);
    Slab slab = team_slab(team, grid->nz);
    NoiseRows noise;
    noise_columns_start(&noise.columns, sim->kernels->forces,
                        (double)sim->def.origin[0] / size + 0.5 * breakup->per_cell,
                        breakup->per_cell, grid->nx);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int axis = 0; axis < 3; axis++)
            noise_plane_start(&noise.planes[axis], &noise.columns,
                              (double)sim->def.origin[2] / size + (k + 0.5) * breakup->per_cell,
                              breakup->phase, NOISE_SEED + (uint32_t)axis);
        for (int j = 0; j < grid->ny; j++)
            fill_row(breakup, &noise, j, k);
    }
    team_barrier(team);
    exchange_fields(team, grid, scratch_use(&sim->scratch, SCRATCH_CONFINEMENT) + 2, 1, 1);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            push_faces(sim, j, k, impulse_at(sim, grid_row(grid, j, k)),
                       j > 0 || wraps_y
                           ? impulse_at(sim, grid_row(grid, j > 0 ? j - 1 : grid->ny - 1, k)).y
                           : NULL,
                       k > 0 || wraps_z
                           ? impulse_at(sim, grid_row(grid, j, k > 0 ? k - 1 : grid->nz - 1)).z
                           : NULL);
}

void breakup_apply(BillowSim *sim, double dt, double share)
{
    const BillowParams *params = &sim->def.params;
    float h = sim->def.cell_size, step = (float)(dt * share);
    if (!(params->disturbance > 0) && !(params->shredding > 0))
        return;
    Breakup breakup = {
        .sim = sim,
        .strength = params->disturbance,
        .size = fmaxf(params->disturbance_size, 2 * h),
        .impulse = params->disturbance * step / NOISE_RMS,
        .phase = sim->time * (double)params->disturbance_speed,
        .distance = (float)share * fminf(params->shredding * (float)dt, SHREDDING_CELLS_MOST * h),
        .per_density = 1 / params->disturbance_density,
        .per_kelvin = 1 / fmaxf(params->ignition, 1e-3f),
    };
    breakup.per_cell = (double)h / (double)breakup.size;
    scratch_claim(&sim->scratch, SCRATCH_CONFINEMENT);
    exchange_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, 2);
    float *heat = (float *)sim_felt_temperature(sim); /* only its halo changes */
    exchange_fields(sim_alone(sim), &sim->grid, &heat, 1, 1);
    sim_run(sim, breakup_task, &breakup);
    scratch_release(&sim->scratch, SCRATCH_CONFINEMENT);
    profile_traffic(sim, 17);
}

void forces_apply(BillowSim *sim, double dt, double share)
{
    const BillowParams *params = &sim->def.params;
    float step = (float)(dt * share);
    ForceTask task = {
        .sim = sim,
        .confinement = fminf(params->vorticity * sim->def.cell_size * step, CONFINEMENT_MOST),
        .rise = (params_reflect(params) ? CONFINEMENT_SHARE_SHARP : CONFINEMENT_SHARE) /
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
    const int confined = slabs_are_thin(sim, sim->threads) ? 7 + 7 + 9 : 6; /* in three passes */
    profile_traffic(sim, (task.confined ? confined : task.lifted ? 2 : 0) + (task.lifted ? 2 : 0));
    breakup_apply(sim, dt, share);
    body_forces_apply(sim, dt, share);
}
