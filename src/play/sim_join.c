/* SPDX-License-Identifier: MIT */
#include "play/sim_join.h"

#include "base/fail.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'S', 'J'};

/* Largest speed, m/s, and position, m, beside the state. */
#define SPEED_MAX 1e4f
#define PLACE_MAX 1e6f
/* Longest time that a detonation lasts, s. */
#define LASTS_MAX 1e9
/* Number of steps that a solid can have been held. */
#define HELD_MAX (1u << 30)

/* -- writing ----------------------------------------------------------------------------------- */

static void put_grasp(TurnBytes *to, const Grasp *grasp)
{
    turn_put32(to, grasp->holds);
    turn_put32(to, (uint32_t)grasp->solid);
    turn_put_numbers(to, grasp->center, 3);
}

/* Whether the brush will release at its last place again. */
static bool needs_last(const HandBrush *brush)
{
    return brush->pressed && brush->stroke_count == 0;
}

static void put_brush(TurnBytes *to, const HandBrush *brush)
{
    turn_put32(to, (uint32_t)brush->stroke_count);
    turn_put32(to, brush->pressed);
    turn_put32(to, brush->pushing);
    turn_put32(to, brush->pushed);
    for (int s = 0; s < brush->stroke_count; s++)
        turn_put_table(to, BILLOW_TABLE_EMITTER, &brush->stroke[s]);
    if (needs_last(brush))
        turn_put_table(to, BILLOW_TABLE_EMITTER, &brush->last);
    if (brush->pushing || brush->pushed)
        turn_put_table(to, BILLOW_TABLE_FORCE, &brush->force);
    put_grasp(to, &brush->grasp);
}

/* Number of steps whose pull is remembered. */
static int pulls_of(const Grip *grip)
{
    return grip->steps < GRIP_MEMORY ? grip->steps : GRIP_MEMORY;
}

static void put_grip(TurnBytes *to, const Grip *grip)
{
    put_grasp(to, &grip->grasp);
    turn_put32(to, grip->gliding);
    if (!grip->grasp.holds && !grip->gliding)
        return;
    turn_put32(to, (uint32_t)grip->steps);
    turn_put_table(to, BILLOW_TABLE_SOLID, &grip->before);
    turn_put_numbers(to, grip->pulled[0], 3 * pulls_of(grip));
    if (grip->gliding)
        turn_put_numbers(to, grip->thrown, 3);
}

static void put_hands(TurnBytes *to, const Hands *hands)
{
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        put_brush(to, &hands->brushes[h]);
    turn_put32(to, (uint32_t)hands->past.detonation_count);
    for (int d = 0; d < hands->past.detonation_count; d++) {
        turn_put_table(to, BILLOW_TABLE_EMITTER, &hands->past.detonations[d].emitter);
        turn_put_double(to, hands->past.detonations[d].left);
    }
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        put_grip(to, &hands->past.grips[h]);
}

static void put_shapes(TurnBytes *to, const ScenePlay *play)
{
    SceneShape shapes[SCENE_SHAPES];
    memset(shapes, 0, sizeof shapes);
    if (play != NULL)
        scene_play_shapes(play, shapes);
    turn_put_shapes(to, shapes);
}

static void put_state(TurnBytes *to, const BillowSim *sim)
{
    size_t count = billow_state_bytes(sim);
    turn_put64(to, count);
    unsigned char *at = turn_put_room(to, count);
    if (at != NULL)
        billow_save_state(sim, at);
}

static bool same_grid(const BillowDef *def, const Scene *scene)
{
    const BillowDef own = scene_def(scene);
    return def->nx == own.nx && def->ny == own.ny && def->nz == own.nz &&
           def->cell_size == own.cell_size;
}

bool sim_join_allows(const Scene *scene, BillowError *error)
{
    BillowError needs;
    return !turn_needs_file(scene, &needs) ||
           fail(error, "%.400s, which a session does not send", needs.text);
}

bool sim_join_write(const Shared *shared, uint64_t steps, TurnBytes *to, BillowError *error)
{
    const SharedVideo *video = &shared->video;
    if (shared->scene == NULL || !same_grid(&shared->def, shared->scene))
        return fail(error, "nobody can join a simulation that is not on its scene's cells");
    if (!sim_join_allows(shared->scene, error))
        return false;
    turn_put(to, magic, sizeof magic);
    turn_put32(to, SIM_JOIN_VERSION);
    turn_put64(to, steps);
    turn_put32(to, (uint32_t)shared->cycles);
    turn_put32(to, !shared->dropped);
    turn_put_double(to, shared->hands.steps);
    turn_put_double(to, video->interval);
    turn_put32(to, (uint32_t)video->left);
    turn_put64(to, video->frame);
    turn_put64(to, video->taken);
    turn_put_scene(to, shared->scene);
    put_shapes(to, shared->driver.play);
    turn_put_table(to, BILLOW_TABLE_PARAMS, &shared->def.params);
    put_hands(to, &shared->hands);
    put_state(to, shared->driver.sim);
    return !to->failed || fail(error, "there is not enough memory to let somebody join");
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool in_range(const float *numbers, int count, float most)
{
    bool good = true;
    for (int n = 0; n < count; n++)
        good = good && fabsf(numbers[n]) <= most; /* false for NaN */
    return good;
}

static bool get_switch(TurnReader *from, bool *on)
{
    uint32_t word;
    if (!turn_get32(from, &word) || word > 1)
        return false;
    *on = word == 1;
    return true;
}

/* Reads a number of things, `most` or fewer. */
static bool get_count(TurnReader *from, uint32_t most, int *count)
{
    uint32_t word;
    if (!turn_get32(from, &word) || word > most)
        return false;
    *count = (int)word;
    return true;
}

static bool get_grasp(TurnReader *from, const BillowDef *def, Grasp *grasp)
{
    return get_switch(from, &grasp->holds) &&
           get_count(from, BILLOW_SOLIDS_MAX - 1, &grasp->solid) &&
           turn_get_numbers(from, grasp->center, 3) && in_range(grasp->center, 3, PLACE_MAX) &&
           (!grasp->holds || grasp->solid < def->solid_count);
}

static bool get_emitter(TurnReader *from, BillowEmitter *emitter)
{
    return turn_get_table(from, BILLOW_TABLE_EMITTER, emitter) && turn_check_emitter(emitter, NULL);
}

static bool get_brush(TurnReader *from, const BillowDef *def, HandBrush *brush)
{
    bool good = get_count(from, STROKE_MAX, &brush->stroke_count) &&
                get_switch(from, &brush->pressed) && get_switch(from, &brush->pushing) &&
                get_switch(from, &brush->pushed);
    for (int s = 0; good && s < brush->stroke_count; s++)
        good = get_emitter(from, &brush->stroke[s]);
    if (good && needs_last(brush))
        good = get_emitter(from, &brush->last);
    if (good && (brush->pushing || brush->pushed))
        good = turn_get_table(from, BILLOW_TABLE_FORCE, &brush->force) &&
               turn_check_table(BILLOW_TABLE_FORCE, &brush->force, NULL);
    return good && get_grasp(from, def, &brush->grasp);
}

static bool get_grip(TurnReader *from, const BillowDef *def, Grip *grip)
{
    if (!get_grasp(from, def, &grip->grasp) || !get_switch(from, &grip->gliding))
        return false;
    if (!grip->grasp.holds && !grip->gliding)
        return true;
    bool good = get_count(from, HELD_MAX, &grip->steps) &&
                turn_get_table(from, BILLOW_TABLE_SOLID, &grip->before) &&
                turn_check_table(BILLOW_TABLE_SOLID, &grip->before, NULL) &&
                turn_get_numbers(from, grip->pulled[0], 3 * pulls_of(grip)) &&
                (!grip->gliding || turn_get_numbers(from, grip->thrown, 3)) &&
                in_range(grip->pulled[0], 3 * GRIP_MEMORY, SPEED_MAX) &&
                in_range(grip->thrown, 3, SPEED_MAX) && grip->grasp.solid < def->solid_count;
    if (good)
        grip->before.volume = def->solids[grip->grasp.solid].volume;
    return good;
}

static bool get_detonation(TurnReader *from, Detonation *detonation)
{
    return get_emitter(from, &detonation->emitter) && turn_get_double(from, &detonation->left) &&
           detonation->left >= 0 && detonation->left <= LASTS_MAX;
}

static bool get_hands(TurnReader *from, const BillowDef *def, Hands *hands)
{
    bool good = true;
    for (int h = 0; good && h < SIM_HANDS_MAX; h++)
        good = get_brush(from, def, &hands->brushes[h]);
    good = good && get_count(from, DETONATIONS_MAX, &hands->past.detonation_count);
    for (int d = 0; good && d < hands->past.detonation_count; d++)
        good = get_detonation(from, &hands->past.detonations[d]);
    for (int h = 0; good && h < SIM_HANDS_MAX; h++)
        good = get_grip(from, def, &hands->past.grips[h]);
    return good;
}

/* Makes the play of the scene from the shapes. */
static bool get_play(TurnReader *from, SimJoin *join, BillowDef *def, BillowError *error)
{
    SceneShape shapes[SCENE_SHAPES];
    memset(shapes, 0, sizeof shapes);
    if (turn_get_shapes(from, shapes, error))
        join->play = scene_play_create_of(shapes, &join->scene, def, error);
    scene_shapes_free(shapes);
    return join->play != NULL;
}

static bool get_state(TurnReader *from, SimJoin *join, BillowError *error)
{
    uint64_t count;
    const unsigned char *state = turn_get64(from, &count) ? turn_get(from, count) : NULL;
    if (state == NULL || count == 0)
        return fail(error, "it ends early");
    if (from->at != from->count)
        return fail(error, "something follows its end");
    join->state = malloc((size_t)count);
    if (join->state == NULL)
        return fail(error, "not enough memory");
    memcpy(join->state, state, (size_t)count);
    join->bytes = (size_t)count;
    return true;
}

/* The numbers before the scene. */
typedef struct Head {
    int cycles;
    bool timeline;
    double brush_steps;
    SharedVideo video;
} Head;

static bool get_head(TurnReader *from, SimJoin *join, Head *head, BillowError *error)
{
    const unsigned char *start = turn_get(from, sizeof magic);
    uint32_t version;
    if (start == NULL || memcmp(start, magic, sizeof magic) != 0 || !turn_get32(from, &version))
        return fail(error, "this is no simulation to join");
    if (version != SIM_JOIN_VERSION)
        return fail(error, "version %u of the format, and this program reads version %u", version,
                    SIM_JOIN_VERSION);
    SharedVideo *video = &head->video;
    bool good = turn_get64(from, &join->steps) && get_count(from, 100000, &head->cycles) &&
                get_switch(from, &head->timeline) && turn_get_double(from, &head->brush_steps) &&
                turn_get_double(from, &video->interval) &&
                get_count(from, INT32_MAX, &video->left) && turn_get64(from, &video->frame) &&
                turn_get64(from, &video->taken);
    const SimCommand film = {SIM_FILM, .film = {.interval = video->interval}};
    const SimCommand rate = {SIM_BRUSH_STEPS, .value = head->brush_steps};
    return good ? turn_takes(&film, error) && turn_takes(&rate, error)
                : fail(error, "its numbers are out of range");
}

static bool get_all(TurnReader *from, SimJoin *join, BillowError *error)
{
    Head head = {.cycles = 0};
    if (!get_head(from, join, &head, error) || !turn_get_scene(from, &join->scene, error))
        return false;
    BillowDef def = scene_def(&join->scene);
    Hands hands = {.steps = head.brush_steps};
    if (!get_play(from, join, &def, error))
        return false;
    if (!turn_get_table(from, BILLOW_TABLE_PARAMS, &def.params) ||
        !turn_check_table(BILLOW_TABLE_PARAMS, &def.params, NULL) || !get_hands(from, &def, &hands))
        return fail(error, "its hands or its parameters are out of range");
    if (!get_state(from, join, error))
        return false;
    if (!shared_open(&join->shared, &def, join->play, &join->scene, (double)join->scene.step))
        return fail(error, "not enough memory");
    join->shared.hands = hands;
    join->shared.cycles = head.cycles;
    join->shared.dropped = !head.timeline;
    join->shared.video = head.video;
    shared_choose_step(&join->shared);
    return true;
}

bool sim_join_read(TurnReader *from, SimJoin *join, BillowError *error)
{
    join->play = NULL;
    join->state = NULL;
    join->shared = (Shared){.driver = {.sim = NULL}};
    if (get_all(from, join, error))
        return true;
    sim_join_free(join);
    return false;
}

void sim_join_free(SimJoin *join)
{
    shared_close(&join->shared);
    free(join->state);
    scene_play_destroy(join->play);
    join->state = NULL;
    join->play = NULL;
}
