/* SPDX-License-Identifier: MIT
 * Chooses the cap from running averages of the times of steps. */
#include "play/budget.h"

#include <math.h>

/* Shares of the limit. Steps are late if their expected time exceeds FULL. The cap rises only to a
 * value with an expected time of at most HEADROOM. */
#define FULL     0.95
#define HEADROOM 0.8
/* Cycles are cut only where that saves at least this share of a step's time. Elsewhere a late
 * simulation runs slower than the clock, with all its cycles. */
#define WORTH 0.1
/* Time constant of the running averages, ms. On a busy machine a single late step says little. */
#define MEMORY_MS 400.0
/* Shortest time from a change of the cap until it may sink, ms. */
#define SETTLE_MS 300.0
/* Time at the start that is ignored, ms. In this time caches fill, and drivers compile shaders. */
#define WARM_UP_MS 1000.0
/* Time with headroom that a rise needs, ms: at first, and at most. */
#define PATIENCE_MS     1000.0
#define PATIENCE_MAX_MS 30000.0
/* Largest time of a step that enters the averages, as a multiple of `limit_ms`. A longer step
 * counts as this long. */
#define HICCUP 2.0
/* Limits for `rest_ms` / `rise_rest_ms`. Above SLOWED, other programs have taken the cores since
 * the last rise. Below QUICKENED, other programs have freed them. */
#define SLOWED    1.25
#define QUICKENED 0.8

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

/* Returns the expected time of a step with a cap, ms. If projections use all cycles of the present
 * cap, they are expected to use all cycles of the other cap as well. `cycle_ms` contains a share of
 * the fixed work of a projection. The estimate for a higher cap is therefore too long rather than
 * too short. */
static double work_at(const Budget *budget, int cap)
{
    bool binds = budget->cycles > budget->cap - 0.5;
    double cycles = binds ? cap : fmin(cap, budget->cycles);
    return budget->rest_ms + fmax(budget->cycle_ms, 0) * cycles;
}

static void sink(Budget *budget)
{
    /* A rise slows only the pressure solve. If the rest of the step has become slower too, other
     * programs are the cause that steps are late. */
    if (budget->rose && budget->since_change < 4 * PATIENCE_MS &&
        budget->rest_ms < SLOWED * budget->rise_rest_ms)
        budget->patience = fmin(2 * budget->patience, PATIENCE_MAX_MS);
    int cap = budget->cap - 1;
    while (cap > budget->least && work_at(budget, cap) > budget->limit_ms * FULL)
        cap--;
    budget->cap = cap;
    budget->cycles = fmin(budget->cycles, cap);
}

/* Returns the highest cap whose expected time has headroom, at most twice the present cap. Returns
 * the present cap if no higher one has headroom. */
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
    const double all = work_at(budget, budget->most);
    const bool worth = all - work_at(budget, budget->least) > WORTH * all;
    bool late = worth && work_at(budget, cap) > budget->limit_ms * FULL;
    if (budget->rest_ms < QUICKENED * budget->rise_rest_ms)
        budget->patience = PATIENCE_MS; /* earlier rises failed because the machine was busier */
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
