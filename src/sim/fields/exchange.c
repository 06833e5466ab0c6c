/* SPDX-License-Identifier: MIT
 *
 * Divides the planes of a box among ranks, and finds the planes that each exchange sends. */
#include "sim/fields/exchange.h"

#include "base/fail.h"
#include "sim/fields/constants.h"

#include <stdlib.h>
#include <string.h>

/* Number of runs of planes that one rank needs of another: below, above, and around the ends of a
 * periodic box. */
enum { RUNS_MAX = 3 };
/* Number of fields in one transfer. */
enum { FIELDS_TOGETHER = 8 };

/* The planes that ranks need of each other. */
typedef struct Need {
    bool beside; /* those within each field's reach; otherwise `planes` */
    Slab planes;
    bool first; /* whether rank 0 alone needs them, and all planes of each field */
} Need;

enum { LEVELS_MOST = 16, FETCHED_MOST = 512 };
/* Planes that stencils read. Samplers reach farther, as far as the flow. */
enum { FIXED_REACH = 2 };

/* The planes of a field that come from other ranks. */
typedef struct Fetched {
    const char *first; /* memory of plane 0, which distinguishes fields */
    double bytes;
} Fetched;

struct Traffic {
    Ranks *ranks; /* the division of the other box, of which a rank in the middle counts */
    int reach_most;
    Grid here[LEVELS_MOST], there[LEVELS_MOST];
    BillowTraffic sum;
    double received; /* bytes of the last transfer */
    Fetched fetched[FETCHED_MOST];
    int fetched_count;
};

/* -- the division ------------------------------------------------------------------------------ */

/* Levels that are divided: the finest, which relaxation processes in pairs of planes, and others
 * down to one that a single worker computes (DIVIDED_CELLS), as long as every rank keeps
 * BILLOW_RANK_PLANES planes of the finest level. */
static int divided_levels(const Grid *grid, int ranks)
{
    int levels = 1, planes = grid->nz;
    for (Grid here = grid_coarser(grid); (double)here.nx * here.ny * here.nz >= DIVIDED_CELLS;
         here = grid_coarser(&here)) {
        int unit = 2 << levels, least = (BILLOW_RANK_PLANES + unit - 1) / unit;
        if (planes / unit / ranks < least)
            break;
        levels++;
    }
    return levels;
}

Ranks *ranks_create(const Grid *grid, bool wraps, const BillowExchange *calls, BillowError *error)
{
    size_t count = (size_t)calls->ranks;
    if (grid->nz / BILLOW_RANK_PLANES < calls->ranks) {
        fail(error, "%d planes along z cannot be divided among %d ranks; at most %d ranks",
             grid->nz, calls->ranks, grid->nz / BILLOW_RANK_PLANES);
        return NULL;
    }
    Ranks *ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return NULL;
    *ranks = (Ranks){.calls = *calls,
                     .planes = grid->nz,
                     .wraps = wraps,
                     .levels = divided_levels(grid, calls->ranks),
                     .alone_cells = DIVIDED_CELLS,
                     .cuts = malloc((count + 1) * sizeof *ranks->cuts),
                     .offsets = malloc((count + 1) * sizeof *ranks->offsets),
                     .messages =
                         malloc(2 * RUNS_MAX * FIELDS_TOGETHER * count * sizeof *ranks->messages)};
    if (ranks->cuts == NULL || ranks->offsets == NULL || ranks->messages == NULL) {
        ranks_destroy(ranks);
        fail(error, "no memory for the exchanges of %d ranks", calls->ranks);
        return NULL;
    }
    long long units = ranks->planes >> ranks->levels;
    for (int r = 0; r < calls->ranks; r++)
        ranks->cuts[r] = (int)(units * r / calls->ranks) << ranks->levels;
    ranks->cuts[calls->ranks] = ranks->planes;
    return ranks;
}

void ranks_destroy(Ranks *ranks)
{
    if (ranks == NULL)
        return;
    free(ranks->cuts);
    free(ranks->offsets);
    free(ranks->messages);
    if (ranks->traffic != NULL)
        ranks_destroy(ranks->traffic->ranks);
    free(ranks->traffic);
    free(ranks);
}

Slab ranks_slab(const Ranks *ranks, int rank, int planes)
{
    if (ranks == NULL)
        return (Slab){0, planes};
    if (planes > ranks->planes + 1) { /* of the smoke */
        int finer = planes / ranks->planes;
        bool end = rank == ranks->calls.ranks - 1;
        return (Slab){ranks->cuts[rank] * finer, end ? planes : ranks->cuts[rank + 1] * finer};
    }
    int level = 0;
    for (int n = ranks->planes; planes < n - 1; n = (n + 1) / 2)
        level++;
    bool last = rank == ranks->calls.ranks - 1;
    return (Slab){ranks->cuts[rank] >> level, last ? planes : ranks->cuts[rank + 1] >> level};
}

Slab ranks_own(const Ranks *ranks, int planes)
{
    return ranks_slab(ranks, ranks != NULL ? ranks->calls.rank : 0, planes);
}

/* -- fields ------------------------------------------------------------------------------------ */

/* A plane begins with the ghost before its row of ghosts. */
PlaneField planes_of(const Grid *grid, const float *field)
{
    return (PlaneField){(char *)(field - grid->stride_y - 1),
                        grid->stride_z * (ptrdiff_t)sizeof *field, grid->nz, 0};
}

void planes_of_packed(const Grid *grid, Packed packed, int planes, PlaneField colors[2])
{
    for (int color = 0; color < 2; color++)
        colors[color] = (PlaneField){(char *)(packed.color[color] - grid->packed_y - 1),
                                     grid->packed_z * (ptrdiff_t)sizeof(float), planes, 0};
}

/* -- planes that need those of other ranks ---------------------------------------------------- */

/* The planes of this rank that are at least `reach` planes away from others. */
static Slab inner_planes(const Ranks *ranks, int planes, int reach)
{
    Slab own = ranks_own(ranks, planes), inner = own;
    if (ranks->wraps || own.begin > 0)
        inner.begin += reach;
    if (ranks->wraps || own.end < planes)
        inner.end -= reach;
    return inner.begin < inner.end ? inner : (Slab){own.end, own.end};
}

Slab exchange_inner(Team team, int planes, int reach)
{
    Slab inner = inner_planes(team.ranks, planes, reach);
    Slab part = team_part(team, inner.end - inner.begin);
    return (Slab){inner.begin + part.begin, inner.begin + part.end};
}

void exchange_outer(Team team, int planes, int reach, Slab parts[2])
{
    Slab own = ranks_own(team.ranks, planes), inner = inner_planes(team.ranks, planes, reach);
    int below = inner.begin - own.begin, skip = inner.end - inner.begin;
    Slab part = team_part(team, own.end - own.begin - skip);
    parts[0] = (Slab){own.begin + part.begin, own.begin + (part.end < below ? part.end : below)};
    parts[1] = (Slab){own.begin + skip + (part.begin > below ? part.begin : below),
                      own.begin + skip + part.end};
}

/* -- transfers --------------------------------------------------------------------------------- */

/* Whether a rank needs plane k, which it does not own. */
static bool needs(const Ranks *ranks, int rank, int planes, int reach, int k)
{
    Slab own = ranks_slab(ranks, rank, planes);
    int low = own.begin - reach, high = own.end + reach;
    return (k >= low && k < high) || (ranks->wraps && (k - planes >= low || k + planes < high));
}

/* Adds messages for the planes of `from` that `to` needs. One of the two is this rank. */
static int add_messages(const Ranks *ranks, const PlaneField *field, Need need, int from, int to,
                        int count)
{
    bool send = from == ranks->calls.rank;
    Slab own = ranks_slab(ranks, from, field->planes);
    own.end += from == ranks->calls.ranks - 1; /* the ghosts beyond the last plane */
    if (need.first && to != 0)
        return count;
    for (int k = own.begin, end; k < own.end; k = end + 1) {
        for (end = k; end < own.end; end++)
            if (need.beside ? !needs(ranks, to, field->planes, field->reach, end)
                            : !need.first && (end < need.planes.begin || end >= need.planes.end))
                break;
        if (end > k)
            ranks->messages[count++] =
                (BillowMessage){.rank = send ? to : from,
                                .send = send,
                                .memory = field->first + k * field->stride,
                                .bytes = (size_t)(end - k) * (size_t)field->stride};
    }
    return count;
}

/* Begins to fetch. Waits for all but the last FIELDS_TOGETHER fields. */
static void begin(const Ranks *ranks, const PlaneField *fields, int count, Need need)
{
    for (int first = 0; first < count; first += FIELDS_TOGETHER) {
        int messages = 0, end = first + FIELDS_TOGETHER < count ? first + FIELDS_TOGETHER : count;
        if (first > 0)
            ranks->calls.finish(ranks->calls.context);
        for (int f = first; f < end; f++)
            for (int other = 0; other < ranks->calls.ranks; other++) {
                if (other == ranks->calls.rank)
                    continue;
                messages =
                    add_messages(ranks, &fields[f], need, ranks->calls.rank, other, messages);
                messages =
                    add_messages(ranks, &fields[f], need, other, ranks->calls.rank, messages);
            }
        ranks->calls.begin(ranks->calls.context, ranks->messages, messages);
    }
}

static void transfer(const Ranks *ranks, const PlaneField *fields, int count, Need need)
{
    begin(ranks, fields, count, need);
    ranks->calls.finish(ranks->calls.context);
}

static void gather(const Ranks *ranks, void *entries, size_t size, int planes)
{
    for (int r = 0; r < ranks->calls.ranks; r++)
        ranks->offsets[r] = (size_t)ranks_slab(ranks, r, planes).begin * size;
    ranks->offsets[ranks->calls.ranks] = (size_t)planes * size;
    ranks->calls.gather(ranks->calls.context, entries, ranks->offsets);
}

static void gather_each(const Ranks *ranks, void *entries, size_t size)
{
    for (int r = 0; r <= ranks->calls.ranks; r++)
        ranks->offsets[r] = (size_t)r * size;
    ranks->calls.gather(ranks->calls.context, entries, ranks->offsets);
}

/* -- counted exchanges ------------------------------------------------------------------------- */

/* Level of a field with so many planes, which may be one more or less. */
static int level_of(const Traffic *traffic, int planes)
{
    int level = 0;
    while (level < LEVELS_MOST - 1 && planes < traffic->here[level].nz - 1)
        level++;
    return level;
}

static int planes_there(const Traffic *traffic, int planes, int level)
{
    return planes - traffic->here[level].nz + traffic->there[level].nz;
}

/* Keeps the most that was fetched of a field at once. */
static void keep_fetched(Traffic *traffic, const char *first)
{
    int f = 0;
    while (f < traffic->fetched_count && traffic->fetched[f].first != first)
        f++;
    if (f == FETCHED_MOST)
        return;
    if (f == traffic->fetched_count)
        traffic->fetched[traffic->fetched_count++] = (Fetched){.first = first};
    if (traffic->received > traffic->fetched[f].bytes)
        traffic->fetched[f].bytes = traffic->received;
}

/* Counts an exchange of the present box. overlapped: whether ranks compute during it. */
static void count_transfer(Traffic *traffic, const PlaneField *fields, int count, Need need,
                           bool overlapped)
{
    const BillowTraffic before = traffic->sum;
    int level = level_of(traffic, fields[0].planes);
    const Grid *from = &traffic->here[level], *to = &traffic->there[level];
    double larger = (double)to->nz / from->nz;
    need.planes = (Slab){(int)(need.planes.begin * larger), (int)(need.planes.end * larger)};
    for (int f = 0; f < count; f++) {
        PlaneField field = fields[f];
        field.stride = field.stride * to->stride_z / from->stride_z;
        field.planes = planes_there(traffic, field.planes, level);
        transfer(traffic->ranks, &field, 1, need);
        if (need.beside && field.reach > FIXED_REACH && field.reach < traffic->reach_most) {
            const BillowTraffic counted = traffic->sum;
            field.reach = traffic->reach_most;
            transfer(traffic->ranks, &field, 1, need);
            traffic->sum = counted;
        }
        keep_fetched(traffic, field.first);
    }
    traffic->sum.transfers += (count + FIELDS_TOGETHER - 1) / FIELDS_TOGETHER;
    if (!overlapped)
        return;
    traffic->sum.overlapped_bytes += traffic->sum.bytes - before.bytes;
    traffic->sum.overlapped_transfers += traffic->sum.transfers - before.transfers;
}

/* -- exchanges --------------------------------------------------------------------------------- */

/* Fetches planes for a team, which its first worker does. */
static void exchange(Team team, const PlaneField *fields, int count, Need need)
{
    if (team.ranks == NULL)
        return;
    if (team.index == 0) {
        if (team.ranks->traffic != NULL)
            count_transfer(team.ranks->traffic, fields, count, need, false);
        transfer(team.ranks, fields, count, need);
    }
    team_barrier(team);
}

void exchange_begin(Team team, const PlaneField *fields, int count)
{
    const Ranks *ranks = team.ranks;
    const Need need = {.beside = true};
    if (ranks == NULL || team.index > 0)
        return;
    if (ranks->traffic != NULL)
        count_transfer(ranks->traffic, fields, count, need, true);
    begin(ranks, fields, count, need);
}

void exchange_finish(Team team)
{
    if (team.ranks != NULL && team.index == 0)
        team.ranks->calls.finish(team.ranks->calls.context);
    team_barrier(team);
}

void exchange_planes(Team team, const PlaneField *fields, int count)
{
    exchange(team, fields, count, (Need){.beside = true});
}

void exchange_whole(Team team, const PlaneField *fields, int count, Slab planes)
{
    exchange(team, fields, count, (Need){.planes = planes});
}

void exchange_collect(const Ranks *ranks, const PlaneField *fields, int count)
{
    exchange((Team){0, 1, NULL, ranks}, fields, count, (Need){.first = true});
}

static void exchange_grid(Team team, const Grid *grid, float *const *fields, int count, int reach,
                          Need need)
{
    enum { FIELDS_MAX = 32 };
    PlaneField list[FIELDS_MAX];
    for (int f = 0; f < count; f++) {
        list[f] = planes_of(grid, fields[f]);
        list[f].reach = reach;
    }
    exchange(team, list, count, need);
}

void exchange_fields(Team team, const Grid *grid, float *const *fields, int count, int reach)
{
    exchange_grid(team, grid, fields, count, reach, (Need){.beside = true});
}

void exchange_whole_fields(Team team, const Grid *grid, float *const *fields, int count,
                           Slab planes)
{
    exchange_grid(team, grid, fields, count, 0, (Need){.planes = planes});
}

void exchange_entries(Team team, void *entries, size_t size, int planes)
{
    const Ranks *ranks = team.ranks;
    if (ranks == NULL)
        return;
    if (team.index == 0 && ranks->traffic != NULL)
        gather(ranks->traffic->ranks, NULL, size,
               planes_there(ranks->traffic, planes, level_of(ranks->traffic, planes)));
    if (team.index == 0)
        gather(ranks, entries, size, planes);
    team_barrier(team);
}

const void *exchange_each(const Ranks *ranks, const void *entry, size_t size)
{
    char *entries = (char *)ranks->messages; /* free between transfers */
    if (ranks->traffic != NULL)
        gather_each(ranks->traffic->ranks, NULL, size);
    memcpy(entries + (size_t)ranks->calls.rank * size, entry, size);
    gather_each(ranks, entries, size);
    return entries;
}

double exchange_max(Team team, double value)
{
    const Ranks *ranks = team.ranks;
    if (ranks == NULL)
        return value;
    const double *values = exchange_each(ranks, &value, sizeof value);
    double most = value;
    for (int r = 0; r < ranks->calls.ranks; r++)
        most = values[r] > most ? values[r] : most;
    return most;
}

/* -- the division whose exchanges are counted -------------------------------------------------- */

static void count_begin(void *context, const BillowMessage *messages, int count)
{
    Traffic *traffic = context;
    traffic->received = 0;
    for (int m = 0; m < count; m++)
        if (messages[m].send) {
            traffic->sum.bytes += (double)messages[m].bytes;
            traffic->sum.messages++;
        } else
            traffic->received += (double)messages[m].bytes;
}

/* In a gather around a ring a rank sends on what it has received: all but its own part. */
static void count_gather(void *context, void *memory, const size_t *offsets)
{
    Traffic *traffic = context;
    const BillowExchange *calls = &traffic->ranks->calls;
    (void)memory;
    traffic->sum.gathers++;
    traffic->sum.bytes +=
        (double)(offsets[calls->ranks] - (offsets[calls->rank + 1] - offsets[calls->rank]));
}

static void finish_nothing(void *context)
{
    (void)context;
}

/* The exchanges of the single rank. */
static void begin_nothing(void *context, const BillowMessage *messages, int count)
{
    (void)context, (void)messages, (void)count;
}

static void gather_nothing(void *context, void *memory, const size_t *offsets)
{
    (void)context, (void)memory, (void)offsets;
}

static Traffic *create(const Grid *here, const Grid *there, bool wraps, int count,
                       BillowError *error)
{
    Traffic *traffic = calloc(1, sizeof *traffic);
    if (traffic == NULL) {
        fail(error, "no memory to count the exchanges of %d ranks", count);
        return NULL;
    }
    const BillowExchange calls = {traffic,     count / 2,      count,
                                  count_begin, finish_nothing, count_gather};
    traffic->ranks = ranks_create(there, wraps, &calls, error);
    if (traffic->ranks == NULL) {
        free(traffic);
        return NULL;
    }
    for (int l = 0; l < LEVELS_MOST; l++) {
        traffic->here[l] = l > 0 ? grid_coarser(&traffic->here[l - 1]) : *here;
        traffic->there[l] = l > 0 ? grid_coarser(&traffic->there[l - 1]) : *there;
    }
    return traffic;
}

Ranks *traffic_start(const Grid *here, const Grid *there, bool wraps, int count, int reach_most,
                     BillowError *error)
{
    const BillowExchange alone = {NULL, 0, 1, begin_nothing, finish_nothing, gather_nothing};
    Traffic *traffic = create(here, there, wraps, count, error);
    Ranks *ranks = traffic != NULL ? ranks_create(here, wraps, &alone, error) : NULL;
    if (ranks == NULL) {
        if (traffic != NULL)
            ranks_destroy(traffic->ranks);
        free(traffic);
        return NULL;
    }
    ranks->traffic = traffic;
    traffic->reach_most = reach_most;
    ranks->levels = traffic->ranks->levels;
    ranks->alone_cells *=
        ((double)here->nx * here->ny * here->nz) / ((double)there->nx * there->ny * there->nz);
    return ranks;
}

BillowTraffic traffic_sum(const Traffic *traffic)
{
    BillowTraffic sum = traffic->sum;
    for (int f = 0; f < traffic->fetched_count; f++)
        sum.memory += traffic->fetched[f].bytes;
    return sum;
}

double traffic_share(const Traffic *traffic)
{
    const Ranks *ranks = traffic->ranks;
    int most = 0;
    for (int r = 0; r < ranks->calls.ranks; r++) {
        int planes = ranks->cuts[r + 1] - ranks->cuts[r];
        most = planes > most ? planes : most;
    }
    return (double)most / ranks->planes;
}
