// The memory of the runs of a cycle, and borders found by it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/analysis/structure/training_roles.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/io/document.h"
#include "core/memory/faithful.h"
#include "core/rewrite/sections/borders.h"
#include "core/rewrite/sections/sections.h"

namespace tideline {
namespace {

io::Document read_below(const std::string& folder, const std::string& name) {
  const std::string path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/" + folder + name;
  Progress silent;
  auto bytes = open_bytes(path, Pipes::kRefuse);
  REQUIRE(bytes);
  auto document = io::read_document(path, *bytes, silent);
  REQUIRE(document);
  return *std::move(document);
}

io::Document read_file(const std::string& name) {
  return read_below("graphs/", name);
}
io::Document read_foreign(const std::string& name) {
  return read_below("foreign/graphs/", name);
}

TensorOptions batch_of(std::int64_t size) {
  TensorOptions sizes;
  sizes.batch_size = size;
  return sizes;
}

SectionsOptions options_of(std::vector<std::string> levels) {
  SectionsOptions options;
  options.levels = std::move(levels);
  options.loss = "loss/Mean";
  return options;
}

Result<SectionsPlan> memory_plan_of(const io::Document& document, const SectionsOptions& options,
                                    std::optional<Bytes> limit = std::nullopt) {
  Progress silent;
  return plan_sections(GraphFacts(document.graph), document.collections, batch_of(8), options,
                       limit, silent);
}

// The graph of the cycle, built and looked at afresh, run for the ops.
RunPeak simulated(const io::Document& document, const SectionsPlan& plan,
                  const std::vector<OpId>& ops, RunModel run) {
  const auto changed = apply(document.graph, plan.edit);
  REQUIRE(changed);
  TensorOptions sizes = batch_of(8);
  sizes.model = SizeModel::kFaithful;
  const auto tensors = TensorTable::build(*changed, sizes);
  REQUIRE(tensors);
  StepOptions options;
  options.run = run;
  for (const OpId op : ops) {
    options.fetches.push_back(std::string(plan.edit.name(document.graph, op)));
  }
  const auto step = build_step_graph(*changed, *tensors, document.collections, options);
  REQUIRE(step);
  const MemoryTimeline timeline = simulate_step(*step).timeline;
  return {timeline.device_peak, timeline.resident_bytes};
}

void check_runs(const io::Document& document, const SectionsOptions& options) {
  const auto plan = memory_plan_of(document, options);
  if (!plan) return;  // cuts a conditional
  std::vector<OpId> forward{plan->report.loss.op};
  for (const TensorId kept : plan->report.forward_cache) forward.push_back(kept.op);
  REQUIRE(plan->report.forward);
  CHECK(plan->report.forward->peak == simulated(document, *plan, forward, options.run).peak);
  for (const SectionPhase& phase : plan->report.phases) {
    INFO(phase.label);
    std::vector<OpId> ops{phase.train_op};
    for (const auto& [tensor, original] : phase.cache) ops.push_back(tensor.op);
    REQUIRE(phase.peak);
    CHECK(phase.peak->peak == simulated(document, *plan, ops, options.run).peak);
  }
}

TEST_CASE("The peak of a run is that of the graph that the plan gives", "[sections]") {
  const auto run = GENERATE(as<RunModel>{}, kAsInFile, RunModel{AsRun::kModelled, Executor::kCpu},
                            RunModel{AsRun::kModelled, Executor::kGpu});
  for (const char* name : {"resource_vars.meta", "mlp.meta", "bn_is_training.meta"}) {
    const io::Document document = read_file(name);
    for (const char* border : {"4", "6"}) {
      INFO(name << " " << border << " " << run_text(run));
      SectionsOptions options = options_of({border});
      options.run = run;
      check_runs(document, options);
    }
  }
}

TEST_CASE("What runs are fed keeps its size where its first dim is several times the batch",
          "[sections]") {
  const io::Document document = read_file("transformer.meta");
  SectionsOptions options = options_of({"187", "365", "530"});
  options.loss = "loss/add";
  options.train_op = "adam_optimizer/Adam";
  const auto in_file = memory_plan_of(document, options);
  options.run = {AsRun::kModelled, Executor::kGpu};
  const auto as_run = memory_plan_of(document, options);
  REQUIRE(in_file);
  REQUIRE(as_run);
  // A quarter of the layers each. They were a third as large when [batch x 128, 768] was taken for
  // [batch, 768].
  for (std::size_t k = 0; k < in_file->report.phases.size(); ++k) {
    const double other = static_cast<double>(as_run->report.phases[k].peak->transient()) /
                         static_cast<double>(in_file->report.phases[k].peak->transient());
    INFO("phase " << k << ": " << other);
    CHECK(other > 0.7);
    CHECK(other < 1.3);
  }
}

TEST_CASE("Borders that are found stay within the memory as TensorFlow runs them", "[sections]") {
  const io::Document document = read_file("transformer.meta");
  SectionsOptions options;
  options.loss = "loss/add";
  options.train_op = "adam_optimizer/Adam";
  options.run = {AsRun::kModelled, Executor::kGpu};
  // The first borders that are found for this limit need more.
  constexpr Bytes kLimit = Bytes{2100} << 20;
  const auto plan = memory_plan_of(document, options, kLimit);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  for (const SectionPhase& phase : plan->report.phases) CHECK(phase.peak->peak <= kLimit);
}

TEST_CASE("Borders that are found need less than the whole step, and say how much", "[sections]") {
  const io::Document document = read_file("resource_vars.meta");
  SectionsOptions options = options_of({});
  options.count = 3;
  const auto plan = memory_plan_of(document, options);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  REQUIRE(plan->report.phases.size() == 3);
  REQUIRE(plan->report.borders.size() == 2);
  CHECK(plan->report.borders[0] < plan->report.borders[1]);
  for (const SectionPhase& phase : plan->report.phases) {
    CHECK(phase.peak->transient() <= plan->report.plain->transient());
  }
}

TEST_CASE("A plain chain of dense layers is cut into as many sections as it has places",
          "[sections]") {
  // No level has fewer bytes across it than those around: all layers are of one width.
  const io::Document document = read_foreign("chain8_adam.meta");
  SectionsOptions options = options_of({});
  options.loss = "loss";
  options.train_op = "train";
  for (const int count : {2, 3, 6, 8}) {
    options.count = count;
    const auto plan = memory_plan_of(document, options);
    INFO(count << ": " << (plan ? "" : plan.error().message));
    REQUIRE(plan);
    CHECK(plan->report.phases.size() == static_cast<std::size_t>(count));
    CHECK(plan->report.borders.size() + 1 == static_cast<std::size_t>(count));
    for (const SectionPhase& phase : plan->report.phases) {
      CHECK(phase.feeds.size() <= 4);  // the batch, what enters, and the gradient of what leaves
    }
  }
  options.count = 99;
  const auto too_many = memory_plan_of(document, options);
  REQUIRE_FALSE(too_many);
  CHECK(too_many.error().message.find("{sections} 99: the forward pass has") == 0);
}

TEST_CASE("Too small a device memory is refused with the best that was found", "[sections]") {
  const io::Document document = read_file("resource_vars.meta");
  const auto plan = memory_plan_of(document, options_of({}), Bytes{1000});
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == Code::kOverBudget);
  CHECK(plan.error().message.find("the best found are") != std::string::npos);
  SectionsOptions many = options_of({});
  many.count = 900;
  const auto too_many = memory_plan_of(document, many);
  REQUIRE_FALSE(too_many);
  CHECK(too_many.error().message.find("{sections} 900: the forward pass has") == 0);
}

TEST_CASE("The peak that the search says of borders is that of their runs", "[sections]") {
  // Of most trials it looks at some runs only, and takes those of the best trial for the others.
  for (const char* name : {"resnet50.meta", "transformer.meta"}) {
    const io::Document document = read_file(name);
    const auto tensors = TensorTable::build(document.graph, batch_of(8));
    REQUIRE(tensors);
    const auto loss = find_training_roles(GraphFacts(document.graph), *tensors).loss;
    REQUIRE(loss);
    SectionsOptions options;
    options.loss = document.graph.tensor_name(*loss);
    const auto refused = memory_plan_of(document, options, Bytes{1000});
    REQUIRE_FALSE(refused);
    const std::string& said = refused.error().message;
    INFO(said);
    const std::string before = "with borders at level ";
    const auto begin = said.find(before) + before.size();
    const auto end = said.find(", whose largest peak is ");
    REQUIRE(end != std::string::npos);
    options.levels = split_list(said.substr(begin, end - begin), ',');
    const auto plan = memory_plan_of(document, options);
    REQUIRE(plan);
    CHECK(plan->report.phases.size() > 4);
    Bytes largest = plan->report.forward->peak;
    for (const SectionPhase& phase : plan->report.phases) {
      largest = std::max(largest, phase.peak->peak);
    }
    CHECK(said.ends_with("whose largest peak is " + format_bytes(largest)));
  }
}

TEST_CASE("Borders that cannot be written are not found, others are", "[sections]") {
  // Half of its places lead between a conditional and a moving average that reads the same
  // variable.
  const io::Document document = read_file("bn_is_training.meta");
  SectionsOptions options = options_of({"6"});
  options.loss = "Mean";
  const auto refused = memory_plan_of(document, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("their order cannot be kept") != std::string::npos);
  options = options_of({});
  options.loss = "Mean";
  const auto within = memory_plan_of(document, options, Bytes{1} << 30);
  INFO((within ? "" : within.error().message));
  REQUIRE(within);
  CHECK(within->report.phases.size() == 2);
  options.count = 2;
  const auto found = memory_plan_of(document, options);
  REQUIRE(found);
  // Level 8 needs the least of those at which the step can be cut: 5 MiB of the 7.1.
  for (const SectionPhase& phase : found->report.phases) {
    CHECK(phase.peak->transient() < found->report.plain->transient() * 3 / 4);
  }
}

}  // namespace
}  // namespace tideline
