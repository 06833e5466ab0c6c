/* SPDX-License-Identifier: MIT */
#include "light_way.h"

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"cpu", "gl"}, *const people[] = {"the CPU", "OpenGL"};

void light_way_text(const RenderLightWay *way, char *text, size_t size)
{
    int used = snprintf(text, size, "swept by %s", people[way->by_gl]);
    char *rest = text + used;
    double own = way->by_gl ? way->gl_ms : way->cpu_ms;
    double other = way->by_gl ? way->cpu_ms : way->gl_ms;
    size -= (size_t)used;
    if (way->asked)
        snprintf(rest, size, ", asked for by BILLOW_LIGHT");
    else if (way->edge == 0 || own < 0)
        snprintf(rest, size, "; the other way could not be tried");
    else if (other < 0)
        snprintf(rest, size, " (%.2f ms at %d^3; %s cannot, here)", own, way->edge,
                 people[!way->by_gl]);
    else
        snprintf(rest, size, " (%.2f ms against %s%.2f ms by %s at %d^3)", own,
                 way->gl_is_least ? "at least " : "", other, people[!way->by_gl], way->edge);
}

static void add_ms(Json *json, cJSON *object, const char *name, double ms, bool known)
{
    if (known && ms >= 0)
        json_number(json, object, name, ms);
    else
        json_null(json, object, name);
}

void light_way_json(const RenderLightWay *way, Json *json, cJSON *parent)
{
    cJSON *object = json_object(json, parent, "light_volume");
    json_text(json, object, "swept_by", names[way->by_gl]);
    json_flag(json, object, "asked_for", way->asked);
    json_number(json, object, "edge", way->edge);
    add_ms(json, object, "cpu_ms", way->cpu_ms, way->edge > 0);
    add_ms(json, object, "gl_ms", way->gl_ms, way->edge > 0);
    json_flag(json, object, "gl_ms_is_least", way->gl_is_least);
}

bool light_way_check(BillowError *error)
{
    const char *wanted = getenv("BILLOW_LIGHT");
    if (wanted == NULL || wanted[0] == 0 || strcmp(wanted, names[0]) == 0 ||
        strcmp(wanted, names[1]) == 0)
        return true;
    return fail(error,
                "BILLOW_LIGHT=%.100s: the sun's light is swept by cpu or gl, and by the faster one "
                "where the variable is not set",
                wanted);
}
