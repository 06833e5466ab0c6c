/* SPDX-License-Identifier: MIT */
#include "picture_file.h"

#include "fail.h"
#include "json.h"
#include "motion.h"
#include "system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sRGB curve of IEC 61966-2-1 and its inverse. */
static float decoded(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static uint8_t encoded(float light)
{
    float value = light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * fminf(fmaxf(value, 0), 1) + 0.5f);
}

static bool reduce_open(Reduce *reduce, int factor, int width, BillowError *error)
{
    *reduce = (Reduce){.factor = factor};
    if (factor == 1)
        return true;
    for (int byte = 0; byte < 256; byte++)
        reduce->linear[byte] = decoded((float)byte / 255);
    reduce->sums = calloc((size_t)width * 4, sizeof *reduce->sums);
    return reduce->sums != NULL ||
           fail(error, "picture: no memory for samples of %d pixels", width);
}

static void reduce_close(Reduce *reduce)
{
    free(reduce->sums);
    reduce->sums = NULL;
}

static void add_row(Reduce *reduce, const uint8_t *pixels, const Image *image)
{
    int channels = image->channels;
    for (int x = 0; x < image->width * reduce->factor; x++) {
        const uint8_t *pixel = pixels + (size_t)x * (size_t)channels;
        float *sum = reduce->sums + 4 * (x / reduce->factor);
        float alpha = channels == 4 ? (float)pixel[3] / 255 : 1;
        for (int c = 0; c < 3; c++)
            sum[c] += alpha * reduce->linear[pixel[c]];
        sum[3] += alpha;
    }
}

static void finish_row(Reduce *reduce, Image *image, int row)
{
    int channels = image->channels;
    float samples = (float)(reduce->factor * reduce->factor);
    for (int x = 0; x < image->width; x++) {
        const float *sum = reduce->sums + 4 * x;
        uint8_t *pixel =
            image->pixels + ((size_t)row * (size_t)image->width + (size_t)x) * (size_t)channels;
        for (int c = 0; c < 3; c++)
            pixel[c] = sum[3] > 0 ? encoded(sum[c] / sum[3]) : 0;
        if (channels == 4)
            pixel[3] = (uint8_t)(255 * sum[3] / samples + 0.5f);
    }
    memset(reduce->sums, 0, (size_t)image->width * 4 * sizeof *reduce->sums);
}

static void reduce_take(Reduce *reduce, const Band *band, Image *image)
{
    size_t row = (size_t)image->width * (size_t)image->channels * (size_t)reduce->factor;
    for (int y = 0; y < band->rows; y++) {
        int at = band->first + y;
        add_row(reduce, band->pixels + (size_t)y * row, image);
        if (at % reduce->factor == reduce->factor - 1)
            finish_row(reduce, image, at / reduce->factor);
    }
}

#define COMMENTS                                                                                   \
    "Linear radiance before exposure, premultiplied; the picture shows it times billow:exposure. " \
    "transmittance: share of the light from behind that passes the smoke. smoke.Z: mean distance " \
    "of the visible smoke; Z: distance of the solid or the ground behind it; metres along the "    \
    "view axis, 1e10 where there is none."

enum { CHANNELS = 9 }; /* number of channels of a picture without a slice */

int picture_file_ask(RenderFrame *frame, const PictureFormat *format)
{
    const bool floats = format->storage == PICTURE_FLOATS;
    frame->linear = frame->depth = floats;
    return floats ? 0 : frame->transparent ? 4 : 3;
}

/* Sets the slice, and the camera and box that locate it in a pixel. */
static void set_slice(PictureFile *file, const RenderFrame *frame, const RenderSettings *render,
                      const BillowView *view)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    for (int axis = 0; axis < 3; axis++) {
        file->low[axis] = view->origin[axis];
        file->high[axis] = view->origin[axis] + (float)n[axis] * view->cell_size;
    }
    file->width = frame->width;
    file->height = frame->height;
    file->camera = camera_from_settings(&render->camera, frame->width, frame->height);
    file->slice = frame->slice.field;
}

bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame,
                       const PictureFormat *format, int finer, const RenderSettings *render,
                       const BillowView *view, BillowError *error)
{
    *file = (PictureFile){.format = format, .path = path};
    if (format->storage != PICTURE_FLOATS) {
        bool good = reduce_open(&file->reduce, finer, frame->width / finer, error) &&
                    image_create(&file->image, frame->width / finer, frame->height / finer,
                                 frame->transparent ? 4 : 3, error);
        if (!good)
            reduce_close(&file->reduce);
        return good;
    }
    char comments[512] = COMMENTS;
    FloatPicture picture = {.width = frame->width,
                            .height = frame->height,
                            .channel_count = CHANNELS,
                            .channels = {{"R", true, 4},
                                         {"G", true, 4},
                                         {"B", true, 4},
                                         {"A", true, 4},
                                         {"transmittance.R", true, 4},
                                         {"transmittance.G", true, 4},
                                         {"transmittance.B", true, 4},
                                         {"smoke.Z", false, 4},
                                         {"Z", false, 1}},
                            .comments = comments,
                            .exposure = render->exposure};
    if (frame->slice.field != NULL) {
        const FieldMeaning *meaning = field_meaning(frame->slice.field->kind);
        set_slice(file, frame, render, view);
        char *name = file->slice_name;
        snprintf(name, sizeof file->slice_name, "slice.%s", meaning->name);
        picture.channels[picture.channel_count++] = (FloatChannel){name, false, 2};
        picture.channels[picture.channel_count++] = (FloatChannel){"slice.Z", false, 2};
        snprintf(comments, sizeof comments,
                 COMMENTS " %s: %s%s%s on %c = %g m, at distance slice.Z", name, meaning->name,
                 meaning->unit[0] != 0 ? " in " : "", meaning->unit, 'x' + frame->slice.field->axis,
                 (double)frame->slice.field->position);
    }
    file->floats = format->open(path, &picture, error);
    return file->floats != NULL;
}

/* Computes the value and the distance of the slice in each pixel of a band. */
static void fill_slice(const PictureFile *file, const Band *band, float *values)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < band->rows; y++)
        for (int x = 0; x < file->width; x++) {
            float *out = values + 2 * ((size_t)y * (size_t)file->width + (size_t)x);
            float across = (2 * (float)x + 1) / (float)file->width - 1;
            float up = 1 - (2 * (float)(band->first + y) + 1) / (float)file->height;
            if (!field_slice_seen(file->slice, &file->camera, file->low, file->high, across, up,
                                  out, out + 1)) {
                out[0] = 0;
                out[1] = 1e10f;
            }
        }
}

bool picture_file_take(void *context, const Band *band, BillowError *error)
{
    PictureFile *file = context;
    if (file->reduce.sums != NULL) {
        reduce_take(&file->reduce, band, &file->image);
        return true;
    }
    if (file->floats == NULL) {
        size_t row = (size_t)file->image.width * (size_t)file->image.channels;
        memcpy(file->image.pixels + (size_t)band->first * row, band->pixels,
               (size_t)band->rows * row);
        return true;
    }
    const float *color = band->linear, *through = band->through;
    const float *values[FLOAT_CHANNELS_MAX] = {color,       color + 1,   color + 2,
                                               color + 3,   through,     through + 1,
                                               through + 2, through + 3, band->surface};
    if (file->slice == NULL)
        return file->floats->write(file->floats, band->rows, values, error);
    size_t pixels = (size_t)file->width * (size_t)band->rows;
    float *slice = malloc(2 * pixels * sizeof *slice);
    if (slice == NULL)
        return fail(error, "picture: no memory for a slice's values in %d rows", band->rows);
    fill_slice(file, band, slice);
    values[CHANNELS] = slice;
    values[CHANNELS + 1] = slice + 1;
    bool good = file->floats->write(file->floats, band->rows, values, error);
    free(slice);
    return good;
}

bool picture_file_close(PictureFile *file, bool good, BillowError *error)
{
    if (file->floats != NULL)
        good = file->floats->close(file->floats, good, error);
    else
        good = good && file->format->write(&file->image, file->path, error);
    picture_file_free(file);
    return good;
}

void picture_file_free(PictureFile *file)
{
    reduce_close(&file->reduce);
    image_destroy(&file->image);
}

/* -- loops ------------------------------------------------------------------------------------- */

float picture_loop_share(int loop, int number, int frames)
{
    int into = number - (frames - loop);
    return loop > 0 && into > 0 ? (float)into / (float)(loop + 1) : 0;
}

bool picture_loop_open(PictureLoop *loop, int frames, BillowError *error)
{
    *loop = (PictureLoop){.frames = frames};
    if (frames == 0)
        return true;
    loop->before = calloc((size_t)frames, sizeof *loop->before);
    return loop->before != NULL || fail(error, "not enough memory for a loop of %d frames", frames);
}

void picture_loop_close(PictureLoop *loop)
{
    for (int frame = 0; loop->before != NULL && frame < loop->frames; frame++)
        image_destroy(&loop->before[frame]);
    free(loop->before);
    loop->before = NULL;
}

void picture_loop_keep(PictureLoop *loop, int number, Image *image)
{
    loop->before[number - 1 + loop->frames] = *image;
    image->pixels = NULL; /* belongs to the loop now */
}

void picture_loop_fade(const PictureLoop *loop, int number, int frames, Image *image)
{
    const float share = picture_loop_share(loop->frames, number, frames);
    if (!(share > 0))
        return;
    float linear[256];
    for (int byte = 0; byte < 256; byte++)
        linear[byte] = decoded((float)byte / 255);
    const Image *other = &loop->before[number - 1 - (frames - loop->frames)];
    const size_t channels = (size_t)image->channels;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        uint8_t *a = image->pixels + p * channels;
        const uint8_t *b = other->pixels + p * channels;
        const float weight[2] = {(1 - share) * (channels == 4 ? (float)a[3] / 255 : 1),
                                 share * (channels == 4 ? (float)b[3] / 255 : 1)};
        const float alpha = weight[0] + weight[1];
        for (int c = 0; c < 3; c++)
            a[c] = alpha > 0
                       ? encoded((weight[0] * linear[a[c]] + weight[1] * linear[b[c]]) / alpha)
                       : 0;
        if (channels == 4)
            a[3] = (uint8_t)(255 * alpha + 0.5f);
    }
}

/* -- flipbooks --------------------------------------------------------------------------------- */

enum {
    EDGE_MAX = 65535, /* most pixels along an edge of a PNG (image.h) */
    COARSER = 2,      /* pixels per motion vector along each edge; motion varies slowly */
    ENDING = 4        /* letters of ".png" */
};

/* Opacity from which smoke counts for the scale of the motion. */
static const float faint = 1.0f / 64;

struct Flipbook {
    FlipbookForm form;
    Image sheet;
    int across, down; /* motion vectors of a tile along each axis */
    float *vectors;   /* of all frames and those before the first, in the layout of
                         motion_vectors_fill */
};

static size_t tile_floats(const Flipbook *book)
{
    return (size_t)book->across * (size_t)book->down * MOTION_VECTOR_FLOATS;
}

/* The vectors of a frame, from 1 - form.loop on. */
static float *vectors_of(const Flipbook *book, int number)
{
    return book->vectors + (size_t)(number - 1 + book->form.loop) * tile_floats(book);
}

static int coarse(int pixels)
{
    return (pixels + COARSER - 1) / COARSER;
}

bool flipbook_paths(const char *path, FlipbookPaths *paths, BillowError *error)
{
    size_t length = strlen(path);
    if (length <= ENDING || length + strlen("_motion") >= sizeof paths->motion)
        return fail(error, "%.100s...: the name is too long", path);
    int stem = (int)length - ENDING;
    snprintf(paths->motion, sizeof paths->motion, "%.*s_motion.png", stem, path);
    snprintf(paths->description, sizeof paths->description, "%.*s.json", stem, path);
    return true;
}

bool flipbook_fits(const FlipbookForm *form, BillowError *error)
{
    int tiles = form->columns * form->rows;
    if (form->frames > tiles)
        return fail(error,
                    "--frames %d: a --flipbook %dx%d has %d tiles; ask for more tiles, or for "
                    "fewer frames at a lower --fps",
                    form->frames, form->columns, form->rows, tiles);
    long width = (long)form->columns * form->width, height = (long)form->rows * form->height;
    if (width > EDGE_MAX || height > EDGE_MAX)
        return fail(error,
                    "--flipbook %dx%d: tiles of %dx%d make a sheet of %ldx%ld pixels, and at "
                    "most %d are possible along an edge; try a smaller --size",
                    form->columns, form->rows, form->width, form->height, width, height, EDGE_MAX);
    return true;
}

bool flipbook_memory(const FlipbookForm *form, BillowError *error)
{
    double pixels = (double)form->columns * form->width * form->rows * form->height;
    double vector = (sizeof(float) + 1) * MOTION_VECTOR_FLOATS;
    char what[96];
    snprintf(what, sizeof what, "a flipbook of %dx%d tiles of %dx%d pixels", form->columns,
             form->rows, form->width, form->height);
    return system_check_memory(pixels * (4 + vector / (COARSER * COARSER)), what,
                               "a smaller --size", error);
}

Flipbook *flipbook_open(const FlipbookForm *form, BillowError *error)
{
    Flipbook *book = calloc(1, sizeof *book);
    if (book == NULL) {
        fail(error, "flipbook: not enough memory");
        return NULL;
    }
    book->form = *form;
    book->across = coarse(form->width);
    book->down = coarse(form->height);
    bool good = image_create(&book->sheet, form->columns * form->width, form->rows * form->height,
                             4, error);
    if (good) {
        book->vectors =
            calloc((size_t)(form->loop + form->frames) * tile_floats(book), sizeof(float));
        good = book->vectors != NULL ||
               fail(error, "flipbook: not enough memory for the motion of %d frames", form->frames);
    }
    if (good)
        return book;
    flipbook_close(book);
    return NULL;
}

void flipbook_close(Flipbook *book)
{
    if (book == NULL)
        return;
    image_destroy(&book->sheet);
    free(book->vectors);
    free(book);
}

/* First byte of a row of a tile in the picture of all tiles. */
static uint8_t *tile_row(const Image *picture, const FlipbookForm *form, int number, int row)
{
    int width = picture->width / form->columns, height = picture->height / form->rows;
    int column = (number - 1) % form->columns, line = (number - 1) / form->columns;
    size_t pixel = ((size_t)line * (size_t)height + (size_t)row) * (size_t)picture->width +
                   (size_t)column * (size_t)width;
    return picture->pixels + pixel * (size_t)picture->channels;
}

void flipbook_picture(Flipbook *book, int number, const Image *picture)
{
    size_t bytes = (size_t)picture->width * 4;
    for (int row = 0; row < picture->height; row++)
        memcpy(tile_row(&book->sheet, &book->form, number, row),
               picture->pixels + (size_t)row * bytes, bytes);
}

void flipbook_motion(Flipbook *book, int number, const BillowSim *sim, const RenderSettings *render,
                     const RenderCamera *next)
{
    const FlipbookForm *form = &book->form;
    const BillowView view = billow_view(sim);
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    int count = 0;
    for (; billow_solid(sim, count) != NULL; count++)
        solids[count] = *billow_solid(sim, count);
    motion_vectors_fill(&(MotionVectorsAsk){.view = &view,
                                            .smoke = &render->smoke,
                                            .solids = solids,
                                            .solid_count = count,
                                            .camera = &render->camera,
                                            .next = next,
                                            .seconds = 1 / form->fps,
                                            .width = form->width,
                                            .height = form->height,
                                            .across = book->across,
                                            .down = book->down},
                        vectors_of(book, number));
}

/* Fades the motion of the last frames as their pictures: vectors are weighted by opacity. */
static void fade_motion(Flipbook *book)
{
    const int loop = book->form.loop, frames = book->form.frames;
    for (int number = frames - loop + 1; number <= frames; number++) {
        float share = picture_loop_share(loop, number, frames);
        float *a = vectors_of(book, number);
        const float *b = vectors_of(book, number - frames);
        for (size_t i = 0; i < tile_floats(book); i += MOTION_VECTOR_FLOATS) {
            float own = (1 - share) * a[i + 2], other = share * b[i + 2], sum = own + other;
            for (size_t c = i; c < i + 2; c++)
                a[c] = sum > 0 ? (own * a[c] + other * b[c]) / sum : 0;
            a[i + 2] = sum;
        }
    }
}

/* Motion that a byte of 0 or 255 stands for: the largest visible motion, pixels. */
static float motion_scale(const Flipbook *book)
{
    size_t floats = (size_t)book->form.frames * tile_floats(book);
    float most = 0;
    for (size_t i = 0; i < floats; i += MOTION_VECTOR_FLOATS) {
        const float *vector = vectors_of(book, 1) + i;
        if (vector[2] >= faint)
            most = fmaxf(most, fmaxf(fabsf(vector[0]), fabsf(vector[1])));
    }
    return most > 0 ? most : 1;
}

static uint8_t byte_of(float share)
{
    return (uint8_t)(255 * fminf(fmaxf(share, 0), 1) + 0.5f);
}

static bool write_motion(const Flipbook *book, float scale, const char *path, BillowError *error)
{
    const FlipbookForm *form = &book->form;
    Image picture;
    if (!image_create(&picture, form->columns * book->across, form->rows * book->down, 3, error))
        return false;
    const float *vector = vectors_of(book, 1);
    for (int number = 1; number <= form->columns * form->rows; number++)
        for (int row = 0; row < book->down; row++) {
            uint8_t *out = tile_row(&picture, form, number, row);
            for (int x = 0; x < book->across; x++, out += 3) {
                bool there = number <= form->frames;
                out[0] = byte_of(there ? 0.5f + vector[0] / (2 * scale) : 0.5f);
                out[1] = byte_of(there ? 0.5f + vector[1] / (2 * scale) : 0.5f);
                out[2] = byte_of(there ? vector[2] : 0);
                vector += there ? MOTION_VECTOR_FLOATS : 0;
            }
        }
    bool good = image_write_png(&picture, path, error);
    image_destroy(&picture);
    return good;
}

static void put_pair(Json *json, cJSON *parent, const char *name, double x, double y)
{
    cJSON *pair = json_array(json, parent, name);
    json_number(json, pair, NULL, x);
    json_number(json, pair, NULL, y);
}

/* Name of a file without its folder. The description uses it, so that the folder can be moved. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool write_description(const Flipbook *book, float scale, const FlipbookPaths *paths,
                              BillowError *error)
{
    const FlipbookForm *form = &book->form;
    Json json = json_start();
    cJSON *root = json.root;
    json_text(&json, root, "image", base_name(form->path));
    json_number(&json, root, "columns", form->columns);
    json_number(&json, root, "rows", form->rows);
    json_number(&json, root, "frames", form->frames);
    json_number(&json, root, "fps", form->fps);
    put_pair(&json, root, "seconds", form->first / form->fps,
             (form->first + form->frames - 1) / form->fps);
    json_number(&json, root, "loop_frames", form->loop);
    put_pair(&json, root, "tile_pixels", form->width, form->height);
    json_text(&json, root, "order", "row by row from the top left");
    json_text(&json, root, "color", "sRGB");
    json_text(&json, root, "alpha", "straight");
    cJSON *motion = json_object(&json, root, "motion");
    json_text(&json, motion, "image", base_name(paths->motion));
    put_pair(&json, motion, "tile_pixels", book->across, book->down);
    json_text(&json, motion, "of", "visible motion from this frame to the next");
    json_text(&json, motion, "red", "to the right");
    json_text(&json, motion, "green", "down");
    json_text(&json, motion, "blue", "opacity");
    json_text(&json, motion, "encoding", "byte / 255 = 0.5 + motion / (2 * scale), linear");
    json_number(&json, motion, "scale_pixels", (double)scale);
    put_pair(&json, motion, "scale_tiles", (double)scale / form->width,
             (double)scale / form->height);
    bool good = json_write(&json, paths->description, error);
    json_finish(&json);
    return good;
}

bool flipbook_write(Flipbook *book, BillowError *error)
{
    FlipbookPaths paths;
    fade_motion(book);
    float scale = motion_scale(book);
    if (!flipbook_paths(book->form.path, &paths, error) ||
        !image_write_png(&book->sheet, book->form.path, error))
        return false;
    bool moves = write_motion(book, scale, paths.motion, error);
    if (moves && write_description(book, scale, &paths, error))
        return true;
    remove(book->form.path);
    if (moves)
        remove(paths.motion);
    return false;
}

void flipbook_print(const char *path, int frames)
{
    FlipbookPaths paths;
    BillowError error;
    if (flipbook_paths(path, &paths, &error))
        printf("wrote %s, %s and %s, %d frame%s\n", path, paths.motion, paths.description, frames,
               frames > 1 ? "s" : "");
}
