/* SPDX-License-Identifier: MIT */
#include "bandwidth.h"

#include "clock.h"
#include "host.h"
#include "system.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { PASSES = 8 };

/* Values per array: together four times the last cache, within what is reasonable to touch. */
static ptrdiff_t array_length(void)
{
    uint64_t bytes = system_cache() * 4 / 3, available = host_memory_available();
    const uint64_t least = 64u << 20, most = 192u << 20;
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    if (available > 0 && bytes > available / 8)
        bytes = available / 8;
    return (ptrdiff_t)(bytes / sizeof(float));
}

static void fill(float *a, float *b, float *c, ptrdiff_t count, int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
    for (ptrdiff_t i = 0; i < count; i++) {
        a[i] = 0;
        b[i] = 1;
        c[i] = 2;
    }
}

static void triad(float *restrict a, const float *restrict b, const float *restrict c, float s,
                  ptrdiff_t count, int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = b[i] + s * c[i];
}

double bandwidth_triad(int threads)
{
    ptrdiff_t count = array_length();
    size_t bytes = (size_t)count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    double best = 0;
    if (count > 0 && a != NULL && b != NULL && c != NULL) {
        fill(a, b, c, count, threads);
        for (int pass = 0; pass < PASSES; pass++) {
            double start = clock_seconds();
            triad(a, b, c, (float)pass, count, threads);
            double seconds = clock_seconds() - start;
            double speed = seconds > 0 ? 3 * (double)bytes / seconds * 1e-9 : 0;
            /* Reading a result keeps the pass from being optimised away. */
            if (a[count / 2] == 1 + 2 * (float)pass && speed > best)
                best = speed;
        }
    }
    free(a);
    free(b);
    free(c);
    return best;
}
