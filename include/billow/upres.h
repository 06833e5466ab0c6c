/* SPDX-License-Identifier: MIT
 *
 * Up-resolution: a view with 2 to 4 times the cells along each axis, for pictures and files. It
 * adds what the grid of the simulation cannot hold: sharp edges, and folds smaller than a cell.
 *
 *     BillowUpresDef def = billow_default_upres();
 *     BillowView view = billow_view(sim);
 *     BillowUpres *upres = billow_upres_create(&view, &def, &error);
 *     BillowView fine = billow_upres_view(upres, &view);
 *     billow_upres_destroy(upres);
 *
 * It reads the view alone: it does not change the simulation, needs no history, and gives the same
 * bits at any number of threads. It does not know the flow inside a cell: the folds are noise with
 * the strength and the spectrum of turbulence, not a solution of the equations. */
#ifndef BILLOW_UPRES_H
#define BILLOW_UPRES_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BillowUpres BillowUpres;

#define BILLOW_UPRES_MIN       2
#define BILLOW_UPRES_MAX       4
#define BILLOW_UPRES_SHARP_MAX 8

typedef struct BillowUpresDef {
    int factor;       /* fine cells per cell along each axis, BILLOW_UPRES_MIN to BILLOW_UPRES_MAX;
                         default
                         2. Memory and time grow with its cube */
    float turbulence; /* how far folds displace smoke, as root mean square along each axis, cells of
                         the simulation; 0 to 4; default 1.5. Displaced is only smoke whose flow is
                         sheared or strained */
    int sharpening;   /* passes that steepen the edges of the smoke, 0 to BILLOW_UPRES_SHARP_MAX;
                         default 3. Each makes them about half a cell narrower, down to one cell */
    float erosion;    /* how deep noise cuts into the edges of the smoke, 0 to 1; default 0. 1 cuts
                         to where density is 0.7 of the largest within two cells. What is left has
                         the mass of before, and is denser for that */
    int threads;      /* 0: as many as in billow_create; default 0 */
} BillowUpresDef;

BillowUpresDef billow_default_upres(void);

/* Allocates memory for views with the grid and the fields of this one. NULL, with a message, if a
 * value is out of range, `view` or `def` is NULL, the view has no density, or memory is short. */
BillowUpres *billow_upres_create(const BillowView *view, const BillowUpresDef *def,
                                 BillowError *error);
void billow_upres_destroy(BillowUpres *upres); /* NULL is fine */

/* Returns the fine view of a view. It has density, temperature, colour, fuel and flame, each where
 * `view` has it, and the velocity and solids of `view`, whose cells are `refine` fine cells long;
 * no pressure or texture coordinates. The scalars are 0 where there is neither smoke nor fuel
 * nearby. If `view` has texture coordinates (BillowDef.texture_period), the folds drift with the
 * smoke; otherwise they change in place. `view` must have the cells and fields of the view that
 * `upres` was created with. Valid until the next call for `upres`, and as long as `view`. */
BillowView billow_upres_view(BillowUpres *upres, const BillowView *view);

/* Memory that billow_upres_create would allocate, bytes. */
double billow_upres_bytes(const BillowView *view, const BillowUpresDef *def);

#ifdef __cplusplus
}
#endif

#endif
