/* SPDX-License-Identifier: MIT
 * The picture of OpenGL's shaders against the one that the CPU paints of the same flow. */
#include "cases.h"

#include "fail.h"
#include "painter.h"
#include "scene_play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDE = 240, HIGH = 160, CELLS = 40 };

/* A flow to look at; set: what its scene is changed by. */
typedef struct Sight {
    const char *what, *scene, *set;
    int steps;
} Sight;

/* Largest difference of one colour in one pixel, of 1; NaN where the run ended. */
static double compare(VerifyRun *run, const BillowView *view, const RenderSettings *settings,
                      double *mean)
{
    static uint8_t drawn[3 * WIDE * HIGH], painted[3 * WIDE * HIGH];
    RenderFrame frame = render_default_frame();
    frame.width = WIDE;
    frame.height = HIGH;
    Painter *painter = painter_create(&run->error);
    run->failed = painter == NULL || !painter_draw(painter, view, settings, &frame, &run->error) ||
                  !run->draw(run->drawing, view, settings, &frame, drawn, &run->error);
    if (!run->failed)
        painter_read(painter, 3, painted);
    painter_destroy(painter);
    int most = 0;
    double sum = 0;
    for (int i = 0; i < 3 * WIDE * HIGH && !run->failed; i++) {
        int off = abs(drawn[i] - painted[i]);
        most = off > most ? off : most;
        sum += off;
    }
    *mean = sum / (3 * WIDE * HIGH) / 255;
    return run->failed ? (double)NAN : most / 255.0;
}

/* What no painter knows is left out. */
static bool open_scene(const Sight *sight, Scene *scene, BillowError *error)
{
    const char *overrides[2] = {"smoke.detail=0", sight->set};
    char grid[16];
    snprintf(grid, sizeof grid, "%d", CELLS);
    const SceneRequest request = {sight->scene, grid, overrides, sight->set != NULL ? 2 : 1};
    return scene_open(&request, scene, error);
}

static void look_at(VerifyRun *run, const Sight *sight, double done, double share)
{
    Scene scene;
    if (!open_scene(sight, &scene, &run->error)) {
        run->failed = true;
        return;
    }
    BillowDef def = scene_def(&scene);
    def.threads = run->threads;
    ScenePlay *play = scene_play_create(&scene, &def, &run->error);
    BillowSim *sim = play != NULL ? billow_create(&def, &run->error) : NULL;
    run->failed = sim == NULL;
    for (int step = 0; step < sight->steps && !run->failed && !run->stopped; step++) {
        run->failed = !scene_play_prepare(play, sim, (double)scene.step, &run->error);
        if (!run->failed)
            billow_step(sim, (double)scene.step);
        run->stopped = !run->go_on(run->context, done + share * step / sight->steps);
    }
    if (!run->failed && !run->stopped) {
        char what[96];
        double mean;
        BillowView view = billow_view(sim);
        double most = compare(run, &view, &scene.render, &mean);
        snprintf(what, sizeof what, "%s: largest difference of one colour of a pixel", sight->what);
        if (!run->failed)
            row_absolute(run, what, most, 0, 2.0 / 255);
        snprintf(what, sizeof what, "%s: mean difference", sight->what);
        if (!run->failed)
            row_report(run, what, mean, 0);
    }
    billow_destroy(sim);
    scene_play_destroy(play);
}

static void run_renderer(VerifyRun *run)
{
    static const Sight sights[] = {
        {"plume", "plume", NULL, 60},
        {"plume by a lamp", "plume",
         "lamps=[{position: [0.5, 0.8, 1.5], intensity: 3, radius: 0.03}]", 60},
        {"fire", "fire", NULL, 40},
        {"solids", "sphere", NULL, 40},
        {"colours", "gases", NULL, 50},
    };
    enum { COUNT = sizeof sights / sizeof *sights };
    BillowError reason;
    if (run->draw == NULL || !run->draw(run->drawing, NULL, NULL, NULL, NULL, &reason)) {
        row_report(run, "left out: there is no OpenGL here, only the CPU's picture", 0,
                   (double)NAN);
        return;
    }
    for (int s = 0; s < COUNT && !run->failed && !run->stopped; s++)
        look_at(run, &sights[s], (double)s / COUNT, 1.0 / COUNT);
}

const VerifyCase renderer_cases[] = {
    {"renderer", "Pictures by OpenGL against pictures by the CPU",
     "Billow's own shaders and painter", "Five flows on 40 cells, drawn by both at 240x160 pixels.",
     true, run_renderer},
    {0},
};
