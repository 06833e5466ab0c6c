/* SPDX-License-Identifier: MIT
 *
 * A network between ranks: predicted, and simulated by delays. */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include <billow/exchange.h>

typedef struct Network {
    double gigabits; /* bandwidth in each direction, Gb/s; 0 = no network */
    double latency;  /* of a message, us */
} Network;

/* A common network of clusters. */
#define NETWORK_USUAL ((Network){25, 5})

/* Time that a rank needs for these exchanges, s. The messages of a transfer share the latency. A
 * gather takes a round for each doubling of the ranks. */
double network_seconds(Network network, const BillowTraffic *traffic, int ranks);

/* Exchanges that are counted and timed, and delayed as by a network. */
typedef struct Wire {
    BillowExchange through; /* what carries the messages */
    Network network;
    BillowTraffic traffic; /* sent so far */
    double seconds;        /* in exchanges so far, with waiting for other ranks */
} Wire;

/* The table of a wire, which must outlive it. */
BillowExchange wire_exchange(Wire *wire);

#endif
