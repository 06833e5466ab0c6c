/* SPDX-License-Identifier: MIT
 *
 * Massless particles that the flow carries. */
#ifndef SIM_TRACERS_H
#define SIM_TRACERS_H

#include <billow/billow.h>
#include <stddef.h>

typedef struct Tracers {
    float *place[3]; /* m; NULL without tracers */
    float *age;      /* s; below 0: none is here */
    uint64_t born;   /* by emitters, since the start; the next one takes the place born % count */
    double
        owed[2 * BILLOW_EMITTERS_MAX]; /* parts of one that emitters, and those queued, still owe */
} Tracers;

/* As at the start: all over the box, or none where emitters give them. */
void tracers_reset(BillowSim *sim);

/* Carries them for dt along the velocity as it is, and lets emitters give new ones. */
void tracers_carry(BillowSim *sim, double dt);

#endif
