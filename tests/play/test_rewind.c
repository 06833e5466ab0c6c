/* SPDX-License-Identifier: MIT
 * Going back in time: which states are kept, for how long, in how much memory; a state that was
 * gone back to continues alike. */
#include "io/checkpoint.h"
#include "play/rewind.h"
#include "plume_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double step = 1.0 / 60;

/* -- packing ----------------------------------------------------------------------------------- */

static void assert_packs(const unsigned char *bytes, size_t length)
{
    unsigned char *packed = malloc(state_pack_bound(length) + 1), *back = malloc(length + 1);
    size_t came_to = state_pack(bytes, length, packed);
    assert_true(came_to > 0 && came_to <= state_pack_bound(length));
    memset(back, 0x5a, length + 1);
    assert_true(state_unpack(packed, came_to, back, length));
    assert_memory_equal(bytes, back, length);
    assert_int_equal(back[length], 0x5a);
    assert_false(state_unpack(packed, came_to - 1, back, length));
    free(back);
    free(packed);
}

/* Smooth data and noise of any length are restored exactly. */
static void packing_loses_nothing(void **state)
{
    (void)state;
    enum { MOST = 600000 };
    float *values = malloc(MOST * sizeof *values);
    unsigned char *bytes = (unsigned char *)values;
    unsigned random = 1;
    const size_t lengths[] = {1, 3, 4, 5, 4096, 262143, 262144, 262145, 4 * MOST};
    for (int noisy = 0; noisy < 2; noisy++) {
        for (size_t v = 0; v < MOST; v++)
            values[v] = (float)sin(1e-3 * (double)v);
        for (size_t b = 0; noisy && b < 4 * MOST; b++) {
            random = random * 1664525u + 1013904223u;
            bytes[b] = (unsigned char)(random >> 24);
        }
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
            assert_packs(bytes, lengths[l]);
    }
    free(values);
}

static void a_plume_gets_smaller(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    for (int s = 0; s < 20; s++)
        billow_step(sim, step);
    size_t bytes = billow_state_bytes(sim);
    unsigned char *whole = malloc(bytes), *packed = malloc(state_pack_bound(bytes));
    billow_save_state(sim, whole);
    size_t came_to = state_pack(whole, bytes, packed);
    if (state_pack_works())
        assert_true(came_to < bytes * 3 / 4);
    free(packed);
    free(whole);
    billow_destroy(sim);
}

/* -- the past ---------------------------------------------------------------------------------- */

typedef struct Past {
    BillowSim *sim;
    Rewind *rewind;
    uint64_t hashes[1200]; /* after so many steps */
    int steps;             /* what belongs to a state here */
} Past;

static Past begin_of(const BillowDef *def, double states)
{
    Past past = {.sim = billow_create(def, NULL)};
    assert_non_null(past.sim);
    past.rewind =
        rewind_create(past.sim, states * (double)billow_state_bytes(past.sim), sizeof(int));
    assert_non_null(past.rewind);
    return past;
}

static Past begin(int n, double states)
{
    BillowDef def = busy_def(1);
    def.nx = def.ny = def.nz = n;
    return begin_of(&def, states);
}

static void end(Past *past)
{
    rewind_destroy(past->rewind);
    billow_destroy(past->sim);
}

/* The packer is given its time, so that no state is left out because it is still at work. */
static void go(Past *past, int steps)
{
    for (int s = 0; s < steps; s++) {
        billow_step(past->sim, step);
        past->hashes[++past->steps] = billow_state_hash(past->sim);
        rewind_follow(past->rewind, past->sim, &past->steps);
        rewind_settle(past->rewind);
    }
}

static void go_back(Past *past, int index)
{
    rewind_stand(past->rewind, past->sim, &past->steps);
    assert_true(rewind_to(past->rewind, index, past->sim, &past->steps));
}

/* Three seconds back, and again: the same hash after every step, all the way. */
static void the_past_repeats_itself(void **state)
{
    (void)state;
    Past past = begin(16, 400);
    go(&past, 240);
    uint64_t first[241];
    memcpy(first, past.hashes, sizeof first);
    go_back(&past, rewind_before(past.rewind, 1));
    /* On a slow machine states are REWIND_SPACING_MOST apart. */
    assert_true(billow_view(past.sim).time <= 1);
    assert_true(billow_view(past.sim).time >= 1 - REWIND_SPACING_MOST - step);
    assert_true(fabs(billow_view(past.sim).time - past.steps * step) < 1e-9);
    assert_true(billow_state_hash(past.sim) == first[past.steps]);
    go(&past, 240 - past.steps);
    assert_memory_equal(first, past.hashes, sizeof first);
    end(&past);
}

/* The states of a box that grows differ in size, and bring its size back. */
static void the_past_of_a_box_that_grows(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.unbounded[BILLOW_RIGHT] = true;
    def.nx = 40;
    def.emitters[0].velocity[0] = 3;
    Past past = begin_of(&def, 100);
    go(&past, 40);
    int wide = billow_view(past.sim).nx;
    uint64_t first[41];
    memcpy(first, past.hashes, sizeof first);
    go_back(&past, 0);
    int narrow = billow_view(past.sim).nx;
    assert_true(narrow < wide);
    assert_true(billow_state_hash(past.sim) == first[past.steps]);
    go_back(&past, rewind_count(past.rewind) - 1);
    assert_int_equal(billow_view(past.sim).nx, wide);
    go_back(&past, 1);
    go(&past, 40 - past.steps);
    assert_memory_equal(first, past.hashes, sizeof first);
    end(&past);
}

/* Seeking goes forwards and backwards until a step is taken. A step drops the states that lay
 * ahead. */
static void branches_drop_what_lay_ahead(void **state)
{
    (void)state;
    Past past = begin(12, 400);
    go(&past, 61);
    uint64_t present = billow_state_hash(past.sim);
    rewind_stand(past.rewind, past.sim, &past.steps);
    int newest = rewind_at(past.rewind), count = rewind_count(past.rewind);
    assert_int_equal(newest, count - 1);
    assert_true(count >= 1 / REWIND_SPACING_MOST);
    assert_true(rewind_time(past.rewind, newest) == billow_view(past.sim).time);
    go_back(&past, 2);
    assert_int_equal(rewind_at(past.rewind), 2);
    go_back(&past, newest);
    assert_true(billow_state_hash(past.sim) == present);
    assert_int_equal(past.steps, 61);
    go_back(&past, 3);
    assert_int_equal(rewind_count(past.rewind), count);
    double time = rewind_time(past.rewind, 3);
    go(&past, 1);
    rewind_stand(past.rewind, past.sim, &past.steps);
    assert_int_equal(rewind_count(past.rewind), 5);
    assert_true(fabs(rewind_time(past.rewind, 4) - time - step) < 1e-9);
    assert_false(rewind_to(past.rewind, 5, past.sim, &past.steps));
    rewind_forget(past.rewind);
    assert_int_equal(rewind_count(past.rewind), 0);
    assert_true(rewind_bytes(past.rewind) == 0);
    end(&past);
}

/* With little memory, states are farther apart and still cover REWIND_SECONDS. The limit is never
 * exceeded. */
static void memory_is_bounded(void **state)
{
    (void)state;
    const double states = 16;
    Past past = begin(12, states);
    const double most = states * (double)billow_state_bytes(past.sim);
    for (int s = 0; s < 1100; s++) {
        go(&past, 1);
        assert_true((double)rewind_bytes(past.rewind) <= most);
    }
    rewind_stand(past.rewind, past.sim, &past.steps);
    double now = rewind_time(past.rewind, rewind_at(past.rewind));
    double covered = now - rewind_time(past.rewind, 0);
    assert_true(covered >= 0.9 * REWIND_SECONDS);
    assert_true(covered < 17);
    assert_true(rewind_count(past.rewind) >= 8);
    for (int s = 1; s < rewind_count(past.rewind); s++)
        assert_true(rewind_time(past.rewind, s) - rewind_time(past.rewind, s - 1) < 3);
    end(&past);
}

static void too_little_memory_is_no_past(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = billow_create(&def, NULL);
    int beside = 0;
    assert_null(rewind_create(sim, 0, sizeof beside));
    /* There must be room for three states, and for the caller's bytes beside each. */
    double least = 3.0 * (double)(billow_state_bytes(sim) + sizeof beside);
    assert_null(rewind_create(sim, least - 1, sizeof beside));
    Rewind *enough = rewind_create(sim, least, sizeof beside);
    assert_non_null(enough);
    rewind_destroy(enough);
    rewind_follow(NULL, sim, &beside);
    rewind_stand(NULL, sim, &beside);
    rewind_forget(NULL);
    assert_false(rewind_to(NULL, 0, sim, &beside));
    assert_int_equal(rewind_count(NULL), 0);
    rewind_destroy(NULL);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_loses_nothing),
        cmocka_unit_test(a_plume_gets_smaller),
        cmocka_unit_test(the_past_repeats_itself),
        cmocka_unit_test(the_past_of_a_box_that_grows),
        cmocka_unit_test(branches_drop_what_lay_ahead),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(too_little_memory_is_no_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
