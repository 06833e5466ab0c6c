/* SPDX-License-Identifier: MIT
 * The march by several ranks, each of which has the smoke of one slab of planes. A ray passes the
 * slabs in the order of their planes, upwards or downwards. Each rank marches it through its slab
 * and hands its state on to the next: what it has seen, the smoke that it has passed, and where its
 * next step begins. Every sample is therefore the same as in the picture of one process, also where
 * scattering depends on the smoke in front. The first rank receives rays that have passed all slabs
 * and writes what they have seen.
 *
 * Rays are handed on in bands of rows of the picture, so that all ranks march at the same time:
 *
 *     turn                  0   1   2   3   4   5
 *     rank 0, rays up       a   b   c   d
 *     rank 1, rays up           a   b   c   d
 *     rank 2, rays up               a   b   c   d
 *     rank 2, rays down     a   b   c   d
 *     rank 1, rays down         a   b   c   d
 *     rank 0, rays down             a   b   c   d */
#include "render/pass/slab_march.h"
#include "base/fail.h"
#include "render/pass/march.h"
#include "render/renderer_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UP, DOWN, WAYS };
enum { BAND_MOST = 32, BAND_LEAST = 8 }; /* rows of a band */
enum { STATES_MOST = 6 };                /* texels of a ray, as STATES in shaders/raymarch.frag */

/* What the first rank asks the others to march. */
typedef struct Request {
    int march;    /* features, SHADER_MARCH_...; -1: the picture is finished */
    PixelBox box; /* pixels of the target that the smoke can cover */
    FrameBlock block;
} Request;

/* A march in progress. */
typedef struct SlabMarch {
    Renderer *renderer;
    const RenderSlab *slab;
    const Request *request;
    GLuint program, arrived; /* arrived: only on the first rank */
    int states, layers;      /* texels of a ray; layers of both textures */
    int rows, bands;
} SlabMarch;

/* -- memory ------------------------------------------------------------------------------------ */

static GLuint create_states(int width, int rows, int layers, const char *label)
{
    GLuint texture = texture_create(GL_TEXTURE_2D_ARRAY, GL_NEAREST, GL_CLAMP_TO_EDGE, label);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA32F, width, rows, layers, 0, GL_RGBA, GL_FLOAT,
                 NULL);
    return texture;
}

void rays_destroy(Rays *rays)
{
    glDeleteFramebuffers(1, &rays->framebuffer);
    glDeleteTextures(2, rays->states);
    free(rays->memory);
    *rays = (Rays){0};
}

/* Allocates the states of the rays of a band. */
static bool rays_resize(Rays *rays, int width, int rows, int layers, BillowError *error)
{
    if (rays->width == width && rays->rows == rows && rays->layers == layers)
        return true;
    rays_destroy(rays);
    const size_t floats = 4 * (size_t)width * (size_t)rows * (size_t)layers;
    rays->memory = malloc((2 * WAYS + 1) * floats * sizeof *rays->memory);
    if (rays->memory == NULL)
        return fail(error, "picture: no memory for rays of %d pixels in %d rows", width, rows);
    for (int way = 0; way < WAYS; way++) {
        rays->arriving[way] = rays->memory + (size_t)(2 * way) * floats;
        rays->leaving[way] = rays->memory + (size_t)(2 * way + 1) * floats;
    }
    rays->arrived = rays->memory + (size_t)(2 * WAYS) * floats;
    rays->bytes = floats * sizeof *rays->memory;
    glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_RAYS);
    rays->states[0] = create_states(width, rows, layers, "rays before a march");
    rays->states[1] = create_states(width, rows, layers, "rays after a march");
    glGenFramebuffers(1, &rays->framebuffer);
    rays->width = width;
    rays->rows = rows;
    rays->layers = layers;
    if (gl_check("states of rays", error))
        return true;
    rays_destroy(rays);
    return false;
}

/* -- a band ------------------------------------------------------------------------------------ */

/* Sends the states to the texture that the shader reads. */
static void load(const SlabMarch *march, const float *states)
{
    const Rays *rays = &march->renderer->rays;
    glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_RAYS);
    glBindTexture(GL_TEXTURE_2D_ARRAY, rays->states[0]);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, rays->width, rays->rows, rays->layers, GL_RGBA,
                    GL_FLOAT, states);
}

static void march_band(const SlabMarch *march, int way, int band, bool first)
{
    Renderer *renderer = march->renderer;
    const Rays *rays = &renderer->rays;
    FrameBlock block = march->request->block;
    block.tile[0] += (float)march->request->box.from[0];
    block.tile[1] += (float)(march->request->box.from[1] + band * march->rows);
    frame_block_slab(&block, &renderer->volume);
    block.slab_rays[0] = way == UP ? 1 : -1;
    if (!first)
        load(march, rays->arriving[way]);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, rays->width, rays->rows);
    glUseProgram(march->program);
    for (int behind = 0; behind * march->states < march->layers; behind++) {
        block.slab_rays[1] = (float)behind;
        renderer_tell_shaders(renderer, &block);
        GLenum
            buffers[STATES_MOST]; /* the layers in front of the edges of solids, or behind them */
        glBindFramebuffer(GL_FRAMEBUFFER, rays->framebuffer);
        for (int state = 0; state < march->states; state++) {
            buffers[state] = GL_COLOR_ATTACHMENT0 + (GLenum)state;
            glFramebufferTextureLayer(GL_FRAMEBUFFER, buffers[state], rays->states[1], 0,
                                      behind * march->states + state);
        }
        glDrawBuffers(march->states, buffers);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        for (int state = 0; state < march->states; state++) {
            const size_t layer = (size_t)(behind * march->states + state);
            glReadBuffer(GL_COLOR_ATTACHMENT0 + (GLenum)state);
            glReadPixels(0, 0, rays->width, rays->rows, GL_RGBA, GL_FLOAT,
                         rays->leaving[way] + 4 * layer * (size_t)rays->width * (size_t)rays->rows);
        }
    }
}

/* Writes what the rays of a band have seen to the smoke's targets. */
static void show_band(const SlabMarch *march, int way, int band, const float *states)
{
    Renderer *renderer = march->renderer;
    const PixelBox *box = &march->request->box;
    FrameBlock block = march->request->block;
    const int first = box->from[1] + band * march->rows, last = first + march->rows;
    block.slab_rays[0] = way == UP ? 1 : -1;
    block.slab_rays[2] = (float)box->from[0];
    block.slab_rays[3] = (float)first;
    load(march, states);
    renderer_tell_shaders(renderer, &block);
    renderer_bind_smoke(renderer, false);
    glEnable(GL_SCISSOR_TEST);
    renderer_scissor(
        &(PixelBox){{box->from[0], first}, {box->to[0], last < box->to[1] ? last : box->to[1]}});
    glUseProgram(march->arrived);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* -- turns ------------------------------------------------------------------------------------- */

/* Whether there is such a band and any of its rays goes this way. */
static bool has_rays(const SlabMarch *march, int way, int band)
{
    const FrameBlock *block = &march->request->block;
    const PixelBox *box = &march->request->box;
    const float sign = way == UP ? 1 : -1;
    if (band < 0 || band >= march->bands)
        return false;
    float most = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
        float x = block->tile[0] + (float)(corner & 1 ? box->to[0] : box->from[0]);
        float y = block->tile[1] + (float)(box->from[1] + (band + (corner >> 1)) * march->rows);
        float z = block->camera_forward[2] +
                  (2 * x / block->picture[2] - 1) * block->camera_right[2] +
                  (2 * y / block->picture[3] - 1) * block->camera_up[2];
        most = fmaxf(most, sign * z);
    }
    return most > -1e-5f;
}

/* Place of a rank in the order in which rays pass. */
static int order_of(const RenderSlab *slab, int way)
{
    return way == UP ? slab->rank : slab->ranks - 1 - slab->rank;
}

static void add(const SlabMarch *march, int *count, int rank, bool send, float *states)
{
    march->slab->messages[(*count)++] =
        (BillowMessage){rank, send, states, march->renderer->rays.bytes};
}

/* Hands the rays of a turn on. */
static void hand_on(const SlabMarch *march, int turn)
{
    const RenderSlab *slab = march->slab;
    const Rays *rays = &march->renderer->rays;
    const int last = slab->ranks - 1;
    int count = 0;
    for (int way = 0; way < WAYS; way++) {
        const int order = order_of(slab, way), ahead = way == UP ? 1 : -1;
        if (order < last && has_rays(march, way, turn - order))
            add(march, &count, slab->rank + ahead, true, rays->leaving[way]);
        if (order > 0 && has_rays(march, way, turn - order + 1))
            add(march, &count, slab->rank - ahead, false, rays->arriving[way]);
    }
    if (has_rays(march, UP, turn - last)) { /* rays down end at the first rank itself */
        if (slab->rank == last)
            add(march, &count, 0, true, rays->leaving[UP]);
        if (slab->rank == 0)
            add(march, &count, last, false, rays->arrived);
    }
    slab_exchange(slab, count);
}

static void take_turns(const SlabMarch *march)
{
    const RenderSlab *slab = march->slab;
    const Rays *rays = &march->renderer->rays;
    const int last = slab->ranks - 1;
    for (int turn = 0; turn < march->bands + last; turn++) {
        for (int way = 0; way < WAYS; way++) {
            const int order = order_of(slab, way);
            if (has_rays(march, way, turn - order))
                march_band(march, way, turn - order, order == 0);
        }
        hand_on(march, turn);
        for (int way = 0; way < WAYS && slab->rank == 0; way++)
            if (has_rays(march, way, turn - last))
                show_band(march, way, turn - last, way == UP ? rays->arrived : rays->leaving[DOWN]);
    }
}

/* -- marches ----------------------------------------------------------------------------------- */

static bool prepare(SlabMarch *march, BillowError *error)
{
    Renderer *renderer = march->renderer;
    const Request *request = march->request;
    const int height = request->box.to[1] - request->box.from[1],
              part = height / (4 * march->slab->ranks);
    const bool lamps = request->march & SHADER_MARCH_LAMPS;
    march->states = !lamps ? 3 : request->march & SHADER_MARCH_TINT ? 6 : 4;
    march->layers = march->states * (request->march & SHADER_MARCH_SOLIDS ? 2 : 1);
    march->rows = part > BAND_MOST ? BAND_MOST : part < BAND_LEAST ? BAND_LEAST : part;
    march->bands = (height + march->rows - 1) / march->rows;
    march->program =
        shader_set_march(&renderer->shaders, request->march | SHADER_MARCH_SLAB, error);
    if (march->program == 0 ||
        !rays_resize(&renderer->rays, request->box.to[0] - request->box.from[0], march->rows,
                     march->layers, error))
        return false;
    if (march->slab->rank > 0)
        return true;
    march->arrived =
        shader_set_march(&renderer->shaders, request->march | SHADER_MARCH_ARRIVED, error);
    return march->arrived != 0;
}

/* Called by all ranks with the same request. */
static bool march_together(Renderer *renderer, const Request *request, BillowError *error)
{
    SlabMarch march = {.renderer = renderer, .slab = renderer->slab, .request = request};
    if (!slab_agree(renderer->slab, prepare(&march, error), error))
        return false;
    /* The fields of the slab in place of those of the box. */
    texture_bind(SHADER_UNIT_DENSITY, GL_TEXTURE_3D, renderer->density.texture);
    texture_bind(SHADER_UNIT_COLOR, GL_TEXTURE_3D, renderer->color.texture);
    take_turns(&march);
    renderer_bind_textures(renderer);
    glDisable(GL_SCISSOR_TEST);
    return slab_agree(renderer->slab, gl_check("marching the smoke", error), error);
}

bool renderer_slab_march(Renderer *renderer, int march, const PixelBox *box, BillowError *error)
{
    const int met = march & SHADER_MARCH_SOLIDS ? SHADER_MARCH_MET : 0;
    Request request = {.march = march | met, .box = *box, .block = renderer->block};
    slab_tell(renderer->slab, &request, sizeof request);
    const bool good = march_together(renderer, &request, error);
    renderer_tell_shaders(renderer, &renderer->block);
    return good;
}

bool renderer_divide(Renderer *renderer, const RenderRanks *ranks, int planes, int first,
                     BillowError *error)
{
    renderer->slab = slab_create(ranks, planes, first, error);
    return renderer->slab != NULL;
}

void renderer_serve(Renderer *renderer)
{
    Request request;
    BillowError told; /* the first rank reports it */
    renderer_begin(renderer);
    renderer_update_glow(renderer);
    renderer_bind_textures(renderer);
    for (;;) {
        slab_tell(renderer->slab, &request, sizeof request);
        if (request.march < 0)
            break;
        (void)march_together(renderer, &request, &told);
    }
    renderer_end();
}

void renderer_release(Renderer *renderer)
{
    Request request = {.march = -1};
    slab_tell(renderer->slab, &request, sizeof request);
}
