/* SPDX-License-Identifier: MIT
 * What every table of parameters is used for: defaults and range checks. */
#ifndef BASE_PARAMETER_H
#define BASE_PARAMETER_H

#include <billow/parameter.h>

/* Numbers in a value: 1, 3 or 4. */
int parameter_parts(BillowType type);

/* Bytes of a value. */
size_t parameter_bytes(BillowType type);

/* One component of the value in the structure at base, as a number. */
double parameter_number(const BillowParameter *row, const void *base, int part);

/* Sets every value of the structure at base to its default; members without a row stay. */
void parameter_reset(const BillowParameter *rows, int count, void *base);

/* The first row of which a component lies outside its range or is not a number, with that
 * component's index; NULL where there is none. The limits are rounded to float as the values are.
 * Rotations are not looked at: their length counts, not their range. */
const BillowParameter *parameter_outside(const BillowParameter *rows, int count, const void *base,
                                         int *part);

#endif
