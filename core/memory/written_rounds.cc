// Of a loop that runs long only some rounds are written, and one in their middle stands for those
// that are left out: the first rounds and the last differ from the others, the others are alike.
// Tested by unit/memory/loop_memory_test.cc.
#include "core/memory/written_rounds.h"

#include <algorithm>

#include "core/memory/executor_order.h"

namespace tideline {
namespace {

constexpr std::uint32_t kMostOfALoop = 64;  // written of one loop
constexpr std::uint32_t kLeastOfALoop = 4;
constexpr std::size_t kMostWritten = 300'000;  // ops of all rounds together

bool is_enter(LoopRole role) {
  return role == LoopRole::kEnter || role == LoopRole::kInvariant;
}

}  // namespace

std::optional<WrittenRounds> WrittenRounds::choose(const StepGraph& step) {
  WrittenRounds written(step);
  if (!written.choose_rounds()) return std::nullopt;
  return written;
}

WrittenRounds::WrittenRounds(const StepGraph& step)
    : rounds_(step.rounds.get()),
      ops_(written_order(step)),
      own_(step.ops.size(), kOutside),
      around_(step.ops.size(), kOutside),
      runs_(step.ops.size()),
      is_body_(step.ops.size()),
      is_entered_in_body_(step.rounds->loops.size()) {
  place_ops(step);
  find_bodies(step);
}

void WrittenRounds::place_ops(const StepGraph& step) {
  const auto outer = [this](std::uint32_t loop) { return loop == kOutside ? loop : parent(loop); };
  for (const OpId op : ops_) {
    runs_[op.index()] = true;
    std::uint32_t& loop = own_[op.index()];
    if (op.index() < rounds_->loop_of.size()) {
      loop = rounds_->loop_of[op.index()];
    } else if (const auto inputs = step.inputs_of(op); !inputs.empty()) {
      // A plan added it. It is where what it reads is.
      const OpId source = step.producer_of[inputs[0].tensor];
      loop = own_[source.index()];
      if (role(source) == LoopRole::kExit) loop = outer(loop);
    }
    const StepOp& entry = step.ops[op.index()];
    if (is_enter(role(op)) || role(op) == LoopRole::kExit) {
      around_[op.index()] = outer(loop);
    } else if (entry.input_count + entry.control_count > 0) {
      around_[op.index()] = loop;  // a constant that waits for nothing is there before the loop
    }
  }
}

void WrittenRounds::find_bodies(const StepGraph& step) {
  for (const OpId op : ops_) {
    bool is_body = false;
    for (const StepInput& input : step.inputs_of(op)) {
      const OpId source = step.producer_of[input.tensor];
      if (input.is_back_edge || loop_of(source) != loop_of(op)) continue;
      const bool is_true_side = role(source) == LoopRole::kSwitch &&
                                input.tensor == step.ops[source.index()].first_tensor + 1;
      is_body = is_body || is_true_side || is_body_[source.index()];
    }
    for (const OpId control : step.controls_of(op)) {
      is_body = is_body || (loop_of(control) == loop_of(op) && is_body_[control.index()]);
    }
    const std::uint32_t loop = own_loop(op);
    if (is_enter(role(op)) && is_body) is_entered_in_body_[loop] = true;
    if (role(op) == LoopRole::kExit && loop != kOutside) is_body = is_entered_in_body_[loop];
    is_body_[op.index()] = is_body && loop_of(op) != kOutside;
  }
}

bool WrittenRounds::choose_rounds() {
  std::vector<std::size_t> ops(rounds_->loops.size());
  for (const OpId op : ops_) {
    if (loop_of(op) != kOutside) ++ops[loop_of(op)];
  }
  loops_.resize(ops.size());
  for (std::uint32_t most = kMostOfALoop; most >= kLeastOfALoop; most /= 2) {
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const StepRounds::Loop& loop = rounds_->loops[i];
      const std::int64_t written = std::min<std::int64_t>(loop.rounds, most);
      loops_[i] = {loop.parent, static_cast<std::uint32_t>(written) + 1,
                   static_cast<std::uint32_t>(written / 2), loop.rounds - written + 1};
    }
    std::size_t all = ops_.size();
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      std::size_t written = ops[i] + 1;  // and what ends a round
      for (std::uint32_t loop = i; loop != kOutside; loop = parent(loop)) {
        written = std::min(written * loops_[loop].rounds, kMostWritten + 1);
      }
      all += written;
    }
    if (all <= kMostWritten) return true;
  }
  return false;
}

std::uint32_t WrittenRounds::count(std::uint32_t loop) const {
  std::uint32_t rounds = 1;
  for (; loop != kOutside; loop = parent(loop)) rounds *= loops_[loop].rounds;
  return rounds;
}

bool WrittenRounds::exists(OpId op, std::uint32_t round) const {
  const std::uint32_t loop = loop_of(op);
  if (loop == kOutside) return true;
  const std::uint32_t rounds = loops_[loop].rounds;
  if (is_body(op) && round % rounds == rounds - 1) return false;
  return is_entered(loop, round);
}

bool WrittenRounds::is_entered(std::uint32_t loop, std::uint32_t round) const {
  bool is_in_body = is_entered_in_body_[loop];
  round /= loops_[loop].rounds;
  for (loop = parent(loop); loop != kOutside; loop = parent(loop)) {
    const std::uint32_t rounds = loops_[loop].rounds;
    if (is_in_body && round % rounds == rounds - 1) return false;
    is_in_body = is_entered_in_body_[loop];
    round /= rounds;
  }
  return true;
}

std::vector<std::uint32_t> WrittenRounds::rounds_of(OpId op) const {
  std::vector<std::uint32_t> rounds;
  for (std::uint32_t round = 0; round < count(loop_of(op)); ++round) {
    if (exists(op, round)) rounds.push_back(round);
  }
  return rounds;
}

std::optional<std::uint32_t> WrittenRounds::around(std::uint32_t loop, std::uint32_t inner,
                                                   std::uint32_t round) const {
  while (inner != loop && inner != kOutside) {
    round /= loops_[inner].rounds;
    inner = parent(inner);
  }
  if (inner != loop) return std::nullopt;
  return round;
}

std::uint32_t WrittenRounds::round_read(OpId op, std::uint32_t loop, std::uint32_t round) const {
  const std::uint32_t source = loop_of(op);
  if (source == loop) return round;
  std::vector<std::uint32_t> left;  // loops that the reader is not in
  std::optional<std::uint32_t> shared;
  for (std::uint32_t up = source;; up = parent(up)) {
    shared = around(up, loop, round);
    if (shared) break;
    left.push_back(up);
  }
  for (auto down = left.rbegin(); down != left.rend(); ++down) {
    const std::uint32_t rounds = loops_[*down].rounds;
    const bool is_in_body = *down != source || is_body(op);
    shared = *shared * rounds + rounds - (is_in_body ? 2 : 1);
  }
  return *shared;
}

std::int64_t WrittenRounds::times(std::uint32_t loop, std::uint32_t round) const {
  std::int64_t times = 1;
  for (; loop != kOutside; loop = parent(loop)) {
    const WrittenLoop& written = loops_[loop];
    if (round % written.rounds == written.middle) {
      times = checked_multiply(times, written.times).value_or(times);
    }
    round /= written.rounds;
  }
  return times;
}

std::int64_t WrittenRounds::rounds_in_all(std::uint32_t loop) const {
  std::int64_t rounds = 1;
  for (; loop != kOutside; loop = parent(loop)) {
    rounds = checked_multiply(rounds, rounds_->loops[loop].rounds).value_or(rounds);
  }
  return rounds;
}

}  // namespace tideline
