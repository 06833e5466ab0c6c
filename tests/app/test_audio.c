/* SPDX-License-Identifier: MIT
 * What the window says of its sound. tests/app/sound_test.sh hears it. */
#include "app/audio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The message of key M, pressed so many times, with a driver of SDL's. */
static void expect(const char *driver, bool mute, int presses, const char *words)
{
    Session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    const AppOptions options = {.mute = mute};
    session->options = &options;
    SDL_setenv("SDL_AUDIODRIVER", driver, 1);
    audio_open(session);
    for (int n = 0; n < presses; n++)
        audio_toggle(session);
    audio_frame(session);
    if (strstr(session->texts.message, words) == NULL)
        fail_msg("%s", session->texts.message);
    audio_close(session);
    audio_free(session);
    free(session);
}

static void test_messages(void **state)
{
    (void)state;
    expect("dummy", false, 1, "sound off; M turns it on");
    expect("dummy", false, 2, "sound on");
    expect("dummy", true, 1, "no sound: billow was started with --mute");
    expect("nowhere", false, 1, "no sound: no device answers (SDL: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
