/* SPDX-License-Identifier: MIT
 *
 * The floating-point mode of a thread: rounding, flushing of tiny numbers to 0, traps. Results
 * depend on it, and it is the host's. Every public function that computes, and every thread that
 * the library starts, therefore begins with FLOAT_MODE_OWN:
 *
 *     double billow_sum(double a, double b)
 *     {
 *         FLOAT_MODE_OWN;
 *         return a + b;
 *     }
 *
 * The mode is the default one of C until the end of the block, however that is left. Then it is
 * the host's again, with the exceptions that the host had raised and no others. */
#ifndef BASE_FLOAT_MODE_H
#define BASE_FLOAT_MODE_H

#include <fenv.h>

/* Saves the present mode and sets the default one, which in the C libraries of Linux, macOS and
 * Windows includes gradual underflow, which C does not name. */
static inline void float_mode_enter(fenv_t *host)
{
    fegetenv(host);
    fesetenv(FE_DFL_ENV);
}

/* Sets a saved mode. */
static inline void float_mode_leave(const fenv_t *host)
{
    fesetenv(host);
}

#define FLOAT_MODE_OWN                                                                             \
    __attribute__((cleanup(float_mode_leave))) fenv_t host_mode;                                   \
    float_mode_enter(&host_mode)

#endif
