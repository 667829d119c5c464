// Files with functions, from text: the bodies are those of graph_text.h, with inputs spelled as in
// a body ("x", "mul:product:0").
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/source_bytes.h"
#include "core/graph/dtype.h"
#include "core/io/document.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

struct FunctionText {
  std::string name;
  std::vector<std::string> arguments;                        ///< floats
  std::vector<std::pair<std::string, std::string>> results;  ///< name and tensor: "mul:product:0"
  std::string body;
  std::vector<std::string> waits = {};  ///< ops of control results
  Attributes attributes = {};           ///< bools, or `api_implements`
};

/// The encoded FunctionDef.
inline std::string encode_function(const FunctionText& text) {
  const auto field = [](std::uint32_t number, std::string_view content) {
    std::string out;
    io::append_bytes(out, number, content);
    return out;
  };
  const auto entry = [&](std::string_view key, std::string_view value) {
    return field(1, key) + field(2, value);
  };
  const auto argument = [&](std::string_view name) {
    std::string out = field(1, name);
    io::append_varint_field(out, 3, static_cast<std::uint64_t>(DataType::kFloat));
    return out;
  };
  std::string signature = field(1, text.name);
  for (const std::string& name : text.arguments) signature += field(2, argument(name));
  for (const auto& [name, tensor] : text.results) signature += field(3, argument(name));
  for (const std::string& op : text.waits) signature += field(20, op);
  std::string out = field(1, signature);
  const std::string body = encode_graph(text.body);
  io::FieldReader ops(body);
  io::Field op;
  while (ops.next(op)) out += field(3, op.bytes);
  for (const auto& [name, tensor] : text.results) out += field(4, entry(name, tensor));
  for (const auto& [key, value] : text.attributes) {
    out += field(5, entry(key, io::wire_codec().encode_value(value)));
  }
  for (const std::string& waited : text.waits) out += field(6, entry(waited, waited));
  return out;
}

/// The bytes of a GraphDef.
inline std::string encode_with_functions(std::string_view graph,
                                         const std::vector<FunctionText>& functions) {
  std::string library;
  for (const FunctionText& text : functions) {
    io::append_bytes(library, 1, encode_function(text));
  }
  std::string bytes = encode_graph(graph);
  io::append_bytes(bytes, 2, library);
  return bytes;
}

}  // namespace tideline::test
