// What came of the policy, in lines of text: peaks, budget, swaps, time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::ui {

/// How a line is coloured. Its words say the same.
enum class Tone : std::uint8_t { kText, kDim, kGood, kWarning, kError, kMeasured };
/// "text", "dim", "good", "warning", "error", "measured".
[[nodiscard]] std::string_view tone_name(Tone tone);

/// What is shown while the policy has no plan.
inline constexpr std::string_view kOutdatedPlan =
    "the last plan; there is none for the current policy";

struct ResultLine {
  std::string name;  ///< of what it is about, if others ask for it: "parts", "step"
  std::string text;  ///< may have several lines
  Tone tone = Tone::kText;
  bool is_small = false;
  bool is_detail = false;  ///< stands behind the buttons of the card
  std::string hint;        ///< shown while the mouse is over it; empty: none
  std::string label;       ///< of the button below, which asks for `action`; empty: none
  std::string action;
  std::vector<std::string> arguments;  ///< of `action`
};

struct ResultCard {
  std::string title;  ///< peak of device memory before and after: "9.14 -> 3.86 GiB"
  std::string hint;   ///< of the title
  // The rest of it in one line, each part of which may be empty.
  std::string verdict;  ///< "fits 410 MiB, 12.3 MiB spare"
  Tone verdict_tone = Tone::kText;
  std::string time;        ///< "step 94 ms -> 113 ms (1.21 x)"
  std::string swaps;       ///< "44 tensors swapped, host peak 1.20 GiB"
  bool can_write = false;  ///< there is a plan for the policy
  std::vector<ResultLine> lines;
};

/// "6 swap-outs, 7 swap-ins, 12 control edges".
[[nodiscard]] std::string counts_text(const std::vector<PlanCount>& counts);

/// What is open and whether it is written: "original graph", "log of 3 runs", "nothing open".
[[nodiscard]] std::string open_state_text(const UiModel& model);

/// The result on a device of the scene; one beyond the last is the last. With a limit a line
/// "levels" says what happens at these levels, and takes the limit back. Precondition: there is a
/// graph. Cost: O(swaps); O(steps) with a limit. Thread: pure.
[[nodiscard]] ResultCard result_card(const UiModel& model, std::size_t device,
                                     const LevelStretch* limit = nullptr);

}  // namespace tideline::ui
