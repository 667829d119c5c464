// What the user wishes of a rewriter: which one, with which values, within which memory.
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
#include "core/rewrite/rewriter.h"

namespace tideline {

inline constexpr std::string_view kPolicyOff = "off";

/// A plain value. Values of rewriters that are not chosen are kept and do nothing, so that one can
/// change between them.
struct Policy {
  std::string rewriter = std::string(kPolicyOff);  ///< id of a Rewriter, or "off"
  Values values = {};
  /// For rewriters with a search: automatic mode for the parameters that are -1; without it all
  /// must be given.
  std::optional<MemoryBudget> budget = {};
  SearchModel search = {};  ///< of automatic mode

  [[nodiscard]] bool is_off() const { return rewriter == kPolicyOff; }
  /// Null when the policy is off.
  [[nodiscard]] const Rewriter* chosen() const { return find_rewriter(rewriter); }
  /// Whether parameters are to be searched for.
  [[nodiscard]] bool is_automatic() const;
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// What a rewriter decided.
struct Outcome {
  LmsPlan plan;
  Policy used;                        ///< with what a search found, and the batch size
  std::optional<SearchResult> tuned;  ///< of a search
};

/// A rewriter at work on one graph. Keeps what it found out, so that another plan that differs in
/// cheap parameters alone is quick. Thread: one at a time.
class PreparedRewrite {
 public:
  PreparedRewrite() = default;
  virtual ~PreparedRewrite() = default;
  PreparedRewrite(const PreparedRewrite&) = delete;
  PreparedRewrite& operator=(const PreparedRewrite&) = delete;

  /// `policy` is valid. With `explain` every tensor is in `swaps` or `not_swapped` of the plan when
  /// anything is swapped. Same policy, same plan, whatever was asked before. Errors: those of the
  /// rewriter; kCancelled.
  [[nodiscard]] virtual Result<Outcome> plan(const Policy& policy, bool explain,
                                             Progress& progress) = 0;
};

/// Whether the values make sense by themselves, without a graph. Errors: kInvalidArgument naming
/// the command line's option and what was expected.
[[nodiscard]] Status validate(const Policy& policy);

/// The value of the parameter called `name` for the chosen rewriter; while the policy is off, or
/// the rewriter does not have it, for the first one that does.
[[nodiscard]] Value value_of(const Policy& policy, std::string_view name);
/// A list; empty where there is none of that name.
[[nodiscard]] std::vector<std::string> names_of(const Policy& policy, std::string_view name);
/// Precondition: some rewriter has a parameter of that name, and the value is of its kind.
void set_value(Policy& policy, std::string_view name, Value value);
/// The parameter that these two mean; null when no rewriter has it.
[[nodiscard]] const Parameter* find_parameter(const Policy& policy, std::string_view name);

/// Makes plans for one graph. Keeps what the last one found out about the graph, so that another
/// one that differs in cheap parameters alone is quick.
/// Precondition: the graph, the collections and sizes.functions outlive it. Thread: one at a time.
class Planner {
 public:
  Planner(const Graph& graph, const Collections& collections, TensorOptions sizes);

  /// With `explain` every tensor is in `swaps` or `not_swapped` of the plan, with the rule that
  /// decided; none is when the policy is off. `predicted` is left empty (predict.h).
  /// Errors: those of validate and of the rewriter; in automatic mode kOverBudget when nothing
  /// fits. Same arguments, same plan, whatever was asked before.
  [[nodiscard]] Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress);

 private:
  RewriteInput input_;
  std::string rewriter_;                       // whose work is kept
  std::unique_ptr<PreparedRewrite> prepared_;  // of the last plan
};

/// One plan by a Planner of its own.
[[nodiscard]] Result<Outcome> make_plan(const Graph& graph, const Collections& collections,
                                        const TensorOptions& sizes, const Policy& policy,
                                        bool explain, Progress& progress);

/// The search of automatic mode, and no plan. Errors: kInvalidArgument without a budget, and for a
/// rewriter without a search; those of the search.
[[nodiscard]] Result<SearchResult> tune(const Graph& graph, const Collections& collections,
                                        const TensorOptions& sizes, const Policy& policy,
                                        Progress& progress);

/// How the faithful model sees a step under the policy: the device that it names, whatever the
/// rewriter, `fetches` and `functions`.
[[nodiscard]] StepOptions step_options(const Policy& policy, std::vector<std::string> fetches,
                                       const FunctionLibrary* functions);

}  // namespace tideline
