/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "args.h"
#include "fail.h"
#include "paths.h"

#include <billow/billow.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_MIN = 16, SIZE_MAX_PIXELS = 16384, TILES_MAX = 128 };

/* Up to most whole numbers with 'x' between them; 0 when the text is anything else. */
static int parse_crossed(const char *text, int *values, int most)
{
    int count = 0;
    for (const char *start = text; count < most;) {
        char word[16];
        size_t length = strcspn(start, "x");
        if (length == 0 || length >= sizeof word || !isdigit((unsigned char)start[0]))
            return 0;
        memcpy(word, start, length);
        word[length] = 0;
        if (!args_whole(word, &values[count++]))
            return 0;
        if (start[length] == 0)
            return count;
        start += length + 1;
    }
    return 0;
}

bool values_parse_grid(const char *text, void *destination, BillowError *error)
{
    int cells[3];
    int count = parse_crossed(text, cells, 3);
    if (count != 1 && count != 3)
        return fail(error,
                    "'%s' is not a grid; write cells along the longest axis (64) or per "
                    "axis (64x96x64)",
                    text);
    for (int axis = 0; axis < count; axis++)
        if (cells[axis] < BILLOW_GRID_MIN || cells[axis] > BILLOW_GRID_MAX)
            return fail(error, "%d cells are not in %d..%d", cells[axis], BILLOW_GRID_MIN,
                        BILLOW_GRID_MAX);
    memcpy(destination, &text, sizeof text);
    return true;
}

void values_grid_cells(const char *text, int cells[3])
{
    if (parse_crossed(text, cells, 3) == 1)
        cells[1] = cells[2] = cells[0];
}

bool values_parse_grids(const char *text, void *destination, BillowError *error)
{
    ValuesGrids grids = {.count = 0};
    for (const char *start = text;;) {
        size_t length = strcspn(start, ",");
        char word[64];
        const char *grid;
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), start);
        if (!values_parse_grid(word, &grid, error))
            return false;
        if (grids.count == VALUES_GRIDS_MAX)
            return fail(error, "more than %d grids", VALUES_GRIDS_MAX);
        if (length >= sizeof grids.items[0])
            return fail(error, "'%s' has more digits than a grid needs", word);
        strcpy(grids.items[grids.count++], word);
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    *(ValuesGrids *)destination = grids;
    return true;
}

bool values_parse_size(const char *text, void *destination, BillowError *error)
{
    int size[2];
    if (parse_crossed(text, size, 2) != 2)
        return fail(error, "'%s' is not a size in pixels; write for instance 1280x720", text);
    for (int axis = 0; axis < 2; axis++)
        if (size[axis] < SIZE_MIN || size[axis] > SIZE_MAX_PIXELS)
            return fail(error, "%d pixels are not in %d..%d", size[axis], SIZE_MIN,
                        SIZE_MAX_PIXELS);
    *(ValuesSize *)destination = (ValuesSize){size[0], size[1]};
    return true;
}

bool values_parse_tiles(const char *text, void *destination, BillowError *error)
{
    int tiles[2];
    if (parse_crossed(text, tiles, 2) != 2)
        return fail(error, "'%s' is not columns and rows of tiles; write for instance 8x8", text);
    for (int axis = 0; axis < 2; axis++)
        if (tiles[axis] < 1 || tiles[axis] > TILES_MAX)
            return fail(error, "%d %s of tiles are not in 1..%d", tiles[axis],
                        axis == 0 ? "columns" : "rows", TILES_MAX);
    *(ValuesTiles *)destination = (ValuesTiles){tiles[0], tiles[1]};
    return true;
}

bool values_parse_sizes(const char *text, void *destination, BillowError *error)
{
    ValuesSizes sizes = {.count = 0};
    for (const char *start = text;;) {
        size_t length = strcspn(start, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), start);
        if (sizes.count == VALUES_SIZES_MAX)
            return fail(error, "more than %d sizes", VALUES_SIZES_MAX);
        if (!values_parse_size(word, &sizes.items[sizes.count++], error))
            return false;
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    *(ValuesSizes *)destination = sizes;
    return true;
}

bool values_parse_camera(const char *text, void *destination, BillowError *error)
{
    static const struct {
        const char *name;
        double least, most;
    } parts[4] = {
        {"azimuth", -360, 360}, {"elevation", -90, 90}, {"distance", 1e-3, 1e5}, {"fov", 1, 150}};
    double values[4] = {0};
    int count = 0;
    for (const char *start = text;; count++) {
        char word[32];
        size_t length = strcspn(start, ",");
        if (count == 4 || length >= sizeof word)
            return fail(error, "'%s' is not AZIMUTH,ELEVATION,DISTANCE[,FOV]", text);
        memcpy(word, start, length);
        word[length] = 0;
        if (!args_number(word, &values[count]))
            return fail(error, "%s '%s' is not a number; write AZIMUTH,ELEVATION,DISTANCE[,FOV]",
                        parts[count].name, word);
        if (values[count] < parts[count].least || values[count] > parts[count].most)
            return fail(error, "%s %s is not in %g..%g", parts[count].name, word,
                        parts[count].least, parts[count].most);
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    if (count < 2)
        return fail(error, "'%s' is not AZIMUTH,ELEVATION,DISTANCE[,FOV]", text);
    *(ValuesCamera *)destination = (ValuesCamera){true, (float)values[0], (float)values[1],
                                                  (float)values[2], (float)values[3]};
    return true;
}

bool values_parse_pattern(const char *text, ValuesOutput *output, BillowError *error)
{
    const char *percent = strchr(text, '%');
    output->number_at = output->number_end = strlen(text);
    if (percent == NULL)
        return true;
    const char *end = percent + 1;
    output->digits = 1;
    if (end[0] == '0' && end[1] >= '1' && end[1] <= '9') {
        output->digits = end[1] - '0';
        end += 2;
    }
    if (*end != 'd' || strchr(end, '%') != NULL)
        return fail(error,
                    "'%s': a name may hold one '%%d' or '%%0Nd' (N from 1 to 9) for the "
                    "frame's number, and no other '%%'",
                    text);
    output->number_at = (size_t)(percent - text);
    output->number_end = (size_t)(end + 1 - text);
    output->sequence = true;
    return true;
}

bool values_parse_output(const char *text, void *destination, BillowError *error)
{
    char endings[128];
    const PictureFormat *format = picture_format(text);
    if (format == NULL) {
        picture_format_endings(endings, sizeof endings);
        return fail(error,
                    "'%s' ends in none of %s; write a.png or a.exr (the last frame), f_%%04d.png "
                    "(every frame), a.mp4 (a video), - or exr:- (standard output)",
                    text, endings);
    }
    bool stream = format->standard_output != NULL && strcmp(text, format->standard_output) == 0;
    ValuesOutput output = {.text = stream ? "-" : text, .picture = format};
    if (!values_parse_pattern(output.text, &output, error))
        return false;
    if (format->storage == PICTURE_VIDEO && output.sequence)
        return fail(error, "'%s': a video is one file, which needs no number", text);
    *(ValuesOutput *)destination = output;
    return true;
}

bool values_output_path(const ValuesOutput *output, int frame, char *path, size_t size,
                        BillowError *error)
{
    int length = output->sequence
                     ? snprintf(path, size, "%.*s%0*d%s", (int)output->number_at, output->text,
                                output->digits, frame, output->text + output->number_end)
                     : snprintf(path, size, "%s", output->text);
    if (length < 0 || (size_t)length >= size)
        return fail(error, "%.100s...: the name is too long", output->text);
    return true;
}

bool values_parse_drawing(const char *text, void *destination, BillowError *error)
{
    if (strcmp(text, "-") != 0 && !paths_end_in(text, ".svg"))
        return fail(error,
                    "'%s' does not end in .svg, the one kind of drawing there is; write a.svg or - "
                    "(standard output)",
                    text);
    memcpy(destination, &text, sizeof text);
    return true;
}
