/* SPDX-License-Identifier: MIT
 * The one list of what the flow carries. */
#include "sim.h"

#include "border.h"

int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX])
{
    const BillowParams *params = &sim->def.params;
    BillowStats *stats = &sim->stats;
    const float smoke_diffusion = params->smoke_diffusion;
    int count = 0;
    list[count++] =
        (Scalar){&sim->density, FIELD_DENSITY, params->dissipation, smoke_diffusion, &stats->mass};
    list[count++] = (Scalar){&sim->temperature, FIELD_TEMPERATURE, params->cooling,
                             params->heat_diffusion, &stats->heat};
    if (sim->def.fire)
        list[count++] = (Scalar){&sim->fuel, FIELD_FUEL, 0, smoke_diffusion, &stats->fuel};
    for (int c = 0; c < 3 && sim->def.color; c++)
        list[count++] = (Scalar){&sim->color[c], FIELD_RED + c, params->dissipation,
                                 smoke_diffusion, &stats->color[c]};
    return count;
}
