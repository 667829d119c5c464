// Where a learner is in a lesson.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/lesson.h"
#include "app/session/wish.h"

namespace tideline::app {

enum class DocumentId : std::uint32_t;

/// Plain values; app/actions/lesson_player.h changes them.
struct LessonPlay {
  std::shared_ptr<const Lesson> lesson;  ///< null: none is played
  std::size_t step = 0;                  ///< < lesson->steps.size()
  std::uint64_t turn = 0;                ///< changes whenever a step begins
  DocumentId document{};                 ///< its graph
  std::optional<Wish> wanted;            ///< what the graph gets once it is open
  std::deque<LessonLine> due;            ///< actions that are still to be run
  /// The wishes with which steps began, up to the current one.
  std::vector<Wish> begun_with;
  std::string guess;       ///< the answer to the question of this step
  bool was_shown = false;  ///< "Show me" was asked for in this step
  bool shows_hint = false;
  std::string problem;   ///< why the step is not done, or what could not be run
  int problem_line = 0;  ///< of the latter, in the lesson
};

}  // namespace tideline::app
