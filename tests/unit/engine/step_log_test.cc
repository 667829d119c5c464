#include "app/engine/step_log.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "core/events/record_writer.h"
#include "core/events/row_reader.h"
#include "core/events/run_metadata.h"
#include "tests/support/graph_text.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

const std::string kGraph = std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

ReadGraphPtr sample() {
  Progress silent;
  auto source = read_graph({.path = kGraph}, silent);
  REQUIRE(source);
  return *source;
}

// Names of the ops with times in the run metadata of a log.
std::set<std::string> ops_with_times(const std::vector<std::string>& events, const Graph& graph) {
  Progress silent;
  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder.file("tfevents"), std::ios::binary);
    for (const std::string& event : events) file << events::framed(event);
  }
  const auto log = test::read_event_log(folder.file("tfevents"), events::AtDamage::kStop, silent);
  REQUIRE(log);
  std::set<std::string> names;
  for (const events::Series& series : log->series()) {
    if (series.kind != events::SeriesKind::kRunMetadata) continue;
    Diagnostics diagnostics;
    const auto trace = events::read_run_metadata(
        own_bytes(events::RowReader(*log).read(series.rows.at(0)).value()), diagnostics);
    REQUIRE(trace);
    for (const auto& op : trace->ops) names.insert(std::string(op.name));
  }
  for (const std::string& name : names) CHECK(graph.find(name).valid());
  return names;
}

}  // namespace

TEST_CASE("the log of a step has its memory, its times and its parameters") {
  const ReadGraphPtr source = sample();
  StepLogOptions options;
  options.request.batch_size = 1000;
  options.profile = *built_in_profile("pcie3");
  options.parameters = {{"rewriter", std::string("lms2")}, {"swapin-ahead", 3.0}};
  Progress silent;
  auto logs = step_logs(source, source->document.graph, options, silent);
  REQUIRE(logs);
  CHECK(logs->notes.empty());
  const auto again = step_logs(source, source->document.graph, options, silent);
  REQUIRE(again);
  CHECK(again->runs.rewritten == logs->runs.rewritten);  // the same bytes
  add_pictures({}, *logs);
  CHECK(logs->notes.size() == 1);  // none can be drawn here
  add_pictures([](int, int, float, render::ThemeKind, const auto&) { return "a picture"; }, *logs);
  CHECK(logs->runs.original.back().find("a picture") != std::string::npos);
  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder.file("tfevents"), std::ios::binary);
    for (const std::string& event : logs->runs.rewritten) file << events::framed(event);
  }
  const auto log = test::read_event_log(folder.file("tfevents"), events::AtDamage::kStop, silent);
  REQUIRE(log);
  CHECK(log->diagnostics().entries().empty());
  double peak = 0;
  double most = 0;
  std::size_t levels = 0;
  std::vector<std::string> kinds;
  for (const events::Series& series : log->series()) {
    kinds.emplace_back(events::kind_name(series.kind));
    if (series.tag == "step/device_peak_bytes") peak = series.points.at(0).value;
    if (series.tag == "step/levels") levels = static_cast<std::size_t>(series.points.at(0).value);
    if (series.tag == "memory_by_level/device_bytes") {
      for (const events::ScalarPoint& point : series.points) most = std::max(most, point.value);
      CHECK(series.points.size() > 50);
      CHECK(series.restarts.empty());
    }
  }
  CHECK(peak > 0);
  CHECK(peak == most);
  CHECK(levels > 80);
  for (const char* kind : {"scalar", "histogram", "text", "hparams", "run_metadata", "image"}) {
    CHECK(std::count(kinds.begin(), kinds.end(), kind) > 0);
  }
  const auto traced = std::find_if(
      log->series().begin(), log->series().end(),
      [](const events::Series& series) { return series.kind == events::SeriesKind::kRunMetadata; });
  const events::ValueRow& row = traced->rows.at(0);
  Diagnostics diagnostics;
  const auto trace =
      events::read_run_metadata(own_bytes(events::RowReader(*log).read(row).value()), diagnostics);
  REQUIRE(trace);
  CHECK(diagnostics.entries().empty());
  CHECK(trace->ops.size() > 100);
}

TEST_CASE(
    "ops that Grappler folds are not in the step of the log, so that TensorBoard greys them") {
  const ReadGraphPtr source =
      std::make_shared<const ReadGraph>(events::GraphChoice{.path = "g"}, test::read_graph(R"(
    x = Placeholder() f32[64,256]
    one = Const() i32[] +value=i32[]{1}
    known = Sub(one, one) i32[] +T=i32
    t = Tanh(x) f32[64,256] +T=f32
    same = Tanh(x) f32[64,256] +T=f32
    copy = Identity(t) f32[64,256] +T=f32
    unread = Exp(t) f32[64,256] +T=f32
    mul = Mul(copy, same, ^unread) f32[64,256] +T=f32
    loss = Sum(mul, known) f32[] +T=f32 +Tidx=i32
  )"));
  StepLogOptions options;
  options.profile = *built_in_profile("pcie3");
  options.request.fetches = {"loss"};
  Progress silent;
  const auto ran = [&](RunModel run) {
    options.request.run = run;
    const auto logs = step_logs(source, source->document.graph, options, silent);
    REQUIRE(logs);
    CHECK(logs->notes.empty());
    return ops_with_times(logs->runs.original, source->document.graph);
  };
  const std::set<std::string> all = {"x",    "one",    "known", "t",   "same",
                                     "copy", "unread", "mul",   "loss"};
  CHECK(ran(kAsInFile) == all);
  // A constant runs, also where the file has an op that computes it.
  CHECK(ran({}) == std::set<std::string>{"x", "known", "t", "mul", "loss"});
}

TEST_CASE("a step that cannot be simulated leaves the graph alone in its log") {
  StepLogOptions options;
  options.request.fetches = {"no such op"};
  Progress silent;
  const ReadGraphPtr source = sample();
  const auto logs = step_logs(source, source->document.graph, options, silent);
  REQUIRE(logs);
  CHECK(logs->runs.original.empty());
  CHECK(logs->notes.at(0).starts_with("the log's run original has the graph alone: "));
}

TEST_CASE("a picture that fails is a note, and the rest of the log stays") {
  Progress silent;
  const ReadGraphPtr source = sample();
  StepLogOptions options;
  options.profile = *built_in_profile("pcie3");
  auto logs = step_logs(source, source->document.graph, options, silent);
  REQUIRE(logs);
  const std::size_t events = logs->runs.original.size();
  add_pictures([](int, int, float, render::ThemeKind,
                  const auto&) { return fail(Code::kUnsupported, "no screen"); },
               *logs);
  CHECK(logs->notes == std::vector<std::string>{"the log has no picture of the memory: no screen"});
  CHECK(logs->runs.original.size() == events);
}

TEST_CASE("the parameters of a policy are named as on the command line") {
  Policy policy;
  CHECK(hparams_of(policy).size() == 1);
  policy.rewriter = "lms2";
  const auto hparams = hparams_of(policy);
  CHECK(hparams.at(0).name == "rewriter");
  CHECK(std::any_of(hparams.begin(), hparams.end(),
                    [](const events::Hparam& hparam) { return hparam.name == "swapin-ahead"; }));
}

}  // namespace tideline::app
