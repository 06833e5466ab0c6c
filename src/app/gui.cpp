/* SPDX-License-Identifier: MIT
 * Starts Dear ImGui, passes events to it, and draws its frames. */
#include "app/gui_parts.h"
#include "base/hash.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>

namespace
{

constexpr float kFontPoints = 14.0f, kBitmapPoints = 13.0f;
constexpr size_t kFontBytesMax = size_t{16} << 20;

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
        {ImGuiKey_KeypadEnter, SDL_SCANCODE_KP_ENTER},
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

bool inside(const ImVec2 &point, const ImVec2 &corner, const ImVec2 &size)
{
    return point.x >= corner.x && point.y >= corner.y && point.x < corner.x + size.x &&
           point.y < corner.y + size.y;
}

} // namespace

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
    ImGui::GetStyle().WindowMinSize = {1, 1}; /* Dear ImGui refuses less */
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

static bool any_button(const Gui *gui, bool on_panel)
{
    return std::any_of(
        gui->buttons, gui->buttons + kButtons,
        [on_panel](const Button &b) { return b.down && b.on_panel == on_panel; });
}

/* Whether there was a panel or a list in the last frame. */
static bool takes_input(const Gui *gui)
{
    return gui->was_shown || gui->listed;
}

/* Whether the cursor is on the panel or a list. This uses the panel's rectangle in the last frame,
 * because Dear ImGui may not have seen the cursor at this position yet. */
static bool over(const Gui *gui)
{
    return (gui->was_shown && inside(gui->cursor, gui->corner, gui->size)) ||
           (takes_input(gui) && ImGui::GetIO().WantCaptureMouse);
}

bool gui_hovered(const Gui *gui)
{
    ImGui::SetCurrentContext(gui->context);
    return any_button(gui, true) || (!any_button(gui, false) && over(gui));
}

static bool handle_button(Gui *gui, const SDL_MouseButtonEvent *event)
{
    const int index = event->button == SDL_BUTTON_LEFT     ? 0
                      : event->button == SDL_BUTTON_RIGHT  ? 1
                      : event->button == SDL_BUTTON_MIDDLE ? 2
                                                           : -1;
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

/* Whether the panel uses a key. Letters reach the panel as text events. As keys, it uses them only
 * with Ctrl. */
static bool is_used(SDL_Scancode place, bool ctrl)
{
    const ImGuiIO &io = ImGui::GetIO();
    const bool letter = place >= SDL_SCANCODE_A && place <= SDL_SCANCODE_Z;
    return (!letter || ctrl) && std::find(std::begin(io.KeyMap), std::end(io.KeyMap),
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
    const bool enter = place == SDL_SCANCODE_RETURN || place == SDL_SCANCODE_KP_ENTER;
    if (enter && !io.WantTextInput)
        press(gui, SDL_SCANCODE_SPACE, event);
}

static void release_keys()
{
    ImGuiIO &io = ImGui::GetIO();
    std::memset(io.KeysDown, 0, sizeof io.KeysDown);
    io.KeyCtrl = io.KeyShift = io.KeyAlt = false;
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
    if (!takes_input(gui))
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
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
            release_keys();
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
    return takes_input(gui) && gui->unseen > 0;
}

bool gui_busy(const Gui *gui)
{
    ImGui::SetCurrentContext(gui->context);
    return takes_input(gui) && (ImGui::IsAnyItemActive() || any_button(gui, true));
}

/* -- a frame ----------------------------------------------------------------------------------- */

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

void gui_set_scale(Gui *gui, float asked, float display)
{
    gui->asked = asked;
    gui->display_scale = display;
}

float gui_scale(const Gui *gui)
{
    return gui->enlargement;
}

void gui_begin(Gui *gui, GuiPoint size, float pixels_per_point)
{
    ImGui::SetCurrentContext(gui->context);
    /* Letters of 13 points are too small in a 4K window: 1 to 4 times, in steps of 0.5. */
    const float by_size = std::min(std::max(std::floor(size.y / 540.0f) / 2, 1.0f), 4.0f);
    const float enlargement = gui->asked > 0 ? gui->asked : std::max(by_size, gui->display_scale);
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
    io.MousePos = any_button(gui, false) ? ImVec2(-FLT_MAX, -FLT_MAX) : gui->cursor;
    for (int b = 0; b < kButtons; b++)
        io.MouseDown[b] = gui->buttons[b].on_panel && gui->buttons[b].down;
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

/* Returns the hash of the panel's vertices, its clip rectangles and the size of the window. */
static uint64_t hash_panel(const ImDrawData *data)
{
    uint64_t sum = HASH_START;
    const auto add = [&sum](const void *bytes, size_t size) {
        const char *at = static_cast<const char *>(bytes);
        for (uint32_t word; size >= sizeof word; at += sizeof word, size -= sizeof word) {
            std::memcpy(&word, at, sizeof word);
            sum = hash_add(sum, word);
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
    ImVector<ImDrawList *> lists;
    for (int l = first; l < last; l++)
        lists.push_back(data->CmdLists[l]);
#if IMGUI_VERSION_NUM < 18980 /* CmdLists was a plain array */
    part.CmdLists = lists.Data;
#else
    part.CmdLists = lists;
#endif
    part.CmdListsCount = lists.Size;
    if (last > first)
        ImGui_ImplOpenGL3_RenderDrawData(&part);
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
    /* The panel's draw lists are adjacent, after those of the plates and before those of popups. */
    const ImDrawData *data = ImGui::GetDrawData();
    int first = 0;
    while (first < data->CmdListsCount && !of_panel(data->CmdLists[first]))
        first++;
    int last = first;
    while (last < data->CmdListsCount && of_panel(data->CmdLists[last]))
        last++;
    draw_lists(data, 0, first);
    if (last > first)
        draw_panel(gui, data, first, last);
    draw_lists(data, last, data->CmdListsCount);
    if (gui->was_shown && !gui->shown)
        release_keys(); /* the panel does not hear of it when they go up */
    gui->was_shown = gui->shown;
    gui->listed =
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
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
