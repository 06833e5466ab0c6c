/* SPDX-License-Identifier: MIT */
#include "cli/serve.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "play/share.h"
#include "play/world.h"

#include <inttypes.h>
#include <stdio.h>

/* Time between two looks at the session and the steps, s. */
#define LOOK_EVERY 0.02

static bool share_world(World *world, const ServeDef *def, Share **share, BillowError *error)
{
    if (!sim_join_allows(&world->scene, error))
        return false;
    *share =
        share_open(&(ShareDef){.host = true, .address = def->address, .name = def->name}, error);
    if (*share == NULL)
        return false;
    const ShareStatus status = share_status(*share);
    if (def->key_file != NULL && !system_write_secret(def->key_file, status.key, error))
        return false;
    share_invite(&status, def->key_file);
    world_share(world, *share);
    return true;
}

/* Plays until the end, and prints what others do. */
static bool play(World *world, Share *share, int steps, BillowError *error)
{
    uint64_t notices = 0;
    for (const SimSnapshot *snapshot = NULL; !system_interrupted(); clock_sleep(LOOK_EVERY)) {
        const ShareStatus status = share_status(share);
        if (status.notices != notices) {
            printf("%s\n", status.notice.text);
            fflush(stdout);
        }
        notices = status.notices;
        if (world_poll(world, error) == WORLD_FAILED)
            return false;
        snapshot = world_snapshot(world);
        if (steps > 0 && snapshot != NULL && snapshot->steps >= (uint64_t)steps)
            break;
    }
    const SimSnapshot *last = world_snapshot(world);
    if (last != NULL)
        number_fprint(stdout, "%" PRIu64 " steps, %.4g s of smoke, %.4g MB sent\n", last->steps,
                      last->view.time, share_status(share).bytes_sent / 1e6);
    return true;
}

Status serve(const SceneRequest *request, const ServeDef *def, BillowError *error)
{
    World world;
    Share *share = NULL;
    system_watch_interrupts();
    bool good = world_open(&world, request, request->resume, request->threads, true, NULL, error) &&
                share_world(&world, def, &share, error) && play(&world, share, def->steps, error);
    world_close(&world);
    share_close(share);
    if (!good)
        return STATUS_FAILED;
    return system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
}
