/* SPDX-License-Identifier: MIT
 * The state as whoever draws it gets it. */
#include "sim_thread_parts.h"

/* Whether the last projection could have done better with the cycles the scene allows. */
static bool was_cut(const SimThread *self, const BillowStats *stats)
{
    return self->cap < self->budget.most && stats->cycles >= self->cap &&
           stats->residual_relative > (double)self->def.params.tolerance;
}

void sim_publish(SimThread *self)
{
    BillowView view = billow_view(self->sim);
    BillowStats stats = billow_stats(self->sim);
    SimSnapshot fields = {
        .stats = stats,
        .profile = billow_profile(self->sim),
        .step_ms = self->step_ms,
        .pace = self->pace,
        .speed = self->speed,
        .clock = sim_clock_account(self),
        .back_to = rewind_count(self->rewind) > 0 ? rewind_time(self->rewind, 0) : stats.time,
        .went_back = self->went_back,
        .cycles_cap = self->cap,
        .cycles_most = self->budget.most,
        .cut = was_cut(self, &stats),
        .steps = self->steps,
        .resets = self->resets,
        .settings = self->settled.taken,
        .sliced = self->sliced,
        .slice = self->slice,
        .slices = self->slices,
        .film = self->film_interval > 0 ? self->film : 0,
    };
    fields.solid_count = self->def.solid_count;
    for (int s = 0; s < fields.solid_count; s++)
        fields.solids[s] = *billow_solid(self->sim, s);
    snapshots_publish(self->snapshots, &view, &fields);
}
