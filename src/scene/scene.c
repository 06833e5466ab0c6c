/* SPDX-License-Identifier: MIT */
#include "scene/scene.h"

#include "base/embed.h"
#include "scene/scene_bind.h"
#include "scene/scene_check.h"
#include "scene/scene_keys.h"
#include "scene/scene_light.h"
#include "scene/scene_reel.h"
#include "scene/scene_timeline.h"
#include "scene/scene_value.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- defaults ---------------------------------------------------------------------------------- */

SceneForm scene_form_default(void)
{
    return (SceneForm){.grid = "density",
                       .threshold = 0.05f,
                       .up = SCENE_UP_Z,
                       .first_frame = -1,
                       .frame_rate = 24,
                       .repeat = SCENE_HOLD};
}

static Scene usual; /* what scene_default returns */

static void make_default(void)
{
    usual = (Scene){
        .name = "scene",
        .domain = {.size = {1, 1, 1}, .cells = {64}},
        .step = 1.0f / 60,
        .poster = {.time = 4},
        .upres = {.factor = 1, .turbulence = 1.5f, .sharpening = 3},
        .initial = {.grid = "density",
                    .scale = 1,
                    .rotation = {0, 0, 0, 1},
                    .up = SCENE_UP_Z,
                    .smoke = 1,
                    .heat = 1,
                    .fuel = 1,
                    .velocity = 1},
        .def = billow_default_def(),
        .render = render_default_settings(),
    };
    BillowEmitter *brush = &usual.brush, *detonation = &usual.detonation;
    *brush = *detonation = billow_default_emitter();
    brush->smoke = 12;
    brush->heat = 150;
    brush->grip = 20;
    brush->noise = 0.5f;
    detonation->smoke = 60;
    detonation->heat = 8000;
    detonation->expansion = 20;
    detonation->burst = 4;
    detonation->grip = 40;
    detonation->noise = 1;
    detonation->end = 0.1;
    for (int e = 0; e < BILLOW_EMITTERS_MAX; e++)
        usual.emitter_forms[e] = scene_form_default();
    for (int s = 0; s < BILLOW_SOLIDS_MAX; s++)
        usual.solid_forms[s] = scene_form_default();
}

const Scene *scene_default(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_default);
    return &usual;
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

static const EmbeddedFile *offered_at(int index)
{
    int count = 0;
    while (embedded_scenes[count].name != NULL)
        count++;
    if (index < count)
        return builtin_at(index);
    for (const EmbeddedFile *file = embedded_templates; file->name != NULL; file++)
        if (file - embedded_templates == index - count)
            return file;
    return NULL;
}

const char *scene_offered_name(int index)
{
    const EmbeddedFile *file = offered_at(index);
    return file != NULL ? file->stem : NULL;
}

const char *scene_offered_title(int index)
{
    const EmbeddedFile *file = offered_at(index);
    return file != NULL ? file->title : NULL;
}

const char *scene_offered_text(int index)
{
    const EmbeddedFile *file = offered_at(index);
    return file != NULL ? file->text : NULL;
}

static const EmbeddedFile *offered_named(const char *name)
{
    const EmbeddedFile *const tables[] = {embedded_scenes, embedded_templates};
    for (int table = 0; table < 2; table++)
        for (const EmbeddedFile *file = tables[table]; file->name != NULL; file++)
            if (strcmp(file->stem, name) == 0)
                return file;
    return NULL;
}

bool scene_is_builtin(const char *name)
{
    return offered_named(name) != NULL;
}

/* -- loading ------------------------------------------------------------------------------------
 */

/* Largest scene file, bytes. A scene with every key and 32 emitters takes 40 KiB with comments. */
enum { FILE_SIZE_MAX = 256 * 1024 };

/* Position of `domain` in the file, for messages. */
static yaml_mark_t domain_mark(yaml_document_t *document)
{
    const yaml_node_t *root = yaml_document_get_root_node(document);
    const yaml_node_pair_t *domain = scene_yaml_find(document, root, "domain");
    return domain != NULL ? yaml_document_get_node(document, domain->key)->start_mark
                          : root->start_mark;
}

/* Position in the file of a face's kind. If the file does not give it, the position of the
 * innermost group that would contain it. */
static yaml_mark_t face_mark(yaml_document_t *document, int side)
{
    static const char *const names[BILLOW_SIDES] = {"left",    "right", "floor",
                                                    "ceiling", "back",  "front"};
    const char *const path[] = {"domain", "faces", names[side]};
    const yaml_node_t *node = yaml_document_get_root_node(document);
    for (int name = 0; name < 3; name++) {
        const yaml_node_pair_t *pair = scene_yaml_find(document, node, path[name]);
        if (pair == NULL)
            return domain_mark(document);
        node = yaml_document_get_node(document, name < 2 ? pair->value : pair->key);
    }
    return node->start_mark;
}

/* Checks faces and boundaries, after the whole scene is read, because one key may correct another.
 */
static bool check_faces(const SceneSource *source, yaml_document_t *document, Scene *scene)
{
    for (int face = 0; face < BILLOW_SIDES; face++) {
        const yaml_mark_t mark = face_mark(document, face);
        scene->face_places[face] = (ScenePlace){(int)mark.line + 1, (int)mark.column + 1};
    }
    int side = scene_check_face_to_blame(scene);
    yaml_mark_t mark = side >= 0 ? face_mark(document, side) : domain_mark(document);
    const BillowDef def = scene_def(scene);
    BillowError refused;
    return billow_check_faces(&def, &refused) ||
           scene_yaml_fail(source, &mark, "domain: %s", refused.text);
}

/* Position of an emitter's value in the file. emitter: index in the list; -1 for brush and
 * detonation. */
static yaml_mark_t emitter_mark(yaml_document_t *document, const char *group, int emitter,
                                const char *key)
{
    const yaml_node_t *root = yaml_document_get_root_node(document);
    const yaml_node_t *node = scene_yaml_value(document, root, group), *value = NULL;
    if (node != NULL && emitter >= 0)
        node = scene_yaml_item(document, node, emitter);
    if (node != NULL)
        value = scene_yaml_value(document, node, key);
    return (value != NULL ? value : node != NULL ? node : root)->start_mark;
}

static bool check_balance(const SceneSource *source, yaml_document_t *document, const Scene *scene)
{
    BillowError unbalanced;
    const BillowDef def = scene_def(scene);
    int emitter = billow_unbalanced(&def, &unbalanced);
    if (emitter < 0)
        return true;
    yaml_mark_t mark = emitter_mark(document, "emitters", emitter, "expansion");
    char text[sizeof unbalanced.text];
    scene_list_tell(scene, unbalanced.text, text, sizeof text);
    return scene_yaml_fail(source, &mark, "%s", text);
}

/* Checks the keys whose values name other keys. */
static bool check_named(const SceneSource *source, yaml_document_t *document, const Scene *scene)
{
    const yaml_node_t *root = yaml_document_get_root_node(document);
    const yaml_node_t *timeline = scene_yaml_value(document, root, "timeline"),
                      *poster = scene_yaml_value(document, root, "poster"),
                      *panel = scene_yaml_value(document, root, "panel");
    return (timeline == NULL || scene_timeline_check(source, document, timeline, scene)) &&
           scene_check_panel(source, &(panel != NULL ? panel : root)->start_mark, scene) &&
           scene_check_poster(source, &(poster != NULL ? poster : root)->start_mark, scene);
}

static bool check_idle(const SceneSource *source, yaml_document_t *document, const Scene *scene)
{
    SceneIdle idle;
    if (!scene_check_idle(scene, &idle))
        return true;
    yaml_mark_t mark = emitter_mark(document, idle.group, idle.emitter, idle.key);
    char text[sizeof idle.text + SCENE_NAME];
    scene_list_tell(scene, idle.text, text, sizeof text);
    return scene_yaml_fail(source, &mark, "%s", text);
}

static bool parse(const SceneSource *given, const char *text, size_t length, Scene *scene,
                  BillowError *error)
{
    SceneSource source = *given;
    const char *name = source.name;
    source.error = error;
    if (length > FILE_SIZE_MAX) {
        return fail(error, "%s: larger than %d KiB; this is no scene file", name,
                    FILE_SIZE_MAX / 1024);
    }
    yaml_document_t document;
    if (!scene_yaml_load(&source, text, length, &document))
        return false;
    Scene loaded = *scene_default();
    snprintf(loaded.file, sizeof loaded.file, "%s", name);
    bool good = scene_bind(&source, &document, &loaded);
    scene_timeline_resolve(&loaded);
    if (good) {
        yaml_mark_t mark = domain_mark(&document);
        good = scene_check_domain(&source, &mark, &loaded) &&
               check_faces(&source, &document, &loaded) &&
               check_balance(&source, &document, &loaded) &&
               check_named(&source, &document, &loaded) && check_idle(&source, &document, &loaded);
        scene_texts_resolve(&loaded);
    }
    yaml_document_delete(&document);
    if (good)
        *scene = loaded;
    return good;
}

bool scene_parse(const char *name, const char *text, size_t length, Scene *scene,
                 BillowError *error)
{
    return parse(&(SceneSource){.name = name}, text, length, scene, error);
}

bool scene_parse_apart(const char *name, const char *text, size_t length, Scene *scene,
                       BillowError *error)
{
    return parse(&(SceneSource){.name = name, .apart = true}, text, length, scene, error);
}

bool scene_parse_sealed(const char *name, const char *text, size_t length, Scene *scene,
                        BillowError *error)
{
    return parse(&(SceneSource){.name = name, .apart = true, .sealed = true}, text, length, scene,
                 error);
}

/* Fails, with the built-in scene whose name is most similar. */
static bool no_such_scene(const char *name, BillowError *error)
{
    char stem[64];
    const char *slash = strrchr(name, '/');
    snprintf(stem, sizeof stem, "%s", slash != NULL ? slash + 1 : name);
    char *dot = strrchr(stem, '.');
    if (dot != NULL)
        *dot = '\0';
    SceneSuggestion suggestion = {.word = stem};
    for (int i = 0; scene_offered_name(i) != NULL; i++)
        scene_suggest(&suggestion, scene_offered_name(i));
    const char *what = slash != NULL || dot != NULL ? "file" : "scene";
    if (suggestion.best != NULL)
        return fail(error, "there is no %s '%.200s'; did you mean '%s'?", what, name,
                    suggestion.best);
    return fail(error, "there is no %s '%.200s'; 'billow scenes' lists the built-in scenes", what,
                name);
}

bool scene_exists(const char *name_or_path, BillowError *error)
{
    if (scene_is_builtin(name_or_path))
        return true;
    FILE *stream = fopen(name_or_path, "rb");
    if (stream == NULL && errno == ENOENT)
        return no_such_scene(name_or_path, error);
    if (stream != NULL)
        fclose(stream);
    return true;
}

static bool load_stream(const char *path, FILE *stream, Scene *scene, BillowError *error)
{
    char *text = malloc(FILE_SIZE_MAX + 1);
    if (text == NULL)
        return fail(error, "%s: not enough memory to read it", path);
    errno = 0;
    size_t length = fread(text, 1, FILE_SIZE_MAX + 1, stream);
    bool good = ferror(stream) ? fail(error, "%s: cannot be read: %s", path, english_error(errno))
                               : scene_parse(path, text, length, scene, error);
    free(text);
    return good;
}

bool scene_load(const char *name_or_path, Scene *scene, BillowError *error)
{
    const EmbeddedFile *file = offered_named(name_or_path);
    if (file != NULL)
        return scene_parse(file->name, file->text, file->length, scene, error);
    FILE *stream = fopen(name_or_path, "rb");
    if (stream == NULL) {
        return errno == ENOENT ? no_such_scene(name_or_path, error)
                               : fail(error, "%.300s: cannot be opened: %s", name_or_path,
                                      english_error(errno));
    }
    bool good = load_stream(name_or_path, stream, scene, error);
    fclose(stream);
    return good;
}

bool scene_set(Scene *scene, const char *assignment, BillowError *error)
{
    Scene changed = *scene;
    char name[160];
    if (strncmp(assignment, "light=", 6) == 0) {
        BillowError wrong;
        return scene_light_set(scene, assignment + 6, &wrong) ||
               fail(error, "--set light: %s", wrong.text);
    }
    snprintf(name, sizeof name, "--set %.*s", (int)strcspn(assignment, "="), assignment);
    const SceneSource source = {.name = name, .assigned = "", .error = error};
    if (!scene_assign(&changed, assignment, error))
        return false;
    scene_timeline_resolve(&changed);
    scene_texts_resolve(&changed);
    if (!scene_timeline_check(&source, NULL, NULL, &changed))
        return false;
    *scene = changed;
    return true;
}

/* Removes the tracks whose keys start with `length` bytes of a text, or are these alone. */
static void drop_tracks(Scene *scene, const char *text, size_t length, bool whole)
{
    int kept = 0;
    for (int t = 0; t < scene->track_count; t++) {
        const char *key = scene->tracks[t].key;
        if (strncmp(key, text, length) != 0 || (whole && strlen(key) != length))
            scene->tracks[kept++] = scene->tracks[t];
    }
    scene->track_count = kept;
}

void scene_drop_tracks(Scene *scene, const char *beginning)
{
    drop_tracks(scene, beginning, strlen(beginning), false);
}

/* Sets a value as `--set` does, and removes the track of its key, because it overrides that. */
static bool override(Scene *scene, const char *assignment, BillowError *error)
{
    char path[SCENE_TRACK_KEY];
    if (!scene_set(scene, assignment, error))
        return false;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(assignment, "="), assignment);
    scene_path_resolve(scene, path);
    drop_tracks(scene, path, strlen(path), true);
    return true;
}

bool scene_set_poster(Scene *scene, BillowError *error)
{
    Scene changed = *scene;
    changed.poster.set[0] = '\0'; /* the assignments are checked one by one, without the rest */
    for (const char *rest = scene->poster.set; rest[strspn(rest, " ")] != '\0';) {
        char assignment[sizeof scene->poster.set];
        rest += strspn(rest, " ");
        int length = (int)strcspn(rest, " ");
        snprintf(assignment, sizeof assignment, "%.*s", length, rest);
        if (!override(&changed, assignment, error))
            return false;
        rest += length;
    }
    changed.poster = scene->poster;
    *scene = changed;
    return true;
}

bool scene_raise_quality(SceneQuality quality, Scene *scene, BillowError *error)
{
    if (quality == SCENE_DRAFT)
        return true;
    if (!scene_set_poster(scene, error))
        return false;
    if (scene->upres.factor < BILLOW_UPRES_MIN) /* a refined grid needs no wider interpolation */
        scene->render.picture.filter = RENDER_FILTER_CUBIC;
    for (int axis = 0; quality == SCENE_BEST && axis < 3; axis++)
        scene->domain.cells[axis] = scene->domain.cells[axis] * 3 / 2;
    const SceneSource source = {.name = scene->file, .assigned = "domain.cells", .error = error};
    return scene_check_domain(&source, &(yaml_mark_t){0}, scene);
}

void scene_refine_as_poster(Scene *scene, int cells_most)
{
    BillowError unused;
    Scene poster = *scene;
    const BillowDef def = scene_def(scene);
    const int cells = def.refine * (int)fmax(def.nx, fmax(def.ny, def.nz));
    if (!scene_raise_quality(SCENE_GOOD, &poster, &unused))
        return;
    scene->upres = poster.upres;
    scene->render.picture.filter = poster.render.picture.filter;
    while (cells_most > 0 && scene->upres.factor > 1 && scene->upres.factor * cells > cells_most)
        scene->upres.factor--;
    if (scene->upres.factor < BILLOW_UPRES_MIN)
        scene->render.picture.filter = RENDER_FILTER_CUBIC;
}

/* Whether the stops of the ramps are in the order of their positions. */
static bool check_ramps(const char *name, Scene *scene, BillowError *error)
{
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        const RenderRamp *ramp = scene_ramp(list, scene);
        int late = ramp != NULL ? render_ramp_unsorted(ramp) : -1;
        if (late >= 0)
            return fail(error,
                        "%.200s, as changed by --set: %s[%d].at must be at least %g, the position "
                        "of the stop before, not %g",
                        name, list->name, late, (double)ramp->stops[late - 1].at,
                        (double)ramp->stops[late].at);
    }
    return true;
}

bool scene_request_sets(const SceneRequest *request, const char *key)
{
    const size_t length = strlen(key);
    bool sets = false;
    for (int o = 0; o < request->override_count; o++)
        sets |= strcspn(request->overrides[o], "=") == length &&
                strncmp(request->overrides[o], key, length) == 0;
    return sets;
}

bool scene_change(const SceneRequest *request, Scene *scene, BillowError *error)
{
    Scene changed = *scene;
    for (int i = 0; i < request->override_count; i++)
        if (!override(&changed, request->overrides[i], error))
            return false;
    char refine[32];
    snprintf(refine, sizeof refine, "domain.refine=%d", request->refine);
    if (request->refine > 0 && !override(&changed, refine, error))
        return false;
    if (request->grid != NULL && !scene_set_grid(&changed, request->grid, error))
        return false;
    BillowError unbalanced; /* reported only after all changes, because a later change may correct
                               an earlier one */
    const BillowDef def = scene_def(&changed);
    if (!billow_check_faces(&def, &unbalanced) || billow_unbalanced(&def, &unbalanced) >= 0) {
        return fail(error, "%.200s, as changed by --%s: %s", request->name_or_path,
                    request->override_count > 0 ? "set" : "grid", unbalanced.text);
    }
    SceneIdle idle;
    if (scene_check_idle(&changed, &idle))
        return fail(error, "%.200s, as changed by --set: %s", request->name_or_path, idle.text);
    if (!check_ramps(request->name_or_path, &changed, error))
        return false;
    *scene = changed;
    return true;
}

bool scene_open(const SceneRequest *request, Scene *scene, BillowError *error)
{
    Scene opened;
    if (!scene_load(request->name_or_path, &opened, error) ||
        !scene_raise_quality(request->quality, &opened, error) ||
        !scene_change(request, &opened, error))
        return false;
    *scene = opened;
    return true;
}

/* -- the grid ---------------------------------------------------------------------------------- */

/* Reads a number of at most 9 digits and moves text past it. */
static bool read_count(const char **text, int *count)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 9)
        return false;
    *count = 0;
    for (size_t i = 0; i < digits; i++)
        *count = *count * 10 + ((*text)[i] - '0');
    *text += digits;
    return true;
}

/* Reads 1 or 3 numbers joined by 'x'. Returns how many numbers it read; 0 if the text has another
 * form. */
static int read_counts(const char *text, int counts[3])
{
    int found = 0;
    while (found < 3 && read_count(&text, &counts[found])) {
        found++;
        if (*text == '\0')
            return found == 2 ? 0 : found;
        if (*text++ != 'x')
            return 0;
    }
    return 0;
}

bool scene_set_grid(Scene *scene, const char *grid, BillowError *error)
{
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(grid, strlen(grid), quoted);
    int counts[3] = {0};
    int found = read_counts(grid, counts);
    if (found == 0) {
        return fail(error,
                    "grid %s: write one count or three, such as 64 or 64x96x64, each %d to %d",
                    quoted, BILLOW_GRID_MIN, BILLOW_GRID_MAX);
    }
    for (int i = 0; i < found; i++) {
        if (counts[i] < BILLOW_GRID_MIN || counts[i] > BILLOW_GRID_MAX) {
            return fail(error, "grid %s: %d cells are out of range; each axis must have %d to %d",
                        quoted, counts[i], BILLOW_GRID_MIN, BILLOW_GRID_MAX);
        }
    }
    Scene changed = *scene;
    memcpy(changed.domain.cells, counts, sizeof counts);
    char name[16 + SCENE_YAML_QUOTE_SIZE] = "grid ";
    strcat(name, quoted);
    const SceneSource source = {.name = name, .assigned = "domain.cells", .error = error};
    if (!scene_check_domain(&source, &(yaml_mark_t){0}, &changed))
        return false;
    *scene = changed;
    return true;
}

void scene_take_cells(Scene *scene, const int cells[3], int refine)
{
    const BillowDef own = scene_def(scene);
    int *counts = scene->domain.cells;
    scene->def.refine = refine;
    if (own.nx == cells[0] && own.ny == cells[1] && own.nz == cells[2])
        return;
    if (counts[1] != 0)
        memcpy(counts, cells, 3 * sizeof *counts);
    else /* that of the longest axis */
        counts[0] = (int)fmax(cells[0], fmax(cells[1], cells[2]));
}

/* -- tracks -------------------------------------------------------------------------------------
 */

/* Finds the number of a list's entry in a key: 2 in "emitters[2].smoke" and in "emitters.2.smoke".
 * Returns the rest of the key, from the bracket or dot after the number; NULL: it has none. */
static const char *entry_number(const char *key, const char *list, int *number)
{
    size_t length = strlen(list);
    if (strncmp(key, list, length) != 0 || (key[length] != '[' && key[length] != '.'))
        return NULL;
    char *rest;
    long value = strtol(key + length + 1, &rest, 10);
    if (rest == key + length + 1 || value < 0 || value > 9999)
        return NULL;
    *number = (int)value;
    return rest;
}

void scene_shift_tracks(Scene *scene, const char *list, int index, int by)
{
    int kept = 0, number = 0;
    for (int t = 0; t < scene->track_count; t++) {
        SceneTrack track = scene->tracks[t];
        const char *rest = entry_number(track.key, list, &number);
        if (rest != NULL && by < 0 && number == index)
            continue;
        if (rest != NULL && number >= index) {
            size_t length = strlen(list);
            snprintf(track.key, sizeof track.key, "%s%c%d%s", list, scene->tracks[t].key[length],
                     number + by, scene->tracks[t].key + (rest - track.key));
        }
        scene->tracks[kept++] = track;
    }
    scene->track_count = kept;
}

bool scene_leads_solid(const Scene *scene, int solid)
{
    int keyed = 0;
    if (solid < scene->def.solid_count && scene_form_is_reel(&scene->solid_forms[solid]))
        return true;
    for (int t = 0; t < scene->track_count; t++) {
        unsigned key = scene_timeline_solid(scene->tracks[t].key, &keyed);
        if ((key & ~(unsigned)SCENE_SOLID_TEMPERATURE) != 0 && keyed == solid)
            return true;
    }
    return false;
}
