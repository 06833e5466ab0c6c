/* SPDX-License-Identifier: MIT
 *
 * Constants of the solver that users cannot set, each with its reason. */
#ifndef SIM_CONSTANTS_H
#define SIM_CONSTANTS_H

/* Density of air, kg/m3. Converts the integral of |u|^2/2 to joules, and the stored pressure to
 * pascals. It affects nothing but bodies that float. */
#define AIR_DENSITY 1.2f

/* Guard in the direction of confinement, N = g / (|g| + guard * |omega|). g is the difference of
 * |omega| across two cells. Where |omega| hardly changes from cell to cell, N would be the
 * direction of rounding errors. 1e-3 fades confinement out where |omega| changes by less than a
 * thousandth across two cells, which happens in no visible eddy. */
#define CONFINEMENT_GUARD 1e-3f

/* Largest number of cells by which a substep may advect velocity. Faster fluid is slowed to that
 * speed. Strong confinement feeds eddies faster than advection smears them. Over hundreds of steps
 * their speed would reach infinity. Everyday substeps move fluid by less than 10 cells. */
#define SPEED_LIMIT_CELLS 1000.0

/* Largest component of the velocity after the pressure's gradient is subtracted, m/s. Extreme
 * confinement and buoyancy would otherwise make squares of speeds overflow. */
#define SPEED_LIMIT 1e9f

/* Guard in the direction of shredding, N = g / (|g| + guard * |T|). g is the difference of the
 * temperature T across two cells. Where T hardly changes from cell to cell, N would be the
 * direction of rounding errors. 1e-3 fades shredding out within a body of gas whose temperature is
 * even. */
#define SHREDDING_GUARD 1e-3f

/* Largest distance by which shredding transports velocity in a substep, cells. The explicit step
 * amplifies waves of four cells by the root of 1 + distance^2 per substep; with 0.25 that is 3 %,
 * which advection smears again. */
#define SHREDDING_CELLS_MOST 0.25f

/* Root mean square of one octave of noise. The strength of disturbance is divided by it. With
 * lattice values of variance 1/3 and the smooth step f(u) = u^2 (3 - 2u) in four dimensions it is
 * the root of 1/3 * (2<f^2>)^4 = 1/3 * (26/35)^4, where 2<f^2> stands for <f^2> + <(1 - f)^2>. */
#define NOISE_RMS 0.31860f

/* Bound of confinement's strength, in units of speed over cell size (forces.c). With larger values
 * noise grows in still air (billow verify confinement). The sharp kernel takes less. */
#define CONFINEMENT_SHARE       0.4f
#define CONFINEMENT_SHARE_SHARP 0.03f

/* Largest impulse of confinement, m/s: strength times substep times cell size. A larger one would
 * overflow when divided by the smallest denominator of N. */
#define CONFINEMENT_MOST 1e8f

/* Limit of density, fuel, colour and temperature (K). Values are clamped to it on release, burning
 * and compression. Without it, emitters and steps at the ends of their ranges would reach infinity
 * within some steps. At this limit, (T / 1000 K)^3 and the square of the speed that such heat
 * causes still fit a float. Everyday values are a millionth of the limit. */
#define SCALAR_LIMIT 1e9f

/* A side of an unbounded box moves if smoke could come within GROWTH_MARGIN cells of it in a step
 * as long as the last. The margin allows for flow that speeds up within that step, and keeps the
 * boundary's pressure of 0 away from the smoke. A side moves by a multiple of GROWTH_CELLS cells,
 * so that red-black relaxation keeps its colours and the grid can be halved four times. */
#define GROWTH_MARGIN 12
#define GROWTH_CELLS  16

/* Default of BillowDef.cells_max: so many times the cells that the box was created with, and at
 * least 128^3, which take about 0.3 GB. */
#define GROWTH_TIMES 8.0
#define GROWTH_LEAST 2097152.0

/* Number of sweeps between two checks of the residual against the tolerance. A check takes about as
 * long as a sweep. */
#define SWEEPS_PER_CHECK 8

/* Relaxation sweeps before and after the coarser levels' correction in a full multigrid cycle. With
 * 3 sweeps, two cycles starting from the last pressure reach a residual of 1e-3 in everyday flows.
 * With 2 sweeps it takes three cycles; the last takes fewer if that suffices (multigrid.c). */
#define SMOOTHING_SWEEPS 3

/* Conjugate gradients take over if a multigrid cycle leaves more than this share of the residual.
 * Everyday cycles leave a tenth. Slower convergence means that the coarser levels represent the
 * grid or the solids badly. */
#define CYCLE_SLOWEST 0.5

/* Conjugate gradients stop if an iteration makes the residual at least ASTRAY times larger, and if
 * before it the residual was at most ASTRAY_ROUNDING times the rounding of A x. The search
 * direction is then rounding, or the free constant of a closed box's pressure. A rise from a larger
 * residual is temporary, for example in a box with a small leak. */
#define ASTRAY          4
#define ASTRAY_ROUNDING 20

/* A solve starts from the last pressure, times the ratio of the two substeps' lengths, if that
 * ratio lies within 1 / START_RATIO_MAX..START_RATIO_MAX. A ratio outside this range would magnify
 * rounding errors too much, and the solve starts from zero. */
#define START_RATIO_MAX 100.0

/* The mean of a closed box's right-hand side is subtracted if it exceeds this share of the residual
 * that the solve may leave. A smaller mean is rounding. */
#define MEAN_SHARE 0.01

/* Substeps between two removals of the null space, which is the free constant of a closed region's
 * pressure. Rounding changes this constant by some thousandths per step, on a large grid by some
 * hundredths. Removing it takes half as long as a sweep. */
#define NULL_SPACE_STEPS 8

/* Levels with fewer cells than this are relaxed by one worker. That worker's sweep takes no longer
 * than a few barriers. Larger levels have at least WORKER_CELLS for each worker. */
#define ALONE_CELLS  2000.0
#define WORKER_CELLS 1000.0

/* Levels with fewer cells than this are not divided among ranks, which exchange more slowly than
 * workers. The first of them is balanced (multigrid.c). */
#define DIVIDED_CELLS 20000.0

/* Number of times that a waiting worker checks a barrier before it yields its core to other
 * programs. The checks take 10 to 50 microseconds. */
#define BARRIER_SPINS 1000

/* Rows are padded to a multiple of this many floats. With whole cache lines instead, fields take 6
 * % more memory at 128^3, and stages that the bandwidth limits take 5 % more time. */
#define ROW_PADDING 8

/* Floats in a cache line and in an AVX-512 vector. Arrays start at multiples of it. */
#define ROW_ALIGNMENT 16

/* Floats before a field that samplers may read: a vector and the taps before its first element. */
#define SAMPLE_LEAD (2 * ROW_ALIGNMENT)

/* Alignment of the arena, in bytes: the huge pages of x86-64 and most ARM systems. */
#define ARENA_ALIGNMENT ((size_t)2 << 20)

/* Emitters up to this radius, in cells, are normalised by the sum of their coverage over the cells.
 * For larger ones, the closed form of the ramp's bias is exact to 0.1 %. */
#define COVERAGE_SUM_CELLS 8.0f

/* Largest number of rows of cells over which the coverage of a general emitter (neither a sphere
 * nor an upright box) is summed. A thousand rows take a few milliseconds. Wider emitters are
 * normalised by the integral of their coverage. */
#define COVERAGE_SUM_ROWS 65536.0

/* Limits of conservative advection. In one step fluid moves by at most FLUX_CELLS cells along an
 * axis: in longer steps the smoke shows that the axes are swept one after the other. Between the
 * sweeps of a step the volume of a cell's fluid is at least 1 - FLUX_SHARE of the cell. A substep
 * is cut into as many steps as that takes, at most FLUX_STEPS_MAX. */
#define FLUX_CELLS     10.0
#define FLUX_SHARE     0.7
#define FLUX_STEPS_MAX 400

/* Smallest volume, in cells, to which the fluid of a cell is compressed along one axis. Only a flow
 * that the grid does not resolve reaches it. */
#define LEAST_VOLUME 0.05f

/* Conservative advection sets smaller values to 0. The tails of smoke, which no picture and no sum
 * of floats shows, would otherwise spread over the whole box and cost time there. */
#define LEAST_VALUE 1e-10f

/* Rounding can leave a cell that the flow empties with an amount just below 0. Conservative
 * advection sets a negative amount to 0 if it is smaller than this share of the amounts that were
 * added up to it. */
#define ROUNDING_SHARE 4e-7f

/* Advection around moving solids loses or gains mass. This is corrected in the cells within
 * GIVEN_REACH cells of a surface. A substep changes at most the share GIVEN_MOST of the mass in
 * those cells; everyday flows need a thousandth. */
#define GIVEN_REACH 3.0f
#define GIVEN_MOST  0.1

/* Root mean square of the curl of three components of one octave of noise, in the noise's units.
 * The strength of turbulence is divided by it. With lattice values of variance 1/3 and the smooth
 * step f(u) = u^2 (3 - 2u) in four dimensions it is the root of 3 * 2 * 1/3 * 2<f'^2> * (2<f^2>)^3
 * = 6 * 1/3 * 12/5 * (26/35)^3. */
#define CURL_NOISE_RMS 1.40277f

/* In a closed box, the emitters' expansions count as balanced if their sum is below this share of
 * the sum of their absolute values. The grid resolves the volume of a shape no better than that. */
#define BALANCE_SHARE 1e-3

/* Clamps a value to -SCALAR_LIMIT..SCALAR_LIMIT. NaN stays NaN, so that the statistics count it. */
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
