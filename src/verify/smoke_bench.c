/* SPDX-License-Identifier: MIT */
#include "verify/smoke_bench.h"

#include "base/fail.h"
#include "render/upload.h"

#include <stdlib.h>

#define DEGREES 57.29577951308232

void bench_close(Bench *bench)
{
    renderer_destroy(bench->renderer);
    render_context_close(bench->context);
    free(bench->density); /* temperature is in the same allocation */
    free(bench);
}

Bench *bench_open(VerifyRun *run, int nx, int ny, int nz)
{
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
    Bench *bench = calloc(1, sizeof *bench);
    if (bench != NULL)
        bench->density = calloc(2 * count, sizeof *bench->density);
    if (bench == NULL || bench->density == NULL) {
        free(bench);
        run->failed = true;
        fail(&run->error, "no memory for smoke of %dx%dx%d cells", nx, ny, nz);
        return NULL;
    }
    bench->temperature = bench->density + count;
    bench->view = (BillowView){.nx = nx,
                               .ny = ny,
                               .nz = nz,
                               .stride_y = nx,
                               .stride_z = (ptrdiff_t)nx * ny,
                               .cell_size = 1,
                               .density = bench->density,
                               .temperature = bench->temperature};
    bench->settings = (RenderSettings){.sun = {0, 45, 0, {1, 1, 1}},
                                       .smoke = {.extinction = 1,
                                                 .extinction_color = {1, 1, 1},
                                                 .glow_kelvin = 1500,
                                                 .glow_range = 1},
                                       .grade = render_default_settings().grade,
                                       .exposure = 1};
    bench->frame = render_default_frame();
    bench->frame.step = 0.5f;
    bench->frame.transparent = bench->frame.linear = bench->frame.through = true;
    bench->context = render_context_open(&run->error);
    bench->renderer = bench->context != NULL ? renderer_create(NULL, &run->error) : NULL;
    if (bench->renderer != NULL) {
        renderer_light_as(bench->renderer, LIGHT_STILL);
        return bench;
    }
    run->failed = true;
    bench_close(bench);
    return NULL;
}

void bench_fill(Bench *bench, float density)
{
    ptrdiff_t count = bench->view.stride_z * bench->view.nz;
    for (ptrdiff_t i = 0; i < count; i++)
        bench->density[i] = density;
}

void bench_albedo(Bench *bench, double albedo)
{
    for (int c = 0; c < 3; c++)
        bench->settings.smoke.albedo[c] = (float)albedo;
}

bool bench_light(VerifyRun *run, Bench *bench)
{
    run->failed =
        !renderer_upload_whole(bench->renderer, &bench->view, &bench->settings, &run->error);
    return !run->failed;
}

static bool read_pixels(Bench *bench, int count, BenchPixel *pixels, float *values,
                        BillowError *error)
{
    float *linear = values, *through = values + (ptrdiff_t)4 * count;
    if (!renderer_draw(bench->renderer, &bench->settings, &bench->frame, error) ||
        !renderer_read_linear(bench->renderer, linear, error) ||
        !renderer_read_through(bench->renderer, false, through, error))
        return false;
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            pixels[i].radiance[c] = (double)linear[4 * i + c];
            pixels[i].transmittances[c] = (double)through[4 * i + c];
        }
        pixels[i].transmittance = 1 - (double)linear[4 * i + 3];
    }
    return true;
}

bool bench_draw(VerifyRun *run, Bench *bench, const RenderCamera *camera, int width, int height,
                BenchPixel *pixels)
{
    int count = width * height;
    float *values = malloc(8 * sizeof *values * (size_t)count);
    bench->settings.camera = *camera;
    bench->frame.width = width;
    bench->frame.height = height;
    run->failed = values == NULL ? !fail(&run->error, "no memory for a picture of %d pixels", count)
                                 : !read_pixels(bench, count, pixels, values, &run->error);
    free(values);
    return !run->failed;
}

RenderCamera bench_camera(const double target[3], const double ahead[3], double distance,
                          double fov)
{
    RenderCamera camera = {.distance = (float)distance, .fov = (float)fov};
    for (int axis = 0; axis < 3; axis++)
        camera.target[axis] = (float)target[axis];
    camera.azimuth = (float)(DEGREES * atan2(-ahead[0], -ahead[2]));
    camera.elevation = (float)(DEGREES * asin(-ahead[1]));
    return camera;
}

bool bench_ray(VerifyRun *run, Bench *bench, const double from[3], const double ahead[3],
               BenchPixel *pixel)
{
    enum { EDGE = 16 };
    static const double fov = 0.05; /* degrees */
    const double target[3] = {from[0] + ahead[0], from[1] + ahead[1], from[2] + ahead[2]};
    RenderCamera camera = bench_camera(target, ahead, 1, fov);
    BenchPixel pixels[EDGE * EDGE];
    *pixel = (BenchPixel){.transmittance = 0};
    if (!bench_draw(run, bench, &camera, EDGE, EDGE, pixels))
        return false;
    for (int i = 0; i < EDGE * EDGE; i++) {
        for (int c = 0; c < 3; c++) {
            pixel->radiance[c] += pixels[i].radiance[c] / (EDGE * EDGE);
            pixel->transmittances[c] += pixels[i].transmittances[c] / (EDGE * EDGE);
        }
        pixel->transmittance += pixels[i].transmittance / (EDGE * EDGE);
    }
    return true;
}

bool bench_probe(VerifyRun *run, Bench *bench, RenderProbe probe, int count, const float *in,
                 float *out)
{
    run->failed = !renderer_probe(bench->renderer, probe, count, in, out, &run->error);
    return !run->failed;
}
