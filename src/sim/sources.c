/* SPDX-License-Identifier: MIT
 * Stage 1: emitters. */
#include "sim.h"

#include "limit.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* An emitter as one sub-step sees it: seconds it is on, and the share of the way to its velocity
 * that the fluid goes meanwhile. */
typedef struct Release {
    const PlacedEmitter *placed;
    double seconds;
    float pull;
} Release;

typedef struct SourceTask {
    BillowSim *sim;
    Release releases[2 * BILLOW_EMITTERS_MAX];
    int count;
} SourceTask;

static Release release_of(const PlacedEmitter *placed, double seconds)
{
    float pull = (float)-expm1(-(double)placed->emitter.grip * seconds);
    return (Release){placed, seconds, pull};
}

/* What is smaller or thinner than a cell drives its share of the cells it touches; of larger
 * shapes, whose surface alone is spread, the whole inside takes the velocity. */
static float drive_share(const PlacedEmitter *placed)
{
    if (placed->general)
        return placed->amount < 0.5f ? placed->amount : 1;
    bool small = placed->emitter.shape == BILLOW_SPHERE && placed->size[0] < 1;
    return small ? placed->amount : 1;
}

/* Drives one face, `away` from the emitter's centre: u += pull * coverage * (target - u). */
static void drive_face(const Release *release, int axis, const float away[3], float coverage,
                       float flicker, float *u)
{
    const BillowEmitter *emitter = &release->placed->emitter;
    float target = emitter->velocity[axis];
    if (emitter->burst != 0.0f) {
        float distance = sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
        target += emitter->burst * (distance > 0 ? away[axis] / distance : 0);
    }
    *u += release->pull * coverage * (target * flicker - *u);
}

/* Coverage of the face on a cell's low side; 0 where it is not the grid's. Where the cell is past
 * the grid's last (the faces at nx, ny and nz), only the face that belongs to the grid is driven.
 */
static float face_coverage(const Grid *grid, const PlacedEmitter *placed, int axis,
                           const int cell[3])
{
    const int cells[3] = {grid->nx, grid->ny, grid->nz};
    for (int other = 0; other < 3; other++)
        if (other != axis && cell[other] >= cells[other])
            return 0;
    float at[3] = {(float)cell[0], (float)cell[1], (float)cell[2]};
    at[axis] -= 0.5f;
    return emitter_coverage(placed, at[0], at[1], at[2]);
}

static void drive_cell(BillowSim *sim, const Release *release, const int cell[3],
                       const float coverage[3], float flicker)
{
    const PlacedEmitter *placed = release->placed;
    ptrdiff_t row = grid_row(&sim->grid, cell[1], cell[2]);
    for (int axis = 0; axis < 3; axis++) {
        float away[3];
        for (int a = 0; a < 3; a++)
            away[a] = (float)cell[a] - (a == axis ? 0.5f : 0.0f) - placed->center[a];
        if (coverage[axis] > 0)
            drive_face(release, axis, away, drive_share(placed) * coverage[axis], flicker,
                       sim->velocity[axis] + row + cell[0]);
    }
}

static void release_scalars(BillowSim *sim, const BillowEmitter *emitter, float amount,
                            const int cell[3])
{
    ptrdiff_t at = grid_row(&sim->grid, cell[1], cell[2]) + cell[0];
    if (sim->solids != NULL && !sim->solids->fluid[at])
        return;
    float smoke = emitter->smoke * amount, before = sim->density[at];
    sim->density[at] = limited(before + smoke);
    sim->plane_budgets[cell[2]].released += (double)sim->density[at] - (double)before;
    sim->temperature[at] = limited(sim->temperature[at] + emitter->heat * amount);
    if (sim->def.fire)
        sim->fuel[at] = limited(sim->fuel[at] + emitter->fuel * amount);
    for (int c = 0; c < 3 && sim->def.color; c++)
        sim->color[c][at] = limited(sim->color[c][at] + emitter->color[c] * smoke);
}

/* A cell and the three faces on its low side. */
static void release_cell(BillowSim *sim, const Release *release, const int cell[3],
                         NoiseMemory *memory)
{
    const Grid *grid = &sim->grid;
    const PlacedEmitter *placed = release->placed;
    float x = (float)cell[0], y = (float)cell[1], z = (float)cell[2];
    bool inside = cell[0] < grid->nx && cell[1] < grid->ny && cell[2] < grid->nz;
    float coverage = inside ? emitter_coverage(placed, x, y, z) : 0, faces[3] = {0, 0, 0};
    for (int axis = 0; axis < 3 && release->pull > 0.0f; axis++)
        faces[axis] = face_coverage(grid, placed, axis, cell);
    if (coverage + faces[0] + faces[1] + faces[2] == 0.0f)
        return;
    float flicker = emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->time, memory);
    float amount = coverage * placed->amount * flicker * (float)release->seconds;
    if (coverage > 0)
        release_scalars(sim, &placed->emitter, amount, cell);
    drive_cell(sim, release, cell, faces, flicker);
}

static void release_plane(BillowSim *sim, const Release *release, int k)
{
    const PlacedEmitter *placed = release->placed;
    NoiseMemory memory = {0};
    for (int j = placed->low[1]; j < placed->high[1]; j++) {
        int low, high;
        emitter_row(placed, j, k, &low, &high);
        for (int i = low; i < high; i++)
            release_cell(sim, release, (const int[3]){i, j, k}, &memory);
    }
}

/* Whether an emitter that is on for a share of the sub-step expands anything in plane k. */
static bool expands(const PlacedEmitter *placed, double share, int k)
{
    return placed->emitter.expansion != 0.0f && share > 0 && k >= placed->low[2] &&
           k < placed->high[2];
}

/* Of the sub-step whose expansion counts. */
static double share_of(const BillowSim *sim, const BillowEmitter *emitter)
{
    double begin = sim->expansion_time, dt = sim->expansion_dt;
    return dt > 0 ? emitter_seconds(emitter, begin, begin + dt) / dt : 0;
}

static void expand(const BillowSim *sim, const PlacedEmitter *placed, float share, int k,
                   float *plane)
{
    const Grid *grid = &sim->grid;
    const BillowEmitter *emitter = &placed->emitter;
    if (!expands(placed, (double)share, k))
        return;
    float rate = emitter->expansion * share * placed->amount * sim->def.cell_size;
    int j_end = placed->high[1] < grid->ny ? placed->high[1] : grid->ny;
    int i_end = placed->high[0] < grid->nx ? placed->high[0] : grid->nx;
    NoiseMemory memory = {0};
    for (int j = placed->low[1]; j < j_end; j++)
        for (int i = placed->low[0]; i < i_end; i++) {
            float x = (float)i, y = (float)j, z = (float)k;
            float coverage = emitter_coverage(placed, x, y, z);
            if (coverage > 0)
                plane[j * grid->stride_y + i] +=
                    rate * coverage *
                    emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->expansion_time,
                                    &memory);
        }
}

static bool emitters_expand_in(const BillowSim *sim, int k)
{
    bool any = false;
    for (int e = 0; e < sim->def.emitter_count; e++)
        any = any || expands(&sim->emitters[e], share_of(sim, &sim->def.emitters[e]), k);
    for (int q = 0; q < sim->queued_count; q++)
        any = any || expands(&sim->queued[q], 1, k);
    return any;
}

/* h * expansion of the emitters alone. */
static void expand_plane(const BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    for (int j = 0; j < grid->ny; j++)
        memset(plane + grid_row(grid, j, 0), 0, (size_t)grid->nx * sizeof *plane);
    for (int e = 0; e < sim->def.emitter_count; e++)
        expand(sim, &sim->emitters[e], (float)share_of(sim, &sim->def.emitters[e]), k, plane);
    for (int q = 0; q < sim->queued_count; q++)
        expand(sim, &sim->queued[q], 1.0f, k, plane);
}

/* What emitters' expansion adds in a plane at the density that is there now, times the time step.
 */
static double expanded_mass(const BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    float *plane = sim->scalar_next + grid_row(grid, 0, k);
    double step = sim->expansion_dt / (double)sim->def.cell_size, sum = 0;
    if (!emitters_expand_in(sim, k))
        return 0;
    expand_plane(sim, k, plane);
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++)
            sum += (double)sim->density[grid_row(grid, j, k) + i] *
                   (double)plane[grid_row(grid, j, 0) + i];
    return step * sum;
}

static void expanded_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        sim->plane_budgets[k].released = expanded_mass(sim, k);
}

static void source_task(void *context, Team team)
{
    SourceTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    int end = slab.end + (team.index == team.count - 1); /* the faces at nz */
    for (int k = slab.begin; k < slab.end; k++)
        task->sim->plane_budgets[k].released = 0;
    for (int r = 0; r < task->count; r++) {
        const Release *release = &task->releases[r];
        int first = release->placed->low[2] > slab.begin ? release->placed->low[2] : slab.begin;
        int last = release->placed->high[2] < end ? release->placed->high[2] : end;
        for (int k = first; k < last; k++)
            release_plane(task->sim, release, k);
    }
}

void sources_apply(BillowSim *sim, double dt)
{
    SourceTask task = {.sim = sim};
    for (int e = 0; e < sim->def.emitter_count; e++) {
        double seconds = emitter_seconds(&sim->def.emitters[e], sim->time, sim->time + dt);
        if (seconds > 0)
            task.releases[task.count++] = release_of(&sim->emitters[e], seconds);
    }
    for (int q = 0; q < sim->queued_count; q++)
        task.releases[task.count++] = release_of(&sim->queued[q], dt);
    if (task.count == 0)
        return;
    team_run(sim->threads, source_task, &task);
    sources_book(sim, 1);
}

void sources_book(BillowSim *sim, double share)
{
    double released = 0, h = (double)sim->def.cell_size;
    for (int k = 0; k < sim->grid.nz; k++)
        released += sim->plane_budgets[k].released;
    sim->stats.mass_sources += share * released * h * h * h;
}

void sources_book_expanded(BillowSim *sim, double share)
{
    bool any = false;
    for (int k = 0; k < sim->grid.nz; k++)
        any = any || emitters_expand_in(sim, k);
    if (!any)
        return;
    team_run(sim->threads, expanded_task, sim);
    sources_book(sim, share);
}

bool sources_expand(const BillowSim *sim, int k)
{
    return combustion_expands(sim, k) || emitters_expand_in(sim, k);
}

double sources_shrinking(const BillowSim *sim)
{
    double sum = 0;
    for (int e = 0; e < sim->def.emitter_count + sim->queued_count; e++) {
        const PlacedEmitter *placed = e < sim->def.emitter_count
                                          ? &sim->emitters[e]
                                          : &sim->queued[e - sim->def.emitter_count];
        sum += fmax(-(double)placed->emitter.expansion, 0) * (double)placed->amount *
               emitter_flicker_max(&placed->emitter);
    }
    return sum;
}

const float *sources_expansion(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride)
{
    const Grid *grid = &sim->grid;
    *stride = 0;
    bool burns = combustion_expands(sim, k);
    if (!burns && !emitters_expand_in(sim, k))
        return sim->guard; /* zeros */
    float *plane = scratch + grid_row(grid, 0, k);
    expand_plane(sim, k, plane);
    if (burns)
        combustion_expand(sim, k, plane);
    *stride = grid->stride_y;
    return plane;
}

double sources_speed(const BillowSim *sim, double dt)
{
    double most = 0;
    for (int e = 0; e < sim->def.emitter_count + sim->queued_count; e++) {
        bool lasting = e < sim->def.emitter_count;
        const BillowEmitter *emitter =
            lasting ? &sim->def.emitters[e] : &sim->queued[e - sim->def.emitter_count].emitter;
        const float *v = emitter->velocity;
        double on = lasting ? emitter_seconds(emitter, sim->time, sim->time + dt) : dt;
        double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                            (double)v[2] * (double)v[2]) +
                       fabs((double)emitter->burst);
        speed *= -expm1(-(double)emitter->grip * on) * emitter_flicker_max(emitter);
        most = speed > most ? speed : most;
    }
    return most;
}
