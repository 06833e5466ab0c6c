/* SPDX-License-Identifier: MIT
 *
 * Runs of a scene without a window: opened from a scene file or a checkpoint, advanced frame by
 * frame or step by step, and saved in checkpoints. */
#ifndef CAPTURE_SCENE_START_H
#define CAPTURE_SCENE_START_H

#include "base/system.h"
#include "play/replay_file.h"
#include "play/shared.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_play.h"

/* -- recordings -------------------------------------------------------------------------------- */

/* A recording of hands that is replayed without a window, frame by frame. The steps are those of
 * the recording. A frame shows the state after the first of them that reaches its time: the sum of
 * the steps' lengths, which goes on where the recording has a reset. */
typedef struct ReplayRun {
    Shared shared;
    Replay replay;
    uint64_t steps; /* number of steps taken */
    double played;  /* simulated time of them, s */
} ReplayRun;

/* Number of frames at a rate until the end of a recording. */
int replay_run_frames(const SimRecording *recording, const Scene *scene, double fps);

/* Starts with a simulation at rest, or with that of `start`, whose state has been loaded. The
 * simulation stays the caller's. start: NULL: at rest. Fails if memory is short. */
bool replay_run_open(ReplayRun *run, const SimRecording *recording, const Scene *scene,
                     const BillowDef *def, const SceneDriver *driver, SimJoin *start,
                     BillowError *error);
/* Returns the camera of the recording for the present state; NULL: it has none. */
const RenderCamera *replay_run_view(const ReplayRun *run);
/* Takes the next step with the commands before it. Returns false and no message if the recording
 * has ended or its steps have reached a time, s; false and a message if a shape cannot be made. */
bool replay_run_step(ReplayRun *run, double until, BillowError *error);
void replay_run_close(ReplayRun *run);

/* -- runs -------------------------------------------------------------------------------------- */

/* A scene, recording or checkpoint that was opened, its running simulation, and the checkpoints
 * that it writes. */
typedef struct SceneRun {
    const SceneRequest *request;
    const char *name; /* scene, recording or checkpoint, as given by the user */
    Scene scene;      /* with the changes of the command line */
    BillowDef def;    /* of that scene */
    bool resumed;     /* from a checkpoint, of which `saved` is the scene */
    Scene saved;
    CheckpointReader reader;
    CheckpointRun progress; /* at first that of the checkpoint; the caller sets the members of
                               automatic exposure */
    bool replays;           /* a recording of hands: with its commands, and the scene in it */
    SimRecording recording;
    SceneShape recorded[SCENE_SHAPES]; /* of the recording's scene */
    SimJoin *start;                    /* state that the recording begins with; NULL: at rest */
    SceneDriver driver;
    struct SoundTrack *sound; /* receives the steps; NULL: none */
    BillowUpres *upres;       /* NULL: none */
    BillowUpresDef upres_def; /* of the scene's frames; factor 1: none */
    int upres_n[3];           /* cells of the box that `upres` was made for */
    bool growth_said;         /* a notice has said that the box no longer grows */
    double step;              /* longest step, s */
    int before;               /* frames written before the checkpoint that it resumes from */
    int written;              /* number of the last frame written; 0: none */
    bool together; /* all ranks write a frame, each its own planes; false: the first rank alone */
    int beside;    /* planes of a frame that each rank then needs beside its own */
    int unsaved;   /* steps or frames since the last checkpoint */
    bool written_there; /* whether the checkpoint at its path is of this run, or the one it resumes
                         */
    ReplayRun replay;   /* without a recording: nothing is replayed */
    SceneShape shapes[SCENE_SHAPES]; /* of the simulation, for checkpoints */
    char *text;   /* of the scene, for checkpoints; NULL: no checkpoints are written */
    void *state;  /* buffer for the state, for checkpoints */
    size_t bytes; /* of the present state */
    size_t room;  /* of that buffer */
} SceneRun;

#define SCENE_START_FPS 30.0 /* default of --fps for a run that no checkpoint precedes */

/* -- scenes ------------------------------------------------------------------------------------ */

/* Loads the requested scene and checks its memory, with picture_bytes more for each cell.
 * STATUS_FAILED: the scene is wrong or too large. STATUS_USAGE: there is no such scene, or --set or
 * --grid does not fit it. */
Status scene_start_load(const SceneRequest *request, Scene *scene, BillowDef *def,
                        double picture_bytes, BillowError *error);

/* The same without the check of memory. */
Status scene_start_read(const SceneRequest *request, Scene *scene, BillowError *error);

/* Checks that the memory for a simulation is available, with picture_bytes more for each cell. */
bool scene_start_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                              BillowError *error);

/* Prints a notice if the box differs from domain.size, or if a value of the scene has no effect. */
void scene_start_note(const char *name_or_path, const Scene *scene);
/* Prints the notice of scene_play_memory. Runs do so themselves. */
void scene_start_note_memory(const ScenePlay *play);

/* Opens what is requested: a scene, a recording of hands or a checkpoint. A recording contains its
 * scene, which --set and --grid may change; a notice then says that its states are not compared. A
 * checkpoint contains its scene and grid, so neither SCENE nor another --grid may be given with it,
 * nor a --set that needs a new simulation. request must outlive the run. Call scene_run_close also
 * after a failure.
 */
Status scene_run_open(SceneRun *run, const SceneRequest *request, double picture_bytes,
                      BillowError *error);

/* Finds the frames per second: asked, else the checkpoint's, else SCENE_START_FPS. asked: 0 if not
 * given. Fails if the checkpoint has another rate than asked. */
bool scene_start_fps(const SceneRun *run, double asked, double *fps, BillowError *error);

/* Number of frames up to the time of the scene's poster, at least 1. */
int scene_start_poster_frames(const SceneRun *run, double fps);

/* Whether the timeline has a key that begins so. */
bool scene_start_moves(const Scene *scene, const char *beginning);

/* Whether a shutter blurs what moves, now or by the timeline. */
bool scene_start_has_shutter(const Scene *scene);

/* Fails if the state holds infinities or NaN. */
bool scene_start_check_finite(const BillowSim *sim, BillowError *error);

/* Fails if --every is given without --checkpoint. */
bool scene_start_check_every(const SceneRequest *request, BillowError *error);

/* -- running ----------------------------------------------------------------------------------- */

/* Creates the simulation, at rest or in the state of the checkpoint, and allocates the memory for
 * checkpoints. fps: frames per second; 0: the run consists of steps. Call it at most once. */
bool scene_run_begin(SceneRun *run, double fps, BillowError *error);

/* Allocates the up-resolution of the scene's frames. Called by all ranks, after scene_run_begin.
 * together, beside: as in SceneRun. With `beside` 0, a rank still has the faces at both ends of its
 * planes. */
bool scene_run_prepare_frames(SceneRun *run, bool together, int beside, BillowError *error);

/* The present state, for pictures and files: with the up-resolution of the scene if it has one. */
BillowView scene_run_view(const SceneRun *run);
/* The planes first <= k < end of that view which this rank writes: its own if `together` is set,
 * else all. */
void scene_run_planes(const SceneRun *run, int *first, int *end);

/* Heeds the signals that have reached any rank: writes a checkpoint if SIGUSR2 asks for one, and
 * returns whether the run shall end. Call it after every step. */
bool scene_run_signalled(SceneRun *run);

/* Writes frame number `number`, 1 or higher. Called on all ranks if `together` is set, else on the
 * first rank alone, to which the planes of all have been sent. */
typedef bool SceneWrite(void *context, int number, BillowError *error);

/* Gives the ranks the planes that they need of a frame. */
void scene_run_fetch(SceneRun *run);

/* Simulates so many frames, in equal steps no longer than run->step, and writes every frame, or the
 * last one unless `all` is set. Stops after the step in which it is interrupted. The checkpoint
 * then counts the steps of the unfinished frame, so that a resumed run continues at that step. */
Status scene_run_frames(SceneRun *run, int frames, bool all, SceneWrite *write, void *context,
                        BillowError *error);

/* Call after each step of a run of steps: writes a checkpoint if one is due. A failure prints a
 * notice and leaves the previous checkpoint in place. */
void scene_run_step_done(SceneRun *run);

/* Writes the last checkpoint of a run that ended with `status`, unless the state is not finite.
 * Returns the status to report: STATUS_FAILED if that checkpoint could not be written. error then
 * holds the reason. For an interrupted run it holds the command that resumes it. */
Status scene_run_finish(SceneRun *run, Status status, BillowError *error);

/* Closing twice is fine. */
void scene_run_close(SceneRun *run);

#endif
