/* SPDX-License-Identifier: MIT
 *
 * Definitions that are in range and yet ask for what physics does not give: expansion without
 * balance in a closed box, which is refused, and what is likely a mistake, which billow_notices
 * reports.
 *
 * An incompressible fluid in a closed box can neither grow nor shrink. The expansion of its
 * emitters must therefore add up to 0 at every time. */
#include "boundary.h"
#include "constants.h"
#include "def.h"
#include "emitter.h"
#include "fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An emitter that expands fluid inside the box while start <= time < end. */
typedef struct Flow {
    int emitter; /* its index */
    bool flickers;
    double start, end, rate; /* s, s, m3/s */
} Flow;

typedef struct Flows {
    Flow items[BILLOW_EMITTERS_MAX];
    int count;
} Flows;

/* An interval of time in which the emitters' expansion does not add up to 0. */
typedef struct Excess {
    double from, to, rate;
    const Flow *worst;
    bool flickers; /* the rates add up to 0 but for the noise of the worst emitter */
} Excess;

static Flows find_flows(const BillowDef *def)
{
    const double h = (double)def->cell_size;
    const Grid grid = grid_make(def->nx, def->ny, def->nz);
    Flows flows = {.count = 0};
    for (int e = 0; e < def->emitter_count; e++) {
        const BillowEmitter *emitter = &def->emitters[e];
        if (emitter->expansion == 0.0f || emitter->end <= emitter->start)
            continue;
        PlacedEmitter placed = emitter_place(emitter, &grid, def);
        double rate = (double)emitter->expansion * emitter_inside(&placed, &grid) * h * h * h;
        if (rate != 0)
            flows.items[flows.count++] =
                (Flow){e, emitter->noise != 0.0f, emitter->start, emitter->end, rate};
    }
    return flows;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool runs(const Flow *flow, const Excess *excess)
{
    return flow->start < excess->to && flow->end > excess->from;
}

/* Whether the expansion between excess->from and excess->to, where no emitter starts or ends,
 * fails to add up to 0. */
static bool adds_up(const Flows *flows, Excess *excess)
{
    double largest = 0, scale = 0;
    const Flow *flickering = NULL;
    excess->rate = 0;
    for (int f = 0; f < flows->count; f++) {
        const Flow *flow = &flows->items[f];
        if (!runs(flow, excess))
            continue;
        excess->rate += flow->rate;
        scale += fabs(flow->rate);
        if (fabs(flow->rate) > largest)
            excess->worst = flow;
        largest = fmax(largest, fabs(flow->rate));
        if (flow->flickers)
            flickering = flow;
    }
    if (fabs(excess->rate) > BALANCE_SHARE * scale)
        return true;
    excess->flickers = flickering != NULL;
    if (excess->flickers)
        excess->worst = flickering;
    return excess->flickers;
}

/* Finds the first such interval. False where there is none. */
static bool find_excess(const Flows *flows, Excess *excess)
{
    double times[2 * BILLOW_EMITTERS_MAX];
    int count = 0;
    for (int f = 0; f < flows->count; f++) {
        times[count++] = flows->items[f].start;
        times[count++] = flows->items[f].end;
    }
    qsort(times, (size_t)count, sizeof times[0], compare);
    for (int t = 0; t + 1 < count; t++) {
        *excess = (Excess){.from = times[t], .to = times[t + 1]};
        if (excess->from < excess->to && adds_up(flows, excess))
            return true;
    }
    return false;
}

enum { WORDS = 200 };

/* "emitters[2].expansion", or "the expansion of emitters 0, 1 and 3". */
static int name_emitters(const Flows *flows, const Excess *excess, char words[WORDS])
{
    int running[BILLOW_EMITTERS_MAX], count = 0;
    for (int f = 0; f < flows->count; f++)
        if (runs(&flows->items[f], excess))
            running[count++] = flows->items[f].emitter;
    if (count == 1) {
        snprintf(words, WORDS, "emitters[%d].expansion", running[0]);
        return count;
    }
    int length = snprintf(words, WORDS, "the expansion of emitters ");
    for (int r = 0; r < count; r++) {
        const char *joint = r == 0 ? "" : r < count - 1 ? ", " : " and ";
        length += snprintf(words + length, (size_t)(WORDS - length), "%s%d", joint, running[r]);
    }
    return count;
}

static void name_time(const Excess *excess, char words[WORDS])
{
    const double forever = billow_default_emitter().end;
    if (excess->to < forever)
        snprintf(words, WORDS, "from %g to %g s", excess->from, excess->to);
    else if (excess->from > 0)
        snprintf(words, WORDS, "from %g s on", excess->from);
    else
        snprintf(words, WORDS, "at all times");
}

static void describe(const Flows *flows, const Excess *excess, BillowError *error)
{
    static const char closed[] = "left, right, floor, ceiling, back and front are all closed, yet";
    char emitters[WORDS], when[WORDS];
    int count = name_emitters(flows, excess, emitters);
    name_time(excess, when);
    if (excess->flickers) {
        fail(error,
             "nothing can leave or enter: %s the noise of emitters[%d] lets its expansion of %.3g "
             "m3/s flicker %s, which nothing balances; open a face or set its noise to 0",
             closed, excess->worst->emitter, excess->worst->rate, when);
        return;
    }
    fail(error, "nothing can %s: %s %s %s %.3g m3/s %s; open a face or %s",
         excess->rate > 0 ? "leave" : "enter", closed, emitters,
         excess->rate > 0 ? "makes" : "takes away", fabs(excess->rate), when,
         count == 1 ? "set it to 0" : "let it add up to 0");
}

int billow_unbalanced(const BillowDef *def, BillowError *error)
{
    if (!def_check(def, NULL) || !boundary_closed(def))
        return -1;
    const Flows flows = find_flows(def);
    Excess excess;
    if (!find_excess(&flows, &excess))
        return -1;
    describe(&flows, &excess, error);
    return excess.worst->emitter;
}

/* -------------------------------------------------------------------------------------------- */

/* Notices found so far. */

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

/* Thickness of a solid's thinnest wall, m. Infinite for volumes, whose walls may be anywhere, and
 * for planes, which have none. */
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

/* An upper bound for the temperature that anything but fire can reach, K; infinite where emitters'
 * heat accumulates. */
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
    if (!def->fire || !fuel || def->params.burn_expansion == 0.0f || !boundary_closed(def))
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
