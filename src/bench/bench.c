/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include "bench/stam_baseline.h"
#include "capture/scene_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double bench_gbs(const Measure *result)
{
    return 1e-6 * result->profile.bytes / result->ms_step_min;
}

const BenchStream *bench_stream(const Bench *bench, const Measure *result)
{
    BandwidthSize size = bandwidth_size_of(measure_cells(result->grid));
    const BenchStream *best = NULL;
    for (int index = 0; index < bench->stream_count; index++) {
        const BenchStream *stream = &bench->streams[index];
        if (stream->size == size && stream->threads <= result->threads && stream->gbs > 0 &&
            (best == NULL || stream->gbs > best->gbs))
            best = stream;
    }
    return best;
}

double bench_stream_most(const Bench *bench, BandwidthSize size)
{
    double most = 0;
    for (int index = 0; index < bench->stream_count; index++)
        if (bench->streams[index].size == size)
            most = fmax(most, bench->streams[index].gbs);
    return most;
}

void bench_compare(Bench *bench)
{
    for (int index = 0; index < bench->result_count; index++) {
        const BenchStream *stream = bench_stream(bench, &bench->results[index]);
        measure_compare(&bench->results[index], stream != NULL ? stream->gbs : 0);
    }
}

static bool same_grid(const Measure *left, const Measure *right)
{
    return memcmp(left->grid, right->grid, sizeof left->grid) == 0;
}

/* Finds the result with the fewest threads at the grid of `result`. Returns NULL if that is
 * `result` itself. */
static const Measure *with_fewest_threads(const Bench *bench, const Measure *result)
{
    const Measure *fewest = NULL;
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *other = &bench->results[index];
        if (same_grid(other, result) && other->threads < result->threads &&
            (fewest == NULL || other->threads < fewest->threads))
            fewest = other;
    }
    return fewest;
}

double bench_speedup(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? fewest->ms_step_min / result->ms_step_min : (double)NAN;
}

double bench_efficiency(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? bench_speedup(bench, result) * fewest->threads / result->threads
                          : (double)NAN;
}

int bench_baseline_side(const int grid[3])
{
    return (int)lround(cbrt(measure_cells(grid)));
}

const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result)
{
    int side = bench_baseline_side(result->grid);
    for (int index = 0; index < bench->baseline_count; index++)
        if (bench->baselines[index].grid == side)
            return &bench->baselines[index];
    return NULL;
}

double bench_baseline_ratio(const Bench *bench, const Measure *result)
{
    const BenchBaseline *baseline = bench_baseline(bench, result);
    return baseline != NULL ? result->cells_per_s / baseline->cells_per_s : (double)NAN;
}

/* Whether other programs disturbed the result (quiet_disturbed). */
static bool bench_disturbed(const Bench *bench, const Measure *result)
{
    return quiet_disturbed(result->processor_share, result->threads, bench->cores);
}

BenchFollow bench_follow(const Bench *bench, int index)
{
    if (bench->follows == NULL)
        return (BenchFollow){(double)NAN, (double)NAN};
    const Measure *follow = &bench->follows[index];
    double active = follow->active_share * measure_cells(follow->grid);
    return (BenchFollow){bench->results[index].ms_step_min / follow->ms_step_min,
                         active > 0 ? 1e6 * follow->ms_step_min / active : (double)NAN};
}

static const Measure *disagreement_among(const Measure *results, int count)
{
    for (int index = 1; index < count; index++) {
        const Measure *result = &results[index], *before = result - 1;
        if (same_grid(result, before) && result->state_hash != before->state_hash)
            return result;
    }
    return NULL;
}

const Measure *bench_disagreement(const Bench *bench)
{
    const Measure *found = disagreement_among(bench->results, bench->result_count);
    return found != NULL || bench->follows == NULL
               ? found
               : disagreement_among(bench->follows, bench->result_count);
}

enum { WARM_STEPS = 20, BASELINE_STEPS = 3, TRIES = 3 };
#define HEADROOM      0.7 /* a timed step has at most this share of the CFL limit */
#define DRIFT_SECONDS 5   /* longer sweeps measure the bandwidth again at their end, s */

/* At least WARM_STEPS. */
int bench_warm_steps(double develop, double step)
{
    double steps = ceil(develop / step - 1e-6);
    return steps > WARM_STEPS ? (int)fmin(steps, 1e9) : WARM_STEPS;
}

/* The step is short enough on every grid. HEADROOM lets the flow speed up during the timed steps.
 */
double bench_single_substep(const BillowSim *sim, double step)
{
    BillowStats stats = billow_stats(sim);
    double cells = stats.speed_max * step / (double)billow_view(sim).cell_size;
    double substeps = ceil(cells / (HEADROOM * (double)billow_params(sim).cfl));
    return substeps > 1 ? step / substeps : step;
}

static Status time_steps(const SceneDriver *driver, const BenchPlan *plan, double step,
                         const char *what, Measure *measure, BillowError *error)
{
    int warm = bench_warm_steps(plan->develop, step), total = warm + plan->steps;
    Progress progress = progress_start(plan->quiet);
    bool good = true;
    for (int taken = 0; taken < total && good && !system_interrupted(); taken++) {
        if (taken == warm)
            step = bench_single_substep(driver->sim, step);
        good = taken < warm ? scene_driver_step(driver, step, error)
                            : scene_driver_prepare(driver, step, error);
        if (good && taken >= warm)
            measure_step(measure, driver->sim, step);
        progress_update(&progress, what, taken + 1, total);
    }
    progress_end(&progress);
    return !good ? STATUS_FAILED : measure->steps == plan->steps ? STATUS_DONE : STATUS_INTERRUPTED;
}

/* Measures one result with a new simulation, so that all results start from the same state. */
static Status measure_once(const BenchPlan *plan, const Scene *scene, const BillowDef *def,
                           const char *what, Measure *measure, BillowError *error)
{
    system_reset_peak_memory();
    BillowDef played = *def;
    SceneDriver driver;
    Status status = STATUS_FAILED;
    if (scene_driver_create(&driver, scene, &played, NULL, error) &&
        measure_start(measure, scene, driver.sim, plan->steps, error)) {
        status = time_steps(&driver, plan, (double)scene->step, what, measure, error);
        if (status == STATUS_DONE && !scene_start_check_finite(driver.sim, error))
            status = STATUS_FAILED;
        if (status == STATUS_DONE)
            measure_finish(measure, driver.sim);
        measure_abandon(measure);
    }
    scene_driver_destroy(&driver);
    return status;
}

/* Measures a result, which is the next one or the same with BILLOW_DOMAIN_FOLLOW. Repeats a
 * measurement that other programs disturbed, up to TRIES in total. best->steps remains 0 if none
 * succeeds. */
static Status bench_one(const BenchPlan *plan, const Scene *scene, const BillowDef *def,
                        const Bench *bench, Measure *best, BillowError *error)
{
    Status status = STATUS_DONE;
    int tries = 0;
    char what[96];
    snprintf(what, sizeof what, "%d of %d: %dx%dx%d%s on %d thread%s: step",
             bench->result_count + 1, bench->planned, def->nx, def->ny, def->nz,
             def->domain == BILLOW_DOMAIN_FOLLOW ? ", follow," : "", def->threads,
             def->threads == 1 ? "" : "s");
    do {
        Measure measure;
        status = measure_once(plan, scene, def, what, &measure, error);
        if (status == STATUS_DONE && (tries == 0 || measure.ms_step_min < best->ms_step_min))
            *best = measure;
        tries += status == STATUS_DONE;
    } while (status == STATUS_DONE && tries < TRIES && bench_disturbed(bench, best));
    return status;
}

/* The time of the fastest step of a box without smoke, ms; NaN if there is no memory for the box,
 * or if a signal ends the run before. */
static double time_empty(const BillowDef *def, int steps, double step)
{
    BillowDef empty = *def;
    empty.emitter_count = empty.force_count = empty.solid_count = 0;
    BillowSim *sim = billow_create(&empty, NULL);
    double fastest = (double)INFINITY;
    for (int taken = 0; sim != NULL && taken <= steps && !system_interrupted(); taken++) {
        billow_step(sim, step);
        if (taken > 0) /* the first one places the memory */
            fastest = fmin(fastest, billow_profile(sim).total_ms);
    }
    billow_destroy(sim);
    return isfinite(fastest) ? fastest : (double)NAN;
}

/* Measures the next result, and the same with BILLOW_DOMAIN_FOLLOW if the plan wants that. The
 * result counts only if both are measured. */
static Status bench_next(const BenchPlan *plan, const Scene *scene, const BillowDef *def,
                         Bench *bench, BillowError *error)
{
    int next = bench->result_count;
    Status status = bench_one(plan, scene, def, bench, &bench->results[next], error);
    bool measured = bench->results[next].steps > 0;
    if (plan->follow && status == STATUS_DONE) {
        Scene following = *scene;
        following.def.domain = BILLOW_DOMAIN_FOLLOW;
        BillowDef following_def = scene_def(&following);
        following_def.threads = def->threads;
        status = bench_one(plan, &following, &following_def, bench, &bench->follows[next], error);
        bench->follows[next].ms_empty =
            time_empty(&following_def, plan->steps, (double)scene->step);
    }
    bench->result_count += measured && (!plan->follow || bench->follows[next].steps > 0);
    return status;
}

static bool check_baseline_memory(int side, BillowError *error)
{
    char what[64];
    snprintf(what, sizeof what, "the baseline at %d cells", side);
    return system_check_memory((double)stam_baseline_bytes(side), what, "smaller --grids", error);
}

/* Times BASELINE_STEPS steps of the baseline after one untimed step. The caller does this before
 * and after Billow's steps, so that a drift of the machine's speed affects both programs. */
static Status bench_baseline_steps(const BenchPlan *plan, BenchBaseline *result, BillowError *error)
{
    StamBaseline *baseline = stam_baseline_create(result->grid, error);
    if (baseline == NULL)
        return STATUS_FAILED;
    Progress progress = progress_start(plan->quiet);
    for (int taken = 0; taken <= BASELINE_STEPS && !system_interrupted(); taken++) {
        double start = clock_seconds();
        stam_baseline_step(baseline, 1.0f / 60);
        double ms = 1e3 * (clock_seconds() - start);
        if (taken > 0 && (result->ms_step_min <= 0 || ms < result->ms_step_min))
            result->ms_step_min = ms;
        progress_update(&progress, "baseline: step", taken + 1, BASELINE_STEPS + 1);
    }
    progress_end(&progress);
    /* Using the result keeps the compiler from removing the steps. */
    Status status = system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
    if (status == STATUS_DONE && !(stam_baseline_mass(baseline) > 0)) {
        fail(error, "the baseline at %d cells lost its smoke", result->grid);
        status = STATUS_FAILED;
    }
    stam_baseline_destroy(baseline);
    return status;
}

/* Times the baseline in a cube of `side` cells. It is called twice per grid; the faster time
 * counts. */
static Status time_baseline(const BenchPlan *plan, int side, Bench *bench, BillowError *error)
{
    int index = 0;
    while (index < bench->baseline_count && bench->baselines[index].grid != side)
        index++;
    BenchBaseline *result = &bench->baselines[index];
    result->grid = side;
    Status status = bench_baseline_steps(plan, result, error);
    if (result->ms_step_min > 0) {
        result->cells_per_s = (double)side * side * side / (1e-3 * result->ms_step_min);
        if (index == bench->baseline_count)
            bench->baseline_count++;
    }
    return status;
}

/* Checks that a scene can be timed with BILLOW_DOMAIN_FOLLOW and without. */
static Status check_follow(const BenchPlan *plan, const Scene *scene, BillowError *error)
{
    if (scene->def.domain == BILLOW_DOMAIN_FOLLOW) {
        fail(error,
             "--follow compares solver.domain: follow with the whole box, but %.200s has "
             "solver.domain: follow itself",
             plan->request.name_or_path);
        return STATUS_FAILED;
    }
    Scene following = *scene;
    following.def.domain = BILLOW_DOMAIN_FOLLOW;
    BillowDef def = scene_def(&following);
    return scene_start_check_memory(plan->request.name_or_path, &def, 0, error) ? STATUS_DONE
                                                                                : STATUS_FAILED;
}

static Status open_grid(const BenchPlan *plan, int index, Scene *scene, BillowDef *def,
                        BillowError *error)
{
    SceneRequest request = plan->request;
    request.grid = plan->grids.items[index];
    Status status = scene_start_load(&request, scene, def, 0, error);
    if (status == STATUS_DONE && plan->follow)
        status = check_follow(plan, scene, error);
    if (status != STATUS_DONE || !plan->baseline)
        return status;
    int side = bench_baseline_side((int[3]){def->nx, def->ny, def->nz});
    return check_baseline_memory(side, error) ? STATUS_DONE : STATUS_FAILED;
}

Status bench_steps_check(const BenchPlan *plan, BillowError *error)
{
    Scene scene;
    BillowDef def;
    Status status = STATUS_DONE;
    for (int index = 0; index < plan->grids.count && status == STATUS_DONE; index++) {
        status = open_grid(plan, index, &scene, &def, error);
        if (status == STATUS_DONE && !plan->quiet)
            scene_start_note(plan->request.name_or_path, &scene);
    }
    return status;
}

/* Measures one grid with every number of threads. */
static Status bench_grid(const BenchPlan *plan, int index, Bench *bench, BillowError *error)
{
    Scene scene;
    BillowDef def;
    Status status = open_grid(plan, index, &scene, &def, error);
    if (status != STATUS_DONE)
        return status;
    int side = bench_baseline_side((int[3]){def.nx, def.ny, def.nz});
    if (plan->baseline)
        status = time_baseline(plan, side, bench, error);
    for (int count = 0; count < plan->threads.count && status == STATUS_DONE; count++) {
        def.threads = plan->threads.items[count];
        status = bench_next(plan, &scene, &def, bench, error);
    }
    if (plan->baseline && status == STATUS_DONE)
        status = time_baseline(plan, side, bench, error);
    return status;
}

/* Whether a grid of the plan is compared with a triad of this size. */
static bool compares(const BenchPlan *plan, BandwidthSize size)
{
    for (int index = 0; index < plan->grids.count; index++) {
        Scene scene;
        BillowDef def;
        if (open_grid(plan, index, &scene, &def, NULL) == STATUS_DONE &&
            bandwidth_size_of(measure_cells((int[3]){def.nx, def.ny, def.nz})) == size)
            return true;
    }
    return false;
}

/* Lists the triads to measure: for the array sizes that grids are compared with, with one thread
 * and with every number of threads of the sweep, in rising order. */
static void list_streams(const BenchPlan *plan, Bench *bench)
{
    const BenchThreads *threads = &plan->threads;
    for (int size = 0; size < BANDWIDTH_SIZES; size++)
        for (int last = 0, next = 1; next > last && compares(plan, (BandwidthSize)size);) {
            bench->streams[bench->stream_count++] = (BenchStream){
                .size = (BandwidthSize)size,
                .threads = next,
                .array_bytes = bandwidth_array_bytes((BandwidthSize)size),
            };
            last = next;
            for (int index = 0; index < threads->count; index++) {
                int candidate = threads->items[index];
                if (candidate > last && (next == last || candidate < next))
                    next = candidate;
            }
        }
}

static void measure_streams(const BenchPlan *plan, Bench *bench)
{
    Progress progress = progress_start(plan->quiet);
    for (int index = 0; index < bench->stream_count && !system_interrupted(); index++) {
        BenchStream *stream = &bench->streams[index];
        progress_update(&progress, "bandwidth: measurement", index, bench->stream_count);
        stream->gbs = fmax(stream->gbs, bandwidth_triad(stream->size, stream->threads).gbs);
    }
    progress_end(&progress);
}

Status bench_steps_sweep(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    bench->planned = plan->grids.count * plan->threads.count;
    bench->results = calloc((size_t)bench->planned, sizeof *bench->results);
    if (plan->follow)
        bench->follows = calloc((size_t)bench->planned, sizeof *bench->follows);
    if (bench->results == NULL || (plan->follow && bench->follows == NULL)) {
        fail(error, "no memory for the results");
        return STATUS_FAILED;
    }
    double start = clock_seconds();
    list_streams(plan, bench);
    measure_streams(plan, bench);
    Status status = system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
    for (int index = 0; index < plan->grids.count && status == STATUS_DONE; index++)
        status = bench_grid(plan, index, bench, error);
    if (status == STATUS_DONE && clock_seconds() - start > DRIFT_SECONDS)
        measure_streams(plan, bench);
    bench_compare(bench);
    return status;
}

Status bench_run(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    Status status = bench->kind->check != NULL ? bench->kind->check(plan, error) : STATUS_DONE;
    if (status != STATUS_DONE)
        return status;
    bench->cores = system_cores();
    bench->steps = plan->steps;
    system_cpu_name(bench->cpu, sizeof bench->cpu);
    system_watch_interrupts();
    return bench->kind->sweep(plan, bench, error);
}

void bench_finish(Bench *bench)
{
    free(bench->results);
    free(bench->follows);
    free(bench->kernels);
    free(bench->pictures);
    free(bench->ranks);
}
