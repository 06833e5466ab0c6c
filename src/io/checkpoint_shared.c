/* SPDX-License-Identifier: MIT
 *
 * States in checkpoints that ranks write and read together, by MPI-IO. The file is the one that a
 * single process writes.
 *
 * A state lists the planes of one field after those of another, so that a rank's part of it is a
 * run of bytes per field. A block belongs to the rank of its first byte. A rank that has other
 * bytes of it sends them there. Each rank packs its blocks; from the lengths of all, every rank
 * knows the places in the file. */
#define _POSIX_C_SOURCE 200809L /* fseeko */
#include "io/checkpoint_block.h"

#include "base/fail.h"
#include "base/words.h"
#include "mpi/cluster.h"

#include <billow/exchange.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes that a rank writes or reads at once. */
enum { STAGE = 16 * CHECKPOINT_BLOCK };

/* How the ranks share the blocks of a state. */
typedef struct Shared {
    const char *path; /* for messages */
    int rank, ranks;
    unsigned char *state;
    size_t bytes, blocks;
    BillowStatePart *parts;
    int part_count;
    uint64_t *places;     /* offset of each block in the file, and that of the end */
    uint32_t *lengths;    /* of the blocks in the file, each with its head */
    unsigned char *stage; /* STAGE bytes */
} Shared;

static void shared_free(Shared *shared)
{
    free(shared->parts);
    free(shared->places);
    free(shared->lengths);
    free(shared->stage);
}

static bool shared_create(Shared *shared, const char *path, const BillowSim *sim, void *state,
                          size_t bytes)
{
    const BillowExchange *exchange = cluster_exchange();
    *shared = (Shared){.path = path,
                       .rank = exchange->rank,
                       .ranks = exchange->ranks,
                       .state = state,
                       .bytes = bytes,
                       .blocks = (bytes + CHECKPOINT_BLOCK - 1) / CHECKPOINT_BLOCK};
    size_t parts = (size_t)billow_state_parts(sim, NULL);
    shared->parts = malloc(parts * sizeof *shared->parts);
    shared->places = malloc((shared->blocks + 1) * sizeof *shared->places);
    shared->lengths = malloc(shared->blocks * sizeof *shared->lengths);
    shared->stage = malloc(STAGE);
    if (shared->parts == NULL || shared->places == NULL || shared->lengths == NULL ||
        shared->stage == NULL)
        return false;
    shared->part_count = billow_state_parts(sim, shared->parts);
    return true;
}

static size_t block_bytes(const Shared *shared, size_t block)
{
    size_t left = shared->bytes - block * CHECKPOINT_BLOCK;
    return left < CHECKPOINT_BLOCK ? left : CHECKPOINT_BLOCK;
}

/* Index of the part with the byte at an offset. */
static int part_at(const Shared *shared, size_t offset)
{
    int low = 0, high = shared->part_count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (shared->parts[middle].end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The rank that writes a block. Ranks take turns at bytes that all have. */
static int owner_of(const Shared *shared, size_t block)
{
    int rank = shared->parts[part_at(shared, block * CHECKPOINT_BLOCK)].rank;
    return rank >= 0 ? rank : (int)(block % (size_t)shared->ranks);
}

static bool owns(const Shared *shared, size_t block)
{
    return owner_of(shared, block) == shared->rank;
}

/* Whether this rank needs a byte of a block in order to load the state. */
static bool needs(const Shared *shared, size_t block)
{
    size_t begin = block * CHECKPOINT_BLOCK, end = begin + block_bytes(shared, block);
    for (int p = part_at(shared, begin); p < shared->part_count; p++) {
        int rank = shared->parts[p].rank;
        if (rank < 0 || rank == shared->rank)
            return true;
        if (shared->parts[p].end >= end)
            break;
    }
    return false;
}

/* -- writing ----------------------------------------------------------------------------------- */

static bool memory_short(const Shared *shared, BillowError *error)
{
    return fail(error, "%.300s: not enough memory to write a checkpoint", shared->path);
}

/* Lists the messages by which this rank takes part in completing a block. Returns their number. */
static int list_messages(const Shared *shared, size_t block, BillowMessage *messages)
{
    size_t begin = block * CHECKPOINT_BLOCK, block_end = begin + block_bytes(shared, block);
    int owner = owner_of(shared, block), count = 0;
    for (int p = part_at(shared, begin); begin < block_end; p++) {
        const BillowStatePart *part = &shared->parts[p];
        size_t end = part->end < block_end ? part->end : block_end;
        bool moves = part->rank >= 0 && part->rank != owner && end > begin;
        if (moves && (part->rank == shared->rank || owner == shared->rank)) {
            bool send = part->rank == shared->rank;
            if (messages != NULL)
                messages[count] = (BillowMessage){.rank = send ? owner : part->rank,
                                                  .send = send,
                                                  .memory = shared->state + begin,
                                                  .bytes = end - begin};
            count++;
        }
        begin = end;
    }
    return count;
}

/* Gives every block's owner the bytes that other ranks have of it. */
static bool complete_blocks(const Shared *shared, BillowError *error)
{
    const BillowExchange *exchange = cluster_exchange();
    size_t count = 0;
    for (size_t block = 0; block < shared->blocks; block++)
        count += (size_t)list_messages(shared, block, NULL);
    BillowMessage *messages = malloc((count + 1) * sizeof *messages);
    if (!cluster_agree(messages != NULL || memory_short(shared, error), error)) {
        free(messages);
        return false;
    }
    count = 0;
    for (size_t block = 0; block < shared->blocks; block++)
        count += (size_t)list_messages(shared, block, messages + count);
    exchange->begin(exchange->context, messages, (int)count);
    exchange->finish(exchange->context);
    free(messages);
    return true;
}

/* Packs this rank's blocks where they are. Their heads stand one after another in `heads`. */
static bool pack_blocks(const Shared *shared, unsigned char *heads, uint32_t *lengths)
{
    unsigned char *room = malloc(state_pack_bound(CHECKPOINT_BLOCK));
    bool good = room != NULL;
    for (size_t block = 0; block < shared->blocks && good; block++) {
        unsigned char *bytes = shared->state + block * CHECKPOINT_BLOCK;
        size_t length = 0;
        if (!owns(shared, block))
            continue;
        const unsigned char *packed =
            checkpoint_block_pack(bytes, block_bytes(shared, block), room, heads, &length);
        good = packed != NULL;
        if (good && packed != bytes)
            memcpy(bytes, packed, length);
        *lengths++ = (uint32_t)(BLOCK_HEAD + length);
        heads += BLOCK_HEAD;
    }
    free(room);
    return good;
}

/* Packs the blocks of all ranks, and finds their places in the file from `at` on. The lengths stand
 * by rank: those of rank r from firsts[r] on. */
static bool pack_and_place(const Shared *shared, unsigned char *heads, size_t *firsts, uint64_t at,
                           BillowError *error)
{
    const BillowExchange *exchange = cluster_exchange();
    memset(firsts, 0, ((size_t)shared->ranks + 1) * sizeof *firsts);
    for (size_t block = 0; block < shared->blocks; block++)
        firsts[owner_of(shared, block) + 1]++;
    for (int r = 0; r < shared->ranks; r++)
        firsts[r + 1] += firsts[r];
    bool packed = pack_blocks(shared, heads, shared->lengths + firsts[shared->rank]) ||
                  memory_short(shared, error);
    if (!cluster_agree(packed, error))
        return false;
    for (int r = 0; r <= shared->ranks; r++)
        firsts[r] *= sizeof *shared->lengths;
    exchange->gather(exchange->context, shared->lengths, firsts);
    for (int r = 0; r <= shared->ranks; r++)
        firsts[r] /= sizeof *shared->lengths;
    for (size_t block = 0; block < shared->blocks; block++) {
        shared->places[block] = at;
        at += shared->lengths[firsts[owner_of(shared, block)]++];
    }
    shared->places[shared->blocks] = at;
    return true;
}

/* The next blocks that this rank writes or reads, one after another in the file. */
typedef struct Run {
    size_t begin, end; /* blocks */
    uint64_t place;
    size_t bytes; /* at most STAGE */
} Run;

typedef bool IsMine(const Shared *shared, size_t block);

static Run next_run(const Shared *shared, size_t from, IsMine *is_mine)
{
    const uint64_t *places = shared->places;
    while (from < shared->blocks && !is_mine(shared, from))
        from++;
    size_t end = from;
    while (end < shared->blocks && is_mine(shared, end) && places[end + 1] - places[from] <= STAGE)
        end++;
    return (Run){from, end, places[from], (size_t)(places[end] - places[from])};
}

/* Copies blocks and their heads to the stage. Returns the heads after theirs. */
static const unsigned char *stage_run(const Shared *shared, const Run *run,
                                      const unsigned char *heads)
{
    unsigned char *to = shared->stage;
    for (size_t block = run->begin; block < run->end; block++, heads += BLOCK_HEAD) {
        size_t length = (size_t)(shared->places[block + 1] - shared->places[block]) - BLOCK_HEAD;
        memcpy(to, heads, BLOCK_HEAD);
        memcpy(to + BLOCK_HEAD, shared->state + block * CHECKPOINT_BLOCK, length);
        to += BLOCK_HEAD + length;
    }
    return heads;
}

static bool incomplete(const Shared *shared, const BillowError *reason, BillowError *error)
{
    return fail(error, "%.200s: could not be written completely: %.250s", shared->path,
                reason->text);
}

/* path: of the temporary file. */
static bool write_blocks(const Shared *shared, const char *path, const unsigned char *heads,
                         BillowError *error)
{
    BillowError reason;
    ClusterFile *file = cluster_file_open(path, true, error);
    bool good = file != NULL, more = good;
    for (size_t block = 0; more;) {
        Run run = next_run(shared, block, owns);
        heads = stage_run(shared, &run, heads);
        good = cluster_file_move(file, run.place, shared->stage, run.bytes, &reason) ||
               incomplete(shared, &reason, error);
        block = run.end;
        good = cluster_agree(good, error);
        more = good && cluster_any(block < shared->blocks);
    }
    if (file == NULL)
        return false;
    if (!cluster_file_close(file, &reason) && good)
        good = incomplete(shared, &reason, error);
    return cluster_agree(good, error);
}

/* What rank 0 tells the others. */
typedef struct Told {
    char path[sizeof((AtomicFile){0}).temporary];
    uint64_t at; /* offset of the first block */
} Told;

static bool write_state(const Shared *shared, CheckpointWriter *writer, unsigned char *heads,
                        size_t *firsts, BillowError *error)
{
    Told told = {.at = 0};
    if (writer != NULL) {
        checkpoint_begin_section(writer, CHECKPOINT_STATE, shared->bytes);
        memcpy(told.path, writer->file.temporary, sizeof told.path);
        told.at = writer->at;
    }
    cluster_tell(&told, sizeof told);
    if (!complete_blocks(shared, error) || !pack_and_place(shared, heads, firsts, told.at, error))
        return false;
    uint64_t end = shared->places[shared->blocks];
    bool ready = writer == NULL || atomic_file_share(&writer->file, end, error);
    if (!cluster_agree(ready, error) || !write_blocks(shared, told.path, heads, error))
        return false;
    if (writer != NULL) {
        atomic_file_seek(&writer->file, end);
        writer->at = end;
    }
    return true;
}

bool checkpoint_add_shared(CheckpointWriter *writer, const char *path, const BillowSim *sim,
                           void *state, size_t bytes, BillowError *error)
{
    Shared shared;
    bool good = shared_create(&shared, path, sim, state, bytes);
    unsigned char *heads = malloc(shared.blocks * BLOCK_HEAD);
    size_t *firsts = malloc(((size_t)shared.ranks + 1) * sizeof *firsts);
    good = (good && heads != NULL && firsts != NULL) || memory_short(&shared, error);
    good = cluster_agree(good, error) && write_state(&shared, writer, heads, firsts, error);
    free(heads);
    free(firsts);
    shared_free(&shared);
    return good;
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Finds the places of all blocks from their heads. Reads up to the next section. */
static bool find_blocks(const Shared *shared, CheckpointReader *reader, BillowError *error)
{
    for (size_t block = 0; block < shared->blocks; block++) {
        unsigned char head[BLOCK_HEAD];
        shared->places[block] = reader->at;
        if (!checkpoint_get(reader, head, BLOCK_HEAD, error) ||
            !checkpoint_block_check(reader, shared->places[block], head, block_bytes(shared, block),
                                    error))
            return false;
        uint32_t packed = get32(head + 4);
        if (fseeko(reader->stream, (off_t)packed, SEEK_CUR) != 0)
            return fail(error, "%.300s: cannot be read: %s", reader->path, english_error(errno));
        reader->at += packed;
    }
    shared->places[shared->blocks] = reader->at;
    return checkpoint_next_section(reader, error);
}

/* Unpacks the blocks on the stage. */
static bool take_run(const Shared *shared, const CheckpointReader *reader, const Run *run,
                     BillowError *error)
{
    const unsigned char *from = shared->stage;
    bool good = true;
    for (size_t block = run->begin; block < run->end && good; block++) {
        uint64_t at = shared->places[block];
        size_t count = block_bytes(shared, block);
        good = checkpoint_block_check(reader, at, from, count, error) &&
               checkpoint_block_take(reader, at, from, from + BLOCK_HEAD,
                                     shared->state + block * CHECKPOINT_BLOCK, count, error);
        from += shared->places[block + 1] - at;
    }
    return good;
}

static bool read_blocks(const Shared *shared, const CheckpointReader *reader, BillowError *error)
{
    BillowError reason;
    ClusterFile *file = cluster_file_open(reader->path, false, error);
    bool good = file != NULL, more = good;
    for (size_t block = 0; more;) {
        Run run = next_run(shared, block, needs);
        good = cluster_file_move(file, run.place, shared->stage, run.bytes, &reason)
                   ? take_run(shared, reader, &run, error)
                   : fail(error, "%.250s: cannot be read: %.200s", reader->path, reason.text);
        block = run.end;
        good = cluster_agree(good, error);
        more = good && cluster_any(block < shared->blocks);
    }
    if (file != NULL)
        cluster_file_close(file, &reason);
    return good;
}

bool checkpoint_read_shared(CheckpointReader *reader, const BillowSim *sim, void *state,
                            BillowError *error)
{
    Shared shared;
    bool good = shared_create(&shared, reader->path, sim, state, (size_t)reader->bytes) ||
                fail(error, "%.300s: not enough memory to read a checkpoint", reader->path);
    good = cluster_agree(good, error);
    good = good && cluster_agree(!cluster_leads() || find_blocks(&shared, reader, error), error);
    if (good) {
        cluster_tell(shared.places, (shared.blocks + 1) * sizeof *shared.places);
        cluster_tell(&reader->kind, sizeof reader->kind);
        good = read_blocks(&shared, reader, error);
    }
    shared_free(&shared);
    return good;
}
