/* SPDX-License-Identifier: MIT */
#include "scene_check.h"

#include <math.h>
#include <string.h>

static double largest(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

/* One count along the longest axis:
 *     h = longest / N,   n_axis = max(8, ceil(size_axis / h - 1e-4))
 * where 1e-4 of a cell forgives rounding in size / h. */
static double cells_from_longest(const SceneDomain *domain, int cells[3])
{
    const float *size = domain->size;
    const double h = largest((double)size[0], (double)size[1], (double)size[2]) / domain->cells[0];
    for (int axis = 0; axis < 3; axis++) {
        int count = (int)ceil((double)size[axis] / h - 1e-4);
        cells[axis] = count > BILLOW_GRID_MIN ? count : BILLOW_GRID_MIN;
    }
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
    def.params = scene->params;
    memcpy(def.emitters, scene->emitters, sizeof def.emitters);
    def.emitter_count = scene->emitter_count;
    return def;
}

/* Digits alone, at most 9 of them; moves text past them. */
static bool read_count(const char **text, int *count)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 9) {
        return false;
    }
    *count = 0;
    for (size_t i = 0; i < digits; i++) {
        *count = *count * 10 + ((*text)[i] - '0');
    }
    *text += digits;
    return true;
}

/* How many counts, joined by 'x', the text consists of: 1 or 3; 0 where it is something else. */
static int read_counts(const char *text, int counts[3])
{
    int found = 0;
    while (found < 3 && read_count(&text, &counts[found])) {
        found++;
        if (*text == '\0') {
            return found == 2 ? 0 : found;
        }
        if (*text++ != 'x') {
            return 0;
        }
    }
    return 0;
}

bool scene_set_grid(Scene *scene, const char *grid, BillowError *error)
{
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(grid, strlen(grid), quoted);
    int counts[3] = {0};
    int found = read_counts(grid, counts);
    if (found == 0) {
        return fail(error,
                    "grid %s: write one count or three, such as 64 or 64x96x64, each %d to %d",
                    quoted, BILLOW_GRID_MIN, BILLOW_GRID_MAX);
    }
    for (int i = 0; i < found; i++) {
        if (counts[i] < BILLOW_GRID_MIN || counts[i] > BILLOW_GRID_MAX) {
            return fail(error, "grid %s: %d cells are out of range; each axis must have %d to %d",
                        quoted, counts[i], BILLOW_GRID_MIN, BILLOW_GRID_MAX);
        }
    }
    Scene changed = *scene;
    memcpy(changed.domain.cells, counts, sizeof counts);
    char name[16 + SCENE_YAML_QUOTE_SIZE] = "grid ";
    strcat(name, quoted);
    const SceneSource source = {.name = name, .assigned = "domain.cells", .error = error};
    if (!scene_check_domain(&source, &(yaml_mark_t){0}, &changed)) {
        return false;
    }
    *scene = changed;
    return true;
}
