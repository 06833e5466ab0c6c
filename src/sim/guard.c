/* SPDX-License-Identifier: MIT
 *
 * Steps that go wrong. The account counts cells that are no finite numbers; only where there are
 * any does somebody look for them. A guarded simulation keeps the state before each step (state.c);
 * a step after which the account finds any is played once more from there, to see after which stage
 * they come up, and the kept state is put back. */
#include "fail.h"
#include "sim.h"
#include "state_fields.h"

#include <math.h>

/* A value that is no finite number, and where. */
typedef struct Bad {
    const char *field;
    float value;
    int cell[3];
} Bad;

typedef struct Searched {
    const char *name;
    const float *field;
    int axis; /* of a velocity, which has one element more along it; -1 of cells */
} Searched;

static bool search(const BillowSim *sim, const Searched *searched, Bad *bad)
{
    const Grid *grid = &sim->grid;
    int n[3] = {grid->nx, grid->ny, grid->nz};
    if (searched->axis >= 0)
        n[searched->axis]++;
    for (int k = 0; k < n[2] && searched->field != NULL; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                float value = searched->field[grid_row(grid, j, k) + i];
                if (isfinite(value))
                    continue;
                *bad = (Bad){searched->name, value, {i, j, k}};
                return true;
            }
    return false;
}

static bool find_bad(const BillowSim *sim, Bad *bad)
{
    const Searched all[] = {
        {"u", sim->velocity[0], 0},
        {"v", sim->velocity[1], 1},
        {"w", sim->velocity[2], 2},
        {"density", sim->density, -1},
        {"temperature", sim->temperature, -1},
        {"fuel", sim->fuel, -1},
        {"color[0]", sim->color[0], -1},
        {"color[1]", sim->color[1], -1},
        {"color[2]", sim->color[2], -1},
    };
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++)
        if (search(sim, &all[f], bad))
            return true;
    return false;
}

/* "nan", whatever its sign, "inf" and "-inf" on every system. */
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
    else /* those of two cells that add up to infinity, or what nobody writes */
        fail(&sim->error, "step %llu is not taken: values are too large, or no numbers", step);
}

bool guard_begin(BillowSim *sim)
{
    if (sim->kept == NULL)
        return true;
    billow_save_state(sim, sim->kept);
    if (sim->touched ||
        state_fields_finite(sim, sim->kept)) /* what is touched is looked at anyway */
        return true;
    double speed;
    account_anew(sim, &speed); /* counts */
    guard_refuse(sim);
    return false;
}

void guard_watch(BillowSim *sim, BillowStage stage)
{
    Bad bad;
    if (sim->error.text[0] != '\0' || !find_bad(sim, &bad))
        return;
    fail(&sim->error,
         "step %llu is taken back: %s went to %s at cell (%d, %d, %d) in %s, sub-step %llu",
         (unsigned long long)sim->stats.steps + 1, bad.field, name_value(bad.value), bad.cell[0],
         bad.cell[1], bad.cell[2], billow_stage_name(stage),
         (unsigned long long)(sim->stats.substeps - sim->substeps_before) + 1);
}

/* Of a step that nobody guards. */
static void tell(BillowSim *sim)
{
    Bad bad;
    unsigned long long step = (unsigned long long)sim->stats.steps;
    if (find_bad(sim, &bad))
        fail(&sim->error, "step %llu: %s went to %s at cell (%d, %d, %d)", step, bad.field,
             name_value(bad.value), bad.cell[0], bad.cell[1], bad.cell[2]);
    else
        fail(&sim->error, "step %llu: values went beyond what can be summed", step);
}

static void put_back(BillowSim *sim)
{
    billow_load_state(sim, sim->kept, billow_state_bytes(sim), NULL);
}

void guard_end(BillowSim *sim, double dt)
{
    if (sim->kept == NULL) {
        tell(sim);
        return;
    }
    unsigned long long step = (unsigned long long)sim->stats.steps;
    put_back(sim);
    double speed = sim->stats.speed_max;
    if (sim->touched)
        account_anew(sim, &speed);
    sim->watching = true;
    step_take(sim, dt, speed);
    sim->watching = false;
    const BillowError found = sim->error;
    put_back(sim);
    sim->error = found;
    if (found.text[0] == '\0')
        fail(&sim->error, "step %llu is taken back: values went beyond what can be summed", step);
}
