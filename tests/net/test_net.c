/* SPDX-License-Identifier: MIT
 * Shared sessions: keys, sealed messages, and a host with those who join it, on loopback. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "net/net_crypt.h"
#include "net/net_link.h"
#include "net/net_session.h"
#include "patience.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#define KEY   "aaaaaaa-bbbbbbb-ccccccc-ddddddd"
#define OTHER "aaaaaaa-bbbbbbb-ccccccc-ddddddf"

/* -- keys and sealed messages ------------------------------------------------------------------ */

static NetKey key_of(const char *text)
{
    NetKey key;
    BillowError error = {{0}};
    assert_true(net_crypt_start(&error));
    if (!net_key_make(text, &key, &error))
        fail_msg("%s", error.text);
    return key;
}

/* A handshake as both sides do it. Returns whether both agree. */
static bool shake_hands(NetCipher *host, const NetKey *host_key, NetCipher *guest,
                        const NetKey *guest_key)
{
    unsigned char first[NET_GREETING], second[NET_GREETING];
    net_cipher_start(host, true);
    net_cipher_start(guest, false);
    net_greeting_write(guest, guest_key, NULL, first);
    if (!net_greeting_take(host, host_key, NULL, first))
        return false;
    net_greeting_write(host, host_key, first, second);
    return net_greeting_take(guest, guest_key, first, second);
}

static void keys_open_what_they_seal(void **state)
{
    (void)state;
    NetKey key = key_of(KEY), other = key_of(OTHER);
    NetCipher host, guest;
    unsigned char sealed[64], open[64];
    assert_true(shake_hands(&host, &key, &guest, &key));
    for (int n = 0; n < 3; n++) {
        net_seal(&guest, 0, (const unsigned char *)"smoke", 5, sealed);
        assert_true(net_open(&host, 0, sealed, 5 + NET_SEAL, open));
        assert_memory_equal(open, "smoke", 5);
    }
    assert_false(net_open(&host, 0, sealed, 5 + NET_SEAL, open));  /* a copy */
    assert_false(net_open(&guest, 0, sealed, 5 + NET_SEAL, open)); /* sent back */
    net_seal(&guest, 0, (const unsigned char *)"smoke", 5, sealed);
    assert_false(net_open(&host, 1, sealed, 5 + NET_SEAL, open)); /* on another channel */
    for (int bit = 0; bit < 8 * (5 + NET_SEAL); bit++) {
        sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_false(net_open(&host, 0, sealed, 5 + NET_SEAL, open));
        sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t count = 0; count < 5 + NET_SEAL; count++)
        assert_false(net_open(&host, 0, sealed, count, open));
    assert_true(net_open(&host, 0, sealed, 5 + NET_SEAL, open));
    assert_false(shake_hands(&host, &key, &guest, &other));
    assert_false(shake_hands(&host, &other, &guest, &key));
}

/* Messages may be lost, but neither copied nor sent back in time. */
static void numbered_messages_may_be_lost(void **state)
{
    (void)state;
    NetKey key = key_of(KEY);
    NetCipher host, guest;
    unsigned char sealed[4][32], open[32];
    assert_true(shake_hands(&host, &key, &guest, &key));
    for (int n = 0; n < 4; n++)
        net_seal_numbered(&host, 1, (const unsigned char *)"at", 2, sealed[n]);
    assert_true(net_open_numbered(&guest, 1, sealed[0], 2 + NET_SEAL_NUMBERED, open));
    assert_true(net_open_numbered(&guest, 1, sealed[2], 2 + NET_SEAL_NUMBERED, open));
    assert_false(net_open_numbered(&guest, 1, sealed[1], 2 + NET_SEAL_NUMBERED, open));
    assert_false(net_open_numbered(&guest, 1, sealed[2], 2 + NET_SEAL_NUMBERED, open));
    sealed[3][0] ^= 1;
    assert_false(net_open_numbered(&guest, 1, sealed[3], 2 + NET_SEAL_NUMBERED, open));
    sealed[3][0] ^= 1;
    assert_true(net_open_numbered(&guest, 1, sealed[3], 2 + NET_SEAL_NUMBERED, open));
}

/* No two messages share a nonce, whose reuse would give away the difference of two messages: the
 * same message is sealed to other bytes on each channel, by each side, and each time. */
static void no_nonce_is_used_twice(void **state)
{
    (void)state;
    NetKey key = key_of(KEY);
    NetCipher side[2];
    unsigned char sealed[2 * NET_CHANNELS * 3][5 + NET_SEAL], open[5];
    int count = 0;
    assert_true(shake_hands(&side[0], &key, &side[1], &key));
    for (int s = 0; s < 2; s++)
        for (int channel = 0; channel < NET_CHANNELS; channel++)
            for (int n = 0; n < 3; n++)
                net_seal(&side[s], channel, (const unsigned char *)"smoke", 5, sealed[count++]);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(sealed[a], sealed[b], 5);
    /* The next message of one channel is not that of another, which is expected there too. */
    for (int channel = 0; channel < NET_CHANNELS; channel++)
        for (int other = 0; other < NET_CHANNELS; other++) {
            NetCipher fresh = side[1];
            bool opens = net_open(&fresh, other, sealed[3 * channel], 5 + NET_SEAL, open);
            assert_int_equal(opens, channel == other);
        }
}

/* What was recorded of one connection is worthless in another with the same key. */
static void greetings_are_fresh(void **state)
{
    (void)state;
    NetKey key = key_of(KEY);
    NetCipher host, guest, later;
    unsigned char first[NET_GREETING], second[NET_GREETING], again[NET_GREETING], sealed[32],
        open[32];
    net_cipher_start(&host, true);
    net_cipher_start(&guest, false);
    net_greeting_write(&guest, &key, NULL, first);
    assert_true(net_greeting_take(&host, &key, NULL, first));
    net_greeting_write(&host, &key, first, second);
    assert_true(net_greeting_take(&guest, &key, first, second));
    net_seal(&guest, 0, (const unsigned char *)"hello", 5, sealed);
    /* The host of another connection takes the greeting, but not the message. */
    net_cipher_start(&later, true);
    assert_true(net_greeting_take(&later, &key, NULL, first));
    assert_false(net_open(&later, 0, sealed, 5 + NET_SEAL, open));
    /* A guest with another greeting does not take the host's old answer. */
    net_cipher_start(&later, false);
    net_greeting_write(&later, &key, NULL, again);
    assert_false(net_greeting_take(&later, &key, again, second));
}

static void keys_are_checked(void **state)
{
    (void)state;
    NetKey key;
    BillowError error = {{0}};
    static const char *const chosen[] = {"",
                                         "correct horse battery staple",
                                         "aaaaaaabbbbbbbbbcccccccbddddddd",
                                         "aaaaaaa-bbbbbbb-ccccccc-dddddd1",
                                         "aaaaaaa-bbbbbbb-ccccccc-ddddddD",
                                         "aaaaaaa-bbbbbbb-ccccccc-dddddd",
                                         KEY "d",
                                         " " KEY};
    char one[NET_KEY_TEXT], two[NET_KEY_TEXT];
    net_key_new(one);
    net_key_new(two);
    assert_true(net_key_make(one, &key, &error) && net_key_make(two, &key, &error));
    assert_string_not_equal(one, two);
    for (size_t c = 0; c < sizeof chosen / sizeof *chosen; c++) {
        assert_false(net_key_make(chosen[c], &key, &error));
        assert_string_equal(error.text, "this is no key: one has four groups of seven letters and "
                                        "digits, as the host shows it");
    }
}

/* Each sign of a key carries 5 bits: all 32 signs come in every place, about as often. */
static void new_keys_cannot_be_guessed(void **state)
{
    (void)state;
    enum { KEYS = 6400 };
    static int seen[NET_KEY_TEXT - 1][128];
    BillowError error = {{0}};
    char text[NET_KEY_TEXT];
    assert_true(net_crypt_start(&error));
    for (int n = 0; n < KEYS; n++) {
        net_key_new(text);
        for (int at = 0; at < NET_KEY_TEXT - 1; at++)
            seen[at][text[at] & 127]++;
    }
    for (int at = 0; at < NET_KEY_TEXT - 1; at++) {
        int signs = 0;
        for (int c = 0; c < 128; c++) {
            signs += seen[at][c] > 0;
            if (at % 8 != 7 && seen[at][c] > 0)
                assert_in_range(seen[at][c], KEYS / 32 - 100, KEYS / 32 + 100); /* 7 deviations */
        }
        assert_int_equal(signs, at % 8 == 7 ? 1 : 32);
    }
}

/* -- messages ---------------------------------------------------------------------------------- */

static NetPerson ann(int hand)
{
    return (NetPerson){.hand = hand,
                       .name = "Ann \xC3\x84",
                       .pointer = {0.5f, -1, 2},
                       .pointing = true,
                       .watches = true,
                       .delay = 70,
                       .behind = 3};
}

static void messages_are_read_as_written(void **state)
{
    (void)state;
    NetMessage sent[] = {
        {.kind = NET_HELLO, .hello = {.version = NET_VERSION, .person = ann(0)}},
        {.kind = NET_COMMANDS, .data = {(const unsigned char *)"abc", 3}},
        {.kind = NET_HASH, .hash = {1ull << 40, 99}},
        {.kind = NET_STEP, .step = 30},
        {.kind = NET_POINTER, .person = ann(0)},
        {.kind = NET_WELCOME, .hand = 7},
        {.kind = NET_REFUSAL, .text = "no"},
        {.kind = NET_STATE, .size = 6400000},
        {.kind = NET_STATE_PIECE, .data = {(const unsigned char *)"abcd", 4}},
        {.kind = NET_LOG, .data = {(const unsigned char *)"abcde", 5}},
        {.kind = NET_PEOPLE, .people = {2, {ann(0), ann(7)}}},
        {.kind = NET_POINTERS, .people = {2, {ann(0), ann(7)}}},
        {.kind = NET_BEHIND},
    };
    for (size_t m = 0; m < sizeof sent / sizeof *sent; m++) {
        unsigned char bytes[4096], again[4096];
        NetMessage read;
        bool from_host = sent[m].kind >= NET_WELCOME;
        assert_true(net_message_room(&sent[m]) <= sizeof bytes);
        size_t count = net_message_write(&sent[m], bytes);
        assert_true(count <= net_message_room(&sent[m]));
        assert_false(net_message_read(bytes, count, !from_host, &read));
        assert_true(net_message_read(bytes, count, from_host, &read));
        assert_int_equal(net_message_write(&read, again), count);
        assert_memory_equal(bytes, again, count);
        bool open_ended = sent[m].kind == NET_COMMANDS || sent[m].kind == NET_STATE_PIECE ||
                          sent[m].kind == NET_LOG;
        for (size_t less = 0; less < count && !open_ended; less++)
            assert_false(net_message_read(bytes, less, from_host, &read));
        bytes[count] = 0;
        assert_int_equal(net_message_read(bytes, count + 1, from_host, &read), open_ended);
    }
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    NetMessage message = {.kind = NET_POINTER, .person = ann(0)}, read;
    message.person.pointer[1] = 1e30f;
    assert_false(net_message_read(bytes, net_message_write(&message, bytes), false, &read));
    message = (NetMessage){.kind = NET_WELCOME, .hand = 8};
    assert_false(net_message_read(bytes, net_message_write(&message, bytes), true, &read));
    message = (NetMessage){.kind = NET_PEOPLE, .people = {1, {ann(200)}}};
    assert_false(net_message_read(bytes, net_message_write(&message, bytes), true, &read));
    bytes[0] = NET_PEOPLE;
    bytes[1] = 9;
    assert_false(net_message_read(bytes, sizeof bytes, true, &read));
    bytes[0] = 31; /* no kind */
    assert_false(net_message_read(bytes, 1, false, &read));
    assert_false(net_message_read(bytes, 0, false, &read));
}

static void names_can_be_shown(void **state)
{
    (void)state;
    char clean[NET_NAME];
    net_name_clean("Ann \xC3\x84", clean);
    assert_string_equal(clean, "Ann \xC3\x84");
    net_name_clean("\x1B[2J\xFF\xC3", clean);
    assert_string_equal(clean, "?[2J??");
    net_name_clean("\xE2\x80\xAE"
                   "evil",
                   clean); /* turns the direction of writing */
    assert_string_equal(clean, "?evil");
    net_name_clean("", clean);
    assert_string_equal(clean, "?");
    net_name_clean("123456789012345678901234567890\xC3\x84", clean);
    assert_string_equal(clean, "123456789012345678901234567890"); /* not cut within a character */
}

/* -- sessions ---------------------------------------------------------------------------------- */

static NetSession *open_side(bool host, int port, const char *key)
{
    BillowError error = {{0}};
    NetDef def = {.host = host,
                  .port = port,
                  .key = key,
                  .name = host ? "Host" : "Guest",
                  .mismatch = "another version",
                  .state_most = 16 << 20};
    NetSession *session = net_open_session(&def, &error);
    if (session == NULL)
        fail_msg("%s", error.text);
    return session;
}

/* Lets the sides work until the first has an event, which is returned; others keep theirs. */
static NetEvent wait_for(NetSession *side, NetSession *others[], int count)
{
    NetEvent event;
    for (double start = clock_seconds(); clock_seconds() - start < PATIENCE;) {
        net_service(side);
        for (int o = 0; o < count; o++)
            net_service(others[o]);
        if (net_next_event(side, &event))
            return event;
        net_wait(side, 1);
    }
    fail_msg("no event");
    return (NetEvent){0};
}

static NetEvent expect(NetSession *side, NetSession *other, NetEventKind kind)
{
    NetEvent event = wait_for(side, &other, 1);
    if (event.kind != kind)
        fail_msg("event %d (%s), not %d", event.kind, event.text, kind);
    return event;
}

/* A host with one guest that has got the state "state". */
static void open_pair(NetSession **host, NetSession **guest)
{
    *host = open_side(true, 0, KEY);
    *guest = open_side(false, net_port(*host), KEY);
    NetEvent event = expect(*host, *guest, NET_EVENT_JOINED);
    assert_int_equal(event.hand, 1);
    assert_true(net_send_state(*host, 1, (unsigned char *)strdup("state"), 5));
    event = expect(*guest, *host, NET_EVENT_WELCOME);
    assert_int_equal(event.hand, 1);
    event = expect(*guest, *host, NET_EVENT_STATE);
    assert_int_equal(event.count, 5);
    assert_memory_equal(event.bytes, "state", 5);
    net_event_free(&event);
}

static void log_and_commands_arrive(void **state)
{
    (void)state;
    NetSession *host, *guest;
    open_pair(&host, &guest);
    for (uint32_t n = 1; n <= 500; n++)
        net_append(host, (const unsigned char *)&n, sizeof n, n);
    for (uint32_t n = 1; n <= 500; n++) {
        NetEvent event = expect(guest, host, NET_EVENT_LOG);
        assert_int_equal(event.count, sizeof n);
        assert_memory_equal(event.bytes, &n, sizeof n);
        net_event_free(&event);
    }
    net_send_commands(guest, (const unsigned char *)"push", 4);
    net_send_hash(guest, 480, 7);
    net_send_step(guest, 490);
    NetEvent event = expect(host, guest, NET_EVENT_COMMANDS);
    assert_int_equal(event.hand, 1);
    assert_memory_equal(event.bytes, "push", 4);
    net_event_free(&event);
    event = expect(host, guest, NET_EVENT_HASH);
    assert_true(event.step == 480 && event.hash == 7);
    NetPerson people[NET_PEOPLE_MAX];
    do {
        net_service(host);
        net_service(guest);
        assert_int_equal(net_people(host, people), 2);
    } while (people[1].behind != 10);
    net_close_session(guest, NULL);
    event = expect(host, host, NET_EVENT_LEFT);
    assert_int_equal(event.hand, 1);
    net_close_session(host, NULL);
}

static void people_are_known(void **state)
{
    (void)state;
    NetSession *host, *guest;
    NetPerson people[NET_PEOPLE_MAX];
    const float at[3] = {1, 2, 3};
    open_pair(&host, &guest);
    NetSession *other = open_side(false, net_port(host), KEY);
    NetEvent event = wait_for(host, (NetSession *[]){guest, other}, 2);
    assert_true(event.kind == NET_EVENT_JOINED && event.hand == 2);
    net_point(other, at, true);
    bool seen = false;
    for (double start = clock_seconds(); !seen && clock_seconds() - start < PATIENCE;) {
        net_service(host);
        net_service(guest);
        net_service(other);
        int count = net_people(guest, people);
        seen = count == 3 && people[2].pointing;
    }
    assert_true(seen);
    assert_string_equal(people[0].name, "Host");
    assert_int_equal(people[2].hand, 2);
    assert_memory_equal(people[2].pointer, at, sizeof at);
    net_close_session(host, "the host went home");
    event = expect(guest, other, NET_EVENT_CLOSED);
    assert_string_equal(event.text, "the host went home");
    net_close_session(guest, NULL);
    net_close_session(other, NULL);
}

/* A state of many pieces arrives whole, and the log of meanwhile after it. */
static void large_states_arrive(void **state)
{
    (void)state;
    enum { BYTES = 6400000 };
    NetSession *host, *guest;
    open_pair(&host, &guest);
    unsigned char *bytes = malloc(BYTES);
    assert_non_null(bytes);
    for (size_t b = 0; b < BYTES; b++)
        bytes[b] = (unsigned char)(b * 2654435761u >> 24);
    unsigned char *copy = malloc(BYTES);
    assert_non_null(copy);
    memcpy(copy, bytes, BYTES);
    assert_true(net_send_state(host, 1, copy, BYTES));
    net_append(host, (const unsigned char *)"next", 4, 1);
    NetEvent event = expect(guest, host, NET_EVENT_STATE);
    assert_int_equal(event.count, BYTES);
    assert_memory_equal(event.bytes, bytes, BYTES);
    net_event_free(&event);
    event = expect(guest, host, NET_EVENT_LOG);
    assert_memory_equal(event.bytes, "next", 4);
    net_event_free(&event);
    assert_true(net_send_state(host, 1, calloc(1, 17 << 20), 17 << 20));
    event = expect(guest, host, NET_EVENT_CLOSED);
    assert_non_null(strstr(event.text, "larger than this program takes"));
    free(bytes);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* A hand that takes nothing for long is left behind, and goes on from its next state. */
static void slow_hands_get_another_state(void **state)
{
    (void)state;
    enum { ENTRY = 1 << 18 };
    NetSession *host, *guest;
    NetEvent event;
    open_pair(&host, &guest);
    unsigned char *entry = calloc(1, ENTRY);
    assert_non_null(entry);
    bool behind = false;
    for (uint64_t step = 1; step <= 64 && !behind; step++) {
        net_append(host, entry, ENTRY, step);
        behind = net_next_event(host, &event);
    }
    assert_true(behind && event.kind == NET_EVENT_BEHIND);
    net_append(host, (const unsigned char *)"lost", 4, 65);
    assert_true(net_send_state(host, 1, (unsigned char *)strdup("newer"), 5));
    net_append(host, (const unsigned char *)"next", 4, 66);
    bool waited = false;
    for (;;) {
        event = wait_for(guest, &host, 1);
        if (event.kind == NET_EVENT_STATE)
            break;
        assert_true(event.kind == (waited ? NET_EVENT_WAIT : event.kind));
        waited = waited || event.kind == NET_EVENT_WAIT;
        net_event_free(&event);
    }
    assert_true(waited);
    assert_memory_equal(event.bytes, "newer", 5);
    net_event_free(&event);
    event = expect(guest, host, NET_EVENT_LOG);
    assert_memory_equal(event.bytes, "next", 4);
    net_event_free(&event);
    free(entry);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* A hand that has once caught up and then falls far behind needs a state. */
static void hands_that_fall_behind_need_a_state(void **state)
{
    (void)state;
    NetSession *host, *guest;
    NetEvent event;
    open_pair(&host, &guest);
    net_append(host, (const unsigned char *)"1", 1, 1);
    net_send_step(guest, 1);
    NetPerson people[NET_PEOPLE_MAX];
    do {
        net_service(host);
        net_service(guest);
        net_people(host, people);
    } while (people[1].behind != 0);
    for (uint64_t step = 2; step <= 2 + NET_STEPS_BEHIND; step++) {
        assert_false(net_next_event(host, &event));
        net_append(host, (const unsigned char *)"n", 1, step);
    }
    assert_true(net_next_event(host, &event));
    assert_int_equal(event.kind, NET_EVENT_BEHIND);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

static void floods_are_sent_away(void **state)
{
    (void)state;
    NetSession *host, *guest;
    open_pair(&host, &guest);
    unsigned char *flood = calloc(1, NET_DATA_MAX);
    assert_non_null(flood);
    for (int n = 0; n < 8; n++)
        net_send_commands(guest, flood, NET_DATA_MAX);
    int commands = 0;
    for (;;) {
        NetEvent event = wait_for(host, &guest, 1);
        net_event_free(&event);
        if (event.kind == NET_EVENT_LEFT) {
            assert_string_equal(event.text, "it sent too much");
            break;
        }
        assert_int_equal(event.kind, NET_EVENT_COMMANDS);
        commands++;
    }
    assert_true(commands < 5);
    free(flood);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* A hand cannot say that it is ahead of the host. */
static void impossible_steps_are_sent_away(void **state)
{
    (void)state;
    NetSession *host, *guest;
    open_pair(&host, &guest);
    net_send_step(guest, 1);
    NetEvent event = expect(host, guest, NET_EVENT_LEFT);
    assert_string_equal(event.text, "it reports a step that the host has not taken");
    event = expect(guest, host, NET_EVENT_CLOSED);
    assert_string_equal(event.text, "it reports a step that the host has not taken");
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

static void other_programs_are_told(void **state)
{
    (void)state;
    BillowError error = {{0}};
    NetSession *host = open_side(true, 0, KEY);
    NetDef def = {.port = net_port(host), .key = KEY, .name = "x", .fingerprint = {1}};
    NetSession *guest = net_open_session(&def, &error);
    assert_non_null(guest);
    NetEvent event = expect(guest, host, NET_EVENT_CLOSED);
    assert_string_equal(event.text, "another version");
    assert_false(net_next_event(host, &event));
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* Everything that is not sealed with the key gets no answer: garbage, and a guest with another
 * key. */
static void nothing_is_answered_without_the_key(void **state)
{
    (void)state;
    NetSession *host = open_side(true, 0, KEY);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)net_port(host))};
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    int raw = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(raw >= 0);
    fcntl(raw, F_SETFL, O_NONBLOCK);
    uint32_t seed = 1;
    for (int n = 0; n < 2000; n++) {
        unsigned char garbage[300];
        for (size_t b = 0; b < sizeof garbage; b++)
            garbage[b] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
        if (n % 2 == 0) /* as a connection begins */
            memcpy(garbage, (unsigned char[]){0x8F, 0xFF, 0, 1}, 4);
        sendto(raw, garbage, 1 + seed % sizeof garbage, 0, (struct sockaddr *)&to, sizeof to);
        net_service(host);
    }
    NetSession *guest = open_side(false, net_port(host), OTHER);
    NetEvent event = expect(guest, host, NET_EVENT_CLOSED);
    assert_string_equal(event.text, "nobody answered; is the key right?");
    assert_true(recv(raw, &event, sizeof event, 0) < 0);
    assert_int_equal(net_traffic(host).sent, 0);
    assert_true(net_traffic(host).received > 100000);
    close(raw);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* -- greetings that come again ----------------------------------------------------------------- */

static int opened, refused;

static void count_opened(void *session, NetLink *link)
{
    (void)session;
    (void)link;
    opened++;
}

static void forget_link(NetTransport *self, NetLink *link)
{
    (void)self;
    refused++;
    link->stage = NET_FREE;
}

static void send_nowhere(NetTransport *self, NetLink *link, int channel,
                         const unsigned char *packet, size_t count)
{
    (void)self;
    (void)link;
    (void)channel;
    (void)packet;
    (void)count;
}

/* Whether a host opens a link for a greeting. */
static bool greets(NetLinks *links, NetTransport *transport, const unsigned char *greeting)
{
    const int before = opened;
    unsigned char packet[NET_GREETING];
    NetLink *link = net_link_begin(links, transport, NULL);
    assert_non_null(link);
    memcpy(packet, greeting, sizeof packet);
    net_link_receive(links, link, NET_ORDERED, packet, sizeof packet);
    link->stage = NET_FREE;
    return opened > before;
}

/* A host takes a greeting once, however many others have come since, up to NET_GREETINGS. */
static void greetings_are_taken_once(void **state)
{
    (void)state;
    static unsigned char greetings[NET_GREETINGS][NET_GREETING];
    NetLinks *links = calloc(1, sizeof *links);
    NetTransport transport = {.send = send_nowhere, .finish = forget_link, .reset = forget_link};
    assert_non_null(links);
    links->host = true;
    links->key = key_of(KEY);
    links->handlers.opened = count_opened;
    for (int g = 0; g < NET_GREETINGS; g++) {
        NetCipher guest;
        net_cipher_start(&guest, false);
        net_greeting_write(&guest, &links->key, NULL, greetings[g]);
        assert_true(greets(links, &transport, greetings[g]));
    }
    for (int g = 0; g < NET_GREETINGS; g++)
        assert_false(greets(links, &transport, greetings[g]));
    assert_int_equal(opened, NET_GREETINGS);
    assert_int_equal(refused, NET_GREETINGS);
    free(links);
}

/* -- what somebody on the way can do ------------------------------------------------------------
 */

static int udp_socket(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    assert_true(made >= 0 && bind(made, (struct sockaddr *)&at, sizeof at) == 0);
    fcntl(made, F_SETFL, O_NONBLOCK);
    getsockname(made, (struct sockaddr *)&at, &size);
    if (port != NULL)
        *port = ntohs(at.sin_port);
    return made;
}

enum { RECORDED = 64, DATAGRAM = 2048 };

/* Passes datagrams on between a guest and a host, and records the guest's first ones. */
typedef struct Relay {
    int to_guest, to_host; /* sockets */
    struct sockaddr_in guest, host;
    unsigned char recorded[RECORDED][DATAGRAM];
    size_t lengths[RECORDED];
    int count;
} Relay;

static void pass_on(Relay *relay)
{
    unsigned char bytes[DATAGRAM];
    socklen_t size = sizeof relay->guest;
    ssize_t count;
    while ((count = recvfrom(relay->to_guest, bytes, sizeof bytes, 0,
                             (struct sockaddr *)&relay->guest, &size)) > 0) {
        if (relay->count < RECORDED) {
            memcpy(relay->recorded[relay->count], bytes, (size_t)count);
            relay->lengths[relay->count++] = (size_t)count;
        }
        sendto(relay->to_host, bytes, (size_t)count, 0, (struct sockaddr *)&relay->host,
               sizeof relay->host);
    }
    while ((count = recv(relay->to_host, bytes, sizeof bytes, 0)) > 0)
        sendto(relay->to_guest, bytes, (size_t)count, 0, (struct sockaddr *)&relay->guest,
               sizeof relay->guest);
}

/* A guest's datagrams, sent again by somebody who has recorded them: from elsewhere they are not
 * answered, and from the guest's own address they change nothing. */
static void recorded_datagrams_are_worthless(void **state)
{
    (void)state;
    static Relay relay;
    int port;
    NetSession *host = open_side(true, 0, KEY);
    relay = (Relay){.to_guest = udp_socket(&port), .to_host = udp_socket(NULL)};
    relay.host =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)net_port(host))};
    inet_pton(AF_INET, "127.0.0.1", &relay.host.sin_addr);
    NetSession *guest = open_side(false, port, KEY);
    NetEvent event = {0};
    bool sent = false;
    uint64_t step = 0;
    for (double start = clock_seconds(); step < 40 && clock_seconds() - start < PATIENCE;) {
        net_service(host);
        net_service(guest);
        pass_on(&relay);
        if (net_next_event(host, &event)) {
            assert_int_equal(event.kind, NET_EVENT_JOINED);
            sent = net_send_state(host, 1, (unsigned char *)strdup("state"), 5);
        }
        if (sent && step < 40) {
            step++;
            net_append(host, (const unsigned char *)"log", 3, step);
        }
        for (; net_next_event(guest, &event); net_event_free(&event))
            assert_int_not_equal(event.kind, NET_EVENT_CLOSED);
    }
    assert_int_equal(step, 40);
    assert_true(relay.count > 5);
    int elsewhere = udp_socket(NULL);
    for (int turn = 0; turn < 20; turn++)
        for (int r = 0; r < relay.count; r++) {
            sendto(elsewhere, relay.recorded[r], relay.lengths[r], 0,
                   (struct sockaddr *)&relay.host, sizeof relay.host);
            sendto(relay.to_host, relay.recorded[r], relay.lengths[r], 0,
                   (struct sockaddr *)&relay.host, sizeof relay.host);
            net_service(host);
            net_service(guest);
            pass_on(&relay);
        }
    unsigned char bytes[DATAGRAM];
    assert_true(recv(elsewhere, bytes, sizeof bytes, 0) < 0);
    assert_false(net_next_event(host, &event));
    net_send_commands(guest, (const unsigned char *)"push", 4);
    for (double start = clock_seconds(); !net_next_event(host, &event);) {
        net_service(host);
        net_service(guest);
        pass_on(&relay);
        assert_true(clock_seconds() - start < PATIENCE);
    }
    assert_int_equal(event.kind, NET_EVENT_COMMANDS);
    assert_memory_equal(event.bytes, "push", 4);
    net_event_free(&event);
    close(elsewhere);
    close(relay.to_guest);
    close(relay.to_host);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

/* Somebody asks for more connections than there are and never greets: one who greets comes in. */
static void half_open_connections_give_way(void **state)
{
    (void)state;
    enum { CROWD = 200, SUM_AT = 4, NUMBERS_AT = 48, REQUEST = 56 };
    static Relay relay;
    int port, crowd[CROWD];
    NetKey key = key_of(KEY);
    NetSession *host, *guest;
    open_pair(&host, &guest);
    relay = (Relay){.to_guest = udp_socket(&port), .to_host = udp_socket(NULL)};
    relay.host =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)net_port(host))};
    inet_pton(AF_INET, "127.0.0.1", &relay.host.sin_addr);
    NetSession *asking = open_side(false, port, KEY);
    for (double start = clock_seconds(); relay.count == 0 && clock_seconds() - start < PATIENCE;) {
        net_service(asking);
        pass_on(&relay);
    }
    assert_int_equal(relay.lengths[0], REQUEST);
    net_close_session(asking, NULL);
    for (int c = 0; c < CROWD; c++) {
        unsigned char *request = relay.recorded[0];
        memset(request + SUM_AT, 0, 4);
        memcpy(request + NUMBERS_AT, &c, sizeof c);
        const uint32_t sum = net_key_checksum(&key, request, REQUEST);
        memcpy(request + SUM_AT, &sum, sizeof sum);
        crowd[c] = udp_socket(NULL);
        sendto(crowd[c], request, REQUEST, 0, (struct sockaddr *)&relay.host, sizeof relay.host);
        net_service(host);
        net_service(guest);
    }
    NetSession *other = open_side(false, net_port(host), KEY);
    NetEvent event = wait_for(host, (NetSession *[]){guest, other}, 2);
    assert_int_equal(event.kind, NET_EVENT_JOINED);
    assert_int_equal(event.hand, 2);
    net_append(host, (const unsigned char *)"next", 4, 1);
    event = expect(guest, host, NET_EVENT_LOG); /* who was there before is still */
    net_event_free(&event);
    for (int c = 0; c < CROWD; c++)
        close(crowd[c]);
    close(relay.to_guest);
    close(relay.to_host);
    net_close_session(other, NULL);
    net_close_session(guest, NULL);
    net_close_session(host, NULL);
}

static void wrong_addresses_are_named(void **state)
{
    (void)state;
    BillowError error = {{0}};
    NetDef def = {.host = true, .address = "no such machine", .key = KEY};
    assert_null(net_open_session(&def, &error));
    assert_string_equal(error.text, "no machine is known by the name no such machine");
    NetSession *host = open_side(true, 0, KEY);
    def.address = NULL;
    def.port = net_port(host);
    assert_null(net_open_session(&def, &error));
    assert_non_null(strstr(error.text, "cannot listen on 127.0.0.1, port"));
    net_close_session(host, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_open_what_they_seal),
        cmocka_unit_test(numbered_messages_may_be_lost),
        cmocka_unit_test(greetings_are_fresh),
        cmocka_unit_test(no_nonce_is_used_twice),
        cmocka_unit_test(greetings_are_taken_once),
        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(new_keys_cannot_be_guessed),
        cmocka_unit_test(messages_are_read_as_written),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(names_can_be_shown),
        cmocka_unit_test(log_and_commands_arrive),
        cmocka_unit_test(people_are_known),
        cmocka_unit_test(large_states_arrive),
        cmocka_unit_test(slow_hands_get_another_state),
        cmocka_unit_test(hands_that_fall_behind_need_a_state),
        cmocka_unit_test(floods_are_sent_away),
        cmocka_unit_test(impossible_steps_are_sent_away),
        cmocka_unit_test(other_programs_are_told),
        cmocka_unit_test(nothing_is_answered_without_the_key),
        cmocka_unit_test(recorded_datagrams_are_worthless),
        cmocka_unit_test(half_open_connections_give_way),
        cmocka_unit_test(wrong_addresses_are_named),
    };
    return cmocka_run_group_tests_name("net", tests, NULL, NULL);
}
