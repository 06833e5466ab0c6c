/* SPDX-License-Identifier: MIT
 *
 * A session shared with other machines: joins the window's simulation to the network.
 *
 * A thread of its own speaks with the network (net_session.h), or the caller does by
 * share_service. The simulation's thread calls the functions of `share_table` (sim_share.h); the
 * window calls those below.
 *
 * Without ENet and libsodium at build time, share_open fails with a message. */
#ifndef PLAY_SHARE_H
#define PLAY_SHARE_H

#include "net/net_message.h"
#include "play/sim_thread.h"
#include "scene/scene.h"

enum { SHARE_PEOPLE_MAX = SIM_HANDS_MAX, SHARE_KEY = 32 };

typedef struct ShareDef {
    bool host;
    const char *address; /* "NAME[:PORT]"; NULL: this machine alone. A host takes any free port
                            instead of 0, and all addresses of its machine instead of * */
    const char *key;     /* of the session, for those who join; a host makes a new one */
    const char *name;    /* of the own hand; NULL: the user's */
    bool watches;        /* one that joins: only shows the host's states */
    bool threadless;     /* the caller calls share_service; a thread does otherwise */
} ShareDef;

typedef struct SharePerson {
    NetPerson net;
    float color[3]; /* linear */
    bool self;
} SharePerson;

typedef struct ShareStatus {
    bool host, watches;
    bool ended;    /* the session is over; the window goes on alone */
    char why[256]; /* it has ended */
    int people_count;
    SharePerson people[SHARE_PEOPLE_MAX];
    char address[80];     /* for those who join: NAME:PORT */
    char key[SHARE_KEY];  /* that they are asked for */
    char invitation[128]; /* the command with which others join a host, without the key */
    char link[200];       /* address of the page with which others join a host, with the key after
                             '#'; "": none */
    BillowError no_page;  /* host: why there is no link */
    uint64_t compared;    /* number of hashes that were compared with others' */
    uint64_t differences; /* number of those that differed */
    double bytes_sent, bytes_received;
    uint64_t notices;   /* number of notices so far */
    BillowError notice; /* the newest: who has come or left, what went wrong */
} ShareStatus;

typedef struct Share Share;

/* Opens a session as a host, or starts to join one. Returns NULL with a message if that cannot be
 * done. */
Share *share_open(const ShareDef *def, BillowError *error);
/* Says good-bye. Call it after the end of the simulation. NULL is fine. */
void share_close(Share *share);
/* Sends and receives what there is, without waiting. Call it every few milliseconds. */
void share_service(Share *share);

/* For SIM_SHARE, and for sim_thread_join. */
const SimShare *share_table(Share *share);
/* The simulation that shares from now on; NULL: none. Call it with NULL before one ends. */
void share_attach(Share *share, SimThread *sim);

/* Prints how others join a host. A terminal's reader sees the key; what goes to a file or a pipe
 * may be kept, and does not contain it. key_file: where it was written, too; NULL: nowhere. */
void share_invite(const ShareStatus *status, const char *key_file);

/* Waits for a state to start from, until nothing comes for so many seconds or `interrupted` returns
 * true. Returns false with a message if there will be none. The caller frees the bytes. */
bool share_wait(Share *share, double seconds, bool (*interrupted)(void), unsigned char **bytes,
                size_t *count, BillowError *error);
/* Fetches a state to start again from, or to show; false: there is none. The caller frees the
 * bytes. */
bool share_state(Share *share, unsigned char **bytes, size_t *count);
/* Fetches the scene with settings that another hand has changed. Returns false if there is none. */
bool share_scene(Share *share, Scene *scene);
/* Leaves the session, which ends for those who joined if the window hosts it. */
void share_leave(Share *share, const char *reason);
/* Who watches shows a state after so many steps; the host then sends the next. */
void share_shown(Share *share, uint64_t step);

/* Tells the others where the own hand is. */
void share_point(Share *share, const float position[3], bool pointing);
ShareStatus share_status(Share *share);

#endif
