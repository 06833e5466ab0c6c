/* SPDX-License-Identifier: MIT
 * Bodies that the air moves: its forces are right, momentum is kept, light bodies are stable, and
 * the bits do not depend on who computes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "ranks_fixture.h"

#include "sim/fields/constants.h"
#include "sim/solids/bodies.h"
#include "sim/solids/floating_bodies.h"

static BillowSolid body_of(BillowShape shape, float density, float x, float y, float z)
{
    BillowSolid body = billow_default_solid();
    const float center[3] = {x, y, z};
    body.shape = shape;
    body.motion = BILLOW_FALLING;
    body.density = density;
    memcpy(body.center, center, sizeof center);
    return body;
}

static void set_size(BillowSolid *body, float x, float y, float z)
{
    const float size[3] = {x, y, z};
    memcpy(body->size, size, sizeof size);
}

/* Rotates a body by an angle around the axis (1, 2, 3). */
static void turn_body(BillowSolid *body, double angle)
{
    for (int axis = 0; axis < 3; axis++)
        body->rotation[axis] = (float)((axis + 1) / sqrt(14) * sin(angle / 2));
    body->rotation[3] = (float)cos(angle / 2);
}

/* -- forces ------------------------------------------------------------------------------------ */

static double impulse_on(const BillowSim *sim, int solid, int part)
{
    double sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        sum += sim->solids->impulses[((ptrdiff_t)k * sim->def.solid_count + solid) * 6 + part];
    return sum;
}

/* A pressure with the gradient g has the force -V g, and no torque about the middle. */
static void an_even_gradient_lifts_by_the_volume(void **state)
{
    (void)state;
    static const BillowShape shapes[] = {BILLOW_SPHERE, BILLOW_BOX, BILLOW_CYLINDER, BILLOW_CAPSULE,
                                         BILLOW_TORUS};
    const double slope[3] = {0.3, -1, 0.5};
    for (int n = 0; n < 5; n++) {
        BillowDef def = quiet_def(40, 40, 40, BILLOW_OPEN);
        const float h = def.cell_size;
        def.solids[0] = body_of(shapes[n], 1, 20.2f * h, 19.9f * h, 20.4f * h);
        set_size(&def.solids[0], 8 * h, shapes[n] == BILLOW_TORUS ? 4 * h : 6 * h, 5 * h);
        turn_body(&def.solids[0], 0.6);
        def.solid_count = 1;
        BillowSim *sim = make(&def);
        const PlacedShape placed = bodies_place(&def.solids[0]);
        sim->multigrid.levels[0].x = grid_packed(&sim->grid, sim->pressure);
        for (int k = 0; k < 40; k++)
            for (int j = 0; j < 40; j++)
                for (int i = 0; i < 40; i++)
                    *packed_cell(&sim->grid, sim->multigrid.levels[0].x, i, j, k) =
                        (float)(slope[0] * i + slope[1] * j + slope[2] * k);
        floating_begin(sim);
        floating_press(sim);
        double unit = (double)AIR_DENSITY * shape_volume(&placed);
        for (int axis = 0; axis < 3; axis++) {
            assert_below(fabs(impulse_on(sim, 0, axis) / unit + slope[axis]),
                         0.06 * fabs(slope[axis]) + 0.01);
            assert_below(fabs(impulse_on(sim, 0, 3 + axis)), 0.1 * unit * (double)h);
        }
        billow_destroy(sim);
    }
}

/* Momentum of the air along an axis, with every face weighted by the part that is open, kg m/s. */
static double momentum_of_air(const BillowSim *sim, int axis)
{
    double sum = 0, h = (double)sim->def.cell_size;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                sum += (double)*face_fraction(&sim->multigrid.levels[0], axis, i, j, k) *
                       (double)sim->velocity[axis][grid_row(&sim->grid, j, k) + i];
    return sum * (double)AIR_DENSITY * h * h * h;
}

/* What a projection takes from the air it gives to the bodies. */
static void a_projection_keeps_momentum(void **state)
{
    (void)state;
    BillowDef def = quiet_def(32, 24, 28, BILLOW_PERIODIC);
    const float h = def.cell_size;
    def.solids[0] = body_of(BILLOW_SPHERE, 1, 1 * h, 12 * h, 14 * h); /* across a periodic face */
    set_size(&def.solids[0], 5 * h, 0, 0);
    def.solids[1] = body_of(BILLOW_BOX, 1, 17 * h, 12 * h, 12 * h);
    set_size(&def.solids[1], 4 * h, 2 * h, 6 * h);
    turn_body(&def.solids[1], 1);
    def.solid_count = 2;
    BillowSim *sim = make(&def);
    unsigned random = 7;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 28; k++)
            for (int j = 0; j < 24; j++)
                for (int i = 0; i < 32; i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] = scatter(&random);
    boundaries_apply(sim);
    double before[3], unit = 0;
    for (int axis = 0; axis < 3; axis++)
        before[axis] = momentum_of_air(sim, axis);
    sim->substep_dt = 0.01;
    floating_begin(sim);
    project(sim, 0.01);
    for (int axis = 0; axis < 3; axis++)
        unit = fmax(unit, fabs(impulse_on(sim, 0, axis)) + fabs(impulse_on(sim, 1, axis)));
    for (int axis = 0; axis < 3; axis++) {
        double gained = impulse_on(sim, 0, axis) + impulse_on(sim, 1, axis);
        double lost = before[axis] - momentum_of_air(sim, axis);
        assert_below(fabs(gained - lost), 1e-5 * unit);
    }
    billow_destroy(sim);
}

/* The momenta of a body and of the air around it grow together by its weight, as far as advection
 * keeps momentum. */
static void bodies_and_air_keep_momentum(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 40, 24, BILLOW_PERIODIC);
    const float h = def.cell_size;
    const double volume = 4.0 / 3 * PI * 64 * (double)(h * h * h), weight = 2 * volume;
    def.params.tolerance = 1e-5f;
    def.params.cycles = 20;
    def.solids[0] = body_of(BILLOW_SPHERE, 2 + AIR_DENSITY, 12 * h, 20 * h, 12 * h);
    set_size(&def.solids[0], 4 * h, 0, 0);
    def.solids[0].gravity = 1;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    for (int step = 1; step <= long_run(16); step++) {
        billow_step(sim, 0.02);
        const BillowSolid *body = billow_solid(sim, 0);
        double own = (double)(body->density * body->velocity[1]) * volume;
        double pulled = -weight * (step - 0.5) * 0.02; /* the velocity lags by half a step */
        assert_below(fabs(own + momentum_of_air(sim, 1) - pulled), 0.1 * fabs(pulled));
    }
    billow_destroy(sim);
}

/* -- motion ------------------------------------------------------------------------------------ */

/* A body too heavy for the air keeps its angular momentum, around whichever axis it turns. */
static void a_free_body_keeps_its_angular_momentum(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 24, 24, BILLOW_OPEN);
    const float h = def.cell_size;
    def.threads = 1;
    BillowSolid *body = &def.solids[0];
    *body = body_of(BILLOW_BOX, 1e5f, 12 * h, 12 * h, 12 * h);
    set_size(body, 6 * h, 2 * h, 4 * h);
    turn_body(body, 0.5);
    body->gravity = 0;
    const float spin[3] = {2, 1, 6};
    memcpy(body->spin, spin, sizeof spin);
    def.params.cfl = 100;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    double first[3] = {0}, changes = 0;
    for (int step = 0; step < long_run(100); step++) {
        billow_step(sim, 0.01);
        const BillowSolid *now = billow_solid(sim, 0);
        const PlacedShape placed = bodies_place(now);
        double momentum[3] = {0}, most = 0, away = 0;
        for (int row = 0; row < 3; row++) {
            double a = (double)now->size[(row + 1) % 3], b = (double)now->size[(row + 2) % 3];
            double about = 0;
            for (int axis = 0; axis < 3; axis++)
                about += placed.turn[row][axis] * (double)now->spin[axis];
            for (int axis = 0; axis < 3; axis++)
                momentum[axis] += (a * a + b * b) * about * placed.turn[row][axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            first[axis] = step == 0 ? momentum[axis] : first[axis];
            away = fmax(away, fabs(momentum[axis] - first[axis]));
            most = fmax(most, fabs(first[axis]));
            changes = fmax(changes, fabs((double)(now->spin[axis] - spin[axis])));
        }
        assert_below(away, 5e-3 * most);
    }
    assert_true(SANITIZED || changes > 1); /* it wobbles */
    billow_destroy(sim);
}

/* Twice the energy of a turning body, for a density of 1: the angular momentum about each axis of
 * the shape times the spin about it. box: half extents, m. */
static double energy_of(const BillowSolid *body, const float box[3])
{
    const PlacedShape placed = bodies_place(body);
    double energy = 0;
    for (int row = 0; row < 3; row++) {
        double about = 0, a = (double)box[(row + 1) % 3], b = (double)box[(row + 2) % 3];
        for (int axis = 0; axis < 3; axis++)
            about += placed.turn[row][axis] * (double)body->spin[axis];
        energy += (a * a + b * b) * about * about;
    }
    return energy;
}

static void a_free_body_keeps_its_energy(void **state)
{
    (void)state;
    const float box[3] = {0.12f, 0.04f, 0.08f};
    BillowDef def = quiet_def(32, 32, 32, BILLOW_OPEN);
    def.solids[0] = body_of(BILLOW_BOX, 20000, 0.25f, 0.25f, 0.25f);
    set_size(&def.solids[0], box[0], box[1], box[2]);
    def.solids[0].gravity = 0;
    def.solids[0].spin[0] = 1;
    def.solids[0].spin[1] = 5;
    def.solids[0].spin[2] = 10;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    double first = energy_of(billow_solid(sim, 0), box);
    for (int step = 0; step < long_run(100); step++) {
        billow_step(sim, 1.0 / 60);
        assert_below(fabs(energy_of(billow_solid(sim, 0), box) / first - 1), 0.02);
    }
    billow_destroy(sim);
}

/* The virtual mass of a body that has room changes nothing: a ball that rises far from all walls is
 * as fast with steps of any length, and is never taken for one in a pipe. */
static void no_step_is_special(void **state)
{
    (void)state;
    double speeds[3];
    for (int run = 0; run < 3; run++) {
        const int rate = (int[]){40, 80, 160}[run];
        BillowDef def = quiet_def(32, 64, 32, BILLOW_OPEN);
        def.params.advection = BILLOW_REFLECTION;
        def.solids[0] = body_of(BILLOW_SPHERE, 0.3f, 0.25f, 0.2f, 0.25f);
        set_size(&def.solids[0], 0.08f, 0, 0);
        def.solid_count = 1;
        BillowSim *sim = make(&def);
        for (int step = 0; step < long_run(rate * 3 / 10); step++) {
            billow_step(sim, 1.0 / rate);
            assert_below(sim->solids->motions[0].heavier[0], 1);
        }
        speeds[run] = (double)billow_solid(sim, 0)->velocity[1];
        billow_destroy(sim);
    }
    assert_true(SANITIZED || fabs(speeds[1] / speeds[2] - 1) < 0.1);
    assert_true(SANITIZED || fabs(speeds[0] / speeds[2] - 1) < 0.15);
}

/* The floor pushes back, and its push accelerates a tilted body no more than its weight does. */
static void a_body_on_the_floor_rests(void **state)
{
    (void)state;
    BillowDef def = quiet_def(64, 32, 32, BILLOW_CLOSED);
    def.cell_size = 1.0f / 32;
    def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    def.solids[0] = body_of(BILLOW_BOX, 5, 1, 0.21f, 0.5f);
    set_size(&def.solids[0], 0.3f, 0.05f, 0.1f);
    def.solids[0].rotation[0] = def.solids[0].rotation[1] = 0;
    def.solids[0].rotation[2] = 0.3f;
    def.solids[0].rotation[3] = 0.954f;
    def.solids[0].bounce = 0;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    for (int step = 0; step < long_run(90); step++) {
        billow_step(sim, 1.0 / 60);
        assert_below(fabs((double)billow_solid(sim, 0)->velocity[0]), 0.03);
    }
    billow_destroy(sim);
}

/* A body that wind drives over the floor gets the whole acceleration that the air gives it. */
static void the_floor_takes_no_acceleration(void **state)
{
    (void)state;
    double speeds[2];
    for (int run = 0; run < 2; run++) {
        BillowDef def = quiet_def(64, 32, 32, BILLOW_OPEN);
        def.cell_size = 1.0f / 32;
        def.faces[BILLOW_FLOOR] = BILLOW_CLOSED;
        def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
        def.boundaries[BILLOW_LEFT].velocity[0] = 2;
        def.solids[0] = body_of(BILLOW_SPHERE, 20, 1, 0.15f, 0.5f);
        set_size(&def.solids[0], 0.15f, 0, 0);
        def.solids[0].gravity = run == 0 ? 0 : 1;
        def.solids[0].bounce = 0;
        def.solid_count = 1;
        BillowSim *sim = run_of(&def, long_run(24), 1.0 / 60);
        speeds[run] = (double)billow_solid(sim, 0)->velocity[0];
        billow_destroy(sim);
    }
    assert_true(speeds[0] > 0 && fabs(speeds[1] / speeds[0] - 1) < 0.1);
}

/* -- the sides of the box ---------------------------------------------------------------------- */

/* A body across a periodic side goes on; one that is partly outside, or larger than the box, is not
 * thrown; the air counts no body that is beyond an unbounded side. */
static void sides_do_not_throw(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        BillowDef def = quiet_def(32, 32, 32, BILLOW_OPEN);
        if (run == 0)
            def.faces[BILLOW_LEFT] = def.faces[BILLOW_RIGHT] = BILLOW_PERIODIC;
        const float size = run == 2 ? 0.3f : 0.08f, x = run == 2 ? 0.25f : 0;
        def.solids[0] = body_of(run == 2 ? BILLOW_BOX : BILLOW_SPHERE, 5, x, 0.25f, 0.25f);
        set_size(&def.solids[0], size, run == 2 ? size : 0, run == 2 ? size : 0);
        def.solids[0].gravity = 0;
        def.solids[0].velocity[0] = -0.1f;
        def.solid_count = 1;
        if (run == 3) {
            def.unbounded[BILLOW_LEFT] = true;
            def.cells_max = 32 * 32 * 32;
            def.solids[0].center[0] = -0.5f;
            def.solids[0].velocity[0] = -500;
        }
        BillowSim *sim = make(&def);
        float last = def.solids[0].center[0];
        for (int step = 0; step < long_run(20); step++) {
            billow_step(sim, 1.0 / 60);
            float now = billow_solid(sim, 0)->center[0], moved = fabsf(now - last);
            if (run < 3)
                assert_true(moved < 0.01f || (run == 0 && fabsf(moved - 0.5f) < 0.01f));
            last = now;
        }
        assert_true(billow_stats(sim).speed_max < 2 && billow_stats(sim).substeps < 40);
        assert_true(run != 0 || billow_solid(sim, 0)->velocity[0] < -0.05f);
        billow_destroy(sim);
    }
}

/* Smoke on which a solid is put, with no air near, is gone for good. It does not come back
 * elsewhere. */
static void buried_smoke_does_not_come_back(void **state)
{
    (void)state;
    BillowDef def = quiet_def(32, 32, 32, BILLOW_CLOSED);
    BillowError error = {""};
    def.solids[0] = billow_default_solid();
    set_size(&def.solids[0], 0.03f, 0.03f, 0.03f);
    def.solids[0].shape = BILLOW_BOX;
    def.solids[0].center[0] = def.solids[0].center[1] = def.solids[0].center[2] = 0.05f;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    BillowFields fields = billow_fields(sim);
    const BillowView view = billow_view(sim);
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                fields.density[i + j * view.stride_y + k * view.stride_z] = 1;
    billow_step(sim, 1.0 / 60);
    BillowSolid large = *billow_solid(sim, 0);
    set_size(&large, 0.24f, 0.24f, 0.24f);
    large.center[0] = large.center[1] = large.center[2] = 0.25f;
    assert_true(billow_set_solids(sim, &large, 1, &error));
    billow_step(sim, 1.0 / 60);
    double mass = billow_stats(sim).mass;
    assert_true(billow_stats(sim).mass_cut > 0.01);
    for (int step = 0; step < 10; step++)
        billow_step(sim, 1.0 / 60);
    assert_below(fabs(billow_stats(sim).mass / mass - 1), 0.01);
    billow_destroy(sim);
}

/* A light body in a box, with a jet from below that blows for a while. */
static BillowDef light_def(BillowShape shape, float density)
{
    BillowDef def = quiet_def(32, 48, 32, BILLOW_OPEN);
    const float h = def.cell_size;
    def.faces[BILLOW_FLOOR] = def.faces[BILLOW_CEILING] = BILLOW_CLOSED;
    def.params.advection = BILLOW_REFLECTION;
    def.solids[0] = body_of(shape, density, 16 * h, 24 * h, 16.5f * h);
    set_size(&def.solids[0], 5 * h, shape == BILLOW_SPHERE ? 0 : 1.2f * h, 5 * h);
    turn_body(&def.solids[0], 0.3);
    def.solid_count = 1;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = def.emitters[0].center[2] = 16 * h;
    def.emitters[0].center[1] = 4 * h;
    def.emitters[0].size[0] = 4 * h;
    def.emitters[0].velocity[1] = 1.5f;
    def.emitters[0].grip = 100;
    def.emitters[0].heat = 0;
    def.emitters[0].end = 1;
    return def;
}

/* A hundredth of the air's density. A body without added mass would accelerate by 100 g. */
static void light_bodies_are_stable(void **state)
{
    (void)state;
    static const BillowShape shapes[] = {BILLOW_SPHERE, BILLOW_BOX, BILLOW_CYLINDER};
    for (int run = 0; run < 6; run++) {
        BillowDef def = light_def(shapes[run % 3], 0.012f);
        def.threads = 1;
        def.emitter_count = run < 3 ? 0 : 1;
        def.solids[0].gravity = run < 3 ? 1 : -1; /* it rises, or is drawn down into the jet */
        def.solids[0].sticky = run % 2;
        def.params.viscosity = run % 2 ? 1e-4f : 0;
        BillowSim *sim = make(&def);
        float last[3] = {0};
        bool met = false; /* a face, which throws it back */
        for (int step = 0; step < long_run(60); step++) {
            billow_step(sim, 0.02);
            const BillowSolid *body = billow_solid(sim, 0);
            const PlacedShape placed = bodies_place(body);
            double low[3], high[3];
            shape_bounds(&placed, low, high);
            for (int axis = 0; axis < 3; axis++)
                met = met || low[axis] < 0.02 || high[axis] > sim->grid.cells[axis] / 64.0 - 0.02;
            for (int axis = 0; axis < 3; axis++) {
                assert_true(met || fabsf(body->velocity[axis] - last[axis]) < 40 * 0.02f);
                assert_true(fabsf(body->velocity[axis]) < 3);
                assert_true(fabsf(body->spin[axis]) < 60);
                last[axis] = body->velocity[axis];
            }
            assert_true(billow_stats(sim).nonfinite == 0 && billow_stats(sim).speed_max < 6);
        }
        billow_destroy(sim);
    }
}

/* A ball that fills much of a pipe moves most of the air in it. */
static void a_ball_in_a_pipe_is_stable(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 32, 16, BILLOW_CLOSED);
    const float h = def.cell_size;
    def.threads = 1;
    def.solids[0] = body_of(BILLOW_SPHERE, 0.012f, 8 * h, 12 * h, 8 * h);
    set_size(&def.solids[0], 6.5f * h, 0, 0);
    def.solids[0].gravity = 1;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    double last = 0;
    for (int step = 0; step < long_run(24); step++) {
        billow_step(sim, 0.02);
        double speed = (double)billow_solid(sim, 0)->velocity[1];
        assert_true(step < 6 || (speed - last > -0.02 && speed - last < 0.04));
        last = speed;
    }
    assert_true(last > 0);
    billow_destroy(sim);
}

/* -- bits -------------------------------------------------------------------------------------- */

static BillowDef busy_bodies(void)
{
    BillowDef def = light_def(BILLOW_BOX, 0.5f);
    const float h = def.cell_size;
    def.solids[1] = body_of(BILLOW_SPHERE, 3, 24 * h, 38 * h, 16 * h);
    set_size(&def.solids[1], 4 * h, 0, 0);
    def.solids[0].sticky = true;
    def.params.viscosity = 1e-4f;
    def.solid_count = 2;
    return def;
}

static uint64_t bodies_hash(const BillowSim *sim)
{
    uint64_t hash = billow_state_hash(sim);
    for (int s = 0; s < sim->def.solid_count; s++) {
        const BillowSolid *body = &sim->def.solids[s];
        uint32_t words[13];
        memcpy(words, body->center, 12);
        memcpy(words + 3, body->rotation, 16);
        memcpy(words + 7, body->velocity, 12);
        memcpy(words + 10, body->spin, 12);
        for (int w = 0; w < 13; w++)
            hash = (hash ^ words[w]) * 0x100000001b3u;
    }
    return hash;
}

enum { BUSY_STEPS = 6 };

static uint64_t hash_of_bodies(const BillowDef *def)
{
    BillowSim *sim = run_of(def, BUSY_STEPS, 1.0 / 60);
    uint64_t hash = bodies_hash(sim);
    billow_destroy(sim);
    return hash;
}

static void same_bits_whoever_computes(void **state)
{
    (void)state;
    BillowDef def = busy_bodies();
    assert_one_hash_of(&def, hash_of_bodies);
    uint64_t hash = hash_of_bodies(&def);
    def.guarded = true;
    assert_true(hash_of_bodies(&def) == hash);
}

typedef struct RankRun {
    BillowDef def;
    uint64_t hashes[RANKS_MAX];
} RankRun;

static void run_rank(const BillowExchange *exchange, void *context)
{
    RankRun *run = context;
    BillowSim *sim = billow_create_exchanging(&run->def, exchange, NULL);
    if (sim == NULL)
        return;
    for (int s = 0; s < BUSY_STEPS; s++)
        billow_step(sim, 1.0 / 60);
    run->hashes[exchange->rank] = bodies_hash(sim);
    billow_destroy(sim);
}

static void ranks_have_the_same_bits(void **state)
{
    (void)state;
    RankRun run = {.def = busy_bodies()};
    run.def.threads = 1;
    uint64_t hash = hash_of_bodies(&run.def);
    ranks_run(2, run_rank, &run);
    for (int r = 0; r < 2; r++)
        assert_true(run.hashes[r] == hash);
}

/* After loading, and after bodies were thrown between steps. */
static void a_flight_goes_on_from_a_state(void **state)
{
    (void)state;
    BillowDef def = busy_bodies();
    BillowSim *sim = run_of(&def, 4, 1.0 / 60), *other = make(&def);
    BillowSolid solids[2] = {*billow_solid(sim, 0), *billow_solid(sim, 1)};
    solids[1].velocity[0] = -0.3f;
    assert_true(billow_set_solids(sim, solids, 2, NULL));
    size_t bytes = billow_state_bytes(sim);
    unsigned char *memory = malloc(bytes);
    assert_non_null(memory);
    billow_save_state(sim, memory);
    assert_true(billow_load_state(other, memory, bytes, NULL));
    free(memory);
    for (int step = 0; step < 4; step++) {
        billow_step(sim, 1.0 / 60);
        billow_step(other, 1.0 / 60);
    }
    assert_true(bodies_hash(sim) == bodies_hash(other));
    billow_reset(other);
    for (int step = 0; step < BUSY_STEPS; step++)
        billow_step(other, 1.0 / 60);
    assert_true(bodies_hash(other) == hash_of_bodies(&def));
    billow_destroy(sim);
    billow_destroy(other);
}

/* A hand holds a light ball, which then rises again as from rest. */
static void a_held_body_waits(void **state)
{
    (void)state;
    BillowDef def = light_def(BILLOW_SPHERE, 0.12f);
    def.threads = 1;
    def.emitter_count = 0;
    def.solids[0].gravity = 1;
    BillowSim *sim = run_of(&def, 5, 0.02);
    BillowSolid body = *billow_solid(sim, 0);
    const double rising = (double)body.velocity[1];
    memset(body.velocity, 0, sizeof body.velocity);
    body.motion = BILLOW_DRIVEN;
    assert_true(billow_set_solids(sim, &body, 1, NULL));
    for (int step = 0; step < 5; step++) {
        billow_step(sim, 0.02);
        assert_true(billow_solid(sim, 0)->velocity[1] == 0.0f);
    }
    body.motion = BILLOW_FALLING;
    assert_true(billow_set_solids(sim, &body, 1, NULL));
    for (int step = 0; step < 5; step++)
        billow_step(sim, 0.02);
    assert_below(fabs((double)billow_solid(sim, 0)->velocity[1] / rising - 1), 0.3);
    billow_destroy(sim);
}

/* An unbounded box that grows on the way has moved its origin and its planes. */
static void bodies_float_through_growth(void **state)
{
    (void)state;
    BillowDef def = light_def(BILLOW_BOX, 0.2f);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        def.faces[side] = BILLOW_OPEN;
        def.unbounded[side] = true;
    }
    BillowSim *sim = make(&def);
    double last = 0;
    for (int step = 0; step < long_run(40); step++) {
        billow_step(sim, 0.02);
        double speed = (double)billow_solid(sim, 0)->velocity[1];
        assert_below(fabs(speed - last), 20 * 0.02);
        last = speed;
    }
    assert_true(SANITIZED || billow_view(sim).ny > 48);
    assert_true(billow_stats(sim).nonfinite == 0);
    billow_destroy(sim);
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void a_plane_has_no_mass(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    BillowError error = {""};
    def.solids[0] = body_of(BILLOW_PLANE, 1, 0, 0.05f, 0);
    def.solid_count = 1;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "solids[0].density is 1, but a plane has no end and no mass; "
                                    "leave the density at 0");
    def.solids[0].density = 0;
    billow_destroy(make(&def));
    def.solids[0].density = 1;
    def.solids[0].motion = BILLOW_DRIVEN; /* whose density means nothing */
    billow_destroy(make(&def));
}

static void a_changing_shape_has_no_mass(void **state)
{
    (void)state;
    const float distances[8] = {0};
    const BillowVolume form = {
        .nx = 2, .ny = 2, .nz = 2, .spacing = 1, .distance = distances, .next = distances};
    BillowDef def = quiet_def(16, 16, 16, BILLOW_OPEN);
    BillowError error = {""};
    def.solids[0] = body_of(BILLOW_VOLUME, 1, 0, 0.05f, 0);
    def.solids[0].volume = &form;
    def.solid_count = 1;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text,
                        "solids[0].density is 1, but its shape changes; leave the density at 0");
}

/* A body without size falls as if there were no air. */
static void nothing_falls_freely(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 32, 16, BILLOW_OPEN);
    def.solids[0] = body_of(BILLOW_SPHERE, 1, 0.1f, 0.4f, 0.1f);
    set_size(&def.solids[0], 0, 0, 0);
    def.solids[0].gravity = 1;
    def.solid_count = 1;
    BillowSim *sim = run_of(&def, 10, 0.02);
    assert_below(fabs((double)billow_solid(sim, 0)->center[1] - (0.4 - 0.5 * 0.04)), 1e-6);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_even_gradient_lifts_by_the_volume),
        cmocka_unit_test(a_projection_keeps_momentum),
        cmocka_unit_test(bodies_and_air_keep_momentum),
        cmocka_unit_test(a_free_body_keeps_its_angular_momentum),
        cmocka_unit_test(light_bodies_are_stable),
        cmocka_unit_test(a_ball_in_a_pipe_is_stable),
        cmocka_unit_test(same_bits_whoever_computes),
        cmocka_unit_test(ranks_have_the_same_bits),
        cmocka_unit_test(a_flight_goes_on_from_a_state),
        cmocka_unit_test(a_held_body_waits),
        cmocka_unit_test(bodies_float_through_growth),
        cmocka_unit_test(a_free_body_keeps_its_energy),
        cmocka_unit_test(no_step_is_special),
        cmocka_unit_test(a_body_on_the_floor_rests),
        cmocka_unit_test(the_floor_takes_no_acceleration),
        cmocka_unit_test(sides_do_not_throw),
        cmocka_unit_test(buried_smoke_does_not_come_back),
        cmocka_unit_test(a_plane_has_no_mass),
        cmocka_unit_test(a_changing_shape_has_no_mass),
        cmocka_unit_test(nothing_falls_freely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
