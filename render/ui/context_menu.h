// The menu that the right mouse button opens on ops, bars, rows and scopes.
#pragma once

#include <string>

#include "core/base/ids.h"
#include "render/ui/panel.h"

namespace tideline::ui {

/// Opens the menu of a tensor, or of an op by its name, in the next frame. `name` is of the graph
/// that is shown.
void open_menu(Ui& ui, const std::string& name);
/// The same of a tensor; one that a plan added stands for what it copies. No effect if it is of no
/// op of the graph.
void open_menu(Ui& ui, TensorId tensor);
/// The same of a scope.
void open_scope_menu(Ui& ui, const std::string& scope);
/// Whether the right mouse button was let go on the item that ImGui drew last.
[[nodiscard]] bool was_menu_wanted();

/// Draws it, while it is open.
void draw_context_menu(Ui& ui);

}  // namespace tideline::ui
