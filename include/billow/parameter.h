/* SPDX-License-Identifier: MIT
 *
 * BillowParameter: one row of the tables that describe every value a user can set. The library's
 * range checks and defaults, scene files, `--set`, the window's panel, the manual and the Python
 * module are all derived from these rows. They are the only place with a value's unit, range,
 * default and meaning. */
#ifndef BILLOW_PARAMETER_H
#define BILLOW_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

/* Type of a value in its structure, and how scene files write the value. */
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
    const char
        *name; /* of the member, such as "vorticity"; a path with dots for a member of a member */
    const char *key; /* path in scene files, such as "solver.vorticity"; NULL: not in scene files */
    BillowType type;
    size_t offset;              /* offset of the value in its structure, bytes */
    double least;               /* smallest value allowed, for each component */
    double most;                /* largest value allowed, for each component */
    double initial[4];          /* default, one number per component */
    const char *unit;           /* "" for numbers without a unit, switches and choices */
    const char *meaning;        /* one or two sentences, without the last full stop */
    const char *const *choices; /* words for the values 0, 1 and so on of a choice, ended by NULL;
                                   NULL for all other types */
    const char *const *former_choices; /* words of older scene files for the values 0, 1 and so
                                          on, "" where there is none, ended by NULL; NULL: none */
    const char *former;  /* name that older scene files use in place of the key's last part;
                            NULL: none */
    bool fixed; /* whether the value can only be set at creation; all others may change at any time
                 */
} BillowParameter;

#endif
