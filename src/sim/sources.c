/* SPDX-License-Identifier: MIT
 * Stage 1: emitters. */
#include "sim.h"

#include "parallel.h"

#include <math.h>

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

static double overlap(const BillowEmitter *emitter, double begin, double end)
{
    double first = emitter->start > begin ? emitter->start : begin;
    double last = emitter->end < end ? emitter->end : end;
    return last > first ? last - first : 0;
}

static Release release_of(const PlacedEmitter *placed, double seconds)
{
    float pull = (float)-expm1(-(double)placed->emitter.grip * seconds);
    return (Release){placed, seconds, pull};
}

/* A ball smaller than a cell drives its share of the cells it touches; of larger ones, whose
 * surface alone is spread, the whole inside takes the velocity. */
static float drive_share(const PlacedEmitter *placed)
{
    bool small = placed->emitter.shape == BILLOW_SPHERE && placed->size[0] < 1;
    return small ? placed->amount : 1;
}

/* Drives one face: u += pull * coverage * (target - u). `at` is the face's position in cells. */
static inline void drive_face(const Release *release, int axis, const float at[3], float flicker,
                              float *u)
{
    const BillowEmitter *emitter = &release->placed->emitter;
    float coverage =
        drive_share(release->placed) * emitter_coverage(release->placed, at[0], at[1], at[2]);
    float away[3] = {at[0] - release->placed->center[0], at[1] - release->placed->center[1],
                     at[2] - release->placed->center[2]};
    float distance = sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
    float outwards = distance > 0 ? away[axis] / distance : 0;
    float target = (emitter->velocity[axis] + emitter->burst * outwards) * flicker;
    *u += release->pull * coverage * (target - *u);
}

/* The three faces on a cell's low side. Where the cell is past the grid's last (the faces at nx, ny
 * and nz), only the face that belongs to the grid is driven. */
static void drive_cell(BillowSim *sim, const Release *release, int i, int j, int k, float flicker)
{
    const Grid *grid = &sim->grid;
    const int cell[3] = {i, j, k}, cells[3] = {grid->nx, grid->ny, grid->nz};
    for (int axis = 0; axis < 3; axis++) {
        bool inside = true;
        for (int other = 0; other < 3; other++)
            inside = inside && (other == axis || cell[other] < cells[other]);
        if (!inside)
            continue;
        float at[3] = {(float)i, (float)j, (float)k};
        at[axis] -= 0.5f;
        drive_face(release, axis, at, flicker, sim->velocity[axis] + grid_row(grid, j, k) + i);
    }
}

static void release_plane(BillowSim *sim, const Release *release, int k)
{
    const Grid *grid = &sim->grid;
    const PlacedEmitter *placed = release->placed;
    const BillowEmitter *emitter = &placed->emitter;
    for (int j = placed->low[1]; j < placed->high[1]; j++)
        for (int i = placed->low[0]; i < placed->high[0]; i++) {
            float x = (float)i, y = (float)j, z = (float)k;
            float coverage = emitter_coverage(placed, x, y, z);
            bool cell = coverage > 0 && i < grid->nx && j < grid->ny && k < grid->nz;
            if (!cell && release->pull == 0.0f)
                continue;
            float flicker = emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->time);
            if (cell) {
                float amount = coverage * placed->amount * flicker * (float)release->seconds;
                ptrdiff_t at = grid_row(grid, j, k) + i;
                sim->density[at] += emitter->smoke * amount;
                sim->temperature[at] += emitter->heat * amount;
            }
            if (release->pull > 0.0f)
                drive_cell(sim, release, i, j, k, flicker);
        }
}

static void source_task(void *context, Team team)
{
    SourceTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    int end = slab.end + (team.index == team.count - 1); /* the faces at nz */
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
        double seconds = overlap(&sim->def.emitters[e], sim->time, sim->time + dt);
        if (seconds > 0)
            task.releases[task.count++] = release_of(&sim->emitters[e], seconds);
    }
    for (int q = 0; q < sim->queued_count; q++)
        task.releases[task.count++] = release_of(&sim->queued[q], dt);
    if (task.count > 0)
        team_run(sim->threads, source_task, &task);
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
    return dt > 0 ? overlap(emitter, begin, begin + dt) / dt : 0;
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
    for (int j = placed->low[1]; j < j_end; j++)
        for (int i = placed->low[0]; i < i_end; i++) {
            float x = (float)i, y = (float)j, z = (float)k;
            float coverage = emitter_coverage(placed, x, y, z);
            if (coverage > 0)
                plane[j * grid->stride_y + i] +=
                    rate * coverage *
                    emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->expansion_time);
        }
}

void sources_expand(const BillowSim *sim, int k, float *plane)
{
    for (int e = 0; e < sim->def.emitter_count; e++)
        expand(sim, &sim->emitters[e], (float)share_of(sim, &sim->def.emitters[e]), k, plane);
    for (int q = 0; q < sim->queued_count; q++)
        expand(sim, &sim->queued[q], 1.0f, k, plane);
}

bool sources_expanding(const BillowSim *sim, int k)
{
    bool any = false;
    for (int e = 0; e < sim->def.emitter_count; e++)
        any = any || expands(&sim->emitters[e], share_of(sim, &sim->def.emitters[e]), k);
    for (int q = 0; q < sim->queued_count; q++)
        any = any || expands(&sim->queued[q], 1, k);
    return any;
}

double sources_speed(const BillowSim *sim, double dt)
{
    double most = 0;
    for (int e = 0; e < sim->def.emitter_count + sim->queued_count; e++) {
        bool lasting = e < sim->def.emitter_count;
        const BillowEmitter *emitter =
            lasting ? &sim->def.emitters[e] : &sim->queued[e - sim->def.emitter_count].emitter;
        const float *v = emitter->velocity;
        double on = lasting ? overlap(emitter, sim->time, sim->time + dt) : dt;
        double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                            (double)v[2] * (double)v[2]) +
                       fabs((double)emitter->burst);
        speed *= -expm1(-(double)emitter->grip * on) * emitter_flicker_max(emitter);
        most = speed > most ? speed : most;
    }
    return most;
}
