// Bytes into the reader of run metadata, and what it reads against a small graph with a loop: the
// columns hold together, protobuf sees as many executions, the sums add up, nothing breaks.
#include <cstdint>
#include <string>

#include "core/events/run_metadata.h"
#include "core/io/document.h"
#include "core/io/proto/run_metadata.pb.h"
#include "core/memory/measured/measured_run.h"
#include "tests/fuzz/require.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 18U;

// Names that the corpus uses.
constexpr const char* kGraph = R"(
  node { name: 'x' op: 'Placeholder' }
  node { name: 'e' op: 'Enter' input: 'x' attr { key: 'is_constant' value { b: true } } }
  node { name: 'm' op: 'Merge' input: 'e' input: 'n' attr { key: 'N' value { i: 2 } } }
  node { name: 's' op: 'Switch' input: 'm' input: 'm:1' }
  node { name: 'a' op: 'Relu' input: 's:1' }
  node { name: 'n' op: 'NextIteration' input: 'a' }
  node { name: 'o' op: 'Exit' input: 's' }
  node { name: 'h' op: 'StackV2' input: 'x' }
  node { name: 'p' op: 'StackPushV2' input: 'h' input: 'o' }
  node { name: 'q' op: 'StackPopV2' input: 'h' }
  node { name: 'b' op: 'Identity' input: 'q' input: '^p' }
)";

const io::Document& graph() {
  static const io::Document kDocument = [] {
    Progress silent;
    auto read = io::read_document("graph", own_bytes(kGraph), silent);
    require(read.has_value(), "the graph of the target is one", read ? "" : read.error().message);
    return *std::move(read);
  }();
  return kDocument;
}

void check_columns(const StepTrace& trace) {
  for (const TracedOp& op : trace.ops) {
    require(op.device < trace.devices.size(), "a row has a device");
    require(op.start_ns >= 0 && op.duration_ns >= 0, "times are not negative");
    require(op.first_output + op.output_count <= trace.outputs.size(), "outputs are there");
    require(op.first_memory + op.memory_count <= trace.memories.size(), "memories are there");
    for (const TracedMemory& memory : trace.memories_of(op)) {
      require(memory.first_record + memory.record_count <= trace.records.size(),
              "records are there");
      require(memory.allocator < trace.allocators.size(), "an allocator has a name");
    }
    for (const TracedOutput& output : trace.outputs_of(op)) {
      require(output.first_dim + output.dim_count <= trace.dims.size(), "dims are there");
      require(output.bytes() >= 0, "sizes are not negative");
    }
  }
}

void check_as_protobuf_reads(std::string_view bytes, const StepTrace& trace) {
  wire::RunMetadata expected;
  if (!expected.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  int rows = 0;
  for (const auto& device : expected.step_stats().dev_stats()) rows += device.node_stats_size();
  require(static_cast<std::size_t>(rows) == trace.ops.size(), "as many rows as protobuf reads");
}

void check_measured(StepTrace trace) {
  auto run = measure_run(graph().graph, std::move(trace), {});
  if (!run) {
    require_readable(run.error());
    return;
  }
  const auto tensors =
      TensorTable::build(graph().graph, {.model = SizeModel::kFaithful, .measured = &run->sizes});
  if (!tensors) return;
  const auto step = build_step_graph(graph().graph, *tensors, {}, {});
  if (!step) return;
  compare(graph().graph, *step, nullptr, complete_levels(graph().graph), *run);
  require(run->comparison().model.size() == run->step().executions.size(), "a value an execution");
  require(run->step().live.size() == run->step().executions.size(), "on both sides");
  for (const MeasuredBuffer& buffer : run->step().buffers) {
    require(buffer.execution < run->step().executions.size(), "a buffer was made by somebody");
  }
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tideline;
  if (size > fuzz::kMaxInput) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  auto trace = events::read_run_metadata(own_bytes(bytes), diagnostics);
  for (const Diagnostic& entry : diagnostics.entries()) {
    fuzz::require_readable(Error{Code::kCorrupt, entry.kind + entry.example});
  }
  if (!trace) {
    fuzz::require_readable(trace.error());
    return 0;
  }
  fuzz::check_columns(*trace);
  fuzz::check_as_protobuf_reads(bytes, *trace);
  fuzz::check_measured(*std::move(trace));
  return 0;
}
