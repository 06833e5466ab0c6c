/* SPDX-License-Identifier: MIT
 * Messages of a shared session: writing, reading and checking them. */
#include "net/net_message.h"

#include "base/fail.h"
#include "base/words.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Farthest position of a pointer along an axis, m. */
#define FARTHEST 1e6f

enum { PERSON_ROOM = 1 + 3 + 2 + 2 + 1 + NET_NAME, POINTER_ROOM = 1 + 1 + 12 };

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

/* -- writing ----------------------------------------------------------------------------------- */

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

static unsigned char *write_bytes(unsigned char *out, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(out, bytes, count);
    return out + count;
}

/* A text of at most 255 bytes, after its length. */
static unsigned char *write_text(unsigned char *out, const char *text)
{
    size_t length = strlen(text);
    assert(length < 256);
    *out++ = (unsigned char)length;
    return write_bytes(out, text, length);
}

static unsigned char *write64(unsigned char *out, uint64_t word)
{
    put64(out, word);
    return out + 8;
}

static unsigned char *write16(unsigned char *out, int word)
{
    int bounded = word < 0 ? 0 : word > 0xFFFF ? 0xFFFF : word;
    *out++ = (unsigned char)bounded;
    *out++ = (unsigned char)(bounded >> 8);
    return out;
}

static unsigned char *write_pointer(unsigned char *out, const NetPerson *person)
{
    *out++ = person->pointing;
    for (int axis = 0; axis < 3; axis++, out += 4)
        put_float(out, person->pointer[axis]);
    return out;
}

static unsigned char *write_people(unsigned char *out, const NetMessage *message)
{
    const struct NetPeople *people = &message->people;
    *out++ = (unsigned char)people->count;
    for (int p = 0; p < people->count; p++) {
        const NetPerson *person = &people->list[p];
        *out++ = (unsigned char)person->hand;
        if (message->kind == NET_POINTERS) {
            out = write_pointer(out, person);
            continue;
        }
        out = write16(out, person->delay);
        out = write16(out, person->behind);
        out = write_text(out, person->name);
    }
    return out;
}

size_t net_message_write(const NetMessage *message, unsigned char *first)
{
    unsigned char *out = first;
    *out++ = (unsigned char)message->kind;
    switch (message->kind) {
    case NET_HELLO:
        put32(out, message->hello.version);
        out = write_bytes(out + 4, message->hello.fingerprint, NET_FINGERPRINT);
        out = write_text(out, message->hello.person.name);
        break;
    case NET_COMMANDS:
    case NET_STATE_PIECE:
    case NET_LOG:
        out = write_bytes(out, message->data.bytes, message->data.count);
        break;
    case NET_HASH:
        out = write64(out, message->hash.step);
        out = write64(out, message->hash.hash);
        break;
    case NET_STEP:
    case NET_STATE:
        out = write64(out, message->step);
        break;
    case NET_POINTER:
        out = write_pointer(out, &message->person);
        break;
    case NET_WELCOME:
        *out++ = (unsigned char)message->hand;
        break;
    case NET_REFUSAL:
        out = write_text(out, message->text);
        break;
    case NET_PEOPLE:
    case NET_POINTERS:
        out = write_people(out, message);
        break;
    case NET_BEHIND:
        break;
    }
    return (size_t)(out - first);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Bytes that are read one after the other. */
typedef struct Reader {
    const unsigned char *at, *end;
    bool failed;
} Reader;

/* Returns the next `count` bytes; NULL, and a reader that has failed, where there are fewer. */
static const unsigned char *take(Reader *from, size_t count)
{
    if (from->failed || (size_t)(from->end - from->at) < count) {
        from->failed = true;
        return NULL;
    }
    const unsigned char *bytes = from->at;
    from->at += count;
    return bytes;
}

static int take8(Reader *from)
{
    const unsigned char *bytes = take(from, 1);
    return bytes != NULL ? bytes[0] : 0;
}

static int take16(Reader *from)
{
    const unsigned char *bytes = take(from, 2);
    return bytes != NULL ? bytes[0] | bytes[1] << 8 : 0;
}

static uint64_t take64(Reader *from)
{
    const unsigned char *bytes = take(from, 8);
    return bytes != NULL ? get64(bytes) : 0;
}

/* Text with a length before it, cut to `room` bytes. */
static void take_text(Reader *from, char *text, size_t room)
{
    size_t length = (size_t)take8(from);
    const unsigned char *bytes = take(from, length);
    text[0] = 0;
    if (bytes != NULL)
        snprintf(text, room, "%.*s", (int)length, (const char *)bytes);
}

static void take_name(Reader *from, NetPerson *person)
{
    char text[256];
    take_text(from, text, sizeof text);
    net_name_clean(text, person->name);
}

static int take_hand(Reader *from)
{
    int hand = take8(from);
    from->failed = from->failed || hand >= NET_PEOPLE_MAX;
    return hand;
}

static void take_pointer(Reader *from, NetPerson *person)
{
    int pointing = take8(from);
    person->pointing = pointing == 1;
    from->failed = from->failed || pointing > 1;
    for (int axis = 0; axis < 3; axis++) {
        const unsigned char *bytes = take(from, 4);
        person->pointer[axis] = bytes != NULL ? get_float(bytes) : 0;
        from->failed = from->failed || !(fabsf(person->pointer[axis]) <= FARTHEST);
    }
}

static void take_people(Reader *from, NetMessage *message)
{
    struct NetPeople *people = &message->people;
    people->count = take8(from);
    from->failed = from->failed || people->count > NET_PEOPLE_MAX;
    for (int p = 0; p < people->count && !from->failed; p++) {
        NetPerson *person = &people->list[p];
        person->hand = take_hand(from);
        if (message->kind == NET_POINTERS) {
            take_pointer(from, person);
            continue;
        }
        person->delay = take16(from);
        person->behind = take16(from);
        take_name(from, person);
    }
}

static void take_hello(Reader *from, struct NetHello *hello)
{
    const unsigned char *version = take(from, 4), *print = take(from, NET_FINGERPRINT);
    if (print == NULL)
        return;
    hello->version = get32(version);
    memcpy(hello->fingerprint, print, NET_FINGERPRINT);
    /* Another version may say more. It is refused by its number. */
    if (hello->version != NET_VERSION) {
        from->at = from->end;
        return;
    }
    take_name(from, &hello->person);
}

static void take_data(Reader *from, struct NetData *data, size_t most)
{
    data->count = (size_t)(from->end - from->at);
    data->bytes = take(from, data->count);
    from->failed = data->count == 0 || data->count > most;
}

bool net_message_read(const unsigned char *bytes, size_t count, bool from_host, NetMessage *message)
{
    Reader from = {bytes, bytes + count, false};
    memset(message, 0, sizeof *message);
    message->kind = (NetKind)take8(&from);
    if (from.failed || (message->kind >= NET_WELCOME) != from_host)
        return false;
    switch (message->kind) {
    case NET_HELLO:
        take_hello(&from, &message->hello);
        break;
    case NET_COMMANDS:
    case NET_LOG:
        take_data(&from, &message->data, NET_DATA_MAX);
        break;
    case NET_STATE_PIECE:
        take_data(&from, &message->data, NET_PIECE);
        break;
    case NET_HASH:
        message->hash.step = take64(&from);
        message->hash.hash = take64(&from);
        break;
    case NET_STEP:
    case NET_STATE:
        message->step = take64(&from);
        break;
    case NET_POINTER:
        take_pointer(&from, &message->person);
        break;
    case NET_WELCOME:
        message->hand = take_hand(&from);
        from.failed = from.failed || message->hand == 0;
        break;
    case NET_REFUSAL:
        take_text(&from, message->text, sizeof message->text);
        mask_text(message->text);
        break;
    case NET_PEOPLE:
    case NET_POINTERS:
        take_people(&from, message);
        break;
    case NET_BEHIND:
        break;
    default:
        return false;
    }
    return !from.failed && from.at == from.end;
}
