/* SPDX-License-Identifier: MIT
 *
 * What the page says: the line of figures, the lists, the values. */
#include "web/page.h"

#include "base/number.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"
#include "web/page_parts.h"

#include <emscripten.h>
#include <stdarg.h>
#include <stdio.h>

const char *page_say(const BillowError *error)
{
    snprintf(page.text, sizeof page.text, "%s", error->text);
    return page.text;
}

const char *page_answer(bool good)
{
    return good ? "" : page_say(&page.error);
}

/* Appends to the text. */
void page_add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int more =
        number_vprint(page.text + page.length, sizeof page.text - page.length, format, values);
    va_end(values);
    page.length += more > 0 ? (size_t)more : 0;
    if (page.length >= sizeof page.text)
        page.length = sizeof page.text - 1;
}

void page_start_text(void)
{
    page.length = 0;
    page.text[0] = '\0';
}

Scene page_present(void)
{
    const World *world = &page.world;
    Scene scene = *world_scene(world);
    if (!world->changing || world->keep_view)
        scene.render.camera = world->render.camera;
    return scene;
}

EMSCRIPTEN_KEEPALIVE const char *page_figures(void)
{
    const SimSnapshot *s = page_newest();
    if (s == NULL)
        return "";
    number_print(page.text, sizeof page.text,
                 "%s %d×%d×%d · step %.1f ms · %.2f s · divergence left %.1e · %s",
                 page.world.scene.name, s->view.box[0], s->view.box[1], s->view.box[2], s->step_ms,
                 s->view.time, s->stats.residual_relative,
#ifdef __EMSCRIPTEN_PTHREADS__
                 "simulation in its own thread"
#else
                 "one thread"
#endif
    );
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_scenes(void)
{
    page_start_text();
    for (int i = 0; scene_builtin_name(i) != NULL; i++)
        page_add("%s\t%s\n", scene_builtin_name(i), scene_builtin_title(i));
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_tools(void)
{
    page_start_text();
    for (int tool = 0; tool < BRUSH_TOOLS; tool++)
        page_add("%s%s\n", page.world.brush.hand.tool == (BrushTool)tool ? "*" : "",
                 brush_tool_name((BrushTool)tool));
    return page.text;
}

/* Name of a type of values that a control can show; NULL for other types. */
static const char *control_of(SceneKeyType type)
{
    switch (type) {
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
        return "number";
    case SCENE_KEY_INT:
        return "whole";
    case SCENE_KEY_BOOL:
        return "switch";
    case SCENE_KEY_CHOICE:
        return "word";
    case SCENE_KEY_COLOR:
        return "color";
    default:
        return NULL;
    }
}

EMSCRIPTEN_KEEPALIVE const char *page_keys(void)
{
    const SceneKeyTable *table = scene_keys();
    const Scene scene = page_present();
    page_start_text();
    for (int i = 0; i < table->count; i++) {
        const SceneKey *key = &table->rows[i];
        const char *control = control_of(key->type);
        char value[128];
        if (control == NULL || !scene_keys_format(key, &scene, value, sizeof value))
            continue;
        page_add("%s\t%s\t%.9g\t%.9g\t%s\t%s\t", key->path, control, key->minimum, key->maximum,
                 key->unit, key->doc);
        for (int word = 0; key->choices != NULL && key->choices[word] != NULL; word++)
            page_add("%s%s", word > 0 ? "|" : "", key->choices[word]);
        page_add("\t%s\n", value);
    }
    return page.text;
}

static void add_line(void *context, const char *assignment)
{
    (void)context;
    page_add("%s\n", assignment);
}

EMSCRIPTEN_KEEPALIVE const char *page_changes(void)
{
    const Scene scene = page_present();
    page_start_text();
    page_add("%d\n", scene_arguments(&page.world.opened, &scene, "camera.", add_line, NULL));
    return page.text;
}
