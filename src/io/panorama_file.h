/* SPDX-License-Identifier: MIT
 * Panoramas: pictures of all directions, in linear light, from .hdr (Radiance RGBE) and .exr files.
 * A picture is equirectangular: its columns are azimuths, its rows elevations from straight up to
 * straight down. */
#ifndef IO_PANORAMA_FILE_H
#define IO_PANORAMA_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

#define PANORAMA_FILE_BYTES_MAX ((size_t)512 << 20)
enum { PANORAMA_HEIGHT_MIN = 2, PANORAMA_HEIGHT_MAX = 4096 };
#define PANORAMA_RADIANCE_MAX 1e6f /* brighter values are reduced to this */

typedef struct PanoramaFile {
    int width, height;
    float *rgb;         /* 3 floats a pixel, rows from the top; 0 to PANORAMA_RADIANCE_MAX */
    size_t not_numbers; /* values of the file that are not numbers, and count as 0 */
} PanoramaFile;

/* Loads a whole file. Fails if it is not an ordinary file of at most PANORAMA_FILE_BYTES_MAX bytes,
 * is not twice as wide as high, or is incomplete; the message starts with the path. What EXPOSURE
 * and COLORCORR of a .hdr file say is undone. EXR files need OpenEXR; of one with layers the first
 * that has R, G and B is read. */
bool panorama_file_load(const char *path, PanoramaFile *panorama, BillowError *error);
/* Loads a .hdr file from memory. The message does not contain a path. */
bool panorama_file_read_hdr(const unsigned char *bytes, size_t length, PanoramaFile *panorama,
                            BillowError *error);
void panorama_file_free(PanoramaFile *panorama); /* {0} is fine */

#endif
