/* SPDX-License-Identifier: MIT
 *
 * The dialog that opens and saves files: the list of a folder, with a line of text above it. While
 * a file is to be opened, the text filters the list; while one is to be saved, it is its name. The
 * dialog stands in the panel's place and keeps the keyboard until it is closed. */
#ifndef APP_FILE_DIALOG_H
#define APP_FILE_DIALOG_H

#include "app/session.h"
#include "io/folder.h"

typedef enum FileDialogPurpose { FILES_CLOSED, FILES_OPEN, FILES_SAVE } FileDialogPurpose;

typedef struct FileDialog {
    FileDialogPurpose purpose;
    Folder folder;
    int *rows; /* entries that are listed; FILE_ROW_UP: the folder above */
    int row_count;
    int chosen;        /* row; -1: none */
    bool scrolls;      /* the list must show the chosen row */
    char text[300];    /* what is typed */
    char listed[300];  /* text by which the rows were chosen */
    bool asks;         /* whether to replace the file of that name */
    BillowError error; /* of the last attempt; empty: none */
} FileDialog;

enum { FILE_ROW_UP = -1 };

void file_dialog_destroy(FileDialog *dialog);

/* What keys, buttons of a gamepad and the mouse do. */
typedef enum FileDialogAct {
    FILES_UP,
    FILES_DOWN,
    FILES_PAGE_UP,
    FILES_PAGE_DOWN,
    FILES_ABOVE, /* to the folder above */
    FILES_ENTER, /* opens the chosen folder or file, or saves */
    FILES_CANCEL /* takes back the question, or closes the dialog */
} FileDialogAct;
void file_dialog_act(Session *session, FileDialogAct act);

/* Acts by a button of a gamepad, SDL_GameControllerButton. Returns false if the dialog is closed.
 */
bool file_dialog_button(Session *session, Uint8 button);

/* Draws the dialog. Call it between gui_begin and gui_end. Returns false if it is closed. */
bool file_dialog_show(Session *session);

/* Functions of keys and of the panel's buttons. */
void action_open(Session *session);
void action_save_as(Session *session);

#endif
