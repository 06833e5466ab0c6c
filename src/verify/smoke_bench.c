/* SPDX-License-Identifier: MIT */
#include "smoke_bench.h"

#include "camera.h"
#include "fail.h"

#include <stdlib.h>

void bench_close(Bench *bench)
{
    lighting_destroy(&bench->lighting);
    free(bench->density); /* and the temperature */
    free(bench);
}

Bench *bench_open(VerifyRun *run, int nx, int ny, int nz)
{
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
    Bench *bench = calloc(1, sizeof *bench);
    float *fields = calloc(2 * count, sizeof *fields);
    if (bench == NULL || fields == NULL) {
        free(bench);
        free(fields);
        run->failed = true;
        fail(&run->error, "no memory for smoke of %dx%dx%d cells", nx, ny, nz);
        return NULL;
    }
    bench->density = fields;
    bench->temperature = fields + count;
    bench->view = (BillowView){.nx = nx,
                               .ny = ny,
                               .nz = nz,
                               .stride_y = nx,
                               .stride_z = (ptrdiff_t)nx * ny,
                               .cell_size = 1,
                               .density = bench->density,
                               .temperature = bench->temperature};
    bench->settings = (RenderSettings){.camera = {{0, 0, 0}, 1, 0, 0, 40},
                                       .sun = {0, 45, 0, {1, 1, 1}},
                                       .smoke = {.extinction = 1,
                                                 .extinction_color = {1, 1, 1},
                                                 .glow_kelvin = 1500,
                                                 .glow_range = 1},
                                       .exposure = 1};
    return bench;
}

void bench_fill(Bench *bench, float density)
{
    ptrdiff_t count = bench->view.stride_z * bench->view.nz;
    for (ptrdiff_t i = 0; i < count; i++)
        bench->density[i] = density;
}

bool bench_light(VerifyRun *run, Bench *bench)
{
    const BillowView *view = &bench->view;
    if (!lighting_gather(&bench->lighting, view, &bench->settings, (LightingEffort){1, true, true},
                         &run->error)) {
        run->failed = true;
        return false;
    }
    bool anew;
    if (!lighting_compute(&bench->lighting, &bench->settings, NULL, &anew, &run->error)) {
        run->failed = true;
        return false;
    }
    const Ambient *ambient = &bench->lighting.ambient;
    FrameVolume volume = {.n = {view->nx, view->ny, view->nz},
                          .cell_size = 1,
                          .any = true,
                          .high = {(float)view->nx, (float)view->ny, (float)view->nz}};
    for (int axis = 0; axis < 3; axis++) {
        volume.light_cells[axis] = bench->lighting.direct.n[axis];
        volume.ambient_cells[axis] = ambient->reduction * ambient->n[axis];
    }
    volume.by_color = ambient->lanes > 1;
    volume.glare = lighting_brightness_bound(&bench->settings, 1400, 1); /* no case is hotter, K */
    RenderFrame frame = render_default_frame();
    frame.step = 0.5f;
    Camera camera = camera_from_look(&bench->settings.camera, frame.width, frame.height);
    frame_block_fill(&bench->frame, &bench->settings, &frame, &camera, &volume);
    march_prepare(&bench->march, &bench->frame, view, &bench->lighting, NULL,
                  bench->settings.smoke.glow > 0);
    return true;
}

Marched bench_march(const Bench *bench, Vec3 origin, Vec3 direction)
{
    const float low[3] = {0, 0, 0};
    float begin, end;
    direction = march_safe(direction);
    march_box(origin, direction, low, bench->frame.grid, &begin, &end);
    return march_ray(&bench->march, origin, direction, begin, end, 0.5f,
                     march_surroundings(&bench->frame, direction));
}
