/* SPDX-License-Identifier: MIT
 *
 * A box of smoke that the renderer lights and draws. The picture is read back as linear light. */
#ifndef VERIFY_SMOKE_BENCH_H
#define VERIFY_SMOKE_BENCH_H

#include "context.h"
#include "renderer.h"
#include "verify.h"

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
    double radiance[3];       /* of the smoke alone */
    double transmittance;     /* mean of the colours, from the picture's alpha */
    double transmittances[3]; /* of red, green and blue */
} BenchPixel;

/* All functions that can fail mark the run as failed. */

/* Returns NULL if memory or OpenGL is missing. */
Bench *bench_open(VerifyRun *run, int nx, int ny, int nz);
void bench_close(Bench *bench);
void bench_fill(Bench *bench, float density);
void bench_albedo(Bench *bench, double albedo); /* the same for all colours */

/* Uploads the fields, and computes the light. Call it after changes of fields or settings. */
bool bench_light(VerifyRun *run, Bench *bench);

/* Draws a picture over black, rows from the top. A step of the march is bench->frame.step cells
 * long. */
bool bench_draw(VerifyRun *run, Bench *bench, const RenderCamera *camera, int width, int height,
                BenchPixel *pixels);

/* A camera at a distance from its target. ahead: unit direction of its view; fov: degrees. */
RenderCamera bench_camera(const double target[3], const double ahead[3], double distance,
                          double fov);
/* Draws one ray: the mean of pixels so close together that they differ only in the positions of
 * their samples along the ray. */
bool bench_ray(VerifyRun *run, Bench *bench, const double from[3], const double ahead[3],
               BenchPixel *pixel);

/* Calls renderer_probe. */
bool bench_probe(VerifyRun *run, Bench *bench, RenderProbe probe, int count, const float *in,
                 float *out);

#endif
