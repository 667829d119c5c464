// Which ops are calls, and which calls must stay calls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/graph.h"

namespace tideline {

/// Keeps what it found of each function, because most are called several times. The library must
/// outlive it. Thread: not shared.
class CallRules {
 public:
  explicit CallRules(const FunctionLibrary& library) : library_(library) {}

  /// The function that `op` calls; empty if the call names none, nullopt if it is no call. If, Case
  /// and While choose among functions, and are no calls.
  [[nodiscard]] std::optional<std::string> callee(const Graph& graph, OpId op);
  /// Whether `op` runs functions in any way: such an op has effects that its type does not tell.
  [[nodiscard]] bool runs_functions(const Graph& graph, OpId op);
  /// Why a call of `function` must stay one, whatever there is around it; empty if it need not.
  [[nodiscard]] std::string why_kept(const Graph& graph, OpId call, const Function& function);
  /// An op of the body whose type is declared nowhere, so that nobody knows its outputs.
  [[nodiscard]] OpId undeclared(const Function& function) { return facts(function).undeclared; }

 private:
  struct Facts {
    std::string reason;
    OpId undeclared;
  };
  [[nodiscard]] const Facts& facts(const Function& function);

  const FunctionLibrary& library_;
  std::unordered_map<const Function*, Facts> facts_;
  std::unordered_map<std::string_view, bool> natives_;  // whether a type is that of a function
};

}  // namespace tideline
