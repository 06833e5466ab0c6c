/* SPDX-License-Identifier: MIT
 *
 * Host of the examples on a desktop: command line, SDL2 window, runs without it. See example.h. */
#define _POSIX_C_SOURCE 200809L
#define SDL_MAIN_HANDLED
#include "example.h"
#include "output.h"

#include <errno.h>
#include <math.h>
#include <SDL.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2, INTERRUPTED = 130 };

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

/* program: as it was started */
static int print_help(const char *program)
{
    printf("%s: %s\n\nusage: %s [OPTIONS]\n\n", example.name, example.summary, program);
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
                            argv[at], argv[0]);
        if (status != DONE)
            return status;
    }
    return DONE;
}

/* -- a run without a display ------------------------------------------------------------------ */

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* A signal that the program was started to ignore, as by nohup, stays ignored. SA_RESTART is not
 * set. The second signal therefore ends a write that waits for an ffmpeg that hangs. */
static void watch_interrupts(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* if ffmpeg ends early, a write fails */
}

/* Runs the script and draws what the output needs: all frames of a video, or the last one. Returns
 * an exit status. */
static int run_script(void *state, ExampleFrame *frame, int frames, Output *output)
{
    for (int n = 0; n < frames && !interrupted; n++) {
        ExampleInput input = {0};
        example.script(state, n, &input);
        example.input(state, &input);
        example.step(state);
        if (output == NULL || (!output->video && n < frames - 1))
            continue;
        example.draw(state, frame);
        if (!output_write(output, frame))
            return interrupted ? INTERRUPTED : FAILED;
    }
    return interrupted ? INTERRUPTED : DONE;
}

static int run_headless(void *state, ExampleFrame *frame, const RunSettings *run)
{
    int frames = run->frames > 0 ? run->frames : example.frames;
    char text[256];
    Output output;
    ExampleError error;
    watch_interrupts();
    if (run->out != NULL && !output_takes(run->out))
        return complain(WRONG_USAGE, "--out: must end in .png or .mp4, not '%s'", run->out);
    if (run->out != NULL &&
        !output_open(&output, run->out, run->force, frame, example.rate, &error))
        return complain(FAILED, "%s", error.text);
    int status = run_script(state, frame, frames, run->out != NULL ? &output : NULL);
    if (run->out != NULL && status == INTERRUPTED)
        output_abandon(&output);
    else if (run->out != NULL && !output_close(&output, &error))
        status = interrupted ? INTERRUPTED : complain(FAILED, "%s", error.text);
    if (status == INTERRUPTED)
        return complain(INTERRUPTED, "interrupted");
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
        return complain(FAILED,
                        "there is no display; add --frames %d --out FILE.png to draw without one",
                        example.frames);
    /* A frame that is larger than the screen is shown smaller. */
    SDL_Rect room;
    double scale = 1;
    if (SDL_GetDisplayUsableBounds(0, &room) == 0)
        scale = fmin(1, fmin((double)room.w / frame->width, (double)room.h / frame->height));
    window->window = SDL_CreateWindow(example.name, SDL_WINDOWPOS_UNDEFINED,
                                      SDL_WINDOWPOS_UNDEFINED, (int)(scale * frame->width),
                                      (int)(scale * frame->height), SDL_WINDOW_RESIZABLE);
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
    default: /* 0 stands for all keys that examples do not know */
        return code > EXAMPLE_DOWN && code < EXAMPLE_KEYS ? (int)code : 0;
    }
}

/* Gathers the input of one frame. *now: the pointer and the keys that are down. Returns false at
 * the end of the program. */
static bool take_events(ExampleInput *input, ExampleInput *now)
{
    Uint32 buttons = 0; /* a click that ends within the frame counts for the frame */
    *input = *now;
    for (SDL_Event event; SDL_PollEvent(&event);) {
        bool down = event.type == SDL_KEYDOWN;
        if (event.type == SDL_QUIT || (down && event.key.keysym.sym == SDLK_ESCAPE))
            return false;
        if ((down || event.type == SDL_KEYUP) && event.key.repeat == 0) {
            int key = key_of(event.key.keysym.sym);
            now->held[key] = down;
            input->held[key] |= down;
            input->pressed[key] |= down;
        } else if (event.type == SDL_MOUSEMOTION) {
            input->x = now->x = event.motion.x;
            input->y = now->y = event.motion.y;
            input->dx += event.motion.xrel;
            input->dy += event.motion.yrel;
        } else if (event.type == SDL_MOUSEBUTTONDOWN)
            buttons |= SDL_BUTTON(event.button.button);
        else if (event.type == SDL_MOUSEWHEEL)
            input->wheel += event.wheel.y;
    }
    buttons |= SDL_GetMouseState(NULL, NULL);
    input->left = (buttons & SDL_BUTTON_LMASK) != 0;
    input->middle = (buttons & SDL_BUTTON_MMASK) != 0;
    input->right = (buttons & SDL_BUTTON_RMASK) != 0;
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

static int run_example(char **argv)
{
    _Alignas(max_align_t) char settings[256];
    RunSettings run = {0};
    ExampleFrame frame = {0};
    ExampleError error = {0};
    memcpy(settings, example.defaults, example.settings_size);
    int status = read_arguments(argv, settings, &run);
    if (status != DONE)
        return status;
    if (run.help)
        return print_help(argv[0]);
    void *state = example.create(settings, &frame, &error);
    if (state == NULL)
        return complain(error.usage ? WRONG_USAGE : FAILED, "%s", error.text);
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

int main(int argc, char **argv)
{
    (void)argc;
    int status = run_example(argv);
    errno = 0;
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && status == DONE)
        status = complain(FAILED, "standard output: %s",
                          errno != 0 ? strerror(errno) : "could not be written");
    return status;
}
