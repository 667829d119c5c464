// Lessons that are played on a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/session/lesson.h"
#include "app/web/paths.h"
#include "render/model/ui_model.h"

namespace tideline::web {

/// Lets `paths` read the lessons that come with the program, and their graphs. Those that are not
/// there are left out.
void allow_shipped_lessons(AllowedPaths& paths);

/// Word, title and what it shows of every lesson that comes with the program and is there.
[[nodiscard]] nlohmann::ordered_json shipped_lessons_json(const AllowedPaths& paths);

/// The lesson of that word. Errors: kNotFound, with the words that there are.
[[nodiscard]] Result<app::Lesson> shipped_lesson(std::string_view word, const AllowedPaths& paths);
/// The lesson of a file. Errors: those of AllowedPaths::for_reading, for its graph, too, and of
/// read_lesson.
[[nodiscard]] Result<app::Lesson> lesson_of_file(const std::string& path,
                                                 const AllowedPaths& paths);

/// The step at which the learner is; null if no lesson is played.
[[nodiscard]] nlohmann::ordered_json lesson_json(const ui::UiModel& model);

}  // namespace tideline::web
