// Problem: in the compatible model every tensor has a buffer of its own. A real executor lets ReLU
// write into the buffer of its input, allocates nothing for Reshape, keeps variables, slots and
// constants in memory all the time, runs only what the fetched op needs, and rounds the size of
// every buffer up.
// Idea: count references to buffers, not to tensors. An output shares the buffer of an input if the
// op always does that (an alias), or may do so (in place) and the buffer has no further reader. A
// tensor read in another space gets a buffer there, allocated right after its producer; a swap then
// needs no special treatment: swap-out and swap-in are two aliases on the host.
//   conv -> relu -> pool, and gradients read relu later: relu takes over conv's buffer (its only
//   reader). It lives until the gradient has run or, if relu is swapped, until pool has run: the
//   copy to the host is made right after relu, and a new buffer right after the swap-in.
// Cost: O(ops + edges).
// Limits: one order of the ops, no fragmentation, scratch memory of ops only where it was measured,
// sizes as far as shapes are known; a Merge takes over the buffer of its first input.
// Source: TensorFlow executor and OpKernelContext::forward_input_or_allocate_output (behaviour
// only). Tested by unit/memory/faithful_test.cc and property/prediction_property.cc.
#include "core/memory/faithful.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/memory/loop_memory.h"

namespace tideline {
namespace {

class StepRun {
 public:
  StepRun(const StepGraph& graph, StepSchedule schedule, StepDetail detail)
      : graph_(graph),
        schedule_(std::move(schedule)),
        detail_(detail),
        tensors_(graph.tensors.size()) {
    result_.is_in_place.resize(graph.tensors.size());
  }

  FaithfulStep run() {
    count_reads();
    pin();
    place_holds();
    const auto count = static_cast<std::int32_t>(schedule_.ops.size());
    auto& timeline = result_.timeline;
    timeline.device.reserve(schedule_.ops.size());
    for (at_ = 0; at_ < count; ++at_) {
      const OpId op = schedule_.ops[static_cast<std::size_t>(at_)];
      const StepOp& entry = graph_.ops[op.index()];
      begin_holds();
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) place(op, slot);
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        move_out(op, entry.first_tensor + slot);
      }
      timeline.device.push_back(timeline.resident_bytes + used_ + entry.scratch);
      measure_need(op);
      release(op);
      end_holds();
    }
    finish();
    return std::move(result_);
  }

 private:
  // The buffers of one tensor, by Space (kDevice and kHost).
  struct Places {
    std::array<std::uint32_t, 2> buffer = {kNoBuffer, kNoBuffer};
    std::array<std::int32_t, 2> reads = {0, 0};
  };
  // What the walk needs to know of a buffer, beside result_.buffers.
  struct Count {
    std::int32_t references = 0;
    std::int32_t taken_at = -1;   // step at which an output took it over
    std::int32_t needed_at = -1;  // last step that counted it
  };
  struct Held {
    const StepHold* hold;
    std::int32_t from, to;
    std::uint32_t buffer;
  };
  struct Move {
    std::uint32_t tensor;
    std::uint32_t from, to;
    OpId after;
  };

  static std::size_t index(Space space) { return static_cast<std::size_t>(space); }

  void count_reads() {
    for (const OpId op : schedule_.ops) {
      for (const StepInput& input : graph_.inputs_of(op)) {
        if (input.is_back_edge || input.space == Space::kElsewhere) continue;
        ++tensors_[input.tensor].reads[index(input.space)];
      }
    }
  }

  // Variables and the constants that run are there from the beginning to the end.
  void pin() {
    Bytes& resident = result_.timeline.resident_bytes;
    for (const LiveTensor& variable : graph_.variables) resident += variable.bytes;
    for (const OpId op : schedule_.ops) {
      const StepOp& entry = graph_.ops[op.index()];
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        const StepTensor& tensor = graph_.tensors[entry.first_tensor + slot];
        if (!tensor.is_pinned || tensor.home == Space::kElsewhere) continue;
        const std::uint32_t buffer = make({op, slot}, tensor, tensor.home, 0);
        result_.buffers[buffer].is_pinned = true;
        tensors_[entry.first_tensor + slot].buffer[index(tensor.home)] = buffer;
        if (tensor.home == Space::kDevice) resident += tensor.bytes;
      }
    }
  }

  [[nodiscard]] std::int32_t last_step(const std::vector<OpId>& ops) const {
    std::int32_t last = -1;
    for (const OpId op : ops) last = std::max(last, schedule_.step[op.index()]);
    return last;
  }
  // When each hold begins and ends in this schedule.
  void place_holds() {
    const auto end = static_cast<std::int32_t>(schedule_.ops.size()) - 1;
    for (const StepHold& hold : graph_.holds) {
      const std::int32_t put_at = schedule_.step[hold.by.index()];
      if (put_at < 0 || graph_.tensors[hold.tensor].home != Space::kDevice) continue;
      // TensorFlow puts nothing into a stack that nobody takes from.
      const bool is_dropped = graph_.folding && !hold.takes.empty() && last_step(hold.takes) < 0;
      if (is_dropped) continue;
      Held held{&hold, std::min(last_step(hold.from), put_at), last_step(hold.to), {}};
      if (held.from < 0) held.from = put_at;
      if (held.to < 0) held.to = end;
      held.to = std::max(held.to, held.from);
      held_.push_back(held);
    }
    std::stable_sort(held_.begin(), held_.end(),
                     [](const Held& a, const Held& b) { return a.from < b.from; });
  }
  void begin_holds() {
    for (; next_held_ < held_.size() && held_[next_held_].from == at_; ++next_held_) {
      const StepHold& hold = *held_[next_held_].hold;
      const OpId maker = graph_.producer_of[hold.tensor];
      StepTensor tensor = graph_.tensors[hold.tensor];
      tensor.bytes = hold.bytes;
      const std::uint32_t buffer = make(
          {maker, hold.tensor - graph_.ops[maker.index()].first_tensor}, tensor, Space::kDevice, 1);
      result_.buffers[buffer].values = hold.values;
      result_.buffers[buffer].is_held = true;
      used_ += hold.bytes;
      held_[next_held_].buffer = buffer;
    }
  }
  void end_holds() {
    for (std::size_t i = 0; i < next_held_; ++i) {
      if (held_[i].to == at_) free(held_[i].buffer);
    }
  }

  std::uint32_t make(TensorId id, const StepTensor& tensor, Space space, std::int32_t references) {
    StepBuffer buffer;
    buffer.tensor = id;
    buffer.bytes = tensor.bytes;
    buffer.space = space;
    buffer.kind = tensor.kind;
    buffer.from_step = at_;
    result_.buffers.push_back(buffer);
    counts_.push_back({references, -1, -1});
    return static_cast<std::uint32_t>(counts_.size()) - 1;
  }
  std::uint32_t allocate(TensorId id, const StepTensor& tensor, Space space, std::int32_t reads) {
    const std::uint32_t buffer = make(id, tensor, space, reads);
    if (space == Space::kDevice) used_ += tensor.bytes;
    if (reads == 0) unread_.push_back(buffer);
    return buffer;
  }

  // The buffer of an input that output `slot` lies in; kNoBuffer when it gets its own.
  [[nodiscard]] std::uint32_t shared(OpId op, std::uint32_t slot, const StepTensor& tensor) {
    const auto inputs = graph_.inputs_of(op);
    for (const StepLink& link : graph_.links_of(op)) {
      if (link.output != slot || link.input >= inputs.size()) continue;
      const StepInput& input = inputs[link.input];
      if (input.space != tensor.home) continue;
      const std::uint32_t buffer = tensors_[input.tensor].buffer[index(input.space)];
      if (buffer == kNoBuffer) continue;
      const StepTensor& taken = graph_.tensors[input.tensor];
      const bool is_equal = taken.content == tensor.content && taken.type == tensor.type;
      if (link.is_alias && (is_equal || !link.if_equal)) return buffer;
      if (link.is_alias) continue;
      Count& count = counts_[buffer];
      const bool is_last =
          !result_.buffers[buffer].is_pinned && count.references == 1 && count.taken_at != at_;
      if (is_last && is_equal) {
        count.taken_at = at_;
        result_.is_in_place[graph_.ops[op.index()].first_tensor + slot] = true;
        return buffer;
      }
    }
    return kNoBuffer;
  }

  void place(OpId op, std::uint32_t slot) {
    const std::uint32_t id = graph_.ops[op.index()].first_tensor + slot;
    const StepTensor& tensor = graph_.tensors[id];
    if (tensor.is_pinned || tensor.home == Space::kElsewhere) return;
    Places& places = tensors_[id];
    // A fed value that is swapped out is a copy, which is freed.
    const bool is_kept = tensor.is_fed && places.reads[index(Space::kHost)] == 0;
    const std::int32_t reads = places.reads[index(tensor.home)] + (is_kept ? 1 : 0);
    // TensorFlow takes lists that nobody reads, in any space, out of its loops.
    const bool is_read = places.reads[0] > 0 || places.reads[1] > 0;
    if (tensor.type == DataType::kVariant && !is_read) return;
    std::uint32_t buffer = shared(op, slot, tensor);
    if (buffer == kNoBuffer) {
      buffer = allocate({op, slot}, tensor, tensor.home, reads);
    } else {
      counts_[buffer].references += reads;
    }
    places.buffer[index(tensor.home)] = buffer;
  }

  // Copies of a tensor for those who read it in another space.
  void move_out(OpId op, std::uint32_t id) {
    const StepTensor& tensor = graph_.tensors[id];
    Places& places = tensors_[id];
    const std::uint32_t slot = id - graph_.ops[op.index()].first_tensor;
    for (const Space space : {Space::kDevice, Space::kHost}) {
      const std::int32_t reads = places.reads[index(space)];
      if (space == tensor.home || reads == 0) continue;
      const std::uint32_t buffer = allocate({op, slot}, tensor, space, reads);
      result_.buffers[buffer].is_copy = true;
      places.buffer[index(space)] = buffer;
      if (tensor.home == Space::kElsewhere) continue;
      const std::uint32_t source = places.buffer[index(tensor.home)];
      // A host copy of a device tensor that is read back: a swap.
      StepBuffer& origin = result_.buffers[source];
      if (space == Space::kDevice && origin.is_copy) {
        origin.is_swapped = true;
        result_.buffers[buffer].is_swapped = true;
        result_.buffers[buffer].kind = MemoryKind::kSwapped;
      }
      moves_.push_back({id, source, buffer, op});
    }
  }

  void need(std::uint32_t buffer, Bytes& sum) {
    if (buffer == kNoBuffer || counts_[buffer].needed_at == at_) return;
    counts_[buffer].needed_at = at_;
    const StepBuffer& about = result_.buffers[buffer];
    if (about.space == Space::kDevice && !about.is_pinned) sum += about.bytes;
  }
  void measure_need(OpId op) {
    Bytes sum = 0;
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.space == Space::kDevice) need(tensors_[input.tensor].buffer[0], sum);
    }
    const StepOp& entry = graph_.ops[op.index()];
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      need(tensors_[entry.first_tensor + slot].buffer[0], sum);
    }
    sum += entry.scratch;
    result_.timeline.largest_need = std::max(result_.timeline.largest_need, sum);
  }

  void release(OpId op) {
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.is_back_edge || input.space == Space::kElsewhere) continue;
      const std::uint32_t buffer = tensors_[input.tensor].buffer[index(input.space)];
      if (buffer == kNoBuffer) continue;
      result_.buffers[buffer].last_reader = op;
      if (--counts_[buffer].references == 0) free(buffer);
    }
    for (const std::uint32_t buffer : unread_) free(buffer);
    unread_.clear();
  }
  void free(std::uint32_t buffer) {
    StepBuffer& about = result_.buffers[buffer];
    if (about.is_pinned || about.to_step >= 0) return;
    about.to_step = at_;
    if (about.space == Space::kDevice) used_ -= about.bytes;
  }

  void finish() {
    auto& timeline = result_.timeline;
    timeline.model = "faithful";
    const auto last = static_cast<std::int32_t>(schedule_.ops.size()) - 1;
    for (StepBuffer& buffer : result_.buffers) {
      if (buffer.to_step >= 0) continue;
      buffer.to_step = last;
      buffer.is_kept = true;
    }
    timeline.device_peak = timeline.resident_bytes;
    for (std::int32_t step = 0; step <= last; ++step) {
      const Bytes live = timeline.device[static_cast<std::size_t>(step)];
      if (step > 0 && live <= timeline.device_peak) continue;
      timeline.device_peak = live;
      timeline.peak_step = step;
      timeline.peak_level = schedule_.level[static_cast<std::size_t>(step)];
    }
    add_host();
    add_moves();
    timeline.schedule = std::move(schedule_.ops);
    timeline.level = std::move(schedule_.level);
    if (detail_ == StepDetail::kAll) {
      set_alive_at_peak(graph_, result_);
      finish_timeline(timeline);
    }
    result_.buffers_of.reserve(tensors_.size());
    for (const Places& places : tensors_) result_.buffers_of.push_back(places.buffer);
  }

  void add_host() {
    auto& host = result_.timeline.host;
    host.assign(schedule_.ops.size() + 1, 0);
    for (const StepBuffer& buffer : result_.buffers) {
      if (buffer.space != Space::kHost || !buffer.is_swapped) continue;
      host[static_cast<std::size_t>(buffer.from_step)] += buffer.bytes;
      host[static_cast<std::size_t>(buffer.to_step) + 1] -= buffer.bytes;
    }
    for (std::size_t i = 1; i < host.size(); ++i) host[i] += host[i - 1];
    host.pop_back();
    for (const Bytes live : host) {
      result_.timeline.host_peak = std::max(result_.timeline.host_peak, live);
    }
  }

  void add_moves() {
    auto& timeline = result_.timeline;
    for (const Move& move : moves_) {
      const bool to_host = result_.buffers[move.to].space == Space::kHost;
      if (!result_.buffers[move.to].is_swapped) continue;
      const Bytes bytes = result_.buffers[move.to].bytes;
      result_.transfers.push_back({move.tensor, move.after, bytes, to_host});
      (to_host ? timeline.bytes_out : timeline.bytes_in) += bytes;
      ++(to_host ? timeline.swapped_out_tensors : timeline.swap_ins);
    }
  }

  const StepGraph& graph_;
  StepSchedule schedule_;
  StepDetail detail_;
  std::vector<Places> tensors_;
  std::vector<Count> counts_;  // by buffer
  std::vector<std::uint32_t> unread_;
  std::vector<Move> moves_;
  std::vector<Held> held_;     // by the step at which they begin
  std::size_t next_held_ = 0;  // the first that has not begun
  std::int32_t at_ = 0;
  Bytes used_ = 0;
  FaithfulStep result_;
};

}  // namespace

void set_alive_at_peak(const StepGraph& graph, FaithfulStep& step) {
  MemoryTimeline& timeline = step.timeline;
  const auto last = static_cast<std::int32_t>(timeline.schedule.size()) - 1;
  timeline.alive_at_peak = graph.variables;
  for (LiveTensor& variable : timeline.alive_at_peak) variable.to_step = last;
  for (const StepBuffer& buffer : step.buffers) {
    if (buffer.space != Space::kDevice || buffer.bytes == 0) continue;
    const bool is_there =
        buffer.from_step <= timeline.peak_step && timeline.peak_step <= buffer.to_step;
    if (!is_there && !buffer.is_pinned) continue;
    timeline.alive_at_peak.push_back({buffer.tensor, buffer.bytes, buffer.kind, buffer.last_reader,
                                      buffer.from_step, buffer.to_step, buffer.values});
  }
}

FaithfulStep simulate_step(const StepGraph& graph, StepDetail detail) {
  if (graph.folding && graph.rounds) {
    if (auto step = simulate_loops(graph)) return *std::move(step);
  }
  return simulate_step(graph, schedule_step(graph), detail);
}

FaithfulStep simulate_step(const StepGraph& graph, StepSchedule schedule, StepDetail detail) {
  return StepRun(graph, std::move(schedule), detail).run();
}

}  // namespace tideline
