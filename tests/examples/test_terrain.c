/* SPDX-License-Identifier: MIT
 * The solver of examples/terrain.c: volumes of water and soil to the unit, ponds that merge, spill
 * and come to rest, slopes that stand, still ponds whose waves begin and end, and the controls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "terrain.c"
#include "terrain_play.c"
#include "terrain_ponds.c"

static Terrain *make(int nx, int ny, double cell)
{
    Terrain *t = terrain_create(nx, ny, cell);
    assert_non_null(t);
    t->bulldozer.drive = 0;
    return t;
}

static Terrain *make_valley(void)
{
    Terrain *t = terrain_valley();
    assert_non_null(t);
    return t;
}

static int64_t total(const Terrain *t, const Height *columns)
{
    int64_t sum = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        sum += columns[c];
    return sum;
}

static double cubic_metres(const Terrain *t, int64_t volume)
{
    return metres(volume) * t->cell * t->cell;
}

/* No water is lost or made, and no column is negative. */
static void check_water(const Terrain *t)
{
    int64_t water = total(t, t->water);
    if (water + t->left != t->poured)
        fail_msg("water %lld + left %lld != poured %lld", (long long)water, (long long)t->left,
                 (long long)t->poured);
    for (size_t c = 0; c < cell_count(t); c++)
        if (t->water[c] < 0)
            fail_msg("cell %zu holds %d units", c, (int)t->water[c]);
}

/* -- volumes and frame rates ------------------------------------------------------------------ */

enum { SECONDS = 4 };

/* The valley after 4 s of springs, rain and the bulldozer, in frames of 1 / rate; 0: frames of
 * irregular length. */
static Terrain *run_valley(int rate)
{
    Terrain *t = make_valley();
    uint64_t seed = 7;
    t->rain = 0.001;
    t->bulldozer.way = 0;
    for (int frame = 0; rate > 0 && frame < SECONDS * rate; frame++) {
        terrain_advance(t, 1.0 / rate);
        check_water(t);
    }
    for (double left = SECONDS; rate == 0 && left > 0;) {
        double elapsed = fmin(left, 0.1 * draw_random(&seed) * 0x1p-32);
        terrain_advance(t, elapsed);
        check_water(t);
        left -= elapsed;
    }
    return t;
}

/* What is poured follows from the time, and every column has the same bits at any frame rate. */
static void test_frame_rates_agree(void **state)
{
    (void)state;
    skip_sanitized();
    const int rates[] = {60, 10, 144, 0};
    Terrain *first = NULL;
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        Terrain *t = run_valley(rates[r]), *valley = make_valley();
        double springs = (2.5 + 0.6) * SECONDS, rain = 0.001 * SECONDS * 160 * 104 / 16;
        double expected = cubic_metres(t, valley->poured) + springs + rain;
        double poured = cubic_metres(t, t->poured);
        double owed = cubic_metres(t, (int64_t)cell_count(t) + SOURCES); /* a unit for each cell */
        if (fabs(poured - expected) > owed)
            fail_msg("rate %d: poured %.9g m3, not %.9g", rates[r], poured, expected);
        assert_int_equal(t->slices, SECONDS * SLICES);
        if (first == NULL)
            first = t;
        assert_memory_equal(t->water, first->water, cell_count(t) * sizeof *t->water);
        assert_memory_equal(t->soil, first->soil, cell_count(t) * sizeof *t->soil);
        if (t != first)
            terrain_destroy(t);
        terrain_destroy(valley);
    }
    terrain_destroy(first);
}

/* Volume of soil that is higher than it was, m3. */
static double moved_soil(const Terrain *t, const Terrain *before)
{
    int64_t sum = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        sum += larger(t->soil[c] - before->soil[c], 0);
    return cubic_metres(t, sum);
}

/* Water in the columns i from .. to - 1, m3. */
static double water_between(const Terrain *t, int from, int to)
{
    int64_t sum = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        if ((int)(c % (size_t)t->nx) >= from && (int)(c % (size_t)t->nx) < to)
            sum += t->water[c];
    return cubic_metres(t, sum);
}

/* The bulldozer opens the dam, and the lake runs into the basin. */
static void test_broken_dam(void **state)
{
    (void)state;
    skip_sanitized();
    enum { DAM = 68, BASIN = 104, END = 148 }; /* columns */
    Terrain *t = make_valley(), *before = make_valley();
    terrain_advance(t, 8);
    t->sources_run = false;
    double lake = water_between(t, 0, DAM);
    assert_true(lake > 30);
    assert_true(water_between(t, BASIN, END) == 0);
    t->bulldozer.way = 0;
    for (int second = 0; second < 28; second++) {
        terrain_advance(t, 1);
        check_water(t);
        assert_true(total(t, t->soil) == total(before, before->soil));
    }
    double basin = water_between(t, BASIN, END), rest = water_between(t, 0, DAM);
    print_message("lake %.1f m3, then %.1f; basin %.1f m3; soil moved %.1f m3\n", lake, rest, basin,
                  moved_soil(t, before));
    assert_true(rest < 0.75 * lake && basin > 5);
    assert_true(moved_soil(t, before) > 5);
    assert_int_equal(t->bulldozer.way, -1); /* it has arrived */
    terrain_destroy(t);
    terrain_destroy(before);
}

/* A frame that is shorter than a slice changes nothing but the time that is owed. */
static void test_time_is_carried(void **state)
{
    (void)state;
    Terrain *t = make(8, 8, 0.5);
    terrain_advance(t, 0.4 / SLICES);
    assert_int_equal(t->slices, 0);
    terrain_advance(t, 0.7 / SLICES);
    assert_int_equal(t->slices, 1);
    assert_true(fabs(t->time_owed - 0.1 / SLICES) < 1e-12);
    terrain_destroy(t);
}

static void test_open_edge_and_drying(void **state)
{
    (void)state;
    Terrain *t = make(24, 5, 0.25);
    for (size_t c = 0; c < cell_count(t); c++)
        t->soil[c] = to_height(1 - 0.03 * (double)(c % 24));
    t->open = true;
    terrain_pour(t, cell_at(t, 2, 2), 0.5);
    terrain_advance(t, 20);
    check_water(t);
    assert_true((double)t->left > 0.8 * (double)t->poured);
    terrain_dry(t);
    check_water(t);
    assert_true(total(t, t->water) == 0);
    terrain_destroy(t);
}

/* -- ponds ------------------------------------------------------------------------------------ */

/* Two bowls in a box: bottoms at 0 and 0.3 m, walls around, a ridge of 1 m along i = 16. The slopes
 * of soil are less steep than the angle of repose. */
static Terrain *make_bowls(void)
{
    Terrain *t = make(33, 21, 0.5);
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            int edge_i = i < t->nx - 1 - i ? i : t->nx - 1 - i;
            int edge_j = j < t->ny - 1 - j ? j : t->ny - 1 - j;
            double wall = 1.8 - 0.3 * (edge_i < edge_j ? edge_i : edge_j);
            double ridge = 1 - 0.25 * abs(i - 16), bottom = i < 16 ? 0 : 0.3;
            t->soil[cell_at(t, i, j)] = to_height(fmax(wall, fmax(ridge, bottom)));
        }
    t->bulldozer.x = t->bulldozer.y = 1;
    return t;
}

/* Level that a volume of water, m3, has where it is flat over all of the terrain, m. */
static double flat_level(const Terrain *t, double volume)
{
    double low = 0, high = 60;
    for (int n = 0; n < 60; n++) {
        double level = 0.5 * (low + high), sum = 0;
        for (size_t c = 0; c < cell_count(t); c++)
            sum += fmax(level - metres(t->soil[c]), 0) * t->cell * t->cell;
        if (sum < volume)
            low = level;
        else
            high = level;
    }
    return low;
}

/* The first pond rises to the ridge, then the second alone, then both together. */
static void test_ponds_merge_at_the_rim(void **state)
{
    (void)state;
    Terrain *t = make_bowls();
    size_t at_left = cell_at(t, 10, 10), at_right = cell_at(t, 22, 10);
    double right = 0.3;
    bool waited = false, rose_together = false;
    t->sources[t->source_count++] = (Source){.x = 4, .y = 5.25, .rate = 0.35};
    for (int half_second = 0; half_second < 2 * 200; half_second++) {
        terrain_advance(t, 0.5);
        check_water(t);
        double before = right, left = metres(level_at(t, at_left));
        right = metres(level_at(t, at_right));
        if (left < 0.96)
            assert_true(t->water[at_right] == 0);
        if (right > 0.4 && right < 0.9) { /* the flow over the ridge is a few cm deep */
            assert_true(left > 0.99 && left < 1.17);
            waited = true;
        }
        if (right > 1.12) {
            assert_true(fabs(left - right) < 0.03);
            rose_together = rose_together || right > before;
        }
    }
    assert_true(waited && rose_together);
    t->sources_run = false;
    terrain_advance(t, 90);
    check_water(t);
    double left = metres(level_at(t, at_left)) + ponds_wave(t, at_left),
           flat = flat_level(t, 0.35 * 200);
    right = metres(level_at(t, at_right)) + ponds_wave(t, at_right);
    print_message("levels %.5f and %.5f m, of flat water %.5f m\n", left, right, flat);
    assert_true(fabs(left - flat) < 1e-3 && fabs(right - flat) < 1e-3);
    terrain_destroy(t);
}

enum { RING = 31, MIDDLE = 15, RIM = 6 };

/* Distance from the middle of the ring, cells. */
static int ring_distance(int i, int j)
{
    int di = abs(i - MIDDLE), dj = abs(j - MIDDLE);
    return di > dj ? di : dj;
}

/* A pond with a rim of 1 m that is 15 cm lower in one cell. Outside, the land falls away. */
static void test_pond_spills_at_its_lowest_rim(void **state)
{
    (void)state;
    Terrain *t = make(RING, RING, 0.5);
    size_t notch = cell_at(t, MIDDLE + RIM, MIDDLE + 2);
    for (int j = 0; j < RING; j++)
        for (int i = 0; i < RING; i++)
            t->soil[cell_at(t, i, j)] = to_height(1 - (abs(ring_distance(i, j) - RIM) > 2
                                                           ? 0.6
                                                           : 0.3 * abs(ring_distance(i, j) - RIM)));
    t->soil[notch] = to_height(0.85);
    for (int j = 0; j < RING; j++)
        for (int i = 0; i < RING; i++)
            if (ring_distance(i, j) < RIM)
                terrain_pour(t, cell_at(t, i, j), 0.75 - metres(t->soil[cell_at(t, i, j)]));
    t->sources[t->source_count++] = (Source){.x = 7.75, .y = 7.75, .rate = 0.05};
    t->bulldozer.x = t->bulldozer.y = 1;
    double inside = 0;
    for (int second = 0; second < 120; second++) {
        terrain_advance(t, 1);
        inside = metres(level_at(t, cell_at(t, MIDDLE - 3, MIDDLE)));
        for (int j = 0; j < RING; j++)
            for (int i = 0; i < RING; i++) {
                size_t c = cell_at(t, i, j);
                if (ring_distance(i, j) == RIM && c != notch && t->water[c] != 0)
                    fail_msg("water spills at %d, %d", i, j);
                if (inside < 0.845 && ring_distance(i, j) > RIM && t->water[c] != 0)
                    fail_msg("water at %d, %d before the pond is full", i, j);
            }
    }
    check_water(t);
    print_message("level %.4f m behind a notch of 0.85 m\n", inside);
    assert_true(inside > 0.85 && inside < 1);
    assert_true(t->water[cell_at(t, MIDDLE + RIM + 1, MIDDLE + 2)] > 0);
    terrain_destroy(t);
}

/* A round bowl with water poured in at one side. */
static Terrain *make_bowl(int n, double radius, double depth)
{
    Terrain *t = make(n, n, 0.25);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double r = hypot(i - 0.5 * (n - 1), j - 0.5 * (n - 1)) * t->cell / radius;
            t->soil[cell_at(t, i, j)] = to_height(0.6 * r * r);
        }
    for (int j = 0; j < n / 2; j++)
        for (int i = n / 4; i < n / 2; i++)
            terrain_pour(t, cell_at(t, i, j), depth);
    t->bulldozer.x = t->bulldozer.y = 0.25;
    return t;
}

/* Water comes to rest: differences between neighbours are at most 16 units, 1 um, which the solver
 * does not see, and then no column changes any more. */
static void check_rest(int n, double radius, double depth, int seconds)
{
    Terrain *t = make_bowl(n, radius, depth);
    size_t count = cell_count(t);
    terrain_advance(t, seconds);
    check_water(t);
    Height *before = malloc(count * sizeof *before);
    assert_non_null(before);
    memcpy(before, t->water, count * sizeof *before);
    terrain_advance(t, 10);
    assert_memory_equal(before, t->water, count * sizeof *before);
    Height least = INT32_MAX, most = 0;
    for (size_t c = 0; c < count; c++)
        if (t->water[c] > 1 << (HEIGHT_BITS - 7)) { /* 8 mm: not the shore */
            least = level_at(t, c) < least ? level_at(t, c) : least;
            most = larger(level_at(t, c), most);
        }
    print_message("bowl of %d cells: levels differ by %d units\n", n, (int)(most - least));
    assert_true(most > 0);
    assert_true(most - least <= STILL * n);
    free(before);
    terrain_destroy(t);
}

static void test_still_water_is_flat(void **state)
{
    (void)state;
    check_rest(16, 2, 0.1, 120); /* too small to carry waves of its own */
    check_rest(40, 5, 0.3, 120); /* with waves */
}

/* -- symmetry --------------------------------------------------------------------------------- */

/* Columns mirrored along i, mirrored along j, or with i and j exchanged. */
static size_t image(const Terrain *t, int kind, int i, int j)
{
    return kind == 0   ? cell_at(t, t->nx - 1 - i, j)
           : kind == 1 ? cell_at(t, i, t->ny - 1 - j)
                       : cell_at(t, j, i);
}

/* A hill in a ring valley with a steep wall that slips, and a spring on the top. */
static void test_symmetric_terrain_gives_symmetric_water(void **state)
{
    (void)state;
    enum { N = 41 };
    Terrain *t = make(N, N, 0.25);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int di = abs(i - N / 2), dj = abs(j - N / 2), r2 = di * di + dj * dj;
            t->soil[cell_at(t, i, j)] = to_height(r2 < 30    ? 1.5 - 0.01 * r2
                                                  : r2 < 200 ? 0.2
                                                             : 0.2 + 0.01 * (r2 - 200));
        }
    t->sources[t->source_count++] = (Source){.x = 0.25 * N / 2, .y = 0.25 * N / 2, .rate = 0.8};
    t->bulldozer.x = t->bulldozer.y = 0.25;
    terrain_advance(t, 9);
    check_water(t);
    assert_true(t->water[cell_at(t, 8, N / 2)] > to_height(0.05));
    for (int kind = 0; kind < 3; kind++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                size_t c = cell_at(t, i, j), d = image(t, kind, i, j);
                if (t->water[c] != t->water[d] || t->soil[c] != t->soil[d])
                    fail_msg("symmetry %d: %d, %d has water %d, soil %d, its image %d, %d", kind, i,
                             j, (int)t->water[c], (int)t->soil[c], (int)t->water[d],
                             (int)t->soil[d]);
            }
    terrain_destroy(t);
}

/* -- slippage --------------------------------------------------------------------------------- */

static void check_slopes(const Terrain *t, int di, int dj)
{
    Height most = to_height(hypot(di, dj) * t->cell * repose);
    for (int j = 0; j + dj < t->ny; j++)
        for (int i = di < 0 ? -di : 0; i + di < t->nx && i < t->nx; i++) {
            Height steep = t->soil[cell_at(t, i, j)] - t->soil[cell_at(t, i + di, j + dj)];
            if (abs(steep) > most)
                fail_msg("from %d, %d by %d, %d: %d units, not %d at most", i, j, di, dj,
                         (int)abs(steep), (int)most);
        }
}

/* No slope is steeper than the angle of repose, along the axes and the diagonals. */
static void test_slippage_ends_at_the_angle_of_repose(void **state)
{
    (void)state;
    enum { N = 32 };
    Terrain *t = make(N, N, 0.25);
    uint64_t seed = 3;
    for (size_t c = 0; c < N * N; c++)
        t->soil[c] = to_height(2 * draw_random(&seed) * 0x1p-32);
    t->soil[cell_at(t, 20, 9)] = to_height(30);
    int64_t before = total(t, t->soil);
    terrain_settle(t);
    assert_true(total(t, t->soil) == before);
    check_slopes(t, 1, 0);
    check_slopes(t, 0, 1);
    check_slopes(t, 1, 1);
    check_slopes(t, -1, 1);
    terrain_destroy(t);
}

/* The bulldozer pushes a heap ahead of it, and leaves a strip at the height of its grade. */
static void test_bulldozer_cuts_to_its_grade(void **state)
{
    (void)state;
    Terrain *t = make(64, 32, 0.25);
    for (size_t c = 0; c < cell_count(t); c++)
        t->soil[c] = to_height(c % 64 >= 24 ? 0.4 : 0);
    int64_t before = total(t, t->soil);
    t->bulldozer.x = 3;
    t->bulldozer.y = 4;
    terrain_set_blade(t, true);
    t->bulldozer.drive = 1;
    for (int frame = 0; frame < 60 * 7; frame++) {
        terrain_advance(t, 1.0 / 60);
        assert_true(total(t, t->soil) == before);
    }
    double x = t->bulldozer.x;
    size_t below = cell_at(t, (int)(x / t->cell), 16), ahead = below + 8;
    assert_true(x > 7);
    assert_true(fabs(metres(t->soil[below])) < 0.12);
    assert_true(metres(t->soil[ahead]) > 0.55); /* higher than the bank was */
    assert_int_equal(t->cover[below], LOOSE);
    t->bulldozer.drive = 0;
    terrain_settle(t);
    check_slopes(t, 1, 0);
    check_slopes(t, 0, 1);
    terrain_destroy(t);
}

/* Driven against the edges of the terrain it loses no soil. */
static void test_bulldozer_at_the_edge(void **state)
{
    (void)state;
    Terrain *t = make(32, 32, 0.25);
    uint64_t seed = 5;
    for (size_t c = 0; c < cell_count(t); c++)
        t->soil[c] = to_height(0.3 * draw_random(&seed) * 0x1p-32);
    terrain_settle(t);
    int64_t before = total(t, t->soil);
    t->bulldozer.x = t->bulldozer.y = 4;
    terrain_set_blade(t, true);
    for (int course = 0; course < 16; course++) {
        t->bulldozer.heading = 0.4 * course;
        t->bulldozer.drive = 1;
        terrain_advance(t, 4);
        assert_true(total(t, t->soil) == before);
        t->bulldozer.drive = -1;
        terrain_advance(t, 2);
        assert_true(total(t, t->soil) == before);
    }
    terrain_destroy(t);
}

/* -- still ponds ------------------------------------------------------------------------------ */

static double sum_of_waves(const Terrain *t)
{
    double sum = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        sum += ponds_wave(t, c);
    return sum;
}

/* Advances a slice at a time until a pond holds still. `levels` are those of the slice before. */
static void wait_for_pond(Terrain *t, Height *levels)
{
    for (int n = 0; n < 60 * SLICES && ponds_count(t->ponds) == 0; n++) {
        for (size_t c = 0; c < cell_count(t); c++)
            levels[c] = level_at(t, c);
        terrain_advance(t, 1.0 / SLICES);
        check_water(t);
    }
    assert_int_equal(ponds_count(t->ponds), 1);
}

/* The waves begin as what the levels differ from their mean, and end in the columns. */
static void test_ponds_keep_the_volume(void **state)
{
    (void)state;
    enum { N = 40 };
    static Height before[N * N];
    static double waves[N * N];
    Terrain *t = make_bowl(N, 5, 0.3);
    double largest = 0, off = 0;
    wait_for_pond(t, before);
    for (size_t c = 0; c < cell_count(t); c++) {
        largest = fmax(largest, fabs(ponds_wave(t, c)));
        if (ponds_wave(t, c) != 0)
            off = fmax(off, fabs(metres(level_at(t, c) - before[c]) + ponds_wave(t, c)));
    }
    print_message("waves of %.2g m begin; the surface jumps by %.2g m\n", largest, off);
    assert_true(largest > 1e-4 && off < 2e-3); /* what flows in one slice */
    assert_true(fabs(sum_of_waves(t)) < 1e-3);
    for (int n = 0; n < 20; n++) {
        ponds_press(t, 5, 5, -0.05);
        terrain_advance(t, 0.05);
        check_water(t);
        assert_true(fabs(sum_of_waves(t)) < 1e-3);
    }
    for (size_t c = 0; c < cell_count(t); c++) {
        before[c] = level_at(t, c);
        waves[c] = ponds_wave(t, c);
    }
    ponds_leave(t);
    check_water(t);
    assert_int_equal(ponds_count(t->ponds), 0);
    off = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        off = fmax(off, fabs(metres(level_at(t, c) - before[c]) - waves[c]));
    print_message("when the waves of still ponds end, the surface jumps by %.2g m\n", off);
    assert_true(off < 1e-5);
    terrain_destroy(t);
}

/* Waves that are deeper than the water leave no column negative, and the volume stays. */
static void test_ponds_end_without_negative_columns(void **state)
{
    (void)state;
    enum { N = 40 };
    static Height before[N * N];
    Terrain *t = make_bowl(N, 5, 0.3);
    wait_for_pond(t, before);
    for (int n = 0; n < 40; n++)
        ponds_press(t, 3 + 0.1 * n, 5, -2);
    ponds_leave(t);
    check_water(t);
    terrain_advance(t, 2);
    check_water(t);
    terrain_destroy(t);
}

/* A pond that changes goes back to the flow, and holds still again at its new level. */
static void test_ponds_end_when_they_change(void **state)
{
    (void)state;
    enum { N = 40 };
    static Height before[N * N];
    Terrain *t = make_bowl(N, 5, 0.3);
    wait_for_pond(t, before);
    t->sources[t->source_count++] = (Source){.x = 5, .y = 5, .rate = 2};
    terrain_advance(t, 0.5);
    check_water(t);
    assert_int_equal(ponds_count(t->ponds), 0);
    t->sources_run = false;
    wait_for_pond(t, before);
    terrain_destroy(t);
}

/* Rain of 1 mm/s drops once per slice on each 600 cells of water, although the rectangle around a
 * pond, over which drops are scattered, also has dry cells. The volume of the drops gives their
 * number. A drop that falls on land beside the shore still reaches the water with its rim. */
static void test_drops_are_as_many_as_the_area_says(void **state)
{
    (void)state;
    enum { N = 40, RUNS = 12000 };
    static Height before[N * N];
    Terrain *t = make_bowl(N, 5, 0.3);
    wait_for_pond(t, before);
    Pond *pond = &t->ponds->pond[0];
    const float middle = 0.5f * (float)t->cell;
    double start = pond_water_volume(pond->water);
    double drop = pond_water_add_drop(pond->water, middle * (float)pond->nx,
                                      middle * (float)pond->ny, 0.45f, 0.04f);
    t->rain = 1e-3;
    for (int n = 0; n < RUNS; n++)
        rain_on(t, pond, slice);
    double drops = (pond_water_volume(pond->water) - start) / drop - 1;
    double expected = RUNS * (double)pond->cells / 600;
    print_message("%.0f drops on %zu of %d cells, %.0f expected\n", drops, pond->cells,
                  pond->nx * pond->ny, expected);
    assert_true(drops > 0.93 * expected && drops < 1.03 * expected);
    terrain_destroy(t);
}

/* -- controls --------------------------------------------------------------------------------- */

/* One frame with an input, and its picture, in which the next pointer finds its place. */
static void frame_of(Play *play, ExampleFrame *frame, const ExampleInput *input)
{
    play_input(play, input);
    play_step(play);
    play_draw(play, frame);
}

static void test_controls(void **state)
{
    (void)state;
    ExampleFrame frame = {0};
    ExampleError error;
    Play *play = play_create(&defaults, &frame, &error);
    assert_non_null(play);
    Terrain *t = play->terrain;
    frame.rgb = calloc((size_t)frame.width * (size_t)frame.height, 3);
    assert_non_null(frame.rgb);
    frame_of(play, &frame, &(ExampleInput){0});
    double x, y, gap;
    assert_true(view_pick(play->view, 620, 300, &x, &y));
    gap = hypot(x - t->bulldozer.x, y - t->bulldozer.y);
    assert_true(gap > 3);
    for (int n = 0; n < 90; n++)
        frame_of(play, &frame, &(ExampleInput){.x = 620, .y = 300, .left = true});
    assert_true(hypot(x - t->bulldozer.x, y - t->bulldozer.y) < gap - 1);
    ExampleInput spring = {.x = 620, .y = 300, .pressed['s'] = true};
    play_input(play, &spring);
    assert_int_equal(t->source_count, 3);
    assert_true(fabs(t->sources[2].x - x) < 0.01 && fabs(t->sources[2].y - y) < 0.01);
    play_input(play, &spring);
    assert_int_equal(t->source_count, 2);
    spring.y = -5; /* outside of the frame */
    play_input(play, &spring);
    assert_int_equal(t->source_count, 2);
    play_input(play, &(ExampleInput){.pressed['x'] = true, .pressed['b'] = true});
    assert_true(t->bulldozer.lowered && t->bulldozer.way == 0);
    play_input(play, &(ExampleInput){.held[EXAMPLE_UP] = true, .held[EXAMPLE_RIGHT] = true});
    assert_true(t->bulldozer.way == -1 && t->bulldozer.drive > 0 && t->bulldozer.turn < 0);
    play_input(play, &(ExampleInput){.pressed[' '] = true, .right = true, .dx = 300, .wheel = -3});
    long slices = t->slices;
    frame_of(play, &frame, &(ExampleInput){0});
    assert_int_equal(t->slices, slices); /* it pauses */
    double x2 = -1, y2 = -1;
    view_pick(play->view, 620, 300, &x2, &y2);
    assert_true(hypot(x2 - x, y2 - y) > 1); /* the view has turned */
    free(frame.rgb);
    play_destroy(play);
}

/* --rain begins in the rain, which goes on until r is pressed; without it r brings 1 mm/s. */
static void test_rain_of_the_option(void **state)
{
    (void)state;
    const double given[] = {20, 0};
    for (int k = 0; k < 2; k++) {
        ExampleFrame frame = {0};
        ExampleError error;
        Settings settings = defaults;
        settings.rain = given[k];
        Play *play = play_create(&settings, &frame, &error);
        assert_non_null(play);
        const Terrain *t = play->terrain;
        double rains = k == 0 ? 0.02 : 0.001, first = k == 0 ? rains : 0;
        int changes = 0;
        for (int n = 0; n < 1000; n++) { /* the script without steps */
            ExampleInput input = {0};
            double rain = t->rain;
            play_script(play, n, &input);
            play_input(play, &input);
            changes += n > 0 && t->rain != rain;
            if (n == 0 || n == 999)
                assert_true(fabs(t->rain - first) < 1e-9);
        }
        assert_int_equal(changes, k == 0 ? 0 : 2);
        play_input(play, &(ExampleInput){.pressed['r'] = true});
        assert_true(fabs(t->rain - (rains - first)) < 1e-9);
        play_destroy(play);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_rates_agree),
        cmocka_unit_test(test_broken_dam),
        cmocka_unit_test(test_time_is_carried),
        cmocka_unit_test(test_open_edge_and_drying),
        cmocka_unit_test(test_ponds_merge_at_the_rim),
        cmocka_unit_test(test_pond_spills_at_its_lowest_rim),
        cmocka_unit_test(test_still_water_is_flat),
        cmocka_unit_test(test_symmetric_terrain_gives_symmetric_water),
        cmocka_unit_test(test_slippage_ends_at_the_angle_of_repose),
        cmocka_unit_test(test_bulldozer_cuts_to_its_grade),
        cmocka_unit_test(test_bulldozer_at_the_edge),
        cmocka_unit_test(test_ponds_keep_the_volume),
        cmocka_unit_test(test_ponds_end_without_negative_columns),
        cmocka_unit_test(test_ponds_end_when_they_change),
        cmocka_unit_test(test_drops_are_as_many_as_the_area_says),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_rain_of_the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
