/* SPDX-License-Identifier: MIT
 *
 * A pond after Chen, da Vitoria Lobo, Hughes, Moshell, Real-Time Fluid Simulation in a Dynamic
 * Virtual Environment (IEEE Computer Graphics and Applications, 1997): boats are moving boundaries
 * of the flow and leave wakes, floats and coloured elements are carried by it, and the pressure is
 * the height of the surface.
 *
 *     pond [--rain]
 *     pond --frames 300 --out pond.mp4
 *     pond --listen 7000                      the master of two ponds that are kept in step
 *     pond --peer 127.0.0.1:7000              the follower
 *
 * pond_water.c has the equations of the water and says what they can show; pond_scene.c has those
 * of boats, floats, elements and rain; pond_draw.c has the picture.
 *
 * Time is cut into slices of 1/120 s, which is below the largest stable step of the water. Alone, a
 * frame has 4 of them. Two ponds, master and follower, run slices by the clock of the master
 * (pond_clock.c). Each steers one boat and tells the other where it is; a boat goes straight on
 * from where it was when that was told. Drops of rain follow from the number of the slice, so they
 * are the same. Waves are not told: they are alike as far as they come from the same boats and
 * drops. */
#include "pond.h"
#include "common/example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_SLICES = 4, RATE = 30 /* frames per second */ };

typedef struct Settings {
    bool rain;
    const char *listen, *peer;       /* NULL = alone */
    double clock_offset, clock_rate; /* of the local clock, s and s per s */
} Settings;

typedef struct Pond {
    PondScene scene;
    PondView *view;
    int own;              /* number of the boat that the keys steer */
    bool paused, pressed; /* pressed: the left button was down in the frame before */
    int colour;
    PondLink *link; /* NULL = alone */
    PondClock clock;
    double due;          /* local time of the next frame */
    bool in_step;        /* the other pond is there, and that has been said */
    const char *awaited; /* place of a master that has not answered yet; NULL = no longer awaited */
    double asked_since;  /* local time */
} Pond;

/* -- the example ----------------------------------------------------------------------------- */

static void pond_destroy(void *state)
{
    Pond *pond = state;
    pond_scene_end(&pond->scene);
    pond_view_destroy(pond->view);
    pond_link_close(pond->link);
    free(pond);
}

/* Opens the link to the other pond, if there is one. Returns false and sets the error if that is
 * impossible. */
static bool join(Pond *pond, const Settings *settings, ExampleError *error)
{
    bool listens = settings->listen != NULL;
    const PondRanges ranges = {POND_NX * POND_CELL, POND_NY * POND_CELL, POND_FASTEST, POND_TURN};
    if (settings->listen == NULL && settings->peer == NULL) {
        snprintf(error->text, sizeof error->text,
                 "--clock-offset and --clock-rate need --listen or --peer");
        error->usage = true;
        return settings->clock_offset == 0 && settings->clock_rate == 1;
    }
    if (settings->listen != NULL && settings->peer != NULL) {
        snprintf(error->text, sizeof error->text, "--listen and --peer exclude each other");
        error->usage = true;
        return false;
    }
    pond->link =
        pond_link_open(listens, listens ? settings->listen : settings->peer, settings->clock_offset,
                       settings->clock_rate, error->text, sizeof error->text);
    if (pond->link == NULL) {
        error->usage = strncmp(error->text, "--", 2) == 0; /* it names the option */
        return false;
    }
    pond_clock_init(&pond->clock, !listens, pond_link_session(pond->link), ranges);
    pond->own = listens ? 0 : 1;
    pond->due = pond->asked_since = pond_link_now(pond->link);
    pond->awaited = settings->peer;
    return true;
}

static void *pond_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    const Settings *chosen = settings;
    Pond *pond = calloc(1, sizeof *pond);
    snprintf(error->text, sizeof error->text, "no memory for a pond of %dx%d cells", POND_NX,
             POND_NY);
    if (pond == NULL)
        return NULL;
    if (pond_scene_begin(&pond->scene))
        pond->view = pond_view_create(pond->scene.water);
    if (pond->view == NULL || !join(pond, chosen, error)) {
        pond_destroy(pond);
        return NULL;
    }
    pond->scene.boats[pond->own].helm = POND_STEERED;
    pond->scene.raining = chosen->rain;
    frame->width = POND_WIDTH;
    frame->height = POND_HEIGHT;
    return pond;
}

/* The left button takes the boat under the pointer, or throws a stone into the water. */
static void press(PondScene *scene, const float point[2])
{
    bool taken = false;
    for (int b = 0; b < POND_BOATS; b++)
        if (scene->boats[b].helm != POND_COASTS &&
            pond_hull(&scene->boats[b], point[0], point[1]) < 1.8f) {
            scene->boats[b].helm = POND_DRAGGED;
            taken = true;
        }
    if (!taken)
        scene->rain += pond_water_add_drop(scene->water, point[0], point[1], 0.5f, 0.08f);
}

static void pond_input(void *state, const ExampleInput *input)
{
    Pond *pond = state;
    PondScene *scene = &pond->scene;
    PondBoat *boat = &scene->boats[pond->own];
    float point[2];
    pond_view_point(input->x, input->y, point);
    boat->thrust = input->held[EXAMPLE_UP] ? 1 : input->held[EXAMPLE_DOWN] ? -0.6f : 0;
    boat->rudder = (float)input->held[EXAMPLE_LEFT] - (float)input->held[EXAMPLE_RIGHT];
    for (int b = 0; b < POND_BOATS && !input->left; b++)
        if (scene->boats[b].helm == POND_DRAGGED)
            scene->boats[b].helm = b == pond->own ? POND_STEERED : POND_SAILS;
    if (input->left && !pond->pressed)
        press(scene, point);
    pond->pressed = input->left;
    memcpy(scene->drag, point, sizeof point);
    if (input->right)
        pond_pour(scene, point, pond->colour);
    if (input->pressed['c'])
        pond->colour = (pond->colour + 1) % POND_COLOURS;
    if (input->pressed['x'])
        scene->element_count = scene->next_element = 0;
    scene->raining ^= input->pressed['r'];
    if (pond->link == NULL) /* shared time does not pause */
        pond->paused ^= input->pressed[' '];
}

/* -- two ponds ------------------------------------------------------------------------------- */

/* Puts the other boat where it should be now, if that is on the water. */
static void place_other(Pond *pond, const PondState *told)
{
    PondScene *scene = &pond->scene;
    PondBoat *other = &scene->boats[1 - pond->own], boat = *other;
    double late = (double)(scene->slices - told->slices) * POND_SLICE;
    float age = (float)fmin(fmax(late, -0.5), 0.5);
    boat.helm = POND_COASTS;
    boat.x = told->x + age * told->u, boat.y = told->y + age * told->v;
    boat.heading = remainderf(told->heading + age * told->turn, 6.2831853f);
    boat.u = told->u, boat.v = told->v, boat.turn = told->turn;
    if (!pond_boat_fits(scene, &boat))
        boat.x = told->x, boat.y = told->y, boat.heading = told->heading;
    if (pond_boat_fits(scene, &boat))
        *other = boat;
    if (pond->clock.follows)
        scene->raining = told->raining;
}

/* Says once that no master has answered. It is still asked. */
static void watch_for_answer(Pond *pond)
{
    if (pond->clock.has_peer)
        pond->awaited = NULL;
    if (pond->awaited == NULL || pond_link_now(pond->link) - pond->asked_since <= POND_LOST_AFTER)
        return;
    fprintf(stderr,
            "pond: no pond answers at %s (none listens there, or it has a partner); going on "
            "alone\n",
            pond->awaited);
    pond->awaited = NULL;
}

/* Says once that the other pond is there, and once that it is silent. */
static void watch_other(Pond *pond)
{
    const PondClock *clock = &pond->clock;
    bool lost = pond_clock_lost(clock, pond_link_now(pond->link));
    bool in_step = clock->has_peer && !lost;
    if (in_step == pond->in_step)
        return;
    pond->in_step = in_step;
    if (lost)
        pond->scene.boats[1 - pond->own].helm = POND_SAILS;
    fputs(lost ? "pond: nothing heard from the other pond for 2 s; going on alone\n"
               : "pond: in step with the other pond\n",
          stderr);
}

/* Waits for the time of the frame, while packets come and go. Returns how many slices to run. */
static int keep_in_step(Pond *pond)
{
    PondScene *scene = &pond->scene;
    const PondBoat *boat = &scene->boats[pond->own];
    PondState theirs, mine = {.slices = scene->slices,
                              .x = boat->x,
                              .y = boat->y,
                              .heading = boat->heading,
                              .u = boat->u,
                              .v = boat->v,
                              .turn = boat->turn,
                              .raining = scene->raining};
    double now = pond_link_now(pond->link);
    pond->due = fmax(pond->due + 1.0 / RATE, now); /* a slow machine does not have to catch up */
    bool told = pond_link_exchange(pond->link, &pond->clock, &mine, &theirs, pond->due - now);
    int count = pond_clock_slices(&pond->clock, pond_link_now(pond->link));
    scene->slices = pond->clock.slices - count;
    if (told)
        place_other(pond, &theirs);
    watch_for_answer(pond);
    watch_other(pond);
    return count;
}

static void pond_step(void *state)
{
    Pond *pond = state;
    int count = pond->link != NULL ? keep_in_step(pond) : FRAME_SLICES;
    for (int k = 0; k < count && !pond->paused; k++)
        pond_scene_slice(&pond->scene);
}

/* -- the host's calls ------------------------------------------------------------------------ */

/* The boat goes along the route. Two colours are poured at the start, and later it rains. */
static void pond_script(const void *state, int frame, ExampleInput *input)
{
    const Pond *pond = state;
    PondBoat boat = pond->scene.boats[pond->own];
    float pixel[2];
    pond_sail(&boat);
    input->held[EXAMPLE_UP] = boat.thrust > 0.5f || frame % 2 == 0;
    input->held[EXAMPLE_LEFT] = boat.rudder > 0.15f;
    input->held[EXAMPLE_RIGHT] = boat.rudder < -0.15f;
    input->right = frame < 60;
    input->pressed['c'] = frame == 30;
    float along = (float)(frame % 30) / 30;
    pond_view_pixel(9 + 5 * along, frame < 30 ? 4.6f : 11.2f, 0, pixel);
    input->x = (double)pixel[0];
    input->y = (double)pixel[1];
    input->pressed['r'] = frame == 150 || frame == 240;
}

static void pond_draw_frame(const void *state, ExampleFrame *frame)
{
    const Pond *pond = state;
    pond_draw(pond->view, &pond->scene, frame->rgb);
}

static void add_link_status(const Pond *pond, char *text, size_t size)
{
    const PondClock *clock = &pond->clock;
    if (!pond->in_step)
        snprintf(text, size, clock->has_peer ? "; alone, the other is silent" : "; alone so far");
    else if (clock->follows)
        snprintf(text, size, "; in step: clock %+.3f s, rate %.4f, trip %.2f ms", clock->offset,
                 1 + clock->drift, 1000 * clock->trip);
    else
        snprintf(text, size, "; in step as the master");
}

static void pond_status(const void *state, char *text, size_t size)
{
    const Pond *pond = state;
    const PondScene *scene = &pond->scene;
    const PondBoat *boat = &scene->boats[pond->own];
    int length =
        snprintf(text, size,
                 "pond: %.2f s, boat %.1f m/s, %d elements, %.1f l of rain, volume off by %.1g l%s",
                 (double)scene->slices * POND_SLICE, hypot((double)boat->u, (double)boat->v),
                 scene->element_count, 1000 * scene->rain,
                 1000 * fabs(pond_water_volume(scene->water) - scene->rain),
                 scene->raining ? ", raining" : "");
    if (pond->link != NULL && length > 0 && (size_t)length < size)
        add_link_status(pond, text + length, size - (size_t)length);
}

static const ExampleOption options[] = {
    {"--rain", NULL, "begin in the rain", EXAMPLE_FLAG, offsetof(Settings, rain), 0, 0},
    {"--listen", "PORT",
     "be the master of two ponds at this UDP port; 0.0.0.0:PORT lets other machines connect",
     EXAMPLE_TEXT, offsetof(Settings, listen), 0, 0},
    {"--peer", "ADDRESS:PORT", "follow the master there; IPv4 only", EXAMPLE_TEXT,
     offsetof(Settings, peer), 0, 0},
    {"--clock-offset", "S", "for showing it: set the local clock wrong by S seconds",
     EXAMPLE_NUMBER, offsetof(Settings, clock_offset), -1e6, 1e6},
    {"--clock-rate", "R", "for showing it: let the local clock run R times as fast", EXAMPLE_NUMBER,
     offsetof(Settings, clock_rate), POND_RATE_LEAST, POND_RATE_MOST},
    {0},
};

static const Settings defaults = {.clock_rate = 1};

const Example example = {
    .name = "pond",
    .summary = "boats, floats, dye and rain on a pond, after Chen et al. 1997",
    .controls = "  arrow keys        steer the red boat; with --peer the blue one\n"
                "  left drag         drag a boat; a click on the water throws a stone\n"
                "  right drag        pour dye\n"
                "  c                 next colour of dye\n"
                "  x                 take the dye away\n"
                "  r                 rain on and off; of two ponds, at the master\n"
                "  space             pause; not with --listen or --peer, whose time goes on\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = RATE,
    .frames = 300,
    .create = pond_create,
    .destroy = pond_destroy,
    .script = pond_script,
    .input = pond_input,
    .step = pond_step,
    .draw = pond_draw_frame,
    .status = pond_status,
};
