/* SPDX-License-Identifier: MIT
 *
 * The smoke: the grid of the scalars that the flow carries, `refine` times finer along each axis
 * than the wind's, and the cells of it that take part in a step.
 *
 * Scalars know no pressure. Only cells that hold some, and those that it can reach in a step,
 * therefore need time and memory. They are kept as one span of cells for each block of
 * SMOKE_ROWS rows in a plane. In all other cells every scalar is 0, and what they would need is
 * address space alone: the pages there are never touched, or given back.
 *
 * What the wind feels of the smoke (buoyancy, weight, expansion) are means over wind cells. */
#ifndef SIM_SMOKE_H
#define SIM_SMOKE_H

#include "sim/fields/grid.h"
#include "sim/fields/parallel.h"
#include "sim/kernels/kernels.h"
#include "sim/smoke/eddies.h"
#include "sim/sources/sources.h"

typedef struct BillowSim BillowSim;
typedef struct Cut Cut;       /* sim.h */
typedef struct Scalar Scalar; /* field_table.h */

enum {
    SMOKE_ROWS = BILLOW_SPAN_ROWS, /* rows of a block */
    SMOKE_ALIGN = ROW_ALIGNMENT /* spans begin and end at multiples of this, or at the box's end */
};

typedef struct Smoke {
    Grid grid;
    int refine;      /* smoke cells along an edge of a wind cell */
    int blocks;      /* blocks of rows along y */
    float cell_size; /* m */

    Span *spans;            /* cells that take part, per plane and block: [block + k * blocks] */
    Span *saved;            /* spans of BillowSim.saved_state; NULL unless BillowDef.guarded */
    bool filled;            /* whether smoke_fill was called since the last smoke_find */
    Span *written;          /* spans before it */
    Span *content, *work;   /* likewise those that hold anything, or soon do; memory for a pass */
    unsigned char *idle;    /* per block and plane: substeps since its cells took part (smoke.c) */
    FluxRate *winds;        /* of row (j, k) of the wind at [j + k * ny]; outside of advection by
                               fluxes `speed` may be displacements */
    int64_t *before;        /* cells that take part in the planes before k, and in all */
    int64_t *before_blocks; /* likewise in the blocks before a block */

    float *felt_density, *felt_temperature, *felt_flame; /* means over wind cells; NULL if the
                                                            grids are one */

    EddyMemory eddies;

    float *arriving[2]; /* new values of scalars, before they are swapped with the old */
    float *volumes;     /* of the cells' fluid between sweeps (conserve.c) */
    void *memory;       /* of all fields of smoke cells */
    PlacedEmitter *emitters, *queued; /* as those of BillowSim, in cells of the smoke */
} Smoke;

/* Cells begin <= i < end of row (j, k) that take part. */
static inline Span smoke_span(const Smoke *smoke, int j, int k)
{
    return smoke->spans[j / SMOKE_ROWS + (ptrdiff_t)k * smoke->blocks];
}

/* Every row j of plane k that has cells that take part. */
#define FOR_SMOKE_ROWS(smoke, j, k)                                                                \
    for (int j = 0; j < (smoke)->grid.ny; j = smoke_next_row(smoke, j + 1, k))

/* The first row from j on, in plane k, with cells that take part; ny if there is none. */
static inline int smoke_next_row(const Smoke *smoke, int j, int k)
{
    while (j < smoke->grid.ny && smoke_span(smoke, j, k).begin >= smoke_span(smoke, j, k).end)
        j = (j / SMOKE_ROWS + 1) * SMOKE_ROWS;
    return j < smoke->grid.ny ? j : smoke->grid.ny;
}

/* This worker's planes: those of this rank, divided so that all workers have about as many cells
 * that take part. */
Slab smoke_slab(const BillowSim *sim, Team team);
/* This worker's rows along y, in all planes, divided likewise. */
Slab smoke_row_slab(const BillowSim *sim, Team team);

/* Cuts the fields of a definition out of `arena` and stores their addresses in *sim, whose `smoke`
 * has its grid. A base of NULL only measures. */
void smoke_cut_fields(Cut *arena, const BillowDef *def, BillowSim *sim);
/* Likewise what smoke needs beside them. */
void smoke_cut_spans(Cut *arena, const BillowDef *def, BillowSim *sim);
/* Places an emitter in cells of the smoke. */
void smoke_place_emitter(const BillowSim *sim, const BillowEmitter *emitter, PlacedEmitter *placed);
/* Sets the grid for a definition. */
void smoke_set_grid(Smoke *smoke, const BillowDef *def);
/* Sets all fields to 0. No cell takes part. */
void smoke_clear(BillowSim *sim);
/* Lists the scalars of smoke cells: all but texture coordinates. Returns their number. */
int smoke_scalars(const BillowSim *sim, Scalar *list);
/* An emitter of the next step, placed in cells of the smoke. */
const PlacedEmitter *smoke_emitter(const BillowSim *sim, int e);
/* The wind at the faces of smoke cells, from these speeds. */
Wind smoke_wind(const BillowSim *sim, float *const speed[3]);
/* Whether the wind cell around a cell of the smoke is outside of solids. */
bool smoke_is_fluid(const BillowSim *sim, const int cell[3]);
/* Volume of a cell, m3. */
double smoke_cell_volume(const BillowSim *sim);
/* Finds the cells that hold anything, or into which emitters and faces may release something in the
 * next dt. */
void smoke_find(BillowSim *sim, double dt);
/* Lets these cells take part, and those that their content can reach: it comes as far along each
 * axis as `factor` times the winds on its way, and `beside` cells more. Gives back the memory of
 * all others. `winds` holds those of this rank. */
void smoke_widen(BillowSim *sim, double factor, int beside);
/* Lets all cells take part, because a caller may write anywhere. */
void smoke_fill(BillowSim *sim);
/* Likewise, because a pass may write all fields of the smoke anywhere. */
void smoke_fill_all(BillowSim *sim);

/* Implicit diffusion of a scalar over dt, of first order, where cells of the smoke are smaller than
 * those of the wind (smoke_diffuse.c). All cells must take part. */
void smoke_diffuse(BillowSim *sim, const Scalar *scalar, double dt);

/* Writes what the wind feels of density and temperature, or of the flame, to the fields of means.
 * Sums the flame to flame_sum and wind_budgets. */
void smoke_feel(BillowSim *sim);
void smoke_feel_flame(BillowSim *sim);

#endif
