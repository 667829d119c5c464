// Tested by unit/rewrite/policy_parameters_test.cc.
#include "core/rewrite/lms2/rewriter.h"

#include <array>

#include "core/rewrite/common_parameters.h"

namespace tideline::lms2 {
namespace {

using Bound = BoundParameter<Lms2Options>;
using Place = PythonName::Place;

constexpr std::array<Choice, 4> kSyncModeNames = {
    Choice{"0", "0: none wait"}, {"1", "1: outs wait"}, {"2", "2: ins wait"}, {"3", "3: all wait"}};
constexpr const char* kLevelsExpected = "an integer of at least 1, or -1 for none";

constexpr Bound kThreshold = bound<Lms2Options, &Lms2Options::swapout_threshold>(
    {.name = "swapout-threshold",
     .title = "swapout threshold",
     .kind = ParameterKind::kInteger,
     .help = "Swap a tensor for consumers more than this many levels away (1 or more)",
     .expected = kLevelsExpected,
     .type_name = "N",
     .least = 1,
     .quantity = "threshold",
     .unit = "levels",
     .is_found = true,
     .is_always_in_plan = true,
     .python = {Place::kArgument, "swapout_threshold"}});

constexpr Bound kAhead = bound<Lms2Options, &Lms2Options::swapin_ahead>(
    {.name = "swapin-ahead",
     .title = "swapin ahead",
     .kind = ParameterKind::kInteger,
     .help = "Copy it back this many levels before its first consumer (1 or more)",
     .expected = kLevelsExpected,
     .type_name = "N",
     .least = 1,
     .usual_most = 200,
     .quantity = "ahead",
     .unit = "levels",
     .is_found = true,
     .is_always_in_plan = true,
     .python = {Place::kArgument, "swapin_ahead"}});

constexpr Bound kGroupBy = bound<Lms2Options, &Lms2Options::swapin_groupby>(
    {.name = "swapin-groupby",
     .title = "swapin group-by",
     .kind = ParameterKind::kInteger,
     .help = "Consumers at most this many levels apart share a swap-in (0: none do)",
     .expected = "an integer of at least 0, or -1 for none",
     .type_name = "N",
     .usual_most = 200,
     .quantity = "groupby",
     .unit = "levels",
     .is_found = true,
     .is_always_in_plan = true,
     .python = {Place::kArgument, "swapin_groupby"}});

constexpr Bound kSyncMode = bound<Lms2Options, &Lms2Options::sync_mode>(
    {.name = "sync-mode",
     .title = "sync mode",
     .kind = ParameterKind::kChoice,
     .help = "0 asynchronous, 1 swap-outs synchronised, 2 swap-ins, 3 both",
     .expected = "0, 1, 2 or 3",
     .type_name = "N",
     .choices = kSyncModeNames,
     .is_always_in_plan = true,
     .python = {Place::kArgument, "sync_mode", /*is_always_said=*/true}});

// The reference asks the opposite question.
constexpr Bound inference() {
  Parameter parameter = {.name = "inference",
                         .title = "inference",
                         .kind = ParameterKind::kSwitch,
                         .group = ParameterGroup::kAdvanced,
                         .help = "The graph is run for inference",
                         .expected = "on or off",
                         .is_always_in_plan = true};
  parameter.default_value = [] { return Value(!usual_options<Lms2Options>().is_training); };
  parameter.python = {Place::kAttribute, "is_training", false, false, "False"};
  return {parameter,
          [](Lms2Options& options, const Value& value) {
            options.is_training = !std::get<bool>(value);
          },
          [](const Lms2Options& options) { return Value(!options.is_training); }};
}

constexpr Bound kKeras =
    bound<Lms2Options, &Lms2Options::is_keras>({.name = "keras",
                                                .title = "Keras",
                                                .kind = ParameterKind::kSwitch,
                                                .group = ParameterGroup::kAdvanced,
                                                .help = "A Keras graph with a learning phase",
                                                .expected = "on or off",
                                                .is_always_in_plan = true});

Status check_levels(const Value& value) {
  for (const std::string& level : std::get<std::vector<std::string>>(value)) {
    TIDELINE_RETURN_IF_ERROR(select_levels(level, 1));
  }
  return {};
}

constexpr Bound kSerialization = bound<Lms2Options, &Lms2Options::serialization>(
    {.name = "serialization",
     .title = "serialization",
     .kind = ParameterKind::kNames,
     .group = ParameterGroup::kAdvanced,
     .help = "Levels whose ops run one after the other: 60:64,70 (with = for a minus)",
     .expected = "levels and Python slices of levels, separated by commas",
     .type_name = "LEVELS",
     .unit = "levels",
     .check = check_levels,
     .python = {Place::kArgument, "serialization"}});

constexpr Bound kSerializationBySize = bound<Lms2Options, &Lms2Options::serialization_by_size>(
    {.name = "serialization-by-size",
     .title = "serialization by size",
     .kind = ParameterKind::kSize,
     .group = ParameterGroup::kAdvanced,
     .help = "The same for levels that need more than SIZE",
     .expected = "a size such as 4GiB, or none",
     .type_name = "SIZE",
     .may_be_none = true,
     .python = {Place::kArgument, "serialization_by_size"}});

template <auto... kPath>
constexpr Bound filter(std::string_view name, std::string_view python, bool is_of_scopes,
                       std::string_view help) {
  return bound<Lms2Options, kPath...>(
      {.name = name,
       .title = name,
       .kind = ParameterKind::kNames,
       .group = ParameterGroup::kFilters,
       .help = help,
       .expected = is_of_scopes ? "prefixes of op names, separated by commas"
                                : "op types, separated by commas",
       .type_name = "LIST",
       .python = {Place::kAttribute, python, false, /*is_set=*/true}});
}

constexpr auto kIgnoreFolded = bound<Lms2Options, &Lms2Options::ignore_folded>(
    {.name = "ignore-folded",
     .title = "ignore folded",
     .kind = ParameterKind::kSwitch,
     .group = ParameterGroup::kAdvanced,
     .help = "Beyond the reference: swap nothing for ops that TensorFlow folds",
     .expected = "on or off"});

constexpr auto kSwapLists = bound<Lms2Options, &Lms2Options::swap_lists>(
    {.name = "swap-lists",
     .title = "swap lists",
     .kind = ParameterKind::kSwitch,
     .group = ParameterGroup::kAdvanced,
     .help = "Beyond the reference: also swap the lists that loops of TensorFlow 2 keep for their "
             "gradients (not tried on a GPU)",
     .expected = "on or off"});

constexpr std::array kTable = {
    kThreshold,
    kAhead,
    kGroupBy,
    kSyncMode,
    cpu_device_parameter<Lms2Options>(),
    copy_mode_parameter<Lms2Options>(),
    inference(),
    kKeras,
    guard_conditionals_parameter<Lms2Options>(),
    keep_fusion_parameter<Lms2Options>(),
    kIgnoreFolded,
    kSwapLists,
    kSerialization,
    kSerializationBySize,
    batch_size_parameter<Lms2Options>(),
    gpu_device_parameter<Lms2Options>(),
    filter<&Lms2Options::excl_output, &OpFilter::scopes>(
        "excl-output-by-scopes", "excl_output_by_scopes", true,
        "Never swap outputs of ops whose name begins with one of these"),
    filter<&Lms2Options::excl_output, &OpFilter::types>(
        "excl-output-by-types", "excl_output_by_types", false, "... of these op types"),
    filter<&Lms2Options::excl_input, &OpFilter::scopes>("excl-input-by-scopes",
                                                        "excl_input_by_scopes", true,
                                                        "Never let such ops read swapped tensors"),
    filter<&Lms2Options::excl_input, &OpFilter::types>("excl-input-by-types", "excl_input_by_types",
                                                       false, "... of these op types"),
    filter<&Lms2Options::incl_output, &OpFilter::scopes>(
        "incl-output-by-scopes", "incl_output_by_scopes", true, "Swap only outputs of such ops"),
    filter<&Lms2Options::incl_output, &OpFilter::types>(
        "incl-output-by-types", "incl_output_by_types", false, "... of these op types"),
    filter<&Lms2Options::incl_input, &OpFilter::scopes>("incl-input-by-scopes",
                                                        "incl_input_by_scopes", true,
                                                        "Let only such ops read swapped tensors"),
    filter<&Lms2Options::incl_input, &OpFilter::types>("incl-input-by-types", "incl_input_by_types",
                                                       false, "... of these op types"),
    keep_tensors_parameter<Lms2Options>(),
    swap_tensors_parameter<Lms2Options>(),
    ahead_tensors_parameter<Lms2Options>(
        "Copy this tensor back N levels before its first consumer, instead of swapin-ahead"),
};

}  // namespace
}  // namespace tideline::lms2

template <>
std::span<const tideline::BoundParameter<tideline::Lms2Options>>
tideline::bound_parameters<tideline::Lms2Options>() {
  return tideline::lms2::kTable;
}
