/* SPDX-License-Identifier: MIT */
#include "app/screen.h"

#include "app/keys.h"
#include "app/panel.h"
#include "base/clock.h"
#include "io/font.h"
#include "render/frame/legend.h"
#include "render/upload.h"

#include <math.h>
#include <string.h>

/* Time between the starts of two frames, s. */
#define INTERVAL_GPU (1.0 / 62) /* on a GPU */
#define INTERVAL_SOFTWARE                                                                          \
    (1.0 / 30)            /* on a software renderer, which shares cores with the simulation */
#define INTERVAL_IDLE 0.1 /* while neither the smoke nor the camera moves */
#define FAST_FPS      45  /* an aim of more frames a second is drawn as on a GPU */

#define UPLOAD_ALONE_MS 10.0 /* after a longer upload, the frame draws no picture, ms */
#define TEXTS_WAIT_SECONDS                                                                         \
    0.1                       /* longest wait of a changed text for a picture to be shown with, s */
#define OVERLAY_DRAWS       2 /* draws after a text changed; the first draw only measures it */
#define SHADER_POLL_SECONDS 0.5

static bool up_to_date(const Session *session)
{
    return picture_up_to_date(&session->picture, &session->world, session->snapshot);
}

static void say_coarseness(Session *session)
{
    int factor = renderer_coarsened(session->picture.renderer);
    if (factor > 1 && factor != session->screen.coarsened)
        session_say(session,
                    "the grid is too large for this graphics driver: drawn at 1/%d of its "
                    "resolution",
                    factor);
    session->screen.coarsened = factor;
}

/* -- the fade to the next scene ---------------------------------------------------------------- */

#define FADE_SECONDS 0.45
/* Longest time between two pictures that counts, s. A new scene's first pictures take long where
 * drivers compile shaders, and the fade should not jump then. */
#define FADE_FRAME_SECONDS 0.1

/* Opacity of the kept picture. */
static float fade_opacity(const ScreenFade *fade)
{
    const float left = 1 - (float)fmin(fade->passed / FADE_SECONDS, 1);
    return fade->on ? left * left * (3 - 2 * left) : 0; /* smoothstep: it begins and ends slowly */
}

void screen_keep_picture(Session *session)
{
    ScreenFade *fade = &session->screen.fade;
    BillowError error;
    if (session->picture.drawn == 0)
        return;
    *fade =
        (ScreenFade){.on = renderer_keep(session->picture.renderer, fade_opacity(fade), &error)};
    fade->waits = fade->on;
}

/* Draws what is left of the kept picture over the present one. */
static void fade_out(Session *session)
{
    ScreenFade *fade = &session->screen.fade;
    const double now = clock_seconds();
    BillowError error;
    if (fade->shown > 0)
        fade->passed += fmin(now - fade->shown, FADE_FRAME_SECONDS);
    if (!fade->waits)
        fade->shown = now;
    const float opacity = fade_opacity(fade);
    fade->on = opacity > 0 && renderer_fade(session->picture.renderer, session->window.width,
                                            session->window.height, opacity, &error);
}

/* -- a frame ----------------------------------------------------------------------------------- */

/* Whether the simulation starts again from its beginning with this snapshot. */
static bool starts_again(const Picture *picture, const SimSnapshot *snapshot)
{
    return picture->uploaded &&
           snapshot->resets - picture->resets != snapshot->went_back - picture->went_back;
}

static bool upload(Session *session, BillowError *error)
{
    const SimSnapshot *snapshot = session->snapshot;
    if (starts_again(&session->picture, snapshot))
        screen_keep_picture(session);
    if (session->picture.uploaded && snapshot->steps > session->picture.steps) {
        session->texts.figures.step_ms += snapshot->step_ms;
        session->texts.figures.step_count++;
        panel_graphs_step(&session->panel->graphs, snapshot);
        frame_meter_add(&session->meters.steps, snapshot->step_ms);
    }
    if (!picture_upload(&session->picture, &session->world, snapshot, error))
        return false;
    say_coarseness(session);
    if (session->picture.limits.software) {
        double start = clock_seconds();
        session->window.finish();
        session->picture.upload_ms += (clock_seconds() - start) * 1e3;
    }
    return true;
}

void screen_poll_shaders(Session *session)
{
    bool changed = false;
    if (session->options->shader_folder == NULL ||
        session->now - session->screen.shaders_polled < SHADER_POLL_SECONDS)
        return;
    session->screen.shaders_polled = session->now;
    BillowError error = {{0}};
    if (!renderer_poll_shaders(session->picture.renderer, &changed, &error)) {
        session->screen.shader_error = error;
        return;
    }
    if (changed) {
        session->screen.shader_error.text[0] = 0;
        session_say(session, "shaders reloaded");
        stillness_break(&session->picture.stillness, session->now);
        session->picture.redraw = true;
    }
}

void screen_take_screenshot(Session *session)
{
    char name[96];
    BillowError error;
    const RenderSlice slice = session_slice(session);
    if (session->picture.drawn == 0)
        return; /* there will be a picture */
    session->screen.screenshot = false;
    if (screenshot_take(session->picture.renderer, &session->world.scene, &slice,
                        session->window.width, session->window.height,
                        session->options->capture_folder, name, &error))
        session_say(session, "saved %s", name);
    else
        session_say(session, "%s", error.text);
}

static bool paused(const Session *session)
{
    return session->world.sim == NULL || sim_thread_paused(session->world.sim);
}

/* Collects the figures of the line at the top, and returns their number. */
static int figure_rows(Session *session)
{
    const Figures *figures = &session->texts.figures;
    const char *refining = session->screen.refining.words;
    int count = figures->count;
    memcpy(session->texts.figure_rows, figures->rows, sizeof figures->rows);
    if (count > 0 && session->texts.level == TEXTS_FIGURES)
        session->texts.figure_rows[count++] = grid_quality_name(session->quality);
    if (count > 0 && refining[0] != 0)
        session->texts.figure_rows[count++] = refining;
    return count;
}

/* Collects the texts over the picture. The result points into `help` and `legend`. */
static OverlayContent overlay_content(Session *session, KeyHelp *help, Legend *legend)
{
    const Window *window = &session->window;
    brush_words(&session->world.brush, session->texts.figures.brush, FIGURE_LENGTH);
    if (session->snapshot != NULL)
        figures_renew(&session->texts.figures, session->world.scene.name, session->snapshot,
                      session->world.sim != NULL && paused(session),
                      session->texts.level == TEXTS_FIGURES, session->now);
    OverlayContent content = {
        .width = (float)window->point_width,
        .height = (float)window->point_height,
        .figures = session->texts.figure_rows,
        .figure_count = session->options->kiosk ? 0 : figure_rows(session),
    };
    if (session->texts.level == TEXTS_NONE)
        content.figure_count = 0;
    else
        session_mark(session, &content);
    if (session->now < session->texts.message_until)
        content.message = session->texts.message;
    content.hint = attract_play_line(session);
    const bool plays_itself = content.hint != NULL;
    if (!plays_itself && placing_hint(session) != NULL)
        content.message = placing_hint(session);
    if (plays_itself)
        content.figure_count = 0;
    else if (session->texts.level != TEXTS_NONE &&
             world_show_is_over(&session->world, session->snapshot))
        content.hint = "R: once more from the start";
    if (!plays_itself && !session->panel->shown && session->panel->files.purpose == FILES_CLOSED &&
        session->texts.level != TEXTS_NONE)
        content.first =
            first_steps_rows(&session->texts.first_steps, session->now, session->options->kiosk,
                             brush_does(&session->world.brush));
    if (session->screen.shader_error.text[0] != 0)
        content.error = session->screen.shader_error.text;
    if (session->files.error.text[0] != 0)
        content.error = session->files.error.text;
    if (session->texts.world_error.text[0] != 0)
        content.error = session->texts.world_error.text;
    content.recording = recording_words(session);
    content.video = recording_video(session, &content.video_share);
    RenderSlice slice = session_slice(session);
    if (slice.field != NULL) {
        *legend = legend_for(&slice);
        content.legend = legend;
    }
    if (session->texts.help) {
        keys_fill_help(help, session->options->kiosk);
        content.help = help->rows;
        content.help_first = session->texts.help_page.first;
    }
    return content;
}

/* Refines a picture at rest. Slices and lines are drawn in full quality by the live picture. */
static bool follow_still(Session *session, bool drawn, BillowError *error)
{
    bool plain = session->snapshot != NULL && up_to_date(session) && !session->screen.outline &&
                 session_slice(session).field == NULL;
    bool rests = paused(session) && session->picture.stillness.fine && !session->picture.redraw;
    return still_follow(session, plain && rests, drawn, error);
}

static bool draw(Session *session, BillowError *error)
{
    const Window *window = &session->window;
    RenderFrame frame =
        picture_frame(&session->picture, window->width, window->height, session->now);
    frame.slice = session_slice(session);
    frame.outline = session->screen.outline;
    if (!picture_draw(&session->picture, &session->world.render, &frame, session->now, error))
        return false;
    session->screen.fade.waits = false;
    if (session->picture.limits.software)
        session->window.finish();
    return true;
}

static bool refine(Session *session, BillowError *error)
{
    int rows, height = session->window.height;
    double start = clock_seconds();
    if (!picture_refine(&session->picture, &session->world.render, session->window.width, height,
                        &rows, error))
        return false;
    session->window.finish();
    picture_refined(&session->picture, rows, height, 1e3 * (clock_seconds() - start));
    return true;
}

/* Draws the texts and the panel. On a software renderer, waits for GL before and after, so that
 * their time is measured separately from that of the picture. */
static void draw_over(Session *session, const OverlayContent *content)
{
    Window *window = &session->window;
    if (session->picture.limits.software)
        window->finish();
    double start = clock_seconds();
    gui_set_scale(session->gui, (float)session->options->ui_scale, window->display_scale);
    gui_begin(session->gui, (GuiPoint){content->width, content->height},
              window_pixels_per_point(window));
    if (!session->attract.show.playing)
        panel_show(session); /* drawn first, because the texts are placed beside the panel */
    session->texts.help_page = overlay_show(session->gui, content);
    gui_end(session->gui);
    if (session->picture.limits.software)
        window->finish();
    frame_meter_add(&session->meters.overlays, 1e3 * (clock_seconds() - start));
}

/* Shows the picture and the texts on the screen, if anything has changed. */
static void present(Session *session, bool drawn)
{
    KeyHelp help;
    Window *window = &session->window;
    Legend legend;
    OverlayContent content = overlay_content(session, &help, &legend);
    uint64_t fingerprint = overlay_fingerprint(&content);
    if (fingerprint != session->texts.fingerprint || gui_busy(session->gui))
        session->texts.draws_due = OVERLAY_DRAWS;
    bool panel = gui_busy(session->gui) || gui_waits(session->gui);
    bool soon =
        session->screen.upload_alone || session->now - session->picture.drawn < TEXTS_WAIT_SECONDS;
    bool waits = session->texts.draws_due == 0 || (soon && !panel);
    if (session->picture.drawn == 0 ||
        (!drawn && !session->screen.exposed && !session->screen.fade.on && waits))
        return; /* nothing to show, nothing new, or left to the next picture */
    session->screen.exposed = false;
    session->texts.draws_due -= session->texts.draws_due > 0;
    session->texts.fingerprint = fingerprint;
    renderer_present(session->picture.renderer, window->width, window->height);
    clip_see(session);
    fade_out(session);
    draw_over(session, &content);
    SDL_GL_SwapWindow(window->handle);
}

/* Longest interval that one picture stands for, ms. */
#define INTERVAL_MS_MOST 500.0

/* Adapts the resolution to the time of a frame that shows new smoke. Frames between two of these,
 * such as one that only uploads, belong to the interval. */
static void learn(Session *session, double total_ms)
{
    double last = session->screen.learned;
    double interval_ms = last > 0 ? fmin(1e3 * (session->now - last), INTERVAL_MS_MOST) : 0;
    session->screen.learned = session->now;
    RenderTimes times = renderer_times(session->picture.renderer);
    ResolutionTimes took = {.march = total_ms}; /* on a GPU the swap waits for the drawing */
    if (session->picture.limits.software)
        took =
            (ResolutionTimes){times.march_ms, times.backdrop_ms, times.composite_ms,
                              total_ms - times.march_ms - times.backdrop_ms - times.composite_ms};
    if (resolution_observe(&session->picture.resolution, &took, interval_ms) &&
        !session->picture.stillness.fine)
        session->picture.redraw = true;
}

void screen_meter(Session *session, bool uploaded, bool drawn)
{
    const RenderTimes times = renderer_times(session->picture.renderer);
    SessionMeters *meters = &session->meters;
    if (uploaded) {
        frame_meter_add(&meters->lights, times.light_ms);
        frame_meter_add(&meters->uploads, times.upload_ms);
    }
    if (drawn)
        frame_meter_add(&meters->marches, times.march_ms);
}

/* Updates the picture, shows it, and adapts the resolution to the time of the frame. A lower
 * resolution does not shorten an upload. After a long one, the frame therefore draws no picture. */
bool screen_show(Session *session, BillowError *error)
{
    double start = clock_seconds();
    if (paused(session))
        session->screen.learned = 0;
    bool due = session->snapshot != NULL && !session->screen.upload_alone && !up_to_date(session);
    if (due && !upload(session, error))
        return false;
    session->screen.upload_alone = due && session->picture.upload_ms > UPLOAD_ALONE_MS;
    picture_follow(&session->picture, &session->world.render, session->window.width,
                   session->window.height, session->now);
    session->screen.smoke_new |= session->picture.stillness.moved == session->now;
    const bool waits = session->screen.fade.waits && !session->picture.uploaded;
    bool drawn = session->picture.redraw && !session->screen.upload_alone && !waits;
    if (drawn && !draw(session, error))
        return false;
    if (!drawn && !waits &&
        stillness_refines(&session->picture.stillness, paused(session), session->now) &&
        !refine(session, error))
        return false;
    if (!follow_still(session, drawn, error))
        return false;
    present(session, drawn);
    if (session->now - session->start > WARM_UP_SECONDS && session->picture.limits.software)
        screen_meter(session, due, drawn && session->screen.smoke_new);
    if (drawn && session->screen.smoke_new) {
        session->screen.smoke_new = false;
        session->screen.draw_ms =
            (clock_seconds() - start) * 1e3 - (due ? session->picture.upload_ms : 0);
        learn(session, (clock_seconds() - start) * 1e3);
    }
    return true;
}

double screen_interval(const Session *session)
{
    bool still = !session->picture.redraw && session->hand.stroke.drag == DRAG_NONE &&
                 !session->world.changing && paused(session) && session->picture.stillness.fine;
    if (session->screen.upload_alone || session->texts.draws_due > 0 ||
        stillness_refines(&session->picture.stillness, paused(session), session->now))
        return INTERVAL_LEAST;
    if ((still && !session->screen.fade.on) || window_hidden(&session->window))
        return INTERVAL_IDLE;
    bool fast = grid_aim_of(session->quality).fps > FAST_FPS;
    return session->picture.limits.software && !fast ? INTERVAL_SOFTWARE : INTERVAL_GPU;
}

void screen_measure(Session *session)
{
    Window *window = &session->window;
    int width = window->width, height = window->height;
    window_measure(window);
    if (window->width == width && window->height == height)
        return;
    session->picture.redraw = true;
    if (session->picture.limits.software)
        SDL_GL_SwapWindow(window->handle); /* the framebuffer gets its new size only at a swap */
}

/* Creates the renderer and the GUI in the window's new context. */
bool screen_open(Session *session, BillowError *error)
{
    if (!picture_open(&session->picture, session->options->shader_folder, error))
        return false;
    renderer_timed(session->picture.renderer, session->picture.limits.software);
    /* Each swap waits for the screen's refresh, if the driver supports it. */
    SDL_GL_SetSwapInterval(session->picture.limits.software ? 0 : 1);
    char font[1024];
    bool found = font_find("DejaVu Sans", font, sizeof font, NULL);
    session->gui =
        gui_create(window_pixels_per_point(&session->window), found ? font : NULL, error);
    return session->gui != NULL;
}

/* The old renderer and GUI delete their objects after the new context is current. GL ignores names
 * that it does not know. */
bool screen_keep_context(Session *session, BillowError *error)
{
    if (!window_lost_context(&session->window))
        return true;
    if (!window_renew_context(&session->window, error))
        return false;
    still_stop(&session->screen.refining);
    gui_destroy(session->gui);
    picture_close(&session->picture);
    session->gui = NULL;
    session->clip.reading = false;
    session->screen.fade = (ScreenFade){.on = false};
    session->screen.upload_alone = false;
    session->screen.exposed = true;
    stillness_break(&session->picture.stillness, session->now);
    session->meters.contexts_lost++;
    session_say(session, "the graphics driver lost the picture; it has been restored");
    return screen_open(session, error);
}
