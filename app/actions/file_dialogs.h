// What the dialogs for opening and writing know: filters, places, proposed names.
#pragma once

#include <string>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// The filters of a dialog that opens something, what it is for first, all files last; none for
/// other popups.
[[nodiscard]] std::vector<ui::FileFilter> file_filters(ui::Popup popup);

/// What is at the path of the form that is shown. Cost: one stat, or two.
[[nodiscard]] ui::WritePlace write_place(const Viewer& viewer);

/// The proposed path of `form` for the graph `path`: "x_lms.meta", "x_lms_log", "x_lms.plan.json",
/// "x_lms.csv", "x_levels.svg" with `view` "levels", "x_window.png".
[[nodiscard]] std::string proposed_path(const std::string& path, ui::WriteForm form,
                                        std::string_view view);

/// Reads the folder for a dialog that shows one, and what belongs to it, into viewer.cache.
void take_dialog(Viewer& viewer);

}  // namespace tideline::app
