/* SPDX-License-Identifier: MIT */
#include "capture/flipbook.h"

#include "base/fail.h"
#include "base/system.h"
#include "capture/picture_loop.h"
#include "io/json.h"
#include "io/paths.h"
#include "render/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EDGE_MAX = 65535,       /* most pixels along an edge of a PNG (image.h) */
    COARSER = FLOW_COARSER, /* pixels per motion vector along each edge; motion varies slowly */
    ENDING = 4              /* letters of ".png" */
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

/* Vector of a tile at a place among its vectors. */
static void vector_at(const Flipbook *book, const float *tile, float x, float y,
                      float vector[MOTION_VECTOR_FLOATS])
{
    picture_flow_sample(tile, MOTION_VECTOR_FLOATS, book->across, book->down, x, y, vector);
}

/* What the mixture shows at x is at a = x - w u in its own picture and at b = x + (1 - w) u in the
 * other, and x = (1 - w) a + w b. Until the next frame, whose share is w', both move by their own
 * vectors, to (1 - w') (a + va) + w' (b + vb). So the vector at x is
 *
 *     (1 - w') va + w' vb + (w' - w) u
 *
 * va and vb are weighted by opacity, because they mean nothing where nothing is seen. */
static void fade_vector(const Flipbook *book, float share, const float *own, const float *other,
                        size_t at, const float u[2], float out[MOTION_VECTOR_FLOATS])
{
    const float step = 1 / (float)(book->form.loop + 1), next = share + step;
    const float x = (float)(at % (size_t)book->across), y = (float)(at / (size_t)book->across);
    float a[MOTION_VECTOR_FLOATS], b[MOTION_VECTOR_FLOATS];
    vector_at(book, own, x - share * u[0] / COARSER, y - share * u[1] / COARSER, a);
    vector_at(book, other, x + (1 - share) * u[0] / COARSER, y + (1 - share) * u[1] / COARSER, b);
    const float first = (1 - next) * a[2], second = next * b[2], sum = first + second;
    const float weight = picture_loop_weight(share);
    out[2] = (1 - weight) * a[2] + weight * b[2];
    for (int c = 0; c < 2; c++)
        out[c] =
            (sum > 0 ? (first * a[c] + second * b[c]) / sum : 0) + (out[2] > 0 ? step * u[c] : 0);
}

bool flipbook_fade(Flipbook *book, int number, const PictureFlow *flow, BillowError *error)
{
    const int loop = book->form.loop, frames = book->form.frames;
    const float share = picture_loop_share(loop, number, frames);
    const size_t count = (size_t)book->across * (size_t)book->down;
    float *vectors = vectors_of(book, number);
    float *own = malloc(tile_floats(book) * sizeof *own);
    if (own == NULL)
        return fail(error, "flipbook: not enough memory to fade the motion of a frame");
    memcpy(own, vectors, tile_floats(book) * sizeof *own);
    for (size_t at = 0; at < count; at++)
        fade_vector(book, share, own, vectors_of(book, number - frames), at, flow->vectors + 2 * at,
                    vectors + MOTION_VECTOR_FLOATS * at);
    /* The frame before the fade already moves into it. */
    float *before = number == frames - loop + 1 ? vectors_of(book, number - 1) : NULL;
    for (size_t at = 0; before != NULL && at < count; at++)
        for (size_t c = 0; c < 2 && before[MOTION_VECTOR_FLOATS * at + 2] > 0; c++)
            before[MOTION_VECTOR_FLOATS * at + c] += share * flow->vectors[2 * at + c];
    free(own);
    return true;
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

static bool write_description(const Flipbook *book, float scale, const FlipbookPaths *paths,
                              BillowError *error)
{
    const FlipbookForm *form = &book->form;
    Json json = json_start();
    cJSON *root = json.root;
    /* without its folder, as the other picture, so that the folder can be moved */
    json_text(&json, root, "image", paths_last_part(form->path));
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
    json_text(&json, motion, "image", paths_last_part(paths->motion));
    put_pair(&json, motion, "tile_pixels", book->across, book->down);
    json_text(&json, motion, "of", "visible motion from this frame to the next");
    json_text(&json, motion, "red", "to the right");
    json_text(&json, motion, "green", "down");
    json_text(&json, motion, "blue", "opacity");
    json_text(&json, motion, "encoding", "byte / 255 = 0.5 + motion / (2 * scale), linear");
    json_number(&json, motion, "scale_pixels", (double)scale);
    put_pair(&json, motion, "scale_tiles", (double)scale / form->width,
             (double)scale / form->height);
    return json_write(&json, paths->description, error);
}

bool flipbook_write(Flipbook *book, BillowError *error)
{
    FlipbookPaths paths;
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
