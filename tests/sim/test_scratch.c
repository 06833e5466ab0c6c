/* SPDX-License-Identifier: MIT
 * The named views of scratch memory: which may be held together, and what a debug build refuses. */
#include "sim_fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void views_lie_inside_and_overlap_as_documented(void **state)
{
    (void)state;
    for (int use = SCRATCH_DISPLACEMENT; use < SCRATCH_USES; use++) {
        ScratchView view = scratch_view((ScratchUse)use);
        assert_true(view.count > 0 && view.first >= 0);
        assert_true(view.first + view.count <= SCRATCH_FIELDS);
    }
    Scratch scratch = {.fields = {NULL}};
    const ScratchUse together[] = {SCRATCH_RIGHT_HAND_SIDE, SCRATCH_CONJUGATE,
                                   SCRATCH_FLUID_VELOCITY, SCRATCH_EXPANSION};
    for (size_t t = 0; t < sizeof together / sizeof together[0]; t++)
        scratch_claim(&scratch, together[t]);
    for (size_t t = 0; t < sizeof together / sizeof together[0]; t++)
        assert_true(scratch_held(&scratch, together[t], together[t]));
    for (size_t t = 0; t < sizeof together / sizeof together[0]; t++)
        scratch_release(&scratch, together[t]);
    scratch_claim(&scratch, SCRATCH_DISPLACEMENT);
    scratch_claim(&scratch, SCRATCH_ARRIVING);
}

#ifndef NDEBUG
typedef void Mistake(Scratch *scratch);

static void claim_what_is_held(Scratch *scratch)
{
    scratch_claim(scratch, SCRATCH_DISPLACEMENT);
    scratch_claim(scratch, SCRATCH_RIGHT_HAND_SIDE);
}

static void use_what_is_free(Scratch *scratch)
{
    (void)scratch_use(scratch, SCRATCH_CURL_LENGTH);
}

static void use_after_release(Scratch *scratch)
{
    scratch_claim(scratch, SCRATCH_ARRIVING);
    scratch_release(scratch, SCRATCH_ARRIVING);
    (void)scratch_trade(scratch, SCRATCH_ARRIVING);
}

static void release_what_another_holds(Scratch *scratch)
{
    scratch_claim(scratch, SCRATCH_EXPANSION);
    scratch_release(scratch, SCRATCH_WALL_DISTANCE);
}

/* Whether the function fails an assertion, in a separate process. */
static bool aborts(Mistake *mistake)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        Scratch scratch = {.fields = {NULL}};
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr) != NULL)
            mistake(&scratch);
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}
#endif

static void mistakes_are_caught_in_debug_builds(void **state)
{
    (void)state;
#ifdef NDEBUG
    skip();
#else
    Mistake *const mistakes[] = {claim_what_is_held, use_what_is_free, use_after_release,
                                 release_what_another_holds};
    for (size_t m = 0; m < sizeof mistakes / sizeof mistakes[0]; m++)
        assert_true(aborts(mistakes[m]));
#endif
}

/* After a step only the displacement may still be held, and what changes the velocity drops it. */
static void steps_release_what_they_claim(void **state)
{
    (void)state;
#ifdef NDEBUG
    skip();
#else
    BillowDef def = quiet_def(12, 12, 12, BILLOW_OPEN);
    def.params.vorticity = 2;
    def.params.viscosity = def.params.heat_diffusion = 1e-3f;
    BillowSim *sim = make(&def);
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
         advection++) {
        def.params.advection = (BillowAdvection)advection;
        assert_true(billow_set_params(sim, &def.params, NULL));
        assert_true(billow_step(sim, 1.0 / 60));
        (void)billow_fields(sim);
        for (int f = 0; f < SCRATCH_FIELDS; f++)
            assert_int_equal(sim->scratch.holders[f], SCRATCH_FREE);
    }
    billow_destroy(sim);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_lie_inside_and_overlap_as_documented),
        cmocka_unit_test(mistakes_are_caught_in_debug_builds),
        cmocka_unit_test(steps_release_what_they_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
