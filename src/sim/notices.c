/* SPDX-License-Identifier: MIT
 * What is accepted, and likely not what was meant. */
#include "sim.h"

#include "boundary.h"
#include "fail.h"

#include <math.h>
#include <stdio.h>

typedef struct Notices {
    BillowNotice *items;
    int most, count;
} Notices;

static void add(Notices *notices, int emitter, int solid, const BillowError *text)
{
    if (notices->count < notices->most)
        notices->items[notices->count] = (BillowNotice){*text, emitter, solid};
    notices->count++;
}

/* m; a volume's walls are anywhere, and a plane has no end. */
static double thickness(const BillowSolid *solid)
{
    const double x = (double)solid->size[0], y = (double)solid->size[1], z = (double)solid->size[2];
    switch (solid->shape) {
    case BILLOW_SPHERE:
    case BILLOW_CAPSULE:
        return 2 * x;
    case BILLOW_BOX:
        return 2 * fmin(x, fmin(y, z));
    case BILLOW_CYLINDER:
        return 2 * fmin(x, y);
    case BILLOW_TORUS:
        return 2 * y;
    default:
        return INFINITY;
    }
}

static void find_thin_walls(const BillowDef *def, Notices *notices)
{
    BillowError text;
    for (int s = 0; s < def->solid_count; s++) {
        double cells = thickness(&def->solids[s]) / (double)def->cell_size;
        if (cells >= 0.999)
            continue;
        fail(&text,
             "solids[%d] is %.2g cells thick; what is thinner than a cell may let smoke through: "
             "make it thicker or the cells smaller",
             s, cells);
        add(notices, -1, s, &text);
    }
}

/* K; the most that anything but fire itself can bring, where emitters' heat piles up without end.
 */
static double hottest(const BillowDef *def)
{
    double most = 0;
    for (int e = 0; e < def->emitter_count; e++)
        if (def->emitters[e].heat > 0.0f)
            most = INFINITY;
    for (int s = 0; s < def->solid_count; s++)
        if (def->solids[s].isothermal)
            most = fmax(most, (double)def->solids[s].temperature);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const BillowBoundary *boundary = &def->boundaries[side];
        if (boundary->isothermal)
            most = fmax(most, (double)boundary->temperature);
        if (boundary_flow(def, (BillowSide)side) != 0)
            most = fmax(most, (double)boundary->heat);
    }
    return most;
}

static void find_cold_fuel(const BillowDef *def, Notices *notices)
{
    BillowError text;
    double most = hottest(def);
    for (int e = 0; e < def->emitter_count; e++) {
        if (!def->fire || def->emitters[e].fuel == 0.0f || most >= (double)def->params.ignition)
            continue;
        fail(&text,
             "emitters[%d] gives fuel that will not burn: nothing is as hot as ignition, %g K; "
             "give an emitter heat or lower the ignition",
             e, (double)def->params.ignition);
        add(notices, e, -1, &text);
    }
}

static void find_shut_fire(const BillowDef *def, Notices *notices)
{
    BillowError text;
    bool fuel = false;
    for (int e = 0; e < def->emitter_count; e++)
        fuel = fuel || def->emitters[e].fuel > 0.0f;
    if (!def->fire || !fuel || def->params.burn_expansion == 0.0f || !balance_closed(def))
        return;
    fail(&text, "no face is open, so that fire cannot expand: what burn_expansion makes is taken "
                "off again everywhere alike; open a face or set it to 0");
    add(notices, -1, -1, &text);
}

int billow_notices(const BillowDef *def, BillowNotice *items, int most)
{
    Notices notices = {items, most, 0};
    find_thin_walls(def, &notices);
    find_cold_fuel(def, &notices);
    find_shut_fire(def, &notices);
    return notices.count;
}
