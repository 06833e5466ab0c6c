/* SPDX-License-Identifier: MIT
 *
 * One step (Stam 1999 and 2003, on a staggered grid): velocity first, then the scalars that it
 * carries. billow_step also checks the result, and takes a bad step back where the simulation is
 * guarded. */
#include "advection.h"
#include "guard.h"
#include "projection.h"
#include "sim.h"
#include "sources.h"
#include "statistics.h"

#include "boundary.h"
#include "clock.h"
#include "fail.h"

#include <math.h>
#include <string.h>

static void lap(BillowSim *sim, BillowStage stage)
{
    double now = clock_seconds();
    sim->profile.ms[stage] += 1e3 * (now - sim->lap);
    sim->lap = now;
    if (sim->watching)
        guard_watch(sim, stage);
}

/* With MacCormack, half of the pressure's push on a parcel of air acts where it comes from and
 * half where it arrives: the trapezoidal rule along its path (Temperton & Staniforth 1987; by
 * reflection, Zehnder, Narain & Thomaszewski 2018). The push is that of the last pressure. Its
 * second half is subtracted again, so that the projection can find the new pressure. Without this
 * a step is first order in time, however good its advection: a lasting swirl lost a quarter more
 * energy than viscosity takes (billow verify taylor-green-2d). */
static void advect_with_pressure(BillowSim *sim, double dt)
{
    double ahead = params_second_order(&sim->def.params) ? 0.5 : 0;
    project_push(sim, dt, ahead);
    advect_velocity(sim, dt);
    project_push(sim, dt, -ahead);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
}

static void substep(BillowSim *sim, double dt)
{
    solids_move(sim, dt);
    lap(sim, BILLOW_STAGE_BOUNDARIES);
    advect_displace(sim, dt);
    lap(sim, BILLOW_STAGE_ADVECT_VELOCITY);
    sources_apply(sim, dt);
    lap(sim, BILLOW_STAGE_SOURCES);
    advect_with_pressure(sim, dt);
    forces_apply(sim, dt);
    lap(sim, BILLOW_STAGE_FORCES);
    diffuse_velocity(sim, dt);
    solids_drag(sim, dt);
    lap(sim, BILLOW_STAGE_DIFFUSE_VELOCITY);
    boundaries_apply(sim);
    lap(sim, BILLOW_STAGE_BOUNDARIES);
    combustion_apply(sim, dt);
    lap(sim, BILLOW_STAGE_COMBUSTION);
    project(sim, dt);
    lap(sim, BILLOW_STAGE_PROJECT);
    tracers_advect(sim, dt);
    diffuse_scalars(sim, dt);
    advect_scalars(sim, dt); /* includes cooling and dissipation */
    lap(sim, BILLOW_STAGE_ADVECT_SCALARS);
    sim->time += dt;
    sim->stats.substeps++;
}

/* Number of substeps in which the fastest fluid crosses at most `cfl` cells each. That includes
 * what emitters, solids and faces drive. */
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

/* A whole step, from fluid of at most the given speed. */
static void take_step(BillowSim *sim, double dt, double speed)
{
    double start = clock_seconds(), begun = sim->time;
    memset(&sim->profile, 0, sizeof sim->profile);
    sim->lap = start;
    sim->substeps_before = sim->stats.substeps;
    int count = substeps_for(sim, dt, speed);
    for (sim->substeps_left = count; sim->substeps_left-- > 0;)
        substep(sim, dt / count);
    sim->time = begun + dt;
    sim->stats.steps++;
    sim->stats.last_substeps = count;
    statistics_update(sim, dt / count);
    sim->queued_count = sim->pushed_count = 0;
    lap(sim, BILLOW_STAGE_ACCOUNT);
    sim->profile.total_ms = 1e3 * (clock_seconds() - start);
}

/* Takes back a step that left non-finite values, and names the stage that made them. To find it,
 * the step runs a second time from the saved state under watch. */
static void take_back(BillowSim *sim, double dt)
{
    guard_restore(sim);
    double speed = sim->stats.speed_max;
    if (sim->touched)
        statistics_recount(sim, &speed);
    sim->watching = true;
    take_step(sim, dt, speed);
    sim->watching = false;
    const BillowError found = sim->error;
    guard_restore(sim);
    sim->error = found;
    if (found.text[0] == '\0')
        guard_blame_sums(sim);
}

bool billow_step(BillowSim *sim, double dt)
{
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
    if (sim->stats.nonfinite == 0)
        return true;
    if (sim->saved_state != NULL)
        take_back(sim, dt);
    else
        guard_report(sim);
    return false;
}

const char *billow_error(const BillowSim *sim)
{
    return sim->error.text;
}

int billow_advance(BillowSim *sim, double elapsed, double dt, int steps_max)
{
    sim->error.text[0] = '\0';
    if (!(elapsed > 0) || !isfinite(elapsed) || !(dt > 0 && dt <= BILLOW_STEP_MAX))
        return 0;
    sim->carry += elapsed;
    double enough =
        dt * (1 - 1e-9); /* time slices that add up to dt but for rounding count as dt */
    int steps = 0;
    for (; steps < steps_max && sim->carry >= enough; steps++) {
        if (!billow_step(sim, dt))
            break;
        sim->carry -= dt;
    }
    if (sim->carry >= enough) /* the machine is too slow: drop the excess, keep the phase */
        sim->carry = fmod(sim->carry, dt);
    return steps;
}
