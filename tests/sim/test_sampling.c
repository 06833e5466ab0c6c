/* SPDX-License-Identifier: MIT
 * The kernels of advection, which work on blocks of cells, against a loop over single cells. */
#include "sim_fixture.h"

enum { ROWS = 5, PLANES = 4, CELLS_MAX = 70, STRIDE_Y = 80, STRIDE_Z = STRIDE_Y * (ROWS + 2) };
enum { LEAD = 32, FLOATS = LEAD + STRIDE_Z * (PLANES + 4) + STRIDE_Y + 32 };

static float fields[3][FLOATS], moves[3][LEAD + 2 * STRIDE_Y];

/* -- the plain twin */

static float plain_clamp(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

static float plain_lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

static float plain_sample(const float *corner, const SampleBounds *bounds, float x, float y,
                          float z)
{
    x = plain_clamp(x, bounds->low[0], bounds->high[0]);
    y = plain_clamp(y, bounds->low[1], bounds->high[1]);
    z = plain_clamp(z, bounds->low[2], bounds->high[2]);
    int i = (int)x, j = (int)y, k = (int)z;
    float fx = x - (float)i, fy = y - (float)j, fz = z - (float)k;
    int sy = bounds->stride_y, sz = bounds->stride_z;
    const float *f = corner + i + j * sy + k * sz;
    float near_low = plain_lerp(f[0], f[1], fx);
    float near_high = plain_lerp(f[sy], f[sy + 1], fx);
    float far_low = plain_lerp(f[sz], f[sz + 1], fx);
    float far_high = plain_lerp(f[sz + sy], f[sz + sy + 1], fx);
    return plain_lerp(plain_lerp(near_low, near_high, fy), plain_lerp(far_low, far_high, fy), fz);
}

static float plain_bound(float x, float limit)
{
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}

/* -- what is compared */

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Every table of kernels, and the one of a single lane for compilers that have no vectors. */
static const AdvectKernels *kernels_numbered(int index, const char **name)
{
    const Kernels *table = kernels_at(index);
    int tables = 0;
    while (kernels_at(tables) != NULL)
        tables++;
    *name = table != NULL ? table->name : "one lane";
    if (table != NULL)
        return kernels_find(table->name) != NULL ? table->advect : NULL;
    return index == tables ? &KERNELS(advect) : NULL;
}

static int kernels_count(void)
{
    int tables = 0;
    while (kernels_at(tables) != NULL)
        tables++;
    return tables + 1;
}

typedef enum Flow { STILL, NOISE, SMOOTH, ROUGH, WILD, FLOWS } Flow;

static float move(Flow flow, int i, int axis, unsigned *seed)
{
    const float odd[] = {NAN, INFINITY, -INFINITY, 3e9f, -3e9f, 0.5f, -0.0f, 1e-30f};
    double noise = scatter(seed);
    switch (flow) {
    case STILL:
        return 0;
    case NOISE: /* about zero: lanes fall to either side of their cell */
        return (float)(1e-4 * noise);
    case SMOOTH:
        return (float)(1.3 * sin(0.05 * i + axis) + 1e-3 * noise);
    case ROUGH:
        return (float)(4 * noise);
    default:
        return noise > 0.5 ? odd[(int)(fabs(scatter(seed)) * 7.99)] : (float)(2 * noise);
    }
}

static SampleBounds bounds_for(int n, int extra)
{
    return (SampleBounds){.stride_y = STRIDE_Y,
                          .stride_z = STRIDE_Z,
                          .low = {1 - extra, 1, 1 - extra},
                          .high = {n + extra, ROWS + extra, PLANES}};
}

static void fill_inputs(Flow flow, int n, unsigned *seed)
{
    for (int f = 0; f < 3; f++)
        for (int i = 0; i < FLOATS; i++)
            fields[f][i] = (float)scatter(seed) + (scatter(seed) > 0.999 ? INFINITY : 0);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < n + 32; i++)
            moves[axis][i] = move(flow, i, axis, seed);
}

static void check_advect(Flow flow, int n, int extra, int j, int k, unsigned *seed)
{
    fill_inputs(flow, n, seed);
    SampleBounds bounds = bounds_for(n, extra);
    Rows a = {moves[0], moves[1], moves[2]}, b = {moves[0] + 1, moves[1] + 1, moves[2] + 1};
    float limit = flow == ROUGH ? 0.6f : FLT_MAX;
    Origins from = {1, (float)(j + 1), (float)(k + 1), a, b};
    for (int table = 0; table < kernels_count(); table++) {
        const char *name;
        const AdvectKernels *kernels = kernels_numbered(table, &name);
        float out[2][CELLS_MAX + 1];
        if (kernels == NULL)
            continue;
        out[0][n] = out[1][n] = 77;
        Advected carried[2] = {{fields[0] + LEAD, 0.75f, out[0]}, {fields[1] + LEAD, 1, out[1]}};
        kernels->advect(&bounds, &from, carried, 2, limit, n);
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < n; i++) {
                float x = from.x + (float)i - 0.5f * (a.x[i] + b.x[i]);
                float y = from.y - 0.5f * (a.y[i] + b.y[i]), z = from.z - 0.5f * (a.z[i] + b.z[i]);
                float expected = plain_bound(
                    carried[f].scale * plain_sample(carried[f].corner, &bounds, x, y, z), limit);
                if (!same(out[f][i], expected))
                    fail_msg("%s, flow %d, row of %d, field %d, element %d: %.9g, expected %.9g",
                             name, (int)flow, n, f, i, (double)out[f][i], (double)expected);
            }
            assert_true(out[f][n] == 77);
        }
    }
}

static void advection_is_the_plain_one(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int n = 1; n <= CELLS_MAX; n++)
        for (Flow flow = STILL; flow < FLOWS; flow++)
            for (int extra = 0; extra < 2; extra++)
                check_advect(flow, n, extra, n % ROWS, n % PLANES, &seed);
}

/* Least and most of the eight values a sample is made of. */
static void plain_range(const float *corner, const SampleBounds *bounds, const float at[3],
                        float range[2])
{
    int cell[3];
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = (int)plain_clamp(at[axis], bounds->low[axis], bounds->high[axis]);
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int c = 0; c < 8; c++) {
        float value = corner[cell[0] + (c & 1) + (cell[1] + (c >> 1 & 1)) * STRIDE_Y +
                             (cell[2] + (c >> 2)) * STRIDE_Z];
        range[0] = fminf(range[0], value);
        range[1] = fmaxf(range[1], value);
    }
}

static bool plain_inside(const SampleBounds *bounds, const float at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!(at[axis] >= bounds->low[axis] && at[axis] <= bounds->high[axis]))
            return false;
    return true;
}

static float plain_correct(const SampleBounds *bounds, const Corrected *field, int i,
                           const float here[3], const float d[3], float limit)
{
    const float back[3] = {here[0] - d[0], here[1] - d[1], here[2] - d[2]};
    const float ahead[3] = {here[0] + d[0], here[1] + d[1], here[2] + d[2]};
    float predictor = field->predictor[i], value = predictor, range[2];
    if (plain_inside(bounds, back) && plain_inside(bounds, ahead)) {
        float check = plain_sample(field->predictor_corner, bounds, ahead[0], ahead[1], ahead[2]);
        value = predictor + 0.5f * (field->field[i] - check);
        plain_range(field->corner, bounds, back, range);
        value = value < range[0] ? range[0] : value > range[1] ? range[1] : value;
    }
    return plain_bound(field->scale * value, limit);
}

static void check_correct(Flow flow, int n, unsigned *seed)
{
    fill_inputs(flow, n, seed);
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < FLOATS; i++)
            fields[f][i] = isfinite(fields[f][i]) ? fields[f][i] : 0.3f;
    SampleBounds bounds = bounds_for(n, 0);
    int j = n % ROWS, k = n % PLANES;
    ptrdiff_t row = LEAD + 1 + (j + 1) * STRIDE_Y + (k + 1) * STRIDE_Z;
    Rows a = {moves[0], moves[1], moves[2]};
    Origins from = {1, (float)(j + 1), (float)(k + 1), a, a};
    for (int table = 0; table < kernels_count(); table++) {
        const char *name;
        const AdvectKernels *kernels = kernels_numbered(table, &name);
        float out[CELLS_MAX + 1];
        if (kernels == NULL)
            continue;
        out[n] = 77;
        Corrected field = {
            fields[0] + LEAD, fields[1] + LEAD, fields[0] + row, fields[1] + row, 0.9f, out};
        kernels->correct(&bounds, &bounds, &from, &field, 1, 0.8f, n);
        for (int i = 0; i < n; i++) {
            const float here[3] = {from.x + (float)i, from.y, from.z};
            const float d[3] = {0.5f * (a.x[i] + a.x[i]), 0.5f * (a.y[i] + a.y[i]),
                                0.5f * (a.z[i] + a.z[i])};
            float expected = plain_correct(&bounds, &field, i, here, d, 0.8f);
            if (!same(out[i], expected))
                fail_msg("%s, flow %d, row of %d, element %d: %.9g, expected %.9g", name, (int)flow,
                         n, i, (double)out[i], (double)expected);
        }
        assert_true(out[n] == 77);
    }
}

static void correction_is_the_plain_one(void **state)
{
    (void)state;
    unsigned seed = 13;
    for (int n = 1; n <= CELLS_MAX; n++)
        for (Flow flow = STILL; flow < FLOWS; flow++)
            check_correct(flow, n, &seed);
}

static void plain_displace(const Sampler velocity[3], int i, int j, int k, float step, float d[3])
{
    ptrdiff_t at = i + 1 + (j + 1) * STRIDE_Y + (k + 1) * STRIDE_Z;
    const float *u = velocity[0].corner + at, *v = velocity[1].corner + at,
                *w = velocity[2].corner + at;
    float half = 0.25f * step;
    float x = (float)(i + 1) - half * (u[0] + u[1]);
    float y = (float)(j + 1) - half * (v[0] + v[STRIDE_Y]);
    float z = (float)(k + 1) - half * (w[0] + w[STRIDE_Z]);
    d[0] = step * plain_sample(velocity[0].corner, &velocity[0].bounds, x + 0.5f, y, z);
    d[1] = step * plain_sample(velocity[1].corner, &velocity[1].bounds, x, y + 0.5f, z);
    d[2] = step * plain_sample(velocity[2].corner, &velocity[2].bounds, x, y, z + 0.5f);
}

static void plain_straight(const Sampler velocity[3], int i, int j, int k, float step, float d[3])
{
    ptrdiff_t at = i + 1 + (j + 1) * STRIDE_Y + (k + 1) * STRIDE_Z;
    const ptrdiff_t next[3] = {1, STRIDE_Y, STRIDE_Z};
    for (int axis = 0; axis < 3; axis++)
        d[axis] =
            0.5f * step * (velocity[axis].corner[at] + velocity[axis].corner[at + next[axis]]);
}

static void check_displace(bool straight, int n, float step, unsigned *seed)
{
    fill_inputs(STILL, n, seed);
    Sampler velocity[3];
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] = (Sampler){fields[axis] + LEAD, bounds_for(n, 0)};
        velocity[axis].bounds.high[axis] += 1;
    }
    int j = n % ROWS, k = n % PLANES;
    for (int table = 0; table < kernels_count(); table++) {
        const char *name;
        const AdvectKernels *kernels = kernels_numbered(table, &name);
        float out[3][CELLS_MAX];
        if (kernels == NULL)
            continue;
        (straight ? kernels->displace_straight : kernels->displace)(
            velocity, j, k, step, 0, n, (RowsOut){out[0], out[1], out[2]});
        for (int i = 0; i < n; i++) {
            float d[3];
            (straight ? plain_straight : plain_displace)(velocity, i, j, k, step, d);
            for (int axis = 0; axis < 3; axis++)
                if (!same(out[axis][i], d[axis]))
                    fail_msg("%s, row of %d, axis %d, element %d: %.9g, expected %.9g", name, n,
                             axis, i, (double)out[axis][i], (double)d[axis]);
        }
    }
}

static void displacement_is_the_plain_one(void **state)
{
    (void)state;
    unsigned seed = 12;
    const float steps[] = {0, 1e-3f, 1, 9};
    for (int n = 1; n <= CELLS_MAX; n++)
        for (int s = 0; s < 8; s++)
            check_displace(s % 2 == 1, n, steps[s / 2], &seed);
}

static float plain_longest(int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        float x = moves[0][i], y = moves[1][i], z = moves[2][i], square = x * x + y * y + z * z;
        if (!isfinite(square))
            return FLT_MAX;
        most = fmax(most, (double)square);
    }
    return sqrtf((float)most);
}

static void longest_displacement_is_the_plain_one(void **state)
{
    (void)state;
    unsigned seed = 13;
    for (int n = 1; n <= CELLS_MAX; n++)
        for (Flow flow = STILL; flow < FLOWS; flow++) {
            fill_inputs(flow, n, &seed);
            for (int table = 0; table < kernels_count(); table++) {
                const char *name;
                const AdvectKernels *kernels = kernels_numbered(table, &name);
                const Rows row = {moves[0], moves[1], moves[2]};
                if (kernels != NULL && kernels->longest(row, n) != plain_longest(n))
                    fail_msg("%s, flow %d, row of %d: %.9g, expected %.9g", name, (int)flow, n,
                             (double)kernels->longest(row, n), (double)plain_longest(n));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advection_is_the_plain_one),
        cmocka_unit_test(correction_is_the_plain_one),
        cmocka_unit_test(displacement_is_the_plain_one),
        cmocka_unit_test(longest_displacement_is_the_plain_one),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
