// The panels of the window. Each draws into the ImGui window that is current, and asks the app for
// things through Ui::intents. Cost: what can be seen. Thread: the UI's.
#pragma once

#include "render/ui/panel.h"

namespace tideline::ui {

/// File, Edit, View ...: from UiModel::actions. At the top of the screen.
void draw_menu_bar(Ui& ui);

/// A button for each document, above the rest of the window; draw it only where there are several.
void draw_document_tabs(Ui& ui);

// The left side.
void draw_source_panel(Ui& ui);
void draw_policy_panel(Ui& ui);
/// Fills the height that is left but for `reserved_px`.
void draw_scopes_panel(Ui& ui, float reserved_px);
void draw_result_panel(Ui& ui);

// The centre.
void draw_levels_panel(Ui& ui);
void draw_memory_panel(Ui& ui);
/// What is in device memory at the cursor, or at the peak.
void draw_live_panel(Ui& ui);
/// The centre while a log is shown: what it holds, and its graphs to open.
void draw_log_panel(Ui& ui);
/// The centre while nothing is open: how to open something, recent files.
void draw_welcome_panel(Ui& ui);

// The right side.
void draw_swaps_panel(Ui& ui);
void draw_inspector_panel(Ui& ui);

void draw_status_bar(Ui& ui);

/// The one of ViewState::popup.
void draw_popups(Ui& ui);
void draw_file_browser(Ui& ui, const char* action);  // that gets the path
void draw_write_dialog(Ui& ui);
void draw_key_sheet(Ui& ui);
void draw_command_palette(Ui& ui);
void draw_search(Ui& ui);
void draw_messages(Ui& ui);
void draw_about(Ui& ui);
/// What is unwritten, before the app is left.
void draw_quit_question(Ui& ui);

/// The whole window: all of the above, in its places.
void draw_window(Ui& ui);

}  // namespace tideline::ui
