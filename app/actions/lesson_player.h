// Plays a lesson in a viewer: sets steps up, checks them, goes on and back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/actions/commands.h"
#include "app/actions/quantities.h"
#include "app/session/viewer.h"
#include "render/model/lesson_card.h"

namespace tideline::app {

/// Whether a lesson may run the action: those that pages may run, but none that reads or writes
/// files, so that nobody has to trust the author of a lesson, and none that goes on in it.
[[nodiscard]] bool is_for_lessons(const Action& action);

/// Begins with the first step; a lesson that was played before is forgotten. Errors: those of
/// read_lesson, and of finding the graph.
[[nodiscard]] Status start_lesson(Viewer& viewer, const std::string& path);
/// Plays `lesson`. Errors: kNotFound without its graph.
[[nodiscard]] Status start_lesson(Viewer& viewer, Lesson lesson);
/// Runs what is due, as far as nothing has to be waited for. Called with every refresh. Returns
/// whether anything was run.
bool continue_lesson(Viewer& viewer);
/// Runs all that is due, and waits for it. For scripts and the command line.
void settle_lesson(Viewer& viewer);
/// Whether something is still to be run, or the graph to be opened.
[[nodiscard]] bool is_setting_up(const Viewer& viewer);

/// The step that the learner is at. Precondition: a lesson is played.
[[nodiscard]] const LessonStep& lesson_step(const Viewer& viewer);
/// What was found for every check of the step. Errors: kInvalidArgument if one cannot be checked:
/// nothing is open, or another document is shown.
[[nodiscard]] Result<std::vector<Finding>> lesson_findings(const Viewer& viewer);
/// The line of the first check of the step that cannot be made, such as one that compares a number
/// with a word; without one, the line of the step.
[[nodiscard]] int line_of_refused_check(const Viewer& viewer);
/// The answer to the question of the step, in words or as found; empty if nothing is asked.
[[nodiscard]] std::string lesson_answer(const Viewer& viewer);

/// Goes on if all checks hold and the question was answered; else notes why not, and shows the
/// hint. After the last step the lesson ends.
void next_step(Viewer& viewer);
/// Goes on whatever was found.
void leave_step(Viewer& viewer);
/// Goes to the step before, as it began. No effect in the first.
void step_back(Viewer& viewer);
/// Begins the step again, as it began, whatever was done since: its graph is shown, or opened
/// again, with the wish that it had.
void reset_step(Viewer& viewer);
/// Does what the learner is to do.
void show_deeds(Viewer& viewer);
void end_lesson(Viewer& viewer);

/// Nullopt if none is played.
[[nodiscard]] std::optional<ui::LessonCard> lesson_card(const Viewer& viewer);

}  // namespace tideline::app
