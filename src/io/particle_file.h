/* SPDX-License-Identifier: MIT
 *
 * Particles that another program has moved, from .csv and .npz files. A file has columns, in any
 * order: the place x, y and z, and where it has them time, id, velocity vx, vy and vz, and radius.
 * A .csv file names them in its first line. In an .npz file they are arrays of one number a
 * particle; `position` and `velocity` are arrays of three. */
#ifndef IO_PARTICLE_FILE_H
#define IO_PARTICLE_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Particle {
    double time; /* s */
    double
        id; /* what a particle keeps from moment to moment; without ids, its number in the file */
    double place[3], velocity[3];
    double radius;
} Particle;

typedef struct ParticleFile {
    Particle *particles; /* by rising time, those of one time by rising id */
    int count;
    bool times, ids, velocities, radii; /* whether the file has them; otherwise time, velocity and
                                           radius are 0 */
} ParticleFile;

/* larger files are refused, bytes */
#define PARTICLE_FILE_BYTES_MAX ((size_t)1 << 30)
/* more particles, those of all times together, are refused */
enum { PARTICLE_FILE_MAX = 20000000 };

/* Loads an ordinary file, as its ending says. The message starts with the path. A file may have no
 * particle. */
bool particle_file_load(const char *path, ParticleFile *file, BillowError *error);
/* Reads a file's contents, which a 0 follows. npz: of an .npz file. The message has no path. */
bool particle_file_read(const char *bytes, size_t length, bool npz, ParticleFile *file,
                        BillowError *error);
void particle_file_free(ParticleFile *file); /* {0} is fine */

#endif
