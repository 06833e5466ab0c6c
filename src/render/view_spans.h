/* SPDX-License-Identifier: MIT
 *
 * The cells of a view that may hold smoke (BillowView.spans). */
#ifndef RENDER_VIEW_SPANS_H
#define RENDER_VIEW_SPANS_H

#include <billow/billow.h>

static inline BillowSpan view_span(const BillowView *view, int j, int k)
{
    return view->spans != NULL
               ? view->spans[j / BILLOW_SPAN_ROWS + (ptrdiff_t)k * view->span_blocks]
               : (BillowSpan){0, (short)view->nx};
}

/* Whether no cell low <= i < high along each axis may hold any. */
static inline bool view_is_empty(const BillowView *view, const int low[3], const int high[3])
{
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j = (j / BILLOW_SPAN_ROWS + 1) * BILLOW_SPAN_ROWS) {
            const BillowSpan span = view_span(view, j, k);
            if (span.begin < high[0] && span.end > low[0] && span.begin < span.end)
                return false;
        }
    return true;
}

/* Sets the bounds of the cells of some planes that may hold any: low <= i < high, both 0 where none
 * may. */
static inline void view_bounds(const BillowView *view, int first, int end, int low[3], int high[3])
{
    const int n[3] = {view->nx, view->ny, view->nz};
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = n[axis];
        high[axis] = 0;
    }
    for (int k = first; k < end; k++)
        for (int j = 0; j < n[1]; j += BILLOW_SPAN_ROWS) {
            const BillowSpan span = view_span(view, j, k);
            const int row_end = j + BILLOW_SPAN_ROWS < n[1] ? j + BILLOW_SPAN_ROWS : n[1];
            const int least[3] = {span.begin, j, k}, most[3] = {span.end, row_end, k + 1};
            for (int axis = 0; axis < 3 && span.begin < span.end; axis++) {
                low[axis] = least[axis] < low[axis] ? least[axis] : low[axis];
                high[axis] = most[axis] > high[axis] ? most[axis] : high[axis];
            }
        }
    for (int axis = 0; axis < 3; axis++)
        low[axis] = low[axis] < high[axis] ? low[axis] : 0;
}

#endif
