// The panels of the window. Each draws into the current ImGui window, and requests actions through
// Ui::intents. Cost: proportional to what is visible. Thread: the UI's.
#pragma once

#include "render/ui/panel.h"

namespace tideline::ui {

/// The menus, from UiModel::actions, at the top of the screen.
void draw_menu_bar(Ui& ui);

/// What an earlier window left unwritten is offered in a line above the rest, if there is any.
[[nodiscard]] bool has_banner(const Ui& ui);
void draw_banner(Ui& ui);

/// The lesson that is played, in a bar above the rest of the window, and how high that is.
/// Precondition: there is one.
[[nodiscard]] float lesson_height(const Ui& ui);
void draw_lesson(Ui& ui);
/// Darkens all of `rest`, the window below that bar, but the widget that the step is about, until
/// the learner clicks there. Precondition: the widgets of this frame were drawn.
void draw_spotlight(Ui& ui, render::Rect rest);

/// A tab for each document, above the rest of the window; only if there are several.
void draw_document_tabs(Ui& ui);

/// Sorts the table of swaps by lateness, and brings it into view.
void sort_by_lateness(Ui& ui);
/// Said where a click does so, after what else is said.
inline constexpr const char* kSortHint = "\na click sorts the swaps, the latest first";

// The left side.
void draw_source_panel(Ui& ui);
void draw_policy_panel(Ui& ui);
/// Fills the remaining height except for `reserved_px`.
void draw_scopes_panel(Ui& ui, float reserved_px);
void draw_result_panel(Ui& ui);

// The centre.
/// Its tabs and choices, in as many rows as they need, and how high those were in the last frame.
[[nodiscard]] float toolbar_height(const Ui& ui);
void draw_toolbar(Ui& ui);
void draw_levels_panel(Ui& ui);
void draw_memory_panel(Ui& ui);
/// The graph as boxes that open in place.
void draw_boxes_panel(Ui& ui);
/// What differs between two graphs.
void draw_diff_panel(Ui& ui);
/// The contents of device memory at the cursor, or at the peak.
void draw_live_panel(Ui& ui);
/// The traced step in lanes.
void draw_timeline_panel(Ui& ui);
/// Whether a step fits its device, the ways to make it fit, and peaks over the batch size.
void draw_fit_panel(Ui& ui);
void draw_tried_panel(Ui& ui);
/// What ran in the chosen stretch of it.
void draw_timeline_statistics(Ui& ui);
// The centre and the left side while a log is shown.
/// Its graphs, which a click opens, traced steps, and damage.
void draw_log_panel(Ui& ui);
/// The charts of its scalars.
void draw_scalars_panel(Ui& ui);
/// The charts of its histograms, as ridges or as bands by the page.
void draw_histograms_panel(Ui& ui);
/// Its images. Adds those that are visible to LogView::wanted_images.
void draw_images_panel(Ui& ui);
/// Its texts.
void draw_texts_panel(Ui& ui);
void draw_hparams_panel(Ui& ui);
/// Which runs and tags are shown, and how.
void draw_log_side_panel(Ui& ui);
// The centre and both sides while a checkpoint is shown.
/// Its tensors, how another one differs, or the backends, by the page.
void draw_checkpoint_panel(Ui& ui);
/// What it is, and what can be done with it.
void draw_checkpoint_side_panel(Ui& ui);
/// The selected tensor.
void draw_tensor_panel(Ui& ui);
/// The centre while no graph is open: how to open one, recent files.
void draw_welcome_panel(Ui& ui);

// The right side.
void draw_swaps_panel(Ui& ui);
void draw_inspector_panel(Ui& ui);

/// The result in one line, which always shows, at constant height: peaks, verdict, time.
[[nodiscard]] float result_strip_height(const Ui& ui);
void draw_result_strip(Ui& ui);
void draw_status_bar(Ui& ui);
/// Both sides and the centre between them.
void draw_sides(Ui& ui, render::Rect all);
void draw_centre(Ui& ui, render::Rect rect);

/// The popup that ViewState::popup names.
void draw_popups(Ui& ui);
void draw_file_browser(Ui& ui, const char* action);  // `action` gets the chosen path
void draw_write_dialog(Ui& ui);
void draw_convert_dialog(Ui& ui);
void draw_key_sheet(Ui& ui);
void draw_command_palette(Ui& ui);
void draw_search(Ui& ui);
void draw_messages(Ui& ui);
void draw_about(Ui& ui);
/// Asks before quitting with unwritten documents.
void draw_quit_question(Ui& ui);

/// The whole window with all of the above.
void draw_window(Ui& ui);

}  // namespace tideline::ui
