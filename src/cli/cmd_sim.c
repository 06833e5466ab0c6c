/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "bench/measure.h"
#include "cli/command.h"
#include "cli/serve.h"
#include "io/atomic_file.h"
#include "mpi/cluster.h"
#include "play/world.h"

#include <inttypes.h>
#include <string.h>

typedef struct SimOptions {
    CommandScene scene;
    int steps;
    const char *json, *csv;
    const char *serve; /* NULL: no; "-": for this machine alone */
    const char *key_file, *name;
} SimOptions;

static const ArgsOption options[] = {
    ARGS_ROW_WHOLE("steps", "N", SimOptions, steps, 1, 10000000,
                   "steps to simulate, each of the scene's time.step; default 100, or without end "
                   "with --serve"),
    ARGS_ROW_TEXT(
        "json", "FILE", SimOptions, json,
        "write the results as JSON; FILE may be - for standard output, without the other text"),
    ARGS_ROW_TEXT("csv", "FILE", SimOptions, csv,
                  "write one line of statistics per step as CSV; FILE may be - as above"),
    ARGS_ROW(ARGS_TEXT_OR_STDOUT, "serve", "ADDRESS[:PORT]", SimOptions, serve, const char *, 0, 0,
             "simulate by the clock, without end unless --steps is given, for others who watch it "
             "with 'billow run --watch' or join it with 'billow run --join'; give SCENE before it; "
             "ADDRESS: where to listen, * for all networks of this machine; default: this machine "
             "alone, port 46464"),
    ARGS_ROW_TEXT("key-file", "FILE", SimOptions, key_file,
                  "with --serve: write the session's key, which is new for each session, to FILE, "
                  "which you alone may read"),
    ARGS_ROW_TEXT("name", "NAME", SimOptions, name,
                  "with --serve: what others see as this host's name; default: the user's name"),
    {.type = ARGS_END},
};

enum { STEPS = 100, STEPS_UNSET = 0 };

/* Shortest run whose share of the processors is reported, s. In a shorter one, the share depends on
 * the start of the threads. */
#define SECONDS_TELLING 0.1

static void print_text(const Measure *measure, bool checkpoints)
{
    const BillowStats *stats = &measure->stats;
    printf("scene                %s\n", measure->scene);
    const int *grid = measure->grid, *last = measure->grid_last;
    printf("grid                 %dx%dx%d", grid[0], grid[1], grid[2]);
    if (memcmp(grid, last, sizeof measure->grid) != 0)
        printf(" in the fastest step, %dx%dx%d at the end", last[0], last[1], last[2]);
    putchar('\n');
    if (cluster_ranks() > 1)
        printf("ranks                %d\n", cluster_ranks());
    printf("threads              %d\n", measure->threads);
    printf("steps                %d\n", measure->steps);
    if (stats->steps > (uint64_t)measure->steps)
        printf("steps before         %" PRIu64 "\n", stats->steps - (uint64_t)measure->steps);
    number_fprint(stdout, "time                 %.6g s\n", stats->time);
    number_fprint(stdout, "mass                 %.9g m3\n", stats->mass);
    number_fprint(
        stdout, "mass budget          %.6g sources - %.6g outflow - %.6g dissipated + %.6g drift\n",
        stats->mass_sources, stats->mass_outflow, stats->mass_dissipated, stats->mass_drift);
    number_fprint(stdout, "heat                 %.9g K m3\n", stats->heat);
    if (stats->fuel > 0)
        number_fprint(stdout, "fuel                 %.9g m3\n", stats->fuel);
    if (stats->expansion != 0)
        number_fprint(stdout, "expansion            %.6g m3/s, of which %.6g left the box\n",
                      stats->expansion, stats->outflow);
    number_fprint(stdout, "kinetic_energy       %.9g J\n", stats->kinetic_energy);
    number_fprint(stdout, "speed_max            %.6g m/s\n", stats->speed_max);
    number_fprint(stdout, "divergence_max       %.6g 1/s\n", stats->divergence_max);
    number_fprint(stdout, "residual_relative    %.6g after %d cycles\n", stats->residual_relative,
                  stats->cycles);
    number_fprint(stdout, "cfl                  %.6g with %d substeps\n", stats->cfl,
                  stats->last_substeps);
    if (stats->nonfinite > 0)
        printf("nonfinite            %" PRIu64 " cells\n", stats->nonfinite);
    number_fprint(stdout, "ms_step              %.3f median, %.3f least\n", measure->ms_step_median,
                  measure->ms_step_min);
    number_fprint(stdout, "cells_per_s          %.4g\n", measure->cells_per_s);
    printf("state_hash           %016" PRIx64 "\n", measure->state_hash);
    QuietTally tally = {.noun = "simulations", .cores = system_cores()};
    /* Time spent writing checkpoints would count as disturbance. */
    if (measure->seconds >= SECONDS_TELLING && !checkpoints)
        quiet_count(&tally, measure->processor_share, measure->threads, measure->scene);
    quiet_print(&tally, stdout);
}

static bool write_json(const Measure *measure, const char *path, BillowError *error)
{
    const BillowStats *stats = &measure->stats;
    Json json = json_start();
    measure_json(&json, json.root, measure);
    json_number(&json, json.root, "time", stats->time);
    json_number(&json, json.root, "substeps", (double)stats->substeps);
    json_number(&json, json.root, "mass", stats->mass);
    json_number(&json, json.root, "mass_sources", stats->mass_sources);
    json_number(&json, json.root, "mass_outflow", stats->mass_outflow);
    json_number(&json, json.root, "mass_dissipated", stats->mass_dissipated);
    json_number(&json, json.root, "mass_cut", stats->mass_cut);
    json_number(&json, json.root, "mass_drift", stats->mass_drift);
    json_number(&json, json.root, "heat", stats->heat);
    json_number(&json, json.root, "fuel", stats->fuel);
    json_number(&json, json.root, "expansion", stats->expansion);
    json_number(&json, json.root, "outflow", stats->outflow);
    json_number(&json, json.root, "kinetic_energy", stats->kinetic_energy);
    static const char *const axes[3] = {"x", "y", "z"};
    cJSON *momentum = json_object(&json, json.root, "momentum");
    cJSON *restored = json_object(&json, json.root, "momentum_restored");
    for (int axis = 0; axis < 3; axis++) {
        json_number(&json, momentum, axes[axis], stats->momentum[axis]);
        json_number(&json, restored, axes[axis], stats->momentum_restored[axis]);
    }
    json_number(&json, json.root, "speed_max", stats->speed_max);
    json_number(&json, json.root, "density_max", stats->density_max);
    json_number(&json, json.root, "temperature_max", stats->temperature_max);
    json_number(&json, json.root, "cfl", stats->cfl);
    json_number(&json, json.root, "nonfinite", (double)stats->nonfinite);
    return json_write(&json, path, error);
}

/* csv: table of steps; NULL: none. */
static Status take_steps(SceneRun *scene, const SimOptions *settings, FILE *csv, Measure *measure,
                         BillowError *error)
{
    Status status = STATUS_DONE;
    Progress progress = progress_start(settings->scene.request.quiet);
    if (csv != NULL)
        fprintf(csv, "step,time,mass,heat,kinetic_energy,divergence_max,residual_relative,cycles,"
                     "cfl,speed_max,substeps,ms\n");
    for (int taken = 0; taken < settings->steps && status == STATUS_DONE; taken++) {
        if (!scene_driver_prepare(&scene->driver, scene->step, error)) {
            status = STATUS_FAILED;
            break;
        }
        double ms = measure_step(measure, scene->driver.sim, scene->step);
        if (csv != NULL) {
            BillowStats stats = billow_stats(scene->driver.sim);
            number_fprint(csv, "%" PRIu64 ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.9g,%d,%.4f\n",
                          stats.steps, stats.time, stats.mass, stats.heat, stats.kinetic_energy,
                          stats.divergence_max, stats.residual_relative, stats.cycles, stats.cfl,
                          stats.speed_max, stats.last_substeps, ms);
        }
        scene_run_step_done(scene);
        progress_update(&progress, "step", taken + 1, settings->steps);
        if (scene_run_signalled(scene))
            status = STATUS_INTERRUPTED;
    }
    progress_end(&progress);
    return status;
}

/* Takes the steps and writes their table, whole or not at all. The table of an interrupted run is
 * written only if a checkpoint is, too. */
static Status run_steps(SceneRun *scene, const SimOptions *settings, Measure *measure,
                        BillowError *error)
{
    AtomicFile csv;
    bool writes = settings->csv != NULL && cluster_leads();
    bool opened = writes && atomic_file_open(&csv, settings->csv, error);
    if (!cluster_agree(opened == writes, error))
        return STATUS_FAILED;
    if (!writes)
        return take_steps(scene, settings, NULL, measure, error);
    Status status = take_steps(scene, settings, csv.stream, measure, error);
    bool resumable = status == STATUS_INTERRUPTED && settings->scene.request.checkpoint != NULL;
    if (status != STATUS_DONE && !resumable)
        atomic_file_abandon(&csv);
    else if (!atomic_file_commit(&csv, error))
        status = STATUS_FAILED;
    return status;
}

static Status report(const SimOptions *settings, BillowSim *sim, Measure *measure,
                     BillowError *error)
{
    measure_finish(measure, sim);
    bool writes_json = settings->json != NULL && cluster_leads();
    if (writes_json)
        measure_compare(measure, bandwidth_triad(bandwidth_size_of(measure_cells(measure->grid)),
                                                 billow_threads(sim))
                                     .gbs);
    /* `sim` reports the last step, not the largest values of all steps. */
    measure->cycles = measure->stats.cycles;
    measure->residual_relative = measure->stats.residual_relative;
    measure->divergence_max = measure->stats.divergence_max;
    if (!output_is_stdout(settings->json) && !output_is_stdout(settings->csv))
        print_text(measure, settings->scene.request.every > 0);
    if (writes_json && !write_json(measure, settings->json, error))
        return STATUS_FAILED;
    return scene_start_check_finite(sim, error) ? STATUS_DONE : STATUS_FAILED;
}

static Status simulate(const SimOptions *settings, SceneRun *scene, BillowError *error)
{
    Measure measure = {0};
    Status status = STATUS_FAILED;
    if (scene_run_begin(scene, 0, error) &&
        measure_start(&measure, &scene->scene, scene->driver.sim, settings->steps, error)) {
        if (!scene->request->quiet && !scene->resumed)
            scene_start_note(scene->name, &scene->scene);
        status = run_steps(scene, settings, &measure, error);
        if (status == STATUS_DONE)
            status = report(settings, scene->driver.sim, &measure, error);
        measure_abandon(&measure);
        status = scene_run_finish(scene, status, error);
    }
    return status;
}

static void set_defaults(void *memory)
{
    SimOptions *settings = memory;
    settings->steps = STEPS_UNSET;
}

/* Checks what --serve does not go together with. */
static bool check_serving(const SimOptions *settings, const SceneRequest *request,
                          BillowError *error)
{
    if (settings->serve == NULL)
        return (settings->key_file == NULL && settings->name == NULL) ||
               fail(error, "--%s goes with --serve",
                    settings->key_file != NULL ? "key-file" : "name");
    if (scene_is_builtin(settings->serve))
        return fail(error, "%s is a scene: give it before --serve", settings->serve);
    if (request->checkpoint != NULL || request->every > 0 || settings->json != NULL ||
        settings->csv != NULL)
        return fail(error,
                    "--serve writes no files: give no --checkpoint, --every, --json or --csv");
    return true;
}

/* Simulates for others. */
static Status serve_scene(const SimOptions *settings, const SceneRequest *request,
                          BillowError *error)
{
    SceneRun opened;
    Outputs outputs = {.force = settings->scene.force};
    outputs_add(&outputs, "--key-file", settings->key_file);
    Status status = scene_run_open(&opened, request, WORLD_BYTES_PER_CELL, error);
    scene_run_close(&opened); /* the world opens it again */
    if (status == STATUS_DONE)
        status = outputs_probe(&outputs, error);
    const ServeDef def = {
        .address = strcmp(settings->serve, "-") != 0 ? settings->serve : NULL,
        .key_file = settings->key_file,
        .name = settings->name,
        .steps = settings->steps,
    };
    return status == STATUS_DONE ? serve(request, &def, error) : status;
}

static Status run(const void *memory, BillowError *error)
{
    SimOptions given = *(const SimOptions *)memory;
    const SimOptions *settings = &given;
    const CommandScene *scene = &settings->scene;
    const SceneRequest request = command_scene_request(scene, "sim");
    SceneRun run;
    if (!check_serving(settings, &request, error))
        return STATUS_USAGE;
    if (settings->serve != NULL)
        return serve_scene(settings, &request, error);
    if (given.steps == STEPS_UNSET)
        given.steps = STEPS;
    Outputs outputs = {.force = scene->force};
    outputs_add_checkpoint(&outputs, request.checkpoint, request.resume);
    outputs_add(&outputs, "--json", settings->json);
    outputs_add(&outputs, "--csv", settings->csv);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (!scene_start_check_every(&request, error))
        return STATUS_USAGE;
    status = scene_run_open(&run, &request, 0, error);
    system_watch_interrupts();
    if (status == STATUS_DONE)
        status = outputs_probe(&outputs, error);
    if (status == STATUS_DONE)
        status = simulate(settings, &run, error);
    scene_run_close(&run);
    return status;
}

static const char notes[] = COMMAND_CHECKPOINT_NOTES
    "\n"
    "The state_hash is the same for any number of threads. A notice says if other programs\n"
    "disturbed the timing. In the JSON, mass = mass_sources - mass_outflow - mass_dissipated +\n"
    "mass_drift, all since the start; drift is the error of advection and diffusion. expansion is\n"
    "the volume that emitters and combustion add in the last substep, m3/s; outflow is the volume\n"
    "that leaves through the faces of the box at its end, m3/s.\n";

const Command command_sim = {
    .spec = {.name = "sim",
             .summary = "simulate without pictures and print the statistics of the last step",
             .examples = "  billow sim plume --steps 200                statistics and state hash\n"
                         "  billow sim plume --grid 128 --csv steps.csv a row for each step\n",
             COMMAND_SCENE_OPERAND("not with --resume"),
             .tables = {options, command_grid_options, command_set_options, command_threads_options,
                        command_checkpoint_options, command_quiet_options, command_force_options},
             .notes = notes},
    .settings_size = sizeof(SimOptions),
    .set_defaults = set_defaults,
    .run = run,
    .divides = command_always,
};
