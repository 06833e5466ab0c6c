/* SPDX-License-Identifier: MIT
 *
 * What a scene would need on several ranks: memory, exchanges and time, predicted from a few steps
 * on a coarser grid on this machine. */
#ifndef BENCH_PREDICTION_H
#define BENCH_PREDICTION_H

#include "bench/network.h"
#include "scene/scene.h"

#include <stdio.h>

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
