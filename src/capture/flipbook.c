/* SPDX-License-Identifier: MIT */
#include "capture/flipbook.h"

#include "base/fail.h"
#include "base/srgb.h"
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
    EDGE_MAX = 65535,       /* most pixels along an edge of a sheet (image.h) */
    COARSER = FLOW_COARSER, /* pixels per motion vector along each edge; motion varies slowly */
    CHANNELS = 4            /* floats of a pixel while a sheet is written */
};

/* Floats of a pixel of the light: what a camera sees, premultiplied by opacity. */
enum {
    OPACITY = SIX_WAY_SIDES, /* after the luminance of the six sides */
    GLOW,                    /* red, green, blue */
    LINEAR = GLOW + 3,       /* the linear picture: red, green, blue; only in floating point */
    LIGHT = LINEAR + 3
};

/* Opacity from which smoke counts for the scale of motion and light. */
static const float faint = 1.0f / 64;

/* Factors by which 8-bit sheets are darker than what they mean. */
typedef struct Scales {
    float motion;   /* pixels: a byte of 0 or 255 stands for this */
    float light;    /* of the six sides */
    float emission; /* radiance */
    float mask;     /* luminance of the emission over opacity */
} Scales;

struct Flipbook {
    FlipbookForm form;
    Image sheet;
    int across, down;   /* motion vectors of a tile along each axis */
    float *vectors;     /* of all frames and those before the first, in the layout of
                           motion_vectors_fill */
    float *light;       /* of the same frames, LIGHT or, for 8 bits, LINEAR floats a pixel; NULL: no
                           sheet needs it */
    float exposure;     /* that the linear picture needs, of the first frame */
    float tile_size[2]; /* that a tile shows at the camera's target in the first frame, m */
    Scales scales;
};

static bool has_floats(const FlipbookForm *form)
{
    return form->format->storage == PICTURE_FLOATS;
}

static size_t light_floats(const FlipbookForm *form)
{
    const bool any = form->six_way != SIX_WAY_NONE || form->sheets != 0 || has_floats(form);
    return !any ? 0 : has_floats(form) ? LIGHT : LINEAR;
}

static float luminance_of(const float light[3])
{
    return 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2];
}

/* -- the table of sheets ----------------------------------------------------------------------- */

/* How values become bytes. Floating-point files have the values themselves. */
typedef enum Encoding { ENCODE_LINEAR, ENCODE_SRGB } Encoding;

typedef struct Sheet {
    const char *suffix; /* of the name, and after its "_" that in the description */
    int channels;
    bool coarse; /* has the resolution of the motion vectors */
    bool asked;  /* written only if form.sheets says so */
    Encoding encoding;
    float empty[3]; /* bytes of unused tiles, 0 to 1; 0.5 stands for 0 */
    /* Values of a pixel of a frame, for bytes 0 to 1. pixel: index in the tile. */
    void (*fill)(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel, float *out);
    void (*describe)(const Flipbook *book, FlipbookSheet sheet, Json *json, cJSON *into);
} Sheet;

static const Sheet sheets[FLIPBOOK_SHEETS]; /* below, after its functions */

static int sheet_of_index(int index)
{
    int sheet = 0;
    while (sheet < FLIPBOOK_SHEETS && (!sheets[sheet].asked || index-- > 0))
        sheet++;
    return sheet;
}

const char *flipbook_sheet_name(int index)
{
    const int sheet = sheet_of_index(index);
    return sheet < FLIPBOOK_SHEETS ? sheets[sheet].suffix + 1 : NULL;
}

/* Whether a form asks for a sheet by its name. */
static bool asked(const FlipbookForm *form, FlipbookSheet sheet)
{
    int index = 0;
    while (sheet_of_index(index) != (int)sheet)
        index++;
    return (form->sheets >> index & 1) != 0;
}

static bool is_written(const FlipbookForm *form, FlipbookSheet sheet)
{
    const bool lights = sheet == FLIPBOOK_LIGHTS_1 || sheet == FLIPBOOK_LIGHTS_2;
    return sheets[sheet].asked ? asked(form, sheet) : !lights || form->six_way != SIX_WAY_NONE;
}

bool flipbook_paths(const FlipbookForm *form, FlipbookPaths *paths, BillowError *error)
{
    const char *ending = strrchr(paths_last_part(form->path), '.');
    const int stem = (int)(ending - form->path);
    *paths = (FlipbookPaths){.description = ""};
    int most =
        snprintf(paths->description, sizeof paths->description, "%.*s.json", stem, form->path);
    for (int sheet = 0; sheet < FLIPBOOK_SHEETS; sheet++)
        if (is_written(form, sheet)) {
            const int length = snprintf(paths->sheets[sheet], sizeof paths->sheets[sheet],
                                        "%.*s%s%s", stem, form->path, sheets[sheet].suffix, ending);
            most = length > most ? length : most;
        }
    return (most > 0 && (size_t)most < sizeof paths->description) ||
           fail(error, "%.100s...: the name is too long", form->path);
}

/* -- frames ------------------------------------------------------------------------------------ */

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

/* Light of a frame, from 1 - form.loop on. */
static float *light_of(const Flipbook *book, int number)
{
    return book->light + (size_t)(number - 1 + book->form.loop) * light_floats(&book->form) *
                             (size_t)book->form.width * (size_t)book->form.height;
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
    double light = sizeof(float) * (double)light_floats(form) * (form->frames + form->loop) /
                   ((double)form->columns * form->rows);
    char what[96];
    snprintf(what, sizeof what, "a flipbook of %dx%d tiles of %dx%d pixels", form->columns,
             form->rows, form->width, form->height);
    return system_check_memory(pixels * (8 + light + vector / (COARSER * COARSER)), what,
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
    const size_t floats = light_floats(form) * (size_t)(form->loop + form->frames) *
                          (size_t)form->width * (size_t)form->height;
    if (good && floats > 0) {
        book->light = calloc(floats, sizeof(float));
        good = book->light != NULL ||
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
    free(book->light);
    free(book);
}

void flipbook_picture(Flipbook *book, int number, const Image *picture)
{
    const size_t bytes = (size_t)picture->width * 4, line = (size_t)book->sheet.width * 4;
    const int at = number - 1, columns = book->form.columns;
    uint8_t *tile = book->sheet.pixels + (size_t)(at / columns * picture->height) * line +
                    (size_t)(at % columns) * bytes;
    for (int row = 0; row < picture->height; row++)
        memcpy(tile + (size_t)row * line, picture->pixels + (size_t)row * bytes, bytes);
}

bool flipbook_needs(const Flipbook *book, int drawn)
{
    const FlipbookForm *form = &book->form;
    const bool sides = form->six_way != SIX_WAY_NONE || asked(form, FLIPBOOK_NORMALS);
    const bool glow = form->six_way != SIX_WAY_NONE || asked(form, FLIPBOOK_EMISSION);
    return drawn == FLIPBOOK_LINEAR ? has_floats(form) : drawn == SIX_WAY_GLOW ? glow : sides;
}

bool flipbook_take(void *context, const Band *band, BillowError *error)
{
    (void)error;
    const FlipbookTake *take = context;
    const FlipbookForm *form = &take->book->form;
    const int finer = form->finer, width = form->width * finer;
    const size_t floats = light_floats(form);
    const float share = 1 / (float)(finer * finer);
    const bool opaque = take->drawn == FLIPBOOK_LINEAR ||
                        (take->drawn == SIX_WAY_RIGHT && !has_floats(form)); /* once a pixel */
    float *light = light_of(take->book, take->number);
    for (int y = 0; y < band->rows; y++)
        for (int x = 0; x < width; x++) {
            const float *seen = band->linear + CHANNELS * ((size_t)y * (size_t)width + (size_t)x);
            const size_t row = (size_t)((band->first + y) / finer);
            float *pixel = light + floats * (row * (size_t)form->width + (size_t)(x / finer));
            float *rgb = pixel + (take->drawn == FLIPBOOK_LINEAR ? LINEAR : GLOW);
            if (take->drawn < SIX_WAY_SIDES)
                pixel[take->drawn] += share * luminance_of(seen);
            for (int c = 0; c < 3 && take->drawn >= SIX_WAY_SIDES; c++)
                rgb[c] += share * seen[c];
            pixel[OPACITY] += opaque ? share * seen[3] : 0;
        }
    return true;
}

void flipbook_motion(Flipbook *book, int number, const BillowSim *sim, const RenderSettings *render,
                     const RenderCamera *next)
{
    const FlipbookForm *form = &book->form;
    const BillowView view = billow_view(sim);
    if (number == 1) {
        const Camera camera = camera_from_settings(&render->camera, form->width, form->height);
        book->exposure = render_exposure(render);
        book->tile_size[1] = 2 * camera.half_height * render->camera.distance;
        book->tile_size[0] = camera.aspect * book->tile_size[1];
    }
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
    return book->light == NULL ||
           picture_loop_mix(flow, share, (int)light_floats(&book->form),
                            light_of(book, number - frames), light_of(book, number), error);
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

/* Light over opacity; 0 where there is nothing to see. */
static float straight(const float *pixel, float light)
{
    return pixel[OPACITY] > 1e-4f ? light / pixel[OPACITY] : 0;
}

/* Sets the scales of 8-bit sheets. Light that nobody sees, at the rim of the smoke, is cut off. */
static void find_scales(Flipbook *book)
{
    Scales *scales = &book->scales;
    const size_t floats = light_floats(&book->form);
    const size_t count =
        book->light == NULL
            ? 0
            : (size_t)book->form.frames * (size_t)book->form.width * (size_t)book->form.height;
    *scales = (Scales){.motion = motion_scale(book)};
    for (size_t p = 0; p < count; p++) {
        const float *pixel = light_of(book, 1) + floats * p;
        for (int c = 0; c < 3; c++)
            scales->emission = fmaxf(scales->emission, pixel[GLOW + c]);
        if (pixel[OPACITY] < faint)
            continue;
        for (int side = 0; side < SIX_WAY_SIDES; side++)
            scales->light = fmaxf(scales->light, straight(pixel, pixel[side]));
        scales->mask = fmaxf(scales->mask, straight(pixel, luminance_of(pixel + GLOW)));
    }
    if (has_floats(&book->form))
        *scales = (Scales){.motion = 1, .light = 1, .emission = 1, .mask = 1};
    scales->light = scales->light > 0 ? scales->light : 1;
    scales->emission = scales->emission > 0 ? scales->emission : 1;
    scales->mask = scales->mask > 0 ? scales->mask : 1;
}

/* -- the rows of the table --------------------------------------------------------------------- */

static const float *light_at(const Flipbook *book, int number, size_t pixel)
{
    return light_of(book, number) + light_floats(&book->form) * pixel;
}

static void fill_picture(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel,
                         float *out)
{
    (void)sheet;
    const size_t width = (size_t)book->form.width, columns = (size_t)book->form.columns;
    const size_t at = (size_t)(number - 1);
    if (has_floats(&book->form)) {
        const float *light = light_at(book, number, pixel);
        memcpy(out, light + LINEAR, 3 * sizeof *out);
        out[3] = light[OPACITY];
        return;
    }
    const size_t x = at % columns * width + pixel % width;
    const size_t y = at / columns * (size_t)book->form.height + pixel / width;
    for (size_t c = 0; c < 4; c++)
        out[c] = (float)book->sheet.pixels[4 * (y * (size_t)book->sheet.width + x) + c] / 255;
}

static void fill_motion(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel,
                        float *out)
{
    (void)sheet;
    const float *vector = vectors_of(book, number) + MOTION_VECTOR_FLOATS * pixel;
    const float scale = book->scales.motion;
    const bool floats = has_floats(&book->form);
    for (int c = 0; c < 2; c++)
        out[c] = floats ? vector[c] : 0.5f + vector[c] / (2 * scale);
    out[2] = vector[2];
}

static void fill_lights(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel,
                        float *out)
{
    const float *light = light_at(book, number, pixel);
    const bool second = sheet == FLIPBOOK_LIGHTS_2;
    const SixWay *packed = six_way_packing(book->form.six_way)->sides[second];
    for (int c = 0; c < 3; c++)
        out[c] = straight(light, light[packed[c]]) / book->scales.light;
    out[3] =
        second ? straight(light, luminance_of(light + GLOW)) / book->scales.mask : light[OPACITY];
}

static void fill_emission(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel,
                          float *out)
{
    (void)sheet;
    for (int c = 0; c < 3; c++)
        out[c] = light_at(book, number, pixel)[GLOW + c] / book->scales.emission;
}

/* The normal that a matte body would have under the six lights. What the smoke lets through from
 * the back brightens all of it alike, so only the light from the camera counts towards it. */
static void fill_normals(const Flipbook *book, FlipbookSheet sheet, int number, size_t pixel,
                         float *out)
{
    (void)sheet;
    const float *light = light_at(book, number, pixel);
    const bool down = six_way_packing(book->form.six_way)->green_down;
    float normal[3] = {light[SIX_WAY_RIGHT] - light[SIX_WAY_LEFT],
                       light[SIX_WAY_TOP] - light[SIX_WAY_BOTTOM], light[SIX_WAY_FRONT]};
    normal[1] = down ? -normal[1] : normal[1];
    float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 1e-6f))
        normal[2] = length = 1;
    for (int c = 0; c < 3; c++)
        out[c] = has_floats(&book->form) ? normal[c] / length : 0.5f + 0.5f * normal[c] / length;
}

static void put_pair(Json *json, cJSON *parent, const char *name, double x, double y)
{
    cJSON *pair = json_array(json, parent, name);
    json_number(json, pair, NULL, x);
    json_number(json, pair, NULL, y);
}

static void describe_motion(const Flipbook *book, FlipbookSheet sheet, Json *json, cJSON *into)
{
    (void)sheet;
    const double scale = (double)book->scales.motion;
    json_text(json, into, "of", "visible motion from this frame to the next");
    json_text(json, into, "red", "to the right");
    json_text(json, into, "green", "down");
    json_text(json, into, "blue", "opacity");
    json_text(json, into, "encoding",
              has_floats(&book->form) ? "motion / scale"
                                      : "byte / 255 = 0.5 + motion / (2 * scale), linear");
    json_number(json, into, "scale_pixels", scale);
    put_pair(json, into, "scale_tiles", scale / book->form.width, scale / book->form.height);
}

static void describe_lights(const Flipbook *book, FlipbookSheet sheet, Json *json, cJSON *into)
{
    static const char *const colors[] = {"red", "green", "blue"};
    const bool second = sheet == FLIPBOOK_LIGHTS_2;
    const SixWayPacking *packing = six_way_packing(book->form.six_way);
    char text[128];
    json_text(json, into, "of", "smoke under a white directional light, without ambient light");
    json_text(json, into, "packing", packing->name);
    for (int c = 0; c < 3; c++) {
        const SixWay side = packing->sides[second][c];
        snprintf(text, sizeof text, "%s: %s", six_way_name(side), six_way_axis(side));
        json_text(json, into, colors[c], text);
    }
    json_text(json, into, "alpha", second ? "emission mask" : "opacity");
    json_text(json, into, "axes", "of the camera: x to the right, y up, z away from it");
    json_text(json, into, "color", "linear");
    json_text(json, into, "unit",
              "pi * radiance / irradiance, 1 for a matte white surface that faces the light; not "
              "multiplied by opacity");
    json_number(json, into, "scale", (double)book->scales.light);
    if (second) {
        json_text(json, into, "mask_unit", "luminance of the emission, divided by opacity");
        json_number(json, into, "mask_scale", (double)book->scales.mask);
    }
}

static void describe_emission(const Flipbook *book, FlipbookSheet sheet, Json *json, cJSON *into)
{
    (void)sheet;
    json_text(json, into, "of", "radiance that the smoke gives by itself, to be added");
    json_text(json, into, "color", has_floats(&book->form) ? "linear" : "sRGB");
    json_number(json, into, "scale", (double)book->scales.emission);
}

static void describe_normals(const Flipbook *book, FlipbookSheet sheet, Json *json, cJSON *into)
{
    (void)sheet;
    json_text(json, into, "of", "normals from the light of six sides, in tangent space");
    json_text(json, into, "axes", six_way_packing(book->form.six_way)->normal_axes);
    json_text(json, into, "encoding",
              has_floats(&book->form) ? "linear" : "byte / 255 = 0.5 + normal / 2, linear");
}

static const Sheet sheets[FLIPBOOK_SHEETS] = {
    [FLIPBOOK_PICTURE] = {.suffix = "", .channels = 4, .fill = fill_picture},
    [FLIPBOOK_MOTION] = {.suffix = "_motion",
                         .channels = 3,
                         .coarse = true,
                         .empty = {0.5f, 0.5f, 0},
                         .fill = fill_motion,
                         .describe = describe_motion},
    [FLIPBOOK_LIGHTS_1] = {.suffix = "_lights1",
                           .channels = 4,
                           .fill = fill_lights,
                           .describe = describe_lights},
    [FLIPBOOK_LIGHTS_2] = {.suffix = "_lights2",
                           .channels = 4,
                           .fill = fill_lights,
                           .describe = describe_lights},
    [FLIPBOOK_EMISSION] = {.suffix = "_emission",
                           .channels = 3,
                           .asked = true,
                           .encoding = ENCODE_SRGB,
                           .fill = fill_emission,
                           .describe = describe_emission},
    [FLIPBOOK_NORMALS] = {.suffix = "_normals",
                          .channels = 3,
                          .asked = true,
                          .empty = {0.5f, 0.5f, 1},
                          .fill = fill_normals,
                          .describe = describe_normals},
};

/* -- files ------------------------------------------------------------------------------------- */

/* A row of a sheet, CHANNELS floats a pixel. */
static void fill_row(const Flipbook *book, FlipbookSheet kind, int row, float *out)
{
    const Sheet *sheet = &sheets[kind];
    const FlipbookForm *form = &book->form;
    const int width = sheet->coarse ? book->across : form->width;
    const int height = sheet->coarse ? book->down : form->height;
    for (int column = 0; column < form->columns; column++) {
        const int number = row / height * form->columns + column + 1;
        for (int x = 0; x < width; x++, out += CHANNELS) {
            const size_t pixel = (size_t)(row % height) * (size_t)width + (size_t)x;
            for (int c = 0; c < 3; c++)
                out[c] = has_floats(form) && sheet->empty[c] < 1 ? 0 : sheet->empty[c];
            out[3] = 0;
            if (number <= form->frames)
                sheet->fill(book, kind, number, pixel, out);
        }
    }
}

static uint8_t byte_of(float share)
{
    return (uint8_t)(255 * fminf(fmaxf(share, 0), 1) + 0.5f);
}

static bool write_bytes(const Flipbook *book, FlipbookSheet kind, int width, int height, float *row,
                        const char *path, BillowError *error)
{
    const Sheet *sheet = &sheets[kind];
    Image image;
    if (!image_create(&image, width, height, sheet->channels, error))
        return false;
    uint8_t *byte = image.pixels;
    for (int y = 0; y < height; y++) {
        fill_row(book, kind, y, row);
        for (int x = 0; x < width; x++)
            for (int c = 0; c < sheet->channels; c++) {
                const float value = row[CHANNELS * x + c];
                *byte++ = sheet->encoding == ENCODE_SRGB ? srgb_byte(value) : byte_of(value);
            }
    }
    const bool good = book->form.format->write(&image, path, error);
    image_destroy(&image);
    return good;
}

static bool write_floats(const Flipbook *book, FlipbookSheet kind, int width, int height,
                         float *rows, const char *path, BillowError *error)
{
    const FloatPicture picture = {.width = width,
                                  .height = height,
                                  .channel_count = sheets[kind].channels,
                                  .channels = {{"R", true, CHANNELS},
                                               {"G", true, CHANNELS},
                                               {"B", true, CHANNELS},
                                               {"A", true, CHANNELS}},
                                  .exposure = kind == FLIPBOOK_PICTURE ? book->exposure : 1};
    FloatFile *file = book->form.format->open(path, &picture, error);
    bool good = file != NULL;
    for (int y = 0; y < height && good; y += FLOAT_ROWS) {
        const int count = height - y < FLOAT_ROWS ? height - y : FLOAT_ROWS;
        for (int row = 0; row < count; row++)
            fill_row(book, kind, y + row, rows + (size_t)(CHANNELS * width) * (size_t)row);
        good = file->write(file, count, (const float *const[]){rows, rows + 1, rows + 2, rows + 3},
                           error);
    }
    return file != NULL && file->close(file, good, error);
}

static bool write_sheet(const Flipbook *book, FlipbookSheet kind, const char *path,
                        BillowError *error)
{
    const FlipbookForm *form = &book->form;
    const bool coarse = sheets[kind].coarse;
    const int width = form->columns * (coarse ? book->across : form->width);
    const int height = form->rows * (coarse ? book->down : form->height);
    float *rows = malloc(sizeof(float) * FLOAT_ROWS * CHANNELS * (size_t)width);
    if (rows == NULL)
        return fail(error, "flipbook: not enough memory to write %d pixels", width);
    const bool good = (has_floats(form) ? write_floats : write_bytes)(book, kind, width, height,
                                                                      rows, path, error);
    free(rows);
    return good;
}

static bool write_description(const Flipbook *book, const FlipbookPaths *paths, BillowError *error)
{
    const FlipbookForm *form = &book->form;
    const bool floats = has_floats(form);
    Json json = json_start();
    cJSON *root = json.root;
    /* without its folder, as the other pictures, so that the folder can be moved */
    json_text(&json, root, "image", paths_last_part(form->path));
    json_number(&json, root, "columns", form->columns);
    json_number(&json, root, "rows", form->rows);
    json_number(&json, root, "frames", form->frames);
    json_number(&json, root, "fps", form->fps);
    put_pair(&json, root, "seconds", form->first / form->fps,
             (form->first + form->frames - 1) / form->fps);
    json_number(&json, root, "loop_frames", form->loop);
    put_pair(&json, root, "tile_pixels", form->width, form->height);
    put_pair(&json, root, "tile_meters", (double)book->tile_size[0], (double)book->tile_size[1]);
    json_text(&json, root, "order", "row by row from the top left");
    json_text(&json, root, "color", floats ? "linear" : "sRGB");
    json_text(&json, root, "alpha", floats ? "premultiplied" : "straight");
    for (int sheet = 0; sheet < FLIPBOOK_SHEETS; sheet++) {
        if (sheets[sheet].describe == NULL || paths->sheets[sheet][0] == 0)
            continue;
        const bool coarse = sheets[sheet].coarse;
        cJSON *into = json_object(&json, root, sheets[sheet].suffix + 1);
        json_text(&json, into, "image", paths_last_part(paths->sheets[sheet]));
        put_pair(&json, into, "tile_pixels", coarse ? book->across : form->width,
                 coarse ? book->down : form->height);
        sheets[sheet].describe(book, sheet, &json, into);
    }
    return json_write(&json, paths->description, error);
}

bool flipbook_write(Flipbook *book, BillowError *error)
{
    FlipbookPaths paths;
    bool good = flipbook_paths(&book->form, &paths, error);
    int sheet = 0;
    find_scales(book);
    for (; good && sheet < FLIPBOOK_SHEETS; sheet++)
        good = paths.sheets[sheet][0] == 0 || write_sheet(book, sheet, paths.sheets[sheet], error);
    if (good && write_description(book, &paths, error))
        return true;
    for (int done = 0; done < sheet - !good; done++)
        if (paths.sheets[done][0] != 0)
            remove(paths.sheets[done]);
    return false;
}

void flipbook_print(const FlipbookForm *form)
{
    FlipbookPaths paths;
    BillowError error;
    if (!flipbook_paths(form, &paths, &error))
        return;
    for (int sheet = 0; sheet < FLIPBOOK_SHEETS; sheet++)
        if (paths.sheets[sheet][0] != 0)
            printf("%s%s", sheet == 0 ? "wrote " : ", ", paths.sheets[sheet]);
    printf(" and %s, %d frame%s\n", paths.description, form->frames, form->frames > 1 ? "s" : "");
}
