// Tested by unit/session/lesson_test.cc.
#include "app/session/lesson.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "core/base/parse.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Reads line by line; what is wrong is noted, and the rest is read nevertheless.
class LessonReader {
 public:
  explicit LessonReader(const std::string& path) { parsed_.lesson.path = path; }

  void take(std::string_view line) {
    ++number_;
    line = trimmed(line);
    if (line.empty() || line.front() == '#') return;
    const std::size_t end = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, end);
    const std::string_view rest =
        end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end));
    if (word == "lesson" || word == "graph") return take_head(word, rest);
    if (word == "step") return take_step(rest);
    if (parsed_.lesson.steps.empty()) return take_set_up(word, line);
    take_of_step(parsed_.lesson.steps.back(), word, line, rest);
  }

  ParsedLesson finish() {
    Lesson& lesson = parsed_.lesson;
    if (lesson.title.empty()) mistake(1, "it has no title; expected a line such as: lesson Levels");
    if (lesson.graph.text.empty())
      mistake(1, "it has no graph; expected a line such as: graph chain.meta");
    if (lesson.steps.empty()) {
      mistake(1, "it has no step; expected lines such as: step Find the last reader");
    } else {
      auto& begin = lesson.steps.front().begin;
      begin.insert(begin.begin(), set_up_.begin(), set_up_.end());
    }
    for (const LessonStep& step : lesson.steps) check(step);
    std::stable_sort(parsed_.mistakes.begin(), parsed_.mistakes.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return std::move(parsed_);
  }

 private:
  void mistake(int line, std::string reason) {
    parsed_.mistakes.push_back({line, std::move(reason)});
  }

  // A text that may stand once.
  void take_once(std::string_view word, std::string_view text, LessonLine& place) {
    if (text.empty()) return mistake(number_, fmt::format("{}: expected a text", word));
    if (!place.text.empty()) {
      return mistake(number_, fmt::format("{} is already in line {}", word, place.number));
    }
    place = {number_, std::string(text)};
  }

  void take_head(std::string_view word, std::string_view text) {
    if (!parsed_.lesson.steps.empty())
      return mistake(number_, fmt::format("{}: expected before the first step", word));
    if (word == "graph") return take_graph(text);
    take_once(word, text, title_);
    parsed_.lesson.title = title_.text;
  }

  void take_graph(std::string_view text) {
    LessonLine& graph = parsed_.lesson.graph;
    const bool is_first = graph.text.empty();
    take_once("graph", text, graph);
    if (is_first && !text.empty())
      graph.text = (std::filesystem::path(parsed_.lesson.path).parent_path() / text)
                       .lexically_normal()
                       .string();
  }

  void take_step(std::string_view title) {
    if (title.empty()) mistake(number_, "step: expected its title");
    LessonStep& step = parsed_.lesson.steps.emplace_back();
    step.line = number_;
    step.title = title;
  }

  // Before the first step only actions, which prepare it.
  void take_set_up(std::string_view word, std::string_view line) {
    constexpr std::array kOfSteps = {"caption", "spotlight", "spotlight-op", "ask",   "answer",
                                     "reveal",  "hint",      "begin",        "expect"};
    if (std::find(kOfSteps.begin(), kOfSteps.end(), word) != kOfSteps.end())
      return mistake(number_, fmt::format("{}: expected in a step", word));
    set_up_.push_back({number_, std::string(line)});
  }

  static void append(std::string& text, std::string_view more) {
    if (!text.empty()) text += ' ';
    text += more;
  }

  void take_of_step(LessonStep& step, std::string_view word, std::string_view line,
                    std::string_view rest) {
    if (word == "caption") return append(step.caption, rest);
    if (word == "hint") return append(step.hint, rest);
    if (word == "answer") return append(step.answer, rest);
    if (word == "spotlight") return take_once(word, rest, step.spotlight);
    if (word == "spotlight-op") return take_once(word, rest, step.spotlight_op);
    if (word == "ask") return take_once(word, rest, step.question);
    if (word == "reveal") return take_once(word, rest, step.reveal);
    if (word == "expect") return step.checks.push_back({number_, std::string(rest)});
    if (word == "begin") return step.begin.push_back({number_, std::string(rest)});
    step.deeds.push_back({number_, std::string(line)});
  }

  void check(const LessonStep& step) {
    if (step.caption.empty())
      mistake(step.line, "the step has no caption; expected what the learner reads");
    const bool has_answer = !step.answer.empty() || !step.reveal.text.empty();
    if (!step.question.text.empty() && !has_answer)
      mistake(step.question.number,
              "ask: expected its answer, in a line answer TEXT or "
              "reveal QUANTITY");
    if (step.question.text.empty() && has_answer)
      mistake(step.line, "the step has an answer and no question; expected a line ask QUESTION");
    if (!step.deeds.empty() && step.checks.empty())
      mistake(step.deeds.front().number,
              "the step has something to do and no check; expected a "
              "line expect QUANTITY OPERATOR VALUE");
    if (!step.checks.empty() && step.hint.empty())
      mistake(step.line, "the step has a check and no hint; expected a line hint TEXT");
  }

  ParsedLesson parsed_;
  LessonLine title_;
  std::vector<LessonLine> set_up_;
  int number_ = 0;
};

}  // namespace

ParsedLesson parse_lesson(std::string_view text, const std::string& path) {
  LessonReader reader(path);
  while (!text.empty()) reader.take(take_until(text, '\n'));
  return reader.finish();
}

Result<Lesson> read_lesson(const std::string& path) {
  TIDELINE_TRY(const auto bytes, open_bytes(path));
  ParsedLesson parsed = parse_lesson(bytes->bytes(), path);
  if (parsed.mistakes.empty()) return std::move(parsed.lesson);
  const LessonMistake& first = parsed.mistakes.front();
  return fail(Code::kCorrupt, "{}:{}: {}", path, first.line, first.reason);
}

bool is_lesson_path(std::string_view path) {
  return path.ends_with(".lesson");
}

}  // namespace tideline::app
