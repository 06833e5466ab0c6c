/* SPDX-License-Identifier: MIT
 * Sharing in a program without ENet and libsodium, and in the page. */
#include "share.h"

#include "fail.h"
#include "sim_thread_parts.h"
#include <stddef.h>

Share *share_open(const ShareDef *def, BillowError *error)
{
    (void)def;
    fail(error, "this program shares nothing: it was built without ENet and libsodium");
    return NULL;
}

void share_close(Share *share)
{
    (void)share;
}

const SimShare *share_table(Share *share)
{
    (void)share;
    return NULL;
}

void share_attach(Share *share, SimThread *sim)
{
    (void)share;
    (void)sim;
}

bool share_wait(Share *share, double seconds, bool (*interrupted)(void), unsigned char **bytes,
                size_t *count, BillowError *error)
{
    (void)share;
    (void)seconds;
    (void)interrupted;
    (void)bytes;
    (void)count;
    (void)error;
    return false;
}

bool share_state(Share *share, unsigned char **bytes, size_t *count)
{
    (void)share;
    (void)bytes;
    (void)count;
    return false;
}

bool share_scene(Share *share, Scene *scene)
{
    (void)share;
    (void)scene;
    return false;
}

void share_leave(Share *share, const char *reason)
{
    (void)share;
    (void)reason;
}

void share_point(Share *share, const float position[3], bool pointing)
{
    (void)share;
    (void)position;
    (void)pointing;
}

ShareStatus share_status(Share *share)
{
    (void)share;
    return (ShareStatus){.host = false};
}

/* -- the simulation's part ----------------------------------------------------------------------
 */

bool sim_share_follows(const SimThread *thread)
{
    (void)thread;
    return false;
}

void sim_share_begin(SimThread *thread, const SimShare *share)
{
    (void)thread;
    (void)share;
}

bool sim_share_sends(SimThread *thread, const SimCommand *command)
{
    (void)thread;
    (void)command;
    return false;
}

void sim_share_expect(SimThread *thread, const SimCommand *command)
{
    (void)thread;
    (void)command;
}

void sim_share_log(SimThread *thread, const SimCommand *command)
{
    (void)thread;
    (void)command;
}

bool sim_share_follow(SimThread *thread)
{
    (void)thread;
    return false;
}

void sim_share_stepped(SimThread *thread)
{
    (void)thread;
}
