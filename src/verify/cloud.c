/* SPDX-License-Identifier: MIT
 * Compares the multiply scattered light of a cloud with a path tracer. */
#include "camera.h"
#include "path_tracer.h"
#include "smoke_bench.h"

#include <string.h>

enum { CLOUD = 32 };

/* Fills the box with a bumpy ball. At its edge, the density falls to 0 over about three cells. */
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
    double albedo, mean_cosine;
    double extinction;              /* extinction at density 1, per cell */
    double sun, sky;                /* irradiance of the sun, radiance of the sky */
    double back_share, back_cosine; /* second lobe: share of scattered light, mean cosine */
    double lamp;                    /* intensity, m2 */
    float lamp_at[3];               /* position, cells */
} Sky;

/* Radius within which the irradiance of a lamp is constant, cells. The path tracer's estimate of a
 * point lamp would have an infinite variance. */
#define LAMP 1.5f

static bool light_cloud(VerifyRun *run, Bench *bench, const Sky *sky)
{
    RenderSettings *settings = &bench->settings;
    settings->sun = (RenderSun){40, 45, (float)sky->sun, {1, 1, 1}};
    settings->sky = (RenderSky){(float)sky->sky, {1, 1, 1}, {1, 1, 1}};
    settings->ground =
        (RenderGround){sky->sun == 0.0, {1, 1, 1}}; /* without a sun, it is as bright as the sky */
    settings->lamp_count = sky->lamp > 0;
    settings->lamps[0] =
        (RenderLamp){.color = {1, 1, 1}, .intensity = (float)sky->lamp, .radius = LAMP};
    memcpy(settings->lamps[0].position, sky->lamp_at, sizeof sky->lamp_at);
    settings->smoke.extinction = (float)sky->extinction;
    settings->smoke.anisotropy = (float)sky->mean_cosine;
    settings->smoke.backscatter = (float)sky->back_share;
    settings->smoke.back_anisotropy = (float)sky->back_cosine;
    bench_albedo(bench, sky->albedo);
    return bench_light(run, bench);
}

/* Camera for a square picture of the cloud from one of three sides. */
static RenderCamera cloud_camera(int view)
{
    static const double sides[3][3] = {{0.1, -0.1, -1}, {-0.45, -0.7, -0.55}, {0.5, -0.3, 0.8}};
    static const double middle[3] = {CLOUD / 2, CLOUD / 2, CLOUD / 2};
    const double *side = sides[view], distance = 40 * CLOUD; /* makes the rays almost parallel */
    double length = sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    const double ahead[3] = {side[0] / length, side[1] / length, side[2] / length};
    return bench_camera(middle, ahead, distance, 2 * atan(0.4 * CLOUD / distance) * 180 / PI);
}

static void run_furnace(VerifyRun *run)
{
    enum { WIDTH = 24 };
    static BenchPixel pixels[WIDTH * WIDTH];
    static const double cosines[2] = {0, 0.7};
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    if (bench == NULL)
        return;
    fill_cloud(bench);
    for (int g = 0; g < 2; g++) {
        double worst = 0, least = 1;
        if (!light_cloud(run, bench, &(Sky){1, cosines[g], 0.5, 0, 1, 0, 0, 0, {0}}))
            break;
        for (int view = 0; view < 3; view++) {
            RenderCamera camera = cloud_camera(view);
            if (!bench_draw(run, bench, &camera, WIDTH, WIDTH, pixels))
                break;
            for (int i = 0; i < WIDTH * WIDTH; i++) {
                worst = fmax(worst, fabs(pixels[i].radiance[0] + pixels[i].transmittance - 1));
                least = fmin(least, pixels[i].transmittance);
            }
        }
        row_absolute(
            run,
            row_words(run, "largest error of the radiance, 1, in the picture, g = %g", cosines[g]),
            worst, 0, 0.01);
        /* Shows that the picture is not empty. Otherwise an empty picture would pass, because its
         * radiance is 1, too. */
        row_absolute(run, row_words(run, "least transmittance in the picture, g = %g", cosines[g]),
                     least, 0, 0.01);
    }
    bench_close(bench);
}

/* Sums over the pixels of all pictures. */
typedef struct Errors {
    double traced, marched; /* radiance by the path tracer and by the renderer */
    double squares;         /* squared differences between the two radiances */
    double noise;           /* squared standard errors of the path tracer */
} Errors;

enum { EDGE = 16 }; /* width and height of the compared pictures, pixels */

static Errors compare_pixel(const RenderCamera *camera, const PathSmoke *smoke, int pixel, int view,
                            double seen, int paths)
{
    int x = pixel % EDGE, y = pixel / EDGE;
    float o[3], d[3];
    camera_ray(camera, EDGE, EDGE, (float)x + 0.5f, (float)y + 0.5f, o, d);
    const double origin[3] = {(double)o[0], (double)o[1], (double)o[2]};
    const double direction[3] = {(double)d[0], (double)d[1], (double)d[2]};
    /* For the seed, rows count from the bottom of the picture. */
    uint64_t seed = (uint64_t)(x + EDGE * (EDGE - 1 - y + EDGE * view));
    PathResult path = path_trace(smoke, origin, direction, paths, seed);
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

static void compare_view(const PathSmoke *smoke, int view, const BenchPixel *pixels, int paths,
                         Errors *sum)
{
    Errors errors[EDGE * EDGE];
    RenderCamera camera = cloud_camera(view);
#pragma omp parallel for schedule(dynamic, 1)
    for (int pixel = 0; pixel < EDGE * EDGE; pixel++)
        errors[pixel] =
            compare_pixel(&camera, smoke, pixel, view, pixels[pixel].radiance[0], paths);
    for (int pixel = 0; pixel < EDGE * EDGE; pixel++)
        add_errors(sum, &errors[pixel]);
}

static bool draw_all_sides(VerifyRun *run, Bench *bench, const Sky *sky,
                           BenchPixel pixels[3][EDGE * EDGE])
{
    bool good = light_cloud(run, bench, sky);
    for (int view = 0; view < 3 && good; view++) {
        RenderCamera camera = cloud_camera(view);
        good = bench_draw(run, bench, &camera, EDGE, EDGE, pixels[view]);
    }
    return good;
}

/* Draws the light that the cloud scatters. The picture of the lamp's own ball is drawn separately,
 * through smoke that scatters nothing, and subtracted. */
static bool draw_scattered(VerifyRun *run, Bench *bench, const Sky *sky,
                           BenchPixel pixels[3][EDGE * EDGE])
{
    static BenchPixel balls[3][EDGE * EDGE];
    Sky black = *sky;
    black.albedo = 0;
    if (!draw_all_sides(run, bench, sky, pixels))
        return false;
    if (!(sky->lamp > 0))
        return true;
    if (!draw_all_sides(run, bench, &black, balls))
        return false;
    for (int view = 0; view < 3; view++)
        for (int i = 0; i < EDGE * EDGE; i++)
            pixels[view][i].radiance[0] -= balls[view][i].radiance[0];
    return true;
}

/* Compares pictures of a cloud from three sides with the path tracer. paths: paths per pixel. off:
 * tolerated relative error of the total light. */
static void compare_cloud(VerifyRun *run, Bench *bench, const char *name, const Sky *sky, int paths,
                          double off)
{
    Errors sum = {0};
    static BenchPixel pixels[3][EDGE * EDGE];
    fill_cloud(bench);
    if (!draw_scattered(run, bench, sky, pixels))
        return;
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
    render_direction(bench->settings.sun.azimuth, bench->settings.sun.elevation, sun);
    for (int axis = 0; axis < 3; axis++) {
        smoke.sun[axis] = (double)sun[axis];
        smoke.lamp[axis] = (double)sky->lamp_at[axis];
    }
    for (int view = 0; view < 3 && !run->stopped; view++) {
        compare_view(&smoke, view, pixels[view], paths, &sum);
        run->stopped = !run->go_on(run->context, (view + 1) / 3.0);
    }
    if (run->stopped)
        return;
    double mean = sum.traced / (3 * EDGE * EDGE);
    double error = sqrt(fmax(sum.squares - sum.noise, 0) / (3 * EDGE * EDGE)) / mean;
    row_absolute(run, row_words(run, "%s: total light over the tracer's", name),
                 sum.marched / sum.traced, 1, off);
    row_report(run, row_words(run, "%s: root mean square error of a pixel over the mean", name),
               error, 0);
}

static void run_scattering(VerifyRun *run)
{
    static const struct {
        const char *name;
        Sky sky;
        int paths;
    } cases[] = {
        {"sun, albedo 0.99, g 0", {0.99, 0, 0.25, 10, 0, 0, 0, 0, {0}}, 150},
        {"sun, albedo 0.99, g 0.6", {0.99, 0.6, 0.25, 10, 0, 0, 0, 0, {0}}, 250},
        {"sun, albedo 0.95, g 0.7 and -0.3", {0.95, 0.7, 0.25, 10, 0, 0.3, -0.3, 0, {0}}, 250},
        {"sky, albedo 0.9, g 0.6", {0.9, 0.6, 0.5, 0, 1, 0, 0, 0, {0}}, 100},
    };
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    if (bench == NULL)
        return;
    for (size_t c = 0; c < sizeof cases / sizeof *cases && verify_going(run); c++)
        compare_cloud(run, bench, cases[c].name, &cases[c].sky, cases[c].paths, 0.05);
    bench_close(bench);
}

/* A lamp beside the cloud, and a lamp inside it. */
static void run_lamp_cloud(VerifyRun *run)
{
    static const struct {
        const char *name;
        double albedo, cosine, extinction;
        float at[3];
        double off; /* tolerated relative error of the total light */
    } cases[] = {
        {"beside, albedo 0.95, g 0.4", 0.95, 0.4, 0.25, {-2, 20, 10}, 0.05},
        {"beside, albedo 0.95, g 0.7", 0.95, 0.7, 0.25, {-2, 20, 10}, 0.05},
        {"inside, albedo 0.95, g 0", 0.95, 0, 0.25, {18, 14, 15}, 0.05},
        {"inside, albedo 0.95, g 0.4", 0.95, 0.4, 0.25, {18, 14, 15}, 0.05},
        {"inside, albedo 0.95, g 0.7", 0.95, 0.7, 0.25, {18, 14, 15}, 0.05},
        {"deep inside, albedo 0.95, g 0.4", 0.95, 0.4, 0.5, {18, 14, 15}, 0.1},
        {"inside thin smoke, albedo 0.95, g 0.4", 0.95, 0.4, 0.1, {18, 14, 15}, 0.05},
    };
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    if (bench == NULL)
        return;
    for (size_t c = 0; c < sizeof cases / sizeof *cases && verify_going(run); c++) {
        Sky sky = {cases[c].albedo, cases[c].cosine, cases[c].extinction, .lamp = 2000};
        memcpy(sky.lamp_at, cases[c].at, sizeof sky.lamp_at);
        compare_cloud(run, bench, cases[c].name, &sky, 1000, cases[c].off);
    }
    bench_close(bench);
}

const VerifyCase cloud_cases[] = {
    {"white-furnace", "smoke that absorbs nothing is invisible in uniform light", "Hapke 1981",
     "A cloud of optical depth 12, from three sides.", true, run_furnace},
    {"multiple-scattering", "sun and sky light of a cloud, against a path tracer",
     "Woodcock and others 1965",
     "A cloud of 32\u00b3 cells, of optical depth 6 to 12; paths by delta tracking, in double "
     "precision.",
     true, run_scattering},
    {"lamp-scattering", "light of a lamp in a cloud, against a path tracer",
     "Woodcock and others 1965",
     "The same cloud with an optical depth of 2 to 12; a lamp beside it and inside it.", true,
     run_lamp_cloud},
    {.name = NULL},
};
