// Tested by the golden case simulate and property/one_truth.py.
#include "app/cli/time_json.h"

#include <fmt/format.h>

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string tensor_name(const NameOfOp& name_of, TensorId tensor) {
  return fmt::format("{}:{}", name_of(tensor.op), tensor.slot);
}

Json range_json(const TimeRange& range) {
  return {range.least_ns, range.most_ns};
}

// Which ops wait for memory, and whose they get.
Json memory_waits_json(const NameOfOp& name_of, const StepTime& time) {
  Json json = Json::array();
  for (const MemoryWait& wait : time.memory_waits) {
    Json entry = {{"op", name_of(wait.op)}, {"bytes", wait.bytes}, {"wait_ns", wait.wait_ns}};
    entry["freed"] = wait.freed.op.valid() ? Json(tensor_name(name_of, wait.freed)) : Json();
    entry["by_copy_out"] = wait.by_copy_out;
    json.push_back(std::move(entry));
  }
  return json;
}

Json stuck_json(const NameOfOp& name_of, const StepTime& time) {
  if (!time.stuck) return {};
  const StuckStep& stuck = *time.stuck;
  return {
      {"op", name_of(stuck.op)},
      {"bytes", stuck.bytes},
      {"copy_in", stuck.copy_in.op.valid() ? Json(tensor_name(name_of, stuck.copy_in)) : Json()}};
}

}  // namespace

nlohmann::ordered_json time_json(const NameOfOp& name_of, const TimeReport& timing,
                                 const DeviceProfile& profile) {
  const StepTime& time = timing.after;
  Json late = Json::array();
  for (const LateSwapIn& entry : time.late) {
    late.push_back({{"tensor", tensor_name(name_of, entry.tensor)},
                    {"reader", name_of(entry.reader)},
                    {"wait_ns", entry.wait_ns},
                    {"room_wait_ns", entry.room_wait_ns}});
  }
  return {{"profile", profile.name},
          {"before_ns", timing.before_ns},
          {"before_range_ns", range_json(timing.before)},
          {"step_ns", time.step_ns()},
          {"step_range_ns", range_json(timing.after_range)},
          {"factor", timing.factor()},
          {"compute_ns", time.compute_ns},
          {"added_ns", time.added_ns},
          {"rest_ns", time.rest_ns},
          {"to_host_ns", time.to_host_ns},
          {"to_device_ns", time.to_device_ns},
          {"measured_ops", time.measured_ops},
          {"assumed_ops", time.assumed_ops},
          {"guessed_ops", time.guessed_ops},
          {"late_swap_ins", late},
          {"budget_bytes", time.budget ? Json(*time.budget) : Json()},
          {"held_without_waiting_bytes", timing.held},
          {"memory_wait_ns", time.memory_ns},
          {"memory_waits", memory_waits_json(name_of, time)},
          {"stuck", stuck_json(name_of, time)}};
}

}  // namespace tideline::cli
