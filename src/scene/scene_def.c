/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <math.h>
#include <string.h>

static double largest(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

/* The fewest cells of width h that cover an edge, n = ceil(size / h - 1e-4), where 1e-4 of a cell
 * forgives rounding in size / h. */
static int cells_along(float size, double h)
{
    return (int)ceil((double)size / h - 1e-4);
}

/* One count along the longest axis: h = longest / N. */
static double cells_from_longest(const SceneDomain *domain, int cells[3])
{
    const float *size = domain->size;
    const double h = largest((double)size[0], (double)size[1], (double)size[2]) / domain->cells[0];
    for (int axis = 0; axis < 3; axis++)
        cells[axis] = cells_along(size[axis], h);
    return h;
}

/* Three counts: the smallest cubic cell with which they cover the domain. */
static double cells_from_counts(const SceneDomain *domain, int cells[3])
{
    memcpy(cells, domain->cells, sizeof domain->cells);
    return largest((double)domain->size[0] / cells[0], (double)domain->size[1] / cells[1],
                   (double)domain->size[2] / cells[2]);
}

BillowDef scene_def(const Scene *scene)
{
    const SceneDomain *domain = &scene->domain;
    int cells[3];
    const double h = domain->cells[1] == 0 ? cells_from_longest(domain, cells)
                                           : cells_from_counts(domain, cells);
    BillowDef def = billow_default_def();
    def.nx = cells[0];
    def.ny = cells[1];
    def.nz = cells[2];
    def.cell_size = (float)h;
    def.origin[0] = (float)(0.5 * ((double)domain->size[0] - cells[0] * h));
    def.origin[1] = 0;
    def.origin[2] = (float)(0.5 * ((double)domain->size[2] - cells[2] * h));
    memcpy(def.faces, domain->faces, sizeof def.faces);
    memcpy(def.boundaries, domain->boundaries, sizeof def.boundaries);
    def.params = scene->params;
    def.fire = scene->fire;
    def.color = scene->color;
    def.tracers = scene->tracers;
    def.texture_period = scene->texture_period;
    memcpy(def.emitters, scene->emitters, sizeof def.emitters);
    def.emitter_count = scene->emitter_count;
    memcpy(def.solids, scene->solids, sizeof def.solids);
    def.solid_count = scene->solid_count;
    memcpy(def.forces, scene->forces, sizeof def.forces);
    def.force_count = scene->force_count;
    return def;
}

bool scene_outgrows_size(const Scene *scene)
{
    const SceneDomain *domain = &scene->domain;
    int cells[3];
    if (domain->cells[1] == 0)
        return false;
    const double h = cells_from_counts(domain, cells);
    bool outgrows = false;
    for (int axis = 0; axis < 3; axis++)
        outgrows |= cells[axis] > cells_along(domain->size[axis], h);
    return outgrows;
}
