/* SPDX-License-Identifier: MIT
 *
 * Every key of a scene file: where it is stored, what it may hold, what it means. The one place to
 * add a key; loading, `--set`, range checks and the printed reference follow it. */
#ifndef SCENE_SCENE_KEYS_H
#define SCENE_SCENE_KEYS_H

#include "scene.h"

typedef enum SceneKeyType {
    SCENE_KEY_FLOAT,
    SCENE_KEY_DOUBLE,
    SCENE_KEY_INT,
    SCENE_KEY_SEED, /* uint32_t */
    SCENE_KEY_BOOL,
    SCENE_KEY_VECTOR,   /* float[3]: [x, y, z] */
    SCENE_KEY_SIZE,     /* float[3]: [x, y, z], or one number for all three */
    SCENE_KEY_COLOR,    /* float[3]: [r, g, b] */
    SCENE_KEY_ROTATION, /* float[4], a unit quaternion: [x, y, z, degrees], around that axis */
    SCENE_KEY_CELLS,    /* int[3]: [nx, ny, nz], or one count, stored as {n, 0, 0} */
    SCENE_KEY_FACE,     /* the enums, by name */
    SCENE_KEY_PROFILE,
    SCENE_KEY_SHAPE,
    SCENE_KEY_ADVECTION,
    SCENE_KEY_PRESSURE,
    SCENE_KEY_TONE,
    SCENE_KEY_FILTER,
    SCENE_KEY_MOTION,
    SCENE_KEY_FORCE_KIND,
    SCENE_KEY_NAME, /* char[]: letters, digits, '-' and '_', so that it can be part of a path */
    SCENE_KEY_TEXT, /* char[]: one line */
    SCENE_KEY_FORM_MESH, /* char[] of a SceneForm: a file beside the scene's */
    SCENE_KEY_FORM_TEXT, /* char[] of a SceneForm: one line */
    SCENE_KEY_FORM_FONT,
    SCENE_KEY_EMITTER,  /* BillowEmitter: keys of scene_emitter_keys */
    SCENE_KEY_EMITTERS, /* lists (scene_list.h) */
    SCENE_KEY_SOLIDS,
    SCENE_KEY_FORCES,
    SCENE_KEY_LAMPS,
    SCENE_KEY_TIMELINE, /* SceneTrack[SCENE_TRACKS_MAX] with its count: scene_timeline.h */
} SceneKeyType;

#define DEGREE (3.14159265358979323846 / 180)

typedef struct SceneKey {
    const char *path; /* "solver.vorticity" */
    SceneKeyType type;
    size_t offset;           /* into Scene, or into an entry of a list, or SceneForm */
    double minimum, maximum; /* both allowed; of each component, of a name's or text's bytes */
    const char *unit;        /* "" for pure numbers and words */
    const char *doc;
} SceneKey;

typedef struct SceneKeyTable {
    const SceneKey *rows;
    int count;
} SceneKeyTable;

extern const SceneKeyTable scene_keys;         /* offsets into Scene */
extern const SceneKeyTable scene_emitter_keys; /* offsets into BillowEmitter */
extern const SceneKeyTable scene_solid_keys;   /* offsets into BillowSolid */
extern const SceneKeyTable scene_force_keys;   /* offsets into BillowForce */
extern const SceneKeyTable scene_lamp_keys;    /* offsets into RenderLamp */

/* NULL where no key has that path. */
const SceneKey *scene_keys_find(const SceneKeyTable *table, const char *path);

/* Whether keys lie below path: "solver" and "domain.faces" are groups. "" is one, too. */
bool scene_keys_is_group(const SceneKeyTable *table, const char *path);

/* The names directly inside a group, each once, in the table's order. Returns how many there are;
 * names holds at most capacity of them. */
#define SCENE_KEYS_NAME_SIZE 32
int scene_keys_children(const SceneKeyTable *table, const char *group,
                        char names[][SCENE_KEYS_NAME_SIZE], int capacity);

/* The words an enum key accepts, in the order of its values, ended by NULL; NULL for other keys. */
const char *const *scene_keys_choices(SceneKeyType type);

/* The value at base + offset as one would write it in a file, so that reading it back gives the
 * same bits. False for lists and groups, and for
 * forms. */
bool scene_keys_format(const SceneKey *key, const void *base, char *text, size_t size);

/* "0 to 100 1/s", "true or false", "open or closed": what the key may hold. */
void scene_keys_allowed(const SceneKey *key, char *text, size_t size);

#endif
