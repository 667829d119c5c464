// Tested by unit/rewrite/policy_parameters_test.cc.
#include "core/rewrite/lms1/rewriter.h"

#include <array>

#include "core/rewrite/common_parameters.h"

namespace tideline::lms1 {
namespace {

using Bound = BoundParameter<Lms1Options>;
using Place = PythonName::Place;

constexpr const char* kFromZero = "an integer of at least 0";

constexpr std::array<Choice, 2> kStrategies = {Choice{"chain_rule", ""}, {"direct_order", ""}};

template <auto kMember>
constexpr Bound names(std::string_view name, std::string_view python, ParameterGroup group,
                      std::string_view help, std::string_view expected) {
  return bound<Lms1Options, kMember>(
      {.name = name,
       .title = name,
       .kind = ParameterKind::kNames,
       .group = group,
       .help = help,
       .expected = expected,
       .type_name = "LIST",
       .python = {Place::kArgument, python, false, /*is_set=*/true}});
}

constexpr Bound optimizer_scopes() {
  Bound entry = names<&Lms1Options::optimizer_scopes>(
      "optimizer-scopes", "optimizer_scopes", ParameterGroup::kMain,
      "The backward phase: ops whose names begin with one of these",
      "prefixes of op names, separated by commas");
  entry.parameter.title = "optimizer scopes";
  entry.parameter.is_required = true;
  entry.parameter.is_always_in_plan = true;
  return entry;
}

constexpr Bound kStartingScope = bound<Lms1Options, &Lms1Options::starting_scope>(
    {.name = "starting-scope",
     .title = "starting scope",
     .kind = ParameterKind::kText,
     .group = ParameterGroup::kAdvanced,
     .help = "Start the search for tensors at ops whose names begin with this",
     .expected = "a prefix of op names",
     .type_name = "SCOPE",
     .python = {Place::kArgument, "starting_scope"}});

constexpr Bound kTensors = bound<Lms1Options, &Lms1Options::n_tensors>(
    {.name = "n-tensors",
     .title = "tensors",
     .kind = ParameterKind::kInteger,
     .help = "Swap at most N tensors (-1: all, 0: LMS is off)",
     .expected = "an integer of at least 0, or -1 for all",
     .type_name = "N",
     .least = -1,
     .usual_most = 500,
     .unit = "tensors",
     .text_of_least = "all",
     .is_always_in_plan = true,
     .python = {Place::kArgument, "n_tensors"}});

constexpr Bound kLower = bound<Lms1Options, &Lms1Options::lb>(
    {.name = "lb",
     .title = "lower bound",
     .kind = ParameterKind::kInteger,
     .help = "Copy a tensor back at least N ops before its consumer",
     .expected = kFromZero,
     .type_name = "N",
     .unit = "ops",
     .is_always_in_plan = true,
     .python = {Place::kArgument, "lb"}});

constexpr Bound kUpper = bound<Lms1Options, &Lms1Options::ub>({.name = "ub",
                                                               .title = "upper bound",
                                                               .kind = ParameterKind::kInteger,
                                                               .help = "... and less than N",
                                                               .expected = kFromZero,
                                                               .type_name = "N",
                                                               .usual_most = 10000,
                                                               .unit = "ops",
                                                               .is_always_in_plan = true,
                                                               .python = {Place::kArgument, "ub"}});

constexpr Bound kFuse = bound<Lms1Options, &Lms1Options::fuse_swapins>(
    {.name = "fuse-swapins",
     .title = "fuse swap-ins",
     .kind = ParameterKind::kSwitch,
     .help = "All backward consumers of a tensor share one swap-in",
     .expected = "on or off",
     .is_always_in_plan = true,
     .python = {Place::kArgument, "fuse_swapins"}});

constexpr Bound strategy() {
  Parameter parameter = {.name = "ctrld-strategy",
                         .title = "control strategy",
                         .kind = ParameterKind::kChoice,
                         .help =
                             "How the op that a swap-in waits for is found: chain_rule or "
                             "direct_order",
                         .expected = "chain_rule or direct_order",
                         .type_name = "NAME",
                         .choices = kStrategies,
                         .is_always_in_plan = true,
                         .python = {Place::kArgument, "ctrld_strategy"}};
  parameter.default_value = [] {
    return Value(std::string(name_of(usual_options<Lms1Options>().ctrld_strategy)));
  };
  return {parameter,
          [](Lms1Options& options, const Value& value) {
            // Values hold one of the choices only.
            if (auto found = control_strategy(std::get<std::string>(value))) {
              options.ctrld_strategy = *found;
            }
          },
          [](const Lms1Options& options) {
            return Value(std::string(name_of(options.ctrld_strategy)));
          }};
}

constexpr Bound kSwapBranches = bound<Lms1Options, &Lms1Options::swap_branches>(
    {.name = "swap-branches",
     .title = "swap branches",
     .kind = ParameterKind::kSwitch,
     .help = "Also swap tensors for late forward consumers",
     .expected = "on or off",
     .is_always_in_plan = true,
     .python = {Place::kArgument, "swap_branches"}});

constexpr Bound kBranchThreshold = bound<Lms1Options, &Lms1Options::branch_threshold>(
    {.name = "branch-threshold",
     .title = "branch threshold",
     .kind = ParameterKind::kInteger,
     .help = "... more than N orders after the first forward consumer",
     .expected = kFromZero,
     .type_name = "N",
     .unit = "orders",
     .is_always_in_plan = true,
     .only_with = "swap-branches",
     .python = {Place::kArgument, "branch_threshold"}});

constexpr std::array kTable = {
    optimizer_scopes(),
    kStartingScope,
    names<&Lms1Options::starting_op_names>(
        "starting-op-names", "starting_op_names", ParameterGroup::kAdvanced,
        "... and at these ops (default: found automatically)", "names of ops, separated by commas"),
    names<&Lms1Options::excl_scopes>("excl-scopes", "excl_scopes", ParameterGroup::kFilters,
                                     "Never swap outputs of ops in one of these scopes",
                                     "scopes, separated by commas"),
    names<&Lms1Options::incl_scopes>("incl-scopes", "incl_scopes", ParameterGroup::kFilters,
                                     "Swap only outputs of ops in one of these scopes",
                                     "scopes, separated by commas"),
    names<&Lms1Options::excl_types>("excl-types", "excl_types", ParameterGroup::kFilters,
                                    "Never swap outputs of ops of these types",
                                    "op types, separated by commas"),
    names<&Lms1Options::incl_types>("incl-types", "incl_types", ParameterGroup::kFilters,
                                    "Swap also, or only, outputs of ops of these types",
                                    "op types, separated by commas"),
    kTensors,
    kLower,
    kUpper,
    kFuse,
    strategy(),
    kSwapBranches,
    kBranchThreshold,
    cpu_device_parameter<Lms1Options>(),
    copy_mode_parameter<Lms1Options>(),
    keep_tensors_parameter<Lms1Options>(),
    swap_tensors_parameter<Lms1Options>(),
    ahead_tensors_parameter<Lms1Options>(
        "Copy this tensor back at least N ops before its consumer, instead of lb"),
    guard_conditionals_parameter<Lms1Options>(),
    keep_fusion_parameter<Lms1Options>(),
    batch_size_parameter<Lms1Options>(),
};

}  // namespace
}  // namespace tideline::lms1

template <>
std::span<const tideline::BoundParameter<tideline::Lms1Options>>
tideline::bound_parameters<tideline::Lms1Options>() {
  return tideline::lms1::kTable;
}
