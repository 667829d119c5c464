// Attribute values of ops, decoded to the extent that the analyses need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/dtype.h"
#include "core/graph/shape.h"

namespace tideline {

/// One decoded attribute. Only the member that `kind` names is meaningful; a list fills the vectors
/// of its element kinds. A decoder always sets `encoded`, the value as encoded in the file, so that
/// values of unknown kinds can still be compared and copied. Without `encoded`, a kTensor is the
/// scalar `integer` of type int32.
struct AttrValue {
  enum class Kind : std::uint8_t {
    kNone,
    kString,
    kInt,
    kFloat,
    kBool,
    kType,
    kShape,
    kTensor,
    kFunction,
    kPlaceholder,
    kList,
  };
  Kind kind = Kind::kNone;
  std::string string;  ///< kString, and the name of a kFunction or kPlaceholder
  std::int64_t integer = 0;
  float number = 0;
  bool boolean = false;
  DataType type = DataType::kInvalid;
  Shape shape;
  std::vector<std::string> strings;
  std::vector<std::int64_t> integers;
  std::vector<DataType> types;
  std::vector<Shape> shapes;
  std::vector<std::string> functions;  ///< names of a list of functions
  std::string_view encoded;

  [[nodiscard]] static AttrValue of_type(DataType type) {
    AttrValue value;
    value.kind = Kind::kType;
    value.type = type;
    return value;
  }
  [[nodiscard]] static AttrValue of_bool(bool boolean) {
    AttrValue value;
    value.kind = Kind::kBool;
    value.boolean = boolean;
    return value;
  }
  [[nodiscard]] static AttrValue of_int(std::int64_t integer) {
    AttrValue value;
    value.kind = Kind::kInt;
    value.integer = integer;
    return value;
  }
  /// A constant of type int32 without dimensions.
  [[nodiscard]] static AttrValue of_int32_scalar(std::int32_t number) {
    AttrValue value;
    value.kind = Kind::kTensor;
    value.type = DataType::kInt32;
    value.integer = number;
    return value;
  }
  [[nodiscard]] static AttrValue of_shape(Shape shape) {
    AttrValue value;
    value.kind = Kind::kShape;
    value.shape = std::move(shape);
    return value;
  }
  [[nodiscard]] static AttrValue of_shapes(std::vector<Shape> shapes) {
    AttrValue value;
    value.kind = Kind::kList;
    value.shapes = std::move(shapes);
    return value;
  }
};

/// Attributes of an op to add, in the order in which they are written.
using Attributes = std::vector<std::pair<std::string, AttrValue>>;

}  // namespace tideline
