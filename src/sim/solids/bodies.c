/* SPDX-License-Identifier: MIT
 *
 * Solids and emitters independent of the grid: how solids move, and the checks that solids do not
 * bury emitters or cover the faces through which air enters or leaves.
 *
 * Each check searches a box for a point at which a function of distances is at most 0. A distance
 * changes by at most STEEPEST times the change in position. The value in the middle of a part of
 * the box therefore rules out most parts. The search halves all other parts along their longest
 * edge. */
#include "sim/solids/bodies.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "sim/fields/boundary.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest gradient of a distance. That of a volume may exceed 1, because neighbouring samples may
 * differ by slightly more than their spacing. */
#define STEEPEST 1.2
/* The search does not divide parts with a half diagonal below this, cells. */
#define FINEST 0.125
/* Largest depth below a solid's surface from which an emitter still affects fluid cells, cells. */
#define BURIED_DEPTH 0.5
/* Least distance from every solid of a point that counts as air, cells. Slits narrower than twice
 * this count as shut. */
#define AIR_DISTANCE 0.125

typedef struct Search Search;
struct Search {
    PlacedShape first;
    const PlacedShape *others;
    int count;
    double cell; /* m */
    /* The function, m, of the distances a to `first` and b to the nearest of `others`. */
    double (*value)(const Search *search, double a, double b);
    double found[3];
};

static double sees_fluid(const Search *search, double emitter, double solid)
{
    return fmax(emitter, -solid - BURIED_DEPTH * search->cell);
}

static double meets_air(const Search *search, double emitter, double solids)
{
    return fmax(emitter - BURIED_DEPTH * search->cell, AIR_DISTANCE * search->cell - solids);
}

static double is_air(const Search *search, double any, double solids)
{
    (void)any;
    return AIR_DISTANCE * search->cell - solids;
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
    double others = INFINITY;
    for (int s = 0; s < search->count; s++)
        others = fmin(others, shape_distance(&search->others[s], middle));
    double value = search->value(search, shape_distance(&search->first, middle), others);
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

/* Reduces a box to its intersection with a shape's bounds. Returns false if the intersection is
 * empty. */
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

PlacedShape bodies_place(const BillowSolid *solid)
{
    return shape_place(solid->shape, solid->size, solid->center, solid->rotation, solid->volume);
}

static PlacedShape placed_emitter(const BillowEmitter *emitter)
{
    return shape_place(emitter->shape, emitter->size, emitter->center, emitter->rotation,
                       emitter->volume);
}

static bool same_space(const PlacedShape *a, const PlacedShape *b)
{
    return a->shape == b->shape && a->volume == b->volume &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->center, b->center, sizeof a->center) == 0 &&
           memcmp(a->turn, b->turn, sizeof a->turn) == 0;
}

double billow_solid_distance(const BillowSolid *solid, const double point[3])
{
    FLOAT_MODE_OWN;
    assert(solid != NULL);
    PlacedShape placed = bodies_place(solid);
    return shape_distance(&placed, point);
}

bool bodies_move(const BillowSolid *solid)
{
    for (int axis = 0; axis < 3; axis++)
        if (solid->velocity[axis] != 0.0f || solid->spin[axis] != 0.0f)
            return true;
    return solid->motion == BILLOW_FALLING || bodies_change(solid);
}

bool bodies_float(const BillowSolid *solid)
{
    return solid->motion == BILLOW_FALLING && solid->density > 0.0f &&
           solid->shape != BILLOW_PLANE && !bodies_change(solid) && solid->size[0] > 0.0f &&
           shape_thickness(solid->shape, solid->size) > 0;
}

bool bodies_change(const BillowSolid *solid)
{
    return solid->shape == BILLOW_VOLUME && solid->volume->next != NULL;
}

bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now)
{
    PlacedShape a = bodies_place(before), b = bodies_place(now);
    return !same_space(&a, &b);
}

bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now)
{
    PlacedShape a = placed_emitter(before), b = placed_emitter(now);
    return !same_space(&a, &b);
}

/* Finds the solids that do not move and whose bounds meet the box. Returns their number. */
static int standing_in(const BillowDef *def, const double low[3], const double high[3],
                       PlacedShape placed[BILLOW_SOLIDS_MAX], int index[BILLOW_SOLIDS_MAX])
{
    int count = 0;
    for (int s = 0; s < def->solid_count; s++) {
        double from[3], to[3];
        memcpy(from, low, sizeof from);
        memcpy(to, high, sizeof to);
        placed[count] = bodies_place(&def->solids[s]);
        if (bodies_move(&def->solids[s]) || !narrow(&placed[count], from, to))
            continue;
        index[count++] = s;
    }
    return count;
}

/* Writes "solids[0], solids[2] and solids[3]". */
static void name_solids(const int *index, int count, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int s = 0; s < count && length < size; s++)
        length += (size_t)snprintf(text + length, size - length, "%ssolids[%d]",
                                   s == 0           ? ""
                                   : s == count - 1 ? " and "
                                                    : ", ",
                                   index[s]);
}

/* Whether several solids together enclose the emitter, so that no point within BURIED_DEPTH of it
 * is air. */
static bool is_walled_in(const BillowDef *def, const BillowEmitter *emitter, char *names,
                         size_t size)
{
    PlacedShape solids[BILLOW_SOLIDS_MAX];
    int index[BILLOW_SOLIDS_MAX];
    const double cell = (double)def->cell_size;
    Search search = {placed_emitter(emitter), solids, 0, cell, meets_air, {0}};
    double low[3], high[3];
    whole_box(def, low, high);
    if (!narrow(&search.first, low, high))
        return false;
    search.count = standing_in(def, low, high, solids, index);
    name_solids(index, search.count, names, size);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] -= BURIED_DEPTH * cell;
        high[axis] += BURIED_DEPTH * cell;
    }
    return search.count > 1 && !find(&search, low, high);
}

bool bodies_bury(const BillowDef *def, int index, BillowError *error)
{
    char names[200] = "";
    PlacedShape second;
    Search search = {
        placed_emitter(&def->emitters[index]), &second, 1, (double)def->cell_size, sees_fluid, {0}};
    double low[3], high[3];
    whole_box(def, low, high);
    bool inside = narrow(&search.first, low, high);
    for (int s = 0; inside && s < def->solid_count && names[0] == '\0'; s++) {
        second = bodies_place(&def->solids[s]);
        if (!bodies_move(&def->solids[s]) && !find(&search, low, high))
            name_solids(&s, 1, names, sizeof names);
    }
    if (names[0] == '\0' && !is_walled_in(def, &def->emitters[index], names, sizeof names))
        return false;
    return !fail(error,
                 "emitters[%d] lies wholly inside %s, where it can release nothing; move one of "
                 "them, or let the emitter reach out of it",
                 index, names);
}

int billow_buried(const BillowDef *def, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(def != NULL);
    for (int e = 0; e < def->emitter_count; e++)
        if (bodies_bury(def, e, error))
            return e;
    return -1;
}

/* -- faces that solids cover ------------------------------------------------------------------- */

/* Whether solids that do not move cover a face of the box wholly. */
static bool is_shut(const BillowDef *def, int side)
{
    PlacedShape solids[BILLOW_SOLIDS_MAX];
    int index[BILLOW_SOLIDS_MAX];
    const double cell = (double)def->cell_size;
    double low[3], high[3];
    whole_box(def, low, high);
    double inside = 2 * AIR_DISTANCE * cell; /* so that solids outside of the box do not count */
    int axis = side / 2;
    low[axis] = high[axis] = side % 2 == 0 ? low[axis] + inside : high[axis] - inside;
    Search search = {.others = solids, .cell = cell, .value = is_air};
    search.count = standing_in(def, low, high, solids, index);
    if (search.count == 0)
        return false;
    search.first = solids[0]; /* unused: is_air ignores this distance */
    return !find(&search, low, high);
}

int billow_shut(const BillowDef *def, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(def != NULL);
    int inflow = -1, open = 0, last = -1;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        bool shut = def->faces[side] != BILLOW_CLOSED && is_shut(def, side);
        if (boundary_flow(def, (BillowSide)side) != 0) {
            inflow = side;
            if (shut) {
                fail(error,
                     "%s lets fluid in, but solids cover the whole of it; move them, or make the "
                     "face closed",
                     boundary_side_name((BillowSide)side));
                return side;
            }
        }
        if (def->faces[side] == BILLOW_OPEN) {
            open += !shut;
            last = side;
        }
    }
    if (inflow < 0 || open > 0 || last < 0)
        return -1;
    fail(error,
         "fluid flows in through %s, but solids cover all of what is open (%s), so that nothing "
         "can leave; move them, or open another face",
         boundary_side_name((BillowSide)inflow), boundary_side_name((BillowSide)last));
    return inflow;
}

/* -- motion ------------------------------------------------------------------------------------ */

/* The product a b of quaternions (x, y, z, w). */
static void multiply(const double a[4], const double b[4], double product[4])
{
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void normalise(double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int c = 0; c < 4; c++)
        q[c] /= sqrt(square);
}

/* Number of doublings with negligible rounding errors. They suffice for 100 turns in a step. */
enum { HALVINGS_EXACT = 12 };

/* Computes the rotation by `spin` over dt: (spin/|spin| sin s, cos s) with s = |spin| dt / 2. The
 * angle is halved until a series converges, and the rotation is then doubled equally often. The
 * sines of C libraries would differ in their last bits from machine to machine. */
static void rotation_of(const float spin[3], double dt, double rotation[4])
{
    double half[3], square = 0;
    int halvings = 0;
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = 0.5 * dt * (double)spin[axis];
        square += half[axis] * half[axis];
    }
    for (; square > 0.25 && halvings < 64; halvings++) {
        square *= 0.25;
        for (int axis = 0; axis < 3; axis++)
            half[axis] *= 0.5;
    }
    double sine = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
    for (int axis = 0; axis < 3; axis++)
        rotation[axis] = half[axis] * sine;
    rotation[3] = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
    for (; halvings > 0; halvings--) {
        const double part[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
        multiply(part, part, rotation);
        if (halvings > HALVINGS_EXACT) /* each doubling also doubles the error of the length */
            normalise(rotation);
    }
}

void bodies_turn(BillowSolid *solid, double dt)
{
    const float *w = solid->spin;
    if (w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f)
        return;
    double by[4], before[4], after[4];
    rotation_of(w, dt, by);
    for (int c = 0; c < 4; c++)
        before[c] = (double)solid->rotation[c];
    multiply(by, before, after);
    normalise(after);
    for (int c = 0; c < 4; c++)
        solid->rotation[c] = (float)after[c];
}

/* Makes a sticky sphere at a face of the box roll. An impulse along the face ends its slip u:
 *     u = v - r spin x n,    v' = v - 2/7 u,    spin' = spin + 5/(7 r) n x u.
 * n is the face's normal into the box, and the moment of inertia is 2/5 m r^2. */
static void roll(BillowSolid *solid, int axis, double normal)
{
    double r = (double)solid->size[0];
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    if (solid->shape != BILLOW_SPHERE || !solid->sticky || !(r > 0))
        return;
    double slip_b = (double)solid->velocity[b] - r * normal * (double)solid->spin[c];
    double slip_c = (double)solid->velocity[c] + r * normal * (double)solid->spin[b];
    solid->velocity[b] -= (float)(2.0 / 7 * slip_b);
    solid->velocity[c] -= (float)(2.0 / 7 * slip_c);
    solid->spin[b] -= (float)(5 / (7 * r) * normal * slip_c);
    solid->spin[c] += (float)(5 / (7 * r) * normal * slip_b);
}

/* Reflects a solid that has moved `past` metres beyond a face. On entry, `*speed` is its speed out
 * of the box, m/s, and `pull` its acceleration out of the box, m/s2. The solid met the face at the
 * speed sqrt(speed^2 - 2 pull past) and has moved back since. On return, `*offset` is its distance
 * from the face, m, and `*speed` its speed into the box. A solid that is too slow to leave the face
 * within a step stays at the face. */
static void reflect(BillowSolid *solid, double past, double pull, double dt, double *offset,
                    double *speed)
{
    double out = *speed, met = sqrt(fmax(out * out - 2 * pull * past, 0));
    double since = met + fabs(out) > 0 ? fmin(2 * past / (met + fabs(out)), dt) : 0;
    double back = (double)solid->bounce * met;
    if (2 * back <= pull * dt) {
        *offset = *speed = 0;
        return;
    }
    *offset = fmax(back * since - 0.5 * pull * since * since, 0);
    *speed = back - pull * since;
}

double bodies_rim_speed(const BillowSolid *solid, const double low[3], const double high[3])
{
    double w2 = 0, r2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        w2 += (double)solid->spin[axis] * (double)solid->spin[axis];
        r2 += 0.25 * (high[axis] - low[axis]) * (high[axis] - low[axis]);
    }
    return w2 > 0 ? sqrt(w2 * r2) : 0;
}

/* Moves a solid that has left the box through a periodic side to where it enters again. */
static void wrap(BillowSolid *solid, int axis, double least, double most)
{
    double center = (double)solid->center[axis], length = most - least;
    solid->center[axis] -= (float)(length * floor((center - least) / length));
}

bool bodies_outside(const BillowDef *def, const PlacedShape *placed)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    const double h = (double)def->cell_size;
    double low[3], high[3];
    shape_bounds(placed, low, high);
    for (int axis = 0; axis < 3; axis++) {
        double least = (double)def->origin[axis] - h, most = least + h * (cells[axis] + 2);
        if ((high[axis] < least && def->unbounded[2 * axis]) ||
            (low[axis] > most && def->unbounded[2 * axis + 1]))
            return true;
    }
    return false;
}

/* Changes velocity and spin by an acceleration that acts for dt, m/s2 and rad/s2, and keeps them
 * within their ranges. */
static void accelerate(BillowSolid *solid, const double pull[6], double dt)
{
    for (int axis = 0; axis < 3; axis++) {
        double v = (double)solid->velocity[axis] + pull[axis] * dt;
        double w = (double)solid->spin[axis] + pull[3 + axis] * dt;
        solid->velocity[axis] = (float)fmax(fmin(v, BODY_SPEED_MOST), -BODY_SPEED_MOST);
        solid->spin[axis] = (float)fmax(fmin(w, BODY_SPIN_MOST), -BODY_SPIN_MOST);
    }
}

/* Reflects a falling solid at the faces of the box, but not at unbounded or periodic sides. One
 * that is partly outside, or larger than the box, goes no farther back than it has come in dt. */
static void bounce(const BillowDef *def, BillowSolid *solid, const double pull[6], double *behind,
                   double dt)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    PlacedShape placed = bodies_place(solid);
    double low[3], high[3];
    shape_bounds(&placed, low, high);
    const double rim = bodies_rim_speed(solid, low, high);
    for (int axis = 0; axis < 3; axis++) {
        double least = (double)def->origin[axis];
        double most = least + (double)def->cell_size * cells[axis];
        if (boundary_wraps(def, axis)) {
            wrap(solid, axis, least, most);
            continue;
        }
        double end = (double)solid->velocity[axis];
        double fall = pull != NULL ? pull[axis] : axis == 1 ? -(double)solid->gravity : 0;
        double offset, speed;
        end += fall * *behind;
        bool out_low = low[axis] <= least && end < 0 && !def->unbounded[2 * axis];
        bool out_high = high[axis] >= most && end > 0 && !def->unbounded[2 * axis + 1];
        double normal = out_low ? 1 : -1;
        double past = out_low ? least - low[axis] : high[axis] - most;
        if ((!out_low && !out_high) || !isfinite(past)) /* a plane is infinite along this axis */
            continue;
        double come = (fabs((double)solid->velocity[axis]) + rim) * dt;
        past = fmin(past, 1.01 * come + 1e-4 * (double)def->cell_size);
        speed = -normal * end;
        reflect(solid, past, -normal * fall, dt, &offset, &speed);
        solid->center[axis] += (float)(normal * (past + offset));
        solid->velocity[axis] = (float)(normal * speed);
        if (axis == 1 && pull != NULL) { /* ends the lag of the rest, too */
            const double rest[6] = {pull[0], 0, pull[2], pull[3], pull[4], pull[5]};
            accelerate(solid, rest, *behind);
        }
        if (axis == 1)
            *behind = 0;
        roll(solid, axis, normal);
    }
}

void solid_motion_advance(const BillowDef *def, BillowSolid *solid, const double pull[6],
                          double *behind, double dt)
{
    bool falls = solid->motion == BILLOW_FALLING;
    if (falls && pull != NULL)
        accelerate(solid, pull, *behind + 0.5 * dt);
    else if (falls)
        solid->velocity[1] -= (float)((double)solid->gravity * (*behind + 0.5 * dt));
    if (falls)
        *behind = 0.5 * dt;
    for (int axis = 0; axis < 3; axis++)
        solid->center[axis] += (float)((double)solid->velocity[axis] * dt);
    bodies_turn(solid, dt);
    if (falls)
        bounce(def, solid, pull, behind, dt);
}
