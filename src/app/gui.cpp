/* SPDX-License-Identifier: MIT */
#include "gui.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <epoxy/gl.h>
#include <imgui.h>
#include <iterator>
#include <new>

namespace
{

constexpr float kFontPoints = 14.0f, kBitmapPoints = 13.0f;
constexpr size_t kFontBytesMax = size_t{16} << 20;
constexpr int kButtons = 3;
constexpr int kImages = 64;
constexpr int kBoxes = 16;
constexpr ImGuiWindowFlags kPlateFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoBringToFrontOnFocus; /* plates are drawn below the panel, even if they are
                                               begun after it */

ImVec2 vec(const GuiPoint &point)
{
    return {point.x, point.y};
}

ImVec4 vec(const GuiColor &color)
{
    return {color.r, color.g, color.b, color.a};
}

ImU32 packed(const GuiColor &color)
{
    return ImGui::ColorConvertFloat4ToU32(vec(color));
}

void set_style()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 4;
    style.WindowBorderSize = 0;
    style.WindowPadding = {7, 4};
    style.WindowMinSize = {1, 1};
    style.FramePadding = {4, 2};
    style.FrameRounding = 2;
    style.GrabRounding = 2;
    style.ItemSpacing = {8, 4};
    style.AntiAliasedFill = false; /* smooth edges are slow on a software renderer */
    style.Colors[ImGuiCol_Text] = {0.96f, 0.96f, 0.96f, 1};
    style.Colors[ImGuiCol_WindowBg] = {0.07f, 0.08f, 0.10f, 1};
    style.Colors[ImGuiCol_TitleBg] =
        style.Colors[ImGuiCol_TitleBgActive] = {0.16f, 0.18f, 0.23f, 1};
    style.Colors[ImGuiCol_Header] = {0.20f, 0.24f, 0.31f, 1};
    style.Colors[ImGuiCol_HeaderHovered] = {0.27f, 0.32f, 0.41f, 1};
    style.Colors[ImGuiCol_HeaderActive] = {0.32f, 0.38f, 0.48f, 1};
    style.Colors[ImGuiCol_FrameBg] = {0.16f, 0.18f, 0.22f, 1};
    style.Colors[ImGuiCol_FrameBgHovered] = {0.22f, 0.25f, 0.31f, 1};
    style.Colors[ImGuiCol_FrameBgActive] = {0.27f, 0.31f, 0.38f, 1};
    style.Colors[ImGuiCol_SliderGrab] = {0.85f, 0.66f, 0.32f, 1};
    style.Colors[ImGuiCol_SliderGrabActive] = {1.0f, 0.82f, 0.45f, 1};
    style.Colors[ImGuiCol_CheckMark] = {1.0f, 0.82f, 0.45f, 1};
    style.Colors[ImGuiCol_Button] = {0.22f, 0.26f, 0.34f, 1};
    style.Colors[ImGuiCol_ButtonHovered] = {0.30f, 0.36f, 0.46f, 1};
    style.Colors[ImGuiCol_ButtonActive] = {0.40f, 0.46f, 0.58f, 1};
    style.Colors[ImGuiCol_PlotLines] = {1.0f, 0.82f, 0.45f, 1};
    style.Colors[ImGuiCol_NavHighlight] = {1.0f, 0.82f, 0.45f, 1};
}

/* Tells Dear ImGui the scancode of each key that it uses. */
void map_keys()
{
    static const struct {
        ImGuiKey key;
        SDL_Scancode place;
    } keys[] = {
        {ImGuiKey_Tab, SDL_SCANCODE_TAB},
        {ImGuiKey_LeftArrow, SDL_SCANCODE_LEFT},
        {ImGuiKey_RightArrow, SDL_SCANCODE_RIGHT},
        {ImGuiKey_UpArrow, SDL_SCANCODE_UP},
        {ImGuiKey_DownArrow, SDL_SCANCODE_DOWN},
        {ImGuiKey_PageUp, SDL_SCANCODE_PAGEUP},
        {ImGuiKey_PageDown, SDL_SCANCODE_PAGEDOWN},
        {ImGuiKey_Home, SDL_SCANCODE_HOME},
        {ImGuiKey_End, SDL_SCANCODE_END},
        {ImGuiKey_Insert, SDL_SCANCODE_INSERT},
        {ImGuiKey_Delete, SDL_SCANCODE_DELETE},
        {ImGuiKey_Backspace, SDL_SCANCODE_BACKSPACE},
        {ImGuiKey_Space, SDL_SCANCODE_SPACE},
        {ImGuiKey_Enter, SDL_SCANCODE_RETURN},
        {ImGuiKey_KeyPadEnter, SDL_SCANCODE_KP_ENTER},
        {ImGuiKey_Escape, SDL_SCANCODE_ESCAPE},
        {ImGuiKey_A, SDL_SCANCODE_A},
        {ImGuiKey_C, SDL_SCANCODE_C},
        {ImGuiKey_V, SDL_SCANCODE_V},
        {ImGuiKey_X, SDL_SCANCODE_X},
        {ImGuiKey_Y, SDL_SCANCODE_Y},
        {ImGuiKey_Z, SDL_SCANCODE_Z},
    };
    ImGuiIO &io = ImGui::GetIO();
    for (const auto &key : keys)
        io.KeyMap[key.key] = key.place;
}

/* -- mouse buttons */

struct Button {
    bool down;
    bool on_panel; /* the button was pressed on the panel */
    bool released; /* the button was released; Dear ImGui learns it after the next frame, which
                      measures the drag */
};

bool inside(const ImVec2 &point, const ImVec2 &corner, const ImVec2 &size)
{
    return point.x >= corner.x && point.y >= corner.y && point.x < corner.x + size.x &&
           point.y < corner.y + size.y;
}

} // namespace

struct Gui {
    ImGuiContext *context;
    float pixels_per_point, enlargement;
    void *font; /* contents of the font's file, from SDL_malloc; NULL: the bitmap font */
    size_t font_bytes;
    Uint64 frame_time; /* performance counter at the last frame; 0: no frame yet */
    ImVec2 cursor;
    Button buttons[kButtons];
    bool left;             /* Esc was pressed in the panel and had nothing to cancel */
    int unseen;            /* number of frames to draw before the next event is handled */
    bool shown, was_shown; /* whether the panel was shown in this frame, and in the last frame */
    ImVec2 corner, size;   /* rectangle of the panel in the last frame */
    ImVec2 display;        /* size of the window in the last frame */
    GuiBox boxes[kBoxes];  /* rectangles of the plates and the panel in this frame */
    int box_count;
    unsigned images[kImages];
    int image_count;
    GLuint panel_texture;     /* copy of the panel's pixels; 0: none yet */
    GLuint panel_framebuffer; /* framebuffer of panel_texture; 0: none yet */
    GLint panel_pixels[4]; /* rectangle of the panel in the window, pixels: x, y, width, height */
    uint64_t panel_hash;   /* hash of the draw lists from which panel_texture was drawn */
};

/* Returns the scale of the letters for a window's height in points: 1 to 4, in steps of 0.5.
 * Letters of 13 points are too small in a 4K window. */
static float enlargement_for(float height)
{
    return std::min(std::max(std::floor(height / 540.0f) / 2, 1.0f), 4.0f);
}

/* Rasterises the font at the screen's density. Texts are laid out in points. */
static void set_sizes(Gui *gui, float pixels_per_point, float enlargement)
{
    ImGuiIO &io = ImGui::GetIO();
    const float scale = enlargement * pixels_per_point;
    ImFontConfig config;
    io.Fonts->Clear();
    if (gui->font != nullptr) {
        config.FontDataOwnedByAtlas = false;
        io.Fonts->AddFontFromMemoryTTF(gui->font, static_cast<int>(gui->font_bytes),
                                       std::round(kFontPoints * scale), &config);
    } else {
        config.SizePixels = kBitmapPoints * scale;
        io.Fonts->AddFontDefault(&config);
    }
    io.FontGlobalScale = 1 / pixels_per_point;
    ImGui::GetStyle() = ImGuiStyle();
    set_style();
    ImGui::GetStyle().ScaleAllSizes(enlargement);
    gui->pixels_per_point = pixels_per_point;
    gui->enlargement = enlargement;
}

static const char *paste(void *)
{
    static char *text = nullptr;
    SDL_free(text);
    text = SDL_GetClipboardText();
    return text;
}

static void copy(void *, const char *text)
{
    SDL_SetClipboardText(text);
}

/* Reads the font's file. TrueType files start with one of two numbers; Dear ImGui would end the
 * program on any other file. */
static void read_font(Gui *gui, const char *font)
{
    static const unsigned char starts[2][4] = {{0, 1, 0, 0}, {'t', 'r', 'u', 'e'}};
    size_t bytes = 0;
    void *data = font != nullptr && font[0] != 0 ? SDL_LoadFile(font, &bytes) : nullptr;
    const bool good =
        data != nullptr && bytes > 4 && bytes <= kFontBytesMax &&
        (std::memcmp(data, starts[0], 4) == 0 || std::memcmp(data, starts[1], 4) == 0);
    if (good) {
        gui->font = data;
        gui->font_bytes = bytes;
    } else {
        SDL_free(data);
    }
}

Gui *gui_create(float pixels_per_point, const char *font, BillowError *error)
{
    Gui *gui = new (std::nothrow) Gui{};
    ImGuiContext *context = gui != nullptr ? ImGui::CreateContext() : nullptr;
    if (context != nullptr) {
        gui->context = context;
        ImGui::SetCurrentContext(context);
        ImGuiIO &io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        io.UserData = gui;
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        io.GetClipboardTextFn = paste;
        io.SetClipboardTextFn = copy;
        gui->cursor = {-FLT_MAX, -FLT_MAX};
        map_keys();
        read_font(gui, font);
        set_sizes(gui, pixels_per_point, 1);
        if (ImGui_ImplOpenGL3_Init("#version 330 core"))
            return gui;
        ImGui::DestroyContext(context);
        SDL_free(gui->font);
    }
    delete gui;
    if (error != nullptr)
        std::snprintf(error->text, sizeof error->text,
                      "the window's text cannot be drawn: no OpenGL 3.3 functions were found");
    return nullptr;
}

void gui_destroy(Gui *gui)
{
    if (gui == nullptr)
        return;
    ImGui::SetCurrentContext(gui->context);
    glDeleteTextures(gui->image_count, gui->images);
    glDeleteTextures(1, &gui->panel_texture);
    glDeleteFramebuffers(1, &gui->panel_framebuffer);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(gui->context);
    SDL_free(gui->font);
    delete gui;
}

/* -- input ------------------------------------------------------------------------------------- */

static int button_of(Uint8 button)
{
    return button == SDL_BUTTON_LEFT     ? 0
           : button == SDL_BUTTON_RIGHT  ? 1
           : button == SDL_BUTTON_MIDDLE ? 2
                                         : -1;
}

static bool any_button(const Gui *gui, bool on_panel)
{
    return std::any_of(
        gui->buttons, gui->buttons + kButtons,
        [on_panel](const Button &b) { return b.down && b.on_panel == on_panel; });
}

/* Whether the cursor is on the panel. This uses the panel's rectangle in the last frame, because
 * Dear ImGui may not have seen the cursor at this position yet. */
static bool over(const Gui *gui)
{
    return gui->was_shown &&
           (inside(gui->cursor, gui->corner, gui->size) || ImGui::GetIO().WantCaptureMouse);
}

bool gui_hovered(const Gui *gui)
{
    ImGui::SetCurrentContext(gui->context);
    return any_button(gui, true) || (!any_button(gui, false) && over(gui));
}

/* Numbers of frames to draw before the next event. kSeen: Dear ImGui must see this event before the
 * next one, which may undo it. kSettled: one more frame shows which widget has the keyboard after
 * the event. kFocused: a widget that was given the keyboard has it. */
enum { kSeen = 1, kSettled = 2, kFocused = 3 };

static void wait_for(Gui *gui, int frames)
{
    gui->unseen = std::max(gui->unseen, frames);
}

static bool handle_button(Gui *gui, const SDL_MouseButtonEvent *event)
{
    const int index = button_of(event->button);
    gui->cursor = {static_cast<float>(event->x), static_cast<float>(event->y)};
    if (index < 0)
        return gui_hovered(gui);
    Button &button = gui->buttons[index];
    if (event->type == SDL_MOUSEBUTTONDOWN) {
        button.on_panel = gui_hovered(gui);
        button.down = true;
        button.released = false;
        if (button.on_panel)
            wait_for(gui, kSettled);
        else if (gui->was_shown)
            ImGui::SetWindowFocus(nullptr); /* the panel loses the keyboard */
        return button.on_panel;
    }
    button.released = button.on_panel;
    button.down = button.on_panel;
    if (button.on_panel)
        wait_for(gui, kSettled);
    return button.on_panel;
}

static bool is_letter(SDL_Scancode place)
{
    return place >= SDL_SCANCODE_A && place <= SDL_SCANCODE_Z;
}

/* Whether the panel uses a key. Letters reach the panel as text events. As keys, it uses them only
 * with Ctrl. */
static bool is_used(SDL_Scancode place, bool ctrl)
{
    const ImGuiIO &io = ImGui::GetIO();
    return (!is_letter(place) || ctrl) && std::find(std::begin(io.KeyMap), std::end(io.KeyMap),
                                                    static_cast<int>(place)) != std::end(io.KeyMap);
}

static void press(Gui *gui, SDL_Scancode place, const SDL_KeyboardEvent *event)
{
    ImGuiIO &io = ImGui::GetIO();
    if (place >= SDL_NUM_SCANCODES)
        return;
    if (event->type == SDL_KEYUP && io.KeysDown[place]) {
        io.KeysDown[place] = false;
        wait_for(gui, kSeen);
    } else if (event->type == SDL_KEYDOWN && event->repeat == 0 && is_used(place, io.KeyCtrl)) {
        io.KeysDown[place] = true;
        wait_for(gui, kSettled);
    }
}

static bool is_enter(SDL_Scancode place)
{
    return place == SDL_SCANCODE_RETURN || place == SDL_SCANCODE_KP_ENTER;
}

/* Tells Dear ImGui what this event says about the key. SDL's own keyboard state is not used,
 * because it may include later events. While no text is typed, Enter also counts as the space bar:
 * Dear ImGui edits values with Enter, but operates buttons and other widgets without text with the
 * space bar. */
static void note_key(Gui *gui, const SDL_KeyboardEvent *event)
{
    ImGuiIO &io = ImGui::GetIO();
    const SDL_Scancode place = event->keysym.scancode;
    const unsigned held = event->keysym.mod;
    io.KeyCtrl = (held & KMOD_CTRL) != 0;
    io.KeyShift = (held & KMOD_SHIFT) != 0;
    io.KeyAlt = (held & KMOD_ALT) != 0;
    press(gui, place, event);
    if (is_enter(place) && !io.WantTextInput)
        press(gui, SDL_SCANCODE_SPACE, event);
}

/* Whether Esc has something to cancel: an open list, or the editing of a value. */
static bool holds_escape()
{
    return ImGui::IsAnyItemActive() ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/* Whether the panel handles a key. While text is typed, it handles all keys except F1 to F12 and
 * unknown keys with Ctrl. While it has the keyboard without a text, it handles Esc, the arrow keys
 * and the keys of the selected widget. */
static bool handle_key(Gui *gui, const SDL_KeyboardEvent *event)
{
    const ImGuiIO &io = ImGui::GetIO();
    const SDL_Scancode place = event->keysym.scancode;
    if (!gui->was_shown)
        return false;
    note_key(gui, event);
    if (io.WantTextInput)
        return (place < SDL_SCANCODE_F1 || place > SDL_SCANCODE_F12) &&
               (!io.KeyCtrl || is_used(place, true));
    if (!io.WantCaptureKeyboard)
        return false;
    switch (place) {
    case SDL_SCANCODE_ESCAPE:
        gui->left =
            gui->left || (event->type == SDL_KEYDOWN && event->repeat == 0 && !holds_escape());
        return true;
    case SDL_SCANCODE_LEFT:
    case SDL_SCANCODE_RIGHT:
    case SDL_SCANCODE_UP:
    case SDL_SCANCODE_DOWN:
        return true;
    case SDL_SCANCODE_SPACE:
    case SDL_SCANCODE_RETURN:
    case SDL_SCANCODE_KP_ENTER:
    case SDL_SCANCODE_PAGEUP:
    case SDL_SCANCODE_PAGEDOWN:
    case SDL_SCANCODE_HOME:
    case SDL_SCANCODE_END:
        return io.NavVisible;
    default:
        return false;
    }
}

bool gui_handle(Gui *gui, const SDL_Event *event)
{
    ImGui::SetCurrentContext(gui->context);
    ImGuiIO &io = ImGui::GetIO();
    switch (event->type) {
    case SDL_MOUSEMOTION:
        gui->cursor = {static_cast<float>(event->motion.x), static_cast<float>(event->motion.y)};
        return gui_hovered(gui);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return handle_button(gui, &event->button);
    case SDL_MOUSEWHEEL:
        if (!gui_hovered(gui))
            return false;
        io.MouseWheel += event->wheel.preciseY;
        io.MouseWheelH += event->wheel.preciseX;
        return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return handle_key(gui, &event->key);
    case SDL_TEXTINPUT:
        if (gui->was_shown && io.WantTextInput) {
            io.AddInputCharactersUTF8(event->text.text);
            wait_for(gui, kSeen); /* the next key may be Enter, which needs this text */
        }
        return io.WantTextInput;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_LEAVE && !any_button(gui, true))
            gui->cursor = {-FLT_MAX, -FLT_MAX};
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            std::memset(io.KeysDown, 0, sizeof io.KeysDown);
            io.KeyCtrl = io.KeyShift = io.KeyAlt = false;
        }
        return false;
    default:
        return false;
    }
}

bool gui_left(Gui *gui)
{
    const bool left = gui->left;
    gui->left = false;
    return left;
}

bool gui_waits(const Gui *gui)
{
    return gui->was_shown && gui->unseen > 0;
}

bool gui_busy(const Gui *gui)
{
    ImGui::SetCurrentContext(gui->context);
    return gui->was_shown && (ImGui::IsAnyItemActive() || any_button(gui, true));
}

/* -- a frame ----------------------------------------------------------------------------------- */

static void take_input(const Gui *gui)
{
    ImGuiIO &io = ImGui::GetIO();
    const bool theirs = any_button(gui, false);
    io.MousePos = theirs ? ImVec2(-FLT_MAX, -FLT_MAX) : gui->cursor;
    for (int b = 0; b < kButtons; b++)
        io.MouseDown[b] = gui->buttons[b].on_panel && gui->buttons[b].down;
}

/* Returns the largest of the rectangles beside, above and below the panel. Returns the whole window
 * if the panel is hidden, or if that rectangle is smaller than a tenth of the window. */
GuiBox gui_free(const Gui *gui)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float left = gui->corner.x, top = gui->corner.y;
    const float right = left + gui->size.x, bottom = top + gui->size.y;
    const GuiBox sides[] = {{{0, 0}, {left, display.y}},
                            {{right, 0}, {display.x - right, display.y}},
                            {{0, 0}, {display.x, top}},
                            {{0, bottom}, {display.x, display.y - bottom}}};
    const GuiBox whole = {{0, 0}, {display.x, display.y}};
    const auto area = [](const GuiBox &box) {
        return std::max(box.size.x, 0.0f) * std::max(box.size.y, 0.0f);
    };
    const GuiBox *best = std::max_element(
        std::begin(sides), std::end(sides),
        [area](const GuiBox &one, const GuiBox &other) { return area(one) < area(other); });
    const bool covered = area(*best) < 0.1f * area(whole); /* too little is left beside the panel */
    return gui->shown && !covered ? *best : whole;
}

void gui_begin(Gui *gui, GuiPoint size, float pixels_per_point)
{
    ImGui::SetCurrentContext(gui->context);
    const float enlargement = enlargement_for(size.y);
    if (pixels_per_point != gui->pixels_per_point || enlargement != gui->enlargement) {
        set_sizes(gui, pixels_per_point, enlargement);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ImGuiIO &io = ImGui::GetIO();
    const Uint64 now = SDL_GetPerformanceCounter();
    const double passed = static_cast<double>(now - gui->frame_time) /
                          static_cast<double>(SDL_GetPerformanceFrequency());
    io.DeltaTime =
        gui->frame_time != 0 ? std::min(std::max(static_cast<float>(passed), 1e-4f), 0.5f) : 0.02f;
    gui->frame_time = now;
    io.DisplaySize = vec(size);
    io.DisplayFramebufferScale = {pixels_per_point, pixels_per_point};
    take_input(gui);
    gui->box_count = 0;
    gui->shown = false;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

/* -- the panel's pixels
 *
 * If the panel's draw lists have not changed, its pixels are copied from the last frame. On a
 * software renderer copying is several times as fast as drawing. */

static bool of_panel(const ImDrawList *list)
{
    return list->_OwnerName != nullptr && std::strstr(list->_OwnerName, "###panel") != nullptr;
}

/* Returns the FNV-1a hash of the panel's vertices, its clip rectangles and the size of the window.
 */
static uint64_t hash_panel(const ImDrawData *data)
{
    uint64_t sum = 14695981039346656037u;
    const auto add = [&sum](const void *bytes, size_t size) {
        const char *at = static_cast<const char *>(bytes);
        for (uint32_t word; size >= sizeof word; at += sizeof word, size -= sizeof word) {
            std::memcpy(&word, at, sizeof word);
            sum = (sum ^ word) * 1099511628211u;
        }
    };
    add(&data->FramebufferScale, sizeof data->FramebufferScale);
    add(&data->DisplaySize, sizeof data->DisplaySize);
    for (int l = 0; l < data->CmdListsCount; l++) {
        const ImDrawList *list = data->CmdLists[l];
        if (!of_panel(list))
            continue;
        add(list->VtxBuffer.Data, static_cast<size_t>(list->VtxBuffer.size_in_bytes()));
        for (const ImDrawCmd &command : list->CmdBuffer)
            add(&command.ClipRect, sizeof command.ClipRect);
    }
    return sum;
}

/* Draws the draw lists with indices from `first` to `last` - 1. */
static void draw_lists(const ImDrawData *data, int first, int last)
{
    ImDrawData part = *data;
    part.CmdLists = data->CmdLists + first;
    part.CmdListsCount = last - first;
    if (last > first)
        ImGui_ImplOpenGL3_RenderDrawData(&part);
}

/* Finds the range of the panel's draw lists, from `*first` to `*last` - 1. They are adjacent, after
 * those of the plates and before those of popups. */
static void find_lists(const ImDrawData *data, int *first, int *last)
{
    *first = 0;
    while (*first < data->CmdListsCount && !of_panel(data->CmdLists[*first]))
        ++*first;
    *last = *first;
    while (*last < data->CmdListsCount && of_panel(data->CmdLists[*last]))
        ++*last;
}

/* Computes the panel's rectangle in the framebuffer, pixels: x and y of the lower left corner,
 * width, height. Returns false if the rectangle is empty. */
static bool find_place(const Gui *gui, GLint place[4])
{
    const ImGuiIO &io = ImGui::GetIO();
    const float scale = io.DisplayFramebufferScale.x, height = io.DisplaySize.y;
    const float left = std::max(gui->corner.x, 0.0f), top = std::max(gui->corner.y, 0.0f);
    const float right = std::min(gui->corner.x + gui->size.x, io.DisplaySize.x);
    const float bottom = std::min(gui->corner.y + gui->size.y, height);
    place[0] = static_cast<GLint>(left * scale);
    place[1] = static_cast<GLint>((height - bottom) * scale);
    place[2] = static_cast<GLint>(right * scale) - place[0];
    place[3] = static_cast<GLint>((height - top) * scale) - place[1];
    return place[2] > 0 && place[3] > 0;
}

/* Copies the panel's pixels from the window to the texture, or from the texture to the window if
 * `back` is true. The texture stores the rows in reverse order. The window's rows start at the top
 * in memory and those of the texture at the bottom, and copying in the order of memory is fastest.
 * On a software renderer a copy of 351 x 620 pixels takes 0.03 ms, and drawing the panel takes 1.3
 * ms. */
static void copy_panel(const Gui *gui, GLint screen, bool back)
{
    const GLint *p = gui->panel_pixels, w = p[2], h = p[3];
    const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
    GLint read = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER,
                      back ? gui->panel_framebuffer : static_cast<GLuint>(screen));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER,
                      back ? static_cast<GLuint>(screen) : gui->panel_framebuffer);
    if (back)
        glBlitFramebuffer(0, h, w, 0, p[0], p[1], p[0] + w, p[1] + h, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    else
        glBlitFramebuffer(p[0], p[1], p[0] + w, p[1] + h, 0, h, w, 0, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(screen));
    if (scissor == GL_TRUE)
        glEnable(GL_SCISSOR_TEST);
}

static void resize_texture(Gui *gui, const GLint place[4], GLint screen)
{
    const bool fits = gui->panel_texture != 0 && gui->panel_pixels[2] == place[2] &&
                      gui->panel_pixels[3] == place[3];
    std::memcpy(gui->panel_pixels, place, sizeof gui->panel_pixels);
    if (fits)
        return;
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    if (gui->panel_texture == 0) {
        glGenTextures(1, &gui->panel_texture);
        glGenFramebuffers(1, &gui->panel_framebuffer);
    }
    glBindTexture(GL_TEXTURE_2D, gui->panel_texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    /* BGRA is the window's byte order. With another order the driver would draw the pixels instead
     * of copying them, which is slower. */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, place[2], place[3], 0, GL_BGRA, GL_UNSIGNED_BYTE,
                 nullptr);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, gui->panel_framebuffer);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           gui->panel_texture, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(screen));
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
}

/* Clears the panel's rectangle to its background colour. This is several times as fast as drawing
 * it as two triangles. */
static void clear_background(const GLint place[4])
{
    const ImVec4 ground = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    const float color[4] = {ground.x, ground.y, ground.z, 1};
    const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
    GLint box[4];
    glGetIntegerv(GL_SCISSOR_BOX, box);
    glEnable(GL_SCISSOR_TEST);
    glScissor(place[0], place[1], place[2], place[3]);
    glClearBufferfv(GL_COLOR, 0, color);
    glScissor(box[0], box[1], box[2], box[3]);
    if (scissor == GL_FALSE)
        glDisable(GL_SCISSOR_TEST);
}

static void draw_panel(Gui *gui, const ImDrawData *data, int first, int last)
{
    GLint place[4], screen = 0;
    if (!find_place(gui, place))
        return;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    const uint64_t sum = hash_panel(data);
    if (gui->panel_texture != 0 && sum == gui->panel_hash &&
        std::memcmp(place, gui->panel_pixels, sizeof place) == 0) {
        copy_panel(gui, screen, true);
        return;
    }
    clear_background(place);
    draw_lists(data, first, last);
    resize_texture(gui, place, screen);
    copy_panel(gui, screen, false);
    gui->panel_hash = sum;
}

static void draw_all(Gui *gui, const ImDrawData *data)
{
    int first, last;
    find_lists(data, &first, &last);
    draw_lists(data, 0, first);
    if (last > first)
        draw_panel(gui, data, first, last);
    draw_lists(data, last, data->CmdListsCount);
}

/* Starts SDL's text input when the panel gets the keyboard, and stops it when the panel loses it.
 * Text that is typed before the start is lost. */
static void ask_for_text(bool wanted)
{
    if (wanted == (SDL_IsTextInputActive() == SDL_TRUE))
        return;
    if (wanted)
        SDL_StartTextInput();
    else
        SDL_StopTextInput();
}

void gui_end(Gui *gui)
{
    ImGui::Render();
    draw_all(gui, ImGui::GetDrawData());
    gui->was_shown = gui->shown;
    gui->unseen -= gui->unseen > 0 ? 1 : 0;
    for (Button &button : gui->buttons)
        if (button.released)
            button.down = button.released = false;
    ask_for_text(gui->shown && ImGui::GetIO().WantCaptureKeyboard);
}

GuiPoint gui_size(void)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {size.x, size.y};
}

int gui_boxes(const Gui *gui, GuiBox *boxes, int most)
{
    std::copy(gui->boxes, gui->boxes + std::min(gui->box_count, most), boxes);
    return gui->box_count;
}

float gui_letters(void)
{
    return ImGui::GetFontSize();
}

float gui_text_width(const char *text)
{
    return ImGui::CalcTextSize(text).x;
}

/* -- plates and text --------------------------------------------------------------------------- */

GuiPoint gui_padding(void)
{
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    return {padding.x, padding.y};
}

float gui_gap(void)
{
    return 2 * ImGui::GetStyle().ItemSpacing.x;
}

float gui_spacing(void)
{
    return ImGui::GetStyle().ItemSpacing.y;
}

/* Adds the rectangle of Dear ImGui's current window to `boxes`. */
static void note_box()
{
    Gui *gui = static_cast<Gui *>(ImGui::GetIO().UserData);
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (gui->box_count < kBoxes)
        gui->boxes[gui->box_count++] = {{corner.x, corner.y}, {size.x, size.y}};
}

void gui_begin_plate(const GuiPlate *plate)
{
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const GuiPoint corner = plate->box.corner, size = plate->box.size;
    const ImVec2 most = {std::max(size.x - 2 * GUI_MARGIN, 1.0f),
                         std::max(size.y - 2 * GUI_MARGIN, 1.0f)};
    ImGui::SetNextWindowPos({corner.x + GUI_MARGIN + plate->anchor.x * most.x,
                             corner.y + GUI_MARGIN + plate->anchor.y * most.y},
                            ImGuiCond_Always, vec(plate->anchor));
    ImGui::SetNextWindowSizeConstraints({0, 0}, most);
    const bool sized = plate->size.x > 0;
    if (sized)
        ImGui::SetNextWindowSize({std::min(plate->size.x + 2 * padding.x, most.x),
                                  std::min(plate->size.y + 2 * padding.y, most.y)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, vec(plate->color));
    ImGui::Begin(plate->name, nullptr,
                 sized ? kPlateFlags : kPlateFlags | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::BeginGroup();
    note_box();
}

GuiPoint gui_end_plate(void)
{
    ImGui::EndGroup();
    const ImVec2 padding = ImGui::GetStyle().WindowPadding, letters = ImGui::GetItemRectSize();
    ImGui::End();
    ImGui::PopStyleColor();
    return {letters.x + 2 * padding.x, letters.y + 2 * padding.y};
}

void gui_text(const char *text)
{
    ImGui::TextUnformatted(text);
}

void gui_text_colored(GuiColor color, const char *text)
{
    ImGui::TextColored(vec(color), "%s", text);
}

void gui_text_dim(const char *text)
{
    ImGui::TextDisabled("%s", text);
}

void gui_text_wrapped(const char *text, float width)
{
    ImGui::PushTextWrapPos(width > 0 ? ImGui::GetCursorPosX() + width : width < 0 ? -1.0f : 0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

GuiPoint gui_text_size(const char *text, float width)
{
    const float wrap = width == 0 ? ImGui::GetContentRegionAvail().x : width;
    const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
    return {size.x, size.y};
}

void gui_same_line(float gap)
{
    ImGui::SameLine(0, gap);
}

void gui_column(float x)
{
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::SetCursorPosX(std::max(x, ImGui::GetCursorPosX()));
}

void gui_label(const char *text)
{
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
}

void gui_tip(const char *text)
{
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsAnyItemActive())
        return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(26 * ImGui::GetFontSize());
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

GuiPoint gui_place(void)
{
    const ImVec2 place = ImGui::GetCursorScreenPos();
    return {place.x, place.y};
}

void gui_room(GuiPoint size)
{
    ImGui::Dummy(vec(size));
}

void gui_line(GuiPoint from, GuiPoint to, GuiColor color)
{
    ImGui::GetWindowDrawList()->AddLine(vec(from), vec(to), packed(color));
}

void gui_dot(GuiPoint middle, float radius, GuiColor color)
{
    ImGui::GetWindowDrawList()->AddCircleFilled(vec(middle), radius, packed(color));
}

void gui_line_below(GuiPoint from, GuiPoint to, GuiColor color, float width)
{
    ImGui::GetBackgroundDrawList()->AddLine(vec(from), vec(to), packed(color), width);
}

void gui_area(GuiPoint corner, GuiPoint size, GuiColor upper, GuiColor lower)
{
    const ImU32 above = packed(upper), below = packed(lower);
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
        vec(corner), {corner.x + size.x, corner.y + size.y}, above, above, below, below);
}

void gui_letters_at(GuiPoint place, GuiColor color, const char *text)
{
    ImGui::GetWindowDrawList()->AddText(vec(place), packed(color), text);
}

/* -- the panel --------------------------------------------------------------------------------- */

bool gui_begin_panel(Gui *gui, const GuiPanel *panel)
{
    char title[160];
    std::snprintf(title, sizeof title, "%s###%s", panel->title, panel->name);
    const ImVec2 most = ImGui::GetIO().DisplaySize;
    const bool resized = most.x != gui->display.x || most.y != gui->display.y;
    const ImGuiCond when = resized ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
    gui->display = most;
    ImGui::SetNextWindowPos(vec(panel->place), when);
    ImGui::SetNextWindowSize(vec(panel->size), when);
    ImGui::SetNextWindowSizeConstraints({std::min(180.0f, most.x), std::min(80.0f, most.y)}, most);
    if (panel->focus)
        ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding,
                        0); /* the picture must not show through at the corners */
    ImGui::PushStyleColor(ImGuiCol_WindowBg,
                          {0, 0, 0, 0}); /* clear_background draws the background */
    const bool open = ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    gui->shown = true;
    gui->corner = ImGui::GetWindowPos();
    gui->size = ImGui::GetWindowSize();
    note_box();
    return open;
}

void gui_end_panel(Gui *)
{
    ImGui::End();
}

bool gui_heading(const char *label, bool open_at_first)
{
    return ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

bool gui_begin_group(const char *label, bool open_at_first)
{
    return ImGui::TreeNodeEx(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void gui_end_group(void)
{
    ImGui::TreePop();
}

void gui_push_name(const char *name)
{
    ImGui::PushID(name);
}

void gui_pop_name(void)
{
    ImGui::PopID();
}

/* Rounds a height down to whole rows. Keeps a height of less than one row. */
static float whole_rows(float height)
{
    const float pitch = ImGui::GetFrameHeightWithSpacing(), gap = ImGui::GetStyle().ItemSpacing.y;
    const float rows = std::floor((height + gap) / pitch);
    return rows > 0 ? rows * pitch - gap : height;
}

void gui_begin_part(const char *name, float height)
{
    if (height == 0)
        height = whole_rows(ImGui::GetContentRegionAvail().y);
    ImGui::BeginChild(name, {0, height}, false, ImGuiWindowFlags_NavFlattened);
}

void gui_end_part(void)
{
    ImGui::EndChild();
}

static unsigned edit_of(bool changed)
{
    return (changed ? static_cast<unsigned>(GUI_CHANGED) : 0u) |
           (ImGui::IsItemDeactivatedAfterEdit() ? static_cast<unsigned>(GUI_DONE) : 0u);
}

template <typename Number>
static unsigned numbers(const char *label, ImGuiDataType type, Number *values, int count,
                        const GuiRange *range)
{
    const Number least = static_cast<Number>(range->least), most = static_cast<Number>(range->most);
    const bool changed =
        range->speed > 0 ? ImGui::DragScalarN(label, type, values, count, range->speed, &least,
                                              &most, range->format, ImGuiSliderFlags_AlwaysClamp)
                         : ImGui::SliderScalarN(label, type, values, count, &least, &most,
                                                range->format, ImGuiSliderFlags_AlwaysClamp);
    return edit_of(changed);
}

unsigned gui_floats(const char *label, float *values, int count, const GuiRange *range)
{
    return numbers(label, ImGuiDataType_Float, values, count, range);
}

unsigned gui_doubles(const char *label, double *values, int count, const GuiRange *range)
{
    return numbers(label, ImGuiDataType_Double, values, count, range);
}

unsigned gui_wholes(const char *label, int *values, int count, const GuiRange *range)
{
    return numbers(label, ImGuiDataType_S32, values, count, range);
}

/* Returns the GuiEdit bits of a widget whose changes take one click. */
static unsigned clicked(bool changed)
{
    return changed ? GUI_CHANGED | GUI_DONE : 0u;
}

unsigned gui_check(const char *label, bool *value)
{
    return clicked(ImGui::Checkbox(label, value));
}

unsigned gui_choice(const char *label, int *value, const char *const *words)
{
    int chosen = *value;
    if (ImGui::BeginCombo(label, words[*value])) {
        for (int word = 0; words[word] != nullptr; word++)
            if (ImGui::Selectable(words[word], word == *value))
                chosen = word;
        ImGui::EndCombo();
    }
    const bool changed = chosen != *value;
    *value = chosen;
    return clicked(changed);
}

unsigned gui_color(const char *label, float rgb[3], bool bright)
{
    return edit_of(ImGui::ColorEdit3(
        label, rgb, ImGuiColorEditFlags_Float | (bright ? ImGuiColorEditFlags_HDR : 0)));
}

unsigned gui_line_edit(const char *label, char *text, size_t size)
{
    const unsigned edit = edit_of(ImGui::InputText(label, text, size));
    const bool enter = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
                       ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false);
    return edit | (ImGui::IsItemDeactivated() && enter ? static_cast<unsigned>(GUI_ENTERED) : 0u);
}

unsigned gui_search(const char *label, const char *hint, char *text, size_t size, bool focus)
{
    if (focus) {
        ImGui::SetKeyboardFocusHere();
        wait_for(static_cast<Gui *>(ImGui::GetIO().UserData), kFocused);
    }
    return edit_of(
        ImGui::InputTextWithHint(label, hint, text, size, ImGuiInputTextFlags_AutoSelectAll));
}

bool gui_button(const char *label)
{
    return ImGui::Button(label);
}

bool gui_small_button(const char *label)
{
    return ImGui::SmallButton(label);
}

int gui_menu(const char *name, const char *const *words)
{
    int chosen = -1;
    if (!ImGui::BeginPopupContextItem(name))
        return chosen;
    for (int word = 0; words[word] != nullptr; word++)
        if (ImGui::Selectable(words[word]))
            chosen = word;
    ImGui::EndPopup();
    return chosen;
}

void gui_disable(bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void gui_enable(void)
{
    ImGui::EndDisabled();
}

void gui_value_width(float width)
{
    ImGui::SetNextItemWidth(width);
}

float gui_width(void)
{
    return ImGui::GetContentRegionAvail().x;
}

float gui_whole_width(void)
{
    return ImGui::GetWindowContentRegionMax().x;
}

/* Returns the index of the dot nearest to a point, at most two letters away; -1: none. */
static int nearest_dot(const GuiDiagram *diagram, const ImVec2 &point)
{
    float least = 2 * ImGui::GetFontSize();
    int nearest = -1;
    for (int i = 0; i < diagram->dot_count; i++) {
        const GuiPoint dot = gui_diagram_point(diagram->dots[i]);
        const float away = std::hypot(dot.x - point.x, dot.y - point.y);
        if (away < least) {
            least = away;
            nearest = i;
        }
    }
    return nearest;
}

unsigned gui_diagram(const char *label, GuiDiagram *diagram, int *moved)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos(), mouse = ImGui::GetIO().MousePos;
    ImGuiStorage *held = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(label);
    unsigned edit = 0;
    ImGui::InvisibleButton(label, vec(diagram->size));
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg));
    if (diagram->mark >= 0 && diagram->mark <= 1) {
        const GuiPoint low = gui_diagram_point({diagram->mark, 0}),
                       high = gui_diagram_point({diagram->mark, 1});
        ImGui::GetWindowDrawList()->AddLine(vec(low), vec(high),
                                            ImGui::GetColorU32(ImGuiCol_TextDisabled));
    }
    if (ImGui::IsItemActivated())
        held->SetInt(id, nearest_dot(diagram, mouse));
    *moved = held->GetInt(id, -1);
    if (ImGui::IsItemActive() && *moved >= 0 && *moved < diagram->dot_count &&
        ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) {
        GuiPoint *dot = &diagram->dots[*moved];
        dot->x = std::min(std::max((mouse.x - corner.x) / (to.x - from.x), 0.0f), 1.0f);
        dot->y = std::min(std::max((to.y - mouse.y) / (to.y - from.y), 0.0f), 1.0f);
        edit = GUI_CHANGED;
    }
    if (ImGui::IsItemDeactivated() && *moved >= 0)
        edit |= static_cast<unsigned>(GUI_DONE);
    return edit;
}

GuiPoint gui_diagram_point(GuiPoint share)
{
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    return {from.x + share.x * (to.x - from.x), to.y - share.y * (to.y - from.y)};
}

void gui_plot(const char *label, const GuiPlot *plot)
{
    ImGui::PlotLines(label, plot->values, plot->count, plot->first, plot->over, plot->least,
                     plot->most, vec(plot->size));
}

unsigned gui_image_make(Gui *gui, int width, int height, const unsigned char *rgba)
{
    if (gui->image_count == kImages)
        return 0;
    GLuint image = 0;
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    gui->images[gui->image_count++] = image;
    return image;
}

bool gui_image_button(const char *label, unsigned image, GuiPoint size)
{
    ImGui::PushID(label);
    const bool pressed = ImGui::ImageButton(
        reinterpret_cast<ImTextureID>(static_cast<intptr_t>(image)), vec(size), {0, 0}, {1, 1}, 2);
    ImGui::PopID();
    return pressed;
}
