/* SPDX-License-Identifier: MIT
 * A step allocates nothing: the linker sends the library's calls of malloc and its kin through the
 * functions below (--wrap), which count. */
#include <billow/billow.h>

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plume_fixture.h"

static unsigned long calls;
static bool refused;                      /* whether memory has run out */
static unsigned long granted = ULONG_MAX; /* number of calls before it runs out */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    calls++;
    return refused || calls > granted ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    calls++;
    return refused || calls > granted ? NULL : __real_calloc(count, size);
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
    bool reflects = advection == BILLOW_REFLECTION || advection == BILLOW_CONSERVATIVE;
    /* the structure, its arena and the smoke, and the velocity before; and the counting works */
    assert_int_equal(calls, 3 + reflects);
    for (int s = 0; s < 5; s++) {
        assert_true(billow_emit(sim, &brush));
        billow_step(sim, 1.0 / 30);
        billow_advance(sim, 0.05, 1.0 / 60, 4);
        billow_fields(sim);
        billow_state_hash(sim);
    }
    assert_true(billow_set_emitters(sim, &brush, 1, NULL));
    billow_reset(sim);
    assert_int_equal(calls, 3 + reflects);
    billow_destroy(sim);
}

/* Parameters that turn reflection on allocate the velocity before, once; or change nothing. */
static void reflection_allocates_once(void **state)
{
    (void)state;
    BillowError error;
    BillowDef def = busy_def(2);
    def.params.advection = BILLOW_SEMI_LAGRANGIAN;
    BillowSim *sim = billow_create(&def, NULL);
    size_t bytes = billow_bytes(sim);
    BillowParams params = def.params;
    params.advection = BILLOW_REFLECTION;
    refused = true;
    assert_false(billow_set_params(sim, &params, &error));
    refused = false;
    assert_non_null(strstr(error.text, "not enough memory"));
    assert_int_equal(billow_params(sim).advection, BILLOW_SEMI_LAGRANGIAN);
    assert_int_equal(billow_bytes(sim), bytes);
    assert_true(billow_set_params(sim, &params, &error));
    def.params = params;
    assert_int_equal(billow_bytes(sim), billow_bytes_needed(&def));
    calls = 0;
    for (int turn = 0; turn < 4; turn++) {
        params.advection = turn % 2 == 0 ? BILLOW_SEMI_LAGRANGIAN : BILLOW_REFLECTION;
        assert_true(billow_step(sim, 1.0 / 30));
        assert_true(billow_set_params(sim, &params, &error));
    }
    assert_int_equal(calls, 0);
    billow_destroy(sim);
}

static void only_creation_allocates(void **state)
{
    (void)state;
    check_allocations(BILLOW_SEMI_LAGRANGIAN, false);
    check_allocations(BILLOW_SEMI_LAGRANGIAN, true);
    check_allocations(BILLOW_REFLECTION, true);
    check_allocations(BILLOW_CONSERVATIVE, true);
    check_allocations(BILLOW_CONSERVATIVE_SMOOTH, true);
}

static BillowDef open_def(void)
{
    BillowDef def = busy_def(2);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        def.faces[side] = BILLOW_OPEN;
        def.unbounded[side] = true;
    }
    def.cells_max = 1e6;
    return def;
}

/* A step of an unbounded box that does not grow allocates nothing; one that does, a structure and
 * its arena. */
static void only_growth_allocates(void **state)
{
    (void)state;
    BillowDef def = open_def();
    BillowSim *sim = billow_create(&def, NULL);
    int grew = 0, stayed = 0;
    for (int s = 0; s < 12; s++) {
        size_t bytes = billow_bytes(sim);
        calls = 0;
        billow_step(sim, 1.0 / 60);
        bool more = billow_bytes(sim) > bytes;
        assert_int_equal(calls, more ? 3 : 0);
        grew += more;
        stayed += !more;
    }
    assert_true(grew > 0 && stayed > 0);
    billow_destroy(sim);
}

/* Without memory the box keeps its size, says so once, and runs on as a box with open sides. */
static void growth_without_memory_stops(void **state)
{
    (void)state;
    BillowDef def = open_def(), bounded = def;
    memset(bounded.unbounded, 0, sizeof bounded.unbounded);
    BillowSim *sim = billow_create(&def, NULL), *open = billow_create(&bounded, NULL);
    char notice[256] = "";
    for (int s = 0; s < 12; s++) {
        refused = true;
        assert_true(billow_step(sim, 1.0 / 60));
        refused = false;
        billow_step(open, 1.0 / 60);
        if (notice[0] == '\0')
            snprintf(notice, sizeof notice, "%s", billow_growth_notice(sim));
        assert_string_equal(notice, billow_growth_notice(sim));
        assert_true(billow_state_hash(sim) == billow_state_hash(open));
    }
    assert_non_null(strstr(notice, "the box stops growing, and smoke now leaves through its sides: "
                                   "not enough memory for a grid of"));
    calls = 0;
    billow_step(sim, 1.0 / 60); /* does not ask again */
    assert_int_equal(calls, 0);
    billow_destroy(sim);
    billow_destroy(open);
}

/* A reset, and a state of another box, without memory. */
static void a_box_survives_refusals(void **state)
{
    (void)state;
    BillowDef def = open_def();
    BillowSim *sim = billow_create(&def, NULL), *fresh = billow_create(&def, NULL);
    size_t bytes = billow_state_bytes(fresh);
    void *memory = malloc(bytes);
    BillowError error = {""};
    billow_save_state(fresh, memory);
    for (int s = 0; s < 6; s++)
        billow_step(sim, 1.0 / 60);
    uint64_t hash = billow_state_hash(sim);
    refused = true;
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_non_null(strstr(error.text, "not enough memory for a grid"));
    assert_true(billow_state_hash(sim) == hash);
    billow_reset(sim);
    refused = false;
    for (int s = 0; s < 6; s++) {
        assert_true(billow_state_hash(sim) == billow_state_hash(fresh));
        billow_step(sim, 1.0 / 60);
        billow_step(fresh, 1.0 / 60);
    }
    free(memory);
    billow_destroy(sim);
    billow_destroy(fresh);
}

/* Creation fails with a message, whichever of its blocks of memory is not there. */
static void creation_needs_all_its_memory(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    BillowError error;
    def.params.advection = BILLOW_REFLECTION;
    for (granted = 0; granted < 4; granted++) {
        calls = 0;
        assert_null(billow_create(&def, &error));
        assert_non_null(strstr(error.text, "not enough memory for a grid of"));
    }
    calls = 0;
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    assert_int_equal(calls, 4);
    granted = ULONG_MAX;
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_needs_all_its_memory), cmocka_unit_test(only_creation_allocates),
        cmocka_unit_test(reflection_allocates_once),     cmocka_unit_test(only_growth_allocates),
        cmocka_unit_test(growth_without_memory_stops),   cmocka_unit_test(a_box_survives_refusals),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
