/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include "app/audio.h"

#include "base/fail.h"
#include "play/sound_feed.h"

#include <fcntl.h>
#include <SDL.h>
#include <unistd.h>

/* Frames that the device takes at a time: 21 ms. */
#define AUDIO_FRAMES 1024

static void play(void *feed, Uint8 *bytes, int count)
{
    sound_feed_play(feed, (float *)(void *)bytes, count / (int)(2 * sizeof(float)));
}

/* Opens the default device. The libraries for sound print lines of their own on standard error
 * where there is none; these are dropped. */
static SDL_AudioDeviceID open_device(SoundFeed *feed)
{
    const SDL_AudioSpec spec = {.freq = SYNTH_RATE,
                                .format = AUDIO_F32SYS,
                                .channels = 2,
                                .samples = AUDIO_FRAMES,
                                .callback = play,
                                .userdata = feed};
    SDL_AudioDeviceID device = 0;
    fflush(stderr);
    const int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) == 0)
        device = SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0);
    if (kept >= 0 && nowhere >= 0)
        dup2(kept, STDERR_FILENO);
    close(nowhere);
    close(kept);
    return device;
}

void audio_open(Session *session)
{
    SessionAudio *audio = &session->audio;
    if (session->options->mute) {
        fail(&audio->missing, "no sound: billow was started with --mute");
        return;
    }
    audio->feed = sound_feed_create(&audio->missing);
    if (audio->feed == NULL)
        return;
    audio->device = open_device(audio->feed);
    if (audio->device == 0) {
        fail(&audio->missing, "no sound: no device answers (SDL: %.160s)", SDL_GetError());
        audio_free(session);
        return;
    }
    world_hear(&session->world, audio->feed);
    SDL_PauseAudioDevice(audio->device, 0);
}

void audio_close(Session *session)
{
    if (session->audio.device != 0)
        SDL_CloseAudioDevice(session->audio.device);
    session->audio.device = 0;
    if (SDL_WasInit(SDL_INIT_AUDIO))
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

void audio_free(Session *session)
{
    sound_feed_destroy(session->audio.feed);
    session->audio.feed = NULL;
}

void audio_frame(Session *session)
{
    const SessionAudio *audio = &session->audio;
    const World *world = &session->world;
    if (audio->feed == NULL)
        return;
    const bool flows =
        world->sim != NULL && !sim_thread_paused(world->sim) && !session->time.rewinding;
    sound_feed_listen(audio->feed, &world->render.camera, flows && !audio->muted);
}

void audio_toggle(Session *session)
{
    SessionAudio *audio = &session->audio;
    audio->muted = !audio->muted;
    if (audio->feed == NULL)
        session_say(session, "%s", audio->missing.text);
    else
        session_say(session, audio->muted ? "sound off; M turns it on" : "sound on");
}
