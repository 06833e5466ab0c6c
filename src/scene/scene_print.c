/* SPDX-License-Identifier: MIT */
#include "scene_difference.h"
#include "scene_list.h"

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
    case SCENE_KEY_FACE:
    case SCENE_KEY_PROFILE:
    case SCENE_KEY_SHAPE:
    case SCENE_KEY_MOTION:
    case SCENE_KEY_FORCE_KIND:
    case SCENE_KEY_ADVECTION:
    case SCENE_KEY_PRESSURE:
    case SCENE_KEY_TONE:
    case SCENE_KEY_FILTER:
        return "word";
    case SCENE_KEY_NAME:
        return "word of letters, digits, '-' and '_'";
    case SCENE_KEY_TEXT:
        return "line of text";
    case SCENE_KEY_FORM_MESH:
        return "file";
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
    case SCENE_KEY_TIMELINE:
        return "list of tracks";
    }
    return "";
}

static void print_key(FILE *file, const SceneKeyTable *table, const SceneKey *key,
                      const void *defaults)
{
    fprintf(file, "%s: %s", key->path, kind_of(key->type));
    char value[512];
    if (scene_keys_format(key, defaults, value, sizeof value)) {
        char allowed[128];
        scene_keys_allowed(key, allowed, sizeof allowed);
        fprintf(file, ", %s; default %s", allowed, value);
    } else if (scene_list_of(key->type) != NULL) {
        fprintf(file, ", at most %d", scene_list_of(key->type)->most);
    } else if (key->type == SCENE_KEY_TIMELINE) {
        fprintf(file, ", at most %d", SCENE_TRACKS_MAX);
    }
    bool anew = scene_effect_of(table, key) == SCENE_EFFECT_ANEW;
    fprintf(file, "\n    %s%s\n", key->doc, anew ? " (anew)" : "");
}

void scene_print_keys(FILE *file)
{
    const Scene defaults = scene_default();
    fprintf(file,
            "Keys of a scene file. A dot steps into a group: solver.vorticity is the key\n"
            "vorticity inside solver. Every key may be left out; numbers include their limits.\n"
            "Saved in a file that the window plays, what says (anew) begins the simulation anew;\n"
            "all else is taken over as it runs.\n\n");
    for (int row = 0; row < scene_keys.count; row++)
        print_key(file, &scene_keys, &scene_keys.rows[row], &defaults);
    const BillowEmitter emitter = billow_default_emitter();
    fprintf(
        file,
        "\nKeys of an emitter (each entry of emitters, brush, detonation; for --set:\n"
        "emitters[0].smoke, brush.smoke). brush and detonation have defaults of their own.\n\n");
    for (int row = 0; row < scene_emitter_keys.count; row++)
        print_key(file, &scene_emitter_keys, &scene_emitter_keys.rows[row], &emitter);

    const BillowSolid solid = billow_default_solid();
    fprintf(file, "\nKeys of a solid (each entry of solids; for --set: solids[0].center).\n\n");
    for (int row = 0; row < scene_solid_keys.count; row++)
        print_key(file, &scene_solid_keys, &scene_solid_keys.rows[row], &solid);

    const BillowForce force = billow_default_force();
    fprintf(file, "\nKeys of a force (each entry of forces; for --set: forces[0].strength).\n\n");
    for (int row = 0; row < scene_force_keys.count; row++)
        print_key(file, &scene_force_keys, &scene_force_keys.rows[row], &force);

    const RenderLamp lamp = scene_default_lamp();
    fprintf(file, "\nKeys of a lamp (each entry of lamps; for --set: lamps[0].intensity).\n\n");
    for (int row = 0; row < scene_lamp_keys.count; row++)
        print_key(file, &scene_lamp_keys, &scene_lamp_keys.rows[row], &lamp);
}
