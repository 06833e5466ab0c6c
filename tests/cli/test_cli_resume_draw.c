/* SPDX-License-Identifier: MIT
 * The program from outside: pictures drawn from a checkpoint equal those of an uninterrupted run.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

#define RENDER "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER \"$BILLOW\" render "
#define SCENE                                                                                      \
    "explosion --grid 20 --set picture.auto_exposure=true --set picture.bloom=0.3 --set "          \
    "time.step=0.02 "
#define SMALL " --size 64x48 --quiet "

/* Two steps per frame; automatic exposure adapts slowly to a growing fire. */
static void assert_goes_on(const char *how)
{
    char line[512];
    snprintf(line, sizeof line, RENDER SCENE SMALL "%s --frames 5 --out a_%%d.png", how);
    cli_expect_done(&run, line);
    snprintf(line, sizeof line,
             RENDER SCENE SMALL "%s --frames 2 --out b_%%d.png --checkpoint c --every 1", how);
    cli_expect_done(&run, line);
    snprintf(line, sizeof line, RENDER "--resume c" SMALL "%s --frames 3 --out b_%%d.png", how);
    cli_expect_done(&run, line);
    assert_string_equal(run.out, "wrote b_3.png to b_5.png\n");
    cli_expect_done(&run, "for n in 1 2 3 4 5; do cmp a_$n.png b_$n.png || exit 1; done");
    /* A still picture has no earlier exposures to adapt from, and differs. */
    snprintf(line, sizeof line, RENDER SCENE SMALL "%s --frames 5 --out d.png && ! cmp -s d.png %s",
             how, "a_5.png");
    cli_expect_done(&run, line);
    cli_expect_done(&run, "rm *");
}

static void test_pictures_go_on(void **state)
{
    (void)state;
    assert_goes_on("");
}

static void test_a_film_goes_on_in_another_file(void **state)
{
    (void)state;
    cli_run(&run, "command -v ffmpeg");
    if (run.status != 0)
        skip();
    cli_expect_done(&run, RENDER "plume --grid 16 --frames 3 --out a.mp4 --checkpoint c" SMALL);
    cli_expect_failure(&run, RENDER "--resume c --frames 2 --out a.mp4" SMALL, 1, "a.mp4 exists");
    cli_expect_done(&run, RENDER "--resume c --frames 2 --out b.mp4" SMALL);
    assert_string_equal(run.out, "wrote b.mp4, 2 frames\n");
    cli_expect_done(&run, "rm *");
}

/* After a run without pictures, the numbers of the files start at 1. */
static void test_pictures_of_a_run_before(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 12 --checkpoint c");
    cli_expect_done(&run, RENDER "--resume c --frames 2 --fps 25 --out a_%d.png" SMALL);
    assert_string_equal(run.out, "wrote a_1.png to a_2.png\n");
    cli_expect_done(&run, RENDER "--resume c --flipbook 2x2 --out f.png --size 16x16 --quiet");
    assert_string_equal(run.out, "wrote f.png, f_motion.png and f.json, 4 frames\n");
    cli_expect_done(&run, "rm *");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pictures_go_on),
        cmocka_unit_test(test_a_film_goes_on_in_another_file),
        cmocka_unit_test(test_pictures_of_a_run_before),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
