/* SPDX-License-Identifier: MIT */
#include "overlay.h"

#include <math.h>

static const GuiColor plate_color = {0.05f, 0.06f, 0.08f, 0.62f};
static const GuiColor help_color = {0.05f, 0.06f, 0.08f, 0.82f};
static const GuiColor error_color = {0.35f, 0.03f, 0.03f, 0.85f};
static const GuiColor recording_color = {0.92f, 0.16f, 0.12f, 1};
static const GuiColor text_color = {0.96f, 0.96f, 0.96f, 1};
static const GuiColor key_color = {1, 0.82f, 0.45f, 1};

static void draw_figures(const OverlayContent *content)
{
    if (content->figure_count == 0)
        return;
    float room = content->width - 2 * GUI_MARGIN - 2 * gui_padding(), used = 0, gap = gui_gap();
    gui_begin_plate("figures", (GuiPoint){0, 0}, plate_color);
    for (int i = 0; i < content->figure_count; i++) {
        float width = gui_text_width(content->figures[i]);
        if (i > 0 && used + gap + width <= room) {
            gui_same_line(gap);
            used += gap + width;
        } else {
            used = width;
        }
        gui_text(content->figures[i]);
    }
    gui_end_plate();
}

/* A text as wide as it is or as the window allows, where it wraps. */
static void draw_text(const char *name, const char *text, GuiPoint anchor, GuiColor color)
{
    float room = gui_size().x - 4 * GUI_MARGIN;
    float width = gui_text_width(text);
    gui_begin_plate(name, anchor, color);
    gui_text_wrapped(text, width < room ? -1 : room);
    gui_end_plate();
}

/* A red dot and how long, in the lower right corner. */
static void draw_recording(const char *text)
{
    float letters = gui_letters();
    gui_begin_plate("recording", (GuiPoint){1, 1}, plate_color);
    GuiPoint corner = gui_place();
    gui_dot((GuiPoint){corner.x + 0.5f * letters, corner.y + 0.5f * letters}, 0.4f * letters,
            recording_color);
    gui_room((GuiPoint){letters, letters});
    gui_same_line(gui_padding());
    gui_text(text);
    gui_end_plate();
}

/* -- a bar of colours at the right edge with numbers beside it */

static GuiColor bar_color(const Legend *legend, float share)
{
    const float *c = legend->colors + 4 * (int)(share * (COLOR_MAP_ENTRIES - 1) + 0.5f);
    return (GuiColor){c[0], c[1], c[2], 1};
}

static void draw_bar(const Legend *legend, GuiPoint top, float width, float height)
{
    enum { PIECES = 64 };
    for (int i = 0; i < PIECES; i++) {
        float above = (float)(i + 1) / PIECES, below = (float)i / PIECES;
        gui_area((GuiPoint){top.x, top.y + (1 - above) * height},
                 (GuiPoint){width, height / PIECES}, bar_color(legend, above),
                 bar_color(legend, below));
    }
    for (int i = 0; i < legend->contours; i++) {
        float share = ((float)i + 0.5f) / (float)legend->contours;
        float y = top.y + (1 - share) * height;
        GuiColor c = bar_color(legend, share);
        float line = 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b < 0.42f ? 1 : 0;
        gui_line((GuiPoint){top.x, y}, (GuiPoint){top.x + width, y},
                 (GuiColor){line, line, line, 0.75f});
    }
}

static void draw_legend(const Legend *whole)
{
    const float bar = 14, tick = 4, letters = gui_letters();
    const float height = fmaxf(0.4f * gui_size().y, 8 * letters);
    Legend legend = *whole;
    float widest = 0;
    legend_fit(&legend, height, letters);
    gui_begin_plate("legend", (GuiPoint){1, 0.5f}, plate_color);
    gui_text(legend.title);
    gui_text(legend.place);
    GuiPoint corner = gui_place(), top = {corner.x, corner.y + 0.6f * letters};
    draw_bar(&legend, top, bar, height);
    for (int i = 0; i < legend.ticks; i++) {
        float y = top.y + (1 - legend.at[i]) * height;
        widest = fmaxf(widest, gui_text_width(legend.text[i]));
        gui_line((GuiPoint){top.x + bar, y}, (GuiPoint){top.x + bar + tick, y}, text_color);
        gui_letters_at((GuiPoint){top.x + bar + 2 * tick, y - 0.5f * letters}, text_color,
                       legend.text[i]);
    }
    gui_room((GuiPoint){bar + 2 * tick + widest, height + 1.2f * letters});
    gui_end_plate();
}

/* -- the help */

/* Of the letters, at most 1: what lets all rows into a small window. */
static float help_scale(const OverlayRow *rows)
{
    const float cell_x = 6, cell_y = 1, padding_y = 4; /* as the plates' style has them */
    float letters = gui_letters(), count = 0, keys = 0, words = 0;
    for (const OverlayRow *at = rows; at->key != NULL; at++, count++) {
        keys = fmaxf(keys, gui_text_width(at->key));
        words = fmaxf(words, gui_text_width(at->does));
    }
    GuiPoint room = gui_size();
    float high = (room.y - 2 * (GUI_MARGIN + padding_y) - count * 2 * cell_y) / (count * letters);
    float wide = (room.x - 2 * (GUI_MARGIN + padding_y) - 6 * cell_x) / (keys + words);
    return fminf(1, fmaxf(0.4f, fminf(high, wide)));
}

static void draw_rows(const char *name, const OverlayRow *rows, GuiPoint anchor)
{
    gui_begin_plate(name, anchor, help_color);
    gui_scale_letters(help_scale(rows));
    if (gui_begin_table("keys", 2)) {
        for (const OverlayRow *row = rows; row->key != NULL; row++) {
            gui_next_row();
            gui_next_column();
            gui_text_colored(key_color, row->key);
            gui_next_column();
            gui_text(row->does);
        }
        gui_end_table();
    }
    gui_end_plate();
}

/* -- lines in the picture */

/* All edges before all lines: a line is not darkened by the edge of the next. */
static void draw_lines(const OverlayLine *lines, int count)
{
    for (int edge = 1; edge >= 0; edge--)
        for (int i = 0; i < count; i++) {
            const float *from = lines[i].from, *to = lines[i].to, *c = lines[i].color;
            GuiColor color = {c[0], c[1], c[2], c[3]};
            if (edge)
                color = (GuiColor){0, 0, 0, 0.35f * c[3]};
            gui_line_below((GuiPoint){from[0], from[1]}, (GuiPoint){to[0], to[1]}, color,
                           lines[i].width + (edge ? 2 : 0));
        }
}

/* -- all of it */

/* FNV-1a; a text that is not there differs from an empty one. */
static void add_text(uint64_t *sum, const char *text)
{
    const uint64_t prime = 1099511628211u;
    *sum = (*sum ^ (text != NULL ? 1u : 2u)) * prime;
    for (; text != NULL && *text != 0; text++)
        *sum = (*sum ^ (unsigned char)*text) * prime;
}

static void add_bytes(uint64_t *sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        *sum = (*sum ^ at[i]) * 1099511628211u;
}

uint64_t overlay_fingerprint(const OverlayContent *content)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < content->figure_count; i++)
        add_text(&sum, content->figures[i]);
    add_text(&sum, content->hint);
    add_text(&sum, content->message);
    add_text(&sum, content->recording);
    add_text(&sum, content->error);
    for (const OverlayRow *row = content->first; row != NULL && row->key != NULL; row++)
        add_text(&sum, row->does);
    for (const OverlayRow *row = content->help; row != NULL && row->key != NULL; row++)
        add_text(&sum, row->key);
    add_bytes(&sum, content->lines, (size_t)content->line_count * sizeof(OverlayLine));
    if (content->legend != NULL) {
        add_text(&sum, content->legend->title);
        add_text(&sum, content->legend->place);
        for (int i = 0; i < content->legend->ticks; i++)
            add_text(&sum, content->legend->text[i]);
        sum += (uint64_t)content->legend->contours + 1;
    }
    return sum;
}

void overlay_show(const OverlayContent *content)
{
    draw_lines(content->lines, content->line_count);
    draw_figures(content);
    if (content->legend != NULL)
        draw_legend(content->legend);
    if (content->recording != NULL)
        draw_recording(content->recording);
    if (content->help != NULL)
        draw_rows("help", content->help, (GuiPoint){0.5f, 0.5f});
    else if (content->first != NULL) /* a message has room below */
        draw_rows("first", content->first,
                  (GuiPoint){0.5f, 1 - 2.2f * gui_letters() / gui_size().y});
    if (content->error != NULL)
        draw_text("error", content->error, (GuiPoint){0.5f, 0.35f}, error_color);
    if (content->message != NULL)
        draw_text("message", content->message, (GuiPoint){0.5f, 1}, plate_color);
    else if (content->hint != NULL)
        draw_text("hint", content->hint, (GuiPoint){0.5f, 1}, plate_color);
}
