// The lessons that come with the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::app {

struct ShippedLesson {
  std::string_view word;   ///< "levels": as the action takes it
  std::string_view file;   ///< in the folder of lessons
  std::string_view title;  ///< as in the file
  std::string_view shows;  ///< what the learner understands, a sentence
};

/// In the order in which they are to be played.
[[nodiscard]] std::span<const ShippedLesson> shipped_lessons();
/// Null if there is none of that word.
[[nodiscard]] const ShippedLesson* find_shipped_lesson(std::string_view word);
/// The file of the installation or of the sources. Errors: those of shipped_file.
[[nodiscard]] Result<std::string> lesson_path(const ShippedLesson& lesson);

}  // namespace tideline::app
