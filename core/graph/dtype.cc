#include "core/graph/dtype.h"

#include <algorithm>
#include <array>

namespace tideline {
namespace {

struct TypeFacts {
  DataType type;
  std::string_view name;  // as in the format, without DT_, in lower case
  std::int64_t bytes;
};

constexpr std::array kTypes = {
    TypeFacts{DataType::kInvalid, "invalid", 0},
    TypeFacts{DataType::kFloat, "float", 4},
    TypeFacts{DataType::kDouble, "double", 8},
    TypeFacts{DataType::kInt32, "int32", 4},
    TypeFacts{DataType::kUint8, "uint8", 1},
    TypeFacts{DataType::kInt16, "int16", 2},
    TypeFacts{DataType::kInt8, "int8", 1},
    TypeFacts{DataType::kString, "string", 0},
    TypeFacts{DataType::kComplex64, "complex64", 8},
    TypeFacts{DataType::kInt64, "int64", 8},
    TypeFacts{DataType::kBool, "bool", 1},
    TypeFacts{DataType::kQint8, "qint8", 1},
    TypeFacts{DataType::kQuint8, "quint8", 1},
    TypeFacts{DataType::kQint32, "qint32", 4},
    TypeFacts{DataType::kBfloat16, "bfloat16", 2},
    TypeFacts{DataType::kQint16, "qint16", 2},
    TypeFacts{DataType::kQuint16, "quint16", 2},
    TypeFacts{DataType::kUint16, "uint16", 2},
    TypeFacts{DataType::kComplex128, "complex128", 16},
    TypeFacts{DataType::kHalf, "half", 2},
    TypeFacts{DataType::kResource, "resource", 0},
    TypeFacts{DataType::kVariant, "variant", 0},
    TypeFacts{DataType::kUint32, "uint32", 4},
    TypeFacts{DataType::kUint64, "uint64", 8},
    TypeFacts{DataType::kFloat8E5m2, "float8_e5m2", 1},
    TypeFacts{DataType::kFloat8E4m3fn, "float8_e4m3fn", 1},
    TypeFacts{DataType::kInt4, "int4", 1},
    TypeFacts{DataType::kUint4, "uint4", 1},
};

const TypeFacts* facts_of(DataType type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const TypeFacts& facts) { return facts.type == type; });
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::int64_t> element_bytes(DataType type) {
  const TypeFacts* facts = facts_of(base_type(type));
  if (facts == nullptr || facts->type == DataType::kInvalid) return std::nullopt;
  return facts->bytes;
}

std::string data_type_name(DataType type) {
  const TypeFacts* facts = facts_of(base_type(type));
  std::string name = facts != nullptr ? std::string(facts->name)
                                      : std::to_string(static_cast<std::uint32_t>(base_type(type)));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return "DT_" + name + (is_reference(type) ? "_REF" : "");
}

std::optional<DataType> parse_data_type(std::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (name == facts.name || name == data_type_name(facts.type)) return facts.type;
    const DataType reference = reference_to(facts.type);
    if (name == data_type_name(reference)) return reference;
  }
  return std::nullopt;
}

}  // namespace tideline
