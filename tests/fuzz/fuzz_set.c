/* SPDX-License-Identifier: MIT
 * Assignments of --set, one a line, and a grid after an '@', applied to a built-in scene. */
#include "fuzz.h"

#include "scene/scene.h"

#include <string.h>

enum { LINES_MAX = 32, BYTES_MAX = 8192, BUILTINS_MAX = 32 };

/* The built-in scenes, parsed once. */
static const Scene *builtin(unsigned which)
{
    static Scene scenes[BUILTINS_MAX];
    static unsigned count;
    BillowError error;
    while (count < BUILTINS_MAX && scene_builtin_name((int)count) != NULL) {
        FUZZ_HOLDS(scene_load(scene_builtin_name((int)count), &scenes[count], &error));
        count++;
    }
    return &scenes[which % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[BYTES_MAX];
    const char *lines[LINES_MAX];
    BillowError error;
    memset(&error, 0, sizeof error);
    if (size < 2 || size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    SceneRequest request = {.name_or_path = "scene", .overrides = lines};
    for (char *line = text + 1; line != NULL && request.override_count < LINES_MAX;) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (line[0] == '@')
            request.grid = line + 1;
        else
            lines[request.override_count++] = line;
        line = end;
    }
    static Scene scene, before;
    scene = before = *builtin(data[0]);
    if (!scene_change(&request, &scene, &error)) {
        FUZZ_HOLDS(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
        FUZZ_HOLDS(memcmp(&scene, &before, sizeof scene) == 0);
        return 0;
    }
    fuzz_count("were taken");
    const BillowDef def = scene_def(&scene);
    FUZZ_HOLDS(def.nx >= 1 && def.nx <= BILLOW_GRID_MAX && def.cell_size > 0.0f);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate_text(data, size, most, 0, size, &seed);
}
