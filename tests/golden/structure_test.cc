// What the names under the gradient scopes say, against what is decided without names; and the same
// after every op was renamed to a number.
#include "core/analysis/structure/structure.h"

#include <algorithm>

#include "core/analysis/structure/applied_variables.h"
#include "core/analysis/variables.h"
#include "tests/golden/oracles.h"
#include "tests/support/gradient_owners.h"
#include "tests/support/renamed_graph.h"

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
    if (tail.starts_with('_')) {
      tail.remove_prefix(std::min(tail.find_first_not_of("_0123456789"), tail.size()));
    }
    if (tail.starts_with('/')) return graph.find(rest.substr(0, found));
  }
  return {};
}

// Calls `check(file name, document)` for every graph.
template <typename Check>
void for_each_graph(const Check& check) {
  for (const auto& path : test::graph_files()) {
    INFO(path.filename());
    check(path.filename().string(), test::open_graph(path));
  }
}

Structure structure_of(const io::Document& document) {
  auto structure = find_structure(document.graph);
  INFO((structure ? "" : structure.error().message));
  REQUIRE(structure);
  return *std::move(structure);
}

}  // namespace

TEST_CASE("phases agree with the names under the gradient scopes") {
  int ops_with_scope = 0;
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    const Graph& graph = document.graph;
    const Structure structure = structure_of(document);
    std::vector<std::string> wrong;
    int named = 0;
    for (const OpId op : graph.ops()) {
      const bool truth = under_gradients(graph.name(op));
      named += truth ? 1 : 0;
      if (truth == (structure.phases.of(op) == Phase::kBackward)) continue;
      wrong.push_back(fmt::format("{} {}", phase_name(structure.phases.of(op)), graph.name(op)));
    }
    ops_with_scope += named;
    if (named > 0) CHECK(wrong == std::vector<std::string>());
  });
  CHECK(ops_with_scope == 15835);
}

TEST_CASE("a backward pass of a gradient tape is found, its seed and zeros included") {
  const io::Document document = test::open_graph(test::graph_file("tf2_train_step.pb"));
  const Structure structure = structure_of(document);
  std::vector<std::string> outside;
  for (const OpId op : document.graph.ops()) {
    const std::string_view name = document.graph.name(op);
    const bool backward = structure.phases.of(op) == Phase::kBackward;
    if (name.starts_with("gradient_tape/")) {
      INFO(name);
      CHECK(backward);
    } else if (backward) {
      outside.emplace_back(name);
    }
    if (name.starts_with("Adam/")) CHECK(structure.phases.of(op) == Phase::kUpdate);
  }
  CHECK(outside ==
        std::vector<std::string>{"ones", "zeros", "zeros_1", "zeros_2", "zeros_3", "zeros_like"});
}

TEST_CASE("the owners of gradients agree with the names for nineteen ops of twenty") {
  int named = 0, wrong = 0;
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    const Graph& graph = document.graph;
    const std::vector<OpId> owners = test::gradient_owners(graph);
    for (const OpId op : graph.ops()) {
      const OpId truth = named_forward_op(graph, graph.name(op));
      if (!truth.valid()) continue;
      ++named;
      if (owners[op.index()] != truth) ++wrong;
    }
    // With every op called by a number they are the same.
    CHECK(test::gradient_owners(test::renamed_graph(document).graph) == owners);
  });
  CHECK(named == 14250);
  CHECK(wrong == 538);
}

TEST_CASE("structure is the same after every op was renamed to a number") {
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    const io::Document renamed = test::renamed_graph(document);
    const Structure before = structure_of(document);
    const Structure after = structure_of(renamed);
    CHECK(before.phases.of_op == after.phases.of_op);
    CHECK(before.phases.updates == after.phases.updates);
    CHECK(before.flow.seeds == after.flow.seeds);
    CHECK(before.loops.frame_of == after.loops.frame_of);
    REQUIRE(before.loops.frames.size() == after.loops.frames.size());
    for (std::size_t i = 0; i < before.loops.frames.size(); ++i) {
      CHECK(before.loops.frames[i].forward == after.loops.frames[i].forward);
      CHECK(before.loops.frames[i].condition == after.loops.frames[i].condition);
    }
    REQUIRE(before.conditionals.size() == after.conditionals.size());
    for (std::size_t i = 0; i < before.conditionals.size(); ++i) {
      CHECK(before.conditionals[i].predicate == after.conditionals[i].predicate);
      CHECK(before.conditionals[i].branches == after.conditionals[i].branches);
      CHECK(before.conditionals[i].merges == after.conditionals[i].merges);
    }
    REQUIRE(before.variables.size() == after.variables.size());
    for (std::size_t i = 0; i < before.variables.size(); ++i) {
      CHECK(before.variables[i].role == after.variables[i].role);
      CHECK(before.variables[i].slots == after.variables[i].slots);
      CHECK(before.variables[i].updates == after.variables[i].updates);
    }
  });
}

TEST_CASE("the order of the file decides the phase only of ops that nobody reads") {
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    const io::Document reversed = test::renamed_graph(document, test::Order::kReversed);
    const Graph& graph = document.graph;
    const Structure before = structure_of(document);
    const Structure after = structure_of(reversed);
    // Whether anything that an op leads to, or waits for it, belongs to the same pass for certain.
    std::vector<std::string> different;
    const Consumers consumers(graph);
    for (const OpId op : graph.ops()) {
      const OpId other{graph.op_count() - 1 - op.value};
      if (before.phases.of(op) == after.phases.of(other)) continue;
      std::vector<OpId> seen = {op};
      bool leads_on = false;
      for (std::size_t i = 0; i < seen.size() && seen.size() < 50; ++i) {
        for (const Use use : consumers.data(seen[i])) {
          seen.push_back(use.consumer);
          const OpId there{graph.op_count() - 1 - use.consumer.value};
          leads_on = leads_on || before.phases.of(use.consumer) == after.phases.of(there);
        }
      }
      if (leads_on) {
        different.push_back(fmt::format("{} {} {}", graph.name(op),
                                        phase_name(before.phases.of(op)),
                                        phase_name(after.phases.of(other))));
      }
    }
    CHECK(different == std::vector<std::string>());
  });
}

TEST_CASE("the roles of variables agree with the collection of trainable variables") {
  int compared = 0;
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    if (!document.collections.has_variables("trainable_variables")) return;
    const Structure structure = structure_of(document);
    const auto named = find_variables(GraphFacts(document.graph), document.collections);
    REQUIRE(named);
    if (structure.phases.updates.empty()) return;
    std::vector<OpId> found;
    for (const VariableUse& use : structure.variables) {
      if (use.role == VariableRole::kTrainable) found.push_back(use.variable);
    }
    CHECK(found == named->trainable);
    ++compared;
  });
  CHECK(compared == 14);
}

TEST_CASE("trainable variables that optimizer ops tell are those of the roles") {
  int told = 0;
  for_each_graph([&](const std::string& /*file*/, const io::Document& document) {
    const GraphFacts facts(document.graph);
    const auto applied = find_applied_variables(facts);
    if (!applied) return;
    std::vector<OpId> found;
    for (const VariableUse& use : facts.variables()) {
      if (use.role == VariableRole::kTrainable) found.push_back(use.variable);
    }
    CHECK(found == *applied);
    ++told;
  });
  CHECK(told >= 5);
}

TEST_CASE("broken graphs have a structure or an error, never more") {
  int readable = 0;
  for (const auto& [path, fact] : test::malformed_graphs()) {
    Progress silent;
    const auto document = io::read_document(path.string(), silent, {io::Cycles::kRefuse, {}});
    if (!document) continue;
    INFO(path.filename());
    const auto structure = find_structure(document->graph);
    if (structure) CHECK(structure->phases.of_op.size() == document->graph.op_count());
    ++readable;
  }
  CHECK(readable == 4);
}

}  // namespace tideline
