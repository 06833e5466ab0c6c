/* SPDX-License-Identifier: MIT
 *
 * The tables of render settings. A new value needs its member in render_settings.h and a row here:
 * defaults, range checks, scene files, the panel and the manual follow. */
#include "base/render_settings.h"

#include <math.h>
#include <string.h>

#define SETTING(member)     .name = #member, .key = #member
#define LENS(member)        .name = "camera." #member, .key = "camera." #member
#define AT(member)          offsetof(RenderSettings, member)
#define LAMP(member)        offsetof(RenderLamp, member)
#define STOP(member)        offsetof(RenderStop, member)
#define RAMP(group, member) .name = #group "_ramp." #member, .key = #group ".ramp_" #member

#define FLOAT  BILLOW_TYPE_FLOAT
#define BOOL   BILLOW_TYPE_BOOL
#define CHOICE BILLOW_TYPE_CHOICE
#define VECTOR BILLOW_TYPE_VECTOR
#define COLOR  BILLOW_TYPE_COLOR

static const char *const tones[] = {"aces", "agx", NULL};
static const char *const ramp_fields[] = {"density", "temperature", "age", "speed", NULL};
static const char *const around[] = {"gradient", "sky", "studio", "hdri", NULL};
static const char *const kinds[] = {"point", "spot", "area", "sun", NULL};
static const char *const filters[] = {"linear", "cubic", NULL};

/* name and key, type, offset, least, most, default, unit, meaning */
/* clang-format off */
static const BillowParameter settings_rows[] = {
    {SETTING(camera.target), VECTOR, AT(camera.target), -1e5, 1e5, {0.5, 0.5, 0.5}, "m",
     "point that the camera looks at"},
    {SETTING(camera.distance), FLOAT, AT(camera.distance), 1e-3, 1e5, {2.4}, "m",
     "distance from the target to the eye"},
    {SETTING(camera.azimuth), FLOAT, AT(camera.azimuth), -360, 360, {25}, "degrees",
     "direction of the eye around y; 0 looks from the front, 90 from the right"},
    {SETTING(camera.elevation), FLOAT, AT(camera.elevation), -90, 90, {10}, "degrees",
     "height of the eye above the horizon; 90 looks straight down"},
    {SETTING(camera.fov), FLOAT, AT(camera.fov), 1, 150, {36}, "degrees",
     "vertical field of view"},
    {LENS(aperture), FLOAT, AT(lens.aperture), 0, 1000, {0}, "",
     "f-number of the lens on a 24 mm high sensor; blurs what is out of focus in pictures of "
     "`billow render`; 0: everything is sharp"},
    {LENS(focus), FLOAT, AT(lens.focus), 0, 1e5, {0}, "m",
     "distance along the view axis at which the lens is focused; 0: that of camera.target"},
    {LENS(shutter), FLOAT, AT(lens.shutter), 0, 10, {0}, "s",
     "time for which the shutter is open; blurs what moves in pictures of `billow render`; 0: "
     "everything is sharp"},
    {LENS(iso), FLOAT, AT(lens.iso), 0, 1e6, {0}, "",
     "film speed: brightness follows camera.aperture, camera.shutter and ISO, as if a sun of "
     "intensity 12 shone on a clear day; 0: it follows exposure; no effect with "
     "picture.auto_exposure"},
    {LENS(ev), FLOAT, AT(lens.ev), -20, 20, {0}, "stops",
     "exposure compensation: each stop doubles the picture's brightness"},

    {SETTING(sun.azimuth), FLOAT, AT(sun.azimuth), -360, 360, {100}, "degrees",
     "direction of the sun around y: 0 in front, 90 on the right"},
    {SETTING(sun.elevation), FLOAT, AT(sun.elevation), -90, 90, {38}, "degrees",
     "height of the sun above the horizon; below 0 a visible ground hides it"},
    {SETTING(sun.intensity), FLOAT, AT(sun.intensity), 0, 1e4, {12}, "",
     "irradiance on a surface that faces the sun"},
    {SETTING(sun.color), COLOR, AT(sun.color), 0, 100, {1, 0.93, 0.82}, "",
     "linear colour of the sun's light"},

    {SETTING(surroundings.kind), CHOICE, AT(surroundings.kind), RENDER_GRADIENT, RENDER_PANORAMA,
     {RENDER_GRADIENT}, "",
     "what is around the box and lights it: a gradient of two sky colours; the clear sky of a sun "
     "at this height; a studio with a floor that curves up into the wall, and softboxes; or a "
     "panorama, surroundings.file", .choices = around},
    {SETTING(surroundings.sun), BOOL, AT(surroundings.sun), 0, 1, {1}, "",
     "whether the surroundings change the sun: a sky dims and reddens it on its way through the "
     "air; the brightest spot of a panorama replaces it"},
    {SETTING(surroundings.haze), FLOAT, AT(surroundings.haze), 0, 10, {1}, "",
     "factor on the amount of haze in a sky: 0 is air without particles, 1 clear, 5 misty"},
    {SETTING(surroundings.color), COLOR, AT(surroundings.color), 0, 0.9, {0.18, 0.18, 0.18}, "",
     "diffuse albedo of a studio's floor and wall, per colour"},
    {SETTING(surroundings.rotation), FLOAT, AT(surroundings.rotation), -360, 360, {0}, "degrees",
     "turns a panorama or a studio's softboxes around y"},

    {SETTING(sky.intensity), FLOAT, AT(sky.intensity), 0, 1e4, {1}, "",
     "factor on the light of the surroundings of every kind"},
    {SETTING(sky.zenith), COLOR, AT(sky.zenith), 0, 100, {0.11, 0.25, 0.6}, "",
     "linear colour of the sky overhead"},
    {SETTING(sky.horizon), COLOR, AT(sky.horizon), 0, 100, {0.6, 0.74, 0.92}, "",
     "linear colour of the sky at the horizon"},

    {SETTING(ground.visible), BOOL, AT(ground.visible), 0, 1, {1}, "",
     "whether the plane under the box is drawn"},
    {SETTING(ground.color), COLOR, AT(ground.color), 0, 1, {0.15, 0.142, 0.13}, "",
     "diffuse albedo of the ground, per colour"},
    {SETTING(ground.roughness), FLOAT, AT(ground.roughness), 0, 1, {0}, "",
     "contrast of the ground's fine texture and of the relief that a low sun shows; 0 is smooth"},

    {SETTING(solid.color), COLOR, AT(solid.color), 0, 1, {0.22, 0.22, 0.22}, "",
     "diffuse albedo of every solid, per colour"},

    {SETTING(smoke.extinction), FLOAT, AT(smoke.extinction), 0, 1e6, {20}, "1/m",
     "extinction per unit of density"},
    {SETTING(smoke.extinction_color), COLOR, AT(smoke.extinction_color), 0, 4, {1, 1, 1}, "",
     "factor on the extinction of red, green and blue light; the colour with the smallest factor "
     "dominates what is seen through the smoke"},
    {SETTING(smoke.tint_extinction), FLOAT, AT(smoke.tint_extinction), 0, 4, {0}, "",
     "extra extinction of the light that coloured smoke does not reflect, so that what is seen "
     "through it is tinted; 1 doubles it at most; needs fluid.color or smoke.ramp"},
    {SETTING(smoke.albedo), COLOR, AT(smoke.albedo), 0, 1, {0.92, 0.915, 0.91}, "",
     "share of the extinction that scatters, per colour: 0 is soot, 1 is steam"},
    {SETTING(smoke.anisotropy), FLOAT, AT(smoke.anisotropy), -0.95, 0.95, {0.35}, "",
     "mean cosine of scattering, g of the Henyey-Greenstein phase function: above 0 forwards, "
     "below 0 backwards"},
    {SETTING(smoke.backscatter), FLOAT, AT(smoke.backscatter), 0, 1, {0}, "",
     "share of the scattered light that follows a second phase function, with "
     "smoke.back_anisotropy"},
    {SETTING(smoke.back_anisotropy), FLOAT, AT(smoke.back_anisotropy), -0.95, 0.95, {-0.3}, "",
     "mean cosine of the second phase function"},
    {SETTING(smoke.fade), FLOAT, AT(smoke.fade), 0, 0.5, {0.15}, "",
     "width of the zone along the faces through which smoke leaves the box, where it fades from "
     "sight, as a share of the box's edge across the face; 0: the box cuts it off"},
    {SETTING(smoke.glow), FLOAT, AT(smoke.glow), 0, 1e6, {0}, "",
     "luminance of hot soot at smoke.glow_kelvin; 0 turns it off"},
    {SETTING(smoke.glow_kelvin), FLOAT, AT(smoke.glow_kelvin), 500, 4500, {1500}, "K",
     "absolute temperature at which soot has the luminance smoke.glow; ambient air has 293 K"},
    {SETTING(smoke.glow_range), FLOAT, AT(smoke.glow_range), 0, 1, {1}, "",
     "exponent on Planck's law for the luminance at other temperatures: 1 is the law "
     "itself, 0 makes all temperatures equally bright"},
    {SETTING(smoke.flame), FLOAT, AT(smoke.flame), 0, 100, {0.1}, "s",
     "density of glowing soot where fuel burns, per unit of fuel a second; 0: a flame is "
     "visible only by its smoke"},

    {RAMP(smoke, by), CHOICE, AT(smoke_ramp.by), RENDER_RAMP_DENSITY, RENDER_RAMP_SPEED,
     {RENDER_RAMP_DENSITY}, "",
     "field that chooses the colour in smoke.ramp: density, temperature (K above ambient), age (s "
     "since the smoke was released) or speed (m/s)", .choices = ramp_fields},
    {RAMP(smoke, low), FLOAT, AT(smoke_ramp.low), -1e6, 1e6, {0}, "",
     "value of that field at position 0 of smoke.ramp, in the field's unit"},
    {RAMP(smoke, high), FLOAT, AT(smoke_ramp.high), -1e6, 1e6, {1}, "",
     "value of that field at position 1; below smoke.ramp_low it reverses the ramp"},
    {RAMP(fire, by), CHOICE, AT(fire_ramp.by), RENDER_RAMP_DENSITY, RENDER_RAMP_SPEED,
     {RENDER_RAMP_TEMPERATURE}, "",
     "field that chooses the colour in fire.ramp, as smoke.ramp_by", .choices = ramp_fields},
    {RAMP(fire, low), FLOAT, AT(fire_ramp.low), -1e6, 1e6, {700}, "",
     "value of that field at position 0 of fire.ramp, in the field's unit"},
    {RAMP(fire, high), FLOAT, AT(fire_ramp.high), -1e6, 1e6, {1800}, "",
     "value of that field at position 1; below fire.ramp_low it reverses the ramp"},

    {SETTING(tracers.size), FLOAT, AT(tracers.size), 0, 1e4, {0.004}, "m",
     "diameter of a drawn particle"},
    {SETTING(tracers.color), COLOR, AT(tracers.color), 0, 1, {0.9, 0.9, 0.9}, "",
     "share of the light that particles reflect, per colour"},
    {SETTING(tracers.opacity), FLOAT, AT(tracers.opacity), 0, 1, {0.8}, "",
     "share of the background that a large particle hides"},
    {SETTING(tracers.glow), FLOAT, AT(tracers.glow), 0, 1e6, {0}, "",
     "radiance that particles emit, times their colour; of sparks, at tracers.kelvin"},
    {SETTING(tracers.kelvin), FLOAT, AT(tracers.kelvin), 500, 4500, {1900}, "K",
     "absolute temperature of a new spark; radiation cools it to 800 K, where it is dark, at the "
     "end of its life (tracers.life)"},
    {SETTING(tracers.streak), FLOAT, AT(tracers.streak), 0, 10, {0}, "s",
     "time of exposure of sparks, which draws them as streaks along their motion; 0: dots"},

    {SETTING(picture.tone_map), CHOICE, AT(picture.tone_map), RENDER_TONE_ACES, RENDER_TONE_AGX,
     {RENDER_TONE_ACES}, "",
     "film curve; aces has more contrast and keeps colours strong, agx is softer and lets bright "
     "colours pale", .choices = tones},
    {SETTING(picture.filter), CHOICE, AT(picture.filter), RENDER_FILTER_LINEAR,
     RENDER_FILTER_CUBIC, {RENDER_FILTER_LINEAR}, "",
     "interpolation of smoke and light between cells; cubic hides coarse grids and is slow, for "
     "stills", .choices = filters},
    {SETTING(picture.auto_exposure), BOOL, AT(picture.auto_exposure), 0, 1, {0}, "",
     "whether the brightness adapts to that of daylight; exposure is then a further factor"},
    {SETTING(picture.bloom), FLOAT, AT(picture.bloom), 0, 1, {0}, "",
     "share of the light that spreads as in a lens and gives fire a halo; 0 turns it off"},
    {SETTING(picture.haze), FLOAT, AT(picture.haze), 0, 1000, {0}, "",
     "factor on the refraction by hot air, which shifts solids, sky and ground behind it; 1 is "
     "physical and hardly visible in a box of a metre, 20 to 50 show it; 0: none"},
    {SETTING(grade.slope), COLOR, AT(grade.slope), 0, 100, {1, 1, 1}, "",
     "factor on the light, per colour; slope, offset and power are those of the ASC CDL"},
    {SETTING(grade.offset), VECTOR, AT(grade.offset), -1, 1, {0, 0, 0}, "",
     "light added after grade.slope, for red, green and blue; above 0 lifts the shadows"},
    {SETTING(grade.power), VECTOR, AT(grade.power), 0.1, 10, {1, 1, 1}, "",
     "exponent after grade.offset, for red, green and blue"},
    {SETTING(grade.contrast), FLOAT, AT(grade.contrast), 0, 4, {1}, "",
     "slope of the logarithm of light around mid grey, 0.18; below 1 is flatter"},
    {SETTING(grade.saturation), FLOAT, AT(grade.saturation), 0, 4, {1}, "",
     "factor on the distance of colours from grey; 0 is black and white"},
    {SETTING(grade.grain), FLOAT, AT(grade.grain), 0, 0.5, {0}, "",
     "standard deviation of film grain in mid grey, as a share of white; 0.02 is fine, 0.06 "
     "coarse; black and white have none"},
    {SETTING(exposure), FLOAT, AT(exposure), 1e-6, 1e6, {0.7}, "",
     "factor on the picture's brightness"},
};

static const BillowParameter lamp_rows[] = {
    {SETTING(kind), CHOICE, LAMP(kind), RENDER_LAMP_POINT, RENDER_LAMP_SUN, {RENDER_LAMP_POINT}, "",
     "a point shines to all sides, a spot in a cone, an area is a disc of radius that shines on one "
     "side, a sun is far away", .choices = kinds},
    {SETTING(position), VECTOR, LAMP(position), -1e5, 1e5, {0, 1, 1}, "m",
     "position; may lie outside the box; no use in a sun"},
    {SETTING(direction), VECTOR, LAMP(direction), -1e5, 1e5, {0, -1, 0}, "",
     "direction, of any length, in which a spot, an area or a sun shines"},
    {SETTING(angle), FLOAT, LAMP(angle), 0.1, 170, {40}, "degrees",
     "whole angle of a spot's cone"},
    {SETTING(softness), FLOAT, LAMP(softness), 0, 1, {0.3}, "",
     "share of the cone's radius over which a spot fades at its edge; 0 is sharp"},
    {SETTING(color), COLOR, LAMP(color), 0, 100, {1, 0.8, 0.55}, "",
     "linear colour of its light"},
    {SETTING(intensity), FLOAT, LAMP(intensity), 0, 1e6, {2}, "",
     "irradiance on a surface that faces it 1 m away, in the units of sun.intensity; a quarter "
     "at 2 m; in a sun the irradiance everywhere"},
    {SETTING(radius), FLOAT, LAMP(radius), 0, 1e4, {0}, "m",
     "radius of the ball or disc that shows the lamp, inside which its light does not increase; "
     "0: the lamp is invisible"},
};

static const BillowParameter stop_rows[] = {
    {SETTING(at), FLOAT, STOP(at), 0, 1, {0}, "",
     "position in the ramp, not before that of the previous stop; two at the same position make a "
     "sharp edge"},
    {SETTING(color), COLOR, STOP(color), 0, 100, {1, 1, 1}, "",
     "linear colour: of smoke a factor on smoke.albedo, of which 1 is the most; of fire a factor "
     "on smoke.glow"},
};
/* clang-format on */

const ParameterTable render_parameters = {settings_rows,
                                          sizeof settings_rows / sizeof settings_rows[0]};
const ParameterTable render_lamp_parameters = {lamp_rows, sizeof lamp_rows / sizeof lamp_rows[0]};
const ParameterTable render_stop_parameters = {stop_rows, sizeof stop_rows / sizeof stop_rows[0]};

RenderSettings render_default_settings(void)
{
    RenderSettings made = {0};
    parameter_reset(render_parameters.rows, render_parameters.count, &made);
    return made;
}

RenderLamp render_default_lamp(void)
{
    RenderLamp made = {0};
    parameter_reset(render_lamp_parameters.rows, render_lamp_parameters.count, &made);
    return made;
}

RenderStop render_default_stop(void)
{
    RenderStop made = {0};
    parameter_reset(render_stop_parameters.rows, render_stop_parameters.count, &made);
    return made;
}

/* Luminance of a unit of radiance, cd/m^2. A sun of intensity 12 then gives 96 000 lx. */
#define UNIT_LUMINANCE 8000.0f

/* Saturation-based film speed (ISO 12232): the largest luminance that a picture shows is 78 N^2 /
 * (q t S) for f-number N, shutter time t and film speed S, where q = 0.65 is the lens's share. This
 * is 1.2 2^EV100 with EV100 = log2(100 N^2 / (t S)) (Lagarde, de Rousiers, Moving Frostbite to
 * Physically Based Rendering, 2014). The factor brings this luminance to 1. */
float render_exposure(const RenderSettings *from)
{
    const RenderLens *lens = &from->lens;
    float compensation = exp2f(lens->ev), n = lens->aperture;
    bool film = lens->iso > 0 && n > 0 && lens->shutter > 0;
    if (!film || from->picture.auto_exposure)
        return from->exposure * compensation;
    float largest = 1.2f * 100 * n * n / (lens->shutter * lens->iso);
    return UNIT_LUMINANCE / largest * compensation;
}

bool render_grades(const RenderGrade *grade)
{
    bool neutral = grade->contrast == 1 && grade->saturation == 1 && grade->grain == 0;
    for (int c = 0; c < 3; c++)
        neutral = neutral && grade->slope[c] == 1 && grade->offset[c] == 0 && grade->power[c] == 1;
    return !neutral;
}

float render_lens_radius(const RenderSettings *from)
{
    const float half_angle = 0.5f * from->camera.fov * 3.14159265358979f / 180.0f;
    if (!(from->lens.aperture > 0))
        return 0;
    float focal = 0.5f * RENDER_SENSOR_HEIGHT / tanf(half_angle);
    return 0.5f * focal / from->lens.aperture;
}

void render_direction(float azimuth, float elevation, float direction[3])
{
    const float pi = 3.14159265358979f;
    float a = azimuth * pi / 180.0f, e = elevation * pi / 180.0f;
    direction[0] = sinf(a) * cosf(e);
    direction[1] = sinf(e);
    direction[2] = cosf(a) * cosf(e);
}

/* -- colour ramps ------------------------------------------------------------------------------ */

RampTable render_ramp_table(const RenderRamp *ramp)
{
    RampTable table = {.count = ramp->stop_count};
    bool backwards = ramp->low > ramp->high;
    float at = 0;
    for (int s = 0; s < table.count; s++) {
        const RenderStop *stop = &ramp->stops[s];
        int to = backwards ? table.count - 1 - s : s;
        at = fmaxf(at, stop->at);
        table.values[to] = ramp->low + at * (ramp->high - ramp->low);
        memcpy(table.colors[to], stop->color, sizeof stop->color);
    }
    return table;
}

void render_ramp_color(const RampTable *table, float value, float rgb[3])
{
    memcpy(rgb, table->colors[0], sizeof table->colors[0]);
    for (int s = 1; s < table->count; s++) {
        float span = fmaxf(table->values[s] - table->values[s - 1], 1e-6f);
        float share = fminf(fmaxf((value - table->values[s - 1]) / span, 0), 1);
        for (int c = 0; c < 3; c++)
            rgb[c] += share * (table->colors[s][c] - rgb[c]);
    }
}

float render_ramp_most(const RenderRamp *ramp)
{
    float most = 0;
    for (int s = 0; s < ramp->stop_count; s++)
        for (int c = 0; c < 3; c++)
            most = fmaxf(most, ramp->stops[s].color[c]);
    return most;
}

bool render_ramp_follows(const RenderSettings *settings, RenderRampBy by)
{
    const RenderRamp *const ramps[] = {&settings->smoke_ramp, &settings->fire_ramp};
    for (int r = 0; r < 2; r++)
        if (ramps[r]->stop_count > 0 && ramps[r]->by == by)
            return true;
    return false;
}

int render_ramp_unsorted(const RenderRamp *ramp)
{
    for (int s = 1; s < ramp->stop_count; s++)
        if (ramp->stops[s].at < ramp->stops[s - 1].at)
            return s;
    return -1;
}

/* clang-format off */
static const RenderRampPreset smoke_presets[] = {
    {"ink", "pale blue wisps, dark blue where the smoke is dense", 4,
     {{0, {0.55f, 0.75f, 0.95f}}, {0.3f, {0.12f, 0.3f, 0.8f}}, {0.7f, {0.03f, 0.07f, 0.4f}},
      {1, {0.01f, 0.015f, 0.12f}}}},
    {"ice", "white edges over a cold blue", 3,
     {{0, {0.95f, 0.98f, 1}}, {0.4f, {0.4f, 0.75f, 0.95f}}, {1, {0.06f, 0.25f, 0.6f}}}},
    {"toxic", "yellow wisps, poisonous green, dark inside", 4,
     {{0, {0.9f, 0.95f, 0.25f}}, {0.3f, {0.35f, 0.8f, 0.05f}}, {0.7f, {0.06f, 0.4f, 0.05f}},
      {1, {0.01f, 0.1f, 0.03f}}}},
    {"sunset", "gold, orange, crimson and violet", 4,
     {{0, {1, 0.8f, 0.45f}}, {0.3f, {0.95f, 0.35f, 0.1f}}, {0.65f, {0.6f, 0.06f, 0.15f}},
      {1, {0.12f, 0.03f, 0.25f}}}},
    {"ash", "white wisps, soot where the smoke is dense", 3,
     {{0, {0.9f, 0.9f, 0.9f}}, {0.4f, {0.3f, 0.29f, 0.28f}}, {1, {0.03f, 0.03f, 0.03f}}}},
};

/* Brightness grows with the heat, as in the colours of hot soot, but by far less. */
static const RenderRampPreset fire_presets[] = {
    {"fire", "dark red, orange, yellow, white", 5,
     {{0, {0, 0, 0}}, {0.25f, {0.05f, 0.003f, 0}}, {0.5f, {0.5f, 0.07f, 0.005f}},
      {0.75f, {2, 0.7f, 0.09f}}, {1, {4, 3, 1.6f}}}},
    {"blackbody", "the hues of hot soot without their range of brightness", 5,
     {{0, {0, 0, 0}}, {0.3f, {0.1f, 0.004f, 0}}, {0.6f, {0.7f, 0.12f, 0.01f}},
      {0.8f, {1.6f, 0.5f, 0.1f}}, {1, {3, 1.6f, 0.7f}}}},
    {"ice", "cold fire: deep blue, sky blue, white", 4,
     {{0, {0, 0, 0}}, {0.35f, {0.004f, 0.02f, 0.16f}}, {0.7f, {0.08f, 0.4f, 1.2f}},
      {1, {2, 3.2f, 4}}}},
    {"toxic", "green fire with a yellow heart", 4,
     {{0, {0, 0, 0}}, {0.35f, {0.004f, 0.05f, 0.003f}}, {0.7f, {0.12f, 0.8f, 0.03f}},
      {1, {2.4f, 4, 0.8f}}}},
    {"sunset", "violet, magenta, orange, gold", 5,
     {{0, {0, 0, 0}}, {0.25f, {0.04f, 0.005f, 0.1f}}, {0.5f, {0.45f, 0.03f, 0.25f}},
      {0.75f, {1.6f, 0.4f, 0.08f}}, {1, {4, 2.4f, 0.7f}}}},
};
/* clang-format on */

const RenderRampPreset *render_ramp_preset(bool fire, int index)
{
    const RenderRampPreset *presets = fire ? fire_presets : smoke_presets;
    size_t count = fire ? sizeof fire_presets / sizeof *fire_presets
                        : sizeof smoke_presets / sizeof *smoke_presets;
    return index >= 0 && (size_t)index < count ? &presets[index] : NULL;
}
