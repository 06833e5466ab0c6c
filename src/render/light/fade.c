/* SPDX-License-Identifier: MIT */
#include "render/light/fade.h"

#include <math.h>

Fade fade_of(const RenderSmoke *smoke, const BillowView *view)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    Fade fade = {.on = false};
    for (int axis = 0; axis < 3; axis++) {
        const float width = smoke->fade * (float)n[axis];
        const bool low = view->leaves[2 * axis] && width > 0,
                   high = view->leaves[2 * axis + 1] && width > 0;
        fade.low[axis][0] = low ? 0 : 1;
        fade.low[axis][1] = low ? 1 / width : 0;
        fade.high[axis][0] = high ? (float)n[axis] / width : 1;
        fade.high[axis][1] = high ? -1 / width : 0;
        fade.on = fade.on || low || high;
    }
    return fade;
}

float fade_along(const Fade *fade, int axis, float x)
{
    const float low = fade->low[axis][0] + fade->low[axis][1] * x,
                high = fade->high[axis][0] + fade->high[axis][1] * x,
                share = fminf(fmaxf(fminf(low, high), 0), 1);
    const float smooth = share * share * (3 - 2 * share);
    return smooth * smooth * smooth;
}

float fade_at(const Fade *fade, const float place[3])
{
    return fade_along(fade, 0, place[0]) * fade_along(fade, 1, place[1]) *
           fade_along(fade, 2, place[2]);
}
