/* SPDX-License-Identifier: MIT */
#include "scene_keys.h"

#include "scene_rotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member)         offsetof(Scene, member)
#define AT_EMITTER(member) offsetof(BillowEmitter, member)
#define AT_SOLID(member)   offsetof(BillowSolid, member)
#define AT_FORCE(member)   offsetof(BillowForce, member)
#define AT_LAMP(member)    offsetof(RenderLamp, member)
#define AT_FORM(member)    offsetof(SceneForm, member)

/* clang-format off */
#define BOUNDARY_KEYS(face, side)                                                                    \
    {"domain.boundaries." face ".velocity", SCENE_KEY_VECTOR, AT(domain.boundaries[side].velocity),      \
     -1e4, 1e4, "m/s", "of an inflow, or of a no_slip wall along itself"},                         \
    {"domain.boundaries." face ".profile", SCENE_KEY_PROFILE, AT(domain.boundaries[side].profile), 0, 0, \
     "", "of an inflow's velocity: parabolic is 0 at the face's edges"},                           \
    {"domain.boundaries." face ".smoke", SCENE_KEY_FLOAT, AT(domain.boundaries[side].smoke), 0, 1e6, "", \
     "density of what flows in"},                                                                  \
    {"domain.boundaries." face ".heat", SCENE_KEY_FLOAT, AT(domain.boundaries[side].heat), -1e6, 1e6,    \
     "K", "temperature above ambient of what flows in"},                                           \
    {"domain.boundaries." face ".isothermal", SCENE_KEY_BOOL, AT(domain.boundaries[side].isothermal), 0, 0, "",      \
     "whether a wall's temperature is kept; heat_diffusion brings it to the fluid"},               \
    {"domain.boundaries." face ".temperature", SCENE_KEY_FLOAT, AT(domain.boundaries[side].temperature), \
     -1e4, 1e4, "K", "that temperature, above ambient"},

static const SceneKey scene_rows[] = {
    {"name", SCENE_KEY_NAME, AT(name), 1, 63, "",
     "short name, used in the names of pictures"},
    {"title", SCENE_KEY_TEXT, AT(title), 0, 159, "",
     "one line that says what there is to see"},

    {"domain.size", SCENE_KEY_SIZE, AT(domain.size), 1e-3, 1e4, "m",
     "edges of the box; it spans 0 to size on each axis, and y = 0 is the ground"},
    {"domain.cells", SCENE_KEY_CELLS, AT(domain.cells), BILLOW_GRID_MIN, BILLOW_GRID_MAX, "",
     "cubic cells along the longest axis, or along each: then the box grows beyond size where the "
     "counts ask for it; more show finer detail"},
    {"domain.faces.left", SCENE_KEY_FACE, AT(domain.faces[BILLOW_LEFT]), 0, 0, "",
     "the face at x = 0"},
    {"domain.faces.right", SCENE_KEY_FACE, AT(domain.faces[BILLOW_RIGHT]), 0, 0, "",
     "the face at x = size"},
    {"domain.faces.floor", SCENE_KEY_FACE, AT(domain.faces[BILLOW_FLOOR]), 0, 0, "",
     "the face at y = 0"},
    {"domain.faces.ceiling", SCENE_KEY_FACE, AT(domain.faces[BILLOW_CEILING]), 0, 0, "",
     "the face at y = size"},
    {"domain.faces.back", SCENE_KEY_FACE, AT(domain.faces[BILLOW_BACK]), 0, 0, "",
     "the face at z = 0"},
    {"domain.faces.front", SCENE_KEY_FACE, AT(domain.faces[BILLOW_FRONT]), 0, 0, "",
     "the face at z = size"},

    BOUNDARY_KEYS("left", BILLOW_LEFT)
    BOUNDARY_KEYS("right", BILLOW_RIGHT)
    BOUNDARY_KEYS("floor", BILLOW_FLOOR)
    BOUNDARY_KEYS("ceiling", BILLOW_CEILING)
    BOUNDARY_KEYS("back", BILLOW_BACK)
    BOUNDARY_KEYS("front", BILLOW_FRONT)

    {"time.step", SCENE_KEY_FLOAT, AT(step), 1e-6, 10, "s",
     "length of one step; it is divided further where cfl asks for that"},

    {"solver.advection", SCENE_KEY_ADVECTION, AT(params.advection), 0, 0, "",
     "how the flow carries things: maccormack keeps them sharper and wants less vorticity; "
     "conservative loses nothing; conservative_smooth neither, and bears more"},
    {"solver.pressure", SCENE_KEY_PRESSURE, AT(params.pressure), 0, 0, "",
     "multigrid really converges; relaxation is Stam's method, N sweeps"},
    {"solver.tolerance", SCENE_KEY_FLOAT, AT(params.tolerance), BILLOW_TOLERANCE_MIN, 1, "",
     "share of the divergence that a projection may leave"},
    {"solver.cycles", SCENE_KEY_INT, AT(params.cycles), 1, 1000, "",
     "most multigrid cycles per projection, whatever they leave"},
    {"solver.sweeps", SCENE_KEY_INT, AT(params.sweeps), 1, 100000, "",
     "most relaxation sweeps per projection; too few leave divergence standing"},
    {"solver.overrelaxation", SCENE_KEY_FLOAT, AT(params.overrelaxation), 0.1, 1.98, "",
     "1 is Gauss-Seidel; about 1.7 converges fastest"},
    {"solver.warm_start", SCENE_KEY_BOOL, AT(params.warm_start), 0, 0, "",
     "start from the last step's pressure"},
    {"solver.cfl", SCENE_KEY_FLOAT, AT(params.cfl), 0.1, 100, "cells",
     "farthest that a sub-step may carry the fluid"},
    {"solver.substeps_max", SCENE_KEY_INT, AT(params.substeps_max), 1, 1000, "",
     "cap on the sub-steps of a step"},
    {"solver.vorticity", SCENE_KEY_FLOAT, AT(params.vorticity), 0, 100, "1/s",
     "confinement strength: gives back the curls that the grid smooths away; with maccormack at "
     "most 2: grainy from 3, noise from 4 on"},
    {"solver.diffusion_sweeps", SCENE_KEY_INT, AT(params.diffusion_sweeps), 1, 100000, "",
     "relaxation sweeps per diffusive solve"},

    {"fluid.buoyancy", SCENE_KEY_FLOAT, AT(params.buoyancy), -10, 10, "m/s2/K",
     "upward acceleration per kelvin above ambient"},
    {"fluid.weight", SCENE_KEY_FLOAT, AT(params.weight), -100, 100, "m/s2",
     "downward acceleration per unit of smoke density"},
    {"fluid.viscosity", SCENE_KEY_FLOAT, AT(params.viscosity), 0, 1e6, "m2/s",
     "kinematic viscosity"},
    {"fluid.smoke_diffusion", SCENE_KEY_FLOAT, AT(params.smoke_diffusion), 0, 1e6, "m2/s",
     "how fast smoke spreads by itself"},
    {"fluid.heat_diffusion", SCENE_KEY_FLOAT, AT(params.heat_diffusion), 0, 1e6, "m2/s",
     "how fast heat spreads by itself"},
    {"fluid.dissipation", SCENE_KEY_FLOAT, AT(params.dissipation), 0, 1e3, "1/s",
     "rate at which smoke vanishes"},
    {"fluid.cooling", SCENE_KEY_FLOAT, AT(params.cooling), 0, 1e3, "1/s",
     "rate at which heat vanishes"},

    {"fluid.radiation", SCENE_KEY_FLOAT, AT(params.radiation), 0, 1e3, "1/s",
     "rate at which gas of 1000 K radiates its heat; it goes as the third power of the temperature"},
    {"fluid.fire", SCENE_KEY_BOOL, AT(fire), 0, 0, "",
     "whether there is fuel that burns; takes time and memory only where true"},
    {"fluid.ignition", SCENE_KEY_FLOAT, AT(params.ignition), 0, 1e4, "K",
     "fuel burns where it is at least so hot"},
    {"fluid.burn_rate", SCENE_KEY_FLOAT, AT(params.burn_rate), 0, 1e3, "1/s",
     "rate at which it burns up there"},
    {"fluid.burn_heat", SCENE_KEY_FLOAT, AT(params.burn_heat), 0, 1e5, "K",
     "heat that a unit of fuel gives"},
    {"fluid.burn_smoke", SCENE_KEY_FLOAT, AT(params.burn_smoke), 0, 1e3, "",
     "density of smoke, black in a scene with colours, that a unit of fuel gives"},
    {"fluid.burn_expansion", SCENE_KEY_FLOAT, AT(params.burn_expansion), 0, 100, "",
     "volume that a unit of fuel makes when it burns, per volume"},
    {"fluid.color", SCENE_KEY_BOOL, AT(color), 0, 0, "",
     "whether smoke has colours, which mix by mass; takes time and memory only where true"},
    {"fluid.texture_period", SCENE_KEY_FLOAT, AT(texture_period), 0, 1e4, "s",
     "how often coordinates that drift with the fluid begin anew, for smoke.detail; 0: there are "
     "none, and they take neither time nor memory"},

    {"emitters", SCENE_KEY_EMITTERS, AT(emitters), 0, BILLOW_EMITTERS_MAX, "",
     "list of what releases smoke, heat and momentum"},
    {"solids", SCENE_KEY_SOLIDS, AT(solids), 0, BILLOW_SOLIDS_MAX, "",
     "what is in the flow's way; not given: nothing"},
    {"forces", SCENE_KEY_FORCES, AT(forces), 0, BILLOW_FORCES_MAX, "",
     "list of winds, vortices, attractors and turbulence"},
    {"brush", SCENE_KEY_EMITTER, AT(brush), 0, 0, "",
     "what the left mouse button releases; its center follows the cursor"},
    {"detonation", SCENE_KEY_EMITTER, AT(detonation), 0, 0, "",
     "what the key E sets off; its center follows the cursor"},

    {"camera.target", SCENE_KEY_VECTOR, AT(render.camera.target), -1e5, 1e5, "m",
     "the point looked at"},
    {"camera.distance", SCENE_KEY_FLOAT, AT(render.camera.distance), 1e-3, 1e5, "m",
     "from the target to the eye"},
    {"camera.azimuth", SCENE_KEY_FLOAT, AT(render.camera.azimuth), -360, 360, "degrees",
     "0 looks from the front, 90 from the right"},
    {"camera.elevation", SCENE_KEY_FLOAT, AT(render.camera.elevation), -90, 90, "degrees",
     "90 looks straight down"},
    {"camera.fov", SCENE_KEY_FLOAT, AT(render.camera.fov), 1, 150, "degrees",
     "vertical field of view"},

    {"sun.azimuth", SCENE_KEY_FLOAT, AT(render.sun.azimuth), -360, 360, "degrees",
     "where the sun stands: 0 in front, 90 on the right"},
    {"sun.elevation", SCENE_KEY_FLOAT, AT(render.sun.elevation), -90, 90, "degrees",
     "its height above the horizon; below 0 the ground hides it, where there is one"},
    {"sun.intensity", SCENE_KEY_FLOAT, AT(render.sun.intensity), 0, 1e4, "",
     "irradiance on a surface that faces it"},
    {"sun.color", SCENE_KEY_COLOR, AT(render.sun.color), 0, 100, "",
     "linear colour of its light"},

    {"lamps", SCENE_KEY_LAMPS, AT(render.lamps), 0, RENDER_LAMPS_MAX, "",
     "list of lights that shine from a place to all sides"},

    {"sky.intensity", SCENE_KEY_FLOAT, AT(render.sky.intensity), 0, 1e4, "",
     "factor on both sky colours"},
    {"sky.zenith", SCENE_KEY_COLOR, AT(render.sky.zenith), 0, 100, "",
     "linear colour of the sky overhead"},
    {"sky.horizon", SCENE_KEY_COLOR, AT(render.sky.horizon), 0, 100, "",
     "linear colour of the sky at the horizon"},

    {"ground.visible", SCENE_KEY_BOOL, AT(render.ground.visible), 0, 0, "",
     "draw the plane under the box"},
    {"ground.color", SCENE_KEY_COLOR, AT(render.ground.color), 0, 1, "",
     "share of the light it reflects, per colour"},

    {"solid.color", SCENE_KEY_COLOR, AT(render.solid.color), 0, 1, "",
     "share of the light that every solid reflects, per colour"},

    {"smoke.extinction", SCENE_KEY_FLOAT, AT(render.smoke.extinction), 0, 1e6, "1/m",
     "how fast a unit of density dims light"},
    {"smoke.extinction_color", SCENE_KEY_COLOR, AT(render.smoke.extinction_color), 0, 4, "",
     "factor on that for red, green and blue light: what is less dimmed is what one sees through it"},
    {"smoke.tint_extinction", SCENE_KEY_FLOAT, AT(render.smoke.tint_extinction), 0, 4, "",
     "how much more coloured smoke dims the light it does not reflect, so that what is seen through "
     "it is tinted; needs fluid.color; 1: up to twice as much"},
    {"smoke.albedo", SCENE_KEY_COLOR, AT(render.smoke.albedo), 0, 1, "",
     "share of the extinction that scatters: 0 is soot, 1 is steam"},
    {"smoke.anisotropy", SCENE_KEY_FLOAT, AT(render.smoke.anisotropy), -0.95, 0.95, "",
     "mean cosine of scattering: above 0 forwards, below 0 backwards"},
    {"smoke.backscatter", SCENE_KEY_FLOAT, AT(render.smoke.backscatter), 0, 1, "",
     "share of what scatters that does so with a mean cosine of its own, smoke.back_anisotropy"},
    {"smoke.back_anisotropy", SCENE_KEY_FLOAT, AT(render.smoke.back_anisotropy), -0.95, 0.95, "",
     "that mean cosine"},
    {"smoke.glow", SCENE_KEY_FLOAT, AT(render.smoke.glow), 0, 1e6, "",
     "luminance of hot soot at smoke.glow_kelvin; 0 turns it off"},
    {"smoke.glow_kelvin", SCENE_KEY_FLOAT, AT(render.smoke.glow_kelvin), 500, 4500, "K",
     "the temperature at which soot is so bright; it is hotter than air, 293 K, by what the fluid is"},
    {"smoke.glow_range", SCENE_KEY_FLOAT, AT(render.smoke.glow_range), 0, 1, "",
     "how much brighter hotter soot is: the power of what Planck's law says, of which 1 is all and 0 "
     "makes all equally bright"},
    {"smoke.flame", SCENE_KEY_FLOAT, AT(render.smoke.flame), 0, 100, "s",
     "density of the soot that shines where fuel burns, per unit of fuel a second"},
    {"smoke.detail", SCENE_KEY_FLOAT, AT(render.smoke.detail), 0, 3, "",
     "strength of noise, finer than the grid, that drifts with the smoke; needs fluid.texture_period"},
    {"smoke.detail_size", SCENE_KEY_FLOAT, AT(render.smoke.detail_size), 1e-5, 1e4, "m",
     "size of its coarsest patches"},

    {"tracers.count", SCENE_KEY_INT, AT(tracers), 0, BILLOW_TRACERS_MAX, "",
     "particles that drift with the flow: those that emitters release, at most so many, the oldest "
     "giving way; or, where none does, so many all over the box"},
    {"tracers.size", SCENE_KEY_FLOAT, AT(render.tracers.size), 0, 1e4, "m",
     "how large they are drawn"},
    {"tracers.color", SCENE_KEY_COLOR, AT(render.tracers.color), 0, 1, "",
     "share of the light they reflect, per colour"},
    {"tracers.opacity", SCENE_KEY_FLOAT, AT(render.tracers.opacity), 0, 1, "",
     "what a large one covers of what lies behind it"},
    {"tracers.glow", SCENE_KEY_FLOAT, AT(render.tracers.glow), 0, 1e6, "",
     "light of their own, in their colour"},

    {"picture.tone_map", SCENE_KEY_TONE, AT(render.picture.tone_map), 0, 0, "",
     "film curve: aces is contrasty and keeps colours strong; agx is softer, and bright colours pale"},
    {"picture.filter", SCENE_KEY_FILTER, AT(render.picture.filter), 0, 0, "",
     "smoke between cells: linear, or cubic, by which coarse grids do not show; slow, for stills"},
    {"picture.auto_exposure", SCENE_KEY_BOOL, AT(render.picture.auto_exposure), 0, 0, "",
     "meter the picture and bring it to daylight's brightness, on which exposure is a factor then"},
    {"picture.bloom", SCENE_KEY_FLOAT, AT(render.picture.bloom), 0, 1, "",
     "share of the light that spreads about as in a lens, so that fire has a halo; 0 turns it off"},
    {"exposure", SCENE_KEY_FLOAT, AT(render.exposure), 1e-6, 1e6, "",
     "factor on the picture's brightness"},

    {"timeline", SCENE_KEY_TIMELINE, AT(tracks), 0, SCENE_TRACKS_MAX, "",
     "list of what changes over time: {key: solver.vorticity, mode: smooth, values: [[0, 2], [3, "
     "8]]}, moments being [seconds, value]; mode is smooth, the default, or linear"},
};

static const SceneKey emitter_rows[] = {
    {"shape", SCENE_KEY_SHAPE, AT_EMITTER(shape), 0, 0, "",
     "sphere of radius size[0]; box of half extents size; around y: cylinder or capsule of radius "
     "size[0] and half length size[1], torus of radius size[0] and tube size[1]; plane: all below "
     "it; volume: a mesh or a text, which say so by themselves"},
    {"center", SCENE_KEY_VECTOR, AT_EMITTER(center), -1e6, 1e6, "m",
     "where it is; may lie outside the box"},
    {"size", SCENE_KEY_SIZE, AT_EMITTER(size), 0, 1e4, "m",
     "radius or half extents, as the shape has it"},
    {"rotation", SCENE_KEY_ROTATION, AT_EMITTER(rotation), -1e6, 1e6, "",
     "how its shape is turned: around the axis [x, y, z] by so many degrees"},
    {"mesh", SCENE_KEY_FORM_MESH, AT_FORM(mesh), 1, 255, "",
     "file of a closed mesh (.obj or .stl) for its shape, size[0] being half its longest edge; the "
     "path counts from the scene file's folder, out of which it does not lead"},
    {"text", SCENE_KEY_FORM_TEXT, AT_FORM(text), 1, 63, "",
     "a line of letters for its shape, size[0] being half its longer edge"},
    {"font", SCENE_KEY_FORM_FONT, AT_FORM(font), 1, 127, "",
     "what the text is set in: a family that is installed, or a file, as mesh names one; default "
     "DejaVu Sans Bold"},
    {"smoke", SCENE_KEY_FLOAT, AT_EMITTER(smoke), 0, 1e6, "1/s",
     "density released per second"},
    {"color", SCENE_KEY_COLOR, AT_EMITTER(color), 0, 1, "",
     "of that smoke, as the share of light it reflects; needs fluid.color"},
    {"heat", SCENE_KEY_FLOAT, AT_EMITTER(heat), -1e6, 1e6, "K/s",
     "heat released per second; negative cools"},
    {"fuel", SCENE_KEY_FLOAT, AT_EMITTER(fuel), 0, 1e6, "1/s",
     "fuel released per second; needs fluid.fire"},
    {"expansion", SCENE_KEY_FLOAT, AT_EMITTER(expansion), -1e3, 1e3, "1/s",
     "volume made per volume and second, with the density and heat of its place; needs an open face"},
    {"velocity", SCENE_KEY_VECTOR, AT_EMITTER(velocity), -1e4, 1e4, "m/s",
     "what the fluid inside is driven to"},
    {"burst", SCENE_KEY_FLOAT, AT_EMITTER(burst), -1e4, 1e4, "m/s",
     "speed outwards from the center, added to velocity"},
    {"grip", SCENE_KEY_FLOAT, AT_EMITTER(grip), 0, 1e6, "1/s",
     "how fast the fluid takes that velocity; 0 leaves it alone"},
    {"tracers", SCENE_KEY_FLOAT, AT_EMITTER(tracers), 0, 1e8, "1/s",
     "particles released per second; needs tracers.count"},
    {"noise", SCENE_KEY_FLOAT, AT_EMITTER(noise), 0, 4, "",
     "share of the rates that flickers in space and time"},
    {"noise_scale", SCENE_KEY_FLOAT, AT_EMITTER(noise_scale), 1e-3, 1e4, "m",
     "size of the flickering patches"},
    {"noise_speed", SCENE_KEY_FLOAT, AT_EMITTER(noise_speed), 0, 1e3, "1/s",
     "how often a patch changes"},
    {"seed", SCENE_KEY_SEED, AT_EMITTER(seed), 0, 4294967295.0, "",
     "picks the noise; the same seed gives the same run"},
    {"start", SCENE_KEY_DOUBLE, AT_EMITTER(start), 0, 1e9, "s",
     "when it begins"},
    {"end", SCENE_KEY_DOUBLE, AT_EMITTER(end), 0, 1e9, "s",
     "when it stops; not before start"},
};

static const SceneKey solid_rows[] = {
    {"shape", SCENE_KEY_SHAPE, AT_SOLID(shape), 0, 0, "",
     "as an emitter's"},
    {"center", SCENE_KEY_VECTOR, AT_SOLID(center), -1e6, 1e6, "m",
     "where it is at the start; may lie outside the box"},
    {"size", SCENE_KEY_SIZE, AT_SOLID(size), 0, 1e4, "m",
     "as an emitter's; walls thinner than two cells may leak"},
    {"rotation", SCENE_KEY_ROTATION, AT_SOLID(rotation), -1e6, 1e6, "",
     "how it is turned at the start: around the axis [x, y, z] by so many degrees"},
    {"mesh", SCENE_KEY_FORM_MESH, AT_FORM(mesh), 1, 255, "",
     "as an emitter's"},
    {"text", SCENE_KEY_FORM_TEXT, AT_FORM(text), 1, 63, "",
     "as an emitter's"},
    {"font", SCENE_KEY_FORM_FONT, AT_FORM(font), 1, 127, "",
     "as an emitter's"},
    {"velocity", SCENE_KEY_VECTOR, AT_SOLID(velocity), -1e4, 1e4, "m/s",
     "how it moves; of a falling one, at the start"},
    {"spin", SCENE_KEY_VECTOR, AT_SOLID(spin), -1e3, 1e3, "rad/s",
     "how it turns, around axes through its center"},
    {"motion", SCENE_KEY_MOTION, AT_SOLID(motion), 0, 0, "",
     "driven: as velocity and spin say, or the timeline; falling: gravity pulls it, floor and walls "
     "throw it back, and a sticky sphere rolls"},
    {"gravity", SCENE_KEY_FLOAT, AT_SOLID(gravity), -1e3, 1e3, "m/s2",
     "downwards, on a falling one"},
    {"bounce", SCENE_KEY_FLOAT, AT_SOLID(bounce), 0, 1, "",
     "share of its speed that a falling one keeps"},
    {"sticky", SCENE_KEY_BOOL, AT_SOLID(sticky), 0, 0, "",
     "whether the fluid at its surface moves with it instead of sliding along"},
    {"isothermal", SCENE_KEY_BOOL, AT_SOLID(isothermal), 0, 0, "",
     "whether its temperature is kept; heat_diffusion brings it to the fluid"},
    {"temperature", SCENE_KEY_FLOAT, AT_SOLID(temperature), -1e4, 1e4, "K",
     "that temperature, above ambient"},
};

static const SceneKey force_rows[] = {
    {"kind", SCENE_KEY_FORCE_KIND, AT_FORCE(kind), 0, 0, "",
     "wind drives the fluid to a velocity, vortex turns it around an axis, attractor draws it to a "
     "point, turbulence pushes it about"},
    {"center", SCENE_KEY_VECTOR, AT_FORCE(center), -1e6, 1e6, "m",
     "where it is, or fades out from"},
    {"radius", SCENE_KEY_FLOAT, AT_FORCE(radius), 0, 1e6, "m",
     "where it has faded to a third, of a vortex where it is strongest; 0: the same everywhere"},
    {"velocity", SCENE_KEY_VECTOR, AT_FORCE(velocity), -1e4, 1e4, "m/s",
     "a wind's; of a vortex the direction of its axis"},
    {"strength", SCENE_KEY_FLOAT, AT_FORCE(strength), -1e4, 1e4, "m/s2",
     "how strong it is; of a wind, in 1/s, how fast the fluid takes its velocity, not below 0"},
    {"scale", SCENE_KEY_FLOAT, AT_FORCE(scale), 1e-3, 1e4, "m",
     "size of turbulence's eddies; two cells at least count"},
    {"speed", SCENE_KEY_FLOAT, AT_FORCE(speed), 0, 1e3, "1/s",
     "how often these eddies change"},
    {"seed", SCENE_KEY_SEED, AT_FORCE(seed), 0, 4294967295.0, "",
     "picks the eddies; the same seed gives the same run"},
    {"start", SCENE_KEY_DOUBLE, AT_FORCE(start), 0, 1e9, "s",
     "when it begins"},
    {"end", SCENE_KEY_DOUBLE, AT_FORCE(end), 0, 1e9, "s",
     "when it stops; not before start"},
};

static const SceneKey lamp_rows[] = {
    {"position", SCENE_KEY_VECTOR, AT_LAMP(position), -1e5, 1e5, "m",
     "where it is; may lie outside the box"},
    {"color", SCENE_KEY_COLOR, AT_LAMP(color), 0, 100, "",
     "linear colour of its light"},
    {"intensity", SCENE_KEY_FLOAT, AT_LAMP(intensity), 0, 1e6, "",
     "irradiance on a surface that faces it 1 m away, as sun.intensity counts; a quarter at 2 m"},
    {"radius", SCENE_KEY_FLOAT, AT_LAMP(radius), 0, 1e4, "m",
     "of the ball that shines, as which it shows and within which its light grows no further; 0: "
     "it is not seen itself, only what it lights"},
};
/* clang-format on */

const SceneKeyTable scene_keys = {scene_rows, (int)(sizeof scene_rows / sizeof scene_rows[0])};
const SceneKeyTable scene_emitter_keys = {emitter_rows,
                                          (int)(sizeof emitter_rows / sizeof emitter_rows[0])};
const SceneKeyTable scene_solid_keys = {solid_rows,
                                        (int)(sizeof solid_rows / sizeof solid_rows[0])};

const SceneKeyTable scene_force_keys = {force_rows,
                                        (int)(sizeof force_rows / sizeof force_rows[0])};
const SceneKeyTable scene_lamp_keys = {lamp_rows, (int)(sizeof lamp_rows / sizeof lamp_rows[0])};

const SceneKey *scene_keys_find(const SceneKeyTable *table, const char *path)
{
    for (int row = 0; row < table->count; row++)
        if (strcmp(table->rows[row].path, path) == 0)
            return &table->rows[row];
    return NULL;
}

/* What follows the group in path, or NULL where path is not inside it. */
static const char *inside_group(const char *path, const char *group)
{
    size_t length = strlen(group);
    if (length == 0)
        return path;
    return strncmp(path, group, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

bool scene_keys_is_group(const SceneKeyTable *table, const char *path)
{
    for (int row = 0; row < table->count; row++)
        if (inside_group(table->rows[row].path, path) != NULL)
            return true;
    return false;
}

int scene_keys_children(const SceneKeyTable *table, const char *group,
                        char names[][SCENE_KEYS_NAME_SIZE], int capacity)
{
    int count = 0;
    for (int row = 0; row < table->count && count < capacity; row++) {
        const char *rest = inside_group(table->rows[row].path, group);
        if (rest == NULL)
            continue;
        int length = (int)strcspn(rest, ".");
        char name[SCENE_KEYS_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", length, rest);
        /* A group's rows stand together, so its name repeats only the one before. */
        if (count == 0 || strcmp(names[count - 1], name) != 0)
            memcpy(names[count++], name, sizeof name);
    }
    return count;
}

const char *const *scene_keys_choices(SceneKeyType type)
{
    static const char *const faces[] = {"closed", "open", "no_slip", "inflow", "periodic", NULL};
    static const char *const profiles[] = {"uniform", "parabolic", NULL};
    static const char *const shapes[] = {"sphere", "box",   "cylinder", "capsule",
                                         "torus",  "plane", "volume",   NULL};
    static const char *const advections[] = {"semi_lagrangian", "maccormack", "conservative",
                                             "conservative_smooth", NULL};
    static const char *const pressures[] = {"relaxation", "multigrid", "conjugate_gradients", NULL};
    static const char *const filters[] = {"linear", "cubic", NULL};
    static const char *const tones[] = {"aces", "agx", NULL};
    static const char *const motions[] = {"driven", "falling", NULL};
    static const char *const forces[] = {"wind", "vortex", "attractor", "turbulence", NULL};
    switch (type) {
    case SCENE_KEY_FORCE_KIND:
        return forces;
    case SCENE_KEY_MOTION:
        return motions;
    case SCENE_KEY_FACE:
        return faces;
    case SCENE_KEY_PROFILE:
        return profiles;
    case SCENE_KEY_SHAPE:
        return shapes;
    case SCENE_KEY_ADVECTION:
        return advections;
    case SCENE_KEY_PRESSURE:
        return pressures;
    case SCENE_KEY_TONE:
        return tones;
    case SCENE_KEY_FILTER:
        return filters;
    default:
        return NULL;
    }
}

/* As few digits as bring the same float back. */
static void format_float(float value, char text[32])
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, 32, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value)
            return;
    }
}

static void format_double(double value, char *text, size_t size)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void format_floats(const float value[3], bool one_for_all, char *text, size_t size)
{
    char part[3][32];
    for (int axis = 0; axis < 3; axis++)
        format_float(value[axis], part[axis]);
    if (one_for_all && memcmp(value, value + 1, 2 * sizeof *value) == 0)
        snprintf(text, size, "%s", part[0]);
    else
        snprintf(text, size, "[%s, %s, %s]", part[0], part[1], part[2]);
}

static void format_cells(const int cells[3], char *text, size_t size)
{
    if (cells[1] == 0)
        snprintf(text, size, "%d", cells[0]);
    else
        snprintf(text, size, "[%d, %d, %d]", cells[0], cells[1], cells[2]);
}

/* In double quotes, with the two characters that mean something there escaped. */
static void format_text(const char *value, char *text, size_t size)
{
    size_t length = 0;
    text[length++] = '"';
    for (const char *c = value; *c != '\0' && length + 3 < size; c++) {
        if (*c == '"' || *c == '\\')
            text[length++] = '\\';
        text[length++] = *c;
    }
    text[length++] = '"';
    text[length] = '\0';
}

bool scene_keys_format(const SceneKey *key, const void *base, char *text, size_t size)
{
    const void *at = (const char *)base + key->offset;
    int word;
    switch (key->type) {
    case SCENE_KEY_FLOAT: {
        char number[32];
        format_float(*(const float *)at, number);
        snprintf(text, size, "%s", number);
        return true;
    }
    case SCENE_KEY_DOUBLE:
        format_double(*(const double *)at, text, size);
        return true;
    case SCENE_KEY_INT:
        snprintf(text, size, "%d", *(const int *)at);
        return true;
    case SCENE_KEY_SEED:
        snprintf(text, size, "%lu", (unsigned long)*(const uint32_t *)at);
        return true;
    case SCENE_KEY_BOOL:
        snprintf(text, size, "%s", *(const bool *)at ? "true" : "false");
        return true;
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_COLOR:
    case SCENE_KEY_SIZE:
        format_floats(at, key->type == SCENE_KEY_SIZE, text, size);
        return true;
    case SCENE_KEY_ROTATION:
        scene_rotation_format(at, text, size);
        return true;
    case SCENE_KEY_CELLS:
        format_cells(at, text, size);
        return true;
    case SCENE_KEY_FACE:
    case SCENE_KEY_PROFILE:
    case SCENE_KEY_SHAPE:
    case SCENE_KEY_ADVECTION:
    case SCENE_KEY_PRESSURE:
    case SCENE_KEY_TONE:
    case SCENE_KEY_FILTER:
    case SCENE_KEY_MOTION:
    case SCENE_KEY_FORCE_KIND:
        memcpy(&word, at, sizeof word);
        snprintf(text, size, "%s", scene_keys_choices(key->type)[word]);
        return true;
    case SCENE_KEY_NAME:
    case SCENE_KEY_TEXT:
        format_text(at, text, size);
        return true;
    case SCENE_KEY_FORM_MESH:
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
    case SCENE_KEY_EMITTER:
    case SCENE_KEY_EMITTERS:
    case SCENE_KEY_SOLIDS:
    case SCENE_KEY_FORCES:
    case SCENE_KEY_LAMPS:
    case SCENE_KEY_TIMELINE:
        break;
    }
    return false;
}

static void allowed_words(const char *const *choices, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] != NULL && length < size; i++) {
        const char *join = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", join, choices[i]);
    }
}

void scene_keys_allowed(const SceneKey *key, char *text, size_t size)
{
    const char *const *choices = scene_keys_choices(key->type);
    if (choices != NULL) {
        allowed_words(choices, text, size);
    } else if (key->type == SCENE_KEY_BOOL) {
        snprintf(text, size, "true or false");
    } else if (key->type == SCENE_KEY_NAME || key->type == SCENE_KEY_TEXT ||
               key->type == SCENE_KEY_FORM_MESH || key->type == SCENE_KEY_FORM_TEXT ||
               key->type == SCENE_KEY_FORM_FONT) {
        snprintf(text, size, "%g to %g bytes", key->minimum, key->maximum);
    } else {
        snprintf(text, size, "%.10g to %.10g%s%s", key->minimum, key->maximum,
                 key->unit[0] != '\0' ? " " : "", key->unit);
    }
}
