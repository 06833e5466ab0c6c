/* SPDX-License-Identifier: MIT
 *
 * Reads OpenVDB files: fog volumes, level sets and velocities of Blender, Houdini and others, in a
 * process of its own (isolated.h). Writing them is a row of the table in volume_file.h. All lengths
 * are in the file's own coordinates, m. */
#ifndef IO_VDB_FILE_H
#define IO_VDB_FILE_H

#include "io/isolated.h"
#include "io/volume_file.h"

/* larger files are refused, bytes */
#define VDB_FILE_BYTES_MAX ((size_t)1 << 30)

typedef struct VdbFile VdbFile;

typedef struct VdbGrid {
    int components;         /* 1: numbers; 3: vectors */
    int distances;          /* not 0: it is a level set, the distance from a surface */
    double low[3], high[3]; /* box around its active voxels; low = high = 0 if there are none */
    double voxel;           /* shortest edge of a voxel */
    double sum;             /* integral over the active voxels; 0 for vectors */
    double outside; /* value of a fog between and around its active voxels, where it counts as
                       0 all the same */
    int empty;      /* not 0: it has no active voxels */
} VdbGrid;

/* Points at which a grid is sampled. Point (i, j, k) is at first + i step[0] + j step[1] + k
 * step[2]; the steps have the same length and are at right angles. */
typedef struct VdbLattice {
    int n[3];
    double first[3], step[3][3];
    int covered; /* not 0: means are those of the active voxels alone, as of a colour */
} VdbLattice;

/* Reads an ordinary file. Returns NULL and a message that starts with the path if it cannot be
 * read, is damaged, or if this build has no OpenVDB. kept: the process that reads, for a sequence
 * of files; starts as NULL, receives a process if none is alive, and is ended by vdb_file_end after
 * the files are closed. NULL: the process ends with the file. */
VdbFile *vdb_file_open(const char *path, Isolated **kept, BillowError *error);
/* Reads a file from memory. The message does not contain a path. */
VdbFile *vdb_file_read(const char *bytes, size_t length, Isolated **kept, BillowError *error);
void vdb_file_close(VdbFile *file); /* NULL is fine */
void vdb_file_end(Isolated *kept);  /* NULL is fine */

/* Memory that reading the file took, bytes: the peak of its process; 0 if unknown. */
uint64_t vdb_file_memory(const VdbFile *file);

/* The functions below fail if the process has ended. */

/* Describes the grid of a name, in any case, with numbers or vectors of 32 or 64 bits. False if
 * there is none. */
bool vdb_file_grid(const VdbFile *file, const char *name, VdbGrid *grid);
/* Lists the names of all grids, with commas between, and says what cannot be read as smoke. */
void vdb_file_names(const VdbFile *file, char *names, size_t size);
/* Finds a grid of numbers: the wanted one, or, if that is "density", one that is called smoke, or
 * else the only fog, or else the only level set. level_sets: whether those count. name: receives
 * its name. False if there is none. */
enum { VDB_NAME = 64 };
bool vdb_file_find(const VdbFile *file, const char *wanted, bool level_sets, char name[VDB_NAME],
                   VdbGrid *grid);
/* The upward axis that the file states, as files of Billow do; false if it states none. */
bool vdb_file_up(const VdbFile *file, VolumeUp *up);

/* Samples a grid: by trilinear interpolation where its voxels are larger than the steps; otherwise
 * each value is the integral of the grid over the cube of a step around the point, divided by that
 * cube's volume, so that the sum is that of the voxels. Distances are always interpolated. Vectors
 * of staggered grids are at their faces. values: receives n[0] n[1] n[2] values of `components`
 * numbers each, x innermost. Fails if a number is not finite, and says in which voxel. */
bool vdb_file_sample(const VdbFile *file, const char *name, const VdbLattice *lattice,
                     int components, float *values, BillowError *error);

/* Replaces samples of a function that is negative inside a shape by distances from the surface
 * where it is 0, in steps of the lattice. Distances are correct up to VDB_BAND and are limited to
 * it. */
#define VDB_BAND 8
bool vdb_file_distance(const VdbFile *file, const int n[3], float *values, BillowError *error);

/* The functions of the module, as VDB_MAKE is in volume_file.h. Only billow-reader calls them. */
typedef struct VdbOpened VdbOpened;

typedef struct VdbReader {
    void (*prepare)(void (*out_of_memory)(void)); /* NULL: the functions fail */
    VdbOpened *(*read)(const char *bytes, size_t length, BillowError *error);
    void (*close)(VdbOpened *file);
    bool (*grid)(const VdbOpened *file, const char *name, VdbGrid *grid);
    bool (*only)(const VdbOpened *file, bool level_set, char name[VDB_NAME]);
    void (*names)(const VdbOpened *file, char *names, size_t size);
    bool (*up)(const VdbOpened *file, VolumeUp *up);
    bool (*sample)(const VdbOpened *file, const char *name, const VdbLattice *lattice,
                   float *values, BillowError *error);
    bool (*distance)(const int n[3], float *values, BillowError *error);
} VdbReader;

#define VDB_READER "billow_vdb_reader" /* the name of this structure */

#endif
