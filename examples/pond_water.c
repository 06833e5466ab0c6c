/* SPDX-License-Identifier: MIT
 *
 * The water of pond_water.h. Velocity u, v and pressure p on a staggered mesh: p at the centres of
 * the cells, u on their faces along x, v on their faces along y. As in the paper the surface stands
 * as high above its rest as the pressure says, h = p / (rho g). In the order of the step:
 *
 *     (1) advection   u(r) <- u(r - dt u), interpolated between 4 faces, both components
 *     (2) viscosity   u <- u + dt nu laplacian(u); the velocity of walls is 0
 *     (3) pressure    u <- (u - dt g grad(h)) / (1 + dt drag)
 *     (4) boundaries  u = 0 on the faces of dry cells; on the face that a body covers by the part
 *                     a, u <- (1 - a) u + a U with the velocity U of the body
 *     (5) continuity  h <- h - dt div(D u), with the depth at rest D
 *
 * (1) to (4) are the Navier-Stokes equations. An incompressible flow has div(D u) = 0, and then no
 * pressure would ever travel: a boat would move all water of the pond at once. (5) is Chorin's
 * artificial compressibility (1967), dp/dt + rho c^2 div(u) = 0. With c^2 = g D it is more than an
 * artifice: it says that water which flows together rises, and (3) with (5) are the linear
 * equations of shallow water. Where the flow is steady, or slow against c, what is left is the
 * incompressible flow of the paper.
 *
 * What it shows: waves that run at c = sqrt(g D) from boats and drops, are reflected by walls and
 * bend around islands; the wake of a boat faster than c, whose arms stand at asin(c / U) to its
 * course, the Mach angle; eddies and currents that last.
 *
 * What it cannot show: dispersion. Waves of all lengths have the same speed, so there is no wake of
 * Kelvin's 19.47 degrees behind slow boats, which comes from short waves being slower than long
 * ones. Nor breaking waves, or waves that steepen: (5) is linear, for heights small against the
 * depth. Waves of a few cells are slower than c, which is an error of the mesh.
 *
 * Volume: (5) moves water through faces alone, so the sum of h changes by rounding only.
 *
 * Largest step. A wave with the wave number k, l = k^2 <= 8 / cell^2 on the mesh, has
 *
 *     u' = (1 - dt nu l) u - i k g dt h,    h' = h - i k D dt u'
 *
 * Its two factors of growth have the product 1 - dt nu l and the sum 2 - dt nu l - dt^2 c^2 l. Both
 * are at most 1 in size exactly if dt^2 c^2 l + 2 dt nu l <= 4. With the largest l and c that is
 * dt <= s,
 *
 *     s = (sqrt(nu^2 + c^2 cell^2 / 2) - nu) / c^2
 *
 * Drag and boundaries scale the velocity and the pressure's push alike, and enlarge the bound. A
 * current U advects u but not h, by (1) and (5). Of long waves this feeds c U dt k^2 / 4 to one of
 * the two, and the interpolation takes U (cell - U dt) k^2 / 4 from both. The second is larger if
 * (c + U) dt < cell. Both bounds are kept, along the diagonal too, by
 *
 *     (6) 1 / dt = 1 / s + sqrt(2) U / cell,    U = fastest */
#include "pond_water.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The mesh has one dry cell more on each side. Cell c has the faces u[c] and u[c + 1] along x,
 * v[c] and v[c + stride] along y. All fields are slices of one allocation. */
struct PondWater {
    int nx, ny;
    size_t stride, count; /* cells of a row and of all rows, with the dry ones around */
    float cell, gravity, viscosity, drag, fastest;
    double largest_step;
    bool moves;               /* whether any cell moves */
    float *depth, *h;         /* of cells */
    float *depth_u, *depth_v; /* of faces: the mean of both cells, 0 = closed */
    float *u, *v, *u0, *v0;
    float *part, *part_u, *part_v; /* of moving cells: part covered, and that times the velocity */
};

enum { FIELDS = 11, SIDE_MOST = 4096 };

static size_t at(const PondWater *water, int i, int j)
{
    return (size_t)(i + 1) + water->stride * (size_t)(j + 1);
}

static bool inside(const PondWater *water, int i, int j)
{
    return i >= 0 && i < water->nx && j >= 0 && j < water->ny;
}

/* -- create ---------------------------------------------------------------------------------- */

PondWaterDef pond_water_default_def(void)
{
    return (PondWaterDef){
        .cell = 0.1f, .gravity = 9.81f, .viscosity = 0.002f, .drag = 0.05f, .fastest = 5};
}

static bool is_possible(const PondWaterDef *def)
{
    if (def->nx < 1 || def->nx > SIDE_MOST || def->ny < 1 || def->ny > SIDE_MOST ||
        def->depth == NULL)
        return false;
    for (int c = 0; c < def->nx * def->ny; c++)
        if (!isfinite(def->depth[c]))
            return false;
    return isfinite(def->cell) && def->cell > 0 && isfinite(def->gravity) && def->gravity > 0 &&
           isfinite(def->viscosity) && def->viscosity >= 0 && isfinite(def->drag) &&
           def->drag >= 0 && isfinite(def->fastest) && def->fastest >= 0;
}

static void set_depths(PondWater *water, const float *depth)
{
    size_t stride = water->stride;
    for (int j = 0; j < water->ny; j++)
        for (int i = 0; i < water->nx; i++)
            water->depth[at(water, i, j)] = fmaxf(depth[i + j * water->nx], 0);
    for (int j = 0; j <= water->ny; j++)
        for (int i = 0; i <= water->nx; i++) {
            size_t c = at(water, i, j);
            float here = water->depth[c], left = water->depth[c - 1],
                  below = water->depth[c - stride];
            water->depth_u[c] = here > 0 && left > 0 ? 0.5f * (here + left) : 0;
            water->depth_v[c] = here > 0 && below > 0 ? 0.5f * (here + below) : 0;
        }
}

/* (6) */
static double stable_step(const PondWater *water)
{
    double deepest = 0, cell = (double)water->cell, nu = (double)water->viscosity;
    for (size_t c = 0; c < water->count; c++)
        deepest = fmax(deepest, (double)water->depth[c]);
    double c2 = (double)water->gravity * fmax(deepest, 1e-6);
    double s = cell * cell / 2 / (sqrt(nu * nu + c2 * cell * cell / 2) + nu);
    return 1 / (1 / s + sqrt(2) * (double)water->fastest / cell);
}

PondWater *pond_water_create(const PondWaterDef *def)
{
    if (!is_possible(def))
        return NULL;
    size_t stride = (size_t)def->nx + 2, count = stride * ((size_t)def->ny + 2);
    PondWater *water = calloc(1, sizeof *water + FIELDS * count * sizeof(float));
    if (water == NULL)
        return NULL;
    *water = (PondWater){.nx = def->nx,
                         .ny = def->ny,
                         .stride = stride,
                         .count = count,
                         .cell = def->cell,
                         .gravity = def->gravity,
                         .viscosity = def->viscosity,
                         .drag = def->drag,
                         .fastest = def->fastest};
    float *floats = (float *)(water + 1);
    float **slices[FIELDS] = {&water->depth, &water->h,      &water->depth_u, &water->depth_v,
                              &water->u,     &water->v,      &water->u0,      &water->v0,
                              &water->part,  &water->part_u, &water->part_v};
    for (size_t s = 0; s < FIELDS; s++)
        *slices[s] = floats + s * count;
    set_depths(water, def->depth);
    water->largest_step = stable_step(water);
    return water;
}

void pond_water_destroy(PondWater *water)
{
    free(water);
}

void pond_water_reset(PondWater *water)
{
    memset(water->h, 0, water->count * sizeof *water->h);
    memset(water->u, 0, 2 * water->count * sizeof *water->u); /* v follows */
    pond_water_free_cells(water);
}

double pond_water_largest_step(const PondWater *water)
{
    return water->largest_step;
}

/* -- step ------------------------------------------------------------------------------------ */

/* Value of a field at x, y, in cells from the field's value of index 0, 0. */
static float sample(const PondWater *water, const float *field, float x, float y)
{
    x = clampf(x, 0, (float)water->stride - 1.001f);
    y = clampf(y, 0, (float)water->ny + 0.999f);
    int i = (int)x, j = (int)y;
    float s = x - (float)i, t = y - (float)j;
    const float *f = field + (size_t)i + water->stride * (size_t)j;
    return (1 - t) * ((1 - s) * f[0] + s * f[1]) +
           t * ((1 - s) * f[water->stride] + s * f[water->stride + 1]);
}

/* (1) from u, v to u0, v0. Open faces have a wet cell on both sides, so the four faces of the other
 * component around them exist. */
static void advect(PondWater *water, float dt)
{
    const float *u = water->u, *v = water->v;
    size_t stride = water->stride;
    float scale = dt / water->cell;
    for (int j = 1; j <= water->ny; j++)
        for (int i = 1; i <= water->nx; i++) {
            size_t c = (size_t)i + stride * (size_t)j;
            if (water->depth_u[c] > 0) {
                float across = 0.25f * (v[c - 1] + v[c] + v[c - 1 + stride] + v[c + stride]);
                water->u0[c] = sample(water, u, (float)i - scale * u[c], (float)j - scale * across);
            }
            if (water->depth_v[c] > 0) {
                float across = 0.25f * (u[c - stride] + u[c] + u[c + 1 - stride] + u[c + 1]);
                water->v0[c] = sample(water, v, (float)i - scale * across, (float)j - scale * v[c]);
            }
        }
}

/* (2), (3) and the limit of the velocity, of one component, from x0 to x. `before` is the distance
 * from a cell to the one before it along the component. */
static void push(const PondWater *water, float dt, size_t before, const float *depth,
                 const float *x0, float *x)
{
    const float *h = water->h;
    size_t stride = water->stride;
    float diffusion = dt * water->viscosity / (water->cell * water->cell);
    float slope = dt * water->gravity / water->cell, brake = 1 / (1 + dt * water->drag);
    for (size_t c = stride + 1; c < water->count - stride - 1; c++) {
        float laplacian = x0[c - 1] + x0[c + 1] + x0[c - stride] + x0[c + stride] - 4 * x0[c];
        float pushed = brake * (x0[c] + diffusion * laplacian - slope * (h[c] - h[c - before]));
        x[c] = depth[c] > 0 ? clampf(pushed, -water->fastest, water->fastest) : 0;
    }
}

/* (4) on the faces of one component. */
static void move(const PondWater *water, size_t before, const float *depth, const float *part_x,
                 float *x)
{
    const float *part = water->part;
    for (size_t c = before; c < water->count; c++) {
        float covered = 0.5f * (part[c] + part[c - before]);
        if (covered > 0 && depth[c] > 0)
            x[c] = (1 - covered) * x[c] + 0.5f * (part_x[c] + part_x[c - before]);
    }
}

/* (5) */
static void continuity(PondWater *water, float dt)
{
    const float *u = water->u, *v = water->v, *depth_u = water->depth_u, *depth_v = water->depth_v;
    size_t stride = water->stride;
    float scale = dt / water->cell;
    for (size_t c = stride + 1; c < water->count - stride - 1; c++)
        water->h[c] -= scale * (depth_u[c + 1] * u[c + 1] - depth_u[c] * u[c] +
                                depth_v[c + stride] * v[c + stride] - depth_v[c] * v[c]);
}

bool pond_water_step(PondWater *water, double dt)
{
    if (!(dt > 0 && dt <= water->largest_step))
        return false;
    advect(water, (float)dt);
    push(water, (float)dt, 1, water->depth_u, water->u0, water->u);
    push(water, (float)dt, water->stride, water->depth_v, water->v0, water->v);
    if (water->moves) {
        move(water, 1, water->depth_u, water->part_u, water->u);
        move(water, water->stride, water->depth_v, water->part_v, water->v);
    }
    continuity(water, (float)dt);
    return true;
}

/* -- moving boundaries and pressure ---------------------------------------------------------- */

void pond_water_move_cell(PondWater *water, int i, int j, float part, float u, float v)
{
    if (!pond_water_wet(water, i, j) || !(part > 0))
        return;
    size_t c = at(water, i, j);
    part = fminf(part, 1);
    if (part <= water->part[c])
        return;
    water->moves = true;
    water->part[c] = part;
    water->part_u[c] = isnan(u) ? 0 : part * clampf(u, -water->fastest, water->fastest);
    water->part_v[c] = isnan(v) ? 0 : part * clampf(v, -water->fastest, water->fastest);
}

void pond_water_free_cells(PondWater *water)
{
    if (water->moves)
        memset(water->part, 0, 3 * water->count * sizeof *water->part); /* part_u, part_v follow */
    water->moves = false;
}

double pond_water_add(PondWater *water, int i, int j, float height)
{
    if (!pond_water_wet(water, i, j) || !isfinite(height))
        return 0;
    float *h = &water->h[at(water, i, j)], before = *h;
    *h = before + height;
    return ((double)*h - (double)before) * (double)water->cell * (double)water->cell;
}

double pond_water_add_drop(PondWater *water, float x, float y, float radius, float height)
{
    double volume = 0;
    float cell = water->cell;
    if (!(fabsf(x) < 1e6f * cell && fabsf(y) < 1e6f * cell && radius > 0 && radius < 1e6f * cell))
        return 0;
    int i0 = (int)floorf((x - radius) / cell), i1 = (int)ceilf((x + radius) / cell);
    int j0 = (int)floorf((y - radius) / cell), j1 = (int)ceilf((y + radius) / cell);
    for (int j = j0 < 0 ? 0 : j0; j < j1 && j < water->ny; j++)
        for (int i = i0 < 0 ? 0 : i0; i < i1 && i < water->nx; i++) {
            float dx = ((float)i + 0.5f) * cell - x, dy = ((float)j + 0.5f) * cell - y;
            float inner = 1 - (dx * dx + dy * dy) / (radius * radius);
            if (inner > 0)
                volume += pond_water_add(water, i, j, height * inner * inner);
        }
    return volume;
}

/* -- what is there --------------------------------------------------------------------------- */

bool pond_water_wet(const PondWater *water, int i, int j)
{
    return inside(water, i, j) && water->depth[at(water, i, j)] > 0;
}

bool pond_water_wet_at(const PondWater *water, float x, float y)
{
    float i = floorf(x / water->cell), j = floorf(y / water->cell);
    return i >= 0 && i < (float)water->nx && j >= 0 && j < (float)water->ny &&
           pond_water_wet(water, (int)i, (int)j);
}

float pond_water_depth(const PondWater *water, int i, int j)
{
    return inside(water, i, j) ? water->depth[at(water, i, j)] : 0;
}

float pond_water_height(const PondWater *water, int i, int j)
{
    return inside(water, i, j) ? water->h[at(water, i, j)] : 0;
}

const float *pond_water_heights(const PondWater *water)
{
    return water->h + water->stride + 1;
}

size_t pond_water_stride(const PondWater *water)
{
    return water->stride;
}

void pond_water_velocity(const PondWater *water, float x, float y, float velocity[2])
{
    float i = x / water->cell + 1, j = y / water->cell + 1;
    velocity[0] = sample(water, water->u, i, j - 0.5f);
    velocity[1] = sample(water, water->v, i - 0.5f, j);
}

double pond_water_volume(const PondWater *water)
{
    double sum = 0;
    for (size_t c = 0; c < water->count; c++)
        sum += (double)water->h[c];
    return sum * (double)water->cell * (double)water->cell;
}
