/* SPDX-License-Identifier: MIT
 *
 * Steps that go wrong. The statistics count cells whose values are not finite. Only if there are
 * any does this file look for them and say where they are. A guarded simulation also saves its
 * state before each step, so that step.c can take a bad step back and play it again under watch. */
#include "guard.h"
#include "archive.h"
#include "fail.h"
#include "scalars.h"
#include "sim.h"
#include "statistics.h"

#include <math.h>

/* A value that is not finite, and where it is. */
typedef struct Bad {
    const char *field;
    float value;
    int cell[3];
} Bad;

/* Looks for the first such value of a field. `axis` is that of a velocity component, which has one
 * element more along it, or -1 for cells. */
static bool search(const BillowSim *sim, const char *name, const float *field, int axis, Bad *bad)
{
    const Grid *grid = &sim->grid;
    int n[3] = {grid->nx, grid->ny, grid->nz};
    if (axis >= 0)
        n[axis]++;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                float value = field[grid_row(grid, j, k) + i];
                if (isfinite(value))
                    continue;
                *bad = (Bad){name, value, {i, j, k}};
                return true;
            }
    return false;
}

static bool find_bad(BillowSim *sim, Bad *bad)
{
    static const char *const components[3] = {"u", "v", "w"};
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    for (int axis = 0; axis < 3; axis++)
        if (search(sim, components[axis], sim->velocity[axis], axis, bad))
            return true;
    for (int s = 0; s < count; s++)
        if (search(sim, list[s].name, *list[s].field, -1, bad))
            return true;
    return false;
}

/* "nan" whatever its sign, "inf" or "-inf", the same on every system. */
static const char *name_value(float value)
{
    return isnan(value) ? "nan" : value > 0.0f ? "inf" : "-inf";
}

void guard_refuse(BillowSim *sim)
{
    Bad bad;
    unsigned long long step = (unsigned long long)sim->stats.steps + 1;
    if (find_bad(sim, &bad))
        fail(&sim->error,
             "step %llu is not taken: %s is %s at cell (%d, %d, %d); values that are written must "
             "be finite",
             step, bad.field, name_value(bad.value), bad.cell[0], bad.cell[1], bad.cell[2]);
    else /* finite values whose sum is infinite, or a field that nobody writes by hand */
        fail(&sim->error, "step %llu is not taken: values are too large or NaN", step);
}

bool guard_begin(BillowSim *sim)
{
    if (sim->saved_state == NULL)
        return true;
    billow_save_state(sim, sim->saved_state);
    if (sim->touched ||
        state_fields_finite(sim, sim->saved_state,
                            billow_state_bytes(sim))) /* billow_step checks touched fields anyway */
        return true;
    double speed;
    statistics_recount(sim, &speed); /* for stats.nonfinite */
    guard_refuse(sim);
    return false;
}

void guard_watch(BillowSim *sim, BillowStage stage)
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

void guard_report(BillowSim *sim)
{
    Bad bad;
    unsigned long long step = (unsigned long long)sim->stats.steps;
    if (find_bad(sim, &bad))
        fail(&sim->error, "step %llu: %s went to %s at cell (%d, %d, %d)", step, bad.field,
             name_value(bad.value), bad.cell[0], bad.cell[1], bad.cell[2]);
    else
        fail(&sim->error, "step %llu: values went beyond what can be summed", step);
}

void guard_restore(BillowSim *sim)
{
    billow_load_state(sim, sim->saved_state, billow_state_bytes(sim), NULL);
}

void guard_blame_sums(BillowSim *sim)
{
    fail(&sim->error, "step %llu is taken back: values went beyond what can be summed",
         (unsigned long long)sim->stats.steps + 1);
}
