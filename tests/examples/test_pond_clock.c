/* SPDX-License-Identifier: MIT
 * The clocks of examples/pond_clock.c: in one process with a network made of a list, and in two
 * processes on the loopback interface. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pond_clock.c"

#include <signal.h>
#include <sys/wait.h>

static const PondRanges ranges = {24, 21, 4, 6};
static const double slice_time = 1.0 / POND_SLICE_RATE;

/* The next number below 1 (an LCG). */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) * 0x1p-24;
}

/* -- a network of a list --------------------------------------------------------------------- */

enum { ON_THE_WAY = 64 };

typedef struct Side {
    PondClock clock;
    double offset, rate; /* of the local clock */
    double next_frame;   /* true time */
    PondState state, theirs;
    int heard; /* new states */
} Side;

typedef struct Message {
    double arrives; /* true time; infinite = free */
    int to;
    uint8_t bytes[POND_PACKET];
} Message;

typedef struct Network {
    Side sides[2]; /* master, follower */
    Message messages[ON_THE_WAY];
    double delay, jitter, loss, twice; /* s; parts of all packets */
    bool cut;
    uint64_t seed;
} Network;

static double local_time(const Side *side, double now)
{
    return side->offset + side->rate * now;
}

static void make_network(Network *network, double delay, double jitter, double loss)
{
    *network = (Network){.delay = delay, .jitter = jitter, .loss = loss, .twice = loss, .seed = 7};
    network->sides[0] = (Side){.offset = 3.7, .rate = 1.01, .next_frame = 0.004};
    network->sides[1] = (Side){.offset = -12, .rate = 0.97, .next_frame = 0.017};
    for (int s = 0; s < 2; s++) {
        pond_clock_init(&network->sides[s].clock, s == 1, 100 + (uint32_t)s, ranges);
        network->sides[s].state = (PondState){.x = 3 + (float)s, .y = 4, .u = 1, .raining = true};
    }
    for (int m = 0; m < ON_THE_WAY; m++)
        network->messages[m].arrives = INFINITY;
}

static void post(Network *network, double now, int to, const uint8_t *bytes)
{
    int copies = draw(&network->seed) < network->twice ? 2 : 1;
    for (int m = 0; m < ON_THE_WAY && copies > 0; m++) {
        Message *message = &network->messages[m];
        if (!isinf(message->arrives))
            continue;
        copies--;
        if (network->cut || draw(&network->seed) < network->loss)
            continue;
        message->arrives = now + network->delay + network->jitter * draw(&network->seed);
        message->to = to;
        memcpy(message->bytes, bytes, POND_PACKET);
    }
}

static void deliver(Network *network, double now)
{
    for (int m = 0; m < ON_THE_WAY; m++) {
        Message *message = &network->messages[m];
        if (message->arrives > now)
            continue;
        Side *side = &network->sides[message->to];
        uint8_t answer[POND_PACKET];
        bool is_new;
        double local = local_time(side, message->arrives);
        PondTaken taken = pond_clock_take(&side->clock, local, message->bytes, POND_PACKET,
                                          &side->theirs, &is_new);
        side->heard += is_new;
        message->arrives = INFINITY;
        if (taken != POND_ANSWER)
            continue;
        pond_clock_answer(&side->clock, message->bytes, local, local_time(side, now), &side->state,
                          answer);
        post(network, now, 1 - message->to, answer);
    }
}

/* A tick of 0.5 ms of true time. Both sides run their slices in frames of their own, 30 in a second
 * of their clocks. */
static void tick(Network *network, double now)
{
    uint8_t packet[POND_PACKET];
    deliver(network, now);
    for (int s = 0; s < 2; s++) {
        Side *side = &network->sides[s];
        double local = local_time(side, now);
        if (pond_clock_ask(&side->clock, local, &side->state, packet))
            post(network, now, 1 - s, packet);
        if (now < side->next_frame)
            continue;
        side->next_frame += 1 / 30.0 / side->rate;
        pond_clock_slices(&side->clock, local);
        side->state.slices = side->clock.slices;
    }
}

/* Difference of the shared times of both sides at the same moment, s. */
static double difference(const Network *network, double now)
{
    const Side *sides = network->sides;
    return pond_clock_time(&sides[1].clock, local_time(&sides[1], now)) -
           pond_clock_time(&sides[0].clock, local_time(&sides[0], now));
}

/* Largest difference from `first` to `last`, in slices. Neither side leaves out slices then. */
static double run_network(Network *network, double begin, double first, double last)
{
    double most = 0;
    int64_t skipped = -1;
    for (double now = begin; now < last; now += 0.0005) {
        tick(network, now);
        if (now < first)
            continue;
        if (skipped < 0)
            skipped = network->sides[0].clock.skipped + network->sides[1].clock.skipped;
        most = fmax(most, fabs(difference(network, now)) / slice_time);
    }
    assert_int_equal(network->sides[0].clock.skipped + network->sides[1].clock.skipped, skipped);
    return most;
}

/* Clocks 15.7 s apart, 1 % too fast and 3 % too slow, over a network that delays, reorders, loses
 * and doubles packets: less than a slice apart from the first second to the end. */
static void test_clocks_stay_in_step(void **state)
{
    (void)state;
    const double networks[][3] = {
        {0.0001, 0, 0}, {0.015, 0.002, 0}, {0.015, 0.01, 0.1}, {0.1, 0.01, 0.05}};
    for (int n = 0; n < 4; n++) {
        Network network;
        make_network(&network, networks[n][0], networks[n][1], networks[n][2]);
        double most = run_network(&network, 0, 1, 20), settled = run_network(&network, 20, 20, 25);
        const Side *sides = network.sides;
        print_message(
            "delay %.1f to %.1f ms, %.0f %% lost: at most %.3f slices apart after 1 s, %.3f "
            "after 20 s; rate measured %.5f\n",
            1e3 * network.delay, 1e3 * (network.delay + network.jitter), 100 * network.loss, most,
            settled, 1 + sides[1].clock.drift);
        assert_true(most < 1 && settled < 0.5);
        assert_true(fabs(1 + sides[1].clock.drift - 1.01 / 0.97) < 0.002);
        assert_true(sides[0].heard > 300 && sides[1].heard > 300);
        assert_true(sides[1].theirs.raining && fabsf(sides[1].theirs.x - 3) < 1e-4f &&
                    fabsf(sides[0].theirs.x - 4) < 1e-4f);
    }
}

/* The same with the fastest clock beside the slowest. */
static void test_ends_of_the_clock_rates(void **state)
{
    (void)state;
    const double rates[] = {POND_RATE_LEAST, POND_RATE_MOST};
    for (int fast = 0; fast < 2; fast++) {
        Network network;
        make_network(&network, 0.015, 0.002, 0);
        Side *sides = network.sides;
        sides[0].rate = rates[fast], sides[1].rate = rates[1 - fast];
        double most = run_network(&network, 0, 1, 10);
        print_message("master at %.1f, follower at %.1f: at most %.3f slices apart, rate measured "
                      "%.5f, trip %.2f ms\n",
                      sides[0].rate, sides[1].rate, most, 1 + sides[1].clock.drift,
                      1e3 * sides[1].clock.trip);
        assert_true(most < 1);
        assert_true(fabs(1 + sides[1].clock.drift - sides[0].rate / sides[1].rate) < 0.002);
        assert_true(sides[1].clock.trip > 0);
    }
}

/* The slices run are the whole part of shared time, and the remainder is carried over: however the
 * time is cut, none is lost. */
static void test_slices_carry_the_remainder(void **state)
{
    (void)state;
    PondClock clock;
    uint64_t seed = 3;
    double now = 5.1234;
    pond_clock_init(&clock, false, 1, ranges);
    assert_int_equal(pond_clock_slices(&clock, now), 0);
    int64_t sum = (int64_t)floor(now * POND_SLICE_RATE);
    for (int frame = 0; frame < 1000; frame++) {
        now += 0.05 * draw(&seed);
        sum += pond_clock_slices(&clock, now);
        assert_int_equal(sum, (int64_t)floor(now * POND_SLICE_RATE));
        assert_int_equal(clock.slices, sum);
    }
    assert_int_equal(pond_clock_slices(&clock, now - 0.02), 0); /* a clock set back waits */
    assert_int_equal(pond_clock_slices(&clock, now), 0);
    assert_int_equal(pond_clock_slices(&clock, now + 10), POND_CATCH_UP);
    assert_int_equal(pond_clock_slices(&clock, now + 10 + 2 * slice_time), 2);
}

/* Without the master the follower goes on by what it knows of the rates. When the master is back,
 * with another clock, it is in step again. */
static void test_lost_peer(void **state)
{
    (void)state;
    Network network;
    make_network(&network, 0.002, 0.001, 0);
    Side *sides = network.sides;
    assert_true(run_network(&network, 0, 1, 5) < 1);
    network.cut = true;
    assert_true(run_network(&network, 5, 5, 6.5) < 1);
    assert_false(pond_clock_lost(&sides[1].clock, local_time(&sides[1], 6.5)));
    run_network(&network, 6.5, 7.5, 15);
    assert_true(pond_clock_lost(&sides[1].clock, local_time(&sides[1], 15)));
    assert_true(pond_clock_lost(&sides[0].clock, local_time(&sides[0], 15)));
    print_message("10 s after the last packet the clocks are %.3f slices apart\n",
                  difference(&network, 15) / slice_time);
    assert_true(fabs(difference(&network, 15)) < 4 * slice_time);
    network.cut = false;
    sides[0].offset = 1000;
    pond_clock_init(&sides[0].clock, false, 555, ranges);
    assert_true(run_network(&network, 15, 16.5, 20) < 1);
    assert_false(pond_clock_lost(&sides[1].clock, local_time(&sides[1], 20)));
    assert_true(pond_clock_time(&sides[1].clock, local_time(&sides[1], 20)) > 1000);
}

/* -- what comes from elsewhere --------------------------------------------------------------- */

static void check_sane(const Side *side, double now)
{
    double shared = pond_clock_time(&side->clock, local_time(side, now));
    assert_true(isfinite(shared));
    assert_true(side->theirs.x >= 0 && side->theirs.x <= ranges.width);
    assert_true(fabsf(side->theirs.u) <= ranges.speed && fabsf(side->theirs.heading) <= 3.15f);
}

/* Garbage of all sizes, and packets of which one byte was changed, while the clocks are in step:
 * nothing of it counts as a measurement, and the clocks stay in step. */
static void test_garbage_is_ignored(void **state)
{
    (void)state;
    Network network;
    uint64_t seed = 11;
    make_network(&network, 0.002, 0.001, 0);
    run_network(&network, 0, 1, 3);
    double now = 3;
    int taken = 0;
    for (int k = 0; k < 100000; k++) {
        uint8_t bytes[256] = {0};
        Side *side = &network.sides[k % 2];
        double local = local_time(side, now);
        bool is_new;
        size_t size = k % 3 == 0 ? POND_PACKET : (size_t)(256 * draw(&seed));
        for (int b = 0; b < 256; b++)
            bytes[b] = (uint8_t)(256 * draw(&seed));
        if (k % 5 != 0) { /* looks like one */
            memcpy(bytes, "POND\1", 5);
            bytes[5] = k % 2 ? ANSWER : ASK, bytes[6] = (uint8_t)(4 * draw(&seed)), bytes[7] = 0;
            memset(bytes + 20, 0, 4);
        }
        PondTaken result =
            pond_clock_take(&side->clock, local, bytes, size, &side->theirs, &is_new);
        taken += result != POND_IGNORED;
        assert_true(size == POND_PACKET || result == POND_IGNORED);
        check_sane(side, now);
    }
    assert_int_equal(taken, 0);
    assert_true(run_network(&network, 3, 3, 5) < 1);
}

/* Each byte of an ask and of an answer is set to other values. What is taken nevertheless leaves
 * times finite and boats on the pond. */
static void test_changed_packets_do_no_harm(void **state)
{
    (void)state;
    int taken = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int byte = 0; byte < POND_PACKET; byte++)
            for (int value = 0; value < 256; value += 5) {
                Side master = {.rate = 1}, follower = {.offset = 50, .rate = 1};
                uint8_t ask[POND_PACKET] = {0}, answer[POND_PACKET] = {0};
                bool is_new;
                pond_clock_init(&master.clock, false, 1, ranges);
                pond_clock_init(&follower.clock, true, 2, ranges);
                assert_true(pond_clock_ask(&follower.clock, 50, &follower.state, ask));
                if (kind == 0)
                    ask[byte] = (uint8_t)value;
                if (pond_clock_take(&master.clock, 0.001, ask, POND_PACKET, &master.theirs,
                                    &is_new) != POND_ANSWER)
                    continue;
                check_sane(&master, 0);
                pond_clock_answer(&master.clock, ask, 0.001, 0.002, &master.state, answer);
                if (kind == 1)
                    answer[byte] = (uint8_t)value;
                taken += pond_clock_take(&follower.clock, 50.003, answer, POND_PACKET,
                                         &follower.theirs, &is_new) == POND_MEASURED;
                check_sane(&follower, 0);
            }
    print_message("%d of %d changed packets are taken\n", taken, 2 * POND_PACKET * 52);
    assert_true(taken > 100);
}

/* An answer counts once, an old ask not at all, and an answer to nobody's question neither. */
static void test_stale_packets_are_ignored(void **state)
{
    (void)state;
    PondClock master, follower, other;
    PondState mine = {0}, theirs;
    uint8_t asks[2][POND_PACKET] = {{0}}, answer[POND_PACKET] = {0};
    bool is_new;
    pond_clock_init(&master, false, 1, ranges);
    pond_clock_init(&follower, true, 2, ranges);
    pond_clock_init(&other, true, 3, ranges);
    assert_true(pond_clock_ask(&follower, 50, &mine, asks[0]));
    assert_false(pond_clock_ask(&follower, 50.01, &mine, asks[1]));
    assert_true(pond_clock_ask(&follower, 50.06, &mine, asks[1]));
    assert_int_equal(pond_clock_take(&master, 0, asks[1], POND_PACKET, &theirs, &is_new),
                     POND_ANSWER);
    assert_false(is_new); /* not in step: its time stamp means nothing */
    assert_int_equal(pond_clock_take(&master, 0, asks[1], POND_PACKET, &theirs, &is_new),
                     POND_IGNORED);
    assert_int_equal(pond_clock_take(&master, 0, asks[0], POND_PACKET, &theirs, &is_new),
                     POND_IGNORED);
    pond_clock_answer(&master, asks[1], 0, 0, &mine, answer);
    assert_int_equal(pond_clock_take(&other, 0, answer, POND_PACKET, &theirs, &is_new),
                     POND_IGNORED);
    assert_int_equal(pond_clock_take(&master, 0, answer, POND_PACKET, &theirs, &is_new),
                     POND_IGNORED);
    assert_int_equal(pond_clock_take(&follower, 50.061, answer, POND_PACKET, &theirs, &is_new),
                     POND_MEASURED);
    assert_true(is_new);
    assert_int_equal(pond_clock_take(&follower, 50.062, answer, POND_PACKET, &theirs, &is_new),
                     POND_IGNORED);
    pond_clock_answer(&master, asks[0], 0, 0, &mine, answer);
    assert_int_equal(pond_clock_take(&follower, 53, answer, POND_PACKET, &theirs, &is_new),
                     POND_IGNORED); /* too late to tell the time */
}

/* -- two processes --------------------------------------------------------------------------- */

typedef struct Record {
    double real, shared; /* monotonic time of the machine, shared time */
    int64_t slices;      /* that the clock has run at that moment */
} Record;

/* A port that other runs of the test hardly use at the same time. */
static void choose_port(char place[40])
{
    snprintf(place, 40, "127.0.0.1:%d", 20000 + (int)(getpid() % 12000));
}

/* Runs one side, in frames with 10 ms of other work, and writes a record after each. */
static void run_side(bool listens, const char *place, double offset, double rate, double seconds,
                     int out)
{
    char error[200];
    PondClock clock;
    PondState mine = {.x = 1, .y = 1}, theirs;
    PondLink *link = pond_link_open(listens, place, offset, rate, error, sizeof error);
    if (link == NULL)
        _exit(1);
    pond_clock_init(&clock, !listens, pond_link_session(link), ranges);
    for (double end = link->start + seconds; seconds_of(CLOCK_MONOTONIC) < end;) {
        pond_link_exchange(link, &clock, &mine, &theirs, 1 / 60.0);
        double real = seconds_of(CLOCK_MONOTONIC), local = local_of(link, real);
        pond_clock_slices(&clock, local);
        mine.slices = clock.slices;
        Record record = {real, pond_clock_time(&clock, local), clock.slices};
        if (write(out, &record, sizeof record) != sizeof record)
            _exit(1);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    pond_link_close(link);
    _exit(0);
}

static pid_t start_side(bool listens, const char *place, double offset, double rate, double seconds,
                        int *records)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        run_side(listens, place, offset, rate, seconds, ends[1]);
    }
    close(ends[1]);
    *records = ends[0];
    return child;
}

static int read_records(int from, Record *records, int most)
{
    int count = 0;
    while (count < most && read(from, &records[count], sizeof *records) == sizeof *records)
        count++;
    close(from);
    return count;
}

/* Shared time that the line through a side's records gives for a moment. */
static double shared_at(const Record *records, int count, double real)
{
    int k = 1;
    while (k < count - 1 && records[k].real < real)
        k++;
    double part = (real - records[k - 1].real) / (records[k].real - records[k - 1].real);
    return records[k - 1].shared + part * (records[k].shared - records[k - 1].shared);
}

/* Two processes with the clocks above for 4 s, and strangers' packets in between. */
static void test_two_processes(void **state)
{
    (void)state;
    static Record master[1000], follower[1000];
    int master_out, follower_out, status;
    struct sockaddr_in address;
    char place[40], error[200];
    choose_port(place);
    pid_t a = start_side(true, place, 3.7, 1.01, 4.3, &master_out);
    pid_t b = start_side(false, place, -12, 0.97, 4, &follower_out);
    int stranger = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(resolve(false, place, &address, error, sizeof error) && stranger >= 0);
    for (int k = 0; k < 300; k++) {
        uint8_t bytes[2000] = "POND\1a";
        sendto(stranger, bytes, (size_t)(k * 7 % 2000), 0, (struct sockaddr *)&address,
               sizeof address);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    close(stranger);
    int masters = read_records(master_out, master, 1000);
    int followers = read_records(follower_out, follower, 1000);
    assert_true(waitpid(a, &status, 0) == a && status == 0);
    assert_true(waitpid(b, &status, 0) == b && status == 0);
    double most = 0, first = follower[0].real;
    for (int k = 0; k < followers; k++)
        if (follower[k].real > first + 1) {
            double shared = shared_at(master, masters, follower[k].real);
            most = fmax(most, fabs(follower[k].shared - shared));
            double carried = follower[k].shared * POND_SLICE_RATE - (double)follower[k].slices;
            assert_true(carried > -1 && carried < 1); /* below 0 after a fit that moved time back */
        }
    print_message("%d and %d frames; at most %.5f slices apart after 1 s\n", masters, followers,
                  most / slice_time);
    assert_true(masters > 20 && followers > 20 && most < slice_time);
}

/* Places that are none, and one that is taken. */
static void test_places(void **state)
{
    (void)state;
    char error[200], place[40];
    const char *const none[] = {"",      "0",          "65536", "abc", "7000x",
                                ":7000", "127.0.0.1:", "-7000", "*:7"};
    const char *const six[] = {"::1", "::1:7000", "[::1]:7000", "fe80::1%lo:7000"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        assert_null(pond_link_open(true, none[k], 0, 1, error, sizeof error));
        assert_non_null(strstr(error, "must be PORT or ADDRESS:PORT, not"));
    }
    assert_non_null(strstr(error, "not '*:7'; 0.0.0.0:PORT lets other machines connect"));
    for (size_t k = 0; k < sizeof six / sizeof *six; k++) {
        assert_null(pond_link_open(k % 2, six[k], 0, 1, error, sizeof error));
        assert_non_null(strstr(error, "ADDRESS:PORT, IPv4 only, not"));
    }
    assert_null(pond_link_open(false, "7000", 0, 1, error, sizeof error));
    assert_string_equal(error, "--peer: must be ADDRESS:PORT, not '7000'");
    assert_null(pond_link_open(false, "no..name:7000", 0, 1, error, sizeof error));
    const char found[] = "--peer: no IPv4 address of 'no..name' is found: ";
    assert_memory_equal(error, found, strlen(found));
    assert_true(strlen(error) > strlen(found));
    choose_port(place);
    PondLink *link = pond_link_open(true, strchr(place, ':') + 1, 0, 1, error, sizeof error);
    assert_non_null(link);
    assert_null(pond_link_open(true, place, 0, 1, error, sizeof error));
    assert_non_null(strstr(error, "no connection"));
    pond_link_close(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks_stay_in_step),
        cmocka_unit_test(test_ends_of_the_clock_rates),
        cmocka_unit_test(test_slices_carry_the_remainder),
        cmocka_unit_test(test_lost_peer),
        cmocka_unit_test(test_garbage_is_ignored),
        cmocka_unit_test(test_changed_packets_do_no_harm),
        cmocka_unit_test(test_stale_packets_are_ignored),
        cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
