/* SPDX-License-Identifier: MIT
 * The default scene, the definition of a scene's simulation, and the scenes that are compiled into
 * the program. */
#include "scene/scene.h"

#include "base/render_settings.h"

#include "base/embed.h"

#include <math.h>
#include <string.h>

/* -- defaults ---------------------------------------------------------------------------------- */

static BillowEmitter default_brush(void)
{
    BillowEmitter brush = billow_default_emitter();
    brush.smoke = 12;
    brush.heat = 150;
    brush.grip = 20;
    brush.noise = 0.5f;
    return brush;
}

static BillowEmitter default_detonation(void)
{
    BillowEmitter detonation = billow_default_emitter();
    detonation.smoke = 60;
    detonation.heat = 8000;
    detonation.expansion = 20;
    detonation.burst = 4;
    detonation.grip = 40;
    detonation.noise = 1;
    detonation.end = 0.1;
    return detonation;
}

SceneForm scene_form_default(void)
{
    return (SceneForm){.grid = "density",
                       .threshold = 0.05f,
                       .up = SCENE_UP_Z,
                       .first_frame = 1,
                       .frame_rate = 24,
                       .repeat = SCENE_HOLD};
}

Scene scene_default(void)
{
    Scene scene = {
        .name = "scene",
        .domain = {.size = {1, 1, 1}, .cells = {64}},
        .step = 1.0f / 60,
        .poster = {.time = 4},
        .upres = {.factor = 1, .turbulence = 1.5f, .sharpening = 3},
        .initial = {.scale = 1,
                    .rotation = {0, 0, 0, 1},
                    .up = SCENE_UP_Z,
                    .smoke = 1,
                    .heat = 1,
                    .fuel = 1,
                    .velocity = 1},
        .def = billow_default_def(),
        .brush = default_brush(),
        .detonation = default_detonation(),
        .render = render_default_settings(),
    };
    for (int e = 0; e < BILLOW_EMITTERS_MAX; e++)
        scene.emitter_forms[e] = scene_form_default();
    for (int s = 0; s < BILLOW_SOLIDS_MAX; s++)
        scene.solid_forms[s] = scene_form_default();
    return scene;
}

/* -- the definition ---------------------------------------------------------------------------- */

static double largest(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

/* The fewest cells of width h that cover an edge: n = ceil(size / h - 1e-4). The term 1e-4, in
 * cells, forgives rounding in size / h. */
static int cells_along(float size, double h)
{
    return (int)ceil((double)size / h - 1e-4);
}

/* Cell width and cells per axis from one number N = domain->cells[0] of cells along the longest
 * axis: h = longest / N. */
static double cells_from_longest(const SceneDomain *domain, int cells[3])
{
    const float *size = domain->size;
    const double h = largest((double)size[0], (double)size[1], (double)size[2]) / domain->cells[0];
    for (int axis = 0; axis < 3; axis++)
        cells[axis] = cells_along(size[axis], h);
    return h;
}

/* Cell width and cells per axis from three numbers of cells. h is the width of the smallest cubic
 * cell with which these numbers of cells cover the domain. */
static double cells_from_counts(const SceneDomain *domain, int cells[3])
{
    memcpy(cells, domain->cells, sizeof domain->cells);
    return largest((double)domain->size[0] / cells[0], (double)domain->size[1] / cells[1],
                   (double)domain->size[2] / cells[2]);
}

BillowDef scene_def(const Scene *scene)
{
    const SceneDomain *domain = &scene->domain;
    int cells[3];
    const double h = domain->cells[1] == 0 ? cells_from_longest(domain, cells)
                                           : cells_from_counts(domain, cells);
    for (int axis = 0; axis < 3 && scene->def.domain == BILLOW_DOMAIN_FOLLOW; axis++)
        cells[axis] += cells[axis] % 2; /* BILLOW_DOMAIN_FOLLOW needs even numbers */
    BillowDef def = scene->def;
    def.nx = cells[0];
    def.ny = cells[1];
    def.nz = cells[2];
    def.cell_size = (float)h;
    def.origin[0] = (float)(0.5 * ((double)domain->size[0] - cells[0] * h));
    def.origin[1] = 0;
    def.origin[2] = (float)(0.5 * ((double)domain->size[2] - cells[2] * h));
    def.age = def.age || render_ramp_follows(&scene->render, RENDER_RAMP_AGE);
    return def;
}

bool scene_outgrows_size(const Scene *scene)
{
    const SceneDomain *domain = &scene->domain;
    int cells[3];
    if (domain->cells[1] == 0)
        return false;
    const double h = cells_from_counts(domain, cells);
    bool outgrows = false;
    for (int axis = 0; axis < 3; axis++)
        outgrows |= cells[axis] > cells_along(domain->size[axis], h);
    return outgrows;
}

/* -- built-in scenes --------------------------------------------------------------------------- */

/* Order of the built-in scenes: three showpieces, then the rest by name, then the scene to play
 * with. */
static int rank_of(const EmbeddedFile *file)
{
    static const char *const first[] = {"plume", "explosion", "fire"};
    enum { FIRST = sizeof first / sizeof first[0] };
    int rank = 0;
    if (strcmp(file->stem, SCENE_TO_PLAY) == 0)
        return FIRST + 1;
    while (rank < FIRST && strcmp(file->stem, first[rank]) != 0)
        rank++;
    return rank;
}

static bool comes_before(const EmbeddedFile *a, const EmbeddedFile *b)
{
    int difference = rank_of(a) - rank_of(b);
    return difference != 0 ? difference < 0 : strcmp(a->stem, b->stem) < 0;
}

static const EmbeddedFile *builtin_at(int index)
{
    for (const EmbeddedFile *file = embedded_scenes; file->name != NULL; file++) {
        int before = 0;
        for (const EmbeddedFile *other = embedded_scenes; other->name != NULL; other++)
            before += comes_before(other, file);
        if (before == index)
            return file;
    }
    return NULL;
}

const char *scene_builtin_name(int index)
{
    const EmbeddedFile *file = builtin_at(index);
    return file != NULL ? file->stem : NULL;
}

const char *scene_builtin_title(int index)
{
    const EmbeddedFile *file = builtin_at(index);
    return file != NULL ? file->title : NULL;
}

const char *scene_builtin_text(int index)
{
    const EmbeddedFile *file = builtin_at(index);
    return file != NULL ? file->text : NULL;
}

bool scene_is_builtin(const char *name)
{
    for (const EmbeddedFile *file = embedded_scenes; file->name != NULL; file++)
        if (strcmp(file->stem, name) == 0)
            return true;
    return false;
}
