/* SPDX-License-Identifier: MIT
 *
 * Bodies that the air moves.
 *
 * The pressure gives a body the impulse rho h^3 * sum over cells q_c (open_low - open_high) along
 * each axis, where open is the face fraction: the area of solid beside the cell is what is missing
 * between its two faces. The air loses just as much, because the projection gives a face
 * -(q_c - q_(c-1)), weighted by its fraction.
 *
 * The pressure contains the reaction of the air to the last change of the body's own velocity,
 * -A dv, where A is the added mass. Taken as it is, that reaction exceeds the body's own mass M if
 * the body is light, and alternates and grows from substep to substep. A virtual mass S is
 * therefore added on both sides (Hu, Patankar & Zhu 2001):
 *
 *     (M + S) a dt = impulse + weight dt + S dv
 *
 * It changes nothing where a is steady: a = force / (M + A). An error decays as
 * (S - A) / (M + S) per substep, which is below 1 in magnitude for S > (A - M) / 2. S is that of
 * an ellipsoid around the shape, whose added mass is known (Lamb 1932, articles 114 and 373). A
 * factor of 2 between A and S is thus allowed, and more upwards. Where that is not enough, the flow
 * itself shows how much is (fit_virtual_mass).
 *
 * The weight is (M - rho V) g, because q does not contain the ambient pressure, which carries rho V
 * g. */
#include "sim/solids/floating_bodies.h"

#include "base/mathematics.h"
#include "sim/fields/constants.h"
#include "sim/sim.h"
#include "sim/solids/bodies.h"

#include <math.h>
#include <string.h>

bool floating_any(const BillowSim *sim)
{
    for (int s = 0; sim->solids != NULL && s < sim->def.solid_count; s++)
        if (bodies_float(&sim->def.solids[s]))
            return true;
    return false;
}

/* -- shapes ------------------------------------------------------------------------------------ */

/* Integrals over an ellipsoid with these semi-axes (Lamb 1932, article 114):
 *
 *     alpha_i = abc * integral from 0 to infinity of dl / ((a_i^2 + l) sqrt((a^2 + l)(b^2 + l)
 *               (c^2 + l)))
 *
 * Their sum is 2. With l = u^2 the integrand is smooth in log u, and the midpoint rule needs some
 * two hundred points. */
static void ellipsoid_integrals(const double semi[3], double alpha[3])
{
    const double ratio = 1.1, width = 0.09531017980432493; /* log 1.1 */
    double least = fmin(semi[0], fmin(semi[1], semi[2]));
    double most = fmax(semi[0], fmax(semi[1], semi[2]));
    double sum = 0;
    alpha[0] = alpha[1] = alpha[2] = 0;
    for (double u = 1e-3 * least; u < 1e3 * most; u *= ratio) {
        double product = 1;
        for (int axis = 0; axis < 3; axis++)
            product *= semi[axis] * semi[axis] + u * u;
        for (int axis = 0; axis < 3; axis++)
            alpha[axis] += 2 * u * u * width * semi[0] * semi[1] * semi[2] /
                           ((semi[axis] * semi[axis] + u * u) * sqrt(product));
    }
    for (int axis = 0; axis < 3; axis++)
        sum += alpha[axis];
    for (int axis = 0; axis < 3; axis++)
        alpha[axis] *= 2 / sum;
}

/* Volume and fifth moments of the air that an ellipsoid takes along. */
static void ellipsoid_added(const double semi[3], double moved[3], double turned[3])
{
    double alpha[3], volume = 4.0 / 3 * MATH_PI * semi[0] * semi[1] * semi[2];
    ellipsoid_integrals(semi, alpha);
    for (int axis = 0; axis < 3; axis++) {
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        double b2 = semi[b] * semi[b], c2 = semi[c] * semi[c];
        double below = 2 * (b2 - c2) + (b2 + c2) * (alpha[b] - alpha[c]);
        double above = (b2 - c2) * (b2 - c2) * (alpha[c] - alpha[b]);
        moved[axis] = volume * alpha[axis] / (alpha[b] + alpha[c]);
        turned[axis] = fabs(b2 - c2) > 1e-9 * (b2 + c2) ? volume / 5 * fmax(above / below, 0) : 0;
    }
}

enum { SHAPE_SAMPLES = 48 }; /* along each axis */

/* Mean products of the coordinates in a shape, xx, yy, zz, xy, xz and yz, and the half extents of
 * the part that holds anything. Points near the surface count in part, so that a sheet thinner than
 * the distance between samples is found. */
static void sample_shape(const PlacedShape *placed, double means[6], double semi[3])
{
    double low[3], high[3], step = 0, weights = 0;
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    shape_bounds(placed, low, high);
    for (int axis = 0; axis < 3; axis++)
        step = fmax(step, (high[axis] - low[axis]) / SHAPE_SAMPLES);
    memset(means, 0, 6 * sizeof means[0]);
    for (int s = 0; s < SHAPE_SAMPLES * SHAPE_SAMPLES * SHAPE_SAMPLES; s++) {
        const int at[3] = {s % SHAPE_SAMPLES, s / SHAPE_SAMPLES % SHAPE_SAMPLES,
                           s / (SHAPE_SAMPLES * SHAPE_SAMPLES)};
        double p[3];
        for (int axis = 0; axis < 3; axis++)
            p[axis] = low[axis] + (at[axis] + 0.5) * (high[axis] - low[axis]) / SHAPE_SAMPLES;
        double weight = fmin(fmax(0.5 - shape_distance(placed, p) / step, 0), 1);
        const double products[6] = {p[0] * p[0], p[1] * p[1], p[2] * p[2],
                                    p[0] * p[1], p[0] * p[2], p[1] * p[2]};
        weights += weight;
        for (int c = 0; c < 6; c++)
            means[c] += weight * products[c];
        for (int axis = 0; axis < 3 && weight > 0.25; axis++) {
            least[axis] = fmin(least[axis], p[axis]);
            most[axis] = fmax(most[axis], p[axis]);
        }
    }
    for (int c = 0; c < 6 && weights > 0; c++)
        means[c] /= weights;
    for (int axis = 0; axis < 3; axis++) {
        double between = (high[axis] - low[axis]) / SHAPE_SAMPLES;
        semi[axis] = most[axis] >= least[axis] ? 0.5 * (most[axis] - least[axis] + between)
                                               : 0.5 * (high[axis] - low[axis]);
    }
}

/* Fills in the properties of a shape.
 *
 * The ellipsoid with the shape's half extents takes along the air `near`. A fuller shape takes
 * along more, and one with hollows also what they hold. A shape with edges also takes air along
 * when it turns around an axis of symmetry. */
static void measure_shape(BodyShape *body, const BillowSolid *solid)
{
    const float nowhere[3] = {0, 0, 0}, upright[4] = {0, 0, 0, 1};
    PlacedShape placed = shape_place(solid->shape, solid->size, nowhere, upright, solid->volume);
    double means[6], semi[3];
    memset(body, 0, sizeof *body);
    body->shape = solid->shape;
    body->form = solid->volume;
    memcpy(body->size, solid->size, sizeof body->size);
    body->volume = shape_volume(&placed);
    sample_shape(&placed, means, semi);
    double most = fmax(semi[0], fmax(semi[1], semi[2])), around = 4.0 / 3 * MATH_PI;
    for (int axis = 0; axis < 3; axis++) {
        semi[axis] = fmax(semi[axis], 1e-4 * most);
        around *= semi[axis];
    }
    double turned[3], fuller = fmax(1, body->volume / around);
    double hollow = fmax(around - body->volume, 0);
    ellipsoid_added(semi, body->near, turned);
    for (int axis = 0; axis < 3; axis++) {
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        double turn = means[b] + means[c]; /* mean squared distance from the axis */
        body->inertia[axis] = body->volume * turn;
        body->inertia[3 + axis] = -body->volume * means[3 + axis];
        body->added[axis] = fuller * body->near[axis] + hollow;
        body->near[3 + axis] = turned[axis];
        body->added[3 + axis] =
            solid->shape == BILLOW_SPHERE
                ? 0
                : fuller * turned[axis] + 0.25 * body->volume * turn + hollow * turn;
        body->surface += 8 * semi[b] * semi[c];
    }
    body->radius = most;
}

static const BodyShape *shape_of(BillowSim *sim, int s)
{
    const BillowSolid *solid = &sim->def.solids[s];
    BodyShape *body = &sim->solids->bodies[s];
    if (body->shape != solid->shape || body->form != solid->volume ||
        memcmp(body->size, solid->size, sizeof body->size) != 0 || !(body->radius > 0))
        measure_shape(body, solid);
    return body;
}

/* -- matrices ---------------------------------------------------------------------------------- */

/* Turns a vector into the axes of the shape, or back. */
static void into_shape(const double turn[3][3], const double vector[3], double turned[3])
{
    for (int row = 0; row < 3; row++)
        turned[row] =
            turn[row][0] * vector[0] + turn[row][1] * vector[1] + turn[row][2] * vector[2];
}

static void out_of_shape(const double turn[3][3], const double turned[3], double vector[3])
{
    for (int axis = 0; axis < 3; axis++)
        vector[axis] =
            turn[0][axis] * turned[0] + turn[1][axis] * turned[1] + turn[2][axis] * turned[2];
}

/* The product of a symmetric matrix (xx, yy, zz, xy, xz, yz) and a vector. */
static void multiply_symmetric(const double m[6], const double x[3], double product[3])
{
    product[0] = m[0] * x[0] + m[3] * x[1] + m[4] * x[2];
    product[1] = m[3] * x[0] + m[1] * x[1] + m[5] * x[2];
    product[2] = m[4] * x[0] + m[5] * x[1] + m[2] * x[2];
}

/* Solves m x = b for a symmetric, positive definite matrix by its cofactors. */
static void solve_symmetric(const double m[6], const double b[3], double x[3])
{
    double scale = m[0] + m[1] + m[2];
    const double xx = m[0] / scale, yy = m[1] / scale, zz = m[2] / scale;
    const double xy = m[3] / scale, xz = m[4] / scale, yz = m[5] / scale;
    const double inverse[6] = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                               xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    double determinant = xx * inverse[0] + xy * inverse[3] + xz * inverse[4];
    multiply_symmetric(inverse, b, x);
    for (int axis = 0; axis < 3; axis++)
        x[axis] /= determinant * scale;
}

/* -- motion ------------------------------------------------------------------------------------ */

/* Virtual mass and moment of inertia about the shape's axes, kg and kg m2. A sticky surface also
 * takes along the air within the depth to which viscosity acts in a substep. */
static void virtual_mass(const BillowSim *sim, const BillowSolid *solid, const BodyShape *body,
                         const double heavier[2], double dt, double mass[6])
{
    const double air = (double)AIR_DENSITY;
    double depth2 = solid->sticky ? (double)sim->def.params.viscosity * dt : 0;
    double layer = body->surface * sqrt(depth2) + 6 * MATH_PI * body->radius * depth2;
    for (int axis = 0; axis < 3; axis++) {
        mass[axis] = (1 + heavier[0]) * air * (body->added[axis] + layer);
        mass[3 + axis] =
            (1 + heavier[1]) * air * (body->added[3 + axis] + layer * body->radius * body->radius);
    }
}

/* The ellipsoid's added mass is that in an infinite room. Close to walls, and in a pipe most of
 * all, A is larger than any estimate from the shape. It shows: differences d between the
 * accelerations of substeps alternate and grow, with the ratio r = (A - S) / (M + S) above 1 in
 * magnitude. Then S becomes A = S + r (M + S). It fades back when they do not. The flow alone
 * alternates now and then, too; therefore only differences count that are a good part of the
 * acceleration itself, and of those the third in a row or one that has doubled. before: the
 * difference before; usual: the acceleration without what alternates; mass, own: S and M, or the
 * moments of inertia. */
static void fit_virtual_mass(const double swing[3], const double before[3], double usual,
                             double mass, double own, double *heavier, double *turns)
{
    const double alternates = 0.5, large = 0.25, fades = 0.9, most = 100, doubles = 2, grows = 8;
    double product = 0, square = 0, now = 0;
    for (int axis = 0; axis < 3; axis++) {
        product -= swing[axis] * before[axis];
        square += before[axis] * before[axis];
        now += swing[axis] * swing[axis];
    }
    double ratio = square > 0 ? product / square : 0;
    bool turned = ratio > alternates && sqrt(fmin(now, square)) > large * usual; /* not for NaN */
    *turns = turned ? *turns + 1 : 0;
    *heavier *= fades;
    if (turned && (*turns >= 3 || ratio > doubles) && mass > 0)
        *heavier = fmin(*heavier + fmin(ratio, grows) * (1 + *heavier) * (1 + own / mass), most);
}

/* The face of the box against which a body is pulled pushes back, and has no friction. Along that
 * axis the acceleration stays, which holds the body there. Along the others it becomes that with
 * the push: as the virtual mass is not the same in all directions, a force along one axis
 * accelerates along others, too. inertia: M + S along the shape's axes; before: the acceleration
 * before. */
static void push_back(const double turn[3][3], const double inertia[3], const double kick[3],
                      const double before[3], double pull[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double unit[3] = {axis == 0, axis == 1, axis == 2};
        double own[3], yields[3];
        bool held = kick[axis] == 0 && before[axis] * pull[axis] > 0; /* see cancel() */
        if (!held)
            continue;
        into_shape(turn, unit, own);
        for (int a = 0; a < 3; a++)
            own[a] /= inertia[a];
        out_of_shape(turn, own, yields);
        for (int a = 0; a < 3; a++)
            pull[a] -= a != axis ? yields[a] / yields[axis] * pull[axis] : 0;
    }
}

/* Solves a body's equations of motion for its acceleration in the next substep, along the axes of
 * the world, as all these six numbers are. load: force, N, and torque, N m. kick: rates at which
 * the acceleration of the last substep changed velocity and spin before the pressure was computed,
 * m/s2 and rad/s2. jolt: the same for faces of the box, callers of the library, and all else. */
static void solve_motion(BillowSim *sim, int s, double dt, const double load[6],
                         const double kick[6], const double jolt[6])
{
    const BillowSolid *solid = &sim->def.solids[s];
    const BodyShape *body = shape_of(sim, s);
    const PlacedShape placed = bodies_place(solid);
    BodyMotion *motion = &sim->solids->motions[s];
    const double density = (double)solid->density;
    double added[6], inertia[6], sum[6], moved[6], swing[6], *pull = motion->pull;
    double masses[3], before[3];
    virtual_mass(sim, solid, body, motion->heavier, dt, added);
    for (int part = 0; part < 6; part += 3) {
        double own[3], kicked[3], jolted[3];
        into_shape(placed.turn, load + part, own);
        into_shape(placed.turn, kick + part, kicked);
        into_shape(placed.turn, jolt + part, jolted);
        for (int axis = 0; axis < 3; axis++) {
            double near = (double)AIR_DENSITY * body->near[part + axis];
            sum[part + axis] = own[axis] + added[part + axis] * kicked[axis] + near * jolted[axis];
        }
    }
    for (int c = 0; c < 6; c++)
        inertia[c] = density * body->inertia[c] + (c < 3 ? added[3 + c] : 0);
    for (int axis = 0; axis < 3; axis++) {
        masses[axis] = density * body->volume + added[axis];
        moved[axis] = sum[axis] / masses[axis];
        before[axis] = pull[axis];
    }
    solve_symmetric(inertia, sum + 3, moved + 3);
    out_of_shape(placed.turn, moved, pull);
    push_back(placed.turn, masses, kick, before, pull);
    out_of_shape(placed.turn, moved + 3, pull + 3);
    bool good = true;
    double usual[2] = {0, 0}; /* squared means of this and the last acceleration */
    for (int part = 0; part < 6; part++) {
        double mean = 0.5 * (pull[part] + kick[part]);
        swing[part] = pull[part] - kick[part];
        usual[part / 3] += mean * mean;
        good = good && isfinite(pull[part]) && isfinite(swing[part]);
    }
    if (!good) { /* nothing inside, or a flow that has blown up */
        memset(motion, 0, sizeof *motion);
        pull[1] = -(double)solid->gravity;
        return;
    }
    double weight = fabs((double)solid->gravity);
    fit_virtual_mass(swing, motion->swing, fmax(sqrt(usual[0]), weight),
                     fmin(added[0], fmin(added[1], added[2])), density * body->volume,
                     &motion->heavier[0], &motion->turns[0]);
    fit_virtual_mass(swing + 3, motion->swing + 3, fmax(sqrt(usual[1]), weight / body->radius),
                     added[3] + added[4] + added[5],
                     density * (body->inertia[0] + body->inertia[1] + body->inertia[2]),
                     &motion->heavier[1], &motion->turns[1]);
    memcpy(motion->swing, swing, sizeof swing);
}

/* Adds what acts on a body besides the air's impulses: weight less that of the air it displaces,
 * and the part of the viscous torque that the flux of momentum through the surface lacks. The
 * traction is mu n.(grad u + its transpose). On a rigid surface the second part is -mu w x n, which
 * adds up to a torque of -2 mu V w. */
static void add_weight(BillowSim *sim, int s, double load[6])
{
    const BillowSolid *solid = &sim->def.solids[s];
    const double air = (double)AIR_DENSITY, volume = shape_of(sim, s)->volume;
    load[1] -= ((double)solid->density - air) * volume * (double)solid->gravity;
    for (int axis = 0; axis < 3 && solid->sticky; axis++)
        load[3 + axis] -=
            2 * air * (double)sim->def.params.viscosity * volume * (double)solid->spin[axis];
}

void floating_release(BillowSim *sim, int solid)
{
    static const double none[6] = {0};
    double load[6] = {0};
    add_weight(sim, solid, load);
    solve_motion(sim, solid, 0, load, none, none);
    memset(sim->solids->motions[solid].swing, 0, sizeof sim->solids->motions[solid].swing);
}

void floating_begin(BillowSim *sim)
{
    if (floating_any(sim))
        memset(sim->solids->impulses, 0,
               (size_t)sim->grid.nz * (size_t)sim->def.solid_count * 6 * sizeof(double));
}

typedef void SymmetricMap(const double m[6], const double x[3], double result[3]);

/* Applies the moments of inertia of a body at its place, for a density of 1, to a vector of the
 * world: with multiply_symmetric a spin becomes an angular momentum, with solve_symmetric an
 * angular momentum a spin. */
static void apply_inertia(const BodyShape *body, const BillowSolid *at, SymmetricMap *map,
                          const double vector[3], double result[3])
{
    const PlacedShape placed = bodies_place(at);
    double own[3], mapped[3];
    into_shape(placed.turn, vector, own);
    map(body->inertia, own, mapped);
    out_of_shape(placed.turn, mapped, result);
}

/* Keeps the spin within its range. */
static void set_spin(BillowSolid *solid, const double spin[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (isfinite(spin[axis]))
            solid->spin[axis] = (float)fmax(fmin(spin[axis], BODY_SPIN_MOST), -BODY_SPIN_MOST);
}

/* A body without forces keeps its angular momentum and takes its moments of inertia along as it
 * turns. It turns by the spin that it has half way, which also keeps its energy. On entry, `spin`
 * is that at the start of dt; on return, that half way. */
static void spin_half_way(const BodyShape *body, const BillowSolid *solid, const double momentum[3],
                          double dt, double spin[3])
{
    for (int round = 0; round < 3; round++) {
        BillowSolid half = *solid;
        set_spin(&half, spin);
        bodies_turn(&half, 0.5 * dt);
        apply_inertia(body, &half, solve_symmetric, momentum, spin);
    }
}

/* Where a face of the box stops a body, the face undoes what the body's own acceleration has done.
 * Takes from both changes of the velocity what they undo of each other. */
static void cancel(double *kick, double *jolt)
{
    if (*kick * *jolt >= 0)
        return;
    double both = copysign(fmin(fabs(*kick), fabs(*jolt)), *kick);
    *kick -= both;
    *jolt += both;
}

void floating_move(BillowSim *sim, int s, double dt)
{
    Solids *solids = sim->solids;
    BillowSolid *solid = &sim->def.solids[s];
    const BodyShape *body = shape_of(sim, s);
    const bool precesses = solid->shape != BILLOW_SPHERE; /* a sphere has one moment of inertia */
    const BodyMotion *motion = &solids->motions[s];
    double lag = solids->kicked[s] + 0.5 * dt, *kick = solids->kick[s], *jolt = solids->jolt[s];
    double spin[3], momentum[3], caught_up[6];
    for (int part = 0; part < 6; part++)
        kick[part] = motion->pull[part] * lag;
    for (int axis = 0; axis < 3; axis++) { /* before precession, which is no jolt */
        jolt[3 + axis] = (double)solid->spin[axis] - motion->met[3 + axis];
        spin[axis] = (double)solid->spin[axis] + kick[3 + axis];
    }
    if (precesses) {
        apply_inertia(body, solid, multiply_symmetric, spin, momentum);
        spin_half_way(body, solid, momentum, dt, spin);
        for (int axis = 0; axis < 3; axis++)
            spin[axis] -= kick[3 + axis];
        set_spin(solid, spin);
    }
    solid_motion_advance(&sim->def, solid, motion->pull, &solids->kicked[s], dt);
    for (int part = 0; part < 6; part++) { /* at the floor or ceiling, where no lag is left */
        caught_up[part] = solids->kicked[s] == 0 && part != 1 ? motion->pull[part] * 0.5 * dt : 0;
        kick[part] += caught_up[part];
    }
    if (precesses) {
        apply_inertia(body, solid, solve_symmetric, momentum, spin);
        for (int axis = 0; axis < 3; axis++)
            spin[axis] += caught_up[3 + axis];
        set_spin(solid, spin);
    }
    for (int axis = 0; axis < 3; axis++) {
        jolt[axis] = (double)solid->velocity[axis] - motion->met[axis] - kick[axis];
        cancel(&kick[axis], &jolt[axis]);
    }
}

/* -- impulses ---------------------------------------------------------------------------------- */

void floating_push(BillowSim *sim, int plane, int solid, const double impulse[3],
                   const double torque[3])
{
    double *sum = sim->solids->impulses + ((ptrdiff_t)plane * sim->def.solid_count + solid) * 6;
    for (int axis = 0; axis < 3; axis++) {
        sum[axis] += impulse[axis];
        sum[3 + axis] += torque[axis];
    }
}

/* Torque of an impulse by pressure. The pressure on a sphere acts towards its centre, and that on
 * another round shape has no torque about its axis. On the grid it would have one, because cells
 * end beside the surface and not on it. */
static void pressure_torque(const BillowSim *sim, int solid, const double arm[3],
                            const double impulse[3], double torque[3])
{
    const PlacedShape *placed = &sim->solids->placed[solid];
    bool round = placed->shape == BILLOW_CYLINDER || placed->shape == BILLOW_CAPSULE ||
                 placed->shape == BILLOW_TORUS || placed->shape == BILLOW_CONE;
    double around = 0;
    floating_torque(arm, impulse, torque);
    for (int axis = 0; axis < 3; axis++) {
        torque[axis] = placed->shape == BILLOW_SPHERE ? 0 : torque[axis];
        around += torque[axis] * placed->turn[1][axis];
    }
    for (int axis = 0; axis < 3 && round; axis++)
        torque[axis] -= around * placed->turn[1][axis];
}

static void press_cell(BillowSim *sim, int i, int j, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    const double h = (double)sim->def.cell_size;
    double arm[3], impulse[3], torque[3];
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)*face_fraction(level, axis, i, j, k);
        double high =
            (double)*face_fraction(level, axis, i + (axis == 0), j + (axis == 1), k + (axis == 2));
        impulse[axis] = low - high;
        any = any || low != high;
    }
    int solid = any ? solids_nearest(sim, -1, i, j, k, arm) : 0;
    if (!any || !bodies_float(&sim->def.solids[solid]))
        return;
    double q = (double)*packed_cell(&sim->grid, level->x, i, j, k);
    for (int axis = 0; axis < 3; axis++)
        impulse[axis] *= (double)AIR_DENSITY * h * h * h * q;
    pressure_torque(sim, solid, arm, impulse, torque);
    floating_push(sim, k, solid, impulse, torque);
}

static void press_task(void *context, Team team)
{
    BillowSim *sim = context;
    const Level *level = &sim->multigrid.levels[0];
    const Region *region = &sim->solids->region;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < sim->grid.ny && level->fractions.planes[k]; j++) {
            if (!level_row_is_cut(level, j, k))
                continue;
            for (int i = region->low[0]; i < region->high[0]; i++)
                press_cell(sim, i, j, k);
        }
}

void floating_press(BillowSim *sim)
{
    if (floating_any(sim))
        sim_run(sim, press_task, sim);
}

void floating_accelerate(BillowSim *sim, double dt)
{
    Solids *solids = sim->solids;
    const int count = sim->def.solid_count, planes = sim->grid.nz;
    if (solids == NULL)
        return;
    bool any = floating_any(sim);
    if (any)
        exchange_entries(sim_alone(sim), solids->impulses, (size_t)count * 6 * sizeof(double),
                         planes);
    for (int s = 0; s < count; s++) {
        const BillowSolid *solid = &sim->def.solids[s];
        double load[6] = {0}, met[6];
        for (int axis = 0; axis < 3; axis++) {
            met[axis] = (double)solid->velocity[axis];
            met[3 + axis] = (double)solid->spin[axis];
        }
        if (!any || !bodies_float(solid)) {
            memset(&solids->motions[s], 0, sizeof solids->motions[s]);
            memcpy(solids->motions[s].met, met, sizeof met);
            continue;
        }
        memcpy(solids->motions[s].met, met, sizeof met);
        for (int k = 0; k < planes; k++)
            for (int part = 0; part < 6; part++)
                load[part] += solids->impulses[((ptrdiff_t)k * count + s) * 6 + part];
        double kick[6], jolt[6];
        for (int part = 0; part < 6; part++) {
            load[part] /= dt;
            kick[part] = solids->kick[s][part] / dt;
            jolt[part] = solids->jolt[s][part] / dt;
        }
        add_weight(sim, s, load);
        solve_motion(sim, s, dt, load, kick, jolt);
    }
}
