/* SPDX-License-Identifier: MIT
 *
 * (4) of surface_flow.c. A velocity component is a flux through the cell: sqrt(g) u^s leaves the
 * halves of the cell at s = 0 and enters those at s = 1. Each grid point gets its share of a
 * quarter of the cell, and what one quarter loses another one gains, so that the sum over the
 * surface is 0:
 *
 *     D(u) at (0,0) = (fs + ft) / 2,  at (1,0) = (ft - fs) / 2,  and opposite at (1,1) and (0,1),
 *     fs = sqrt(g) u^s,  ft = sqrt(g) u^t,
 *     dp/ds = (p10 + p11 - p00 - p01) / 2,  dp/dt = (p01 + p11 - p00 - p10) / 2
 *
 * The sum of p D(u) over grid points is minus the sum of fs dp/ds + ft dp/dt over cells. So the
 * matrix D(grad p) is symmetric, and after the solution D(u) is 0 up to its tolerance, also where 3
 * or 5 patches meet. Conjugate gradients solve it, preconditioned by the diagonals of the matrix on
 * grids of n, n/2, n/4, ... cells, whose corrections are added (Bramble, Pasciak, Xu 1990). */
#include "surface_pressure.h"

#include <stdlib.h>
#include <string.h>

static const int iterations_most = 300;

/* -- the matrix -------------------------------------------------------------------------------- */

static void add_outflow(const int corner[4], double fs, double ft, double *outflow)
{
    outflow[corner[0]] += 0.5 * (fs + ft);
    outflow[corner[1]] += 0.5 * (ft - fs);
    outflow[corner[2]] -= 0.5 * (fs + ft);
    outflow[corner[3]] += 0.5 * (fs - ft);
}

void velocity_outflow(const Mesh *mesh, const double *us, const double *ut, double *outflow)
{
    memset(outflow, 0, mesh->points * sizeof *outflow);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        double area = mesh->cell[c].area;
        add_outflow(mesh->cell[c].corner, area * us[c], area * ut[c], outflow);
    }
}

/* sqrt(g) times the gradient of p in a cell. */
static void gradient_flux(const Stencil *cell, const double *p, double *fs, double *ft)
{
    double p0 = p[cell->corner[0]], p1 = p[cell->corner[1]];
    double p2 = p[cell->corner[2]], p3 = p[cell->corner[3]];
    double ps = 0.5 * (p1 + p2 - p0 - p3), pt = 0.5 * (p2 + p3 - p0 - p1);
    *fs = cell->ass * ps + cell->ast * pt;
    *ft = cell->ast * ps + cell->att * pt;
}

/* Outflow of the gradient of p. */
static void gradient_outflow(const Projection *projection, const Mesh *mesh, const double *p,
                             double *outflow)
{
    memset(outflow, 0, mesh->points * sizeof *outflow);
    for (size_t k = 0; k < mesh->inner; k++) {
        const Stencil *cell = &projection->stencil[k];
        double fs, ft;
        gradient_flux(cell, p, &fs, &ft);
        add_outflow(cell->corner, fs, ft, outflow);
    }
}

static Stencil stencil_of(const Cell *cell)
{
    Stencil stencil = {.ass = cell->area * dot(cell->dual_s, cell->dual_s),
                       .ast = cell->area * dot(cell->dual_s, cell->dual_t),
                       .att = cell->area * dot(cell->dual_t, cell->dual_t)};
    memcpy(stencil.corner, cell->corner, sizeof stencil.corner);
    return stencil;
}

/* -- levels ------------------------------------------------------------------------------------ */

/* The corners of cell i, j of a level among the grid points of another one that divides it. */
static void corners_in(const Mesh *mesh, int n, int patch, int i, int j, int finer, int corner[4])
{
    int step = finer / n;
    for (int c = 0; c < 4; c++)
        corner[c] = (int)mesh_point(mesh, finer, patch, step * (i + (c == 1 || c == 2)),
                                    step * (j + (c >= 2)));
}

/* The diagonal from the geometry of the level's cells. A cell may be degenerate there, and a vertex
 * may have no cell: these have the diagonal of a square grid. */
static void set_diagonal(const Mesh *mesh, Level *level)
{
    for (int patch = 0; patch < mesh->patches; patch++)
        for (int j = 0; j < level->n; j++)
            for (int i = 0; i < level->n; i++) {
                int corner[4], finest[4];
                corners_in(mesh, level->n, patch, i, j, level->n, corner);
                corners_in(mesh, level->n, patch, i, j, mesh->n, finest);
                Cell cell = mesh_measure(mesh, finest);
                Stencil stencil = stencil_of(&cell);
                for (int c = 0; c < 4; c++)
                    level->diagonal[corner[c]] += 0.25 * (stencil.ass + stencil.att) +
                                                  (c % 2 == 0 ? 0.5 : -0.5) * stencil.ast;
            }
    for (size_t p = 0; p < level->points; p++)
        if (!(level->diagonal[p] > 0.01 && level->diagonal[p] < 100))
            level->diagonal[p] = 2;
}

/* Grid points of a level that are corners, mid-points of edges, and centres of the next level's
 * cells are the means of 1, 2 and 4 corners. */
static void set_parents(const Mesh *mesh, const Level *level)
{
    static const int mid_s[4] = {1, 2, 1, 0}, mid_t[4] = {0, 1, 2, 1};
    int n = level->n;
    for (int patch = 0; patch < mesh->patches; patch++)
        for (int j = 0; j < n / 2; j++)
            for (int i = 0; i < n / 2; i++) {
                int to[4], from[4];
                corners_in(mesh, n / 2, patch, i, j, n / 2, to);
                corners_in(mesh, n / 2, patch, i, j, n, from);
                int *centre = level->parent[mesh_point(mesh, n, patch, 2 * i + 1, 2 * j + 1)];
                for (int c = 0; c < 4; c++) {
                    int *mid = level->parent[mesh_point(mesh, n, patch, 2 * i + mid_s[c],
                                                        2 * j + mid_t[c])];
                    centre[c] = to[c];
                    mid[0] = mid[1] = to[c];
                    mid[2] = mid[3] = to[(c + 1) % 4];
                    for (int k = 0; k < 4; k++)
                        level->parent[from[c]][k] = to[c];
                }
            }
}

static bool level_create(Level *level, const Mesh *mesh, int n)
{
    size_t inside = (size_t)n - 1;
    level->n = n;
    level->points = (size_t)mesh->vertices + (size_t)mesh->edges * inside +
                    (size_t)mesh->patches * inside * inside;
    level->parent = calloc(level->points, sizeof *level->parent);
    level->diagonal = calloc(3 * level->points, sizeof *level->diagonal);
    if (level->parent == NULL || level->diagonal == NULL)
        return false;
    level->residual = level->diagonal + level->points;
    level->change = level->residual + level->points;
    set_diagonal(mesh, level);
    if (n > 1)
        set_parents(mesh, level);
    return true;
}

void projection_free(Projection *projection)
{
    for (int l = 0; l < LEVELS_MOST; l++) {
        free(projection->level[l].parent);
        free(projection->level[l].diagonal);
    }
    free(projection->stencil);
    free(projection->pressure);
    *projection = (Projection){0};
}

bool projection_create(Projection *projection, const Mesh *mesh)
{
    *projection = (Projection){.stencil = calloc(mesh->inner, sizeof *projection->stencil),
                               .pressure = calloc(6 * mesh->points, sizeof(double))};
    bool done = projection->stencil != NULL && projection->pressure != NULL;
    for (int n = mesh->n; done && n >= 1; n /= 2)
        done = level_create(&projection->level[projection->levels++], mesh, n);
    if (!done) {
        projection_free(projection);
        return false;
    }
    projection->divergence = projection->pressure + mesh->points;
    projection->direction = projection->divergence + mesh->points;
    projection->image = projection->direction + mesh->points;
    projection->uniform = projection->image + mesh->points;
    projection->chequered = projection->uniform + mesh->points;
    for (size_t p = 0; p < mesh->points; p++) { /* two equal parents: the middle of an edge */
        const int *parent = projection->level[0].parent[p];
        projection->uniform[p] = 1;
        projection->chequered[p] = parent[0] == parent[1] && parent[1] != parent[2] ? -1 : 1;
    }
    for (size_t k = 0; k < mesh->inner; k++)
        projection->stencil[k] = stencil_of(&mesh->cell[mesh->inside[k]]);
    return true;
}

/* -- conjugate gradients ----------------------------------------------------------------------- */

/* Adds a quarter of each value to each parent. */
static void restrict_to(const Level *level, const double *values, Level *next)
{
    memset(next->residual, 0, next->points * sizeof *next->residual);
    for (size_t p = 0; p < level->points; p++)
        for (int k = 0; k < 4; k++)
            next->residual[level->parent[p][k]] += 0.25 * values[p];
}

/* The mean of the parents' changes. */
static double prolonged(const Level *level, const Level *next, size_t p)
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += next->change[level->parent[p][k]];
    return 0.25 * sum;
}

/* Adds what the coarser levels say of the residual times the sign of each grid point. */
static void add_coarse_change(Projection *projection, const double *sign)
{
    Level *first = &projection->level[0], *second = first + 1,
          *last = first + projection->levels - 1;
    for (size_t p = 0; p < first->points; p++)
        projection->image[p] = sign[p] * first->residual[p];
    restrict_to(first, projection->image, second);
    for (Level *level = second; level < last; level++)
        restrict_to(level, level->residual, level + 1);
    for (Level *level = last; level >= second; level--)
        for (size_t p = 0; p < level->points; p++)
            level->change[p] = level->residual[p] / level->diagonal[p] +
                               (level < last ? prolonged(level, level + 1, p) : 0);
    for (size_t p = 0; p < first->points; p++)
        first->change[p] += sign[p] * prolonged(first, second, p);
}

/* The change of the pressure that the residual asks for: restricted down the levels, divided by
 * each level's diagonal, prolonged up again, and summed. The matrix does not see a chequerboard,
 * and as little of one that varies slowly as of a smooth pressure. So the levels work on both. */
static void precondition(Projection *projection)
{
    Level *first = &projection->level[0];
    for (size_t p = 0; p < first->points; p++)
        first->change[p] = first->residual[p] / first->diagonal[p];
    add_coarse_change(projection, projection->uniform);
    add_coarse_change(projection, projection->chequered);
}

static double product(const Mesh *mesh, const double *a, const double *b)
{
    double sum = 0;
    for (size_t p = 0; p < mesh->points; p++)
        sum += a[p] * b[p];
    return sum;
}

/* Solves D(grad p) = D(u). The residual is the divergence that the velocity would keep, negative.
 */
static void solve(Projection *projection, const Mesh *mesh, double tolerance)
{
    double *r = projection->level[0].residual, *z = projection->level[0].change;
    double *d = projection->direction, *image = projection->image;
    double goal =
        tolerance * tolerance * product(mesh, projection->divergence, projection->divergence);
    double before = 1;
    gradient_outflow(projection, mesh, projection->pressure, image);
    for (size_t p = 0; p < mesh->points; p++)
        r[p] = image[p] - projection->divergence[p];
    memset(d, 0, mesh->points * sizeof *d);
    for (projection->iterations = 0;
         projection->iterations < iterations_most && product(mesh, r, r) > goal;
         projection->iterations++) {
        precondition(projection);
        double energy = product(mesh, r, z);
        for (size_t p = 0; p < mesh->points; p++)
            d[p] = z[p] + energy / before * d[p];
        before = energy;
        gradient_outflow(projection, mesh, d, image);
        double curvature = -product(mesh, d, image);
        if (!(curvature > 0))
            return; /* what is left is rounding */
        double along = energy / curvature;
        for (size_t p = 0; p < mesh->points; p++) {
            projection->pressure[p] += along * d[p];
            r[p] += along * image[p];
        }
    }
}

void project(Projection *projection, const Mesh *mesh, double *us, double *ut, double tolerance)
{
    velocity_outflow(mesh, us, ut, projection->divergence);
    solve(projection, mesh, tolerance);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        double fs, ft;
        gradient_flux(&projection->stencil[k], projection->pressure, &fs, &ft);
        us[c] -= fs / mesh->cell[c].area;
        ut[c] -= ft / mesh->cell[c].area;
    }
}
