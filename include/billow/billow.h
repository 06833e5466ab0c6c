/* SPDX-License-Identifier: MIT
 *
 * libbillow: smoke in a box of cubic cells, simulated on the CPU.
 *
 * DOES     solve the incompressible flow equations on a staggered grid (after Stam 1999 and 2003,
 *          and Fedkiw, Stam, Jensen 2001): emitters, semi-Lagrangian advection, alone or with
 *          reflection, buoyancy, vorticity confinement, implicit viscosity and diffusion, pressure
 *          projection by multigrid; fire; smoke of several colours; faces that are closed
 *          (free-slip or no-slip, heated, moving), open, periodic or inflows; any nx x ny x nz
 *          from 8 to 2048; OpenMP-parallel, with the same result to the bit at any thread count,
 *          without OpenMP, and with any instruction set.
 * DOES NOT draw, read files, print, start threads other than OpenMP's team inside a call, or keep
 *          global state. One process can have several simulations.
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
 * Owner    billow_create allocates everything once; no other call allocates, unless the box is
 *          unbounded and changes its size. Definitions and emitters are copied whole.
 * Threads  one simulation is used by one thread at a time; different simulations are independent.
 * Host     results do not depend on the floating-point mode of the calling thread (rounding, flush
 *          to zero, traps). It is the same after a call as before, with the same exceptions raised.
 *          Where the system starts no more threads, where OMP_STACKSIZE gives OpenMP's threads less
 *          than BILLOW_STACK, and in a child that was forked while the process had several threads
 *          or before the library was loaded, steps have fewer threads, down to one, and the same
 *          bits. The shared library stays loaded after dlclose.
 * Mistakes a pointer may only be NULL where its comment says so, or if it is a BillowError, which
 *          then gets no message. Other NULLs are mistakes of the program, as are a simulation that
 *          was destroyed and an array that is too short: builds with assertions stop there. What
 *          is wrong with a definition, a value or a list is refused with a message instead by what
 *          creates or changes something and by billow_check_faces, also if the definition or the
 *          list is NULL or all 0. Functions that only answer about a definition need one.
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
#define BILLOW_REFINE_MAX    4
#define BILLOW_STEP_MAX      1e4    /* s */
#define BILLOW_STACK         262144 /* least stack of a thread that calls the library, bytes */
#define BILLOW_TOLERANCE_MIN 1e-7   /* single precision resolves no smaller residuals */

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
    BILLOW_PERIODIC /* fluid that leaves enters on the opposite side. Both sides of an axis are
                       periodic or neither is, with an even number of cells between them. Emitters
                       do not continue on the other side */
} BillowFace;

/* A shape given by its distance field, in its own coordinates around (0, 0, 0). The caller must
 * keep the samples, unchanged, for as long as the simulation uses them. */
typedef struct BillowVolume {
    int nx, ny, nz;        /* samples per axis, at least 2 each */
    float low[3];          /* position of sample (0, 0, 0), m */
    float spacing;         /* distance between neighbouring samples, m */
    const float *distance; /* distance from the surface at each sample, m, negative inside; x
                              innermost, without padding */
    const float *next;     /* NULL: the shape is constant. Otherwise distances of the shape that it
                              changes to. The distance is (1 - s) distance + s next, where s goes
                              from share[0] to share[1] during a step. The surface of a solid pushes
                              the fluid at the speed at which it moves. Between steps, share may be
                              set to the values of the next step */
    double share[2];       /* 0 to 1 */
    const float *amount;   /* NULL, or the factor at each sample on what an emitter releases, at
                              least 0; up to 1 also on how it drives the fluid */
    const float (*velocity)[3]; /* NULL, or a velocity at each sample, along the axes of the box,
                                   that is added to the emitter's, m/s */
} BillowVolume;

typedef enum BillowInflowProfile {
    BILLOW_UNIFORM,
    BILLOW_PARABOLIC /* `velocity` in the middle of the face and 0 at its edges along both axes;
                        uniform along periodic axes */
} BillowInflowProfile;

/* The ranges and defaults of the values below are in the tables that billow_parameters returns and
 * `billow scenes --keys` prints. Values outside their range are refused. */

/* Values of a face in addition to its kind. A value that faces of that kind do not use must have
 * its default, or it is refused. */
typedef struct BillowBoundary {
    float velocity[3]; /* velocity of an inflow, into the box, or of a no-slip wall, along the wall,
                          m/s */
    BillowInflowProfile profile; /* distribution of an inflow's velocity over the face */
    float smoke;                 /* density of the white smoke that an inflow brings */
    float heat;        /* temperature of the fluid that an inflow brings, K above ambient */
    bool isothermal;   /* whether a wall has a fixed temperature */
    float temperature; /* of an isothermal wall, K above ambient */
} BillowBoundary;

typedef enum BillowShape {
    BILLOW_SPHERE,   /* radius size[0] */
    BILLOW_BOX,      /* half extents size[0..2] */
    BILLOW_CYLINDER, /* around y: radius size[0], half length size[1]; a disc if flat */
    BILLOW_CAPSULE,  /* around y: radius size[0], half distance size[1] between the centres of the
                        end spheres */
    BILLOW_TORUS,    /* around y: radius size[0] from the centre to the middle of the tube, radius
                        size[1] of the tube */
    BILLOW_PLANE,    /* everything below y = 0 */
    BILLOW_VOLUME,   /* a distance field scaled by size[0] */
    BILLOW_CONE      /* around y: radius size[0] at y = -size[1], a point at y = size[1] */
} BillowShape;

typedef enum BillowMotion {
    BILLOW_DRIVEN, /* at rest, or moved as billow_set_solids says */
    BILLOW_FALLING /* accelerated by gravity; bounces off the faces of the box, except unbounded
                      ones; a sticky sphere rolls */
} BillowMotion;

/* An obstacle. It rotates around its centre. Walls should be at least two cells thick, because
 * thinner ones may leak. */
typedef struct BillowSolid {
    BillowShape shape;
    float size[3];              /* m; see BillowShape */
    const BillowVolume *volume; /* shape of a BILLOW_VOLUME; NULL for other shapes */
    float center[3];            /* m */
    float rotation[4];          /* unit quaternion (x, y, z, w) */
    float velocity[3]; /* velocity at the centre, m/s, which the fluid meets at the surface. Initial
                          velocity of a falling solid; after a step, its mean over that step */
    float spin[3];     /* angular velocity around the axes through the centre, rad/s */
    BillowMotion motion;
    float gravity;     /* downward acceleration of a falling solid, m/s2 */
    float bounce;      /* share of its speed that a falling solid keeps when it bounces */
    float density;     /* mass of a falling solid over its volume, kg/m3: pressure and, at a sticky
                          surface, viscosity of the air move and turn it. Its mass is spread evenly and
                          its centre of mass is the centre. Not for planes and shapes that change. 0:
                          the air does not move it */
    bool sticky;       /* no-slip: the fluid at the surface moves with the solid */
    bool isothermal;   /* whether the solid has a fixed temperature, which heat_diffusion spreads to
                          the fluid */
    float temperature; /* of an isothermal solid, K above ambient */
} BillowSolid;

/* A region that releases smoke, heat and momentum while start <= time < end.
 *
 * Amounts are rate times time and do not depend on the step or the grid. The share of each cell
 * that the shape covers is measured. A shape smaller than a cell therefore releases the right
 * amount. */
typedef struct BillowEmitter {
    BillowShape shape;
    const BillowVolume *volume; /* shape of a BILLOW_VOLUME; NULL for other shapes */
    float center[3];            /* position, m; may be outside the box */
    float size[3];              /* m; see BillowShape */
    float rotation[4];          /* unit quaternion (x, y, z, w) */
    float smoke;                /* density released per second, 1/s */
    float color[3];             /* colour of the smoke, in simulations with colour */
    float hue_speed; /* turns of the colour wheel per second, from `color` at time 0; grey colours
                        have no hue and stay; 0: the colour is constant */
    float heat;      /* temperature released per second, K/s; a negative value cools */
    float fuel;      /* fuel released per second, in simulations with fire, 1/s */
    float expansion; /* volume created per volume and second, 1/s, with the density and temperature
                        of the fluid there. Needs an open face, or emitters whose volumes cancel at
                        every time (billow_unbalanced) */
    float velocity[3]; /* velocity to which the fluid inside is driven, m/s */
    float burst;       /* speed away from the centre, added to `velocity`, m/s */
    float grip;    /* rate at which the fluid approaches that velocity, 1/s; 0: the emitter does not
                      drive it */
    float tracers; /* particles released per second, in simulations with tracers, 1/s */
    float noise;   /* share of the rates that varies in space and time */
    float noise_scale; /* size of patches of similar rates, m */
    float noise_speed; /* rate at which a patch changes, 1/s */
    uint32_t seed;     /* seed of the noise; the same seed gives the same run */
    double start, end; /* releases while start <= time < end, s */
    double every;      /* does so again every so many seconds; 0: once */
} BillowEmitter;

typedef enum BillowForceKind {
    BILLOW_WIND,      /* drives the fluid towards `velocity` at the rate `strength`, 1/s */
    BILLOW_VORTEX,    /* turns the fluid around an axis through the centre, in the direction
                         `velocity`, at `strength` times 2x/(1 + x^2) m/s2, where x is the distance in
                         radii; radius 0: at `strength` everywhere */
    BILLOW_ATTRACTOR, /* draws the fluid to the centre at `strength` m/s2; a negative value drives
                         it away */
    BILLOW_TURBULENCE /* stirs the fluid by noise without divergence, at `strength` m/s2 root mean
                         square */
} BillowForceKind;

/* A force on the fluid while start <= time < end. */
typedef struct BillowForce {
    BillowForceKind kind;
    float center[3]; /* m */
    float radius; /* distance at which the force has faded to exp(-1), as exp(-(r/radius)^2), or at
                     which a vortex is strongest, m; 0: the same everywhere */
    float velocity[3]; /* velocity of a wind, m/s; direction of a vortex's axis */
    float strength;    /* acceleration, m/s2; of a wind, rate, 1/s */
    float
        scale; /* size of the eddies of turbulence, m; values below two cells count as two cells */
    float speed;       /* rate at which the eddies of turbulence change, 1/s */
    uint32_t seed;     /* seed of the eddies of turbulence */
    double start, end; /* s */
} BillowForce;

typedef enum BillowPressure {
    BILLOW_RELAXATION, /* red-black successive over-relaxation with six neighbours, after Stam */
    BILLOW_MULTIGRID, /* V-cycles of relaxation over coarser and coarser grids, to a tolerance. If a
                         cycle removes less than half of the residual, conjugate gradients take over
                       */
    BILLOW_CONJUGATE_GRADIENTS /* conjugate gradients with a V-cycle as preconditioner, from the
                                  first cycle on */
} BillowPressure;

/* Advection scheme of velocity, smoke and heat. */
typedef enum BillowAdvection {
    BILLOW_SEMI_LAGRANGIAN, /* traces back along the flow and interpolates linearly: first order,
                               smooths */
    BILLOW_REFLECTION, /* advects by cubics, and the velocity in two halves with the pressure of the
                          first applied once more between them: second order in time and more in
                          space, no new extrema; vortices live long, and no energy appears */
    BILLOW_CONSERVATIVE, /* velocity as BILLOW_REFLECTION; smoke, heat, fuel and colours by fluxes
                            through the cells' faces: second order, no new extrema. The amounts are
                            constant in a flow without divergence. Otherwise they drift with the
                            divergence that the projection leaves: in a closed box of 32^3 cells, in
                            500 steps, by 1e-4 to 6e-4 at a `tolerance` of 1e-3, 1e-5 to 3e-5 at
                            1e-4 and 6e-6, the limit of single precision, at 1e-6 (the faster the
                            flow, the more). Its time grows with speed: one pass per half cell of
                            displacement */
    BILLOW_CONSERVATIVE_SMOOTH /* scalars as BILLOW_CONSERVATIVE; velocity as
                                  BILLOW_SEMI_LAGRANGIAN, which tolerates more vorticity confinement
                                */
} BillowAdvection;

/* Values that billow_set_params may change while a simulation runs. */
typedef struct BillowParams {
    float buoyancy;  /* upward acceleration per kelvin above ambient, m/s2/K */
    float weight;    /* downward acceleration per unit of density, m/s2 */
    float vorticity; /* confinement strength, 1/s; above about 0.5 per step length, eddies grow into
                        noise */
    /* Disturbance accelerates smoke by noise, D * min(1, density / disturbance_density) *
     * D / (D + s |curl u|^2) * n along each axis. D is `disturbance`, s is `disturbance_size`, and
     * n is noise with root mean square 1. In clear air, and where the flow already has eddies that
     * turn faster than those that D can feed at size s, it does nothing. 0 costs nothing */
    float disturbance;         /* acceleration, as root mean square along each axis, m/s2 */
    float disturbance_size;    /* edge of the blocks of noise, m; below two cells they have two */
    float disturbance_speed;   /* rate at which a block changes, 1/s */
    float disturbance_density; /* density from which it acts with full strength */
    /* Shredding accelerates hot gas along the unit vector N towards hotter gas, by shredding *
     * min(1, T / ignition) * e. e = N . grad(u) N is the rate at which the flow stretches along N.
     * The motion along N so spreads from hot to cold gas at the speed `shredding`, which tears the
     * edges of flames into streaks. In a substep it spreads by a quarter of a cell at most. 0 costs
     * nothing */
    float shredding; /* m/s */
    /* Eddies smaller than wind cells fold smoke whose cells are smaller than the wind's, with
     * BILLOW_CONSERVATIVE or BILLOW_CONSERVATIVE_SMOOTH, and do nothing else. Their speed, as root
     * mean square along each axis, is eddies * |curl u| * cell_size. In a substep they move smoke
     * by at most 0.3 of its cells in root mean square, and by less where the wind leaves little of
     * the length of a step. 0 costs nothing */
    float eddies;
    float viscosity;       /* kinematic viscosity, m2/s; 0 skips its solve */
    float smoke_diffusion; /* diffusivity of smoke, m2/s; 0 skips its solve */
    float heat_diffusion;  /* diffusivity of heat, m2/s; 0 skips its solve */
    float dissipation;     /* rate of decay of smoke, as exp(-rate t), 1/s */
    float cooling;         /* rate of decay of temperature, as exp(-rate t), 1/s */
    float radiation;  /* additional cooling rate at 1000 K, 1/s. It grows with the third power of
                         temperature, for the heat that soot radiates */
    float ignition;   /* least temperature at which fuel burns, K above ambient */
    float burn_rate;  /* rate at which fuel burns up, as exp(-rate t), 1/s */
    float burn_rich;  /* fuel density at which no air is left to burn it. Fuel then burns in thin
                         sheets where it meets air. 0: at any density */
    float burn_heat;  /* temperature released per unit of fuel burnt, K */
    float burn_smoke; /* density released per unit of fuel burnt; the smoke is black if smoke has
                         colours */
    float burn_expansion; /* volume created per volume and unit of fuel burnt. In a box whose faces
                             are all closed the same volume is removed, equally from every cell */
    float tracer_sparks;  /* tracers released per unit of fuel burnt and cubic metre, 1/m3; needs
                             BillowDef.tracer_lag, as do the next two */
    float tracer_speed; /* largest speed of a new tracer relative to the gas, m/s. Its direction and
                           speed are random, even in the ball of that radius */
    float tracer_life; /* longest life of a tracer, s. Each lives 0.3 to 1 times as long, at random.
                          0: they do not end */
    float cfl;         /* largest distance that fluid may move in a substep, cells */
    int substeps_max; /* largest number of substeps per step. The number used follows from the speed
                         at the start of the step. If this limit applies, or the flow speeds up
                         within the step, the step stays stable and the statistics show a CFL number
                         above `cfl` */
    BillowAdvection advection; /* BILLOW_REFLECTION preserves edges and eddies. A step takes two
                                  to four times as long. It suits a vorticity of 0 to 2; a larger
                                  one amplifies noise of the size of a cell */
    BillowPressure pressure;
    int cycles;      /* largest number of multigrid cycles per projection */
    float tolerance; /* share of the divergence that a projection may leave, as a ratio of L2 norms.
                        A smaller one also reduces the drift of BILLOW_CONSERVATIVE, if `cycles`
                        allows enough cycles to reach it */
    int sweeps; /* largest number of relaxation sweeps per projection; the residual is checked after
                   every 8 sweeps */
    float
        overrelaxation; /* over-relaxation factor; 1 is Gauss-Seidel; the last of `sweeps` uses 1 */
    bool warm_start;    /* whether a projection starts from the last pressure */
    int diffusion_sweeps; /* most relaxation sweeps per diffused field; fewer run where they suffice
                             for single precision. Viscosity solves twice, by half of them */
} BillowParams;

typedef struct BillowDef {
    int nx, ny, nz;  /* cells of the wind per axis */
    float cell_size; /* edge of such a cell, m */
    int refine;      /* cells of smoke along an edge of a cell of wind, 1 to BILLOW_REFINE_MAX, 1 by
                        default. Smoke, heat, fuel, colours and age live in these, velocity and pressure
                        in those of the wind. Only cells with smoke take time and memory. An axis must
                        not have more than BILLOW_GRID_MAX cells of smoke */
    float origin[3]; /* corner of the box with the least x, y and z, m */
    BillowFace faces[BILLOW_SIDES]; /* by default the ceiling is open and all others are closed */
    BillowBoundary boundaries[BILLOW_SIDES];
    BillowParams params;
    BillowEmitter emitters[BILLOW_EMITTERS_MAX];
    int emitter_count;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    int solid_count;
    BillowForce forces[BILLOW_FORCES_MAX];
    int force_count;
    bool fire;   /* whether fuel is simulated; fire takes no time and no memory otherwise */
    bool color;  /* whether smoke has colours, which mix by mass; colour takes no time and no memory
                    otherwise */
    int tracers; /* largest number of tracers, massless particles that the flow advects. Emitters
                    release them, and a new tracer replaces the oldest. If no emitter releases any,
                    this many fill the box. Each then gets a new place when it leaves the box or
                    enters a solid */
    float tracer_lag; /* response time of tracers with inertia and weight, s: sparks and embers.
                         Their velocity approaches that of the gas within it, and gravity pulls
                         them. They bounce off walls, and come from emitters and burning fuel alone.
                         0: tracers are massless */
    int threads;      /* number of OpenMP threads; 0: as many as OpenMP offers, but at most 1024
                         and no more than the quota of processor time of the process's control
                         group can use */
    bool guarded; /* whether a step that produces an infinity or NaN is undone (see billow_step).
                     Takes the memory of a second state, and the time to write it once per step */
    float texture_period; /* time between resets of a set of advected texture coordinates, s. Two
                             sets are reset in turn (BillowView.texture). 0: none are simulated */
    bool age; /* whether the age of the smoke is simulated; it takes no time and no memory otherwise
               */
    bool unbounded[BILLOW_SIDES]; /* whether a side moves outwards before smoke, fuel or heat reach
                                     it. Only an open face can. The box then grows by multiples of
                                     16 cells at the end of a step; what is in it stays in place,
                                     and nx, ny, nz and origin of the view change */
    double cells_max; /* largest number of cells to which an unbounded box grows; 0: 8 times the
                         cells that it has at first, at least 128^3. A side that it stops stays
                         open, and smoke leaves through it (billow_growth_notice) */
} BillowDef;

/* Cells begin <= i < end of a row. */
typedef struct BillowSpan {
    short begin, end;
} BillowSpan;

#define BILLOW_SPAN_ROWS 8

/* A read-only view of the fields, valid until the next call that changes the simulation.
 *
 * The value of a scalar in cell (i, j, k), 0 <= i < nx and so on, is at
 * [i + j*stride_y + k*stride_z]. The centre of the cell is origin + (i+0.5, j+0.5, k+0.5) *
 * cell_size. Velocity is staggered: u[i, j, k] is the x-component in the middle of the face between
 * cells i-1 and i, 0 <= i <= nx. v and w are staggered along y and z in the same way. */
typedef struct BillowView {
    int nx, ny, nz;               /* cells of the smoke */
    ptrdiff_t stride_y, stride_z; /* in floats; the stride along x is 1 */
    float cell_size;
    int refine; /* cells of the smoke along an edge of a cell of the wind; 0, as in a view that a
                   program fills in, stands for 1. Velocity, pressure, solids and texture
                   coordinates have nx / refine cells along x and so on, of cell_size * refine
                   (billow_wind_view) */
    ptrdiff_t wind_stride_y, wind_stride_z; /* their strides, in floats; with a refine of 0, those
                                               of the smoke */
    const BillowSpan *spans; /* the cells of smoke that may hold any: in BILLOW_SPAN_ROWS rows from
                                row j on, a multiple of that, of plane k, those of
                                spans[j / BILLOW_SPAN_ROWS + k * span_blocks]. In all other cells
                                every scalar is 0. NULL: any cell may hold some */
    int span_blocks;
    float origin[3];
    float home[2][3]; /* low and high corner of the box as it was created, m, if a side is
                         unbounded; otherwise equal corners */
    double time;      /* s simulated */
    const float *density;
    const float *temperature; /* K above ambient */
    const float *color[3]; /* density times colour, for red, green and blue; NULL without colour */
    const float *age;   /* density times the mean time since its smoke was released, s; NULL without
                           age */
    const float *fuel;  /* NULL without fire */
    const float *flame; /* fuel burnt per second in the last substep, before advection, 1/s; NULL
                           without fire */
    const float *u, *v, *w;   /* m/s; NULL if the view has no velocity */
    const float *pressure[2]; /* value of cell (i, j, k) at [i/2 + j*pressure_stride_y +
                                 k*pressure_stride_z], in the first array if i+j+k is even and in
                                 the second if it is odd; NULL if the view has none */
    ptrdiff_t pressure_stride_y, pressure_stride_z;
    float pressure_unit; /* factor from the values of `pressure` to Pa, for air; 0 before the first
                            step. The pressure is that of the last substep's projection, relative to
                            the air outside. In a closed box its mean is 0 */
    const float *solid;  /* distance from the surface of the nearest solid, in cells, negative
                            inside, clamped to -8 and 8; at the low corners of cells, 0 <= i <= nx
                            and so on; NULL without solids */
    uint64_t solid_version; /* changes when a solid moves */

    const float *tracer[3];  /* positions of tracers, x, y and z, m; NULL without tracers */
    const float *tracer_age; /* age, s; negative in unused entries, whose positions are not valid */
    const float *tracer_velocity[3]; /* m/s; NULL without tracer_lag */
    const float
        *tracer_life; /* age at which a tracer ends, s; 0 = never; NULL without tracer_lag */
    int tracer_count;

    const float *texture[2][3]; /* displacement of the fluid in each cell since the last reset of
                                   the set, by set and axis, m; NULL without texture coordinates */
    float texture_weight[2]; /* weight of each set; the two add up to 1. A set's weight is 0 around
                                its reset */
    bool leaves[BILLOW_SIDES]; /* faces where the box ends but not the air: smoke that passes leaves
                                  it. Those are open and not, or no longer, unbounded */
} BillowView;

/* Positions of the values of a field. */
typedef enum BillowPlace {
    BILLOW_AT_CENTRES,  /* cell centres, 0 <= i < nx and so on */
    BILLOW_AT_FACES,    /* component a on the faces across axis a: u, v and w of BillowView */
    BILLOW_AT_CORNERS,  /* low corners of the cells, 0 <= i <= nx and so on */
    BILLOW_CHECKERBOARD /* cell centres, even and odd cells in separate arrays: pressure of
                           BillowView */
} BillowPlace;

/* Description of one field of a view. A loop over the list of fields can copy, average, export or
 * plot every field. */
typedef struct BillowField {
    const char *name; /* such as "temperature". `name`, `unit` and `meaning` remain valid as long as
                         the program runs */
    const char *unit; /* such as "K"; "1" for a pure number */
    const char *meaning; /* a few words */
    BillowPlace place;
    int components; /* 1, or 3 for a vector or a colour */
    int arrays;     /* number of pointers in `values`: one per component, or 2 for a checkerboard */
    bool amount; /* whether the value is an amount per volume. Means of amounts over cells count the
                    cells outside the box as 0. Means of other fields leave out those cells */
    bool wind;   /* whether it lives in cells of the wind, not of the smoke (BillowView.refine) */
    bool drawn;  /* pictures need it: renderers or the up-resolution read it */
    float negligible; /* least value, in the field's unit, that sparse files store; 0: the field is
                         not exported */
    const float *values[3]; /* laid out as in BillowView; NULL from billow_list_fields_of */
    size_t offset; /* offset of values[0] in BillowView, bytes; the other pointers follow it */
} BillowField;

#define BILLOW_FIELDS_MAX 16

/* Lists the fields of a view, and returns their number. The order is always the same. */
int billow_list_fields(const BillowView *view, BillowField fields[BILLOW_FIELDS_MAX]);
/* Lists the fields that a simulation of this definition will have; def NULL: that any can have.
 * Their `values` are NULL. */
int billow_list_fields_of(const BillowDef *def, BillowField fields[BILLOW_FIELDS_MAX]);
/* Points a view to other values of a field, such as those of a copy. NULL removes the field from
 * the view. */
void billow_set_field(BillowView *view, const BillowField *field, const float *values[3]);
/* The cells of the wind as a view of its own, whose refine is 1: nx, ny, nz, the strides and
 * cell_size are the wind's, and the fields are those with `wind` set. */
BillowView billow_wind_view(const BillowView *view);
/* Writes the velocity at the centre of a cell of the smoke, m/s: interpolated linearly between the
 * faces of the wind's cells. The view must have a velocity. */
void billow_cell_velocity(const BillowView *view, const int cell[3], float velocity[3]);

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

/* Time that the stages took in the last billow_step, summed over its substeps. */
typedef struct BillowProfile {
    double ms[BILLOW_STAGES];
    double total_ms;
    double bytes; /* least memory traffic of the step's algorithm, in which each pass reads and
                     writes its arrays once. Divided by total_ms it gives the effective bandwidth */
    int threads;  /* number of threads of the step. It is less than billow_threads where the system
                     starts no more, where OMP_STACKSIZE gives them less than BILLOW_STACK, in a
                     child that a process with threads has forked, and where one is faster */
} BillowProfile;

/* Statistics of the state after the last billow_step. "Since creation" includes no time before the
 * last billow_reset. */
typedef struct BillowStats {
    double time;              /* simulated, s */
    uint64_t steps, substeps; /* since creation */
    double mass;              /* density integrated over the box, m3 */
    double mass_sources;      /* mass that emitters, their expansion, burning and writes through
                                 billow_fields have added since creation, m3 */
    double mass_outflow;    /* mass that has left through open faces since creation, minus the mass
                               that inflows brought, m3 */
    double mass_dissipated; /* mass that dissipation has removed since creation, m3 */
    double mass_cut;   /* mass of the smoke that solids put on it have buried since creation, m3 */
    double mass_drift; /* change of mass that the four members above do not explain, m3. Advection
                          and diffusion conserve mass only approximately; the next step makes good
                          what they have missed, but no more than 5 % of the mass */
    double heat;       /* temperature integrated over the box, K m3 */
    double color[3];   /* density times colour, integrated over the box, m3; 0 without colour */
    double fuel;       /* fuel integrated over the box, m3; 0 without fire */
    double expansion;  /* volume that emitters and burning created in the last substep, per second,
                          m3/s */
    double outflow;    /* volume that left through the faces of the box in the last substep, per
                          second, m3/s; negative if volume entered. Equals `expansion` except for the
                          residual of the projection. 0 in a box with all faces closed */
    double kinetic_energy;       /* for air of 1.2 kg/m3, J */
    double momentum[3];          /* of the fluid, along x, y and z, for air of 1.2 kg/m3, kg m/s */
    double momentum_restored[3]; /* momentum that advection has lost and the steps have given back
                                    since creation, kg m/s. 0 along an axis that is not periodic,
                                    and in a box with solids or with faces other than periodic and
                                    closed ones, which exchange momentum with the air */
    double speed_max;            /* m/s */
    double density_max; /* at least 0. This and the other maxima leave out cells with an infinity or
                           NaN */
    double temperature_max;   /* K above ambient; at least 0 */
    double divergence_max;    /* largest |div u - expansion| in a cell, 1/s */
    double residual_relative; /* L2 norm of div u - expansion after the last projection, divided by
                                 its value before */
    BillowPressure pressure;  /* solver of the last projection */
    int cycles;               /* number of sweeps or cycles of the last projection */
    double cfl;               /* distance that the fastest fluid travels in one substep, cells */
    int last_substeps;        /* number of substeps in the last step */
    uint64_t nonfinite;       /* number of values that are infinite or NaN; normally 0 */
} BillowStats;

/* What the flow radiates as sound, after the last billow_step. Small against the wave length, a
 * volume V that expands radiates the pressure rho V'' / (4 pi r) at the distance r. */
typedef struct BillowSound {
    double time;         /* simulated, s */
    double expansion;    /* V': volume that emitters and burning created in the last substep, per
                            second, m3/s; as in BillowStats */
    double center[3];    /* mean place of what expands or shrinks, weighted with the size of its
                            rate, m; the middle of the box if nothing does */
    double extent;       /* its root mean square distance from there, m */
    double shear;        /* size of the vorticity, integrated over the box, m3/s */
    double shear_speed;  /* root mean square speed, weighted with the size of the vorticity, m/s */
    double shear_center[3]; /* mean place, weighted likewise, m; the middle of the box without */
} BillowSound;

/* The tables of values. Each table describes the members of one structure, to which the offsets of
 * its rows refer. */
typedef enum BillowTable {
    BILLOW_TABLE_DEF, /* members of BillowDef itself */
    BILLOW_TABLE_PARAMS,
    BILLOW_TABLE_BOUNDARY,
    BILLOW_TABLE_EMITTER,
    BILLOW_TABLE_SOLID,
    BILLOW_TABLE_FORCE,
    BILLOW_TABLES
} BillowTable;

/* Returns the rows of a table, with the unit, range, default and meaning of each value. `*count`
 * becomes their number. For a table that does not exist it returns NULL, and `*count` becomes 0. */
const BillowParameter *billow_parameters(BillowTable table, int *count);

typedef struct BillowSim BillowSim;

BillowDef billow_default_def(void);
BillowParams billow_default_params(void);
BillowEmitter billow_default_emitter(void);
BillowSolid billow_default_solid(void);
BillowForce billow_default_force(void);

/* Bytes that billow_create will allocate; 0 if the grid's axes are out of range or `def` is NULL.
 */
size_t billow_bytes_needed(const BillowDef *def);

/* Whether the faces and boundaries agree with each other and with the grid. If not, the message is
 * that of billow_create. */
bool billow_check_faces(const BillowDef *def, BillowError *error);

/* Checks that volume can leave. In a box whose faces are all closed, the volumes that emitters
 * create and remove by expansion must cancel at every time, to within a thousandth. Expansion that
 * varies by noise cannot be balanced. Returns the index of the emitter at fault, with the message
 * of billow_create; -1 if the emitters are balanced. */
int billow_unbalanced(const BillowDef *def, BillowError *error);

/* Two checks, for definitions whose values are in range. The message is that of billow_create.
 *
 * billow_buried: no emitter may be wholly inside solids at rest, and deeper than half a cell.
 * Returns the index of the first such emitter; -1 if there is none.
 *
 * billow_shut: solids at rest must not cover the whole of an inflow face. If there is an inflow,
 * they must not cover all open faces either. Returns the inflow face at fault; -1 if there is none.
 */
int billow_buried(const BillowDef *def, BillowError *error);
int billow_shut(const BillowDef *def, BillowError *error);

/* A likely mistake in a definition that billow_create accepts. */
typedef struct BillowNotice {
    BillowError text;
    int emitter, solid; /* index of the emitter or solid at fault; -1 if none is */
} BillowNotice;

/* Writes the first notices, at most `most`, on a definition that billow_create accepts, and returns
 * their number. Notices are about walls thinner than a cell, which leak; fuel that nothing is hot
 * enough to ignite; and fire that expands in a box whose faces are all closed. */
int billow_notices(const BillowDef *def, BillowNotice *notices, int most);

/* Creates a simulation at rest, with ambient air everywhere. Returns NULL and a message if a value
 * is out of range, the emitters are unbalanced or buried, or memory is short: that
 * of the machine, of the process's control group (Linux), or under its resource limits. */
BillowSim *billow_create(const BillowDef *def, BillowError *error);
void billow_destroy(BillowSim *sim); /* NULL is fine */

/* Why the box no longer grows, in one sentence: it has reached its limit, or memory is short.
 * Names the first side that stopped since creation or billow_reset; "" if none has. The simulation
 * runs on, and smoke leaves through sides that have stopped. Valid until the next call that changes
 * the simulation. */
const char *billow_growth_notice(const BillowSim *sim);

/* Resets the simulation to rest and time 0, as after billow_create, with all statistics 0. A box
 * that has grown gets its first size again.
 * Parameters, emitters and forces are kept. Solids return to those of billow_set_first_solids.
 * Emitters and forces queued for the next step are dropped. */
void billow_reset(BillowSim *sim);

/* Advances by exactly dt seconds, in as many equal substeps as params.cfl requires. Everyday steps
 * are 1/120 to 1/24 s.
 *
 * Returns true on success. Returns false, with the reason in billow_error, in three cases:
 * - dt is outside 0 < dt <= BILLOW_STEP_MAX. Nothing is done.
 * - A value written through billow_fields is infinite or NaN. Nothing is done, so that the caller
 * can correct it.
 * - A value becomes infinite or NaN within the step. No input in range causes this, because values
 *   that emitters release are limited to 1e9 and speeds to 1e9 m/s. With BillowDef.guarded the
 * state before the step is restored, with the emitters and forces queued for it. Otherwise the
 * fields keep the values that the step produced. */
bool billow_step(BillowSim *sim, double dt);

/* Why the last step failed, in one line with field and cell, and in a guarded simulation also stage
 * and substep; "" if it succeeded. Valid until the next step, billow_reset or billow_load_state. */
const char *billow_error(const BillowSim *sim);

/* Advances by `elapsed` seconds of the caller's clock, in as many whole steps of length dt as fit,
 * at most steps_max. The remainder is added to the time of the next call. The two clocks therefore
 * never drift apart. If steps_max is reached, the excess time is dropped: the simulation runs
 * slower than the clock. Returns the number of steps taken. Stops before a step that billow_step
 * refuses. */
int billow_advance(BillowSim *sim, double elapsed, double dt, int steps_max);

/* Replace parameters, emitters or forces. On failure nothing changes. A call fails if a value is
 * out of range, emitters are unbalanced, or an emitter has moved into a solid that buries it. */
bool billow_set_params(BillowSim *sim, const BillowParams *params, BillowError *error);
bool billow_set_emitters(BillowSim *sim, const BillowEmitter *emitters, int count,
                         BillowError *error);
bool billow_set_forces(BillowSim *sim, const BillowForce *forces, int count, BillowError *error);

/* Gives solids new positions and velocities, from which the next steps move them. `count` must be
 * that of the definition. On failure nothing changes. The call fails if a value is out of range. */
bool billow_set_solids(BillowSim *sim, const BillowSolid *solids, int count, BillowError *error);

/* Sets the solids that billow_reset restores. Until the first call they are those of the
 * definition. `count` must be that of the definition. On failure nothing changes. */
bool billow_set_first_solids(BillowSim *sim, const BillowSolid *solids, int count,
                             BillowError *error);

/* Returns a solid in its present state; NULL if `index` is past the last. */
const BillowSolid *billow_solid(const BillowSim *sim, int index);

/* Distance from a point to a solid's surface, m; negative inside. For a volume it is as accurate as
 * the volume's samples. */
double billow_solid_distance(const BillowSolid *solid, const double point[3]);

/* Adds an emitter for the next step only, whatever its start and end, for example a brush. A longer
 * release is added again before each step. Returns false, and adds nothing, if the emitter is NULL
 * or out of range, if BILLOW_EMITTERS_MAX are queued, or if its expansion is not 0 in a box whose
 * faces are all closed. */
bool billow_emit(BillowSim *sim, const BillowEmitter *emitter);

/* Adds a force for the next step only, whatever its start and end. Returns false, and adds nothing,
 * if the force is NULL or out of range or if BILLOW_FORCES_MAX are queued. */
bool billow_push(BillowSim *sim, const BillowForce *force);

BillowParams billow_params(const BillowSim *sim);
BillowView billow_view(const BillowSim *sim);
BillowStats billow_stats(const BillowSim *sim);
BillowProfile billow_profile(const BillowSim *sim);
/* Whether the following steps measure what billow_sound returns, in less than a hundredth of their
 * time. They do not after billow_create. */
void billow_listen(BillowSim *sim, bool on);
BillowSound billow_sound(const BillowSim *sim); /* zeros before the first step that measured it */
const char *billow_stage_name(BillowStage stage); /* such as "advect_velocity"; "" for others */
size_t billow_bytes(const BillowSim *sim);        /* memory of the simulation, bytes */
int billow_threads(const BillowSim *sim);         /* number of threads that a step uses */

/* Hash of 64 bits of every value of every field, the time and the remainder of billow_advance.
 * Equal states have equal hashes on all machines of one byte order. */
uint64_t billow_state_hash(const BillowSim *sim);
/* "relaxation", "multigrid", "conjugate_gradients"; "" for other values */
const char *billow_pressure_name(BillowPressure pressure);

/* The state as bytes: everything that the next steps depend on, except the definition and the
 * parameters, emitters and forces set since creation. Loading a state leaves those unchanged. A
 * simulation of the same definition that loads the state continues to the same hashes, with any
 * number of threads and any instruction set. The bytes are little-endian and include a version, so
 * that they can be stored in files.
 *
 * billow_save_state writes billow_state_bytes bytes, the same number for every state of a
 * definition and, if it is unbounded, of one size of its box. They contain the fields, the
 * pressure, the solids with their motion, the tracers, the clocks, the statistics with their
 * running sums, and what billow_emit and billow_push queued. They do not contain volumes. The
 * simulation that loads the state uses its own volumes, and drops a queued emitter if its
 * definition has no such volume.
 *
 * billow_load_state returns false with the reason, and changes nothing, if the state is damaged, or
 * if it has another grid, box, faces, fire, colour, age, tracers, texture_period or number of
 * solids. Damage to the numbers of a field is only detected if it makes them infinite or NaN. An
 * unbounded box gets the size that it had when the state was saved. Loading such a state may
 * allocate, and fails if memory is short. */
size_t billow_state_bytes(const BillowSim *sim);
void billow_save_state(const BillowSim *sim, void *memory);
/* Does what billow_save_state does, in less time. `memory` already holds an earlier state of this
 * simulation, of billow_state_bytes bytes, and only cells where that state or the present one has
 * smoke are written again. spans: where the smoke of the earlier state is, span_blocks * nz spans
 * laid out as BillowView.spans. Pass what the last call wrote there, or spans from 0 to nx if
 * `memory` may hold anything. The call replaces them by those of the present state. */
void billow_save_state_over(const BillowSim *sim, void *memory, BillowSpan *spans);
bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error);

/* Continues `from` on another grid: gives `sim` the state of `from`, and its parameters, emitters,
 * forces and solids. `from` is not changed. Typical use, to make a running simulation finer:
 *
 *     BillowDef def = ...;                 // of `from`, with other nx, ny, nz, cell_size, origin
 *     BillowSim *finer = billow_create(&def, &error);
 *     if (finer != NULL && billow_resample(finer, from, &error)) { billow_destroy(from); ... }
 *
 * Clocks, statistics, solids in motion, tracers and what billow_emit and billow_push queued are
 * copied. Fields are interpolated linearly, each velocity component between its own faces; on a
 * coarser grid they are averaged. The integrals over the box of density, temperature, fuel, age
 * and colours stay, except for rounding; detail that the new grid cannot show is lost. Cells in
 * solids become empty. There is no pressure until the next step, which projects the velocity.
 * Billow counts the difference of mass as a source, as after billow_fields. On an equal grid the
 * state is copied exactly: the hashes are equal, and stay equal.
 *
 * The result is the same with any number of threads. `sim` keeps its grid, threads and `guarded`.
 * It uses the volumes of `from`, which must exist as long as `sim`. Takes about as long as a stage
 * of a step, and allocates nothing.
 *
 * An unbounded `sim` first grows, or shrinks, until its box encloses that of `from`.
 *
 * Returns false with the reason, and changes nothing, unless both simulations have the same faces,
 * boundaries, fire, color, age, tracers, texture_period and number of solids, and boxes that agree
 * to within a cell of the coarser grid on each side; along periodic axes to within a hundredth of
 * it.
 */
bool billow_resample(BillowSim *sim, const BillowSim *from, BillowError *error);

/* Writable fields, laid out as in the view, for programs that set up states or couple solvers.
 * Values must be finite; the next billow_step checks them. It projects the velocity, which need not
 * be free of divergence. Get the pointers again after each step. */
typedef struct BillowFields {
    float *density, *temperature, *u, *v, *w;
    float *color[3], *fuel; /* NULL without colour; NULL without fire */
} BillowFields;
BillowFields billow_fields(BillowSim *sim);

/* The instruction set of the kernels that billow_create will use: the best one built in that this
 * machine supports, or the one that the environment variable BILLOW_SIMD names if this machine
 * supports it. Unknown names change nothing. Results are the same to the bit with any instruction
 * set. */
const char *billow_simd(void);
/* The instruction sets built in, best first; NULL if `index` is past the last. */
const char *billow_simd_known(int index);
/* BILLOW_VERSION of the library that runs, for programs that load it as a shared object. */
const char *billow_version(void);
/* "OpenMP" and its version as year and month, such as "OpenMP 201511", or "off". */
const char *billow_openmp(void);

#ifdef __cplusplus
}
#endif

#endif
