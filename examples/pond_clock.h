/* SPDX-License-Identifier: MIT
 *
 * Clocks kept in step, as Chen et al. (1997) keep distributed simulations in step: every simulator
 * has a clock of its own, what it tells carries a time stamp, the offset between two clocks is
 * measured, and elapsed time is cut into slices whose remainder is carried over.
 *
 * One side, the master, has the clock that counts: shared time is its local time. The other side,
 * the follower, asks 20 times a second; the master answers. Both kinds of packets carry a time
 * stamp and the boat of the side that sends them. pond_clock.c says how offset and rate follow from
 * that.
 *
 *     while (running) {
 *         pond_link_exchange(link, &clock, &mine, &theirs, frame_period);
 *         for (int n = pond_clock_slices(&clock, pond_link_now(link)); n > 0; n--)
 *             ...run a slice...
 *     }
 *
 * PondClock is plain data: times and packets come in as arguments, so a test can give it clocks and
 * a network of its own. PondLink is the real clock and the real network: UDP over IPv4. Packets are
 * not encrypted, and are trusted as far as a boat can be: a forged one can misplace the other boat
 * or hold up the shared time, and no more. A master sends nothing but answers, as long as what they
 * answer. */
#ifndef POND_CLOCK_H
#define POND_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POND_SLICE_RATE 120 /* slices in a second of shared time */
#define POND_LOST_AFTER 2.0 /* s without a packet */

/* Range of clock rates: the fastest clock runs 1.22 times as fast as the slowest. */
#define POND_RATE_LEAST 0.9
#define POND_RATE_MOST  1.1

enum {
    POND_PACKET = 80,   /* bytes of every packet */
    POND_ASKS = 32,     /* asks whose answer is awaited at most */
    POND_SAMPLES = 64,  /* measurements that count */
    POND_CATCH_UP = 60, /* slices that are run at once at most; what is above is left out */
};

/* What one side tells the other. */
typedef struct PondState {
    int64_t slices;                  /* time stamp: number of slices run before */
    float x, y, heading, u, v, turn; /* the boat: m, rad, m/s, rad/s */
    bool raining;                    /* counts from the master only */
} PondState;

/* Values of a state outside of these make its packet invalid. */
typedef struct PondRanges {
    float width, height, speed, turn; /* x, y from 0; u, v, turn to both sides */
} PondRanges;

typedef struct PondSample {
    double local, offset; /* local time, shared - local time, s */
    double round, wait; /* from ask to answer by the local clock, of that at the master by its, s */
} PondSample;

typedef struct PondClock {
    bool follows;
    PondRanges ranges;
    uint32_t session, number;           /* of this side; number of the last packet sent */
    uint32_t peer_session, peer_number; /* of the last packet that counted */
    bool has_peer, in_step;             /* in_step: shared time is known; always at the master */
    double asked[POND_ASKS];     /* local time of the ask with this number, by number % POND_ASKS;
                                    negative infinity if it has been answered */
    double next_ask, last_heard; /* local times */
    PondSample samples[POND_SAMPLES];
    int sample_count, next_sample;
    double reference, offset, drift; /* shared = local + offset + drift (local - reference) */
    double trip;                     /* shortest of the samples, s */
    int64_t slices;                  /* run so far */
    int64_t skipped;                 /* slices left out, the first jump into step not counted */
    bool started;
    int64_t state_slices; /* time stamp of the last state of the peer */
} PondClock;

/* session: a number that another run hardly has. */
void pond_clock_init(PondClock *clock, bool follows, uint32_t session, PondRanges ranges);

/* Shared time at a local time, s. */
double pond_clock_time(const PondClock *clock, double local);

/* Number of slices to run now, so that clock->slices slices have been run afterwards: the whole
 * part of shared time. What is left of it counts next time. */
int pond_clock_slices(PondClock *clock, double local);

/* Whether the peer was heard before but has been silent for POND_LOST_AFTER. */
bool pond_clock_lost(const PondClock *clock, double local);

/* Writes an ask into the packet if the follower has to send one now. */
bool pond_clock_ask(PondClock *clock, double local, const PondState *mine,
                    uint8_t packet[POND_PACKET]);

typedef enum PondTaken {
    POND_IGNORED, /* no packet of the peer, or an old one */
    POND_ANSWER,  /* the master has to send the answer written by pond_clock_answer() */
    POND_MEASURED /* the follower has learnt the master's clock */
} PondTaken;

/* Takes a packet that arrived at the local time. Sets *theirs and *is_new if the packet has a state
 * newer than those before. Any bytes may come. */
PondTaken pond_clock_take(PondClock *clock, double arrived, const uint8_t *bytes, size_t size,
                          PondState *theirs, bool *is_new);

/* Writes the answer to the packet just taken. sent: local time at which it leaves. */
void pond_clock_answer(PondClock *clock, const uint8_t *ask, double arrived, double sent,
                       const PondState *mine, uint8_t packet[POND_PACKET]);

/* -- the real clock and network -------------------------------------------------------------- */

typedef struct PondLink PondLink;

/* Opens a socket. place: "PORT" or "ADDRESS:PORT" to listen at, where PORT alone means 127.0.0.1,
 * so that only this machine can connect, and 0.0.0.0:PORT means all addresses of this machine; or
 * "ADDRESS:PORT" of the master. ADDRESS is a name or a number of IPv4. The local clock shows
 * offset + rate * (time since now). Returns NULL and writes one line if that is impossible. The
 * line begins with --listen or --peer if the place is none. */
PondLink *pond_link_open(bool listens, const char *place, double offset, double rate, char *error,
                         size_t error_size);
void pond_link_close(PondLink *link); /* NULL is allowed */

/* A number for pond_clock_init() that another run hardly has. */
uint32_t pond_link_session(const PondLink *link);

/* Local time, s. */
double pond_link_now(const PondLink *link);

/* Sends and takes packets for so many seconds of real time; 0 = what has arrived already. Sets
 * *theirs to the newest state of the peer; returns whether there was one. */
bool pond_link_exchange(PondLink *link, PondClock *clock, const PondState *mine, PondState *theirs,
                        double seconds);

#endif
