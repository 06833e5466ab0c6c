/* SPDX-License-Identifier: MIT
 *
 * The table of commands, and the options that several of them share. To add a command, write its
 * cmd_NAME.c and add NAME to COMMANDS. Dispatch, help, shell completion, the manual page and the
 * tests read that table. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "capture/outputs.h"
#include "capture/scene_start.h"
#include "cli/args.h"
#include "render/frame/field_slice.h"

typedef struct Command {
    ArgsSpec spec;
    size_t settings_size;                 /* bytes */
    void (*set_defaults)(void *settings); /* fills zeroed settings; NULL: zeros are the defaults */
    /* Runs the command. On any status but STATUS_DONE, main prints the message in error. The
     * message is empty if the command has printed it. */
    Status (*run)(const void *settings, BillowError *error);
    /* Whether the command draws pictures. If so, OpenMP's idle threads sleep, because a software
     * renderer needs the cores. NULL: never. */
    bool (*draws)(const void *settings);
    /* Whether the ranks of mpirun divide the simulation. Otherwise the first rank runs the command
     * alone. NULL: never. */
    bool (*divides)(const void *settings);
} Command;

/* Every command, in the order of the help. The first runs if no command is named. */
#define COMMANDS(COMMAND)                                                                          \
    COMMAND(run)                                                                                   \
    COMMAND(render)                                                                                \
    COMMAND(bake)                                                                                  \
    COMMAND(sim)                                                                                   \
    COMMAND(bench)                                                                                 \
    COMMAND(verify)                                                                                \
    COMMAND(scenes)                                                                                \
    COMMAND(check)                                                                                 \
    COMMAND(info)

#define COMMAND_DECLARE(name) extern const Command command_##name;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

/* The table; NULL past the last. */
extern const Command *const commands[];

/* Runs the command of a command line, or prints help. */
Status command_dispatch(int count, char **arguments, BillowError *error);

/* Destination of the shared options below. It is the first member of the settings of every command
 * that takes a scene. */
typedef struct CommandScene {
    ArgsTexts operands; /* the scene, at most one; files or cases in some commands */
    ArgsTexts overrides;
    SceneRequest request; /* without those; command_scene_request adds them */
    bool force;
    int frames; /* 0: not given */
    double fps; /* 0: not given */
    SliceAsk slice;
} CommandScene;

#define COMMAND_DEFAULT_SCENE "plume"
#define COMMAND_FRAMES        120

extern const ArgsOption command_grid_options[];       /* --grid */
extern const ArgsOption command_set_options[];        /* --set */
extern const ArgsOption command_threads_options[];    /* --threads */
extern const ArgsOption command_frames_options[];     /* --frames --fps */
extern const ArgsOption command_quiet_options[];      /* --quiet */
extern const ArgsOption command_force_options[];      /* --force */
extern const ArgsOption command_slice_options[];      /* --slice */
extern const ArgsOption command_checkpoint_options[]; /* --checkpoint --every --resume */

/* Members of an ArgsSpec for a command that takes one scene. otherwise: what happens without. */
#define COMMAND_SCENE_OPERAND(otherwise)                                                           \
    .operand = "[SCENE]",                                                                          \
    .operand_help = "a built-in scene ('billow scenes' lists them) or a scene file; " otherwise,   \
    .operands_most = 1, .operands_offset = offsetof(CommandScene, operands)

/* Notes on the shared options, for the end of a command's help. */
#define COMMAND_SLICE_NOTES                                                                        \
    "--slice FIELD[,x=M or y=M or z=M][,contours=N][,range=A:B][,veil=S][,legend=no]\n"            \
    "  x, y, z    position of the plane, m; default: the middle of the box, facing the camera\n"   \
    "  contours   number of contour lines, 0 to 100; default 0. For a field of both signs it is\n" \
    "             rounded up to an even number, so that no line is at 0\n"                         \
    "  range      values of the first and the last colour, the same in every picture; default:\n"  \
    "             the least and the largest value of the slice outside solids, per picture;\n"     \
    "             symmetric about 0 for a field of both signs\n"                                   \
    "  veil       how strongly smoke and solids in front hide the plane, 0 to 1; default 0.3\n"    \
    "  legend     whether a legend is drawn, yes or no; default yes\n"                             \
    "  curl is the vorticity about the plane's normal; u, v, w are the velocity along x, y, z\n"
#define COMMAND_CHECKPOINT_NOTES                                                                   \
    "A checkpoint holds the scene, the cells that its meshes and letters fill, and the whole\n"    \
    "state. A resumed run gives the same result to the bit as an uninterrupted one, with any\n"    \
    "number of threads. An interrupted run (Ctrl-C, SIGTERM) writes a last one, SIGUSR2 one "      \
    "now.\n"                                                                                       \
    "'billow check FILE' describes a checkpoint. --resume takes the place of SCENE. It allows "    \
    "no\n"                                                                                         \
    "other --grid, and --set only for keys that may change while a scene plays.\n"

/* The request of a command with its scene (or NULL) and --set. command: its name. */
SceneRequest command_scene_request(const CommandScene *settings, const char *command);

/* A Command.draws or Command.divides that always returns true. */
bool command_always(const void *settings);

/* Fails, with an example in the message, if --out was not given. */
bool command_has_output(const OutputName *output, const char *command, const char *example,
                        BillowError *error);

#endif
