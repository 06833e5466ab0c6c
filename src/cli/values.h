/* SPDX-License-Identifier: MIT
 * Option values with a form of their own, as ArgsOption.parse takes them. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "picture_format.h"
#include "slice_ask.h"
#include "volume_file.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* "64" or "64x96x64", each from BILLOW_GRID_MIN to BILLOW_GRID_MAX. destination: const char *, the
 * text itself. */
bool values_parse_grid(const char *text, void *destination, BillowError *error);

/* "64" is a cube here; the text has passed values_parse_grid. */
void values_grid_cells(const char *text, int cells[3]);

/* "32,64x96x64,128": grids as above. destination: ValuesGrids. */
enum { VALUES_GRIDS_MAX = 32 };
typedef struct ValuesGrids {
    char items[VALUES_GRIDS_MAX][16]; /* "2048x2048x2048" is the longest */
    int count;
} ValuesGrids;
bool values_parse_grids(const char *text, void *destination, BillowError *error);

/* The name of a drawing: ends in .svg, or is "-". destination: const char *, the text itself. */
bool values_parse_drawing(const char *text, void *destination, BillowError *error);

/* "1280x720". destination: ValuesSize. */
typedef struct ValuesSize {
    int width, height; /* 16..16384 */
} ValuesSize;
bool values_parse_size(const char *text, void *destination, BillowError *error);

/* "8x8". destination: ValuesTiles. */
typedef struct ValuesTiles {
    int columns, rows; /* 1..128 */
} ValuesTiles;
bool values_parse_tiles(const char *text, void *destination, BillowError *error);

/* "320x180,1280x720". destination: ValuesSizes. */
enum { VALUES_SIZES_MAX = 16 };
typedef struct ValuesSizes {
    ValuesSize items[VALUES_SIZES_MAX];
    int count;
} ValuesSizes;
bool values_parse_sizes(const char *text, void *destination, BillowError *error);

/* "AZIMUTH,ELEVATION,DISTANCE[,FOV]" as render_settings.h means them. destination: ValuesCamera. */
typedef struct ValuesCamera {
    bool given;
    float azimuth, elevation, distance;
    float fov; /* 0: the scene's own */
} ValuesCamera;
bool values_parse_camera(const char *text, void *destination, BillowError *error);

/* "speed", "curl,z=0.3,contours=12,range=-5:5". destination: SliceAsk. */
bool values_parse_slice(const char *text, void *destination, BillowError *error);

/* Names of files with or without a frame's number. */
typedef struct ValuesOutput {
    const char *text;             /* lives as long as argv; "-" for standard output */
    size_t number_at;             /* index of '%'; the text's length where there is none */
    size_t number_end;            /* index after 'd' */
    int digits;                   /* least number of digits, filled up with zeros */
    bool sequence;                /* one file per frame */
    const PictureFormat *picture; /* format of pictures; NULL for other outputs */
} ValuesOutput;

/* The formats of picture_format.h: "a.png", "f_%04d.exr", "-", "exr:-", "a.mp4". destination:
 * ValuesOutput. */
bool values_parse_output(const char *text, void *destination, BillowError *error);

/* The one '%d' or '%0Nd' that a name may hold, for the number of its frame; printf itself never
 * sees the name. Fills what follows text in the output. */
bool values_parse_pattern(const char *text, ValuesOutput *output, BillowError *error);

/* The formats of volume_file.h: "a.vdb", "f_%04d.vti", "vdb:-". destination: ValuesVolumes. */
typedef struct ValuesVolumes {
    ValuesOutput output;
    const VolumeFormat *format;
} ValuesVolumes;
bool values_parse_volumes(const char *text, void *destination, BillowError *error);

/* "density,velocity". destination: unsigned, a bit for each field of volume_field_name. */
bool values_parse_fields(const char *text, void *destination, BillowError *error);

/* "y" or "z". destination: ValuesUp. */
typedef enum ValuesUp { VALUES_UP_USUAL, VALUES_UP_Y, VALUES_UP_Z } ValuesUp;
bool values_parse_up(const char *text, void *destination, BillowError *error);

/* The file for a frame. False when the name is too long. */
bool values_output_path(const ValuesOutput *output, int frame, char *path, size_t size,
                        BillowError *error);

#endif
