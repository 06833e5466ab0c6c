/* SPDX-License-Identifier: MIT
 * faults_walk PROGRAM SHADERS [--quick] [--all] [--scenario NAME] [--class NAME] [--messages FILE]
 * [--places FILE]: see walk.h. Each place in the sources fails once per scenario, alone and with
 * all after it; with --quick alone, once in all quick scenarios; with --all call after call (see
 * most_from_place). The files get what was said each time, and the place of each call that was made
 * to fail. */
#define _GNU_SOURCE
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef BILLOW_SANITIZED
enum { LIMIT_SECONDS = 240 };
#else
enum { LIMIT_SECONDS = 60 };
#endif

typedef struct Walk {
    const char *program, *only_scenario, *only_class;
    bool quick, all;
    FILE *messages, *places_met;
    FaultRecord *record;
    long calls[FAULT_CLASSES], places[FAULT_CLASSES], runs[FAULT_CLASSES], wrong;
} Walk;

static char folder[] = "/tmp/billow-faults-XXXXXX";

static void give_up(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

static void read_back(const char *path, char *text, size_t size)
{
    FILE *stream = fopen(path, "rb");
    text[0] = 0;
    if (stream == NULL)
        return;
    text[fread(text, 1, size - 1, stream)] = 0;
    fclose(stream);
}

static void redirect(int descriptor, const char *path, int flags)
{
    int opened = open(path, flags, 0600);
    if (opened < 0 || dup2(opened, descriptor) < 0)
        _exit(126);
    close(opened);
}

static pid_t start(const Scenario *scenario, const char *fault)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    setpgid(0, 0);
    redirect(0, "/dev/null", O_RDONLY);
    redirect(1, "../out", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, "../err", O_WRONLY | O_CREAT | O_TRUNC);
    setenv("BILLOW_FAULT", fault, 1);
    setenv("BILLOW_FAULT_KEYS", scenario->keys != NULL ? scenario->keys : "", 1);
    if (scenario->needs == NULL || strcmp(scenario->needs, "screen") != 0) {
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
    }
    execl("/bin/sh", "sh", "-c", scenario->line, (char *)NULL);
    _exit(127);
}

static int finish(pid_t process)
{
    int status;
    const struct timespec wait = {0, 2000000};
    for (double waited = 0; waited < LIMIT_SECONDS; waited += 0.002) {
        if (waitpid(process, &status, WNOHANG) == process)
            return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
        nanosleep(&wait, NULL);
    }
    kill(-process, SIGKILL);
    waitpid(process, &status, 0);
    return -1;
}

static void run(Walk *walk, const Scenario *scenario, const char *fault, Outcome *outcome)
{
    memset(walk->record, 0, offsetof(FaultRecord, sites));
    memset(outcome, 0, sizeof *outcome);
    outcome->status = finish(start(scenario, fault));
    read_back("../err", outcome->words, sizeof outcome->words);
    read_back("../out", outcome->printed, sizeof outcome->printed);
    found_look(&outcome->found);
    found_clear();
    outcome->struck = walk->record->struck;
    outcome->address = walk->record->address;
    outcome->descriptors = walk->record->descriptors;
    memcpy(outcome->name, walk->record->name, sizeof outcome->name);
}

/* The place in the sources, found by addr2line if that is installed. */
static void print_place(const Walk *walk, uint64_t address)
{
    char line[4200];
    fflush(stdout);
    snprintf(line, sizeof line, "addr2line -psfie '%s' %#lx 2>/dev/null | sed 's/^/    in /'",
             walk->program, (unsigned long)address - 1);
    if (system(line) != 0)
        printf("    at %#lx\n", (unsigned long)address);
}

static void judge(Walk *walk, const Scenario *scenario, FaultClass class, const char *fault,
                  const Outcome *plain, const Outcome *faulty)
{
    char why[512];
    if (walk->messages != NULL)
        fprintf(walk->messages, "%s %s %s -> %d %s%s", scenario->name, fault, faulty->name,
                faulty->status, faulty->words, faulty->words[0] != 0 ? "" : "\n");
    said_hear(faulty);
    if (outcome_right(scenario, class, strchr(fault, '+') != NULL, plain, faulty, why, sizeof why))
        return;
    walk->wrong++;
    printf("WRONG: %s with %s (%s): %s\n", scenario->name, fault, faulty->name, why);
    print_place(walk, faulty->address);
    printf("    status %d; it said: %.3000s\n", faulty->status, faulty->words);
}

/* Places in the program that made calls, with the number of calls from each. */
typedef struct Places {
    uint32_t sites[1024], calls[1024];
    int count;
} Places;

/* Counts a call from a place. Returns its number among the calls from there, from 1. */
static uint32_t nth_from(Places *places, uint32_t site)
{
    int at = 0;
    while (at < places->count && places->sites[at] != site)
        at++;
    if (at == places->count && at < 1024) {
        places->sites[at] = site;
        places->calls[at] = 0;
        places->count++;
    }
    return at < 1024 ? ++places->calls[at] : 1;
}

/* With --all, so many calls from one place fail in turn: loops allocate, write, read and look at
 * the clock thousands of times, and all alike. */
static uint32_t most_from_place(const Walk *walk, FaultClass class)
{
    return !walk->all ? 1 : class == FAULT_MEMORY ? 40 : class == FAULT_CLOCK ? 4 : 20;
}

static void walk_class(Walk *walk, const Scenario *scenario, FaultClass class, const Outcome *plain,
                       uint64_t calls, const uint32_t *sites)
{
    static Outcome faulty;
    static Places met[FAULT_CLASSES];
    /* The quick walk visits a place in one scenario only: most are the same in all. */
    Places *places = &met[class];
    if (!walk->quick)
        places->count = 0;
    const int before = places->count;
    long runs = 0, wrong = walk->wrong;
    for (uint64_t call = 1; call <= calls && call <= FAULT_SITES_MAX; call++) {
        uint32_t nth = nth_from(places, sites[call - 1]);
        if (nth > most_from_place(walk, class))
            continue;
        char fault[64];
        snprintf(fault, sizeof fault, "%s:%lu", fault_class_names[class], (unsigned long)call);
        run(walk, scenario, fault, &faulty);
        if (faulty.struck == 0)
            continue; /* fewer calls than last time: threads take turns as they like */
        if (walk->places_met != NULL && nth == 1)
            fprintf(walk->places_met, "%s %lx %s %s\n", fault_class_names[class],
                    (unsigned long)faulty.address, faulty.name, scenario->name);
        runs++;
        judge(walk, scenario, class, fault, plain, &faulty);
        /* A second run, in which all later calls fail too. */
        if (nth > 1 || walk->quick || class == FAULT_REMOVE)
            continue;
        strcat(fault, "+");
        run(walk, scenario, fault, &faulty);
        runs++;
        judge(walk, scenario, class, fault, plain, &faulty);
    }
    if (calls > 0)
        printf("%-14s %-8s %6lu calls from %3d places, %5ld runs, %ld wrong\n", scenario->name,
               fault_class_names[class], (unsigned long)calls, places->count - before, runs,
               walk->wrong - wrong);
    fflush(stdout);
    walk->calls[class] += (long)calls;
    walk->places[class] += places->count - before;
    walk->runs[class] += runs;
}

static bool has(const Scenario *scenario)
{
    const char *needs = scenario->needs;
    if (needs == NULL)
        return true;
    if (strcmp(needs, "screen") == 0)
        return getenv("DISPLAY") != NULL;
    if (strcmp(needs, "ffmpeg") == 0)
        return system("command -v ffmpeg >/dev/null") == 0;
#ifdef BILLOW_OPENEXR
    if (strcmp(needs, "exr") == 0)
        return true;
#endif
#ifdef BILLOW_OPENVDB
    if (strcmp(needs, "vdb") == 0)
        return true;
#endif
    return false;
}

static void walk_scenario(Walk *walk, const Scenario *scenario)
{
    static Outcome plain;
    static uint32_t sites[FAULT_CLASSES][FAULT_SITES_MAX];
    uint64_t calls[FAULT_CLASSES];
    if (walk->only_scenario != NULL ? strcmp(walk->only_scenario, scenario->name) != 0
                                    : walk->quick && !scenario->quick)
        return;
    if (!has(scenario)) {
        printf("%-14s left out: no %s\n", scenario->name, scenario->needs);
        return;
    }
    run(walk, scenario, "", &plain);
    memcpy(calls, walk->record->calls, sizeof calls);
    memcpy(sites, walk->record->sites, sizeof sites);
    if (plain.status != 0) {
        walk->wrong++;
        printf("WRONG: %s without a fault ended with %d: %s\n", scenario->name, plain.status,
               plain.words);
        return;
    }
    for (int class = 0; class < FAULT_CLASSES; class ++)
        if (walk->only_class == NULL || strcmp(walk->only_class, fault_class_names[class]) == 0)
            walk_class(walk, scenario, (FaultClass) class, &plain, calls[class], sites[class]);
    if (walk->only_class == NULL)
        walk->wrong += said_missing(scenario, walk->all, !walk->quick);
}

static void prepare(Walk *walk, const char *program, const char *shaders)
{
    walk->program = program;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("given", 0700) != 0 ||
        mkdir("work", 0700) != 0 || chdir("given") != 0)
        give_up(folder);
    for (int i = 0; i < given_file_count; i++) {
        FILE *stream = fopen(given_files[i].name, "wb");
        if (stream == NULL || fputs(given_files[i].text, stream) < 0 || fclose(stream) != 0)
            give_up(given_files[i].name);
    }
    int descriptor = open("../record", O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor < 0 || ftruncate(descriptor, sizeof *walk->record) != 0 || chdir("../work") != 0)
        give_up("record");
    walk->record =
        mmap(NULL, sizeof *walk->record, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (walk->record == MAP_FAILED)
        give_up("record");
    close(descriptor);
    char record[64];
    snprintf(record, sizeof record, "%s/record", folder);
    setenv("BILLOW_FAULTS", record, 1);
    setenv("BILLOW", program, 1);
    setenv("SHADERS", shaders, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
}

static void read_options(Walk *walk, int count, char **arguments)
{
    for (int i = 3; i < count; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(arguments[i], "--all") == 0)
            walk->all = true;
        else if (strcmp(arguments[i], "--quick") == 0)
            walk->quick = true;
        else if (strcmp(arguments[i], "--scenario") == 0)
            walk->only_scenario = value, i++;
        else if (strcmp(arguments[i], "--class") == 0)
            walk->only_class = value, i++;
        else if (strcmp(arguments[i], "--messages") == 0)
            walk->messages = fopen(value, "wb"), i++;
        else if (strcmp(arguments[i], "--places") == 0)
            walk->places_met = fopen(value, "wb"), i++;
    }
}

int main(int count, char **arguments)
{
    Walk walk = {.program = NULL};
    if (count < 3)
        return 2;
    read_options(&walk, count, arguments);
    prepare(&walk, arguments[1], arguments[2]);
    for (int i = 0; i < scenario_count; i++)
        walk_scenario(&walk, &scenarios[i]);
    printf("\nall together:\n");
    long runs = 0;
    for (int class = 0; class < FAULT_CLASSES; class ++) {
        printf("%-8s %7ld calls, %5ld places, %6ld runs\n", fault_class_names[class],
               walk.calls[class], walk.places[class], walk.runs[class]);
        runs += walk.runs[class];
    }
    printf("%ld faults, %ld wrong\n", runs, walk.wrong);
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    if (chdir("/") != 0 || system(line) != 0)
        return 2;
    return walk.wrong == 0 && runs > 0 ? 0 : 1;
}
