/* SPDX-License-Identifier: MIT */
#include "sim/fields/traffic.h"

#include "base/fail.h"

#include <stdlib.h>

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

static double cells_of(const Grid *grid)
{
    return (double)grid->nx * grid->ny * grid->nz;
}

Ranks *traffic_start(const Grid *here, const Grid *there, bool wraps, int count, int reach_most,
                     BillowError *error)
{
    const BillowExchange alone = {NULL, 0, 1, begin_nothing, finish_nothing, gather_nothing};
    Traffic *traffic = create(here, there, wraps, count, error);
    Ranks *ranks = traffic != NULL ? ranks_create(here, wraps, &alone, error) : NULL;
    if (ranks == NULL) {
        traffic_destroy(traffic);
        return NULL;
    }
    ranks->traffic = traffic;
    traffic->reach_most = reach_most;
    ranks->levels = traffic->ranks->levels;
    ranks->alone_cells *= cells_of(here) / cells_of(there);
    return ranks;
}

void traffic_destroy(Traffic *traffic)
{
    if (traffic == NULL)
        return;
    ranks_destroy(traffic->ranks);
    free(traffic);
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

/* -- from the present box to the other ----------------------------------------------------------
 */

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

void traffic_transfer(Traffic *traffic, const PlaneField *fields, int count, Need need,
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
        exchange_transfer(traffic->ranks, &field, 1, need);
        if (need.beside && field.reach > FIXED_REACH && field.reach < traffic->reach_most) {
            const BillowTraffic counted = traffic->sum;
            field.reach = traffic->reach_most;
            exchange_transfer(traffic->ranks, &field, 1, need);
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

void traffic_entries(Traffic *traffic, size_t size, int planes)
{
    int level = level_of(traffic, planes);
    exchange_gather(traffic->ranks, NULL, size, planes_there(traffic, planes, level));
}

void traffic_each(Traffic *traffic, size_t size)
{
    Ranks *ranks = traffic->ranks;
    for (int r = 0; r <= ranks->calls.ranks; r++)
        ranks->offsets[r] = (size_t)r * size;
    ranks->calls.gather(traffic, NULL, ranks->offsets);
}
