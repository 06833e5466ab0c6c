/* SPDX-License-Identifier: MIT
 *
 * Limits the multigrid cycles, or relaxation sweeps, of a projection, so that a step takes no
 * longer than the time it simulates.
 *
 * The cap on the cycles sinks soon when steps are late. It rises after a while of clear headroom.
 * After each rise that made steps late, it waits longer before the next rise, so that it settles.
 * When the machine becomes less busy, the waiting time starts small again. Where the smallest cap
 * is not enough, the simulation runs slower than the clock. */
#ifndef APP_BUDGET_H
#define APP_BUDGET_H

#include <billow/billow.h>
#include <stdbool.h>

typedef struct Budget {
    double limit_ms; /* longest real time of a step, ms */
    int least, most; /* range of the cap */
    int cap;         /* most cycles of a projection now */
    /* Running averages; negative: not known yet. */
    double rest_ms;  /* time of a step without the pressure solve, ms */
    double cycle_ms; /* time of one cycle, ms */
    double cycles;   /* number of cycles of a projection */

    double rise_rest_ms;         /* rest_ms at the last rise, ms; negative: none yet */
    double early_ms;             /* time with headroom minus later time without it, ms */
    double patience;             /* value of early_ms at which the cap rises, ms */
    double since_change, age_ms; /* time since the last change and since the start, ms */
    bool rose;                   /* the last change was a rise */
} Budget;

/* The range of the cap: from one cycle to those of params, or from a quarter of the sweeps to all.
 */
Budget budget_start(const BillowParams *params, double limit_ms);

/* The parameters with the cap as the number of cycles or sweeps. */
BillowParams budget_params(const BillowParams *params, int cap);

typedef struct BudgetStep {
    double ms;          /* time of the step, ms */
    double pressure_ms; /* time of the step's projections, ms */
    int cycles;         /* number of cycles of one projection */
} BudgetStep;

/* Updates the cap after a step. Returns true where it changed. */
bool budget_observe(Budget *budget, const BudgetStep *step);

#endif
