/* SPDX-License-Identifier: MIT
 *
 * libbillow_scene: Billow's scenes as simulations of libbillow.
 *
 * DOES     load a built-in scene or a scene file (YAML; docs/scenes.md describes its keys), make
 *          the simulation with its emitters, solids, meshes and letters, and step it along the
 *          scene's timeline. The steps give the same state hash as `billow sim`, with any number
 *          of threads.
 * DOES NOT draw, print, or read the scene's camera and light. It reads no other files than the
 *          scene and the meshes and fonts that the scene names.
 *
 *     BillowError error;
 *     BillowScene *scene = billow_load_scene("plume", &error);
 *     if (scene == NULL) { fprintf(stderr, "%s\n", error.text); return 1; }
 *     for (int frame = 0; frame < 60; frame++) billow_scene_step(scene, 1.0 / 30);
 *     BillowView view = billow_view(billow_scene_sim(scene)); // read view.density and friends here
 *     billow_destroy_scene(scene);
 *
 * Build    cc smoke.c $(pkg-config --cflags --libs billow_scene), or in CMake Billow::billow_scene.
 * Owner    the scene owns its simulation; definitions are copied whole.
 * Threads  one scene is used by one thread at a time; different scenes are independent.
 * Host     as for libbillow (billow/billow.h), but a thread that loads a scene needs
 *          BILLOW_SCENE_STACK.
 */
#ifndef BILLOW_SCENE_H
#define BILLOW_SCENE_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BILLOW_SCENE_STACK 1048576 /* least stack of a thread that loads a scene, bytes */

/* What is loaded, and how. Start from billow_default_scene_def. */
typedef struct BillowSceneDef {
    const char *name; /* a built-in scene such as "plume", or the path of a scene file */
    int cells;   /* number of cells of the wind along the longest axis of the domain, 8 to 2048.
                    More cells show finer eddies and take longer; 0: the scene's own. The smoke
                    of built-in scenes is finer: see BillowView.refine; the setting
                    "domain.refine=1" gives it the cells of the wind */
    int threads; /* number of OpenMP threads; 0: as in billow_create */
    const char *const *settings; /* values of the scene to replace, such as "solver.vorticity=8";
                                    the timeline no longer changes them */
    int setting_count;           /* length of `settings`; 0: none */
} BillowSceneDef;

typedef struct BillowScene BillowScene;

/* The scene "plume" on its own grid, with as many threads as OpenMP offers. */
BillowSceneDef billow_default_scene_def(void);

/* Loads a scene and creates its simulation, at rest at time 0. Returns NULL and a message if no
 * scene is named (`def`, its name or one of its settings is NULL), if there is no such scene, if
 * the file is wrong (the message has file, line and column), or if memory is short. */
BillowScene *billow_create_scene(const BillowSceneDef *def, BillowError *error);
/* The same, with defaults for everything but the name. */
BillowScene *billow_load_scene(const char *name_or_file, BillowError *error);
void billow_destroy_scene(BillowScene *scene); /* NULL is fine */

/* Advances by exactly `seconds`, in equal steps that are no longer than billow_scene_step_length.
 * Emitters, forces, solids and parameters follow the scene's timeline. Returns false, with the
 * reason in billow_scene_error, if `seconds` is outside 0 < seconds <= BILLOW_STEP_MAX (nothing is
 * done), if the timeline gives a value that the simulation refuses, or if billow_step fails. */
bool billow_scene_step(BillowScene *scene, double seconds);
/* Why the last billow_scene_step failed, in one line; "" if it succeeded. */
const char *billow_scene_error(const BillowScene *scene);
/* The scene's time.step, s. Steps of this length give the states of `billow sim`, and steps of
 * 1.0 / 30 those of `billow render --quality draft`. */
double billow_scene_step_length(const BillowScene *scene);

/* The simulation, for billow_view, billow_stats, billow_emit, billow_set_solids and so on. After
 * billow_reset the scene plays from its beginning. Values that the timeline changes are set again
 * before a step in which they change. Step it with billow_scene_step; billow_step would leave the
 * timeline where it is. */
BillowSim *billow_scene_sim(BillowScene *scene);

/* The scene's title, one line. */
const char *billow_scene_title(const BillowScene *scene);
/* Names of the built-in scenes; NULL if `index` is past the last. */
const char *billow_scene_name(int index);

#ifdef __cplusplus
}
#endif

#endif
