// Tested by unit/checkpoint/convert_test.cc.
#include <array>

#include "core/checkpoint/format.h"

namespace tideline::checkpoint {

// A new format is a file beside those of the others, and a line here. A test has a table of its own
// with one more (tests/toy): nothing else may be defined in this file.
std::span<const CheckpointFormat* const> formats() {
  static constexpr std::array kTable = {
      &kBundleFormat,      &kTableFormat, &kShardedSafetensorsFormat,
      &kSafetensorsFormat, &kNpzFormat,   &kNpyFolderFormat,
  };
  return kTable;
}

}  // namespace tideline::checkpoint
