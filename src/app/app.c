/* SPDX-License-Identifier: MIT
 * Opens the window, runs one frame after another, and closes it. */
#include "app/app.h"

#include "app/audio.h"
#include "app/input.h"
#include "app/keys.h"
#include "app/last_pictures.h"
#include "app/panel.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include "play/rewind.h"
#include "play/world.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says once that an unbounded box no longer grows. */
static void say_growth(Session *session)
{
    const char *why = session->snapshot != NULL ? session->snapshot->growth.text : "";
    if (why[0] != 0 && !session->texts.growth_said)
        session_say(session, "%s", why);
    session->texts.growth_said = why[0] != 0;
}

/* Says once that a replay differs from what was recorded, or that it has ended. */
static void say_replay(Session *session)
{
    const SimSnapshot *now = session->snapshot;
    if (now == NULL || session->attract.show.playing)
        return;
    if (now->replay_differs > 0 && !session->texts.replay_said)
        session_say(session, "the replay differs from the recording from step %llu on",
                    (unsigned long long)now->replay_differs);
    else if (session->texts.replaying && !now->replaying && now->replay_differs == 0 &&
             now->replay_same > 0)
        session_say(session, "the replay has ended: all %d hashes are those of the recording",
                    now->replay_same);
    session->texts.replay_said = now->replay_differs > 0;
    session->texts.replaying = now->replaying;
}

/* Says once that a recording of hands ended before the session does. */
static void say_recorded(Session *session, const char *why)
{
    if (session->world.recorder == NULL || session->recording.on || why[0] == 0 ||
        session->texts.recorded_over)
        return;
    session_say(session, "the recording of hands has ended: %s", why);
    session->texts.recorded_over = true;
}

/* -- the display ------------------------------------------------------------------------------- */

/* Time to wait for a display server that is starting, s. */
#define ANSWER_SECONDS  1.0
#define ANSWER_PAUSE_MS 50

static bool driver_was_chosen(void)
{
    const char *driver = SDL_getenv("SDL_VIDEODRIVER");
    return driver != NULL && driver[0] != 0;
}

/* Whether SDL has no video driver, or one that shows nothing. SDL chooses such a driver by itself
 * only if it finds no display. */
static bool driver_shows_nothing(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver == NULL || strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0;
}

/* Starts SDL's video subsystem. Restarts it if it still runs after an earlier context, because SDL
 * may now choose another driver. */
static bool start_video(void)
{
    while (SDL_WasInit(SDL_INIT_VIDEO))
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
}

static bool display_is_up(void)
{
    return SDL_WasInit(SDL_INIT_VIDEO) && (driver_was_chosen() || !driver_shows_nothing());
}

/* Writes the variable that names the display into `text`, such as "DISPLAY=:0". Returns NULL if no
 * variable names a display. */
static const char *named_display(char *text, size_t size)
{
    const char *const variables[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    for (int i = 0; i < 2; i++) {
        const char *value = SDL_getenv(variables[i]);
        if (value != NULL && value[0] != 0) {
            SDL_snprintf(text, size, "%s=%.60s", variables[i], value);
            return text;
        }
    }
    return NULL;
}

static bool fail_without_display(BillowError *error)
{
    char name[96];
    if (driver_was_chosen())
        return fail(error, "SDL_VIDEODRIVER=%.40s does not start (SDL: %.160s)",
                    SDL_getenv("SDL_VIDEODRIVER"), SDL_GetError());
    if (named_display(name, sizeof name) == NULL)
        return fail(error, "DISPLAY or WAYLAND_DISPLAY must name one");
    if (!SDL_WasInit(SDL_INIT_VIDEO))
        return fail(error, "nothing answers at %s (SDL: %.160s)", name, SDL_GetError());
    return fail(error, "nothing answers at %s (SDL took its driver '%s' instead)", name,
                SDL_GetCurrentVideoDriver());
}

bool app_display_available(BillowError *reason)
{
    char name[96];
    bool wait = named_display(name, sizeof name) != NULL;
    double end = clock_seconds() + ANSWER_SECONDS;
    while (!display_is_up() && !(start_video() && display_is_up())) {
        if (!wait || clock_seconds() > end) {
            fail_without_display(reason);
            if (SDL_WasInit(SDL_INIT_VIDEO))
                SDL_QuitSubSystem(SDL_INIT_VIDEO);
            return false;
        }
        SDL_Delay(ANSWER_PAUSE_MS);
    }
    return true;
}

bool app_go_off_screen(BillowError *error)
{
    if (SDL_setenv("SDL_VIDEODRIVER", "offscreen", 1) == 0 && start_video())
        return true;
    return fail(error, "no window can be opened off screen (SDL: %.200s)", SDL_GetError());
}

/* -- opening, running and closing -------------------------------------------------------------- */

AppOptions app_default_options(void)
{
    return (AppOptions){
        .quality = SCENE_GOOD,
        .scene = {.name_or_path = SCENE_TO_PLAY},
        .past_bytes = REWIND_BYTES,
        .width = 1280,
        .height = 720,
        .capture_folder = ".",
        .fps = RECORDING_FPS,
        .slice = slice_ask_default(),
    };
}

static void follow_world(Session *session)
{
    BillowError error = {{0}};
    WorldEvent event = world_poll(&session->world, &error);
    switch (event) {
    case WORLD_CHANGED:
    case WORLD_RETURNED:
        session->texts.world_error = event == WORLD_RETURNED ? error : (BillowError){{0}};
        if (event == WORLD_CHANGED && session->world.why[0] != 0)
            session_say(session, "%s", session->world.why);
        recording_end(session, "another scene");
        say_recorded(session, "another scene");
        session_show_world(session);
        break;
    case WORLD_FAILED:
        session->texts.world_error = error;
        session->screen.fade.on = false; /* there will be no picture to fade to */
        break;
    case WORLD_NOTHING:
        break;
    }
    session->snapshot = world_snapshot(&session->world);
    if (session->snapshot != NULL && session->snapshot->slices != session->slice.drawn) {
        session->slice.drawn = session->snapshot->slices;
        session->picture.redraw = true;
    }
    say_growth(session);
    say_replay(session);
    session_share(session);
    if (session->snapshot != NULL)
        say_recorded(session, session->snapshot->recorded.text);
    if (session->world.sim != NULL && sim_thread_lost(session->world.sim))
        session_say(session, "memory is short: what you just did had no effect");
}

static void watch_first_steps(Session *session)
{
    first_steps_watch(
        &session->texts.first_steps,
        &(FirstStepsEvents){
            .now = session->now,
            .touched = session->hand.touched,
            .pushing = session->hand.stroke.drag == DRAG_BRUSH && !session->attract.show.playing,
            .blasted = session->hand.blasted,
            .changed = session->change.chosen,
            .saved = session->screen.screenshot,
            .help = session->texts.help || session->hand.handles,
        });
    session->change.chosen = session->hand.blasted = false;
}

/* Runs one frame: handles input, fetches the newest snapshot, and draws the picture. */
static bool frame(Session *session, BillowError *error)
{
    double before = session->now;
    double asked = window_wait(&session->window, screen_interval(session), INTERVAL_LEAST);
    session->now = session->window.frame_start;
    double interval_ms = (session->now - before) * 1e3;
    bool by_user = input_handle(session);
    screen_measure(session);
    if (session->meters.frames + 1 == session->options->lose_context_at)
        window_lose_context(&session->window);
    if (!screen_keep_context(session, error))
        return false;
    follow_world(session);
    autosave_frame(session);
    attract_play_frame(session);
    kiosk_frame(session);
    watch_first_steps(session);
    if (!session->attract.show.playing) { /* scenes of the show cannot be edited, and the show
                                             stores no states to go back to */
        panel_follow(session);
        time_control_follow(session);
        session_follow_files(session);
    }
    touch_turn(session);
    gamepad_turn(session);
    hand_move(session);
    audio_frame(session);
    screen_poll_shaders(session);
    if (session->screen.screenshot)
        screen_take_screenshot(session);
    recording_poll(session);
    clip_poll(session);
    if (!window_hidden(&session->window) && !screen_show(session, error) &&
        !window_lost_context(&session->window)) /* the next frame replaces a lost context */
        return false;
    grid_follow(session, interval_ms);
    session->meters.frames++;
    session->texts.figures.frame_count++;
    if (before - session->start > WARM_UP_SECONDS) {
        double wait_ms = (clock_seconds() - asked) * 1e3;
        frame_meter_add(&session->meters.intervals, interval_ms);
        graph_add(&session->panel->graphs.graphs[GRAPH_FRAME], interval_ms);
        if (by_user && wait_ms > session->meters.input_ms_max)
            session->meters.input_ms_max = wait_ms;
    }
    return true;
}

static bool loop(Session *session, BillowError *error)
{
    double end = session->options->seconds;
    bool (*interrupted)(void) = session->options->interrupted;
    session->start = session->now = clock_seconds();
    attract_play_open(session);
    while (!session->quit && (end <= 0 || session->now - session->start < end) &&
           (interrupted == NULL || !interrupted()))
        if (!frame(session, error))
            return false;
    return true;
}

static bool open_slice(Session *session, BillowError *error)
{
    session->slice.ask = session->options->slice;
    if (!session->slice.ask.given)
        return true;
    BillowDef def = scene_def(&session->world.scene);
    if (!slice_ask_settle(&session->slice.ask, &def, &session->world.render.camera, error))
        return false;
    session_ask_slice(session);
    return true;
}

/* Time without progress after which joining a host fails, s. */
#define JOIN_SECONDS 60.0

static bool open_hosting(Session *session, BillowError *error)
{
    const AppOptions *options = session->options;
    if (!sim_join_allows(&session->world.scene, error))
        return false;
    session->share.share = share_open(
        &(ShareDef){.host = true, .address = options->address, .name = options->name}, error);
    if (session->share.share == NULL)
        return false;
    const ShareStatus status = share_status(session->share.share);
    if (options->key_file != NULL && !system_write_secret(options->key_file, status.key, error))
        return false;
    share_invite(&status, options->key_file);
    world_share(&session->world, session->share.share);
    return true;
}

static bool open_joining(Session *session, int threads, BillowError *error)
{
    const AppOptions *options = session->options;
    unsigned char *bytes;
    size_t count;
    session->share.share = share_open(&(ShareDef){.address = options->join,
                                                  .key = options->key,
                                                  .name = options->name,
                                                  .watches = options->watches},
                                      error);
    return session->share.share != NULL &&
           share_wait(session->share.share, JOIN_SECONDS, options->interrupted, &bytes, &count,
                      error) &&
           world_open_shared(&session->world, &options->scene, session->share.share, bytes, count,
                             threads, error);
}

/* Opens the scene, or the checkpoint with the command line's values in place of its own. */
static bool open_world(Session *session, int threads, BillowError *error)
{
    const AppOptions *options = session->options;
    World *world = &session->world;
    const GridAim aim = grid_aim_of(session->quality);
    bool exact = options->exact || (aim.exact && !options->grid_stays);
    if (options->join != NULL)
        return open_joining(session, threads, error);
    if (!world_open(world, &options->scene, options->scene.resume, threads, exact,
                    options->grid_stays ? NULL : &aim, error))
        return false;
    BillowError notice;
    if (scene_play_memory(world_newest_play(world), &notice) ||
        scene_play_unusual(world_newest_play(world), &notice))
        session_say(session, "%s", notice.text);
    Scene scene = world->scene;
    return options->scene.resume == NULL || (scene_change(&options->scene, &scene, error) &&
                                             world_apply(world, &scene, NULL, error));
}

/* Returns the memory to use for stored states, bytes: `asked`, but at most a quarter of the
 * available memory. */
static double past_bytes(double asked)
{
    double available = (double)system_memory_available();
    return available > 0 ? fmin(asked, available / 4) : asked;
}

static bool open_session(Session *session, BillowError *error)
{
    const AppOptions *options = session->options;
    if (!window_open(&session->window, options->width, options->height, error))
        return false;
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); /* without it, no gamepad acts */
    if (options->kiosk)
        window_toggle_full_screen(&session->window);
    if (!screen_open(session, error))
        return false;
    session->panel = panel_create(error);
    if (session->panel == NULL)
        return false;
    session->quality = options->quality;
    resolution_aim(&session->picture.resolution, session->picture.limits.software,
                   grid_aim_of(session->quality).fps);
    int threads = options->scene.threads;
    if (threads <= 0 && session->picture.limits.software)
        threads = SDL_max(SDL_GetCPUCount() - 1, 1);
    if (!open_world(session, threads, error))
        return false;
    audio_open(session);
    autosave_open(session);
    world_set_memory(&session->world, past_bytes(options->past_bytes));
    window_show_scene(&session->window, session->world.scene.name);
    if (options->host && !open_hosting(session, error))
        return false;
    if (options->record_input != NULL &&
        !world_record(&session->world, options->record_input, false, error))
        return false;
    return open_slice(session, error);
}

/* Closes everything that is open. Returns false with a message if a recording is lost. */
static bool close_session(Session *session, BillowError *error)
{
    if (session->window.handle != NULL)
        SDL_HideWindow(session->window.handle); /* the last step may take long */
    audio_close(session);
    still_destroy(session->screen.refining.still);
    autosave_close(session);
    attract_play_close(session);
    world_close(&session->world);
    audio_free(session);
    share_close(session->share.share);
    clip_close(session);
    bool well = recording_close(session, error);
    if (!world_close_record(&session->world, error))
        well = false;
    panel_destroy(session->panel);
    if (session->window.handle != NULL && !window_lost_context(&session->window)) {
        gui_destroy(session->gui);
        renderer_destroy(session->picture.renderer);
    }
    steep_view_end(&session->picture.steep);
    SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
    window_close(&session->window);
    return well;
}

/* Times of the parts of a picture, of which the last pictures may add some. */
static void fill_parts(const SessionMeters *meters, AppReport *report)
{
    report->light_ms_median = frame_meter_median(&meters->lights);
    report->upload_ms_median = frame_meter_median(&meters->uploads);
    report->march_ms_median = frame_meter_median(&meters->marches);
}

static void fill_report(Session *session, AppReport *report)
{
    World *world = &session->world;
    const SimSnapshot *last = world_snapshot(world);
    ResolutionScale scale = resolution_scale(&session->picture.resolution);
    *report = (AppReport){
        .seconds = clock_seconds() - session->start,
        .clock = world_clock(world),
        .frames = session->meters.frames,
        .contexts_lost = session->meters.contexts_lost,
        .steps = world->steps_before + (last != NULL ? last->steps : 0),
        .frame_ms_median = frame_meter_median(&session->meters.intervals),
        .frame_ms_max = session->meters.intervals.max_ms,
        .input_ms_max = session->meters.input_ms_max,
        .overlay_ms_median = frame_meter_median(&session->meters.overlays),
        .step_ms_median = frame_meter_median(&session->meters.steps),
        .scale = (double)(scale.picture * scale.march),
    };
    if (report->seconds > 0)
        report->fps = (double)report->frames / report->seconds;
    if (session->share.share != NULL) {
        const ShareStatus status = share_status(session->share.share);
        report->states_compared = status.compared;
        report->states_differed = status.differences;
        report->bytes_sent = status.bytes_sent;
        report->bytes_received = status.bytes_received;
    }
    snprintf(report->scene, sizeof report->scene, "%s", world->scene.name);
    snprintf(report->renderer, sizeof report->renderer, "%s", session->picture.limits.renderer);
    if (last != NULL) {
        report->grid[0] = last->view.nx;
        report->grid[1] = last->view.ny;
        report->grid[2] = last->view.nz;
        const BillowView wind = billow_wind_view(&last->view);
        memcpy(report->wind, (const int[3]){wind.nx, wind.ny, wind.nz}, sizeof report->wind);
        report->threads = sim_thread_threads(world->sim);
        report->replay_same = last->replay_same;
        report->replay_differs = last->replay_differs;
    }
}

bool app_run(const AppOptions *options, AppReport *report, BillowError *error)
{
    Session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return fail(error, "not enough memory to open the window");
    session->options = options;
    session->picture.redraw = true;
    bool well = open_session(session, error) && loop(session, error);
    if (well && report != NULL)
        fill_report(session, report);
    const bool cut_short = options->interrupted != NULL && options->interrupted();
    if (well && options->pictures != NULL && !cut_short)
        well = last_pictures_take(session, options->pictures, error);
    if (well && report != NULL)
        fill_parts(&session->meters, report);
    BillowError lost;
    bool closed = close_session(session, &lost);
    if (well && !closed)
        *error = lost;
    free(session);
    return well && closed;
}
