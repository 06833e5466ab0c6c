/* SPDX-License-Identifier: MIT */
#include "app/app.h"
#include "base/fail.h"
#include "base/system.h"
#include "capture/capture.h"
#include "cli/command.h"
#include "cli/values.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/paths.h"
#include "play/replay_file.h"
#include "play/rewind.h"
#include "play/world.h"

#include <string.h>

typedef struct RunSettings {
    CommandScene scene;
    AppOptions app;  /* what a picture without a display uses, too; times negative: not given */
    RenderSize size; /* of the window, or of the picture */
    ValuesQuality quality;
    const char *json;
    double rewind; /* memory for going back in time, MB */
    bool no_autosave;
    const char *replay; /* NULL: none */
    const char *host;   /* NULL: none; "-": for this machine alone */
    const char *watch;  /* address of a host; NULL: none */
} RunSettings;

static const ArgsOption options[] = {
    ARGS_ROW_PARSED("size", "WxH", RunSettings, size, values_parse_size,
                    "size of the window, 16 to 16384 pixels each; default 1280x720"),
    ARGS_ROW_NUMBER("ui-scale", "N", RunSettings, app.ui_scale, 0.5, 4,
                    "size of texts, panel and marks, 1: letters 14 points high; default: the "
                    "display's scale, and more in windows over 1600 points high"),
    ARGS_ROW_PARSED("quality", "Q", RunSettings, quality, values_parse_window_quality,
                    "what cells and picture are adapted to; fluid: 60 pictures a second; auto: 30; "
                    "fine: 10, on larger grids, on which the smoke may move at half speed and "
                    "every step has all its pressure cycles; V in the window changes it; with "
                    "--grid, --exact, --seconds, --json or a checkpoint the cells stay as given; "
                    "without a display, the quality of the picture: draft, good or best of "
                    "render; default auto"),
    ARGS_ROW_FLAG("exact", RunSettings, app.exact,
                  "never use fewer pressure cycles than the scene says; on a slow machine the "
                  "smoke then moves slower than the clock; P in the window changes it"),
    ARGS_ROW_NUMBER("rewind", "MB", RunSettings, rewind, 0, 1e6,
                    "memory for going back in time (Backspace), at most a quarter of the free "
                    "memory; with less memory the stored states lie farther apart, so that they "
                    "span 10 s; default 512; 0: none"),
    ARGS_ROW_NUMBER("attract", "S", RunSettings, app.attract, 0, 86400,
                    "play scenes by itself after S seconds without input; 0: never; default 180, "
                    "60 with --kiosk, and 0 with --seconds, --json, --record-input or --replay"),
    ARGS_ROW_TEXT("resume", "FILE", RunSettings, scene.request.resume,
                  "continue from a checkpoint instead of starting SCENE; a checkpoint may also be "
                  "given as SCENE; default: start a scene"),
    ARGS_ROW_TEXT("record-input", "FILE", RunSettings, app.record_input,
                  "record what hands do in the smoke, from the scene's start until another scene "
                  "starts; the scene keeps its cells, and time does not go back; default: nothing "
                  "is recorded"),
    ARGS_ROW_TEXT(
        "replay", "FILE", RunSettings, replay,
        "play a recording of --record-input or F10 instead of SCENE, and compare the states "
        "with the recorded ones, unless --grid or --set change them; input ends the "
        "replay; a recording may also be given as SCENE; default: play a scene"),
    ARGS_ROW(
        ARGS_TEXT_OR_STDOUT, "host", "ADDRESS[:PORT]", RunSettings, host, const char *, 0, 0,
        "share the scene: others join it with the command that is printed, and act in the same "
        "smoke; give SCENE before it; ADDRESS: where to listen, * for all networks of this "
        "machine; default: this machine alone, port 46464"),
    ARGS_ROW_TEXT("join", "HOST[:PORT]", RunSettings, app.join,
                  "join the scene that another machine hosts, instead of playing SCENE; default: "
                  "play a scene"),
    ARGS_ROW_TEXT("watch", "HOST[:PORT]", RunSettings, watch,
                  "join as --join does, and only show the smoke of the host, such as 'billow sim "
                  "--serve', which computes it: states come at the rate that the network allows; "
                  "default: play a scene"),
    ARGS_ROW_TEXT(
        "key-file", "FILE", RunSettings, app.key_file,
        "with --join or --watch: read the session's key from FILE, - for standard input; default: "
        "it is asked for in the terminal; with --host: write the key, which is new for "
        "each session, to FILE as well, which you alone may read"),
    ARGS_ROW_TEXT(
        "name", "NAME", RunSettings, app.name,
        "with --host, --join or --watch: what others see at your hand; default: the user's name"),
    ARGS_ROW_NUMBER("autosave", "S", RunSettings, app.autosave, 0, 86400,
                    "write a checkpoint every S seconds and at the end to ~/.local/state/billow; "
                    "0: never; default 60, and 0 with --seconds, --json or --kiosk"),
    ARGS_ROW_FLAG("no-autosave", RunSettings, no_autosave, "the same as --autosave 0"),
    ARGS_ROW_FLAG("kiosk", RunSettings, app.kiosk,
                  "for exhibitions: fill the screen and play scenes until somebody gives input; "
                  "save nothing; Ctrl+Q, or 3 s of Esc, quits"),
    ARGS_ROW_FLAG("mute", RunSettings, app.mute, "play without sound"),
    ARGS_ROW_NUMBER("fps", "F", RunSettings, app.fps, 1, 1000,
                    "frames of a video per second of simulated time; default 30"),
    ARGS_ROW_TEXT("shaders", "DIR", RunSettings, app.shader_folder,
                  "GLSL files to use instead of the built-in ones, reloaded when they change"),
    ARGS_ROW_NUMBER("seconds", "S", RunSettings, app.seconds, 0, 1e6,
                    "close the window after S seconds; default 0: never"),
    ARGS_ROW_TEXT("json", "FILE", RunSettings, json,
                  "write measurements such as frames per second as JSON; FILE may be - for "
                  "standard output"),
    {.type = ARGS_END},
};

static bool write_report(const AppReport *report, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "scene", report->scene);
    json_grid(&json, json.root, "grid", report->grid);
    json_grid(&json, json.root, "wind_grid", report->wind);
    json_number(&json, json.root, "threads", report->threads);
    json_text(&json, json.root, "renderer", report->renderer);
    json_number(&json, json.root, "seconds", report->seconds);
    json_number(&json, json.root, "clock_seconds", report->clock.clock);
    json_number(&json, json.root, "simulated_seconds", report->clock.simulated);
    json_number(&json, json.root, "owed_seconds", report->clock.owed);
    json_number(&json, json.root, "dropped_seconds", report->clock.dropped);
    json_number(&json, json.root, "frames", (double)report->frames);
    json_number(&json, json.root, "steps", (double)report->steps);
    json_number(&json, json.root, "fps", report->fps);
    json_number(&json, json.root, "frame_ms_median", report->frame_ms_median);
    json_number(&json, json.root, "frame_ms_max", report->frame_ms_max);
    json_number(&json, json.root, "input_ms_max", report->input_ms_max);
    json_number(&json, json.root, "overlay_ms_median", report->overlay_ms_median);
    json_number(&json, json.root, "step_ms_median", report->step_ms_median);
    json_number(&json, json.root, "light_ms_median", report->light_ms_median);
    json_number(&json, json.root, "upload_ms_median", report->upload_ms_median);
    json_number(&json, json.root, "march_ms_median", report->march_ms_median);
    json_number(&json, json.root, "replay_hashes", report->replay_same);
    json_number(&json, json.root, "replay_differs", (double)report->replay_differs);
    json_number(&json, json.root, "states_compared", (double)report->states_compared);
    json_number(&json, json.root, "states_differed", (double)report->states_differed);
    json_number(&json, json.root, "bytes_sent", report->bytes_sent);
    json_number(&json, json.root, "bytes_received", report->bytes_received);
    json_number(&json, json.root, "scale", report->scale);
    return json_write(&json, path, error);
}

/* Finds a name for the picture of a scene in the current folder: "plume.png", or "plume-2.png" and
 * so on if that file exists and may not be overwritten. */
static bool picture_name(const char *name_or_path, bool over, char *name, size_t size)
{
    const char *base = paths_last_part(name_or_path);
    const char *dot = strrchr(base, '.');
    int length = dot != NULL && dot != base ? (int)(dot - base) : (int)strlen(base);
    int written = snprintf(name, size, "%.*s.png", length, base);
    for (int number = 2; !over && number < 10000 && atomic_file_stands(name); number++)
        written = snprintf(name, size, "%.*s-%d.png", length, base, number);
    return written > 4 && (size_t)written < size && (over || !atomic_file_stands(name));
}

static Status run_without_display(const RunSettings *settings, SceneRun *opened, const char *reason,
                                  BillowError *error)
{
    char name[512];
    double fps;
    if (settings->json != NULL || settings->app.kiosk)
        return status_fail(STATUS_FAILED, error, "--%s, and there is no display to open one on",
                           settings->app.kiosk ? "kiosk needs a window"
                                               : "json reports on a window");
    if (!picture_name(opened->name, settings->scene.force, name, sizeof name))
        return status_fail(
            STATUS_FAILED, error,
            "%.200s: no picture can be named after it; use 'billow render --out FILE'",
            opened->name);
    printf("There is no display to open a window on: %s. Rendering one picture instead.\n", reason);
    fflush(stdout);
    scene_start_fps(opened, 0, &fps, error); /* cannot fail when no rate is asked for */
    const Capture capture = {
        .run = opened,
        /* Not parsed: a '%' in the scene's name is no frame number. */
        .output = {.text = name, .picture = picture_format(name)},
        .width = settings->size.width,
        .height = settings->size.height,
        .frames = opened->resumed ? COMMAND_FRAMES : scene_start_poster_frames(opened, fps),
        .fps = fps,
        .finer = 1,
        .exposures = CAPTURE_EXPOSURES,
        .slice = settings->scene.slice,
        .shader_folder = settings->app.shader_folder,
        .quiet = settings->scene.request.quiet,
    };
    return capture_run(&capture, error);
}

static void set_defaults(void *memory)
{
    RunSettings *settings = memory;
    settings->app = app_default_options();
    settings->size = (RenderSize){settings->app.width, settings->app.height};
    settings->rewind = REWIND_BYTES / 1e6;
    settings->app.attract = settings->app.autosave = -1;
    settings->quality.quality = SCENE_GOOD;
}

/* Whether the run is measured, and should do nothing by itself. */
static bool is_measured(const RunSettings *settings)
{
    return settings->app.seconds > 0 || settings->json != NULL;
}

static bool shares(const RunSettings *settings)
{
    return settings->host != NULL || settings->app.join != NULL || settings->watch != NULL;
}

static double attract_after(const RunSettings *settings)
{
    if (settings->app.attract >= 0)
        return settings->app.attract;
    if (settings->app.record_input != NULL || settings->replay != NULL || shares(settings))
        return 0;
    if (settings->app.kiosk)
        return KIOSK_IDLE_SECONDS;
    return is_measured(settings) ? 0 : ATTRACT_IDLE_SECONDS;
}

static double autosave_after(const RunSettings *settings)
{
    if (settings->no_autosave || settings->app.kiosk)
        return 0;
    if (settings->app.autosave >= 0)
        return settings->app.autosave;
    return is_measured(settings) ? 0 : AUTOSAVE_SECONDS;
}

/* Fills in the default scene, of the window or of the picture without a display. A checkpoint given
 * as SCENE counts as --resume. */
static void choose_scene(SceneRequest *request, bool display)
{
    if (request->resume != NULL)
        return;
    if (request->name_or_path == NULL) {
        request->name_or_path = display ? SCENE_TO_PLAY : COMMAND_DEFAULT_SCENE;
    } else if (checkpoint_is_one(request->name_or_path)) {
        request->resume = request->name_or_path;
        request->name_or_path = NULL;
    }
}

/* key: of the session to join; NULL: none. */
static Status run_window(const RunSettings *settings, const char *key, BillowError *error)
{
    AppReport report = {0};
    AppOptions app = settings->app;
    app.autosave = autosave_after(settings);
    app.quality = settings->quality.quality;
    app.grid_stays =
        app.exact || is_measured(settings) || app.record_input != NULL || shares(settings);
    app.host = settings->host != NULL;
    app.address = app.host && strcmp(settings->host, "-") != 0 ? settings->host : NULL;
    app.key = key;
    app.past_bytes = app.record_input != NULL || app.join != NULL ? 0 : 1e6 * settings->rewind;
    if (settings->scene.slice.given)
        app.slice = settings->scene.slice;
    app.width = settings->size.width;
    app.height = settings->size.height;
    app.attract = attract_after(settings);
    app.interrupted = system_interrupted;
    app.checkpoint_asked = system_checkpoint_asked;
    system_watch_interrupts();
    if (!app_run(&app, &report, error) ||
        (settings->json != NULL && !write_report(&report, settings->json, error)))
        return STATUS_FAILED;
    if (report.replay_differs > 0)
        return status_fail(STATUS_FAILED, error,
                           "%s: the replay differs from the recording from step %llu on",
                           settings->replay, (unsigned long long)report.replay_differs);
    error->text[0] = 0;
    return system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
}

/* Plays a recording in a window. */
static Status play_recording(RunSettings *settings, BillowError *error)
{
    SceneRun opened;
    BillowError reason;
    system_hush_graphics();
    settings->app.scene.name_or_path = settings->app.scene.replay = settings->replay;
    Status status = scene_run_open(&opened, &settings->app.scene, WORLD_BYTES_PER_CELL, error);
    scene_run_close(&opened); /* the window opens it again */
    if (status != STATUS_DONE)
        return status;
    if (!app_display_available(&reason))
        return status_fail(
            STATUS_FAILED, error,
            "a replay needs a window, and there is no display to open one on: %.300s; 'billow "
            "render --replay' draws it",
            reason.text);
    return run_window(settings, NULL, error);
}

static Status needs_window(const char *option, const BillowError *reason, BillowError *error)
{
    return status_fail(STATUS_FAILED, error,
                       "--%s needs a window, and there is no display to open one on: %.300s",
                       option, reason->text);
}

/* Joins the scene of another machine in a window. */
static Status join_host(const RunSettings *settings, BillowError *error)
{
    const char *option = settings->app.watches ? "watch" : "join";
    char key[256];
    BillowError reason;
    system_hush_graphics();
    if (!app_display_available(&reason))
        return needs_window(option, &reason, error);
    if (settings->app.key_file == NULL && !system_is_terminal(stdin))
        return status_fail(STATUS_USAGE, error,
                           "--%s needs the key that the host shows: type it in a terminal, or give "
                           "--key-file FILE, - for standard input",
                           option);
    system_watch_interrupts();
    if (!system_read_secret(settings->app.key_file, "The session's key, which is not shown: ", key,
                            sizeof key, error))
        return system_interrupted() ? STATUS_INTERRUPTED : STATUS_FAILED;
    return run_window(settings, key, error);
}

/* Checks what options of sessions do not go together with. */
static bool check_sharing(const RunSettings *settings, BillowError *error)
{
    const CommandScene *scene = &settings->scene;
    if (settings->host != NULL && scene_is_builtin(settings->host))
        return fail(error, "%s is a scene: give it before --host", settings->host);
    if (!shares(settings) && (settings->app.key_file != NULL || settings->app.name != NULL))
        return fail(error, "--%s goes with --host, --join or --watch",
                    settings->app.key_file != NULL ? "key-file" : "name");
    if (settings->app.join != NULL && settings->watch != NULL)
        return fail(error,
                    "--join computes the host's smoke and --watch does not: give one of them");
    if ((settings->app.join != NULL || settings->watch != NULL) &&
        (settings->host != NULL || settings->replay != NULL || settings->app.record_input != NULL ||
         scene->operands.count > 0 || scene->request.resume != NULL || settings->app.kiosk))
        return fail(error,
                    "--%s takes the host's scene: give no SCENE, --host, --resume, "
                    "--replay, --record-input or --kiosk",
                    settings->watch != NULL ? "watch" : "join");
    if (settings->host != NULL && settings->app.kiosk)
        return fail(error, "--host shows a key: give no --kiosk");
    return true;
}

/* Checks what options of recordings do not go together with. */
static bool check_recordings(const RunSettings *settings, BillowError *error)
{
    const CommandScene *scene = &settings->scene;
    if (settings->replay != NULL &&
        (scene->operands.count > 0 || scene->request.resume != NULL || settings->app.kiosk))
        return fail(error, "--replay contains its scene: give no SCENE, --resume or --kiosk");
    if (settings->app.record_input != NULL &&
        (settings->replay != NULL || scene->request.resume != NULL || settings->app.kiosk))
        return fail(error, "--record-input records a scene from its start: give no --replay, "
                           "--resume or --kiosk");
    return true;
}

static Status play(RunSettings *settings, SceneRun *opened, BillowError *error)
{
    BillowError reason;
    system_hush_graphics();
    const bool display = app_display_available(&reason);
    SceneRequest *request = &settings->app.scene;
    choose_scene(request, display);
    request->quality = display ? SCENE_DRAFT : settings->quality.quality;
    Outputs outputs = {.force = settings->scene.force};
    Status status = scene_run_open(opened, request, WORLD_BYTES_PER_CELL, error);
    if (status != STATUS_DONE)
        return status;
    if (!settings->scene.request.quiet && !opened->resumed)
        scene_start_note(opened->name, &opened->scene);
    outputs_add(&outputs, "--json", settings->json);
    outputs_add(&outputs, "--record-input", settings->app.record_input);
    outputs_add(&outputs, "--key-file", settings->app.key_file);
    status = outputs_probe(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    SliceAsk slice = settings->scene.slice;
    if (slice.given && !slice_ask_settle(&slice, &opened->def, &opened->scene.render.camera, error))
        return STATUS_USAGE;
    if (!display && (settings->host != NULL || settings->app.record_input != NULL))
        return needs_window(settings->host != NULL ? "host" : "record-input", &reason, error);
    if (!display)
        return run_without_display(settings, opened, reason.text, error);
    scene_run_close(opened); /* the window opens it again */
    return run_window(settings, NULL, error);
}

static Status run(const void *memory, BillowError *error)
{
    RunSettings given = *(const RunSettings *)memory;
    RunSettings *settings = &given;
    SceneRun opened;
    const ArgsTexts *operands = &settings->scene.operands;
    if (!check_recordings(settings, error) || !check_sharing(settings, error))
        return STATUS_USAGE;
    settings->app.scene = command_scene_request(&settings->scene, "run");
    settings->app.watches = settings->watch != NULL;
    if (settings->watch != NULL)
        settings->app.join = settings->watch;
    if (settings->app.join != NULL)
        return join_host(settings, error);
    if (settings->replay == NULL && operands->count == 1 && replay_file_is_one(operands->items[0]))
        settings->replay = operands->items[0];
    if (settings->replay != NULL)
        return play_recording(settings, error);
    Status status = play(settings, &opened, error);
    scene_run_close(&opened);
    return status;
}

static const char notes[] =
    "F1 in the window shows its keys. F12 writes SCENE-0001.png, SCENE-0002.png and so on to the\n"
    "current folder. F10 starts and ends the recording billow-SCENE-1.bwr there, of which\n"
    "billow-SCENE-1.mp4 is then drawn, in simulated time. With a software renderer the\n"
    "simulation leaves one core free unless --threads is given. Without a display,\n"
    "'billow render SCENE --out SCENE.png' is done instead; if that file exists, the picture is\n"
    "SCENE-2.png.\n\n" COMMAND_SLICE_NOTES;

const Command command_run = {
    .spec = {.name = "run",
             .summary = "play a scene in a window; without a display, draw one picture",
             .examples = "  billow run explosion                        also 'billow explosion'\n"
                         "  billow run mine.yaml                        reloaded when it changes\n"
                         "  billow run plume --grid 128 --set solver.vorticity=8\n",
             COMMAND_SCENE_OPERAND("default play, or plume without a display"),
             .tables = {options, command_grid_options, command_set_options, command_threads_options,
                        command_slice_options, command_quiet_options, command_force_options},
             .notes = notes},
    .settings_size = sizeof(RunSettings),
    .set_defaults = set_defaults,
    .run = run,
    .draws = command_always,
};
