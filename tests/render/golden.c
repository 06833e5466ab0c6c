/* SPDX-License-Identifier: MIT
 *
 * Compares small pictures with golden ones, which somebody checked by eye.
 *
 *     golden           draws the pictures and compares them
 *     golden --renew   draws the golden pictures again, into the sources
 *     golden --doctor  changes the golden pictures, and checks that the comparison then fails
 *
 * For a picture that differs, NAME.got.png and NAME.diff.png (eight times the difference, on grey)
 * are written. Look at each renewed picture before you commit it. With an OpenGL driver of the
 * manifest, a channel of a pixel may differ by 1 of 255, because processors approximate reciprocals
 * and roots differently. With others, the pictures must look the same (picture_compare.h). */
#define _POSIX_C_SOURCE 200809L
#include "../png_fixture.h"
#include "base/system.h"
#include "capture/capture.h"
#include "cli/command.h"
#include "picture_compare.h"
#include "render/gl/context.h"
#include "render/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 240, HIGH = 135, OVERRIDES_MAX = 8 };

typedef struct Picture {
    const char *name, *scene, *grid;
    int frames;
    bool transparent;
    const char *overrides[OVERRIDES_MAX];
} Picture;

static const Picture pictures[] = {
    {"plume", "plume", "40", 75, false, {NULL}},
    {"fire", "fire", "32", 45, false, {NULL}},
    {"sphere", "sphere", "48", 60, false, {NULL}},
    {"gases", "gases", "40", 60, false, {NULL}},
    {"transparent", "rolling-ball", "40", 45, true, {NULL}},
    {"tracers",
     "plume",
     "40",
     60,
     false,
     {"tracers.count=3000", "tracers.size=0.008", "emitters[0].tracers=1500", "tracers.glow=2",
      "surroundings.kind=gradient"}},
};

enum { PICTURES = sizeof pictures / sizeof *pictures };

/* -- what draws ---------------------------------------------------------------------------------
 */

typedef struct Means {
    char text[512]; /* names the OpenGL driver as a line of the manifest does */
} Means;

static bool find_means(Means *means)
{
    BillowError error;
    system_hush_graphics();
    RenderContext *context = render_context_open(&error);
    Renderer *renderer = context != NULL ? renderer_create(NULL, &error) : NULL;
    if (renderer != NULL) {
        RenderLimits limits = renderer_limits(renderer);
        snprintf(means->text, sizeof means->text, "%s; %s", limits.version, limits.renderer);
    } else {
        fprintf(stderr, "golden: %s\n", error.text);
    }
    bool good = renderer != NULL;
    renderer_destroy(renderer);
    render_context_close(context);
    return good;
}

static void path_to(char path[4096], const char *folder, const char *name, const char *ending)
{
    snprintf(path, 4096, "%s/%s%s", folder, name, ending);
}

static bool draw(const Picture *picture, const char *path)
{
    int count = 0;
    while (count < OVERRIDES_MAX && picture->overrides[count] != NULL)
        count++;
    const SceneRequest request = {.command = "render",
                                  .name_or_path = picture->scene,
                                  .grid = picture->grid,
                                  .overrides = picture->overrides,
                                  .override_count = count,
                                  .quiet = true};
    static SceneRun run;
    BillowError error;
    if (scene_run_open(&run, &request, CAPTURE_CELL_BYTES, &error) != STATUS_DONE) {
        fprintf(stderr, "golden: %s: %s\n", picture->name, error.text);
        return false;
    }
    Capture capture = {.run = &run,
                       .width = WIDE,
                       .height = HIGH,
                       .frames = picture->frames,
                       .fps = 30,
                       .finer = 1,
                       .transparent = picture->transparent,
                       .quiet = true,
                       .output.picture = picture_format(path)};
    bool good = output_name_parse(path, &capture.output, &error) &&
                capture_run(&capture, &error) == STATUS_DONE;
    scene_run_close(&run);
    return good;
}

/* -- the manifest --------------------------------------------------------------------------------
 */

#define MANIFEST GOLDEN_KEPT "/manifest.txt"

static bool made_with(const Means *means)
{
    char line[sizeof means->text + 2] = "";
    FILE *file = fopen(MANIFEST, "r");
    bool same = false;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        same = same || strcmp(line, means->text) == 0;
    }
    if (file != NULL)
        fclose(file);
    return same;
}

static bool write_manifest(const Means *means)
{
    FILE *file = fopen(MANIFEST, "w");
    bool good = file != NULL &&
                fprintf(file, "The pictures here were drawn with\n%s\nby `golden --renew`.\n",
                        means->text) > 0;
    return file != NULL && fclose(file) == 0 && good;
}

/* -- comparing ----------------------------------------------------------------------------------
 */

static int clamped(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void write_difference(const Image *kept, const Image *got, const char *path)
{
    Image seen;
    BillowError error;
    if (kept->width != got->width || kept->height != got->height ||
        kept->channels != got->channels ||
        !image_create(&seen, kept->width, kept->height, 3, &error))
        return;
    for (int i = 0; i < kept->width * kept->height; i++)
        for (int c = 0; c < 3; c++) {
            ptrdiff_t at = (ptrdiff_t)i * kept->channels;
            int off = got->pixels[at + c] - kept->pixels[at + c];
            if (kept->channels == 4 && off == 0)
                off = got->pixels[at + 3] - kept->pixels[at + 3];
            seen.pixels[3 * i + c] = (uint8_t)clamped(128 + 8 * off);
        }
    image_write_png(&seen, path, &error);
    image_destroy(&seen);
}

/* Reports pictures that differ, and writes them to files. */
static bool compare(const char *name, const Image *kept, const Image *got, bool alike)
{
    char got_path[4096], difference_path[4096];
    BillowError error;
    PictureDifference found = picture_compare(kept, got);
    path_to(got_path, GOLDEN_LEFT, name, ".got.png");
    path_to(difference_path, GOLDEN_LEFT, name, ".diff.png");
    if (alike ? found.largest <= 1 : picture_looks_same(&found)) {
        remove(got_path);
        remove(difference_path);
        return true;
    }
    image_write_png(got, got_path, &error);
    write_difference(kept, got, difference_path);
    printf("golden: %s has changed: by up to %d of 255; in CIELAB by %.2f on average, %.2f about "
           "(%d, %d)%s\n  got  %s\n  diff %s\n  kept %s/%s.png\n",
           name, found.largest, found.mean, found.worst, found.x, found.y,
           alike ? ", where at most 1 may differ" : "", got_path, difference_path, GOLDEN_KEPT,
           name);
    return false;
}

static bool check(const Picture *picture, bool alike)
{
    char kept_path[4096], got_path[4096];
    Image kept = {0}, got = {0};
    BillowError error;
    path_to(kept_path, GOLDEN_KEPT, picture->name, ".png");
    path_to(got_path, GOLDEN_LEFT, picture->name, ".got.png");
    bool good = draw(picture, got_path);
    if (good && (!png_read(&kept, kept_path, &error) || !png_read(&got, got_path, &error))) {
        printf("golden: %s\n", error.text);
        good = false;
    }
    good = good && compare(picture->name, &kept, &got, alike);
    image_destroy(&kept);
    image_destroy(&got);
    return good;
}

static int check_all(void)
{
    Means means;
    if (!find_means(&means))
        return 1;
    bool alike = made_with(&means);
    int changed = 0;
    printf("golden: drawn with %s: %s\n", means.text,
           alike ? "channels may differ by 1" : "must look like what was drawn with another");
    for (int i = 0; i < PICTURES; i++)
        changed += !check(&pictures[i], alike);
    if (changed > 0)
        printf("golden: where that is meant, look at each and renew them: %s --renew\n",
               GOLDEN_PROGRAM);
    return changed > 0;
}

static int renew_all(void)
{
    Means means;
    if (!find_means(&means))
        return 1;
    for (int i = 0; i < PICTURES; i++) {
        char path[4096];
        path_to(path, GOLDEN_KEPT, pictures[i].name, ".png");
        if (!draw(&pictures[i], path))
            return 1;
    }
    return !write_manifest(&means);
}

/* -- doctored pictures --------------------------------------------------------------------------
 */

/* Changes of a picture. The first changes one pixel by 2 of 255, which nobody sees. The others are
 * visible: a square of a tenth of the edge is half as bright again, the whole picture is a little
 * yellower, and the whole picture is displaced by two pixels. */
enum { DOCTORED_PIXEL, DOCTORED_PATCH, DOCTORED_TINT, DOCTORED_PLACE, DOCTORED_WAYS };

static void doctor(const Image *kept, int way, Image *out)
{
    int channels = kept->channels, width = kept->width;
    memcpy(out->pixels, kept->pixels, (size_t)width * (size_t)kept->height * (size_t)channels);
    if (way == DOCTORED_PIXEL) {
        uint8_t *pixel = out->pixels + (ptrdiff_t)(kept->height / 2 * width + width / 2) * channels;
        pixel[1] = (uint8_t)(pixel[1] > 1 ? pixel[1] - 2 : 2);
        return;
    }
    for (int y = 0; y < kept->height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = out->pixels + (ptrdiff_t)(y * width + x) * channels;
            bool patch = abs(x - width / 2) < 12 && abs(y - kept->height / 2) < 12;
            if (way == DOCTORED_PATCH && patch)
                for (int c = 0; c < 3; c++)
                    pixel[c] = (uint8_t)(pixel[c] > 128 ? pixel[c] - 16 : pixel[c] + 16);
            if (way == DOCTORED_TINT)
                pixel[2] = (uint8_t)(pixel[2] > 128 ? pixel[2] - 8 : pixel[2] + 8);
            if (way == DOCTORED_PLACE && x >= 2)
                memcpy(pixel, kept->pixels + (ptrdiff_t)(y * width + x - 2) * channels,
                       (size_t)channels);
        }
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    return file != NULL && fclose(file) == 0;
}

/* Whether a doctored picture is distinguished from the golden one, and written to a file. */
static bool is_told(const Picture *picture, const Image *kept, int way)
{
    Image doctored;
    BillowError error;
    char name[64], got_path[4096], difference_path[4096];
    if (!image_create(&doctored, kept->width, kept->height, kept->channels, &error))
        return false;
    snprintf(name, sizeof name, "doctored-%s-%d", picture->name, way);
    path_to(got_path, GOLDEN_LEFT, name, ".got.png");
    path_to(difference_path, GOLDEN_LEFT, name, ".diff.png");
    doctor(kept, way, &doctored);
    bool same = compare(name, kept, &doctored, way == DOCTORED_PIXEL);
    bool left = exists(got_path) && exists(difference_path);
    /* The comparison must not fail without reason: one pixel is not seen, and a picture equals
     * itself. */
    bool fair = way != DOCTORED_PIXEL || (compare(name, kept, &doctored, false) &&
                                          compare(name, kept, kept, true) && !exists(got_path));
    remove(got_path);
    remove(difference_path);
    image_destroy(&doctored);
    return !same && left && fair;
}

static int doctor_all(void)
{
    int passed = 0;
    for (int i = 0; i < PICTURES; i++) {
        char path[4096];
        Image kept;
        BillowError error;
        path_to(path, GOLDEN_KEPT, pictures[i].name, ".png");
        if (!png_read(&kept, path, &error)) {
            printf("golden: %s\n", error.text);
            return 1;
        }
        for (int way = 0; way < DOCTORED_WAYS; way++)
            if (!is_told(&pictures[i], &kept, way)) {
                printf("golden: %s, doctored in way %d, was taken for good\n", pictures[i].name,
                       way);
                passed++;
            }
        image_destroy(&kept);
    }
    printf("golden: all of that was doctored; %d were taken for good\n", passed);
    return passed > 0;
}

int main(int count, char **arguments)
{
    BillowError error;
    const char *asked = count > 1 ? arguments[1] : "";
    if (!system_make_folder(GOLDEN_LEFT, &error)) {
        fprintf(stderr, "golden: %s\n", error.text);
        return 1;
    }
    if (count == 1)
        return check_all();
    if (count == 2 && strcmp(asked, "--renew") == 0)
        return renew_all();
    if (count == 2 && strcmp(asked, "--doctor") == 0)
        return doctor_all();
    fprintf(stderr, "usage: golden [--renew | --doctor]\n");
    return 2;
}
