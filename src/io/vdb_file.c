/* SPDX-License-Identifier: MIT */
#include "vdb_file.h"

#include "fail.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

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

static const VdbReader *reader(BillowError *error)
{
    fail(error, "this build of Billow reads no .vdb files; install OpenVDB (libopenvdb-dev) and "
                "build it again");
    return NULL;
}

#else

#include "atomic_file.h"

#include <dlfcn.h>

/* Loads the module and finds a name in it; NULL if that fails. dlopen searches the program's
 * RUNPATH, which contains the build folder if the program is in a build tree. Later calls use the
 * module that is already loaded. It stays loaded until the process exits. */
static void *find(const char *name)
{
    void *module = dlopen(BILLOW_VDB_MODULE, RTLD_NOW | RTLD_LOCAL);
    return module != NULL ? dlsym(module, name) : NULL;
}

static VdbMake *load(BillowError *error)
{
    VdbMake *make = NULL;
    void *address = find(VDB_MAKE);
    if (address == NULL) {
        const char *reason = dlerror();
        fail(error, "the module that writes .vdb files cannot be loaded: %.300s; .vti needs none",
             reason != NULL ? reason : "it belongs to another version");
    }
    memcpy(&make, &address,
           sizeof make); /* C has no cast from object pointers to function pointers */
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

static const VdbReader *reader(BillowError *error)
{
    const VdbReader *found = find(VDB_READER);
    if (found == NULL) {
        const char *reason = dlerror();
        fail(error, "the module that reads .vdb files cannot be loaded: %.300s",
             reason != NULL ? reason : "it belongs to another version");
    }
    return found;
}

#endif

/* -- reading ----------------------------------------------------------------------------------- */

VdbFile *vdb_file_read(const char *bytes, size_t length, BillowError *error)
{
    const VdbReader *found = reader(error);
    return found != NULL ? found->read(bytes, length, error) : NULL;
}

VdbFile *vdb_file_open(const char *path, BillowError *error)
{
    size_t length;
    BillowError reason;
    char *bytes = whole_file_read(path, VDB_FILE_BYTES_MAX, &length, error);
    if (bytes == NULL)
        return NULL;
    VdbFile *file = vdb_file_read(bytes, length, &reason);
    free(bytes);
    if (file == NULL)
        fail(error, "%.250s: %.250s", path, reason.text);
    return file;
}

/* A file was read, so that the module is loaded in the functions below. */

void vdb_file_close(VdbFile *file)
{
    BillowError unused;
    const VdbReader *found = file != NULL ? reader(&unused) : NULL;
    if (found != NULL)
        found->close(file);
}

bool vdb_file_grid(const VdbFile *file, const char *name, VdbGrid *grid)
{
    BillowError unused;
    const VdbReader *found = reader(&unused);
    return found != NULL && found->grid(file, name, grid);
}

void vdb_file_names(const VdbFile *file, char *names, size_t size)
{
    BillowError unused;
    const VdbReader *found = reader(&unused);
    names[0] = '\0';
    if (found != NULL)
        found->names(file, names, size);
}

bool vdb_file_up(const VdbFile *file, VolumeUp *up)
{
    BillowError unused;
    const VdbReader *found = reader(&unused);
    return found != NULL && found->up(file, up);
}

bool vdb_file_sample(const VdbFile *file, const char *name, const VdbLattice *lattice,
                     float *values, BillowError *error)
{
    const VdbReader *found = reader(error);
    return found != NULL && found->sample(file, name, lattice, values, error);
}

bool vdb_file_distance(const int n[3], float *values, BillowError *error)
{
    const VdbReader *found = reader(error);
    return found != NULL && found->distance(n, values, error);
}
