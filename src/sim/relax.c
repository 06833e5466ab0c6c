/* SPDX-License-Identifier: MIT */
#include "relax.h"

#include "constants.h"

#include <math.h>

/* 1/diagonal for a packed row depends on the parity of its first cell and on how many of its four
 * neighbours in y and z are not counted: 2 x 5 rows serve the whole box. */
enum { MISSING_MAX = 4 };

size_t relaxation_table_floats(const Grid *grid)
{
    return (size_t)grid->packed_y * 2 * (MISSING_MAX + 1);
}

static float *table_row(const Relaxation *r, int first, int missing)
{
    return r->inverse + (missing * 2 + first) * r->grid->packed_y;
}

void relaxation_prepare(Relaxation *r)
{
    for (int missing = 0; missing <= MISSING_MAX; missing++)
        for (int i = 0; i < r->cells[0]; i++) {
            int counted = 6 - missing - (i == 0 && !r->counted[BILLOW_LEFT]) -
                          (i == r->cells[0] - 1 && !r->counted[BILLOW_RIGHT]);
            float diagonal = r->base + r->weight * (float)counted;
            table_row(r, i & 1, missing)[i >> 1] = 1.0f / diagonal;
        }
}

static int missing_around(const Relaxation *r, int j, int k)
{
    return (j == 0 && !r->counted[BILLOW_FLOOR]) +
           (j == r->cells[1] - 1 && !r->counted[BILLOW_CEILING]) +
           (k == 0 && !r->counted[BILLOW_BACK]) +
           (k == r->cells[2] - 1 && !r->counted[BILLOW_FRONT]);
}

/* One colour of row (j, k): its cells i = 2m + first, and the other colour's around them. In the
 * other colour's row, i-1 is element m - 1 + first and i+1 is m + first; the rows next to it start
 * with the same parity as this one, so that there the neighbour is element m. */
static RelaxRow color_row(const Relaxation *r, int color, int j, int k, int *count)
{
    ptrdiff_t at = packed_row(r->grid, j, k), sy = r->grid->packed_y, sz = r->grid->packed_z;
    int first = (j + k + color) & 1;
    const float *other = r->x.color[1 - color] + at;
    *count = (r->cells[0] - first + 1) / 2;
    return (RelaxRow){
        .x = r->x.color[color] + at,
        .left = other - 1 + first,
        .right = other + first,
        .rhs = r->rhs.color[color] + at,
        .inverse = table_row(r, first, missing_around(r, j, k)),
        .low = {NULL, other - sy, other - sz},
        .high = {NULL, other + sy, other + sz},
    };
}

static void sweep_color(const Relaxation *r, int color, float omega, Slab slab)
{
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < r->cells[1]; j++) {
            int count;
            RelaxRow row = color_row(r, color, j, k, &count);
            r->kernels->relax->relax(&row, r->weight, omega, count);
        }
}

static RowWork plane_work(const Relaxation *r, int k)
{
    RowWork plane = {0, 0};
    for (int j = 0; j < r->cells[1]; j++)
        for (int color = 0; color < 2; color++) {
            int count;
            RelaxRow row = color_row(r, color, j, k, &count);
            RowWork work = r->kernels->relax->work(&row, r->weight, count);
            plane.rhs += work.rhs;
            plane.residual += work.residual;
        }
    return plane;
}

static double plane_residual(const Relaxation *r, int k)
{
    double squares = 0;
    for (int j = 0; j < r->cells[1]; j++)
        for (int color = 0; color < 2; color++) {
            int count;
            RelaxRow row = color_row(r, color, j, k, &count);
            squares += r->kernels->relax->residual(&row, r->weight, count);
        }
    return squares;
}

/* Every worker returns the same sum, taken over the planes in order. */
static double residual_squares(const Relaxation *r, Slab slab)
{
    for (int k = slab.begin; k < slab.end; k++)
        r->plane_squares[k] = plane_residual(r, k);
    team_barrier();
    double sum = sum_planes(r->plane_squares, r->cells[2]);
    team_barrier(); /* nobody overwrites the planes before all have summed */
    return sum;
}

/* A start this far too small knows nothing of the problem, and its multiple may not fit a float. */
#define SCALE_MAX 1e6

/* Of all multiples of x, s*x with s = x.b / x.Ax has the least energy x.Ax/2 - x.b; for the
 * pressure that is the kinetic energy left after projection. Since 0 is one of the multiples and
 * relaxation never raises this energy for 0 < omega < 2, no start, however stale, can feed the
 * flow. */
void relaxation_scale_start(const Relaxation *r, Team team)
{
    Slab slab = team_slab(team, r->cells[2]);
    for (int k = slab.begin; k < slab.end; k++) {
        RowWork plane = plane_work(r, k);
        r->plane_squares[k] = plane.rhs;
        r->plane_sums[k] = plane.rhs - plane.residual;
    }
    team_barrier();
    double along = sum_planes(r->plane_squares, r->cells[2]);
    double curvature = sum_planes(r->plane_sums, r->cells[2]);
    double scale = along > 0 && curvature > 0 ? along / curvature : 0;
    if (!(scale < SCALE_MAX))
        scale = 0;
    team_barrier();
    for (int k = slab.begin; k < slab.end; k++)
        for (int color = 0; color < 2; color++)
            for (int j = 0; j < r->cells[1]; j++) {
                int count;
                RelaxRow row = color_row(r, color, j, k, &count);
                r->kernels->relax->scale((float)scale, count, row.x);
            }
    team_barrier();
}

int relaxation_solve(const Relaxation *r, Team team)
{
    Slab slab = team_slab(team, r->cells[2]);
    double goal = (double)r->tolerance * r->rhs_norm;
    int sweep = 0;
    while (sweep < r->sweeps) {
        sweep++;
        float omega = sweep == r->sweeps ? 1.0f : r->omega;
        for (int color = 0; color < 2; color++) {
            sweep_color(r, color, omega, slab);
            team_barrier();
        }
        if (goal > 0 && sweep % SWEEPS_PER_CHECK == 0 && residual_squares(r, slab) <= goal * goal)
            break;
    }
    return sweep;
}

/* Where the even and odd cells of row (j, k) go: the even ones to colour (j+k) & 1. */
void relaxation_pack_row(const Relaxation *r, const float *row, int j, int k, Packed out)
{
    ptrdiff_t at = packed_row(r->grid, j, k);
    int even = (j + k) & 1;
    r->kernels->relax->pack(row, r->cells[0], out.color[even] + at, out.color[1 - even] + at);
}

void relaxation_unpack_row(const Relaxation *r, Packed packed, int j, int k, float *row)
{
    ptrdiff_t at = packed_row(r->grid, j, k);
    int even = (j + k) & 1;
    r->kernels->relax->unpack(packed.color[even] + at, packed.color[1 - even] + at, r->cells[0], row);
}
