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

/* Weights of linear interpolation, and what a cubic adds (kernels.h). */
typedef struct PlainWeights {
    float linear[6], added[6];
} PlainWeights;

static PlainWeights plain_weights(const SampleBounds *bounds, int axis, float x, int *first)
{
    float high = bounds->high[axis];
    int i = (int)x, low = (int)bounds->low[axis], last = (int)high + ((float)(int)high < high);
    float t = x - (float)i, q = 1.0f - t, scale = t * q * (1.0f / 12);
    bool all = i >= low + 2 && i + 3 <= last;
    /* of the second differences at i - 1 to i + 2; of the inner ones with the opposite sign */
    float a = all ? q : 0, b = all ? 6.0f * q + t : i > low ? 6.0f * q : 0;
    float c = all ? 6.0f * t + q : i + 2 <= last ? 6.0f * t : 0, d = all ? t : 0;
    *first = i - 2;
    return (PlainWeights){{0, 0, q, t, 0, 0},
                          {scale * a, scale * (-2.0f * a - b), scale * (a + 2.0f * b - c),
                           scale * (d + 2.0f * c - b), scale * (-2.0f * d - c), scale * d}};
}

static float plain_sharp(const float *corner, const SampleBounds *bounds, float x, float y, float z)
{
    const float at[3] = {x, y, z};
    PlainWeights w[3];
    int first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        float high = bounds->high[axis];
        w[axis] = plain_weights(bounds, axis, plain_clamp(at[axis], bounds->low[axis], high),
                                &first[axis]);
        last[axis] = (int)high + ((float)(int)high < high);
    }
    float line[6] = {0}, across[6] = {0}, least = INFINITY, most = -INFINITY;
    for (int c = 0; c < 6; c++)
        for (int b = 0; b < 6; b++) {
            int j = first[1] + b, k = first[2] + c;
            j = j < (int)bounds->low[1] ? (int)bounds->low[1] : j > last[1] ? last[1] : j;
            k = k < (int)bounds->low[2] ? (int)bounds->low[2] : k > last[2] ? last[2] : k;
            const float *f = corner + first[0] + j * bounds->stride_y + k * bounds->stride_z;
            bool middle_b = b == 2 || b == 3, middle_c = c == 2 || c == 3;
            if (!middle_b && !middle_c)
                continue;
            float weight = w[1].linear[b] * w[2].linear[c];
            weight += w[2].linear[c] * w[1].added[b];
            weight += w[1].linear[b] * w[2].added[c];
            across[2] += weight * f[2];
            across[3] += weight * f[3];
            if (!middle_b || !middle_c)
                continue;
            for (int a = 0; a < 6; a++)
                line[a] += w[1].linear[b] * w[2].linear[c] * f[a];
            least = fminf(least, fminf(f[2], f[3]));
            most = fmaxf(most, fmaxf(f[2], f[3]));
        }
    if (least == most)
        return least;
    float sum = w[0].linear[2] * across[2] + w[0].linear[3] * across[3];
    for (int a = 0; a < 6; a++)
        sum += w[0].added[a] * line[a];
    return sum < least ? least : sum > most ? most : sum;
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

static void check_advect(bool sharp, Flow flow, int n, int extra, int j, int k, unsigned *seed)
{
    fill_inputs(flow, n, seed);
    for (int f = 0; f < 2; f++) /* infinity times a weight of 0 is NaN */
        for (int i = 0; i < FLOATS && sharp; i++)
            fields[f][i] = isfinite(fields[f][i]) ? fields[f][i] : 0.3f;
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
        (sharp ? kernels->advect_sharp : kernels->advect)(&bounds, &from, carried, 2, limit, n);
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < n; i++) {
                float x = from.x + (float)i - 0.5f * (a.x[i] + b.x[i]);
                float y = from.y - 0.5f * (a.y[i] + b.y[i]), z = from.z - 0.5f * (a.z[i] + b.z[i]);
                float expected =
                    plain_bound(carried[f].scale * (sharp ? plain_sharp : plain_sample)(
                                                       carried[f].corner, &bounds, x, y, z),
                                limit);
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
                for (int sharp = 0; sharp < 2; sharp++)
                    check_advect(sharp == 1, flow, n, extra, n % ROWS, n % PLANES, &seed);
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

static void check_displace(int n, float step, unsigned *seed)
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
        kernels->displace(velocity, j, k, step, n, (RowsOut){out[0], out[1], out[2]});
        for (int i = 0; i < n; i++) {
            float d[3];
            plain_displace(velocity, i, j, k, step, d);
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
        for (int s = 0; s < 4; s++)
            check_displace(n, steps[s], &seed);
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
        cmocka_unit_test(displacement_is_the_plain_one),
        cmocka_unit_test(longest_displacement_is_the_plain_one),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
