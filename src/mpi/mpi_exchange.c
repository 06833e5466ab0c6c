/* SPDX-License-Identifier: MIT
 * Exchanges over MPI, and files that all ranks write or read together. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#endif
#include <billow/mpi.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Most bytes of one message of MPI, which counts them by an int. */
#define BYTES_MOST ((size_t)1 << 30)

/* The exchanges of a communicator, which is their attribute. */
typedef struct Channel {
    MPI_Comm communicator;
    int rank, ranks;
    MPI_Request *requests;
    int used;             /* number of requests since the last begin */
    int room;             /* number of requests for which memory is allocated */
    int *counts, *starts; /* memory for gather: one entry per rank */
} Channel;

static int channel_key = MPI_KEYVAL_INVALID;

static void channel_free(Channel *channel)
{
    free(channel->requests);
    free(channel->counts);
    free(channel->starts);
    free(channel);
}

/* Called by MPI when the given communicator is freed. */
static int channel_delete(MPI_Comm given, int key, void *memory, void *extra)
{
    Channel *channel = memory;
    (void)given, (void)key, (void)extra;
    MPI_Comm_free(&channel->communicator);
    channel_free(channel);
    return MPI_SUCCESS;
}

static MPI_Request *next_request(Channel *channel)
{
    if (channel->used == channel->room) {
        channel->room = 2 * channel->room + 64;
        void *larger =
            realloc(channel->requests, (size_t)channel->room * sizeof *channel->requests);
        if (larger == NULL) {
            fprintf(stderr, "billow: no memory for the messages of rank %d\n", channel->rank);
            MPI_Abort(channel->communicator, 1);
        }
        channel->requests = larger;
    }
    return &channel->requests[channel->used++];
}

static void channel_begin(void *context, const BillowMessage *messages, int count)
{
    Channel *channel = context;
    channel->used = 0;
    for (int m = 0; m < count; m++) {
        const BillowMessage *message = &messages[m];
        char *memory = message->memory;
        for (size_t at = 0, part; at < message->bytes; at += part) {
            size_t left = message->bytes - at;
            part = left < BYTES_MOST ? left : BYTES_MOST;
            MPI_Request *request = next_request(channel);
            if (message->send)
                MPI_Isend(memory + at, (int)part, MPI_BYTE, message->rank, 0, channel->communicator,
                          request);
            else
                MPI_Irecv(memory + at, (int)part, MPI_BYTE, message->rank, 0, channel->communicator,
                          request);
        }
    }
}

static void channel_finish(void *context)
{
    Channel *channel = context;
    MPI_Waitall(channel->used, channel->requests, MPI_STATUSES_IGNORE);
}

static void channel_gather(void *context, void *memory, const size_t *offsets)
{
    Channel *channel = context;
    for (int r = 0; r < channel->ranks; r++) {
        channel->starts[r] = (int)offsets[r];
        channel->counts[r] = (int)(offsets[r + 1] - offsets[r]);
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, memory, channel->counts, channel->starts,
                   MPI_BYTE, channel->communicator);
}

static Channel *channel_create(MPI_Comm communicator)
{
    Channel *channel = calloc(1, sizeof *channel);
    if (channel == NULL)
        return NULL;
    MPI_Comm_rank(communicator, &channel->rank);
    MPI_Comm_size(communicator, &channel->ranks);
    channel->counts = malloc((size_t)channel->ranks * sizeof(int));
    channel->starts = malloc((size_t)channel->ranks * sizeof(int));
    if (channel->counts != NULL && channel->starts != NULL) {
        MPI_Comm_dup(communicator, &channel->communicator);
        MPI_Comm_set_errhandler(channel->communicator, MPI_ERRORS_ARE_FATAL);
        return channel;
    }
    channel_free(channel);
    return NULL;
}

bool billow_mpi_exchange(MPI_Comm communicator, BillowExchange *exchange, BillowError *error)
{
    assert(exchange != NULL);
    Channel *channel = NULL;
    int known = 0;
    if (channel_key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, channel_delete, &channel_key, NULL);
    MPI_Comm_get_attr(communicator, channel_key, &channel, &known);
    if (!known) {
        channel = channel_create(communicator);
        if (channel == NULL) {
            if (error != NULL)
                snprintf(error->text, sizeof error->text, "no memory for exchanges over MPI");
            return false;
        }
        MPI_Comm_set_attr(communicator, channel_key, channel);
    }
    *exchange = (BillowExchange){.context = channel,
                                 .rank = channel->rank,
                                 .ranks = channel->ranks,
                                 .begin = channel_begin,
                                 .finish = channel_finish,
                                 .gather = channel_gather};
    return true;
}

bool billow_mpi_start(BillowExchange *exchange, BillowError *error)
{
    assert(exchange != NULL);
    int level = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) == MPI_SUCCESS &&
        level >= MPI_THREAD_FUNNELED)
        return billow_mpi_exchange(MPI_COMM_WORLD, exchange, error);
    if (error != NULL)
        snprintf(error->text, sizeof error->text,
                 "this MPI does not allow threads (MPI_THREAD_FUNNELED)");
    return false;
}

static MPI_Comm first = MPI_COMM_NULL; /* the ranks of the last billow_mpi_first */

static void drop_first(void)
{
    if (first != MPI_COMM_NULL)
        MPI_Comm_free(&first);
    first = MPI_COMM_NULL;
}

void billow_mpi_first(int ranks, BillowExchange *exchange)
{
    assert(ranks > 0 && exchange != NULL);
    int rank;
    BillowError error;
    drop_first();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &first);
    if (first == MPI_COMM_NULL || billow_mpi_exchange(first, exchange, &error))
        return;
    fprintf(stderr, "billow: %s\n", error.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void billow_mpi_meet(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

void billow_mpi_stop(void)
{
    drop_first();
    MPI_Finalize();
}

/* -- files ------------------------------------------------------------------------------------- */

enum { MOVE_MOST = 1 << 30 }; /* bytes that one call may write or read */

struct BillowMpiFile {
    MPI_File file;
    bool writes;
};

/* Reports an error of MPI. Returns whether there is none. */
static bool check(int code, BillowError *error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &length);
    if (error != NULL)
        snprintf(error->text, sizeof error->text, "%.*s", length < 200 ? length : 200, text);
    return false;
}

BillowMpiFile *billow_mpi_open(const char *path, bool writes, BillowError *error)
{
    assert(path != NULL);
    BillowMpiFile *file = calloc(1, sizeof *file);
    MPI_File opened = MPI_FILE_NULL;
    int mode = writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    int code = MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &opened);
    if (!check(file != NULL ? code : MPI_ERR_NO_MEM, error)) {
        free(file);
        return NULL;
    }
    *file = (BillowMpiFile){opened, writes};
    return file;
}

bool billow_mpi_move(BillowMpiFile *file, uint64_t offset, void *memory, size_t bytes,
                     BillowError *error)
{
    assert(file != NULL && (memory != NULL || bytes == 0) && bytes <= MOVE_MOST);
    MPI_Status status;
    int moved = 0, count = (int)bytes;
    int code = file->writes ? MPI_File_write_at_all(file->file, (MPI_Offset)offset, memory, count,
                                                    MPI_BYTE, &status)
                            : MPI_File_read_at_all(file->file, (MPI_Offset)offset, memory, count,
                                                   MPI_BYTE, &status);
    if (!check(code, error))
        return false;
    MPI_Get_count(&status, MPI_BYTE, &moved);
    return check(moved == count ? MPI_SUCCESS : MPI_ERR_IO, error);
}

bool billow_mpi_close(BillowMpiFile *file, BillowError *error)
{
    assert(file != NULL);
    int synced = file->writes ? MPI_File_sync(file->file) : MPI_SUCCESS;
    int closed = MPI_File_close(&file->file);
    free(file);
    return check(synced != MPI_SUCCESS ? synced : closed, error);
}
