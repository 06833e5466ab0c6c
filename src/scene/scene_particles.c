/* SPDX-License-Identifier: MIT */
#include "scene/scene_particles.h"

#include "base/fail.h"
#include "base/grow.h"
#include "io/particle_file.h"
#include "scene/scene_initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MARGIN: samples around the balls that still count as inside, and whose amount is 0. PLACES_MAX:
 * places along the way of a ball at which it is drawn. SMALL: radius in samples up to which a
 * ball's shares of its samples are summed, and not integrated. */
enum { MARGIN = 3, PLACES_MAX = 64, SMALL = 4 };
static const double pi = 3.14159265358979323846;

/* -- balls ------------------------------------------------------------------------------------- */

typedef struct Canvas {
    BillowVolume *volume;
    int n[3];
    float *amount, *distance;
    float (*velocity)[3]; /* NULL: none is wanted */
    double least;         /* radius of the smallest drawn ball, in samples */
} Canvas;

static size_t canvas_at(const Canvas *canvas, int i, int j, int k)
{
    return ((size_t)k * (size_t)canvas->n[1] + (size_t)j) * (size_t)canvas->n[0] + (size_t)i;
}

/* Places samples around the balls in the room, on a lattice that is the same in all steps. */
static void place_samples(const MovingBall *balls, int count, const BallRoom *room, Canvas *canvas)
{
    const double h = room->spacing;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY, high[axis] = -INFINITY;
        for (int b = 0; b < count; b++) {
            const MovingBall *ball = &balls[b];
            low[axis] = fmin(low[axis], fmin(ball->from[axis], ball->to[axis]) - ball->radius);
            high[axis] = fmax(high[axis], fmax(ball->from[axis], ball->to[axis]) + ball->radius);
        }
        low[axis] = fmax(low[axis], room->low[axis]);
        high[axis] = fmin(high[axis], room->high[axis]);
    }
    bool any = low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
    for (int axis = 0; axis < 3; axis++) {
        double more = MARGIN + 2 + ceil(canvas->least);
        double first = any ? floor(low[axis] / h) - more : 0;
        double last = any ? ceil(high[axis] / h) + more : 1;
        canvas->n[axis] = (int)(last - first) + 1;
        canvas->volume->low[axis] = (float)(first * h);
    }
    canvas->volume->spacing = (float)h;
    canvas->volume->nx = canvas->n[0];
    canvas->volume->ny = canvas->n[1];
    canvas->volume->nz = canvas->n[2];
}

/* A ball at a place, in samples. */
typedef struct Spot {
    double center[3];
    double edge; /* distance at which its share of a sample is a half */
} Spot;

/* The first and the last sample along an axis in which a ball has a share. */
static double first_of(const Spot *spot, int axis)
{
    return ceil(spot->center[axis] - spot->edge - 0.5);
}

static double last_of(const Spot *spot, int axis)
{
    return floor(spot->center[axis] + spot->edge + 0.5);
}

/* A ball's share of a sample, which falls from 1 to 0 across its surface. */
static float share_of(const Spot *spot, int i, int j, int k)
{
    double x = i - spot->center[0], y = j - spot->center[1], z = k - spot->center[2];
    double share = spot->edge + 0.5 - sqrt(x * x + y * y + z * z);
    return (float)(share > 1 ? 1 : share > 0 ? share : 0);
}

/* Sum of the shares of all samples, on the canvas or not. */
static double sum_shares(const Spot *spot)
{
    double r = spot->edge, sum = 0;
    if (r > SMALL)
        return 4.0 / 3.0 * pi * r * (r * r + 0.25);
    for (int k = (int)first_of(spot, 2); k <= (int)last_of(spot, 2); k++)
        for (int j = (int)first_of(spot, 1); j <= (int)last_of(spot, 1); j++)
            for (int i = (int)first_of(spot, 0); i <= (int)last_of(spot, 0); i++)
                sum += (double)share_of(spot, i, j, k);
    return sum;
}

static void draw_at(Canvas *canvas, const MovingBall *ball, const double place[3], double part)
{
    const double h = (double)canvas->volume->spacing, size = ball->radius / h;
    Spot spot = {.edge = fmax(size, canvas->least)};
    int low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const int last = canvas->n[axis] - 1;
        spot.center[axis] = (place[axis] - (double)canvas->volume->low[axis]) / h;
        if (!(first_of(&spot, axis) <= last && last_of(&spot, axis) >= 0))
            return;
        low[axis] = (int)fmax(first_of(&spot, axis), 0);
        high[axis] = (int)fmin(last_of(&spot, axis), last);
    }
    float each = (float)(part * 4.0 / 3.0 * pi * size * size * size / sum_shares(&spot));
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                size_t at = canvas_at(canvas, i, j, k);
                float amount = each * share_of(&spot, i, j, k);
                canvas->amount[at] += amount;
                for (int a = 0; a < 3 && canvas->velocity != NULL; a++)
                    canvas->velocity[at][a] += amount * ball->velocity[a];
            }
}

static void draw_ball(Canvas *canvas, const MovingBall *ball)
{
    double way[3], length = 0, place[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = ball->to[axis] - ball->from[axis];
        length += way[axis] * way[axis];
    }
    double each = fmax(ball->radius, (double)canvas->volume->spacing);
    int places = (int)fmin(fmax(ceil(sqrt(length) / each), 1), PLACES_MAX);
    for (int p = 0; p < places; p++) {
        for (int axis = 0; axis < 3; axis++)
            place[axis] = ball->from[axis] + (p + 0.5) / places * way[axis];
        draw_at(canvas, ball, place, 1.0 / places);
    }
}

/* Samples among which distances spread. */
typedef struct Field {
    int n[3];
    float *distance;
    float (*velocity)[3]; /* NULL: there is none */
} Field;

/* Takes the sample `before` as one on the way to the nearest with any amount. */
static void come_from(const Field *field, size_t at, size_t before)
{
    if (!(field->distance[before] + 1 < field->distance[at]))
        return;
    field->distance[at] = field->distance[before] + 1;
    if (field->velocity != NULL)
        memcpy(field->velocity[at], field->velocity[before], sizeof field->velocity[at]);
}

/* Counts the steps along the axes from each sample to the nearest with any amount, whose velocity
 * it takes. These are at most the square root of 3 times the distance. */
static void spread(const Field *field)
{
    const int *n = field->n;
    const size_t step[3] = {1, (size_t)n[0], (size_t)n[0] * (size_t)n[1]};
    size_t at = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, at++) {
                const int index[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++)
                    if (index[axis] > 0)
                        come_from(field, at, at - step[axis]);
            }
    for (int k = n[2]; k-- > 0;)
        for (int j = n[1]; j-- > 0;)
            for (int i = n[0]; i-- > 0;) {
                const int index[3] = {i, j, k};
                at--;
                for (int axis = 0; axis < 3; axis++)
                    if (index[axis] + 1 < n[axis])
                        come_from(field, at, at + step[axis]);
            }
}

void scene_amounts_surround(const BillowVolume *volume, const float *amount, float (*velocity)[3],
                            float *distance)
{
    const Field field = {{volume->nx, volume->ny, volume->nz}, distance, velocity};
    const size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    for (size_t s = 0; s < samples; s++)
        distance[s] = amount[s] > 0 ? 0 : 1e9f;
    spread(&field);
    for (size_t s = 0; s < samples; s++)
        distance[s] = (fminf(distance[s], 1e4f) - MARGIN) * volume->spacing;
}

bool scene_balls_draw(const MovingBall *balls, int count, const BallRoom *room, bool velocities,
                      BillowVolume *volume, BillowError *error)
{
    *volume = (BillowVolume){.spacing = 0};
    Canvas canvas = {.volume = volume, .least = room->least / room->spacing};
    place_samples(balls, count, room, &canvas);
    const size_t samples = canvas_at(&canvas, 0, 0, canvas.n[2]);
    volume->amount = canvas.amount = calloc(samples, sizeof *canvas.amount);
    volume->distance = canvas.distance = malloc(samples * sizeof *canvas.distance);
    if (velocities)
        volume->velocity =
            (const float(*)[3])(canvas.velocity = calloc(samples, sizeof *canvas.velocity));
    if (canvas.amount == NULL || canvas.distance == NULL || (velocities && canvas.velocity == NULL))
        return fail(error, "not enough memory for its particles");
    for (int b = 0; b < count; b++)
        draw_ball(&canvas, &balls[b]);
    for (size_t s = 0; s < samples; s++) {
        const float amount = canvas.amount[s];
        for (int a = 0; a < 3 && velocities && amount > 0; a++)
            canvas.velocity[s][a] /= amount;
        canvas.amount[s] = amount < 1 ? amount : 1;
    }
    scene_amounts_surround(volume, canvas.amount, canvas.velocity, canvas.distance);
    return true;
}

/* -- particles --------------------------------------------------------------------------------- */

/* A file in memory, and the number of its first particle at each time. */
typedef struct Loaded {
    char path[SCENE_PATH + 16];
    ParticleFile file;
    int *starts, moments;
} Loaded;

struct SceneParticles {
    SceneFrame frame;  /* from the file's axes to those of the shape */
    float rotation[4]; /* of the shape */
    double size;       /* m a unit of the shape */
    double radius;     /* of particles whose file gives none */
    bool repeats;
    BallRoom room;
    Loaded loaded[2];
    int last; /* the file that was used last */
    MovingBall *balls;
    size_t ball_room;
    BillowVolume volumes[2];
    int shown;
};

static void unload(Loaded *loaded)
{
    particle_file_free(&loaded->file);
    free(loaded->starts);
    *loaded = (Loaded){.moments = 0};
}

static bool find_moments(Loaded *loaded, BillowError *error)
{
    const ParticleFile *file = &loaded->file;
    loaded->starts = malloc(((size_t)file->count + 1) * sizeof *loaded->starts);
    if (loaded->starts == NULL)
        return fail(error, "not enough memory for its particles");
    for (int p = 0; p < file->count; p++)
        if (p == 0 || file->particles[p].time != file->particles[p - 1].time)
            loaded->starts[loaded->moments++] = p;
    loaded->starts[loaded->moments] = file->count;
    return true;
}

/* Loads a file, or finds it loaded. Returns NULL and a message on failure. */
static const Loaded *load(SceneParticles *particles, const char *path, BillowError *error)
{
    for (int f = 0; f < 2; f++)
        if (strcmp(particles->loaded[f].path, path) == 0) {
            particles->last = f;
            return &particles->loaded[f];
        }
    Loaded *loaded = &particles->loaded[1 - particles->last];
    unload(loaded);
    if (!particle_file_load(path, &loaded->file, error))
        return NULL;
    if (!loaded->file.radii && !(particles->radius > 0)) {
        fail(error, "%.300s: its particles have no radius; give them one by particle_radius", path);
        unload(loaded);
        return NULL;
    }
    if (!find_moments(loaded, error)) {
        unload(loaded);
        return NULL;
    }
    snprintf(loaded->path, sizeof loaded->path, "%s", path);
    particles->last = 1 - particles->last;
    return loaded;
}

/* The particles of one time. */
typedef struct Moment {
    const ParticleFile *file;
    const Particle *particles;
    int count;
} Moment;

static Moment moment_of(const Loaded *loaded, int first, int end)
{
    return (Moment){&loaded->file, loaded->file.particles + first, end - first};
}

/* Where a particle is some time after its moment. after: the same particle in the next moment, or
 * NULL. */
static void place_at(const Particle *particle, const Particle *after, double length, double since,
                     double place[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double speed = after != NULL ? (after->place[axis] - particle->place[axis]) / length
                                     : particle->velocity[axis];
        place[axis] = particle->place[axis] + speed * since;
    }
}

/* Writes the ball of a particle in the coordinates of the shape. */
static void make_ball(const SceneParticles *particles, const Moment *moment,
                      const Particle *particle, const Particle *after, const ParticleStep *step,
                      MovingBall *ball)
{
    const bool stays = step->length <= 0;
    double from[3], to[3], velocity[3], along[3], turned[3];
    place_at(particle, after, step->length, stays ? 0 : step->since, from);
    place_at(particle, after, step->length, stays ? 0 : step->until, to);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = moment->file->velocities || stays
                             ? particle->velocity[axis]
                             : (to[axis] - from[axis]) / (step->until - step->since);
    scene_frame_from_file(&particles->frame, from, ball->from);
    scene_frame_from_file(&particles->frame, to, ball->to);
    scene_frame_from_file(&particles->frame, velocity, along);
    const double q[4] = {(double)particles->rotation[0], (double)particles->rotation[1],
                         (double)particles->rotation[2], (double)particles->rotation[3]};
    scene_frame_turn(q, along, turned);
    for (int axis = 0; axis < 3; axis++)
        ball->velocity[axis] = (float)(particles->size * turned[axis]);
    ball->radius = moment->file->radii ? particle->radius : particles->radius;
}

/* Draws the particles of a moment. next: of the moment after it, or count 0. */
static bool draw(SceneParticles *particles, const Moment *moment, const Moment *next,
                 const ParticleStep *step, BillowError *error)
{
    MovingBall *balls =
        grow(particles->balls, &particles->ball_room, (size_t)moment->count + 1, sizeof *balls);
    if (balls == NULL)
        return fail(error, "not enough memory for its particles");
    particles->balls = balls;
    const bool same = next->count > 0 && moment->file->ids && next->file->ids;
    for (int p = 0, other = 0; p < moment->count; p++) {
        const Particle *particle = &moment->particles[p], *after = NULL;
        while (same && other < next->count && next->particles[other].id < particle->id)
            other++;
        if (same && other < next->count && next->particles[other].id == particle->id)
            after = &next->particles[other];
        make_ball(particles, moment, particle, after, step, &balls[p]);
    }
    BillowVolume *volume = &particles->volumes[1 - particles->shown];
    free((void *)volume->distance);
    free((void *)volume->amount);
    free((void *)volume->velocity);
    bool good = scene_balls_draw(balls, moment->count, &particles->room,
                                 moment->file->velocities || same, volume, error);
    particles->shown = 1 - particles->shown;
    return good;
}

bool scene_particles_step(SceneParticles *particles, const ParticleStep *step, BillowError *error)
{
    Moment next = {.count = 0};
    const Loaded *loaded = load(particles, step->file, error), *after = NULL;
    ParticleStep moves = *step;
    if (loaded == NULL ||
        (step->next != NULL && (after = load(particles, step->next, error)) == NULL))
        return false;
    if (after != NULL)
        next = moment_of(after, 0, after->file.count);
    else
        moves.length = 0;
    const Moment moment = moment_of(loaded, 0, loaded->file.count);
    return draw(particles, &moment, &next, &moves, error);
}

bool scene_particles_step_at(SceneParticles *particles, const char *file, double time, double step,
                             BillowError *error)
{
    const Loaded *loaded = load(particles, file, error);
    const Moment none = {.count = 0};
    if (loaded == NULL)
        return false;
    const Particle *all = loaded->file.particles;
    const int *starts = loaded->starts, count = loaded->moments;
    double first = count > 0 ? all[0].time : 0, last = count > 0 ? all[starts[count - 1]].time : 0;
    /* The last moment of a loop is as long as the one before it. */
    double ending = count > 1 ? last - all[starts[count - 2]].time : 0;
    if (particles->repeats && ending > 0 && time >= first)
        time = first + fmod(time - first, last - first + ending);
    const double near = 1e-6 * step;
    int moment = -1;
    while (moment + 1 < count && all[starts[moment + 1]].time <= time + near)
        moment++;
    if (moment < 0)
        return draw(particles, &(Moment){&loaded->file, all, 0}, &none,
                    &(ParticleStep){.length = 0}, error);
    const bool is_last = moment == count - 1;
    const Moment now = moment_of(loaded, starts[moment], starts[moment + 1]);
    const Moment next = is_last ? none : moment_of(loaded, starts[moment + 1], starts[moment + 2]);
    const double since = time - now.particles[0].time;
    const ParticleStep moves = {
        .length = !is_last             ? next.particles[0].time - now.particles[0].time
                  : particles->repeats ? ending
                                       : 0,
        .since = since,
        .until = since + step,
    };
    return draw(particles, &now, &next, &moves, error);
}

const BillowVolume *scene_particles_volume(const SceneParticles *particles)
{
    return &particles->volumes[particles->shown];
}

SceneParticles *scene_particles_open(const SceneBody *body, const BallRoom *room)
{
    SceneParticles *particles = calloc(1, sizeof *particles);
    if (particles == NULL)
        return NULL;
    particles->frame = (SceneFrame){.scale = 1, .rotation = {0, 0, 0, 1}, .up = body->form->up};
    memcpy(particles->rotation, body->rotation, sizeof particles->rotation);
    particles->size = (double)body->size;
    particles->radius = (double)body->form->particle_radius;
    particles->repeats = body->form->repeat == SCENE_LOOP;
    particles->room = *room;
    return particles;
}

void scene_particles_close(SceneParticles *particles)
{
    if (particles == NULL)
        return;
    for (int slot = 0; slot < 2; slot++) {
        unload(&particles->loaded[slot]);
        free((void *)particles->volumes[slot].distance);
        free((void *)particles->volumes[slot].amount);
        free((void *)particles->volumes[slot].velocity);
    }
    free(particles->balls);
    free(particles);
}
