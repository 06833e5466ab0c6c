/* SPDX-License-Identifier: MIT
 *
 * Steps timed one by one, and what `sim` and `bench` both report of them. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "json.h"
#include "quiet.h"
#include "scene.h"
#include <billow/billow.h>

typedef struct Measure {
    char scene[64];
    int grid[3];
    int threads;
    int steps;
    double ms_step_min, ms_step_median;
    double cells_per_s;    /* from ms_step_min */
    BillowProfile profile; /* of the fastest step */
    BillowStats stats;     /* after the last step */
    int cycles;            /* most, and below largest, over the timed steps */
    double residual_relative;
    double divergence_max;
    double bytes_per_cell;
    double bandwidth_fraction; /* of stream_gbs, by the fastest step; NaN while that is unknown */
    double
        processor_share; /* processor time from the first timed step to the last, of what the
                            threads could have had: well below 1, other programs ran on their
                            processors, or the threads slept while they waited; NaN where unknown */
    uint64_t peak_rss_bytes;
    uint64_t state_hash;
    double *ms; /* each step's time; heap, measure_finish frees */
    int capacity;
    QuietWatch watch; /* since before the first step */
    double seconds;   /* from then to the end of the last */
} Measure;

bool measure_start(Measure *measure, const Scene *scene, const BillowSim *sim, int steps_most,
                   BillowError *error);
/* One timed step; returns its milliseconds. At most steps_most times. */
double measure_step(Measure *measure, BillowSim *sim, double dt);
/* Fills what is known only at the end. */
void measure_finish(Measure *measure, const BillowSim *sim);
/* The share of this bandwidth; 0: not measured. After measure_finish. */
void measure_compare(Measure *measure, double stream_gbs);
void measure_abandon(Measure *measure);

/* Of at least one; sorts them. */
double measure_median(double *values, int count);

/* All of it as members of object. */
void measure_json(Json *json, cJSON *object, const Measure *measure);

#endif
