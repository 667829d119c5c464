// Problem: charts, tables and reports know memory by step, the clock by moments, and many of them
// fall into the time of one op, as copies begin and end.
//
// Idea: of each op the moment at which most is held while it is the last one that has begun. A
// buffer is there at a step if it is there at that moment; so the bytes of a step are the sum of
// the buffers at it and of the op's scratch, and the peak is that of the clock.
//
// Limits: a buffer may come and go between two such moments; it then has no step.
// Source: own.
//
// Tested by unit/memory/step_clock_test.cc.
#include "core/memory/clock_timeline.h"

#include <algorithm>

namespace tideline {
namespace {

class ClockedTimeline {
 public:
  ClockedTimeline(const StepGraph& graph, const FaithfulStep& step, const ClockInput& input,
                  const std::vector<std::uint32_t>& memory_of,
                  const std::vector<ClockEvent>& events)
      : graph_(graph),
        input_(input),
        memory_of_(memory_of),
        events_(events),
        last_(static_cast<std::int32_t>(input.ops.size()) - 1),
        result_(step) {}

  FaithfulStep run() {
    find_moments();
    place_rooms();
    share_buffers();
    fill_timeline();
    return std::move(result_);
  }

 private:
  struct Moment {
    std::int32_t step = 0;
    std::int32_t end = 0;   // the step before that of the next moment
    std::size_t event = 0;  // after which most is held
    Bytes held = 0;
  };

  // Of each device op, in the order in which they run.
  void find_moments() {
    Bytes used = input_.resident;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const ClockEvent& event = events_[i];
      used += event.kind == ClockEvent::Kind::kGivesBack ? -event.bytes : event.bytes;
      if (event.kind == ClockEvent::Kind::kOpBegins) {
        const auto step = static_cast<std::int32_t>(event.place);
        if (!moments_.empty()) moments_.back().end = step - 1;
        // What is there before the first op begins counts as there with it.
        moments_.push_back({moments_.empty() ? 0 : step, last_, i, used});
      } else if (event.kind == ClockEvent::Kind::kCopyTakes && !moments_.empty() &&
                 used > moments_.back().held) {
        moments_.back().event = i;
        moments_.back().held = used;
      }
    }
  }

  // The steps at which each room that has memory of its own is there.
  void place_rooms() {
    from_.assign(input_.rooms.size(), last_);
    to_.assign(input_.rooms.size(), last_ - 1);
    std::size_t next = 0;  // the first moment that is not before the event
    for (std::size_t i = 0; i < events_.size(); ++i) {
      while (next < moments_.size() && moments_[next].event < i) ++next;
      const ClockEvent& event = events_[i];
      if (event.kind == ClockEvent::Kind::kOpBegins || event.place == kNoRoom) continue;
      if (event.kind == ClockEvent::Kind::kGivesBack) {
        to_[event.place] = next == 0 ? -1 : moments_[next - 1].end;
      } else {
        from_[event.place] = next < moments_.size() ? moments_[next].step : last_;
        to_[event.place] = last_;
        if (next == moments_.size()) to_[event.place] = last_ - 1;
      }
    }
  }

  // Rooms are in the order in which they are taken, so the first one of a buffer comes first.
  void share_buffers() {
    std::vector<bool> is_seen(result_.buffers.size(), false);
    buffer_of_.assign(input_.rooms.size(), kNoRoom);
    for (std::uint32_t room = 0; room < input_.rooms.size(); ++room) {
      if (memory_of_[room] == kNoRoom) continue;  // the step got stuck before
      if (memory_of_[room] != room) {
        buffer_of_[room] = buffer_of_[memory_of_[room]];
        continue;
      }
      std::uint32_t buffer = input_.rooms[room].buffer;
      if (is_seen[buffer]) {
        result_.buffers.push_back(result_.buffers[buffer]);
        result_.buffers.back().tensor = input_.rooms[room].tensor;
        buffer = static_cast<std::uint32_t>(result_.buffers.size()) - 1;
      } else {
        is_seen[buffer] = true;
      }
      buffer_of_[room] = buffer;
      result_.buffers[buffer].from_step = from_[room];
      result_.buffers[buffer].to_step = to_[room];
    }
    for (std::uint32_t tensor = 0; tensor < input_.room_of.size(); ++tensor) {
      const std::uint32_t room = input_.room_of[tensor];
      if (room != kNoRoom) result_.buffers_of[tensor][0] = buffer_of_[room];
    }
  }

  void fill_timeline() {
    MemoryTimeline& timeline = result_.timeline;
    timeline.device.assign(input_.ops.size(), timeline.resident_bytes);
    timeline.device_peak = timeline.resident_bytes;
    timeline.peak_step = last_ < 0 ? -1 : 0;
    for (const Moment& moment : moments_) {
      for (std::int32_t step = moment.step; step <= moment.end; ++step) {
        timeline.device[static_cast<std::size_t>(step)] = moment.held;
      }
      if (moment.held <= timeline.device_peak) continue;
      timeline.device_peak = moment.held;
      timeline.peak_step = moment.step;
    }
    if (last_ >= 0) {
      timeline.peak_level = timeline.level[static_cast<std::size_t>(timeline.peak_step)];
    }
    set_alive_at_peak(graph_, result_);
    finish_timeline(timeline);
  }

  const StepGraph& graph_;
  const ClockInput& input_;
  const std::vector<std::uint32_t>& memory_of_;
  const std::vector<ClockEvent>& events_;
  std::int32_t last_;
  FaithfulStep result_;
  std::vector<Moment> moments_;
  std::vector<std::int32_t> from_, to_;   // by room
  std::vector<std::uint32_t> buffer_of_;  // by room
};

}  // namespace

FaithfulStep clock_timeline(const StepGraph& graph, const FaithfulStep& step,
                            const ClockInput& input, const std::vector<std::uint32_t>& memory_of,
                            const std::vector<ClockEvent>& events) {
  return ClockedTimeline(graph, step, input, memory_of, events).run();
}

}  // namespace tideline
