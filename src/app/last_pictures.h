/* SPDX-License-Identifier: MIT
 *
 * Pictures of the state that the window shows last, for AppPictures. */
#ifndef APP_LAST_PICTURES_H
#define APP_LAST_PICTURES_H

#include "app/session.h"

/* Draws the newest snapshot as the window does, as a still, and its smoke alone. Call it after the
 * last frame. */
bool last_pictures_take(Session *session, AppPictures *pictures, BillowError *error);

#endif
