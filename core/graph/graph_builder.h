// Builds a Graph from a stream of encoded ops: interns types and devices, resolves input names.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// No op has nearly as many outputs; a larger slot is a damaged file.
inline constexpr std::uint32_t kMaxSlot = 1U << 20U;

/// Why `name` cannot be the name of an op ("has an empty name"), or null.
[[nodiscard]] const char* op_name_problem(std::string_view name);

/// One op as read from a file. All views must outlive the graph (see `keep_alive`).
struct OpText {
  std::string_view name;
  std::string_view type;
  std::string_view device;
  std::string_view encoded;
};

/// Usage: for each op in file order, add_op and then add_input for each of its inputs; finally
/// finish(), once. Errors (kCorrupt, from `finish`, naming the op): the first empty, unusable or
/// duplicate name, input that is empty, malformed or names no op, or data input after a control
/// input. Cost: O(ops + inputs); look-ups are batched so that their cache misses overlap.
class GraphBuilder {
 public:
  GraphBuilder(const NodeCodec& codec, SharedBytes keep_alive);

  /// Expected sizes, an optional hint.
  void reserve(std::size_t ops, std::size_t inputs);
  /// The next op of the file, so far without inputs.
  void add_op(const OpText& op);
  /// An input of the op added last, as spelled in the file: "x", "x:1", "^c".
  void add_input(std::string_view text);
  /// Signatures declared by the file, for types that are not in the built-in table.
  void declare(std::shared_ptr<const DeclaredSignatures> signatures);
  /// Another owner of bytes that views of this graph point into.
  void keep(std::shared_ptr<const void> owner);
  /// Marks the graph as the body of a function. Inputs are still added in the spelling of graphs.
  void set_function_syntax(std::shared_ptr<const FunctionSyntax> syntax);
  /// The version of the graph format (Graph::producer); without it the graph counts as new.
  void set_producer(std::int32_t producer) { graph_.producer_ = producer; }
  /// True once an error was found; the remaining ops need not be added.
  [[nodiscard]] bool failed() const { return !error_.message.empty(); }

  /// The graph, or the first error. The builder is empty afterwards.
  [[nodiscard]] Result<Graph> finish();

 private:
  struct PendingInput {
    std::string_view text;  // as spelled
    std::string_view name;  // without the slot
    std::uint64_t hash;
    std::uint32_t slot;
    std::uint32_t target;  // index into inputs_ or controls_
    std::uint32_t consumer;
    bool is_control;
  };
  using Interned = std::unordered_map<std::string_view, std::uint32_t>;

  void flush();
  [[nodiscard]] bool resolve(const PendingInput& input);
  void set_error(OpId op, const std::string& what);
  void read_slot(PendingInput& input, OpId consumer);
  std::uint32_t intern(std::string_view text, Interned& known, std::vector<std::string_view>& list,
                       const char* what);

  Graph graph_;
  Interned types_;
  Interned devices_;
  std::shared_ptr<const DeclaredSignatures> declared_;
  std::vector<std::uint64_t> batch_hashes_;  // of the names of the ops not yet in the index
  std::vector<PendingInput> batch_inputs_;
  std::vector<PendingInput> forward_inputs_;  // inputs that name an op further down
  std::uint32_t indexed_ops_ = 0;
  Error error_;
};

}  // namespace tideline
