/* SPDX-License-Identifier: MIT
 * Shared sessions: what the host and those who join say to each other. */
#include "net/net_session.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/grow.h"
#include "net/net_link.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hand has caught up when it is no more than this many steps behind. */
enum { CAUGHT_UP = 30 };

/* Time for a hand to catch up after its state was sent, s. */
#define CATCH_UP_SECONDS 30.0

/* Bytes of events that may wait for the application before a side is sent away. */
#define EVENTS_MOST ((size_t)64 << 20)

#define PEOPLE_EVERY   1.0  /* s, and when somebody comes or leaves */
#define POINTERS_EVERY 0.05 /* s, while something moves */

typedef struct Waiting {
    struct Waiting *next;
    NetEvent event;
} Waiting;

struct NetSession {
    NetLinks links;
    NetDef def; /* its texts are not kept, except the next */
    char mismatch[NET_TEXT];
    Waiting *first, *last; /* events */
    size_t waiting;        /* their bytes */
    NetPerson self;
    uint64_t step; /* host: of the last entry of the log */
    bool people_changed, pointers_changed;
    double people_at, pointers_at; /* when they were last sent, s */
    /* Of a side that joins. */
    struct NetPeople people;
    NetLink *link; /* to the host; NULL: closed */
    unsigned char *state;
    size_t state_count, state_size, state_room; /* bytes that have come, will, and find room */
    bool has_state;
    char refusal[NET_TEXT];
};

/* -- events ------------------------------------------------------------------------------------ */

/* Adds an event with a copy of the bytes. Returns false if memory is short. */
static bool add_event(NetSession *self, NetEvent event)
{
    Waiting *waiting = malloc(sizeof *waiting);
    const unsigned char *bytes = event.bytes;
    event.bytes = bytes != NULL ? malloc(event.count) : NULL;
    if (waiting == NULL || (bytes != NULL && event.bytes == NULL)) {
        free(waiting);
        free(event.bytes);
        return false;
    }
    if (bytes != NULL)
        memcpy(event.bytes, bytes, event.count);
    *waiting = (Waiting){NULL, event};
    if (self->last != NULL)
        self->last->next = waiting;
    else
        self->first = waiting;
    self->last = waiting;
    self->waiting += event.count + sizeof *waiting;
    return true;
}

static void say(NetSession *self, NetEventKind kind, int hand, const char *text)
{
    NetEvent event = {.kind = kind, .hand = hand};
    snprintf(event.text, sizeof event.text, "%s", text);
    add_event(self, event);
}

bool net_next_event(NetSession *self, NetEvent *event)
{
    Waiting *first = self->first;
    if (first == NULL)
        return false;
    self->first = first->next;
    if (self->first == NULL)
        self->last = NULL;
    self->waiting -= first->event.count + sizeof *first;
    *event = first->event;
    free(first);
    return true;
}

void net_event_free(NetEvent *event)
{
    free(event->bytes);
    event->bytes = NULL;
}

/* -- the host ---------------------------------------------------------------------------------- */

static NetLink *link_of(NetSession *self, int hand)
{
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &self->links.links[l];
        if (link->stage == NET_PRESENT && link->person.hand == hand)
            return link;
    }
    return NULL;
}

static void welcome(NetSession *self, NetLink *link, const struct NetHello *hello)
{
    if (hello->version != NET_VERSION ||
        memcmp(hello->fingerprint, self->def.fingerprint, NET_FINGERPRINT) != 0) {
        net_link_end(&self->links, link, self->mismatch);
        return;
    }
    int hand = 1;
    while (hand < NET_PEOPLE_MAX && link_of(self, hand) != NULL)
        hand++;
    if (hand == NET_PEOPLE_MAX) {
        net_link_end(&self->links, link, "all hands of this session are taken");
        return;
    }
    link->person = hello->person;
    link->person.hand = hand;
    link->stage = NET_PRESENT;
    net_link_send(&self->links, link, &(NetMessage){.kind = NET_WELCOME, .hand = hand});
    say(self, NET_EVENT_JOINED, hand, "");
    self->people_changed = true;
}

static void send_hand_away(NetSession *self, NetLink *link, const char *reason)
{
    int hand = link->person.hand;
    net_link_end(&self->links, link, reason);
    say(self, NET_EVENT_LEFT, hand, reason);
    self->people_changed = true;
}

/* Who watches has shown its state. What it says before that has come is ignored, so that no states
 * pile up. */
static void follow_shown(NetSession *self, NetLink *link)
{
    if (link->state_waits || self->waiting > EVENTS_MOST)
        return;
    link->step = link->state_step;
    say(self, NET_EVENT_SHOWN, link->person.hand, "");
}

/* A hand cannot be further than the log. */
static void follow_step(NetSession *self, NetLink *link, uint64_t step)
{
    if (link->person.watches) {
        follow_shown(self, link);
        return;
    }
    if (step > self->step) {
        send_hand_away(self, link, "it reports a step that the host has not taken");
        return;
    }
    if (step < link->state_step)
        return; /* of the smoke before its state */
    link->step = step;
    link->caught_up = link->caught_up || self->step - step <= CAUGHT_UP;
}

static void take_commands(NetSession *self, NetLink *link, const struct NetData *data)
{
    if (!link->has_state) /* they are about smoke that this hand does not see */
        return;
    NetEvent event = {.kind = NET_EVENT_COMMANDS,
                      .hand = link->person.hand,
                      .bytes = (unsigned char *)data->bytes,
                      .count = data->count};
    if (self->waiting > EVENTS_MOST || !add_event(self, event))
        send_hand_away(self, link, "it sent more than could be taken");
}

static void host_received(NetSession *self, NetLink *link, const NetMessage *message)
{
    if (link->stage == NET_SEALED) {
        if (message->kind == NET_HELLO)
            welcome(self, link, &message->hello);
        else
            net_link_end(&self->links, link, "it did not say hello");
        return;
    }
    switch (message->kind) {
    case NET_COMMANDS:
        take_commands(self, link, &message->data);
        break;
    case NET_HASH:
        if (link->has_state && self->waiting <= EVENTS_MOST)
            add_event(self, (NetEvent){.kind = NET_EVENT_HASH,
                                       .hand = link->person.hand,
                                       .step = message->hash.step,
                                       .hash = message->hash.hash});
        break;
    case NET_STEP:
        if (link->has_state)
            follow_step(self, link, message->step);
        break;
    case NET_POINTER:
        memcpy(link->person.pointer, message->person.pointer, sizeof link->person.pointer);
        link->person.pointing = message->person.pointing;
        self->pointers_changed = true;
        break;
    default:
        send_hand_away(self, link, "it said hello twice");
    }
}

bool net_send_state(NetSession *self, int hand, unsigned char *bytes, size_t count)
{
    NetLink *link = link_of(self, hand);
    if (link == NULL) {
        free(bytes);
        return false;
    }
    link->has_state = true;
    link->caught_up = false;
    link->step = link->state_step = self->step;
    link->state_waits = true;
    if (net_link_send_state(&self->links, link, bytes, count))
        return true;
    send_hand_away(self, link, "the host's memory is short");
    return false;
}

/* Nothing more reaches this hand before its next state. */
static void leave_behind(NetSession *self, NetLink *link)
{
    net_link_drop_waiting(link);
    link->has_state = false;
    net_link_send(&self->links, link, &(NetMessage){.kind = NET_BEHIND});
}

void net_restart(NetSession *self)
{
    for (int l = 0; l < NET_LINKS; l++)
        if (self->links.links[l].stage == NET_PRESENT && self->links.links[l].has_state)
            leave_behind(self, &self->links.links[l]);
}

/* Whether too many bytes or steps wait for a hand, so that it needs a new state. */
static bool is_behind(const NetSession *self, const NetLink *link, size_t count)
{
    return link->waiting.count + count > NET_BACKLOG ||
           (!link->state_waits && self->step - link->step > NET_STEPS_BEHIND &&
            (link->caught_up || clock_seconds() - link->state_since > CATCH_UP_SECONDS));
}

void net_append(NetSession *self, const unsigned char *bytes, size_t count, uint64_t step)
{
    assert(self->def.host && count > 0 && count <= NET_DATA_MAX);
    NetMessage message = {.kind = NET_LOG, .data = {bytes, count}};
    self->step = step;
    for (int l = 0; l < NET_LINKS; l++) {
        NetLink *link = &self->links.links[l];
        if (link->stage != NET_PRESENT || !link->has_state || link->person.watches)
            continue;
        if (is_behind(self, link, count)) {
            leave_behind(self, link);
            say(self, NET_EVENT_BEHIND, link->person.hand, "");
        } else
            net_link_send(&self->links, link, &message);
    }
}

void net_send_away(NetSession *self, int hand, const char *reason)
{
    NetLink *link = link_of(self, hand);
    if (link != NULL)
        send_hand_away(self, link, reason);
}

/* -- those who join ---------------------------------------------------------------------------- */

static void drop_state(NetSession *self)
{
    free(self->state);
    self->state = NULL;
    self->state_count = self->state_size = self->state_room = 0;
}

void net_leave(NetSession *self, const char *reason)
{
    if (self->link == NULL)
        return;
    net_link_end(&self->links, self->link, reason);
    self->link = NULL;
    say(self, NET_EVENT_CLOSED, 0, reason);
}

static void begin_state(NetSession *self, uint64_t size)
{
    drop_state(self);
    self->has_state = false;
    if (size == 0 || size > self->def.state_most)
        net_leave(self, "the host's smoke is larger than this program takes");
    else
        self->state_size = (size_t)size;
}

/* Memory grows with what has come, not with what was announced. */
static void take_piece(NetSession *self, const struct NetData *data)
{
    if (data->count > self->state_size - self->state_count) {
        net_leave(self, "the host sent more than it had announced");
        return;
    }
    size_t wanted = self->state_count + data->count;
    unsigned char *larger = grow(self->state, &self->state_room, wanted, 1);
    if (larger == NULL) {
        net_leave(self, "not enough memory for the host's smoke");
        return;
    }
    self->state = larger;
    memcpy(self->state + self->state_count, data->bytes, data->count);
    self->state_count = wanted;
    if (wanted < self->state_size)
        return;
    NetEvent event = {.kind = NET_EVENT_STATE, .bytes = self->state, .count = wanted};
    if (!add_event(self, event))
        net_leave(self, "not enough memory for the host's smoke");
    self->has_state = true;
    drop_state(self);
}

static void take_log(NetSession *self, const struct NetData *data)
{
    if (!self->has_state) {
        net_leave(self, "the host sent steps without a state");
        return;
    }
    NetEvent event = {
        .kind = NET_EVENT_LOG, .bytes = (unsigned char *)data->bytes, .count = data->count};
    if (!add_event(self, event))
        net_leave(self, "not enough memory for what the host sends");
}

/* Pointers arrive apart from the people that they belong to. */
static void take_people(NetSession *self, const NetMessage *message)
{
    struct NetPeople before = self->people;
    if (message->kind == NET_PEOPLE)
        self->people = message->people;
    const struct NetPeople *from = message->kind == NET_PEOPLE ? &before : &message->people;
    for (int f = 0; f < from->count; f++)
        for (int p = 0; p < self->people.count; p++)
            if (self->people.list[p].hand == from->list[f].hand) {
                NetPerson *person = &self->people.list[p];
                memcpy(person->pointer, from->list[f].pointer, sizeof person->pointer);
                person->pointing = from->list[f].pointing;
            }
}

static void joined_received(NetSession *self, const NetMessage *message)
{
    switch (message->kind) {
    case NET_WELCOME:
        self->self.hand = message->hand;
        say(self, NET_EVENT_WELCOME, message->hand, "");
        break;
    case NET_REFUSAL:
        snprintf(self->refusal, sizeof self->refusal, "%s", message->text);
        net_leave(self, self->refusal);
        break;
    case NET_STATE:
        begin_state(self, message->size);
        break;
    case NET_STATE_PIECE:
        take_piece(self, &message->data);
        break;
    case NET_LOG:
        take_log(self, &message->data);
        break;
    case NET_BEHIND:
        drop_state(self);
        self->has_state = false;
        say(self, NET_EVENT_WAIT, 0, "");
        break;
    default:
        take_people(self, message);
    }
}

void net_send_commands(NetSession *self, const unsigned char *bytes, size_t count)
{
    assert(!self->def.host && count > 0 && count <= NET_DATA_MAX);
    if (self->link != NULL)
        net_link_send(&self->links, self->link,
                      &(NetMessage){.kind = NET_COMMANDS, .data = {bytes, count}});
}

void net_send_hash(NetSession *self, uint64_t step, uint64_t hash)
{
    if (self->link != NULL)
        net_link_send(&self->links, self->link,
                      &(NetMessage){.kind = NET_HASH, .hash = {step, hash}});
}

void net_send_step(NetSession *self, uint64_t step)
{
    if (self->link != NULL)
        net_link_send(&self->links, self->link, &(NetMessage){.kind = NET_STEP, .step = step});
}

/* -- what happens on links --------------------------------------------------------------------- */

static void opened(void *session, NetLink *link)
{
    NetSession *self = session;
    if (self->def.host)
        return;
    NetMessage message = {.kind = NET_HELLO,
                          .hello = {.version = NET_VERSION, .person = self->self}};
    memcpy(message.hello.fingerprint, self->def.fingerprint, NET_FINGERPRINT);
    link->stage = NET_PRESENT;
    net_link_send(&self->links, link, &message);
}

static void received(void *session, NetLink *link, const NetMessage *message)
{
    NetSession *self = session;
    if (self->def.host)
        host_received(self, link, message);
    else
        joined_received(self, message);
}

static void closed(void *session, NetLink *link, const char *reason)
{
    NetSession *self = session;
    if (!self->def.host) {
        self->link = NULL;
        say(self, NET_EVENT_CLOSED, 0, reason);
    } else if (link->stage == NET_PRESENT) {
        say(self, NET_EVENT_LEFT, link->person.hand, reason);
        self->people_changed = true;
    }
}

/* -- everyone ---------------------------------------------------------------------------------- */

void net_point(NetSession *self, const float position[3], bool pointing)
{
    if (self->self.pointing == pointing &&
        (!pointing || memcmp(self->self.pointer, position, sizeof self->self.pointer) == 0))
        return;
    if (pointing)
        memcpy(self->self.pointer, position, sizeof self->self.pointer);
    self->self.pointing = pointing;
    self->pointers_changed = true;
}

static int by_hand(const void *a, const void *b)
{
    return ((const NetPerson *)a)->hand - ((const NetPerson *)b)->hand;
}

int net_people(const NetSession *self, NetPerson people[NET_PEOPLE_MAX])
{
    if (!self->def.host) {
        memcpy(people, self->people.list, sizeof self->people.list);
        return self->people.count;
    }
    int count = 0;
    people[count++] = self->self;
    for (int l = 0; l < NET_LINKS && count < NET_PEOPLE_MAX; l++) {
        const NetLink *link = &self->links.links[l];
        if (link->stage != NET_PRESENT)
            continue;
        NetPerson *person = &people[count++];
        *person = link->person;
        person->delay = link->delay;
        uint64_t behind = self->step - link->step;
        person->behind = link->has_state && behind < 0xFFFF ? (int)behind : 0xFFFF;
    }
    qsort(people, (size_t)count, sizeof *people, by_hand);
    return count;
}

static void send_to_all(NetSession *self, NetKind kind)
{
    NetMessage message = {.kind = kind};
    message.people.count = net_people(self, message.people.list);
    for (int l = 0; l < NET_LINKS; l++)
        if (self->links.links[l].stage == NET_PRESENT)
            net_link_send(&self->links, &self->links.links[l], &message);
}

static void tell_people(NetSession *self)
{
    double now = clock_seconds();
    if (self->people_changed || now - self->people_at >= PEOPLE_EVERY) {
        self->people_changed = false;
        self->people_at = now;
        send_to_all(self, NET_PEOPLE);
    }
    if (self->pointers_changed && now - self->pointers_at >= POINTERS_EVERY) {
        self->pointers_changed = false;
        self->pointers_at = now;
        send_to_all(self, NET_POINTERS);
    }
}

static void tell_pointer(NetSession *self)
{
    double now = clock_seconds();
    if (self->link == NULL || !self->pointers_changed || now - self->pointers_at < POINTERS_EVERY)
        return;
    self->pointers_changed = false;
    self->pointers_at = now;
    net_link_send(&self->links, self->link,
                  &(NetMessage){.kind = NET_POINTER, .person = self->self});
}

void net_service(NetSession *self)
{
    net_links_service(&self->links);
    if (self->def.host)
        tell_people(self);
    else
        tell_pointer(self);
}

void net_wait(NetSession *self, int milliseconds)
{
    poll(self->links.sockets, (nfds_t)self->links.socket_count, milliseconds);
}

NetTraffic net_traffic(const NetSession *self)
{
    return self->links.traffic;
}

int net_port(const NetSession *self)
{
    return self->links.port;
}

const char *net_address(const NetSession *self)
{
    return self->links.address;
}

bool net_page(const NetSession *self, char path[NET_PATH], BillowError *error)
{
    if (self->links.no_page.text[0] != 0)
        return fail(error, "%s", self->links.no_page.text);
    snprintf(path, NET_PATH, "/%s/", self->links.key.token);
    return true;
}

NetSession *net_open_session(const NetDef *def, BillowError *error)
{
    NetSession *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fail(error, "not enough memory for a session");
        return NULL;
    }
    self->def = *def;
    net_name_clean(def->name != NULL ? def->name : "", self->self.name);
    self->self.watches = def->watches;
    snprintf(self->mismatch, sizeof self->mismatch, "%s",
             def->mismatch != NULL ? def->mismatch : "the host's program differs from this one");
    self->links.handlers = (NetHandlers){opened, received, closed};
    self->links.session = self;
    if (!net_links_open(&self->links, def, error)) {
        net_close_session(self, NULL);
        return NULL;
    }
    if (!def->host)
        self->link = &self->links.links[0];
    return self;
}

void net_close_session(NetSession *self, const char *reason)
{
    if (self == NULL)
        return;
    for (int l = 0; l < NET_LINKS; l++)
        net_link_end(&self->links, &self->links.links[l], reason != NULL ? reason : "it has ended");
    net_links_close(&self->links);
    drop_state(self);
    for (NetEvent event; net_next_event(self, &event);)
        net_event_free(&event);
    free(self);
}
