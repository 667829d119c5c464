#include "core/graph/op_facts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "core/graph/op_facts_text.h"
#include "core/graph/op_signatures_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

OpFacts facts_of(const char* type) {
  const io::Document document = test::read_graph("a = " + std::string(type) + "()\n");
  OpFacts facts = OpFactsTable::for_graph(document.graph).of(0);
  INFO(type);
  REQUIRE(facts.is_known());
  return facts;
}

std::vector<std::string> types_with_facts() {
  std::vector<std::string> types;
  for_each_op_type([&](std::string_view type, std::string_view) { types.emplace_back(type); });
  return types;
}

std::vector<std::string> types_with_signatures() {
  std::vector<std::string> types;
  for (std::string_view text = kOpSignaturesText; !text.empty();) {
    std::string_view line = take_until(text, '\n');
    for (std::string_view words = take_until(line, '|'); !words.empty();) {
      std::string_view type = take_until(words, ' ');
      types.emplace_back(take_until(type, '!'));
    }
  }
  return types;
}

}  // namespace

TEST_CASE("every entry of the facts table fits the signature of its op type") {
  std::set<std::string> seen;
  std::string graph;
  for (const std::string& type : types_with_facts()) {
    INFO(type);
    CHECK(seen.insert(type).second);
    REQUIRE(builtin_signature(type));
    graph += "a" + type + " = " + type + "()\n";
  }
  CHECK(seen.size() > 1000);
  const io::Document document = test::read_graph(graph);
  // Unknown words and arguments end the program.
  CHECK(OpFactsTable::for_graph(document.graph).unknown_types().empty());
}

TEST_CASE("every op type of the tests' graphs has its entry in the facts table") {
  for (const auto& path : test::graph_files()) {
    INFO(path);
    Progress silent;
    const auto document = io::read_document(path.string(), silent);
    REQUIRE(document);
    const OpFactsTable table = OpFactsTable::for_graph(document->graph);
    std::vector<std::string> unknown;
    for (const std::string_view type : table.unknown_types()) {
      if (!type.starts_with("__inference_")) unknown.emplace_back(type);
    }
    CHECK(unknown == std::vector<std::string>());
  }
}

TEST_CASE("every op type of the tests' function bodies has its entry in the facts table") {
  // The bodies are searched for the encoded field `op` of each type that has a signature.
  const auto known = types_with_facts();
  const std::set<std::string> with(known.begin(), known.end());
  std::vector<std::string> without;
  for (const std::string& type : types_with_signatures()) {
    if (type.size() > 2 && !with.contains(type)) without.push_back(type);
  }
  CHECK(without.size() > 100);
  const auto saved_models = test::kData / "saved_models";
  for (const auto& path :
       {test::graph_file("tf2_controlflow.pb"), saved_models / "keras/saved_model.pb",
        saved_models / "train_step/saved_model.pb"}) {
    const std::string bytes = test::content_of(path);
    for (const std::string& type : without) {
      const std::string field = std::string("\x12") + static_cast<char>(type.size()) + type;
      INFO(path << ": " << type);
      CHECK(bytes.find(field) == std::string::npos);
    }
  }
}

TEST_CASE("every gradient and every optimizer op type of the signatures has an entry") {
  for (const char* type : {"ReluGrad", "BlockLSTMGradV2", "CudnnRNNBackpropV3", "ApplyAdam",
                           "ResourceApplyAdamWithAmsgrad", "_MklConv2DBackpropFilterWithBias"}) {
    const OpFacts facts = facts_of(type);
    CHECK_FALSE(facts.gradients.empty());
    CHECK((facts.kind == OpKind::kGradient || facts.kind == OpKind::kUpdate));
  }
}

TEST_CASE("a gradient op says which inputs are gradients and which were kept") {
  const OpFacts filter = facts_of("Conv2DBackpropFilter");
  CHECK(filter.gradient_of == std::vector<std::string>{"Conv2D"});
  CHECK(filter.gradients == Arguments{2});
  CHECK(filter.kept_inputs == Arguments{0});
  CHECK(filter.host_inputs == Arguments{1});
  const OpFacts pool = facts_of("MaxPoolGrad");
  CHECK(pool.kept_inputs == Arguments{0});
  CHECK(pool.kept_outputs == Arguments{1});
  const OpFacts relu = facts_of("ReluGrad");
  CHECK(relu.kept_inputs == relu.kept_outputs);  // either, the sign is the same
  CHECK(facts_of("FusedBatchNormV3").for_gradient == Arguments{3, 4, 5});
}

TEST_CASE("an update op says which inputs are variable, slots, shared scalars and gradient") {
  const OpFacts adam = facts_of("ApplyAdam");
  CHECK(adam.variable == std::uint8_t{0});
  CHECK(adam.slots == Arguments{1, 2});
  CHECK(adam.shared == Arguments{3, 4});
  CHECK(adam.gradients == Arguments{9});
  CHECK(adam.reference_inputs == Arguments{0, 1, 2});
  const OpFacts resource = facts_of("ResourceSparseApplyAdagradV2");
  CHECK(resource.resource_inputs == Arguments{0, 1});
  CHECK(resource.indices == std::uint8_t{5});
  CHECK(resource.is_stateful);
}

TEST_CASE("aliases are promised where the kernel hands its input on, in place where it may") {
  CHECK(facts_of("Reshape").aliases == std::vector<BufferLink>{{0, 0}});
  CHECK(facts_of("Add").in_place == std::vector<BufferLink>{{0, 0}, {0, 1}});
  CHECK(facts_of("Add").aliases.empty());
  CHECK(facts_of("Switch").aliases == std::vector<BufferLink>{{0, 0}, {1, 0}});
  CHECK(facts_of("Less").in_place.empty());  // another element type
  CHECK(facts_of("Shape").metadata_inputs == Arguments{0});
  CHECK(facts_of("Shape").host_outputs == Arguments{0});
}

TEST_CASE("an op type without facts is reported and does no harm") {
  const io::Document document = test::read_graph("a = Mystery()\n b = Relu(a)\n");
  const OpFactsTable table = OpFactsTable::for_graph(document.graph);
  CHECK(table.unknown_types() == std::vector<std::string_view>{"Mystery"});
  CHECK_FALSE(table.of(document.graph.type_id(OpId{0})).is_known());
  CHECK(table.of(document.graph.type_id(OpId{1})).is_cheap);
  Diagnostics diagnostics;
  table.add_unknown_types(diagnostics);
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].example == "Mystery");
}

TEST_CASE("a type that names a function counts as a call") {
  const io::Document document = test::read_graph("a = my_function()\n");
  FunctionLibrary functions;
  functions.functions["my_function"] = {};
  const OpFactsTable table = OpFactsTable::for_graph(document.graph, &functions);
  CHECK(table.of(0).kind == OpKind::kCall);
  CHECK(table.unknown_types().empty());
}

TEST_CASE("slots of an argument are found behind lists of one length") {
  const io::Document document = test::read_graph(R"(
    a = Placeholder()
    c = ConcatV2(a, a, a, a)
    d = DynamicStitch(a, a, a, a)
    r = Relu(a)
    bad = Relu(a, a)
  )");
  const auto slots = [&](const char* op, std::uint8_t argument) {
    const auto range = argument_slots(document.graph, test::op(document, op), argument);
    return range ? std::pair(range->first, range->count) : std::pair(99U, 0U);
  };
  CHECK(slots("c", 0) == std::pair(0U, 3U));
  CHECK(slots("c", 1) == std::pair(3U, 1U));
  CHECK(slots("d", 1) == std::pair(2U, 2U));
  CHECK(slots("r", 0) == std::pair(0U, 1U));
  CHECK(slots("r", 1) == std::pair(99U, 0U));
  CHECK(slots("bad", 0) == std::pair(99U, 0U));
}

}  // namespace tideline
