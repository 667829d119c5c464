// The control for the rule of one scope, in the tree of scopes and in the inspector.
#pragma once

#include <string>

#include "core/rewrite/lms/scope_rules.h"
#include "render/ui/panel.h"

namespace tideline::ui {

/// Draws the rule of the scope `path` as a list of three: automatic, never swap, only these. The
/// effect of other scopes' rules is shown dim. Recorded as `rule`; requests scope.set. `rules` are
/// the policy's. Takes the width of the next item.
void draw_scope_rule(Ui& ui, const ScopeRules& rules, const std::string& path);
/// The width that it needs in the current font, in pixels.
[[nodiscard]] float scope_rule_width();

}  // namespace tideline::ui
