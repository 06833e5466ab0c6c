/* SPDX-License-Identifier: MIT */
#include "scene/reel_motion.h"

#include "base/mathematics.h"

#include <math.h>
#include <string.h>

ReelMotion reel_motion_none(const double center[3])
{
    return reel_motion_straight(center, center);
}

ReelMotion reel_motion_straight(const double from[3], const double to[3])
{
    ReelMotion motion = {.axis = {0, 1, 0}};
    for (int a = 0; a < 3; a++) {
        motion.center[a] = motion.middle[a] = from[a];
        motion.way[a] = to[a] - from[a];
    }
    return motion;
}

/* Turns x by a unit quaternion (v, w): x + 2 w (v x x) + 2 v x (v x x). */
static void turn_by(const double q[4], const double x[3], double turned[3])
{
    double once[3];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        once[a] = q[b] * x[c] - q[c] * x[b];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turned[a] = x[a] + 2 * (q[3] * once[a] + q[b] * once[c] - q[c] * once[b]);
    }
}

void reel_motion_at(const ReelMotion *motion, double share, double center[3], double turn[4])
{
    double half = 0.5 * share * motion->angle, arm[3], turned[3];
    for (int a = 0; a < 3; a++) {
        turn[a] = math_sin(half) * motion->axis[a];
        arm[a] = motion->center[a] - motion->middle[a];
    }
    turn[3] = math_cos(half);
    turn_by(turn, arm, turned);
    for (int a = 0; a < 3; a++)
        center[a] = motion->middle[a] + share * motion->way[a] + turned[a];
}

static void middle_of(const MeshFile *file, double middle[3])
{
    for (int a = 0; a < 3; a++) {
        middle[a] = 0;
        for (int v = 0; v < file->vertex_count; v++)
            middle[a] += (double)file->vertices[v][a];
        middle[a] /= file->vertex_count;
    }
}

/* The matrix whose largest eigenvalue has the best turn as its eigenvector (Horn 1987), with w
 * first. s[a][b]: sum over the vertices of coordinate a before times coordinate b after. */
static void horn_matrix(const double s[3][3], double m[4][4])
{
    m[0][0] = s[0][0] + s[1][1] + s[2][2];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        m[0][a + 1] = m[a + 1][0] = s[b][c] - s[c][b];
        m[a + 1][a + 1] = s[a][a] - s[b][b] - s[c][c];
        m[a + 1][b + 1] = m[b + 1][a + 1] = s[a][b] + s[b][a];
    }
}

/* Jacobi's rotations make a symmetric matrix diagonal. The columns of v become its eigenvectors. */
static void diagonalize(double m[4][4], double v[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            v[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                if (m[p][q] == 0)
                    continue;
                double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    double kp = m[k][p], kq = m[k][q];
                    m[k][p] = c * kp - s * kq;
                    m[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 4; k++) {
                    double pk = m[p][k], qk = m[q][k], vp = v[k][p], vq = v[k][q];
                    m[p][k] = c * pk - s * qk;
                    m[q][k] = s * pk + c * qk;
                    v[k][p] = c * vp - s * vq;
                    v[k][q] = s * vp + c * vq;
                }
            }
}

/* The turn that brings the vertices, seen from the middles, closest to their places after. */
static void best_turn(const MeshFile *from, const MeshFile *to, const double before[3],
                      const double after[3], double q[4])
{
    double s[3][3] = {{0}}, m[4][4], v[4][4];
    for (int vertex = 0; vertex < from->vertex_count; vertex++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                s[a][b] += ((double)from->vertices[vertex][a] - before[a]) *
                           ((double)to->vertices[vertex][b] - after[b]);
    horn_matrix((const double(*)[3])s, m);
    diagonalize(m, v);
    int best = 0;
    for (int column = 1; column < 4; column++)
        best = m[column][column] > m[best][best] ? column : best;
    double sign = v[0][best] < 0 ? -1 : 1, length = 0;
    for (int a = 0; a < 3; a++)
        q[a] = sign * v[a + 1][best];
    q[3] = sign * v[0][best];
    for (int part = 0; part < 4; part++)
        length += q[part] * q[part];
    for (int part = 0; part < 4; part++)
        q[part] /= sqrt(length);
}

/* Whether the motion moves every vertex to its place after. */
static bool fits(const MeshFile *from, const MeshFile *to, const ReelMotion *motion,
                 double tolerance)
{
    double center[3], q[4];
    reel_motion_at(motion, 1, center, q);
    for (int v = 0; v < from->vertex_count; v++) {
        double arm[3], turned[3], miss = 0;
        for (int a = 0; a < 3; a++)
            arm[a] = (double)from->vertices[v][a] - motion->middle[a];
        turn_by(q, arm, turned);
        for (int a = 0; a < 3; a++)
            miss = fmax(miss, fabs(turned[a] + motion->middle[a] + motion->way[a] -
                                   (double)to->vertices[v][a]));
        if (!(miss <= tolerance))
            return false;
    }
    return true;
}

bool reel_motion_fit(const MeshFile *from, const MeshFile *to, double tolerance,
                     const double center[3], ReelMotion *motion)
{
    double after[3], q[4];
    if (from->vertex_count != to->vertex_count || from->triangle_count != to->triangle_count ||
        memcmp(from->triangles, to->triangles,
               (size_t)from->triangle_count * sizeof *from->triangles) != 0)
        return false;
    *motion = reel_motion_none(center);
    middle_of(from, motion->middle);
    middle_of(to, after);
    for (int a = 0; a < 3; a++)
        motion->way[a] = after[a] - motion->middle[a];
    if (fits(from, to, motion, tolerance))
        return true; /* without a turn */
    best_turn(from, to, motion->middle, after, q);
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int a = 0; a < 3; a++)
        motion->axis[a] = sine > 0 ? q[a] / sine : a == 1;
    motion->angle = 2 * math_atan2(sine, q[3]);
    return fits(from, to, motion, tolerance);
}
