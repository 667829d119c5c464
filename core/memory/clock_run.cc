// Tested by unit/memory/step_clock_test.cc and integration/clock_check.py.
#include "core/memory/clock_run.h"

#include <algorithm>
#include <limits>

namespace tideline {
namespace {

double factor_of(const CostFactors& factors, CostSource source) {
  switch (source) {
    case CostSource::kFlops:
    case CostSource::kBytes: return factors.assumed;
    case CostSource::kGuessed: return factors.guessed;
    case CostSource::kMeasured:
    case CostSource::kNoKernel: break;
  }
  return 1;
}

std::int64_t whole_ns(double ns) {
  constexpr double kMost = 9e18;
  return static_cast<std::int64_t>(std::min(ns, kMost));
}

}  // namespace

ClockRun::ClockRun(const ClockInput& input, CostFactors factors, std::optional<Bytes> budget,
                   std::vector<ClockEvent>* events)
    : input_(input),
      factors_(factors),
      budget_(budget),
      events_(events),
      pending_(input.pending),
      memory_of_(input.rooms.size(), kNoRoom),
      uses_(input.rooms.size(), 0),
      copies_out_(input.rooms.size(), 0),
      arrival_(input.copies.size(), 0),
      room_wait_(input.copies.size(), 0),
      used_(input.resident) {
  result_.budget = budget;
  result_.device_peak = used_;
}

// At one moment what has ended gives its memory back first; then copies out begin, then ops, one
// after the other as long as they take no time, then copies in.
StepTime ClockRun::run(std::size_t ops) {
  result_.ops.resize(ops);
  for (std::uint32_t step = 0; step < input_.ops.size(); ++step) {
    if (!input_.ops[step].is_on_device && pending_[step] == 0) worklist_.push_back(step);
  }
  // Those that wait for nothing; what they set off follows.
  const std::vector<std::uint32_t> first = std::move(worklist_);
  worklist_.clear();
  for (const std::uint32_t step : first) run_elsewhere(step);
  skip_to_device_op();
  do {
    begin_all();
  } while (advance());
  if (next_ < input_.ops.size()) result_.stuck = stuck();
  result_.compute_ns = whole_ns(compute_);
  result_.added_ns = whole_ns(last_end_) - result_.compute_ns;
  result_.memory_ns = whole_ns(memory_);
  result_.rest_ns = rest();
  result_.to_host_ns = whole_ns(out_.busy_ns);
  result_.to_device_ns = whole_ns(in_.busy_ns);
  std::ranges::stable_sort(result_.copies, {}, &CopyTime::begin_ns);
  return std::move(result_);
}

// The traced step has waited for the copies that its graph held, too: that is part of its rest.
std::int64_t ClockRun::rest() const {
  const std::int64_t rest = whole_ns(input_.rest_ns);
  if (!input_.is_as_traced) return rest;
  return std::max<std::int64_t>(0, rest - (result_.added_ns - result_.memory_ns));
}

// Everything that can begin now. What came at once may be all that an op has waited for.
void ClockRun::begin_all() {
  bool has_more = true;
  while (has_more) {
    has_more = false;
    begin_out();
    while (begin_op() && op_end_ <= now_) {
      end_op();
      begin_out();
    }
    for (; begin_in(at_once_); has_more = true) end_copy(at_once_);
  }
  begin_in(in_);
}

// To the next moment at which anything ends.
bool ClockRun::advance() {
  double next = std::numeric_limits<double>::infinity();
  if (is_running_) next = op_end_;
  for (const Engine* engine : {&out_, &in_}) {
    if (engine->is_busy) next = std::min(next, engine->end);
  }
  if (next == std::numeric_limits<double>::infinity()) return false;
  now_ = next;
  if (is_running_ && op_end_ <= now_) end_op();
  for (Engine* engine : {&out_, &in_}) {
    if (engine->is_busy && engine->end <= now_) end_copy(*engine);
  }
  return true;
}

void ClockRun::skip_to_device_op() {
  while (next_ < input_.ops.size() && !input_.ops[next_].is_on_device) ++next_;
}

bool ClockRun::begin_op() {
  if (is_running_ || next_ >= input_.ops.size() || pending_[next_] > 0) return false;
  const auto step = static_cast<std::uint32_t>(next_);
  const ClockInput::Op& op = input_.ops[step];
  if (budget_) {
    const Bytes bytes = bytes_taken_by(step);
    if (!fits(bytes)) {
      if (waits_since_ < 0) {
        waits_since_ = now_;
        waits_for_ = bytes;
      }
      return false;
    }
  }
  const double able = waits_since_ < 0 ? now_ : waits_since_;
  note_lateness(op);
  note_room(able);
  for (const std::uint32_t room : input_.takes.of(step)) {
    if (takes_over(input_.rooms[room])) {
      const std::uint32_t memory = memory_of_[input_.rooms[room].over];
      memory_of_[room] = memory;
      uses_[memory] += input_.rooms[room].uses + input_.rooms[room].copies_out;
      copies_out_[memory] += input_.rooms[room].copies_out;
    } else {
      take(room, ClockEvent::Kind::kOpTakes);
    }
  }
  if (op.scratch > 0) {
    hold(op.scratch);
    record(ClockEvent::Kind::kOpTakes, kNoRoom, op.scratch);
  }
  record(ClockEvent::Kind::kOpBegins, step, 0);
  const double takes = op.cost.ns * factor_of(factors_, op.cost.source);
  compute_ += takes;
  op_end_ = now_ + takes;
  is_running_ = true;
  result_.ops[op.op.index()] = {now_, op_end_};
  switch (op.cost.source) {
    case CostSource::kMeasured: ++result_.measured_ops; break;
    case CostSource::kFlops:
    case CostSource::kBytes: ++result_.assumed_ops; break;
    case CostSource::kGuessed: ++result_.guessed_ops; break;
    case CostSource::kNoKernel: break;
  }
  return true;
}

// Copies back that came after the op before had ended.
void ClockRun::note_lateness(const ClockInput::Op& op) {
  double begin = last_end_;
  for (const std::uint32_t copy : input_.swapped_in.of(next_)) {
    if (arrival_[copy] <= begin) continue;
    const ClockCopy& about = input_.copies[copy];
    const ClockInput::Op& maker = input_.ops[about.step];
    result_.late.push_back({{maker.op, about.slot},
                            op.op,
                            whole_ns(arrival_[copy] - begin),
                            whole_ns(room_wait_[copy])});
    begin = arrival_[copy];
  }
}

void ClockRun::note_room(double able) {
  waits_since_ = -1;
  if (able >= now_) return;
  MemoryWait wait;
  wait.op = input_.ops[next_].op;
  wait.bytes = waits_for_;
  wait.wait_ns = whole_ns(now_ - able);
  if (freed_ != kNoRoom) wait.freed = input_.rooms[freed_].tensor;
  wait.by_copy_out = freed_by_copy_out_;
  memory_ += now_ - able;
  result_.memory_waits.push_back(wait);
}

void ClockRun::end_op() {
  const auto step = static_cast<std::uint32_t>(next_);
  const ClockInput::Op& op = input_.ops[step];
  is_running_ = false;
  last_end_ = op_end_;
  ++next_;
  skip_to_device_op();
  if (op.scratch > 0) {
    used_ -= op.scratch;
    record(ClockEvent::Kind::kGivesBack, kNoRoom, op.scratch);
  }
  for (const std::uint32_t room : input_.releases.of(step)) release(room, false);
  end_node(step);
}

// Ops on the host take no time, and none of the device's memory.
void ClockRun::run_elsewhere(std::uint32_t step) {
  result_.ops[input_.ops[step].op.index()] = {now_, now_};
  for (const std::uint32_t room : input_.takes.of(step)) take(room, ClockEvent::Kind::kCopyTakes);
  for (const std::uint32_t room : input_.releases.of(step)) release(room, false);
  end_node(step);
}

// What waits for it, and what these set off in turn.
void ClockRun::end_node(std::uint32_t node) {
  const auto steps = static_cast<std::uint32_t>(input_.ops.size());
  const std::size_t before = worklist_.size();
  for (const std::uint32_t waiting : input_.successors.of(node)) {
    if (--pending_[waiting] > 0) continue;
    if (waiting >= steps) {
      const std::uint32_t copy = waiting - steps;
      switch (input_.copies[copy].queue) {
        case ClockCopy::Queue::kOut: out_.queue.emplace(now_, copy); break;
        case ClockCopy::Queue::kIn: in_.queue.emplace(now_, copy); break;
        case ClockCopy::Queue::kAtOnce: at_once_.queue.emplace(now_, copy); break;
      }
    } else if (!input_.ops[waiting].is_on_device) {
      worklist_.push_back(waiting);
    }
  }
  // One loop for chains of any length.
  if (before > 0 || worklist_.empty()) return;
  for (std::size_t i = 0; i < worklist_.size(); ++i) run_elsewhere(worklist_[i]);
  worklist_.clear();
}

bool ClockRun::begin_out() {
  if (out_.is_busy || out_.queue.empty()) return false;
  out_.copy = out_.queue.top().second;
  out_.queue.pop();
  out_.is_busy = true;
  const double takes = input_.copies[out_.copy].ns;
  out_.end = now_ + takes;
  out_.busy_ns += takes;
  return true;
}

bool ClockRun::begin_in(Engine& engine) {
  if (engine.is_busy || engine.queue.empty()) return false;
  const std::uint32_t copy = engine.queue.top().second;
  const ClockCopy& about = input_.copies[copy];
  if (about.room != kNoRoom) {
    if (!fits(input_.rooms[about.room].bytes)) {
      if (engine.waits_since < 0) engine.waits_since = now_;
      return false;
    }
    take(about.room, ClockEvent::Kind::kCopyTakes);
  }
  if (engine.waits_since >= 0) room_wait_[copy] = now_ - engine.waits_since;
  engine.waits_since = -1;
  engine.queue.pop();
  engine.copy = copy;
  engine.is_busy = true;
  engine.end = now_ + about.ns;
  engine.busy_ns += about.ns;
  return true;
}

void ClockRun::end_copy(Engine& engine) {
  const std::uint32_t copy = engine.copy;
  const ClockCopy& about = input_.copies[copy];
  engine.is_busy = false;
  arrival_[copy] = now_;
  if (about.queue != ClockCopy::Queue::kAtOnce) {
    result_.copies.push_back({{input_.ops[about.step].op, about.slot},
                              about.queue == ClockCopy::Queue::kOut,
                              about.bytes,
                              now_ - about.ns,
                              now_});
  }
  if (about.room != kNoRoom) {
    if (about.queue == ClockCopy::Queue::kOut) {
      --copies_out_[memory_of_[about.room]];
      release(about.room, true);
    } else {
      release(about.room, false);
    }
  }
  end_node(static_cast<std::uint32_t>(input_.ops.size()) + copy);
}

// A result may be written over what lies there unless the host still reads that.
bool ClockRun::takes_over(const ClockRoom& room) const {
  return room.over != kNoRoom && copies_out_[memory_of_[room.over]] == 0;
}

Bytes ClockRun::bytes_taken_by(std::uint32_t step) const {
  Bytes bytes = input_.ops[step].scratch;
  for (const std::uint32_t room : input_.takes.of(step)) {
    const ClockRoom& about = input_.rooms[room];
    if (!takes_over(about)) bytes += about.bytes;
  }
  return bytes;
}

bool ClockRun::fits(Bytes bytes) const {
  return !budget_ || used_ + bytes <= *budget_;
}

void ClockRun::take(std::uint32_t room, ClockEvent::Kind kind) {
  const ClockRoom& about = input_.rooms[room];
  memory_of_[room] = room;
  uses_[room] = about.uses + about.copies_out;
  copies_out_[room] = about.copies_out;
  hold(about.bytes);
  record(kind, room, about.bytes);
}

void ClockRun::hold(Bytes bytes) {
  used_ += bytes;
  result_.device_peak = std::max(result_.device_peak, used_);
}

void ClockRun::release(std::uint32_t room, bool by_copy_out) {
  const std::uint32_t memory = memory_of_[room];
  if (--uses_[memory] > 0) return;
  const Bytes bytes = input_.rooms[memory].bytes;
  if (bytes == 0) return;
  used_ -= bytes;
  freed_ = memory;
  freed_by_copy_out_ = by_copy_out;
  record(ClockEvent::Kind::kGivesBack, memory, bytes);
}

void ClockRun::record(ClockEvent::Kind kind, std::uint32_t place, Bytes bytes) {
  if (events_ != nullptr) events_->push_back({kind, place, bytes});
}

StuckStep ClockRun::stuck() const {
  StuckStep stuck;
  const auto step = static_cast<std::uint32_t>(next_);
  stuck.op = input_.ops[step].op;
  Bytes least = std::numeric_limits<Bytes>::max();
  if (pending_[step] == 0) least = bytes_taken_by(step);
  for (const Engine* engine : {&in_, &at_once_}) {
    if (engine->queue.empty()) continue;
    const ClockCopy& first = input_.copies[engine->queue.top().second];
    const Bytes bytes = first.room == kNoRoom ? 0 : input_.rooms[first.room].bytes;
    if (pending_[step] > 0 && !stuck.copy_in.op.valid()) {
      stuck.copy_in = {input_.ops[first.step].op, first.slot};
    }
    least = std::min(least, bytes);
  }
  stuck.bytes = used_ + (least == std::numeric_limits<Bytes>::max() ? 0 : least);
  return stuck;
}

}  // namespace tideline
