/* SPDX-License-Identifier: MIT
 * Messages that appear only when calls fail, and the scenario that must provoke each. */
#include "walk.h"

#include <stdio.h>
#include <string.h>

static const struct Said {
    const char *scenario, *words; /* "--all NAME": only where call after call of a place fails */
} said[] = {
    {"check_fire", "no memory to start"},
    {"check_fire", "fire.yaml: not enough memory to read it\n"},
    {"check_fire", "not enough memory to play "},
    {"write", "cube.obj: not enough memory to read it\n"},
    {"write", "not enough memory to draw the text"},
    {"write", "not enough memory for its vertices"},
    {"--all write", "not enough memory for its triangles"},
    {"write", "not enough memory to join its vertices"},
    {"--all write", "not enough memory to read its 124 bytes"},
    {"write", "not enough memory to measure it"},
    {"sim", "out.json: no memory to write it\n"},
    {"sim", "no memory for the times of 2 steps"},
    {"sim", "not enough memory for a grid of 8x8x8: it needs 0.00 GB; try a smaller grid"},
    {"checkpoint", "not enough memory to write checkpoints"},
    {"checkpoint", "notice: no checkpoint after 0.0333333 s: "},
    {"checkpoint", "not enough memory to write a checkpoint"},
    {"checkpoint", "not enough memory to write the scene's text"},
    {"--all checkpoint", "this scene cannot be written as text: "},
    {"vti_stdout", "-: not enough memory to write it\n"},
    {"vti_stdout", "not enough memory for the fields of 8x8x1 cells"},
    {"gl", "could not be written completely: out of memory\n"},
    {"gl", "not enough memory for a picture of 32 x 24 pixels"},
    {"gl", "picture: no memory for the ambient light in 8x8x8 cells"},
    {"gl", "picture: no memory for the ground's texture"},
    {"gl", "picture: no memory for 24 rows of 32 pixels"},
    {"gl", "picture: no memory for the pattern of the rays"},
    {"gl", "picture: no memory for the occupancy of 8x8x8 cells"},
    {"gl", "picture: no memory for the light in 8x8x8 cells"},
    {"gl", "picture: no memory for the light volume of 8x8x8 cells"},
    {"--all mp4", "nothing is known of how it ended"},
    {"mp4", "not enough memory for a video, or its name is too long"},
    {"mp4", "no memory for a frame of 32x24 pixels"},
    {"mp4", "OpenGL: no program for the shaders screen.vert and "},
    {"check_resume", "not enough memory to read a checkpoint"},
    {"check_resume", "not enough memory for its shapes"},
    {"check_resume", "emitters[1]: not enough memory for its shape\n"},
    {"bench", "no memory to draw it"},
    {"bench", "no memory for the results"},
    {"bench", "no memory for the baseline\n"},
    {"bench", "the baseline's 8x8x8 cells need 0 MB of memory, more than there is"},
    {"bench_kernels", "no memory for the kernel '"},
    {"bench_render", "no memory for the times of 5 frames"},
    {"gl_all", "picture: no memory for the ambient light\n"},
    {"gl_all", "picture: no memory for a slice of 12x12x12 cells"},
    {"gl_all", "picture: no memory for samples of 32 pixels"},
    {"gl_all", "picture: no memory for the light of 1 lamps in 12x12x12 cells"},
    {"gl_all", "picture: no memory for the shadows of solids in 12x12x12 cells"},
    {"legend", "the slice's legend: not enough memory for its letters"},
    {"legend", "not enough memory for its letters"},
    {"legend", "FreeType cannot read it\n"},
    {"exr", "a.exr: not enough memory to write it\n"},
    {"exr", "picture: no memory for a slice's values in 24 rows"},
    {"flipbook", "flipbook: not enough memory\n"},
    {"flipbook", "flipbook: not enough memory for the motion of 2 frames"},
    {"flipbook", "flipbook: not enough memory for the light of 2 frames"},
    {"flipbook", "flipbook: not enough memory to write 64 pixels"},
    {"gl", "8x8x8 cells do not fit into this graphics driver's textures; drawn at 1/2 of their "
           "resolution"},
    {"gl", "picture: no memory for the renderer"},
    {"gl", "picture: no memory to read a row of 32 pixels"},
    {"gl",
     "shaders screen.vert and backdrop.frag do not link: the graphics driver does not say why"},
    {"gl", "shader screen.vert: no memory to read it\n"},
    {"gl", "does not compile, and the graphics driver does not say why"},
    {"gl", "OpenGL: this driver cannot draw into the smoke target of 32x24 pixels"},
    {"--all gl_all", "cannot show slices or lines together with bloom or automatic exposure"},
    {"gl_exr", "picture: no memory for the colours of 12x12x12 cells"},
    {"--all window", "picture: no memory for the density"},
    {"window", "not enough memory to open the window"},
    {"window", "window: no memory to open it"},
    {"window", "the window's text cannot be drawn: no OpenGL 3.3 functions were found"},
    {"window", "not enough memory to keep 64 changes"},
    {"window", "not enough memory for the panel"},
    {"window", "not enough memory to start the simulation's thread"},
    {"window", "the system gives no more threads"},
    {"window", "the window's copies of 8x8x8 cells need 0 MB and memory is short"},
    {"window", "this OpenGL has no glFinish: the driver is broken"},
    {"window", "no memory for a recording"},
    {"window", "no memory to record 160x120 pixels"},
    {"window", "not enough memory for the view's arguments"},
};

enum { SAID = sizeof said / sizeof said[0] };

static bool heard[SAID];

void said_hear(const Outcome *outcome)
{
    for (int s = 0; s < SAID; s++)
        heard[s] = heard[s] || strstr(outcome->words, said[s].words) != NULL ||
                   strstr(outcome->printed, said[s].words) != NULL;
}

static bool is_of(const char *name, const Scenario *scenario, bool all)
{
    static const char only_all[] = "--all ";
    size_t length = strlen(only_all);
    if (strncmp(name, only_all, length) == 0)
        return all && strcmp(name + length, scenario->name) == 0;
    return strcmp(name, scenario->name) == 0;
}

/* Where each place fails in one scenario only, an earlier scenario may have provoked the message.
 */
int said_missing(const Scenario *scenario, bool all, bool forget)
{
    int missing = 0;
    for (int s = 0; s < SAID; s++) {
        if (is_of(said[s].scenario, scenario, all) && !heard[s]) {
            printf("WRONG: %s never said: %s\n", scenario->name, said[s].words);
            missing++;
        }
        heard[s] = heard[s] && !forget;
    }
    return missing;
}
