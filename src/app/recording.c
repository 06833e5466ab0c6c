/* SPDX-License-Identifier: MIT
 * Screenshots, and recordings of what one does. */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "app/recording.h"

#include "app/session.h"
#include "base/fail.h"
#include "io/image.h"
#include "render/frame/legend.h"
#include "render/readback.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- names ------------------------------------------------------------------------------------- */

#define NUMBER_MAX 9999

/* Makes a part of a file's name from the scene's name. */
static void plain_name(const char *name, char plain[64])
{
    int length = 0;
    for (; name[length] != 0 && length < 63; length++) {
        unsigned char letter = (unsigned char)name[length];
        plain[length] = isalnum(letter) || letter == '-' ? (char)letter : '_';
    }
    plain[length] = 0;
}

/* Whether a file exists that differs from the path only by one of the other endings. */
static bool others_exist(const CaptureName *of, const char *path)
{
    char other[4096];
    struct stat there;
    const int length = (int)(strlen(path) - strlen(of->ending));
    for (int e = 0; of->others != NULL && of->others[e] != NULL; e++) {
        snprintf(other, sizeof other, "%.*s%s", length, path, of->others[e]);
        if (lstat(other, &there) == 0)
            return true;
    }
    return false;
}

bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error)
{
    char plain[64];
    struct stat there;
    plain_name(of->scene[0] != 0 ? of->scene : "billow", plain);
    for (int number = 1; number <= NUMBER_MAX; number++) {
        char counted[16] = "";
        if (of->digits > 0 || number > 1)
            snprintf(counted, sizeof counted, "-%0*d", of->digits, number);
        snprintf(name, name_size, "%s%s%s%s", of->prefix, plain, counted, of->ending);
        int length = strcmp(of->folder, ".") == 0
                         ? snprintf(path, path_size, "%s", name)
                         : snprintf(path, path_size, "%s/%s", of->folder, name);
        if (length < 0 || (size_t)length >= path_size)
            return fail(error, "%.200s...: the folder's name is too long", of->folder);
        if (lstat(path, &there) != 0 && !others_exist(of, path) &&
            !video_maker_holds(of->maker, path))
            return true;
    }
    return fail(error, "%.300s already holds %d %s %s; move some to another folder", of->folder,
                NUMBER_MAX, of->plural, plain);
}

/* -- screenshots ------------------------------------------------------------------------------- */

/* Draws the legend of the slice into the image. Draws none if there is no slice or no font for its
 * letters. */
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

bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice, int width,
                     int height, const char *folder, char name[96], BillowError *error)
{
    char path[4096];
    const CaptureName of = {folder, "", scene->name, 4, ".png", "screenshots of", NULL, NULL};
    Image image;
    if (!capture_name(&of, name, 96, path, sizeof path, error) ||
        !image_create(&image, width, height, 3, error))
        return false;
    bool taken = renderer_read_shown(renderer, width, height, 3, image.pixels, error) &&
                 add_legend(slice, &image, error) && image_write_png(&image, path, error);
    image_destroy(&image);
    return taken;
}

/* -- recordings in a session ------------------------------------------------------------------- */

bool recording_runs(const Session *session)
{
    return session->recording.on;
}

static void start(Session *session)
{
    static const char *const videos[] = {".mp4", ".webm", NULL};
    Recording *recording = &session->recording;
    World *world = &session->world;
    char path[4096];
    BillowError error;
    const CaptureName name = {session->options->capture_folder,
                              "billow-",
                              world->scene.name,
                              1,
                              ".bwr",
                              "recordings of",
                              videos,
                              recording->maker};
    /* Encoders need an even width and height. An odd last row or column is omitted. */
    recording->form = (VideoForm){.width = session->window.width & ~1,
                                  .height = session->window.height & ~1,
                                  .fps = session->options->fps,
                                  .sound = true};
    if (session_follows(session))
        return;
    if (world->sim == NULL || world->changing || session->snapshot == NULL)
        session_say(session, "there is nothing to record yet");
    else if (recording->form.width < 16 || recording->form.height < 16)
        session_say(session, "this window is too small to record");
    else if (!capture_name(&name, recording->name, sizeof recording->name, path, sizeof path,
                           &error) ||
             !world_record(world, path, true, &error))
        session_say(session, "%s", error.text);
    else {
        recording->on = true;
        recording->ending = false;
        recording->stale = session->snapshot->recorded.text[0] != 0;
        recording->from = session->snapshot->steps;
        session_say(session, "recording what you do; F10 ends it, and the video is drawn then");
    }
}

void recording_toggle(Session *session)
{
    if (session->recording.on)
        recording_end(session, NULL);
    else
        start(session);
}

void recording_end(Session *session, const char *why)
{
    Recording *recording = &session->recording;
    if (!recording->on || recording->ending)
        return;
    recording->ending = true;
    world_send(&session->world, &(SimCommand){SIM_RECORD, .recording = NULL});
    if (why != NULL)
        session_say(session, "%s: %s ends here", why, recording->name);
}

/* Passes the recording, if it has ended, to the maker of videos. Returns false with a message if it
 * is lost. */
static bool pass_on(Session *session, BillowError *error)
{
    Recording *recording = &session->recording;
    ReplayRecorder *recorder = world_recorded(&session->world);
    if (recorder == NULL)
        return true;
    recording->on = false;
    if (recorder->recording.start == NULL || recorder->recording.steps == 0) {
        if (recorder->recording.start != NULL)
            session_say(session,
                        "nothing happened while it was recorded: there is nothing to save");
        replay_recorder_free(recorder);
        return true;
    }
    if (recording->maker == NULL && (recording->maker = video_maker_create(error)) == NULL) {
        replay_recorder_free(recorder);
        return false;
    }
    return video_maker_add(recording->maker, recorder, &recording->form, error);
}

void recording_poll(Session *session)
{
    Recording *recording = &session->recording;
    BillowError error;
    world_follow_record(&session->world);
    const char *why = session->snapshot != NULL ? session->snapshot->recorded.text : "";
    recording->stale = recording->stale && why[0] != 0;
    if (recording->on && !recording->stale && why[0] != 0)
        recording_end(session, why);
    /* One that ended by itself is passed on when its reason has been said. */
    if ((!recording->on || recording->ending) && !pass_on(session, &error))
        session_say(session, "%s", error.text);
    if (recording->maker == NULL)
        return;
    recording->video = video_maker_status(recording->maker);
    if (video_maker_says(recording->maker, &error))
        session_say(session, "%s", error.text);
}

bool recording_close(Session *session, BillowError *error)
{
    const bool kept = pass_on(session, error);
    VideoMaker *maker = session->recording.maker;
    session->recording.maker = NULL;
    return video_maker_close(maker, kept ? error : &(BillowError){""}) && kept;
}

/* -- its texts and keys ------------------------------------------------------------------------ */

const char *recording_words(Session *session)
{
    Recording *recording = &session->recording;
    if (!recording->on)
        return NULL;
    const uint64_t steps = session->snapshot != NULL ? session->snapshot->steps : 0;
    const double step = (double)session->world.scene.step;
    const int seconds =
        steps > recording->from ? (int)((double)(steps - recording->from) * step) : 0;
    snprintf(recording->words, sizeof recording->words, recording->ending ? "saving" : "%d:%02d",
             seconds / 60, seconds % 60);
    return recording->words;
}

const char *recording_video(Session *session, float *share)
{
    Recording *recording = &session->recording;
    const VideoStatus *video = &recording->video;
    char left[32] = "";
    *share = video->total > 0 ? (float)video->done / (float)video->total : 0;
    if (!video->busy)
        return NULL;
    if (video->paused)
        snprintf(left, sizeof left, ", paused");
    else if (video->left >= 0)
        snprintf(left, sizeof left, ", %d:%02d left", (int)video->left / 60, (int)video->left % 60);
    snprintf(recording->video_words, sizeof recording->video_words, "video %d %%%s",
             (int)(100 * *share), left);
    return recording->video_words;
}

void recording_pause_video(Session *session)
{
    Recording *recording = &session->recording;
    if (!recording->video.busy)
        session_say(session, "no video is being drawn");
    else
        session_say(session, video_maker_pause(recording->maker)
                                 ? "the video is paused; shift F10 goes on, ctrl F10 gives it up"
                                 : "the video goes on");
}

void recording_give_up_video(Session *session)
{
    if (!session->recording.video.busy)
        session_say(session, "no video is being drawn");
    else
        video_maker_give_up(session->recording.maker);
}
