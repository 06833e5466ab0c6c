/* SPDX-License-Identifier: MIT */
#include "sim/fields/meter.h"

#include "base/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The present piece of one worker, in a cache line of its own. */
typedef struct Piece {
    double begun; /* since the last pause: processor time of the worker's thread, s */
    double spent; /* before it, s */
    char apart[48];
} Piece;

/* What the workers did before a barrier, beside the times. */
typedef struct Row {
    int mark;
    int waits; /* waits of worker 0 for its neighbours */
} Row;

struct Meter {
    int workers;
    double reading; /* time that reading the clock adds to a piece, s */
    Piece *pieces;  /* of each worker */
    int count;      /* barriers passed since meter_use; `rows` has a row for each */
    int known;      /* most barriers passed in earlier uses, whose rows have times already */
    int capacity;   /* number of rows that there is memory for; more than `count` */
    int marked;     /* number of rows that meter_mark has filed */
    Row *rows;
    double *times;             /* of each worker in each row, s; 0: no piece */
    double cuts[METER_MARKS];  /* pieces of worker 0 that end at marks, s */
    double least[METER_MARKS]; /* the same, least of all uses */
};

/* One worker is alone if the others have less than this part of its work. */
#define ALONE 0.1

static _Thread_local Meter *used;

/* Makes room for the row of the next barrier. Returns false if memory is short. */
static bool make_room(Meter *meter)
{
    if (meter->count < meter->capacity)
        return true;
    const size_t capacity = 2 * (size_t)meter->capacity + 1000;
    double *times = realloc(meter->times, capacity * (size_t)meter->workers * sizeof *times);
    meter->times = times != NULL ? times : meter->times;
    Row *rows = times != NULL ? realloc(meter->rows, capacity * sizeof *rows) : NULL;
    meter->rows = rows != NULL ? rows : meter->rows;
    meter->capacity = rows != NULL ? (int)capacity : meter->capacity;
    return rows != NULL;
}

/* Least time between two readings of the clock, s. */
static double time_reading(void)
{
    double least = INFINITY;
    for (int reading = 0; reading < 100; reading++) {
        const double begun = clock_thread_seconds();
        least = fmin(least, clock_thread_seconds() - begun);
    }
    return least;
}

Meter *meter_create(int workers)
{
    Meter *meter = calloc(1, sizeof *meter);
    if (meter == NULL)
        return NULL;
    meter->workers = workers;
    meter->reading = time_reading();
    for (int mark = 0; mark < METER_MARKS; mark++)
        meter->least[mark] = INFINITY;
    meter->pieces = calloc((size_t)workers, sizeof *meter->pieces);
    if (meter->pieces != NULL && make_room(meter))
        return meter;
    meter_destroy(meter);
    return NULL;
}

int meter_workers(const Meter *meter)
{
    return meter->workers;
}

void meter_destroy(Meter *meter)
{
    if (meter == NULL)
        return;
    free(meter->times);
    free(meter->rows);
    free(meter->pieces);
    free(meter);
}

static double *times_of(const Meter *meter, int row)
{
    return meter->times + (size_t)row * (size_t)meter->workers;
}

static void begin_row(Meter *meter)
{
    meter->rows[meter->count] = (Row){0};
    if (meter->count >= meter->known)
        memset(times_of(meter, meter->count), 0, (size_t)meter->workers * sizeof *meter->times);
}

/* Ends the use of a meter. */
static void finish(Meter *meter)
{
    for (int mark = 0; mark < METER_MARKS; mark++)
        meter->least[mark] = fmin(meter->least[mark], meter->cuts[mark]);
    if (meter->known < meter->count)
        meter->known = meter->count;
}

void meter_use(Meter *meter)
{
    if (used != NULL)
        finish(used);
    used = meter;
    if (meter == NULL)
        return;
    meter->count = meter->marked = 0;
    memset(meter->cuts, 0, sizeof meter->cuts);
    begin_row(meter);
}

Meter *meter_used(void)
{
    return used;
}

void meter_begin(Meter *meter, int worker)
{
    if (meter != NULL)
        meter->pieces[worker].begun = clock_thread_seconds();
}

void meter_pause(Meter *meter, int worker)
{
    if (meter == NULL)
        return;
    Piece *piece = &meter->pieces[worker];
    piece->spent += fmax(clock_thread_seconds() - piece->begun - meter->reading, 0);
}

void meter_count_wait(Meter *meter)
{
    if (meter != NULL)
        meter->rows[meter->count].waits++;
}

/* Ends a piece and returns its time, s. */
static double end_piece(Meter *meter, int worker)
{
    meter_pause(meter, worker);
    const double spent = meter->pieces[worker].spent;
    meter->pieces[worker].spent = 0;
    return spent;
}

void meter_end(Meter *meter, int worker)
{
    if (meter == NULL)
        return;
    double *time = &times_of(meter, meter->count)[worker];
    const double spent = end_piece(meter, worker);
    *time = meter->count < meter->known ? fmin(*time, spent) : spent;
}

void meter_barrier(Meter *meter)
{
    if (meter == NULL)
        return;
    meter->count++;
    if (!make_room(meter))
        meter->count--; /* the next row replaces this one */
    begin_row(meter);
}

void meter_mark(int mark)
{
    if (used == NULL)
        return;
    used->cuts[mark] += end_piece(used, 0); /* the other workers wait */
    meter_begin(used, 0);
    while (used->marked < used->count)
        used->rows[used->marked++].mark = mark;
}

MeteredWork meter_work(const Meter *meter, int mark)
{
    const double cut = meter->least[mark];
    MeteredWork work = {.all = cut, .longest = cut, .alone = cut};
    for (int row = 0; row < meter->marked; row++) {
        const double *times = times_of(meter, row);
        double longest = 0, sum = 0;
        if (meter->rows[row].mark != mark)
            continue;
        for (int worker = 0; worker < meter->workers; worker++) {
            sum += times[worker];
            longest = fmax(longest, times[worker]);
        }
        work.barriers++;
        work.waits += meter->rows[row].waits;
        work.longest += longest;
        work.all += sum;
        if (sum - longest < ALONE * longest)
            work.alone += longest;
        else
            work.shared += sum;
    }
    return work;
}
