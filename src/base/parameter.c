/* SPDX-License-Identifier: MIT
 *
 * Reads, resets and checks the values that a table of parameters describes. */
#include "base/parameter.h"

#include <stdint.h>
#include <string.h>

int parameter_parts(BillowType type)
{
    switch (type) {
    case BILLOW_TYPE_VECTOR:
    case BILLOW_TYPE_SIZE:
    case BILLOW_TYPE_COLOR:
        return 3;
    case BILLOW_TYPE_ROTATION:
        return 4;
    default:
        return 1;
    }
}

size_t parameter_bytes(BillowType type)
{
    switch (type) {
    case BILLOW_TYPE_DOUBLE:
        return sizeof(double);
    case BILLOW_TYPE_INT:
    case BILLOW_TYPE_CHOICE:
        return sizeof(int);
    case BILLOW_TYPE_UINT32:
        return sizeof(uint32_t);
    case BILLOW_TYPE_BOOL:
        return sizeof(bool);
    default:
        return (size_t)parameter_parts(type) * sizeof(float);
    }
}

double parameter_number(const BillowParameter *row, const void *base, int part)
{
    const char *at = (const char *)base + row->offset;
    int whole;
    switch (row->type) {
    case BILLOW_TYPE_DOUBLE:
        return *(const double *)at;
    case BILLOW_TYPE_INT:
    case BILLOW_TYPE_CHOICE: /* enumerations are stored as ints */
        memcpy(&whole, at, sizeof whole);
        return whole;
    case BILLOW_TYPE_UINT32:
        return *(const uint32_t *)at;
    case BILLOW_TYPE_BOOL:
        return *(const bool *)at;
    default:
        return (double)((const float *)at)[part];
    }
}

static void reset(const BillowParameter *row, void *base)
{
    char *at = (char *)base + row->offset;
    const double *initial = row->initial;
    int whole = (int)initial[0];
    switch (row->type) {
    case BILLOW_TYPE_DOUBLE:
        *(double *)at = initial[0];
        break;
    case BILLOW_TYPE_INT:
    case BILLOW_TYPE_CHOICE:
        memcpy(at, &whole, sizeof whole);
        break;
    case BILLOW_TYPE_UINT32:
        *(uint32_t *)at = (uint32_t)initial[0];
        break;
    case BILLOW_TYPE_BOOL:
        *(bool *)at = initial[0] != 0;
        break;
    default:
        for (int part = 0; part < parameter_parts(row->type); part++)
            ((float *)at)[part] = (float)initial[part];
    }
}

void parameter_reset(const BillowParameter *rows, int count, void *base)
{
    for (int row = 0; row < count; row++)
        reset(&rows[row], base);
}

const BillowParameter *parameter_outside(const BillowParameter *rows, int count, const void *base,
                                         int *part)
{
    for (int row = 0; row < count; row++) {
        BillowType type = rows[row].type;
        if (type == BILLOW_TYPE_ROTATION || type == BILLOW_TYPE_BOOL)
            continue;
        for (*part = 0; *part < parameter_parts(type); ++*part) {
            double value = parameter_number(&rows[row], base, *part);
            if (!(value >= (double)(float)rows[row].least &&
                  value <= (double)(float)rows[row].most))
                return &rows[row];
        }
    }
    return NULL;
}
