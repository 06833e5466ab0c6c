/* SPDX-License-Identifier: MIT
 * Built-in scenes after a minute, those that are named or all: no fog that fills the box, no noise
 * from cell to cell in clear air, no smoke that piles up at open faces. */
#include "scene/scene_play.h"
#include "scene_fixture.h"

/* Cells along the edge of a cube of the box's volume, simulated time, s, and how many of its last
 * seconds are measured: eddies that leave the box carry much smoke now and little then. */
enum { CELLS = 24, SECONDS = 60, MEASURED = 20 };

/* What may not spread, of a scene after a minute: means of its last seconds. */
typedef struct Minute {
    double
        fog; /* share of the cells with thin smoke: optical depths of 0.05 to 0.5 across the box */
    double noise; /* velocity less the mean of its neighbours, in clear air, relative to the
                     greatest speed of that minute */
    double walls; /* mean density of the cells at open faces, relative to the mean of the box */
} Minute;

/* Whether a cell lies at an open face. */
static bool at_open_face(const BillowDef *def, const int cell[3])
{
    const int n[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++)
        if ((cell[axis] == 0 && def->faces[2 * axis] == BILLOW_OPEN) ||
            (cell[axis] == n[axis] - 1 && def->faces[2 * axis + 1] == BILLOW_OPEN))
            return true;
    return false;
}

/* Square of a velocity component less the mean of its neighbours, summed over the components. */
static double roughness(const BillowView *view, ptrdiff_t at)
{
    const float *const velocity[3] = {view->u, view->v, view->w};
    const ptrdiff_t strides[3] = {1, view->stride_y, view->stride_z};
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *u = velocity[axis] + at;
        double mean = 0;
        for (int a = 0; a < 3; a++)
            mean += (double)(u[strides[a]] + u[-strides[a]]) / 6;
        sum += ((double)u[0] - mean) * ((double)u[0] - mean);
    }
    return sum;
}

/* Roughness of the wind, m/s, in cells of clear air. clear: density below which air is clear. */
static double clear_roughness(const BillowView *view, float clear)
{
    const BillowView wind = billow_wind_view(view);
    const int r = view->refine;
    double rough = 0;
    int count = 0;
    for (int k = 1; k < wind.nz - 1; k++)
        for (int j = 1; j < wind.ny - 1; j++)
            for (int i = 1; i < wind.nx - 1; i++) {
                const ptrdiff_t smoke = r * i + r / 2 + (r * j + r / 2) * view->stride_y +
                                        (r * k + r / 2) * view->stride_z;
                if (view->density[smoke] < clear) {
                    rough += roughness(&wind, i + j * wind.stride_y + k * wind.stride_z);
                    count++;
                }
            }
    return count > 0 ? sqrt(rough / count) : 0;
}

static Minute measure(const BillowView *view, const Scene *scene, const BillowDef *def,
                      double speed)
{
    const float depth =
        scene->render.smoke.extinction * view->cell_size * (float)(CELLS * view->refine);
    double thin = 0, smoke = 0, edge = 0;
    int edges = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                const int r = view->refine, cell[3] = {i / r, j / r, k / r};
                float density = view->density[i + j * view->stride_y + k * view->stride_z];
                thin += depth * density > 0.05f && depth * density < 0.5f;
                smoke += (double)density;
                if (at_open_face(def, cell)) {
                    edge += (double)density;
                    edges++;
                }
            }
    double cells = (double)view->nx * view->ny * view->nz;
    return (Minute){.fog = thin / cells,
                    .noise = clear_roughness(view, 0.05f / depth) / speed,
                    .walls = edges > 0 && smoke > 0 ? edge / edges / (smoke / cells) : 0};
}

static void add(Minute *sum, const Minute *now, double share)
{
    sum->fog += share * now->fog;
    sum->noise += share * now->noise;
    sum->walls += share * now->walls;
}

static Minute play_minute(const char *name)
{
    BillowError error;
    Scene scene;
    char grid[16];
    assert_true(scene_load(name, &scene, &error));
    const float *size = scene.domain.size;
    float longest = fmaxf(size[0], fmaxf(size[1], size[2]));
    snprintf(grid, sizeof grid, "%d", (int)(CELLS * longest / cbrtf(size[0] * size[1] * size[2])));
    assert_true(scene_set_grid(&scene, grid, &error));
    BillowDef def = scene_def(&scene);
    def.threads = 1; /* teams wait longer than so few cells take */
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    BillowSim *sim = play != NULL ? billow_create(&def, &error) : NULL;
    if (sim == NULL)
        fail_msg("%s: %s", name, error.text);
    double speed = 0; /* greatest so far, m/s */
    Minute mean = {0};
    int measured = 0;
    for (double time = 0; time < SECONDS; time += (double)scene.step) {
        assert_true(scene_play_prepare(play, sim, (double)scene.step, &error));
        billow_step(sim, (double)scene.step);
        speed = fmax(speed, (double)billow_stats(sim).speed_max);
        if (time < SECONDS - MEASURED + measured)
            continue;
        const BillowView view = billow_view(sim);
        const Minute now = measure(&view, &scene, &def, speed);
        add(&mean, &now, 1.0 / MEASURED);
        measured++;
    }
    assert_int_equal(measured, MEASURED);
    scene_play_destroy(play);
    billow_destroy(sim);
    return mean;
}

/* Whether a scene stays as it should. */
static bool lasts(const char *name)
{
    const Minute found = play_minute(name);
    printf("%-14s fog %.3f noise %.4f walls %.3f\n", name, found.fog, found.noise, found.walls);
    return found.fog < 0.3 && found.noise < 0.2 && found.walls < 1.3;
}

static char *const *names;

static void test_a_minute(void **state)
{
    (void)state;
    int bad = 0;
    for (int i = 0; names[i] != NULL; i++)
        bad += !lasts(names[i]);
    for (int i = 0; names[0] == NULL && scene_builtin_name(i) != NULL; i++)
        bad += !lasts(scene_builtin_name(i));
    assert_int_equal(bad, 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    names = argv + 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_minute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
