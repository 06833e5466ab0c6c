/* SPDX-License-Identifier: MIT
 * Joins the window's simulation to the network. */
#include "play/share.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include "base/thread.h"
#include "base/words.h"
#include "io/checkpoint.h"
#include "net/net_crypt.h"
#include "net/net_session.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SHARE_PEOPLE_MAX == (int)NET_PEOPLE_MAX, "as many people as hands");
_Static_assert((int)SHARE_KEY == (int)NET_KEY_TEXT, "keys of the same length");

/* Longest that the network waits before it looks for what the simulation has to send, ms. */
enum { TICK = 4 };

/* Hashes of the host that those of others are compared with: 3840 steps back. */
enum { HASHES = 128 };

/* Time between two states for one hand, s. */
#define STATE_EVERY 3.0

/* Bytes received since the last look that mean that a state is arriving. Other messages of a second
 * have fewer. */
#define PROGRESS 3e4

/* Bytes of commands, or of the log, that may wait for the simulation. */
#define ITEMS_MOST ((size_t)64 << 20)

/* States of one hand that may differ from the host's one after the other. */
enum { DIFFERENCES_MOST = 3 };

/* Largest state that is accepted, bytes: 256 cubed with fire and colour has 1.6 GB. */
#define STATE_MOST ((size_t)3 << 30)

/* Something that waits for the simulation's thread. */
typedef struct Item {
    struct Item *next;
    int hand;
    unsigned char *bytes;
    size_t count;
} Item;

typedef struct List {
    Item *first, *last;
    size_t bytes;
} List;

typedef struct Hash {
    uint64_t step, hash;
} Hash;

/* A hand that needs a state. */
typedef struct Need {
    bool now;
    int differed;  /* states in a row that differed from the host's */
    double given;  /* time of the last state, s; 0: none */
    uint64_t from; /* step of that state */
    bool watches;
    uint64_t log; /* who watches: entries of the log before that state */
} Need;

struct Share {
    SimShare table;
    Thread *thread;
    atomic_bool quit;
    pthread_mutex_t mutex; /* guards everything below */
    NetSession *net;
    SimThread *sim;       /* to be woken; NULL: none */
    int hand;             /* own number */
    List items;           /* wishes of others, or entries of the log */
    unsigned char *state; /* that waits for the window; NULL: none */
    size_t state_count;
    bool state_taken; /* the simulation that follows has started from the newest state */
    Scene scene;      /* with another hand's settings */
    bool scene_new;
    Need needs[NET_PEOPLE_MAX];
    uint64_t first_step, last_step; /* of the present simulation, and of the session */
    uint64_t entries;               /* of the log so far */
    size_t state_most;              /* largest state to accept, bytes */
    Hash hashes[HASHES];
    ShareStatus status;
};

/* -- lists ------------------------------------------------------------------------------------- */

/* Appends bytes, which the list then owns. If memory is short, they are lost. Returns false if more
 * wait than may. */
static bool push(List *list, int hand, unsigned char *bytes, size_t count)
{
    Item *item = list->bytes + count <= ITEMS_MOST ? malloc(sizeof *item) : NULL;
    if (item == NULL) {
        free(bytes);
        return list->bytes + count <= ITEMS_MOST;
    }
    list->bytes += count + sizeof *item;
    *item = (Item){NULL, hand, bytes, count};
    if (list->last != NULL)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
    return true;
}

static bool pop(List *list, int *hand, unsigned char **bytes, size_t *count)
{
    Item *item = list->first;
    if (item == NULL)
        return false;
    list->first = item->next;
    if (list->first == NULL)
        list->last = NULL;
    *hand = item->hand;
    *bytes = item->bytes;
    *count = item->count;
    list->bytes -= item->count + sizeof *item;
    free(item);
    return true;
}

static void clear(List *list)
{
    int hand;
    unsigned char *bytes;
    size_t count;
    while (pop(list, &hand, &bytes, &count))
        free(bytes);
}

/* -- what the network says --------------------------------------------------------------------- */

static void notice(Share *self, const char *format, const char *text)
{
    fail(&self->status.notice, format, text);
    self->status.notices++;
}

static bool watches(const Share *self, int hand)
{
    for (int p = 0; p < self->status.people_count; p++)
        if (self->status.people[p].net.hand == hand)
            return self->status.people[p].net.watches;
    return false;
}

static const char *name_of(const Share *self, int hand)
{
    for (int p = 0; p < self->status.people_count; p++)
        if (self->status.people[p].net.hand == hand)
            return self->status.people[p].net.name;
    return "a hand";
}

/* The colour of a hand: bright, and unlike that of the other hands. */
static void hand_color(int hand, float color[3])
{
    const float hue = 6 * (float)(3 * hand % NET_PEOPLE_MAX) / NET_PEOPLE_MAX;
    for (int c = 0; c < 3; c++) {
        float away = fabsf(fmodf(hue + 6 - 2 * (float)c, 6) - 3);
        color[c] = 0.15f + 0.85f * fminf(fmaxf(away - 1, 0), 1);
    }
}

static void read_people(Share *self)
{
    NetPerson people[NET_PEOPLE_MAX];
    ShareStatus *status = &self->status;
    status->people_count = self->status.ended ? 0 : net_people(self->net, people);
    for (int p = 0; p < status->people_count; p++) {
        SharePerson *person = &status->people[p];
        *person = (SharePerson){.net = people[p], .self = people[p].hand == self->hand};
        hand_color(people[p].hand, person->color);
    }
    NetTraffic traffic = net_traffic(self->net);
    status->bytes_sent = (double)traffic.sent;
    status->bytes_received = (double)traffic.received;
}

/* A turn that ends what a hand was doing. The caller frees the bytes. */
static TurnBytes end_of_strokes(int hand)
{
    const SimRecorded ends[] = {{.command = {.kind = SIM_BRUSH_END, .hand = hand}},
                                {.command = {.kind = SIM_LET_GO, .hand = hand}}};
    TurnBytes bytes = {NULL, 0, 0, false};
    turn_write(&bytes, ends, 2);
    return bytes;
}

static void end_strokes(Share *self, int hand)
{
    TurnBytes bytes = end_of_strokes(hand);
    if (bytes.failed)
        free(bytes.bytes);
    else
        push(&self->items, hand, bytes.bytes, bytes.count);
}

static void compare(Share *self, const NetEvent *event)
{
    const Hash *own = &self->hashes[event->step / SIM_SHARE_HASH_STEPS % HASHES];
    const Need *need = &self->needs[event->hand];
    /* Hashes of steps before its newest state may still be under way. */
    if (own->step != event->step || event->step < self->first_step || need->now ||
        event->step <= need->from)
        return;
    self->status.compared++;
    if (own->hash == event->hash) {
        self->needs[event->hand].differed = 0;
        return;
    }
    self->status.differences++;
    if (++self->needs[event->hand].differed > DIFFERENCES_MOST) {
        net_send_away(self->net, event->hand, "its smoke differs from the host's again and again");
        return;
    }
    self->needs[event->hand].now = true;
    notice(self, "the smoke of %s differs from the host's: it gets the host's",
           name_of(self, event->hand));
}

static void end(Share *self, const char *reason)
{
    if (self->status.ended)
        return;
    self->status.ended = true;
    snprintf(self->status.why, sizeof self->status.why, "%s", reason);
    notice(self, "playing alone: %s", reason);
    if (!self->status.host) {
        net_leave(self->net, reason);
        clear(&self->items);
    }
}

static void take_state(Share *self, NetEvent *event)
{
    clear(&self->items);
    free(self->state);
    self->state = event->bytes;
    self->state_count = event->count;
    self->state_taken = self->state_taken && self->status.watches; /* it takes no steps */
    event->bytes = NULL;
}

/* Keeps what the simulation takes later, and leaves or sends away who sends too much of it. */
static void take_item(Share *self, NetEvent *event)
{
    const bool taken = push(&self->items, event->hand, event->bytes, event->count);
    event->bytes = NULL;
    if (!taken && self->status.host)
        net_send_away(self->net, event->hand, "it sent more than could be taken");
    else if (!taken)
        end(self, "the host sent more than could be taken");
}

static void say_who_left(Share *self, const NetEvent *event)
{
    if (strcmp(event->text, NET_LOST) == 0) {
        notice(self, "%s has left", name_of(self, event->hand));
        return;
    }
    fail(&self->status.notice, "%s was sent away: %s", name_of(self, event->hand), event->text);
    self->status.notices++;
}

static void take(Share *self, NetEvent *event)
{
    if (self->status.ended)
        return;
    switch (event->kind) {
    case NET_EVENT_JOINED:
        read_people(self);
        self->needs[event->hand] = (Need){.now = true, .watches = watches(self, event->hand)};
        notice(self, self->needs[event->hand].watches ? "%s watches" : "%s has joined",
               name_of(self, event->hand));
        break;
    case NET_EVENT_SHOWN:
        self->needs[event->hand].now = true;
        break;
    case NET_EVENT_LEFT:
        say_who_left(self, event);
        self->needs[event->hand].now = false;
        end_strokes(self, event->hand);
        break;
    case NET_EVENT_BEHIND:
        self->needs[event->hand].now = true;
        notice(self, "%s was too far behind and gets the smoke again", name_of(self, event->hand));
        break;
    case NET_EVENT_COMMANDS:
    case NET_EVENT_LOG:
        take_item(self, event);
        break;
    case NET_EVENT_HASH:
        compare(self, event);
        break;
    case NET_EVENT_WELCOME:
        self->hand = event->hand;
        break;
    case NET_EVENT_STATE:
        take_state(self, event);
        break;
    case NET_EVENT_WAIT:
        notice(self, "%s", "the host sends the smoke again");
        break;
    case NET_EVENT_CLOSED:
        end(self, event->text);
        break;
    }
}

/* Who watches gets a state when it has shown the last one and there is another; who takes steps
 * seldom needs one. */
static bool is_due(const Share *self, const Need *need)
{
    if (!need->now || need->given == 0)
        return need->now;
    return need->watches ? need->log != self->entries
                         : clock_seconds() - need->given >= STATE_EVERY;
}

void share_service(Share *self)
{
    NetEvent event;
    bool any = false;
    pthread_mutex_lock(&self->mutex);
    net_service(self->net);
    for (; net_next_event(self->net, &event); any = true) {
        take(self, &event);
        net_event_free(&event);
    }
    read_people(self);
    /* A host that is paused has to be woken for a state. */
    for (int hand = 1; self->status.host && hand < NET_PEOPLE_MAX; hand++)
        any = any || is_due(self, &self->needs[hand]);
    SimThread *sim = self->sim;
    if (any && sim != NULL)
        sim_thread_nudge(sim);
    pthread_mutex_unlock(&self->mutex);
}

static void work(void *data)
{
    Share *self = data;
    while (!atomic_load(&self->quit)) {
        share_service(self);
        net_wait(self->net, TICK);
    }
}

/* -- what the simulation's thread calls -------------------------------------------------------- */

static Share *locked(void *context)
{
    Share *self = context;
    pthread_mutex_lock(&self->mutex);
    return self;
}

static bool goes_on(void *context)
{
    Share *self = locked(context);
    bool on = !self->status.ended;
    pthread_mutex_unlock(&self->mutex);
    return on;
}

static int own_hand(void *context)
{
    Share *self = locked(context);
    int hand = self->hand;
    pthread_mutex_unlock(&self->mutex);
    return hand;
}

static void stepped(void *context, uint64_t step, const uint64_t *hash)
{
    Share *self = locked(context);
    if (self->status.host && hash != NULL)
        self->hashes[step / SIM_SHARE_HASH_STEPS % HASHES] = (Hash){step, *hash};
    if (!self->status.host && self->state_taken) {
        if (hash != NULL) {
            net_send_hash(self->net, step, *hash);
            self->status.compared++;
        }
        net_send_step(self->net, step);
    }
    pthread_mutex_unlock(&self->mutex);
}

static void changed(void *context, const Scene *scene)
{
    Share *self = locked(context);
    self->scene = *scene;
    self->scene_new = true;
    pthread_mutex_unlock(&self->mutex);
}

static void refused(void *context, const Scene *scene)
{
    Share *self = locked(context); /* the notice is there before the scene can be seen */
    notice(self, "%s", "the host has not taken your settings: its own hold again");
    pthread_mutex_unlock(&self->mutex);
    changed(context, scene);
}

static uint64_t first_step(void *context)
{
    Share *self = locked(context);
    uint64_t first = self->first_step;
    pthread_mutex_unlock(&self->mutex);
    return first;
}

static bool wish(void *context, int *hand, unsigned char **bytes, size_t *count)
{
    Share *self = locked(context);
    bool any = pop(&self->items, hand, bytes, count);
    pthread_mutex_unlock(&self->mutex);
    return any;
}

static int newcomer(void *context, bool *watching)
{
    Share *self = locked(context);
    int hand = NET_PEOPLE_MAX - 1;
    while (hand > 0 && !is_due(self, &self->needs[hand]))
        hand--;
    Need *need = &self->needs[hand];
    if (hand > 0) {
        need->now = false;
        need->given = clock_seconds();
        need->from = self->last_step;
        need->log = self->entries;
    }
    *watching = need->watches;
    pthread_mutex_unlock(&self->mutex);
    return hand;
}

/* Packs a state for who watches, since many follow each other. If memory is short, or without zstd,
 * it stays as it is.
 *
 *     packed := "BILLOWSP" | size (64 bits) | state_pack */
static const unsigned char packed_magic[8] = {'B', 'I', 'L', 'L', 'O', 'W', 'S', 'P'};

static void pack(TurnBytes *state)
{
    enum { HEAD = sizeof packed_magic + 8 };
    unsigned char *packed =
        state_pack_works() ? malloc(HEAD + state_pack_bound(state->count)) : NULL;
    size_t count = packed != NULL ? state_pack(state->bytes, state->count, packed + HEAD) : 0;
    if (count == 0) {
        free(packed);
        return;
    }
    memcpy(packed, packed_magic, sizeof packed_magic);
    put64(packed + sizeof packed_magic, state->count);
    free(state->bytes);
    *state = (TurnBytes){packed, HEAD + count, HEAD + state_pack_bound(state->count), false};
}

/* Unpacks a state that came packed. Frees the bytes on failure. */
static bool unpack(unsigned char **bytes, size_t *count, size_t most, BillowError *error)
{
    enum { HEAD = sizeof packed_magic + 8 };
    if (*count < HEAD || memcmp(*bytes, packed_magic, sizeof packed_magic) != 0)
        return true;
    const uint64_t size = get64(*bytes + sizeof packed_magic);
    unsigned char *state = size > 0 && size <= most ? malloc((size_t)size) : NULL;
    if (state != NULL && state_unpack(*bytes + HEAD, *count - HEAD, state, (size_t)size)) {
        free(*bytes);
        *bytes = state;
        *count = (size_t)size;
        return true;
    }
    free(state);
    free(*bytes);
    return fail(error, "the host's smoke cannot be unpacked");
}

static void welcome(void *context, int hand, TurnBytes *state, const BillowError *error)
{
    Share *self = locked(context);
    const bool watching = self->needs[hand].watches;
    pthread_mutex_unlock(&self->mutex);
    if (watching && error == NULL)
        pack(state);
    self = locked(context);
    if (error == NULL) {
        net_send_state(self->net, hand, state->bytes, state->count);
    } else {
        free(state->bytes);
        notice(self, "%s", error->text);
        net_send_away(self->net, hand, error->text);
    }
    *state = (TurnBytes){0};
    pthread_mutex_unlock(&self->mutex);
}

static void append(void *context, const unsigned char *bytes, size_t count, uint64_t step)
{
    Share *self = locked(context);
    self->last_step = step;
    self->entries++;
    net_append(self->net, bytes, count, step);
    pthread_mutex_unlock(&self->mutex);
}

static void send_away(void *context, int hand, const char *reason)
{
    Share *self = locked(context);
    net_send_away(self->net, hand, reason);
    pthread_mutex_unlock(&self->mutex);
}

static void need_all(Share *self)
{
    for (int p = 0; p < self->status.people_count; p++) {
        const NetPerson *person = &self->status.people[p].net;
        Need *need = &self->needs[person->hand];
        need->now = person->hand > 0;
        need->watches = person->watches;
        need->log = UINT64_MAX;
    }
}

static void restart(void *context)
{
    Share *self = locked(context);
    net_restart(self->net);
    need_all(self);
    pthread_mutex_unlock(&self->mutex);
}

static bool entry(void *context, unsigned char **bytes, size_t *count)
{
    Share *self = locked(context);
    int hand;
    bool any = self->state_taken && pop(&self->items, &hand, bytes, count);
    pthread_mutex_unlock(&self->mutex);
    return any;
}

static void send(void *context, const unsigned char *bytes, size_t count)
{
    Share *self = locked(context);
    if (self->state_taken && !self->status.ended && count <= NET_DATA_MAX)
        net_send_commands(self->net, bytes, count);
    pthread_mutex_unlock(&self->mutex);
}

static void leave(void *context, const char *reason)
{
    share_leave(context, reason);
}

/* -- what the window calls --------------------------------------------------------------------- */

/* Splits "NAME[:PORT]". */
static bool split_address(const char *text, char *name, size_t room, int *port, BillowError *error)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    *port = NET_PORT;
    if (strchr(text, ':') != colon)
        return fail(error, "%.100s is no address: NAME or NAME:PORT; sessions use IPv4", text);
    if (colon != NULL) {
        long number = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end != 0 || number < 0 || number > 65535)
            return fail(error, "%.100s: a port is a number from 1 to 65535", text);
        *port = (int)number;
    }
    if (length == 0 || length >= room)
        return fail(error, "%.100s is no address: NAME or NAME:PORT", text);
    memcpy(name, text, length);
    name[length] = 0;
    return true;
}

static const char *user_name(void)
{
    const char *name = getenv("USER");
    name = name != NULL && name[0] != 0 ? name : getenv("USERNAME");
    return name != NULL && name[0] != 0 ? name : "somebody";
}

static bool open_net(Share *self, const ShareDef *def, BillowError *error)
{
    char name[NET_ADDRESS] = "127.0.0.1", folder[SYSTEM_PATH], path[NET_PATH];
    NetDef net = {.host = def->host, .port = NET_PORT, .state_most = STATE_MOST};
    if (def->address != NULL && !split_address(def->address, name, sizeof name, &net.port, error))
        return false;
    if (!net_crypt_start(error))
        return false;
    if (def->host)
        net_key_new(self->status.key);
    else
        snprintf(self->status.key, sizeof self->status.key, "%s", def->key);
    /* A state that arrives is for a moment in memory twice, so it may take half of what is free. */
    const uint64_t there = system_memory_available();
    if (there > 0 && there / 2 < STATE_MOST)
        net.state_most = (size_t)(there / 2);
    self->state_most = net.state_most;
    net.watches = self->status.watches;
    net.address = name;
    net.key = def->host ? self->status.key : def->key;
    net.name = def->name != NULL ? def->name : user_name();
    net.mismatch = "the host's program is of another version";
    net.page = def->host && system_find_folder("web", folder) ? folder : NULL;
    /* If the program's version and the formats are equal on both sides, the states are, too. */
    snprintf((char *)net.fingerprint, sizeof net.fingerprint, "%.10s %u %u", billow_version(),
             TURN_VERSION, SIM_JOIN_VERSION);
    self->net = net_open_session(&net, error);
    if (self->net == NULL)
        return false;
    snprintf(self->status.address, sizeof self->status.address, "%s:%d",
             strcmp(name, "*") != 0           ? name
             : net_address(self->net)[0] != 0 ? net_address(self->net)
                                              : "this machine's address",
             def->host ? net_port(self->net) : net.port);
    snprintf(self->status.invitation, sizeof self->status.invitation, "billow run --join %s",
             self->status.address);
    /* What follows # stays in the browser. */
    if (def->host && net_page(self->net, path, &self->status.no_page))
        snprintf(self->status.link, sizeof self->status.link, "http://%s%s#key=%s",
                 self->status.address, path, self->status.key);
    return true;
}

Share *share_open(const ShareDef *def, BillowError *error)
{
    Share *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fail(error, "not enough memory to share the smoke");
        return NULL;
    }
    self->status.host = def->host;
    self->status.watches = def->watches;
    self->table = (SimShare){self,    def->host, def->watches, goes_on, own_hand, stepped,
                             changed, refused,   first_step,   wish,    newcomer, welcome,
                             append,  restart,   send_away,    entry,   send,     leave};
    pthread_mutex_init(&self->mutex, NULL);
    if (open_net(self, def, error)) {
        if (!def->threadless)
            self->thread = thread_start(work, "network", self, error);
        if (def->threadless || self->thread != NULL)
            return self;
    }
    share_close(self);
    return NULL;
}

void share_close(Share *self)
{
    if (self == NULL)
        return;
    atomic_store(&self->quit, true);
    thread_join(self->thread);
    net_close_session(self->net, self->status.host ? "the host has closed the session" : NULL);
    clear(&self->items);
    free(self->state);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

const SimShare *share_table(Share *self)
{
    return &self->table;
}

/* What hands wanted of the host's simulation before is not about the next one, whose state nobody
 * has. */
static void attach_host(Share *self, const SimThread *sim)
{
    clear(&self->items);
    net_restart(self->net);
    if (sim == NULL)
        return;
    self->first_step = self->last_step;
    memset(self->hashes, 0, sizeof self->hashes);
    memset(self->needs, 0, sizeof self->needs);
    need_all(self);
}

/* A simulation that follows has started from the newest state, unless there is a newer one now. */
void share_attach(Share *self, SimThread *sim)
{
    pthread_mutex_lock(&self->mutex);
    self->sim = sim;
    self->state_taken =
        !self->status.host && sim != NULL && self->state == NULL && !self->status.ended;
    if (self->status.host)
        attach_host(self, sim);
    if (self->state_taken) { /* end at the host what ended here while nothing could be sent */
        TurnBytes bytes = end_of_strokes(self->hand);
        if (!bytes.failed)
            net_send_commands(self->net, bytes.bytes, bytes.count);
        free(bytes.bytes);
    }
    if (sim != NULL)
        sim_thread_nudge(sim);
    pthread_mutex_unlock(&self->mutex);
}

bool share_state(Share *self, unsigned char **bytes, size_t *count)
{
    pthread_mutex_lock(&self->mutex);
    bool any = self->state != NULL;
    if (any) {
        *bytes = self->state;
        *count = self->state_count;
        self->state = NULL;
    }
    pthread_mutex_unlock(&self->mutex);
    BillowError error;
    if (any && !unpack(bytes, count, self->state_most, &error)) {
        share_leave(self, error.text);
        return false;
    }
    return any;
}

void share_shown(Share *self, uint64_t step)
{
    pthread_mutex_lock(&self->mutex);
    if (self->state_taken && !self->status.ended)
        net_send_step(self->net, step);
    pthread_mutex_unlock(&self->mutex);
}

bool share_wait(Share *self, double seconds, bool (*interrupted)(void), unsigned char **bytes,
                size_t *count, BillowError *error)
{
    double received = 0;
    for (double start = clock_seconds(); clock_seconds() - start < seconds; clock_sleep(0.01)) {
        if (share_state(self, bytes, count))
            return true;
        ShareStatus status = share_status(self);
        if (status.bytes_received > received + PROGRESS) { /* a state is arriving */
            received = status.bytes_received;
            start = clock_seconds();
        }
        if (status.ended)
            return fail(error, "cannot join %s: %.300s", status.address, status.why);
        if (interrupted != NULL && interrupted())
            return fail(error, "interrupted");
    }
    return fail(error, "cannot join %s: no smoke has come within %g s", self->status.address,
                seconds);
}

bool share_scene(Share *self, Scene *scene)
{
    pthread_mutex_lock(&self->mutex);
    bool any = self->scene_new;
    if (any)
        *scene = self->scene;
    self->scene_new = false;
    pthread_mutex_unlock(&self->mutex);
    return any;
}

void share_leave(Share *self, const char *reason)
{
    pthread_mutex_lock(&self->mutex);
    end(self, reason);
    pthread_mutex_unlock(&self->mutex);
}

void share_point(Share *self, const float position[3], bool pointing)
{
    pthread_mutex_lock(&self->mutex);
    if (!self->status.ended)
        net_point(self->net, position, pointing);
    pthread_mutex_unlock(&self->mutex);
}

ShareStatus share_status(Share *self)
{
    pthread_mutex_lock(&self->mutex);
    ShareStatus status = self->status;
    pthread_mutex_unlock(&self->mutex);
    return status;
}

void share_invite(const ShareStatus *status, const char *key_file)
{
    const bool seen = system_is_terminal(stdout);
    const size_t link = seen ? strlen(status->link) : strcspn(status->link, "#");
    printf("Others join with: %s\n", status->invitation);
    printf("or only watch:    billow run --watch %s\n", status->address);
    if (seen)
        printf("and this key:     %s\n", status->key);
    else if (key_file != NULL)
        printf("and the key in    %s\n", key_file);
    else
        printf("and the key that the panel (Tab) shows\n");
    if (link > 0)
        printf("or in a browser:  %.*s\n", (int)link, status->link);
    else
        printf("No browser can join: %s\n", status->no_page.text);
    fflush(stdout);
}
