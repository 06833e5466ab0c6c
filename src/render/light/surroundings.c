/* SPDX-License-Identifier: MIT */
#include "surroundings.h"

#include "camera.h"

#include <math.h>
#include <string.h>

Surroundings surroundings_of(const RenderSettings *settings)
{
    const RenderSky *sky = &settings->sky;
    Surroundings around;
    float sun[3];
    camera_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    for (int c = 0; c < 3; c++) {
        around.zenith[c] = sky->intensity * sky->zenith[c];
        around.horizon[c] = sky->intensity * sky->horizon[c];
        /* The shader's share of horizon is exp(-6 up), on average (1 - exp(-6)) / 6 = 0.166. */
        around.sky[c] = 0.834f * around.zenith[c] + 0.166f * around.horizon[c];
        float sunlight = settings->sun.intensity * settings->sun.color[c] * fmaxf(sun[1], 0);
        around.ground[c] = settings->ground.visible ? settings->ground.color[c] *
                                                          (sunlight / 3.14159265f + around.sky[c])
                                                    : 0.5f * around.horizon[c];
    }
    return around;
}

void surroundings_radiance(const void *context, const float from[3], float rgb[3])
{
    const Surroundings *around = context;
    if (from[1] < 0) {
        memcpy(rgb, around->ground, sizeof around->ground);
        return;
    }
    float low = expf(-6 * from[1]);
    for (int c = 0; c < 3; c++)
        rgb[c] = (1 - low) * around->zenith[c] + low * around->horizon[c];
}
