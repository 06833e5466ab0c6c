/* SPDX-License-Identifier: MIT */
#include "app/overlay.h"

#include "app/gui_widgets.h"
#include "base/hash.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const GuiColor plate_color = {0.05f, 0.06f, 0.08f, 0.62f};
static const GuiColor first_color = {0.05f, 0.06f, 0.08f, 0.82f};
static const GuiColor help_color = {0.05f, 0.06f, 0.08f, 1};
static const GuiColor error_color = {0.35f, 0.03f, 0.03f, 0.85f};
static const GuiColor recording_color = {0.92f, 0.16f, 0.12f, 1};
static const GuiColor text_color = {0.96f, 0.96f, 0.96f, 1};
static const GuiColor key_color = {1, 0.82f, 0.45f, 1};

/* -- layout: figures at the top, messages at the bottom, the rest between them */

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

/* Lays out the figures with dots between them, in as many lines as they need, and returns the size.
 * draw: false to measure only. */
static GuiPoint flow(const OverlayContent *content, GuiPoint room, bool draw)
{
    static const char dot[] = "  \u00b7  ";
    GuiPoint all = {0, 0};
    float used = 0, gap = gui_text_width(dot), pitch = 0;
    for (int i = 0; i < content->figure_count; i++) {
        GuiPoint size = gui_text_size(content->figures[i], room.x);
        bool beside = i > 0 && used + gap + gui_text_width(content->figures[i]) <= room.x;
        if (!beside && all.y + pitch + size.y > room.y)
            break;
        if (beside && draw) {
            gui_same_line(0);
            gui_text_dim(dot);
            gui_same_line(0);
        }
        used = beside ? used + gap + size.x : size.x;
        all.x = fmaxf(all.x, used);
        if (!beside) {
            all.y += pitch + size.y;
            pitch = gui_spacing();
        }
        if (draw)
            gui_text_wrapped(content->figures[i], room.x);
    }
    return all;
}

static float draw_figures(const OverlayContent *content, GuiBox box)
{
    const GuiPoint padding = gui_padding();
    GuiPoint room = {box.size.x - 2 * (GUI_MARGIN + padding.x),
                     box.size.y - 2 * (GUI_MARGIN + padding.y)};
    GuiPoint size = flow(content, room, false);
    if (size.y == 0)
        return 0;
    gui_begin_plate(&(GuiPlate){.name = "figures", .box = box, .size = size, .color = plate_color});
    flow(content, room, true);
    return gui_end_plate().y + GUI_MARGIN;
}

/* Draws a text that wraps at the width of its box. */
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

/* Draws a red dot and the length of the video in the lower right corner. */
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

/* Draws how far a video is, with a bar, in the lower right corner, and returns the height. */
static float draw_video(const char *text, float share, GuiBox box)
{
    const float high = 0.3f * gui_letters();
    const GuiColor empty = {1, 1, 1, 0.2f}, full = {1, 1, 1, 0.9f};
    GuiPoint size = {gui_text_width(text), gui_letters() + 2 * high};
    gui_begin_plate(&(GuiPlate){
        .name = "video", .box = box, .anchor = {1, 1}, .size = size, .color = plate_color});
    GuiPoint corner = gui_place();
    gui_text(text);
    corner.y += gui_letters() + high;
    gui_area(corner, (GuiPoint){size.x, high}, empty, empty);
    gui_area(corner, (GuiPoint){share * size.x, high}, full, full);
    gui_end_plate(); /* which counts the text alone */
    return size.y + 2 * gui_padding().y;
}

/* -- the legend: a bar of colours with numbers */

static GuiColor bar_color(const Legend *legend, float share)
{
    const float *c = legend->colors + 4 * (int)(share * (COLOR_MAP_ENTRIES - 1) + 0.5f);
    return (GuiColor){c[0], c[1], c[2], 1};
}

/* Draws the legend's bar: vertical, or horizontal if its box is wider than high. */
static void draw_bar(const Legend *legend, GuiPoint top, GuiPoint size)
{
    enum { PIECES = 64 };
    bool lies = size.x > size.y;
    for (int i = 0; i < PIECES; i++) {
        float above = (float)(i + 1) / PIECES, below = (float)i / PIECES;
        GuiColor upper = bar_color(legend, above), lower = bar_color(legend, below);
        if (lies)
            gui_area((GuiPoint){top.x + below * size.x, top.y}, (GuiPoint){size.x / PIECES, size.y},
                     lower, lower);
        else
            gui_area((GuiPoint){top.x, top.y + (1 - above) * size.y},
                     (GuiPoint){size.x, size.y / PIECES}, upper, lower);
    }
    for (int i = 0; i < legend->contours; i++) {
        float share = ((float)i + 0.5f) / (float)legend->contours;
        GuiPoint from = {top.x + share * size.x, top.y}, to = {from.x, top.y + size.y};
        if (!lies) {
            from = (GuiPoint){top.x, top.y + (1 - share) * size.y};
            to = (GuiPoint){top.x + size.x, from.y};
        }
        GuiColor c = bar_color(legend, share);
        float line = 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b < 0.42f ? 1 : 0;
        gui_line(from, to, (GuiColor){line, line, line, 0.75f});
    }
}

/* Returns the smallest height of a horizontal bar with its plate. */
static float low_legend_height(void)
{
    return 2 * gui_letters() + gui_spacing() + 2 * (GUI_MARGIN + gui_padding().y);
}

/* Draws a horizontal bar with numbers only at its ends. */
static void draw_low_legend(const Legend *legend, GuiBox box)
{
    const float letters = gui_letters(), gap = gui_gap();
    const char *low = legend->text[0],
               *high = legend->text[1]; /* text[0] and text[1] are the labels of the two ends */
    float room = box.size.x - 2 * (GUI_MARGIN + gui_padding().x);
    float both = gui_text_width(legend->title) + gap + gui_text_width(legend->place);
    float ends = gui_text_width(low) + gui_text_width(high) + gap;
    float wide = fminf(room, fmaxf(both, ends + 8 * letters));
    gui_begin_plate(&(GuiPlate){.name = "low legend",
                                .box = box,
                                .anchor = {1, 1},
                                .size = {wide, 2 * letters + gui_spacing()},
                                .color = plate_color});
    gui_text(legend->title);
    if (both <= room) {
        gui_same_line(gap);
        gui_text(legend->place);
    }
    gui_text(low);
    gui_same_line(0.5f * gap);
    GuiPoint bar = {wide - ends, letters};
    draw_bar(legend, gui_place(), bar);
    gui_room(bar);
    gui_same_line(0.5f * gap);
    gui_text(high);
    gui_end_plate();
}

/* Draws the legend as a vertical bar at the right edge. If there is too little height for its
 * numbers, draws a horizontal bar. */
static void draw_legend(const Legend *whole, GuiBox box)
{
    const float letters = gui_letters(), bar = 1.1f * letters, tick = 0.3f * letters;
    const float words = 3.8f * letters + 2 * (GUI_MARGIN + gui_padding().y);
    const float wanted = fmaxf(0.4f * gui_size().y, 8 * letters);
    const float height = fminf(wanted, box.size.y - words);
    Legend legend = *whole;
    float widest = 0;
    if (height < 4 * letters) {
        if (box.size.y >= low_legend_height())
            draw_low_legend(whole, box);
        return;
    }
    legend_fit(&legend, height, letters);
    gui_begin_plate(
        &(GuiPlate){.name = "legend", .box = box, .anchor = {1, 0.5f}, .color = plate_color});
    gui_text(legend.title);
    gui_text(legend.place);
    GuiPoint corner = gui_place(), top = {corner.x, corner.y + 0.6f * letters};
    draw_bar(&legend, top, (GuiPoint){bar, height});
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

/* -- tables of keys and their descriptions, in pages if there are many rows */

/* Layout of rows of keys and descriptions. The column of keys is as wide as the widest key of all
 * pages. The descriptions get the remaining width. */
typedef struct RowsPlan {
    float keys, words, high; /* widths of the two columns; height available to all rows */
    int count;
} RowsPlan;

static RowsPlan plan_rows(const OverlayRow *rows, GuiBox box)
{
    const GuiPoint padding = gui_padding();
    RowsPlan plan = {.high = box.size.y - 2 * (GUI_MARGIN + padding.y)};
    for (const OverlayRow *row = rows; row->key != NULL; row++, plan.count++) {
        plan.keys = fmaxf(plan.keys, gui_text_width(row->key));
        plan.words = fmaxf(plan.words, gui_text_width(row->does));
    }
    float room = box.size.x - 2 * (GUI_MARGIN + padding.x) - plan.keys - gui_gap();
    plan.words = fmaxf(fminf(plan.words, room), gui_letters());
    return plan;
}

/* Returns the height of a row, including the space below it. */
static float row_height(const RowsPlan *plan, const OverlayRow *row)
{
    return gui_text_size(row->does, plan->words).y + gui_spacing();
}

/* Returns the number of rows that fit. */
static int count_rows(const RowsPlan *plan, const OverlayRow *rows)
{
    int count = 0;
    float used = -gui_spacing();
    for (; rows[count].key != NULL; count++) {
        used += row_height(plan, &rows[count]);
        if (used > plan->high)
            break;
    }
    return count;
}

/* Finds the first row to show. The first row is earlier than requested if the last page would not
 * be full otherwise. */
static OverlayPage find_page(const RowsPlan *plan, const OverlayRow *rows, int first)
{
    OverlayPage page = {.first = (int)fminf(fmaxf((float)first, 0), (float)(plan->count - 1))};
    page.count = count_rows(plan, rows + page.first);
    while (page.first > 0 && page.first + page.count == plan->count &&
           count_rows(plan, rows + page.first - 1) > page.count) {
        page.first--;
        page.count++;
    }
    return page;
}

/* Returns the size of the table. foot: text of a line below the rows; NULL: none. */
static GuiPoint page_size(const RowsPlan *plan, const OverlayRow *rows, OverlayPage page,
                          const char *foot)
{
    GuiPoint size = {plan->keys + gui_gap() + plan->words, -gui_spacing()};
    for (int i = 0; i < page.count; i++)
        size.y += row_height(plan, &rows[page.first + i]);
    if (foot == NULL)
        return size;
    GuiPoint more = gui_text_size(foot, size.x);
    return (GuiPoint){fmaxf(size.x, more.x), size.y + gui_spacing() + more.y};
}

static float draw_page(const GuiPlate *plate, const RowsPlan *plan, const OverlayRow *rows,
                       OverlayPage page, const char *foot)
{
    gui_begin_plate(plate);
    for (const OverlayRow *row = rows + page.first; row < rows + page.first + page.count; row++) {
        gui_text_colored(key_color, row->key);
        gui_same_line(plan->keys + gui_gap() - gui_text_width(row->key));
        gui_text_wrapped(row->does, plan->words);
    }
    if (foot != NULL)
        gui_text_dim(foot);
    return gui_end_plate().y + GUI_MARGIN;
}

/* Draws the first steps. If not all rows fit, only the last ones are shown, because the last row
 * names the key of the help. */
static float draw_first(const OverlayRow *rows, GuiBox box)
{
    RowsPlan plan = plan_rows(rows, box);
    OverlayPage page = find_page(&plan, rows, plan.count - 1);
    if (page.count == 0)
        return 0;
    return draw_page(&(GuiPlate){.name = "first",
                                 .box = box,
                                 .anchor = {0.5f, 1},
                                 .size = page_size(&plan, rows, page, NULL),
                                 .color = first_color},
                     &plan, rows, page, NULL);
}

/* Draws a page of the help, at least one row. */
static OverlayPage draw_help(const OverlayRow *rows, int first, GuiBox box)
{
    char text[80], *foot = NULL;
    RowsPlan plan = plan_rows(rows, box);
    OverlayPage page = find_page(&plan, rows, first);
    if (page.count < plan.count) {
        plan.high -= gui_letters() + gui_spacing();
        page = find_page(&plan, rows, first);
        page.count = page.count > 0 ? page.count : 1;
        snprintf(text, sizeof text, "%d-%d of %d: arrows, PgUp, PgDn, wheel", page.first + 1,
                 page.first + page.count, plan.count);
        foot = text;
    }
    draw_page(&(GuiPlate){.name = "help",
                          .box = box,
                          .anchor = {0.5f, 0.5f},
                          .size = page_size(&plan, rows, page, foot),
                          .color = help_color},
              &plan, rows, page, foot);
    return page;
}

/* -- lines over the picture */

/* Draws the dark edges of all lines before the lines, so that no edge darkens another line. */
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

/* Draws a text in its colour on a plate, to the lower right of its point. */
static void draw_label(const OverlayLabel *label, int index)
{
    const float letters = gui_letters(), *c = label->color;
    char name[24];
    snprintf(name, sizeof name, "label %d", index);
    gui_begin_plate(&(GuiPlate){.name = name,
                                .box = {{label->at[0] + letters, label->at[1] + 0.5f * letters},
                                        {20 * letters, 4 * letters}},
                                .size = {gui_text_width(label->text), letters},
                                .color = plate_color});
    gui_text_colored((GuiColor){c[0], c[1], c[2], 1}, label->text);
    gui_end_plate();
}

/* -- the whole overlay */

/* Adds a text to a hash. NULL and an empty text give different hashes. */
static void add_text(uint64_t *sum, const char *text)
{
    *sum = hash_add(*sum, text != NULL ? 1 : 2);
    if (text != NULL)
        *sum = hash_bytes(*sum, text, strlen(text));
}

uint64_t overlay_fingerprint(const OverlayContent *content)
{
    uint64_t sum = HASH_START;
    for (int i = 0; i < content->figure_count; i++)
        add_text(&sum, content->figures[i]);
    add_text(&sum, content->hint);
    add_text(&sum, content->message);
    add_text(&sum, content->recording);
    add_text(&sum, content->video);
    add_text(&sum, content->error);
    for (const OverlayRow *row = content->first; row != NULL && row->key != NULL; row++)
        add_text(&sum, row->does);
    for (const OverlayRow *row = content->help; row != NULL && row->key != NULL; row++)
        add_text(&sum, row->key);
    sum = hash_bytes(sum, &content->help_first, sizeof content->help_first);
    sum = hash_bytes(sum, content->lines, (size_t)content->line_count * sizeof(OverlayLine));
    sum = hash_bytes(sum, content->labels, (size_t)content->label_count * sizeof(OverlayLabel));
    if (content->legend != NULL) {
        add_text(&sum, content->legend->title);
        add_text(&sum, content->legend->place);
        for (int i = 0; i < content->legend->ticks; i++)
            add_text(&sum, content->legend->text[i]);
        sum += (uint64_t)content->legend->contours + 1;
    }
    return sum;
}

/* Least room in which the bar of a video is drawn, lines. */
#define VIDEO_LINES 6

/* Draws the texts at the lower edge and returns the box that remains above them. The video's length
 * moves above a message that would cover it. One line is always reserved, so that texts above it do
 * not jump when a message appears. */
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
    if (content->recording != NULL) {
        float wide = gui_text_width(content->recording) + gui_letters() + 3 * gui_padding().x;
        bool beside = 0.5f * (box.size.x - said.x) >= wide + 2 * GUI_MARGIN;
        if (!beside)
            box = cut_below(box, height);
        draw_recording(content->recording, box);
        box = cut_below(box, beside ? height : line);
    } else {
        box = cut_below(box, height);
    }
    if (content->video == NULL || box.size.y < VIDEO_LINES * line)
        return box;
    return cut_below(box, draw_video(content->video, content->video_share, box) + GUI_MARGIN);
}

OverlayPage overlay_show(const Gui *gui, const OverlayContent *content)
{
    const GuiBox whole = {{0, 0}, gui_size()};
    draw_lines(content->lines, content->line_count);
    for (int l = 0; l < content->label_count; l++)
        draw_label(&content->labels[l], l);
    if (content->help != NULL) /* the help is shown alone */
        return draw_help(content->help, content->help_first, draw_below(content, whole));
    GuiBox box = draw_below(content, gui_free(gui));
    bool legend = content->legend != NULL && content->error == NULL;
    float legend_height = legend ? low_legend_height() : 0;
    box = cut_above(box, draw_figures(content, cut_below(box, legend_height)));
    if (content->first != NULL)
        box = cut_below(box, draw_first(content->first, box));
    if (content->error != NULL)
        draw_text("error", content->error, box, (GuiPoint){0.5f, 0.35f}, error_color);
    else if (legend)
        draw_legend(content->legend, box);
    return (OverlayPage){0, 0};
}

/* -- first steps ------------------------------------------------------------------------------- */

#define STAY_SECONDS 40.0 /* time from the first input until the hints disappear, s */
#define PUSH_SECONDS 0.6  /* shortest stroke that counts as a push, s; longer than a click */

/* The rows, and those in a kiosk. */
static const OverlayRow first_rows[FIRST_STEPS][2] = {
    {{"left drag", NULL}, {"left drag", NULL}}, /* first_steps_rows puts brush_does here */
    {{"E   R", "detonate at the cursor; clear the smoke"},
     {"E   R", "detonate at the cursor; clear the smoke"}},
    {{"0 ... 9   Tab", "another scene (Page Down: the next scene); the panel with all values"},
     {"0 ... 9", "another scene (Page Down: the next scene)"}},
    {{"F12   Esc", "take a screenshot; quit (F1: all keys)"}, {"F1", "all keys"}},
};

void first_steps_watch(FirstSteps *steps, const FirstStepsEvents *events)
{
    if (events->touched && steps->touched == 0)
        steps->touched = events->now;
    if (!events->pushing)
        steps->pressed = 0;
    else if (steps->pressed == 0)
        steps->pressed = events->now;
    else if (events->now - steps->pressed >= PUSH_SECONDS)
        steps->done[FIRST_PUSH] = true;
    steps->done[FIRST_BLAST] = steps->done[FIRST_BLAST] || events->blasted;
    steps->done[FIRST_SCENE] = steps->done[FIRST_SCENE] || events->changed;
    steps->done[FIRST_SAVE] = steps->done[FIRST_SAVE] || events->saved;
    steps->over = steps->over || events->help;
}

const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush)
{
    int count = 0;
    bool late = steps->touched > 0 && now - steps->touched >= STAY_SECONDS;
    snprintf(steps->push, sizeof steps->push,
             "%s (B: another tool, right drag: turn the view, wheel: nearer)", brush);
    for (int i = 0; i < FIRST_STEPS; i++)
        if (!steps->done[i] && !steps->over && !late)
            steps->rows[count++] = first_rows[i][kiosk];
    for (int i = 0; i < count; i++)
        if (steps->rows[i].does == NULL)
            steps->rows[i].does = steps->push;
    steps->rows[count] = (OverlayRow){0, 0};
    return count > 0 ? steps->rows : NULL;
}
