#include "core/io/document.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/graph/graph_edit.h"
#include "core/graph/saver_names.h"
#include "core/io/compare_surroundings.h"
#include "core/io/graph_format.h"
#include "core/io/wire.h"
#include "core/io/write_document.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline::io {
namespace {

using namespace std::string_literals;

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

Document read(const std::string& bytes) {
  Progress silent;
  auto document = read_document("g", own_bytes(bytes), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

std::string error_of(const std::string& bytes) {
  Progress silent;
  const auto document = read_document("g", own_bytes(bytes), silent);
  return document ? "" : document.error().message;
}

// What a graph says and how: "metagraph text".
std::string said(const std::string& bytes) {
  const Sniffed found = sniff(bytes);
  REQUIRE(found.kind == FileKind::kGraph);
  return fmt::format("{} {}", format_name(found.message), found.format->word);
}

std::string written(const Document& document, const Graph& graph, OutputFormat format) {
  const test::TemporaryFolder folder;
  Progress silent;
  auto file = OutputFile::create(folder.file("out"), false);
  REQUIRE(file);
  REQUIRE(write_document(document, graph, format, *file, silent));
  REQUIRE(file->commit());
  std::ifstream in(folder.file("out"), std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

constexpr OutputFormat kPb{Format::kGraph, &kBinaryFormat};
constexpr OutputFormat kPbtxt{Format::kGraph, &kTextFormat};
constexpr OutputFormat kMeta{Format::kMetaGraph, &kBinaryFormat};

const char* const kOps = "a = Const() f32[2]\n b = Relu(a) f32[2]\n";

}  // namespace

TEST_CASE("files are told apart by what is in them") {
  const std::string graph = test::encode_graph(kOps);
  CHECK(sniff("").kind == FileKind::kEmpty);
  CHECK(said(graph) == "graph binary");
  CHECK(said(field(4, "\x08\x01") + graph) == "graph binary");
  CHECK(said(field(4, "\x08\x01")) == "graph binary");
  CHECK(said(field(1, "") + field(2, graph)) == "metagraph binary");
  CHECK(said(field(2, graph)) == "metagraph binary");
  CHECK(said(field(1, field(5, "2.15.0")) + field(2, graph)) == "metagraph binary");
  // A MetaInfoDef with a version and an empty list of op types is no op.
  CHECK(said(field(1, field(1, "v1") + field(2, "")) + field(2, graph)) == "metagraph binary");
  CHECK(said(field(1, "") + field(2, field(4, "\x08\x01"))) == "metagraph binary");
  // The first op has an attribute without a name.
  const std::string odd =
      field(1, field(1, "x") + field(2, "Placeholder") + field(5, field(2, "")));
  CHECK(said(odd + graph) == "graph binary");
  CHECK(said(field(1, "") + field(2, odd + graph)) == "metagraph binary");
  std::string many;
  for (int i = 0; i < 200; ++i) many += field(4, field(1, "key") + field(2, ""));
  CHECK(said(many + field(2, graph)) == "metagraph binary");
  CHECK(said("\x08\x01" + field(2, field(2, graph))) == "savedmodel binary");
  CHECK(said(field(2, field(2, graph))) == "savedmodel binary");
  CHECK(said(field(2, field(1, "") + field(2, graph))) == "savedmodel binary");
  CHECK(said("saved_model_schema_version: 1") == "savedmodel text");
  CHECK(said("# a comment\n node { name: 'a' }") == "graph text");
  CHECK(said("meta_info_def { }") == "metagraph text");
  CHECK(sniff("plain text, no graph").kind == FileKind::kOtherText);
  CHECK(sniff("\x18\0\0\0\0\0\0\0....\x09\0\0\0"s).kind == FileKind::kEventLog);
  CHECK(sniff("\xff\xfe\xfd").kind == FileKind::kUnknown);
}

TEST_CASE("a file is written back byte for byte, with whatever nobody understands") {
  // Unknown fields in every place, fields between ops, and a length in an unusual form.
  const std::string op = field(1, "a") + field(2, "Const") + field(98, "?") + "\xf8\x06\x01";
  const std::string unusual = "\x0a"s + static_cast<char>(op.size() | 0x80U) + "\x00"s + op;
  const std::string graph = field(4, "\x08\x2a") + test::encode_graph("z = NoOp()\n") + unusual +
                            field(77, "between") + test::encode_graph("b = Relu(a)\n") +
                            field(2, "") + "\xf8\x06\x07";
  const Document document = read(graph);
  CHECK(document.graph.op_count() == 3);
  CHECK(written(document, document.graph, kPb) == graph);

  const std::string meta = field(4, field(1, "train_op") + field(2, field(1, field(1, "b")))) +
                           field(2, graph) + field(97, "unknown");
  const Document meta_document = read(meta);
  CHECK(meta_document.format == Format::kMetaGraph);
  CHECK(meta_document.collections.names.at("train_op") == std::vector<std::string>{"b"});
  CHECK(written(meta_document, meta_document.graph, kMeta) == meta);
  CHECK(written(meta_document, meta_document.graph, kPb) == graph);
}

TEST_CASE("what a MetaGraph calls its savers is read, from its field and from its collection") {
  const auto saver = [](const std::string& scope) {
    return field(1, scope + "/Const:0") + field(2, scope + "/Identity:0") +
           field(3, scope + "/restore_all");
  };
  const std::string savers =
      field(2, field(2, field(1, saver("save")) + field(1, saver("save_1"))));
  const Document document = read(field(4, field(1, "savers") + savers) + field(3, saver("save")) +
                                 field(2, test::encode_graph("a = NoOp()\n")));
  const auto& names = document.collections.names;
  CHECK(names.at(kSaverFilenames) == std::vector<std::string>{"save/Const:0", "save_1/Const:0"});
  CHECK(names.at(kSaverSaveTensors).size() == 2);
  CHECK(names.at(kSaverRestoreOps).back() == "save_1/restore_all");
}

TEST_CASE("an edit changes the bytes of the ops that it touches and no others") {
  const std::string a = test::encode_graph("a = Const() f32[2]\n");
  const std::string b = test::encode_graph("b = Relu(a) f32[2]\n");
  const std::string versions = field(4, "\x08\x2a");
  const Document document = read(a + b + versions);
  GraphPlan plan;
  NewOp copy;
  copy.name = "c";
  copy.type = "Identity";
  copy.inputs = {{OpId{0}, 0}};
  const OpId added = plan.add_op(document.graph, copy);
  plan.rerouted = {{OpId{1}, 0, {OpId{0}, 0}, {added, 0}}};
  const auto graph = apply(document.graph, plan);
  REQUIRE(graph);
  CHECK(written(document, *graph, kPb) == a + test::encode_graph("b = Relu(c) f32[2]\n") +
                                              test::encode_graph("c = Identity(a)\n") + versions);
}

TEST_CASE("a removed op leaves the bytes around it where they were") {
  const std::string a = test::encode_graph("a = Const() f32[2]\n");
  const std::string b = test::encode_graph("b = Relu(a) f32[2]\n");
  const std::string c = test::encode_graph("c = Relu(a) f32[2]\n");
  const std::string versions = field(4, "\x08\x2a");
  const std::string library = field(2, "");
  const Document document = read(a + b + versions + c + library);
  GraphPlan plan;
  plan.removed = {OpId{1}};
  NewOp copy;
  copy.name = "d";
  copy.type = "Identity";
  copy.inputs = {{OpId{2}, 0}};
  plan.add_op(document.graph, copy);
  const auto graph = apply(document.graph, plan);
  REQUIRE(graph);
  CHECK(written(document, *graph, kPb) ==
        a + versions + c + test::encode_graph("d = Identity(c)\n") + library);
  plan = {};
  plan.removed = {OpId{1}, OpId{2}};
  const auto first = apply(document.graph, plan);
  REQUIRE(first);
  CHECK(written(document, *first, kPb) == a + versions + library);
}

TEST_CASE("text says the same as the wire form, there and back") {
  const Document document = read(test::encode_graph(kOps) + field(4, "\x08\x2a"));
  const std::string text = written(document, document.graph, kPbtxt);
  CHECK(text.find("node {\n  name: \"a\"\n  op: \"Const\"\n") == 0);
  CHECK(text.find("versions {\n  producer: 42\n}\n") != std::string::npos);
  const Document again = read(text);
  CHECK(again.encoding == &kTextFormat);
  CHECK(compare_surroundings(document, again).violations.empty());
  CHECK(written(again, again.graph, kPbtxt) == text);
}

TEST_CASE("text that would lose a field is refused") {
  const Document document =
      read(field(1, field(1, "a") + field(2, "Const") + field(98, "unknown")));
  const test::TemporaryFolder folder;
  Progress silent;
  auto file = OutputFile::create(folder.file("out"), false);
  REQUIRE(file);
  const Status status = write_document(document, document.graph, kPbtxt, *file, silent);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kUnsupported);
  CHECK(status.error().message.find("op 'a': field 98") == 0);
}

TEST_CASE("a graph becomes a MetaGraph and back") {
  const std::string graph = test::encode_graph(kOps);
  const Document document = read(graph);
  const Document meta = read(written(document, document.graph, kMeta));
  CHECK(meta.format == Format::kMetaGraph);
  CHECK(written(meta, meta.graph, kPb) == graph);
  CHECK(losses(meta, kPb).size() == 1);
  CHECK(losses(meta, kMeta).empty());
}

TEST_CASE("what is no graph says what it is and what was expected") {
  CHECK(error_of("") == "g: is empty; expected a graph");
  CHECK(error_of("\x18\0\0\0\0\0\0\0....\x09\0\0\0"s).find("is an event log") != std::string::npos);
  CHECK(error_of("just words").find("is not a graph; expected a GraphDef") != std::string::npos);
  CHECK(error_of("node {\n name: 'a'\n nonsense: 1\n}").find("g: line 3, column") == 0);
  CHECK(error_of("\x0a\xff").find("byte ") != std::string::npos);
}

TEST_CASE("every cut of a file is an error, never a crash") {
  const std::string graph = test::encode_graph(kOps) + field(4, "\x08\x2a");
  const std::string meta = field(1, field(5, "2.15.0")) + field(2, graph);
  int opened = 0;
  for (const std::string& whole : {graph, meta, field(2, meta)}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Progress silent;
      const auto document = read_document("g", own_bytes(whole.substr(0, size)), silent);
      // A cut between fields is a shorter graph; any other is named with its place.
      if (document) {
        ++opened;
      } else if (size > 0) {
        INFO(size << " " << document.error().message);
        const bool placed = document.error().message.find("byte ") != std::string::npos ||
                            document.error().message.find("is not a graph") != std::string::npos;
        CHECK(placed);
      }
    }
  }
  CHECK(opened == 2);  // after a, after b
}

namespace {

// An op with one attribute, whose entry in the map is `entry`.
std::string op_with_entry(const std::string& entry) {
  return field(1, field(1, "a") + field(2, "NoOp") + field(5, entry));
}

std::string text_problem(const std::string& bytes) {
  const Document document = read(bytes);
  Progress silent;
  const Sink ignored = [](std::string_view) -> Status { return {}; };
  const Status status = write_document(document, document.graph, kPbtxt, ignored, silent);
  return status ? "" : status.error().message;
}

}  // namespace

TEST_CASE("text is refused where entries of attributes would come back changed") {
  const std::string key = field(1, "key");
  const std::string tensor = field(8, field(8, "one"));
  CHECK(text_problem(op_with_entry(key + field(2, tensor))).empty());
  CHECK(text_problem(op_with_entry(key + field(2, tensor) + field(5, "unknown"))) ==
        "op 'a': field attr.5 is unknown and has no name in text form, so it would be lost; write "
        ".pb or .meta instead");
  CHECK(text_problem(op_with_entry(key + field(2, tensor) + field(2, tensor))) ==
        "op 'a': field attr.value is given twice, so it would be lost; write .pb or .meta instead");
  // In a map within a map: the attributes of a function in an attribute.
  const std::string inner = field(10, field(1, "f") + field(2, key + field(2, "") + field(7, "x")));
  CHECK(text_problem(op_with_entry(key + field(2, inner)))
            .starts_with("op 'a': field attr.value.func.attr.7 is unknown"));
}

TEST_CASE("text is refused where a NaN would come back with other bits") {
  const auto op_with_float = [](const char* bits) {
    const std::string tensor = field(5, std::string(bits, 4));
    return op_with_entry(field(1, "value") + field(2, field(8, tensor)));
  };
  CHECK(text_problem(op_with_float("\x00\x00\xc0\x7f")).empty());
  CHECK(text_problem(op_with_float("\x00\x00\x80\xff")).empty());  // minus infinity
  CHECK(text_problem(op_with_float("\x00\x00\xc0\xff")).empty());  // "-nan"
  for (const char* bits : {"\x01\x00\xc0\x7f", "\x01\x00\xc0\xff", "\x01\x00\x80\x7f"}) {
    CHECK(text_problem(op_with_float(bits))
              .starts_with("op 'a': field attr.value.tensor.float_val has a NaN"));
  }
}

}  // namespace tideline::io
