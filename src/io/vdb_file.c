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

bool vdb_file_write_shared(const char *path, const VolumeFrame *frame, BillowError *error)
{
    return vdb_file_write(path, frame, error);
}

static const VdbReader *reader(BillowError *error)
{
    fail(error, "this build of Billow reads no .vdb files; install OpenVDB (libopenvdb-dev) and "
                "build it again");
    return NULL;
}

#else

#include "atomic_file.h"
#include "cluster.h"

#include <dlfcn.h>

/* Loads the module and finds a name in it; NULL if that fails. dlopen searches the program's
 * RUNPATH, which contains the build folder if the program is in a build tree. Later calls use the
 * module that is already loaded. It stays loaded until the process exits. */
static void *find(const char *name)
{
    void *module = dlopen(BILLOW_VDB_MODULE, RTLD_NOW | RTLD_LOCAL);
    return module != NULL ? dlsym(module, name) : NULL;
}

static const VdbWriter *load(BillowError *error)
{
    const VdbWriter *writer = find(VDB_WRITER);
    if (writer == NULL) {
        const char *reason = dlerror();
        fail(error, "the module that writes .vdb files cannot be loaded: %.300s; .vti needs none",
             reason != NULL ? reason : "it belongs to another version");
    }
    return writer;
}

bool vdb_file_available(BillowError *error)
{
    return load(error) != NULL;
}

/* Writes a complete file, and frees its bytes. */
static bool write_bytes(const char *path, void *bytes, size_t size, BillowError *error)
{
    AtomicFile file;
    bool opened = atomic_file_open(&file, path, error);
    if (opened)
        atomic_file_put(&file, bytes, size);
    free(bytes);
    return opened && atomic_file_commit(&file, error);
}

/* Sends this rank's file to rank 0, or adds the one of rank `from`. */
static bool move_grids(const VdbWriter *writer, VdbGrids *grids, int from, void *bytes, size_t size,
                       BillowError *error)
{
    const BillowExchange *exchange = cluster_exchange();
    void *memory = cluster_leads() ? malloc(size) : bytes;
    bool ready = memory != NULL || fail(error, "not enough memory to write it");
    bool takes_part = cluster_leads() || exchange->rank == from;
    BillowMessage message = {.rank = cluster_leads() ? from : 0,
                             .send = !cluster_leads(),
                             .memory = memory,
                             .bytes = size};
    bool good = cluster_agree(ready || !takes_part, error);
    if (good && takes_part)
        exchange->transfer(exchange->context, &message, 1);
    if (cluster_leads()) {
        good = good && writer->add(grids, memory, size, error);
        free(memory);
    }
    return good;
}

/* Gives rank 0 the grids of all ranks, one rank after another. bytes: the file of this rank's. */
static bool collect(const VdbWriter *writer, VdbGrids *grids, void *bytes, uint64_t *sizes,
                    BillowError *error)
{
    cluster_gather(sizes, sizeof *sizes);
    bool good = true;
    for (int r = 1; r < cluster_ranks() && good; r++)
        good = cluster_agree(move_grids(writer, grids, r, bytes, (size_t)sizes[r], error), error);
    return good;
}

/* sizes: memory for a number per rank. */
static bool make_shared(const VdbWriter *writer, VdbGrids *grids, const VolumeFrame *frame,
                        uint64_t *sizes, void **bytes, size_t *size, BillowError *error)
{
    bool made = cluster_leads() || writer->make(grids, frame, bytes, size, error);
    if (!cluster_agree(made, error))
        return false;
    sizes[cluster_exchange()->rank] = *size;
    return collect(writer, grids, *bytes, sizes, error) &&
           (!cluster_leads() || writer->make(grids, frame, bytes, size, error));
}

bool vdb_file_write_shared(const char *path, const VolumeFrame *frame, BillowError *error)
{
    void *bytes = NULL;
    size_t size = 0;
    BillowError reason;
    const VdbWriter *writer = load(error);
    if (!cluster_agree(writer != NULL, error))
        return false;
    uint64_t *sizes = calloc((size_t)cluster_ranks(), sizeof *sizes);
    VdbGrids *grids = sizes != NULL ? writer->begin(frame, &reason) : NULL;
    if (sizes == NULL)
        fail(&reason, "not enough memory to write it");
    bool good = cluster_agree(grids != NULL, &reason) &&
                make_shared(writer, grids, frame, sizes, &bytes, &size, &reason);
    if (grids != NULL)
        writer->end(grids);
    free(sizes);
    if (!cluster_agree(good, &reason)) {
        free(bytes);
        return fail(error, "%.200s: %.200s", path, reason.text);
    }
    if (cluster_leads())
        good = write_bytes(path, bytes, size, error);
    else
        free(bytes);
    return cluster_agree(good, error);
}

bool vdb_file_write(const char *path, const VolumeFrame *frame, BillowError *error)
{
    void *bytes = NULL;
    size_t size = 0;
    BillowError reason;
    const VdbWriter *writer = load(error);
    if (writer == NULL)
        return false;
    VdbGrids *grids = writer->begin(frame, &reason);
    bool good = grids != NULL && writer->make(grids, frame, &bytes, &size, &reason);
    if (grids != NULL)
        writer->end(grids);
    return good ? write_bytes(path, bytes, size, error)
                : fail(error, "%.200s: %.200s", path, reason.text);
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
