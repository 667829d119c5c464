// Tested by unit/session/parameters_test.cc.
#include "app/session/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"

namespace tideline::session {
namespace {

using Lists = std::vector<std::string>;

std::string on_off(bool value) {
  return value ? "on" : "off";
}

Status set_number(int& value, const std::string& text, int least) {
  TIDELINE_TRY(value, parse_number(text, least));
  return {};
}

Status set_flag(bool& value, const std::string& text) {
  TIDELINE_TRY(value, parse_switch(text));
  return {};
}

Status set_device(std::string& value, const std::string& text) {
  if (text.empty()) return fail(Code::kInvalidArgument, "it is empty");
  value = text;
  return {};
}

Status set_ratio(double& value, const std::string& text) {
  double parsed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error != std::errc() || stop != end || !(parsed > 0.0) || parsed > 1.0) {
    return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
  }
  value = parsed;
  return {};
}

// "none" and 0 are no size.
Result<Bytes> size_or_none(const std::string& text) {
  if (text == "none" || text.empty()) return 0;
  return parse_size(text);
}

MemoryBudget& budget_of(Policy& policy) {
  if (!policy.budget) policy.budget.emplace();
  return *policy.budget;
}

// A budget that says nothing is none.
void forget_empty(Policy& policy) {
  if (policy.budget == MemoryBudget{}) policy.budget.reset();
}

Status set_serialization(Policy& policy, const std::string& text) {
  const Lists levels = split_list(text, ',');
  for (const std::string& level : levels) TIDELINE_RETURN_IF_ERROR(select_levels(level, 1));
  policy.lms2.serialization = levels;
  return {};
}

// Which value of a policy: the way to it from member to member.
template <auto... Path>
auto& value_of(Policy& policy) {
  return (policy.*....*Path);
}
template <auto... Path>
const auto& value_of(const Policy& policy) {
  return (policy.*....*Path);
}

struct Modes {
  bool lms1 = false, lms2 = false;
};
constexpr Modes kLms1{true, false}, kLms2{false, true};

// -1 says that a level parameter is missing.
Status set_levels(int& value, const std::string& text, int least) {
  if (text != "-1") return set_number(value, text, least);
  value = -1;
  return {};
}

template <int kLeast, auto... Path>
constexpr Parameter levels(std::string_view name, std::string_view expected) {
  return {name,
          ParameterKind::kNumber,
          false,
          true,
          expected,
          [](const Policy& policy) { return std::to_string(value_of<Path...>(policy)); },
          [](Policy& policy, const std::string& text) {
            return set_levels(value_of<Path...>(policy), text, kLeast);
          }};
}

template <int kLeast, auto... Path>
constexpr Parameter number(std::string_view name, Modes modes, std::string_view expected) {
  return {name,
          ParameterKind::kNumber,
          modes.lms1,
          modes.lms2,
          expected,
          [](const Policy& policy) { return std::to_string(value_of<Path...>(policy)); },
          [](Policy& policy, const std::string& text) {
            return set_number(value_of<Path...>(policy), text, kLeast);
          }};
}

template <auto... Path>
constexpr Parameter flag(std::string_view name, Modes modes) {
  return {name,
          ParameterKind::kFlag,
          modes.lms1,
          modes.lms2,
          "on or off",
          [](const Policy& policy) { return on_off(value_of<Path...>(policy)); },
          [](Policy& policy, const std::string& text) {
            return set_flag(value_of<Path...>(policy), text);
          }};
}

template <auto... Path>
constexpr Parameter list(std::string_view name, Modes modes, std::string_view expected) {
  return {name,
          ParameterKind::kList,
          modes.lms1,
          modes.lms2,
          expected,
          [](const Policy& policy) {
            return fmt::format("{}", fmt::join(value_of<Path...>(policy), ","));
          },
          [](Policy& policy, const std::string& text) -> Status {
            value_of<Path...>(policy) = split_list(text, ',');
            return {};
          }};
}

constexpr const char* kLevels = "a whole number from 1 on, or -1 for none";
constexpr const char* kPrefixes = "beginnings of op names, parted by commas";
constexpr const char* kScopes = "scopes, parted by commas";
constexpr const char* kTypes = "op types, parted by commas";
constexpr const char* kTensors = "tensors such as conv1/Relu:0, parted by commas";

constexpr const char* kDevice = "a device such as /cpu:0";
constexpr const char* kSize = "a size such as 4GiB, or none";

constexpr Parameter kParameters[] = {
    levels<1, &Policy::lms2, &Lms2Options::swapout_threshold>("swapout-threshold", kLevels),
    levels<1, &Policy::lms2, &Lms2Options::swapin_ahead>("swapin-ahead", kLevels),
    levels<0, &Policy::lms2, &Lms2Options::swapin_groupby>(
        "swapin-groupby", "a whole number from 0 on, or -1 for none"),
    {"sync-mode", ParameterKind::kNumber, false, true, "0, 1, 2 or 3",
     [](const Policy& policy) { return std::to_string(policy.lms2.sync_mode); },
     [](Policy& policy, const std::string& text) -> Status {
       if (text.size() != 1 || text[0] < '0' || text[0] > '3') {
         return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
       }
       policy.lms2.sync_mode = text[0] - '0';
       return {};
     }},
    {"serialization", ParameterKind::kList, false, true,
     "levels and Python slices of levels, parted by commas",
     [](const Policy& policy) {
       return fmt::format("{}", fmt::join(policy.lms2.serialization, ","));
     },
     set_serialization},
    {"serialization-by-size", ParameterKind::kSize, false, true, kSize,
     [](const Policy& policy) {
       const auto size = policy.lms2.serialization_by_size;
       return size ? exact_size(*size) : std::string("none");
     },
     [](Policy& policy, const std::string& text) -> Status {
       if (text == "none" || text.empty()) {
         policy.lms2.serialization_by_size.reset();
         return {};
       }
       TIDELINE_TRY(policy.lms2.serialization_by_size, parse_size(text));
       return {};
     }},
    {"cpu-device", ParameterKind::kText, true, true, kDevice,
     [](const Policy& policy) {
       return policy.mode == PolicyMode::kLms1 ? policy.lms1.cpu_device : policy.lms2.cpu_device;
     },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_RETURN_IF_ERROR(set_device(policy.lms1.cpu_device, text));
       return set_device(policy.lms2.cpu_device, text);
     }},
    {"gpu-device", ParameterKind::kText, false, true, "a device such as /device:GPU:0, or none",
     [](const Policy& policy) { return policy.lms2.gpu_device.value_or("none"); },
     [](Policy& policy, const std::string& text) -> Status {
       policy.lms2.gpu_device =
           text == "none" || text.empty() ? std::nullopt : std::optional<std::string>(text);
       return {};
     }},
    {"guard-conditionals", ParameterKind::kFlag, true, true, "on or off",
     [](const Policy& policy) {
       return on_off(policy.mode == PolicyMode::kLms1 ? policy.lms1.guard_conditionals
                                                      : policy.lms2.guard_conditionals);
     },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_TRY(policy.lms1.guard_conditionals, parse_switch(text));
       policy.lms2.guard_conditionals = policy.lms1.guard_conditionals;
       return {};
     }},
    {"inference", ParameterKind::kFlag, false, true, "on or off",
     [](const Policy& policy) { return on_off(!policy.lms2.is_training); },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_TRY(const bool is_inference, parse_switch(text));
       policy.lms2.is_training = !is_inference;
       return {};
     }},
    flag<&Policy::lms2, &Lms2Options::is_keras>("keras", kLms2),
    list<&Policy::lms2, &Lms2Options::excl_output, &OpFilter::scopes>("excl-output-by-scopes",
                                                                      kLms2, kPrefixes),
    list<&Policy::lms2, &Lms2Options::excl_output, &OpFilter::types>("excl-output-by-types", kLms2,
                                                                     kTypes),
    list<&Policy::lms2, &Lms2Options::excl_input, &OpFilter::scopes>("excl-input-by-scopes", kLms2,
                                                                     kPrefixes),
    list<&Policy::lms2, &Lms2Options::excl_input, &OpFilter::types>("excl-input-by-types", kLms2,
                                                                    kTypes),
    list<&Policy::lms2, &Lms2Options::incl_output, &OpFilter::scopes>("incl-output-by-scopes",
                                                                      kLms2, kPrefixes),
    list<&Policy::lms2, &Lms2Options::incl_output, &OpFilter::types>("incl-output-by-types", kLms2,
                                                                     kTypes),
    list<&Policy::lms2, &Lms2Options::incl_input, &OpFilter::scopes>("incl-input-by-scopes", kLms2,
                                                                     kPrefixes),
    list<&Policy::lms2, &Lms2Options::incl_input, &OpFilter::types>("incl-input-by-types", kLms2,
                                                                    kTypes),
    list<&Policy::keep_tensors>("keep-tensors", {true, true}, kTensors),
    list<&Policy::swap_tensors>("swap-tensors", {true, true}, kTensors),
    {"device-memory", ParameterKind::kSize, true, true, kSize,
     [](const Policy& policy) {
       return policy.budget && policy.budget->device > 0 ? exact_size(policy.budget->device)
                                                         : std::string("none");
     },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_TRY(const Bytes size, size_or_none(text));
       budget_of(policy).device = size;
       forget_empty(policy);
       return {};
     }},
    {"host-memory", ParameterKind::kSize, true, true, "a size such as 64GiB",
     [](const Policy& policy) { return exact_size(policy.budget.value_or(MemoryBudget{}).host); },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_TRY(const Bytes size, parse_size(text));
       budget_of(policy).host = size;
       forget_empty(policy);
       return {};
     }},
    {"memory-ratio", ParameterKind::kRatio, false, true, "a number above 0, at most 1",
     [](const Policy& policy) {
       return fmt::format("{}", policy.budget.value_or(MemoryBudget{}).ratio);
     },
     [](Policy& policy, const std::string& text) -> Status {
       double ratio = 0;
       TIDELINE_RETURN_IF_ERROR(set_ratio(ratio, text));
       budget_of(policy).ratio = ratio;
       forget_empty(policy);
       return {};
     }},
    {"model", ParameterKind::kText, false, true, "compatible or faithful",
     [](const Policy& policy) {
       return std::string(policy.search.is_faithful ? "faithful" : "compatible");
     },
     [](Policy& policy, const std::string& text) -> Status {
       if (text != "compatible" && text != "faithful") {
         return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
       }
       policy.search.is_faithful = text == "faithful";
       return {};
     }},
    list<&Policy::lms1, &Lms1Options::optimizer_scopes>("optimizer-scopes", kLms1, kPrefixes),
    {"starting-scope", ParameterKind::kText, true, false, "the beginning of op names",
     [](const Policy& policy) { return policy.lms1.starting_scope; },
     [](Policy& policy, const std::string& text) -> Status {
       policy.lms1.starting_scope = text;
       return {};
     }},
    list<&Policy::lms1, &Lms1Options::starting_op_names>("starting-op-names", kLms1,
                                                         "names of ops, parted by commas"),
    list<&Policy::lms1, &Lms1Options::excl_scopes>("excl-scopes", kLms1, kScopes),
    list<&Policy::lms1, &Lms1Options::incl_scopes>("incl-scopes", kLms1, kScopes),
    list<&Policy::lms1, &Lms1Options::excl_types>("excl-types", kLms1, kTypes),
    list<&Policy::lms1, &Lms1Options::incl_types>("incl-types", kLms1, kTypes),
    number<-1, &Policy::lms1, &Lms1Options::n_tensors>("n-tensors", kLms1,
                                                       "a whole number from 0 on, or -1 for all"),
    number<1, &Policy::lms1, &Lms1Options::lb>("lb", kLms1, "a whole number from 1 on"),
    number<0, &Policy::lms1, &Lms1Options::ub>("ub", kLms1, "a whole number from 0 on"),
    flag<&Policy::lms1, &Lms1Options::fuse_swapins>("fuse-swapins", kLms1),
    {"ctrld-strategy", ParameterKind::kText, true, false, "chain_rule or direct_order",
     [](const Policy& policy) { return std::string(name_of(policy.lms1.ctrld_strategy)); },
     [](Policy& policy, const std::string& text) -> Status {
       TIDELINE_TRY(policy.lms1.ctrld_strategy, control_strategy(text));
       return {};
     }},
    flag<&Policy::lms1, &Lms1Options::swap_branches>("swap-branches", kLms1),
    number<0, &Policy::lms1, &Lms1Options::branch_threshold>("branch-threshold", kLms1,
                                                             "a whole number from 0 on"),
};

}  // namespace

std::span<const Parameter> parameters() {
  return kParameters;
}

const Parameter* find_parameter(std::string_view name) {
  const auto* found = std::find_if(std::begin(kParameters), std::end(kParameters),
                                   [&](const Parameter& entry) { return entry.name == name; });
  return found == std::end(kParameters) ? nullptr : found;
}

Status set_parameter(Policy& policy, const std::string& name, const std::string& text) {
  const Parameter* parameter = find_parameter(name);
  if (parameter == nullptr) {
    return fail(Code::kInvalidArgument,
                "'{}' is no parameter of a policy; expected one such as swapout-threshold",
                printable(name));
  }
  if (Status status = parameter->set(policy, text); !status) {
    return fail(Code::kInvalidArgument, "{} cannot be '{}'; expected {}", name, printable(text),
                parameter->expected);
  }
  return {};
}

std::string exact_size(Bytes bytes) {
  constexpr Bytes kKiB = 1024;
  if (bytes > 0 && bytes % (kKiB * kKiB * kKiB) == 0) {
    return fmt::format("{}GiB", bytes / (kKiB * kKiB * kKiB));
  }
  if (bytes > 0 && bytes % (kKiB * kKiB) == 0) return fmt::format("{}MiB", bytes / (kKiB * kKiB));
  return std::to_string(bytes);
}

Result<int> parse_number(const std::string& text, int least) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  constexpr int kMost = 999999999;
  if (error != std::errc() || stop != end || value > kMost || value < least) {
    return fail(Code::kInvalidArgument, "'{}' is no whole number from {} on", printable(text),
                least);
  }
  return value;
}

Result<bool> parse_switch(const std::string& text) {
  if (text == "on" || text == "off") return text == "on";
  return fail(Code::kInvalidArgument, "'{}' is neither on nor off", printable(text));
}

}  // namespace tideline::session
