/* SPDX-License-Identifier: MIT
 *
 * Recordings of hands in files: what they did to a scene that started at rest, and the hashes of
 * its states, by which a replay is checked.
 *
 *     file  := "BILLOWHR" | version | scene | steps | number of turns | turn... |
 *              number of hashes | hash... | checksum
 *     hash  := step | hash, 64 bits each
 *
 * Numbers have 32 bits and are little-endian; `steps` has 64. Turns and the scene, with its
 * changes by the command line, are those of turn.h. The checksum is the CRC-32 of the bytes before
 * it. A file needs no other file, and reading one reads no other. */
#ifndef HANDS_REPLAY_FILE_H
#define HANDS_REPLAY_FILE_H

#include "sim_command.h"

#define REPLAY_FILE_VERSION 1u

typedef struct ReplayFile {
    Scene scene;
    SimRecording recording;
} ReplayFile;

/* Whether the file starts as a recording does. */
bool replay_file_is_one(const char *path);

/* Writes a complete file or none. Fails if the scene names a file. */
bool replay_file_write(const char *path, const Scene *scene, const SimRecording *recording,
                       BillowError *error);
/* Reads a file. The message names the path. Free the recording with sim_recording_free. */
bool replay_file_read(const char *path, ReplayFile *file, BillowError *error);
/* Reads a file's bytes, of which the message does not name a path. */
bool replay_file_parse(const unsigned char *bytes, size_t count, ReplayFile *file,
                       BillowError *error);

/* Changes the scenes of a recording by the request's quality, overrides and grid: its commands then
 * act in another simulation, at the same times. same: receives whether the simulation stays the
 * recorded one; otherwise the recording loses its hashes, which say nothing about another. */
bool replay_file_change(ReplayFile *file, const SceneRequest *request, bool *same,
                        BillowError *error);

/* A recording that is written to a file while it goes on, so that a crash loses little of it: every
 * REPLAY_KEEP_STEPS the file is replaced by a longer one. */
enum { REPLAY_KEEP_STEPS = 600 };
typedef struct ReplayRecorder {
    SimRecording recording; /* for SIM_RECORD */
    Scene scene;            /* that plays */
    char path[4096];
    bool failed;
    BillowError error; /* why it has failed */
} ReplayRecorder;

/* Returns NULL with a message if the scene cannot be recorded. Free it after the simulation. */
ReplayRecorder *replay_recorder_create(const char *path, const Scene *scene, BillowError *error);
void replay_recorder_free(ReplayRecorder *recorder); /* NULL is fine */

#endif
