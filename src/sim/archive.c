/* SPDX-License-Identifier: MIT */
#include "archive.h"
#include "scalars.h"

#include <string.h>

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void archive_copy(void *to, const void *from, size_t size, size_t count)
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

void archive_words(Archive *archive, void *values, size_t size, size_t count)
{
    if (archive->out != NULL)
        archive_copy(archive->out + archive->at, values, size, count);
    else if (archive->in != NULL)
        archive_copy(values, archive->in + archive->at, size, count);
    archive->at += size * count;
}

void archive_whole(Archive *archive, uint32_t *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_long_whole(Archive *archive, uint64_t *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_real(Archive *archive, float *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_long_real(Archive *archive, double *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_flag(Archive *archive, bool *value)
{
    uint32_t word = *value;
    archive_whole(archive, &word, 1);
    *value = word != 0;
}

/* -- fields ------------------------------------------------------------------------------------ */

enum { BLOCKS_MAX = SCALARS_MAX + 5 };

typedef struct Block {
    float *field;
    int n[3];
    bool packed;
    size_t at; /* offset in bytes */
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

/* All fields, from the archive's present position on. */
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
        archive_copy(task->archive.out + at, row, sizeof(float), n);
    } else {
        archive_copy(row, task->archive.in + at, sizeof(float), n);
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

void state_fields_visit(Archive *archive, BillowSim *sim)
{
    for (int axis = 0; axis < 3 && sim->def.tracers > 0; axis++)
        archive_real(archive, sim->tracers.place[axis], (size_t)sim->def.tracers);
    if (sim->def.tracers > 0)
        archive_real(archive, sim->tracers.age, (size_t)sim->def.tracers);
    FieldTask task = field_task(sim, archive);
    archive->at = task.archive.at;
    if (archive->in != NULL)
        sim->multigrid.levels[0].x = grid_packed(&sim->grid, sim->pressure);
    if (archive->in != NULL || archive->out != NULL)
        team_run(sim->threads, fields_task, &task);
}

/* An exponent of all ones makes a float infinite or NaN. */
bool state_fields_finite(const BillowSim *sim, const void *memory, size_t bytes)
{
    const unsigned char *end = (const unsigned char *)memory + bytes;
    Archive archive = {NULL, NULL, 0};
    FieldTask task = field_task((BillowSim *)sim, &archive); /* only measures */
    bool good = true;
    for (const unsigned char *at = end - task.archive.at; at < end; at += sizeof(float))
        good &= (at[3] & 0x7F) != 0x7F || (at[2] & 0x80) == 0;
    return good;
}
