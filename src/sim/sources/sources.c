/* SPDX-License-Identifier: MIT
 *
 * Stage 1: what emitters release, and the velocity they drive. */
#include "sources.h"
#include "sim.h"

#include "constants.h"
#include "parallel.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An emitter in one substep: the seconds it is on, and the share of the velocity difference that
 * it removes meanwhile. */
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

/* Share of the velocity that a covered cell is driven to. A shape smaller or thinner than a cell
 * drives its share of the cells it touches. In larger shapes, whose surface alone is spread over
 * cells, the whole inside takes the velocity. */
static float drive_share(const PlacedEmitter *placed)
{
    if (placed->general)
        return placed->amount < 0.5f ? placed->amount : 1;
    bool small = placed->emitter.shape == BILLOW_SPHERE && placed->size[0] < 1;
    return small ? placed->amount : 1;
}

/* Drives one face: u += pull * coverage * (target - u). `away` points from the emitter's centre to
 * the face, in cells. */
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

/* Coverage of the face on a cell's low side, 0 where the grid has no such face. A cell past the
 * grid's last one, at nx, ny or nz, has one face of the grid. */
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

/* Releases into a cell and drives the three faces on its low side. */
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

static void source_task(void *context, Team team)
{
    SourceTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    int end = slab.end + (team.index == team.count - 1); /* includes the faces at nz */
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
    budget_released(sim, 1);
}

void budget_released(BillowSim *sim, double share)
{
    double released = 0, h = (double)sim->def.cell_size;
    for (int k = 0; k < sim->grid.nz; k++)
        released += sim->plane_budgets[k].released;
    sim->stats.mass_sources += share * released * h * h * h;
}

/* Dissipation that keeps the share s and leaves `mass` took (1 - s) / s times that mass. */
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
