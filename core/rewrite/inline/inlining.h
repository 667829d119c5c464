// What inlining calls gives: the changes of the graph, and what became of each call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph_plan.h"

namespace tideline {

/// A call that became a NoOp.
struct InlinedCall {
  std::string op;
  std::string function;
  std::int64_t ops = 0;  ///< of the body, without those of calls in it
};

/// A call that stays one.
struct KeptCall {
  std::string op;
  std::string function;  ///< empty if it names none
  std::string reason;    ///< "its function is marked _noinline"
};

struct Inlining {
  GraphPlan plan;
  std::vector<InlinedCall> inlined;  ///< outer calls before those in their bodies
  std::vector<KeptCall> kept;        ///< of the graph and of inlined bodies, in the same order

  [[nodiscard]] bool empty() const { return inlined.empty() && kept.empty(); }
  /// The ops of all inlined bodies.
  [[nodiscard]] std::int64_t ops() const;
};

/// For people: "12 calls inlined, 480 ops" and a line for each call that stays, with the reason.
[[nodiscard]] std::vector<std::string> inlining_lines(const Inlining& inlining);

}  // namespace tideline
