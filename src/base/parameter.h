/* SPDX-License-Identifier: MIT
 * Defaults and range checks from a table of parameters. */
#ifndef BASE_PARAMETER_H
#define BASE_PARAMETER_H

#include <billow/parameter.h>

/* Number of components of a value: 1, 3 or 4. */
int parameter_parts(BillowType type);

/* Size of a value, bytes. */
size_t parameter_bytes(BillowType type);

/* One component of a value of the structure at base. */
double parameter_number(const BillowParameter *row, const void *base, int part);

/* Sets every value of the structure at base to its default. Members without a row do not change. */
void parameter_reset(const BillowParameter *rows, int count, void *base);

/* The first row with a component that is out of range or not a number; NULL if there is none. *part
 * becomes the index of that component. Limits are rounded to float, as values are. Rotations are
 * not checked, because a quaternion has a length instead of a range. */
const BillowParameter *parameter_outside(const BillowParameter *rows, int count, const void *base,
                                         int *part);

#endif
