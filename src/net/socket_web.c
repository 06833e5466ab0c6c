/* SPDX-License-Identifier: MIT
 *
 * The transport of the page, which joins sessions (net_link.h): the browser's WebSocket, in place
 * of ENet. A message of it is one byte, the channel, and a packet.
 *
 * The socket belongs to the page's thread. The simulation's thread may send, too: packets wait here
 * until `flush`, which the page calls. */
#include "net/net_link.h"

#include "base/clock.h"
#include "base/fail.h"
#include <emscripten.h>
#include <stdlib.h>

/* clang-format off */
/* The browser's socket, as the page's script holds it (class Line in billow.js). */
EM_JS(void, socket_open, (void), { Module.line.open(_page_service); })
/* WebSocket.readyState: 0 connecting, 1 open, 2 and 3 closed. */
EM_JS(int, socket_state, (void), { return Module.line.socket.readyState; })
/* Copies the oldest message that has come. Returns its bytes; 0: there is none. Drops one that is
 * larger than `room`, and returns -1. */
EM_JS(int, socket_receive, (unsigned char *to, int room),
      { return Module.line.receive(HEAPU8, to, room); })
EM_JS(void, socket_send, (const unsigned char *message, int count),
      { Module.line.socket.send(HEAPU8.slice(message, message + count)); })
/* Bytes that the browser has not sent yet. */
EM_JS(double, socket_waiting, (void), { return Module.line.socket.bufferedAmount; })
EM_JS(void, socket_close, (void), { Module.line.socket.close(); })
/* clang-format on */

typedef struct Socket {
    NetTransport transport;
    NetLinks *links;
    NetLink *link; /* NULL: it has ended */
    bool greeted, finishing;
    NetQueue packets; /* that wait for `flush` */
    unsigned char message[1 + NET_PACKET_MOST];
} Socket;

static void send_packet(NetTransport *transport, NetLink *link, int channel,
                        const unsigned char *bytes, size_t count)
{
    net_queue_packet(&((Socket *)transport)->packets, link, 0, channel, bytes, count);
}

static void drop_packets(Socket *self)
{
    while (self->packets.first != NULL)
        net_queue_drop(&self->packets);
}

static void receive(NetTransport *transport)
{
    Socket *self = (Socket *)transport;
    if (self->link == NULL)
        return;
    if (socket_state() == 1 && !self->greeted) {
        self->greeted = true;
        self->link->since = clock_seconds(); /* the host's time for an answer begins */
        net_link_greet(self->links, self->link);
    }
    for (int count; (count = socket_receive(self->message, sizeof self->message)) != 0;) {
        if (count < 2 || self->message[0] >= NET_CHANNELS) {
            socket_close();
            break;
        }
        self->links->traffic.received += (uint64_t)count;
        net_link_receive(self->links, self->link, self->message[0], self->message + 1,
                         (size_t)count - 1);
        if (self->link == NULL)
            return;
    }
    if (socket_state() > 1) {
        NetLink *link = self->link;
        self->link = NULL;
        net_link_lost(self->links, link);
    }
}

static int flush(NetTransport *transport, struct pollfd *sockets)
{
    Socket *self = (Socket *)transport;
    (void)sockets;
    if (self->link == NULL || socket_state() != 1) {
        if (self->link == NULL)
            drop_packets(self);
        return 0;
    }
    for (const NetWaiting *packet; (packet = self->packets.first) != NULL;) {
        socket_send(packet->bytes, 1 + (int)packet->count);
        self->links->traffic.sent += 1 + packet->count;
        net_queue_drop(&self->packets);
    }
    self->link->in_flight = (size_t)socket_waiting();
    if (self->finishing)
        socket_close();
    return 0;
}

static void finish(NetTransport *transport, NetLink *link)
{
    (void)link;
    ((Socket *)transport)->finishing = true;
}

static void reset(NetTransport *transport, NetLink *link)
{
    (void)link;
    ((Socket *)transport)->link = NULL;
    socket_close();
}

static void close_socket(NetTransport *transport)
{
    Socket *self = (Socket *)transport;
    flush(transport, NULL);
    socket_close();
    drop_packets(self);
    free(self);
}

bool net_transports_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    (void)def;
    Socket *self = calloc(1, sizeof *self);
    if (self == NULL)
        return fail(error, "not enough memory for a session");
    self->transport = (NetTransport){close_socket, receive, flush, send_packet, finish, reset};
    self->links = links;
    self->link = net_link_begin(links, &self->transport, self);
    links->transports[0] = &self->transport;
    socket_open();
    return true;
}
