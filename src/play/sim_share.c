/* SPDX-License-Identifier: MIT
 * A simulation that is shared: leading it, and following it. */
#include "play/sim_apply.h"

#include "base/fail.h"
#include "play/sim_join.h"
#include <stdlib.h>
#include <string.h>

/* Most commands in an entry, so that it stays short. Settings have up to 1 MB each. */
enum { COMMANDS_MOST = 256 };

static bool leads(const SimThread *self)
{
    return self->sharing.share != NULL && self->sharing.share->leads;
}

bool sim_share_follows(const SimThread *self)
{
    return self->sharing.share != NULL && !self->sharing.share->leads;
}

void sim_share_begin(SimThread *self, const SimShare *share)
{
    self->sharing.share = share;
    self->sharing.due = false;
}

static void for_all_hands(SimThread *self, SimCommandKind kind)
{
    for (int hand = 0; hand < SIM_HANDS_MAX; hand++)
        sim_apply(self, &(SimCommand){.kind = kind, .hand = hand});
}

/* Nobody is there any more: goes on alone, without the strokes that others have not ended. */
static void leave(SimThread *self)
{
    self->paused = self->paused || self->sharing.share->watches; /* it has not computed so far */
    sim_share_begin(self, NULL);
    self->single_steps = 0; /* the host has taken them */
    for_all_hands(self, SIM_BRUSH_END);
    for_all_hands(self, SIM_LET_GO);
}

static bool has_hand(SimCommandKind kind)
{
    return kind == SIM_BRUSH || kind == SIM_PUSH || kind == SIM_BRUSH_END || kind == SIM_DETONATE ||
           kind == SIM_GRAB || kind == SIM_LET_GO;
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Reads a turn. Free it with sim_recording_free, also after a failure. */
static bool read_turn(const SimThread *self, const unsigned char *bytes, size_t count,
                      SimRecording *turn, BillowError *error)
{
    TurnReader from = {bytes, count, 0};
    const Scene *scene = self->shared.scene;
    *turn = (SimRecording){0};
    return (scene != NULL || fail(error, "not enough memory")) &&
           turn_read(&from, turn, &scene, error) &&
           (from.at == count || fail(error, "something follows its end"));
}

/* -- leading ----------------------------------------------------------------------------------- */

/* Number of the present step in the session, which counts on from simulation to simulation. */
static uint64_t step_number(const SimThread *self)
{
    const SimShare *share = self->sharing.share;
    return self->now.steps + (share->leads ? share->first_step(share->context) : 0);
}

/* Appends the commands since the last entry to the log. */
static void flush(SimThread *self, bool step)
{
    SimRecording *turn = &self->sharing.turn;
    const SimShare *share = self->sharing.share;
    TurnBytes entry = {NULL, 0, 0, false};
    const unsigned char refused = (unsigned char)self->sharing.refused;
    const unsigned char flags =
        (unsigned char)((turn->count > 0 ? SIM_SHARE_COMMANDS : 0) | (step ? SIM_SHARE_STEP : 0) |
                        (refused != 0 ? SIM_SHARE_REFUSED : 0));
    if (flags == 0)
        return;
    turn_put(&entry, &flags, 1);
    if (refused != 0)
        turn_put(&entry, &refused, 1);
    if (turn->count > 0)
        turn_write(&entry, turn->commands, turn->count);
    /* What is missing in the log would be found as a difference 30 steps later. */
    if (entry.failed || turn->ended)
        self->sharing.stale = true;
    else
        share->append(share->context, entry.bytes, entry.count, step_number(self));
    free(entry.bytes);
    sim_recording_free(turn);
    self->sharing.refused = 0;
}

void sim_share_expect(SimThread *self, const SimCommand *command)
{
    if (!leads(self) || !sim_command_ordered(command->kind))
        return;
    if (!turn_takes(command, NULL) ||
        (command->kind == SIM_SETTINGS && self->shared.scene != NULL &&
         !turn_keeps_shapes(self->shared.scene, command->settings->scene, NULL)))
        self->sharing.stale = true;
}

void sim_share_log(SimThread *self, const SimCommand *command)
{
    SimRecording *turn = &self->sharing.turn;
    if (!leads(self) || !sim_command_ordered(command->kind))
        return;
    if (self->sharing.stale) /* all get the effect of the command in a state */
        return;
    if (command->kind == SIM_SETTINGS)
        self->sharing.share->changed(self->sharing.share->context, self->shared.scene);
    sim_recording_add(turn, self->now.steps, command);
    if (turn->count == COMMANDS_MOST || command->kind == SIM_SETTINGS)
        flush(self, false);
}

/* What another hand may do to the simulation that leads. The cycles and the brush's rate follow the
 * leader's clock. */
static bool may_wish(const SimCommand *command)
{
    return command->kind != SIM_CYCLES && command->kind != SIM_BRUSH_STEPS;
}

/* What other hands want before one step. A reset takes long, and settings take memory: one of each
 * is enough. */
typedef struct Wishes {
    bool reset;
    SimSettings *settings; /* the newest; NULL: none */
    int hand;              /* that wants them */
} Wishes;

/* Applies what a hand wants, except settings, which it moves to `wishes`. */
static void grant(SimThread *self, SimRecording *turn, int hand, Wishes *wishes)
{
    for (int c = 0; c < turn->count; c++) {
        SimCommand *command = &turn->commands[c].command;
        command->hand = has_hand(command->kind) ? hand : 0;
        if (command->kind == SIM_SETTINGS) {
            SimSettings *before = wishes->settings;
            wishes->settings = command->settings;
            wishes->hand = hand;
            command->settings = before; /* freed with the turn */
        } else if (may_wish(command) && !(command->kind == SIM_RESET && wishes->reset))
            sim_apply(self, command);
        wishes->reset = wishes->reset || command->kind == SIM_RESET;
    }
}

/* Answers commands that cannot be read. Settings may be about a scene that has just been replaced,
 * and memory may be short; a hand that sends anything else is sent away. */
static void refuse(SimThread *self, const SimRecording *turn, int hand, const BillowError *error)
{
    const SimShare *share = self->sharing.share;
    if (turn->unsuited || turn->ended || self->shared.scene == NULL) {
        self->sharing.refused |= 1u << hand;
        return;
    }
    BillowError reason;
    fail(&reason, "it sent commands that cannot be read: %.200s", error->text);
    share->send_away(share->context, hand, reason.text);
}

/* Applies what other hands want. What cannot be read has no effect. */
static bool grant_wishes(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    Wishes wishes = {.settings = NULL};
    unsigned char *bytes;
    size_t count;
    int hand;
    bool any = false;
    for (; share->wish(share->context, &hand, &bytes, &count); any = true) {
        SimRecording turn;
        BillowError error;
        if (read_turn(self, bytes, count, &turn, &error))
            grant(self, &turn, hand, &wishes);
        else
            refuse(self, &turn, hand, &error);
        sim_recording_free(&turn);
        free(bytes);
    }
    if (wishes.settings != NULL && !sim_apply_settings(self, wishes.settings))
        self->sharing.refused |= 1u << wishes.hand;
    free(wishes.settings);
    return any;
}

static void welcome_newcomers(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    bool watches;
    for (int hand; (hand = share->newcomer(share->context, &watches)) > 0;) {
        TurnBytes state = {NULL, 0, 0, false};
        BillowError error;
        flush(self, false);
        bool good = sim_join_write(&self->shared, step_number(self), &state, &error);
        share->welcome(share->context, hand, &state, good ? NULL : &error);
        /* A newcomer that takes steps does not know whether the leader is paused. */
        if (!watches)
            sim_share_log(self, &(SimCommand){SIM_PAUSE, .on = self->paused});
    }
}

static bool lead(SimThread *self)
{
    bool shown = grant_wishes(self);
    if (self->sharing.stale && !self->past.asked) {
        self->sharing.stale = false;
        self->sharing.refused = 0; /* they get the settings in use with the state */
        sim_recording_free(&self->sharing.turn);
        self->sharing.share->restart(self->sharing.share->context);
    }
    if (!self->past.asked)
        welcome_newcomers(self);
    if (self->paused && self->single_steps == 0) /* the next step may take long to come */
        flush(self, false);
    return shown;
}

/* -- following --------------------------------------------------------------------------------- */

/* Leaves a session that has ended. What the host has sent since is not followed any more. */
static bool left(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    bool ended = !share->goes_on(share->context);
    if (ended)
        leave(self);
    return ended;
}

bool sim_share_sends(SimThread *self, const SimCommand *command)
{
    const SimShare *share = self->sharing.share;
    if (!sim_share_follows(self) || left(self))
        return false;
    const bool wishes = command->kind == SIM_WISH;
    if (!wishes && !sim_command_ordered(command->kind))
        return command->kind == SIM_REWIND || command->kind == SIM_SEEK ||
               command->kind == SIM_GRID || command->kind == SIM_RECORD ||
               command->kind == SIM_REPLAY; /* these are the leader's alone */
    SimRecorded wish = {.command = *command};
    wish.command.kind = wishes ? SIM_SETTINGS : command->kind;
    wish.command.hand = has_hand(command->kind) ? share->hand(share->context) : 0;
    TurnBytes bytes = {NULL, 0, 0, false};
    turn_write(&bytes, &wish, 1);
    if (!bytes.failed)
        share->send(share->context, bytes.bytes, bytes.count);
    else if (wishes)
        share->refused(share->context, self->shared.scene);
    free(bytes.bytes);
    return true;
}

static void apply_turn(SimThread *self, const SimRecording *turn)
{
    for (int c = 0; c < turn->count; c++) {
        const SimCommand *command = &turn->commands[c].command;
        if (command->kind != SIM_SETTINGS) {
            sim_apply(self, command);
            continue;
        }
        sim_apply_settings(self, command->settings);
        self->sharing.share->changed(self->sharing.share->context, self->shared.scene);
    }
}

/* Applies an entry of the log. Returns false if it cannot be read. Sets `shown` if
 * the entry has commands. */
static bool apply_entry(SimThread *self, const unsigned char *bytes, size_t count, bool *shown)
{
    const SimShare *share = self->sharing.share;
    SimRecording turn = {0};
    BillowError error;
    const int flags = bytes[0];
    const size_t head = (flags & SIM_SHARE_REFUSED) != 0 ? 2 : 1;
    bool good = flags > 0 && flags < 2 * SIM_SHARE_REFUSED && count >= head &&
                ((flags & SIM_SHARE_COMMANDS) != 0
                     ? read_turn(self, bytes + head, count - head, &turn, &error)
                     : count == head);
    if (good) {
        apply_turn(self, &turn);
        *shown = *shown || turn.count > 0;
        self->sharing.due = (flags & SIM_SHARE_STEP) != 0;
    }
    if (good && head == 2 && (bytes[1] >> share->hand(share->context) & 1) != 0)
        share->refused(share->context, self->shared.scene);
    sim_recording_free(&turn);
    return good;
}

/* Applies the log up to the next step. */
static bool follow(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    unsigned char *bytes;
    size_t count;
    bool shown = false, good = true;
    while (good && !self->sharing.due && share->entry(share->context, &bytes, &count)) {
        good = apply_entry(self, bytes, count, &shown);
        free(bytes);
        if (!good)
            share->leave(share->context, "the host sent what cannot be read");
    }
    return shown;
}

bool sim_share_follow(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    if (share == NULL)
        return false;
    if (leads(self))
        return lead(self);
    return left(self) || follow(self);
}

/* -- both -------------------------------------------------------------------------------------- */

void sim_share_stepped(SimThread *self)
{
    const SimShare *share = self->sharing.share;
    if (share == NULL)
        return;
    uint64_t hash = 0, number = step_number(self);
    const bool due = number % SIM_SHARE_HASH_STEPS == 0;
    if (leads(self))
        flush(self, true);
    if (due)
        hash = sim_step_hash(self);
    share->stepped(share->context, number, due ? &hash : NULL);
}
