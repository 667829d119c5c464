// Which variable lies on which device, where several devices hold the variables.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/report.h"

namespace tideline::replicate {

/// The variables whose handles `op` reads, in the order of its inputs.
[[nodiscard]] std::vector<OpId> handles_read_by(const Context& context, OpId op);

struct SpreadVariables {
  std::vector<std::string> device_of;   ///< by op; empty for ops that are no variable
  std::vector<VariableDevice> devices;  ///< as in the options
};

/// `anchors`: by op, what it is colocated with in the end. Precondition: the options name devices.
/// Errors: those of VariableValues. Cost: O(ops + edges + variables x devices).
[[nodiscard]] Result<SpreadVariables> spread_variables(const Context& context,
                                                       const std::vector<OpId>& anchors,
                                                       const ReplicateOptions& options);

}  // namespace tideline::replicate
