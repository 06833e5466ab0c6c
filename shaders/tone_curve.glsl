// SPDX-License-Identifier: MIT
// One channel of the film curve: Hill's fit of the ACES reference and output transforms (2016),
//   (v (v + a) - b) / (v (c v + d) + e)
// b is left out, because it would send black below 0. The result is divided by its limit, so that
// it tends to 1.
float tone_curve(float v)
{
    return 0.983729 * v * (v + 0.0245786) / (v * (0.983729 * v + 0.4329510) + 0.238081);
}
