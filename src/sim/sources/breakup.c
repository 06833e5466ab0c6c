/* SPDX-License-Identifier: MIT
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
#include "sim/follow/follow.h"
#include "sim/sim.h"
#include "sim/sources/neighbour_rows.h"
#include "sim/sources/sources.h"

#include "sim/fields/constants.h"
#include "sim/shapes/noise.h"

#include <math.h>
#include <string.h>

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

static RowsOut impulse_row(const BillowSim *sim, int j, int k)
{
    float *const *f = scratch_use(&sim->scratch, SCRATCH_CONFINEMENT);
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    return (RowsOut){f[0] + row, f[1] + row, f[2] + row};
}

static bool any_above_zero(const float *row, int n)
{
    for (int i = 0; i < n; i++)
        if (row[i] > 0.0f)
            return true;
    return false;
}

static void disturb_row(const Breakup *breakup, const FaceRows *faces, NoiseRows *noise, int j,
                        int k, Span cells, RowsOut out)
{
    const BillowSim *sim = breakup->sim;
    const ForceKernels *kernels = sim->kernels->forces;
    float curl[3][BILLOW_GRID_MAX], length[BILLOW_GRID_MAX], whole[BILLOW_GRID_MAX];
    float *rows[3] = {out.x, out.y, out.z};
    int n = cells.end - cells.begin;
    double low = (double)sim->def.origin[1] / (double)breakup->size;
    for (int axis = 0; axis < 3; axis++) {
        noise_plane_row(&noise->planes[axis], low + (j + 0.5) * breakup->per_cell, breakup->impulse,
                        whole);
        memcpy(rows[axis], whole + cells.begin, (size_t)n * sizeof(float));
    }
    kernels->vorticity(faces->u, faces->v, faces->v_up, faces->w, faces->w_up,
                       0.25f / sim->def.cell_size, 0, boundary_wraps(&sim->def, 0), n,
                       (RowsOut){curl[0], curl[1], curl[2]}, length);
    kernels->disturb(sim->density + grid_row(&sim->grid, j, k) + cells.begin, length,
                     breakup->per_density, breakup->strength, breakup->size, n, out);
}

static void shred_row(const Breakup *breakup, const FaceRows *faces, const Around *at, Span cells,
                      RowsOut out)
{
    const BillowSim *sim = breakup->sim;
    const float *heat[5];
    rows_around(sim->temperature + cells.begin, at, heat);
    sim->kernels->forces->shred(faces->u, faces->v, faces->v_up, faces->w, faces->w_up, heat,
                                1 / sim->def.cell_size, breakup->distance, breakup->per_kelvin,
                                boundary_wraps(&sim->def, 0), cells.end - cells.begin, out);
}

/* Computes the impulse of row j of plane k. */
static void fill_row(const Breakup *breakup, NoiseRows *noise, int j, int k)
{
    const BillowSim *sim = breakup->sim;
    Span cells = active_span(sim, ACTIVE_CURL, j, k), kept = active_span(sim, ACTIVE_FACES, j, k);
    RowsOut row = impulse_row(sim, j, k);
    RowsOut out = {row.x + cells.begin, row.y + cells.begin, row.z + cells.begin};
    float *const rows[3] = {row.x, row.y, row.z};
    int n = cells.end - cells.begin;
    ptrdiff_t first = grid_row(&sim->grid, j, k) + cells.begin;
    Around at = around_in_field(sim, j, k);
    FaceRows faces = face_rows(sim, &at);
    face_rows_skip(&faces, cells.begin);
    if (breakup->strength > 0 && any_above_zero(sim->density + first, n))
        disturb_row(breakup, &faces, noise, j, k, cells, out);
    else
        for (int axis = 0; axis < 3; axis++)
            memset(rows[axis] + cells.begin, 0, (size_t)n * sizeof(float));
    if (breakup->distance > 0 && any_above_zero(sim->temperature + first, n))
        shred_row(breakup, &faces, &at, cells, out);
    if (sim->solids != NULL)
        solids_calm_row(sim, j, k, out);
    for (int axis = 0; axis < 3; axis++)
        for (int i = cells.begin; i < cells.end; i++)
            if (i < kept.begin || i >= kept.end)
                rows[axis][i] = 0;
}

static void start_noise(const Breakup *breakup, NoiseRows *noise, int k)
{
    const BillowSim *sim = breakup->sim;
    const double size = (double)breakup->size;
    for (int axis = 0; axis < 3; axis++)
        noise_plane_start(&noise->planes[axis], &noise->columns,
                          (double)sim->def.origin[2] / size + (k + 0.5) * breakup->per_cell,
                          breakup->phase, NOISE_SEED + (uint32_t)axis);
}

/* Adds to the low faces of row j of plane k, except walls, the mean of the impulses of their two
 * cells. */
static void push_row(const Breakup *breakup, int j, int k)
{
    BillowSim *sim = breakup->sim;
    const Grid *grid = &sim->grid;
    bool has_south = j > 0 || boundary_wraps(&sim->def, 1);
    bool has_below = k > 0 || boundary_wraps(&sim->def, 2);
    const float *south = impulse_row(sim, j > 0 ? j - 1 : grid->ny - 1, k).y,
                *below = impulse_row(sim, j, k > 0 ? k - 1 : grid->nz - 1).z;
    impulse_push_row(sim, j, k, impulse_row(sim, j, k), has_south ? south : NULL,
                     has_below ? below : NULL);
}

static void breakup_task(void *context, Team team)
{
    const Breakup *breakup = context;
    const Grid *grid = &breakup->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    NoiseRows noise;
    noise_columns_start(&noise.columns,
                        (double)breakup->sim->def.origin[0] / (double)breakup->size +
                            0.5 * breakup->per_cell,
                        breakup->per_cell, grid->nx);
    for (int k = slab.begin; k < slab.end; k++) {
        start_noise(breakup, &noise, k);
        Span rows = active_rows(breakup->sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++)
            fill_row(breakup, &noise, j, k);
    }
    team_barrier(team);
    exchange_fields(team, grid, scratch_use(&breakup->sim->scratch, SCRATCH_CONFINEMENT) + 2, 1, 1);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(breakup->sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++)
            push_row(breakup, j, k);
    }
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
    exchange_fields(sim_alone(sim), &sim->grid, &sim->temperature, 1, 1);
    sim_run(sim, breakup_task, &breakup);
    scratch_release(&sim->scratch, SCRATCH_CONFINEMENT);
    profile_traffic(sim, 17);
}
