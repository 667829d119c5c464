// Tested by unit/web/lessons_test.cc.
#include "app/web/lessons.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/session/shipped_lessons.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

// Lessons name the keys of the window. A browser keeps Ctrl+F for itself.
std::string for_page(std::string text) {
  constexpr std::string_view kOfWindow = "Ctrl+F", kOfPage = "/";
  for (std::size_t at = 0; (at = text.find(kOfWindow, at)) != std::string::npos;)
    text.replace(at, kOfWindow.size(), kOfPage);
  return text;
}

// Empty if it is not there, or may not be read.
std::string shipped_path(const app::ShippedLesson& lesson, const AllowedPaths& paths) {
  const auto path = app::lesson_path(lesson);
  return path && paths.for_reading(*path) ? *path : "";
}

}  // namespace

void allow_shipped_lessons(AllowedPaths& paths) {
  std::string folder;
  std::vector<std::string> files;
  for (const app::ShippedLesson& shipped : app::shipped_lessons()) {
    const auto path = app::lesson_path(shipped);
    const auto lesson = path ? app::read_lesson(*path) : tl::unexpected(path.error());
    if (!lesson) continue;
    folder = std::filesystem::path(*path).parent_path().string();
    files.push_back(*path);
    files.push_back(lesson->graph.text);
  }
  if (!files.empty()) paths.add_own(folder, files);
}

ordered_json shipped_lessons_json(const AllowedPaths& paths) {
  ordered_json list = ordered_json::array();
  for (const app::ShippedLesson& lesson : app::shipped_lessons()) {
    if (shipped_path(lesson, paths).empty()) continue;
    list.push_back({{"word", lesson.word}, {"title", lesson.title}, {"shows", lesson.shows}});
  }
  return list;
}

Result<app::Lesson> shipped_lesson(std::string_view word, const AllowedPaths& paths) {
  const app::ShippedLesson* lesson = app::find_shipped_lesson(word);
  if (lesson != nullptr) {
    TIDELINE_TRY(const std::string path, app::lesson_path(*lesson));
    return lesson_of_file(path, paths);
  }
  std::vector<std::string_view> words;
  for (const app::ShippedLesson& one : app::shipped_lessons()) words.push_back(one.word);
  return fail(Code::kNotFound, "there is no lesson '{}'; expected one of {}", printable(word),
              fmt::join(words, ", "));
}

Result<app::Lesson> lesson_of_file(const std::string& path, const AllowedPaths& paths) {
  TIDELINE_TRY(const std::string file, paths.for_reading(path));
  TIDELINE_TRY(app::Lesson lesson, app::read_lesson(file));
  auto graph = paths.for_reading(lesson.graph.text);
  if (!graph) {
    return tl::unexpected(
        with_context(graph.error(), fmt::format("{}:{}: graph", file, lesson.graph.number)));
  }
  lesson.graph.text = *std::move(graph);
  return lesson;
}

ordered_json lesson_json(const ui::UiModel& model) {
  if (!model.lesson) return nullptr;
  const ui::LessonCard& card = *model.lesson;
  ordered_json step;
  step["lesson"] = card.lesson;
  step["title"] = card.title;
  step["caption"] = for_page(card.caption);
  step["step"] = card.step;
  step["steps"] = card.steps;
  step["turn"] = card.turn;
  step["spotlight"] = card.spotlight.empty() && card.op ? "levels/canvas" : card.spotlight;
  step["question"] = card.question;
  step["guess"] = card.guess;
  step["answer"] = card.answer;
  step["hint"] = for_page(card.hint);
  step["problem"] = card.problem;
  step["has_hint"] = card.has_hint;
  step["can_show"] = card.can_show;
  step["has_checks"] = card.has_checks;
  step["done"] = card.is_done;
  step["busy"] = card.is_busy;
  step["elsewhere"] = card.is_elsewhere;
  return step;
}

}  // namespace tideline::web
