/* SPDX-License-Identifier: MIT
 *
 * 8-bit sRGB pictures, and PNG, TGA and JPEG files. */
#ifndef IO_IMAGE_H
#define IO_IMAGE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pixels are stored in rows from the top without padding. channels: 3 (RGB) or 4 (RGBA, straight
 * alpha). */
typedef struct Image {
    int width, height, channels;
    uint8_t *pixels; /* allocated; freed by image_destroy */
} Image;

bool image_create(Image *image, int width, int height, int channels, BillowError *error);
void image_destroy(Image *image);

/* Writes a complete file or none (atomic_file.h). Path "-" is standard output. */
bool image_write_png(const Image *image, const char *path, BillowError *error);
/* Run-length encoded, from the bottom row up, with straight alpha if the image has it. */
bool image_write_tga(const Image *image, const char *path, BillowError *error);
/* Colour at full resolution; alpha is dropped. */
bool image_write_jpg(const Image *image, const char *path, BillowError *error);
/* Reads a PNG file from memory. channels: 3, 4, or 0: 4 if the file has transparency and 3 if not.
 * name: the file's name in messages. */
bool image_read_png_bytes(Image *image, const void *bytes, size_t length, int channels,
                          const char *name, BillowError *error);

#endif
