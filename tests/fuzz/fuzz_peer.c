/* SPDX-License-Identifier: MIT
 * A hand with the key that misbehaves, and a host that does, at the simulations that are shared.
 *
 * One simulation leads, and another follows its log. The input is a list of items. An item is a
 * kind of command, a count, and as many patches of an offset and a word. The patches overwrite
 * words of a message with commands of that kind. A hand sends the message to the leader. If the
 * kind has its highest bit set, the follower receives the message as an entry of the log instead.
 * Both simulations must have the same state after each step. */
#include "fuzz.h"

#include "play/sim_apply.h"
#include "play/sim_join.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 16, ITEMS = 8, INPUTS = 200 };

static const char text[] = "title: t\n"
                           "domain: {size: [1, 1, 1], cells: 8, faces: {ceiling: open}}\n"
                           "time: {step: 0.02}\n"
                           "solver: {cycles: 2}\n"
                           "solids: [{shape: sphere, center: [0.5, 0.7, 0.5], size: 0.15}]\n"
                           "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n";

/* One of the two simulations, on this thread. */
typedef struct Side {
    SimThread thread;
    ScenePlay *play; /* of the one that leads */
    SimJoin join;    /* of the one that follows */
} Side;

static Side leader, follower;
static Scene scene;
static int inputs;          /* since both were opened */
static unsigned char *wish; /* that waits; NULL: none */
static size_t wish_count;
static TurnBytes entries[ITEMS * 2];
static int entry_first, entry_count;
static bool stale, away; /* the follower needs a state; somebody was sent away, or left */

/* -- the session ------------------------------------------------------------------------------- */

static bool goes_on(void *context)
{
    (void)context;
    return true;
}

static int hand(void *context)
{
    (void)context;
    return 1;
}

static void stepped(void *context, uint64_t step, const uint64_t *hash)
{
    (void)context;
    (void)step;
    (void)hash;
}

static void changed(void *context, const Scene *changed_scene)
{
    (void)context;
    FUZZ_HOLDS(changed_scene != NULL);
}

static uint64_t first_step(void *context)
{
    (void)context;
    return 0;
}

static bool take_wish(void *context, int *from, unsigned char **bytes, size_t *count)
{
    (void)context;
    *from = 1;
    *bytes = wish;
    *count = wish_count;
    wish = NULL;
    return *bytes != NULL;
}

static int newcomer(void *context, bool *watches)
{
    (void)context;
    *watches = false;
    return 0;
}

static void welcome(void *context, int to, TurnBytes *state, const BillowError *error)
{
    (void)context;
    (void)to;
    (void)state;
    (void)error;
}

static void append(void *context, const unsigned char *bytes, size_t count, uint64_t step)
{
    (void)context;
    (void)step;
    FUZZ_HOLDS(count > 0 && entry_count < ITEMS * 2);
    turn_put(&entries[entry_count++], bytes, count);
}

static void restart(void *context)
{
    (void)context;
    stale = true;
}

static void send_away(void *context, int from, const char *reason)
{
    (void)context;
    FUZZ_HOLDS(from == 1 && reason[0] != '\0');
    away = true;
}

static bool entry(void *context, unsigned char **bytes, size_t *count)
{
    (void)context;
    if (entry_first == entry_count)
        return false;
    *bytes = entries[entry_first].bytes;
    *count = entries[entry_first].count;
    entries[entry_first++] = (TurnBytes){0};
    return true;
}

static void send(void *context, const unsigned char *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    (void)count;
}

static void leave(void *context, const char *reason)
{
    (void)context;
    FUZZ_HOLDS(reason[0] != '\0');
    away = true;
}

static const SimShare leads = {NULL,    true,    false,      goes_on,   hand,     stepped,
                               changed, changed, first_step, take_wish, newcomer, welcome,
                               append,  restart, send_away,  entry,     send,     leave};
static SimShare follows;

/* -- the two simulations ----------------------------------------------------------------------- */

static void forget_entries(void)
{
    for (; entry_first < entry_count; entry_first++)
        free(entries[entry_first].bytes);
    memset(entries, 0, sizeof entries);
    entry_first = entry_count = 0;
}

static void start(Side *side, const Shared *shared, const SimShare *share)
{
    SimThread *thread = &side->thread;
    thread->shared = *shared;
    thread->sharing.share = share;
    thread->now.pace = thread->now.speed = 1;
    thread->budget = budget_start(&shared->def.params, shared->step * 1e3);
    thread->shared.cycles = 2;
    pthread_mutex_init(&thread->mutex, NULL);
}

static void close_side(Side *side)
{
    shared_close(&side->thread.shared);
    sim_recording_free(&side->thread.sharing.turn);
    pthread_mutex_destroy(&side->thread.mutex);
    scene_play_destroy(side->play);
    sim_join_free(&side->join);
    memset(side, 0, sizeof *side);
}

static void open_leader(void)
{
    BillowError error = {{0}};
    Shared shared;
    FUZZ_HOLDS(scene_parse_sealed("t", text, sizeof text - 1, &scene, &error));
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    leader.play = scene_play_create(&scene, &def, &error);
    FUZZ_HOLDS(leader.play != NULL);
    FUZZ_HOLDS(shared_open(&shared, &def, leader.play, &scene, (double)scene.step));
    shared.driver.sim = billow_create(&shared.def, &error);
    FUZZ_HOLDS(shared.driver.sim != NULL);
    scene_play_begin(shared.driver.play, shared.driver.sim);
    start(&leader, &shared, &leads);
}

/* The follower starts from the leader's state. Returns false if that cannot be written: its values
 * may need a file, or too much memory. */
static bool open_follower(void)
{
    BillowError error = {{0}};
    TurnBytes bytes = {NULL, 0, 0, false};
    const uint64_t steps = leader.thread.now.steps;
    bool good = sim_join_write(&leader.thread.shared, steps, &bytes, &error);
    TurnReader from = {bytes.bytes, bytes.count, 0};
    follower.join = (SimJoin){.steps = 0};
    good = good && sim_join_read(&from, &follower.join, &error);
    free(bytes.bytes);
    if (!good)
        return false;
    SimJoin *join = &follower.join;
    join->shared.def.threads = 1;
    join->shared.driver.sim = billow_create(&join->shared.def, &error);
    FUZZ_HOLDS(join->shared.driver.sim != NULL);
    FUZZ_HOLDS(billow_load_state(join->shared.driver.sim, join->state, join->bytes, &error));
    start(&follower, &join->shared, &follows);
    follower.thread.shared.cycles = leader.thread.shared.cycles;
    join->shared = (Shared){.driver = {.sim = NULL}};
    follower.thread.now.steps = steps;
    return true;
}

static void reopen(void)
{
    close_side(&follower);
    close_side(&leader);
    forget_entries();
    follows = leads;
    follows.leads = false;
    open_leader();
    FUZZ_HOLDS(open_follower());
    stale = away = false;
    inputs = 0;
}

static bool small(const Shared *shared)
{
    const BillowParams *params = &shared->def.params;
    return params->sweeps <= 40 && params->diffusion_sweeps <= 20 && params->cycles <= 20 &&
           params->substeps_max <= 16;
}

static void step(SimThread *thread)
{
    thread->sharing.due = false;
    shared_step(&thread->shared);
    thread->hashed = false;
    thread->now.steps++;
    sim_share_stepped(thread);
}

/* The leader takes a step, and the follower takes what the log says. Both are the same then. */
static void step_both(void)
{
    step(&leader.thread);
    sim_share_follow(&follower.thread);
    FUZZ_HOLDS(!away && follower.thread.sharing.due);
    step(&follower.thread);
    FUZZ_HOLDS(entry_first == entry_count);
    FUZZ_HOLDS(billow_state_hash(leader.thread.shared.driver.sim) ==
               billow_state_hash(follower.thread.shared.driver.sim));
    forget_entries();
}

/* -- items ------------------------------------------------------------------------------------- */

/* Writes commands of a kind as a turn. */
static void write_turn(TurnBytes *turn, uint8_t number)
{
    static const SimCommandKind kinds[] = {
        SIM_RESET,  SIM_SETTINGS, SIM_BRUSH, SIM_PUSH, SIM_BRUSH_END, SIM_DETONATE,    SIM_GRAB,
        SIM_LET_GO, SIM_CYCLES,   SIM_PAUSE, SIM_STEP, SIM_SPEED,     SIM_BRUSH_STEPS,
    };
    SimCommand command = {.kind = kinds[number % (sizeof kinds / sizeof *kinds)]};
    SimSettings settings = {.def = scene_def(&scene), .step = (double)scene.step, .scene = &scene};
    switch (command.kind) {
    case SIM_SETTINGS:
        command.settings = &settings;
        break;
    case SIM_BRUSH:
    case SIM_DETONATE:
        command.emitter = scene.brush;
        break;
    case SIM_PUSH:
        command.force = billow_default_force();
        break;
    case SIM_SPEED:
    case SIM_BRUSH_STEPS:
        command.value = 1;
        break;
    default:
        break;
    }
    const SimRecorded commands[] = {{.command = command},
                                    {.command = {.kind = SIM_BRUSH, .emitter = scene.brush}},
                                    {.command = command}};
    turn_write(turn, commands, 1 + 2 * (number / 64 % 2));
}

/* Replaces words. A patch behind the end cuts the bytes there or, with an odd word, adds some. */
static void patch(TurnBytes *turn, const uint8_t *patches, int count)
{
    for (int p = 0; p < count; p++, patches += 6) {
        const size_t at = patches[0] | (size_t)patches[1] << 8;
        if (at + 4 <= turn->count)
            memcpy(turn->bytes + at, patches + 2, 4);
        else if ((patches[2] & 1) != 0)
            turn_put(turn, patches + 2, 4);
        else
            turn->count -= turn->count < 4 ? turn->count : 4;
    }
}

/* Takes the next item. Returns its length. */
static size_t take(const uint8_t *data, size_t size)
{
    int count = data[1] % 32;
    if ((size_t)count > (size - 2) / 6)
        count = (int)((size - 2) / 6);
    TurnBytes turn = {NULL, 0, 0, false};
    const bool raw = (data[0] & 0x80) != 0;
    if (raw)
        turn_put(&turn, data + 1, 1); /* the flags of an entry */
    write_turn(&turn, data[0] & 0x7F);
    FUZZ_HOLDS(!turn.failed);
    patch(&turn, data + 2, count);
    unsigned char *bytes = malloc(turn.count > 0 ? turn.count : 1); /* whose end is watched */
    FUZZ_HOLDS(bytes != NULL);
    memcpy(bytes, turn.bytes, turn.count);
    if (raw && turn.count > 0) {
        entries[entry_count++] = (TurnBytes){.bytes = bytes, .count = turn.count};
        sim_share_follow(&follower.thread);
        stale = true; /* the follower alone has it */
    } else {
        wish = bytes;
        wish_count = turn.count;
        sim_share_follow(&leader.thread);
    }
    free(turn.bytes);
    return 2 + 6 * (size_t)count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (leader.thread.shared.driver.sim == NULL || inputs++ > INPUTS)
        reopen();
    for (int item = 0; item < ITEMS && size >= 2 && !stale; item++) {
        const size_t count = take(data, size);
        data += count;
        size -= count;
    }
    const bool steps = small(&leader.thread.shared) && small(&follower.thread.shared);
    stale = stale || leader.thread.sharing.stale; /* all get a state before the next step */
    away = false;                                 /* whoever was sent away comes again */
    if (stale && steps)                           /* the follower goes on alone */
        shared_step(&follower.thread.shared);
    else if (steps)
        step_both();
    if (stale || !steps)
        reopen();
    return 0;
}
