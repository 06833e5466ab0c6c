/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "capture_name.h"
#include "fail.h"
#include "session.h"
#include <stdio.h>

static void begin(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    char path[4096];
    BillowError error;
    /* Pixels in pairs, as the encoder wants them: an odd one at the edge is left out. */
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

/* The simulation goes on by itself. */
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
        session->exposed = true; /* the same again, once the encoder has caught up */
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
