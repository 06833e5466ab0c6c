/* SPDX-License-Identifier: MIT
 * The cases, in groups, each closed by one without a name. */
#ifndef VERIFY_CASES_H
#define VERIFY_CASES_H

#include "verify.h"

extern const VerifyCase basic_cases[], vortex_cases[], advection_cases[], buoyant_cases[],
    shear_cases[], convection_cases[], plume_cases[], burning_cases[], light_cases[], color_cases[],
    cloud_cases[];

/* All of them; NULL past the last. */
extern const VerifyCase *const verify_groups[];

#endif
