// The messages of the format that stand at the top of a file or hold one another.
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
