#include "core/events/logged_graphs.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/temporary_folder.h"
#include "tests/unit/events/made_events.h"

namespace tideline::events {
namespace {

using test::field;
using test::small_graph;

struct Listing {
  std::vector<LoggedGraph> graphs;
  Diagnostics diagnostics;

  explicit Listing(std::string log) {
    Progress silent;
    auto listed = list_graphs({"run", "file"}, own_bytes(std::move(log)), diagnostics, silent);
    REQUIRE(listed);
    graphs = std::move(*listed);
  }
  [[nodiscard]] std::string only_diagnostic() const {
    if (diagnostics.entries().size() != 1) return "not one";
    const Diagnostic& one = diagnostics.entries().front();
    return std::string(severity_name(one.severity)) + ": " + one.kind + ": " + one.example;
  }
};

std::string run_metadata_of_a_function() {
  return field(run_metadata::kPartitionGraph, small_graph("part")) +
         field(run_metadata::kFunctionGraphs,
               field(run_metadata::kFunctionPartition, small_graph("function_part")) +
                   field(run_metadata::kBeforeOptimization, small_graph("before")) +
                   field(run_metadata::kAfterOptimization, small_graph("after")));
}

}  // namespace

TEST_CASE("the graph and the metagraph of a run are listed with their places") {
  const std::string meta = field(1, "") + field(2, small_graph("m"));
  const Listing list(test::log_of(test::event(3, event::kGraphDef, small_graph("g")),
                                  test::event(4, event::kMetaGraphDef, meta)));
  REQUIRE(list.graphs.size() == 2);
  const LoggedGraph& graph = list.graphs[0];
  CHECK(graph.run == "run");
  CHECK(graph.file == "file");
  CHECK(graph.tag == "__run_graph__");
  CHECK(graph.source == GraphSource::kGraphDef);
  CHECK(graph.step == 3);
  CHECK(graph.event == 2);
  CHECK(graph.wall_time == 1.0);
  CHECK(graph.bytes->bytes() == small_graph("g"));
  CHECK(list.graphs[1].source == GraphSource::kMetaGraphDef);
  CHECK(list.graphs[1].bytes->bytes() == meta);
  CHECK(describe(graph) == "run 'run', tag '__run_graph__' (graph_def, 11 B)");
  CHECK(list.diagnostics.entries().empty());
}

TEST_CASE("a graph keeps the bytes of its file alive") {
  SharedBytes bytes;
  {
    const Listing list(test::log_of(test::event(0, event::kGraphDef, small_graph("g"))));
    bytes = list.graphs.at(0).bytes;
  }
  CHECK(bytes->bytes() == small_graph("g"));
}

TEST_CASE("graphs inside run metadata are listed by part") {
  const std::string metadata = run_metadata_of_a_function();
  const auto parts = [](const Listing& list) {
    std::string text;
    for (const LoggedGraph& graph : list.graphs) {
      text +=
          graph.tag + ":" + graph.part + "=" + std::string(graph.bytes->bytes().substr(4, 4)) + " ";
    }
    return text;
  };
  const std::string wanted =
      "t:partition_0=part t:function_0/partition_0=func t:function_0/pre_optimization_graph=befo "
      "t:function_0/post_optimization_graph=afte ";
  SECTION("in an event of their own") {
    CHECK(parts(Listing(test::log_of(
              test::event(0, event::kTaggedRunMetadata, test::tagged("t", metadata))))) == wanted);
  }
  SECTION("in a summary for the graph plugin") {
    for (const char* plugin : {"graph_run_metadata", "graph_run_metadata_graph"}) {
      CHECK(parts(Listing(test::log_of(
                test::event(0, event::kSummary, test::summary("t", plugin, metadata))))) == wanted);
    }
  }
  SECTION("not in a summary for another plugin") {
    CHECK(parts(Listing(test::log_of(
                    test::event(0, event::kSummary, test::summary("t", "text", metadata)))))
              .empty());
  }
  SECTION("at a later step, where the plugin is not said again") {
    const Listing list(test::log_of(
        test::event(0, event::kSummary, test::summary("t", "graph_run_metadata_graph", metadata)),
        test::event(5, event::kSummary, test::summary("t", "", metadata)),
        test::event(5, event::kSummary, test::summary("u", "", metadata))));
    CHECK(parts(list) == wanted + wanted);
    CHECK(list.graphs.back().step == 5);
  }
}

TEST_CASE("run metadata without graphs are no graphs") {
  const Listing list(
      test::log_of(test::event(0, event::kTaggedRunMetadata, test::tagged("t", field(1, "")))));
  CHECK(list.graphs.empty());
  CHECK(list.diagnostics.entries().empty());
}

TEST_CASE("what holds no ops is said, not listed") {
  CHECK(Listing(test::log_of(test::event(0, event::kSummary,
                                         test::summary("keras", "graph_keras_model", "{}"))))
            .only_diagnostic() ==
        "info: layer graph of a Keras model, which has no ops: file: tag 'keras'");
  const Listing empty(test::log_of(test::event(0, event::kGraphDef, ""),
                                   test::event(0, event::kMetaGraphDef, field(1, ""))));
  CHECK(empty.graphs.empty());
  CHECK(empty.diagnostics.entries().at(0).count == 2);
}

TEST_CASE("a log is read up to its damage") {
  std::string log = test::log_of(test::event(0, event::kGraphDef, small_graph("a")),
                                 test::event(0, event::kGraphDef, small_graph("b")));
  log[log.size() - 5] ^= 1;
  const Listing list(log);
  CHECK(list.graphs.size() == 1);
  CHECK(list.only_diagnostic() ==
        "data_loss: damaged event file; the records from there on are lost: file: record 3 at byte "
        "82: the checksum of the data does not match");
  const Listing cut(log.substr(0, log.size() - 3));
  CHECK(cut.graphs.size() == 1);
  CHECK(cut.diagnostics.entries().at(0).severity == Severity::kNotice);
}

TEST_CASE("a record that is not an event is passed over") {
  const Listing list(
      test::log_of(std::string("\xff\xff"), test::event(0, event::kGraphDef, small_graph("a"))));
  CHECK(list.graphs.size() == 1);
  CHECK(list.only_diagnostic() ==
        "data_loss: record that is not an event: file: record 2 at byte 42: byte 0 of the data: "
        "broken "
        "field tag");
}

TEST_CASE("damaged run metadata are said, with the graphs before the damage") {
  const Listing list(test::log_of(test::event(
      0, event::kTaggedRunMetadata,
      test::tagged("t", field(run_metadata::kPartitionGraph, small_graph("a")) + "\x0a"))));
  CHECK(list.graphs.size() == 1);
  CHECK(list.only_diagnostic() ==
        "data_loss: damaged run metadata: file: record at byte 42, tag 't'");
}

TEST_CASE("a small log cannot make an endless list") {
  std::string metadata;
  for (std::size_t i = 0; i < kMaxGraphs + 5; ++i) {
    metadata += field(run_metadata::kPartitionGraph, "x");
  }
  const Listing list(
      test::log_of(test::event(0, event::kTaggedRunMetadata, test::tagged("t", metadata))));
  CHECK(list.graphs.size() == kMaxGraphs);
  CHECK(list.diagnostics.entries().at(0).count == 5);
}

TEST_CASE("a log folder is listed by runs and files") {
  const test::TemporaryFolder folder;
  for (const char* name : {"b/events.tfevents.1", "a/events.tfevents.2", "a/events.tfevents.1"}) {
    std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
    std::ofstream(folder.file(name), std::ios::binary)
        << test::log_of(test::event(0, event::kGraphDef, small_graph(name)));
  }
  Diagnostics diagnostics;
  Progress silent;
  const auto list = list_graphs(folder.file(""), diagnostics, silent);
  REQUIRE(list);
  REQUIRE(list->size() == 3);
  CHECK((*list)[0].file == folder.file("a/events.tfevents.1"));
  CHECK((*list)[1].file == folder.file("a/events.tfevents.2"));
  CHECK((*list)[2].run == "b");
  CHECK((*list)[2].event == 6);  // two records in each file
  // One file of the log by its own name:
  const auto file = list_graphs(folder.file("b/events.tfevents.1"), diagnostics, silent);
  REQUIRE(file);
  REQUIRE(file->size() == 1);
  CHECK(file->front().run == ".");
}

}  // namespace tideline::events
