// The table of rewriters: what each is called, which parameters it has, and what it can do.
// Everything that a front offers for a rewriter is made from its line here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/memory/timeline.h"
#include "core/rewrite/lms_plan.h"
#include "core/rewrite/search.h"
#include "core/rewrite/values.h"

namespace tideline {

struct Policy;
class PreparedRewrite;

/// What a plan is made for. The graph, the collections and sizes.functions outlive what is made.
struct RewriteInput {
  const Graph* graph = nullptr;
  const Collections* collections = nullptr;
  TensorOptions sizes = {};
};

/// How a rewriter finds the parameters that are -1 so that a step fits a memory budget.
struct Search {
  /// Those that are tried, in the order in which they are reported.
  std::span<const Parameter* const> parameters;
  /// Whether any is to be found.
  bool (*is_needed)(const Values& values) = nullptr;
  /// Whether the values make sense for a search within `budget`. Errors: kInvalidArgument.
  Status (*validate)(const Values& values, const MemoryBudget& budget) = nullptr;
  /// Searches, and makes no plan. Errors: those of the search; finding nothing is none.
  Result<SearchResult> (*tune)(const RewriteInput& input, const Policy& policy,
                               Progress& progress) = nullptr;
  /// Gives parameters that are still -1 values with which little or nothing is swapped.
  void (*give_up)(Values& values, std::int32_t levels) = nullptr;
};

/// A step without and with a plan, counted as the reference counts.
struct CountedStep {
  MemoryTimeline before;
  std::optional<MemoryTimeline> after;
};

struct Rewriter {
  std::string_view id;     ///< "lms2": the mode of `rewrite`, the name of the policy
  std::string_view title;  ///< "LMS v2"
  std::string_view help;   ///< one sentence
  std::span<const Parameter> parameters;

  /// Whether the values make sense by themselves, without a graph and without a search. Errors:
  /// kInvalidArgument naming the command line's option and what was expected.
  Status (*validate)(const Values& values) = nullptr;
  std::unique_ptr<PreparedRewrite> (*prepare)(RewriteInput input) = nullptr;

  /// Gives parameters that are missing values to start from in a graph of so many levels; may be
  /// null.
  void (*add_starting_values)(Values& values, std::int32_t levels) = nullptr;
  /// The main values, for a caption; empty without any.
  std::string (*describe)(const Values& values, bool with_defaults) = nullptr;
  /// Why a plan that was necessary swaps nothing and says nothing of single tensors.
  std::string_view why_nothing = "there is nothing to change";
  std::optional<Search> search = {};
  /// The step as the rewriter's reference counts it; null where the reference does not.
  Result<CountedStep> (*count_step)(const RewriteInput& input, const Values& values,
                                    bool with_swaps) = nullptr;
  /// The filters that ticking a scope changes; null when there are none.
  const Parameter* include_scopes = nullptr;
  const Parameter* exclude_scopes = nullptr;
  bool scopes_are_whole = false;  ///< "conv1" does not mean "conv10"; else beginnings of names
  /// The reference's Python class takes this first, and these attributes beside the parameters.
  std::string_view python_first_argument = {};
  std::string_view python_batch_size = {};
  std::string_view python_device_memory = {};

  [[nodiscard]] const Parameter* find(std::string_view name) const {
    return find_parameter(parameters, name);
  }
};

/// The table (rewriters.cc), in the order in which fronts list its lines.
[[nodiscard]] std::span<const Rewriter* const> rewriters();
/// Null when there is none of that id; "off" is none.
[[nodiscard]] const Rewriter* find_rewriter(std::string_view id);
/// "lms2 or lms1", "lms2, lms1 or off": for messages and help.
[[nodiscard]] std::string rewriter_ids(bool with_off);

}  // namespace tideline
