/* SPDX-License-Identifier: MIT */
#include "overlay.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cstdio>
#include <cstring>
#include <imgui.h>
#include <new>

namespace
{

constexpr float kFontPoints = 13.0f;
constexpr float kMargin = 8.0f; /* points from the window's edge */
const ImVec4 kPlate = {0.05f, 0.06f, 0.08f, 0.62f};
const ImVec4 kErrorPlate = {0.35f, 0.03f, 0.03f, 0.85f};
const ImVec4 kText = {0.96f, 0.96f, 0.96f, 1.0f};
const ImVec4 kKey = {1.0f, 0.82f, 0.45f, 1.0f};
constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;

/* A plate at a point of the window, held by the same point of its own: (0, 0) the top left corner,
 * (0.5, 1) the middle of the lower edge. */
void begin_plate(const char *name, const ImVec2 &anchor, const ImVec4 &color)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImVec2 place = {kMargin + anchor.x * (size.x - 2 * kMargin),
                          kMargin + anchor.y * (size.y - 2 * kMargin)};
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, anchor);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {size.x - 2 * kMargin, size.y - 2 * kMargin});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, color);
    ImGui::Begin(name, nullptr, kFlags);
}

void end_plate()
{
    ImGui::End();
    ImGui::PopStyleColor();
}

void draw_figures(const OverlayContent *content)
{
    if (content->figure_count == 0)
        return;
    const ImGuiStyle &style = ImGui::GetStyle();
    const float room = content->width - 2 * kMargin - 2 * style.WindowPadding.x;
    float used = 0;
    begin_plate("figures", {0, 0}, kPlate);
    for (int i = 0; i < content->figure_count; i++) {
        const float width = ImGui::CalcTextSize(content->figures[i]).x;
        const float gap = 2 * style.ItemSpacing.x;
        if (i > 0 && used + gap + width <= room) {
            ImGui::SameLine(0, gap);
            used += gap + width;
        } else {
            used = width;
        }
        ImGui::TextUnformatted(content->figures[i]);
    }
    end_plate();
}

void draw_wrapped(const char *text, float width)
{
    ImGui::PushTextWrapPos(width);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

/* A text as wide as it is or as the window allows, where it wraps. */
void draw_text(const char *name, const char *text, const ImVec2 &anchor, const ImVec4 &color)
{
    const float room = ImGui::GetIO().DisplaySize.x - 4 * kMargin;
    const float width = ImGui::CalcTextSize(text).x;
    begin_plate(name, anchor, color);
    draw_wrapped(text, width < room ? -1.0f : room);
    end_plate();
}

/* A bar of colours at the right edge with numbers beside it. */
void draw_legend(const Legend *whole)
{
    constexpr float bar_width = 14, tick = 4;
    const float letters = ImGui::GetFontSize();
    const float height = std::max(0.4f * ImGui::GetIO().DisplaySize.y, 8 * letters);
    Legend fitting = *whole;
    const Legend *legend = &fitting;
    legend_fit(&fitting, height, letters);
    begin_plate("legend", {1, 0.5f}, kPlate);
    ImGui::TextUnformatted(legend->title);
    ImGui::TextUnformatted(legend->place);
    float widest = 0;
    for (int i = 0; i < legend->ticks; i++)
        widest = std::max(widest, ImGui::CalcTextSize(legend->text[i]).x);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 top = {corner.x, corner.y + 0.6f * letters};
    ImDrawList *list = ImGui::GetWindowDrawList();
    const auto entry = [&](float share, float alpha) {
        const float *c =
            legend->colors + 4 * static_cast<int>(share * (COLOR_MAP_ENTRIES - 1) + 0.5f);
        return ImGui::GetColorU32(ImVec4(c[0], c[1], c[2], alpha));
    };
    constexpr int pieces = 64;
    for (int i = 0; i < pieces; i++) {
        const float above = static_cast<float>(i + 1) / pieces,
                    below = static_cast<float>(i) / pieces;
        list->AddRectFilledMultiColor({top.x, top.y + (1 - above) * height},
                                      {top.x + bar_width, top.y + (1 - below) * height},
                                      entry(above, 1), entry(above, 1), entry(below, 1),
                                      entry(below, 1));
    }
    for (int i = 0; i < legend->contours; i++) {
        const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(legend->contours);
        const float y = top.y + (1 - share) * height;
        const ImVec4 c = ImGui::ColorConvertU32ToFloat4(entry(share, 1));
        const bool dark = 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z < 0.42f;
        list->AddLine({top.x, y}, {top.x + bar_width, y},
                      dark ? IM_COL32(255, 255, 255, 190) : IM_COL32(0, 0, 0, 190));
    }
    for (int i = 0; i < legend->ticks; i++) {
        const float y = top.y + (1 - legend->at[i]) * height;
        const ImU32 color = ImGui::GetColorU32(kText);
        list->AddLine({top.x + bar_width, y}, {top.x + bar_width + tick, y}, color);
        list->AddText({top.x + bar_width + 2 * tick, y - 0.5f * letters}, color, legend->text[i]);
    }
    ImGui::Dummy({bar_width + 2 * tick + widest, height + 1.2f * letters});
    end_plate();
}

/* Of the letters, at most 1: what lets all rows into a small window. */
float help_scale(const OverlayRow *rows)
{
    const ImGuiStyle &style = ImGui::GetStyle();
    float row = 2 * style.CellPadding.y, letters = ImGui::GetFontSize(), count = 0, keys = 0,
          words = 0;
    for (const OverlayRow *at = rows; at->key != nullptr; at++, count++) {
        keys = std::max(keys, ImGui::CalcTextSize(at->key).x);
        words = std::max(words, ImGui::CalcTextSize(at->does).x);
    }
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    float edges = 2 * (kMargin + style.WindowPadding.y);
    float high = (room.y - edges - count * row) / (count * letters);
    float wide = (room.x - edges - 6 * style.CellPadding.x) / (keys + words);
    return std::min(1.0f, std::max(0.4f, std::min(high, wide)));
}

void draw_help(const OverlayRow *rows)
{
    begin_plate("help", {0.5f, 0.5f}, {kPlate.x, kPlate.y, kPlate.z, 0.82f});
    ImGui::SetWindowFontScale(1);
    ImGui::SetWindowFontScale(help_scale(rows));
    if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const OverlayRow *row = rows; row->key != nullptr; row++) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextColored(kKey, "%s", row->key);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row->does);
        }
        ImGui::EndTable();
    }
    end_plate();
}

void set_style()
{
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 4;
    style.WindowBorderSize = 0;
    style.WindowPadding = {7, 4};
    style.WindowMinSize = {1, 1};
    style.CellPadding = {6, 1};
    style.Colors[ImGuiCol_Text] = kText;
}

} // namespace

struct Overlay {
    ImGuiContext *context;
    float pixels_per_point;
};

/* The font is drawn at the screen's own density and laid out in points. */
static void set_font(Overlay *overlay, float pixels_per_point)
{
    ImGuiIO &io = ImGui::GetIO();
    ImFontConfig config;
    config.SizePixels = kFontPoints * pixels_per_point;
    io.Fonts->Clear();
    io.Fonts->AddFontDefault(&config);
    io.FontGlobalScale = 1 / pixels_per_point;
    overlay->pixels_per_point = pixels_per_point;
}

Overlay *overlay_create(float pixels_per_point, BillowError *error)
{
    Overlay *overlay = new (std::nothrow) Overlay;
    ImGuiContext *context = overlay != nullptr ? ImGui::CreateContext() : nullptr;
    if (context != nullptr) {
        overlay->context = context;
        ImGui::SetCurrentContext(context);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().LogFilename = nullptr;
        set_style();
        set_font(overlay, pixels_per_point);
        if (ImGui_ImplOpenGL3_Init("#version 330 core"))
            return overlay;
        ImGui::DestroyContext(context);
    }
    delete overlay;
    if (error != nullptr)
        std::snprintf(error->text, sizeof error->text,
                      "the window's text cannot be drawn: no OpenGL 3.3 functions were found");
    return nullptr;
}

void overlay_destroy(Overlay *overlay)
{
    if (overlay == nullptr)
        return;
    ImGui::SetCurrentContext(overlay->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(overlay->context);
    delete overlay;
}

/* FNV-1a; a text that is not there differs from an empty one. */
static void add_text(uint64_t &sum, const char *text)
{
    const uint64_t prime = 1099511628211u;
    sum = (sum ^ (text != nullptr ? 1u : 2u)) * prime;
    for (; text != nullptr && *text != 0; text++)
        sum = (sum ^ static_cast<unsigned char>(*text)) * prime;
}

uint64_t overlay_fingerprint(const OverlayContent *content)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < content->figure_count; i++)
        add_text(sum, content->figures[i]);
    for (const char *text : {content->hint, content->message, content->error})
        add_text(sum, text);
    for (const OverlayRow *row = content->help; row != nullptr && row->key != nullptr; row++)
        add_text(sum, row->key);
    if (content->legend != nullptr) {
        add_text(sum, content->legend->title);
        add_text(sum, content->legend->place);
        for (int i = 0; i < content->legend->ticks; i++)
            add_text(sum, content->legend->text[i]);
        sum += static_cast<uint64_t>(content->legend->contours) + 1;
    }
    return sum;
}

void overlay_draw(Overlay *overlay, const OverlayContent *content)
{
    ImGui::SetCurrentContext(overlay->context);
    if (content->pixels_per_point != overlay->pixels_per_point) {
        set_font(overlay, content->pixels_per_point);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = {content->width, content->height};
    io.DisplayFramebufferScale = {content->pixels_per_point, content->pixels_per_point};
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    draw_figures(content);
    if (content->legend != nullptr)
        draw_legend(content->legend);
    if (content->help != nullptr)
        draw_help(content->help);
    if (content->error != nullptr)
        draw_text("error", content->error, {0.5f, 0.35f}, kErrorPlate);
    if (content->message != nullptr)
        draw_text("message", content->message, {0.5f, 1}, kPlate);
    else if (content->hint != nullptr)
        draw_text("hint", content->hint, {0.5f, 1}, kPlate);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
