/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

extern const Kernels KERNELS(kernels);
const Kernels KERNELS(kernels) = {
    .name = TEXT(KERNELS_SET),
    .advect = &KERNELS(advect),
    .forces = &KERNELS(forces),
    .project = &KERNELS(project),
    .relax = &KERNELS(relax),
    .statistics = &KERNELS(statistics),
    .combustion = &KERNELS(combustion),
    .flux = &KERNELS(flux),
};
