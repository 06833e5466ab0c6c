/* SPDX-License-Identifier: MIT
 * Continues the simulation on another grid. A thread of its own creates the new simulation, so that
 * the smoke does not stop meanwhile; the state is resampled between two steps. */
#include "play/sim_thread_parts.h"

#include <string.h>

static void build(void *data)
{
    SimRegrid *regrid = data;
    thread_give_way(19);
    regrid->sim = billow_create(&regrid->def, NULL);
    if (regrid->sim != NULL)
        regrid->snapshots = snapshots_create(&regrid->def, NULL);
    atomic_store(&regrid->done, true);
}

static void answer(SimThread *self, SimGridResult result)
{
    self->now.grid = self->regrid.serial;
    self->now.grid_result = result;
}

/* Waits for the builder, and drops what was not used. */
static void clear(SimRegrid *regrid)
{
    thread_join(regrid->builder);
    billow_destroy(regrid->sim);
    snapshots_destroy(regrid->snapshots);
    regrid->builder = NULL;
    regrid->sim = NULL;
    regrid->snapshots = NULL;
}

void sim_grid_drop(SimThread *self)
{
    if (self->regrid.builder == NULL)
        return;
    clear(&self->regrid);
    answer(self, SIM_GRID_DROPPED);
}

void sim_grid_ask(SimThread *self, const struct SimGrid *grid)
{
    SimRegrid *regrid = &self->regrid;
    sim_grid_drop(self);
    regrid->serial = grid->serial;
    regrid->def = self->shared.def;
    regrid->def.nx = grid->n[0];
    regrid->def.ny = grid->n[1];
    regrid->def.nz = grid->n[2];
    regrid->def.cell_size = grid->cell_size;
    memcpy(regrid->def.origin, grid->origin, sizeof regrid->def.origin);
    atomic_store(&regrid->done, false);
    if (self->recording == NULL)
        regrid->builder = thread_start(build, "grid", regrid, NULL);
    if (regrid->builder == NULL)
        answer(self, SIM_GRID_DROPPED);
}

/* Moves to the new simulation. Stored states have the old grid and are dropped. */
static void move_to(SimThread *self, SimRegrid *regrid)
{
    BillowSim *before = self->shared.driver.sim;
    self->shared.driver.sim = regrid->sim;
    self->shared.def.nx = regrid->def.nx;
    self->shared.def.ny = regrid->def.ny;
    self->shared.def.nz = regrid->def.nz;
    self->shared.def.cell_size = regrid->def.cell_size;
    memcpy(self->shared.def.origin, regrid->def.origin, sizeof self->shared.def.origin);
    self->budget = budget_start(&self->shared.def.params, self->budget.limit_ms);
    self->pace.ticking = false;
    self->sharing.stale = true;
    sim_past_resize(self, self->past.bytes);
    answer(self, SIM_GRID_DONE);
    sim_publish(self, regrid->snapshots);
    sim_snapshots_exchange(self, regrid->snapshots);
    regrid->sim = before; /* clear() destroys it */
    regrid->snapshots = NULL;
}

/* Replaces the snapshots if the new box had to grow. */
static bool fit_snapshots(const SimThread *self, SimRegrid *regrid)
{
    const BillowView view = billow_view(regrid->sim);
    if (snapshots_fit(regrid->snapshots, &view))
        return true;
    snapshots_destroy(regrid->snapshots);
    regrid->snapshots = sim_snapshots_create(self, regrid->sim, NULL);
    return regrid->snapshots != NULL;
}

void sim_grid_follow(SimThread *self)
{
    SimRegrid *regrid = &self->regrid;
    if (regrid->builder == NULL || !atomic_load(&regrid->done) || self->past.asked || self->paused)
        return;
    if (regrid->snapshots != NULL && billow_resample(regrid->sim, self->shared.driver.sim, NULL) &&
        fit_snapshots(self, regrid))
        move_to(self, regrid);
    else
        answer(self, SIM_GRID_REFUSED);
    clear(regrid);
}
