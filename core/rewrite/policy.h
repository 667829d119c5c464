// Which tensors are to wait on the host: a way of choosing them, with everything that it needs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms1/options.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/lms2/tune.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

namespace lms2 {
class Prepared;
}  // namespace lms2

enum class PolicyMode : std::uint8_t { kOff, kLms1, kLms2 };
/// "off", "lms1", "lms2"; nothing for another name.
[[nodiscard]] std::string_view policy_mode_name(PolicyMode mode);
[[nodiscard]] std::optional<PolicyMode> find_policy_mode(std::string_view name);

/// A plain value. The options of the modes that are not chosen are kept and do nothing, so that one
/// can change between modes. What is said here, or beside the policy when a plan is made, counts
/// instead of its namesakes in the options: overrides, sizes, explain.
struct Policy {
  PolicyMode mode = PolicyMode::kOff;
  Lms1Options lms1 = {};
  Lms2Options lms2 = {};
  /// lms2 only: automatic mode for the parameters that are -1; without it all must be given.
  std::optional<MemoryBudget> budget = {};
  SearchModel search = {};  ///< of automatic mode
  std::vector<std::string> keep_tensors = {}, swap_tensors = {};

  /// Whether parameters are to be searched for.
  [[nodiscard]] bool is_automatic() const;
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// Whether the values make sense by themselves, without a graph. Errors: kInvalidArgument naming
/// the command line's option and what was expected.
[[nodiscard]] Status validate(const Policy& policy);

struct PolicyPlan {
  LmsPlan plan;  ///< empty when the mode is off
  Policy used;   ///< with the parameters that were found, and sizes, overrides in the options
  std::optional<TuneResult> tuned;  ///< of automatic mode
};

/// Makes plans for one graph. Keeps what the last one found out about the graph, so that another
/// one that differs in swapout_threshold, swapin_ahead, swapin_groupby or sync_mode alone is quick.
/// Precondition: the graph, the collections and sizes.functions outlive it. Thread: one at a time.
class Planner {
 public:
  Planner(const Graph& graph, const Collections& collections, TensorOptions sizes);
  ~Planner();
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;

  /// With `explain` every tensor is in `swaps` or `not_swapped` of the plan, with the rule that
  /// decided; none is when the mode is off. `predicted` is left empty (predict.h).
  /// Errors: those of validate; of plan_lms1 and plan_lms2; in automatic mode of plan_lms2_within,
  /// kOverBudget when nothing fits. Same arguments, same plan, whatever was asked before.
  [[nodiscard]] Result<PolicyPlan> plan(const Policy& policy, bool explain, Progress& progress);

 private:
  Status plan_by_lms2(Progress& progress, PolicyPlan& result);

  const Graph* graph_;
  const Collections* collections_;
  TensorOptions sizes_;
  std::unique_ptr<lms2::Prepared> prepared_;  // of the last plan of lms2, for these options
};

/// One plan by a Planner of its own.
[[nodiscard]] Result<PolicyPlan> make_plan(const Graph& graph, const Collections& collections,
                                           const TensorOptions& sizes, const Policy& policy,
                                           bool explain, Progress& progress);

/// The search of automatic mode for the policy's lms2, whatever its mode, and no plan.
/// Errors: kInvalidArgument without a budget; those of tune_lms2.
[[nodiscard]] Result<TuneResult> tune(const Graph& graph, const Collections& collections,
                                      const TensorOptions& sizes, const Policy& policy,
                                      Progress& progress);

/// How the faithful model sees a step under the policy: lms2.gpu_device, whatever the mode,
/// `fetches` and `functions`.
[[nodiscard]] StepOptions step_options(const Policy& policy, std::vector<std::string> fetches,
                                       const FunctionLibrary* functions);

}  // namespace tideline
