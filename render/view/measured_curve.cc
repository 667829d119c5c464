// Problem: a traced step has an execution or a record every few microseconds, over milliseconds or
// minutes; a chart wants one value for each position, and must not lose a peak.
// Idea: the length of a position is a power of ten of microseconds, the shortest with which the
// step has at most kMostPositions. The value of a position is the maximum of what is live at its
// beginning and of what starts within it. A trace does not contain memory allocated before the
// step; the model's resident bytes are added to both curves, so that they are comparable with the
// other curves and the budget. On the axes of levels and steps an execution counts for the position
// of its op; a position where none ran repeats the one before it.
// Cost: O(executions + records + positions).
// Source: own. Tested by tests/unit/view/measured_curve_test.cc.
#include "render/view/measured_curve.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/memory/measured/measured_peaks.h"

namespace tideline::render {
namespace {

constexpr std::uint64_t kMostPositions = 100'000;
constexpr std::uint64_t kLeastUnitNs = 1000;
constexpr double kNsPerMs = 1e6;
constexpr Bytes kNothing = -1;

// "GPU:0" of "/job:localhost/replica:0/task:0/device:GPU:0" and of "/gpu:0".
std::string_view short_device(std::string_view name) {
  name = name.substr(name.find_last_of('/') + 1);
  constexpr std::string_view kDevice = "device:";
  if (name.size() > kDevice.size() && equal_ignoring_case(name.substr(0, kDevice.size()), kDevice))
    name.remove_prefix(kDevice.size());
  return name;
}

// Positions of a stretch of time. Differences are taken unsigned: times of a hostile file may be at
// both ends of what 64 bits hold.
struct Clock {
  std::int64_t begin_ns = 0;
  std::uint64_t unit_ns = kLeastUnitNs;

  [[nodiscard]] std::uint64_t since(std::int64_t at_ns) const {
    return static_cast<std::uint64_t>(at_ns) - static_cast<std::uint64_t>(begin_ns);
  }
  [[nodiscard]] std::int32_t position(std::int64_t at_ns) const {
    return static_cast<std::int32_t>(since(at_ns) / unit_ns);
  }
};

// The most of each position; `at` and `value` by entry, entries by time.
template <typename At, typename Value>
Curve most_of(std::size_t entries, std::int32_t count, Bytes below, const At& at,
              const Value& value) {
  std::vector<Bytes> values(static_cast<std::size_t>(count));
  Bytes now = 0;
  std::size_t next = 0;
  for (std::int32_t position = 0; position < count; ++position) {
    Bytes most = now;
    for (; next < entries && at(next) <= position; ++next) {
      now = std::max<Bytes>(0, value(next));
      most = std::max(most, now);
    }
    values[static_cast<std::size_t>(position)] = saturating_add(most, below);
  }
  return Curve(std::move(values));
}

Bytes resident_of(const Scene& scene, std::size_t device) {
  const MemoryTimeline* before = scene.devices[device].before;
  return before != nullptr ? before->resident_bytes : 0;
}

}  // namespace

std::optional<std::size_t> measured_device(const Scene& scene, std::size_t device) {
  if (scene.measured == nullptr || device >= scene.devices.size()) return std::nullopt;
  if (scene.devices.size() == 1) return 0;
  const std::string_view name = short_device(scene.devices[device].device);
  const auto& measured = scene.measured->devices;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (equal_ignoring_case(name, short_device(measured[i].device))) return i;
  }
  return std::nullopt;
}

void add_measured(const Scene& scene, const MemoryTimeline& shown, MemoryLayout& layout) {
  const auto device = measured_device(scene, layout.device);
  if (!device) return;
  const MeasuredStep& step = scene.measured->devices[*device];
  if (!step.has_memory()) return;
  std::vector<Bytes> most(static_cast<std::size_t>(layout.count), kNothing);
  const auto raise = [&most](std::int32_t position, Bytes bytes) {
    if (position < 0 || position >= static_cast<std::int32_t>(most.size())) return;
    Bytes& known = most[static_cast<std::size_t>(position)];
    known = std::max({known, bytes, Bytes{0}});
  };
  if (layout.axis == MemoryAxis::kLevel) {
    for (const LevelBytes& level : level_bytes(*scene.levels, step, {})) {
      raise(level.level, level.measured);
    }
  } else {
    const std::vector<std::int32_t> step_of = steps_by_op(shown);
    // An execution of an op that is not in the schedule counts for the step before it.
    std::int32_t position = 0;
    for (std::size_t i = 0; i < step.executions.size(); ++i) {
      const OpId op = step.executions[i].op;
      if (op.valid() && op.index() < step_of.size() && step_of[op.index()] >= 0) {
        position = step_of[op.index()];
      }
      raise(position, step.live[i]);
    }
  }
  const Bytes below = resident_of(scene, layout.device);
  Bytes last = 0;
  for (Bytes& bytes : most) {
    if (bytes == kNothing) bytes = last;  // nothing of it ran
    last = bytes;
    bytes = saturating_add(bytes, below);
  }
  layout.measured = Curve(std::move(most));
}

MemoryLayout layout_measured_time(const Scene& scene, std::uint32_t device) {
  MemoryLayout layout;
  layout.axis = MemoryAxis::kMeasuredTime;
  layout.device = device;
  const auto measured = measured_device(scene, device);
  if (!measured) return layout;
  const MeasuredStep& step = scene.measured->devices[*measured];
  const std::vector<Bytes>& model = scene.measured->comparisons[*measured].model;
  if (step.executions.empty()) return layout;
  Clock clock{step.executions.front().start_ns};
  std::int64_t end_ns = step.executions.back().start_ns;
  if (!step.curve.empty()) {
    clock.begin_ns = std::min(clock.begin_ns, step.curve.front().at_ns);
    end_ns = std::max(end_ns, step.curve.back().at_ns);
  }
  while (clock.since(end_ns) / clock.unit_ns >= kMostPositions) clock.unit_ns *= 10;
  layout.count = clock.position(end_ns) + 1;
  layout.unit_ms = static_cast<double>(clock.unit_ns) / kNsPerMs;
  layout.resident = resident_of(scene, device);
  layout.step_at.assign(static_cast<std::size_t>(layout.count), -1);
  const auto point_at = [&](std::size_t i) { return clock.position(step.curve[i].at_ns); };
  const auto point_bytes = [&](std::size_t i) { return step.curve[i].bytes; };
  if (step.has_memory()) {
    layout.measured =
        most_of(step.curve.size(), layout.count, layout.resident, point_at, point_bytes);
  }
  const auto execution_at = [&](std::size_t i) {
    return clock.position(step.executions[i].start_ns);
  };
  const auto model_bytes = [&](std::size_t i) { return i < model.size() ? model[i] : Bytes{0}; };
  layout.before =
      most_of(step.executions.size(), layout.count, layout.resident, execution_at, model_bytes);
  layout.before_peak = layout.before.most();
  layout.before_peak_at = layout.before.largest(0, layout.count);
  return layout;
}

std::string measured_summary(const Scene& scene, std::size_t device) {
  const auto measured = measured_device(scene, device);
  if (!measured) return {};
  return measured_text(*scene.measured, resident_of(scene, device), *measured);
}

std::string measured_name(const MeasuredRun& run) {
  std::string_view path = run.path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return printable(path.substr(path.find_last_of('/') + 1));
}

}  // namespace tideline::render
