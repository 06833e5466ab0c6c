/* SPDX-License-Identifier: MIT
 * The reference of all keys, as text and as Markdown. */
#include "base/number.h"
#include "scene/scene_keys.h"

#include <string.h>

static const char *kind_of(SceneKeyType type)
{
    switch (type) {
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
        return "number";
    case SCENE_KEY_INT:
    case SCENE_KEY_SEED:
        return "whole number";
    case SCENE_KEY_BOOL:
        return "switch";
    case SCENE_KEY_CHOICE:
        return "word";
    case SCENE_KEY_VECTOR:
        return "[x, y, z]";
    case SCENE_KEY_SIZE:
        return "number or [x, y, z]";
    case SCENE_KEY_COLOR:
        return "[r, g, b]";
    case SCENE_KEY_ROTATION:
        return "[x, y, z, degrees]";
    case SCENE_KEY_CELLS:
        return "whole number or [nx, ny, nz]";
    case SCENE_KEY_NAME:
        return "word of letters, digits, '-' and '_'";
    case SCENE_KEY_FILE:
        return "file";
    case SCENE_KEY_TEXT:
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
        return "line of text";
    case SCENE_KEY_EMITTER:
        return "emitter";
    case SCENE_KEY_EMITTERS:
        return "list of emitters";
    case SCENE_KEY_SOLIDS:
        return "list of solids";
    case SCENE_KEY_FORCES:
        return "list of forces";
    case SCENE_KEY_LAMPS:
        return "list of lamps";
    case SCENE_KEY_SMOKE_RAMP:
    case SCENE_KEY_FIRE_RAMP:
        return "list of stops or word";
    case SCENE_KEY_TIMELINE:
        return "list of tracks";
    }
    return "";
}

/* A table of keys, and a structure that holds their defaults. */
typedef struct Part {
    const char *title, *intro;
    const SceneKeyTable *table;
    const void *defaults;
} Part;

/* The structure that has the default of a key. */
static const void *home_of(const SceneKey *key, const void *defaults, SceneForm *form)
{
    *form = scene_form_default();
    return scene_key_is_form(key) ? form : defaults;
}

static void print_text(FILE *file, const SceneKey *key, const void *defaults)
{
    SceneForm form;
    char value[512], allowed[160];
    fprintf(file, "%s: %s", key->path, kind_of(key->type));
    if (scene_keys_format(key, home_of(key, defaults, &form), value, sizeof value)) {
        scene_keys_allowed(key, allowed, sizeof allowed);
        fprintf(file, ", %s; default %s", allowed, value);
    } else if (key->maximum > 0 && !scene_key_is_text(key)) {
        number_fprint(file, ", at most %.0f", key->maximum);
    }
    bool rebuild = key->effect == SCENE_EFFECT_REBUILD;
    fprintf(file, "\n    %s%s\n", key->doc, rebuild ? " (rebuilds)" : "");
}

static void print_part_text(FILE *file, const Part *part)
{
    fprintf(file, "%s\n\n", part->intro);
    for (int row = 0; row < part->table->count; row++)
        print_text(file, &part->table->rows[row], part->defaults);
}

/* Prints a cell of a Markdown table and escapes each '|' in it. */
static void print_cell(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        fprintf(file, *c == '|' ? "\\|" : "%c", *c);
}

static void print_markdown(FILE *file, const SceneKey *key, const void *defaults)
{
    char value[512] = "", allowed[160] = "";
    SceneForm form;
    if (scene_keys_format(key, home_of(key, defaults, &form), value, sizeof value))
        scene_keys_allowed(key, allowed, sizeof allowed);
    else if (key->maximum > 0 && !scene_key_is_text(key))
        number_print(allowed, sizeof allowed, "at most %.0f", key->maximum);
    fprintf(file, "| `%s` | %s | ", key->path, kind_of(key->type));
    print_cell(file, allowed);
    fprintf(file, value[0] != '\0' ? " | `%s` | " : " | %s | ", value);
    print_cell(file, key->doc);
    fprintf(file, "%s |\n", key->effect == SCENE_EFFECT_REBUILD ? " *(rebuilds)*" : "");
}

static void print_part_markdown(FILE *file, const Part *part)
{
    fprintf(file,
            "### %s\n\n%s\n\n| key | kind | allowed | default | meaning |\n|---|---|---|---|---|\n",
            part->title, part->intro);
    for (int row = 0; row < part->table->count; row++)
        print_markdown(file, &part->table->rows[row], part->defaults);
}

void scene_print_keys(FILE *file, bool markdown)
{
    const Scene scene = scene_default();
    const BillowEmitter emitter = billow_default_emitter();
    const BillowSolid solid = billow_default_solid();
    const BillowForce force = billow_default_force();
    const RenderLamp lamp = render_default_lamp();
    const RenderStop stop = render_default_stop();
    const Part parts[] = {
        {"Scene",
         "Keys of a scene file. A dot steps into a group: solver.vorticity is the key\n"
         "vorticity inside solver. Every key may be left out; numbers include their limits.\n"
         "When a scene that the window plays is saved again, a change of a key marked\n"
         "(rebuilds) starts the simulation again; all other keys change while it runs.",
         scene_keys(), &scene},
        {"Emitter",
         "Keys of an emitter (each entry of emitters, brush, detonation; for --set:\n"
         "emitters[0].smoke, brush.smoke). brush and detonation have defaults of their own.",
         scene_emitter_keys(), &emitter},
        {"Solid", "Keys of a solid (each entry of solids; for --set: solids[0].center).",
         scene_solid_keys(), &solid},
        {"Force", "Keys of a force (each entry of forces; for --set: forces[0].strength).",
         scene_force_keys(), &force},
        {"Lamp", "Keys of a lamp (each entry of lamps; for --set: lamps[0].intensity).",
         scene_lamp_keys(), &lamp},
        {"Stop",
         "Keys of a stop of a colour ramp (each entry of smoke.ramp and fire.ramp; for --set:\n"
         "smoke.ramp[0].color).",
         scene_stop_keys(), &stop},
    };
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        if (part > 0)
            fputc('\n', file);
        if (markdown)
            print_part_markdown(file, &parts[part]);
        else
            print_part_text(file, &parts[part]);
    }
}
