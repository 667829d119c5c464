// Shape inference through function calls: the body is inferred from the facts of the call's inputs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/loop_count.h"
#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

/// The loops met while calls are inferred.
struct CalledLoops {
  const std::vector<GivenRounds>& given;
  const std::vector<GivenRounds>& traced;  ///< by names that may begin with names of calls
  std::vector<LoopCount> found = {};       ///< in the order in which they were met, each name once

  /// Adds a loop, or what is known now of one that was met before.
  void note(LoopCount loop);
};

/// Infers calls, and remembers the result of each distinct one. The nesting of calls and the total
/// number of ops inferred in bodies are bounded; past either bound results are unknown.
/// Thread: not shared.
class FunctionCalls {
 public:
  /// `functions` may be null. `budget`: number of ops in bodies to infer in all. `loops`, if not
  /// null: rounds of loops are counted (called_loops.h), and noted there.
  FunctionCalls(const FunctionLibrary* functions, DimLists& lists, std::int64_t budget,
                CalledLoops* loops = nullptr)
      : functions_(functions), lists_(lists), budget_(budget), loops_(loops) {}

  /// The facts of the results; nullopt when the function is unknown or a bound is reached.
  [[nodiscard]] std::optional<std::vector<TensorFact>> call(std::string_view name,
                                                            std::span<const TensorFact> arguments);
  /// Null unless rounds are counted.
  [[nodiscard]] CalledLoops* loops() const { return loops_; }
  /// Null when there is no such function.
  [[nodiscard]] const Function* find(std::string_view name) const {
    return functions_ == nullptr ? nullptr : functions_->find(name);
  }

 private:
  [[nodiscard]] std::vector<TensorFact> run(const Function& function,
                                            const std::vector<TensorFact>& arguments);

  const FunctionLibrary* functions_;
  DimLists& lists_;
  std::int64_t budget_;
  CalledLoops* loops_;
  int depth_ = 0;
  std::map<std::string, std::optional<std::vector<TensorFact>>, std::less<>> answers_;
};

}  // namespace tideline
