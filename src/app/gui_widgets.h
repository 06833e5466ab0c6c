/* SPDX-License-Identifier: MIT
 *
 * What a frame of the GUI consists of: plates with text, and a panel with values to change.
 *
 * These functions are called between gui_begin and gui_end, from top to bottom. gui_begin_group
 * needs gui_end_group if it returned true. The other gui_begin_ functions always need their
 * gui_end_. A label identifies its widget: equal labels need different gui_push_name around them.
 */
#ifndef APP_GUI_WIDGETS_H
#define APP_GUI_WIDGETS_H

#include "app/gui.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "base/render_settings.h"

/* What the user did to a value. */
typedef enum GuiEdit {
    GUI_CHANGED = 1, /* the value changed, and the same drag may change it further */
    GUI_DONE = 2     /* the drag or the typing that changed the value has ended */
} GuiEdit;

float gui_letters(void); /* height of the letters */
float gui_text_width(const char *text);

/* -- plates: they take no input */

#define GUI_MARGIN 8.0f     /* distance around a plate and between two plates */
GuiPoint gui_padding(void); /* distance between a plate's edge and its text */
float gui_gap(void);        /* distance between two texts in a line */
float gui_spacing(void);    /* distance between two lines of text */

/* A plate in the rectangle `box`. `anchor` is a position in the plate and in the rectangle, as
 * shares of their sizes; the two positions coincide. {0, 0} is the top left corner, {0.5, 1} the
 * middle of the lower edge. */
typedef struct GuiPlate {
    const char *name;
    GuiBox box;
    GuiPoint anchor;
    GuiPoint size; /* size of the plate's contents; 0: measured in this frame, and used from the
                      next frame on */
    GuiColor color;
} GuiPlate;

void gui_begin_plate(const GuiPlate *plate);
GuiPoint gui_end_plate(void); /* returns the size of its contents */

/* -- text */

void gui_text(const char *text);
void gui_text_colored(GuiColor color, const char *text);
void gui_text_dim(const char *text);
/* Draws text that wraps at `width`; 0: at the available width; negative: nowhere. */
void gui_text_wrapped(const char *text, float width);
/* Returns the size of a text that wraps at `width`. */
GuiPoint gui_text_size(const char *text, float width);
void gui_same_line(float gap);
/* Puts the next widget on the same line, `x` from the left edge of the plate or panel, or directly
 * after the previous widget if that reaches further. */
void gui_column(float x);
/* Draws a text at the height of the letters of a value on the same line. */
void gui_label(const char *text);
/* Sets the tooltip of the previous widget. */
void gui_tip(const char *text);

/* -- lines and areas, at points of the window, on the present plate or panel */

GuiPoint gui_place(void);     /* position of the next widget */
void gui_room(GuiPoint size); /* leaves an empty space of this size */
void gui_line(GuiPoint from, GuiPoint to, GuiColor color);
/* Draws a line on the picture, below all plates and the panel. */
void gui_line_below(GuiPoint from, GuiPoint to, GuiColor color, float width);
void gui_dot(GuiPoint middle, float radius, GuiColor color);
void gui_area(GuiPoint corner, GuiPoint size, GuiColor upper, GuiColor lower);
void gui_letters_at(GuiPoint place, GuiColor color, const char *text);

/* -- the panel */

typedef struct GuiPanel {
    const char *name, *title;
    GuiPoint place, size; /* used at first, and again after the size of the window has changed */
    bool focus;           /* give the panel the keyboard in this frame */
    bool fixed;           /* it always has that place and size */
} GuiPanel;

bool gui_begin_panel(Gui *gui, const GuiPanel *panel);
void gui_end_panel(Gui *gui); /* must also be called if gui_begin_panel returned false */

/* gui_heading and gui_begin_group draw a heading that can be opened and closed. They return true if
 * it is open. The widgets of an open group are indented until gui_end_group. */
bool gui_heading(const char *label, bool open_at_first);
bool gui_begin_group(const char *label, bool open_at_first);
void gui_end_group(void);
void gui_push_name(const char *name);
void gui_pop_name(void);
/* Starts a scrolling part of the given height; 0: the available height, rounded down to whole rows.
 * Every part must be closed by gui_end_part. */
void gui_begin_part(const char *name, float height);
void gui_end_part(void);

/* Widgets for values. They return GuiEdit bits; 0: the user did nothing. The label is on the right;
 * a label that starts with "##" is not shown. */
typedef struct GuiRange {
    double least, most;
    float speed; /* change per point of a drag; 0: the widget is a slider from `least` to `most` */
    const char *format; /* format of one number, such as "%.4g" */
} GuiRange;

unsigned gui_floats(const char *label, float *values, int count, const GuiRange *range);
unsigned gui_doubles(const char *label, double *values, int count, const GuiRange *range);
unsigned gui_wholes(const char *label, int *values, int count, const GuiRange *range);
unsigned gui_check(const char *label, bool *value);
unsigned gui_choice(const char *label, int *value, const char *const *words);
unsigned gui_color(const char *label, float rgb[3], bool bright); /* bright: values may exceed 1 */
unsigned gui_line_edit(const char *label, char *text, size_t size);
/* A line for the words of a search. hint: shown while it is empty. focus: begins typing there. */
unsigned gui_search(const char *label, const char *hint, char *text, size_t size, bool focus);
/* Draws a row of a list. show: scroll so that it is seen. Returns the number of clicks on it in
 * this frame. */
int gui_row(const char *label, bool chosen, bool show);
bool gui_button(const char *label);
/* A button of a choice of which one is chosen. Returns true if it was pressed. */
bool gui_radio(const char *label, bool chosen);
bool gui_small_button(const char *label);
/* Opens a list of words when the previous widget is clicked with the right button. Returns the
 * index of the word that was clicked in this frame; -1: none. words: ends with NULL. */
int gui_menu(const char *name, const char *const *words);
/* A list of words at the cursor, from the frame in which `open` is true until one of them is
 * clicked or the list is left. Needs no panel. Returns the index of the word that was clicked in
 * this frame; -1: none. An empty word is a line. words: ends with NULL. */
int gui_list(const char *name, const char *const *words, bool open);
float gui_button_width(const char *label);
/* If `disabled`, greys out and disables the widgets until gui_enable. */
void gui_disable(bool disabled);
void gui_enable(void);
void gui_value_width(float width); /* width of the next widget's value, without its label */
float gui_width(void);             /* available width, points */
float gui_height(void);            /* available height, points */
float gui_whole_width(void);       /* width of the plate or panel from its left edge, points */

/* Keys of a dialog, which act whatever has the keyboard. All but Enter and Esc repeat. */
typedef enum GuiKey {
    GUI_KEY_UP,
    GUI_KEY_DOWN,
    GUI_KEY_PAGE_UP,
    GUI_KEY_PAGE_DOWN,
    GUI_KEY_ENTER,
    GUI_KEY_ESCAPE
} GuiKey;
bool gui_key(GuiKey key);
/* Whether no widget is being used, and no button of the mouse is down. */
bool gui_is_idle(void);

/* A curve of values in a ring buffer whose oldest value is at `first`. */
typedef struct GuiPlot {
    const float *values;
    int count, first;
    float least, most;
    GuiPoint size;
    const char *over; /* text over the curve; NULL: none */
} GuiPlot;
void gui_plot(const char *label, const GuiPlot *plot);

/* A diagram with dots to drag. Positions are shares of its size, from the lower left. */
typedef struct GuiDiagram {
    GuiPoint size;
    GuiPoint *dots;
    int dot_count;
    float mark; /* position of a vertical line; negative: none */
} GuiDiagram;

/* Draws the background and the line of the mark, and moves the dot that is dragged. moved: receives
 * its index. Returns GuiEdit bits. The caller then draws lines and dots at gui_diagram_point. */
unsigned gui_diagram(const char *label, GuiDiagram *diagram, int *moved);
/* Converts a position in the diagram that was drawn last to a point of the window. */
GuiPoint gui_diagram_point(GuiPoint share);

/* Draws the stops of a ramp on a bar of its colours. A press beside all stops adds one, a drag
 * moves it between its neighbours, and a drag off the bar removes it. The ramp has at least one
 * stop. chosen: receives the stop that was pressed last; of a removed stop its former index.
 * Returns GuiEdit bits. */
unsigned gui_ramp(const char *label, GuiPoint size, RenderRamp *ramp, int *chosen);

/* Makes an image from RGBA pixels. The image exists until the GUI is destroyed. Returns 0 if there
 * are too many images. */
unsigned gui_image_make(Gui *gui, int width, int height, const unsigned char *rgba);
/* Draws an image as a button. Returns true if it was clicked. */
bool gui_image_button(const char *label, unsigned image, GuiPoint size);

#ifdef __cplusplus
}
#endif

#endif
