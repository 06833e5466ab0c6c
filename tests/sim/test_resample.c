/* SPDX-License-Identifier: MIT
 * A state on another grid: what stays exactly, what stays to rounding, and what is refused. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

static const double step = 1.0 / 60;

/* The definition of a running simulation, with `times` its cells along each axis. */
static BillowDef scaled(const BillowSim *sim, double times)
{
    BillowDef def = sim->def;
    def.nx = (int)lround(def.nx * times);
    def.ny = (int)lround(def.ny * times);
    def.nz = (int)lround(def.nz * times);
    def.cell_size = (float)((double)def.cell_size / times);
    memcpy(def.solids, sim->first_solids, sizeof def.solids);
    return def;
}

static BillowSim *resampled(const BillowSim *from, const BillowDef *def)
{
    BillowError error = {""};
    BillowSim *sim = make(def);
    if (!billow_resample(sim, from, &error))
        fail_msg("%s", error.text);
    return sim;
}

static double integral(const BillowSim *sim, const float *field)
{
    double sum = 0, h = (double)sim->def.cell_size;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                sum += (double)at(sim, field, i, j, k);
    return sum * h * h * h;
}

static void assert_close(double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.10g instead of %.10g", value, expected);
}

/* -- exactly ----------------------------------------------------------------------------------- */

static void an_equal_grid_copies_every_bit(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    def.texture_period = 0.15f;
    def.tracers = 200;
    BillowSim *from = run_of(&def, 10, step);
    def.emitter_count = 0; /* the copy gets the emitters of `from` */
    BillowSim *sim = resampled(from, &def);
    assert_true(billow_state_hash(sim) == billow_state_hash(from));
    for (int s = 0; s < 5; s++) {
        billow_step(sim, step);
        billow_step(from, step);
    }
    assert_true(billow_state_hash(sim) == billow_state_hash(from));
    assert_true(billow_stats(sim).mass_sources == billow_stats(from).mass_sources);
    billow_destroy(sim);
    billow_destroy(from);
}

static double slanted(double x, double y, double z)
{
    return 2 + 0.25 * x - 0.125 * y + 0.5 * z;
}

/* Trilinear interpolation gives linear functions exactly, away from the edges. Each component of
 * the velocity is then also seen to lie at its own faces. */
static void linear_fields_stay_linear(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 18, 20, BILLOW_OPEN);
    BillowSim *from = make(&def);
    fill_cells(from, from->temperature, slanted);
    for (int axis = 0; axis < 3; axis++)
        fill_faces(from, axis, slanted);
    const double times[] = {1.5, 0.5, 2};
    for (int t = 0; t < 3; t++) {
        BillowDef other = scaled(from, times[t]);
        BillowSim *sim = resampled(from, &other);
        double h = 1 / times[t];
        for (int axis = 0; axis < 3; axis++) {
            double p[3] = {3.5 * h, 4.5 * h, 5.5 * h};
            p[axis] -= 0.5 * h;
            assert_close((double)at(sim, sim->velocity[axis], 3, 4, 5), slanted(p[0], p[1], p[2]),
                         1e-6);
        }
        billow_destroy(sim);
    }
    billow_destroy(from);
}

static double breeze(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.7;
}

static void a_uniform_flow_stays_uniform(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 24, BILLOW_PERIODIC);
    BillowSim *from = make(&def);
    for (int axis = 0; axis < 3; axis++)
        fill_faces(from, axis, breeze);
    const double times[] = {0.75, 1.5, 2.5, 0.5};
    for (int t = 0; t < 4; t++) {
        BillowDef other = scaled(from, times[t]);
        BillowSim *sim = resampled(from, &other);
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < sim->grid.nz; k++)
                for (int j = 0; j < sim->grid.ny; j++)
                    for (int i = 0; i < sim->grid.nx; i++)
                        assert_true(at(sim, sim->velocity[axis], i, j, k) == 0.7f);
        billow_destroy(sim);
    }
    billow_destroy(from);
}

static void clocks_tracers_and_the_queue_are_kept(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    def.tracers = 300;
    def.tracer_lag = 0.05f; /* sparks, which have a velocity and a life as well */
    BillowSim *from = run_of(&def, 10, step);
    billow_advance(from, 0.7 * step, step, 4);
    BillowForce force = billow_default_force();
    force.strength = 3;
    assert_true(billow_push(from, &force));
    assert_true(billow_emit(from, &def.emitters[0]));
    BillowDef finer = scaled(from, 1.5);
    BillowSim *sim = resampled(from, &finer);
    BillowStats a = billow_stats(from), b = billow_stats(sim);
    assert_true(a.time == b.time && a.steps == b.steps && a.substeps == b.substeps);
    assert_true(sim->time == from->time && sim->remainder == from->remainder);
    assert_true(sim->pushed_count == 1 && sim->pushed[0].strength == 3);
    assert_true(sim->queued_count == 1 && sim->queued[0].high[1] > from->queued[0].high[1]);
    for (int axis = 0; axis < 3; axis++) {
        assert_memory_equal(sim->tracers.place[axis], from->tracers.place[axis],
                            300 * sizeof(float));
        assert_memory_equal(sim->tracers.velocity[axis], from->tracers.velocity[axis],
                            300 * sizeof(float));
    }
    assert_memory_equal(sim->tracers.age, from->tracers.age, 300 * sizeof(float));
    assert_memory_equal(sim->tracers.life, from->tracers.life, 300 * sizeof(float));
    assert_memory_equal(sim->tracers.owed, from->tracers.owed, sizeof sim->tracers.owed);
    assert_true(sim->tracers.born == from->tracers.born);
    billow_destroy(sim);
    billow_destroy(from);
}

/* Values that were set after creation travel too, and billow_reset restores the same solids. */
static void the_definition_is_kept(void **state)
{
    (void)state;
    BillowDef def = busy_def(FEW_THREADS);
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0.2f;
    def.solids[0].center[1] = 0.7f;
    def.solids[0].motion = BILLOW_FALLING;
    BillowSim *from = run_of(&def, 6, step);
    BillowDef finer = scaled(from, 1.5);
    BillowParams params = billow_params(from);
    params.vorticity = 3;
    BillowEmitter emitter = def.emitters[0];
    emitter.smoke = 11;
    assert_true(billow_set_params(from, &params, NULL));
    assert_true(billow_set_emitters(from, &emitter, 1, NULL));
    BillowSim *sim = resampled(from, &finer);
    assert_true(billow_params(sim).vorticity == 3);
    assert_true(sim->def.emitter_count == 1 && sim->emitters[0].emitter.smoke == 11);
    assert_true(sim->emitters[0].center[1] > 1.4f * from->emitters[0].center[1]);
    const BillowSolid *falls = billow_solid(sim, 0);
    assert_memory_equal(falls, billow_solid(from, 0), sizeof *falls);
    assert_true(falls->center[1] < 0.7f);
    assert_true(sim->solids->kicked[0] == from->solids->kicked[0]);
    billow_reset(sim);
    assert_true(billow_solid(sim, 0)->center[1] == 0.7f);
    billow_destroy(sim);
    billow_destroy(from);
}

static uint64_t resampled_hash(const BillowDef *def)
{
    BillowSim *from = run_of(def, 8, step);
    BillowDef other = scaled(from, 0.75);
    BillowSim *sim = resampled(from, &other);
    uint64_t before = billow_state_hash(sim);
    billow_step(sim, step);
    uint64_t hash = before ^ billow_state_hash(sim) << 1;
    billow_destroy(sim);
    billow_destroy(from);
    return hash;
}

static void any_number_of_threads_gives_one_hash(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.texture_period = 0.1f;
    assert_one_hash_of(&def, resampled_hash);
}

/* -- to rounding ------------------------------------------------------------------------------- */

static double hill(double x, double y, double z)
{
    return exp(-0.1 * ((x - 9) * (x - 9) + (y - 7) * (y - 7) + (z - 8) * (z - 8)));
}

static double warm_and_cold(double x, double y, double z)
{
    return 80 * hill(x, y, z) - 80 * hill(x - 5, y + 3, z);
}

/* A puff that lies between the middles of cells that are 2.5 times as wide. */
static double one_cell(double x, double y, double z)
{
    return x == 7.5 && y == 7.5 && z == 2.5 ? 4 : 0;
}

static void amounts_are_kept(void **state)
{
    (void)state;
    BillowDef def = quiet_def(20, 40, 20, BILLOW_CLOSED);
    def.fire = def.color = def.age = true;
    BillowSim *from = make(&def);
    fill_cells(from, from->density, hill);
    fill_cells(from, from->age, hill);
    fill_cells(from, from->temperature, warm_and_cold);
    fill_cells(from, from->fuel, one_cell);
    for (int c = 0; c < 3; c++)
        fill_cells(from, from->color[c], hill);
    const double times[] = {0.4, 0.75, 1.25, 2};
    for (int t = 0; t < 4; t++) {
        BillowDef other = scaled(from, times[t]);
        BillowSim *sim = resampled(from, &other);
        float *const old[] = {from->density, from->fuel, from->color[0], from->age};
        float *const new[] = {sim->density, sim->fuel, sim->color[0], sim->age};
        for (int f = 0; f < 4; f++)
            assert_close(integral(sim, new[f]), integral(from, old[f]), 1e-6);
        /* warm and cold nearly cancel: to rounding of their size */
        assert_below(fabs(integral(sim, sim->temperature) - integral(from, from->temperature)),
                     1e-6 * 80 * integral(from, from->density));
        billow_step(sim, step);
        assert_close(billow_stats(sim).mass_sources, integral(from, from->density), 1e-5);
        billow_destroy(sim);
    }
    billow_destroy(from);
}

/* u = sin x cos y, v = -cos x sin y on the faces, with a period of the box, times cos z. Its
 * discrete divergence is 0 on every grid; that of the interpolated flow is of second order. */
enum { PERIOD = 32 };

static double swirl_u(double x, double y, double z)
{
    double k = 2 * PI / PERIOD;
    return sin(k * x) * cos(k * y) * cos(k * z);
}

static double swirl_v(double x, double y, double z)
{
    double k = 2 * PI / PERIOD;
    return -cos(k * x) * sin(k * y) * cos(k * z);
}

static double root_mean_square_divergence(const BillowSim *sim)
{
    double sum = 0;
    const float *const *v = (const float *const *)sim->velocity;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++) {
                double d = (double)(at(sim, v[0], i + 1, j, k) - at(sim, v[0], i, j, k)) +
                           (double)(at(sim, v[1], i, j + 1, k) - at(sim, v[1], i, j, k)) +
                           (double)(at(sim, v[2], i, j, k + 1) - at(sim, v[2], i, j, k));
                sum += d * d;
            }
    double cells = (double)sim->grid.nx * sim->grid.ny * sim->grid.nz;
    return sqrt(sum / cells) / (double)sim->def.cell_size;
}

static void a_smooth_flow_stays_nearly_free_of_divergence(void **state)
{
    (void)state;
    BillowDef def = quiet_def(PERIOD, PERIOD, PERIOD, BILLOW_PERIODIC);
    BillowSim *from = make(&def);
    fill_faces(from, 0, swirl_u);
    fill_faces(from, 1, swirl_v);
    double strain = 2 * PI / (PERIOD * (double)def.cell_size); /* 1/s */
    assert_below(root_mean_square_divergence(from), 1e-4 * strain);
    const double times[] = {0.75, 1.5, 2};
    for (int t = 0; t < 3; t++) {
        BillowDef other = scaled(from, times[t]);
        BillowSim *sim = resampled(from, &other);
        assert_below(root_mean_square_divergence(sim), 0.03 * strain);
        billow_step(sim, 1e-3);
        assert_below(billow_stats(sim).divergence_max, 2e-3 * strain);
        assert_close(billow_stats(sim).speed_max, 1, 0.06);
        billow_destroy(sim);
    }
    billow_destroy(from);
}

static double wave(double x, double y, double z)
{
    double k = 2 * PI / PERIOD;
    return 2 + sin(k * (x + 5)) + sin(k * (y + 6)) + sin(k * (z + 7));
}

/* Interpolation errs by at most (k h)^2 / 8 = 0.005 along each axis, also across the faces. */
static void a_wave_continues_across_periodic_faces(void **state)
{
    (void)state;
    BillowDef def = quiet_def(PERIOD, PERIOD, PERIOD, BILLOW_PERIODIC);
    BillowSim *from = make(&def);
    fill_cells(from, from->temperature, wave);
    def.nx = def.ny = def.nz = 2 * PERIOD;
    def.cell_size *= 0.5f;
    BillowSim *sim = resampled(from, &def);
    double worst = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                worst = fmax(worst, fabs((double)at(sim, sim->temperature, i, j, k) -
                                         wave(0.5 * i + 0.25, 0.5 * j + 0.25, 0.5 * k + 0.25)));
    assert_below(worst, 3 * 0.005);
    billow_destroy(sim);
    billow_destroy(from);
}

static void solids_stay_empty(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 24, 24, BILLOW_CLOSED);
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 12.0f / 64;
    def.solids[0].size[0] = 5.0f / 64;
    BillowSim *from = make(&def);
    for (int k = 0; k < 24; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                ptrdiff_t cell = grid_row(&from->grid, j, k) + i;
                from->density[cell] = from->solids->fluid[cell] == SOLID ? 0 : 1;
            }
    BillowDef finer = scaled(from, 1.5);
    BillowSim *sim = resampled(from, &finer);
    assert_close(integral(sim, sim->density), integral(from, from->density), 1e-6);
    for (int k = 0; k < 36; k++)
        for (int j = 0; j < 36; j++)
            for (int i = 0; i < 36; i++) {
                ptrdiff_t cell = grid_row(&sim->grid, j, k) + i;
                float value = sim->density[cell];
                bool inside = sim->solids->fluid[cell] == SOLID;
                /* beside a surface all of the neighbours may have been solid */
                assert_true(inside ? value == 0 : value == 0 || fabsf(value - 1) < 0.05f);
            }
    billow_destroy(sim);
    billow_destroy(from);
}

/* -- what is refused --------------------------------------------------------------------------- */

static void with_fire(BillowDef *def)
{
    def->fire = !def->fire;
}
static void with_color(BillowDef *def)
{
    def->color = !def->color;
}
static void with_age(BillowDef *def)
{
    def->age = !def->age;
}
static void with_tracers(BillowDef *def)
{
    def->tracers = 7;
}
static void with_textures(BillowDef *def)
{
    def->texture_period = 2;
}
static void with_a_solid(BillowDef *def)
{
    def->solids[def->solid_count++] = billow_default_solid();
}
static void with_a_lid(BillowDef *def)
{
    def->faces[BILLOW_LEFT] = BILLOW_OPEN;
}
static void longer(BillowDef *def)
{
    def->ny += 2;
}
static void elsewhere(BillowDef *def)
{
    def->origin[2] += 1.5f * def->cell_size;
}

static void others_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        void (*change)(BillowDef *def);
        const char *named;
    } cases[] = {
        {with_fire, "the two simulations must have the same fire"},
        {with_color, "the two simulations must have the same color"},
        {with_age, "the two simulations must have the same age"},
        {with_tracers, "the two simulations must have the same tracers"},
        {with_textures, "the two simulations must have the same texture_period"},
        {with_a_solid, "the two simulations must have the same solid_count"},
        {with_a_lid, "the two simulations must have the same faces and boundaries"},
        {longer, "along y the two boxes must agree to within"},
        {elsewhere, "along z the two boxes must agree to within"},
    };
    BillowDef def = quiet_def(16, 16, 16, BILLOW_CLOSED);
    BillowSim *from = make(&def);
    billow_step(from, step);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        BillowError error = {""};
        BillowDef other = def;
        cases[c].change(&other);
        BillowSim *sim = make(&other);
        uint64_t before = billow_state_hash(sim);
        assert_false(billow_resample(sim, from, &error));
        if (strstr(error.text, cases[c].named) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[c].named);
        assert_true(billow_state_hash(sim) == before && billow_stats(sim).steps == 0);
        assert_false(billow_resample(sim, from, NULL));
        billow_destroy(sim);
    }
    assert_true(billow_resample(from, from, NULL));
    billow_destroy(from);
}

/* A periodic box must keep its period. */
static void a_period_must_stay(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_PERIODIC);
    BillowSim *from = make(&def);
    def.nx = def.ny = def.nz = 18;
    def.cell_size /= 1.1f; /* the box is 2.3 % longer, less than half a cell */
    BillowSim *sim = make(&def);
    BillowError error = {""};
    assert_false(billow_resample(sim, from, &error));
    assert_non_null(strstr(error.text, "along x the two boxes must agree"));
    billow_destroy(sim);
    billow_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_equal_grid_copies_every_bit),
        cmocka_unit_test(linear_fields_stay_linear),
        cmocka_unit_test(a_uniform_flow_stays_uniform),
        cmocka_unit_test(clocks_tracers_and_the_queue_are_kept),
        cmocka_unit_test(the_definition_is_kept),
        cmocka_unit_test(any_number_of_threads_gives_one_hash),
        cmocka_unit_test(amounts_are_kept),
        cmocka_unit_test(a_smooth_flow_stays_nearly_free_of_divergence),
        cmocka_unit_test(a_wave_continues_across_periodic_faces),
        cmocka_unit_test(solids_stay_empty),
        cmocka_unit_test(others_are_refused_by_name),
        cmocka_unit_test(a_period_must_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
