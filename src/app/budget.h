/* SPDX-License-Identifier: MIT
 *
 * How many multigrid cycles (or relaxation sweeps) a projection may take, chosen so that a step
 * takes no longer than the time it simulates. The cap sinks soon when steps are late, rises only
 * after a while of clear headroom, and waits longer each time a rise proved too bold, as long as
 * the machine stays as busy as it was: it settles instead of flickering, and forgives what was not
 * its doing. Where the least is not enough, the simulation runs slower than the clock.
 */
#ifndef APP_BUDGET_H
#define APP_BUDGET_H

#include <billow/billow.h>
#include <stdbool.h>

typedef struct Budget {
    double limit_ms; /* real time that a step may take */
    int least, most; /* of the cap */
    int cap;         /* cycles that a projection may take now */
    /* Averages of late, negative before there are any: what a step takes beside the pressure, what
     * one cycle more in its projections adds, and the cycles of a projection. */
    double rest_ms, cycle_ms, cycles;
    double rise_rest_ms;         /* rest_ms at the last rise; negative before there is one */
    double early_ms;             /* time spent with headroom, less the time without since */
    double patience;             /* ms of headroom asked for before the next rise */
    double since_change, age_ms; /* ms */
    bool rose;                   /* the last change was a rise */
} Budget;

/* From what a scene's parameters allow down to one cycle, or to a quarter of the sweeps. */
Budget budget_start(const BillowParams *params, double limit_ms);

/* The scene's parameters with no more cycles, or sweeps, than so many. */
BillowParams budget_params(const BillowParams *params, int cap);

typedef struct BudgetStep {
    double ms;          /* all that a step took */
    double pressure_ms; /* of that, what its projections took */
    int cycles;         /* of one of them */
} BudgetStep;

/* Learns of a step. True: the cap changed. */
bool budget_observe(Budget *budget, const BudgetStep *step);

#endif
