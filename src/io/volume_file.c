/* SPDX-License-Identifier: MIT
 *
 * The table of volume formats, and .vdb files through the module for OpenVDB. */
#include "volume_file.h"

#include "fail.h"
#include "paths.h"

#include <string.h>

static const VolumeFormat formats[] = {
    {.ending = ".vdb",
     .standard_output = "vdb:-",
     .up = VOLUME_UP_Z,
     .sparse = true,
     .available = vdb_file_available,
     .write = vdb_file_write},
    {.ending = ".vti",
     .standard_output = "vti:-",
     .up = VOLUME_UP_Y,
     .listed = true,
     .write = vti_file_write},
};

const VolumeFormat *volume_format(const char *name)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        if (paths_end_in(name, formats[f].ending) || strcmp(name, formats[f].standard_output) == 0)
            return &formats[f];
    return NULL;
}

#ifndef BILLOW_VDB_MODULE

bool vdb_file_available(BillowError *error)
{
    return fail(error, "this billow was built without OpenVDB, which writes .vdb files; install it "
                       "(libopenvdb-dev) and build again, or write .vti");
}

bool vdb_file_write(const char *path, const VolumeFrame *frame, BillowError *error)
{
    (void)path;
    (void)frame;
    return vdb_file_available(error);
}

#else

#include "atomic_file.h"

#include <dlfcn.h>
#include <stdlib.h>

/* dlopen searches the program's RUNPATH, and the build folder in a build tree. A module that is
 * loaded already is found again, and stays until the process ends. */
static VdbMake *load(BillowError *error)
{
    VdbMake *make = NULL;
    void *module = dlopen(BILLOW_VDB_MODULE, RTLD_NOW | RTLD_LOCAL);
    void *address = module != NULL ? dlsym(module, VDB_MAKE) : NULL;
    if (address == NULL) {
        const char *reason = dlerror();
        fail(error, "the module that writes .vdb files cannot be loaded: %.300s; .vti needs none",
             reason != NULL ? reason : "it is another version's");
    }
    memcpy(&make, &address, sizeof make); /* C has no cast from object to function pointers */
    return make;
}

bool vdb_file_available(BillowError *error)
{
    return load(error) != NULL;
}

bool vdb_file_write(const char *path, const VolumeFrame *frame, BillowError *error)
{
    void *bytes;
    size_t size;
    BillowError reason;
    AtomicFile file;
    VdbMake *make = load(error);
    if (make == NULL)
        return false;
    if (!make(frame, &bytes, &size, &reason))
        return fail(error, "%.200s: %.200s", path, reason.text);
    bool opened = atomic_file_open(&file, path, error);
    if (opened)
        atomic_file_put(&file, bytes, size);
    free(bytes);
    return opened && atomic_file_commit(&file, error);
}

#endif
