/* SPDX-License-Identifier: MIT
 *
 * What bodies must not do to each other: solids share room, emitters lie buried in solids.
 *
 * Both ask whether a function of the distances is below 0 anywhere in a box. No distance changes
 * faster than the way, so that its value in the middle of a part of the box says for most parts
 * that it is not; the others are cut in two along their longest edge. */
#include "bodies.h"

#include "fail.h"

#include <math.h>
#include <string.h>

/* Samples of a volume may be a little farther from each other than they are apart. */
#define STEEPEST 1.2
/* Cells; parts smaller than this are not looked into. */
#define FINEST 0.125
/* Cells that a point must be deep in both for an overlap: half of what bodies may go into each
 * other. */
#define OVERLAP_DEPTH 0.25
/* Cells below a solid's surface up to which an emitter reaches cells of fluid. */
#define BURIED_DEPTH 0.5

typedef struct Search Search;
struct Search {
    PlacedShape first, second;
    double cell;                                               /* m */
    double (*value)(const Search *search, double a, double b); /* m, of both distances */
    double found[3];
};

static double deep_in_both(const Search *search, double a, double b)
{
    return fmax(a, b) + OVERLAP_DEPTH * search->cell;
}

static double sees_fluid(const Search *search, double emitter, double solid)
{
    return fmax(emitter, -solid - BURIED_DEPTH * search->cell);
}

static bool find(Search *search, const double low[3], const double high[3])
{
    double middle[3], square = 0;
    int longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        double half = 0.5 * (high[axis] - low[axis]);
        middle[axis] = low[axis] + half;
        square += half * half;
        if (high[axis] - low[axis] > high[longest] - low[longest])
            longest = axis;
    }
    double value = search->value(search, shape_distance(&search->first, middle),
                                 shape_distance(&search->second, middle));
    if (value <= 0) {
        memcpy(search->found, middle, sizeof middle);
        return true;
    }
    if (value > STEEPEST * sqrt(square) || square < FINEST * FINEST * search->cell * search->cell)
        return false;
    double until[3], from[3];
    memcpy(until, high, sizeof until);
    memcpy(from, low, sizeof from);
    until[longest] = from[longest] = middle[longest];
    return find(search, low, until) || find(search, from, high);
}

/* Narrows a box to what a shape's own box shares with it; false where that is nothing. */
static bool narrow(const PlacedShape *placed, double low[3], double high[3])
{
    double first[3], last[3];
    bool any = true;
    shape_bounds(placed, first, last);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmax(low[axis], first[axis]);
        high[axis] = fmin(high[axis], last[axis]);
        any = any && low[axis] <= high[axis];
    }
    return any;
}

static void whole_box(const BillowDef *def, double low[3], double high[3])
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (double)def->origin[axis];
        high[axis] = low[axis] + cells[axis] * (double)def->cell_size;
    }
}

static PlacedShape placed_solid(const BillowSolid *solid)
{
    return shape_place(solid->shape, solid->size, solid->center, solid->rotation, solid->volume);
}

static PlacedShape placed_emitter(const BillowEmitter *emitter)
{
    return shape_place(emitter->shape, emitter->size, emitter->center, emitter->rotation,
                       emitter->volume);
}

static bool same_room(const PlacedShape *a, const PlacedShape *b)
{
    return a->shape == b->shape && a->volume == b->volume &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->center, b->center, sizeof a->center) == 0 &&
           memcmp(a->turn, b->turn, sizeof a->turn) == 0;
}

double billow_solid_distance(const BillowSolid *solid, const double point[3])
{
    PlacedShape placed = placed_solid(solid);
    return shape_distance(&placed, point);
}

bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now)
{
    PlacedShape a = placed_solid(before), b = placed_solid(now);
    return !same_room(&a, &b);
}

bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now)
{
    PlacedShape a = placed_emitter(before), b = placed_emitter(now);
    return !same_room(&a, &b);
}

bool bodies_overlap(const BillowDef *def, const BillowSolid *a, const BillowSolid *b,
                    double where[3])
{
    Search search = {placed_solid(a), placed_solid(b), (double)def->cell_size, deep_in_both, {0}};
    double low[3], high[3];
    whole_box(def, low, high);
    if (!narrow(&search.first, low, high) || !narrow(&search.second, low, high) ||
        !find(&search, low, high))
        return false;
    memcpy(where, search.found, sizeof search.found);
    return true;
}

bool bodies_refuse_overlap(int first, int second, const double where[3], BillowError *error)
{
    return fail(error,
                "solids[%d] and solids[%d] overlap, around (%.3g, %.3g, %.3g); make them one mesh "
                "or move them apart",
                first, second, where[0], where[1], where[2]);
}

int billow_overlapping(const BillowDef *def, BillowError *error)
{
    double where[3];
    for (int second = 1; second < def->solid_count; second++)
        for (int first = 0; first < second; first++)
            if (bodies_overlap(def, &def->solids[first], &def->solids[second], where)) {
                bodies_refuse_overlap(first, second, where, error);
                return second;
            }
    return -1;
}

static bool stands_still(const BillowSolid *solid)
{
    const float *v = solid->velocity, *w = solid->spin;
    return solid->motion == BILLOW_DRIVEN && v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f &&
           w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f;
}

static bool is_buried(const BillowDef *def, const BillowEmitter *emitter, const BillowSolid *solid)
{
    Search search = {
        placed_emitter(emitter), placed_solid(solid), (double)def->cell_size, sees_fluid, {0}};
    double low[3], high[3];
    whole_box(def, low, high);
    return narrow(&search.first, low, high) && !find(&search, low, high);
}

bool bodies_bury(const BillowDef *def, int index, BillowError *error)
{
    for (int s = 0; s < def->solid_count; s++)
        if (stands_still(&def->solids[s]) && is_buried(def, &def->emitters[index], &def->solids[s]))
            return !fail(error,
                         "emitters[%d] lies wholly inside solids[%d], where it can release "
                         "nothing; move one of them, or let the emitter reach out of it",
                         index, s);
    return false;
}

int billow_buried(const BillowDef *def, BillowError *error)
{
    for (int e = 0; e < def->emitter_count; e++)
        if (bodies_bury(def, e, error))
            return e;
    return -1;
}
