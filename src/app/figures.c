/* SPDX-License-Identifier: MIT
 * Times of frames and steps, the texts in the window's corner, and graphs. */
#include "app/figures.h"

#include "app/gui_widgets.h"
#include "base/number.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- durations --------------------------------------------------------------------------------- */

#define BINS_PER_MS 10.0

void frame_meter_add(FrameMeter *meter, double ms)
{
    double bin = ms > 0 ? ms * BINS_PER_MS : 0;
    meter->bins[bin < FRAME_METER_BINS - 1 ? (int)bin : FRAME_METER_BINS - 1]++;
    meter->count++;
    if (ms > meter->max_ms)
        meter->max_ms = ms;
}

double frame_meter_median(const FrameMeter *meter)
{
    uint64_t below = 0;
    for (int bin = 0; bin < FRAME_METER_BINS; bin++) {
        below += meter->bins[bin];
        if (2 * below >= meter->count && meter->count > 0)
            return (bin + 0.5) / BINS_PER_MS;
    }
    return 0;
}

/* -- figures ----------------------------------------------------------------------------------- */

#define RENEW_SECONDS 0.25
/* Smallest ratio of the actual to the requested speed that counts as keeping up. Below it the
 * figures show the actual speed instead of the requested one. */
#define PACE_KEPT 0.97

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(Figures *figures, const char *format, ...)
{
    char *text = figures->text[figures->count];
    va_list values;
    va_start(values, format);
    number_vprint(text, FIGURE_LENGTH, format, values);
    va_end(values);
    figures->rows[figures->count++] = text;
}

/* Writes a rate such as "28 M cells/s". */
static void write_speed(char *text, size_t size, double cells_per_second)
{
    if (cells_per_second >= 1e9)
        number_print(text, size, "%.2f G cells/s", cells_per_second / 1e9);
    else if (cells_per_second >= 1e6)
        number_print(text, size, "%.0f M cells/s", cells_per_second / 1e6);
    else
        number_print(text, size, "%.0f k cells/s", cells_per_second / 1e3);
}

/* Returns the number of decimals with which a percentage shows two digits, at most 3. */
static int decimals_of(double percent)
{
    return percent < 0.1 ? 3 : percent < 1 ? 2 : percent < 10 ? 1 : 0;
}

void figures_pressure(char *text, size_t size, const BillowStats *stats, bool cut)
{
    char name[32];
    snprintf(name, sizeof name, "%s", billow_pressure_name(stats->pressure));
    for (char *blank = strchr(name, '_'); blank != NULL; blank = strchr(blank, '_'))
        *blank = ' ';
    double percent = 100 * stats->residual_relative;
    number_print(text, size, "%s, %d %s%s%s, leaves %.*f %% of the divergence", name, stats->cycles,
                 stats->pressure == BILLOW_RELAXATION ? "sweep" : "cycle",
                 stats->cycles == 1 ? "" : "s", cut ? " (cut for speed)" : "", decimals_of(percent),
                 percent);
}

/* Adds the speed relative to the clock: "paused", "real time", "slow motion 1/4" as the user asked
 * for, or "0.62 of real time" where the machine is too slow. Without `all`, only "paused" and the
 * speeds that the user asked for. */
static void add_pace(Figures *figures, const SimSnapshot *snapshot, bool paused, bool all)
{
    if (paused)
        add(figures, "paused");
    else if (all && snapshot->pace < PACE_KEPT * snapshot->speed)
        add(figures, "%.2f of real time", snapshot->pace);
    else if (snapshot->speed < 1)
        add(figures, "slow motion 1/%.0f", 1 / snapshot->speed);
    else if (snapshot->speed > 1)
        add(figures, "%.0f times real time", snapshot->speed);
    else if (all)
        add(figures, "real time");
}

/* Writes the figures that the panel shows above its graphs. */
static void write_details(Figures *figures, const SimSnapshot *snapshot)
{
    const BillowView *view = &snapshot->view;
    double cells = (double)view->nx * view->ny * view->nz;
    char speed[32] = "no step yet";
    if (figures->shown_step_ms > 0)
        write_speed(speed, sizeof speed, cells / figures->shown_step_ms * 1e3);
    number_print(figures->details[0], FIGURE_LENGTH, "simulated %.2f s; %s", snapshot->stats.time,
                 speed);
    figures->details[1][0] = 0;
    if (snapshot->stats.cycles > 0)
        figures_pressure(figures->details[1], FIGURE_LENGTH, &snapshot->stats, snapshot->cut);
}

/* Averages over the time since the last renewal. */
static void average(Figures *figures, double time)
{
    const double age = time - figures->renewed;
    if (figures->step_count > 0)
        figures->shown_step_ms = figures->step_ms / figures->step_count;
    figures->shown_fps = age > 0 && age < 1e3 ? figures->frame_count / age : 0;
    figures->renewed = time;
    figures->step_ms = 0;
    figures->step_count = 0;
    figures->frame_count = 0;
}

void figures_renew(Figures *figures, const char *scene, const SimSnapshot *snapshot, bool paused,
                   bool all, double time)
{
    const bool due = figures->count == 0 || time - figures->renewed >= RENEW_SECONDS;
    double percent = 100 * snapshot->stats.residual_relative;
    const int n[3] = {snapshot->view.nx, snapshot->view.ny, snapshot->view.nz};
    if (!due && figures->all == all)
        return;
    if (due)
        average(figures, time);
    figures->all = all;
    figures->count = 0;
    if (!all)
        add(figures, "%.20s", scene);
    else if (n[0] == n[1] && n[1] == n[2])
        add(figures, "%.20s %d\u00b3", scene, n[0]);
    else
        add(figures, "%.20s %d\u00d7%d\u00d7%d", scene, n[0], n[1], n[2]);
    if (!paused && figures->shown_fps > 0)
        add(figures, "%.0f fps", figures->shown_fps);
    add_pace(figures, snapshot, paused, all);
    if (all && snapshot->stats.cycles > 0)
        add(figures, "%.*f %% divergence left", decimals_of(percent), percent);
    if (snapshot->stats.nonfinite > 0)
        add(figures, "%llu cells are not numbers", (unsigned long long)snapshot->stats.nonfinite);
    if (figures->brush[0] != 0)
        add(figures, "%s", figures->brush);
    write_details(figures, snapshot);
}

/* -- graphs ------------------------------------------------------------------------------------ */

void graph_add(Graph *graph, double value)
{
    int at = graph->count < GRAPH_STEPS ? graph->count++ : graph->first;
    graph->values[at] = isfinite(value) ? (float)value : 0;
    if (graph->count == GRAPH_STEPS)
        graph->first = (at + 1) % GRAPH_STEPS;
}

float graph_last(const Graph *graph)
{
    if (graph->count == 0)
        return 0;
    return graph->values[(graph->first + graph->count - 1) % graph->count];
}

void graph_range(const Graph *graph, float *least, float *most)
{
    *least = *most = 0;
    for (int i = 0; i < graph->count; i++) {
        *least = fminf(*least, graph->values[i]);
        *most = fmaxf(*most, graph->values[i]);
    }
    if (*most - *least < 1e-30f)
        *most = *least + 1;
}

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot)
{
    const BillowStats *stats = &snapshot->stats;
    graph_add(&graphs->graphs[GRAPH_STEP], snapshot->step_ms);
    graph_add(&graphs->graphs[GRAPH_DIVERGENCE], stats->divergence_max);
    graph_add(&graphs->graphs[GRAPH_MASS], stats->mass);
    graph_add(&graphs->graphs[GRAPH_RESIDUAL], 100 * stats->residual_relative);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        graph_add(&graphs->graphs[GRAPH_STAGES + stage], snapshot->profile.ms[stage]);
}

static void show(const Graph *graph, const char *name, const char *unit, const char *tip,
                 float height)
{
    char over[80];
    GuiPlot plot = {.values = graph->values,
                    .count = graph->count,
                    .first = graph->count == GRAPH_STEPS ? graph->first : 0,
                    .size = {gui_width(), height},
                    .over = over};
    graph_range(graph, &plot.least, &plot.most);
    number_print(over, sizeof over, "%s %.3g%s%s (to %.3g)", name, (double)graph_last(graph),
                 unit[0] != 0 ? " " : "", unit, (double)plot.most);
    gui_push_name(name);
    gui_plot("##plot", &plot);
    gui_tip(tip);
    gui_pop_name();
}

void panel_graphs_show(PanelGraphs *graphs, const Figures *figures, double now)
{
    const Graph *graph = graphs->shown;
    if (now - graphs->renewed > RENEW_SECONDS) {
        memcpy(graphs->shown, graphs->graphs, sizeof graphs->shown);
        graphs->renewed = now;
    }
    const float high = 3 * gui_letters(), low = 1.9f * gui_letters();
    for (int i = 0; i < FIGURES_DETAILS; i++)
        if (figures->details[i][0] != 0)
            gui_text_wrapped(figures->details[i], 0);
    show(&graph[GRAPH_FRAME], "frame", "ms", "from one picture to the next", high);
    show(&graph[GRAPH_STEP], "step", "ms", "of the simulation, by the clock; its stages below",
         high);
    show(&graph[GRAPH_DIVERGENCE], "divergence", "1/s",
         "the largest of any cell after the last projection: how fast its fluid would be squeezed",
         high);
    show(&graph[GRAPH_MASS], "mass", "m3", "density of the smoke, over the box", high);
    show(&graph[GRAPH_RESIDUAL], "residual", "%",
         "share of the divergence that the last projection left", high);
    if (!gui_begin_group("stages of a step, ms", false))
        return;
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        show(&graph[GRAPH_STAGES + stage], billow_stage_name((BillowStage)stage), "ms",
             "of the last step, all its sub-steps together", low);
    gui_end_group();
}
