/* SPDX-License-Identifier: MIT
 * Smoke made by hand, for the tests of what draws it. */
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
