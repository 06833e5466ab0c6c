/* SPDX-License-Identifier: MIT
 * The panel with the keyboard. All events come at once, as in a busy window, and each must have
 * the effect that it would have alone. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#define _DEFAULT_SOURCE
#include "app/gui_widgets.h"
#include "app/placing.h"
#include "app/window.h"
#include "base/render_settings.h"
#include "render/gl/gl.h"
#include "scene/scene_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_fixture.h" /* these last: cmocka has another fail */

#include "checkpoint_fixture.h"

enum { WIDTH = 992, HEIGHT = 480 };

static Window opened_window;
static AppOptions options;
static char folder[] = "/tmp/billow-panel-XXXXXX";

static int open_context(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    const bool opened = window_open(&opened_window, WIDTH, HEIGHT, &error);
    if (!opened)
        print_error("%s\n", error.text);
    options = app_default_options();
    options.capture_folder = mkdtemp(folder);
    return opened && options.capture_folder != NULL ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    window_close(&opened_window);
    return rmdir(folder);
}

/* One whose window is the panel's alone: nothing is simulated. */
static Session *open_session(void)
{
    BillowError error;
    Session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->options = &options;
    session->window.width = session->window.point_width = WIDTH;
    session->window.height = session->window.point_height = HEIGHT;
    session->gui = gui_create(1, NULL, &error);
    session->panel = panel_create(&error);
    assert_true(session->gui != NULL && session->panel != NULL);
    assert_true(scene_load("plume", &session->world.scene, &error));
    return session;
}

static void close_session(Session *session)
{
    panel_destroy(session->panel);
    gui_destroy(session->gui);
    free(session);
}

static void push_times(SDL_Scancode place, int times)
{
    for (int time = 0; time < times; time++)
        push_key(place, 0);
}

/* Opens the panel and searches for a value. The next key down goes to the first value found. */
static void push_search(const char *words)
{
    push_key(SDL_SCANCODE_TAB, 0);
    push_key(SDL_SCANCODE_F, KMOD_LCTRL);
    push_text(words);
    push_key(SDL_SCANCODE_RETURN, 0);
}

static void test_value_is_typed(void **state)
{
    (void)state;
    Session *session = open_session();
    panel_turn(session);
    push_search("fluid.buoyancy");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0); /* opens the letters of the value, */
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("75");
    push_key(SDL_SCANCODE_BACKSPACE, 0);
    push_text(".5");
    push_key(SDL_SCANCODE_RETURN, 0); /* and closes them */
    panel_settle(session);
    const Editor *editor = &session->panel->editor;
    assert_true(session->panel->shown);
    assert_float_equal(editor->shown.def.params.buoyancy, 7.5f, 0);
    assert_int_equal(history_undos(editor->history), 1);
    push_key(SDL_SCANCODE_Z, KMOD_LCTRL);
    panel_settle(session);
    assert_int_equal(history_undos(editor->history), 0);
    close_session(session);
}

/* The arrows change a value that the space bar has taken, and Esc lets go of it. */
static void test_value_is_moved(void **state)
{
    (void)state;
    Session *session = open_session();
    panel_turn(session);
    float before = session->world.scene.def.params.buoyancy;
    push_search("fluid.buoyancy");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_SPACE, 0);
    push_times(SDL_SCANCODE_RIGHT, 3);
    push_key(SDL_SCANCODE_ESCAPE, 0);
    panel_settle(session);
    assert_true(session->panel->editor.shown.def.params.buoyancy > before);
    assert_true(session->panel->shown);
    close_session(session);
}

static void push_drag(int x, int y, int to_x, int to_y)
{
    push_motion(x, y);
    push_button(SDL_BUTTON_LEFT, true, x, y);
    for (int step = 1; step <= 8; step++)
        push_motion(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8);
    push_button(SDL_BUTTON_LEFT, false, to_x, to_y);
}

/* The first value that the search finds is in the fourth row of the panel. */
static void test_quick_drag(void **state)
{
    (void)state;
    const int x = 819, y = 101;
    Session *session = open_session();
    panel_turn(session);
    float before = session->world.scene.def.params.buoyancy;
    push_search("fluid.buoyancy");
    push_motion(x, y);
    push_button(SDL_BUTTON_LEFT, true, x, y);
    for (int step = 1; step <= 6; step++)
        push_motion(x + 10 * step, y);
    push_button(SDL_BUTTON_LEFT, false, x + 60, y);
    panel_settle(session);
    assert_true(session->panel->editor.shown.def.params.buoyancy > before);
    assert_int_equal(history_undos(session->panel->editor.history), 1);
    close_session(session);
}

/* Esc leaves a line, then the panel, and only then the program. */
static void test_escape_goes_step_by_step(void **state)
{
    (void)state;
    Session *session = open_session();
    panel_turn(session);
    push_search("name pictures");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    push_text("q"); /* which with a brush would make that smaller */
    push_key(SDL_SCANCODE_ESCAPE, 0);
    panel_settle(session);
    assert_true(session->panel->shown);
    assert_string_equal(session->panel->editor.shown.name, "plume");
    push_key(SDL_SCANCODE_ESCAPE, 0);
    panel_settle(session);
    assert_false(session->panel->shown);
    assert_false(session->quit);
    push_key(SDL_SCANCODE_ESCAPE, 0); /* asks */
    push_key(SDL_SCANCODE_ESCAPE, 0);
    panel_settle(session);
    assert_true(session->quit);
    close_session(session);
}

/* The same keys, quicker than any frame, whether a text is being typed or not. */
static void test_ctrl_s_saves(void **state)
{
    (void)state;
    char path[128];
    Session *session = open_session();
    panel_turn(session);
    push_search("name pictures");
    push_key(SDL_SCANCODE_S, KMOD_LCTRL);
    panel_settle(session);
    snprintf(path, sizeof path, "%s/plume.yaml", folder);
    assert_int_equal(unlink(path), 0);
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("s");
    push_key(SDL_SCANCODE_S, KMOD_LCTRL);
    panel_settle(session);
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    assert_int_equal(unlink(path), 0);
    close_session(session);
}

/* A value gets a track, its moments stay in order, and a value that cannot change says so. */
static void test_key_is_added(void **state)
{
    (void)state;
    const float first = 7, later = 9, cells = 64;
    SimSnapshot snapshot = {.stats.time = 2};
    Session *session = open_session();
    panel_turn(session);
    session->snapshot = &snapshot;
    panel_add_moment(session, "solver.vorticity", &later, 1);
    assert_string_equal(session->texts.message, "solver.vorticity: key 1 of its track, at 2.00 s");
    snapshot.stats.time = 0.5;
    panel_add_moment(session, "solver.vorticity", &first, 1);
    const Scene *scene = &session->panel->editor.shown;
    assert_int_equal(scene->track_count, 1);
    assert_int_equal(scene->tracks[0].count, 2);
    assert_true(scene->tracks[0].times[0] == 0.5 && scene->tracks[0].times[1] == 2);
    assert_true(scene->tracks[0].values[0][0] == first && scene->tracks[0].values[1][0] == later);
    panel_add_moment(session, "solver.vorticity", &later, 1); /* replaces */
    assert_int_equal(scene->tracks[0].count, 2);
    assert_true(scene->tracks[0].values[0][0] == later);
    panel_add_moment(session, "domain.cells", &cells, 1);
    assert_string_equal(session->texts.message, "domain.cells cannot change while the scene plays");
    assert_int_equal(history_undos(session->panel->editor.history), 3);
    for (int moment = 2; moment <= SCENE_MOMENTS_MAX + 1; moment++) {
        snapshot.stats.time = moment;
        panel_add_moment(session, "solver.vorticity", &later, 1);
    }
    assert_string_equal(session->texts.message, "the timeline is full: 24 tracks of 48 moments");
    assert_int_equal(scene->tracks[0].count, SCENE_MOMENTS_MAX);
    session->snapshot = NULL;
    close_session(session);
}

/* Draws a panel with nothing but the timeline. */
static void turn_timeline(Session *session)
{
    const GuiPanel panel = {"panel", "timeline", {100, 50}, {440, 400}, false, false};
    input_handle(session);
    gui_begin(session->gui, (GuiPoint){WIDTH, HEIGHT}, 1);
    gui_begin_panel(session->gui, &panel);
    panel_show_timeline(session);
    gui_end_panel(session->gui);
    gui_end(session->gui);
}

static void settle_timeline(Session *session)
{
    for (int frame = 0; frame < 60; frame++)
        turn_timeline(session);
}

/* A dot of the diagram follows the cursor in time and value, stays behind its neighbour, and is one
 * step of undo. Presses beside the dots move nothing. */
static void test_dot_is_dragged(void **state)
{
    (void)state;
    Session *session = open_session();
    BillowError error;
    assert_true(scene_set(&session->world.scene,
                          "timeline=[{key: solver.vorticity, mode: linear, values: "
                          "[[1, 2], [3, 8], [4, 4]]}]",
                          &error));
    Scene *scene = &session->world.scene;
    panel_turn(session);
    editor_follow(&session->panel->editor, scene, scene, "plume");
    settle_timeline(session);
    /* The diagram spans x from 128 to 533 for times from 0 to 4.6 s, and y from 167 to 109 for
     * values from 1.1 to 8.9. */
    const SceneTrack *track = &session->panel->editor.shown.tracks[0];
    const History *history = session->panel->editor.history;
    push_drag(392, 116, 432, 140);
    settle_timeline(session);
    assert_float_equal(track->times[1], 3.45, 0.05);
    assert_float_equal(track->values[1][0], 4.8f, 0.2f);
    assert_true(track->times[0] == 1 && track->times[2] == 4);
    assert_int_equal(history_undos(history), 1);
    assert_true(editor_undo(&session->panel->editor));
    push_drag(392, 116, 525, 116);
    settle_timeline(session);
    assert_true(track->times[1] < 4 && track->times[1] > 3.9);
    assert_true(editor_undo(&session->panel->editor));
    assert_true(track->times[1] == 3 && track->values[1][0] == 8.0f);
    push_drag(300, 160, 320, 120); /* between the dots */
    settle_timeline(session);
    assert_true(track->times[1] == 3 && track->values[1][0] == 8.0f);
    assert_int_equal(history_undos(history), 0);
    close_session(session);
}

static void push_wheel(int notches)
{
    SDL_Event event = {.type = SDL_MOUSEWHEEL};
    event.wheel.y = notches;
    event.wheel.preciseY = (float)notches;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/* The menu of a value adds a key, and restores the value of the opened scene. */
static void test_value_has_a_menu(void **state)
{
    (void)state;
    const int x = 819, y = 101;
    SimSnapshot snapshot = {.stats.time = 2.5};
    Session *session = open_session();
    const Scene *scene = &session->panel->editor.shown;
    panel_turn(session);
    session->snapshot = &snapshot;
    float before = session->world.scene.def.params.buoyancy;
    push_search("fluid.buoyancy");
    push_click(SDL_BUTTON_RIGHT, x, y);
    panel_settle(session);
    push_click(SDL_BUTTON_LEFT, x + 20, y + 28);
    panel_settle(session);
    assert_int_equal(scene->track_count, 1);
    assert_string_equal(scene->tracks[0].key, "fluid.buoyancy");
    assert_true(scene->tracks[0].times[0] == 2.5 && scene->tracks[0].values[0][0] == before);
    push_drag(x, y, x + 60, y);
    panel_settle(session);
    assert_true(scene->def.params.buoyancy > before);
    push_click(SDL_BUTTON_RIGHT, x, y);
    panel_settle(session);
    push_click(SDL_BUTTON_LEFT, x + 20, y + 11);
    panel_settle(session);
    assert_true(scene->def.params.buoyancy == before);
    session->snapshot = NULL;
    close_session(session);
}

/* Opens the panel with the smoke's ramp as the only thing that the search finds, and sets it to
 * "ice", the second of its names. The bar is then where the names were. */
static const RenderRamp *open_ramp(Session *session)
{
    panel_turn(session);
    push_search("smoke ink ash");
    panel_settle(session);
    push_click(SDL_BUTTON_LEFT, 709, 119);
    panel_settle(session);
    const RenderRamp *ramp = &session->panel->editor.shown.render.smoke_ramp;
    assert_int_equal(ramp->stop_count, 3);
    assert_false(session->panel->editor.open); /* a bar that nobody touches changes nothing */
    return ramp;
}

enum { BAR_X = 839, BAR_Y = 121 }; /* beside all stops of "ice" */

/* A click adds a stop of the colour there, a drag moves it, and a drag off the bar removes it. Each
 * is one step of undo. */
static void test_stops_are_dragged(void **state)
{
    (void)state;
    Session *session = open_session();
    const RenderRamp *ramp = open_ramp(session);
    const History *history = session->panel->editor.history;
    const RampTable before = render_ramp_table(ramp);
    float wanted[3];
    push_click(SDL_BUTTON_LEFT, BAR_X, BAR_Y);
    panel_settle(session);
    assert_int_equal(ramp->stop_count, 4);
    assert_int_equal(history_undos(history), 2);
    float at = ramp->stops[2].at;
    assert_true(at > 0.5f && at < 0.9f);
    render_ramp_color(&before, at, wanted);
    for (int c = 0; c < 3; c++)
        assert_float_equal(ramp->stops[2].color[c], wanted[c], 1e-5f);
    push_drag(BAR_X, BAR_Y, BAR_X + 20, BAR_Y);
    panel_settle(session);
    assert_int_equal(ramp->stop_count, 4);
    assert_true(ramp->stops[2].at > at + 0.02f && ramp->stops[2].at < 1);
    assert_int_equal(history_undos(history), 3);
    push_drag(BAR_X + 20, BAR_Y, BAR_X - 400, BAR_Y); /* no further than its neighbour */
    panel_settle(session);
    assert_true(ramp->stops[2].at == ramp->stops[1].at);
    push_key(SDL_SCANCODE_Z, KMOD_LCTRL);
    panel_settle(session);
    push_drag(BAR_X + 20, BAR_Y, BAR_X + 20, BAR_Y + 150);
    panel_settle(session);
    assert_int_equal(ramp->stop_count, 3);
    assert_true(ramp->stops[2].at == 1.0f);
    assert_string_equal(session->texts.message, "");
    close_session(session);
}

/* The menu of a stop: a key of its colour, and its removal, which takes its track along. */
static void test_stop_has_a_menu(void **state)
{
    (void)state;
    SimSnapshot snapshot = {.stats.time = 1.5};
    Session *session = open_session();
    const RenderRamp *ramp = open_ramp(session);
    const Scene *scene = &session->panel->editor.shown;
    session->snapshot = &snapshot;
    push_click(SDL_BUTTON_LEFT, BAR_X, BAR_Y);
    push_click(SDL_BUTTON_RIGHT, BAR_X, BAR_Y);
    panel_settle(session);
    push_click(SDL_BUTTON_LEFT, BAR_X + 20, BAR_Y + 28);
    panel_settle(session);
    assert_int_equal(scene->track_count, 1);
    assert_string_equal(scene->tracks[0].key, "smoke.ramp[2].color");
    assert_true(scene->tracks[0].times[0] == 1.5);
    assert_float_equal(scene->tracks[0].values[0][1], ramp->stops[2].color[1], 0);
    push_click(SDL_BUTTON_RIGHT, BAR_X, BAR_Y);
    panel_settle(session);
    push_click(SDL_BUTTON_LEFT, BAR_X + 20, BAR_Y + 11);
    panel_settle(session);
    assert_int_equal(ramp->stop_count, 3);
    assert_int_equal(scene->track_count, 0);
    session->snapshot = NULL;
    close_session(session);
}

/* Points at a widget. Counts the pixels that this changes beside the panel, and those that it
 * changes in other rows of the panel. */
static void point_at(Session *session, int x, int y, int *beside, int *others)
{
    enum { ROW = 24 };
    static unsigned before[WIDTH * HEIGHT], pixels[WIDTH * HEIGHT];
    GuiBox panel;
    for (int pointed = 0; pointed < 2; pointed++) {
        push_motion(pointed ? x : 1, pointed ? y : 1);
        for (int frame = 0; frame < 4; frame++) {
            glClear(GL_COLOR_BUFFER_BIT);
            panel_turn(session);
        }
        glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pointed ? pixels : before);
    }
    assert_int_equal(gui_boxes(session->gui, &panel, 1), 1);
    *beside = *others = 0;
    for (int at = 0; at < WIDTH * HEIGHT; at++) {
        const int row = HEIGHT - 1 - at / WIDTH;
        if (pixels[at] != before[at])
            *((float)(at % WIDTH) < panel.corner.x ? beside : others) +=
                (float)(at % WIDTH) < panel.corner.x || abs(row - y) > ROW;
    }
}

/* The tips of the buttons, of a value and of its name. They cover no other row of the panel. */
static void test_widgets_have_tips(void **state)
{
    (void)state;
    static const int places[][2] = {{689, 36}, {729, 36}, {769, 36}, {839, 36},
                                    {909, 36}, {959, 36}, {839, 99}, {699, 99}};
    int beside, others;
    Session *session = open_session();
    panel_turn(session);
    push_search("fluid.buoyancy");
    panel_settle(session);
    point_at(session, places[2][0], places[2][1], &beside, &others); /* draws all of the panel */
    for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
        point_at(session, places[place][0], places[place][1], &beside, &others);
        assert_true(beside > 500);
        assert_int_equal(others, 0);
    }
    point_at(session, 655, 36, &beside, &others);
    assert_int_equal(beside + others, 0);
    close_session(session);
}

/* The search finds what can be added by several words, and values by the names of entries. */
static void test_search_finds_things(void **state)
{
    (void)state;
    static const struct {
        const char *words, *name;
    } searches[] = {{"wind", "wind"},   {"lamp", "lamp"},        {"light bulb", "lamp"},
                    {"ball", "ball"},   {"torus", "ring"},       {"whirl", "vortex"},
                    {"sphere", "ball"}, {"emitter jet", "smoke"}};
    for (size_t search = 0; search < sizeof searches / sizeof *searches; search++) {
        Session *session = open_session();
        panel_turn(session);
        push_search(searches[search].words);
        push_key(SDL_SCANCODE_DOWN, 0);
        push_key(SDL_SCANCODE_RETURN, 0);
        panel_settle(session);
        if (session->hand.placing.list == NULL)
            fail_msg("'%s' finds nothing to add", searches[search].words);
        assert_string_equal(session->hand.placing.name.text, searches[search].name);
        close_session(session);
    }
    assert_false(placing_finds(placing_thing(0), "smoke wind"));
    const char *const texts[] = {"emitters[0].smoke", "Campfire", "density released", NULL};
    assert_true(scene_panel_finds(texts, "campfire SMOKE"));
    assert_true(scene_panel_finds(texts, " "));
    assert_false(scene_panel_finds(texts, "campfire heat"));
}

/* A right click beside the panel opens a list, whose first word places smoke. A right drag does
 * not.
 */
static void test_right_click_adds(void **state)
{
    (void)state;
    const RenderCamera camera = {.distance = 3, .fov = 40};
    Session *session = open_session();
    session->world.scene.def.emitter_count = 0;
    session->world.scene.render.sun.intensity = 0;
    panel_turn(session);
    marks_begin(&session->marks, &camera, WIDTH, HEIGHT, &(MarksScene){.solids = NULL});
    for (int drag = 1; drag >= 0; drag--) {
        push_motion(100, 100);
        push_button(SDL_BUTTON_RIGHT, true, 100, 100);
        if (drag)
            push_motion(140, 100);
        push_button(SDL_BUTTON_RIGHT, false, 100, 100);
        panel_settle(session);
        assert_null(session->hand.placing.list);
        push_click(SDL_BUTTON_LEFT, 112, 114);
        panel_settle(session);
        assert_int_equal(session->hand.placing.list != NULL, !drag);
    }
    assert_string_equal(session->hand.placing.name.text, "smoke");
    assert_int_equal(session->hand.stroke.drag, DRAG_NONE);
    close_session(session);
}

/* The ends of a slice's colours, the last row of its controls, are seen at once. */
static void test_range_is_redrawn(void **state)
{
    (void)state;
    const GuiPanel panel = {"panel", "slice", {100, 50}, {440, 400}, false, false};
    Session *session = open_session();
    SliceAsk *ask = &session->slice.ask;
    *ask = (SliceAsk){.given = true, .kind = FIELD_SPEED, .ranged = true, .high = 1};
    for (int frame = 0; frame < 40; frame++) {
        input_handle(session);
        gui_begin(session->gui, (GuiPoint){WIDTH, HEIGHT}, 1);
        gui_begin_panel(session->gui, &panel);
        panel_show_slice(session);
        const GuiPoint below = gui_place();
        gui_end_panel(session->gui);
        gui_end(session->gui);
        if (frame < 4)
            session->picture.redraw = false;
        if (frame == 4) {
            const int x = (int)below.x + 150, y = (int)below.y - 12;
            push_drag(x, y, x + 40, y);
        }
    }
    assert_true(ask->low == 0 && ask->high > 1);
    assert_true(session->picture.redraw);
    close_session(session);
}

/* Keys and the wheel move it alone; once it is closed they mean what they did. */
static void test_help_is_gone_through(void **state)
{
    (void)state;
    Session *session = open_session();
    session->world.camera_control = camera_control_for(&session->world.scene);
    session->world.render = session->world.scene.render;
    const float *distance = &session->world.render.camera.distance, before = *distance;
    panel_turn(session);
    push_key(SDL_SCANCODE_F1, 0);
    panel_settle(session);
    assert_true(session->texts.help);
    session->texts.help_page.count = 9; /* as the overlay says */
    push_key(SDL_SCANCODE_PAGEDOWN, 0);
    push_key(SDL_SCANCODE_RIGHT, 0);
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_LEFT, 0);
    panel_settle(session);
    assert_int_equal(session->texts.help_page.first, 10);
    push_wheel(-1);
    panel_settle(session);
    assert_int_equal(session->texts.help_page.first, 13);
    push_key(SDL_SCANCODE_PAGEUP, 0);
    push_key(SDL_SCANCODE_UP, 0);
    panel_settle(session);
    assert_int_equal(session->texts.help_page.first, 3);
    push_key(SDL_SCANCODE_HOME, 0);
    push_wheel(1);
    panel_settle(session);
    assert_int_equal(session->texts.help_page.first, 0);
    assert_false(session->world.changing || session->change.chosen);
    assert_string_equal(session->texts.message, "");
    assert_float_equal(*distance, before, 0);
    push_key(SDL_SCANCODE_F1, 0);
    push_wheel(-1);
    panel_settle(session);
    assert_true(*distance > before);
    close_session(session);
}

/* F9, and what it says of the time before. */
static void test_checkpoint_is_taken_up(void **state)
{
    (void)state;
    for (int remembers = 0; remembers < 2; remembers++) {
        Session *session = open_session();
        char *path = session->autosave.saved;
        snprintf(path, sizeof session->autosave.saved, "%s/p.ckpt", folder);
        write_first_moment(path);
        session->world.past_bytes = remembers;
        panel_turn(session);
        push_key(SDL_SCANCODE_F9, 0);
        panel_settle(session);
        assert_true(session->world.changing);
        assert_non_null(strstr(session->texts.message, "plume continues from "));
        assert_int_equal(
            strstr(session->texts.message, "p.ckpt; states are stored from there on") != NULL,
            remembers);
        assert_int_equal(unlink(path), 0);
        world_close(&session->world);
        close_session(session);
    }
}

/* Its first place leaves two thirds of the window to the smoke, or half where letters are large,
 * and changes with the size of the letters. */
static void test_panel_leaves_room(void **state)
{
    (void)state;
    static const GuiPoint windows[] = {{800, 600}, {1280, 720}, {1920, 1080}};
    static const float scales[] = {1, 1.5f, 2};
    for (int w = 0; w < 3; w++) {
        Session *session = open_session();
        action_panel(session);
        for (int s = 0; s < 3; s++) {
            GuiBox box;
            gui_set_scale(session->gui, scales[s], 1);
            for (int frame = 0; frame < 3; frame++) {
                gui_begin(session->gui, windows[w], 1);
                panel_show(session);
                gui_end(session->gui);
            }
            assert_int_equal(gui_boxes(session->gui, &box, 1), 1);
            const float share = box.size.x / windows[w].x, letters = box.size.x / (13 * scales[s]);
            assert_true(box.corner.x > 0 && box.corner.x + box.size.x < windows[w].x);
            assert_true(box.corner.y > 0 && box.corner.y + box.size.y < windows[w].y);
            if (!(share <= (scales[s] > 1 ? 0.5f : 1.0f / 3)) || letters < 14)
                fail_msg("%g x %g at %g: %g of the width, %g letters", (double)windows[w].x,
                         (double)windows[w].y, (double)scales[s], (double)share, (double)letters);
        }
        close_session(session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_typed),
        cmocka_unit_test(test_value_is_moved),
        cmocka_unit_test(test_quick_drag),
        cmocka_unit_test(test_escape_goes_step_by_step),
        cmocka_unit_test(test_key_is_added),
        cmocka_unit_test(test_dot_is_dragged),
        cmocka_unit_test(test_value_has_a_menu),
        cmocka_unit_test(test_stops_are_dragged),
        cmocka_unit_test(test_stop_has_a_menu),
        cmocka_unit_test(test_ctrl_s_saves),
        cmocka_unit_test(test_widgets_have_tips),
        cmocka_unit_test(test_search_finds_things),
        cmocka_unit_test(test_right_click_adds),
        cmocka_unit_test(test_range_is_redrawn),
        cmocka_unit_test(test_help_is_gone_through),
        cmocka_unit_test(test_checkpoint_is_taken_up),
        cmocka_unit_test(test_panel_leaves_room),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
