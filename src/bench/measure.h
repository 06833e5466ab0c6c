/* SPDX-License-Identifier: MIT
 *
 * Steps timed one by one, and whether other programs disturbed the timing. `sim` and `bench` report
 * the same figures. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "json.h"
#include "scene.h"
#include <billow/billow.h>
#include <stddef.h>
#include <stdio.h>

/* -- disturbance by other programs ------------------------------------------------------------- */

/* A measurement that gets a smaller share of its processors' time counts as disturbed. */
#define QUIET_SHARE 0.85

/* State at the start of a measurement. */
typedef struct QuietWatch {
    double start;     /* clock, s */
    double processor; /* processor time of this process, s */
} QuietWatch;

QuietWatch quiet_watch(void);

/* Processor time of this process since the watch began, as a share of what so many threads could
 * have had, 0 to 1; NaN where unknown. */
double quiet_share_since(QuietWatch watch, int threads);

/* False for more threads than cores: those threads wait for each other, so their share tells
 * nothing. */
bool quiet_disturbed(double share, int threads, int cores);

/* Counts the disturbed figures of a report and remembers the worst. */
typedef struct QuietTally {
    const char *noun; /* what is counted: "results" */
    int cores;
    int figures, disturbed;
    char worst[96]; /* "64x64x64 on 2 threads" */
    double share;   /* of the worst figure */
} QuietTally;

/* what: name of the figure, such as "64x64x64". */
void quiet_count(QuietTally *tally, double share, int threads, const char *what);

/* Prints two lines, or nothing where no figure was disturbed. */
void quiet_print(const QuietTally *tally, FILE *stream);

/* -- timed steps ------------------------------------------------------------------------------- */

typedef struct Measure {
    char scene[64];
    int grid[3];
    int threads;
    int steps;
    double ms_step_min, ms_step_median; /* ms */
    double cells_per_s;                 /* from ms_step_min */
    BillowProfile profile;              /* of the fastest step */
    BillowStats stats;                  /* after the last step */
    int cycles;                         /* most pressure cycles of a timed step */
    double residual_relative;           /* largest of the timed steps */
    double divergence_max;              /* largest of the timed steps, 1/s */
    double bytes_per_cell;
    double bandwidth_fraction; /* of the measured bandwidth, by the fastest step; NaN: unknown */
    double processor_share;    /* from the first timed step to the last; see quiet_share_since */
    uint64_t peak_rss_bytes;   /* 0 where unknown */
    uint64_t state_hash;
    double *ms;       /* time of each step, ms; heap memory that measure_finish frees */
    int capacity;     /* length of ms */
    QuietWatch watch; /* started before the first step */
    double seconds;   /* from the first timed step to the end of the last, s */
} Measure;

bool measure_start(Measure *measure, const Scene *scene, const BillowSim *sim, int steps_most,
                   BillowError *error);
/* Takes and times one step; at most steps_most times. Returns its time, ms. */
double measure_step(Measure *measure, BillowSim *sim, double dt);
/* Fills the members that follow from all steps. */
void measure_finish(Measure *measure, const BillowSim *sim);
/* Fills bandwidth_fraction, after measure_finish. stream_gbs 0: bandwidth not measured. */
void measure_compare(Measure *measure, double stream_gbs);
void measure_abandon(Measure *measure);

/* Median of at least one value. Sorts the values. */
double measure_median(double *values, int count);

/* Adds all figures as members of object. */
void measure_json(Json *json, cJSON *object, const Measure *measure);

/* -- the loops --------------------------------------------------------------------------------- */

typedef enum StreamLoop {
    STREAM_COPY,  /* a = b: 8 bytes a value */
    STREAM_SCALE, /* a = s b: 8 bytes a value */
    STREAM_TRIAD, /* a = b + s c: 12 bytes a value */
    STREAM_LOOPS
} StreamLoop;

enum { STREAM_COPY_BYTES = 8, STREAM_SCALE_BYTES = 8, STREAM_TRIAD_BYTES = 12 };

typedef struct Stream Stream;

/* Three arrays of count floats. Each thread writes first to the part it uses later. NULL when
 * memory is short. */
Stream *stream_create(ptrdiff_t count, int threads);
void stream_destroy(Stream *stream); /* NULL is fine */

/* Time of one pass over the arrays, s; 0 where the clock is too coarse; NaN where the result is
 * wrong. */
double stream_run(Stream *stream, StreamLoop loop);

/* -- the best triad ---------------------------------------------------------------------------- */

typedef enum BandwidthSize {
    BANDWIDTH_CACHE,  /* each array at most 8 MiB and a quarter of the last-level cache */
    BANDWIDTH_MEMORY, /* arrays of 128 to 512 MiB, together four times the last-level cache; smaller
                         where memory is short */
    BANDWIDTH_SIZES
} BandwidthSize;

const char *bandwidth_size_name(BandwidthSize size); /* "cache", "memory" */
size_t bandwidth_array_bytes(BandwidthSize size);    /* bytes of each of the three arrays */

/* Which triad a grid of this many cells is compared with: cache where three of its fields fit. */
BandwidthSize bandwidth_size_of(double cells);

typedef struct Bandwidth {
    double gbs;             /* GB/s, 12 bytes a value; 0 when memory is short */
    double processor_share; /* see quiet_share_since in measure.h */
} Bandwidth;

/* The best of several triads on so many threads. Takes a fraction of a second. */
Bandwidth bandwidth_triad(BandwidthSize size, int threads);

#endif
