/* SPDX-License-Identifier: MIT
 * Two windows' simulations that share their smoke on loopback: strokes of both hands, a newcomer,
 * differences that are healed, and what happens when one side leaves. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "hands_fixture.h"
#include "patience.h"
#include "play/share.h"
#include "play/sim_apply.h"
#include "play/world.h"
#include "sanitized.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY "aaaaaaa-bbbbbbb-ccccccc-ddddddd"

/* One side of a session: a window without a picture. */
typedef struct Side {
    Share *share;
    SimThread *sim;
    ScenePlay *play; /* of the host */
    SimJoin *join;   /* of another */
} Side;

static Scene the_scene(void)
{
    return hands_scene("domain.cells=16");
}

static Share *open_share(const ShareDef *def)
{
    BillowError error = {{0}};
    Share *share = share_open(def, &error);
    if (share == NULL)
        fail_msg("%s", error.text);
    return share;
}

static void start_hosting(Side *host)
{
    const Scene scene = the_scene();
    BillowError error = {{0}};
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    host->play = scene_play_create(&scene, &def, &error);
    if (host->play == NULL)
        fail_msg("%s", error.text);
    host->sim = sim_thread_start(&def, host->play, &scene, (double)scene.step, NULL, 0, &error);
    if (host->sim == NULL || sim_thread_wait(host->sim, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    share_attach(host->share, host->sim);
    sim_thread_send(host->sim, &(SimCommand){SIM_SHARE, .share = share_table(host->share)});
}

static Side open_host(void)
{
    Side host = {
        .share = open_share(&(ShareDef){.host = true, .address = "127.0.0.1:0", .name = "Ann"})};
    start_hosting(&host);
    return host;
}

/* Starts from a state that has come. */
static void start_following(Side *guest, unsigned char *bytes, size_t count, const SimShare *share)
{
    BillowError error = {{0}};
    TurnReader from = {bytes, count, 0};
    guest->join = calloc(1, sizeof *guest->join);
    assert_non_null(guest->join);
    if (!sim_join_read(&from, guest->join, &error))
        fail_msg("%s", error.text);
    free(bytes);
    guest->sim = sim_thread_join(guest->join, 2, share, &error);
    if (guest->sim == NULL || sim_thread_wait(guest->sim, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    share_attach(guest->share, guest->sim);
}

static Side join_at(const char *address, const char *key, const char *name)
{
    BillowError error = {{0}};
    Side guest = {.share = open_share(&(ShareDef){.address = address, .key = key, .name = name})};
    unsigned char *bytes;
    size_t count;
    if (!share_wait(guest.share, PATIENCE, NULL, &bytes, &count, &error))
        fail_msg("%s", error.text);
    start_following(&guest, bytes, count, share_table(guest.share));
    return guest;
}

static Side join_host(const Side *host, const char *name)
{
    const ShareStatus status = share_status(host->share);
    return join_at(status.address, status.key, name);
}

static void stop(Side *side)
{
    share_attach(side->share, NULL);
    sim_thread_destroy(side->sim);
    side->sim = NULL;
    scene_play_destroy(side->play);
    side->play = NULL;
    if (side->join != NULL)
        sim_join_free(side->join);
    free(side->join);
    side->join = NULL;
}

static void close_side(Side *side)
{
    stop(side);
    share_close(side->share);
}

/* What a hand does with a command of its own, as in a window: hand 0. */
static void act(const Side *side, SimCommand command)
{
    command.hand = 0;
    if (command.kind == SIM_SETTINGS || command.kind == SIM_WISH)
        command.settings = sim_settings_copy(command.settings);
    sim_thread_send(side->sim, &command);
}

/* A window of a guest asks its host for settings. */
static void wish_for(const Side *guest, const Scene *scene)
{
    SimSettings settings = {.def = scene_def(scene), .step = (double)scene->step, .scene = scene};
    act(guest, (SimCommand){SIM_WISH, .settings = &settings});
}

static uint64_t steps_of(const Side *side)
{
    return sim_thread_snapshot(side->sim)->steps;
}

#define wait_until(condition)                                                                      \
    for (double start_ = clock_seconds(); !(condition); SDL_Delay(2))                              \
        if (clock_seconds() - start_ > PATIENCE)                                                   \
    fail_msg("not within %g s: %s", PATIENCE, #condition)

static uint64_t saved_hash(const Side *side)
{
    SimSaved saved;
    Scene scene = the_scene();
    BillowDef def = scene_def(&scene);
    BillowError error = {{0}};
    sim_thread_send(side->sim, &(SimCommand){.kind = SIM_SAVE});
    wait_until(sim_thread_saved(side->sim, &saved));
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    assert_true(billow_load_state(sim, saved.state, saved.bytes, &error));
    uint64_t hash = billow_state_hash(sim);
    billow_destroy(sim);
    free(saved.state);
    return hash;
}

/* Both do what a random script says, as fast as the host steps. */
static void play_together(const Side *host, const Side *guest, uint32_t seed, uint64_t steps)
{
    const Scene scene = the_scene();
    SimRecording script = random_script(&scene, seed, (int)steps);
    uint64_t first = steps_of(host);
    for (int c = 0; c < script.count; c++) {
        const SimRecorded *entry = &script.commands[c];
        if (entry->command.kind == SIM_CYCLES || entry->command.kind == SIM_BRUSH_STEPS)
            continue;
        wait_until(steps_of(host) >= first + entry->step);
        act(entry->command.hand % 2 == 0 ? host : guest, entry->command);
    }
    wait_until(steps_of(host) >= first + steps);
    sim_recording_free(&script);
}

/* Starts again where a new state has come, as a window does. */
static bool tend(Side *guest)
{
    unsigned char *bytes;
    size_t count;
    if (!share_state(guest->share, &bytes, &count))
        return false;
    stop(guest);
    start_following(guest, bytes, count, share_table(guest->share));
    return true;
}

static bool has_caught_up(const Side *host, Side *guest)
{
    tend(guest);
    const ShareStatus status = share_status(host->share);
    return status.people_count == 2 && status.people[1].net.behind == 0;
}

/* Whoever pauses, both stop at the same step with the same bits. */
static void assert_same(const Side *host, Side *guest, const Side *who)
{
    act(who, (SimCommand){SIM_PAUSE, .on = true});
    wait_until(sim_thread_paused(host->sim));
    wait_until(has_caught_up(host, guest) && sim_thread_paused(guest->sim));
    SDL_Delay(50);
    wait_until(has_caught_up(host, guest));
    assert_true(saved_hash(host) == saved_hash(guest));
}

static void two_hands_have_one_smoke(void **state)
{
    (void)state;
    Side host = open_host(), guest = join_host(&host, "Ben");
    ShareStatus status = share_status(guest.share);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        play_together(&host, &guest, seed, 70);
        assert_same(&host, &guest, seed % 2 == 0 ? &host : &guest);
        act(seed % 2 == 0 ? &guest : &host, (SimCommand){SIM_PAUSE, .on = false});
        wait_until(!sim_thread_paused(host.sim) && !sim_thread_paused(guest.sim));
    }
    wait_until((status = share_status(host.share)).compared >= 6);
    assert_int_equal(status.differences, 0);
    assert_string_equal(status.people[1].net.name, "Ben");
    const ShareStatus theirs = share_status(guest.share);
    for (int p = 0; p < 2; p++) /* each has a colour of its own, which all see */
        assert_memory_equal(status.people[p].color, theirs.people[p].color, sizeof(float[3]));
    assert_memory_not_equal(status.people[0].color, status.people[1].color, sizeof(float[3]));
    assert_true(steps_of(&guest) > 100);
    close_side(&guest);
    wait_until(share_status(host.share).people_count == 1);
    wait_until(strcmp(share_status(host.share).notice.text, "Ben has left") == 0);
    close_side(&host);
}

/* Settings that one changes hold for both, and both are told of them. */
static void settings_are_shared(void **state)
{
    (void)state;
    static Scene scene, seen;
    Side host = open_host(), guest = join_host(&host, "Ben");
    for (int round = 0; round < 2; round++) {
        const Side *who = round == 0 ? &guest : &host;
        scene = the_scene();
        scene.def.params.buoyancy = 0.01f + 0.02f * (float)round;
        SimSettings settings = {
            .def = scene_def(&scene), .step = (double)scene.step, .scene = &scene};
        if (who == &host)
            act(&host, (SimCommand){SIM_SETTINGS, .settings = &settings});
        else
            wish_for(&guest, &scene);
        if (who == &guest)
            wait_until(share_scene(host.share, &seen));
        wait_until(share_scene(guest.share, &seen));
        assert_true(seen.def.params.buoyancy == scene.def.params.buoyancy);
    }
    uint64_t compared = share_status(host.share).compared;
    wait_until(((void)tend(&guest), share_status(host.share).compared >= compared + 2));
    assert_int_equal(share_status(host.share).differences, 0);
    close_side(&guest);
    close_side(&host);
}

/* Settings that the host refuses do not stay on the screen of who wanted them, and nobody else is
 * told. */
static void refused_settings_are_taken_back(void **state)
{
    (void)state;
    static Scene scene, seen;
    BillowError error = {{0}};
    Side host = open_host(), other = join_host(&host, "Cleo"), guest = join_host(&host, "Ben");
    act(&host, (SimCommand){SIM_PAUSE, .on = true}); /* so that no guest can fall behind */
    wait_until(sim_thread_paused(guest.sim) && sim_thread_paused(other.sim));
    scene = the_scene();
    assert_true(scene_set(&scene, "domain.cells=24", &error));
    wish_for(&guest, &scene);
    wait_until(share_scene(guest.share, &seen));
    assert_int_equal(seen.domain.cells[0], the_scene().domain.cells[0]);
    assert_string_equal(share_status(guest.share).notice.text,
                        "the host has not taken your settings: its own hold again");
    scene = the_scene();
    snprintf(scene.initial.vdb, sizeof scene.initial.vdb, "smoke.vdb"); /* is not even sent */
    wish_for(&guest, &scene);
    wait_until(share_scene(guest.share, &seen));
    assert_string_equal(seen.initial.vdb, "");
    scene = the_scene();
    scene.def.params.buoyancy = 0.07f;
    wish_for(&guest, &scene);
    wait_until(share_scene(other.share, &seen) &&
               seen.def.params.buoyancy == scene.def.params.buoyancy);
    assert_null(strstr(share_status(other.share).notice.text, "settings"));
    assert_null(strstr(share_status(host.share).notice.text, "settings"));
    assert_int_equal(share_status(host.share).differences, 0);
    close_side(&other);
    close_side(&guest);
    close_side(&host);
}

/* Each change of the settings makes a play, which may have shapes of some MB. */
static void changes_take_no_memory(void **state)
{
    (void)state;
    enum { CHANGES = SANITIZED ? 60 : 500, PLAYS = 16 };
    static Scene scene;
    Side host = open_host(), guest = join_host(&host, "Ben");
    act(&host, (SimCommand){SIM_PAUSE, .on = true}); /* so that the guest cannot fall behind */
    wait_until(has_caught_up(&host, &guest) && sim_thread_paused(guest.sim));
    const uint64_t first = sim_thread_snapshot(guest.sim)->changes;
    scene = the_scene();
    for (int n = 1; n <= CHANGES; n++) {
        const uint64_t changes = sim_thread_snapshot(host.sim)->changes;
        scene.def.params.buoyancy = 0.1f * (float)n / CHANGES;
        wish_for(&guest, &scene);
        wait_until(sim_thread_snapshot(host.sim)->changes > changes);
        sim_thread_snapshot(guest.sim); /* both windows draw */
    }
    wait_until(sim_thread_snapshot(guest.sim)->changes == first + CHANGES);
    assert_in_range(host.sim->shared.own_play_count, 1, PLAYS);
    assert_in_range(guest.sim->shared.own_play_count, 1, PLAYS);
    assert_int_equal(share_status(host.share).differences, 0);
    close_side(&guest);
    close_side(&host);
}

#ifdef __linux__ /* --wrap */
static SDL_atomic_t hashes;

uint64_t __real_billow_state_hash(const BillowSim *sim);
uint64_t __wrap_billow_state_hash(const BillowSim *sim);

uint64_t __wrap_billow_state_hash(const BillowSim *sim)
{
    SDL_AtomicAdd(&hashes, 1);
    return __real_billow_state_hash(sim);
}

/* A recording takes the hash that the others compare theirs with. */
static void a_step_is_hashed_once(void **state)
{
    (void)state;
    static SimRecording recording;
    Side host = open_host();
    act(&host, (SimCommand){SIM_PAUSE, .on = true});
    saved_hash(&host); /* after it, the pause holds */
    recording = (SimRecording){.hashed = true};
    const uint64_t resets = sim_thread_snapshot(host.sim)->resets;
    do { /* until both count from a multiple of SIM_HASH_STEPS */
        const uint64_t steps = steps_of(&host);
        act(&host, (SimCommand){.kind = SIM_STEP});
        wait_until(steps_of(&host) > steps);
    } while (steps_of(&host) % SIM_HASH_STEPS != 0);
    act(&host, (SimCommand){SIM_RECORD, .recording = &recording});
    wait_until(sim_thread_snapshot(host.sim)->resets > resets);
    SDL_AtomicSet(&hashes, 0);
    const uint64_t steps = steps_of(&host) + 2 * SIM_HASH_STEPS + 1;
    for (uint64_t step = steps_of(&host); step < steps; step++)
        act(&host, (SimCommand){.kind = SIM_STEP});
    wait_until(steps_of(&host) == steps);
    assert_int_equal(SDL_AtomicGet(&hashes), 2);
    close_side(&host);
    assert_int_equal(recording.hash_count, 3); /* and one of its end */
    sim_recording_free(&recording);
}
#endif

/* -- a side that computes something else --------------------------------------------------------
 */

static const SimShare *honest;
static SDL_atomic_t forgets;

/* Forgets the commands of entries of the log. */
static bool forgetful(void *context, unsigned char **bytes, size_t *count)
{
    if (!honest->entry(context, bytes, count))
        return false;
    if (SDL_AtomicGet(&forgets) == 0 || (*bytes)[0] != (SIM_SHARE_COMMANDS | SIM_SHARE_STEP))
        return true;
    (*bytes)[0] = SIM_SHARE_STEP;
    *count = 1;
    return true;
}

static void differences_are_healed(void **state)
{
    (void)state;
    Side host = open_host();
    const ShareStatus status = share_status(host.share);
    Side guest = {.share = open_share(
                      &(ShareDef){.address = status.address, .key = status.key, .name = "Ben"})};
    unsigned char *bytes;
    size_t count;
    assert_true(share_wait(guest.share, PATIENCE, NULL, &bytes, &count, NULL));
    honest = share_table(guest.share);
    SimShare wrong = *honest;
    wrong.entry = forgetful;
    SDL_AtomicSet(&forgets, 1);
    start_following(&guest, bytes, count, &wrong);
    play_together(&host, &guest, 5, 40);
    wait_until(share_status(host.share).differences > 0);
    assert_non_null(strstr(share_status(host.share).notice.text, "the smoke of Ben differs"));
    SDL_AtomicSet(&forgets, 0);
    wait_until(share_state(guest.share, &bytes, &count));
    stop(&guest);
    start_following(&guest, bytes, count, share_table(guest.share));
    assert_same(&host, &guest, &host);
    close_side(&guest);
    close_side(&host);
}

/* -- those who have the key and misbehave --------------------------------------------------------
 */

/* A brush's turn with a number in place of one of its values. */
static size_t wrong_turn(unsigned char *bytes, size_t room, size_t at, uint32_t word)
{
    const SimRecorded brush = {.command = {SIM_BRUSH, .emitter = billow_default_emitter()}};
    TurnBytes turn = {NULL, 0, 0, false};
    turn_write(&turn, &brush, 1);
    assert_true(!turn.failed && turn.count <= room && at + 4 <= turn.count);
    memcpy(bytes, turn.bytes, turn.count);
    for (int b = 0; b < 4; b++)
        bytes[at + (size_t)b] = (unsigned char)(word >> (8 * b));
    free(turn.bytes);
    return turn.count;
}

/* Sends bytes as what a guest's hand wants. The guest is sent away with one line, and the host goes
 * on. */
static void expect_sent_away(Side *host, const unsigned char *bytes, size_t count)
{
    Side guest = join_host(host, "Ben");
    const SimShare *table = share_table(guest.share);
    table->send(table->context, bytes, count);
    wait_until(share_status(guest.share).ended);
    assert_non_null(
        strstr(share_status(guest.share).why, "it sent commands that cannot be read: "));
    wait_until(strstr(share_status(host->share).notice.text, "Ben was sent away: it sent") != NULL);
    const uint64_t steps = steps_of(host);
    wait_until(steps_of(host) > steps + 5);
    close_side(&guest);
}

static void impossible_commands_are_sent_away(void **state)
{
    (void)state;
    enum { COUNT_AT = 8, KIND_AT = 12, VALUES_AT = 14 };
    unsigned char bytes[4096];
    Side host = open_host();
    expect_sent_away(&host, (const unsigned char *)"x", 1);
    size_t count = wrong_turn(bytes, sizeof bytes, COUNT_AT, 0);
    expect_sent_away(&host, bytes, count);
    count = wrong_turn(bytes, sizeof bytes, COUNT_AT, 0xFFFFFFFF);
    expect_sent_away(&host, bytes, count);
    count = wrong_turn(bytes, sizeof bytes, COUNT_AT, 1);
    expect_sent_away(&host, bytes, count - 1);
    bytes[count] = 0;
    expect_sent_away(&host, bytes, count + 1);
    count = wrong_turn(bytes, sizeof bytes, KIND_AT, 0xFFFF);
    expect_sent_away(&host, bytes, count);
    for (size_t at = VALUES_AT; at < VALUES_AT + 40; at += 8) {
        count = wrong_turn(bytes, sizeof bytes, at, 0x7FC00000); /* NaN */
        expect_sent_away(&host, bytes, count);
    }
    close_side(&host);
}

static void liar(void *context, uint64_t step, const uint64_t *hash)
{
    const uint64_t lie = hash != NULL ? ~*hash : 0;
    honest->stepped(context, step, hash != NULL ? &lie : NULL);
}

/* A hand that always reports other states would get the host's again and again. */
static void lies_about_states_are_sent_away(void **state)
{
    (void)state;
    Side host = open_host(), guest = join_host(&host, "Ben");
    honest = share_table(guest.share);
    SimShare lying = *honest;
    lying.stepped = liar;
    sim_thread_send(guest.sim, &(SimCommand){SIM_SHARE, .share = &lying});
    unsigned char *bytes;
    size_t count;
    int states = 0;
    for (double start = clock_seconds(); !share_status(guest.share).ended; SDL_Delay(5)) {
        assert_true(clock_seconds() - start < PATIENCE);
        if (!share_state(guest.share, &bytes, &count))
            continue;
        states++;
        stop(&guest);
        start_following(&guest, bytes, count, &lying);
    }
    assert_string_equal(share_status(guest.share).why,
                        "its smoke differs from the host's again and again");
    assert_in_range(states, 1, 3);
    close_side(&guest);
    close_side(&host);
}

/* A host that sends what cannot be followed is left, and the smoke goes on alone. */
static void impossible_logs_are_left(void **state)
{
    (void)state;
    static const unsigned char logs[][2] = {{0, 0}, {255, 0}, {SIM_SHARE_COMMANDS, 0}};
    for (size_t l = 0; l < sizeof logs / sizeof *logs; l++) {
        Side host = open_host(), guest = join_host(&host, "Ben");
        const SimShare *table = share_table(host.share);
        wait_until(steps_of(&guest) > 3);
        table->append(table->context, logs[l], 2, steps_of(&host));
        wait_until(share_status(guest.share).ended);
        assert_string_equal(share_status(guest.share).why, "the host sent what cannot be read");
        const uint64_t steps = steps_of(&guest);
        wait_until(steps_of(&guest) > steps + 5);
        close_side(&guest);
        close_side(&host);
    }
}

/* -- far away -----------------------------------------------------------------------------------
 */

enum { DATAGRAM = 2048, UNDER_WAY = 4096 };

/* to: NULL: to whom the socket is connected. */
static void send_datagram(int from, const void *bytes, size_t count, const struct sockaddr_in *to)
{
    sendto(from, bytes, count, 0, (const struct sockaddr *)to, to != NULL ? sizeof *to : 0);
}

/* A network between a guest and a host that delays, reorders and loses datagrams. */
typedef struct Network {
    int to_guest, to_host; /* sockets */
    struct sockaddr_in guest;
    SDL_Thread *thread;
    SDL_atomic_t quit;
    uint32_t random;
    int lost;
    struct {
        double due; /* s; 0: the place is free */
        bool for_host;
        size_t count;
        unsigned char bytes[DATAGRAM];
    } under_way[UNDER_WAY];
} Network;

/* 50 ms, 10 ms more or less, and one of 50 datagrams is lost. */
static void put_under_way(Network *network, bool for_host, const unsigned char *bytes, size_t count)
{
    network->random = network->random * 1664525u + 1013904223u;
    const uint32_t roll = network->random >> 8;
    if (roll % 50 == 0) {
        network->lost++;
        return;
    }
    for (int p = 0; p < UNDER_WAY; p++) {
        if (network->under_way[p].due != 0)
            continue;
        network->under_way[p].due = clock_seconds() + 0.04 + 0.02 * (roll % 1000) / 1000;
        network->under_way[p].for_host = for_host;
        network->under_way[p].count = count;
        memcpy(network->under_way[p].bytes, bytes, count);
        return;
    }
}

static int pass_on(void *data)
{
    Network *network = data;
    unsigned char bytes[DATAGRAM];
    ssize_t count;
    for (; SDL_AtomicGet(&network->quit) == 0; SDL_Delay(1)) {
        socklen_t size = sizeof network->guest;
        while ((count = recvfrom(network->to_guest, bytes, sizeof bytes, 0,
                                 (struct sockaddr *)&network->guest, &size)) > 0)
            put_under_way(network, true, bytes, (size_t)count);
        while ((count = recv(network->to_host, bytes, sizeof bytes, 0)) > 0)
            put_under_way(network, false, bytes, (size_t)count);
        for (int p = 0; p < UNDER_WAY; p++) {
            if (network->under_way[p].due == 0 || network->under_way[p].due > clock_seconds())
                continue;
            network->under_way[p].due = 0;
            if (network->under_way[p].for_host)
                send_datagram(network->to_host, network->under_way[p].bytes,
                              network->under_way[p].count, NULL);
            else
                send_datagram(network->to_guest, network->under_way[p].bytes,
                              network->under_way[p].count, &network->guest);
        }
    }
    return 0;
}

/* Opens a network to a host of this machine, "NAME:PORT", and writes the address of its near end.
 */
static void open_network(Network *network, const char *host, char *address, size_t room)
{
    struct sockaddr_in at = {.sin_family = AF_INET}, to = at;
    socklen_t size = sizeof at;
    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    to.sin_addr = at.sin_addr;
    to.sin_port = htons((uint16_t)atoi(strrchr(host, ':') + 1));
    network->to_guest = socket(AF_INET, SOCK_DGRAM, 0);
    network->to_host = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(bind(network->to_guest, (struct sockaddr *)&at, sizeof at) == 0);
    assert_true(connect(network->to_host, (struct sockaddr *)&to, sizeof to) == 0);
    fcntl(network->to_guest, F_SETFL, O_NONBLOCK);
    fcntl(network->to_host, F_SETFL, O_NONBLOCK);
    getsockname(network->to_guest, (struct sockaddr *)&at, &size);
    snprintf(address, room, "127.0.0.1:%d", ntohs(at.sin_port));
    network->thread = SDL_CreateThread(pass_on, "far", network);
    assert_non_null(network->thread);
}

static void close_network(Network *network)
{
    SDL_AtomicSet(&network->quit, 1);
    SDL_WaitThread(network->thread, NULL);
    close(network->to_guest);
    close(network->to_host);
}

static void distant_hands_have_one_smoke(void **state)
{
    (void)state;
    static Network network;
    char address[64];
    Side host = open_host();
    const ShareStatus status = share_status(host.share);
    open_network(&network, status.address, address, sizeof address);
    Side guest = join_at(address, status.key, "Ben");
    for (uint32_t seed = 11; seed <= 13; seed++) {
        play_together(&host, &guest, seed, 70);
        assert_same(&host, &guest, &guest);
        act(&guest, (SimCommand){SIM_PAUSE, .on = false});
        wait_until(!sim_thread_paused(host.sim) && !sim_thread_paused(guest.sim));
    }
    assert_int_equal(share_status(host.share).differences, 0);
    assert_true(share_status(host.share).people[1].net.delay > 50);
    close_side(&guest);
    close_side(&host);
    close_network(&network);
    assert_true(network.lost > 0);
}

static void another_scene_brings_a_state(void **state)
{
    (void)state;
    Side host = open_host(), guest = join_host(&host, "Ben");
    unsigned char *bytes;
    size_t count;
    wait_until(steps_of(&guest) > 40);
    stop(&host);
    start_hosting(&host);
    wait_until(share_state(guest.share, &bytes, &count));
    stop(&guest);
    start_following(&guest, bytes, count, share_table(guest.share));
    play_together(&host, &guest, 6, 40);
    assert_same(&host, &guest, &guest);
    assert_int_equal(share_status(host.share).differences, 0);
    close_side(&guest);
    close_side(&host);
}

static void who_is_left_plays_alone(void **state)
{
    (void)state;
    Side host = open_host(), guest = join_host(&host, "Ben");
    play_together(&host, &guest, 7, 30);
    close_side(&host);
    wait_until(share_status(guest.share).ended);
    assert_string_equal(share_status(guest.share).notice.text,
                        "playing alone: the host has closed the session");
    uint64_t steps = steps_of(&guest);
    wait_until(steps_of(&guest) > steps + 10);
    uint64_t resets = sim_thread_snapshot(guest.sim)->resets;
    act(&guest, (SimCommand){.kind = SIM_RESET}); /* its own hand acts again */
    wait_until(sim_thread_snapshot(guest.sim)->resets > resets);
    close_side(&guest);
}

/* Looks what has come, as a window that watches does. */
static uint64_t shown_steps(World *world)
{
    BillowError error = {{0}};
    if (world_poll(world, &error) != WORLD_NOTHING)
        fail_msg("%s", error.text);
    return world_snapshot(world)->steps;
}

/* Who watches takes no step, and has the host's state all the same; what its hand does is in the
 * host's smoke. It stays one simulation, also when settings change. */
static void who_watches_has_the_hosts_smoke(void **state)
{
    (void)state;
    static Scene scene;
    BillowError error = {{0}};
    Side host = open_host();
    const ShareStatus status = share_status(host.share);
    const SceneRequest request = {.name_or_path = "t"};
    World world;
    Side guest = {
        .share = open_share(&(ShareDef){
            .address = status.address, .key = status.key, .name = "Dan", .watches = true})};
    unsigned char *bytes;
    size_t count;
    if (!share_wait(guest.share, PATIENCE, NULL, &bytes, &count, &error) ||
        !world_open_shared(&world, &request, guest.share, bytes, count, 1, &error))
        fail_msg("%s", error.text);
    guest.sim = world.sim;
    assert_string_equal(share_status(host.share).notice.text, "Dan watches");
    assert_false(sim_thread_paused(guest.sim));
    wait_until(shown_steps(&world) > 5);
    /* the hand of who watches: its smoke is the host's */
    BillowEmitter emitter = the_scene().brush;
    emitter.smoke = 50;
    act(&guest, (SimCommand){SIM_BRUSH, .emitter = emitter});
    const double before = sim_thread_snapshot(host.sim)->stats.mass_sources;
    wait_until(sim_thread_snapshot(host.sim)->stats.mass_sources > before + 1e-3);
    act(&guest, (SimCommand){.kind = SIM_BRUSH_END});
    /* settings of the host */
    scene = the_scene();
    scene.def.params.buoyancy = 0.03f;
    scene.render.exposure = 0.123f;
    SimSettings settings = {.def = scene_def(&scene), .step = (double)scene.step, .scene = &scene};
    act(&host, (SimCommand){SIM_SETTINGS, .settings = &settings});
    wait_until(((void)shown_steps(&world), world.scene.render.exposure == 0.123f));
    act(&host, (SimCommand){SIM_PAUSE, .on = true});
    wait_until(sim_thread_paused(host.sim));
    wait_until(shown_steps(&world) == steps_of(&host));
    SDL_Delay(50);
    wait_until(shown_steps(&world) == steps_of(&host));
    assert_true(saved_hash(&host) == saved_hash(&guest));
    assert_true(world.sim == guest.sim && world.steps_before == 0);
    /* nothing more is sent while nothing changes */
    const double sent = share_status(host.share).bytes_sent;
    SDL_Delay(300);
    assert_true(share_status(host.share).bytes_sent < sent + 20000);
    act(&host, (SimCommand){.kind = SIM_RESET});
    wait_until(((void)shown_steps(&world), world_snapshot(&world)->view.time == 0));
    close_side(&host);
    wait_until(share_status(guest.share).ended);
    wait_until(((void)shown_steps(&world), !world_follows(&world)));
    const uint64_t steps = shown_steps(&world);
    SDL_Delay(100);
    assert_true(shown_steps(&world) == steps); /* it has not begun to compute */
    world_close(&world);
    share_close(guest.share);
}

static void states_that_cannot_be_unpacked_are_left(void **state)
{
    (void)state;
    Side host = open_host(), guest = join_host(&host, "Ben");
    TurnBytes bytes = {NULL, 0, 0, false};
    unsigned char *none;
    size_t count;
    turn_put(&bytes, "BILLOWSP", 8);
    turn_put64(&bytes, 100000);
    turn_put(&bytes, "these are no packed bytes", 25);
    share_table(host.share)->welcome(host.share, 1, &bytes, NULL);
    wait_until((share_state(guest.share, &none, &count), share_status(guest.share).ended));
    assert_string_equal(share_status(guest.share).why, "the host's smoke cannot be unpacked");
    close_side(&guest);
    close_side(&host);
}

static void wrong_addresses_are_refused(void **state)
{
    (void)state;
    BillowError error = {{0}};
    assert_null(share_open(&(ShareDef){.address = "here:0x7", .key = KEY}, &error));
    assert_non_null(strstr(error.text, "a port is a number from 1 to 65535"));
    assert_null(share_open(&(ShareDef){.address = "a:b:7", .key = KEY}, &error));
    assert_string_equal(error.text, "a:b:7 is no address: NAME or NAME:PORT; sessions use IPv4");
    assert_null(share_open(&(ShareDef){.address = "fe80::1", .key = KEY}, &error));
    assert_string_equal(error.text, "fe80::1 is no address: NAME or NAME:PORT; sessions use IPv4");
    assert_null(share_open(&(ShareDef){.address = ":7", .key = KEY}, &error));
    assert_string_equal(error.text, ":7 is no address: NAME or NAME:PORT");
    assert_null(share_open(&(ShareDef){.address = "127.0.0.1:7", .key = "1234"}, &error));
    assert_non_null(strstr(error.text, "this is no key"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hands_have_one_smoke),
        cmocka_unit_test(settings_are_shared),
        cmocka_unit_test(refused_settings_are_taken_back),
        cmocka_unit_test(changes_take_no_memory),
#ifdef __linux__
        cmocka_unit_test(a_step_is_hashed_once),
#endif
        cmocka_unit_test(differences_are_healed),
        cmocka_unit_test(impossible_commands_are_sent_away),
        cmocka_unit_test(lies_about_states_are_sent_away),
        cmocka_unit_test(impossible_logs_are_left),
        cmocka_unit_test(distant_hands_have_one_smoke),
        cmocka_unit_test(another_scene_brings_a_state),
        cmocka_unit_test(who_is_left_plays_alone),
        cmocka_unit_test(who_watches_has_the_hosts_smoke),
        cmocka_unit_test(states_that_cannot_be_unpacked_are_left),
        cmocka_unit_test(wrong_addresses_are_refused),
    };
    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
