// The tables of rewriters and formats with a toy in each. They take the place of those of the
// product (core/rewrite/rewriters.cc, core/checkpoint/formats.cc, core/io/graph_formats.cc), which
// the linker leaves in their libraries because their functions are defined already.
#include <array>

#include "core/rewrite/lms1/rewriter.h"
#include "core/rewrite/lms2/rewriter.h"
#include "tests/toy/toy_formats.h"
#include "tests/toy/toy_rewriter.h"

namespace tideline {

std::span<const Rewriter* const> rewriters() {
  static const std::array kTable = {
      &lms2::rewriter(),
      &lms1::rewriter(),
      &toy::rewriter(),
  };
  return kTable;
}

namespace io {

std::span<const GraphFormat* const> graph_formats() {
  static constexpr std::array kTable = {
      &kTextFormat,
      &kBinaryFormat,
      &toy::kGraphFormat,
  };
  return kTable;
}

}  // namespace io

namespace checkpoint {

std::span<const CheckpointFormat* const> formats() {
  static constexpr std::array kTable = {
      &kBundleFormat,
      &kSafetensorsFormat,
      &toy::kCheckpointFormat,
  };
  return kTable;
}

}  // namespace checkpoint

}  // namespace tideline
