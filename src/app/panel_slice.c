/* SPDX-License-Identifier: MIT
 * Which numbers are shown on which plane. */
#include "panel_parts.h"

static void show_place(Session *session)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    SliceAsk *ask = &session->slice;
    const BillowDef def = scene_def(&session->world.scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    int axis = ask->axis >= 0 ? ask->axis : 0;
    gui_value_width(0.55f * gui_width());
    if (gui_choice("axis", &axis, axes) != 0) {
        ask->axis = axis;
        ask->placed = false;
        session_ask_slice(session);
    }
    const GuiRange place = {.least = (double)def.origin[axis],
                            .most = (double)def.origin[axis] + cells[axis] * (double)def.cell_size,
                            .format = "%.3g m"};
    gui_value_width(0.55f * gui_width());
    if (gui_floats("position", &ask->position, 1, &place) != 0) {
        ask->placed = true;
        session_ask_slice(session);
    }
}

static void show_drawing(Session *session)
{
    SliceAsk *ask = &session->slice;
    const GuiRange share = {.least = 0, .most = 1, .format = "%.2f"};
    const GuiRange lines = {.least = 0, .most = SLICE_CONTOURS_MAX, .speed = 0.2f, .format = "%d"};
    const GuiRange ends = {.least = -1e9, .most = 1e9, .speed = 0.01f, .format = "%.4g"};
    float range[2] = {ask->low, ask->high};
    unsigned edit = 0;
    gui_value_width(0.55f * gui_width());
    edit |= gui_wholes("contours", &ask->contours, 1, &lines);
    gui_tip("lines of equal value");
    gui_value_width(0.55f * gui_width());
    edit |= gui_floats("veil", &ask->veil, 1, &share);
    gui_tip("share in which smoke and solids before the plane hide it");
    edit |= gui_check("own range", &ask->ranged);
    gui_tip("values of the first and the last colour; otherwise the slice's own");
    if (ask->ranged) {
        gui_value_width(0.55f * gui_width());
        if (gui_floats("range", range, 2, &ends) != 0 && range[0] < range[1]) {
            ask->low = range[0];
            ask->high = range[1];
            edit = GUI_CHANGED;
        }
    }
    session->redraw = session->redraw || edit != 0;
}

void panel_show_slice(Session *session)
{
    SliceAsk *ask = &session->slice;
    const BillowDef def = scene_def(&session->world.scene);
    const char *words[FIELD_KINDS + 2] = {"none"};
    int kinds[FIELD_KINDS + 1], count = 1, chosen = 0;
    for (int kind = 0; kind < FIELD_KINDS; kind++)
        if (field_offered(&def, (FieldKind)kind)) {
            if (ask->given && ask->kind == (FieldKind)kind)
                chosen = count;
            kinds[count] = kind;
            words[count++] = field_meaning((FieldKind)kind)->name;
        }
    words[count] = NULL;
    gui_value_width(0.55f * gui_width());
    if (gui_choice("field", &chosen, words) != 0) {
        ask->given = chosen > 0;
        if (chosen > 0)
            ask->kind = (FieldKind)kinds[chosen];
        ask->ranged = false;
        session_ask_slice(session);
    }
    if (ask->given)
        gui_text_wrapped(field_meaning(ask->kind)->meaning, 0);
    if (ask->given)
        show_place(session);
    if (ask->given)
        show_drawing(session);
}
