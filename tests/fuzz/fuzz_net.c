/* SPDX-License-Identifier: MIT
 * Messages of sessions, as they are once they have been opened, to a host and to a guest. The input
 * is a list of items: to whom, the length in two bytes, and the bytes. Greetings and sealed
 * messages are tried with the same bytes. */
#include "fuzz.h"

#include "net/net_session.c"

/* -- links without a network --------------------------------------------------------------------
 */

static NetLinks *host_links;

void net_link_send(NetLinks *links, NetLink *link, const NetMessage *message)
{
    static unsigned char bytes[NET_DATA_MAX + 8192], again[NET_DATA_MAX + 8192];
    NetMessage read;
    FUZZ_HOLDS(net_message_room(message) <= sizeof bytes);
    size_t count = net_message_write(message, bytes);
    FUZZ_HOLDS(count <= net_message_room(message));
    /* What one side writes, the other reads. */
    FUZZ_HOLDS(net_message_read(bytes, count, links == host_links, &read));
    FUZZ_HOLDS(net_message_write(&read, again) == count && memcmp(again, bytes, count) == 0);
    link->waiting.count += net_may_be_lost(message->kind) ? 0 : count;
}

bool net_link_send_state(NetLinks *links, NetLink *link, unsigned char *bytes, size_t count)
{
    (void)links;
    (void)link;
    (void)count;
    free(bytes);
    return true;
}

void net_link_drop_waiting(NetLink *link)
{
    link->waiting.count = 0;
}

void net_link_end(NetLinks *links, NetLink *link, const char *reason)
{
    (void)links;
    (void)reason;
    link->stage = NET_FREE;
}

bool net_links_open(NetLinks *links, const NetDef *def, BillowError *error)
{
    (void)links;
    (void)def;
    (void)error;
    return false;
}

void net_links_close(NetLinks *links)
{
    (void)links;
}

void net_links_service(NetLinks *links)
{
    (void)links;
}

/* -- the sessions -------------------------------------------------------------------------------
 */

enum { GUESTS = 9, STATE_MOST = 1 << 20 }; /* one more than there are hands */

static NetSession host, guest;

static void prepare(void)
{
    memset(&host, 0, sizeof host);
    memset(&guest, 0, sizeof guest);
    host.def.host = true;
    host_links = &host.links;
    for (int l = 0; l < GUESTS; l++)
        host.links.links[l].stage = NET_SEALED;
    guest.def.state_most = STATE_MOST;
    guest.link = &guest.links.links[0];
    guest.link->stage = NET_PRESENT;
    net_name_clean("Host", host.self.name);
    net_name_clean("Guest", guest.self.name);
}

/* Nobody has another's hand, is ahead of the host, or makes more wait than may. */
static void check(void)
{
    bool taken[NET_PEOPLE_MAX] = {true};
    for (int l = 0; l < NET_LINKS; l++) {
        const NetLink *link = &host.links.links[l];
        if (link->stage != NET_PRESENT)
            continue;
        FUZZ_HOLDS(link->person.hand > 0 && link->person.hand < NET_PEOPLE_MAX);
        FUZZ_HOLDS(!taken[link->person.hand]);
        FUZZ_HOLDS(link->step <= host.step && link->person.name[0] != '\0');
        taken[link->person.hand] = true;
    }
    FUZZ_HOLDS(guest.state_count <= guest.state_size && guest.state_size <= STATE_MOST);
    FUZZ_HOLDS(host.waiting <= EVENTS_MOST + NET_DATA_MAX + 1024);
}

static void try_greeting(const uint8_t *bytes, size_t count)
{
    static const NetKey key;
    static unsigned char out[1 << 16];
    NetCipher cipher;
    net_cipher_start(&cipher, true);
    if (count >= NET_GREETING)
        FUZZ_HOLDS(!net_greeting_take(&cipher, &key, NULL, bytes));
    FUZZ_HOLDS(!net_open(&cipher, NET_ORDERED, bytes, count, out));
    FUZZ_HOLDS(!net_open_numbered(&cipher, NET_LOSSY, bytes, count, out));
}

/* The host's application: a state for a hand, and an entry of the log. */
static void act(int hand, const uint8_t *bytes, size_t count)
{
    unsigned char *state = malloc(1);
    FUZZ_HOLDS(state != NULL);
    net_send_state(&host, hand, state, 1);
    if (count > 0)
        net_append(&host, bytes, count, host.step + 1);
}

static void take(uint8_t to, const uint8_t *bytes, size_t count)
{
    NetMessage message;
    NetLink *link = &host.links.links[(to >> 3) % GUESTS];
    switch (to & 7) {
    case 0:
        if (guest.link != NULL && net_message_read(bytes, count, true, &message))
            received(&guest, guest.link, &message);
        break;
    case 1:
        try_greeting(bytes, count);
        break;
    case 2:
        act(to >> 3 & 7, bytes, count);
        break;
    case 3:
        net_service(&host);
        break;
    default:
        if (link->stage != NET_FREE && net_message_read(bytes, count, false, &message))
            received(&host, link, &message);
    }
    check();
}

static void finish(NetSession *session)
{
    for (NetEvent event; net_next_event(session, &event);)
        net_event_free(&event);
    FUZZ_HOLDS(session->waiting == 0);
    free(session->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prepare();
    for (size_t at = 0; at + 3 <= size;) {
        size_t count = data[at + 1] | (size_t)data[at + 2] << 8;
        if (count > size - at - 3)
            count = size - at - 3;
        uint8_t *bytes = malloc(count > 0 ? count : 1); /* whose end is watched */
        FUZZ_HOLDS(bytes != NULL);
        memcpy(bytes, data + at + 3, count);
        take(data[at], bytes, count);
        free(bytes);
        at += 3 + count;
    }
    finish(&host);
    finish(&guest);
    return 0;
}
