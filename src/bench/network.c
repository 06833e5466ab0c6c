/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#endif
#include "network.h"

#include "clock.h"

#include <math.h>
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
static void delay(double seconds)
{
    double end = clock_seconds() + seconds;
    if (seconds > SLEEP_LATE)
        nanosleep(&(struct timespec){.tv_sec = (time_t)(seconds - SLEEP_LATE),
                                     .tv_nsec = (long)(1e9 * fmod(seconds - SLEEP_LATE, 1))},
                  NULL);
    while (clock_seconds() < end)
        continue;
}

/* Counts an exchange that began at `start`, and delays its end. The data of all ranks has arrived
 * by then, so that the whole time of the network follows. */
static void finish(Wire *wire, double start, const BillowTraffic *one)
{
    BillowTraffic *sum = &wire->traffic;
    sum->bytes += one->bytes;
    sum->messages += one->messages;
    sum->transfers += one->transfers;
    sum->gathers += one->gathers;
    delay(network_seconds(wire->network, one, wire->through.ranks));
    wire->seconds += clock_seconds() - start;
}

static void wire_transfer(void *context, const BillowMessage *messages, int count)
{
    Wire *wire = context;
    BillowTraffic one = {.transfers = 1};
    double start = clock_seconds();
    wire->through.transfer(wire->through.context, messages, count);
    for (int m = 0; m < count; m++)
        if (messages[m].send) {
            one.bytes += (double)messages[m].bytes;
            one.messages++;
        }
    finish(wire, start, &one);
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
    finish(wire, start, &one);
}

BillowExchange wire_exchange(Wire *wire)
{
    return (BillowExchange){wire, wire->through.rank, wire->through.ranks, wire_transfer,
                            wire_gather};
}
