/* SPDX-License-Identifier: MIT
 *
 * Files that the window opens, dropped on it or chosen in its dialog: scenes, checkpoints and
 * recordings of hands play; meshes, .vdb files and panoramas join the scene that plays. */
#ifndef APP_OPEN_FILE_H
#define APP_OPEN_FILE_H

#include "app/session.h"

/* Whether a file of this name may be one that can be opened. */
bool open_file_lists(const char *name);

/* Opens a file. One that joins the scene does so at the cursor, or in the middle of the picture if
 * the cursor is elsewhere; emits: as an emitter of its shape. That is one change of the editor's. A
 * message says what became of the file. Returns false with the reason, and changes nothing, if the
 * file cannot be opened. */
bool open_file(Session *session, const char *path, bool emits, BillowError *error);

/* Opens a file that was dropped on the window, and frees its name. */
void open_file_drop(Session *session, const SDL_DropEvent *event);

#endif
