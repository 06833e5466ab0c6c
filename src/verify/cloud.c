/* SPDX-License-Identifier: MIT
 * Light that a cloud scatters many times, against a path tracer. */
#include "camera.h"
#include "cases.h"
#include "path_tracer.h"
#include "smoke_bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLOUD = 32 };

/* A ball with bumps, its edge three cells wide. */
static void fill_cloud(Bench *bench)
{
    for (int k = 0; k < CLOUD; k++)
        for (int j = 0; j < CLOUD; j++)
            for (int i = 0; i < CLOUD; i++) {
                double x = (i + 0.5) / CLOUD - 0.5, y = (j + 0.5) / CLOUD - 0.5,
                       z = (k + 0.5) / CLOUD - 0.5;
                double bump = 0.06 * sin(19 * x + 1) * sin(17 * y + 2) * sin(23 * z);
                double depth = 12 * (0.36 + bump - sqrt(x * x + y * y + z * z));
                bench->density[i + CLOUD * (j + CLOUD * k)] = (float)fmin(fmax(depth, 0), 1);
            }
}

typedef struct Sky {
    double albedo, mean_cosine, extinction; /* per cell */
    double sun, sky;
    double back_share, back_cosine; /* of a second lobe */
    double lamp;                    /* its intensity, m2 */
    float lamp_at[3];
} Sky;

/* Cells within which a lamp's light grows no further: that of a point has no variance for the
 * tracer.
 */
#define LAMP 1.5f

static bool light_cloud(VerifyRun *run, Bench *bench, const Sky *sky)
{
    RenderSettings *settings = &bench->settings;
    settings->sun = (RenderSun){40, 45, (float)sky->sun, {1, 1, 1}};
    settings->sky = (RenderSky){(float)sky->sky, {1, 1, 1}, {1, 1, 1}};
    settings->ground = (RenderGround){sky->sun == 0.0, {1, 1, 1}}; /* as bright as the sky, then */
    settings->lamp_count = sky->lamp > 0;
    settings->lamps[0] =
        (RenderLamp){.color = {1, 1, 1}, .intensity = (float)sky->lamp, .radius = LAMP};
    memcpy(settings->lamps[0].position, sky->lamp_at, sizeof sky->lamp_at);
    settings->smoke.extinction = (float)sky->extinction;
    settings->smoke.anisotropy = (float)sky->mean_cosine;
    settings->smoke.backscatter = (float)sky->back_share;
    settings->smoke.back_anisotropy = (float)sky->back_cosine;
    for (int c = 0; c < 3; c++)
        settings->smoke.albedo[c] = (float)sky->albedo;
    return bench_light(run, bench);
}

/* The ray through pixel (x, y) of a square picture of the cloud, from afar. */
static void cloud_ray(int view, int x, int y, int edge, Vec3 *origin, Vec3 *direction)
{
    static const float ways[3][3] = {
        {0.1f, -0.1f, -1}, {-0.45f, -0.7f, -0.55f}, {0.5f, -0.3f, 0.8f}};
    Vec3 d = vec3_unit(vec3_from(ways[view]));
    Vec3 right = vec3_unit(vec3(-d.z, 0, d.x));
    Vec3 up = {right.y * d.z - right.z * d.y, right.z * d.x - right.x * d.z,
               right.x * d.y - right.y * d.x};
    float a = (((float)x + 0.5f) / (float)edge - 0.5f) * 0.8f * CLOUD;
    float b = (((float)y + 0.5f) / (float)edge - 0.5f) * 0.8f * CLOUD;
    Vec3 middle = {CLOUD / 2, CLOUD / 2, CLOUD / 2};
    *direction = d;
    *origin = vec3_along(vec3_along(vec3_along(middle, right, a), up, b), d, -1.5f * CLOUD);
}

static void run_furnace(VerifyRun *run)
{
    enum { WIDTH = 24 };
    static const double cosines[2] = {0, 0.7};
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    if (bench == NULL)
        return;
    fill_cloud(bench);
    for (int g = 0; g < 2; g++) {
        double worst = 0, least = 1;
        char what[80];
        if (!light_cloud(run, bench, &(Sky){1, cosines[g], 0.5, 0, 1, 0, 0, 0, {0}}))
            break;
        for (int pixel = 0; pixel < 3 * WIDTH * WIDTH; pixel++) {
            Vec3 origin, direction;
            cloud_ray(pixel / (WIDTH * WIDTH), pixel % WIDTH, pixel / WIDTH % WIDTH, WIDTH, &origin,
                      &direction);
            Marched seen = bench_march(bench, origin, direction);
            worst = fmax(worst, fabs((double)(seen.radiance.x + seen.transmittance) - 1));
            least = fmin(least, (double)seen.transmittance);
        }
        snprintf(what, sizeof what, "radiance of all less 1, at worst, g = %g", cosines[g]);
        row_absolute(run, what, worst, 0, 0.01);
        /* Nothing at all would not show either. */
        snprintf(what, sizeof what, "transmittance, at least, g = %g", cosines[g]);
        row_absolute(run, what, least, 0, 0.01);
    }
    bench_close(bench);
}

/* Of a picture against the tracer's. */
typedef struct Errors {
    double traced, marched; /* sums of radiance */
    double squares, noise;  /* sums of squares of differences, and of the tracer's own errors */
} Errors;

enum { EDGE = 16 }; /* pixels of the pictures compared */

static Errors compare_pixel(const Bench *bench, const PathSmoke *smoke, int view, int x, int y,
                            int paths)
{
    Vec3 o, d;
    cloud_ray(view, x, y, EDGE, &o, &d);
    const double origin[3] = {(double)o.x, (double)o.y, (double)o.z};
    const double direction[3] = {(double)d.x, (double)d.y, (double)d.z};
    PathResult path =
        path_trace(smoke, origin, direction, paths, (uint64_t)(x + EDGE * (y + EDGE * view)));
    double seen = (double)bench_march(bench, o, d).radiance.x;
    return (Errors){path.radiance, seen, (seen - path.radiance) * (seen - path.radiance),
                    path.error * path.error};
}

static void add_errors(Errors *sum, const Errors *part)
{
    sum->traced += part->traced;
    sum->marched += part->marched;
    sum->squares += part->squares;
    sum->noise += part->noise;
}

static Errors compare_view(const Bench *bench, const PathSmoke *smoke, int view, int paths)
{
    Errors pixels[EDGE * EDGE], sum = {0};
#pragma omp parallel for schedule(dynamic, 1)
    for (int pixel = 0; pixel < EDGE * EDGE; pixel++)
        pixels[pixel] = compare_pixel(bench, smoke, view, pixel % EDGE, pixel / EDGE, paths);
    for (int pixel = 0; pixel < EDGE * EDGE; pixel++)
        add_errors(&sum, &pixels[pixel]);
    return sum;
}

/* Three sides of a cloud, against as many paths a pixel; off: by what share all of its light may be
 * too much or too little. */
static void compare_cloud(VerifyRun *run, const char *name, const Sky *sky, int paths, double off)
{
    char what[96];
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    Errors sum = {0};
    if (bench == NULL)
        return;
    fill_cloud(bench);
    if (light_cloud(run, bench, sky)) {
        PathSmoke smoke = {.n = {CLOUD, CLOUD, CLOUD},
                           .density = bench->density,
                           .extinction = sky->extinction,
                           .albedo = sky->albedo,
                           .mean_cosine = sky->mean_cosine,
                           .back_share = sky->back_share,
                           .back_cosine = sky->back_cosine,
                           .sun_irradiance = sky->sun,
                           .lamp_intensity = sky->lamp,
                           .lamp_radius = (double)LAMP,
                           .sky = sky->sky};
        float sun[3];
        camera_direction(bench->settings.sun.azimuth, bench->settings.sun.elevation, sun);
        for (int axis = 0; axis < 3; axis++) {
            smoke.sun[axis] = (double)sun[axis];
            smoke.lamp[axis] = (double)sky->lamp_at[axis];
        }
        for (int view = 0; view < 3 && !run->stopped; view++) {
            Errors errors = compare_view(bench, &smoke, view, paths);
            add_errors(&sum, &errors);
            run->stopped = !run->go_on(run->context, (view + 1) / 3.0);
        }
    }
    bench_close(bench);
    if (run->stopped || run->failed)
        return;
    double mean = sum.traced / (3 * EDGE * EDGE);
    double error = sqrt(fmax(sum.squares - sum.noise, 0) / (3 * EDGE * EDGE)) / mean;
    snprintf(what, sizeof what, "%s: light of the whole, over the tracer's", name);
    row_absolute(run, what, sum.marched / sum.traced, 1, off);
    snprintf(what, sizeof what, "%s: root mean square error of a pixel, over the mean", name);
    row_report(run, what, error, 0);
}

static void run_scattering(VerifyRun *run)
{
    compare_cloud(run, "sun, albedo 0.99, g 0", &(Sky){0.99, 0, 0.25, 10, 0, 0, 0, 0, {0}}, 150,
                  0.05);
    compare_cloud(run, "sun, albedo 0.99, g 0.6", &(Sky){0.99, 0.6, 0.25, 10, 0, 0, 0, 0, {0}}, 250,
                  0.05);
    compare_cloud(run, "sun, albedo 0.95, g 0.7 and -0.3",
                  &(Sky){0.95, 0.7, 0.25, 10, 0, 0.3, -0.3, 0, {0}}, 250, 0.05);
    compare_cloud(run, "sky, albedo 0.9, g 0.6", &(Sky){0.9, 0.6, 0.5, 0, 1, 0, 0, 0, {0}}, 100,
                  0.05);
}

/* Of a lamp: beside the cloud, and within. */
static void run_lamp_cloud(VerifyRun *run)
{
    static const struct {
        const char *name;
        double albedo, cosine, extinction;
        float at[3];
        double off; /* that it may be */
    } cases[] = {
        {"beside, albedo 0.95, g 0.4", 0.95, 0.4, 0.25, {-2, 20, 10}, 0.05},
        {"beside, albedo 0.95, g 0.7", 0.95, 0.7, 0.25, {-2, 20, 10}, 0.05},
        {"within, albedo 0.95, g 0", 0.95, 0, 0.25, {18, 14, 15}, 0.05},
        {"within, albedo 0.95, g 0.4", 0.95, 0.4, 0.25, {18, 14, 15}, 0.05},
        {"within, albedo 0.95, g 0.7", 0.95, 0.7, 0.25, {18, 14, 15}, 0.05},
        {"deep within, albedo 0.95, g 0.4", 0.95, 0.4, 0.5, {18, 14, 15}, 0.1},
        {"within thin smoke, albedo 0.95, g 0.4", 0.95, 0.4, 0.1, {18, 14, 15}, 0.05},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases && !run->stopped && !run->failed; c++) {
        Sky sky = {cases[c].albedo, cases[c].cosine, cases[c].extinction, .lamp = 2000};
        memcpy(sky.lamp_at, cases[c].at, sizeof sky.lamp_at);
        compare_cloud(run, cases[c].name, &sky, 300, cases[c].off);
    }
}

const VerifyCase cloud_cases[] = {
    {"white-furnace", "Smoke that absorbs nothing does not show in even light", "Hapke 1981",
     "A cloud 12 units deep, three sides.", true, run_furnace},
    {"multiple-scattering", "A cloud's light, scattered many times, against a path tracer",
     "Woodcock and others 1965",
     "A cloud of 32 cubed cells, 6 to 12 units deep; paths by delta tracking, in double precision.",
     true, run_scattering},
    {"lamp-scattering", "A lamp's light in a cloud, scattered many times, against a path tracer",
     "Woodcock and others 1965", "The same cloud, 2 to 12 units deep; a lamp beside it and within.",
     true, run_lamp_cloud},
    {0},
};
