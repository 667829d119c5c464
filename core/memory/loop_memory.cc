// Problem: charts, plans and the clock know each op of a step once; the rounds of a loop run it
// many times, and some of them hold much, others little.
//
// Idea: simulate all rounds that are written (unrolled_step.h) and show one of each loop: the one
// with the most memory, so that the peak is among what is shown. Its ops keep the place that they
// have among all others; so each of them has the memory that there is when it runs. A buffer is
// shown as long as some op that is shown runs while it is there. Where it is none of the round that
// is shown, or is there only because a container holds it, it is held: it belongs to no tensor, and
// equal ones of several rounds are one buffer of many values.
//
// Of a loop of which not all rounds are written the middle one stands for those that are left out:
// what it leaves behind when the loop is over counts for each of them.
//   10,000 rounds, 64 written, each pushes 1 KiB: 63 x 1 KiB + 9,937 x 1 KiB
//
// Limits: what rounds hold of each other while they run counts as far as the written rounds show
// it. Source: own. Tested by unit/memory/loop_memory_test.cc and integration/as_run_test.py.
#include "core/memory/loop_memory.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/memory/unrolled_step.h"

namespace tideline {
namespace {

constexpr std::uint32_t kOutside = StepRounds::kNone;

class RoundsShown {
 public:
  RoundsShown(const StepGraph& step, const WrittenRounds& rounds, const UnrolledStep& all,
              FaithfulStep run)
      : step_(step), rounds_(rounds), all_(all), run_(std::move(run)) {}

  FaithfulStep show() {
    count_middles();
    choose_rounds();
    place_ops();
    find_own();
    for (std::uint32_t i = 0; i < run_.buffers.size(); ++i) add_buffer(i);
    add_held();
    fill_timeline();
    return std::move(result_);
  }

 private:
  struct Use {
    std::int32_t first = -1, last = -1;  // steps that are shown, of the ops that have it as theirs
    TensorId tensor;
  };
  struct Steps {
    std::int32_t first = 0, last = -1;
  };

  [[nodiscard]] std::size_t last_shown() const { return shown_.size() - 1; }

  // Buffers that the middle round of a loop leaves behind count for those that are not written.
  void count_middles() {
    device_ = run_.timeline.device;
    host_ = run_.timeline.host;
    times_.reserve(run_.buffers.size());
    std::vector<Bytes> more(device_.size() + 1), more_on_host(device_.size() + 1);
    for (const StepBuffer& buffer : run_.buffers) {
      const std::int64_t times = times_of(buffer);
      times_.push_back(times);
      if (times == 1 || buffer.is_pinned || buffer.space == Space::kElsewhere) continue;
      if (buffer.space == Space::kHost && !buffer.is_swapped) continue;
      auto& sums = buffer.space == Space::kDevice ? more : more_on_host;
      const Bytes bytes = bytes_of(buffer, times - 1);
      sums[static_cast<std::size_t>(buffer.from_step)] += bytes;
      sums[static_cast<std::size_t>(buffer.to_step) + 1] -= bytes;
    }
    Bytes on_device = 0, on_host = 0;
    for (std::size_t i = 0; i < device_.size(); ++i) {
      device_[i] += on_device += more[i];
      host_[i] += on_host += more_on_host[i];
    }
  }
  [[nodiscard]] std::int64_t times_of(const StepBuffer& buffer) const {
    const std::uint32_t tensor = all_.graph.tensor(buffer.tensor);
    if (all_.elements[tensor] > 0) return all_.elements[tensor];
    const std::size_t op = buffer.tensor.op.index();
    if (!all_.op_of[op].valid()) return 1;
    std::int64_t times = 1;
    std::uint32_t round = all_.round_of[op];
    for (std::uint32_t loop = rounds_.loop_of(all_.op_of[op]); loop != kOutside;
         loop = rounds_.parent(loop)) {
      const WrittenLoop& written = rounds_.loops()[loop];
      const std::uint32_t last = round - round % written.rounds + written.rounds - 1;
      const std::int32_t end = all_.schedule.step[all_.end_of(loop, last).index()];
      if (written.times > 1 && round % written.rounds == written.middle && buffer.to_step > end) {
        times = checked_multiply(times, written.times).value_or(times);
      }
      round /= written.rounds;
    }
    return times;
  }
  // Far from the limits: so that sums of them cannot overflow.
  static Bytes bytes_of(const StepBuffer& buffer, std::int64_t times) {
    constexpr Bytes kMost = Bytes{1} << 55;
    return std::min(checked_multiply(buffer.bytes, times).value_or(kMost), kMost);
  }

  // Of each loop the round in which most is held.
  void choose_rounds() {
    std::vector<std::vector<Bytes>> most;
    for (std::uint32_t loop = 0; loop < rounds_.loops().size(); ++loop) {
      most.emplace_back(rounds_.count(loop));
    }
    for (std::size_t i = 0; i < device_.size(); ++i) {
      const std::size_t op = all_.schedule.ops[i].index();
      if (!all_.op_of[op].valid()) continue;
      std::uint32_t round = all_.round_of[op];
      for (std::uint32_t loop = rounds_.loop_of(all_.op_of[op]); loop != kOutside;
           loop = rounds_.parent(loop)) {
        most[loop][round] = std::max(most[loop][round], device_[i]);
        round /= rounds_.loops()[loop].rounds;
      }
    }
    for (std::size_t loop = 0; loop < most.size(); ++loop) {
      const WrittenLoop& written = rounds_.loops()[loop];
      const std::uint32_t around = written.parent == kOutside ? 0 : round_[written.parent];
      const std::uint32_t first = around * written.rounds;
      std::uint32_t chosen = first;
      for (std::uint32_t round = first; round < first + written.rounds - 1; ++round) {
        if (most[loop][round] > most[loop][chosen]) chosen = round;
      }
      round_.push_back(chosen);
    }
  }
  void place_ops() {
    for (const OpId op : rounds_.ops()) {
      const std::uint32_t loop = rounds_.loop_of(op);
      const std::uint32_t round = loop == kOutside ? 0 : round_[loop];
      const std::int32_t step = all_.schedule.step[all_.at(op, round).index()];
      if (step >= 0) shown_.push_back(step);
    }
    std::sort(shown_.begin(), shown_.end());
  }
  [[nodiscard]] OpId written_op(std::size_t shown) const {
    return all_.schedule.ops[static_cast<std::size_t>(shown_[shown])];
  }

  // Which buffers the ops that are shown have as theirs, and until when they use them.
  void find_own() {
    own_.resize(run_.buffers.size());
    result_.buffers_of.assign(step_.tensors.size(), {kNoBuffer, kNoBuffer});
    result_.is_in_place.resize(step_.tensors.size());
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const auto at = static_cast<std::int32_t>(i);
      const OpId written = written_op(i);
      const OpId op = all_.op_of[written.index()];
      for (const StepInput& input : all_.graph.inputs_of(written)) {
        if (input.space == Space::kElsewhere) continue;
        const std::uint32_t buffer =
            run_.buffers_of[input.tensor][static_cast<std::size_t>(input.space)];
        if (buffer != kNoBuffer && own_[buffer].first >= 0) own_[buffer].last = at;
      }
      const StepOp& entry = step_.ops[op.index()];
      const std::uint32_t first = all_.graph.ops[written.index()].first_tensor;
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        result_.is_in_place[entry.first_tensor + slot] = run_.is_in_place[first + slot];
        for (const std::uint32_t buffer : run_.buffers_of[first + slot]) {
          if (buffer == kNoBuffer) continue;
          Use& use = own_[buffer];
          if (use.first < 0) use = {at, at, {op, slot}};
          use.last = at;
        }
      }
    }
  }

  // The steps that are shown while a buffer is there.
  [[nodiscard]] Steps steps_of(const StepBuffer& buffer) const {
    const auto from = std::lower_bound(shown_.begin(), shown_.end(), buffer.from_step);
    const auto to = std::upper_bound(shown_.begin(), shown_.end(), buffer.to_step);
    return {static_cast<std::int32_t>(from - shown_.begin()),
            static_cast<std::int32_t>(to - shown_.begin()) - 1};
  }
  void add_buffer(std::uint32_t index) {
    const StepBuffer& buffer = run_.buffers[index];
    const Use& own = own_[index];
    Steps steps = steps_of(buffer);
    if (own.first < 0) {
      if (!buffer.is_pinned) hold(index, steps);
      return;
    }
    StepBuffer shown = buffer;
    shown.tensor = own.tensor;
    if (buffer.last_reader.valid()) shown.last_reader = all_.op_of[buffer.last_reader.index()];
    if (buffer.is_pinned) {
      shown.bytes = step_.tensors[step_.tensor(own.tensor)].bytes;
      shown.from_step = 0;
      shown.to_step = static_cast<std::int32_t>(last_shown());
    } else {
      hold(index, {steps.first, own.first - 1});
      shown.from_step = own.first;
      shown.to_step = steps.last;
      if (!buffer.is_kept) {
        hold(index, {own.last + 1, steps.last});
        shown.to_step = std::min(steps.last, own.last);
      }
      shown.bytes = bytes_of(buffer, times_[index]);
      shown.values = times_[index];
    }
    made_.emplace_back(std::move(shown), index);
  }
  void hold(std::uint32_t index, Steps steps) {
    if (steps.first > steps.last) return;
    const StepBuffer& buffer = run_.buffers[index];
    const std::uint32_t tensor = all_.tensor_of[all_.graph.tensor(buffer.tensor)];
    StepBuffer& held = held_[{steps.first, steps.last, tensor, buffer.space}];
    if (held.values == 0 || !held.is_held) {
      const OpId maker = step_.producer_of[tensor];
      held = buffer;
      held.tensor = {maker, tensor - step_.ops[maker.index()].first_tensor};
      held.last_reader = OpId{};
      held.from_step = steps.first;
      held.to_step = steps.last;
      held.is_copy = held.is_kept = held.is_swapped = false;
      held.is_held = true;
      held.bytes = 0;
      held.values = 0;
    }
    if (buffer.last_reader.valid()) held.last_reader = all_.op_of[buffer.last_reader.index()];
    held.bytes += bytes_of(buffer, times_[index]);
    held.values += times_[index];
  }

  void add_held() {
    for (auto& [key, held] : held_) made_.emplace_back(held, kNoBuffer);
    std::stable_sort(made_.begin(), made_.end(), [](const auto& a, const auto& b) {
      return a.first.from_step < b.first.from_step;
    });
    std::vector<std::uint32_t> shown_as(run_.buffers.size(), kNoBuffer);
    for (auto& [buffer, index] : made_) {
      if (index != kNoBuffer) shown_as[index] = static_cast<std::uint32_t>(result_.buffers.size());
      result_.buffers.push_back(buffer);
    }
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const OpId written = written_op(i);
      const StepOp& entry = step_.ops[all_.op_of[written.index()].index()];
      const std::uint32_t first = all_.graph.ops[written.index()].first_tensor;
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        for (std::size_t space = 0; space < 2; ++space) {
          const std::uint32_t buffer = run_.buffers_of[first + slot].at(space);
          if (buffer != kNoBuffer) {
            result_.buffers_of[entry.first_tensor + slot].at(space) = shown_as[buffer];
          }
        }
      }
    }
  }

  void fill_timeline() {
    MemoryTimeline& timeline = result_.timeline;
    timeline.model = run_.timeline.model;
    timeline.resident_bytes = timeline.device_peak = run_.timeline.resident_bytes;
    timeline.largest_need = run_.timeline.largest_need;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const auto step = static_cast<std::size_t>(shown_[i]);
      timeline.schedule.push_back(all_.op_of[written_op(i).index()]);
      timeline.level.push_back(all_.schedule.level[step]);
      timeline.device.push_back(device_[step]);
      timeline.host.push_back(host_[step]);
      timeline.host_peak = std::max(timeline.host_peak, host_[step]);
      if (i > 0 && device_[step] <= timeline.device_peak) continue;
      timeline.device_peak = device_[step];
      timeline.peak_step = static_cast<std::int32_t>(i);
      timeline.peak_level = timeline.level.back();
    }
    add_transfers();
    set_alive_at_peak(step_, result_);
    finish_timeline(timeline);
  }
  // Of the rounds that are shown.
  void add_transfers() {
    MemoryTimeline& timeline = result_.timeline;
    for (const StepTransfer& transfer : run_.transfers) {
      const OpId maker = all_.graph.producer_of[transfer.tensor];
      const OpId op = all_.op_of[maker.index()];
      const std::uint32_t loop = rounds_.loop_of(op);
      if (loop != kOutside && all_.round_of[maker.index()] != round_[loop]) continue;
      StepTransfer shown = transfer;
      shown.tensor = all_.tensor_of[transfer.tensor];
      shown.after = op;
      result_.transfers.push_back(shown);
      (shown.to_host ? timeline.bytes_out : timeline.bytes_in) += shown.bytes;
      ++(shown.to_host ? timeline.swapped_out_tensors : timeline.swap_ins);
    }
  }

  const StepGraph& step_;
  const WrittenRounds& rounds_;
  const UnrolledStep& all_;
  FaithfulStep run_;
  std::vector<Bytes> device_, host_;  // by step
  std::vector<std::int64_t> times_;   // by buffer
  std::vector<std::uint32_t> round_;  // by loop: the one that is shown
  std::vector<std::int32_t> shown_;   // the steps that are shown, ascending
  std::vector<Use> own_;              // by buffer
  std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t, Space>, StepBuffer> held_;
  std::vector<std::pair<StepBuffer, std::uint32_t>> made_;  // and which buffer it was
  FaithfulStep result_;
};

}  // namespace

std::optional<FaithfulStep> simulate_loops(const StepGraph& graph) {
  const auto rounds = WrittenRounds::choose(graph);
  if (!rounds) return std::nullopt;
  const auto all = unroll(graph, *rounds);
  if (!all) return std::nullopt;
  return RoundsShown(graph, *rounds, *all, simulate_step(all->graph, all->schedule)).show();
}

}  // namespace tideline
