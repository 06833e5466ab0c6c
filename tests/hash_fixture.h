/* SPDX-License-Identifier: MIT
 * The same hash with any number of threads and any instruction set. Define _POSIX_C_SOURCE for
 * setenv. */
#ifndef TESTS_HASH_FIXTURE_H
#define TESTS_HASH_FIXTURE_H

#include "plume_fixture.h"
#include "sim_fixture.h"

#include <inttypes.h>
#include <stdlib.h>

/* The simulation of a definition after some steps. The caller destroys it. */
static inline BillowSim *run_of(const BillowDef *def, int steps, double dt)
{
    BillowSim *sim = make(def);
    for (int s = 0; s < steps; s++)
        billow_step(sim, dt);
    return sim;
}

static inline uint64_t hash_of_run(const BillowDef *def, int steps, double dt)
{
    BillowSim *sim = run_of(def, steps, dt);
    uint64_t hash = billow_state_hash(sim);
    assert_true(billow_stats(sim).nonfinite == 0);
    billow_destroy(sim);
    return hash;
}

/* The state hash of a definition after some steps, with the threads that it asks for. */
typedef uint64_t Hash(const BillowDef *def);

/* Fails unless one thread with the best instruction set gives the same hash as two and three
 * threads with each instruction set in turn. */
static inline void assert_one_hash_of(const BillowDef *def, Hash *hash_of)
{
    const char *asked = getenv("BILLOW_SIMD"), *names[16], *name;
    int sets = 0;
    for (int table = 0; (name = billow_simd_known(table)) != NULL; table++)
        if (kernels_find(name) != NULL)
            names[sets++] = name;
    assert_true(sets >= 1);
    BillowDef mine = *def;
    mine.threads = 1;
    const uint64_t one = hash_of(&mine);
    for (int run = 0; run < sets; run++) {
        mine.threads = 2 + run % 2;
        setenv("BILLOW_SIMD", names[run], 1);
        assert_string_equal(billow_simd(), names[run]);
        uint64_t hash = hash_of(&mine);
        if (hash != one)
            fail_msg("%d threads, %s: %016" PRIx64 ", one: %016" PRIx64, mine.threads, names[run],
                     hash, one);
    }
    asked != NULL ? setenv("BILLOW_SIMD", asked, 1) : unsetenv("BILLOW_SIMD");
}

static inline uint64_t busy_hash(const BillowDef *def)
{
    BillowSim *sim = run_of(def, 4, 1.0 / 60);
    uint64_t hash = billow_state_hash(sim);
    assert_true(billow_stats(sim).nonfinite == 0 && billow_stats(sim).mass > 0);
    billow_destroy(sim);
    return hash;
}

/* The same for the busy scene; change may be NULL. */
static inline void assert_one_hash(void (*change)(BillowDef *def))
{
    BillowDef def = busy_def(1);
    if (change != NULL)
        change(&def);
    assert_one_hash_of(&def, busy_hash);
}

#endif
