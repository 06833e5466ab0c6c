/* SPDX-License-Identifier: MIT
 *
 * A recording of hands that is replayed without a window, frame by frame.
 *
 * The steps are those of the recording. A frame shows the state after the first of them that
 * reaches its time: the sum of the steps' lengths, which goes on where the recording has a reset.
 */
#ifndef CAPTURE_REPLAY_RUN_H
#define CAPTURE_REPLAY_RUN_H

#include "play/shared.h"

typedef struct ReplayRun {
    Shared shared;
    Replay replay;
    uint64_t steps; /* number of steps taken */
    double played;  /* simulated time of them, s */
} ReplayRun;

/* Number of frames at a rate until the end of a recording. */
int replay_run_frames(const SimRecording *recording, const Scene *scene, double fps);

/* Starts with a simulation at rest, which stays the caller's. Fails if memory is short. */
bool replay_run_open(ReplayRun *run, const SimRecording *recording, const Scene *scene,
                     const BillowDef *def, const SceneDriver *driver, BillowError *error);
/* Takes the next step with the commands before it. Returns false and no message if the recording
 * has ended or its steps have reached a time, s; false and a message if a shape cannot be made. */
bool replay_run_step(ReplayRun *run, double until, BillowError *error);
void replay_run_close(ReplayRun *run);

#endif
