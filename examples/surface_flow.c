/* SPDX-License-Identifier: MIT
 *
 * The solver of surface.c: Stable Fluids in the curvilinear coordinates of a surface.
 *
 * The surface consists of patches of n x n cells (surface_mesh.h). A patch has coordinates s and t,
 * in cells. A border layer around it holds copies of its neighbours' cells, velocities turned as in
 * (1). Velocity and smoke live at the centres of cells. The velocity has the components u^s and
 * u^t, in cells per time; as a vector in space it is u^s e_s + u^t e_t. Pressure and divergence
 * live at the corners of cells. The quarters of the cells around a corner are its volume: of 4
 * cells, or of as many patches as meet at a vertex of the base mesh. Sums over i, j = s, t are
 * understood:
 *
 *     (1) across edges  x' = R^k (x - c - n N) + c,  u' = R^k u
 *     (2) metric        g_ij = e_i . e_j,  e_i = dx/ds^i,  e^i = g^ij e_j,  g^ij = inverse of g_ij
 *     (3) add forces    u^i <- u^i + dt e^i . f
 *     (4) project       div(u) = d_i (sqrt(g) u^i) / sqrt(g),  grad(p)^i = g^ij d_j p,
 *                       div(grad(p)) = div(u) by conjugate gradients;  u <- u - grad(p)
 *     (5) trace         ds^i/dt = -u^i for a time step, with (1) where the path leaves a patch
 *     (6) advect        q(x) <- q0(end of the path), interpolated, and corrected by half of what is
 *                       lost on the way there and back (Selle et al. 2008)
 *     (7) amount        smoke <- smoke times its amount before (6) / its amount after (6)
 *     (8) velocity      w = u^i e_i is advected as in (6), three numbers in space. At its new place
 *                       it keeps its length and loses its part along the normal: u^i = e^i . w
 *
 * Advection in (8) turns vectors as the surface turns (parallel transport). That replaces the
 * Christoffel symbols of (u . grad) u. Nothing is diffused. */
#include "surface_flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double divergence_left = 1e-4; /* part of it that a projection leaves */

/* -- border layers ----------------------------------------------------------------------------- */

/* Cell k, from 1, inside an edge (depth 1) or in the border layer outside of it (depth 0). */
static size_t edge_cell(const Mesh *mesh, int patch, int edge, int k, int depth)
{
    int n = mesh->n, high = n + 1 - depth;
    switch (edge) {
    case 0:
        return mesh_cell(mesh, patch, k, depth);
    case 1:
        return mesh_cell(mesh, patch, high, k);
    case 2:
        return mesh_cell(mesh, patch, n + 1 - k, high);
    default:
        return mesh_cell(mesh, patch, depth, n + 1 - k);
    }
}

/* Copies the neighbours' cells along the edges. u is turned by (1); ut is NULL for a scalar us. */
static void border_edges(const Mesh *mesh, double *us, double *ut)
{
    for (int p = 0; p < mesh->patches; p++)
        for (int edge = 0; edge < 4; edge++) {
            const Patch *patch = &mesh->patch[p];
            int back = (4 - mesh_turns(patch, edge)) % 4; /* from the neighbour to here */
            for (int k = 1; k <= mesh->n; k++) {
                size_t to = edge_cell(mesh, p, edge, k, 0);
                size_t from =
                    edge_cell(mesh, patch->neighbour[edge], patch->entry[edge], mesh->n + 1 - k, 1);
                us[to] = us[from];
                if (ut != NULL) {
                    ut[to] = ut[from];
                    turn(back, &us[to], &ut[to]);
                }
            }
        }
}

/* Sets the corners of a scalar's border layers so that all patches interpolate the same value at
 * the vertex, the mean of the cells around it: 4 mean - the other three, within the range of the
 * cells. Where 4 patches meet that is the cell diagonally across. */
static void border_corners(const Mesh *mesh, Around *around, double *x)
{
    for (int v = 0; v < mesh->vertices; v++)
        around[v] = (Around){0, INFINITY, -INFINITY};
    for (int k = 0; k < 4 * mesh->patches; k++) {
        double value = x[mesh_corner_cell(mesh, k / 4, k % 4, 1)];
        Around *vertex = &around[mesh->patch[k / 4].corner[k % 4]];
        vertex->sum += value;
        vertex->least = fmin(vertex->least, value);
        vertex->most = fmax(vertex->most, value);
    }
    for (int k = 0; k < 4 * mesh->patches; k++) {
        int p = k / 4, c = k % 4, vertex = mesh->patch[p].corner[c];
        double others = x[mesh_corner_cell(mesh, p, c, 1)] + x[edge_cell(mesh, p, c, 1, 0)] +
                        x[edge_cell(mesh, p, (c + 3) % 4, mesh->n, 0)];
        double value = 4 * around[vertex].sum / mesh->valence[vertex] - others;
        x[mesh_corner_cell(mesh, p, c, 0)] =
            fmin(fmax(value, around[vertex].least), around[vertex].most);
    }
}

void flow_border(Flow *flow, double *x)
{
    border_edges(&flow->mesh, x, NULL);
    border_corners(&flow->mesh, flow->around, x);
}

/* The velocity at a corner is that of the cell diagonally across, turned along the way there. Where
 * other than 4 patches meet there is none, and the mean of the three cells at hand replaces it. */
static void border_velocity(Flow *flow)
{
    const Mesh *mesh = &flow->mesh;
    double *us = flow->us, *ut = flow->ut;
    border_edges(mesh, us, ut);
    for (int k = 0; k < 4 * mesh->patches; k++) {
        int p = k / 4, c = k % 4;
        const Patch *patch = &mesh->patch[p], *next = &mesh->patch[patch->neighbour[c]];
        size_t to = mesh_corner_cell(mesh, p, c, 0), own = mesh_corner_cell(mesh, p, c, 1);
        size_t one = edge_cell(mesh, p, c, 1, 0), two = edge_cell(mesh, p, (c + 3) % 4, mesh->n, 0);
        if (mesh->valence[patch->corner[c]] != 4) {
            us[to] = (us[own] + us[one] + us[two]) / 3;
            ut[to] = (ut[own] + ut[one] + ut[two]) / 3;
            continue;
        }
        int onward = (patch->entry[c] + 1) % 4; /* the neighbour's edge that begins at the vertex */
        int across = next->neighbour[onward], corner = (next->entry[onward] + 1) % 4;
        size_t from = mesh_corner_cell(mesh, across, corner, 1);
        us[to] = us[from];
        ut[to] = ut[from];
        turn((8 - mesh_turns(patch, c) - mesh_turns(next, onward)) % 4, &us[to], &ut[to]);
    }
}

/* -- (5) trace --------------------------------------------------------------------------------- */

static Sample sample_at(const Mesh *mesh, Place place)
{
    int i = (int)(place.s + 0.5), j = (int)(place.t + 0.5);
    return (Sample){mesh_cell(mesh, place.patch, i, j), place.s + 0.5 - i, place.t + 0.5 - j};
}

static double interpolate(const Mesh *mesh, const double *x, Sample at)
{
    const double *row = x + at.cell, *next = row + mesh->n + 2;
    double a = at.along_s, b = at.along_t;
    return (1 - b) * ((1 - a) * row[0] + a * row[1]) + b * ((1 - a) * next[0] + a * next[1]);
}

/* Follows the velocity from a place for a time, by midpoint steps of at most about one cell. */
static Place trace(const Flow *flow, Place place, double time, double speed)
{
    int steps = (int)ceil(fmin(fabs(time) * speed, 1000));
    for (int step = 0; step < steps; step++) {
        double dt = time / steps;
        Sample here = sample_at(&flow->mesh, place);
        Place middle = place;
        double half_s = 0.5 * dt * interpolate(&flow->mesh, flow->us, here);
        double half_t = 0.5 * dt * interpolate(&flow->mesh, flow->ut, here);
        int turns = mesh_move(&flow->mesh, &middle, half_s, half_t);
        here = sample_at(&flow->mesh, middle);
        double us = interpolate(&flow->mesh, flow->us, here);
        double ut = interpolate(&flow->mesh, flow->ut, here);
        turn((4 - turns) % 4, &us, &ut);
        mesh_move(&flow->mesh, &place, dt * us, dt * ut);
    }
    return place;
}

/* The centre of a cell. */
static Place centre_of(const Mesh *mesh, size_t cell)
{
    size_t side = (size_t)mesh->n + 2, i = cell % side, j = cell / side % side;
    return (Place){(int)(cell / side / side), (double)i - 0.5, (double)j - 0.5};
}

void flow_trace(Flow *flow, double dt)
{
    const Mesh *mesh = &flow->mesh;
    border_velocity(flow);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        Place centre = centre_of(mesh, c);
        double speed = fmax(fabs(flow->us[c]), fabs(flow->ut[c]));
        flow->back[c] = sample_at(mesh, trace(flow, centre, -dt, speed));
        flow->ahead[c] = sample_at(mesh, trace(flow, centre, dt, speed));
    }
}

/* -- (6) to (8) advect ---------------------------------------------------------------------------
 */

/* Limits a value to those between which x is interpolated. */
static double limited(const Mesh *mesh, const double *x, Sample at, double value)
{
    const double *row = x + at.cell, *next = row + mesh->n + 2;
    double least = fmin(fmin(row[0], row[1]), fmin(next[0], next[1]));
    double most = fmax(fmax(row[0], row[1]), fmax(next[0], next[1]));
    return fmin(fmax(value, least), most);
}

/* (6) */
void flow_advect(Flow *flow, double *x)
{
    const Mesh *mesh = &flow->mesh;
    flow_border(flow, x);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        flow->there[c] = interpolate(mesh, x, flow->back[c]);
    }
    flow_border(flow, flow->there);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        double lost = x[c] - interpolate(mesh, flow->there, flow->ahead[c]);
        flow->result[c] = limited(mesh, x, flow->back[c], flow->there[c] + 0.5 * lost);
    }
    memcpy(x, flow->result, mesh->cells * sizeof *x);
}

/* (8) */
void flow_advect_velocity(Flow *flow)
{
    const Mesh *mesh = &flow->mesh;
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        Vec w = plus(times(flow->us[c], mesh->cell[c].es), times(flow->ut[c], mesh->cell[c].et));
        flow->space[0][c] = w.x;
        flow->space[1][c] = w.y;
        flow->space[2][c] = w.z;
    }
    for (int axis = 0; axis < SPACE; axis++)
        flow_advect(flow, flow->space[axis]);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        const Cell *cell = &mesh->cell[c];
        Vec w = {flow->space[0][c], flow->space[1][c], flow->space[2][c]};
        double us = dot(cell->dual_s, w), ut = dot(cell->dual_t, w);
        double tangent = norm(plus(times(us, cell->es), times(ut, cell->et)));
        double stretch = tangent > 0 ? norm(w) / tangent : 0;
        flow->us[c] = stretch * us;
        flow->ut[c] = stretch * ut;
    }
}

/* -- the flow ---------------------------------------------------------------------------------- */

void flow_destroy(Flow *flow)
{
    mesh_free(&flow->mesh);
    projection_free(&flow->projection);
    free(flow->memory);
    free(flow->back);
    free(flow->ahead);
    free(flow->around);
    *flow = (Flow){0};
}

bool flow_create(Flow *flow, const char *shape, int cells, ExampleError *error)
{
    enum { FIELDS = 10 };
    Mesh mesh;
    if (!mesh_create(&mesh, shape, cells, error))
        return false;
    *flow = (Flow){.mesh = mesh};
    double **slices[FIELDS] = {&flow->us,       &flow->ut,       &flow->smoke[0], &flow->smoke[1],
                               &flow->smoke[2], &flow->space[0], &flow->space[1], &flow->space[2],
                               &flow->there,    &flow->result};
    flow->memory = calloc(FIELDS * mesh.cells, sizeof *flow->memory);
    flow->back = calloc(mesh.cells, sizeof *flow->back);
    flow->ahead = calloc(mesh.cells, sizeof *flow->ahead);
    flow->around = calloc((size_t)mesh.vertices, sizeof *flow->around);
    bool projects = projection_create(&flow->projection, &mesh);
    if (!projects || flow->memory == NULL || flow->back == NULL || flow->ahead == NULL ||
        flow->around == NULL) {
        snprintf(error->text, sizeof error->text, "no memory for %zu cells", mesh.inner);
        flow_destroy(flow);
        return false;
    }
    for (size_t s = 0; s < FIELDS; s++)
        *slices[s] = flow->memory + s * mesh.cells;
    return true;
}

double flow_amount(const Flow *flow, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < flow->mesh.inner; k++) {
        size_t c = flow->mesh.inside[k];
        sum += flow->mesh.cell[c].area * x[c];
    }
    return sum;
}

/* (6) and (7) */
static void advect_smoke(Flow *flow, double *smoke)
{
    double before = flow_amount(flow, smoke);
    flow_advect(flow, smoke);
    double after = flow_amount(flow, smoke);
    for (size_t c = 0; after > 0 && c < flow->mesh.cells; c++)
        smoke[c] *= before / after;
}

void flow_step(Flow *flow, double dt)
{
    project(&flow->projection, &flow->mesh, flow->us, flow->ut, divergence_left);
    flow_trace(flow, dt);
    for (int dye = 0; dye < DYES; dye++)
        advect_smoke(flow, flow->smoke[dye]);
    flow_advect_velocity(flow);
}
