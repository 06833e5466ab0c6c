/* SPDX-License-Identifier: MIT
 *
 * Scene files: reads YAML in SI units into a `Scene`, and makes the `BillowDef` of its simulation.
 * The tables of parameters (scene_keys.h) give the keys with their types, units, ranges, defaults
 * and meanings. A file with an error is not loaded at all. The message gives FILE:LINE:COLUMN, the
 * key, and a suggestion if a known key is similar. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/render_settings.h"
#include <billow/billow.h>
#include <billow/upres.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct SceneDomain {
    float size[3]; /* m */
    int cells[3];  /* number of cells per axis; cells are cubic, so the box may be larger than size;
                      {n, 0, 0}: n cells along the longest axis */
} SceneDomain;

#define SCENE_PATH 256 /* longest path of a file that a scene names, with its 0 */

/* The axis of a file that points up. */
typedef enum SceneUp { SCENE_UP_Y, SCENE_UP_Z } SceneUp;

/* What follows the last of numbered files. */
typedef enum SceneRepeat { SCENE_HOLD, SCENE_LOOP } SceneRepeat;

/* The file or the text that gives an emitter or a solid its shape. mesh, vdb, particles and text are
 * empty if it has none. */
typedef struct SceneForm {
    char mesh[SCENE_PATH], vdb[SCENE_PATH]; /* a file, or numbered files, such as ball_%04d.obj */
    char particles[SCENE_PATH];             /* likewise; of emitters alone */
    float particle_radius; /* of particles whose file gives none, in its unit; 0: none is given */
    bool moves;       /* whether the mesh is one glTF file that has animations */
    char grid[64];    /* of the .vdb file */
    float threshold;  /* density at which a fog volume has its surface */
    SceneUp up;       /* for .vdb files that do not say it */
    int first_frame;  /* number of the file at time 0 */
    float frame_rate; /* files per second */
    SceneRepeat repeat;
    char text[64];
    char font[128]; /* a family's name or a file; empty: DejaVu Sans Bold */
} SceneForm;

#define SCENE_NAME 32

/* The name that a person gave to an entry of a list. Empty: none. */
typedef struct SceneName {
    char text[SCENE_NAME];
} SceneName;

/* Line and column of an entry in its scene file, counted from 1. line 0: the entry is not from a
 * file. */
typedef struct ScenePlace {
    int line, column;
} ScenePlace;

#define SCENE_TRACKS_MAX  24
#define SCENE_MOMENTS_MAX 48
#define SCENE_TRACK_KEY   64

/* A value that changes over time: one track of the timeline. */
typedef struct SceneTrack {
    char key[SCENE_TRACK_KEY]; /* as --set writes it: "emitters[0].smoke" */
    bool smooth;               /* interpolation between the moments: true: smooth; false: linear */
    int count;                 /* moments */
    int parts;                 /* number of components at each moment: 1, 3 or 4 */
    double times[SCENE_MOMENTS_MAX]; /* times of the moments, rising, s; before the first and after
                                        the last moment the value is constant */
    float values[SCENE_MOMENTS_MAX][4];
} SceneTrack;

/* What a still of the scene shows. */
typedef struct ScenePoster {
    float time;    /* s */
    char set[256]; /* assignments for scene_set with spaces between; empty: none */
} ScenePoster;

/* Smoke that is there at the start. */
typedef struct SceneInitial {
    char vdb[SCENE_PATH]; /* path of a .vdb file; empty: none, and the box starts empty */
    char grid[64];        /* of its density */
    float center[3];      /* place of the file's origin, m */
    float scale;          /* factor on the file's lengths and velocities */
    float rotation[4];    /* unit quaternion (x, y, z, w) */
    SceneUp up;           /* for files that do not say it */
    float smoke, heat, fuel, velocity; /* factors on the file's values */
} SceneInitial;

typedef struct Scene {
    char name[64];
    char title[160]; /* one line, shown in lists of scenes */
    char file[200];  /* name of the scene's file, used in messages */
    SceneDomain domain;
    ScenePlace face_places[BILLOW_SIDES];
    float step; /* length of one step, s */
    float show; /* time after which there is little left to see, s; 0: there always is */
    ScenePoster poster;
    char panel[256];      /* values that the window's panel shows first: names as for scene_set with
                             spaces between; empty: values that every scene has */
    BillowUpresDef upres; /* factor 1: none */
    SceneInitial initial;
    BillowDef def; /* of the simulation; scene_def adds its cells */
    SceneName emitter_names[BILLOW_EMITTERS_MAX];
    SceneForm emitter_forms[BILLOW_EMITTERS_MAX];
    ScenePlace emitter_places[BILLOW_EMITTERS_MAX];
    SceneName solid_names[BILLOW_SOLIDS_MAX];
    SceneForm solid_forms[BILLOW_SOLIDS_MAX];
    ScenePlace solid_places[BILLOW_SOLIDS_MAX];
    SceneName force_names[BILLOW_FORCES_MAX];
    SceneName lamp_names[RENDER_LAMPS_MAX];
    BillowEmitter brush;      /* emitter of the left mouse button */
    BillowEmitter detonation; /* emitter that the key E starts */
    RenderSettings render;
    SceneTrack tracks[SCENE_TRACKS_MAX];
    int track_count;
    const char *gone; /* notice of a key of older files that was ignored; NULL: none */
} Scene;

/* The form of an entry that has none: empty names, all values at their defaults. */
SceneForm scene_form_default(void);

/* The scene that an empty file describes: every value is at its default. */
const Scene *scene_default(void);

/* Whether there is a built-in scene or a file of that name. If not, the message names the scene
 * that was probably meant. */
bool scene_exists(const char *name_or_path, BillowError *error);

/* Loads a built-in scene by its name, or a scene file by its path. On failure *scene is unchanged.
 */
bool scene_load(const char *name_or_path, Scene *scene, BillowError *error);

/* Loads a scene from memory. name: the file's name in messages. */
bool scene_parse(const char *name, const char *text, size_t length, Scene *scene,
                 BillowError *error);
/* Loads the scene text of a checkpoint. Files that the text names by absolute paths need not exist,
 * because the checkpoint contains the volumes made from them. */
bool scene_parse_apart(const char *name, const char *text, size_t length, Scene *scene,
                       BillowError *error);
/* The same for text from anywhere, of which no file is looked at. */
bool scene_parse_sealed(const char *name, const char *text, size_t length, Scene *scene,
                        BillowError *error);

/* Sets one value, given as an assignment: "solver.vorticity=8", "emitters[0].smoke=3",
 * "domain.size=[1, 2, 1]". "light=dusk" sets sun, surroundings and lamps together, by the rigs of
 * scene_light.h. On failure *scene is unchanged. */
bool scene_set(Scene *scene, const char *assignment, BillowError *error);

/* Writes a path as the scene's own: emitters[2].smoke for emitters[campfire].smoke. A path that
 * names no value stays as it is. */
void scene_path_resolve(Scene *scene, char path[SCENE_TRACK_KEY]);
/* Writes the paths in `panel` and `poster.set` so, which entries by their names would otherwise
 * lose when one is renamed. */
void scene_texts_resolve(Scene *scene);

/* Sets the values of the poster, and removes their tracks. On failure *scene is unchanged. */
bool scene_set_poster(Scene *scene, BillowError *error);

/* Removes the tracks whose keys start with `beginning`, for example "camera.". */
void scene_drop_tracks(Scene *scene, const char *beginning);
/* Renumbers the tracks of a list, such as "emitters", after an entry was inserted at `index` (by 1)
 * or removed from there (by -1); the tracks of a removed entry go with it. */
void scene_shift_tracks(Scene *scene, const char *list, int index, int by);

/* Sets domain.cells from "64" or "64x96x64". */
bool scene_set_grid(Scene *scene, const char *grid, BillowError *error);
/* Sets the cells to those of a simulation of the scene, which may be on a coarser or finer grid. */
void scene_take_cells(Scene *scene, const int cells[3], int refine);

/* How much time pictures may take. */
typedef enum SceneQuality {
    SCENE_DRAFT, /* the scene as the window plays it */
    SCENE_GOOD,  /* with the assignments of its poster; unless they refine the smoke
                    (upres.factor), it is interpolated by B-splines */
    SCENE_BEST   /* as SCENE_GOOD, with 1.5 times the cells on each axis */
} SceneQuality;

/* What a command is asked to play, and how it runs (scene_start.h). */
typedef struct SceneRequest {
    const char *name_or_path;     /* NULL: no scene was named */
    const char *grid;             /* "64" or "64x96x64"; NULL: the scene's own number of cells */
    int refine;                   /* cells of smoke along an edge of a cell; 0: the scene's own */
    const char *const *overrides; /* assignments for scene_set, in order */
    int override_count;
    SceneQuality quality;
    /* of a run alone */
    const char *command;    /* name of the subcommand, for messages */
    int threads;            /* 0: one per core */
    bool quiet;             /* no progress, no notices */
    const char *resume;     /* checkpoint to continue; NULL: none */
    const char *replay;     /* recording of hands to replay; NULL: none */
    const char *checkpoint; /* file to write; NULL: none */
    int every;              /* steps or frames between two checkpoints; 0: at the end alone */
} SceneRequest;

/* Whether an override of the request sets this key, such as "domain.cells". */
bool scene_request_sets(const SceneRequest *request, const char *key);
/* Loads the requested scene and applies the request's quality, overrides and grid to it, in this
 * order. */
bool scene_open(const SceneRequest *request, Scene *scene, BillowError *error);

/* Applies the request's overrides and grid to a loaded scene. Each override is set by `scene_set`,
 * and the track of its key is removed from the timeline. Fails if the faces do not agree with each
 * other, the emitters' expansion is not balanced, or an emitter has a value without effect. */
bool scene_change(const SceneRequest *request, Scene *scene, BillowError *error);

/* Changes a loaded scene to a quality of pictures. On failure *scene may be changed. */
bool scene_raise_quality(SceneQuality quality, Scene *scene, BillowError *error);
/* Gives a scene what refines its poster beyond the simulation: the up-resolution and the
 * interpolation. cells_most: most cells along an axis of the refined smoke; 0: any number. */
void scene_refine_as_poster(Scene *scene, int cells_most);

/* Whether the timeline has a track for the solid's position, rotation, velocity or spin. */
bool scene_leads_solid(const Scene *scene, int solid);

/* The definition of the scene's simulation: scene->def, with cubic cells that cover the domain. A
 * ramp by age turns the age of the smoke on. */
BillowDef scene_def(const Scene *scene);

/* Whether the definition's box is longer than `domain.size` by a cell or more on some axis. This
 * happens if the three numbers of cells in `domain.cells` do not have the proportions of
 * `domain.size`. */
bool scene_outgrows_size(const Scene *scene);

/* The built-in scene that the window opens if none is named. It is the last one. */
#define SCENE_TO_PLAY "play"

/* Name of a built-in scene, in the order of the window's keys 1 to 9; NULL if there are fewer
 * scenes. */
const char *scene_builtin_name(int index);
const char *scene_builtin_title(int index);
const char *scene_builtin_text(int index); /* the file itself */
bool scene_is_builtin(const char *name);   /* a built-in scene or a template */

/* The built-in scenes, and after them the templates: plain scenes of everyday things, embedded in
 * the program like the others, to start scenes of one's own from. NULL: no more. */
const char *scene_offered_name(int index);
const char *scene_offered_title(int index);
const char *scene_offered_text(int index);

#endif
