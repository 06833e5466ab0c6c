/* SPDX-License-Identifier: MIT
 *
 * What a picture is made of besides the fluid: camera, light, sky, ground and the smoke's optics.
 * Plain values, known to the scene files that fill them and the renderer that draws with them.
 * Angles in degrees, lengths in metres, colours linear with Rec. 709 primaries.
 */
#ifndef BASE_RENDER_SETTINGS_H
#define BASE_RENDER_SETTINGS_H

#include <stdbool.h>

/* An orbit camera: it looks at target from distance away. azimuth 0 looks along -z (from the
 * front), 90 along -x (from the right); elevation 90 looks straight down. */
typedef struct RenderCamera {
    float target[3];
    float distance;
    float azimuth, elevation;
    float fov; /* vertical field of view */
} RenderCamera;

/* The sun: azimuth and elevation say where it stands, as for the camera. */
typedef struct RenderSun {
    float azimuth, elevation;
    float intensity; /* irradiance on a surface that faces it, in the picture's units */
    float color[3];
} RenderSun;

/* A lamp: light from a place, the same in all directions. */
typedef struct RenderLamp {
    float position[3];
    float color[3];
    float intensity; /* irradiance on a surface that faces it 1 m away, in the units of the sun's */
    float radius;    /* of the ball that shines, as which it shows; 0: it is not seen itself */
} RenderLamp;

#define RENDER_LAMPS_MAX 4

/* Radiance of the sky above, at the horizon, and of the haze below it; also lights the smoke. */
typedef struct RenderSky {
    float intensity;
    float zenith[3], horizon[3];
} RenderSky;

typedef struct RenderGround {
    bool visible;
    float color[3]; /* diffuse albedo of the plane under the box */
} RenderGround;

typedef struct RenderSolid {
    float color[3]; /* diffuse albedo of everything solid in the box */
} RenderSolid;

typedef struct RenderSmoke {
    float extinction;  /* 1/m per unit of density */
    float albedo[3];   /* share of the extinction that scatters, per colour */
    float anisotropy;  /* g of the Henyey-Greenstein phase function, -0.95..0.95 */
    float glow;        /* luminance of hot soot at glow_kelvin; 0 turns it off */
    float flame;       /* s; density of young soot, which shines and does not scatter, per fuel that
                          burns a second; 0: flames show by the smoke in them alone */
    float detail;      /* root of the mean square of the logarithm of the density's fine noise, */
    float detail_size; /* m; and the size of its coarsest patches; where coordinates drift along */
    float backscatter; /* share of what scatters that does so with another g, back_anisotropy */
    float back_anisotropy;
    float extinction_color[3]; /* factor on the extinction of red, green and blue light */
    float tint_extinction; /* how much more of the light that smoke of a colour does not reflect it
                              takes away: over what it takes of all light, times 1 - its colour */
    float glow_kelvin;     /* the temperature at which soot has that luminance, */
    float glow_range; /* and the power of nature's that others have over it: 1 is Planck's law */
} RenderSmoke;

/* Particles that drift with the flow, as balls that reflect light and may shine. */
typedef struct RenderTracers {
    float size; /* m across */
    float color[3];
    float opacity;
    float glow; /* radiance of their own, times the colour */
} RenderTracers;

typedef enum RenderTone { RENDER_TONE_ACES, RENDER_TONE_AGX } RenderTone;

typedef enum RenderFilter { RENDER_FILTER_LINEAR, RENDER_FILTER_CUBIC } RenderFilter;

/* From linear light to the picture that is shown. */
typedef struct RenderPicture {
    RenderFilter filter; /* of smoke and light between cells */
    RenderTone tone_map; /* the film curve */
    bool auto_exposure;  /* the picture is metered, and brightened to what daylight scenes have */
    float bloom;         /* share of the light that spreads about in the lens, 0..1 */
} RenderPicture;

typedef struct RenderSettings {
    RenderCamera camera;
    RenderSun sun;
    RenderLamp lamps[RENDER_LAMPS_MAX];
    int lamp_count;
    RenderSky sky;
    RenderGround ground;
    RenderSolid solid;
    RenderSmoke smoke;
    RenderTracers tracers;
    RenderPicture picture;
    float exposure; /* factor on the linear picture before the tone map, metered or not */
} RenderSettings;

#endif
