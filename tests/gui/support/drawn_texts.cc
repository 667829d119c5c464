#include "tests/gui/support/drawn_texts.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <limits>

#include "render/view/labels.h"

namespace tideline::gui {
namespace {

using render::Rect;

DrawnTexts* recorder = nullptr;

constexpr float kRounding = 1.5F;  // places of letters are rounded to pixels

Rect common(const Rect& a, const Rect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

void record(const ImDrawList& list, const ImFont* font, float size_px, ImVec2 at, const char* begin,
            const char* end, float wrap_px, const ImVec4* fine_clip) {
  if (recorder == nullptr || begin == end) return;
  if (font == nullptr) font = list._Data->Font;
  if (size_px <= 0) size_px = list._Data->FontSize;
  const ImVec2 size =
      font->CalcTextSizeA(size_px, std::numeric_limits<float>::max(), wrap_px, begin, end);
  const ImVec4 clip = list._CmdHeader.ClipRect;
  DrawnText text;
  text.text = end == nullptr ? std::string(begin) : std::string(begin, end);
  text.box = {at.x, at.y, at.x + size.x, at.y + size.y};
  text.clip = {clip.x, clip.y, clip.z, clip.w};
  if (fine_clip != nullptr) {
    text.clip = common(text.clip, {fine_clip->x, fine_clip->y, fine_clip->z, fine_clip->w});
  }
  const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
  text.pane = list._OwnerName == nullptr ? "" : list._OwnerName;
  for (; window != nullptr && window->DrawList != nullptr; window = window->ParentWindow) {
    text.scrolls_y = text.scrolls_y || window->ScrollMax.y > 0;
  }
  // Dear ImGui's own window, which is drawn only when something asks for it.
  if (text.pane == "Debug##Default") return;
  if (text.text.find_first_not_of(" \n") != std::string::npos) recorder->add(std::move(text));
}

// What of `text` is beside the pane in front.
Rect seen_part(const DrawnText& text, const std::string& front, const Rect& covered) {
  Rect seen = common(text.box, text.clip);
  if (front.empty() || text.pane.find(front) != std::string::npos) return seen;
  // It stands at one side of the window, as high as what it covers.
  if (seen.y1 <= covered.y0 || seen.y0 >= covered.y1) return seen;
  if (covered.x1 - seen.x0 > seen.x1 - covered.x0) {
    seen.x1 = std::min(seen.x1, std::max(covered.x0, seen.x0));
  }
  if (seen.x0 >= covered.x0 && seen.x0 < covered.x1) seen.x0 = std::min(covered.x1, seen.x1);
  return seen;
}

Rect rect_of_pane(const std::string& name) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!name.empty() && window->WasActive &&
        std::string(window->Name).find(name) != std::string::npos) {
      return {window->Pos.x, window->Pos.y, window->Pos.x + window->Size.x,
              window->Pos.y + window->Size.y};
    }
  }
  return {};
}

// Letters leave some of their line free above and below them.
float room_above(const DrawnText& text) {
  return 0.15F * std::min(text.box.height(), ImGui::GetFontSize());
}

std::string place_of(const Rect& rect) {
  return fmt::format("({:.0f} {:.0f} {:.0f} {:.0f})", rect.x0, rect.y0, rect.x1, rect.y1);
}

}  // namespace

bool DrawnText::is_seen() const {
  const Rect seen = common(box, clip);
  return seen.width() > 1 && seen.height() > 1;
}

bool DrawnText::is_cut() const {
  const bool at_sides = box.x0 < clip.x0 - kRounding || box.x1 > clip.x1 + kRounding;
  const float room = room_above(*this);
  const bool at_ends = box.y0 < clip.y0 - room || box.y1 > clip.y1 + room;
  return is_seen() && (at_sides || (at_ends && !scrolls_y));
}

DrawnTexts::DrawnTexts() {
  recorder = this;
}

DrawnTexts::~DrawnTexts() {
  recorder = nullptr;
}

std::vector<std::string> DrawnTexts::faults(const std::string& front) const {
  std::vector<std::string> found;
  const Rect covered = rect_of_pane(front);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const DrawnText& a = texts_[i];
    if (!a.is_seen()) continue;
    if (a.is_cut()) {
      found.push_back(fmt::format("cut: '{}' {} in {} on {}", a.text, place_of(a.box),
                                  place_of(a.clip), a.pane));
    }
    const float room = room_above(a);
    Rect of_a = seen_part(a, front, covered);
    of_a.x0 += 0.5F, of_a.x1 -= 0.5F;
    of_a.y0 += room, of_a.y1 -= room;
    for (std::size_t k = 0; k < i; ++k) {
      const DrawnText& b = texts_[k];
      if (a.text == b.text && a.box == b.box) continue;  // the selection is drawn again
      const Rect of_b = seen_part(b, front, covered);
      if (!b.is_seen() || of_a.x1 <= of_a.x0 || of_b.x1 <= of_b.x0) continue;
      if (!render::do_meet(of_a, of_b)) continue;
      found.push_back(fmt::format("'{}' {} on '{}' {} on {}", a.text, place_of(a.box), b.text,
                                  place_of(b.box), a.pane));
    }
  }
  return found;
}

}  // namespace tideline::gui

// What the linker puts in the place of the two functions, and they themselves. The names are those
// of the Itanium ABI, `this` is the first argument.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
void __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at,
                                                     ImU32 color, const char* begin,
                                                     const char* end);
void __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(
    ImDrawList* list, const ImFont* font, float size_px, const ImVec2& at, ImU32 color,
    const char* begin, const char* end, float wrap_px, const ImVec4* fine_clip);

void __wrap__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at,
                                                     ImU32 color, const char* begin,
                                                     const char* end) {
  if ((color & IM_COL32_A_MASK) != 0) {
    tideline::gui::record(*list, nullptr, 0, at, begin, end, 0, nullptr);
  }
  __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(list, at, color, begin, end);
}

void __wrap__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(
    ImDrawList* list, const ImFont* font, float size_px, const ImVec2& at, ImU32 color,
    const char* begin, const char* end, float wrap_px, const ImVec4* fine_clip) {
  if ((color & IM_COL32_A_MASK) != 0) {
    tideline::gui::record(*list, font, size_px, at, begin, end, wrap_px, fine_clip);
  }
  __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(
      list, font, size_px, at, color, begin, end, wrap_px, fine_clip);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
