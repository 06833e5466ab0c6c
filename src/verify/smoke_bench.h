/* SPDX-License-Identifier: MIT
 *
 * A box of smoke on an optical bench: lit as a picture's, and looked through ray by ray. */
#ifndef VERIFY_SMOKE_BENCH_H
#define VERIFY_SMOKE_BENCH_H

#include "march.h"
#include "verify.h"

/* Cells of one metre; the look and the density are the case's to set. */
typedef struct Bench {
    BillowView view;
    float *density, *temperature;
    RenderSettings settings;
    Lighting lighting;
    FrameBlock frame;
    March march;
} Bench;

/* NULL, and the run is failed, without memory. */
Bench *bench_open(VerifyRun *run, int nx, int ny, int nz);
void bench_close(Bench *bench);
void bench_fill(Bench *bench, float density);
/* Once density and look are set. False, and the run is failed, without memory. */
bool bench_light(VerifyRun *run, Bench *bench);
/* Along a whole ray through the box, with steps of bench->frame.march[0] cells. */
Marched bench_march(const Bench *bench, Vec3 origin, Vec3 direction);

#endif
