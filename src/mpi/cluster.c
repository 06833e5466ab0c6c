/* SPDX-License-Identifier: MIT */
#include "mpi/cluster.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static BillowExchange world; /* between the processes of mpirun; all zero without it */
/* Functions of libbillow_mpi; NULL before MPI starts. */
static void (*stop_mpi)(void);
static void (*first_mpi)(int ranks, BillowExchange *part);
static void (*meet_mpi)(void);
static ClusterFile *(*open_mpi)(const char *path, bool writes, BillowError *error);
static bool (*move_mpi)(ClusterFile *file, uint64_t offset, void *memory, size_t bytes,
                        BillowError *error);
static bool (*close_mpi)(ClusterFile *file, BillowError *error);
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

static bool (*begin_mpi)(BillowExchange *exchange, BillowError *error);

/* The functions and their names. C has no cast from an object's address to that of a function. */
static const struct {
    const char *name;
    void *pointer; /* to the pointer to the function */
} functions[] = {
    {"billow_mpi_start", &begin_mpi}, {"billow_mpi_stop", &stop_mpi},
    {"billow_mpi_first", &first_mpi}, {"billow_mpi_meet", &meet_mpi},
    {"billow_mpi_open", &open_mpi},   {"billow_mpi_move", &move_mpi},
    {"billow_mpi_close", &close_mpi},
};

static bool start_mpi(BillowError *error)
{
    void *module = dlopen(BILLOW_MPI_MODULE, RTLD_NOW | RTLD_GLOBAL);
    bool good = module != NULL;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0] && good; f++) {
        void *found = dlsym(module, functions[f].name);
        memcpy(functions[f].pointer, &found, sizeof found);
        good = found != NULL;
    }
    if (good)
        return begin_mpi(&world, error);
    stop_mpi = NULL;
    return fail(error, "the library for MPI cannot be loaded: %.300s", system_module_reason());
}

#else

static bool start_mpi(BillowError *error)
{
    return fail(error, "this build of Billow runs on one machine; install MPI (libopenmpi-dev) and "
                       "build it again");
}

#endif

/* A hash of the file that this process runs; of nothing where the system does not show it. */
static uint64_t program_hash(void)
{
    unsigned char block[4096];
    size_t count;
    uint64_t hash = HASH_START;
    FILE *file = fopen("/proc/self/exe", "rb");
    while (file != NULL && (count = fread(block, 1, sizeof block, file)) > 0)
        hash = hash_bytes(hash, block, count);
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

static void gather_among(const BillowExchange *among, void *entries, size_t size)
{
    size_t *offsets = malloc(((size_t)among->ranks + 1) * sizeof *offsets);
    if (offsets == NULL)
        abort(); /* the other ranks wait */
    for (int r = 0; r <= among->ranks; r++)
        offsets[r] = (size_t)r * size;
    among->gather(among->context, entries, offsets);
    free(offsets);
}

void cluster_gather(void *entries, size_t size)
{
    if (cluster_ranks() > 1)
        gather_among(&world, entries, size);
}

typedef struct Outcome {
    int status;
    BillowError error;
} Outcome;

static Status status_among(const BillowExchange *among, Status status, BillowError *error)
{
    if (among == NULL || among->ranks == 1)
        return status;
    Outcome *outcomes = calloc((size_t)among->ranks, sizeof *outcomes);
    if (outcomes == NULL)
        abort();
    outcomes[among->rank].status = (int)status;
    if (status != STATUS_DONE)
        outcomes[among->rank].error = *error;
    gather_among(among, outcomes, sizeof *outcomes);
    int first = 0;
    while (first < among->ranks - 1 && outcomes[first].status == STATUS_DONE)
        first++;
    status = (Status)outcomes[first].status;
    if (status != STATUS_DONE)
        *error = outcomes[first].error;
    free(outcomes);
    return status;
}

Status cluster_status(Status status, BillowError *error)
{
    return status_among(cluster_exchange(), status, error);
}

bool cluster_agree_among(const BillowExchange *among, bool good, BillowError *error)
{
    return status_among(among, good ? STATUS_DONE : STATUS_FAILED, error) == STATUS_DONE;
}

bool cluster_agree(bool good, BillowError *error)
{
    return cluster_agree_among(cluster_exchange(), good, error);
}

unsigned cluster_union(unsigned flags)
{
    if (cluster_ranks() == 1)
        return flags;
    unsigned *all = calloc((size_t)world.ranks, sizeof *all);
    if (all == NULL)
        abort(); /* the other ranks wait */
    all[world.rank] = flags;
    cluster_gather(all, sizeof *all);
    for (int r = 0; r < world.ranks; r++)
        flags |= all[r];
    free(all);
    return flags;
}

bool cluster_any(bool flag)
{
    return cluster_union(flag) != 0;
}

bool cluster_same(const char *text, const char *what, BillowError *error)
{
    if (cluster_ranks() == 1)
        return true;
    uint64_t hash = hash_bytes(HASH_START, text, strlen(text));
    uint64_t *hashes = calloc((size_t)world.ranks, sizeof *hashes);
    if (hashes == NULL)
        abort();
    hashes[world.rank] = hash;
    cluster_gather(hashes, sizeof *hashes);
    bool same = true;
    for (int r = 1; r < world.ranks; r++)
        same = same && hashes[r] == hashes[0];
    free(hashes);
    return same || fail(error, "the ranks have different %s", what);
}

void cluster_planes(const BillowSim *sim, int planes, int *first, int *end)
{
    BillowView view = billow_view(sim);
    billow_own_planes(sim, first, end);
    if (*end - *first < view.nz || cluster_ranks() == 1)
        return;
    *first = (int)((long long)planes * world.rank / world.ranks);
    *end = (int)((long long)planes * (world.rank + 1) / world.ranks);
}

void cluster_tell(void *memory, size_t bytes)
{
    if (cluster_ranks() == 1)
        return;
    size_t *offsets = malloc(((size_t)world.ranks + 1) * sizeof *offsets);
    if (offsets == NULL)
        abort(); /* the other ranks wait */
    offsets[0] = 0;
    for (int r = 1; r <= world.ranks; r++)
        offsets[r] = bytes;
    world.gather(world.context, memory, offsets);
    free(offsets);
}

/* -- files ------------------------------------------------------------------------------------- */

/* Whether this rank can open the file, too. MPI waits for ever if only some can. */
static bool finds(const char *path, bool writes, BillowError *error)
{
    FILE *stream = fopen(path, writes ? "r+b" : "rb");
    if (stream == NULL)
        return fail(error, "%.250s: a rank cannot open it: %s; all machines must share its folder",
                    path, english_error(errno));
    fclose(stream);
    return true;
}

ClusterFile *cluster_file_open(const char *path, bool writes, BillowError *error)
{
    BillowError reason;
    if (!cluster_agree(finds(path, writes, error), error))
        return NULL;
    ClusterFile *file = open_mpi(path, writes, &reason);
    if (file == NULL)
        fail(error, "%.250s: MPI cannot open it: %.200s", path, reason.text);
    if (cluster_agree(file != NULL, error))
        return file;
    if (file != NULL)
        close_mpi(file, &reason);
    return NULL;
}

bool cluster_file_move(ClusterFile *file, uint64_t offset, void *memory, size_t bytes,
                       BillowError *error)
{
    return move_mpi(file, offset, memory, bytes, error);
}

bool cluster_file_close(ClusterFile *file, BillowError *error)
{
    return close_mpi(file, error);
}
