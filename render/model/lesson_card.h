// What the panel of a lesson shows, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/ids.h"

namespace tideline::ui {

/// The step of a lesson at which the learner is.
struct LessonCard {
  std::string lesson, title, caption;  ///< titles of the lesson and the step; what there is to know
  std::size_t step = 0, steps = 0;     ///< the step counts from 1
  std::uint64_t turn = 0;              ///< changes whenever a step begins, also the same one again
  std::string spotlight;               ///< the label of a widget; empty: none
  std::optional<OpId> op;              ///< an op to be looked at
  std::string question, guess;         ///< empty: nothing is asked, nothing was answered
  std::string answer;                  ///< shown once there is a guess and the step is done
  std::string hint;                    ///< empty: not shown yet
  std::string problem;                 ///< why the step is not done, after Next was asked for
  bool has_hint = false;
  bool can_show = false;  ///< there is something that "Show me" would do
  bool is_done = false;   ///< its checks hold
  bool has_checks = false;
  bool is_busy = false;       ///< the graph is being opened, or the step set up
  bool is_elsewhere = false;  ///< another document is shown
};

}  // namespace tideline::ui
