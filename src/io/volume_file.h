/* SPDX-License-Identifier: MIT
 *
 * Files that store the fields of a simulation at one time, for other programs. All values are at
 * cell centres, in SI units. `billow_list_fields` lists the fields. The ending of a file's name
 * selects a row of the table of formats. */
#ifndef IO_VOLUME_FILE_H
#define IO_VOLUME_FILE_H

#include <billow/billow.h>

/* -- the fields of one moment ------------------------------------------------------------------ */

typedef struct VolumeField {
    BillowField of;   /* name, unit, meaning and number of components */
    float background; /* value of each component in empty space */
    float least; /* sparse files omit a cell if every component differs from background by less than
                    this */
    float *values; /* cell (i, j, k) is at components * (i + n[0] * (j + n[1] * k)); rows have no
                      padding */
} VolumeField;

/* The axis of the file that points up, against gravity: y as in Billow, Houdini and ParaView, or z
 * as in Blender. If it is z, positions and vectors (x, y, z) become (x, -z, y). */
typedef enum VolumeUp { VOLUME_UP_Y, VOLUME_UP_Z } VolumeUp;

typedef struct VolumeFrame {
    int n[3];             /* cells of the frame, in the axes of the file */
    int box[3], first[3]; /* cells of the box, and the place in it of the frame's first cell */
    double cell_size, origin[3]; /* m; origin: position of the box's corner */
    double time;                 /* s */
    double fps;                  /* frames per second of the sequence; 0: it is none */
    const char *scene;           /* name of the scene */
    VolumeUp up;
    bool whole_floats; /* .vdb: 32 bits per number instead of 16 */
    int field_count;
    VolumeField fields[BILLOW_FIELDS_MAX];
} VolumeFrame;

/* Name of field `index`, for example "density"; NULL after the last field. */
const char *volume_field_name(int index);

/* The fields that a simulation has: bit `index` is the field `volume_field_name(index)`. */
unsigned volume_fields_of(const BillowDef *def);

/* Allocates the given fields, bits of `volume_fields_of`, for a simulation's grid. threshold: cells
 * with a smaller density count as empty. The string `scene` must outlive the frame. */
bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned fields, VolumeUp up,
                         float threshold, const char *scene, BillowError *error);
/* Gives the frame the time of a view and its grid, whose box may have grown, or the planes
 * first <= k < end of it, which another rank does not have. */
bool volume_frame_fit(VolumeFrame *frame, const BillowView *view, int first, int end,
                      BillowError *error);
void volume_frame_destroy(VolumeFrame *frame); /* zeros are fine */

/* Copies the fields of a view of the frame's grid. In the plane after its last, the frame reads
 * only the velocity along z. The velocity of a cell is the mean of opposite faces of the cell. The
 * colour of a cell is the smoke's own colour, or white if the cell is empty. */
void volume_frame_fill(VolumeFrame *frame, const BillowView *view);

/* -- the formats ------------------------------------------------------------------------------- */

/* The planes first <= k < end of a view. */
typedef struct VolumeSlab {
    const BillowView *view;
    int first, end;
    bool shared; /* whether the other ranks write the rest, all at the same time */
} VolumeSlab;

typedef struct VolumeFormat {
    const char *ending;          /* ending of file names, in lower case, such as ".vdb" */
    const char *standard_output; /* name that stands for standard output in this format, for example
                                    "vdb:-" */
    VolumeUp up;                 /* the usual upward axis of this format */
    bool sparse; /* whether the format omits empty cells and can store 16-bit numbers */
    bool listed; /* whether a sequence of files also gets a list of them, a .pvd file */
    /* Whether this build can write the format. If not, the message says what to do. NULL: every
     * build can. */
    bool (*available)(BillowError *error);
    /* Writes a complete file or none (atomic_file.h). Path "-" is standard output. Gives the frame
     * the planes of the slab. slab NULL: the frame as it is. */
    bool (*write)(const char *path, VolumeFrame *frame, const VolumeSlab *slab, BillowError *error);
    const char *shared_ending; /* ending of a path where ranks write together; NULL: they cannot */
    /* Composes the path of a file that a rank writes of its own; NULL: rank 0 writes all. */
    bool (*piece_path)(const char *path, int rank, char *piece, size_t size, BillowError *error);
} VolumeFormat;

/* Finds a format by the ending of a file's name, ignoring case, or by a name for standard output.
 * NULL: no format has this ending. */
const VolumeFormat *volume_format(const char *name);

/* OpenVDB files, for Blender and Houdini. Each field is a grid, and scalars are fog volumes. Unit,
 * scene and time are metadata. Index (i, j, k) is the centre of a cell. 16-bit numbers are limited
 * to 65504. With the same version of OpenVDB, equal frames give equal bytes. */
bool vdb_file_available(BillowError *error);
/* Of a slab, needs memory for the values of a few planes alone. Of a shared slab, rank 0 receives
 * the sparse grids of the others and writes the same file. */
bool vdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error);

/* VTK ImageData files, for ParaView. Fields are cell data in single precision, compressed by zlib.
 * Units are in the information key UNITS_LABEL, the time is in the field data TimeValue, and the
 * scene is stored too. Equal frames give equal bytes on all machines. */
/* Of shared slabs, each rank writes a .vti file, and rank 0 the .pvti file at the path, which
 * ParaView opens and which names them. */
bool vti_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error);
/* Composes the path of a rank's file: f_2.vti for f.pvti. The path may hold a frame's number
 * as "%04d". */
bool vti_piece_path(const char *path, int rank, char *piece, size_t size, BillowError *error);

/* NumPy archives (.npz), packed. The array of a field has the shape (nz, ny, nx), or (nz, ny, nx, 3)
 * for vectors, of float32 in the axes of the frame. cell_size and time (s) are numbers, origin are
 * three, all float64; so is fps. Holds up to 4.2 GB of arrays. Equal frames give equal bytes. Ranks
 * cannot share the work. */
bool npz_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error);

/* NanoVDB files (.nvdb), made of the same grids as a .vdb, with 32 bits per number. */
bool nvdb_file_available(BillowError *error);
bool nvdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                     BillowError *error);

/* Writes the name of file `number` of a sequence. The buffer has PVD_NAME bytes. */
enum { PVD_NAME = 4096 };
typedef bool (*PvdName)(const void *context, int number, char *name, BillowError *error);

/* Writes the .pvd list with which ParaView plays a sequence of .vti files as an animation. The
 * files, numbered from `first` to `last`, are in the folder of the list. File n has the time n /
 * fps, s. replaces: whether it may replace the file at the path. */
bool pvd_file_write(const char *path, bool replaces, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error);

/* -- the module for OpenVDB -------------------------------------------------------------------- */

/* The functions of the module billow_openvdb. It is loaded when the first .vdb file is written.
 * Linking the large OpenVDB would make every start of the program several times as slow. */
typedef struct VdbGrids VdbGrids;

typedef struct VdbWriter {
    /* Makes empty grids for a frame's fields, of which one object may exist at a time. NULL:
     * failed. */
    VdbGrids *(*begin)(const VolumeFrame *frame, BillowError *error);
    /* Adds the values of the frame, in blocks of 8x8x8 cells that have no values yet. */
    bool (*take)(VdbGrids *grids, const VolumeFrame *frame, BillowError *error);
    /* Adds the grids of other planes from the file that `make` has made of them. */
    bool (*add)(VdbGrids *grids, const void *bytes, size_t size, BillowError *error);
    /* Makes a complete file; the caller frees its bytes. */
    bool (*make)(const VdbGrids *grids, const VolumeFrame *frame, void **bytes, size_t *size,
                 BillowError *error);
    /* Likewise of NanoVDB. NULL: the module was built without it. */
    bool (*make_nano)(const VdbGrids *grids, void **bytes, size_t *size, BillowError *error);
    void (*end)(VdbGrids *grids);
} VdbWriter;

#define VDB_WRITER "billow_vdb_writer" /* the name of this structure */

#endif
