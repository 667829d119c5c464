// The verb lesson: plays a lesson without a display, or finds the mistakes in one.

#include <cstdio>
#include <memory>

#include "app/actions/check_lesson.h"
#include "app/actions/lesson_player.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/base/source_bytes.h"

namespace tideline::cli {
namespace {

struct LessonOptions {
  std::string path;
  bool check = false;
};

app::Viewer& prepared(app::Viewer& viewer, const Front& front) {
  viewer.write_picture = front.write_picture;
  viewer.draw_png = front.draw_png;
  viewer.decode_image = front.decode_image;
  return viewer;
}

int check(const LessonOptions& options, const Front& front) {
  const auto text = open_bytes(options.path);
  if (!text) return report(text.error());
  app::Session opened;
  app::Viewer viewer(opened);
  const auto mistakes = app::check_lesson(prepared(viewer, front), (*text)->bytes(), options.path,
                                          front.widget_labels);
  for (const app::LessonMistake& mistake : mistakes)
    complain("tideline: {}:{}: {}\n", options.path, mistake.line, mistake.reason);
  if (!mistakes.empty()) return kExitCheck;
  say("{}: no mistakes{}\n", options.path,
      front.widget_labels ? "" : "; this build has no window, so its widgets were not looked for");
  return kExitDone;
}

int fail_at(const app::Lesson& lesson, int line, const std::string& why, int code) {
  std::fflush(stdout);  // what went well comes first in a file, too
  complain("tideline: {}:{}: {}\n", lesson.path, line, why);
  return code;
}

// One step as "Show me" does it; the exit code.
int play_step(app::Viewer& viewer) {
  const app::Lesson& lesson = *viewer.lesson.lesson;
  const app::LessonStep& step = app::lesson_step(viewer);
  const auto run = [&viewer] {
    app::settle_lesson(viewer);
    const auto failure = viewer.session.journal().take_failure();
    if (failure && viewer.lesson.problem.empty()) viewer.lesson.problem = failure->message;
    return viewer.lesson.problem.empty();
  };
  const auto failed = [&] {
    const int line = viewer.lesson.problem_line;
    return fail_at(lesson, line != 0 ? line : step.line, viewer.lesson.problem, kExitData);
  };
  say("\nStep {} of {}: {}\n  {}\n", viewer.lesson.step + 1, lesson.steps.size(), step.title,
      step.caption);
  if (!run()) return failed();
  if (!step.question.text.empty()) say("  asked: {}\n", step.question.text);
  for (const app::LessonLine& deed : step.deeds) say("  done: {}\n", deed.text);
  app::show_deeds(viewer);
  if (!run()) return failed();
  const auto findings = app::lesson_findings(viewer);
  if (!findings) {
    return fail_at(lesson, app::line_of_refused_check(viewer), findings.error().message, kExitData);
  }
  for (std::size_t i = 0; i < findings->size(); ++i) {
    const app::Finding& found = (*findings)[i];
    if (!found.holds)
      return fail_at(lesson, step.checks[i].number, "expect: " + found.text, kExitCheck);
    say("  found: {}\n", found.text);
  }
  if (const std::string answer = app::lesson_answer(viewer); !answer.empty())
    say("  answer: {}\n", answer);
  return kExitDone;
}

int play(const LessonOptions& options, const Front& front) {
  app::Session opened;
  app::Viewer viewer(opened);
  if (const Status started = app::start_lesson(prepared(viewer, front), options.path); !started)
    return report(started.error());
  say("{}, with {}\n", viewer.lesson.lesson->title, viewer.lesson.lesson->graph.text);
  while (viewer.lesson.lesson != nullptr) {
    if (const int code = play_step(viewer); code != kExitDone) return code;
    app::leave_step(viewer);
  }
  return kExitDone;
}

}  // namespace

void add_lesson(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<LessonOptions>();
  const Command command = app.add_subcommand("lesson", "Play a lesson without a display");
  command.add_option("FILE", options->path, "A lesson, as in assets/tutorials/lessons")
      .not_empty()
      .required();
  command.add_flag("--check", options->check,
                   "Find mistakes instead: a line each, with the reason; exit code 3 if there are "
                   "any");
  command.callback([options, &front, &action] {
    action = [options, &front] {
      return options->check ? check(*options, front) : play(*options, front);
    };
  });
}

}  // namespace tideline::cli
