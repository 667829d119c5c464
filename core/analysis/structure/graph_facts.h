// What several modules ask about the structure of one graph.
#pragma once

#include <memory>
#include <mutex>

#include "core/analysis/as_run/folding.h"
#include "core/analysis/levels.h"
#include "core/analysis/structure/called_handles.h"
#include "core/analysis/structure/pass_finder.h"
#include "core/analysis/structure/stack_links.h"
#include "core/analysis/structure/variable_roles.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/consumers.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Each fact is found when it is first asked for, and kept. Graph and functions, which may be null,
/// must outlive this. Cost: that of the function named, once. Thread: any number of readers.
class GraphFacts {
 public:
  explicit GraphFacts(const Graph& graph, const FunctionLibrary* functions = nullptr)
      : graph_(graph), functions_(functions) {}
  /// Of a function's body, which calls the same functions as `outer`. That must outlive this.
  GraphFacts(const Graph& body, const GraphFacts& outer)
      : graph_(body), functions_(outer.functions_), outer_(&outer) {}
  GraphFacts(const GraphFacts&) = delete;
  GraphFacts& operator=(const GraphFacts&) = delete;

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const FunctionLibrary* functions() const { return functions_; }

  [[nodiscard]] const Consumers& consumers() const {
    return consumers_.get([&] { return std::make_unique<Consumers>(graph_); });
  }
  /// OpFactsTable::for_graph.
  [[nodiscard]] const OpFactsTable& ops() const {
    return ops_.get([&] {
      return std::make_unique<OpFactsTable>(OpFactsTable::for_graph(graph_, functions_));
    });
  }
  [[nodiscard]] const StackLinks& stacks() const {
    return stacks_.get([&] { return std::make_unique<StackLinks>(graph_, ops()); });
  }
  /// find_swap_copies.
  [[nodiscard]] const SwapCopies& copies() const {
    return copies_.get(
        [&] { return std::make_unique<SwapCopies>(find_swap_copies(graph_, consumers())); });
  }
  /// What the functions do with variables.
  [[nodiscard]] const CalledHandles& calls() const {
    if (outer_ != nullptr) return outer_->calls();
    return calls_.get([&] { return std::make_unique<CalledHandles>(functions_); });
  }
  /// Gradient flow and phases.
  [[nodiscard]] const PassFinder& passes() const {
    return passes_.get([&] {
      return std::make_unique<PassFinder>(graph_, consumers(), ops(), stacks(), copies(), calls());
    });
  }
  /// find_variable_roles.
  [[nodiscard]] const std::vector<VariableUse>& variables() const {
    return variables_.get(
        [&] { return std::make_unique<std::vector<VariableUse>>(find_variable_roles(*this)); });
  }
  /// complete_levels.
  [[nodiscard]] const LevelMap& levels() const {
    return levels_.get([&] { return std::make_unique<LevelMap>(complete_levels(graph_)); });
  }
  /// find_folding; `tensors` are those of any model.
  [[nodiscard]] const std::shared_ptr<const Folding>& folding(const TensorTable& tensors) const {
    return folding_.get([&] {
      return std::make_unique<std::shared_ptr<const Folding>>(
          std::make_shared<const Folding>(find_folding(*this, tensors)));
    });
  }

 private:
  template <typename T>
  class Kept {
   public:
    template <typename Find>
    const T& get(const Find& find) const {
      std::call_once(once_, [&] { value_ = find(); });
      return *value_;
    }

   private:
    mutable std::once_flag once_;
    mutable std::unique_ptr<const T> value_;
  };

  const Graph& graph_;
  const FunctionLibrary* functions_;
  const GraphFacts* outer_ = nullptr;
  Kept<Consumers> consumers_;
  Kept<OpFactsTable> ops_;
  Kept<StackLinks> stacks_;
  Kept<SwapCopies> copies_;
  Kept<CalledHandles> calls_;
  Kept<PassFinder> passes_;
  Kept<std::vector<VariableUse>> variables_;
  Kept<LevelMap> levels_;
  Kept<std::shared_ptr<const Folding>> folding_;
};

}  // namespace tideline
