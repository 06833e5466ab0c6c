/* SPDX-License-Identifier: MIT
 *
 * A simulation without a window that others join or watch: 'billow sim --serve'. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "cli/command.h"

typedef struct ServeDef {
    const char *address;  /* where to listen; NULL: for this machine alone */
    const char *key_file; /* file to write the session's key to; NULL: none */
    const char *name;     /* of this host; NULL: the user's */
    int steps;            /* after which it ends; 0: with a signal */
} ServeDef;

/* Plays the request's scene by the clock, shares it, and says who comes and leaves. Ends after the
 * steps, or with a signal. */
Status serve(const SceneRequest *request, const ServeDef *def, BillowError *error);

#endif
