/* SPDX-License-Identifier: MIT
 * Files that all ranks write or read together. */
#include <billow/mpi.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOVE_MOST = 1 << 30 }; /* bytes that one call may write or read */

struct BillowMpiFile {
    MPI_File file;
    bool writes;
};

/* Reports an error of MPI. Returns whether there is none. */
static bool check(int code, BillowError *error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &length);
    if (error != NULL)
        snprintf(error->text, sizeof error->text, "%.*s", length < 200 ? length : 200, text);
    return false;
}

BillowMpiFile *billow_mpi_open(const char *path, bool writes, BillowError *error)
{
    assert(path != NULL);
    BillowMpiFile *file = calloc(1, sizeof *file);
    MPI_File opened = MPI_FILE_NULL;
    int mode = writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    int code = MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &opened);
    if (!check(file != NULL ? code : MPI_ERR_NO_MEM, error)) {
        free(file);
        return NULL;
    }
    *file = (BillowMpiFile){opened, writes};
    return file;
}

bool billow_mpi_move(BillowMpiFile *file, uint64_t offset, void *memory, size_t bytes,
                     BillowError *error)
{
    assert(file != NULL && (memory != NULL || bytes == 0) && bytes <= MOVE_MOST);
    MPI_Status status;
    int moved = 0, count = (int)bytes;
    int code = file->writes ? MPI_File_write_at_all(file->file, (MPI_Offset)offset, memory, count,
                                                    MPI_BYTE, &status)
                            : MPI_File_read_at_all(file->file, (MPI_Offset)offset, memory, count,
                                                   MPI_BYTE, &status);
    if (!check(code, error))
        return false;
    MPI_Get_count(&status, MPI_BYTE, &moved);
    return check(moved == count ? MPI_SUCCESS : MPI_ERR_IO, error);
}

bool billow_mpi_close(BillowMpiFile *file, BillowError *error)
{
    assert(file != NULL);
    int synced = file->writes ? MPI_File_sync(file->file) : MPI_SUCCESS;
    int closed = MPI_File_close(&file->file);
    free(file);
    return check(synced != MPI_SUCCESS ? synced : closed, error);
}
