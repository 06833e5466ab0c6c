/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "recording.h"

#include "fail.h"
#include "image.h"
#include "legend.h"
#include "session.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* -- names ------------------------------------------------------------------------------------- */

#define NUMBER_MAX 9999

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* The scene's name as part of a file's name. */
static void plain_name(const char *name, char plain[64])
{
    int length = 0;
    for (; name[length] != 0 && length < 63; length++) {
        unsigned char letter = (unsigned char)name[length];
        plain[length] = isalnum(letter) || letter == '-' ? (char)letter : '_';
    }
    plain[length] = 0;
}

bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error)
{
    char plain[64];
    plain_name(of->scene[0] != 0 ? of->scene : "billow", plain);
    for (int number = 1; number <= NUMBER_MAX; number++) {
        snprintf(name, name_size, "%s%s-%0*d%s", of->prefix, plain, of->digits, number, of->ending);
        int length = strcmp(of->folder, ".") == 0
                         ? snprintf(path, path_size, "%s", name)
                         : snprintf(path, path_size, "%s/%s", of->folder, name);
        if (length < 0 || (size_t)length >= path_size)
            return fail(error, "%.200s...: the folder's name is too long", of->folder);
        if (!exists(path))
            return true;
    }
    return fail(error, "%.300s holds %d %s of %s already; move some away", of->folder, NUMBER_MAX,
                of->plural, plain);
}

/* -- screenshots ------------------------------------------------------------------------------- */

/* Where letters cannot be drawn, the picture has no legend. */
static bool add_legend(const RenderSlice *slice, Image *image, BillowError *error)
{
    Caption *letters = slice->field != NULL ? legend_letters(image, NULL) : NULL;
    if (letters == NULL)
        return true;
    Legend legend = legend_for(slice);
    bool whole = legend_draw(&legend, letters, image, error);
    caption_close(letters);
    return whole;
}

static bool keep_band(void *context, const Band *band, BillowError *error)
{
    const Image *image = context;
    size_t row = (size_t)image->width * (size_t)image->channels;
    (void)error;
    memcpy(image->pixels + (size_t)band->first * row, band->pixels, (size_t)band->rows * row);
    return true;
}

bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSettings *render,
                     RenderFrame frame, const char *folder, char name[96], BillowError *error)
{
    char path[4096];
    const CaptureName of = {folder, "", scene->name, 4, ".png", "screenshots"};
    if (!capture_name(&of, name, 96, path, sizeof path, error))
        return false;
    frame.scale = 1;
    frame.step = 0.5f;
    frame.smooth = frame.turning = false;
    frame.history = 0;
    frame.frame = 0;
    frame.seconds = 0;
    frame.late = false;
    frame.aside = true;
    Image image;
    if (!image_create(&image, frame.width, frame.height, 3, error))
        return false;
    bool taken = renderer_bands(renderer, render, &frame, 3, keep_band, &image, error);
    taken =
        taken && add_legend(&frame.slice, &image, error) && image_write_png(&image, path, error);
    image_destroy(&image);
    return taken;
}

/* -- videos ------------------------------------------------------------------------------------ */

static void begin(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    char path[4096];
    BillowError error;
    /* The encoder wants even sizes: an odd row or column at the edge is left out. */
    const VideoForm form = {.width = window->width & ~1,
                            .height = window->height & ~1,
                            .quick = true,
                            .fps = session->options->fps};
    const CaptureName name = {session->options->capture_folder,
                              "billow-",
                              session->world.scene.name,
                              1,
                              ".mp4",
                              "videos"};
    *recording =
        (Recording){.width = window->width, .height = window->height, .taken = recording->taken};
    if (session->world.sim == NULL || session->world.changing)
        session_say(session, "there is nothing to record yet");
    else if (form.width < 2 || form.height < 2)
        session_say(session, "this window is too small to record");
    else if (!capture_name(&name, recording->name, sizeof recording->name, path, sizeof path,
                           &error) ||
             (recording->recorder = recorder_start(path, &form, &error)) == NULL)
        session_say(session, "%s", error.text);
    else {
        session_say(session, "recording %s; F10 ends it", recording->name);
        sim_thread_send(
            session->world.sim,
            &(SimCommand){SIM_FILM, .film = {1 / session->options->fps, recording->taken + 1}});
    }
}

/* Lets the simulation go on without waiting for frames. */
static void let_go(Session *session)
{
    if (session->world.sim != NULL)
        sim_thread_send(session->world.sim, &(SimCommand){SIM_FILM, .film = {0, 0}});
}

void recording_toggle(Session *session, int argument)
{
    const Recording *recording = &session->recording;
    (void)argument;
    if (recording->recorder == NULL)
        begin(session);
    else if (recording->ending)
        session_say(session, "%s is still being written", recording->name);
    else
        recording_end(session, NULL);
}

void recording_end(Session *session, const char *why)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL || recording->ending)
        return;
    recording->ending = true;
    recorder_end(recording->recorder);
    let_go(session);
    if (why != NULL)
        session_say(session, "%s: %s ends here", why, recording->name);
}

void recording_see(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    if (recording->recorder == NULL || recording->ending)
        return;
    if (window->width != recording->width || window->height != recording->height) {
        recording_end(session, "the window has another size");
        return;
    }
    if (recording->drawn <= recording->taken)
        return;
    uint8_t *room = recorder_room(recording->recorder);
    if (room == NULL) {
        session->picture.exposed = true; /* show the same again once the encoder has caught up */
        return;
    }
    renderer_read_window(window->width & ~1, window->height & ~1, room);
    recorder_submit(recording->recorder);
    recording->taken = recording->drawn;
    recording->frames++;
    sim_thread_send(session->world.sim, &(SimCommand){SIM_FILM_TAKEN, .number = recording->taken});
}

void recording_poll(Session *session)
{
    Recording *recording = &session->recording;
    BillowError error;
    if (recording->recorder == NULL)
        return;
    RecorderState state = recorder_state(recording->recorder, &error);
    if (state == RECORDER_WRITING)
        return;
    if (state == RECORDER_DONE)
        session_say(session, "saved %s, %.1f s", recording->name,
                    (double)recording->frames / session->options->fps);
    else
        session_say(session, "%s", error.text);
    if (!recording->ending)
        let_go(session);
    recorder_destroy(recording->recorder);
    recording->recorder = NULL;
}

bool recording_close(Session *session, BillowError *error)
{
    Recorder *recorder = session->recording.recorder;
    BillowError why;
    if (recorder == NULL)
        return true;
    bool well = recorder_wait(recorder, &why) == RECORDER_DONE;
    recorder_destroy(recorder);
    session->recording.recorder = NULL;
    return well || fail(error, "%s", why.text);
}

const char *recording_words(Session *session)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL)
        return NULL;
    int seconds = (int)((double)recording->frames / session->options->fps);
    snprintf(recording->words, sizeof recording->words, recording->ending ? "saving" : "%d:%02d",
             seconds / 60, seconds % 60);
    return recording->words;
}
