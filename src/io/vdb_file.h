/* SPDX-License-Identifier: MIT
 *
 * OpenVDB files, as Blender and Houdini open them: one grid a field under the field's name, scalars
 * as fog volumes, with unit, scene and time as metadata. Index (i, j, k) is the cell's centre, in
 * metres. What differs from its background by less than the field's least is left out. */
#ifndef IO_VDB_FILE_H
#define IO_VDB_FILE_H

#include "volume_frame.h"
#include <billow/error.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this build has OpenVDB; false comes with a message that says what to do. */
bool vdb_file_possible(BillowError *error);

/* Numbers are kept in 16 bits, cut off at 65504, or whole in 32. The same bytes for the same frame
 * with the same OpenVDB. Path "-" is standard output. */
bool vdb_file_write(const char *path, const VolumeFrame *frame, bool whole_floats,
                    BillowError *error);

#ifdef __cplusplus
}
#endif

#endif
