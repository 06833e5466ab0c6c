/* SPDX-License-Identifier: MIT
 *
 * Solids whose temperature is kept, as the diffusion of heat sees them (Gibou, Fedkiw, Cheng, Kang
 * 2002, "A second-order-accurate symmetric discretization of the Poisson equation on irregular
 * domains"): where the way from a cell's centre to its neighbour's leads through such a surface,
 *
 *     centre |-- theta --| surface       centre of the neighbour, inside
 *
 * the neighbour is replaced by the surface's temperature, theta of a cell away: the coupling is
 * 1 / theta. Cells of fluid whose centres lie inside are tied to that temperature as well. */
#ifndef SIM_HELD_H
#define SIM_HELD_H

#include "sim.h"

/* Whether any solid's temperature is kept. */
bool isothermal_any(const BillowSim *sim);

/* Notes what row (j, k) needs to know in work[1] and scalar_next. */
void isothermal_note_row(BillowSim *sim, int j, int k);

/* The cells of a colour in plane k that feel such a surface, once they have been relaxed as if
 * they did not. The planes around must have been noted. */
void isothermal_relax(const BillowSim *sim, const Level *level, int color, int k);

#endif
