/* SPDX-License-Identifier: MIT */
#include "scene_check.h"

bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter)
{
    if (emitter->shape == BILLOW_VOLUME && emitter->volume == NULL)
        return scene_yaml_fail(source, mark->line, mark->column,
                               "'%s' has the shape of a volume, but no volume", label);
    if (emitter->end >= emitter->start)
        return true;
    return scene_yaml_fail(source, mark->line, mark->column,
                           "'%s' would end at %g s, before it starts at %g s", label, emitter->end,
                           emitter->start);
}

bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    const double least = 1e-5, most = 1e4; /* m: BillowDef.cell_size */
    const BillowDef def = scene_def(scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    for (int axis = 0; axis < 3; axis++) {
        if (cells[axis] < BILLOW_GRID_MIN || cells[axis] > BILLOW_GRID_MAX) {
            return scene_yaml_fail(source, mark->line, mark->column,
                                   "the domain needs %d x %d x %d cells; each must be %d to %d: "
                                   "change domain.size or the number of cells",
                                   cells[0], cells[1], cells[2], BILLOW_GRID_MIN, BILLOW_GRID_MAX);
        }
    }
    if ((double)def.cell_size < least || (double)def.cell_size > most) {
        return scene_yaml_fail(source, mark->line, mark->column,
                               "cells of this domain would be %g m wide; they must be %g to %g m: "
                               "change domain.size or domain.cells",
                               (double)def.cell_size, least, most);
    }
    return true;
}
