/* SPDX-License-Identifier: MIT
 *
 * Solves for the pressure to a tolerance: by multigrid cycles, and by conjugate gradients with a
 * cycle as preconditioner where cycles alone converge too slowly or where the caller asks for them.
 */
#include "multigrid.h"

#include "constants.h"

#include <float.h>
#include <math.h>

/* Conjugate gradients for A x = b, preconditioned by one cycle M (flexible, after Notay 2000: beta
 * by Polak and Ribiere, since M is not quite symmetric):
 *
 *     r = b - A x,  d = 0
 *     repeat   z = M r,  beta = -z.Ad / d.Ad,  d = z + beta d,
 *              alpha = d.r / d.Ad,  x += alpha d,  r -= alpha Ad
 */
typedef struct Conjugate {
    const PressureSolve *solve;
    Multigrid cycle; /* the preconditioner; its finest level solves A z = r */
    Level x;         /* A x = r, and the solution */
    Level d;         /* A d, next to r */
    Slab slab;
    Team team;
} Conjugate;

static double sum_of(const Conjugate *c, double (*plane_sum)(const Conjugate *, int))
{
    double *sums = c->solve->plane_sums;
    for (int k = c->slab.begin; k < c->slab.end; k++)
        sums[k] = plane_sum(c, k);
    team_barrier(c->team);
    double sum = sum_planes(sums, c->x.cells[2]);
    team_barrier(c->team); /* nobody overwrites the planes before all have summed */
    return sum;
}

static double z_along(const Conjugate *c, int k)
{
    return level_product(&c->d, c->cycle.levels[0].x, k);
}

static double d_along(const Conjugate *c, int k)
{
    return level_product(&c->d, c->d.x, k);
}

static double d_times_r(const Conjugate *c, int k)
{
    return level_dot(&c->d, c->d.x, c->d.rhs, k);
}

static double r_squares(const Conjugate *c, int k)
{
    return level_dot(&c->d, c->d.rhs, c->d.rhs, k);
}

static double x_squares(const Conjugate *c, int k)
{
    return level_dot(&c->x, c->x.x, c->x.x, k);
}

/* z = M r. */
static void precondition(Conjugate *c)
{
    multigrid_cycle(&c->cycle, 0, c->team);
}

/* x += alpha d, r -= alpha A d. */
static void advance(Conjugate *c, float alpha)
{
    for (int k = c->slab.begin; k < c->slab.end; k++) {
        level_add(&c->x, alpha, c->d.x, c->x.x, k);
        level_subtract_product(&c->d, alpha, k);
    }
    team_barrier(c->team);
}

/* Undoes the last addition to x. */
static void take_back(Conjugate *c, float alpha)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        level_add(&c->x, -alpha, c->d.x, c->x.x, k);
    team_barrier(c->team);
}

/* d = z + beta d. */
static void turn(Conjugate *c, float beta)
{
    for (int k = c->slab.begin; k < c->slab.end; k++) {
        level_scale(&c->d, beta, k);
        level_add(&c->d, 1, c->cycle.levels[0].x, c->d.x, k);
    }
    team_barrier(c->team);
}

static Conjugate begin(const PressureSolve *solve, float start, Team team)
{
    Conjugate c = {.solve = solve, .cycle = *solve->multigrid, .team = team};
    c.x = c.d = solve->multigrid->levels[0];
    c.slab = team_slab(team, c.x.cells[2]);
    c.cycle.levels[0].x = grid_packed(&c.x.grid, solve->memory[0]);
    c.d.x = grid_packed(&c.x.grid, solve->memory[1]);
    int last = c.x.cells[2];
    int from = c.slab.begin == 0 ? -1 : c.slab.begin;
    int to = c.slab.begin == c.slab.end ? from : c.slab.end == last ? last + 1 : c.slab.end;
    for (int k = from; k < to; k++) {
        level_clear(&c.cycle.levels[0], k); /* ghosts, first of all */
        level_clear(&c.d, k);
    }
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_scale(&c.x, start, k);
    team_barrier(team);
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_subtract_product(&c.x, 1, k);
    team_barrier(team);
    return c;
}

/* Rounding error of the residual: A x sums x times 6 and less. */
static double rounding(const Conjugate *c)
{
    return 6 * (double)FLT_EPSILON * sqrt(sum_of(c, x_squares));
}

static Solved conjugate_gradients(const PressureSolve *solve, int cycles, Team team)
{
    Conjugate c = begin(solve, cycles == 0 ? solve->start : 1, team);
    double left = sqrt(sum_of(&c, r_squares));
    for (double curvature = 0; cycles < solve->cycles && left > solve->goal; cycles++) {
        precondition(&c);
        turn(&c, curvature > 0 ? (float)(-sum_of(&c, z_along) / curvature) : 0);
        curvature = sum_of(&c, d_along);
        if (!(curvature > 0)) /* nothing left, or only rounding */
            break;
        float alpha = (float)(sum_of(&c, d_times_r) / curvature);
        advance(&c, alpha);
        double now = sqrt(sum_of(&c, r_squares));
        if (!(now < ASTRAY * left) && !(left > ASTRAY_ROUNDING * rounding(&c))) {
            take_back(&c, alpha);
            break;
        }
        left = now;
    }
    return (Solved){BILLOW_CONJUGATE_GRADIENTS, cycles, left};
}

Solved pressure_solve(const PressureSolve *solve, Team team)
{
    double left = INFINITY;
    int cycles = 0;
    bool slow = solve->conjugate;
    while (!slow && cycles < solve->cycles && left > solve->goal) {
        double before = left;
        left = multigrid_cycle(solve->multigrid, cycles == 0 ? solve->start : 1, team);
        cycles++;
        slow = left > solve->goal && left > CYCLE_SLOWEST * before;
    }
    if (slow && cycles < solve->cycles)
        return conjugate_gradients(solve, cycles, team);
    return (Solved){BILLOW_MULTIGRID, cycles, left};
}
