/* SPDX-License-Identifier: MIT
 * Ranks that are threads of one process. Every exchange is called by all of them at the same time.
 */
#ifndef TESTS_RANKS_FIXTURE_H
#define TESTS_RANKS_FIXTURE_H

#include <billow/exchange.h>

#include <pthread.h>
#include <string.h>

enum { RANKS_MAX = 8 };

/* What the ranks show each other during an exchange. */
typedef struct Board {
    pthread_barrier_t meeting;
    int ranks;
    const BillowMessage *messages[RANKS_MAX];
    int counts[RANKS_MAX];
    char *gathered[RANKS_MAX];
    BillowTraffic sent[RANKS_MAX]; /* by each rank */
} Board;

typedef struct BoardRank {
    Board *board;
    int rank;
} BoardRank;

/* Message number `number` that rank `from` sends to rank `to`. */
static inline const BillowMessage *board_find(const Board *board, int from, int to, int number)
{
    for (int m = 0; m < board->counts[from]; m++) {
        const BillowMessage *message = &board->messages[from][m];
        if (message->send && message->rank == to && number-- == 0)
            return message;
    }
    return NULL;
}

/* Makes memory to receive NaN, so that a use before the end shows. */
static inline void board_begin(void *context, const BillowMessage *messages, int count)
{
    const BoardRank *own = (const BoardRank *)context;
    Board *board = own->board;
    board->messages[own->rank] = messages;
    board->counts[own->rank] = count;
    board->sent[own->rank].transfers++;
    for (int m = 0; m < count; m++)
        if (!messages[m].send)
            memset(messages[m].memory, 0xFF, messages[m].bytes);
}

/* Copies as late as possible, so that a change of memory to send shows. */
static inline void board_finish(void *context)
{
    const BoardRank *own = (const BoardRank *)context;
    Board *board = own->board;
    const BillowMessage *messages = board->messages[own->rank];
    int count = board->counts[own->rank], received[RANKS_MAX] = {0};
    pthread_barrier_wait(&board->meeting);
    for (int m = 0; m < count; m++) {
        if (messages[m].send) {
            board->sent[own->rank].bytes += (double)messages[m].bytes;
            board->sent[own->rank].messages++;
            continue;
        }
        int from = messages[m].rank;
        const BillowMessage *sent = board_find(board, from, own->rank, received[from]++);
        memcpy(messages[m].memory, sent->memory, sent->bytes);
    }
    pthread_barrier_wait(&board->meeting);
}

static inline void board_gather(void *context, void *memory, const size_t *offsets)
{
    const BoardRank *own = (const BoardRank *)context;
    Board *board = own->board;
    board->gathered[own->rank] = (char *)memory;
    board->sent[own->rank].gathers++;
    board->sent[own->rank].bytes +=
        (double)(offsets[board->ranks] - (offsets[own->rank + 1] - offsets[own->rank]));
    pthread_barrier_wait(&board->meeting);
    for (int r = 0; r < board->ranks; r++)
        if (r != own->rank)
            memcpy((char *)memory + offsets[r], board->gathered[r] + offsets[r],
                   offsets[r + 1] - offsets[r]);
    pthread_barrier_wait(&board->meeting);
}

typedef struct RankThread {
    BoardRank own;
    BillowExchange exchange;
    void (*run)(const BillowExchange *exchange, void *context);
    void *context;
    pthread_t thread;
} RankThread;

static inline void *rank_thread(void *memory)
{
    RankThread *rank = (RankThread *)memory;
    rank->run(&rank->exchange, rank->context);
    return NULL;
}

/* What a rank has sent so far. */
static inline BillowTraffic rank_sent(const BillowExchange *exchange)
{
    const BoardRank *own = (const BoardRank *)exchange->context;
    return own->board->sent[own->rank];
}

/* Runs a function on every rank. */
static inline void ranks_run(int count, void (*run)(const BillowExchange *exchange, void *context),
                             void *context)
{
    Board board = {.ranks = count};
    RankThread ranks[RANKS_MAX];
    pthread_barrier_init(&board.meeting, NULL, (unsigned)count);
    for (int r = 0; r < count; r++) {
        ranks[r] = (RankThread){.own = {&board, r}, .run = run, .context = context};
        ranks[r].exchange =
            (BillowExchange){&ranks[r].own, r, count, board_begin, board_finish, board_gather};
        pthread_create(&ranks[r].thread, NULL, rank_thread, &ranks[r]);
    }
    for (int r = 0; r < count; r++)
        pthread_join(ranks[r].thread, NULL);
    pthread_barrier_destroy(&board.meeting);
}

#endif
