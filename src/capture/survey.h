/* SPDX-License-Identifier: MIT
 *
 * A first pass over a scene on a coarse grid, which finds when and where something is visible. The
 * camera of a flipbook is fitted to it, and its tiles are spread over the life of the smoke. */
#ifndef CAPTURE_SURVEY_H
#define CAPTURE_SURVEY_H

#include "base/system.h"
#include "scene/scene.h"

enum { SURVEY_CELLS = 48 }; /* along the longest axis, at most */

typedef struct SurveyAsk {
    const Scene *scene;
    double from, to; /* time in which what is visible counts, s */
    int threads;     /* 0: one per core */
    bool quiet;      /* no progress */
} SurveyAsk;

typedef struct Survey {
    bool seen;          /* whether anything was visible */
    double first, last; /* time when smoke or flame is first visible, and when it has gone or the
                           survey ends, s */
    int n[3];
    float origin[3], cell; /* of the coarse grid, m */
    unsigned char *marks;  /* for each cell whether it was visible at any time, x innermost */
} Survey;

/* Simulates the scene from rest to ask->to. STATUS_INTERRUPTED: Ctrl-C. Call survey_free also after
 * a failure. */
Status survey_run(const SurveyAsk *ask, Survey *survey, BillowError *error);

/* Moves a camera, without turning it, so that everything that was visible fills a picture of this
 * size up to a margin. turns: also while the camera turns once around. Nothing changes if nothing
 * was visible. */
void survey_fit(const Survey *survey, int width, int height, bool turns, RenderCamera *camera);

void survey_free(Survey *survey);

#endif
