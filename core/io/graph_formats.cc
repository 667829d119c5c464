// Tested by unit/io/document_test.cc.
#include <array>

#include "core/io/graph_format.h"

namespace tideline::io {

// A new format is a file beside those of the others, and a line here. A test has a table of its own
// with one more (tests/toy): nothing else may be defined in this file.
std::span<const GraphFormat* const> graph_formats() {
  static constexpr std::array kTable = {
      &kTextFormat,
      &kBinaryFormat,
  };
  return kTable;
}

}  // namespace tideline::io
