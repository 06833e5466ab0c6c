/* SPDX-License-Identifier: MIT
 * A scene looks the same at every resolution and step: a plume's front against time. */
#include "sim_fixture.h"

/* Height of the highest cell layer whose densest cell holds a tenth of the densest of all. */
static double front_height(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    double threshold = 0.1 * billow_stats(sim).density_max;
    for (int j = view.ny - 1; j >= 0; j--)
        for (int k = 0; k < view.nz; k++)
            for (int i = 0; i < view.nx; i++)
                if ((double)view.density[i + j * view.stride_y + k * view.stride_z] > threshold)
                    return (j + 0.5) * (double)view.cell_size;
    return 0;
}

/* The front at 0.8 s and 1.2 s of a smooth plume in a box 1 m wide and 2 m high. */
static void fronts(int cells, double dt, double heights[2])
{
    BillowDef def = billow_default_def();
    def.nx = def.nz = cells / 2;
    def.ny = cells;
    def.cell_size = 2.0f / (float)cells;
    def.threads = 2;
    def.params.vorticity = 0;
    def.params.sweeps = 200;
    def.params.tolerance = 3e-3f;
    def.params.overrelaxation = 1.9f;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[1] = 0.2f;
    def.emitters[0].size[0] = 0.12f;
    def.emitters[0].heat = 300;
    BillowSim *sim = make(&def);
    int steps = (int)lround(1.2 / dt);
    for (int s = 1; s <= steps; s++) {
        billow_step(sim, dt);
        if (s == (int)lround(0.8 / dt))
            heights[0] = front_height(sim);
    }
    heights[1] = front_height(sim);
    billow_destroy(sim);
}

static void compare(const char *what, const double a[2], const double b[2])
{
    for (int t = 0; t < 2; t++) {
        print_message("%s: front %.3f m and %.3f m\n", what, a[t], b[t]);
        if (!(fabs(a[t] - b[t]) <= 0.1 * b[t]))
            fail_msg("%s: front %.3f m against %.3f m", what, a[t], b[t]);
    }
    assert_true(b[1] > b[0] && b[0] > 0.45); /* it rises */
}

static void front_is_the_same_at_any_resolution(void **state)
{
    (void)state;
    double coarse[2], fine[2];
    fronts(48, 1.0 / 60, coarse);
    fronts(128, 1.0 / 60, fine);
    compare("48 against 128 cells", coarse, fine);
}

static void front_is_the_same_at_any_step(void **state)
{
    (void)state;
    double slow[2], quick[2];
    fronts(64, 1.0 / 30, slow);
    fronts(64, 1.0 / 120, quick);
    compare("1/30 s against 1/120 s", slow, quick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_is_the_same_at_any_resolution),
        cmocka_unit_test(front_is_the_same_at_any_step),
    };
    return cmocka_run_group_tests_name("resolution", tests, NULL, NULL);
}
