/* SPDX-License-Identifier: MIT */
#include "base/number.h"
#include "base/process_limits.h"
#include "base/system.h"
#include "bench/measure.h"
#include "cli/command.h"
#include "io/isolated.h"
#include "render/gl/context.h"
#include "render/renderer.h"

#include <math.h>
#include <stdlib.h>

typedef struct InfoSettings {
    CommandScene scene; /* only --force is used */
    const char *json;
} InfoSettings;

static const ArgsOption options[] = {
    ARGS_ROW(ARGS_TEXT_OR_STDOUT, "json", "FILE", InfoSettings, json, const char *, 0, 0,
             "write the description as JSON; without FILE to standard output"),
    {.type = ARGS_END},
};

typedef struct Machine {
    char cpu[128];
    int cores;
    uint64_t memory, memory_available;
    Bandwidth one[BANDWIDTH_SIZES], all[BANDWIDTH_SIZES]; /* of the triad, on 1 and on all cores */
    bool gl;
    RenderLimits limits; /* valid if gl */
    char device[128];    /* the same: on which the context was opened */
    BillowError gl_error;
} Machine;

static void query_gl(Machine *machine)
{
    system_hush_graphics();
    RenderContext *context = render_context_open(&machine->gl_error);
    if (context == NULL)
        return;
    Renderer *renderer = renderer_create(NULL, &machine->gl_error);
    if (renderer != NULL) {
        machine->gl = true;
        machine->limits = renderer_limits(renderer);
        snprintf(machine->device, sizeof machine->device, "%s", render_context_device(context));
        renderer_destroy(renderer);
    }
    render_context_close(context);
}

static void query_machine(Machine *machine)
{
    *machine = (Machine){.cores = system_cores(),
                         .memory = system_memory(),
                         .memory_available = system_memory_available()};
    system_cpu_name(machine->cpu, sizeof machine->cpu);
    for (int index = 0; index < BANDWIDTH_SIZES; index++) {
        BandwidthSize size = (BandwidthSize)index;
        machine->one[size] = bandwidth_triad(size, 1);
        machine->all[size] =
            machine->cores > 1 ? bandwidth_triad(size, machine->cores) : machine->one[size];
    }
    query_gl(machine);
}

/* Prints the instruction set in use, those built in, and how to choose another. */
static void print_simd(void)
{
    const char *wanted = getenv("BILLOW_SIMD"), *name;
    bool asked = wanted != NULL && wanted[0] != 0;
    printf("instruction set  %s, %s; built in, best first:", billow_simd(),
           asked ? "chosen by BILLOW_SIMD" : "the best that this machine runs");
    for (int index = 0; (name = billow_simd_known(index)) != NULL; index++)
        printf("%s %s", index > 0 ? "," : "", name);
    printf("\n                 BILLOW_SIMD=NAME in the environment chooses another\n");
}

static void print_bandwidth(const Machine *machine)
{
    for (int size = 0; size < BANDWIDTH_SIZES; size++) {
        number_fprint(stdout, "%-16s triad, arrays of %.0f MiB in %s: %.1f GB/s on 1 thread",
                      size == 0 ? "bandwidth" : "",
                      (double)bandwidth_array_bytes((BandwidthSize)size) / (1 << 20),
                      bandwidth_size_name((BandwidthSize)size), machine->one[size].gbs);
        if (machine->cores > 1)
            number_fprint(stdout, ", %.1f GB/s on %d", machine->all[size].gbs, machine->cores);
        putchar('\n');
    }
}

static QuietTally tally_bandwidth(const Machine *machine)
{
    QuietTally tally = {.noun = "bandwidths", .cores = machine->cores};
    for (int index = 0; index < BANDWIDTH_SIZES; index++) {
        const char *name = bandwidth_size_name((BandwidthSize)index);
        quiet_count(&tally, machine->one[index].processor_share, 1, name);
        if (machine->cores > 1)
            quiet_count(&tally, machine->all[index].processor_share, machine->cores, name);
    }
    return tally;
}

static void print_gl(const Machine *machine)
{
    if (!machine->gl) {
        printf("GL               not available: %s\n", machine->gl_error.text);
        return;
    }
    printf("GL renderer      %s%s\n", machine->limits.renderer,
           machine->limits.software ? " (software)" : "");
    printf("GL device        %s\n", machine->device);
    printf("GL version       %s\n", machine->limits.version);
    printf("GL 3D textures   up to %d cells an axis\n", machine->limits.texture_3d_max);
}

static void print_text(const Machine *machine)
{
    const ProcessLimits limits = process_limits_read("");
    char memory[32], available[32], most[32], reader[ISOLATED_PATH];
    report_bytes(limits.memory, most, sizeof most);
    report_bytes((double)machine->memory, memory, sizeof memory);
    report_bytes((double)machine->memory_available, available, sizeof available);
    printf("cpu              %s\n", machine->cpu);
    printf("cores            %d", machine->cores);
    if (machine->cores < system_processors())
        number_fprint(stdout, " of %d, by a quota of %.3g s of processor time per s",
                      system_processors(), limits.cores);
    putchar('\n');
    print_simd();
    printf("threads          %s\n", billow_openmp());
    printf("memory           %s", memory);
    if (isfinite(limits.memory) && limits.memory < (double)machine->memory)
        printf(", of which this process may have %s", most);
    printf(", %s available\n", available);
    print_bandwidth(machine);
    print_gl(machine);
    printf("files            .vdb, .exr and fonts of scenes are read by %s\n",
           isolated_find(reader) ? reader : "billow-reader, which is not found: they are refused");
    QuietTally tally = tally_bandwidth(machine);
    quiet_print(&tally, stdout);
}

static bool write_json(const Machine *machine, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_text(&json, json.root, "cpu", machine->cpu);
    json_number(&json, json.root, "threads", machine->cores);
    measure_json_limits(&json, json.root);
    json_text(&json, json.root, "simd", billow_simd());
    cJSON *known = json_array(&json, json.root, "simd_built_in");
    for (int index = 0; billow_simd_known(index) != NULL; index++)
        json_text(&json, known, NULL, billow_simd_known(index));
    json_text(&json, json.root, "openmp", billow_openmp());
    json_number(&json, json.root, "memory_bytes", (double)machine->memory);
    json_number(&json, json.root, "memory_available_bytes", (double)machine->memory_available);
    json_number(&json, json.root, "stream_gbs", machine->all[BANDWIDTH_MEMORY].gbs);
    json_number(&json, json.root, "stream_gbs_one_thread", machine->one[BANDWIDTH_MEMORY].gbs);
    json_number(&json, json.root, "cache_stream_gbs", machine->all[BANDWIDTH_CACHE].gbs);
    json_number(&json, json.root, "cache_stream_gbs_one_thread", machine->one[BANDWIDTH_CACHE].gbs);
    json_flag(&json, json.root, "disturbed", tally_bandwidth(machine).disturbed > 0);
    if (machine->gl) {
        cJSON *gl = json_object(&json, json.root, "gl");
        json_text(&json, gl, "renderer", machine->limits.renderer);
        json_text(&json, gl, "device", machine->device);
        json_text(&json, gl, "version", machine->limits.version);
        json_number(&json, gl, "texture_3d_max", machine->limits.texture_3d_max);
        json_flag(&json, gl, "software", machine->limits.software);
        json_null(&json, json.root, "gl_error");
    } else {
        json_null(&json, json.root, "gl");
        json_text(&json, json.root, "gl_error", machine->gl_error.text);
    }
    return json_write(&json, path, error);
}

static Status run(const void *memory, BillowError *error)
{
    const InfoSettings *settings = memory;
    Machine machine;
    Outputs outputs = {.force = settings->scene.force};
    outputs_add(&outputs, "--json", settings->json);
    if (outputs_probe(&outputs, error) != STATUS_DONE)
        return STATUS_FAILED;
    query_machine(&machine);
    if (settings->json == NULL)
        print_text(&machine);
    else if (!write_json(&machine, settings->json, error))
        return STATUS_FAILED;
    return STATUS_DONE;
}

const Command command_info = {
    .spec = {.name = "info",
             .summary = "describe this machine: cores, instruction set, bandwidth, graphics",
             .tables = {options, command_force_options}},
    .settings_size = sizeof(InfoSettings),
    .run = run,
};
