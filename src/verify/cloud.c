/* SPDX-License-Identifier: MIT
 * Compares the multiply scattered light of a cloud with a path tracer. */
#include "base/number.h"
#include "render/frame/camera.h"
#include "render/light/blackbody.h"
#include "verify/path_tracer.h"
#include "verify/smoke_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOUD = 32 };

typedef enum Shape {
    CLOUD_BUMPY, /* a bumpy ball, at whose edge the density falls to 0 over about three cells */
    CLOUD_CUBE,  /* a cube of 24 cells with sharp edges */
    CLOUD_BOX,   /* fills the grid */
} Shape;

/* Smoke and its light. */
typedef struct Cloud {
    Shape shape;
    double albedo, mean_cosine;
    double extinction;              /* at density 1, per cell */
    double back_share, back_cosine; /* second lobe: share of scattered light, mean cosine */
    float color[3];                 /* of the smoke; 0: white */
    bool by_ramp;             /* whether a ramp gives the colour at density 1, and white at 0 */
    bool by_albedo;           /* whether the albedo has the colour, rather than the smoke */
    double sun;               /* irradiance */
    double zenith, horizon;   /* radiance of the sky */
    bool furnace;             /* whether the ground is as bright as the sky */
    double ground;            /* albedo of the ground */
    double lamp;              /* intensity, m2 */
    float lamp_at[3];         /* position, cells */
    float azimuth, elevation; /* of the sun, degrees; 0: 40 and 45 */
    double hot;               /* temperature of a ball inside, K above ambient */
    double glow;
} Cloud;

/* Radius within which the irradiance of a lamp is constant, cells. The path tracer's estimate of a
 * point lamp would have an infinite variance. */
#define LAMP 1.5f

static double density_of(Shape shape, int i, int j, int k)
{
    double x = (i + 0.5) / CLOUD - 0.5, y = (j + 0.5) / CLOUD - 0.5, z = (k + 0.5) / CLOUD - 0.5;
    if (shape == CLOUD_BOX)
        return 1;
    if (shape == CLOUD_CUBE)
        return fmax(fmax(fabs(x), fabs(y)), fabs(z)) < 12.0 / CLOUD;
    double bump = 0.06 * sin(19 * x + 1) * sin(17 * y + 2) * sin(23 * z);
    double depth = 12 * (0.36 + bump - sqrt(x * x + y * y + z * z));
    return fmin(fmax(depth, 0), 1);
}

/* Share of the largest temperature: a ball that turns cold within eight cells. */
static double heat_of(int i, int j, int k)
{
    double x = (i + 0.5) / CLOUD - 0.5, y = (j + 0.5) / CLOUD - 0.5, z = (k + 0.5) / CLOUD - 0.5;
    return fmin(fmax(4 * (0.34 - sqrt(x * x + y * y + z * z)), 0), 1);
}

/* Colours of hot soot, and the factor on their radiance. */
typedef struct Glow {
    float table[4 * BLACKBODY_ENTRIES];
    double factor;
} Glow;

/* Radiance of red light at a temperature above ambient. context: a Glow. */
static double red_glow(const void *context, double kelvin)
{
    const Glow *glow = context;
    const float *table = glow->table;
    double place =
        (double)blackbody_place((float)kelvin + BLACKBODY_AMBIENT) * (BLACKBODY_ENTRIES - 1);
    place = fmin(fmax(place, 0), BLACKBODY_ENTRIES - 1.001);
    int entry = (int)place;
    double share = place - entry;
    return glow->factor *
           ((1 - share) * (double)table[4 * entry] + share * (double)table[4 * entry + 4]);
}

static bool has_color(const Cloud *cloud)
{
    return cloud->color[0] > 0;
}

static void fill_cloud(Bench *bench, const Cloud *cloud)
{
    enum { CELLS = CLOUD * CLOUD * CLOUD };
    static float color[3][CELLS];
    for (int i = 0; i < CELLS; i++) {
        int x = i % CLOUD, y = i / CLOUD % CLOUD, z = i / (CLOUD * CLOUD);
        bench->temperature[i] = (float)(cloud->hot * heat_of(x, y, z));
        bench->density[i] = (float)density_of(cloud->shape, x, y, z);
        for (int c = 0; c < 3; c++)
            color[c][i] = bench->density[i] * cloud->color[c];
    }
    for (int c = 0; c < 3; c++)
        bench->view.color[c] =
            has_color(cloud) && !cloud->by_albedo && !cloud->by_ramp ? color[c] : NULL;
}

static bool light_cloud(VerifyRun *run, Bench *bench, const Cloud *cloud)
{
    RenderSettings *settings = &bench->settings;
    float zenith = (float)cloud->zenith, horizon = (float)cloud->horizon;
    settings->sun = (RenderSun){40, 45, (float)cloud->sun, {1, 1, 1}};
    if (cloud->azimuth != 0.0f) {
        settings->sun.azimuth = cloud->azimuth;
        settings->sun.elevation = cloud->elevation;
    }
    settings->sky = (RenderSky){1, {zenith, zenith, zenith}, {horizon, horizon, horizon}};
    settings->ground = (RenderGround){
        cloud->furnace, {1, 1, 1}, 0}; /* without a sun, it is as bright as the sky */
    if (cloud->ground > 0)
        settings->ground = (RenderGround){
            true, {(float)cloud->ground, (float)cloud->ground, (float)cloud->ground}, 0};
    settings->lamp_count = cloud->lamp > 0;
    settings->lamps[0] =
        (RenderLamp){.color = {1, 1, 1}, .intensity = (float)cloud->lamp, .radius = LAMP};
    memcpy(settings->lamps[0].position, cloud->lamp_at, sizeof cloud->lamp_at);
    settings->smoke.extinction = (float)cloud->extinction;
    settings->smoke.glow = (float)cloud->glow;
    settings->smoke.anisotropy = (float)cloud->mean_cosine;
    settings->smoke.backscatter = (float)cloud->back_share;
    settings->smoke.back_anisotropy = (float)cloud->back_cosine;
    bench_albedo(bench, cloud->albedo);
    for (int c = 0; c < 3 && cloud->by_albedo; c++)
        settings->smoke.albedo[c] *= cloud->color[c];
    settings->smoke_ramp = (RenderRamp){
        .high = 1, .stops = {{0, {1, 1, 1}}, {1, {1, 1, 1}}}, .stop_count = 2 * cloud->by_ramp};
    memcpy(settings->smoke_ramp.stops[1].color, cloud->color, sizeof cloud->color);
    fill_cloud(bench, cloud);
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
    for (int g = 0; g < 2; g++) {
        double worst = 0, least = 1;
        Cloud cloud = {.albedo = 1,
                       .mean_cosine = cosines[g],
                       .extinction = 0.5,
                       .zenith = 1,
                       .horizon = 1,
                       .furnace = true};
        if (!light_cloud(run, bench, &cloud))
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

enum { EDGE = 16, PIXELS = 3 * EDGE * EDGE, QUARTERS = 4 }; /* pictures of EDGE x EDGE pixels */

/* Light of a pixel in one colour. */
typedef struct Compared {
    double marched, traced; /* radiance by the renderer and by the path tracer */
    double transmittance;
} Compared;

static int darker(const void *a, const void *b)
{
    const Compared *x = a, *y = b;
    return (x->marched > y->marched) - (x->marched < y->marched);
}

/* Renderer's light over the path tracer's, in pixels `from` to to - 1. */
static double ratio(const Compared *pixels, int from, int to)
{
    double marched = 0, traced = 0;
    for (int i = from; i < to; i++) {
        marched += pixels[i].marched;
        traced += pixels[i].traced;
    }
    return marched / traced;
}

/* Adds rows for the total light, and for the quarter of the pixels that differs most. The quarters
 * are those of the renderer's brightness, among pixels in which smoke shows. */
static void row_light(VerifyRun *run, const char *name, Compared *pixels, double off,
                      double quarter_off)
{
    int count = 0;
    double worst = 1;
    for (int i = 0; i < PIXELS; i++)
        if (pixels[i].transmittance < 0.95)
            pixels[count++] = pixels[i];
    qsort(pixels, (size_t)count, sizeof *pixels, darker);
    row_absolute(run, row_words(run, "%s: total light over the tracer's", name),
                 ratio(pixels, 0, count), 1, off);
    for (int q = 0; q < QUARTERS; q++) {
        double now = ratio(pixels, count * q / QUARTERS, count * (q + 1) / QUARTERS);
        worst = fabs(now - 1) > fabs(worst - 1) ? now : worst;
    }
    const char *words = row_words(run, "%s: light of the worst quarter of the pixels", name);
    if (isinf(quarter_off))
        row_report(run, words, worst, 1);
    else
        row_absolute(run, words, worst, 1, quarter_off);
}

static void trace_pixel(const PathSmoke *smoke, int view, int pixel, int paths, Compared *of)
{
    RenderCamera camera = cloud_camera(view);
    int x = pixel % EDGE, y = pixel / EDGE;
    float o[3], d[3];
    camera_ray(&camera, EDGE, EDGE, (float)x + 0.5f, (float)y + 0.5f, o, d);
    const double origin[3] = {(double)o[0], (double)o[1], (double)o[2]};
    const double direction[3] = {(double)d[0], (double)d[1], (double)d[2]};
    /* For the seed, rows count from the bottom of the picture. */
    uint64_t seed = (uint64_t)(x + EDGE * (EDGE - 1 - y + EDGE * view));
    of->traced = path_trace(smoke, origin, direction, paths, seed);
}

static bool draw_all_sides(VerifyRun *run, Bench *bench, const Cloud *cloud,
                           BenchPixel pixels[PIXELS])
{
    bool good = light_cloud(run, bench, cloud);
    for (int view = 0; view < 3 && good; view++) {
        RenderCamera camera = cloud_camera(view);
        good = bench_draw(run, bench, &camera, EDGE, EDGE, pixels + view * EDGE * EDGE);
    }
    return good;
}

/* Draws the light that the cloud scatters. The picture of the lamp's own ball is drawn separately,
 * through smoke that scatters nothing, and subtracted. */
static bool draw_scattered(VerifyRun *run, Bench *bench, const Cloud *cloud,
                           BenchPixel pixels[PIXELS])
{
    static BenchPixel balls[PIXELS];
    Cloud black = *cloud;
    black.albedo = 0;
    if (!draw_all_sides(run, bench, cloud, pixels))
        return false;
    if (!(cloud->lamp > 0))
        return true;
    if (!draw_all_sides(run, bench, &black, balls))
        return false;
    for (int i = 0; i < PIXELS; i++)
        pixels[i].radiance[0] -= balls[i].radiance[0];
    return true;
}

static PathSmoke path_smoke(const Bench *bench, const Cloud *cloud, int color)
{
    static Glow glow;
    static RampTable tint;
    PathSmoke smoke = {.n = {CLOUD, CLOUD, CLOUD},
                       .density = bench->density,
                       .extinction = cloud->extinction,
                       .albedo = cloud->albedo,
                       .mean_cosine = cloud->mean_cosine,
                       .back_share = cloud->back_share,
                       .back_cosine = cloud->back_cosine,
                       .sun_irradiance = cloud->sun,
                       .lamp_intensity = cloud->lamp,
                       .lamp_radius = (double)LAMP,
                       .zenith = cloud->zenith,
                       .horizon = cloud->horizon,
                       .ground = cloud->ground,
                       .below = cloud->furnace ? cloud->zenith : cloud->horizon / 2,
                       .temperature = cloud->hot > 0 ? bench->temperature : NULL,
                       .glow = red_glow,
                       .glow_context = &glow};
    const RenderSmoke *look = &bench->settings.smoke;
    blackbody_table((BlackbodyScale){look->glow_kelvin, look->glow_range}, glow.table);
    glow.factor = cloud->glow;
    float sun[3];
    render_direction(bench->settings.sun.azimuth, bench->settings.sun.elevation, sun);
    for (int axis = 0; axis < 3; axis++) {
        smoke.sun[axis] = (double)sun[axis];
        smoke.lamp[axis] = (double)cloud->lamp_at[axis];
    }
    tint = render_ramp_table(&bench->settings.smoke_ramp);
    if (cloud->by_ramp) {
        smoke.tint = &tint;
        smoke.color = color;
    } else if (has_color(cloud))
        smoke.albedo *= (double)cloud->color[color];
    return smoke;
}

/* Traces the pictures from three sides. Returns false if the run was stopped. */
static bool trace_all_sides(VerifyRun *run, const PathSmoke *smoke, const BenchPixel *drawn,
                            int color, int paths, Compared pixels[PIXELS])
{
    for (int view = 0; view < 3 && !run->stopped; view++) {
#pragma omp parallel for schedule(dynamic, 1)
        for (int i = 0; i < EDGE * EDGE; i++) {
            Compared *of = &pixels[view * EDGE * EDGE + i];
            const BenchPixel *seen = &drawn[view * EDGE * EDGE + i];
            trace_pixel(smoke, view, i, paths, of);
            of->marched = seen->radiance[color];
            of->transmittance = seen->transmittance;
        }
        run->stopped = !run->go_on(run->context, (view + 1) / 3.0);
    }
    return !run->stopped;
}

/* Compares pictures of a cloud from three sides with the path tracer, for white smoke in one colour
 * of light. paths: paths per pixel. off, quarter_off: tolerated relative errors of the light of all
 * pixels and of a quarter. */
static void compare_cloud(VerifyRun *run, Bench *bench, const char *name, const Cloud *cloud,
                          int paths, double off, double quarter_off)
{
    static BenchPixel drawn[PIXELS];
    static Compared pixels[PIXELS];
    if (!draw_scattered(run, bench, cloud, drawn))
        return;
    for (int color = 0; color < (has_color(cloud) ? 3 : 1); color++) {
        char words[64];
        PathSmoke smoke = path_smoke(bench, cloud, color);
        if (!trace_all_sides(run, &smoke, drawn, color, paths, pixels))
            return;
        if (has_color(cloud))
            number_print(words, sizeof words, "%s, %g", name, (double)cloud->color[color]);
        else
            snprintf(words, sizeof words, "%s", name);
        row_light(run, words, pixels, off, quarter_off);
    }
}

typedef struct NamedCloud {
    const char *name;
    Cloud cloud;
    int paths;
} NamedCloud;

/* off, quarter_off: as for compare_cloud. */
static void compare_clouds(VerifyRun *run, const NamedCloud *clouds, size_t count, double off,
                           double quarter_off)
{
    Bench *bench = bench_open(run, CLOUD, CLOUD, CLOUD);
    if (bench == NULL)
        return;
    for (size_t c = 0; c < count && verify_going(run); c++)
        compare_cloud(run, bench, clouds[c].name, &clouds[c].cloud, clouds[c].paths, off,
                      quarter_off);
    bench_close(bench);
}

static void run_scattering(VerifyRun *run)
{
    static const NamedCloud clouds[] = {
        {"sun, albedo 0.99, g 0", {CLOUD_BUMPY, 0.99, 0, 0.25, .sun = 10}, 800},
        {"sun, albedo 0.99, g 0.6", {CLOUD_BUMPY, 0.99, 0.6, 0.25, .sun = 10}, 1600},
        {"sun, albedo 0.95, g 0.7 and -0.3",
         {CLOUD_BUMPY, 0.95, 0.7, 0.25, 0.3, -0.3, .sun = 10},
         1600},
        {"sky, albedo 0.9, g 0.6",
         {CLOUD_BUMPY, 0.9, 0.6, 0.5, .zenith = 1, .horizon = 1, .furnace = true},
         400},
        {"sky above, albedo 0.9, g 0.3",
         {CLOUD_BUMPY, 0.9, 0.3, 0.5, .zenith = 0.2, .horizon = 2},
         400},
        {"over the ground, sun, g 0.3",
         {CLOUD_BUMPY, 0.95, 0.3, 0.25, .sun = 10, .ground = 0.7},
         800},
        {"over the ground, sky, g 0",
         {CLOUD_BUMPY, 0.95, 0, 0.5, .zenith = 1, .horizon = 2, .ground = 0.7},
         800},
        {"hot core, albedo 0.4, g 0",
         {CLOUD_BUMPY, 0.4, 0, 0.25, .sun = 1, .hot = 1500, .glow = 1},
         2500},
        {"hot core, albedo 0.8, g 0", {CLOUD_BUMPY, 0.8, 0, 0.25, .hot = 1500, .glow = 1}, 2500},
        {"cube, albedo 0.99, g 0", {CLOUD_CUBE, 0.99, 0, 10.0 / 24, .sun = 10}, 800},
        {"box, albedo 0.99, g 0", {CLOUD_BOX, 0.99, 0, 10.0 / 32, .sun = 10}, 800},
    };
    /* Light that smoke has scattered ahead several times is followed less exactly. */
    static const NamedCloud ahead[] = {
        {"low sun, albedo 0.95, g 0.7 and -0.3",
         {CLOUD_BUMPY, 0.95, 0.7, 0.25, 0.3, -0.3, .sun = 10, .azimuth = 185, .elevation = 12},
         1600},
        {"low sun, albedo 0.99, g 0.3",
         {CLOUD_BUMPY, 0.99, 0.3, 0.5, .sun = 10, .azimuth = 185, .elevation = 12},
         1600},
        {"low sun, albedo 0.99, g 0.6",
         {CLOUD_BUMPY, 0.99, 0.6, 0.25, .sun = 10, .azimuth = 185, .elevation = 12},
         1600},
        {"high sun, albedo 0.95, g 0.6",
         {CLOUD_BUMPY, 0.95, 0.6, 0.5, .sun = 10, .azimuth = 100, .elevation = 70},
         1600},
        {"cube, albedo 0.9, g 0.6", {CLOUD_CUBE, 0.9, 0.6, 10.0 / 24, .sun = 10}, 1600},
    };
    /* Glow that smoke scatters ahead stays on its straight path, so that hot smoke has no halo. */
    static const NamedCloud halo[] = {
        {"hot core, albedo 0.4, g 0.3",
         {CLOUD_BUMPY, 0.4, 0.3, 0.25, .sun = 1, .hot = 1500, .glow = 1},
         2500},
    };
    compare_clouds(run, clouds, sizeof clouds / sizeof *clouds, 0.02, 0.06);
    compare_clouds(run, ahead, sizeof ahead / sizeof *ahead, 0.04, 0.13);
    compare_clouds(run, halo, sizeof halo / sizeof *halo, 0.02, UNLIMITED);
}

/* Reflectances given as the colour of the smoke, as a ramp and as the albedo. */
static void run_colored(VerifyRun *run)
{
    static const NamedCloud clouds[] = {
        {"colour, g 0.35",
         {CLOUD_BUMPY, 0.9, 0.35, 0.25, .sun = 10, .color = {1, 0.5f, 0.05f}},
         800},
        {"colour, g 0.6",
         {CLOUD_BUMPY, 0.9, 0.6, 0.25, .sun = 10, .color = {1, 0.5f, 0.05f}},
         1600},
        {"ramp by density, g 0.35",
         {CLOUD_BUMPY, 0.9, 0.35, 0.25, .sun = 10, .color = {0.9f, 0.4f, 0.05f}, .by_ramp = true},
         800},
        {"albedo, g 0.6",
         {CLOUD_BUMPY, 0.9, 0.6, 0.25, .sun = 10, .color = {0.6f, 0.05f, 0.9f}, .by_albedo = true},
         800},
    };
    compare_clouds(run, clouds, sizeof clouds / sizeof *clouds, 0.02, 0.07);
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
        Cloud cloud = {CLOUD_BUMPY, cases[c].albedo, cases[c].cosine, cases[c].extinction,
                       .lamp = 2000};
        memcpy(cloud.lamp_at, cases[c].at, sizeof cloud.lamp_at);
        compare_cloud(run, bench, cases[c].name, &cloud, 1000, cases[c].off, UNLIMITED);
    }
    bench_close(bench);
}

const VerifyCase cloud_cases[] = {
    {"white-furnace", "smoke that absorbs nothing is invisible in uniform light", "Hapke 1981",
     "A cloud of optical depth 12, from three sides.", true, .run = run_furnace},
    {"multiple-scattering", "sun and sky light of a cloud, against a path tracer",
     "Woodcock and others 1965",
     "A cloud of 32\u00b3 cells, of optical depth 6 to 12, and a cube of 24\u00b3 and a box of "
     "32\u00b3 "
     "of optical depth 10; the cloud over a ground of albedo 0.7 too, which it shades; paths by "
     "delta tracking, in double precision.",
     true, .run = run_scattering},
    {"colored-scattering", "sunlight in coloured smoke, against a path tracer",
     "Woodcock and others 1965",
     "The same cloud with an optical depth of 6, in three colours of light.", true,
     .run = run_colored},
    {"lamp-scattering", "light of a lamp in a cloud, against a path tracer",
     "Woodcock and others 1965",
     "The same cloud with an optical depth of 2 to 12; a lamp beside it and inside it.", true,
     .run = run_lamp_cloud},
    {.name = NULL},
};
