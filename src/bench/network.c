/* SPDX-License-Identifier: MIT */
#include "network.h"

#include "clock.h"

#include <math.h>

double network_seconds(Network network, const BillowTraffic *traffic, int ranks)
{
    double rounds = traffic->transfers + traffic->gathers * ceil(log2(ranks));
    if (!(network.gigabits > 0))
        return 0;
    return 1e-6 * network.latency * rounds + 8 * traffic->bytes / (1e9 * network.gigabits);
}

/* Spins, because a sleep takes longer than a message. */
static void delay(double seconds)
{
    double end = clock_seconds() + seconds;
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
