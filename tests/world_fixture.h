/* SPDX-License-Identifier: MIT
 * For tests of a world that plays. They define _POSIX_C_SOURCE, for nanosleep. */
#ifndef TESTS_WORLD_FIXTURE_H
#define TESTS_WORLD_FIXTURE_H

#include "base/clock.h"
#include "play/world.h"

#include "patience.h"
#include "scene_fixture.h"

static inline Scene parsed(const char *text)
{
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("f", text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

/* Polls until the world gives that message. Any other message is a failure. */
static inline void await(World *world, WorldEvent wanted)
{
    BillowError error = {{0}};
    double end = clock_seconds() + PATIENCE;
    for (;;) {
        WorldEvent event = world_poll(world, &error);
        if (event == wanted)
            return;
        if (event != WORLD_NOTHING || clock_seconds() > end)
            fail_msg("event %d, not %d; %s", event, wanted, error.text);
        nap(0.001);
    }
}

static inline const SimSnapshot *first_snapshot(World *world)
{
    BillowError error = {{0}};
    assert_int_equal(sim_thread_wait(world->sim, &error), SIM_THREAD_RUNNING);
    return world_snapshot(world);
}

#endif
