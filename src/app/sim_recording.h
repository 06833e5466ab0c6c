/* SPDX-License-Identifier: MIT
 *
 * A recording: the commands that decided a simulation's state, each with the step before which it
 * was applied. The first one is a reset. Played to a simulation of the same definition
 * (SIM_REPLAY), it gives the same states, bit by bit, on any number of threads and however fast the
 * machine is.
 *
 * A recording ends where time goes back: states that are kept are not part of it. While a thread
 * records into it or replays it, nobody else may touch it. */
#ifndef APP_SIM_RECORDING_H
#define APP_SIM_RECORDING_H

#include "sim_command.h"

typedef struct SimRecorded {
    uint64_t step; /* steps taken since the recording began */
    SimCommand command;
} SimRecorded;

struct SimRecording {
    SimRecorded *commands; /* in the order in which they were applied */
    int count, room;
    uint64_t steps; /* taken in all */
    bool ended;     /* because time went back, or memory was short */
};

/* Appends a copy of a command. Settings are copied with their scene, without their play. */
void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command);
void sim_recording_free(SimRecording *recording);

/* Settings as they were recorded, to be applied: with a play made from their scene. NULL and a
 * message where a shape cannot be made any more. The caller frees them and destroys their play. */
SimSettings *sim_recording_settings(const SimSettings *recorded, BillowError *error);

#endif
