/* SPDX-License-Identifier: MIT
 *
 * Cuts creases into the edges of a view's smoke, for pictures in motion: the smoke of a coarse grid
 * ends smoothly, where real smoke parts into lobes. The magnitude of noise is a row of rounded
 * hills between narrow valleys; smoke stays under the hills. The noise drifts with the wind, which
 * distorts it: two sets of coordinates follow the wind, and start anew in turn while their weight
 * is 0 (Neyret 2003), the later the less the wind has distorted them. The up-resolution erodes
 * stills in the same way (billow/upres.h); its coordinates come from the simulation, if it has them
 * (BillowDef.texture_period). */
#ifndef RENDER_CREASES_H
#define RENDER_CREASES_H

#include <billow/billow.h>
#include <stdbool.h>
#include <stdint.h>

/* Begins with all members 0: without memory. */
typedef struct Creases {
    int8_t *tile;    /* the noise, or NULL */
    float *moved[2]; /* per cell of the wind: how far the fluid has come since each set began, and
                        how much the noise is compressed; and memory for the next step */
    float *tops;  /* two arrays, one value per block of cells: the largest density in the block and
                     its neighbours, and that in the block alone */
    double *sums; /* per plane of cells, of the density before and after a cut; or per plane of the
                     wind's cells, of their compression and their number */
    int wind[3], cells[3], blocks[3];
    float origin[3], cell_size; /* of the last view, m */
    double time;                /* of the last view, s */
    double turn;                /* age of the noise, in times after which a set starts anew */
    double worn;                /* mean compression beyond 1 of the noise where there is smoke */
} Creases;

/* Moves the noise with the wind of `view` up to its time; without velocity, or if time has not
 * moved on, it stays as it is. Call it for each view, whose box may have grown since the one
 * before. Returns false if memory is short. */
bool creases_follow(Creases *creases, const BillowView *view);

/* Cuts creases into a density of the view that creases_follow had last. density, to: laid out like
 * the view's own density; `to` receives what is left, scaled so that the sum stays. depth: 0 to 1;
 * edges are cut a little deeper than by an upres.erosion of this value, since the cells are
 * coarser. Smoke as dense as all around it stays whole. */
void creases_cut(Creases *creases, const BillowView *view, const float *density, float depth,
                 float *to);

/* Begins another simulation: frees all memory but the noise's. */
void creases_forget(Creases *creases);
/* Frees the memory. */
void creases_end(Creases *creases);

#endif
