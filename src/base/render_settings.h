/* SPDX-License-Identifier: MIT
 *
 * Render settings: camera, light, sky, ground, the smoke's optics and the film. Scene files fill
 * them and the renderer draws with them. Angles are in degrees, lengths in metres, colours linear
 * with Rec. 709 primaries. Ranges and defaults are in render_settings.c. */
#ifndef BASE_RENDER_SETTINGS_H
#define BASE_RENDER_SETTINGS_H

#include "base/parameter.h"
#include <stdbool.h>

/* An orbit camera: it looks at target from distance away. azimuth 0 looks along -z (from the
 * front), 90 along -x (from the right); elevation 90 looks straight down. */
typedef struct RenderCamera {
    float target[3];
    float distance;
    float azimuth, elevation;
    float fov; /* vertical field of view */
} RenderCamera;

/* The camera's lens and film. 0 turns aperture, shutter and iso off. */
typedef struct RenderLens {
    float aperture; /* f-number */
    float focus;    /* distance in focus along the view axis, m; 0: the camera's distance */
    float shutter;  /* exposure time, s */
    float iso;      /* film speed */
    float ev;       /* exposure compensation, stops */
} RenderLens;

/* Height of the camera's sensor, m: that of the 36 x 24 mm format. */
#define RENDER_SENSOR_HEIGHT 0.024f

/* The sun. azimuth and elevation give its direction, in the camera's convention. */
typedef struct RenderSun {
    float azimuth, elevation;
    float intensity; /* irradiance on a surface that faces the sun, in units of picture radiance */
    float color[3];
} RenderSun;

typedef enum RenderLampKind {
    RENDER_LAMP_POINT, /* emits equally in all directions */
    RENDER_LAMP_SPOT,  /* emits in a cone */
    RENDER_LAMP_AREA,  /* a disc that emits on one side, like a softbox */
    RENDER_LAMP_SUN    /* far away: parallel light */
} RenderLampKind;

/* A lamp. Members that a kind does not use have no effect. */
typedef struct RenderLamp {
    RenderLampKind kind;
    float position[3];
    float direction[3]; /* in which the lamp shines, of any length; not of points */
    float angle;        /* whole angle of a spot's cone, degrees */
    float softness;     /* share of the cone's radius over which the light fades at its edge */
    float color[3];
    float intensity; /* irradiance on a surface that faces the lamp, at 1 m; of a sun everywhere */
    float radius;    /* radius of the ball or disc that is drawn, m; 0: nothing is drawn */
} RenderLamp;

#define RENDER_LAMPS_MAX 4

typedef enum RenderSurroundingsKind {
    RENDER_GRADIENT, /* a sky of two colours: RenderSky */
    RENDER_AIR,      /* the clear sky of a sun at this height */
    RENDER_STUDIO,   /* an infinity cove with softboxes */
    RENDER_PANORAMA  /* a picture of all directions */
} RenderSurroundingsKind;

#define RENDER_SURROUNDINGS_FILE 256

/* What is behind and around the box. */
typedef struct RenderSurroundings {
    RenderSurroundingsKind kind;
    bool sun;   /* whether the surroundings change the sun: air dims it, a panorama contains it */
    float haze; /* factor on the amount of haze in the air */
    float color[3];                      /* albedo of the studio's floor and wall */
    float rotation;                      /* of a panorama or a studio around y, degrees */
    char file[RENDER_SURROUNDINGS_FILE]; /* path of the panorama; empty: none */
} RenderSurroundings;

/* The sky, which also lights the smoke. horizon is also the radiance below the horizon. */
typedef struct RenderSky {
    float intensity; /* factor on the light of all surroundings */
    float zenith[3], horizon[3];
} RenderSky;

typedef struct RenderGround {
    bool visible;
    float color[3];  /* diffuse albedo of the plane under the box */
    float roughness; /* contrast of its fine texture and relief, 0 to 1 */
} RenderGround;

typedef struct RenderSolid {
    float color[3]; /* diffuse albedo of everything solid in the box */
} RenderSolid;

typedef struct RenderSmoke {
    float extinction;  /* extinction coefficient per unit of density, 1/m */
    float albedo[3];   /* scattered share of the extinction, for red, green and blue */
    float anisotropy;  /* g of the Henyey-Greenstein phase function */
    float glow;        /* luminance of soot at glow_kelvin; 0: hot soot does not glow */
    float flame;       /* density of glowing soot divided by the burning rate of fuel (1/s), s */
    float backscatter; /* share of scattered light that follows the second phase function */
    float back_anisotropy;     /* g of the second phase function */
    float extinction_color[3]; /* factor on the extinction of red, green and blue light */
    float tint_extinction; /* extra extinction by coloured smoke; the extinction grows by the factor
                              1 + tint_extinction (1 - colour) */
    float glow_kelvin;     /* absolute temperature at which soot has the luminance glow, K */
    float glow_range;      /* exponent on the ratio of Planck luminances at a temperature and at
                              glow_kelvin; 1: physical */
    float fade; /* width of the zone along faces through which smoke leaves the box, where it fades
                   from sight, as a share of the box's edge across the face; 0: none */
} RenderSmoke;

/* A colour ramp: colours between stops, by the value of a field. */
typedef enum RenderRampBy {
    RENDER_RAMP_DENSITY,
    RENDER_RAMP_TEMPERATURE,
    RENDER_RAMP_AGE, /* mean age of the smoke in a cell; needs BillowDef.age */
    RENDER_RAMP_SPEED
} RenderRampBy;

typedef struct RenderStop {
    float at; /* position, 0 to 1 */
    float color[3];
} RenderStop;

#define RENDER_STOPS_MAX 8

typedef struct RenderRamp {
    RenderRampBy by;
    float low, high; /* values of the field at the positions 0 and 1 */
    RenderStop stops[RENDER_STOPS_MAX];
    int stop_count; /* 0: the ramp is off */
} RenderRamp;

/* Particles that move with the flow, drawn as balls that reflect light and may glow. */
typedef struct RenderTracers {
    float size; /* diameter, m */
    float color[3];
    float opacity;
    float glow;   /* emitted radiance, multiplied by the colour; of sparks, that at `kelvin` */
    float kelvin; /* absolute temperature of a new spark, K; sparks glow as black bodies and cool by
                     radiation */
    float streak; /* exposure of sparks, drawn as streaks along their motion, s */
} RenderTracers;

typedef enum RenderTone { RENDER_TONE_ACES, RENDER_TONE_AGX } RenderTone;

typedef enum RenderFilter { RENDER_FILTER_LINEAR, RENDER_FILTER_CUBIC } RenderFilter;

/* How finely light is computed. Light of frames and stills starts from none, so that a picture is
 * the same whatever was drawn before it. */
typedef enum LightFineness {
    LIGHT_LIVE,  /* for the window: starts from the light of the frame before */
    LIGHT_FRAME, /* for a frame of a video or a sequence, on fewer cells than for a still */
    LIGHT_STILL
} LightFineness;

/* Filtering, exposure, bloom and tone mapping of the picture. */
typedef struct RenderPicture {
    RenderFilter filter; /* interpolation of density and light between cell centres */
    RenderTone tone_map; /* film curve */
    bool auto_exposure;  /* whether exposure adapts the picture to the brightness of daylight */
    float bloom;         /* share of the light that bloom spreads around its pixel */
    float haze;          /* factor on the refraction of light by hot air; 0: none, 1: physical */
} RenderPicture;

/* Grade: slope, offset, power and saturation of the ASC Color Decision List 1.2, contrast, and film
 * grain. It acts on exposed linear light, before the film curve (shaders/grade.glsl). */
typedef struct RenderGrade {
    float slope[3], offset[3], power[3];
    float contrast;   /* slope of the logarithm of light around mid grey */
    float saturation; /* factor on the distance of colours from grey */
    float grain;      /* standard deviation of the grain in mid grey, as a share of white */
} RenderGrade;

typedef struct RenderSettings {
    RenderCamera camera;
    RenderLens lens;
    RenderSun sun;
    RenderLamp lamps[RENDER_LAMPS_MAX];
    int lamp_count;
    RenderSurroundings surroundings;
    RenderSky sky;
    RenderGround ground;
    RenderSolid solid;
    RenderSmoke smoke;
    RenderRamp smoke_ramp; /* factor on smoke.albedo, in place of the smoke's own colour */
    RenderRamp fire_ramp;  /* factor on smoke.glow, in place of the colour of hot soot */
    RenderTracers tracers;
    RenderPicture picture;
    RenderGrade grade;
    float exposure; /* factor on the linear picture before the tone map; see render_exposure */
} RenderSettings;

/* Computes the factor on the linear picture before the film curve: `exposure`, or that of aperture,
 * shutter and film speed if all three are above 0 and exposure is not automatic; times 2^ev. */
float render_exposure(const RenderSettings *settings);

/* Whether a grade changes anything. */
bool render_grades(const RenderGrade *grade);

/* Radius of the lens opening, m; 0: a pinhole. A lens of focal length f and f-number N has the
 * diameter f / N, and a sensor of height h sees the angle fov if f = h / (2 tan(fov / 2)). */
float render_lens_radius(const RenderSettings *settings);

/* All values at their defaults, without lamps. */
RenderSettings render_default_settings(void);
RenderLamp render_default_lamp(void);
RenderStop render_default_stop(void);

/* The rows of RenderSettings, of RenderLamp and of RenderStop: unit, range, default and meaning of
 * every value. */
extern const ParameterTable render_parameters, render_lamp_parameters, render_stop_parameters;

/* Writes the unit vector that points towards an azimuth and an elevation, degrees, in the
 * convention of RenderCamera and RenderSun. */
void render_direction(float azimuth, float elevation, float direction[3]);

/* -- colour ramps ------------------------------------------------------------------------------
 *
 * Colours between stops, interpolated linearly in linear light, by the value of a field. Shaders
 * evaluate the same table (shaders/ramp.glsl). */

/* A ramp made ready for look-ups. Values rise from stop to stop; equal values make a step. Below
 * the first and above the last value the colour is constant. */
typedef struct RampTable {
    int count; /* stops; 0: the ramp is off */
    float values[RENDER_STOPS_MAX];
    float colors[RENDER_STOPS_MAX][3];
} RampTable;

/* Makes the table of a ramp. A stop that lies before its predecessor counts as lying at it. If
 * `low` exceeds `high`, the ramp runs backwards. */
RampTable render_ramp_table(const RenderRamp *ramp);

/* Writes the colour at a value of the field. The table must have a stop. */
void render_ramp_color(const RampTable *table, float value, float rgb[3]);

/* The largest of red, green and blue of all stops; 0 without stops. */
float render_ramp_most(const RenderRamp *ramp);

/* Whether a ramp that is on follows a field. */
bool render_ramp_follows(const RenderSettings *settings, RenderRampBy by);

/* Index of the first stop that lies before its predecessor; -1: none. */
int render_ramp_unsorted(const RenderRamp *ramp);

/* A ramp with a name. */
typedef struct RenderRampPreset {
    const char *name, *does;
    int stop_count;
    RenderStop stops[RENDER_STOPS_MAX];
} RenderRampPreset;

/* Named ramps for the smoke's colour or, if `fire`, for the glow. Returns NULL after the last. */
const RenderRampPreset *render_ramp_preset(bool fire, int index);

#endif
