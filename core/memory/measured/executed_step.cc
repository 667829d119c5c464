// Builds the graph of executions; ExecutedReads finds the reads (see the essay there).
// Tested by unit/memory/measured/executed_step_test.cc.
#include "core/memory/measured/executed_step.h"

#include "core/memory/containers.h"
#include "core/memory/measured/executed_reads.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

constexpr std::uint32_t kNone = ExecutedStep::kNone;

class Unroller {
 public:
  Unroller(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
           const StepTrace& trace, const MeasuredStep& measured)
      : graph_(graph),
        step_(step),
        facts_(facts),
        trace_(trace),
        measured_(measured),
        is_cpu_(is_cpu_device(measured.device)),
        reads_(graph, step, facts, trace, measured),
        containers_(graph, facts) {}

  ExecutedStep run() {
    out_.execution_of = reads_.execution_of();
    out_.op_at.assign(measured_.executions.size(), kNone);
    add_before();
    for (std::uint32_t at = 1; at < out_.execution_of.size(); ++at) {
      out_.op_at[out_.execution_of[at]] = at;
      add_execution(at);
    }
    add_end();
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const TracedOp& row_at(std::uint32_t at) const {
    return trace_.ops[measured_.executions[out_.execution_of[at]].row];
  }

  void add_before() {
    StepGraph& graph = out_.graph;
    StepOp op;
    op.tensor_count = 1;
    graph.ops.push_back(op);
    StepTensor tensor;
    tensor.is_pinned = true;
    graph.tensors.push_back(tensor);
    graph.producer_of.push_back(OpId{ExecutedReads::kBefore});
  }

  [[nodiscard]] std::uint32_t tensor_of(ExecutedReads::Token token) const {
    if (token.at == kNone) return kNone;
    const StepOp& op = out_.graph.ops[token.at];
    return token.slot < op.tensor_count ? op.first_tensor + token.slot : kNone;
  }
  void read(std::uint32_t tensor, Space space) {
    if (tensor == kNone) {
      out_.graph.inputs.push_back({ExecutedReads::kBefore, Space::kElsewhere, false});
    } else {
      out_.graph.inputs.push_back({tensor, space, false});
    }
  }

  void add_execution(std::uint32_t at) {
    StepGraph& graph = out_.graph;
    const OpId op = reads_.op_of(at);
    reads_.find(at, reads_now_);
    StepOp entry;
    entry.first_input = static_cast<std::uint32_t>(graph.inputs.size());
    add_inputs(op);
    entry.first_link = static_cast<std::uint32_t>(graph.links.size());
    const auto links = step_.links_of(op);
    graph.links.insert(graph.links.end(), links.begin(), links.end());
    use_container(op, static_cast<std::uint32_t>(graph.inputs.size()) - entry.first_input);
    entry.input_count = static_cast<std::uint32_t>(graph.inputs.size()) - entry.first_input;
    entry.link_count = static_cast<std::uint32_t>(graph.links.size()) - entry.first_link;
    entry.first_control = static_cast<std::uint32_t>(graph.controls.size());
    for (const std::uint32_t control : reads_now_.controls) graph.controls.push_back(OpId{control});
    entry.control_count = static_cast<std::uint32_t>(graph.controls.size()) - entry.first_control;
    entry.first_tensor = static_cast<std::uint32_t>(graph.tensors.size());
    entry.tensor_count = step_.ops[op.index()].tensor_count;
    entry.scratch = measured_.scratch[out_.execution_of[at]];
    graph.ops.push_back(entry);
    add_outputs(at, op);
  }

  void add_inputs(OpId op) {
    for (std::uint32_t slot = 0; slot < reads_now_.slots.size(); ++slot) {
      const bool is_host = !is_cpu_ && step_.inputs_of(op)[slot].space == Space::kHost;
      read(tensor_of(reads_now_.slots[slot]), is_host ? Space::kHost : Space::kDevice);
    }
    for (const auto& token : reads_now_.through) read(tensor_of(token), Space::kDevice);
  }

  void use_container(OpId op, std::uint32_t next_slot) {
    const ContainerUse use = containers_.use_of(op);
    if (use == ContainerUse::kNone) return;
    if (use == ContainerUse::kPut) {
      const std::uint32_t slot = Containers::value_slot(graph_.type(op));
      if (slot >= next_slot) return;
      const StepInput& value = out_.graph.inputs[out_.graph.inputs.size() - next_slot + slot];
      if (value.space != Space::kElsewhere) containers_.put(op, value.tensor);
      return;
    }
    for (const std::uint32_t value : containers_.take(op, use)) {
      read(value, Space::kDevice);
      if (use != ContainerUse::kTakeAll) out_.graph.links.push_back({0, next_slot, true, false});
    }
  }

  void add_outputs(std::uint32_t at, OpId op) {
    StepGraph& graph = out_.graph;
    const StepOp& known = step_.ops[op.index()];
    const TracedOp& row = row_at(at);
    const bool is_told = row.output_count > 0;
    const std::size_t first = graph.tensors.size();
    for (std::uint32_t slot = 0; slot < known.tensor_count; ++slot) {
      StepTensor tensor = step_.tensors[known.first_tensor + slot];
      tensor.home = Space::kDevice;
      if (is_told) tensor.content = tensor.bytes = 0;  // of an output that is not told: dead
      graph.tensors.push_back(tensor);
      graph.producer_of.push_back(OpId{at});
    }
    for (const TracedOutput& output : trace_.outputs_of(row)) {
      if (output.slot >= known.tensor_count) continue;
      StepTensor& tensor = graph.tensors[first + output.slot];
      tensor.content = output.requested > 0 ? output.requested : output.bytes();
      tensor.bytes = output.bytes();
      if (!is_memory_of(measured_.device, trace_.allocators[output.allocator])) {
        tensor.home = Space::kHost;
      }
    }
    const std::string_view type = traced_type(row);
    const bool is_resident = type == "Const" || facts_.of(graph_, op).kind == OpKind::kConstant;
    for (std::size_t i = first; i < graph.tensors.size(); ++i) {
      StepTensor& tensor = graph.tensors[i];
      tensor.is_pinned = tensor.is_pinned || is_resident;
      if (tensor.is_pinned) tensor.bytes = 0;
    }
  }

  // Reads what is fetched and what containers still hold, after everything else.
  void add_end() {
    StepGraph& graph = out_.graph;
    StepOp end;
    end.first_input = static_cast<std::uint32_t>(graph.inputs.size());
    for (const std::uint32_t value : containers_.rest()) read(value, Space::kDevice);
    for (const MeasuredExecution& execution : measured_.executions) {
      const std::uint32_t value = fetched_by(trace_.ops[execution.row]);
      if (value != kNone) read(value, Space::kDevice);
    }
    end.input_count = static_cast<std::uint32_t>(graph.inputs.size()) - end.first_input;
    end.first_control = static_cast<std::uint32_t>(graph.controls.size());
    end.control_count = static_cast<std::uint32_t>(graph.ops.size());
    for (std::uint32_t at = 0; at < graph.ops.size(); ++at) graph.controls.push_back(OpId{at});
    graph.ops.push_back(end);
    out_.execution_of.push_back(kNone);
  }

  // "_retval_loss_0_1 = _Retval(loss)" keeps its input.
  [[nodiscard]] std::uint32_t fetched_by(const TracedOp& row) const {
    if (traced_type(row) != "_Retval") return kNone;
    const std::size_t open = row.label.find('(');
    std::string_view name = row.label.substr(open + 1);
    name = name.substr(0, name.find_first_of("),"));
    const auto tensor = graph_.find_tensor(name);
    return tensor ? tensor_of(reads_.last_of(*tensor)) : kNone;
  }

  void finish() {
    StepSchedule& schedule = out_.schedule;
    for (std::uint32_t at = 0; at < out_.graph.ops.size(); ++at) {
      schedule.ops.push_back(OpId{at});
      schedule.level.push_back(static_cast<std::int32_t>(at));
      schedule.step.push_back(static_cast<std::int32_t>(at));
    }
    out_.graph.fetches = {schedule.ops.back()};
  }

  const Graph& graph_;
  const StepGraph& step_;
  const OpFactsTable& facts_;
  const StepTrace& trace_;
  const MeasuredStep& measured_;
  bool is_cpu_;
  ExecutedReads reads_;
  ExecutedReads::Reads reads_now_;  // of the execution at hand
  Containers containers_;
  ExecutedStep out_;
};

}  // namespace

ExecutedStep executed_step(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
                           const StepTrace& trace, const MeasuredStep& measured) {
  return Unroller(graph, step, facts, trace, measured).run();
}

}  // namespace tideline
