/* SPDX-License-Identifier: MIT
 *
 * Names for what the window captures: they count up, so that nothing is written over. */
#ifndef APP_CAPTURE_NAME_H
#define APP_CAPTURE_NAME_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* FOLDER/PREFIX SCENE-1 ENDING, without the spaces. */
typedef struct CaptureName {
    const char *folder, *prefix;
    const char *scene;           /* its name, of which letters, digits and dashes are kept */
    int digits;                  /* of the number, at least */
    const char *ending, *plural; /* ".png"; "screenshots" */
} CaptureName;

/* The first number that is free: the name without the folder, and the path. */
bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error);

#endif
