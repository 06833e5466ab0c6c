/* SPDX-License-Identifier: MIT
 *
 * All light in a box of smoke: the sun's, straight (light_volume.h), and what comes from all sides
 * (ambient.h). Scattering that prefers ahead, of mean cosine g, is parted: a share f of it counts
 * as no scattering at all, the rest as alike to all sides (similarity, van de Hulst 1980),
 *
 *     kept = 1 - albedo f,    extinction' = kept extinction,    albedo' = 1 - (1 - albedo) / kept
 *
 * with T' = T^kept what of the light gets through. Only the sun's, on its first way off, is
 * scattered as it really is (TMS, Nakajima & Tanaka 1988). The eye then sees, per unit of opacity,
 *
 *     albedo / kept p(theta) E T' + albedo' J + emission
 *
 * with the phase function p, the sun's irradiance E, and J the mean radiance of all other light: of
 * sky and glow, and of what has been scattered before.
 *
 * p, however, is of all that scatters, and T' lets through what f of that had: what is scattered
 * ahead and then off is there twice. From the sun's place that is hidden behind its glare. A lamp
 * in the smoke is seen from all sides, and twice too bright in thick smoke. So of its light only
 * the part that came straight, from lamp to smoke to eye, is scattered by p, the rest by what of p
 * the parting leaves:
 *
 *     w p(theta) + (1 - w) c p'(theta),    w = (T / T') from lamp and to eye
 *
 * with p' of mean cosine (g - f) / (1 - f), the irradiance being I / r^2 at a distance r. Energy
 * asks for c = 1 - f, reflection by thick smoke for more. c = (1 - f)^0.6 has both within 5 %, and
 * within 10 % at 12 units of depth around a lamp, where J is too bright for another reason (kept is
 * not 1 - albedo g); see billow verify lamp-scattering. */
#ifndef RENDER_LIGHTING_H
#define RENDER_LIGHTING_H

#include "ambient.h"
#include "blackbody.h"
#include "ground_glow.h"
#include "lamp_volume.h"
#include "light_volume.h"
#include "render_settings.h"
#include "solid_light.h"

/* The sun's optical depth and the light from all sides, side by side on the direct light's cells:
 * a ray then needs one texture look-up for both. */
typedef struct LightJoin {
    float *values; /* of the direct light's cells: depth, and J's red, green and blue; NULL: none */
    float *rows;   /* scratch: of each plane one row of the ambient light */
    size_t floats;
} LightJoin;

typedef struct Lighting {
    LightVolume direct;
    LampVolume lamps;
    Ambient ambient;
    LightJoin join;        /* of both, for windows: empty where rays look for each */
    float origin[3], cell; /* the grid's corner and the edge of its cells, m */
    float size[3];         /* and of all of it */
    bool hot;              /* whether to look for what glows; */
    bool ground_glows;     /* whether that lights the ground, and how: */
    float ground[4 * GROUND_GLOW * GROUND_GLOW]; /* ground_glow.h */
    float *matter;                     /* of each of the ambient light's cells: see lighting.c */
    float glow[4 * BLACKBODY_ENTRIES]; /* of glow_scale: blackbody_table */
    BlackbodyScale glow_scale;         /* 0 until it is asked for */
    RenderSettings lit;                /* what it was computed for; */
    bool known;                        /* whether it was */
    bool fine;                         /* found from nothing each time, whatever was before */
    double enough;                     /* see ambient_sweep */
} Lighting;

/* How good it is to be. reduction: cells of the grid along one of the direct light's, 1 or 2. fine:
 * J at a higher resolution, and until it hardly changes, for stills. hot: whether to look for what
 * glows. */
typedef struct LightingEffort {
    int reduction;
    bool fine, hot;
} LightingEffort;

/* Takes what lighting needs of a view; of the look, what flames count as and how heat glows. Keeps
 * its memory from call to call; fails where there is none. */
bool lighting_gather(Lighting *lighting, const BillowView *view, const RenderSettings *settings,
                     LightingEffort effort, BillowError *error);

/* What has to be done for a look after lighting_gather: all of it where the look's light is new, or
 * half an order of scattering more; *anew is false where nothing was left to do. solids: what is in
 * the light's way, or NULL. Fails where there is no memory. */
bool lighting_compute(Lighting *lighting, const RenderSettings *settings, const SolidLight *solids,
                      bool *anew, BillowError *error);

/* Whether lighting_compute was called for a look's light since lighting_gather. */
bool lighting_is_for(const Lighting *lighting, const RenderSettings *settings);

/* The colours of what glows, BLACKBODY_ENTRIES of them. */
const float *lighting_glow(Lighting *lighting, const RenderSmoke *smoke);

/* What J starts from is no longer near: another simulation, say. */
void lighting_forget(Lighting *lighting);
void lighting_destroy(Lighting *lighting);

/* Whether light and what comes through the smoke go by colour; colored: whether the smoke has
 * colours.
 */
bool lighting_by_color(const RenderSmoke *smoke, bool colored);
/* The largest extinction of any colour of light, 1/m per unit of density. */
float lighting_most_extinction(const RenderSmoke *smoke);
/* What the ground, where it is drawn, leaves of light that comes from below it: the share of the
 * sun that stands over the horizon, its disc being 2 degrees wide; and whether a lamp counts.
 * floor: the ground's height, m. */
float lighting_risen(const RenderSettings *settings);
bool lighting_lamp_counts(const RenderSettings *settings, int lamp, float floor);
/* How many times brighter than what is white in the picture smoke may be that glows or is lit by
 * lamps, where its hottest place has so many kelvin; from 1 to 1000. Of such smoke less shows, and
 * it shows through more. cell: edge of one, m. */
float lighting_brightness_bound(const RenderSettings *settings, float hottest, float cell);

/* As above, of white smoke. */
typedef struct LightingOptics {
    float kept, albedo[3];
    float rest_share, rest_cosine; /* c, and the mean cosine of p' */
} LightingOptics;
LightingOptics lighting_optics(const RenderSmoke *smoke);

#endif
