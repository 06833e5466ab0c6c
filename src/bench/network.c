/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#endif
#include "bench/network.h"

#include "base/clock.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/system.h"
#include "bench/measure.h"
#include "scene/scene_play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double network_seconds(Network network, const BillowTraffic *traffic, int ranks)
{
    double rounds = traffic->transfers + traffic->gathers * ceil(log2(ranks));
    if (!(network.gigabits > 0))
        return 0;
    return 1e-6 * network.latency * rounds + 8 * traffic->bytes / (1e9 * network.gigabits);
}

/* -- a network of delays ----------------------------------------------------------------------- */

/* A sleep may end this much later, s. */
#define SLEEP_LATE 2e-4

/* Sleeps, where ranks share cores, and spins at the end, because a message takes less time than a
 * sleep can be late. */
static void delay_until(double end)
{
    double seconds = end - clock_seconds();
    if (seconds > SLEEP_LATE)
        nanosleep(&(struct timespec){.tv_sec = (time_t)(seconds - SLEEP_LATE),
                                     .tv_nsec = (long)(1e9 * fmod(seconds - SLEEP_LATE, 1))},
                  NULL);
    while (clock_seconds() < end)
        continue;
}

/* Counts an exchange and delays its end, if it began everywhere at `start` at the latest. */
static void finish(Wire *wire, double start, const BillowTraffic *one)
{
    BillowTraffic *sum = &wire->traffic;
    sum->bytes += one->bytes;
    sum->messages += one->messages;
    sum->transfers += one->transfers;
    sum->gathers += one->gathers;
    if (wire->network.gigabits > 0)
        delay_until(start + network_seconds(wire->network, one, wire->through.ranks));
}

static void list_message(Wire *wire, BillowMessage message)
{
    wire->list = grow(wire->list, &wire->room, (size_t)wire->listed + 1, sizeof *wire->list);
    if (wire->list == NULL)
        abort(); /* the other ranks wait */
    wire->list[wire->listed++] = message;
}

/* Lists the messages, and one with the time to and from every rank that is sent to or received
 * from: planes arrive when the rank that computed them has sent them. */
static void list_messages(Wire *wire, const BillowMessage *messages, int count)
{
    const size_t bytes = sizeof wire->start;
    wire->listed = 0;
    for (int m = 0; m < count; m++)
        list_message(wire, messages[m]);
    for (int m = 0; m < count && wire->network.gigabits > 0; m++) {
        int rank = messages[m].rank, before = 0;
        while (messages[before].rank != rank || messages[before].send != messages[m].send)
            before++;
        if (before == m)
            list_message(wire, (BillowMessage){
                                   rank, messages[m].send,
                                   messages[m].send ? &wire->start : &wire->starts[rank], bytes});
    }
}

static void wire_begin(void *context, const BillowMessage *messages, int count)
{
    Wire *wire = context;
    double start = clock_seconds();
    wire->begun = (BillowTraffic){.transfers = 1};
    for (int m = 0; m < count; m++)
        if (messages[m].send) {
            wire->begun.bytes += (double)messages[m].bytes;
            wire->begun.messages++;
        }
    list_messages(wire, messages, count);
    wire->start = clock_seconds();
    wire->through.begin(wire->through.context, wire->list, wire->listed);
    wire->seconds += clock_seconds() - start;
}

static void wire_finish(void *context)
{
    Wire *wire = context;
    double start = clock_seconds(), last = wire->start;
    wire->through.finish(wire->through.context);
    for (int m = 0; m < wire->listed; m++) {
        const BillowMessage *message = &wire->list[m];
        if (message->memory == &wire->starts[message->rank])
            last = fmax(last, wire->starts[message->rank]);
    }
    finish(wire, last, &wire->begun);
    wire->seconds += clock_seconds() - start;
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
    finish(wire, clock_seconds(), &one);
    wire->seconds += clock_seconds() - start;
}

BillowExchange wire_exchange(Wire *wire)
{
    wire->starts = calloc((size_t)wire->through.ranks, sizeof *wire->starts);
    if (wire->starts == NULL)
        abort(); /* the other ranks wait */
    return (BillowExchange){wire,       wire->through.rank, wire->through.ranks,
                            wire_begin, wire_finish,        wire_gather};
}

void wire_free(Wire *wire)
{
    free(wire->starts);
    free(wire->list);
}

/* -- a prediction ------------------------------------------------------------------------------ */

/* Most cells of the measured steps. Fields of so many do not fit in caches. */
#define CELLS_MOST   2.2e6
#define DEVELOP_TIME 1.0 /* simulated time before the measured steps, s */
enum { DEVELOP_STEPS = 20, MEASURED_STEPS = 3 };

/* Sets a grid of which each axis has a power of two fewer cells, such that it has at most
 * CELLS_MOST. */
static bool coarsen(Scene *scene, const BillowDef *def, BillowError *error)
{
    const int n[3] = {def->nx, def->ny, def->nz};
    double cells = measure_cells(n);
    int factor = 1, coarse[3];
    char text[40];
    while (cells / pow(factor, 3) > CELLS_MOST)
        factor *= 2;
    if (factor == 1)
        return true;
    for (int axis = 0; axis < 3; axis++)
        coarse[axis] = (int)fmax(BILLOW_GRID_MIN, round((double)n[axis] / factor));
    snprintf(text, sizeof text, "%dx%dx%d", coarse[0], coarse[1], coarse[2]);
    return scene_set_grid(scene, text, error);
}

/* Takes steps in which the smoke crosses as many cells as in a step of the predicted grid. Several,
 * because fields trade their memory from one to the next. */
static bool measure_steps(const SceneDriver *driver, double dt, const BillowDef *divided, int ranks,
                          Prediction *prediction, BillowError *error)
{
    BillowSim *sim = driver->sim;
    double fastest = INFINITY, substeps = 0;
    if (!billow_count_exchanges(sim, divided, ranks, error))
        return false;
    for (int s = 0; s < MEASURED_STEPS; s++) {
        if (!scene_driver_step(driver, dt, error))
            return false;
        int taken = billow_stats(sim).last_substeps;
        substeps += (double)taken / MEASURED_STEPS;
        fastest = fmin(fastest, 1e-3 * billow_profile(sim).total_ms / taken);
    }
    BillowTraffic *traffic = &prediction->traffic;
    const int n[3] = {divided->nx, divided->ny, divided->nz};
    *traffic = billow_traffic(sim);
    traffic->bytes /= MEASURED_STEPS;
    traffic->messages /= MEASURED_STEPS;
    traffic->transfers /= MEASURED_STEPS;
    traffic->gathers /= MEASURED_STEPS;
    traffic->overlapped_bytes /= MEASURED_STEPS;
    traffic->overlapped_transfers /= MEASURED_STEPS;
    prediction->substeps = substeps;
    prediction->threads = billow_threads(sim);
    prediction->ns_per_cell = 1e9 * fastest / measure_cells(prediction->grid);
    prediction->computing =
        1e-9 * prediction->ns_per_cell * substeps * measure_cells(n) * traffic->share;
    return true;
}

static bool develop(const SceneDriver *driver, double step, BillowError *error)
{
    int steps = (int)fmax(DEVELOP_STEPS, ceil(DEVELOP_TIME / step - 1e-6));
    Progress progress = progress_start(false);
    bool good = true;
    for (int s = 0; s < steps && good; s++) {
        good = scene_driver_step(driver, step, error);
        progress_update(&progress, "prediction: step", s + 1, steps);
    }
    progress_end(&progress);
    return good;
}

bool predict_ranks(const Scene *scene, int ranks, Network network, Prediction *prediction,
                   BillowError *error)
{
    const BillowDef divided = scene_def(scene);
    Scene coarse = *scene;
    *prediction = (Prediction){0};
    if (!coarsen(&coarse, &divided, error))
        return false;
    BillowDef def = scene_def(&coarse);
    memcpy(prediction->grid, (const int[3]){def.nx, def.ny, def.nz}, sizeof prediction->grid);
    SceneDriver driver;
    double step = (double)scene->step;
    bool good = scene_driver_create(&driver, &coarse, &def, NULL, error) &&
                billow_count_exchanges(driver.sim, &divided, ranks, error) &&
                develop(&driver, step, error) &&
                measure_steps(&driver, step * (double)(def.cell_size / divided.cell_size), &divided,
                              ranks, prediction, error);
    scene_driver_destroy(&driver);
    const BillowTraffic *traffic = &prediction->traffic;
    const BillowTraffic overlapped = {.bytes = traffic->overlapped_bytes,
                                      .transfers = traffic->overlapped_transfers};
    prediction->exchanging = network_seconds(network, traffic, ranks);
    prediction->waiting = prediction->exchanging - network_seconds(network, &overlapped, ranks);
    return good;
}

void prediction_print(const Prediction *prediction, int ranks, Network network, FILE *stream)
{
    const BillowTraffic *traffic = &prediction->traffic;
    char memory[32], bytes[32];
    report_bytes(traffic->memory, memory, sizeof memory);
    report_bytes(traffic->bytes, bytes, sizeof bytes);
    number_fprint(
        stream,
        "  predicted on %d ranks: %s of memory per rank\n"
        "  predicted per step and rank: %s sent in %.0f messages and %.0f gathers, %.3g "
        "substeps\n"
        "  predicted time of a step: %.3g to %.3g s, of which exchanges take %.3g to %.3g s at "
        "%.4g Gb/s and %.4g us;\n"
        "  computing from %.3g ns per cell and substep, measured here at %dx%dx%d with %d "
        "thread%s\n",
        ranks, memory, bytes, traffic->messages, traffic->gathers, prediction->substeps,
        prediction->computing + prediction->waiting, prediction->computing + prediction->exchanging,
        prediction->waiting, prediction->exchanging, network.gigabits, network.latency,
        prediction->ns_per_cell, prediction->grid[0], prediction->grid[1], prediction->grid[2],
        prediction->threads, prediction->threads == 1 ? "" : "s");
}
