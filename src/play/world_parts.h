/* SPDX-License-Identifier: MIT
 *
 * The private parts of the world: world.c starts and ends simulations, world_apply.c gives other
 * values to the scene that plays, and world_share.c follows a host. */
#ifndef PLAY_WORLD_PARTS_H
#define PLAY_WORLD_PARTS_H

#include "play/world.h"

/* -- world.c ----------------------------------------------------------------------------------- */

/* Starts the simulation of a scene, or follows the host's where world->next_join says so. */
bool world_start(World *world, const Scene *scene, BillowError *error);
/* Ends the simulation, and destroys its plays. */
void world_stop(World *world);
/* Starts the change to world->next: asks the present simulation to end. */
void world_start_change(World *world);
/* Sets all members that depend on the scene, except the simulation. */
void world_follow_scene(World *world, const Scene *scene, bool keep_view);
/* Memory of a simulation of this definition with what is drawn of it, bytes. */
double world_bytes_for(const BillowDef *def);
/* Drop the checkpoint, and the recording, that `next` would start from. */
void world_drop_taken(World *world);
void world_drop_next_script(World *world);

/* -- world_apply.c ----------------------------------------------------------------------------- */

/* Adds the play of the newest settings. */
void world_add_play(World *world, ScenePlay *play);
/* Destroys a play that the simulation no longer uses. */
void world_drop_play(World *world, int index);
/* Returns the newest play of the window's. A simulation that follows a host, or has followed one,
 * has the play that it joined with. */
const ScenePlay *world_newest_play(const World *world);
/* Destroys plays that are older than the newest snapshot's settings. If the simulation refused the
 * newest settings, starts a new simulation with them. */
void world_follow_settings(World *world);

/* -- world_share.c ----------------------------------------------------------------------------- */

/* Attaches the simulation, which has just started, to the session, if there is one. */
void world_attach(World *world);
/* Returns true with a message if the simulation follows a host. */
bool world_refuse_following(const World *world, BillowError *error);
/* Starts to follow the simulation of world->next_join. */
bool world_start_following(World *world, BillowError *error);
void world_free_join(SimJoin **join); /* *join NULL is fine */
/* Asks the host for new settings, and shows them already. Returns false with a message if the host
 * would refuse them. */
bool world_wish(World *world, const Scene *scene, bool keep_view, BillowError *error);
/* Looks for a new state of the host's, and for settings that others have changed. Returns false if
 * the session had to be left. */
bool world_follow_session(World *world, BillowError *error);

#endif
