/* SPDX-License-Identifier: MIT
 *
 * The panel's values: a row with name, value and menu for each key of the scene and of the entries
 * of its lists, in groups made from the tables of keys. */
#ifndef APP_PANEL_VALUES_H
#define APP_PANEL_VALUES_H

#include "app/session.h"

/* Draws the values that the scene names for the top of the panel. */
void panel_show_first_values(Session *session);
/* Draws the values whose names or meanings contain the words of the search. */
void panel_show_found(Session *session);
/* Draws a group for each group of scene keys. */
void panel_show_values(Session *session);

#endif
