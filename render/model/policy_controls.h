// The controls with which a user changes the policy, as a list that any front can draw.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/model/ui_model.h"

namespace tideline::ui {

enum class ControlKind : std::uint8_t { kSlider, kChoice, kSwitch, kText, kButton };
/// "slider", "choice", "switch", "text", "button".
[[nodiscard]] std::string_view control_kind_name(ControlKind kind);

struct ControlChoice {
  std::string value, title;
};

struct Control {
  std::string section;  ///< heading of what few users change: "Filters"; empty: always seen
  std::string name;  ///< of the parameter, or "mode", "batch-size", "profile", "automatic", "tune"
  std::string title, help;
  ControlKind kind = ControlKind::kText;
  std::string value;  ///< as the action takes it; of a text "" for none; of a switch "on" or "off"
  std::string shown;  ///< for people: "auto", "2.00 GiB"
  bool is_assumed = false;  ///< what is shown is not known, and drawn as a warning
  // Of sliders: whole numbers. Their distance may be logarithmic, which includes 0.
  double number = 0;  ///< where it stands; a budget may lie between two numbers
  double least = 0, most = 0;
  bool is_logarithmic = false;
  std::string unit;  ///< behind the number in the value: "MiB"
  /// What the lower end of a slider, or an empty text, has for its value; empty: just that.
  std::string none;
  Bytes whole = 0;       ///< what "60 %" is a share of; 0: no shares
  std::string expected;  ///< of sliders: what may be typed, "an integer of at least 1, or none"
  std::vector<ControlChoice> choices;  ///< of choices; of a text what may be picked instead
  bool enabled = true;
  std::vector<std::string> action;  ///< id and arguments, one of which is "$", the new value; a
                                    ///< button has none
};

/// The controls of the chosen rewriter in the order in which they are shown, section by section.
/// Empty without a graph. Cost: O(parameters). Thread: pure.
[[nodiscard]] std::vector<Control> policy_controls(const UiModel& model);

/// The value of a slider at `number`, and of a text field with `text` in it.
[[nodiscard]] std::string value_at(const Control& slider, double number);
[[nodiscard]] std::string value_of(const Control& field, const std::string& text);
/// The value that a user has typed for a slider, as the action takes it: of "168 MiB", "60 %",
/// "all", in any case. Errors: kInvalidArgument for what cannot be read, saying what is expected.
[[nodiscard]] Result<std::string> typed_value(const Control& slider, std::string_view text);
/// The action's words, id first, with `value` for "$".
[[nodiscard]] std::vector<std::string> words_for(const Control& control, const std::string& value);

}  // namespace tideline::ui
