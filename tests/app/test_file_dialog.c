/* SPDX-License-Identifier: MIT
 * The dialog that opens and saves files, by keys, mouse and gamepad. All events come at once, as in
 * a busy window. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#define _DEFAULT_SOURCE
#include "app/file_dialog.h"
#include "app/gamepad.h"
#include "app/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_fixture.h" /* these last: cmocka has another fail */

#include "checkpoint_fixture.h"

enum { WIDTH = 640, HEIGHT = 480 };

static Window opened_window;
static AppOptions options, kiosk;
static char folder[] = "/tmp/billow-files-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][200];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "wb");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static int open_context(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    const bool opened = window_open(&opened_window, WIDTH, HEIGHT, &error);
    if (!opened)
        print_error("%s\n", error.text);
    options = kiosk = app_default_options();
    kiosk.kiosk = true;
    options.capture_folder = mkdtemp(folder);
    if (!opened || options.capture_folder == NULL)
        return -1;
    static const char small[] = "domain: {cells: 16}\n";
    write_text("Alpha.yaml", small);
    write_text("beta one.yaml", small);
    write_text("beta two.yaml", small);
    write_text("notes.txt", "no scene\n");
    write_text(".hidden.yaml", small);
    write_text("broken.obj", "no mesh\n");
    return mkdir(path_of("inner"), 0777) + mkdir(path_of("kept"), 0777);
}

static int close_context(void **state)
{
    (void)state;
    char command[300];
    window_close(&opened_window);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* One whose window is the dialog's alone: nothing is simulated. */
static Session *open_session(void)
{
    BillowError error;
    Session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->options = &options;
    session->now = 1;
    session->window.width = session->window.point_width = WIDTH;
    session->window.height = session->window.point_height = HEIGHT;
    session->gui = gui_create(1, NULL, &error);
    session->panel = panel_create(&error);
    assert_true(session->gui != NULL && session->panel != NULL);
    assert_true(scene_load("plume", &session->world.scene, &error));
    session->world.render = session->world.scene.render;
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    return session;
}

static void close_session(Session *session)
{
    panel_destroy(session->panel);
    gui_destroy(session->gui);
    world_close(&session->world);
    free(session);
}

static void push_pad(SDL_GameControllerButton button)
{
    SDL_Event event = {.cbutton = {.type = SDL_CONTROLLERBUTTONDOWN, .button = (Uint8)button}};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static const char *row_of(const FileDialog *dialog, int row)
{
    const int entry = dialog->rows[row];
    return entry == FILE_ROW_UP ? ".." : dialog->folder.entries[entry].name;
}

static void assert_rows(const FileDialog *dialog, const char *const *names)
{
    int count = 0;
    for (; names[count] != NULL; count++)
        if (count >= dialog->row_count || strcmp(row_of(dialog, count), names[count]) != 0)
            fail_msg("row %d is not %s", count, names[count]);
    assert_int_equal(dialog->row_count, count);
}

static void assert_said(const Session *session, const char *words)
{
    if (strstr(session->texts.message, words) == NULL)
        fail_msg("'%s' is not '%s'", session->texts.message, words);
}

/* -- opening ----------------------------------------------------------------------------------- */

static void typing_filters_and_enter_opens(void **state)
{
    (void)state;
    static const char *const all[] = {
        "..", "inner", "kept", "Alpha.yaml", "beta one.yaml", "beta two.yaml", "broken.obj", NULL};
    static const char *const some[] = {"beta one.yaml", "beta two.yaml", NULL};
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_OPEN);
    assert_string_equal(dialog->folder.path, folder);
    assert_rows(dialog, all);
    push_text("YAML be");
    panel_settle(session);
    assert_rows(dialog, some);
    assert_int_equal(dialog->chosen, 0);
    push_key(SDL_SCANCODE_DOWN, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_string_equal(session->world.from, path_of("beta two.yaml"));
    assert_true(session->world.changing);
    close_session(session);
}

static void folders_are_entered_and_left(void **state)
{
    (void)state;
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    push_key(SDL_SCANCODE_DOWN, 0); /* .. */
    push_key(SDL_SCANCODE_DOWN, 0); /* inner */
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_string_equal(dialog->folder.path, path_of("inner"));
    assert_int_equal(dialog->row_count, 1);
    push_pad(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
    push_pad(SDL_CONTROLLER_BUTTON_A); /* .. */
    panel_settle(session);
    assert_string_equal(dialog->folder.path, folder);
    push_text(path_of("kept"));
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_string_equal(dialog->folder.path, path_of("kept"));
    assert_string_equal(dialog->text, "");
    push_pad(SDL_CONTROLLER_BUTTON_B);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL); /* in the same folder again */
    panel_settle(session);
    assert_string_equal(dialog->folder.path, path_of("kept"));
    push_half_key(SDL_SCANCODE_ESCAPE, 0, false);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_false(session->quit);
    push_half_key(SDL_SCANCODE_ESCAPE, 0, true); /* the dialog is gone when the key goes up */
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    push_key(SDL_SCANCODE_DOWN, 0);
    panel_settle(session);
    SDL_Delay(400); /* until a key that is held would repeat */
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_OPEN);
    assert_int_equal(dialog->chosen, 0);
    push_text("b");
    panel_settle(session);
    assert_string_equal(dialog->text, "b");
    close_session(session);
}

/* In save as, a file that is chosen gives its name, by keys as by the mouse, and stays chosen. */
static void arrows_choose_what_to_replace(void **state)
{
    (void)state;
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_S, KMOD_LCTRL | KMOD_LSHIFT);
    panel_settle(session);
    assert_string_equal(dialog->text, "plume.yaml");
    int row = 0;
    for (; row < dialog->row_count; row++) {
        push_key(SDL_SCANCODE_DOWN, 0);
        panel_settle(session);
        assert_int_equal(dialog->chosen, row);
        const int entry = dialog->rows[row];
        if (entry >= 0 && !dialog->folder.entries[entry].folder)
            break;
    }
    assert_true(row < dialog->row_count);
    assert_string_equal(dialog->text, dialog->folder.entries[dialog->rows[row]].name);
    push_text("x"); /* replaces the name, which is selected */
    panel_settle(session);
    assert_string_equal(dialog->text, "x");
    close_session(session);
}

static void what_cannot_be_opened_says_so(void **state)
{
    (void)state;
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    push_text("broken");
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_OPEN);
    assert_non_null(strstr(dialog->error.text, "broken.obj: "));
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("zebra");
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_string_equal(dialog->error.text, "no file here has 'zebra' in its name");
    session->options = &kiosk;
    push_key(SDL_SCANCODE_ESCAPE, 0);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_said(session, "not available in kiosk mode");
    close_session(session);
}

/* A click chooses, the second one opens. */
static void the_mouse_chooses(void **state)
{
    (void)state;
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_O, KMOD_LCTRL);
    panel_settle(session);
    const int x = WIDTH / 2;
    int y = 0;
    for (int seen = -1; seen != 3 && y < HEIGHT; y += 4) { /* Alpha.yaml */
        push_click(SDL_BUTTON_LEFT, x, y);
        panel_settle(session);
        seen = dialog->chosen;
        assert_int_equal(dialog->purpose, FILES_OPEN);
    }
    assert_string_equal(row_of(dialog, dialog->chosen), "Alpha.yaml");
    SDL_Delay(500);
    push_click(SDL_BUTTON_LEFT, x, y - 2);
    push_button(SDL_BUTTON_LEFT, true, x, y - 2);
    push_button(SDL_BUTTON_LEFT, false, x, y - 2);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_string_equal(session->world.from, path_of("Alpha.yaml"));
    close_session(session);
}

/* -- saving ------------------------------------------------------------------------------------ */

static void a_name_is_typed_and_replaced_after_a_question(void **state)
{
    (void)state;
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    BillowError error;
    Scene back;
    panel_turn(session);
    push_key(SDL_SCANCODE_S, KMOD_LCTRL | KMOD_LSHIFT);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_SAVE);
    assert_string_equal(dialog->text, "plume.yaml");
    push_text("mine"); /* in place of the name there */
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_said(session, "/mine.yaml");
    if (!scene_load(path_of("mine.yaml"), &back, &error))
        fail_msg("%s", error.text);
    assert_string_equal(back.name, "plume");

    write_text("mine.yaml", "something else\n");
    push_key(SDL_SCANCODE_S, KMOD_LCTRL | KMOD_LSHIFT);
    push_text("mine.yaml");
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_true(dialog->asks);
    push_key(SDL_SCANCODE_ESCAPE, 0); /* no */
    panel_settle(session);
    assert_false(dialog->asks);
    assert_int_equal(dialog->purpose, FILES_SAVE);
    assert_false(scene_load(path_of("mine.yaml"), &back, &error));
    push_key(SDL_SCANCODE_RETURN, 0);
    push_key(SDL_SCANCODE_RETURN, 0); /* yes */
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_true(scene_load(path_of("mine.yaml"), &back, &error));
    unlink(path_of("mine.yaml"));
    close_session(session);
}

static void what_cannot_be_saved_says_so(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"a.txt", "a.txt: a scene ends in .yaml, a checkpoint of its smoke in .ckpt"},
        {"nowhere/a.yaml", "nowhere"},
        {"/proc/a.yaml", "/proc/a.yaml"},
        {"/proc/a.ckpt", "/proc/a.ckpt"},
    };
    Session *session = open_session();
    const FileDialog *dialog = &session->panel->files;
    panel_turn(session);
    push_key(SDL_SCANCODE_S, KMOD_LCTRL | KMOD_LSHIFT);
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        push_key(SDL_SCANCODE_A, KMOD_LCTRL);
        push_text(refused[r][0]);
        push_key(SDL_SCANCODE_RETURN, 0);
        panel_settle(session);
        assert_int_equal(dialog->purpose, FILES_SAVE);
        if (strstr(dialog->error.text, refused[r][1]) == NULL)
            fail_msg("'%s' is not '%s'", dialog->error.text, refused[r][1]);
    }
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_key(SDL_SCANCODE_BACKSPACE, 0);
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_string_equal(dialog->error.text, "type a name, such as smoke.yaml");
    push_key(SDL_SCANCODE_A, KMOD_LCTRL);
    push_text("kept/a.ckpt");
    push_key(SDL_SCANCODE_RETURN, 0);
    panel_settle(session);
    assert_int_equal(dialog->purpose, FILES_CLOSED);
    assert_true(session->autosave.by_key); /* which the next frames write */
    assert_string_equal(session->autosave.as, path_of("kept/a.ckpt"));
    close_session(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_filters_and_enter_opens),
        cmocka_unit_test(folders_are_entered_and_left),
        cmocka_unit_test(arrows_choose_what_to_replace),
        cmocka_unit_test(what_cannot_be_opened_says_so),
        cmocka_unit_test(the_mouse_chooses),
        cmocka_unit_test(a_name_is_typed_and_replaced_after_a_question),
        cmocka_unit_test(what_cannot_be_saved_says_so),
    };
    return cmocka_run_group_tests_name("file_dialog", tests, open_context, close_context);
}
