/* SPDX-License-Identifier: MIT
 *
 * All light in a box of smoke: the sun's, straight (light_volume.h), and what comes from all sides
 * (ambient.h). Scattering that prefers ahead, of mean cosine g, is parted: a share f of it counts
 * as no scattering at all, the rest as alike to all sides (similarity, van de Hulst 1980),
 *
 *     s = 1 - albedo f,    extinction' = s extinction,    albedo' = 1 - (1 - albedo) / s
 *
 * with the similarity factor s and the transmittance T' = T^s. Only the sun's, on its first way
 * off, is scattered as it really is (TMS, Nakajima & Tanaka 1988). The eye then sees, per unit of
 * opacity,
 *
 *     albedo / s p(theta) E T' + albedo' J + emission
 *
 * with the phase function p, the sun's irradiance E, and J the mean radiance of all other light: of
 * sky and glow, and of what has been scattered before.
 *
 * p, however, is of all that scatters, and T' lets through what f of that had: what is scattered
 * ahead and then off is there twice. From the sun's place that is hidden behind its
 * brightness_bound. A lamp in the smoke is seen from all sides, and twice too bright in thick
 * smoke. So of its light only the part that came straight, from lamp to smoke to eye, is scattered
 * by p, the rest by what of p the parting leaves:
 *
 *     w p(theta) + (1 - w) c p'(theta),    w = (T / T') from lamp and to eye
 *
 * with p' of mean cosine (g - f) / (1 - f), the irradiance being I / r^2 at a distance r. Energy
 * asks for c = 1 - f, reflection by thick smoke for more. c = (1 - f)^0.6 has both within 5 %, and
 * within 10 % at 12 units of depth around a lamp, where J is too bright for another reason (s is
 * not 1 - albedo g); see billow verify lamp-scattering. */
#ifndef RENDER_LIGHTING_H
#define RENDER_LIGHTING_H

#include "ambient.h"
#include "blackbody.h"
#include "lamp_volume.h"
#include "light_volume.h"
#include "render_settings.h"
#include "solid_light.h"

/* The sun's optical depth and the ambient light side by side, on the cells of the direct light. A
 * ray then needs a single texture look-up for both. */
typedef struct LightJoin {
    float *values; /* per cell: depth, and red, green and blue of J; NULL: not joined */
    float *rows;   /* scratch: one row of the ambient light for each plane */
    size_t floats;
} LightJoin;

typedef struct Lighting {
    LightVolume direct;
    LampVolume lamps;
    Ambient ambient;
    LightJoin join; /* both volumes joined, for windows; empty if rays sample them separately */
    float origin[3], cell; /* the grid's corner and the edge of its cells, m */
    float size[3];         /* edges of the whole grid, m */
    bool hot;              /* whether anything may glow */
    bool ground_glows;     /* whether glow lights the ground */
    float ground[4 * GROUND_GLOW * GROUND_GLOW]; /* map of ground_glow_map() */
    float *matter; /* optics of each cell of the ambient light: see lighting.c */
    float glow[4 * BLACKBODY_ENTRIES]; /* blackbody_table for glow_scale */
    BlackbodyScale glow_scale;         /* scale of `glow`; 0: not computed yet */
    RenderSettings lit;                /* settings that the light was computed for */
    bool known;                        /* whether the light was computed */
    bool fine;                         /* J is solved from 0 each time */
    double enough;                     /* change of J at which sweeps stop: see ambient_sweep */
} Lighting;

/* Quality settings. reduction: cells of the grid along the edge of a cell of the direct light, 1
 * or 2. fine: computes J at a higher resolution and until it has converged, for stills. hot:
 * whether hot smoke may glow. */
typedef struct LightingEffort {
    int reduction;
    bool fine, hot;
} LightingEffort;

/* Collects from a view what the light depends on. Of the settings, only flame and glow matter here.
 * Memory is reused from call to call. Fails if memory is short. */
bool lighting_gather(Lighting *lighting, const BillowView *view, const RenderSettings *settings,
                     LightingEffort effort, BillowError *error);

/* Computes the light for settings, after lighting_gather. If the settings have changed, all of it;
 * otherwise half an order of scattering more. *changed: whether there was anything left to compute.
 * solids: obstacles to the light, or NULL. Fails if memory is short. */
bool lighting_compute(Lighting *lighting, const RenderSettings *settings, const SolidLight *solids,
                      bool *changed, BillowError *error);

/* Whether lighting_compute has run for these settings since lighting_gather. */
bool lighting_is_for(const Lighting *lighting, const RenderSettings *settings);

/* The colours of hot smoke: a table of BLACKBODY_ENTRIES colours. */
const float *lighting_glow(Lighting *lighting, const RenderSmoke *smoke);

/* Resets J to 0, as for another simulation. */
void lighting_forget(Lighting *lighting);
void lighting_destroy(Lighting *lighting);

/* Whether smoke dims colours differently. colored: whether the smoke has colours. */
bool lighting_by_color(const RenderSmoke *smoke, bool colored);
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

/* The optics above, without the smoke's own colours. */
typedef struct LightingOptics {
    float similarity, albedo[3];
    float rest_share, rest_cosine; /* c, and the mean cosine of p' */
} LightingOptics;
LightingOptics lighting_optics(const RenderSmoke *smoke);

#endif
