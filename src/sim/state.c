/* SPDX-License-Identifier: MIT
 *
 * The state of a simulation as bytes: all that the next steps depend on, beside the parameters,
 * emitters and forces of the definition.
 *
 *     "BILLOWST" | version | total bytes | StateOwner | State |
 *     tracers | u v w | scalars | flame | pressure
 *
 * Numbers are little-endian; bools and enumerations take 32 bits. Fields are saved without padding,
 * x innermost. A velocity component has one element more than there are cells along every axis. The
 * pressure is saved in the order of the cells, not packed. Ghosts and the displacement are not
 * saved; they are computed from the rest.
 *
 * One walk over the values measures, writes and reads them, so that the three agree. */
#include "sim/state.h"
#include "sim/def.h"
#include "sim/fields/field_table.h"
#include "sim/growth.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/parameter.h"
#include "base/words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define STATE_VERSION 8u

static const unsigned char magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'S', 'T'};

/* -- numbers as bytes -------------------------------------------------------------------------- */

typedef struct Archive {
    unsigned char *out;      /* destination; NULL unless writing */
    const unsigned char *in; /* source; NULL unless reading; both are NULL while measuring */
    size_t at;               /* bytes so far */
} Archive;

/* Copies `count` words of `size` bytes between this machine's byte order and little-endian. */
static void archive_copy(void *to, const void *from, size_t size, size_t count)
{
    const uint16_t one = 1;
    if (*(const unsigned char *)&one == 1) { /* this machine is little-endian */
        memcpy(to, from, size * count);
        return;
    }
    for (size_t word = 0; word < count; word++)
        for (size_t byte = 0; byte < size; byte++)
            ((unsigned char *)to)[word * size + byte] =
                ((const unsigned char *)from)[word * size + size - 1 - byte];
}

/* Writes the words to the archive, or replaces them with words read from it. */
static void archive_words(Archive *archive, void *values, size_t size, size_t count)
{
    if (archive->out != NULL)
        archive_copy(archive->out + archive->at, values, size, count);
    else if (archive->in != NULL)
        archive_copy(values, archive->in + archive->at, size, count);
    archive->at += size * count;
}

/* Words of 32 bits are floats, enumerations, int and uint32_t; those of 64 bits are doubles and
 * uint64_t. */
static_assert(sizeof(int) == 4 && sizeof(BillowShape) == 4, "int and enumerations have 32 bits");

static void archive_flag(Archive *archive, bool *value)
{
    uint32_t word = *value;
    archive_words(archive, &word, 4, 1);
    *value = word != 0;
}

/* A member of a structure. The order of a table of members is that of the saved bytes. */
typedef struct Member {
    size_t offset, size; /* bytes; `size` is that of one word, 1 for a bool */
    size_t count;        /* words */
} Member;

#define MEMBER(type, member, size, count)                                                          \
    {                                                                                              \
        offsetof(type, member), size, count                                                        \
    }

static void archive_members(Archive *archive, void *structure, const Member *members, size_t count)
{
    for (size_t m = 0; m < count; m++) {
        void *value = (char *)structure + members[m].offset;
        if (members[m].size == 1)
            archive_flag(archive, value);
        else
            archive_words(archive, value, members[m].size, members[m].count);
    }
}

/* Visits the members that a table of parameters describes. */
static void archive_table(Archive *archive, void *structure, BillowTable table)
{
    int count;
    const BillowParameter *rows = billow_parameters(table, &count);
    for (int r = 0; r < count; r++) {
        void *value = (char *)structure + rows[r].offset;
        size_t parts = (size_t)parameter_parts(rows[r].type);
        if (rows[r].type == BILLOW_TYPE_BOOL)
            archive_flag(archive, value);
        else
            archive_words(archive, value, parameter_bytes(rows[r].type) / parts, parts);
    }
}

#define ARCHIVE_MEMBERS(archive, structure, members)                                               \
    archive_members(archive, structure, members, sizeof(members) / sizeof(members)[0])

/* -- the simulation that a state fits ---------------------------------------------------------- */

/* Values that must be equal in the simulation that saved a state and in the one that loads it. */
typedef struct StateOwner {
    uint32_t n[3], refine;
    uint32_t layout;  /* hash of what the tables list: values of bodies, and scalars */
    uint32_t scalars; /* scalars_present */
    uint32_t tracers, solids;
    float cell_size, origin[3], texture_period;
    uint64_t sides; /* hash of the faces' kinds and boundary conditions */
} StateOwner;

/* Flag in StateOwner.tracers: the tracers are sparks, whose velocity and life are saved. */
#define HAS_SPARKS 0x80000000u

static uint64_t mix_words(uint64_t hash, const void *values, size_t size, size_t count)
{
    unsigned char bytes[sizeof(BillowBoundary)];
    archive_copy(bytes, values, size, count);
    return hash_bytes(hash, bytes, size * count);
}

static uint64_t sides_of(const BillowDef *def)
{
    uint64_t hash = HASH_START;
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

/* Libraries whose tables differ do not read each other's states. */
static uint32_t layout_of_tables(void)
{
    const BillowTable tables[] = {BILLOW_TABLE_SOLID, BILLOW_TABLE_EMITTER, BILLOW_TABLE_FORCE};
    uint64_t hash = scalars_hash_names(HASH_START);
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        int count;
        const BillowParameter *rows = billow_parameters(tables[t], &count);
        for (int r = 0; r < count; r++)
            hash = hash_bytes(hash, rows[r].name, strlen(rows[r].name));
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static StateOwner state_owner_of(const BillowDef *def)
{
    StateOwner owner = {.n = {(uint32_t)def->nx, (uint32_t)def->ny, (uint32_t)def->nz},
                        .refine = (uint32_t)def->refine,
                        .layout = layout_of_tables(),
                        .scalars = scalars_present(def),
                        .tracers = (uint32_t)def->tracers |
                                   (def->tracers > 0 && def->tracer_lag > 0.0f ? HAS_SPARKS : 0),
                        .solids = (uint32_t)def->solid_count,
                        .cell_size = def->cell_size,
                        .texture_period = def->texture_period,
                        .sides = sides_of(def)};
    memcpy(owner.origin, def->origin, sizeof owner.origin);
    return owner;
}

static void state_owner_visit(Archive *archive, StateOwner *owner)
{
    archive_words(archive, owner, 4, offsetof(StateOwner, texture_period) / 4 + 1);
    archive_words(archive, &owner->sides, 8, 1);
}

static bool state_owner_check(const StateOwner *theirs, const StateOwner *ours, BillowError *error)
{
    if (theirs->layout != ours->layout)
        return fail(error,
                    "the state is of another version of the library, whose emitters, solids, "
                    "forces or scalars have other values");
    if (memcmp(theirs->n, ours->n, sizeof theirs->n) != 0)
        return fail(error, "the state has %u x %u x %u cells, and this simulation %u x %u x %u",
                    theirs->n[0], theirs->n[1], theirs->n[2], ours->n[0], ours->n[1], ours->n[2]);
    if (theirs->refine != ours->refine)
        return fail(error, "the state has refine %u, and this simulation %u", theirs->refine,
                    ours->refine);
    if (theirs->cell_size != ours->cell_size ||
        memcmp(theirs->origin, ours->origin, sizeof theirs->origin) != 0)
        return fail(error,
                    "the state's box has another size or place: its cells are %g m, here %g m",
                    (double)theirs->cell_size, (double)ours->cell_size);
    uint32_t differ = theirs->scalars ^ ours->scalars;
    if (theirs->texture_period != ours->texture_period)
        return fail(error, "the state's texture_period is %g s, and this simulation's %g s",
                    (double)theirs->texture_period, (double)ours->texture_period);
    if (differ != 0)
        return fail(error, "the state was saved %s %s",
                    (theirs->scalars & differ & -differ) != 0 ? "with" : "without",
                    scalars_need(differ));
    if (((theirs->tracers ^ ours->tracers) & ~HAS_SPARKS) != 0)
        return fail(error, "the state has %u tracers, and this simulation %u",
                    theirs->tracers & ~HAS_SPARKS, ours->tracers & ~HAS_SPARKS);
    if (theirs->tracers != ours->tracers)
        return fail(error, "the state was saved %s tracer_lag",
                    (theirs->tracers & HAS_SPARKS) != 0 ? "with" : "without");
    if (theirs->solids != ours->solids)
        return fail(error, "the state has %u solids, and this simulation %u", theirs->solids,
                    ours->solids);
    return theirs->sides == ours->sides || fail(error, "the state's box has other faces");
}

bool state_kinds_check(const BillowDef *theirs, const BillowDef *ours, BillowError *error)
{
    const struct {
        const char *name;
        bool same;
    } kinds[] = {
        {"tracers", theirs->tracers == ours->tracers},
        {"texture_period", theirs->texture_period == ours->texture_period},
        {"solid_count", theirs->solid_count == ours->solid_count},
        {"faces and boundaries", sides_of(theirs) == sides_of(ours)},
    };
    uint32_t differ = scalars_present(theirs) ^ scalars_present(ours);
    if (differ != 0)
        return fail(error, "the two simulations must have the same %s", scalars_need(differ));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (!kinds[k].same)
            return fail(error, "the two simulations must have the same %s", kinds[k].name);
    return true;
}

/* -- the values beside fields and tracers ------------------------------------------------------ */

typedef struct State {
    BillowSim sim; /* a copy; its pointers point into the simulation's own memory */
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    double kicked[BILLOW_SOLIDS_MAX], owed[SCALARS_MAX]; /* as in Solids; 0 without solids */
    BodyMotion motions[BILLOW_SOLIDS_MAX];
    uint32_t queued_volumes[BILLOW_EMITTERS_MAX]; /* index of each queued emitter's volume, as for
                                                     volume_at */
} State;

#define STAT(member, size, count) MEMBER(BillowStats, member, size, count)
#define SIM(member, size, count)  MEMBER(BillowSim, member, size, count)

static const Member sim_members[] = {
    SIM(time, 8, 1),          SIM(remainder, 8, 1),         SIM(flame_sum, 8, 1),
    SIM(texture_turns, 8, 2), SIM(expansion_time, 8, 1),    SIM(expansion_dt, 8, 1),
    SIM(projected_dt, 8, 1),  SIM(divergence_before, 8, 1), SIM(density_share, 4, 1),
    SIM(touched, 1, 1),
};

/* Without the totals of scalars, which their table lists. */
static const Member stats_members[] = {
    STAT(time, 8, 1),
    STAT(mass_sources, 8, 1),
    STAT(mass_outflow, 8, 1),
    STAT(mass_dissipated, 8, 1),
    STAT(mass_cut, 8, 1),
    STAT(mass_drift, 8, 1),
    STAT(expansion, 8, 1),
    STAT(outflow, 8, 1),
    STAT(kinetic_energy, 8, 1),
    STAT(momentum, 8, 3),
    STAT(momentum_restored, 8, 3),
    STAT(speed_max, 8, 1),
    STAT(density_max, 8, 1),
    STAT(temperature_max, 8, 1),
    STAT(divergence_max, 8, 1),
    STAT(residual_relative, 8, 1),
    STAT(cfl, 8, 1),
    STAT(steps, 8, 1),
    STAT(substeps, 8, 1),
    STAT(nonfinite, 8, 1),
    STAT(pressure, 4, 1),
    STAT(cycles, 4, 1),
    STAT(last_substeps, 4, 1),
};

/* Visits the whole queues of emitters and forces, used or not. All states of a definition therefore
 * have the same size. */
static void visit_state(Archive *archive, State *state)
{
    BillowSim *sim = &state->sim;
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    ARCHIVE_MEMBERS(archive, sim, sim_members);
    ARCHIVE_MEMBERS(archive, &sim->stats, stats_members);
    for (int s = 0; s < count; s++)
        if (list[s].total != NULL)
            archive_words(archive, list[s].total, 8, 1);
    for (int s = 0; s < sim->def.solid_count; s++) {
        archive_table(archive, &state->solids[s], BILLOW_TABLE_SOLID);
        archive_words(archive, &state->kicked[s], 8, 1);
        archive_words(archive, &state->motions[s], 8, BODY_MOTION_NUMBERS);
    }
    archive_words(archive, state->owed, 8, (size_t)count);
    archive_words(archive, &sim->tracers.born, 8, 1);
    archive_words(archive, sim->tracers.owed, 8, 2 * BILLOW_EMITTERS_MAX);
    archive_words(archive, &sim->queued_count, 4, 1);
    for (int q = 0; q < BILLOW_EMITTERS_MAX; q++) {
        archive_table(archive, &sim->queued[q].emitter, BILLOW_TABLE_EMITTER);
        archive_words(archive, &state->queued_volumes[q], 4, 1);
    }
    archive_words(archive, &sim->pushed_count, 4, 1);
    for (int f = 0; f < BILLOW_FORCES_MAX; f++)
        archive_table(archive, &sim->pushed[f], BILLOW_TABLE_FORCE);
}

/* The volume with this index. Emitters' volumes come first, then solids'. NULL if the emitter or
 * solid has no volume. */
static const BillowVolume *volume_at(const BillowDef *def, uint32_t index)
{
    if (index < BILLOW_EMITTERS_MAX)
        return (int)index < def->emitter_count ? def->emitters[index].volume : NULL;
    index -= BILLOW_EMITTERS_MAX;
    return (int)index < def->solid_count ? def->solids[index].volume : NULL;
}

enum { VOLUMES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };

/* Copies the queued emitters, except those with a volume that the definition lacks. */
static void collect_queued(const BillowSim *sim, State *state)
{
    int count = 0;
    for (int q = 0; q < sim->queued_count; q++) {
        const BillowEmitter *emitter = &sim->queued[q].emitter;
        uint32_t volume = 0;
        if (emitter->shape == BILLOW_VOLUME)
            while (volume < VOLUMES && volume_at(&sim->def, volume) != emitter->volume)
                volume++;
        if (volume == VOLUMES)
            continue;
        state->queued_volumes[count] = volume;
        state->sim.queued[count++].emitter = *emitter;
    }
    state->sim.queued_count = count;
    for (int q = count; q < BILLOW_EMITTERS_MAX; q++)
        memset(&state->sim.queued[q].emitter, 0, sizeof(BillowEmitter));
}

/* Copies the state of a simulation. Unused entries are set to 0, so that equal states have equal
 * bytes. */
static State state_of(const BillowSim *sim)
{
    State state = {.sim = *sim};
    memcpy(state.solids, sim->def.solids, sizeof state.solids);
    if (sim->solids != NULL) {
        memcpy(state.kicked, sim->solids->kicked, sizeof state.kicked);
        memcpy(state.motions, sim->solids->motions, sizeof state.motions);
        memcpy(state.owed, sim->solids->owed, sizeof state.owed);
    }
    collect_queued(sim, &state);
    size_t pushed = (size_t)sim->pushed_count;
    memset(state.sim.pushed + pushed, 0, (BILLOW_FORCES_MAX - pushed) * sizeof(BillowForce));
    return state;
}

static void take_over(BillowSim *sim, const State *state)
{
    *sim = state->sim;
    sim->error.text[0] = '\0';
    memset(&sim->profile, 0, sizeof sim->profile);
    displacement_drop(sim);
    if (sim->solids != NULL)
        solids_restore(sim, state->solids, state->kicked, state->motions, state->owed);
    for (int q = 0; q < sim->queued_count; q++) {
        sim->queued[q] =
            emitter_place(&state->sim.queued[q].emitter, &sim->grid, &sim->def, sim->def.cell_size);
        smoke_place_emitter(sim, &state->sim.queued[q].emitter, &sim->smoke.queued[q]);
    }
}

/* -- fields ------------------------------------------------------------------------------------ */

enum { BLOCKS_MAX = SCALARS_MAX + 5 };

/* A field. Of a packed field, `field` starts with its memory. */
typedef struct Block {
    float *field;
    const Grid *grid;
    int n[3];
    bool packed;
    size_t at; /* offset in bytes */
} Block;

typedef struct FieldTask {
    BillowSim *sim;
    Archive archive;
    const Span *held; /* cells of smoke that the memory to write to may hold; NULL: any */
    Block blocks[BLOCKS_MAX];
    int count;
} FieldTask;

static void add_block(FieldTask *task, float *field, const Grid *grid, int more, bool packed)
{
    Block block = {.field = field,
                   .grid = grid,
                   .n = {grid->nx + more, grid->ny + more, grid->nz + more},
                   .packed = packed,
                   .at = task->archive.at};
    task->archive.at +=
        (size_t)block.n[0] * (size_t)block.n[1] * (size_t)block.n[2] * sizeof(float);
    task->blocks[task->count++] = block;
}

/* Lists all fields, with their byte offsets, which start at the archive's present position. */
static FieldTask field_task(BillowSim *sim, const Archive *archive)
{
    FieldTask task = {.sim = sim, .archive = *archive};
    StateField list[SIM_FIELDS_MAX];
    int count = sim_state_fields(sim, list);
    for (int f = 0; f < count; f++)
        add_block(&task, list[f].values, list[f].grid, list[f].axis >= 0, false);
    add_block(&task, sim->pressure, &sim->grid, 0, true);
    return task;
}

static void clear_words(unsigned char *row, int begin, int end)
{
    if (begin < end)
        memset(row + (size_t)begin * sizeof(float), 0, (size_t)(end - begin) * sizeof(float));
}

/* Writes row (j, k) of a field of smoke, which is 0 beside the cells that take part. */
static void write_smoke_row(const FieldTask *task, const float *row, int j, int k, size_t at)
{
    const Smoke *smoke = &task->sim->smoke;
    const ptrdiff_t place = j / SMOKE_ROWS + (ptrdiff_t)k * smoke->blocks;
    const Span all = {0, (short)smoke->grid.nx};
    const Span held = task->held != NULL ? task->held[place] : all, span = smoke->spans[place];
    unsigned char *out = task->archive.out + at;
    if (span.begin >= span.end) {
        clear_words(out, held.begin, held.end);
        return;
    }
    clear_words(out, held.begin, held.end < span.begin ? held.end : span.begin);
    archive_copy(out + (size_t)span.begin * sizeof(float), row + span.begin, sizeof(float),
                 (size_t)(span.end - span.begin));
    clear_words(out, held.begin > span.end ? held.begin : span.end, held.end);
}

/* Writes or reads a row. */
static void copy_row(const FieldTask *task, const Block *block, int j, int k)
{
    const Grid *grid = block->grid;
    const Level *level = &task->sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX + 1], *field = block->field + grid_row(grid, j, k);
    size_t n = (size_t)block->n[0];
    size_t at = block->at + ((size_t)k * (size_t)block->n[1] + (size_t)j) * n * sizeof(float);
    Packed packed = block->packed ? grid_packed(grid, block->field) : (Packed){{NULL, NULL}};
    if (task->archive.out != NULL && grid == &task->sim->smoke.grid) {
        write_smoke_row(task, field, j, k, at);
    } else if (task->archive.out != NULL) {
        if (block->packed)
            level_unpack_row(level, packed, j, k, row);
        archive_copy(task->archive.out + at, block->packed ? row : field, sizeof(float), n);
    } else if (block->packed || !bytes_are_zero(task->archive.in + at, n * sizeof(float)) ||
               grid == &task->sim->grid) { /* smoke is 0 before, and takes memory where it is not */
        archive_copy(block->packed ? row : field, task->archive.in + at, sizeof(float), n);
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

/* Measures, writes or reads the tracers and fields. All threads share the rows of the fields.
 * Changes *sim only when reading. held: as in FieldTask. */
static void state_fields_visit(Archive *archive, BillowSim *sim, const Span *held)
{
    float **arrays[TRACER_ARRAYS];
    int count = sim_tracer_arrays(&sim->def, &sim->tracers, arrays);
    for (int a = 0; a < count; a++)
        archive_words(archive, *arrays[a], 4, (size_t)sim->def.tracers);
    FieldTask task = field_task(sim, archive);
    task.held = held;
    archive->at = task.archive.at;
    if (archive->in != NULL) {
        sim->multigrid.levels[0].x = grid_packed(&sim->grid, sim->pressure);
        smoke_clear(sim);
    }
    if (archive->in != NULL || archive->out != NULL)
        sim_run(sim, fields_task, &task);
    if (archive->in != NULL)
        smoke_fill(sim);
}

/* Lists the parts of a field's planes. Returns their number. */
static int list_parts(const BillowSim *sim, const Block *block, size_t begin,
                      BillowStatePart *parts)
{
    size_t plane = (size_t)block->n[0] * (size_t)block->n[1] * sizeof(float);
    for (int r = 0; r < sim->ranks->calls.ranks && parts != NULL; r++) {
        size_t end = (size_t)ranks_slab(sim->ranks, r, block->n[2]).end;
        parts[r] = (BillowStatePart){begin + block->at + end * plane, r};
    }
    return sim->ranks->calls.ranks;
}

int billow_state_parts(const BillowSim *sim, BillowStatePart *parts)
{
    assert(sim != NULL);
    size_t bytes = billow_state_bytes(sim);
    Archive archive = {NULL, NULL, 0};
    FieldTask task = field_task((BillowSim *)sim, &archive); /* measures only */
    size_t begin = sim->ranks != NULL ? bytes - task.archive.at : bytes;
    int count = 1;
    if (parts != NULL)
        parts[0] = (BillowStatePart){begin, -1};
    for (int b = 0; b < task.count && sim->ranks != NULL; b++)
        count += list_parts(sim, &task.blocks[b], begin, parts != NULL ? parts + count : NULL);
    return count;
}

bool state_fields_finite(const BillowSim *sim, const void *memory, size_t bytes)
{
    Archive archive = {NULL, NULL, 0};
    FieldTask task = field_task((BillowSim *)sim, &archive); /* measures only */
    const unsigned char *fields = (const unsigned char *)memory + bytes - task.archive.at;
    bool good = true;
    for (int b = 0; b < task.count; b++) {
        const Block *block = &task.blocks[b];
        size_t plane = (size_t)block->n[0] * (size_t)block->n[1] * sizeof(float);
        Slab own = ranks_own(sim->ranks, block->n[2]);
        const unsigned char *at = fields + block->at + (size_t)own.begin * plane;
        const unsigned char *end = fields + block->at + (size_t)own.end * plane;
        for (; at < end; at += sizeof(float)) /* not if all bits of the exponent are 1 */
            good &= (at[3] & 0x7F) != 0x7F || (at[2] & 0x80) == 0;
    }
    return exchange_max(sim_alone(sim), !good) == 0;
}

/* -- copying between grids --------------------------------------------------------------------- */

/* Gives queued emitters their volumes, and checks the ranges of solids, emitters and forces. */
static bool check_bodies(State *state, BillowError *error)
{
    BillowSim *sim = &state->sim;
    for (int s = 0; s < sim->def.solid_count; s++)
        if (!solid_check(&state->solids[s], s, error))
            return false;
    for (int q = 0; q < sim->queued_count; q++) {
        BillowEmitter *emitter = &sim->queued[q].emitter;
        emitter->volume =
            emitter->shape == BILLOW_VOLUME ? volume_at(&sim->def, state->queued_volumes[q]) : NULL;
        if (!emitter_check(emitter, q, error))
            return false;
    }
    for (int f = 0; f < sim->pushed_count; f++)
        if (!force_check(&sim->pushed[f], f, error))
            return false;
    return true;
}

void state_copy_values(BillowSim *sim, const BillowSim *from)
{
    const BillowDef before = sim->def;
    sim->def.params = from->def.params;
    memcpy(sim->def.emitters, from->def.emitters, sizeof sim->def.emitters);
    sim->def.emitter_count = from->def.emitter_count;
    memcpy(sim->def.forces, from->def.forces, sizeof sim->def.forces);
    sim->def.force_count = from->def.force_count;
    memcpy(sim->first_solids, from->first_solids, sizeof sim->first_solids);
    sim_place_emitters(sim, &before);
    unsigned char bytes[sizeof(State)]; /* the archive leaves out pointers and copies */
    State theirs = state_of(from), ours = state_of(sim);
    Archive writing = {bytes, NULL, 0}, reading = {NULL, bytes, 0};
    visit_state(&writing, &theirs);
    assert(writing.at <= sizeof bytes);
    visit_state(&reading, &ours);
    for (int s = 0; s < sim->def.solid_count; s++)
        ours.solids[s].volume = from->def.solids[s].volume;
    bool good = check_bodies(&ours, NULL);
    assert(good); /* `from` has run with these values */
    (void)good;
    take_over(sim, &ours);
    float **new[TRACER_ARRAYS], **old[TRACER_ARRAYS];
    int count = sim_tracer_arrays(&sim->def, &sim->tracers, new);
    int theirs_count = sim_tracer_arrays(&from->def, (Tracers *)&from->tracers, old);
    for (int a = 0; a < count && a < theirs_count; a++) /* only one may have sparks */
        memcpy(*new[a], *old[a], (size_t)sim->def.tracers * sizeof(float));
    if (sim->solids != NULL)
        sim->solids->version = from->solids->version + 1; /* of no view that was seen before */
}

/* -- saving and loading ------------------------------------------------------------------------ */

/* Visits everything before the tracers and fields. */
static void visit(Archive *archive, uint64_t bytes, StateOwner *owner, State *state)
{
    unsigned char begin[sizeof magic];
    uint32_t version = STATE_VERSION;
    memcpy(begin, magic, sizeof magic);
    archive_words(archive, begin, 1, sizeof begin);
    archive_words(archive, &version, 4, 1);
    archive_words(archive, &bytes, 8, 1);
    state_owner_visit(archive, owner);
    visit_state(archive, state);
}

size_t billow_state_bytes(const BillowSim *sim)
{
    assert(sim != NULL);
    Archive archive = {NULL, NULL, 0};
    StateOwner owner = state_owner_of(&sim->def);
    State state = state_of(sim);
    visit(&archive, 0, &owner, &state);
    state_fields_visit(&archive, (BillowSim *)sim, NULL); /* measures only */
    return archive.at;
}

static void save(const BillowSim *sim, void *memory, const Span *held)
{
    assert(sim != NULL && memory != NULL);
    Archive archive = {memory, NULL, 0};
    StateOwner owner = state_owner_of(&sim->def);
    State state = state_of(sim);
    visit(&archive, billow_state_bytes(sim), &owner, &state);
    state_fields_visit(&archive, (BillowSim *)sim, held); /* only reads the fields */
}

void billow_save_state(const BillowSim *sim, void *memory)
{
    FLOAT_MODE_OWN;
    save(sim, memory, NULL);
}

void billow_save_state_over(const BillowSim *sim, void *memory, BillowSpan *spans)
{
    FLOAT_MODE_OWN;
    save(sim, memory, spans);
    memcpy(spans, sim->smoke.spans,
           (size_t)sim->smoke.blocks * (size_t)sim->smoke.grid.nz * sizeof *spans);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t v = 0; v < count; v++)
        if (!isfinite(values[v]))
            return false;
    return true;
}

/* Whether the numbers of a loaded state allow a step. */
static bool check_numbers(const State *state)
{
    const BillowSim *sim = &state->sim;
    bool good = sim->time >= 0 && sim->remainder >= 0 && sim->projected_dt >= 0 &&
                sim->density_share >= 0.0f && sim->density_share <= 1.0f &&
                sim->stats.pressure >= 0 && sim->stats.pressure <= BILLOW_CONJUGATE_GRADIENTS &&
                sim->queued_count >= 0 && sim->queued_count <= BILLOW_EMITTERS_MAX &&
                sim->pushed_count >= 0 && sim->pushed_count <= BILLOW_FORCES_MAX;
    for (int s = 0; s < BILLOW_SOLIDS_MAX; s++)
        for (int part = 0; part < 2; part++)
            good = good && state->motions[s].heavier[part] >= 0;
    for (int e = 0; e < 2 * BILLOW_EMITTERS_MAX; e++)
        good = good && sim->tracers.owed[e] >= 0 && sim->tracers.owed[e] <= 1;
    for (size_t m = 0; m < sizeof sim_members / sizeof sim_members[0]; m++)
        good = good && (sim_members[m].size != 8 ||
                        all_finite((const void *)((const char *)sim + sim_members[m].offset),
                                   sim_members[m].count));
    return good && all_finite(state->kicked, BILLOW_SOLIDS_MAX) &&
           all_finite(state->motions[0].pull, BILLOW_SOLIDS_MAX * BODY_MOTION_NUMBERS) &&
           all_finite(state->owed, SCALARS_MAX);
}

size_t state_bytes_most(const BillowDef *def)
{
    const size_t refine = (size_t)def->refine, textures = def->texture_period > 0.0f ? 6 : 0;
    size_t nodes = ((size_t)def->nx + 1) * ((size_t)def->ny + 1) * ((size_t)def->nz + 1);
    size_t smoke = (size_t)def->nx * (size_t)def->ny * (size_t)def->nz * refine * refine * refine;
    size_t scalars = (size_t)scalars_count(def) - textures + (def->fire ? 1 : 0);
    return sizeof magic + sizeof(StateOwner) + sizeof(State) + 64 +
           sizeof(float) * ((4 + textures) * nodes + scalars * smoke + 8 * (size_t)def->tracers);
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
    archive_words(&archive, &version, 4, 1);
    if (version != STATE_VERSION)
        return fail(error, "the state has version %u; this library reads version %u", version,
                    STATE_VERSION);
    archive_words(&archive, &length, 8, 1);
    state_owner_visit(&archive, &theirs);
    if (!state_owner_check(&theirs, &ours, error))
        return false;
    if (length != billow_state_bytes(sim) || length != bytes)
        return fail(error, "the state is cut short or damaged: %zu bytes instead of %zu", bytes,
                    billow_state_bytes(sim));
    return true;
}

/* Whether a state is that of another box of an unbounded simulation, and how far its sides have
 * moved. The bytes must be enough for the fields of that box. */
static bool finds_other_box(const BillowSim *sim, const unsigned char *memory, size_t bytes,
                            int moved[BILLOW_SIDES])
{
    size_t start = sizeof magic + sizeof(uint32_t) + sizeof(uint64_t);
    Archive archive = {NULL, memory, start};
    StateOwner owner;
    if (!growth_on(&sim->def) || bytes < start + sizeof owner)
        return false;
    state_owner_visit(&archive, &owner);
    Box box = {{(int)owner.n[0], (int)owner.n[1], (int)owner.n[2]}, {0}};
    memcpy(box.origin, owner.origin, sizeof box.origin);
    const int present[3] = {sim->def.nx, sim->def.ny, sim->def.nz};
    bool same = memcmp(box.n, present, sizeof present) == 0 &&
                memcmp(box.origin, sim->def.origin, sizeof box.origin) == 0;
    return !same && owner.cell_size == sim->def.cell_size && growth_reaches(sim, &box, moved) &&
           (double)box.n[0] * box.n[1] * box.n[2] * sizeof(float) < (double)bytes;
}

/* Loads a state into a simulation of the box that it had, which *sim then becomes. */
static bool load_other_box(BillowSim *sim, const int moved[BILLOW_SIDES], const void *memory,
                           size_t bytes, BillowError *error)
{
    BillowSim *other = growth_create(sim, moved, error);
    if (other == NULL)
        return false;
    memcpy(other->first_solids, sim->first_solids, sizeof sim->first_solids);
    if (sim->solids != NULL)
        other->solids->version = sim->solids->version; /* loading changes it */
    if (!billow_load_state(other, memory, bytes, error)) {
        billow_destroy(other);
        return false;
    }
    sim_become(sim, other);
    return true;
}

bool billow_load_state(BillowSim *sim, const void *memory, size_t bytes, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    int moved[BILLOW_SIDES];
    if (memory == NULL)
        bytes = 0;
    if (finds_other_box(sim, memory, bytes, moved))
        return load_other_box(sim, moved, memory, bytes, error);
    Archive archive = {NULL, memory, 0};
    StateOwner owner = state_owner_of(&sim->def);
    State state = state_of(sim);
    if (!check_beginning(sim, memory, bytes, error))
        return false;
    visit(&archive, bytes, &owner, &state);
    if (!check_numbers(&state))
        return fail(error, "the state is damaged: it holds a number out of range");
    if (!check_bodies(&state, error))
        return false;
    if (!state_fields_finite(sim, memory, bytes))
        return fail(error, "the state is damaged: its fields hold infinities or NaN");
    take_over(sim, &state);
    state_fields_visit(&archive, sim, NULL);
    return true;
}
