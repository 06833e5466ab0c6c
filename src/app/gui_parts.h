/* SPDX-License-Identifier: MIT
 *
 * What the C++ files of the GUI share: its state, and conversions to Dear ImGui's types. */
#ifndef APP_GUI_PARTS_H
#define APP_GUI_PARTS_H

#include "app/gui.h"

#include <algorithm>
#include <cstdint>
#include <epoxy/gl.h>
#include <imgui.h>

#if IMGUI_VERSION_NUM < 18700
constexpr ImGuiKey_ ImGuiKey_KeypadEnter = ImGuiKey_KeyPadEnter; /* its name in older versions */
#endif

constexpr int kButtons = 3;
constexpr int kImages = 64;
constexpr int kBoxes = 16;

inline ImVec2 vec(const GuiPoint &point)
{
    return {point.x, point.y};
}

inline ImVec4 vec(const GuiColor &color)
{
    return {color.r, color.g, color.b, color.a};
}

inline ImU32 packed(const GuiColor &color)
{
    return ImGui::ColorConvertFloat4ToU32(vec(color));
}

/* A mouse button. */
struct Button {
    bool down;
    bool on_panel; /* the button was pressed on the panel */
    bool released; /* the button was released; Dear ImGui learns it after the next frame, which
                      measures the drag */
};

struct Gui {
    ImGuiContext *context;
    float pixels_per_point, enlargement;
    float asked, display_scale; /* arguments of gui_set_scale */
    void *font; /* contents of the font's file, from SDL_malloc; NULL: the bitmap font */
    size_t font_bytes;
    Uint64 frame_time; /* performance counter at the last frame; 0: no frame yet */
    ImVec2 cursor;
    Button buttons[kButtons];
    bool left;             /* Esc was pressed in the panel and had nothing to cancel */
    int unseen;            /* number of frames to draw before the next event is handled */
    bool shown, was_shown; /* whether the panel was shown in this frame, and in the last frame */
    bool listed;           /* a list was open in the last frame, which needs no panel */
    ImVec2 corner, size;   /* rectangle of the panel in the last frame */
    ImVec2 display;        /* size of the window in the last frame with the panel */
    float panel_scale;     /* `enlargement` in that frame */
    GuiBox boxes[kBoxes];  /* rectangles of the plates and the panel in this frame */
    int box_count;
    unsigned images[kImages];
    int image_count;
    GLuint panel_texture;     /* copy of the panel's pixels; 0: none yet */
    GLuint panel_framebuffer; /* framebuffer of panel_texture; 0: none yet */
    GLint panel_pixels[4]; /* rectangle of the panel in the window, pixels: x, y, width, height */
    uint64_t panel_hash;   /* hash of the draw lists from which panel_texture was drawn */
};

/* Numbers of frames to draw before the next event. kSeen: Dear ImGui must see this event before the
 * next one, which may undo it. kSettled: one more frame shows which widget has the keyboard after
 * the event. kFocused: a widget that was given the keyboard has it. */
enum { kSeen = 1, kSettled = 2, kFocused = 3 };

inline void wait_for(Gui *gui, int frames)
{
    gui->unseen = std::max(gui->unseen, frames);
}

#endif
