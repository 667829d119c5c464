// The input of the faithful model: the ops of a step and their buffers, flattened to arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/loop_count.h"
#include "core/graph/measured_sizes.h"
#include "core/graph/tensor_table.h"
#include "core/memory/kernel_share.h"
#include "core/memory/run_model.h"
#include "core/memory/timeline.h"

namespace tideline {

/// Where a tensor is stored, relative to the device of interest.
enum class Space : std::uint8_t {
  kDevice,
  kHost,
  kElsewhere,  ///< another device
};

struct StepTensor {
  Bytes bytes = 0;    ///< in whole blocks of kBlockBytes
  Bytes content = 0;  ///< size of the elements
  Space home = Space::kDevice;
  MemoryKind kind = MemoryKind::kTemporary;
  DataType type = DataType::kInvalid;  ///< base type
  bool is_pinned = false;              ///< never freed: variables, constants
  /// Fed, and kept by whoever feeds it until the step is over; only in a step as TensorFlow runs
  /// it.
  bool is_fed = false;
};

/// An output that may share the buffer of an input.
struct StepLink {
  std::uint32_t output = 0;  ///< slot
  std::uint32_t input = 0;   ///< slot
  bool is_alias = false;     ///< always shared; else only if the input has no further reader
  bool if_equal = false;     ///< an alias if type and size are equal (the op then does nothing)
};

struct StepInput {
  std::uint32_t tensor = 0;
  Space space = Space::kDevice;  ///< where the op reads it
  bool is_back_edge = false;     ///< NextIteration -> Merge: ignored by levels
};

struct StepOp {
  std::uint32_t first_input = 0, input_count = 0;
  std::uint32_t first_control = 0, control_count = 0;
  std::uint32_t first_tensor = 0, tensor_count = 0;
  std::uint32_t first_link = 0, link_count = 0;
  Space space = Space::kDevice;
  Bytes scratch = 0;  ///< device memory used while it runs, besides inputs and outputs
  double flops = 0;   ///< arithmetic, in `flops_type`; 0 when unknown (op_flops.h)
  DataType flops_type = DataType::kInvalid;
  KernelShare share;  ///< of the peak, that the arithmetic reaches
  /// Whether the op runs a kernel on the device: false for views, constants, variables and control
  /// flow, and when all inputs and outputs are in host memory.
  bool runs_kernel = false;
  /// Whether running it changes nothing but its outputs, so that it can be left out with them.
  bool is_pure = false;
  bool is_kept = false;       ///< runs all the same if another op waits for it (kKeptFromGrappler)
  bool only_waits = false;    ///< NoOp, and what has become a constant: no input is read
  bool is_expensive = false;  ///< the executor starts it when nothing cheap is ready
  static constexpr std::int32_t kNotTraced = -1, kStartsWhenReady = -2;
  /// Its place in the order of a traced step; of an op that a plan adds kStartsWhenReady.
  std::int32_t place = kNotTraced;
};

/// Values that loops keep in containers (stacks, TensorArrays) besides the values of the round that
/// the step graph shows: they occupy device memory from the last step of `from` to the last of
/// `to`.
struct StepHold {
  std::uint32_t tensor = 0;  ///< what is kept; only if it lies on the device
  Bytes bytes = 0;           ///< of all `values` together, in whole blocks
  std::int64_t values = 0;
  OpId by;                  ///< the op that puts them into the container
  std::vector<OpId> from;   ///< by the time these have begun
  std::vector<OpId> to;     ///< until these have run; empty: to the end of the step
  std::vector<OpId> takes;  ///< the ops that take it out
};

/// How the fetches of a step were found.
enum class FetchRule : std::uint8_t {
  kNamed,    ///< the user or the collection "train_op" names them
  kUpdates,  ///< they apply gradients
  kAll,      ///< nothing says what a step is for
};

struct StepRounds;  // step_rounds.h

/// Ops by id; ranges index the arrays, as in Graph. Thread: immutable once built.
struct StepGraph {
  static constexpr Bytes kBlockBytes = 256;

  std::vector<StepOp> ops;
  std::vector<StepInput> inputs;
  std::vector<OpId> controls;
  std::vector<StepTensor> tensors;
  std::vector<OpId> producer_of;  ///< by tensor
  std::vector<StepLink> links;
  std::vector<OpId> fetches;  ///< the ops that a step is run for
  FetchRule fetch_rule = FetchRule::kNamed;
  /// Variables and slots, which are resident whether or not the step uses them.
  std::vector<LiveTensor> variables;
  std::vector<StepHold> holds;
  std::vector<LoopCount> loops;  ///< as count_loops lists them
  /// Of a step with v1 loops: what their rounds do. A step as TensorFlow runs it has them instead
  /// of the holds.
  std::shared_ptr<const StepRounds> rounds;

  RunModel run;
  /// Of a step as TensorFlow runs it: what was folded, and the level of each op that ran without.
  std::shared_ptr<const Folding> folding;
  std::vector<std::int32_t> file_levels;
  /// By conditional of the folding: what is taken of it.
  std::vector<TakenBranch> taken;
  /// The step before it was folded, which plans edit. Null for the result of a plan.
  std::shared_ptr<const StepGraph> unfolded;

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
  const MeasuredSizes* measured = nullptr;  ///< for scratch memory and the order of ops
  const GraphFacts* facts = nullptr;        ///< of the graph; null: they are found
  RunModel run = kAsInFile;
  /// By op: where it runs, seen from one device of a cluster; null: what `gpu_device` says.
  const std::vector<Space>* spaces = nullptr;
};

/// Flattens `graph`. Errors: kNotFound for a fetch that names no op and for a given branch of no
/// conditional, and those of count_loops;
/// kUnsupported for sizes so large that sums could overflow; kCorrupt for attributes that cannot be
/// decoded. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Result<StepGraph> build_step_graph(const Graph& graph, const TensorTable& tensors,
                                                 const Collections& collections,
                                                 const StepOptions& options);

/// The ops that a step is run for, and the rule that found them: those in `names`; else the
/// collection "train_op"; else every op that applies gradients (types Apply*, SparseApply*,
/// ResourceApply*, ResourceSparseApply*); else all ops.
struct Fetches {
  std::vector<OpId> ops;
  FetchRule rule = FetchRule::kNamed;
};
/// Errors: kNotFound for an element of `names` that names no op. Cost: O(ops).
[[nodiscard]] Result<Fetches> find_fetches(const Graph& graph, const Collections& collections,
                                           const std::vector<std::string>& names);

/// `bytes` rounded up to a multiple of kBlockBytes.
[[nodiscard]] Bytes whole_blocks(Bytes bytes);

}  // namespace tideline
