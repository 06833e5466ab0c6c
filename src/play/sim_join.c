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

/* -- both ways --------------------------------------------------------------------------------- */

/* Links numbers, of which those that are read must be from -most to most. */
static bool link_numbers(const TurnLink *link, float *numbers, int count, float most)
{
    bool good = turn_link_words(link, numbers, count);
    for (int n = 0; link->to == NULL && n < count; n++)
        good = good && fabsf(numbers[n]) <= most; /* false for NaN */
    return good;
}

static bool link_table(const TurnLink *link, BillowTable table, void *base)
{
    return turn_link_table(link, table, base) &&
           (link->to != NULL || turn_check_table(table, base, NULL));
}

static bool link_emitter(const TurnLink *link, BillowEmitter *emitter)
{
    return turn_link_table(link, BILLOW_TABLE_EMITTER, emitter) &&
           (link->to != NULL || turn_check_emitter(emitter, NULL));
}

static bool link_grasp(const TurnLink *link, const BillowDef *def, Grasp *grasp)
{
    return turn_link_switch(link, &grasp->holds) &&
           turn_link_count(link, BILLOW_SOLIDS_MAX - 1, &grasp->solid) &&
           link_numbers(link, grasp->center, 3, PLACE_MAX) &&
           (!grasp->holds || grasp->solid < def->solid_count);
}

static bool link_brush(const TurnLink *link, const BillowDef *def, HandBrush *brush)
{
    bool good = turn_link_count(link, STROKE_MAX, &brush->stroke_count) &&
                turn_link_switch(link, &brush->pressed) &&
                turn_link_switch(link, &brush->pushing) && turn_link_switch(link, &brush->pushed);
    for (int s = 0; good && s < brush->stroke_count; s++)
        good = link_emitter(link, &brush->stroke[s]);
    if (good && brush->pressed && brush->stroke_count == 0) /* it releases there again */
        good = link_emitter(link, &brush->last);
    if (good && (brush->pushing || brush->pushed))
        good = link_table(link, BILLOW_TABLE_FORCE, &brush->force);
    return good && link_grasp(link, def, &brush->grasp);
}

static bool link_grip(const TurnLink *link, const BillowDef *def, Grip *grip)
{
    if (!link_grasp(link, def, &grip->grasp) || !turn_link_switch(link, &grip->gliding))
        return false;
    if (!grip->grasp.holds && !grip->gliding)
        return true;
    bool good = turn_link_count(link, HELD_MAX, &grip->steps);
    int pulls = grip->steps < GRIP_MEMORY ? grip->steps : GRIP_MEMORY;
    good = good && link_table(link, BILLOW_TABLE_SOLID, &grip->before) &&
           link_numbers(link, grip->pulled[0], 3 * pulls, SPEED_MAX) &&
           (!grip->gliding || link_numbers(link, grip->thrown, 3, SPEED_MAX)) &&
           grip->grasp.solid < def->solid_count;
    if (good)
        grip->before.volume = def->solids[grip->grasp.solid].volume;
    return good;
}

static bool link_detonation(const TurnLink *link, Detonation *detonation)
{
    return link_emitter(link, &detonation->emitter) && turn_link_double(link, &detonation->left) &&
           (link->to != NULL || (detonation->left >= 0 && detonation->left <= LASTS_MAX));
}

static bool link_hands(const TurnLink *link, const BillowDef *def, Hands *hands)
{
    bool good = true;
    for (int h = 0; good && h < SIM_HANDS_MAX; h++)
        good = link_brush(link, def, &hands->brushes[h]);
    good = good && turn_link_count(link, DETONATIONS_MAX, &hands->past.detonation_count);
    for (int d = 0; good && d < hands->past.detonation_count; d++)
        good = link_detonation(link, &hands->past.detonations[d]);
    for (int h = 0; good && h < SIM_HANDS_MAX; h++)
        good = link_grip(link, def, &hands->past.grips[h]);
    return good;
}

/* The numbers before the scene. */
typedef struct Head {
    uint64_t steps;
    int cycles;
    bool timeline;
    double brush_steps;
} Head;

/* Zeros that the format has between the numbers and the scene: words of 64, 32, 64 and 64 bits. */
static bool link_zeros(const TurnLink *link)
{
    uint64_t words[3] = {0};
    int word = 0;
    return turn_link64(link, &words[0]) && turn_link_count(link, 0, &word) &&
           turn_link64(link, &words[1]) && turn_link64(link, &words[2]) &&
           (words[0] | words[1] | words[2]) == 0;
}

static bool link_head(const TurnLink *link, Head *head)
{
    return turn_link64(link, &head->steps) && turn_link_count(link, 100000, &head->cycles) &&
           turn_link_switch(link, &head->timeline) && turn_link_double(link, &head->brush_steps) &&
           link_zeros(link);
}

/* -- writing ----------------------------------------------------------------------------------- */

static bool same_grid(const BillowDef *def, const Scene *scene)
{
    const BillowDef own = scene_def(scene);
    return def->nx == own.nx && def->ny == own.ny && def->nz == own.nz &&
           def->refine == own.refine && def->cell_size == own.cell_size;
}

bool sim_join_allows(const Scene *scene, BillowError *error)
{
    BillowError needs;
    return !turn_needs_file(scene, &needs) ||
           fail(error, "%.400s, which a session does not send", needs.text);
}

bool sim_join_write(const Shared *shared, uint64_t steps, TurnBytes *to, BillowError *error)
{
    const TurnLink link = {.to = to};
    SceneShape shapes[SCENE_SHAPES];
    Hands hands = shared->hands;
    BillowParams params = shared->def.params;
    Head head = {steps, shared->cycles, !shared->dropped, hands.steps};
    if (shared->scene == NULL || !same_grid(&shared->def, shared->scene))
        return fail(error, "nobody can join a simulation that is not on its scene's cells");
    if (!sim_join_allows(shared->scene, error))
        return false;
    memset(shapes, 0, sizeof shapes);
    turn_put(to, magic, sizeof magic);
    turn_put32(to, SIM_JOIN_VERSION);
    link_head(&link, &head);
    turn_put_scene(to, shared->scene);
    if (shared->driver.play != NULL)
        scene_play_shapes(shared->driver.play, shapes);
    turn_put_shapes(to, shapes);
    link_table(&link, BILLOW_TABLE_PARAMS, &params);
    to->failed = !link_hands(&link, &shared->def, &hands) || to->failed;
    const size_t count = billow_state_bytes(shared->driver.sim);
    turn_put64(to, count);
    unsigned char *at = turn_put_room(to, count);
    if (at != NULL)
        billow_save_state(shared->driver.sim, at);
    return !to->failed || fail(error, "there is not enough memory to let somebody join");
}

/* -- reading ----------------------------------------------------------------------------------- */

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

static bool get_head(TurnReader *from, Head *head, BillowError *error)
{
    const unsigned char *start = turn_get(from, sizeof magic);
    uint32_t version;
    if (start == NULL || memcmp(start, magic, sizeof magic) != 0 || !turn_get32(from, &version))
        return fail(error, "this is no simulation to join");
    if (version != SIM_JOIN_VERSION)
        return fail(error, "version %u of the format, and this program reads version %u", version,
                    SIM_JOIN_VERSION);
    bool good = link_head(&(TurnLink){.from = from}, head);
    const SimCommand rate = {SIM_BRUSH_STEPS, .value = head->brush_steps};
    return good ? turn_takes(&rate, error) : fail(error, "its numbers are out of range");
}

static bool get_all(TurnReader *from, SimJoin *join, BillowError *error)
{
    Head head = {.cycles = 0};
    if (!get_head(from, &head, error) || !turn_get_scene(from, &join->scene, error))
        return false;
    join->steps = head.steps;
    BillowDef def = scene_def(&join->scene);
    Hands hands = {.steps = head.brush_steps};
    if (!get_play(from, join, &def, error))
        return false;
    const TurnLink link = {.from = from};
    if (!link_table(&link, BILLOW_TABLE_PARAMS, &def.params) || !link_hands(&link, &def, &hands))
        return fail(error, "its hands or its parameters are out of range");
    if (!get_state(from, join, error))
        return false;
    if (!shared_open(&join->shared, &def, join->play, &join->scene, (double)join->scene.step))
        return fail(error, "not enough memory");
    join->shared.hands = hands;
    join->shared.cycles = head.cycles;
    join->shared.dropped = !head.timeline;
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

static bool same_shapes(const SimJoin *one, const SimJoin *other)
{
    SceneShape shapes[2][SCENE_SHAPES];
    bool same = true;
    scene_play_shapes(one->play, shapes[0]);
    scene_play_shapes(other->play, shapes[1]);
    for (int entry = 0; same && entry < SCENE_SHAPES; entry++) {
        const BillowVolume *a = &shapes[0][entry].volume, *b = &shapes[1][entry].volume;
        const size_t samples = (size_t)a->nx * (size_t)a->ny * (size_t)a->nz;
        same = (a->distance == NULL) == (b->distance == NULL) && a->nx == b->nx && a->ny == b->ny &&
               a->nz == b->nz && a->spacing == b->spacing &&
               (a->distance == NULL ||
                memcmp(a->distance, b->distance, samples * sizeof *a->distance) == 0);
    }
    return same;
}

static bool same_fields(const BillowDef *one, const BillowDef *other)
{
    BillowField fields[2][BILLOW_FIELDS_MAX];
    int count = billow_list_fields_of(one, fields[0]);
    bool same = count == billow_list_fields_of(other, fields[1]);
    for (int f = 0; same && f < count; f++)
        same = strcmp(fields[0][f].name, fields[1][f].name) == 0;
    return same && one->nx == other->nx && one->ny == other->ny && one->nz == other->nz &&
           one->refine == other->refine && one->cell_size == other->cell_size &&
           one->tracers == other->tracers;
}

bool sim_join_shows(const SimJoin *one, const SimJoin *other)
{
    const BillowDef def = scene_def(&one->scene), next = scene_def(&other->scene);
    bool same = same_fields(&def, &next) && def.solid_count == next.solid_count;
    for (int s = 0; same && s < def.solid_count; s++) {
        const BillowSolid *a = &def.solids[s], *b = &next.solids[s];
        same = a->shape == b->shape && memcmp(a->size, b->size, sizeof a->size) == 0;
    }
    return same && same_shapes(one, other);
}

void sim_join_free(SimJoin *join)
{
    shared_close(&join->shared);
    free(join->state);
    scene_play_destroy(join->play);
    join->state = NULL;
    join->play = NULL;
}
