// What the faithful model needs to know of a graph, flattened: the ops of a step and their buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/memory/timeline.h"

namespace tideline {

/// Where bytes lie, as seen from the device of interest.
enum class Space : std::uint8_t {
  kDevice,
  kHost,
  kElsewhere,  ///< another device
};

struct StepTensor {
  Bytes bytes = 0;    ///< in whole blocks of kBlockBytes
  Bytes content = 0;  ///< as many as the elements take
  Space home = Space::kDevice;
  MemoryKind kind = MemoryKind::kTemporary;
  DataType type = DataType::kInvalid;  ///< base type
  bool is_pinned = false;              ///< stays when nobody reads it: variables, constants
};

/// An output that may lie in the buffer of an input.
struct StepLink {
  std::uint32_t output = 0;  ///< slot
  std::uint32_t input = 0;   ///< slot
  bool is_alias = false;     ///< always; else only when nobody else will read the input
  bool if_equal = false;     ///< an alias when both are of one type and size: nothing was done
};

struct StepInput {
  std::uint32_t tensor = 0;
  Space space = Space::kDevice;  ///< where the op reads it
  bool is_back_edge = false;     ///< NextIteration -> Merge: does not count in levels
};

struct StepOp {
  std::uint32_t first_input = 0, input_count = 0;
  std::uint32_t first_control = 0, control_count = 0;
  std::uint32_t first_tensor = 0, tensor_count = 0;
  std::uint32_t first_link = 0, link_count = 0;
  Space space = Space::kDevice;
  Bytes scratch = 0;  ///< device memory that it uses while it runs, beside inputs and outputs
  double flops = 0;   ///< arithmetic, in `flops_type`; 0 where it is not known (op_flops.h)
  DataType flops_type = DataType::kInvalid;
  /// Whether the device has something to do: not for views, constants, variables, control flow, nor
  /// where everything that is read and written lies on the host.
  bool runs_kernel = false;
};

/// Why a step is run for the ops that it is run for.
enum class FetchRule : std::uint8_t {
  kNamed,    ///< the user or the collection "train_op" names them
  kUpdates,  ///< they apply gradients
  kAll,      ///< nothing says what a step is for
};

/// By op id; arrays are views of one another as in Graph. Immutable once built.
struct StepGraph {
  static constexpr Bytes kBlockBytes = 256;

  std::vector<StepOp> ops;
  std::vector<StepInput> inputs;
  std::vector<OpId> controls;
  std::vector<StepTensor> tensors;
  std::vector<OpId> producer_of;  ///< by tensor
  std::vector<StepLink> links;
  std::vector<OpId> fetches;  ///< what the step is run for
  FetchRule fetch_rule = FetchRule::kNamed;
  /// Variables and slots, which are there whether or not the step uses them.
  std::vector<LiveTensor> variables;

  [[nodiscard]] std::uint32_t tensor(TensorId id) const {
    return ops[id.op.index()].first_tensor + id.slot;
  }
  [[nodiscard]] std::span<const StepInput> inputs_of(OpId op) const {
    return {inputs.data() + ops[op.index()].first_input, ops[op.index()].input_count};
  }
  [[nodiscard]] std::span<const OpId> controls_of(OpId op) const {
    return {controls.data() + ops[op.index()].first_control, ops[op.index()].control_count};
  }
  [[nodiscard]] std::span<const StepLink> links_of(OpId op) const {
    return {links.data() + ops[op.index()].first_link, ops[op.index()].link_count};
  }
};

struct StepOptions {
  std::vector<std::string> fetches = {};  ///< names of ops or tensors; empty: the default
  std::optional<std::string> gpu_device = {};
  const FunctionLibrary* functions = nullptr;
};

/// Errors: kNotFound for a fetch that names no op; kUnsupported when the sizes are so large that
/// sums could overflow; those of attributes. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Result<StepGraph> build_step_graph(const Graph& graph, const TensorTable& tensors,
                                                 const Collections& collections,
                                                 const StepOptions& options);

/// What a step is run for: the ops named; else the collection "train_op"; else every op that
/// applies gradients (types Apply*, SparseApply*, ResourceApply*, ResourceSparseApply*); else all.
struct Fetches {
  std::vector<OpId> ops;
  FetchRule rule = FetchRule::kNamed;
};
[[nodiscard]] Result<Fetches> find_fetches(const Graph& graph, const Collections& collections,
                                           const std::vector<std::string>& names);

/// `bytes` in whole blocks.
[[nodiscard]] Bytes whole_blocks(Bytes bytes);

}  // namespace tideline
