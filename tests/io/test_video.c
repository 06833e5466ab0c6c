/* SPDX-License-Identifier: MIT
 * Videos: their content, and what remains if ffmpeg is missing, refuses or crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/system.h"
#include "io/video.h"
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 12 };

static const VideoForm plain = {.width = WIDTH, .height = HEIGHT, .fps = 24};
static char usual_path[4096];

static int enter_folder(void **state)
{
    char template[] = "/tmp/billow-test-video-XXXXXX";
    char *folder = mkdtemp(template);
    const char *path = getenv("PATH");
    if (folder == NULL || chdir(folder) != 0 || path == NULL)
        return -1;
    snprintf(usual_path, sizeof usual_path, "%s", path);
    *state = strdup(folder);
    return *state != NULL ? 0 : -1;
}

static int leave_folder(void **state)
{
    char line[128];
    setenv("PATH", usual_path, 1);
    snprintf(line, sizeof line, "rm -rf '%s'", (char *)*state);
    free(*state);
    return chdir("/") != 0 || system(line) != 0;
}

static int count_files(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    int count = -2; /* . and .. */
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* A bar that goes from left to right in so many frames, over red; clear to the left of it. */
static void paint(uint8_t *pixels, const VideoForm *form, int frame)
{
    int channels = form->alpha ? 4 : 3, bar = form->width * frame / FRAMES;
    for (int y = 0; y < form->height; y++)
        for (int x = 0; x < form->width; x++) {
            uint8_t *pixel = pixels + (y * form->width + x) * channels;
            pixel[0] = 200;
            pixel[1] = pixel[2] = x >= bar && x < bar + 16 ? 200 : 30;
            if (form->alpha)
                pixel[3] = x < bar ? 0 : 255;
        }
}

/* Whether all frames could be written, or the message. */
static bool write_frames(Video *video, const VideoForm *form, int frames, BillowError *error)
{
    uint8_t pixels[WIDTH * HEIGHT * 4];
    bool well = true;
    for (int frame = 0; frame < frames && well; frame++) {
        paint(pixels, form, frame % FRAMES);
        well = video_write(video, pixels, error);
    }
    return well;
}

static void make(const char *path, const VideoForm *form)
{
    BillowError error = {{0}};
    if (!video_probe(path, form, &error))
        fail_msg("%s", error.text);
    assert_int_equal(count_files(), 0);
    Video *video = video_open(path, form, &error);
    if (video == NULL || !write_frames(video, form, FRAMES, &error))
        fail_msg("%s", error.text);
    assert_int_equal(video_frames(video), FRAMES);
    assert_int_not_equal(access(path, F_OK), 0);
    if (!video_finish(video, &error))
        fail_msg("%s", error.text);
    assert_int_equal(count_files(), 1);
}

static void ask(const char *line, char *answer, size_t size)
{
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    answer[fread(answer, 1, size - 1, stream)] = 0;
    assert_int_equal(pclose(stream), 0);
}

static void expect(const char *path, const char *codec, int frames, double seconds)
{
    char line[256], answer[256], found[32];
    int width, height, count;
    double length;
    snprintf(line, sizeof line,
             "ffprobe -v error -count_frames -select_streams v -show_entries "
             "stream=codec_name,width,height,nb_read_frames:format=duration -of csv=p=0 %s",
             path);
    ask(line, answer, sizeof answer);
    if (sscanf(answer, "%31[^,],%d,%d,%d%lf", found, &width, &height, &count, &length) != 5)
        fail_msg("%s", answer);
    assert_string_equal(found, codec);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_int_equal(count, frames);
    assert_true(fabs(length - seconds) < 0.03); /* in hundredths of a second in a .gif */
}

/* All frames as they come out again, 4 bytes a pixel. */
static void decode(const char *how, const char *path, uint8_t *pixels)
{
    char line[256];
    snprintf(line, sizeof line, "ffmpeg -v error %s -i %s -f rawvideo -pix_fmt rgba -", how, path);
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    size_t bytes = (size_t)FRAMES * WIDTH * HEIGHT * 4;
    assert_int_equal(fread(pixels, 1, bytes, stream), bytes);
    assert_int_equal(pclose(stream), 0);
}

/* At worst, in the middle row; where nothing shows, colours are none. */
static int difference(const VideoForm *form, const uint8_t *found)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    int channels = form->alpha ? 4 : 3, worst = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        paint(pixels, form, frame);
        for (int x = 0; x < WIDTH; x++) {
            size_t at = (size_t)HEIGHT / 2 * WIDTH + (size_t)x;
            const uint8_t *given = pixels + at * (size_t)channels;
            const uint8_t *seen = found + ((size_t)frame * WIDTH * HEIGHT + at) * 4;
            bool shows = channels == 3 || given[3] > 0;
            int edge = x - WIDTH * frame / FRAMES; /* chroma has half the pixels */
            if ((edge > -3 && edge < 3) || (edge > 13 && edge < 19))
                continue;
            for (int c = shows ? 0 : 3; c < channels; c++)
                worst = abs(given[c] - seen[c]) > worst ? abs(given[c] - seen[c]) : worst;
        }
    }
    return worst;
}

static void test_kinds(void **state)
{
    (void)state;
    static uint8_t found[FRAMES * WIDTH * HEIGHT * 4];
    VideoForm clear = plain;
    clear.alpha = true;
    make("a.mp4", &plain);
    expect("a.mp4", "h264", FRAMES, 0.5);
    decode("", "a.mp4", found);
    assert_true(difference(&plain, found) < 12);
    assert_int_equal(remove("a.mp4"), 0);
    VideoForm odd = plain;
    odd.fps = 12.5;
    make("a.mp4", &odd);
    expect("a.mp4", "h264", FRAMES, FRAMES / 12.5);
    assert_int_equal(remove("a.mp4"), 0);
    make("a.GIF", &plain);
    expect("a.GIF", "gif", FRAMES, 0.5);
    decode("", "a.GIF", found);
    assert_true(difference(&plain, found) < 12);
    assert_int_equal(remove("a.GIF"), 0);
    make("a b's.webm", &clear);
    expect("\"a b's.webm\"", "vp9", FRAMES, 0.5);
    decode("-c:v libvpx-vp9", "\"a b's.webm\"", found);
    assert_true(difference(&clear, found) < 24);
}

/* ProRes keeps colour and alpha in 10 bits or more. */
static void test_mov(void **state)
{
    (void)state;
    static uint8_t found[FRAMES * WIDTH * HEIGHT * 4];
    for (int alpha = 0; alpha < 2; alpha++) {
        char answer[64];
        VideoForm form = plain;
        form.alpha = alpha;
        make("a.mov", &form);
        expect("a.mov", "prores", FRAMES, 0.5);
        ask("ffprobe -v error -show_entries stream=profile,pix_fmt -of csv=p=0 a.mov", answer,
            sizeof answer);
        assert_non_null(strstr(answer, alpha ? "yuva444p1" : "yuv444p1"));
        assert_non_null(strstr(answer, "4444"));
        decode("", "a.mov", found);
        assert_true(difference(&form, found) < 12);
        assert_int_equal(remove("a.mov"), 0);
    }
}

static void test_apng(void **state)
{
    (void)state;
    static uint8_t found[FRAMES * WIDTH * HEIGHT * 4];
    for (int alpha = 0; alpha < 2; alpha++) {
        char answer[64];
        VideoForm form = plain;
        form.alpha = alpha;
        make("a.apng", &form);
        decode("", "a.apng", found);
        assert_int_equal(difference(&form, found), 0);
        /* The control of the animation: the number of frames, and 0 for repeating. */
        ask("grep -abo acTL a.apng | head -1 | cut -d: -f1 | "
            "{ read at; tail -c +$((at + 1)) a.apng; } | head -c 12 | od -An -tx1 | tr -d ' \\n'",
            answer, sizeof answer);
        assert_string_equal(answer, "6163544c0000000c00000000");
        assert_int_equal(remove("a.apng"), 0);
    }
}

static uint32_t little(const uint8_t *bytes, int count)
{
    uint32_t value = 0;
    for (int b = count - 1; b >= 0; b--)
        value = 256 * value + bytes[b];
    return value;
}

/* ffmpeg reads no animated .webp: by its chunks, and its first frame by the codec's own. */
static void test_webp(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 18], found[WIDTH * HEIGHT * 4];
    for (int alpha = 0; alpha < 2; alpha++) {
        VideoForm form = plain;
        form.alpha = alpha;
        make("a.webp", &form);
        FILE *file = fopen("a.webp", "rb");
        assert_non_null(file);
        const size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_memory_equal(bytes + 8, "WEBPVP8X", 8);
        assert_int_equal(little(bytes + 4, 4) + 8, length);
        assert_int_equal(bytes[20] & 0x12, alpha ? 0x12 : 2); /* alpha; animation */
        assert_int_equal(little(bytes + 24, 3) + 1, WIDTH);
        assert_int_equal(little(bytes + 27, 3) + 1, HEIGHT);
        uint32_t shown = 0;
        bool repeats = false;
        for (size_t at = 12; at < length; at += 8 + (little(bytes + at + 4, 4) + 1) / 2 * 2) {
            if (memcmp(bytes + at, "ANIM", 4) == 0)
                repeats = little(bytes + at + 12, 2) == 0;
            if (memcmp(bytes + at, "ANMF", 4) == 0)
                shown += little(bytes + at + 20, 3);
        }
        assert_true(repeats);
        assert_in_range(shown, 470, 530); /* ms */
        if (system("convert -list format 2>/dev/null | grep -q 'WEBP.* r'") != 0)
            skip();
        ask("convert 'a.webp[0]' -depth 8 rgba:-", (char *)found, sizeof found);
        const uint8_t *corner = found + ((size_t)HEIGHT / 2 * WIDTH + WIDTH - 3) * 4;
        assert_true(abs(corner[0] - 200) < 12 && corner[1] < 42 && corner[3] > 250);
        assert_int_equal(remove("a.webp"), 0);
    }
}

static VideoKind kind_of(const char *name)
{
    const PictureFormat *format = picture_format(name);
    return format != NULL ? format->video : VIDEO_NONE;
}

static void test_kinds_by_name(void **state)
{
    (void)state;
    assert_int_equal(kind_of("a.mp4"), VIDEO_MP4);
    assert_int_equal(kind_of("b/a.WebM"), VIDEO_WEBM);
    assert_int_equal(kind_of("a.gif"), VIDEO_GIF);
    assert_int_equal(kind_of(".mp4"), VIDEO_NONE);
    assert_int_equal(kind_of("a.png"), VIDEO_NONE);
    assert_int_equal(kind_of("mp4"), VIDEO_NONE);
    int width = 63, height = 48;
    picture_format_fit(picture_format("a.webm"), &width, &height);
    assert_int_equal(width, 63);
    picture_format_fit(picture_format("a.mp4"), &width, &height);
    assert_int_equal(width, 64);
    assert_int_equal(height, 48);
}

/* Every format writes in one way, and messages list them all. */
static void test_formats_are_complete(void **state)
{
    (void)state;
    char endings[128];
    picture_format_endings(endings, sizeof endings);
    assert_string_equal(endings, ".png, .tga, .jpg, .exr, .mp4, .webm, .mov, .webp, .apng or .gif");
    static const char *const names[] = {"a.png",  "a.tga", "a.jpg",  "a.exr",  "a.mp4",
                                        "a.webm", "a.mov", "a.webp", "a.apng", "a.gif"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const PictureFormat *format = picture_format(names[n]);
        assert_string_equal(format->ending, names[n] + 1);
        assert_int_equal(format->write != NULL, format->storage == PICTURE_BYTES);
        assert_int_equal(format->open != NULL, format->storage == PICTURE_FLOATS);
        assert_int_equal(format->video != VIDEO_NONE, format->storage == PICTURE_VIDEO);
        if (format->standard_output != NULL)
            assert_ptr_equal(picture_format(format->standard_output), format);
    }
    BillowError error;
    const VideoForm form = {.width = 16, .height = 16, .fps = 30};
    assert_false(video_takes("a.png", &form, &error));
    assert_string_equal(error.text, "a.png: this ending is not a video format");
}

static void expect_refusal(const char *path, const VideoForm *form, const char *words)
{
    BillowError error = {{0}};
    assert_false(video_probe(path, form, &error));
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("wanted '%s' and got: %s", words, error.text);
}

static void test_refusals(void **state)
{
    (void)state;
    VideoForm form = plain;
    form.alpha = true;
    expect_refusal("a.mp4", &form, "a.mp4: .mp4 files keep no transparency; write a .webm");
    expect_refusal("a.gif", &form, ".webm");
    const PictureFormat still = {.ending = ".ppm", .storage = PICTURE_BYTES};
    BillowError error = {{0}};
    assert_false(picture_format_check_alpha(&still, "a.ppm", NULL, &error));
    assert_string_equal(error.text, "a.ppm: .ppm files keep no transparency; write a .png");
    assert_true(picture_format_check_alpha(picture_format("a.png"), "a.png", NULL, &error));
    form = plain;
    form.fps = 60;
    expect_refusal("a.gif", &form,
                   ".gif files show at most 50 frames per second; ask for fewer, or write an .mp4");
    expect_refusal("none/a.mp4", &plain, "no folder none/");
    char longer[5000];
    snprintf(longer, sizeof longer, "%04990d.mp4", 0);
    expect_refusal(longer, &plain, "not enough memory for a video, or its name is too long");
    form = plain;
    form.width = WIDTH - 1; /* which x264 says itself */
    expect_refusal("a.mp4", &form, "ffmpeg could not write it: ");
    assert_int_equal(symlink("/dev/null", "null.mp4"), 0);
    expect_refusal("null.mp4", &plain, "null.mp4: a video cannot be written to a device or a pipe");
    assert_int_equal(remove("null.mp4"), 0);
    setenv("PATH", "/nowhere", 1);
    expect_refusal("a.mp4", &plain, "not in PATH; install it");
    form = plain;
    form.instead = "draw";
    expect_refusal("a.mp4", &form, "install it, or draw");
    assert_int_equal(count_files(), 0);
}

/* Sound is as long as the pictures, whatever it was given. */
static void test_sound(void **state)
{
    (void)state;
    static float sound[2 * VIDEO_SOUND_RATE];
    static const char *const paths[] = {"s.mp4", "s.webm", "s.mov", "s.gif", "s.apng"};
    static const char *const codecs[] = {"aac", "opus", "pcm_s16le", "", ""};
    for (int n = 0; n < 2 * VIDEO_SOUND_RATE; n++)
        sound[n] = n % 2 == 0 ? 0.5f * sinf(0.05f * (float)n) : 0;
    for (int p = 0; p < 5; p++) {
        BillowError error = {{0}};
        char line[256], answer[256];
        Video *video = video_open(paths[p], &plain, &error);
        assert_non_null(video);
        assert_true(video_sound(video, sound, VIDEO_SOUND_RATE, &error));
        assert_true(write_frames(video, &plain, FRAMES, &error));
        if (!video_finish(video, &error))
            fail_msg("%s", error.text);
        assert_int_equal(count_files(), 1);
        snprintf(line, sizeof line,
                 "ffprobe -v error -select_streams a -show_entries stream=codec_name,channels "
                 "-of csv=p=0 %s; ffmpeg -v error -i %s -vn -f s16le - 2>/dev/null | wc -c",
                 paths[p], paths[p]);
        ask(line, answer, sizeof answer);
        assert_int_equal(strncmp(answer, codecs[p], strlen(codecs[p])), 0);
        const char *last = strrchr(answer, '\n') - 1;
        while (last > answer && last[-1] != '\n')
            last--;
        const double seconds = atof(last) / (4.0 * VIDEO_SOUND_RATE);
        assert_true(p >= 3 ? seconds == 0 : fabs(seconds - 0.5) < 0.03);
        assert_int_equal(remove(paths[p]), 0);
    }
}

static void test_no_room_for_sound(void **state)
{
    (void)state;
    static const float sound[2 * VIDEO_SOUND_RATE];
    BillowError error = {{0}};
    struct rlimit usual, little;
    Video *video = video_open("s.mp4", &plain, &error);
    assert_non_null(video);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    little = usual;
    little.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    const bool written = video_sound(video, sound, VIDEO_SOUND_RATE, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_false(written);
    assert_non_null(strstr(error.text, "s.mp4: its sound cannot be written: "));
    video_give_up(video, &error);
    assert_int_equal(count_files(), 0);
}

/* A script named ffmpeg that calls the real one, except for the given case of the shell. */
static void put_false(const char *cases)
{
    char path[16384], folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_true(mkdir("bin", 0777) == 0 || access("bin", F_OK) == 0);
    FILE *stream = fopen("bin/ffmpeg", "w");
    assert_non_null(stream);
    fprintf(stream, "#!/bin/sh\nPATH='%s'\ncase \"$*\" in\n%s\nesac\nexec ffmpeg \"$@\"\n",
            usual_path, cases);
    fclose(stream);
    assert_int_equal(chmod("bin/ffmpeg", 0755), 0);
    snprintf(path, sizeof path, "%s/bin:%s", folder, usual_path);
    setenv("PATH", path, 1);
}

/* One that encodes so many frames with the real one and then is killed. */
static void put_mortal(int frames)
{
    char cases[256];
    snprintf(cases, sizeof cases,
             "*pipe:0*)\n"
             "[ %d -eq 0 ] || dd bs=%d count=%d iflag=fullblock status=none | ffmpeg \"$@\"\n"
             "kill -9 $$ ;;",
             frames, WIDTH * HEIGHT * 3, frames);
    put_false(cases);
}

/* Where ffmpeg lacks libx264, .mp4 is made by libopenh264, if it has that. */
static void test_other_h264(void **state)
{
    (void)state;
    put_false("*libx264*) echo >&2 \"Unknown encoder 'libx264'\"; exit 1 ;;\n"
              "*libopenh264*-b:v*) touch other; exec ffmpeg -y -f rawvideo -pixel_format rgb24 "
              "-video_size 64x48 -framerate 24 -i pipe:0 -c:v libx264 -pix_fmt yuv420p "
              "-f mp4 $(for last; do :; done; echo \"$last\") ;;\n"
              "*libopenh264*) exit 0 ;;");
    BillowError error = {{0}};
    Video *video =
        video_probe("a.mp4", &plain, &error) ? video_open("a.mp4", &plain, &error) : NULL;
    if (video == NULL || !write_frames(video, &plain, FRAMES, &error) ||
        !video_finish(video, &error))
        fail_msg("%s", error.text);
    assert_int_equal(access("other", F_OK), 0);
    expect("a.mp4", "h264", FRAMES, 0.5);
    assert_int_equal(remove("a.mp4"), 0);
    put_false("*libx264*|*libopenh264*) echo >&2 \"Unknown encoder\"; exit 1 ;;");
    expect_refusal("a.mp4", &plain,
                   "a.mp4: ffmpeg has no H.264, neither libx264 nor libopenh264; install one that "
                   "has, or write a .webm");
    put_false("*libwebp*) echo >&2 \"Unknown encoder 'libwebp_anim'\"; exit 1 ;;");
    expect_refusal("a.webp", &plain, "a.webp: ffmpeg could not write it: Unknown encoder");
}

/* The message if an encoder ends early, with or without output. */
static void test_encoders_that_end_early(void **state)
{
    (void)state;
    static const struct {
        const char *cases, *message;
    } ends[] = {
        {"*pipe:0*) exit 0 ;;",
         "a.mp4: ffmpeg could not write it: it exited before the video was complete"},
        {"*pipe:0*) exit 3 ;;", "a.mp4: ffmpeg could not write it: it ended with status 3"},
        {"*pipe:0*) echo >&2 'why: No space left on device'; echo >&2 what follows; exit 1 ;;",
         "a.mp4: ffmpeg could not write it: why: No space left on device"},
        {"*pipe:0*) echo >&2 'one'; echo >&2 '  two'; echo >&2 'Conversion failed!'; exit 1 ;;",
         "a.mp4: ffmpeg could not write it: two"},
    };
    for (size_t end = 0; end < sizeof ends / sizeof ends[0]; end++) {
        BillowError error = {{0}};
        put_false(ends[end].cases);
        Video *video = video_open("a.mp4", &plain, &error);
        assert_non_null(video);
        assert_false(write_frames(video, &plain, 100, &error)); /* more than a pipe holds */
        assert_string_equal(error.text, ends[end].message);
        video_give_up(video, &error);
        assert_string_equal(error.text, ends[end].message);
        assert_int_equal(count_files(), 1);
    }
}

/* A format whose sound ffmpeg cannot encode is refused before the work, if there will be sound. */
static void test_sound_that_cannot_be(void **state)
{
    (void)state;
    BillowError error = {{0}};
    VideoForm form = plain;
    put_false("*libopus*) echo >&2 'Unknown encoder libopus'; exit 1 ;;");
    for (int sound = 0; sound < 2; sound++) {
        form.sound = sound;
        for (int kind = 0; kind < 3; kind++) {
            static const char *const paths[] = {"a.mp4", "a.gif", "a.webm"};
            if (kind == 2 && sound)
                expect_refusal(
                    paths[kind], &form,
                    "a.webm: ffmpeg could not write it: Unknown encoder libopus (with sound; try "
                    "another format, or a video without sound)");
            else if (!video_probe(paths[kind], &form, &error))
                fail_msg("%s", error.text);
            assert_int_equal(count_files(), 1);
        }
    }
}

/* All frames are there, and cannot become the file: they are kept as they are. */
static void expect_kept(const char *path, const char *cases, const char *message, const char *kept)
{
    BillowError error = {{0}};
    put_false(cases);
    Video *video = video_open(path, &plain, &error);
    assert_non_null(video);
    assert_true(write_frames(video, &plain, FRAMES, &error));
    if (cases[0] == 0)
        assert_int_equal(mkdir(path, 0777), 0);
    assert_false(video_finish(video, &error));
    if (strstr(error.text, message) == NULL || strstr(error.text, kept) == NULL)
        fail_msg("wanted '%s' and got: %s", message, error.text);
    assert_int_equal(count_files(), cases[0] == 0 ? 3 : 2);
    expect(kept, strstr(kept, ".mkv") != NULL ? "ffv1" : "h264", FRAMES, 0.5);
    assert_int_equal(remove(kept), 0);
    remove(path);
}

static void test_ends_that_fail(void **state)
{
    (void)state;
#define REFUSES ") echo >&2 no; exit 1 ;;"
    static const char message[] = ": ffmpeg could not write it: no;";
    expect_kept("a.mp4", "*faststart*" REFUSES, message, "a.partial.mp4");
    expect_kept("a.gif", "*palettegen*" REFUSES, message, "a.partial.mkv");
    expect_kept("a.gif", "*paletteuse*" REFUSES, message, "a.partial.mkv");
    /* A folder of this name came meanwhile. */
    expect_kept("a.mp4", "", "a.mp4: cannot be written: it is a folder;", "a.partial.mp4");
}

static void test_killed_encoder(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"a.mp4", "a.partial.mp4"}, {"a.webm", "a.partial.webm"}, {"a.gif", "a.partial.mkv"}};
    static const char *const codecs[] = {"h264", "vp9", "ffv1"};
    put_mortal(FRAMES);
    for (int kind = 0; kind < 3; kind++) {
        BillowError error = {{0}};
        Video *video = video_open(kinds[kind][0], &plain, &error);
        assert_non_null(video);
        assert_false(write_frames(video, &plain, 100, &error)); /* more than a pipe holds */
        video_give_up(video, &error);
        if (strstr(error.text, "signal 9") == NULL || strstr(error.text, kinds[kind][1]) == NULL)
            fail_msg("%s", error.text);
        assert_int_equal(count_files(), 2 + kind);
        expect(kinds[kind][1], codecs[kind], FRAMES, 0.5);
    }
    /* Killed after the last frame, beside what was kept before. */
    BillowError error = {{0}};
    Video *video = video_open("a.mp4", &plain, &error);
    assert_non_null(video);
    assert_true(write_frames(video, &plain, FRAMES, &error));
    assert_false(video_finish(video, &error));
    assert_non_null(strstr(error.text, "a.partial-2.mp4"));
    assert_int_equal(count_files(), 5);
}

static void test_killed_before_the_first_frame(void **state)
{
    (void)state;
    BillowError error = {{0}};
    put_mortal(0);
    Video *video = video_open("a.mp4", &plain, &error);
    assert_non_null(video);
    assert_false(write_frames(video, &plain, 100, &error));
    video_give_up(video, &error);
    assert_non_null(strstr(error.text, "signal 9"));
    assert_null(strstr(error.text, "kept"));
    assert_null(strstr(error.text, "partial"));
    assert_int_equal(count_files(), 1);
}

/* One that ends by itself, without a word. */
static void test_encoder_that_ends(void **state)
{
    (void)state;
    static const char *const ends[][2] = {{"exit 3", "it ended with status 3"},
                                          {"exit 0", "it exited before the video was complete"}};
    char path[4096];
    assert_int_equal(mkdir("bin", 0777), 0);
    assert_non_null(getcwd(path, sizeof path - 4));
    strcat(path, "/bin");
    for (int end = 0; end < 2; end++) {
        BillowError error = {{0}};
        FILE *stream = fopen("bin/ffmpeg", "w");
        assert_non_null(stream);
        fprintf(stream, "#!/bin/sh\n%s\n", ends[end][0]);
        fclose(stream);
        assert_int_equal(chmod("bin/ffmpeg", 0755), 0);
        setenv("PATH", path, 1);
        Video *video = video_open("a.mp4", &plain, &error);
        assert_non_null(video);
        assert_false(write_frames(video, &plain, 100, &error));
        video_give_up(video, &error);
        if (strstr(error.text, ends[end][1]) == NULL)
            fail_msg("%s", error.text);
    }
    setenv("PATH", usual_path, 1);
}

/* After a signal that ends the run, an encoder that takes nothing and does not end is ended. */
static void test_hung_encoder(void **state)
{
    (void)state;
    int status, process;
    put_false("*pipe:0*) echo $$ >pid; exec sleep 300 ;;");
    pid_t child = fork();
    if (child == 0) {
        BillowError error = {{0}};
        system_watch_interrupts();
        Video *video = video_open("a.mp4", &plain, &error);
        raise(SIGTERM);
        bool written = video == NULL || write_frames(video, &plain, 100, &error);
        const char *message =
            "a.mp4: ffmpeg could not write it: it had not finished 10 s after the signal";
        if (written || strcmp(error.text, message) != 0)
            _exit(99);
        video_give_up(video, &error);
        _exit(report_finish(STATUS_FAILED));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
    FILE *stream = fopen("pid", "r");
    assert_non_null(stream);
    assert_int_equal(fscanf(stream, "%d", &process), 1);
    fclose(stream);
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(count_files(), 2); /* bin and pid */
}

/* An existing file is replaced only by a complete video. */
static void test_what_stood_there(void **state)
{
    (void)state;
    BillowError error = {{0}};
    FILE *stream = fopen("a.mp4", "w");
    assert_non_null(stream);
    fputs("mine", stream);
    fclose(stream);
    Video *video = video_open("a.mp4", &plain, &error);
    assert_non_null(video);
    assert_true(write_frames(video, &plain, 3, &error));
    snprintf(error.text, sizeof error.text, "given up");
    video_give_up(video, &error);
    assert_non_null(strstr(error.text, "given up; what was made so far is in "));
    struct stat status;
    assert_int_equal(stat("a.mp4", &status), 0);
    assert_int_equal(status.st_size, 4);
    expect("a.partial.mp4", "h264", 3, 3.0 / 24);
    video = video_open("a.mp4", &plain, &error);
    assert_non_null(video);
    assert_true(write_frames(video, &plain, 3, &error));
    assert_true(video_finish(video, &error));
    expect("a.mp4", "h264", 3, 3.0 / 24);
    assert_int_equal(count_files(), 2);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(test_kinds),
        TEST(test_mov),
        TEST(test_apng),
        TEST(test_webp),
        TEST(test_other_h264),
        TEST(test_sound),
        TEST(test_no_room_for_sound),
        TEST(test_kinds_by_name),
        TEST(test_formats_are_complete),
        TEST(test_refusals),
        TEST(test_encoders_that_end_early),
        TEST(test_sound_that_cannot_be),
        TEST(test_ends_that_fail),
        TEST(test_killed_encoder),
        TEST(test_encoder_that_ends),
        TEST(test_hung_encoder),
        TEST(test_what_stood_there),
        TEST(test_killed_before_the_first_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
