/* SPDX-License-Identifier: MIT
 * Emitters. */
#include "sim_fixture.h"
#include <stdlib.h>

static BillowDef emitter_def(int cells)
{
    BillowDef def = quiet_def(cells, cells, cells, BILLOW_CLOSED);
    def.cell_size = 1.0f / (float)cells;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[1] = 0.5f;
    def.emitters[0].smoke = 3;
    def.emitters[0].heat = 50;
    return def;
}

static void assert_mass(const BillowDef *def, double dt, int steps, double expected,
                        double tolerance)
{
    BillowSim *sim = make(def);
    for (int s = 0; s < steps; s++)
        billow_step(sim, dt);
    BillowStats stats = billow_stats(sim);
    if (!(fabs(stats.mass - expected) <= tolerance * expected))
        fail_msg("%d cells, dt %g: mass %.6g, expected %.6g", def->nx, dt, stats.mass, expected);
    double heat = expected * (double)(def->emitters[0].heat / def->emitters[0].smoke);
    assert_below(fabs(stats.heat - heat), tolerance * heat);
    billow_destroy(sim);
}

/* rate * time * volume, whatever the step, the grid and the shape's size against the cells. */
static void mass_is_rate_times_time(void **state)
{
    (void)state;
    const double radii[] = {0.002, 0.01, 0.03, 0.1, 0.23};
    const int grids[] = {16, 25, 48};
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++)
        for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++)
            for (int steps = 1; steps <= 10; steps += 3) {
                BillowDef def = emitter_def(grids[g]);
                def.emitters[0].size[0] = (float)radii[r];
                double volume = 4.0 / 3 * PI * pow(radii[r], 3);
                assert_mass(&def, 0.3 / steps, steps, 3 * 0.3 * volume, 3e-3);
            }
}

static void box_mass_is_exact(void **state)
{
    (void)state;
    const float sizes[][3] = {{0.1f, 0.2f, 0.05f}, {0.01f, 0.3f, 0.3f}, {0.013f, 0.002f, 0.11f}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        BillowDef def = emitter_def(32);
        def.emitters[0].shape = BILLOW_BOX;
        double volume = 8;
        for (int axis = 0; axis < 3; axis++) {
            def.emitters[0].size[axis] = sizes[s][axis];
            volume *= (double)sizes[s][axis];
        }
        assert_mass(&def, 0.1, 2, 3 * 0.2 * volume, 1e-3);
    }
}

static const float turns[][4] = {{0, 0, 0, 1},
                                 {0, 0, 0.70710678f, 0.70710678f},
                                 {0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f}};

/* The same of every shape, turned; thinner than a cell, too. */
static void every_shape_releases_its_volume(void **state)
{
    (void)state;
    const float sizes[][3] = {{0.2f, 0.1f, 0.15f}, {0.25f, 0.01f, 0.2f}, {0.01f, 0.2f, 0.15f}};
    for (int c = 0; c < 4 * 3 * 3 * 3; c++) {
        BillowDef def = emitter_def((const int[]){16, 25, 48}[c / 4 % 3]);
        BillowEmitter *emitter = &def.emitters[0];
        emitter->shape = (BillowShape)(BILLOW_BOX + c % 4);
        emitter->center[0] = 0.513f;
        memcpy(emitter->size, sizes[c / 12 % 3], sizeof emitter->size);
        memcpy(emitter->rotation, turns[c / 36], sizeof emitter->rotation);
        PlacedShape shape =
            shape_place(emitter->shape, emitter->size, emitter->center, emitter->rotation, NULL);
        assert_mass(&def, 0.1, 2, 3 * 0.2 * shape_volume(&shape), 1e-3);
    }
}

enum { SAMPLES = 20 };

/* A ball in samples 0.05 m apart. */
static BillowVolume sampled_ball(float radius, float distance[SAMPLES * SAMPLES * SAMPLES])
{
    float low = -0.05f * (SAMPLES - 1) / 2;
    for (int n = 0; n < SAMPLES * SAMPLES * SAMPLES; n++) {
        float x = low + 0.05f * (float)(n % SAMPLES);
        float y = low + 0.05f * (float)(n / SAMPLES % SAMPLES);
        float z = low + 0.05f * (float)(n / SAMPLES / SAMPLES);
        distance[n] = sqrtf(x * x + y * y + z * z) - radius;
    }
    return (BillowVolume){SAMPLES, SAMPLES, SAMPLES, {low, low, low}, 0.05f, .distance = distance};
}

static void a_volume_releases_what_it_holds(void **state)
{
    (void)state;
    static float distance[SAMPLES * SAMPLES * SAMPLES];
    const BillowVolume volume = sampled_ball(0.4f, distance);
    for (int c = 0; c < 9; c++) {
        BillowDef def = emitter_def((const int[]){16, 25, 48}[c % 3]);
        BillowEmitter *emitter = &def.emitters[0];
        emitter->shape = BILLOW_VOLUME;
        emitter->volume = &volume;
        emitter->size[0] = 0.7f;
        memcpy(emitter->rotation, turns[c / 3], sizeof emitter->rotation);
        assert_mass(&def, 0.1, 2, 3 * 0.2 * 4.0 / 3 * PI * pow(0.28, 3), 1e-2);
    }
}

/* For a shape with too many rows, an integral replaces the sum. */
static void wide_shapes_release_their_volume(void **state)
{
    (void)state;
    const float half[4] = {0, 0, 0.70710678f, 0.70710678f}; /* along x: 500 x 500 rows */
    for (int shape = BILLOW_BOX; shape <= SHAPE_LAST; shape++) {
        if (shape == BILLOW_PLANE || shape == BILLOW_VOLUME)
            continue;
        BillowDef def = emitter_def(500);
        BillowEmitter *emitter = &def.emitters[0];
        emitter->shape = (BillowShape)shape;
        memcpy(emitter->rotation, half, sizeof half);
        emitter->size[0] = 0.4f;
        /* The rim of a flat cone is thinner than a cell, and its sum depends on where cells lie. */
        emitter->size[1] = shape == BILLOW_CONE ? 0.13f : 0.013f;
        emitter->size[2] = 0.3f;
        const Grid grid = grid_make(500, 500, 500);
        PlacedEmitter placed = emitter_place(emitter, &grid, &def, def.cell_size);
        PlacedShape exact =
            shape_place(emitter->shape, emitter->size, emitter->center, emitter->rotation, NULL);
        double released = emitter_inside(&placed, &grid) * pow(0.002, 3);
        assert_below(fabs(released / shape_volume(&exact) - 1), 1e-3);
    }
}

static void a_plane_releases_below_itself(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.emitters[0].shape = BILLOW_PLANE;
    def.emitters[0].center[1] = 0.37f;
    assert_mass(&def, 0.1, 2, 3 * 0.2 * 0.37, 1e-5);
}

/* Only the part of the time window that lies in the step counts. */
static void window_is_honoured(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.emitters[0].size[0] = 0.2f;
    def.emitters[0].start = 0.125;
    def.emitters[0].end = 0.3;
    double volume = 4.0 / 3 * PI * pow(0.2, 3);
    assert_mass(&def, 0.1, 5, 3 * (0.3 - 0.125) * volume, 3e-3);
    assert_mass(&def, 0.07, 7, 3 * (0.3 - 0.125) * volume, 3e-3);
}

/* With `every`, the window comes again: of a step, all parts that lie in one of them count. */
static void windows_come_again(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    BillowEmitter *emitter = &def.emitters[0];
    emitter->size[0] = 0.2f;
    emitter->start = 0.125;
    emitter->end = 0.3;
    emitter->every = 0.4; /* on from 0.125 to 0.3, 0.525 to 0.7, 0.925 to 1.1 and so on */
    double volume = 4.0 / 3 * PI * pow(0.2, 3);
    assert_mass(&def, 0.1, 5, 3 * 0.175 * volume, 3e-3);
    assert_mass(&def, 0.07, 14, 3 * (2 * 0.175 + 0.055) * volume, 3e-3);
    assert_mass(&def, 1, 1, 3 * (2 * 0.175 + 0.075) * volume, 3e-3);
    emitter->every = 0.1; /* shorter than the window: always on */
    assert_mass(&def, 0.07, 7, 3 * (0.49 - 0.125) * volume, 3e-3);
    const struct {
        double begin, end, on;
    } cases[] = {{0, 0.125, 0},     {0.1, 0.2, 0.075}, {0.3, 0.5, 0},
                 {0.5, 0.6, 0.075}, {0.6, 1, 0.175},   {400.5, 400.6, 0.075}};
    emitter->every = 0.4;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_true(fabs(emitter_seconds(emitter, cases[c].begin, cases[c].end) - cases[c].on) <
                    1e-9);
}

static void nothing_outside_the_shape(void **state)
{
    (void)state;
    BillowDef def = emitter_def(32);
    def.emitters[0].size[0] = 0.2f;
    def.emitters[0].velocity[0] = 2;
    def.emitters[0].grip = 10;
    BillowSim *sim = make(&def);
    sources_apply(sim, 0.05);
    int inside = 0;
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++) {
                double x = (i + 0.5) / 32 - 0.5, y = (j + 0.5) / 32 - 0.5, z = (k + 0.5) / 32 - 0.5;
                double cells = (sqrt(x * x + y * y + z * z) - 0.2) * 32;
                double face = (sqrt((x - 0.5 / 32) * (x - 0.5 / 32) + y * y + z * z) - 0.2) * 32;
                if (cells > 1.001)
                    assert_true(at(sim, sim->density, i, j, k) == 0);
                if (face > 1.001)
                    assert_true(at(sim, sim->velocity[0], i, j, k) == 0);
                if (cells < -1) {
                    inside++;
                    assert_below(fabs((double)at(sim, sim->density, i, j, k) - 0.15), 0.005);
                    assert_true(at(sim, sim->velocity[0], i, j, k) > 0);
                }
            }
    assert_true(inside > 500);
    assert_true(largest(sim, sim->velocity[1], (const int[3]){32, 33, 32}) == 0);
    billow_destroy(sim);
}

/* grip: the speed of the fluid follows 1 - exp(-grip t) for any step. */
static void grip_is_a_rate(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 16; steps *= 4) {
        BillowDef def = emitter_def(16);
        def.emitters[0].size[0] = 0.3f;
        def.emitters[0].velocity[2] = 2;
        def.emitters[0].grip = 7;
        BillowSim *sim = make(&def);
        for (int s = 0; s < steps; s++)
            sources_apply(sim, 0.2 / steps);
        assert_below(fabs((double)at(sim, sim->velocity[2], 8, 8, 8) - 2 * (1 - exp(-1.4))), 1e-4);
        billow_destroy(sim);
    }
}

/* The push of a shape smaller than a cell is that of its volume, not of the cells it touches; that
 * of no volume is none. */
static void small_shapes_push_little(void **state)
{
    (void)state;
    double impulses[2];
    for (int g = 0; g < 2; g++) {
        BillowDef def = emitter_def(16 << g);
        def.emitters[0].size[0] = 0.01f;
        def.emitters[0].velocity[1] = 1;
        def.emitters[0].grip = 1;
        BillowSim *sim = make(&def);
        sources_apply(sim, 0.1);
        double sum = 0, h = (double)def.cell_size;
        for (int k = 0; k < def.nz; k++)
            for (int j = 0; j <= def.ny; j++)
                for (int i = 0; i < def.nx; i++)
                    sum += (double)at(sim, sim->velocity[1], i, j, k) * h * h * h;
        impulses[g] = sum;
        billow_destroy(sim);
    }
    double expected = 4.0 / 3 * PI * 1e-6 * (1 - exp(-0.1));
    for (int g = 0; g < 2; g++)
        if (!(impulses[g] > 0.5 * expected && impulses[g] < 2 * expected))
            fail_msg("impulse %g on grid %d, expected about %g", impulses[g], 16 << g, expected);
    BillowDef def = emitter_def(16);
    def.emitters[0].size[0] = 0;
    def.emitters[0].velocity[1] = 1;
    def.emitters[0].grip = 100;
    BillowSim *sim = make(&def);
    sources_apply(sim, 0.1);
    assert_true(largest_velocity(sim) == 0);
    billow_destroy(sim);
}

static void burst_points_outwards(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.emitters[0].size[0] = 0.4f;
    def.emitters[0].burst = 5;
    def.emitters[0].grip = 20;
    BillowSim *sim = make(&def);
    sources_apply(sim, 0.05);
    assert_true(at(sim, sim->velocity[0], 12, 8, 8) > 1);
    assert_true(at(sim, sim->velocity[0], 4, 8, 8) < -1);
    assert_true(at(sim, sim->velocity[1], 8, 12, 8) > 1);
    billow_destroy(sim);
}

/* Noise moves smoke about but makes none on average, and stays the same for the same seed. */
static void noise_has_mean_one(void **state)
{
    (void)state;
    BillowDef def = emitter_def(24);
    def.emitters[0].size[0] = 0.4f;
    def.emitters[0].noise = 0.5f;
    def.emitters[0].noise_scale = 0.05f;
    def.emitters[0].noise_speed = 50;
    double volume = 4.0 / 3 * PI * pow(0.4, 3);
    assert_mass(&def, 0.02, 20, 3 * 0.4 * volume, 0.02);
    BillowSim *a = make(&def), *b = make(&def);
    def.emitters[0].seed = 2;
    BillowSim *c = make(&def);
    billow_step(a, 0.02);
    billow_step(b, 0.02);
    billow_step(c, 0.02);
    assert_true(billow_state_hash(a) == billow_state_hash(b));
    assert_true(billow_state_hash(a) != billow_state_hash(c));
    billow_destroy(a);
    billow_destroy(b);
    billow_destroy(c);
}

/* A third of a turn leads from red to green, a sixth from red to yellow. */
static void hues_turn_and_greys_stay(void **state)
{
    (void)state;
    const struct {
        double turns;
        float color[3];
    } cases[] = {{0, {0.8f, 0.2f, 0.2f}},        {1.0 / 6, {0.8f, 0.8f, 0.2f}},
                 {1.0 / 3, {0.2f, 0.8f, 0.2f}},  {2.0 / 3, {0.2f, 0.2f, 0.8f}},
                 {5.0 / 6, {0.8f, 0.2f, 0.8f}},  {-1.0 / 3, {0.2f, 0.2f, 0.8f}},
                 {1.0 / 12, {0.8f, 0.5f, 0.2f}}, {41, {0.8f, 0.2f, 0.2f}}};
    BillowEmitter emitter = billow_default_emitter();
    float color[3];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        memcpy(emitter.color, cases[0].color, sizeof emitter.color);
        emitter.hue_speed = cases[c].turns < 0 ? -0.5f : 0.5f;
        emitter_color(&emitter, fabs(cases[c].turns) / 0.5, color);
        for (int i = 0; i < 3; i++)
            assert_below(fabs((double)(color[i] - cases[c].color[i])), 1e-6);
        memcpy(emitter.color, cases[2].color,
               sizeof emitter.color); /* from green on: a third more */
        emitter_color(&emitter, fabs(cases[c].turns) / 0.5, color);
        for (int i = 0; i < 3; i++)
            assert_below(fabs((double)(color[(i + 1) % 3] - cases[c].color[i])), 1e-6);
    }
    emitter.color[0] = emitter.color[1] = emitter.color[2] = 0.3f;
    emitter_color(&emitter, 1.234, color);
    assert_memory_equal(color, emitter.color, sizeof color);
}

/* An emitter of the definition and one for a step alone have the hue of the same time; a saved
 * state keeps it. */
static void released_smoke_has_the_hue_of_its_time(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.color = true;
    def.emitters[0].heat = 0;
    def.emitters[0].hue_speed = 0.5f;
    def.emitters[0].color[1] = def.emitters[0].color[2] = 0;
    BillowEmitter emitter = def.emitters[0];
    BillowSim *lasting = make(&def);
    def.emitter_count = 0;
    BillowSim *alone = make(&def), *loaded = make(&def);
    BillowError error;
    void *saved = malloc(billow_state_bytes(alone));
    assert_non_null(saved);
    for (int s = 0; s < 10; s++) {
        billow_step(lasting, 0.1);
        assert_true(billow_emit(alone, &emitter));
        if (s == 9)
            billow_save_state(alone, saved);
        billow_step(alone, 0.1);
    }
    assert_true(billow_load_state(loaded, saved, billow_state_bytes(alone), &error));
    billow_step(loaded, 0.1);
    assert_true(billow_state_hash(loaded) == billow_state_hash(alone));
    for (int c = 0; c < 3; c++) {
        float one = at(lasting, lasting->color[c], 8, 8, 8);
        assert_below(fabs((double)(at(alone, alone->color[c], 8, 8, 8) - one)), 1e-6);
    }
    /* Ten steps from 0 to 0.45 turns: red falls from 1 after a sixth, and green rises to 1 there.
     */
    double red = (double)at(lasting, lasting->color[0], 8, 8, 8);
    double green = (double)at(lasting, lasting->color[1], 8, 8, 8);
    assert_below(fabs(red / green - (4 + 0.8 + 0.5 + 0.2) / (0.3 + 0.6 + 0.9 + 6)), 1e-3);
    free(saved);
    billow_destroy(lasting);
    billow_destroy(alone);
    billow_destroy(loaded);
}

/* The standard deviation of the noise. Interpolation by f(u) = u^2 (3 - 2u) leaves a share of 26/35
 * of the variance of the lattice, 1/3, for each of four dimensions. The octaves have the
 * factors 1.4 and 0.7. */
static void noise_is_as_strong_as_it_says(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    NoiseMemory memory = {0};
    unsigned seed = 1;
    double sum = 0, squares = 0;
    for (int s = 0; s < COUNT; s++) {
        float place[4];
        for (int axis = 0; axis < 4; axis++)
            place[axis] = 1000 * (float)scatter(&seed);
        double value = (double)noise4(place[0], place[1], place[2], place[3], 7, &memory);
        assert_below(fabs(value), (double)NOISE_MAX);
        sum += value;
        squares += value * value;
    }
    double wanted = sqrt((1.4 * 1.4 + 0.7 * 0.7) / 3) * pow(26.0 / 35, 2);
    assert_below(fabs(sum / COUNT), 0.02);
    assert_below(fabs(sqrt(squares / COUNT) / wanted - 1), 0.02);
}

/* Shapes far outside, on the edge and around the whole box neither crash nor leave the box. */
static void shapes_may_leave_the_box(void **state)
{
    (void)state;
    const float centers[][3] = {
        {-5, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1e6f, -1e6f, 0}, {0.5f, 0.5f, 2}};
    const float sizes[] = {1e-6f, 0.3f, 3, 1e4f};
    for (size_t c = 0; c < sizeof centers / sizeof centers[0]; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int shape = 0; shape <= SHAPE_LAST; shape++) {
                if (shape == BILLOW_VOLUME)
                    continue; /* needs a distance field */
                BillowDef def = emitter_def(11);
                def.faces[BILLOW_CEILING] = BILLOW_OPEN;
                def.emitters[0].shape = (BillowShape)shape;
                memcpy(def.emitters[0].center, centers[c], sizeof centers[c]);
                for (int axis = 0; axis < 3; axis++)
                    def.emitters[0].size[axis] = sizes[s];
                def.emitters[0].velocity[0] = 1;
                def.emitters[0].expansion = 1;
                def.emitters[0].grip = 5;
                BillowSim *sim = make(&def);
                billow_step(sim, 0.01);
                BillowStats stats = billow_stats(sim);
                assert_true(stats.nonfinite == 0);
                assert_below(stats.mass, 3 * 0.01 * 1.01);
                billow_destroy(sim);
            }
}

static void queued_emitter_acts_once(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.emitter_count = 0;
    BillowSim *sim = make(&def);
    BillowEmitter brush = billow_default_emitter();
    brush.center[1] = 0.5f;
    brush.size[0] = 0.2f;
    brush.start = brush.end = 0; /* does not matter here */
    assert_true(billow_emit(sim, &brush));
    billow_step(sim, 0.01);
    double mass = billow_stats(sim).mass;
    assert_below(fabs(mass - 6 * 0.01 * 4.0 / 3 * PI * 0.008), 1e-5);
    billow_step(sim, 0.01);
    assert_below(fabs(billow_stats(sim).mass - mass), 1e-7);
    brush.smoke = -1;
    assert_false(billow_emit(sim, &brush));
    brush.smoke = 1;
    for (int e = 0; e < BILLOW_EMITTERS_MAX; e++)
        assert_true(billow_emit(sim, &brush));
    assert_false(billow_emit(sim, &brush));
    billow_destroy(sim);
}

/* The divergence that is reported leaves out what a queued emitter's expansion asks for. */
static void queued_expansion_is_accounted_for(void **state)
{
    (void)state;
    BillowDef def = emitter_def(16);
    def.emitter_count = 0;
    def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    def.params.sweeps = 1000;
    def.params.tolerance = 1e-4f;
    BillowSim *sim = make(&def);
    BillowEmitter blast = billow_default_emitter();
    blast.center[1] = 0.5f;
    blast.size[0] = 0.2f;
    blast.expansion = 5;
    assert_true(billow_emit(sim, &blast));
    billow_step(sim, 0.001);
    assert_true(billow_stats(sim).speed_max > 0.05);
    assert_below(billow_stats(sim).divergence_max, 0.05);
    assert_below(billow_stats(sim).residual_relative, 1e-3);
    billow_destroy(sim);
}

/* The coverage's sum over the grid, by rows and slabs, is the sum over all cells. */
static void inside_is_what_is_covered(void **state)
{
    (void)state;
    const float centers[][3] = {{0.5f, 0, 0.5f}, {0.43f, 0.51f, 0.6f}, {1, 1, 1}, {2, 0, 0}};
    const float sizes[] = {0.01f, 0.1f, 0.37f, 5};
    for (int c = 0; c < 4 * 4 * 2 * (SHAPE_LAST + 1); c++) {
        if (c / 32 == BILLOW_VOLUME)
            continue; /* needs a distance field */
        BillowDef def = emitter_def(24);
        BillowEmitter *emitter = &def.emitters[0];
        emitter->shape = (BillowShape)(c / 32);
        memcpy(emitter->center, centers[c % 4], sizeof centers[0]);
        memcpy(emitter->rotation, turns[c / 16 % 2 * 2], sizeof emitter->rotation);
        for (int axis = 0; axis < 3; axis++)
            emitter->size[axis] = sizes[c / 4 % 4] * (1 + 0.3f * (float)axis);
        const Grid grid = grid_make(def.nx, def.ny, def.nz);
        PlacedEmitter placed = emitter_place(emitter, &grid, &def, def.cell_size);
        double sum = 0;
        for (int k = 0; k < 24; k++)
            for (int j = 0; j < 24; j++)
                for (int i = 0; i < 24; i++)
                    sum += (double)emitter_coverage(&placed, (float)i, (float)j, (float)k);
        sum *= (double)placed.amount;
        assert_below(fabs(emitter_inside(&placed, &grid) - sum), 1e-6 * sum);
    }
}

/* The cache of the noise changes no value: results with and without it are equal. */
static void noise_memory_changes_nothing(void **state)
{
    (void)state;
    NoiseMemory memory = {0};
    unsigned seed = 3;
    float place[4] = {0, 0, 0, 0};
    for (int s = 0; s < 20000; s++) {
        for (int axis = 0; axis < 4; axis++)
            place[axis] += 0.3f * (float)scatter(&seed);
        uint32_t which = (uint32_t)(s / 100 % 3);
        NoiseMemory none = {0};
        float remembered = noise4(place[0], place[1], place[2], place[3], which, &memory);
        assert_true(remembered == noise4(place[0], place[1], place[2], place[3], which, &none));
    }
}

static bool covers_any(const PlacedEmitter *placed, int i, int j, int k)
{
    float x = (float)i, y = (float)j, z = (float)k;
    return emitter_coverage(placed, x, y, z) > 0 || emitter_coverage(placed, x - 0.5f, y, z) > 0 ||
           emitter_coverage(placed, x, y - 0.5f, z) > 0 ||
           emitter_coverage(placed, x, y, z - 0.5f) > 0;
}

/* Nothing that a shape covers lies outside the part of a row that is looked at. */
static void rows_hold_all_that_is_covered(void **state)
{
    (void)state;
    static float distance[SAMPLES * SAMPLES * SAMPLES];
    const BillowVolume volume = sampled_ball(0.4f, distance);
    unsigned seed = 11;
    for (int c = 0; c < 140; c++) {
        BillowDef def = emitter_def(20);
        def.emitters[0].shape = (BillowShape)(c % 7);
        def.emitters[0].volume = &volume;
        memcpy(def.emitters[0].rotation, turns[c % 3], sizeof turns[0]);
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = (float)(0.5 + 0.6 * scatter(&seed));
        def.emitters[0].size[0] = (float)(0.3 + 0.29 * scatter(&seed));
        BillowSim *sim = make(&def);
        const PlacedEmitter *placed = &sim->emitters[0];
        for (int k = placed->low[2]; k < placed->high[2]; k++)
            for (int j = placed->low[1]; j < placed->high[1]; j++) {
                int low, high;
                emitter_row(placed, j, k, &low, &high);
                assert_true(low >= placed->low[0] && high <= placed->high[0]);
                for (int i = placed->low[0]; i < placed->high[0]; i++)
                    assert_true((i >= low && i < high) || !covers_any(placed, i, j, k));
            }
        billow_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_rate_times_time),
        cmocka_unit_test(box_mass_is_exact),
        cmocka_unit_test(every_shape_releases_its_volume),
        cmocka_unit_test(a_volume_releases_what_it_holds),
        cmocka_unit_test(wide_shapes_release_their_volume),
        cmocka_unit_test(a_plane_releases_below_itself),
        cmocka_unit_test(window_is_honoured),
        cmocka_unit_test(windows_come_again),
        cmocka_unit_test(nothing_outside_the_shape),
        cmocka_unit_test(grip_is_a_rate),
        cmocka_unit_test(small_shapes_push_little),
        cmocka_unit_test(burst_points_outwards),
        cmocka_unit_test(hues_turn_and_greys_stay),
        cmocka_unit_test(released_smoke_has_the_hue_of_its_time),
        cmocka_unit_test(noise_has_mean_one),
        cmocka_unit_test(noise_is_as_strong_as_it_says),
        cmocka_unit_test(noise_memory_changes_nothing),
        cmocka_unit_test(rows_hold_all_that_is_covered),
        cmocka_unit_test(shapes_may_leave_the_box),
        cmocka_unit_test(queued_emitter_acts_once),
        cmocka_unit_test(queued_expansion_is_accounted_for),
        cmocka_unit_test(inside_is_what_is_covered),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
