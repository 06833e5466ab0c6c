/* SPDX-License-Identifier: MIT
 *
 * The coefficients of a level and the passes over one of its planes. */
#include "sim/solver/level.h"

#include <string.h>

/* Number of different rows of coefficients in the box. A row of cells uses one of them, chosen by
 * its place along y and z (stencil_place) and by the parity of its first cell. */
enum { PLACES = 4, ROWS = PLACES * PLACES * 2 };

/* Size of the largest plane of one colour that level_relax_fused relaxes, bytes. Larger planes are
 * faster one by one, because memory favours fewer and longer runs. */
enum { FUSED_BYTES = 64 * 1024 };

/* Index of one cell at a place (stencil_place); 0 if the axis of n cells has none there. */
static int example(int at, int n)
{
    const int cells[PLACES] = {0, 1, n - 2, n - 1};
    return cells[at] > 0 ? cells[at] : 0;
}

size_t level_floats(const Grid *grid)
{
    size_t row = (size_t)grid->packed_y;
    return 2 * ROWS * row + 4 * row + 2 * (size_t)(grid->nx + grid->ny + grid->nz);
}

static float *take(float **memory, size_t floats)
{
    float *taken = *memory;
    *memory += floats;
    return taken;
}

void level_cut(Level *level, float *memory)
{
    size_t row = (size_t)level->grid.packed_y;
    level->coefficient_stride = level->grid.packed_y;
    level->diagonal = take(&memory, ROWS * row);
    level->inverse = take(&memory, ROWS * row);
    for (int first = 0; first < 2; first++) {
        level->low_x[first] = take(&memory, row);
        level->high_x[first] = take(&memory, row);
    }
    for (int axis = 0; axis < 3; axis++) {
        level->low[axis] = take(&memory, (size_t)level->grid.cells[axis]);
        level->high[axis] = take(&memory, (size_t)level->grid.cells[axis]);
    }
}

int level_width(int finest, int depth, int n, int i)
{
    return i < n - 1 ? 1 << depth : finest - (n - 1) * (1 << depth);
}

static bool is_counted(LevelSide side)
{
    return side == SIDE_OUTSIDE || side == SIDE_ON_FACE;
}

/* Computes the couplings along one axis. Returns whether all couplings inside the box are 1. */
static bool couple(Level *level, int axis, int finest, int depth, const LevelSide sides[2])
{
    int n = level->cells[axis];
    double unit = (double)(1 << depth) * (1 << depth);
    bool uniform = true;
    for (int i = 0; i < n; i++) {
        double width = level_width(finest, depth, n, i);
        bool wraps = level->wraps[axis];
        double below = i > 0 || wraps ? level_width(finest, depth, n, (i + n - 1) % n)
                                      : sides[0] == SIDE_OUTSIDE;
        double above = i < n - 1 || wraps ? level_width(finest, depth, n, (i + 1) % n)
                                          : sides[1] == SIDE_OUTSIDE;
        bool has_low = i > 0 || wraps || is_counted(sides[0]);
        bool has_high = i < n - 1 || wraps || is_counted(sides[1]);
        float low = has_low ? (float)(2 * unit / (width * (width + below))) : 0;
        float high = has_high ? (float)(2 * unit / (width * (width + above))) : 0;
        level->low[axis][i] = low;
        level->high[axis][i] = high;
        uniform = uniform && ((i == 0 && !wraps) || low == 1.0f) &&
                  ((i == n - 1 && !wraps) || high == 1.0f);
    }
    return uniform;
}

static float *coefficient_row(const Level *level, float *table, int y, int z, int first)
{
    return table + ((z * PLACES + y) * 2 + first) * level->coefficient_stride;
}

static void fill_diagonal(Level *level, int y, int z)
{
    const int *n = level->cells;
    int j = example(y, n[1]), k = example(z, n[2]);
    float across = level->low[1][j] + level->high[1][j] + level->low[2][k] + level->high[2][k];
    for (int i = 0; i < n[0]; i++) {
        float along = level->low[0][i] + level->high[0][i];
        float diagonal = level->base + level->weight * (along + across);
        coefficient_row(level, level->diagonal, y, z, i & 1)[i >> 1] = diagonal;
        coefficient_row(level, level->inverse, y, z, i & 1)[i >> 1] =
            diagonal > 0.0f ? 1.0f / diagonal : 0.0f; /* 0: a closed box of one cell */
    }
}

void level_prepare(Level *level, const int finest[3], int depth,
                   const LevelSide sides[BILLOW_SIDES])
{
    level->uniform = true;
    for (int axis = 0; axis < 3; axis++)
        level->wraps[axis] = sides[2 * axis] == SIDE_WRAPS && level->cells[axis] > 1;
    for (int axis = 0; axis < 3; axis++)
        level->uniform =
            couple(level, axis, finest[axis], depth, sides + 2 * axis) && level->uniform;
    for (int i = 0; i < level->cells[0]; i++) {
        level->low_x[i & 1][i >> 1] = level->low[0][i];
        level->high_x[i & 1][i >> 1] = level->high[0][i];
    }
    for (int z = 0; z < PLACES; z++)
        for (int y = 0; y < PLACES; y++)
            fill_diagonal(level, y, z);
}

bool level_is_serial(const Level *level)
{
    bool odd = false;
    for (int axis = 0; axis < 3; axis++)
        odd = odd || (level->wraps[axis] && level->cells[axis] % 2 != 0);
    return odd;
}

/* Row (axis 1) or plane (axis 2) number `beside`, which contains neighbours of a colour's cells.
 * The neighbours have the other colour. Across the ends of an axis that wraps around and has an odd
 * number of cells, they have the same colour. */
static const float *neighbours(const Level *level, int color, int axis, int beside)
{
    int n = level->cells[axis];
    bool around = level->wraps[axis] && (beside < 0 || beside >= n);
    ptrdiff_t stride = axis == 1 ? level->grid.packed_y : level->grid.packed_z;
    int from = !around ? beside : beside < 0 ? n - 1 : 0;
    return level->x.color[around && n % 2 != 0 ? color : 1 - color] + from * stride;
}

StencilPlane level_plane(const Level *level, int color, int k)
{
    ptrdiff_t at = packed_row(&level->grid, 0, k);
    const float *other = level->x.color[1 - color] + at;
    int z = stencil_place(k, level->cells[2]);
    StencilPlane plane = {
        .x = level->x.color[color] + at,
        .other = other,
        .below = neighbours(level, color, 2, k - 1),
        .above = neighbours(level, color, 2, k + 1),
        .before = neighbours(level, color, 1, -1) + at,
        .after = neighbours(level, color, 1, level->cells[1]) + at,
        .rhs = level->rhs.color[color] + at,
        .stride = level->grid.packed_y,
        .coefficient_stride = level->coefficient_stride,
        .nx = level->cells[0],
        .ny = level->cells[1],
        .parity = (k + color) & 1,
        .uniform = level->uniform,
        .base = level->base,
        .weight = level->weight,
        .low_y = level->low[1],
        .high_y = level->high[1],
        .low_z = level->low[2][k],
        .high_z = level->high[2][k],
        .diagonal = coefficient_row(level, level->diagonal, 0, z, 0),
        .inverse = coefficient_row(level, level->inverse, 0, z, 0),
    };
    for (int first = 0; first < 2; first++) {
        plane.low_x[first] = level->low_x[first];
        plane.high_x[first] = level->high_x[first];
    }
    const FaceFractions *fractions = &level->fractions;
    if (fractions->rows == NULL)
        return plane;
    if (fractions->planes[k])
        plane.cut = fractions->rows + (ptrdiff_t)k * level->cells[1];
    for (int axis = 0; axis < 3; axis++) {
        plane.open[axis] = fractions->low[axis].color[color] + at;
        plane.open_beyond[axis] = fractions->low[axis].color[1 - color] + at;
    }
    plane.open_beyond[2] += level->grid.packed_z;
    return plane;
}

/* Copies the cells at each end of a colour's rows to the padding beyond the other end. If n is
 * even, the first cell is even and the last is odd. If n is odd, both are even, and their copies
 * are beyond the ends of the row of odd cells. */
static void wrap_rows(const Level *level, Packed x, int color, int k)
{
    int n = level->cells[0], last = (n - 1) / 2;
    if (!level->wraps[0])
        return;
    for (int j = 0; j < level->cells[1]; j++) {
        ptrdiff_t at = packed_row(&level->grid, j, k);
        bool odd = (j + k + color) & 1; /* whether this row's cells are odd */
        float *row = x.color[color] + at, *other = x.color[1 - color] + at;
        if (n % 2 != 0 && !odd) {
            other[-1] = row[last];
            other[last] = row[0];
        } else if (n % 2 == 0 && odd)
            row[-1] = row[last];
        else if (n % 2 == 0)
            row[last + 1] = row[0];
    }
}

void level_wrap(const Level *level, int k)
{
    for (int color = 0; color < 2; color++)
        wrap_rows(level, level->x, color, k);
}

bool level_fuses(const Level *level)
{
    return level->uniform && (size_t)level->grid.packed_z * sizeof(float) <= FUSED_BYTES;
}

void level_relax(const Level *level, int color, int k, float omega)
{
    StencilPlane plane = level_plane(level, color, k);
    level->kernels->relax(&plane, omega);
    wrap_rows(level, level->x, color, k);
}

void level_relax_fused(const Level *level, int color, int k)
{
    StencilPlane upper = level_plane(level, color, k);
    StencilPlane lower = level_plane(level, 1 - color, k - 1);
    if (upper.cut == NULL && lower.cut == NULL)
        level->kernels->relax_fused(&upper, &lower);
    else {
        level->kernels->relax(&upper, 1);
        level->kernels->relax(&lower, 1);
    }
    wrap_rows(level, level->x, color, k);
    wrap_rows(level, level->x, 1 - color, k - 1);
}

double level_residual(const Level *level, int k)
{
    double squares = 0;
    for (int color = 0; color < 2; color++) {
        StencilPlane plane = level_plane(level, color, k);
        squares += level->kernels->residual(&plane);
    }
    return squares;
}

double level_product(const Level *level, Packed y, int k)
{
    double sum = 0;
    for (int color = 0; color < 2; color++) {
        StencilPlane plane = level_plane(level, color, k);
        sum += level->kernels->product(&plane, y.color[color] + packed_row(&level->grid, 0, k));
    }
    return sum;
}

/* Floats of a plane's rows, including padding. The padding of x is 0, and so is that of every field
 * computed from x. */
static int plane_floats(const Level *level)
{
    return (int)level->grid.packed_y * level->cells[1];
}

double level_dot(const Level *level, Packed a, Packed b, int k)
{
    double sum = 0;
    ptrdiff_t at = packed_row(&level->grid, 0, k);
    for (int color = 0; color < 2; color++)
        for (int j = 0; j < level->cells[1]; j++) {
            ptrdiff_t row = at + j * level->grid.packed_y;
            int first = (j + k + color) & 1;
            sum += level->kernels->dot(a.color[color] + row, b.color[color] + row,
                                       (level->cells[0] - first + 1) / 2);
        }
    return sum;
}

void level_subtract_product(Level *level, float alpha, int k)
{
    for (int color = 0; color < 2; color++) {
        StencilPlane plane = level_plane(level, color, k);
        level->kernels->subtract_product(&plane, alpha,
                                         level->rhs.color[color] + packed_row(&level->grid, 0, k));
    }
}

void level_scale(const Level *level, float factor, int k)
{
    for (int color = 0; color < 2; color++) {
        float *plane = level->x.color[color] + packed_row(&level->grid, 0, k);
        if (factor == 0.0f)
            memset(plane, 0, (size_t)plane_floats(level) * sizeof *plane);
        else
            level->kernels->scale(factor, plane_floats(level), plane);
    }
    level_wrap(level, k);
}

void level_add(const Level *level, float factor, Packed a, Packed out, int k)
{
    ptrdiff_t at = packed_row(&level->grid, 0, k);
    for (int color = 0; color < 2; color++)
        level->kernels->add(a.color[color] + at, factor, plane_floats(level),
                            out.color[color] + at);
    for (int color = 0; color < 2; color++)
        wrap_rows(level, out, color, k);
}

void level_clear(const Level *level, int k)
{
    size_t bytes = (size_t)level->grid.packed_z * sizeof(float);
    for (int color = 0; color < 2; color++)
        memset(level->x.color[color] + packed_row(&level->grid, -1, k), 0, bytes);
}

double level_sum(const Level *level, double *planes, Team team)
{
    team_barrier(team);
    exchange_entries(team, planes, sizeof(double), level->cells[2]);
    double sum = sum_planes(planes, level->cells[2]);
    team_barrier(team); /* no worker overwrites the planes before all have summed */
    return sum;
}

/* The planes of both colours of x, of which ranks need those beside theirs. */
static void list_colors(const Level *level, PlaneField fields[2])
{
    planes_of_packed(&level->grid, level->x, level->cells[2], fields);
    fields[0].reach = fields[1].reach = 1;
}

void level_exchange_begin(const Level *level, int colors, Team team)
{
    PlaneField fields[2];
    list_colors(level, fields);
    exchange_begin(team, colors == BOTH_COLORS ? fields : &fields[colors >> 1],
                   colors == BOTH_COLORS ? 2 : 1);
}

void level_exchange(const Level *level, Team team)
{
    PlaneField fields[2];
    list_colors(level, fields);
    exchange_planes(team, fields, 2);
}

void level_exchange_whole(const Level *level, Packed field, Slab planes, Team team)
{
    PlaneField colors[2];
    planes_of_packed(&level->grid, field, level->cells[2], colors);
    exchange_whole(team, colors, 2, planes);
}

/* The even cells of row (j, k) have colour (j+k) & 1. */
void level_pack_row(const Level *level, const float *row, int j, int k, Packed out)
{
    int even = (j + k) & 1;
    ptrdiff_t at = packed_row(&level->grid, j, k);
    level->kernels->pack(row, level->cells[0], out.color[even] + at, out.color[1 - even] + at);
}

void level_unpack_row(const Level *level, Packed packed, int j, int k, float *row)
{
    int even = (j + k) & 1;
    ptrdiff_t at = packed_row(&level->grid, j, k);
    level->kernels->unpack(packed.color[even] + at, packed.color[1 - even] + at, level->cells[0],
                           row);
}
