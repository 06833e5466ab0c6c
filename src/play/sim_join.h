/* SPDX-License-Identifier: MIT
 *
 * The state of a shared simulation between two steps, as bytes, so that another program can join:
 * both then continue with the same commands to the same bits.
 *
 *     join  := "BILLOWSJ" | version | steps | cycles | timeline | brush steps | zeros | scene |
 *              shapes | parameters | hand... | detonations | grip... | state
 *
 * The state is that of billow_save_state, the shapes are those of a checkpoint, the scene is that
 * of turn.h. The rest is what lies beside them: strokes that go on, detonations that still burn,
 * and solids that are held or thrown. Numbers are those of turn.h.
 *
 * Nothing that was read is trusted: every value is checked, and no file is read. */
#ifndef PLAY_SIM_JOIN_H
#define PLAY_SIM_JOIN_H

#include "play/shared.h"
#include "play/turn.h"

#define SIM_JOIN_VERSION 3u

/* A simulation that has been read, and is not created yet. */
typedef struct SimJoin {
    Scene scene;
    Shared shared;   /* without a simulation; the definition is that of the simulation to create */
    ScenePlay *play; /* owner of the shapes in the definition */
    uint64_t steps;  /* number of steps taken, by which turns are counted */
    void *state;     /* for billow_load_state, after the simulation has been created */
    size_t bytes;
} SimJoin;

/* Whether others can join a simulation of this scene: it needs no file besides its shapes. The
 * message names the file. */
bool sim_join_allows(const Scene *scene, BillowError *error);

/* Writes a simulation, on its thread, between two steps. Fails if it has left its scene's grid, if
 * its scene is not known or needs a file besides its shapes, or if memory is short. */
bool sim_join_write(const Shared *shared, uint64_t steps, TurnBytes *to, BillowError *error);

/* Reads a simulation and makes its play. Creating it is up to the caller: billow_create with the
 * definition in `shared`, and billow_load_state. Free what was read with sim_join_free, after the
 * simulation that uses its play. */
bool sim_join_read(TurnReader *from, SimJoin *join, BillowError *error);
void sim_join_free(SimJoin *join);

/* Whether a simulation of one can load and show the state of the other: they have the same cells,
 * fields and solids. */
bool sim_join_shows(const SimJoin *one, const SimJoin *other);

#endif
