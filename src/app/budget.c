/* SPDX-License-Identifier: MIT */
#include "budget.h"

#include <math.h>

#define FULL     0.95 /* share of the limit above which a step is late */
#define HEADROOM 0.8  /* share of the limit that the next cap has to fit into */
#define MEMORY_MS                                                                                  \
    400.0 /* time over which steps are averaged: a busy core makes single steps late */
#define SETTLE_MS 300.0 /* time from a change until the cap may sink */
#define WARM_UP_MS                                                                                 \
    1000.0 /* at the start caches fill and drivers compile: this time is not counted */
#define PATIENCE_MS     1000.0 /* time of headroom before a rise */
#define PATIENCE_MAX_MS 30000.0
#define HICCUP          2.0 /* a single step counts as at most so many limits */
#define SLOWED                                                                                     \
    1.25 /* ratio of the time besides the pressure that says that others use the cores             \
          */
#define QUICKENED 0.8 /* ratio that says that others have left the cores */

Budget budget_start(const BillowParams *params, double limit_ms)
{
    bool sweeps = params->pressure == BILLOW_RELAXATION;
    int most = sweeps ? params->sweeps : params->cycles;
    return (Budget){
        .limit_ms = limit_ms,
        .least = sweeps ? (most + 3) / 4 : 1,
        .most = most,
        .cap = most,
        .patience = PATIENCE_MS,
        .rest_ms = -1,
        .rise_rest_ms = -1,
        .cycle_ms = -1,
        .cycles = -1,
    };
}

BillowParams budget_params(const BillowParams *params, int cap)
{
    BillowParams capped = *params;
    *(capped.pressure == BILLOW_RELAXATION ? &capped.sweeps : &capped.cycles) = cap;
    return capped;
}

static double average(double old, double value, double share)
{
    return old < 0 ? value : old + share * (value - old);
}

static void learn(Budget *budget, const BudgetStep *step, double weight_ms)
{
    double share = 1 - exp(-weight_ms / MEMORY_MS);
    double scale = fmin(1, HICCUP * budget->limit_ms / step->ms);
    double cycling_ms = step->cycles > 0 ? scale * step->pressure_ms : 0;
    budget->rest_ms = average(budget->rest_ms, scale * step->ms - cycling_ms, share);
    budget->cycles = average(budget->cycles, step->cycles, share);
    if (step->cycles > 0)
        budget->cycle_ms = average(budget->cycle_ms, cycling_ms / step->cycles, share);
}

/* Expected time of a step under a cap. Where the present cap is reached, all cycles of the other
 * one are assumed. A projection's fixed work counts as part of its cycles, so that the estimate for
 * a higher cap is too long rather than too short. */
static double work_at(const Budget *budget, int cap)
{
    bool binds = budget->cycles > budget->cap - 0.5;
    double cycles = binds ? cap : fmin(cap, budget->cycles);
    return budget->rest_ms + fmax(budget->cycle_ms, 0) * cycles;
}

/* A rise only makes the pressure solve slower. Where the rest of the step has slowed too, other
 * programs are the cause. */
static bool was_too_bold(const Budget *budget)
{
    return budget->rose && budget->since_change < 4 * PATIENCE_MS &&
           budget->rest_ms < SLOWED * budget->rise_rest_ms;
}

static void sink(Budget *budget)
{
    if (was_too_bold(budget))
        budget->patience = fmin(2 * budget->patience, PATIENCE_MAX_MS);
    int cap = budget->cap - 1;
    while (cap > budget->least && work_at(budget, cap) > budget->limit_ms * FULL)
        cap--;
    budget->cap = cap;
    budget->cycles = fmin(budget->cycles, cap);
}

/* The highest cap that should fit the limit, at most twice the present one. */
static int next_cap(const Budget *budget)
{
    int next = budget->most < 2 * budget->cap ? budget->most : 2 * budget->cap;
    while (next > budget->cap && work_at(budget, next) > budget->limit_ms * HEADROOM)
        next--;
    return next;
}

bool budget_observe(Budget *budget, const BudgetStep *step)
{
    double interval_ms = fmax(step->ms, budget->limit_ms);
    double weight_ms = fmin(interval_ms, HICCUP * budget->limit_ms);
    budget->age_ms += interval_ms;
    if (budget->age_ms < WARM_UP_MS)
        return false;
    learn(budget, step, weight_ms);
    int cap = budget->cap, next = next_cap(budget);
    bool late = work_at(budget, cap) > budget->limit_ms * FULL;
    if (budget->rest_ms < QUICKENED * budget->rise_rest_ms)
        budget->patience = PATIENCE_MS; /* failed rises from then do not count now */
    budget->since_change += interval_ms;
    budget->early_ms = fmax(0, budget->early_ms + (next > cap ? weight_ms : -weight_ms));
    if (late && cap > budget->least && budget->since_change >= SETTLE_MS)
        sink(budget);
    else if (next > cap && budget->early_ms >= budget->patience)
        budget->cap = next;
    if (budget->cap == cap)
        return false;
    budget->rose = budget->cap > cap;
    if (budget->rose)
        budget->rise_rest_ms = budget->rest_ms;
    budget->early_ms = budget->since_change = 0;
    return true;
}
