/* SPDX-License-Identifier: MIT
 *
 * What is around the box: the radiance that comes from each direction. A sky of two colours is a
 * formula (shaders/backdrop.frag has the same one); every other kind is a map of all directions,
 * which the shaders draw and whose integrals light the smoke, the solids and the ground. */
#ifndef RENDER_SURROUNDINGS_H
#define RENDER_SURROUNDINGS_H

#include "base/render_settings.h"

#include <billow/error.h>
#include <stdint.h>

enum { AMBIENT_DIRECTIONS = 24, SURROUNDINGS_BANDS = 9 };

/* -- the map ----------------------------------------------------------------------------------- */

/* Texels along both axes of the copy of the map that lights the scene. */
enum { SURROUNDINGS_WIDE = 128, SURROUNDINGS_HIGH = 64 };

/* The values that a map depends on. Values that its kind does not use are 0. */
typedef struct SurroundingsKey {
    RenderSurroundingsKind kind;
    float elevation, haze;              /* of the sun, degrees, and of the air */
    float sunlight[3], color[3], boxes; /* of a studio: the sun's light on the floor, albedo, and
                                           radiance of the softboxes */
} SurroundingsKey;

/* An equirectangular map. Column i is at the azimuth ((i + 1/2) / width) 360 degrees, in the
 * convention of render_direction, row j at the elevation ((j + 1/2) / height - 1/2) 180 degrees. */
typedef struct SurroundingsMap {
    SurroundingsKey key;
    int width, height;
    float *radiance; /* 3 floats a texel; NULL: freed, or no map */
    float *light;    /* SURROUNDINGS_WIDE x SURROUNDINGS_HIGH texels, without the sun */
    /* The sun of a panorama: where it is, and its irradiance; 0: it has none. */
    float sun_azimuth, sun_elevation, sun[3];
    char file[RENDER_SURROUNDINGS_FILE]; /* panorama that the map holds; empty: none */
    bool sun_taken;                      /* whether `light` leaves the sun out */
    uint64_t version;                    /* counts the maps made */
} SurroundingsMap;

/* Whether settings have surroundings with a map. */
bool surroundings_mapped(const RenderSettings *settings);

/* Makes the map for settings, unless *map is it already. again: reads a panorama's file even if it
 * was read. Fails, and leaves *map as it was, if memory is short or the file cannot be read. */
bool surroundings_map_make(SurroundingsMap *map, const RenderSettings *settings, bool again,
                           BillowError *error);
void surroundings_map_destroy(SurroundingsMap *map);

/* The settings as the surroundings change them: the sun as air dims it or a panorama shows it, the
 * floor as the studio's. The gradient changes nothing. */
RenderSettings surroundings_apply(const RenderSettings *settings, const SurroundingsMap *map);

/* Factor on the map's radiance, and its turn around y, degrees. */
float surroundings_scale(const RenderSettings *settings);
float surroundings_turn(const RenderSettings *settings);

/* -- its light --------------------------------------------------------------------------------- */

/* Light from outside the box. */
typedef struct Surroundings {
    float zenith[3], horizon[3]; /* radiance of a sky of two colours at the zenith and at the
                                    horizon */
    float sky[3];                /* mean radiance of the upper hemisphere */
    float ground[3];             /* mean radiance of the lower hemisphere */
    /* The ground below the box, if the smoke shades it: its albedo, and the radiance that full
     * sunlight gives it. All 0 otherwise; `ground` then shines there too. */
    float ground_albedo[3], ground_sun[3];
    /* Of a map, with the ground below the horizon: mean radiance around each direction of
     * ambient.h, and spherical harmonics of order 0 to 2. */
    bool mapped;
    float outside[AMBIENT_DIRECTIONS][3];
    float bands[SURROUNDINGS_BANDS][3];
} Surroundings;

/* settings: as surroundings_apply returns them. map: NULL if the surroundings have none. */
Surroundings surroundings_of(const RenderSettings *settings, const SurroundingsMap *map);

#endif
