/* SPDX-License-Identifier: MIT
 *
 * A renderer of your own that reads a BillowView: the smoke from the front, without perspective.
 *
 *     own_renderer [FILE.ppm]
 *
 * Each pixel is one ray along z through the centres of a column of cells. From front to back, each
 * cell adds the light that it scatters and dims what lies behind (Beer and Lambert; Max 1995):
 *
 *     alpha = 1 - exp(-extinction * density * cell_size)
 *     light += seen * alpha * (sun that reaches the cell);   seen *= 1 - alpha
 *
 * The sun stands straight above. The depth between a cell and the sun is the same kind of sum along
 * y, accumulated from the ceiling down, row by row. */
#include <billow/billow.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float extinction = 30; /* 1/m of density 1: thick white smoke */

typedef struct Picture {
    int width, height;
    float *rgb; /* linear, top row first */
} Picture;

/* Draws the pixels of row j. above[i + k * nx] is the optical depth from the ceiling to that row.
 */
static void draw_row(const BillowView *view, int j, float *above, float *rgb)
{
    static const float sun[3] = {1.0f, 0.93f, 0.82f}, sky[3] = {0.16f, 0.22f, 0.32f};
    for (int i = 0; i < view->nx; i++) {
        float seen = 1, light[3] = {0, 0, 0};
        for (int k = view->nz - 1; k >= 0; k--) { /* z points towards the viewer */
            float density = view->density[i + j * view->stride_y + k * view->stride_z];
            float depth = extinction * density * view->cell_size;
            float *shade = above + i + (size_t)k * (size_t)view->nx;
            float sunlight = expf(-(*shade + 0.5f * depth));
            float alpha = 1 - expf(-depth);
            for (int c = 0; c < 3; c++)
                light[c] += seen * alpha * (sun[c] * sunlight + sky[c]);
            seen *= 1 - alpha;
            *shade += depth;
        }
        for (int c = 0; c < 3; c++) /* the background, dimmed */
            rgb[3 * i + c] = light[c] + seen * sky[c] * (0.3f + 0.7f * (float)j / (float)view->ny);
    }
}

static bool write_ppm(const Picture *picture, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fprintf(file, "P6\n%d %d\n255\n", picture->width, picture->height);
    for (size_t n = 0; n < 3 * (size_t)picture->width * (size_t)picture->height; n++) {
        float encoded = powf(fminf(picture->rgb[n], 1), 1 / 2.2f); /* the gamma of a screen */
        fputc((int)(255 * encoded + 0.5f), file);
    }
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

static bool render(const BillowView *view, const char *path)
{
    size_t nx = (size_t)view->nx, ny = (size_t)view->ny, nz = (size_t)view->nz;
    Picture picture = {view->nx, view->ny, calloc(3 * nx * ny, sizeof(float))};
    float *above = calloc(nx * nz, sizeof *above);
    bool written = false;
    if (picture.rgb != NULL && above != NULL) {
        for (int j = view->ny - 1; j >= 0; j--)
            draw_row(view, j, above, picture.rgb + 3 * nx * (ny - 1 - (size_t)j));
        written = write_ppm(&picture, path);
    }
    free(above);
    free(picture.rgb);
    return written;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "own_renderer.ppm";
    BillowDef def = billow_default_def();
    def.nx = def.nz = 48;
    def.ny = 72;
    def.cell_size = 1.0f / 48;
    def.params.vorticity = 8;
    def.params.advection = BILLOW_CONSERVATIVE_SMOOTH; /* keeps the edges of smoke */
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].noise = 1.5f; /* flicker breaks the plume up */
    def.emitters[0].smoke = 3;
    def.emitter_count = 1;
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL) {
        fprintf(stderr, "own_renderer: %s\n", error.text);
        return 1;
    }
    for (int frame = 0; frame < 150; frame++)
        billow_step(sim, 1.0 / 60);

    /* Read-only and without a copy: draw before the next step. */
    BillowView view = billow_view(sim);
    bool written = render(&view, path);
    billow_destroy(sim);
    if (!written)
        fprintf(stderr, "own_renderer: '%s' could not be written\n", path);
    else
        printf("%d x %d pixels in %s\n", def.nx, def.ny, path);
    return written ? 0 : 1;
}
