// Tested by unit/view/scopes_view_test.cc.
#include "render/view/scope_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "core/base/text.h"
#include "render/view/level_bands.h"

namespace tideline::render {
namespace {

using Mark = LegendEntry::Mark;

// Of viridis (S. van der Walt and N. Smith, matplotlib), without its darkest end.
constexpr std::array kHeat = {Color{59, 82, 139}, Color{33, 145, 140}, Color{94, 201, 98},
                              Color{253, 231, 37}};

Color heat(double share_0_1) {
  const double at = std::clamp(share_0_1, 0.0, 1.0) * (kHeat.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  return kHeat.at(below + 1).with_alpha(at - static_cast<double>(below)).over(kHeat.at(below));
}

class BoxPainter {
 public:
  BoxPainter(const Scene& scene, const ScopeBoxes& boxes, const ScopeLayout& layout,
             const Palette& colors)
      : scene_(scene), boxes_(boxes), layout_(layout), colors_(colors) {
    paint_.fill.assign(layout.placed.size(), colors.candidate);
    paint_.swapped.resize(layout.placed.size());
    count_swaps();
    find_idle();
  }

  ScopePaint paint(BoxColor by) {
    switch (by) {
      case BoxColor::kScope: by_scope(); break;
      case BoxColor::kPhase: by_phase(); break;
      case BoxColor::kDevice: by_device(); break;
      case BoxColor::kType: by_type(); break;
      case BoxColor::kMemory: by_memory(); break;
      case BoxColor::kTime: by_time(); break;
      case BoxColor::kLevel: by_level(); break;
      case BoxColor::kSwap: by_swap(); break;
    }
    return std::move(paint_);
  }

 private:
  [[nodiscard]] std::span<const OpId> ops_of(std::size_t placed) const {
    return boxes_.ops_of(boxes_.boxes[layout_.placed[placed].box]);
  }
  void explain(Color color, std::string text) {
    paint_.legend.push_back({Mark::kPatch, color, std::move(text)});
  }

  void count_swaps() {
    const auto count = [&](TensorId tensor) {
      std::uint32_t at = placed_of_op(layout_, tensor.op);
      for (; at != 0; at = layout_.placed[at].parent) ++paint_.swapped[at];
    };
    if (scene_.plan != nullptr) {
      for (const PlannedSwap& swap : scene_.plan->swaps()) count(swap.tensor);
    }
    if (scene_.copies != nullptr) {
      for (const FileSwap& swap : scene_.copies->swaps) count(swap.tensor);
    }
  }

  void find_idle() {
    if (scene_.measured == nullptr) return;
    paint_.is_idle.resize(layout_.placed.size());
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      const auto ops = ops_of(i);
      paint_.is_idle[i] = std::none_of(
          ops.begin(), ops.end(), [&](OpId op) { return scene_.tensors->traced_runs(op) > 0; });
    }
  }

  void by_scope() {
    for (std::size_t i = 1; i < layout_.placed.size(); ++i) {
      const ScopeBox& box = boxes_.boxes[layout_.placed[i].box];
      if (box.op_count == 0) continue;
      const std::string_view name = scene_.graph->name(boxes_.ops_of(box).front());
      const std::size_t slash = name.find('/');
      if (slash != std::string_view::npos)
        paint_.fill[i] = colors_.scopes.at(scope_hue(name.substr(0, slash)));
    }
    explain(colors_.scopes[0], "a hue for each top-level scope");
    explain(colors_.candidate, "in none");
  }

  // Colours boxes by the kind of most of their ops, the first of equal ones. `kind_of` gives
  // numbers below `count`, `color_of` the colour of a kind. What is outside of the step does not
  // count beside what is part of it.
  template <typename KindOf, typename ColorOf>
  void by_kind(std::size_t count, KindOf kind_of, ColorOf color_of) {
    std::vector<std::uint32_t> ops(count);
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      if (layout_.placed[i].is_open) continue;
      const bool is_outside = boxes_.boxes[layout_.placed[i].box].is_outside;
      std::uint32_t most = 0;
      std::size_t best = 0;
      for (const OpId op : ops_of(i)) {
        if (!is_outside && scene_.phases->of(op) == Phase::kOther) continue;
        const std::size_t kind = kind_of(op);
        const std::uint32_t now = ++ops[kind];
        if (now > most || (now == most && kind < best)) {
          most = now;
          best = kind;
        }
      }
      for (const OpId op : ops_of(i)) ops[kind_of(op)] = 0;
      if (most > 0) paint_.fill[i] = color_of(best);
    }
  }

  void by_phase() {
    const auto color_of = [&](std::size_t phase) { return colors_.phases.at(phase); };
    by_kind(
        kPhaseCount, [&](OpId op) { return static_cast<std::size_t>(scene_.phases->of(op)); },
        color_of);
    for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
      if (scene_.phases->count.at(static_cast<std::size_t>(phase)) == 0) continue;
      explain(color_of(static_cast<std::size_t>(phase)),
              phase == Phase::kOther ? "outside the step" : phase_name(phase));
    }
  }

  // The most frequent of some kinds get hues, the others share one.
  std::vector<Color> hues_of(std::span<const std::string_view> names,
                             const std::vector<std::int64_t>& count, std::string_view others) {
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
    std::vector<Color> hues(names.size(), colors_.candidate);
    std::size_t next = 0;
    bool has_others = false;
    for (const std::size_t kind : order) {
      if (count[kind] == 0) continue;
      if (names[kind].empty() || next == kScopeHues) {
        has_others = true;
        continue;
      }
      hues[kind] = colors_.scopes.at(next++);
      explain(hues[kind], printable(names[kind], 40));
    }
    if (has_others) explain(colors_.candidate, std::string(others));
    return hues;
  }

  void by_device() {
    const auto& devices = scene_.graph->devices();
    std::vector<std::int64_t> count(devices.size());
    for (const OpId op : scene_.graph->ops()) ++count[scene_.graph->device_id(op)];
    const std::vector<Color> hues = hues_of(devices, count, "no device named");
    by_kind(
        devices.size(), [&](OpId op) { return scene_.graph->device_id(op); },
        [&](std::size_t device) { return hues[device]; });
  }

  void by_type() {
    const auto& types = scene_.graph->types();
    std::vector<std::int64_t> count(types.size());
    for (const OpId op : scene_.graph->ops()) ++count[scene_.graph->type_id(op)];
    const std::vector<Color> hues = hues_of(types, count, "other types");
    by_kind(
        types.size(), [&](OpId op) { return scene_.graph->type_id(op); },
        [&](std::size_t type) { return hues[type]; });
  }

  // By the logarithm of an amount, from a thousandth of the most on. Zero is the colour of nothing.
  template <typename AmountOf, typename TextOf>
  void by_amount(AmountOf amount_of, TextOf text_of, std::string_view nothing) {
    constexpr double kDecades = 3;
    std::vector<std::int64_t> amounts(layout_.placed.size());
    std::int64_t most = 0;
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      if (layout_.placed[i].is_open) continue;
      amounts[i] = amount_of(i);
      most = std::max(most, amounts[i]);
    }
    const auto share_of = [&](std::int64_t amount) {
      if (amount <= 0) return 0.0;
      return 1 + std::log10(static_cast<double>(amount) / static_cast<double>(most)) / kDecades;
    };
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      if (amounts[i] > 0) paint_.fill[i] = heat(share_of(amounts[i]));
    }
    for (const std::int64_t amount : {most, most / 10, most / 100}) {
      if (amount > 0) explain(heat(share_of(amount)), text_of(amount));
    }
    if (most >= 1000) explain(heat(0), fmt::format("{} and less", text_of(most / 1000)));
    explain(colors_.candidate, std::string(nothing));
  }

  void by_memory() {
    by_amount([&](std::size_t i) { return boxes_.boxes[layout_.placed[i].box].bytes; },
              [](Bytes bytes) { return format_bytes(bytes); }, "no outputs");
  }

  // What its ops take one after the other, each on the device on which it runs.
  void by_time() {
    std::vector<double> ns(scene_.graph->op_count());
    bool is_known = false;
    for (const DeviceCurves& device : scene_.devices) {
      if (device.timing == nullptr) continue;
      is_known = true;
      const std::vector<OpTime>& ops = device.timing->after.ops;  // copies of a plan stand behind
      for (std::size_t op = 0; op < std::min(ns.size(), ops.size()); ++op)
        ns[op] = std::max(ns[op], ops[op].end_ns - ops[op].begin_ns);
    }
    const auto time_of = [&](std::size_t i) {
      double sum = 0;
      for (const OpId op : ops_of(i)) sum += ns[op.index()];
      return static_cast<std::int64_t>(sum);
    };
    by_amount(
        time_of, [](std::int64_t time) { return format_time(time); },
        is_known ? "takes no time" : "times are not known");
  }

  void by_level() {
    const std::int32_t last = scene_.levels->count() - 1;
    const auto color_of = [&](double level) { return heat(last > 0 ? level / last : 0); };
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      const ScopeBox& box = boxes_.boxes[layout_.placed[i].box];
      if (layout_.placed[i].is_open || box.is_outside) continue;
      paint_.fill[i] = color_of((static_cast<double>(box.first_level) + box.last_level) / 2);
    }
    explain(color_of(0), "begins the step");
    if (last > 0) {
      explain(color_of(last / 2.0), fmt::format("level {}", last / 2));
      explain(color_of(last), fmt::format("level {}, the last", last));
    }
    explain(colors_.candidate, "outside the step");
  }

  void by_swap() {
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      const auto ops = ops_of(i);
      const bool is_copy =
          scene_.copies != nullptr && !ops.empty() &&
          std::all_of(ops.begin(), ops.end(), [&](OpId op) { return scene_.copies->contains(op); });
      if (is_copy) {
        paint_.fill[i] = colors_.swap_in;
      } else if (paint_.swapped[i] > 0 && !layout_.placed[i].is_open) {
        paint_.fill[i] = colors_.swap_out;
      }
    }
    explain(colors_.swap_out, "tensors are swapped out");
    explain(colors_.candidate, "none is");
    if (scene_.copies != nullptr && !scene_.copies->empty())
      explain(colors_.swap_in, "copies in the file");
  }

  const Scene& scene_;
  const ScopeBoxes& boxes_;
  const ScopeLayout& layout_;
  const Palette& colors_;
  ScopePaint paint_;
};

}  // namespace

ScopePaint paint_scopes(const Scene& scene, const ScopeBoxes& boxes, const ScopeLayout& layout,
                        const Palette& colors, BoxColor by) {
  return BoxPainter(scene, boxes, layout, colors).paint(by);
}

}  // namespace tideline::render
