/* SPDX-License-Identifier: MIT
 * Pages in shared sessions: what a host serves to browsers, how they join by WebSocket, and what is
 * closed without an answer. The browser is a bare TCP client. */
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
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define KEY  "aaaaaaa-bbbbbbb-ccccccc-ddddddd"
#define PAGE "<title>smoke</title>"

static char folder[64], secret_file[80], index_file[80], large_file[80];

static int make_page(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/billow_page_%d", (int)getpid());
    snprintf(index_file, sizeof index_file, "%s/index.html", folder);
    snprintf(large_file, sizeof large_file, "%s/large.js", folder);
    snprintf(secret_file, sizeof secret_file, "%s.html", folder); /* beside the folder */
    char command[512];
    snprintf(command, sizeof command, "mkdir -p %s && printf '%s' > %s && printf secret > %s",
             folder, PAGE, index_file, secret_file);
    int large;
    return system(command) != 0 || (large = open(large_file, O_CREAT | O_WRONLY, 0600)) < 0 ||
           ftruncate(large, 16 << 20) != 0 || close(large) != 0;
}

static int remove_page(void **state)
{
    (void)state;
    unlink(index_file);
    unlink(large_file);
    unlink(secret_file);
    return rmdir(folder);
}

/* The system chooses a UDP port that is free. That of TCP may be taken; then it chooses again. */
static NetSession *open_host(char path[NET_PATH])
{
    BillowError error = {{0}};
    NetDef def = {
        .host = true, .key = KEY, .name = "Host", .page = folder, .mismatch = "another version"};
    for (int tries = 0; tries < 20; tries++) {
        NetSession *host = net_open_session(&def, &error);
        if (host != NULL && net_page(host, path, &error))
            return host;
        net_close_session(host, NULL);
        if (strstr(error.text, "is in use") == NULL)
            break;
    }
    fail_msg("%s", error.text);
    return NULL;
}

/* -- a bare client ----------------------------------------------------------------------------- */

/* What a client has received. */
typedef struct Browser {
    int socket;
    unsigned char bytes[1 << 20];
    size_t count, at; /* at: of the next frame */
    bool closed;
    NetCipher cipher;
} Browser;

/* Opens a connection from the loopback address of this number: 1 is 127.0.0.1. */
static int connect_from(const NetSession *host, uint32_t number)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)net_port(host))};
    struct sockaddr_in from = {.sin_family = AF_INET};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + number);
    int connected = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(connected, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(connected, (struct sockaddr *)&to, sizeof to), 0);
    fcntl(connected, F_SETFL, O_NONBLOCK);
    return connected;
}

static Browser *connect_to(const NetSession *host)
{
    Browser *browser = calloc(1, sizeof *browser);
    assert_non_null(browser);
    browser->socket = connect_from(host, 1);
    return browser;
}

static void disconnect(Browser *browser)
{
    close(browser->socket);
    free(browser);
}

static void send_bytes(NetSession *host, Browser *browser, const void *bytes, size_t count)
{
    for (size_t at = 0; at < count;) {
        ssize_t sent = send(browser->socket, (const char *)bytes + at, count - at, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
            return;
        at += sent > 0 ? (size_t)sent : 0;
        net_service(host);
    }
}

static void read_what_came(Browser *browser)
{
    ssize_t count = recv(browser->socket, browser->bytes + browser->count,
                         sizeof browser->bytes - browser->count, 0);
    if (count > 0)
        browser->count += (size_t)count;
    browser->closed = browser->closed || count == 0 || (count < 0 && errno == ECONNRESET);
}

/* Lets the host work until it has closed the connection. */
static void wait_for_close(NetSession *host, Browser *browser)
{
    for (double start = clock_seconds(); !browser->closed;) {
        assert_true(clock_seconds() - start < PATIENCE);
        net_service(host);
        read_what_came(browser);
        net_wait(host, 1);
    }
}

/* Formats a request: T stands for the token. */
static size_t make_request(const char *form, const char *path, char request[24000])
{
    size_t count = 0;
    for (const char *c = form; *c != 0; c++)
        if (*c == 'T' && c[-1] == '/') {
            memcpy(request + count, path + 1, NET_TOKEN - 1);
            count += NET_TOKEN - 1;
        } else
            request[count++] = *c;
    request[count] = 0;
    return count;
}

static void ask(NetSession *host, Browser *browser, const char *form, const char *path)
{
    char request[24000];
    send_bytes(host, browser, request, make_request(form, path, request));
}

#define UPGRADE(protocol)                                                                          \
    "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"        \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" protocol "\r\n"
#define JOIN "GET /T/join HTTP/1.1\r\n" UPGRADE("Sec-WebSocket-Protocol: billow\r\n")

/* Opens a WebSocket. */
static Browser *open_socket(NetSession *host, const char *path)
{
    Browser *browser = connect_to(host);
    ask(host, browser, JOIN, path);
    for (double start = clock_seconds(); strstr((char *)browser->bytes, "\r\n\r\n") == NULL;) {
        assert_true(!browser->closed && clock_seconds() - start < PATIENCE);
        net_service(host);
        read_what_came(browser);
    }
    assert_non_null(strstr((char *)browser->bytes, " 101 "));
    browser->at = (size_t)(strstr((char *)browser->bytes, "\r\n\r\n") + 4 - (char *)browser->bytes);
    return browser;
}

/* Sends a frame: the channel and the bytes. `length` is that in the frame's head. */
static void send_frame(NetSession *host, Browser *browser, int first, uint64_t length, int channel,
                       const void *bytes, size_t count)
{
    unsigned char head[15] = {(unsigned char)first, 0x80 | 127};
    for (int b = 0; b < 8; b++)
        head[2 + b] = (unsigned char)(length >> (56 - 8 * b));
    head[14] = (unsigned char)channel; /* the mask is 0 */
    send_bytes(host, browser, head, sizeof head);
    send_bytes(host, browser, bytes, count);
}

enum { WHOLE = 0x82, PART = 0x02, PONG = 0x8A };

static void send_packet(NetSession *host, Browser *browser, int channel, const void *bytes,
                        size_t count)
{
    send_frame(host, browser, WHOLE, count + 1, channel, bytes, count);
}

/* Waits for the next frame with a packet, and returns it. Pings are answered. NULL: closed. */
static unsigned char *next_packet(NetSession *host, Browser *browser, size_t *count)
{
    for (double start = clock_seconds(); clock_seconds() - start < PATIENCE;) {
        net_service(host);
        read_what_came(browser);
        const unsigned char *head = browser->bytes + browser->at;
        size_t there = browser->count - browser->at, size = there > 1 ? head[1] : 0, skip = 2;
        if (size == 126)
            size = (size_t)head[2] << 8 | head[3], skip = 4;
        else if (size == 127)
            size = (size_t)head[6] << 24 | (size_t)head[7] << 16 | (size_t)head[8] << 8 | head[9],
            skip = 10;
        if (there < 2 || there < skip + size) {
            if (browser->closed)
                return NULL;
            net_wait(host, 1);
            continue;
        }
        browser->at += skip + size;
        if (head[0] == 0x89)
            send_bytes(host, browser, (unsigned char[]){PONG, 0x81, 0, 0, 0, 0, head[2]}, 7);
        if (head[0] != WHOLE)
            continue;
        *count = size - 1;
        return browser->bytes + browser->at - size;
    }
    fail_msg("no packet");
    return NULL;
}

/* Greets and takes the host's greeting. */
static void greet(NetSession *host, Browser *browser, unsigned char greeting[NET_GREETING])
{
    NetKey key;
    BillowError error = {{0}};
    size_t count;
    assert_true(net_crypt_start(&error) && net_key_make(KEY, &key, &error));
    net_cipher_start(&browser->cipher, false);
    net_greeting_write(&browser->cipher, &key, NULL, greeting);
    send_packet(host, browser, NET_ORDERED, greeting, NET_GREETING);
    const unsigned char *answer = next_packet(host, browser, &count);
    assert_non_null(answer);
    assert_int_equal(count, 1 + NET_GREETING - 1);
    assert_int_equal(answer[0], NET_ORDERED);
    assert_true(net_greeting_take(&browser->cipher, &key, greeting, answer + 1));
}

static void send_message(NetSession *host, Browser *browser, const NetMessage *message)
{
    static unsigned char bytes[NET_PACKET_MOST];
    size_t count = net_message_write(message, bytes);
    if (net_may_be_lost(message->kind)) {
        static unsigned char sealed[4096];
        net_seal_numbered(&browser->cipher, NET_LOSSY, bytes, count, sealed);
        send_packet(host, browser, NET_LOSSY, sealed, count + NET_SEAL_NUMBERED);
        return;
    }
    net_seal(&browser->cipher, NET_ORDERED, bytes, count, bytes);
    send_packet(host, browser, NET_ORDERED, bytes, count + NET_SEAL);
}

/* Waits for a message of this kind. Others are passed over. */
static NetMessage next_message(NetSession *host, Browser *browser, NetKind kind)
{
    NetMessage message = {0};
    do {
        size_t count;
        unsigned char *packet = next_packet(host, browser, &count);
        assert_non_null(packet);
        bool lossy = packet[0] == NET_LOSSY;
        assert_true(
            lossy ? net_open_numbered(&browser->cipher, NET_LOSSY, packet + 1, count, packet + 1)
                  : net_open(&browser->cipher, NET_ORDERED, packet + 1, count, packet + 1));
        assert_true(net_message_read(packet + 1, count - (lossy ? NET_SEAL_NUMBERED : NET_SEAL),
                                     true, &message));
    } while (message.kind != kind);
    return message;
}

static NetEvent next_event(NetSession *host, NetEventKind kind)
{
    NetEvent event;
    for (double start = clock_seconds(); !net_next_event(host, &event);) {
        assert_true(clock_seconds() - start < PATIENCE);
        net_service(host);
        net_wait(host, 1);
    }
    if (event.kind != kind)
        fail_msg("event %d (%s), not %d", event.kind, event.text, kind);
    return event;
}

static Browser *join(NetSession *host, const char *path)
{
    unsigned char greeting[NET_GREETING];
    Browser *browser = open_socket(host, path);
    greet(host, browser, greeting);
    send_message(host, browser,
                 &(NetMessage){.kind = NET_HELLO,
                               .hello = {.version = NET_VERSION, .person = {.name = "Guest"}}});
    next_message(host, browser, NET_WELCOME);
    next_event(host, NET_EVENT_JOINED);
    return browser;
}

/* -- the page ---------------------------------------------------------------------------------- */

static void the_page_is_served(void **state)
{
    (void)state;
    static const char *const forms[] = {"GET /T/ HTTP/1.1\r\nHost: x\r\n\r\n",
                                        "GET /T/?single HTTP/1.1\r\nHost: x\r\n\r\n",
                                        "GET /T/index.html HTTP/1.1\r\nHost: x\r\n\r\n"};
    char path[NET_PATH];
    NetSession *host = open_host(path);
    assert_int_equal(strlen(path), NET_PATH - 6);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        Browser *browser = connect_to(host);
        ask(host, browser, forms[f], path);
        wait_for_close(host, browser);
        const char *answer = (const char *)browser->bytes;
        assert_int_equal(strncmp(answer, "HTTP/1.1 200 ", 13), 0);
        assert_non_null(strstr(answer, "content-type: text/html; charset=utf-8\r\n"));
        assert_non_null(strstr(answer, "cross-origin-opener-policy: same-origin\r\n"));
        assert_non_null(strstr(answer, "cross-origin-embedder-policy: require-corp\r\n"));
        assert_non_null(strstr(answer, "\r\nx-content-type-options: nosniff\r\n"));
        assert_non_null(strstr(answer, "\r\nreferrer-policy: no-referrer\r\n"));
        const char *policy = strstr(answer, "\r\ncontent-security-policy: default-src 'none'; ");
        assert_non_null(policy);
        assert_non_null(strstr(policy, "; connect-src 'self' ws://x; "));
        assert_null(strstr(policy, "unsafe-inline"));
        assert_string_equal(strstr(answer, "\r\n\r\n") + 4, PAGE);
        disconnect(browser);
    }
    net_close_session(host, NULL);
}

static void without_a_page_the_host_says_why(void **state)
{
    (void)state;
    char path[NET_PATH];
    BillowError error = {{0}};
    NetDef def = {.host = true, .key = KEY};
    NetSession *host = net_open_session(&def, &error);
    assert_non_null(host);
    assert_false(net_page(host, path, &error));
    assert_string_equal(error.text, "the page has not been built; ./build.sh web builds it");
    net_close_session(host, NULL);

    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    int other = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    assert_int_equal(bind(other, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(other, 1), 0);
    getsockname(other, (struct sockaddr *)&at, &size);
    def.port = ntohs(at.sin_port);
    def.page = folder;
    host = net_open_session(&def, &error);
    assert_non_null(host);
    assert_false(net_page(host, path, &error));
    char expected[64];
    snprintf(expected, sizeof expected, "TCP port %d is in use", def.port);
    assert_string_equal(error.text, expected);
    net_close_session(host, NULL);
    close(other);
}

/* -- joining ----------------------------------------------------------------------------------- */

static void pages_join(void **state)
{
    (void)state;
    enum { BYTES = 300000 };
    char path[NET_PATH];
    NetSession *host = open_host(path);
    Browser *browser = join(host, path);
    unsigned char *bytes = malloc(BYTES), *copy = malloc(BYTES);
    assert_true(bytes != NULL && copy != NULL);
    for (size_t b = 0; b < BYTES; b++)
        copy[b] = bytes[b] = (unsigned char)(b * 2654435761u >> 24);
    assert_true(net_send_state(host, 1, copy, BYTES));
    net_append(host, (const unsigned char *)"next", 4, 1);
    assert_int_equal(next_message(host, browser, NET_STATE).size, BYTES);
    for (size_t at = 0; at < BYTES;) {
        NetMessage piece = next_message(host, browser, NET_STATE_PIECE);
        assert_true(piece.data.count <= BYTES - at);
        assert_memory_equal(piece.data.bytes, bytes + at, piece.data.count);
        at += piece.data.count;
    }
    NetMessage log = next_message(host, browser, NET_LOG);
    assert_int_equal(log.data.count, 4);
    assert_memory_equal(log.data.bytes, "next", 4);

    send_message(host, browser,
                 &(NetMessage){.kind = NET_COMMANDS, .data = {(const unsigned char *)"push", 4}});
    NetEvent event = next_event(host, NET_EVENT_COMMANDS);
    assert_int_equal(event.hand, 1);
    assert_int_equal(event.count, 4);
    assert_memory_equal(event.bytes, "push", 4);
    net_event_free(&event);
    send_message(host, browser, &(NetMessage){.kind = NET_POINTER, .person = {.pointing = true}});
    NetPerson people[NET_PEOPLE_MAX];
    do {
        next_message(host, browser, NET_POINTERS);
        assert_int_equal(net_people(host, people), 2);
    } while (!people[1].pointing);
    assert_string_equal(people[1].name, "Guest");
    free(bytes);

    net_send_away(host, 1, "it is late");
    assert_string_equal(next_message(host, browser, NET_REFUSAL).text, "it is late");
    wait_for_close(host, browser);
    disconnect(browser);
    net_close_session(host, NULL);
}

/* A message in several frames, and one in many TCP segments, with a ping between them. */
static void messages_come_in_parts(void **state)
{
    (void)state;
    char path[NET_PATH];
    NetSession *host = open_host(path);
    Browser *browser = join(host, path);
    assert_true(net_send_state(host, 1, (unsigned char *)strdup("state"), 5));
    unsigned char bytes[100], sealed[100 + NET_SEAL];
    memset(bytes, 'x', sizeof bytes);
    bytes[0] = NET_COMMANDS;
    net_seal(&browser->cipher, NET_ORDERED, bytes, sizeof bytes, sealed);
    send_frame(host, browser, PART, 1 + 40, NET_ORDERED, sealed, 40);
    send_bytes(host, browser, (unsigned char[]){0x89, 0x81, 0, 0, 0, 0, 'p'}, 7);
    send_bytes(host, browser, (unsigned char[]){0x80, 0x80 | (sizeof sealed - 40), 0, 0, 0, 0}, 6);
    for (size_t b = 40; b < sizeof sealed; b++)
        send_bytes(host, browser, sealed + b, 1);
    NetEvent event = next_event(host, NET_EVENT_COMMANDS);
    assert_int_equal(event.count, sizeof bytes - 1);
    assert_memory_equal(event.bytes, bytes + 1, sizeof bytes - 1);
    net_event_free(&event);
    close(browser->socket);
    event = next_event(host, NET_EVENT_LEFT);
    assert_string_equal(event.text, "the connection was lost");
    free(browser);
    net_close_session(host, NULL);
}

static void the_end_is_told(void **state)
{
    (void)state;
    char path[NET_PATH];
    NetSession *host = open_host(path);
    Browser *browser = join(host, path);
    net_close_session(host, "the host went home");
    for (double start = clock_seconds(); !browser->closed && clock_seconds() - start < PATIENCE;)
        read_what_came(browser);
    assert_true(browser->closed);
    /* The next packet that the host has sent, and that is not about people. */
    NetMessage message = {0};
    while (message.kind != NET_REFUSAL) {
        unsigned char *head = browser->bytes + browser->at;
        assert_true(browser->at + 4 < browser->count);
        size_t skip = head[1] == 126 ? 4 : 2;
        size_t size = head[1] == 126 ? (size_t)head[2] << 8 | head[3] : head[1];
        browser->at += skip + size;
        if (head[0] != WHOLE)
            continue;
        assert_true(
            net_open(&browser->cipher, NET_ORDERED, head + skip + 1, size - 1, head + skip + 1));
        assert_true(net_message_read(head + skip + 1, size - 1 - NET_SEAL, true, &message));
    }
    assert_string_equal(message.text, "the host went home");
    disconnect(browser);
}

/* -- what is not answered ---------------------------------------------------------------------- */

/* Without the token nothing is answered, and with it only what belongs to the page. A request that
 * is not completed is closed too. */
static void other_requests_get_no_answer(void **state)
{
    (void)state;
#define END " HTTP/1.1\r\nHost: x\r\n\r\n"
    static const char *const forms[] = {
        "GET /" END,
        "GET /index.html" END,
        "GET /0123456789abcdef0123456789abcdef/" END,
        "GET /0123456789abcdef0123456789abcdef/join HTTP/1.1\r\n" UPGRADE(
            "Sec-WebSocket-Protocol: billow\r\n"),
        "GET /T" END,
        "GET /T/none.html" END,
        "GET /T/../" END,
        "GET /T/.." END,
        "GET /T/%2e%2e/" END,
        "GET /T/..%2f" END,
        "GET /T//etc/passwd" END,
        "GET /T/./index.html" END,
        "GET //T/" END,
        "GET http://x/T/" END,
        "HEAD /T/" END,
        "POST /T/" END,
        "OPTIONS *" END,
        "get /T/" END,
        "GET /T/ HTTP/1.0\r\n\r\n",
        "GET /T/ HTTP/2\r\n\r\n",
        "GET  /T/" END,
        "GET /T/\r\n\r\n",
        "GET /T/",
        "GET /T/ HTTP/1.1\r\nHost: x\r\n",
        "G",
        "",
        "\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /T/join" END,
        "GET /T/ HTTP/1.1\r\n" UPGRADE("Sec-WebSocket-Protocol: billow\r\n"),
        "GET /T/join HTTP/1.1\r\n" UPGRADE("Sec-WebSocket-Protocol: other\r\n"),
        "GET /T/join HTTP/1.1\r\n" UPGRADE(""),
        "GET /T/ HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n"};
#undef END
    enum { COUNT = sizeof forms / sizeof *forms, TOGETHER = 12 };
    char path[NET_PATH];
    NetSession *host = open_host(path);
    Browser *browsers[COUNT];
    for (int first = 0; first < COUNT; first += TOGETHER) {
        int end = first + TOGETHER < COUNT ? first + TOGETHER : COUNT;
        for (int f = first; f < end; f++) {
            browsers[f] = connect_to(host);
            ask(host, browsers[f], forms[f], path);
        }
        for (int f = first; f < end; f++) {
            wait_for_close(host, browsers[f]);
            if (browsers[f]->count > 0)
                fail_msg("answered %s: %s", forms[f], (char *)browsers[f]->bytes);
            disconnect(browsers[f]);
        }
    }
    /* A file beside the folder, a long request without the token, and one with a 0. */
    static char forms_made[3][24000];
    snprintf(forms_made[0], sizeof forms_made[0], "GET /T/..%s.html HTTP/1.1\r\n\r\n", folder + 4);
    snprintf(forms_made[1], sizeof forms_made[1], "GET /X/ HTTP/1.1\r\nX: %020000d\r\n\r\n", 0);
    for (int f = 0; f < 3; f++) {
        Browser *browser = connect_to(host);
        ask(host, browser, forms_made[f], path);
        if (f == 2)
            send_bytes(host, browser, "GET \0 HTTP/1.1\r\n\r\n", 18);
        wait_for_close(host, browser);
        assert_int_equal(browser->count, 0);
        disconnect(browser);
    }
    assert_int_equal(net_traffic(host).sent, 0);
    net_close_session(host, NULL);
}

/* A WebSocket is closed without a word when its first message is not a fresh greeting with the key,
 * and when it does not come. */
static void wrong_greetings_get_no_answer(void **state)
{
    (void)state;
    enum { CASES = 9 };
    unsigned char good[NET_GREETING], wrong[NET_GREETING], garbage[200];
    char path[NET_PATH];
    NetKey other;
    NetCipher cipher;
    NetEvent event;
    BillowError error = {{0}};
    NetSession *host = open_host(path);
    Browser *first = open_socket(host, path), *browsers[CASES];
    greet(host, first, good);
    disconnect(first);
    assert_true(net_key_make("aaaaaaa-bbbbbbb-ccccccc-ddddddf", &other, &error));
    net_cipher_start(&cipher, false);
    net_greeting_write(&cipher, &other, NULL, wrong);
    memset(garbage, 0xA5, sizeof garbage);
    for (int b = 0; b < CASES; b++)
        browsers[b] = open_socket(host, path);
    send_packet(host, browsers[0], NET_ORDERED, wrong, NET_GREETING);
    send_packet(host, browsers[1], NET_ORDERED, good, NET_GREETING); /* recorded */
    send_packet(host, browsers[2], NET_ORDERED, garbage, sizeof garbage);
    send_packet(host, browsers[3], NET_ORDERED, garbage, 0);
    send_packet(host, browsers[4], 7, wrong, NET_GREETING);
    send_frame(host, browsers[5], WHOLE, 1ull << 40, NET_ORDERED, garbage, 100);
    send_frame(host, browsers[6], PART, 30, NET_ORDERED, garbage, 10); /* not completed */
    send_frame(host, browsers[7], 0x81, 1 + NET_GREETING, NET_ORDERED, good,
               NET_GREETING); /* a text */
    /* The last says nothing. */
    for (int b = 0; b < CASES; b++) {
        size_t count;
        if (next_packet(host, browsers[b], &count) != NULL)
            fail_msg("case %d was answered", b);
        assert_true(browsers[b]->closed);
        disconnect(browsers[b]);
    }
    assert_false(net_next_event(host, &event));
    net_close_session(host, NULL);
}

/* Somebody with the key sends too much at once, or too much in one message. */
static void floods_are_closed(void **state)
{
    (void)state;
    char path[NET_PATH];
    NetSession *host = open_host(path);
    unsigned char *flood = calloc(1, NET_PACKET_MOST);
    assert_non_null(flood);
    Browser *browser = join(host, path);
    send_frame(host, browser, WHOLE, NET_PACKET_MOST + 2, NET_ORDERED, flood, 1000);
    NetEvent event = next_event(host, NET_EVENT_LEFT);
    assert_string_equal(event.text, "the connection was lost");
    wait_for_close(host, browser);
    disconnect(browser);
    browser = join(host, path);
    NetMessage message = {.kind = NET_COMMANDS, .data = {flood, NET_DATA_MAX}};
    for (int n = 0; n < 8; n++)
        send_message(host, browser, &message);
    event = next_event(host, NET_EVENT_LEFT);
    assert_string_equal(event.text, "it sent too much");
    free(flood);
    disconnect(browser);
    net_close_session(host, NULL);
}

/* Asks for something. The answer's status must begin with the words. */
static void expect_status(NetSession *host, const char *form, const char *path, const char *words)
{
    Browser *browser = connect_to(host);
    ask(host, browser, form, path);
    for (double start = clock_seconds();
         !browser->closed && strstr((char *)browser->bytes, "\r\n\r\n") == NULL;) {
        assert_true(clock_seconds() - start < PATIENCE);
        net_service(host);
        read_what_came(browser);
        net_wait(host, 1);
    }
    const char *answer = (const char *)browser->bytes;
    if (strncmp(answer, "HTTP/1.1 ", 9) != 0 || strncmp(answer + 9, words, strlen(words)) != 0)
        fail_msg("not %s: '%.60s' to %.300s", words, answer, form);
    if (strcmp(words, "101") != 0) {
        assert_non_null(strstr(answer, "\r\ncontent-security-policy: default-src 'none'; "));
        assert_non_null(strstr(answer, "\r\nx-content-type-options: nosniff\r\n"));
        assert_non_null(strstr(answer, "\r\nreferrer-policy: no-referrer\r\n"));
    }
    disconnect(browser);
}

/* Long heads are read: one line, many, or a long query. Longer ones than 16 kB are refused. */
static void long_heads_are_answered(void **state)
{
    (void)state;
    static char form[24000];
    char path[NET_PATH];
    NetSession *host = open_host(path);
    for (int bytes = 1000; bytes <= 16000; bytes += bytes < 3500 || bytes > 4500 ? 1500 : 100) {
        snprintf(form, sizeof form, "GET /T/ HTTP/1.1\r\nHost: x\r\nCookie: a=%0*d\r\n\r\n", bytes,
                 0);
        expect_status(host, form, path, "200");
        snprintf(form, sizeof form, "GET /T/?%0*d HTTP/1.1\r\nHost: x\r\n\r\n", bytes, 0);
        expect_status(host, form, path, "200");
        int at = snprintf(form, sizeof form, "GET /T/ HTTP/1.1\r\nHost: x\r\n");
        for (int line = 0; at < bytes; line++)
            at += snprintf(form + at, sizeof form - (size_t)at, "X-Line-%d: %060d\r\n", line, line);
        snprintf(form + at, sizeof form - (size_t)at, "\r\n");
        expect_status(host, form, path, "200");
    }
    snprintf(form, sizeof form, "GET /T/ HTTP/1.1\r\nHost: x\r\nCookie: a=%017000d\r\n\r\n", 0);
    expect_status(host, form, path, "431 Request Header Fields Too Large");
    net_close_session(host, NULL);
}

/* The page of another site opens no WebSocket here. Programs that are no browsers name no site. */
static void other_origins_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *headers;
        const char *status;
    } cases[] = {
        {"Host: a.local:46464\r\n", "101"},
        {"Host: a.local:46464\r\nOrigin: http://a.local:46464\r\n", "101"},
        {"origin: https://A.local:46464\r\nHost: a.local:46464\r\n", "101"},
        {"Host: a.local:46464\r\nOrigin: http://a.local\r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: http://a.local:464640\r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: http://evil.example\r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: http://evil.example/a.local:46464\r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: null\r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: \r\n", "403 Forbidden"},
        {"Host: a.local:46464\r\nOrigin: file://\r\n", "403 Forbidden"},
        {"Host: a:1\r\nOrigin: http://evil.example\r\nOrigin: http://a:1\r\n", "403 Forbidden"},
        {"Host: a:1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n", "400 Bad Request"},
        {"Origin: http://a.local\r\n", "400 Bad Request"},
        {"Host: a'; script-src *\r\n", "400 Bad Request"},
        {"Host: a,b\r\n", "400 Bad Request"},
    };
    char path[NET_PATH], form[1024];
    NetSession *host = open_host(path);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snprintf(form, sizeof form,
                 "GET /T/join HTTP/1.1\r\n%sUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                 "Sec-WebSocket-Protocol: billow\r\n\r\n",
                 cases[c].headers);
        expect_status(host, form, path, cases[c].status);
    }
    net_close_session(host, NULL);
}

enum { CROWD = 200 };

/* Opens `count` connections, from as many addresses each in turn, that send the first bytes of a
 * request, or a whole one. The first address has the number `first`. */
static void open_crowd(NetSession *host, int *crowd, int count, uint32_t first, int addresses,
                       const char *form, const char *path)
{
    char request[24000];
    const size_t bytes = make_request(form, path, request);
    for (int c = 0; c < count; c++) {
        crowd[c] = connect_from(host, first + (uint32_t)(c % addresses));
        send(crowd[c], request, bytes, MSG_NOSIGNAL);
        for (int turn = 0; turn < 3; turn++)
            net_service(host);
    }
}

static void close_all(const int *sockets, int count)
{
    for (int n = 0; n < count; n++)
        close(sockets[n]);
}

/* Number of connections that the host has not closed. */
static int count_open(NetSession *host, const int *crowd, int count)
{
    char rest[4096];
    int open = 0;
    for (int turn = 0; turn < 3; turn++)
        net_service(host);
    for (int c = 0; c < count; c++) {
        ssize_t got;
        while ((got = recv(crowd[c], rest, sizeof rest, 0)) > 0)
            ;
        open += got < 0 && errno == EAGAIN;
    }
    return open;
}

/* Opens a host while the process may have so many descriptors. */
static NetSession *open_host_within(rlim_t descriptors, char path[NET_PATH])
{
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = descriptors;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    NetSession *host = open_host(path);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    return host;
}

/* Not every system has more loopback addresses than one, or lets a process have many files. */
static void need(uint32_t addresses, rlim_t descriptors)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct rlimit most;
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + addresses);
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    const bool bound = bind(probe, (struct sockaddr *)&from, sizeof from) == 0;
    close(probe);
    getrlimit(RLIMIT_NOFILE, &most);
    if (most.rlim_cur < descriptors && most.rlim_max >= descriptors) {
        most.rlim_cur = descriptors;
        setrlimit(RLIMIT_NOFILE, &most);
    }
    if (!bound || most.rlim_cur < descriptors)
        skip();
}

/* Connections that ask for nothing, for a file that they do not read, or for a WebSocket over which
 * they do not greet, from the same address: a page loads and joins among them, at once and every
 * time. Those who have joined stay. */
static void crowds_give_way(void **state)
{
    (void)state;
    static const char *const forms[] = {"", "GET /T/", "GET /T/ HTTP/1.1\r\nHost: x\r\n\r\n", JOIN,
                                        "GET /T/ HTTP/1.1\r\nHost: x\r\nCookie: "};
    char path[NET_PATH];
    NetSession *host = open_host(path);
    Browser *guest = join(host, path);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int crowd[CROWD];
        open_crowd(host, crowd, CROWD, 1, 1, forms[f], path);
        for (int n = 0; n < 10; n++) {
            expect_status(host, "GET /T/ HTTP/1.1\r\nHost: x\r\n\r\n", path, "200");
            Browser *other = join(host, path);
            disconnect(other);
            next_event(host, NET_EVENT_LEFT);
        }
        close_all(crowd, CROWD);
    }
    next_message(host, guest, NET_PEOPLE);
    disconnect(guest);
    net_close_session(host, NULL);
}

#define LARGE "GET /T/large.js HTTP/1.1\r\nHost: x\r\n\r\n"

enum { FEW_FILES = 256, FEW = 64 }; /* descriptors, and the places that they leave room for */

/* Whatever somebody asks for on many connections, one of their own gives way: neither a WebSocket
 * from another address that has not greeted yet, nor one that has not asked yet. */
static void the_address_with_most_gives_way(void **state)
{
    (void)state;
    static const char *const forms[] = {LARGE, JOIN, "GET /T/", ""};
    char path[NET_PATH];
    need(3, 4 * CROWD);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        unsigned char greeting[NET_GREETING];
        int crowd[CROWD], two[2];
        NetSession *host = open_host_within(FEW_FILES, path);
        Browser *joins = open_socket(host, path);
        open_crowd(host, two, 2, 3, 1, "", path);
        open_crowd(host, crowd, CROWD, 2, 1, forms[f], path);
        assert_int_equal(count_open(host, two, 2), 2);
        assert_int_equal(count_open(host, crowd, CROWD), FEW - 3);
        greet(host, joins, greeting);
        close_all(crowd, CROWD);
        close_all(two, 2);
        disconnect(joins);
        net_close_session(host, NULL);
    }
}

/* Of one address those give way first that have not got far, then the oldest. So do those of
 * addresses with equally many connections. */
static void the_least_far_and_oldest_give_way(void **state)
{
    (void)state;
    char path[NET_PATH];
    need(FEW + 2, 4 * CROWD);
    for (int addresses = 1; addresses <= FEW; addresses += FEW - 1) {
        int loads, joins, asks[FEW - 2], late[2];
        NetSession *host = open_host_within(FEW_FILES, path);
        open_crowd(host, &loads, 1, 1, 1, LARGE, path);
        open_crowd(host, &joins, 1, addresses > 1 ? 2 : 1, 1, JOIN, path);
        open_crowd(host, asks, FEW - 2, addresses > 1 ? 3 : 1, addresses, "", path);
        assert_int_equal(count_open(host, asks, FEW - 2), FEW - 2);
        for (int n = 0; n < 2; n++) {
            open_crowd(host, late + n, 1, addresses > 1 ? FEW + 1 + (uint32_t)n : 1, 1, "", path);
            assert_int_equal(count_open(host, asks, n + 1), 0);
            assert_int_equal(count_open(host, asks, FEW - 2), FEW - 3 - n);
        }
        assert_int_equal(count_open(host, &joins, 1) + count_open(host, &loads, 1), 2);
        close_all(asks, FEW - 2);
        close_all(late, 2);
        close(loads);
        close(joins);
        net_close_session(host, NULL);
    }
}

/* A page that is slow to ask is served among hundreds that come after it, each from an address of
 * its own. */
static void there_is_room_for_hundreds(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    char path[NET_PATH];
    int crowd[COUNT];
    need(COUNT + 1, 4 * COUNT);
    NetSession *host = open_host(path);
    Browser *slow = connect_to(host);
    open_crowd(host, crowd, COUNT, 2, COUNT, "", path);
    ask(host, slow, "GET /T/ HTTP/1.1\r\nHost: x\r\n\r\n", path);
    wait_for_close(host, slow);
    assert_non_null(strstr((char *)slow->bytes, PAGE));
    close_all(crowd, COUNT);
    disconnect(slow);
    net_close_session(host, NULL);
}

/* Visitors leave half of few descriptors to the rest of the program, also while they load files. */
static void visitors_leave_descriptors(void **state)
{
    (void)state;
    char path[NET_PATH];
    int crowd[CROWD];
    need(2, 4 * CROWD);
    NetSession *host = open_host_within(100, path);
    int before = dup(0), after;
    open_crowd(host, crowd, CROWD, 2, 1, LARGE, path);
    after = dup(0); /* the lowest that is free: `crowd` and the host's are below */
    assert_true(after - before <= CROWD + 50 + 1);
    close(before);
    close(after);
    assert_int_equal(count_open(host, crowd, CROWD), 25);
    close_all(crowd, CROWD);
    net_close_session(host, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_served),
        cmocka_unit_test(without_a_page_the_host_says_why),
        cmocka_unit_test(pages_join),
        cmocka_unit_test(messages_come_in_parts),
        cmocka_unit_test(the_end_is_told),
        cmocka_unit_test(other_requests_get_no_answer),
        cmocka_unit_test(wrong_greetings_get_no_answer),
        cmocka_unit_test(floods_are_closed),
        cmocka_unit_test(long_heads_are_answered),
        cmocka_unit_test(other_origins_are_refused),
        cmocka_unit_test(crowds_give_way),
        cmocka_unit_test(the_address_with_most_gives_way),
        cmocka_unit_test(the_least_far_and_oldest_give_way),
        cmocka_unit_test(there_is_room_for_hundreds),
        cmocka_unit_test(visitors_leave_descriptors),
    };
    return cmocka_run_group_tests_name("net_web", tests, make_page, remove_page);
}
