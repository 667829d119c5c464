// Writes the step of an automatic plan as JSON, for clock_check.py: ops, tensors, buffers and
// copies as the model has them, and what the clock says of it.
//   step_dump GRAPH BATCH_SIZE PROFILE SHARE
// SHARE: of what the step needs beside resident memory, without a plan, in per cent.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/check.h"
#include "core/io/document.h"
#include "core/memory/step_clock.h"
#include "core/memory/step_edit.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Space space) {
  switch (space) {
    case Space::kDevice: return "device";
    case Space::kHost: return "host";
    case Space::kElsewhere: break;
  }
  return "elsewhere";
}

template <typename T>
T checked(Result<T> made) {
  if (!made) {
    fmt::print(stderr, "step_dump: {}\n", made.error().message);
    std::exit(1);
  }
  return *std::move(made);
}

Json ops_json(const Graph& graph, const GraphPlan& plan, const StepGraph& step,
              const FaithfulStep& simulated, const CostModel& costs) {
  std::vector<std::int64_t> position(step.ops.size(), -1);
  const std::vector<OpId>& schedule = simulated.timeline.schedule;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    position[schedule[i].index()] = static_cast<std::int64_t>(i);
  }
  Json ops = Json::array();
  for (const OpId op : schedule) {
    const StepOp& entry = step.ops[op.index()];
    Json reads = Json::array();
    for (const StepInput& input : step.inputs_of(op)) {
      if (!input.is_back_edge) reads.push_back({input.tensor, name_of(input.space)});
    }
    Json after = Json::array();
    for (const OpId control : step.controls_of(op)) after.push_back(position[control.index()]);
    Json makes = Json::array();
    for (std::uint32_t i = 0; i < entry.tensor_count; ++i) makes.push_back(entry.first_tensor + i);
    const bool is_on_device = entry.space == Space::kDevice;
    ops.push_back({{"name", plan.name(graph, op)},
                   {"space", name_of(entry.space)},
                   {"ns", is_on_device ? costs.op_cost(step, op).ns : 0.0},
                   {"scratch", entry.scratch},
                   {"reads", std::move(reads)},
                   {"after", std::move(after)},
                   {"makes", std::move(makes)}});
  }
  return ops;
}

Json tensors_json(const StepGraph& step, const FaithfulStep& simulated) {
  Json tensors = Json::array();
  for (std::uint32_t i = 0; i < step.tensors.size(); ++i) {
    const std::uint32_t buffer = simulated.buffers_of[i][0];
    tensors.push_back({{"home", name_of(step.tensors[i].home)},
                       {"device_buffer", buffer == kNoBuffer ? -1 : std::int64_t{buffer}},
                       {"in_place", bool{simulated.is_in_place[i]}}});
  }
  return tensors;
}

Json buffers_json(const FaithfulStep& simulated) {
  Json buffers = Json::array();
  for (const StepBuffer& buffer : simulated.buffers) {
    buffers.push_back({{"bytes", buffer.bytes},
                       {"space", name_of(buffer.space)},
                       {"resident", buffer.is_pinned},
                       {"kept", buffer.is_kept},
                       {"held", buffer.is_held},
                       {"from", buffer.from_step},
                       {"to", buffer.to_step}});
  }
  return buffers;
}

Json copies_json(const FaithfulStep& simulated, const CostModel& costs) {
  Json copies = Json::array();
  for (const StepTransfer& copy : simulated.transfers) {
    copies.push_back(
        {{"tensor", copy.tensor},
         {"to_host", copy.to_host},
         {"ns", copy.to_host ? costs.to_host_ns(copy.bytes) : costs.to_device_ns(copy.bytes)}});
  }
  return copies;
}

Json said_json(const StepTime& time, const FaithfulStep& simulated) {
  Json begins = Json::array();
  for (const OpId op : simulated.timeline.schedule) {
    begins.push_back(time.ops[op.index()].begin_ns);
  }
  return {{"stuck", time.stuck.has_value()}, {"device_peak_bytes", time.device_peak},
          {"step_ns", time.step_ns()},       {"memory_ns", time.memory_ns},
          {"late", time.late.size()},        {"begins", std::move(begins)}};
}

int dump(const char* path, std::int64_t batch_size, const char* profile_name, int share) {
  Progress silent;
  const io::Document document = checked(io::read_document(path, silent));
  SearchModel model;
  model.profile = *built_in_profile(profile_name);
  model.run = {AsRun::kModelled, Executor::kGpu};
  const CostModel costs(model.profile);
  const TensorTable tensors = checked(TensorTable::build(
      document.graph, {.batch_size = batch_size, .model = SizeModel::kFaithful}));
  StepOptions of_step;
  of_step.run = model.run;
  const StepGraph original =
      checked(build_step_graph(document.graph, tensors, document.collections, of_step));
  const MemoryTimeline before = simulate_step(original).timeline;
  MemoryBudget budget;
  budget.device =
      before.resident_bytes + (before.device_peak - before.resident_bytes) / 100 * share;
  Lms2Options options;
  options.batch_size = batch_size;
  options.ignore_folded = true;
  const auto tuned =
      plan_lms2_within(document.graph, document.collections, options, budget, silent, model);
  Json json = {{"budget_bytes", budget.device}, {"free_peak_bytes", before.device_peak}};
  json["found"] = tuned.has_value();
  if (!tuned) {
    json["error"] = tuned.error().message;
    fmt::print("{}\n", json.dump());
    return 0;
  }
  const GraphPlan& plan = tuned->plan.edit;
  const StepGraph step = edited(original, document.graph, plan, std::nullopt);
  const FaithfulStep simulated = simulate_step(step);
  json["tuned"] = {{"device_peak_bytes", tuned->tuned.prediction.device_peak},
                   {"step_ns", tuned->tuned.prediction.step_ns},
                   {"step_ns_without_swaps", tuned->tuned.without.step_ns}};
  json["peak_by_steps"] = simulated.timeline.device_peak;
  json["resident_bytes"] = simulated.timeline.resident_bytes;
  json["ops"] = ops_json(document.graph, plan, step, simulated, costs);
  json["tensors"] = tensors_json(step, simulated);
  json["buffers"] = buffers_json(simulated);
  json["copies"] = copies_json(simulated, costs);
  const StepClock clock(step, simulated, costs);
  json["clock"] = said_json(clock.time(budget.device), simulated);
  json["clock_without_budget"] = said_json(clock.time(), simulated);
  fmt::print("{}\n", json.dump());
  return 0;
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  TIDELINE_CHECK(argc == 5);
  return tideline::dump(argv[1], std::atoll(argv[2]), argv[3], std::atoi(argv[4]));
}
