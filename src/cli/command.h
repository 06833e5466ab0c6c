/* SPDX-License-Identifier: MIT
 *
 * The table of commands: what main knows of each, and what they share. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "args.h"
#include "checkpoint.h"
#include "report.h"
#include "scene_play.h"
#include "slice_ask.h"
#include "values.h"

typedef struct Command {
    ArgsSpec spec;
    size_t settings_size;
    void (*set_defaults)(void *settings); /* onto zeros; NULL where zeros are right */
    Status (*run)(const void *settings);  /* says itself what went wrong */
    /* Whether pictures are drawn: OpenMP's idle threads must sleep then, as a software rasteriser
     * needs cores. NULL: never. */
    bool (*draws)(const void *settings);
} Command;

extern const Command command_run, command_render, command_bake, command_sim, command_bench,
    command_scenes, command_check, command_info, command_verify;

/* First member of the settings of every command that takes a scene, so that the tables below fit
 * them all. */
typedef struct CommandScene {
    ArgsTexts operands; /* the scene; empty: COMMAND_DEFAULT_SCENE */
    ArgsTexts overrides;
    const char *grid; /* NULL: the scene's own */
    int threads;      /* 0: as many as the machine has */
    bool quiet, force;
    int frames; /* 0: as many as is usual */
    double fps; /* of them; 0: COMMAND_FPS */
    SliceAsk slice;
    const char *checkpoint, *resume; /* NULL: none */
    int every;                       /* 0: at the end alone */
} CommandScene;

/* Of --slice, in a command's notes. */
#define COMMAND_SLICE_NOTES                                                                        \
    "--slice FIELD[,x=M or y=M or z=M][,contours=N][,range=A:B][,veil=S][,legend=no]\n"            \
    "  x, y, z    where the plane stands, m; default: the middle, facing the camera\n"             \
    "  contours   lines of equal value, 0 to 100; default 0; even in number where the\n"           \
    "             field has both signs, so that none is at 0\n"                                    \
    "  range      values of the first and the last colour, the same in every picture;\n"           \
    "             default: the slice's own least and largest value in each picture, off\n"         \
    "             solids; as far to both sides of 0 where the field has both signs\n"              \
    "  veil       share in which smoke and solids before the plane hide it, 0 to 1; default 0.3\n" \
    "  curl is the vorticity about the plane's normal; u, v, w the velocity along x, y, z\n"

#define COMMAND_DEFAULT_SCENE "plume"
#define COMMAND_FRAMES        120
#define COMMAND_FPS           30.0
/* What a still needs a cell besides the simulation: light and textures. */
#define COMMAND_STILL_BYTES 32.0

extern const ArgsOption command_grid_options[];    /* --grid */
extern const ArgsOption command_set_options[];     /* --set */
extern const ArgsOption command_threads_options[]; /* --threads */
extern const ArgsOption command_frames_options[];  /* --frames --fps */
extern const ArgsOption command_quiet_options[];   /* --quiet */
extern const ArgsOption command_force_options[];   /* --force */
extern const ArgsOption command_slice_options[];   /* --slice */
/* --checkpoint, --every, --resume */
extern const ArgsOption command_checkpoint_options[];

/* Of those, in a command's notes. */
#define COMMAND_CHECKPOINT_NOTES                                                                   \
    "A checkpoint holds the scene, what its meshes and letters were made to, and the whole "       \
    "state:\n"                                                                                     \
    "what --resume makes of it is to the bit what it would have been without the break, with "     \
    "any\n"                                                                                        \
    "number of threads. Interrupted (Ctrl-C, SIGTERM), a last one is written. 'billow check "      \
    "FILE'\n"                                                                                      \
    "tells what is in one. With --resume there is no SCENE and no other --grid, and --set "        \
    "changes\n"                                                                                    \
    "what may change while a scene plays.\n"

SceneRequest command_scene_request(const CommandScene *settings);

/* The scene as asked for and its definition, which fits the memory there is with so many bytes a
 * cell for the picture. STATUS_FAILED: the scene's own fault, or memory's; STATUS_USAGE: --set or
 * --grid asks for what the scene cannot be. */
Status command_open_scene(const SceneRequest *request, Scene *scene, BillowDef *def,
                          double picture_bytes, BillowError *error);

/* Whether a simulation of it fits the memory there is, with so many bytes a cell for the picture.
 */
bool command_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                          BillowError *error);

/* Says on standard error where the counts of cells make the box another than domain.size asks, and
 * what of the scene is likely not what was meant. */
void command_note_scene(const char *name_or_path, const Scene *scene);

/* A Command's draws that is always true. */
bool command_draws(const void *settings);

/* Whether a file may be written there, asked before long work: a new one, or with --force the one
 * that is there; NULL is fine, standard output, devices and pipes are always. */
bool command_may_write(const CommandScene *settings, const char *path, BillowError *error);
/* The same for so many frames that go to an output, numbered from first on. */
bool command_may_write_frames(const CommandScene *settings, const ValuesOutput *output, int first,
                              int frames, BillowError *error);

/* Whether --out was given; the message has an example of it. */
bool command_has_output(const ValuesOutput *output, const char *command, const char *example,
                        BillowError *error);
/* "wrote f_1.png to f_7.png", from the first frame to the one that was written last, and more
 * words; nothing of standard output, or where written is 0. */
void command_say_written(const ValuesOutput *output, int first, int written, const char *more);

/* Whether an output, NULL where none was asked for, is standard output. */
bool command_is_stdout(const char *path);

/* False, with a message, when a simulation has gone to infinity or to nonsense. */
bool command_check_finite(const BillowSim *sim, BillowError *error);

/* Goes on to the end of a frame of so many seconds, in equal steps no longer than the scene's own,
 * `step`; stops after the one in which it is interrupted. run counts them, part of parts: a frame
 * that was broken off is ended, and whoever has written it sets both to 0. */
Status command_play_frame(ScenePlay *play, BillowSim *sim, double seconds, double step,
                          CheckpointRun *run, BillowError *error);

#endif
