// Tested by unit/memory/measured/trace_lanes_test.cc.
#include "core/memory/measured/lane_names.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/graph/device_name.h"

namespace tideline {
namespace {

// The name of the device, and what follows it: " stream:7".
std::pair<std::string_view, std::string> without_stream(std::string_view lane) {
  for (const std::string_view part : {std::string_view("/stream:"), std::string_view("/memcpy")}) {
    const std::size_t at = lane.find(part);
    if (at != std::string_view::npos) {
      return {lane.substr(0, at), " " + std::string(lane.substr(at + 1))};
    }
  }
  return {lane, ""};
}

// Nullopt for a name that does not say a job and a task.
std::optional<DeviceName> parse_with_task(std::string_view device) {
  auto name = parse_device(device);
  if (name && (name->job.empty() || name->task.empty())) name.reset();
  return name;
}

// "worker:1 ", or nothing.
std::string task_prefix(std::string_view device) {
  const auto name = parse_with_task(device);
  return name ? fmt::format("{}:{} ", name->job, name->task) : "";
}

std::string type_and_index(std::string_view device) {
  device = device.substr(device.find_last_of('/') + 1);
  constexpr std::string_view kDevice = "device:";
  if (device.size() > kDevice.size() &&
      equal_ignoring_case(device.substr(0, kDevice.size()), kDevice)) {
    device.remove_prefix(kDevice.size());
  }
  return std::string(device);
}

}  // namespace

std::string task_of_lane(std::string_view device) {
  const auto name = parse_with_task(without_stream(device).first);
  return name ? fmt::format("/job:{}/task:{}", name->job, name->task) : "";
}

bool has_several_tasks(const StepTrace& trace) {
  std::string first;
  for (const TracedDevice& device : trace.devices) {
    std::string task = task_of_lane(device.name);
    if (task.empty() || task == first) continue;
    if (!first.empty()) return true;
    first = std::move(task);
  }
  return false;
}

std::string short_lane_name(std::string_view device, bool with_task) {
  const auto [name, stream] = without_stream(device);
  return (with_task ? task_prefix(name) : "") + type_and_index(name) + stream;
}

std::string device_of_lane(std::string_view lane, bool with_task) {
  const std::string_view name = without_stream(lane).first;
  const std::string device = type_and_index(name);
  return (with_task ? task_prefix(name) : "") +
         lower_case(std::string_view(device).substr(0, device.find(' ')));
}

}  // namespace tideline
