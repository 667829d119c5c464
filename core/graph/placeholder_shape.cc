#include "core/graph/placeholder_shape.h"

namespace tideline {
namespace {

constexpr std::int32_t kLastProducerWithoutUnknownShapes = 21;

Shape shape_attribute(const Graph& graph, OpId op) {
  const auto value = graph.attribute(op, "shape");
  const bool is_shape = value && *value && (*value)->kind == AttrValue::Kind::kShape;
  return is_shape ? (*value)->shape : Shape::unknown();
}

}  // namespace

bool declares_no_shape(const Graph& graph, OpId placeholder) {
  // PlaceholderV2 came to tell the two apart, and PlaceholderWithDefault always did.
  if (graph.producer() > kLastProducerWithoutUnknownShapes) return false;
  if (graph.type(placeholder) != "Placeholder") return false;
  const Shape shape = shape_attribute(graph, placeholder);
  return !shape.has_rank || shape.dims.empty();
}

Shape declared_shape(const Graph& graph, OpId placeholder) {
  return declares_no_shape(graph, placeholder) ? Shape::unknown()
                                               : shape_attribute(graph, placeholder);
}

}  // namespace tideline
