/* SPDX-License-Identifier: MIT
 * One hash, whoever computes. Its users define _POSIX_C_SOURCE for setenv. */
#ifndef TESTS_HASH_FIXTURE_H
#define TESTS_HASH_FIXTURE_H

#include "plume_fixture.h"
#include "sim_fixture.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of the busy scene, changed by whoever asks (or NULL), after 12 steps on so many threads. */
static inline uint64_t busy_hash(int threads, void (*change)(BillowDef *def))
{
    BillowDef def = busy_def(threads);
    if (change != NULL)
        change(&def);
    BillowSim *sim = make(&def);
    for (int s = 0; s < 12; s++)
        billow_step(sim, 1.0 / 60);
    uint64_t hash = billow_state_hash(sim);
    assert_true(billow_stats(sim).nonfinite == 0 && billow_stats(sim).mass > 0);
    billow_destroy(sim);
    return hash;
}

static inline void assert_one_hash(void (*change)(BillowDef *def))
{
    const char *asked = getenv("BILLOW_SIMD"), *name;
    const int counts[] = {2, 3, 5, 8, 24};
    const uint64_t one = busy_hash(1, change);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        uint64_t hash = busy_hash(counts[c], change);
        if (hash != one)
            fail_msg("%d threads: %016" PRIx64 ", one: %016" PRIx64, counts[c], hash, one);
    }
    int tried = 0;
    for (int table = 0; (name = billow_simd_known(table)) != NULL; table++) {
        if (kernels_find(name) == NULL)
            continue;
        setenv("BILLOW_SIMD", name, 1);
        assert_string_equal(billow_simd(), name);
        uint64_t hash = busy_hash(2, change);
        if (hash != one)
            fail_msg("%s: %016" PRIx64 ", best: %016" PRIx64, name, hash, one);
        tried++;
    }
    asked != NULL ? setenv("BILLOW_SIMD", asked, 1) : unsetenv("BILLOW_SIMD");
    assert_true(tried >= 1);
}

#endif
