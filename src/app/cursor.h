/* SPDX-License-Identifier: MIT
 *
 * The brush as it is seen: a ball of lines where it is, and its shadow on the ground, which says
 * how deep it is. */
#ifndef APP_CURSOR_H
#define APP_CURSOR_H

#include "marks.h"

/* Nothing where the cursor is not over the box. */
void cursor_mark(const Brush *brush, Marks *marks);

#endif
