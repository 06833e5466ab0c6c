/* SPDX-License-Identifier: MIT
 *
 * Messages of a shared session, as bytes.
 *
 *     message := kind (8 bits) | values
 *
 * Numbers are little-endian. Nothing that was read is trusted: sizes and values are checked here,
 * and what one side alone may say is refused from the other. Commands, states and entries of the
 * log are bytes that only the application understands. */
#ifndef NET_MESSAGE_H
#define NET_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NET_VERSION 5u /* of the messages, and of the entries of the log */
enum {
    NET_PEOPLE_MAX = 8, /* the host and seven others; hands have the same numbers */
    NET_NAME = 32,      /* bytes of a name with its final 0 */
    NET_TEXT = 256,     /* bytes of a reason with its final 0 */
    NET_FINGERPRINT = 32,
    NET_PIECE = 1 << 16,   /* bytes of a piece of a state */
    NET_DATA_MAX = 5 << 18 /* most bytes of commands, and of an entry of the log: the text of
                              a scene, 1 MB, and 256 commands before it */
};

/* Who is here. */
typedef struct NetPerson {
    int hand;
    char name[NET_NAME];
    float pointer[3]; /* where the hand is, m */
    bool pointing;    /* the hand is in the smoke */
    bool watches;     /* gets states alone, and takes no steps */
    int delay;        /* of a message to the host and back, ms; 0 for the host */
    int behind;       /* steps of the host that have not been simulated there yet */
} NetPerson;

typedef enum NetKind {
    /* From those who join. */
    NET_HELLO = 1, /* hello: the first message */
    NET_COMMANDS,  /* data: what the hand does */
    NET_HASH,      /* hash: of the state after a step */
    NET_STEP,      /* step: has been simulated, or, by who watches, shown */
    NET_POINTER,   /* person's pointer, on the channel that may lose messages */

    /* From the host. */
    NET_WELCOME = 32, /* hand: number of the new hand */
    NET_REFUSAL,      /* text: the last message */
    NET_STATE,        /* size: a state of so many bytes follows */
    NET_STATE_PIECE,  /* data */
    NET_LOG,          /* data: what comes next in the order of the host */
    NET_PEOPLE,       /* people without pointers */
    NET_POINTERS,     /* people's pointers, on the channel that may lose messages */
    NET_BEHIND        /* nothing more of the log follows before the next state */
} NetKind;

typedef struct NetMessage {
    NetKind kind;
    union {
        struct NetHello {
            uint32_t version;
            unsigned char fingerprint[NET_FINGERPRINT];
            NetPerson person; /* name and colour */
        } hello;
        struct NetData {
            const unsigned char *bytes; /* not copied */
            size_t count;
        } data;
        struct NetHashed {
            uint64_t step, hash;
        } hash;
        uint64_t step, size;
        int hand;
        char text[NET_TEXT];
        NetPerson person;
        struct NetPeople {
            int count;
            NetPerson list[NET_PEOPLE_MAX];
        } people;
    };
} NetMessage;

/* Most bytes that a message takes. */
size_t net_message_room(const NetMessage *message);
/* Writes a message and returns its length. */
size_t net_message_write(const NetMessage *message, unsigned char *out);
/* Reads a message. Returns false if it is none, or not one that this side may send. The data of a
 * message stays in `bytes`. */
bool net_message_read(const unsigned char *bytes, size_t count, bool from_host,
                      NetMessage *message);

/* Whether a kind belongs on the channel that may lose messages. */
static inline bool net_may_be_lost(NetKind kind)
{
    return kind == NET_POINTER || kind == NET_POINTERS;
}

/* Makes a name fit to be shown: valid UTF-8 without control characters, of 1 to NET_NAME - 1
 * bytes. Others become "?". */
void net_name_clean(const char *name, char clean[NET_NAME]);

#endif
