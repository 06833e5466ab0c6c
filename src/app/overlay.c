/* SPDX-License-Identifier: MIT */
#include "overlay.h"

#include <math.h>

static const GuiColor plate_color = {0.05f, 0.06f, 0.08f, 0.62f};
static const GuiColor first_color = {0.05f, 0.06f, 0.08f, 0.82f};
static const GuiColor help_color = {0.05f, 0.06f, 0.08f, 1};
static const GuiColor error_color = {0.35f, 0.03f, 0.03f, 0.85f};
static const GuiColor recording_color = {0.92f, 0.16f, 0.12f, 1};
static const GuiColor text_color = {0.96f, 0.96f, 0.96f, 1};
static const GuiColor key_color = {1, 0.82f, 0.45f, 1};

/* -- where things stand: figures above, messages below, what is left of a box for the rest */

static GuiBox cut_above(GuiBox box, float height)
{
    box.corner.y += height;
    box.size.y -= height;
    return box;
}

static GuiBox cut_below(GuiBox box, float height)
{
    box.size.y -= height;
    return box;
}

/* Flows over the lines of that width: draws, or says what it takes up. */
static GuiPoint flow(const OverlayContent *content, float room, bool draw)
{
    GuiPoint all = {0, 0};
    float used = 0, gap = gui_gap(), pitch = 0;
    for (int i = 0; i < content->figure_count; i++) {
        GuiPoint size = gui_text_size(content->figures[i], room);
        bool beside = i > 0 && used + gap + gui_text_width(content->figures[i]) <= room;
        if (beside && draw)
            gui_same_line(gap);
        used = beside ? used + gap + size.x : size.x;
        all.x = fmaxf(all.x, used);
        if (!beside) {
            all.y += size.y + (i > 0 ? pitch : 0);
            pitch = gui_spacing();
        }
        if (draw)
            gui_text_wrapped(content->figures[i], room);
    }
    return all;
}

static float draw_figures(const OverlayContent *content, GuiBox box)
{
    if (content->figure_count == 0)
        return 0;
    float room = box.size.x - 2 * GUI_MARGIN - 2 * gui_padding().x;
    gui_begin_plate(&(GuiPlate){
        .name = "figures", .box = box, .size = flow(content, room, false), .color = plate_color});
    flow(content, room, true);
    return gui_end_plate().y + GUI_MARGIN;
}

/* A text as wide as it is or as the box allows, where it wraps. */
static GuiPoint draw_text(const char *name, const char *text, GuiBox box, GuiPoint anchor,
                          GuiColor color)
{
    float room = box.size.x - 2 * GUI_MARGIN - 2 * gui_padding().x;
    GuiPoint size = gui_text_size(text, room);
    gui_begin_plate(
        &(GuiPlate){.name = name, .box = box, .anchor = anchor, .size = size, .color = color});
    gui_text_wrapped(text, room);
    return gui_end_plate();
}

/* A red dot and how long, in the lower right corner. */
static GuiPoint draw_recording(const char *text, GuiBox box)
{
    float letters = gui_letters();
    GuiPoint size = {letters + gui_padding().x + gui_text_width(text), letters};
    gui_begin_plate(&(GuiPlate){
        .name = "recording", .box = box, .anchor = {1, 1}, .size = size, .color = plate_color});
    GuiPoint corner = gui_place();
    gui_dot((GuiPoint){corner.x + 0.5f * letters, corner.y + 0.5f * letters}, 0.4f * letters,
            recording_color);
    gui_room((GuiPoint){letters, letters});
    gui_same_line(gui_padding().x);
    gui_text(text);
    return gui_end_plate();
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

/* As high as there is room, and not at all where that is too little to be read. */
static void draw_legend(const Legend *whole, GuiBox box)
{
    const float letters = gui_letters(), bar = 1.1f * letters, tick = 0.3f * letters;
    const float words = 3.8f * letters + 2 * (GUI_MARGIN + gui_padding().y);
    const float wanted = fmaxf(0.4f * gui_size().y, 8 * letters);
    const float height = fminf(wanted, box.size.y - words);
    Legend legend = *whole;
    float widest = 0;
    if (height < 4 * letters)
        return;
    legend_fit(&legend, height, letters);
    gui_begin_plate(
        &(GuiPlate){.name = "legend", .box = box, .anchor = {1, 0.5f}, .color = plate_color});
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

/* Of the letters, at most 1: what lets all rows into a box. */
static float rows_scale(const OverlayRow *rows, GuiBox box)
{
    const float cell_x = 6, cell_y = 1; /* as the tables' style has them */
    const GuiPoint padding = gui_padding();
    float letters = gui_letters(), enlarged = letters / 13, count = 0, keys = 0, words = 0;
    for (const OverlayRow *at = rows; at->key != NULL; at++, count++) {
        keys = fmaxf(keys, gui_text_width(at->key));
        words = fmaxf(words, gui_text_width(at->does));
    }
    float high = (box.size.y - 2 * (GUI_MARGIN + padding.y) - count * 2 * cell_y * enlarged) /
                 (count * letters);
    float wide =
        (box.size.x - 2 * (GUI_MARGIN + padding.x) - 6 * cell_x * enlarged) / (keys + words);
    return fminf(1, fmaxf(0.4f, fminf(high, wide)));
}

static float draw_rows(const char *name, const OverlayRow *rows, GuiBox box, GuiPoint anchor,
                       GuiColor color)
{
    gui_begin_plate(&(GuiPlate){.name = name, .box = box, .anchor = anchor, .color = color});
    gui_scale_letters(rows_scale(rows, box));
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
    return gui_end_plate().y + GUI_MARGIN;
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

/* What stands along the lower edge; says what is left of the box. A recording goes above a message
 * that reaches to where it would stand; room for a line is always left, lest what is above jumps.
 */
static GuiBox draw_below(const OverlayContent *content, GuiBox box)
{
    const float line = gui_letters() + 2 * gui_padding().y + GUI_MARGIN;
    const char *text = content->message != NULL ? content->message : content->hint;
    float height = line;
    GuiPoint said = {0, 0};
    if (text != NULL) {
        said = draw_text("message", text, box, (GuiPoint){0.5f, 1}, plate_color);
        height = fmaxf(height, said.y + GUI_MARGIN);
    }
    if (content->recording == NULL)
        return cut_below(box, height);
    float wide = gui_text_width(content->recording) + gui_letters() + 3 * gui_padding().x;
    bool beside = 0.5f * (box.size.x - said.x) >= wide + 2 * GUI_MARGIN;
    if (!beside)
        box = cut_below(box, height);
    draw_recording(content->recording, box);
    return cut_below(box, beside ? height : line);
}

void overlay_show(const Gui *gui, const OverlayContent *content)
{
    const GuiBox whole = {{0, 0}, gui_size()};
    draw_lines(content->lines, content->line_count);
    if (content->help != NULL) { /* it has the window to itself */
        draw_rows("help", content->help, draw_below(content, whole), (GuiPoint){0.5f, 0.5f},
                  help_color);
        return;
    }
    GuiBox box = draw_below(content, gui_free(gui));
    box = cut_above(box, draw_figures(content, box));
    if (content->first != NULL)
        box = cut_below(box,
                        draw_rows("first", content->first, box, (GuiPoint){0.5f, 1}, first_color));
    if (content->error != NULL)
        draw_text("error", content->error, box, (GuiPoint){0.5f, 0.35f}, error_color);
    else if (content->legend != NULL)
        draw_legend(content->legend, box);
}
