/* SPDX-License-Identifier: MIT */
#include "app/file_dialog.h"

#include "app/gui_widgets.h"
#include "app/open_file.h"
#include "app/panel.h"
#include "base/fail.h"
#include "io/atomic_file.h"
#include "scene/scene_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH    34.0f /* letter heights */
#define HEIGHT   30.0f
#define PAGE     10 /* rows */
#define ROWS_MAX 2000

void file_dialog_destroy(FileDialog *dialog)
{
    folder_free(&dialog->folder);
    free(dialog->rows);
    *dialog = (FileDialog){.purpose = FILES_CLOSED};
}

/* -- the list ---------------------------------------------------------------------------------- */

static bool names_saved(const char *name)
{
    return paths_end_in(name, ".yaml") || paths_end_in(name, ".yml") || paths_end_in(name, ".ckpt");
}

/* Whether the text is a path rather than words of a name. */
static bool is_path(const char *text)
{
    return strchr(text, '/') != NULL;
}

static bool lists(const FileDialog *dialog, const FolderEntry *entry)
{
    const bool opens = dialog->purpose == FILES_OPEN;
    if (!entry->folder && !(opens ? open_file_lists(entry->name) : names_saved(entry->name)))
        return false;
    return !opens || is_path(dialog->text) ||
           scene_panel_finds((const char *const[]){entry->name, NULL}, dialog->text);
}

static bool has_text(const FileDialog *dialog)
{
    return dialog->text[strspn(dialog->text, " ")] != '\0';
}

/* Whether the row is a folder. */
static bool is_folder(const FileDialog *dialog, int row)
{
    const int entry = dialog->rows[row];
    return entry == FILE_ROW_UP || dialog->folder.entries[entry].folder;
}

/* Chooses the rows by the text. While words filter, the first file is chosen. */
static void list_rows(FileDialog *dialog)
{
    const bool filters = dialog->purpose == FILES_OPEN && has_text(dialog);
    dialog->row_count = 0;
    dialog->chosen = -1;
    memcpy(dialog->listed, dialog->text, sizeof dialog->listed);
    if (strcmp(dialog->folder.path, "/") != 0 && (!filters || is_path(dialog->text)))
        dialog->rows[dialog->row_count++] = FILE_ROW_UP;
    for (int e = 0; e < dialog->folder.count && dialog->row_count < ROWS_MAX; e++)
        if (lists(dialog, &dialog->folder.entries[e]))
            dialog->rows[dialog->row_count++] = e;
    for (int row = 0; filters && !is_path(dialog->text) && row < dialog->row_count; row++)
        if (dialog->chosen < 0 || (is_folder(dialog, dialog->chosen) && !is_folder(dialog, row)))
            dialog->chosen = row;
    dialog->scrolls = true;
}

static bool go_to(FileDialog *dialog, const char *path)
{
    if (!folder_read(path, &dialog->folder, &dialog->error))
        return false;
    if (dialog->purpose == FILES_OPEN)
        dialog->text[0] = '\0';
    dialog->asks = false;
    dialog->error.text[0] = '\0';
    list_rows(dialog);
    return true;
}

/* The path of an entry of the folder, or of what is typed. */
static bool path_of(FileDialog *dialog, const char *name, char path[PATHS_SIZE])
{
    const char *home = SDL_getenv("HOME"), *top = dialog->folder.path;
    int length = name[0] == '/' ? snprintf(path, PATHS_SIZE, "%s", name)
                 : name[0] == '~' && name[1] == '/' && home != NULL
                     ? snprintf(path, PATHS_SIZE, "%s%s", home, name + 1)
                     : snprintf(path, PATHS_SIZE, "%s/%s", strcmp(top, "/") == 0 ? "" : top, name);
    return (length > 0 && length < PATHS_SIZE) ||
           fail(&dialog->error, "%.100s: lies in folders whose names are too long", name);
}

/* -- opening and saving ------------------------------------------------------------------------ */

static void close_dialog(Session *session)
{
    session->panel->files.purpose = FILES_CLOSED;
    session->panel->turned = true;
    session->screen.exposed = true;
    session->texts.draws_due = 2;
}

static void open_chosen(Session *session, const char *path)
{
    FileDialog *dialog = &session->panel->files;
    const bool emits = (session->hand.modifiers & KMOD_SHIFT) != 0;
    session->hand.inside = false; /* the cursor is on the dialog */
    if (open_file(session, path, emits, &dialog->error))
        close_dialog(session);
}

/* Saves under the name that is typed. Asks before a file is replaced. */
static void save_typed(Session *session)
{
    FileDialog *dialog = &session->panel->files;
    Editor *editor = &session->panel->editor;
    char path[PATHS_SIZE];
    int copied;
    const char *last = paths_last_part(dialog->text);
    if (last[0] == '\0') {
        fail(&dialog->error, "type a name, such as smoke.yaml");
        return;
    }
    if (strchr(last, '.') == NULL && strlen(dialog->text) + 6 < sizeof dialog->text)
        strcat(dialog->text, ".yaml");
    memcpy(dialog->listed, dialog->text, sizeof dialog->listed);
    last = paths_last_part(dialog->text);
    if (!path_of(dialog, dialog->text, path))
        return;
    if (!names_saved(last)) {
        fail(&dialog->error, "%.100s: a scene ends in .yaml, a checkpoint of its smoke in .ckpt",
             last);
        return;
    }
    if (!dialog->asks && atomic_file_stands(path)) {
        dialog->asks = true;
        return;
    }
    dialog->asks = false;
    if (paths_end_in(path, ".ckpt")) {
        if (strlen(path) >= sizeof session->autosave.as) {
            fail(&dialog->error, "%.100s: lies in folders whose names are too long", last);
            return;
        }
        if (!atomic_file_probe(path, &dialog->error))
            return;
        autosave_save_as(session, path);
    } else if (editor_save_as(editor, &session->world.render.camera, path, &copied,
                              &dialog->error)) {
        panel_say_saved(session, path, copied);
    } else {
        return;
    }
    close_dialog(session);
}

/* Goes to a folder whose path is typed. */
static bool go_to_typed(FileDialog *dialog, const char *path)
{
    Folder found = {.entries = NULL};
    BillowError unused;
    if (!folder_read(path, &found, &unused))
        return false;
    folder_free(&found);
    dialog->text[0] = '\0';
    return go_to(dialog, path);
}

static void enter(Session *session)
{
    FileDialog *dialog = &session->panel->files;
    char path[PATHS_SIZE];
    const bool typed = is_path(dialog->text);
    const int entry = dialog->chosen >= 0 ? dialog->rows[dialog->chosen] : FILE_ROW_UP;
    const bool file = dialog->chosen >= 0 && !is_folder(dialog, dialog->chosen);
    dialog->error.text[0] = '\0';
    if (dialog->chosen >= 0 && !file) {
        if (path_of(dialog, entry < 0 ? ".." : dialog->folder.entries[entry].name, path))
            go_to(dialog, path);
    } else if (dialog->chosen < 0 && typed && path_of(dialog, dialog->text, path) &&
               go_to_typed(dialog, path)) {
        return;
    } else if (dialog->purpose == FILES_SAVE) {
        save_typed(session);
    } else if (file ? path_of(dialog, dialog->folder.entries[entry].name, path)
                    : typed && path_of(dialog, dialog->text, path)) {
        open_chosen(session, path);
    } else if (has_text(dialog)) {
        fail(&dialog->error, "no file here has '%.100s' in its name", dialog->text);
    }
}

/* Chooses a row. A file to be replaced gives its name. */
static void choose(FileDialog *dialog, int row)
{
    const int entry = dialog->row_count > 0 ? dialog->rows[row] : FILE_ROW_UP;
    dialog->chosen = dialog->row_count > 0 ? row : -1;
    dialog->scrolls = true;
    dialog->asks = false;
    if (dialog->purpose == FILES_SAVE && entry >= 0 && !dialog->folder.entries[entry].folder) {
        snprintf(dialog->text, sizeof dialog->text, "%.299s", dialog->folder.entries[entry].name);
        memcpy(dialog->listed, dialog->text, sizeof dialog->listed);
    }
}

static void move(FileDialog *dialog, int rows)
{
    const int last = dialog->row_count - 1;
    choose(dialog, dialog->chosen < 0 ? 0 : SDL_max(0, SDL_min(dialog->chosen + rows, last)));
}

void file_dialog_act(Session *session, FileDialogAct act)
{
    static const int ways[] = {
        [FILES_UP] = -1, [FILES_DOWN] = 1, [FILES_PAGE_UP] = -PAGE, [FILES_PAGE_DOWN] = PAGE};
    FileDialog *dialog = &session->panel->files;
    char path[PATHS_SIZE];
    session->screen.exposed = true;
    session->texts.draws_due = 2;
    if (act <= FILES_PAGE_DOWN) {
        move(dialog, ways[act]);
    } else if (act == FILES_ENTER) {
        enter(session);
    } else if (act == FILES_ABOVE) {
        if (path_of(dialog, "..", path))
            go_to(dialog, path);
    } else if (dialog->asks) {
        dialog->asks = false;
    } else {
        close_dialog(session);
    }
}

bool file_dialog_button(Session *session, Uint8 button)
{
    static const struct {
        SDL_GameControllerButton button;
        FileDialogAct act;
    } acts[] = {
        {SDL_CONTROLLER_BUTTON_DPAD_UP, FILES_UP},
        {SDL_CONTROLLER_BUTTON_DPAD_DOWN, FILES_DOWN},
        {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, FILES_PAGE_UP},
        {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, FILES_PAGE_DOWN},
        {SDL_CONTROLLER_BUTTON_DPAD_LEFT, FILES_ABOVE},
        {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, FILES_ENTER},
        {SDL_CONTROLLER_BUTTON_A, FILES_ENTER},
        {SDL_CONTROLLER_BUTTON_B, FILES_CANCEL},
    };
    if (session->panel == NULL || session->panel->files.purpose == FILES_CLOSED)
        return false;
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++)
        if (acts[a].button == (SDL_GameControllerButton)button)
            file_dialog_act(session, acts[a].act);
    return true;
}

/* -- drawing ----------------------------------------------------------------------------------- */

static void follow_keys(Session *session)
{
    static const struct {
        GuiKey key;
        FileDialogAct act;
    } keys[] = {
        {GUI_KEY_UP, FILES_UP},           {GUI_KEY_DOWN, FILES_DOWN},
        {GUI_KEY_PAGE_UP, FILES_PAGE_UP}, {GUI_KEY_PAGE_DOWN, FILES_PAGE_DOWN},
        {GUI_KEY_ENTER, FILES_ENTER},     {GUI_KEY_ESCAPE, FILES_CANCEL},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (gui_key(keys[k].key) && session->panel->files.purpose != FILES_CLOSED)
            file_dialog_act(session, keys[k].act);
}

/* Draws the rows. Returns the one that was clicked twice; -1: none. */
static int show_rows(FileDialog *dialog)
{
    int entered = -1;
    for (int row = 0; row < dialog->row_count; row++) {
        const int entry = dialog->rows[row];
        char label[300];
        snprintf(label, sizeof label, entry < 0 ? ".. (the folder above)" : "%.290s%s",
                 entry < 0 ? "" : dialog->folder.entries[entry].name,
                 entry >= 0 && dialog->folder.entries[entry].folder ? "/" : "");
        const bool chosen = row == dialog->chosen;
        const int clicks = gui_row(label, chosen, chosen && dialog->scrolls);
        if (clicks > 0)
            choose(dialog, row);
        if (clicks > 1)
            entered = row;
    }
    dialog->scrolls = false;
    if (dialog->row_count == 0)
        gui_text_dim(dialog->purpose == FILES_OPEN && has_text(dialog)
                         ? "no file that Billow opens has these words in its name"
                         : "this folder has no file that Billow opens");
    if (dialog->row_count == ROWS_MAX || dialog->folder.more)
        gui_text_dim("there are more: type a part of the name");
    return entered;
}

/* Draws the buttons, and why the last attempt failed or what would be replaced. */
static void show_foot(Session *session)
{
    FileDialog *dialog = &session->panel->files;
    const bool saves = dialog->purpose == FILES_SAVE;
    char question[400];
    snprintf(question, sizeof question, "%.150s exists. Enter replaces it, Esc does not",
             paths_last_part(dialog->text));
    gui_text_wrapped(dialog->asks                    ? question
                     : dialog->error.text[0] != '\0' ? dialog->error.text
                     : saves
                         ? "a scene as .yaml, with its smoke as .ckpt"
                         : "a mesh, smoke or panorama joins the scene; with shift as an emitter",
                     0);
    const bool done = gui_button(dialog->asks ? "replace" : saves ? "save" : "open");
    gui_same_line(8);
    if (gui_button("cancel"))
        file_dialog_act(session, FILES_CANCEL);
    else if (done)
        file_dialog_act(session, FILES_ENTER);
}

static void show_parts(Session *session)
{
    FileDialog *dialog = &session->panel->files;
    const float foot = 5.2f * gui_letters() + 3 * gui_spacing();
    gui_text_wrapped(dialog->folder.path, 0);
    gui_value_width(gui_width());
    gui_search("##name", dialog->purpose == FILES_SAVE ? "name" : "part of the name, or a path",
               dialog->text, sizeof dialog->text, gui_is_idle());
    if (strcmp(dialog->text, dialog->listed) != 0) {
        dialog->asks = false;
        dialog->error.text[0] = '\0';
        list_rows(dialog);
    }
    gui_begin_part("files", gui_height() - foot);
    const int entered = show_rows(dialog);
    gui_end_part();
    follow_keys(session);
    if (entered >= 0 && dialog->purpose != FILES_CLOSED)
        file_dialog_act(session, FILES_ENTER);
    if (dialog->purpose != FILES_CLOSED)
        show_foot(session);
}

bool file_dialog_show(Session *session)
{
    FileDialog *dialog = &session->panel->files;
    if (dialog->purpose == FILES_CLOSED)
        return false;
    if (gui_left(session->gui))
        file_dialog_act(session, FILES_CANCEL);
    const GuiPoint room = gui_size();
    const float width = SDL_min(WIDTH * gui_letters(), room.x - 2 * GUI_MARGIN);
    const float height = SDL_min(HEIGHT * gui_letters(), room.y - 2 * GUI_MARGIN);
    const GuiPanel window = {.name = "panel_files",
                             .title = dialog->purpose == FILES_SAVE ? "save as (Esc closes)"
                                                                    : "open a file (Esc closes)",
                             .place = {0.5f * (room.x - width), 0.5f * (room.y - height)},
                             .size = {width, height},
                             .fixed = true};
    if (gui_begin_panel(session->gui, &window))
        show_parts(session);
    gui_end_panel(session->gui);
    return true;
}

/* -- keys and buttons -------------------------------------------------------------------------- */

/* Opens the dialog in the folder of its last use, or at first where Billow saves. */
static void open_dialog(Session *session, FileDialogPurpose purpose)
{
    FileDialog *dialog = &session->panel->files;
    BillowError error;
    if (kiosk_refuses(session))
        return;
    int *rows = dialog->rows != NULL ? dialog->rows : malloc((ROWS_MAX + 1) * sizeof *rows);
    if (rows == NULL) {
        session_say(session, "not enough memory for the list of files");
        return;
    }
    dialog->rows = rows;
    const char *scene = session->panel->editor.shown.name;
    dialog->purpose = purpose;
    dialog->text[0] = '\0';
    if (purpose == FILES_SAVE)
        snprintf(dialog->text, sizeof dialog->text, "%s.yaml", scene[0] != '\0' ? scene : "scene");
    char again[PATHS_SIZE];
    snprintf(again, sizeof again, "%s", dialog->folder.path);
    if ((again[0] == '\0' || !go_to(dialog, again)) &&
        !go_to(dialog, session->options->capture_folder) && !go_to(dialog, "/")) {
        error = dialog->error;
        dialog->purpose = FILES_CLOSED;
        session_say(session, "%s", error.text);
        return;
    }
    session->texts.help = false;
    session->panel->turned = true;
    session->screen.exposed = true;
    session->texts.draws_due = 2;
}

void action_open(Session *session)
{
    open_dialog(session, FILES_OPEN);
}

void action_save_as(Session *session)
{
    open_dialog(session, FILES_SAVE);
}
