/* SPDX-License-Identifier: MIT
 * A scene for hands, and what they do in it at random, from a seed. */
#ifndef HANDS_FIXTURE_H
#define HANDS_FIXTURE_H

#include "play/sim_command.h"
#include "scene/scene_write.h"
#include <cmocka.h>
#include <string.h>

/* An open box with a falling ball, a box that stands, and an emitter. */
static const char hands_text[] =
    "title: t\n"
    "domain: {size: [1, 1.5, 1], cells: 20,\n"
    "         faces: {left: open, right: open, ceiling: open}}\n"
    "time: {step: 0.02}\n"
    "fluid: {color: true}\n"
    "solids:\n"
    "  - {shape: sphere, center: [0.5, 1.2, 0.5], size: 0.15, motion: falling}\n"
    "  - {shape: box, center: [0.2, 0.3, 0.5], size: 0.08}\n"
    "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n";

/* That scene. set: a value in place of its own, KEY=VALUE; NULL: none. */
static inline Scene hands_scene(const char *set)
{
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("t", hands_text, strlen(hands_text), &scene, &error) ||
        (set != NULL && !scene_set(&scene, set, &error)))
        fail_msg("%s", error.text);
    return scene;
}

static uint32_t random_state = 1;

static inline uint32_t random_roll(uint32_t sides)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % sides;
}

static inline float somewhere(void)
{
    return (float)random_roll(1001) / 1000;
}

static inline SimCommand some_command(const Scene *scene)
{
    const int hand = (int)random_roll(SIM_HANDS_MAX);
    SimCommand command = {.hand = hand};
    switch (random_roll(8)) {
    case 0:
    case 1:
    case 2:
        command.kind = SIM_BRUSH;
        command.emitter = scene->brush;
        break;
    case 3:
        command.kind = SIM_PUSH;
        command.force = billow_default_force();
        command.force.kind = BILLOW_ATTRACTOR;
        command.force.strength = 40 * somewhere() - 20;
        command.force.radius = 0.2f;
        break;
    case 4:
        command.kind = SIM_BRUSH_END;
        break;
    case 5:
        command.kind = SIM_DETONATE;
        command.emitter = scene->detonation;
        break;
    case 6:
        command.kind = SIM_GRAB;
        command.grab.solid = (int)random_roll(2);
        break;
    default:
        command.kind = SIM_LET_GO;
        break;
    }
    float *center = command.kind == SIM_GRAB   ? command.grab.center
                    : command.kind == SIM_PUSH ? command.force.center
                                               : command.emitter.center;
    for (int axis = 0; axis < 3 && (command.kind != SIM_BRUSH_END && command.kind != SIM_LET_GO);
         axis++)
        center[axis] = somewhere();
    return command;
}

static inline void add_settings(SimRecording *script, uint64_t step, Scene *scene)
{
    BillowError error = {{0}};
    assert_true(
        scene_set(scene, random_roll(2) ? "fluid.buoyancy=0.3" : "solver.vorticity=5", &error));
    assert_true(
        scene_set(scene, random_roll(2) ? "emitters[0].heat=60" : "emitters[0].smoke=2", &error));
    assert_true(scene_set(scene, random_roll(2) ? "time.step=0.02" : "time.step=0.016", &error));
    const SimSettings settings = {
        .def = scene_def(scene), .step = (double)scene->step, .scene = scene};
    sim_recording_add(script, step, &(SimCommand){SIM_SETTINGS, .settings = (void *)&settings});
}

/* A script of so many steps and one more. */
static inline SimRecording random_script(const Scene *scene, uint32_t seed, uint64_t steps)
{
    SimRecording script = {.steps = steps + 1, .paced = true};
    Scene changed = *scene;
    random_state = seed;
    for (uint64_t step = 0; step < steps; step++) {
        for (uint32_t c = random_roll(4); c > 0; c--) {
            SimCommand command = some_command(scene);
            sim_recording_add(&script, step, &command);
        }
        if (random_roll(20) == 0)
            sim_recording_add(&script, step,
                              &(SimCommand){SIM_CYCLES, .count = (int)random_roll(4) + 1});
        if (random_roll(20) == 0)
            add_settings(&script, step, &changed);
    }
    return script;
}

#endif
