// Finds the mistakes in a lesson before a learner does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// The labels of the widgets that the window shows for this viewer.
using WidgetLabels = std::function<std::vector<std::string>(Viewer& viewer)>;

/// Mistakes of form, actions and quantities that there are not, a missing graph; if there are none,
/// the lesson is played as "Show me" plays it, in `viewer`, and the mistakes are actions that fail,
/// widgets and ops that are not there, checks that do not hold afterwards, and steps whose checks
/// hold before anything was done. An empty `labels` knows no widgets, and none is missed. By line.
[[nodiscard]] std::vector<LessonMistake> check_lesson(Viewer& viewer, std::string_view text,
                                                      const std::string& path,
                                                      const WidgetLabels& labels);

}  // namespace tideline::app
