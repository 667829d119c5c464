// Tested by unit/engine/swap_rows_test.cc.
#include "app/engine/swap_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/engine/snapshot.h"
#include "core/rewrite/lms/swap_spans.h"
#include "render/model/ui_model.h"

namespace tideline::app {
namespace {

// The table of swaps: rows of the swaps that the file holds already.
// Tested by unit/engine/file_swaps_test.cc.

// Of a swap-in: when its copy may begin, when its first reader runs, and how long the copy takes.
struct SwapInTimes {
  double begins_ns = 0;
  double needed_ns = 0;
  double copy_ns = 0;
};

// Profiles may be as slow as a byte a second, and slower: then times are infinite, and what remains
// between two of them is not known. It counts as late.
std::int64_t whole_nanos(double ns) {
  constexpr double kMostNs = 4e18;
  if (std::isnan(ns)) return static_cast<std::int64_t>(-kMostNs);
  return static_cast<std::int64_t>(std::clamp(ns, -kMostNs, kMostNs));
}

// A row with what `span` says.
ui::SwapRow row_of(const ReadGraph& source, const SwapSpan& span) {
  ui::SwapRow row;
  row.tensor = span.tensor;
  row.name = source.document.graph.tensor_name(span.tensor);
  if (const SourceLine* line = source.lines.of(span.tensor.op)) row.line = *line;
  row.bytes = span.bytes;
  row.producer_level = span.producer_level;
  row.out_level = span.out_level;
  row.in_level = span.in_level;
  row.consumer_level = span.consumer_level;
  return row;
}

// Sets transfer_ns and slack_ns of `row`. The reader runs later by the row's wait_ns, which is set
// before; the slack is what there was without it.
void set_times(const SwapInTimes& times, ui::SwapRow& row) {
  row.transfer_ns = whole_nanos(times.copy_ns);
  row.slack_ns = whole_nanos(times.needed_ns - static_cast<double>(row.wait_ns) - times.begins_ns -
                             times.copy_ns);
}

class FileRows {
 public:
  FileRows(const Snapshot& snapshot, const DeviceResult& device)
      : graph_(snapshot.shown->graph()),
        file_(*snapshot.shown->file),
        tensors_(snapshot.shown->tensors),
        times_(device.timing.after),
        costs_(snapshot.profile) {
    // With copies that a plan adds the step has ops that its graph does not know.
    const bool has_more = snapshot.has_plan() && !snapshot.plan().edit.added.empty();
    if (device.planned || !has_more) {
      const DeviceStep& step = device.planned ? *device.planned : *device.original;
      effects_ = swap_effects(step.graph, device.result(), file_.copies);
    }
  }

  std::vector<ui::SwapRow> run() const {
    std::vector<ui::SwapRow> rows;
    for (const SwapSpan& span : swap_spans(file_.levels, tensors_, file_.copies)) {
      rows.push_back(row(span));
    }
    return rows;
  }

 private:
  [[nodiscard]] OpTime time_of(OpId op) const {
    return op.index() < times_.ops.size() ? times_.ops[op.index()] : OpTime();
  }

  [[nodiscard]] ui::SwapRow row(const SwapSpan& span) const {
    const FileSwap& swap = file_.copies.swaps[span.swap];
    const FileSwapIn& swap_in = swap.swap_ins[span.swap_in];
    ui::SwapRow row = row_of(*file_.source, span);
    row.in_file = true;
    double begins = time_of(swap.swap_out).end_ns;
    for (const OpId after : swap_in.waits_for) begins = std::max(begins, time_of(after).end_ns);
    for (const LateSwapIn& late : times_.late) {
      if (late.tensor.op == swap_in.copy) row.wait_ns = std::max(row.wait_ns, late.wait_ns);
    }
    set_times({begins, time_of(span.consumer).begin_ns, costs_.to_device_ns(row.bytes)}, row);
    row.why = swap_in_file_text(graph_, swap, swap_in);
    if (span.swap < effects_.size()) row.at_peak = effects_[span.swap].at_peak;
    return row;
  }

  const Graph& graph_;
  const GraphFile& file_;
  const TensorTable& tensors_;
  const StepTime& times_;
  CostModel costs_;
  std::vector<SwapEffect> effects_;
};

// One row for each swap-in among the ops of the shown graph, with the times of `device`.
// Cost: O(ops + copies). Thread: pure.
std::vector<ui::SwapRow> file_swap_rows(const Snapshot& snapshot, const DeviceResult& device) {
  if (snapshot.shown->file->copies.empty()) return {};
  return FileRows(snapshot, device).run();
}

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
    ui::SwapRow row = row_of(*snapshot_.graph->file->source, span);
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
  const OverrideLists lists = override_lists(policy);
  if (lists.empty()) return;
  const auto overrides = Overrides::find(snapshot.graph->graph(), snapshot.graph->tensors, lists);
  if (!overrides) return;
  for (ui::SwapRow& row : rows) {
    row.user = overrides->of(row.tensor);
    row.own_ahead = overrides->ahead_of(row.tensor);
  }
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
