/* SPDX-License-Identifier: MIT
 *
 * The tables of all values of a definition. A new value needs its member in billow.h and a row
 * here: defaults, range checks, scene files, the panel, the manual and Python follow. */
#include <assert.h>
#include <billow/billow.h>

#include "sim/fields/region.h"
#include "sim/shapes/shape.h"

#define SOLVER(member)   .name = #member, .key = "solver." #member
#define FLUID(member)    .name = #member, .key = "fluid." #member
#define ENTRY(member)    .name = #member, .key = #member /* of a list's entry */
#define SPARK(member)    .name = "tracer_" #member, .key = "tracers." #member
#define LIBRARY(member)  .name = #member, .key = NULL /* a value that scene files do not contain */
#define PARAM(member)    offsetof(BillowParams, member)
#define DEF(member)      offsetof(BillowDef, member)
#define BOUNDARY(member) offsetof(BillowBoundary, member)
#define EMITTER(member)  offsetof(BillowEmitter, member)
#define SOLID(member)    offsetof(BillowSolid, member)
#define FORCE(member)    offsetof(BillowForce, member)

#define FLOAT    BILLOW_TYPE_FLOAT
#define DOUBLE   BILLOW_TYPE_DOUBLE
#define INT      BILLOW_TYPE_INT
#define UINT32   BILLOW_TYPE_UINT32
#define BOOL     BILLOW_TYPE_BOOL
#define CHOICE   BILLOW_TYPE_CHOICE
#define VECTOR   BILLOW_TYPE_VECTOR
#define SIZE     BILLOW_TYPE_SIZE
#define COLOR    BILLOW_TYPE_COLOR
#define ROTATION BILLOW_TYPE_ROTATION

#define SEED_MOST 4294967295.0
#define FOREVER   1e9 /* s */

/* -- words, in the order of the enumerations --------------------------------------------------- */

static const char *const advections[] = {"semi_lagrangian", "reflection", "conservative",
                                         "conservative_smooth", NULL};
static const char *const former_advections[] = {"", "maccormack", NULL};
static const char *const pressures[] = {"relaxation", "multigrid", "conjugate_gradients", NULL};
static const char *const profiles[] = {"uniform", "parabolic", NULL};
static const char *const motions[] = {"driven", "falling", NULL};
static const char *const force_kinds[] = {"wind", "vortex", "attractor", "turbulence", NULL};

#define SHAPE_WORD(shape, word, size)    word,
#define SHAPE_MEANING(shape, word, size) "; " word ": " size
static const char *const shapes[] = {SHAPES(SHAPE_WORD) NULL};
static const char *const faces[] = {"closed", "open", "no_slip", "inflow", "periodic", NULL};

/* -- rows: name, key, type, offset, least, most, default, unit, meaning ------------------------ */

/* clang-format off */
static const BillowParameter params[] = {
    {SOLVER(advection), CHOICE, PARAM(advection), BILLOW_SEMI_LAGRANGIAN,
     BILLOW_CONSERVATIVE_SMOOTH, {BILLOW_SEMI_LAGRANGIAN}, "",
     "advection scheme; reflection keeps edges and lets vortices live, needs two to four times the "
     "time and wants vorticity 0 to 2; conservative does the same with the velocity and changes the amounts of smoke and heat only by the divergence "
     "that the pressure solve leaves; conservative_smooth does the same with semi-Lagrangian "
     "velocity and tolerates more vorticity",
     .choices = advections, .former_choices = former_advections},
    {SOLVER(pressure), CHOICE, PARAM(pressure), BILLOW_RELAXATION, BILLOW_CONJUGATE_GRADIENTS,
     {BILLOW_MULTIGRID}, "",
     "pressure solver; multigrid and conjugate_gradients stop at solver.tolerance; relaxation "
     "runs solver.sweeps sweeps, as in Stam's method",
     .choices = pressures},
    {SOLVER(tolerance), FLOAT, PARAM(tolerance), BILLOW_TOLERANCE_MIN, 1, {1e-3}, "",
     "share of the divergence that a projection may leave, as a ratio of L2 norms"},
    {SOLVER(cycles), INT, PARAM(cycles), 1, 1000, {8}, "",
     "most multigrid cycles per projection"},
    {SOLVER(sweeps), INT, PARAM(sweeps), 1, 100000, {20}, "",
     "most relaxation sweeps per projection; the residual is checked after every 8; too few leave "
     "visible divergence"},
    {SOLVER(overrelaxation), FLOAT, PARAM(overrelaxation), 0.1, 1.98, {1.7}, "",
     "over-relaxation factor of the sweeps; 1 is Gauss-Seidel, about 1.7 converges fastest; the "
     "last sweep runs at 1"},
    {SOLVER(warm_start), BOOL, PARAM(warm_start), 0, 1, {1}, "",
     "whether a projection starts from the last step's pressure"},
    {SOLVER(cfl), FLOAT, PARAM(cfl), 0.1, 100, {4}, "cells",
     "largest displacement of the fluid in a substep"},
    {SOLVER(substeps_max), INT, PARAM(substeps_max), 1, 1000, {16}, "",
     "most substeps of a step; if it needs more, it stays stable and the statistics show a CFL "
     "number above the limit"},
    {SOLVER(vorticity), FLOAT, PARAM(vorticity), 0, 100, {4}, "1/s",
     "strength of vorticity confinement, which restores the curls that the grid smooths away; "
     "with reflection at most 2: grainy from 3, noise from 4 on"},
    {SOLVER(disturbance), FLOAT, PARAM(disturbance), 0, 1e4, {0}, "m/s2",
     "acceleration of smoke by noise, as root mean square along each axis, which breaks up large "
     "smooth shapes; it fades in clear air and where the flow has strong eddies; 0 takes no time"},
    {SOLVER(disturbance_size), FLOAT, PARAM(disturbance_size), 1e-3, 1e4, {0.1}, "m",
     "edge of the blocks of disturbance; below two cells it counts as two cells"},
    {SOLVER(disturbance_speed), FLOAT, PARAM(disturbance_speed), 0, 1e3, {4}, "1/s",
     "rate at which a block of disturbance changes"},
    {SOLVER(disturbance_density), FLOAT, PARAM(disturbance_density), 1e-6, 1e6, {0.1}, "",
     "density of smoke from which disturbance has its full strength"},
    {SOLVER(shredding), FLOAT, PARAM(shredding), 0, 1e4, {0}, "m/s",
     "speed at which the motion along the temperature's gradient spreads from hot to cold gas: it "
     "tears flames into streaks; full strength from fluid.ignition on; 0 takes no time"},
    {SOLVER(eddies), FLOAT, PARAM(eddies), 0, 4, {0}, "",
     "strength of eddies smaller than the wind's cells, which fold smoke finer than the wind "
     "(domain.refine) where the wind turns: their speed over |curl u| times the wind's cell, as far "
     "as the length of a step allows; 0.4 to 0.8 look like real smoke; needs a conservative "
     "advection; 0 takes no time"},
    {SOLVER(diffusion_sweeps), INT, PARAM(diffusion_sweeps), 1, 100000, {20}, "",
     "most relaxation sweeps per diffusive solve; fewer run where they suffice"},

    {FLUID(buoyancy), FLOAT, PARAM(buoyancy), -10, 10, {(double)(9.81f / 293.0f)}, "m/s2/K",
     "upward acceleration per kelvin above ambient: gravity over the ambient temperature"},
    {FLUID(weight), FLOAT, PARAM(weight), -100, 100, {0.1}, "m/s2",
     "downward acceleration per unit of smoke density"},
    {FLUID(viscosity), FLOAT, PARAM(viscosity), 0, 1e6, {0}, "m2/s",
     "kinematic viscosity; 0 skips its solve"},
    {FLUID(smoke_diffusion), FLOAT, PARAM(smoke_diffusion), 0, 1e6, {0}, "m2/s",
     "diffusivity of smoke; 0 skips its solve"},
    {FLUID(heat_diffusion), FLOAT, PARAM(heat_diffusion), 0, 1e6, {0}, "m2/s",
     "diffusivity of heat; 0 skips its solve"},
    {FLUID(dissipation), FLOAT, PARAM(dissipation), 0, 1e3, {0}, "1/s",
     "rate at which smoke vanishes, as exp(-rate t)"},
    {FLUID(cooling), FLOAT, PARAM(cooling), 0, 1e3, {0}, "1/s",
     "rate at which heat vanishes, as exp(-rate t)"},
    {FLUID(radiation), FLOAT, PARAM(radiation), 0, 1e3, {0}, "1/s",
     "rate at which gas at 1000 K loses heat by radiation; it grows with the third power of the "
     "temperature"},
    {FLUID(ignition), FLOAT, PARAM(ignition), 0, 1e4, {150}, "K",
     "temperature above ambient from which fuel burns"},
    {FLUID(burn_rate), FLOAT, PARAM(burn_rate), 0, 1e3, {4}, "1/s",
     "rate at which fuel burns up, as exp(-rate t)"},
    {FLUID(burn_rich), FLOAT, PARAM(burn_rich), 0, 1e6, {0}, "",
     "fuel density at which no air is left to burn it: flames then are sheets where fuel meets "
     "air; 0: fuel burns at any density"},
    {FLUID(burn_heat), FLOAT, PARAM(burn_heat), 0, 1e5, {1500}, "K",
     "temperature rise per unit of fuel burnt"},
    {FLUID(burn_smoke), FLOAT, PARAM(burn_smoke), 0, 1e3, {1}, "",
     "smoke density per unit of fuel burnt; black in a scene with colours"},
    {FLUID(burn_expansion), FLOAT, PARAM(burn_expansion), 0, 100, {0}, "",
     "volume made per volume and unit of fuel burnt; in a box with all faces closed the same "
     "volume is taken off everywhere alike"},

    {SPARK(sparks), FLOAT, PARAM(tracer_sparks), 0, 1e9, {0}, "1/m3",
     "particles that burning releases per unit of fuel and cubic metre; needs tracers.lag"},
    {SPARK(speed), FLOAT, PARAM(tracer_speed), 0, 1e4, {0}, "m/s",
     "largest speed at which a new particle leaves the gas around it, in any direction; needs "
     "tracers.lag"},
    {SPARK(life), FLOAT, PARAM(tracer_life), 0, 1e4, {0}, "s",
     "longest life of a particle; the shortest is 0.3 of it; 0: they do not end; needs "
     "tracers.lag"},
};

#define FACE(name, side, kind, meaning)                                                            \
    {"faces." name, "domain.faces." name, CHOICE, DEF(faces[side]), BILLOW_CLOSED,                 \
     BILLOW_PERIODIC, {kind}, "", meaning, .choices = faces, .fixed = true}

#define UNBOUNDED(name, side)                                                                      \
    {"unbounded." name, "domain.unbounded." name, BOOL, DEF(unbounded[side]), 0, 1, {0}, "",       \
     "whether this side, which must be open, moves outwards before smoke, fuel or heat reach it",  \
     .fixed = true}

static const BillowParameter def[] = {
    {LIBRARY(nx), INT, DEF(nx), BILLOW_GRID_MIN, BILLOW_GRID_MAX, {64}, "", "cells along x",
     .fixed = true},
    {LIBRARY(ny), INT, DEF(ny), BILLOW_GRID_MIN, BILLOW_GRID_MAX, {64}, "", "cells along y",
     .fixed = true},
    {LIBRARY(nz), INT, DEF(nz), BILLOW_GRID_MIN, BILLOW_GRID_MAX, {64}, "", "cells along z",
     .fixed = true},
    {LIBRARY(cell_size), FLOAT, DEF(cell_size), 1e-5, 1e4, {1.0 / 64}, "m", "edge of a cell",
     .fixed = true},
    {"refine", "domain.refine", INT, DEF(refine), 1, BILLOW_REFINE_MAX, {1}, "",
     "cells of smoke along an edge of a cell of wind: smoke, heat, fuel and colours are that much "
     "finer than the flow that carries them, which takes far less time than a finer flow",
     .fixed = true},
    {LIBRARY(origin), VECTOR, DEF(origin), -1e6, 1e6, {0, 0, 0}, "m",
     "the box's corner at the least x, y and z", .fixed = true},
    FACE("left", BILLOW_LEFT, BILLOW_CLOSED, "face at x = 0"),
    FACE("right", BILLOW_RIGHT, BILLOW_CLOSED, "face at x = size"),
    FACE("floor", BILLOW_FLOOR, BILLOW_CLOSED, "face at y = 0"),
    FACE("ceiling", BILLOW_CEILING, BILLOW_OPEN, "face at y = size"),
    FACE("back", BILLOW_BACK, BILLOW_CLOSED, "face at z = 0"),
    FACE("front", BILLOW_FRONT, BILLOW_CLOSED, "face at z = size"),
    UNBOUNDED("left", BILLOW_LEFT),
    UNBOUNDED("right", BILLOW_RIGHT),
    UNBOUNDED("floor", BILLOW_FLOOR),
    UNBOUNDED("ceiling", BILLOW_CEILING),
    UNBOUNDED("back", BILLOW_BACK),
    UNBOUNDED("front", BILLOW_FRONT),
    {"cells_max", "domain.cells_max", DOUBLE, DEF(cells_max), 0, 8589934592.0, {0}, "",
     "most cells to which an unbounded box grows; 0: 8 times those that it has at first, at "
     "least 128^3",
     .fixed = true},
    {LIBRARY(emitter_count), INT, DEF(emitter_count), 0, BILLOW_EMITTERS_MAX, {0}, "",
     "emitters in the list"},
    {LIBRARY(solid_count), INT, DEF(solid_count), 0, BILLOW_SOLIDS_MAX, {0}, "",
     "solids in the list", .fixed = true},
    {LIBRARY(force_count), INT, DEF(force_count), 0, BILLOW_FORCES_MAX, {0}, "",
     "forces in the list"},
    {"tracers", "tracers.count", INT, DEF(tracers), 0, BILLOW_TRACERS_MAX, {0}, "",
     "most particles that drift with the flow: emitters release them and the oldest make way; "
     "where no emitter does, as many all over the box, replaced where they leave it",
     .fixed = true},
    {SPARK(lag), FLOAT, DEF(tracer_lag), 0, 1e3, {0}, "s",
     "response time of sparks: particles with inertia and weight, whose velocity approaches that "
     "of the gas; they bounce off walls; 0: particles drift with the flow",
     .fixed = true},
    {FLUID(fire), BOOL, DEF(fire), 0, 1, {0}, "",
     "whether there is fuel that burns; without it fire takes neither time nor memory",
     .fixed = true},
    {FLUID(color), BOOL, DEF(color), 0, 1, {0}, "",
     "whether smoke has colours, which mix by mass; without them colour takes neither time nor "
     "memory", .fixed = true},
    {FLUID(age), BOOL, DEF(age), 0, 1, {0}, "",
     "whether the time since smoke was released is simulated, for files of `billow bake`; a ramp by "
     "age turns it on as well; without it age takes neither time nor memory", .fixed = true},
    {FLUID(texture_period), FLOAT, DEF(texture_period), 0, 1e4, {0}, "s",
     "time between resets of the advected texture coordinates, with which the folds of upres.factor "
     "drift; 0: there are none, and they take neither time nor memory", .former = "rest_period", .fixed = true},
    {LIBRARY(threads), INT, DEF(threads), 0, REGION_THREADS_MAX, {0}, "",
     "OpenMP threads; 0: as many as OpenMP offers, at most what the quota of the control group can use", .fixed = true},
    {LIBRARY(guarded), BOOL, DEF(guarded), 0, 1, {0}, "",
     "whether a step that makes an infinity or no number is undone; takes the memory of a second "
     "state and the time to write it once a step", .fixed = true},
};

static const BillowParameter boundary[] = {
    {ENTRY(velocity), VECTOR, BOUNDARY(velocity), -1e4, 1e4, {0, 0, 0}, "m/s",
     "velocity of an inflow, which must lead inwards, or of a no_slip wall along itself",
     .fixed = true},
    {ENTRY(profile), CHOICE, BOUNDARY(profile), BILLOW_UNIFORM, BILLOW_PARABOLIC, {BILLOW_UNIFORM},
     "", "profile of an inflow's velocity; parabolic is 0 at the face's edges",
     .choices = profiles, .fixed = true},
    {ENTRY(smoke), FLOAT, BOUNDARY(smoke), 0, 1e6, {0}, "",
     "density of the white smoke that an inflow brings", .fixed = true},
    {ENTRY(heat), FLOAT, BOUNDARY(heat), -1e6, 1e6, {0}, "K",
     "temperature above ambient of what an inflow brings", .fixed = true},
    {ENTRY(isothermal), BOOL, BOUNDARY(isothermal), 0, 1, {0}, "",
     "whether the wall keeps its temperature, which fluid.heat_diffusion brings to the fluid",
     .former = "held", .fixed = true},
    {ENTRY(temperature), FLOAT, BOUNDARY(temperature), -1e4, 1e4, {0}, "K",
     "temperature above ambient of an isothermal wall", .fixed = true},
};

static const BillowParameter emitter[] = {
    {ENTRY(shape), CHOICE, EMITTER(shape), 0, SHAPE_LAST, {BILLOW_SPHERE}, "",
     "shape of the region, and what size means for it" SHAPES(SHAPE_MEANING), .choices = shapes},
    {ENTRY(center), VECTOR, EMITTER(center), -1e6, 1e6, {0.5, 0.1, 0.5}, "m",
     "position of the centre; may lie outside the box"},
    {ENTRY(size), SIZE, EMITTER(size), 0, 1e4, {0.08, 0.08, 0.08}, "m",
     "radius, half extents or scale, as the shape says"},
    {ENTRY(rotation), ROTATION, EMITTER(rotation), -1e6, 1e6, {0, 0, 0, 1}, "",
     "orientation of the shape: around the axis [x, y, z] by so many degrees"},
    {ENTRY(smoke), FLOAT, EMITTER(smoke), 0, 1e6, {6}, "1/s",
     "smoke density released per second"},
    {ENTRY(color), COLOR, EMITTER(color), 0, 1, {1, 1, 1}, "",
     "colour of the released smoke, as the share of light it reflects; needs fluid.color"},
    {ENTRY(hue_speed), FLOAT, EMITTER(hue_speed), -100, 100, {0}, "turns/s",
     "turns of the colour wheel per second of simulated time, from color at 0 s; grey colours stay"},
    {ENTRY(heat), FLOAT, EMITTER(heat), -1e6, 1e6, {200}, "K/s",
     "temperature rise per second; negative cools"},
    {ENTRY(fuel), FLOAT, EMITTER(fuel), 0, 1e6, {0}, "1/s",
     "fuel released per second; needs fluid.fire"},
    {ENTRY(expansion), FLOAT, EMITTER(expansion), -1e3, 1e3, {0}, "1/s",
     "volume made per volume and second, with the density and heat found there; needs an open "
     "face, or emitters whose volumes cancel at every time"},
    {ENTRY(velocity), VECTOR, EMITTER(velocity), -1e4, 1e4, {0, 0, 0}, "m/s",
     "velocity that the fluid inside is driven to; needs grip"},
    {ENTRY(burst), FLOAT, EMITTER(burst), -1e4, 1e4, {0}, "m/s",
     "speed outwards from the centre, added to velocity; needs grip"},
    {ENTRY(grip), FLOAT, EMITTER(grip), 0, 1e6, {0}, "1/s",
     "rate at which the fluid inside approaches velocity; 0: not driven"},
    {ENTRY(tracers), FLOAT, EMITTER(tracers), 0, 1e8, {0}, "1/s",
     "particles released per second; needs tracers.count"},
    {ENTRY(noise), FLOAT, EMITTER(noise), 0, 4, {0}, "",
     "share of the rates that flickers in space and time"},
    {ENTRY(noise_scale), FLOAT, EMITTER(noise_scale), 1e-3, 1e4, {0.05}, "m",
     "size of the flickering patches"},
    {ENTRY(noise_speed), FLOAT, EMITTER(noise_speed), 0, 1e3, {4}, "1/s",
     "rate at which a patch changes"},
    {ENTRY(seed), UINT32, EMITTER(seed), 0, SEED_MOST, {1}, "",
     "seed of the noise; the same seed gives the same run"},
    {ENTRY(start), DOUBLE, EMITTER(start), 0, FOREVER, {0}, "s",
     "time from which it releases anything"},
    {ENTRY(end), DOUBLE, EMITTER(end), 0, FOREVER, {FOREVER}, "s",
     "time at which it stops; not before start"},
    {ENTRY(every), DOUBLE, EMITTER(every), 0, FOREVER, {0}, "s",
     "releases from start to end again every so many seconds; 0: once"},
};

static const BillowParameter solid[] = {
    {ENTRY(shape), CHOICE, SOLID(shape), 0, SHAPE_LAST, {BILLOW_SPHERE}, "",
     "shape, and what size means for it, as of an emitter", .choices = shapes},
    {ENTRY(center), VECTOR, SOLID(center), -1e6, 1e6, {0.5, 0.5, 0.5}, "m",
     "position of the centre at the start; may lie outside the box"},
    {ENTRY(size), SIZE, SOLID(size), 0, 1e4, {0.1, 0.1, 0.1}, "m",
     "size, as of an emitter; walls thinner than two cells may leak"},
    {ENTRY(rotation), ROTATION, SOLID(rotation), -1e6, 1e6, {0, 0, 0, 1}, "",
     "orientation at the start: around the axis [x, y, z] by so many degrees"},
    {ENTRY(velocity), VECTOR, SOLID(velocity), -1e4, 1e4, {0, 0, 0}, "m/s",
     "velocity; of a falling solid, at the start"},
    {ENTRY(spin), VECTOR, SOLID(spin), -1e3, 1e3, {0, 0, 0}, "rad/s",
     "angular velocity around the axes through its centre"},
    {ENTRY(motion), CHOICE, SOLID(motion), BILLOW_DRIVEN, BILLOW_FALLING, {BILLOW_DRIVEN}, "",
     "driven: it moves as velocity and spin or the timeline say; falling: gravity pulls it, the "
     "box's faces throw it back, and a sticky sphere rolls", .choices = motions},
    {ENTRY(gravity), FLOAT, SOLID(gravity), -1e3, 1e3, {9.81}, "m/s2",
     "downward acceleration of a falling solid"},
    {ENTRY(bounce), FLOAT, SOLID(bounce), 0, 1, {0.5}, "",
     "share of its speed that a falling solid keeps when it bounces"},
    {ENTRY(density), FLOAT, SOLID(density), 0, 1e5, {0}, "kg/m3",
     "density of a falling solid, which the air then carries and turns; air has 1.2; 0: the air "
     "does not move it"},
    {ENTRY(sticky), BOOL, SOLID(sticky), 0, 1, {0}, "",
     "whether the fluid at its surface moves with it (no-slip) instead of sliding along"},
    {ENTRY(isothermal), BOOL, SOLID(isothermal), 0, 1, {0}, "",
     "whether it keeps its temperature, which fluid.heat_diffusion brings to the fluid",
     .former = "held"},
    {ENTRY(temperature), FLOAT, SOLID(temperature), -1e4, 1e4, {0}, "K",
     "temperature above ambient of an isothermal solid"},
};

static const BillowParameter force[] = {
    {ENTRY(kind), CHOICE, FORCE(kind), BILLOW_WIND, BILLOW_TURBULENCE, {BILLOW_WIND}, "",
     "wind drives the fluid towards a velocity, vortex turns it around an axis, attractor draws "
     "it to a point, turbulence stirs it by noise without divergence", .choices = force_kinds},
    {ENTRY(center), VECTOR, FORCE(center), -1e6, 1e6, {0.5, 0.5, 0.5}, "m",
     "position of the centre; the force fades with the distance from it"},
    {ENTRY(radius), FLOAT, FORCE(radius), 0, 1e6, {0}, "m",
     "distance at which it has faded to exp(-1), of a vortex where it is strongest; 0: the same "
     "everywhere"},
    {ENTRY(velocity), VECTOR, FORCE(velocity), -1e4, 1e4, {0, 1, 0}, "m/s",
     "velocity of a wind; of a vortex the direction of its axis"},
    {ENTRY(strength), FLOAT, FORCE(strength), -1e4, 1e4, {0}, "m/s2",
     "acceleration; for a wind instead the rate, in 1/s and not below 0, at which the fluid "
     "approaches the wind's velocity"},
    {ENTRY(scale), FLOAT, FORCE(scale), 1e-3, 1e4, {0.1}, "m",
     "size of turbulence's eddies; below two cells it counts as two cells"},
    {ENTRY(speed), FLOAT, FORCE(speed), 0, 1e3, {1}, "1/s",
     "rate at which the eddies of turbulence change"},
    {ENTRY(seed), UINT32, FORCE(seed), 0, SEED_MOST, {1}, "",
     "seed of the eddies; the same seed gives the same run"},
    {ENTRY(start), DOUBLE, FORCE(start), 0, FOREVER, {0}, "s",
     "time from which it acts"},
    {ENTRY(end), DOUBLE, FORCE(end), 0, FOREVER, {FOREVER}, "s",
     "time at which it stops; not before start"},
};
/* clang-format on */

static const struct Table {
    const BillowParameter *rows;
    int count;
} tables[BILLOW_TABLES] = {
    [BILLOW_TABLE_DEF] = {def, sizeof def / sizeof def[0]},
    [BILLOW_TABLE_PARAMS] = {params, sizeof params / sizeof params[0]},
    [BILLOW_TABLE_BOUNDARY] = {boundary, sizeof boundary / sizeof boundary[0]},
    [BILLOW_TABLE_EMITTER] = {emitter, sizeof emitter / sizeof emitter[0]},
    [BILLOW_TABLE_SOLID] = {solid, sizeof solid / sizeof solid[0]},
    [BILLOW_TABLE_FORCE] = {force, sizeof force / sizeof force[0]},
};

const BillowParameter *billow_parameters(BillowTable table, int *count)
{
    assert(count != NULL);
    bool known = table >= 0 && table < BILLOW_TABLES;
    *count = known ? tables[table].count : 0;
    return known ? tables[table].rows : NULL;
}

const char *billow_pressure_name(BillowPressure pressure)
{
    return pressure >= BILLOW_RELAXATION && pressure <= BILLOW_CONJUGATE_GRADIENTS
               ? pressures[pressure]
               : "";
}
