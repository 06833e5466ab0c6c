/* SPDX-License-Identifier: MIT
 *
 * Scene files: YAML in SI units to a Scene and its BillowDef.
 *
 * One table (scene_keys.c) holds every key with its type, unit, default, range and meaning;
 * loading,
 * `--set`, range checks and the reference of `billow scenes --keys` all read that table. A wrong
 * file is refused whole, with FILE:LINE:COLUMN, the key and, where a known key is near, a
 * suggestion.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "render_settings.h"
#include <billow/billow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct SceneDomain {
    float size[3]; /* m */
    int cells[3];  /* cells[1] == 0: cells[0] of them along the longest axis; else of each axis,
                      and the box is as much longer than size as cubes then need */
    BillowFace faces[BILLOW_SIDES];
    BillowBoundary boundaries[BILLOW_SIDES];
} SceneDomain;

/* What gives an emitter or a solid the shape of a volume: a mesh or a text. Empty: neither does. */
typedef struct SceneForm {
    char mesh[256]; /* path of a file */
    char text[64];
    char font[128]; /* a family's name or a file; empty: DejaVu Sans Bold */
} SceneForm;

/* Where a file speaks of an entry, counted from 1; line 0 where none does. */
typedef struct ScenePlace {
    int line, column;
} ScenePlace;

#define SCENE_TRACKS_MAX  24
#define SCENE_MOMENTS_MAX 48
#define SCENE_TRACK_KEY   64

/* What one key holds over time. */
typedef struct SceneTrack {
    char key[SCENE_TRACK_KEY];       /* as --set writes it: "emitters[0].smoke" */
    bool smooth;                     /* or linear between the moments */
    int count, parts;                /* moments, and numbers at each: 1, 3 or 4 */
    double times[SCENE_MOMENTS_MAX]; /* s, rising; the first and last hold before and after */
    float values[SCENE_MOMENTS_MAX][4];
} SceneTrack;

typedef struct Scene {
    char name[64];
    char title[160]; /* one line, for lists */
    char file[200];  /* what messages call where it comes from */
    SceneDomain domain;
    ScenePlace face_places[BILLOW_SIDES];
    float step; /* s; length of one step */
    BillowParams params;
    bool fire, color; /* BillowDef's */
    int tracers;      /* likewise, */
    float texture_period;
    BillowEmitter emitters[BILLOW_EMITTERS_MAX];
    SceneForm emitter_forms[BILLOW_EMITTERS_MAX];
    ScenePlace emitter_places[BILLOW_EMITTERS_MAX];
    int emitter_count;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    SceneForm solid_forms[BILLOW_SOLIDS_MAX];
    ScenePlace solid_places[BILLOW_SOLIDS_MAX];
    int solid_count;
    BillowForce forces[BILLOW_FORCES_MAX];
    int force_count;
    BillowEmitter brush; /* what the left button and E release, sized for this scene */
    BillowEmitter detonation;
    RenderSettings render;
    SceneTrack tracks[SCENE_TRACKS_MAX];
    int track_count;
} Scene;

/* Every value at its default: the scene an empty file describes. */
Scene scene_default(void);

/* By name of a built-in scene or by path of a file. On failure *scene is left as it was. */
bool scene_load(const char *name_or_path, Scene *scene, BillowError *error);

/* From memory; name stands for the file in messages. */
bool scene_parse(const char *name, const char *text, size_t length, Scene *scene,
                 BillowError *error);
/* The same, and no file that the text names, by its path from the root on, is looked for: what is
 * made of them is at hand. */
bool scene_parse_apart(const char *name, const char *text, size_t length, Scene *scene,
                       BillowError *error);

/* One override, "solver.vorticity=8", "emitters[0].smoke=3", "domain.size=[1, 2, 1]".
 * On failure *scene is left as it was. */
bool scene_set(Scene *scene, const char *assignment, BillowError *error);

/* Forgets the tracks whose keys begin like this, "camera.". */
void scene_drop_tracks(Scene *scene, const char *beginning);

/* "64" or "64x96x64" into domain.cells. */
bool scene_set_grid(Scene *scene, const char *grid, BillowError *error);

/* A scene as a person asks for it: which, at what grid, with what changes. */
typedef struct SceneRequest {
    const char *name_or_path;
    const char *grid;             /* "64" or "64x96x64", or NULL for the scene's own */
    const char *const *overrides; /* assignments for scene_set, in order */
    int override_count;
} SceneRequest;

/* scene_load, then scene_change. */
bool scene_open(const SceneRequest *request, Scene *scene, BillowError *error);

/* The request's changes to a scene that was loaded: scene_set for each override, which the timeline
 * leads no more, then scene_set_grid; what comes out must be a scene that billow_create would take.
 */
bool scene_change(const SceneRequest *request, Scene *scene, BillowError *error);

/* Whether the timeline says where a solid is, or how it moves. */
bool scene_leads_solid(const Scene *scene, int solid);

/* The simulation this scene describes: cubic cells that cover the domain. */
BillowDef scene_def(const Scene *scene);

/* Whether that box is a cell or more longer than domain.size on some axis: three counts of cells
 * disagree with the size, and the cells stay cubes. */
bool scene_outgrows_size(const Scene *scene);

/* Takes a text on a value without use, "smoke.glow_range has no use without smoke.glow"; place is
 * where the file has its entry, NULL where it lies in none. */
typedef void SceneUselessTake(void *context, const ScenePlace *place, const char *text);

/* Finds values that differ from their defaults and that nothing in the scene uses, in the order of
 * the keys. Values that the timeline may give a use are left out. */
void scene_useless(const Scene *scene, SceneUselessTake *take, void *context);

/* Prints every key with its kind, range, unit, default and meaning, as text or as Markdown. */
void scene_print_keys(FILE *file, bool markdown);

/* Built-in scenes in their order (the window's keys 1 to 9); NULL past the end. */
const char *scene_builtin_name(int index);
const char *scene_builtin_title(int index);
const char *scene_builtin_text(int index); /* the file itself */
bool scene_is_builtin(const char *name);

#endif
