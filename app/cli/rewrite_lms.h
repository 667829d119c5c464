// What the rewriters of both LMS generations have in common on the command line.
#pragma once

#include <functional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/rewrite/lms_plan.h"
#include "core/rewrite/plan_json.h"

namespace tideline::cli {

/// The options of every LMS mode.
struct LmsArguments {
  GraphArgument graph;
  OutputOptions output;
  int debug = 0;
  /// Whether reasons for tensors that stay will be shown.
  [[nodiscard]] bool wants_reasons() const { return !output.plan_path.empty() || debug >= 2; }
};
void add_lms_arguments(CLI::App& command, LmsArguments& arguments);

/// What tells the modes apart.
struct LmsMode {
  /// `sizes` is what the user and the functions of the file say about shapes.
  std::function<Result<LmsPlan>(const io::Document&, const TensorOptions& sizes, Progress&)> plan;
  std::function<std::string(const Graph&, const LmsPlan&, const PlanHead&)> json;
};

/// Reads the graph, plans, says what will be done, applies the plan and writes. Returns the exit
/// code.
[[nodiscard]] int rewrite_lms(const LmsArguments& arguments, const LmsMode& mode);

}  // namespace tideline::cli
