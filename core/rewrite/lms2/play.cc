// Problem: which parameters of LMS v2 keep a step within a budget? The reference simulates
// ("plays") the step: it visits the ops in a possible order of execution and counts live memory.
// Idea: the same simulation on arrays that are prepared once (play_graph.h), because a search plays
// dozens of times. For each op: inputs that are not in memory are allocated, outputs are allocated,
// every input loses a reference, outputs with far consumers get a host copy and lose the references
// of these, tensors without references are freed, and swap-ins triggered by this op are allocated.
//   a (level 0) -> b (1), c (9); threshold 5: after a, one reference is left for b, and c forms a
//   group; b runs and a is freed; the trigger of c, say at level 7, allocates the group again.
// The reference stops when a tensor does not fit. Since memory only grows between two frees, a play
// fits a budget exactly if its peak is below the budget; so there is no budget here.
// Cost: O(steps + inputs + consumers of swapped tensors).
// Limits, as in the reference: copies take no time, no buffers are shared, nothing is done in
// place, unknown dims are 1, and ops of one level run in file order.
// Source: IBM TFLMS v2, simulator.py (rules only). Tested by unit/rewrite/lms2/play_test.cc,
// property/play_property.cc, golden/autotune_test.cc.
#include "core/rewrite/lms2/play.h"

#include "core/rewrite/lms2/play_run.h"
#include "core/rewrite/lms2/play_triggers.h"

namespace tideline::lms2 {
namespace {

struct Silent {
  void allocated(std::uint32_t, std::uint32_t, Bytes, std::uint32_t) {}
  void freed(std::uint32_t, std::uint32_t) {}
  void host(Bytes) {}
  void ran(std::uint32_t) {}
};

// Records the lifetimes of tensors.
class Recorder {
 public:
  Recorder(const PlayGraph& graph, MemoryTimeline& timeline) : graph_(graph), timeline_(timeline) {}

  void allocated(std::uint32_t key, std::uint32_t tensor, Bytes bytes, std::uint32_t step) {
    if (key >= open_.size()) open_.resize(key + 1, kNoIndex);
    open_[key] = static_cast<std::uint32_t>(stretches_.size());
    Stretch stretch;
    stretch.live.tensor = graph_.tensors[tensor].tensor;
    stretch.live.bytes = bytes;
    stretch.live.kind =
        key >= graph_.tensors.size() ? MemoryKind::kSwapped : MemoryKind::kTemporary;
    stretch.live.from_step = static_cast<std::int32_t>(step);
    stretch.born = ++events_;
    stretches_.push_back(stretch);
    used_ += bytes;
    highest_ = std::max(highest_, used_);
    if (used_ > timeline_.device_peak) {
      timeline_.device_peak = used_;
      timeline_.peak_step = static_cast<std::int32_t>(step);
      peak_event_ = events_;
    }
  }
  void freed(std::uint32_t key, std::uint32_t step) {
    Stretch& stretch = stretches_[open_[key]];
    stretch.died = ++events_;
    stretch.live.to_step = static_cast<std::int32_t>(step);
    stretch.live.last_reader = graph_.steps[step].op;
    used_ -= stretch.live.bytes;
  }
  // The peak of a step: at least what the previous one left.
  void host(Bytes bytes) { host_ = std::max(host_, bytes); }
  void ran(std::uint32_t step) {
    timeline_.schedule.push_back(graph_.steps[step].op);
    timeline_.level.push_back(graph_.steps[step].level);
    timeline_.device.push_back(highest_);
    timeline_.host.push_back(host_);
    highest_ = used_;
    host_ = 0;
  }

  void finish() {
    const auto last = static_cast<std::int32_t>(timeline_.schedule.size()) - 1;
    for (Stretch& stretch : stretches_) {
      if (stretch.died == 0) stretch.live.to_step = last;
      if (stretch.born <= peak_event_ && (stretch.died == 0 || stretch.died > peak_event_)) {
        timeline_.alive_at_peak.push_back(stretch.live);
      }
    }
    if (timeline_.peak_step >= 0) {
      timeline_.peak_level = timeline_.level[static_cast<std::size_t>(timeline_.peak_step)];
    }
    finish_timeline(timeline_);
  }

 private:
  struct Stretch {
    LiveTensor live;
    std::uint64_t born = 0;
    std::uint64_t died = 0;  // 0: never
  };

  const PlayGraph& graph_;
  MemoryTimeline& timeline_;
  std::vector<Stretch> stretches_;
  std::vector<std::uint32_t> open_;  // by key
  std::uint64_t events_ = 0;
  std::uint64_t peak_event_ = 0;
  Bytes used_ = 0;
  Bytes highest_ = 0;
  Bytes host_ = 0;
};

}  // namespace

Player::Player(const PlayGraph& graph) : graph_(graph), group_of_consumer_(graph.consumers.size()) {
  std::fill(group_of_consumer_.begin(), group_of_consumer_.end(), kNoIndex);
}

void Player::prepare(const SwapParameters& parameters) {
  const auto find = [this](int ahead) {
    if (triggers_.find(ahead) != triggers_.end()) return;
    triggers_.emplace(ahead, find_play_triggers(graph_, ahead));
  };
  find(1);
  find(parameters.swapin_ahead);
  for (const int ahead : graph_.own_aheads) find(ahead);
}

SearchPrediction Player::play(const SwapParameters& parameters) {
  prepare(parameters);
  Silent silent;
  return PlayRun(*this, parameters, silent).run();
}

MemoryTimeline Player::timeline(const SwapParameters& parameters) {
  prepare(parameters);
  MemoryTimeline timeline;
  timeline.model = "compatible";
  Recorder recorder(graph_, timeline);
  const SearchPrediction result = PlayRun(*this, parameters, recorder).run();
  timeline.host_peak = result.host_peak;
  timeline.swapped_out_tensors = result.swapped_out_tensors;
  timeline.swap_ins = result.swap_ins;
  timeline.bytes_out = result.bytes_out;
  timeline.bytes_in = result.bytes_in;
  timeline.largest_need = graph_.largest_need;
  recorder.finish();
  return timeline;
}

}  // namespace tideline::lms2
