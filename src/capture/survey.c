/* SPDX-License-Identifier: MIT */
#include "capture/survey.h"

#include "base/fail.h"
#include "render/frame/camera.h"
#include "scene/scene_play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Optical thickness from which a coarse cell counts as visible. Several such cells lie behind each
 * other in a picture. */
static const double visible = 0.005;
/* Smoke has gone when less than this share of the most visible matter is left. */
static const double gone = 0.02;
/* Factor on the distance of a fitted camera: a margin for smoke that a finer grid keeps thicker. */
static const float margin = 1.06f;

typedef struct Pass {
    const SurveyAsk *ask;
    Survey *survey;
    double most; /* largest sum of optical thickness so far */
} Pass;

/* Marks what is visible in a state. */
static void look(Pass *pass, const BillowView *view)
{
    const RenderSmoke *smoke = &pass->ask->scene->render.smoke;
    const double thickness = (double)smoke->extinction * (double)view->cell_size;
    const bool counts = view->time >= pass->ask->from - 1e-6;
    const BillowView wind = billow_wind_view(view);
    const int refine = view->nx / wind.nx;
    unsigned char *mark = pass->survey->marks;
    double sum = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            ptrdiff_t row = j * view->stride_y + k * view->stride_z;
            ptrdiff_t wind_row = j / refine * wind.stride_y + k / refine * wind.stride_z;
            for (int i = 0; i < view->nx; i++, mark++) {
                double matter = (double)view->density[row + i];
                if (view->flame != NULL)
                    matter += (double)smoke->flame * (double)view->flame[row + i];
                bool solid = wind.solid != NULL && wind.solid[wind_row + i / refine] < 0;
                bool seen = matter * thickness > visible;
                sum += seen ? matter * thickness : 0;
                *mark = *mark || (counts && (seen || solid));
            }
        }
    if (!counts || sum <= 0)
        return;
    if (!(pass->most > 0))
        pass->survey->first = view->time;
    pass->most = fmax(pass->most, sum);
    if (sum > gone * pass->most)
        pass->survey->last = view->time;
}

/* Makes marks for the grid of a view. Those that there are keep their place. */
static bool fit_marks(Survey *survey, const BillowView *view, BillowError *error)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    unsigned char *marks = survey->marks;
    int low[3];
    if (marks != NULL && memcmp(survey->n, n, sizeof n) == 0)
        return true;
    survey->marks = calloc((size_t)n[0] * (size_t)n[1], (size_t)n[2]);
    for (int axis = 0; axis < 3; axis++)
        low[axis] = (int)lroundf((survey->origin[axis] - view->origin[axis]) / view->cell_size);
    for (int k = 0; marks != NULL && survey->marks != NULL && k < survey->n[2]; k++)
        for (int j = 0; j < survey->n[1]; j++) {
            size_t row = ((size_t)k * (size_t)survey->n[1] + (size_t)j) * (size_t)survey->n[0];
            size_t to = ((size_t)(k + low[2]) * (size_t)n[1] + (size_t)(j + low[1])) * (size_t)n[0];
            memcpy(survey->marks + to + low[0], marks + row, (size_t)survey->n[0]);
        }
    free(marks);
    memcpy(survey->n, n, sizeof n);
    memcpy(survey->origin, view->origin, sizeof survey->origin);
    survey->cell = view->cell_size;
    return survey->marks != NULL ||
           fail(error, "not enough memory for a first pass of %dx%dx%d cells", n[0], n[1], n[2]);
}

static Status simulate(Pass *pass, const SceneDriver *driver, BillowError *error)
{
    const double step = (double)pass->ask->scene->step;
    const int steps = (int)fmin(ceil(pass->ask->to / step - 1e-6), 1e9);
    Progress progress = progress_start(pass->ask->quiet);
    Status status = STATUS_DONE;
    for (int taken = 0; taken < steps && status == STATUS_DONE; taken++) {
        if (!scene_driver_step(driver, step, error)) {
            status = STATUS_FAILED;
            break;
        }
        const BillowView view = billow_view(driver->sim);
        if (!fit_marks(pass->survey, &view, error)) {
            status = STATUS_FAILED;
            break;
        }
        look(pass, &view);
        progress_update(&progress, "first pass on a coarse grid, step", taken + 1, steps);
        if (system_interrupted())
            status = STATUS_INTERRUPTED;
    }
    progress_end(&progress);
    return status;
}

Status survey_run(const SurveyAsk *ask, Survey *survey, BillowError *error)
{
    Scene scene = *ask->scene;
    Pass pass = {.ask = ask, .survey = survey};
    *survey = (Survey){.first = ask->from, .last = ask->from};
    BillowDef def = scene_def(&scene);
    char cells_most[16];
    snprintf(cells_most, sizeof cells_most, "%d", SURVEY_CELLS);
    if ((def.nx > SURVEY_CELLS || def.ny > SURVEY_CELLS || def.nz > SURVEY_CELLS) &&
        !scene_set_grid(&scene, cells_most, error))
        return STATUS_FAILED;
    def = scene_def(&scene);
    def.threads = ask->threads;
    SceneDriver driver;
    Status status = STATUS_FAILED;
    if (scene_driver_create(&driver, &scene, &def, NULL, error)) {
        const BillowView view = billow_view(driver.sim);
        if (fit_marks(survey, &view, error))
            status = simulate(&pass, &driver, error);
    }
    const size_t cells = (size_t)survey->n[0] * (size_t)survey->n[1] * (size_t)survey->n[2];
    survey->seen = status == STATUS_DONE && memchr(survey->marks, 1, cells) != NULL;
    scene_driver_destroy(&driver);
    return status;
}

void survey_free(Survey *survey)
{
    free(survey->marks);
    survey->marks = NULL;
}

/* -- the camera -------------------------------------------------------------------------------- */

/* Takes a visible cell: the coordinates of its centre along the camera's axes, m. */
typedef void Take(void *context, const Camera *camera, const float along[3]);

/* Passes every visible cell on, relative to a point. */
static void each_cell(const Survey *survey, const Camera *camera, const float point[3], Take *take,
                      void *context)
{
    const float *axes[3] = {camera->right, camera->up, camera->forward};
    const unsigned char *mark = survey->marks;
    for (int k = 0; k < survey->n[2]; k++)
        for (int j = 0; j < survey->n[1]; j++)
            for (int i = 0; i < survey->n[0]; i++, mark++) {
                if (!*mark)
                    continue;
                const int cell[3] = {i, j, k};
                float along[3] = {0};
                for (int axis = 0; axis < 3; axis++) {
                    float at = survey->origin[axis] + ((float)cell[axis] + 0.5f) * survey->cell;
                    for (int c = 0; c < 3; c++)
                        along[c] += (at - point[axis]) * axes[c][axis];
                }
                take(context, camera, along);
            }
}

typedef struct Extent {
    float low[3], high[3];
} Extent;

static void extend(void *context, const Camera *camera, const float along[3])
{
    Extent *extent = context;
    (void)camera;
    for (int axis = 0; axis < 3; axis++) {
        extent->low[axis] = fminf(extent->low[axis], along[axis]);
        extent->high[axis] = fmaxf(extent->high[axis], along[axis]);
    }
}

/* A point at (r, u, f) from the target along the camera's axes is in the picture if
 * |r| <= aspect s (D + f) and |u| <= s (D + f), with the distance D of the camera from its target
 * and the half height s of the picture at distance 1. Hence D >= |r| / (aspect s) - f, and likewise
 * for u. */
typedef struct Reach {
    float pad, distance; /* m */
} Reach;

static void reach(void *context, const Camera *camera, const float along[3])
{
    Reach *most = context;
    float across = (fabsf(along[0]) + most->pad) / (camera->half_height * camera->aspect);
    float upwards = (fabsf(along[1]) + most->pad) / camera->half_height;
    most->distance = fmaxf(most->distance, fmaxf(across, upwards) - along[2] + most->pad);
}

void survey_fit(const Survey *survey, int width, int height, bool turns, RenderCamera *camera)
{
    enum { TURNS = 24 };
    static const float zero[3] = {0, 0, 0};
    Extent extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    Reach most = {.pad = 0.9f * survey->cell}; /* half the diagonal of a cell: 0.87 */
    if (!survey->seen)
        return;
    Camera axes = camera_from_settings(camera, width, height);
    each_cell(survey, &axes, zero, extend, &extent);
    for (int axis = 0; axis < 3; axis++)
        camera->target[axis] = 0.5f * ((extent.low[0] + extent.high[0]) * axes.right[axis] +
                                       (extent.low[1] + extent.high[1]) * axes.up[axis] +
                                       (extent.low[2] + extent.high[2]) * axes.forward[axis]);
    for (int turn = 0; turn < (turns ? TURNS : 1); turn++) {
        RenderCamera turned = *camera;
        turned.azimuth += 360.0f * (float)turn / TURNS;
        axes = camera_from_settings(&turned, width, height);
        each_cell(survey, &axes, camera->target, reach, &most);
    }
    camera->distance = margin * most.distance;
}
