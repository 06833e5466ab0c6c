/* SPDX-License-Identifier: MIT
 *
 * The state of a simulation as bytes: all that the next steps depend on beside the definition's
 * parameters, emitters and forces. One walk over it (visit) measures, writes and reads, so that the
 * three agree.
 *
 *     "BILLOWST" | version | bytes in all | what the state belongs to (Owner) | State | tracers |
 *     u v w | scalars | flame | pressure
 *
 * Little-endian; bools and words of enums as 32 bits. Fields stand without padding, x innermost:
 * velocities with one more than there are cells along every axis, the pressure of cell after cell.
 * Where velocities' ghosts lie, and the displacement, are found anew. */
#include "sim.h"

#include "fail.h"

#include <math.h>
#include <string.h>

#define STATE_VERSION 1u

static const unsigned char magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'S', 'T'};

/* What must agree between the simulation that a state was saved from and another. */
typedef struct Owner {
    uint32_t n[3], has_fire, has_color, tracers, solids;
    float cell_size, origin[3], rest_period;
    uint64_t sides; /* over faces and borders */
} Owner;

/* All but fields and tracers. */
typedef struct State {
    double clocks[2], flame_sum, rest_turns[2], expansion[2], projected_dt, inflow_before;
    float density_share;
    uint32_t touched;
    BillowStats stats;
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* without their volumes */
    double kicked[BILLOW_SOLIDS_MAX], solids_owed[SCALARS_MAX];
    uint64_t born;
    double tracers_owed[2 * BILLOW_EMITTERS_MAX];
    uint32_t queued_count;
    BillowEmitter queued[BILLOW_EMITTERS_MAX];
    uint32_t queued_volumes[BILLOW_EMITTERS_MAX]; /* whose: see volume_at */
    uint32_t pushed_count;
    BillowForce pushed[BILLOW_FORCES_MAX];
} State;

/* -- bytes ------------------------------------------------------------------------------------- */

typedef struct Archive {
    unsigned char *out;      /* where it is written to, */
    const unsigned char *in; /* or read from; both NULL: measured */
    size_t at;
} Archive;

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* To little-endian words or from them. */
static void copy_words(void *to, const void *from, size_t size, size_t count)
{
    if (is_little_endian()) {
        memcpy(to, from, size * count);
        return;
    }
    for (size_t word = 0; word < count; word++)
        for (size_t byte = 0; byte < size; byte++)
            ((unsigned char *)to)[word * size + byte] =
                ((const unsigned char *)from)[word * size + size - 1 - byte];
}

static void words(Archive *archive, void *values, size_t size, size_t count)
{
    if (archive->out != NULL)
        copy_words(archive->out + archive->at, values, size, count);
    else if (archive->in != NULL)
        copy_words(values, archive->in + archive->at, size, count);
    archive->at += size * count;
}

static void whole(Archive *archive, uint32_t *values, size_t count)
{
    words(archive, values, sizeof *values, count);
}

static void long_whole(Archive *archive, uint64_t *values, size_t count)
{
    words(archive, values, sizeof *values, count);
}

static void real(Archive *archive, float *values, size_t count)
{
    words(archive, values, sizeof *values, count);
}

static void long_real(Archive *archive, double *values, size_t count)
{
    words(archive, values, sizeof *values, count);
}

/* Through a word; what is read there is checked by whoever takes it. */
#define VISIT_WORD(archive, type, value)                                                           \
    do {                                                                                           \
        uint32_t word = (uint32_t)(value);                                                         \
        whole(archive, &word, 1);                                                                  \
        (value) = (type)word;                                                                      \
    } while (0)

static void flag(Archive *archive, bool *value)
{
    uint32_t word = *value;
    whole(archive, &word, 1);
    *value = word != 0;
}

/* -- what there is ----------------------------------------------------------------------------- */

static void visit_owner(Archive *archive, Owner *owner)
{
    whole(archive, owner->n, 3);
    whole(archive, &owner->has_fire, 1);
    whole(archive, &owner->has_color, 1);
    whole(archive, &owner->tracers, 1);
    whole(archive, &owner->solids, 1);
    real(archive, &owner->cell_size, 1);
    real(archive, owner->origin, 3);
    real(archive, &owner->rest_period, 1);
    long_whole(archive, &owner->sides, 1);
}

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
        long_real(archive, numbers[s], 1);
    long_whole(archive, &stats->steps, 1);
    long_whole(archive, &stats->substeps, 1);
    long_whole(archive, &stats->nonfinite, 1);
    VISIT_WORD(archive, BillowPressure, stats->pressure);
    VISIT_WORD(archive, int, stats->cycles);
    VISIT_WORD(archive, int, stats->last_substeps);
}

static void visit_solid(Archive *archive, BillowSolid *solid)
{
    VISIT_WORD(archive, BillowShape, solid->shape);
    real(archive, solid->size, 3);
    real(archive, solid->center, 3);
    real(archive, solid->rotation, 4);
    real(archive, solid->velocity, 3);
    real(archive, solid->spin, 3);
    VISIT_WORD(archive, BillowMotion, solid->motion);
    real(archive, &solid->gravity, 1);
    real(archive, &solid->bounce, 1);
    flag(archive, &solid->sticky);
    flag(archive, &solid->held);
    real(archive, &solid->temperature, 1);
}

static void visit_emitter(Archive *archive, BillowEmitter *emitter)
{
    VISIT_WORD(archive, BillowShape, emitter->shape);
    real(archive, emitter->center, 3);
    real(archive, emitter->size, 3);
    real(archive, emitter->rotation, 4);
    real(archive, emitter->color, 3);
    real(archive, emitter->velocity, 3);
    float *const numbers[] = {
        &emitter->smoke,       &emitter->heat,        &emitter->fuel,    &emitter->expansion,
        &emitter->burst,       &emitter->grip,        &emitter->tracers, &emitter->noise,
        &emitter->noise_scale, &emitter->noise_speed,
    };
    for (size_t e = 0; e < sizeof numbers / sizeof numbers[0]; e++)
        real(archive, numbers[e], 1);
    whole(archive, &emitter->seed, 1);
    long_real(archive, &emitter->start, 1);
    long_real(archive, &emitter->end, 1);
}

static void visit_force(Archive *archive, BillowForce *force)
{
    VISIT_WORD(archive, BillowForceKind, force->kind);
    real(archive, force->center, 3);
    real(archive, &force->radius, 1);
    real(archive, force->velocity, 3);
    real(archive, &force->strength, 1);
    real(archive, &force->scale, 1);
    real(archive, &force->speed, 1);
    whole(archive, &force->seed, 1);
    long_real(archive, &force->start, 1);
    long_real(archive, &force->end, 1);
}

static void visit_state(Archive *archive, const Owner *owner, State *state)
{
    long_real(archive, state->clocks, 2);
    long_real(archive, &state->flame_sum, 1);
    long_real(archive, state->rest_turns, 2);
    long_real(archive, state->expansion, 2);
    long_real(archive, &state->projected_dt, 1);
    long_real(archive, &state->inflow_before, 1);
    real(archive, &state->density_share, 1);
    whole(archive, &state->touched, 1);
    visit_stats(archive, &state->stats);
    for (uint32_t s = 0; s < owner->solids; s++) {
        visit_solid(archive, &state->solids[s]);
        long_real(archive, &state->kicked[s], 1);
    }
    long_real(archive, state->solids_owed, SCALARS_MAX);
    long_whole(archive, &state->born, 1);
    long_real(archive, state->tracers_owed, 2 * BILLOW_EMITTERS_MAX);
    whole(archive, &state->queued_count, 1);
    for (int q = 0; q < BILLOW_EMITTERS_MAX; q++) { /* all: states of a definition are of a size */
        visit_emitter(archive, &state->queued[q]);
        whole(archive, &state->queued_volumes[q], 1);
    }
    whole(archive, &state->pushed_count, 1);
    for (int f = 0; f < BILLOW_FORCES_MAX; f++)
        visit_force(archive, &state->pushed[f]);
}

/* -- what a simulation has of it --------------------------------------------------------------- */

/* FNV-1a over words. */
static uint64_t mix_words(uint64_t hash, const void *values, size_t size, size_t count)
{
    unsigned char bytes[sizeof(BillowBorder)];
    copy_words(bytes, values, size, count);
    for (size_t b = 0; b < size * count; b++)
        hash = (hash ^ bytes[b]) * 0x100000001b3u;
    return hash;
}

static uint64_t sides_of(const BillowDef *def)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const BillowBorder *border = &def->borders[side];
        const uint32_t kinds[3] = {(uint32_t)def->faces[side], (uint32_t)border->profile,
                                   border->held};
        const float numbers[6] = {border->velocity[0], border->velocity[1], border->velocity[2],
                                  border->smoke,       border->heat,        border->temperature};
        hash = mix_words(hash, kinds, sizeof kinds[0], 3);
        hash = mix_words(hash, numbers, sizeof numbers[0], 6);
    }
    return hash;
}

static Owner owner_of(const BillowDef *def)
{
    Owner owner = {.n = {(uint32_t)def->nx, (uint32_t)def->ny, (uint32_t)def->nz},
                   .has_fire = def->fire,
                   .has_color = def->color,
                   .tracers = (uint32_t)def->tracers,
                   .solids = (uint32_t)def->solid_count,
                   .cell_size = def->cell_size,
                   .rest_period = def->rest_period,
                   .sides = sides_of(def)};
    memcpy(owner.origin, def->origin, sizeof owner.origin);
    return owner;
}

/* The volumes a definition has, its emitters' before its solids'; NULL past the last. */
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
            continue; /* nobody could tell which */
        state->queued_volumes[state->queued_count] = volume;
        state->queued[state->queued_count++] = *emitter;
    }
}

static State state_of(const BillowSim *sim)
{
    State state;
    memset(&state, 0, sizeof state); /* what is not there as well: equal states are equal bytes */
    state.clocks[0] = sim->time;
    state.clocks[1] = sim->carry;
    state.flame_sum = sim->flame_sum;
    memcpy(state.rest_turns, sim->rest_turns, sizeof state.rest_turns);
    state.expansion[0] = sim->expansion_time;
    state.expansion[1] = sim->expansion_dt;
    state.projected_dt = sim->projected_dt;
    state.inflow_before = sim->inflow_before;
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
    memcpy(sim->rest_turns, state->rest_turns, sizeof sim->rest_turns);
    sim->expansion_time = state->expansion[0];
    sim->expansion_dt = state->expansion[1];
    sim->projected_dt = state->projected_dt;
    sim->inflow_before = state->inflow_before;
    sim->density_share = state->density_share;
    sim->touched = state->touched != 0;
    sim->stats = state->stats;
    memset(&sim->profile, 0, sizeof sim->profile);
    sim->displaced_dt = 0;
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

/* -- fields ------------------------------------------------------------------------------------ */

enum { BLOCKS_MAX = SCALARS_MAX + 5 };

typedef struct Block {
    float *field;
    int n[3];
    bool packed;
    size_t at; /* in the bytes */
} Block;

typedef struct FieldTask {
    BillowSim *sim;
    Archive archive;
    Block blocks[BLOCKS_MAX];
    int count;
} FieldTask;

static void add_block(FieldTask *task, float *field, int more, bool packed)
{
    const Grid *grid = &task->sim->grid;
    Block block = {.field = field,
                   .n = {grid->nx + more, grid->ny + more, grid->nz + more},
                   .packed = packed,
                   .at = task->archive.at};
    task->archive.at +=
        (size_t)block.n[0] * (size_t)block.n[1] * (size_t)block.n[2] * sizeof(float);
    task->blocks[task->count++] = block;
}

/* All fields, behind what the archive has. */
static FieldTask field_task(BillowSim *sim, const Archive *archive)
{
    FieldTask task = {.sim = sim, .archive = *archive};
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    for (int axis = 0; axis < 3; axis++)
        add_block(&task, sim->velocity[axis], 1, false);
    for (int s = 0; s < count; s++)
        add_block(&task, *list[s].field, 0, false);
    if (sim->flame != NULL)
        add_block(&task, sim->flame, 0, false);
    add_block(&task, sim->pressure, 0, true);
    return task;
}

static void copy_row(const FieldTask *task, const Block *block, int j, int k)
{
    const Grid *grid = &task->sim->grid;
    const Level *level = &task->sim->multigrid.levels[0];
    float memory[BILLOW_GRID_MAX + 1];
    float *row = block->packed ? memory : block->field + grid_row(grid, j, k);
    size_t n = (size_t)block->n[0];
    size_t at = block->at + ((size_t)k * (size_t)block->n[1] + (size_t)j) * n * sizeof(float);
    Packed packed = block->packed ? grid_packed(grid, block->field) : (Packed){{NULL, NULL}};
    if (task->archive.out != NULL) {
        if (block->packed)
            level_unpack_row(level, packed, j, k, row);
        copy_words(task->archive.out + at, row, sizeof(float), n);
    } else {
        copy_words(row, task->archive.in + at, sizeof(float), n);
        if (block->packed)
            level_pack_row(level, row, j, k, packed);
    }
}

static void fields_task(void *context, Team team)
{
    const FieldTask *task = context;
    for (int b = 0; b < task->count; b++) {
        const Block *block = &task->blocks[b];
        Slab slab = team_slab(team, block->n[2]);
        for (int k = slab.begin; k < slab.end; k++) {
            for (int j = 0; j < block->n[1]; j++)
                copy_row(task, block, j, k);
            if (block->packed && task->archive.in != NULL)
                level_wrap(&task->sim->multigrid.levels[0], k);
        }
    }
}

static void visit_fields(Archive *archive, BillowSim *sim)
{
    for (int axis = 0; axis < 3 && sim->def.tracers > 0; axis++)
        real(archive, sim->tracers.place[axis], (size_t)sim->def.tracers);
    if (sim->def.tracers > 0)
        real(archive, sim->tracers.age, (size_t)sim->def.tracers);
    FieldTask task = field_task(sim, archive);
    archive->at = task.archive.at;
    if (archive->in != NULL)
        sim->multigrid.levels[0].x = grid_packed(&sim->grid, sim->pressure);
    if (archive->in != NULL || archive->out != NULL)
        team_run(sim->threads, fields_task, &task);
}

/* -- whole ------------------------------------------------------------------------------------- */

/* sim is left as it was unless the archive is read from. */
static void visit(Archive *archive, BillowSim *sim, Owner *owner, State *state)
{
    unsigned char begin[sizeof magic];
    uint32_t version = STATE_VERSION;
    uint64_t bytes = billow_state_bytes(sim);
    memcpy(begin, magic, sizeof magic);
    words(archive, begin, 1, sizeof begin);
    whole(archive, &version, 1);
    long_whole(archive, &bytes, 1);
    visit_owner(archive, owner);
    visit_state(archive, owner, state);
}

size_t billow_state_bytes(const BillowSim *sim)
{
    Archive archive = {NULL, NULL, sizeof magic + sizeof(uint32_t) + sizeof(uint64_t)};
    Owner owner = owner_of(&sim->def);
    State state;
    memset(&state, 0, sizeof state);
    visit_owner(&archive, &owner);
    visit_state(&archive, &owner, &state);
    visit_fields(&archive, (BillowSim *)sim); /* which only measures */
    return archive.at;
}

void billow_save_state(const BillowSim *sim, void *memory)
{
    Archive archive = {memory, NULL, 0};
    Owner owner = owner_of(&sim->def);
    State state = state_of(sim);
    visit(&archive, (BillowSim *)sim, &owner, &state);
    visit_fields(&archive, (BillowSim *)sim); /* which only reads the fields */
}

static bool check_owner(const Owner *a, const Owner *b, BillowError *error)
{
    if (memcmp(a->n, b->n, sizeof a->n) != 0)
        return fail(error,
                    "the state is one of %u x %u x %u cells, and this simulation has %u x %u x %u",
                    a->n[0], a->n[1], a->n[2], b->n[0], b->n[1], b->n[2]);
    if (a->cell_size != b->cell_size || memcmp(a->origin, b->origin, sizeof a->origin) != 0)
        return fail(error,
                    "the state is one of a box of another size or place: cells of %g m, here %g m",
                    (double)a->cell_size, (double)b->cell_size);
    if (a->has_fire != b->has_fire)
        return fail(error, "the state is one %s fire", a->has_fire ? "with" : "without");
    if (a->has_color != b->has_color)
        return fail(error, "the state is one %s coloured smoke", a->has_color ? "with" : "without");
    if (a->tracers != b->tracers)
        return fail(error, "the state has %u tracers, and this simulation %u", a->tracers,
                    b->tracers);
    if (a->rest_period != b->rest_period)
        return fail(error, "the state's rest period is %g s, and this simulation's %g s",
                    (double)a->rest_period, (double)b->rest_period);
    if (a->solids != b->solids)
        return fail(error, "the state has %u solids, and this simulation %u", a->solids, b->solids);
    return a->sides == b->sides || fail(error, "the state is one of a box with other faces");
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t v = 0; v < count; v++)
        if (!isfinite(values[v]))
            return false;
    return true;
}

/* What would lead a step astray. */
static bool check_numbers(const State *state)
{
    bool good = state->clocks[0] >= 0 && state->clocks[1] >= 0 && state->projected_dt >= 0 &&
                state->density_share >= 0.0f && state->density_share <= 1.0f &&
                state->stats.pressure <= BILLOW_CONJUGATE_GRADIENTS &&
                state->queued_count <= BILLOW_EMITTERS_MAX &&
                state->pushed_count <= BILLOW_FORCES_MAX;
    for (int e = 0; e < 2 * BILLOW_EMITTERS_MAX; e++)
        good = good && state->tracers_owed[e] >= 0 && state->tracers_owed[e] <= 1;
    return good && all_finite(state->clocks, 2) && all_finite(state->rest_turns, 2) &&
           all_finite(state->expansion, 2) && all_finite(&state->projected_dt, 1) &&
           all_finite(state->kicked, BILLOW_SOLIDS_MAX) &&
           all_finite(state->solids_owed, SCALARS_MAX);
}

/* A float of all ones for its exponent is an infinity or no number. */
bool state_is_finite(const BillowSim *sim, const void *memory)
{
    size_t bytes = billow_state_bytes(sim);
    const unsigned char *at = memory, *end = at + bytes;
    Archive archive = {NULL, NULL, 0};
    FieldTask task = field_task((BillowSim *)sim, &archive); /* which only measures */
    bool good = true;
    for (at = end - task.archive.at; at < end; at += sizeof(float))
        good &= (at[3] & 0x7F) != 0x7F || (at[2] & 0x80) == 0;
    return good;
}

size_t state_bytes_most(const BillowDef *def)
{
    size_t nodes = ((size_t)def->nx + 1) * ((size_t)def->ny + 1) * ((size_t)def->nz + 1);
    size_t fields =
        3 + 2 + (def->fire ? 2 : 0) + (def->color ? 3 : 0) + (def->rest_period > 0.0f ? 6 : 0) + 1;
    return sizeof magic + sizeof(Owner) + sizeof(State) + 64 +
           sizeof(float) * (fields * nodes + 4 * (size_t)def->tracers);
}

/* Gives solids and queued emitters their volumes, and asks whether they are in range. */
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
    Owner theirs, ours = owner_of(&sim->def);
    uint32_t version;
    uint64_t length;
    size_t beginning = sizeof magic + sizeof version + sizeof length + sizeof theirs;
    if (bytes < beginning || memcmp(memory, magic, sizeof magic) != 0)
        return fail(error, "this is no state of a simulation");
    whole(&archive, &version, 1);
    if (version != STATE_VERSION)
        return fail(error, "the state is of version %u; this library reads version %u", version,
                    STATE_VERSION);
    long_whole(&archive, &length, 1);
    visit_owner(&archive, &theirs);
    if (!check_owner(&theirs, &ours, error))
        return false;
    if (length != billow_state_bytes(sim) || length != bytes)
        return fail(error, "the state is cut short or damaged: %zu bytes instead of %zu", bytes,
                    billow_state_bytes(sim));
    return true;
}

bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error)
{
    Archive archive = {NULL, memory, 0};
    Owner owner = owner_of(&sim->def);
    State state;
    memset(&state, 0, sizeof state);
    if (!check_beginning(sim, memory, bytes, error))
        return false;
    visit(&archive, sim, &owner, &state);
    if (!check_numbers(&state))
        return fail(error, "the state is damaged: it holds a number that no simulation has");
    if (!check_bodies(sim, &state, error))
        return false;
    if (!state_is_finite(sim, memory))
        return fail(error, "the state is damaged: its fields hold infinities or no numbers");
    sim->error.text[0] = '\0';
    take_over(sim, &state);
    visit_fields(&archive, sim);
    return true;
}
