/* SPDX-License-Identifier: MIT
 * The program from outside, without graphics: correct use, wrong use, exit statuses, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "cli_harness.h"
#include "sanitized.h"
#include <billow/billow.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static CliRun run;

static void test_help_names_every_command(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" --help");
    for (int index = 0; commands[index] != NULL; index++)
        assert_non_null(strstr(run.out, commands[index]->spec.summary));
    for (int index = 0; commands[index] != NULL; index++) {
        char line[64], usage[64];
        snprintf(line, sizeof line, "\"$BILLOW\" %s --help", commands[index]->spec.name);
        snprintf(usage, sizeof usage, "usage: billow %s", commands[index]->spec.name);
        cli_expect_done(&run, line);
        assert_non_null(strstr(run.out, usage));
        assert_non_null(strstr(run.out, "--help"));
    }
    cli_expect_done(&run, "\"$BILLOW\" help render");
    assert_non_null(strstr(run.out, "--transparent"));
}

static void test_version(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" --version");
    assert_non_null(strstr(run.out, "billow " BILLOW_VERSION ", commit "));
    assert_non_null(strstr(run.out, "compiler "));
    assert_non_null(strstr(run.out, "OpenMP "));
    assert_non_null(strstr(run.out, "instruction set "));
}

/* Wrong scenes. Each gives one line that says where and what. */
static void test_wrong_bodies(void **state)
{
    (void)state;
    static const char cube[] = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                               "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n";
    static const struct {
        const char *scene, *message;
    } cases[] = {
        {"solids:\n  - {mesh: in.obj, size: 0.2}\n",
         "bad.yaml:3:5: solids[0]: in.obj: inside out: its triangles face inwards"},
        {"solids: [{size: 0.01}, {mesh: open.obj, size: 0.2}]\n",
         "bad.yaml:2:24: solids[1]: open.obj: not closed: the edge from ("},
        {"solids:\n  - {mesh: none.obj, size: 0.2}\n",
         "bad.yaml:3:12: 'solids[0].mesh' names none.obj, which cannot be opened: No such file"},
        {"solids:\n  - {mesh: cube.obj, size: 0.7}\n",
         "bad.yaml:3:5: solids[0]: cube.obj would be 1.4"},
        {"emitters:\n  - {center: [0.5, 0.5, 0.5], size: 0.1}\nsolids: [{size: 0.25}]\n",
         "bad.yaml:3:5: emitters[0] lies wholly inside solids[0], where it can release nothing"},
        {"emitters:\n  - {center: [0.5, 0.5, 0.5], size: 0.1}\nsolids:\n"
         "  - {shape: box, center: [0.3, 0.5, 0.5], size: 0.2}\n"
         "  - {shape: box, center: [0.7, 0.5, 0.5], size: 0.2}\n",
         "bad.yaml:3:5: emitters[0] lies wholly inside solids[0] and solids[1], where it can"},
        {"timeline:\n  - {key: exposure, values: [[0, 1], [2, 3], [1, 2]]}\n",
         "bad.yaml:3:46: 'timeline[0].values[2]' is at 1 s, which is not after the 2 s"},
    };
    char text[512];
    snprintf(text, sizeof text, "%sf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n", cube);
    cli_write_file("open.obj", text);
    strcat(text, "f 4 1 5 8\n");
    cli_write_file("cube.obj", text);
    snprintf(text, sizeof text,
             "%sf 2 3 4 1\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n", cube);
    cli_write_file("in.obj", text);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        snprintf(text, sizeof text, "domain: {cells: 16}\n%s", cases[c].scene);
        cli_write_file("bad.yaml", text);
        cli_expect_failure(&run, "\"$BILLOW\" check bad.yaml", 1, cases[c].message);
        assert_string_equal(run.out, "");
        cli_expect_failure(&run, "\"$BILLOW\" sim bad.yaml --steps 1", 1, cases[c].message);
        assert_string_equal(run.out, "");
    }
}

/* Solids that shut a whole face are refused; other likely mistakes give a notice. */
static void test_shut_and_noticed(void **state)
{
    (void)state;
    cli_write_file("shut.yaml",
                   "domain:\n  cells: 16\n  faces:\n    right: open\n    left: inflow\n"
                   "  boundaries: {left: {velocity: [1, 0, 0]}}\n"
                   "solids: [{shape: box, center: [0, 0.5, 0.5], size: [0.2, 1, 1]}]\n");
    cli_expect_failure(&run, "\"$BILLOW\" check shut.yaml", 1,
                       "shut.yaml:5:5: left lets fluid in, but solids cover the whole of it");
    cli_write_file("odd.yaml",
                   "domain: {cells: 16}\nfluid: {fire: true}\nemitters:\n"
                   "  - {fuel: 3, heat: 0}\nsolids:\n"
                   "  - {shape: box, center: [0.5, 0.5, 0.5], size: [0.2, 0.01, 0.2]}\n");
    static const char *const lines[] = {"\"$BILLOW\" check odd.yaml",
                                        "\"$BILLOW\" sim odd.yaml --steps 1",
                                        "\"$BILLOW\" sim odd.yaml --steps 1 --quiet"};
    for (int l = 0; l < 3; l++) {
        cli_run(&run, lines[l]);
        assert_int_equal(run.status, 0);
        if (l == 2) {
            assert_string_equal(run.err, "");
            continue;
        }
        assert_non_null(strstr(run.err, "notice: odd.yaml:6:5: solids[0] is 0.32 cells thick; "));
        assert_non_null(
            strstr(run.err, "notice: odd.yaml:4:5: emitters[0] gives fuel that will not burn: "));
    }
}

/* A stack limit that is too low is raised if the shell allows it, and reported if not. */
static void test_small_stack(void **state)
{
    (void)state;
#ifndef BILLOW_SANITIZED /* AddressSanitizer itself needs a larger stack */
    cli_expect_failure(&run, "ulimit -s 64; \"$BILLOW\" check fire", 1,
                       "the stack is limited to 64 kB, and 1024 kB are needed; 'ulimit -s 8192'");
    cli_expect_done(&run, "ulimit -S -s 64; \"$BILLOW\" check fire");
    cli_expect_done(&run, "ulimit -S -s 64; \"$BILLOW\" sim plume --grid 16 --steps 1 --threads 4");
#endif
}

typedef struct Wrong {
    const char *line, *text;
} Wrong;

static void expect_usage(const Wrong cases[], size_t count)
{
    for (size_t index = 0; index < count; index += SANITIZED ? 3 : 1) {
        cli_expect_failure(&run, cases[index].line, 2, cases[index].text);
        assert_string_equal(run.out, "");
    }
}

static void test_wrong_usage(void **state)
{
    (void)state;
    cli_write_file("room.yaml", "domain: {faces: {ceiling: closed}}\nemitters: [{}]\n");
    static const Wrong cases[] = {
        {"\"$BILLOW\" sim --serve plume", "plume is a scene: give it before --serve"},
        {"\"$BILLOW\" sim plume --serve --json -",
         "--serve writes no files: give no --checkpoint, --every, --json or --csv"},
        {"\"$BILLOW\" sim plume --key-file k", "--key-file goes with --serve"},
        {"\"$BILLOW\" rnder", "there is no command or scene 'rnder'; did you mean 'render'?"},
        {"BILLOW_SIMD=mmx \"$BILLOW\" info", "BILLOW_SIMD=mmx cannot be used here"},
        {"OMP_NUM_THREADS=2000 \"$BILLOW\" info",
         "OMP_NUM_THREADS=2000 cannot be used; the most is 1024"},
        {"\"$BILLOW\" xyzzy", "there is no command or scene 'xyzzy'; 'billow --help' lists the "
                              "commands, 'billow scenes'"},
        {"\"$BILLOW\" ''", "no command or scene ''"},
        {"\"$BILLOW\" plum", "no command or scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" plume --grid 4", "--grid: must be 8 to 2048 cells, not 4"},
        {"\"$BILLOW\" sim plum", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" bench --scene plum", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" run plum", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" check plum", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" render xyzzy",
         "there is no scene 'xyzzy'; 'billow scenes' lists the built-in scenes"},
        {"\"$BILLOW\" sim missing.yaml", "there is no file 'missing.yaml'; 'billow scenes' lists"},
        {"\"$BILLOW\" missing.yaml", "there is no file 'missing.yaml'; 'billow scenes' lists"},
        {"\"$BILLOW\" scenes --show plum", "no built-in scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" scenes --show xyzzy",
         "no built-in scene 'xyzzy'; 'billow scenes' lists them"},
        {"\"$BILLOW\" verify xyzzy", "no case 'xyzzy'; 'billow verify --list' lists them"},
        {"\"$BILLOW\" render plume --turn 3", "no option '--turn'; did you mean '--turntable'?"},
        {"\"$BILLOW\" render plume -o a.png", "no option '-o'; did you mean '--out'?"},
        {"\"$BILLOW\" render -help", "no option '-help'; did you mean '--help'?"},
        {"\"$BILLOW\" render plume --out a.bmp",
         "--out: no .bmp; use .png, .tga, .jpg, .exr, .mp4,"},
        {"\"$BILLOW\" render plume --out plume", "'plume' needs an ending: .png, .tga, .jpg,"},
        {"\"$BILLOW\" help xyzzy", "no command 'xyzzy'"},
        {"\"$BILLOW\" --helo", "did you mean '--help'"},
        {"\"$BILLOW\" sim plume --gird 16", "did you mean '--grid'"},
        {"\"$BILLOW\" sim plume --gird=16", "did you mean '--grid'"},
        {"\"$BILLOW\" sim plume -g 16", "did you mean '--grid'?"},
        {"\"$BILLOW\" sim plume -x 16",
         "options begin with two dashes, and 'billow sim --help' lists them"},
        {"\"$BILLOW\" sim plume --xyzzy", "billow sim --help"},
        {"\"$BILLOW\" sim", "'sim' needs a scene, such as 'billow sim plume', or --resume FILE"},
        {"\"$BILLOW\" sim plume explosion", "'sim' takes at most 1 SCENE; leave 'explosion' out"},
        {"\"$BILLOW\" sim ''", "empty"},
        {"\"$BILLOW\" info plume", "'info' takes options alone, not 'plume'; see 'billow info"},
        {"\"$BILLOW\" sim plume --grid", "needs a value"},
        {"\"$BILLOW\" sim plume --grid --quiet", "needs a value"},
        {"\"$BILLOW\" sim plume --quiet=yes", "takes no value"},
        {"\"$BILLOW\" sim plume --grid 0", "must be 8 to 2048 cells, not 0"},
        {"\"$BILLOW\" sim plume --grid 100000", "8 to 2048"},
        {"\"$BILLOW\" sim plume --grid -64", "must be cells along"},
        {"\"$BILLOW\" sim plume --grid 64x64", "must be cells along"},
        {"\"$BILLOW\" sim plume --grid 64x64x7", "must be 8 to 2048"},
        {"\"$BILLOW\" sim plume --grid 16.5", "must be cells along"},
        {"\"$BILLOW\" sim room.yaml --set emitters[0].expansion=1",
         "room.yaml, as changed by --set: nothing can leave"},
        {"\"$BILLOW\" sim plume --set solver.tolerance=0", "solver.tolerance: must be 1e-07 to 1"},
        {"\"$BILLOW\" sim plume --set solver.cycles=1.5", "solver.cycles: must be a whole number"},
        {"\"$BILLOW\" sim plume --set solver.pressure=magic", "solver.pressure: must be relax"},
        {"\"$BILLOW\" sim plume --set fluid.bouyancy=1", "buoyancy"},
        {"\"$BILLOW\" sim plume --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" sim plume --set solver.vorticity=nan", "solver.vorticity"},
        {"\"$BILLOW\" sim plume --set nonsense", "nonsense"},
        {"\"$BILLOW\" check plume --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" run --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" render plume --out a.png --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" bench --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" sim plume --set 'domain.size=[1,9,1]' --grid 16",
         "2 x 16 x 2 cells; each must be 8 to 2048: the longest axis needs 64 or more"},
        {"\"$BILLOW\" sim plume --set 'domain.size=[1,9,1]' --grid 63", "needs 64 or more"},
        {"\"$BILLOW\" sim plume --threads x", "whole number"},
        {"\"$BILLOW\" sim plume --threads 0", "must be 1 to 1024"},
        {"\"$BILLOW\" sim plume --threads -1", "must be 1 to 1024"},
        {"\"$BILLOW\" sim plume --threads 99999999999999999999", "whole number"},
        {"\"$BILLOW\" sim plume --steps 1e3", "whole number"},
        {"\"$BILLOW\" sim plume --steps ' 5'", "whole number"},
        {"\"$BILLOW\" sim plume --json ''", "empty"},
        {"\"$BILLOW\" sim plume --json - --csv -",
         "--json and --csv cannot both go to standard output"},
        {"\"$BILLOW\" sim plume --json a.txt --csv a.txt",
         "--json and --csv cannot both go to a.txt"},
        {"\"$BILLOW\" bench --grids 32,,64",
         "must be cells along the longest axis (64) or per axis (64x96x64), not ''"},
        {"\"$BILLOW\" bench --grids 32,",
         "must be cells along the longest axis (64) or per axis (64x96x64), not ''"},
        {"\"$BILLOW\" bench --grids 32 --grids 64", "--grids is given twice; write it once: "},
        {"\"$BILLOW\" sim plume --steps 9 --steps=3", "--steps is given twice"},
        {"\"$BILLOW\" bench --grids 32,4", "must be 8 to 2048"},
        {"\"$BILLOW\" bench --grids 32,64x64", "(64x96x64), not '64x64'"},
        {"\"$BILLOW\" bench --grids 64x64x4096", "must be 8 to 2048"},
        {"\"$BILLOW\" bench --grids 32x0000000000064x64", "'32x0000000000064x64'"},
        {"\"$BILLOW\" bench --plot a.png", "--plot: no .png; use .svg, such as a.svg"},
        {"\"$BILLOW\" bench --plot .svg", "'.svg' needs an ending: .svg"},
        {"\"$BILLOW\" bench --plot svg", "'svg' needs an ending: .svg"},
        {"\"$BILLOW\" bench --plot ''", "'' needs an ending: .svg"},
        {"\"$BILLOW\" bench --plot a.svg --json a.svg", "cannot both go to a.svg"},
        {"\"$BILLOW\" bench --csv ./a --json a", "--json and --csv cannot both go to a"},
        {"\"$BILLOW\" verify rest --report . --json index.html", "--json and --report cannot both"},
        {"\"$BILLOW\" bench --plot - --csv -",
         "--csv and --plot cannot both go to standard output"},
        {"\"$BILLOW\" bench --kernels --plot a.svg",
         "--kernels times no steps, so --plot has no meaning with it"},
        {"\"$BILLOW\" bench --render --baseline",
         "--render times pictures, so --baseline has no meaning with it"},
        {"\"$BILLOW\" bench plume fire --plot a.svg", "--plot draws one scene, not 2"},
        {"\"$BILLOW\" bench plume fire --render",
         "--render times pictures, so more than one SCENE has no meaning with it"},
        {"\"$BILLOW\" bench all all all", "more than 32 scenes"},
        {"\"$BILLOW\" bench --live --grids 64", "so --grids has no meaning with it"},
        {"\"$BILLOW\" bench --live --kernels", "--kernels times no steps, so "},
        {"\"$BILLOW\" bench --seconds 4", "--seconds is that of the window, and needs --live"},
        {"\"$BILLOW\" bench --size 64x64", "--size is that of the window, and needs --live"},
        {"\"$BILLOW\" bench plume plum", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" bench plume plum --live", "there is no scene 'plum'; did you mean 'plume'?"},
        {"\"$BILLOW\" bench --sizes 64x64", "--sizes are sizes of pictures, and needs --render"},
        {"\"$BILLOW\" bench --kernels --baseline", "--baseline has no meaning"},
        {"\"$BILLOW\" bench --kernels --set solver.sweeps=1", "--set has no meaning"},
        {"\"$BILLOW\" bench --threads 1,0", "must be 1 to 1024"},
        {"\"$BILLOW\" bench --steps 4", "must be 5 to 100000, not 4"},
        {"\"$BILLOW\" bench --json - --csv -", "standard output"},
    };
    expect_usage(cases, sizeof cases / sizeof cases[0]);
}

static void test_wrong_usage_of_pictures(void **state)
{
    (void)state;
    static const Wrong cases[] = {
        {"\"$BILLOW\" bake plume", "--out"},
        {"\"$BILLOW\" render plume --out a.bmp", ".png"},
        {"\"$BILLOW\" render plume --out .png", ".png"},
        {"\"$BILLOW\" render plume --out a%s.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%n%d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%d%d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%99d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%.png", "'%'"},
        {"\"$BILLOW\" render plume --out a.png --fps nan",
         "must be a number, 0.1 to 1000, not 'nan'"},
        {"\"$BILLOW\" render plume --out a.png --fps inf", "must be a number"},
        {"\"$BILLOW\" render plume --out a.png --fps 0x10", "must be a number"},
        {"\"$BILLOW\" render plume --out a.png --fps 0", "--fps: must be 0.1 to 1000, not 0"},
        {"\"$BILLOW\" render plume --out a.png --frames 0",
         "--frames: must be 1 to 1000000, not 0"},
        {"\"$BILLOW\" render plume --out a.png --size 640", "1280x720"},
        {"\"$BILLOW\" render plume --out a.png --size 640x0",
         "must be 16 to 16384 pixels each, not 0"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2", "AZIMUTH"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2,x",
         "distance must be a number, 0.001 to 100000, not 'x'"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,95,2",
         "elevation must be -90 to 90, not 95"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2,3,4,5", "AZIMUTH"},
        {"\"$BILLOW\" render plume --out a.png --slice sped", "did you mean 'speed'?"},
        {"\"$BILLOW\" render plume --out a.png --slice magic",
         "there is no field 'magic'; the fields are density, temperature, speed"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,z", "FIELD[,"},
        {"\"$BILLOW\" render plume --out a.png --slice z=1", "FIELD[,"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,z=1,x=2", "second"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,z=1m", "z must be a number, not '1m'"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,contour=3", "'contours'"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,contours=101", "0 to 100"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,range=2", "colon"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,range=2:2", "empty"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,veil=2", "veil must be 0 to 1, not 2"},
        {"\"$BILLOW\" render plume --out a.png --slice speed,,veil=1", "FIELD[,"},
        {"\"$BILLOW\" run --seconds -1", "must be 0 to 1000000, not -1"},
        {"\"$BILLOW\" render plume --out a.png --turntable 0", "0.01"},
        {"\"$BILLOW\" run --rewind -1", "must be 0 to 1000000, not -1"},
        {"\"$BILLOW\" run --quality best", "must be fluid, auto or fine, not 'best'"},
        {"\"$BILLOW\" run --ui-scale 0.4", "--ui-scale: must be 0.5 to 4, not 0.4"},
        {"\"$BILLOW\" run --ui-scale 4.1", "--ui-scale: must be 0.5 to 4, not 4.1"},
        {"\"$BILLOW\" run --rewind much", "--rewind"},
        {"\"$BILLOW\" run --attract -1", "must be 0 to 86400"},
        {"\"$BILLOW\" run --attract 86401", "must be 0 to 86400"},
        {"\"$BILLOW\" run --attract soon", "attract"},
        {"\"$BILLOW\" run --kiosk=1", "kiosk"},
    };
    expect_usage(cases, sizeof cases / sizeof cases[0]);
}

static void test_failures(void **state)
{
    (void)state;
    cli_write_file("typo.yaml", "name: typo\nfluid:\n  bouyancy: 0.1\n");
    cli_write_file("range.yaml", "solver:\n  sweeps: -3\n");
    cli_write_file("broken.yaml", "domain: [1, 2\n");
    cli_write_file("plain.txt", "");
    cli_write_file("none.conf", "<?xml version=\"1.0\"?><fontconfig><dir>/no</dir></fontconfig>\n");
    cli_write_file("large.yaml", "domain: {cells: 2048}\n");
    cli_write_file("closed.yaml", "domain:\n  faces: {ceiling: closed}\n"
                                  "emitters:\n  - expansion: 5\n    end: 0.2\n");
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"\"$BILLOW\" sim .", ".: cannot be read: Is a directory"},
        {"\"$BILLOW\" sim typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" sim typo.yaml", "did you mean 'buoyancy'"},
        {"\"$BILLOW\" run typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" render typo.yaml --out a.png", "typo.yaml:3:3: "},
        {"\"$BILLOW\" bench --scene typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" check typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" check range.yaml", "range.yaml:2:"},
        {"FONTCONFIG_FILE=$PWD/none.conf \"$BILLOW\" check text",
         "no font is installed; DejaVu Sans (fonts-dejavu-core) is one"},
        {"\"$BILLOW\" check broken.yaml", "broken.yaml:"},
        {"\"$BILLOW\" check closed.yaml", "closed.yaml:4:16: nothing can leave: left, right, "},
        {"\"$BILLOW\" sim closed.yaml", "yet emitters[0].expansion makes "},
        {"\"$BILLOW\" run closed.yaml", " m3/s from 0 to 0.2 s; open a face or set it to 0"},
        {"\"$BILLOW\" render closed.yaml --out a.png", "closed.yaml:4:16: nothing can leave"},
        {"\"$BILLOW\" bench --scene closed.yaml --grids 16", "closed.yaml:4:16: nothing can leave"},
        {"\"$BILLOW\" sim plume --grid 2048", "GB"},
        {"\"$BILLOW\" sim plume --grid 2000", "GB are available; try a smaller --grid"},
        {"\"$BILLOW\" check large.yaml", "large.yaml at 2048x2048x2048 needs "},
        {"\"$BILLOW\" check plume --grid 2048", " GB are available; try a smaller --grid"},
        {"\"$BILLOW\" bench --grids 1500", "GB are available; try a smaller --grid"},
        {"\"$BILLOW\" bench --grids 16,2048", "GB"},
        {"\"$BILLOW\" run --grid 2048", "GB"},
        {"\"$BILLOW\" sim plume --grid 16 --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" sim plume --grid 16 --json nowhere/",
         "nowhere/: cannot be written: there is no such folder, and no file name after it"},
#ifdef __linux__
        {"\"$BILLOW\" sim plume --grid 16 --json /proc/a.json",
         "/proc/a.json: cannot be written: no files can be created in its folder"},
#endif
        {"\"$BILLOW\" sim plume --grid 16 --csv plain.txt/a.csv", "plain.txt"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --json /dev/full", "/dev/full"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --csv /dev/full", "/dev/full"},
        {"\"$BILLOW\" bench --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" bench --plot nowhere/a.svg", "nowhere"},
        {"\"$BILLOW\" bench --kernels --grids 2048", "GB"},
        {"\"$BILLOW\" bench --kernels --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" render plume --out nowhere/a.png", "nowhere"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 >/dev/full", "standard output"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --json - >/dev/full", "standard output"},
        {"\"$BILLOW\" --help >/dev/full", "standard output"},
        {"\"$BILLOW\" --help >&-", "standard output"},
        {"\"$BILLOW\" scenes --keys >/dev/full", "standard output"},
    };
    int entries = cli_folder_entries();
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++)
        cli_expect_failure(&run, cases[index].line, 1, cases[index].text);
    assert_int_equal(cli_folder_entries(), entries);
}

static void test_closed_pipe_is_a_failure(void **state)
{
    (void)state;
    cli_run(&run, "{ sleep 0.2; \"$BILLOW\" scenes --keys; echo status $? >&2; } | true");
    assert_non_null(strstr(run.err, "billow: standard output: "));
    assert_non_null(strstr(run.err, "status 1\n"));
}

static void test_control_letters_stay_out_of_messages(void **state)
{
    (void)state;
    cli_expect_failure(&run, "\"$BILLOW\" \"$(printf 'a\\nb\\033[2J')\"", 2, "'a?b?[2J'");
    /* U+009B, as ESC and [, and U+202E, which turns the direction of writing */
    cli_expect_failure(&run, "\"$BILLOW\" \"$(printf 'a\\302\\2332Jb\\342\\200\\256c')\"", 2,
                       "'a?2Jb?c'");
}

static void test_options_stand_anywhere(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 3 | grep state_hash");
    char hash[128];
    snprintf(hash, sizeof hash, "%.127s", run.out);
    static const char *const same[] = {
        "\"$BILLOW\" sim --grid 16 --steps 3 plume | grep state_hash",
        "\"$BILLOW\" sim --grid=16 plume --steps=3 | grep state_hash",
        "\"$BILLOW\" sim --steps 3 --grid 16x16x16 --quiet --quiet -- plume | grep state_hash",
    };
    for (size_t index = 0; index < sizeof same / sizeof same[0]; index++) {
        cli_expect_done(&run, same[index]);
        assert_string_equal(run.out, hash);
    }
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 4 | grep state_hash");
    assert_string_not_equal(run.out, hash);
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --quiet --csv - | wc -l");
    assert_string_equal(run.out, "101\n"); /* the heading, and as many steps as --help says */
}

static void test_hash_is_the_same_for_any_threads(void **state)
{
    (void)state;
    cli_expect_done(
        &run, "\"$BILLOW\" sim plume --quiet --grid 24x20x16 --steps 12 --threads 1 | grep _hash");
    char hash[128];
    snprintf(hash, sizeof hash, "%.127s", run.out);
    assert_int_equal(
        strspn(hash + strcspn(hash, " ") + strspn(strchr(hash, ' '), " "), "0123456789abcdef"), 16);
    cli_expect_done(
        &run, "\"$BILLOW\" sim plume --quiet --grid 24x20x16 --steps 12 --threads 2 | grep _hash");
    assert_string_equal(run.out, hash);
    cli_expect_done(
        &run, "\"$BILLOW\" sim plume --quiet --grid 24x20x16 --steps 12 --threads 5 | grep _hash");
    assert_string_equal(run.out, hash);
    cli_expect_done(&run, "\"$BILLOW\" sim plume --quiet --grid 24x20x16 --steps 12 --threads 2 "
                          "--set solver.vorticity=3 | grep _hash");
    assert_string_not_equal(run.out, hash);
}

static void test_scenes_and_check(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" scenes");
    assert_non_null(strstr(run.out, "plume "));
    assert_non_null(strstr(run.out, "explosion "));
    cli_expect_done(&run, "\"$BILLOW\" scenes --keys");
    assert_non_null(strstr(run.out, "vorticity"));
    cli_expect_done(
        &run, "\"$BILLOW\" scenes --show plume >mine.yaml && \"$BILLOW\" check mine.yaml plume");
    assert_non_null(strstr(run.out, "mine.yaml: ok"));
    assert_non_null(strstr(run.out, "plume: ok"));
    cli_write_file("wrong.yaml", "colour: blue\n");
    cli_expect_failure(&run, "\"$BILLOW\" check wrong.yaml mine.yaml", 1, "wrong.yaml:1:1: ");
    assert_non_null(strstr(run.out, "mine.yaml: ok"));
}

static void test_check_predicts_ranks(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" check plume --grid 24 --ranks 3 --network 10,2");
    assert_non_null(strstr(run.out, "predicted on 3 ranks: "));
    assert_non_null(strstr(run.out, " to "));
    assert_non_null(strstr(run.out, "at 10 Gb/s and 2 us"));
    assert_non_null(strstr(run.out, "measured here at 24x24x24 with "));
    cli_expect_failure(&run, "\"$BILLOW\" check plume --grid 32 --ranks 5", 1,
                       "32 planes along z cannot be divided among 5 ranks; at most 4 ranks");
    cli_expect_failure(&run, "\"$BILLOW\" check plume --grid 1500 --refine 1 --ranks 5", 1,
                       "a grid of 1500x1500x1500 has more cells than one field can index");
    cli_expect_failure(&run, "\"$BILLOW\" check plume --ranks 2 --network 25", 2,
                       "must be GBITS,US, such as 25,5");
    cli_expect_failure(&run, "\"$BILLOW\" check plume --network 25,5", 2,
                       "--network is the one between ranks, and needs --ranks");
    cli_expect_failure(&run,
                       "\"$BILLOW\" sim plume --grid 16 --steps 1 --quiet --checkpoint p.ckpt "
                       ">sim && \"$BILLOW\" check p.ckpt --ranks 2",
                       2, "p.ckpt is a checkpoint; --ranks predicts from a scene");
}

/* `check --write` writes a scene with its changes, and the file loads back to the same scene. */
static void test_check_writes(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" check mushroom --grid 32 --set fluid.cooling=0.123 "
                          "--write made.yaml && \"$BILLOW\" check made.yaml --write again.yaml && "
                          "cmp made.yaml again.yaml && cat made.yaml");
    assert_non_null(strstr(run.out, "\n  cooling: 0.123 "));
    assert_non_null(strstr(run.out, "\n  cells: 32\n"));
    assert_non_null(strstr(run.out, "\nwrote made.yaml\n"));
    cli_expect_done(&run, "\"$BILLOW\" check made.yaml --write - 2>/dev/null | cmp made.yaml -");
    cli_expect_failure(&run, "\"$BILLOW\" check made.yaml plume --write x.yaml", 2,
                       "--write x.yaml: one scene can be written there, and 2 are given");
    cli_expect_failure(&run, "\"$BILLOW\" check plume --write nowhere/x.yaml", 1, "nowhere/x.yaml");
    assert_false(cli_file_exists("x.yaml"));
    cli_expect_failure(&run, "\"$BILLOW\" check plume --write made.yaml", 1, "made.yaml");
    cli_expect_done(&run, "\"$BILLOW\" check plume --write made.yaml --force");
    cli_run(&run, "rm made.yaml again.yaml");
}

/* --grid may give a box another shape than domain.size, with a notice. */
static void test_notice_of_another_box(void **state)
{
    (void)state;
    cli_write_file("tall.yaml", "domain: {size: [1, 2, 1], cells: [16, 16, 16]}\n");
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"\"$BILLOW\" check tall.yaml", "tall.yaml at 16x16x16 is a box of 2 x 2 x 2 m"},
        {"\"$BILLOW\" sim tall.yaml --steps 1", "its domain.size is 1 x 2 x 1 m"},
        {"\"$BILLOW\" sim plume --grid 16x24x16 --steps 1", "2 x 3 x 2 m"},
        {"\"$BILLOW\" bench --grids 16x24x16 --threads 1 --steps 5", "2 x 3 x 2 m"},
    };
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        cli_expect_failure(&run, cases[index].line, 0, cases[index].text);
        assert_int_equal(strncmp(run.err, "billow: notice: ", 16), 0);
    }
    cli_expect_done(&run, "\"$BILLOW\" sim tall.yaml --steps 1 --quiet");
    cli_expect_done(&run, "\"$BILLOW\" sim tall.yaml --steps 1 --grid 16x32x16");
    cli_expect_done(&run, "\"$BILLOW\" check plume --set 'domain.size=[1,1.9,0.7]' --grid 32");
}

static void test_interrupt(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    cli_run_signalled(&run,
                      "\"$BILLOW\" sim plume --grid 32 --steps 10000000 --json c.json --csv c.csv",
                      "sleep 0.7", SIGINT);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "billow: interrupted\n");
    assert_int_equal(cli_folder_entries(), entries);
    cli_run_signalled(&run, "\"$BILLOW\" bench --grids 32 --steps 100000 --json c.json",
                      "sleep 1.5", SIGTERM);
    assert_int_equal(run.status, 143);
    assert_int_equal(cli_folder_entries(), entries);
    /* Without checkpoints there is nothing to do about SIGUSR2. */
    cli_run_signalled(&run, "\"$BILLOW\" check plume --grid 64 --ranks 2", "true", SIGUSR2);
    assert_int_equal(run.status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_names_every_command),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_wrong_usage_of_pictures),
        cmocka_unit_test(test_small_stack),
        cmocka_unit_test(test_wrong_bodies),
        cmocka_unit_test(test_shut_and_noticed),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_closed_pipe_is_a_failure),
        cmocka_unit_test(test_control_letters_stay_out_of_messages),
        cmocka_unit_test(test_options_stand_anywhere),
        cmocka_unit_test(test_hash_is_the_same_for_any_threads),
        cmocka_unit_test(test_scenes_and_check),
        cmocka_unit_test(test_check_predicts_ranks),
        cmocka_unit_test(test_check_writes),
        cmocka_unit_test(test_notice_of_another_box),
        cmocka_unit_test(test_interrupt),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
