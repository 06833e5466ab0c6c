/* SPDX-License-Identifier: MIT */
#include "bench/prediction.h"

#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "bench/measure.h"
#include "capture/scene_start.h"
#include "scene/scene_play.h"

#include <math.h>
#include <string.h>

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
