// What the user asks for about an opened graph, as one value that can be undone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/tensor_options.h"
#include "core/memory/device_profile.h"
#include "core/rewrite/policy.h"

namespace tideline::session {

struct Wish {
  Policy policy = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  DeviceProfile profile = *built_in_profile("pcie3");
  friend bool operator==(const Wish&, const Wish&) = default;
};

/// "copies 3 -> 5": what is different, shortly; the first difference counts, with how many
/// more there are.
[[nodiscard]] std::string describe_change(const Wish& before, const Wish& after);

/// "x=1x28x?": what parse_given_shape takes for exactly that.
[[nodiscard]] std::string given_shape_text(const GivenShape& given);

/// The policy as the core is to see it: a budget without device memory is none, so that automatic
/// mode never runs on nothing.
[[nodiscard]] Policy effective_policy(const Policy& policy);

}  // namespace tideline::session
