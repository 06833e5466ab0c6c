/* SPDX-License-Identifier: MIT
 * Reports of benchmark results that are made up by hand. Nothing is timed. */
#define _POSIX_C_SOURCE 200809L
/* cmocka.h expects these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/system.h"
#include "bench/bench.h"
#include "io/text_table.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRIDS = 3, THREADS = 3, RESULTS = GRIDS * THREADS, TEXT_SIZE = 1 << 16 };

static const int sides[GRIDS] = {32, 64, 128};
static const int threads[THREADS] = {1, 2, 4};
static Measure results[RESULTS];
static Bench bench;
static BillowError error;

/* Eight times the cells take eight times as long; two threads save 45 %, four 70 %. */
static const double scaling[THREADS] = {1, 0.55, 0.30};

static void fill_result(Measure *result, int grid, int count)
{
    int side = sides[grid];
    double cells = pow(side, 3), ms = cells * 1e-4 * scaling[count];
    *result = (Measure){
        .scene = "smoke, \"thick\" <&>",
        .grid = {side, side, side},
        .threads = threads[count],
        .steps = 20,
        .ms_step_min = ms,
        .ms_step_median = 1.01 * ms,
        .cells_per_s = cells / (1e-3 * ms),
        .cycles = 7 + grid,
        .residual_relative = 1.25e-4 * side,
        .divergence_max = 3e-3 / 7,
        .bytes_per_cell = 60.5,
        .processor_share = 1,
        .peak_rss_bytes = 1234567890123u,
        .state_hash = 0x123456789abcdef0u + (unsigned)grid,
    };
    result->profile.bytes = 500 * cells;
    /* 5 % of the work is one worker's, the rest is shared with an imbalance of 1.1. */
    const double all = 1e-7 * cells, alone = 0.05 * all;
    const double shared = (all - alone) / threads[count] * (count > 0 ? 1.1 : 1);
    result->model =
        (ThreadModel){.threads = threads[count],
                      .step = {count > 0 ? 50 : 0, count > 0 ? 70 : 0, all, alone + shared,
                               count > 0 ? alone : all, count > 0 ? all - alone : 0},
                      .one_ms = 1e3 * all,
                      .wall_ms = ms,
                      .barrier_ms = 1e-3,
                      .wait_ms = 4e-4};
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        result->profile.ms[stage] = stage == BILLOW_STAGE_COMBUSTION ? 0 : ms / (stage + 2.5);
}

static int make_bench(void **state)
{
    (void)state;
    bench = (Bench){.kind = &bench_steps,
                    .cpu = "Some CPU, \"fast\" & <small> \xff",
                    .cores = 4,
                    .steps = 20,
                    .results = results,
                    .result_count = RESULTS,
                    .planned = RESULTS,
                    .baselines = {{32, 10, 3.2768e6}, {64, 100, 2.62144e6}},
                    .baseline_count = 2};
    for (int size = 0; size < BANDWIDTH_SIZES; size++)
        for (int count = 0; count < THREADS; count++)
            bench.streams[bench.stream_count++] =
                (BenchStream){(BandwidthSize)size, threads[count], 1u << 27,
                              (size == BANDWIDTH_CACHE ? 30.0 : 10.0) * threads[count]};
    for (int index = 0; index < RESULTS; index++)
        fill_result(&results[index], index / THREADS, index % THREADS);
    bench_compare(&bench);
    return 0;
}

static void expect_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.15g is not %.15g", value, expected);
}

static void test_scaling(void **state)
{
    (void)state;
    for (int grid = 0; grid < GRIDS; grid++) {
        const Measure *row = &results[grid * THREADS];
        assert_true(isnan(bench_speedup(&bench, &row[0])));
        assert_true(isnan(bench_efficiency(&bench, &row[0])));
        expect_close(bench_speedup(&bench, &row[1]), 1 / 0.55);
        expect_close(bench_efficiency(&bench, &row[1]), 1 / (0.55 * 2));
        expect_close(bench_speedup(&bench, &row[2]), 1 / 0.30);
        expect_close(bench_efficiency(&bench, &row[2]), 1 / (0.30 * 4));
    }
    /* Without a result on one thread, the speed-up is relative to the fewest threads, in any order
     * of the sweep. */
    Measure sweep[2] = {results[2], results[1]};
    Bench part = bench;
    part.results = sweep;
    part.result_count = 2;
    expect_close(bench_speedup(&part, &sweep[0]), 0.55 / 0.30);
    expect_close(bench_efficiency(&part, &sweep[0]), 0.55 * 2 / (0.30 * 4));
    assert_true(isnan(bench_speedup(&part, &sweep[1])));
}

static void test_thread_model(void **state)
{
    (void)state;
    for (int grid = 0; grid < GRIDS; grid++) {
        const Measure *row = &results[grid * THREADS];
        const double one = pow(sides[grid], 3) * 1e-4; /* ms of all work */
        expect_close(thread_model_ms(&row[0].model), one);
        expect_close(thread_model_speedup(&row[0].model), 1);
        assert_true(isnan(thread_model_imbalance(&row[0].model)));
        for (int count = 1; count < THREADS; count++) {
            const double ms = one * (0.05 + 0.95 * 1.1 / threads[count]) + 0.050 + 0.028;
            expect_close(thread_model_ms(&row[count].model), ms);
            expect_close(thread_model_imbalance(&row[count].model), 1.1);
            expect_close(thread_model_speedup(&row[count].model), one / ms);
        }
    }
    Measure dense = results[1];
    dense.model = (ThreadModel){0}; /* not metered */
    assert_true(isnan(thread_model_ms(&dense.model)));
    assert_true(isnan(thread_model_imbalance(&dense.model)));
}

static void test_bandwidth_and_baseline(void **state)
{
    (void)state;
    for (int index = 0; index < RESULTS; index++) {
        const Measure *result = &results[index];
        double cells = measure_cells(result->grid), seconds = 1e-3 * result->ms_step_min;
        double triad =
            (bandwidth_size_of(cells) == BANDWIDTH_CACHE ? 30.0 : 10.0) * result->threads;
        expect_close(bench_gbs(result), 1e-9 * 500 * cells / seconds);
        expect_close(result->bandwidth_fraction, bench_gbs(result) / triad);
    }
    expect_close(bench_baseline_ratio(&bench, &results[0]), 10 / results[0].ms_step_min);
    expect_close(bench_baseline_ratio(&bench, &results[4]), 100 / results[4].ms_step_min);
    assert_true(isnan(bench_baseline_ratio(&bench, &results[8])));
    assert_int_equal(bench_baseline_side((int[3]){64, 64, 64}), 64);
    assert_int_equal(bench_baseline_side((int[3]){32, 64, 128}), 64);
    assert_true(bandwidth_size_of(8 * 8 * 8) == BANDWIDTH_CACHE);
    assert_true(bandwidth_size_of(2048.0 * 2048 * 2048) == BANDWIDTH_MEMORY);
}

/* A disturbed triad is ignored: the bandwidth of more threads is at least that of fewer. */
static void test_disturbed_bandwidth(void **state)
{
    (void)state;
    Bench disturbed = bench;
    for (int index = 0; index < disturbed.stream_count; index++)
        if (disturbed.streams[index].threads == 4)
            disturbed.streams[index].gbs = 1;
    assert_int_equal(bench_stream(&disturbed, &results[0])->threads, 1);
    assert_int_equal(bench_stream(&disturbed, &results[1])->threads, 2);
    assert_int_equal(bench_stream(&disturbed, &results[2])->threads, 2);
    assert_int_equal(bench_stream(&bench, &results[2])->threads, 4);
    for (int index = 0; index < disturbed.stream_count; index++)
        disturbed.streams[index].gbs = 0;
    assert_null(bench_stream(&disturbed, &results[2]));
}

static void test_disagreement(void **state)
{
    (void)state;
    assert_null(bench_disagreement(&bench));
    results[5].state_hash ^= 1;
    assert_ptr_equal(bench_disagreement(&bench), &results[5]);
    results[5].state_hash ^= 1;
    assert_null(bench_disagreement(&bench));
}

/* -- what is written */

static char text[TEXT_SIZE];

static void read_text(FILE *stream)
{
    rewind(stream);
    size_t length = fread(text, 1, sizeof text - 1, stream);
    assert_true(length > 0 && length < sizeof text - 1);
    text[length] = 0;
    fclose(stream);
}

/* Writes a report to a temporary file and reads it back. */
static void read_written(bool (*write)(const Bench *, const char *, BillowError *))
{
    char folder[] = "/tmp/billow-report-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/report", folder);
    bool written = write(&bench, path, &error);
    FILE *stream = written ? fopen(path, "rb") : NULL;
    remove(path);
    remove(folder);
    assert_true(written);
    assert_non_null(stream);
    read_text(stream);
}

static void print_tables(void)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    bench_print(&bench, stream);
    read_text(stream);
}

static void test_tables(void **state)
{
    (void)state;
    print_tables();
    assert_non_null(strstr(text, "| 1.82 (91 %) |"));
    assert_non_null(strstr(text, "| 3.33 (83 %) |"));
    assert_non_null(strstr(text, " 64x64x64 |"));
    assert_non_null(strstr(text, " 1 to 4 |"));
    assert_non_null(strstr(text, "123456789abcdef0"));
    assert_non_null(strstr(text, "advect_velocity"));
    assert_null(strstr(text, "combustion"));
    assert_null(strstr(text, "not finished"));
    assert_null(strstr(text, "Disturbed"));
    assert_null(strstr(text, "nan"));
    bench.planned++;
    results[3].processor_share = 0.5;
    bench.cores = 2;
    results[2].processor_share = 0.4; /* on more threads than cores: no disturbance */
    print_tables();
    bench.planned--;
    bench.cores = 4;
    results[2].processor_share = results[3].processor_share = 1;
    assert_non_null(strstr(text, "not finished: 9 of 10 results"));
    assert_non_null(strstr(
        text, "1 of 9 results got less than 85 % of their processors; the worst, 64x64x64 on "
              "1 thread,\ngot 50 %"));
}

/* Fails unless the row with these words has these cells from them on, which lack their spaces. */
static void expect_cells(const char *words, const char *cells)
{
    const char *row = strstr(text, words);
    assert_non_null(row);
    char found[160];
    size_t length = 0;
    for (; *row != '\n'; row++)
        if (*row != ' ' && length + 1 < sizeof found)
            found[length++] = *row;
    found[length] = 0;
    assert_string_equal(found, cells);
}

/* The second scene takes twice the time per cell at 32 cells and four times at 64. */
static void test_several_scenes(void **state)
{
    (void)state;
    enum { SCENES = 2, EACH = 2 };
    Measure sweep[SCENES * EACH];
    for (int s = 0; s < SCENES; s++)
        for (int grid = 0; grid < EACH; grid++) {
            Measure *result = &sweep[s * EACH + grid];
            fill_result(result, grid, 0);
            strcpy(result->scene, s == 0 ? "plume" : "fire");
            result->place = s;
            result->cells_per_s /= s == 0 ? 1 : 2 << grid;
            result->state_hash += (uint64_t)s;
        }
    Bench several = bench;
    several.results = sweep;
    several.result_count = several.planned = SCENES * EACH;
    several.scene_count = SCENES;
    expect_close(bench_scene_ratio(&several, &sweep[1]), 1);
    expect_close(bench_scene_ratio(&several, &sweep[2]), 2);
    expect_close(bench_scene_ratio(&several, &sweep[3]), 4);
    assert_true(isnan(bench_scene_ratio(&bench, &results[1])));
    assert_null(bench_disagreement(&several)); /* of two scenes, which differ in their states */
    assert_true(isnan(bench_speedup(&several, &sweep[2])));
    FILE *stream = tmpfile();
    assert_non_null(stream);
    bench_print(&several, stream);
    read_text(stream);
    assert_non_null(strstr(text, "2 scenes, "));
    assert_non_null(strstr(text, "| x plume |"));
    assert_non_null(strstr(text, "123456789abcdef1"));
    assert_non_null(strstr(text, "|    4.00 |\n"));
}

static void test_text_table(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        text_table_cell(&table, "a");
        text_table_cell(&table, "empty");
        text_table_cell(&table, "long heading");
        text_table_row(&table);
        text_table_cell(&table, "%d", 12345);
        text_table_cell(&table, "%s", "");
        text_table_cell(&table, "%s", "");
        text_table_row(&table);
        text_table_cell(&table, "%d", 6);
        text_table_cell(&table, "%s", "");
        text_table_cell(&table, "7");
    }
    read_text(stream);
    assert_string_equal(text, "|     a | long heading |\n"
                              "|------:|-------------:|\n"
                              "| 12345 |              |\n"
                              "|     6 |            7 |\n");
}

/* -- CSV and JSON */

/* The next field of a line of CSV, unquoted; returns where the one after it starts. */
static const char *csv_field(const char *line, char *field, size_t size)
{
    size_t length = 0;
    bool quoted = *line == '"';
    for (line += quoted; quoted || strchr(",\n", *line) == NULL; line++) {
        if (quoted && *line == '"' && *++line != '"')
            break;
        assert_true(length + 1 < size && *line != 0);
        field[length++] = *line;
    }
    field[length] = 0;
    assert_non_null(strchr(",\n", *line));
    return *line == ',' ? line + 1 : NULL;
}

/* The JSON name of a column of the CSV. */
static const cJSON *json_of(const cJSON *result, const char *column)
{
    const cJSON *stages = cJSON_GetObjectItemCaseSensitive(result, "stage_ms");
    const cJSON *pressure = cJSON_GetObjectItemCaseSensitive(result, "pressure");
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(result, "thread_model");
    if (column[0] == 'n' && strlen(column) == 2)
        return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(result, "grid"),
                                  column[1] - 'x');
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(result, column);
    if (found == NULL && strncmp(column, "ms_", 3) == 0)
        found = cJSON_GetObjectItemCaseSensitive(stages, column + 3);
    if (found == NULL)
        found = cJSON_GetObjectItemCaseSensitive(pressure, column);
    return found != NULL ? found : cJSON_GetObjectItemCaseSensitive(model, column);
}

static void expect_same(const cJSON *item, const char *column, const char *field)
{
    if (item == NULL)
        fail_msg("no '%s' in the JSON", column);
    if (cJSON_IsString(item)) {
        assert_string_equal(item->valuestring, field);
    } else if (cJSON_IsNull(item)) {
        assert_string_equal(field, "");
    } else {
        char *end;
        double value = strtod(field, &end);
        assert_true(field[0] != 0 && *end == 0);
        if (fabs(value - item->valuedouble) > 1e-8 * fabs(item->valuedouble))
            fail_msg("%s: %s in the CSV, %.12g in the JSON", column, field, item->valuedouble);
    }
}

static void test_csv_and_json_agree(void **state)
{
    (void)state;
    static const char *const elsewhere[] = {"baseline_ms_step_min", "version", "simd", "cpu"};
    read_written(bench_write_json);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(all), RESULTS);
    read_written(bench_write_csv);
    const char *line = text;
    for (int index = 0; index < RESULTS; index++) {
        const char *name = text, *value = line = strchr(line, '\n') + 1;
        int compared = 0;
        while (name != NULL) {
            char column[64], field[256];
            assert_non_null(value);
            name = csv_field(name, column, sizeof column);
            value = csv_field(value, field, sizeof field);
            bool skipped = false;
            for (size_t other = 0; other < sizeof elsewhere / sizeof elsewhere[0]; other++)
                skipped |= strcmp(column, elsewhere[other]) == 0;
            if (!skipped)
                expect_same(json_of(cJSON_GetArrayItem(all, index), column), column, field);
            compared += !skipped;
        }
        assert_null(value);
        assert_true(compared >= 20 + BILLOW_STAGES);
    }
    assert_int_equal(*(strchr(line, '\n') + 1), 0);
    cJSON_Delete(root);
}

/* -- the drawing */

enum { DEPTH_MAX = 16 };

/* Reads a name at *at, and moves *at past it. */
static void xml_name(const char **at, char *name, size_t size)
{
    size_t length = 0;
    while (isalnum((unsigned char)**at) || strchr("-:", **at) != NULL) {
        assert_true(**at != 0 && length + 1 < size);
        name[length++] = *(*at)++;
    }
    name[length] = 0;
    assert_true(length > 0);
}

static void xml_entity(const char *at)
{
    assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                strncmp(at, "&gt;", 4) == 0);
}

/* Skips from the name of a tag to after its '>'. True if the tag closes itself. */
static bool xml_attributes(const char **at)
{
    for (;;) {
        *at += strspn(*at, " \n");
        if (**at == '>' || strncmp(*at, "/>", 2) == 0)
            break;
        char name[32];
        xml_name(at, name, sizeof name);
        const char quote = (*at)[0] == '=' ? (*at)[1] : 0;
        assert_true(quote == '"' || quote == '\'');
        *at += 2;
        while (**at != quote && **at != '<' && **at != 0)
            ++*at;
        assert_int_equal(*(*at)++, quote);
    }
    bool closed = **at == '/';
    *at += closed ? 2 : 1;
    return closed;
}

/* Fails unless the text is one element of well-formed XML, with every element closed. */
static void expect_well_formed(const char *at)
{
    char open[DEPTH_MAX][32], name[32];
    int depth = 0, roots = 0;
    assert_int_equal(strncmp(at, "<?xml ", 6), 0);
    at = strstr(at, "?>") + 2;
    while (*(at += strcspn(at, "<&")) != 0) {
        if (*at == '&') {
            xml_entity(at++);
            continue;
        }
        bool closing = at[1] == '/';
        at += closing ? 2 : 1;
        xml_name(&at, name, sizeof name);
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
            assert_int_equal(*at++, '>');
        } else {
            roots += depth == 0;
            assert_true(depth < DEPTH_MAX);
            strcpy(open[depth], name);
            depth += !xml_attributes(&at);
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static int count_of(const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

/* Fails unless the points lie on a straight line at equal distances: the times are proportional to
 * the cells, which form a geometric progression. path: data of an SVG path, "M x,y L x,y ...". */
static void expect_straight(const char *path)
{
    double x[GRIDS], y[GRIDS];
    for (int point = 0; point < GRIDS; point++) {
        char *end;
        path += strcspn(path, "0123456789");
        x[point] = strtod(path, &end);
        assert_int_equal(*end, ',');
        y[point] = strtod(end + 1, &end);
        path = end;
    }
    assert_true(x[1] - x[0] > 50 && y[0] - y[1] > 50);
    assert_true(fabs((x[2] - x[1]) - (x[1] - x[0])) < 0.25);
    assert_true(fabs((y[2] - y[1]) - (y[1] - y[0])) < 0.25);
}

/* Checks the line of a title. Its path contains the sample in the legend, M x,y L x,y, and then the
 * line itself, M x,y L x,y ... */
static void expect_straight_line(const char *title)
{
    char word[64];
    snprintf(word, sizeof word, ">%s<", title);
    const char *at = strstr(text, word);
    assert_non_null(at);
    const char *data = strstr(at, " d='M");
    assert_non_null(data);
    const char *line = strchr(data + 5, 'M');
    assert_non_null(line);
    assert_true(line < strchr(data + 5, '\''));
    expect_straight(line);
}

/* Checks the labels of the bandwidth limit. The size of the cache depends on the machine. */
static void expect_limits(void)
{
    for (int grid = 0; grid < GRIDS; grid++) {
        char to[64], from[64];
        BandwidthSize size = bandwidth_size_of(pow(sides[grid], 3));
        bool last = grid + 1 == GRIDS || bandwidth_size_of(pow(sides[grid + 1], 3)) != size;
        bool first = grid == 0 || bandwidth_size_of(pow(sides[grid - 1], 3)) != size;
        snprintf(to, sizeof to, ">cache up to %d\u00b3<", sides[grid]);
        snprintf(from, sizeof from, ">memory from %d\u00b3<", sides[grid]);
        assert_int_equal(count_of(to), size == BANDWIDTH_CACHE && last);
        assert_int_equal(count_of(from), size == BANDWIDTH_MEMORY && first);
    }
}

static void test_plot(void **state)
{
    (void)state;
    read_written(bench_write_plot);
    expect_well_formed(text);
    static const char *const words[] = {
        "60 steps/s",  "30 steps/s",   "bandwidth limit", "Stam 2003",  ">1 thread<", ">2 threads<",
        ">4 threads<", BILLOW_VERSION, "&lt;small> ?",    "&lt;&amp;>", ">128\u00b3<"};
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++)
        if (strstr(text, words[index]) == NULL)
            fail_msg("the drawing lacks '%s'", words[index]);
    expect_limits();
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    expect_straight_line("1 thread");
    expect_straight_line("2 threads");
    expect_straight_line("4 threads");
}

/* Plots a single result, without bandwidth and baseline. */
static void test_plot_of_one_result(void **state)
{
    (void)state;
    Bench whole = bench;
    bench.result_count = 1;
    bench.baseline_count = bench.stream_count = 0;
    read_written(bench_write_plot);
    bench = whole;
    expect_well_formed(text);
    assert_int_equal(count_of(" thread<"), 1);
    assert_null(strstr(text, "bandwidth limit"));
    assert_null(strstr(text, "nan"));
}

static void test_escape(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    text_markup(stream, "a<b>&c \x01\x7f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xa8 | \xc3 \xc0\xaf "
                        "\xed\xa0\x80 \xef\xbf\xbf \xe2\x82");
    read_text(stream);
    assert_string_equal(text, "a&lt;b&gt;&amp;c ?? \xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xa8 | ? ?? "
                              "??? ??? ??");
}

/* No share is given of a triad that other programs disturbed. */
static void test_disturbed_kernels(void **state)
{
    (void)state;
    KernelFigure figures[] = {
        {"triad", {8, 8, 8}, 1, 6144, 1, 10, 0.5, 0},  {"copy", {8, 8, 8}, 1, 4096, 1, 8, 1, 0},
        {"triad", {9, 8, 8}, 2, 6144, 1, 10, 1, 0},    {"copy", {9, 8, 8}, 2, 4096, 1, 8, 0.8, 0},
        {"triad", {8, 8, 8}, 4, 6144, 1, 0.1, 0.3, 0}, {"copy", {8, 8, 8}, 4, 4096, 1, 8, 0.3, 0}};
    Bench kernels = {.kind = &bench_kernels,
                     .cpu = "x",
                     .cores = 2,
                     .kernels = figures,
                     .result_count = 6,
                     .planned = 6};
    bench_compare_kernels(&kernels);
    for (int index = 0; index < 6; index++) {
        bool given = index == 2 || index == 4; /* the undisturbed triads */
        assert_true(isfinite(figures[index].triad_fraction) == given);
    }
    FILE *stream = tmpfile();
    assert_non_null(stream);
    bench_print(&kernels, stream);
    read_text(stream);
    assert_non_null(strstr(text,
                           "2 of 6 results got less than 85 % of their processors; the worst, "
                           "triad at 8x8x8 on 1 thread,\ngot 50 %"));
    assert_non_null(strstr(text, "No share of the triad is given"));
    assert_null(strstr(text, "8000 %"));
}

static void test_kernels(void **state)
{
    (void)state;
    KernelFigure figures[4] = {
        {.name = "copy", .grid = {64, 64, 64}, .threads = 2, .bytes = 2097152, .ms_min = 0.1},
        {.name = "triad", .grid = {64, 64, 64}, .threads = 1, .bytes = 3145728, .ms_min = 0.4},
        {.name = "triad", .grid = {64, 64, 64}, .threads = 2, .bytes = 3145728, .ms_min = 0.1},
        {.name = "copy", .grid = {32, 64, 64}, .threads = 2, .bytes = 1048576, .ms_min = 0.1}};
    for (int index = 0; index < 4; index++) {
        figures[index].gbs = 1e-6 * figures[index].bytes / figures[index].ms_min;
        figures[index].processor_share = 1;
    }
    Bench kernels = {.kind = &bench_kernels,
                     .cpu = "x",
                     .cores = 2,
                     .kernels = figures,
                     .result_count = 4,
                     .planned = 5};
    bench_compare_kernels(&kernels);
    expect_close(figures[0].triad_fraction, 2.0 / 3);
    expect_close(figures[1].triad_fraction, 1);
    assert_true(isnan(figures[3].triad_fraction));
    FILE *stream = tmpfile();
    assert_non_null(stream);
    bench_print(&kernels, stream);
    read_text(stream);
    assert_non_null(strstr(text, " 67 % |"));
    assert_non_null(strstr(text, "not finished: 4 of 5 results"));
    assert_null(strstr(text, "Disturbed"));
    assert_null(strstr(text, "nan"));
}

/* Four ranks take 1.25 times the least time, of the same grid and of a longer one. */
static void test_ranks(void **state)
{
    (void)state;
    RankFigure figures[3] = {
        {.grid = {32, 48, 64}, .ranks = 1, .ms_min = 10, .ms_median = 11, .state_hash = 1},
        {.grid = {32, 48, 64}, .ranks = 4, .ms_min = 3.125, .ms_median = 4, .state_hash = 1},
        {.grid = {32, 48, 256}, .ranks = 4, .ms_min = 12.5, .ms_median = 13, .weak = true}};
    for (int index = 0; index < 3; index++) {
        figures[index].threads = 2;
        figures[index].network_ms = (double)NAN;
    }
    figures[1].exchange_ms = 0.5;
    figures[1].traffic = (BillowTraffic){.bytes = 3e6, .messages = 6, .gathers = 5};
    figures[1].predicted_ms = 7;
    figures[1].network_ms = 8;
    Bench ranks = {.kind = &bench_ranks, .ranks = figures, .result_count = 3, .planned = 3};
    FILE *stream = tmpfile();
    assert_non_null(stream);
    bench_print(&ranks, stream);
    read_text(stream);
    expect_cells("| 32x48x64 |     1", "|32x48x64|1|2|10.00|11.00|10.00|0.00|0B|0|0|100%|"
                                       "0000000000000001|");
    expect_cells("| 32x48x64 |     4", "|32x48x64|4|2|3.12|4.00|2.62|0.50|3.0MB|6|5|80%|"
                                       "0000000000000001|");
    expect_cells("| 32x48x256 |", "|32x48x256|4|2|12.50|13.00|12.50|0.00|0B|0|0|80%|"
                                  "0000000000000000|");
    expect_cells("| 32x48x64 |     4 |              7", "|32x48x64|4|7.00|8.00|");
    assert_null(bench_ranks_disagreement(&ranks));
    figures[1].state_hash = 2;
    assert_ptr_equal(bench_ranks_disagreement(&ranks), &figures[1]);
}

/* A signal that ends the run also ends what measures the bandwidth, before it has a figure. */
static void test_signals_end_the_measurement(void **state)
{
    (void)state;
    int status;
    pid_t child = fork();
    if (child == 0) {
        system_watch_interrupts();
        raise(SIGTERM);
        _exit(bandwidth_triad(BANDWIDTH_MEMORY, 1).gbs > 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_thread_model),
        cmocka_unit_test(test_bandwidth_and_baseline),
        cmocka_unit_test(test_disturbed_bandwidth),
        cmocka_unit_test(test_disagreement),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_text_table),
        cmocka_unit_test(test_csv_and_json_agree),
        cmocka_unit_test(test_several_scenes),
        cmocka_unit_test(test_plot),
        cmocka_unit_test(test_plot_of_one_result),
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_disturbed_kernels),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_signals_end_the_measurement),
    };
    return cmocka_run_group_tests(tests, make_bench, NULL);
}
