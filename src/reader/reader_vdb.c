/* SPDX-License-Identifier: MIT */
#include "reader/reader.h"

#include "base/fail.h"

#ifdef BILLOW_VDB_MODULE

#include "io/vdb_file.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const VdbReader *module;

static bool load(BillowError *error)
{
    void *library = dlopen(BILLOW_VDB_MODULE, RTLD_NOW | RTLD_LOCAL);
    module = library != NULL ? dlsym(library, VDB_READER) : NULL;
    if (module == NULL) {
        const char *reason = dlerror();
        return fail(error, "the module that reads .vdb files cannot be loaded: %.300s",
                    reason != NULL ? reason : "it belongs to another version");
    }
    module->prepare(reader_out_of_memory);
    return true;
}

static void *open_file(char *bytes, size_t length, BillowError *error)
{
    VdbOpened *file = module->read(bytes, length, error);
    free(bytes);
    return file;
}

static void close_file(void *file)
{
    module->close(file);
}

static bool answer_sample(const VdbOpened *file, const char *request, ReaderAnswer *answer,
                          BillowError *error)
{
    VdbLattice lattice;
    VdbGrid grid;
    memcpy(&lattice, request, sizeof lattice);
    const char *name = request + sizeof lattice;
    if (!module->grid(file, name, &grid))
        return fail(error, "it has no grid '%.60s'", name);
    float *values =
        reader_answer(answer, sizeof *values * (size_t)grid.components * (size_t)lattice.n[0] *
                                  (size_t)lattice.n[1] * (size_t)lattice.n[2]);
    return module->sample(file, name, &lattice, values, error);
}

static bool answer(void *memory, uint32_t what, char *request, size_t length, ReaderAnswer *answer,
                   BillowError *error)
{
    const VdbOpened *file = memory;
    VolumeUp up;
    char *only;
    int n[3];
    switch (what) {
    case ISOLATED_VDB_UP:
        *(int32_t *)reader_answer(answer, sizeof(int32_t)) =
            module->up(file, &up) ? (int32_t)up : -1;
        return true;
    case ISOLATED_VDB_NAMES:
        memset(reader_answer(answer, ISOLATED_NAMES), 0, ISOLATED_NAMES);
        module->names(file, answer->bytes, ISOLATED_NAMES);
        return true;
    case ISOLATED_VDB_GRID:
        memset(reader_answer(answer, sizeof(VdbGrid)), 0, sizeof(VdbGrid));
        module->grid(file, request, answer->bytes);
        return true;
    case ISOLATED_VDB_ONLY:
        only = memset(reader_answer(answer, VDB_NAME + 1), 0, VDB_NAME + 1);
        only[0] = module->only(file, length > 0, only + 1);
        return true;
    case ISOLATED_VDB_SAMPLE:
        return answer_sample(file, request, answer, error);
    case ISOLATED_VDB_DISTANCE:
        memcpy(n, request, sizeof n);
        memcpy(reader_answer(answer, length - sizeof n), request + sizeof n, length - sizeof n);
        return module->distance(n, answer->bytes, error);
    default:
        return fail(error, "a question that is no .vdb file's");
    }
}

const ReaderKind reader_vdb = {"vdb", load, open_file, close_file, answer};

#else

const ReaderKind reader_vdb = {.name = "vdb"};

#endif
