/* SPDX-License-Identifier: MIT
 *
 * A C interface to Dear ImGui: its input and its frames. Only the C++ files, gui.cpp and
 * gui_widgets.cpp, include the library. Widgets (gui_widgets.h) are called between gui_begin and
 * gui_end. Lengths are points of the window. */
#ifndef APP_GUI_H
#define APP_GUI_H

#include <billow/error.h>
#include <SDL.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Gui Gui;

typedef struct GuiPoint {
    float x, y;
} GuiPoint;

typedef struct GuiColor {
    float r, g, b, a; /* display values, 0 to 1 */
} GuiColor;

/* Creates the GUI. Only one may exist at a time. The GL context in which it draws must be current
 * in this call and in all later ones. font: a TrueType file for the letters; NULL, or a file that
 * cannot be read: a bitmap font. */
Gui *gui_create(float pixels_per_point, const char *font, BillowError *error);
void gui_destroy(Gui *gui); /* NULL is fine */

/* -- input */

/* Passes an event to the GUI. Returns true if the panel handles the event and nothing else may. A
 * drag that started in the panel belongs to the panel until it ends. */
bool gui_handle(Gui *gui, const SDL_Event *event);
/* Whether a frame must be drawn before the next event is handled. The meaning of that event may
 * depend on the effect of earlier ones. */
bool gui_waits(const Gui *gui);
/* Whether Esc was pressed in the panel with nothing to cancel. Returns true once for each press. */
bool gui_left(Gui *gui);
/* Whether a value is being dragged or typed. Frames must be drawn meanwhile. */
bool gui_busy(const Gui *gui);
/* Whether the cursor is over a part of the GUI that takes input. */
bool gui_hovered(const Gui *gui);

/* -- a frame */

/* Sets the size of letters, lines and distances from the next frame on, as a multiple of letters
 * 14 points high. asked: the user's; 0: the display's scale, or more in a high window. */
void gui_set_scale(Gui *gui, float asked, float display);
float gui_scale(const Gui *gui); /* that of the last frame */
void gui_begin(Gui *gui, GuiPoint size, float pixels_per_point);
void gui_end(Gui *gui); /* draws into the bound framebuffer */

typedef struct GuiBox {
    GuiPoint corner, size;
} GuiBox;

GuiPoint gui_size(void); /* size of the window, points */
/* Returns the largest rectangle of the window beside, above or below the panel. Returns the whole
 * window if the panel is hidden, or leaves too little space. Call it after gui_begin_panel. */
GuiBox gui_free(const Gui *gui);
/* Copies the rectangles of plates and panel in the last frame, `most` at most. Returns the number
 * of rectangles, which may be greater than `most`. */
int gui_boxes(const Gui *gui, GuiBox *boxes, int most);

#ifdef __cplusplus
}
#endif

#endif
