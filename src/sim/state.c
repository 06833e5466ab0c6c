/* SPDX-License-Identifier: MIT
 *
 * The state of a simulation as bytes: all that the next steps depend on, beside the parameters,
 * emitters and forces of the definition.
 *
 *     "BILLOWST" | version | total bytes | StateOwner | State | tracers and fields (archive.h) */
#include "archive.h"
#include "def.h"
#include "fail.h"
#include "scalars.h"
#include "sim.h"

#include <math.h>
#include <string.h>

#define STATE_VERSION 1u

static const unsigned char magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'S', 'T'};

/* Everything but fields and tracers. */
typedef struct State {
    double clocks[2], flame_sum, texture_turns[2], expansion[2], projected_dt, divergence_before;
    float density_share;
    uint32_t touched;
    BillowStats stats;
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* without their volumes */
    double kicked[BILLOW_SOLIDS_MAX], solids_owed[SCALARS_MAX];
    uint64_t born;
    double tracers_owed[2 * BILLOW_EMITTERS_MAX];
    uint32_t queued_count;
    BillowEmitter queued[BILLOW_EMITTERS_MAX];
    uint32_t queued_volumes[BILLOW_EMITTERS_MAX]; /* index of each one's volume, see volume_at */
    uint32_t pushed_count;
    BillowForce pushed[BILLOW_FORCES_MAX];
} State;

/* -- what a state belongs to --------------------------------------------------------------------
 */

/* What must agree between the simulation that a state was saved from and the one that loads it. */
typedef struct StateOwner {
    uint32_t n[3], has_fire, has_color, tracers, solids;
    float cell_size, origin[3], texture_period;
    uint64_t sides; /* hash of faces and boundaries */
} StateOwner;

/* FNV-1a over words. */
static uint64_t mix_words(uint64_t hash, const void *values, size_t size, size_t count)
{
    unsigned char bytes[sizeof(BillowBoundary)];
    archive_copy(bytes, values, size, count);
    for (size_t b = 0; b < size * count; b++)
        hash = (hash ^ bytes[b]) * 0x100000001b3u;
    return hash;
}

static uint64_t sides_of(const BillowDef *def)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const BillowBoundary *boundary = &def->boundaries[side];
        const uint32_t kinds[3] = {(uint32_t)def->faces[side], (uint32_t)boundary->profile,
                                   boundary->isothermal};
        const float numbers[6] = {boundary->velocity[0], boundary->velocity[1],
                                  boundary->velocity[2], boundary->smoke,
                                  boundary->heat,        boundary->temperature};
        hash = mix_words(hash, kinds, sizeof kinds[0], 3);
        hash = mix_words(hash, numbers, sizeof numbers[0], 6);
    }
    return hash;
}

static StateOwner state_owner_of(const BillowDef *def)
{
    StateOwner owner = {.n = {(uint32_t)def->nx, (uint32_t)def->ny, (uint32_t)def->nz},
                        .has_fire = def->fire,
                        .has_color = def->color,
                        .tracers = (uint32_t)def->tracers,
                        .solids = (uint32_t)def->solid_count,
                        .cell_size = def->cell_size,
                        .texture_period = def->texture_period,
                        .sides = sides_of(def)};
    memcpy(owner.origin, def->origin, sizeof owner.origin);
    return owner;
}

static void state_owner_visit(Archive *archive, StateOwner *owner)
{
    archive_whole(archive, owner->n, 3);
    archive_whole(archive, &owner->has_fire, 1);
    archive_whole(archive, &owner->has_color, 1);
    archive_whole(archive, &owner->tracers, 1);
    archive_whole(archive, &owner->solids, 1);
    archive_real(archive, &owner->cell_size, 1);
    archive_real(archive, owner->origin, 3);
    archive_real(archive, &owner->texture_period, 1);
    archive_long_whole(archive, &owner->sides, 1);
}

static bool state_owner_check(const StateOwner *theirs, const StateOwner *ours, BillowError *error)
{
    if (memcmp(theirs->n, ours->n, sizeof theirs->n) != 0)
        return fail(error, "the state has %u x %u x %u cells, and this simulation %u x %u x %u",
                    theirs->n[0], theirs->n[1], theirs->n[2], ours->n[0], ours->n[1], ours->n[2]);
    if (theirs->cell_size != ours->cell_size ||
        memcmp(theirs->origin, ours->origin, sizeof theirs->origin) != 0)
        return fail(error,
                    "the state's box has another size or place: its cells are %g m, here %g m",
                    (double)theirs->cell_size, (double)ours->cell_size);
    if (theirs->has_fire != ours->has_fire)
        return fail(error, "the state was saved %s fire", theirs->has_fire ? "with" : "without");
    if (theirs->has_color != ours->has_color)
        return fail(error, "the state was saved %s coloured smoke",
                    theirs->has_color ? "with" : "without");
    if (theirs->tracers != ours->tracers)
        return fail(error, "the state has %u tracers, and this simulation %u", theirs->tracers,
                    ours->tracers);
    if (theirs->texture_period != ours->texture_period)
        return fail(error, "the state's texture_period is %g s, and this simulation's %g s",
                    (double)theirs->texture_period, (double)ours->texture_period);
    if (theirs->solids != ours->solids)
        return fail(error, "the state has %u solids, and this simulation %u", theirs->solids,
                    ours->solids);
    return theirs->sides == ours->sides || fail(error, "the state's box has other faces");
}

/* -- what there is ----------------------------------------------------------------------------- */

static void visit_stats(Archive *archive, BillowStats *stats)
{
    double *const numbers[] = {
        &stats->time,
        &stats->mass,
        &stats->mass_sources,
        &stats->mass_outflow,
        &stats->mass_dissipated,
        &stats->mass_drift,
        &stats->heat,
        &stats->color[0],
        &stats->color[1],
        &stats->color[2],
        &stats->fuel,
        &stats->expansion,
        &stats->outflow,
        &stats->kinetic_energy,
        &stats->speed_max,
        &stats->density_max,
        &stats->temperature_max,
        &stats->divergence_max,
        &stats->residual_relative,
        &stats->cfl,
    };
    for (size_t s = 0; s < sizeof numbers / sizeof numbers[0]; s++)
        archive_long_real(archive, numbers[s], 1);
    archive_long_whole(archive, &stats->steps, 1);
    archive_long_whole(archive, &stats->substeps, 1);
    archive_long_whole(archive, &stats->nonfinite, 1);
    ARCHIVE_WORD(archive, BillowPressure, stats->pressure);
    ARCHIVE_WORD(archive, int, stats->cycles);
    ARCHIVE_WORD(archive, int, stats->last_substeps);
}

static void visit_solid(Archive *archive, BillowSolid *solid)
{
    ARCHIVE_WORD(archive, BillowShape, solid->shape);
    archive_real(archive, solid->size, 3);
    archive_real(archive, solid->center, 3);
    archive_real(archive, solid->rotation, 4);
    archive_real(archive, solid->velocity, 3);
    archive_real(archive, solid->spin, 3);
    ARCHIVE_WORD(archive, BillowMotion, solid->motion);
    archive_real(archive, &solid->gravity, 1);
    archive_real(archive, &solid->bounce, 1);
    archive_flag(archive, &solid->sticky);
    archive_flag(archive, &solid->isothermal);
    archive_real(archive, &solid->temperature, 1);
}

static void visit_emitter(Archive *archive, BillowEmitter *emitter)
{
    ARCHIVE_WORD(archive, BillowShape, emitter->shape);
    archive_real(archive, emitter->center, 3);
    archive_real(archive, emitter->size, 3);
    archive_real(archive, emitter->rotation, 4);
    archive_real(archive, emitter->color, 3);
    archive_real(archive, emitter->velocity, 3);
    float *const numbers[] = {
        &emitter->smoke,       &emitter->heat,        &emitter->fuel,    &emitter->expansion,
        &emitter->burst,       &emitter->grip,        &emitter->tracers, &emitter->noise,
        &emitter->noise_scale, &emitter->noise_speed,
    };
    for (size_t e = 0; e < sizeof numbers / sizeof numbers[0]; e++)
        archive_real(archive, numbers[e], 1);
    archive_whole(archive, &emitter->seed, 1);
    archive_long_real(archive, &emitter->start, 1);
    archive_long_real(archive, &emitter->end, 1);
}

static void visit_force(Archive *archive, BillowForce *force)
{
    ARCHIVE_WORD(archive, BillowForceKind, force->kind);
    archive_real(archive, force->center, 3);
    archive_real(archive, &force->radius, 1);
    archive_real(archive, force->velocity, 3);
    archive_real(archive, &force->strength, 1);
    archive_real(archive, &force->scale, 1);
    archive_real(archive, &force->speed, 1);
    archive_whole(archive, &force->seed, 1);
    archive_long_real(archive, &force->start, 1);
    archive_long_real(archive, &force->end, 1);
}

static void visit_state(Archive *archive, const StateOwner *owner, State *state)
{
    archive_long_real(archive, state->clocks, 2);
    archive_long_real(archive, &state->flame_sum, 1);
    archive_long_real(archive, state->texture_turns, 2);
    archive_long_real(archive, state->expansion, 2);
    archive_long_real(archive, &state->projected_dt, 1);
    archive_long_real(archive, &state->divergence_before, 1);
    archive_real(archive, &state->density_share, 1);
    archive_whole(archive, &state->touched, 1);
    visit_stats(archive, &state->stats);
    for (uint32_t s = 0; s < owner->solids; s++) {
        visit_solid(archive, &state->solids[s]);
        archive_long_real(archive, &state->kicked[s], 1);
    }
    archive_long_real(archive, state->solids_owed, SCALARS_MAX);
    archive_long_whole(archive, &state->born, 1);
    archive_long_real(archive, state->tracers_owed, 2 * BILLOW_EMITTERS_MAX);
    archive_whole(archive, &state->queued_count, 1);
    for (int q = 0; q < BILLOW_EMITTERS_MAX;
         q++) { /* unused ones too, so that all states of a definition have the same size */
        visit_emitter(archive, &state->queued[q]);
        archive_whole(archive, &state->queued_volumes[q], 1);
    }
    archive_whole(archive, &state->pushed_count, 1);
    for (int f = 0; f < BILLOW_FORCES_MAX; f++)
        visit_force(archive, &state->pushed[f]);
}

/* -- what a simulation has of it --------------------------------------------------------------- */

/* Volume by index: the emitters' come first, then the solids'. NULL past the last. */
static const BillowVolume *volume_at(const BillowDef *def, uint32_t index)
{
    if (index < BILLOW_EMITTERS_MAX)
        return (int)index < def->emitter_count ? def->emitters[index].volume : NULL;
    index -= BILLOW_EMITTERS_MAX;
    return (int)index < def->solid_count ? def->solids[index].volume : NULL;
}

enum { VOLUMES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };

static void collect_queued(const BillowSim *sim, State *state)
{
    for (int q = 0; q < sim->queued_count; q++) {
        const BillowEmitter *emitter = &sim->queued[q].emitter;
        uint32_t volume = 0;
        if (emitter->shape == BILLOW_VOLUME)
            while (volume < VOLUMES && volume_at(&sim->def, volume) != emitter->volume)
                volume++;
        if (volume == VOLUMES)
            continue; /* no index names its volume */
        state->queued_volumes[state->queued_count] = volume;
        state->queued[state->queued_count++] = *emitter;
    }
}

static State state_of(const BillowSim *sim)
{
    State state;
    memset(&state, 0, sizeof state); /* unused members too, so that equal states are equal bytes */
    state.clocks[0] = sim->time;
    state.clocks[1] = sim->carry;
    state.flame_sum = sim->flame_sum;
    memcpy(state.texture_turns, sim->texture_turns, sizeof state.texture_turns);
    state.expansion[0] = sim->expansion_time;
    state.expansion[1] = sim->expansion_dt;
    state.projected_dt = sim->projected_dt;
    state.divergence_before = sim->divergence_before;
    state.density_share = sim->density_share;
    state.touched = sim->touched;
    state.stats = sim->stats;
    if (sim->solids != NULL) {
        memcpy(state.solids, sim->def.solids, sizeof state.solids);
        memcpy(state.kicked, sim->solids->kicked, sizeof state.kicked);
        memcpy(state.solids_owed, sim->solids->owed, sizeof state.solids_owed);
    }
    state.born = sim->tracers.born;
    memcpy(state.tracers_owed, sim->tracers.owed, sizeof state.tracers_owed);
    collect_queued(sim, &state);
    state.pushed_count = (uint32_t)sim->pushed_count;
    memcpy(state.pushed, sim->pushed, (size_t)sim->pushed_count * sizeof state.pushed[0]);
    return state;
}

static void take_over(BillowSim *sim, const State *state)
{
    sim->time = state->clocks[0];
    sim->carry = state->clocks[1];
    sim->flame_sum = state->flame_sum;
    memcpy(sim->texture_turns, state->texture_turns, sizeof sim->texture_turns);
    sim->expansion_time = state->expansion[0];
    sim->expansion_dt = state->expansion[1];
    sim->projected_dt = state->projected_dt;
    sim->divergence_before = state->divergence_before;
    sim->density_share = state->density_share;
    sim->touched = state->touched != 0;
    sim->stats = state->stats;
    memset(&sim->profile, 0, sizeof sim->profile);
    displacement_drop(sim);
    if (sim->solids != NULL)
        solids_restore(sim, state->solids, state->kicked, state->solids_owed);
    sim->tracers.born = state->born;
    memcpy(sim->tracers.owed, state->tracers_owed, sizeof sim->tracers.owed);
    sim->queued_count = (int)state->queued_count;
    for (int q = 0; q < sim->queued_count; q++)
        sim->queued[q] = emitter_place(&state->queued[q], &sim->grid, &sim->def);
    sim->pushed_count = (int)state->pushed_count;
    memcpy(sim->pushed, state->pushed, sizeof sim->pushed);
}

/* -- whole ------------------------------------------------------------------------------------- */

/* Visits everything but tracers and fields. Only reading changes sim. */
static void visit(Archive *archive, BillowSim *sim, StateOwner *owner, State *state)
{
    unsigned char begin[sizeof magic];
    uint32_t version = STATE_VERSION;
    uint64_t bytes = billow_state_bytes(sim);
    memcpy(begin, magic, sizeof magic);
    archive_words(archive, begin, 1, sizeof begin);
    archive_whole(archive, &version, 1);
    archive_long_whole(archive, &bytes, 1);
    state_owner_visit(archive, owner);
    visit_state(archive, owner, state);
}

size_t billow_state_bytes(const BillowSim *sim)
{
    Archive archive = {NULL, NULL, sizeof magic + sizeof(uint32_t) + sizeof(uint64_t)};
    StateOwner owner = state_owner_of(&sim->def);
    State state;
    memset(&state, 0, sizeof state);
    state_owner_visit(&archive, &owner);
    visit_state(&archive, &owner, &state);
    state_fields_visit(&archive, (BillowSim *)sim); /* only measures */
    return archive.at;
}

void billow_save_state(const BillowSim *sim, void *memory)
{
    Archive archive = {memory, NULL, 0};
    StateOwner owner = state_owner_of(&sim->def);
    State state = state_of(sim);
    visit(&archive, (BillowSim *)sim, &owner, &state);
    state_fields_visit(&archive, (BillowSim *)sim); /* only reads the fields */
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t v = 0; v < count; v++)
        if (!isfinite(values[v]))
            return false;
    return true;
}

/* Whether the numbers are ones that a step can start from. */
static bool check_numbers(const State *state)
{
    bool good = state->clocks[0] >= 0 && state->clocks[1] >= 0 && state->projected_dt >= 0 &&
                state->density_share >= 0.0f && state->density_share <= 1.0f &&
                state->stats.pressure <= BILLOW_CONJUGATE_GRADIENTS &&
                state->queued_count <= BILLOW_EMITTERS_MAX &&
                state->pushed_count <= BILLOW_FORCES_MAX;
    for (int e = 0; e < 2 * BILLOW_EMITTERS_MAX; e++)
        good = good && state->tracers_owed[e] >= 0 && state->tracers_owed[e] <= 1;
    return good && all_finite(state->clocks, 2) && all_finite(state->texture_turns, 2) &&
           all_finite(state->expansion, 2) && all_finite(&state->projected_dt, 1) &&
           all_finite(&state->flame_sum, 1) && all_finite(&state->divergence_before, 1) &&
           all_finite(state->kicked, BILLOW_SOLIDS_MAX) &&
           all_finite(state->solids_owed, SCALARS_MAX);
}

size_t state_bytes_most(const BillowDef *def)
{
    size_t nodes = ((size_t)def->nx + 1) * ((size_t)def->ny + 1) * ((size_t)def->nz + 1);
    size_t fields = 3 + (size_t)scalars_count(def) + (def->fire ? 1 : 0) + 1;
    return sizeof magic + sizeof(StateOwner) + sizeof(State) + 64 +
           sizeof(float) * (fields * nodes + 4 * (size_t)def->tracers);
}

/* Gives solids and queued emitters their volumes, and checks their ranges. */
static bool check_bodies(const BillowSim *sim, State *state, BillowError *error)
{
    for (int s = 0; s < sim->def.solid_count; s++) {
        state->solids[s].volume = sim->def.solids[s].volume;
        if (!solid_check(&state->solids[s], s, error))
            return false;
    }
    for (uint32_t q = 0; q < state->queued_count; q++) {
        BillowEmitter *emitter = &state->queued[q];
        emitter->volume =
            emitter->shape == BILLOW_VOLUME ? volume_at(&sim->def, state->queued_volumes[q]) : NULL;
        if (!emitter_check(emitter, (int)q, error))
            return false;
    }
    for (uint32_t f = 0; f < state->pushed_count; f++)
        if (!force_check(&state->pushed[f], (int)f, error))
            return false;
    return true;
}

static bool check_beginning(const BillowSim *sim, const unsigned char *memory, size_t bytes,
                            BillowError *error)
{
    Archive archive = {NULL, memory, sizeof magic};
    StateOwner theirs, ours = state_owner_of(&sim->def);
    uint32_t version;
    uint64_t length;
    size_t beginning = sizeof magic + sizeof version + sizeof length + sizeof theirs;
    if (bytes < beginning || memcmp(memory, magic, sizeof magic) != 0)
        return fail(error, "these bytes are not a saved state");
    archive_whole(&archive, &version, 1);
    if (version != STATE_VERSION)
        return fail(error, "the state has version %u; this library reads version %u", version,
                    STATE_VERSION);
    archive_long_whole(&archive, &length, 1);
    state_owner_visit(&archive, &theirs);
    if (!state_owner_check(&theirs, &ours, error))
        return false;
    if (length != billow_state_bytes(sim) || length != bytes)
        return fail(error, "the state is cut short or damaged: %zu bytes instead of %zu", bytes,
                    billow_state_bytes(sim));
    return true;
}

bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error)
{
    Archive archive = {NULL, memory, 0};
    StateOwner owner = state_owner_of(&sim->def);
    State state;
    memset(&state, 0, sizeof state);
    if (!check_beginning(sim, memory, bytes, error))
        return false;
    visit(&archive, sim, &owner, &state);
    if (!check_numbers(&state))
        return fail(error, "the state is damaged: it holds a number out of range");
    if (!check_bodies(sim, &state, error))
        return false;
    if (!state_fields_finite(sim, memory, bytes))
        return fail(error, "the state is damaged: its fields hold infinities or NaN");
    sim->error.text[0] = '\0';
    take_over(sim, &state);
    state_fields_visit(&archive, sim);
    return true;
}
