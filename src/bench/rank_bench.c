/* SPDX-License-Identifier: MIT
 *
 * The benchmark of ranks: strong scaling, of one grid on more and more ranks, and weak scaling, of
 * a grid that is as many times as long along z. All ranks of mpirun call it. Those that a result
 * does not need sleep until it is done. */
#include "base/fail.h"
#include "bench/bench.h"
#include "capture/scene_start.h"
#include "mpi/cluster.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- agreement --------------------------------------------------------------------------------- */

/* Mean and largest of the values of all ranks of an exchange; `parts` NULL: of one process. */
typedef struct Spread {
    double mean, most;
} Spread;

static Spread spread_of(const BillowExchange *part, double value)
{
    double values[BENCH_RANKS_MAX];
    size_t offsets[BENCH_RANKS_MAX + 1];
    Spread spread = {value, value};
    if (part == NULL)
        return spread;
    for (int r = 0; r <= part->ranks; r++)
        offsets[r] = (size_t)r * sizeof value;
    values[part->rank] = value;
    part->gather(part->context, values, offsets);
    spread = (Spread){0, values[0]};
    for (int r = 0; r < part->ranks; r++) {
        spread.mean += values[r] / part->ranks;
        spread.most = fmax(spread.most, values[r]);
    }
    return spread;
}

/* -- one result -------------------------------------------------------------------------------- */

/* A simulation on some of the ranks. */
typedef struct Trial {
    Scene scene;
    BillowDef def;
    const BillowExchange *part; /* NULL: on one rank */
    Wire wire;
    BillowExchange exchange; /* `part` through the wire */
    SceneDriver driver;
} Trial;

static Status run_trial(Trial *trial, const BenchPlan *plan, const char *what, RankFigure *figure,
                        BillowError *error)
{
    Measure measure = {0};
    if (trial->part != NULL) {
        trial->wire.through = *trial->part;
        trial->exchange = wire_exchange(&trial->wire);
    }
    if (!scene_driver_create(&trial->driver, &trial->scene, &trial->def,
                             trial->part != NULL ? &trial->exchange : NULL, error))
        return STATUS_FAILED;
    bool good = measure_start(&measure, &trial->scene, trial->driver.sim, plan->steps, error);
    if (!cluster_agree_among(trial->part, good, error)) {
        measure_abandon(&measure);
        return STATUS_FAILED;
    }
    Status status = bench_time_steps(plan, &trial->driver, (double)trial->scene.step, trial->part,
                                     &trial->wire, what, &measure, error);
    if (status == STATUS_DONE) {
        measure_finish(&measure, trial->driver.sim);
        figure->ms_min = measure.ms_step_min;
        figure->ms_median = measure.ms_step_median;
        figure->threads = measure.threads;
        figure->state_hash = measure.state_hash;
        figure->exchange_ms = 1e3 * spread_of(trial->part, trial->wire.fastest_seconds).mean;
        figure->traffic = trial->wire.fastest;
        figure->traffic.bytes = spread_of(trial->part, figure->traffic.bytes).most;
        figure->traffic.messages = spread_of(trial->part, figure->traffic.messages).most;
    }
    measure_abandon(&measure);
    return status;
}

/* Measures one result on the first of the ranks, through a network or without. */
static Status measure_ranks(const BenchPlan *plan, const char *grid, Network network,
                            RankFigure *figure, BillowError *error)
{
    SceneRequest request = plan->request;
    request.name_or_path = plan->scenes.items[0];
    BillowExchange part;
    Trial *trial = calloc(1, sizeof *trial);
    Status status = STATUS_FAILED;
    char what[96];
    request.grid = grid;
    if (cluster_first(figure->ranks, &part)) {
        if (trial == NULL)
            abort(); /* the other ranks wait */
        trial->part = figure->ranks > 1 ? &part : NULL;
        trial->wire.network = network;
        status = scene_start_read(&request, &trial->scene, error);
        trial->def = scene_def(&trial->scene);
        trial->def.threads = plan->threads.items[0];
        snprintf(what, sizeof what, "%s on %d rank%s%s: step", grid, figure->ranks,
                 figure->ranks == 1 ? "" : "s", network.gigabits > 0 ? ", delayed" : "");
        if (status == STATUS_DONE)
            status = run_trial(trial, plan, what, figure, error);
        scene_driver_destroy(&trial->driver);
        wire_free(&trial->wire);
    } else
        status = STATUS_DONE;
    free(trial);
    cluster_meet();
    return cluster_status(status, error);
}

/* -- the sweep --------------------------------------------------------------------------------- */

/* Measures a grid on so many ranks. */
static Status bench_ranks_once(const BenchPlan *plan, const int grid[3], int ranks, bool weak,
                               Bench *bench, BillowError *error)
{
    RankFigure figure = {.ranks = ranks,
                         .weak = weak,
                         .predicted_ms = (double)NAN,
                         .network_ms = (double)NAN},
               delayed;
    char text[40];
    memcpy(figure.grid, grid, sizeof figure.grid);
    figure.grid[2] *= weak ? ranks : 1;
    bench_grid_text(figure.grid, text, sizeof text);
    delayed = figure;
    Status status = measure_ranks(plan, text, (Network){0}, &figure, error);
    if (status == STATUS_DONE && plan->network.gigabits > 0 && ranks > 1) {
        status = measure_ranks(plan, text, plan->network, &delayed, error);
        figure.network_ms = delayed.ms_min;
        figure.predicted_ms =
            figure.ms_min + 1e3 * network_seconds(plan->network, &figure.traffic, ranks);
    }
    if (status == STATUS_DONE)
        bench->ranks[bench->result_count++] = figure;
    return status;
}

/* The grid of a text of --grids, without checking the memory of the first rank for all of it. */
static Status open_grid(const BenchPlan *plan, const char *text, int grid[3], BillowError *error)
{
    Scene *scene = malloc(sizeof *scene);
    SceneRequest request = plan->request;
    request.name_or_path = plan->scenes.items[0];
    Status status = STATUS_FAILED;
    request.grid = text;
    if (scene == NULL)
        fail(error, "no memory for a scene");
    else
        status = scene_start_read(&request, scene, error);
    if (status == STATUS_DONE) {
        const BillowDef def = scene_def(scene);
        memcpy(grid, (const int[3]){def.nx, def.ny, def.nz}, 3 * sizeof grid[0]);
    }
    free(scene);
    return cluster_status(status, error);
}

static Status sweep_ranks(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    int counts[BENCH_THREADS_MAX], count = 0, grid[3];
    Status status = STATUS_DONE;
    if (cluster_ranks() > BENCH_RANKS_MAX)
        return status_fail(STATUS_USAGE, error, "'billow bench' takes at most %d ranks",
                           BENCH_RANKS_MAX);
    /* powers of two, and all */
    for (int ranks = 1; ranks < cluster_ranks(); ranks *= 2)
        counts[count++] = ranks;
    counts[count++] = cluster_ranks();
    bench->ranks =
        bench_allocate(bench, plan->grids.count * (2 * count - 1), sizeof *bench->ranks, error);
    if (!cluster_agree(bench->ranks != NULL, error))
        return STATUS_FAILED;
    for (int g = 0; g < plan->grids.count && status == STATUS_DONE; g++) {
        status = open_grid(plan, plan->grids.items[g], grid, error);
        for (int c = 0; c < 2 * count && status == STATUS_DONE; c++) {
            bool weak = c >= count;
            int ranks = counts[c % count];
            bool fits =
                weak ? grid[2] * ranks <= BILLOW_GRID_MAX : grid[2] >= BILLOW_RANK_PLANES * ranks;
            if (weak && ranks == 1) /* both are the same there */
                continue;
            if (!fits)
                bench->planned--;
            else
                status = bench_ranks_once(plan, grid, ranks, weak, bench, error);
        }
    }
    return status;
}

/* -- the report -------------------------------------------------------------------------------- */

/* The result of the same grid, before it was made longer, on one rank. */
static const RankFigure *figure_alone(const Bench *bench, const RankFigure *figure)
{
    for (int index = 0; index < bench->result_count; index++) {
        const RankFigure *alone = &bench->ranks[index];
        if (alone->ranks == 1 && alone->grid[0] == figure->grid[0] &&
            alone->grid[1] == figure->grid[1] &&
            alone->grid[2] * (figure->weak ? figure->ranks : 1) == figure->grid[2])
            return alone;
    }
    return NULL;
}

/* Time on one rank over the time on `ranks` ranks, divided among them in strong scaling. */
static double efficiency(const Bench *bench, const RankFigure *figure)
{
    const RankFigure *alone = figure_alone(bench, figure);
    double share = figure->weak ? 1 : figure->ranks;
    return alone != NULL ? alone->ms_min / (share * figure->ms_min) : (double)NAN;
}

static void scaling_row(TextTable *table, const Bench *bench, int index)
{
    const RankFigure *figure = &bench->ranks[index];
    char bytes[32];
    report_bytes(figure->traffic.bytes, bytes, sizeof bytes);
    bench_grid_row(table, figure->grid);
    text_table_cell(table, "%d", figure->ranks);
    text_table_cell(table, "%d", figure->threads);
    text_table_cell(table, "%.2f", figure->ms_min);
    text_table_cell(table, "%.2f", figure->ms_median);
    text_table_cell(table, "%.2f", figure->ms_min - figure->exchange_ms);
    text_table_cell(table, "%.2f", figure->exchange_ms);
    text_table_cell(table, "%s", bytes);
    text_table_cell(table, "%.0f", figure->traffic.messages);
    text_table_cell(table, "%.0f", figure->traffic.gathers);
    bench_number_cell(table, "%.0f %%", 100 * efficiency(bench, figure));
    text_table_cell(table, "%016" PRIx64, figure->state_hash);
}

static void strong_row(TextTable *table, const Bench *bench, int index)
{
    if (!bench->ranks[index].weak)
        scaling_row(table, bench, index);
}

static void weak_row(TextTable *table, const Bench *bench, int index)
{
    if (bench->ranks[index].weak)
        scaling_row(table, bench, index);
}

static void network_row(TextTable *table, const Bench *bench, int index)
{
    const RankFigure *figure = &bench->ranks[index];
    if (!isfinite(figure->network_ms))
        return;
    bench_grid_row(table, figure->grid);
    text_table_cell(table, "%d", figure->ranks);
    text_table_cell(table, "%.2f", figure->predicted_ms);
    text_table_cell(table, "%.2f", figure->network_ms);
}

static void print_ranks(const Bench *bench, FILE *stream)
{
    static const char *const scaling[] = {
        "grid", "ranks",    "threads each", "ms/step",    "median",     "computing", "exchanges",
        "sent", "messages", "gathers",      "efficiency", "state_hash", NULL};
    static const char *const networks[] = {"grid", "ranks", "predicted ms/step", "measured", NULL};
    const int count = bench->result_count;
    bool network = false, weak = false;
    for (int index = 0; index < count; index++) {
        network |= isfinite(bench->ranks[index].network_ms);
        weak |= bench->ranks[index].weak;
    }
    fprintf(stream,
            "fastest and median of %d steps of a developed flow; times in ms; exchanges with "
            "waiting, the mean of the ranks\n\nStrong scaling: the same grid\n\n",
            bench->steps);
    bench_table(bench, count, scaling, strong_row, stream);
    if (weak) {
        fprintf(stream, "\nWeak scaling: as many planes along z for each rank\n\n");
        bench_table(bench, count, scaling, weak_row, stream);
    }
    if (network) {
        fprintf(stream, "\nThrough a simulated network: predicted from the step without it, and "
                        "measured with delays\n\n");
        bench_table(bench, count, networks, network_row, stream);
    }
}

static void row_of_ranks(const Bench *bench, int index, BenchRow *row)
{
    const RankFigure *figure = &bench->ranks[index];
    row->text = figure->weak ? "weak" : "strong";
    row->grid = figure->grid;
    bench_number(row, "ranks", figure->ranks);
    bench_number(row, "threads", figure->threads);
    bench_number(row, "ms_step_min", figure->ms_min);
    bench_number(row, "ms_step_median", figure->ms_median);
    bench_number(row, "ms_exchanges", figure->exchange_ms);
    bench_number(row, "bytes", figure->traffic.bytes);
    bench_number(row, "messages", figure->traffic.messages);
    bench_number(row, "transfers", figure->traffic.transfers);
    bench_number(row, "gathers", figure->traffic.gathers);
    bench_number(row, "efficiency", efficiency(bench, figure));
    bench_number(row, "ms_network_predicted", figure->predicted_ms);
    bench_number(row, "ms_network", figure->network_ms);
    snprintf(row->more, sizeof row->more, ",%016" PRIx64, figure->state_hash);
}

const BenchKind bench_ranks = {.list = "ranks",
                               .text_name = "scaling",
                               .text_column = "scaling,",
                               .more_columns = ",state_hash",
                               .machine_column = "simd",
                               .sweep = sweep_ranks,
                               .print = print_ranks,
                               .row = row_of_ranks};
