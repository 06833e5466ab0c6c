/* SPDX-License-Identifier: MIT
 *
 * All light in a box of smoke: the sun's, straight (light_volume.h), and what comes from all sides
 * (ambient.h). Of the light scattered by smoke whose phase function p has the mean cosine g, a
 * share f = 0.92 g counts as not scattered at all, and the rest as scattered alike to all sides
 * (similarity, van de Hulst 1980). With a the albedo times the smoke's colour, for each colour of
 * light,
 *
 *     s = 1 - a f,    extinction' = s extinction,    albedo' = a (1 - f) / s
 *
 * with the similarity factor s and the transmittance T' = T^s. The eye then sees, per unit of
 * opacity' 1 - T',
 *
 *     a / s E T' (w p(x g) + (1 - w) c / (4 pi)) + albedo' J + emission / s
 *
 * with the irradiance E of the sun or of a lamp, and J the mean radiance of all other light: of sky
 * and glow, and of what has been scattered before. Light that comes straight is scattered by p
 * (TMS, Nakajima & Tanaka 1988): w = x = 1. Light that has been scattered ahead on its way comes
 * from many directions.
 *
 * The sun's light keeps its direction for a few scatterings. As n scatterings by the phase function
 * of Henyey and Greenstein make one whose mean cosine is g^n, p is taken with a smaller mean
 * cosine: x = (T / T')^0.22, all the way from the sun by the smoke to the eye, and w = x (1.2 - 0.2
 * x). The light of lamps comes from near: w = T / T' and x = 1.
 *
 * Energy asks for c = 1 - f; reflection by thick smoke for more, smaller lobes for less. c = 1 - f
 * (1.25 + f) for the sun, at least 0, and (1 - f)^0.63 for lamps have all. These numbers and the
 * 0.92 are fitted to a path tracer: see billow verify multiple-scattering, colored-scattering and
 * lamp-scattering. In smoke where g is above 0.7, a quarter of the picture can be 20 % off. */
#ifndef RENDER_LIGHTING_H
#define RENDER_LIGHTING_H

#include "base/render_settings.h"
#include "render/light/ambient.h"
#include "render/light/blackbody.h"
#include "render/light/bricks.h"
#include "render/light/lamp_volume.h"
#include "render/light/light_volume.h"
#include "render/light/solid_light.h"

/* The light for the picture, on the cells of the direct light. */
typedef struct LightShown {
    float *depth;  /* root of the optical depth to the sun, sharpened by light_volume_sharpen */
    float *joined; /* per cell: the root, and red, green and blue of J, so that a ray needs a
                      single texture look-up for both; NULL: not joined */
    float *rows;   /* scratch: one row of the ambient light for each plane; NULL: not joined */
    size_t floats;
} LightShown;

typedef struct Lighting {
    LightVolume direct;
    LampVolume lamps;
    Ambient ambient;
    LightShown shown;      /* joined for small grids of grey smoke in windows */
    float origin[3], cell; /* the grid's corner and the edge of its cells, m */
    float size[3];         /* edges of the whole grid, m */
    bool hot;              /* whether anything may glow */
    bool ground_glows;     /* whether glow lights the ground */
    float ground[4 * GROUND_GLOW * GROUND_GLOW]; /* map of ground_glow_map() */
    float *matter; /* optics of each cell of the ambient light: see lighting.c */
    float glow[4 * BLACKBODY_ENTRIES];    /* blackbody_table for glow_scale */
    BlackbodyScale glow_scale;            /* scale of `glow`; 0: not computed yet */
    const Surroundings *around;           /* light of a map; NULL: the surroundings have none */
    uint64_t around_version, lit_version; /* of `around` now, and when the light was computed */
    RenderSettings lit;                   /* settings that the light was computed for */
    bool known;                           /* whether the light was computed */
    bool by_color;                        /* whether smoke dims colours differently */
    bool fine;                            /* J is solved from 0 each time */
    double enough;                        /* change of J at which sweeps stop: see ambient_sweep */
} Lighting;

/* Quality settings. reduction: cells of the grid along the edge of a cell of the direct light. hot:
 * the bricks of the view, whose temperatures say where smoke may glow; NULL: none glows. */
typedef struct LightingEffort {
    int reduction;
    LightFineness fineness;
    const Bricks *hot;
} LightingEffort;

/* Collects from a view what the light depends on. Of the settings, only flame, glow and the ramps
 * matter here. Memory is reused from call to call. Fails if memory is short. */
bool lighting_gather(Lighting *lighting, const BillowView *view, const RenderSettings *settings,
                     LightingEffort effort, BillowError *error);

/* Completes what was collected with that of the other ranks. Called by all ranks, where there are
 * any, after lighting_gather. */
void lighting_share(Lighting *lighting);
/* Number of planes beside a rank's own that lighting_gather uses. */
int lighting_planes_beside(const int cells[3], LightingEffort effort);

/* Computes the light for settings, after lighting_gather. If the settings have changed, all of it;
 * otherwise half an order of scattering more. *changed: whether there was anything left to compute.
 * solids: obstacles to the light, or NULL. Fails if memory is short. */
bool lighting_compute(Lighting *lighting, const RenderSettings *settings, const SolidLight *solids,
                      bool *changed, BillowError *error);

/* Whether lighting_compute has run for these settings since lighting_gather. */
bool lighting_is_for(const Lighting *lighting, const RenderSettings *settings);

/* The colours of hot smoke: a table of BLACKBODY_ENTRIES colours. */
const float *lighting_glow(Lighting *lighting, const RenderSmoke *smoke);

void lighting_destroy(Lighting *lighting);

/* Whether smoke dims colours differently. colored: whether the smoke has colours. */
bool lighting_by_color(const RenderSmoke *smoke, bool colored);
/* Whether the similarity factor differs between colours of light. colored: as above. */
bool lighting_spread_by_color(const RenderSmoke *smoke, bool colored);
/* The largest extinction of any colour of light, 1/m per unit of density. */
float lighting_most_extinction(const RenderSmoke *smoke);
/* lighting_risen: share of the sun's disc above the horizon, as the visible ground hides light from
 * below; the disc counts as 2 degrees wide. lighting_lamp_counts: whether a lamp is above the
 * ground. floor: height of the ground, m. */
float lighting_risen(const RenderSettings *settings);
bool lighting_lamp_counts(const RenderSettings *settings, int lamp, float floor);
/* Upper bound of the brightness of smoke that glows or is lit by lamps, relative to white in the
 * picture; 1 to 1000. Bright smoke shows at lower opacity and through more smoke, so that rays must
 * be marched further. hottest: K. cell: edge of a cell, m. */
float lighting_brightness_bound(const RenderSettings *settings, float hottest, float cell);

/* The optics above. */
typedef struct LightingOptics {
    float ahead;                 /* f */
    float sun_share, lamp_share; /* c of the sun's light and of the lamps' */
} LightingOptics;
LightingOptics lighting_optics(const RenderSmoke *smoke);

#endif
