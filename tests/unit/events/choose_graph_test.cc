#include "core/events/choose_graph.h"

#include <catch2/catch.hpp>

namespace tideline::events {
namespace {

LoggedGraph graph(const std::string& run, const std::string& tag, GraphSource source,
                  std::int64_t event, const std::string& part = "") {
  return {run, tag, part, source, event, 0, 0.0, "file", own_bytes("x")};
}
LoggedGraph run_graph(const std::string& run, std::int64_t event) {
  return graph(run, kRunGraphTag, GraphSource::kGraphDef, event);
}
LoggedGraph meta_graph(const std::string& run, std::int64_t event) {
  return graph(run, kRunMetaGraphTag, GraphSource::kMetaGraphDef, event);
}
std::vector<LoggedGraph> function(const std::string& tag, std::int64_t event, int number = 0) {
  const std::string name = "function_" + std::to_string(number) + "/";
  return {
      graph(".", tag, GraphSource::kPartition, event, name + "partition_0"),
      graph(".", tag, GraphSource::kBeforeOptimization, event, name + "pre_optimization_graph"),
      graph(".", tag, GraphSource::kAfterOptimization, event, name + "post_optimization_graph")};
}
std::vector<LoggedGraph> operator+(std::vector<LoggedGraph> a, const std::vector<LoggedGraph>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// "record:tag:part" of what is chosen, else the message.
std::string chosen(const std::vector<LoggedGraph>& graphs, const char* run = nullptr,
                   const char* tag = nullptr) {
  GraphWish wish;
  if (run != nullptr) wish.run = *NamePattern::compile(run);
  if (tag != nullptr) wish.tag = *NamePattern::compile(tag);
  Diagnostics diagnostics;
  const auto found = choose_graph(graphs, wish, diagnostics);
  if (!found) return found.error().message;
  return found->run + " " + std::to_string(found->event) + " " + graph_source_name(found->source) +
         (diagnostics.entries().empty() ? "" : " noted");
}

}  // namespace

TEST_CASE("the only graph is chosen without a word") {
  CHECK(chosen({run_graph(".", 2)}) == ". 2 graph_def");
  CHECK(chosen({}) == "no graph in this log");
}

TEST_CASE("of one run the metagraph is preferred, then the last graph") {
  CHECK(chosen({run_graph(".", 2), meta_graph(".", 3)}) == ". 3 meta_graph_def noted");
  CHECK(chosen({run_graph(".", 2), meta_graph(".", 3)}, nullptr, "__run_graph__") ==
        ". 2 graph_def");
  CHECK(chosen({run_graph(".", 2), run_graph(".", 5)}) == ". 5 graph_def noted");
  CHECK(chosen(std::vector<LoggedGraph>{run_graph(".", 2)} + function("trace", 7)) ==
        ". 2 graph_def noted");
}

TEST_CASE("of several runs none is chosen, and all are listed") {
  const std::vector<LoggedGraph> graphs = {run_graph("eval", 2), run_graph("train", 4)};
  CHECK(
      chosen(graphs) ==
      "2 graphs of several runs; choose with {run}: run 'eval', tag '__run_graph__' (graph_def, 1 "
      "B); run 'train', tag '__run_graph__' (graph_def, 1 B)");
  CHECK(chosen(graphs, "^t") == "train 4 graph_def");
  CHECK(chosen(graphs, "test")
            .find("{run} 'test' matches none of the graphs; there are: run 'eval'") == 0);
}

TEST_CASE("a whole name means that run alone, whatever else it matches") {
  const std::vector<LoggedGraph> graphs = {run_graph(".", 2), run_graph("train", 4),
                                           run_graph("train_2", 6)};
  CHECK(chosen(graphs, ".") == ". 2 graph_def");
  CHECK(chosen(graphs, "train") == "train 4 graph_def");
  CHECK(chosen(graphs, "train_") == "train_2 6 graph_def");
}

TEST_CASE("a traced function is its graph before optimization, at its last step") {
  CHECK(chosen(function("trace", 3)) == ". 3 pre_optimization_graph noted");
  CHECK(chosen(function("trace", 3) + function("trace", 8)) == ". 8 pre_optimization_graph noted");
  CHECK(chosen(function("trace", 3), nullptr, "post") == ". 3 post_optimization_graph");
  CHECK(chosen(function("trace", 3), nullptr, "^trace$") == ". 3 pre_optimization_graph noted");
}

TEST_CASE("several tags, functions or partitions are listed") {
  CHECK(chosen(function("a", 3) + function("b", 4)).find("6 graphs; choose with {tag}: ") == 0);
  CHECK(chosen(function("a", 3) + function("b", 4), nullptr, "b") ==
        ". 4 pre_optimization_graph noted");
  CHECK(chosen(function("a", 3, 0) + function("a", 3, 1)).find("6 graphs; choose") == 0);
  CHECK(chosen(function("a", 3, 0) + function("a", 3, 1), nullptr, "a:function_1") ==
        ". 3 pre_optimization_graph noted");
  const std::vector<LoggedGraph> partitions = {
      graph(".", "step", GraphSource::kPartition, 3, "partition_0"),
      graph(".", "step", GraphSource::kPartition, 3, "partition_1")};
  CHECK(chosen(partitions).find("2 graphs; choose with {tag}: ") == 0);
  CHECK(chosen(partitions, nullptr, "step:partition_1") == ". 3 partition_graph");
}

TEST_CASE("long lists are cut") {
  std::vector<LoggedGraph> graphs;
  for (int i = 0; i < 100; ++i) graphs.push_back(run_graph(std::to_string(i), i));
  CHECK(chosen(graphs).find("; and 88 more") != std::string::npos);
}

}  // namespace tideline::events
