// Turns a stream of encoded ops into a Graph: interns types and devices, resolves inputs by name.
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

/// What a reader knows of one op; all views must outlive the graph (see `keep_alive`).
struct OpText {
  std::string_view name;
  std::string_view type;
  std::string_view device;
  std::string_view encoded;
};

/// Feeds: add_op, then add_input for each input in file order, and so on; finish() once.
/// Errors (kCorrupt, from `finish`): the first of: empty or unusable name, doubled name, an input
/// that is empty, malformed or names no op, a data input after a control input. They name the op.
/// Cost: O(ops + inputs), with the cache misses of look-ups overlapped in batches.
class GraphBuilder {
 public:
  GraphBuilder(const NodeCodec& codec, SharedBytes keep_alive);

  /// Expected sizes; a guess only saves time.
  void reserve(std::size_t ops, std::size_t inputs);
  void add_op(const OpText& op);
  /// An input of the op added last, as spelled in the file: "x", "x:1", "^c".
  void add_input(std::string_view text);
  /// Signatures that the file itself declares, for types that the built-in table lacks.
  void declare(std::shared_ptr<const DeclaredSignatures> signatures);
  /// Something else that the views of this graph look into.
  void keep(std::shared_ptr<const void> owner);
  /// The graph is the body of a function; its inputs are fed as a graph spells them all the same.
  void set_function_syntax(std::shared_ptr<const FunctionSyntax> syntax);
  /// True once an error is certain; the rest of the input need not be fed.
  [[nodiscard]] bool failed() const { return !error_.message.empty(); }

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
