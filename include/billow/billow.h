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
    BILLOW_CLOSED,  /* a wall the fluid slides along: nothing passes */
    BILLOW_OPEN,    /* pressure 0: what leaves is gone, what enters is ambient */
    BILLOW_NO_SLIP, /* a wall that the fluid sticks to, as far as viscosity carries that inwards */
    BILLOW_INFLOW,  /* fluid enters at a given velocity, with smoke and heat; needs an open face */
    BILLOW_PERIODIC /* what leaves comes in on the opposite side: both or neither, and an even
                       number of cells from one to the other; emitters end there */
} BillowFace;

/* A shape given by its distance field, in its own coordinates around (0, 0, 0). The caller keeps
 * the samples, unchanged, for as long as the simulation uses them. */
typedef struct BillowVolume {
    int nx, ny, nz;        /* at least 2 each */
    float low[3], spacing; /* m; where sample (0, 0, 0) lies, and from one to the next */
    const float *distance; /* m from the surface, negative inside, x innermost, without padding */
} BillowVolume;

typedef enum BillowInflowProfile {
    BILLOW_UNIFORM,
    BILLOW_PARABOLIC /* 0 at the edges along both axes of the face, `velocity` in its middle; along
                        periodic axes it is uniform */
} BillowInflowProfile;

/* What faces need to be told beside their kind. Anything else than the default that a face of its
 * kind has no use for is refused. */
typedef struct BillowBoundary {
    float velocity[3];           /* m/s; of an inflow, or of a no-slip wall along itself; default 0,
                                    each -1e4..1e4; through the face only inwards, and only of an
                                    inflow */
    BillowInflowProfile profile; /* of an inflow's velocity; default uniform */
    float smoke, heat; /* density (white), 0..1e6, and K above ambient, -1e6..1e6, of what an inflow
                          brings; default 0 */
    bool isothermal;   /* whether a wall's temperature is kept, default false, */
    float temperature; /* at so many K above ambient; default 0, -1e4..1e4 */
} BillowBoundary;

typedef enum BillowShape {
    BILLOW_SPHERE,   /* radius size[0] */
    BILLOW_BOX,      /* half extents size[0..2] */
    BILLOW_CYLINDER, /* around y: radius size[0], half length size[1]; a flat one is a disc */
    BILLOW_CAPSULE,  /* around y: radius size[0], half length size[1] between the balls' centres */
    BILLOW_TORUS,    /* around y: radius size[0] to the middle of the tube, size[1] of the tube */
    BILLOW_PLANE,    /* everything below y = 0 */
    BILLOW_VOLUME    /* a distance field times size[0] */
} BillowShape;

typedef enum BillowMotion {
    BILLOW_DRIVEN, /* stays, or moves as billow_set_solids says */
    BILLOW_FALLING /* takes up speed by gravity, bounces off the box's faces; a sticky sphere rolls
                    */
} BillowMotion;

/* Something in the fluid's way. It turns around its centre. Walls should be at least two cells
 * thick: what is thinner may leak. */
typedef struct BillowSolid {
    BillowShape shape;          /* default sphere */
    float size[3];              /* m; default 0.1 each, 0..1e4: see BillowShape */
    const BillowVolume *volume; /* of BILLOW_VOLUME; default NULL */
    float center[3];            /* m; default (0.5, 0.5, 0.5) */
    float rotation[4];          /* a unit quaternion (x, y, z, w); default (0, 0, 0, 1) */
    float velocity[3];          /* m/s; default 0; what the fluid at its surface sees, and how a
                                   falling one begins; later of that the mean of its last way */
    float spin[3];              /* rad/s around the axes through its centre; default 0 */
    BillowMotion motion;        /* default driven */
    float gravity;              /* m/s2 downwards on a falling one; default 9.81, -1e3..1e3 */
    float bounce;               /* share of its speed a falling one keeps; default 0.5, 0..1 */
    bool sticky;                /* no-slip: the fluid at its surface moves with it; default false */
    bool isothermal;            /* whether its temperature is kept, which heat_diffusion brings to
                             the fluid; default false, */
    float temperature;          /* at so many K above ambient; default 0, -1e4..1e4 */
} BillowSolid;

/* A region that releases smoke, heat and momentum while start <= time < end.
 *
 * Amounts are rate x time, whatever the step and the grid: the cells' coverage by the shape is
 * measured, so that a shape smaller than a cell releases what it should. Values outside the ranges
 * are refused by billow_create and billow_set_emitters. */
typedef struct BillowEmitter {
    BillowShape shape;          /* default sphere */
    const BillowVolume *volume; /* of BILLOW_VOLUME; default NULL */
    float center[3];            /* m; default (0.5, 0.1, 0.5); may lie outside the box */
    float size[3];              /* m; default 0.08 each, 0..1e4: see BillowShape */
    float rotation[4];          /* a unit quaternion (x, y, z, w); default (0, 0, 0, 1) */
    float smoke;                /* 1/s; density released per second; default 6, 0..1e6 */
    float color[3];             /* of that smoke, in simulations with colour; default 1, 0..1 */
    float heat;                 /* K/s; default 200, -1e6..1e6 (negative cools) */
    float fuel;                 /* 1/s; fuel released per second, in simulations with fire; default
                                   0, 0..1e6 */
    float expansion;   /* 1/s; volume made per volume and second, with the density and heat of its
                          place; default 0, -1e3..1e3. Needs an open face, or emitters whose volumes
                          cancel at every time: see billow_unbalanced */
    float velocity[3]; /* m/s the fluid inside is driven to; default 0, each -1e4..1e4 */
    float burst;       /* m/s outwards from the centre, added to velocity; default 0, as above */
    float grip;        /* 1/s; how fast it takes that velocity; 0 leaves it alone; 0..1e6 */
    float tracers;     /* 1/s; particles released, in simulations with tracers; default 0, 0..1e8 */
    float noise;       /* share of the rates that flickers in space and time; default 0, 0..4 */
    float noise_scale; /* m; size of the flickering patches; default 0.05, 1e-3..1e4 */
    float noise_speed; /* 1/s; how often a patch changes; default 4, 0..1e3 */
    uint32_t seed;     /* picks the noise; the same seed gives the same run; default 1 */
    double start, end; /* s; default 0 and 1e9 */
} BillowEmitter;

typedef enum BillowForceKind {
    BILLOW_WIND,      /* drives the fluid towards `velocity` at `strength` 1/s, not below 0 */
    BILLOW_VORTEX,    /* turns it around the axis `velocity` through the centre: `strength` m/s2 at
                         the radius, as 2x/(1 + x^2) at x times that; radius 0: everywhere as much */
    BILLOW_ATTRACTOR, /* draws it to the centre at `strength` m/s2; negative drives it away */
    BILLOW_TURBULENCE /* pushes it about, `strength` m/s2 in the mean square, by noise without
                         divergence */
} BillowForceKind;

/* A force on the fluid while start <= time < end. */
typedef struct BillowForce {
    BillowForceKind kind; /* default wind */
    float center[3];      /* m; default (0.5, 0.5, 0.5), each -1e6..1e6 */
    float radius;         /* m; where it fades out, as exp(-(r/radius)^2); 0: the same everywhere;
                             default 0, 0..1e6 */
    float velocity[3];    /* see the kind; default (0, 1, 0), each -1e4..1e4 */
    float strength;       /* see the kind; default 0, -1e4..1e4 */
    float scale;          /* m; size of turbulence's eddies, two cells at least; default 0.1,
                             1e-3..1e4 */
    float speed;          /* 1/s; how often they change; default 1, 0..1e3 */
    uint32_t seed;        /* picks them; default 1 */
    double start, end;    /* s; default 0 and 1e9 */
} BillowForce;

typedef enum BillowPressure {
    BILLOW_RELAXATION, /* red-black six-neighbour successive over-relaxation, as Stam's */
    BILLOW_MULTIGRID,  /* V-cycles of it over coarser and coarser grids: really converges. Where a
                          cycle takes off less than half, conjugate gradients take over */
    BILLOW_CONJUGATE_GRADIENTS /* with a V-cycle as preconditioner, from the first cycle on */
} BillowPressure;

/* How velocity, smoke and heat are carried along. */
typedef enum BillowAdvection {
    BILLOW_SEMI_LAGRANGIAN, /* back along the flow, trilinear: first order, smooths */
    BILLOW_MACCORMACK,      /* the same forwards and back, to correct it, and half of the pressure
                               ahead of it: second order in space and time away from boundaries, no
                               new extrema */
    BILLOW_CONSERVATIVE,    /* velocity likewise; smoke, heat, fuel and colours by what passes the
                               cells' faces: second order, no new extrema, and none made or lost.
                               Its time grows with the speed: a pass per half a cell of way */
    BILLOW_CONSERVATIVE_SMOOTH /* the same of those; velocity semi-Lagrangian, which bears more
                                  vorticity */
} BillowAdvection;

/* What may change while a simulation runs (billow_set_params). */
typedef struct BillowParams {
    float buoyancy;        /* m/s2 upwards per kelvin above ambient: gravity over the ambient
                              temperature, 9.81/293; default 0.0335, -10..10 */
    float weight;          /* m/s2 downwards per unit of density; default 0.1, -100..100 */
    float vorticity;       /* 1/s; confinement strength; default 4, 0..100; above about 0.5/step
                              it boils */
    float viscosity;       /* m2/s, kinematic; default 0 (skipped), 0..1e6 */
    float smoke_diffusion; /* m2/s; default 0 (skipped), 0..1e6 */
    float heat_diffusion;  /* m2/s; default 0 (skipped), 0..1e6 */
    float dissipation;     /* 1/s; smoke vanishes as exp(-rate t); default 0, 0..1e3 */
    float cooling;         /* 1/s; heat vanishes likewise; default 0, 0..1e3 */
    float radiation;      /* 1/s; it vanishes by so much faster at 1000 K, as the third power of the
                             temperature (what hot soot radiates); default 0, 0..1e3 */
    float ignition;       /* K; fuel burns where it is at least so hot; default 150, 0..1e4 */
    float burn_rate;      /* 1/s; there it burns up as exp(-rate t); default 4, 0..1e3 */
    float burn_heat;      /* K per unit of fuel burnt; default 1500, 0..1e5 */
    float burn_smoke;     /* density (black, where smoke has colours) per unit of fuel burnt;
                             default 1, 0..1e3 */
    float burn_expansion; /* volume made per volume and unit of fuel burnt; default 0, 0..100. In a
                             box whose faces are all closed the whole box makes room for it: as much
                             is taken off everywhere alike */
    float cfl;            /* cells a sub-step may carry the fastest fluid; default 4, 0.1..100 */
    int substeps_max;     /* cap on sub-steps per step; default 16, 1..1000. Their number is
                             chosen from the speed at the step's start: where this cap binds or the
                             flow speeds up within a step, the step stays stable but the statistics
                             show a CFL above the limit */
    BillowAdvection advection; /* default semi-Lagrangian; MacCormack keeps edges and eddies, takes
                                  about twice advection's time and no memory, and wants less
                                  vorticity, 0 to 2: more boils into noise of a cell's size */
    BillowPressure pressure;   /* default multigrid */
    int cycles;                /* most multigrid cycles per projection; default 8, 1..1000 */
    float tolerance;           /* share of the divergence found that a projection may leave, as L2
                                  norms; default 1e-3, BILLOW_TOLERANCE_MIN..1 */
    int sweeps;                /* most relaxation sweeps per projection; default 20, 1..100000;
                                  the residual is looked at after every 8 */
    float overrelaxation;      /* 1 is Gauss-Seidel; default 1.7, 0.1..1.98; the last of `sweeps`
                                  runs at 1 */
    bool warm_start;           /* start from the last pressure; default true */
    int diffusion_sweeps;      /* relaxation sweeps per diffusive solve; default 20, 1..100000 */
} BillowParams;

typedef struct BillowDef {
    int nx, ny, nz;                 /* cells per axis; default 64 each, 8..2048 */
    float cell_size;                /* m; edge of a cell; default 1/64, 1e-5..1e4 */
    float origin[3];                /* m; the corner at x = y = z = least; default 0 */
    BillowFace faces[BILLOW_SIDES]; /* default: all closed but the ceiling */
    BillowBoundary boundaries[BILLOW_SIDES];
    BillowParams params;
    BillowEmitter emitters[BILLOW_EMITTERS_MAX];
    int emitter_count; /* default 0 */
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    int solid_count; /* default 0 */
    BillowForce forces[BILLOW_FORCES_MAX];
    int force_count; /* default 0 */
    bool fire;       /* fuel that burns; default false: then it takes neither time nor memory */
    bool color;      /* smoke of several colours, which mix by mass; default false, likewise */
    int tracers;     /* massless particles, at most, that the flow carries: those that emitters
                        release, the oldest giving way; or, where none does, as many all over the
                        box, each of which begins anew elsewhere where it leaves or meets a solid;
                        default 0, 0..BILLOW_TRACERS_MAX */
    int threads;     /* OpenMP threads; default 0: as many as OpenMP offers; 0..1024 */

    bool guarded; /* whether a step in which a value goes to infinity or to nonsense is taken back:
                     see billow_step; default false. It takes the memory of another state, and the
                     time to write that a step */

    float texture_period; /* s; coordinates that drift with the fluid, begun anew each so often, two
                          sets in turns: see BillowView.texture; default 0: none, 0..1e4 */
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
    const float *flame;     /* fuel that burnt in the last sub-step, 1/s, before it was carried on;
                               NULL likewise */
    const float *u, *v, *w; /* m/s; NULL where a view carries no velocity */
    const float *pressure[2]; /* of cell (i, j, k), where i+j+k is even in the first and odd in the
                                 second, at [i/2 + j*pressure_stride_y + k*pressure_stride_z]; NULL
                                 where a view carries none */
    ptrdiff_t pressure_stride_y, pressure_stride_z;
    float pressure_unit;    /* Pa of a 1 in there, of air; 0 before the first step. The pressure is
                               that which the last sub-step's projection needed, above the air
                               outside; in a closed box its mean is 0 */
    const float *solid;     /* distance from the nearest solid's surface, in cells, negative
                               inside, cut off at 8 to either side; at the cells' low corners,
                               0 <= i <= nx and so on; NULL without solids */
    uint64_t solid_version; /* changes when they move */

    const float *tracer[3];  /* m; where tracers are, x, y and z; NULL without any */
    const float *tracer_age; /* s; below 0 of those that are not there, whose place means nothing */
    int tracer_count;

    const float *texture[2][3]; /* m; what is here now has come so far, by axis, since the set was
                                begun: it was at the cell's centre minus this; NULL without */
    float texture_weight[2]; /* of each set: they add up to 1, and it is 0 around the time when the
                             set is begun anew */
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
    int components;   /* 1, or 3 of a vector or a colour */
    int arrays;       /* pointers in values: the components, or 2 of a checkerboard */
    bool amount;      /* an amount per volume: empty space counts as 0 in a mean over cells. Of
                         other fields only the cells inside the box have a say */
    bool drawn;       /* renderers read it */
    float negligible; /* in its unit; smaller values do not show, so that sparse files leave them
                         out; 0: the field is none to export */
    const float *values[3]; /* laid out as in BillowView; NULL from billow_list_fields_of */
    size_t offset;          /* of values[0] in BillowView, in bytes; the others follow it */
} BillowField;

#define BILLOW_FIELDS_MAX 16

/* Writes the fields that a view holds, and returns how many. The order is always the same. */
int billow_list_fields(const BillowView *view, BillowField fields[BILLOW_FIELDS_MAX]);
/* The same of the view that a simulation of this definition will give, without values. */
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
    BILLOW_STAGE_COMBUSTION, /* before the projection, which needs to know its expansion */
    BILLOW_STAGE_PROJECT,
    BILLOW_STAGE_ADVECT_SCALARS,
    BILLOW_STAGE_ACCOUNT,
    BILLOW_STAGES
} BillowStage;

/* Where the time of the last billow_step went, summed over its sub-steps. */
typedef struct BillowProfile {
    double ms[BILLOW_STAGES];
    double total_ms;
    double bytes; /* least memory traffic the step's algorithm needs: arrays read and written once a
                     pass; over total_ms it is the effective bandwidth */
} BillowProfile;

/* What the last billow_step left, as honest as it can be measured. */
typedef struct BillowStats {
    double time;              /* s simulated */
    uint64_t steps, substeps; /* since creation */
    double mass;              /* m3: density integrated over the box */
    double mass_sources;      /* m3, since creation: what emitters, by their expansion too, and
                                 burning released, and what was put there by hand, */
    double mass_outflow;      /* what the flow took out through open faces, less what
                                 inflows brought, */
    double mass_dissipated;   /* what vanished by dissipation, */
    double mass_drift;        /* and what is there beyond all that: advection and diffusion conserve
                                 mass only nearly */
    double heat;              /* K m3: temperature likewise */
    double color[3];          /* m3: density times its colour likewise; 0 without colour */
    double fuel;              /* m3: likewise; 0 without fire */
    double expansion;       /* m3/s: volume that emitters and burning made in the last sub-step, */
    double outflow;         /* and what left through the box's faces after it; negative: entered.
                               They agree within what the projection left, but in a box that is
                               closed all round, where nothing leaves */
    double kinetic_energy;  /* J, with air of 1.2 kg/m3 */
    double speed_max;       /* m/s */
    double density_max;     /* of the finite cells, as the other maxima; at least 0 */
    double temperature_max; /* K; at least 0 */
    double divergence_max;  /* 1/s; largest |div u - expansion| of a cell */
    double residual_relative; /* L2 of div u - expansion, after the last projection over before */
    BillowPressure pressure;  /* what ran in the last projection, */
    int cycles;               /* and its sweeps or cycles */
    double cfl;               /* cells the fastest fluid travels in one sub-step */
    int last_substeps;        /* sub-steps of the last step */
    uint64_t nonfinite;       /* cells that are not finite numbers; 0 in health */
} BillowStats;

/* The tables of values: which structure a row's offset counts in. */
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

/* Bytes billow_create will ask for; 0 where the grid's axes are out of range. */
size_t billow_bytes_needed(const BillowDef *def);

/* Whether the faces and boundaries agree with each other and with the grid; where not, false and
 * the message that billow_create gives for it. */
bool billow_check_faces(const BillowDef *def, BillowError *error);

/* A fluid that keeps its volume cannot expand in a box whose faces are all closed. The index of the
 * emitter to blame, with the message that billow_create gives for it, naming what is made and when;
 * -1 where nothing is wrong: a face is open, or what the emitters make cancels at every time, to a
 * thousandth of it. Expansion that flickers by noise cannot be balanced. */
int billow_unbalanced(const BillowDef *def, BillowError *error);

/* Solids may touch, and go into each other by half a cell, but not share more room of the box: the
 * index of the first that does so with one before it; -1 where none does. No emitter may lie
 * wholly, and deeper than half a cell, inside solids that stand still: its index, or -1. Those must
 * leave something of a face that fluid flows in through, and of some open face, where it can leave:
 * the index of the face through which it does, or -1. All give the message that billow_create
 * gives; of shapes and sizes that it would take. */
int billow_overlapping(const BillowDef *def, BillowError *error);
int billow_buried(const BillowDef *def, BillowError *error);
int billow_shut(const BillowDef *def, BillowError *error);

/* Something of a definition that billow_create takes, and that is likely not what was meant. */
typedef struct BillowNotice {
    BillowError text;
    int emitter, solid; /* index of what is to blame; -1 where it is none of them */
} BillowNotice;

/* Writes the first `most` notices on a definition that billow_create takes, and returns how many
 * there are: walls thinner than a cell, which let things through; fuel that nothing is hot enough
 * to ignite; fire that expands in a box whose faces are all closed. */
int billow_notices(const BillowDef *def, BillowNotice *notices, int most);

/* Builds a simulation at rest, ambient everywhere. NULL and a message when a value is out of range,
 * the emitters are unbalanced or buried, solids overlap or memory is short. */
BillowSim *billow_create(const BillowDef *def, BillowError *error);
void billow_destroy(BillowSim *sim); /* NULL is fine */

/* Back to the state billow_create left: at rest, time 0; parameters and emitters stay. */
void billow_reset(BillowSim *sim);

/* Advances by exactly dt seconds in equal sub-steps, as many as params.cfl asks for. Everyday steps
 * are 1/120 to 1/24 s.
 *
 * True where all is well. False, and nothing is done, where dt is outside 0 < dt <=
 * BILLOW_STEP_MAX, or where what was written through billow_fields holds an infinity or no number:
 * billow_error says which field at which cell, and the state stays as it is, to be mended. False as
 * well where a value becomes so within the step, which nothing in range makes happen: what is
 * released is cut at 1e9, speeds at 1e9 m/s. With BillowDef.guarded the state from before the step,
 * with what was queued for it, is there again then, and billow_error names the stage, the sub-step,
 * the field and the cell; otherwise the fields are left as they came out, and it names field and
 * cell. */
bool billow_step(BillowSim *sim, double dt);
/* Why the last step was not taken, or what it made, in one line; "" where all is well. It lives as
 * long as the simulation, until the next step, billow_reset or billow_load_state. */
const char *billow_error(const BillowSim *sim);

/* Advances by elapsed seconds of somebody's clock: as many whole steps of length dt as fit, at most
 * steps_max; what is left over is carried to the next call, so the clocks never drift. When
 * steps_max binds, the excess is dropped: a slow machine slows down. Returns the steps taken; ends
 * before a step of which billow_step says false, and billow_error why. */
int billow_advance(BillowSim *sim, double elapsed, double dt, int steps_max);

/* These refuse what is out of range or unbalanced, and emitters that are put where they are buried,
 * with a message, and change nothing then. */
bool billow_set_params(BillowSim *sim, const BillowParams *params, BillowError *error);
bool billow_set_emitters(BillowSim *sim, const BillowEmitter *emitters, int count,
                         BillowError *error);
bool billow_set_forces(BillowSim *sim, const BillowForce *forces, int count, BillowError *error);

/* Moves solids, as many as the definition has, to new places or gives them new velocities: the step
 * carries them on from there. Refuses what is out of range, and places where solids overlap that
 * did not before, and changes nothing then: solids that meet as they move go on. */
bool billow_set_solids(BillowSim *sim, const BillowSolid *solids, int count, BillowError *error);
/* What billow_reset puts them back to from now on, as many as the definition has; at first that is
 * what the definition says. Refuses what is out of range, and changes nothing then. */
bool billow_set_first_solids(BillowSim *sim, const BillowSolid *solids, int count,
                             BillowError *error);
/* Where they are now; NULL past the last. */
const BillowSolid *billow_solid(const BillowSim *sim, int index);
/* From a point to a solid's surface, m; negative inside. Of volumes as good as their samples. */
double billow_solid_distance(const BillowSolid *solid, const double point[3]);

/* Adds an emitter for the next step only, whatever its start and end (a brush, a detonation spread
 * over steps). False, and nothing is added, when it is out of range, when BILLOW_EMITTERS_MAX are
 * queued already, and when its expansion is not 0 though all faces are closed: without expansion
 * the same emitter would do. */
bool billow_emit(BillowSim *sim, const BillowEmitter *emitter);

/* Adds a force likewise: for the next step only, whatever its start and end. False, and nothing is
 * added, when it is out of range and when BILLOW_FORCES_MAX wait for that step already. */
bool billow_push(BillowSim *sim, const BillowForce *force);

BillowParams billow_params(const BillowSim *sim);
BillowView billow_view(const BillowSim *sim);
BillowStats billow_stats(const BillowSim *sim);
BillowProfile billow_profile(const BillowSim *sim);
const char *billow_stage_name(BillowStage stage); /* "advect_velocity" and so on */
size_t billow_bytes(const BillowSim *sim);        /* memory held, for bytes per cell */
int billow_threads(const BillowSim *sim);         /* threads a step uses */

/* 64 bits over every value of every field, the time and the carried remainder: equal states give
 * equal hashes on any machine of one byte order. */
uint64_t billow_state_hash(const BillowSim *sim);
/* "relaxation", "multigrid", "conjugate_gradients" */
const char *billow_pressure_name(BillowPressure pressure);

/* The state as bytes: all that the steps to come depend on beside the definition and what was set
 * since (parameters, emitters, forces), which stay as they are. Saved, and loaded into a simulation
 * of the same definition, this one or another, at any number of threads and with any instruction
 * set, it goes on to the same hashes. Little-endian, with a version: good for files.
 *
 * billow_save_state writes billow_state_bytes bytes, as many for every state of a definition. In it
 * are fields, pressure, solids with their motion, tracers, clocks, statistics with their running
 * accounts, and what billow_emit and billow_push queued; volumes are not: those of the simulation
 * that it is loaded into stand for them, and a queued emitter whose volume no emitter or solid of
 * the definition has is left out. billow_load_state says false, with the reason, and changes
 * nothing, where a state is that of another grid, box, faces, fire, colour, tracers, texture_period
 * or number of solids, or is damaged. Damage among the fields' numbers is found where it makes them
 * infinite or no numbers. */
size_t billow_state_bytes(const BillowSim *sim);
void billow_save_state(const BillowSim *sim, void *memory);
bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error);

/* Writable fields for those who set up states by hand (tests, coupling): same layout as the view.
 * Values must be finite, which the next billow_step looks after; it projects whatever velocity it
 * finds. To be asked for again after each step before writing. */
typedef struct BillowFields {
    float *density, *temperature, *u, *v, *w;
    float *color[3], *fuel; /* NULL without colour, without fire */
} BillowFields;
BillowFields billow_fields(BillowSim *sim);

/* The instruction set of the kernels that billow_create will use: the best this machine runs of
 * those built in, or the one that the environment variable BILLOW_SIMD names, if it can run here;
 * names it cannot make sense of change nothing. The results are the same to the bit with any. */
const char *billow_simd(void);
/* Those built in, best first; NULL past the end. */
const char *billow_simd_known(int index);
/* BILLOW_VERSION of the library that runs, for those who load it as a shared object. */
const char *billow_version(void);
/* "OpenMP 201511" (the version as its year and month) or "off". */
const char *billow_openmp(void);

#ifdef __cplusplus
}
#endif

#endif
