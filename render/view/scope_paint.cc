// Tested by unit/view/scopes_view_test.cc.
#include "render/view/scope_paint.h"

#include <algorithm>
#include <span>
#include <string>

#include "core/base/text.h"
#include "render/view/level_bands.h"
#include "render/view/op_colors.h"

namespace tideline::render {
namespace {

using Mark = LegendEntry::Mark;

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

  ScopePaint paint(ColorBy by) {
    switch (by) {
      case ColorBy::kScope: by_scope(); break;
      case ColorBy::kPhase:
      case ColorBy::kDevice:
      case ColorBy::kType: by_ops(by); break;
      case ColorBy::kMemory: by_memory(); break;
      case ColorBy::kTime: by_time(); break;
      case ColorBy::kLevel: by_level(); break;
      case ColorBy::kSwap: by_swap(); break;
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

  // The colour of most of its ops. Of as many with a colour of their own as without the first
  // count.
  void by_ops(ColorBy by) {
    OpColors ops = color_ops(scene_, colors_, by);
    const std::size_t count = ops.colors.size();
    const std::size_t others = by == ColorBy::kPhase ? 0 : 1;  // the first kind is that of others
    by_kind(
        count, [&](OpId op) { return (ops.kind_of[op.index()] + count - others) % count; },
        [&](std::size_t kind) { return ops.colors[(kind + others) % count]; });
    paint_.legend = std::move(ops.legend);
  }

  template <typename AmountOf, typename TextOf>
  void by_amount(AmountOf amount_of, TextOf text_of, std::string_view nothing) {
    std::vector<std::int64_t> amounts(layout_.placed.size());
    std::int64_t most = 0;
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      if (layout_.placed[i].is_open) continue;
      amounts[i] = amount_of(i);
      most = std::max(most, amounts[i]);
    }
    const AmountColors scale(most);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      if (amounts[i] > 0) paint_.fill[i] = scale.of(amounts[i]);
    }
    paint_.legend = scale.legend(text_of, nothing, colors_.candidate);
  }

  void by_memory() {
    by_amount([&](std::size_t i) { return boxes_.boxes[layout_.placed[i].box].bytes; },
              [](Bytes bytes) { return format_bytes(bytes); }, "no outputs");
  }

  // What its ops take one after the other, each on the device on which it runs.
  void by_time() {
    const std::vector<double> ns = op_times_ns(scene_);
    const auto time_of = [&](std::size_t i) {
      double sum = 0;
      if (ns.empty()) return std::int64_t{0};
      for (const OpId op : ops_of(i)) sum += ns[op.index()];
      return static_cast<std::int64_t>(sum);
    };
    by_amount(
        time_of, [](std::int64_t time) { return format_time(time); }, no_time_text(!ns.empty()));
  }

  void by_level() {
    const std::int32_t last = scene_.levels->count() - 1;
    for (std::size_t i = 0; i < layout_.placed.size(); ++i) {
      const ScopeBox& box = boxes_.boxes[layout_.placed[i].box];
      if (layout_.placed[i].is_open || box.is_outside) continue;
      const double middle = (static_cast<double>(box.first_level) + box.last_level) / 2;
      paint_.fill[i] = heat(last > 0 ? middle / last : 0);
    }
    paint_.legend = level_legend(scene_.levels->count(), colors_.candidate);
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
                        const Palette& colors, ColorBy by) {
  return BoxPainter(scene, boxes, layout, colors).paint(by);
}

}  // namespace tideline::render
