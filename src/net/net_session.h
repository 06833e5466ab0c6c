/* SPDX-License-Identifier: MIT
 *
 * Shared sessions: one host and up to seven who join it, over ENet (UDP), or from a page that the
 * host serves, over WebSocket (TCP).
 *
 * DOES: find out who may join (net_crypt.h), bring a joining side a state and then everything that
 * the host appends to its log, in order and complete; bring the host what the hands do; say who is
 * here. DOES NOT: know a simulation, or wait: net_service returns at once, and the caller calls it
 * every few milliseconds from one thread.
 *
 * The host decides the order of everything. It appends entries to its log; each is sent to all who
 * have a state and do not watch. A hand that joins (NET_EVENT_JOINED) or has fallen too far behind
 * (NET_EVENT_BEHIND) gets nothing before net_send_state, and from then on the entries that follow.
 *
 * Memory is bounded for each connection: what a hand sends is limited by rate, what waits for it
 * by NET_BACKLOG, a state by NetDef.state_most. Without the key, no datagram is answered, and no
 * request without the token that is made of it. */
#ifndef NET_SESSION_H
#define NET_SESSION_H

#include "net/net_message.h"
#include <billow/error.h>

enum {
    NET_PORT = 46464,      /* default port, of UDP and of TCP */
    NET_ADDRESS = 64,      /* bytes of an address as text with its final 0 */
    NET_BACKLOG = 8 << 20, /* most bytes of the log that wait for one hand */
    NET_STEPS_BEHIND = 150 /* most steps that a hand may be behind, once it has caught up */
};

typedef struct NetDef {
    bool host;
    const char *address; /* of the host: its name or number, or NULL for this machine alone. "*":
                            the host listens on all addresses of its machine */
    int port;            /* 0: the host takes any free one */
    const char *key;     /* of net_key_new, one for each session */
    const char *name;
    bool watches; /* one that joins: gets a state after the other, at the rate that its line allows,
                     and nothing of the log */
    unsigned char fingerprint[NET_FINGERPRINT]; /* must be equal on both sides */
    const char *mismatch; /* host: sentence for those whose fingerprint differs */
    size_t state_most;    /* largest state to accept, bytes */
    const char *page; /* host: folder of the page, for those who join with a browser; NULL: none */
} NetDef;

typedef struct NetSession NetSession;

/* Opens a session. One that joins connects in net_service, and NET_EVENT_CLOSED says why it
 * failed. Returns NULL with a message if the address cannot be used. */
NetSession *net_open_session(const NetDef *def, BillowError *error);
/* Says good-bye and frees the session. reason: for the others. NULL session is fine. */
void net_close_session(NetSession *session, const char *reason);
int net_port(const NetSession *session);
/* Number of the address at which others reach a host; "" if it is not known. */
const char *net_address(const NetSession *session);
/* Writes the path of a host's page at its port, "/TOKEN/". Returns false with a message if browsers
 * cannot join. */
enum { NET_PATH = 40 };
bool net_page(const NetSession *session, char path[NET_PATH], BillowError *error);

/* Sends and receives what there is. */
void net_service(NetSession *session);
/* Waits until something can be received, but no longer than this. Touches the sockets alone, so
 * that another thread may call the functions below meanwhile. */
void net_wait(NetSession *session, int milliseconds);

typedef enum NetEventKind {
    /* To the host. */
    NET_EVENT_JOINED,   /* hand: waits for a state */
    NET_EVENT_COMMANDS, /* hand, bytes */
    NET_EVENT_HASH,     /* hand, step, hash */
    NET_EVENT_BEHIND,   /* hand: is too far behind; it needs a state */
    NET_EVENT_SHOWN,    /* hand: watches, and has its newest state */
    NET_EVENT_LEFT,     /* hand, text: why; NET_LOST where it left or was lost */

    /* To those who join. */
    NET_EVENT_WELCOME, /* hand: own number */
    NET_EVENT_STATE,   /* bytes; the log follows */
    NET_EVENT_LOG,     /* bytes */
    NET_EVENT_WAIT,    /* the host has sent this hand's log to nowhere: a state follows */
    NET_EVENT_CLOSED   /* text: why; the last event */
} NetEventKind;

typedef struct NetEvent {
    NetEventKind kind;
    int hand;
    unsigned char *bytes; /* free with net_event_free */
    size_t count;
    uint64_t step, hash;
    char text[NET_TEXT];
} NetEvent;

#define NET_LOST "the connection was lost"

/* Fetches the oldest event. Returns false if there is none. */
bool net_next_event(NetSession *session, NetEvent *event);
void net_event_free(NetEvent *event);

/* -- the host ---------------------------------------------------------------------------------- */

/* Sends a state to a hand. Takes the bytes over, from malloc. False: the hand has left. */
bool net_send_state(NetSession *session, int hand, unsigned char *bytes, size_t count);
/* Appends to the log, up to NET_DATA_MAX bytes. step: steps simulated after this entry. */
void net_append(NetSession *session, const unsigned char *bytes, size_t count, uint64_t step);
/* Sends nothing more of the log to any hand before its next state. */
void net_restart(NetSession *session);
/* Sends a hand away. */
void net_send_away(NetSession *session, int hand, const char *reason);
/* -- those who join ---------------------------------------------------------------------------- */

/* Leaves the session, which then says NET_EVENT_CLOSED. */
void net_leave(NetSession *session, const char *reason);
/* Send commands, up to NET_DATA_MAX bytes; a hash; and how far the simulation is. */
void net_send_commands(NetSession *session, const unsigned char *bytes, size_t count);
void net_send_hash(NetSession *session, uint64_t step, uint64_t hash);
void net_send_step(NetSession *session, uint64_t step);

/* -- everyone ---------------------------------------------------------------------------------- */

/* Where the own hand is. */
void net_point(NetSession *session, const float position[3], bool pointing);
/* Who is here, sorted by hand, with the host first. Returns their number. */
int net_people(const NetSession *session, NetPerson people[NET_PEOPLE_MAX]);

typedef struct NetTraffic {
    uint64_t sent, received; /* bytes of datagrams and of WebSockets' messages, without headers of
                                UDP, TCP and IP */
} NetTraffic;
NetTraffic net_traffic(const NetSession *session);

#endif
