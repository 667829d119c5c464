#include "core/io/functions.h"

#include <catch2/catch.hpp>

#include "core/graph/graph_edit.h"
#include "core/io/compare_surroundings.h"
#include "core/io/wire.h"
#include "core/io/write_document.h"
#include "tests/support/graph_text.h"

namespace tideline::io {
namespace {

using namespace std::string_literals;

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

std::string entry(const std::string& key, const std::string& value) {
  return field(1, key) + field(2, value);
}

std::string op(const std::string& name, const std::string& type,
               const std::vector<std::string>& inputs, const std::string& more = "") {
  std::string out = field(1, name) + field(2, type);
  for (const std::string& input : inputs) out += field(3, input);
  return out + more;
}

std::string type_attribute(const char* key, char type) {
  return field(5, entry(key, "\x30"s + type));
}

// f(x, v) -> (y): x a float [?,4], v a resource that holds a float [4,4].
std::string function(const std::string& name, const std::string& body,
                     const std::string& result = "out:activations:0") {
  const std::string x = field(1, "x") + "\x18\x01";
  const std::string handle = "\x08\x01" + field(2, field(2, "\x08\x04") + field(2, "\x08\x04"));
  const std::string v = field(1, "v") + "\x18\x14" + field(7, handle);
  const std::string unknown_by_4 =
      field(2, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") + field(2, "\x08\x04");
  const std::string shapes = field(1, field(7, unknown_by_4));
  return field(1,
               field(1, name) + field(2, x) + field(2, v) + field(3, field(1, "y") + "\x18\x01")) +
         field(7, "\x08\x00"s + field(2, field(1, entry("_output_shapes", shapes)))) + body +
         field(4, entry("y", result)) + field(99, "unknown");
}

const std::string kBody =
    field(3, op("read", "ReadVariableOp", {"v"}, type_attribute("dtype", 1))) +
    field(3, op("mul", "MatMul", {"x", "read:value:0"})) +
    field(3, op("out", "Relu", {"mul:product:0", "^read"}));

std::string file_with(const std::string& library) {
  return test::encode_graph("a = Const() f32[2]\n") + field(2, library) + field(4, "\x08\x2a");
}

Document read(const std::string& bytes) {
  Progress silent;
  auto document = read_document("g", own_bytes(bytes), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

Document open(const std::string& bytes, const std::string& name) {
  auto body = open_function(read(bytes), name);
  INFO((body ? "" : body.error().message));
  REQUIRE(body);
  return *std::move(body);
}

std::string error_of(const std::string& bytes, const std::string& name = "f") {
  const auto body = open_function(read(bytes), name);
  return body ? "" : body.error().message;
}

std::string written(const Document& document, const Graph& graph, OutputFormat format) {
  std::string out;
  Progress silent;
  const Status status = write_document(
      document, graph, format,
      [&out](std::string_view bytes) -> Status {
        out += bytes;
        return {};
      },
      silent);
  INFO((status ? "" : status.error().message));
  REQUIRE(status);
  return out;
}

constexpr OutputFormat kPb{Format::kGraph, &kBinaryFormat, false};
constexpr OutputFormat kPbtxt{Format::kGraph, &kTextFormat, false};

}  // namespace

TEST_CASE("functions are listed with what they take and give") {
  const auto functions =
      list_functions(read(file_with(field(1, function("f", kBody)) + field(1, function("g", "")))));
  REQUIRE(functions.size() == 2);
  CHECK(functions[0].name == "f");
  CHECK(functions[0].ops == 3);
  CHECK(functions[0].arguments == 2);
  CHECK(functions[0].results == 1);
  CHECK(functions[1].ops == 0);
}

TEST_CASE("a function's body is a graph between its arguments and its results") {
  const Document body = open(file_with(field(1, function("f", kBody))), "f");
  const Graph& graph = body.graph;
  REQUIRE(graph.op_count() == 6);
  CHECK(graph.type(OpId{0}) == "_Arg");
  CHECK(graph.name(OpId{1}) == "v");
  CHECK(graph.type(OpId{5}) == "_Retval");
  CHECK(graph.inputs(graph.find("mul"))[1] == TensorId{graph.find("read"), 0});
  CHECK(graph.inputs(OpId{5})[0] == TensorId{graph.find("out"), 0});
  CHECK(graph.control_inputs(graph.find("out"))[0] == graph.find("read"));
  const auto shapes = graph.attribute(OpId{0}, "_output_shapes");
  REQUIRE(shapes->has_value());
  CHECK((*shapes)->shapes[0] == Shape::of({-1, 4}));
  const auto handle = graph.attribute(OpId{1}, "_handle_shapes");
  REQUIRE(handle->has_value());
  CHECK((*handle)->shapes[0] == Shape::of({4, 4}));
}

TEST_CASE("a body that nobody changed is written back byte for byte") {
  const std::string library =
      field(1, function("f", kBody)) + field(97, "more") + field(1, function("g", kBody));
  const std::string graph = file_with(library);
  const std::string meta = field(1, "") + field(2, graph) + field(96, "x");
  const std::string saved =
      "\x08\x01" + field(2, meta) + field(2, field(1, field(4, "other")) + field(2, graph));
  const Document in_graph = open(graph, "g");
  CHECK(written(in_graph, in_graph.graph, kPb) == graph);
  const Document in_meta = open(meta, "f");
  CHECK(written(in_meta, in_meta.graph, {Format::kMetaGraph, &kBinaryFormat, false}) == meta);
  Progress silent;
  const auto model = read_document("m", own_bytes(saved), silent, {Cycles::kRefuse, "other"});
  REQUIRE(model);
  const auto in_model = open_function(*model, "f");
  REQUIRE(in_model);
  CHECK(written(*in_model, in_model->graph, {Format::kSavedModel, &kBinaryFormat, false}) == saved);
}

TEST_CASE("an edited body spells its inputs by the names of outputs, its results too") {
  const std::string graph = file_with(field(1, function("f", kBody)));
  const Document body = open(graph, "f");
  GraphPlan plan;
  NewOp copy;
  copy.name = "copy";
  copy.type = "Identity";
  copy.inputs = {{body.graph.find("mul"), 0}};
  const OpId added = plan.add_op(body.graph, copy);
  const OpId out = body.graph.find("out");
  plan.rerouted = {{out, 0, body.graph.inputs(out)[0], {added, 0}},
                   {OpId{5}, 0, body.graph.inputs(OpId{5})[0], {added, 0}}};
  plan.control = {{added, body.graph.find("read")}};
  const auto edited = apply(body.graph, plan);
  REQUIRE(edited);
  const std::string expected =
      field(3, op("read", "ReadVariableOp", {"v"}, type_attribute("dtype", 1))) +
      field(3, op("mul", "MatMul", {"x", "read:value:0"})) +
      field(3, op("out", "Relu", {"copy:output:0", "^read"})) +
      field(3, op("copy", "Identity", {"mul:product:0", "^read"}));
  CHECK(written(body, *edited, kPb) ==
        file_with(field(1, function("f", expected, "copy:output:0"))));
}

TEST_CASE("lists of outputs are counted through") {
  const std::string split = op("s", "Split", {"x", "x"}, field(5, entry("num_split", "\x18\x03")));
  const std::string body = field(3, split) + field(3, op("out", "Relu", {"s:output:2"}));
  const Document document = open(file_with(field(1, function("f", body))), "f");
  CHECK(document.graph.inputs(document.graph.find("out"))[0].slot == 2);
  const std::string late = field(3, split) + field(3, op("out", "Relu", {"s:output:3"}));
  CHECK(error_of(file_with(field(1, function("f", late)))).find("no such output") !=
        std::string::npos);
}

TEST_CASE("outputs of a type that nobody knows are counted as their readers name them") {
  const std::string body = field(3, op("m", "Mystery", {"x"})) +
                           field(3, op("a", "Relu", {"m:second:0"})) +
                           field(3, op("out", "AddV2", {"m:first:1", "a:activations:0"}));
  const std::string file = file_with(field(1, function("f", body, "out:z:0")));
  const Document document = open(file, "f");
  CHECK(document.graph.inputs(document.graph.find("a"))[0].slot == 0);
  CHECK(document.graph.inputs(document.graph.find("out"))[0].slot == 2);
  CHECK(*document.graph.input_text({document.graph.find("m"), 2}) == "m:first:1");
  CHECK(written(document, document.graph, kPb) == file);
}

TEST_CASE("what is wrong in a body is named") {
  const auto with = [](const std::string& body) {
    return file_with(field(1, function("f", body)));
  };
  CHECK(error_of(with(kBody), "h").find("g: no function is called 'h'") == 0);
  CHECK(error_of(with(field(3, op("out", "Relu", {"nobody:y:0"})))).find("names no op") !=
        std::string::npos);
  CHECK(error_of(with(field(3, op("m", "MatMul", {"x", "x"})) +
                      field(3, op("out", "Relu", {"m:sum:0"}))))
            .find("op 'out': input 'm:sum:0': ops of type MatMul have no such output") !=
        std::string::npos);
  CHECK(error_of(with(field(3, op("out", "Relu", {"x:y:-1"})))).find("op:output:index") !=
        std::string::npos);
  CHECK(error_of(with(field(3, op("x", "Relu", {"x"})))).find("is already used") !=
        std::string::npos);
  CHECK(error_of(with(field(3, op("out", "Relu", {"out:activations:0"})))).find("cycle") !=
        std::string::npos);
}

// Found by a fuzzer: it was opened, and taken for the graph of the file when it was written.
TEST_CASE("a function without a name is refused") {
  const std::string file = file_with(field(1, function("", kBody)));
  CHECK(list_functions(read(file)).size() == 1);
  CHECK(error_of(file, "").find("g: a function without a name cannot be opened") == 0);
}

TEST_CASE("a body can be written as a graph of its own") {
  const Document body = open(file_with(field(1, function("f", kBody))), "f");
  Progress silent;
  const auto bytes = standalone_graph(body, body.graph, silent);
  REQUIRE(bytes);
  const Document alone = read(*bytes);
  CHECK(alone.graph.type(OpId{0}) == "Placeholder");
  CHECK((*alone.graph.attribute(OpId{0}, "dtype"))->type == DataType{1});
  CHECK((*alone.graph.attribute(OpId{0}, "shape"))->shape == Shape::of({-1, 4}));
  CHECK(alone.graph.type(alone.graph.find("y_RetVal")) == "Identity");
  CHECK(alone.has_functions());
}

TEST_CASE("text of a file with an opened function says the same") {
  std::string library = field(1, function("f", kBody));
  library.erase(library.find(field(99, "unknown")));  // text cannot hold it
  library = field(
      1, function("f", kBody).substr(0, function("f", kBody).size() - field(99, "unknown").size()));
  const Document body = open(file_with(library), "f");
  const std::string text = written(body, body.graph, kPbtxt);
  const Document again = open(text, "f");
  CHECK(compare_surroundings(body, again).violations.empty());
  CHECK(again.graph.op_count() == body.graph.op_count());
}

TEST_CASE("bodies for whoever looks behind calls; unreadable ones are counted") {
  const std::string broken = function("broken", field(3, op("out", "Relu", {"nobody:y:0"})));
  Diagnostics diagnostics;
  const FunctionLibrary library = read_functions(
      read(file_with(field(1, function("f", kBody)) + field(1, broken))), diagnostics);
  REQUIRE(library.find("f") != nullptr);
  CHECK(library.find("f")->arguments.size() == 2);
  CHECK(library.find("f")->results == std::vector<OpId>{OpId{5}});
  CHECK(library.find("broken") == nullptr);
  CHECK(diagnostics.entries().size() == 1);
}

}  // namespace tideline::io
