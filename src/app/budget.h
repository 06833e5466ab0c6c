/* SPDX-License-Identifier: MIT
 *
 * The budget of a projection: how many multigrid cycles, or relaxation sweeps, it may take so that
 * a step takes no longer than the time it simulates.
 *
 * The cap sinks soon when steps are late and rises only after a while of clear headroom. Each time
 * a rise proved too bold it waits longer before the next one, so that it settles. It stops waiting
 * when the machine becomes less busy. Where the smallest cap is not enough, the simulation runs
 * slower than the clock. */
#ifndef APP_BUDGET_H
#define APP_BUDGET_H

#include <billow/billow.h>
#include <stdbool.h>

typedef struct Budget {
    double limit_ms; /* real time that a step may take */
    int least, most; /* range of the cap */
    int cap;         /* cycles that a projection may take now */
    /* Running averages; negative: not known yet. */
    double rest_ms;              /* time of a step besides the pressure solve */
    double cycle_ms;             /* time that one more cycle adds to a step */
    double cycles;               /* of a projection */
    double rise_rest_ms;         /* rest_ms at the last rise; negative before there is one */
    double early_ms;             /* time with headroom, less the time without it since */
    double patience;             /* headroom that is wanted before the next rise, ms */
    double since_change, age_ms; /* since the last change, and since the start, ms */
    bool rose;                   /* the last change was a rise */
} Budget;

/* The cap ranges from the scene's cycles down to one, or from its sweeps down to a quarter. */
Budget budget_start(const BillowParams *params, double limit_ms);

/* The scene's parameters with at most so many cycles, or sweeps. */
BillowParams budget_params(const BillowParams *params, int cap);

typedef struct BudgetStep {
    double ms;          /* time of the step */
    double pressure_ms; /* time of its projections */
    int cycles;         /* of one projection */
} BudgetStep;

/* Learns from a step. True: the cap changed. */
bool budget_observe(Budget *budget, const BudgetStep *step);

#endif
