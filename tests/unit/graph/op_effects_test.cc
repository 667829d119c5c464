#include "core/graph/op_effects.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/io/document.h"
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

TEST_CASE("a descriptor that is built in or in the graph is no file", "[graph][effects]") {
  for (const std::string type : {"DecodeProtoV2", "EncodeProto"}) {
    INFO(type);
    CHECK(effects_of("op = " + type + "(a)").empty());
    CHECK(effects_of("op = " + type + "(a) +descriptor_source='local://'").empty());
    CHECK(effects_of("op = " + type + "(a) +descriptor_source='bytes://abc'").empty());
    for (const std::string source : {"local://x", "/etc/passwd", "bytes:/x", ""}) {
      INFO(source);
      CHECK(effects_of("op = " + type + "(a) +descriptor_source='" + source + "'") ==
            Effects{OpEffect::kReadFiles});
    }
  }
}

TEST_CASE("a cache without the name of a file is memory", "[graph][effects]") {
  const Effects files = {OpEffect::kReadFiles, OpEffect::kWriteFiles};
  for (const auto& [name, effects] : {std::pair("", Effects()), std::pair("cache", files)}) {
    const std::string text = fmt::format(R"(
      node {{ name: "data" op: "Placeholder" }}
      node {{
        name: "name" op: "Const" attr {{ key: "dtype" value {{ type: DT_STRING }} }}
        attr {{ key: "value" value {{ tensor {{ dtype: DT_STRING tensor_shape {{ }} string_val: "{}" }} }} }}
      }}
      node {{ name: "op" op: "CacheDataset" input: "data" input: "name" }})",
                                         name);
    Progress silent;
    const auto document = io::read_document("g.pbtxt", own_bytes(text), silent);
    REQUIRE(document);
    CHECK(op_effects(document->graph, test::op(*document, "op")) == effects);
  }
  CHECK(effects_of("op = CacheDataset(a, a)") == files);
  CHECK(effects_of("op = CacheDatasetV2(a)") == files);
}

TEST_CASE("what a type that nobody knows does is not known", "[graph][effects]") {
  CHECK(effects_of("op = Mystery(a)") == Effects{OpEffect::kUnknown});
}

}  // namespace
}  // namespace tideline
