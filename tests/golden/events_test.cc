// Real logs and broken event files: the graphs that are in them, and what is said of the damage.
#include <tuple>

#include "core/events/choose_graph.h"
#include "core/events/record_reader.h"
#include "tests/golden/oracles.h"
#include "tests/support/read_event_log.h"

namespace tideline {
namespace {

std::uint32_t ops_of(const events::LoggedGraph& graph) {
  Progress silent;
  const auto document = io::read_document(graph.file, graph.bytes, silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return document->graph.op_count();
}

}  // namespace

TEST_CASE("the graphs of real logs are found, opened and chosen") {
  struct Wanted {
    const char* folder;
    std::vector<std::tuple<const char*, const char*, std::uint32_t>> graphs;  // run, tag, ops
    std::uint32_t chosen;
  };
  // Ops as TensorFlow's protocol buffers count them.
  const std::vector<Wanted> logs = {
      {"tf1_lstm", {{".", "__run_graph__", 1073}, {".", "__run_meta_graph__", 1073}}, 1073},
      {"tf1_mlp", {{".", "__run_graph__", 246}, {".", "__run_meta_graph__", 246}}, 246},
      {"tf1_mnist_deep", {{".", "__run_graph__", 393}, {".", "__run_meta_graph__", 393}}, 393},
      {"tf2_keras",
       {{"trace", "step_trace", 15},
        {"trace", "step_trace", 15},
        {"trace", "step_trace", 11},
        {"trace", "step_trace", 15}},
       11}};
  for (const Wanted& wanted : logs) {
    INFO(wanted.folder);
    Diagnostics diagnostics;
    Progress silent;
    const auto graphs =
        events::list_graphs((test::kData / "logs" / wanted.folder).string(), diagnostics, silent);
    REQUIRE(graphs);
    REQUIRE(graphs->size() == wanted.graphs.size());
    for (std::size_t i = 0; i < graphs->size(); ++i) {
      const auto& [run, tag, ops] = wanted.graphs[i];
      CHECK((*graphs)[i].run == run);
      CHECK((*graphs)[i].tag == tag);
      CHECK(ops_of((*graphs)[i]) == ops);
    }
    const auto graph = events::choose_graph(*graphs, {}, diagnostics);
    REQUIRE(graph);
    CHECK(ops_of(*graph) == wanted.chosen);
    for (const Diagnostic& diagnostic : diagnostics.entries()) {
      CHECK(diagnostic.severity == Severity::kInfo);
    }
  }
}

TEST_CASE("every malformed event file gives its good records and one diagnostic") {
  const nlohmann::json facts = test::read_json(test::kData / "malformed/facts.json");
  int files = 0;
  for (const auto& [name, fact] : facts.items()) {
    if (name.rfind("events.", 0) != 0) continue;
    INFO(name);
    const std::string path = (test::kData / "malformed" / name).string();
    const auto bytes = open_bytes(path);
    REQUIRE(bytes);
    Diagnostics diagnostics;
    Progress silent;
    REQUIRE(events::list_graphs({".", path}, *bytes, diagnostics, silent));
    CHECK(diagnostics.entries().size() == fact["diagnostics"].get<std::size_t>());
    std::int64_t records = 0;
    events::RecordReader reader((*bytes)->bytes());
    events::Record record;
    while (reader.next(record)) ++records;
    // A record that is framed well and holds no event is read, and refused by the scan.
    const std::int64_t refused = name == "events.bad_proto" ? 1 : 0;
    CHECK(records - refused == fact["records_good"]);
    const auto log = test::read_event_log(path, events::AtDamage::kStop, silent);
    REQUIRE(log);
    CHECK(log->counts().records == fact["records_good"]);
    CHECK(log->counts().refused_records == refused);
    CHECK(log->diagnostics().entries().size() == fact["diagnostics"].get<std::size_t>());
    CHECK(events::is_event_file((*bytes)->bytes()) == (name != "events.empty"));
    ++files;
  }
  CHECK(files == 8);
}

}  // namespace tideline
