// How the window looks: layout, theme, font, colours, what is shown. Tested by
// unit/actions/commands_view_test.cc.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/actions/color_choices.h"
#include "app/actions/commands.h"
#include "core/base/parse.h"
#include "core/base/source_bytes.h"

namespace tideline::app {
namespace {

Answered set_theme(Viewer& viewer, const Arguments& arguments) {
  viewer.view.theme = *render::theme_of_name(arguments.text(0));
  return {};
}

Answered toggle(Viewer& viewer, const Arguments& arguments) {
  ui::ViewState& view = viewer.view;
  // A side without room is a strip, and shown in front of the centre.
  const auto toggle_side = [&](ui::Side side, bool is_narrow, bool& is_shown) {
    if (!is_narrow || !is_shown) return false;
    view.open_side = view.open_side == side ? ui::Side::kNone : side;
    return true;
  };
  const std::string& part = arguments.text(0);
  if (part == "left" && toggle_side(ui::Side::kLeft, view.is_left_narrow, view.show_left))
    return {};
  if (part == "right" && toggle_side(ui::Side::kRight, view.is_right_narrow, view.show_right))
    return {};
  const std::pair<const char*, bool*> switches[] = {
      {"left", &view.show_left},
      {"right", &view.show_right},
      {"bottom", &view.show_bottom},
      {"candidates", &view.show_candidates},
      {"control-edges", &view.show_control_edges},
      {"original", &view.show_original},
  };
  for (const auto& [name, value] : switches) {
    if (part == name) *value = !*value;
  }
  return {};
}

// What is shown, and whether letters are large.
struct Layout {
  std::string_view name;
  ui::Tab tab;
  bool has_left, has_right, has_bottom, is_to_teach;
};
constexpr std::array kLayouts = {Layout{"inspect", ui::Tab::kScopes, false, true, false, false},
                                 Layout{"tune", ui::Tab::kLevels, true, true, true, false},
                                 Layout{"compare", ui::Tab::kDiff, true, false, false, false},
                                 Layout{"teach", ui::Tab::kLevels, true, false, true, true}};

// A lecture has large letters, and all sizes are as before when it is over.
void set_sizes(ui::ViewState& view, bool is_to_teach) {
  constexpr float kLettersPx = 22, kLeftPx = 260, kBottomShare = 0.4F;
  if (is_to_teach == view.before_teaching.has_value()) return;
  ui::Looks& looks = view;
  if (is_to_teach) {
    view.before_teaching = looks;
    looks.font_px = std::max(looks.font_px, kLettersPx);
    looks.left_px = kLeftPx;
    looks.bottom_share = kBottomShare;
    return;
  }
  const render::ThemeKind theme = looks.theme;
  looks = *view.before_teaching;
  looks.theme = theme;
  view.before_teaching.reset();
}

Answered set_layout(Viewer& viewer, const Arguments& arguments) {
  const auto* const layout =
      std::find_if(kLayouts.begin(), kLayouts.end(),
                   [&](const Layout& known) { return known.name == arguments.text(0); });
  ui::ViewState& view = viewer.view;
  view.tab = layout->tab;
  view.show_left = layout->has_left;
  view.show_right = layout->has_right;
  view.show_bottom = layout->has_bottom;
  set_sizes(view, layout->is_to_teach);
  return {};
}

// What fonts begin with: TrueType, OpenType, Apple's TrueType, a collection of them.
bool is_font(std::string_view bytes) {
  constexpr std::array<std::string_view, 4> kBeginnings = {std::string_view("\0\1\0\0", 4), "OTTO",
                                                           "true", "ttcf"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return bytes.starts_with(beginning); });
}

Answered set_font(Viewer& viewer, const Arguments& arguments) {
  if (arguments.text(0) == "default") {
    viewer.view.font_file.clear();
    return {};
  }
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  TIDELINE_TRY(const SharedBytes file, open_bytes(path));
  if (!is_font(file->bytes())) {
    return fail(Code::kCorrupt, "{}: is no font; expected TrueType or OpenType", path);
  }
  // The program may be started from another folder the next time.
  viewer.view.font_file = std::filesystem::absolute(path).lexically_normal().string();
  return {};
}

Answered color_levels(Viewer& viewer, const Arguments& arguments) {
  viewer.view.levels_color = render::color_by_of(arguments.text(0));
  return {};
}

Answered set_font_size(Viewer& viewer, const Arguments& arguments) {
  // parse_decimal knows no plus.
  const std::string text = arguments.text(0) == "+1" ? "1" : arguments.text(0);
  const auto size = parse_decimal(text);
  const bool is_step = text == "-1" || text == "1";
  if (!size || (!is_step && (*size < 8 || *size > 48))) {
    return bad_argument(arguments.text(0), "a size from 8 to 48, +1 or -1");
  }
  const double wanted = is_step ? static_cast<double>(viewer.view.font_px) + *size : *size;
  viewer.view.font_px = static_cast<float>(std::clamp(wanted, 8.0, 48.0));
  return {};
}

const std::array kLooksTable = {
    for_pages(action("view.theme", "Choose the theme", "", "",
                     {word("dark|light|color-blind-safe")}, "Choose the colours.", set_theme)),
    for_pages(action("view.color", "Choose what colours of levels say", "", "",
                     {word(kColorChoices)}, "What the colours of the levels view say.",
                     color_levels)),
    for_pages(action("view.toggle", "Show or hide", "", "",
                     {word("left|right|bottom|candidates|control-edges|original")},
                     "Show or hide a part.", toggle)),
    action("view.layout", "Choose a layout", "", "", {word("inspect|tune|compare|teach")},
           "Arrange the window: scopes and inspector; all panels around the levels; the diff view; "
           "or levels and memory in large letters.",
           set_layout),
    action("view.font-dialog", "Font...", "View", "", {}, "Choose the font of the window.",
           show_popup<ui::Popup::kChooseFont>),
    action("view.font", "Set the font", "", "", {text("FILE|default")},
           "The font of the window, TrueType or OpenType; default is DejaVu Sans.", set_font),
    action("view.font-size", "Set the size of text", "", "", {text("N|+1|-1")},
           "Size of text in pixels.", set_font_size),
};

}  // namespace

constinit const std::span<const Action> kLooksActions = kLooksTable;

}  // namespace tideline::app
