// A text form of traced steps. One execution a line, fields between bars, times in microseconds:
//   relu = Relu(conv) | 100+50 | 0:1024&7#1 1:4&8#2 | +1024@110 -1024@300
// The label (the op's name before " = "); start and duration; the outputs: slot, bytes, '&'
// address,
// '#' allocation id, "[2,3]" a shape, '!' memory that the allocator does not tell the size of; the
// records of allocations. A line "device NAME" or "allocator NAME" holds for those below it
// (default "/device:CPU:0", "cpu"). The text becomes RunMetadata and is read by the product's
// reader.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/step_trace.h"

namespace tideline::test {

/// As a RunMetadata text (.pbtxt), and as wire bytes.
[[nodiscard]] std::string trace_pbtxt(std::string_view text);
[[nodiscard]] std::string encode_trace(std::string_view text);
/// Reads it; a text that makes no trace fails the test.
[[nodiscard]] StepTrace read_trace(std::string_view text);

}  // namespace tideline::test
