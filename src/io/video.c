/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "io/video.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "io/atomic_file.h"
#include "io/child.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Videos are made in two steps. The encoder first writes a raw video that can be played even if it
 * is cut off: fragments for .mp4 and .mov, lossless pictures for the silent formats, which cannot
 * be played before their end. At the end, the final file is made from the raw video and its sound.
 * .webm without sound needs no second step. */
enum { ARGUMENTS_MAX = 64 };

struct Video {
    VideoForm form;
    VideoKind kind;
    bool silent; /* as of the format */
    Child child;
    bool running;
    AtomicFile raw;   /* the encoder's output */
    AtomicFile sound; /* its samples; stream NULL: none */
    char path[4096];
    long frames;
};

typedef struct Words {
    const char *items[ARGUMENTS_MAX];
    int count;
} Words;

static void add(Words *words, const char *const *more)
{
    for (; *more != NULL && words->count + 1 < ARGUMENTS_MAX; more++)
        words->items[words->count++] = *more;
    words->items[words->count] = NULL;
}

#define ADD(words, ...) add(words, (const char *const[]){__VA_ARGS__, NULL})

static void begin(Words *words)
{
    words->count = 0;
    ADD(words, "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostats", "-y");
}

bool video_takes(const char *path, const VideoForm *form, BillowError *error)
{
    const PictureFormat *format = picture_format(path);
    if (format == NULL || format->storage != PICTURE_VIDEO)
        return fail(error, "%.200s: this ending is not a video format", path);
    if (form->alpha && !picture_format_check_alpha(format, path, form->instead, error))
        return false;
    return format->fps_most <= 0 || form->fps <= format->fps_most ||
           fail(error,
                "%.200s: %s files show at most %g frames per second; ask for fewer, or "
                "write an .mp4",
                path, format->ending, format->fps_most);
}

/* Encoders of H.264. Others need hardware. */
static const char *const h264_encoders[] = {"libx264", "libopenh264"};

/* Whether ffmpeg says that it does not know an encoder. */
static bool lacks_encoder(const char *encoder)
{
    char why[256];
    Words words;
    begin(&words);
    ADD(&words, "-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", "64x64", "-i",
        "/dev/zero", "-frames:v", "1", "-c:v", encoder, "-f", "null", "-");
    return !child_run(words.items, -1, 20, why, sizeof why) &&
           strstr(why, "Unknown encoder") != NULL;
}

/* Finds the first encoder of H.264 that ffmpeg has. NULL: none, with advice. */
static const char *find_h264(const char *path, BillowError *error)
{
    for (size_t e = 0; e < sizeof h264_encoders / sizeof *h264_encoders; e++)
        if (!lacks_encoder(h264_encoders[e]))
            return h264_encoders[e];
    fail(error,
         "%.200s: ffmpeg has no H.264, neither libx264 nor libopenh264; install one that has, or "
         "write a .webm",
         path);
    return NULL;
}

static void add_h264(Words *words, const char *encoder, const char *bits)
{
    ADD(words, "-c:v", encoder, "-pix_fmt", "yuv420p");
    if (encoder == h264_encoders[0])
        ADD(words, "-crf", "17", "-preset", "medium", "-rc-lookahead", "10");
    else /* it knows no constant quality */
        ADD(words, "-b:v", bits);
}

/* Fragments can be played if the file is cut off. */
#define FRAGMENTS "-movflags", "+frag_every_frame+empty_moov+default_base_moof"

/* h264: the encoder for .mp4; bits: its bits a second. */
static void add_encoder(Words *words, const Video *video, const char *h264, const char *bits)
{
    const VideoKind kind = video->kind;
    const VideoForm *form = &video->form;
    if (video->silent) {
        ADD(words, "-c:v", "ffv1", "-pix_fmt", form->alpha ? "bgra" : "bgr0", "-f", "matroska");
        return;
    }
    /* Rec. 709 colours. The file contains tags for them, so that players need not guess. */
#define REC_709                                                                                    \
    "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int"
    ADD(words, "-vf",
        /* ProRes has tags of its own in each frame. */
        kind == VIDEO_MOV ? REC_709
            ",setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"
                          : REC_709,
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1",
        "-color_range", "tv");
    if (kind == VIDEO_MP4) {
        add_h264(words, h264, bits);
        ADD(words, FRAGMENTS, "-f", "mp4");
        return;
    }
    if (kind == VIDEO_MOV) {
        ADD(words, "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt",
            form->alpha ? "yuva444p10le" : "yuv444p10le", "-vendor", "apl0", FRAGMENTS, "-f",
            "mov");
        return;
    }
    ADD(words, "-c:v", "libvpx-vp9", "-pix_fmt", form->alpha ? "yuva420p" : "yuv420p", "-crf", "24",
        "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used", "3");
    if (form->alpha) /* hidden reference frames cannot store alpha */
        ADD(words, "-auto-alt-ref", "0");
    ADD(words, "-f", "webm");
}

static bool fail_of_ffmpeg(const char *path, const char *why, BillowError *error)
{
    return fail(error, "%.200s: ffmpeg could not write it: %.200s", path, why);
}

static bool start_encoder(Video *video, BillowError *error)
{
    char size[32], rate[32], second[16], bits[32], target[sizeof video->raw.temporary + 8];
    const VideoForm *form = &video->form;
    const char *h264 = video->kind == VIDEO_MP4 ? find_h264(video->path, error) : "";
    if (h264 == NULL)
        return false;
    snprintf(bits, sizeof bits, "%ld",
             lround(fmin(0.3 * form->width * form->height * form->fps, 5e8)));
    snprintf(size, sizeof size, "%dx%d", form->width, form->height);
    number_print(rate, sizeof rate, "%.9g", form->fps);
    /* One key frame per second allows players to seek. */
    snprintf(second, sizeof second, "%d", form->fps < 1 ? 1 : (int)(form->fps + 0.5));
    snprintf(target, sizeof target, "file:%s", video->raw.temporary);
    Words words;
    begin(&words);
    ADD(&words, "-f", "rawvideo", "-pixel_format", form->alpha ? "rgba" : "rgb24", "-video_size",
        size, "-framerate", rate, "-i", "pipe:0", "-g", second, "-flush_packets", "1");
    add_encoder(&words, video, h264, bits);
    ADD(&words, target);
    BillowError reason;
    video->running = child_start(&video->child, words.items, true, video->raw.held, &reason);
    return video->running ||
           fail(error,
                "%.200s: ffmpeg, which makes videos, cannot be started: %.100s; install it%s%s",
                video->path, reason.text, form->instead != NULL ? ", or " : "",
                form->instead != NULL ? form->instead : "");
}

Video *video_open(const char *path, const VideoForm *form, BillowError *error)
{
    if (!video_takes(path, form, error))
        return NULL;
    Video *video = calloc(1, sizeof *video);
    if (video == NULL || strlen(path) >= sizeof video->path) {
        free(video);
        fail(error, "%.200s: not enough memory for a video, or its name is too long", path);
        return NULL;
    }
    video->form = *form;
    video->kind = picture_format(path)->video;
    video->silent = picture_format(path)->silent;
    strcpy(video->path, path);
    if (!atomic_file_open(&video->raw, path, error)) {
        free(video);
        return NULL;
    }
    bool ready = video->raw.temporary[0] != 0 ||
                 fail(error, "%.200s: a video cannot be written to a device or a pipe", path);
    if (!ready || !start_encoder(video, error)) {
        atomic_file_abandon(&video->raw);
        free(video);
        return NULL;
    }
    return video;
}

long video_frames(const Video *video)
{
    return video->frames;
}

/* Waits until a running encoder exits. Returns false and its last message if it failed. */
static bool end_encoder(Video *video, BillowError *error)
{
    char why[256];
    if (!video->running)
        return true;
    video->running = false;
    return child_end(&video->child, (double)INFINITY, why, sizeof why) ||
           fail_of_ffmpeg(video->path, why, error);
}

bool video_write(Video *video, const uint8_t *pixels, BillowError *error)
{
    const VideoForm *form = &video->form;
    size_t bytes = (size_t)form->width * (size_t)form->height * (form->alpha ? 4 : 3);
    if (video->running && child_feed(&video->child, pixels, bytes)) {
        video->frames++;
        return true;
    }
    if (end_encoder(video, error))
        fail_of_ffmpeg(video->path, "it exited before the video was complete", error);
    return false;
}

static bool fail_of_sound(const Video *video, int reason, BillowError *error)
{
    return fail(error, "%.200s: its sound cannot be written: %s", video->path,
                system_write_reason(reason));
}

bool video_sound(Video *video, const float *samples, long frames, BillowError *error)
{
    AtomicFile *sound = &video->sound;
    if (video->silent)
        return true;
    if (sound->stream == NULL && !atomic_file_open(sound, video->path, error))
        return false;
    atomic_file_put(sound, samples, (size_t)frames * 2 * sizeof *samples);
    return sound->reason == 0 || fail_of_sound(video, sound->reason, error);
}

static bool plays(const Video *video)
{
    const double seconds_most = 60; /* to decode one frame */
    char source[sizeof video->raw.temporary + 8], why[256];
    snprintf(source, sizeof source, "file:%s", video->raw.temporary);
    Words words;
    begin(&words);
    ADD(&words, "-abort_on", "empty_output", "-i", source, "-map", "0:v", "-frames:v", "1", "-f",
        "null", "-");
    return child_run(words.items, -1, seconds_most, why, sizeof why);
}

/* Finds an unused name for a part of "e.mp4": "e.partial.mp4", "e.partial-2.mp4" and so on. */
static bool partial_name(const Video *video, char *name, size_t size)
{
    const char *path = video->raw.path, *dot = strrchr(path, '.');
    const char *ending = video->silent ? ".mkv" : dot;
    for (int number = 1; number < 1000; number++) {
        char count[16] = "";
        if (number > 1)
            snprintf(count, sizeof count, "-%d", number);
        int length =
            snprintf(name, size, "%.*s.partial%s%s", (int)(dot - path), path, count, ending);
        if (length < 0 || (size_t)length >= size)
            return false;
        if (access(name, F_OK) != 0)
            return true;
    }
    return false;
}

static void drop_sound(Video *video)
{
    if (video->sound.stream != NULL)
        atomic_file_abandon(&video->sound);
    video->sound.stream = NULL;
}

void video_give_up(Video *video, BillowError *error)
{
    char name[sizeof video->raw.path];
    BillowError reason;
    end_encoder(video, &reason);
    if (video->frames > 0 && partial_name(video, name, sizeof name) && plays(video)) {
        strcpy(video->raw.path, name);
        const BillowError why = *error;
        if (atomic_file_commit(&video->raw, &reason))
            fail(error, "%s; what was made so far is in %.200s", why.text, name);
    } else
        atomic_file_abandon(&video->raw);
    drop_sound(video);
    free(video);
}

/* Makes a file of the raw video by ffmpeg. more: words of further inputs and of what is taken from
 * them, until NULL; options: of the file. */
static bool convert(Video *video, AtomicFile *to, const char *const *more,
                    const char *const *options, BillowError *error)
{
    char source[sizeof to->temporary + 8], target[sizeof to->temporary + 8], why[256];
    snprintf(source, sizeof source, "file:%s", video->raw.temporary);
    snprintf(target, sizeof target, "file:%s", to->temporary);
    Words words;
    begin(&words);
    ADD(&words, "-i", source);
    add(&words, more);
    add(&words, options);
    ADD(&words, target);
    return child_run(words.items, to->held, (double)INFINITY, why, sizeof why) ||
           fail_of_ffmpeg(video->path, why, error);
}

static const char *const nothing_more[] = {NULL};

static bool make_gif(Video *video, AtomicFile *to, BillowError *error)
{
    AtomicFile palette;
    char colors[sizeof to->temporary + 8];
    if (!atomic_file_open(&palette, video->path, error))
        return false;
    snprintf(colors, sizeof colors, "file:%s", palette.temporary);
    bool made = convert(video, &palette, nothing_more,
                        (const char *const[]){"-vf", "palettegen=stats_mode=full", "-frames:v", "1",
                                              "-c:v", "png", "-f", "image2pipe", NULL},
                        error) &&
                convert(video, to, (const char *const[]){"-f", "png_pipe", "-i", colors, NULL},
                        (const char *const[]){"-filter_complex",
                                              "[0:v][1:v]paletteuse=dither=bayer:bayer_scale=3",
                                              "-loop", "0", "-f", "gif", NULL},
                        error);
    atomic_file_abandon(&palette);
    return made;
}

/* Makes a temporary file of pictures that repeat. */
static bool make_loop(Video *video, AtomicFile *to, BillowError *error)
{
    const bool alpha = video->form.alpha;
    const char *const webp[] = {
        "-c:v",     "libwebp_anim", "-pix_fmt", alpha ? "yuva420p" : "yuv420p",
        "-quality", "90",           "-loop",    "0",
        "-f",       "webp",         NULL};
    const char *const apng[] = {"-c:v",  "apng",  "-pix_fmt", alpha ? "rgba" : "rgb24",
                                "-pred", "mixed", "-plays",   "0",
                                "-f",    "apng",  NULL};
    if (video->kind == VIDEO_GIF)
        return make_gif(video, to, error);
    return convert(video, to, nothing_more, video->kind == VIDEO_WEBP ? webp : apng, error);
}

/* Makes a temporary file of the raw video and its sound, if there is one. */
static bool add_sound(Video *video, AtomicFile *to, BillowError *error)
{
    static const char *const endings[][9] = {
        [VIDEO_MP4] = {"-c:v", "copy", "-c:a", "aac", "-movflags", "+faststart", "-f", "mp4"},
        [VIDEO_WEBM] = {"-c:v", "copy", "-c:a", "libopus", "-f", "webm"},
        [VIDEO_MOV] = {"-c:v", "copy", "-c:a", "pcm_s16le", "-f", "mov"}};
    char sound[sizeof to->temporary + 8], rate[16], seconds[32];
    const char *const with_sound[] = {"-f",   "f32le", "-ar",  rate,   "-ac",  "2",
                                      "-t",   seconds, "-i",   sound,  "-map", "0:v",
                                      "-map", "1:a",   "-b:a", "160k", NULL};
    const bool sounds = video->sound.stream != NULL;
    if (sounds && fflush(video->sound.stream) != 0)
        return fail_of_sound(video, errno, error);
    snprintf(sound, sizeof sound, "file:%s", video->sound.temporary);
    snprintf(rate, sizeof rate, "%d", VIDEO_SOUND_RATE);
    number_print(seconds, sizeof seconds, "%.9g", (double)video->frames / video->form.fps);
    return convert(video, to, sounds ? with_sound : nothing_more, endings[video->kind], error);
}

/* Makes the final file of the raw video. keeps: gives it its name; otherwise it is removed. */
static bool make_file(Video *video, bool keeps, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, video->path, error))
        return false;
    const bool made =
        video->silent ? make_loop(video, &file, error) : add_sound(video, &file, error);
    if (made && keeps)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return made;
}

bool video_finish(Video *video, BillowError *error)
{
    bool good = end_encoder(video, error);
    const bool whole = good && video->kind == VIDEO_WEBM && video->sound.stream == NULL;
    if (!whole && (!good || !make_file(video, true, error))) {
        video_give_up(video, error);
        return false;
    }
    if (whole)
        good = atomic_file_commit(&video->raw, error);
    else
        atomic_file_abandon(&video->raw);
    drop_sound(video);
    free(video);
    return good;
}

bool video_probe(const char *path, const VideoForm *form, BillowError *error)
{
    static const float silence[2] = {0, 0};
    size_t bytes = (size_t)form->width * (size_t)form->height * (form->alpha ? 4 : 3);
    uint8_t *black = calloc(bytes, 1);
    if (black == NULL)
        return fail(error, "%.200s: no memory for a frame of %dx%d pixels", path, form->width,
                    form->height);
    Video *video = video_open(path, form, error);
    bool well = video != NULL && video_write(video, black, error) && end_encoder(video, error);
    free(black);
    if (video == NULL)
        return false;
    if (well && video->silent)
        well = make_file(video, false, error);
    if (well && form->sound &&
        (!video_sound(video, silence, 1, error) ||
         (video->sound.stream != NULL && !make_file(video, false, error)))) {
        const BillowError why = *error;
        well =
            fail(error, "%s (with sound; try another format, or a video without sound)", why.text);
    }
    BillowError reason;
    end_encoder(video, &reason);
    atomic_file_abandon(&video->raw);
    drop_sound(video);
    free(video);
    return well;
}
