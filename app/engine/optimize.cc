// Tested by integration/optimize_test.py and unit/engine/optimize_test.cc.
#include "app/engine/optimize.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <utility>

#include "core/base/check.h"
#include "core/graph/device_name.h"
#include "core/io/write_document.h"
#include "core/memory/step_graph.h"
#include "core/runtime/find_tensorflow.h"

namespace tideline::app {
namespace {

bool same_inputs(const Graph& before, OpId old_op, const Graph& after, OpId new_op) {
  return std::ranges::equal(before.inputs(old_op), after.inputs(new_op),
                            [&](TensorId a, TensorId b) {
                              return a.slot == b.slot && before.name(a.op) == after.name(b.op);
                            }) &&
         std::ranges::equal(before.control_inputs(old_op), after.control_inputs(new_op),
                            [&](OpId a, OpId b) { return before.name(a) == after.name(b); });
}

}  // namespace

Result<runtime::OptimizeRequest> optimize_request(const io::Document& document,
                                                  const std::vector<std::string>& fetches,
                                                  Executor executor,
                                                  const std::optional<DeviceProfile>& profile,
                                                  io::Format format) {
  const Graph& graph = document.graph;
  TIDELINE_TRY(const Fetches found, find_fetches(graph, document.collections, fetches));
  if (found.rule == FetchRule::kAll) {
    return fail(Code::kInvalidArgument,
                "nothing says what a step is for: no op applies gradients; expected {{fetch}} with "
                "names of ops");
  }
  runtime::OptimizeRequest request;
  request.format = format;
  std::vector<OpId> ops = found.ops;  // a collection may name one twice
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  for (const OpId op : ops) request.fetches.emplace_back(graph.name(op));
  std::int32_t gpus = device_count(graph, "GPU");
  if (executor == Executor::kGpu) gpus = std::max(gpus, 1);
  runtime::VirtualGpu gpu;
  if (profile) {
    gpu = {profile->total_bytes, profile->memory_bytes_per_s,
           profile->flops_per_s_of(DataType::kFloat)};
  }
  request.gpus.assign(static_cast<std::size_t>(gpus), gpu);
  return request;
}

OptimizedOps compare_ops(const Graph& before, const std::vector<bool>& needed, const Graph& after) {
  OptimizedOps found;
  for (const OpId op : before.ops()) {
    const OpId now = after.find(before.name(op));
    if (!now.valid()) {
      ++(needed[op.index()] ? found.left_out : found.not_needed);
    } else if (before.type(op) != after.type(now)) {
      ++(after.type(now) == "Const" ? found.constants : found.other_type);
    } else {
      ++(same_inputs(before, op, after, now) ? found.same : found.other_inputs);
    }
  }
  found.added = static_cast<std::int64_t>(after.op_count()) - found.same - found.other_inputs -
                found.constants - found.other_type;
  return found;
}

AskOptimizer optimizer_of(std::string python) {
  return [python = std::move(python)](const ReadGraphPtr& graph,
                                      const runtime::OptimizeRequest& request,
                                      Progress& progress) -> Result<OptimizedGraph> {
    TIDELINE_TRY(runtime::Optimized made,
                 runtime::optimize(graph->document, request, python, progress));
    // The optimizer keeps the names of the ops that it keeps.
    SourceLines lines = graph->lines.in(made.document.graph, graph->document.graph);
    return OptimizedGraph{std::make_shared<const ReadGraph>(graph->choice, std::move(made.document),
                                                            nullptr, std::move(lines)),
                          std::move(made.tensorflow)};
  };
}

AskOptimizer installed_optimizer() {
  return [](const ReadGraphPtr& graph, const runtime::OptimizeRequest& request,
            Progress& progress) -> Result<OptimizedGraph> {
    static std::timed_mutex one_at_a_time;
    std::unique_lock lock(one_at_a_time, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50))) {
      if (!progress.report("waiting for another question to TensorFlow", 0, 0)) return cancelled();
    }
    TIDELINE_TRY(const std::string python, runtime::find_tensorflow_python(progress));
    return optimizer_of(python)(graph, request, progress);
  };
}

AskOptimizer remembering(AskOptimizer ask) {
  constexpr std::size_t kMostAnswers = 4;
  struct Entry {
    runtime::OptimizeRequest request;
    std::string bytes;  // of the graph
    OptimizedGraph answer;
  };
  return [ask = std::move(ask), known = std::make_shared<std::deque<Entry>>()](
             const ReadGraphPtr& graph, const runtime::OptimizeRequest& request,
             Progress& progress) -> Result<OptimizedGraph> {
    std::string bytes;
    const io::Document& document = graph->document;
    TIDELINE_RETURN_IF_ERROR(io::write_document(document, document.graph, {request.format},
                                                io::append_to(bytes), progress));
    for (const Entry& entry : *known) {
      if (entry.request == request && entry.bytes == bytes) return entry.answer;
    }
    TIDELINE_TRY(OptimizedGraph answer, ask(graph, request, progress));
    known->push_back({request, std::move(bytes), answer});
    if (known->size() > kMostAnswers) known->pop_front();
    return answer;
  };
}

Result<std::string> run_exactly(SizedGraph& opened, std::vector<std::string>& fetches,
                                const std::optional<DeviceProfile>& profile,
                                const AskOptimizer& ask, Progress& progress) {
  TIDELINE_CHECK(opened.measured == nullptr);
  if (opened.cycle) {
    return fail(Code::kUnsupported,
                "the runs of a cycle are not simulated exactly; expected {{as-run}} modelled");
  }
  opened.run = with_executor(opened.run, opened.source->facts);
  TIDELINE_TRY(const runtime::OptimizeRequest request,
               optimize_request(opened.document(), fetches, opened.run.executor, profile));
  TIDELINE_TRY(OptimizedGraph made, ask(opened.source, request, progress));
  fetches = request.fetches;
  opened.as_written = std::exchange(opened.source, std::move(made.source));
  std::erase_if(opened.shapes, [&](const GivenShape& given) {
    return !opened.graph().find(given.name.substr(0, given.name.find(':'))).valid();
  });
  return std::move(made.tensorflow);
}

}  // namespace tideline::app
