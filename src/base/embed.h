/* SPDX-License-Identifier: MIT
 * Files compiled into the program by billow_embed (cmake/Embed.cmake). */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include <stddef.h>

/* One file of a table of embedded files. A row with name NULL ends the table. */
typedef struct EmbeddedFile {
    const char *name;
    const char *text; /* contents, followed by a 0 byte */
    size_t length;    /* length of text without the final 0, bytes */
    const char *stem; /* name without its extension */
    const char
        *title; /* text after "title: " in the first line that starts so; "" if no line does */
} EmbeddedFile;

extern const EmbeddedFile embedded_shaders[];    /* defined in render */
extern const EmbeddedFile embedded_scenes[];     /* defined in scene */
extern const EmbeddedFile embedded_templates[];  /* defined in scene */
extern const EmbeddedFile embedded_thumbnails[]; /* defined in app */

#endif
