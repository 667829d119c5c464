// Inference through calls of functions: the body is looked at with the facts of the call's inputs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

/// Answers calls, each distinct one once. Bounded: calls within calls to a depth, all bodies
/// together to a number of ops that grows with the graph; past either, nothing is known.
class FunctionCalls {
 public:
  /// `functions` may be null. `budget`: ops in bodies to look at in all.
  FunctionCalls(const FunctionLibrary* functions, DimLists& lists, std::int64_t budget)
      : functions_(functions), lists_(lists), budget_(budget) {}

  /// The facts of the results; nothing when the function is not known, or a bound is met.
  [[nodiscard]] std::optional<std::vector<TensorFact>> call(std::string_view name,
                                                            std::span<const TensorFact> arguments);

 private:
  [[nodiscard]] std::vector<TensorFact> run(const Function& function,
                                            const std::vector<TensorFact>& arguments);

  const FunctionLibrary* functions_;
  DimLists& lists_;
  std::int64_t budget_;
  int depth_ = 0;
  std::map<std::string, std::optional<std::vector<TensorFact>>, std::less<>> answers_;
};

}  // namespace tideline
