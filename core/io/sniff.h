// Detects the kind of a file from its content.
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline::io {

enum class FileKind : std::uint8_t {
  kEmpty,
  kGraph,
  kMetaGraph,
  kGraphText,
  kMetaGraphText,
  kSavedModel,
  kSavedModelText,
  kEventLog,   ///< TFRecord framing
  kForeign,    ///< of another program: foreign_files.h says which
  kOtherText,  ///< text, but not the text form of a graph
  kUnknown,
};

/// Examines the first few fields only, so that a truncated or damaged file is still recognised.
/// Cost: O(1), plus skipping those fields. Thread: pure.
[[nodiscard]] FileKind sniff(std::string_view bytes);

}  // namespace tideline::io
