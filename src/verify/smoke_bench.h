/* SPDX-License-Identifier: MIT
 *
 * A box of smoke on an optical bench: lit and drawn by the renderer, read back as linear light. */
#ifndef VERIFY_SMOKE_BENCH_H
#define VERIFY_SMOKE_BENCH_H

#include "context.h"
#include "renderer.h"
#include "verify.h"

typedef struct Bench {
    BillowView view; /* cells of one metre */
    float *density, *temperature;
    RenderSettings settings;
    RenderFrame frame;
    RenderContext *context;
    Renderer *renderer;
} Bench;

/* What one pixel shows, in linear light. */
typedef struct BenchPixel {
    double radiance[3];       /* of the smoke alone */
    double transmittance;     /* of all light, as the picture has it */
    double transmittances[3]; /* of red, green and blue */
} BenchPixel;

/* NULL, and the run is failed, where memory or OpenGL is missing. */
Bench *bench_open(VerifyRun *run, int nx, int ny, int nz);
void bench_close(Bench *bench);
void bench_fill(Bench *bench, float density);

/* Takes the density, the temperature and the settings. False, and the run is failed, where memory
 * is missing. */
bool bench_light(VerifyRun *run, Bench *bench);

/* Draws width * height pixels, rows from the top, over black; steps have bench->frame.step cells.
 * False, and the run is failed, where the renderer fails. */
bool bench_look(VerifyRun *run, Bench *bench, const RenderCamera *camera, int width, int height,
                BenchPixel *pixels);

/* A camera so far from a place that it looks at; ahead: unit direction in which it looks. */
RenderCamera bench_camera(const double target[3], const double ahead[3], double distance,
                          double fov);
/* One ray, as the mean of a few pixels so close together that they differ only in where along the
 * ray they take their samples. */
bool bench_ray(VerifyRun *run, Bench *bench, const double from[3], const double ahead[3],
               BenchPixel *pixel);

/* renderer_probe; false, and the run is failed, where the renderer fails. */
bool bench_probe(VerifyRun *run, Bench *bench, RenderProbe probe, int count, const float *in,
                 float *out);

#endif
