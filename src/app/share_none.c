/* SPDX-License-Identifier: MIT
 * Sharing in a program without ENet and libsodium. */
#include "share.h"

#include "fail.h"
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
