// Writes a function's body as a GraphDef of its own: the ops keep their attributes byte for byte;
// only their inputs are written in the spelling of graphs.
#include "core/graph/attr_value.h"
#include "core/io/functions.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

std::vector<std::string> input_texts(const Graph& graph, OpId op) {
  std::vector<std::string> texts;
  for (const TensorId input : graph.inputs(op)) {
    texts.push_back(input.slot == 0 ? std::string(graph.name(input.op)) : graph.tensor_name(input));
  }
  for (const OpId input : graph.control_inputs(op)) {
    texts.push_back(fmt::format("^{}", graph.name(input)));
  }
  return texts;
}

// Arguments and results: ops of ordinary types that take their places.
std::string stand_in(const Graph& graph, OpId op) {
  const bool is_argument = graph.type(op) == "_Arg";
  Attributes attributes;
  std::optional<Shape> shape;
  graph.codec().for_each_attribute(graph.encoded(op),
                                   [&](std::string_view key, std::string_view encoded) {
                                     AttrValue value;
                                     value.encoded = encoded;
                                     if (key == "T")
                                       attributes.emplace_back(is_argument ? "dtype" : "T", value);
                                     if (key.starts_with('_'))
                                       attributes.emplace_back(std::string(key), value);
                                     if (key != "_output_shapes") return;
                                     const auto shapes = graph.codec().decode(encoded);
                                     if (shapes && shapes->shapes.size() == 1)
                                       shape = shapes->shapes.front();
                                   });
  if (is_argument && shape) attributes.emplace_back("shape", AttrValue::of_shape(*shape));
  return graph.codec().encode(graph.name(op), is_argument ? "Placeholder" : "Identity", "",
                              input_texts(graph, op), attributes);
}

}  // namespace

Result<std::string> standalone_graph(const Document& body, const Graph& graph, Progress& progress) {
  std::string out;
  for (const OpId op : graph.ops()) {
    constexpr std::uint32_t kOpsBetweenReports = 1U << 14U;
    if (op.value % kOpsBetweenReports == 0 &&
        !progress.report("exporting", op.value, graph.op_count())) {
      return cancelled();
    }
    const OpId original = body.graph.find(graph.name(op));
    append_bytes(out, graph_def::kNode,
                 !original.valid() || body.is_in_file(original)
                     ? graph.codec().with_inputs(graph.encoded(op), input_texts(graph, op))
                     : stand_in(graph, op));
  }
  const Envelope* outer = body.envelope(MessageKind::kGraphDef);
  if (outer == nullptr) return out;
  const char* begin = outer->before.data();
  const char* end = outer->after.data() + outer->after.size();
  FieldReader reader({begin, static_cast<std::size_t>(end - begin)});
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(graph_def::kNode)) out += field.whole;
  }
  return out;
}

}  // namespace tideline::io
