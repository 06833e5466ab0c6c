/* SPDX-License-Identifier: MIT */
#include "scene/scene_light.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SKY "surroundings.kind=sky", "surroundings.sun=true", "surroundings.haze=1"

static const SceneLight lights[] = {
    {.name = "day",
     .does = "a high sun in a clear sky",
     .values = {SKY, "sun.elevation=48", "sun.intensity=12", "sun.color=[1, 0.95, 0.88]",
                "sky.intensity=1", "ground.visible=true"}},
    {.name = "golden_hour",
     .does = "a low, golden sun",
     .values = {SKY, "sun.elevation=7", "sun.intensity=20", "sun.color=[1, 0.95, 0.88]",
                "sky.intensity=1", "ground.visible=true"}},
    {.name = "dusk",
     .does = "the sun on the horizon, exposed long",
     .values = {SKY, "sun.elevation=0.3", "sun.intensity=110", "sun.color=[1, 0.95, 0.88]",
                "sky.intensity=1", "ground.visible=true"}},
    {.name = "night",
     .does = "moonlight; fire and lamps stand out",
     .values = {"surroundings.kind=gradient", "sun.elevation=35", "sun.intensity=0.4",
                "sun.color=[0.6, 0.72, 1]", "sky.intensity=0.06", "sky.zenith=[0.1, 0.16, 0.4]",
                "sky.horizon=[0.2, 0.28, 0.5]"}},
    {.name = "studio",
     .does = "a grey cove with softboxes, and a key light from the side",
     .values = {"surroundings.kind=studio", "surroundings.color=[0.16, 0.17, 0.19]",
                "sun.elevation=40", "sun.intensity=7", "sun.color=[1, 0.96, 0.9]",
                "sky.intensity=1", "ground.visible=true"}},
    {.name = "stage",
     .does = "a dark stage with a warm key, a cool fill and a rim light",
     .values = {"surroundings.kind=studio", "surroundings.color=[0.05, 0.05, 0.055]",
                "sun.intensity=0", "sky.intensity=0.03", "ground.visible=true"},
     .lamps =
         {{"key", RENDER_LAMP_SPOT, {1.1f, 1.5f, 1}, {0, 0.3f, 0}, 7, {1, 0.86f, 0.66f}, 44, 0},
          {"fill",
           RENDER_LAMP_AREA,
           {-1.4f, 0.8f, 0.8f},
           {0, 0.35f, 0},
           1.2f,
           {0.45f, 0.65f, 1},
           40,
           0.3f},
          {"rim",
           RENDER_LAMP_SPOT,
           {-0.7f, 1.4f, -1.3f},
           {0, 0.4f, 0},
           8,
           {0.75f, 0.85f, 1},
           46,
           0}}},
};

const SceneLight *scene_light_at(int index)
{
    return index >= 0 && index < (int)(sizeof lights / sizeof lights[0]) ? &lights[index] : NULL;
}

/* Places the rig's lamps around the scene's box. */
static void place_lamps(const SceneLight *light, Scene *scene)
{
    const float *size = scene->domain.size;
    const float longest = fmaxf(size[0], fmaxf(size[1], size[2]));
    for (int l = 0; l < SCENE_LIGHT_LAMPS && light->lamps[l].name != NULL; l++) {
        const SceneLightLamp *from = &light->lamps[l];
        RenderLamp lamp = render_default_lamp();
        float square = 0;
        snprintf(scene->lamp_names[l].text, SCENE_NAME, "%s", from->name);
        lamp.kind = from->kind;
        lamp.angle = from->angle;
        lamp.radius = longest * from->radius;
        for (int axis = 0; axis < 3; axis++) {
            float middle = axis == 1 ? 0 : 0.5f * size[axis];
            lamp.position[axis] = middle + longest * from->place[axis];
            lamp.direction[axis] = from->aim[axis] - from->place[axis];
            lamp.color[axis] = from->color[axis];
            square += longest * lamp.direction[axis] * (longest * lamp.direction[axis]);
        }
        lamp.intensity = from->irradiance * square;
        scene->render.lamps[l] = lamp;
        scene->render.lamp_count = l + 1;
    }
}

bool scene_light_set(Scene *scene, const char *name, BillowError *error)
{
    char names[200] = "";
    Scene changed = *scene;
    for (const SceneLight *light = lights; light < lights + sizeof lights / sizeof lights[0];
         light++) {
        if (strcmp(light->name, name) == 0) {
            for (int v = 0; v < SCENE_LIGHT_VALUES && light->values[v] != NULL; v++)
                if (!scene_set(&changed, light->values[v], error))
                    return false;
            place_lamps(light, &changed);
            *scene = changed;
            return true;
        }
        strcat(strcat(names, names[0] != '\0' ? ", " : ""), light->name);
    }
    return fail(error, "must be one of %s, not '%.60s'", names, name);
}
