/* SPDX-License-Identifier: MIT */
#include "verify/verify.h"

#include "base/clock.h"
#include "mpi/cluster.h"

#include <stdlib.h>
#include <string.h>

/* -- the cases --------------------------------------------------------------------------------- */

static const VerifyCase *const verify_groups[] = {
    basic_cases,   vortex_cases,     shear_cases, drag_cases,   advection_cases,
    buoyant_cases, convection_cases, plume_cases, follow_cases, burning_cases,
    light_cases,   color_cases,      cloud_cases, NULL,
};

const VerifyCase *verify_case(int index)
{
    for (int group = 0; verify_groups[group] != NULL; group++)
        for (const VerifyCase *at = verify_groups[group]; at->name != NULL; at++)
            if (index-- == 0)
                return at;
    return NULL;
}

const VerifyCase *verify_find(const char *name)
{
    const VerifyCase *found;
    for (int index = 0; (found = verify_case(index)) != NULL; index++)
        if (strcmp(found->name, name) == 0)
            break;
    return found;
}

/* Whether the case draws pictures of given smoke, without a simulation. */
static bool draws(const VerifyCase *of)
{
    static const VerifyCase *const groups[] = {light_cases, color_cases, cloud_cases, NULL};
    for (int group = 0; groups[group] != NULL; group++)
        for (const VerifyCase *at = groups[group]; at->name != NULL; at++)
            if (at == of)
                return true;
    return false;
}

/* -- a run ------------------------------------------------------------------------------------- */

bool verify_agree(VerifyRun *run, bool good)
{
    run->failed |= !cluster_agree(good, &run->error);
    return good && !run->failed;
}

void verify_run(VerifyRun *run)
{
    double start = clock_seconds();
    if (cluster_leads() || !draws(run->of))
        run->of->run(run);
    if (draws(run->of))
        cluster_meet();
    verify_agree(run, !run->failed);
    run->stopped = cluster_any(run->stopped);
    run->seconds = clock_seconds() - start;
}

void verify_finish(VerifyRun *run)
{
    for (int plot = 0; plot < run->plot_count; plot++)
        for (int series = 0; series < run->plots[plot].series_count; series++)
            free(run->plots[plot].series[series].points);
    run->plot_count = 0;
}

VerifyVerdict verify_verdict(const VerifyRun *run)
{
    VerifyVerdict verdict = VERIFY_REPORTED;
    bool outside = false;
    if (!verify_going(run) || run->row_count == 0)
        return VERIFY_FAILED;
    for (int row = 0; row < run->row_count; row++) {
        if (run->rows[row].verdict == VERIFY_FAILED)
            return VERIFY_FAILED;
        outside |= run->rows[row].verdict == VERIFY_OUTSIDE;
        if (run->rows[row].verdict == VERIFY_WITHIN)
            verdict = VERIFY_WITHIN;
    }
    return outside ? VERIFY_OUTSIDE : verdict;
}

const char *verify_verdict_name(VerifyVerdict verdict)
{
    static const char *const names[] = {"within", "outside", "reported", "failed"};
    return names[verdict];
}
