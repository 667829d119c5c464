// The variables of a graph in the functions that it calls: how they are used, and their roles.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/structure/variable_roles.h"
#include "core/graph/consumers.h"

namespace tideline {

class GraphFacts;

/// Roles of the arguments of functions, where a function holds a step or its update with the
/// optimizer's ops. Each body is looked at once, nested ones to a fixed depth. Thread: not shared.
class BodyRoles {
 public:
  using Find = std::function<std::vector<VariableUse>(const GraphFacts& body, BodyRoles& inner)>;
  explicit BodyRoles(Find find) : find_(std::move(find)) {}

  /// By argument of the function `name`, which `outer` calls; kOther where its body tells nothing.
  const std::vector<VariableRole>& of(const GraphFacts& outer, const std::string& name);

 private:
  Find find_;
  int depth_ = 0;
  std::map<std::string, std::vector<VariableRole>> known_;
};

/// The calls of one graph that get handles. `known` must outlive this. Thread: immutable once
/// built.
class CallsOfGraph {
 public:
  CallsOfGraph(const GraphFacts& known, BodyRoles& bodies);

  /// Whether `op` is a call whose functions are in the file and do something with a handle.
  [[nodiscard]] bool is_known(OpId op) const { return calls_.contains(op.value); }
  [[nodiscard]] bool reads(Use use) const;
  [[nodiscard]] bool writes(Use use) const;
  /// Inputs, ascending, whose variable gets a value that depends on a gradient. Precondition:
  /// is_known(call).
  [[nodiscard]] const std::vector<std::uint32_t>& updated(OpId call) const {
    return calls_.at(call.value).updated;
  }
  /// `role`, or what the bodies say where the graph itself knows less.
  [[nodiscard]] VariableRole role_of(OpId variable, VariableRole role) const;

 private:
  struct Call {
    std::vector<bool> read, written;     // by input
    std::vector<std::uint32_t> updated;  // inputs
  };
  [[nodiscard]] Call described(OpId call) const;

  const GraphFacts& known_;
  std::unordered_map<std::uint32_t, Call> calls_;                // by op
  std::unordered_map<std::uint32_t, VariableRole> from_bodies_;  // by variable
};

}  // namespace tideline
