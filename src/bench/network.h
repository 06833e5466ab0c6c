/* SPDX-License-Identifier: MIT
 *
 * A network between ranks, simulated by delays, and what a scene would need on ranks that it joins.
 */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include "scene/scene.h"
#include <billow/exchange.h>
#include <stdio.h>

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
    BillowTraffic fastest; /* both of the fastest step (bench_time_steps) */
    double fastest_seconds;
    BillowTraffic begun; /* the transfer that has begun */
    double start;        /* when it began here, s */
    double *starts;      /* when it began on the ranks that send; one entry per rank */
    BillowMessage *list; /* its messages, and those with the times */
    int listed;          /* messages in the list */
    size_t room;         /* number of messages for which memory is allocated */
} Wire;

/* The table of a wire, which must outlive it. */
BillowExchange wire_exchange(Wire *wire);
void wire_free(Wire *wire);

/* Memory, exchanges and time on several ranks, predicted from a few steps on a coarser grid on this
 * machine. */
typedef struct Prediction {
    int grid[3];           /* of the measured steps */
    int threads;           /* of the measured steps */
    double ns_per_cell;    /* of a measured substep */
    double substeps;       /* of a step */
    BillowTraffic traffic; /* of a step */
    double computing;      /* time of a step, s */
    double exchanging;     /* time of its exchanges, s */
    double waiting;        /* the part of `exchanging` without those that work overlaps, s */
} Prediction;

/* Predicts a step of the scene, whose flow has developed for a second, on so many ranks that each
 * compute as fast as this machine. Takes some seconds. Returns false and a message if the grid
 * cannot be divided so, or if memory is short. */
bool predict_ranks(const Scene *scene, int ranks, Network network, Prediction *prediction,
                   BillowError *error);

/* Prints lines that begin with "predicted". */
void prediction_print(const Prediction *prediction, int ranks, Network network, FILE *stream);

#endif
