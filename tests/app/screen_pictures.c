/* SPDX-License-Identifier: MIT
 * Pictures of the screen of Xvfb, for screen_fixture.sh. SCREEN is the file that Xvfb keeps with
 * -fbdir, AREA is WIDTHxHEIGHT+X+Y, and pictures are .ppm files.
 *   take SCREEN AREA PICTURE            writes that part of the screen
 *   still SCREEN AREA PICTURE PID...    the same, once it no longer changes and these processes
 * sleep difference PICTURE PICTURE          prints how many pixels differ by more than 2 percent
 *   colors PICTURE                      prints how many colours there are */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Picture {
    int width, height;
    unsigned char *rgb;
} Picture;

static void fail(const char *what)
{
    fprintf(stderr, "screen_pictures: %s\n", what);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL)
        fail(path);
    return file;
}

static Picture make_picture(int width, int height)
{
    Picture made = {width, height, calloc((size_t)width * (size_t)height, 3)};
    if (made.rgb == NULL)
        fail("out of memory");
    return made;
}

/* Number `index` of the header, which XWDFile.h describes. */
static uint32_t header_number(const unsigned char *header, int index)
{
    const unsigned char *at = header + 4 * index;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static Picture take(const char *screen, const char *area)
{
    int width, height, left, top;
    unsigned char header[100];
    if (sscanf(area, "%dx%d+%d+%d", &width, &height, &left, &top) != 4)
        fail(area);
    FILE *file = open_file(screen, "rb");
    if (fread(header, sizeof header, 1, file) != 1)
        fail(screen);
    const uint32_t wide = header_number(header, 4), high = header_number(header, 5),
                   bits = header_number(header, 11), stride = header_number(header, 12),
                   start = header_number(header, 0) + 12 * header_number(header, 19);
    if (bits != 32 || left + width > (int)wide || top + height > (int)high)
        fail(area);
    Picture taken = make_picture(width, height);
    unsigned char *row = malloc(stride), *rgb = taken.rgb;
    for (int y = top; row != NULL && y < top + height; y++) {
        fseek(file, (long)start + y * (long)stride, SEEK_SET);
        if (fread(row, stride, 1, file) != 1)
            fail(screen);
        for (int x = left; x < left + width; x++)
            for (int channel = 2; channel >= 0; channel--) /* they are stored backwards */
                *rgb++ = row[4 * x + channel];
    }
    free(row);
    fclose(file);
    return taken;
}

static void keep(const Picture *picture, const char *path)
{
    FILE *file = open_file(path, "wb");
    fprintf(file, "P6\n%d %d\n255\n", picture->width, picture->height);
    fwrite(picture->rgb, 3, (size_t)picture->width * (size_t)picture->height, file);
    if (fclose(file) != 0)
        fail(path);
}

static Picture load(const char *path)
{
    int width, height;
    FILE *file = open_file(path, "rb");
    if (fscanf(file, "P6 %d %d 255", &width, &height) != 2 || fgetc(file) == EOF)
        fail(path);
    Picture loaded = make_picture(width, height);
    if (fread(loaded.rgb, 3, (size_t)width * (size_t)height, file) !=
        (size_t)width * (size_t)height)
        fail(path);
    fclose(file);
    return loaded;
}

static int difference(const Picture *a, const Picture *b)
{
    const double most = 0.02 * 255;
    int found = 0;
    if (a->width != b->width || a->height != b->height)
        fail("pictures of different sizes");
    for (int i = 0; i < 3 * a->width * a->height; i += 3) {
        int sum = 0;
        for (int c = i; c < i + 3; c++)
            sum += (a->rgb[c] - b->rgb[c]) * (a->rgb[c] - b->rgb[c]);
        found += sum > most * most;
    }
    return found;
}

/* Whether no thread of a process runs or waits for a processor; true also after its end. */
static bool sleeps(const char *process)
{
    char path[300];
    bool all = true;
    snprintf(path, sizeof path, "/proc/%s/task", process);
    DIR *threads = opendir(path);
    for (struct dirent *thread; all && threads != NULL && (thread = readdir(threads)) != NULL;) {
        char name[64], state = 'S';
        snprintf(path, sizeof path, "/proc/%s/task/%.20s/stat", process, thread->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL && fscanf(file, "%*d (%63[^)]) %c", name, &state) == 2)
            all = state != 'R' && state != 'D';
        if (file != NULL)
            fclose(file);
    }
    if (threads != NULL)
        closedir(threads);
    return all;
}

/* Waits for at most a minute until a picture at rest has been refined to its end: until ten looks
 * in a second show the same, and the processes asleep. On a busy machine the picture alone tells
 * too little: seconds may pass between two parts of it that change. */
static Picture still(const char *screen, const char *area, char **processes)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    Picture now = take(screen, area);
    for (int tries = 0, same = 0; tries < 600 && same < 10; tries++) {
        Picture before = now;
        nanosleep(&pause, NULL);
        now = take(screen, area);
        bool stays = difference(&before, &now) == 0;
        for (char **process = processes; stays && *process != NULL; process++)
            stays = sleeps(*process);
        same = stays ? same + 1 : 0;
        free(before.rgb);
    }
    return now;
}

static int colors(const Picture *picture)
{
    unsigned char *seen = calloc(1 << 24, 1);
    int found = 0;
    for (int i = 0; seen != NULL && i < 3 * picture->width * picture->height; i += 3) {
        const unsigned char *rgb = picture->rgb + i;
        unsigned char *color = &seen[rgb[0] << 16 | rgb[1] << 8 | rgb[2]];
        found += !*color;
        *color = 1;
    }
    free(seen);
    return found;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 2 ? argv[1] : "";
    Picture first = {0}, second = {0};
    if (strcmp(verb, "take") == 0 && argc == 5) {
        first = take(argv[2], argv[3]);
        keep(&first, argv[4]);
    } else if (strcmp(verb, "still") == 0 && argc > 5) {
        first = still(argv[2], argv[3], argv + 5);
        keep(&first, argv[4]);
    } else if (strcmp(verb, "difference") == 0 && argc == 4) {
        first = load(argv[2]), second = load(argv[3]);
        printf("%d", difference(&first, &second));
    } else if (strcmp(verb, "colors") == 0 && argc == 3) {
        first = load(argv[2]);
        printf("%d", colors(&first));
    } else
        fail("see the head of screen_pictures.c");
    free(first.rgb);
    free(second.rgb);
    return 0;
}
