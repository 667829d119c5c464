// Tested by unit/rewrite/tensor_stretches_test.cc.
#include "core/rewrite/lms/tensor_stretches.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/memory/fold_text.h"

namespace tideline {
namespace {

class Finder {
 public:
  Finder(const Graph& graph, const LevelMap& levels, const StepGraph& original,
         const FaithfulStep& step, TensorId tensor, const SwapCopies* copies)
      : graph_(graph),
        levels_(levels),
        original_(original),
        step_(step),
        tensor_(tensor),
        copies_(copies) {}

  TensorStretches run(std::span<const PlannedSwap> swaps) {
    const auto& schedule = step_.timeline.schedule;
    found_.runs = std::find(schedule.begin(), schedule.end(), tensor_.op) != schedule.end();
    const std::uint32_t index = original_.tensor(tensor_);
    const Space home = original_.tensors[index].home;
    if (home != Space::kElsewhere) {
      find_sharing(index, static_cast<std::size_t>(home), swaps);
    }
    if (is_variable(index)) add_variable();
    for (const std::uint32_t buffer : step_.buffers_of[index]) {
      if (buffer != kNoBuffer) add(step_.buffers[buffer], step_.buffers[buffer].space != home);
    }
    add_swapped_in(swaps);
    if (copies_ != nullptr) add_swapped_in(copies_->swaps);
    const bool is_swapped =
        (copies_ != nullptr && copies_->of(tensor_) != nullptr) ||
        std::any_of(swaps.begin(), swaps.end(),
                    [this](const PlannedSwap& swap) { return swap.tensor == tensor_; });
    if (is_swapped && home != Space::kElsewhere) {
      find_successor(index, static_cast<std::size_t>(home));
    }
    std::stable_sort(begin_.begin(), begin_.end(),
                     [](const Begin& a, const Begin& b) { return a.step < b.step; });
    for (const Begin& begin : begin_) found_.stretches.push_back(begin.stretch);
    found_.folded = fold_text(graph_, original_, tensor_, found_.runs);
    return std::move(found_);
  }

 private:
  struct Begin {
    std::int32_t step;
    TensorStretch stretch;
  };

  // The level of the last op up to `step` that is no copy.
  [[nodiscard]] std::int32_t level_at(std::int32_t step) const {
    const auto& schedule = step_.timeline.schedule;
    const auto last = static_cast<std::int32_t>(schedule.size()) - 1;
    for (std::int32_t i = std::min(step, last); i >= 0; --i) {
      const OpId op = schedule[static_cast<std::size_t>(i)];
      if (op.index() >= graph_.op_count()) continue;
      if (copies_ != nullptr && copies_->contains(op)) continue;
      return std::max(0, levels_.level(op));
    }
    return 0;
  }

  // The buffer of a variable and of its views has no bytes: they are counted with the variables,
  // which are listed among what is alive.
  [[nodiscard]] bool is_variable(std::uint32_t index) const {
    const std::uint32_t own = step_.buffers_of[index][0];
    if (own == kNoBuffer || !step_.buffers[own].is_pinned || step_.buffers[own].bytes > 0) {
      return false;
    }
    const auto& alive = step_.timeline.alive_at_peak;
    return std::any_of(alive.begin(), alive.end(), [&](const LiveTensor& entry) {
      const auto& shared = found_.shared_with;
      return entry.tensor == tensor_ ||
             std::find(shared.begin(), shared.end(), entry.tensor) != shared.end();
    });
  }

  void add_variable() {
    TensorStretch stretch;
    stretch.is_pinned = true;
    stretch.is_at_peak = true;
    begin_.push_back({-1, stretch});
  }

  void add(const StepBuffer& buffer, bool is_copy) {
    if (buffer.bytes == 0 || buffer.to_step < buffer.from_step) return;
    TensorStretch stretch;
    stretch.space = buffer.space;
    stretch.is_pinned = buffer.is_pinned;
    stretch.is_copy = is_copy;
    // What goes round in a loop is read at a lower level than the one at which it was made.
    std::tie(stretch.from_level, stretch.to_level) =
        std::minmax({level_at(buffer.from_step), level_at(buffer.to_step)});
    const std::int32_t peak = step_.timeline.peak_step;
    stretch.is_at_peak = buffer.space == Space::kDevice &&
                         (buffer.is_pinned || (buffer.from_step <= peak && peak <= buffer.to_step));
    begin_.push_back({buffer.from_step, stretch});
  }

  void find_sharing(std::uint32_t index, std::size_t space, std::span<const PlannedSwap> swaps) {
    const std::uint32_t own = step_.buffers_of[index][space];
    if (own == kNoBuffer) return;
    for (const OpId op : graph_.ops()) {
      const StepOp& entry = original_.ops[op.index()];
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        const TensorId other{op, slot};
        if (other == tensor_) continue;
        if (step_.buffers_of[entry.first_tensor + slot][space] == own)
          found_.shared_with.push_back(other);
      }
    }
    // A view of a swapped tensor lies in the copy that it reads.
    const OpId maker = step_.buffers[own].tensor.op;
    find_shared_copy(swaps, maker);
    // A copy that is an op of the file is no copy of itself.
    if (copies_ != nullptr && !copies_->contains(tensor_.op)) {
      find_shared_copy(copies_->swaps, maker);
    }
  }
  template <typename Swaps>
  void find_shared_copy(const Swaps& swaps, OpId maker) {
    for (const auto& swap : swaps) {
      if (has_copy(swap, maker)) found_.shared_copy_of = swap.tensor;
    }
  }

  // The first op that writes its result into the tensor's buffer. A view of the tensor is the
  // tensor under another name.
  void find_successor(std::uint32_t index, std::size_t space) {
    const std::uint32_t own = step_.buffers_of[index][space];
    if (own == kNoBuffer) return;
    std::set<std::uint32_t> names = {index};
    const auto& schedule = step_.timeline.schedule;
    for (std::size_t step = 0; step < schedule.size(); ++step) {
      const OpId op = schedule[step];
      if (op.index() >= graph_.op_count()) continue;
      const auto inputs = original_.inputs_of(op);
      for (const StepLink& link : original_.links_of(op)) {
        if (link.input >= inputs.size() || names.count(inputs[link.input].tensor) == 0) continue;
        const std::uint32_t output = original_.ops[op.index()].first_tensor + link.output;
        if (inputs[link.input].is_back_edge || step_.buffers_of[output][space] != own) continue;
        if (link.is_alias) {
          names.insert(output);
          continue;
        }
        found_.taken_over_by = {op, link.output};
        found_.taken_over_level = levels_.level(op);
        found_.is_taken_over_at_peak = step_.timeline.peak_step > static_cast<std::int32_t>(step);
        return;
      }
    }
  }

  template <typename Swap>
  static bool has_copy(const Swap& swap, OpId op) {
    return std::any_of(swap.swap_ins.begin(), swap.swap_ins.end(),
                       [op](const auto& in) { return in.copy == op; });
  }

  // A swap-in is a view of the copy on the host; those that read it on the device have a buffer
  // that is named after it.
  template <typename Swaps>
  void add_swapped_in(const Swaps& swaps) {
    for (const auto& swap : swaps) {
      if (swap.tensor != tensor_) continue;
      for (const StepBuffer& buffer : step_.buffers) {
        const bool is_on_device = buffer.is_copy && buffer.space == Space::kDevice;
        if (is_on_device && has_copy(swap, buffer.tensor.op)) add(buffer, true);
      }
    }
  }

  const Graph& graph_;
  const LevelMap& levels_;
  const StepGraph& original_;
  const FaithfulStep& step_;
  TensorId tensor_;
  const SwapCopies* copies_;  // null: the graph has none
  std::vector<Begin> begin_;
  TensorStretches found_;
};

std::string sharing_text(const Graph& graph, const TensorStretches& found) {
  std::vector<std::string> names;
  const auto add = [&](const char* what, TensorId tensor) {
    names.push_back(what + printable(graph.tensor_name(tensor), 200));
  };
  if (found.shared_copy_of.op.valid()) add("a copy of ", found.shared_copy_of);
  for (const TensorId other : found.shared_with) add("", other);
  if (names.empty()) return {};
  if (names.size() == 1) return fmt::format(" (in one buffer with {})", names.front());
  return fmt::format(" (in one buffer with {} and {} more)", names.front(), names.size() - 1);
}

}  // namespace

bool TensorStretches::is_at_peak() const {
  return std::any_of(stretches.begin(), stretches.end(),
                     [](const TensorStretch& stretch) { return stretch.is_at_peak; });
}

TensorStretches find_stretches(const Graph& graph, const LevelMap& levels,
                               const StepGraph& original, std::span<const PlannedSwap> swaps,
                               const FaithfulStep& step, TensorId tensor,
                               const SwapCopies* copies) {
  return Finder(graph, levels, original, step, tensor, copies).run(swaps);
}

std::string stretches_text(const Graph& graph, const TensorStretches& found) {
  const std::string folded = found.folded.empty() ? "" : "; " + found.folded;
  if (found.stretches.empty()) {
    if (!folded.empty()) return "none: " + found.folded;
    return found.runs ? "none of its own" : "none: its op does not run in the step";
  }
  const auto own = std::find_if(found.stretches.begin(), found.stretches.end(),
                                [](const TensorStretch& stretch) { return !stretch.is_copy; });
  std::string text;
  bool itself = false, as_copy = false;
  for (const TensorStretch& stretch : found.stretches) {
    if (!text.empty()) text += ", ";
    text += stretch.space == Space::kDevice ? "device" : "host";
    const bool is_own = own != found.stretches.end() && &stretch == &*own;
    const bool is_taken_over = is_own && found.taken_over_by.op.valid() && !stretch.is_pinned;
    const auto [from, to] = std::minmax(
        {stretch.from_level, is_taken_over ? found.taken_over_level : stretch.to_level});
    text += stretch.is_pinned ? ", the whole step" : fmt::format(" {}-{}", from, to);
    if (is_taken_over) {
      text += fmt::format(" (its buffer goes to {} at level {})",
                          printable(graph.tensor_name(found.taken_over_by), 200),
                          found.taken_over_level);
    } else if (is_own) {
      text += sharing_text(graph, found);
    }
    if (stretch.is_at_peak && !(is_taken_over && found.is_taken_over_at_peak)) {
      (stretch.is_copy ? as_copy : itself) = true;
    }
  }
  text += "; at the peak: ";
  if (itself) return text + (as_copy ? "yes, also as copy" : "yes") + folded;
  return text + (as_copy ? "yes, as copy" : "no") + folded;
}

}  // namespace tideline
