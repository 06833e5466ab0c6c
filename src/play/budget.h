/* SPDX-License-Identifier: MIT
 *
 * Limits the multigrid cycles, or relaxation sweeps, of a projection. The aim is that a step takes
 * no longer than the time it simulates.
 *
 * The limit is called the cap. It sinks soon after steps become late. It rises after a period of
 * clear headroom. Each rise that makes steps late doubles the period before the next rise, so that
 * the cap settles. When the machine becomes less busy, the period is short again. If the smallest
 * cap is not enough, the simulation runs slower than the clock. */
#ifndef PLAY_BUDGET_H
#define PLAY_BUDGET_H

#include <billow/billow.h>
#include <stdbool.h>

typedef struct Budget {
    double limit_ms; /* longest real time that a step should take, ms */
    int least, most; /* range of the cap */
    int cap;         /* largest number of cycles or sweeps of a projection */
    /* Running averages. Negative: nothing has been measured yet. */
    double rest_ms;  /* time of a step without the pressure solve, ms */
    double cycle_ms; /* time of one cycle or sweep, ms */
    double cycles;   /* number of cycles or sweeps of a projection */

    double rise_rest_ms;         /* `rest_ms` at the last rise, ms; negative: no rise yet */
    double early_ms;             /* time with headroom minus time without it, at least 0, ms */
    double patience;             /* value of `early_ms` at which the cap rises, ms */
    double since_change, age_ms; /* time since the cap changed, and since the start, ms */
    bool rose;                   /* the last change of the cap was a rise */
} Budget;

/* Starts with the largest cap: the cycles of `params`, or the sweeps for the relaxation. The
 * smallest cap is one cycle, or a quarter of the sweeps, rounded up. */
Budget budget_start(const BillowParams *params, double limit_ms);

typedef struct BudgetStep {
    double ms;          /* time of the step, ms */
    double pressure_ms; /* time of all projections of the step, ms */
    int cycles;         /* number of cycles or sweeps of one projection */
} BudgetStep;

/* Updates the cap after a step. Returns true if the cap has changed. */
bool budget_observe(Budget *budget, const BudgetStep *step);

#endif
