/* SPDX-License-Identifier: MIT
 *
 * Sharing a simulation with others: what its thread asks of whoever connects them (share.h).
 *
 * One simulation leads: it applies the commands of all hands in an order of its own, and appends
 * them and its steps to a log. The others follow: they send what their hands want, apply the log
 * alone, and step when it says so. All of them have the same states, bit by bit.
 *
 *     entry := flags (8 bits) | refused hands (8 bits), where there are | turn (turn.h), where
 * there are commands
 *
 * Where the leader refuses settings of a hand, the entry has the hand's bit among the refused ones.
 *
 * Who watches gets a state after the other, and takes no steps.
 *
 * A newcomer starts from a state (sim_join.h) and goes on with the entries after it. It gets a new
 * one if its states differ, if it is too slow, and when the leader starts another simulation, goes
 * back in time, or moves to another grid.
 *
 * All functions are called on the simulation's thread. */
#ifndef PLAY_SIM_SHARE_H
#define PLAY_SIM_SHARE_H

#include "play/turn.h"

enum { SIM_SHARE_COMMANDS = 1, SIM_SHARE_STEP = 2, SIM_SHARE_REFUSED = 4 }; /* flags of an entry */

/* Steps between two hashes that are compared. */
enum { SIM_SHARE_HASH_STEPS = 30 };

typedef struct SimThread SimThread; /* sim_thread.h */

typedef struct SimShare {
    void *context;
    bool leads, watches;

    /* Whether others are still there. A simulation that follows goes on alone otherwise. */
    bool (*goes_on)(void *context);
    /* Number of the own hand. */
    int (*hand)(void *context);
    /* This step has been taken; hash: of its state, every SIM_SHARE_HASH_STEPS; NULL otherwise. */
    void (*stepped)(void *context, uint64_t step, const uint64_t *hash);
    /* Another hand's settings are in use. */
    void (*changed)(void *context, const Scene *scene);
    /* The leader does not use the own hand's newest settings. scene: the one with the settings in
     * use. */
    void (*refused)(void *context, const Scene *scene);

    /* For the simulation that leads. */

    /* Steps of earlier simulations of the session; theirs and the present ones never go back. */
    uint64_t (*first_step)(void *context);
    /* Fetches commands of another hand as a turn. Returns false if there are none. The caller frees
     * the bytes. */
    bool (*wish)(void *context, int *hand, unsigned char **bytes, size_t *count);
    /* Number of a hand that waits for a state; 0: none. watches: receives whether it only watches.
     */
    int (*newcomer)(void *context, bool *watches);
    /* Sends a state to a hand. Takes over its bytes. error: why there is none; NULL otherwise. */
    void (*welcome)(void *context, int hand, TurnBytes *state, const BillowError *error);
    void (*append)(void *context, const unsigned char *bytes, size_t count, uint64_t step);
    /* All hands need a new state. */
    void (*restart)(void *context);
    /* A hand has sent what its program never sends. */
    void (*send_away)(void *context, int hand, const char *reason);

    /* For those that follow. */

    /* Fetches the next entry of the log. Returns false if there is none yet. The caller frees the
     * bytes. */
    bool (*entry)(void *context, unsigned char **bytes, size_t *count);
    /* Sends what the own hand wants, as a turn. */
    void (*send)(void *context, const unsigned char *bytes, size_t count);
    /* The log cannot be followed: leave the session. */
    void (*leave)(void *context, const char *reason);
} SimShare;

/* Whether the simulation follows another one. */
bool sim_share_follows(const SimThread *thread);
/* Joins a session, or leaves one if `share` is NULL. */
void sim_share_begin(SimThread *thread, const SimShare *share);
/* Sends a command of this window to the simulation that leads, or refuses it. Returns false if this
 * simulation should apply it itself. */
bool sim_share_sends(SimThread *thread, const SimCommand *command);
/* Decides whether a command, which comes next, can be in the log. Shapes cannot: all hands then
 * need a new state. */
void sim_share_expect(SimThread *thread, const SimCommand *command);
/* Adds a command that has been applied to the log. */
void sim_share_log(SimThread *thread, const SimCommand *command);
/* Applies what other hands want, and gives newcomers a state; or applies the log, up to the next
 * step. Call it between two steps. Returns true if a new snapshot must be published. */
bool sim_share_follow(SimThread *thread);
/* Adds a step to the log, and compares the state with those of others where that is due. */
void sim_share_stepped(SimThread *thread);

#endif
