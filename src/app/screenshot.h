/* SPDX-License-Identifier: MIT
 *
 * Stills of what the window shows: full resolution, fine march, numbered, never over a file that is
 * there. */
#ifndef APP_SCREENSHOT_H
#define APP_SCREENSHOT_H

#include "renderer.h"
#include "scene.h"

/* Draws the renderer's present state again as a still of the given size, in parts where graphics
 * memory is short, as bright as the window is, and writes it to
 * FOLDER/SCENE-0001.png or the first number that is free. name receives the file's name without the
 * folder. */
bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSettings *render,
                     RenderFrame frame, const char *folder, char name[96], BillowError *error);

#endif
