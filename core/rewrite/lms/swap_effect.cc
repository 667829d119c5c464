// Problem: a swap costs two copies whether or not it helps. A tensor that is back before the peak
// and stays, that leaves after it, or whose absence falls into a time of low memory could as well
// have been kept; only the moment of the peak tells.
// Idea: at every step there is some room below the peak. A swap whose bytes fit into the room at
// all steps at which its tensor is away has room: with the tensor kept, no step exceeds the peak.
// Taking one takes the room from the others, so they are taken one by one, the largest first.
//   peak 100; a is away at steps 2 to 4, where 60, 70 and 60 are in use: up to 30 bytes are idle.
// Rooms are kept in a segment tree: the least of a range, and subtraction from a range.
// A tensor stays on the device until its last reader there, even if its buffer lives on because
// another op has written its result into it.
// Limits: steps and shared buffers are taken from the schedule with all swaps; a claim about a plan
// is therefore confirmed by another simulation (idle_swaps.h).
// Source: own. Tested by unit/rewrite/swap_effect_test.cc and property/one_truth.py.
#include "core/rewrite/lms/swap_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace tideline {
namespace {

// Inclusive; empty when last < first.
struct Steps {
  std::int32_t first = 0;
  std::int32_t last = -1;
};

// A tensor, and its copies back on the device.
struct Copied {
  TensorId tensor;
  std::vector<OpId> swap_ins;
};

std::vector<Copied> copied_by(std::span<const PlannedSwap> planned) {
  std::vector<Copied> swaps;
  for (const PlannedSwap& swap : planned) {
    Copied& copied = swaps.emplace_back(Copied{swap.tensor, {}});
    for (const PlannedSwapIn& swap_in : swap.swap_ins) copied.swap_ins.push_back(swap_in.copy);
  }
  return swaps;
}

std::vector<Copied> copied_by(const SwapCopies& copies) {
  std::vector<Copied> swaps;
  for (const FileSwap& swap : copies.swaps) {
    Copied& copied = swaps.emplace_back(Copied{swap.tensor, {}});
    for (const FileSwapIn& swap_in : swap.swap_ins) copied.swap_ins.push_back(swap_in.copy);
  }
  return swaps;
}

class Rooms {
 public:
  Rooms(const MemoryTimeline& timeline, Bytes limit)
      : size_(std::bit_ceil(std::max<std::size_t>(timeline.device.size(), 1))),
        least_(2 * size_, std::numeric_limits<Bytes>::max()),
        taken_(2 * size_, 0) {
    for (std::size_t i = 0; i < timeline.device.size(); ++i) {
      least_[size_ + i] = limit - timeline.device[i];
    }
    for (std::size_t i = size_; i-- > 1;) {
      least_[i] = std::min(least_[2 * i], least_[2 * i + 1]);
    }
  }

  [[nodiscard]] Bytes least(Steps steps) const {
    return least(1, 0, static_cast<std::int32_t>(size_) - 1, steps);
  }
  void take(Steps steps, Bytes bytes) {
    take(1, 0, static_cast<std::int32_t>(size_) - 1, steps, bytes);
  }

 private:
  [[nodiscard]] Bytes least(std::size_t node, std::int32_t low, std::int32_t high,
                            Steps steps) const {
    if (high < steps.first || steps.last < low) return std::numeric_limits<Bytes>::max();
    if (steps.first <= low && high <= steps.last) return least_[node];
    const std::int32_t middle = low + (high - low) / 2;
    const Bytes below =
        std::min(least(2 * node, low, middle, steps), least(2 * node + 1, middle + 1, high, steps));
    return below == std::numeric_limits<Bytes>::max() ? below : below - taken_[node];
  }
  void take(std::size_t node, std::int32_t low, std::int32_t high, Steps steps, Bytes bytes) {
    if (high < steps.first || steps.last < low) return;
    if (steps.first <= low && high <= steps.last) {
      least_[node] -= bytes;
      taken_[node] += bytes;
      return;
    }
    const std::int32_t middle = low + (high - low) / 2;
    take(2 * node, low, middle, steps, bytes);
    take(2 * node + 1, middle + 1, high, steps, bytes);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) - taken_[node];
  }

  std::size_t size_;
  std::vector<Bytes> least_;  // by node, with what was taken from it and below it
  std::vector<Bytes> taken_;  // by node: from all of it
};

class Effects {
 public:
  Effects(const StepGraph& graph, const FaithfulStep& step, std::vector<Copied> swaps)
      : graph_(graph), step_(step), swaps_(std::move(swaps)), peak_(step.timeline.peak_step) {}

  std::vector<SwapEffect> run(Bytes limit) {
    find_last_reads();
    step_of_op_.assign(graph_.ops.size(), -1);
    for (std::size_t step = 0; step < step_.timeline.schedule.size(); ++step) {
      step_of_op_[step_.timeline.schedule[step].index()] = static_cast<std::int32_t>(step);
    }
    std::vector<SwapEffect> effects(swaps_.size());
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < effects.size(); ++i) {
      find_stays(swaps_[i]);
      effects[i] = effect();
      effects[i].is_unread = is_unread(swaps_[i]);
      if (effects[i].at_peak != AtPeak::kNotRun) candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
      return effects[a].bytes > effects[b].bytes;
    });
    Rooms rooms(step_.timeline, limit);
    for (const std::uint32_t i : candidates) {
      find_stays(swaps_[i]);
      const std::vector<Steps> away = absences();
      const Bytes bytes = effects[i].bytes;
      effects[i].has_room = std::all_of(away.begin(), away.end(), [&](const Steps& steps) {
        return rooms.least(steps) >= bytes;
      });
      if (!effects[i].has_room) continue;
      for (const Steps& steps : away) rooms.take(steps, bytes);
    }
    return effects;
  }

 private:
  // By tensor: the last step at which an op on the device reads its value, under any name. Later
  // its buffer may hold what another op has written there.
  void find_last_reads() {
    const std::vector<OpId>& schedule = step_.timeline.schedule;
    last_read_.assign(graph_.tensors.size(), -1);
    is_read_.assign(graph_.tensors.size(), false);
    for (auto step = static_cast<std::int32_t>(schedule.size()); step-- > 0;) {
      const OpId op = schedule[static_cast<std::size_t>(step)];
      const auto inputs = graph_.inputs_of(op);
      for (const StepInput& input : inputs) {
        if (input.is_back_edge || input.space == Space::kElsewhere) continue;
        is_read_[input.tensor] = true;
        if (input.space != Space::kDevice) continue;
        last_read_[input.tensor] = std::max(last_read_[input.tensor], step);
      }
      for (const StepLink& link : graph_.links_of(op)) {
        if (!link.is_alias || link.input >= inputs.size()) continue;
        const StepInput& input = inputs[link.input];
        const std::uint32_t output = graph_.ops[op.index()].first_tensor + link.output;
        // A swap-out is an alias on the host.
        if (input.space != Space::kDevice || graph_.tensors[output].home != Space::kDevice)
          continue;
        last_read_[input.tensor] = std::max(last_read_[input.tensor], last_read_[output]);
      }
    }
  }

  void add_stay(TensorId id) {
    const std::uint32_t tensor = graph_.tensor(id);
    const std::uint32_t buffer = step_.buffers_of[tensor][0];
    if (buffer == kNoBuffer) return;
    std::int32_t first = step_.buffers[buffer].from_step;
    // A copy has a buffer of its own; a tensor may have taken over another tensor's buffer.
    const std::int32_t produced = step_of(id.op);
    if (graph_.tensors[tensor].home == Space::kDevice) first = std::max(first, produced);
    stays_.push_back({first, std::max(first, last_read_[tensor])});
  }
  [[nodiscard]] std::int32_t step_of(OpId op) const { return step_of_op_[op.index()]; }

  [[nodiscard]] bool is_unread(const Copied& swap) const {
    if (graph_.folding == nullptr) return false;
    const auto runs = [this](OpId swap_in) { return step_of(swap_in) >= 0; };
    const auto is_read = [this](OpId swap_in) { return is_read_[graph_.tensor({swap_in, 0})]; };
    return std::any_of(swap.swap_ins.begin(), swap.swap_ins.end(), runs) &&
           std::none_of(swap.swap_ins.begin(), swap.swap_ins.end(), is_read);
  }

  // The stays of the tensor on the device: its own, then one for each swap-in.
  void find_stays(const Copied& swap) {
    stays_.clear();
    bytes_ = graph_.tensors[graph_.tensor(swap.tensor)].bytes;
    add_stay(swap.tensor);
    for (const OpId swap_in : swap.swap_ins) add_stay({swap_in, 0});
    std::sort(stays_.begin(), stays_.end(),
              [](const Steps& a, const Steps& b) { return a.first < b.first; });
  }

  [[nodiscard]] SwapEffect effect() const {
    SwapEffect effect;
    effect.bytes = bytes_;
    if (stays_.empty()) return effect;
    const auto holds = [this](const Steps& stay) {
      return stay.first <= peak_ && peak_ <= stay.last;
    };
    std::int32_t last = -1;
    for (const Steps& stay : stays_) last = std::max(last, stay.last);
    if (holds(stays_.front())) {
      effect.at_peak = AtPeak::kStillThere;
    } else if (std::any_of(stays_.begin(), stays_.end(), holds)) {
      effect.at_peak = AtPeak::kBack;
    } else {
      const bool is_alive = stays_.front().first <= peak_ && peak_ <= last;
      effect.at_peak = is_alive ? AtPeak::kAway : AtPeak::kNotAlive;
    }
    return effect;
  }

  // Between the stays; several copies may be there at a time.
  [[nodiscard]] std::vector<Steps> absences() const {
    std::vector<Steps> away;
    std::int32_t until = stays_.front().last;
    for (const Steps& stay : stays_) {
      if (stay.first > until + 1) away.push_back({until + 1, stay.first - 1});
      until = std::max(until, stay.last);
    }
    return away;
  }

  const StepGraph& graph_;
  const FaithfulStep& step_;
  std::vector<Copied> swaps_;
  std::int32_t peak_;
  std::vector<std::int32_t> last_read_;   // by tensor
  std::vector<bool> is_read_;             // by tensor: on the device or the host
  std::vector<std::int32_t> step_of_op_;  // by op
  std::vector<Steps> stays_;              // of the swap at hand
  Bytes bytes_ = 0;
};

}  // namespace

std::string_view at_peak_name(AtPeak place) {
  switch (place) {
    case AtPeak::kAway: return "away";
    case AtPeak::kStillThere: return "still on the device";
    case AtPeak::kBack: return "back on the device";
    case AtPeak::kNotAlive: return "not alive";
    case AtPeak::kNotRun: return "not run";
  }
  return "";
}

IdleSwaps idle_swaps(const std::vector<SwapEffect>& effects) {
  IdleSwaps idle;
  for (const SwapEffect& effect : effects) {
    if (!effect.is_idle) continue;
    ++idle.count;
    idle.bytes = saturating_add(idle.bytes, effect.bytes);
  }
  return idle;
}

std::string idle_swaps_text(const IdleSwaps& idle, std::size_t swaps) {
  return fmt::format("{} of {} swaps do not lower the peak ({})", idle.count, swaps,
                     format_bytes(idle.bytes));
}

std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                     std::span<const PlannedSwap> swaps) {
  return swap_effects(graph, step, swaps, step.timeline.device_peak);
}

std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                     std::span<const PlannedSwap> swaps, Bytes limit) {
  return Effects(graph, step, copied_by(swaps)).run(limit);
}

std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                     const SwapCopies& copies) {
  return Effects(graph, step, copied_by(copies)).run(step.timeline.device_peak);
}

}  // namespace tideline
