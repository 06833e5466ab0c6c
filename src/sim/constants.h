/* SPDX-License-Identifier: MIT
 * Numbers that are choices rather than parameters, each with what it protects against. */
#ifndef SIM_CONSTANTS_H
#define SIM_CONSTANTS_H

#include "constants.h"

/* kg/m3; turns the integral of |u|2/2 into joules. Nothing in the dynamics depends on it. */
#define AIR_DENSITY 1.2f

/* Confinement's N = g / (|g| + guard * |omega| / h): where the vorticity's size hardly changes from
 * cell to cell, N would be the direction of rounding errors. 1e-3 fades it out below one part in a
 * thousand per cell, which no eddy worth keeping reaches. */
#define CONFINEMENT_GUARD 1e-3f

/* Cells a substep may carry velocity at most; what is faster is cut when it is advected. Strong
 * confinement feeds eddies faster than advection can smear them and would, over hundreds of steps,
 * run into infinity. No flow worth seeing moves this far in a step: everyday substeps are
 * below 10. */
#define SPEED_LIMIT_CELLS 1000.0

/* m/s; speeds are cut here where the pressure's gradient is taken off them: beyond, thousandfold
 * confinement and lift would not leave their squares floats. Three times the speed of light. */
#define SPEED_LIMIT 1e9f

/* m/s; confinement's strength times a substep and a cell: more, over the least that its N divides
 * by, is infinite. */
#define CONFINEMENT_MOST 1e8f

/* Density, kelvin, fuel and colours are cut here where they are released, burn or are squeezed
 * together: emitters and steps at the ends of their ranges would, over some steps, run into
 * infinity. Hot enough for (T / 1000 K)^3 and lift enough for the square of a speed to stay floats.
 * Nothing worth seeing is above a millionth of it. */
#define SCALAR_LIMIT 1e9f

/* Sweeps between two looks at the residual when a tolerance is set: a look costs about one sweep.
 */
#define SWEEPS_PER_CHECK 8

/* Relaxation sweeps before and after the coarser levels' correction in a multigrid cycle. With 3,
 * two cycles from the last pressure reach 1e-3 in everyday flows; with 2, three. */
#define SMOOTHING_SWEEPS 3

/* A cycle that leaves more than this share of the residual calls for conjugate gradients. Everyday
 * cycles leave a tenth; what is slower than a half is a grid, or solids, that the coarser levels do
 * not see well. */
#define CYCLE_SLOWEST 0.5

/* Where conjugate gradients make the residual so many times larger, having come down to so many
 * times what rounding makes of x, what they follow is rounding, or the constant that a closed box's
 * pressure is known but for. Above that they only take a detour, as around a leak. */
#define ASTRAY          4
#define ASTRAY_ROUNDING 20

/* The last pressure, times the ratio of the steps' lengths, is a start for the next while that
 * ratio lies within this factor of 1; beyond, what rounding left of it would be blown up. */
#define START_RATIO_MAX 100.0

/* The mean of a closed box's right-hand side is taken off where it is more than this share of the
 * residual that the solve may leave; below, it is rounding. */
#define MEAN_SHARE 0.01

/* Substeps between two times that the mean of a pressure that is known but for a constant is taken
 * off. Rounding lets it grow by some thousandths a step, a large grid's by some hundredths; doing
 * it costs as much as half a sweep. */
#define NULL_SPACE_STEPS 8

/* Cells below which one worker does a multigrid level alone: a sweep over them takes no longer than
 * a few barriers. */
#define ALONE_CELLS 20000.0

/* Looks around before a worker that waits offers its core to others; 10 to 50 microseconds. */
#define BARRIER_SPINS 1000

/* Floats a row starts aligned to: 64 bytes, one cache line and one AVX-512 vector. */
#define ROW_ALIGNMENT 16

/* Bytes the arena starts aligned to: the huge pages of x86-64 and most ARM systems. */
#define ARENA_ALIGNMENT ((size_t)2 << 20)

/* An emitter within this many cells' radius has its coverage summed and normalised; beyond, the
 * closed form of the ramp's bias is exact enough (below 0.1 %). */
#define COVERAGE_SUM_CELLS 8.0f

/* Rows of cells over which an emitter of another shape than ball and upright box has its coverage
 * summed; a thousand take a few milliseconds at most. Wider ones are normalised by the integral. */
#define COVERAGE_SUM_ROWS 65536.0

/* Conservative advection passes on a cell at most, and along one axis after the other makes the
 * fluid of a cell less by this share at most; in so many steps at most, beyond which it takes what
 * there is. */
#define FLUX_SHARE     0.9
#define FLUX_STEPS_MAX 400

/* The least volume that a cell's fluid is squeezed to along one axis alone: only where the flow is
 * not resolved at all. */
#define LEAST_VOLUME 0.05f

/* What moving solids owe is given back to the cells within so many cells of a surface, and at most
 * this share of what they hold in a substep: everyday ones want a thousandth. */
#define GIVEN_REACH 3.0f
#define GIVEN_MOST  0.1

/* Root of the mean square of the curl of three components of one octave of noise, in the noise's
 * units: what turbulence's strength is measured by. With lattice values of variance 1/3 and the
 * smooth step f(u) = u^2 (3 - 2u) in four dimensions it is the root of
 * 3 * 2 * 1/3 * 2<f'^2> * (2<f^2>)^3 = 6 * 1/3 * 12/5 * (26/35)^3. */
#define CURL_NOISE_RMS 1.40277f

/* In a box closed all round emitters balance each other where what is left is below this share of
 * what they make and take: a grid knows a shape's volume no better. */
#define BALANCE_SHARE 1e-3

/* Cut to both sides; what is no number stays none, for the statistics_update to see. */
static inline float limited(float value)
{
    float most = value > SCALAR_LIMIT ? SCALAR_LIMIT : value;
    return most < -SCALAR_LIMIT ? -SCALAR_LIMIT : most;
}

static inline float limited_speed(float value)
{
    float most = value > SPEED_LIMIT ? SPEED_LIMIT : value;
    return most < -SPEED_LIMIT ? -SPEED_LIMIT : most;
}

#endif
