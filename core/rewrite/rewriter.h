// The table of rewriters: the name, the parameters and the functions of each. The user interfaces
// offer a rewriter entirely from its entry here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/memory/timeline.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/values.h"

namespace tideline {

struct Cluster;
struct Policy;
struct TrainingRoles;
class PreparedRewrite;

/// The input of a rewriter. Everything that it refers to must outlive what is made from it.
struct RewriteInput {
  const Graph* graph = nullptr;
  const Collections* collections = nullptr;
  TensorOptions sizes = {};
  const GraphFacts* facts = nullptr;  ///< of the graph with sizes.functions; never null for prepare
};

/// The search for parameters that are -1, so that a step fits a memory budget.
struct Search {
  /// The parameters that are tried, in the order in which they are reported.
  std::span<const Parameter* const> parameters;
  /// Whether it heeds MemoryBudget::host, and SearchModel.
  bool has_host_budget = true;
  bool has_models = true;
  /// Whether any parameter is to be searched for.
  bool (*is_needed)(const Values& values) = nullptr;
  /// Checks the values for a search within `budget`. Errors: kInvalidArgument.
  Status (*validate)(const Values& values, const MemoryBudget& budget) = nullptr;
  /// Searches without making a plan. Errors: those of the search; finding nothing is none. Null if
  /// only a plan can be searched for; then give_up is null, too.
  Result<SearchResult> (*tune)(const RewriteInput& input, const Policy& policy,
                               Progress& progress) = nullptr;
  /// Sets parameters that are still -1 to values with which little or nothing is swapped.
  void (*give_up)(Values& values, std::int32_t levels) = nullptr;
};

/// Values with which a rewriter may make a step fit a budget that it does not fit as it is.
struct Attempt {
  std::string title;         ///< "LMS v1", "towers on 2 devices"; of several with one title the
                             ///< best counts
  Values values;             ///< added to those that the user gave
  std::int64_t devices = 1;  ///< on which the step runs then
};

/// A step without and with a plan, on the reference's memory model.
struct CountedStep {
  MemoryTimeline before;
  std::optional<MemoryTimeline> after;
};

/// One entry of the table. Functions must not keep state between calls. Thread: any.
struct Rewriter {
  std::string_view id;     ///< "lms2": the mode of `rewrite`, the name of the policy
  std::string_view title;  ///< "LMS v2"
  std::string_view help;   ///< one sentence
  std::span<const Parameter> parameters;
  /// Whether it chooses swaps for a given step, and so is a --policy of the verbs that simulate.
  /// False for one that makes another graph of the step (sections, towers): a policy is then chosen
  /// for its result.
  bool is_policy = true;

  /// Checks the values, as far as possible without a graph and without a search. Errors:
  /// kInvalidArgument naming the parameter and what was expected.
  Status (*validate)(const Values& values) = nullptr;
  std::unique_ptr<PreparedRewrite> (*prepare)(RewriteInput input) = nullptr;

  /// Sets missing parameters to initial values for a graph of `levels` levels; may be null.
  void (*add_starting_values)(Values& values, std::int32_t levels) = nullptr;
  /// The main values as a caption; null if there are none.
  std::string (*describe)(const Values& values, bool with_defaults) = nullptr;
  std::optional<Search> search = {};
  /// The step on the reference's memory model; null if the reference has none.
  Result<CountedStep> (*count_step)(const RewriteInput& input, const Values& values,
                                    bool with_swaps) = nullptr;
  /// What is worth trying to make a step fit, the most promising first; null where the rewriter
  /// does not lower the memory of a step. With a search it has a budget. Errors, kUnsupported: why
  /// there is nothing to try for this graph.
  Result<std::vector<Attempt>> (*attempts)(const TrainingRoles& roles,
                                           const Graph& graph) = nullptr;
  /// Gives the parameters that name devices those of a cluster, unless they are given, and checks
  /// them; null for a rewriter of one device. Errors: kNotFound, kInvalidArgument.
  Status (*use_cluster)(const Cluster& cluster, Values& values) = nullptr;
  /// The filters that are changed by ticking a scope; null when there are none.
  const Parameter* include_scopes = nullptr;
  const Parameter* exclude_scopes = nullptr;
  bool scopes_are_whole = false;  ///< "conv1" does not match "conv10"; else plain prefixes
  /// First argument of the reference's Python class, and its attributes besides the parameters.
  std::string_view python_first_argument = {};
  std::string_view python_batch_size = {};
  std::string_view python_device_memory = {};

  /// The main values as a caption; empty if there are none.
  [[nodiscard]] std::string caption(const Values& values, bool with_defaults) const {
    return describe == nullptr ? std::string() : describe(values, with_defaults);
  }
  /// Whether the values of parameters can be searched for by themselves.
  [[nodiscard]] bool can_tune() const { return search && search->tune != nullptr; }
  [[nodiscard]] const Parameter* find(std::string_view name) const {
    return find_parameter(parameters, name);
  }
};

/// The table (rewriters.cc), in the order in which user interfaces list its lines.
[[nodiscard]] std::span<const Rewriter* const> rewriters();
/// The rewriter with that id, or null; "off" is not a rewriter.
[[nodiscard]] const Rewriter* find_rewriter(std::string_view id);
/// "lms2 or lms1", "lms2, lms1 or off": for messages and help.
[[nodiscard]] std::string rewriter_ids(bool with_off);
/// Those that are policies, in the same order.
[[nodiscard]] std::vector<const Rewriter*> policy_rewriters();
[[nodiscard]] std::string policy_ids(bool with_off);

}  // namespace tideline
