/* SPDX-License-Identifier: MIT */
#include "capture/replay_run.h"

#include "base/fail.h"
#include <math.h>
#include <stdlib.h>

/* Share of a step by which a frame's time may be missed, because of rounding. */
#define ROUNDING 1e-6

int replay_run_frames(const SimRecording *recording, const Scene *scene, double fps)
{
    double frames = ceil(replay_seconds(recording, scene) * fps - ROUNDING);
    return (int)fmin(fmax(frames, 1), 1e9);
}

bool replay_run_open(ReplayRun *run, const SimRecording *recording, const Scene *scene,
                     const BillowDef *def, const SceneDriver *driver, BillowError *error)
{
    *run = (ReplayRun){.replay = {.recording = recording}};
    if (!shared_open(&run->shared, def, driver->play, scene, (double)scene->step))
        return fail(error, "not enough memory to replay a recording");
    run->shared.driver = *driver;
    run->shared.seen = UINT64_MAX; /* frames are drawn from the present state */
    return true;
}

static bool apply(Shared *shared, const SimCommand *command, BillowError *error)
{
    BillowError
        refusal; /* settings that the simulation refuses had no effect either when recorded */
    if (command->kind != SIM_SETTINGS) {
        shared_apply(shared, command, &refusal);
        return true;
    }
    SimSettings *settings = shared_settings(shared, command->settings, error);
    if (settings == NULL)
        return false;
    shared_apply(shared, &(SimCommand){SIM_SETTINGS, .settings = settings}, &refusal);
    free(settings);
    return true;
}

bool replay_run_step(ReplayRun *run, double until, BillowError *error)
{
    Shared *shared = &run->shared;
    const SimCommand *command;
    error->text[0] = 0;
    if (run->steps >= run->replay.recording->steps ||
        run->played + ROUNDING * shared->step >= until)
        return false;
    while ((command = replay_next(&run->replay, run->steps)) != NULL)
        if (!apply(shared, command, error))
            return false;
    shared_step(shared);
    run->played += shared->step;
    run->steps++;
    replay_check(&run->replay, run->steps, shared->driver.sim);
    return true;
}

void replay_run_close(ReplayRun *run)
{
    run->shared.driver.sim = NULL;
    shared_close(&run->shared);
}
