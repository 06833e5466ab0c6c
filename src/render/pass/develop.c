/* SPDX-License-Identifier: MIT
 * Draws sky and ground, and develops the linear picture: composition, bloom, exposure and tone map,
 * to 8 bits. */
#include "render/pass/develop.h"
#include "base/fail.h"
#include "render/pass/exposures.h"
#include "render/pass/geometry.h"
#include "render/renderer_state.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Draws `to` from `from` by a program that is compiled on first use. */
static bool pass(Renderer *renderer, const Target *from, const Target *to, ShaderProgram program,
                 BillowError *error)
{
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, from->texture);
    return target_cover(to, shader_set_program(&renderer->shaders, program, error));
}

/* -- backdrop and haze ------------------------------------------------------------------------- */

/* Whether sky and ground are the same in two blocks. */
static bool same_backdrop(const FrameBlock *a, const FrameBlock *b)
{
#define VALUE(member) offsetof(FrameBlock, member), sizeof a->member
    static const size_t values[][2] = {
        {VALUE(camera_origin)},   {VALUE(camera_right)}, {VALUE(camera_up)},
        {VALUE(camera_forward)},  {VALUE(home)},         {VALUE(sun_direction)},
        {VALUE(sun_irradiance)},  {VALUE(sky_zenith)},   {VALUE(sky_horizon)},
        {VALUE(sky_map)},         {VALUE(tile)},         {VALUE(ground_color[3])},
        {VALUE(ground_light[3])}, {VALUE(picture[0])},   {VALUE(picture[1])}};
#undef VALUE
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        if (memcmp((const char *)a + values[v][0], (const char *)b + values[v][0], values[v][1]) !=
            0)
            return false;
    return true;
}

bool renderer_prepare_backdrop(Renderer *renderer, BillowError *error)
{
    Target *backdrop = &renderer->backdrop;
    RenderTile drawn = render_frame_drawn(&renderer->frame);
    int width = renderer->frame.turning ? (drawn.width + 1) / 2 : drawn.width;
    int height = renderer->frame.turning ? (drawn.height + 1) / 2 : drawn.height;
    if (backdrop->width != width || backdrop->height != height)
        renderer->backdrop_drawn = false;
    return target_resize(backdrop, width, height, GL_RGBA16F, "backdrop", error);
}

/* Only the march of the smoke takes longer than this pass. */
void renderer_backdrop(Renderer *renderer)
{
    const uint64_t around = renderer->lighting.around_version;
    if (renderer->frame.transparent ||
        (renderer->backdrop_drawn && renderer->backdrop_around == around &&
         same_backdrop(&renderer->block, &renderer->backdrop_block)))
        return;
    target_cover(&renderer->backdrop, renderer->shaders.programs[SHADER_BACKDROP]);
    renderer->backdrop_block = renderer->block;
    renderer->backdrop_around = around;
    renderer->backdrop_drawn = true;
}

/* Compositing looks solids, sky and ground up at places that hot air shifts. Smoke and tracers are
 * not shifted. */
bool renderer_hazes(const Renderer *renderer)
{
    return renderer->settings.picture.haze > 0 && renderer->volume.n[0] > 0 &&
           renderer->temperature.texture != 0;
}

bool renderer_haze(Renderer *renderer, BillowError *error)
{
    if (!renderer_hazes(renderer)) {
        target_destroy(&renderer->haze);
        return true;
    }
    int width = ((int)renderer->block.tile[2] + 3) / 4,
        height = ((int)renderer->block.tile[3] + 3) / 4;
    GLuint program = shader_set_program(
        &renderer->shaders, renderer->volume.solids ? SHADER_HAZE_SOLIDS : SHADER_HAZE, error);
    if (!target_resize(&renderer->haze, width, height, GL_RGBA32F, "haze", error) ||
        !target_cover(&renderer->haze, program))
        return false;
    texture_bind(SHADER_UNIT_HAZE, GL_TEXTURE_2D, renderer->haze.texture);
    return true;
}

/* -- bloom ------------------------------------------------------------------------------------- */

enum { LEAST_EDGE = 8 };

/* Resizes the levels, or the first alone. Returns their number, or 0 and a message. */
static int resize_levels(Renderer *renderer, bool all, BillowError *error)
{
    int width = renderer->frame.width, height = renderer->frame.height, step = BLOOM_FIRST;
    int count = 0;
    do {
        width = (width + step - 1) / step;
        height = (height + step - 1) / step;
        if (!target_resize(&renderer->levels[count++], width, height, GL_RGBA16F, "bloom level",
                           error))
            return 0;
        step = 2;
    } while (all && (width < height ? width : height) > LEAST_EDGE && count < BLOOM_LEVELS_MAX);
    return count;
}

static bool spread(Renderer *renderer, int count, BillowError *error)
{
    Target *target = renderer->levels;
    bool good = true;
    for (int level = 1; level < count && good; level++)
        good = pass(renderer, &target[level - 1], &target[level], SHADER_BLOOM_DOWN, error);
    glEnable(GL_BLEND);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    for (int level = count - 2; level >= 0 && good; level--) {
        /* Blended with this share, all levels have equal weight in the end. */
        glBlendColor(0, 0, 0, (float)(count - 1 - level) / (float)(count - level));
        good = pass(renderer, &target[level + 1], &target[level], SHADER_BLOOM_UP, error);
    }
    glDisable(GL_BLEND);
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, target[0].texture);
    return good;
}

/* -- automatic exposure ------------------------------------------------------------------------ */

#define MIDDLE     0.42f /* target of the mean luminance, as in daylight scenes */
#define HIGHLIGHT  6.0f  /* largest luminance for all but 0.5 % of the cells */
#define DARK_STOPS 9.0f
#define LEAST      1e-7f /* smallest luminance that counts in metering, as in shaders/meter.frag */
#define STOPS_MOST 24.0f
#define SECONDS    0.43f /* time constant, s: 1 / ln 10 */
#define APART      0.01f /* largest difference that nobody sees, stops */

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* log2 of the luminance that only 0.5 % of the cells exceed. Nearly empty cells do not count. */
static float highlight_of(const ExposureCell *cells)
{
    float stops[EXPOSURE_CELLS];
    int count = 0;
    for (int i = 0; i < EXPOSURE_CELLS; i++)
        if (cells[i].opacity > 0.01f)
            stops[count++] = log2f(fmaxf(cells[i].luminance / cells[i].opacity, LEAST));
    if (count == 0)
        return log2f(LEAST);
    qsort(stops, (size_t)count, sizeof *stops, compare);
    return stops[count - 1 - count / 200];
}

float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS])
{
    float highlight = highlight_of(cells), sum = 0, weights = 0;
    if (highlight <= log2f(2 * LEAST))
        return 0;
    for (int row = 0; row < EXPOSURE_ROWS; row++)
        for (int column = 0; column < EXPOSURE_COLUMNS; column++) {
            const ExposureCell *cell = cells + row * EXPOSURE_COLUMNS + column;
            float x = ((float)column + 0.5f) / EXPOSURE_COLUMNS - 0.5f;
            float y = ((float)row + 0.5f) / EXPOSURE_ROWS - 0.5f;
            float weight = 0.2f + expf(-8 * (x * x + y * y));
            float least = cell->opacity * (highlight - DARK_STOPS);
            sum += weight * fmaxf(cell->stops, least);
            weights += weight * cell->opacity;
        }
    float stops = weights > 0 ? log2f(MIDDLE) - sum / weights : 0;
    stops = fminf(stops, log2f(HIGHLIGHT) - highlight);
    return fminf(fmaxf(stops, -STOPS_MOST), STOPS_MOST);
}

void exposure_learn(Exposure *exposure, float stops)
{
    exposure->metered = stops;
    if (!exposure->known)
        exposure->stops = stops;
    exposure->known = true;
}

float exposure_follow(Exposure *exposure, float seconds)
{
    float left = seconds > 0 ? expf(-seconds / SECONDS) : 0;
    exposure->stops = exposure->metered + left * (exposure->stops - exposure->metered);
    return exp2f(exposure->stops);
}

bool exposure_follows(const Exposure *exposure)
{
    return exposure->known && fabsf(exposure->metered - exposure->stops) > APART;
}

/* Reads the meter's cells that the last picture requested, if the GPU has finished them. */
static void collect(Renderer *renderer)
{
    GLenum state = renderer->metering != NULL ? glClientWaitSync(renderer->metering, 0, 0)
                                              : GL_TIMEOUT_EXPIRED;
    if (state == GL_TIMEOUT_EXPIRED)
        return;
    glDeleteSync(renderer->metering);
    renderer->metering = NULL;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->metered);
    ExposureCell cells[EXPOSURE_CELLS];
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof cells, cells);
    if (renderer->exposure.known) /* no reset since the request */
        exposure_learn(&renderer->exposure, exposure_measure(cells));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

/* Requests the meter's cells, which collect() reads later. One request is pending at a time. */
static void ask(Renderer *renderer)
{
    if (renderer->metering != NULL)
        return;
    if (renderer->metered == 0) {
        glGenBuffers(1, &renderer->metered);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->metered);
        glBufferData(GL_PIXEL_PACK_BUFFER, EXPOSURE_CELLS * sizeof(ExposureCell), NULL,
                     GL_STREAM_READ);
        gl_check_label(GL_BUFFER, renderer->metered, "meter");
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, renderer->metered);
    glReadPixels(0, 0, EXPOSURE_COLUMNS, EXPOSURE_ROWS, GL_RGBA, GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    renderer->metering = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

/* Multiplies the frame's exposure by a factor in the uniform block. */
static void tell_exposure(const Renderer *renderer, float factor)
{
    FrameBlock block = renderer->block;
    block.film[0] *= factor;
    renderer_tell_shaders(renderer, &block);
}

/* Meters the reduced picture and sets the exposure in the uniform block. */
static bool expose(Renderer *renderer, BillowError *error)
{
    Target *meter = &renderer->meter;
    collect(renderer);
    if (!target_resize(meter, EXPOSURE_COLUMNS, EXPOSURE_ROWS, GL_RGBA32F, "meter", error) ||
        !pass(renderer, &renderer->levels[0], meter, SHADER_METER, error))
        return false;
    if (renderer->frame.late && renderer->exposure.known) {
        ask(renderer);
    } else {
        ExposureCell cells[EXPOSURE_CELLS];
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        glReadPixels(0, 0, EXPOSURE_COLUMNS, EXPOSURE_ROWS, GL_RGBA, GL_FLOAT, cells);
        exposure_learn(&renderer->exposure, exposure_measure(cells));
    }
    tell_exposure(renderer, exposure_follow(&renderer->exposure, renderer->frame.seconds));
    return true;
}

Exposure renderer_exposure(const Renderer *renderer)
{
    return renderer->exposure;
}

void renderer_expose(Renderer *renderer, Exposure exposure)
{
    renderer->exposure = exposure;
}

bool renderer_adapting(Renderer *renderer)
{
    collect(renderer);
    return renderer->metering != NULL || exposure_follows(&renderer->exposure);
}

void renderer_drop_develop(Renderer *renderer)
{
    for (int level = 0; level < BLOOM_LEVELS_MAX; level++)
        target_destroy(&renderer->levels[level]);
    target_destroy(&renderer->meter);
    if (renderer->metering != NULL)
        glDeleteSync(renderer->metering);
    glDeleteBuffers(1, &renderer->metered);
    renderer->metering = NULL;
    renderer->metered = 0;
    renderer->exposure = (Exposure){.known = false};
}

/* -- the picture ------------------------------------------------------------------------------- */

/* Runs the passes on the linear picture, metering and bloom. reduced: means of 4 x 4 pixels; NULL:
 * of renderer->linear. */
static bool finish_linear(Renderer *renderer, const float *reduced, BillowError *error)
{
    const RenderPicture *picture = &renderer->settings.picture;
    const bool bloom = picture->bloom > 0;
    const int levels = picture->auto_exposure || bloom ? resize_levels(renderer, bloom, error) : 0;
    const Target *first = &renderer->levels[0];
    if (levels == 0)
        return !picture->auto_exposure && !bloom;
    if (reduced != NULL) {
        glBindTexture(GL_TEXTURE_2D, first->texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, first->width, first->height, GL_RGBA, GL_FLOAT,
                        reduced);
    } else if (!pass(renderer, &renderer->linear, first, SHADER_REDUCE, error)) {
        return false;
    }
    return (!picture->auto_exposure || expose(renderer, error)) &&
           (!bloom || spread(renderer, levels, error));
}

/* Number of rows, from the bottom, in which the ground may be visible. */
static int first_sky_row(const FrameBlock *block, int height)
{
    bool ground = block->camera_origin[3] == 0 && block->ground_color[3] > 0 &&
                  block->camera_origin[1] > block->home[1];
    if (!ground)
        return 0;
    if (!(block->camera_up[1] > 0))
        return height;
    /* Rays of higher rows do not point down. One row is added, because some shaders read the
     * neighbouring pixel. */
    float up = (fabsf(block->camera_right[1]) - block->camera_forward[1]) / block->camera_up[1];
    float row = ceilf((0.5f + 0.5f * up) * block->picture[1] - block->tile[1] + 1.5f);
    return (int)fminf(fmaxf(row, 0), (float)height);
}

/* Composes smoke, sky and ground in some pixels. */
static bool compose_box(Renderer *renderer, const Target *target, int picture, const PixelBox *box,
                        BillowError *error)
{
    if (pixel_box_is_empty(box))
        return true;
    renderer_scissor(box);
    return target_cover(target,
                        shader_set_picture(&renderer->shaders, SHADER_COMPOSITE, picture, error));
}

/* Marched pixels beside a pixel whose smoke it shows. */
#define SMOKE_BESIDE 1.5f

/* The pixels that may show solids, or smoke that was divided at their edges. */
static PixelBox solid_pixels(const Renderer *renderer, const PixelBox *box)
{
    const float *size = renderer->block.picture;
    if (renderer->volume.solids && renderer_hazes(renderer))
        return *box; /* hot air may show what is beside them */
    return renderer_solid_pixels(renderer, size, 1 + (int)ceilf(SMOKE_BESIDE * size[0] / size[2]),
                                 box);
}

/* Composes smoke, sky and ground. Rows without ground, and pixels without solids, use cheaper
 * programs. */
static bool compose(Renderer *renderer, const Target *target, int picture, BillowError *error)
{
    const int first = first_sky_row(&renderer->block, target->height);
    const int rows[2][2] = {{0, first}, {first, target->height}};
    bool good = true;
    glEnable(GL_SCISSOR_TEST);
    for (int part = 0; part < 2 && good; part++) {
        if (rows[part][0] == rows[part][1])
            continue;
        const PixelBox box = {{0, rows[part][0]}, {target->width, rows[part][1]}};
        const PixelBox met = solid_pixels(renderer, &box);
        PixelBox parts[4];
        const int count = pixel_box_around(&box, &met, parts);
        const int sky = part == 1 ? SHADER_PICTURE_SKY : 0;
        good = compose_box(renderer, target, picture | sky | SHADER_PICTURE_MET, &met, error);
        for (int p = 0; p < count && good; p++)
            good = compose_box(renderer, target,
                               (sky ? picture & ~SHADER_PICTURE_SOLIDS : picture) | sky, &parts[p],
                               error);
    }
    glDisable(GL_SCISSOR_TEST);
    return good;
}

/* The ShaderPicture flags that develop.frag is compiled with. */
static int film_set(const Renderer *renderer)
{
    const RenderSettings *settings = &renderer->settings;
    return (settings->picture.tone_map == RENDER_TONE_AGX ? SHADER_PICTURE_AGX : 0) |
           (settings->picture.bloom > 0 ? SHADER_PICTURE_BLOOM : 0) |
           (renderer->frame.transparent ? SHADER_PICTURE_TRANSPARENT : 0) |
           (render_grades(&settings->grade) ? SHADER_PICTURE_GRADE : 0);
}

/* The ShaderPicture flags for what the picture contains. */
static int seen_set(const Renderer *renderer)
{
    return (renderer->volume.solids ? SHADER_PICTURE_SOLIDS : 0) |
           (renderer->settings.lamp_count > 0 ? SHADER_PICTURE_LAMPS : 0) |
           (renderer->volume.ground_glows ? SHADER_PICTURE_GLOW : 0) |
           (renderer_hazes(renderer) ? SHADER_PICTURE_HAZE : 0) |
           (renderer->volume.by_color ? SHADER_PICTURE_TINT : 0);
}

bool renderer_compose(Renderer *renderer, const Target *target, BillowError *error)
{
    return compose(renderer, target, seen_set(renderer), error) &&
           renderer_tracers_over_picture(renderer, error);
}

/* Exposures have composed it already. If
 * nothing else needs the linear picture, one pass does both. This saves a software renderer writing
 * and reading it. */
bool renderer_develop(Renderer *renderer, BillowError *error)
{
    int film = film_set(renderer);
    if (!renderer->linear_drawn)
        return compose(renderer, &renderer->picture,
                       seen_set(renderer) | SHADER_PICTURE_DEVELOP | film, error);
    return (renderer_exposes(renderer) || renderer_compose(renderer, &renderer->linear, error)) &&
           finish_linear(renderer, NULL, error) &&
           target_cover(&renderer->picture,
                        shader_set_picture(&renderer->shaders, SHADER_DEVELOP, film, error));
}

/* -- a picture in parts ------------------------------------------------------------------------ */

static int clamped(int at, int count)
{
    return at < count ? at : count - 1;
}

/* Reduces a picture to means of 4 x 4 pixels on the CPU, as shaders/reduce.frag does, for pictures
 * too large for the GL. wide, high: of the result. */
static void reduce(const float *linear, int width, int height, int wide, int high, float *reduced)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            float *out = reduced + 4 * ((size_t)y * (size_t)wide + (size_t)x);
            memset(out, 0, 4 * sizeof *out);
            for (int at = 0; at < BLOOM_FIRST * BLOOM_FIRST; at++) {
                int i = clamped(BLOOM_FIRST * x + at % BLOOM_FIRST, width);
                int j = clamped(BLOOM_FIRST * y + at / BLOOM_FIRST, height);
                const float *pixel = linear + 4 * ((size_t)j * (size_t)width + (size_t)i);
                for (int c = 0; c < 4; c++)
                    out[c] += pixel[c] / (BLOOM_FIRST * BLOOM_FIRST);
            }
        }
}

bool renderer_film_open(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error)
{
    if (!renderer_surround(renderer, settings, error))
        return false;
    const int wide = (frame->width + BLOOM_FIRST - 1) / BLOOM_FIRST;
    const int high = (frame->height + BLOOM_FIRST - 1) / BLOOM_FIRST;
    float *reduced = malloc(4 * (size_t)wide * (size_t)high * sizeof *reduced);
    if (reduced == NULL)
        return fail(error, "picture: no memory for bloom or exposure of %dx%d pixels", frame->width,
                    frame->height);
    renderer->frame = *frame;
    renderer->frame.late = false;
    reduce(linear, frame->width, frame->height, wide, high, reduced);
    renderer_fill_block(renderer);
    renderer_begin(renderer);
    bool good = finish_linear(renderer, reduced, error);
    free(reduced);
    return good && gl_check("developing the picture", error);
}

bool renderer_film_part(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error)
{
    const RenderTile *tile = &frame->tile;
    if (!renderer_surround(renderer, settings, error) ||
        !target_resize(&renderer->linear, tile->width, tile->height, GL_RGBA16F, "linear picture",
                       error) ||
        !target_resize(&renderer->picture, tile->width, tile->height, GL_RGBA8, "picture target",
                       error))
        return false;
    renderer->frame = *frame;
    renderer_fill_block(renderer);
    renderer_begin(renderer);
    if (settings->picture.auto_exposure)
        tell_exposure(renderer, exp2f(renderer->exposure.stops));
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, renderer->levels[0].texture);
    texture_bind(SHADER_UNIT_LINEAR, GL_TEXTURE_2D, renderer->linear.texture);
    glBindTexture(GL_TEXTURE_2D, renderer->linear.texture);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, frame->width);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, tile->width, tile->height, GL_RGBA, GL_FLOAT,
                    linear + 4 * ((size_t)tile->y * (size_t)frame->width + (size_t)tile->x));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    bool good =
        target_cover(&renderer->picture, shader_set_picture(&renderer->shaders, SHADER_DEVELOP,
                                                            film_set(renderer), error));
    renderer_end();
    return good && gl_check("developing the picture", error);
}
