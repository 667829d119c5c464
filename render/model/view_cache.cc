#include "render/model/view_cache.h"

#include <algorithm>

#include "core/base/text.h"
#include "render/model/checkpoint_contents.h"
#include "render/model/levels_limit.h"
#include "render/model/scopes_look.h"

namespace tideline::ui {
namespace {

// A regular expression on a long name takes microseconds; a frame shall not take more than a few
// milliseconds.
constexpr std::uint32_t kScopesAFrame = 2000;

std::int64_t sort_value(const SwapRow& row, SwapColumn column) {
  switch (column) {
    case SwapColumn::kBytes: return row.bytes;
    case SwapColumn::kOut: return row.out_level;
    case SwapColumn::kIn: return row.in_level;
    case SwapColumn::kSlack: return row.wait_ns > 0 ? -row.wait_ns : row.slack_ns;
    case SwapColumn::kLevels: return row.slack_levels();
    case SwapColumn::kLink: return row.transfer_ns;
    case SwapColumn::kRule:
      return row.user != Override::kNone ? static_cast<std::int64_t>(row.user) : -row.own_ahead;
    case SwapColumn::kTensor: break;
  }
  return 0;
}

// From the level at which the copy out is there to the first reader of the copy back.
bool is_under_way(const SwapRow& row, const LevelStretch& levels) {
  return row.out_level <= levels.to && std::max(row.in_level, row.consumer_level) >= levels.from;
}

}  // namespace

void ViewCache::update(const UiModel& model, const ViewState& view) {
  wants_frame = false;
  log_charts_.update(model.log, view.log);
  log_histograms_.update(model.log, log_charts_.version());
  log_texts_.update(model.log);
  log_markdown_.update(model.log);
  update_tensor_rows(model, view.checkpoint);
  const bool is_new_snapshot = revision_ != model.revision;
  revision_ = model.revision;
  const Graph* graph = model.scene ? model.scene->graph : nullptr;
  const TensorTable* tensors = model.scene ? model.scene->tensors : nullptr;
  const bool is_new_graph = graph != graph_ || tensors != tensors_;
  // Parts come and go with plans.
  const bool has_parts = model.scene && model.scene->parts != nullptr;
  const std::shared_ptr<const void> parts_of = has_parts ? model.keep_alive : nullptr;
  const bool has_new_parts = parts_of_ != parts_of;
  parts_of_ = parts_of;
  graph_ = graph;
  tensors_ = tensors;
  if (!model.scene) {
    ops_.reset();
    swaps_.reset();
  } else {
    if (is_new_graph || has_new_parts) ops_ = render::layout_ops(*model.scene);
    if (is_new_graph || is_new_snapshot) swaps_ = render::layout_swaps(*model.scene, *ops_);
  }
  if (is_new_graph || is_new_snapshot || has_new_parts) levels_paint_.reset();
  if (is_new_graph || is_new_snapshot) memory_ = {};
  if (is_new_graph) scopes_.reset();
  if (scopes_ && is_new_snapshot) scopes_->has_paint = false;  // of other swaps
  // Other plans keep the traced step.
  const MeasuredRun* measured = model.scene ? model.scene->measured : nullptr;
  if (is_new_graph || measured != timeline_of_ || (is_new_snapshot && measured == nullptr)) {
    timeline_.reset();
    statistics_.reset();
  }
  timeline_of_ = measured;
  update_scope_rows(model, view, is_new_graph);
  update_swap_order(model, view, is_new_snapshot);
}

const render::LevelsPaint* ViewCache::levels_paint(const render::Scene& scene,
                                                   const ViewState& view) {
  if (view.levels_color == render::ColorBy::kPhase) return nullptr;
  const bool is_kept =
      levels_paint_ && painted_by_ == view.levels_color && painted_in_ == view.theme;
  if (!is_kept) {
    levels_paint_ =
        render::paint_levels(scene, *ops_, render::palette(view.theme), view.levels_color);
    painted_by_ = view.levels_color;
    painted_in_ = view.theme;
  }
  return &*levels_paint_;
}

const render::TimelineLayout& ViewCache::timeline(const render::Scene& scene) {
  if (!timeline_) timeline_ = render::layout_timeline(scene);
  return *timeline_;
}

const std::vector<render::DiffRow>& ViewCache::diff_rows(
    const std::shared_ptr<const render::GraphChanges>& changes,
    const std::vector<std::string>& open) {
  if (diff_rows_of_ == changes && diff_open_ == open) return diff_rows_;
  diff_rows_of_ = changes;
  diff_open_ = open;
  diff_rows_.clear();
  if (changes) diff_rows_ = render::diff_rows(*changes, open);
  return diff_rows_;
}

KeptScopes& ViewCache::scopes(const render::Scene& scene, const std::string& loop) {
  if (!scopes_ || scopes_->arrangement.loop != loop) {
    scopes_ = std::make_shared<KeptScopes>();
    scopes_->boxes = render::find_scope_boxes(scene, loop);
    scopes_->arrangement.loop = loop;
  }
  return *scopes_;
}

const RangeStatistics& ViewCache::statistics(const render::Scene& scene,
                                             const TimeStretch& stretch) {
  if (!statistics_ || statistics_of_ != stretch) {
    const auto ns = [](double us) { return static_cast<std::int64_t>(us * 1000); };
    statistics_ = range_statistics(scene.measured->trace, timeline(scene).trace,
                                   ns(stretch.from_us), ns(stretch.to_us));
    statistics_of_ = stretch;
  }
  return *statistics_;
}

const render::MemoryLayout& ViewCache::memory(const render::Scene& scene, std::size_t device,
                                              render::MemoryAxis axis) {
  auto& kept = memory_.at(static_cast<std::size_t>(axis));
  device = std::min(device, scene.devices.size() - 1);
  if (!kept || kept->device != device) kept = render::layout_memory(scene, device, axis);
  return *kept;
}

namespace {

// The tensors without the nodes above them, by a column of the table; equal ones by their names.
void sort_tensors(const CheckpointListing& listing, const CheckpointView& view,
                  std::vector<std::uint32_t>& rows) {
  const auto& nodes = listing.tree.nodes();
  std::erase_if(rows, [&](std::uint32_t row) { return nodes[row].tensor == TensorTree::kNone; });
  const auto tensor = [&](std::uint32_t row) -> const StoredRow& {
    return listing.tensors[static_cast<std::size_t>(nodes[row].tensor)];
  };
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const StoredRow &x = tensor(a), &y = tensor(b);
    switch (view.sort_column) {
      case 1: return x.type < y.type;
      case 2: return x.shape < y.shape;
      case 3: return x.bytes < y.bytes;
      case 4: return x.checksum < y.checksum;
      default: return x.name < y.name;
    }
  };
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return view.sort_descending ? less(b, a) : less(a, b);
  });
}

}  // namespace

void ViewCache::update_tensor_rows(const UiModel& model, const CheckpointView& view) {
  const auto listing = model.checkpoint ? model.checkpoint->listing : nullptr;
  const bool is_new_filter = tensor_filter_.text() != view.filter;
  const bool is_new_order =
      tensor_sort_column_ != view.sort_column || tensor_sort_descending_ != view.sort_descending;
  if (tensors_of_ == listing && !is_new_filter && !is_new_order && closed_ == view.closed) return;
  tensor_sort_column_ = view.sort_column;
  tensor_sort_descending_ = view.sort_descending;
  tensors_of_ = listing;
  closed_ = view.closed;
  if (is_new_filter) tensor_filter_.set(view.filter);
  tensor_rows_.clear();
  if (!listing) return;
  std::vector<bool> is_wanted;
  if (!view.filter.empty()) {
    for (const StoredRow& tensor : listing->tensors) {
      is_wanted.push_back(tensor_filter_.matches(tensor.name));
    }
  }
  const bool is_tree = view.sort_column == 0 && !view.sort_descending;
  tensor_rows_ = listing->tree.seen(is_tree ? closed_ : std::vector<std::uint32_t>(), is_wanted);
  if (!is_tree) sort_tensors(*listing, view, tensor_rows_);
}

void ViewCache::update_scope_rows(const UiModel& model, const ViewState& view, bool is_new_graph) {
  if (!model.scene) {
    scope_rows_.clear();
    is_busy_ = false;
    return;
  }
  const ScopeTree& tree = *model.scene->scopes;
  const auto count = static_cast<std::uint32_t>(tree.scopes.size());
  const bool is_new_filter = scope_filter_.text() != view.scope_filter;
  if (is_new_graph || is_new_filter || open_scopes_ != view.open_scopes) {
    if (is_new_filter) scope_filter_.set(view.scope_filter);
    open_scopes_ = view.open_scopes;
    scope_rows_.clear();
    next_scope_ = 1;  // the root has no line
    if (view.scope_filter.empty()) {
      // Depth first with a stack of our own: scopes may be nested as deeply as names are long.
      std::vector<ScopeRow> to_do;
      const auto push_children = [&](std::uint32_t scope, std::uint32_t depth) {
        const auto children = tree.child_scopes(tree.scopes[scope]);
        for (auto child = children.rbegin(); child != children.rend(); ++child)
          to_do.push_back({*child, depth});
      };
      push_children(0, 0);
      while (!to_do.empty()) {
        const ScopeRow row = to_do.back();
        to_do.pop_back();
        scope_rows_.push_back(row);
        if (std::binary_search(open_scopes_.begin(), open_scopes_.end(), row.scope))
          push_children(row.scope, row.depth + 1);
      }
      next_scope_ = count;
    }
  }
  const std::uint32_t until = std::min(count, next_scope_ + kScopesAFrame);
  for (; next_scope_ < until; ++next_scope_) {
    if (scope_filter_.matches(tree.scopes[next_scope_].path))
      scope_rows_.push_back({next_scope_, 0});
  }
  is_busy_ = next_scope_ < count;
}

const ScopeTotals* ViewCache::scope_totals(const UiModel& model, const ViewState& view) {
  const LevelStretch* limit = limit_of(view);
  if (limit == nullptr || !model.scene) return model.scope_totals;
  if (totals_revision_ != model.revision || totals_limit_ != *limit) {
    limited_totals_ = totals_of_levels(*model.scene, *limit);
    totals_limit_ = *limit;
    totals_revision_ = model.revision;
  }
  return &limited_totals_;
}

void ViewCache::update_swap_order(const UiModel& model, const ViewState& view,
                                  bool is_new_snapshot) {
  const bool is_new_filter = swap_filter_.text() != view.swap_filter;
  const bool has_limit = view.levels && view.levels->is_limit;
  const std::optional<LevelStretch> limit = has_limit ? view.levels : std::nullopt;
  if (!is_new_snapshot && !is_new_filter && limit == limit_ &&
      sort_column_ == view.swap_sort_column && sort_descending_ == view.swap_sort_descending &&
      sort_device_ == view.device) {
    return;
  }
  if (is_new_snapshot) {
    std::vector<std::string> names;
    largest_swap_ = 0;
    for (const SwapRow& row : model.swaps) {
      names.push_back(row.name);
      largest_swap_ = std::max(largest_swap_, row.bytes);
    }
    swap_names_ = render::NameShortener(names);
  }
  sort_device_ = view.device;  // times differ by device
  if (is_new_filter) swap_filter_.set(view.swap_filter);
  limit_ = limit;
  sort_column_ = view.swap_sort_column;
  sort_descending_ = view.swap_sort_descending;
  swap_order_.clear();
  // As in a search, "line:model.py:14"; one that is not yet typed to the end finds nothing.
  constexpr std::string_view kLine = "line:";
  const std::string_view filter = swap_filter_.text();
  const bool asks_for_line = filter.starts_with(kLine);
  std::optional<LinePattern> place;
  if (asks_for_line) {
    if (auto parsed = LinePattern::parse(filter.substr(kLine.size()))) place = *std::move(parsed);
  }
  for (std::uint32_t row = 0; row < model.swaps.size(); ++row) {
    if (limit && !is_under_way(model.swaps[row], *limit)) continue;
    const SwapRow& swap = model.swaps[row];
    const bool is_hit =
        asks_for_line ? place && place->matches(swap.line) : swap_filter_.matches(swap.name);
    if (is_hit) swap_order_.push_back(row);
  }
  const auto column = static_cast<SwapColumn>(sort_column_);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const SwapRow &x = model.swaps[a], &y = model.swaps[b];
    if (column == SwapColumn::kTensor) return x.name < y.name;
    return sort_value(x, column) < sort_value(y, column);
  };
  // Rows that are equal stay as the plan has them, in both directions.
  std::stable_sort(swap_order_.begin(), swap_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sort_descending_ ? before(b, a) : before(a, b);
  });
}

}  // namespace tideline::ui
