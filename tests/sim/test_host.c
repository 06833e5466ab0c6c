/* SPDX-License-Identifier: MIT
 * What a host program does with its process: floating-point modes and traps, forks, few threads,
 * small stacks. Public headers only. */
#if defined(__linux__)
#define _GNU_SOURCE /* feenableexcept, setrlimit */
#endif
#include <billow/exchange.h>
#include <billow/mesh.h>

#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <cmocka.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSHES 0x8040u /* FTZ and DAZ of MXCSR */
static void flush_to_zero(void)
{
    _mm_setcsr(_mm_getcsr() | FLUSHES);
}
static bool flushes(void)
{
    return (_mm_getcsr() & FLUSHES) == FLUSHES;
}
#elif defined(__aarch64__)
static void flush_to_zero(void)
{
    unsigned long long mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | 1ull << 24));
}
static bool flushes(void)
{
    unsigned long long mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return (mode >> 24 & 1) != 0;
}
#endif

/* Everything that a simulation can have, apart from what excludes the rest. */
static BillowDef full_def(int threads)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.threads = threads;
    def.fire = def.color = def.age = def.guarded = true;
    def.tracers = 100;
    def.tracer_lag = 0.05f;
    def.texture_period = 0.5f;
    def.params.vorticity = 2;
    def.params.viscosity = def.params.smoke_diffusion = def.params.heat_diffusion = 1e-4f;
    def.params.disturbance = def.params.shredding = def.params.radiation = 1;
    def.params.tracer_sparks = 1000;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].heat = 800;
    def.emitters[0].fuel = 2;
    def.emitters[0].noise = 0.5f;
    def.emitters[0].center[0] = def.emitters[0].center[2] = 0.5f;
    def.emitter_count = 1;
    for (int s = 0; s < 2; s++) {
        def.solids[s] = billow_default_solid();
        def.solids[s].center[0] = s == 0 ? 0.2f : 0.8f;
        def.solids[s].center[1] = def.solids[s].center[2] = 0.6f;
        for (int axis = 0; axis < 3; axis++)
            def.solids[s].size[axis] = 0.15f;
    }
    def.solids[0].motion = BILLOW_FALLING;
    def.solids[1].shape = BILLOW_BOX;
    def.solid_count = 2;
    def.forces[0] = billow_default_force();
    def.forces[0].kind = BILLOW_TURBULENCE;
    def.forces[0].strength = 1;
    def.force_count = 1;
    return def;
}

/* The hash after some steps. `set` is called before creation (early), or between steps. */
static uint64_t hash_with(int threads, void (*set)(void), bool early, int *used)
{
    if (early && set != NULL)
        set();
    const BillowDef def = full_def(threads);
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    for (int step = 0; step < 6; step++) {
        if (step == 3 && !early && set != NULL)
            set();
        assert_true(billow_step(sim, 1.0 / 60));
    }
    if (used != NULL)
        *used = billow_profile(sim).threads;
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    return hash;
}

/* -- floating-point modes ---------------------------------------------------------------------- */

#ifdef FE_UPWARD
static void round_up(void)
{
    fesetround(FE_UPWARD);
}

static void round_to_zero(void)
{
    fesetround(FE_TOWARDZERO);
}

/* Tests a mode at 1, 2 and 3 threads, before creation and between steps. */
static void keep_mode(void (*set)(void), int rounding, bool (*is_set)(void))
{
    fenv_t before;
    fegetenv(&before);
    uint64_t plain = hash_with(1, NULL, true, NULL);
    for (int threads = 1; threads <= 3; threads++)
        for (int early = 0; early < 2; early++) {
            uint64_t hash = hash_with(threads, set, early, NULL);
            bool kept = fegetround() == rounding && (is_set == NULL || is_set());
            fesetenv(&before);
            assert_true(kept);
            assert_true(hash == plain);
        }
}

static void rounding_changes_nothing(void **state)
{
    (void)state;
    keep_mode(round_up, FE_UPWARD, NULL);
    keep_mode(round_to_zero, FE_TOWARDZERO, NULL);
}
#endif

#ifdef FLUSHES
static void flushing_changes_nothing(void **state)
{
    (void)state;
    keep_mode(flush_to_zero, FE_TONEAREST, flushes);
}

#ifdef _OPENMP
/* OpenMP's threads are the host's too. Some runtimes set their mode at the start of every region.
 */
static void workers_keep_their_modes(void **state)
{
    (void)state;
    int kept = 0, set = 0;
#pragma omp parallel num_threads(3)
    flush_to_zero();
#pragma omp parallel num_threads(3) reduction(+ : set)
    set += flushes();
    uint64_t hash = hash_with(3, NULL, true, NULL);
#pragma omp parallel num_threads(3) reduction(+ : kept)
    {
        kept += flushes();
        _mm_setcsr(_mm_getcsr() & ~FLUSHES);
    }
    assert_int_equal(kept, set);
    assert_true(hash == hash_with(1, NULL, true, NULL));
}
#endif
#endif

#if defined(__GLIBC__) && defined(__x86_64__)
static const float corners[4][3] = {
    {0.2f, 0.2f, 0.2f}, {0.7f, 0.2f, 0.2f}, {0.2f, 0.7f, 0.2f}, {0.2f, 0.2f, 0.7f}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* Each public function that computes, with all traps on, the one of inexact results included. A
 * single operation outside of the library's own mode would end the test by a signal. */
static void call_everything(BillowSim **sims, void *memory, BillowDef *def, BillowTraffic *traffic,
                            double *distance)
{
    static BillowNotice notices[4];
    static BillowField list[BILLOW_FIELDS_MAX];
    static float samples[8 * 8 * 8], low[3], high[3];
    const BillowMesh mesh = {corners, 4, faces, 4};
    BillowVolume volume = {.nx = 8, .ny = 8, .nz = 8, .spacing = 0.15f};
    BillowError error = {""};
    const double point[3] = {0.3, 0.7, 0.1};
    BillowUpresDef fine = billow_default_upres();
    fine.erosion = 0.3f;
    *def = full_def(2);
    BillowDef larger = full_def(2);
    larger.nx = larger.ny = larger.nz = 20;
    larger.cell_size = 0.05f;
    sims[0] = billow_create(def, &error);
    sims[1] = billow_create(&larger, &error);
    BillowSim *sim = sims[0];
    if (sim == NULL || sims[1] == NULL)
        return;
    const BillowParams params = billow_default_params();
    const BillowForce force = billow_default_force();
    const BillowSolid solid = billow_default_solid();
    billow_check_faces(def, &error);
    billow_unbalanced(def, &error);
    billow_buried(def, &error);
    billow_shut(def, &error);
    billow_notices(def, notices, 4);
    billow_bytes_needed(def);
    billow_list_fields_of(def, list);
    billow_count_exchanges(sim, def, 2, &error);
    for (int step = 0; step < 3; step++)
        billow_step(sim, 1.0 / 60);
    billow_advance(sim, 0.05, 1.0 / 70, 4);
    *traffic = billow_traffic(sim);
    billow_emit(sim, &def->emitters[0]);
    billow_push(sim, &force);
    billow_set_params(sim, &params, &error);
    billow_set_emitters(sim, def->emitters, 1, &error);
    billow_set_forces(sim, &force, 1, &error);
    billow_set_solids(sim, def->solids, 2, &error);
    billow_set_first_solids(sim, def->solids, 2, &error);
    billow_step(sim, 1.0 / 60);
    *distance = billow_solid_distance(&solid, point);
    billow_save_state(sim, memory);
    billow_load_state(sim, memory, billow_state_bytes(sim), &error);
    billow_resample(sims[1], sim, &error);
    billow_step(sims[1], 1.0 / 60);
    const BillowView view = billow_view(sim);
    BillowUpres *upres = billow_upres_create(&view, &fine, &error);
    billow_upres_bytes(&view, &fine);
    if (upres != NULL)
        billow_upres_view(upres, &view);
    billow_upres_destroy(upres);
    billow_mesh_check(&mesh, memory, &error);
    billow_mesh_bounds(&mesh, low, high);
    billow_voxelize(&mesh, &volume, samples, memory, &error);
    billow_collect_state(sim);
    billow_fetch_planes(sim, 1);
    billow_fields(sim);
    billow_state_hash(sim);
    billow_step(sim, -1);
    billow_reset(sim);
}

static void traps_stay_and_do_not_spring(void **state)
{
    (void)state;
    BillowSim *sims[2];
    BillowDef def = full_def(2);
    BillowTraffic traffic;
    double distance;
    void *memory = malloc(8 * billow_bytes_needed(&def));
    assert_non_null(memory);
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_ALL_EXCEPT);
    call_everything(sims, memory, &def, &traffic, &distance);
    int traps = fegetexcept(), raised = fetestexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
    assert_non_null(sims[0]);
    assert_non_null(sims[1]);
    assert_int_equal(traps, FE_ALL_EXCEPT);
    assert_int_equal(raised, 0);
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
    free(memory);
}
#endif

/* -- processes --------------------------------------------------------------------------------- */

/* Calls `body` in a forked child, and returns what it returned; -1 if the child did not end by
 * itself within 30 s. */
static int in_child(int (*body)(void *context), void *context)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(30);
        _exit(body(context));
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int steps_alike(void *expected)
{
    return hash_with(2, NULL, true, NULL) == *(uint64_t *)expected ? 0 : 1;
}

static int steps_and_forks(void *expected)
{
    return steps_alike(expected) == 0 ? in_child(steps_alike, expected) : 1;
}

typedef struct Shared {
    BillowSim *sim;
    uint64_t expected;
} Shared;

/* A simulation that the parent has stepped goes on in the child. */
static int steps_on(void *data)
{
    const Shared *shared = data;
    for (int step = 0; step < 3; step++)
        if (!billow_step(shared->sim, 1.0 / 60))
            return 1;
    return billow_state_hash(shared->sim) == shared->expected ? 0 : 2;
}

static void children_step(void **state)
{
    (void)state;
    uint64_t expected = hash_with(1, NULL, true, NULL);
    hash_with(2, NULL, true, NULL); /* OpenMP starts its threads */
    assert_int_equal(in_child(steps_and_forks, &expected), 0);
    const BillowDef def = full_def(2);
    Shared shared = {billow_create(&def, NULL), expected};
    assert_non_null(shared.sim);
    for (int step = 0; step < 3; step++)
        assert_true(billow_step(shared.sim, 1.0 / 60));
    assert_int_equal(in_child(steps_on, &shared), 0);
    assert_int_equal(steps_on(&shared), 0); /* and in the parent */
    billow_destroy(shared.sim);
}

static atomic_bool enough;

static void *step_until_enough(void *data)
{
    while (!atomic_load(&enough))
        billow_step(data, 1.0 / 60);
    return NULL;
}

static void children_step_while_another_thread_does(void **state)
{
    (void)state;
    uint64_t expected = hash_with(1, NULL, true, NULL);
    BillowDef def = full_def(2);
    def.guarded = false;
    BillowSim *sim = billow_create(&def, NULL);
    pthread_t thread;
    assert_non_null(sim);
    assert_int_equal(pthread_create(&thread, NULL, step_until_enough, sim), 0);
    for (int child = 0; child < 5; child++)
        assert_int_equal(in_child(steps_alike, &expected), 0);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
    billow_destroy(sim);
}

#if defined(__linux__) && !defined(BILLOW_SANITIZED)
/* In a process whose user may have `limit` threads. Returns 10 and the number of threads used. */
static int steps_under_limit(void *data)
{
    const int *limit = data;
    const struct rlimit few = {(rlim_t)*limit, (rlim_t)*limit};
    int used;
    uint64_t expected = hash_with(1, NULL, true, NULL);
    if (setrlimit(RLIMIT_NPROC, &few) != 0)
        return 101;
    if (geteuid() == 0 && setuid(61000 + (uid_t)(getpid() % 4000)) != 0) /* root has no limit */
        return 102;
    return hash_with(4, NULL, true, &used) == expected ? 10 + used : 103;
}

/* Runs before any test that starts threads, since their children have one. */
static void few_threads_are_enough(void **state)
{
    (void)state;
    int limit = 1;
    assert_int_equal(in_child(steps_under_limit, &limit), 10 + 1);
    for (limit = 2; limit <= 3 && geteuid() == 0; limit++) {
        int used = in_child(steps_under_limit, &limit) - 10;
        assert_true(used >= 1 && used <= limit);
    }
}
#endif

/* -- stacks ------------------------------------------------------------------------------------ */

#ifndef BILLOW_SANITIZED
static void *call_all(void *data)
{
    const BillowDef def = full_def(1);
    BillowDef larger = def;
    larger.nx = larger.ny = larger.nz = 20;
    larger.cell_size = 0.05f;
    BillowError error;
    const BillowUpresDef fine = billow_default_upres();
    BillowSim *sim = billow_create(&def, &error), *other = billow_create(&larger, &error);
    bool good = sim != NULL && other != NULL && billow_step(sim, 1.0 / 60);
    void *memory = good ? malloc(billow_state_bytes(sim)) : NULL;
    if (good && memory != NULL) {
        billow_save_state(sim, memory);
        const BillowView view = billow_view(sim);
        BillowUpres *upres = billow_upres_create(&view, &fine, &error);
        good = upres != NULL && billow_load_state(sim, memory, billow_state_bytes(sim), &error) &&
               billow_resample(other, sim, &error) && billow_step(other, 1.0 / 60) &&
               billow_set_emitters(sim, def.emitters, 1, &error);
        if (upres != NULL)
            billow_upres_view(upres, &view);
        billow_upres_destroy(upres);
    }
    free(memory);
    billow_destroy(sim);
    billow_destroy(other);
    *(bool *)data = good;
    return NULL;
}

static void calls_fit_the_documented_stack(void **state)
{
    (void)state;
    bool good = false;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, BILLOW_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, call_all, &good), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_true(good);
}
#endif

#ifdef _OPENMP
static void openmp_offers_more_threads_than_a_definition_may_have(void **state)
{
    (void)state;
    const BillowDef def = full_def(0);
    int offered = omp_get_max_threads();
    omp_set_num_threads(30000);
    BillowSim *sim = billow_create(&def, NULL);
    omp_set_num_threads(offered);
    assert_non_null(sim);
    assert_int_equal(billow_threads(sim), 1024);
    billow_destroy(sim);
}

/* This program also runs with OMP_STACKSIZE=16k. */
static void small_stacks_of_workers_are_not_used(void **state)
{
    (void)state;
    int used;
    const char *size = getenv("OMP_STACKSIZE");
    assert_true(hash_with(2, NULL, true, &used) == hash_with(1, NULL, true, NULL));
    if (size != NULL && strcmp(size, "16k") == 0)
        assert_int_equal(used, 1);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(__linux__) && !defined(BILLOW_SANITIZED)
        cmocka_unit_test(few_threads_are_enough),
#endif
#ifdef FE_UPWARD
        cmocka_unit_test(rounding_changes_nothing),
#endif
#ifdef FLUSHES
        cmocka_unit_test(flushing_changes_nothing),
#ifdef _OPENMP
        cmocka_unit_test(workers_keep_their_modes),
#endif
#endif
#if defined(__GLIBC__) && defined(__x86_64__)
        cmocka_unit_test(traps_stay_and_do_not_spring),
#endif
        cmocka_unit_test(children_step),
        cmocka_unit_test(children_step_while_another_thread_does),
#ifndef BILLOW_SANITIZED
        cmocka_unit_test(calls_fit_the_documented_stack),
#endif
#ifdef _OPENMP
        cmocka_unit_test(openmp_offers_more_threads_than_a_definition_may_have),
        cmocka_unit_test(small_stacks_of_workers_are_not_used),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
