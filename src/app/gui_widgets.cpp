/* SPDX-License-Identifier: MIT
 * Plates, text, the panel's window, and the widgets for values. */
#include "app/gui_widgets.h"

#include "app/gui_parts.h"

#include <cmath>
#include <cstdio>

namespace
{

constexpr ImGuiWindowFlags kPlateFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoBringToFrontOnFocus; /* plates are drawn below the panel, even if they are
                                               begun after it */

} // namespace

/* -- plates and text --------------------------------------------------------------------------- */

float gui_letters(void)
{
    return ImGui::GetFontSize();
}

float gui_text_width(const char *text)
{
    return ImGui::CalcTextSize(text).x;
}

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

/* Places the next tooltip beside the panel, at the height of the previous widget, so that it covers
 * no other widget. Where there is too little room on both sides, it is above or below the widget.
 * Returns the width at which its text wraps. */
static float place_tip(const char *text)
{
    const Gui *gui = static_cast<const Gui *>(ImGui::GetIO().UserData);
    const ImVec2 display = ImGui::GetIO().DisplaySize, pad = ImGui::GetStyle().WindowPadding;
    const float letters = ImGui::GetFontSize(), gap = 4;
    const float left = gui->corner.x - gap, right = display.x - gui->corner.x - gui->size.x - gap;
    const bool beside = std::max(left, right) > 12 * letters;
    const float room = (beside ? std::max(left, right) : display.x) - 2 * pad.x;
    const float wrap = std::min(26 * letters, room);
    const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
    const ImVec2 whole = {size.x + 2 * pad.x, size.y + 2 * pad.y};
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImVec2 corner = {left >= right ? left - whole.x : display.x - right, low.y};
    if (!beside) {
        corner.x = low.x;
        corner.y = low.y > display.y - high.y ? low.y - gap - whole.y : high.y + gap;
    }
    ImGui::SetNextWindowPos({std::max(std::min(corner.x, display.x - whole.x), 0.0f),
                             std::max(std::min(corner.y, display.y - whole.y), 0.0f)});
    return wrap;
}

void gui_tip(const char *text)
{
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsAnyItemActive())
        return;
    const float wrap = place_tip(text);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap);
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
    const bool resized = most.x != gui->display.x || most.y != gui->display.y ||
                         gui->enlargement != gui->panel_scale;
    const ImGuiCond when = resized || panel->fixed ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
    if (!panel->fixed) {
        gui->display = most;
        gui->panel_scale = gui->enlargement;
    }
    ImGui::SetNextWindowPos(vec(panel->place), when);
    ImGui::SetNextWindowSize(vec(panel->size), when);
    ImGui::SetNextWindowSizeConstraints({std::min(180.0f, most.x), std::min(80.0f, most.y)}, most);
    if (panel->focus)
        ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding,
                        0); /* the picture must not show through at the corners */
    ImGui::PushStyleColor(ImGuiCol_WindowBg,
                          {0, 0, 0, 0}); /* clear_background draws the background */
    const bool open =
        ImGui::Begin(title, nullptr,
                     ImGuiWindowFlags_NoSavedSettings |
                         (panel->fixed ? ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                             ImGuiWindowFlags_NoCollapse
                                       : 0));
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
    return edit_of(ImGui::InputText(label, text, size));
}

unsigned gui_search(const char *label, const char *hint, char *text, size_t size, bool focus)
{
    if (focus) {
        ImGui::SetWindowFocus();
        ImGui::SetKeyboardFocusHere();
        wait_for(static_cast<Gui *>(ImGui::GetIO().UserData), kFocused);
    }
    return edit_of(
        ImGui::InputTextWithHint(label, hint, text, size, ImGuiInputTextFlags_AutoSelectAll));
}

int gui_row(const char *label, bool chosen, bool show)
{
    const ImVec2 place = ImGui::GetCursorScreenPos();
    ImGui::PushID(label);
    const bool clicked = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_AllowDoubleClick);
    ImGui::PopID();
    if (show)
        ImGui::SetScrollHereY();
    ImGui::GetWindowDrawList()->AddText({place.x + ImGui::GetStyle().FramePadding.x, place.y},
                                        ImGui::GetColorU32(ImGuiCol_Text), label);
    return !clicked ? 0 : ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ? 2 : 1;
}

bool gui_button(const char *label)
{
    return ImGui::Button(label);
}

bool gui_radio(const char *label, bool chosen)
{
    return ImGui::RadioButton(label, chosen);
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

int gui_list(const char *name, const char *const *words, bool open)
{
    int chosen = -1;
    if (open)
        ImGui::OpenPopup(name);
    if (!ImGui::BeginPopup(name))
        return chosen;
    for (int word = 0; words[word] != nullptr; word++)
        if (words[word][0] == '\0')
            ImGui::Separator();
        else if (ImGui::Selectable(words[word]))
            chosen = word;
    note_box();
    ImGui::EndPopup();
    return chosen;
}

float gui_button_width(const char *label)
{
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
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

float gui_height(void)
{
    return ImGui::GetContentRegionAvail().y;
}

bool gui_key(GuiKey key)
{
    static const ImGuiKey keys[] = {ImGuiKey_UpArrow,  ImGuiKey_DownArrow, ImGuiKey_PageUp,
                                    ImGuiKey_PageDown, ImGuiKey_Enter,     ImGuiKey_Escape};
    const auto pressed = [](ImGuiKey which, bool repeats) {
        return ImGui::IsKeyPressed(ImGui::GetKeyIndex(which), repeats);
    };
    return pressed(keys[key], key <= GUI_KEY_PAGE_DOWN) ||
           (key == GUI_KEY_ENTER && pressed(ImGuiKey_KeypadEnter, false));
}

bool gui_is_idle(void)
{
    return !ImGui::IsAnyItemActive() && !ImGui::IsAnyMouseDown();
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

/* -- a colour ramp */

namespace
{

constexpr float kStopHalf = 0.35f; /* half the width of a stop's mark, letters */

/* The colours of a ramp by position. */
RampTable table_of(const RenderRamp *ramp)
{
    RenderRamp whole = *ramp;
    whole.low = 0;
    whole.high = 1;
    return render_ramp_table(&whole);
}

/* A ramp's colour at a position, for the display. */
ImU32 ramp_shown(const RampTable &table, float at)
{
    float rgb[3];
    render_ramp_color(&table, at, rgb);
    const auto display = [](float light) { return std::pow(std::min(light, 1.0f), 1 / 2.2f); };
    return packed({display(rgb[0]), display(rgb[1]), display(rgb[2]), 1});
}

/* Index of the stop nearest to a position; -1: none is within `most`. */
int nearest_stop(const RenderRamp *ramp, float at, float most)
{
    int nearest = -1;
    for (int s = 0; s < ramp->stop_count; s++)
        if (std::fabs(ramp->stops[s].at - at) < most) {
            most = std::fabs(ramp->stops[s].at - at);
            nearest = s;
        }
    return nearest;
}

/* Adds a stop of the colour that the ramp has there. Returns its index; -1: there is no room. */
int add_stop(RenderRamp *ramp, float at)
{
    if (ramp->stop_count == RENDER_STOPS_MAX)
        return -1;
    const RampTable table = table_of(ramp);
    RenderStop *stops = ramp->stops;
    int index = 0;
    while (index < ramp->stop_count && stops[index].at <= at)
        index++;
    std::copy_backward(stops + index, stops + ramp->stop_count, stops + ramp->stop_count + 1);
    stops[index].at = at;
    render_ramp_color(&table, at, stops[index].color);
    ramp->stop_count++;
    return index;
}

/* Draws the colours, and a mark for each stop. gone: stop that is dragged off the bar; -1: none. */
void draw_ramp(const RenderRamp *ramp, const ImVec2 &from, const ImVec2 &to, int chosen, int gone)
{
    enum { PIECES = 64 };
    const RampTable table = table_of(ramp);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float width = to.x - from.x, mark = kStopHalf * ImGui::GetFontSize();
    const float bottom = to.y - 2 * mark;
    for (int p = 0; p < PIECES; p++) {
        const ImU32 left = ramp_shown(table, static_cast<float>(p) / PIECES);
        const ImU32 right = ramp_shown(table, static_cast<float>(p + 1) / PIECES);
        list->AddRectFilledMultiColor({from.x + width * static_cast<float>(p) / PIECES, from.y},
                                      {from.x + width * static_cast<float>(p + 1) / PIECES, bottom},
                                      left, right, right, left);
    }
    for (int s = 0; s < ramp->stop_count; s++) {
        const ImVec2 tip = {from.x + width * ramp->stops[s].at, bottom - mark};
        const ImU32 edge = ImGui::GetColorU32(s == gone ? ImGuiCol_TextDisabled : ImGuiCol_Text);
        const ImVec2 left = {tip.x - mark, to.y}, right = {tip.x + mark, to.y};
        list->AddTriangleFilled(tip, right, left, ramp_shown(table, ramp->stops[s].at));
        list->AddTriangle(tip, right, left, edge, s == chosen ? 2.5f : 1.0f);
    }
}

} // namespace

unsigned gui_ramp(const char *label, GuiPoint size, RenderRamp *ramp, int *pressed_last)
{
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    ImGuiStorage *held = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(label);
    ImGui::InvisibleButton(label, vec(size),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const float letters = ImGui::GetFontSize(), inset = kStopHalf * letters;
    const ImVec2 from = {ImGui::GetItemRectMin().x + inset, ImGui::GetItemRectMin().y};
    const ImVec2 to = {ImGui::GetItemRectMax().x - inset, ImGui::GetItemRectMax().y};
    const float width = std::max(to.x - from.x, 1.0f);
    const float at = std::min(std::max((mouse.x - from.x) / width, 0.0f), 1.0f);
    const bool left =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    const bool off = mouse.y < from.y - 2 * letters || mouse.y > to.y + 2 * letters;
    int chosen = std::min(held->GetInt(id, 0), ramp->stop_count - 1);
    unsigned edit = 0;
    if (ImGui::IsItemActivated()) {
        int pressed = nearest_stop(ramp, at, left ? 0.6f * letters / width : 2);
        if (pressed < 0) {
            pressed = add_stop(ramp, at);
            edit |= pressed >= 0 ? static_cast<unsigned>(GUI_CHANGED) : 0u;
        }
        chosen = pressed >= 0 ? pressed : chosen;
    }
    const bool dragged = left && ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 2);
    if (dragged && !off) {
        const float low = chosen > 0 ? ramp->stops[chosen - 1].at : 0;
        const float high = chosen + 1 < ramp->stop_count ? ramp->stops[chosen + 1].at : 1;
        ramp->stops[chosen].at = std::min(std::max(at, low), high);
        edit |= static_cast<unsigned>(GUI_CHANGED);
    }
    *pressed_last = chosen;
    draw_ramp(ramp, from, to, chosen, dragged && off ? chosen : -1);
    if (ImGui::IsItemDeactivated() && left) {
        if (off && ramp->stop_count > 1) {
            std::copy(ramp->stops + chosen + 1, ramp->stops + ramp->stop_count,
                      ramp->stops + chosen);
            ramp->stop_count--;
            edit |= static_cast<unsigned>(GUI_CHANGED);
        }
        edit |= static_cast<unsigned>(GUI_DONE);
    }
    held->SetInt(id, chosen);
    return edit;
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
