/* SPDX-License-Identifier: MIT */
#include "render/motion.h"

#include "render/frame/camera.h"

size_t motion_size(const int grid[3], int edge, int n[3])
{
    size_t floats = 3;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = grid[axis] < edge ? grid[axis] : edge;
        floats *= (size_t)n[axis];
    }
    return floats;
}

/* Mean of a velocity component over the grid cells in the middle of a coarse cell, one or two along
 * each axis. from, to: first cell, and cell after the last. The component in a cell is the mean of
 * the cell's two faces. */
static float mean_of_faces(const float *field, ptrdiff_t across, const BillowView *wind,
                           const int from[3], const int to[3])
{
    double sum = 0;
    int count = 0;
    for (int k = from[2]; k < to[2]; k++)
        for (int j = from[1]; j < to[1]; j++)
            for (int i = from[0]; i < to[0]; i++, count++) {
                const float *face = field + i + j * wind->stride_y + k * wind->stride_z;
                sum += 0.5 * ((double)face[0] + (double)face[across]);
            }
    return (float)(sum / count);
}

Motion motion_fill(const BillowView *view, int edge, float *values)
{
    Motion motion = {.values = values};
    if (view->u == NULL || view->v == NULL || view->w == NULL)
        return motion;
    const BillowView wind = billow_wind_view(view);
    const int grid[3] = {wind.nx, wind.ny, wind.nz};
    const float *const field[3] = {wind.u, wind.v, wind.w};
    const ptrdiff_t across[3] = {1, wind.stride_y, wind.stride_z};
    motion_size(grid, edge, motion.n);
    int at[3];
    for (at[2] = 0; at[2] < motion.n[2]; at[2]++)
        for (at[1] = 0; at[1] < motion.n[1]; at[1]++)
            for (at[0] = 0; at[0] < motion.n[0]; at[0]++) {
                int from[3], to[3];
                for (int a = 0; a < 3; a++) {
                    int middle = (int)((2 * (long)at[a] + 1) * grid[a] / (2 * motion.n[a]));
                    from[a] = grid[a] > motion.n[a] && middle > 0 ? middle - 1 : middle;
                    to[a] = middle + 1;
                }
                for (int a = 0; a < 3; a++)
                    *values++ = mean_of_faces(field[a], across[a], &wind, from, to);
            }
    return motion;
}

#define OPAQUE  0.01f /* transmittance at or below which a ray ends */
#define NOTHING 1e-6f /* opacity at or below which a pixel has no vector */

typedef struct Flow {
    const MotionVectorsAsk *ask;
    Camera camera, next;
    GridSample density, flame, solid, velocity[3];
    float grid[3];   /* cells of the smoke */
    float wind_cell; /* edge of a cell of the wind, in cells of the smoke */
    float thickness; /* optical thickness of one cell of smoke of density 1 */
} Flow;

/* Describes a field for grid_sample. x, y, z: 1 if the field has one sample more than cells along
 * that axis (faces or corners), 0 if its samples are at cell centres. */
static GridSample samples_of(const BillowView *view, const float *values, int x, int y, int z)
{
    return (GridSample){
        values, {view->nx + x, view->ny + y, view->nz + z}, {1, view->stride_y, view->stride_z}};
}

static Flow prepare(const MotionVectorsAsk *ask)
{
    const BillowView *view = ask->view, wind = billow_wind_view(view);
    const float *tint = ask->smoke->extinction_color;
    Flow flow = {.ask = ask,
                 .camera = camera_from_settings(ask->camera, ask->width, ask->height),
                 .next = camera_from_settings(ask->next, ask->width, ask->height),
                 .density = samples_of(view, view->density, 0, 0, 0),
                 .solid = samples_of(&wind, wind.solid, 1, 1, 1),
                 .grid = {(float)view->nx, (float)view->ny, (float)view->nz},
                 .wind_cell = wind.cell_size / view->cell_size};
    if (ask->smoke->flame > 0)
        flow.flame = samples_of(view, view->flame, 0, 0, 0);
    if (view->u != NULL && view->v != NULL && view->w != NULL) {
        flow.velocity[0] = samples_of(&wind, wind.u, 1, 0, 0);
        flow.velocity[1] = samples_of(&wind, wind.v, 0, 1, 0);
        flow.velocity[2] = samples_of(&wind, wind.w, 0, 0, 1);
    }
    flow.thickness =
        ask->smoke->extinction * view->cell_size * (tint[0] + tint[1] + tint[2]) * (1 / 3.0f);
    return flow;
}

/* Interpolates a field at a position in cells of the smoke. cell: edge of the field's own cells, in
 * the same. Along axes with one sample more than cells, sample i is at position i of these cells;
 * along the others at i + 1/2. */
static float value_at(const Flow *flow, const GridSample *grid, float cell, Vec3 cells)
{
    const float at[3] = {cells.x, cells.y, cells.z};
    float place[3];
    for (int axis = 0; axis < 3; axis++) {
        float n = (float)grid->n[axis];
        place[axis] = (at[axis] / cell + 0.5f * (n - flow->grid[axis] / cell)) / n;
    }
    return grid_sample(grid, vec3_from(place), 0);
}

static float smoke_at(const Flow *flow, const GridSample *grid, Vec3 cells)
{
    return value_at(flow, grid, 1, cells);
}

static float wind_at(const Flow *flow, const GridSample *grid, Vec3 cells)
{
    return value_at(flow, grid, flow->wind_cell, cells);
}

static Vec3 world_of(const Flow *flow, Vec3 cells)
{
    const BillowView *view = flow->ask->view;
    return vec3_along(vec3_from(view->origin), cells, view->cell_size);
}

/* Projects a position in m to a pixel, counted from the top left. Returns false if the position is
 * behind the camera. */
static bool project(const Flow *flow, const Camera *camera, Vec3 world, float pixel[2])
{
    Vec3 offset = vec3_sub(world, vec3_from(camera->origin));
    float depth = vec3_dot(offset, vec3_from(camera->forward));
    if (!(depth > 1e-4f))
        return false;
    float height = depth * camera->half_height;
    float right = vec3_dot(offset, vec3_from(camera->right)) / (height * camera->aspect);
    float up = vec3_dot(offset, vec3_from(camera->up)) / height;
    pixel[0] = 0.5f * (1 + right) * (float)flow->ask->width;
    pixel[1] = 0.5f * (1 - up) * (float)flow->ask->height;
    return true;
}

/* -- positions in the next picture ------------------------------------------------------------- */

static Vec3 with_fluid(const Flow *flow, Vec3 cells)
{
    Vec3 world = world_of(flow, cells);
    if (flow->velocity[0].values == NULL)
        return world;
    Vec3 velocity = {wind_at(flow, &flow->velocity[0], cells),
                     wind_at(flow, &flow->velocity[1], cells),
                     wind_at(flow, &flow->velocity[2], cells)};
    return vec3_along(world, velocity, (float)flow->ask->seconds);
}

/* With the unit axis a and the angle t: r cos t + (a x r) sin t + a (a . r) (1 - cos t)
 * (Rodrigues). */
Vec3 motion_turned(Vec3 r, Vec3 spin, float seconds)
{
    float speed = vec3_length(spin), angle = speed * seconds;
    if (!(angle > 1e-6f))
        return r;
    Vec3 a = vec3_scale(spin, 1 / speed);
    Vec3 across = {a.y * r.z - a.z * r.y, a.z * r.x - a.x * r.z, a.x * r.y - a.y * r.x};
    Vec3 along = vec3_scale(a, vec3_dot(a, r) * (1 - cosf(angle)));
    return vec3_add(vec3_add(vec3_scale(r, cosf(angle)), vec3_scale(across, sinf(angle))), along);
}

/* Returns the position, m, that a point moves to until the next picture with the solid whose
 * surface is nearest. */
static Vec3 with_solid(const Flow *flow, Vec3 cells)
{
    Vec3 world = world_of(flow, cells);
    const double point[3] = {(double)world.x, (double)world.y, (double)world.z};
    const BillowSolid *nearest = NULL;
    double least = 0;
    for (int s = 0; s < flow->ask->solid_count; s++) {
        const BillowSolid *solid = &flow->ask->solids[s];
        double distance = billow_solid_distance(solid, point);
        if (nearest == NULL || distance < least) {
            nearest = solid;
            least = distance;
        }
    }
    if (nearest == NULL)
        return world;
    float seconds = (float)flow->ask->seconds;
    Vec3 center = vec3_from(nearest->center);
    Vec3 arm = motion_turned(vec3_sub(world, center), vec3_from(nearest->spin), seconds);
    return vec3_along(vec3_add(center, arm), vec3_from(nearest->velocity), seconds);
}

/* Adds the displacement in pixels of smoke or a solid that moves from `cells` to `later` (m). sum:
 * displacement right and down, times `weight`, and the weight. */
static void add(const Flow *flow, Vec3 cells, Vec3 later, float weight, float sum[3])
{
    Vec3 world = world_of(flow, cells);
    float from[2], to[2];
    if (!project(flow, &flow->camera, world, from) || !project(flow, &flow->next, later, to))
        return;
    sum[0] += weight * (to[0] - from[0]);
    sum[1] += weight * (to[1] - from[1]);
    sum[2] += weight;
}

static void trace(const Flow *flow, float x, float y, float vector[3])
{
    const MotionVectorsAsk *ask = flow->ask;
    float from[3], ray[3], begin = 0, end = INFINITY, through = 1, sum[3] = {0};
    camera_ray(ask->camera, ask->width, ask->height, x, y, from, ray);
    /* Distances, in cells, at which the ray enters and leaves the box; begin >= end: it misses. */
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = (from[axis] - ask->view->origin[axis]) * (1 / ask->view->cell_size);
        ray[axis] = fabsf(ray[axis]) < 1e-7f ? 1e-7f : ray[axis]; /* is divided by */
        float a = -from[axis] / ray[axis], b = (flow->grid[axis] - from[axis]) / ray[axis];
        begin = fmaxf(begin, fminf(a, b));
        end = fminf(end, fmaxf(a, b));
    }
    Vec3 origin = vec3_from(from), direction = vec3_from(ray);
    int steps = end > begin ? (int)ceilf(end - begin) : 0;
    float step = steps > 0 ? (end - begin) / (float)steps : 0;
    for (int i = 0; i < steps && through > OPAQUE; i++) {
        Vec3 cells = vec3_along(origin, direction, begin + ((float)i + 0.5f) * step);
        if (flow->solid.values != NULL && wind_at(flow, &flow->solid, cells) < 0) {
            add(flow, cells, with_solid(flow, cells), through, sum);
            through = 0;
            break;
        }
        float matter = fmaxf(smoke_at(flow, &flow->density, cells), 0);
        if (flow->flame.values != NULL)
            matter += ask->smoke->flame * fmaxf(smoke_at(flow, &flow->flame, cells), 0);
        if (!(matter > 0))
            continue;
        float passes = expf(-matter * flow->thickness * step);
        add(flow, cells, with_fluid(flow, cells), through * (1 - passes), sum);
        through *= passes;
    }
    bool seen = sum[2] > NOTHING;
    vector[0] = seen ? sum[0] / sum[2] : 0;
    vector[1] = seen ? sum[1] / sum[2] : 0;
    vector[2] = 1 - through;
}

void motion_vectors_fill(const MotionVectorsAsk *ask, float *vectors)
{
    Flow flow = prepare(ask);
    float wide = (float)ask->width / (float)ask->across;
    float high = (float)ask->height / (float)ask->down;
#pragma omp parallel for schedule(dynamic, 1)
    for (int row = 0; row < ask->down; row++)
        for (int column = 0; column < ask->across; column++) {
            size_t at = (size_t)row * (size_t)ask->across + (size_t)column;
            trace(&flow, ((float)column + 0.5f) * wide, ((float)row + 0.5f) * high,
                  vectors + MOTION_VECTOR_FLOATS * at);
        }
}
