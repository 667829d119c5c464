// Sections by level follow from edges and op types: with every op called by a number, the same ops
// are cut at the same tensors.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/rewrite/sections/sections.h"
#include "tests/support/renamed_graph.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

struct Step {
  const char* file;
  const char* train_op;
  const char* loss;
};
constexpr Step kSteps[] = {
    {"tests/data/graphs/mlp.meta", "adam_optimizer/Adam", "loss/Mean"},
    {"tests/data/graphs/mnist_deep.meta", "adam_optimizer/Adam",
     "loss/sparse_softmax_cross_entropy_loss/value"},
    {"tests/data/graphs/resource_vars.meta", "adam_optimizer/Adam", "loss/Mean"},
    {"assets/samples/lstm.meta", "adam_optimizer/Adam", "loss/Mean"},
    {"tests/data/graphs/cond.meta", "momentum_optimizer/Momentum", "loss/Mean"},
    {"tests/data/graphs/embedding_sparse.meta", "adam_optimizer/Adam", "Mean"},
    {"tests/data/graphs/bn_is_training.meta", "momentum_optimizer/Momentum", "loss/Mean"},
    {"tests/data/graphs/resnet50.meta", "momentum_optimizer/Momentum", "loss/Mean"},
    {"tests/data/graphs/transformer.meta", "adam_optimizer/Adam", "loss/add"},
    {"tests/data/graphs/unet3d.meta", "adam_optimizer/Adam", "loss/sub"},
    {"tests/data/sections/plain_mlp3_adam.meta", "Adam", "graph_section_2/loss"},
    {"tests/data/sections/plain_merge4_novar_adam.meta", "Adam", "graph_section_3/loss"},
};

io::Document read(const std::string& file) {
  Progress silent;
  const std::string path = (test::kSource / file).string();
  const auto bytes = open_bytes(path);
  REQUIRE(bytes);
  auto document = io::read_document(path, *bytes, silent);
  REQUIRE(document);
  return *std::move(document);
}

// What a plan decided, by ids, or why there is none.
struct Decided {
  std::vector<std::vector<TensorId>> tensors;
  std::vector<std::vector<OpId>> targets;
  std::size_t added = 0;
  Code refused = Code::kInternal;
  bool operator==(const Decided&) const = default;
};

Decided decide(const io::Document& document, OpId train_op, OpId loss, const std::string& borders) {
  SectionsOptions options;
  options.train_op = document.graph.name(train_op);
  options.loss = document.graph.name(loss);
  options.levels = {borders};
  Progress silent;
  const auto plan = plan_sections(GraphFacts(document.graph), document.collections, {}, options,
                                  std::nullopt, silent);
  Decided decided;
  if (!plan) {
    decided.refused = plan.error().code;
    return decided;
  }
  const auto sorted = [](auto ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  decided.added = plan->edit.added.size();
  decided.tensors.push_back(sorted(plan->report.forward_cache));
  for (const SectionPhase& phase : plan->report.phases) {
    std::vector<TensorId> fed;
    std::vector<TensorId> kept;
    for (const auto& [placeholder, tensor] : phase.feeds) fed.push_back(tensor);
    for (const auto& [fetched, tensor] : phase.cache) kept.push_back(tensor);
    decided.tensors.push_back(sorted(fed));
    decided.tensors.push_back(sorted(kept));
    decided.targets.push_back(sorted(phase.targets));
  }
  return decided;
}

}  // namespace

TEST_CASE("sections by level are the same after every op was renamed to a number") {
  int cut = 0;
  for (const Step& step : kSteps) {
    const io::Document document = read(step.file);
    const io::Document renamed = test::renamed_graph(document);
    const OpId train_op = document.graph.find(step.train_op);
    const OpId loss = document.graph.find(step.loss);
    INFO(step.file);
    REQUIRE(train_op.valid());
    REQUIRE(loss.valid());
    for (const char* border : {"4", "7", "12", "20", "60"}) {
      INFO("border " << border);
      const Decided decided = decide(document, train_op, loss, border);
      if (!decided.tensors.empty()) ++cut;
      CHECK(decide(renamed, train_op, loss, border) == decided);
    }
  }
  CHECK(cut >= 30);
}

}  // namespace tideline
