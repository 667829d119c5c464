// What called functions do with the variables whose handles they get.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/consumers.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// A function that an op calls. Argument `i` is input `first_input + i` of the op.
struct CalledBody {
  std::string name;
  const Function* function = nullptr;
  std::uint32_t first_input = 0;
};

/// The functions that a call runs with its own inputs: branches, condition and body of a loop, the
/// function of a PartitionedCall or of a native call. Of other ops none. Cost: O(attributes).
[[nodiscard]] std::vector<CalledBody> called_bodies(const Graph& graph, OpId call,
                                                    const FunctionLibrary& functions);

/// What is done with the variable behind a handle.
struct HandleUse {
  bool is_read = false;
  bool is_written = false;

  /// Whether `other` says anything new.
  bool add(HandleUse other) {
    const bool is_new = (other.is_read && !is_read) || (other.is_written && !is_written);
    is_read = is_read || other.is_read;
    is_written = is_written || other.is_written;
    return is_new;
  }
};

/// The variables of a function are arguments of it, and are read and written there or in functions
/// that it calls. `functions` may be null and must outlive this. Cost: a few passes over the bodies
/// of functions that get handles. Thread: immutable once built.
class CalledHandles {
 public:
  explicit CalledHandles(const FunctionLibrary* functions);

  /// By input of `call`: its use as a handle in all functions that the call may run.
  [[nodiscard]] std::vector<HandleUse> uses(const Graph& graph, OpId call) const;

  /// Inputs of `call`, ascending, whose variable is written there with a value that is computed
  /// from one of the inputs that are marked in `from`, by slot. What only decides which branch is
  /// taken is no value. Cost: O(ops of the bodies); calls within calls are followed to a fixed
  /// depth and to a bounded number of ops.
  [[nodiscard]] std::vector<std::uint32_t> written_from(const Graph& graph, OpId call,
                                                        const std::vector<bool>& from) const;

  /// The argument of `function` that a handle in its body comes from; invalid when it is none.
  [[nodiscard]] OpId argument_behind(const Function& function, OpId op) const;

 private:
  struct Body {
    explicit Body(const Graph& graph, const FunctionLibrary& functions)
        : facts(OpFactsTable::for_graph(graph, &functions)), consumers(graph) {}
    OpFactsTable facts;
    Consumers consumers;
    std::vector<HandleUse> uses;  // by argument
  };
  class Walk;

  void add_bodies();
  [[nodiscard]] bool add_uses(const Function& function, Body& body) const;
  [[nodiscard]] const Body* body_of(std::string_view name) const;

  const FunctionLibrary* functions_;
  std::map<std::string, std::unique_ptr<Body>, std::less<>> bodies_;  // of those that get handles
};

}  // namespace tideline
