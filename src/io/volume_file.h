/* SPDX-License-Identifier: MIT
 *
 * The fields of one moment as files for other programs: every value at a cell's centre, in SI
 * units. Which fields there are comes from billow_list_fields; the formats are one table, chosen by
 * the ending of the file's name. */
#ifndef IO_VOLUME_FILE_H
#define IO_VOLUME_FILE_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- the fields of one moment ------------------------------------------------------------------ */

typedef struct VolumeField {
    BillowField of;   /* name, unit, meaning and components */
    float background; /* value of each component in empty space */
    float least;   /* sparse files leave out cells whose components are all nearer to background */
    float *values; /* cell (i, j, k) at components * (i + n[0] * (j + n[1] * k)), no padding */
} VolumeField;

/* Axis of the file that points up, against gravity: y, Billow's own, as in Houdini and ParaView, or
 * z, as in Blender. With z, (x, y, z) becomes (x, -z, y), the components of vectors too. */
typedef enum VolumeUp { VOLUME_UP_Y, VOLUME_UP_Z } VolumeUp;

typedef struct VolumeFrame {
    int n[3];
    double cell_size, origin[3]; /* m; origin is the corner of cell (0, 0, 0) */
    double time;                 /* s */
    const char *scene;           /* name of the scene */
    VolumeUp up;
    bool whole_floats; /* 32 bits per number in .vdb, instead of 16 */
    int field_count;
    VolumeField fields[BILLOW_FIELDS_MAX];
} VolumeFrame;

/* Name of field `index` of all that can be written, "density" and so on; NULL past the last. */
const char *volume_field_name(int index);

/* The fields that a simulation has: bit `index` stands for volume_field_name(index). */
unsigned volume_fields_of(const BillowDef *def);

/* Allocates those fields for a simulation's grid. A cell with a density below threshold counts as
 * empty. scene must live as long as the frame. */
bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned fields, VolumeUp up,
                         float threshold, const char *scene, BillowError *error);
void volume_frame_destroy(VolumeFrame *frame); /* zeros are fine */

/* Copies the fields of a view of that grid. Velocity becomes the mean of a cell's two faces. Colour
 * becomes that of the smoke itself, white in empty cells. */
void volume_frame_fill(VolumeFrame *frame, const BillowView *view);

/* -- the formats ------------------------------------------------------------------------------- */

typedef struct VolumeFormat {
    const char *ending;          /* of file names, in small letters: ".vdb" */
    const char *standard_output; /* name of standard output in this format: "vdb:-" */
    VolumeUp up;                 /* axis that usually points up in it */
    bool sparse;                 /* it leaves out empty cells, and offers 16-bit numbers */
    bool listed;                 /* a sequence of its files has a list, a .pvd file */
    /* Whether this build can write it; a message says what to do. NULL: always. */
    bool (*available)(BillowError *error);
    /* Writes a whole file or nothing (atomic_file.h). Path "-" is standard output. */
    bool (*write)(const char *path, const VolumeFrame *frame, BillowError *error);
} VolumeFormat;

/* The format of a file's name, by its ending in capitals or not, or of a name of standard output.
 * NULL: none has it. */
const VolumeFormat *volume_format(const char *name);

/* OpenVDB, for Blender and Houdini: a grid per field, scalars as fog volumes, with unit, scene and
 * time as metadata. Index (i, j, k) is the cell's centre. 16-bit numbers are cut off at 65504. The
 * same frame gives the same bytes with the same OpenVDB. */
bool vdb_file_available(BillowError *error);
bool vdb_file_write(const char *path, const VolumeFrame *frame, BillowError *error);

/* VTK's ImageData, for ParaView: cell data in single precision, compressed by zlib, with units
 * (information key UNITS_LABEL), time (field data TimeValue) and scene. The same frame gives the
 * same bytes on every machine. */
bool vti_file_write(const char *path, const VolumeFrame *frame, BillowError *error);

/* Writes the name of file `number` of a sequence into a buffer of PVD_NAME bytes. */
enum { PVD_NAME = 4096 };
typedef bool (*PvdName)(const void *context, int number, char *name, BillowError *error);

/* The list that makes an animation of a .vti sequence. Its files, first to last, lie in its own
 * folder; file n shows the time n / fps. */
bool pvd_file_write(const char *path, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error);

/* -- the module for OpenVDB -------------------------------------------------------------------- */

/* The function of the module billow_openvdb. It makes a whole file as bytes, which the caller
 * frees. The module is loaded when a .vdb is asked for: OpenVDB is so large that linking it would
 * make every start of the program several times as long. */
typedef bool VdbMake(const VolumeFrame *frame, void **bytes, size_t *size, BillowError *error);

#define VDB_MAKE "billow_vdb_make" /* its name */

#ifdef __cplusplus
}
#endif

#endif
