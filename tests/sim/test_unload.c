/* SPDX-License-Identifier: MIT
 * A host that loads a library, steps and unloads it, over and over: test_unload LIBRARY. */
#include <billow/scene.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CYCLES = 400, WARM = 100 };

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

/* Points a variable to a function of the library. ISO C has no cast from void * to a function. */
#define FIND(name)                                                                                 \
    __typeof__(&name) name##_found;                                                                \
    do {                                                                                           \
        void *address = find(library, #name);                                                      \
        memcpy(&name##_found, &address, sizeof address);                                           \
    } while (0)

static int step_def(void *library, int threads)
{
    FIND(billow_default_def);
    FIND(billow_create);
    FIND(billow_step);
    FIND(billow_destroy);
    BillowDef def = billow_default_def_found();
    def.nx = def.ny = def.nz = 16;
    def.threads = threads;
    BillowSim *sim = billow_create_found(&def, NULL);
    int good = sim != NULL && billow_step_found(sim, 1.0 / 60) && billow_step_found(sim, 1.0 / 60);
    billow_destroy_found(sim);
    return good;
}

static int step_scene(void *library, int threads)
{
    FIND(billow_default_scene_def);
    FIND(billow_create_scene);
    FIND(billow_scene_step);
    FIND(billow_destroy_scene);
    BillowSceneDef def = billow_default_scene_def_found();
    def.cells = 12;
    def.threads = threads;
    BillowScene *scene = billow_create_scene_found(&def, NULL);
    int good = scene != NULL && billow_scene_step_found(scene, 1.0 / 60);
    billow_destroy_scene_found(scene);
    return good;
}

/* Resident memory, KiB. */
static long resident(void)
{
    long all = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2)
        exit(1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int count, char **values)
{
    long before = 0;
    if (count != 2)
        return 2;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        void *library = dlopen(values[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        int threads = cycle % 10 == 0 ? 2 : 1; /* two wait long for each other on a busy machine */
        bool good = strstr(values[1], "scene") != NULL ? step_scene(library, threads)
                                                       : step_def(library, threads);
        if (!good) {
            fprintf(stderr, "no step in cycle %d\n", cycle);
            return 1;
        }
        dlclose(library);
        if (cycle == WARM)
            before = resident();
    }
    usleep(20000); /* workers run on */
    long grown = resident() - before;
    printf("%d cycles; resident memory grew by %ld KiB in the last %d\n", CYCLES, grown,
           CYCLES - WARM);
    return grown > 1024;
}
