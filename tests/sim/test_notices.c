/* SPDX-License-Identifier: MIT
 * Solids that shut off the flow are refused; likely mistakes give a notice. */
#include "sim_fixture.h"

static void refused(const BillowDef *def, const char *message)
{
    BillowError error = {""};
    BillowSim *sim = billow_create(def, &error);
    if (message == NULL && sim == NULL)
        fail_msg("refused: %s", error.text);
    if (message != NULL && (sim != NULL || strncmp(error.text, message, strlen(message)) != 0))
        fail_msg("'%s' does not begin with '%s'", error.text, message);
    billow_destroy(sim);
}

static void put_box(BillowDef *def, const float low[3], const float high[3]) /* cells */
{
    BillowSolid *solid = &def->solids[def->solid_count++];
    *solid = billow_default_solid();
    solid->shape = BILLOW_BOX;
    for (int axis = 0; axis < 3; axis++) {
        solid->center[axis] = 0.5f * (low[axis] + high[axis]) * def->cell_size;
        solid->size[axis] = 0.5f * (high[axis] - low[axis]) * def->cell_size;
    }
}

/* A ball of three cells' radius where two boxes touch, or all but: inside both together. */
static void emitters_walled_in_are_refused(void **state)
{
    (void)state;
    static const float gaps[] = {0, 0.2f, 1.5f};
    for (int g = 0; g < 3; g++) {
        BillowDef def = quiet_def(32, 32, 32, BILLOW_OPEN);
        put_box(&def, (const float[3]){6, 8, 8}, (const float[3]){16, 24, 24});
        put_box(&def, (const float[3]){16 + gaps[g], 8, 8}, (const float[3]){26, 24, 24});
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = 16 * def.cell_size;
        def.emitters[0].size[0] = 3 * def.cell_size;
        refused(&def, g == 2 ? NULL
                             : "emitters[0] lies wholly inside solids[0] and solids[1], where it "
                               "can release nothing");
        def.emitters[0].size[0] = 8.5f * def.cell_size; /* out at the four sides */
        refused(&def, NULL);
        def.emitters[0].size[0] = 3 * def.cell_size;
        def.solids[1].velocity[0] = 0.1f; /* makes room */
        refused(&def, NULL);
        BillowSim *sim = make(&def);
        BillowError error;
        def.emitters[0].center[0] = 10 * def.cell_size;
        assert_false(billow_set_emitters(sim, def.emitters, 1, &error));
        assert_non_null(strstr(error.text, "emitters[0] lies wholly inside solids[0], where"));
        billow_destroy(sim);
    }
}

static void solids_must_leave_ways(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int whole = 0; whole < 2; whole++) {
            BillowDef def = quiet_def(24, 16, 12, BILLOW_CLOSED);
            const float high = whole ? 16 : 14;
            def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
            def.boundaries[BILLOW_LEFT].velocity[0] = 0.5f;
            def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
            put_box(&def, (const float[3]){side == 0 ? -1 : 21, -1, -1},
                    (const float[3]){side == 0 ? 3 : 24, 8, 13});
            put_box(&def, (const float[3]){side == 0 ? 0 : 21, 8, -1},
                    (const float[3]){side == 0 ? 3 : 25, high, 13});
            const char *message = side == 0 ? "left lets fluid in, but solids cover the whole"
                                            : "fluid flows in through left, but solids cover all "
                                              "of what is open (right), so";
            refused(&def, whole ? message : NULL);
            def.faces[BILLOW_CEILING] = BILLOW_OPEN;
            refused(&def, whole && side == 0 ? message : NULL);
        }
}

static void noticed(const BillowDef *def, int emitter, int solid, const char *text)
{
    BillowNotice notice = {{""}, -2, -2};
    int count = billow_notices(def, &notice, 1);
    assert_int_equal(count, text != NULL);
    assert_int_equal(billow_notices(def, NULL, 0), count);
    if (text == NULL)
        return;
    if (strncmp(notice.text.text, text, strlen(text)) != 0)
        fail_msg("'%s' does not begin with '%s'", notice.text.text, text);
    assert_int_equal(notice.emitter, emitter);
    assert_int_equal(notice.solid, solid);
}

static void thin_walls_are_noticed(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    put_box(&def, (const float[3]){4, 4, 4}, (const float[3]){5, 12, 12});
    put_box(&def, (const float[3]){8, 4, 4}, (const float[3]){8.5f, 12, 12});
    noticed(&def, -1, 1, "solids[1] is 0.5 cells thick");
    def.cell_size /= 2;
    noticed(&def, -1, -1, NULL);
    def.cell_size *= 2;
    def.solids[1].shape = BILLOW_TORUS;
    def.solids[1].size[0] = 4 * def.cell_size;
    def.solids[1].size[1] = 0.4f * def.cell_size;
    noticed(&def, -1, 1, "solids[1] is 0.8 cells thick");
    def.solids[1].shape = BILLOW_PLANE;
    noticed(&def, -1, -1, NULL);
}

static void fires_that_cannot_be_are_noticed(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    def.fire = true;
    def.emitter_count = 2;
    def.emitters[0] = def.emitters[1] = billow_default_emitter();
    def.emitters[1].fuel = 3;
    noticed(&def, -1, -1, NULL);
    def.emitters[0].heat = def.emitters[1].heat = 0;
    noticed(&def, 1, -1,
            "emitters[1] gives fuel that will not burn: nothing is as hot as ignition");
    put_box(&def, (const float[3]){4, 4, 4}, (const float[3]){8, 8, 8});
    def.solids[0].isothermal = true;
    def.solids[0].temperature = def.params.ignition;
    noticed(&def, -1, -1, NULL);
    def.params.burn_expansion = 2;
    noticed(&def, -1, -1, NULL);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_CLOSED;
    noticed(&def, -1, -1, "no face is open, and fire cannot expand");
    def.emitters[1].fuel = 0;
    noticed(&def, -1, -1, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_walled_in_are_refused),
        cmocka_unit_test(solids_must_leave_ways),
        cmocka_unit_test(thin_walls_are_noticed),
        cmocka_unit_test(fires_that_cannot_be_are_noticed),
    };
    return cmocka_run_group_tests_name("notices", tests, NULL, NULL);
}
