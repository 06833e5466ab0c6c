/* SPDX-License-Identifier: MIT */
#include "base/render_ramp.h"

#include <math.h>
#include <string.h>

RampTable render_ramp_table(const RenderRamp *ramp)
{
    RampTable table = {.count = ramp->stop_count};
    bool backwards = ramp->low > ramp->high;
    float at = 0;
    for (int s = 0; s < table.count; s++) {
        const RenderStop *stop = &ramp->stops[s];
        int to = backwards ? table.count - 1 - s : s;
        at = fmaxf(at, stop->at);
        table.values[to] = ramp->low + at * (ramp->high - ramp->low);
        memcpy(table.colors[to], stop->color, sizeof stop->color);
    }
    return table;
}

void render_ramp_color(const RampTable *table, float value, float rgb[3])
{
    memcpy(rgb, table->colors[0], sizeof table->colors[0]);
    for (int s = 1; s < table->count; s++) {
        float span = fmaxf(table->values[s] - table->values[s - 1], 1e-6f);
        float share = fminf(fmaxf((value - table->values[s - 1]) / span, 0), 1);
        for (int c = 0; c < 3; c++)
            rgb[c] += share * (table->colors[s][c] - rgb[c]);
    }
}

float render_ramp_most(const RenderRamp *ramp)
{
    float most = 0;
    for (int s = 0; s < ramp->stop_count; s++)
        for (int c = 0; c < 3; c++)
            most = fmaxf(most, ramp->stops[s].color[c]);
    return most;
}

bool render_ramp_follows(const RenderSettings *settings, RenderRampBy by)
{
    const RenderRamp *const ramps[] = {&settings->smoke_ramp, &settings->fire_ramp};
    for (int r = 0; r < 2; r++)
        if (ramps[r]->stop_count > 0 && ramps[r]->by == by)
            return true;
    return false;
}

int render_ramp_unsorted(const RenderRamp *ramp)
{
    for (int s = 1; s < ramp->stop_count; s++)
        if (ramp->stops[s].at < ramp->stops[s - 1].at)
            return s;
    return -1;
}

/* clang-format off */
static const RenderRampPreset smoke_presets[] = {
    {"ink", "pale blue wisps, dark blue where the smoke is dense", 4,
     {{0, {0.55f, 0.75f, 0.95f}}, {0.3f, {0.12f, 0.3f, 0.8f}}, {0.7f, {0.03f, 0.07f, 0.4f}},
      {1, {0.01f, 0.015f, 0.12f}}}},
    {"ice", "white edges over a cold blue", 3,
     {{0, {0.95f, 0.98f, 1}}, {0.4f, {0.4f, 0.75f, 0.95f}}, {1, {0.06f, 0.25f, 0.6f}}}},
    {"toxic", "yellow wisps, poisonous green, dark inside", 4,
     {{0, {0.9f, 0.95f, 0.25f}}, {0.3f, {0.35f, 0.8f, 0.05f}}, {0.7f, {0.06f, 0.4f, 0.05f}},
      {1, {0.01f, 0.1f, 0.03f}}}},
    {"sunset", "gold, orange, crimson and violet", 4,
     {{0, {1, 0.8f, 0.45f}}, {0.3f, {0.95f, 0.35f, 0.1f}}, {0.65f, {0.6f, 0.06f, 0.15f}},
      {1, {0.12f, 0.03f, 0.25f}}}},
    {"ash", "white wisps, soot where the smoke is dense", 3,
     {{0, {0.9f, 0.9f, 0.9f}}, {0.4f, {0.3f, 0.29f, 0.28f}}, {1, {0.03f, 0.03f, 0.03f}}}},
};

/* Brightness grows with the heat, as in the colours of hot soot, but by far less. */
static const RenderRampPreset fire_presets[] = {
    {"fire", "dark red, orange, yellow, white", 5,
     {{0, {0, 0, 0}}, {0.25f, {0.05f, 0.003f, 0}}, {0.5f, {0.5f, 0.07f, 0.005f}},
      {0.75f, {2, 0.7f, 0.09f}}, {1, {4, 3, 1.6f}}}},
    {"blackbody", "the hues of hot soot without their range of brightness", 5,
     {{0, {0, 0, 0}}, {0.3f, {0.1f, 0.004f, 0}}, {0.6f, {0.7f, 0.12f, 0.01f}},
      {0.8f, {1.6f, 0.5f, 0.1f}}, {1, {3, 1.6f, 0.7f}}}},
    {"ice", "cold fire: deep blue, sky blue, white", 4,
     {{0, {0, 0, 0}}, {0.35f, {0.004f, 0.02f, 0.16f}}, {0.7f, {0.08f, 0.4f, 1.2f}},
      {1, {2, 3.2f, 4}}}},
    {"toxic", "green fire with a yellow heart", 4,
     {{0, {0, 0, 0}}, {0.35f, {0.004f, 0.05f, 0.003f}}, {0.7f, {0.12f, 0.8f, 0.03f}},
      {1, {2.4f, 4, 0.8f}}}},
    {"sunset", "violet, magenta, orange, gold", 5,
     {{0, {0, 0, 0}}, {0.25f, {0.04f, 0.005f, 0.1f}}, {0.5f, {0.45f, 0.03f, 0.25f}},
      {0.75f, {1.6f, 0.4f, 0.08f}}, {1, {4, 2.4f, 0.7f}}}},
};
/* clang-format on */

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

const RenderRampPreset *render_ramp_preset(bool fire, int index)
{
    const RenderRampPreset *presets = fire ? fire_presets : smoke_presets;
    int count = fire ? COUNT(fire_presets) : COUNT(smoke_presets);
    return index >= 0 && index < count ? &presets[index] : NULL;
}
