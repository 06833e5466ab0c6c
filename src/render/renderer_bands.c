/* SPDX-License-Identifier: MIT
 * Pictures of any size. */
#include "renderer.h"

static bool read_band(Renderer *renderer, const Band *band, int channels, BillowError *error)
{
    return (band->pixels == NULL || renderer_read(renderer, channels, band->pixels, error)) &&
           (band->linear == NULL || renderer_read_linear(renderer, band->linear, error)) &&
           (band->through == NULL ||
            renderer_read_depth(renderer, band->through, band->surface, error));
}

bool renderer_bands(Renderer *renderer, const Look *look, const RenderFrame *frame, int channels,
                    BandTake *take, void *context, BillowError *error)
{
    Band band = {0};
    bool good = renderer_draw(renderer, look, frame, error) &&
                band_open(&band, frame, channels, frame->height, error) &&
                read_band(renderer, &band, channels, error) && take(context, &band, error);
    band_close(&band);
    return good;
}
