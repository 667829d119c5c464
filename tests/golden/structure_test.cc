// What the names under the gradient scopes say, against what is decided without names.
#include <algorithm>
#include <catch2/catch.hpp>

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
          wrong.push_back(std::string(phase_name(phases.of(op))) + " " + std::string(graph.name(op)));
        }
      }
      if (wrong.size() > 10) wrong.resize(10);
      if (named > 0) CHECK(wrong == std::vector<std::string>());
    }
  }
}

}  // namespace tideline
