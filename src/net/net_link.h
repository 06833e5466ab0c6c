/* SPDX-License-Identifier: MIT
 *
 * Connections of a shared session: messages over ENet, sealed.
 *
 * Private to src/net. A link begins with greetings (net_crypt.h); after them every message is
 * sealed. Messages wait in the link until ENet can take them, so that a state does not stop what
 * little else there is to send, and so that what waits can be bounded. */
#ifndef NET_LINK_H
#define NET_LINK_H

#include "net_crypt.h"
#include "net_session.h"
#include <enet/enet.h>

enum {
    NET_LINKS = 64,            /* connections at one time, with those that have not greeted yet */
    NET_IN_FLIGHT = 192 << 10, /* bytes that ENet has and the other side has not confirmed */
    NET_ORDERED = 0,           /* channel of messages that arrive complete and in order */
    NET_LOSSY = 1              /* channel of messages that may be lost */
};

/* Seconds for a connection's greetings and hello. */
#define NET_PATIENCE 4.0

/* Messages, or a state, that wait to be sent. */
typedef struct NetWaiting {
    struct NetWaiting *next;
    unsigned char *bytes;
    size_t count, at; /* at: bytes of a state that were sent */
    bool state;
} NetWaiting;

typedef enum NetStage {
    NET_FREE,       /* no connection */
    NET_CONNECTING, /* the other side's greeting has not come yet */
    NET_SEALED,     /* messages are sealed, and the hello has not come yet */
    NET_PRESENT,    /* the other side has been let in */
    NET_ENDING      /* the last message has been sent; the connection closes once it is confirmed */
} NetStage;

typedef struct NetLink {
    NetStage stage;
    ENetPeer *peer;
    NetCipher cipher;
    unsigned char greeting[NET_GREETING]; /* own, of the side that begins */
    NetWaiting *first, *last;
    size_t waiting;    /* bytes that wait, without states */
    size_t in_flight;  /* bytes that ENet has */
    double since;      /* time at which the connection or its end began, s */
    double allowance;  /* bytes that the other side may still send; grows with time */
    double allowed_at; /* time at which `allowance` was last updated, s */
    /* The host's: the person at the other side. */
    NetPerson person;
    uint64_t step; /* has been simulated there */
    bool has_state, caught_up;
    bool state_waits;    /* its newest state has not been sent completely */
    double state_since;  /* time at which it was, s */
    uint64_t state_step; /* of its newest state */
} NetLink;

struct NetLinks;
/* What a session does with what happens on a link. */
typedef struct NetHandlers {
    void (*opened)(void *session, NetLink *link); /* the greetings are over */
    void (*received)(void *session, NetLink *link, const NetMessage *message);
    void (*closed)(void *session, NetLink *link, const char *reason);
} NetHandlers;

/* A request for a connection. */
typedef struct NetRequest {
    uint32_t number[2]; /* random numbers of ENet's and of ours */
    ENetAddress from;
} NetRequest;

enum { NET_REQUESTS = 1024, NET_DATAGRAM = ENET_PROTOCOL_MAXIMUM_MTU + 64 };

typedef struct NetLinks {
    ENetHost *enet;
    bool host;
    NetKey key;
    NetLink links[NET_LINKS];
    NetRequest requests[NET_REQUESTS]; /* the newest, in a ring */
    uint32_t request_count;
    unsigned char piece[1 + NET_PIECE];   /* of a state, as a message */
    unsigned char datagram[NET_DATAGRAM]; /* whose checksum is computed */
    NetHandlers handlers;
    void *session;
    NetTraffic traffic;
} NetLinks;

bool net_links_open(NetLinks *links, const NetDef *def, BillowError *error);
/* Sends what waits, for a moment at most, and frees everything. */
void net_links_close(NetLinks *links);
void net_links_service(NetLinks *links);

void net_link_send(NetLinks *links, NetLink *link, const NetMessage *message);
/* Sends a state in pieces. Takes the bytes over. */
bool net_link_send_state(NetLinks *links, NetLink *link, unsigned char *bytes, size_t count);
/* Drops what waits on a link. */
void net_link_drop_waiting(NetLink *link);
/* Ends a link after a last message; the host's says why. */
void net_link_end(NetLinks *links, NetLink *link, const char *reason);

#endif
