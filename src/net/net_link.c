/* SPDX-License-Identifier: MIT
 * Links: greetings, sealed messages, and what waits to be sent. */
#include "net/net_link.h"

#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a joined side may send: this many bytes at once, and per second. Each message counts as 64
 * bytes at least. A scene's text has up to 1 MB. */
#define ALLOWANCE            4e6
#define ALLOWANCE_PER_SECOND 1e6
#define LEAST_COST           64.0

#define NOBODY "nobody answered; is the key right?"

/* -- sending ----------------------------------------------------------------------------------- */

static void dispatch(NetLink *link, int channel, const unsigned char *packet, size_t count)
{
    link->in_flight += count;
    link->transport->send(link->transport, link, channel, packet, count);
}

/* Seals a message in place, which has NET_SEAL bytes of room behind it, and sends it. */
static void send_sealed(NetLink *link, unsigned char *message, size_t count)
{
    net_seal(&link->cipher, NET_ORDERED, message, count, message);
    dispatch(link, NET_ORDERED, message, count + NET_SEAL);
}

static void send_greeting(NetLinks *links, NetLink *link, const unsigned char *answer)
{
    net_greeting_write(&link->cipher, &links->key, answer, link->greeting);
    dispatch(link, NET_ORDERED, link->greeting, NET_GREETING);
}

/* Takes the bytes over. NULL: memory is short. */
static bool append(NetQueue *queue, unsigned char *bytes, size_t count, bool state)
{
    NetWaiting *waiting = bytes != NULL ? malloc(sizeof *waiting) : NULL;
    if (waiting == NULL) {
        free(bytes);
        return false;
    }
    *waiting = (NetWaiting){.bytes = bytes, .count = count, .state = state};
    if (queue->last != NULL)
        queue->last->next = waiting;
    else
        queue->first = waiting;
    queue->last = waiting;
    queue->count += state ? 0 : count;
    return true;
}

void net_queue_packet(NetQueue *queue, NetLink *link, size_t before, int channel,
                      const unsigned char *packet, size_t count)
{
    unsigned char *bytes = malloc(before + 1 + count);
    if (bytes != NULL) {
        bytes[before] = (unsigned char)channel;
        memcpy(bytes + before + 1, packet, count);
    }
    if (!append(queue, bytes, count, false))
        link->in_flight -= count;
}

void net_queue_drop(NetQueue *queue)
{
    NetWaiting *first = queue->first;
    queue->first = first->next;
    if (queue->first == NULL)
        queue->last = NULL;
    queue->count -= first->state ? 0 : first->count;
    free(first->bytes);
    free(first);
}

void net_link_drop_waiting(NetLink *link)
{
    while (link->waiting.first != NULL)
        net_queue_drop(&link->waiting);
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

/* Gives the transport what waits, as much as it should have. */
static void feed(NetLinks *links, NetLink *link)
{
    for (NetWaiting *next;
         (next = link->waiting.first) != NULL && link->in_flight < NET_IN_FLIGHT;) {
        if (next->state && send_piece(links, link, next))
            continue;
        if (next->state) {
            link->state_waits = false;
            link->state_since = clock_seconds();
        } else
            send_sealed(link, next->bytes, next->count);
        net_queue_drop(&link->waiting);
    }
}

/* A message that may be lost has room for its number and the seal around it. */
void net_link_send(NetLinks *links, NetLink *link, const NetMessage *message)
{
    if (link->stage < NET_SEALED || link->stage == NET_ENDING)
        return;
    bool lossy = net_may_be_lost(message->kind);
    unsigned char *bytes = malloc(net_message_room(message) + NET_SEAL_NUMBERED);
    if (bytes == NULL)
        return;
    size_t before = lossy ? NET_SEAL_NUMBERED - NET_SEAL : 0;
    size_t count = net_message_write(message, bytes + before);
    if (lossy) {
        net_seal_numbered(&link->cipher, NET_LOSSY, bytes + before, count, bytes);
        dispatch(link, NET_LOSSY, bytes, count + NET_SEAL_NUMBERED);
        free(bytes);
        return;
    }
    append(&link->waiting, bytes, count, false);
    feed(links, link);
}

bool net_link_send_state(NetLinks *links, NetLink *link, unsigned char *bytes, size_t count)
{
    net_link_send(links, link, &(NetMessage){.kind = NET_STATE, .size = count});
    return append(&link->waiting, bytes, count, true);
}

/* -- beginning and end of a link --------------------------------------------------------------- */

NetLink *net_link_begin(NetLinks *links, NetTransport *transport, void *peer)
{
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &links->links[l];
        if (link->stage != NET_FREE)
            continue;
        size_t in_flight = link->in_flight;
        /* The transport may still have packets of the connection before. */
        *link = (NetLink){
            .stage = NET_CONNECTING, .transport = transport, .peer = peer, .in_flight = in_flight};
        link->since = link->allowed_at = clock_seconds();
        link->allowance = ALLOWANCE;
        net_cipher_start(&link->cipher, links->host);
        return link;
    }
    return NULL;
}

void net_link_greet(NetLinks *links, NetLink *link)
{
    send_greeting(links, link, NULL);
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
    if (link->stage == NET_FREE || link->stage == NET_ENDING)
        return;
    net_link_drop_waiting(link);
    if (link->stage == NET_CONNECTING) {
        link->transport->reset(link->transport, link);
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
    link->transport->finish(link->transport, link);
}

/* Ends a link for what came over it. One without the key is not told why. */
static void refuse(NetLinks *links, NetLink *link, const char *why)
{
    NetLink before = *link;
    net_link_end(links, link, why);
    if (before.stage >= NET_SEALED || !links->host)
        links->handlers.closed(links->session, &before, why);
}

/* -- receiving --------------------------------------------------------------------------------- */

/* Whether a greeting has been taken before: somebody has recorded it. Keeps it if not. */
static bool is_repeated(NetLinks *links, const unsigned char *greeting)
{
    for (int g = 0; g < NET_GREETINGS; g++)
        if (memcmp(links->greetings[g], greeting, NET_GREETING) == 0)
            return true;
    memcpy(links->greetings[links->greeting_count++ % NET_GREETINGS], greeting, NET_GREETING);
    return false;
}

static void take_greeting(NetLinks *links, NetLink *link, const unsigned char *bytes, size_t count)
{
    if (count != NET_GREETING ||
        !net_greeting_take(&link->cipher, &links->key, links->host ? NULL : link->greeting,
                           bytes) ||
        (links->host && is_repeated(links, bytes))) {
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

void net_link_receive(NetLinks *links, NetLink *link, int channel, unsigned char *packet,
                      size_t count)
{
    if (link->stage == NET_ENDING || link->stage == NET_FREE)
        return;
    if (links->host && !is_allowed(link, count))
        refuse(links, link, "it sent too much");
    else if (link->stage == NET_CONNECTING)
        take_greeting(links, link, packet, count);
    else
        take_message(links, link, channel, packet, count);
}

void net_link_lost(NetLinks *links, NetLink *link)
{
    if (link->stage == NET_FREE)
        return;
    NetLink before = *link;
    forget(link);
    if (before.stage != NET_ENDING && (!links->host || before.stage >= NET_SEALED))
        links->handlers.closed(links->session, &before,
                               before.stage == NET_CONNECTING ? NOBODY : NET_LOST);
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
            link->transport->reset(link->transport, link);
            forget(link);
        } else if (links->host)
            refuse(links, link, "it took too long to say hello");
        else {
            NetLink before = *link;
            net_link_end(links, link, NULL);
            links->handlers.closed(links->session, &before, NOBODY);
        }
    }
}

void net_links_service(NetLinks *links)
{
    for (int t = 0; t < NET_TRANSPORTS && links->transports[t] != NULL; t++)
        links->transports[t]->receive(links->transports[t]);
    for (int l = 0; l < NET_LINKS; l++)
        if (links->links[l].stage >= NET_SEALED && links->links[l].stage < NET_ENDING)
            feed(links, &links->links[l]);
    end_slow(links);
    links->socket_count = 0;
    for (int t = 0; t < NET_TRANSPORTS && links->transports[t] != NULL; t++)
        links->socket_count +=
            links->transports[t]->flush(links->transports[t], links->sockets + links->socket_count);
}

/* -- opening and closing ----------------------------------------------------------------------- */

bool net_links_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    if (!net_crypt_start(error) || !net_key_make(def->key, &links->key, error))
        return false;
    links->host = def->host;
    links->port = def->port;
    return net_transports_open(links, def, error);
}

void net_links_close(NetLinks *links)
{
    for (int t = NET_TRANSPORTS - 1; t >= 0; t--)
        if (links->transports[t] != NULL)
            links->transports[t]->close(links->transports[t]);
    for (int l = 0; l < NET_LINKS; l++)
        forget(&links->links[l]);
    net_forget(&links->key, sizeof links->key);
}
