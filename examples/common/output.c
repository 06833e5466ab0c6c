/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* POSIX 2008 with realpath() */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool fail(ExampleError *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcasecmp(text + length - tail, ending) == 0;
}

bool output_takes(const char *path)
{
    return ends_with(path, ".png") || ends_with(path, ".mp4");
}

/* Starts ffmpeg with two pipes: to its input, and from its errors. It gets a process group of its
 * own, so that Ctrl-C reaches only this program, which then ends ffmpeg. */
static bool spawn_encoder(Output *output, const char **words, ExampleError *error)
{
    int frames[2], errors[2];
    if (pipe(frames) != 0 || pipe(errors) != 0)
        return fail(error, "%s: no pipe to ffmpeg: %s", output->path, strerror(errno));
    /* ffmpeg must not hold the other ends, or neither program would see the end of the other. */
    (void)fcntl(frames[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(errors[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, frames[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int reason =
        posix_spawnp(&output->encoder, "ffmpeg", &actions, &attributes, (char **)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(frames[0]);
    close(errors[1]);
    output->complaints = errors[0];
    output->stream = fdopen(frames[1], "wb");
    if (reason == 0 && output->stream != NULL)
        return true;
    return fail(error,
                "%s: ffmpeg, which makes videos, cannot be started: %s; install it, or write a "
                ".png",
                output->path, strerror(reason != 0 ? reason : errno));
}

/* Starts an encoder that reads RGB frames from output->stream. The picture grows by a pixel where
 * its width or height is odd, which H.264 with halved chroma does not store. */
static bool start_encoder(Output *output, const ExampleFrame *frame, double rate,
                          ExampleError *error)
{
    char size[32], fps[32], target[sizeof output->temporary + 8];
    snprintf(size, sizeof size, "%dx%d", frame->width, frame->height);
    snprintf(fps, sizeof fps, "%.9g", rate);
    snprintf(target, sizeof target, "file:%s", output->temporary);
    const char *words[] = {
        "ffmpeg",      "-loglevel", "error",         "-y",
        "-f",          "rawvideo",  "-pixel_format", "rgb24",
        "-video_size", size,        "-framerate",    fps,
        "-i",          "pipe:0",    "-vf",           "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-c:v",        "libx264",   "-pix_fmt",      "yuv420p",
        "-crf",        "17",        "-movflags",     "+faststart",
        "-f",          "mp4",       target,          NULL};
    return spawn_encoder(output, words, error);
}

/* Finds the file to replace. Returns false if there is none that may be replaced. */
static bool find_target(Output *output, bool force, ExampleError *error)
{
    const char *path = output->path;
    struct stat found;
    char *resolved = NULL;
    bool taken = lstat(path, &found) == 0;
    if (taken && S_ISLNK(found.st_mode) &&
        (stat(path, &found) != 0 || (resolved = realpath(path, NULL)) == NULL))
        return fail(error, "%s: cannot be written: target of the link: %s", path, strerror(errno));
    int length =
        snprintf(output->target, sizeof output->target, "%s", resolved != NULL ? resolved : path);
    free(resolved);
    if (length < 0 || (size_t)length >= sizeof output->target)
        return fail(error, "%.100s...: this path is too long", path);
    if (taken && !S_ISREG(found.st_mode))
        return fail(error, "%s: cannot be written: it is a %s", path,
                    S_ISDIR(found.st_mode) ? "directory" : "device or pipe");
    return !taken || force || fail(error, "%s exists; --force overwrites it", path);
}

bool output_open(Output *output, const char *path, bool force, const ExampleFrame *frame,
                 double rate, ExampleError *error)
{
    *output = (Output){.path = path, .video = ends_with(path, ".mp4")};
    if (!find_target(output, force, error))
        return false;
    int length = snprintf(output->temporary, sizeof output->temporary, "%s.%ld.tmp", output->target,
                          (long)getpid());
    if (length < 0 || (size_t)length >= sizeof output->temporary)
        return fail(error, "%.100s...: this path is too long", path);
    output->stream = fopen(output->temporary, "wbx");
    if (output->stream == NULL)
        return fail(error, "%s: cannot be written: %s", path, strerror(errno));
    if (!output->video)
        return true;
    fclose(output->stream); /* ffmpeg opens it again */
    if (start_encoder(output, frame, rate, error))
        return true;
    unlink(output->temporary);
    return false;
}

bool output_write(Output *output, const ExampleFrame *frame)
{
    size_t bytes = 3 * (size_t)frame->width * (size_t)frame->height;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)frame->width,
                       .height = (png_uint_32)frame->height,
                       .format = PNG_FORMAT_RGB};
    errno = 0;
    bool written = output->video ? fwrite(frame->rgb, 1, bytes, output->stream) == bytes
                                 : png_image_write_to_stdio(&image, output->stream, 0, frame->rgb,
                                                            0, NULL) != 0;
    if (!written)
        output->reason = errno != 0 ? errno : EIO;
    return written;
}

/* Waits for ffmpeg. Returns whether it has made the video; otherwise *why is its first line. ffmpeg
 * may exit with status 0 although it could not write the end of the file, but then it complains. A
 * signal to this program ends the wait, and ffmpeg. */
static bool end_encoder(const Output *output, char *why, size_t size)
{
    int status;
    pid_t ended;
    FILE *complaints = fdopen(output->complaints, "r");
    why[0] = '\0';
    bool silent =
        complaints != NULL && fgets(why, (int)size, complaints) == NULL && feof(complaints);
    if (complaints != NULL)
        fclose(complaints);
    why[strcspn(why, "\n")] = '\0';
    if (!silent)
        kill(output->encoder, SIGKILL);
    while ((ended = waitpid(output->encoder, &status, 0)) < 0 && errno == EINTR)
        kill(output->encoder, SIGKILL);
    return ended > 0 && status == 0 && silent;
}

bool output_close(Output *output, ExampleError *error)
{
    char why[200] = "";
    int reason = output->reason;
    if (fclose(output->stream) != 0 && reason == 0)
        reason = errno;
    bool whole = (!output->video || end_encoder(output, why, sizeof why)) && reason == 0;
    if (whole && rename(output->temporary, output->target) == 0)
        return true;
    if (reason == 0)
        reason = errno;
    unlink(output->temporary);
    return fail(error, "%s: could not be written completely: %s", output->path,
                why[0] != '\0' ? why : strerror(reason));
}

void output_abandon(Output *output)
{
    char why[200];
    if (output->video)
        kill(output->encoder, SIGKILL); /* the end of a long video takes it seconds */
    fclose(output->stream);
    if (output->video)
        end_encoder(output, why, sizeof why);
    unlink(output->temporary);
}
