/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#endif
#include "bench/network.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double network_seconds(Network network, const BillowTraffic *traffic, int ranks)
{
    double rounds = traffic->transfers + traffic->gathers * ceil(log2(ranks));
    if (!(network.gigabits > 0))
        return 0;
    return 1e-6 * network.latency * rounds + 8 * traffic->bytes / (1e9 * network.gigabits);
}

/* A sleep may end this much later, s. */
#define SLEEP_LATE 2e-4

/* Sleeps, where ranks share cores, and spins at the end, because a message takes less time than a
 * sleep can be late. */
static void delay_until(double end)
{
    double seconds = end - clock_seconds();
    if (seconds > SLEEP_LATE)
        nanosleep(&(struct timespec){.tv_sec = (time_t)(seconds - SLEEP_LATE),
                                     .tv_nsec = (long)(1e9 * fmod(seconds - SLEEP_LATE, 1))},
                  NULL);
    while (clock_seconds() < end)
        continue;
}

/* Counts an exchange and delays its end, if it began everywhere at `start` at the latest. */
static void finish(Wire *wire, double start, const BillowTraffic *one)
{
    BillowTraffic *sum = &wire->traffic;
    sum->bytes += one->bytes;
    sum->messages += one->messages;
    sum->transfers += one->transfers;
    sum->gathers += one->gathers;
    if (wire->network.gigabits > 0)
        delay_until(start + network_seconds(wire->network, one, wire->through.ranks));
}

static void list_message(Wire *wire, BillowMessage message)
{
    if (wire->listed == wire->room) {
        wire->room = 2 * wire->room + 64;
        wire->list = realloc(wire->list, (size_t)wire->room * sizeof *wire->list);
        if (wire->list == NULL)
            abort(); /* the other ranks wait */
    }
    wire->list[wire->listed++] = message;
}

/* Lists the messages, and one with the time to and from every rank that is sent to or received
 * from: planes arrive when the rank that computed them has sent them. */
static void list_messages(Wire *wire, const BillowMessage *messages, int count)
{
    const size_t bytes = sizeof wire->start;
    wire->listed = 0;
    for (int m = 0; m < count; m++)
        list_message(wire, messages[m]);
    for (int m = 0; m < count && wire->network.gigabits > 0; m++) {
        int rank = messages[m].rank, before = 0;
        while (messages[before].rank != rank || messages[before].send != messages[m].send)
            before++;
        if (before == m)
            list_message(wire, (BillowMessage){
                                   rank, messages[m].send,
                                   messages[m].send ? &wire->start : &wire->starts[rank], bytes});
    }
}

static void wire_begin(void *context, const BillowMessage *messages, int count)
{
    Wire *wire = context;
    double start = clock_seconds();
    wire->begun = (BillowTraffic){.transfers = 1};
    for (int m = 0; m < count; m++)
        if (messages[m].send) {
            wire->begun.bytes += (double)messages[m].bytes;
            wire->begun.messages++;
        }
    list_messages(wire, messages, count);
    wire->start = clock_seconds();
    wire->through.begin(wire->through.context, wire->list, wire->listed);
    wire->seconds += clock_seconds() - start;
}

static void wire_finish(void *context)
{
    Wire *wire = context;
    double start = clock_seconds(), last = wire->start;
    wire->through.finish(wire->through.context);
    for (int m = 0; m < wire->listed; m++) {
        const BillowMessage *message = &wire->list[m];
        if (message->memory == &wire->starts[message->rank])
            last = fmax(last, wire->starts[message->rank]);
    }
    finish(wire, last, &wire->begun);
    wire->seconds += clock_seconds() - start;
}

/* Around a ring a rank sends on what it has received: all but its own part. */
static void wire_gather(void *context, void *memory, const size_t *offsets)
{
    Wire *wire = context;
    const BillowExchange *through = &wire->through;
    size_t own = offsets[through->rank + 1] - offsets[through->rank];
    const BillowTraffic one = {.gathers = 1, .bytes = (double)(offsets[through->ranks] - own)};
    double start = clock_seconds();
    through->gather(through->context, memory, offsets);
    finish(wire, clock_seconds(), &one);
    wire->seconds += clock_seconds() - start;
}

BillowExchange wire_exchange(Wire *wire)
{
    wire->starts = calloc((size_t)wire->through.ranks, sizeof *wire->starts);
    if (wire->starts == NULL)
        abort(); /* the other ranks wait */
    return (BillowExchange){wire,       wire->through.rank, wire->through.ranks,
                            wire_begin, wire_finish,        wire_gather};
}

void wire_free(Wire *wire)
{
    free(wire->starts);
    free(wire->list);
}
