// Real traced steps beside the faithful model. The figures were understood before they were written
// down: what the model lacks is in mnist_deep one output of a fused MaxPool (its workspace, 313600
// bytes: 50 x 14 x 14 x 32, one each), in lstm the 48 bytes that each TensorArray keeps for itself.
#include "core/events/logged_trace.h"
#include "core/events/open_graph.h"
#include "core/io/functions.h"
#include "core/memory/measured/measured_run.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

const std::filesystem::path kLogs = test::kData / "logs";

struct Logged {
  io::Document document;
  MeasuredRun run;
};

// The traced step of `log` in `trace` (a file beside it, or a tag), compared.
Logged compared(const std::string& log, const std::string& file, const std::string& tag = "") {
  Progress silent;
  Logged logged;
  const std::string folder = (kLogs / log).string();
  auto document = events::open_graph({folder, "", "", ""}, silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  logged.document = *std::move(document);
  Diagnostics diagnostics;
  auto opened = events::open_trace({file.empty() ? folder : (kLogs / log / file).string(), "", tag},
                                   diagnostics, silent);
  REQUIRE(opened);
  const Graph& graph = logged.document.graph;
  auto run = measure_run(graph, std::move(opened->trace), std::move(diagnostics));
  REQUIRE(run);
  logged.run = *std::move(run);
  const FunctionLibrary library = io::read_functions(logged.document, diagnostics);
  const auto tensors = TensorTable::build(
      graph, {.model = SizeModel::kFaithful, .functions = &library, .measured = &logged.run.sizes});
  REQUIRE(tensors);
  const auto step =
      build_step_graph(graph, *tensors, logged.document.collections, {{}, {}, &library});
  REQUIRE(step);
  compare(graph, *step, &library, complete_levels(graph), logged.run);
  return logged;
}

Bytes sum_of(const std::vector<MemoryDifference>& differences) {
  Bytes sum = 0;
  for (const MemoryDifference& entry : differences) sum += entry.model - entry.measured;
  return sum;
}

}  // namespace

TEST_CASE("the model stays near the traced steps of mnist_deep and lstm, and says why not nearer") {
  struct Wanted {
    const char* log;
    const char* file;
    const char* tag;
    std::size_t executions;
    Bytes peak;
    Bytes model;
    const char* first_difference;
    Bytes own_order;
  };
  const std::vector<Wanted> wanted = {
      {"tf1_mnist_deep", "mnist_deep.runmeta.pb", "", 160, 25'911'880, 25'598'304, "pool1/MaxPool",
       23'089'228},
      {"tf1_mnist_deep", "", "step012", 160, 25'912'024, 25'598'448, "pool1/MaxPool", 23'089'228},
      {"tf1_lstm", "lstm.runmeta.pb", "", 2179, 3'486'892, 3'486'796, "rnn/TensorArray_1",
       2'604'469},
      {"tf1_mlp", "mlp.runmeta.pb", "", 95, 29'888, 29'888, "", 22'812},
  };
  for (const Wanted& want : wanted) {
    const Logged logged = compared(want.log, want.file, want.tag);
    const MeasuredRun& run = logged.run;
    INFO(want.log << ' ' << want.file << want.tag);
    CHECK(run.step().executions.size() == want.executions);
    CHECK(run.step().peak == want.peak);
    CHECK(run.comparison().model_at_peak == want.model);
    CHECK(deviation(run.comparison().model_at_peak, run.step().peak) < 0.05);
    CHECK(run.comparison().own_order_peak == want.own_order);
    std::string first;
    if (!run.comparison().at_peak.empty()) {
      first = run.trace.ops[run.step().executions[run.comparison().at_peak[0].execution].row].name;
    }
    CHECK(first == want.first_difference);
    CHECK(sum_of(run.comparison().at_peak) == run.comparison().model_at_peak - run.step().peak);
  }
}

TEST_CASE("the constant offset of the allocator's own figure plays no part in the curve") {
  const Logged logged = compared("tf1_mnist_deep", "mnist_deep.runmeta.pb");
  const auto& curve = logged.run.step().curve;
  REQUIRE(!curve.empty());
  CHECK(curve.front().bytes <= 64);
  CHECK(curve.back().bytes == 28);  // the loss, and the text of the summary: they are fetched
}

TEST_CASE("every tensor of a traced loop has a size") {
  const Logged logged = compared("tf1_lstm", "lstm.runmeta.pb");
  const auto tensors = TensorTable::build(logged.document.graph, {.measured = &logged.run.sizes});
  REQUIRE(tensors);
  const Graph& graph = logged.document.graph;
  for (const OpId op : graph.ops()) {
    if (graph.name(op).find("while/") == std::string_view::npos) continue;
    for (std::uint32_t slot = 0; slot < tensors->output_count(op); ++slot) {
      INFO(graph.tensor_name({op, slot}));
      CHECK(!tensors->is_unknown({op, slot}));
    }
  }
}

}  // namespace tideline
