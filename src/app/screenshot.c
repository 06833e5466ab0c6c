/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "screenshot.h"

#include "fail.h"
#include "image.h"
#include "legend.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NUMBER_MAX 9999

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
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

static void add_legend(const RenderSlice *slice, Image *image)
{
    Caption *letters = slice->field != NULL ? legend_letters(image, NULL) : NULL;
    if (letters == NULL)
        return;
    Legend legend = legend_for(slice);
    legend_draw(&legend, letters, image);
    caption_close(letters);
}

static bool free_name(const char *folder, const char *scene, char name[96], char *path,
                      size_t path_size, BillowError *error)
{
    char plain[64];
    plain_name(scene[0] != 0 ? scene : "billow", plain);
    for (int number = 1; number <= NUMBER_MAX; number++) {
        snprintf(name, 96, "%s-%04d.png", plain, number);
        int length = snprintf(path, path_size, "%s/%s", folder, name);
        if (length < 0 || (size_t)length >= path_size)
            return fail(error, "%.200s...: the folder's name is too long", folder);
        if (!exists(path))
            return true;
    }
    return fail(error, "%.300s holds %d screenshots of %s already; move some away", folder,
                NUMBER_MAX, plain);
}

static bool keep_band(void *context, const Band *band, BillowError *error)
{
    const Image *image = context;
    size_t row = (size_t)image->width * (size_t)image->channels;
    (void)error;
    memcpy(image->pixels + (size_t)band->first * row, band->pixels, (size_t)band->rows * row);
    return true;
}

bool screenshot_take(Renderer *renderer, const Scene *scene, const Look *look, RenderFrame frame,
                     const char *folder, char name[96], BillowError *error)
{
    char path[4096];
    if (!free_name(folder, scene->name, name, path, sizeof path, error))
        return false;
    frame.scale = 1;
    frame.step = 0.5f;
    frame.cursor = frame.smooth = frame.turning = false;
    frame.history = 0;
    frame.frame = 0;
    frame.seconds = 0;
    frame.late = false;
    frame.aside = true;
    Image image;
    if (!image_create(&image, frame.width, frame.height, 3, error))
        return false;
    bool taken = renderer_bands(renderer, look, &frame, 3, keep_band, &image, error);
    if (taken)
        add_legend(&frame.slice, &image);
    taken = taken && image_write_png(&image, path, error);
    image_destroy(&image);
    return taken;
}
