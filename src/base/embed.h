/* SPDX-License-Identifier: MIT
 * Files compiled into the program by billow_embed (cmake/Embed.cmake). */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include <stddef.h>

/* A row of a table of files. The last row of a table has the name NULL. */
typedef struct EmbeddedFile {
    const char *name;
    const char *text; /* contents, with a 0 after the last byte */
    size_t length;    /* bytes of the contents, without that 0 */
    const char *stem; /* name without its extension */
    const char
        *title; /* rest of the file's first line that starts with "title: "; "" if there is none */
} EmbeddedFile;

extern const EmbeddedFile embedded_shaders[];    /* defined in render */
extern const EmbeddedFile embedded_scenes[];     /* defined in scene */
extern const EmbeddedFile embedded_thumbnails[]; /* defined in app */

#endif
