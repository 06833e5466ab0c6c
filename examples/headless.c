/* SPDX-License-Identifier: MIT
 *
 * A minimal program with libbillow: a loop without a window.
 *
 *     headless [FILE.pgm]
 *
 * It simulates two seconds of a warm plume in a box of 48 x 72 x 48 cells. Every quarter of a
 * second it prints statistics of the solver. At the end it writes the middle slice of the density
 * as a picture. The hash at the end is the same on every machine and with any number of threads. */
#include <billow/billow.h>
#include <stdio.h>

/* Writes the plane k = nz/2 of the density as an 8-bit grey picture, top row first. */
static bool write_slice(const BillowView *view, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fprintf(file, "P5\n%d %d\n255\n", view->nx, view->ny);
    for (int j = view->ny - 1; j >= 0; j--) {
        /* x is innermost. Rows are padded, so step by the strides and not by nx. */
        const float *row = view->density + j * view->stride_y + view->nz / 2 * view->stride_z;
        for (int i = 0; i < view->nx; i++) {
            float grey = row[i] < 1 ? row[i] * 255 : 255;
            fputc((int)grey, file);
        }
    }
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "headless.pgm";

    /* 1. A definition: take the defaults and change what you need. Units are SI. */
    BillowDef def = billow_default_def();
    def.nx = def.nz = 48;
    def.ny = 72;
    def.cell_size = 1.0f / 48; /* so the box is 1 m x 1.5 m x 1 m */
    def.params.vorticity = 8;
    def.emitters[0] = billow_default_emitter(); /* a warm ball just above the floor */
    def.emitter_count = 1;

    /* 2. The simulation. This call allocates all memory, or fails with a message. */
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL) {
        fprintf(stderr, "headless: %s\n", error.text);
        return 1;
    }
    printf("%zu bytes a cell, %d threads, %s\n",
           billow_bytes(sim) / ((size_t)def.nx * (size_t)def.ny * (size_t)def.nz),
           billow_threads(sim), billow_simd());

    /* 3. One step per frame. The solver cuts a step into substeps if the flow is fast. A game would
     * call billow_advance(sim, seconds_of_its_clock, 1.0 / 60, 4) instead. */
    printf("  time   smoke m3   speed m/s   divergence 1/s   ms/step\n");
    for (int frame = 1; frame <= 120; frame++) {
        billow_step(sim, 1.0 / 60);
        if (frame % 15 == 0) {
            BillowStats stats = billow_stats(sim);
            printf("%6.2f   %8.5f   %9.3f   %14.2e   %7.2f\n", stats.time, stats.mass,
                   stats.speed_max, stats.divergence_max, billow_profile(sim).total_ms);
        }
    }

    /* 4. The fields. A view is valid until the next call that changes the simulation. */
    BillowView view = billow_view(sim);
    bool written = write_slice(&view, path);
    if (written)
        printf("hash %016llx, slice in %s\n", (unsigned long long)billow_state_hash(sim), path);
    else
        fprintf(stderr, "headless: '%s' could not be written\n", path);
    billow_destroy(sim);
    return written ? 0 : 1;
}
