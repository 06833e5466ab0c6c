/* SPDX-License-Identifier: MIT
 * .vdb files, read in the process that reads files of strangers. Whatever a file does to that, this
 * process gets values that are finite, or one line. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "io/vdb_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EDGE = 8 };

static void sample(const VdbFile *file, const char *name)
{
    VdbGrid grid;
    BillowError error = {""};
    float values[3 * EDGE * EDGE * EDGE];
    if (!vdb_file_grid(file, name, &grid))
        return;
    VdbLattice lattice = {.n = {EDGE, EDGE, EDGE}};
    for (int axis = 0; axis < 3; axis++) {
        FUZZ_HOLDS(grid.low[axis] <= grid.high[axis]);
        lattice.first[axis] = grid.low[axis];
        lattice.step[axis][axis] = (grid.high[axis] - grid.low[axis]) / EDGE;
    }
    if (!vdb_file_sample(file, name, &lattice, grid.components, values, &error)) {
        FUZZ_HOLDS(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
        return;
    }
    for (int v = 0; v < EDGE * EDGE * EDGE * grid.components; v++)
        FUZZ_HOLDS(isfinite(values[v]));
    if (grid.components == 1 && vdb_file_distance(file, lattice.n, values, &error))
        for (int v = 0; v < EDGE * EDGE * EDGE; v++)
            FUZZ_HOLDS(fabsf(values[v]) <= VDB_BAND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Isolated *reader;
    static long ends; /* how many files have ended the process that reads them */
    char names[ISOLATED_NAMES];
    VolumeUp up;
    BillowError error = {""};
    VdbFile *file = vdb_file_read((const char *)data, size, &reader, &error);
    if (file != NULL) {
        vdb_file_names(file, names, sizeof names);
        vdb_file_up(file, &up);
        sample(file, "density");
        sample(file, "vel");
        sample(file, strtok(names, ",") != NULL ? names : "");
        vdb_file_close(file);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    if (reader != NULL && !isolated_is_alive(reader))
        fprintf(stderr, "%ld. end: %s\n", ++ends, error.text);
    return 0;
}
