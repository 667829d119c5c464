#include "core/rewrite/lms1/options.h"

#include "core/rewrite/lms/own_ahead.h"

namespace tideline {
namespace {

Status at_least(int value, int least, std::string_view option) {
  if (value >= least) return {};
  return fail(Code::kInvalidArgument, "{} is {}; expected {} or more", option, value, least);
}

}  // namespace

Result<ControlStrategy> control_strategy(const std::string& name) {
  for (const auto strategy : {ControlStrategy::kChainRule, ControlStrategy::kDirectOrder}) {
    if (name == name_of(strategy)) return strategy;
  }
  return fail(Code::kInvalidArgument,
              "{{ctrld-strategy}} is '{}'; expected chain_rule or direct_order", name);
}

const char* name_of(ControlStrategy strategy) {
  return strategy == ControlStrategy::kChainRule ? "chain_rule" : "direct_order";
}

Status validate(const Lms1Options& options) {
  if (options.optimizer_scopes.empty()) {
    return fail(
        Code::kInvalidArgument,
        "{{optimizer-scopes}} is missing; expected the scopes of the backward phase, such as "
        "adam_optimizer");
  }
  TIDELINE_RETURN_IF_ERROR(at_least(options.n_tensors, -1, "{n-tensors}"));
  TIDELINE_RETURN_IF_ERROR(at_least(options.lb, 0, "{lb}"));
  TIDELINE_RETURN_IF_ERROR(at_least(options.ub, 0, "{ub}"));
  TIDELINE_RETURN_IF_ERROR(at_least(options.branch_threshold, 0, "{branch-threshold}"));
  if (options.batch_size && *options.batch_size < 1) {
    return fail(Code::kInvalidArgument, "{{batch-size}} is {}; expected 1 or more",
                *options.batch_size);
  }
  TIDELINE_RETURN_IF_ERROR(check_aheads(options.ahead_tensors));
  if (options.cpu_device.empty()) {
    return fail(Code::kInvalidArgument,
                "{{cpu-device}} is empty; expected a device such as /cpu:0");
  }
  return {};
}

}  // namespace tideline
