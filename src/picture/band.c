/* SPDX-License-Identifier: MIT */
#include "band.h"

#include "fail.h"

#include <stdlib.h>

bool band_open(Band *band, const RenderFrame *frame, int channels, int rows, BillowError *error)
{
    size_t pixels = (size_t)frame->width * (size_t)rows;
    *band = (Band){.rows = rows};
    band->pixels = channels > 0 ? malloc(pixels * (size_t)channels) : NULL;
    band->linear = frame->linear ? malloc(4 * pixels * sizeof(float)) : NULL;
    band->through = frame->depth ? malloc(4 * pixels * sizeof(float)) : NULL;
    band->surface = frame->depth ? malloc(pixels * sizeof(float)) : NULL;
    bool good = (channels == 0 || band->pixels != NULL) &&
                (!frame->linear || band->linear != NULL) &&
                (!frame->depth || (band->through != NULL && band->surface != NULL));
    if (!good)
        band_close(band);
    return good || fail(error, "picture: no memory for %d rows of %d pixels", rows, frame->width);
}

void band_close(Band *band)
{
    free(band->pixels);
    free(band->linear);
    free(band->through);
    free(band->surface);
    *band = (Band){0};
}
