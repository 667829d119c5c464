// What the names under the gradient scopes say, against what is decided without names.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/analysis/structure/gradient_pairs.h"
#include "core/analysis/structure/phases.h"
#include "core/io/document.h"
#include "tests/golden/data_folders.h"

namespace tideline {
namespace {

bool is_scope_of_gradients(std::string_view part) {
  constexpr std::string_view kScope = "gradients";
  if (!part.starts_with(kScope)) return false;
  part.remove_prefix(kScope.size());
  return part.empty() || part.front() == '_';
}

bool under_gradients(std::string_view name) {
  while (true) {
    const std::size_t slash = name.find('/');
    if (is_scope_of_gradients(name.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    name.remove_prefix(slash + 1);
  }
}

// The forward op that a name under a gradient scope speaks of: SCOPE/gradients/FORWARD_grad/...
OpId named_forward_op(const Graph& graph, std::string_view name) {
  std::size_t at = 0;
  while (!is_scope_of_gradients(name.substr(at, name.find('/', at) - at))) {
    at = name.find('/', at) + 1;
    if (at == 0) return {};
  }
  at = name.find('/', at);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = name.substr(at + 1);
  for (std::size_t found = rest.find("_grad"); found != std::string_view::npos;
       found = rest.find("_grad", found + 1)) {
    std::string_view tail = rest.substr(found + 5);
    if (tail.starts_with('_'))
      tail.remove_prefix(std::min(tail.find_first_not_of("_0123456789"), tail.size()));
    if (tail.starts_with('/')) return graph.find(rest.substr(0, found));
  }
  return {};
}

}  // namespace

TEST_CASE("phases agree with the names under the gradient scopes") {
  for (const auto& folder : test::folders("graphs", "graphs")) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const std::string extension = file.path().extension().string();
      if (extension != ".pb" && extension != ".pbtxt" && extension != ".meta") continue;
      Progress silent;
      const auto document = io::read_document(file.path().string(), silent);
      REQUIRE(document);
      const Graph& graph = document->graph;
      const OpFactsTable facts = OpFactsTable::for_graph(graph);
      const Consumers consumers(graph);
      const StackLinks stacks(graph, facts);
      const GradientFlow flow = find_gradient_flow(graph, facts, stacks);
      const Phases phases = find_phases(graph, consumers, facts, stacks, flow);
      INFO(file.path().filename());
      std::vector<std::string> wrong;
      int named = 0;
      for (const OpId op : graph.ops()) {
        if (graph.name(op).starts_with("gradient_tape")) continue;
        const bool truth = under_gradients(graph.name(op));
        named += truth;
        if (truth != (phases.of(op) == Phase::kBackward)) {
          wrong.push_back(std::string(phase_name(phases.of(op))) + " " +
                          std::string(graph.name(op)));
        }
      }
      if (wrong.size() > 10) wrong.resize(10);
      if (named > 0) CHECK(wrong == std::vector<std::string>());
    }
  }
}

TEST_CASE("gradient pairs agree with the names under the gradient scopes") {
  for (const auto& folder : test::folders("graphs", "graphs")) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const std::string extension = file.path().extension().string();
      if (extension != ".pb" && extension != ".pbtxt" && extension != ".meta") continue;
      Progress silent;
      const auto document = io::read_document(file.path().string(), silent);
      REQUIRE(document);
      const Graph& graph = document->graph;
      const OpFactsTable facts = OpFactsTable::for_graph(graph);
      const Consumers consumers(graph);
      const StackLinks stacks(graph, facts);
      const GradientFlow flow = find_gradient_flow(graph, facts, stacks);
      const Phases phases = find_phases(graph, consumers, facts, stacks, flow);
      const auto pairs = find_gradient_pairs(graph, consumers, facts, stacks, flow, phases);
      INFO(file.path().filename());
      std::vector<std::string> wrong;
      int named = 0;
      for (const OpId op : graph.ops()) {
        const OpId truth = named_forward_op(graph, graph.name(op));
        if (!truth.valid()) continue;
        ++named;
        const OpId found = pairs[op.index()];
        if (found == truth) continue;
        wrong.push_back(fmt::format("{} {} -> {}", graph.type(op), graph.name(op),
                                    found.valid() ? graph.name(found) : "none"));
      }
      // A loop's b_sync waits for the pops of many ops; zeros that enter a backward loop could
      // stand for either of two outputs that nobody reads.
      std::size_t allowed = 0;
      if (file.path().filename() == "while_nested.meta") allowed = 1;
      if (file.path().filename() == "lstm.meta") allowed = 2;
      INFO(named << " named, wrong: " << fmt::format("{}", fmt::join(wrong, "\n")));
      CHECK(wrong.size() <= allowed);
    }
  }
}

}  // namespace tideline
