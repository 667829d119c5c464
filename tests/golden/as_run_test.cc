// Steps as TensorFlow runs them, beside steps that it ran: peaks of allocation records, variables,
// constants and what was fed, measured by tests/integration/as_run_steps.py (TensorFlow 2.15.1,
// Grappler on, one thread) on graphs of the test data. integration/as_run_test.py measures small
// ones anew; these are larger, and need no TensorFlow.
#include <algorithm>
#include <cmath>

#include "core/io/functions.h"
#include "core/memory/faithful.h"
#include "tests/support/graph_data.h"

namespace tideline {
namespace {

struct Measured {
  const char* file;
  const char* fetch;
  std::int64_t batch_size;
  Bytes gpu_order;
  Bytes cpu_order;        ///< 0: arbitrary, since TensorFlow sorts the first ops by their addresses
  double off_as_written;  ///< how far the graph as written is at least off, in the order of a GPU
  std::vector<GivenBranch> branches = {};  ///< that TensorFlow took
  std::vector<GivenRounds> rounds = {};
};

constexpr const char* kAdam = "adam_optimizer/Adam";
constexpr const char* kMomentum = "momentum_optimizer/Momentum";
const std::vector<Measured> kSteps = {
    {"mlp.meta", kAdam, 16'384, 15'552'176, 15'552'216, 0},
    // Ops of one level run in the file's order, not in Grappler's: 0.8 % too little.
    {"mnist_deep.meta", kAdam, 256, 105'374'492, 117'380'132, 0},
    {"bn_is_training.meta", kMomentum, 256, 187'741'881, 187'742'561, 0.26},
    {"cond.meta", kMomentum, 16'384, 12'853'430, 0, 0.75, {{"cond", true}, {"cond_1", false}}},
    {"resource_vars.meta", kAdam, 256, 255'000'348, 255'001'028, 0.13},
    {"embedding_sparse.meta", kAdam, 2'048, 232'259'856, 0, 0},
    {"two_gpu_towers.meta", kMomentum, 64, 35'696'872, 0, 0},
    {"resnet50.meta", kMomentum, 16, 1'596'924'064, 1'596'796'972, 0.21},
    {"transformer.meta", kAdam, 4, 2'024'000'840, 2'019'352'988, 0.11},
};

Bytes peak(const io::Document& document, const FunctionLibrary& library, const Measured& measured,
           RunModel run) {
  const auto tensors = TensorTable::build(document.graph, {.batch_size = measured.batch_size,
                                                           .rounds = measured.rounds,
                                                           .model = SizeModel::kFaithful,
                                                           .functions = &library});
  REQUIRE(tensors);
  StepOptions options;
  options.fetches = {measured.fetch};
  options.functions = &library;
  options.run = run;
  const auto step = build_step_graph(document.graph, *tensors, document.collections, options);
  REQUIRE(step);
  return simulate_step(*step).timeline.device_peak;
}

double error(Bytes simulated, Bytes measured) {
  return static_cast<double>(simulated) / static_cast<double>(measured) - 1;
}

}  // namespace

TEST_CASE("a step as TensorFlow runs it needs what TensorFlow needed") {
  constexpr double kNear = 0.01;
  for (const Measured& measured : kSteps) {
    INFO(measured.file << " batch " << measured.batch_size);
    const io::Document document = test::open_graph(test::kData / "graphs" / measured.file);
    Diagnostics diagnostics;
    const FunctionLibrary library = io::read_functions(document, diagnostics);
    const auto simulated = [&](RunModel run) { return peak(document, library, measured, run); };
    CHECK(std::abs(error(simulated({AsRun::kModelled, Executor::kGpu, measured.branches}),
                         measured.gpu_order)) < kNear);
    if (measured.cpu_order != 0) {
      CHECK(std::abs(error(simulated({AsRun::kModelled, Executor::kCpu}), measured.cpu_order)) <
            kNear);
    }
    CHECK(error(simulated(kAsInFile), measured.gpu_order) > measured.off_as_written - kNear);
  }
}

TEST_CASE("where TensorFlow took the smaller branch, the step with that one is nearer") {
  const auto of_cond = [](const Measured& step) { return !step.branches.empty(); };
  const Measured& measured = *std::find_if(kSteps.begin(), kSteps.end(), of_cond);
  const io::Document document = test::open_graph(test::kData / "graphs" / measured.file);
  const FunctionLibrary library;
  const auto off = [&](std::vector<GivenBranch> branches) {
    const RunModel run{AsRun::kModelled, Executor::kGpu, std::move(branches)};
    return std::abs(error(peak(document, library, measured, run), measured.gpu_order));
  };
  CHECK(off(measured.branches) < 0.001);
  CHECK(off({}) > 0.005);
  CHECK(off({{"is_training", false}}) > 0.03);
}

TEST_CASE("the orders of a CPU and of a GPU are those that were measured") {
  // An eighth more on a CPU, and so in the model.
  const Measured& measured = kSteps[1];
  const io::Document document = test::open_graph(test::kData / "graphs" / measured.file);
  const FunctionLibrary library;
  const Bytes cpu = peak(document, library, measured, {AsRun::kModelled, Executor::kCpu});
  const Bytes gpu = peak(document, library, measured, {AsRun::kModelled, Executor::kGpu});
  CHECK(error(cpu, gpu) > 0.1);
}

TEST_CASE("a step with loops needs what TensorFlow needed in all of their rounds") {
  Measured lstm{"lstm.meta", kAdam, 128, 20'940'938, 20'809'866, 0};
  const io::Document document = test::open_graph(test::kSource / "assets/samples" / lstm.file);
  const FunctionLibrary library;
  const auto off = [&](Executor executor, Bytes wanted) {
    return error(peak(document, library, lstm, {AsRun::kModelled, executor}), wanted);
  };
  CHECK(off(Executor::kGpu, lstm.gpu_order) < -0.1);  // the rounds are fed, so one is counted
  lstm.rounds = {{"rnn/while", 10}};
  CHECK(std::abs(off(Executor::kGpu, lstm.gpu_order)) < 0.01);
  // Its order differs from process to process.
  CHECK(std::abs(off(Executor::kCpu, lstm.cpu_order)) < 0.06);
}

}  // namespace tideline
