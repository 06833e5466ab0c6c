/* SPDX-License-Identifier: MIT
 *
 * Checks of the values of a definition. Each returns false, with a message, if a value is out of
 * its range. `index` is the position of the checked entry in its list; messages name it. */
#ifndef SIM_DEF_H
#define SIM_DEF_H

#include <billow/billow.h>

bool def_check(const BillowDef *def, BillowError *error);
bool params_check(const BillowParams *params, BillowError *error);
bool solid_check(const BillowSolid *solid, int index, BillowError *error);
bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error);
bool force_check(const BillowForce *force, int index, BillowError *error);

#endif
