/* SPDX-License-Identifier: MIT
 *
 * Chooses the table of kernels for this machine's instruction set. */
#include "sim/kernels/kernels.h"

#include <billow/billow.h>
#include <stdlib.h>
#include <string.h>

#ifdef BILLOW_X86_KERNELS
extern const Kernels kernels_sse2, kernels_avx2, kernels_avx512;
#else
extern const Kernels kernels_generic;
#endif

static bool runs_here(const char *name)
{
#ifdef BILLOW_X86_KERNELS
    __builtin_cpu_init();
    if (strcmp(name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512cd");
    if (strcmp(name, "avx2") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
#endif
    (void)name;
    return true;
}

/* Best first. */
static const Kernels *const tables[] = {
#ifdef BILLOW_X86_KERNELS
    &kernels_avx512,
    &kernels_avx2,
    &kernels_sse2,
#else
    &kernels_generic,
#endif
};
#define TABLES (sizeof tables / sizeof tables[0])

const Kernels *kernels_find(const char *name)
{
    for (size_t t = 0; t < TABLES; t++)
        if (strcmp(tables[t]->name, name) == 0 && runs_here(name))
            return tables[t];
    return NULL;
}

const Kernels *kernels_pick(void)
{
    const char *wanted = getenv("BILLOW_SIMD");
    const Kernels *found = wanted != NULL ? kernels_find(wanted) : NULL;
    for (size_t t = 0; found == NULL && t < TABLES; t++)
        found = kernels_find(tables[t]->name);
    return found;
}

const Kernels *kernels_at(int index)
{
    return index >= 0 && (size_t)index < TABLES ? tables[index] : NULL;
}

const char *billow_simd_known(int index)
{
    const Kernels *table = kernels_at(index);
    return table != NULL ? table->name : NULL;
}

const char *billow_simd(void)
{
    return kernels_pick()->name;
}
