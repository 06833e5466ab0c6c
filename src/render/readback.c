/* SPDX-License-Identifier: MIT
 * Reads pictures and depth from the GL, evaluates single shader formulas for tests, and draws large
 * pictures in bands. */
#include "render/readback.h"
#include "base/fail.h"
#include "render/pass/develop.h"
#include "render/renderer_state.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error)
{
    assert(channels == 3 || channels == 4);
    if (renderer->picture.width == 0)
        return fail(error, "picture: nothing was drawn yet");
    return target_read(&renderer->picture, channels == 3 ? GL_RGB : GL_RGBA, GL_UNSIGNED_BYTE,
                       (size_t)channels, renderer->picture.width, pixels, error);
}

/* Scales the picture into the target `shown`, as renderer_present into a window. */
static bool scale_picture(Renderer *renderer, int width, int height, BillowError *error)
{
    const Target *picture = &renderer->picture;
    if (!target_resize(&renderer->shown, width, height, GL_RGBA8, "shown picture", error))
        return false;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->shown.framebuffer);
    glBlitFramebuffer(0, 0, picture->width, picture->height, 0, 0, width, height,
                      GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return true;
}

bool renderer_read_shown(Renderer *renderer, int width, int height, int channels, uint8_t *pixels,
                         BillowError *error)
{
    const Target *picture = &renderer->picture;
    if (picture->width == 0 || (picture->width == width && picture->height == height))
        return renderer_read(renderer, channels, pixels, error);
    return scale_picture(renderer, width, height, error) &&
           target_read(&renderer->shown, channels == 3 ? GL_RGB : GL_RGBA, GL_UNSIGNED_BYTE,
                       (size_t)channels, width, pixels, error);
}

bool renderer_read_begin(Renderer *renderer, int width, int height, BillowError *error)
{
    const GLsizeiptr bytes = 4 * (GLsizeiptr)width * height;
    if (renderer->picture.width == 0)
        return fail(error, "picture: nothing was drawn yet");
    if (!scale_picture(renderer, width, height, error))
        return false;
    if (renderer->shown_buffer == 0)
        glGenBuffers(1, &renderer->shown_buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->shown_buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, bytes, NULL, GL_STREAM_READ);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->shown.framebuffer);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    renderer->shown_width = width;
    renderer->shown_height = height;
    return gl_check("read-back of the picture", error);
}

bool renderer_read_begun(Renderer *renderer, int width, int height, const uint8_t **pixels)
{
    if (renderer->shown_buffer == 0 || renderer->shown_width != width ||
        renderer->shown_height != height)
        return false;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->shown_buffer);
    *pixels =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 4 * (GLsizeiptr)width * height, GL_MAP_READ_BIT);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return *pixels != NULL;
}

void renderer_read_end(Renderer *renderer)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->shown_buffer);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

bool renderer_replace(Renderer *renderer, int width, int height, const uint8_t *pixels,
                      BillowError *error)
{
    Target *picture = &renderer->picture;
    if (!target_resize(picture, width, height, GL_RGBA8, "picture target", error))
        return false;
    glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_LEVEL);
    glBindTexture(GL_TEXTURE_2D, picture->texture);
    for (int y = 0; y < height; y++)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, height - 1 - y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        pixels + 4 * (size_t)y * (size_t)width);
    glActiveTexture(GL_TEXTURE0);
    return gl_check("showing the picture", error);
}

bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error)
{
    if (!renderer->linear_drawn)
        return fail(error, "picture: the last frame drew no linear picture");
    return target_read(&renderer->linear, GL_RGBA, GL_FLOAT, 4 * sizeof *pixels,
                       renderer->linear.width, pixels, error);
}

bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error)
{
    const Target *target = behind ? &renderer->through_behind : &renderer->through;
    if (target->texture == 0)
        return fail(error, "picture: the last frame drew no transmittance");
    return target_read(target, GL_RGBA, GL_FLOAT, 4 * sizeof *values, target->width, values, error);
}

bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error)
{
    if (renderer->depth.texture == 0)
        return fail(error, "picture: the last frame drew no depth");
    return target_read(&renderer->depth, GL_RGBA, GL_FLOAT, 4 * sizeof *through,
                       renderer->depth.width, through, error) &&
           target_read(&renderer->surface, GL_RED, GL_FLOAT, sizeof *surface,
                       renderer->surface.width, surface, error);
}

bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error)
{
    enum { WIDE = 1024 };
    int rows = (count + WIDE - 1) / WIDE;
    size_t floats = 4 * (size_t)WIDE * (size_t)rows;
    float *values = calloc(floats, sizeof *values);
    if (values == NULL)
        return fail(error, "picture: no memory to probe a shader");
    memcpy(values, in, 4 * (size_t)count * sizeof *values);
    Target arguments = {0}, results = {0};
    GLuint program =
        shader_set_program(&renderer->shaders, SHADER_PROBE_PHASE + (ShaderProgram)probe, error);
    bool good = program != 0 &&
                target_resize(&arguments, WIDE, rows, GL_RGBA32F, "arguments", error) &&
                target_resize(&results, WIDE, rows, GL_RGBA32F, "results", error);
    if (good) {
        renderer_begin(renderer);
        glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_LEVEL);
        glBindTexture(GL_TEXTURE_2D, arguments.texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDE, rows, GL_RGBA, GL_FLOAT, values);
        glActiveTexture(GL_TEXTURE0);
        target_cover(&results, program);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, results.framebuffer);
        glReadPixels(0, 0, WIDE, rows, GL_RGBA, GL_FLOAT, values);
        renderer_end();
        memcpy(out, values, 4 * (size_t)count * sizeof *values);
    }
    target_destroy(&arguments);
    target_destroy(&results);
    free(values);
    return good && gl_check("probing a shader", error);
}

/* -- pictures in bands of rows ----------------------------------------------------------------- */

/* Largest part, pixels: 3840x2160, which takes up to 0.8 GB of graphics memory. */
#define PIXELS_MAX (3840 * 2160)
/* Smallest edge of a part, pixels. Drawing fails if even a part of this size does not fit into
 * graphics memory. */
#define EDGE_MIN 16

static void band_close(Band *band)
{
    free(band->pixels);
    free(band->linear);
    free(band->through);
    free(band->surface);
    *band = (Band){0};
}

/* Allocates a band of `rows` rows. channels: channels of the 8-bit pixels; 0: none. The band has
 * linear light if frame->linear, and
 * transmittance and distances if frame->depth. */
static bool band_open(Band *band, const RenderFrame *frame, int channels, int rows,
                      BillowError *error)
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

typedef struct Bands {
    Renderer *renderer;
    const RenderSettings *settings; /* for drawing the parts; without bloom and automatic exposure
                                       if linear light is read */
    RenderFrame frame;
    BandTake *take;
    void *context;
    int columns, rows; /* columns and rows of a part, pixels */
    int channels;      /* channels of the 8-bit pixels that are read from each part */
    int asked;         /* channels of the picture that the caller requested */
    Exposure before;   /* exposure at the start; drawing again with smaller parts resets to it */
    bool in_one;       /* bloom or automatic exposure is on; both need the whole picture */
    bool lines;      /* `in_one`, with a slice or the edges of the box: the picture is drawn in one
                        part even if it has more than PIXELS_MAX pixels */
    float *linear;   /* NULL: bands are passed on. Otherwise their linear light is collected here,
                        that of the whole picture, rows from the bottom */
    bool developing; /* parts are developed from `linear` */
} Bands;

static RenderSettings without_film(const RenderSettings *settings)
{
    RenderSettings plain = *settings;
    plain.picture.bloom = 0;
    plain.picture.auto_exposure = false;
    return plain;
}

/* -- size of the parts ------------------------------------------------------------------------- */

/* Whether a slice or the edges of the box are drawn over the developed picture. */
static bool has_lines(const RenderFrame *frame)
{
    return frame->slice.field != NULL || frame->outline;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int whole_rows(int rows)
{
    return rows > BAND_ROWS ? rows - rows % BAND_ROWS : BAND_ROWS;
}

static void choose_parts(Bands *bands)
{
    const RenderFrame *frame = &bands->frame;
    /* A part has a margin for lines. Part and margin together must fit into the GL's largest
     * texture. */
    int most = bands->renderer->texture_2d_max;
    bool fits = frame->width <= most && frame->height <= most &&
                (bands->lines || (double)frame->width * frame->height <= PIXELS_MAX);
    most -= 2 * FRAME_BLOCK_MARGIN;
    if (frame->part_edge > 0)
        fits = false, most = least(most, frame->part_edge);
    bands->columns = fits ? frame->width : least(frame->width, most);
    bands->rows = whole_rows(least(most, PIXELS_MAX / bands->columns));
    if (fits || bands->rows > frame->height)
        bands->rows = frame->height;
    const FittingParts *known = &bands->renderer->fitting;
    if (known->width == frame->width && known->height == frame->height &&
        known->channels == bands->asked && known->depth == frame->depth) {
        bands->columns = least(bands->columns, known->columns);
        bands->rows = least(bands->rows, known->rows);
    }
}

static bool is_whole(const Bands *bands)
{
    return bands->columns >= bands->frame.width && bands->rows >= bands->frame.height;
}

/* Halves the parts after graphics memory ran out. Returns false if they already have the smallest
 * size. */
static bool halve_parts(Bands *bands)
{
    if (bands->columns <= EDGE_MIN && bands->rows <= BAND_ROWS)
        return false;
    if (bands->rows > BAND_ROWS && 2 * bands->rows > bands->columns)
        bands->rows = whole_rows(bands->rows / 2);
    else
        bands->columns = bands->columns > 2 * EDGE_MIN ? (bands->columns + 1) / 2 : EDGE_MIN;
    renderer_drop_targets(bands->renderer);
    const RenderFrame *frame = &bands->frame;
    /* The next picture of this size starts with these parts. */
    bands->renderer->fitting = (FittingParts){frame->width, frame->height,  bands->asked,
                                              frame->depth, bands->columns, bands->rows};
    snprintf(bands->renderer->notice, sizeof bands->renderer->notice,
             "graphics memory is low: the picture is drawn in tiles of %dx%d pixels",
             bands->columns, bands->rows);
    return true;
}

bool renderer_notice(Renderer *renderer, BillowError *notice)
{
    if (renderer->notice[0] == 0)
        return false;
    fail(notice, "%s", renderer->notice);
    renderer->notice[0] = 0;
    return true;
}

/* -- from parts to bands ----------------------------------------------------------------------- */

/* Reads the part that was drawn last and copies it into the band. x: left edge of the part in the
 * band, pixels. */
static bool read_part(const Bands *bands, const Band *band, int x, BillowError *error)
{
    const Renderer *renderer = bands->renderer;
    int stride = bands->frame.width, channels = bands->channels;
    const struct {
        const Target *target;
        GLenum layout, type;
        size_t bytes;
        void *into;
    } wanted[] = {
        {&renderer->picture, channels == 3 ? GL_RGB : GL_RGBA, GL_UNSIGNED_BYTE, (size_t)channels,
         band->pixels},
        {&renderer->linear, GL_RGBA, GL_FLOAT, 4 * sizeof(float), band->linear},
        {&renderer->depth, GL_RGBA, GL_FLOAT, 4 * sizeof(float), band->through},
        {&renderer->surface, GL_RED, GL_FLOAT, sizeof(float), band->surface},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        uint8_t *into = wanted[i].into;
        if (into != NULL &&
            !target_read(wanted[i].target, wanted[i].layout, wanted[i].type, wanted[i].bytes,
                         stride, into + (size_t)x * wanted[i].bytes, error))
            return false;
    }
    return true;
}

/* Draws, or develops, and reads all parts of a band. */
static bool draw_band(Bands *bands, const Band *band, BillowError *error)
{
    Renderer *renderer = bands->renderer;
    RenderFrame *frame = &bands->frame;
    for (int x = 0; x < frame->width; x += bands->columns) {
        if (!is_whole(bands))
            frame->tile = (RenderTile){x, frame->height - band->first - band->rows,
                                       least(bands->columns, frame->width - x), band->rows};
        bool drawn = bands->developing ? renderer_film_part(renderer, bands->settings, frame,
                                                            bands->linear, error)
                                       : renderer_draw(renderer, bands->settings, frame, error);
        if (!drawn || !read_part(bands, band, x, error))
            return false;
    }
    return true;
}

static bool pass_on(const Bands *bands, const Band *band, BillowError *error)
{
    if (bands->linear == NULL || bands->developing)
        return bands->take(bands->context, band, error);
    size_t row = 4 * (size_t)bands->frame.width;
    for (int y = 0; y < band->rows; y++)
        memcpy(bands->linear + (size_t)(bands->frame.height - 1 - band->first - y) * row,
               band->linear + (size_t)y * row, row * sizeof *band->linear);
    return true;
}

static bool draw_bands(Bands *bands, BillowError *error)
{
    for (int first = 0; first < bands->frame.height;) {
        Band band;
        int rows = least(bands->rows, bands->frame.height - first);
        if (!band_open(&band, &bands->frame, bands->channels, rows, error))
            return false;
        band.first = first;
        bool drawn = draw_band(bands, &band, error);
        bool good = drawn && pass_on(bands, &band, error);
        band_close(&band);
        if (drawn && !good)
            return false;
        if (drawn)
            first += rows;
        else if (bands->developing || !gl_check_ran_short(error) || !halve_parts(bands) ||
                 bands->in_one)
            return false;
    }
    return true;
}

/* Draws a picture with bloom or automatic exposure in parts. Both effects need the whole picture.
 * The linear light of all parts is therefore collected in memory, and developed afterwards. */
static bool develop_whole(Bands *bands, BillowError *error)
{
    RenderFrame *frame = &bands->frame;
    const RenderSettings *settings = bands->settings;
    if (has_lines(frame)) {
        /* The error below replaces the notice that the parts became smaller. */
        char *notice = bands->renderer->notice;
        const char *why = notice[0] != 0 ? ", drawn in tiles because graphics memory is low," : "";
        notice[0] = 0;
        return fail(error,
                    "picture: %dx%d pixels%s cannot show slices or lines together with bloom or "
                    "automatic exposure; draw a smaller picture, or leave one of them out",
                    frame->width, frame->height, why);
    }
    bands->linear = malloc(4 * sizeof(float) * (size_t)frame->width * (size_t)frame->height);
    if (bands->linear == NULL)
        return fail(error, "picture: no memory for bloom or exposure of %dx%d pixels", frame->width,
                    frame->height);
    RenderSettings plain = without_film(settings);
    bands->settings = &plain;
    bands->in_one = false;
    bands->channels = 0;
    frame->linear = true;
    bool good = draw_bands(bands, error);
    bands->renderer->exposure = bands->before;
    bands->settings = settings;
    bands->channels = bands->asked;
    bands->developing = true;
    frame->linear = frame->depth = false;
    frame->tile = (RenderTile){0};
    good = good && renderer_film_open(bands->renderer, settings, frame, bands->linear, error) &&
           draw_bands(bands, error);
    free(bands->linear);
    return good;
}

bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error)
{
    assert(frame->tile.width == 0);
    assert(channels == 0 || !frame->linear); /* develop_whole sets `linear` itself */
    /* Linear light is read without bloom and exposure. */
    RenderSettings plain = without_film(settings);
    Bands bands = {renderer,
                   channels == 0 ? &plain : settings,
                   *frame,
                   take,
                   context,
                   .channels = channels,
                   .asked = channels,
                   .before = renderer->exposure};
    bands.in_one = channels > 0 && (settings->picture.bloom > 0 || settings->picture.auto_exposure);
    bands.lines = bands.in_one && has_lines(frame);
    if (frame->aside) /* nearly 0, so the exposure does not adapt; 0 would adapt at once */
        bands.frame.seconds = 1e-6f;
    choose_parts(&bands);
    bool good = (!bands.in_one || is_whole(&bands)) && draw_bands(&bands, error);
    if (!good && bands.in_one && !is_whole(&bands))
        good = develop_whole(&bands, error);
    if (frame->aside)
        renderer->exposure = bands.before;
    return good;
}
