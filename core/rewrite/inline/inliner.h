// The two passes of inline_calls and what they know of each other. For the files of this folder.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/error.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/rewrite/inline/call_rules.h"
#include "core/rewrite/inline/inlining.h"

namespace tideline {

// A body in the place of a call, or the graph itself.
struct InlinedBody {
  const Graph* graph = nullptr;
  const Function* function = nullptr;  // null: the graph itself
  InlinedBody* caller = nullptr;
  OpId call;           // of the caller
  std::string prefix;  // of names: "call/"
  std::string device;  // of the call
  OpId begin;          // the NoOp for which the body waits; invalid when the call waits for nothing
  std::string begin_name;
  std::vector<OpId> ids;                                  // by op, in the plan; of a call its NoOp
  std::unordered_map<std::uint32_t, InlinedBody*> calls;  // inlined ones, by op
  mutable std::vector<TensorId> known;                    // by result: what it was found to be
  int depth = 0;
};

// What is added, in the order of ids.
struct InlinedOp {
  enum class Kind { kBegin, kOp, kDone };
  Kind kind = Kind::kOp;
  InlinedBody* instance = nullptr;
  OpId op;  // of kOp
};

/// Thread: not shared; the graph and the library must outlive it.
class Inliner {
 public:
  Inliner(const Graph& graph, const FunctionLibrary& library)
      : graph_(graph), library_(library), rules_(library) {}

  Result<Inlining> run();

 private:
  Status find_calls(InlinedBody& instance);
  Result<InlinedBody*> inlined(InlinedBody& caller, OpId call);
  [[nodiscard]] std::string why_kept(const InlinedBody& caller, OpId call,
                                     const Function* function);
  [[nodiscard]] std::string name_taken(const std::string& prefix, const Graph& body) const;
  Status check_call(const InlinedBody& caller, OpId call, const std::string& name,
                    const Function& function);
  Status reserve(InlinedBody& instance);
  OpId next(InlinedOp addition);

  [[nodiscard]] OpId id(const InlinedBody& instance, OpId op) const {
    return instance.function == nullptr ? op : instance.ids[op.index()];
  }
  [[nodiscard]] std::string name(const InlinedBody& instance, OpId op) const {
    return instance.prefix + std::string(instance.graph->name(op));
  }
  [[nodiscard]] static bool is_argument(const InlinedBody& instance, OpId op) {
    return instance.function != nullptr && op.index() < instance.function->arguments.size();
  }
  Result<TensorId> resolved(const InlinedBody* instance, TensorId tensor) const;
  Result<OpId> awaited(const InlinedBody& instance, OpId op) const;

  Status add(const InlinedOp& addition);
  Status add_op(const InlinedBody& instance, OpId op);
  Result<std::vector<OpId>> call_controls(const InlinedBody& caller, OpId call) const;
  Result<std::vector<OpId>> done_controls(const InlinedBody& instance) const;
  Attributes attributes(const InlinedBody& instance, OpId op) const;
  std::string colocated(const InlinedBody& instance, const std::string& group) const;
  Status change_graph();

  const Graph& graph_;
  const FunctionLibrary& library_;
  CallRules rules_;
  Inlining result_;
  InlinedBody top_;
  std::deque<InlinedBody> instances_;
  std::vector<InlinedOp> additions_;
  std::unordered_set<std::string> taken_;
  std::size_t name_bytes_ = 0;
};

/// The device `own` of an op, with job, replica and task of `base` where it says none; `base` if
/// there is none.
[[nodiscard]] std::string placed(std::string_view base, std::string_view own);

}  // namespace tideline
