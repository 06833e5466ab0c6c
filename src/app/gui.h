/* SPDX-License-Identifier: MIT
 *
 * A C interface to Dear ImGui: plates with text, and a panel with values to change. gui.cpp is the
 * only file that includes the library.
 *
 * Widgets are called between gui_begin and gui_end, from top to bottom. Lengths are points of the
 * window. A gui_begin_ function that returns true is closed by its gui_end_. A label identifies its
 * widget: equal labels need different gui_push_name around them. */
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

/* What the person did to a value. */
typedef enum GuiEdit {
    GUI_CHANGED = 1, /* it changed; the same drag may change it further */
    GUI_DONE = 2,    /* the drag or the typing that changed it ended */
    GUI_ENTERED = 4  /* Enter ended the typing, whether the line changed or not */
} GuiEdit;

/* The GL context to draw in has to be current, here and in every call. There can be one GUI at a
 * time. */
Gui *gui_create(float pixels_per_point, BillowError *error);
void gui_destroy(Gui *gui); /* NULL is fine */

/* -- input */

/* Passes an event on. True: the panel takes it, and nobody else may act on it. A drag that began in
 * the panel stays the panel's. */
bool gui_handle(Gui *gui, const SDL_Event *event);
/* Whether a frame has to be drawn before the next event is passed on: its meaning may depend on
 * what the events before it did. */
bool gui_waits(const Gui *gui);
/* Whether Esc was pressed in the panel while there was nothing in it to cancel. True once for each
 * press. */
bool gui_left(Gui *gui);
/* Whether a value is being dragged or typed, so that frames have to be drawn. */
bool gui_busy(const Gui *gui);
/* Whether the cursor is over something that takes input. */
bool gui_hovered(const Gui *gui);

/* -- a frame */

void gui_begin(Gui *gui, GuiPoint size, float pixels_per_point);
void gui_end(Gui *gui); /* draws onto the bound framebuffer */
/* Time that gui_end took in the last frame, ms. */
double gui_ms(const Gui *gui);

float gui_letters(void); /* height of a line's letters */
float gui_text_width(const char *text);

typedef struct GuiBox {
    GuiPoint corner, size;
} GuiBox;

GuiPoint gui_size(void); /* size of the window */
/* The largest part of the window beside, above or below the panel. The panel has to be begun
 * before. */
GuiBox gui_free(const Gui *gui);
/* The places of the plates and the panel in the last frame, at most so many. Returns how many there
 * are. */
int gui_boxes(const Gui *gui, GuiBox *boxes, int most);

/* -- plates: they take no input */

#define GUI_MARGIN 8.0f     /* around a plate, and between two */
GuiPoint gui_padding(void); /* between the edge of a plate and its letters */
float gui_gap(void);        /* between two texts in a line */
float gui_spacing(void);    /* between two lines */

/* A plate in a box. The same point of both, the anchor, coincides: {0, 0} is the top left corner,
 * {0.5, 1} the middle of the lower edge. */
typedef struct GuiPlate {
    const char *name;
    GuiBox box;
    GuiPoint anchor;
    GuiPoint size; /* of its contents; 0: found by itself, one frame later */
    GuiColor color;
} GuiPlate;

void gui_begin_plate(const GuiPlate *plate);
GuiPoint gui_end_plate(void); /* returns the size that its contents need */

/* -- text */

void gui_text(const char *text);
void gui_text_colored(GuiColor color, const char *text);
void gui_text_dim(const char *text);
/* Breaks lines at a width; 0: the width that there is; negative: not at all. */
void gui_text_wrapped(const char *text, float width);
/* The size of such a text. */
GuiPoint gui_text_size(const char *text, float width);
void gui_same_line(float gap);
/* A tooltip for the widget before it. */
void gui_tip(const char *text);

/* -- lines and areas, at points of the window, on the present plate or panel */

GuiPoint gui_place(void);     /* place of the next widget */
void gui_room(GuiPoint size); /* leaves a space of that size */
void gui_line(GuiPoint from, GuiPoint to, GuiColor color);
/* A line on the picture, under all plates and panels. */
void gui_line_below(GuiPoint from, GuiPoint to, GuiColor color, float width);
void gui_dot(GuiPoint middle, float radius, GuiColor color);
void gui_area(GuiPoint corner, GuiPoint size, GuiColor upper, GuiColor lower);
void gui_letters_at(GuiPoint place, GuiColor color, const char *text);

/* -- the panel */

typedef struct GuiPanel {
    const char *name, *title;
    GuiPoint place, size; /* at first, and after the window's size has changed */
    bool focus;           /* true in its first frame: it gets the keyboard */
} GuiPanel;

bool gui_begin_panel(Gui *gui, const GuiPanel *panel);
void gui_end_panel(Gui *gui); /* also where gui_begin_panel returned false */

/* A heading that opens and closes, and an indented group within it. */
bool gui_heading(const char *label, bool open_at_first);
bool gui_begin_group(const char *label, bool open_at_first);
void gui_end_group(void);
void gui_push_name(const char *name);
void gui_pop_name(void);
void gui_separator(void);
/* A part that scrolls by itself, up to that height; 0: as many whole rows as fit. It is always
 * closed by gui_end_part. */
void gui_begin_part(const char *name, float height);
void gui_end_part(void);

/* Widgets for values return GuiEdit bits, or 0. The label stands to the right. */
typedef struct GuiRange {
    double least, most;
    float speed;        /* change for each point of a drag; 0: a slider from least to most */
    const char *format; /* of one number: "%.4g" */
} GuiRange;

unsigned gui_floats(const char *label, float *values, int count, const GuiRange *range);
unsigned gui_doubles(const char *label, double *values, int count, const GuiRange *range);
unsigned gui_wholes(const char *label, int *values, int count, const GuiRange *range);
unsigned gui_check(const char *label, bool *value);
unsigned gui_choice(const char *label, int *value, const char *const *words);
unsigned gui_color(const char *label, float rgb[3], bool bright); /* bright: may exceed 1 */
unsigned gui_line_edit(const char *label, char *text, size_t size);
bool gui_button(const char *label);
bool gui_small_button(const char *label);
bool gui_selectable(const char *label, bool selected);
/* Whether the last widget was clicked with the right button. */
bool gui_clicked_right(void);
void gui_disable(bool disabled); /* greys out what follows, until gui_enable */
void gui_enable(void);
void gui_value_width(float width); /* of the values; labels get the rest of the line */
float gui_width(void);             /* width that there is */

/* A curve of the values in a ring, the oldest at `first`. */
typedef struct GuiPlot {
    const float *values;
    int count, first;
    float least, most;
    GuiPoint size;
    const char *over; /* text on the curve; NULL: none */
} GuiPlot;
void gui_plot(const char *label, const GuiPlot *plot);

/* Makes an image of RGBA pixels, which is kept until the GUI is destroyed. Returns 0 where there is
 * no memory for it. */
unsigned gui_image_make(Gui *gui, int width, int height, const unsigned char *rgba);
/* An image as a button. True: it was clicked. */
bool gui_image_button(const char *label, unsigned image, GuiPoint size);

#ifdef __cplusplus
}
#endif

#endif
