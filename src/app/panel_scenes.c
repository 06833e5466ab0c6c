/* SPDX-License-Identifier: MIT
 * The scenes there are, by their pictures, and files of one's own. */
#include "panel_parts.h"

#include "embed.h"
#include "image.h"

#include <stdio.h>
#include <string.h>

/* 0: there is no picture of that name. */
static unsigned load(Gui *gui, const char *name)
{
    for (const EmbeddedFile *file = embedded_thumbnails; file->name != NULL; file++) {
        Image image;
        if (strcmp(file->stem, name) != 0 ||
            !image_read_png_bytes(&image, file->text, file->length, file->name, NULL))
            continue;
        unsigned made = gui_image_make(gui, image.width, image.height, image.pixels);
        image_destroy(&image);
        return made;
    }
    return 0;
}

/* One a frame, so that no frame waits for all. */
static void load_next(Session *session)
{
    Panel *panel = session->panel;
    if (panel->gui != session->gui) { /* another context has none of them */
        memset(panel->thumbnails, 0, sizeof panel->thumbnails);
        panel->gui = session->gui;
    }
    for (int index = 0; index < PANEL_THUMBNAILS && scene_builtin_name(index) != NULL; index++)
        if (panel->thumbnails[index] == 0) {
            unsigned made = load(session->gui, scene_builtin_name(index));
            panel->thumbnails[index] = made != 0 ? made : UINT32_MAX;
            session->exposed = true;
            return;
        }
}

static void show_file(Session *session)
{
    Panel *panel = session->panel;
    gui_value_width(gui_width() - 4.6f * gui_letters());
    unsigned edit = gui_line_edit("##file", panel->file, sizeof panel->file);
    gui_tip("a scene file, or a checkpoint; the scene that was saved last stands here");
    gui_same_line(4);
    bool asked = gui_button("open") || (edit & GUI_ENTERED) != 0;
    if (asked && panel->file[0] != '\0')
        session_change(session, panel->file);
}

void panel_show_scenes(Session *session)
{
    const Panel *panel = session->panel;
    float gap = 4, wide = 7.4f * gui_letters(), room = gui_width();
    int across = (int)SDL_max(1, (room + gap) / (wide + 4 + gap));
    wide = SDL_min(wide, room / (float)across - gap - 4);
    load_next(session);
    show_file(session);
    for (int index = 0; scene_builtin_name(index) != NULL && index < PANEL_THUMBNAILS; index++) {
        const char *name = scene_builtin_name(index);
        char tip[256];
        unsigned image = panel->thumbnails[index];
        if (index % across != 0)
            gui_same_line(gap);
        bool pressed = image != 0 && image != UINT32_MAX
                           ? gui_image_button(name, image, (GuiPoint){wide, wide * 9 / 16})
                           : gui_button(name);
        snprintf(tip, sizeof tip, "%s: %s", name, scene_builtin_title(index));
        gui_tip(tip);
        if (pressed)
            session_change(session, name);
    }
}
