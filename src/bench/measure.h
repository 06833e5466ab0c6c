/* SPDX-License-Identifier: MIT
 *
 * Times steps one by one, measures the bandwidth of the memory, and detects whether other programs
 * disturbed a measurement. `sim` and `bench` report the same figures. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/thread_model.h"
#include "io/json.h"
#include "scene/scene.h"
#include <billow/billow.h>
#include <stddef.h>
#include <stdio.h>

/* -- disturbance by other programs ------------------------------------------------------------- */

/* A measurement counts as disturbed if its process got less than this share of the processors'
 * time. */
#define QUIET_SHARE 0.85

/* State at the start of a measurement. */
typedef struct QuietWatch {
    double start;     /* clock, s */
    double processor; /* processor time of this process, s */
    int cores;        /* system_cores, which reads files: too slow for every step */
} QuietWatch;

QuietWatch quiet_watch(void);

/* Processor time of this process since quiet_watch, divided by the elapsed time of as many
 * processors as there are threads (at most all cores), 0 to 1; NaN: unknown. */
double quiet_share_since(QuietWatch watch, int threads);

/* Whether a processor share counts as disturbed. Always false with more threads than cores, because
 * the threads then wait for each other. */
bool quiet_disturbed(double share, int threads, int cores);

/* Counts the disturbed measurements of a report and remembers the most disturbed one. */
typedef struct QuietTally {
    const char *noun; /* what is counted: "results" */
    int cores;
    int figures, disturbed;
    char
        worst[96]; /* name and threads of the most disturbed measurement: "64x64x64 on 2 threads" */
    double share;  /* processor share of that measurement */
} QuietTally;

/* Adds one measurement. what: its name, such as "64x64x64". */
void quiet_count(QuietTally *tally, double share, int threads, const char *what);

/* Prints two lines, or nothing if no measurement was disturbed. */
void quiet_print(const QuietTally *tally, FILE *stream);

/* -- timed steps ------------------------------------------------------------------------------- */

typedef struct Measure {
    char scene[64];
    int place;        /* of the scene in the plan */
    int grid[3];      /* cells of the wind in the fastest step */
    int grid_last[3]; /* after the last step; differs if the box is unbounded */
    int refine;       /* cells of the smoke along an edge of each */
    double active;    /* share of the smoke's cells that take part after the last step */
    int threads;
    int steps;
    double ms_step_min, ms_step_median; /* ms */
    double cells_per_s;                 /* from ms_step_min */
    BillowProfile profile;              /* times of the stages in the fastest step */
    BillowStats stats;                  /* statistics after the last step */
    int cycles;                         /* largest number of pressure cycles in a timed step */
    double residual_relative;           /* largest relative residual of the timed steps */
    double divergence_max;              /* largest divergence of the timed steps, 1/s */
    double bytes_per_cell;
    double
        bandwidth_fraction; /* bandwidth of the fastest step over that of the triad; NaN: unknown */
    double processor_share; /* share of the processors' time that the process got from the first to
                               the last timed step (quiet_share_since) */
    ThreadModel model;      /* of the step after the timed ones */
    uint64_t peak_rss_bytes; /* 0: unknown */
    uint64_t state_hash;
    double *ms;       /* time of each step, ms; heap memory that measure_finish frees */
    int capacity;     /* length of ms */
    QuietWatch watch; /* started before the first timed step */
    double seconds;   /* time from the start of the first timed step to the end of the last, s */
} Measure;

/* Prepares the measurement of at most steps_most steps. */
bool measure_start(Measure *measure, const Scene *scene, const BillowSim *sim, int steps_most,
                   BillowError *error);
/* Simulates and times one step. Returns its time, ms. */
double measure_step(Measure *measure, BillowSim *sim, double dt);
/* Computes the members that summarise all steps. */
void measure_finish(Measure *measure, const BillowSim *sim);
/* Computes bandwidth_fraction. Call it after measure_finish. stream_gbs: bandwidth of the triad,
 * GB/s; 0: not measured. */
void measure_compare(Measure *measure, double stream_gbs);
void measure_abandon(Measure *measure);

/* Number of cells of a grid. */
double measure_cells(const int grid[3]);

/* Median of at least one value. Sorts the values. */
double measure_median(double *values, int count);

/* Adds the limits of this process to the description of a machine: processors, cpu_quota (cores)
 * and memory_limit_bytes; null without a limit. */
void measure_json_limits(Json *json, cJSON *machine);
/* Adds the members of measure to a JSON object, except stats. */
void measure_json(Json *json, cJSON *object, const Measure *measure);

/* -- bandwidth of the memory -------------------------------------------------------------------
 *
 * The loops of McCalpin's STREAM (1995) over three arrays of floats reach the bandwidth that is the
 * limit of every kernel. Bytes count the values read and written, not the cache lines fetched for
 * writing. */

typedef enum StreamLoop {
    STREAM_COPY,  /* a = b; traffic: 8 bytes a value */
    STREAM_SCALE, /* a = s b; traffic: 8 bytes a value */
    STREAM_TRIAD, /* a = b + s c; traffic: 12 bytes a value */
} StreamLoop;

enum { STREAM_COPY_BYTES = 8, STREAM_SCALE_BYTES = 8, STREAM_TRIAD_BYTES = 12 };

typedef struct Stream Stream;

/* Creates three arrays of count floats. Each thread is the first to write the part that it will
 * use, which places that part in the thread's local memory. Returns NULL if memory is short. If a
 * signal ends the run, the arrays are undefined. */
Stream *stream_create(ptrdiff_t count, int threads);
void stream_destroy(Stream *stream); /* NULL is fine */

/* Runs one pass over the arrays. Returns its time, s; 0: the clock is too coarse; NaN: the result
 * is wrong. */
double stream_run(Stream *stream, StreamLoop loop);

/* Where the three arrays of a triad fit. */
typedef enum BandwidthSize {
    BANDWIDTH_CACHE,  /* each array has at most 8 MiB and a quarter of the last-level cache */
    BANDWIDTH_MEMORY, /* each array has 64 to 512 MiB and all three together four times the
                         last-level cache; less if memory is short */
    BANDWIDTH_SIZES
} BandwidthSize;

const char *bandwidth_size_name(BandwidthSize size); /* "cache", "memory" */
size_t bandwidth_array_bytes(BandwidthSize size);    /* size of each of the three arrays, bytes */

/* The size of triad to compare a grid with: BANDWIDTH_CACHE if three fields of the grid fit in the
 * cache. */
BandwidthSize bandwidth_size_of(double cells);

typedef struct Bandwidth {
    double gbs;             /* bandwidth, GB/s, at 12 bytes a value; 0: memory is short */
    double processor_share; /* share of the processors' time that the process got
                               (quiet_share_since) */
} Bandwidth;

/* Runs the triad repeatedly with `threads` threads and returns the largest bandwidth. Takes at most
 * about a second; less if a signal ends the run, and then the bandwidth may be 0. */
Bandwidth bandwidth_triad(BandwidthSize size, int threads);

#endif
