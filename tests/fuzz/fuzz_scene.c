/* SPDX-License-Identifier: MIT
 * Scene files: parsed; if accepted, written and parsed again, which must give the same scene; and,
 * on a small grid, played for one step that leaves finite numbers. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "scene/scene_play.h"
#include "scene/scene_write.h"

#include <stdlib.h>
#include <string.h>

static void write_and_parse(const Scene *scene)
{
    static Scene back;
    BillowError error;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    FUZZ_HOLDS(stream != NULL);
    scene_write(scene, NULL, stream);
    FUZZ_HOLDS(fclose(stream) == 0);
    bool good = scene_parse("written.yaml", text, length, &back, &error);
    if (!good)
        fprintf(stderr, "%s\n%s\n", error.text, text);
    FUZZ_HOLDS(good);
    const SceneDifference difference = scene_difference(scene, &back);
    if (difference.count > 0)
        fprintf(stderr, "%s\n%s\n", difference.first, text);
    FUZZ_HOLDS(difference.count == 0);
    free(text);
}

enum { EDGE_MAX = 24 };

static bool grid_is_large(const BillowDef *def)
{
    return def->nx >= BILLOW_GRID_MIN && def->ny >= BILLOW_GRID_MIN && def->nz >= BILLOW_GRID_MIN;
}

/* Few enough cells, tracers, sweeps and letters for one of many inputs. */
static void bound(Scene *scene)
{
    int *cells = scene->domain.cells;
    BillowParams *params = &scene->def.params;
    scene->def.tracers = scene->def.tracers < 64 ? scene->def.tracers : 64;
    params->sweeps = params->sweeps < 16 ? params->sweeps : 16;
    params->cycles = params->cycles < 2 ? params->cycles : 2;
    params->diffusion_sweeps = params->diffusion_sweeps < 4 ? params->diffusion_sweeps : 4;
    params->substeps_max = params->substeps_max < 2 ? params->substeps_max : 2;
    for (int axis = 0; axis < 3 && cells[1] != 0; axis++)
        cells[axis] = cells[axis] < 10 ? cells[axis] : 10;
    if (cells[1] != 0)
        return;
    BillowDef def;
    cells[0] = 7;
    do {
        cells[0]++;
        def = scene_def(scene);
    } while (cells[0] < EDGE_MAX && !grid_is_large(&def));
}

static bool has_text(const Scene *scene)
{
    for (int e = 0; e < scene->def.emitter_count; e++)
        if (scene->emitter_forms[e].text[0] != '\0')
            return true;
    for (int s = 0; s < scene->def.solid_count; s++)
        if (scene->solid_forms[s].text[0] != '\0')
            return true;
    return false;
}

static void play(const Scene *scene)
{
    BillowError error;
    BillowDef def = scene_def(scene);
    def.threads = 1;
    if (!grid_is_large(&def) || has_text(scene))
        return;
    ScenePlay *played = scene_play_create(scene, &def, &error);
    BillowSim *sim = played != NULL ? billow_create(&def, &error) : NULL;
    if (sim != NULL && scene_play_prepare(played, sim, (double)scene->step, &error)) {
        fuzz_count("were played");
        billow_step(sim, (double)scene->step);
        FUZZ_HOLDS(billow_stats(sim).nonfinite == 0);
    }
    billow_destroy(sim);
    scene_play_destroy(played);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Scene scene;
    BillowError error;
    memset(&error, 0, sizeof error);
    if (!scene_parse("scene.yaml", (const char *)data, size, &scene, &error)) {
        FUZZ_HOLDS(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
        return 0;
    }
    fuzz_count("were taken");
    write_and_parse(&scene);
    bound(&scene);
    play(&scene);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate_text(data, size, most, 0, size, &seed);
}
