/* SPDX-License-Identifier: MIT
 * libbillow_scene: scenes for programs that embed the solver (billow/scene.h). */
#include "scene/scene_play.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "base/system.h"

#include <assert.h>
#include <billow/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct BillowScene {
    Scene scene;
    SceneDriver driver;
    BillowError error; /* of the last step; "" if it succeeded */
};

BillowSceneDef billow_default_scene_def(void)
{
    return (BillowSceneDef){.name = "plume"};
}

/* Loads the scene and creates its simulation. */
static bool open_scene(const BillowSceneDef *asked, BillowScene *scene, BillowError *error)
{
    char grid[16], what[256];
    snprintf(grid, sizeof grid, "%d", asked->cells);
    const SceneRequest request = {.name_or_path = asked->name,
                                  .grid = asked->cells != 0 ? grid : NULL,
                                  .overrides = asked->settings,
                                  .override_count = asked->setting_count,
                                  .quality = SCENE_DRAFT};
    if (!scene_open(&request, &scene->scene, error))
        return false;
    BillowDef def = scene_def(&scene->scene);
    def.threads = asked->threads;
    snprintf(what, sizeof what, "%.200s at %dx%dx%d", asked->name, def.nx, def.ny, def.nz);
    return system_check_memory((double)billow_bytes_needed(&def), what, "fewer cells", error) &&
           scene_driver_create(&scene->driver, &scene->scene, &def, NULL, error);
}

static bool check_def(const BillowSceneDef *def, BillowError *error)
{
    if (def == NULL || def->name == NULL)
        return fail(error, "no scene is named; billow_scene_name lists the built-in ones");
    if (def->setting_count < 0)
        return fail(error, "%d settings; the number cannot be negative", def->setting_count);
    for (int s = 0; s < def->setting_count; s++)
        if (def->settings == NULL || def->settings[s] == NULL)
            return fail(error, "settings[%d] of %d is NULL", s, def->setting_count);
    return true;
}

BillowScene *billow_create_scene(const BillowSceneDef *def, BillowError *error)
{
    FLOAT_MODE_OWN;
    if (!check_def(def, error))
        return NULL;
    BillowScene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        fail(error, "not enough memory to load %.200s", def->name);
        return NULL;
    }
    if (open_scene(def, scene, error))
        return scene;
    billow_destroy_scene(scene);
    return NULL;
}

BillowScene *billow_load_scene(const char *name_or_file, BillowError *error)
{
    BillowSceneDef def = billow_default_scene_def();
    def.name = name_or_file;
    return billow_create_scene(&def, error);
}

void billow_destroy_scene(BillowScene *scene)
{
    if (scene == NULL)
        return;
    scene_driver_destroy(&scene->driver);
    free(scene);
}

bool billow_scene_step(BillowScene *scene, double seconds)
{
    FLOAT_MODE_OWN;
    assert(scene != NULL);
    scene->error.text[0] = '\0';
    if (!(seconds > 0 && seconds <= BILLOW_STEP_MAX))
        return fail(&scene->error, "step: seconds = %g must be above 0 and at most %g", seconds,
                    BILLOW_STEP_MAX);
    /* 1e-6 forgives rounding, so that 1.0 / 60 is one step of a scene of 1/60 s. */
    double steps = fmax(1, ceil(seconds / (double)scene->scene.step - 1e-6));
    double length = seconds / steps;
    bool good = true;
    for (double taken = 0; taken < steps && good; taken++)
        good = scene_driver_step(&scene->driver, length, &scene->error);
    return good;
}

const char *billow_scene_error(const BillowScene *scene)
{
    assert(scene != NULL);
    return scene->error.text;
}

double billow_scene_step_length(const BillowScene *scene)
{
    assert(scene != NULL);
    return (double)scene->scene.step;
}

BillowSim *billow_scene_sim(BillowScene *scene)
{
    assert(scene != NULL);
    return scene->driver.sim;
}

const char *billow_scene_title(const BillowScene *scene)
{
    assert(scene != NULL);
    return scene->scene.title;
}

const char *billow_scene_name(int index)
{
    return scene_builtin_name(index);
}
