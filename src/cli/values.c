/* SPDX-License-Identifier: MIT */
#include "cli/values.h"

#include "base/fail.h"
#include "base/number.h"
#include "cli/args.h"
#include "io/paths.h"
#include "play/grid_choice.h"

#include <billow/billow.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_MIN = 16, SIZE_MAX_PIXELS = 16384, TILES_MAX = 128 };

/* Parses up to `most` whole numbers with 'x' between them. Returns how many; 0 for other text. */
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

/* Fails for a file of a format that is not known. */
static bool unknown_ending(const char *text, const char *known, const char *example,
                           BillowError *error)
{
    const char *base = paths_last_part(text), *ending = strrchr(base, '.');
    if (ending != NULL && ending != base && ending[1] != 0)
        return fail(error, "no %.100s; use %s, such as %s", ending, known, example);
    return fail(error, "'%.200s' needs an ending: %s, such as %s", text, known, example);
}

bool values_parse_grid(const char *text, void *destination, BillowError *error)
{
    int cells[3];
    int count = parse_crossed(text, cells, 3);
    if (count != 1 && count != 3)
        return fail(error,
                    "must be cells along the longest axis (64) or per axis (64x96x64), not '%s'",
                    text);
    for (int axis = 0; axis < count; axis++)
        if (cells[axis] < BILLOW_GRID_MIN || cells[axis] > BILLOW_GRID_MAX)
            return fail(error, "must be %d to %d cells, not %d", BILLOW_GRID_MIN, BILLOW_GRID_MAX,
                        cells[axis]);
    memcpy(destination, &text, sizeof text);
    return true;
}

bool values_parse_grids(const char *text, void *destination, BillowError *error)
{
    BenchGrids grids = {.count = 0};
    char word[64];
    while (args_next_word(&text, word, sizeof word)) {
        const char *grid;
        if (!values_parse_grid(word, &grid, error))
            return false;
        if (grids.count == BENCH_GRIDS_MAX)
            return fail(error, "more than %d grids", BENCH_GRIDS_MAX);
        if (strlen(word) >= sizeof grids.items[0])
            return fail(error, "'%s' has more digits than a grid needs", word);
        strcpy(grids.items[grids.count++], word);
    }
    *(BenchGrids *)destination = grids;
    return true;
}

bool values_parse_size(const char *text, void *destination, BillowError *error)
{
    int size[2];
    if (parse_crossed(text, size, 2) != 2)
        return fail(error, "must be width x height in pixels, such as 1280x720, not '%s'", text);
    for (int axis = 0; axis < 2; axis++)
        if (size[axis] < SIZE_MIN || size[axis] > SIZE_MAX_PIXELS)
            return fail(error, "must be %d to %d pixels each, not %d", SIZE_MIN, SIZE_MAX_PIXELS,
                        size[axis]);
    *(RenderSize *)destination = (RenderSize){size[0], size[1]};
    return true;
}

bool values_parse_quality(const char *text, void *destination, BillowError *error)
{
    static const char *const names[] = {
        [SCENE_DRAFT] = "draft", [SCENE_GOOD] = "good", [SCENE_BEST] = "best"};
    ValuesQuality *quality = destination;
    for (int n = 0; n < (int)(sizeof names / sizeof names[0]); n++)
        if (strcmp(text, names[n]) == 0) {
            *quality = (ValuesQuality){true, (SceneQuality)n};
            return true;
        }
    return fail(error, "must be draft, good or best, not '%s'", text);
}

bool values_parse_window_quality(const char *text, void *destination, BillowError *error)
{
    for (SceneQuality quality = SCENE_DRAFT; quality <= SCENE_BEST; quality++)
        if (strcmp(text, grid_quality_name(quality)) == 0) {
            *(ValuesQuality *)destination = (ValuesQuality){true, quality};
            return true;
        }
    return fail(error, "must be fluid, auto or fine, not '%s'", text);
}

bool values_parse_tiles(const char *text, void *destination, BillowError *error)
{
    int tiles[2];
    if (parse_crossed(text, tiles, 2) != 2)
        return fail(error, "must be columns x rows of tiles, such as 8x8, not '%s'", text);
    for (int axis = 0; axis < 2; axis++)
        if (tiles[axis] < 1 || tiles[axis] > TILES_MAX)
            return fail(error, "must be 1 to %d %s of tiles, not %d", TILES_MAX,
                        axis == 0 ? "columns" : "rows", tiles[axis]);
    *(ValuesTiles *)destination = (ValuesTiles){tiles[0], tiles[1]};
    return true;
}

bool values_parse_sizes(const char *text, void *destination, BillowError *error)
{
    RenderSizes sizes = {.count = 0};
    char word[64];
    while (args_next_word(&text, word, sizeof word)) {
        if (sizes.count == RENDER_SIZES_MAX)
            return fail(error, "more than %d sizes", RENDER_SIZES_MAX);
        if (!values_parse_size(word, &sizes.items[sizes.count], error))
            return false;
        sizes.count++;
    }
    *(RenderSizes *)destination = sizes;
    return true;
}

bool values_parse_network(const char *text, void *destination, BillowError *error)
{
    Network network;
    char *comma;
    network.gigabits = number_read(text, &comma);
    bool good = *comma == ',' && args_number(comma + 1, &network.latency) &&
                network.gigabits >= 0.001 && network.gigabits <= 1e5 && network.latency >= 0 &&
                network.latency <= 1e6;
    if (good)
        *(Network *)destination = network;
    return good || fail(error,
                        "must be GBITS,US, such as 25,5: 0.001 to 100000 Gb/s and 0 to 1000000 us, "
                        "not '%s'",
                        text);
}

static bool wrong_camera(const char *text, BillowError *error)
{
    return fail(error,
                "must be AZIMUTH,ELEVATION,DISTANCE[,FOV], such as 30,10,3, or scene or fit, "
                "not '%s'",
                text);
}

bool values_parse_camera(const char *text, void *destination, BillowError *error)
{
    static const struct {
        const char *name;
        double least, most;
    } parts[4] = {
        {"azimuth", -360, 360}, {"elevation", -90, 90}, {"distance", 1e-3, 1e5}, {"fov", 1, 150}};
    double values[4] = {0};
    char word[32];
    int count = 0;
    if (strcmp(text, "scene") == 0 || strcmp(text, "fit") == 0) {
        *(ValuesCamera *)destination =
            (ValuesCamera){.view = text[0] == 's' ? VALUES_VIEW_SCENE : VALUES_VIEW_FIT};
        return true;
    }
    for (const char *rest = text; args_next_word(&rest, word, sizeof word); count++) {
        if (count == 4 || strlen(word) == sizeof word - 1)
            return wrong_camera(text, error);
        if (!args_number(word, &values[count]) && count == 0)
            return wrong_camera(text, error);
        if (!args_number(word, &values[count]))
            return fail(error, "%s must be a number, %g to %g, not '%s'", parts[count].name,
                        parts[count].least, parts[count].most, word);
        if (values[count] < parts[count].least || values[count] > parts[count].most)
            return fail(error, "%s must be %g to %g, not %s", parts[count].name, parts[count].least,
                        parts[count].most, word);
    }
    if (count < 3)
        return wrong_camera(text, error);
    *(ValuesCamera *)destination = (ValuesCamera){
        VALUES_VIEW_GIVEN, (float)values[0], (float)values[1], (float)values[2], (float)values[3]};
    return true;
}

bool values_parse_output(const char *text, void *destination, BillowError *error)
{
    char endings[128];
    const PictureFormat *format = picture_format(text);
    if (format == NULL) {
        picture_format_endings(endings, sizeof endings);
        return unknown_ending(text, endings, "a.png", error);
    }
    bool stream = format->standard_output != NULL && strcmp(text, format->standard_output) == 0;
    OutputName output = {.picture = format};
    if (!output_name_parse(stream ? "-" : text, &output, error))
        return false;
    if (format->storage == PICTURE_VIDEO && output.sequence)
        return fail(error, "'%s': a video is one file, which needs no number", text);
    *(OutputName *)destination = output;
    return true;
}

bool values_parse_drawing(const char *text, void *destination, BillowError *error)
{
    if (strcmp(text, "-") != 0 && !paths_end_in(text, ".svg"))
        return unknown_ending(text, ".svg", "a.svg", error);
    memcpy(destination, &text, sizeof text);
    return true;
}

#define FORM "FIELD[,x|y|z=M][,contours=N][,range=A:B][,veil=S][,legend=no]"

const char *values_slice_field(int index)
{
    return index < FIELD_KINDS ? field_meaning((FieldKind)index)->name : NULL;
}

/* Index of the name of a field or of something else; -1: there is none, with a message. */
static int find_name(const char *word, ArgsName *names, const char *what, BillowError *error)
{
    char known[256], advice[300], none[32];
    args_list(names, " and ", known, sizeof known);
    snprintf(advice, sizeof advice, "the %ss are %s", what, known);
    snprintf(none, sizeof none, "there is no %s", what);
    return args_find(word, names, none, advice, error);
}

static bool parse_field(const char *word, SliceAsk *ask, BillowError *error)
{
    int kind = find_name(word, values_slice_field, "field", error);
    ask->kind = kind >= 0 ? (FieldKind)kind : ask->kind;
    return kind >= 0;
}

static bool parse_number(const char *name, const char *text, double least, double most, float *out,
                         BillowError *error)
{
    double value;
    if (!args_number(text, &value))
        return fail(error, "%s must be a number, not '%s'", name, text);
    if (value < least || value > most)
        return fail(error, "%s must be %g to %g, not %s", name, least, most, text);
    *out = (float)value;
    return true;
}

static bool parse_range(char *text, SliceAsk *ask, BillowError *error)
{
    char *colon = strchr(text, ':');
    if (colon == NULL)
        return fail(
            error, "range must be two numbers with a colon between, such as 0:2.5, not '%s'", text);
    *colon = 0;
    ask->ranged = true;
    if (!parse_number("range from", text, -1e12, 1e12, &ask->low, error) ||
        !parse_number("range to", colon + 1, -1e12, 1e12, &ask->high, error))
        return false;
    /* As 32-bit floats, the ends must differ by enough to distinguish the values between. */
    float least = 1e-5f * fmaxf(fabsf(ask->low), fabsf(ask->high));
    if (ask->high <= ask->low)
        return fail(error, "range %s:%s is empty; the smaller number comes first", text, colon + 1);
    return (ask->high - ask->low > least && ask->high - ask->low > 1e-30f) ||
           fail(error, "range %s:%s is too narrow to tell values apart", text, colon + 1);
}

static const char *slice_part(int index)
{
    static const char *const keys[] = {"x", "y", "z", "contours", "range", "veil", "legend", NULL};
    return keys[index];
}

static bool parse_part(const char *key, char *value, SliceAsk *ask, BillowError *error)
{
    if (strlen(key) == 1 && *key >= 'x' && *key <= 'z') {
        if (ask->placed)
            return fail(error, "a slice has one place; %s= is a second", key);
        ask->axis = *key - 'x';
        ask->placed = true;
        return parse_number(key, value, -1e6, 1e6, &ask->position, error);
    }
    if (strcmp(key, "contours") == 0)
        return (args_whole(value, &ask->contours) && ask->contours >= 0 &&
                ask->contours <= SLICE_CONTOURS_MAX) ||
               fail(error, "contours must be a whole number, 0 to %d, not '%s'", SLICE_CONTOURS_MAX,
                    value);
    if (strcmp(key, "range") == 0)
        return parse_range(value, ask, error);
    if (strcmp(key, "veil") == 0)
        return parse_number(key, value, 0, 1, &ask->veil, error);
    if (strcmp(key, "legend") == 0) {
        ask->no_legend = strcmp(value, "no") == 0;
        return ask->no_legend || strcmp(value, "yes") == 0 ||
               fail(error, "legend must be yes or no, not '%s'", value);
    }
    return args_find(key, slice_part, "a slice has no", "write " FORM, error) >= 0;
}

bool values_parse_slice(const char *text, void *destination, BillowError *error)
{
    SliceAsk ask = slice_ask_default();
    char word[64];
    for (const char *rest = text; args_next_word(&rest, word, sizeof word); ask.given = true) {
        if (word[0] == 0 || strlen(word) == sizeof word - 1)
            return fail(error, "must be " FORM ", not '%.100s'", text);
        char *equals = strchr(word, '=');
        if ((equals != NULL) != ask.given) /* only the first word, the field, has no '=' */
            return fail(error, "must be " FORM ", not '%s'", word);
        if (equals != NULL)
            *equals = 0;
        if (equals == NULL ? !parse_field(word, &ask, error)
                           : !parse_part(word, equals + 1, &ask, error))
            return false;
    }
    *(SliceAsk *)destination = ask;
    return true;
}

bool values_parse_volumes(const char *text, void *destination, BillowError *error)
{
    OutputName output = {.volume = volume_format(text)};
    if (output.volume == NULL)
        return strcmp(text, "-") == 0
                   ? fail(error, "standard output needs a format: vdb:-, nvdb:-, vti:- or npz:-")
                   : unknown_ending(text, ".vdb, .nvdb, .vti or .npz", "a.vdb", error);
    bool stream = strcmp(text, output.volume->standard_output) == 0;
    if (!output_name_parse(stream ? "-" : text, &output, error))
        return false;
    *(OutputName *)destination = output;
    return true;
}

/* Sets a bit for each of the names in a list. */
static bool parse_names(const char *text, ArgsName *names, const char *what, unsigned *bits,
                        BillowError *error)
{
    unsigned found = 0;
    char word[32];
    while (args_next_word(&text, word, sizeof word)) {
        int index = find_name(word, names, what, error);
        if (index < 0)
            return false;
        if ((found & 1u << index) != 0)
            return fail(error, "'%s' is given twice", word);
        found |= 1u << index;
    }
    *bits = found;
    return true;
}

bool values_parse_fields(const char *text, void *destination, BillowError *error)
{
    return parse_names(text, volume_field_name, "field", destination, error);
}

bool values_parse_sheets(const char *text, void *destination, BillowError *error)
{
    return parse_names(text, flipbook_sheet_name, "sheet", destination, error);
}

bool values_parse_six_way(const char *text, void *destination, BillowError *error)
{
    for (SixWayEngine engine = SIX_WAY_UNITY; engine < SIX_WAY_ENGINES; engine++)
        if (strcmp(text, six_way_packing(engine)->name) == 0) {
            *(SixWayEngine *)destination = engine;
            return true;
        }
    return fail(error, "must be unity or unreal, not '%s'", text);
}

bool values_parse_up(const char *text, void *destination, BillowError *error)
{
    if (strcmp(text, "y") != 0 && strcmp(text, "z") != 0)
        return fail(error, "must be y or z, not '%s'", text);
    *(ValuesUp *)destination = text[0] == 'y' ? VALUES_UP_Y : VALUES_UP_Z;
    return true;
}
