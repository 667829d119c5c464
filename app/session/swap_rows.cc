// Tested by unit/session/swap_rows_test.cc.
#include "app/session/swap_rows.h"

#include <algorithm>

namespace tideline::session {
namespace {

// Profiles may be as slow as a byte a second.
std::int64_t nanos(double ns) {
  constexpr double kMost = 4e18;
  return static_cast<std::int64_t>(std::clamp(ns, -kMost, kMost));
}

class Rows {
 public:
  explicit Rows(const Snapshot& snapshot)
      : snapshot_(snapshot),
        costs_(snapshot.profile),
        graph_(snapshot.graph->graph()),
        levels_(snapshot.graph->file->levels),
        released_(snapshot.plan().edit.added.size(), kNoLevel),
        begins_(snapshot.plan().edit.added.size(), 0),
        waits_(snapshot.plan().edit.added.size(), 0) {
    for (const ControlEdge& edge : snapshot.plan().edit.control) {
      if (!is_copy(edge.op)) continue;
      const std::size_t copy = copy_index(edge.op);
      if (!is_copy(edge.after)) {
        released_[copy] = std::max(released_[copy], levels_.level(edge.after));
      }
      begins_[copy] = std::max(begins_[copy], end_of(edge.after));
    }
    for (const LateSwapIn& late : snapshot.time.late) {
      if (!is_copy(late.tensor.op)) continue;
      std::int64_t& wait = waits_[copy_index(late.tensor.op)];
      wait = std::max(wait, late.wait_ns);
    }
  }

  std::vector<ui::SwapRow> run() {
    std::vector<ui::SwapRow> rows;
    for (const PlannedSwap& swap : snapshot_.plan().swaps) {
      for (const PlannedSwapIn& swap_in : swap.swap_ins) rows.push_back(row(swap, swap_in));
    }
    return rows;
  }

 private:
  [[nodiscard]] bool is_copy(OpId op) const { return op.index() >= graph_.op_count(); }
  [[nodiscard]] std::size_t copy_index(OpId op) const { return op.index() - graph_.op_count(); }
  [[nodiscard]] double end_of(OpId op) const {
    return op.index() < snapshot_.time.ops.size() ? snapshot_.time.ops[op.index()].end_ns : 0;
  }
  [[nodiscard]] double begin_of(OpId op) const {
    return op.index() < snapshot_.time.ops.size() ? snapshot_.time.ops[op.index()].begin_ns : 0;
  }

  [[nodiscard]] ui::SwapRow row(const PlannedSwap& swap, const PlannedSwapIn& swap_in) const {
    const std::size_t copy = copy_index(swap_in.copy);
    ui::SwapRow row;
    row.tensor = swap.tensor;
    row.name = graph_.tensor_name(swap.tensor);
    row.bytes = snapshot_.graph->tensors.bytes(swap.tensor);
    row.producer_level = levels_.level(swap.tensor.op);
    row.out_level = row.producer_level + 1;
    row.consumer_level = row.out_level;
    double needed = 0;
    if (!swap_in.consumers.empty()) {
      const auto first =
          std::min_element(swap_in.consumers.begin(), swap_in.consumers.end(),
                           [&](OpId a, OpId b) { return levels_.level(a) < levels_.level(b); });
      row.consumer_level = levels_.level(*first);
      needed = begin_of(*first);
    }
    // Without anything to wait for it comes back at once.
    row.in_level = std::max(row.out_level, released_[copy] + 1);
    const double copy_ns = costs_.to_device_ns(row.bytes);
    row.transfer_ns = nanos(copy_ns);
    row.wait_ns = waits_[copy];
    const double begins = std::max(begins_[copy], end_of(swap.swap_out));
    // Its reader begins later by the wait; the slack is what there was without it.
    row.slack_ns = nanos(needed - static_cast<double>(row.wait_ns) - begins - copy_ns);
    row.why = swap.why;
    return row;
  }

  const Snapshot& snapshot_;
  CostModel costs_;
  const Graph& graph_;
  const LevelMap& levels_;
  std::vector<std::int32_t> released_;  // by copy: the highest level that it waits for
  std::vector<double> begins_;          // by copy: when what it waits for has run
  std::vector<std::int64_t> waits_;     // by copy: how long its first reader waits
};

void add_overrides(const Snapshot& snapshot, std::vector<ui::SwapRow>& rows) {
  const Policy& policy = snapshot.policy;
  const std::vector<std::string> keep = names_of(policy, "keep-tensors");
  const std::vector<std::string> swap = names_of(policy, "swap-tensors");
  if (keep.empty() && swap.empty()) return;
  const auto overrides =
      Overrides::find(snapshot.graph->graph(), snapshot.graph->tensors, keep, swap);
  if (!overrides) return;
  for (ui::SwapRow& row : rows) row.user = overrides->of(row.tensor);
}

}  // namespace

std::vector<ui::SwapRow> swap_rows(const Snapshot& snapshot) {
  std::vector<ui::SwapRow> rows = Rows(snapshot).run();
  add_overrides(snapshot, rows);
  return rows;
}

}  // namespace tideline::session
