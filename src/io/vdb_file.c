/* SPDX-License-Identifier: MIT */
#include "vdb_file.h"

#include "fail.h"

#ifndef BILLOW_VDB_MODULE

bool vdb_file_possible(BillowError *error)
{
    return fail(error, "this billow was built without OpenVDB, which writes .vdb files; install it "
                       "(libopenvdb-dev) and build again, or write .vti");
}

bool vdb_file_write(const char *path, const VolumeFrame *frame, bool whole_floats,
                    BillowError *error)
{
    (void)path;
    (void)frame;
    (void)whole_floats;
    return vdb_file_possible(error);
}

#else

#include "atomic_file.h"
#include "vdb_module.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Looked for in the folders that the program was linked to look in: its own, where it was built.
 * Loading again what is loaded finds it, and it stays until the process ends. */
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
    memcpy(&make, &address, sizeof make); /* C knows no cast of an object to a function */
    return make;
}

bool vdb_file_possible(BillowError *error)
{
    return load(error) != NULL;
}

bool vdb_file_write(const char *path, const VolumeFrame *frame, bool whole_floats,
                    BillowError *error)
{
    void *bytes;
    size_t size;
    BillowError reason;
    AtomicFile file;
    VdbMake *make = load(error);
    if (make == NULL)
        return false;
    if (!make(frame, whole_floats, &bytes, &size, &reason))
        return fail(error, "%.200s: %.200s", path, reason.text);
    bool opened = atomic_file_open(&file, path, error);
    if (opened)
        atomic_file_put(&file, bytes, size);
    free(bytes);
    return opened && atomic_file_commit(&file, error); /* it knows whether all was written */
}

#endif
