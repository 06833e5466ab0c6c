/* SPDX-License-Identifier: MIT
 *
 * Sky and ground, and the development of the linear picture: composition, bloom, automatic exposure
 * and tone map, to 8 bits. */
#ifndef RENDER_DEVELOP_H
#define RENDER_DEVELOP_H

#include "render/gl/texture.h"
#include "render/renderer.h"

/* -- automatic exposure ------------------------------------------------------------------------ */

/* Cells in which a picture is metered. Each has 8 x 8 samples. */
enum { EXPOSURE_COLUMNS = 32, EXPOSURE_ROWS = 18, EXPOSURE_CELLS = 32 * 18 };

/* Means over a metered cell, computed by shaders/meter.frag. */
typedef struct ExposureCell {
    float stops;     /* log2 of the luminance, weighted by opacity */
    float luminance; /* luminance times opacity */
    float opacity;
    float none;
} ExposureCell;

typedef struct Exposure {
    bool known;    /* whether a picture was metered yet */
    float metered; /* target: stops by which metering says the picture should be brightened */
    float stops;   /* stops by which pictures are brightened now */
} Exposure;

/* Computes by how many stops a picture should be brightened to look like a daylight scene. The
 * result is based on the mean logarithm of the luminance, with more weight in the middle of the
 * picture. Luminance more than 9 stops below the highlights counts as 9 stops below. The result is
 * limited so that highlights are not overexposed. Returns 0 for a picture without light. */
float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS]);

/* exposure_learn sets the target. exposure_follow moves `stops` towards the target and returns the
 * factor by which to multiply the picture. The difference falls to a tenth in one second. `stops`
 * takes the target's value at once if seconds is 0, or if no target was set before. */
void exposure_learn(Exposure *exposure, float stops);
float exposure_follow(Exposure *exposure, float seconds);
/* Whether the exposure differs visibly from its target. */
bool exposure_follows(const Exposure *exposure);

/* Return and set the state of automatic exposure. */
Exposure renderer_exposure(const Renderer *renderer);
void renderer_expose(Renderer *renderer, Exposure exposure);

/* Whether automatic exposure is still adapting: the same picture drawn again would be brighter or
 * darker. */
bool renderer_adapting(Renderer *renderer);

/* -- passes ------------------------------------------------------------------------------------ */

/* Draws sky and ground, unless those of the last picture can be reused. */
bool renderer_prepare_backdrop(Renderer *renderer, BillowError *error);
void renderer_backdrop(Renderer *renderer);
/* Computes the shift of the background by hot air, for settings with picture.haze.
 * renderer_hazes: whether the picture has it. */
bool renderer_hazes(const Renderer *renderer);
bool renderer_haze(Renderer *renderer, BillowError *error);

/* Composes the linear picture from the marched smoke and develops it to 8 bits. The frame's block
 * must be bound. */
bool renderer_develop(Renderer *renderer, BillowError *error);
void renderer_drop_develop(Renderer *renderer);
/* Composes the linear picture of the block into a target, with the tracers that belong there. */
bool renderer_compose(Renderer *renderer, const Target *target, BillowError *error);

/* Develop a picture in parts. linear: the whole picture, width * height pixels of 4 floats
 * (radiance times opacity, and opacity), rows from the bottom. renderer_film_open meters the whole
 * picture and computes its bloom. renderer_film_part then develops frame->tile to 8 bits. */
bool renderer_film_open(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error);
bool renderer_film_part(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error);

#endif
