/* SPDX-License-Identifier: MIT
 * Connections over ENet. */
#include "net_link.h"

#include "clock.h"
#include "fail.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a joined side may send: this many bytes at once, and per second. Each message counts as 64
 * bytes at least. A scene's text has up to 1 MB. */
#define ALLOWANCE            4e6
#define ALLOWANCE_PER_SECOND 1e6
#define LEAST_COST           64.0

/* ENet gives a connection up after this time without confirmation, ms. */
enum { SILENCE_LEAST = 3000, SILENCE_MOST = 8000 };

/* -- checksums of datagrams ---------------------------------------------------------------------
 */

/* ENet's callbacks have no context: the links whose functions this thread calls. */
static _Thread_local NetLinks *present;

static enet_uint32 ENET_CALLBACK checksum(const ENetBuffer *buffers, size_t count)
{
    unsigned char *whole = present->datagram;
    size_t bytes = 0;
    for (size_t b = 0; b < count; b++) {
        if (buffers[b].dataLength > NET_DATAGRAM - bytes)
            return 0;
        memcpy(whole + bytes, buffers[b].data, buffers[b].dataLength);
        bytes += buffers[b].dataLength;
    }
    return net_key_checksum(&present->key, whole, bytes);
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
    return sum == net_key_checksum(&present->key, copy, count);
}

/* Drops requests that somebody has recorded and sends from another address: ENet would answer them.
 * Whoever asks repeats a request that was lost from the same address. */
static int ENET_CALLBACK intercept(ENetHost *enet, ENetEvent *event)
{
    (void)event;
    NetRequest request = {.from = enet->receivedAddress};
    if (!present->host || enet->receivedDataLength < 2 ||
        !is_request(enet->receivedData, enet->receivedDataLength))
        return 0;
    memcpy(request.number, enet->receivedData + NUMBERS_AT, sizeof request.number);
    for (int r = 0; r < NET_REQUESTS; r++) {
        const NetRequest *before = &present->requests[r];
        if (memcmp(before->number, request.number, sizeof request.number) == 0)
            return before->from.host != request.from.host || before->from.port != request.from.port;
    }
    present->requests[present->request_count++ % NET_REQUESTS] = request;
    return 0;
}

/* -- sending ------------------------------------------------------------------------------------
 */

static void ENET_CALLBACK arrived(ENetPacket *packet)
{
    NetLink *link = packet->userData;
    link->in_flight -= packet->dataLength;
}

/* Hands a packet to ENet, which frees it. */
static void dispatch(NetLink *link, int channel, ENetPacket *packet)
{
    if (packet == NULL)
        return;
    packet->userData = link;
    packet->freeCallback = arrived;
    link->in_flight += packet->dataLength;
    if (enet_peer_send(link->peer, (enet_uint8)channel, packet) != 0)
        enet_packet_destroy(packet);
}

/* Seals a message. If memory is short, the message is lost and the next does not open, which ends
 * the connection. */
static void send_sealed(NetLink *link, const unsigned char *message, size_t count)
{
    ENetPacket *packet = enet_packet_create(NULL, count + NET_SEAL, ENET_PACKET_FLAG_RELIABLE);
    if (packet != NULL)
        net_seal(&link->cipher, NET_ORDERED, message, count, packet->data);
    else
        link->cipher.sent[NET_ORDERED]++;
    dispatch(link, NET_ORDERED, packet);
}

static void send_lossy(NetLink *link, const unsigned char *message, size_t count)
{
    ENetPacket *packet =
        enet_packet_create(NULL, count + NET_SEAL_NUMBERED, ENET_PACKET_FLAG_UNSEQUENCED);
    if (packet != NULL)
        net_seal_numbered(&link->cipher, NET_LOSSY, message, count, packet->data);
    dispatch(link, NET_LOSSY, packet);
}

static void send_greeting(NetLinks *links, NetLink *link, const unsigned char *answer)
{
    net_greeting_write(&link->cipher, &links->key, answer, link->greeting);
    dispatch(link, NET_ORDERED,
             enet_packet_create(link->greeting, NET_GREETING, ENET_PACKET_FLAG_RELIABLE));
}

static bool append_waiting(NetLink *link, unsigned char *bytes, size_t count, bool state)
{
    NetWaiting *waiting = malloc(sizeof *waiting);
    if (waiting == NULL || bytes == NULL) {
        free(waiting);
        free(bytes);
        return false;
    }
    *waiting = (NetWaiting){.bytes = bytes, .count = count, .state = state};
    if (link->last != NULL)
        link->last->next = waiting;
    else
        link->first = waiting;
    link->last = waiting;
    link->waiting += state ? 0 : count;
    return true;
}

static void drop_first(NetLink *link)
{
    NetWaiting *first = link->first;
    link->first = first->next;
    if (link->first == NULL)
        link->last = NULL;
    link->waiting -= first->state ? 0 : first->count;
    free(first->bytes);
    free(first);
}

void net_link_drop_waiting(NetLink *link)
{
    while (link->first != NULL)
        drop_first(link);
}

/* Sends the next piece of a state. Returns false after the last. */
static bool send_piece(NetLinks *links, NetLink *link, NetWaiting *state)
{
    size_t left = state->count - state->at, count = left < NET_PIECE ? left : NET_PIECE;
    NetMessage message = {.kind = NET_STATE_PIECE, .data = {state->bytes + state->at, count}};
    send_sealed(link, links->piece, net_message_write(&message, links->piece));
    state->at += count;
    return state->at < state->count;
}

/* Gives ENet what waits, as much as it should have. */
static void feed(NetLinks *links, NetLink *link)
{
    while (link->first != NULL && link->in_flight < NET_IN_FLIGHT) {
        if (link->first->state && send_piece(links, link, link->first))
            continue;
        if (!link->first->state)
            send_sealed(link, link->first->bytes, link->first->count);
        if (link->first->state) {
            link->state_waits = false;
            link->state_since = clock_seconds();
        }
        drop_first(link);
    }
}

void net_link_send(NetLinks *links, NetLink *link, const NetMessage *message)
{
    present = links;
    if (link->stage < NET_SEALED || link->stage == NET_ENDING)
        return;
    unsigned char *bytes = malloc(net_message_room(message));
    if (bytes == NULL)
        return;
    size_t count = net_message_write(message, bytes);
    if (net_may_be_lost(message->kind)) {
        send_lossy(link, bytes, count);
        free(bytes);
        return;
    }
    append_waiting(link, bytes, count, false);
    feed(links, link);
}

bool net_link_send_state(NetLinks *links, NetLink *link, unsigned char *bytes, size_t count)
{
    net_link_send(links, link, &(NetMessage){.kind = NET_STATE, .size = count});
    return append_waiting(link, bytes, count, true);
}

/* -- beginning and end of a link ----------------------------------------------------------------
 */

static NetLink *begin(NetLinks *links, ENetPeer *peer)
{
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &links->links[l];
        if (link->stage != NET_FREE)
            continue;
        size_t in_flight = link->in_flight;
        /* ENet may still have packets of the connection before. */
        *link = (NetLink){.stage = NET_CONNECTING, .peer = peer, .in_flight = in_flight};
        link->since = link->allowed_at = clock_seconds();
        link->allowance = ALLOWANCE;
        peer->data = link;
        enet_peer_timeout(peer, 0, SILENCE_LEAST, SILENCE_MOST);
        net_cipher_start(&link->cipher, links->host);
        return link;
    }
    return NULL;
}

static void forget(NetLink *link)
{
    net_link_drop_waiting(link);
    net_forget(&link->cipher, sizeof link->cipher);
    link->stage = NET_FREE;
    link->peer = NULL;
}

void net_link_end(NetLinks *links, NetLink *link, const char *reason)
{
    present = links;
    if (link->stage == NET_FREE || link->stage == NET_ENDING)
        return;
    net_link_drop_waiting(link);
    if (link->stage == NET_CONNECTING) {
        enet_peer_reset(link->peer);
        forget(link);
        return;
    }
    NetMessage message = {.kind = NET_REFUSAL};
    if (links->host) {
        snprintf(message.text, sizeof message.text, "%s", reason);
        net_link_send(links, link, &message);
    }
    feed(links, link);
    link->stage = NET_ENDING;
    link->since = clock_seconds();
    enet_peer_disconnect_later(link->peer, 0);
}

/* Ends a link for what came over it. One without the key is not told why. */
static void refuse(NetLinks *links, NetLink *link, const char *why)
{
    NetLink before = *link;
    net_link_end(links, link, why);
    if (before.stage >= NET_SEALED || !links->host)
        links->handlers.closed(links->session, &before, why);
}

/* -- receiving ----------------------------------------------------------------------------------
 */

static void take_greeting(NetLinks *links, NetLink *link, const unsigned char *bytes, size_t count)
{
    if (count != NET_GREETING || !net_greeting_take(&link->cipher, &links->key,
                                                    links->host ? NULL : link->greeting, bytes)) {
        refuse(links, link, "the key differs");
        return;
    }
    if (links->host)
        send_greeting(links, link, bytes);
    link->stage = NET_SEALED;
    links->handlers.opened(links->session, link);
}

/* Whether the other side of a link sends no more than it may. */
static bool is_allowed(NetLink *link, size_t count)
{
    double now = clock_seconds();
    link->allowance += (now - link->allowed_at) * ALLOWANCE_PER_SECOND;
    if (link->allowance > ALLOWANCE)
        link->allowance = ALLOWANCE;
    link->allowed_at = now;
    link->allowance -= (double)count > LEAST_COST ? (double)count : LEAST_COST;
    return link->allowance >= 0;
}

static void take_message(NetLinks *links, NetLink *link, int channel, unsigned char *bytes,
                         size_t count)
{
    NetMessage message;
    bool lossy = channel == NET_LOSSY;
    size_t seal = lossy ? NET_SEAL_NUMBERED : NET_SEAL;
    /* A message is opened in place: what is read lies behind what is written. */
    bool opened = lossy ? net_open_numbered(&link->cipher, channel, bytes, count, bytes)
                        : net_open(&link->cipher, channel, bytes, count, bytes);
    if (!opened && lossy)
        return; /* late, or a copy: the link goes on */
    if (!opened || !net_message_read(bytes, count - seal, !links->host, &message) ||
        net_may_be_lost(message.kind) != lossy)
        refuse(links, link, "a message could not be read");
    else
        links->handlers.received(links->session, link, &message);
}

static void receive(NetLinks *links, NetLink *link, int channel, const ENetPacket *packet)
{
    if (link == NULL || link->stage == NET_ENDING || link->stage == NET_FREE)
        return;
    if (links->host && !is_allowed(link, packet->dataLength))
        refuse(links, link, "it sent too much");
    else if (link->stage == NET_CONNECTING)
        take_greeting(links, link, packet->data, packet->dataLength);
    else
        take_message(links, link, channel, packet->data, packet->dataLength);
}

static void handle(NetLinks *links, const ENetEvent *event)
{
    NetLink *link = event->peer->data;
    switch (event->type) {
    case ENET_EVENT_TYPE_CONNECT:
        if (links->host)
            link = begin(links, event->peer);
        if (link == NULL)
            enet_peer_reset(event->peer);
        else if (!links->host)
            send_greeting(links, link, NULL);
        event->peer->windowSize = NET_IN_FLIGHT; /* ENet's 64 kB are little on a long way */
        break;
    case ENET_EVENT_TYPE_RECEIVE:
        receive(links, link, event->channelID, event->packet);
        enet_packet_destroy(event->packet);
        break;
    case ENET_EVENT_TYPE_DISCONNECT:
        event->peer->data = NULL;
        if (link == NULL || link->stage == NET_FREE)
            break;
        NetLink before = *link;
        forget(link);
        if (before.stage != NET_ENDING && (!links->host || before.stage >= NET_SEALED))
            links->handlers.closed(links->session, &before, "the connection was lost");
        break;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
}

/* Ends connections that do not get on. */
static void end_slow(NetLinks *links)
{
    double now = clock_seconds();
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &links->links[l];
        if (link->stage == NET_FREE || link->stage == NET_PRESENT ||
            now - link->since < NET_PATIENCE)
            continue;
        if (link->stage == NET_ENDING) {
            enet_peer_reset(link->peer);
            forget(link);
        } else if (links->host)
            refuse(links, link, "it took too long to say hello");
        else {
            NetLink before = *link;
            net_link_end(links, link, NULL);
            links->handlers.closed(links->session, &before, "nobody answered; is the key right?");
        }
    }
}

void net_links_service(NetLinks *links)
{
    ENetEvent event;
    present = links;
    for (int e = 0; e < 1000 && enet_host_service(links->enet, &event, 0) > 0; e++)
        handle(links, &event);
    for (int l = 0; l < NET_LINKS; l++)
        if (links->links[l].stage >= NET_SEALED && links->links[l].stage < NET_ENDING)
            feed(links, &links->links[l]);
    end_slow(links);
    enet_host_flush(links->enet);
    links->traffic.sent += links->enet->totalSentData;
    links->traffic.received += links->enet->totalReceivedData;
    links->enet->totalSentData = links->enet->totalReceivedData = 0;
}

/* -- opening and closing ------------------------------------------------------------------------
 */

static bool find_address(const NetDef *def, ENetAddress *address, BillowError *error)
{
    const char *name = def->address != NULL ? def->address : "127.0.0.1";
    address->host = ENET_HOST_ANY;
    address->port = (enet_uint16)def->port;
    return strcmp(name, "*") == 0 || enet_address_set_host(address, name) == 0 ||
           fail(error, "no machine is known by the name %s", name);
}

bool net_links_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    ENetAddress address;
    if (enet_initialize() != 0)
        return fail(error, "the network cannot be used");
    if (!net_crypt_start(error) || !find_address(def, &address, error) ||
        !net_key_make(def->key, &links->key, error))
        return false;
    links->host = def->host;
    links->enet = enet_host_create(def->host ? &address : NULL, def->host ? NET_LINKS : 1,
                                   NET_CHANNELS, 0, 0);
    if (links->enet == NULL)
        return def->host ? fail(error,
                                "cannot listen on %s, port %d: is the port in use, or the address "
                                "another machine's?",
                                def->address != NULL ? def->address : "127.0.0.1", def->port)
                         : fail(error, "no network connection can be made");
    links->enet->checksum = checksum;
    links->enet->intercept = intercept;
    links->enet->maximumPacketSize = NET_DATA_MAX + 64;
    links->enet->maximumWaitingData = 4 * (NET_DATA_MAX + 64);
    present = links;
    if (def->host)
        return true;
    ENetPeer *peer = enet_host_connect(links->enet, &address, NET_CHANNELS, net_random());
    return (peer != NULL && begin(links, peer) != NULL) ||
           fail(error, "no network connection can be made");
}

/* Time for last messages, s. */
#define FAREWELL 0.3

void net_links_close(NetLinks *links)
{
    if (links->enet != NULL) {
        ENetEvent event;
        present = links;
        for (double start = clock_seconds();
             links->enet->connectedPeers > 0 && clock_seconds() - start < FAREWELL;)
            if (enet_host_service(links->enet, &event, 10) > 0 &&
                event.type == ENET_EVENT_TYPE_RECEIVE)
                enet_packet_destroy(event.packet);
        enet_host_destroy(links->enet);
        enet_deinitialize();
    }
    for (int l = 0; l < NET_LINKS; l++)
        forget(&links->links[l]);
    net_forget(&links->key, sizeof links->key);
}
