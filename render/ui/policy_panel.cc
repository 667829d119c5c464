#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rewrite/policy.h"
#include "core/rewrite/policy_parameters.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

// Titles and help are literals, so that data() ends with a zero.
const char* text_of(std::string_view literal) {
  return literal.data();
}

void set(Ui& ui, const Parameter& parameter, std::string value) {
  ui.ask("policy.set", std::string(parameter.name), std::move(value));
}

// -1 is shown as "auto" where a search can find the value.
void draw_number(Ui& ui, const Parameter& parameter, std::int64_t given, int levels) {
  const bool is_auto = parameter.is_found && given < 0;
  const auto least = static_cast<int>(parameter.least);
  const int value = is_auto ? least : static_cast<int>(given);
  int most = parameter.usual_most == 0 ? levels : static_cast<int>(parameter.usual_most);
  if (parameter.unit == "levels") most = std::min(most, levels);
  most = std::max({most, value, least + 1});
  const bool is_special = value == least && !parameter.text_of_least.empty();
  const char* format = is_auto ? "auto" : is_special ? text_of(parameter.text_of_least) : "%d";
  int shown = value;
  const bool is_logarithmic = least >= 0 && most > 200;
  if (ui.widgets.slider(text_of(parameter.title), &shown, std::min(least, shown), most, format,
                        is_logarithmic)) {
    set(ui, parameter, std::to_string(shown));
  }
}

void draw_choice(Ui& ui, const Parameter& parameter, const std::string& given) {
  std::vector<const char*> titles;
  int chosen = 0;
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    const Choice& choice = parameter.choices[i];
    titles.push_back(text_of(choice.title.empty() ? choice.value : choice.title));
    if (choice.value == given) chosen = static_cast<int>(i);
  }
  if (ui.widgets.combo(text_of(parameter.title), &chosen, titles)) {
    set(ui, parameter, std::string(parameter.choices[static_cast<std::size_t>(chosen)].value));
  }
}

void draw_switch(Ui& ui, const Parameter& parameter, bool is_on) {
  if (ui.widgets.checkbox(text_of(parameter.title), &is_on))
    set(ui, parameter, is_on ? "on" : "off");
}

// As the command line and scripts write it. What is wrong with a text is a message of the action.
// Names of filters are long, and so are lists: each has a line of its own.
void draw_text(Ui& ui, const Parameter& parameter, std::string text) {
  if (text == "none") text.clear();
  ImGui::TextUnformatted(text_of(parameter.title));
  ui.widgets.hint(parameter.help);
  ImGui::SetNextItemWidth(-1);
  if (ui.widgets.field(fmt::format("##{}", parameter.title).c_str(), "none", &text)) {
    set(ui, parameter, text.empty() && parameter.may_be_none ? "none" : text);
  }
}

void draw_parameter(Ui& ui, const Policy& policy, const Parameter& parameter, int levels) {
  if (!parameter.only_with.empty() && value_of(policy, parameter.only_with) == Value(false)) return;
  const Value value = policy.values.get(parameter);
  switch (parameter.kind) {
    case ParameterKind::kInteger:
      draw_number(ui, parameter, std::get<std::int64_t>(value), levels);
      break;
    case ParameterKind::kChoice:
      draw_choice(ui, parameter, value_text(value, parameter.kind));
      break;
    case ParameterKind::kSwitch: draw_switch(ui, parameter, std::get<bool>(value)); break;
    default: draw_text(ui, parameter, value_text(value, parameter.kind)); break;
  }
  ui.widgets.hint(parameter.help);
}

void draw_parameters(Ui& ui, const Policy& policy, ParameterGroup group, int levels) {
  for (const Parameter& parameter : policy.chosen()->parameters) {
    if (parameter.group == group) draw_parameter(ui, policy, parameter, levels);
  }
}

// What a search may use and by which model; the device memory has its slider.
void draw_search(Ui& ui, const Policy& policy) {
  dim_text(ui, "Search");
  for (const Parameter& parameter : budget_parameters()) {
    if (parameter.name == "device-memory") continue;
    const std::string text = parameter_text(policy, parameter);
    if (parameter.kind == ParameterKind::kChoice) {
      draw_choice(ui, parameter, text);
    } else {
      draw_text(ui, parameter, text);
    }
    ui.widgets.hint(parameter.help);
  }
}

// What few users change is folded away.
void draw_more(Ui& ui, const Policy& policy, int levels) {
  struct Section {
    ParameterGroup group;
    const char* title;
  };
  constexpr std::array kSections = {Section{ParameterGroup::kFilters, "Filters"},
                                    Section{ParameterGroup::kOverrides, "Single tensors"},
                                    Section{ParameterGroup::kAdvanced, "Advanced"}};
  const auto& parameters = policy.chosen()->parameters;
  const auto has = [&](ParameterGroup group) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& parameter) { return parameter.group == group; });
  };
  const bool is_searched = policy.chosen()->can_tune();
  const bool has_any =
      is_searched || std::any_of(kSections.begin(), kSections.end(),
                                 [&](const Section& part) { return has(part.group); });
  if (!has_any || !ui.widgets.section("More parameters")) return;
  const Widgets::Group group = ui.widgets.group("more");
  ImGui::PushItemWidth(std::floor(ImGui::GetContentRegionAvail().x * 0.5F));
  for (const Section& part : kSections) {
    if (!has(part.group)) continue;
    dim_text(ui, part.title);
    draw_parameters(ui, policy, part.group, levels);
  }
  if (is_searched) draw_search(ui, policy);
  ImGui::PopItemWidth();
}

// Which rewriter, or none.
void draw_rewriter(Ui& ui, const Policy& policy) {
  std::vector<std::string> ids;
  std::string help;
  int chosen = 0;
  for (const Rewriter* rewriter : rewriters()) {
    if (rewriter->id == policy.rewriter) chosen = static_cast<int>(ids.size());
    ids.emplace_back(rewriter->id);
    help += fmt::format("{}: {}\n", rewriter->id, rewriter->help);
  }
  if (policy.is_off()) chosen = static_cast<int>(ids.size());
  ids.emplace_back(kPolicyOff);
  help += "off: the graph as it is";
  std::vector<const char*> choices;
  for (const std::string& id : ids) choices.push_back(id.c_str());
  if (ui.widgets.combo("mode", &chosen, choices)) {
    ui.ask("policy.mode", ids[static_cast<std::size_t>(chosen)]);
  }
  ui.widgets.hint(help);
}

Bytes device_budget(const Ui& ui, const Policy& policy) {
  if (policy.budget) return policy.budget->device;
  return ui.model.scene ? ui.model.scene->device_budget : 0;
}

void draw_budget(Ui& ui, const Policy& policy) {
  const Bytes budget = device_budget(ui, policy);
  auto gib = static_cast<float>(static_cast<double>(budget) / kBytesPerGiB);
  const bool none = budget <= 0;
  if (none) gib = 0;
  if (ui.widgets.slider("device budget", &gib, 0, 192, none ? "none" : "%.2f GiB", true)) {
    // Whole MiB, so that what is on the command line is short and exact.
    const auto mib = static_cast<std::int64_t>(std::llround(gib * 1024));
    ui.ask("policy.set", "device-memory", mib <= 0 ? "none" : fmt::format("{}MiB", mib));
  }
  ui.widgets.hint("Device memory that a step may use. Ctrl+click to type a number");
}

void draw_batch_size(Ui& ui) {
  const auto batch = ui.model.scene->tensors->batch_size();
  int shown = batch ? static_cast<int>(std::min<std::int64_t>(*batch, 1 << 20)) : 0;
  if (ui.widgets.slider("batch size", &shown, 0, std::max(1024, shown),
                        batch ? "%d" : "as in the file", true)) {
    ui.ask("graph.batch-size", shown == 0 ? std::string("none") : fmt::format("{}", shown));
  }
  ui.widgets.hint("Stands for a first dimension that the file leaves open");
}

void draw_automatic(Ui& ui, const Policy& policy) {
  const bool has_budget = device_budget(ui, policy) > 0;
  bool automatic = policy.is_automatic();
  if (ui.widgets.checkbox("automatic", &automatic, has_budget || automatic))
    ui.ask("policy.auto", automatic ? "on" : "off");
  ui.widgets.hint("Search again for parameters that fit the budget whenever something changes");
  ImGui::SameLine();
  if (ui.widgets.button("Tune to budget", -1, has_budget)) ui.ask("policy.tune");
  ui.widgets.hint(has_budget ? "Search once for parameters that fit the budget"
                             : "Give a device budget first");
  if (!ui.model.tuned_text.empty()) dim_text(ui, ui.model.tuned_text);
}

void draw_profile(Ui& ui) {
  if (ui.model.profile == nullptr) return;
  const auto& names = built_in_profile_names();
  std::vector<std::string> texts(names.begin(), names.end());
  std::vector<const char*> choices;
  int chosen = -1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == ui.model.profile->name) chosen = static_cast<int>(i);
    choices.push_back(texts[i].c_str());
  }
  if (chosen < 0) {
    chosen = static_cast<int>(choices.size());
    choices.push_back(ui.model.profile->name.c_str());
  }
  if (ui.widgets.combo("link", &chosen, choices))
    ui.ask("profile.set", choices[static_cast<std::size_t>(chosen)]);
  ui.widgets.hint("How fast copies between host and device are");
}

}  // namespace

void draw_policy_panel(Ui& ui) {
  heading(ui, "Swap policy");
  if (!ui.model.scene || ui.model.policy == nullptr) {
    empty_state(ui, "Which tensors go to the host is decided here, once a graph is open.");
    return;
  }
  const Policy& policy = *ui.model.policy;
  const Widgets::Group group = ui.widgets.group("policy");
  const int levels = std::max(2, ui.model.scene->levels->count());
  ImGui::PushItemWidth(std::floor(ImGui::GetContentRegionAvail().x * 0.55F));
  draw_rewriter(ui, policy);
  const Rewriter* rewriter = policy.chosen();
  if (rewriter != nullptr) draw_parameters(ui, policy, ParameterGroup::kMain, levels);
  draw_budget(ui, policy);
  draw_batch_size(ui);
  draw_profile(ui);
  ImGui::PopItemWidth();
  if (rewriter != nullptr && rewriter->can_tune()) draw_automatic(ui, policy);
  if (rewriter != nullptr) draw_more(ui, policy, levels);
  if (!ui.model.policy_error.empty()) colored_text(ui.palette().error, ui.model.policy_error);
}

}  // namespace tideline::ui
