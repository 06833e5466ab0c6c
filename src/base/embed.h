/* SPDX-License-Identifier: MIT
 * Files compiled into the program by billow_embed (cmake/Embed.cmake). */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include <stddef.h>

/* A table ends with a row whose name is NULL. text has a 0 after its length bytes. */
typedef struct EmbeddedFile {
    const char *name;
    const char *text;
    size_t length;
    const char *stem;  /* the name without its extension */
    const char *title; /* what follows "title: " in the file's line that begins with it, or "" */
} EmbeddedFile;

extern const EmbeddedFile embedded_shaders[];    /* defined in render */
extern const EmbeddedFile embedded_scenes[];     /* defined in scene */
extern const EmbeddedFile embedded_thumbnails[]; /* defined in app */

#endif
