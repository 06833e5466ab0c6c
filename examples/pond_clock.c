/* SPDX-License-Identifier: MIT
 *
 * The clocks of pond_clock.h. An ask leaves the follower at its local time a and arrives at the
 * master's local time b; the answer leaves at c and arrives at the follower at d. Then
 *
 *     (1) offset  (b + c) / 2 - (a + d) / 2, exact if both ways take the same time
 *     (2) trip    (d - a) - (c - b) / (1 + drift), by the follower's clock; the error of (1) is at
 *                 most half of it
 *     (3) fit     offset(local) = the line that fits the last samples by least squares, each with
 * the weight 1 / (trip - shortest trip + 0.3 ms)^2: waiting makes trips longer on one of the two
 * ways, so the shortest are the most exact. The slope is the drift, how much faster the master's
 * clock runs (4) shared  local + offset(local) (5) slices  n = floor(shared * rate); n - (those run
 * before) are due, the rest counts later
 *
 * Where a fit moves shared time back by up to 60 slices, the number of slices stays, and the next
 * slice comes later. A larger step back, and the jump into step, set the number back too; slices of
 * the same numbers are then run again.
 *
 * A packet has POND_PACKET bytes, numbers with the high byte first:
 *
 *      0  "POND"    4  version 1    5  kind: 'a' ask, 'A' answer    6  flags    7  0
 *      8  session of the sender, 32 bits        12  session of the follower, in an answer; else 0
 *     16  number of the ask, 32 bits            20  0
 *     24  a, 32  b, 40  c: local times, us, 64 bits; an ask has only a
 *     48  state, which counts with flag 1: 48 slices, 64 bits; 56 x, 60 y, 64 heading, 68 u, 72 v,
 *         76 turn, 32 bits, in 1e-5 of their units; flag 2: raining */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* SO_TIMESTAMP */
#endif
#include "pond_clock.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1, ASK = 'a', ANSWER = 'A', HAS_STATE = 1, RAINING = 2 };

static const uint8_t magic[4] = {'P', 'O', 'N', 'D'};
static const double ask_period = 0.05, longest_trip = 2; /* s */
static const double most_drift = 0.25; /* above that of the largest beside the least clock rate */
static const int64_t latest = (int64_t)1 << 52; /* us: 142 years */

/* -- packets --------------------------------------------------------------------------------- */

static void put(uint8_t *bytes, int count, uint64_t value)
{
    for (int k = 0; k < count; k++)
        bytes[k] = (uint8_t)(value >> (8 * (count - 1 - k)));
}

static uint64_t get(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int k = 0; k < count; k++)
        value = value << 8 | bytes[k];
    return value;
}

static void put_time(uint8_t *bytes, double seconds)
{
    put(bytes, 8, (uint64_t)llrint(seconds * 1e6));
}

/* Returns false if the time makes no sense. */
static bool get_time(const uint8_t *bytes, double *seconds)
{
    int64_t us = (int64_t)get(bytes, 8);
    *seconds = 1e-6 * (double)us;
    return us > -latest && us < latest;
}

static void put_part(uint8_t *bytes, float value)
{
    put(bytes, 4, (uint32_t)(int32_t)lrint(1e5 * (double)value));
}

static bool get_part(const uint8_t *bytes, float least, float most, float *value)
{
    *value = (float)(1e-5 * (double)(int32_t)(uint32_t)get(bytes, 4));
    return *value >= least && *value <= most;
}

static void put_state(const PondClock *clock, const PondState *state, uint8_t *packet)
{
    packet[6] = (uint8_t)((clock->in_step ? HAS_STATE : 0) | (state->raining ? RAINING : 0));
    put(packet + 48, 8, (uint64_t)state->slices);
    const float parts[] = {state->x, state->y, state->heading, state->u, state->v, state->turn};
    for (int k = 0; k < 6; k++)
        put_part(packet + 56 + 4 * k, parts[k]);
}

/* Returns false if a value is out of its range. */
static bool get_state(const PondRanges *ranges, const uint8_t *packet, PondState *state)
{
    state->raining = (packet[6] & RAINING) != 0;
    state->slices = (int64_t)get(packet + 48, 8);
    return state->slices > -latest && state->slices < latest &&
           get_part(packet + 56, 0, ranges->width, &state->x) &&
           get_part(packet + 60, 0, ranges->height, &state->y) &&
           get_part(packet + 64, -3.15f, 3.15f, &state->heading) &&
           get_part(packet + 68, -ranges->speed, ranges->speed, &state->u) &&
           get_part(packet + 72, -ranges->speed, ranges->speed, &state->v) &&
           get_part(packet + 76, -ranges->turn, ranges->turn, &state->turn);
}

static void begin_packet(const PondClock *clock, int kind, uint32_t number, uint8_t *packet)
{
    memset(packet, 0, POND_PACKET);
    memcpy(packet, magic, sizeof magic);
    packet[4] = VERSION;
    packet[5] = (uint8_t)kind;
    put(packet + 8, 4, clock->session);
    put(packet + 16, 4, number);
}

/* -- shared time ----------------------------------------------------------------------------- */

void pond_clock_init(PondClock *clock, bool follows, uint32_t session, PondRanges ranges)
{
    *clock = (PondClock){.follows = follows,
                         .in_step = !follows,
                         .session = session,
                         .ranges = ranges,
                         .next_ask = -INFINITY,
                         .state_slices = INT64_MIN};
    for (int k = 0; k < POND_ASKS; k++)
        clock->asked[k] = -INFINITY;
}

/* (4) */
double pond_clock_time(const PondClock *clock, double local)
{
    return local + clock->offset + clock->drift * (local - clock->reference);
}

/* (5) */
int pond_clock_slices(PondClock *clock, double local)
{
    int64_t due = (int64_t)floor(pond_clock_time(clock, local) * POND_SLICE_RATE);
    int64_t count = due - clock->slices;
    if (!clock->started) {
        clock->started = true;
        clock->slices = due;
        return 0;
    }
    if (count > POND_CATCH_UP || count < -POND_CATCH_UP) { /* too late, or a jump into step */
        clock->skipped += count > 0 ? count - POND_CATCH_UP : 0;
        clock->slices = due;
        return count > 0 ? POND_CATCH_UP : 0;
    }
    if (count <= 0)
        return 0;
    clock->slices = due;
    return (int)count;
}

bool pond_clock_lost(const PondClock *clock, double local)
{
    return clock->has_peer && local - clock->last_heard > POND_LOST_AFTER;
}

/* (2) */
static double trip_of(const PondClock *clock, const PondSample *sample)
{
    return sample->round - sample->wait / (1 + clock->drift);
}

/* (3) */
static void fit(PondClock *clock)
{
    double n = 0, s = 0, t = 0, ss = 0, st = 0, first = INFINITY, last = -INFINITY;
    const PondSample *best = &clock->samples[0];
    for (int k = 1; k < clock->sample_count; k++)
        if (trip_of(clock, &clock->samples[k]) < trip_of(clock, best))
            best = &clock->samples[k];
    clock->trip = trip_of(clock, best);
    for (int k = 0; k < clock->sample_count; k++) {
        const PondSample *sample = &clock->samples[k];
        double excess = trip_of(clock, sample) - clock->trip + 0.0003, w = 1 / (excess * excess);
        double x = sample->local - best->local, y = sample->offset - best->offset;
        n += w, s += w * x, t += w * y, ss += w * x * x, st += w * x * y;
        first = fmin(first, x), last = fmax(last, x);
    }
    clock->reference = best->local;
    clock->offset = best->offset;
    clock->drift = 0;
    double determinant = n * ss - s * s;
    if (clock->sample_count < 5 || last - first < 4 * ask_period || !(determinant > 0))
        return;
    double drift = (n * st - s * t) / determinant;
    if (fabs(drift) > most_drift)
        return;
    clock->drift = drift;
    clock->offset += (t - drift * s) / n;
}

/* (1), (2). Returns false if the times contradict each other. */
static bool measure(PondClock *clock, double a, double b, double c, double d)
{
    PondSample sample = {(a + d) / 2, (b + c) / 2 - (a + d) / 2, d - a, c - b};
    if (c < b || d < a || d - a > longest_trip || c - b > (1 + most_drift) * (d - a) + 1e-5)
        return false;
    clock->samples[clock->next_sample] = sample;
    clock->next_sample = (clock->next_sample + 1) % POND_SAMPLES;
    if (clock->sample_count < POND_SAMPLES)
        clock->sample_count++;
    fit(clock);
    if (!clock->in_step)
        clock->started = false; /* jump into step */
    clock->in_step = true;
    return true;
}

bool pond_clock_ask(PondClock *clock, double local, const PondState *mine,
                    uint8_t packet[POND_PACKET])
{
    if (!clock->follows || local < clock->next_ask)
        return false;
    clock->next_ask = local + ask_period;
    clock->number++;
    clock->asked[clock->number % POND_ASKS] = local;
    begin_packet(clock, ASK, clock->number, packet);
    put_time(packet + 24, local);
    put_state(clock, mine, packet);
    return true;
}

void pond_clock_answer(PondClock *clock, const uint8_t *ask, double arrived, double sent,
                       const PondState *mine, uint8_t packet[POND_PACKET])
{
    begin_packet(clock, ANSWER, (uint32_t)get(ask + 16, 4), packet);
    memcpy(packet + 12, ask + 8, 4);
    memcpy(packet + 24, ask + 24, 8);
    put_time(packet + 32, arrived);
    put_time(packet + 40, sent);
    put_state(clock, mine, packet);
}

/* Forgets what is known of a peer that was another run of the program. */
static void meet(PondClock *clock, uint32_t session)
{
    if (clock->has_peer && clock->peer_session == session)
        return;
    clock->has_peer = true;
    clock->peer_session = session;
    clock->peer_number = 0;
    clock->state_slices = INT64_MIN;
    if (clock->follows) {
        clock->sample_count = clock->next_sample = 0;
        clock->in_step = false;
    }
}

/* An ask counts if it is newer than the one before. */
static bool take_ask(PondClock *clock, const uint8_t *bytes)
{
    double asked;
    uint32_t session = (uint32_t)get(bytes + 8, 4), number = (uint32_t)get(bytes + 16, 4);
    if (!get_time(bytes + 24, &asked) || number == 0 ||
        (clock->has_peer && clock->peer_session == session && number <= clock->peer_number))
        return false;
    meet(clock, session);
    clock->peer_number = number;
    return true;
}

/* An answer counts once, if it names an ask that was sent by this run and not long ago. */
static bool take_answer(PondClock *clock, double arrived, const uint8_t *bytes)
{
    double a, b, c;
    uint32_t number = (uint32_t)get(bytes + 16, 4);
    double *asked = &clock->asked[number % POND_ASKS];
    if ((uint32_t)get(bytes + 12, 4) != clock->session || number > clock->number ||
        clock->number - number >= POND_ASKS || !get_time(bytes + 24, &a) ||
        !get_time(bytes + 32, &b) || !get_time(bytes + 40, &c) || fabs(a - *asked) > 2e-6)
        return false;
    a = *asked;
    *asked = -INFINITY;
    meet(clock, (uint32_t)get(bytes + 8, 4));
    return measure(clock, a, b, c, arrived);
}

PondTaken pond_clock_take(PondClock *clock, double arrived, const uint8_t *bytes, size_t size,
                          PondState *theirs, bool *is_new)
{
    PondState state;
    *is_new = false;
    if (size != POND_PACKET || memcmp(bytes, magic, sizeof magic) != 0 || bytes[4] != VERSION ||
        bytes[5] != (clock->follows ? ANSWER : ASK) || bytes[7] != 0 ||
        (bytes[6] & ~(HAS_STATE | RAINING)) != 0 || get(bytes + 20, 4) != 0 ||
        !get_state(&clock->ranges, bytes, &state))
        return POND_IGNORED;
    if (pond_clock_lost(clock, arrived)) /* the rates may have changed since */
        clock->sample_count = clock->next_sample = 0;
    if (!(clock->follows ? take_answer(clock, arrived, bytes) : take_ask(clock, bytes)))
        return POND_IGNORED;
    clock->last_heard = arrived;
    double ahead = (double)state.slices / POND_SLICE_RATE - pond_clock_time(clock, arrived);
    if ((bytes[6] & HAS_STATE) != 0 && state.slices > clock->state_slices && fabs(ahead) < 10) {
        clock->state_slices = state.slices;
        *theirs = state;
        *is_new = true;
    }
    return clock->follows ? POND_MEASURED : POND_ANSWER;
}

/* -- the real clock and network -------------------------------------------------------------- */

struct PondLink {
    int socket;
    bool listens, has_peer;
    struct sockaddr_in peer; /* of the master: the follower that it answers */
    double start, offset, rate;
};

static double seconds_of(clockid_t id)
{
    struct timespec time;
    clock_gettime(id, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double local_of(const PondLink *link, double monotonic)
{
    return link->offset + link->rate * (monotonic - link->start);
}

double pond_link_now(const PondLink *link)
{
    return local_of(link, seconds_of(CLOCK_MONOTONIC));
}

/* From the time of the start and the number of the process. */
uint32_t pond_link_session(const PondLink *link)
{
    uint64_t z = (uint64_t)(seconds_of(CLOCK_REALTIME) * 1e9) ^
                 (uint64_t)(link->start * 1e9) << 20 ^ (uint64_t)getpid() << 44;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((z ^ (z >> 27)) * 0x94d049bb133111ebu >> 32);
}

enum { HOST_SIZE = 256 };

/* Splits "ADDRESS:PORT", or "PORT" alone. Returns the port, or NULL if the place has another form.
 */
static const char *split(const char *place, bool needs_address, char host[HOST_SIZE])
{
    const char *colon = strrchr(place, ':'), *port = colon != NULL ? colon + 1 : place;
    size_t length = colon != NULL ? (size_t)(colon - place) : 0;
    char *end;
    long number = strtol(port, &end, 10);
    if (*port < '0' || *port > '9' || *end != '\0' || number < 1 || number > 65535 ||
        length >= HOST_SIZE || (colon == NULL ? needs_address : length == 0))
        return NULL;
    snprintf(host, HOST_SIZE, "%.*s", (int)length, place);
    if (colon == NULL)
        snprintf(host, HOST_SIZE, "127.0.0.1");
    return port;
}

/* Finds the address of a place. Returns false and writes one line if it has none. */
static bool resolve(bool listens, const char *place, struct sockaddr_in *address, char *error,
                    size_t error_size)
{
    const char *option = listens ? "--listen" : "--peer";
    const char *form = listens ? "PORT or ADDRESS:PORT" : "ADDRESS:PORT", *port;
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
    char host[HOST_SIZE];
    if (strchr(place, '[') != NULL || strchr(place, ':') != strrchr(place, ':')) {
        snprintf(error, error_size, "%s: must be %s, IPv4 only, not '%.120s'", option, form, place);
        return false;
    }
    port = split(place, !listens, host);
    if (port == NULL || strchr(host, '*') != NULL) {
        snprintf(error, error_size, "%s: must be %s, not '%.120s'%s", option, form, place,
                 listens && port != NULL ? "; 0.0.0.0:PORT lets other machines connect" : "");
        return false;
    }
    int failure = getaddrinfo(host, port, &hints, &found);
    if (failure != 0) {
        snprintf(error, error_size, "%s: no IPv4 address of '%.120s' is found: %s", option, host,
                 failure == EAI_SYSTEM ? strerror(errno) : gai_strerror(failure));
        return false;
    }
    memcpy(address, found->ai_addr, sizeof *address);
    freeaddrinfo(found);
    return true;
}

PondLink *pond_link_open(bool listens, const char *place, double offset, double rate, char *error,
                         size_t error_size)
{
    struct sockaddr_in address;
    if (!resolve(listens, place, &address, error, error_size))
        return NULL;
    PondLink *link = calloc(1, sizeof *link);
    int number = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    if (link == NULL || number < 0 ||
        (listens ? bind : connect)(number, (struct sockaddr *)&address, sizeof address) != 0) {
        snprintf(error, error_size, "%s: no connection: %s", place, strerror(errno));
        free(link);
        if (number >= 0)
            close(number);
        return NULL;
    }
#if defined(SO_TIMESTAMP)
    setsockopt(number, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on); /* without it: see arrival() */
#endif
    *link = (PondLink){number, listens, false, {0}, seconds_of(CLOCK_MONOTONIC), offset, rate};
    return link;
}

void pond_link_close(PondLink *link)
{
    if (link != NULL)
        close(link->socket);
    free(link);
}

/* Monotonic time at which the real-time clock showed a time before now. Both clocks are read close
 * to each other: of several tries the one counts that was interrupted least. */
static double monotonic_of(double real)
{
    double least = INFINITY, found = 0;
    for (int k = 0; k < 5; k++) {
        double before = seconds_of(CLOCK_MONOTONIC), now = seconds_of(CLOCK_REALTIME);
        double after = seconds_of(CLOCK_MONOTONIC), ago = now - real;
        if (after - before >= least)
            continue;
        least = after - before;
        found = (before + after) / 2 - (ago > 0 && ago < 1 ? ago : 0); /* the clock may be set */
    }
    return found;
}

/* Monotonic time of the arrival of a message, as the kernel noted it. Without a note the message
 * arrives when it is read; then the fit has to do with the samples whose trip was short. */
static double arrival(struct msghdr *message)
{
#if defined(SO_TIMESTAMP)
    for (struct cmsghdr *note = CMSG_FIRSTHDR(message); note; note = CMSG_NXTHDR(message, note))
        if (note->cmsg_level == SOL_SOCKET && note->cmsg_type == SCM_TIMESTAMP) {
            struct timeval time;
            memcpy(&time, CMSG_DATA(note), sizeof time);
            return monotonic_of((double)time.tv_sec + 1e-6 * (double)time.tv_usec);
        }
#endif
    (void)message;
    return seconds_of(CLOCK_MONOTONIC);
}

/* Next packet that has arrived, its sender and the monotonic time of its arrival. Returns its size,
 * one more than POND_PACKET for all longer ones, or -1 if there is none. */
static long receive(const PondLink *link, uint8_t bytes[POND_PACKET + 1],
                    struct sockaddr_in *sender, double *arrived)
{
    _Alignas(struct cmsghdr) char notes[128];
    struct iovec part = {bytes, POND_PACKET + 1};
    struct msghdr message = {.msg_name = sender,
                             .msg_namelen = sizeof *sender,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = notes,
                             .msg_controllen = sizeof notes};
    long size = recvmsg(link->socket, &message, MSG_DONTWAIT);
    *arrived = size >= 0 ? arrival(&message) : 0;
    return size;
}

static bool same(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
    return a->sin_addr.s_addr == b->sin_addr.s_addr && a->sin_port == b->sin_port;
}

/* Takes what has arrived, 64 packets at most. A master keeps to one follower until that is lost. */
static bool take_all(PondLink *link, PondClock *clock, const PondState *mine, PondState *theirs)
{
    bool any = false, is_new;
    uint8_t bytes[POND_PACKET + 1] = {0}, answer[POND_PACKET];
    struct sockaddr_in sender;
    double arrived;
    long size = 0;
    for (int count = 0; count < 64; count++) {
        size = receive(link, bytes, &sender, &arrived);
        if (size < 0)
            break; /* none, or a peer that is not there */
        double local = local_of(link, arrived);
        if (link->listens && link->has_peer && !same(&sender, &link->peer) &&
            !pond_clock_lost(clock, local))
            continue;
        PondTaken taken = pond_clock_take(clock, local, bytes, (size_t)size, theirs, &is_new);
        any |= is_new;
        if (taken != POND_ANSWER)
            continue;
        link->peer = sender;
        link->has_peer = true;
        pond_clock_answer(clock, bytes, local, pond_link_now(link), mine, answer);
        sendto(link->socket, answer, sizeof answer, 0, (struct sockaddr *)&sender, sizeof sender);
    }
    return any;
}

bool pond_link_exchange(PondLink *link, PondClock *clock, const PondState *mine, PondState *theirs,
                        double seconds)
{
    uint8_t packet[POND_PACKET];
    double end = seconds_of(CLOCK_MONOTONIC) + seconds, left = seconds;
    bool any = false;
    do {
        any |= take_all(link, clock, mine, theirs);
        if (pond_clock_ask(clock, pond_link_now(link), mine, packet))
            send(link->socket, packet, sizeof packet, 0); /* lost ones are asked again */
        left = end - seconds_of(CLOCK_MONOTONIC);
        if (left > 0) {
            struct pollfd poller = {.fd = link->socket, .events = POLLIN};
            poll(&poller, 1, (int)fmin(ceil(1000 * left), 10));
        }
    } while (left > 0);
    return any;
}
