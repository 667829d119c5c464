// The user's settings for an opened graph, as one value, which undo restores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/tensor_options.h"
#include "core/memory/device_profile.h"
#include "core/memory/run_model.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

struct Wish {
  Policy policy = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  std::vector<GivenRounds> rounds = {};  ///< of loops
  RunModel run = {};  ///< how the step is simulated; kExact: modelled, and asked of TensorFlow
  DeviceProfile profile = *built_in_profile("pcie3");
  std::string profile_file = {};  ///< that `profile` was read from; empty for a built-in one
  friend bool operator==(const Wish&, const Wish&) = default;

  [[nodiscard]] bool is_exact() const { return run.as_run == AsRun::kExact; }
  /// The run model of plans and views, with the executor that policy and profile ask for.
  [[nodiscard]] RunModel run_on_device() const {
    return with_executor(is_exact() ? RunModel{AsRun::kModelled, run.executor} : run, policy,
                         profile);
  }
};

/// The change in short: the first difference, "copies 3 -> 5", and the number of others.
[[nodiscard]] std::string describe_change(const Wish& before, const Wish& after);

/// As the action graph.as-run takes it: "off", "modelled", "modelled gpu".
[[nodiscard]] std::string run_model_text(const RunModel& run);

/// The policy as passed to the core: without its budget if that has no device memory, so that
/// automatic mode does not run with a budget of 0.
[[nodiscard]] Policy effective_policy(const Policy& policy);

/// Chooses a rewriter, or "off". Its parameters without a value get starting values for a graph of
/// `levels` levels, unless a search will find them. Returns whether some that a search can find
/// did.
bool choose_rewriter(Policy& policy, std::string_view id, std::int32_t levels);

}  // namespace tideline::app
