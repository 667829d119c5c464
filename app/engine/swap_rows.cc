// Tested by unit/engine/swap_rows_test.cc.
#include "app/engine/swap_rows.h"

#include <algorithm>

#include "app/engine/file_swap_rows.h"

namespace tideline::app {
namespace {

class Rows {
 public:
  Rows(const Snapshot& snapshot, const DeviceResult& device)
      : snapshot_(snapshot),
        device_(device),
        costs_(snapshot.profile),
        graph_(snapshot.graph->graph()),
        levels_(snapshot.graph->file->levels),
        begins_(snapshot.plan().edit.added.size(), 0),
        waits_(snapshot.plan().edit.added.size(), 0) {
    for (const ControlEdge& edge : snapshot.plan().edit.control) {
      if (!is_copy(edge.op)) continue;
      const std::size_t copy = copy_index(edge.op);
      begins_[copy] = std::max(begins_[copy], end_of(edge.after));
    }
    for (const LateSwapIn& late : device.timing.after.late) {
      if (!is_copy(late.tensor.op)) continue;
      std::int64_t& wait = waits_[copy_index(late.tensor.op)];
      wait = std::max(wait, late.wait_ns);
    }
  }

  std::vector<ui::SwapRow> run() {
    std::vector<ui::SwapRow> rows;
    for (const SwapSpan& span :
         swap_spans(graph_, levels_, snapshot_.graph->tensors, snapshot_.plan())) {
      rows.push_back(row(span));
    }
    return rows;
  }

 private:
  [[nodiscard]] bool is_copy(OpId op) const { return op.index() >= graph_.op_count(); }
  [[nodiscard]] std::size_t copy_index(OpId op) const { return op.index() - graph_.op_count(); }
  [[nodiscard]] double end_of(OpId op) const {
    const auto& ops = device_.timing.after.ops;
    return op.index() < ops.size() ? ops[op.index()].end_ns : 0;
  }
  [[nodiscard]] double begin_of(OpId op) const {
    const auto& ops = device_.timing.after.ops;
    return op.index() < ops.size() ? ops[op.index()].begin_ns : 0;
  }

  [[nodiscard]] ui::SwapRow row(const SwapSpan& span) const {
    const PlannedSwap& swap = snapshot_.plan().swaps()[span.swap];
    const std::size_t copy = copy_index(swap.swap_ins[span.swap_in].copy);
    ui::SwapRow row = row_of(graph_, span);
    const double needed = span.consumer.valid() ? begin_of(span.consumer) : 0;
    row.wait_ns = waits_[copy];
    const double begins = std::max(begins_[copy], end_of(swap.swap_out));
    set_times({begins, needed, costs_.to_device_ns(row.bytes)}, row);
    row.why = swap.why;
    if (span.swap < device_.effects.size()) {
      row.at_peak = device_.effects[span.swap].at_peak;
      row.is_idle = device_.effects[span.swap].is_idle;
    }
    return row;
  }

  const Snapshot& snapshot_;
  const DeviceResult& device_;
  CostModel costs_;
  const Graph& graph_;
  const LevelMap& levels_;
  std::vector<double> begins_;       // by copy: when what it waits for has run
  std::vector<std::int64_t> waits_;  // by copy: how long its first reader waits
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

std::vector<ui::SwapRow> swap_rows(const Snapshot& snapshot, std::size_t device) {
  const std::size_t shown = std::min(device, snapshot.devices.size() - 1);
  std::vector<ui::SwapRow> rows = Rows(snapshot, snapshot.devices[shown]).run();
  add_overrides(snapshot, rows);
  const std::vector<ui::SwapRow> held = file_swap_rows(snapshot, snapshot.devices[shown]);
  rows.insert(rows.end(), held.begin(), held.end());
  return rows;
}

}  // namespace tideline::app
