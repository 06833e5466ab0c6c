/* SPDX-License-Identifier: MIT
 * The slice in the window. */
#include "session.h"

#include <math.h>

/* Seconds in which an automatic range forgets most of what is no longer in the slice. */
#define RANGE_SECONDS 1.5

void session_ask_slice(Session *session)
{
    BillowError error;
    SimThread *sim = session->world.sim;
    SliceAsk *ask = &session->slice;
    session->redraw = true;
    if (sim == NULL)
        return;
    BillowDef def = scene_def(&session->world.scene);
    if (ask->given && !slice_ask_settle(ask, &def, &session->world.render.camera, &error)) {
        ask->placed = false; /* as from another box: in the middle of this one */
        ask->given = slice_ask_settle(ask, &def, &session->world.render.camera, &error);
        if (!ask->given)
            session_say(session, "%s", error.text);
    }
    FieldSlice slice = {.kind = ask->kind, .axis = ask->axis, .position = ask->position};
    sim_thread_send(sim, ask->given ? &(SimCommand){SIM_SLICE, .slice = slice}
                                    : &(SimCommand){.kind = SIM_NO_SLICE});
}

/* Grows at once and, while time goes on, shrinks slowly, so that colours do not flicker with single
 * values. */
static void ease_range(Session *session, RenderSlice *drawn)
{
    FieldSlice *eased = &session->eased;
    const FieldSlice *field = drawn->field;
    double passed = session->now - session->eased_time;
    bool same = eased->kind == field->kind && eased->axis == field->axis && eased->n[0] > 0;
    bool still = sim_thread_paused(session->world.sim);
    float share = same && !still ? (float)exp(-passed / RANGE_SECONDS) : 0;
    eased->low = fminf(drawn->low, drawn->low + share * (eased->low - drawn->low));
    eased->high = fmaxf(drawn->high, drawn->high + share * (eased->high - drawn->high));
    eased->kind = field->kind;
    eased->axis = field->axis;
    eased->n[0] = 1;
    session->eased_time = session->now;
    drawn->low = eased->low;
    drawn->high = eased->high;
}

RenderSlice session_slice(Session *session)
{
    const SimSnapshot *snapshot = session->snapshot;
    if (!session->slice.given || snapshot == NULL || snapshot->slice.values == NULL)
        return (RenderSlice){.high = 1};
    RenderSlice drawn = slice_ask_drawn(&session->slice, &snapshot->slice);
    if (!session->slice.ranged)
        ease_range(session, &drawn);
    return drawn;
}
