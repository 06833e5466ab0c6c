/* SPDX-License-Identifier: MIT
 * A flow that is given from outside instead of following its own laws.
 *
 * billow_step carries the velocity along itself before it carries the scalars: they see S(v) where
 * v was set. S(v) = v + dt (...), so that v is improved by what S(v) misses of the flow that is
 * wanted, with the scalars put back in between. */
#ifndef VERIFY_GIVEN_H
#define VERIFY_GIVEN_H

#include "flow.h"

typedef struct Given {
    int tries;                 /* steps taken back before each that counts */
    float *flow[3], *tried[3]; /* wanted at amplitude 1; and set */
    float *density;            /* as it was before a step that is taken back */
    double distance; /* largest seen: |flow that carried - wanted|, over the fastest wanted */
} Given;

/* The flow wanted is the simulation's present one. False, and the run is failed, without memory. */
bool given_start(VerifyRun *run, Given *given, BillowSim *sim);
/* Carries the density along amplitude times the flow. */
bool given_step(VerifyRun *run, Given *given, BillowSim *sim, double amplitude, double dt);
void given_finish(Given *given);

#endif
