/* SPDX-License-Identifier: MIT
 *
 * The picture of a world, in the window and in the page: which state of the simulation the renderer
 * has, when it has to be drawn again, and in which quality. Sizes are those of the window or
 * canvas, pixels. seen: the render settings to draw with. */
#ifndef PLAY_PICTURE_H
#define PLAY_PICTURE_H

#include "play/resolution.h"
#include "play/world.h"
#include "render/renderer.h"
#include "render/steep_view.h"

typedef struct Picture {
    Renderer *renderer; /* NULL: there is no context */
    RenderLimits limits;
    Resolution resolution;
    Stillness stillness;
    bool transparent;                            /* RenderFrame.transparent */
    bool uploaded;                               /* the renderer has a snapshot */
    uint64_t steps, resets, went_back, settings; /* members of the uploaded SimSnapshot */
    RenderSettings render;                       /* settings of the last upload */
    SteepView steep;                             /* memory of the uploaded view */
    double upload_ms;                            /* time of the last upload, ms */
    bool upload_new;                             /* there was an upload since picture_grid_times */
    bool redraw;  /* something has changed since the picture was drawn */
    double drawn; /* time of the last redraw, s; 0 = none yet */
} Picture;

/* Creates the renderer in the current context. The resolution of an earlier one stays, and
 * `transparent`.
 * shader_folder: as in renderer_create. */
bool picture_open(Picture *picture, const char *shader_folder, BillowError *error);
/* Destroys the renderer. The newest snapshot is then uploaded again. */
void picture_close(Picture *picture);
/* Starts the picture of another simulation. */
void picture_forget(Picture *picture, double now);

/* Whether the renderer has the snapshot with the world's render settings. Light and colours are
 * computed by the upload, so any change but the camera's needs a new one. */
bool picture_up_to_date(const Picture *picture, const World *world, const SimSnapshot *snapshot);
/* Uploads a snapshot, its edges steepened and creased, with the render settings of its time, and
 * requests a redraw. */
bool picture_upload(Picture *picture, World *world, const SimSnapshot *snapshot,
                    BillowError *error);

/* Records whether the smoke or the camera moves. Call it once per frame, after the upload. */
void picture_follow(Picture *picture, const RenderSettings *render, int width, int height,
                    double now);
/* Returns the frame to draw: that of a picture in motion, or of a refined one at rest. */
RenderFrame picture_frame(const Picture *picture, int width, int height, double now);
bool picture_draw(Picture *picture, const RenderSettings *seen, const RenderFrame *frame,
                  double now, BillowError *error);
/* Marches more rows of a picture at rest in full quality. rows: receives the number of rows that
 * are then marched. Call picture_refined when GL has completed them. */
bool picture_refine(Picture *picture, const RenderSettings *seen, int width, int height, int *rows,
                    BillowError *error);
/* ms: time of the rows. Requests a redraw when all rows are marched. */
void picture_refined(Picture *picture, int rows, int height, double ms);

/* Returns the times of a frame for the choice of the grid. Those of the step and the upload are 0
 * if there was no new upload since the last call. draw_ms: time of a picture without upload, ms. */
GridTimes picture_grid_times(Picture *picture, const SimSnapshot *snapshot, double draw_ms);

#endif
