/* SPDX-License-Identifier: MIT
 *
 * The panel: every value of the scene, live, with what the last steps were like, slices, and the
 * scenes there are. Made of the key tables, so that a new key is in it by itself. */
#ifndef APP_PANEL_H
#define APP_PANEL_H

#include "session.h"

/* NULL and a message when memory is short. */
Panel *panel_create(BillowError *error);
void panel_destroy(Panel *panel); /* NULL is fine */

bool panel_shown(const Panel *panel);
/* Whether it is shown or hidden from the next frame on, and keys are its own or not only then. */
bool panel_turns(const Panel *panel);

/* Once a frame: what hands have changed is played, what is played is shown. */
void panel_follow(Session *session);
/* The scene as hands have it now. */
const Scene *panel_scene(const Panel *panel);
/* A change of it that goes on until panel_change_done, and can be undone as one; says what it is
 * refused for. */
void panel_change(Session *session, const Scene *changed);
void panel_change_done(Panel *panel);

/* The view as it is now belongs to what the panel would come back to. */
void panel_see(Session *session);
/* Nobody comes back to what was changed before. */
void panel_forget(Panel *panel);

/* Between gui_begin and gui_end. */
void panel_show(Session *session);

/* For the graphs: a step that was seen, a frame that took so long. */
void panel_step(Panel *panel, const SimSnapshot *snapshot);
void panel_frame(Panel *panel, double ms);

/* For the table of keys. */
void action_panel(Session *session, int argument);
void action_undo(Session *session, int argument);
void action_redo(Session *session, int argument);
void action_save(Session *session, int argument);

#endif
