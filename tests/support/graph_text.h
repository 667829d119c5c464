// A text form of graphs, so that tests read like the paper. One op a line, in file order:
//   relu = Relu(conv, w:1, ^after) @/gpu:0 f32[?,28] +is_training=false
// Inputs as in the format; '@' a device; then the dtype and shape of each output ("f32?" for an
// unknown rank); '+key=true|false|NUMBER|"text"' further attributes. Lines that are empty or begin
// with
// '#' do not count. The text is encoded and read back by the product's own reader.
#pragma once

#include <string>
#include <string_view>

#include "core/io/document.h"

namespace tideline::test {

/// The wire bytes of the GraphDef.
[[nodiscard]] std::string encode_graph(std::string_view text);
/// Reads it; a text that does not make a graph fails the test.
[[nodiscard]] io::Document read_graph(std::string_view text);
/// The op called `name`; it must exist.
[[nodiscard]] OpId op(const Graph& graph, std::string_view name);
[[nodiscard]] OpId op(const io::Document& document, std::string_view name);

}  // namespace tideline::test
