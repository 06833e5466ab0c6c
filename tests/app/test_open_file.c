/* SPDX-License-Identifier: MIT
 * Files dropped on the window play, join the scene or light it, without a window. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#define _DEFAULT_SOURCE
#include "app/open_file.h"
#include "scene/scene_gather.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session_fixture.h" /* these last: cmocka has another fail */

#include "panorama_fixture.h"
#include "volume_fixture.h"

enum { WIDTH = 640, HEIGHT = 360 };

static char folder[] = "/tmp/billow-drop-XXXXXX", kept[] = "/tmp/billow-kept-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][200];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* -- the files --------------------------------------------------------------------------------- */

static const int corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                   {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                   {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/* Corner c of a box of these edges, m. */
static void corner_of(int c, const float edges[3], float corner[3])
{
    for (int a = 0; a < 3; a++)
        corner[a] = (c >> a & 1) != 0 ? edges[a] : 0;
}

static void write_obj(const char *path, const float edges[3], int faces)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    for (int c = 0; c < 8; c++) {
        float at[3];
        corner_of(c, edges, at);
        fprintf(stream, "v %g %g %g\n", (double)at[0], (double)at[1], (double)at[2]);
    }
    for (int f = 0; f < faces; f++)
        fprintf(stream, "f %d %d %d\n", corners[f][0] + 1, corners[f][1] + 1, corners[f][2] + 1);
    assert_int_equal(fclose(stream), 0);
}

static void write_stl(const char *path, const float edges[3])
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "solid box\n");
    for (int f = 0; f < 12; f++) {
        fprintf(stream, "facet normal 0 0 0\nouter loop\n");
        for (int c = 0; c < 3; c++) {
            float at[3];
            corner_of(corners[f][c], edges, at);
            fprintf(stream, "vertex %g %g %g\n", (double)at[0], (double)at[1], (double)at[2]);
        }
        fprintf(stream, "endloop\nendfacet\n");
    }
    fprintf(stream, "endsolid box\n");
    assert_int_equal(fclose(stream), 0);
}

static void evening(const float to[3], float rgb[3])
{
    for (int c = 0; c < 3; c++)
        rgb[c] = 0.5f + 0.4f * to[1];
}

/* A cloud of 5.25 x 3.25 x 2.5 m, as volume_fixture.h paints it. */
static bool write_vdb(const char *path, bool empty, bool vectors)
{
    VolumeFrame frame;
    BillowError error = {""};
    if (!vdb_file_available(&error))
        return false;
    assert_true(volume_make(&frame, VOLUME_UP_Y, &error));
    for (int f = 0; f < frame.field_count; f++)
        if (empty)
            memset(frame.fields[f].values, 0,
                   sizeof(float) * VOLUME_NX * VOLUME_NY * VOLUME_NZ *
                       (size_t)frame.fields[f].of.components);
    VolumeField kept_field = frame.fields[0];
    const int count = frame.field_count;
    for (int f = 0; f < count; f++)
        if (vectors && frame.fields[f].of.components == 3) {
            frame.fields[0] = frame.fields[f];
            frame.field_count = 1;
        }
    if (!vdb_file_write(path, &frame, NULL, &error))
        fail_msg("%s", error.text);
    frame.fields[0] = kept_field;
    frame.field_count = count;
    volume_frame_destroy(&frame);
    return true;
}

static int make_files(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || mkdtemp(kept) == NULL)
        return -1;
    write_obj(path_of("cube.obj"), (const float[3]){0.4f, 0.4f, 0.4f}, 12);
    write_obj(path_of("tower.obj"), (const float[3]){50, 300, 100}, 12);
    write_obj(path_of("open.obj"), (const float[3]){1, 1, 1}, 11);
    write_stl(path_of("part.stl"), (const float[3]){0.2f, 0.3f, 0.8f});
    write_text(path_of("scene.yaml"), "name: mine\ntitle: a scene of mine\ndomain: {cells: 16}\n"
                                      "emitters: [{center: [0.5, 0.2, 0.5]}]\n");
    write_text(path_of("bad.yaml"), "name: bad\nbouyancy: 3\n");
    write_text(path_of("notes.txt"), "hello\n");
    write_text(path_of("wrong.ckpt"), "hello\n");
    write_text(path_of("wrong.bwr"), "hello\n");
    write_text(path_of("wrong.vdb"), "hello\n");
    write_text(path_of("wrong.csv"), "hello\n");
    panorama_write(path_of("evening.hdr"), 16, evening);
    write_text(path_of("wrong.hdr"), "hello\n");
    return mkdir(path_of("inner"), 0777);
}

static void remove_all(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

static int remove_files(void **state)
{
    (void)state;
    remove_all(folder);
    remove_all(kept);
    return 0;
}

/* -- the window -------------------------------------------------------------------------------- */

static const char *const view[] = {"camera.azimuth=0", "camera.elevation=20", "solver.cycles=2"};
static const AppOptions options = {.capture_folder = kept}, kiosk = {.kiosk = true};

static void settle(Session *session)
{
    BillowError error = {""};
    do {
        SDL_Delay(1);
        const WorldEvent event = world_poll(&session->world, &error);
        if (event == WORLD_RETURNED || event == WORLD_FAILED)
            fail_msg("%s", error.text);
        session->snapshot = world_snapshot(&session->world);
    } while (session->world.changing || session->snapshot == NULL);
    panel_follow(session);
}

static Session *open_scene(const char *scene)
{
    Session *session = calloc(1, sizeof *session);
    BillowError error = {{0}};
    assert_non_null(session);
    const SceneRequest request = {
        .name_or_path = scene, .grid = "20", .refine = 1, .overrides = view, .override_count = 3};
    session->options = &options;
    session->window.width = session->window.point_width = WIDTH;
    session->window.height = session->window.point_height = HEIGHT;
    session->now = 1;
    if (!world_open(&session->world, &request, NULL, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    session->panel = panel_create(&error);
    assert_non_null(session->panel);
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    panel_follow(session);
    settle(session);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    return session;
}

static void close_scene(Session *session)
{
    panel_destroy(session->panel);
    world_close(&session->world);
    free(session);
}

/* Drops a file at a pixel. */
static void drop(Session *session, const char *path, int x, int y)
{
    SDL_Event event = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup(path)}};
    session->texts.message[0] = '\0';
    session->hand.x = (float)x;
    session->hand.y = (float)y;
    session->hand.inside = true;
    SDL_PushEvent(&event);
    input_handle(session);
    panel_follow(session);
    settle(session);
}

static void undo(Session *session)
{
    action_undo(session);
    panel_follow(session);
    settle(session);
}

static void assert_said(const Session *session, const char *words)
{
    if (strstr(session->texts.message, words) == NULL)
        fail_msg("'%s' is not '%s'", session->texts.message, words);
}

static void assert_near(float value, float expected, float off)
{
    if (!(fabsf(value - expected) <= off))
        fail_msg("%g is not %g", (double)value, (double)expected);
}

/* -- meshes ------------------------------------------------------------------------------------ */

static void a_mesh_stands_where_it_is_dropped(void **state)
{
    (void)state;
    Session *session = open_scene("plume"); /* 2 x 2 x 2 m, on a floor */
    const Scene before = session->panel->editor.shown;
    int x, y;
    find_pixel(session, (const float[3]){1.4f, 0, 1.5f}, &x, &y);
    drop(session, path_of("cube.obj"), x, y);
    assert_said(session, "cube.obj stands at (1.4, 0.2, 1.5) m, 0.4 m long; Ctrl Z takes it away");
    assert_int_equal(session->world.scene.def.solid_count, 1);
    const BillowSolid *solid = &session->snapshot->solids[0];
    assert_near(solid->center[0], 1.4f, 0.01f);
    assert_near(solid->center[1], 0.2f, 1e-4f); /* its lower face is on the floor */
    assert_near(solid->center[2], 1.5f, 0.02f);
    assert_near(solid->size[0], 0.2f, 1e-5f); /* as in the file */
    assert_non_null(solid->volume);
    undo(session);
    assert_int_equal(session->world.scene.def.solid_count, 0);
    assert_int_equal(scene_difference(&before, &session->world.scene).effects, 0);
    close_scene(session);
}

/* A mesh in other units, and one whose z points up. */
static void a_mesh_gets_a_size_and_its_feet(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    int x, y;
    find_pixel(session, (const float[3]){1, 0, 1}, &x, &y);
    drop(session, path_of("tower.obj"), x, y);
    assert_said(session, "tower.obj stands");
    assert_said(session, "scaled to 0.67 m long");
    const BillowSolid *solid = &session->snapshot->solids[0];
    assert_near(solid->size[0], 1.0f / 3, 1e-4f);
    assert_near(solid->center[1], 1.0f / 3, 1e-4f);
    find_pixel(session, (const float[3]){0.4f, 0, 1}, &x, &y);
    drop(session, path_of("part.stl"), x, y);
    solid = &session->snapshot->solids[1];
    assert_near(solid->center[1], 0.4f, 1e-4f);
    double inside = billow_solid_distance(
        solid, (const double[3]){(double)solid->center[0], 0.75, (double)solid->center[2]});
    assert_true(inside < 0); /* 0.8 m high, though the file says z */
    close_scene(session);
}

/* The second cube stands on the first, on which it is dropped. */
static void meshes_are_stacked(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    int x, y;
    find_pixel(session, (const float[3]){1.3f, 0, 1}, &x, &y);
    drop(session, path_of("cube.obj"), x, y);
    find_pixel(session, (const float[3]){1.3f, 0.2f, 1.2f}, &x, &y); /* its front */
    drop(session, path_of("cube.obj"), x, y);
    assert_int_equal(session->world.scene.def.solid_count, 2);
    const BillowSolid *solids = session->snapshot->solids;
    assert_near(solids[1].center[1] - solids[0].center[1], 0.4f, 0.08f);
    assert_near(solids[1].center[0], 1.3f, 0.02f);
    assert_string_equal(session->world.scene.solid_names[0].text, "cube");
    assert_string_equal(session->world.scene.solid_names[1].text, "cube 2");
    for (int more = 0; more < 4; more++)
        drop(session, path_of("cube.obj"), x, y);
    const int count = session->world.scene.def.solid_count;
    assert_true(count == 4 || count == 5); /* 2 m are full */
    assert_said(session, "cube.obj: there is no room for it above the solids here");
    close_scene(session);
}

static void with_shift_it_is_an_emitter(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    const int count = session->world.scene.def.emitter_count;
    const uint64_t resets = session->snapshot->resets;
    int x, y;
    find_pixel(session, (const float[3]){1.4f, 0, 1.2f}, &x, &y);
    session->hand.modifiers = KMOD_LSHIFT;
    drop(session, path_of("cube.obj"), x, y);
    assert_said(session, "cube.obj is an emitter at (1.4, 0.2, 1.2) m, 0.4 m long");
    assert_int_equal(session->world.scene.def.emitter_count, count + 1);
    assert_int_equal(session->snapshot->resets, resets); /* the smoke goes on */
    const BillowEmitter *emitter = &session->world.scene.def.emitters[count];
    assert_true(emitter->shape == BILLOW_VOLUME);
    assert_near(emitter->smoke, session->world.scene.brush.smoke, 0);
    assert_string_equal(session->world.scene.emitter_forms[count].mesh, path_of("cube.obj"));
    undo(session);
    assert_int_equal(session->world.scene.def.emitter_count, count);
    close_scene(session);
}

/* -- volumes ----------------------------------------------------------------------------------- */

/* Sum of the densities of the cells within `most` of a place, 1. */
static double density_near(const Session *session, const float place[3], double most)
{
    const BillowView *smoke = &session->snapshot->view;
    double sum = 0;
    for (int k = 0; k < smoke->nz; k++)
        for (int j = 0; j < smoke->ny; j++)
            for (int i = 0; i < smoke->nx; i++) {
                const int at[3] = {i, j, k};
                double away = 0;
                for (int a = 0; a < 3; a++)
                    away = fmax(away, fabs((double)smoke->origin[a] - (double)place[a] +
                                           (at[a] + 0.5) * (double)smoke->cell_size));
                if (away < most)
                    sum += (double)smoke->density[i + j * smoke->stride_y + k * smoke->stride_z];
            }
    return sum;
}

static void smoke_joins_at_the_start(void **state)
{
    (void)state;
    if (!write_vdb(path_of("cloud.vdb"), false, false))
        skip();
    Session *session = open_scene("plume");
    int x, y;
    find_pixel(session, (const float[3]){1.2f, 0, 1.5f}, &x, &y);
    drop(session, path_of("cloud.vdb"), x, y);
    assert_said(session, "cloud.vdb is the smoke at the start, at (1.2, 0.21, 1.5) m, scaled to "
                         "0.67 m long; Ctrl Z takes it away");
    const SceneInitial *initial = &session->world.scene.initial;
    assert_string_equal(initial->vdb, path_of("cloud.vdb"));
    assert_near(initial->scale, 2 / 3.0f / 5.25f, 1e-3f);
    const double all = density_near(session, (const float[3]){1, 1, 1}, 10);
    const float middle[3] = {1.2f, 0.2f, 1.5f};
    assert_true(all > 0 && density_near(session, middle, 0.4) > 0.999 * all);
    undo(session);
    assert_string_equal(session->world.scene.initial.vdb, "");
    session->hand.modifiers = KMOD_LSHIFT;
    drop(session, path_of("cloud.vdb"), x, y);
    const int last = session->world.scene.def.emitter_count - 1;
    assert_said(session, "cloud.vdb is an emitter at (1.2, 0.21, 1.5) m");
    assert_string_equal(session->world.scene.emitter_forms[last].vdb, path_of("cloud.vdb"));
    assert_string_equal(session->world.scene.emitter_forms[last].grid, "density");
    undo(session);
    write_vdb(path_of("cloud.vdb"), true, false);
    drop(session, path_of("cloud.vdb"), x, y);
    assert_said(session, "cloud.vdb: it is empty");
    write_vdb(path_of("cloud.vdb"), false, true);
    drop(session, path_of("cloud.vdb"), x, y);
    assert_said(session,
                "cloud.vdb: it has no field of numbers that is called density, or is the only "
                "one; its grids are: ");
    close_scene(session);
    unlink(path_of("cloud.vdb"));
}

/* Particles are an emitter at the place of the cursor, also without shift. */
static void particles_join(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    int x, y;
    write_text(path_of("debris.csv"), "time,x,y,z,radius\n0,-0.1,0,0.2,0.05\n0,0.3,0,0.2,0.05\n"
                                      "1,-0.1,0.1,0.4,0.05\n1,0.3,0.1,0.6,0.05\n");
    find_pixel(session, (const float[3]){1.2f, 0, 1.4f}, &x, &y);
    drop(session, path_of("debris.csv"), x, y);
    const Scene *scene = &session->world.scene;
    const int last = scene->def.emitter_count - 1;
    assert_said(session, "debris.csv is an emitter at (1.2, 0.25, 1.4) m, 0.5 m long");
    assert_string_equal(scene->emitter_forms[last].particles, path_of("debris.csv"));
    assert_near(scene->emitter_forms[last].particle_radius, 0, 0);
    /* Their box is -0.15 to 0.35 m wide, 0.15 to 0.65 high and -0.15 to 0.05 deep. */
    const float origin[3] = {1.2f - 0.1f, -0.15f, 1.4f + 0.05f};
    for (int a = 0; a < 3; a++)
        assert_near(scene->def.emitters[last].center[a], origin[a], 0.02f);
    assert_near(scene->def.emitters[last].size[0], 1, 0);
    undo(session);
    write_text(path_of("debris.csv"), "x,y,z\n0,0,0\n400,0,0\n");
    drop(session, path_of("debris.csv"), x, y);
    assert_said(session, "debris.csv is an emitter at (1.2, 0");
    assert_non_null(strstr(session->texts.message, "scaled to 0.67 m long"));
    assert_near(session->world.scene.emitter_forms[last].particle_radius, 8, 1e-3f);
    undo(session);
    write_text(path_of("debris.csv"), "x,y,z\n");
    drop(session, path_of("debris.csv"), x, y);
    assert_said(session, "debris.csv: it holds no particles");
    close_scene(session);
    unlink(path_of("debris.csv"));
}

/* -- light, and what plays --------------------------------------------------------------------- */

static void a_panorama_lights_the_scene(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    drop(session, path_of("evening.hdr"), 10, 10);
    assert_said(session, "evening.hdr lights the scene; Ctrl Z takes it away");
    assert_int_equal(session->world.render.surroundings.kind, RENDER_PANORAMA);
    assert_string_equal(session->world.render.surroundings.file, path_of("evening.hdr"));
    undo(session);
    assert_int_equal(session->world.render.surroundings.kind, RENDER_AIR);
    close_scene(session);
}

static void scenes_checkpoints_and_recordings_play(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    BillowError error = {""};
    assert_true(editor_set(&session->panel->editor, "solver.vorticity=3", true, &error));
    panel_follow(session);
    drop(session, path_of("scene.yaml"), 10, 10);
    assert_string_equal(session->world.scene.name, "mine");
    assert_said(session, "Ctrl Z: back to plume as you had changed it");
    undo(session);
    assert_string_equal(session->world.scene.name, "plume");
    assert_near(session->world.scene.def.params.vorticity, 3, 0);
    action_checkpoint(session);
    for (int tries = 0; session->autosave.saved[0] == 0 && tries < 10000; tries++) {
        SDL_Delay(1);
        autosave_frame(session);
    }
    char checkpoint[200];
    snprintf(checkpoint, sizeof checkpoint, "%.199s", session->autosave.saved);
    drop(session, path_of("scene.yaml"), 10, 10);
    drop(session, checkpoint, 10, 10);
    assert_string_equal(session->world.scene.name, "plume");
    assert_near(session->world.scene.def.params.vorticity, 3, 0);
    assert_string_equal(session->world.checkpoint, checkpoint);
    if (!world_record(&session->world, path_of("hands.bwr"), false, &error))
        fail_msg("%s", error.text);
    assert_false(world_record(&session->world, path_of("more.bwr"), false, &error));
    assert_non_null(strstr(error.text, "hands are being recorded to "));
    drop(session, path_of("scene.yaml"), 10, 10); /* ends the recording: another may begin */
    if (!world_record(&session->world, path_of("more.bwr"), false, &error))
        fail_msg("%s", error.text);
    drop(session, path_of("scene.yaml"), 10, 10);
    assert_true(world_close_record(&session->world, &error));
    drop(session, path_of("hands.bwr"), 10, 10);
    assert_string_equal(session->world.scene.name, "plume");
    assert_string_equal(session->world.from, path_of("hands.bwr"));
    assert_non_null(session->world.script);
    close_scene(session);
}

/* -- refusals ---------------------------------------------------------------------------------- */

/* Names that a scene cannot hold. */
static void paths_are_short_and_plain(void **state)
{
    (void)state;
    char deep[900];
    int length = snprintf(deep, sizeof deep, "%s", folder);
    Session *session = open_scene("plume");
    for (int level = 0; level < 3; level++) {
        length += snprintf(deep + length, sizeof deep - (size_t)length, "/%0220d", level);
        assert_int_equal(mkdir(deep, 0777), 0);
        if (level == 0)
            continue;
        snprintf(deep + length, sizeof deep - (size_t)length, "/cube.obj");
        write_obj(deep, (const float[3]){0.4f, 0.4f, 0.4f}, 12);
        drop(session, deep, WIDTH / 2, HEIGHT / 2);
        assert_said(session, "cube.obj: lies in folders whose names are too long");
        deep[length] = '\0';
    }
    write_obj(path_of("a\nb.obj"), (const float[3]){0.4f, 0.4f, 0.4f}, 12);
    drop(session, path_of("a\nb.obj"), WIDTH / 2, HEIGHT / 2);
    assert_said(session, "its path has characters that a scene cannot hold");
    drop(session, path_of("cube.obj"), WIDTH / 2, HEIGHT / 2);
    BillowError error;
    snprintf(deep + length, sizeof deep - (size_t)length, "/mine.yaml");
    assert_false(
        editor_save_as(&session->panel->editor, &session->world.render.camera, deep, NULL, &error));
    assert_non_null(strstr(error.text, ": the names of its folders are too long for a copy of "));
    close_scene(session);
}

static void what_is_no_good_says_so_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"notes.txt", "notes.txt: Billow opens scenes (.yaml), checkpoints (.ckpt), recordings"},
        {"wrong.ckpt", "wrong.ckpt is not a checkpoint of Billow"},
        {"wrong.bwr", "wrong.bwr is not a recording of hands"},
        {"bad.yaml", "bad.yaml:2:1: key 'bouyancy' is not known here"},
        {"open.obj", "open.obj: "},
        {"wrong.vdb", "wrong.vdb: "},
        {"wrong.csv", "wrong.csv: "},
        {"wrong.hdr", "wrong.hdr: "},
        {"inner", "inner cannot be opened: it is a folder"},
        {"missing.obj", "missing.obj cannot be opened: "},
    };
    Session *session = open_scene("plume");
    const Scene before = session->panel->editor.shown;
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        drop(session, path_of(refused[r][0]), WIDTH / 2, HEIGHT / 2);
        assert_said(session, refused[r][1]);
        assert_null(strchr(session->texts.message, '\n'));
        assert_int_equal(scene_difference(&before, &session->panel->editor.shown).effects, 0);
        assert_int_equal(history_undos(session->panel->editor.history), 0);
    }
    session->options = &kiosk;
    drop(session, path_of("cube.obj"), WIDTH / 2, HEIGHT / 2);
    assert_said(session, "not available in kiosk mode");
    assert_int_equal(session->world.scene.def.solid_count, 0);
    close_scene(session);
}

/* -- saving ------------------------------------------------------------------------------------ */

/* The scene that was saved has the same values, apart from the places of its files. */
static void assert_same_scene(const Scene *saved, const Scene *scene)
{
    Scene moved = *saved;
    for (int s = 0; s < 2; s++)
        memcpy(moved.solid_forms[s].mesh, scene->solid_forms[s].mesh, SCENE_PATH);
    memcpy(moved.render.surroundings.file, scene->render.surroundings.file,
           sizeof moved.render.surroundings.file);
    moved.render.camera = scene->render.camera;
    const SceneDifference found = scene_difference(scene, &moved);
    if (found.effects != 0)
        fail_msg("%s differs", found.first);
}

static void a_saved_scene_has_what_joined_it(void **state)
{
    (void)state;
    Session *session = open_scene("plume");
    char path[200], copy[200];
    BillowError error;
    Scene back;
    drop(session, path_of("cube.obj"), WIDTH / 2, HEIGHT / 2);
    drop(session, path_of("evening.hdr"), WIDTH / 2, HEIGHT / 2);
    drop(session, path_of("cube.obj"), WIDTH / 2, HEIGHT / 2);
    for (int time = 0; time < 2; time++) { /* the second one uses the copies of the first */
        snprintf(path, sizeof path, "%s/mine.yaml", kept);
        int copied = 0;
        if (!editor_save_as(&session->panel->editor, &session->world.render.camera, path, &copied,
                            &error))
            fail_msg("%s", error.text);
        assert_int_equal(copied, 2);
        if (!scene_load(path, &back, &error))
            fail_msg("%s", error.text);
        snprintf(copy, sizeof copy, "%s/mine-files/cube.obj", kept);
        assert_string_equal(back.solid_forms[0].mesh, copy);
        assert_same_scene(&back, &session->panel->editor.shown);
        snprintf(copy, sizeof copy, "%s/mine-files/cube-2.obj", kept);
        assert_int_not_equal(access(copy, F_OK), 0);
    }
    action_save(session);
    snprintf(path, sizeof path, "saved %s/plume.yaml and 2 files in plume-files", kept);
    assert_said(session, path);
    /* Another file of the same name gets another one, and a failure leaves no copies. */
    write_obj(path_of("cube.obj"), (const float[3]){0.5f, 0.4f, 0.4f}, 12);
    snprintf(path, sizeof path, "%s/mine.yaml", kept);
    assert_true(
        editor_save_as(&session->panel->editor, &session->world.render.camera, path, NULL, &error));
    assert_int_equal(access(copy, F_OK), 0);
    snprintf(path, sizeof path, "%s/inner.yaml", kept);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(
        editor_save_as(&session->panel->editor, &session->world.render.camera, path, NULL, &error));
    snprintf(path, sizeof path, "%s/inner-files", kept);
    assert_int_not_equal(access(path, F_OK), 0);
    for (int number = 3; number < 100; number++) {
        snprintf(path, sizeof path, "%s/mine-files/cube-%d.obj", kept, number);
        write_text(path, "another\n");
    }
    write_obj(path_of("cube.obj"), (const float[3]){0.6f, 0.4f, 0.4f}, 12);
    snprintf(path, sizeof path, "%s/mine.yaml", kept);
    assert_false(
        editor_save_as(&session->panel->editor, &session->world.render.camera, path, NULL, &error));
    assert_non_null(strstr(error.text, "mine-files already holds 99 other files called cube.obj"));
    write_obj(path_of("cube.obj"), (const float[3]){0.4f, 0.4f, 0.4f}, 12);
    close_scene(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_stands_where_it_is_dropped),
        cmocka_unit_test(a_mesh_gets_a_size_and_its_feet),
        cmocka_unit_test(meshes_are_stacked),
        cmocka_unit_test(with_shift_it_is_an_emitter),
        cmocka_unit_test(smoke_joins_at_the_start),
        cmocka_unit_test(particles_join),
        cmocka_unit_test(a_panorama_lights_the_scene),
        cmocka_unit_test(scenes_checkpoints_and_recordings_play),
        cmocka_unit_test(paths_are_short_and_plain),
        cmocka_unit_test(what_is_no_good_says_so_and_changes_nothing),
        cmocka_unit_test(a_saved_scene_has_what_joined_it),
    };
    if (SDL_Init(SDL_INIT_EVENTS) != 0)
        return 1;
    int failed = cmocka_run_group_tests_name("open_file", tests, make_files, remove_files);
    SDL_Quit();
    return failed;
}
