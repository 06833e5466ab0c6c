/* SPDX-License-Identifier: MIT
 * A step allocates nothing: the linker sends the library's calls of malloc and its kin through the
 * functions below (--wrap), which count. */
#include <billow/billow.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plume_fixture.h"

static unsigned long calls;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    calls++;
    return __real_realloc(memory, size);
}

static void check_allocations(BillowAdvection advection, bool everything)
{
    BillowDef def = busy_def(3);
    def.params.advection = advection;
    def.fire = def.color = everything;
    def.tracers = everything ? 1000 : 0;
    def.texture_period = everything ? 0.2f : 0;
    def.emitters[0].tracers = 100;
    BillowEmitter brush = billow_default_emitter();
    brush.tracers = 100;
    calls = 0;
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    assert_int_equal(calls, 1); /* one arena; and the counting works */
    for (int s = 0; s < 5; s++) {
        assert_true(billow_emit(sim, &brush));
        billow_step(sim, 1.0 / 30);
        billow_advance(sim, 0.05, 1.0 / 60, 4);
        billow_fields(sim);
        billow_state_hash(sim);
    }
    assert_true(billow_set_emitters(sim, &brush, 1, NULL));
    billow_reset(sim);
    assert_int_equal(calls, 1);
    billow_destroy(sim);
}

static void only_creation_allocates(void **state)
{
    (void)state;
    check_allocations(BILLOW_SEMI_LAGRANGIAN, false);
    check_allocations(BILLOW_SEMI_LAGRANGIAN, true);
    check_allocations(BILLOW_MACCORMACK, true);
    check_allocations(BILLOW_CONSERVATIVE, true);
    check_allocations(BILLOW_CONSERVATIVE_SMOOTH, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_creation_allocates)};
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
