/* SPDX-License-Identifier: MIT
 *
 * Whether the values of a definition are in range. Each check writes the message that the public
 * function gives and returns false when they are not. */
#ifndef SIM_DEF_H
#define SIM_DEF_H

#include <billow/billow.h>

bool def_check(const BillowDef *def, BillowError *error);
bool params_check(const BillowParams *params, BillowError *error);
bool solid_check(const BillowSolid *solid, int index, BillowError *error);
bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error);
bool force_check(const BillowForce *force, int index, BillowError *error);

/* The rotation and the volume of an emitter or solid, which `where` names: "solids[2].". */
bool shape_check(BillowShape shape, const float rotation[4], const BillowVolume *volume,
                 const char *where, BillowError *error);

/* Threads that a simulation of this definition uses. */
int def_threads(const BillowDef *def);

#endif
