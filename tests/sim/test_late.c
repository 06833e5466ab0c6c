/* SPDX-License-Identifier: MIT
 * A host that uses OpenMP before it loads libbillow: test_late LIBRARY forked|stacks. The second
 * one runs with OMP_STACKSIZE=300k, of which the host itself takes most. */
#include <billow/billow.h>

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Thread_local char taken[200 * 1024];

/* Points a variable to a function of the library. ISO C has no cast from void * to a function. */
#define FIND(name)                                                                                 \
    __typeof__(&name) name##_found;                                                                \
    do {                                                                                           \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&name##_found, &address, sizeof address);                                           \
    } while (0)

/* Loads the library and steps. Returns the most threads of a step, 0 on failure. */
static int load_and_step(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
    FIND(billow_default_def);
    FIND(billow_create);
    FIND(billow_step);
    FIND(billow_profile);
    FIND(billow_destroy);
    BillowDef def = billow_default_def_found();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.threads = 2;
    BillowSim *sim = billow_create_found(&def, NULL);
    int most = 0;
    for (int step = 0; sim != NULL && step < 3; step++) {
        int threads =
            billow_step_found(sim, 1.0 / 60) ? billow_profile_found(sim).threads : 1 << 20;
        most = threads > most ? threads : most;
    }
    billow_destroy_found(sim);
    return most;
}

/* The threads of OpenMP are in the parent alone. */
static int step_in_child(const char *path)
{
    int status = 0, threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads += 1;
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(load_and_step(path));
    }
    if (threads != 2 || child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* OpenMP has read the variable before the library can. */
static int step_on_small_stacks(const char *path)
{
    memset(taken, 1, sizeof taken);
    unsetenv("OMP_STACKSIZE");
    return load_and_step(path);
}

int main(int count, char **values)
{
    if (count != 3)
        return 2;
    int threads = strcmp(values[2], "forked") == 0 ? step_in_child(values[1])
                                                   : step_on_small_stacks(values[1]);
    printf("most threads of a step: %d\n", threads);
    return threads != 1;
}
