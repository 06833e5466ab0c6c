/* SPDX-License-Identifier: MIT
 * Files of particles. The first byte selects the kind of file: z for .npz, others for .csv. What is
 * taken is in order and has no number beyond 1e9. */
#include "fuzz.h"

#include "io/particle_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ParticleFile file;
    BillowError error;
    memset(&error, 0, sizeof error);
    if (size < 1)
        return 0;
    char *bytes = malloc(size);
    FUZZ_HOLDS(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    const bool npz = data[0] == 'z';
    bool read = particle_file_read(bytes, size - 1, npz, &file, &error);
    free(bytes);
    if (!read) {
        FUZZ_HOLDS(error.text[0] != '\0' && file.particles == NULL);
        return 0;
    }
    fuzz_count(npz ? "were taken of .npz" : "were taken");
    for (int p = 0; p < file.count; p++) {
        const Particle *particle = &file.particles[p];
        FUZZ_HOLDS(particle->radius >= 0 && particle->radius <= 1e9);
        for (int axis = 0; axis < 3; axis++)
            FUZZ_HOLDS(fabs(particle->place[axis]) <= 1e9 && fabs(particle->velocity[axis]) <= 1e9);
        FUZZ_HOLDS(p == 0 || particle[-1].time <= particle->time);
    }
    particle_file_free(&file);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (size < 2 || fuzz_random(&seed, 16) == 0)
        return fuzz_mutate_part(data, size, most, 0, size);
    if (data[0] == 'z')
        return fuzz_mutate_inside(data, size, 1, size, &seed);
    return fuzz_mutate_text(data, size, most, 1, size, &seed);
}
