/* SPDX-License-Identifier: MIT
 * A small checkpoint to resume from. */
#ifndef TESTS_CHECKPOINT_FIXTURE_H
#define TESTS_CHECKPOINT_FIXTURE_H

#include "scene/scene_checkpoint.h"
#include <stdlib.h>

#include "scene_fixture.h" /* last: cmocka has another fail */

/* The first moment of a plume, with a value that differs from the scene. */
static inline void write_first_moment(const char *path)
{
    static const SceneShape none[SCENE_SHAPES];
    const char *const overrides[] = {"solver.vorticity=2.5"};
    const SceneRequest request = {
        .name_or_path = "plume", .grid = "12", .overrides = overrides, .override_count = 1};
    Scene scene;
    BillowError error = {{0}};
    assert_true(scene_open(&request, &scene, &error));
    const BillowDef def = scene_def(&scene);
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    char *text = scene_checkpoint_text(&scene, &error);
    void *state = malloc(billow_state_bytes(sim));
    assert_true(text != NULL && state != NULL);
    billow_save_state(sim, state);
    SceneCheckpoint checkpoint = {.run = {.scene = "plume"},
                                  .text = text,
                                  .shapes = none,
                                  .state = state,
                                  .bytes = billow_state_bytes(sim)};
    scene_checkpoint_describe(sim, &checkpoint.run);
    if (!scene_checkpoint_write(&checkpoint, path, &error))
        fail_msg("%s", error.text);
    billow_destroy(sim);
    free(text);
    free(state);
}

#endif
