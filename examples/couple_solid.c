/* SPDX-License-Identifier: MIT
 *
 * A body with a game's own physics in the smoke, coupled in both directions.
 *
 *     couple_solid
 *
 * A light ball lies in the air above a strong plume. Each frame
 *
 *   1. the game reads the flow around the ball from the view and computes the drag force,
 *   2. the game moves the ball by drag, gravity and the buoyancy of the air,
 *   3. the game tells the simulation where the ball is (billow_set_solids); the smoke flows around
 * it.
 *
 * The plume lifts the ball and lets it down again after its emitter stops at 1.2 s. Without step 1
 * the body pushes the smoke and feels nothing. Billow itself can move a body that only falls,
 * bounces and rolls: BILLOW_FALLING. */
#include <billow/billow.h>
#include <math.h>
#include <stdio.h>

typedef struct Ball {
    double position[3], velocity[3]; /* m, m/s */
    double radius, mass;             /* m, kg */
} Ball;

/* The velocity of the fluid at a point, from the nearest faces, m/s; 0 outside the box. */
static void flow_at(const BillowView *view, const double point[3], double velocity[3])
{
    const float *parts[3] = {view->u, view->v, view->w};
    const int counts[3] = {view->nx, view->ny, view->nz};
    for (int axis = 0; axis < 3; axis++) {
        ptrdiff_t at[3];
        velocity[axis] = 0;
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            /* Faces lie at whole cells along their own axis and at halves along the others. */
            double cells = (point[a] - (double)view->origin[a]) / (double)view->cell_size;
            at[a] = (ptrdiff_t)floor(a == axis ? cells + 0.5 : cells);
            inside = inside && at[a] >= 0 && at[a] < counts[a];
        }
        if (inside)
            velocity[axis] =
                (double)parts[axis][at[0] + at[1] * view->stride_y + at[2] * view->stride_z];
    }
}

/* The mean velocity around the ball, at points on a sphere 1.5 times as large (a spiral of the
 * golden angle). Nearer to the ball the fluid moves with its surface. */
static void flow_around(const BillowView *view, const Ball *ball, double mean[3])
{
    enum { points = 64 };
    mean[0] = mean[1] = mean[2] = 0;
    for (int n = 0; n < points; n++) {
        double y = 1 - (2 * n + 1.0) / points, turn = 2.399963 * n;
        double ring = 1.5 * ball->radius * sqrt(1 - y * y), velocity[3];
        double point[3] = {ball->position[0] + ring * cos(turn),
                           ball->position[1] + 1.5 * ball->radius * y,
                           ball->position[2] + ring * sin(turn)};
        flow_at(view, point, velocity);
        for (int a = 0; a < 3; a++)
            mean[a] += velocity[a] / points;
    }
}

/* The game's physics: the drag of a sphere, 0.5 rho c A |v| v, and its weight less its buoyancy. */
static void move_ball(Ball *ball, const double flow[3], double dt)
{
    const double air = 1.2, pi = 3.14159265358979, drag_coefficient = 0.47;
    double r = ball->radius, area = pi * r * r, displaced = air * 4 / 3 * pi * r * r * r;
    double past[3], speed = 0;
    for (int a = 0; a < 3; a++) {
        past[a] = flow[a] - ball->velocity[a];
        speed += past[a] * past[a];
    }
    speed = sqrt(speed);
    for (int a = 0; a < 3; a++) {
        double force = 0.5 * air * drag_coefficient * area * speed * past[a];
        if (a == 1)
            force -= 9.81 * (ball->mass - displaced);
        ball->velocity[a] += dt * force / (ball->mass + 0.5 * displaced); /* with added mass */
        ball->position[a] += dt * ball->velocity[a];
    }
    if (ball->position[1] < 1.2 * r) { /* the game's floor */
        ball->position[1] = 1.2 * r;
        ball->velocity[1] = fmax(0, -0.3 * ball->velocity[1]);
    }
}

int main(void)
{
    BillowDef def = billow_default_def();
    def.nx = def.nz = 24;
    def.ny = 48;
    def.cell_size = 1.0f / 24; /* 1 m x 2 m x 1 m */
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].heat = 1500;
    def.emitters[0].end = 1.2;
    def.emitter_count = 1;
    def.solids[0] = billow_default_solid(); /* a sphere that moves only as it is told */
    def.solid_count = 1;
    Ball ball = {{0.5, 1, 0.5}, {0, 0, 0}, 0.1, 0.00517};
    BillowSolid *solid = &def.solids[0];
    solid->size[0] = (float)ball.radius;
    for (int a = 0; a < 3; a++)
        solid->center[a] = (float)ball.position[a];
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL)
        return fprintf(stderr, "couple_solid: %s\n", error.text), 1;

    const double dt = 1.0 / 30;
    for (int frame = 1; frame <= 300; frame++) {
        double flow[3];
        BillowView view = billow_view(sim);
        flow_around(&view, &ball, flow);
        move_ball(&ball, flow, dt);

        /* The step moves the solid by its velocity, so start one step earlier. */
        for (int a = 0; a < 3; a++) {
            solid->center[a] = (float)(ball.position[a] - dt * ball.velocity[a]);
            solid->velocity[a] = (float)ball.velocity[a];
        }
        if (!billow_set_solids(sim, def.solids, def.solid_count, &error))
            return fprintf(stderr, "couple_solid: %s\n", error.text), 1;
        billow_step(sim, dt);
        if (frame % 10 == 0)
            printf("%5.2f s   ball at %6.3f m, %+6.3f m/s   flow %+6.3f m/s\n", frame * dt,
                   ball.position[1], ball.velocity[1], flow[1]);
    }
    billow_destroy(sim);
    return 0;
}
