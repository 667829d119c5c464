// The options of LMS v2, for every verb that has them.
#pragma once

#include <string>

#include "app/cli/commands.h"
#include "core/io/document.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/lms2/tune.h"
#include "core/rewrite/lms_plan.h"

namespace tideline::cli {

/// As the command line says them, and after complete() as the core takes them.
struct Lms2Arguments {
  Lms2Options lms;
  MemoryBudget budget;
  bool automatic = false;  ///< a budget is given, and parameters are missing

  std::string serialization, serialization_by_size, gpu_device;
  std::string excl_output_by_scopes, excl_output_by_types;
  std::string excl_input_by_scopes, excl_input_by_types;
  std::string incl_output_by_scopes, incl_output_by_types;
  std::string incl_input_by_scopes, incl_input_by_types;
  std::string keep_tensors, swap_tensors;
  std::string device_memory, host_memory;
  bool inference = false;
};

/// Adds all of them to `command`.
void add_lms2_options(CLI::App& command, Lms2Arguments& arguments);
/// Whether any of those that begin a policy was given: a parameter or a budget.
[[nodiscard]] bool names_a_policy(const Lms2Arguments& arguments);
/// Fills `lms`, `budget` and `automatic`. Errors: those of validate, for exit code 2.
[[nodiscard]] Status complete(Lms2Arguments& arguments, const GraphArgument& graph);

/// The plan for `used`, or in automatic mode for what was found to fit; `used` then becomes that.
/// Errors: those of plan_lms2 and plan_lms2_within.
[[nodiscard]] Result<LmsPlan> plan_by_policy(const Lms2Arguments& policy,
                                             const io::Document& document, Lms2Options& used,
                                             Progress& progress);

}  // namespace tideline::cli
