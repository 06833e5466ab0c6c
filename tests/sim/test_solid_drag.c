/* SPDX-License-Identifier: MIT
 * Surfaces of solids: their drag, their velocity, and the paths that end at them. */
#include "sim_fixture.h"

enum { N = 32 };

static BillowSolid plate(float cell, float low, float high)
{
    BillowSolid solid = billow_default_solid();
    solid.shape = BILLOW_BOX;
    const float center[3] = {4 * cell, 0.5f * (low + high) * cell, 4 * cell};
    const float size[3] = {1, 0.5f * (high - low) * cell, 1};
    memcpy(solid.center, center, sizeof center);
    memcpy(solid.size, size, sizeof size);
    solid.sticky = true;
    return solid;
}

/* Between two sticky plates the flow is a sine and fades as exp(-nu (pi/D)2 t), wherever they cut
 * the cells. */
static void plates_drag_where_they_are(void **state)
{
    (void)state;
    const double pi = 3.14159265358979, wide = 8, viscosity = 0.01;
    /* From 10.488 to the middle of a face it is 0.012 cells. */
    static const float lows[] = {10, 10.2f, 10.4f, 10.488f, 10.6f, 10.8f};
    for (size_t shift = 0; shift < sizeof lows / sizeof *lows; shift++) {
        BillowDef def = quiet_def(8, N, 8, BILLOW_CLOSED);
        def.faces[BILLOW_LEFT] = def.faces[BILLOW_RIGHT] = BILLOW_PERIODIC;
        def.faces[BILLOW_BACK] = def.faces[BILLOW_FRONT] = BILLOW_PERIODIC;
        def.params.viscosity = (float)viscosity;
        def.threads = 1; /* a team would spend its time on waiting for itself */
        const float h = def.cell_size, low = lows[shift];
        def.solids[0] = plate(h, 0, low);
        def.solids[1] = plate(h, low + (float)wide, N);
        def.solid_count = 2;
        BillowSim *sim = make(&def);
        for (int k = 0; k < 8; k++)
            for (int j = 10; j < 19; j++)
                for (int i = 0; i < 8; i++)
                    sim->velocity[0][grid_row(&sim->grid, j, k) + i] =
                        (float)fmax(sin(pi * (j + 0.5 - (double)low) / wide), 0);
        double dt = 0.05 * (double)(h * h) / viscosity, sizes[2];
        for (int half = 0; half < 2; half++) {
            for (int step = 0; step < 120; step++)
                billow_step(sim, dt);
            sizes[half] = (double)sim->velocity[0][grid_row(&sim->grid, 14, 4) + 4];
        }
        double rate = log(sizes[0] / sizes[1]) / (120 * dt);
        double expected = viscosity * pow(pi / (wide * (double)h), 2);
        assert_below(fabs(rate / expected - 1), 0.05);
        int first = (int)ceil((double)low - 0.5);
        double nearest = (double)sim->velocity[0][grid_row(&sim->grid, first, 4) + 4] / sizes[1];
        expected =
            sin(pi * (first + 0.5 - (double)low) / wide) / sin(pi * (14.5 - (double)low) / wide);
        assert_below(fabs(nearest / expected - 1), 0.1);
        billow_destroy(sim);
    }
}

/* Every point of a turning solid moves at v + omega x r, whatever side of it a face lies on. */
static void surfaces_move_with_their_solid(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 20, 22, BILLOW_CLOSED);
    const double h = (double)def.cell_size;
    const float spin[3] = {2, -3, 5}, velocity[3] = {0.1f, 0.2f, -0.3f};
    BillowSolid *ball = &def.solids[0];
    *ball = billow_default_solid();
    def.solid_count = 1;
    ball->size[0] = (float)(4 * h);
    for (int axis = 0; axis < 3; axis++)
        ball->center[axis] = (float)((10 + axis) * h);
    memcpy(ball->spin, spin, sizeof spin);
    memcpy(ball->velocity, velocity, sizeof velocity);
    BillowSim *sim = make(&def);
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 8; corner++) {
            const int face[3] = {corner & 1 ? 13 : 7, corner & 2 ? 14 : 8, corner & 4 ? 15 : 9};
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            double arm[3];
            for (int a = 0; a < 3; a++)
                arm[a] = (face[a] + (a == axis ? 0 : 0.5) - (10 + a)) * h;
            double wanted =
                (double)velocity[axis] + (double)spin[b] * arm[c] - (double)spin[c] * arm[b];
            double got = (double)solids_velocity(sim, axis, face[0], face[1], face[2]);
            assert_below(fabs(got - wanted), 1e-6);
        }
    billow_destroy(sim);
}

/* A path from behind a wall is cut off at the wall's near side; all others stay. */
static void paths_end_at_a_wall(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 10, 10, BILLOW_CLOSED);
    const float h = def.cell_size;
    BillowSolid *wall = &def.solids[0];
    *wall = billow_default_solid();
    wall->shape = BILLOW_BOX;
    memcpy(wall->center, (const float[3]){13 * h, 5 * h, 5 * h}, sizeof wall->center);
    memcpy(wall->size, (const float[3]){h, 9 * h, 9 * h}, sizeof wall->size); /* 12 to 14 cells */
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    float path[3][2 * N] = {{0}};
    for (int i = 0; i < N; i++)
        path[0][i] = i < 8 ? 2 : 9;
    solids_stop_row(sim, 5, 5, (RowsOut){path[0], path[1], path[2]});
    for (int i = 0; i < 8; i++)
        assert_true(path[0][i] == 2);
    for (int i = 14; i < 22; i++) { /* the centre of cell i is i + 1/2 cells from the corner */
        double from = i + 0.5 - (double)path[0][i];
        assert_true(from > 14 - 1e-4 && from < 14.3);
    }
    for (int i = 24; i < N; i++)
        assert_true(path[0][i] == 9);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_drag_where_they_are),
        cmocka_unit_test(surfaces_move_with_their_solid),
        cmocka_unit_test(paths_end_at_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
