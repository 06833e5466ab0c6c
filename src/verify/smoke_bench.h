/* SPDX-License-Identifier: MIT
 *
 * Draws a box of smoke with the renderer and reads the picture back as linear light. */
#ifndef VERIFY_SMOKE_BENCH_H
#define VERIFY_SMOKE_BENCH_H

#include "render/gl/context.h"
#include "render/readback.h"
#include "verify/verify.h"

typedef struct Bench {
    BillowView view; /* its cells are one metre wide */
    float *density, *temperature;
    RenderSettings settings;
    RenderFrame frame;
    RenderContext *context;
    Renderer *renderer;
} Bench;

/* Linear light of one pixel. */
typedef struct BenchPixel {
    double radiance[3];       /* radiance of the smoke, without any background */
    double transmittance;     /* mean over the colours, from the alpha of the picture */
    double transmittances[3]; /* transmittance of red, green and blue light */
} BenchPixel;

/* All functions that can fail mark the run as failed. */

/* Returns NULL if memory or OpenGL is missing. */
Bench *bench_open(VerifyRun *run, int nx, int ny, int nz);
void bench_close(Bench *bench);
void bench_fill(Bench *bench, float density);
void bench_albedo(Bench *bench, double albedo); /* sets the same albedo for all colours */

/* Uploads the fields and computes the light in the smoke. Call it after a change of fields or
 * settings. */
bool bench_light(VerifyRun *run, Bench *bench);

/* Draws a picture in front of black. Its rows start at the top. The march takes steps of
 * bench->frame.step cells. */
bool bench_draw(VerifyRun *run, Bench *bench, const RenderCamera *camera, int width, int height,
                BenchPixel *pixels);

/* A camera that looks at target from a distance. ahead: unit vector of the view; fov: degrees. */
RenderCamera bench_camera(const double target[3], const double ahead[3], double distance,
                          double fov);
/* Draws one ray. The result is the mean of a few pixels, whose rays differ only in the positions of
 * their samples. */
bool bench_ray(VerifyRun *run, Bench *bench, const double from[3], const double ahead[3],
               BenchPixel *pixel);

/* Calls renderer_probe. */
bool bench_probe(VerifyRun *run, Bench *bench, RenderProbe probe, int count, const float *in,
                 float *out);

#endif
