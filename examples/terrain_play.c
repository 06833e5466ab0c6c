/* SPDX-License-Identifier: MIT
 *
 * examples/terrain.c as a program: options, pointer and keys, script, status. */
#include "terrain.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Settings {
    double rate, speed;
    double rain; /* mm/s; 0 = it does not rain yet */
} Settings;

typedef struct Play {
    Settings settings;
    Terrain *terrain;
    View *view;
    bool paused, rains;
} Play;

static void play_destroy(void *state)
{
    Play *play = state;
    terrain_destroy(play->terrain);
    view_destroy(play->view);
    free(play);
}

static void *play_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    Play *play = calloc(1, sizeof *play);
    frame->width = 960;
    frame->height = 600;
    if (play != NULL)
        play->terrain = terrain_valley();
    if (play != NULL && play->terrain != NULL)
        play->view = view_create(play->terrain, frame->width, frame->height);
    if (play == NULL || play->view == NULL) {
        if (play != NULL)
            play_destroy(play);
        snprintf(error->text, sizeof error->text, "no memory for the terrain");
        return NULL;
    }
    play->settings = *(const Settings *)settings;
    play->rains = play->settings.rain > 0;
    for (int s = 0; s < play->terrain->source_count; s++)
        play->terrain->sources[s].rate *= play->settings.rate;
    return play;
}

/* Drives the bulldozer towards a point. */
static void drive_towards(Bulldozer *b, double x, double y)
{
    double off = remainder(atan2(y - b->y, x - b->x) - b->heading, 2 * acos(-1));
    bool near = hypot(x - b->x, y - b->y) < 1.4;
    b->turn = near ? 0 : fmin(fmax(4 * off, -1), 1);
    b->drive = near || fabs(off) > 1 ? 0 : 1;
}

/* Takes away the spring at a point, or makes one of 1 m3/s. */
static void toggle_source(Play *play, double x, double y)
{
    Terrain *t = play->terrain;
    for (int s = 0; s < t->source_count; s++)
        if (hypot(x - t->sources[s].x, y - t->sources[s].y) < 0.7) {
            t->sources[s] = t->sources[--t->source_count];
            return;
        }
    if (t->source_count < SOURCES)
        t->sources[t->source_count++] = (Source){.x = x, .y = y, .rate = play->settings.rate};
}

static void apply_keys(Play *play, const ExampleInput *input)
{
    Terrain *t = play->terrain;
    Bulldozer *b = &t->bulldozer;
    play->paused ^= input->pressed[' '];
    t->sources_run ^= input->pressed['w'];
    play->rains ^= input->pressed['r'];
    double rain = play->settings.rain > 0 ? play->settings.rain : 1;
    t->rain = play->rains ? 1e-3 * rain : 0;
    terrain_set_blade(t, b->lowered ^ input->pressed['x']);
    if (input->pressed['c'])
        terrain_dry(t);
    if (input->pressed['b'])
        b->way = b->way < 0 ? 0 : -1;
    bool left = input->held[EXAMPLE_LEFT], right = input->held[EXAMPLE_RIGHT];
    bool up = input->held[EXAMPLE_UP], down = input->held[EXAMPLE_DOWN];
    if (left || right || up || down || input->left)
        b->way = -1; /* the driver takes over */
    b->turn = left - right;
    b->drive = up - down;
}

static void play_input(void *state, const ExampleInput *input)
{
    Play *play = state;
    double x, y;
    bool on_ground = view_pick(play->view, input->x, input->y, &x, &y);
    apply_keys(play, input);
    if (input->left && on_ground)
        drive_towards(&play->terrain->bulldozer, x, y);
    if (input->pressed['s'] && on_ground)
        toggle_source(play, x, y);
    if (input->middle && on_ground)
        ponds_press(play->terrain, x, y, -0.03);
    if (input->right)
        view_orbit(play->view, -0.006 * input->dx, 0.005 * input->dy, 1);
    view_orbit(play->view, 0, 0, pow(0.9, input->wheel));
}

static void play_step(void *state)
{
    Play *play = state;
    if (!play->paused)
        terrain_advance(play->terrain, play->settings.speed / example.rate);
}

/* The lake fills. Then the springs close, rain falls on the still lake, and the bulldozer opens the
 * dam. Rain of the option does not stop. */
static void play_script(const void *state, int frame, ExampleInput *input)
{
    const Play *play = state;
    input->pressed['w'] = frame == 165;
    input->pressed['b'] = frame == 320;
    if (!(play->settings.rain > 0))
        input->pressed['r'] = frame == 385 || frame == 450;
}

static void play_draw(const void *state, ExampleFrame *frame)
{
    const Play *play = state;
    view_draw(play->view, play->terrain, frame);
}

static void play_status(const void *state, char *text, size_t size)
{
    const Terrain *t = ((const Play *)state)->terrain;
    double area = t->cell * t->cell;
    int ponds = ponds_count(t->ponds);
    int64_t water = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        water += t->water[c];
    snprintf(text, size,
             "terrain: %.1f s, water %.3f m3, poured %.3f m3, left %.3f m3, still ponds %d",
             (double)t->slices / SLICES, area * metres(water), area * metres(t->poured),
             area * metres(t->left), ponds);
}

static const ExampleOption options[] = {
    {"--rate", "R", "factor on the rates of the sources; default 1", EXAMPLE_NUMBER,
     offsetof(Settings, rate), 0, 10},
    {"--speed", "S", "simulated seconds per second; default 2.5", EXAMPLE_NUMBER,
     offsetof(Settings, speed), 0.1, 10},
    {"--rain", "MM", "begin in rain of MM mm per simulated second; without it, r brings 1",
     EXAMPLE_NUMBER, offsetof(Settings, rain), 0.1, 20},
    {0},
};

static const Settings defaults = {.rate = 1, .speed = 2.5};

const Example example = {
    .name = "terrain",
    .summary = "water that follows a terrain which a bulldozer changes",
    .controls = "  left drag         drive the bulldozer to the pointer\n"
                "  middle drag       press on still water\n"
                "  right drag        turn the view\n"
                "  wheel             zoom\n"
                "  arrow keys        drive the bulldozer\n"
                "  x                 lower or raise its blade\n"
                "  b                 send it through the dam, or stop it\n"
                "  w                 open or close the springs\n"
                "  s                 make a spring at the pointer, or take it away\n"
                "  r                 rain on and off\n"
                "  c                 take the water away\n"
                "  space             pause\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = 60,
    .frames = 1000,
    .create = play_create,
    .destroy = play_destroy,
    .script = play_script,
    .input = play_input,
    .step = play_step,
    .draw = play_draw,
    .status = play_status,
};
