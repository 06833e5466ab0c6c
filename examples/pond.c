/* SPDX-License-Identifier: MIT
 *
 * A pond after Chen, da Vitoria Lobo, Hughes, Moshell, Real-Time Fluid Simulation in a Dynamic
 * Virtual Environment (IEEE Computer Graphics and Applications, 1997): boats are moving boundaries
 * of the flow and leave wakes, floats and coloured elements are carried by it, and the pressure is
 * the height of the surface.
 *
 *     pond [--rain]
 *     pond --frames 300 --out pond.mp4
 *
 * pond_water.c has the equations of the water and says what they can show; pond_scene.c has those
 * of boats, floats, elements and rain; pond_draw.c has the picture.
 *
 * Time is cut into slices of 1/120 s, which is below the largest stable step of the water. */
#include "pond.h"
#include "common/example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_SLICES = 4, RATE = 30 /* frames per second */ };

typedef struct Settings {
    bool rain;
} Settings;

typedef struct Pond {
    PondScene scene;
    PondView *view;
    int own;              /* number of the boat that the keys steer */
    bool paused, pressed; /* pressed: the left button was down in the frame before */
    int colour;
} Pond;

/* -- the example ----------------------------------------------------------------------------- */

static void pond_destroy(void *state)
{
    Pond *pond = state;
    pond_scene_end(&pond->scene);
    pond_view_destroy(pond->view);
    free(pond);
}

static void *pond_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    const Settings *chosen = settings;
    Pond *pond = calloc(1, sizeof *pond);
    if (pond != NULL && pond_scene_begin(&pond->scene))
        pond->view = pond_view_create(pond->scene.water);
    if (pond == NULL || pond->view == NULL) {
        if (pond != NULL)
            pond_destroy(pond);
        snprintf(error->text, sizeof error->text, "no memory for a pond of %dx%d cells", POND_NX,
                 POND_NY);
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
    pond->paused ^= input->pressed[' '];
}

static void pond_step(void *state)
{
    Pond *pond = state;
    for (int k = 0; k < FRAME_SLICES && !pond->paused; k++)
        pond_scene_slice(&pond->scene);
}

/* The boat goes along the route. Two colours are poured at the start, later it rains for a while.
 */
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

static void pond_status(const void *state, char *text, size_t size)
{
    const Pond *pond = state;
    const PondScene *scene = &pond->scene;
    const PondBoat *boat = &scene->boats[pond->own];
    snprintf(text, size,
             "pond: %.2f s, boat %.1f m/s, %d elements, %.1f l of rain, volume off by %.1g l%s",
             (double)scene->slices * POND_SLICE, hypot((double)boat->u, (double)boat->v),
             scene->element_count, 1000 * scene->rain,
             1000 * fabs(pond_water_volume(scene->water) - scene->rain),
             scene->raining ? ", raining" : "");
}

static const ExampleOption options[] = {
    {"--rain", NULL, "begin in the rain", EXAMPLE_FLAG, offsetof(Settings, rain), 0, 0},
    {0},
};

static const Settings defaults = {.rain = false};

const Example example = {
    .name = "pond",
    .summary = "boats, floats, dye and rain on a pond, after Chen et al. 1997",
    .controls = "  arrow keys        steer the red boat\n"
                "  left drag         drag a boat; a click on the water throws a stone\n"
                "  right drag        pour dye\n"
                "  c                 next colour of dye\n"
                "  x                 take the dye away\n"
                "  r                 rain on and off\n"
                "  space             pause\n",
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
