/* SPDX-License-Identifier: MIT */
#include "render/light/atmosphere.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979

/* Lengths in km, coefficients in 1/km. */
#define GROUND_RADIUS 6360.0
#define AIR_HEIGHT    100.0
#define OBSERVER      0.002
#define MIE_COSINE    0.8     /* g of the haze's phase function (Cornette, Shanks 1992) */
#define GROUND_ALBEDO 0.3     /* mean of the Earth's */
#define SUN_RADIUS    4.65e-3 /* rad */

static const double rayleigh[3] = {5.802e-3, 13.558e-3, 33.1e-3};
static const double ozone[3] = {0.650e-3, 1.881e-3, 0.085e-3};
/* Ten times those of Hillaire, whose air is as clean as on a high mountain: an optical depth of
 * 0.05 overhead, as on a clear day. */
static const double mie_scattering = 39.96e-3, mie_extinction = 44.40e-3;

/* Amounts of molecules, haze and ozone at a height, as shares of their largest. */
typedef struct Air {
    double molecules, haze, ozone;
} Air;

static Air air_at(double height)
{
    return (Air){exp(-height / 8), exp(-height / 1.2), fmax(0, 1 - fabs(height - 25) / 15)};
}

static double extinction(const Air *air, double haze, int c)
{
    return air->molecules * rayleigh[c] + haze * air->haze * mie_extinction + air->ozone * ozone[c];
}

static double scattering(const Air *air, double haze, int c)
{
    return air->molecules * rayleigh[c] + haze * air->haze * mie_scattering;
}

/* Length of a ray from a height to the sphere of another radius that contains it. cosine: of the
 * ray's angle from straight up. */
static double length_to(double radius, double cosine, double sphere)
{
    double discriminant = radius * radius * (cosine * cosine - 1) + sphere * sphere;
    return fmax(0, -radius * cosine + sqrt(fmax(discriminant, 0)));
}

/* Cosine of the horizon at a radius. */
static double horizon_cosine(double radius)
{
    double share = GROUND_RADIUS / radius;
    return -sqrt(fmax(0, 1 - share * share));
}

/* Columns of air between a height and space, km at the largest amount. The ray must not meet the
 * ground. Steps grow with the distance, as the air close to the observer is the densest. */
static Air column(double height, double cosine)
{
    enum { STEPS = 96 };
    double radius = GROUND_RADIUS + height;
    double whole = length_to(radius, cosine, GROUND_RADIUS + AIR_HEIGHT);
    Air sum = {0, 0, 0};
    for (int i = 0; i < STEPS; i++) {
        double from = (double)i / STEPS, to = (i + 1.0) / STEPS, middle = 0.5 * (from + to);
        double t = whole * middle * middle, step = whole * (to * to - from * from);
        double there = sqrt(radius * radius + t * t + 2 * radius * t * cosine) - GROUND_RADIUS;
        Air air = air_at(fmax(there, 0));
        sum.molecules += step * air.molecules;
        sum.haze += step * air.haze;
        sum.ozone += step * air.ozone;
    }
    return sum;
}

/* -- tables ------------------------------------------------------------------------------------ */

enum { HEIGHTS = 24, ANGLES = 48, MS_HEIGHTS = 10, MS_ANGLES = 24 };

typedef struct Tables {
    double haze;
    Air columns[HEIGHTS][ANGLES];
    double multiple[MS_HEIGHTS][MS_ANGLES][3]; /* mean radiance of light scattered twice and more */
} Tables;

/* A place in a table between two entries. */
typedef struct Place {
    int low;
    double share;
} Place;

static Place place_in(double at, int count)
{
    double x = fmin(fmax(at, 0), 1) * (count - 1);
    int low = (int)fmin(x, count - 2);
    return (Place){low, x - low};
}

/* Entries are denser near the ground and near the horizon. */
static double height_of(int entry)
{
    double share = (double)entry / (HEIGHTS - 1);
    return AIR_HEIGHT * share * share;
}

static Air blend(const Air *a, const Air *b, double share)
{
    return (Air){a->molecules + share * (b->molecules - a->molecules),
                 a->haze + share * (b->haze - a->haze), a->ozone + share * (b->ozone - a->ozone)};
}

/* Share of the sun's light that reaches a height. cosine: of the sun's angle from straight up. The
 * Earth hides the sun's disc little by little. */
static void sun_at(const Tables *tables, double height, double cosine, double share[3])
{
    double radius = GROUND_RADIUS + height, horizon = horizon_cosine(radius);
    double seen = fmin(fmax(0.5 + 0.5 * (cosine - horizon) / SUN_RADIUS, 0), 1);
    Place h = place_in(sqrt(height / AIR_HEIGHT), HEIGHTS);
    Place a = place_in(sqrt(fmax(cosine - horizon, 0) / (1 - horizon)), ANGLES);
    Air low = blend(&tables->columns[h.low][a.low], &tables->columns[h.low][a.low + 1], a.share);
    Air high =
        blend(&tables->columns[h.low + 1][a.low], &tables->columns[h.low + 1][a.low + 1], a.share);
    Air air = blend(&low, &high, h.share);
    for (int c = 0; c < 3; c++)
        share[c] = seen * exp(-extinction(&air, tables->haze, c));
}

/* Light scattered twice and more, per unit of scattering. */
static void multiple_at(const Tables *tables, double height, double cosine, double light[3])
{
    Place h = place_in(sqrt(height / AIR_HEIGHT), MS_HEIGHTS);
    Place a = place_in(0.5 + 0.5 * cosine, MS_ANGLES);
    for (int c = 0; c < 3; c++) {
        double low = tables->multiple[h.low][a.low][c],
               high = tables->multiple[h.low + 1][a.low][c];
        low += a.share * (tables->multiple[h.low][a.low + 1][c] - low);
        high += a.share * (tables->multiple[h.low + 1][a.low + 1][c] - high);
        light[c] = low + h.share * (high - low);
    }
}

/* -- along a ray ------------------------------------------------------------------------------- */

typedef struct Ray {
    double height, cosine; /* of the start, and from straight up */
    double sun;            /* cosine of the sun's angle from straight up, at the start */
    double between;        /* cosine of the angle to the sun */
    bool first;            /* only isotropic single scattering, for the tables */
} Ray;

/* Adds up the light along a ray. within: receives the share of uniform light of radiance 1 from all
 * sides that the air scatters into the ray; NULL: not wanted. */
static void follow(const Tables *tables, const Ray *ray, int steps, double light[3],
                   double within[3])
{
    double radius = GROUND_RADIUS + ray->height, through[3] = {1, 1, 1};
    bool ground = ray->cosine < horizon_cosine(radius);
    double whole = length_to(radius, ray->cosine, GROUND_RADIUS + AIR_HEIGHT);
    if (ground)
        whole =
            -radius * ray->cosine - sqrt(fmax(radius * radius * (ray->cosine * ray->cosine - 1) +
                                                  GROUND_RADIUS * GROUND_RADIUS,
                                              0));
    double between = ray->between, square = 1 + MIE_COSINE * MIE_COSINE;
    double molecules = 3 / (16 * PI) * (1 + between * between);
    double haze = 3 / (8 * PI) * (1 - MIE_COSINE * MIE_COSINE) * (1 + between * between) /
                  ((2 + MIE_COSINE * MIE_COSINE) * pow(square - 2 * MIE_COSINE * between, 1.5));
    if (ray->first)
        molecules = haze = 1 / (4 * PI);
    for (int i = 0; i < steps; i++) {
        double from = (double)i / steps, to = (i + 1.0) / steps, middle = 0.5 * (from + to);
        double t = whole * middle * middle, step = whole * (to * to - from * from);
        double there = sqrt(radius * radius + t * t + 2 * radius * t * ray->cosine);
        double sun = (radius * ray->sun + t * between) / there, lit[3], more[3] = {0};
        double height = fmin(fmax(there - GROUND_RADIUS, 0), AIR_HEIGHT);
        Air air = air_at(height);
        sun_at(tables, height, sun, lit);
        if (!ray->first)
            multiple_at(tables, height, sun, more);
        for (int c = 0; c < 3; c++) {
            double thick = extinction(&air, tables->haze, c), passed = exp(-thick * step);
            double share = through[c] * (thick > 0 ? (1 - passed) / thick : step);
            double scatters = scattering(&air, tables->haze, c);
            light[c] += share * (lit[c] * (air.molecules * rayleigh[c] * molecules +
                                           tables->haze * air.haze * mie_scattering * haze) +
                                 scatters * more[c]);
            if (within != NULL)
                within[c] += share * scatters;
            through[c] *= passed;
        }
    }
    if (!ground)
        return;
    double sun = (radius * ray->sun + whole * between) / GROUND_RADIUS, lit[3];
    sun_at(tables, 0, sun, lit);
    for (int c = 0; c < 3; c++)
        light[c] += through[c] * lit[c] * fmax(sun, 0) * GROUND_ALBEDO / PI;
}

/* Light scattered twice and more is that scattered twice, summed over all orders as a geometric
 * series. */
static void fill_multiple(Tables *tables, int h, int a)
{
    enum { RAYS = 32, STEPS = 12 }; /* rays on the sphere, in a spiral (Fibonacci lattice) */
    double share = (double)h / (MS_HEIGHTS - 1), height = AIR_HEIGHT * share * share;
    double cosine = 2 * (double)a / (MS_ANGLES - 1) - 1, sine = sqrt(fmax(0, 1 - cosine * cosine));
    double twice[3] = {0}, within[3] = {0};
    for (int ray = 0; ray < RAYS; ray++) {
        double up = 1 - (2 * ray + 1.0) / RAYS, flat = sqrt(1 - up * up);
        Ray from = {.height = fmin(height, AIR_HEIGHT - 1e-3),
                    .cosine = up,
                    .sun = cosine,
                    .between = up * cosine + flat * sine * cos(2.39996323 * ray),
                    .first = true};
        follow(tables, &from, STEPS, twice, within);
    }
    for (int c = 0; c < 3; c++)
        tables->multiple[h][a][c] = twice[c] / RAYS / (1 - within[c] / RAYS);
}

static void fill_tables(Tables *tables, double haze)
{
    tables->haze = haze;
#pragma omp parallel for schedule(static)
    for (int h = 0; h < HEIGHTS; h++)
        for (int a = 0; a < ANGLES; a++) {
            double horizon = horizon_cosine(GROUND_RADIUS + height_of(h));
            double share = (double)a / (ANGLES - 1);
            tables->columns[h][a] = column(height_of(h), horizon + (1 - horizon) * share * share);
        }
#pragma omp parallel for schedule(static)
    for (int h = 0; h < MS_HEIGHTS; h++)
        for (int a = 0; a < MS_ANGLES; a++)
            fill_multiple(tables, h, a);
}

/* -- results ----------------------------------------------------------------------------------- */

void atmosphere_sunlight(double elevation, double haze, double share[3])
{
    double cosine = sin(elevation * PI / 180);
    double horizon = horizon_cosine(GROUND_RADIUS + OBSERVER);
    double seen = fmin(fmax(0.5 + 0.5 * (cosine - horizon) / SUN_RADIUS, 0), 1);
    Air air = column(OBSERVER, fmax(cosine, horizon));
    for (int c = 0; c < 3; c++)
        share[c] = seen * exp(-extinction(&air, haze, c));
}

/* A row of the map: one elevation. */
static void fill_row(const Tables *tables, double sun, double elevation, int width, float *row)
{
    enum { STEPS = 40 };
    double up = sin(elevation), flat = cos(elevation), sine = sqrt(fmax(0, 1 - sun * sun));
    for (int i = 0; i < (width + 1) / 2; i++) {
        double azimuth = 2 * PI * (i + 0.5) / width, light[3] = {0};
        Ray ray = {.height = OBSERVER,
                   .cosine = up,
                   .sun = sun,
                   .between = up * sun + flat * sine * cos(azimuth)};
        follow(tables, &ray, STEPS, light, NULL);
        for (int c = 0; c < 3; c++)
            row[3 * i + c] = row[3 * (width - 1 - i) + c] = (float)light[c];
    }
}

void atmosphere_sky(double elevation, double haze, int width, int height, float *map)
{
    Tables tables;
    double sun = sin(elevation * PI / 180), lowest = 0.5 * PI / height;
    fill_tables(&tables, haze);
#pragma omp parallel for schedule(dynamic, 1)
    for (int j = height / 2; j < height; j++) {
        double at = ((j + 0.5) / height - 0.5) * PI;
        fill_row(&tables, sun, fmax(at, lowest), width, map + 3 * (ptrdiff_t)width * j);
    }
    const size_t row = 3 * (size_t)width;
    for (int j = 0; j < height / 2; j++)
        memcpy(map + row * (size_t)j, map + row * (size_t)(height / 2), row * sizeof *map);
}
