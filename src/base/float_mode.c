/* SPDX-License-Identifier: MIT */
#include "base/float_mode.h"

/* In the C libraries of Linux, macOS and Windows the default environment includes gradual
 * underflow, which C does not name. */
void float_mode_enter(fenv_t *host)
{
    fegetenv(host);
    fesetenv(FE_DFL_ENV);
}

void float_mode_leave(const fenv_t *host)
{
    fesetenv(host);
}
