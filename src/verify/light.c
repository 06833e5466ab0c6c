/* SPDX-License-Identifier: MIT
 * Light in smoke: what rays add up on their way, against closed forms and a path tracer. */
#include "cases.h"

#include "camera.h"
#include "fail.h"
#include "march.h"
#include "path_tracer.h"
#include "rows.h"
#include "tone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* -- a box of smoke on an optical bench ---------------------------------------------------------
 */

/* Cells of one metre; the look and the density are the case's to set. */
typedef struct Bench {
    BillowView view;
    float *density, *temperature;
    Look look;
    Lighting lighting;
    FrameBlock frame;
    March march;
} Bench;

static void bench_close(Bench *bench)
{
    lighting_destroy(&bench->lighting);
    free(bench->density); /* and the temperature */
    free(bench);
}

/* NULL, and the run is failed, without memory. */
static Bench *bench_open(VerifyRun *run, int nx, int ny, int nz)
{
    size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
    Bench *bench = calloc(1, sizeof *bench);
    float *fields = calloc(2 * count, sizeof *fields);
    if (bench == NULL || fields == NULL) {
        free(bench);
        free(fields);
        run->failed = true;
        fail(&run->error, "no memory for smoke of %dx%dx%d cells", nx, ny, nz);
        return NULL;
    }
    bench->density = fields;
    bench->temperature = fields + count;
    bench->view = (BillowView){.nx = nx,
                               .ny = ny,
                               .nz = nz,
                               .stride_y = nx,
                               .stride_z = (ptrdiff_t)nx * ny,
                               .cell_size = 1,
                               .density = bench->density,
                               .temperature = bench->temperature};
    bench->look = (Look){.camera = {{0, 0, 0}, 1, 0, 0, 40},
                         .sun = {0, 45, 0, {1, 1, 1}},
                         .smoke = {.extinction = 1,
                                   .extinction_color = {1, 1, 1},
                                   .glow_kelvin = 1500,
                                   .glow_range = 1},
                         .exposure = 1};
    return bench;
}

static void bench_fill(Bench *bench, float density)
{
    ptrdiff_t count = bench->view.stride_z * bench->view.nz;
    for (ptrdiff_t i = 0; i < count; i++)
        bench->density[i] = density;
}

/* Once density and look are set. False, and the run is failed, without memory. */
static bool bench_light(VerifyRun *run, Bench *bench)
{
    const BillowView *view = &bench->view;
    if (!lighting_gather(&bench->lighting, view, &bench->look, (LightingEffort){1, true, true},
                         &run->error)) {
        run->failed = true;
        return false;
    }
    bool anew;
    if (!lighting_compute(&bench->lighting, &bench->look, NULL, &anew, &run->error)) {
        run->failed = true;
        return false;
    }
    const Ambient *ambient = &bench->lighting.ambient;
    FrameVolume volume = {.n = {view->nx, view->ny, view->nz},
                          .cell_size = 1,
                          .any = true,
                          .high = {(float)view->nx, (float)view->ny, (float)view->nz}};
    for (int axis = 0; axis < 3; axis++) {
        volume.light_cells[axis] = bench->lighting.direct.n[axis];
        volume.ambient_cells[axis] = ambient->reduction * ambient->n[axis];
    }
    volume.by_color = ambient->lanes > 1;
    RenderFrame frame = render_default_frame();
    frame.step = 0.5f;
    Camera camera = camera_from_look(&bench->look.camera, frame.width, frame.height);
    frame_block_fill(&bench->frame, &bench->look, &frame, &camera, &volume);
    march_prepare(&bench->march, &bench->frame, view, &bench->lighting, NULL,
                  bench->look.smoke.glow > 0);
    return true;
}

/* Along a whole ray through the box, with steps of bench->frame.march[0] cells. */
static Marched bench_march(const Bench *bench, Vec3 origin, Vec3 direction)
{
    const float low[3] = {0, 0, 0};
    float begin, end;
    direction = march_safe(direction);
    march_box(origin, direction, low, bench->frame.grid, &begin, &end);
    return march_ray(&bench->march, origin, direction, begin, end, 0.5f,
                     march_surroundings(&bench->frame, direction));
}

/* -- closed forms -------------------------------------------------------------------------------
 */

static const float steps[3] = {8, 1, 0.125f}; /* of 64 cells: 8, 64 and 512 */

static void run_beer_lambert(VerifyRun *run)
{
    static const double depths[4] = {0.1, 0.7, 2, 5};
    Bench *bench = bench_open(run, 64, 8, 8);
    double worst = 0, spread = 0, product = 0;
    VerifyPlot *plot = plot_add(run, "Light through a slab", "optical depth", "transmittance");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "marched");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "exp(-depth)");
    if (bench == NULL)
        return;
    bench_fill(bench, 0.5f);
    for (int d = 0; d < 4; d++) {
        double passed[3];
        bench->look.smoke.extinction = (float)(depths[d] / 32);
        if (!bench_light(run, bench))
            break;
        for (int s = 0; s < 3; s++) {
            bench->frame.march[0] = steps[s];
            passed[s] = (double)bench_march(bench, vec3(-5, 4, 4), vec3(1, 0, 0)).transmittance;
            worst = fmax(worst, fabs(passed[s] - exp(-depths[d])));
            spread = fmax(spread, fabs(passed[s] - passed[0]));
            plot_point(measured, depths[d], passed[s]);
        }
        double half = (double)march_ray(&bench->march, vec3(0, 4, 4), vec3(1, 1e-7f, 1e-7f), 0, 32,
                                        0.5f, vec3(0, 0, 0))
                          .transmittance;
        product = fmax(product, fabs(half * half - passed[2]));
    }
    for (double depth = 0; depth <= 5; depth += 0.1)
        plot_point(exact, depth, exp(-depth));
    bench_close(bench);
    row_absolute(run, "transmittance less e^-depth, at worst, 8, 64, 512 steps", worst, 0,
                 1.0 / 255);
    row_absolute(run, "the same over step lengths", spread, 0, 1e-3);
    row_absolute(run, "two halves' product less the whole", product, 0, 1.0 / 255);
}

/* The same for each colour: smoke that dims blue more than red, and red smoke, which takes more of
 * what it does not reflect. */
static void run_beer_color(VerifyRun *run)
{
    static const float tint[3] = {0.5f, 1, 1.6f}, color[3] = {0.9f, 0.5f, 0.1f};
    enum { CELLS = 64 * 8 * 8 };
    const double depth = 1.3, excess = 0.8;
    double plain = 0, colored = 0, sun = 0;
    Bench *bench = bench_open(run, 64, 8, 8);
    float *fields = malloc(3 * CELLS * sizeof *fields);
    if (bench == NULL || fields == NULL) {
        run->failed = true;
        free(fields);
        return;
    }
    bench_fill(bench, 0.5f);
    LookSmoke *smoke = &bench->look.smoke;
    memcpy(smoke->extinction_color, tint, sizeof tint);
    smoke->extinction = (float)(depth / 32);
    smoke->tint_extinction = (float)excess;
    bench->look.sun = (LookSun){90, 0, 1, {1, 1, 1}}; /* along x */
    for (int pass = 0; pass < 2 && bench_light(run, bench); pass++) {
        Vec3 seen = bench_march(bench, vec3(-5, 4, 4), vec3(1, 0, 0)).through;
        Vec3 lit = march_sunlight(&bench->march, vec3(0.5f, 4, 4)); /* all but half a cell */
        const double through[3] = {(double)seen.x, (double)seen.y, (double)seen.z};
        const double light[3] = {(double)lit.x, (double)lit.y, (double)lit.z};
        for (int c = 0; c < 3; c++) {
            double more = pass == 0 ? 1 : 1 + excess * (1 - (double)color[c]);
            double exact = depth * (double)tint[c] * more;
            double off = fabs(through[c] - exp(-exact));
            *(pass == 0 ? &plain : &colored) = fmax(pass == 0 ? plain : colored, off);
            sun = fmax(sun, fabs(light[c] - exp(-exact * 63.5 / 64)));
            for (int i = 0; i < CELLS; i++)
                fields[c * CELLS + i] = 0.5f * color[c];
            bench->view.color[c] = fields + (ptrdiff_t)c * CELLS;
        }
    }
    bench_close(bench);
    free(fields);
    row_absolute(run, "transmittance of a colour less e^-depth, at worst", plain, 0, 1.0 / 255);
    row_absolute(run, "the same through red smoke", colored, 0, 1.0 / 255);
    row_absolute(run, "sunlight through both, likewise", sun, 0, 1.0 / 255);
}

static void run_emission_slab(VerifyRun *run)
{
    static const double depths[3] = {0.3, 1, 4};
    Bench *bench = bench_open(run, 64, 8, 8);
    double worst = 0;
    float glow[3];
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    for (int i = 0; i < 64 * 8 * 8; i++)
        bench->temperature[i] = 1400 - BLACKBODY_AMBIENT;
    bench->look.smoke.glow = 1;
    blackbody_color(1400, (BlackbodyScale){1500, 1}, glow);
    for (int d = 0; d < 3; d++) {
        bench->look.smoke.extinction = (float)(depths[d] / 64);
        if (!bench_light(run, bench))
            break;
        for (int s = 0; s < 3; s++) {
            bench->frame.march[0] = steps[s];
            Vec3 seen = bench_march(bench, vec3(-5, 4, 4), vec3(1, 0, 0)).radiance;
            double exact = (1 - exp(-depths[d])) * (double)glow[0];
            worst = fmax(worst, fabs((double)seen.x / exact - 1));
        }
    }
    bench_close(bench);
    row_absolute(run, "radiance over (1 - e^-depth) B, less 1, at worst", worst, 0, 0.01);
}

/* What is scattered again is another case. */
static void forget_scattered(Bench *bench)
{
    const int *n = bench->lighting.ambient.n;
    memset(bench->lighting.ambient.mean, 0,
           4 * sizeof(float) * (size_t)n[0] * (size_t)n[1] * (size_t)n[2]);
}

/* Light back from a plane-parallel slab of isotropic scatterers (Chandrasekhar 1950, single
 * scattering):  L = albedo p E (1 - exp(-depth (1/mu + 1/mu0))) mu0 / (mu + mu0), where E is the
 * irradiance across the light. */
static void run_single_scattering(VerifyRun *run)
{
    enum { WIDE = 160, DEEP = 32 };
    static const double depths[3] = {0.2, 1, 4};
    const double albedo = 0.8, mu0 = sin(PI / 3), mu = 0.8;
    Bench *bench = bench_open(run, WIDE, DEEP, WIDE);
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    bench->look.sun = (LookSun){0, 60, 1, {1, 1, 1}};
    Vec3 down = {(float)sqrt(1 - mu * mu), (float)-mu, 0};
    for (int d = 0; d < 3; d++) {
        char what[80];
        bench->look.smoke.extinction = (float)(depths[d] / DEEP);
        for (int c = 0; c < 3; c++)
            bench->look.smoke.albedo[c] = (float)albedo;
        if (!bench_light(run, bench))
            break;
        forget_scattered(bench);
        /* Through the middle of the slab. */
        Vec3 from = vec3_along(vec3(WIDE / 2, DEEP / 2, WIDE / 2), down, -40);
        double seen = (double)bench_march(bench, from, down).radiance.x;
        double exact =
            albedo / (4 * PI) * (1 - exp(-depths[d] * (1 / mu + 1 / mu0))) * mu0 / (mu + mu0);
        snprintf(what, sizeof what, "radiance back from a slab of depth %g", depths[d]);
        row_relative(run, what, seen, exact, 0.01);
    }
    bench_close(bench);
}

/* A lamp's light in even smoke, scattered once into a ray that passes `off` cells from it, in the
 * middle of `length` cells:  L = sum of e albedo p(theta) I / r^2 exp(-e (s + r)) ds. */
static double lamp_radiance(double extinction, double albedo, double cosine, double length,
                            double off)
{
    enum { PARTS = 200000 };
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        double s = (i + 0.5) * length / PARTS, along = length / 2 - s, r = hypot(along, off);
        double phase = 0.5 * (path_phase(along / r, cosine) + path_phase(along / r, -cosine));
        sum += extinction * albedo * phase / (r * r) * exp(-extinction * (s + r));
    }
    return sum * length / PARTS;
}

static void run_lamp(VerifyRun *run)
{
    enum { EDGE_CELLS = 48 };
    static const float offs[4] = {0.8f, 3, 8, 20};
    const double albedo = 0.8, cosine = 0.6, extinction = 0.05;
    Bench *bench = bench_open(run, EDGE_CELLS, EDGE_CELLS, EDGE_CELLS);
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    Look *look = &bench->look;
    look->lamp_count = 1;
    look->lamps[0] = (LookLamp){{EDGE_CELLS / 2, 24.3f, 23.8f}, {1, 1, 1}, 1, 0};
    look->smoke.extinction = (float)extinction;
    look->smoke.anisotropy = (float)cosine; /* as much back as ahead: nothing is parted off */
    look->smoke.back_anisotropy = -(float)cosine;
    look->smoke.backscatter = 0.5f;
    for (int c = 0; c < 3; c++)
        look->smoke.albedo[c] = (float)albedo;
    if (bench_light(run, bench)) {
        forget_scattered(bench);
        for (int o = 0; o < 4; o++) {
            char what[80];
            double seen =
                (double)bench_march(bench, vec3(-5, 24.3f - offs[o], 23.8f), vec3(1, 0, 0))
                    .radiance.x;
            snprintf(what, sizeof what, "radiance of a ray %g cells from the lamp",
                     (double)offs[o]);
            row_relative(run, what, seen,
                         lamp_radiance(extinction, albedo, cosine, EDGE_CELLS, (double)offs[o]),
                         0.01);
        }
    }
    bench_close(bench);
}

static void run_phase(VerifyRun *run)
{
    enum { PARTS = 20000 };
    static const float cosines[5] = {-0.8f, -0.3f, 0, 0.5f, 0.9f};
    double total = 0, mean = 0;
    VerifyPlot *plot = plot_add(run, "Henyey and Greenstein's phase function", "cosine", "1/sr");
    if (plot != NULL)
        plot->y_logarithmic = true;
    for (int g = 0; g < 5; g++) {
        VerifySeries *series = plot_series(plot, VERIFY_LINE, "g = %g", (double)cosines[g]);
        double sum = 0, moment = 0;
        for (int i = 0; i < PARTS; i++) {
            double cosine = -1 + (i + 0.5) * 2 / PARTS;
            double share = (double)march_phase((float)cosine, cosines[g]) * 2 * PI * 2 / PARTS;
            sum += share;
            moment += share * cosine;
            if (i % 400 == 200)
                plot_point(series, cosine, (double)march_phase((float)cosine, cosines[g]));
        }
        total = fmax(total, fabs(sum - 1));
        mean = fmax(mean, fabs(moment - (double)cosines[g]));
    }
    row_absolute(run, "integral over the sphere less 1, at worst", total, 0, 1e-3);
    row_absolute(run, "mean cosine less g, at worst", mean, 0, 1e-3);
    row_relative(run, "1/sr at g = 0", (double)march_phase(0.3f, 0), 1 / (4 * PI), 1e-5);
}

/* Between the table's entries, as the march takes it. */
static double table_luminance(const float *table, float kelvin)
{
    float x = blackbody_place(kelvin) * (BLACKBODY_ENTRIES - 1);
    int low = (int)fminf(x, BLACKBODY_ENTRIES - 2);
    const float *at = table + 4 * low, weights[3] = {0.2126f, 0.7152f, 0.0722f};
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += (double)(weights[c] * (at[c] + (x - (float)low) * (at[4 + c] - at[c])));
    return sum;
}

static void check_table(VerifyRun *run)
{
    static float table[4 * BLACKBODY_ENTRIES];
    double reference[3], worst = 0, least = INFINITY, most = 0;
    VerifyPlot *plot = plot_add(run, "Luminance over that at 1500 K", "temperature, K", "");
    VerifySeries *series = plot_series(plot, VERIFY_DOTS, "table");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "Planck");
    if (plot != NULL)
        plot->y_logarithmic = true;
    blackbody_table((BlackbodyScale){1500, 1}, table);
    blackbody_xyz(1500, reference);
    for (double kelvin = 703; kelvin < 4400; kelvin += 37) {
        double xyz[3], seen = table_luminance(table, (float)kelvin);
        blackbody_xyz(kelvin, xyz);
        double wanted = xyz[1] / reference[1];
        worst = fmax(worst, fabs(seen / wanted - 1));
        least = fmin(least, seen);
        most = fmax(most, seen);
        plot_point(series, kelvin, seen);
        plot_point(exact, kelvin, wanted);
    }
    row_absolute(run, "luminance of the table over Planck's, less 1, at worst", worst, 0, 0.005);
    row_report(run, "decades that spans, 703 K to 4400 K", log10(most / least), NAN);
}

/* Planckian chromaticities after Kim and others (2002). */
static void run_blackbody(VerifyRun *run)
{
    static const double truth[5][3] = {{2000, 0.527, 0.413},
                                       {3000, 0.437, 0.404},
                                       {4000, 0.381, 0.377},
                                       {5000, 0.345, 0.352},
                                       {6500, 0.3135, 0.3237}};
    for (int t = 0; t < 5; t++) {
        double xyz[3];
        char what[40];
        blackbody_xyz(truth[t][0], xyz);
        double sum = xyz[0] + xyz[1] + xyz[2];
        snprintf(what, sizeof what, "x at %g K", truth[t][0]);
        row_absolute(run, what, xyz[0] / sum, truth[t][1], 0.01);
        snprintf(what, sizeof what, "y at %g K", truth[t][0]);
        row_absolute(run, what, xyz[1] / sum, truth[t][2], 0.01);
    }
    check_table(run);
}

static void run_curve(VerifyRun *run, VerifyPlot *plot, LookTone tone, const char *name)
{
    double falls = 0, last = 0;
    bool finite = true;
    char what[64];
    VerifySeries *series = plot_series(plot, VERIFY_LINE, "%s", name);
    for (double radiance = 1e-4; radiance <= 1e6; radiance *= 1.1) {
        Vec3 grey = vec3((float)radiance, (float)radiance, (float)radiance);
        double value = (double)tone_encoded(tone, grey).y;
        finite = finite && isfinite(value);
        falls = fmax(falls, last - value);
        last = value;
        plot_point(series, radiance, value);
    }
    snprintf(what, sizeof what, "%s: value of black", name);
    row_absolute(run, what, (double)tone_encoded(tone, vec3(0, 0, 0)).y, 0, 0);
    snprintf(what, sizeof what, "%s: largest fall from one radiance to a larger one", name);
    row_absolute(run, what, falls, 0, 1e-6);
    snprintf(what, sizeof what, "%s: value at a radiance of 10^6", name);
    row_between(run, what, finite ? last : (double)NAN, 1, 0.99, 1);
}

static void run_tone(VerifyRun *run)
{
    VerifyPlot *plot = plot_add(run, "Film curve", "radiance", "value of the picture");
    if (plot != NULL)
        plot->x_logarithmic = true;
    run_curve(run, plot, LOOK_TONE_ACES, "ACES");
    run_curve(run, plot, LOOK_TONE_AGX, "AgX");
}

/* -- light that is scattered many times ---------------------------------------------------------
 */

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
    Look *look = &bench->look;
    look->sun = (LookSun){40, 45, (float)sky->sun, {1, 1, 1}};
    look->sky = (LookSky){(float)sky->sky, {1, 1, 1}, {1, 1, 1}};
    look->ground = (LookGround){sky->sun == 0.0, {1, 1, 1}}; /* as bright as the sky, then */
    look->lamp_count = sky->lamp > 0;
    look->lamps[0] = (LookLamp){.color = {1, 1, 1}, .intensity = (float)sky->lamp, .radius = LAMP};
    memcpy(look->lamps[0].position, sky->lamp_at, sizeof sky->lamp_at);
    look->smoke.extinction = (float)sky->extinction;
    look->smoke.anisotropy = (float)sky->mean_cosine;
    look->smoke.backscatter = (float)sky->back_share;
    look->smoke.back_anisotropy = (float)sky->back_cosine;
    for (int c = 0; c < 3; c++)
        look->smoke.albedo[c] = (float)sky->albedo;
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
        double worst = 0;
        char what[80];
        if (!light_cloud(run, bench, &(Sky){1, cosines[g], 0.5, 0, 1, 0, 0, 0, {0}}))
            break;
        for (int pixel = 0; pixel < 3 * WIDTH * WIDTH; pixel++) {
            Vec3 origin, direction;
            cloud_ray(pixel / (WIDTH * WIDTH), pixel % WIDTH, pixel / WIDTH % WIDTH, WIDTH, &origin,
                      &direction);
            Marched seen = bench_march(bench, origin, direction);
            worst = fmax(worst, fabs((double)(seen.radiance.x + seen.transmittance) - 1));
        }
        snprintf(what, sizeof what, "radiance of all less 1, at worst, g = %g", cosines[g]);
        row_absolute(run, what, worst, 0, 0.01);
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

/* Three sides of a cloud, against as many paths a pixel. */
static void compare_cloud(VerifyRun *run, const char *name, const Sky *sky, int paths)
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
        camera_direction(bench->look.sun.azimuth, bench->look.sun.elevation, sun);
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
    row_absolute(run, what, sum.marched / sum.traced, 1, 0.05);
    snprintf(what, sizeof what, "%s: root mean square error of a pixel, over the mean", name);
    row_report(run, what, error, 0);
}

static void run_scattering(VerifyRun *run)
{
    compare_cloud(run, "sun, albedo 0.99, g 0", &(Sky){0.99, 0, 0.25, 10, 0, 0, 0, 0, {0}}, 150);
    compare_cloud(run, "sun, albedo 0.99, g 0.6", &(Sky){0.99, 0.6, 0.25, 10, 0, 0, 0, 0, {0}},
                  250);
    compare_cloud(run, "sun, albedo 0.95, g 0.7 and -0.3",
                  &(Sky){0.95, 0.7, 0.25, 10, 0, 0.3, -0.3, 0, {0}}, 250);
    compare_cloud(run, "lamp beside it, albedo 0.95, g 0.4",
                  &(Sky){0.95, 0.4, 0.25, 0, 0, 0, 0, 2000, {-2, 20, 10}}, 250);
    compare_cloud(run, "lamp in it, albedo 0.95, g 0",
                  &(Sky){0.95, 0, 0.25, 0, 0, 0, 0, 2000, {18, 14, 15}}, 300);
    compare_cloud(run, "sky, albedo 0.9, g 0.6", &(Sky){0.9, 0.6, 0.5, 0, 1, 0, 0, 0, {0}}, 100);
}

const VerifyCase light_cases[] = {
    {"beer-lambert", "Light through a slab of smoke", "Beer 1852",
     "64 cells of even smoke, marched in 8, 64 and 512 steps.", true, run_beer_lambert},
    {"beer-lambert-color", "Red, green and blue light through a slab of smoke", "Beer 1852",
     "64 cells of even smoke that dims colours differently, white and red.", true, run_beer_color},
    {"emission-slab", "Glow of a slab of even temperature", "Chandrasekhar 1950",
     "64 cells at 1400 K that scatter nothing, marched in 8, 64 and 512 steps.", true,
     run_emission_slab},
    {"single-scattering", "Sunlight back from a slab, scattered once", "Chandrasekhar 1950",
     "A slab of 32 cells, the sun 60 degrees up, seen at 53 degrees.", true, run_single_scattering},
    {"lamp", "A lamp's light, scattered once", "Pharr, Jakob & Humphreys 2016",
     "Even smoke, 48 cells and 2.4 units deep, a lamp in its middle, rays that pass it nearer and "
     "farther; against the integral in double precision.",
     true, run_lamp},
    {"phase-function", "Henyey and Greenstein's phase function", "Henyey & Greenstein 1941",
     "Summed over the sphere for five mean cosines.", true, run_phase},
    {"blackbody", "Colours of hot bodies", "Planck 1901",
     "CIE 1931 chromaticities of Planck's spectrum.", true, run_blackbody},
    {"tone-map", "The film curves rise, from black", "Hill 2016; Sobotka 2022",
     "Greys from 10^-4 to 10^6.", true, run_tone},
    {"white-furnace", "Smoke that absorbs nothing does not show in even light", "Hapke 1981",
     "A cloud 12 units deep, three sides.", true, run_furnace},
    {"multiple-scattering", "A cloud's light, scattered many times, against a path tracer",
     "Woodcock and others 1965",
     "A cloud of 32 cubed cells, 6 to 12 units deep; paths by delta tracking, in double precision.",
     true, run_scattering},
    {0},
};
