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
    SceneDriver driver;
} Trial;

/* Times one step. Keeps the exchanges of the fastest. */
static void time_step(Trial *trial, double step, Measure *measure, RankFigure *figure)
{
    double before = measure->ms_step_min;
    trial->wire.traffic = (BillowTraffic){0};
    trial->wire.seconds = 0;
    double ms = measure_step(measure, trial->driver.sim, step);
    if (ms >= before)
        return;
    figure->traffic = trial->wire.traffic;
    figure->exchange_ms = 1e3 * trial->wire.seconds;
}

static Status time_steps(Trial *trial, const BenchPlan *plan, const char *what, Measure *measure,
                         RankFigure *figure, BillowError *error)
{
    double step = (double)trial->scene.step;
    int warm = bench_warm_steps(plan->develop, step), total = warm + plan->steps;
    Progress progress = progress_start(plan->quiet);
    Status status = STATUS_DONE;
    for (int taken = 0; taken < total && status == STATUS_DONE; taken++) {
        if (taken == warm)
            step = bench_single_substep(trial->driver.sim, step);
        if (!scene_driver_prepare(&trial->driver, step, error))
            status = STATUS_FAILED;
        else if (taken < warm)
            billow_step(trial->driver.sim, step);
        else
            time_step(trial, step, measure, figure);
        progress_update(&progress, what, taken + 1, total);
        if (status == STATUS_DONE &&
            !cluster_agree_among(trial->part, !system_interrupted(), error))
            status = STATUS_INTERRUPTED;
    }
    progress_end(&progress);
    return status;
}

static Status run_trial(Trial *trial, const BenchPlan *plan, const char *what, RankFigure *figure,
                        BillowError *error)
{
    Measure measure = {0};
    BillowExchange exchange;
    if (trial->part != NULL) {
        trial->wire.through = *trial->part;
        exchange = wire_exchange(&trial->wire);
    }
    if (!scene_driver_create(&trial->driver, &trial->scene, &trial->def,
                             trial->part != NULL ? &exchange : NULL, error))
        return STATUS_FAILED;
    bool good = measure_start(&measure, &trial->scene, trial->driver.sim, plan->steps, error);
    if (!cluster_agree_among(trial->part, good, error)) {
        measure_abandon(&measure);
        return STATUS_FAILED;
    }
    Status status = time_steps(trial, plan, what, &measure, figure, error);
    if (status == STATUS_DONE) {
        measure_finish(&measure, trial->driver.sim);
        figure->ms_min = measure.ms_step_min;
        figure->ms_median = measure.ms_step_median;
        figure->threads = measure.threads;
        figure->state_hash = measure.state_hash;
        figure->exchange_ms = spread_of(trial->part, figure->exchange_ms).mean;
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

/* Numbers of ranks to time: powers of two, and all. */
static int list_ranks(int counts[BENCH_THREADS_MAX])
{
    int count = 0, all = cluster_ranks();
    for (int ranks = 1; ranks < all; ranks *= 2)
        counts[count++] = ranks;
    counts[count++] = all;
    return count;
}

/* Measures a grid on so many ranks. */
static Status bench_ranks_once(const BenchPlan *plan, const int grid[3], int ranks, bool weak,
                               Bench *bench, BillowError *error)
{
    RankFigure figure = {.ranks = ranks, .weak = weak, .network_ms = (double)NAN}, delayed;
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
    int counts[BENCH_THREADS_MAX], count = list_ranks(counts), grid[3];
    Status status = STATUS_DONE;
    if (cluster_ranks() > BENCH_RANKS_MAX) {
        fail(error, "'billow bench' takes at most %d ranks", BENCH_RANKS_MAX);
        return STATUS_USAGE;
    }
    bench->planned = plan->grids.count * (2 * count - 1);
    bench->ranks = calloc((size_t)bench->planned, sizeof *bench->ranks);
    if (bench->ranks == NULL)
        fail(error, "no memory for the results");
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

static void figure_row(TextTable *table, const Bench *bench, const RankFigure *figure)
{
    char bytes[32];
    report_bytes(figure->traffic.bytes, bytes, sizeof bytes);
    text_table_row(table);
    bench_grid_cell(table, figure->grid);
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

static void print_scaling(const Bench *bench, bool weak, FILE *stream)
{
    static const char *const names[] = {
        "grid", "ranks",    "threads each", "ms/step",    "median",     "computing", "exchanges",
        "sent", "messages", "gathers",      "efficiency", "state_hash", NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, names);
        for (int index = 0; index < bench->result_count; index++)
            if (bench->ranks[index].weak == weak)
                figure_row(&table, bench, &bench->ranks[index]);
    }
}

static void print_network(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"grid", "ranks", "predicted ms/step", "measured", NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, names);
        for (int index = 0; index < bench->result_count; index++) {
            const RankFigure *figure = &bench->ranks[index];
            if (!isfinite(figure->network_ms))
                continue;
            text_table_row(&table);
            bench_grid_cell(&table, figure->grid);
            text_table_cell(&table, "%d", figure->ranks);
            text_table_cell(&table, "%.2f", figure->predicted_ms);
            text_table_cell(&table, "%.2f", figure->network_ms);
        }
    }
}

static void print_ranks(const Bench *bench, FILE *stream)
{
    bool network = false, weak = false;
    for (int index = 0; index < bench->result_count; index++) {
        network |= isfinite(bench->ranks[index].network_ms);
        weak |= bench->ranks[index].weak;
    }
    fprintf(stream,
            "fastest and median of %d steps of a developed flow; times in ms; exchanges with "
            "waiting, the mean of the ranks\n\nStrong scaling: the same grid\n\n",
            bench->steps);
    print_scaling(bench, false, stream);
    if (weak) {
        fprintf(stream, "\nWeak scaling: as many planes along z for each rank\n\n");
        print_scaling(bench, true, stream);
    }
    if (network) {
        fprintf(stream, "\nThrough a simulated network: predicted from the step without it, and "
                        "measured with delays\n\n");
        print_network(bench, stream);
    }
}

static void row_of_ranks(const Bench *bench, int index, BenchRow *row)
{
    const RankFigure *figure = &bench->ranks[index];
    row->text = figure->weak ? "weak" : "strong";
    row->grid = figure->grid;
    row->machine = billow_simd();
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
    bool network = isfinite(figure->network_ms);
    bench_number(row, "ms_network_predicted", network ? figure->predicted_ms : (double)NAN);
    bench_number(row, "ms_network", figure->network_ms);
    snprintf(row->more, sizeof row->more, ",%016" PRIx64, figure->state_hash);
}

const RankFigure *bench_ranks_disagreement(const Bench *bench)
{
    for (int index = 1; index < bench->result_count; index++) {
        const RankFigure *figure = &bench->ranks[index], *before = figure - 1;
        if (memcmp(figure->grid, before->grid, sizeof figure->grid) == 0 &&
            figure->state_hash != before->state_hash)
            return figure;
    }
    return NULL;
}

const BenchKind bench_ranks = {.list = "ranks",
                               .text_name = "scaling",
                               .text_column = "scaling,",
                               .more_columns = ",state_hash",
                               .machine_column = "simd",
                               .sweep = sweep_ranks,
                               .print = print_ranks,
                               .row = row_of_ranks};
