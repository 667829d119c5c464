// Tested by unit/actions/lesson_player_test.cc.
#include "app/actions/lesson_player.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/actions/commands.h"
#include "app/actions/script.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

bool is_playing(const Viewer& viewer) {
  return viewer.lesson.lesson != nullptr;
}

GraphDocument& lesson_graph(const Viewer& viewer) {
  return viewer.session.graph(viewer.lesson.document);
}

OpenRequest lesson_request(const Lesson& lesson) {
  OpenRequest request;
  request.graph.path = lesson.graph.text;
  return request;
}

// Step `step` as it began with `wish`.
void begin_step(Viewer& viewer, std::size_t step, Wish wish) {
  LessonPlay& play = viewer.lesson;
  open_graph(viewer, lesson_request(*play.lesson), wish);
  play.document = viewer.shown;
  play.wanted = std::move(wish);
  play.step = step;
  ++play.turn;
  const LessonStep& begun = play.lesson->steps[step];
  play.due.assign(begun.begin.begin(), begun.begin.end());
  play.guess.clear();
  viewer.guess.clear();
  play.was_shown = false;
  play.shows_hint = false;
  play.problem.clear();
  play.problem_line = 0;
  viewer.view.popup = ui::Popup::kNone;
  viewer.session.journal().touch();
}

// The graph gets its wish once it is open, and the step notes it.
bool take_wanted(Viewer& viewer) {
  LessonPlay& play = viewer.lesson;
  const Session::Entry* entry = viewer.session.find(play.document);
  if (entry == nullptr) {
    play.problem = "the graph " + play.lesson->graph.text + " could not be opened";
    play.problem_line = play.lesson->graph.number;
    play.wanted.reset();
    play.due.clear();
    return true;
  }
  if (!entry->document->is_open()) return false;
  show(viewer, play.document);
  viewer.view.selected.reset();
  GraphDocument& graph = lesson_graph(viewer);
  if (graph.wish() != *play.wanted) {
    graph.change(*play.wanted);
    graph.end_gesture();
  }
  play.begun_with.resize(play.step);
  play.begun_with.push_back(*std::exchange(play.wanted, std::nullopt));
  return true;
}

Answered run_of_lesson(Viewer& viewer, const std::string& text) {
  TIDELINE_TRY(const auto words, split_words(text));
  if (words.empty()) return {};
  TIDELINE_TRY(const Call call, parse_call(words[0], {words.begin() + 1, words.end()}));
  if (!is_for_lessons(*call.action)) {
    return fail(Code::kInvalidArgument,
                "{} is not for lessons; expected an action on graph, policy, selection or view",
                call.action->id);
  }
  return run_call(viewer, call);
}

void run_due(Viewer& viewer) {
  LessonPlay& play = viewer.lesson;
  const LessonLine line = play.due.front();
  play.due.pop_front();
  const auto answer = run_of_lesson(viewer, line.text);
  viewer.graph().end_gesture();
  if (answer) return;
  play.problem = with_parameter_names(answer.error().message, Naming::kField);
  play.problem_line = line.number;
  play.due.clear();
}

// Why no check can be made of what is shown.
std::string elsewhere(const Viewer& viewer) {
  const LessonPlay& play = viewer.lesson;
  if (viewer.session.find(play.document) == nullptr)
    return "the lesson's graph was closed; Reset step opens it again";
  if (viewer.shown != play.document)
    return "another document is shown; Reset step goes back to the lesson's graph";
  return {};
}

std::string why_not_done(const Viewer& viewer) {
  const auto findings = lesson_findings(viewer);
  if (!findings) return findings.error().message;
  for (const Finding& finding : *findings) {
    if (!finding.holds) return "Not yet: " + finding.text + ".";
  }
  const bool is_asked = !lesson_step(viewer).question.text.empty();
  if (is_asked && viewer.lesson.guess.empty() && !viewer.lesson.was_shown)
    return "First make a guess: a wrong one teaches as much.";
  return {};
}

}  // namespace

bool is_for_lessons(const Action& action) {
  constexpr std::array kOthers = {"file.", "document.",   "measure.",
                                  "log.",  "checkpoint.", "lesson."};
  const bool is_other = std::any_of(kOthers.begin(), kOthers.end(), [&](std::string_view group) {
    return action.id.starts_with(group);
  });
  return action.id == "lesson.guess" || (action.fronts == Fronts::kAll && !is_other);
}

Status start_lesson(Viewer& viewer, const std::string& path) {
  TIDELINE_TRY(Lesson lesson, read_lesson(path));
  return start_lesson(viewer, std::move(lesson));
}

Status start_lesson(Viewer& viewer, Lesson lesson) {
  TIDELINE_TRY(lesson.graph.text, resolved(viewer, lesson.graph.text, PathUse::kRead));
  std::error_code error;
  if (!std::filesystem::exists(lesson.graph.text, error)) {
    return fail(Code::kNotFound, "{}:{}: the graph {} is not there; expected it beside the lesson",
                lesson.path, lesson.graph.number, lesson.graph.text);
  }
  const std::uint64_t turn = viewer.lesson.turn;
  viewer.lesson = {};
  viewer.lesson.turn = turn;
  viewer.lesson.lesson = std::make_shared<const Lesson>(std::move(lesson));
  begin_step(viewer, 0, {});
  return {};
}

bool is_setting_up(const Viewer& viewer) {
  return is_playing(viewer) && (viewer.lesson.wanted || !viewer.lesson.due.empty());
}

bool continue_lesson(Viewer& viewer) {
  bool has_run = false;
  while (is_setting_up(viewer)) {
    if (viewer.lesson.wanted) {
      if (!take_wanted(viewer)) break;
    } else {
      // One after the other, as a user would: some actions read what the ones before lead to.
      if (lesson_graph(viewer).is_working()) break;
      run_due(viewer);
    }
    has_run = true;
  }
  if (has_run) viewer.session.journal().touch();
  // What is done to the graph of a lesson is nobody's work: quitting need not ask about it.
  if (is_playing(viewer) && lesson_graph(viewer).is_unwritten())
    lesson_graph(viewer).note_written(lesson_graph(viewer).wish());
  return has_run;
}

void settle_lesson(Viewer& viewer) {
  do {
    while (viewer.session.is_busy()) {
      viewer.session.wait_for_one();
      poll(viewer);
    }
  } while (continue_lesson(viewer));
}

const LessonStep& lesson_step(const Viewer& viewer) {
  return viewer.lesson.lesson->steps[viewer.lesson.step];
}

Result<std::vector<Finding>> lesson_findings(const Viewer& viewer) {
  if (const std::string why = elsewhere(viewer); !why.empty())
    return fail(Code::kInvalidArgument, "{}", why);
  const GraphDocument& graph = lesson_graph(viewer);
  if (is_setting_up(viewer) || graph.is_working())
    return fail(Code::kInvalidArgument, "the plan is being made");
  std::vector<Finding> findings;
  for (const LessonLine& check : lesson_step(viewer).checks) {
    TIDELINE_TRY(const auto words, split_words(check.text));
    const bool has_no_plan = graph.policy_error() && !words.empty() && needs_plan(words[0]);
    if (has_no_plan) {
      findings.push_back(
          {false, with_parameter_names(graph.policy_error()->message, Naming::kField)});
      continue;
    }
    TIDELINE_TRY(findings.emplace_back(), find_expectation(viewer, words));
  }
  return findings;
}

int line_of_refused_check(const Viewer& viewer) {
  const LessonStep& step = lesson_step(viewer);
  for (const LessonLine& check : step.checks) {
    const auto words = split_words(check.text);
    if (!words || !find_expectation(viewer, *words)) return check.number;
  }
  return step.line;
}

std::string lesson_answer(const Viewer& viewer) {
  const LessonStep& step = lesson_step(viewer);
  if (step.question.text.empty() || step.reveal.text.empty()) return step.answer;
  const std::string found = quantity_text(viewer, step.reveal.text);
  return step.answer.empty() ? found : found + ". " + step.answer;
}

void leave_step(Viewer& viewer) {
  const LessonPlay& play = viewer.lesson;
  if (play.step + 1 == play.lesson->steps.size()) return end_lesson(viewer);
  begin_step(viewer, play.step + 1, lesson_graph(viewer).wish());
}

void next_step(Viewer& viewer) {
  LessonPlay& play = viewer.lesson;
  play.problem = why_not_done(viewer);
  viewer.session.journal().touch();
  if (!play.problem.empty()) {
    play.shows_hint = true;
    return;
  }
  leave_step(viewer);
}

void step_back(Viewer& viewer) {
  const LessonPlay& play = viewer.lesson;
  if (play.step == 0) return reset_step(viewer);
  begin_step(viewer, play.step - 1, play.begun_with[play.step - 1]);
}

void reset_step(Viewer& viewer) {
  const LessonPlay& play = viewer.lesson;
  const bool was_begun = play.step < play.begun_with.size();
  begin_step(viewer, play.step, was_begun ? play.begun_with[play.step] : Wish());
}

void show_deeds(Viewer& viewer) {
  if (is_setting_up(viewer)) return;
  if (!elsewhere(viewer).empty()) reset_step(viewer);
  LessonPlay& play = viewer.lesson;
  const LessonStep& step = lesson_step(viewer);
  play.due.insert(play.due.end(), step.deeds.begin(), step.deeds.end());
  play.was_shown = true;
  play.problem.clear();
  viewer.session.journal().touch();
}

void end_lesson(Viewer& viewer) {
  const std::uint64_t turn = viewer.lesson.turn;
  viewer.lesson = {};
  viewer.lesson.turn = turn + 1;
  viewer.session.journal().touch();
}

std::optional<ui::LessonCard> lesson_card(const Viewer& viewer) {
  if (!is_playing(viewer)) return std::nullopt;
  const LessonPlay& play = viewer.lesson;
  const LessonStep& step = lesson_step(viewer);
  ui::LessonCard card;
  card.lesson = play.lesson->title;
  card.title = step.title;
  card.caption = step.caption;
  card.step = play.step + 1;
  card.steps = play.lesson->steps.size();
  card.turn = play.turn;
  card.spotlight = step.spotlight.text;
  card.question = step.question.text;
  card.guess = play.guess;
  card.has_hint = !step.hint.empty();
  if (play.shows_hint) card.hint = step.hint;
  card.problem = play.problem;
  card.can_show = !step.deeds.empty() || !step.question.text.empty();
  card.has_checks = !step.checks.empty();
  card.is_busy = is_setting_up(viewer) || lesson_graph(viewer).is_working();
  card.is_elsewhere = !elsewhere(viewer).empty();
  if (card.is_busy || card.is_elsewhere) return card;
  const auto findings = lesson_findings(viewer);
  card.is_done = findings && std::all_of(findings->begin(), findings->end(),
                                         [](const Finding& one) { return one.holds; });
  const bool has_guess = !play.guess.empty() || play.was_shown;
  if (card.is_done && has_guess) card.answer = lesson_answer(viewer);
  if (card.is_done) card.problem.clear();
  if (!step.spotlight_op.text.empty()) {
    const OpId op = viewer.graph().snapshot()->shown->graph().find(step.spotlight_op.text);
    if (op.valid()) card.op = op;
  }
  return card;
}

}  // namespace tideline::app
