/* SPDX-License-Identifier: MIT
 *
 * What the module billow_openvdb offers. It is loaded when a .vdb file is asked for: OpenVDB is so
 * large that linking it would make every start of the program take several times as long. */
#ifndef IO_VDB_MODULE_H
#define IO_VDB_MODULE_H

#include "volume_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A whole file as bytes, freed by the caller. On failure the message says why. */
typedef bool VdbMake(const VolumeFrame *frame, bool whole_floats, void **bytes, size_t *size,
                     BillowError *error);

#define VDB_MAKE "billow_vdb_make" /* the function's name */

#ifdef __cplusplus
}
#endif

#endif
