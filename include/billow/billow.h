/* SPDX-License-Identifier: MIT
 *
 * libbillow: smoke in a box of cubic cells, simulated on the CPU.
 *
 * DOES     solve the incompressible flow equations on a staggered grid (after Stam 1999 and 2003,
 *          and Fedkiw, Stam, Jensen 2001): emitters, semi-Lagrangian or MacCormack advection,
 *          buoyancy, vorticity confinement, implicit viscosity and diffusion, pressure projection
 *          by multigrid; fire; smoke of several colours; faces closed (free-slip or no-slip,
 *          heated, moving), open or letting fluid in; any nx x ny x nz from 8 up; OpenMP-parallel,
 *          and the same result to the bit at any thread count, with OpenMP off, and with any
 *          instruction set.
 * DOES NOT draw, read files, print, start threads of its own beyond OpenMP's team inside a call,
 *          or keep global state: two simulations can live in one process.
 *
 *     BillowDef def = billow_default_def();
 *     def.nx = def.ny = def.nz = 64;
 *     def.cell_size = 1.0f / 64;
 *     def.emitter_count = 1;
 *     def.emitters[0] = billow_default_emitter();
 *     BillowError error;
 *     BillowSim *sim = billow_create(&def, &error);
 *     if (sim == NULL) { fprintf(stderr, "%s\n", error.text); return 1; }
 *     for (int frame = 0; frame < 100; frame++) billow_step(sim, 1.0 / 60);
 *     BillowView view = billow_view(sim);              // read view.density and friends here
 *     billow_destroy(sim);
 *
 * Axes     x right, y up, z towards the viewer; the floor is y = origin[1].
 * Units    metres, seconds, kelvin above ambient. "density" is the smoke's concentration, a pure
 *          number: 1 is thick smoke; a renderer multiplies it by an extinction in 1/m.
 * Owner    billow_create allocates everything once; no other call allocates. Definitions and
 *          emitters are copied whole.
 * Threads  one simulation is used by one thread at a time; different simulations are independent.
 */
#ifndef BILLOW_BILLOW_H
#define BILLOW_BILLOW_H

#include <billow/error.h>
#include <billow/parameter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BILLOW_VERSION       "0.1.0"
#define BILLOW_EMITTERS_MAX  32
#define BILLOW_SOLIDS_MAX    16
#define BILLOW_FORCES_MAX    16
#define BILLOW_TRACERS_MAX   16777216
#define BILLOW_GRID_MIN      8
#define BILLOW_GRID_MAX      2048
#define BILLOW_STEP_MAX      1e4  /* s */
#define BILLOW_TOLERANCE_MIN 1e-7 /* single precision sees no smaller residuals */

/* The six faces of the box, in the order of BillowDef.faces. */
typedef enum BillowSide {
    BILLOW_LEFT, /* x = 0 */
    BILLOW_RIGHT,
    BILLOW_FLOOR, /* y = 0 */
    BILLOW_CEILING,
    BILLOW_BACK, /* z = 0 */
    BILLOW_FRONT,
    BILLOW_SIDES
} BillowSide;

typedef enum BillowFace {
    BILLOW_CLOSED,  /* free-slip wall: the fluid slides along it and nothing passes */
    BILLOW_OPEN,    /* pressure 0: fluid that leaves is gone, fluid that enters is ambient air */
    BILLOW_NO_SLIP, /* wall that the fluid sticks to; viscosity alone slows the fluid inside */
    BILLOW_INFLOW,  /* fluid enters at a given velocity, with smoke and heat; needs an open face */
    BILLOW_PERIODIC /* fluid that leaves enters on the opposite side. Both sides are periodic or
                       neither, with an even number of cells between them. Emitters do not continue
                       across */
} BillowFace;

/* A shape given by its distance field, in its own coordinates around (0, 0, 0). The caller keeps
 * the samples, unchanged, for as long as the simulation uses them. */
typedef struct BillowVolume {
    int nx, ny, nz;        /* samples per axis, at least 2 each */
    float low[3];          /* position of sample (0, 0, 0), m */
    float spacing;         /* distance from one sample to the next, m */
    const float *distance; /* m from the surface, negative inside, x innermost, without padding */
} BillowVolume;

typedef enum BillowInflowProfile {
    BILLOW_UNIFORM,
    BILLOW_PARABOLIC /* `velocity` in the middle of the face and 0 at its edges along both axes;
                        uniform along periodic axes */
} BillowInflowProfile;

/* Ranges and defaults of the values below stand in the tables that billow_parameters gives and
 * `billow scenes --keys` prints. Values outside their range are refused. */

/* What a face needs beside its kind. A value that a face of its kind does not use is refused unless
 * it has its default. */
typedef struct BillowBoundary {
    float velocity[3];           /* m/s; of an inflow, inwards, or of a no-slip wall along itself */
    BillowInflowProfile profile; /* of an inflow's velocity */
    float smoke;                 /* density of the white smoke that an inflow brings */
    float heat;                  /* temperature of what an inflow brings, K above ambient */
    bool isothermal;             /* whether a wall keeps its temperature */
    float temperature;           /* of an isothermal wall, K above ambient */
} BillowBoundary;

typedef enum BillowShape {
    BILLOW_SPHERE,   /* radius size[0] */
    BILLOW_BOX,      /* half extents size[0..2] */
    BILLOW_CYLINDER, /* around y: radius size[0], half length size[1]; a flat one is a disc */
    BILLOW_CAPSULE,  /* around y: radius size[0], half length size[1] between the balls' centres */
    BILLOW_TORUS,    /* around y: radius size[0] to the middle of the tube, size[1] of the tube */
    BILLOW_PLANE,    /* everything below y = 0 */
    BILLOW_VOLUME    /* a distance field scaled by size[0] */
} BillowShape;

typedef enum BillowMotion {
    BILLOW_DRIVEN, /* stays, or moves as billow_set_solids says */
    BILLOW_FALLING /* accelerated by gravity, bounces off the box's faces; a sticky sphere rolls */
} BillowMotion;

/* An obstacle. It turns around its centre. Walls should be at least two cells thick: thinner ones
 * may leak. */
typedef struct BillowSolid {
    BillowShape shape;
    float size[3];              /* m; see BillowShape */
    const BillowVolume *volume; /* of BILLOW_VOLUME; else NULL */
    float center[3];            /* m */
    float rotation[4];          /* unit quaternion (x, y, z, w) */
    float velocity[3]; /* m/s; seen by the fluid at its surface, and the initial velocity of
                          a falling solid; afterwards its mean over the last step */
    float spin[3];     /* rad/s around the axes through its centre */
    BillowMotion motion;
    float gravity;     /* downward acceleration of a falling solid, m/s2 */
    float bounce;      /* share of its speed that a falling solid keeps when it bounces */
    bool sticky;       /* no-slip: the fluid at its surface moves with it */
    bool isothermal;   /* whether it keeps its temperature, which heat_diffusion brings to
                          the fluid */
    float temperature; /* of an isothermal solid, K above ambient */
} BillowSolid;

/* A region that releases smoke, heat and momentum while start <= time < end.
 *
 * Amounts are rate x time, whatever the step and the grid: each cell's coverage by the shape is
 * measured, so that a shape smaller than a cell releases the right amount. */
typedef struct BillowEmitter {
    BillowShape shape;
    const BillowVolume *volume; /* of BILLOW_VOLUME; else NULL */
    float center[3];            /* m; may lie outside the box */
    float size[3];              /* m; see BillowShape */
    float rotation[4];          /* unit quaternion (x, y, z, w) */
    float smoke;                /* density released per second, 1/s */
    float color[3];             /* of that smoke, in simulations with colour */
    float heat;                 /* K/s; negative cools */
    float fuel;                 /* fuel released per second, in simulations with fire, 1/s */
    float expansion;   /* volume made per volume and second, with the density and heat found
                          there, 1/s; needs an open face, or emitters whose volumes cancel
                          at every time: see billow_unbalanced */
    float velocity[3]; /* velocity that the fluid inside is driven to, m/s */
    float burst;       /* speed outwards from the centre, added to velocity, m/s */
    float grip;        /* rate at which the fluid takes that velocity, 1/s; 0: not at all */
    float tracers;     /* particles released per second, in simulations with tracers, 1/s */
    float noise;       /* share of the rates that flickers in space and time */
    float noise_scale; /* size of the flickering patches, m */
    float noise_speed; /* rate at which a patch changes, 1/s */
    uint32_t seed;     /* of the noise; the same seed gives the same run */
    double start, end; /* s */
} BillowEmitter;

typedef enum BillowForceKind {
    BILLOW_WIND,      /* drives the fluid towards `velocity` at the rate `strength`, 1/s */
    BILLOW_VORTEX,    /* turns it around the axis `velocity` through the centre: `strength` m/s2 at
                         the radius, as 2x/(1 + x^2) at x radii; radius 0: the same everywhere */
    BILLOW_ATTRACTOR, /* draws it to the centre at `strength` m/s2; negative drives it away */
    BILLOW_TURBULENCE /* stirs it by noise without divergence, `strength` m/s2 root mean square */
} BillowForceKind;

/* A force on the fluid while start <= time < end. */
typedef struct BillowForce {
    BillowForceKind kind;
    float center[3];   /* m */
    float radius;      /* m; it fades as exp(-(r/radius)^2); 0: the same everywhere */
    float velocity[3]; /* of a wind, m/s; the direction of a vortex's axis */
    float strength;    /* see the kind */
    float scale;       /* size of turbulence's eddies, m; at least two cells count */
    float speed;       /* rate at which the eddies change, 1/s */
    uint32_t seed;     /* of the eddies */
    double start, end; /* s */
} BillowForce;

typedef enum BillowPressure {
    BILLOW_RELAXATION, /* red-black successive over-relaxation with six neighbours, as Stam's */
    BILLOW_MULTIGRID,  /* V-cycles of it over coarser and coarser grids, to a tolerance; where a
                          cycle removes less than half, conjugate gradients take over */
    BILLOW_CONJUGATE_GRADIENTS /* with a V-cycle as preconditioner, from the first cycle on */
} BillowPressure;

/* Advection scheme of velocity, smoke and heat. */
typedef enum BillowAdvection {
    BILLOW_SEMI_LAGRANGIAN, /* back along the flow, trilinear: first order, smooths */
    BILLOW_MACCORMACK,      /* semi-Lagrangian forwards and back for its error, and half of the
                               pressure ahead: second order in space and time away from boundaries,
                               no new extrema */
    BILLOW_CONSERVATIVE, /* velocity likewise; smoke, heat, fuel and colours by fluxes through the
                            cells' faces: second order, no new extrema, none made or lost. Its
                            time grows with speed: one pass per half cell of displacement */
    BILLOW_CONSERVATIVE_SMOOTH /* scalars likewise; velocity semi-Lagrangian, which tolerates more
                                  vorticity confinement */
} BillowAdvection;

/* Values that billow_set_params may change while a simulation runs. */
typedef struct BillowParams {
    float buoyancy;        /* upward acceleration per kelvin above ambient, m/s2/K */
    float weight;          /* downward acceleration per unit of density, m/s2 */
    float vorticity;       /* confinement strength, 1/s; above about 0.5/step it boils */
    float viscosity;       /* kinematic, m2/s; 0 skips its solve */
    float smoke_diffusion; /* m2/s; 0 skips its solve */
    float heat_diffusion;  /* m2/s; 0 skips its solve */
    float dissipation;     /* smoke vanishes as exp(-rate t), 1/s */
    float cooling;         /* heat vanishes as exp(-rate t), 1/s */
    float radiation;       /* additional cooling rate at 1000 K, as the third power of the
                              temperature (what hot soot radiates), 1/s */
    float ignition;        /* fuel burns from this temperature on, K above ambient */
    float burn_rate;       /* fuel burns up as exp(-rate t), 1/s */
    float burn_heat;       /* K per unit of fuel burnt */
    float burn_smoke;      /* density per unit of fuel burnt; black where smoke has colours */
    float burn_expansion;  /* volume made per volume and unit of fuel burnt; in a box whose faces
                              are all closed the same volume is taken off everywhere alike */
    float cfl;             /* farthest that fluid may move in a substep, cells */
    int substeps_max;      /* most substeps per step. Their number follows from the speed at the
                              step's start: where this limit binds, or the flow speeds up within a
                              step, the step stays stable and the statistics show a CFL number
                              above the limit */
    BillowAdvection advection; /* MacCormack keeps edges and eddies, takes about twice advection's
                                  time and no memory, and wants vorticity 0 to 2: more boils into
                                  noise of a cell's size */
    BillowPressure pressure;
    int cycles;           /* most multigrid cycles per projection */
    float tolerance;      /* share of the divergence that a projection may leave, as L2 norms */
    int sweeps;           /* most relaxation sweeps per projection; the residual is checked
                             after every 8 */
    float overrelaxation; /* 1 is Gauss-Seidel; the last of `sweeps` runs at 1 */
    bool warm_start;      /* whether a projection starts from the last pressure */
    int diffusion_sweeps; /* relaxation sweeps per diffusive solve */
} BillowParams;

typedef struct BillowDef {
    int nx, ny, nz;                 /* cells per axis */
    float cell_size;                /* edge of a cell, m */
    float origin[3];                /* corner at the least x, y and z, m */
    BillowFace faces[BILLOW_SIDES]; /* by default the ceiling is open and all others are closed */
    BillowBoundary boundaries[BILLOW_SIDES];
    BillowParams params;
    BillowEmitter emitters[BILLOW_EMITTERS_MAX];
    int emitter_count;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    int solid_count;
    BillowForce forces[BILLOW_FORCES_MAX];
    int force_count;
    bool fire;    /* whether there is fuel that burns; without it fire takes neither time nor
                     memory */
    bool color;   /* whether smoke has colours, which mix by mass; without them colour takes
                     neither time nor memory */
    int tracers;  /* most massless particles that the flow advects. Emitters release them, and a new
                     one replaces the oldest. If no emitter releases any, that many fill the box, and
                     each gets a new place when it leaves the box or enters a solid */
    int threads;  /* OpenMP threads; 0: as many as OpenMP offers */
    bool guarded; /* whether a step that makes an infinity or no number is undone (see
                     billow_step); takes the memory of a second state and the time to write it
                     once a step */
    float texture_period; /* time between resets of the advected texture coordinates, s; two sets
                             take turns, see BillowView.texture; 0: there are none */
} BillowDef;

/* A read-only look at the fields, valid until the next call that takes the simulation.
 *
 * Cell (i, j, k), 0 <= i < nx and so on, of a scalar is at [i + j*stride_y + k*stride_z]; its
 * centre lies at origin + (i+0.5, j+0.5, k+0.5) * cell_size. Velocity is staggered: u[i, j, k] is
 * the x-component in the middle of the face between cells i-1 and i, 0 <= i <= nx; v and w
 * likewise. */
typedef struct BillowView {
    int nx, ny, nz;
    ptrdiff_t stride_y, stride_z; /* in floats; the stride along x is 1 */
    float cell_size;
    float origin[3];
    double time; /* s simulated */
    const float *density;
    const float *temperature; /* K above ambient */
    const float *color[3];    /* density times its colour: red, green, blue; NULL without colour */
    const float *fuel;        /* NULL without fire */
    const float *flame; /* fuel burnt per second in the last substep, before advection, 1/s; NULL
                           without fire */
    const float *u, *v, *w;   /* m/s; NULL if the view has no velocity */
    const float *pressure[2]; /* of cell (i, j, k), where i+j+k is even in the first and odd in the
                                 second, at [i/2 + j*pressure_stride_y + k*pressure_stride_z]; NULL
                                 if the view has none */
    ptrdiff_t pressure_stride_y, pressure_stride_z;
    float pressure_unit; /* factor from the values of `pressure` to Pa, for air; 0 before the first
                            step. The pressure is that of the last substep's projection, relative to
                            the air outside; in a closed box its mean is 0 */
    const float *solid;  /* distance from the nearest solid's surface, in cells, negative
                            inside, cut off at 8 to either side; at the cells' low corners,
                            0 <= i <= nx and so on; NULL without solids */
    uint64_t solid_version; /* changes when they move */

    const float *tracer[3];  /* positions of tracers, x, y and z, m; NULL without tracers */
    const float *tracer_age; /* s; negative in unused entries, whose positions are not valid */
    int tracer_count;

    const float *texture[2][3]; /* displacement of the fluid in each cell since the set's last
                                reset, by set and axis, m; NULL without texture coordinates */
    float texture_weight[2]; /* weight of each set; they add up to 1. A set's weight is 0 around its
                             reset */
} BillowView;

/* Where the values of a field stand. */
typedef enum BillowPlace {
    BILLOW_AT_CENTRES,  /* cell centres, 0 <= i < nx and so on */
    BILLOW_AT_FACES,    /* component a on the faces across axis a: u, v and w of BillowView */
    BILLOW_AT_CORNERS,  /* low corners of the cells, 0 <= i <= nx and so on */
    BILLOW_CHECKERBOARD /* cell centres, even and odd cells apart: pressure of BillowView */
} BillowPlace;

/* One field of a view, described well enough to copy, average, export or plot it by a loop over the
 * list instead of a line per field. */
typedef struct BillowField {
    const char *name;    /* "temperature"; lives as long as the program, as unit and meaning */
    const char *unit;    /* "K"; "1" for a pure number */
    const char *meaning; /* a few words */
    BillowPlace place;
    int components; /* 1, or 3 of a vector or a colour */
    int arrays;     /* pointers in values: the components, or 2 of a checkerboard */
    bool amount; /* an amount per volume. A mean over cells counts those outside the box as 0. Other
                    fields are averaged over the cells inside the box only */
    bool drawn;  /* renderers read it */
    float negligible; /* in the field's unit; sparse files leave out smaller values; 0: the field is
                         not exported */
    const float *values[3]; /* laid out as in BillowView; NULL from billow_list_fields_of */
    size_t offset; /* offset of values[0] in BillowView, bytes; the other pointers follow it */
} BillowField;

#define BILLOW_FIELDS_MAX 16

/* Lists the fields of a view, and returns their number. The order is always the same. */
int billow_list_fields(const BillowView *view, BillowField fields[BILLOW_FIELDS_MAX]);
/* Lists the fields that a simulation of this definition will have. Their `values` are NULL. */
int billow_list_fields_of(const BillowDef *def, BillowField fields[BILLOW_FIELDS_MAX]);
/* Points a view to other values of a field, as a copy needs. NULL takes the field out of the view.
 */
void billow_set_field(BillowView *view, const BillowField *field, const float *values[3]);

/* The stages of a step, in order. billow_stage_name gives their names. */
typedef enum BillowStage {
    BILLOW_STAGE_SOURCES,
    BILLOW_STAGE_ADVECT_VELOCITY,
    BILLOW_STAGE_FORCES,
    BILLOW_STAGE_DIFFUSE_VELOCITY,
    BILLOW_STAGE_BOUNDARIES,
    BILLOW_STAGE_COMBUSTION, /* before the projection, which needs its expansion */
    BILLOW_STAGE_PROJECT,
    BILLOW_STAGE_ADVECT_SCALARS,
    BILLOW_STAGE_ACCOUNT,
    BILLOW_STAGES
} BillowStage;

/* Time that the stages of the last billow_step took, summed over its substeps. */
typedef struct BillowProfile {
    double ms[BILLOW_STAGES];
    double total_ms;
    double bytes; /* least memory traffic of the step's algorithm, each pass reading and writing its
                     arrays once; divided by total_ms it is the effective bandwidth */
} BillowProfile;

/* Statistics of the state that the last billow_step left. */
typedef struct BillowStats {
    double time;              /* simulated, s */
    uint64_t steps, substeps; /* since creation */
    double mass;              /* density integrated over the box, m3 */
    double mass_sources;      /* mass since creation from emitters, their expansion, burning and
                                 writes through billow_fields, m3 */
    double mass_outflow;      /* mass since creation that left through open faces, less what inflows
                                 brought, m3 */
    double mass_dissipated;   /* mass since creation that dissipation removed, m3 */
    double mass_drift;      /* mass unaccounted for by the three above, m3: advection and diffusion
                               conserve mass only nearly */
    double heat;            /* temperature integrated over the box, K m3 */
    double color[3];        /* density times its colour integrated, m3; 0 without colour */
    double fuel;            /* fuel integrated, m3; 0 without fire */
    double expansion;       /* volume that emitters and burning made in the last substep, m3/s */
    double outflow;         /* volume that left through the box's faces in the last substep, m3/s;
                               negative: entered. It equals expansion up to
                               the residual of the projection, but is 0 in a box with all faces
                               closed */
    double kinetic_energy;  /* of air of 1.2 kg/m3, J */
    double speed_max;       /* m/s */
    double density_max;     /* of the finite cells, as are the other maxima; at least 0 */
    double temperature_max; /* K above ambient; at least 0 */
    double divergence_max;  /* largest |div u - expansion| of a cell, 1/s */
    double residual_relative; /* L2 norm of div u - expansion after the last projection, divided by
                                 that before it */
    BillowPressure pressure;  /* solver of the last projection */
    int cycles;               /* sweeps or cycles of the last projection */
    double cfl;               /* cells that the fastest fluid travels in one substep */
    int last_substeps;        /* substeps of the last step */
    uint64_t nonfinite;       /* cells that hold no finite number; 0 in health */
} BillowStats;

/* The tables of values. Each names the structure that a row's offset refers to. */
typedef enum BillowTable {
    BILLOW_TABLE_DEF, /* BillowDef's own members */
    BILLOW_TABLE_PARAMS,
    BILLOW_TABLE_BOUNDARY,
    BILLOW_TABLE_EMITTER,
    BILLOW_TABLE_SOLID,
    BILLOW_TABLE_FORCE,
    BILLOW_TABLES
} BillowTable;

/* The rows of a table and their number: unit, range, default and meaning of every value below. */
const BillowParameter *billow_parameters(BillowTable table, int *count);

typedef struct BillowSim BillowSim;

BillowDef billow_default_def(void);
BillowParams billow_default_params(void);
BillowEmitter billow_default_emitter(void);
BillowSolid billow_default_solid(void);
BillowForce billow_default_force(void);

/* Bytes that billow_create will ask for; 0 where the grid's axes are out of range. */
size_t billow_bytes_needed(const BillowDef *def);

/* Whether the faces and boundaries agree with each other and with the grid. On failure the message
 * is the one of billow_create. */
bool billow_check_faces(const BillowDef *def, BillowError *error);

/* Checks that volume can leave: in a box whose faces are all closed, what the emitters' expansions
 * make must cancel at every time, to a thousandth of it. Expansion that flickers by noise cannot be
 * balanced. Returns the index of the emitter at fault, with the message of billow_create; -1 where
 * nothing is wrong. */
int billow_unbalanced(const BillowDef *def, BillowError *error);

/* Three checks of shapes and sizes that billow_create would take; each gives its message.
 *
 * billow_overlapping: solids may touch and overlap by half a cell, not more inside the box. Returns
 * the first solid that overlaps one before it; -1 where none does.
 *
 * billow_buried: no emitter may lie wholly, and deeper than half a cell, inside solids that stand
 * still. Returns its index; -1 where none does.
 *
 * billow_shut: solids that stand still must leave open a part of every inflow face, and of some
 * open face through which the fluid can leave. Returns the inflow face at fault; -1 if there is
 * none.
 */
int billow_overlapping(const BillowDef *def, BillowError *error);
int billow_buried(const BillowDef *def, BillowError *error);
int billow_shut(const BillowDef *def, BillowError *error);

/* A likely mistake in a definition that billow_create accepts. */
typedef struct BillowNotice {
    BillowError text;
    int emitter, solid; /* index of the emitter or solid at fault; -1 if it is none */
} BillowNotice;

/* Writes the first `most` notices on a definition that billow_create accepts, and returns
 * their number: walls thinner than a cell, which leak; fuel that nothing is hot enough to ignite;
 * fire that expands in a box whose faces are all closed. */
int billow_notices(const BillowDef *def, BillowNotice *notices, int most);

/* Creates a simulation at rest, with ambient air everywhere. Returns NULL and a message if a value
 * is out of range, the emitters are unbalanced or buried, solids overlap or memory is short. */
BillowSim *billow_create(const BillowDef *def, BillowError *error);
void billow_destroy(BillowSim *sim); /* NULL is fine */

/* Resets the simulation to rest and time 0, as after billow_create. Parameters, emitters and forces
 * stay. */
void billow_reset(BillowSim *sim);

/* Advances by exactly dt seconds in equal substeps, as many as params.cfl asks for. Everyday steps
 * are 1/120 to 1/24 s.
 *
 * True where all is well. False, and the reason in billow_error, in three cases:
 * - dt is outside 0 < dt <= BILLOW_STEP_MAX. Nothing is done.
 * - A value written through billow_fields is infinite or not a number. Nothing is done, so that it
 *   can be mended.
 * - A value becomes so within the step. No input in range makes this happen: releases are limited
 * to 1e9 and speeds to 1e9 m/s. With BillowDef.guarded the state from before the step is restored,
 *   with what was queued for it; otherwise the fields are left as they came out. */
bool billow_step(BillowSim *sim, double dt);

/* Why the last step failed, in one line: field and cell, and in a guarded simulation stage and
 * substep; "" where all is well. Valid until the next step, billow_reset or billow_load_state. */
const char *billow_error(const BillowSim *sim);

/* Advances by elapsed seconds of the caller's clock: as many whole steps of length dt as fit, at
 * most steps_max. The remainder is added to the next call's time, so that the clocks never drift.
 * When steps_max binds, the excess is dropped: a slow machine slows down. Returns the steps taken;
 * stops before a step that billow_step refuses. */
int billow_advance(BillowSim *sim, double elapsed, double dt, int steps_max);

/* Replace parameters, emitters or forces. On failure (a value out of range, unbalanced emitters, an
 * emitter moved to where it is buried) nothing changes. */
bool billow_set_params(BillowSim *sim, const BillowParams *params, BillowError *error);
bool billow_set_emitters(BillowSim *sim, const BillowEmitter *emitters, int count,
                         BillowError *error);
bool billow_set_forces(BillowSim *sim, const BillowForce *forces, int count, BillowError *error);

/* Gives solids new positions and velocities, from which the next steps move them; count is the
 * definition's. On failure (a value out of range, solids that overlap and did not
 * before) nothing changes. Solids that meet as they move are allowed. */
bool billow_set_solids(BillowSim *sim, const BillowSolid *solids, int count, BillowError *error);

/* Sets the solids that billow_reset restores, at first the definition's; count is the definition's.
 * On failure nothing changes. */
bool billow_set_first_solids(BillowSim *sim, const BillowSolid *solids, int count,
                             BillowError *error);

/* A solid as it is now; NULL past the last. */
const BillowSolid *billow_solid(const BillowSim *sim, int index);

/* Distance from a point to a solid's surface, m; negative inside. For volumes it is as exact as
 * their samples. */
double billow_solid_distance(const BillowSolid *solid, const double point[3]);

/* Adds an emitter for the next step only, whatever its start and end (a brush, a detonation spread
 * over steps). False, and nothing is added, when it is out of range, when BILLOW_EMITTERS_MAX are
 * queued, and when its expansion is not 0 though all faces are closed. */
bool billow_emit(BillowSim *sim, const BillowEmitter *emitter);

/* Adds a force for the next step only, whatever its start and end. False, and nothing is added,
 * when it is out of range and when BILLOW_FORCES_MAX are queued. */
bool billow_push(BillowSim *sim, const BillowForce *force);

BillowParams billow_params(const BillowSim *sim);
BillowView billow_view(const BillowSim *sim);
BillowStats billow_stats(const BillowSim *sim);
BillowProfile billow_profile(const BillowSim *sim);
const char *billow_stage_name(BillowStage stage); /* "advect_velocity" and so on */
size_t billow_bytes(const BillowSim *sim);        /* memory of the simulation, bytes */
int billow_threads(const BillowSim *sim);         /* threads a step uses */

/* 64 bits over every value of every field, the time and the remainder of billow_advance: equal
 * states give equal hashes on any machine of one byte order. */
uint64_t billow_state_hash(const BillowSim *sim);
/* "relaxation", "multigrid", "conjugate_gradients" */
const char *billow_pressure_name(BillowPressure pressure);

/* The state as bytes: all that the next steps depend on beside the definition and what was set
 * since (parameters, emitters, forces), which stay as they are. Loaded into a simulation of the
 * same definition, this one or another, with any number of threads and any instruction set, it
 * continues to the same hashes. Little-endian, with a version: good for files.
 *
 * billow_save_state writes billow_state_bytes bytes, the same number for every state of a
 * definition: fields, pressure, solids with their motion, tracers, clocks, statistics with their
 * running sums, and what billow_emit and billow_push queued. Volumes are not saved: those of the
 * simulation that loads the state take their place, and a queued emitter whose volume that
 * definition lacks is left out.
 *
 * billow_load_state returns false with the reason, and changes nothing, where a state is damaged or
 * that of another grid, box, faces, fire, colour, tracers, texture_period or number of solids.
 * Damage among the fields' numbers is found where it makes them infinite or not numbers. */
size_t billow_state_bytes(const BillowSim *sim);
void billow_save_state(const BillowSim *sim, void *memory);
bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error);

/* Writable fields, laid out as in the view, for programs that set up states or couple solvers.
 * Values must be finite, which the next billow_step checks; it projects whatever velocity it finds.
 * Ask for them again after each step. */
typedef struct BillowFields {
    float *density, *temperature, *u, *v, *w;
    float *color[3], *fuel; /* NULL without colour, without fire */
} BillowFields;
BillowFields billow_fields(BillowSim *sim);

/* The instruction set of the kernels that billow_create will use: the best one built in that this
 * machine runs, or the one named by the environment variable BILLOW_SIMD if it runs here. Unknown
 * names change nothing. Results are the same to the bit with any. */
const char *billow_simd(void);
/* Instruction sets built in, best first; NULL past the end. */
const char *billow_simd_known(int index);
/* BILLOW_VERSION of the running library, for programs that load it as a shared object. */
const char *billow_version(void);
/* "OpenMP 201511" (the version as its year and month) or "off". */
const char *billow_openmp(void);

#ifdef __cplusplus
}
#endif

#endif
