/* SPDX-License-Identifier: MIT */
#include "play/replay_file.h"

#include "base/fail.h"
#include "base/words.h"
#include "io/atomic_file.h"
#include "scene/scene_write.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'H', 'R'};

/* Largest file, bytes: hours of strokes, and a state. */
#define BYTES_MAX ((size_t)1 << 30)
/* Largest state, bytes, and most that zlib can have packed a byte of. */
#define STATE_MAX   ((uint64_t)1 << 34)
#define PACKED_MOST 1032
/* Longest recording, steps, and the number of its hashes. */
#define STEPS_MAX  ((uint64_t)1 << 32)
#define HASHES_MAX (1u << 24)
#define VIEWS_MAX  (1u << 26)
/* Largest position and angle of a camera, m and degrees. */
#define CAMERA_MAX 1e7f
enum { CAMERA_FLOATS = sizeof(RenderCamera) / sizeof(float) };

static uint32_t checksum(const unsigned char *bytes, size_t count)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, count);
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Number of commands from the given one that are in its turn. */
static int turn_length(const SimRecording *recording, int first)
{
    int count = 1;
    while (count < TURN_COMMANDS_MAX && first + count < recording->count &&
           recording->commands[first + count].step == recording->commands[first].step)
        count++;
    return count;
}

/* Writes the state that the recording begins with. Quick packing leaves a third of most states. */
static void put_state(TurnBytes *to, const SimRecording *recording)
{
    uLongf length = compressBound(recording->start_bytes);
    unsigned char *packed = malloc(length);
    if (packed == NULL ||
        compress2(packed, &length, recording->start, recording->start_bytes, 1) != Z_OK) {
        to->failed = true;
    } else {
        turn_put64(to, length);
        turn_put64(to, recording->start_bytes);
        unsigned char *at = turn_put_room(to, length);
        if (at != NULL)
            memcpy(at, packed, length);
    }
    free(packed);
}

static void put_start(TurnBytes *to, const Scene *scene, const SceneShape *shapes,
                      const SimRecording *recording)
{
    static const SceneShape none[SCENE_SHAPES];
    if (recording->start != NULL) {
        put_state(to, recording);
        return;
    }
    turn_put64(to, 0);
    turn_put_scene(to, scene);
    turn_put_shapes(to, shapes != NULL ? shapes : none);
}

static void put_file(TurnBytes *to, const Scene *scene, const SceneShape *shapes,
                     const SimRecording *recording)
{
    uint32_t turns = 0;
    turn_put(to, magic, sizeof magic);
    turn_put32(to, REPLAY_FILE_VERSION);
    put_start(to, scene, shapes, recording);
    turn_put64(to, recording->steps);
    for (int c = 0; c < recording->count; c += turn_length(recording, c))
        turns++;
    turn_put32(to, turns);
    for (int c = 0; c < recording->count; c += turn_length(recording, c))
        turn_write(to, &recording->commands[c], turn_length(recording, c));
    turn_put32(to, (uint32_t)recording->view_count);
    for (int v = 0; v < recording->view_count; v++) {
        RenderCamera camera = recording->views[v].camera;
        turn_put64(to, recording->views[v].step);
        turn_link_words(&(TurnLink){.to = to}, &camera, CAMERA_FLOATS);
    }
    turn_put32(to, (uint32_t)recording->hash_count);
    for (int h = 0; h < recording->hash_count; h++) {
        turn_put64(to, recording->hashes[h].step);
        turn_put64(to, recording->hashes[h].hash);
    }
    if (!to->failed)
        turn_put32(to, checksum(to->bytes, to->count));
}

static bool check_files(const char *path, const Scene *scene, BillowError *error)
{
    BillowError reason;
    return !turn_needs_file(scene, &reason) ||
           fail(error,
                "%s: %.300s; hands are recorded in scenes without moving meshes, volumes and "
                "panoramas",
                path, reason.text);
}

bool replay_file_write(const char *path, const Scene *scene, const SceneShape *shapes,
                       const SimRecording *recording, bool replaces, BillowError *error)
{
    TurnBytes bytes = {NULL, 0, 0, false};
    AtomicFile file;
    if (!check_files(path, scene, error))
        return false;
    put_file(&bytes, scene, shapes, recording);
    bool good = (!bytes.failed && bytes.count <= BYTES_MAX) ||
                fail(error, "%s: this recording is too long, or memory is short", path);
    if (good && atomic_file_open(&file, path, error)) {
        file.replaces = file.replaces || replaces;
        atomic_file_put(&file, bytes.bytes, bytes.count);
        good = atomic_file_commit(&file, error);
    } else {
        good = false;
    }
    free(bytes.bytes);
    return good;
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool get_hashes(TurnReader *from, SimRecording *recording, BillowError *error)
{
    uint32_t count;
    uint64_t before = 0;
    if (!turn_get32(from, &count) || count > HASHES_MAX)
        return fail(error, "it ends early");
    for (uint32_t h = 0; h < count; h++) {
        uint64_t step, hash;
        if (!turn_get64(from, &step) || !turn_get64(from, &hash))
            return fail(error, "it ends early");
        if (step > recording->steps || step < before)
            return fail(error, "a hash of step %llu, which is out of order",
                        (unsigned long long)step);
        before = step;
        sim_recording_add_hash(recording, step, hash);
    }
    return !recording->ended || fail(error, "not enough memory");
}

static bool get_view(TurnReader *from, SimView *view)
{
    if (!turn_get64(from, &view->step) ||
        !turn_link_words(&(TurnLink){.from = from}, &view->camera, CAMERA_FLOATS))
        return false;
    float numbers[CAMERA_FLOATS];
    memcpy(numbers, &view->camera, sizeof numbers);
    bool good = view->camera.distance > 0 && view->camera.fov > 0 && view->camera.fov < 180;
    for (int n = 0; n < CAMERA_FLOATS; n++)
        good = good && fabsf(numbers[n]) <= CAMERA_MAX; /* false for NaN */
    return good;
}

static bool get_views(TurnReader *from, SimRecording *recording, BillowError *error)
{
    uint32_t count;
    SimView view;
    if (!turn_get32(from, &count) || count > VIEWS_MAX)
        return fail(error, "it ends early");
    for (uint32_t v = 0; v < count; v++) {
        if (!get_view(from, &view) || view.step > recording->steps ||
            (v > 0 && view.step <= recording->views[v - 1].step))
            return fail(error, "a camera is out of range or out of order");
        sim_recording_add_view(recording, view.step, &view.camera);
        if (recording->ended)
            return fail(error, "not enough memory");
    }
    return true;
}

/* Reads the state that the recording begins with, of so many packed bytes. */
static bool get_state(TurnReader *from, uint64_t length, ReplayFile *file, BillowError *error)
{
    uint64_t unpacked;
    const bool known = turn_get64(from, &unpacked);
    const unsigned char *packed = known ? turn_get(from, length) : NULL;
    if (packed == NULL || unpacked == 0 || unpacked > STATE_MAX || unpacked > SIZE_MAX / 2 ||
        unpacked / PACKED_MOST > length)
        return fail(error, "the length of its first state is out of range");
    unsigned char *bytes = malloc((size_t)unpacked);
    uLongf count = (uLongf)unpacked;
    file->start = calloc(1, sizeof *file->start);
    bool good = (bytes != NULL && file->start != NULL) || fail(error, "not enough memory");
    good =
        good && ((uncompress(bytes, &count, packed, (uLong)length) == Z_OK && count == unpacked) ||
                 fail(error, "its first state is damaged"));
    good = good && sim_join_read(&(TurnReader){bytes, (size_t)unpacked, 0}, file->start, error);
    free(bytes);
    if (good) {
        file->scene = file->start->scene;
        return true;
    }
    free(file->start);
    file->start = NULL;
    return false;
}

static bool get_start(TurnReader *from, ReplayFile *file, BillowError *error)
{
    uint64_t length;
    if (!turn_get64(from, &length))
        return fail(error, "it ends early");
    return length > 0 ? get_state(from, length, file, error)
                      : turn_get_scene(from, &file->scene, error) &&
                            turn_get_shapes(from, file->shapes, error);
}

static bool get_turns(TurnReader *from, SimRecording *recording, const Scene *scene,
                      BillowError *error)
{
    uint32_t turns;
    if (!turn_get64(from, &recording->steps) || recording->steps > STEPS_MAX ||
        !turn_get32(from, &turns))
        return fail(error, "its length is out of range");
    for (uint32_t t = 0; t < turns; t++)
        if (!turn_read(from, recording, &scene, error))
            return false;
    for (int c = 0; c < recording->count; c++)
        if (!sim_command_decides(recording->commands[c].command.kind))
            return fail(error, "it contains a pause, a step or a speed, which no recording does");
    return true;
}

static bool parse(TurnReader *from, ReplayFile *file, BillowError *error)
{
    uint32_t version;
    if (from->count < sizeof magic + 8 || memcmp(from->bytes, magic, sizeof magic) != 0)
        return fail(error, "this is no recording of hands");
    from->count -= 4;
    from->at = sizeof magic;
    turn_get32(from, &version);
    if (version != REPLAY_FILE_VERSION)
        return fail(error, "version %u of the format, and this program reads version %u", version,
                    REPLAY_FILE_VERSION);
    if (checksum(from->bytes, from->count) != get32(from->bytes + from->count))
        return fail(error, "it is damaged: its checksum is wrong");
    return get_start(from, file, error) && get_turns(from, &file->recording, &file->scene, error) &&
           get_views(from, &file->recording, error) && get_hashes(from, &file->recording, error) &&
           (from->at == from->count || fail(error, "something follows its end"));
}

bool replay_file_parse(const unsigned char *bytes, size_t count, ReplayFile *file,
                       BillowError *error)
{
    TurnReader from = {bytes, count, 0};
    file->recording = (SimRecording){.commands = NULL};
    file->start = NULL;
    memset(file->shapes, 0, sizeof file->shapes);
    if (parse(&from, file, error))
        return true;
    replay_file_free(file);
    return false;
}

void replay_file_free(ReplayFile *file)
{
    sim_recording_free(&file->recording);
    scene_shapes_free(file->shapes);
    if (file->start != NULL)
        sim_join_free(file->start);
    free(file->start);
    file->start = NULL;
}

bool replay_file_is_one(const char *path)
{
    char start[sizeof magic];
    FILE *stream = fopen(path, "rb");
    bool is = stream != NULL && fread(start, 1, sizeof start, stream) == sizeof start &&
              memcmp(start, magic, sizeof magic) == 0;
    if (stream != NULL)
        fclose(stream);
    return is;
}

/* Reads all bytes of a file, BYTES_MAX or fewer. */
static bool read_all(FILE *stream, TurnBytes *bytes, BillowError *error)
{
    unsigned char part[4096];
    size_t count;
    while ((count = fread(part, 1, sizeof part, stream)) > 0 && bytes->count <= BYTES_MAX)
        turn_put(bytes, part, count);
    if (ferror(stream))
        return fail(error, "%s", english_error(errno));
    if (bytes->failed || bytes->count > BYTES_MAX)
        return fail(error, "it is too long");
    return true;
}

bool replay_file_read(const char *path, ReplayFile *file, BillowError *error)
{
    TurnBytes bytes = {NULL, 0, 0, false};
    BillowError reason;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return fail(error, "%s: %s", path, english_error(errno));
    bool good = read_all(stream, &bytes, &reason) &&
                replay_file_parse(bytes.bytes, bytes.count, file, &reason);
    fclose(stream);
    free(bytes.bytes);
    return good || fail(error, "%s: %.400s", path, reason.text);
}

/* -- another quality --------------------------------------------------------------------------- */

/* Changes a scene. Returns whether its simulation stays the same. */
static bool change(const SceneRequest *request, Scene *scene, bool *same, BillowError *error)
{
    const Scene before = *scene;
    if (!scene_raise_quality(request->quality, scene, error) ||
        !scene_change(request, scene, error))
        return false;
    const unsigned decides = SCENE_EFFECT_REBUILD | SCENE_EFFECTS_LIVE;
    *same = *same && (scene_difference(&before, scene).effects & decides) == 0;
    return true;
}

/* Drops what only fits the recorded simulation: hashes, and how many pressure cycles the recording
 * machine had time for. */
static void drop_measured(SimRecording *recording)
{
    int kept = 0;
    for (int c = 0; c < recording->count; c++)
        if (recording->commands[c].command.kind != SIM_CYCLES)
            recording->commands[kept++] = recording->commands[c];
    recording->count = kept;
    recording->paced = false;
    recording->hash_count = 0;
}

/* same: the simulation stays the same. */
static bool may_change(const ReplayFile *file, bool same, BillowError *error)
{
    return file->start == NULL || same ||
           fail(error, "this recording begins in the middle of a scene: --grid, --refine, "
                       "--quality and --set can only change what is drawn of it");
}

bool replay_file_change(ReplayFile *file, const SceneRequest *request, bool *same,
                        BillowError *error)
{
    SimRecording *recording = &file->recording;
    const RenderCamera camera = file->scene.render.camera;
    *same = true;
    if (!change(request, &file->scene, same, error))
        return false;
    if (memcmp(&camera, &file->scene.render.camera, sizeof camera) != 0)
        recording->view_count = 0;
    if (!may_change(file, *same, error))
        return false;
    if (file->start != NULL)
        *file->start->shared.scene = file->start->scene = file->scene;
    for (int c = 0; c < recording->count; c++) {
        if (recording->commands[c].command.kind != SIM_SETTINGS)
            continue;
        SimSettings *settings = recording->commands[c].command.settings;
        Scene scene = *settings->scene;
        if (!change(request, &scene, same, error))
            return false;
        SimSettings changed = *settings;
        changed.scene = &scene;
        changed.step = (double)scene.step;
        changed.def = scene_def(&scene);
        SimSettings *copy = sim_settings_copy(&changed);
        if (copy == NULL)
            return fail(error, "not enough memory to change a recording");
        free(settings);
        recording->commands[c].command.settings = copy;
    }
    if (!may_change(file, *same, error))
        return false;
    if (!*same)
        drop_measured(recording);
    return true;
}

/* -- recording --------------------------------------------------------------------------------- */

static void keep(SimRecording *recording, bool last)
{
    ReplayRecorder *recorder = (ReplayRecorder *)recording; /* its first member */
    if (!recording->goes_on && !recorder->failed &&
        (last || recording->steps % REPLAY_KEEP_STEPS == 0)) {
        recorder->written = replay_file_write(recorder->path, &recorder->scene, recorder->shapes,
                                              recording, recorder->written, &recorder->error);
        recorder->failed = !recorder->written;
    }
    if (last)
        atomic_store(&recorder->ended, true);
}

ReplayRecorder *replay_recorder_create(const char *path, const Scene *scene, const ScenePlay *play,
                                       bool goes_on, BillowError *error)
{
    if (!check_files(path, scene, error))
        return NULL;
    ReplayRecorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL || (!goes_on && !scene_shapes_copy(play, recorder->shapes))) {
        replay_recorder_free(recorder);
        fail(error, "%s: not enough memory", path);
        return NULL;
    }
    recorder->recording = (SimRecording){.hashed = true, .keep = keep, .goes_on = goes_on};
    recorder->scene = *scene;
    snprintf(recorder->path, sizeof recorder->path, "%s", path);
    return recorder;
}

void replay_recorder_free(ReplayRecorder *recorder)
{
    if (recorder != NULL) {
        sim_recording_free(&recorder->recording);
        scene_shapes_free(recorder->shapes);
    }
    free(recorder);
}
