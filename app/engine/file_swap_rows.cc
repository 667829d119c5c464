// Tested by unit/engine/file_swaps_test.cc.
#include "app/engine/file_swap_rows.h"

#include <algorithm>
#include <cmath>

namespace tideline::app {
namespace {

// Profiles may be as slow as a byte a second, and slower: then times are infinite, and what remains
// between two of them is not known. It counts as late.
std::int64_t whole_nanos(double ns) {
  constexpr double kMostNs = 4e18;
  if (std::isnan(ns)) return static_cast<std::int64_t>(-kMostNs);
  return static_cast<std::int64_t>(std::clamp(ns, -kMostNs, kMostNs));
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
    ui::SwapRow row = row_of(graph_, span);
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

}  // namespace

ui::SwapRow row_of(const Graph& graph, const SwapSpan& span) {
  ui::SwapRow row;
  row.tensor = span.tensor;
  row.name = graph.tensor_name(span.tensor);
  row.bytes = span.bytes;
  row.producer_level = span.producer_level;
  row.out_level = span.out_level;
  row.in_level = span.in_level;
  row.consumer_level = span.consumer_level;
  return row;
}

void set_times(const SwapInTimes& times, ui::SwapRow& row) {
  row.transfer_ns = whole_nanos(times.copy_ns);
  row.slack_ns = whole_nanos(times.needed_ns - static_cast<double>(row.wait_ns) - times.begins_ns -
                             times.copy_ns);
}

std::vector<ui::SwapRow> file_swap_rows(const Snapshot& snapshot, const DeviceResult& device) {
  if (snapshot.shown->file->copies.empty()) return {};
  return FileRows(snapshot, device).run();
}

}  // namespace tideline::app
