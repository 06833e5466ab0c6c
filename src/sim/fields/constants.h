/* SPDX-License-Identifier: MIT
 *
 * Constants of the solver that users cannot set, each with its reason. */
#ifndef SIM_CONSTANTS_H
#define SIM_CONSTANTS_H

#include "constants.h"

/* Density of air, kg/m3; turns the integral of |u|^2/2 into joules. Nothing in the dynamics
 * depends on it. */
#define AIR_DENSITY 1.2f

/* Guard in the direction of confinement, N = g / (|g| + guard * |omega| / h). Where the size of
 * the vorticity hardly changes from cell to cell, N would be the direction of rounding errors.
 * 1e-3 fades confinement out where
 * the vorticity changes by less than a thousandth per cell, as in no visible eddy. */
#define CONFINEMENT_GUARD 1e-3f

/* Most cells that a substep may advect velocity by; faster fluid is cut to that speed. Strong
 * confinement feeds eddies faster than advection smears them and would, over hundreds of steps,
 * reach infinity. Everyday substeps move less than 10 cells. */
#define SPEED_LIMIT_CELLS 1000.0

/* Most speed left after the pressure's gradient is subtracted, m/s. At higher speeds extreme
 * confinement and buoyancy would make squares of speeds overflow. */
#define SPEED_LIMIT 1e9f

/* Most confinement impulse, m/s: strength times substep times cell size. More would overflow when
 * divided by the smallest denominator of N. */
#define CONFINEMENT_MOST 1e8f

/* Limit of density, fuel, colour and temperature (K). Values are clamped to it on release, burning
 * and compression. Without it, emitters and steps at the ends of their ranges would reach infinity
 * within some steps.
 * (T / 1000 K)^3 and the square of a speed caused by such heat still fit a float. Everyday values
 * are a millionth of it. */
#define SCALAR_LIMIT 1e9f

/* Number of sweeps between two checks of the residual against the tolerance. A check costs about
 * one sweep.
 */
#define SWEEPS_PER_CHECK 8

/* Relaxation sweeps before and after the coarser levels' correction in a multigrid cycle. With 3,
 * two cycles from the last pressure reach 1e-3 in everyday flows; with 2 it takes three. */
#define SMOOTHING_SWEEPS 3

/* Share of the residual that a multigrid cycle may leave before conjugate gradients take over.
 * Everyday cycles leave a tenth. Slower ones mean a grid, or solids, that the coarser levels
 * represent badly. */
#define CYCLE_SLOWEST 0.5

/* Conjugate gradients stop when an iteration makes the residual ASTRAY times larger and it was at
 * most ASTRAY_ROUNDING times the rounding of A x before. The search direction is
 * then rounding, or the free constant of a closed box's pressure. A rise from a larger residual is
 * temporary, for example in a box with a small leak. */
#define ASTRAY          4
#define ASTRAY_ROUNDING 20

/* The last pressure, times the ratio of the steps' lengths, is the start for the next solve while
 * that ratio lies within this factor of 1. Beyond this factor, rounding
 * errors would be magnified too much. */
#define START_RATIO_MAX 100.0

/* The mean of a closed box's right-hand side is subtracted where it exceeds this share of the
 * residual that the solve may leave. A smaller mean is rounding. */
#define MEAN_SHARE 0.01

/* Substeps between two removals of the null space: the free constant of a closed region's
 * pressure. Rounding lets it grow by some thousandths per step, on a large grid by some
 * hundredths. Removing it costs half a sweep. */
#define NULL_SPACE_STEPS 8

/* Levels of fewer cells than this are relaxed by one worker. A sweep over them takes no longer
 * than a few barriers. */
#define ALONE_CELLS 20000.0

/* Checks that a waiting worker makes before it offers its core to others; they take 10 to 50
 * microseconds. */
#define BARRIER_SPINS 1000

/* Alignment of rows, in floats: 64 bytes, which is one cache line and one AVX-512 vector. */
#define ROW_ALIGNMENT 16

/* Alignment of the arena, in bytes: the huge pages of x86-64 and most ARM systems. */
#define ARENA_ALIGNMENT ((size_t)2 << 20)

/* Emitters up to this radius, in cells, have their coverage summed and normalised. Beyond, the
 * closed form of the ramp's bias is exact to 0.1 %. */
#define COVERAGE_SUM_CELLS 8.0f

/* Most rows of cells over which the coverage of a general emitter (neither a sphere nor an upright
 * box) is summed; a thousand rows take a few milliseconds. Wider emitters are normalised by the
 * integral. */
#define COVERAGE_SUM_ROWS 65536.0

/* Limits of conservative advection. A step passes on at most the content of a cell and compresses
 * the fluid of a cell by at most FLUX_SHARE along one axis after the other. A substep is cut into
 * at most FLUX_STEPS_MAX such steps; beyond that fluxes are cut to what the cell holds. */
#define FLUX_SHARE     0.9
#define FLUX_STEPS_MAX 400

/* Least volume, in cells, that the fluid of a cell is compressed to along one axis. Only a flow
 * that the grid does not resolve reaches it. */
#define LEAST_VOLUME 0.05f

/* Mass that advection around moving solids lost or gained is corrected in the cells within
 * GIVEN_REACH cells of a surface. A substep corrects at most the share GIVEN_MOST of the mass in
 * those cells; everyday flows need a thousandth. */
#define GIVEN_REACH 3.0f
#define GIVEN_MOST  0.1

/* Root mean square of the curl of three components of one octave of noise, in the noise's units.
 * The strength of turbulence is divided by it. With lattice values of variance 1/3 and the smooth
 * step f(u) = u^2 (3 - 2u) in four dimensions it is the root of 3 * 2 * 1/3 * 2<f'^2> * (2<f^2>)^3
 * = 6 * 1/3 * 12/5 * (26/35)^3. */
#define CURL_NOISE_RMS 1.40277f

/* Emitters in a closed box balance each other where the rest is below this share of what they make
 * and take away. The grid resolves the volume of a shape no better than that. */
#define BALANCE_SHARE 1e-3

/* Cuts a value to -SCALAR_LIMIT..SCALAR_LIMIT. NaN stays NaN, so that the statistics see it. */
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
