// Graphs with calls as text, and what inlining makes of them.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/graph/graph_edit.h"
#include "core/io/declared.h"
#include "core/io/functions.h"
#include "core/rewrite/inline/inline_calls.h"
#include "tests/support/function_text.h"

namespace tideline::test {

struct Inlined {
  io::Document document;
  FunctionLibrary library;
  Inlining made;
  Graph graph;
};

inline io::Document read(const std::string& graph, const std::vector<FunctionText>& functions) {
  Progress silent;
  auto document =
      io::read_document("g", own_bytes(encode_with_functions(graph, functions)), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

inline FunctionLibrary library_of(const io::Document& document) {
  Diagnostics diagnostics;
  return io::read_functions(document, diagnostics);
}

inline Inlined inlined(const std::string& graph, const std::vector<FunctionText>& functions) {
  Inlined result{read(graph, functions), {}, {}, {}};
  result.library = library_of(result.document);
  auto made = inline_calls(result.document.graph, result.library);
  INFO((made ? "" : made.error().message));
  REQUIRE(made);
  result.made = *std::move(made);
  auto changed = apply(result.document.graph, result.made.plan,
                       io::declared_signatures(result.document).get());
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  result.graph = *std::move(changed);
  return result;
}

inline std::string error_of(const std::string& graph, const std::vector<FunctionText>& functions) {
  const io::Document document = read(graph, functions);
  const FunctionLibrary library = library_of(document);
  const auto made = inline_calls(document.graph, library);
  return made ? "" : made.error().message;
}

// "MatMul(x, w:1, ^begin) @/gpu:0"
inline std::string shown(const Graph& graph, std::string_view name) {
  const OpId op = test::op(graph, name);
  std::string text = std::string(graph.type(op)) + "(";
  const auto texts = graph.codec().input_texts(graph.encoded(op));
  for (std::size_t i = 0; i < texts.size(); ++i) text += (i == 0 ? "" : ", ") + texts[i];
  text += ")";
  if (!graph.device(op).empty()) text += " @" + std::string(graph.device(op));
  return text;
}

inline std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> list;
  for (const OpId op : graph.ops()) list.emplace_back(graph.name(op));
  return list;
}

inline FunctionText layer(const std::string& name = "layer") {
  return {name,
          {"a", "w"},
          {{"y", "relu:activations:0"}},
          "mul = MatMul(a, w) f32[4,4]\n"
          "relu = Relu(mul:product:0) f32[4,4]\n"};
}

inline const std::string kCall = R"(
    x = Placeholder() f32[4,4]
    w = Const() f32[4,4]
    call = PartitionedCall(x, w) f32[4,4] +f=&layer
    out = Tanh(call) f32[4,4]
)";

inline std::string reason(const Inlined& result) {
  REQUIRE(result.made.kept.size() == 1);
  return result.made.kept.front().reason;
}

}  // namespace tideline::test
