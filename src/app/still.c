/* SPDX-License-Identifier: MIT
 * The thread that draws stills while the window waits. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "app/still.h"

#include "app/session.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "base/thread.h"
#include "render/gl/context.h"
#include "render/pass/exposures.h"
#include "render/readback.h"
#include "render/upload.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Exposures of a lens or a shutter, as `billow render` takes them. */
#define EXPOSURES 32
/* Rows that are marched between two looks at `stop`. */
#define ROWS 8
/* Rough shares of the work that are done after the up-resolution, and after upload and light. */
#define REFINED  0.15f
#define PREPARED 0.3f

struct Still {
    Thread *thread;        /* NULL before the first picture */
    pthread_mutex_t mutex; /* guards `wanted` */
    pthread_cond_t wake;   /* signals a change of `wanted` */
    bool wanted;           /* there is a job, or the end */
    atomic_int state;      /* a StillState */
    atomic_bool stop;      /* the picture is given up */
    atomic_bool quit;
    _Atomic float progress;
    char *shader_folder;

    /* The job. While the thread draws, it alone uses these. */
    BillowView view;
    float *values; /* the faces' velocities, the view's fields, its tracers, and `motion` */
    Motion motion;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    int solid_count;
    RenderSettings render;
    BillowUpresDef upres;
    int width, height;
    Exposure exposure;
    uint8_t *pixels;
    BillowError error;
};

/* -- the job ----------------------------------------------------------------------------------- */

/* Fills the velocities of the faces across an axis by interpolation in the coarse motion. Folds
 * need them only to know where the flow is strained. */
static void fill_faces(const Still *still, int axis, float *faces)
{
    const BillowView wind = billow_wind_view(&still->view);
    const Motion *motion = &still->motion;
    const GridSample grid = {motion->values,
                             {motion->n[0], motion->n[1], motion->n[2]},
                             {3, 3 * motion->n[0], 3 * (ptrdiff_t)motion->n[0] * motion->n[1]}};
    const float n[3] = {(float)wind.nx, (float)wind.ny, (float)wind.nz};
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= wind.nz; k++)
        for (int j = 0; j <= wind.ny; j++)
            for (int i = 0; i <= wind.nx; i++) {
                float at[3] = {(float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f};
                at[axis] -= 0.5f;
                const Vec3 place = {at[0] / n[0], at[1] / n[1], at[2] / n[2]};
                faces[i + j * wind.stride_y + k * wind.stride_z] = grid_sample(&grid, place, axis);
            }
}

/* Number of floats of a component of the velocity, laid out as in a copied view. */
static size_t face_floats(const BillowView *copy)
{
    const BillowView wind = billow_wind_view(copy);
    return (size_t)wind.stride_z * (size_t)(wind.nz + 1);
}

/* What refines the smoke: the up-resolution of the scene's poster, or else wider interpolation. */
static void refine_as_poster(Still *still, const Scene *scene)
{
    Scene poster = *scene;
    scene_refine_as_poster(&poster, 0);
    still->upres = poster.upres;
    still->upres.threads = 0;
    still->render.picture.filter = poster.render.picture.filter;
}

static bool copy_job(Still *still, const StillJob *job, BillowError *error)
{
    const SimSnapshot *snapshot = job->snapshot;
    const Motion *motion = &snapshot->motion;
    size_t vectors = 3 * (size_t)motion->n[0] * (size_t)motion->n[1] * (size_t)motion->n[2];
    const BillowView *view = &snapshot->view;
    const size_t faces = 3 * face_floats(view);
    size_t floats = faces + snapshot_view_floats(view);
    free(still->values);
    free(still->pixels);
    still->values = calloc(floats + vectors, sizeof *still->values);
    still->pixels = malloc(4 * (size_t)job->width * (size_t)job->height);
    if (still->values == NULL || still->pixels == NULL)
        return fail(error, "not enough memory to refine the picture");
    snapshot_copy_view(&still->view, view, false, still->values + faces);
    still->motion = *motion;
    still->motion.values = still->values + floats;
    if (vectors > 0)
        memcpy(still->values + floats, motion->values, vectors * sizeof *still->values);
    memcpy(still->solids, snapshot->solids, sizeof still->solids);
    still->solid_count = snapshot->solid_count;
    still->render = *job->render;
    refine_as_poster(still, job->scene);
    still->width = job->width;
    still->height = job->height;
    still->exposure = job->exposure;
    return true;
}

/* -- the thread -------------------------------------------------------------------------------- */

/* Makes the fine view. *upres: NULL if the scene has no up-resolution or memory is short; the view
 * is then that of the simulation. */
static BillowView fine_view(Still *still, BillowUpres **upres)
{
    BillowError unused;
    float *faces = still->values;
    *upres = NULL;
    if (still->upres.factor < BILLOW_UPRES_MIN)
        return still->view;
    BillowView view = still->view;
    const size_t floats = face_floats(&view);
    for (int axis = 0; axis < 3 && still->motion.n[0] > 0; axis++)
        fill_faces(still, axis, faces + (size_t)axis * floats);
    if (still->motion.n[0] > 0) {
        view.u = faces;
        view.v = faces + floats;
        view.w = faces + 2 * floats;
    }
    if (system_check_memory(2 * billow_upres_bytes(&view, &still->upres), "", "", &unused))
        *upres = billow_upres_create(&view, &still->upres, &unused);
    return *upres != NULL ? billow_upres_view(*upres, &view) : still->view;
}

/* context: the Still. */
static bool proceed(void *context, float share)
{
    Still *still = context;
    atomic_store(&still->progress, PREPARED + (1 - PREPARED) * share);
    return !atomic_load(&still->stop);
}

/* Marches the rows of a picture without exposures, which renderer_draw then uses. */
static bool march(Still *still, Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    for (int done = 0; done < frame->height;) {
        if (!renderer_refine(renderer, &still->render, frame, ROWS, &done, error))
            return false;
        if (!proceed(still, (float)done / (float)frame->height))
            return false;
    }
    return true;
}

static bool draw(Still *still, Renderer *renderer, BillowError *error)
{
    const RenderLens *lens = &still->render.lens;
    RenderFrame frame = render_still_frame(still->width, still->height);
    frame.seconds = 1e-6f; /* the exposure stays that of the live picture */
    frame.exposures = lens->aperture > 0 || lens->shutter > 0 ? EXPOSURES : 0;
    frame.solids = still->solids;
    frame.solid_count = still->solid_count;
    frame.proceed = proceed;
    frame.proceed_context = still;
    renderer_expose(renderer, still->exposure);
    return (frame.exposures > 0 || march(still, renderer, &frame, error)) &&
           renderer_draw(renderer, &still->render, &frame, error) &&
           renderer_read(renderer, 4, still->pixels, error);
}

/* Uploads the fine view, which is no longer needed afterwards, and draws it. */
static bool upload_and_draw(Still *still, Renderer *renderer, BillowError *error)
{
    BillowUpres *upres;
    const BillowView view = fine_view(still, &upres);
    atomic_store(&still->progress, REFINED);
    renderer_forget(renderer); /* the view may be that of another simulation */
    bool good = !atomic_load(&still->stop) &&
                renderer_upload(renderer, &view, &still->render, error) &&
                (!(still->render.lens.shutter > 0) ||
                 renderer_shutter_motion(renderer, &still->motion, &view, &still->render, error));
    billow_upres_destroy(upres);
    return good && draw(still, renderer, error);
}

static void post(Still *still)
{
    pthread_mutex_lock(&still->mutex);
    still->wanted = true;
    pthread_cond_signal(&still->wake);
    pthread_mutex_unlock(&still->mutex);
}

/* Returns false where there is no job, but the end. */
static bool wait_for_job(Still *still)
{
    pthread_mutex_lock(&still->mutex);
    while (!still->wanted)
        pthread_cond_wait(&still->wake, &still->mutex);
    still->wanted = false;
    pthread_mutex_unlock(&still->mutex);
    return !atomic_load(&still->quit);
}

/* Draws one picture after the other. The context stays open, because drivers take long to compile
 * the shaders. */
static void run(void *argument)
{
    Still *still = argument;
    BillowError why = {""};
    RenderContext *context = render_context_open(&why);
    Renderer *renderer = context != NULL ? renderer_create(still->shader_folder, &why) : NULL;
    if (renderer != NULL)
        renderer_light_as(renderer, LIGHT_STILL);
    while (wait_for_job(still)) {
        still->error = why;
        bool good = renderer != NULL && upload_and_draw(still, renderer, &still->error);
        bool stopped = atomic_load(&still->stop);
        atomic_store(&still->state, stopped ? STILL_IDLE : good ? STILL_DONE : STILL_FAILED);
    }
    renderer_destroy(renderer);
    render_context_close(context);
}

/* -- from the window --------------------------------------------------------------------------- */

Still *still_create(const char *shader_folder, BillowError *error)
{
    Still *still = calloc(1, sizeof *still);
    if (still == NULL) {
        fail(error, "not enough memory to refine the picture");
        return NULL;
    }
    pthread_mutex_init(&still->mutex, NULL);
    pthread_cond_init(&still->wake, NULL);
    still->shader_folder = shader_folder != NULL ? strdup(shader_folder) : NULL;
    return still;
}

void still_destroy(Still *still)
{
    if (still == NULL)
        return;
    atomic_store(&still->stop, true);
    atomic_store(&still->quit, true);
    post(still);
    thread_join(still->thread); /* NULL is fine */
    pthread_cond_destroy(&still->wake);
    pthread_mutex_destroy(&still->mutex);
    free(still->values);
    free(still->pixels);
    free(still->shader_folder);
    free(still);
}

bool still_start(Still *still, const StillJob *job, BillowError *error)
{
    atomic_store(&still->stop, false);
    atomic_store(&still->progress, 0);
    atomic_store(&still->state, STILL_FAILED);
    if (!copy_job(still, job, &still->error)) {
        *error = still->error;
        return false;
    }
    if (still->thread == NULL)
        still->thread = thread_start(run, "still", still, error);
    if (still->thread == NULL)
        return false;
    atomic_store(&still->state, STILL_DRAWING);
    post(still);
    return true;
}

void still_give_up(Still *still)
{
    int done = STILL_DONE;
    atomic_store(&still->stop, true);
    atomic_compare_exchange_strong(&still->state, &done, STILL_IDLE);
}

StillState still_state(const Still *still)
{
    return still != NULL ? (StillState)atomic_load(&still->state) : STILL_IDLE;
}

const char *still_why(const Still *still)
{
    return still->error.text;
}

const uint8_t *still_pixels(const Still *still)
{
    return still->pixels;
}

/* -- stills in a session ----------------------------------------------------------------------- */

void still_stop(Refining *refining)
{
    refining->asked = refining->shown = false;
    if (refining->still != NULL)
        still_give_up(refining->still);
}

/* Whether the still that was asked for is of what the window shows now. */
static bool same(const Session *session)
{
    const Refining *refining = &session->screen.refining;
    return memcmp(&refining->scene, &session->picture.stillness.scene, sizeof refining->scene) ==
               0 &&
           memcmp(&refining->render, &session->world.render, sizeof refining->render) == 0;
}

static bool ask(Session *session)
{
    Refining *refining = &session->screen.refining;
    BillowError error;
    const StillJob job = {.snapshot = session->snapshot,
                          .render = &session->world.render,
                          .scene = &session->world.scene,
                          .width = session->window.width,
                          .height = session->window.height,
                          .exposure = renderer_exposure(session->picture.renderer)};
    if (refining->still == NULL)
        refining->still = still_create(session->options->shader_folder, &error);
    refining->asked = true;
    refining->scene = session->picture.stillness.scene;
    refining->render = session->world.render;
    if (refining->still != NULL && still_start(refining->still, &job, &error))
        return true;
    session_say(session, "%s", error.text);
    return false;
}

bool still_follow(Session *session, bool wanted, bool drawn, BillowError *error)
{
    Refining *refining = &session->screen.refining;
    refining->words[0] = 0;
    if (refining->asked && (!wanted || !same(session)))
        still_stop(refining);
    StillState state = still_state(refining->still);
    if (wanted && !refining->asked && state != STILL_DRAWING)
        state = ask(session) ? STILL_DRAWING : STILL_FAILED;
    if (wanted && state == STILL_DRAWING)
        number_print(refining->words, sizeof refining->words, "refining %.0f %%",
                     100 * (double)atomic_load(&refining->still->progress));
    if (state != STILL_DONE || !wanted || (refining->shown && !drawn))
        return true;
    refining->shown = true;
    session->screen.exposed = true;
    return renderer_replace(session->picture.renderer, refining->still->width,
                            refining->still->height, refining->still->pixels, error);
}
