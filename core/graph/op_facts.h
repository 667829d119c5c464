// What op types do with their inputs: aliases, in-place results, gradients, variables, host memory.
// Read from a text table (op_facts.txt; its head explains the columns) and the signatures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/op_signature.h"

namespace tideline {

/// What an op is for.
enum class OpKind : std::uint8_t {
  kUnknown,      ///< a type without an entry
  kElementwise,  ///< each output element from one element of each input, after broadcasting
  kView,         ///< the same buffer under another name, shape or type
  kShape,        ///< computes shapes or indices, small
  kLayout,       ///< moves, copies or picks elements
  kReduce,
  kCompute,   ///< everything else that works on tensors: convolutions, products, pooling
  kGradient,  ///< computes the gradient of another op type
  kUpdate,    ///< an optimizer's step on one variable
  kAssign,    ///< any other write to a variable
  kConstant,
  kPlaceholder,  ///< fed by the caller
  kVariable,
  kRead,   ///< reads a variable
  kInput,  ///< datasets, iterators, readers, what comes out of queues
  kRandom,
  kSwitch,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kLoopCond,
  kCall,       ///< runs functions
  kControl,    ///< no tensors: NoOp, ControlTrigger
  kContainer,  ///< stacks, tensor arrays, tensor lists, accumulators
  kQueue,
  kSave,
  kSummary,
  kCheck,  ///< tests or shows values
  kHost,   ///< strings, tables, Python: never on a GPU
};

/// Output argument and input argument, by position in the signature.
struct BufferLink {
  std::uint8_t output = 0;
  std::uint8_t input = 0;
  friend bool operator==(const BufferLink&, const BufferLink&) = default;
};

/// How floating-point operations are computed from the sizes of the arguments `OpFacts::flops_of`,
/// which each rule lists in order (formulas: op_flops.cc).
enum class FlopsRule : std::uint8_t {
  kNone,         ///< not known: the op's cost is the bytes it moves
  kConvolution,  ///< filter, and the larger side of the convolution
  kDepthwise,    ///< the same, with a filter for each input channel
  kProduct,      ///< two matrices or batches of them, and their product
  kWeights,      ///< the input of a recurrent block, and its weights
};

/// An argument of the signature, by position.
struct OpArgument {
  std::uint8_t position = 0;
  bool is_output = false;
  friend bool operator==(const OpArgument&, const OpArgument&) = default;
};

/// Positions of arguments in the signature. Equal to slots unless an earlier argument is a list
/// (argument_slots).
using Arguments = std::vector<std::uint8_t>;

/// Facts about one op type; an empty member means unknown. Every link and argument exists in the
/// type's signature.
struct OpFacts {
  OpKind kind = OpKind::kUnknown;
  bool is_cheap = false;       ///< costs no more than reading the inputs and writing the outputs
  bool is_seeded = false;      ///< random, but reproducible from the same inputs
  bool is_stateful = false;    ///< declared stateful: running it again may give other values
  bool is_int32_host = false;  ///< its int32 tensors stay in host memory on a GPU
  bool is_empty = false;       ///< the outputs are zeros or empty at first
  bool is_source = false;      ///< fills a tensor with one value
  bool is_pick = false;        ///< output elements are elements of the `linear` inputs
  std::vector<BufferLink> aliases;   ///< always the same buffer
  std::vector<BufferLink> in_place;  ///< reuses the buffer of an input without further readers
  std::vector<BufferLink> maybe;     ///< perhaps the same buffer, or a part of it
  Arguments reference_inputs;        ///< inputs declared as references: modified in place
  Arguments resource_inputs;         ///< inputs that are handles
  Arguments metadata_inputs;         ///< inputs of which only the shape is used
  Arguments host_inputs;
  Arguments host_outputs;
  std::vector<std::string> gradient_of;  ///< forward op types of a gradient op
  Arguments gradients;                   ///< inputs that are gradients, also of an update
  Arguments kept_inputs;                 ///< inputs that are inputs of the forward op
  Arguments kept_outputs;                ///< inputs that are outputs of the forward op
  Arguments parameters;                  ///< inputs that are variables of the forward op
  Arguments for_gradient;                ///< outputs that only gradient ops read
  std::optional<std::uint8_t> variable;  ///< the variable that is read or written
  Arguments slots;                       ///< the optimizer's variables for `variable`
  Arguments shared;                      ///< the optimizer's scalars for all variables
  std::optional<std::uint8_t> value;     ///< what is assigned or combined, pushed onto a stack
  std::optional<std::uint8_t> indices;   ///< the rows that are written
  std::optional<std::uint8_t> popped;    ///< the output that is popped from a stack
  Arguments linear;                      ///< linear in these inputs together
  Arguments bilinear;                    ///< linear in each of these two
  std::vector<std::string> backward;     ///< further op types that its gradient consists of
  FlopsRule flops_rule = FlopsRule::kNone;
  std::vector<OpArgument> flops_of;  ///< arguments of `flops_rule`; one may occur twice

  [[nodiscard]] bool is_known() const { return kind != OpKind::kUnknown; }
};

/// Whether ops of the kind compute their outputs from their inputs alone, with the same result each
/// time; a stateful op, or one that reads a variable in place, does not whatever its kind.
[[nodiscard]] bool is_pure(OpKind kind);

/// A range of slots.
struct SlotRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The input slots of argument `argument` of `op`. Nullopt when the type has no signature, the
/// argument does not exist, or several list arguments make the number of inputs ambiguous.
/// Cost: O(arguments).
[[nodiscard]] std::optional<SlotRange> argument_slots(const Graph& graph, OpId op,
                                                      std::uint8_t argument);

/// Facts for the op types of one graph, by type id. Cost: one pass over the text to build, O(1) per
/// query. Thread: immutable once built.
class OpFactsTable {
 public:
  /// Types that name a function of `functions` count as calls. `functions` may be null.
  [[nodiscard]] static OpFactsTable for_graph(const Graph& graph,
                                              const FunctionLibrary* functions = nullptr);

  [[nodiscard]] const OpFacts& of(std::uint32_t type_id) const { return facts_[type_id]; }
  [[nodiscard]] const OpFacts& of(const Graph& graph, OpId op) const {
    return facts_[graph.type_id(op)];
  }
  /// Calls `visit(slot)` for each input slot of `op` that belongs to one of `arguments`. Arguments
  /// whose slots are unknown (argument_slots) and slots past the inputs are skipped.
  template <typename Visit>
  void for_each_slot(const Graph& graph, OpId op, const Arguments& arguments,
                     const Visit& visit) const;
  /// Whether of input `slot` of `op` only the shape matters.
  [[nodiscard]] bool reads_only_shape(const Graph& graph, OpId op, std::uint32_t slot) const;
  /// Types without an entry, in the order of their first op.
  [[nodiscard]] const std::vector<std::string_view>& unknown_types() const { return unknown_; }
  /// Adds one notice, counting each type in unknown_types().
  void add_unknown_types(Diagnostics& diagnostics) const;

 private:
  std::vector<OpFacts> facts_;
  std::vector<bool> has_lists_;  // by type id: arguments are no slots
  std::vector<std::string_view> unknown_;
};

template <typename Visit>
void OpFactsTable::for_each_slot(const Graph& graph, OpId op, const Arguments& arguments,
                                 const Visit& visit) const {
  const auto slots = static_cast<std::uint32_t>(graph.inputs(op).size());
  for (const std::uint8_t argument : arguments) {
    SlotRange range{argument, 1};
    if (has_lists_[graph.type_id(op)]) {
      range = argument_slots(graph, op, argument).value_or(SlotRange{});
    }
    for (std::uint32_t slot = range.first; slot < range.first + range.count; ++slot) {
      if (slot < slots) visit(slot);
    }
  }
}

}  // namespace tideline
