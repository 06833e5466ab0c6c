/* SPDX-License-Identifier: MIT
 *
 * Face fractions (level.h) on all levels of a multigrid.
 *
 * A coarse face represents the chains of fine faces that cross it. Each chain leads from the middle
 * of one coarse cell to the middle of the other. Resistances add up along a chain, and fractions of
 * parallel chains add up (Moulton, Dendy, Hyman 1998, "The black box multigrid numerical
 * homogenization algorithm"). A chain of the fine faces with fractions L, M and R has the fraction
 * 2 / (1/(2L) + 1/M + 1/(2R)), which is 1 if all three faces are open:
 *
 *     coarse      |         .         |         .         |
 *     fine        |    .    |    .    |    .    |    .    |
 *                           L         M         R
 *
 * A face inside a coarse cell, L or R, counts as at least a quarter open. */
#include "sim/solver/face_fractions.h"

#include "sim/fields/constants.h"

#include <string.h>

/* -- memory ------------------------------------------------------------------------------------ */

static size_t flag_floats(const Grid *grid)
{
    size_t bytes = (size_t)(grid->ny + 1) * (size_t)grid->nz;
    return (bytes + ROW_ALIGNMENT * sizeof(float) - 1) / (ROW_ALIGNMENT * sizeof(float)) *
           ROW_ALIGNMENT;
}

size_t face_fractions_floats(const Grid *finest)
{
    size_t floats = 0;
    for (Grid grid = *finest;; grid = grid_coarser(&grid)) {
        floats += 3 * grid.field_floats + flag_floats(&grid);
        if (grid_is_one_cell(&grid))
            return floats;
    }
}

void face_fractions_prepare(Multigrid *mg, float *memory)
{
    for (int depth = 0; depth < mg->count; depth++) {
        const Grid *grid = &mg->levels[depth].grid;
        FaceFractions *fractions = &mg->levels[depth].fractions;
        for (int axis = 0; axis < 3; axis++, memory += grid->field_floats) {
            for (size_t at = 0; at < grid->field_floats; at++)
                memory[at] = 1;
            fractions->low[axis] = grid_packed(grid, memory + grid->stride_z + grid->stride_y);
        }
        fractions->rows = (unsigned char *)memory;
        fractions->planes = fractions->rows + (ptrdiff_t)grid->ny * grid->nz;
        memset(memory, 0, flag_floats(grid) * sizeof *memory);
        memory += flag_floats(grid);
    }
}

/* -- which rows are cut ------------------------------------------------------------------------ */

static bool row_is_open(const Level *level, int axis, int j, int k, int count)
{
    for (int color = 0; color < 2; color++) {
        const float *row = level->fractions.low[axis].color[color] + packed_row(&level->grid, j, k);
        int n = (count - ((j + k + color) & 1) + 1) / 2;
        for (int m = 0; m < n; m++)
            if (row[m] != 1.0f)
                return false;
    }
    return true;
}

/* Marks the rows of a level that are cut, among those that have a face in the changed region. */
static void flag(const Level *level, Region changed, Team team)
{
    const int nx = level->cells[0], ny = level->cells[1];
    int first = changed.low[1] > 0 ? changed.low[1] - 1 : 0;
    int end = changed.high[1] < ny ? changed.high[1] + 1 : ny;
    const Slab touched = {changed.low[2] - 1, changed.high[2] + 1};
    Slab planes = slab_meet(team_slab_around(team, level->cells[2], touched), touched);
    for (int k = planes.begin; k < planes.end; k++) {
        unsigned char *rows = level->fractions.rows + (ptrdiff_t)k * ny;
        for (int j = first; j < end; j++)
            rows[j] = !(row_is_open(level, 0, j, k, nx + 1) && row_is_open(level, 1, j, k, nx) &&
                        row_is_open(level, 1, j + 1, k, nx) && row_is_open(level, 2, j, k, nx) &&
                        row_is_open(level, 2, j, k + 1, nx));
        level->fractions.planes[k] = memchr(rows, 1, (size_t)ny) != NULL;
    }
    team_barrier(team);
}

/* -- coarser levels ---------------------------------------------------------------------------- */

/* Least fraction of a face inside a coarse cell. A coarse cell with a wall in its middle represents
 * the fluid on both sides. Without this bound its couplings would be as weak as the leak through
 * the wall, and it would overreact to the residuals of both sides. For a leak of 0.001 each cycle
 * would multiply the residual by ten. A coupling that is too strong only slows convergence; a bound
 * of 0.5 performs about as well. */
#define INSIDE_LEAST 0.25f

/* Fraction of a fine face between a coarse face and the middle of a coarse cell; 0 if there is no
 * such face, because the chain ends there. */
static float fraction_inside(const Level *fine, int axis, const int face[3], bool exists)
{
    float fraction = exists ? *face_fraction(fine, axis, face[0], face[1], face[2]) : 0;
    return exists && fraction < INSIDE_LEAST ? INSIDE_LEAST : fraction;
}

/* Fraction of the chain that crosses the coarse face at the fine face `face`. */
static float chain(const Level *fine, int axis, const int face[3])
{
    int p = face[axis], n = fine->cells[axis];
    float middle = *face_fraction(fine, axis, face[0], face[1], face[2]);
    if (middle == 0.0f)
        return 0;
    int below[3] = {face[0], face[1], face[2]}, above[3] = {face[0], face[1], face[2]};
    below[axis] = p - 1;
    above[axis] = p + 1;
    bool pair = p % 2 == 0; /* whether a face is below; false at the end of a last coarse cell that
                               is one fine cell wide */
    float inside[2] = {fraction_inside(fine, axis, below, p > 0 && pair),
                       fraction_inside(fine, axis, above, p + 1 < n)};
    float resistance = 1 / middle, length = 1;
    for (int end = 0; end < 2; end++)
        if (inside[end] > 0.0f) {
            resistance += 0.5f / inside[end];
            length += 0.5f;
        }
    return length / resistance;
}

static float coarse_fraction(const Multigrid *mg, int depth, int axis, const int at[3])
{
    const Level *fine = &mg->levels[depth];
    const Transfer *t = &mg->transfers[depth];
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    int face[3] = {2 * at[0], 2 * at[1], 2 * at[2]};
    if (face[axis] > fine->cells[axis])
        face[axis] = fine->cells[axis];
    float sum = 0;
    for (int q = 0; q < 2; q++)
        for (int p = 0; p < 2; p++) {
            int here[3] = {face[0], face[1], face[2]};
            here[b] += p;
            here[c] += q;
            if (here[b] < fine->cells[b] && here[c] < fine->cells[c])
                sum += t->share[b][here[b]] * t->share[c][here[c]] * chain(fine, axis, here);
        }
    return sum;
}

/* The last fine row before those of a coarse row. The coarse row's chains start there. */
static int row_before(int coarse, int fine_cells)
{
    int row = 2 * coarse - 1 < fine_cells ? 2 * coarse - 1 : fine_cells - 1;
    return row > 0 ? row : 0;
}

/* Whether any fine row that coarse row (j, k) depends on is cut. */
static bool is_touched(const Level *fine, int j, int k)
{
    const int *n = fine->cells;
    for (int q = row_before(k, n[2]); q <= 2 * k + 1 && q < n[2]; q++)
        for (int p = row_before(j, n[1]); p <= 2 * j + 1 && p < n[1]; p++)
            if (level_row_is_cut(fine, p, q))
                return true;
    return false;
}

static void coarsen_row(const Multigrid *mg, int depth, int j, int k)
{
    const Level *fine = &mg->levels[depth], *coarse = fine + 1;
    bool touched = is_touched(fine, j, k);
    for (int axis = 0; axis < 3; axis++) {
        if ((axis != 1 && j == coarse->cells[1]) || (axis != 2 && k == coarse->cells[2]))
            continue;
        for (int i = 0; i < coarse->cells[0] + (axis == 0); i++)
            *face_fraction(coarse, axis, i, j, k) =
                touched ? coarse_fraction(mg, depth, axis, (const int[3]){i, j, k}) : 1;
    }
}

/* Computes the fractions of level depth + 1 from level depth, including the high faces of the last
 * cells. */
static void coarsen(const Multigrid *mg, int depth, Region changed, Team team)
{
    const Level *coarse = &mg->levels[depth + 1];
    int rows = coarse->cells[1] + 1;
    const Slab touched = {changed.low[2], changed.high[2]};
    Slab slab = team_slab_around(team, coarse->cells[2], touched);
    slab.end += slab_ends(slab, coarse->cells[2]);
    slab = slab_meet(slab, touched);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = changed.low[1]; j < changed.high[1] && j < rows; j++)
            coarsen_row(mg, depth, j, k);
    team_barrier(team);
}

void face_fractions_coarsen(const Multigrid *mg, Region changed, Team team)
{
    flag(&mg->levels[0], changed, team);
    for (int depth = 0; depth + 1 < mg->count; depth++) {
        for (int axis = 0; axis < 3; axis++) { /* the cells that depend on the region */
            changed.low[axis] = changed.low[axis] > 0 ? (changed.low[axis] - 1) / 2 : 0;
            changed.high[axis] = (changed.high[axis] + 1) / 2 + 1;
        }
        coarsen(mg, depth, changed, team);
        flag(&mg->levels[depth + 1], changed, team);
    }
}
