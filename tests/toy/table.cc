// The tables of rewriters and formats with a toy in each. They take the place of those of the
// product (core/rewrite/rewriters.cc, core/checkpoint/formats.cc), which the linker leaves in their
// libraries because their functions are defined already.
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
