/* SPDX-License-Identifier: MIT
 * Positions of text over the picture: nothing covers anything else, in windows of all sizes and
 * densities, with small and large letters, with or without a panel. */
#define _POSIX_C_SOURCE 200809L
#include "app/figures.h"
#include "app/gui_widgets.h"
#include "app/keys.h"
#include "app/overlay.h"
#include "app/window.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BOXES = 16, FRAMES = 4 }; /* sizes of plates are found a frame later */

static Window shown;

static const GuiPoint windows[] = {{640, 360},  {800, 450},   {800, 600},
                                   {1280, 720}, {1920, 1080}, {3840, 2160}};
enum { WINDOWS = sizeof windows / sizeof windows[0] };

static const char *const figures[] = {"plume 128\u00b3",
                                      "step  41.3 ms",
                                      " 51 M cells/s",
                                      "30 fps",
                                      "div 2.2e-03 /s",
                                      "t  15.80 s",
                                      "0.25\u00d7 real time",
                                      "slow motion 1/4",
                                      "multigrid, 1 cycle (cut for speed), leaves 4.1 % of it",
                                      "brush: colour, radius 0.1 m, strength 1"};

static const char long_message[] =
    "scenes/a-folder/of-a-person/with-a-long-name.yaml:12:3: key 'bouyancy' is not known here; "
    "did you mean 'buoyancy'? The scene that was loaded before goes on as it is";

static const OverlayRow first[] = {
    {"left drag", "push the smoke (right drag: turn the view, wheel: nearer)"},
    {"1 ... 9", "another scene (Page Down: the next scene)"},
    {"F12   Esc", "take a screenshot; quit (F1: all keys)"},
    {0, 0},
};

static int open_context(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    const bool opened = window_open(&shown, 64, 64, &error);
    if (!opened)
        print_error("%s\n", error.text);
    return opened ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    window_close(&shown);
    return 0;
}

static Legend example_legend(void)
{
    Legend legend = {.title = "temperature, K", .place = "z = 0.33 m", .high = 99, .ticks = 7};
    for (int tick = 0; tick < legend.ticks; tick++) {
        legend.at[tick] = (float)tick / 6;
        snprintf(legend.text[tick], LEGEND_TEXT, "%d", 16 * tick);
    }
    return legend;
}

static OverlayContent everything(const Legend *legend)
{
    return (OverlayContent){
        .figures = figures,
        .figure_count = sizeof figures / sizeof figures[0],
        .first = first,
        .message = long_message,
        .recording = "12:34",
        .video = "video 40 %, 1:20 left",
        .video_share = 0.4f,
        .legend = legend,
    };
}

static OverlayPage show_once(Gui *gui, OverlayContent *content, GuiPoint window, float density,
                             const GuiPanel *panel)
{
    content->width = window.x;
    content->height = window.y;
    gui_begin(gui, window, density);
    if (panel != NULL) {
        if (gui_begin_panel(gui, panel))
            gui_text("a value");
        gui_end_panel(gui);
    }
    OverlayPage page = overlay_show(gui, content);
    gui_end(gui);
    return page;
}

static OverlayPage show(Gui *gui, OverlayContent *content, GuiPoint window, float density,
                        const GuiPanel *panel)
{
    for (int frame = 1; frame < FRAMES; frame++)
        show_once(gui, content, window, density, panel);
    return show_once(gui, content, window, density, panel);
}

static bool inside(GuiBox box, GuiPoint window)
{
    return box.corner.x >= 0 && box.corner.y >= 0 && box.corner.x + box.size.x <= window.x &&
           box.corner.y + box.size.y <= window.y;
}

static bool apart(GuiBox one, GuiBox other)
{
    return one.corner.x + one.size.x <= other.corner.x ||
           other.corner.x + other.size.x <= one.corner.x ||
           one.corner.y + one.size.y <= other.corner.y ||
           other.corner.y + other.size.y <= one.corner.y;
}

static void check_boxes(const Gui *gui, GuiPoint window, int least, const char *where)
{
    GuiBox boxes[BOXES];
    int count = gui_boxes(gui, boxes, BOXES);
    if (count < least || count > BOXES)
        fail_msg("%s, %g x %g: %d boxes", where, (double)window.x, (double)window.y, count);
    for (int i = 0; i < count; i++) {
        if (!inside(boxes[i], window))
            fail_msg("%s, %g x %g: box %d leaves the window", where, (double)window.x,
                     (double)window.y, i);
        for (int j = 0; j < i; j++)
            if (!apart(boxes[i], boxes[j]))
                fail_msg("%s, %g x %g: box %d covers box %d", where, (double)window.x,
                         (double)window.y, i, j);
    }
}

/* Checks windows of all sizes, with some number of pixels per point. */
static void check_all(OverlayContent *content, const GuiPanel *panel, int least, const char *where)
{
    static const float densities[] = {1, 1.5f, 2};
    for (int d = 0; d < 3; d++)
        for (int w = 0; w < WINDOWS; w++) {
            BillowError error;
            Gui *gui = gui_create(densities[d], NULL, &error);
            assert_non_null(gui);
            GuiPanel placed = {.name = "panel", .title = "panel"};
            if (panel != NULL)
                placed.place =
                    (GuiPoint){panel->place.x * windows[w].x, panel->place.y * windows[w].y};
            if (panel != NULL)
                placed.size =
                    (GuiPoint){panel->size.x * windows[w].x, panel->size.y * windows[w].y};
            show(gui, content, windows[w], densities[d], panel != NULL ? &placed : NULL);
            check_boxes(gui, windows[w], least, where);
            gui_destroy(gui);
        }
}

static void test_without_panel(void **state)
{
    (void)state;
    Legend legend = example_legend();
    OverlayContent content = everything(&legend);
    check_all(&content, NULL, 4, "everything");
    content.error = long_message;
    check_all(&content, NULL, 5, "an error");
    content.recording = content.video = content.message = NULL;
    content.error = NULL;
    check_all(&content, NULL, 3, "no message");
}

/* The panel at its first position and at positions where users may drag it. Hints are not shown
 * then. */
static void test_beside_panel(void **state)
{
    (void)state;
    static const GuiPanel panels[] = {
        {.place = {0.45f, 0.02f}, .size = {0.54f, 0.96f}},
        {.place = {0.01f, 0.02f}, .size = {0.5f, 0.96f}},
        {.place = {0.02f, 0.5f}, .size = {0.96f, 0.48f}},
    };
    Legend legend = example_legend();
    for (int p = 0; p < 3; p++) {
        OverlayContent content = everything(&legend);
        content.first = NULL;
        check_all(&content, &panels[p], 4, "a panel");
    }
}

/* In the frame in which it appears, and in that in which it disappears. */
static void test_panel_comes(void **state)
{
    (void)state;
    const GuiPoint window = {640, 360};
    const GuiPanel panel = {
        .name = "panel", .title = "panel", .place = {281, 8}, .size = {351, 344}};
    BillowError error;
    Legend legend = example_legend();
    OverlayContent content = everything(&legend);
    content.first = NULL;
    Gui *gui = gui_create(1, NULL, &error);
    assert_non_null(gui);
    for (int time = 0; time < 2; time++) {
        show(gui, &content, window, 1, NULL);
        check_boxes(gui, window, 4, "no panel yet");
        show_once(gui, &content, window, 1, &panel);
        check_boxes(gui, window, 5, "the panel's first frame");
    }
    gui_destroy(gui);
}

/* Letters of half to twice the size, as the user asks for them, or the display has them. */
static void check_scales(OverlayContent *content, const GuiPanel *panel, int least,
                         const char *where)
{
    static const float scales[] = {0.5f, 1, 1.5f, 2};
    for (int s = 0; s < 8; s++)
        for (int w = 2; w < WINDOWS; w++) {
            BillowError error;
            const float asked = s < 4 ? scales[s] : 0, display = scales[s % 4];
            Gui *gui = gui_create(1, NULL, &error);
            assert_non_null(gui);
            GuiPanel placed = {.name = "panel", .title = "panel"};
            if (panel != NULL) {
                placed.place = (GuiPoint){0.5f * windows[w].x, 8};
                placed.size = (GuiPoint){0.5f * windows[w].x - 8, windows[w].y - 16};
            }
            gui_set_scale(gui, asked, display);
            show(gui, content, windows[w], 1, panel != NULL ? &placed : NULL);
            check_boxes(gui, windows[w], least, where);
            const float by_size = windows[w].y >= 2160 ? 2 : 1;
            assert_float_equal(gui_scale(gui), asked > 0 ? asked : fmaxf(by_size, display), 0);
            gui_destroy(gui);
        }
}

static void test_letters_of_all_sizes(void **state)
{
    (void)state;
    KeyHelp help;
    const GuiPanel panel = {.name = "panel"};
    OverlayContent content = everything(NULL);
    check_scales(&content, NULL, 4, "everything");
    Legend legend = example_legend();
    content.first = NULL;
    content.legend = &legend;
    content.message = "saved plume-0001.png";
    check_scales(&content, NULL, 4, "a legend");
    content.legend = NULL;
    check_scales(&content, &panel, 4, "a panel");
    keys_fill_help(&help, false);
    content.help = help.rows;
    check_scales(&content, NULL, 3, "the help");
}

static void test_scale_of_a_display(void **state)
{
    (void)state;
    assert_float_equal(window_display_scale(0), 1, 0);
    assert_float_equal(window_display_scale(72), 1, 0);
    assert_float_equal(window_display_scale(96), 1, 0);
    assert_float_equal(window_display_scale(100), 1, 0);
    assert_float_equal(window_display_scale(144), 1.5, 0);
    assert_float_equal(window_display_scale(192), 2, 0);
    assert_float_equal(window_display_scale(9999), 4, 0);
}

static void test_help_stands_alone(void **state)
{
    (void)state;
    KeyHelp help;
    Legend legend = example_legend();
    OverlayContent content = everything(&legend);
    keys_fill_help(&help, false);
    content.help = help.rows;
    check_all(&content, NULL, 3, "the help"); /* with message and recording */
}

/* All its rows come to be seen, page after page; the last page is a full one. */
static void check_pages(GuiPoint window, int least)
{
    BillowError error;
    KeyHelp help;
    OverlayContent content = {.figure_count = 0};
    Gui *gui = gui_create(1, NULL, &error);
    assert_non_null(gui);
    keys_fill_help(&help, false);
    content.help = help.rows;
    int rows = 0, seen = 0;
    for (; help.rows[rows].key != NULL; rows++)
        ;
    while (seen < rows) {
        content.help_first = seen;
        OverlayPage page = show(gui, &content, window, 1, NULL);
        check_boxes(gui, window, 1, "a page of the help");
        assert_true(page.count >= least);
        bool last = page.first + page.count == rows;
        assert_true(last ? page.first <= seen : page.first == seen);
        seen = page.first + page.count;
    }
    content.help_first = rows + 9;
    OverlayPage end = show(gui, &content, window, 1, NULL);
    assert_int_equal(end.first + end.count, rows);
    assert_true(end.count >= least);
    gui_destroy(gui);
}

static void test_help_has_pages(void **state)
{
    (void)state;
    check_pages((GuiPoint){64, 48}, 1);
    check_pages((GuiPoint){320, 200}, 3);
    check_pages((GuiPoint){640, 360}, 14);
    check_pages((GuiPoint){1280, 720}, 32);
}

/* Whether a panel whose lines are not wrapped ends between two of them. */
static bool has_whole_lines(GuiBox box)
{
    const float letters = 13, spacing = 4, padding = 4; /* in a window so low */
    return remainderf(box.size.y - 2 * padding + spacing, letters + spacing) == 0;
}

/* The slice keeps its legend, and the figures end at a line. */
static void test_small_window(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "a line of figures, a line alone", "another line of figures", "a third line of figures",
        "a fourth line of figures",        "a fifth line of figures", "a sixth line of figures"};
    static const char *const messages[] = {NULL, "a message", long_message};
    const GuiPoint window = {320, 200};
    BillowError error;
    Legend legend = example_legend();
    for (int m = 0; m < 3; m++) {
        OverlayContent content = {.figures = lines, .figure_count = 6, .message = messages[m]};
        Gui *gui = gui_create(1, NULL, &error);
        assert_non_null(gui);
        for (int with = 0; with < 2; with++) {
            content.legend = with ? &legend : NULL;
            show(gui, &content, window, 1, NULL);
            check_boxes(gui, window, 1 + with + (m > 0), "a small window");
            GuiBox boxes[BOXES];
            gui_boxes(gui, boxes, BOXES);
            GuiBox plate = boxes[m > 0]; /* of the figures, behind the message */
            if (!has_whole_lines(plate))
                fail_msg("figures %g points high", (double)plate.size.y);
        }
        gui_destroy(gui);
    }
}

/* A smaller window does not lose the panel. */
static void test_panel_follows_the_window(void **state)
{
    (void)state;
    BillowError error;
    GuiBox box;
    Gui *gui = gui_create(1, NULL, &error);
    assert_non_null(gui);
    OverlayContent content = {.figure_count = 0};
    for (int w = WINDOWS - 1; w >= 0; w--) {
        GuiPanel panel = {.name = "panel",
                          .title = "panel",
                          .place = {0.5f * windows[w].x, 10},
                          .size = {0.5f * windows[w].x - 10, windows[w].y - 20}};
        show(gui, &content, windows[w], 1, &panel);
        assert_int_equal(gui_boxes(gui, &box, 1), 1);
        assert_true(inside(box, windows[w]));
    }
    gui_destroy(gui);
}

/* The line at the top says little until all is asked for, at once. */
static void figures_on_demand(void **state)
{
    (void)state;
    static SimSnapshot snapshot = {.pace = 0.5, .speed = 1};
    static Figures line = {.brush = "brush: smoke", .frame_count = 300};
    snapshot.view.nx = snapshot.view.ny = snapshot.view.nz = 40;
    snapshot.stats.cycles = 2;
    snapshot.stats.residual_relative = 0.012;
    const char *const few[] = {"plume", "30 fps", "brush: smoke"}, *const all[] = {
                                                                       "plume 40\u00b3", "30 fps",
                                                                       "0.50 of real time",
                                                                       "1.2 % divergence left",
                                                                       "brush: smoke"};
    figures_renew(&line, "plume", &snapshot, false, false, 10);
    assert_int_equal(line.count, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(line.rows[i], few[i]);
    figures_renew(&line, "plume", &snapshot, false, true, 10.01);
    assert_int_equal(line.count, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(line.rows[i], all[i]);
    figures_renew(&line, "plume", &snapshot, true, false, 20);
    assert_int_equal(line.count, 3);
    assert_string_equal(line.rows[1], "paused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_panel),
        cmocka_unit_test(test_beside_panel),
        cmocka_unit_test(test_panel_comes),
        cmocka_unit_test(test_letters_of_all_sizes),
        cmocka_unit_test(test_scale_of_a_display),
        cmocka_unit_test(test_help_stands_alone),
        cmocka_unit_test(test_help_has_pages),
        cmocka_unit_test(test_small_window),
        cmocka_unit_test(test_panel_follows_the_window),
        cmocka_unit_test(figures_on_demand),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
