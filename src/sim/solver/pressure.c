/* SPDX-License-Identifier: MIT
 * Solves for the pressure to a tolerance by multigrid cycles. Conjugate gradients, with a cycle as
 * preconditioner, take over if cycles alone converge too slowly, or from the start if the caller
 * asks for them. */
#include "sim/solver/multigrid.h"

#include "sim/fields/constants.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Conjugate gradients for A x = b, preconditioned by one multigrid cycle M. M is not quite
 * symmetric. Flexible conjugate gradients (Notay 2000) allow that, with beta by Polak and Ribiere:
 *
 *     r = b - A x,  d = 0
 *     repeat   z = M r,  beta = -z.Ad / d.Ad,  d = z + beta d,
 *              alpha = d.r / d.Ad,  x += alpha d,  r -= alpha Ad
 */
typedef struct Conjugate {
    const PressureSolve *solve;
    Multigrid cycle; /* the preconditioner; its finest level solves A z = r */
    Level x;         /* x, and the right-hand side b, which r overwrites */
    Level d;         /* d, with r as its right-hand side */
    Slab slab;
    Team team;
} Conjugate;

/* Sum of plane_sums. Waits until all workers have filled in their planes. */
static double sum_all(const Conjugate *c)
{
    team_barrier(c->team);
    exchange_entries(c->team, c->solve->plane_sums, sizeof(double), c->x.cells[2]);
    double sum = sum_planes(c->solve->plane_sums, c->x.cells[2]);
    team_barrier(c->team); /* no worker overwrites the planes before all have summed */
    return sum;
}

/* a.b */
static double dot(const Conjugate *c, Packed a, Packed b)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        c->solve->plane_sums[k] = level_dot(&c->d, a, b, k);
    return sum_all(c);
}

/* a.Ad */
static double dot_product(const Conjugate *c, Packed a)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        c->solve->plane_sums[k] = level_product(&c->d, a, k);
    return sum_all(c);
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
static void undo(Conjugate *c, float alpha)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        level_add(&c->x, -alpha, c->d.x, c->x.x, k);
    team_barrier(c->team);
}

/* d = z + beta d. */
static void update_direction(Conjugate *c, float beta)
{
    for (int k = c->slab.begin; k < c->slab.end; k++) {
        level_scale(&c->d, beta, k);
        level_add(&c->d, 1, c->cycle.levels[0].x, c->d.x, k);
    }
    team_barrier(c->team);
    level_exchange(&c->d, c->team);
}

/* Clears plane k of z and d, with its ghosts. */
static void clear_both(const Conjugate *c, int k)
{
    level_clear(&c->cycle.levels[0], k);
    level_clear(&c->d, k);
}

static Conjugate begin(const PressureSolve *solve, float start, Team team)
{
    Conjugate c = {.solve = solve, .cycle = *solve->multigrid, .team = team};
    c.x = c.d = solve->multigrid->levels[0];
    c.slab = team_slab(team, c.x.cells[2]);
    c.cycle.levels[0].x = grid_packed(&c.x.grid, solve->memory[0]);
    c.d.x = grid_packed(&c.x.grid, solve->memory[1]);
    for (int k = c.slab.begin; k < c.slab.end; k++)
        clear_both(&c, k);
    for (int end = 0; end < 2 && team.index == 0; end++) /* every rank has the ghosts */
        clear_both(&c, end == 0 ? -1 : c.x.cells[2]);
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_scale(&c.x, start, k);
    team_barrier(team);
    level_exchange(&c.x, team);
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_subtract_product(&c.x, 1, k);
    team_barrier(team);
    return c;
}

/* Bound on the rounding error of the residual. The diagonal of A, at most 6, scales it. */
static double rounding(const Conjugate *c)
{
    return 6 * (double)FLT_EPSILON * sqrt(dot(c, c->x.x, c->x.x));
}

static Solved conjugate_gradients(const PressureSolve *solve, int cycles, Team team)
{
    Conjugate c = begin(solve, cycles == 0 ? solve->start : 1, team);
    double left = sqrt(dot(&c, c.d.rhs, c.d.rhs));
    for (double curvature = 0; cycles < solve->cycles && left > solve->goal; cycles++) {
        multigrid_cycle(&c.cycle, c.cycle.smoothing, 0, team); /* z = M r */
        update_direction(
            &c, curvature > 0 ? (float)(-dot_product(&c, c.cycle.levels[0].x) / curvature) : 0);
        curvature = dot_product(&c, c.d.x);
        if (!(curvature > 0)) /* the residual is 0 or only rounding */
            break;
        float alpha = (float)(dot(&c, c.d.x, c.d.rhs) / curvature);
        advance(&c, alpha);
        double now = sqrt(dot(&c, c.d.rhs, c.d.rhs));
        if (!(now < ASTRAY * left) && !(left > ASTRAY_ROUNDING * rounding(&c))) {
            undo(&c, alpha);
            break;
        }
        left = now;
    }
    return (Solved){BILLOW_CONJUGATE_GRADIENTS, cycles, left};
}

/* Smoothing of the next cycle: the least that takes the residual from `left` to the goal in
 * everyday flows. The second cycle at 64^3 needs a third to half of the sweeps of a full one. */
static Smoothing next_smoothing(const PressureSolve *solve, double left)
{
    const Smoothing full = solve->multigrid->smoothing;
    static const struct {
        Smoothing smoothing;
        double factor; /* everyday flows: a sixth less than that by which it divides the residual */
    } cycles[] = {{{1, 1}, 5.2}, {{1, 2}, 8.7}, {{2, 2}, 12.3}, {{2, 3}, 17}};
    /* where fine cells meet coarse ones a cycle divides the residual by half as much */
    double goal = solve->multigrid->beyond != NULL ? 0.5 * solve->goal : solve->goal;
    for (size_t c = 0; c < sizeof cycles / sizeof cycles[0]; c++) {
        Smoothing less = cycles[c].smoothing;
        if (left <= cycles[c].factor * goal && less.before <= full.before &&
            less.after <= full.after)
            return less;
    }
    return full;
}

Solved pressure_solve(const PressureSolve *solve, Team team)
{
    double left = INFINITY;
    int cycles = 0;
    bool slow = solve->conjugate;
    while (!slow && cycles < solve->cycles && left > solve->goal) {
        double before = left;
        left = multigrid_cycle(solve->multigrid, next_smoothing(solve, before),
                               cycles == 0 ? solve->start : 1, team);
        cycles++;
        slow = left > solve->goal && left > CYCLE_SLOWEST * before;
    }
    if (slow && cycles < solve->cycles)
        return conjugate_gradients(solve, cycles, team);
    return (Solved){BILLOW_MULTIGRID, cycles, left};
}
