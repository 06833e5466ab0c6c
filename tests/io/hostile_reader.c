/* SPDX-License-Identifier: MIT
 * Stands in for a billow-reader that a file has taken over: it answers the questions of
 * test_hostile_reader in ways that the first byte of the file chooses. */
#include "io/vdb_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void receive(void *bytes, size_t count)
{
    for (char *at = bytes; count > 0;) {
        ssize_t taken = read(0, at, count);
        if (taken <= 0)
            _exit(0);
        at += taken;
        count -= (size_t)taken;
    }
}

static void say(uint32_t what, uint64_t stated, const void *bytes, size_t count)
{
    const IsolatedHead head = {.what = what, .bytes = stated};
    if (write(0, &head, sizeof head) < 0 || (count > 0 && write(0, bytes, count) < 0))
        _exit(0);
}

static void answer_grid(char mode)
{
    VdbGrid grid = {.components = 1, .low = {0, 0, 0}, .high = {1, 1, 1}, .voxel = 0.1};
    if (mode == 'g')
        grid.components = 7;
    if (mode == 'n')
        grid.low[1] = NAN;
    if (mode == 'h')
        grid.high[2] = -5;
    if (mode == 'v')
        grid.voxel = 0;
    if (mode == 'i')
        grid.sum = INFINITY;
    if (mode == 'l')
        say(ISOLATED_GOOD, (uint64_t)1 << 40, &grid, sizeof grid);
    else if (mode == 's')
        say(ISOLATED_GOOD, sizeof grid, &grid, sizeof grid / 2), _exit(3);
    else if (mode == 'c')
        say(7, sizeof grid, &grid, sizeof grid);
    else if (mode == 'r')
        say(ISOLATED_REFUSED, 0, NULL, 0);
    else if (mode == 'R')
        say(ISOLATED_REFUSED, (uint64_t)1 << 30, &grid, sizeof grid);
    else if (mode == 'e')
        close(0), sleep(60);
    else
        say(ISOLATED_GOOD, sizeof grid, &grid, sizeof grid);
}

static void answer(char mode, uint32_t what, size_t length)
{
    const int32_t up = 77, size[2] = {2147483647, mode == 'w' ? 2147483647 : -3};
    char names[ISOLATED_NAMES];
    float *values = calloc(1 << 16, sizeof *values);
    memset(names, '\033', sizeof names);
    switch (what) {
    case ISOLATED_VDB_UP:
        say(ISOLATED_GOOD, sizeof up, &up, sizeof up);
        break;
    case ISOLATED_VDB_NAMES:
        say(ISOLATED_GOOD, sizeof names, names, sizeof names);
        break;
    case ISOLATED_VDB_GRID:
        answer_grid(mode);
        break;
    case ISOLATED_VDB_SAMPLE: /* of 2x2x2 numbers */
        values[3] = mode == 'i' ? INFINITY : NAN;
        if (mode == 'm')
            say(ISOLATED_REFUSED, 9, "\033[2J\nbad\007", 9);
        else
            say(ISOLATED_GOOD, 32, values, 32);
        break;
    case ISOLATED_VDB_DISTANCE:
        values[3] = NAN, values[4] = 1e30f;
        say(ISOLATED_GOOD, length - 12, values, length - 12);
        break;
    default:
        say(ISOLATED_GOOD, sizeof size, size, sizeof size);
    }
    free(values);
}

int main(int count, char **arguments)
{
    char mode = 0;
    if (count < 4 || atoi(arguments[3]) == 1)
        return 5;
    if (atoi(arguments[3]) == 2)
        say(ISOLATED_REFUSED, 7, "nothing", 7);
    else
        say(ISOLATED_GOOD, 0, NULL, 0);
    for (;;) {
        IsolatedHead head;
        const IsolatedOpened opened = {.peak = UINT64_MAX, .file = UINT32_MAX};
        receive(&head, sizeof head);
        char *bytes = malloc(head.bytes + 1);
        receive(bytes, head.bytes);
        if (head.what == ISOLATED_OPEN) {
            mode = bytes[0];
            say(ISOLATED_GOOD, sizeof opened, &opened, sizeof opened);
        } else if (head.what == ISOLATED_CLOSE) {
            say(ISOLATED_GOOD, 0, NULL, 0);
        } else {
            answer(mode, head.what, head.bytes);
        }
        free(bytes);
    }
}
