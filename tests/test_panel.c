/* SPDX-License-Identifier: MIT
 * The panel with the keyboard. All events come at once, as in a busy window, and each must have
 * the effect that it would have alone. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#define _DEFAULT_SOURCE
#include "input.h"
#include "panel.h"
#include "window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint_fixture.h" /* last: cmocka has another fail */

enum { WIDTH = 640, HEIGHT = 480, FRAMES = 400 };

static GlContext *context;
static AppOptions options;
static char folder[] = "/tmp/billow-panel-XXXXXX";

static int open_context(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    context = gl_context_open_window("", 64, 64, &error);
    if (context == NULL)
        print_error("%s\n", error.text);
    options = app_default_options();
    options.capture_folder = mkdtemp(folder);
    return context != NULL && options.capture_folder != NULL ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    gl_context_close(context);
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

static void turn(Session *session)
{
    Scene *scene = &session->world.scene;
    input_handle(session);
    editor_follow(&session->panel->editor, scene, scene, "plume");
    gui_begin(session->gui, (GuiPoint){WIDTH, HEIGHT}, 1);
    panel_show(session);
    gui_end(session->gui);
}

static void push_key(SDL_Scancode place, unsigned held)
{
    for (int up = 0; up < 2; up++) {
        SDL_Event event = {.type = up ? SDL_KEYUP : SDL_KEYDOWN};
        event.key.keysym = (SDL_Keysym){
            .scancode = place, .sym = SDL_GetKeyFromScancode(place), .mod = (Uint16)held};
        assert_int_equal(SDL_PushEvent(&event), 1);
    }
}

static void push_times(SDL_Scancode place, int times)
{
    for (int time = 0; time < times; time++)
        push_key(place, 0);
}

/* Digits and letters, with what they write. */
static void push_text(const char *text)
{
    for (; *text != '\0'; text++) {
        SDL_Event event = {.type = SDL_TEXTINPUT};
        event.text.text[0] = *text;
        char name[2] = {*text, '\0'};
        push_key(SDL_GetScancodeFromName(name), 0);
        assert_int_equal(SDL_PushEvent(&event), 1);
    }
}

static void settle(Session *session)
{
    for (int frame = 0; frame < FRAMES; frame++)
        turn(session);
    assert_false(SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT));
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
    turn(session);
    push_search("fluid.buoyancy");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0); /* opens the letters of the value, */
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("75");
    push_key(SDL_SCANCODE_BACKSPACE, 0);
    push_text(".5");
    push_key(SDL_SCANCODE_RETURN, 0); /* and closes them */
    settle(session);
    const Editor *editor = &session->panel->editor;
    assert_true(panel_shown(session->panel));
    assert_float_equal(editor->shown.params.buoyancy, 7.5f, 0);
    assert_int_equal(history_undos(editor->history), 1);
    push_key(SDL_SCANCODE_Z, KMOD_LCTRL);
    settle(session);
    assert_int_equal(history_undos(editor->history), 0);
    close_session(session);
}

/* The arrows change a value that the space bar has taken, and Esc lets go of it. */
static void test_value_is_moved(void **state)
{
    (void)state;
    Session *session = open_session();
    turn(session);
    float before = session->world.scene.params.buoyancy;
    push_search("fluid.buoyancy");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_SPACE, 0);
    push_times(SDL_SCANCODE_RIGHT, 3);
    push_key(SDL_SCANCODE_ESCAPE, 0);
    settle(session);
    assert_true(session->panel->editor.shown.params.buoyancy > before);
    assert_true(panel_shown(session->panel));
    close_session(session);
}

static void push_mouse(Uint32 type, int x, int y)
{
    SDL_Event event = {.type = type};
    if (type == SDL_MOUSEMOTION) {
        event.motion.x = x;
        event.motion.y = y;
    } else {
        event.button.button = SDL_BUTTON_LEFT;
        event.button.x = x;
        event.button.y = y;
    }
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/* The first value that the search finds is in the fourth row of the panel. */
static void test_quick_drag(void **state)
{
    (void)state;
    const int x = 480, y = 80;
    Session *session = open_session();
    turn(session);
    float before = session->world.scene.params.buoyancy;
    push_search("fluid.buoyancy");
    push_mouse(SDL_MOUSEMOTION, x, y);
    push_mouse(SDL_MOUSEBUTTONDOWN, x, y);
    for (int step = 1; step <= 6; step++)
        push_mouse(SDL_MOUSEMOTION, x + 10 * step, y);
    push_mouse(SDL_MOUSEBUTTONUP, x + 60, y);
    settle(session);
    assert_true(session->panel->editor.shown.params.buoyancy > before);
    assert_int_equal(history_undos(session->panel->editor.history), 1);
    close_session(session);
}

/* Esc leaves a line, then the panel, and only then the program. */
static void test_escape_goes_step_by_step(void **state)
{
    (void)state;
    Session *session = open_session();
    turn(session);
    push_search("name pictures");
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    push_text("q"); /* which with a brush would make that smaller */
    push_key(SDL_SCANCODE_ESCAPE, 0);
    settle(session);
    assert_true(panel_shown(session->panel));
    assert_string_equal(session->panel->editor.shown.name, "plume");
    push_key(SDL_SCANCODE_ESCAPE, 0);
    settle(session);
    assert_false(panel_shown(session->panel));
    assert_false(session->quit);
    push_key(SDL_SCANCODE_ESCAPE, 0); /* asks */
    push_key(SDL_SCANCODE_ESCAPE, 0);
    settle(session);
    assert_true(session->quit);
    close_session(session);
}

static void test_enter_opens_a_file(void **state)
{
    (void)state;
    Session *session = open_session();
    turn(session);
    const int rows_above = 6 + 1; /* the search, the six values and the two headings less one */
    push_key(SDL_SCANCODE_TAB, 0);
    push_times(SDL_SCANCODE_DOWN, rows_above + 3);
    push_key(SDL_SCANCODE_RETURN, 0);
    push_text("nosuch");
    settle(session);
    assert_string_equal(session->panel->file, "nosuch");
    assert_string_equal(session->texts.message, "");
    push_key(SDL_SCANCODE_RETURN, 0);
    settle(session);
    assert_non_null(strstr(session->texts.message, "nosuch"));
    close_session(session);
}

/* The same keys, quicker than any frame, whether a text is being typed or not. */
static void test_ctrl_s_saves(void **state)
{
    (void)state;
    char path[128];
    Session *session = open_session();
    turn(session);
    push_search("name pictures");
    push_key(SDL_SCANCODE_S, KMOD_LCTRL);
    settle(session);
    snprintf(path, sizeof path, "%s/plume.yaml", folder);
    assert_int_equal(unlink(path), 0);
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("s");
    push_key(SDL_SCANCODE_S, KMOD_LCTRL);
    settle(session);
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
    turn(session);
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

static void push_wheel(int notches)
{
    SDL_Event event = {.type = SDL_MOUSEWHEEL};
    event.wheel.y = notches;
    event.wheel.preciseY = (float)notches;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/* Keys and the wheel move it alone; once it is closed they mean what they did. */
static void test_help_is_gone_through(void **state)
{
    (void)state;
    Session *session = open_session();
    session->world.camera_control = camera_control_for(&session->world.scene);
    session->world.render = session->world.scene.render;
    const float *distance = &session->world.render.camera.distance, before = *distance;
    turn(session);
    push_key(SDL_SCANCODE_F1, 0);
    settle(session);
    assert_true(session->texts.help);
    session->texts.help_page.count = 9; /* as the overlay says */
    push_key(SDL_SCANCODE_PAGEDOWN, 0);
    push_key(SDL_SCANCODE_RIGHT, 0);
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_LEFT, 0);
    settle(session);
    assert_int_equal(session->texts.help_page.first, 10);
    push_wheel(-1);
    settle(session);
    assert_int_equal(session->texts.help_page.first, 13);
    push_key(SDL_SCANCODE_PAGEUP, 0);
    push_key(SDL_SCANCODE_UP, 0);
    settle(session);
    assert_int_equal(session->texts.help_page.first, 3);
    push_key(SDL_SCANCODE_HOME, 0);
    push_wheel(1);
    settle(session);
    assert_int_equal(session->texts.help_page.first, 0);
    assert_false(session->world.changing || session->change.chosen);
    assert_string_equal(session->texts.message, "");
    assert_float_equal(*distance, before, 0);
    push_key(SDL_SCANCODE_F1, 0);
    push_wheel(-1);
    settle(session);
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
        turn(session);
        push_key(SDL_SCANCODE_F9, 0);
        settle(session);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_typed),
        cmocka_unit_test(test_value_is_moved),
        cmocka_unit_test(test_quick_drag),
        cmocka_unit_test(test_escape_goes_step_by_step),
        cmocka_unit_test(test_enter_opens_a_file),
        cmocka_unit_test(test_key_is_added),
        cmocka_unit_test(test_ctrl_s_saves),
        cmocka_unit_test(test_help_is_gone_through),
        cmocka_unit_test(test_checkpoint_is_taken_up),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
