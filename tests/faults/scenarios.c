/* SPDX-License-Identifier: MIT
 * Small runs of the program during which calls fail. Together they cover everything that it reads,
 * writes, draws and starts. */
#include "walk.h"

#define GRID    " --grid 8 --refine 1 --threads 1 "
#define PICTURE GRID "--size 32x24 --quality draft "
#define SCENE   "../given/scene.yaml"

/* A checkpoint to go on from, which the run without a fault makes for all. */
#define START "../given/start.billow"
#define STARTED                                                                                    \
    "[ -e " START " ] || BILLOW_FAULTS= \"$BILLOW\" sim " SCENE " --steps 2 --threads 1 --quiet "  \
    "--checkpoint " START " >/dev/null; "

/* Its results differ from run to run, and it reports failures itself. */
#define IN_WINDOW                                                                                  \
    .varies = "*", .keeps = "*", .words_vary = true, .shows = true, .draws = true, .needs = "screen"

const Scenario scenarios[] = {
    {.name = "help",
     .line = "\"$BILLOW\" --help && \"$BILLOW\" run --help && \"$BILLOW\" --version && "
             "\"$BILLOW\" verify --list"},
    {.name = "scenes", .line = "\"$BILLOW\" scenes --keys && \"$BILLOW\" scenes"},
    {.name = "check", .line = "\"$BILLOW\" check " SCENE},
    {.name = "check_fire", .line = "\"$BILLOW\" check fire --grid 16", .quick = true},
    {.name = "write",
     .line = "cp ../given/cube.obj " SCENE " . && \"$BILLOW\" check scene.yaml --write a.yaml",
     .quick = true},
    {.name = "meshes",
     .line = "cp ../given/prism.stl ../given/meshes.yaml . && { cat ../given/cube.obj && awk "
             "'BEGIN { for (i = 0; i < 2000; i++) print \"v\", i % 7 / 7, i % 5 / 5, 0 }'; } > "
             "many.obj && \"$BILLOW\" check meshes.yaml"},
    {.name = "sim",
     .line = "\"$BILLOW\" sim plume --steps 2 --json out.json --csv out.csv" GRID,
     .varies = "out.*",
     .words_vary = true,
     .quick = true},
    {.name = "sim_all",
     .line = "\"$BILLOW\" sim " SCENE " --steps 2 --json - --threads 1",
     .words_vary = true},
    {.name = "checkpoint",
     .line = "\"$BILLOW\" sim plume --steps 3 --every 1 --checkpoint a.billow" GRID,
     .words_vary = true,
     .quick = true},
    {.name = "resume",
     .line =
         STARTED "\"$BILLOW\" sim --resume " START " --steps 1 --threads 1 --checkpoint a.billow",
     .varies = "a.billow", /* its mesh is named from the root of the file system, or by its path */
     .words_vary = true},
    {.name = "resume_bake",
     .line = STARTED "\"$BILLOW\" bake --resume " START " --frames 2 --every 1 --threads 1 "
                     "--checkpoint a.billow --out a_%d.vti",
     .varies = "a.*"}, /* the list has the frames that there are */
    {.name = "resume_draw",
     .line = STARTED "\"$BILLOW\" render --resume " START " --frames 1 --threads 1 "
                     "--size 32x24 --out a_%d.png",
     .draws = true},
    {.name = "check_resume", .line = STARTED "\"$BILLOW\" check " START},
    {.name = "bench",
     .line = "\"$BILLOW\" bench --grids 8 --threads 1 --steps 5 --baseline --plot out.svg "
             "--json out.json --csv out.csv",
     .varies = "out.*",
     .words_vary = true},
    {.name = "bench_plain",
     .line = "\"$BILLOW\" bench --grids 8 --threads 1 --steps 5 --csv -",
     .words_vary = true},
    {.name = "bench_kernels",
     .line = "\"$BILLOW\" bench --kernels --grids 8 --threads 1 --json out.json --csv out.csv",
     .varies = "out.*",
     .words_vary = true},
    {.name = "bench_render",
     .line = "\"$BILLOW\" bench --render --grids 8 --sizes 32x24 --threads 1 --steps 5 "
             "--json out.json --csv out.csv",
     .varies = "out.*",
     .words_vary = true,
     .draws = true},
    {.name = "verify",
     .line = "\"$BILLOW\" verify diffusion --report out",
     .varies = "out/*",
     .words_vary = true},
    {.name = "verify_light",
     .line = "\"$BILLOW\" verify beer-lambert-color tone-map --report out --json out.json",
     .varies = "out*",
     .words_vary = true,
     .draws = true},
    {.name = "info", .line = "\"$BILLOW\" info", .draws = true, .words_vary = true},
    {.name = "vti",
     .line = "\"$BILLOW\" bake " SCENE " --frames 2 --out a_%d.vti --threads 1",
     .varies = "a.pvd"},
    {.name = "vti_stdout",
     .line = "\"$BILLOW\" bake plume --frames 1 --fields density --out vti:-" GRID,
     .quick = true},
    {.name = "vdb",
     .line = "\"$BILLOW\" bake " SCENE " --frames 2 --out a_%d.vdb --threads 1",
     .varies = "*.vdb", /* each has a number of its own in it */
     .needs = "vdb"},
    {.name = "legend",
     .line = "\"$BILLOW\" render plume --frames 1 --slice speed --size 220x176 --out a.png" GRID,
     .draws = true},
    {.name = "exr",
     .line = "\"$BILLOW\" render plume --frames 1 --slice speed --out a.exr" PICTURE,
     .needs = "exr",
     .draws = true},
    {.name = "mp4",
     .line = "\"$BILLOW\" render plume --frames 2 --out a.mp4" PICTURE,
     .varies = "*.mp4", /* what breaks off is kept as far as it came */
     .keeps = "a.partial.mp4",
     .needs = "ffmpeg",
     .quick = true,
     .draws = true},
    {.name = "gif",
     .line = "\"$BILLOW\" render plume --frames 2 --out a.gif" PICTURE,
     .varies = "*.gif",
     .keeps = "a.partial.*",
     .needs = "ffmpeg",
     .draws = true},
    {.name = "flipbook",
     .line = "\"$BILLOW\" render plume --flipbook 2x1 --six-way unity --out a.png" PICTURE,
     .draws = true},
    {.name = "gl",
     .line = "\"$BILLOW\" render plume --frames 2 --out a_%d.png" PICTURE,
     .draws = true,
     .quick = true},
    {.name = "gl_all",
     .line = "\"$BILLOW\" render " SCENE " --frames 1 --slice speed --samples 4 --out a.png "
             "--size 32x24 --threads 1",
     .draws = true},
    {.name = "gl_exr",
     .line = "\"$BILLOW\" render " SCENE " --frames 1 --out a.exr --size 32x24 --threads 1",
     .draws = true,
     .needs = "exr"},
    {.name = "shaders",
     .line = "\"$BILLOW\" render plume --frames 1 --out a.png --shaders \"$SHADERS\"" PICTURE,
     .draws = true},
    {.name = "no_display", .line = "\"$BILLOW\" run plume" PICTURE, .draws = true},
    /* A file and its shaders watched, states kept by itself, by key and taken up again, one of a
     * session that was broken off, the view printed, text put into the panel. */
    {.name = "window_kept",
     .line = STARTED
     "mkdir -p state/billow && cp " START " state/billow/autosave-4194399.ckpt && cp "
     "../given/cube.obj " SCENE " . && XDG_STATE_HOME=$PWD/state \"$BILLOW\" run scene.yaml "
     "--shaders \"$SHADERS\" --set sun.intensity=7 --autosave 0.2 --seconds 20 --size 160x120 "
     "--threads 1",
     .keys = "8:1073741886,16:103,20:9,24:118c,28:9,34:1073741890,50:103,60:113c",
     IN_WINDOW},
    /* Help, panel, screenshot, recording, a slice, a blast, a step back in time, saving, a value
     * undone, the end of the recording, the view printed, a start anew, paused, back by steps,
     * quit. */
    {.name = "window",
     .line = "\"$BILLOW\" run plume --seconds 20 --size 160x120" GRID,
     .keys = "4:1073741882,6:9,10:1073741893,12:1073741891,16:102,18:101,24:8,26:115c,28:122c,"
             "30:1073741891,36:103,38:114,40:32,42:1073741904,46:113c",
     IN_WINDOW},
};

const int scenario_count = (int)(sizeof scenarios / sizeof scenarios[0]);

const GivenFile given_files[] = {
    {"cube.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                 "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"},
    {"prism.stl",
     "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\n"
     "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
     "vertex 0 0 1\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
     "vertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\n"
     "vertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid a\n"},
    {"meshes.yaml", "name: meshes\ndomain: {cells: 12}\n"
                    "emitters: [{mesh: many.obj, smoke: 1, size: 0.2}]\n"
                    "solids: [{mesh: prism.stl, size: 0.2}]\n"},
    {"scene.yaml",
     "name: all\n"
     "domain: {size: 1, cells: 12, faces: {left: inflow, right: open},\n"
     "         boundaries: {left: {velocity: [0.5, 0, 0]}, floor: {isothermal: true, temperature: "
     "50}}}\n"
     "solver: {advection: conservative}\n"
     "fluid: {fire: true, color: true, smoke_diffusion: 0.001, viscosity: 0.001,\n"
     "        burn_expansion: 1, heat_diffusion: 0.001}\n"
     "emitters:\n"
     "  - {shape: sphere, center: [0.3, 0.1, 0.5], size: 0.1, fuel: 8, heat: 2000, noise: 1,\n"
     "     tracers: 200}\n"
     "  - {text: A, center: [0.5, 0.8, 0.5], size: [0.3, 0.2, 0.1], smoke: 4}\n"
     "solids:\n"
     "  - {mesh: cube.obj, center: [0.7, 0.3, 0.5], size: 0.1, spin: [0, 1, 0]}\n"
     "  - {shape: sphere, center: [0.4, 0.6, 0.5], size: 0.08, motion: falling}\n"
     "forces: [{kind: turbulence, strength: 0.5}]\n"
     "lamps: [{position: [0.5, 0.9, 0.9], intensity: 1}]\n"
     "tracers: {count: 500}\n"
     "smoke: {glow: 5}\n"
     "picture: {auto_exposure: true, bloom: 0.05}\n"
     "timeline:\n"
     "  - {key: sun.intensity, values: [[0, 12], [1, 3]]}\n"},
};

const int given_file_count = (int)(sizeof given_files / sizeof given_files[0]);
