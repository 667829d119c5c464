// A text form of graphs, so that tests read like the paper. One op a line, in file order:
//   relu = Relu(conv, w:1, ^after) @/gpu:0 f32[?,28] +is_training=false
// Inputs as in the format; '@' a device; then the dtype and shape of each output ("f32?" for an
// unknown rank); '+key=VALUE' further attributes: true, false, 3, 'text' or "text", [?,4], f32 (a
// type), (1,2,2,1), ('a','b'), i32[2]{3,-1} (a constant), &name (a function). Lines that are empty
// or begin with '#' do not count. The text is encoded and read back by the product's own reader.
#pragma once

#include <string>
#include <string_view>

#include "core/io/document.h"

namespace tideline::test {

/// The wire bytes of the GraphDef.
[[nodiscard]] std::string encode_graph(std::string_view text);
/// Reads it; a text that does not make a graph fails the test.
[[nodiscard]] io::Document read_graph(std::string_view text);
/// A v1 loop with one op in its body; ops behind it can be added.
inline constexpr std::string_view kLoop = R"(
    x = Const() f32[4]
    enter = Enter(x) f32[4] +frame_name='f'
    merge = Merge(enter, next) f32[4] i32[]
    cond = LoopCond(flag) +T=bool
    flag = Const(^merge) +dtype=bool
    switch = Switch(merge, cond) f32[4] f32[4]
    body = Relu(switch:1) f32[4]
    next = NextIteration(body) f32[4]
    exit = Exit(switch) f32[4]
)";

/// The op called `name`; it must exist.
[[nodiscard]] OpId op(const Graph& graph, std::string_view name);
[[nodiscard]] OpId op(const io::Document& document, std::string_view name);

}  // namespace tideline::test
