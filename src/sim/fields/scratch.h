/* SPDX-License-Identifier: MIT
 *
 * Scratch memory of five fields, or seven in a simulation with solids, which the stages share
 * through named views. A stage claims a view, uses it and releases it. Two views that share a field
 * in this table cannot be claimed together:
 *
 *     field                    0     1     2     3     4     5     6
 *     DISPLACEMENT             x     y     z
 *     RIGHT_HAND_SIDE          *
 *     CONJUGATE                      z     d
 *     UNKNOWNS                             *
 *     WALL_SOLID                     *
 *     CONFINEMENT              x     y     z
 *     CURL_LENGTH                                *
 *     ARRIVING                                   *     *
 *     EXPANSION                                  *
 *     WALL_DISTANCE                              *
 *     FLUID_VELOCITY                                   u     v     w
 *     REGIONS                  *
 *
 * During the pressure solve field 3 holds the corrections of coarse levels (project.c).
 *
 * A debug build records which view has claimed each field. It asserts that a claim takes only free
 * fields, and that a view is claimed when it is used or released. A release build records nothing:
 * a view is then a constant offset.
 *
 * Advection swaps fields 3 and 4 with velocity components and scalars, and clears what lies beyond
 * the last element of the new ones (grid.h). */
#ifndef SIM_SCRATCH_H
#define SIM_SCRATCH_H

#include <assert.h>
#include <stdbool.h>

typedef enum ScratchUse {
    SCRATCH_FREE,
    SCRATCH_DISPLACEMENT,    /* of cells; stays claimed between steps while it is valid */
    SCRATCH_RIGHT_HAND_SIDE, /* packed; of the projection or of a diffusive solve */
    SCRATCH_CONJUGATE,       /* packed; z and d of conjugate gradients */
    SCRATCH_UNKNOWNS,        /* packed; of a diffusive solve */
    SCRATCH_WALL_SOLID,      /* 1 + index of the isothermal solid at a cell's centre; 0 = none */
    SCRATCH_CURL_LENGTH,     /* 1/s */
    SCRATCH_CONFINEMENT,     /* curl of the velocity, 1/s; then the impulse of confinement, m/s */
    SCRATCH_FLUID_VELOCITY,  /* of the fluid, at faces mixed with a solid's velocity, m/s */
    SCRATCH_ARRIVING,  /* new values from advection, before they are swapped with the old ones */
    SCRATCH_EXPANSION, /* h times the expansion source, m/s, plane by plane */
    SCRATCH_WALL_DISTANCE, /* distance from cell centres to the nearest solid, cells */
    SCRATCH_REGIONS,       /* runs of cells, for the search for enclosed regions */
    SCRATCH_USES
} ScratchUse;

enum { SCRATCH_FIELDS = 7, SCRATCH_FIELDS_OPEN = 5 /* without solids */ };

typedef struct Scratch {
    float *fields[SCRATCH_FIELDS];
#ifndef NDEBUG
    unsigned char holders[SCRATCH_FIELDS]; /* the ScratchUse that has claimed each field */
#endif
} Scratch;

/* A view covers the fields first <= f < first + count. */
typedef struct ScratchView {
    int first, count;
} ScratchView;

static inline ScratchView scratch_view(ScratchUse use)
{
    static const ScratchView views[SCRATCH_USES] = {
        [SCRATCH_DISPLACEMENT] = {0, 3},  [SCRATCH_RIGHT_HAND_SIDE] = {0, 1},
        [SCRATCH_CONJUGATE] = {1, 2},     [SCRATCH_UNKNOWNS] = {2, 1},
        [SCRATCH_WALL_SOLID] = {1, 1},    [SCRATCH_CURL_LENGTH] = {3, 1},
        [SCRATCH_CONFINEMENT] = {0, 3},   [SCRATCH_FLUID_VELOCITY] = {4, 3},
        [SCRATCH_ARRIVING] = {3, 2},      [SCRATCH_EXPANSION] = {3, 1},
        [SCRATCH_WALL_DISTANCE] = {3, 1}, [SCRATCH_REGIONS] = {0, 1},
    };
    return views[use];
}

/* Whether `holder` has claimed every field of the view `use`. Always true in a release build. */
static inline bool scratch_held(const Scratch *scratch, ScratchUse use, ScratchUse holder)
{
#ifndef NDEBUG
    ScratchView view = scratch_view(use);
    for (int f = view.first; f < view.first + view.count; f++)
        if (scratch->holders[f] != holder)
            return false;
#else
    (void)scratch, (void)use, (void)holder;
#endif
    return true;
}

static inline void scratch_set_holder(Scratch *scratch, ScratchUse use, ScratchUse holder)
{
#ifndef NDEBUG
    ScratchView view = scratch_view(use);
    for (int f = view.first; f < view.first + view.count; f++)
        scratch->holders[f] = (unsigned char)holder;
#else
    (void)scratch, (void)use, (void)holder;
#endif
}

/* Claims and releases must be made outside of a team's tasks. */
static inline void scratch_claim(Scratch *scratch, ScratchUse use)
{
    assert(scratch_held(scratch, use, SCRATCH_FREE) && "another view holds this scratch memory");
    scratch_set_holder(scratch, use, use);
}

static inline void scratch_release(Scratch *scratch, ScratchUse use)
{
    assert(scratch_held(scratch, use, use) && "this view does not hold its scratch memory");
    scratch_set_holder(scratch, use, SCRATCH_FREE);
}

/* The fields of a claimed view. */
static inline float *const *scratch_use(const Scratch *scratch, ScratchUse use)
{
    assert(scratch_held(scratch, use, use) && "a view is used that was not claimed");
    return scratch->fields + scratch_view(use).first;
}

/* The fields of a claimed view, for a stage that swaps them with other fields. */
static inline float **scratch_trade(Scratch *scratch, ScratchUse use)
{
    assert(scratch_held(scratch, use, use) && "a view is traded that was not claimed");
    return scratch->fields + scratch_view(use).first;
}

#endif
