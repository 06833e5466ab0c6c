/* SPDX-License-Identifier: MIT
 * Messages of a shared session: writing, reading and checking them. */
#include "net/net_message.h"

#include "base/fail.h"
#include "base/words.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Farthest position of a pointer along an axis, m. */
#define FARTHEST 1e6f

enum { PERSON_ROOM = 1 + 3 + 2 + 2 + 1 + NET_NAME };

/* -- names ------------------------------------------------------------------------------------- */

void net_name_clean(const char *name, char clean[NET_NAME])
{
    int at = 0;
    while (*name != 0 && at < NET_NAME - 1) {
        int length = character_length(name), controls = control_length(name);
        if (length == 0 || controls > 0) {
            clean[at++] = '?';
            name += controls > 0 ? controls : 1;
            continue;
        }
        if (at + length > NET_NAME - 1)
            break;
        memcpy(clean + at, name, (size_t)length);
        at += length;
        name += length;
    }
    if (at == 0)
        clean[at++] = '?';
    clean[at] = 0;
}

/* -- bytes ------------------------------------------------------------------------------------ */

size_t net_message_room(const NetMessage *message)
{
    switch (message->kind) {
    case NET_COMMANDS:
    case NET_STATE_PIECE:
    case NET_LOG:
        return 1 + message->data.count;
    default:
        return 2 + NET_TEXT + NET_PEOPLE_MAX * PERSON_ROOM;
    }
}

/* A message as bytes, one value after the other. Values that are written and values that are read
 * pass through the same functions, which return the value that stands there. */
typedef struct Bytes {
    unsigned char *to;               /* where they are written; NULL: they are read */
    const unsigned char *from, *end; /* what is left to read */
    bool failed;
} Bytes;

/* Reads zeros where fewer bytes are left. */
static void pass(Bytes *bytes, void *value, size_t count)
{
    if (bytes->to != NULL) {
        memcpy(bytes->to, value, count);
        bytes->to += count;
        return;
    }
    bytes->failed = bytes->failed || (size_t)(bytes->end - bytes->from) < count;
    if (bytes->failed) {
        memset(value, 0, count);
        return;
    }
    memcpy(value, bytes->from, count);
    bytes->from += count;
}

static int pass8(Bytes *bytes, int value)
{
    unsigned char byte = (unsigned char)value;
    pass(bytes, &byte, 1);
    return byte;
}

static int pass16(Bytes *bytes, int value)
{
    int bounded = value < 0 ? 0 : value > 0xFFFF ? 0xFFFF : value, low = pass8(bytes, bounded);
    return low | pass8(bytes, bounded >> 8) << 8;
}

static uint64_t pass64(Bytes *bytes, uint64_t value)
{
    unsigned char word[8];
    put64(word, value);
    pass(bytes, word, sizeof word);
    return get64(word);
}

/* A text of at most 255 bytes, after its length. */
static void pass_text(Bytes *bytes, char *text, size_t room)
{
    char whole[256] = "";
    snprintf(whole, sizeof whole, "%s", text);
    int length = pass8(bytes, (int)strlen(whole));
    pass(bytes, whole, (size_t)length);
    whole[length] = 0;
    snprintf(text, room, "%s", whole);
}

static void pass_name(Bytes *bytes, NetPerson *person)
{
    char text[256];
    snprintf(text, sizeof text, "%s", person->name);
    pass_text(bytes, text, sizeof text);
    net_name_clean(text, person->name);
}

static int pass_hand(Bytes *bytes, int hand)
{
    int passed = pass8(bytes, hand);
    bytes->failed = bytes->failed || passed >= NET_PEOPLE_MAX;
    return passed;
}

static bool pass_switch(Bytes *bytes, bool on)
{
    int passed = pass8(bytes, on);
    bytes->failed = bytes->failed || passed > 1;
    return passed == 1;
}

static void pass_pointer(Bytes *bytes, NetPerson *person)
{
    person->pointing = pass_switch(bytes, person->pointing);
    for (int axis = 0; axis < 3; axis++) {
        unsigned char word[4];
        put_float(word, person->pointer[axis]);
        pass(bytes, word, sizeof word);
        person->pointer[axis] = get_float(word);
        bytes->failed = bytes->failed || !(fabsf(person->pointer[axis]) <= FARTHEST);
    }
}

static void pass_people(Bytes *bytes, NetMessage *message)
{
    struct NetPeople *people = &message->people;
    people->count = pass8(bytes, people->count);
    bytes->failed = bytes->failed || people->count > NET_PEOPLE_MAX;
    for (int p = 0; p < people->count && !bytes->failed; p++) {
        NetPerson *person = &people->list[p];
        person->hand = pass_hand(bytes, person->hand);
        if (message->kind == NET_POINTERS) {
            pass_pointer(bytes, person);
            continue;
        }
        person->delay = pass16(bytes, person->delay);
        person->behind = pass16(bytes, person->behind);
        person->watches = pass_switch(bytes, person->watches);
        pass_name(bytes, person);
    }
}

static void pass_hello(Bytes *bytes, struct NetHello *hello)
{
    unsigned char version[4];
    put32(version, hello->version);
    pass(bytes, version, sizeof version);
    pass(bytes, hello->fingerprint, NET_FINGERPRINT);
    hello->version = get32(version);
    if (hello->version != NET_VERSION) { /* it may say more; it is refused by its number */
        bytes->from = bytes->end;
        return;
    }
    hello->person.watches = pass_switch(bytes, hello->person.watches);
    pass_name(bytes, &hello->person);
}

static void pass_data(Bytes *bytes, struct NetData *data, size_t most)
{
    if (bytes->to == NULL) {
        *data = (struct NetData){bytes->from, (size_t)(bytes->end - bytes->from)};
        bytes->failed = bytes->failed || data->count == 0 || data->count > most;
        bytes->from = bytes->end;
    } else if (data->count > 0) {
        memcpy(bytes->to, data->bytes, data->count);
        bytes->to += data->count;
    }
}

static void pass_message(Bytes *bytes, NetMessage *message)
{
    message->kind = (NetKind)pass8(bytes, (int)message->kind);
    switch (message->kind) {
    case NET_HELLO:
        pass_hello(bytes, &message->hello);
        break;
    case NET_COMMANDS:
    case NET_LOG:
        pass_data(bytes, &message->data, NET_DATA_MAX);
        break;
    case NET_STATE_PIECE:
        pass_data(bytes, &message->data, NET_PIECE);
        break;
    case NET_HASH:
        message->hash.step = pass64(bytes, message->hash.step);
        message->hash.hash = pass64(bytes, message->hash.hash);
        break;
    case NET_STEP:
    case NET_STATE:
        message->step = pass64(bytes, message->step);
        break;
    case NET_POINTER:
        pass_pointer(bytes, &message->person);
        break;
    case NET_WELCOME:
        message->hand = pass_hand(bytes, message->hand);
        bytes->failed = bytes->failed || message->hand == 0;
        break;
    case NET_REFUSAL:
        pass_text(bytes, message->text, sizeof message->text);
        mask_text(message->text);
        break;
    case NET_PEOPLE:
    case NET_POINTERS:
        pass_people(bytes, message);
        break;
    case NET_BEHIND:
        break;
    default:
        bytes->failed = true;
    }
}

size_t net_message_write(const NetMessage *message, unsigned char *out)
{
    NetMessage passed = *message;
    Bytes bytes = {.to = out};
    pass_message(&bytes, &passed);
    return (size_t)(bytes.to - out);
}

bool net_message_read(const unsigned char *bytes, size_t count, bool from_host, NetMessage *message)
{
    Bytes left = {.from = bytes, .end = bytes + count};
    memset(message, 0, sizeof *message);
    pass_message(&left, message);
    return !left.failed && left.from == left.end && (message->kind >= NET_WELCOME) == from_host;
}
