/* SPDX-License-Identifier: MIT
 *
 * Recordings of hands in files: what they did to a scene that started at rest, or to a state of it,
 * how the camera moved, and the hashes of the states, by which a replay is checked.
 *
 *     file  := "BILLOWHR" | version | start | steps | number of turns | turn... |
 *              number of views | view... | number of hashes | hash... | checksum
 *     start := 0 | scene | shapes
 *     start := length of the packed state | length of the state | packed state
 *     view  := step | camera
 *     hash  := step | hash, 64 bits each
 *
 * Numbers have 32 bits and are little-endian; steps and lengths have 64. Turns, the scene with its
 * changes by the command line, and the shapes are those of turn.h. The state is that of sim_join.h,
 * with its scene and its shapes, packed by zlib. A camera is the seven floats of RenderCamera. The
 * checksum is the CRC-32 of the bytes before it. A file needs no other file, and reading one reads
 * no other. */
#ifndef PLAY_REPLAY_FILE_H
#define PLAY_REPLAY_FILE_H

#include "play/sim_join.h"
#include "play/turn.h"
#include <stdatomic.h>

#define REPLAY_FILE_VERSION 4u

typedef struct ReplayFile {
    Scene scene;
    SceneShape shapes[SCENE_SHAPES]; /* of its meshes and texts, for scene_play_create_of */
    SimJoin *start;                  /* state that it begins with, with its shapes; NULL: at rest */
    SimRecording recording;
} ReplayFile;

/* Whether the file starts as a recording does. */
bool replay_file_is_one(const char *path);

/* Writes a complete file or none. shapes: those of the scene's meshes and texts; NULL: it has none.
 * They are left out where the recording begins with a state, which has them.
 * replaces: whether it may replace the file at the path. Fails if the scene needs another file. */
bool replay_file_write(const char *path, const Scene *scene, const SceneShape *shapes,
                       const SimRecording *recording, bool replaces, BillowError *error);
/* Reads a file. The message names the path. */
bool replay_file_read(const char *path, ReplayFile *file, BillowError *error);
/* Reads a file's bytes, of which the message does not name a path. */
bool replay_file_parse(const unsigned char *bytes, size_t count, ReplayFile *file,
                       BillowError *error);

void replay_file_free(ReplayFile *file);

/* Changes the scenes of a recording by the request's quality, overrides and grid: its commands then
 * act in another simulation, at the same times. same: receives whether the simulation stays the
 * recorded one; otherwise the recording loses its hashes, which say nothing about another, and its
 * numbers of pressure cycles: each step then has those of the scene, or as many as the clock
 * allows. Fails if the simulation would change and the recording begins with a state. A camera in
 * the request replaces the recorded ones. */
bool replay_file_change(ReplayFile *file, const SceneRequest *request, bool *same,
                        BillowError *error);

/* A recording for a file. One that begins at rest is written while it goes on, so that a crash
 * loses little of it: every REPLAY_KEEP_STEPS the file is replaced by a longer one. One that begins
 * with a state is left to the caller to write after its end, because that takes longer than a step.
 */
enum { REPLAY_KEEP_STEPS = 600 };
typedef struct ReplayRecorder {
    SimRecording recording; /* for SIM_RECORD */
    Scene scene;            /* that plays */
    SceneShape shapes[SCENE_SHAPES];
    char path[4096];
    atomic_bool ended; /* nothing more follows, and the simulation no longer uses the recording */
    bool written;      /* whether the file at the path is of this recorder */
    bool failed;
    BillowError error; /* why it has failed */
} ReplayRecorder;

/* play: of the scene. goes_on: begin with the present state. Returns NULL with a message if the
 * scene cannot be recorded. Free it after the simulation. */
ReplayRecorder *replay_recorder_create(const char *path, const Scene *scene, const ScenePlay *play,
                                       bool goes_on, BillowError *error);
void replay_recorder_free(ReplayRecorder *recorder); /* NULL is fine */

#endif
