/* SPDX-License-Identifier: MIT
 *
 * BillowParameter: one row of the tables that describe every value a user can set. The library's
 * range checks and defaults, scene files, `--set`, the window's panel, the manual and the Python
 * module are all made from these rows; a value's unit, range, default and meaning stand nowhere
 * else.
 */
#ifndef BILLOW_PARAMETER_H
#define BILLOW_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

/* How a value lies in its structure, and how scene files write it. */
typedef enum BillowType {
    BILLOW_TYPE_FLOAT,
    BILLOW_TYPE_DOUBLE,
    BILLOW_TYPE_INT,
    BILLOW_TYPE_UINT32,
    BILLOW_TYPE_BOOL,
    BILLOW_TYPE_CHOICE,  /* an enumeration; scene files write its word */
    BILLOW_TYPE_VECTOR,  /* float[3]: [x, y, z] */
    BILLOW_TYPE_SIZE,    /* float[3]: [x, y, z], or one number for all three */
    BILLOW_TYPE_COLOR,   /* float[3]: [red, green, blue] */
    BILLOW_TYPE_ROTATION /* float[4], a unit quaternion (x, y, z, w); scene files write
                            [x, y, z, degrees], an axis and an angle */
} BillowType;

typedef struct BillowParameter {
    const char *name; /* of the member, "vorticity"; with dots where it lies deeper */
    const char *key;  /* in scene files, "solver.vorticity"; NULL: scene files do not have it */
    BillowType type;
    size_t offset;              /* in its structure, bytes */
    double least;               /* smallest value allowed, of each component */
    double most;                /* largest value allowed, of each component */
    double initial[4];          /* default, one number a component */
    const char *unit;           /* "" for pure numbers, switches and choices */
    const char *meaning;        /* one sentence or two, without a full stop */
    const char *const *choices; /* words for the values 0, 1, ... of a choice, ended by NULL; NULL
                                   for all other types */
    const char *former;         /* name that older scene files use in place of the key's last part;
                                   NULL: none */
    bool fixed; /* whether the value is set at creation only; all others may change at any time */
} BillowParameter;

#endif
