/* SPDX-License-Identifier: MIT
 *
 * Connections of a shared session: sealed messages over a transport.
 *
 * Private to src/net. A link begins with greetings (net_crypt.h); after them every message is
 * sealed. Messages wait in the link until the transport can take them, so that a state does not
 * stop what little else there is to send, and so that what waits can be bounded.
 *
 * A transport brings packets to the other side: net_enet.c by ENet, net_web.c by WebSocket to
 * browsers that join a host. */
#ifndef NET_LINK_H
#define NET_LINK_H

#include "net/net_crypt.h"
#include "net/net_session.h"
#include <poll.h>

enum {
    NET_TRANSPORTS = 2, /* most of a program */
    /* Connections at one time, also those that do not greet: */
    NET_PEERS = 64,     /* over ENet */
    NET_VISITORS = 512, /* over TCP, at most */
    NET_LINKS = NET_PEERS + NET_VISITORS,
    NET_IN_FLIGHT = 192 << 10,           /* bytes that the transport has and has not delivered */
    NET_ORDERED = 0,                     /* channel of messages that arrive complete and in order */
    NET_LOSSY = 1,                       /* channel of messages that may be lost */
    NET_PACKET_MOST = NET_DATA_MAX + 64, /* bytes of the largest packet */
    NET_GREETINGS = 1024,                /* remembered, of those who have joined a host */
    NET_SOCKETS = NET_VISITORS + 2       /* most of its transports together */
};

/* Seconds for a connection's greetings and hello. */
#define NET_PATIENCE 4.0
/* Time to send the last messages when a session closes, s. */
#define NET_FAREWELL 0.3

/* A message, a packet or a state that waits to be sent. */
typedef struct NetWaiting {
    struct NetWaiting *next;
    unsigned char *bytes;
    size_t count, at; /* at: bytes of a state that were sent */
    bool state;
} NetWaiting;

typedef struct NetQueue {
    NetWaiting *first, *last;
    size_t count; /* bytes that wait, without states */
} NetQueue;

typedef enum NetStage {
    NET_FREE,       /* no connection */
    NET_CONNECTING, /* the other side's greeting has not come yet */
    NET_SEALED,     /* messages are sealed, and the hello has not come yet */
    NET_PRESENT,    /* the other side has been let in */
    NET_ENDING      /* the last message has been sent; the connection closes once it is confirmed */
} NetStage;

typedef struct NetTransport NetTransport;

typedef struct NetLink {
    NetStage stage;
    NetTransport *transport;
    void *peer; /* the transport's */
    NetCipher cipher;
    unsigned char greeting[NET_GREETING]; /* own, of the side that begins */
    NetQueue waiting;
    size_t in_flight;  /* bytes that the transport has; it subtracts what it has delivered */
    int delay;         /* of a message there and back, ms, by the transport */
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

/* A transport's functions; its state follows them in memory. */
struct NetTransport {
    /* Sends last messages, for a moment at most, closes all connections and frees the transport. */
    void (*close)(NetTransport *self);
    /* Receives what there is, without waiting. */
    void (*receive)(NetTransport *self);
    /* Sends what there is, without waiting. Writes the sockets to wait for and returns their
     * number. */
    int (*flush)(NetTransport *self, struct pollfd *sockets);
    /* Takes a packet of at most NET_PACKET_MOST bytes; copies it. Sends it in `flush`. */
    void (*send)(NetTransport *self, NetLink *link, int channel, const unsigned char *packet,
                 size_t count);
    /* Closes a connection once everything sent has been delivered. net_link_lost follows. */
    void (*finish)(NetTransport *self, NetLink *link);
    /* Closes a connection at once without a word. The link is forgotten. */
    void (*reset)(NetTransport *self, NetLink *link);
};

/* Opens the transports of a program or a page. The first of a host listens, and sets links->port
 * and links->address; the second, for browsers, may be missing, and links->no_page says why. The
 * transport of a side that joins begins a link. Returns false with a message if that fails. */
bool net_transports_open(struct NetLinks *links, const NetDef *def, BillowError *error);
/* Opens the host's transport for browsers, on the same port. Returns NULL with a message if that
 * fails. */
NetTransport *net_web_open(struct NetLinks *links, const NetDef *def, BillowError *error);

typedef struct NetLinks {
    NetTransport *transports[NET_TRANSPORTS];
    struct pollfd sockets[NET_SOCKETS]; /* of the transports, as they are after net_links_service */
    int socket_count;
    int port;                  /* host: on which it listens */
    char address[NET_ADDRESS]; /* host: number at which others reach it; "": not known */
    BillowError no_page;       /* host: why browsers cannot join; "": they can */
    bool host;
    NetKey key;
    NetLink links[NET_LINKS];
    unsigned char greetings[NET_GREETINGS][NET_GREETING]; /* host: taken, the newest in a ring */
    uint32_t greeting_count;
    unsigned char piece[1 + NET_PIECE + NET_SEAL]; /* of a state, as a message, then sealed */
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

/* -- for transports ---------------------------------------------------------------------------- */

/* Begins a link: the host's when a connection stands, that of a side that joins when it is asked
 * for. Returns NULL if there are too many. */
NetLink *net_link_begin(NetLinks *links, NetTransport *transport, void *peer);
/* The connection of a side that joins stands. */
void net_link_greet(NetLinks *links, NetLink *link);
/* A packet has come. Its bytes are changed. The link may end. */
void net_link_receive(NetLinks *links, NetLink *link, int channel, unsigned char *packet,
                      size_t count);
/* A connection is no more. Forgets the link. */
void net_link_lost(NetLinks *links, NetLink *link);
/* Adds the channel and a copy of a packet, with so many free bytes before both. If memory is short,
 * the packet is lost and the next does not open, which ends the connection. */
void net_queue_packet(NetQueue *queue, NetLink *link, size_t before, int channel,
                      const unsigned char *packet, size_t count);
void net_queue_drop(NetQueue *queue); /* the first */

#endif
