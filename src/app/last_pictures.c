/* SPDX-License-Identifier: MIT */
#include "app/last_pictures.h"

#include "app/screen.h"
#include "base/fail.h"
#include "render/pass/develop.h"
#include "render/readback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of pictures that are timed on a GPU. The loop of the window does not time its passes
 * there, because it would have to wait for each. */
enum { TIMED = 8 };
/* Time between two looks at the still, ms. */
enum { STILL_PAUSE_MS = 20 };

static bool interrupted(const Session *session)
{
    return session->options->interrupted != NULL && session->options->interrupted();
}

static bool draw_live(Session *session, BillowError *error)
{
    const Window *window = &session->window;
    const RenderFrame frame =
        picture_frame(&session->picture, window->width, window->height, session->now);
    return picture_upload(&session->picture, &session->world, session->snapshot, error) &&
           picture_draw(&session->picture, &session->world.render, &frame, session->now, error);
}

static bool take_live(Session *session, AppPictures *pictures, BillowError *error)
{
    Renderer *renderer = session->picture.renderer;
    if (!draw_live(session, error) ||
        !renderer_read_shown(renderer, pictures->width, pictures->height, 4, pictures->live, error))
        return false;
    if (session->picture.limits.software) /* all frames of the window were timed */
        return true;
    renderer_timed(renderer, true);
    for (int n = 0; n < TIMED; n++) {
        if (!draw_live(session, error))
            return false;
        screen_meter(session, true, true);
    }
    return true;
}

/* through: 4 floats a pixel. */
static bool take_smoke(Session *session, AppPictures *pictures, float *through, BillowError *error)
{
    const size_t count = (size_t)pictures->width * (size_t)pictures->height;
    RenderFrame frame = render_still_frame(pictures->width, pictures->height);
    frame.through = true;
    frame.aside = true;
    const bool good =
        renderer_draw(session->picture.renderer, &session->world.render, &frame, error) &&
        renderer_read_through(session->picture.renderer, false, through, error);
    for (size_t p = 0; p < count && good; p++) {
        const float *rgb = through + 4 * p, mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
        pictures->smoke[p] = (uint8_t)lrintf(255 * (1 - fminf(fmaxf(mean, 0), 1)));
    }
    return good;
}

static bool take_still(Session *session, AppPictures *pictures, BillowError *error)
{
    const StillJob job = {.snapshot = session->snapshot,
                          .render = &session->world.render,
                          .scene = &session->world.scene,
                          .width = pictures->width,
                          .height = pictures->height,
                          .exposure = renderer_exposure(session->picture.renderer)};
    Still *still = still_create(session->options->shader_folder, error);
    if (still == NULL)
        return false;
    bool good = still_start(still, &job, error);
    while (good && still_state(still) == STILL_DRAWING && !interrupted(session))
        SDL_Delay(STILL_PAUSE_MS);
    if (good && still_state(still) != STILL_DONE)
        good = fail(error, "the still could not be drawn: %s",
                    interrupted(session) ? "interrupted" : still_why(still));
    if (good)
        memcpy(pictures->still, still_pixels(still),
               4 * (size_t)pictures->width * (size_t)pictures->height);
    still_destroy(still);
    return good;
}

bool last_pictures_take(Session *session, AppPictures *pictures, BillowError *error)
{
    const int width = session->window.width, height = session->window.height;
    const size_t count = (size_t)width * (size_t)height;
    *pictures = (AppPictures){.width = width,
                              .height = height,
                              .live = malloc(4 * count),
                              .still = malloc(4 * count),
                              .smoke = malloc(count)};
    session->snapshot = world_snapshot(&session->world);
    if (session->snapshot == NULL)
        return fail(error, "the scene has not begun yet");
    float *scratch = malloc(4 * count * sizeof *scratch);
    bool good = pictures->live != NULL && pictures->still != NULL && pictures->smoke != NULL &&
                scratch != NULL;
    if (!good)
        fail(error, "not enough memory for the last pictures");
    good = good && take_live(session, pictures, error) && take_still(session, pictures, error) &&
           take_smoke(session, pictures, scratch, error);
    free(scratch);
    return good;
}

void app_pictures_free(AppPictures *pictures)
{
    free(pictures->live);
    free(pictures->still);
    free(pictures->smoke);
    *pictures = (AppPictures){0};
}
