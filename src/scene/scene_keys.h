/* SPDX-License-Identifier: MIT
 *
 * The keys of a scene file and its lists of entries. Most keys are made from the tables of
 * parameters (`billow_parameters`, `render_parameters`), which define their names, units, ranges,
 * defaults and meanings. The keys are used by loading, `--set`, writing, the panel and the printed
 * reference. */
#ifndef SCENE_SCENE_KEYS_H
#define SCENE_SCENE_KEYS_H

#include "scene/scene.h"

#include <stdio.h>

typedef enum SceneKeyType {
    /* types that parameters have too */
    SCENE_KEY_FLOAT = BILLOW_TYPE_FLOAT,
    SCENE_KEY_DOUBLE = BILLOW_TYPE_DOUBLE,
    SCENE_KEY_INT = BILLOW_TYPE_INT,
    SCENE_KEY_SEED = BILLOW_TYPE_UINT32,
    SCENE_KEY_BOOL = BILLOW_TYPE_BOOL,
    SCENE_KEY_CHOICE = BILLOW_TYPE_CHOICE,
    SCENE_KEY_VECTOR = BILLOW_TYPE_VECTOR,
    SCENE_KEY_SIZE = BILLOW_TYPE_SIZE,
    SCENE_KEY_COLOR = BILLOW_TYPE_COLOR,
    SCENE_KEY_ROTATION = BILLOW_TYPE_ROTATION,
    /* types that only scenes have */
    SCENE_KEY_CELLS, /* int[3]: [nx, ny, nz], or one count, stored as {n, 0, 0} */
    SCENE_KEY_NAME,  /* char[]: letters, digits, '-' and '_', so that it can be part of a path */
    SCENE_KEY_TEXT,  /* char[]: one line */
    SCENE_KEY_FILE,  /* char[SCENE_PATH]: a file in the scene file's folder or below, or numbered
                        files (scene_reel.h) */
    SCENE_KEY_FORM_TEXT, /* char[] of a SceneForm: one line */
    SCENE_KEY_FORM_FONT, /* char[] of a SceneForm: a font's family or file */
    SCENE_KEY_EMITTER,   /* a BillowEmitter, with the keys of scene_emitter_keys */
    SCENE_KEY_EMITTERS,  /* lists (SceneList) */
    SCENE_KEY_SOLIDS,
    SCENE_KEY_FORCES,
    SCENE_KEY_LAMPS,
    SCENE_KEY_SMOKE_RAMP,
    SCENE_KEY_FIRE_RAMP,
    SCENE_KEY_TIMELINE /* SceneTrack[SCENE_TRACKS_MAX] with its count */
} SceneKeyType;

/* What a changed key affects. A change with SCENE_EFFECT_REBUILD recreates the simulation. Other
 * changes are applied while the simulation runs, and the smoke stays. */
typedef enum SceneEffect {
    SCENE_EFFECT_NAME = 1, /* name, title and poster: nothing in the window */
    SCENE_EFFECT_CAMERA = 2,
    SCENE_EFFECT_PICTURE = 4, /* render settings other than the camera */
    SCENE_EFFECT_HAND = 8,    /* brush and detonation */
    SCENE_EFFECT_PARAMS = 16,
    SCENE_EFFECT_EMITTERS = 32,
    SCENE_EFFECT_FORCES = 64,
    SCENE_EFFECT_SOLIDS = 128,
    SCENE_EFFECT_STEP = 256,
    SCENE_EFFECT_TIMELINE = 512,
    SCENE_EFFECT_REBUILD = 1024 /* memory or faces: the simulation is recreated at rest */
} SceneEffect;

/* Effects whose changes are applied to a running simulation. */
#define SCENE_EFFECTS_LIVE                                                                         \
    (SCENE_EFFECT_PARAMS | SCENE_EFFECT_EMITTERS | SCENE_EFFECT_FORCES | SCENE_EFFECT_SOLIDS |     \
     SCENE_EFFECT_STEP | SCENE_EFFECT_TIMELINE)

/* Where the value of a key lies. */
typedef enum SceneHome {
    SCENE_HOME_STRUCTURE, /* in the structure of the table */
    SCENE_HOME_FORM,      /* in the entry's SceneForm, as mesh, text and font */
    SCENE_HOME_NAME       /* in the entry's SceneName */
} SceneHome;

typedef struct SceneKey {
    char path[48]; /* "solver.vorticity" */
    SceneKeyType type;
    SceneEffect effect; /* for brush, detonation and lists: effect of every key in them */
    SceneHome home;
    size_t offset; /* offset in the structure of `home` */
    double minimum,
        maximum;      /* both inclusive; limits of each component, or of a text's length in bytes */
    const char *unit; /* "" for numbers without a unit and for words */
    const char *doc;
    const char *const
        *choices; /* words of SCENE_KEY_CHOICE, followed by NULL; NULL for other types */
    const char *const *former_choices; /* words of older files, as in BillowParameter */
    const char *former;                /* last name of path in older files; NULL: none */
} SceneKey;

typedef struct SceneKeyTable {
    const SceneKey *rows;
    int count;
    const void *defaults; /* a structure of the table with every value at its default */
} SceneKeyTable;

/* The tables of keys. Offsets refer to the structure named beside each table. */
const SceneKeyTable *scene_keys(void);         /* Scene */
const SceneKeyTable *scene_emitter_keys(void); /* BillowEmitter */
const SceneKeyTable *scene_solid_keys(void);   /* BillowSolid */
const SceneKeyTable *scene_force_keys(void);   /* BillowForce */
const SceneKeyTable *scene_lamp_keys(void);    /* RenderLamp */
const SceneKeyTable *scene_stop_keys(void);    /* RenderStop */

/* Returns NULL if no key has that path. */
const SceneKey *scene_keys_find(const SceneKeyTable *table, const char *path);

/* Whether a path is a group of keys, such as "solver", "domain.faces" or "". */
bool scene_keys_is_group(const SceneKeyTable *table, const char *path);

/* The current name of a key that older files call `name`. A name that is not an older one is
 * returned unchanged. */
const char *scene_keys_present(const SceneKeyTable *table, const char *group, const char *name);

/* A key that only older scene files have. Its value is read and ignored. */
typedef struct SceneGone {
    const char *path;
    const char *word, *notice; /* the value with which the user gets a notice, and its text */
} SceneGone;

/* Returns NULL if the path is not that of such a key. */
const SceneGone *scene_keys_gone(const SceneKeyTable *table, const char *path);

/* Writes the names directly inside a group, each once, in the table's order, at most `capacity` of
 * them. Returns the number of names written. */
#define SCENE_KEYS_NAME_SIZE 32
int scene_keys_children(const SceneKeyTable *table, const char *group,
                        char names[][SCENE_KEYS_NAME_SIZE], int capacity);

/* The last name of a path. */
const char *scene_keys_last_name(const char *path);

/* Whether the key's value is a text: char[], which ends with a 0. */
bool scene_key_is_text(const SceneKey *key);

/* -- lists ------------------------------------------------------------------------------------- */

/* A list of entries. `--set` addresses a value in it as emitters[0].smoke. */
typedef struct SceneList {
    SceneKeyType type;
    const char *name, *entry, *an_entry; /* names of the list and of an entry in messages:
                                            "emitters", "emitter", "an emitter" */
    const SceneKeyTable *(*keys)(void);  /* table of an entry's keys */
    size_t items, count;                 /* offsets into Scene */
    size_t names;                        /* offset into Scene; 0: the entries have no names */
    size_t forms, places; /* offsets into Scene; 0: the entries have no forms and no places */
    size_t size;          /* size of an entry, bytes */
    size_t shape;         /* offset of the shape in an entry; used only if entries have forms */
    int most;             /* entries */
} SceneList;

/* `scene_list_at` returns NULL after the last list. `scene_list_of` returns the list of a key's
 * type, or NULL. */
const SceneList *scene_list_at(int index);
const SceneList *scene_list_of(SceneKeyType type);

/* The structures that hold the values of an entry. */
typedef struct SceneEntry {
    void *values; /* structure of the table; NULL: there is no such entry */
    SceneForm *form;
    SceneName *name; /* form and name: NULL if the entry cannot have one */
} SceneEntry;

SceneEntry scene_list_whole(const SceneList *list, Scene *scene, int index);
/* The structure of an entry that the key's offset refers to; NULL: the entry has none. */
void *scene_entry_home(const SceneEntry *entry, const SceneKey *key);

/* Copies `count` entries of a list, with all that belongs to them, to another scene or place. */
void scene_list_copy(const SceneList *list, const Scene *from, int index, Scene *to, int to_index,
                     int count);

/* Removes an entry. Tracks, `panel` and `poster.set` follow. */
void scene_list_remove(const SceneList *list, Scene *scene, int index);

/* What people read of an entry: its name, or else its kind or the list's word for it and its
 * number, counted from 1: "emitter 1", "wind 2". */
void scene_list_shown(const SceneList *list, const Scene *scene, int index, char text[SCENE_NAME]);
/* Makes a word the name of a new entry, with a number if another is shown by it. Long words are cut
 * between characters of UTF-8. */
void scene_name_new(const Scene *scene, const char *word, SceneName *name);

/* Adds to a message the names of the entries it is about: "emitters[0].fuel gives ..." becomes
 * "emitters[0].fuel (campfire) gives ...". */
void scene_list_tell(const Scene *scene, const char *message, char *text, size_t size);

/* An entry of a scene, and the entry's form, place and shape. Form, place and shape are NULL if the
 * list has no forms. */
void *scene_list_entry(const SceneList *list, Scene *scene, int index);
SceneForm *scene_list_form(const SceneList *list, Scene *scene, int index);
ScenePlace *scene_list_place(const SceneList *list, Scene *scene, int index);
BillowShape *scene_list_shape(const SceneList *list, void *entry);
/* Sets every value of an entry to its default. It then has no name and no form. */
void scene_list_reset(const SceneList *list, Scene *scene, int index);
int *scene_list_count(const SceneList *list, Scene *scene);

/* Prints every key with its type, range, unit, default and meaning, as text or as Markdown. */
void scene_print_keys(FILE *file, bool markdown);

#endif
