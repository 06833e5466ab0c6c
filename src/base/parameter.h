/* SPDX-License-Identifier: MIT
 * Defaults and range checks from a table of parameters. */
#ifndef BASE_PARAMETER_H
#define BASE_PARAMETER_H

#include <billow/parameter.h>

/* The rows that describe a structure. */
typedef struct ParameterTable {
    const BillowParameter *rows;
    int count;
} ParameterTable;

/* Number of components of a value: 1, 3 or 4. */
int parameter_parts(BillowType type);

/* Size of a value, bytes. */
size_t parameter_bytes(BillowType type);

/* Returns one component of the value of a row. base: the structure that holds the value. */
double parameter_number(const BillowParameter *row, const void *base, int part);

/* Sets every value of the structure at base to its default. Members without a row in the table do
 * not change. */
void parameter_reset(const BillowParameter *rows, int count, void *base);

/* Returns the first row with a component that is NaN or out of range, and writes the component's
 * index to *part. Returns NULL if all values are in range. The limits are rounded to float, because
 * the values are floats. Rotations are not checked: a quaternion is normalised, and its components
 * have no ranges. */
const BillowParameter *parameter_outside(const BillowParameter *rows, int count, const void *base,
                                         int *part);

#endif
