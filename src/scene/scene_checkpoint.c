/* SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#endif
#include "scene/scene_checkpoint.h"

#include "base/fail.h"
#include "mpi/cluster.h"
#include "scene/scene_write.h"

#include <stdlib.h>
#include <string.h>

/* -- the scene's text -------------------------------------------------------------------------- */

/* Folder of the scene text in a checkpoint. The text names its files by absolute paths. */
#define ROOT "/"

char *scene_checkpoint_text(const Scene *scene, BillowError *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    bool good = stream != NULL;
    if (good)
        scene_write(scene, ROOT, stream);
    good = good && !ferror(stream);
    if (stream != NULL && fclose(stream) != 0)
        good = false;
    Scene back;
    BillowError reason;
    if (!good)
        fail(error, "%s: not enough memory to write the scene's text", scene->name);
    else if (!scene_parse_apart(scene->name, text, length, &back, &reason))
        good = fail(error, "this scene cannot be written as text: %.400s", reason.text);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* -- shapes ------------------------------------------------------------------------------------ */

static bool add_shape(CheckpointWriter *writer, int entry, const SceneShape *shape)
{
    size_t count = scene_shape_bytes(shape);
    unsigned char *bytes = malloc(count);
    if (bytes == NULL)
        return false;
    scene_shape_write(entry, shape, bytes);
    checkpoint_add(writer, CHECKPOINT_SHAPE, bytes, count);
    free(bytes);
    return true;
}

static bool read_shape(CheckpointReader *reader, SceneShape shapes[SCENE_SHAPES],
                       BillowError *error)
{
    uint64_t count = reader->bytes;
    bool damaged = false;
    if (count > SCENE_SHAPE_BYTES_MAX)
        return checkpoint_damaged(reader, "it holds an impossible shape", error);
    unsigned char *bytes = malloc((size_t)count + 1);
    if (bytes == NULL)
        return fail(error, "%.300s: not enough memory for its shapes", reader->path);
    bool good = checkpoint_read(reader, bytes, error);
    if (good && !scene_shape_read(bytes, (size_t)count, shapes, &damaged))
        good = damaged ? checkpoint_damaged(reader, "it holds an impossible shape", error)
                       : fail(error, "%.300s: not enough memory for its shapes", reader->path);
    free(bytes);
    return good;
}

/* -- to a file --------------------------------------------------------------------------------- */

void scene_checkpoint_describe(const BillowSim *sim, CheckpointRun *run)
{
    const BillowView view = billow_view(sim), wind = billow_wind_view(&view);
    run->grid[0] = (uint32_t)wind.nx;
    run->grid[1] = (uint32_t)wind.ny;
    run->grid[2] = (uint32_t)wind.nz;
    run->time = view.time;
    run->steps = billow_stats(sim).steps;
    snprintf(run->program, sizeof run->program, "billow %s", billow_version());
}

/* Writes all that comes before the state. */
static bool begin_file(CheckpointWriter *writer, const SceneCheckpoint *checkpoint,
                       const char *path, BillowError *error)
{
    if (!checkpoint_create(writer, path, &checkpoint->run, error))
        return false;
    writer->file.replaces = writer->file.replaces || checkpoint->replaces;
    checkpoint_add(writer, CHECKPOINT_SCENE, checkpoint->text, strlen(checkpoint->text));
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const SceneShape *shape = &checkpoint->shapes[entry];
        if (shape->volume.distance != NULL && !add_shape(writer, entry, shape)) {
            checkpoint_abandon(writer);
            return fail(error, "%.300s: not enough memory to write a checkpoint", path);
        }
    }
    return true;
}

/* Writes the checkpoint of a simulation that ranks divide. Rank 0 writes all but the state. */
static bool write_divided(const SceneCheckpoint *checkpoint, const char *path, BillowError *error)
{
    CheckpointWriter writer;
    bool begun = cluster_leads() && begin_file(&writer, checkpoint, path, error);
    bool good = cluster_agree(begun || !cluster_leads(), error) &&
                checkpoint_add_shared(begun ? &writer : NULL, path, checkpoint->sim,
                                      checkpoint->state, checkpoint->bytes, error);
    if (begun && good)
        good = checkpoint_commit(&writer, error);
    else if (begun)
        checkpoint_abandon(&writer);
    return cluster_agree(good, error);
}

bool scene_checkpoint_write(const SceneCheckpoint *checkpoint, const char *path, BillowError *error)
{
    CheckpointWriter writer;
    if (cluster_ranks() > 1)
        return write_divided(checkpoint, path, error);
    if (!begin_file(&writer, checkpoint, path, error))
        return false;
    checkpoint_add(&writer, CHECKPOINT_STATE, checkpoint->state, checkpoint->bytes);
    return checkpoint_commit(&writer, error);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Largest scene text, bytes. Scene files have the same limit. */
enum { TEXT_MOST = 256 * 1024 };

static bool read_scene(CheckpointReader *reader, Scene *scene, BillowError *error)
{
    if (reader->kind != CHECKPOINT_SCENE || reader->bytes == 0 || reader->bytes > TEXT_MOST)
        return checkpoint_damaged(reader, "its scene is missing", error);
    size_t length = (size_t)reader->bytes;
    char *text = malloc(length);
    if (text == NULL)
        return fail(error, "%.300s: not enough memory to read a checkpoint", reader->path);
    bool good = checkpoint_read(reader, text, error) &&
                scene_parse_apart(reader->path, text, length, scene, error);
    free(text);
    return good;
}

/* Whether a simulation of the definition can have this grid: its own, or a larger one along axes
 * with an unbounded side. billow_load_state checks the rest. */
static bool grid_possible(const BillowDef *def, const uint32_t grid[3])
{
    const uint32_t cells[3] = {(uint32_t)def->nx, (uint32_t)def->ny, (uint32_t)def->nz};
    bool possible = true;
    for (int axis = 0; axis < 3; axis++) {
        bool grows = def->unbounded[2 * axis] || def->unbounded[2 * axis + 1];
        possible = possible && (grid[axis] == cells[axis] || (grows && grid[axis] > cells[axis] &&
                                                              grid[axis] <= BILLOW_GRID_MAX));
    }
    return possible;
}

bool scene_checkpoint_open(CheckpointReader *reader, const char *path, Scene *scene,
                           BillowError *error)
{
    if (!checkpoint_open(reader, path, error))
        return false;
    BillowDef def;
    bool good = read_scene(reader, scene, error);
    if (good) {
        def = scene_def(scene);
        good = grid_possible(&def, reader->run.grid) ||
               checkpoint_damaged(reader, "its scene has another grid", error);
    }
    if (!good)
        checkpoint_close(reader);
    return good;
}

/* Checks the state's length before the simulation is allocated. A state contains at least velocity,
 * smoke, heat and pressure. It contains at most all fields, all tracers and OTHERS bytes of other
 * data. */
static bool state_fits(const CheckpointReader *reader, const BillowDef *def, BillowError *error)
{
    enum { WIND_LEAST = 4, SMOKE_LEAST = 2, FIELDS_MOST = 20, TRACER = 8, OTHERS = 1 << 18 };
    const uint32_t *n = reader->run.grid;
    const double finer = (double)def->refine * def->refine * def->refine;
    double least = (WIND_LEAST + SMOKE_LEAST * finer) * n[0] * n[1] * n[2];
    double most = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0), bytes = (double)reader->bytes;
    return (reader->kind == CHECKPOINT_STATE && bytes >= sizeof(float) * least &&
            bytes <= sizeof(float) * (FIELDS_MOST * finer * most + TRACER * (double)def->tracers) +
                         OTHERS) ||
           checkpoint_damaged(reader, "it holds no state, or a state of the wrong length", error);
}

/* Whether nothing but the end follows the state. */
static bool ends(const CheckpointReader *reader, BillowError *error)
{
    return reader->kind == CHECKPOINT_END ||
           checkpoint_damaged(reader, "there is data after its state", error);
}

static bool read_state(CheckpointReader *reader, void **state, size_t *bytes, BillowError *error)
{
    *bytes = (size_t)reader->bytes;
    *state = malloc(*bytes);
    if (*state == NULL)
        return fail(error, "%.300s: not enough memory to read a checkpoint", reader->path);
    return checkpoint_read(reader, *state, error) && ends(reader, error);
}

static ScenePlay *read_play(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                            BillowError *error)
{
    SceneShape shapes[SCENE_SHAPES];
    ScenePlay *play = NULL;
    memset(shapes, 0, sizeof shapes);
    bool good = true;
    while (good && reader->kind == CHECKPOINT_SHAPE)
        good = read_shape(reader, shapes, error);
    if (good && state_fits(reader, def, error))
        play = scene_play_create_of(shapes, scene, def, error);
    scene_shapes_free(shapes);
    return play;
}

bool scene_checkpoint_take(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                           ScenePlay **play, void **state, size_t *bytes, BillowError *error)
{
    *state = NULL;
    *play = read_play(reader, scene, def, error);
    if (*play != NULL && read_state(reader, state, bytes, error))
        return true;
    free(*state);
    scene_play_destroy(*play);
    *state = NULL;
    *play = NULL;
    return false;
}

static bool load(const CheckpointReader *reader, BillowSim *sim, const void *state, size_t bytes,
                 BillowError *error)
{
    BillowError reason;
    if (!billow_load_state(sim, state, bytes, &reason))
        return fail(error, "%.300s: %.300s", reader->path, reason.text);
    CheckpointRun run = reader->run;
    scene_checkpoint_describe(sim, &run);
    return (run.time == reader->run.time && run.steps == reader->run.steps) ||
           checkpoint_damaged(reader, "its state is of another time", error);
}

/* Reads the state that a simulation can load. Ranks that divide its box share the work. A state of
 * another length is that of a box that has grown, or damaged. */
static bool read_state_of(CheckpointReader *reader, const BillowSim *sim, void **state,
                          size_t *bytes, BillowError *error)
{
    if (cluster_ranks() == 1 || reader->bytes != billow_state_bytes(sim))
        return cluster_agree(read_state(reader, state, bytes, error), error);
    *bytes = (size_t)reader->bytes;
    *state = malloc(*bytes); /* the planes of other ranks remain untouched */
    bool good = *state != NULL ||
                fail(error, "%.300s: not enough memory to read a checkpoint", reader->path);
    return cluster_agree(good, error) && checkpoint_read_shared(reader, sim, *state, error) &&
           ends(reader, error);
}

bool scene_checkpoint_start(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                            SceneDriver *driver, BillowError *error)
{
    void *state = NULL;
    size_t bytes;
    *driver = (SceneDriver){.play = read_play(reader, scene, def, error)};
    bool good = cluster_agree(driver->play != NULL, error) &&
                scene_driver_start(driver, driver->play, def, cluster_exchange(), error) &&
                read_state_of(reader, driver->sim, &state, &bytes, error) &&
                cluster_agree(load(reader, driver->sim, state, bytes, error), error);
    free(state);
    return good;
}
