/* SPDX-License-Identifier: MIT
 * ENet (UDP) as a transport. */
#include "base/clock.h"
#include "base/fail.h"
#include "net/net_link.h"
#include <enet/enet.h>
#include <stdlib.h>
#include <string.h>

/* ENet gives a connection up after this time without confirmation, ms. */
enum { SILENCE_LEAST = 3000, SILENCE_MOST = 8000 };

/* A request for a connection is repeated while it is not answered, but no longer than this, s. */
#define REQUEST_SECONDS 10.0

/* A request for a connection. */
typedef struct Request {
    uint32_t number[2]; /* random numbers of ENet's and of ours */
    ENetAddress from;
    double since; /* when it came first, s */
} Request;

enum { REQUESTS = 1024, DATAGRAM = ENET_PROTOCOL_MAXIMUM_MTU + 64 };

typedef struct Enet {
    NetTransport transport;
    NetLinks *links;
    ENetHost *host;
    Request requests[REQUESTS]; /* the newest, in a ring */
    uint32_t request_count;
    double since[NET_PEERS];          /* when a peer asked for its connection, s */
    unsigned char datagram[DATAGRAM]; /* whose checksum is computed */
} Enet;

/* -- checksums of datagrams -------------------------------------------------------------------- */

/* ENet's callbacks have no context: the transport whose functions this thread calls. */
static _Thread_local Enet *present;

static enet_uint32 ENET_CALLBACK checksum(const ENetBuffer *buffers, size_t count)
{
    unsigned char *whole = present->datagram;
    size_t bytes = 0;
    for (size_t b = 0; b < count; b++) {
        if (buffers[b].dataLength > DATAGRAM - bytes)
            return 0;
        memcpy(whole + bytes, buffers[b].data, buffers[b].dataLength);
        bytes += buffers[b].dataLength;
    }
    return net_key_checksum(&present->links->key, whole, bytes);
}

/* Offsets in a datagram that asks for a connection: two bytes with the number of the peer, which is
 * none yet, and flags; the time; the checksum; and the request, with its two random numbers. */
enum {
    CHECKSUM_AT = 4,
    REQUEST_AT = 8,
    NUMBERS_AT = REQUEST_AT + 40,
    REQUEST_END = NUMBERS_AT + 8
};
_Static_assert(sizeof(ENetProtocolConnect) == REQUEST_END - REQUEST_AT, "ENet's request");

/* Whether a datagram asks for a connection and comes from one who has the key. */
static bool is_request(const unsigned char *datagram, size_t count)
{
    unsigned char copy[REQUEST_END];
    uint32_t sum;
    const int peer = (datagram[0] << 8 | datagram[1]) & ENET_PROTOCOL_MAXIMUM_PEER_ID;
    if (count != REQUEST_END || peer != ENET_PROTOCOL_MAXIMUM_PEER_ID)
        return false;
    memcpy(copy, datagram, count);
    memcpy(&sum, copy + CHECKSUM_AT, sizeof sum);
    memset(copy + CHECKSUM_AT, 0, sizeof sum);
    return sum == net_key_checksum(&present->links->key, copy, count);
}

/* ENet leaves a peer's data as they are when it gives the peer to another connection. */
static NetLink *link_of(const ENetPeer *peer)
{
    NetLink *link = peer->data;
    return link != NULL && link->peer == peer ? link : NULL;
}

/* Notes the peer that ENet gives to the next connection, the first free one. Where none is free,
 * the oldest that does not belong to a hand is freed. */
static void make_room(ENetHost *host)
{
    ENetPeer *next = NULL;
    for (ENetPeer *peer = host->peers; peer < host->peers + host->peerCount; peer++) {
        const NetLink *link = link_of(peer);
        if (peer->state == ENET_PEER_STATE_DISCONNECTED) {
            next = peer;
            break;
        }
        if ((link == NULL || link->stage != NET_PRESENT) &&
            (next == NULL ||
             present->since[peer - host->peers] < present->since[next - host->peers]))
            next = peer;
    }
    if (next == NULL)
        return;
    if (next->state != ENET_PEER_STATE_DISCONNECTED) {
        NetLink *link = link_of(next);
        if (link != NULL)
            net_link_lost(present->links, link);
        enet_peer_reset(next);
    }
    present->since[next - host->peers] = clock_seconds();
}

/* Drops requests that somebody has recorded and sends from another address, or later: ENet would
 * answer them. Whoever asks repeats a request that was lost from the same address.
 *
 * A key belongs to one session, so that no request of an earlier one has the right checksum. */
static int ENET_CALLBACK intercept(ENetHost *host, ENetEvent *event)
{
    (void)event;
    Request request = {.from = host->receivedAddress, .since = clock_seconds()};
    if (!present->links->host || host->receivedDataLength < 2 ||
        !is_request(host->receivedData, host->receivedDataLength))
        return 0;
    memcpy(request.number, host->receivedData + NUMBERS_AT, sizeof request.number);
    for (int r = 0; r < REQUESTS; r++) {
        const Request *before = &present->requests[r];
        if (memcmp(before->number, request.number, sizeof request.number) == 0)
            return before->from.host != request.from.host ||
                   before->from.port != request.from.port ||
                   request.since - before->since > REQUEST_SECONDS;
    }
    present->requests[present->request_count++ % REQUESTS] = request;
    make_room(host);
    return 0;
}

/* -- the transport's functions ----------------------------------------------------------------- */

static void ENET_CALLBACK arrived(ENetPacket *packet)
{
    NetLink *link = packet->userData;
    link->in_flight -= packet->dataLength;
}

/* If memory is short, the packet is lost and the next does not open, which ends the connection. */
static void send_packet(NetTransport *transport, NetLink *link, int channel,
                        const unsigned char *bytes, size_t count)
{
    present = (Enet *)transport;
    ENetPacket *packet = enet_packet_create(bytes, count,
                                            channel == NET_LOSSY ? ENET_PACKET_FLAG_UNSEQUENCED
                                                                 : ENET_PACKET_FLAG_RELIABLE);
    if (packet == NULL) {
        link->in_flight -= count;
        return;
    }
    packet->userData = link;
    packet->freeCallback = arrived;
    if (enet_peer_send(link->peer, (enet_uint8)channel, packet) != 0)
        enet_packet_destroy(packet);
}

static void finish(NetTransport *transport, NetLink *link)
{
    present = (Enet *)transport;
    enet_peer_disconnect_later(link->peer, 0);
}

static void reset(NetTransport *transport, NetLink *link)
{
    present = (Enet *)transport;
    enet_peer_reset(link->peer);
}

static NetLink *begin(Enet *self, ENetPeer *peer)
{
    NetLink *link = net_link_begin(self->links, &self->transport, peer);
    peer->data = link;
    if (link != NULL)
        enet_peer_timeout(peer, 0, SILENCE_LEAST, SILENCE_MOST);
    return link;
}

static void handle(Enet *self, const ENetEvent *event)
{
    NetLink *link = link_of(event->peer);
    switch (event->type) {
    case ENET_EVENT_TYPE_CONNECT:
        if (self->links->host)
            link = begin(self, event->peer);
        if (link == NULL)
            enet_peer_reset(event->peer);
        else if (!self->links->host)
            net_link_greet(self->links, link);
        event->peer->windowSize = NET_IN_FLIGHT; /* ENet's 64 kB are little on a long way */
        break;
    case ENET_EVENT_TYPE_RECEIVE:
        if (link != NULL)
            net_link_receive(self->links, link, event->channelID, event->packet->data,
                             event->packet->dataLength);
        enet_packet_destroy(event->packet);
        break;
    case ENET_EVENT_TYPE_DISCONNECT:
        event->peer->data = NULL;
        if (link != NULL)
            net_link_lost(self->links, link);
        break;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
}

static void receive(NetTransport *transport)
{
    Enet *self = (Enet *)transport;
    ENetEvent event;
    present = self;
    for (int e = 0; e < 1000 && enet_host_service(self->host, &event, 0) > 0; e++)
        handle(self, &event);
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &self->links->links[l];
        if (link->transport == transport && link->peer != NULL)
            link->delay = (int)((ENetPeer *)link->peer)->roundTripTime;
    }
}

static int flush(NetTransport *transport, struct pollfd *sockets)
{
    Enet *self = (Enet *)transport;
    present = self;
    enet_host_flush(self->host);
    self->links->traffic.sent += self->host->totalSentData;
    self->links->traffic.received += self->host->totalReceivedData;
    self->host->totalSentData = self->host->totalReceivedData = 0;
    *sockets = (struct pollfd){.fd = self->host->socket, .events = POLLIN};
    return 1;
}

/* -- opening and closing ----------------------------------------------------------------------- */

static void close_host(NetTransport *transport)
{
    Enet *self = (Enet *)transport;
    if (self->host != NULL) {
        ENetEvent event;
        present = self;
        for (double start = clock_seconds();
             self->host->connectedPeers > 0 && clock_seconds() - start < NET_FAREWELL;)
            if (enet_host_service(self->host, &event, 10) > 0 &&
                event.type == ENET_EVENT_TYPE_RECEIVE)
                enet_packet_destroy(event.packet);
        enet_host_destroy(self->host);
        enet_deinitialize();
    }
    free(self);
}

static bool find_address(const NetDef *def, ENetAddress *address, BillowError *error)
{
    const char *name = def->address != NULL ? def->address : "127.0.0.1";
    address->host = ENET_HOST_ANY;
    address->port = (enet_uint16)def->port;
    return strcmp(name, "*") == 0 || enet_address_set_host(address, name) == 0 ||
           fail(error, "no machine is known by the name %s", name);
}

/* Finds the address of this machine in the network that leads to others. No packet is sent. */
static void find_own(NetLinks *links)
{
    ENetAddress address = {.port = NET_PORT};
    ENetSocket socket = enet_socket_create(ENET_SOCKET_TYPE_DATAGRAM);
    enet_address_set_host_ip(&address, "192.0.2.1"); /* of documentation: any elsewhere will do */
    if (enet_socket_connect(socket, &address) == 0 &&
        enet_socket_get_address(socket, &address) == 0)
        enet_address_get_host_ip(&address, links->address, sizeof links->address);
    enet_socket_destroy(socket);
}

static void note_address(NetLinks *links, ENetSocket socket)
{
    ENetAddress address;
    if (enet_socket_get_address(socket, &address) != 0)
        return;
    links->port = address.port;
    if (address.host == ENET_HOST_ANY)
        find_own(links);
    else
        enet_address_get_host_ip(&address, links->address, sizeof links->address);
}

/* Opens the socket, and asks for a connection if this side joins. */
static bool open_host(Enet *self, const NetDef *def, BillowError *error)
{
    ENetAddress address;
    if (enet_initialize() != 0)
        return fail(error, "the network cannot be used");
    if (!find_address(def, &address, error))
        return false;
    self->host = enet_host_create(def->host ? &address : NULL, def->host ? NET_PEERS : 1,
                                  NET_CHANNELS, 0, 0);
    if (self->host == NULL)
        return def->host ? fail(error,
                                "cannot listen on %s, port %d: is the port in use, or the address "
                                "another machine's?",
                                def->address != NULL ? def->address : "127.0.0.1", def->port)
                         : fail(error, "no network connection can be made");
    self->host->checksum = checksum;
    self->host->intercept = intercept;
    self->host->maximumPacketSize = NET_PACKET_MOST;
    self->host->maximumWaitingData = 4 * NET_PACKET_MOST;
    present = self;
    if (def->host) {
        note_address(self->links, self->host->socket);
        return true;
    }
    ENetPeer *peer = enet_host_connect(self->host, &address, NET_CHANNELS, net_random());
    return (peer != NULL && begin(self, peer) != NULL) ||
           fail(error, "no network connection can be made");
}

bool net_transports_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    Enet *self = calloc(1, sizeof *self);
    if (self == NULL)
        return fail(error, "not enough memory for a session");
    self->links = links;
    self->transport = (NetTransport){close_host, receive, flush, send_packet, finish, reset};
    if (!open_host(self, def, error)) {
        close_host(&self->transport);
        return false;
    }
    links->transports[0] = &self->transport;
    if (def->host && def->page != NULL)
        links->transports[1] = net_web_open(links, def, &links->no_page);
    else
        fail(&links->no_page, "the page has not been built; ./build.sh web builds it");
    return true;
}
