// Tested by unit/actions/check_lesson_test.cc.
#include "app/actions/check_lesson.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/actions/commands.h"
#include "app/actions/lesson_player.h"
#include "app/actions/quantities.h"
#include "app/actions/script.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

Status check_action(const std::string& text) {
  TIDELINE_TRY(const auto words, split_words(text));
  if (words.empty()) return fail(Code::kInvalidArgument, "expected an action");
  TIDELINE_TRY(const Call call, parse_call(words[0], {words.begin() + 1, words.end()}));
  if (!is_for_lessons(*call.action)) {
    return fail(Code::kInvalidArgument,
                "{} is not for lessons; expected an action on graph, policy, selection or view",
                call.action->id);
  }
  const auto arguments = parse_arguments(call.action->arguments(), call.words);
  if (!arguments) return tl::unexpected(with_context(arguments.error(), call.action->id));
  return {};
}

Status check_quantities(const LessonStep& step, const LessonLine& line) {
  if (line.number == step.reveal.number) {
    const auto names = quantity_names();
    if (std::find(names.begin(), names.end(), line.text) != names.end()) return {};
    return fail(Code::kInvalidArgument, "reveal: '{}' is not a quantity; expected one of {}",
                printable(line.text), fmt::join(names, ", "));
  }
  TIDELINE_TRY(const auto words, split_words(line.text));
  return check_form(words);
}

class LessonCheck {
 public:
  LessonCheck(Viewer& viewer, const WidgetLabels& labels) : viewer_(viewer), labels_(labels) {}

  std::vector<LessonMistake> run(ParsedLesson parsed) {
    mistakes_ = std::move(parsed.mistakes);
    for (const LessonStep& step : parsed.lesson.steps) check_words(step);
    const LessonLine& graph = parsed.lesson.graph;
    std::error_code error;
    if (!graph.text.empty() && !std::filesystem::exists(graph.text, error))
      mistake(graph.number, "the graph " + graph.text + " is not there");
    if (mistakes_.empty()) play(std::move(parsed.lesson));
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return std::move(mistakes_);
  }

 private:
  void mistake(int line, std::string reason) {
    mistakes_.push_back({line, with_parameter_names(reason, Naming::kField)});
  }
  void note(int line, const Status& status, std::string_view what) {
    if (!status) mistake(line, fmt::format("{}{}", what, status.error().message));
  }

  void check_words(const LessonStep& step) {
    for (const LessonLine& line : step.begin) note(line.number, check_action(line.text), "");
    for (const LessonLine& line : step.deeds) note(line.number, check_action(line.text), "");
    for (const LessonLine& line : step.checks)
      note(line.number, check_quantities(step, line), "expect: ");
    if (!step.reveal.text.empty())
      note(step.reveal.number, check_quantities(step, step.reveal), "");
  }

  void play(Lesson lesson) {
    const int graph_line = lesson.graph.number;
    const auto started = start_lesson(viewer_, std::move(lesson));
    note(graph_line, started, "");
    while (started && viewer_.lesson.lesson != nullptr) {
      settle_lesson(viewer_);
      if (note_problem()) return;
      const LessonStep step = lesson_step(viewer_);
      check_spotlight(step);
      check_before(step);
      show_deeds(viewer_);
      settle_lesson(viewer_);
      if (note_problem()) return;
      check_after(step);
      leave_step(viewer_);
    }
  }

  // What could not be run; the steps after it would only fail for that.
  bool note_problem() {
    const auto failure = viewer_.session.journal().take_failure();
    const LessonPlay& play = viewer_.lesson;
    if (play.problem.empty() && !failure) return false;
    const int line = play.problem_line != 0 ? play.problem_line : lesson_step(viewer_).line;
    mistake(line, failure ? failure->message : play.problem);
    return true;
  }

  void check_spotlight(const LessonStep& step) {
    const auto& snapshot = viewer_.graph().snapshot();
    const std::string& op = step.spotlight_op.text;
    if (!op.empty() && snapshot && !snapshot->shown->graph().find(op).valid())
      mistake(step.spotlight_op.number, fmt::format("spotlight-op: no op is called '{}'", op));
    if (step.spotlight.text.empty() || !labels_) return;
    const std::vector<std::string> all = labels_(viewer_);
    if (std::find(all.begin(), all.end(), step.spotlight.text) != all.end()) return;
    mistake(step.spotlight.number,
            fmt::format("spotlight: the window has no widget '{}' in this step; expected one such "
                        "as {}",
                        step.spotlight.text, fmt::join(like(step.spotlight.text, all), ", ")));
  }

  // The widgets of the same panel, else of any.
  static std::vector<std::string> like(const std::string& label,
                                       const std::vector<std::string>& all) {
    constexpr std::size_t kMost = 8;
    const std::string panel = label.substr(0, label.find('/') + 1);
    std::vector<std::string> found;
    for (const std::string& other : all) {
      if (other.starts_with(panel) && found.size() < kMost) found.push_back("'" + other + "'");
    }
    return found.empty() && !panel.empty() ? like("", all) : found;
  }

  void check_before(const LessonStep& step) {
    if (step.deeds.empty()) return;
    const auto findings = lesson_findings(viewer_);
    const bool is_done = findings && std::all_of(findings->begin(), findings->end(),
                                                 [](const Finding& one) { return one.holds; });
    if (is_done)
      mistake(step.checks.front().number,
              "expect: holds before anything is done; expected a check of what the learner does");
  }

  void check_after(const LessonStep& step) {
    const auto findings = lesson_findings(viewer_);
    if (!findings) return mistake(line_of_refused_check(viewer_), findings.error().message);
    for (std::size_t i = 0; i < findings->size(); ++i) {
      const Finding& found = (*findings)[i];
      if (found.holds) continue;
      mistake(step.checks[i].number,
              "expect: does not hold after what the step does: " + found.text);
    }
  }

  Viewer& viewer_;
  const WidgetLabels& labels_;
  std::vector<LessonMistake> mistakes_;
};

}  // namespace

std::vector<LessonMistake> check_lesson(Viewer& viewer, std::string_view text,
                                        const std::string& path, const WidgetLabels& labels) {
  return LessonCheck(viewer, labels).run(parse_lesson(text, path));
}

}  // namespace tideline::app
