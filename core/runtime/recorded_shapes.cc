// Versions of TensorFlow differ in the shapes of some outputs: 1.13 recorded [8] for outputs 3 and
// 4 of FusedBatchNormGrad, where 2.15 computes [0] and refuses to import a graph that says
// otherwise. Tested by unit/runtime/recorded_shapes_test.cc.
#include "core/runtime/recorded_shapes.h"

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::runtime {
namespace {

using io::Field;
using io::FieldReader;

constexpr std::string_view kShapes = "_output_shapes";

std::string_view text_of(std::string_view node, std::uint32_t number) {
  std::string_view text;
  FieldReader reader(node);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(number)) text = field.bytes;
  }
  return text;
}

bool is_shapes(const Field& field) {
  return field.is_bytes(io::node_def::kAttr) &&
         text_of(field.bytes, io::map_entry::kKey) == kShapes;
}

std::string_view type_of(std::string_view graph_def, std::string_view op) {
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::graph_def::kNode) && text_of(field.bytes, io::node_def::kName) == op) {
      return text_of(field.bytes, io::node_def::kOp);
    }
  }
  return {};
}

}  // namespace

std::optional<std::string> op_with_refused_shapes(std::string_view message) {
  constexpr std::string_view kBefore = "Node '";
  constexpr std::string_view kBehind = "' has an _output_shapes attribute inconsistent";
  const std::size_t end = message.find(kBehind);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t begin = message.rfind(kBefore, end);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t name = begin + kBefore.size();
  return std::string(message.substr(name, end - name));
}

DroppedShapes drop_shapes(std::string& graph_def, std::string_view op) {
  DroppedShapes dropped{std::string(type_of(graph_def, op)), 0};
  if (dropped.type.empty()) return dropped;
  std::string out;
  out.reserve(graph_def.size());
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    const bool is_of_type = field.is_bytes(io::graph_def::kNode) &&
                            text_of(field.bytes, io::node_def::kOp) == dropped.type;
    if (!is_of_type) {
      out += field.whole;
      continue;
    }
    std::string node;
    FieldReader parts(field.bytes);
    for (Field part; parts.next(part);) {
      if (!is_shapes(part)) node += part.whole;
    }
    if (node.size() < field.bytes.size()) ++dropped.ops;
    io::append_bytes(out, field.number, node);
  }
  if (dropped.ops > 0) graph_def = std::move(out);
  return dropped;
}

}  // namespace tideline::runtime
