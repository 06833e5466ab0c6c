/* SPDX-License-Identifier: MIT
 *
 * A simulation of a scene, with what plays it: its volumes, its timeline and its initial smoke.
 * Everything that simulates a scene does so by these functions. */
#ifndef SCENE_SCENE_DRIVER_H
#define SCENE_SCENE_DRIVER_H

#include "scene/scene_play.h"

#include <billow/exchange.h>

typedef struct SceneDriver {
    ScenePlay *play; /* NULL: no volumes and no timeline */
    BillowSim *sim;
    const BillowExchange *exchange; /* between the ranks that divide the simulation; NULL: none */
} SceneDriver;

/* With an exchange all its ranks call these functions together, and all fail if one fails. */

/* Creates the simulation of a scene at time 0, with the initial smoke. def: from scene_def, with
 * any changes of the caller's; receives the volumes and the timeline's values as in
 * scene_play_create. Returns false and a message on failure. Call scene_driver_destroy in any case.
 */
bool scene_driver_create(SceneDriver *driver, const Scene *scene, BillowDef *def,
                         const BillowExchange *exchange, BillowError *error);
/* The same for a play that exists, which the driver takes over, also on failure. def: the
 * definition that the play was made with. A stored state may then replace the state
 * (billow_load_state). */
bool scene_driver_start(SceneDriver *driver, ScenePlay *play, const BillowDef *def,
                        const BillowExchange *exchange, BillowError *error);

/* Sets the timeline's values for the next step, of so many seconds, as scene_play_prepare. */
bool scene_driver_prepare(const SceneDriver *driver, double seconds, BillowError *error);
/* Does this and takes the step. Returns false and a message if a value is refused, or if the
 * simulation fails (billow_step). */
bool scene_driver_step(const SceneDriver *driver, double seconds, BillowError *error);
/* Returns to time 0 and the initial smoke. */
void scene_driver_reset(const SceneDriver *driver);

/* Destroys the simulation and the play; zeros are fine. */
void scene_driver_destroy(SceneDriver *driver);

#endif
