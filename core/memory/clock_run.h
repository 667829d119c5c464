// One run of the clock of a step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "core/memory/clock_input.h"
#include "core/memory/step_time.h"

namespace tideline {

/// How many times its estimated cost an op takes, by where the estimate comes from.
struct CostFactors {
  double assumed = 1;
  double guessed = 1;
};

/// What happens to device memory, in order.
struct ClockEvent {
  enum class Kind : std::uint8_t {
    kOpTakes,
    kOpBegins,  ///< with all that it takes
    kCopyTakes,
    kGivesBack,
  };
  Kind kind = Kind::kOpBegins;
  std::uint32_t place = 0;  ///< step of the op that begins; else the room, kNoRoom for scratch
  Bytes bytes = 0;
};

/// Thread: not shared.
class ClockRun {
 public:
  /// `input` and `events`, to which what happens is added if it is not null, must outlive it.
  ClockRun(const ClockInput& input, CostFactors factors, std::optional<Bytes> budget,
           std::vector<ClockEvent>* events = nullptr);

  /// Once. `ops`: of the graph.
  StepTime run(std::size_t ops);
  /// By room: the one whose memory it shares, or itself.
  [[nodiscard]] const std::vector<std::uint32_t>& memory_of() const { return memory_of_; }

 private:
  using Ready = std::pair<double, std::uint32_t>;  // when, and the copy
  struct Engine {
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> queue;
    bool is_busy = false;
    std::uint32_t copy = 0;
    double end = 0;
    double busy_ns = 0;
    double waits_since = -1;  // the first of the queue, for memory
  };

  [[nodiscard]] bool begin_op();
  void begin_all();
  bool begin_out();
  bool begin_in(Engine& engine);
  [[nodiscard]] bool advance();
  void end_op();
  void end_copy(Engine& engine);
  void end_node(std::uint32_t node);
  void run_elsewhere(std::uint32_t step);
  void skip_to_device_op();
  void note_lateness(const ClockInput::Op& op);
  void note_room(double able);  // `able`: when the op could have run but for memory
  [[nodiscard]] Bytes bytes_taken_by(std::uint32_t step) const;
  [[nodiscard]] bool takes_over(const ClockRoom& room) const;
  [[nodiscard]] bool fits(Bytes bytes) const;
  void take(std::uint32_t room, ClockEvent::Kind kind);
  void hold(Bytes bytes);
  void release(std::uint32_t room, bool by_copy_out);
  void record(ClockEvent::Kind kind, std::uint32_t place, Bytes bytes);
  [[nodiscard]] StuckStep stuck() const;
  [[nodiscard]] std::int64_t rest() const;

  const ClockInput& input_;
  CostFactors factors_;
  std::optional<Bytes> budget_;
  std::vector<ClockEvent>* events_;
  std::vector<std::int32_t> pending_;     // by node
  std::vector<std::uint32_t> memory_of_;  // by room
  std::vector<std::int32_t> uses_;        // by room that has memory
  std::vector<std::int32_t> copies_out_;  // by room that has memory: that are not over
  std::vector<double> arrival_;           // by copy
  std::vector<double> room_wait_;         // by copy
  std::vector<std::uint32_t> worklist_;
  Engine out_, in_, at_once_;
  std::size_t next_ = 0;  // step of the next device op
  bool is_running_ = false;
  double op_end_ = 0;
  double last_end_ = 0;  // of the op before
  double now_ = 0;
  double waits_since_ = -1;  // the next op, for memory
  Bytes waits_for_ = 0;
  Bytes used_ = 0;
  std::uint32_t freed_ = kNoRoom;
  bool freed_by_copy_out_ = false;
  double compute_ = 0, memory_ = 0;
  StepTime result_;
};

}  // namespace tideline
