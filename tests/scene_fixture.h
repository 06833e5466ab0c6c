/* SPDX-License-Identifier: MIT
 * Parsing and setting for tests of scene files, with a check that a refusal changes no byte. */
#ifndef TESTS_SCENE_FIXTURE_H
#define TESTS_SCENE_FIXTURE_H

#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* A text that must be refused, and words of the message. */
typedef struct Wrong {
    const char *input;
    const char *message;
} Wrong;

/* Parses text as file "f.yaml". Checks that a refusal changes no byte of the scene and gives one
 * line. */
static inline bool parse(const char *text, size_t length, Scene *scene, BillowError *error)
{
    Scene before;
    memcpy(&before, scene, sizeof before);
    error->text[0] = '\0';
    bool good = scene_parse("f.yaml", text, length, scene, error);
    if (!good) {
        assert_memory_equal(&before, scene, sizeof before);
        assert_true(error->text[0] != '\0');
        assert_null(strchr(error->text, '\n'));
    } else {
        assert_string_equal(error->text, "");
    }
    return good;
}

static inline bool set(Scene *scene, const char *assignment, BillowError *error)
{
    Scene before;
    memcpy(&before, scene, sizeof before);
    error->text[0] = '\0';
    bool good = scene_set(scene, assignment, error);
    if (!good) {
        assert_memory_equal(&before, scene, sizeof before);
        assert_true(error->text[0] != '\0');
        assert_null(strchr(error->text, '\n'));
    }
    return good;
}

#endif
