// Tested by unit/memory/step_clock_test.cc and integration/clock_check.py.
#include "core/memory/clock_input.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tideline {
namespace {

// Profiles may be as slow as a byte a second: sums of times stay finite.
constexpr double kLongestNs = 1e30;

class ClockFlattening {
 public:
  ClockFlattening(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs,
                  ClockInput& out)
      : graph_(graph), step_(step), costs_(costs), out_(out), schedule_(step.timeline.schedule) {}

  void run() {
    out_.resident = step_.timeline.resident_bytes;
    step_of_.assign(graph_.ops.size(), -1);
    for (std::size_t step = 0; step < schedule_.size(); ++step) {
      step_of_[schedule_[step].index()] = static_cast<std::int32_t>(step);
    }
    add_ops();
    add_copies();
    add_rooms();
    add_uses();
    add_edges();
  }

 private:
  [[nodiscard]] std::uint32_t device_buffer(std::uint32_t tensor) const {
    const std::uint32_t buffer = step_.buffers_of[tensor][0];
    return buffer == kNoBuffer || step_.buffers[buffer].is_pinned ? kNoRoom : buffer;
  }

  void add_ops() {
    const bool is_traced = costs_.is_traced(graph_);
    double traced_ns = 0;
    out_.ops.reserve(schedule_.size());
    for (const OpId op : schedule_) {
      const StepOp& entry = graph_.ops[op.index()];
      ClockInput::Op& made = out_.ops.emplace_back();
      made.op = op;
      made.is_on_device = entry.space == Space::kDevice;
      made.scratch = entry.scratch;
      if (!made.is_on_device) continue;
      made.cost = costs_.op_cost(graph_, op);
      made.cost.ns = std::min(made.cost.ns, kLongestNs);
      if (!is_traced || !costs_.is_of_traced_graph(op)) continue;
      if (made.cost.source != CostSource::kMeasured) made.cost = {0, CostSource::kNoKernel};
      traced_ns += made.cost.ns;
    }
    if (!is_traced) return;
    out_.rest_ns = std::max(0.0, static_cast<double>(costs_.span_ns()) - traced_ns);
    out_.is_as_traced =
        graph_.ops.empty() ||
        costs_.is_of_traced_graph(OpId{static_cast<std::uint32_t>(graph_.ops.size() - 1)});
  }

  void add_copies() {
    for (const StepTransfer& transfer : step_.transfers) {
      const double ns = transfer.to_host ? costs_.to_host_ns(transfer.bytes)
                                         : costs_.to_device_ns(transfer.bytes);
      add_copy(transfer.tensor, transfer.to_host ? ClockCopy::Queue::kOut : ClockCopy::Queue::kIn,
               transfer.bytes, std::min(ns, kLongestNs));
    }
    for (const StepBuffer& buffer : step_.buffers) {
      if (!buffer.is_copy || buffer.is_swapped || buffer.space != Space::kDevice) continue;
      add_copy(graph_.tensor(buffer.tensor), ClockCopy::Queue::kAtOnce, buffer.bytes, 0);
    }
    std::stable_sort(out_.copies.begin(), out_.copies.end(),
                     [](const ClockCopy& a, const ClockCopy& b) {
                       return std::tie(a.step, a.tensor) < std::tie(b.step, b.tensor);
                     });
    copy_out_.assign(graph_.tensors.size(), kNoRoom);
    copy_in_.assign(graph_.tensors.size(), kNoRoom);
    comes_from_elsewhere_.assign(graph_.tensors.size(), 0);
    for (const ClockInput::Op& op : out_.ops) {
      if (op.is_on_device) continue;
      const StepOp& entry = graph_.ops[op.op.index()];
      std::fill_n(comes_from_elsewhere_.begin() + entry.first_tensor, entry.tensor_count, 1);
    }
    for (const ClockCopy& copy : out_.copies) comes_from_elsewhere_[copy.tensor] = 1;
    for (std::uint32_t i = 0; i < out_.copies.size(); ++i) {
      const ClockCopy& copy = out_.copies[i];
      (copy.queue == ClockCopy::Queue::kOut ? copy_out_ : copy_in_)[copy.tensor] = i;
    }
  }
  void add_copy(std::uint32_t tensor, ClockCopy::Queue queue, Bytes bytes, double ns) {
    const OpId maker = graph_.producer_of[tensor];
    out_.copies.push_back({tensor, tensor - graph_.ops[maker.index()].first_tensor, queue, bytes,
                           ns, kNoRoom, step_at(maker)});
  }
  [[nodiscard]] std::uint32_t step_at(OpId op) const {
    return static_cast<std::uint32_t>(step_of_[op.index()]);
  }

  std::uint32_t add_room(std::uint32_t buffer, TensorId tensor, std::uint32_t over) {
    ClockRoom room;
    room.bytes = step_.buffers[buffer].bytes;
    room.buffer = buffer;
    room.tensor = tensor;
    room.over = over;
    out_.rooms.push_back(room);
    return static_cast<std::uint32_t>(out_.rooms.size()) - 1;
  }

  // A room for each buffer, and one more for each result that was written over what lay in it.
  void add_rooms() {
    out_.room_of.assign(graph_.tensors.size(), kNoRoom);
    std::vector<std::uint32_t> room_in(step_.buffers.size(), kNoRoom);
    const std::vector<std::pair<std::size_t, std::uint32_t>> holds = find_holds();
    auto hold = holds.begin();
    out_.takes.reserve(schedule_.size(), step_.buffers.size());
    out_.rooms.reserve(step_.buffers.size());
    for (std::size_t step = 0; step < schedule_.size(); ++step) {
      const OpId op = schedule_[step];
      const StepOp& entry = graph_.ops[op.index()];
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        const std::uint32_t tensor = entry.first_tensor + slot;
        const std::uint32_t buffer = device_buffer(tensor);
        if (buffer == kNoRoom) continue;
        std::uint32_t& room = room_in[buffer];
        if (room == kNoRoom || step_.is_in_place[tensor]) {
          room = add_room(buffer, {op, slot}, room);
          if (copy_in_[tensor] == kNoRoom) out_.takes.add(room);
        }
        out_.room_of[tensor] = room;
      }
      for (; hold != holds.end() && hold->first == step; ++hold) {
        const std::uint32_t buffer = hold->second;
        held_until_.emplace_back(last_device_step(buffer),
                                 add_room(buffer, step_.buffers[buffer].tensor, kNoRoom));
        out_.takes.add(held_until_.back().second);
      }
      out_.takes.end_list();
    }
    for (ClockCopy& copy : out_.copies) copy.room = out_.room_of[copy.tensor];
  }

  // What loops keep belongs to no tensor. It is taken by the first device op from the step on at
  // which it begins.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::uint32_t>> find_holds() const {
    std::vector<std::pair<std::size_t, std::uint32_t>> holds;
    for (std::uint32_t i = 0; i < step_.buffers.size(); ++i) {
      const StepBuffer& buffer = step_.buffers[i];
      if (!buffer.is_held) continue;
      auto step = static_cast<std::size_t>(buffer.from_step);
      while (step < out_.ops.size() && !out_.ops[step].is_on_device) ++step;
      if (step < out_.ops.size()) holds.emplace_back(step, i);
    }
    std::sort(holds.begin(), holds.end());
    return holds;
  }
  [[nodiscard]] std::size_t last_device_step(std::uint32_t buffer) const {
    const StepBuffer& held = step_.buffers[buffer];
    auto step = static_cast<std::size_t>(held.to_step);
    while (step > static_cast<std::size_t>(held.from_step) && !out_.ops[step].is_on_device) --step;
    while (!out_.ops[step].is_on_device) ++step;  // it was only taken then
    return step;
  }

  // Not where a loop has given back what it began with by the round that is shown.
  [[nodiscard]] bool is_there(std::uint32_t room, std::size_t step) const {
    return graph_.rounds == nullptr ||
           step <= static_cast<std::size_t>(step_.buffers[out_.rooms[room].buffer].to_step);
  }
  void use(std::uint32_t room) {
    ++out_.rooms[room].uses;
    out_.releases.add(room);
  }
  void add_uses() {
    out_.releases.reserve(schedule_.size(), graph_.inputs.size() + out_.rooms.size());
    out_.swapped_in.reserve(schedule_.size(), out_.copies.size());
    std::sort(held_until_.begin(), held_until_.end());
    std::size_t held = 0;
    for (std::size_t step = 0; step < schedule_.size(); ++step) {
      const OpId op = schedule_[step];
      for (const StepInput& input : graph_.inputs_of(op)) {
        if (input.is_back_edge || input.space != Space::kDevice) continue;
        const std::uint32_t room = out_.room_of[input.tensor];
        if (room != kNoRoom && is_there(room, step)) use(room);
        if (!comes_from_elsewhere_[input.tensor]) continue;
        const std::uint32_t copy = copy_in_[input.tensor];
        if (copy != kNoRoom && out_.copies[copy].queue == ClockCopy::Queue::kIn) {
          out_.swapped_in.add(copy);
        }
      }
      out_.swapped_in.end_list();
      // Whatever it takes is used by itself.
      for (const std::uint32_t room : out_.takes.of(step)) {
        const StepBuffer& buffer = step_.buffers[out_.rooms[room].buffer];
        if (!buffer.is_held) use(room);
        if (buffer.is_kept) ++out_.rooms[room].uses;  // to the end of the step
      }
      for (; held < held_until_.size() && held_until_[held].first == step; ++held) {
        use(held_until_[held].second);
      }
      out_.releases.end_list();
    }
    for (const ClockCopy& copy : out_.copies) {
      if (copy.room == kNoRoom) continue;
      ClockRoom& room = out_.rooms[copy.room];
      if (copy.queue == ClockCopy::Queue::kOut) {
        ++room.copies_out;
        continue;
      }
      ++room.uses;
      if (step_.buffers[room.buffer].is_kept) ++room.uses;
    }
  }

  // The copy by which an input comes; else the op that makes it.
  [[nodiscard]] std::uint32_t source_of(const StepInput& input, std::uint32_t maker) const {
    std::uint32_t copy = kNoRoom;
    if (input.space == Space::kDevice) copy = copy_in_[input.tensor];
    if (input.space == Space::kHost) copy = copy_out_[input.tensor];
    return copy == kNoRoom ? maker : node_of(copy);
  }
  [[nodiscard]] std::uint32_t node_of(std::uint32_t copy) const {
    return static_cast<std::uint32_t>(schedule_.size()) + copy;
  }
  // Only what comes later waits: steps are in topological order but for the loops of the graph.
  void wait(std::uint32_t node, std::uint32_t source) {
    const std::size_t steps = out_.ops.size();
    if (node < steps) {
      if ((source < steps ? source : out_.copies[source - steps].step) >= node) return;
      const bool is_in_order = source < steps && out_.ops[source].is_on_device;
      if (is_in_order && out_.ops[node].is_on_device) return;
    }
    ++out_.pending[node];
    edges_.emplace_back(source, node);
  }
  void add_edges() {
    const std::size_t nodes = schedule_.size() + out_.copies.size();
    out_.pending.assign(nodes, 0);
    edges_.reserve(8 * out_.copies.size());
    for (std::uint32_t step = 0; step < schedule_.size(); ++step) {
      const OpId op = schedule_[step];
      const bool is_on_device = out_.ops[step].is_on_device;
      for (const StepInput& input : graph_.inputs_of(op)) {
        // Nearly all of them.
        if (is_on_device && !comes_from_elsewhere_[input.tensor]) continue;
        const OpId maker = graph_.producer_of[input.tensor];
        if (input.is_back_edge || step_of_[maker.index()] < 0) continue;
        wait(step, source_of(input, step_at(maker)));
      }
      for (const OpId control : graph_.controls_of(op)) {
        if (step_of_[control.index()] >= 0) wait(step, step_at(control));
      }
    }
    for (std::uint32_t i = 0; i < out_.copies.size(); ++i) {
      wait(node_of(i), out_.copies[i].step);
    }
    out_.successors = IndexLists::of_pairs(nodes, edges_);
  }

  const StepGraph& graph_;
  const FaithfulStep& step_;
  const CostModel& costs_;
  ClockInput& out_;
  const std::vector<OpId>& schedule_;
  std::vector<std::int32_t> step_of_;               // by op
  std::vector<std::uint32_t> copy_out_, copy_in_;   // by tensor
  std::vector<std::uint8_t> comes_from_elsewhere_;  // by tensor: from an op or copy that is not
                                                    // one of the device's ops
  std::vector<std::pair<std::size_t, std::uint32_t>> held_until_;  // step and room
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace

IndexLists IndexLists::of_pairs(std::size_t lists,
                                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  IndexLists made;
  made.ends_.assign(lists + 1, 0);
  for (const auto& [list, item] : pairs) ++made.ends_[list + 1];
  for (std::size_t i = 0; i < lists; ++i) made.ends_[i + 1] += made.ends_[i];
  made.items_.resize(pairs.size());
  std::vector<std::uint32_t> next(made.ends_.begin(), made.ends_.end() - 1);
  for (const auto& [list, item] : pairs) made.items_[next[list]++] = item;
  return made;
}

ClockInput::ClockInput(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  ClockFlattening(graph, step, costs, *this).run();
}

}  // namespace tideline
