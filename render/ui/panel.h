// The argument of every panel: the model, the view state, and the list of intents.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"
#include "render/ui/fonts.h"
#include "render/ui/textures.h"
#include "render/ui/widgets.h"

namespace tideline::ui {

class ViewCache;

/// Panels are functions draw_x(Ui&): they show `model`, may change `view`, and append what the app
/// should do to `intents`. They never change the model. Thread: the UI's.
struct Ui {
  const UiModel& model;
  ViewState& view;
  Widgets& widgets;
  Intents& intents;
  const Fonts& fonts;
  ViewCache& cache;
  Textures* textures = nullptr;  ///< null: pictures are drawn as empty frames

  [[nodiscard]] const render::Palette& palette() const { return render::palette(view.theme); }
  /// Screen pixels for a length at scale 1.
  [[nodiscard]] float px(float length) const { return length * view.scale; }

  template <typename... Arguments>
  void ask(std::string action, Arguments&&... arguments) {
    intents.push_back({std::move(action), {std::string(std::forward<Arguments>(arguments))...}});
  }
};

/// While the mouse is over the item that ImGui drew last: `help`, if there is any, and what the
/// glossary says of the terms in `text`.
void explain(const Ui& ui, std::string_view text, std::string_view help = {});
/// A line of dim text with its terms explained, wrapped at the panel's edge.
void dim_text(const Ui& ui, const std::string& text);
void colored_text(render::Color color, const std::string& text);
/// Where tables are limited to levels (levels_limit.h): says so on a button that takes it back.
void draw_limit(Ui& ui);
/// The heading of a panel, over its whole width. `help`, if not empty, is its tooltip.
void heading(Ui& ui, const char* text, std::string_view help = {});
/// The row with the names of the current table's columns; `help` has a tooltip for each.
void table_headings(Ui& ui, std::span<const std::string_view> help);
/// Text of an empty panel, which tells the user what to do.
void empty_state(const Ui& ui, const std::string& text);

/// `name` shortened to `width_px` at its front, because long names differ at the end.
[[nodiscard]] std::string fitted(const std::string& name, float width_px);
/// `text` shortened to `width_px` at its end, with an ellipsis; empty where not even some letters
/// of it fit.
[[nodiscard]] std::string fitted_end(const std::string& text, float width_px);

}  // namespace tideline::ui
