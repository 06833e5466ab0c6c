/* SPDX-License-Identifier: MIT
 * Smoke made by hand, for tests of the renderer. */
#ifndef TESTS_SMOKE_FIXTURE_H
#define TESTS_SMOKE_FIXTURE_H

#include <billow/billow.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

/* A unit cube (its longest edge, at least) of smoke with the given numbers of cells. */
typedef struct Smoke {
    BillowView view;
    float *density, *temperature;
} Smoke;

static inline Smoke smoke_create(int nx, int ny, int nz)
{
    int longest = nx > ny ? nx : ny;
    longest = longest > nz ? longest : nz;
    Smoke smoke;
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
    smoke.density = calloc(count, sizeof(float));
    smoke.temperature = calloc(count, sizeof(float));
    assert_non_null(smoke.density);
    assert_non_null(smoke.temperature);
    smoke.view = (BillowView){.nx = nx,
                              .ny = ny,
                              .nz = nz,
                              .stride_y = nx,
                              .stride_z = (ptrdiff_t)nx * ny,
                              .cell_size = 1.0f / (float)longest,
                              .density = smoke.density,
                              .temperature = smoke.temperature};
    return smoke;
}

static inline void smoke_destroy(Smoke *smoke)
{
    free(smoke->density);
    free(smoke->temperature);
}

/* A solid ball as a view shows it: its distance at the corners of the cells, in cells, limited to
 * -8..8. The smoke must have room for the corners (smoke_with_room). The caller frees it. */
static inline float *smoke_solid_ball(Smoke *smoke, const float center[3], float radius)
{
    const BillowView *view = &smoke->view;
    size_t count = (size_t)view->stride_z * (size_t)(view->nz + 1);
    float *solid = calloc(count, sizeof *solid);
    assert_non_null(solid);
    for (int k = 0; k <= view->nz; k++)
        for (int j = 0; j <= view->ny; j++)
            for (int i = 0; i <= view->nx; i++) {
                float x = (float)i * view->cell_size - center[0],
                      y = (float)j * view->cell_size - center[1],
                      z = (float)k * view->cell_size - center[2];
                float distance = (sqrtf(x * x + y * y + z * z) - radius) / view->cell_size;
                solid[i + j * view->stride_y + k * view->stride_z] = fminf(fmaxf(distance, -8), 8);
            }
    smoke->view.solid = solid;
    smoke->view.solid_version++;
    return solid;
}

/* Like smoke_create, with rows and planes that are one longer. */
static inline Smoke smoke_with_room(int nx, int ny, int nz)
{
    Smoke smoke = smoke_create(nx + 1, ny + 1, nz + 1);
    smoke.view.nx = nx;
    smoke.view.ny = ny;
    smoke.view.nz = nz;
    int longest = nx > ny ? nx : ny;
    smoke.view.cell_size = 1.0f / (float)(longest > nz ? longest : nz);
    return smoke;
}

/* A ball with a soft rim, off centre so that nothing is symmetric. */
static inline Smoke smoke_ball(int nx, int ny, int nz)
{
    Smoke smoke = smoke_create(nx, ny, nz);
    float h = smoke.view.cell_size, *out = smoke.density;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                float x = ((float)i + 0.5f) * h - 0.45f, y = ((float)j + 0.5f) * h - 0.4f,
                      z = ((float)k + 0.5f) * h - 0.55f;
                float r = sqrtf(x * x + y * y + z * z);
                *out++ = fminf(fmaxf((0.28f - r) / 0.12f, 0), 1);
            }
    return smoke;
}

#endif
