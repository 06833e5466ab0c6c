/* SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "keeper.h"

#include "fail.h"
#include "host.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The ending of a file that other options write: a picture, a volume, a table. NULL: none. */
static const char *ending_of_others(const char *path)
{
    static const char *const tables[] = {".pvd", ".json", ".csv"};
    const PictureFormat *picture = picture_format(path);
    const VolumeFormat *volume = volume_format(path);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (paths_end_in(path, tables[t]))
            return tables[t];
    return picture != NULL ? picture->ending : volume != NULL ? volume->ending : NULL;
}

/* A checkpoint must not be written over another output of the run. */
static bool is_for_checkpoints(const char *path, BillowError *error)
{
    struct stat status;
    const char *ending = ending_of_others(path);
    if (ending != NULL)
        return fail(error,
                    "--checkpoint %.300s: %s is the ending of other files; .ckpt is that of "
                    "checkpoints",
                    path, ending);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return fail(error, "--checkpoint %.300s: a checkpoint goes to an ordinary file", path);
    return true;
}

bool keeper_check(const CommandScene *settings, BillowError *error)
{
    if (settings->checkpoint == NULL && settings->every > 0)
        return fail(error, "--every %d needs --checkpoint FILE, which it is to write",
                    settings->every);
    if (command_is_stdout(settings->checkpoint))
        return fail(error, "--checkpoint -: a checkpoint goes to a file, not to standard output");
    return settings->checkpoint == NULL || is_for_checkpoints(settings->checkpoint, error);
}

/* The one that is gone on from may be written over: it goes on. */
static bool may_write(const CommandScene *settings, BillowError *error)
{
    CommandScene asked = *settings;
    asked.force = asked.force ||
                  (settings->resume != NULL && paths_same(settings->checkpoint, settings->resume));
    return command_may_write(&asked, settings->checkpoint, error);
}

bool keeper_open(Keeper *keeper, const CommandScene *settings, const char *command,
                 const Start *start, const ScenePlay *play, const BillowSim *sim,
                 BillowError *error)
{
    *keeper = (Keeper){.path = settings->checkpoint,
                       .command = command,
                       .every = settings->every,
                       .quiet = settings->quiet,
                       .sim = sim,
                       .run = start->run};
    if (keeper->path == NULL)
        return true;
    snprintf(keeper->run.scene, sizeof keeper->run.scene, "%s",
             start->resumed ? start->run.scene : start->name);
    scene_play_shapes(play, keeper->shapes);
    keeper->bytes = billow_state_bytes(sim);
    if (!may_write(settings, error) ||
        !host_check_memory((double)keeper->bytes, "writing checkpoints", "no --checkpoint", error))
        return false;
    keeper->text = scene_checkpoint_text(&start->scene, error);
    if (keeper->text == NULL)
        return false;
    keeper->state = malloc(keeper->bytes);
    return keeper->state != NULL || fail(error, "not enough memory to write checkpoints");
}

static bool write_now(Keeper *keeper, BillowError *error)
{
    keeper->done = 0;
    scene_checkpoint_describe(keeper->sim, &keeper->run);
    billow_save_state(keeper->sim, keeper->state);
    const SceneCheckpoint checkpoint = {.run = keeper->run,
                                        .text = keeper->text,
                                        .shapes = keeper->shapes,
                                        .state = keeper->state,
                                        .bytes = keeper->bytes};
    return scene_checkpoint_write(&checkpoint, keeper->path, error);
}

static bool is_finite(const Keeper *keeper)
{
    return billow_stats(keeper->sim).nonfinite == 0;
}

void keeper_note(Keeper *keeper)
{
    BillowError reason, notice;
    keeper->done++;
    if (keeper->path == NULL || keeper->every == 0 || keeper->done < keeper->every ||
        !is_finite(keeper) || write_now(keeper, &reason))
        return;
    fail(&notice, "notice: no checkpoint after %.6g s: %.400s", keeper->run.time, reason.text);
    report_notice(&notice);
}

void keeper_note_frame(Keeper *keeper)
{
    keeper->run.frames++;
    keeper->run.part = keeper->run.parts = 0;
    keeper_note(keeper);
}

static Status say_interrupted(const Keeper *keeper)
{
    BillowError notice;
    fail(&notice, "interrupted; 'billow %s --resume %.300s' goes on from %.6g s", keeper->command,
         keeper->path, keeper->run.time);
    report_notice(&notice);
    return STATUS_INTERRUPTED;
}

Status keeper_finish(Keeper *keeper, Status status, BillowError *error)
{
    BillowError reason;
    bool has = keeper->path != NULL && keeper->state != NULL && is_finite(keeper);
    bool written = has && write_now(keeper, &reason);
    if (status == STATUS_FAILED)
        return report_failure(error);
    if (status == STATUS_INTERRUPTED)
        return written ? say_interrupted(keeper)
               : has   ? report_failure(&reason)
                       : report_interrupted();
    return !has || written ? status : report_failure(&reason);
}

void keeper_close(Keeper *keeper)
{
    free(keeper->text);
    free(keeper->state);
    keeper->text = NULL;
    keeper->state = NULL;
}
