// Names of the lanes of a traced step.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/step_trace.h"

namespace tideline {

/// The process that `device` of a trace belongs to, "/job:worker/task:1"; empty where its name does
/// not say a job and a task.
[[nodiscard]] std::string task_of_lane(std::string_view device);

/// Whether devices of several processes of a cluster ran the step. Cost: O(devices).
[[nodiscard]] bool has_several_tasks(const StepTrace& trace);

/// "GPU:0" of "/job:localhost/replica:0/task:0/device:GPU:0" and of "/gpu:0"; with its stream:
/// "GPU:0 stream:7". With its task: "worker:1 GPU:0", if its name says one.
[[nodiscard]] std::string short_lane_name(std::string_view device, bool with_task = false);
/// "gpu:0" of all lanes of that device, in lower case: names of streams do not always begin like
/// names of devices, nor are they spelled alike. With its task: "worker:1 gpu:0".
[[nodiscard]] std::string device_of_lane(std::string_view lane, bool with_task = false);

}  // namespace tideline
