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
    float *six_ways;  /* of all frames, six_way.h; NULL: none */
};

static size_t tile_floats(const Flipbook *book)
{
    return (size_t)book->across * (size_t)book->down * MOTION_VECTOR_FLOATS;
}

static size_t six_way_floats(const Flipbook *book)
{
    return (size_t)book->form.width * (size_t)book->form.height * SIX_WAY_FLOATS;
}

float *flipbook_six_ways(Flipbook *book, int number)
{
    return book->six_ways + (size_t)(number - 1) * six_way_floats(book);
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

static const char *const six_way_endings[FLIPBOOK_SIX_WAYS] = {"lights1", "lights2", "emission"};

bool flipbook_paths(const char *path, FlipbookPaths *paths, BillowError *error)
{
    size_t length = strlen(path);
    if (length <= ENDING || length + strlen("_emission") >= sizeof paths->motion)
        return fail(error, "%.100s...: the name is too long", path);
    int stem = (int)length - ENDING;
    snprintf(paths->motion, sizeof paths->motion, "%.*s_motion.png", stem, path);
    snprintf(paths->description, sizeof paths->description, "%.*s.json", stem, path);
    for (int way = 0; way < FLIPBOOK_SIX_WAYS; way++)
        snprintf(paths->six_ways[way], sizeof paths->six_ways[way], "%.*s_%s.png", stem, path,
                 six_way_endings[way]);
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
    const double lights = form->six_way != SIX_WAY_NONE ? 4.0 * SIX_WAY_FLOATS + 12 : 0;
    return system_check_memory(pixels * (4 + lights + vector / (COARSER * COARSER)), what,
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
    if (good && form->six_way != SIX_WAY_NONE) {
        book->six_ways =
            calloc((size_t)form->frames * six_way_floats(book), sizeof *book->six_ways);
        good = book->six_ways != NULL ||
               fail(error, "flipbook: not enough memory for the light of %d frames", form->frames);
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
    free(book->six_ways);
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

/* -- light from six sides ---------------------------------------------------------------------- */

/* What the largest byte stands for. */
typedef struct SixWayScale {
    float light, glow; /* 0: the smoke gives no light */
} SixWayScale;

/* Light for an opacity of 1; where hardly anything is seen, 0. */
static float light_of(const float *values, int side)
{
    const float opacity = values[SIX_WAY_OPACITY];
    return opacity > 0.5f / 255 ? values[side] / opacity : 0;
}

static SixWayScale six_way_scale(const Flipbook *book)
{
    SixWayScale scale = {0, 0};
    const size_t floats = (size_t)book->form.frames * six_way_floats(book);
    for (size_t at = 0; at < floats; at += SIX_WAY_FLOATS) {
        const float *values = book->six_ways + at;
        for (int side = 0; side < SIX_WAY_SIDES && values[SIX_WAY_OPACITY] > faint; side++)
            scale.light = fmaxf(scale.light, light_of(values, side));
        for (int c = 0; c < 3; c++)
            scale.glow = fmaxf(scale.glow, values[SIX_WAY_GLOW + c]);
    }
    scale.light = scale.light > 0 ? scale.light : 1;
    scale.glow = scale.glow > 1e-4f ? scale.glow : 0;
    return scale;
}

/* The brightest of red, green and blue that the smoke gives. */
static float glow_of(const float *values)
{
    return fmaxf(values[SIX_WAY_GLOW], fmaxf(values[SIX_WAY_GLOW + 1], values[SIX_WAY_GLOW + 2]));
}

static void put_six_ways(const Flipbook *book, int picture, const SixWayScale *scale,
                         const float *values, uint8_t *out)
{
    const SixWaySide *sides = six_way_packing(book->form.six_way, picture);
    const float glow = scale->glow > 0 ? 1 / scale->glow : 0;
    for (int c = 0; c < 3; c++)
        out[c] = picture == FLIPBOOK_EMISSION ? byte_of(values[SIX_WAY_GLOW + c] * glow)
                                              : byte_of(light_of(values, sides[c]) / scale->light);
    if (picture == FLIPBOOK_LIGHTS1)
        out[3] = byte_of(values[SIX_WAY_OPACITY]);
    else if (picture == FLIPBOOK_LIGHTS2)
        out[3] = byte_of(glow_of(values) * glow);
}

static bool write_six_way(Flipbook *book, int picture, const SixWayScale *scale, const char *path,
                          BillowError *error)
{
    const FlipbookForm *form = &book->form;
    const int channels = picture == FLIPBOOK_EMISSION ? 3 : 4;
    Image sheet;
    if (!image_create(&sheet, form->columns * form->width, form->rows * form->height, channels,
                      error))
        return false;
    memset(sheet.pixels, 0, (size_t)sheet.width * (size_t)sheet.height * (size_t)channels);
    for (int number = 1; number <= form->frames; number++)
        for (int row = 0; row < form->height; row++)
            for (int x = 0; x < form->width; x++)
                put_six_ways(book, picture, scale,
                             flipbook_six_ways(book, number) +
                                 SIX_WAY_FLOATS * ((size_t)row * (size_t)form->width + (size_t)x),
                             tile_row(&sheet, form, number, row) + x * channels);
    bool good = image_write_png(&sheet, path, error);
    image_destroy(&sheet);
    return good;
}

static void put_pair(Json *json, cJSON *parent, const char *name, double x, double y)
{
    cJSON *pair = json_array(json, parent, name);
    json_number(json, pair, NULL, x);
    json_number(json, pair, NULL, y);
}

static void describe_six_ways(const Flipbook *book, const SixWayScale *scale,
                              const FlipbookPaths *paths, Json *json)
{
    static const char *const colors[3] = {"red", "green", "blue"};
    cJSON *six = json_object(json, json->root, "six_way");
    json_text(json, six, "for", book->form.six_way == SIX_WAY_UNREAL ? "unreal" : "unity");
    json_text(json, six, "axes",
              "right and top are those of the picture, front is the side of the camera");
    json_text(json, six, "encoding",
              "byte / 255 * scale = pi * radiance / opacity under white light of irradiance 1 from "
              "that side, linear");
    json_number(json, six, "scale", (double)scale->light);
    for (int picture = 0; picture < 2; picture++) {
        cJSON *lights = json_object(json, six, six_way_endings[picture]);
        json_text(json, lights, "image", paths_last_part(paths->six_ways[picture]));
        for (int c = 0; c < 3; c++)
            json_text(json, lights, colors[c],
                      six_way_names[six_way_packing(book->form.six_way, picture)[c]]);
        json_text(json, lights, "alpha",
                  picture == 0 ? "opacity" : "brightest colour of the emission / its scale");
    }
    if (!(scale->glow > 0))
        return;
    cJSON *glow = json_object(json, six, "emission");
    json_text(json, glow, "image", paths_last_part(paths->six_ways[FLIPBOOK_EMISSION]));
    json_text(json, glow, "encoding",
              "byte / 255 * scale = radiance that the smoke itself gives, to be added, linear");
    json_number(json, glow, "scale", (double)scale->glow);
}

static bool write_description(const Flipbook *book, float scale, const SixWayScale *lights,
                              const FlipbookPaths *paths, BillowError *error)
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
    if (book->six_ways != NULL)
        describe_six_ways(book, lights, paths, &json);
    return json_write(&json, paths->description, error);
}

/* Writes the pictures of the light. Returns how many, or -1 on failure. */
static int write_six_ways(Flipbook *book, const SixWayScale *scale, const FlipbookPaths *paths,
                          BillowError *error)
{
    const int count = book->six_ways == NULL ? 0
                      : scale->glow > 0      ? FLIPBOOK_SIX_WAYS
                                             : FLIPBOOK_EMISSION;
    for (int picture = 0; picture < count; picture++)
        if (!write_six_way(book, picture, scale, paths->six_ways[picture], error)) {
            while (picture-- > 0)
                remove(paths->six_ways[picture]);
            return -1;
        }
    return count;
}

bool flipbook_write(Flipbook *book, BillowError *error)
{
    FlipbookPaths paths;
    float scale = motion_scale(book);
    if (!flipbook_paths(book->form.path, &paths, error) ||
        !image_write_png(&book->sheet, book->form.path, error))
        return false;
    const SixWayScale lights = book->six_ways != NULL ? six_way_scale(book) : (SixWayScale){0, 0};
    bool moves = write_motion(book, scale, paths.motion, error);
    const int pictures = moves ? write_six_ways(book, &lights, &paths, error) : -1;
    if (pictures >= 0 && write_description(book, scale, &lights, &paths, error))
        return true;
    for (int picture = 0; picture < pictures; picture++)
        remove(paths.six_ways[picture]);
    remove(book->form.path);
    if (moves)
        remove(paths.motion);
    return false;
}

void flipbook_print(const FlipbookForm *form, int frames)
{
    FlipbookPaths paths;
    BillowError error;
    if (!flipbook_paths(form->path, &paths, &error))
        return;
    printf("wrote %s, %s", form->path, paths.motion);
    for (int picture = 0; picture < (form->six_way != SIX_WAY_NONE ? 2 : 0); picture++)
        printf(", %s", paths.six_ways[picture]);
    printf(" and %s, %d frame%s\n", paths.description, frames, frames > 1 ? "s" : "");
}
