// Problem: thousands of tensors may be in host memory; the lane has room for hundreds of bars.
// Idea: a bar for each tensor, from the first level with its host copy to the level at which its
// last swap-in is done. If there are too many, the bars of a scope are merged; scopes are widened
// one step up the tree at a time, until few enough bars are left. If there are too many even at the
// top (or names have no scopes), tensors with about the same swap-out level are merged.
// Example: 900 bars in net/block1 to net/block30 become 30, as high as the sum of their bytes.
// Cost: O(swaps x log swaps) for each step up, of which there are at most kMostSteps.
// Source: own. Tested by tests/unit/view/swap_layout_test.cc.
#include "render/view/swap_layout.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tideline::render {
namespace {

constexpr int kMostSteps = 64;

bool comes_first(const SwapBar& a, const SwapBar& b) {
  return std::tuple(a.out_level, -a.end_level, a.tensor) <
         std::tuple(b.out_level, -b.end_level, b.tensor);
}

bool is_idle(const Scene& scene, const SwapSpan& span) {
  const std::vector<SwapEffect>* effects = scene.devices.front().swap_effects;
  return effects != nullptr && !span.in_file && span.swap < effects->size() &&
         (*effects)[span.swap].is_idle;
}

bool is_same_swap(const SwapSpan& a, const SwapSpan& b) {
  return a.in_file == b.in_file && a.swap == b.swap;
}

void add_bars(const Scene& scene, SwapLayout& layout) {
  for (std::size_t i = 0; i < layout.spans.size(); ++i) {
    const SwapSpan& span = layout.spans[i];
    if (i == 0 || !is_same_swap(layout.spans[i - 1], span)) {
      layout.bars.push_back({.tensor = span.tensor,
                             .bytes = span.bytes,
                             .out_level = span.out_level,
                             .end_level = span.in_level,
                             .first_span = static_cast<std::uint32_t>(i),
                             .is_idle = is_idle(scene, span)});
      layout.bytes = saturating_add(layout.bytes, span.bytes);
      layout.swapped.push_back(span.tensor);
    }
    SwapBar& bar = layout.bars.back();
    bar.end_level = std::max(bar.end_level, span.in_level);
    ++bar.span_count;
  }
  std::sort(layout.bars.begin(), layout.bars.end(), comes_first);
  std::sort(layout.swapped.begin(), layout.swapped.end());
}

// Bars with the same key as one; keys are in the order of their first bars.
template <typename Key>
std::vector<SwapBar> merge_bars(const std::vector<SwapBar>& bars, const std::vector<Key>& keys) {
  std::map<Key, std::size_t> group_of;
  std::vector<SwapBar> groups;
  std::vector<Bytes> largest;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const auto [found, is_new] = group_of.emplace(keys[i], groups.size());
    if (is_new) {
      groups.push_back(bars[i]);
      largest.push_back(bars[i].bytes);
      continue;
    }
    SwapBar& group = groups[found->second];
    if (bars[i].bytes > largest[found->second]) {
      largest[found->second] = bars[i].bytes;
      group.tensor = bars[i].tensor;
      group.first_span = bars[i].first_span;
      group.span_count = bars[i].span_count;
    }
    group.bytes = saturating_add(group.bytes, bars[i].bytes);
    ++group.members;
    group.is_idle = group.is_idle && bars[i].is_idle;
    group.out_level = std::min(group.out_level, bars[i].out_level);
    group.end_level = std::max(group.end_level, bars[i].end_level);
  }
  return groups;
}

std::size_t distinct(std::vector<std::uint32_t> keys) {
  std::sort(keys.begin(), keys.end());
  return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

std::vector<SwapBar> group_bars(const Scene& scene, const SwapLayout& layout,
                                std::int32_t level_count) {
  const ScopeTree& tree = *scene.scopes;
  std::vector<std::uint32_t> scopes;
  std::uint32_t depth = 0;
  for (const SwapBar& bar : layout.bars) {
    scopes.push_back(tree.scope_of[bar.tensor.op.index()]);
    depth = std::max(depth, tree.scopes[scopes.back()].depth);
  }
  for (int i = 0; i < kMostSteps && depth > 1 && distinct(scopes) > kMostBars; ++i) {
    --depth;
    for (std::uint32_t& scope : scopes) {
      if (tree.scopes[scope].depth > depth) scope = tree.scopes[scope].parent;
    }
  }
  std::vector<SwapBar> groups;
  if (const std::size_t count = distinct(scopes); count <= kMostBars && count > 1) {
    groups = merge_bars(layout.bars, scopes);
    for (SwapBar& group : groups) {
      std::uint32_t scope = tree.scope_of[group.tensor.op.index()];
      while (tree.scopes[scope].depth > depth) scope = tree.scopes[scope].parent;
      group.scope = scope;
    }
  } else {
    std::vector<std::int32_t> stretches;
    const std::int32_t stretch = level_count / static_cast<std::int32_t>(kMostBars / 2) + 1;
    for (const SwapBar& bar : layout.bars) stretches.push_back(bar.out_level / stretch);
    groups = merge_bars(layout.bars, stretches);
  }
  std::sort(groups.begin(), groups.end(), comes_first);
  return groups;
}

}  // namespace

std::vector<SwapSpan> swap_spans(const Scene& scene) {
  std::vector<SwapSpan> spans;
  if (scene.plan != nullptr) {
    spans = tideline::swap_spans(*scene.graph, *scene.levels, *scene.tensors, *scene.plan);
  }
  if (scene.copies != nullptr) {
    const auto held = tideline::swap_spans(*scene.levels, *scene.tensors, *scene.copies);
    spans.insert(spans.end(), held.begin(), held.end());
  }
  for (SwapSpan& span : spans) {
    span.consumer_level = std::max(span.consumer_level, span.out_level);
    span.in_level = std::min(span.in_level, span.consumer_level);
  }
  return spans;
}

bool SwapLayout::is_swapped(TensorId tensor) const {
  return std::binary_search(swapped.begin(), swapped.end(), tensor);
}

SwapLayout layout_swaps(const Scene& scene, const OpLayout& ops) {
  SwapLayout layout;
  layout.has_policy = scene.plan != nullptr;
  layout.spans = swap_spans(scene);
  add_bars(scene, layout);
  if (layout.bars.size() > kMostBars) layout.groups = group_bars(scene, layout, ops.level_count);
  for (const LongLived& tensor : ops.long_lived) {
    if (!layout.is_swapped(tensor.tensor)) layout.candidates.push_back(tensor);
  }
  return layout;
}

}  // namespace tideline::render
