// What kind of file bytes are, found from the content alone.
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
  kOtherText,  ///< readable, but no text form of a graph
  kUnknown,
};

/// Looks at the first fields only, so that a truncated or damaged file is still recognised by how
/// it begins. Cost: O(1) but for a few skipped fields. Thread: pure.
[[nodiscard]] FileKind sniff(std::string_view bytes);

}  // namespace tideline::io
