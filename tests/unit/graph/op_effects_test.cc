#include "core/graph/op_effects.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Effects = std::vector<OpEffect>;

Effects effects_of(const std::string& line) {
  const io::Document document = test::read_graph("a = Placeholder()\n" + line + "\n");
  return op_effects(document.graph, test::op(document, "op"));
}

TEST_CASE("op types that touch files, network or code say so", "[graph][effects]") {
  CHECK(effects_of("op = WriteFile(a, a)") == Effects{OpEffect::kWriteFiles});
  CHECK(effects_of("op = ReadFile(a)") == Effects{OpEffect::kReadFiles});
  CHECK(effects_of("op = TFRecordDataset(a, a, a)") == Effects{OpEffect::kReadFiles});
  CHECK(effects_of("op = PyFunc(a)") == Effects{OpEffect::kCode});
  CHECK(effects_of("op = Rpc(a, a, a)") == Effects{OpEffect::kNetwork});
  CHECK(effects_of("op = SnapshotDatasetV2(a, a)") ==
        Effects{OpEffect::kReadFiles, OpEffect::kWriteFiles});
  CHECK(effects_of("op = MatMul(a, a)").empty());
}

TEST_CASE("an attribute can rule an effect out", "[graph][effects]") {
  CHECK(effects_of("op = PrintV2(a)").empty());
  CHECK(effects_of("op = PrintV2(a) +output_stream='stderr'").empty());
  CHECK(effects_of("op = PrintV2(a) +output_stream='file:///x'") == Effects{OpEffect::kWriteFiles});
  CHECK(effects_of("op = PrintV2(a) +output_stream=3") == Effects{OpEffect::kWriteFiles});
  CHECK(effects_of("op = FixedUnigramCandidateSampler(a) +vocab_file=''").empty());
  CHECK(effects_of("op = FixedUnigramCandidateSampler(a) +vocab_file='v'") ==
        Effects{OpEffect::kReadFiles});
}

TEST_CASE("what a type that nobody knows does is not known", "[graph][effects]") {
  CHECK(effects_of("op = Mystery(a)") == Effects{OpEffect::kUnknown});
}

}  // namespace
}  // namespace tideline
