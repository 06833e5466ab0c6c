/* SPDX-License-Identifier: MIT
 * Whether the CPU or the GL sweeps the sun's light, and the GL's way of doing so. */
#include "clock.h"
#include "gl_check.h"
#include "renderer_state.h"
#include <stdlib.h>
#include <string.h>

/* Beyond that many cells of the light volume, in stills of large grids, the GL would want more
 * memory for its rays than the smoke takes. */
#define CELLS_MOST (256.0 * 256.0 * 256.0)

static bool find_programs(Renderer *renderer, bool colored, LightSweepPrograms *programs,
                          BillowError *error)
{
    const ShaderProgram wanted[3] = {colored ? SHADER_SWEEP_GATHER_COLOR : SHADER_SWEEP_GATHER,
                                     SHADER_SWEEP_RAYS, SHADER_SWEEP_CELLS};
    GLuint *const into[3] = {&programs->gather, &programs->rays, &programs->cells};
    for (int i = 0; i < 3; i++) {
        *into[i] = shader_set_program(&renderer->shaders, renderer_shader_folder(renderer),
                                      wanted[i], error);
        if (*into[i] == 0)
            return false;
    }
    return true;
}

/* The light from all sides takes the sun's from the CPU, whoever swept it. */
static bool read_back(const Volume *light, float *depth, BillowError *error)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_3D, light->texture);
    glGetTexImage(GL_TEXTURE_3D, 0, light->channels == 1 ? GL_RED : GL_RGBA, GL_FLOAT, depth);
    return gl_check("read-back of the light volume", error);
}

static bool run(Renderer *renderer, const LightSweepJob *job, Volume *light, LightVolume *volume,
                BillowError *error)
{
    LightSweepPrograms programs;
    if (!find_programs(renderer, job->color != NULL, &programs, error))
        return false;
    renderer_reset_state();
    glBindVertexArray(renderer->vertex_array);
    bool good = light_sweep_run(&renderer->light_sweep, &programs, job, light, error) &&
                read_back(light, volume->depth, error);
    glBindVertexArray(0);
    glUseProgram(0);
    return good;
}

static LightSweepJob job_for(const LightVolume *volume, const Volume *density, const float sun[3],
                             float extinction)
{
    LightSweepJob job = {.density = density,
                         .reduction = volume->reduction,
                         .channels = volume->channels,
                         .spacing = volume->spacing,
                         .extinction = extinction};
    memcpy(job.n, volume->n, sizeof job.n);
    memcpy(job.sun, sun, sizeof job.sun);
    return job;
}

static bool sweep_smoke(void *context, LightVolume *volume, const float sun[3], float extinction,
                        const LightColors *colors, BillowError *error)
{
    Renderer *renderer = context;
    LightSweepJob job = job_for(volume, &renderer->density, sun, extinction);
    if (colors != NULL) {
        job.colors = *colors;
        job.color = renderer->colored && colors->excess > 0 ? &renderer->color : NULL;
    }
    stopwatch_pause(&renderer->watch); /* light_ms has it */
    bool good = run(renderer, &job, &renderer->light, volume, error);
    stopwatch_resume(&renderer->watch);
    return good;
}

/* -- which is faster ----------------------------------------------------------------------------
 */

enum { EDGE = 64, REPEATS = 8 };

/* Some smoke, from which both ways begin. */
typedef struct Trial {
    Renderer *renderer;
    float *cells;
    LightVolume volume;
    Volume density, light;
} Trial;

static const float trial_sun[3] = {0.48f, 0.8f, 0.36f};

static bool start_trial(Trial *trial, Renderer *renderer, BillowError *error)
{
    enum { CELLS = EDGE * EDGE * EDGE };
    *trial = (Trial){.renderer = renderer, .cells = malloc(CELLS * sizeof(float))};
    for (int i = 0; trial->cells != NULL && i < CELLS; i++)
        trial->cells[i] = (float)(i % 7);
    BillowView view = {.nx = EDGE,
                       .ny = EDGE,
                       .nz = EDGE,
                       .stride_y = EDGE,
                       .stride_z = EDGE * EDGE,
                       .cell_size = 1.0f / EDGE,
                       .density = trial->cells};
    return trial->cells != NULL && light_volume_gather(&trial->volume, &view, 1, error) &&
           renderer_upload_field(&trial->density, &view, view.density, true, "density", error);
}

static void end_trial(Trial *trial)
{
    free(trial->cells);
    light_volume_destroy(&trial->volume);
    volume_destroy(&trial->density);
    volume_destroy(&trial->light);
}

static bool light_by_cpu(Trial *trial, BillowError *error)
{
    LightVolume *volume = &trial->volume;
    light_volume_compute(volume, trial_sun, 1);
    return renderer_upload_packed(&trial->light, volume->n, 1, volume->depth, true, "light volume",
                                  error);
}

static bool sweep_trial(void *context, LightVolume *volume, const float sun[3], float extinction,
                        const LightColors *colors, BillowError *error)
{
    Trial *trial = context;
    LightSweepJob job = job_for(volume, &trial->density, sun, extinction);
    (void)colors;
    return run(trial->renderer, &job, &trial->light, volume, error);
}

static bool light_by_gl(Trial *trial, BillowError *error)
{
    const LightSweeper sweeper = {sweep_trial, trial};
    return light_volume_compute_by(&trial->volume, &sweeper, trial_sun, 1, NULL, error);
}

static bool touch_by_gl(Trial *trial, BillowError *error)
{
    LightSweepJob job = job_for(&trial->volume, &trial->density, trial_sun, 1);
    renderer_reset_state();
    return light_sweep_touch(&trial->renderer->light_sweep, &job, &trial->light, error) &&
           read_back(&trial->light, trial->volume.depth, error);
}

/* Until the light is on both sides, by the clock: much of either way is the CPU's, of which timer
 * queries know nothing. The first run, which compiles, does not count; nor do
 * more than one that is far from `limit`. Negative where it fails. */
static double time_way(Trial *trial, bool (*way)(Trial *trial, BillowError *error), double limit)
{
    double fastest = 1e9;
    BillowError error;
    for (int turn = 0; turn <= REPEATS && (turn < 2 || fastest < limit); turn++) {
        glFinish();
        double start = clock_seconds();
        if (!way(trial, &error))
            return -1;
        glFinish();
        double ms = 1e3 * (clock_seconds() - start);
        if (turn > 0 && ms < fastest)
            fastest = ms;
    }
    return fastest;
}

/* Where both are as fast, one machine is to choose the same whenever it is asked. */
#define CLEARLY 0.8

/* Rasterisers on the CPU take longer to compile the sweep than they would ever save; but then they
 * already take longer to clear what it draws into than the CPU to sweep it. They never gain,
 * working on the same processors: where it looks so, other programs were in the way, and pictures
 * would differ from run to run by what those did. */
static void compare_ways(Renderer *renderer)
{
    RenderLightWay *way = &renderer->light_way;
    Trial trial;
    BillowError error;
    way->cpu_ms = way->gl_ms = -1;
    if (start_trial(&trial, renderer, &error)) {
        way->edge = EDGE;
        way->cpu_ms = time_way(&trial, light_by_cpu, 1e9);
        double wanted = CLEARLY * way->cpu_ms;
        way->gl_ms = time_way(&trial, touch_by_gl, 2 * wanted);
        way->gl_is_least = way->gl_ms >= wanted;
        if (way->gl_ms >= 0 && !way->gl_is_least)
            way->gl_ms = time_way(&trial, light_by_gl, 2 * wanted);
        way->by_gl = way->gl_ms >= 0 && way->gl_ms < wanted && !renderer->limits.software;
    }
    end_trial(&trial);
    light_sweep_destroy(&renderer->light_sweep);
    gl_check_forget();
}

RenderLightWay renderer_light_way(Renderer *renderer)
{
    RenderLightWay *way = &renderer->light_way;
    const char *wanted = getenv("BILLOW_LIGHT");
    if (renderer->light_way_known)
        return *way;
    renderer->light_way_known = true;
    way->asked = wanted != NULL && (strcmp(wanted, "cpu") == 0 || strcmp(wanted, "gl") == 0);
    if (way->asked)
        way->by_gl = strcmp(wanted, "gl") == 0;
    else
        compare_ways(renderer);
    return *way;
}

void renderer_sweep_choose(Renderer *renderer, const BillowView *view)
{
    double edge = renderer_reduction(renderer, view);
    double cells = (double)view->nx * view->ny * view->nz / (edge * edge * edge);
    bool by_gl = renderer_light_way(renderer).by_gl && cells <= CELLS_MOST;
    renderer->lighting.sweeper =
        by_gl ? (LightSweeper){sweep_smoke, renderer} : (LightSweeper){NULL, NULL};
}
