/* SPDX-License-Identifier: MIT */
#ifndef SIM_LIMIT_H
#define SIM_LIMIT_H

#include "constants.h"

/* Cut to both sides; what is no number stays none, for the account to see. */
static inline float limited(float value)
{
    float most = value > SCALAR_LIMIT ? SCALAR_LIMIT : value;
    return most < -SCALAR_LIMIT ? -SCALAR_LIMIT : most;
}

static inline float limited_speed(float value)
{
    float most = value > SPEED_LIMIT ? SPEED_LIMIT : value;
    return most < -SPEED_LIMIT ? -SPEED_LIMIT : most;
}

#endif
