/* SPDX-License-Identifier: MIT
 *
 * Cuts creases into the edges of a view's smoke, for pictures in motion: the smoke of a coarse grid
 * ends smoothly, where real smoke parts into lobes. The magnitude of noise is a row of rounded
 * hills between narrow valleys; smoke stays under the hills. The noise drifts with the wind, which
 * distorts it: two sets of coordinates follow the wind, and start anew in turn while their weight
 * is 0 (Neyret 2003). The up-resolution erodes stills in the same way (billow/upres.h), by
 * coordinates that the simulation carries if a scene asks for them. */
#ifndef RENDER_CREASES_H
#define RENDER_CREASES_H

#include <billow/billow.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero: no memory yet. */
typedef struct Creases {
    int8_t *tile;    /* the noise, or NULL */
    float *moved[2]; /* per cell of the wind: how far the fluid has come since each set began, and
                        how much the noise is compressed; and memory for the next step */
    float *tops;  /* largest densities of blocks of cells and those around, and of blocks alone */
    double *sums; /* of the density before and after, per plane of cells */
    int wind[3], cells[3], blocks[3];
    float origin[3], cell_size; /* of the last view, m */
    double time;                /* of the last view, s */
    double turn;                /* age of the noise: in times after which a set starts anew */
} Creases;

/* Moves the noise with the wind of `view` up to its time; without wind it stays where it is. Call
 * it for each view, whose box may have grown since. Returns false if memory is short. */
bool creases_follow(Creases *creases, const BillowView *view);

/* Copies the density of the last view, given as `density`, to `to`, both laid out like it, less
 * what creases cut away, and scaled so that the sum stays. depth: 0 to 1, as upres.erosion. */
void creases_cut(const Creases *creases, const BillowView *view, const float *density, float depth,
                 float *to);

/* Frees the memory. */
void creases_end(Creases *creases);

#endif
