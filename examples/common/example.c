/* SPDX-License-Identifier: MIT
 *
 * Host of the examples on a desktop: command line, SDL2 window, PNG and video. See example.h. */
#define _POSIX_C_SOURCE 200809L
#define SDL_MAIN_HANDLED
#include "example.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <png.h>
#include <SDL.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2, INTERRUPTED = 130 };

extern char **environ;

static volatile sig_atomic_t interrupted;

/* Prints one line on stderr and returns the exit status. */
static int complain(int status, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s: ", example.name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

/* -- command line ----------------------------------------------------------------------------- */

typedef struct RunSettings {
    int frames; /* 0 = no --frames */
    const char *out;
    bool force, help;
} RunSettings;

static const ExampleOption run_options[] = {
    {"--frames", "N", "run N steps without a window, driven by a script", EXAMPLE_INTEGER,
     offsetof(RunSettings, frames), 1, 1000000},
    {"--out", "FILE", "write the last frame as FILE.png, or all frames as FILE.mp4", EXAMPLE_TEXT,
     offsetof(RunSettings, out), 0, 0},
    {"--force", NULL, "overwrite an existing file", EXAMPLE_FLAG, offsetof(RunSettings, force), 0,
     0},
    {"--help", NULL, "this text", EXAMPLE_FLAG, offsetof(RunSettings, help), 0, 0},
    {0},
};

static void print_options(const ExampleOption *options)
{
    for (const ExampleOption *option = options; option->name != NULL; option++) {
        char usage[40];
        snprintf(usage, sizeof usage, "%s %s", option->name, option->value ? option->value : "");
        printf("  %-16s  %s", usage, option->help);
        if (option->kind == EXAMPLE_INTEGER || option->kind == EXAMPLE_NUMBER)
            printf(" (%.9g to %.9g)", option->least, option->most);
        putchar('\n');
    }
}

static int print_help(void)
{
    printf("%s: %s\n\nusage: %s [OPTIONS]\n\n", example.name, example.summary, example.name);
    print_options(example.options);
    print_options(run_options);
    printf("\nWithout --frames and --out a window opens. --out alone runs %d frames.\n\n%s"
           "  %-16s  end\n",
           example.frames, example.controls, "Escape");
    return DONE;
}

/* Stores a number. Returns false if the text is none of the option's range. */
static bool read_number(const ExampleOption *option, const char *text, void *member)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= option->least && number <= option->most))
        return false;
    if (option->kind == EXAMPLE_INTEGER && number != floor(number))
        return false;
    if (option->kind == EXAMPLE_INTEGER)
        *(int *)member = (int)number;
    else
        *(double *)member = number;
    return true;
}

/* Reads the option at argv[*at] into the settings, and moves *at past its value. *known: whether
 * the table has the option. Returns an exit status. */
static int read_option(const ExampleOption *options, char **argv, int *at, void *settings,
                       bool *known)
{
    const ExampleOption *option = options;
    while (option->name != NULL && strcmp(option->name, argv[*at]) != 0)
        option++;
    *known = option->name != NULL;
    if (!*known)
        return DONE;
    void *member = (char *)settings + option->offset;
    if (option->kind == EXAMPLE_FLAG) {
        *(bool *)member = true;
        return DONE;
    }
    const char *text = argv[++*at];
    if (text == NULL)
        return complain(WRONG_USAGE, "%s needs a value: %s %s", option->name, option->name,
                        option->value);
    if (option->kind == EXAMPLE_TEXT)
        *(const char **)member = text;
    else if (!read_number(option, text, member))
        return complain(WRONG_USAGE, "%s: must be a %s, %.9g to %.9g, not '%s'", option->name,
                        option->kind == EXAMPLE_INTEGER ? "whole number" : "number", option->least,
                        option->most, text);
    return DONE;
}

static int read_arguments(char **argv, void *settings, RunSettings *run)
{
    for (int at = 1; argv[at] != NULL; at++) {
        bool known;
        int status = read_option(run_options, argv, &at, run, &known);
        if (!known)
            status = read_option(example.options, argv, &at, settings, &known);
        if (!known)
            return complain(WRONG_USAGE, "there is no option '%s'; '%s --help' lists them",
                            argv[at], example.name);
        if (status != DONE)
            return status;
    }
    return DONE;
}

/* -- files ------------------------------------------------------------------------------------ */

/* A picture or a video on its way to a file. */
typedef struct Output {
    const char *path;
    char temporary[4096];
    FILE *stream; /* the PNG file, or the pipe to ffmpeg */
    pid_t encoder;
    bool video;
} Output;

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

/* Starts ffmpeg, which reads RGB frames from output->stream. The picture grows by a pixel where
 * its width or height is odd, which H.264 does not store. */
static int start_encoder(Output *output, const ExampleFrame *frame)
{
    char size[32], rate[32], target[sizeof output->temporary + 8];
    int ends[2];
    snprintf(size, sizeof size, "%dx%d", frame->width, frame->height);
    snprintf(rate, sizeof rate, "%.9g", example.rate);
    snprintf(target, sizeof target, "file:%s", output->temporary);
    const char *words[] = {
        "ffmpeg",      "-loglevel", "error",         "-y",
        "-f",          "rawvideo",  "-pixel_format", "rgb24",
        "-video_size", size,        "-framerate",    rate,
        "-i",          "pipe:0",    "-vf",           "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-c:v",        "libx264",   "-pix_fmt",      "yuv420p",
        "-crf",        "17",        "-movflags",     "+faststart",
        "-f",          "mp4",       target,          NULL};
    if (pipe(ends) != 0)
        return complain(FAILED, "%s: no pipe to ffmpeg: %s", output->path, strerror(errno));
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC); /* otherwise ffmpeg holds its own input open */
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    int reason = posix_spawnp(&output->encoder, "ffmpeg", &actions, NULL, (char **)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (reason != 0) {
        close(ends[1]);
        return complain(FAILED,
                        "%s: ffmpeg, which makes videos, cannot be started: %s; install it, or "
                        "write a .png",
                        output->path, strerror(reason));
    }
    output->stream = fdopen(ends[1], "wb");
    return DONE;
}

/* Opens the temporary file, before the first step, so that a path that cannot be written is known
 * at once. */
static int output_open(Output *output, const RunSettings *run, const ExampleFrame *frame)
{
    struct stat found;
    *output = (Output){.path = run->out, .video = ends_with(run->out, ".mp4")};
    if (!output->video && !ends_with(run->out, ".png"))
        return complain(WRONG_USAGE, "--out: must end in .png or .mp4, not '%s'", run->out);
    if (!run->force && stat(run->out, &found) == 0)
        return complain(FAILED, "%s exists; --force overwrites it", run->out);
    int length = snprintf(output->temporary, sizeof output->temporary, "%s.%ld.tmp", run->out,
                          (long)getpid());
    if (length < 0 || (size_t)length >= sizeof output->temporary)
        return complain(FAILED, "%.200s...: this path is too long", run->out);
    output->stream = fopen(output->temporary, "wbx");
    if (output->stream == NULL)
        return complain(FAILED, "%s: cannot be written: %s", run->out, strerror(errno));
    if (!output->video)
        return DONE;
    fclose(output->stream);
    int status = start_encoder(output, frame);
    if (status != DONE)
        unlink(output->temporary);
    return status;
}

/* Writes a frame of a video, or the picture. */
static bool output_write(Output *output, const ExampleFrame *frame)
{
    size_t bytes = 3 * (size_t)frame->width * (size_t)frame->height;
    if (output->video)
        return fwrite(frame->rgb, 1, bytes, output->stream) == bytes;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)frame->width,
                       .height = (png_uint_32)frame->height,
                       .format = PNG_FORMAT_RGB};
    return png_image_write_to_stdio(&image, output->stream, 0, frame->rgb, 0, NULL) != 0;
}

/* Gives the file its name if everything was written, or removes it. */
static int output_close(Output *output, bool whole, int status)
{
    int encoded = 0;
    errno = 0;
    whole = fclose(output->stream) == 0 && whole;
    if (output->video)
        whole = waitpid(output->encoder, &encoded, 0) > 0 && encoded == 0 && whole;
    if (whole && status == DONE && rename(output->temporary, output->path) == 0)
        return DONE;
    int reason = errno;
    unlink(output->temporary);
    if (status != DONE)
        return status;
    return complain(FAILED, "%s: could not be written completely: %s", output->path,
                    reason != 0 ? strerror(reason) : "ffmpeg failed");
}

/* -- a run without a display ------------------------------------------------------------------ */

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int run_headless(void *state, ExampleFrame *frame, const RunSettings *run)
{
    int frames = run->frames > 0 ? run->frames : example.frames;
    Output output = {.stream = NULL};
    bool whole = true;
    char text[256];
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    signal(SIGPIPE, SIG_IGN); /* if ffmpeg ends early, a write fails */
    int status = run->out != NULL ? output_open(&output, run, frame) : DONE;
    if (status != DONE)
        return status;
    for (int n = 0; n < frames && !interrupted && whole; n++) {
        ExampleInput input = {0};
        example.script(state, n, &input);
        example.input(state, &input);
        example.step(state);
        if (run->out != NULL && (output.video || n == frames - 1)) {
            example.draw(state, frame);
            whole = output_write(&output, frame);
        }
    }
    status = interrupted ? INTERRUPTED : DONE;
    if (run->out != NULL)
        status = output_close(&output, whole, status);
    if (status == DONE) {
        example.status(state, text, sizeof text);
        puts(text);
    }
    return status;
}

/* -- the window ------------------------------------------------------------------------------- */

typedef struct Window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
} Window;

/* Without a display SDL falls back to drivers that show nothing. Such a driver counts as a display
 * only if it is asked for, as tests do. */
static bool has_display(void)
{
    if (getenv("SDL_VIDEODRIVER") != NULL)
        return SDL_Init(SDL_INIT_VIDEO) == 0;
#if defined(__linux__)
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        return false; /* libwayland would add a line of its own to stderr */
#endif
    return SDL_Init(SDL_INIT_VIDEO) == 0 && strcmp(SDL_GetCurrentVideoDriver(), "offscreen") != 0 &&
           strcmp(SDL_GetCurrentVideoDriver(), "dummy") != 0;
}

static int window_open(Window *window, const ExampleFrame *frame)
{
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    if (!has_display())
        return complain(FAILED, "there is no display; '%s --frames %d --out FILE.png' needs none",
                        example.name, example.frames);
    window->window =
        SDL_CreateWindow(example.name, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                         frame->width, frame->height, SDL_WINDOW_RESIZABLE);
    if (window->window != NULL)
        window->renderer = SDL_CreateRenderer(window->window, -1, 0);
    if (window->renderer != NULL)
        window->texture =
            SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_RGB24, SDL_TEXTUREACCESS_STREAMING,
                              frame->width, frame->height);
    /* SDL then scales the frame to the window, and the pointer back to pixels of the frame. */
    if (window->texture == NULL ||
        SDL_RenderSetLogicalSize(window->renderer, frame->width, frame->height) != 0)
        return complain(FAILED, "no window can be opened: %s", SDL_GetError());
    return DONE;
}

static int key_of(SDL_Keycode code)
{
    switch (code) {
    case SDLK_LEFT:
        return EXAMPLE_LEFT;
    case SDLK_RIGHT:
        return EXAMPLE_RIGHT;
    case SDLK_UP:
        return EXAMPLE_UP;
    case SDLK_DOWN:
        return EXAMPLE_DOWN;
    default:
        return code > EXAMPLE_DOWN && code < EXAMPLE_KEYS ? (int)code : 0;
    }
}

static void take_button(int button, bool down, ExampleInput *input, ExampleInput *now)
{
    size_t member = button == SDL_BUTTON_LEFT     ? offsetof(ExampleInput, left)
                    : button == SDL_BUTTON_MIDDLE ? offsetof(ExampleInput, middle)
                                                  : offsetof(ExampleInput, right);
    *(bool *)((char *)now + member) = down;
    if (down) /* a click that ends within a frame counts for the frame */
        *(bool *)((char *)input + member) = true;
}

/* Gathers the input of one frame. *now: what is down. Returns false at the end of the program. */
static bool take_events(ExampleInput *input, ExampleInput *now)
{
    *input = *now;
    for (SDL_Event event; SDL_PollEvent(&event);) {
        int key =
            event.type == SDL_KEYDOWN || event.type == SDL_KEYUP ? key_of(event.key.keysym.sym) : 0;
        if (event.type == SDL_QUIT ||
            (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE))
            return false;
        if (key != 0 && event.key.repeat == 0) {
            now->held[key] = event.type == SDL_KEYDOWN;
            input->pressed[key] |= now->held[key];
            input->held[key] |= now->held[key];
        } else if (event.type == SDL_MOUSEMOTION) {
            input->dx += event.motion.x - now->x;
            input->dy += event.motion.y - now->y;
            input->x = now->x = event.motion.x;
            input->y = now->y = event.motion.y;
        } else if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP)
            take_button(event.button.button, event.type == SDL_MOUSEBUTTONDOWN, input, now);
        else if (event.type == SDL_MOUSEWHEEL)
            input->wheel += event.wheel.y;
    }
    return true;
}

static void show(const Window *window, const ExampleFrame *frame)
{
    SDL_UpdateTexture(window->texture, NULL, frame->rgb, 3 * frame->width);
    SDL_RenderClear(window->renderer);
    SDL_RenderCopy(window->renderer, window->texture, NULL, NULL);
    SDL_RenderPresent(window->renderer);
}

static int run_window(void *state, ExampleFrame *frame)
{
    Window window = {NULL, NULL, NULL};
    ExampleInput now = {0}, input;
    char title[256];
    int status = window_open(&window, frame);
    double period = 1000 / example.rate, due = (double)SDL_GetTicks64();
    while (status == DONE && take_events(&input, &now)) {
        example.input(state, &input);
        example.step(state);
        example.draw(state, frame);
        show(&window, frame);
        example.status(state, title, sizeof title);
        SDL_SetWindowTitle(window.window, title);
        /* A slow machine slows the example down; it does not have to catch up. */
        due += period;
        double left = due - (double)SDL_GetTicks64();
        if (left > 0)
            SDL_Delay((Uint32)left);
        else
            due -= left;
    }
    SDL_DestroyTexture(window.texture);
    SDL_DestroyRenderer(window.renderer);
    SDL_DestroyWindow(window.window);
    SDL_Quit();
    return status;
}

int main(int argc, char **argv)
{
    (void)argc;
    _Alignas(max_align_t) char settings[256];
    RunSettings run = {0};
    ExampleFrame frame = {0};
    ExampleError error;
    memcpy(settings, example.defaults, example.settings_size);
    int status = read_arguments(argv, settings, &run);
    if (status != DONE)
        return status;
    if (run.help)
        return print_help();
    void *state = example.create(settings, &frame, &error);
    if (state == NULL)
        return complain(FAILED, "%s", error.text);
    frame.rgb = calloc(3 * (size_t)frame.width, (size_t)frame.height);
    if (frame.rgb == NULL)
        status =
            complain(FAILED, "no memory for a frame of %dx%d pixels", frame.width, frame.height);
    else if (run.frames > 0 || run.out != NULL)
        status = run_headless(state, &frame, &run);
    else
        status = run_window(state, &frame);
    free(frame.rgb);
    example.destroy(state);
    return status;
}
