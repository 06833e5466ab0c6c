/* SPDX-License-Identifier: MIT
 *
 * Exponential and trigonometric functions with the same bits on every machine. C libraries differ
 * in the last bit of theirs, and a state hash depends on every bit. All that reaches the state of a
 * simulation, or the numbers of a scene, calls these. sqrt, fabs, floor, fmod, round and nextafter
 * are exact in every C library.
 *
 * The results have errors below 0.66 units in the last place (ulp), those of exp and expm1 below
 * 0.53; where exp is subnormal, below 1. A result that is rounded to float is thus the nearest
 * float in all but about one of 10^9 cases. The functions expect rounding to the nearest number and
 * no fused multiply-adds. They set no errno. NaN gives NaN. */
#ifndef BASE_MATHEMATICS_H
#define BASE_MATHEMATICS_H

#define MATH_PI 3.14159265358979323846

double math_exp(double x);
float math_expf(float x);    /* for loops over cells: exact to 1e-6 ulp before it is rounded */
double math_expm1(double x); /* exp(x) - 1 */

/* Angles in radians, from -1e6 to 1e6; beyond that, and for infinities, NaN. */
double math_sin(double x);
double math_cos(double x);

double math_asin(double x); /* -pi/2 to pi/2; NaN if |x| > 1 */
double math_acos(double x); /* 0 to pi; NaN if |x| > 1 */
/* Angle of the vector (x, y) from the x axis, -pi to pi, with the signs of zeros and the limits at
 * infinities of the C standard. */
double math_atan2(double y, double x);

#endif
