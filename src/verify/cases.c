/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <stddef.h>

const VerifyCase *const verify_groups[] = {
    basic_cases, vortex_cases,  shear_cases, advection_cases, buoyant_cases, convection_cases,
    plume_cases, burning_cases, light_cases, color_cases,     cloud_cases,   NULL,
};
