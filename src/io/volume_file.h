/* SPDX-License-Identifier: MIT
 *
 * Files with the fields of one moment, for other programs: all values at cell centres, in SI units.
 * billow_list_fields gives the fields. The table of formats is indexed by the ending of the file's
 * name. */
#ifndef IO_VOLUME_FILE_H
#define IO_VOLUME_FILE_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- the fields of one moment ------------------------------------------------------------------ */

typedef struct VolumeField {
    BillowField of;   /* name, unit, meaning and number of components */
    float background; /* value of each component in empty space */
    float least; /* sparse files omit cells whose components all differ from background by less than
                    this */
    float *values; /* cell (i, j, k) at components * (i + n[0] * (j + n[1] * k)), no padding */
} VolumeField;

/* The axis of the file that points up, against gravity: y as in Billow, Houdini and ParaView, or z
 * as in Blender. With z, positions and vectors (x, y, z) become (x, -z, y). */
typedef enum VolumeUp { VOLUME_UP_Y, VOLUME_UP_Z } VolumeUp;

typedef struct VolumeFrame {
    int n[3];
    double cell_size, origin[3]; /* m; origin: corner of cell (0, 0, 0) */
    double time;                 /* s */
    const char *scene;           /* name of the scene */
    VolumeUp up;
    bool whole_floats; /* .vdb: 32 bits per number instead of 16 */
    int field_count;
    VolumeField fields[BILLOW_FIELDS_MAX];
} VolumeFrame;

/* Name of field `index`, such as "density"; NULL after the last. */
const char *volume_field_name(int index);

/* The fields that a simulation has: bit `index` is set for volume_field_name(index). */
unsigned volume_fields_of(const BillowDef *def);

/* Allocates fields (bits of volume_fields_of) for a simulation's grid. threshold: cells with a
 * smaller density count as empty. scene must outlive the frame. */
bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned fields, VolumeUp up,
                         float threshold, const char *scene, BillowError *error);
void volume_frame_destroy(VolumeFrame *frame); /* zeros are fine */

/* Copies the fields of a view with the frame's grid. A velocity is the mean of a cell's two faces.
 * A colour is that of the smoke itself, and white in empty cells. */
void volume_frame_fill(VolumeFrame *frame, const BillowView *view);

/* -- the formats ------------------------------------------------------------------------------- */

typedef struct VolumeFormat {
    const char *ending; /* ending of file names, in lower case, such as ".vdb" */
    const char
        *standard_output; /* name for writing this format to standard output, such as "vdb:-" */
    VolumeUp up;          /* the usual upward axis of this format */
    bool sparse;          /* omits empty cells and offers 16-bit numbers */
    bool listed;          /* a sequence of files gets a list, a .pvd file */
    /* Whether this build can write the format; otherwise a message says what to do. NULL: always.
     */
    bool (*available)(BillowError *error);
    /* Writes a complete file or none (atomic_file.h). Path "-" is standard output. */
    bool (*write)(const char *path, const VolumeFrame *frame, BillowError *error);
} VolumeFormat;

/* The format of a file's name, by its ending in any case, or of a name for standard output. NULL:
 * unknown. */
const VolumeFormat *volume_format(const char *name);

/* OpenVDB, for Blender and Houdini: one grid per field, scalars as fog volumes, with unit, scene
 * and time as metadata. Index (i, j, k) is the cell's centre. 16-bit numbers are limited to 65504.
 * Equal frames give equal bytes with the same version of OpenVDB. */
bool vdb_file_available(BillowError *error);
bool vdb_file_write(const char *path, const VolumeFrame *frame, BillowError *error);

/* VTK ImageData, for ParaView: cell data in single precision, compressed by zlib, with units
 * (information key UNITS_LABEL), time (field data TimeValue) and scene. Equal frames give equal
 * bytes on all machines. */
bool vti_file_write(const char *path, const VolumeFrame *frame, BillowError *error);

/* Writes the name of file `number` of a sequence into a buffer of PVD_NAME bytes. */
enum { PVD_NAME = 4096 };
typedef bool (*PvdName)(const void *context, int number, char *name, BillowError *error);

/* Writes the .pvd list that plays a .vti sequence as an animation. The files first to last are in
 * the list's folder; file n has the time n / fps. */
bool pvd_file_write(const char *path, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error);

/* -- the module for OpenVDB -------------------------------------------------------------------- */

/* The function of the module billow_openvdb: makes a whole file as bytes, which the caller frees.
 * The module is loaded on the first .vdb file, since linking the large OpenVDB would make each
 * start of the program several times as slow. */
typedef bool VdbMake(const VolumeFrame *frame, void **bytes, size_t *size, BillowError *error);

#define VDB_MAKE "billow_vdb_make" /* its name */

#ifdef __cplusplus
}
#endif

#endif
