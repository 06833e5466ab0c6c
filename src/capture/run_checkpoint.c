/* SPDX-License-Identifier: MIT */
#include "run_checkpoint.h"

#include "fail.h"
#include "host.h"

#include <stdlib.h>
#include <string.h>

bool run_checkpoint_check(const SceneAsk *ask, BillowError *error)
{
    return ask->checkpoint != NULL || ask->every == 0 ||
           fail(error, "--every %d needs --checkpoint FILE, which it is to write", ask->every);
}

bool run_checkpoint_open(RunCheckpoint *writer, const SceneAsk *ask, const SceneStart *start,
                         const ScenePlay *play, const BillowSim *sim, BillowError *error)
{
    *writer = (RunCheckpoint){.path = ask->checkpoint,
                              .command = ask->command,
                              .every = ask->every,
                              .sim = sim,
                              .run = start->run};
    if (writer->path == NULL)
        return true;
    snprintf(writer->run.scene, sizeof writer->run.scene, "%s",
             start->resumed ? start->run.scene : start->name);
    scene_play_shapes(play, writer->shapes);
    writer->bytes = billow_state_bytes(sim);
    if (!host_check_memory((double)writer->bytes, "writing checkpoints", "no --checkpoint", error))
        return false;
    writer->text = scene_checkpoint_text(&start->scene, error);
    if (writer->text == NULL)
        return false;
    writer->state = malloc(writer->bytes);
    return writer->state != NULL || fail(error, "not enough memory to write checkpoints");
}

static bool write_now(RunCheckpoint *writer, BillowError *error)
{
    writer->done = 0;
    scene_checkpoint_describe(writer->sim, &writer->run);
    billow_save_state(writer->sim, writer->state);
    const SceneCheckpoint checkpoint = {.run = writer->run,
                                        .text = writer->text,
                                        .shapes = writer->shapes,
                                        .state = writer->state,
                                        .bytes = writer->bytes};
    return scene_checkpoint_write(&checkpoint, writer->path, error);
}

static bool is_finite(const RunCheckpoint *writer)
{
    return billow_stats(writer->sim).nonfinite == 0;
}

void run_checkpoint_note(RunCheckpoint *writer)
{
    BillowError reason, notice;
    writer->done++;
    if (writer->path == NULL || writer->every == 0 || writer->done < writer->every ||
        !is_finite(writer) || write_now(writer, &reason))
        return;
    fail(&notice, "notice: no checkpoint after %.6g s: %.400s", writer->run.time, reason.text);
    report_notice(&notice);
}

void run_checkpoint_note_frame(RunCheckpoint *writer)
{
    writer->run.frames++;
    writer->run.part = writer->run.parts = 0;
    run_checkpoint_note(writer);
}

Status run_checkpoint_finish(RunCheckpoint *writer, Status status, BillowError *error)
{
    BillowError reason;
    if (status == STATUS_INTERRUPTED)
        error->text[0] = 0;
    if (writer->path == NULL || writer->state == NULL || !is_finite(writer))
        return status;
    if (!write_now(writer, &reason)) {
        if (status != STATUS_FAILED)
            *error = reason;
        return STATUS_FAILED;
    }
    if (status == STATUS_INTERRUPTED)
        fail(error, "interrupted; 'billow %s --resume %.300s' goes on from %.6g s", writer->command,
             writer->path, writer->run.time);
    return status;
}

void run_checkpoint_close(RunCheckpoint *writer)
{
    free(writer->text);
    free(writer->state);
    writer->text = NULL;
    writer->state = NULL;
}
