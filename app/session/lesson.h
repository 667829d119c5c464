// A lesson: what a learner reads, does and finds, as a text file. The language is described in
// assets/tutorials/README.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline::app {

/// A part of a line of a lesson: an action with its arguments, or an expectation.
struct LessonLine {
  int number = 0;  ///< of the line in the file, from 1
  std::string text;
};

struct LessonStep {
  int line = 0;  ///< where it begins
  std::string title, caption;
  LessonLine spotlight;     ///< the label of a widget; empty: none
  LessonLine spotlight_op;  ///< the name of an op; likewise
  LessonLine question;      ///< likewise
  std::string answer;       ///< in words; or else
  LessonLine reveal;        ///< the quantity that is the answer
  std::string hint;
  std::vector<LessonLine> begin;   ///< actions that set the step up
  std::vector<LessonLine> deeds;   ///< actions that the learner is to do
  std::vector<LessonLine> checks;  ///< expectations: the step is done when all of them hold
};

struct Lesson {
  std::string path;
  std::string title;
  LessonLine graph;  ///< a path, found from the folder of the lesson
  std::vector<LessonStep> steps;
};

/// What is wrong with a lesson, for its author.
struct LessonMistake {
  int line = 0;  ///< from 1, also for what is missing from the whole file
  std::string reason;
};

struct ParsedLesson {
  Lesson lesson;
  std::vector<LessonMistake> mistakes;  ///< by line
};

/// Cuts the text of the file `path` into steps. Finds mistakes of form only: whether actions and
/// quantities exist is for check_lesson (app/actions/check_lesson.h). Thread: pure.
[[nodiscard]] ParsedLesson parse_lesson(std::string_view text, const std::string& path);

/// Reads the file. Errors: those of reading it; kCorrupt for a mistake of form, naming its line.
[[nodiscard]] Result<Lesson> read_lesson(const std::string& path);

/// Whether `path` has the ending of lessons, ".lesson".
[[nodiscard]] bool is_lesson_path(std::string_view path);

}  // namespace tideline::app
