/* SPDX-License-Identifier: MIT */
#include "render/frame/legend.h"

#include "base/fail.h"
#include "base/number.h"
#include "base/srgb.h"
#include "base/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* -- colours for numbers ----------------------------------------------------------------------- */

enum { FINE = 256 }; /* samples with which the arc length of a curve through Oklab is measured */

#define DEGREE 0.017453293f

typedef struct Lab {
    float lightness, a, b;
} Lab;

static Vec3 linear_of(Lab lab)
{
    float l = lab.lightness + 0.3963377774f * lab.a + 0.2158037573f * lab.b;
    float m = lab.lightness - 0.1055613458f * lab.a - 0.0638541728f * lab.b;
    float s = lab.lightness - 0.0894841775f * lab.a - 1.2914855480f * lab.b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return (Vec3){4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
                  -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
                  -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

static float encode(float light)
{
    return srgb_encoded(fminf(fmaxf(light, 0), 1));
}

void color_map_oklab(const float srgb[3], float lab[3])
{
    float r = srgb_decoded(srgb[0]), g = srgb_decoded(srgb[1]), b = srgb_decoded(srgb[2]);
    float l = cbrtf(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    float m = cbrtf(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    float s = cbrtf(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    lab[0] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    lab[1] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    lab[2] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
}

static Lab polar(float lightness, float chroma, float hue)
{
    return (Lab){lightness, chroma * cosf(hue * DEGREE), chroma * sinf(hue * DEGREE)};
}

/* The colours of both maps lie within sRGB, so that none has to be clipped. */
static Lab sequential(float t)
{
    return polar(0.24f + 0.68f * t, 0.12f - 0.17f * t + 0.22f * t * t, 312 - 206 * t);
}

static Lab diverging(float t)
{
    float away = fabsf(2 * t - 1);
    return polar(0.97f - 0.54f * away, 0.23f * away * (1 - 0.3f * away), t < 0.5f ? 262 : 27);
}

static float apart(Lab p, Lab q)
{
    float l = p.lightness - q.lightness, a = p.a - q.a, b = p.b - q.b;
    return sqrtf(l * l + a * a + b * b);
}

void color_map_table(ColorMap map, float table[4 * COLOR_MAP_ENTRIES])
{
    Lab (*line)(float t) = map == COLOR_MAP_SEQUENTIAL ? sequential : diverging;
    float whole = 0, length = 0;
    Lab last = line(0);
    for (int i = 1; i <= FINE; i++) {
        Lab here = line((float)i / FINE);
        whole += apart(last, here);
        last = here;
    }
    last = line(0);
    for (int i = 1, entry = 0; i <= FINE; i++) {
        Lab here = line((float)i / FINE);
        float step = apart(last, here);
        last = here;
        for (; entry < COLOR_MAP_ENTRIES; entry++) {
            float share = (whole * (float)entry / (COLOR_MAP_ENTRIES - 1) - length) / step;
            if (share > 1 && i < FINE)
                break;
            Vec3 linear = linear_of(line(((float)(i - 1) + fminf(share, 1)) / FINE));
            vec3_store(vec3(encode(linear.x), encode(linear.y), encode(linear.z)),
                       table + 4 * entry);
            table[4 * entry + 3] = 1;
        }
        length += step;
    }
}

ColorMap color_map_of(const FieldSlice *field)
{
    return field_meaning(field->kind)->both_signs ? COLOR_MAP_DIVERGING : COLOR_MAP_SEQUENTIAL;
}

/* -- the legend -------------------------------------------------------------------------------- */

#define LEAST      0.07f /* smallest distance between two numbers, as a fraction of the bar */
#define MARKS_MOST 16    /* largest number of steps tried for a range */

static const uint8_t plate_color[3] = {13, 15, 20}, text_color[3] = {245, 245, 245};

/* -- numbers of the legend --------------------------------------------------------------------- */

static void add_tick(Legend *legend, float value)
{
    if (legend->ticks == LEGEND_TICKS_MAX)
        return;
    int tick = legend->ticks++;
    float span = legend->high - legend->low;
    legend->at[tick] = (value - legend->low) / span;
    /* Values near 0 become +0, which avoids the text "-0". */
    value = fabsf(value) < 1e-5f * span ? 0 : value;
    number_print(legend->text[tick], LEGEND_TEXT, "%.3g", (double)value);
}

/* Rounds `raw` to 1, 2 or 5 times a power of ten. */
static float near_step(float raw)
{
    float power = powf(10, floorf(log10f(raw))), lead = raw / power;
    return power * (lead < 1.5f ? 1 : lead < 3.5f ? 2 : lead < 7.5f ? 5 : 10);
}

/* Adds the two ends and about five round numbers between them. least: smallest distance between two
 * numbers and to the ends, as a fraction of the bar. */
static void add_ticks(Legend *legend, float least)
{
    float span = legend->high - legend->low, step = near_step(span / 5);
    legend->ticks = 0;
    add_tick(legend, legend->low);
    if (least <= 1)
        add_tick(legend, legend->high);
    for (int tries = 0; step < least * span && tries < 6; tries++)
        step = near_step(2 * step);
    /* Numbers are computed from `first`: far from 0, repeated addition of a small step would be
     * lost to rounding. */
    float first = ceilf(legend->low / step) * step;
    for (int tick = 0; tick < MARKS_MOST; tick++) {
        float at = first + (float)tick * step;
        if (at - legend->low > least * span && legend->high - at > least * span)
            add_tick(legend, at);
    }
}

void legend_fit(Legend *legend, float height, float letters)
{
    add_ticks(legend, fmaxf(LEAST, 1.25f * letters / height));
}

Legend legend_for(const RenderSlice *slice)
{
    const FieldSlice *field = slice->field;
    const FieldMeaning *meaning = field_meaning(field->kind);
    char axis = (char)('x' + field->axis);
    Legend legend = {.low = slice->low, .high = slice->high, .contours = slice->contours};
    color_map_table(color_map_of(field), legend.colors);
    if (field->kind == FIELD_CURL)
        snprintf(legend.title, sizeof legend.title, "vorticity about %c, 1/s", axis);
    else
        snprintf(legend.title, sizeof legend.title, meaning->unit[0] != 0 ? "%s, %s" : "%s",
                 meaning->name, meaning->unit);
    number_print(legend.place, sizeof legend.place, "%c = %.3g m", axis, (double)field->position);
    add_ticks(&legend, LEAST);
    return legend;
}

/* -- drawing the legend over a picture --------------------------------------------------------- */

static void fill(Image *image, int left, int top, int width, int height, const uint8_t rgb[3],
                 float share)
{
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            caption_blend(image, x, y, rgb, share);
}

typedef struct Bar {
    int left, top, width, height;
} Bar;

static void draw_bar(const Legend *legend, Image *image, Bar bar, int line)
{
    const float *colors = legend->colors;
    for (int row = 0; row < bar.height; row++) {
        int entry = (bar.height - 1 - row) * (COLOR_MAP_ENTRIES - 1) / (bar.height - 1);
        uint8_t rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = (uint8_t)(colors[4 * entry + c] * 255 + 0.5f);
        fill(image, bar.left, bar.top + row, bar.width, 1, rgb, 1);
    }
    for (int i = 0; i < legend->contours; i++) {
        float share = ((float)i + 0.5f) / (float)legend->contours;
        int entry = (int)(share * (COLOR_MAP_ENTRIES - 1));
        const float *c = colors + 4 * entry;
        bool dark = 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2] < 0.42f;
        const uint8_t rgb[3] = {dark ? 255 : 0, dark ? 255 : 0, dark ? 255 : 0};
        int row = bar.top + (int)((1 - share) * (float)(bar.height - 1));
        fill(image, bar.left, row, bar.width, line, rgb, 0.75f);
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int letter_size(const Image *image)
{
    int size = image->height / 44;
    return size < 11 ? 11 : size > 96 ? 96 : size;
}

Caption *legend_letters(const Image *image, BillowError *error)
{
    int size = letter_size(image);
    if (image->width >= 20 * size && image->height >= 16 * size)
        return caption_open(size, error);
    fail(error, "%dx%d pixels are too few for its text", image->width, image->height);
    return NULL;
}

bool legend_draw(const Legend *legend, Caption *letters, Image *image, BillowError *error)
{
    Legend fitting = *legend;
    int size = letter_size(image), margin = size / 2, line = larger(size / 14, 1), most = 0;
    Bar bar = {.width = larger(size, 8), .height = image->height * 2 / 5};
    legend_fit(&fitting, (float)bar.height, (float)size);
    for (int tick = 0; tick < fitting.ticks; tick++)
        most = larger(most, caption_width(letters, fitting.text[tick]));
    int wide = larger(caption_width(letters, legend->title), caption_width(letters, legend->place));
    wide = larger(wide, bar.width + size / 2 + most);
    int width = wide + 2 * margin, height = bar.height + 2 * margin + size * 7 / 2;
    int left = image->width - width - margin, top = (image->height - height) / 2;
    fill(image, left, top, width, height, plate_color, 0.62f);
    bar.left = left + margin;
    bar.top = top + margin + size * 3;
    caption_draw(letters, image, bar.left, top + margin + size, legend->title, text_color);
    caption_draw(letters, image, bar.left, top + margin + size * 9 / 4, legend->place, text_color);
    draw_bar(legend, image, bar, line);
    for (int tick = 0; tick < fitting.ticks; tick++) {
        int y = bar.top + (int)((1 - fitting.at[tick]) * (float)(bar.height - 1) + 0.5f);
        fill(image, bar.left + bar.width, y - line / 2, larger(size / 4, 2), line, text_color, 1);
        caption_draw(letters, image, bar.left + bar.width + size / 2, y + size * 3 / 8,
                     fitting.text[tick], text_color);
    }
    return caption_whole(letters) ||
           fail(error, "the slice's legend: not enough memory for its letters");
}
