/* SPDX-License-Identifier: MIT
 *
 * Floats to half precision, to the nearest, ties to even; what is too large to the largest half.
 * Drivers that rasterise on the CPU take four times as long for it. */
#ifndef RENDER_HALF_H
#define RENDER_HALF_H

#include <stddef.h>
#include <stdint.h>

void half_from_floats(const float *values, size_t count, uint16_t *out);
/* The same without the instructions that some processors have for it. */
void half_from_floats_plain(const float *values, size_t count, uint16_t *out);

#endif
