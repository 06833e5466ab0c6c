/* SPDX-License-Identifier: MIT */
#include "play/picture.h"

#include "base/clock.h"
#include "render/pass/develop.h"
#include "render/pass/march.h"
#include "render/upload.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define LONGEST_GAP 0.25 /* largest time between pictures for automatic exposure, s */
/* Passes that steepen the edges of the smoke: each makes them about half a cell narrower. */
enum { STEEPENED = 3 };

bool picture_open(Picture *picture, const char *shader_folder, BillowError *error)
{
    picture->renderer = renderer_create(shader_folder, error);
    if (picture->renderer == NULL)
        return false;
    picture->limits = renderer_limits(picture->renderer);
    if (picture->resolution.budget_ms == 0)
        picture->resolution = resolution_start(picture->limits.software);
    picture->redraw = true;
    return true;
}

void picture_close(Picture *picture)
{
    renderer_destroy(picture->renderer);
    steep_view_end(&picture->steep);
    picture->renderer = NULL;
    picture->uploaded = false;
    picture->drawn = 0;
}

void picture_forget(Picture *picture, double now)
{
    picture->uploaded = false;
    picture->redraw = true;
    steep_view_forget(&picture->steep);
    stillness_break(&picture->stillness, now);
    if (picture->renderer != NULL)
        renderer_forget(picture->renderer);
}

bool picture_up_to_date(const Picture *picture, const World *world, const SimSnapshot *snapshot)
{
    const RenderSettings *a = &picture->render, *b = &world->render;
    /* All settings but the camera's count. */
    return picture->uploaded && snapshot->steps == picture->steps &&
           snapshot->resets == picture->resets && snapshot->settings == picture->settings &&
           memcmp(&a->lens, &b->lens, sizeof *a - offsetof(RenderSettings, lens)) == 0;
}

bool picture_upload(Picture *picture, World *world, const SimSnapshot *snapshot, BillowError *error)
{
    picture->steps = snapshot->steps;
    picture->resets = snapshot->resets;
    picture->went_back = snapshot->went_back;
    picture->settings = snapshot->settings;
    picture->uploaded = picture->upload_new = picture->redraw = true;
    world_look_at(world, snapshot->view.time);
    picture->render = world->render;
    double start = clock_seconds();
    const BillowView view = steep_view(&picture->steep, &snapshot->view, STEEPENED, world->creases);
    bool good = renderer_upload(picture->renderer, &view, &world->render, error) &&
                renderer_upload_motion(picture->renderer, &snapshot->motion, error);
    picture->upload_ms = 1e3 * (clock_seconds() - start);
    return good;
}

void picture_follow(Picture *picture, const RenderSettings *render, int width, int height,
                    double now)
{
    const StillnessScene scene = {render->camera, picture->steps, picture->resets, width, height};
    bool turning = stillness_turning(&picture->stillness, &scene, now);
    if (resolution_turn(&picture->resolution, turning) ||
        (render->picture.auto_exposure && renderer_adapting(picture->renderer)))
        picture->redraw = true;
}

RenderFrame picture_frame(const Picture *picture, int width, int height, double now)
{
    RenderFrame frame =
        resolution_frame(&picture->resolution, width, height, picture->limits.software);
    frame.frame = (unsigned)picture->steps;
    if (picture->stillness.fine)
        frame = render_still_frame(width, height);
    frame.transparent = picture->transparent;
    frame.seconds = (float)fmin(now - picture->drawn, LONGEST_GAP);
    frame.late = !picture->limits.software;
    return frame;
}

bool picture_draw(Picture *picture, const RenderSettings *seen, const RenderFrame *frame,
                  double now, BillowError *error)
{
    picture->redraw = false;
    picture->drawn = now;
    if (!picture->stillness.fine) /* the coarse picture overwrites the rows marched so far */
        picture->stillness.rows = 0;
    return renderer_draw(picture->renderer, seen, frame, error);
}

bool picture_refine(Picture *picture, const RenderSettings *seen, int width, int height, int *rows,
                    BillowError *error)
{
    RenderFrame frame = render_still_frame(width, height);
    frame.transparent = picture->transparent;
    *rows = picture->stillness.rows;
    return renderer_refine(picture->renderer, seen, &frame, stillness_part(&picture->stillness),
                           rows, error);
}

void picture_refined(Picture *picture, int rows, int height, double ms)
{
    stillness_marched(&picture->stillness, rows, height, ms);
    picture->redraw |= picture->stillness.fine;
}

GridTimes picture_grid_times(Picture *picture, const SimSnapshot *snapshot, double draw_ms)
{
    GridTimes times = {.draw_ms = picture->resolution.level == 0 ? draw_ms : 0};
    if (picture->upload_new) {
        times.step_ms = snapshot->work_ms;
        times.light_ms = renderer_times(picture->renderer).light_ms;
        times.upload_ms = fmax(picture->upload_ms - times.light_ms, 0.01);
        times.cut = snapshot->cut;
    }
    picture->upload_new = false;
    return times;
}
