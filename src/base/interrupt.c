/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>

/* A signal handler has no other way to speak than a variable of the whole process. */
static volatile sig_atomic_t seen;

void interrupt_note(int number)
{
    seen = number;
}

int interrupt_seen(void)
{
    return seen;
}
