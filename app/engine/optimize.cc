// Tested by integration/optimize_test.py and unit/engine/optimize_test.cc.
#include "app/engine/optimize.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/graph/device_name.h"
#include "core/memory/step_graph.h"

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

Status run_exactly(SizedGraph& opened, std::vector<std::string>& fetches,
                   const std::optional<DeviceProfile>& profile, const std::string& python,
                   Progress& progress) {
  TIDELINE_CHECK(opened.measured == nullptr);
  if (opened.cycle) {
    return fail(Code::kUnsupported,
                "the runs of a cycle are not simulated exactly; expected {{as-run}} modelled");
  }
  opened.run = with_executor(opened.run, opened.source->facts);
  TIDELINE_TRY(const runtime::OptimizeRequest request,
               optimize_request(opened.document(), fetches, opened.run.executor, profile));
  TIDELINE_TRY(runtime::Optimized made,
               runtime::optimize(opened.document(), request, python, progress));
  fetches = request.fetches;
  auto source = std::make_shared<const ReadGraph>(opened.source->choice, std::move(made.document));
  opened.as_written = std::exchange(opened.source, std::move(source));
  std::erase_if(opened.shapes, [&](const GivenShape& given) {
    return !opened.graph().find(given.name.substr(0, given.name.find(':'))).valid();
  });
  return {};
}

}  // namespace tideline::app
