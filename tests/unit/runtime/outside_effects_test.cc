#include "core/runtime/outside_effects.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

using Names = std::vector<std::string>;

const char* const kModel = R"(
x = Placeholder() +dtype=f32 +shape=[4]
name = Const() +dtype=str
w = VariableV2() +dtype=f32 +shape=[4]
w/Restored = RestoreV2(name, name, name) +dtypes=f32
w/Assign = Assign(w, w/Restored)
read = ReadFile(name)
decoded = DecodeRaw(read) +out_type=f32
y = Mul(x, w)
loss = Mean(y, decoded)
write = WriteFile(name, name)
train = NoOp(^loss)
careless = NoOp(^loss, ^write)
save = SaveV2(name, name, name, w)
calling = StatefulPartitionedCall(x) +f=&missing
train_calling = NoOp(^calling)
)";

Names found_in(std::string_view model, const std::string& train,
               const std::vector<TensorName>& fed = {}, const Names& inits = {}) {
  const io::Document document = test::read_graph(model);
  TrainingRequest request;
  request.train = train;
  request.loss = "loss";
  request.inits = inits;
  Progress progress;
  const auto training = prepare_training(document, request, progress);
  if (!training) FAIL(training.error().message);
  Names names;
  for (const EffectfulOp& op : effectful_ops(document, *training, fed)) names.push_back(op.name);
  return names;
}

Names found(const std::string& train, const std::vector<TensorName>& fed = {},
            const Names& inits = {}) {
  return found_in(kModel, train, fed, inits);
}

TEST_CASE("ops that the step and its initialisers need are found, those of a Saver are not",
          "[runtime][effects]") {
  CHECK(found("train") == Names{"w/Restored", "read"});
  CHECK(found("careless") == Names{"w/Restored", "read", "write"});
}

TEST_CASE("what only a fed tensor needs does not run in a step", "[runtime][effects]") {
  CHECK(found("train", {{"decoded", 0}}) == Names{"w/Restored"});
  CHECK(found("train", {{"decoded", 0}}, {"read"}) == Names{"read"});
}

TEST_CASE("an assignment does not need the value that it is fed, but all else",
          "[runtime][effects]") {
  const Names expected = {"logged", "listed"};
  CHECK(found_in(R"(
    name = Const() +dtype=str
    v = VariableV2() +dtype=f32 +shape=[4]
    v/Initial = RestoreV2(name, name, name) +dtypes=f32
    logged = WriteFile(name, name)
    v/Assign = Assign(v, v/Initial, ^logged)
    w = VariableV2() +dtype=f32 +shape=[4]
    w/Initial = RestoreV2(name, name, name) +dtypes=f32
    listed = MatchingFiles(name)
    w/Assign = Assign(w, w/Initial, ^listed)
    loss = Mul(v, w)
    train = NoOp(^loss)
    init = NoOp()
  )",
                 "train", {}, {"init"}) == expected);
}

TEST_CASE("a function that is missing can do anything", "[runtime][effects]") {
  CHECK(found("train_calling") == Names{"w/Restored", "read", "calling"});
}

TEST_CASE("a message names functions that cannot be judged", "[runtime][effects]") {
  CHECK(effects_text({{"", "", "twin", {OpEffect::kUnknown}}}) ==
        "function 'twin' can do anything (it, or a function that it calls, is not known)");
}

TEST_CASE("a message names ten ops and counts the others", "[runtime][effects]") {
  const EffectfulOp op{"w", "WriteFile", "", {OpEffect::kWriteFiles}};
  CHECK(effects_text({op}) == "op 'w' (WriteFile) can write files");
  const std::string text = effects_text(std::vector<EffectfulOp>(12, op));
  CHECK(text.ends_with("; and 2 more"));
}

}  // namespace
}  // namespace tideline::runtime
