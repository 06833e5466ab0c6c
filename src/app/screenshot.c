/* SPDX-License-Identifier: MIT */
#include "screenshot.h"

#include "capture_name.h"
#include "image.h"
#include "legend.h"
#include <string.h>

/* Where there are no letters the picture goes without. */
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

static bool keep_band(void *context, const Band *band, BillowError *error)
{
    const Image *image = context;
    size_t row = (size_t)image->width * (size_t)image->channels;
    (void)error;
    memcpy(image->pixels + (size_t)band->first * row, band->pixels, (size_t)band->rows * row);
    return true;
}

bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSettings *render,
                     RenderFrame frame, const char *folder, char name[96], BillowError *error)
{
    char path[4096];
    const CaptureName of = {folder, "", scene->name, 4, ".png", "screenshots"};
    if (!capture_name(&of, name, 96, path, sizeof path, error))
        return false;
    frame.scale = 1;
    frame.step = 0.5f;
    frame.smooth = frame.turning = false;
    frame.history = 0;
    frame.frame = 0;
    frame.seconds = 0;
    frame.late = false;
    frame.aside = true;
    Image image;
    if (!image_create(&image, frame.width, frame.height, 3, error))
        return false;
    bool taken = renderer_bands(renderer, render, &frame, 3, keep_band, &image, error);
    taken =
        taken && add_legend(&frame.slice, &image, error) && image_write_png(&image, path, error);
    image_destroy(&image);
    return taken;
}
