/* SPDX-License-Identifier: MIT */
#include "cluster.h"

#include "fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325u

static BillowExchange world; /* between the processes of mpirun; all zero without it */
/* Functions of libbillow_mpi; NULL before MPI starts. */
static void (*stop_mpi)(void);
static void (*first_mpi)(int ranks, BillowExchange *part);
static void (*meet_mpi)(void);
static bool parted; /* whether rank 0 goes on alone */

/* -- start ------------------------------------------------------------------------------------- */

/* A number that the launcher tells each process, by the names that launchers use. */
static int number_of(const char *const names[], size_t count, int otherwise)
{
    for (size_t n = 0; n < count; n++) {
        const char *text = getenv(names[n]);
        if (text != NULL && strtol(text, NULL, 10) > 0)
            return (int)strtol(text, NULL, 10);
    }
    return otherwise;
}

static int launched_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    return number_of(names, sizeof names / sizeof names[0], 1);
}

static int launched_here(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
    return number_of(names, sizeof names / sizeof names[0], 1);
}

void cluster_prepare(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
    if (launched_ranks() > 1 && number_of(names, sizeof names / sizeof names[0], 0) > 0)
        system_hush_messages();
}

#ifdef BILLOW_MPI_MODULE

#include <dlfcn.h>

static bool start_mpi(BillowError *error)
{
    bool (*start)(BillowExchange *, BillowError *) = NULL;
    void *module = dlopen(BILLOW_MPI_MODULE, RTLD_NOW | RTLD_GLOBAL);
    static const char *const names[] = {"billow_mpi_start", "billow_mpi_stop", "billow_mpi_first",
                                        "billow_mpi_meet"};
    void *found[sizeof names / sizeof names[0]];
    bool good = module != NULL;
    for (size_t n = 0; n < sizeof names / sizeof names[0] && good; n++) {
        found[n] = dlsym(module, names[n]);
        good = found[n] != NULL;
    }
    if (!good) {
        const char *reason = dlerror();
        return fail(error, "the library for MPI cannot be loaded: %.300s",
                    reason != NULL ? reason : "it belongs to another version");
    }
    memcpy(&start, &found[0], sizeof start);
    memcpy(&stop_mpi, &found[1], sizeof stop_mpi);
    memcpy(&first_mpi, &found[2], sizeof first_mpi);
    memcpy(&meet_mpi, &found[3], sizeof meet_mpi);
    return start(&world, error);
}

#else

static bool start_mpi(BillowError *error)
{
    return fail(error, "this build of Billow runs on one machine; install MPI (libopenmpi-dev) and "
                       "build it again");
}

#endif

static uint64_t mix(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t b = 0; b < count; b++)
        hash = (hash ^ bytes[b]) * 0x100000001b3u;
    return hash;
}

/* A hash of the file that this process runs; of nothing where the system does not show it. */
static uint64_t program_hash(void)
{
    unsigned char block[4096];
    size_t count;
    uint64_t hash = HASH_START;
    FILE *file = fopen("/proc/self/exe", "rb");
    while (file != NULL && (count = fread(block, 1, sizeof block, file)) > 0)
        hash = mix(hash, block, count);
    if (file != NULL)
        fclose(file);
    return hash;
}

bool cluster_start(const char *version, BillowError *error)
{
    char build[128];
    if (launched_ranks() < 2)
        return true;
    if (!start_mpi(error))
        return false;
    snprintf(build, sizeof build, "%s %016" PRIx64, version, program_hash());
    return cluster_same(build, "builds of Billow", error);
}

void cluster_stop(void)
{
    if (stop_mpi != NULL)
        stop_mpi();
    stop_mpi = NULL;
}

bool cluster_part(void)
{
    parted = true;
    return cluster_leads();
}

bool cluster_leads(void)
{
    return world.rank == 0;
}

int cluster_ranks(void)
{
    return parted || world.ranks < 1 ? 1 : world.ranks;
}

double cluster_share(void)
{
    int ranks = cluster_ranks(), here = launched_here();
    return ranks > 1 && here < ranks ? (double)here / ranks : 1;
}

int cluster_threads(void)
{
    int threads = system_cores() / launched_here();
    return threads > 1 ? threads : 1;
}

bool cluster_first(int ranks, BillowExchange *part)
{
    *part = world;
    if (ranks < cluster_ranks())
        first_mpi(ranks, part);
    return world.rank < ranks;
}

void cluster_meet(void)
{
    if (cluster_ranks() > 1)
        meet_mpi();
}

const BillowExchange *cluster_exchange(void)
{
    return cluster_ranks() > 1 ? &world : NULL;
}

/* -- agreement --------------------------------------------------------------------------------- */

/* Gives every rank the entries of all, one per rank. */
static void gather(void *entries, size_t size)
{
    size_t *offsets = malloc(((size_t)world.ranks + 1) * sizeof *offsets);
    if (offsets == NULL)
        abort(); /* the other ranks wait */
    for (int r = 0; r <= world.ranks; r++)
        offsets[r] = (size_t)r * size;
    world.gather(world.context, entries, offsets);
    free(offsets);
}

typedef struct Outcome {
    int status;
    BillowError error;
} Outcome;

Status cluster_status(Status status, BillowError *error)
{
    if (cluster_ranks() == 1)
        return status;
    Outcome *outcomes = calloc((size_t)world.ranks, sizeof *outcomes);
    if (outcomes == NULL)
        abort();
    outcomes[world.rank].status = (int)status;
    if (status != STATUS_DONE)
        outcomes[world.rank].error = *error;
    gather(outcomes, sizeof *outcomes);
    int first = 0;
    while (first < world.ranks - 1 && outcomes[first].status == STATUS_DONE)
        first++;
    status = (Status)outcomes[first].status;
    if (status != STATUS_DONE)
        *error = outcomes[first].error;
    free(outcomes);
    return status;
}

bool cluster_agree(bool good, BillowError *error)
{
    return cluster_status(good ? STATUS_DONE : STATUS_FAILED, error) == STATUS_DONE;
}

bool cluster_any(bool flag)
{
    BillowError none = {.text = ""};
    return cluster_ranks() == 1 ? flag : !cluster_agree(!flag, &none);
}

bool cluster_same(const char *text, const char *what, BillowError *error)
{
    if (cluster_ranks() == 1)
        return true;
    uint64_t hash = mix(HASH_START, (const unsigned char *)text, strlen(text));
    uint64_t *hashes = calloc((size_t)world.ranks, sizeof *hashes);
    if (hashes == NULL)
        abort();
    hashes[world.rank] = hash;
    gather(hashes, sizeof *hashes);
    bool same = true;
    for (int r = 1; r < world.ranks; r++)
        same = same && hashes[r] == hashes[0];
    free(hashes);
    return same || fail(error, "the ranks have different %s", what);
}

BillowSim *cluster_create(const BillowDef *def, BillowError *error)
{
    BillowSim *sim = billow_create_exchanging(def, cluster_exchange(), error);
    if (cluster_agree(sim != NULL, error))
        return sim;
    billow_destroy(sim);
    return NULL;
}

/* -- states ------------------------------------------------------------------------------------ */

static bool any_set(const unsigned char *bytes, size_t count)
{
    for (size_t b = 0; b < count; b++)
        if (bytes[b] != 0)
            return true;
    return false;
}

void cluster_merge(const unsigned char *part, size_t count, unsigned char *merged)
{
    if (cluster_leads())
        memcpy(merged, part, count);
    if (cluster_ranks() == 1)
        return;
    unsigned char *has = calloc((size_t)world.ranks, 1), *other = malloc(count);
    if (has == NULL || other == NULL)
        abort(); /* the other ranks wait */
    has[world.rank] = any_set(part, count);
    gather(has, 1);
    BillowMessage message = {.rank = 0, .send = true, .memory = (void *)part, .bytes = count};
    if (!cluster_leads() && has[world.rank])
        world.transfer(world.context, &message, 1);
    for (int r = 1; cluster_leads() && r < world.ranks; r++) {
        if (!has[r])
            continue;
        message = (BillowMessage){.rank = r, .memory = other, .bytes = count};
        world.transfer(world.context, &message, 1);
        for (size_t b = 0; b < count; b++)
            merged[b] |= other[b];
    }
    free(has);
    free(other);
}
