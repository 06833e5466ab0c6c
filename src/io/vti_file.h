/* SPDX-License-Identifier: MIT
 *
 * VTK's ImageData, as ParaView opens it: values of cells in single precision, compressed by zlib,
 * with their units (information key UNITS_LABEL), the time (field data TimeValue) and the scene.
 * And the .pvd that makes a sequence of them one animation. */
#ifndef IO_VTI_FILE_H
#define IO_VTI_FILE_H

#include "volume_frame.h"
#include <billow/error.h>
#include <stdbool.h>

/* The same bytes for the same frame, whatever the machine. Path "-" is standard output. */
bool vti_file_write(const char *path, const VolumeFrame *frame, BillowError *error);

/* Names one of a sequence's files, numbered from 1, into a buffer of PVD_NAME bytes. */
enum { PVD_NAME = 4096 };
typedef bool (*PvdName)(const void *context, int number, char *name, BillowError *error);

/* The list of files, first to last, that lie in its own folder; file n shows the time n / fps. */
bool pvd_file_write(const char *path, int first, int last, double fps, PvdName name,
                    const void *context, BillowError *error);

#endif
