// Reads plan files: schema tideline.plan/1.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/cycle.h"
#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"

namespace tideline {

/// A plan file. It holds one plan or, if its kind is `chain`, several, each for the graph that the
/// previous one gives. Unknown keys are ignored. Messages begin with the path.
class PlanFile {
 public:
  /// Errors: kCorrupt if `content` is not a plan; kUnsupported for another schema. Cost: O(bytes).
  [[nodiscard]] static Result<PlanFile> parse(const std::string& path, std::string_view content);
  PlanFile(PlanFile&&) noexcept;
  PlanFile& operator=(PlanFile&&) noexcept;
  ~PlanFile();

  /// "lms", "chain", ...
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] std::size_t size() const { return plans_.size(); }
  /// Checks that plan `index` is for the graph with this digest and function.
  /// Errors: kInvalidArgument, naming `graph`.
  [[nodiscard]] Status check_graph(std::size_t index, std::string_view digest,
                                   std::string_view function, std::string_view graph) const;

  /// The changes of plan `index`, for `graph`. Errors: kCorrupt for members of the wrong
  /// form; kNotFound for names that are neither in the graph nor added; kInvalidArgument for
  /// changes that contradict the graph or each other (PlanChanges::check).
  [[nodiscard]] Result<GraphPlan> read(std::size_t index, const Graph& graph) const;

  /// Digest of the graph that all plans give; empty if the file does not say it.
  [[nodiscard]] std::string written_digest() const;

  /// The runs that replace a step of the graph that all plans give, from a plan of kind `sections`;
  /// nullopt if there is none. Errors: kCorrupt for members of the wrong form, and for a run that
  /// is fed what no earlier one keeps; kUnsupported for two such plans, and for one with the sets
  /// of the reference, which is no cycle for this graph.
  [[nodiscard]] Result<std::optional<Cycle>> cycle() const;

 private:
  struct Parsed;
  struct Plan {
    std::string place;  // "plans[1]: " in a chain, else empty
    std::string digest;
    std::string function;
  };
  PlanFile(std::string path, std::unique_ptr<Parsed> parsed);

  Status read_heads();

  std::string path_;
  std::unique_ptr<Parsed> parsed_;
  std::string kind_;
  std::vector<Plan> plans_;
};

}  // namespace tideline
