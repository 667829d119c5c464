// The messages of the format that occur at the top of a file, or that enclose one another.
#pragma once

#include <cstdint>

namespace tideline::io {

enum class MessageKind : std::uint8_t {
  kSavedModel,
  kMetaGraphDef,
  kGraphDef,
  kFunctionLibrary,
  kFunctionDef,
  kNodeDef,
  kRunMetadata,
};

}  // namespace tideline::io
