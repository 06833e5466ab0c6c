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

/* Exchanges that are counted and timed, and delayed as by a network. With a network the ranks must
 * run on one machine, whose clock they share. */
typedef struct Wire {
    BillowExchange through; /* what carries the messages */
    Network network;
    BillowTraffic traffic; /* sent so far */
    double seconds;        /* waited for exchanges so far, and for other ranks */
    BillowTraffic begun;   /* the transfer that has begun */
    double start;          /* when it began here, s */
    double *starts;        /* when it began on the ranks that send; one entry per rank */
    BillowMessage *list;   /* its messages, and those with the times */
    int listed, room;      /* messages in the list, and number for which memory is allocated */
} Wire;

/* The table of a wire, which must outlive it. */
BillowExchange wire_exchange(Wire *wire);
void wire_free(Wire *wire);

#endif
