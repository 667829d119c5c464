// The actions of lessons. Tested by unit/actions/commands_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "app/actions/lesson_player.h"
#include "app/session/shipped_lessons.h"

namespace tideline::app {
namespace {

bool has_lesson(const Viewer& viewer) {
  return viewer.lesson.lesson != nullptr;
}

Answered open_lesson_file(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  TIDELINE_RETURN_IF_ERROR(start_lesson(viewer, path));
  return viewer.shown;
}

Answered start_shipped_lesson(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string file, lesson_path(*find_shipped_lesson(arguments.text(0))));
  TIDELINE_TRY(const std::string path, resolved(viewer, file, PathUse::kRead));
  TIDELINE_RETURN_IF_ERROR(start_lesson(viewer, path));
  return viewer.shown;
}

template <auto kFunction>
Answered of_lesson(Viewer& viewer, const Arguments&) {
  kFunction(viewer);
  return {};
}

void show_lesson_hint(Viewer& viewer) {
  viewer.lesson.shows_hint = true;
  viewer.session.journal().touch();
}

Answered take_guess(Viewer& viewer, const Arguments& arguments) {
  viewer.guess = arguments.text(0);
  viewer.lesson.guess = viewer.guess;
  viewer.session.journal().touch();
  return {};
}

std::string lesson_words() {
  std::vector<std::string_view> words;
  for (const ShippedLesson& lesson : shipped_lessons()) words.push_back(lesson.word);
  return fmt::format("{}", fmt::join(words, "|"));
}
const std::string kLessonWords = lesson_words();

const std::array kLessonTable = {
    action("lesson.start", "Start a lesson", "", "", {word(kLessonWords)},
           "Play one of the lessons that come with the program.", start_shipped_lesson, nullptr,
           nullptr, Effect::kSlow),
    action("lesson.open-dialog", "Open a lesson...", "Tutorial", "", {},
           "Choose the file of a lesson to play.", show_popup<ui::Popup::kOpenLesson>),
    action("lesson.open", "Open a lesson", "", "", {text("PATH")}, "Play the lesson of a file.",
           open_lesson_file, nullptr, nullptr, Effect::kSlow),
    for_pages(action("lesson.next", "Next step", "Tutorial", "PageDown", {},
                     "Go on in the lesson, if this step is done.", of_lesson<next_step>, has_lesson,
                     nullptr, Effect::kSlow)),
    for_pages(action("lesson.back", "Step before", "Tutorial", "PageUp", {},
                     "Go back to the step before, as it began.", of_lesson<step_back>, has_lesson,
                     nullptr, Effect::kSlow)),
    for_pages(action("lesson.show", "Show me", "Tutorial", "Ctrl+Enter", {},
                     "Do what this step of the lesson asks for.", of_lesson<show_deeds>, has_lesson,
                     nullptr, Effect::kSlow)),
    for_pages(action("lesson.hint", "Hint", "Tutorial", "", {}, "Show the hint of this step.",
                     of_lesson<show_lesson_hint>, has_lesson)),
    for_pages(action("lesson.reset", "Reset step", "Tutorial", "", {},
                     "Begin this step of the lesson again, as it began.", of_lesson<reset_step>,
                     has_lesson, nullptr, Effect::kSlow)),
    for_pages(action("lesson.end", "End the lesson", "Tutorial", "", {},
                     "Leave the lesson; its graph stays open.", of_lesson<end_lesson>, has_lesson)),
    for_pages(action("lesson.guess", "Guess", "", "", {text("TEXT")},
                     "Answer the question of a lesson, for expect lesson.guess.", take_guess)),
};

}  // namespace

constinit const std::span<const Action> kLessonActions = kLessonTable;

}  // namespace tideline::app
