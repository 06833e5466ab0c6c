/* SPDX-License-Identifier: MIT
 *
 * Parse functions (ArgsOption.parse) for values that are more than a number or a word. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "bench/bench.h"
#include "bench/network.h"
#include "capture/flipbook.h"
#include "capture/outputs.h"
#include "render/frame/field_slice.h"
#include "scene/scene.h"

/* "64" or "64x96x64", each from BILLOW_GRID_MIN to BILLOW_GRID_MAX. destination: const char *, the
 * text itself. */
bool values_parse_grid(const char *text, void *destination, BillowError *error);

/* "32,64x96x64,128": grids as above. destination: BenchGrids. */
bool values_parse_grids(const char *text, void *destination, BillowError *error);

/* Name of a plot, which ends in .svg or is "-". destination: const char *, the text itself. */
bool values_parse_drawing(const char *text, void *destination, BillowError *error);

/* "1280x720", each 16 to 16384. destination: RenderSize. */
bool values_parse_size(const char *text, void *destination, BillowError *error);

/* "8x8". destination: ValuesTiles. */
typedef struct ValuesTiles {
    int columns, rows; /* 1 to 128; 0: not given */
} ValuesTiles;
bool values_parse_tiles(const char *text, void *destination, BillowError *error);

/* "draft", "good" or "best". destination: ValuesQuality. */
typedef struct ValuesQuality {
    bool given;
    SceneQuality quality;
} ValuesQuality;
bool values_parse_quality(const char *text, void *destination, BillowError *error);
/* "fluid", "auto" or "fine", which are draft, good and best in a window. */
bool values_parse_window_quality(const char *text, void *destination, BillowError *error);

/* "25,5": Gb/s and us. destination: Network. */
bool values_parse_network(const char *text, void *destination, BillowError *error);

/* "320x180,1280x720". destination: RenderSizes. */
bool values_parse_sizes(const char *text, void *destination, BillowError *error);

/* "AZIMUTH,ELEVATION,DISTANCE[,FOV]", in the units of render_settings.h, or "scene" or "fit".
 * destination: ValuesCamera. */
typedef enum ValuesView {
    VALUES_VIEW_USUAL,
    VALUES_VIEW_SCENE,
    VALUES_VIEW_FIT,
    VALUES_VIEW_GIVEN
} ValuesView;
typedef struct ValuesCamera {
    ValuesView view; /* the numbers below are those of VALUES_VIEW_GIVEN */
    float azimuth, elevation, distance;
    float fov; /* 0: not given */
} ValuesCamera;
bool values_parse_camera(const char *text, void *destination, BillowError *error);

/* Returns the name of field `index` of those that a slice can show, or NULL after the last. */
const char *values_slice_field(int index);

/* "speed", "curl,z=0.3,contours=12,range=-5:5". destination: SliceAsk. */
bool values_parse_slice(const char *text, void *destination, BillowError *error);

/* A picture of any format of picture_format.h: "a.png", "f_%04d.exr", "-", "exr:-", "a.mp4".
 * destination: OutputName. */
bool values_parse_output(const char *text, void *destination, BillowError *error);

/* A volume of any format of volume_file.h: "a.vdb", "f_%04d.vti", "vdb:-". destination: OutputName.
 */
bool values_parse_volumes(const char *text, void *destination, BillowError *error);

/* "density,velocity". destination: unsigned, a bit for each field of volume_field_name. */
bool values_parse_fields(const char *text, void *destination, BillowError *error);

/* "unity" or "unreal". destination: SixWayEngine. */
bool values_parse_six_way(const char *text, void *destination, BillowError *error);

/* "emission,normals". destination: unsigned, a bit for each index of flipbook_sheet_name. */
bool values_parse_sheets(const char *text, void *destination, BillowError *error);

/* "y" or "z". destination: ValuesUp. */
typedef enum ValuesUp { VALUES_UP_USUAL, VALUES_UP_Y, VALUES_UP_Z } ValuesUp;
bool values_parse_up(const char *text, void *destination, BillowError *error);

#endif
