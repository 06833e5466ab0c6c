/* SPDX-License-Identifier: MIT
 *
 * Whatever is in range stays finite: simulations whose every number is drawn over its documented
 * range, the ends among them, with steps from microseconds to BILLOW_STEP_MAX.
 *
 *     test_ranges [FIRST COUNT]     seeds; default 0 and as many as a quick test has time for
 *
 * What a drawn definition is refused for is drawn anew. With floating-point exceptions (glibc,
 * BILLOW_TRAPS) the first invalid operation ends the test where it happens. */
#if defined(BILLOW_TRAPS) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* feenableexcept */
#endif
#include "sim_fixture.h"

#include <fenv.h>
#include <stdint.h>
#include <stdlib.h>

enum { QUICK_SEEDS = 60, STEPS = 3, TRIES = 200 };

static int seed_first = 0, seed_count = 0;

/* -- numbers ----------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(uint64_t *state, int count)
{
    return (int)(next_word(state) % (uint64_t)count);
}

static double unit(uint64_t *state)
{
    return (double)(next_word(state) >> 11) * 0x1p-53;
}

/* One of the ends, 0 where it is between them, evenly, or evenly in magnitude. */
static double between(uint64_t *state, double low, double high)
{
    double least = low > 0 ? low : 1e-9 * high;
    switch (below(state, 6)) {
    case 0:
        return low;
    case 1:
        return high;
    case 2:
        return low < 0 ? 0 : low;
    case 3:
        return low + unit(state) * (high - low);
    default: {
        double size = least * pow(high / least, unit(state));
        return low < 0 && below(state, 2) == 0 ? fmax(low, -size) : fmin(high, size);
    }
    }
}

static void draw(uint64_t *state, float *value, double low, double high)
{
    *value = (float)between(state, low, high);
    *value = fmaxf(fminf(*value, (float)high), (float)low);
}

static void draw_vector(uint64_t *state, float value[3], double low, double high)
{
    for (int axis = 0; axis < 3; axis++)
        draw(state, &value[axis], low, high);
}

static bool chance(uint64_t *state, int one_in)
{
    return below(state, one_in) == 0;
}

static void draw_rotation(uint64_t *state, float q[4])
{
    double square = 0, v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = unit(state) - 0.5;
        square += v[i] * v[i];
    }
    for (int i = 0; i < 4 && square > 1e-6; i++)
        q[i] = (float)(v[i] / sqrt(square));
}

/* -- what is simulated ------------------------------------------------------------------------- */

/* Near the box, mostly; where it is large enough, with that. */
static void draw_place(uint64_t *state, const BillowDef *def, float center[3], float size[3])
{
    double edge = def->nx * (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++)
        center[axis] = def->origin[axis] + (float)(edge * (1.4 * unit(state) - 0.2));
    if (chance(state, 12))
        draw_vector(state, center, -1e6, 1e6);
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (float)fmin(1e4, edge * 0.4 * unit(state));
    if (chance(state, 8))
        draw_vector(state, size, 0, 1e4);
}

static BillowEmitter draw_emitter(uint64_t *state, const BillowDef *def)
{
    BillowEmitter e = billow_default_emitter();
    e.shape = (BillowShape)below(state, BILLOW_VOLUME);
    draw_place(state, def, e.center, e.size);
    draw_rotation(state, e.rotation);
    draw(state, &e.smoke, 0, 1e6);
    draw_vector(state, e.color, 0, 1);
    draw(state, &e.heat, -1e6, 1e6);
    draw(state, &e.fuel, 0, 1e6);
    if (chance(state, 2))
        draw(state, &e.expansion, -1e3, 1e3);
    draw_vector(state, e.velocity, -1e4, 1e4);
    draw(state, &e.burst, -1e4, 1e4);
    draw(state, &e.grip, 0, 1e6);
    draw(state, &e.tracers, 0, 1e8);
    draw(state, &e.noise, 0, 4);
    draw(state, &e.noise_scale, 1e-3, 1e4);
    draw(state, &e.noise_speed, 0, 1e3);
    e.seed = (uint32_t)next_word(state);
    if (chance(state, 4))
        e.start = between(state, 0, 1e9);
    if (chance(state, 4))
        e.end = between(state, 0, 1e9);
    return e;
}

static BillowSolid draw_solid(uint64_t *state, const BillowDef *def)
{
    BillowSolid s = billow_default_solid();
    s.shape = (BillowShape)below(state, BILLOW_VOLUME);
    draw_place(state, def, s.center, s.size);
    for (int axis = 0; axis < 3 && !chance(state, 6); axis++)
        s.size[axis] *= 0.4f;
    draw_rotation(state, s.rotation);
    draw_vector(state, s.velocity, -1e4, 1e4);
    draw_vector(state, s.spin, -1e3, 1e3);
    s.motion = (BillowMotion)below(state, 2);
    draw(state, &s.gravity, -1e3, 1e3);
    draw(state, &s.bounce, 0, 1);
    if (s.shape != BILLOW_PLANE && chance(state, 2))
        draw(state, &s.density, 0, 1e5);
    s.sticky = chance(state, 2);
    s.isothermal = chance(state, 2);
    draw(state, &s.temperature, -1e4, 1e4);
    return s;
}

static BillowForce draw_force(uint64_t *state, const BillowDef *def)
{
    BillowForce f = billow_default_force();
    float size[3];
    f.kind = (BillowForceKind)below(state, 4);
    draw_place(state, def, f.center, size);
    f.radius = size[0];
    if (chance(state, 4))
        draw(state, &f.radius, 0, 1e6);
    draw_vector(state, f.velocity, -1e4, 1e4);
    draw(state, &f.strength, f.kind == BILLOW_WIND ? 0 : -1e4, 1e4);
    draw(state, &f.scale, 1e-3, 1e4);
    draw(state, &f.speed, 0, 1e3);
    f.seed = (uint32_t)next_word(state);
    return f;
}

static BillowParams draw_params(uint64_t *state)
{
    BillowParams p = billow_default_params();
    draw(state, &p.buoyancy, -10, 10);
    draw(state, &p.weight, -100, 100);
    draw(state, &p.vorticity, 0, 100);
    draw(state, &p.viscosity, 0, 1e6);
    draw(state, &p.smoke_diffusion, 0, 1e6);
    draw(state, &p.heat_diffusion, 0, 1e6);
    draw(state, &p.dissipation, 0, 1e3);
    draw(state, &p.cooling, 0, 1e3);
    draw(state, &p.radiation, 0, 1e3);
    draw(state, &p.ignition, 0, 1e4);
    draw(state, &p.burn_rate, 0, 1e3);
    draw(state, &p.burn_heat, 0, 1e5);
    draw(state, &p.burn_smoke, 0, 1e3);
    draw(state, &p.burn_expansion, 0, 100);
    draw(state, &p.cfl, 0.1, 100);
    draw(state, &p.tolerance, BILLOW_TOLERANCE_MIN, 1);
    draw(state, &p.overrelaxation, 0.1, 1.98);
    p.advection = (BillowAdvection)below(state, chance(state, 2) ? 4 : 2);
    p.pressure = (BillowPressure)below(state, 3);
    p.warm_start = !chance(state, 3);
    /* Limits of the work. More work would not change the size of the numbers. */
    p.substeps_max = p.advection >= BILLOW_CONSERVATIVE ? 1 + below(state, 2)
                     : chance(state, 10)                ? 20
                                                        : 1 + below(state, 4);
    p.cycles = 1 + below(state, chance(state, 10) ? 30 : 6);
    p.sweeps = 1 + below(state, chance(state, 10) ? 100 : 20);
    p.diffusion_sweeps = 1 + below(state, chance(state, 10) ? 100 : 20);
    return p;
}

static void draw_faces(uint64_t *state, BillowDef *def)
{
    for (int side = 0; side < BILLOW_SIDES; side++) {
        BillowBoundary *boundary = &def->boundaries[side];
        def->faces[side] = (BillowFace)below(state, 4);
        if (side % 2 == 1 && chance(state, 6))
            def->faces[side] = def->faces[side - 1] = BILLOW_PERIODIC;
        *boundary = (BillowBoundary){.isothermal = false};
        if (def->faces[side] == BILLOW_INFLOW) {
            draw_vector(state, boundary->velocity, -1e4, 1e4);
            boundary->velocity[side / 2] = side % 2 == 0 ? fabsf(boundary->velocity[side / 2])
                                                         : -fabsf(boundary->velocity[side / 2]);
            boundary->profile = (BillowInflowProfile)below(state, 2);
            draw(state, &boundary->smoke, 0, 1e6);
            draw(state, &boundary->heat, -1e6, 1e6);
        } else if (def->faces[side] == BILLOW_NO_SLIP) {
            draw_vector(state, boundary->velocity, -1e4, 1e4);
            boundary->velocity[side / 2] = 0;
            boundary->isothermal = chance(state, 2);
            draw(state, &boundary->temperature, -1e4, 1e4);
        }
    }
    for (int axis = 0; axis < 3; axis++)
        if (def->faces[2 * axis] == BILLOW_PERIODIC)
            def->boundaries[2 * axis] = (BillowBoundary){.isothermal = false};
}

static BillowDef draw_def(uint64_t *state)
{
    BillowDef def = billow_default_def();
    int *cells[3] = {&def.nx, &def.ny, &def.nz};
    for (int axis = 0; axis < 3; axis++)
        *cells[axis] = chance(state, 4) ? 8 + below(state, 9) : 8;
    draw(state, &def.cell_size, 1e-5, 1e4);
    if (chance(state, 2)) /* of an everyday size */
        def.cell_size = 0.125f;
    if (chance(state, 4))
        draw_vector(state, def.origin, -1e6, 1e6);
    def.threads = FEW_THREADS;
    def.fire = chance(state, 2);
    def.color = chance(state, 2);
    def.tracers = chance(state, 2) ? 50 : 0;
    if (chance(state, 2))
        draw(state, &def.texture_period, 0, 1e4);
    def.params = draw_params(state);
    draw_faces(state, &def);
    def.emitter_count = below(state, 4);
    for (int e = 0; e < def.emitter_count; e++)
        def.emitters[e] = draw_emitter(state, &def);
    def.solid_count = chance(state, 3) ? 1 + below(state, 3) : 0;
    for (int s = 0; s < def.solid_count; s++)
        def.solids[s] = draw_solid(state, &def);
    def.force_count = below(state, 3);
    for (int f = 0; f < def.force_count; f++)
        def.forces[f] = draw_force(state, &def);
    return def;
}

/* One that is taken; NULL where none of many was. */
static BillowSim *draw_simulation(uint64_t *state)
{
    BillowError error;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        const BillowDef def = draw_def(state);
        BillowSim *sim = billow_create(&def, &error);
        if (sim != NULL)
            return sim;
    }
    return NULL;
}

/* -- what must be finite ----------------------------------------------------------------------- */

static void check_field(const BillowView *view, const char *name, const float *field, int more_x,
                        int more_y, int more_z, int seed, int step)
{
    if (field == NULL)
        return;
    for (int k = 0; k < view->nz + more_z; k++)
        for (int j = 0; j < view->ny + more_y; j++)
            for (int i = 0; i < view->nx + more_x; i++)
                if (!isfinite(field[i + j * view->stride_y + k * view->stride_z]))
                    fail_msg("seed %d, step %d: %s is %g at (%d, %d, %d)", seed, step, name,
                             (double)field[i + j * view->stride_y + k * view->stride_z], i, j, k);
}

static void check_statistics(const BillowSim *sim, int seed, int step)
{
    const BillowStats stats = billow_stats(sim);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"time", stats.time},
        {"mass", stats.mass},
        {"mass_sources", stats.mass_sources},
        {"mass_outflow", stats.mass_outflow},
        {"mass_dissipated", stats.mass_dissipated},
        {"mass_cut", stats.mass_cut},
        {"mass_drift", stats.mass_drift},
        {"heat", stats.heat},
        {"color", stats.color[0] + stats.color[1] + stats.color[2]},
        {"fuel", stats.fuel},
        {"expansion", stats.expansion},
        {"outflow", stats.outflow},
        {"kinetic_energy", stats.kinetic_energy},
        {"speed_max", stats.speed_max},
        {"density_max", stats.density_max},
        {"temperature_max", stats.temperature_max},
        {"divergence_max", stats.divergence_max},
        {"residual_relative", stats.residual_relative},
        {"cfl", stats.cfl},
    };
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        if (!isfinite(numbers[n].value))
            fail_msg("seed %d, step %d: %s is %g", seed, step, numbers[n].name, numbers[n].value);
    if (stats.nonfinite != 0)
        fail_msg("seed %d, step %d: %llu cells hold infinity or NaN", seed, step,
                 (unsigned long long)stats.nonfinite);
}

static void check_solids(const BillowSim *sim, int seed, int step)
{
    for (int s = 0; billow_solid(sim, s) != NULL; s++) {
        const BillowSolid *solid = billow_solid(sim, s);
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(solid->center[axis] + solid->velocity[axis] + solid->spin[axis]) ||
                !isfinite(solid->rotation[axis] + solid->rotation[3]))
                fail_msg("seed %d, step %d: solid %d is lost", seed, step, s);
    }
}

static void check_all(BillowSim *sim, int seed, int step)
{
    const BillowView view = billow_view(sim);
    check_field(&view, "density", view.density, 0, 0, 0, seed, step);
    check_field(&view, "temperature", view.temperature, 0, 0, 0, seed, step);
    check_field(&view, "u", view.u, 1, 0, 0, seed, step);
    check_field(&view, "v", view.v, 0, 1, 0, seed, step);
    check_field(&view, "w", view.w, 0, 0, 1, seed, step);
    check_field(&view, "fuel", view.fuel, 0, 0, 0, seed, step);
    check_field(&view, "flame", view.flame, 0, 0, 0, seed, step);
    for (int c = 0; c < 3; c++)
        check_field(&view, "color", view.color[c], 0, 0, 0, seed, step);
    for (int part = 0; part < 6; part++)
        check_field(&view, "rest", view.texture[part / 3][part % 3], 0, 0, 0, seed, step);
    for (int t = 0; t < view.tracer_count; t++)
        if (!isfinite(view.tracer_age[t]) ||
            (view.tracer_age[t] >= 0 &&
             !isfinite(view.tracer[0][t] + view.tracer[1][t] + view.tracer[2][t])))
            fail_msg("seed %d, step %d: tracer %d is lost", seed, step, t);
    check_statistics(sim, seed, step);
    check_solids(sim, seed, step);
}

/* -- the test ---------------------------------------------------------------------------------- */

/* Calls that a user may make between steps. */
static void meddle(BillowSim *sim, uint64_t *state)
{
    if (chance(state, 3)) {
        const BillowParams params = draw_params(state);
        billow_set_params(sim, &params, NULL);
    }
    if (chance(state, 3)) {
        const BillowEmitter emitter = draw_emitter(state, &sim->def);
        billow_emit(sim, &emitter);
    }
    if (chance(state, 3)) {
        const BillowForce force = draw_force(state, &sim->def);
        billow_push(sim, &force);
    }
    if (chance(state, 3) && sim->def.solid_count > 0) {
        BillowSolid solids[BILLOW_SOLIDS_MAX];
        memcpy(solids, sim->def.solids, sizeof solids);
        draw_vector(state, solids[0].velocity, -1e4, 1e4);
        draw_vector(state, solids[0].spin, -1e3, 1e3);
        billow_set_solids(sim, solids, sim->def.solid_count, NULL);
    }
}

/* Prints details of a single seed. */
static void tell(const BillowSim *sim, int step, double dt)
{
    const BillowStats stats = billow_stats(sim);
    const BillowParams *p = &sim->def.params;
    printf("step %d of %g s in %d, cells of %g m: speed %g m/s, density %g, temperature %g K, fuel "
           "%g m3, divergence %g 1/s, %d cycles leave %g; advection %d, pressure %d, %d solids\n",
           step, dt, stats.last_substeps, (double)sim->def.cell_size, stats.speed_max,
           stats.density_max, stats.temperature_max, stats.fuel, stats.divergence_max, stats.cycles,
           stats.residual_relative, (int)p->advection, (int)p->pressure, sim->def.solid_count);
    fflush(stdout);
}

static void play_seed(int seed)
{
    uint64_t state = (uint64_t)seed * 1000003u + 17;
    BillowSim *sim = draw_simulation(&state);
    if (sim == NULL)
        fail_msg("seed %d: none of %d definitions was taken", seed, TRIES);
    for (int step = 1; step <= STEPS; step++) {
        double dt = chance(&state, 3) ? 1.0 / 60 : between(&state, 1e-6, BILLOW_STEP_MAX);
        billow_step(sim, dt);
        if (seed_count == 1)
            tell(sim, step, dt);
        check_all(sim, seed, step);
        meddle(sim, &state);
    }
    billow_destroy(sim);
}

static void test_what_is_in_range_stays_finite(void **state)
{
    (void)state;
    for (int seed = seed_first; seed < seed_first + seed_count; seed++)
        play_seed(seed);
}

int main(int count, char **arguments)
{
    seed_count = SANITIZED ? QUICK_SEEDS / 4 : QUICK_SEEDS;
    if (count == 3) {
        seed_first = atoi(arguments[1]);
        seed_count = atoi(arguments[2]);
    }
#ifdef BILLOW_TRAPS
    feenableexcept(FE_INVALID);
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_in_range_stays_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
