/* SPDX-License-Identifier: MIT */
#include "scene_check.h"

#include <string.h>

/* Digits alone, at most 9 of them; moves text past them. */
static bool read_count(const char **text, int *count)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 9)
        return false;
    *count = 0;
    for (size_t i = 0; i < digits; i++)
        *count = *count * 10 + ((*text)[i] - '0');
    *text += digits;
    return true;
}

/* How many counts, joined by 'x', the text consists of: 1 or 3; 0 where it is something else. */
static int read_counts(const char *text, int counts[3])
{
    int found = 0;
    while (found < 3 && read_count(&text, &counts[found])) {
        found++;
        if (*text == '\0')
            return found == 2 ? 0 : found;
        if (*text++ != 'x')
            return 0;
    }
    return 0;
}

bool scene_set_grid(Scene *scene, const char *grid, BillowError *error)
{
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(grid, strlen(grid), quoted);
    int counts[3] = {0};
    int found = read_counts(grid, counts);
    if (found == 0) {
        return fail(error,
                    "grid %s: write one count or three, such as 64 or 64x96x64, each %d to %d",
                    quoted, BILLOW_GRID_MIN, BILLOW_GRID_MAX);
    }
    for (int i = 0; i < found; i++) {
        if (counts[i] < BILLOW_GRID_MIN || counts[i] > BILLOW_GRID_MAX) {
            return fail(error, "grid %s: %d cells are out of range; each axis must have %d to %d",
                        quoted, counts[i], BILLOW_GRID_MIN, BILLOW_GRID_MAX);
        }
    }
    Scene changed = *scene;
    memcpy(changed.domain.cells, counts, sizeof counts);
    char name[16 + SCENE_YAML_QUOTE_SIZE] = "grid ";
    strcat(name, quoted);
    const SceneSource source = {.name = name, .assigned = "domain.cells", .error = error};
    if (!scene_check_domain(&source, &(yaml_mark_t){0}, &changed))
        return false;
    *scene = changed;
    return true;
}
