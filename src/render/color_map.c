/* SPDX-License-Identifier: MIT */
#include "color_map.h"

#include "vec3.h"

#include <math.h>
#include <stdbool.h>

enum { FINE = 256 }; /* samples by which the length of a line is measured */

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

/* IEC 61966-2-1, there and back. */
static float encode(float x)
{
    x = fminf(fmaxf(x, 0), 1);
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

static float decode(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

void color_map_oklab(const float srgb[3], float lab[3])
{
    float r = decode(srgb[0]), g = decode(srgb[1]), b = decode(srgb[2]);
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

static bool shows(Lab lab)
{
    Vec3 rgb = linear_of(lab);
    return fminf(rgb.x, fminf(rgb.y, rgb.z)) >= 0 && fmaxf(rgb.x, fmaxf(rgb.y, rgb.z)) <= 1;
}

/* As saturated as asked for, or as a display can show at this lightness and hue. */
static Lab within_display(float lightness, float chroma, float hue)
{
    float low = 0, high = chroma;
    if (shows(polar(lightness, chroma, hue)))
        return polar(lightness, chroma, hue);
    for (int i = 0; i < 16; i++) {
        float middle = 0.5f * (low + high);
        bool less = shows(polar(lightness, middle, hue));
        low = less ? middle : low;
        high = less ? high : middle;
    }
    return polar(lightness, low, hue);
}

static Lab sequential(float t)
{
    return within_display(0.24f + 0.68f * t, 0.12f - 0.17f * t + 0.22f * t * t, 312 - 206 * t);
}

static Lab diverging(float t)
{
    float away = fabsf(2 * t - 1);
    return within_display(0.97f - 0.54f * away, 0.23f * away * (1 - 0.3f * away),
                          t < 0.5f ? 262 : 27);
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
