/* SPDX-License-Identifier: MIT
 *
 * Boundary conditions at the faces of the box: given values, ghosts, and sample bounds. */
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"

#include <math.h>

/* Whether any face is of one of these kinds, which follow each other in the enumeration. */
static bool any_face(const BillowDef *def, BillowFace first, BillowFace last)
{
    bool any = false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        any = any || (def->faces[side] >= first && def->faces[side] <= last);
    return any;
}

bool boundary_closed(const BillowDef *def)
{
    return !any_face(def, BILLOW_OPEN, BILLOW_OPEN);
}

bool boundary_streams(const BillowDef *def)
{
    return any_face(def, BILLOW_INFLOW, BILLOW_PERIODIC);
}

bool boundary_has_ghosts(const BillowDef *def)
{
    return any_face(def, BILLOW_NO_SLIP, BILLOW_PERIODIC);
}

const char *boundary_side_name(BillowSide side)
{
    static const char *const names[BILLOW_SIDES] = {"left",    "right", "floor",
                                                    "ceiling", "back",  "front"};
    return names[side];
}

bool boundary_needs_gap(const BillowDef *def)
{
    return boundary_has_ghosts(def) && def->faces[BILLOW_FRONT] == BILLOW_OPEN;
}

bool boundary_is_given(const BillowDef *def, BillowSide side, int field)
{
    BillowFace face = def->faces[side];
    return face == BILLOW_INFLOW || (face == BILLOW_NO_SLIP && field < 3) ||
           (field == SCALAR_TEMPERATURE && def->boundaries[side].isothermal);
}

static int cells_along(const BillowDef *def, int axis)
{
    return axis == 0 ? def->nx : axis == 1 ? def->ny : def->nz;
}

/* The parabola 4 s (1 - s) across n cells, 0 outside. Returns its value at face i if `face` is
 * true, and otherwise its mean over cell i. The sum of the means is the parabola's exact integral
 * for any n. */
static double parabola(int n, int i, bool face)
{
    if (i < 0 || i > n - !face)
        return 0;
    double a = (double)i / n, b = (i + 1.0) / n;
    return face ? 4 * a * (1 - a) : 2 * (a + b) - 4.0 / 3 * (a * a + a * b + b * b);
}

float boundary_value(const BillowDef *def, BillowSide side, int field, int p, int q)
{
    const BillowBoundary *boundary = &def->boundaries[side];
    if (field >= SCALAR_DENSITY)
        switch (scalar_inflow(field)) {
        case INFLOW_SMOKE:
            return boundary->smoke;
        case INFLOW_HEAT:
            return boundary->isothermal ? boundary->temperature : boundary->heat;
        case INFLOW_NOTHING:
            return 0;
        }
    if (boundary->profile == BILLOW_UNIFORM)
        return boundary->velocity[field];
    int axis = (int)side / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    double share = boundary_wraps(def, a) ? 1 : parabola(cells_along(def, a), p, a == field);
    share *= boundary_wraps(def, b) ? 1 : parabola(cells_along(def, b), q, b == field);
    return (float)((double)boundary->velocity[field] * share);
}

double boundary_flow(const BillowDef *def, BillowSide side)
{
    const BillowBoundary *boundary = &def->boundaries[side];
    if (def->faces[side] != BILLOW_INFLOW)
        return 0;
    int axis = (int)side / 2;
    double h = (double)def->cell_size, flow = fabs((double)boundary->velocity[axis]) * h * h;
    for (int other = 0; other < 3; other++) {
        bool curved = boundary->profile == BILLOW_PARABOLIC && !boundary_wraps(def, other);
        flow *= other == axis ? 1 : cells_along(def, other) * (curved ? 2.0 / 3 : 1);
    }
    return flow;
}

double boundary_speed(const BillowDef *def)
{
    double most = 0;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const float *v = def->boundaries[side].velocity;
        double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                            (double)v[2] * (double)v[2]);
        most = speed > most ? speed : most;
    }
    return most;
}

/* -- ghosts ------------------------------------------------------------------------------------ */

typedef enum Ghosts { KEEP, CLEAR, MIRROR, GIVE, REPEAT } Ghosts;

static Ghosts ghosts_of(const BillowDef *def, int side, int field)
{
    BillowFace face = def->faces[side];
    if (face == BILLOW_PERIODIC)
        return side % 2 == 0 ? KEEP : REPEAT;
    if (field == side / 2) /* the last face of the box is stored in place of the ghost */
        return side % 2 == 0 ? CLEAR : KEEP;
    if (face == BILLOW_OPEN)
        return CLEAR;
    if (face == BILLOW_INFLOW)
        return GIVE;
    return face == BILLOW_NO_SLIP && field < 3 ? MIRROR : KEEP;
}

typedef struct Fill {
    const BillowDef *def;
    int field, side;
    Ghosts ghosts;
    float *ghost;
    ptrdiff_t inwards; /* offset from a ghost to the element that its value is made from, floats */
} Fill;

static Fill fill_of(const BillowDef *def, const Grid *grid, int field, float *values, int side)
{
    ptrdiff_t stride = grid->strides[side / 2], around = -grid->cells[side / 2] * stride;
    Ghosts ghosts = ghosts_of(def, side, field);
    return (Fill){.def = def,
                  .field = field,
                  .side = side,
                  .ghosts = ghosts,
                  .ghost = values + (side % 2 == 0 ? -stride : -around),
                  .inwards = ghosts == REPEAT ? around
                             : side % 2 == 0  ? stride
                                              : -stride};
}

/* Fills one ghost, which is `at` floats from the first ghost. p and q are its indices along the
 * other two axes. */
static void fill_one(const Fill *fill, ptrdiff_t at, int p, int q)
{
    float *ghost = fill->ghost + at;
    if (fill->ghosts == CLEAR)
        *ghost = 0;
    else if (fill->ghosts == REPEAT)
        *ghost = ghost[fill->inwards];
    else if (fill->ghosts == GIVE)
        *ghost = boundary_value(fill->def, (BillowSide)fill->side, fill->field, p, q);
    else
        *ghost = 2 * boundary_value(fill->def, (BillowSide)fill->side, fill->field, p, q) -
                 ghost[fill->inwards];
}

/* Repeats a row beyond its ends, as far as the sharp kernel reaches. */
static void turn_row(const Grid *grid, float *row)
{
    int n = grid->nx;
    for (int i = 1; i <= 2; i++)
        row[-i] = row[n - i];
    for (int i = 0; i <= 2; i++)
        row[n + i] = row[i];
}

static bool is_idle(const Smoke *smoke, int j, int k)
{
    return smoke != NULL && smoke_span(smoke, j, k).begin >= smoke_span(smoke, j, k).end;
}

/* Fills the ghosts of plane k beyond a side across x or y. */
static void fill_plane(const Fill *fill, const Grid *grid, const Smoke *smoke, int side, int rows,
                       int k)
{
    if (side > BILLOW_RIGHT) {
        if (!is_idle(smoke, 0, k) || !is_idle(smoke, grid->ny - 1, k))
            for (int i = -1; i <= grid->nx; i++)
                fill_one(fill, grid_row(grid, 0, k) + i, i, k);
        return;
    }
    for (int j = 0; j < rows; j++)
        if (!is_idle(smoke, j < grid->ny ? j : grid->ny - 1, k))
            fill_one(fill, grid_row(grid, j, k), j, k);
}

/* Fills one axis after the other. Each axis also fills edges, from the ghosts of earlier axes. v
 * has one more row than there are cells. Along x the element after the last cell is filled too,
 * which for u is the last face. Row -1 of v shares memory with the last row of the plane below and
 * is not filled (grid.h). */
void boundary_fill(const BillowDef *def, const Grid *grid, const Smoke *smoke, int field,
                   float *values, Team team)
{
    Slab slab = team_slab(team, grid->nz);
    int end = slab.end == grid->nz && field == 2 ? slab.end + 1 : slab.end;
    const int rows = grid->ny + (field == 1);
    for (int side = BILLOW_LEFT; side <= BILLOW_CEILING; side++) {
        Fill fill = fill_of(def, grid, field, values, side);
        for (int k = slab.begin; k < end && fill.ghosts != KEEP; k++)
            fill_plane(&fill, grid, smoke, side, rows, k);
    }
    if (boundary_wraps(def, 0))
        for (int k = slab.begin; k < end; k++)
            for (int j = 0; j < rows; j++)
                if (!is_idle(smoke, j, k))
                    turn_row(grid, values + grid_row(grid, j, k));
}

void boundary_fill_ends(const BillowDef *def, const Grid *grid, const Smoke *smoke, int field,
                        float *values, Team team)
{
    for (int side = BILLOW_BACK; side <= BILLOW_FRONT; side++) {
        Fill fill = fill_of(def, grid, field, values, side);
        if (fill.ghosts == KEEP || (side - BILLOW_BACK) % team.count != team.index)
            continue;
        for (int j = field == 1 ? 0 : -1; j <= grid->ny; j++) {
            const int row = j < 0 ? 0 : j < grid->ny ? j : grid->ny - 1;
            if (!is_idle(smoke, row, 0) || !is_idle(smoke, row, grid->nz - 1))
                for (int i = -1; i <= grid->nx; i++)
                    fill_one(&fill, grid_row(grid, j, 0) + i, i, j);
        }
    }
}

/* -------------------------------------------------------------------------------------------- */

SampleBounds bounds_of_cells(const BillowDef *def, const Grid *grid)
{
    SampleBounds bounds = {
        .stride_y = (int)grid->stride_y,
        .stride_z = (int)grid->stride_z,
        .low = {1, 1, 1},
        .high = {(float)grid->nx, (float)grid->ny, (float)grid->nz},
    };
    for (int axis = 0; axis < 3; axis++)
        if (boundary_wraps(def, axis)) {
            bounds.wraps = true;
            bounds.turn[axis] = bounds.high[axis];
        }
    return bounds;
}

SampleBounds bounds_of_faces(const BillowDef *def, const Grid *grid, int axis)
{
    SampleBounds bounds = bounds_of_cells(def, grid);
    bounds.high[axis] += 1; /* the last face */
    return bounds;
}

SampleBounds bounds_short_of_next(SampleBounds bounds, int axis)
{
    bounds.high[axis] = nextafterf(bounds.high[axis], 0);
    return bounds;
}

/* Moves the end of the bounds at a side outwards. */
static void extend(SampleBounds *bounds, int side, float extent)
{
    if (side % 2 == 0)
        bounds->low[side / 2] -= extent;
    else
        bounds->high[side / 2] += extent;
}

SampleBounds bounds_with_given(const BillowDef *def, SampleBounds bounds, int field)
{
    for (int side = 0; side < BILLOW_SIDES; side++) {
        BillowFace face = def->faces[side];
        bool sticks = face == BILLOW_NO_SLIP && field < 3;
        float extent = face == BILLOW_INFLOW ? 1.0f : sticks ? 0.5f : 0.0f;
        if (field != side / 2)
            extend(&bounds, side, extent);
    }
    return bounds;
}

SampleBounds bounds_with_open(const BillowDef *def, SampleBounds bounds)
{
    for (int side = 0; side < BILLOW_SIDES; side++)
        extend(&bounds, side, def->faces[side] == BILLOW_OPEN ? 1 : 0);
    return bounds;
}
