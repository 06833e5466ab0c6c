/* SPDX-License-Identifier: MIT
 *
 * A scene of Billow in a program of your own.
 *
 *     scene [SCENE]
 *
 * It loads a built-in scene or a scene file, simulates one second of it, and prints how high the
 * smoke has risen. */
#include <billow/scene.h>
#include <stdio.h>

/* Height of the highest cell with visible smoke, m above the floor. */
static double top_of(const BillowView *view)
{
    for (int j = view->ny - 1; j >= 0; j--)
        for (int k = 0; k < view->nz; k++) {
            /* x is innermost. Rows are padded, so step by the strides and not by nx. */
            const float *row = view->density + j * view->stride_y + k * view->stride_z;
            for (int i = 0; i < view->nx; i++)
                if (row[i] > 0.02f)
                    return (j + 1) * (double)view->cell_size;
        }
    return 0;
}

int main(int argc, char **argv)
{
    BillowError error;
    BillowScene *scene = billow_load_scene(argc > 1 ? argv[1] : "plume", &error);
    if (scene == NULL) {
        fprintf(stderr, "scene: %s\n", error.text);
        return 1;
    }
    printf("%s\n", billow_scene_title(scene));
    for (int frame = 1; frame <= 30; frame++) {
        if (!billow_scene_step(scene, 1.0 / 30)) {
            fprintf(stderr, "scene: %s\n", billow_scene_error(scene));
            billow_destroy_scene(scene);
            return 1;
        }
        BillowView view = billow_view(billow_scene_sim(scene));
        if (frame % 10 == 0)
            printf("%.2f s: smoke up to %.2f m\n", view.time, top_of(&view));
    }
    printf("hash %016llx\n", (unsigned long long)billow_state_hash(billow_scene_sim(scene)));
    billow_destroy_scene(scene);
    return 0;
}
