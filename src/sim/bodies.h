/* SPDX-License-Identifier: MIT
 * What bodies must not do to each other (billow_overlapping, billow_buried), one pair at a time. */
#ifndef SIM_BODIES_H
#define SIM_BODIES_H

#include "shape.h"

/* Whether two solids go into each other by more than half a cell within the box, and where. */
bool bodies_overlap(const BillowDef *def, const BillowSolid *a, const BillowSolid *b,
                    double where[3]);
bool bodies_refuse_overlap(int first, int second, const double where[3], BillowError *error);

/* Whether one of the definition's emitters lies wholly inside a solid that stands still; the
 * message then. */
bool bodies_bury(const BillowDef *def, int emitter, BillowError *error);

/* Whether it takes another room than it did. */
bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now);
bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now);

#endif
