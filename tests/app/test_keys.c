/* SPDX-License-Identifier: MIT
 * The table of the window's keys: every row can be reached, and the help and docs/window.md agree.
 */
#include "app/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static SDL_Keysym pressed(SDL_Keycode key, SDL_Scancode place, int hold)
{
    int mod =
        ((hold & KEY_SHIFT) != 0 ? KMOD_LSHIFT : 0) | ((hold & KEY_CTRL) != 0 ? KMOD_RCTRL : 0);
    return (SDL_Keysym){.scancode = place, .sym = key, .mod = (Uint16)mod};
}

/* The row whose words in the help are also those of this one. */
static const KeyRow *described(const KeyRow *row)
{
    while (row->shown == NULL)
        row--;
    return row;
}

/* Each row answers to its own keys: none before it takes them. */
static void no_key_is_given_twice(void **state)
{
    (void)state;
    for (int i = 0; keys_row(i) != NULL; i++) {
        const KeyRow *row = keys_row(i);
        int argument = 0;
        const bool acts = row->act != NULL || row->act_by != NULL;
        assert_true(acts == (row->key != 0 || row->place != 0));
        assert_true(acts == (row->count > 0) && (row->act == NULL || row->act_by == NULL));
        for (int more = 0; acts && more < row->count; more++) {
            SDL_Keysym key = pressed(row->key + more, SDL_SCANCODE_UNKNOWN, row->flags);
            if (row->key == 0)
                key = pressed(SDLK_UNKNOWN, (SDL_Scancode)((int)row->place + more), row->flags);
            if (keys_find(&key, &argument) != row)
                fail_msg("key %s is taken by a row before", SDL_GetKeyName(key.sym));
            assert_int_equal(argument, row->argument + more);
        }
    }
}

static void letters_places_and_what_is_held(void **state)
{
    (void)state;
    int argument = 0;
    SDL_Keysym key = pressed(SDLK_f, SDL_SCANCODE_F, 0);
    const KeyRow *plain = keys_find(&key, &argument);
    assert_non_null(plain);
    assert_int_equal(argument, 1);
    key = pressed(SDLK_f, SDL_SCANCODE_F, KEY_SHIFT);
    assert_ptr_not_equal(keys_find(&key, &argument), plain);
    assert_int_equal(argument, -1);
    key = pressed(SDLK_r, SDL_SCANCODE_R, KEY_SHIFT); /* shift is no other key */
    assert_non_null(keys_find(&key, &argument));
    key = pressed(SDLK_r, SDL_SCANCODE_R, KEY_CTRL);
    assert_null(keys_find(&key, &argument));
    key.mod = KMOD_LALT;
    assert_null(keys_find(&key, &argument));
    key = pressed(SDLK_AMPERSAND, SDL_SCANCODE_3, 0); /* a layout with digits on shift */
    assert_non_null(keys_find(&key, &argument));
    assert_int_equal(argument, 2);
    key = pressed(SDLK_KP_9, SDL_SCANCODE_KP_9, 0);
    assert_non_null(keys_find(&key, &argument));
    assert_int_equal(argument, 8);
    key = pressed(SDLK_0, SDL_SCANCODE_0, 0);
    const KeyRow *zero = keys_find(&key, &argument);
    assert_non_null(zero);
    assert_true(strcmp(zero->shown, "0") == 0 && zero->act != NULL);
    key = pressed(SDLK_KP_0, SDL_SCANCODE_KP_0, 0);
    assert_true(keys_find(&key, &argument)->act == zero->act);
    key = pressed(SDLK_F6, SDL_SCANCODE_F6, 0);
    assert_null(keys_find(&key, &argument));
}

/* Keys in pairs: the first goes back, the second forward. */
static void pairs_are_opposite(void **state)
{
    (void)state;
    static const struct {
        struct {
            SDL_Keycode key;
            int hold;
        } back, forward;
        const char *shown; /* in the help */
    } pairs[] = {
        {{SDLK_COMMA, KEY_SHIFT}, {SDLK_PERIOD, KEY_SHIFT}, "<  >"},
        {{SDLK_LESS, 0}, {SDLK_LESS, KEY_SHIFT}, "<  >"}, /* on a German keyboard */
        {{SDLK_LEFT, 0}, {SDLK_RIGHT, 0}, "left, right"},
        {{SDLK_PAGEUP, 0}, {SDLK_PAGEDOWN, 0}, "PgUp, PgDn"},
        {{SDLK_b, KEY_SHIFT}, {SDLK_b, 0}, "B"},
        {{SDLK_q, 0}, {SDLK_w, 0}, "Q  W  A  S"},
        {{SDLK_a, 0}, {SDLK_s, 0}, "Q  W  A  S"},
        {{SDLK_h, KEY_SHIFT}, {SDLK_h, 0}, "H"},
        {{SDLK_f, KEY_SHIFT}, {SDLK_f, 0}, "F"},
        {{SDLK_LEFTBRACKET, 0}, {SDLK_RIGHTBRACKET, 0}, "[  ]  X  C"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        int back = 0, forward = 0;
        SDL_Keysym key = pressed(pairs[p].back.key, SDL_SCANCODE_UNKNOWN, pairs[p].back.hold);
        const KeyRow *row = keys_find(&key, &back);
        assert_non_null(row);
        assert_string_equal(described(row)->shown, pairs[p].shown);
        void (*act_by)(Session * session, int argument) = row->act_by;
        key = pressed(pairs[p].forward.key, SDL_SCANCODE_UNKNOWN, pairs[p].forward.hold);
        row = keys_find(&key, &forward);
        assert_true(row != NULL && row->act_by == act_by && act_by != NULL);
        assert_true(back == -1 && forward == 1);
    }
}

static void the_help_has_words_for_every_row(void **state)
{
    (void)state;
    KeyHelp help;
    int shown = 0, rows = 0;
    assert_non_null(keys_row(0)->shown); /* or no row would speak for it */
    for (int i = 0; keys_row(i) != NULL; i++)
        shown += keys_row(i)->shown != NULL;
    keys_fill_help(&help, false);
    for (; help.rows[rows].key != NULL; rows++) {
        assert_true(strlen(help.rows[rows].key) > 0);
        assert_true(strlen(help.rows[rows].does) > 3);
        if (strcmp(help.rows[rows].key, help.digits) == 0)
            assert_non_null(strstr(help.rows[rows].does, "plume"));
    }
    assert_int_equal(rows, shown);
}

static bool helps_with(const KeyHelp *help, const char *words)
{
    bool found = false;
    for (int row = 0; help->rows[row].key != NULL; row++)
        found = found || strstr(help->rows[row].does, words) != NULL;
    return found;
}

static void a_kiosk_s_help_leaves_out_what_it_refuses(void **state)
{
    (void)state;
    static const char *const refused[] = {"screenshot", "video", "full screen", "save the scene",
                                          "quit"};
    KeyHelp help, kiosk;
    keys_fill_help(&help, false);
    keys_fill_help(&kiosk, true);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_true(helps_with(&help, refused[i]));
        assert_false(helps_with(&kiosk, refused[i]));
    }
    assert_true(helps_with(&kiosk, "brush the smoke"));
    assert_true(helps_with(&kiosk, "this help"));
}

/* The names of keys in docs/window.md: the first column of the tables below "Keys and mouse". */
static void read_list(char *list, size_t size)
{
    char line[1024];
    bool inside = false;
    FILE *file = fopen(WINDOW_PAGE, "r");
    assert_non_null(file);
    list[0] = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "## ", 3) == 0)
            inside = strcmp(line, "## Keys and mouse\n") == 0;
        char *end = line[0] == '|' ? strchr(line + 1, '|') : NULL;
        if (!inside || end == NULL)
            continue;
        end[0] = 0;
        assert_true(strlen(list) + strlen(line) + 2 < size);
        strcat(list, line + 1);
        strcat(list, " ");
    }
    fclose(file);
}

/* The help and docs/window.md name all tools of the brush, in their order. */
static void the_help_and_the_page_list_the_tools(void **state)
{
    (void)state;
    KeyHelp help;
    char names[128], row[160], page[4096];
    brush_list_tools(names, sizeof names);
    keys_fill_help(&help, true);
    snprintf(row, sizeof row, "the brush: %s (shift: back)", names);
    assert_string_equal(help.tools, row);
    assert_true(helps_with(&help, row));
    FILE *file = fopen(WINDOW_PAGE, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    snprintf(row, sizeof row, "| next brush: %s; ", names);
    if (strstr(page, row) == NULL)
        fail_msg("docs/window.md lacks \"%s\"", row);
}

/* Whether the list contains this name between blanks, bars, commas or backticks. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
        if (at > list && strchr(" ,`", at[-1]) != NULL && strchr(" ,`", at[length]) != NULL)
            return true;
    return false;
}

static void the_page_lists_all(void **state)
{
    (void)state;
    char list[4096];
    read_list(list, sizeof list);
    for (int i = 0; keys_row(i) != NULL; i++) {
        char shown[64], *rest = shown;
        if (keys_row(i)->shown == NULL)
            continue;
        snprintf(shown, sizeof shown, "%s", keys_row(i)->shown);
        bool words = strstr(shown, "drag") != NULL;
        for (char *name = strtok_r(shown, words ? "," : ", ", &rest); name != NULL;
             name = strtok_r(NULL, words ? "," : ", ", &rest))
            if (!lists(list, name))
                fail_msg("docs/window.md lacks \"%s\"", name);
    }
}

/* Each name in backticks is a key of the help. */
static void the_page_lists_no_more(void **state)
{
    (void)state;
    char list[4096], shown[2048] = " ";
    read_list(list, sizeof list);
    for (int i = 0; keys_row(i) != NULL; i++)
        if (keys_row(i)->shown != NULL) {
            strcat(shown, keys_row(i)->shown);
            strcat(shown, " ");
        }
    int names = 0;
    for (char *at = strchr(list, '`'); at != NULL; at = strchr(at + 1, '`'), names++) {
        char *name = at + 1;
        at = strchr(name, '`');
        assert_non_null(at);
        at[0] = 0;
        if (!lists(shown, name))
            fail_msg("docs/window.md has a key that the help lacks: \"%s\"", name);
    }
    assert_true(names > 10);
}

static void press_v(Session *session, int hold)
{
    SDL_KeyboardEvent event = {.type = SDL_KEYDOWN,
                               .keysym = pressed(SDLK_v, SDL_SCANCODE_V, hold)};
    assert_true(keys_press(session, &event));
}

/* The key goes through the qualities, of which the grid, the pressure and the picture hear. */
static void a_key_chooses_the_quality(void **state)
{
    (void)state;
    Session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->quality = SCENE_GOOD;
    session->world.aim = grid_aim_of(SCENE_GOOD);
    press_v(session, 0);
    assert_int_equal(session->quality, SCENE_BEST);
    assert_true(session->world.aim.fps == 10 && session->world.exact);
    const double fine = session->picture.resolution.budget_ms;
    assert_non_null(strstr(session->texts.message, "quality fine: larger grids"));
    press_v(session, 0);
    assert_int_equal(session->quality, SCENE_DRAFT);
    assert_true(session->world.aim.fps == 60 && !session->world.exact);
    assert_true(session->picture.resolution.budget_ms < 0.2 * fine);
    assert_non_null(strstr(session->texts.message, "quality fluid"));
    assert_null(strstr(session->texts.message, "the grid stays"));
    press_v(session, KEY_SHIFT);
    assert_int_equal(session->quality, SCENE_BEST);
    session->world.aim.fps = 0; /* where the user chose the grid */
    press_v(session, KEY_SHIFT);
    assert_int_equal(session->quality, SCENE_GOOD);
    assert_true(session->world.aim.fps == 0);
    assert_non_null(strstr(session->texts.message, "the grid stays as it was given"));
    free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_is_given_twice),
        cmocka_unit_test(letters_places_and_what_is_held),
        cmocka_unit_test(pairs_are_opposite),
        cmocka_unit_test(the_help_has_words_for_every_row),
        cmocka_unit_test(a_kiosk_s_help_leaves_out_what_it_refuses),
        cmocka_unit_test(the_help_and_the_page_list_the_tools),
        cmocka_unit_test(the_page_lists_all),
        cmocka_unit_test(the_page_lists_no_more),
        cmocka_unit_test(a_key_chooses_the_quality),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
