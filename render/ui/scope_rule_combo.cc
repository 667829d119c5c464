#include "render/ui/scope_rule_combo.h"

#include <imgui.h>

#include <array>

namespace tideline::ui {
namespace {

constexpr std::array kRules = {ScopeRule::kAutomatic, ScopeRule::kNever, ScopeRule::kOnly};
constexpr std::array kChoices = {"automatic", "never swap", "only these"};

const char* effect_name(ScopeEffect effect) {
  switch (effect) {
    case ScopeEffect::kAutomatic: return "auto";
    case ScopeEffect::kNever: return "never";
    case ScopeEffect::kOnly: return "only";
    case ScopeEffect::kLeftOut: return "left out";
  }
  return "";
}

const char* effect_help(ScopeEffect effect, bool is_own) {
  switch (effect) {
    case ScopeEffect::kAutomatic: return "Parameters and filters decide";
    case ScopeEffect::kNever:
      return is_own ? "Outputs of its ops are never swapped"
                    : "Never swapped, because of the rule of another scope";
    case ScopeEffect::kOnly:
      return is_own ? "Only outputs of such scopes are swapped"
                    : "May be swapped, because of the rule of another scope";
    case ScopeEffect::kLeftOut: return "Not swapped: it is not among the scopes marked only";
  }
  return "";
}

}  // namespace

float scope_rule_width() {
  return ImGui::CalcTextSize("left out").x + ImGui::GetStyle().FramePadding.x;
}

void draw_scope_rule(Ui& ui, const ScopeRules& rules, const std::string& path) {
  const ScopeRule own = rules.own(path);
  const ScopeEffect effect = rules.effect(path);
  int chosen = 0;
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i] == own) chosen = static_cast<int>(i);
  }
  const bool is_dim = own == ScopeRule::kAutomatic;
  if (ui.widgets.inline_combo("rule", effect_name(effect), is_dim, &chosen, kChoices)) {
    const ScopeRule rule = kRules[static_cast<std::size_t>(chosen)];
    ui.ask("scope.set", path, scope_rule_name(rule));
  }
  ui.widgets.hint(effect_help(effect, !is_dim));
}

}  // namespace tideline::ui
