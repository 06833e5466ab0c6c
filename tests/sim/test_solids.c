/* SPDX-License-Identifier: MIT
 * Solids in the flow: nothing leaks, nothing blows up, and moving solids displace the fluid. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

#include "sim/fields/constants.h"
#include "sim/solids/bodies.h"

static BillowSolid box_of(float x, float y, float z, float hx, float hy, float hz)
{
    BillowSolid solid = billow_default_solid();
    solid.shape = BILLOW_BOX;
    const float center[3] = {x, y, z}, size[3] = {hx, hy, hz};
    memcpy(solid.center, center, sizeof center);
    memcpy(solid.size, size, sizeof size);
    return solid;
}

enum { N = 32 };

static bool inside_shell(int i, int j, int k)
{
    const int at[3] = {i, j, k};
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 10 || at[axis] >= 22)
            return false;
    return true;
}

/* Six slabs two cells thick around cells 10 to 21, in a box of N open on the left and the right. */
static BillowDef sealed_def(void)
{
    BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
    const float h = def.cell_size, mid = 16 * h, out = 8 * h, thick = h;
    for (int s = 0; s < 6; s++) {
        float center[3] = {mid, mid, mid}, half[3] = {out, out, out};
        for (int axis = 0; axis < s / 2; axis++)
            half[axis] = out - 2 * thick; /* between those that stand already */
        center[s / 2] += s % 2 ? 7 * h : -7 * h;
        half[s / 2] = thick;
        def.solids[s] = box_of(center[0], center[1], center[2], half[0], half[1], half[2]);
    }
    def.solid_count = 6;
    return def;
}

/* A random choice of 0 to count - 1. */
static int pick(unsigned *seed, int count)
{
    return (int)((scatter(seed) + 1) / 2 * count) % count;
}

/* Rooms of six plates and plates across the box, in a box of random faces. */
static BillowDef rooms_def(unsigned *seed)
{
    static const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_OPEN, BILLOW_PERIODIC};
    BillowDef def = quiet_def(44, 40, 48, BILLOW_CLOSED);
    const float h = def.cell_size;
    for (int axis = 0; axis < 3; axis++) {
        const int kind = pick(seed, 5); /* often closed */
        for (int high = 0; high < 2; high++)
            def.faces[2 * axis + high] = kinds[kind < 3 ? kind : 0];
    }
    const int rooms = pick(seed, 3), plates = pick(seed, 3);
    for (int room = 0; room < rooms; room++) {
        float middle[3], half[3];
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] = (float)(8 + pick(seed, 26)) * h;
            half[axis] = (float)(4 + pick(seed, 4)) * h;
        }
        const int missing = pick(seed, 9); /* a side of the room; none from 6 on */
        for (int side = 0; side < 6; side++) {
            float center[3] = {middle[0], middle[1], middle[2]};
            float thin[3] = {half[0], half[1], half[2]};
            for (int axis = 0; axis < side / 2; axis++)
                thin[axis] -= 2 * h; /* between those that stand already */
            center[side / 2] += (side % 2 ? 1 : -1) * (half[side / 2] - h);
            thin[side / 2] = h;
            if (side != missing && def.solid_count < BILLOW_SOLIDS_MAX)
                def.solids[def.solid_count++] =
                    box_of(center[0], center[1], center[2], thin[0], thin[1], thin[2]);
        }
    }
    for (int plate = 0; plate < plates && def.solid_count < BILLOW_SOLIDS_MAX; plate++) {
        const int across = pick(seed, 3);
        float half[3] = {1, 1, 1}, center[3] = {22 * h, 20 * h, 24 * h};
        half[across] = h;
        center[across] = (float)(9 + pick(seed, 20)) * h;
        half[(across + 1) % 3] = pick(seed, 3) > 0 ? 1 : 12 * h; /* with gaps */
        def.solids[def.solid_count++] =
            box_of(center[0], center[1], center[2], half[0], half[1], half[2]);
    }
    return def;
}

/* Cells that a path through open faces joins to one of them. */
typedef struct Flood {
    int *cells; /* i + nx (j + ny k) */
    int count;
    bool out; /* whether the path can leave the box */
    Region region;
} Flood;

static Flood flood_from(const BillowSim *sim, int start, int *cells, bool *seen)
{
    const int *n = sim->grid.cells;
    Flood flood = {.cells = cells};
    cells[flood.count++] = start;
    seen[start] = true;
    for (int c = 0; c < flood.count; c++) {
        const int at[3] = {cells[c] % n[0], cells[c] / n[0] % n[1], cells[c] / n[0] / n[1]};
        flood.region = region_hull(
            flood.region, (Region){{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}});
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2, high = side % 2;
            int face[3] = {at[0], at[1], at[2]}, next[3] = {at[0], at[1], at[2]};
            face[axis] += high;
            next[axis] += high ? 1 : -1;
            const bool outside = next[axis] < 0 || next[axis] == n[axis];
            const bool around = outside && sim->def.faces[side] == BILLOW_PERIODIC;
            flood.out |= outside && sim->def.faces[side] == BILLOW_OPEN;
            next[axis] = (next[axis] + n[axis]) % n[axis];
            face[axis] = around ? 0 : face[axis];
            if (outside && !around)
                continue;
            const int to = next[0] + n[0] * (next[1] + n[1] * next[2]);
            const bool wet =
                sim->solids->fluid[grid_row(&sim->grid, next[1], next[2]) + next[0]] != SOLID;
            if (seen[to] || !wet ||
                !(*face_fraction(&sim->multigrid.levels[0], axis, face[0], face[1], face[2]) > 0))
                continue;
            seen[to] = true;
            cells[flood.count++] = to;
        }
    }
    return flood;
}

/* Every part of the fluid that no path joins to an open face is an enclosed region, but for the
 * largest in a closed box. */
static void enclosed_regions_are_those_of_a_flood(void **state)
{
    (void)state;
    unsigned seed = 11;
    int enclosed = 0, bands = 0;
    for (int run = 0; run < (SANITIZED ? 20 : 100); run++) {
        BillowDef def = rooms_def(&seed);
        BillowSim *sim = billow_create(&def, NULL);
        if (sim == NULL || sim->solids == NULL) { /* without solids */
            billow_destroy(sim);
            continue;
        }
        const Solids *solids = sim->solids;
        const int *n = sim->grid.cells, all = n[0] * n[1] * n[2];
        int *cells = malloc((size_t)all * sizeof *cells), found = 0;
        bool *seen = calloc((size_t)all, sizeof *seen), met[ENCLOSED_MAX] = {false};
        assert_true(cells != NULL && seen != NULL);
        bands += solids->region.low[1] > 0 || solids->region.low[2] > 0;
        for (int start = 0; start < all; start++) {
            const int at[3] = {start % n[0], start / n[0] % n[1], start / n[0] / n[1]};
            const unsigned char *fluid = solids->fluid;
            if (seen[start] || fluid[grid_row(&sim->grid, at[1], at[2]) + at[0]] == SOLID)
                continue;
            const Flood flood = flood_from(sim, start, cells, seen);
            const unsigned char value = fluid[grid_row(&sim->grid, at[1], at[2]) + at[0]];
            for (int c = 0; c < flood.count; c++)
                assert_int_equal(
                    fluid[grid_row(&sim->grid, cells[c] / n[0] % n[1], cells[c] / n[0] / n[1]) +
                          cells[c] % n[0]],
                    value);
            if (flood.out) {
                assert_int_equal(value, FLUID);
                continue;
            }
            found++;
            const int part = value == FLUID ? solids->main_part : value - ENCLOSED;
            assert_true(part >= 0 && part < solids->enclosed_count);
            assert_false(met[part]);
            met[part] = true;
            assert_true(solids->enclosed[part].cells == flood.count);
            assert_memory_equal(&solids->enclosed[part].region, &flood.region, sizeof(Region));
        }
        assert_int_equal(found, solids->enclosed_count);
        for (int part = 0; part < found && solids->main_part >= 0; part++)
            assert_true(solids->enclosed[part].cells <= solids->enclosed[solids->main_part].cells);
        enclosed += found;
        free(cells);
        free(seen);
        billow_destroy(sim);
    }
    assert_true(enclosed >= (SANITIZED ? 8 : 40) && bands > 3); /* there was something to find */
}

static double smoke_where(const BillowSim *sim, bool inside)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                if (inside_shell(i, j, k) == inside)
                    sum += (double)sim->density[grid_row(&sim->grid, j, k) + i];
    return sum;
}

static BillowEmitter wind_from_the_left(const BillowDef *def, float speed)
{
    BillowEmitter wind = billow_default_emitter();
    const float h = def->cell_size, center[3] = {2 * h, 16 * h, 16 * h}, size[3] = {2 * h, 1, 1};
    wind.shape = BILLOW_BOX;
    memcpy(wind.center, center, sizeof center);
    memcpy(wind.size, size, sizeof size);
    wind.smoke = wind.heat = 0;
    wind.velocity[0] = speed;
    wind.grip = 1000;
    return wind;
}

static void fill_smoke(BillowSim *sim, bool (*where)(int i, int j, int k))
{
    const Grid *grid = &sim->grid;
    sim->touched = true;
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++)
                sim->density[grid_row(grid, j, k) + i] = where(i, j, k) ? 1 : 0;
}

static void sealed_smoke_stays(void **state)
{
    (void)state;
    static const int steps[] = {40, 40, 40, 24}; /* by advection; the last diffuses */
    for (int run = 0; run < 4; run++) {
        BillowDef def = sealed_def();
        def.threads = 1; /* many small steps */
        def.params.advection = (BillowAdvection)(run % 3);
        def.params.smoke_diffusion = def.params.heat_diffusion = run == 3 ? 1e-3f : 0;
        def.emitters[0] = wind_from_the_left(&def, 3);
        def.emitter_count = 1;
        BillowSim *sim = make(&def);
        fill_smoke(sim, inside_shell);
        for (int step = 0; step < long_run(steps[run]); step++)
            billow_step(sim, 1.0 / 30);
        assert_true(billow_stats(sim).speed_max > 1); /* the wind blows */
        assert_true(billow_stats(sim).residual_relative < 1e-3);
        assert_true(smoke_where(sim, false) == 0.0);
        assert_below(fabs(smoke_where(sim, true) - 12 * 12 * 12), run == 3 ? 0.05 : 1e-3);
        billow_destroy(sim);
    }
}

static float *pressure_at(const BillowSim *sim, int i, int j, int k)
{
    Packed x = grid_packed(&sim->grid, sim->pressure);
    return x.color[(i + j + k) & 1] + packed_row(&sim->grid, j, k) + (i >> 1);
}

/* The air within knows its pressure but for a constant; that outside, open to all sides, knows it
 * whole. */
static void sealed_pressure_has_no_constant(void **state)
{
    (void)state;
    BillowDef def = sealed_def();
    def.emitters[0] = wind_from_the_left(&def, 3);
    def.emitter_count = 1;
    def.params.tolerance = 1e-5f;
    def.params.cycles = 20;
    BillowSim *sims[2] = {make(&def), make(&def)};
    for (int step = 0; step < 2 + NULL_SPACE_STEPS; step++)
        for (int s = 0; s < 2; s++) {
            for (int cell = 0; cell < N * N * N && s == 1 && step == 1; cell++)
                if (inside_shell(cell % N, cell / N % N, cell / N / N))
                    *pressure_at(sims[1], cell % N, cell / N % N, cell / N / N) += 100;
            billow_step(sims[s], 1.0 / 240);
        }
    double sum = 0, most = 0, apart = 0;
    for (int cell = 0; cell < N * N * N; cell++) {
        const int i = cell % N, j = cell / N % N, k = cell / N / N;
        double value = (double)*pressure_at(sims[1], i, j, k);
        sum += inside_shell(i, j, k) ? value : 0;
        if (inside_shell(i, j, k) ||
            sims[1]->solids->fluid[grid_row(&sims[1]->grid, j, k) + i] == SOLID)
            continue;
        most = fmax(most, fabs(value));
        apart = fmax(apart, fabs(value - (double)*pressure_at(sims[0], i, j, k)));
    }
    assert_true(most > 0.01 && most < 10);
    assert_below(fabs(sum) / (12 * 12 * 12),
                 most);               /* the error added by the cycles of a few steps */
    assert_below(apart, 0.25 * most); /* of 100 in between */
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

/* -- a wall across the box ----------------------------------------------------------------------
 */

static bool left_of_the_wall(int i, int j, int k)
{
    (void)j, (void)k;
    return i < 16;
}

/* Two cells thick, at a place between faces and on them, with wind against it and along it that
 * carries 8 cells a step. */
static void nothing_passes_a_thin_wall(void **state)
{
    (void)state;
    static const float places[] = {17, 17.5f, 17.25f};
    for (int p = 0; p < 9; p++) {
        BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
        def.threads = 1; /* many small steps */
        const float h = def.cell_size;
        def.params.cfl = 8;
        def.params.substeps_max = 1;
        def.params.advection = (BillowAdvection)(p / 3);
        def.solids[0] = box_of(places[p % 3] * h, 16 * h, 16 * h, h, 1, 1);
        def.solid_count = 1;
        def.emitters[0] = wind_from_the_left(&def, 1);
        def.emitters[0].velocity[1] = 1;
        def.emitter_count = 1;
        BillowSim *sim = make(&def);
        fill_smoke(sim, left_of_the_wall);
        for (int step = 0; step < long_run(16); step++) /* four times across the box */
            billow_step(sim, 8 * (double)h);
        assert_true(billow_stats(sim).cfl > 7);
        double through = 0;
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 18; i < N; i++)
                    through += (double)sim->density[grid_row(&sim->grid, j, k) + i];
        assert_true(through == 0.0);
        billow_destroy(sim);
    }
}

/* -- what moves ---------------------------------------------------------------------------------
 */

static bool everywhere(int i, int j, int k)
{
    (void)i, (void)j, (void)k;
    return true;
}

static bool all_finite(const BillowSim *sim)
{
    return billow_stats(sim).nonfinite == 0 && isfinite(billow_stats(sim).speed_max);
}

/* Shut faces on the surface have the solid's own velocity, to the bit. */
static void check_shut_faces(const BillowSim *sim)
{
    const Level *level = &sim->multigrid.levels[0];
    const ptrdiff_t steps[3] = {1, sim->grid.stride_y, sim->grid.stride_z};
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                for (int axis = 0; axis < 3; axis++) {
                    const int at[3] = {i, j, k};
                    ptrdiff_t cell = grid_row(&sim->grid, j, k) + i;
                    const unsigned char *fluid = sim->solids->fluid + cell;
                    if (at[axis] == 0 || *face_fraction(level, axis, i, j, k) > 0.0f ||
                        (!fluid[0] && !fluid[-steps[axis]]))
                        continue;
                    assert_true(sim->velocity[axis][cell] == solids_velocity(sim, axis, i, j, k));
                }
}

static void a_ball_dragged_fast_does_no_harm(void **state)
{
    (void)state;
    for (int sticky = 0; sticky < 2; sticky++) {
        BillowDef def = quiet_def(N, N, N, sticky ? BILLOW_CLOSED : BILLOW_OPEN);
        def.threads = 1;
        const float h = def.cell_size;
        def.solids[0] = billow_default_solid();
        def.solids[0].size[0] = 4.3f * h;
        def.solids[0].sticky = sticky;
        def.solid_count = 1;
        BillowSim *sim = make(&def);
        fill_smoke(sim, everywhere);
        unsigned random = 1;
        billow_step(sim, 1e-4);
        double mass = billow_stats(sim).mass;
        for (int step = 0; step < long_run(24); step++) {
            BillowSolid solid = *billow_solid(sim, 0);
            BillowError error;
            for (int axis = 0; axis < 3; axis++) { /* 20 cells a step, turning back at the walls */
                double there = (scatter(&random) + 1) / 2 * N * (double)h;
                double way = there - (double)solid.center[axis];
                double most = 20 * (double)h / sqrt(3);
                solid.velocity[axis] = (float)(fmax(-most, fmin(most, way)) * 30);
                solid.spin[axis] = 5;
            }
            assert_true(billow_set_solids(sim, &solid, 1, &error));
            billow_step(sim, 1.0 / 30);
            assert_true(all_finite(sim));
            check_shut_faces(sim);
        }
        /* In a closed box the mass of smoke is constant: a moving solid pushes smoke ahead, and
         * the space behind it fills from around. */
        if (sticky)
            assert_below(fabs(billow_stats(sim).mass / mass - 1), 0.15);
        billow_destroy(sim);
    }
}

/* A piston as wide as the box drives out at the ceiling what it takes of the room. */
static void a_piston_displaces_its_volume(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    const float h = def.cell_size;
    def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    def.solids[0] = box_of(16 * h, 0, 16 * h, 1, 5.5f * h, 1);
    def.solids[0].velocity[1] = 0.1f;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    for (int step = 0; step < 20; step++) {
        billow_step(sim, 1.0 / 60);
        double out = 0;
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                out += (double)sim->velocity[1][grid_row(&sim->grid, N, k) + i];
        assert_below(fabs(out / (N * N) - 0.1), 2e-4);
    }
    billow_destroy(sim);
}

/* A moving solid destroys no smoke. */
static void smoke_is_pushed_out(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    const float h = def.cell_size;
    def.solids[0] = billow_default_solid();
    def.solids[0].size[0] = 5 * h;
    def.solids[0].center[0] = 8 * h;
    def.solids[0].center[1] = def.solids[0].center[2] = 16 * h;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    fill_smoke(sim, everywhere);
    solids_place(sim);
    BillowSolid solid = def.solids[0];
    BillowError error;
    double before = 0, after = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
                    if (pass == 0 && !sim->solids->fluid[at])
                        sim->density[at] = 0;
                    *(pass ? &after : &before) += (double)sim->density[at];
                    assert_true(sim->solids->fluid[at] || sim->density[at] == 0.0f);
                }
        solid.center[0] += 3 * h;
        if (pass == 0)
            assert_true(billow_set_solids(sim, &solid, 1, &error));
    }
    assert_below(fabs(after - before), 1e-3);
    billow_destroy(sim);
}

static BillowDef turning_def(BillowAdvection advection)
{
    BillowDef def = quiet_def(36, 24, 28, BILLOW_OPEN);
    const float h = def.cell_size;
    def.faces[BILLOW_FLOOR] = BILLOW_CLOSED;
    def.params.vorticity = 3;
    def.params.buoyancy = 0.05f;
    def.params.viscosity = 1e-4f;
    def.params.smoke_diffusion = def.params.heat_diffusion = 1e-3f;
    def.params.advection = advection;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = 0.3f;
    def.solids[0] = billow_default_solid();
    def.solids[0].shape = BILLOW_TORUS;
    def.solids[0].center[0] = 0.3f;
    def.solids[0].center[1] = 0.25f;
    def.solids[0].size[0] = 7 * h;
    def.solids[0].size[1] = 2.5f * h;
    def.solids[0].spin[0] = 2;
    def.solids[0].isothermal = true;
    def.solids[0].temperature = 50;
    def.solids[1] = billow_default_solid();
    def.solids[1].size[0] = 3 * h;
    def.solids[1].center[1] = 0.4f;
    def.solids[1].motion = BILLOW_FALLING;
    def.solids[1].sticky = true;
    def.solid_count = 2;
    return def;
}

static uint64_t turning_hash(const BillowDef *def)
{
    return hash_of_run(def, 2, 1.0 / 30);
}

static void same_hash_whoever_computes(void **state)
{
    (void)state;
    for (int advection = 0; advection <= BILLOW_CONSERVATIVE_SMOOTH; advection++) {
        BillowDef def = turning_def((BillowAdvection)advection);
        assert_one_hash_of(&def, turning_hash);
    }
}

static void reset_puts_them_back(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = def.solids[0].center[1] = def.solids[0].center[2] = 0.25f;
    def.solids[0].size[0] = 0.05f;
    def.solids[0].velocity[0] = 0.3f;
    def.solids[0].spin[1] = 2;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    uint64_t hash[2];
    for (int run = 0; run < 2; run++) {
        for (int step = 0; step < 6; step++)
            billow_step(sim, 1.0 / 30);
        hash[run] = billow_state_hash(sim);
        billow_reset(sim);
        assert_memory_equal(billow_solid(sim, 0), &def.solids[0], sizeof def.solids[0]);
    }
    assert_true(hash[0] == hash[1]);
    billow_destroy(sim);
}

/* Vorticity confinement must not take what slides along a surface for an eddy: it would drive it
 * faster and faster. */
static void confinement_does_not_feed_on_surfaces(void **state)
{
    (void)state;
    BillowDef def = quiet_def(24, 24, 24, BILLOW_OPEN);
    def.cell_size = 0.1f;
    def.faces[BILLOW_FLOOR] = BILLOW_CLOSED;
    def.params.vorticity = 8;
    def.solids[0] = billow_default_solid();
    def.solids[0].size[0] = 0.36f;
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 1.13f;
    def.solid_count = 1;
    def.forces[0] = billow_default_force();
    def.forces[0].kind = BILLOW_TURBULENCE;
    def.forces[0].strength = 0.2f;
    def.forces[0].scale = 0.5f;
    def.force_count = 1;
    def.threads = 1;
    BillowSim *sim = make(&def);
    for (int step = 0; step < long_run(240); step++)
        billow_step(sim, 1.0 / 30);
    assert_true(billow_stats(sim).speed_max > 0.1);
    assert_below(billow_stats(sim).speed_max, 4);
    billow_destroy(sim);
}

static double swirl(double x, double y, double z)
{
    return 3 * sin(0.9 * x + 0.7 * y) * cos(0.8 * z + 0.5 * x); /* m/s: the full strength acts */
}

/* Confinement alone changes no velocity at faces between two cells that are close to a solid. */
static void confinement_ends_at_surfaces(void **state)
{
    (void)state;
    const float close = 2; /* cells; CALM_CELLS is larger */
    BillowDef def = quiet_def(24, 24, 24, BILLOW_CLOSED);
    def.params.vorticity = 8;
    def.solids[0] = billow_default_solid();
    def.solids[0].size[0] = 5 * def.cell_size;
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 12.3f * def.cell_size;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    fill_faces(sim, 1, swirl);
    forces_apply(sim, 0.02, 1);
    int near = 0, far = 0;
    for (int k = 2; k < 22; k++)
        for (int j = 2; j < 22; j++)
            for (int i = 2; i < 22; i++) {
                ptrdiff_t here = grid_row(&sim->grid, j, k) + i, below = here - sim->grid.stride_y;
                bool changed = sim->velocity[1][here] != (float)swirl(i + 0.5, j, k + 0.5);
                if (solids_rough_distance(sim, here) < close &&
                    solids_rough_distance(sim, below) < close) {
                    near++;
                    assert_false(changed);
                } else
                    far += changed;
            }
    assert_true(near > 200 && far > 2000);
    billow_destroy(sim);
}

/* -- falling and rolling ------------------------------------------------------------------------
 */

static BillowDef falling_def(float bounce)
{
    BillowDef def = quiet_def(16, 32, 16, BILLOW_CLOSED);
    BillowSolid *ball = &def.solids[0];
    *ball = billow_default_solid();
    ball->size[0] = 3.0f / 64;
    ball->center[0] = ball->center[2] = 8.0f / 64;
    ball->center[1] = 27.0f / 64;
    ball->motion = BILLOW_FALLING;
    ball->gravity = 1;
    ball->bounce = bounce;
    def.params.cfl = 20;
    def.threads = 1;
    def.solid_count = 1;
    return def;
}

/* At the ends of steps, whatever their lengths. */
static void a_fall_is_a_parabola(void **state)
{
    (void)state;
    BillowDef def = falling_def(0.5f);
    def.solids[0].velocity[1] = 0.1f;
    BillowSim *sim = make(&def);
    double time = 0;
    for (int step = 0; step < 12; step++) {
        double dt = step % 3 == 0 ? 0.07 : 0.05;
        billow_step(sim, dt);
        time += dt;
        double wanted = 27.0 / 64 + 0.1 * time - 0.5 * time * time;
        assert_below(fabs((double)billow_solid(sim, 0)->center[1] - wanted), 1e-6);
        assert_below(fabs((double)billow_solid(sim, 0)->velocity[1] - (0.1 - time + 0.5 * dt)),
                     1e-5);
    }
    billow_destroy(sim);
}

/* The heights of its turning points above the floor, one after the other. */
static int peaks_of(float bounce, double step, int steps, double peaks[64])
{
    BillowDef def = falling_def(bounce);
    BillowSim *sim = make(&def);
    double before = 0, last = 0;
    int count = 0;
    for (int s = 0; s < steps && count < 64; s++) {
        billow_step(sim, step);
        const BillowSolid *ball = billow_solid(sim, 0);
        double height = (double)(ball->center[1] - ball->size[0]);
        assert_true(height > -1e-6 && height < 24.0 / 64 + 1e-6);
        if (s > 1 && last > before && last >= height && last > 1e-4)
            peaks[count++] = last;
        before = last;
        last = height;
        assert_true(all_finite(sim));
    }
    if (bounce < 1) { /* at rest */
        assert_below(fabs(last), 1e-6);
        assert_true(billow_solid(sim, 0)->velocity[1] == 0.0f);
        assert_below(billow_stats(sim).speed_max, 0.2);
    }
    billow_destroy(sim);
    return count;
}

/* A share b of the speed throws back to b^2 of the height, never above; in the end it rests. */
static void it_bounces_and_comes_to_rest(void **state)
{
    (void)state;
    static const double steps[2] = {0.02, 0.007};
    for (int s = 0; s < (SANITIZED ? 1 : 2); s++) {
        double peaks[64], height = 24.0 / 64;
        int count = peaks_of(0.6f, steps[s], (int)(6 / steps[s]), peaks);
        assert_true(count >= 3);
        for (int p = 0; p < 3; p++) {
            double wanted = height * pow(0.36, p + 1);
            assert_true(peaks[p] < wanted + 1e-6);
            assert_below(fabs(peaks[p] - wanted), 0.125 * steps[s] * steps[s] + 1e-5);
        }
    }
    double peaks[64];
    int count = peaks_of(1, 0.02, 400, peaks); /* elastic: keeps its height, and gains none */
    assert_true(count >= 4);
    for (int p = 0; p < count; p++) {
        assert_true(peaks[p] < 24.0 / 64 + 1e-6);
        assert_true(peaks[p] > 24.0 / 64 - 1e-3);
    }
}

static void it_bounces_off_the_walls(void **state)
{
    (void)state;
    BillowDef def = falling_def(0.5f);
    def.solids[0].gravity = 0;
    def.solids[0].velocity[0] = -1;
    def.solids[0].velocity[2] = 0.5f;
    BillowSim *sim = make(&def);
    for (int step = 0; step < 40; step++) {
        billow_step(sim, 0.01);
        for (int axis = 0; axis < 3; axis += 2) {
            double place = (double)billow_solid(sim, 0)->center[axis] * 64;
            assert_true(place > 3 - 1e-4 && place < 13 + 1e-4);
        }
    }
    const BillowSolid *ball = billow_solid(sim, 0);
    /* 5/64 to the wall at 1, ten at 1/2, ten at 1/4. */
    assert_below(fabs((double)ball->velocity[0] - 0.25 * (ball->velocity[0] > 0 ? 1 : -1)), 1e-6);
    assert_below(fabs((double)ball->velocity[2] + 0.25), 1e-6);
    assert_below(fabs((double)ball->center[2] * 64 - (13 - (0.4 * 64 - 10) * 0.25)), 1);
    billow_destroy(sim);
}

/* A sticky ball at rest about itself meets each face with each speed along it: 5/7 of the speed is
 * left, and the point of contact is at rest. */
static void a_ball_rolls_along_every_face(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_CLOSED);
    const float h = def.cell_size, radius = 3 * h;
    for (int side = 0; side < BILLOW_SIDES; side++)
        for (int along = 1; along <= 2; along++) {
            const int axis = side / 2, b = (axis + along) % 3;
            const float normal = side % 2 == 0 ? 1 : -1;
            BillowSolid ball = billow_default_solid();
            ball.size[0] = radius;
            ball.sticky = true;
            ball.bounce = ball.gravity = 0;
            ball.motion = BILLOW_FALLING;
            for (int a = 0; a < 3; a++)
                ball.center[a] = 8 * h;
            ball.center[axis] = side % 2 == 0 ? radius : 16 * h - radius;
            ball.velocity[axis] = -0.1f * normal;
            ball.velocity[b] = 0.7f;
            double behind = 0;
            solid_motion_advance(&def, &ball, NULL, &behind, 0.01);
            float arm[3] = {0, 0, 0};
            arm[axis] = -normal * radius;
            for (int a = 0; a < 3; a++) {
                int next = (a + 1) % 3, last = (a + 2) % 3;
                float contact =
                    ball.velocity[a] + ball.spin[next] * arm[last] - ball.spin[last] * arm[next];
                assert_below(fabs((double)contact), 1e-6);
                assert_below(fabs((double)ball.velocity[a] - (a == b ? 0.5 : 0)), 1e-6);
            }
        }
}

/* A sticky ball that lands with a speed along the floor rolls on with 5/7 of it: the point of
 * contact is at rest. Its rotation is its path over its radius. */
static void a_sticky_ball_rolls(void **state)
{
    (void)state;
    BillowDef def = quiet_def(64, 12, 12, BILLOW_CLOSED);
    BillowSolid *ball = &def.solids[0];
    *ball = billow_default_solid();
    ball->size[0] = 3.0f / 64;
    ball->center[0] = 6.0f / 64;
    ball->center[1] = 3.0f / 64;
    ball->center[2] = 6.0f / 64;
    ball->velocity[0] = 0.7f;
    ball->bounce = 0;
    ball->motion = BILLOW_FALLING;
    ball->sticky = true;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    billow_step(sim, 0.01);
    const BillowSolid *now = billow_solid(sim, 0);
    double start = (double)now->center[0], w = (double)now->rotation[3];
    double first = 2 * acos(fmin(fabs(w), 1));
    for (int step = 0; step < 60; step++) {
        billow_step(sim, 0.01);
        assert_below(fabs((double)now->velocity[0] - 0.5), 1e-5);
        assert_below(fabs((double)(now->velocity[0] + now->spin[2] * now->size[0])), 1e-6);
        assert_below(fabs((double)now->center[1] * 64 - 3), 1e-4);
        assert_true(now->velocity[1] == 0.0f && now->spin[0] == 0.0f && now->spin[1] == 0.0f);
    }
    double turned = ((double)now->center[0] - start) / (double)now->size[0] + first;
    assert_true(turned > 6);
    assert_below(fabs(fabs((double)now->rotation[3]) - fabs(cos(turned / 2))), 1e-4);
    assert_below(fabs(fabs((double)now->rotation[2]) - fabs(sin(turned / 2))), 1e-4);
    assert_true(all_finite(sim));
    billow_destroy(sim);
}

/* However few substeps a turn takes. */
static void a_turn_is_exact(void **state)
{
    (void)state;
    BillowDef def = falling_def(0.5f);
    BillowSolid *ball = &def.solids[0];
    const float spin[3] = {3, -20, 11};
    ball->motion = BILLOW_DRIVEN;
    memcpy(ball->spin, spin, sizeof spin);
    BillowSim *sim = make(&def);
    double rate = sqrt(9 + 400 + 121);
    for (int step = 1; step <= 8; step++) {
        billow_step(sim, 0.3);
        double half = 0.5 * rate * 0.3 * step, sign = 0;
        const float *q = billow_solid(sim, 0)->rotation;
        sign = (double)q[3] * cos(half) > 0 ? 1 : -1;
        assert_below(fabs((double)q[3] * sign - cos(half)), 2e-6);
        for (int axis = 0; axis < 3; axis++)
            assert_below(fabs((double)q[axis] * sign - sin(half) * (double)spin[axis] / rate),
                         2e-6);
    }
    billow_destroy(sim);
}

/* -- what must not be ---------------------------------------------------------------------------
 */

static void assert_refused(const BillowDef *def, const char *message)
{
    BillowError error = {""};
    BillowSim *sim = billow_create(def, &error);
    assert_null(sim);
    if (strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("'%s' does not begin with '%s'", error.text, message);
}

/* Two balls whose centres are so many cells apart, each 5 in radius. */
static BillowDef two_balls(double apart)
{
    BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
    const float h = def.cell_size;
    for (int s = 0; s < 2; s++) {
        def.solids[s] = billow_default_solid();
        def.solids[s].size[0] = 5 * h;
        def.solids[s].center[0] = (s == 0 ? 10 : 10 + (float)apart) * h;
        def.solids[s].center[1] = def.solids[s].center[2] = 16 * h;
    }
    def.solid_count = 2;
    return def;
}

static void assert_same_rows(const BillowView *view, const float *one, const float *other)
{
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            ptrdiff_t at = j * view->stride_y + k * view->stride_z;
            assert_memory_equal(one + at, other + at, (size_t)view->nx * sizeof *one);
        }
}

/* A wind that carries smoke past the given boxes. */
static BillowDef wind_def(const BillowSolid *boxes, int count)
{
    BillowDef def = billow_default_def();
    def.nx = 48, def.ny = 24, def.nz = 16;
    def.threads = 2;
    def.cell_size = 0.0625f;
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.boundaries[BILLOW_LEFT].velocity[0] = 1;
    def.boundaries[BILLOW_LEFT].smoke = 1;
    def.params.vorticity = 0.3f;
    def.solid_count = count;
    memcpy(def.solids, boxes, (size_t)count * sizeof *boxes);
    return def;
}

/* Solids that overlap are one body: a flow past two boxes is the flow past the box that they make,
 * to the bit, also where their surfaces stick and are hot. */
static void overlapping_solids_are_one_body(void **state)
{
    (void)state;
    const float y = 0.765625f, z = 0.5f, half = 0.203125f;
    for (int sticky = 0; sticky < 2; sticky++) {
        BillowSolid whole = box_of(1, y, z, 0.34375f, half, half);
        BillowSolid parts[2] = {box_of(0.875f, y, z, 0.21875f, half, half),
                                box_of(1.125f, y, z, 0.21875f, half, half)};
        whole.sticky = parts[0].sticky = parts[1].sticky = sticky;
        whole.isothermal = parts[0].isothermal = parts[1].isothermal = sticky;
        whole.temperature = parts[0].temperature = parts[1].temperature = 80;
        BillowDef one = wind_def(&whole, 1), two = wind_def(parts, 2);
        one.params.heat_diffusion = two.params.heat_diffusion = 1e-3f;
        BillowSim *a = make(&one), *b = make(&two);
        for (int step = 0; step < long_run(40); step++) {
            billow_step(a, 1.0 / 30);
            billow_step(b, 1.0 / 30);
        }
        const BillowView v = billow_view(a), w = billow_view(b);
        assert_same_rows(&v, v.density, w.density);
        assert_same_rows(&v, v.temperature, w.temperature);
        for (int axis = 0; axis < 3; axis++)
            assert_same_rows(&v,
                             axis == 0   ? v.u
                             : axis == 1 ? v.v
                                         : v.w,
                             axis == 0   ? w.u
                             : axis == 1 ? w.v
                                         : w.w);
        assert_true(billow_stats(b).speed_max > 1.05);
        billow_destroy(a);
        billow_destroy(b);
    }
}

/* A wall across the box of two parts that overlap by so many cells lets nothing through. */
static void seams_do_not_leak(void **state)
{
    (void)state;
    static const float overlaps[] = {0, 0.1f, 0.6f, 3};
    for (size_t o = 0; o < sizeof overlaps / sizeof overlaps[0]; o++) {
        const float h = 0.0625f, seam = 11.7f * h, more = 0.5f * overlaps[o] * h;
        const BillowSolid parts[2] = {box_of(1.5f, seam - 1 + more, 0.5f, 1.5f * h, 1, 1),
                                      box_of(1.5f, seam + 1 - more, 0.5f, 1.5f * h, 1, 1)};
        BillowDef def = wind_def(parts, 2);
        def.faces[BILLOW_LEFT] = BILLOW_OPEN;
        def.boundaries[BILLOW_LEFT] = (BillowBoundary){.profile = BILLOW_UNIFORM};
        def.emitters[0] = billow_default_emitter();
        def.emitters[0].smoke = 10;
        memcpy(def.emitters[0].center, (const float[3]){1, 0.75f, 0.5f}, sizeof(float[3]));
        def.emitters[0].size[0] = 0.3f;
        def.emitter_count = 1;
        def.forces[0] = billow_default_force();
        def.forces[0].kind = BILLOW_WIND;
        memcpy(def.forces[0].velocity, (const float[3]){2, 0, 0}, sizeof(float[3]));
        def.forces[0].strength = 10;
        def.force_count = 1;
        BillowSim *sim = make(&def);
        for (int step = 0; step < long_run(30); step++)
            billow_step(sim, 1.0 / 30);
        const BillowView view = billow_view(sim);
        double before = 0, behind = 0;
        for (int k = 0; k < def.nz; k++)
            for (int j = 0; j < def.ny; j++)
                for (int i = 0; i < def.nx; i++)
                    *(i < 24 ? &before : &behind) +=
                        (double)view.density[i + j * view.stride_y + k * view.stride_z];
        assert_true(before > 10);
        if (behind != 0)
            fail_msg("an overlap of %g cells leaks %g of %g", (double)overlaps[o], behind, before);
        billow_destroy(sim);
    }
}

/* Solids may be put into each other, and go on when they meet as they move. */
static void solids_may_meet(void **state)
{
    (void)state;
    BillowDef def = two_balls(11);
    const float h = def.cell_size;
    BillowSim *sim = make(&def);
    BillowSolid solids[2] = {def.solids[0], def.solids[1]};
    BillowError error = {""};
    solids[1].center[0] -= 2 * h;
    assert_true(billow_set_solids(sim, solids, 2, &error));
    billow_step(sim, 1.0 / 30);
    assert_true(all_finite(sim));
    solids[1].velocity[0] = -2 * h * 30;
    assert_true(billow_set_solids(sim, solids, 2, &error));
    billow_step(sim, 1.0 / 30);
    billow_step(sim, 1.0 / 30);
    for (int s = 0; s < 2; s++)
        solids[s] = *billow_solid(sim, s);
    assert_below(fabs((double)((solids[1].center[0] - solids[0].center[0]) / h) - 5), 1e-3);
    assert_true(all_finite(sim));
    billow_destroy(sim);
    def = two_balls(0); /* the same ball twice is one */
    BillowSim *same = make(&def);
    billow_step(same, 1.0 / 30);
    assert_true(all_finite(same));
    billow_destroy(same);
}

static void buried_emitters_are_refused(void **state)
{
    (void)state;
    BillowDef def = two_balls(14);
    const float h = def.cell_size;
    BillowEmitter *emitter = &def.emitters[1];
    def.emitter_count = 2;
    def.emitters[0] = def.emitters[1] = billow_default_emitter();
    memcpy(emitter->center, def.solids[1].center, sizeof emitter->center);
    emitter->size[0] = 3 * h;
    assert_refused(&def, "emitters[1] lies wholly inside solids[1], where it can release nothing");
    emitter->shape = BILLOW_TORUS;
    emitter->size[1] = h;
    assert_refused(&def, "emitters[1] lies wholly inside solids[1], where it can release nothing");
    emitter->size[0] = 4.5f * h; /* just below the surface, and above it */
    BillowSim *sim = make(&def);
    BillowError error = {""};
    emitter->size[0] = 2 * h;
    assert_false(billow_set_emitters(sim, def.emitters, 2, &error));
    assert_non_null(strstr(error.text, "emitters[1] lies wholly inside solids[1]"));
    emitter->size[0] = 4.5f * h;
    emitter->smoke = 1;
    assert_true(billow_set_emitters(sim, def.emitters, 2, &error));
    billow_destroy(sim);
    emitter->size[0] = 3 * h;
    def.solids[1].velocity[1] = 1; /* it will come out of it */
    billow_destroy(make(&def));
}

/* Through slits between cells and a solid's surface a projection may let the flow run ever faster,
 * and what is carried from there feeds on it. */
static void wind_past_a_ball_keeps_its_speed(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        BillowDef def = billow_default_def();
        def.nx = 64, def.ny = 28, def.nz = 20;
        def.threads = 1;
        def.cell_size = 0.05f;
        def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
        def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
        def.boundaries[BILLOW_LEFT].velocity[0] = 1;
        def.params.cfl = 2;
        def.params.vorticity = 0.3f;
        def.params.advection = round == 0 ? BILLOW_SEMI_LAGRANGIAN : BILLOW_REFLECTION;
        def.solid_count = 1;
        def.solids[0] = billow_default_solid();
        def.solids[0].size[0] = 0.2f;
        def.solids[0].sticky = round == 1;
        memcpy(def.solids[0].center, (const float[3]){1.05f, 0.7f, 0.5f}, sizeof(float[3]));
        BillowSim *sim = make(&def);
        for (int step = 0; step < long_run(150); step++)
            billow_step(sim, 1.0 / 30);
        assert_true(billow_stats(sim).speed_max < 2.5);
        billow_destroy(sim);
    }
}

/* Largest velocity of the faces that are between two distances from the surface of a ball of radius
 * 0.15 m in the middle of the box, in cells. */
static float fastest_between(const BillowSim *sim, double least, double most)
{
    BillowView view = billow_view(sim);
    const float *const faces[3] = {view.u, view.v, view.w};
    const int n = view.nx;
    float fastest = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int at = 0; at < n * n * n; at++) {
            const int cell[3] = {at % n, at / n % n, at / n / n};
            double squares = 0;
            for (int a = 0; a < 3; a++) {
                double x = cell[a] + (a == axis ? 0 : 0.5) - 0.5 * n;
                squares += x * x;
            }
            double out = sqrt(squares) - 0.15 * n;
            ptrdiff_t here = cell[0] + cell[1] * view.stride_y + cell[2] * view.stride_z;
            if (out > least && out < most)
                fastest = fmaxf(fastest, fabsf(faces[axis][here]));
        }
    return fastest;
}

/* A force that turns the air beside a ball. Faces of which the ball leaves a sliver open have
 * hardly any air to give the force to. */
static void slivers_are_not_faster(void **state)
{
    (void)state;
    const BillowAdvection schemes[2] = {BILLOW_SEMI_LAGRANGIAN, BILLOW_REFLECTION};
    for (int s = 0; s < 2; s++) {
        BillowDef def = quiet_def(32, 32, 32, BILLOW_CLOSED);
        def.cell_size = 1.0f / 32;
        def.params.advection = schemes[s];
        def.params.cfl = 4;
        def.solids[def.solid_count] = billow_default_solid();
        def.solids[def.solid_count++].size[0] = 0.15f;
        def.forces[def.force_count] = billow_default_force();
        BillowForce *force = &def.forces[def.force_count++];
        force->kind = BILLOW_VORTEX;
        force->radius = 0.15f;
        force->strength = 20;
        for (int axis = 0; axis < 3; axis++) {
            def.solids[0].center[axis] = 0.5f;
            force->center[axis] = axis == 0 ? 0.62f : 0.5f;
            force->velocity[axis] = axis == 1;
        }
        BillowSim *sim = make(&def);
        for (int step = 0; step < long_run(20); step++) {
            billow_step(sim, 1.0 / 30);
            assert_true(fastest_between(sim, -1, 1) < 1.3f * fastest_between(sim, 2, 99));
        }
        billow_destroy(sim);
    }
}

/* A ball through periodic sides and corners, around which its fractions must be the same at both
 * ends: else the flow runs away. */
static void balls_go_around(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 8, 12, BILLOW_PERIODIC);
    const float h = def.cell_size;
    def.threads = 1;
    def.params.tolerance = 1e-4f;
    def.solids[0] = billow_default_solid();
    memset(def.solids[0].center, 0, sizeof def.solids[0].center);
    memcpy(def.solids[0].velocity, (const float[3]){16 * h, 5 * h, 0}, sizeof(float[3]));
    def.solids[0].size[0] = 3.7f * h;
    def.solids[0].spin[2] = 1;
    def.solid_count = 1;
    BillowSim *sim = make(&def);
    for (int step = 0; step < 50; step++) {
        billow_step(sim, 0.05);
        assert_true(billow_stats(sim).residual_relative < 1e-3);
        assert_below(billow_stats(sim).speed_max, 40 * (double)h);
    }
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosed_regions_are_those_of_a_flood),
        cmocka_unit_test(sealed_smoke_stays),
        cmocka_unit_test(sealed_pressure_has_no_constant),
        cmocka_unit_test(nothing_passes_a_thin_wall),
        cmocka_unit_test(a_ball_dragged_fast_does_no_harm),
        cmocka_unit_test(a_piston_displaces_its_volume),
        cmocka_unit_test(smoke_is_pushed_out),
        cmocka_unit_test(same_hash_whoever_computes),
        cmocka_unit_test(reset_puts_them_back),
        cmocka_unit_test(confinement_does_not_feed_on_surfaces),
        cmocka_unit_test(confinement_ends_at_surfaces),
        cmocka_unit_test(a_fall_is_a_parabola),
        cmocka_unit_test(it_bounces_and_comes_to_rest),
        cmocka_unit_test(it_bounces_off_the_walls),
        cmocka_unit_test(a_ball_rolls_along_every_face),
        cmocka_unit_test(a_sticky_ball_rolls),
        cmocka_unit_test(a_turn_is_exact),
        cmocka_unit_test(overlapping_solids_are_one_body),
        cmocka_unit_test(seams_do_not_leak),
        cmocka_unit_test(solids_may_meet),
        cmocka_unit_test(buried_emitters_are_refused),
        cmocka_unit_test(wind_past_a_ball_keeps_its_speed),
        cmocka_unit_test(slivers_are_not_faster),
        cmocka_unit_test(balls_go_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
