/* SPDX-License-Identifier: MIT
 *
 * Dear ImGui with a plain face of C: plates with text, a panel with values to change, what mouse
 * and keyboard do to it. gui.cpp is the one file of C++ that knows the library.
 *
 * Between gui_begin and gui_end everything else may be called, in the order in which things stand
 * under each other. Lengths are points of the window. What begins with gui_begin_ and says true is
 * closed by its gui_end_. Labels name things: the same one twice in a row of groups wants
 * gui_push_name around it. */
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
    float r, g, b, a; /* as the screen has them */
} GuiColor;

/* What hands did to a value. */
typedef enum GuiEdit {
    GUI_CHANGED = 1, /* it is another now, and may change on in the same drag */
    GUI_DONE = 2,    /* the drag or the typing that changed it has ended */
    GUI_ENTERED = 4  /* a line's typing has ended by Enter, whether it changed or not */
} GuiEdit;

/* Needs the GL context it will draw in to be current, here and in every call. One at a time: the
 * library behind it has one current context. */
Gui *gui_create(float pixels_per_point, BillowError *error);
void gui_destroy(Gui *gui); /* NULL is fine */

/* -- input */

/* Passes an event on. True: it is the panel's, and nobody else may act on it. A drag belongs to
 * where it began. */
bool gui_handle(Gui *gui, const SDL_Event *event);
/* Whether a frame must be drawn before the next event is handed on: what keys and buttons mean to
 * the panel depends on what those before them did. */
bool gui_waits(const Gui *gui);
/* Once: whether Esc was pressed in the panel with nothing in it to end. */
bool gui_left(Gui *gui);
/* Whether a value is being dragged or typed: frames are wanted. */
bool gui_busy(const Gui *gui);
/* Whether the cursor is over something that takes input. */
bool gui_hovered(const Gui *gui);

/* -- a frame */

void gui_begin(Gui *gui, GuiPoint size, float pixels_per_point);
void gui_end(Gui *gui); /* draws onto the bound framebuffer */
/* Of the last frame: what gui_end took to make and hand over, ms. */
double gui_ms(const Gui *gui);

float gui_letters(void); /* height of a line's letters */
float gui_text_width(const char *text);

typedef struct GuiBox {
    GuiPoint corner, size;
} GuiBox;

GuiPoint gui_size(void); /* of the window */
/* Of it, the largest part beside, above or under the panel, which was begun before where there is
 * one. */
GuiBox gui_free(const Gui *gui);
/* Where the plates and the panel of the last frame are, at most so many: how many there are. */
int gui_boxes(const Gui *gui, GuiBox *boxes, int most);

/* -- plates: they take no input */

#define GUI_MARGIN 8.0f /* from the edge of where they stand, and from each other */
/* Room between the edge of a plate and its letters; between two texts in a line. */
GuiPoint gui_padding(void);
float gui_gap(void);
float gui_spacing(void); /* between two lines */

/* In a box, held by the same point of its own: {0, 0} the top left corner, {0.5, 1} the middle of
 * the lower edge. */
typedef struct GuiPlate {
    const char *name;
    GuiBox box;
    GuiPoint anchor;
    GuiPoint size; /* for its letters; 0: as large as they are, which is found a frame later */
    GuiColor color;
} GuiPlate;

void gui_begin_plate(const GuiPlate *plate);
GuiPoint gui_end_plate(void); /* its size, which what is on it now wants */

/* -- text */

void gui_text(const char *text);
void gui_text_colored(GuiColor color, const char *text);
void gui_text_dim(const char *text);
/* width 0: all that there is; below 0: as wide as it is. */
void gui_text_wrapped(const char *text, float width);
/* What it takes up then. */
GuiPoint gui_text_size(const char *text, float width);
void gui_same_line(float gap);
/* Explains what stands before it, while the cursor rests there. */
void gui_tip(const char *text);

/* -- lines and areas, at points of the window, on the plate or panel in work */

GuiPoint gui_place(void);     /* where the next thing will stand */
void gui_room(GuiPoint size); /* takes up so much of it */
void gui_line(GuiPoint from, GuiPoint to, GuiColor color);
/* On the picture, under all plates and panels. */
void gui_line_below(GuiPoint from, GuiPoint to, GuiColor color, float width);
void gui_dot(GuiPoint middle, float radius, GuiColor color);
void gui_area(GuiPoint corner, GuiPoint size, GuiColor upper, GuiColor lower);
void gui_letters_at(GuiPoint place, GuiColor color, const char *text);

/* -- the panel */

typedef struct GuiPanel {
    const char *name, *title;
    /* At first, and when the window's size has changed; hands move and resize it from then on. */
    GuiPoint place, size;
    bool focus; /* true in its first frame: the keyboard goes there */
} GuiPanel;

bool gui_begin_panel(Gui *gui, const GuiPanel *panel);
void gui_end_panel(Gui *gui); /* whatever gui_begin_panel said */

/* Its parts: a heading that opens and closes, and within it, indented, smaller ones. */
bool gui_heading(const char *label, bool open_at_first);
bool gui_begin_group(const char *label, bool open_at_first);
void gui_end_group(void);
void gui_push_name(const char *name);
void gui_pop_name(void);
void gui_separator(void);
/* A part with a bar of its own that may be so high, 0: as there is room for whole rows; always
 * closed by its end. */
void gui_begin_part(const char *name, float height);
void gui_end_part(void);

/* Values: what was done to them, of GuiEdit, or 0. label goes behind. With a speed they are
 * dragged, by so much a point; without, they slide between their ends. */
typedef struct GuiRange {
    double least, most;
    float speed;
    const char *format; /* of one number: "%.4g" */
} GuiRange;

unsigned gui_floats(const char *label, float *values, int count, const GuiRange *range);
unsigned gui_doubles(const char *label, double *values, int count, const GuiRange *range);
unsigned gui_wholes(const char *label, int *values, int count, const GuiRange *range);
unsigned gui_check(const char *label, bool *value);
unsigned gui_choice(const char *label, int *value, const char *const *words);
unsigned gui_color(const char *label, float rgb[3], bool bright); /* bright: beyond 1 */
unsigned gui_line_edit(const char *label, char *text, size_t size);
bool gui_button(const char *label);
bool gui_small_button(const char *label);
bool gui_selectable(const char *label, bool selected);
/* The last value was clicked with the right button. */
bool gui_clicked_right(void);
void gui_disable(bool disabled); /* what follows, */
void gui_enable(void);           /* until here */
/* Width of the values, the rest of the line being their labels'. */
void gui_value_width(float width);
float gui_width(void); /* that there is */

/* A curve of count values, the oldest at `first`. */
typedef struct GuiPlot {
    const float *values;
    int count, first;
    float least, most;
    GuiPoint size;
    const char *over; /* a text on it; NULL: none */
} GuiPlot;
void gui_plot(const char *label, const GuiPlot *plot);

/* RGBA pixels, kept until the GUI is destroyed; 0 where there is no room. */
unsigned gui_image_make(Gui *gui, int width, int height, const unsigned char *rgba);
/* As a button: true where it was clicked. */
bool gui_image_button(const char *label, unsigned image, GuiPoint size);

#ifdef __cplusplus
}
#endif

#endif
