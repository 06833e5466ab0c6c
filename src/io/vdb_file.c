/* SPDX-License-Identifier: MIT */
#include "io/vdb_file.h"

#include "base/fail.h"
#include "io/paths.h"

#include <stdlib.h>
#include <string.h>

#ifndef BILLOW_VDB_MODULE

bool vdb_file_available(BillowError *error)
{
    return fail(error, "this billow was built without OpenVDB, which writes .vdb files; install it "
                       "(libopenvdb-dev) and build again, or write .vti");
}

bool vdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error)
{
    (void)path, (void)frame, (void)slab;
    return vdb_file_available(error);
}

bool nvdb_file_available(BillowError *error)
{
    return vdb_file_available(error);
}

bool nvdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                     BillowError *error)
{
    return vdb_file_write(path, frame, slab, error);
}

VdbFile *vdb_file_open(const char *path, Isolated **kept, BillowError *error)
{
    (void)path;
    return vdb_file_read(NULL, 0, kept, error);
}

VdbFile *vdb_file_read(const char *bytes, size_t length, Isolated **kept, BillowError *error)
{
    (void)bytes, (void)length, (void)kept;
    fail(error, "this build of Billow reads no .vdb files; install OpenVDB (libopenvdb-dev) and "
                "build it again");
    return NULL;
}

/* No file was read, so that none of the functions below is called. */

void vdb_file_close(VdbFile *file)
{
    (void)file;
}

void vdb_file_end(Isolated *kept)
{
    (void)kept;
}

uint64_t vdb_file_memory(const VdbFile *file)
{
    (void)file;
    return 0;
}

bool vdb_file_grid(const VdbFile *file, const char *name, VdbGrid *grid)
{
    (void)file, (void)name, (void)grid;
    return false;
}

bool vdb_file_find(const VdbFile *file, const char *wanted, bool level_sets, char name[VDB_NAME],
                   VdbGrid *grid)
{
    (void)file, (void)wanted, (void)level_sets, (void)name, (void)grid;
    return false;
}

void vdb_file_names(const VdbFile *file, char *names, size_t size)
{
    (void)file, (void)size;
    names[0] = '\0';
}

bool vdb_file_up(const VdbFile *file, VolumeUp *up)
{
    (void)file, (void)up;
    return false;
}

bool vdb_file_sample(const VdbFile *file, const char *name, const VdbLattice *lattice,
                     int components, float *values, BillowError *error)
{
    (void)file, (void)name, (void)lattice, (void)components, (void)values, (void)error;
    return false;
}

bool vdb_file_distance(const VdbFile *file, const int n[3], float *values, BillowError *error)
{
    (void)file, (void)n, (void)values, (void)error;
    return false;
}

#else

#include "base/system.h"
#include "io/atomic_file.h"
#include "mpi/cluster.h"

#include <dlfcn.h>
#include <math.h>

/* Loads the module. dlopen searches the program's
 * RUNPATH, which contains the build folder if the program is in a build tree. Later calls use the
 * module that is already loaded. It stays loaded until the process exits. */
static const VdbWriter *load(BillowError *error)
{
    void *module = dlopen(BILLOW_VDB_MODULE, RTLD_NOW | RTLD_LOCAL);
    const VdbWriter *writer = module != NULL ? dlsym(module, VDB_WRITER) : NULL;
    if (writer == NULL)
        fail(error, "the module that writes .vdb files cannot be loaded: %.300s; .vti needs none",
             system_module_reason());
    return writer;
}

bool vdb_file_available(BillowError *error)
{
    return load(error) != NULL;
}

/* A file in the making. */
typedef struct Making {
    const VdbWriter *writer;
    bool nano; /* the file is one of NanoVDB */
    VdbGrids *grids;
    void *bytes; /* the file, or what a rank sends of it */
    size_t size;
} Making;

/* Makes sparse grids of the frame, or of the slab's planes, a few at a time. */
static bool make_grids(Making *making, VolumeFrame *frame, const VolumeSlab *slab,
                       BillowError *error)
{
    enum { CHUNK = 8 }; /* planes, the length of a leaf in the trees of OpenVDB */
    if (slab == NULL) {
        making->grids = making->writer->begin(frame, error);
        return making->grids != NULL && making->writer->take(making->grids, frame, error);
    }
    const BillowView *view = slab->view;
    bool turned = frame->up == VOLUME_UP_Z; /* then planes count down along the file's y */
    int begin = turned ? view->nz - slab->end : slab->first;
    int end = turned ? view->nz - slab->first : slab->end;
    bool good = volume_frame_fit(frame, view, slab->first, slab->first, error);
    if (good)
        making->grids = making->writer->begin(frame, error);
    good = making->grids != NULL;
    for (int at = begin, next; at < end && good; at = next) {
        next = (at / CHUNK + 1) * CHUNK;
        next = next < end ? next : end;
        good = volume_frame_fit(frame, view, turned ? view->nz - next : at,
                                turned ? view->nz - at : next, error);
        if (good)
            volume_frame_fill(frame, view);
        good = good && making->writer->take(making->grids, frame, error);
    }
    return good;
}

static bool make_bytes(Making *making, const VolumeFrame *frame, BillowError *error)
{
    return making->writer->make(making->grids, frame, &making->bytes, &making->size, error);
}

static bool make_file(Making *making, const VolumeFrame *frame, BillowError *error)
{
    return making->nano
               ? making->writer->make_nano(making->grids, &making->bytes, &making->size, error)
               : make_bytes(making, frame, error);
}

/* Ends the making with a file if it was good so far. message: why it was not. */
static bool finish(Making *making, const char *path, bool good, const BillowError *message,
                   BillowError *error)
{
    if (making->grids != NULL)
        making->writer->end(making->grids);
    AtomicFile file;
    bool opened = good && atomic_file_open(&file, path, error);
    if (opened)
        atomic_file_put(&file, making->bytes, making->size);
    free(making->bytes);
    if (!good)
        return fail(error, "%.200s: %.200s", path, message->text);
    return opened && atomic_file_commit(&file, error);
}

/* Sends this rank's part to rank 0, or adds the one of rank `from`. */
static bool move_part(const Making *making, int from, size_t size, BillowError *error)
{
    const BillowExchange *exchange = cluster_exchange();
    bool leads = cluster_leads(), takes_part = leads || exchange->rank == from;
    void *memory = leads ? malloc(size) : making->bytes;
    BillowMessage message = {
        .rank = leads ? from : 0, .send = !leads, .memory = memory, .bytes = size};
    bool ready = memory != NULL || fail(error, "not enough memory to write it");
    bool good = cluster_agree(ready || !takes_part, error);
    if (good && takes_part) {
        exchange->begin(exchange->context, &message, 1);
        exchange->finish(exchange->context);
    }
    if (leads) {
        good = good && making->writer->add(making->grids, memory, size, error);
        free(memory);
    }
    return cluster_agree(good, error);
}

/* Gives rank 0 the grids of all ranks, one rank after another. sizes: one entry per rank. */
static bool collect(Making *making, const VolumeFrame *frame, uint64_t *sizes, BillowError *error)
{
    bool good = cluster_agree(cluster_leads() || make_bytes(making, frame, error), error);
    if (!good)
        return false;
    sizes[cluster_exchange()->rank] = making->size;
    cluster_gather(sizes, sizeof *sizes);
    for (int r = 1; r < cluster_ranks() && good; r++)
        good = move_part(making, r, (size_t)sizes[r], error);
    return good;
}

static bool write_shared(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                         Making *making, BillowError *error)
{
    BillowError reason;
    uint64_t *sizes = calloc((size_t)cluster_ranks(), sizeof *sizes);
    bool good = sizes != NULL || fail(&reason, "not enough memory to write it");
    good = cluster_agree(good && make_grids(making, frame, slab, &reason), &reason) &&
           collect(making, frame, sizes, &reason);
    good = cluster_agree(good && (!cluster_leads() || make_file(making, frame, &reason)), &reason);
    free(sizes);
    bool written = finish(making, path, good && cluster_leads(), &reason, error);
    return cluster_agree(good && (written || !cluster_leads()), error);
}

static bool write_grids(const char *path, VolumeFrame *frame, const VolumeSlab *slab, bool nano,
                        BillowError *error)
{
    BillowError reason;
    Making making = {.writer = load(error), .nano = nano};
    if (slab != NULL && slab->shared)
        return cluster_agree(making.writer != NULL, error) &&
               write_shared(path, frame, slab, &making, error);
    if (making.writer == NULL)
        return false;
    bool good = make_grids(&making, frame, slab, &reason) && make_file(&making, frame, &reason);
    return finish(&making, path, good, &reason, error);
}

bool vdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                    BillowError *error)
{
    return write_grids(path, frame, slab, false, error);
}

bool nvdb_file_available(BillowError *error)
{
    const VdbWriter *writer = load(error);
    return writer != NULL &&
           (writer->make_nano != NULL ||
            fail(error, "this billow was built without NanoVDB, which writes .nvdb "
                        "files; install it (libnanovdb-dev) and build again, or "
                        "write .vdb"));
}

bool nvdb_file_write(const char *path, VolumeFrame *frame, const VolumeSlab *slab,
                     BillowError *error)
{
    frame->whole_floats = true;
    return write_grids(path, frame, slab, true, error);
}

/* -- reading ----------------------------------------------------------------------------------- */

struct VdbFile {
    Isolated *reader;
    bool ends_reader; /* whether the process ends with the file */
    uint32_t number;
    uint64_t memory;
};

VdbFile *vdb_file_read(const char *bytes, size_t length, Isolated **kept, BillowError *error)
{
    const IsolatedLimits limits = isolated_limits();
    Isolated *reader = kept != NULL ? *kept : NULL;
    IsolatedOpened opened;
    if (!isolated_is_alive(reader)) {
        isolated_end(reader);
        reader = isolated_start(ISOLATED_VDB, &limits, error);
        if (kept != NULL)
            *kept = reader;
    }
    VdbFile *file = reader != NULL ? malloc(sizeof *file) : NULL;
    bool good = file != NULL || (reader != NULL && fail(error, "not enough memory to read it"));
    good = good && isolated_open(reader, bytes, length, &opened, error);
    if (good) {
        *file = (VdbFile){reader, kept == NULL, opened.file, opened.peak};
        return file;
    }
    if (kept == NULL)
        isolated_end(reader);
    free(file);
    return NULL;
}

VdbFile *vdb_file_open(const char *path, Isolated **kept, BillowError *error)
{
    size_t length;
    BillowError reason;
    char *bytes = whole_file_read(path, VDB_FILE_BYTES_MAX, &length, error);
    if (bytes == NULL)
        return NULL;
    VdbFile *file = vdb_file_read(bytes, length, kept, &reason);
    free(bytes);
    if (file == NULL)
        fail(error, "%.250s: %.250s", path, reason.text);
    return file;
}

void vdb_file_close(VdbFile *file)
{
    if (file == NULL)
        return;
    if (file->ends_reader)
        isolated_end(file->reader);
    else
        isolated_close(file->reader, file->number);
    free(file);
}

void vdb_file_end(Isolated *kept)
{
    isolated_end(kept);
}

uint64_t vdb_file_memory(const VdbFile *file)
{
    return file->memory;
}

static bool ask(const VdbFile *file, IsolatedWhat what, const char *name, void *answer, size_t size)
{
    BillowError unused;
    const IsolatedQuestion question = {.what = what,
                                       .file = file->number,
                                       .parts = {name},
                                       .sizes = {name != NULL ? strlen(name) : 0}};
    return isolated_ask(file->reader, &question, answer, size, &unused);
}

bool vdb_file_grid(const VdbFile *file, const char *name, VdbGrid *grid)
{
    VdbGrid found;
    bool good = ask(file, ISOLATED_VDB_GRID, name, &found, sizeof found);
    /* Whether the description is one to compute with. */
    good = good && (found.components == 1 || found.components == 3) && found.voxel > 0 &&
           isfinite(found.voxel);
    for (int axis = 0; axis < 3 && good; axis++)
        good = isfinite(found.low[axis]) && isfinite(found.high[axis]) &&
               found.low[axis] <= found.high[axis];
    if (!good)
        return false;
    found.sum = isfinite(found.sum) ? found.sum : 0;
    *grid = found;
    return true;
}

void vdb_file_names(const VdbFile *file, char *names, size_t size)
{
    char found[ISOLATED_NAMES] = "";
    bool good = ask(file, ISOLATED_VDB_NAMES, NULL, found, sizeof found);
    found[good ? sizeof found - 1 : 0] = '\0';
    mask_text(found);
    snprintf(names, size, "%s", found);
}

bool vdb_file_find(const VdbFile *file, const char *wanted, bool level_sets, char name[VDB_NAME],
                   VdbGrid *grid)
{
    const bool any = strcmp(wanted, "density") == 0;
    const char *const names[] = {wanted, "smoke"}, *const kinds[] = {NULL, "level set"};
    for (int n = 0; n < (any ? 2 : 1); n++)
        if (vdb_file_grid(file, names[n], grid) && grid->components == 1 &&
            (level_sets || !grid->distances)) {
            snprintf(name, VDB_NAME, "%s", names[n]);
            return true;
        }
    for (int kind = 0; kind < (level_sets ? 2 : 1) && any; kind++) {
        char answer[VDB_NAME + 1] = "";
        if (!ask(file, ISOLATED_VDB_ONLY, kinds[kind], answer, sizeof answer) || answer[0] == 0)
            continue;
        snprintf(name, VDB_NAME, "%.*s", VDB_NAME - 1, answer + 1);
        return vdb_file_grid(file, name, grid);
    }
    return false;
}

bool vdb_file_up(const VdbFile *file, VolumeUp *up)
{
    int32_t found;
    bool good = ask(file, ISOLATED_VDB_UP, NULL, &found, sizeof found) &&
                (found == VOLUME_UP_Y || found == VOLUME_UP_Z);
    if (good)
        *up = (VolumeUp)found;
    return good;
}

bool vdb_file_sample(const VdbFile *file, const char *name, const VdbLattice *lattice,
                     int components, float *values, BillowError *error)
{
    /* Ten times what a slow machine needs. */
    const double seconds_of_point = 4e-6, seconds_of_byte = 1e-6;
    const int *n = lattice->n;
    const size_t count = (size_t)components * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const IsolatedQuestion question = {.what = ISOLATED_VDB_SAMPLE,
                                       .file = file->number,
                                       .parts = {lattice, name},
                                       .sizes = {sizeof *lattice, strlen(name)},
                                       .more_seconds = seconds_of_point * (double)count +
                                                       seconds_of_byte * (double)file->memory};
    if (!isolated_ask(file->reader, &question, values, count * sizeof *values, error))
        return false;
    for (size_t v = 0; v < count; v++)
        if (!isfinite(values[v]))
            return fail(error, "it holds values that are not finite");
    return true;
}

bool vdb_file_distance(const VdbFile *file, const int n[3], float *values, BillowError *error)
{
    const size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const IsolatedQuestion question = {.what = ISOLATED_VDB_DISTANCE,
                                       .file = file->number,
                                       .parts = {n, values},
                                       .sizes = {3 * sizeof *n, count * sizeof *values}};
    if (!isolated_ask(file->reader, &question, values, count * sizeof *values, error))
        return false;
    for (size_t v = 0; v < count; v++)
        values[v] = fminf(fmaxf(values[v], -VDB_BAND), VDB_BAND); /* and a NaN becomes one */
    return true;
}

#endif
