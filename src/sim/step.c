/* SPDX-License-Identifier: MIT
 *
 * One step (Stam 1999 and 2003, on a staggered grid): velocity first, then the
 * scalars, which the velocity advects. billow_step also checks the result. In a guarded simulation
 * it undoes a step that fails. */
#include "base/clock.h"
#include "base/fail.h"
#include "base/float_mode.h"
#include "sim/advection/advect.h"
#include "sim/advection/advect_velocity.h"
#include "sim/advection/tracers.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/fields/meter.h"
#include "sim/growth.h"
#include "sim/pressure/diffuse.h"
#include "sim/pressure/project.h"
#include "sim/solids/floating_bodies.h"
#include "sim/solids/solid_flow.h"
#include "sim/sources/combustion.h"
#include "sim/sources/forces.h"
#include "sim/sources/sources.h"
#include "sim/state.h"
#include "sim/statistics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* -- steps that fail --------------------------------------------------------------------------- */

/* The statistics count cells whose values are not finite. If there are any, the functions below
 * find the first one for the message. A guarded simulation saves its state before each step.
 * billow_step can then restore that state, repeat the step, and search the fields after each
 * stage. */

/* A value that is not finite, with its field and its cell. */
typedef struct Bad {
    bool found;
    const char *field;
    float value;
    int cell[3];
} Bad;

/* Finds the first value of a field that is not finite. For a velocity component `axis` is its axis,
 * along which it has one more element than cells. For a field of cells `axis` is -1. */
static Bad search(const BillowSim *sim, const Grid *grid, const float *field, int axis)
{
    int n[3] = {grid->nx, grid->ny, grid->nz};
    if (axis >= 0)
        n[axis]++;
    Slab own = ranks_own(sim->ranks, n[2]);
    for (int k = own.begin; k < own.end; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                float value = field[grid_row(grid, j, k) + i];
                if (!isfinite(value))
                    return (Bad){true, NULL, value, {i, j, k}};
            }
    return (Bad){0};
}

/* The first find of all ranks, which have searched their own planes. */
static Bad first_of_ranks(const BillowSim *sim, Bad own)
{
    if (sim->ranks == NULL)
        return own;
    const Bad *finds = exchange_each(sim->ranks, &own, sizeof own);
    for (int r = 0; r < sim->ranks->calls.ranks; r++)
        if (finds[r].found)
            return finds[r];
    return (Bad){0};
}

static bool find_bad(BillowSim *sim, Bad *bad)
{
    static const char *const components[3] = {"u", "v", "w"};
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    for (int f = 0; f < 3 + count; f++) {
        const float *field = f < 3 ? sim->velocity[f] : *list[f - 3].field;
        const Grid *grid = f < 3 ? &sim->grid : scalar_grid(sim, &list[f - 3]);
        *bad = first_of_ranks(sim, search(sim, grid, field, f < 3 ? f : -1));
        bad->field = f < 3 ? components[f] : list[f - 3].name;
        if (bad->found)
            return true;
    }
    return false;
}

/* "nan", "inf" or "-inf". The sign of a NaN is left out, because it differs between systems. */
static const char *name_value(float value)
{
    return isnan(value) ? "nan" : value > 0.0f ? "inf" : "-inf";
}

static void guard_refuse(BillowSim *sim)
{
    Bad bad;
    unsigned long long step = (unsigned long long)sim->stats.steps + 1;
    if (find_bad(sim, &bad))
        fail(&sim->error,
             "step %llu is not taken: %s is %s at cell (%d, %d, %d); values that are written must "
             "be finite",
             step, bad.field, name_value(bad.value), bad.cell[0], bad.cell[1], bad.cell[2]);
    else /* all values are finite, but so large that density + temperature + squared speed of a cell
            overflows; or the bad value is in a field that find_bad does not search */
        fail(&sim->error, "step %llu is not taken: values are too large or NaN", step);
}

static bool guard_begin(BillowSim *sim)
{
    if (sim->saved_state == NULL)
        return true;
    billow_save_state_over(sim, sim->saved_state, sim->smoke.saved);
    /* billow_step checks touched fields anyway */
    if (sim->touched || state_fields_finite(sim, sim->saved_state, billow_state_bytes(sim)))
        return true;
    double speed;
    statistics_recount(sim, &speed); /* updates stats.nonfinite */
    guard_refuse(sim);
    return false;
}

static void guard_search(BillowSim *sim, BillowStage stage)
{
    Bad bad;
    if (sim->error.text[0] != '\0' || !find_bad(sim, &bad))
        return;
    fail(&sim->error,
         "step %llu is taken back: %s went to %s at cell (%d, %d, %d) in %s, substep %llu",
         (unsigned long long)sim->stats.steps + 1, bad.field, name_value(bad.value), bad.cell[0],
         bad.cell[1], bad.cell[2], billow_stage_name(stage),
         (unsigned long long)(sim->stats.substeps - sim->substeps_before) + 1);
}

static void guard_report(BillowSim *sim)
{
    Bad bad;
    unsigned long long step = (unsigned long long)sim->stats.steps;
    if (find_bad(sim, &bad))
        fail(&sim->error, "step %llu: %s went to %s at cell (%d, %d, %d)", step, bad.field,
             name_value(bad.value), bad.cell[0], bad.cell[1], bad.cell[2]);
    else
        fail(&sim->error, "step %llu: values went beyond what can be summed", step);
}

/* -- the step ---------------------------------------------------------------------------------- */

static void lap(BillowSim *sim, BillowStage stage)
{
    double now = clock_seconds();
    sim->profile.ms[stage] += 1e3 * (now - sim->lap);
    sim->lap = now;
    meter_mark((int)stage);
    if (sim->searching)
        guard_search(sim, stage);
}

/* Forces and viscosity, with the acceleration by the last pressure if it is `balanced`. The two
 * stages of implicit diffusion (diffuse.c) take the forces and the last pressure into account, each
 * with its share of the time. A flow in which viscosity balances both, as between two plates,
 * therefore stays exactly steady. */
static void accelerate(BillowSim *sim, double dt, bool balanced)
{
    static const double shares[DIFFUSION_STAGES] = {DIFFUSION_SHARE, 1 - DIFFUSION_SHARE};
    bool viscous = sim->def.params.viscosity > 0.0f;
    if (!viscous) {
        project_push(sim, dt, balanced ? 1 : 0);
        forces_apply(sim, dt, 1);
        lap(sim, BILLOW_STAGE_FORCES);
    }
    for (int stage = 0; stage < DIFFUSION_STAGES && viscous; stage++) {
        project_push(sim, dt, shares[stage]);
        forces_apply(sim, dt, shares[stage]);
        lap(sim, BILLOW_STAGE_FORCES);
        diffuse_velocity(sim, dt, stage);
        boundaries_apply(sim);
        lap(sim, BILLOW_STAGE_DIFFUSE_VELOCITY);
    }
    project_push(sim, dt, viscous && !balanced ? -1 : 0);
    solids_drag(sim, dt);
    solids_limit(sim);
    boundaries_apply(sim);
    lap(sim, BILLOW_STAGE_BOUNDARIES);
}

/* Advects and accelerates the velocity by dt, and removes its divergence.
 *
 * Stam's scheme advects, accelerates and projects once per substep. The projection takes the energy
 * of what advection has compressed, and a vortex dies within a few turns. With reflection (Zehnder,
 * Narain & Thomaszewski 2018) a substep has two halves. The second half starts with what the
 * projection has changed changed once more, and is the first half in reverse order:
 *
 *     half:            advect by dt/2;  u += dt/2 f;  project: u -= grad q
 *     reflected half:  u += dt/2 f - grad q;  advect by dt/2;  project
 *
 * A reflection keeps the energy, and the second half undoes the error of the first. Force and
 * pressure act together, in the middle of the substep: where they balance, as in air at rest under
 * warmer air, nothing moves. q is then added again where the air has arrived, so that the second
 * projection finds a whole pressure, which it starts from. */
static void flow_half(BillowSim *sim, double dt)
{
    advect_displace(sim, dt);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
    age_advance(sim, sim->substep_dt);
    sources_apply(sim, sim->substep_dt); /* after the displacement: this may diverge */
    smoke_feel(sim);
    lap(sim, BILLOW_STAGE_SOURCES);
    advect_velocity(sim, dt);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
    accelerate(sim, dt, false);
    combustion_apply(sim, sim->substep_dt);
    lap(sim, BILLOW_STAGE_COMBUSTION);
    project(sim, dt);
    lap(sim, BILLOW_STAGE_PROJECT);
}

static void flow_reflected(BillowSim *sim, double dt)
{
    displacement_drop(sim); /* that of the scalars; forces and viscosity need its memory */
    smoke_feel(sim);
    advect_lead(sim);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
    accelerate(sim, dt, true);
    advect_displace_led(sim, dt);
    advect_velocity(sim, dt);
    project_push(sim, dt, -1);
    solids_limit(sim);
    boundaries_apply(sim);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
    project(sim, dt);
    lap(sim, BILLOW_STAGE_PROJECT);
}

/* With reflection the scalars are advected once, by the velocity in the middle of the substep. */
static void substep(BillowSim *sim, double dt)
{
    bool reflects = params_reflect(&sim->def.params);
    sim->substep_dt = dt;
    sim_poison_planes(sim);
    solids_move(sim, dt);
    lap(sim, BILLOW_STAGE_BOUNDARIES);
    smoke_find(sim, dt);
    flow_half(sim, reflects ? dt / 2 : dt);
    tracers_advect(sim, dt);
    diffuse_scalars(sim, dt);
    advect_scalars(sim, dt); /* includes cooling and dissipation */
    lap(sim, BILLOW_STAGE_ADVECT_SCALARS);
    if (reflects)
        flow_reflected(sim, dt / 2);
    floating_accelerate(sim, dt);
    sim->time += dt;
    sim->stats.substeps++;
}

/* Number of substeps, at most substeps_max, such that the fastest fluid crosses at most `cfl` cells
 * in each. Includes the speeds that emitters, solids and faces give the fluid. */
static int substeps_for(const BillowSim *sim, double dt, double speed)
{
    double driven =
        fmax(fmax(sources_speed(sim, dt), solids_speed(sim)), boundary_speed(&sim->def));
    speed = fmax(speed, driven);
    double cells = speed * dt / (double)sim->def.cell_size;
    double wanted = ceil(cells / (double)sim->def.params.cfl);
    int most = sim->def.params.substeps_max;
    return !(wanted < most) ? most : wanted < 1 ? 1 : (int)wanted;
}

typedef struct Substeps {
    BillowSim *sim;
    double dt; /* of all together */
    int count;
} Substeps;

/* A CrewBody. */
static void run_substeps(void *context)
{
    const Substeps *substeps = context;
    BillowSim *sim = substeps->sim;
    double begun = sim->time, dt = substeps->dt;
    int count = substeps->count;
    sim->made_good = statistics_make_good(sim);
    for (sim->substeps_left = count; sim->substeps_left-- > 0;)
        substep(sim, dt / count);
    sim->time = begun + dt;
    sim->stats.steps++;
    sim->stats.last_substeps = count;
    statistics_update(sim, dt / count);
    lap(sim, BILLOW_STAGE_ACCOUNT);
}

/* Simulates a whole step. `speed` is the fluid's largest speed at the start of the step, m/s. */
static void take_step(BillowSim *sim, double dt, double speed)
{
    double start = clock_seconds();
    solids_begin(sim, dt);
    int threads = sim->threads, count = substeps_for(sim, dt, speed);
    memset(&sim->profile, 0, sizeof sim->profile);
    sim->lap = start;
    sim->substeps_before = sim->stats.substeps;
    const Meter *meter = meter_used();
    sim->threads = meter != NULL ? meter_workers(meter) : pace_threads(&sim->pace, threads);
    sim->profile.threads = crew_run(sim->threads, run_substeps, &(Substeps){sim, dt, count});
    if (meter == NULL)
        pace_note(&sim->pace, sim->threads, (clock_seconds() - start) / count);
    sim->threads = threads;
    sim->queued_count = sim->pushed_count = 0;
    double end = clock_seconds();
    sim->profile.ms[BILLOW_STAGE_ACCOUNT] += 1e3 * (end - sim->lap); /* the end of the crew */
    sim->profile.total_ms = 1e3 * (end - start);
}

/* Undoes a step that left non-finite values, and names the stage that made them. To find that
 * stage, it repeats the step from the saved state and searches the fields after each stage. */
static void take_back(BillowSim *sim, double dt)
{
    billow_load_state(sim, sim->saved_state, billow_state_bytes(sim), NULL);
    double speed = sim->stats.speed_max;
    if (sim->touched)
        statistics_recount(sim, &speed);
    sim->searching = true;
    take_step(sim, dt, speed);
    sim->searching = false;
    const BillowError found = sim->error;
    billow_load_state(sim, sim->saved_state, billow_state_bytes(sim), NULL);
    sim->error = found;
    if (found.text[0] == '\0')
        fail(&sim->error, "step %llu is taken back: values went beyond what can be summed",
             (unsigned long long)sim->stats.steps + 1);
}

/* Lets an unbounded box grow. The time counts as that of the statistics. */
static void grow(BillowSim *sim, double dt)
{
    if (!growth_on(&sim->def))
        return;
    double start = clock_seconds();
    growth_update(sim, dt);
    double ms = 1e3 * (clock_seconds() - start);
    sim->profile.ms[BILLOW_STAGE_ACCOUNT] += ms;
    sim->profile.total_ms += ms;
}

bool billow_step(BillowSim *sim, double dt)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    double speed = sim->stats.speed_max;
    sim->error.text[0] = '\0';
    if (!(dt > 0 && dt <= BILLOW_STEP_MAX))
        return fail(&sim->error, "a step of %g s; it must be more than 0 and at most %g s", dt,
                    BILLOW_STEP_MAX);
    if (!guard_begin(sim))
        return false;
    if (sim->touched && !statistics_recount(sim, &speed)) {
        guard_refuse(sim);
        return false;
    }
    take_step(sim, dt, speed);
    if (sim->stats.nonfinite == 0) {
        grow(sim, dt);
        return true;
    }
    if (sim->saved_state != NULL)
        take_back(sim, dt);
    else
        guard_report(sim);
    return false;
}

const char *billow_stage_name(BillowStage stage)
{
    static const char *const names[BILLOW_STAGES] = {
        "sources",    "advect_velocity", "forces",         "diffuse_velocity", "boundaries",
        "combustion", "project",         "advect_scalars", "account",
    };
    return stage >= 0 && stage < BILLOW_STAGES ? names[stage] : "";
}

const char *billow_error(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->error.text;
}

int billow_advance(BillowSim *sim, double elapsed, double dt, int steps_max)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    sim->error.text[0] = '\0';
    if (!(elapsed > 0) || !isfinite(elapsed) || !(dt > 0 && dt <= BILLOW_STEP_MAX))
        return 0;
    sim->remainder += elapsed;
    double enough = dt * (1 - 1e-9); /* tolerates rounding if several `elapsed` add up to dt */
    int steps = 0;
    for (; steps < steps_max && sim->remainder >= enough; steps++) {
        if (!billow_step(sim, dt))
            break;
        sim->remainder -= dt;
    }
    if (sim->remainder >= enough) /* too slow: drop whole steps, keep the rest of one */
        sim->remainder = fmod(sim->remainder, dt);
    return steps;
}
