#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rewrite/policy.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

constexpr std::array<const char*, 3> kModes = {"lms2", "lms1", "off"};
constexpr std::array<const char*, 4> kSyncModes = {"0: none wait", "1: outs wait", "2: ins wait",
                                                   "3: all wait"};
constexpr std::array<const char*, 2> kStrategies = {"chain_rule", "direct_order"};

void hint(const char* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

// A slider for one of the command line's numbers; -1 is shown as "auto" where that is possible.
void number(Ui& ui, const char* label, const char* name, int value, int least, int most,
            const char* help) {
  const bool is_auto = value < 0;
  most = std::max({most, value, least + 1});
  int shown = is_auto ? least : value;
  if (ui.widgets.slider(label, &shown, std::min(least, shown), most, is_auto ? "auto" : "%d",
                        most > 200)) {
    ui.ask("policy.set", name, fmt::format("{}", shown));
  }
  hint(help);
}

void flag(Ui& ui, const char* label, const char* name, bool value, const char* help) {
  bool shown = value;
  if (ui.widgets.checkbox(label, &shown)) ui.ask("policy.set", name, shown ? "on" : "off");
  hint(help);
}

void draw_lms2(Ui& ui, const Policy& policy, int levels) {
  const Lms2Options& lms = policy.lms2;
  number(ui, "swapout threshold", "swapout-threshold", lms.swapout_threshold, 1, levels,
         "Tensors that are read more than so many levels after they were made go to the host");
  number(ui, "swapin ahead", "swapin-ahead", lms.swapin_ahead, 1, std::min(levels, 200),
         "Levels that a swap-in begins before its first reader");
  number(ui, "swapin group-by", "swapin-groupby", lms.swapin_groupby, 0, std::min(levels, 200),
         "Readers this many levels apart share one swap-in");
  int sync = std::clamp(lms.sync_mode, 0, 3);
  if (ui.widgets.combo("sync mode", &sync, kSyncModes))
    ui.ask("policy.set", "sync-mode", fmt::format("{}", sync));
  hint("Which copies wait for the computation");
}

void draw_lms1(Ui& ui, const Policy& policy, int levels) {
  const Lms1Options& lms = policy.lms1;
  int tensors = lms.n_tensors;
  if (ui.widgets.slider("tensors", &tensors, -1, std::max(500, tensors), tensors < 0 ? "all" : "%d",
                        false)) {
    ui.ask("policy.set", "n-tensors", fmt::format("{}", tensors));
  }
  hint("At most so many tensors are swapped; all the way left: all of them");
  number(ui, "lower bound", "lb", lms.lb, 1, levels, "A swap-in begins at least so many ops ahead");
  number(ui, "upper bound", "ub", lms.ub, 1, 10000, "... and less than so many");
  int strategy = lms.ctrld_strategy == ControlStrategy::kChainRule ? 0 : 1;
  if (ui.widgets.combo("control strategy", &strategy, kStrategies))
    ui.ask("policy.set", "ctrld-strategy", kStrategies[static_cast<std::size_t>(strategy)]);
  hint("How the op that a swap-in waits for is found");
  flag(ui, "fuse swap-ins", "fuse-swapins", lms.fuse_swapins,
       "Readers of one tensor share its swap-in");
  flag(ui, "swap branches", "swap-branches", lms.swap_branches,
       "Also swap for readers on long branches of the forward pass");
  if (lms.swap_branches) {
    number(ui, "branch threshold", "branch-threshold", lms.branch_threshold, 0, levels,
           "A branch is long when it spans more than so many orders");
  }
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
  hint("Device memory that a step may use. Ctrl+click to type a number");
}

void draw_batch_size(Ui& ui) {
  const auto batch = ui.model.scene->tensors->batch_size();
  int shown = batch ? static_cast<int>(std::min<std::int64_t>(*batch, 1 << 20)) : 0;
  if (ui.widgets.slider("batch size", &shown, 0, std::max(1024, shown),
                        batch ? "%d" : "as in the file", true)) {
    ui.ask("graph.batch-size", shown == 0 ? std::string("none") : fmt::format("{}", shown));
  }
  hint("Stands for a first dimension that the file leaves open");
}

void draw_automatic(Ui& ui, const Policy& policy) {
  const bool has_budget = device_budget(ui, policy) > 0;
  bool automatic = policy.is_automatic();
  if (ui.widgets.checkbox("automatic", &automatic, has_budget || automatic))
    ui.ask("policy.auto", automatic ? "on" : "off");
  hint("Search again for parameters that fit the budget whenever something changes");
  ImGui::SameLine();
  if (ui.widgets.button("Tune to budget", -1, has_budget)) ui.ask("policy.tune");
  if (!has_budget) {
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      ImGui::SetTooltip("Give a device budget first");
  } else {
    hint("Search once for parameters that fit the budget");
  }
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
  hint("How fast copies between host and device are");
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
  int mode = policy.mode == PolicyMode::kLms2 ? 0 : policy.mode == PolicyMode::kLms1 ? 1 : 2;
  if (ui.widgets.combo("mode", &mode, kModes))
    ui.ask("policy.mode", kModes[static_cast<std::size_t>(mode)]);
  hint("lms2: by distance in levels; lms1: by walking the graph; off: the graph as it is");
  if (policy.mode == PolicyMode::kLms2) draw_lms2(ui, policy, levels);
  if (policy.mode == PolicyMode::kLms1) draw_lms1(ui, policy, levels);
  draw_budget(ui, policy);
  draw_batch_size(ui);
  draw_profile(ui);
  ImGui::PopItemWidth();
  if (policy.mode == PolicyMode::kLms2) draw_automatic(ui, policy);
  if (!ui.model.policy_error.empty()) colored_text(ui.palette().error, ui.model.policy_error);
}

}  // namespace tideline::ui
