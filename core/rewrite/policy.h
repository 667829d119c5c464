// The user's choice of a rewriter, its parameter values and its memory budget.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms/override_lists.h"
#include "core/rewrite/rewrite_plan.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

inline constexpr std::string_view kPolicyOff = "off";

/// A plain value. Values of rewriters that are not chosen are kept without effect, so that a user
/// can switch between rewriters.
struct Policy {
  std::string rewriter = std::string(kPolicyOff);  ///< id of a Rewriter, or "off"
  Values values = {};
  /// For rewriters with a search. With a budget, parameters that are -1 are searched for (automatic
  /// mode); without, all must be given.
  std::optional<MemoryBudget> budget = {};
  SearchModel search = {};  ///< of automatic mode

  [[nodiscard]] bool is_off() const { return rewriter == kPolicyOff; }
  /// Null when the policy is off.
  [[nodiscard]] const Rewriter* chosen() const { return find_rewriter(rewriter); }
  /// Whether there are parameters to search for.
  [[nodiscard]] bool is_automatic() const;
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// The result of a rewriter.
struct Outcome {
  RewritePlan plan;
  Policy used;                        ///< with the values that a search found, and the batch size
  std::optional<SearchResult> tuned;  ///< of the search, if there was one
};

/// A rewriter prepared for one graph. Keeps its analyses, so that plans that differ only in cheap
/// parameters are fast. Thread: not shared.
class PreparedRewrite {
 public:
  PreparedRewrite() = default;
  virtual ~PreparedRewrite() = default;
  PreparedRewrite(const PreparedRewrite&) = delete;
  PreparedRewrite& operator=(const PreparedRewrite&) = delete;

  /// Makes a plan. Precondition: `policy` is valid. With `explain` its report knows the rule for
  /// every tensor, if it is about swaps. The result depends only on the
  /// arguments, not on earlier calls. Errors: those of the rewriter; kCancelled.
  [[nodiscard]] virtual Result<Outcome> plan(const Policy& policy, bool explain,
                                             Progress& progress) = 0;
  /// What the search of the last plan tried, if it failed because nothing fits; else null.
  [[nodiscard]] virtual const SearchResult* missed() const { return nullptr; }
};

/// For Rewriter::prepare: a `Work`, made from the input.
template <typename Work>
[[nodiscard]] std::unique_ptr<PreparedRewrite> prepare_as(RewriteInput input) {
  return std::make_unique<Work>(std::move(input));
}
/// The same for a rewriter that keeps nothing between plans, which `kPlan` makes.
template <Result<Outcome> (*kPlan)(const RewriteInput&, const Policy&, bool explain, Progress&)>
[[nodiscard]] std::unique_ptr<PreparedRewrite> prepare_stateless(RewriteInput input) {
  class Work final : public PreparedRewrite {
   public:
    explicit Work(RewriteInput input) : input_(std::move(input)) {}
    Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress) override {
      return kPlan(input_, policy, explain, progress);
    }

   private:
    RewriteInput input_;
  };
  return std::make_unique<Work>(std::move(input));
}

/// Checks the values, as far as possible without a graph. Errors: kInvalidArgument naming the
/// parameter and what was expected.
[[nodiscard]] Status validate(const Policy& policy);

/// The value of the parameter called `name` of the chosen rewriter; if the policy is off or the
/// rewriter does not have it, of the first rewriter that does.
[[nodiscard]] Value value_of(const Policy& policy, std::string_view name);
/// The same for a list; empty when no rewriter has the parameter.
[[nodiscard]] std::vector<std::string> names_of(const Policy& policy, std::string_view name);
/// The overrides of tensors.
[[nodiscard]] OverrideLists override_lists(const Policy& policy);
/// Sets the value that value_of returns. Precondition: a rewriter has a parameter of that name, and
/// the value is of its kind.
void set_value(Policy& policy, std::string_view name, Value value);
/// The parameter to which they refer; null when no rewriter has it.
[[nodiscard]] const Parameter* find_parameter(const Policy& policy, std::string_view name);

/// Makes plans for one graph. Keeps the analyses of the last plan, so that another one that differs
/// only in cheap parameters is fast.
/// Everything that it is given must outlive it. Thread: not shared.
class Planner {
 public:
  /// `facts` are those of the graph with sizes.functions; null: it finds what a rewriter asks for.
  Planner(const Graph& graph, const Collections& collections, TensorOptions sizes,
          const GraphFacts* facts = nullptr);

  /// With `explain` the report knows the rule for every tensor, if it is about swaps. The result
  /// depends only on the arguments, not on earlier calls. Errors: those of validate and of the
  /// rewriter; in automatic mode kOverBudget when nothing fits.
  [[nodiscard]] Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress);
  /// As PreparedRewrite::missed, of the last plan.
  [[nodiscard]] const SearchResult* missed() const {
    return prepared_ ? prepared_->missed() : nullptr;
  }

 private:
  GraphFacts own_;
  RewriteInput input_;
  std::string rewriter_;                       // whose work is kept
  std::unique_ptr<PreparedRewrite> prepared_;  // of the last plan
};

/// Makes a single plan, with a temporary Planner.
[[nodiscard]] Result<Outcome> make_plan(const Graph& graph, const Collections& collections,
                                        const TensorOptions& sizes, const Policy& policy,
                                        bool explain, Progress& progress);

/// Runs the search of automatic mode without making a plan. Errors: kInvalidArgument without a
/// budget or for a rewriter without a search; those of the search.
[[nodiscard]] Result<SearchResult> tune(const Graph& graph, const Collections& collections,
                                        const TensorOptions& sizes, const Policy& policy,
                                        Progress& progress);

/// `run` in the order of a GPU, unless an executor is given, if the policy swaps or has
/// devices that are GPUs, or if `profile` describes computing: there is one then, whether or not a
/// device of the graph names it.
[[nodiscard]] RunModel with_executor(RunModel run, const Policy& policy,
                                     const DeviceProfile& profile);

/// The options of the faithful model under the policy: the GPU device that it names, regardless of
/// the rewriter, with `fetches` and `functions`.
[[nodiscard]] StepOptions step_options(const Policy& policy, std::vector<std::string> fetches,
                                       const FunctionLibrary* functions);

}  // namespace tideline
