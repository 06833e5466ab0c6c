/* SPDX-License-Identifier: MIT
 * WebSocket (TCP) as a transport for browsers, by libwebsockets, which also serves the page.
 *
 * A visitor's request is examined here before libwebsockets sees it: one without the session's
 * token is closed without an answer.
 *
 * Nobody can take all connections: where none is free, the address with most visitors that have not
 * greeted gives one of them up. Of addresses with equally many, and among the connections of one
 * address, visitors whose request is not complete come first, then WebSockets that have not
 * greeted, then files; of those the oldest. */
#define _GNU_SOURCE /* strdup, strcasecmp, strcasestr, and sockets' options */
#include "base/clock.h"
#include "base/fail.h"
#include "base/grow.h"
#include "net/net_link.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VISITORS = NET_VISITORS,
    FILES = 128,               /* descriptors that visitors leave to the rest of the program */
    ACCEPTED = 256,            /* in one turn */
    HEAD_MOST = 16384,         /* bytes of a request; browsers send cookies of other ports, too */
    HOST_MOST = 256,           /* bytes of the page's host with its final 0 */
    FILE_NAME = 64,            /* bytes of a file's name with its final 0 */
    FIRST_MOST = 4096,         /* bytes of a message of those who have not been let in */
    LOSSY_MOST = 16 << 10,     /* bytes in flight above which messages that may be lost are */
    TURNS = 64,                /* of libwebsockets in one flush */
    FILE_IN_FLIGHT = 64 << 10, /* bytes that the system has for a visitor until it joins */
    SILENCE_MOST = 8000 /* TCP gives a connection up after this time without confirmation, ms */
};
_Static_assert(VISITORS + 2 <= NET_SOCKETS, "sockets of visitors, the listening one and ENet's");

#define FILE_SECONDS 120.0 /* for one file of the page */
#define PING_EVERY   1.0   /* s */
#define PONG_WITHIN  30.0  /* s */

struct Web;

/* How far a visitor has come; the first that can give way do. */
typedef enum Progress {
    PROGRESS_ASKS,  /* its request is not complete, or has been refused */
    PROGRESS_JOINS, /* a WebSocket without a greeting */
    PROGRESS_LOADS, /* a file of the page */
    PROGRESS_IS_IN  /* it has greeted, and stays */
} Progress;

/* A connection. Its request is not complete as long as it has no `lws`. */
typedef struct Visitor {
    struct Web *web;
    bool here;
    int group; /* visitors of one address have the same number */
    int socket;
    struct lws *lws;
    uint32_t address;
    double since;         /* s */
    char file[FILE_NAME]; /* that it asked for; "join": it asked for a WebSocket */
    char host[HOST_MOST]; /* that it took this one for, with the port */
    bool joins, served;
    bool refused;   /* its request has been answered with a refusal */
    bool finishing; /* closes once everything is sent */
    bool closing;   /* at once */
    bool closed;    /* has been told to the other side */
    NetLink *link;  /* once it is a WebSocket; NULL: none */
    NetQueue packets;
    unsigned char *message; /* that is arriving */
    size_t count, room;
    double pinged; /* time of the last ping, s */
    bool pong_waits;
} Visitor;

typedef struct Web {
    NetTransport transport;
    NetLinks *links;
    struct lws_context *context;
    char *folder; /* of the page */
    int listener;
    int places; /* of `visitors` that descriptors leave room for */
    int end;    /* no visitor is here at this place or behind it */
    Visitor visitors[VISITORS];
    uint64_t written; /* number of packets written so far */
} Web;

/* -- visitors ---------------------------------------------------------------------------------- */

static void drop_packet(Visitor *visitor)
{
    if (visitor->link != NULL)
        visitor->link->in_flight -= visitor->packets.first->count;
    net_queue_drop(&visitor->packets);
}

static void forget(Visitor *visitor)
{
    while (visitor->packets.first != NULL)
        drop_packet(visitor);
    free(visitor->message);
    Web *web = visitor->web;
    *visitor = (Visitor){.here = false};
    while (web->end > 0 && !web->visitors[web->end - 1].here)
        web->end--;
}

static void drop(Visitor *visitor)
{
    close(visitor->socket);
    forget(visitor);
}

static Progress progress_of(const Visitor *visitor)
{
    if (visitor->link != NULL && visitor->link->stage >= NET_SEALED)
        return PROGRESS_IS_IN;
    if (visitor->lws == NULL)
        return PROGRESS_ASKS;
    return visitor->joins ? PROGRESS_JOINS : PROGRESS_LOADS;
}

/* Number of the address's group: that of its visitors, or one that nobody has. */
static int find_group(const Web *web, uint32_t address)
{
    bool taken[VISITORS + 1] = {false};
    int group = 0;
    for (int v = 0; v < web->end; v++) {
        const Visitor *visitor = &web->visitors[v];
        if (visitor->here && visitor->address == address)
            return visitor->group;
        if (visitor->here)
            taken[visitor->group] = true;
    }
    while (taken[group])
        group++;
    return group;
}

/* Whether a visitor gives way before another. unfinished: visitors not greeted yet, by group. */
static bool yields(const Visitor *visitor, const Visitor *other, const int *unfinished)
{
    const int more = unfinished[visitor->group] - unfinished[other->group];
    const int further = (int)progress_of(visitor) - (int)progress_of(other);
    return more != 0 ? more > 0 : further != 0 ? further < 0 : visitor->since < other->since;
}

/* Finds a free place for one of a group, or makes one free. NULL: all visitors have greeted. */
static Visitor *find_place(Web *web, int group)
{
    int unfinished[VISITORS + 1] = {0};
    unfinished[group] = 1;
    for (int v = 0; v < web->places; v++) {
        const Visitor *visitor = &web->visitors[v];
        if (!visitor->here)
            return &web->visitors[v];
        unfinished[visitor->group] += progress_of(visitor) < PROGRESS_IS_IN;
    }
    Visitor *place = NULL;
    for (int v = 0; v < web->places; v++) {
        Visitor *visitor = &web->visitors[v];
        if (progress_of(visitor) < PROGRESS_IS_IN &&
            (place == NULL || yields(visitor, place, unfinished)))
            place = visitor;
    }
    if (place == NULL)
        return NULL;
    if (place->lws != NULL) {
        lws_set_timeout(place->lws, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_SYNC);
        return place->here ? NULL : place; /* `leave` has been called */
    }
    drop(place);
    return place;
}

/* A socket neither waits nor goes to programs that this one starts. */
static void prepare(int socket)
{
    fcntl(socket, F_SETFL, O_NONBLOCK);
    fcntl(socket, F_SETFD, FD_CLOEXEC);
}

/* -- requests ---------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

/* Reads "GET /TOKEN/NAME[?QUERY] HTTP/1.1" and keeps the name. A name has no slash and no dot at
 * its beginning, so that it cannot leave the folder. The query is the page's. */
static bool read_request(Visitor *visitor, const char *head)
{
    const char *end = strstr(head, "\r\n"), *at = head + 5;
    if (strncmp(head, "GET /", 5) != 0 || end - at < NET_TOKEN ||
        !net_key_has_token(&visitor->web->links->key, at) || at[NET_TOKEN - 1] != '/')
        return false;
    at += NET_TOKEN;
    size_t length = 0;
    while (is_name(at[length]))
        length++;
    if (length >= FILE_NAME || at[0] == '.')
        return false;
    if (length > 0)
        memcpy(visitor->file, at, length); /* it ends with 0s */
    else
        strcpy(visitor->file, "index.html");
    visitor->joins = strcmp(visitor->file, "join") == 0;
    at += length;
    if (*at == '?')
        while (*at > ' ' && *at < 0x7F)
            at++;
    return end - at == 9 && strncmp(at, " HTTP/1.1", 9) == 0;
}

/* Finds the value of a header. Returns its length and sets `value`; -1: none, or more than one. */
static int find_header(const char *head, const char *name, const char **value)
{
    const size_t length = strlen(name);
    int count = -1;
    bool twice = false;
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        twice = count >= 0;
        *value = line + length + 1;
        *value += strspn(*value, " \t");
        count = (int)strcspn(*value, " \t\r\n");
    }
    return twice ? -1 : count;
}

/* Keeps the host that a request names. */
static bool read_host(Visitor *visitor, const char *head)
{
    const char *value;
    const int count = find_header(head, "Host", &value);
    if (count <= 0 || count >= HOST_MOST)
        return false;
    for (int c = 0; c < count; c++)
        if (!is_name(value[c]) && strchr(":[]", value[c]) == NULL)
            return false;
    memcpy(visitor->host, value, (size_t)count); /* it ends with 0s */
    return true;
}

/* Whether a WebSocket is asked for by the page of this host, or by no page at all: browsers always
 * name the origin of the page. */
static bool is_own_page(const Visitor *visitor, const char *head)
{
    const char *origin;
    const int count = find_header(head, "Origin", &origin);
    if (count < 0)
        return strcasestr(head, "\r\nOrigin:") == NULL;
    const int scheme = strncasecmp(origin, "http://", 7) == 0    ? 7
                       : strncasecmp(origin, "https://", 8) == 0 ? 8
                                                                 : count;
    return count - scheme == (int)strlen(visitor->host) &&
           strncasecmp(origin + scheme, visitor->host, (size_t)(count - scheme)) == 0;
}

/* Lets `poll` report the socket from so many bytes on. */
static void set_least(const Visitor *visitor, int count)
{
    setsockopt(visitor->socket, SOL_SOCKET, SO_RCVLOWAT, &count, sizeof count);
}

/* Writes the headers that every answer has (docs/page.md). Not every browser takes a WebSocket for
 * the page's own origin, so it is named. Returns their length. */
static int write_headers(const Visitor *visitor, char *headers, size_t size)
{
    return snprintf(headers, size,
                    "content-security-policy: default-src 'none'; "
                    "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
                    "img-src data:; connect-src 'self'%s%s; base-uri 'none'; "
                    "form-action 'none'; frame-ancestors 'none'\r\n"
                    "x-content-type-options: nosniff\r\n"
                    "referrer-policy: no-referrer\r\n"
                    "connection: close\r\n",
                    visitor->host[0] != 0 ? " ws://" : "", visitor->host);
}

/* Answers with a status alone. The connection stays until the visitor has read it, because what
 * comes to a closed socket takes the answer back. */
static void refuse(Visitor *visitor, const char *status)
{
    char answer[1024], headers[896];
    write_headers(visitor, headers, sizeof headers);
    int count = snprintf(answer, sizeof answer, "HTTP/1.1 %s\r\n%scontent-length: 0\r\n\r\n",
                         status, headers);
    visitor->refused = true;
    set_least(visitor, 1);
    if (send(visitor->socket, answer, (size_t)count, MSG_NOSIGNAL) == count)
        shutdown(visitor->socket, SHUT_WR);
}

/* Takes what a refused visitor still sends. */
static void read_rest(Visitor *visitor)
{
    char rest[HEAD_MOST];
    ssize_t count = recv(visitor->socket, rest, sizeof rest, 0);
    bool waits = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    if (!waits || clock_seconds() - visitor->since >= NET_PATIENCE)
        drop(visitor);
}

/* Hands a visitor to libwebsockets, which reads the request again. */
static void adopt(Web *web, Visitor *visitor)
{
    set_least(visitor, 1);
    visitor->lws = lws_adopt_socket(web->context, visitor->socket); /* closes it if that fails */
    if (visitor->lws != NULL)
        lws_set_opaque_user_data(visitor->lws, visitor);
    else
        forget(visitor);
}

/* Reads a visitor's request, if it is complete. */
static void read_head(Web *web, Visitor *visitor)
{
    char head[HEAD_MOST + 1];
    if (visitor->refused) {
        read_rest(visitor);
        return;
    }
    ssize_t count = recv(visitor->socket, head, HEAD_MOST, MSG_PEEK);
    bool waits = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    head[count > 0 ? count : 0] = 0;
    const bool text = count > 0 && strlen(head) == (size_t)count;
    const bool complete = text && strstr(head, "\r\n\r\n") != NULL;
    waits = waits || (text && !complete && count < HEAD_MOST);
    if (waits && clock_seconds() - visitor->since < NET_PATIENCE) {
        set_least(visitor, count > 0 ? (int)count + 1 : 1);
        return;
    }
    if (waits || !text || !read_request(visitor, head))
        drop(visitor);
    else if (!complete)
        refuse(visitor, "431 Request Header Fields Too Large");
    else if (!read_host(visitor, head))
        refuse(visitor, "400 Bad Request");
    else if (visitor->joins && !is_own_page(visitor, head))
        refuse(visitor, "403 Forbidden");
    else
        adopt(web, visitor);
}

static void admit(Web *web, int socket, uint32_t address)
{
    const int group = find_group(web, address);
    Visitor *visitor = find_place(web, group);
    if (visitor == NULL) {
        close(socket);
        return;
    }
    const int on = 1, room = FILE_IN_FLIGHT, place = (int)(visitor - web->visitors);
    prepare(socket);
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
#ifdef TCP_USER_TIMEOUT
    const unsigned silence = SILENCE_MOST;
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
#endif
    *visitor = (Visitor){.web = web,
                         .here = true,
                         .group = group,
                         .socket = socket,
                         .address = address,
                         .since = clock_seconds()};
    web->end = place >= web->end ? place + 1 : web->end;
    read_head(web, visitor); /* before others of this turn can take its place */
}

static void accept_visitors(Web *web)
{
    struct sockaddr_in from;
    for (int n = 0; n < ACCEPTED; n++) {
        socklen_t size = sizeof from;
        int socket = accept(web->listener, (struct sockaddr *)&from, &size);
        if (socket < 0)
            return;
        admit(web, socket, from.sin_addr.s_addr);
    }
}

/* Reads the requests of which more has come, and ends those that have taken too long. */
static void read_heads(Web *web)
{
    struct pollfd sockets[VISITORS];
    Visitor *visitors[VISITORS];
    int count = 0;
    for (int v = 0; v < web->end; v++)
        if (web->visitors[v].here && web->visitors[v].lws == NULL) {
            visitors[count] = &web->visitors[v];
            sockets[count++] = (struct pollfd){.fd = web->visitors[v].socket, .events = POLLIN};
        }
    if (count > 0)
        poll(sockets, (nfds_t)count, 0);
    const double now = clock_seconds();
    for (int c = 0; c < count; c++)
        if (sockets[c].revents != 0 || now - visitors[c]->since >= NET_PATIENCE)
            read_head(web, visitors[c]);
}

/* -- the page ---------------------------------------------------------------------------------- */

static const char *type_of(const char *file)
{
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"}};
    const char *ending = strrchr(file, '.');
    for (size_t t = 0; ending != NULL && t < sizeof types / sizeof *types; t++)
        if (strcmp(ending, types[t][0]) == 0)
            return types[t][1];
    return NULL;
}

/* Begins to send the file. Returns what libwebsockets expects: negative: close. */
static int serve(Visitor *visitor)
{
    const char *type = type_of(visitor->file);
    char path[4096], headers[1024];
    struct stat found;
    int length = snprintf(path, sizeof path, "%s/%s", visitor->web->folder, visitor->file);
    if (visitor->joins || visitor->served || type == NULL || length >= (int)sizeof path ||
        stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return -1;
    visitor->served = true;
    length = write_headers(visitor, headers, sizeof headers);
    length += snprintf(headers + length, sizeof headers - (size_t)length,
                       "cross-origin-opener-policy: same-origin\r\n"
                       "cross-origin-embedder-policy: require-corp\r\n");
    return lws_serve_http_file(visitor->lws, path, type, headers, length) < 0 ? -1 : 0;
}

/* Begins the link of a WebSocket. Only now the buffer becomes large: many can ask for files. */
static int begin(Visitor *visitor)
{
    const int room = NET_IN_FLIGHT;
    setsockopt(visitor->socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    visitor->link = net_link_begin(visitor->web->links, &visitor->web->transport, visitor);
    return visitor->link != NULL ? 0 : -1;
}

/* -- WebSockets -------------------------------------------------------------------------------- */

/* Whether a message of so many bytes may come. */
static bool fits(const Visitor *visitor, size_t count)
{
    size_t most = visitor->link->stage == NET_CONNECTING ? NET_GREETING
                  : visitor->link->stage == NET_PRESENT  ? NET_PACKET_MOST
                                                         : FIRST_MOST;
    return count <= 1 + most;
}

/* Adds a part of a message, whose memory grows with what has come. */
static bool collect(Visitor *visitor, const unsigned char *part, size_t count)
{
    unsigned char *larger = grow(visitor->message, &visitor->room, visitor->count + count, 1);
    if (larger == NULL)
        return false;
    visitor->message = larger;
    memcpy(visitor->message + visitor->count, part, count);
    visitor->count += count;
    return true;
}

/* Returns false to close the connection. */
static bool take(Visitor *visitor, const unsigned char *part, size_t count)
{
    size_t left = lws_remaining_packet_payload(visitor->lws);
    if (visitor->finishing)
        return true;
    if (visitor->link == NULL || visitor->closing || !lws_frame_is_binary(visitor->lws) ||
        left > NET_PACKET_MOST || !fits(visitor, visitor->count + count + left) ||
        !collect(visitor, part, count))
        return false;
    if (left > 0 || !lws_is_final_fragment(visitor->lws))
        return true;
    count = visitor->count;
    visitor->count = 0;
    if (count == 0 || visitor->message[0] >= NET_CHANNELS)
        return false;
    visitor->web->links->traffic.received += count;
    net_link_receive(visitor->web->links, visitor->link, visitor->message[0], visitor->message + 1,
                     count - 1);
    return !visitor->closing;
}

/* Those without the key are not answered with pings either. */
static bool has_to_ping(const Visitor *visitor)
{
    return visitor->link != NULL && visitor->link->stage >= NET_SEALED && !visitor->pong_waits &&
           clock_seconds() - visitor->pinged >= PING_EVERY;
}

static bool has_to_write(const Visitor *visitor)
{
    return visitor->link != NULL &&
           (visitor->packets.first != NULL || (visitor->finishing && !visitor->closed) ||
            has_to_ping(visitor));
}

/* Sends one thing. Returns false to close the connection. */
static bool write_next(Visitor *visitor)
{
    unsigned char ping[LWS_PRE + 1] = {0};
    const NetWaiting *first = visitor->packets.first;
    if (visitor->closing)
        return false;
    if (has_to_ping(visitor)) {
        visitor->pong_waits = true;
        visitor->pinged = clock_seconds();
        return lws_write(visitor->lws, ping + LWS_PRE, 1, LWS_WRITE_PING) >= 0;
    }
    if (first != NULL) {
        int sent =
            lws_write(visitor->lws, first->bytes + LWS_PRE, first->count + 1, LWS_WRITE_BINARY);
        visitor->web->written++;
        visitor->web->links->traffic.sent += first->count + 1;
        drop_packet(visitor);
        return sent >= 0;
    }
    if (!visitor->finishing)
        return true;
    visitor->closed = true;
    lws_close_reason(visitor->lws, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
    return false;
}

/* The connection is no more. */
static void leave(Visitor *visitor)
{
    NetLink *link = visitor->link;
    NetLinks *links = visitor->web->links;
    forget(visitor);
    if (link != NULL)
        net_link_lost(links, link);
}

/* Returns what libwebsockets expects: nonzero: close the connection. */
static int happened(struct lws *lws, enum lws_callback_reasons reason, void *user, void *in,
                    size_t count)
{
    Visitor *visitor = lws != NULL ? lws_get_opaque_user_data(lws) : NULL;
    if (visitor == NULL)
        return 0;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return serve(visitor);
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
        visitor->closing = true; /* by `flush`: one request a connection */
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return visitor->joins && strcasecmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return visitor->joins && strcmp(lws_get_protocol(lws)->name, "billow") == 0 ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return begin(visitor);
    case LWS_CALLBACK_RECEIVE:
        return take(visitor, in, count) ? 0 : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        visitor->pong_waits = false;
        if (visitor->link != NULL)
            visitor->link->delay = (int)((clock_seconds() - visitor->pinged) * 1000);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_next(visitor) ? 0 : -1;
    case LWS_CALLBACK_WSI_DESTROY:
        leave(visitor);
        return 0;
    default:
        return lws_callback_http_dummy(lws, reason, user, in, count);
    }
}

/* -- the transport's functions ----------------------------------------------------------------- */

static void send_packet(NetTransport *transport, NetLink *link, int channel,
                        const unsigned char *bytes, size_t count)
{
    (void)transport;
    if (channel == NET_LOSSY && link->in_flight > LOSSY_MOST)
        link->in_flight -= count;
    else
        net_queue_packet(&((Visitor *)link->peer)->packets, link, LWS_PRE, channel, bytes, count);
}

static void finish(NetTransport *transport, NetLink *link)
{
    (void)transport;
    ((Visitor *)link->peer)->finishing = true;
}

static void reset(NetTransport *transport, NetLink *link)
{
    (void)transport;
    Visitor *visitor = link->peer;
    while (visitor->packets.first != NULL)
        drop_packet(visitor);
    visitor->link = NULL;
    visitor->closing = true;
}

static void receive(NetTransport *transport)
{
    Web *web = (Web *)transport;
    accept_visitors(web);
    read_heads(web);
    lws_service(web->context, -1);
}

/* Whether a connection has to be closed from here. */
static bool is_over(const Visitor *visitor, double now)
{
    if (visitor->link == NULL)
        return visitor->closing ||
               now - visitor->since > (visitor->joins ? NET_PATIENCE : FILE_SECONDS);
    return visitor->closing || (visitor->pong_waits && now - visitor->pinged > PONG_WITHIN);
}

static int flush(NetTransport *transport, struct pollfd *sockets)
{
    Web *web = (Web *)transport;
    uint64_t before;
    int turns = 0, count = 0;
    do {
        before = web->written;
        const double now = clock_seconds();
        for (int v = 0; v < web->end; v++) {
            Visitor *visitor = &web->visitors[v];
            if (visitor->lws == NULL)
                continue;
            if (is_over(visitor, now))
                lws_set_timeout(visitor->lws, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
            else if (has_to_write(visitor))
                lws_callback_on_writable(visitor->lws);
        }
        lws_service(web->context, -1);
    } while (web->written > before && turns++ < TURNS);
    sockets[count++] = (struct pollfd){.fd = web->listener, .events = POLLIN};
    for (int v = 0; v < web->end; v++) {
        const Visitor *visitor = &web->visitors[v];
        bool writes = has_to_write(visitor) || (visitor->served && !visitor->closing);
        if (visitor->lws != NULL) /* an incomplete request is looked at every time */
            sockets[count++] = (struct pollfd){.fd = visitor->socket,
                                               .events = (short)(POLLIN | (writes ? POLLOUT : 0))};
    }
    return count;
}

/* -- opening and closing ----------------------------------------------------------------------- */

static bool somebody_is_told(const Web *web)
{
    bool told = false;
    for (int v = 0; v < web->end; v++)
        told = told || web->visitors[v].link != NULL;
    return told;
}

static void close_web(NetTransport *transport)
{
    Web *web = (Web *)transport;
    struct pollfd sockets[VISITORS + 1];
    if (web->context != NULL) {
        for (double start = clock_seconds();
             somebody_is_told(web) && clock_seconds() - start < NET_FAREWELL;)
            poll(sockets, (nfds_t)flush(transport, sockets), 5);
        lws_context_destroy(web->context);
    }
    for (int v = 0; v < web->end; v++)
        if (web->visitors[v].here)
            drop(&web->visitors[v]);
    if (web->listener >= 0)
        close(web->listener);
    free(web->folder);
    free(web);
}

static bool listen_for(Web *web, const NetDef *def, BillowError *error)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)web->links->port)};
    const int on = 1;
    bool all = def->address != NULL && strcmp(def->address, "*") == 0;
    web->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (web->listener < 0 || (!all && inet_pton(AF_INET, web->links->address, &at.sin_addr) != 1))
        return fail(error, "no TCP socket can be made");
    prepare(web->listener);
    setsockopt(web->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return (bind(web->listener, (struct sockaddr *)&at, sizeof at) == 0 &&
            listen(web->listener, SOMAXCONN) == 0) ||
           fail(error, "TCP port %d is in use", web->links->port);
}

static bool start(Web *web, BillowError *error)
{
    static const struct lws_protocols protocols[] = {
        {"http", happened, 0, 0, 0, NULL, 0}, {"billow", happened, 0, 0, 0, NULL, 0}, {0}};
    const struct lws_context_creation_info info = {.port = CONTEXT_PORT_NO_LISTEN_SERVER,
                                                   .protocols = protocols,
                                                   .pt_serv_buf_size = NET_PIECE,
                                                   .max_http_header_data = 2 * HEAD_MOST,
                                                   .fd_limit_per_thread =
                                                       (unsigned)web->places + 16,
                                                   .timeout_secs = 20};
    lws_set_log_level(0, NULL);
    web->context = lws_create_context(&info);
    return web->context != NULL || fail(error, "libwebsockets cannot be started");
}

/* Each visitor can take two descriptors: its socket, and the file that it loads. */
static int count_places(void)
{
    struct rlimit most = {.rlim_cur = 2 * FILES};
    getrlimit(RLIMIT_NOFILE, &most);
    const rlim_t kept = most.rlim_cur / 2 < FILES ? most.rlim_cur / 2 : FILES;
    const rlim_t places = (most.rlim_cur - kept) / 2;
    return places < VISITORS ? (int)places : VISITORS;
}

NetTransport *net_web_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    Web *web = calloc(1, sizeof *web);
    if (web == NULL) {
        fail(error, "not enough memory");
        return NULL;
    }
    web->links = links;
    web->listener = -1;
    web->places = count_places();
    web->folder = strdup(def->page);
    web->transport = (NetTransport){close_web, receive, flush, send_packet, finish, reset};
    if (web->folder != NULL && listen_for(web, def, error) && start(web, error))
        return &web->transport;
    close_web(&web->transport);
    return NULL;
}
