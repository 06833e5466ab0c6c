/* SPDX-License-Identifier: MIT
 *
 * The page in a session of others, whose host serves it (share.h). */
#include "web/page.h"

#include "render/frame/camera.h"
#include "web/page_parts.h"

#include <emscripten.h>
#include <stdio.h>

EMSCRIPTEN_KEEPALIVE const char *page_join(const char *address, const char *key, const char *name)
{
    const ShareDef def = {.address = address, .key = key, .name = name, .threadless = true};
    page.share = share_open(&def, &page.error);
    if (page.share != NULL)
        world_share(&page.world, page.share);
    return page_answer(page.share != NULL);
}

EMSCRIPTEN_KEEPALIVE int page_follows(void)
{
    return world_follows(&page.world);
}

void page_serve_session(void)
{
    const Brush *brush = &page.world.brush;
    if (page.share == NULL)
        return;
    share_point(page.share, brush->place, brush->over && page.pointing);
    share_service(page.share);
}

/* Where the smoke of the session is: on its way, here, left, or never come. */
static const char *stage_of(const ShareStatus *status)
{
    const bool here = page.world.sim != NULL;
    if (status->ended)
        return here ? "alone" : "failed";
    return here ? "shared" : "joining";
}

static void add_person(const SharePerson *person)
{
    const Camera camera = camera_from_settings(&page_seen()->camera, page.width, page.height);
    const float width = (float)page.width, height = (float)page.height;
    float at[2];
    page_add("%s\t%d\t%g %g %g\t%d\t%d", person->name, person->self, (double)person->color[0],
             (double)person->color[1], (double)person->color[2], person->delay, person->behind);
    if (!person->self && person->pointing &&
        camera_place(&camera, width, height, person->pointer, at))
        page_add("\t%.4f\t%.4f", (double)(at[0] / width), (double)(at[1] / height));
    page_add("\n");
}

EMSCRIPTEN_KEEPALIVE const char *page_session(void)
{
    page_start_text();
    if (page.share == NULL)
        return page.text;
    const ShareStatus status = share_status(page.share);
    page_add("%s\t%s\t%u\t%s\n", stage_of(&status), status.ended ? status.why : "",
             (unsigned)status.notices, status.notice.text);
    for (int p = 0; p < status.people_count; p++)
        add_person(&status.people[p]);
    return page.text;
}
