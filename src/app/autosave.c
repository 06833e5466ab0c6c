/* SPDX-License-Identifier: MIT
 * Requests the simulation's state, and writes it to a checkpoint on another thread. */
#define _POSIX_C_SOURCE 200809L /* kill */
#include "app/autosave.h"

#include "app/recording.h"
#include "app/session.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/thread.h"
#include "scene/scene_checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longest time to wait for the requested state, s: while the window runs, and when it closes. The
 * state arrives after the present step, which may take seconds on a large grid. */
#define ANSWER_SECONDS 30.0
#define LAST_SECONDS   20.0

/* -- writing a file ---------------------------------------------------------------------------- */

struct AutosaveJob {
    Thread *thread;
    atomic_bool done;
    char path[512];
    bool by_key, written;
    SceneCheckpoint checkpoint;
    SceneShape shapes[SCENE_SHAPES]; /* copies of the play's shapes; the job frees them */
    BillowError error;
};

static void drop_job(AutosaveJob *job)
{
    scene_shapes_free(job->shapes);
    free((void *)job->checkpoint.text);
    free((void *)job->checkpoint.state);
    free(job);
}

/* Makes a job that writes a state. The job owns `copy->state`, and frees it. If the function fails,
 * it frees `copy->state` itself. */
static AutosaveJob *make_job(const World *world, SimSaved *copy, const char *path, bool by_key,
                             BillowError *error)
{
    AutosaveJob *job = calloc(1, sizeof *job);
    Scene scene = world->scene;
    scene.render.camera = world->render.camera;
    scene_take_cells(&scene, copy->first, copy->refine);
    if (job == NULL || copy->state == NULL) {
        free(job);
        free(copy->state);
        fail(error, "not enough memory for a checkpoint");
        return NULL;
    }
    snprintf(job->path, sizeof job->path, "%s", path);
    job->by_key = by_key;
    job->checkpoint = (SceneCheckpoint){.run = copy->run,
                                        .shapes = job->shapes,
                                        .state = copy->state,
                                        .bytes = copy->bytes,
                                        .replaces = !by_key};
    snprintf(job->checkpoint.run.scene, sizeof job->checkpoint.run.scene, "%s", scene.name);
    /* The play may be destroyed while the file is written. */
    bool good = scene_shapes_copy(world->plays[world->play_count - 1].play, job->shapes) ||
                fail(error, "not enough memory for a checkpoint");
    const float cell = scene_def(&scene).cell_size; /* of the grid that uses the shapes */
    for (int entry = 0; entry < SCENE_SHAPES; entry++)
        job->shapes[entry].cell = cell;
    job->checkpoint.text = good ? scene_checkpoint_text(&scene, error) : NULL;
    if (job->checkpoint.text != NULL)
        return job;
    drop_job(job);
    return NULL;
}

static void run_job(void *data)
{
    AutosaveJob *job = data;
    job->written = scene_checkpoint_write(&job->checkpoint, job->path, &job->error);
    atomic_store(&job->done, true);
}

/* -- the folder -------------------------------------------------------------------------------- */

static bool make_folders(const char *path)
{
    char part[512];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part, 0777) == 0 || errno == EEXIST;
}

static bool find_folder(char *folder, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = state != NULL && state[0] == '/' ? snprintf(folder, size, "%s/billow", state)
                 : home != NULL && home[0] == '/'
                     ? snprintf(folder, size, "%s/.local/state/billow", home)
                     : -1;
    return length > 0 && (size_t)length < size && make_folders(folder);
}

/* Returns the process id in a name such as autosave-123.ckpt. Returns 0 if the name has another
 * form. */
static long writer_of(const char *name)
{
    static const char start[] = "autosave-";
    char *end = NULL;
    if (strncmp(name, start, sizeof start - 1) != 0)
        return 0;
    long process = strtol(name + sizeof start - 1, &end, 10);
    return strcmp(end, ".ckpt") == 0 && process <= INT_MAX ? process : 0;
}

/* Renames the checkpoints of dead processes to broken-off.ckpt, so that the last one found remains.
 * path: receives the new path. Returns false if there are none. */
static bool find_broken_off(const char *folder, char *path, size_t size)
{
    bool found = false;
    DIR *entries = opendir(folder);
    for (struct dirent *entry = entries != NULL ? readdir(entries) : NULL; entry != NULL;
         entry = readdir(entries)) {
        long writer = writer_of(entry->d_name);
        char from[512];
        int length = snprintf(from, sizeof from, "%s/%.100s", folder, entry->d_name);
        if (writer <= 0 || length >= (int)sizeof from || kill((pid_t)writer, 0) == 0 ||
            errno != ESRCH)
            continue;
        snprintf(path, size, "%s/broken-off.ckpt", folder);
        found = rename(from, path) == 0 || found;
    }
    if (entries != NULL)
        closedir(entries);
    return found;
}

void autosave_open(Session *session)
{
    Autosave *self = &session->autosave;
    char folder[400];
    if (!(session->options->autosave > 0) || session->options->kiosk)
        return;
    if (!find_folder(folder, sizeof folder)) {
        fprintf(stderr,
                "billow: notice: no automatic checkpoints: their folder cannot be created\n");
        return;
    }
    snprintf(self->own, sizeof self->own, "%s/autosave-%ld.ckpt", folder, (long)getpid());
    snprintf(self->last, sizeof self->last, "%s/last.ckpt", folder);
    self->due = clock_seconds() + session->options->autosave;
    if (find_broken_off(folder, self->broken_off, sizeof self->broken_off))
        fprintf(stderr,
                "billow: notice: a session was broken off; 'billow run --resume %s' continues it\n",
                self->broken_off);
}

/* -- asking for the state ---------------------------------------------------------------------- */

static bool can_ask(const Session *session)
{
    const World *world = &session->world;
    return world->sim != NULL && !world->changing && world->play_count > 0 &&
           session->snapshot != NULL;
}

static uint64_t steps_of(const Session *session)
{
    return session->world.steps_before + session->snapshot->steps + session->snapshot->resets;
}

static void ask(Session *session, bool by_key)
{
    Autosave *self = &session->autosave;
    sim_thread_send(session->world.sim, &(SimCommand){.kind = SIM_SAVE});
    self->asked = session->world.sim;
    self->asked_at = session->now;
    self->asked_by_key = by_key;
}

/* Chooses the path of a checkpoint that a key requested. */
static bool name_saved(const Session *session, char *path, size_t size, BillowError *error)
{
    char name[128];
    if (session->autosave.as[0] != 0) {
        snprintf(path, size, "%s", session->autosave.as);
        return true;
    }
    const CaptureName of = {.folder = session->options->capture_folder,
                            .prefix = "",
                            .scene = session->world.scene.name,
                            .digits = 1,
                            .ending = ".ckpt",
                            .plural = "checkpoints of"};
    return capture_name(&of, name, sizeof name, path, size, error);
}

/* Starts to write the state that the simulation has sent. The state is dropped if the settings have
 * changed since it was copied, or if some values are not finite. In the first case the request of a
 * key is repeated. */
static void take_copy(Session *session, SimSaved *copy)
{
    Autosave *self = &session->autosave;
    BillowError error = {{0}};
    char path[512];
    bool by_key = self->asked_by_key, current = copy->settings == session->world.settings;
    self->asked = NULL;
    if (!current || !copy->finite) {
        free(copy->state);
        self->by_key = self->by_key || (by_key && copy->finite);
        return;
    }
    bool named = !by_key || name_saved(session, path, sizeof path, &error);
    if (!named)
        free(copy->state);
    AutosaveJob *job =
        named ? make_job(&session->world, copy, by_key ? path : self->own, by_key, &error) : NULL;
    if (job == NULL) {
        session_say(session, "%s", error.text);
        return;
    }
    if (by_key && self->as[0] != 0) {
        job->checkpoint.replaces = true;
        self->as[0] = 0;
    }
    self->steps = steps_of(session);
    self->job = job;
    job->thread = thread_start(run_job, "checkpoint", job, NULL);
    if (job->thread == NULL)
        run_job(job);
}

static void end_job(Session *session)
{
    Autosave *self = &session->autosave;
    AutosaveJob *job = self->job;
    thread_join(job->thread); /* does nothing if the thread is NULL */
    self->job = NULL;
    bool again = !job->written && strcmp(job->error.text, self->failure.text) == 0;
    if (job->written && job->by_key) {
        snprintf(self->saved, sizeof self->saved, "%s", job->path);
        session_say(session, "saved %s; F9 goes back to it", job->path);
    } else if (!job->written && (job->by_key || !again)) {
        session_say(session, "%s", job->error.text);
    }
    if (!job->by_key && self->by_signal) {
        self->by_signal = false;
        fprintf(stderr, "billow: notice: %s%s\n", job->written ? "wrote " : "",
                job->written ? job->path : job->error.text);
    }
    if (!job->by_key)
        self->failure = job->error;
    drop_job(job);
}

/* Lets a signal ask for the automatic checkpoint now. */
static void heed_signal(Session *session)
{
    Autosave *self = &session->autosave;
    bool (*asks)(void) = session->options->checkpoint_asked;
    if (asks == NULL || !asks())
        return;
    self->by_signal = self->own[0] != 0;
    if (self->by_signal)
        self->due = session->now;
    else
        fprintf(stderr, "billow: notice: SIGUSR2 writes no checkpoint, because --autosave is 0\n");
}

void autosave_frame(Session *session)
{
    Autosave *self = &session->autosave;
    SimSaved copy;
    heed_signal(session);
    if (self->broken_off[0] != 0) {
        session_say(session, "the last session did not end cleanly: billow run --resume %.200s",
                    self->broken_off);
        session->texts.message_until += 10; /* s longer than other messages */
        self->broken_off[0] = 0;
    }
    if (self->job != NULL && atomic_load(&self->job->done))
        end_job(session);
    if (self->asked != NULL &&
        (self->asked != session->world.sim || session->now - self->asked_at > ANSWER_SECONDS))
        self->asked = NULL;
    if (self->job != NULL || !can_ask(session))
        return;
    if (self->asked != NULL) {
        if (sim_thread_saved(session->world.sim, &copy))
            take_copy(session, &copy);
        return;
    }
    bool due = self->own[0] != 0 && session->now >= self->due && !session->attract.show.playing;
    if (due)
        self->due = session->now + session->options->autosave;
    if (self->by_key || (due && (self->by_signal || steps_of(session) != self->steps)))
        ask(session, self->by_key);
    self->by_key = false;
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool wait_for_copy(Session *session, SimSaved *copy)
{
    double end = clock_seconds() + LAST_SECONDS;
    while (!sim_thread_saved(session->world.sim, copy)) {
        if (clock_seconds() > end ||
            sim_thread_state(session->world.sim, NULL) != SIM_THREAD_RUNNING)
            return false;
        clock_sleep(0.002);
    }
    return true;
}

/* Writes the state when the window closes. Returns false with a message on failure. */
static bool save_last(Session *session, BillowError *error)
{
    SimSaved copy;
    while (sim_thread_saved(session->world.sim, &copy)) /* drop a copy that was requested earlier */
        free(copy.state);
    sim_thread_send(session->world.sim, &(SimCommand){.kind = SIM_SAVE});
    if (!wait_for_copy(session, &copy))
        return fail(error, "the simulation did not answer");
    if (!copy.finite) {
        free(copy.state);
        return fail(error, "the simulation's values are no longer finite");
    }
    AutosaveJob *job = make_job(&session->world, &copy, session->autosave.last, false, error);
    if (job == NULL)
        return false;
    run_job(job);
    bool written = job->written;
    *error = job->error;
    drop_job(job);
    return written;
}

bool autosave_keeps(const Session *session)
{
    return session->autosave.own[0] != 0 && can_ask(session) && !session->attract.show.playing &&
           steps_of(session) > 0;
}

void autosave_close(Session *session)
{
    Autosave *self = &session->autosave;
    BillowError error = {{0}};
    if (self->job != NULL)
        end_job(session);
    if (self->own[0] == 0)
        return;
    bool any = autosave_keeps(session);
    if (any && !save_last(session, &error)) {
        fprintf(stderr, "billow: notice: the last state was not saved: %s\n", error.text);
        return;
    }
    if (any)
        unlink(self->own);
    else
        rename(self->own, self->last);
}

/* -- keys -------------------------------------------------------------------------------------- */

void autosave_save_as(Session *session, const char *path)
{
    Autosave *self = &session->autosave;
    snprintf(self->as, sizeof self->as, "%s", path);
    self->by_key = true;
}

void action_checkpoint(Session *session)
{
    session->autosave.as[0] = 0;
    if (!kiosk_refuses(session))
        session->autosave.by_key = true;
}

void action_restore(Session *session)
{
    const char *path = session->autosave.saved;
    if (kiosk_refuses(session))
        return;
    if (path[0] == 0)
        session_say(session, "there is no checkpoint yet: F5 saves one, Ctrl O opens one");
    else
        session_change(session, path);
}
