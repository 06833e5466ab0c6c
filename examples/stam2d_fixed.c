/* SPDX-License-Identifier: MIT
 *
 * Fixed-point arithmetic for the solver of stam2d.c, with its equations (1) to (6).
 *
 * A value x is stored as the integer x 2^f in 32 bits. A product has 64 bits and is rounded once.
 * In this comment div is what the array div of stam2d.c holds, -h^2 times the divergence. So n div
 * is half of a sum of four velocities.
 *
 *     quantity                    f   unit             range          largest integer
 *     velocity u, v               22  boxes per time   -16 to 16      2^26
 *     pressure n p                22  as velocity      20 x 16        20 x 2^26 < 2^31
 *     its right-hand side 2n div  22  as velocity      4 x 16         2^28
 *     density                     24  smoke            0 to 100       100 x 2^24 < 2^31
 *     sources                     as the field, per unit of time, in the range of the field
 *     place in the grid           21  cells            0.5 to 512.5   513 x 2^21 < 2^31
 *     weights of (2)              30  1                0 to 1         2^30
 *     dt                          27  time             0.1f, exactly  13421773
 *
 * No value leaves its range: (1) and the end of (5) limit it. The results of (2) and (4) are means
 * with weights that sum to 1, so they lie between the values that enter, also when rounded. The
 * first guess of (2) enters too. In (5) a sweep turns pressures of at most P into P':
 *
 *         4 P' <= n |div| + 2 P' + 2 P,   so P' <= P + n |div|/2 <= P + 16
 *
 * 20 sweeps from 0 reach at most 20 x 16, also when rounded. The largest sum of products is that of
 * (2), below 2^62.
 *
 * The integers take about 0.42 of the time of the floats (gcc 12 -O3 on x86-64, n = 128; --fixed
 * prints both). A relaxation waits for that of its left neighbour, and integers have no division
 * and short sums in that chain.
 *
 * -- how far integers and floats may differ ------------------------------------------------------
 *
 *     E    largest difference in a field before an operation; E' after it
 *     r    half a unit in the last place: 2^-23 for velocities, 2^-25 for densities
 *     e    relative rounding of a float, 2^-24
 *     M    largest absolute value that enters an operation; in (1) the largest that leaves it
 *     S    largest absolute value of the source
 *
 * All this holds while the floats and their sources stay within the ranges of the table, because
 * nothing limits the floats.
 *
 * (1) The integers round s (r, and dt makes it 0.1 r) and dt s (r), the floats dt s and the sum:
 *
 *         E' = E + 1.1 r + e (M + dt S)
 *
 * (2) The source enters as the first guess, so M is at least S. A relaxation differs by R. The
 *     integers round the result (r), four weights by 2^-31 each and the weight of x0 by the sum of
 *     these, together 2^-28 M. The floats round sum, quotient and c by e M each, and the sum of the
 *     neighbours, its product and a by at most 12 e M:
 *
 *         R = r + (2^-28 + 15 e) M
 *
 *     E0 is the difference in x0, F that in x before a sweep, F' after it. The first guesses differ
 *     by r, which is less than E0. Two of the neighbours belong to this sweep and two to the one
 *     before. Beside the left and the lower wall fewer belong to this sweep, which adds less:
 *
 *         c F' <= E0 + 2 a F' + 2 a F + c R,   c = 1 + 4 a
 *
 *     No sweep adds more than 2 R, and F = F' = E0 + c R is a fixed point. After 20 sweeps
 *
 *         E' = E0 + min(c, 40) R
 *
 *     Without diffusion, a = 0, nothing is rounded and E' = E0.
 *
 * (5) In the same way, with a = 1, c = 4, R = r + 3.5 e P, P the largest |n p| of all sweeps, F and
 *     F' of n p, and En <= 2 E the difference in n div:
 *
 *         4 F' <= En + 2 F' + 2 F + 4 R,   so a sweep adds at most En/2 + 2 R
 *
 *     The pressure then differs by 10 En + 40 R. Its gradient (p[i+1] - p[i-1])/2 differs by no
 *     more, and the velocity by 21 E + 40 R. These worst cases exclude each other. The operator is
 *     linear, so its exact norms follow from its answers to unit impulses: 3.399 for E and 12.987
 *     for R, computed at n = 48, 64 and 96, where all digits agree. At n = 24, which the test
 *     computes, both are less.
 *
 *     The integers' n div is exact. The floats' differs by 8.5 e M: 9 e M of the sum, 4 of the
 *     product and 4 of h, halved. A quarter of that in every relaxation gives 13 x 8.5/4 = 28 e M.
 *     The gradient, at most 4.4 M, is rounded three times, 13.2 e M, and the difference from the
 *     velocity once, 3.4 e M. Together this is less than 48 e M:
 *
 *         E' = 3.4 E + 13 R + r + 48 e M
 *
 * (4) The place of the trace differs by X cells, most of it the floats': at place 100 the last bit
 *     of a float is 2^-17.
 *
 *         X = 2^-22 + e (n + 1 + 3 D),   D = dt n max|u|, the longest way
 *
 *     G is the sum of the largest differences between neighbours along x and along y, Eu the
 *     difference of the velocity. The corner of a wall, the mean along x and that along y are
 *     rounded once each. In floats the weights 1 - s1 and 1 - t1 are exact. The integers take the
 *     mean along x first and the floats that along y, which does not matter to the bound:
 *
 *         E' = E + 3 r + 5 e M + G (X + dt n Eu)
 *
 * A step of the velocity is (1) (2) (5) (4) (5), with Eu = E in (4). Let B be its result for equal
 * velocities before the step. A step of the density is (1) (2) (4). Let C be its result if both
 * solvers have the same density and the same velocity.
 *
 * After m steps:
 *
 *   - Densities in the same velocity differ by at most the sum of the m values C, since (1), (2)
 *     and (4) pass E on with the factor 1.
 *   - Velocities: a step multiplies E by up to 3.4^2 (1 + dt n G). The worst case grows beyond any
 *     use: flows amplify differences, also those between two floats. B holds for each step from any
 *     state that both solvers share. The sum of the m values B is a bound only in flows that
 *     amplify little. The test runs 200 steps of the script of stam2d.c at n = 64, which stay below
 *     it. Measured once after each step, without viscosity: at n = 128, 400 steps stay below 1/25
 *     of the sum; at n = 256 the differences pass the sum in step 183. */
#include "stam2d_fixed.h"

#include <string.h>

/* x / 2^bits to nearest, halves up. C leaves the right shift of a negative number to the compiler;
 * gcc, clang and MSVC round it down. */
static int64_t rounded(int64_t x, int bits)
{
    return (x + ((int64_t)1 << (bits - 1))) >> bits;
}

static fixed limited(int64_t x, fixed least, fixed most)
{
    return x < least ? least : x > most ? most : (fixed)x;
}

/* (1) */
void fixed_add_source(int n, fixed *x, fixed *s, fixed least, fixed most)
{
    for (size_t c = 0; c < cells(n); c++) {
        s[c] = limited(s[c], least, most); /* the first guess of (2), whose results it bounds */
        x[c] = limited(x[c] + rounded((int64_t)FIXED_TIME_STEP * s[c], TIME_BITS), least, most);
    }
}

/* (6) */
void fixed_set_bnd(int n, Kind kind, fixed *x)
{
    for (int k = 1; k <= n; k++) {
        x[at(n, 0, k)] = kind == U ? -x[at(n, 1, k)] : x[at(n, 1, k)];
        x[at(n, n + 1, k)] = kind == U ? -x[at(n, n, k)] : x[at(n, n, k)];
        x[at(n, k, 0)] = kind == V ? -x[at(n, k, 1)] : x[at(n, k, 1)];
        x[at(n, k, n + 1)] = kind == V ? -x[at(n, k, n)] : x[at(n, k, n)];
    }
    for (int corner = 0; corner < 4; corner++) {
        int i = corner % 2 ? n + 1 : 0, j = corner / 2 ? n + 1 : 0;
        int64_t sum = (int64_t)x[at(n, i ? n : 1, j)] + x[at(n, i, j ? n : 1)];
        x[at(n, i, j)] = (fixed)rounded(sum, 1);
    }
}

static int64_t neighbours(int n, const fixed *x, int i, int j)
{
    return (int64_t)x[at(n, i - 1, j)] + x[at(n, i + 1, j)] + x[at(n, i, j - 1)] +
           x[at(n, i, j + 1)];
}

/* (2) with (3). The weight of x0 is what the four neighbours leave of 1. */
void fixed_diffuse(int n, Kind kind, fixed *x, const fixed *x0, fixed weight)
{
    int64_t own = ((int64_t)1 << WEIGHT_BITS) - 4 * (int64_t)weight;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                x[at(n, i, j)] = (fixed)rounded(
                    own * x0[at(n, i, j)] + weight * neighbours(n, x, i, j), WEIGHT_BITS);
        fixed_set_bnd(n, kind, x);
    }
}

/* Where the trace back from the centre of cell k ends, along one axis: k - dt n u, kept within
 * the box. The centre of cell k is at k. Unit: 2^-PLACE_BITS cells. */
static fixed fixed_trace(int n, int k, fixed u)
{
    int64_t moved =
        rounded((int64_t)FIXED_TIME_STEP * u * n, TIME_BITS + VELOCITY_BITS - PLACE_BITS);
    const fixed half = 1 << (PLACE_BITS - 1);
    return limited(((int64_t)k << PLACE_BITS) - moved, half, (n << PLACE_BITS) + half);
}

/* The value at a fraction of the way from a to b. */
static fixed mixed(fixed a, fixed b, fixed fraction)
{
    const fixed one = 1 << PLACE_BITS;
    return (fixed)rounded((int64_t)a * (one - fraction) + (int64_t)b * fraction, PLACE_BITS);
}

/* (4) */
void fixed_advect(int n, Kind kind, fixed *d, const fixed *d0, const fixed *u, const fixed *v)
{
    const fixed fraction = (1 << PLACE_BITS) - 1;
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            fixed x = fixed_trace(n, i, u[at(n, i, j)]), y = fixed_trace(n, j, v[at(n, i, j)]);
            const fixed *low = d0 + at(n, x >> PLACE_BITS, y >> PLACE_BITS), *high = low + n + 2;
            d[at(n, i, j)] = mixed(mixed(low[0], low[1], x & fraction),
                                   mixed(high[0], high[1], x & fraction), y & fraction);
        }
    fixed_set_bnd(n, kind, d);
}

/* (5), multiplied by n, so that h does not appear: p holds n p, and div holds 2 n times what it
 * holds in stam2d.c. */
void fixed_project(int n, fixed *u, fixed *v, fixed *p, fixed *div)
{
    memset(p, 0, cells(n) * sizeof *p);
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++)
            div[at(n, i, j)] =
                u[at(n, i - 1, j)] - u[at(n, i + 1, j)] + v[at(n, i, j - 1)] - v[at(n, i, j + 1)];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                p[at(n, i, j)] = (fixed)rounded(div[at(n, i, j)] + 2 * neighbours(n, p, i, j), 3);
        fixed_set_bnd(n, SCALAR, p);
    }
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            int64_t px = (int64_t)p[at(n, i + 1, j)] - p[at(n, i - 1, j)];
            int64_t py = (int64_t)p[at(n, i, j + 1)] - p[at(n, i, j - 1)];
            u[at(n, i, j)] =
                limited(u[at(n, i, j)] - rounded(px, 1), -VELOCITY_LIMIT, VELOCITY_LIMIT);
            v[at(n, i, j)] =
                limited(v[at(n, i, j)] - rounded(py, 1), -VELOCITY_LIMIT, VELOCITY_LIMIT);
        }
    fixed_set_bnd(n, U, u);
    fixed_set_bnd(n, V, v);
}

void fixed_dens_step(int n, fixed *x, fixed *x0, const fixed *u, const fixed *v, fixed weight)
{
    fixed_add_source(n, x, x0, 0, DENSITY_LIMIT);
    fixed_diffuse(n, SCALAR, x0, x, weight);
    fixed_advect(n, SCALAR, x, x0, u, v);
}

void fixed_vel_step(int n, fixed *u, fixed *v, fixed *u0, fixed *v0, fixed weight)
{
    fixed_add_source(n, u, u0, -VELOCITY_LIMIT, VELOCITY_LIMIT);
    fixed_add_source(n, v, v0, -VELOCITY_LIMIT, VELOCITY_LIMIT);
    fixed_diffuse(n, U, u0, u, weight);
    fixed_diffuse(n, V, v0, v, weight);
    fixed_project(n, u0, v0, u, v);
    fixed_advect(n, U, u, u0, u0, v0);
    fixed_advect(n, V, v, v0, u0, v0);
    fixed_project(n, u, v, u0, v0);
}
