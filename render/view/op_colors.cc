// Tested by unit/view/op_colors_test.cc.
#include "render/view/op_colors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "render/view/level_bands.h"

namespace tideline::render {
namespace {

using Mark = LegendEntry::Mark;

// Of viridis (S. van der Walt and N. Smith, matplotlib), without its darkest end.
constexpr std::array kHeat = {Color{59, 82, 139}, Color{33, 145, 140}, Color{94, 201, 98},
                              Color{253, 231, 37}};
constexpr double kDecades = 3;
constexpr int kHeatKinds = 32;  // steps of heat, where ops have kinds

class OpPainter {
 public:
  OpPainter(const Scene& scene, const Palette& colors) : scene_(scene), colors_(colors) {
    made_.colors = {colors.candidate};
    made_.kind_of.resize(scene.graph->op_count());
  }

  OpColors paint(ColorBy by) {
    switch (by) {
      case ColorBy::kScope: by_scope(); break;
      case ColorBy::kPhase: by_phase(); break;
      case ColorBy::kDevice: by_device(); break;
      case ColorBy::kType: by_type(); break;
      case ColorBy::kMemory: by_memory(); break;
      case ColorBy::kTime: by_time(); break;
      case ColorBy::kLevel: by_level(); break;
      case ColorBy::kSwap: by_swap(); break;
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::uint8_t& kind_of(OpId op) { return made_.kind_of[op.index()]; }
  void explain(Color color, std::string text) {
    made_.legend.push_back({Mark::kPatch, color, std::move(text)});
  }

  void by_scope() {
    made_.colors.insert(made_.colors.end(), colors_.scopes.begin(), colors_.scopes.end());
    for (const OpId op : scene_.graph->ops()) {
      const std::string_view name = scene_.graph->name(op);
      const std::size_t slash = name.find('/');
      if (slash == std::string_view::npos) continue;
      kind_of(op) = static_cast<std::uint8_t>(1 + scope_hue(name.substr(0, slash)));
    }
    explain(colors_.scopes[0], "a hue for each top-level scope");
    explain(colors_.candidate, "in none");
  }

  void by_phase() {
    made_.colors.assign(colors_.phases.begin(), colors_.phases.end());
    for (const OpId op : scene_.graph->ops()) {
      kind_of(op) = static_cast<std::uint8_t>(scene_.phases->of(op));
    }
    for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
      const auto index = static_cast<std::size_t>(phase);
      if (scene_.phases->count.at(index) == 0) continue;
      explain(colors_.phases.at(index),
              phase == Phase::kOther ? "outside the step" : phase_name(phase));
    }
  }

  // The names of which the step makes most bytes get hues, the others share the first kind.
  template <typename IdOf>
  void by_name(std::span<const std::string_view> names, IdOf id_of, std::string_view others) {
    struct Weight {
      std::int64_t step_ops = 0, ops = 0;
      Bytes bytes = 0;  // of those of the step
    };
    std::vector<Weight> weights(names.size());
    for (const OpId op : scene_.graph->ops()) {
      Weight& weight = weights[id_of(op)];
      ++weight.ops;
      if (scene_.phases->of(op) == Phase::kOther) continue;
      ++weight.step_ops;
      weight.bytes = saturating_add(weight.bytes, scene_.tensors->output_bytes(op));
    }
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto key = [&](const Weight& weight) {
        return std::tie(weight.bytes, weight.step_ops, weight.ops);
      };
      return key(weights[a]) > key(weights[b]);
    });
    std::vector<std::uint8_t> kinds(names.size());
    bool has_others = false;
    for (const std::size_t id : order) {
      if (weights[id].ops == 0) continue;
      const std::size_t next = made_.colors.size();
      if (names[id].empty() || next > kScopeHues) {
        has_others = true;
        continue;
      }
      kinds[id] = static_cast<std::uint8_t>(next);
      made_.colors.push_back(colors_.scopes.at(next - 1));
      explain(made_.colors.back(), printable(names[id], 40));
    }
    if (has_others) explain(colors_.candidate, std::string(others));
    for (const OpId op : scene_.graph->ops()) kind_of(op) = kinds[id_of(op)];
  }
  void by_device() {
    by_name(
        scene_.graph->devices(), [this](OpId op) { return scene_.graph->device_id(op); },
        "no device named");
  }
  void by_type() {
    by_name(
        scene_.graph->types(), [this](OpId op) { return scene_.graph->type_id(op); },
        "other types");
  }

  void add_heat() {
    for (int i = 0; i < kHeatKinds; ++i) {
      made_.colors.push_back(heat(static_cast<double>(i) / (kHeatKinds - 1)));
    }
  }
  static std::uint8_t heat_kind(double share_0_1) {
    const double at = std::clamp(share_0_1, 0.0, 1.0) * (kHeatKinds - 1);
    return static_cast<std::uint8_t>(1 + std::lround(at));
  }
  template <typename TextOf>
  void by_amount(const std::vector<std::int64_t>& amounts, TextOf text_of,
                 std::string_view nothing) {
    add_heat();
    std::int64_t most = 0;
    for (const std::int64_t amount : amounts) most = std::max(most, amount);
    const AmountColors scale(most);
    for (const OpId op : scene_.graph->ops()) {
      const std::int64_t amount = amounts[op.index()];
      if (amount > 0) kind_of(op) = heat_kind(scale.share_0_1(amount));
    }
    made_.legend = scale.legend(text_of, nothing, colors_.candidate);
  }
  void by_memory() {
    std::vector<Bytes> bytes(scene_.graph->op_count());
    for (const OpId op : scene_.graph->ops()) {
      bytes[op.index()] = scene_.tensors->output_bytes(op);
    }
    by_amount(
        bytes, [](Bytes amount) { return format_bytes(amount); }, "no outputs");
  }
  void by_time() {
    const std::vector<double> ns = op_times_ns(scene_);
    std::vector<std::int64_t> times(ns.begin(), ns.end());
    times.resize(scene_.graph->op_count());
    by_amount(
        times, [](std::int64_t time) { return format_time(time); }, no_time_text(!ns.empty()));
  }

  void by_level() {
    add_heat();
    const std::int32_t last = std::max(1, scene_.levels->count() - 1);
    for (const OpId op : scene_.graph->ops()) {
      if (scene_.phases->of(op) == Phase::kOther) continue;
      kind_of(op) = heat_kind(static_cast<double>(scene_.levels->level(op)) / last);
    }
    made_.legend = level_legend(scene_.levels->count(), colors_.candidate);
  }

  void by_swap() {
    made_.colors.insert(made_.colors.end(), {colors_.swap_out, colors_.swap_in});
    if (scene_.plan != nullptr) {
      for (const PlannedSwap& swap : scene_.plan->swaps()) kind_of(swap.tensor.op) = 1;
    }
    if (scene_.copies != nullptr) {
      for (const FileSwap& swap : scene_.copies->swaps) kind_of(swap.tensor.op) = 1;
      for (const OpId op : scene_.graph->ops()) {
        if (scene_.copies->contains(op)) kind_of(op) = 2;
      }
    }
    explain(colors_.swap_out, "tensors are swapped out");
    explain(colors_.candidate, "none is");
    if (scene_.copies != nullptr && !scene_.copies->empty())
      explain(colors_.swap_in, "copies in the file");
  }

  const Scene& scene_;
  const Palette& colors_;
  OpColors made_;
};

}  // namespace

Color heat(double share_0_1) {
  const double at = std::clamp(share_0_1, 0.0, 1.0) * (kHeat.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  return kHeat.at(below + 1).with_alpha(at - static_cast<double>(below)).over(kHeat.at(below));
}

double AmountColors::share_0_1(std::int64_t amount) const {
  if (amount <= 0 || most_ <= 0) return 0;
  return 1 + std::log10(static_cast<double>(amount) / static_cast<double>(most_)) / kDecades;
}

std::vector<LegendEntry> AmountColors::legend(
    const std::function<std::string(std::int64_t)>& text_of, std::string_view nothing,
    Color none) const {
  std::vector<LegendEntry> entries;
  for (const std::int64_t divisor : {1, 10, 100, 1000}) {
    const std::int64_t amount = most_ / divisor;
    if (amount == 0) break;
    const bool is_lowest = divisor == 1000;
    std::string text = text_of(amount);
    // An amount that is rounded to 0 in the smallest unit of the text.
    const bool is_rounded = text.starts_with("0 ");
    if (is_rounded) {
      text = "less than 1" + text.substr(1);
    } else if (is_lowest) {
      text += " and less";
    }
    entries.push_back({Mark::kPatch, of(amount), std::move(text)});
    if (is_rounded) break;
  }
  entries.push_back({Mark::kPatch, none, std::string(nothing)});
  return entries;
}

std::vector<double> op_times_ns(const Scene& scene) {
  std::vector<double> ns;
  for (const DeviceCurves& device : scene.devices) {
    if (device.timing == nullptr) continue;
    ns.resize(scene.graph->op_count());
    const std::vector<OpTime>& ops = device.timing->after.ops;  // copies of a plan stand behind
    for (std::size_t op = 0; op < std::min(ns.size(), ops.size()); ++op)
      ns[op] = std::max(ns[op], ops[op].end_ns - ops[op].begin_ns);
  }
  return ns;
}

std::string_view no_time_text(bool is_known) {
  return is_known ? "takes no time" : "times are not known";
}

std::vector<LegendEntry> level_legend(std::int32_t levels, Color outside) {
  const std::int32_t last = levels - 1;
  std::vector<LegendEntry> entries = {{Mark::kPatch, heat(0), "begins the step"}};
  if (last > 0) {
    entries.push_back({Mark::kPatch, heat(0.5), fmt::format("level {}", last / 2)});
    entries.push_back({Mark::kPatch, heat(1), fmt::format("level {}, the last", last)});
  }
  entries.push_back({Mark::kPatch, outside, "outside the step"});
  return entries;
}

OpColors color_ops(const Scene& scene, const Palette& colors, ColorBy by) {
  return OpPainter(scene, colors).paint(by);
}

}  // namespace tideline::render
