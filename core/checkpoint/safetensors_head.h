// The header of a safetensors file, which says what tensors there are and where they lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// The limit of the safetensors library on a header, up to version 0.8 at least: what is longer no
/// program reads.
inline constexpr std::int64_t kMostSafetensorsHeadBytes = 100'000'000;
/// The header's entry that describes no tensor, and what this program keeps there.
inline constexpr const char* kSafetensorsMetadata = "__metadata__";
inline constexpr const char* kSafetensorsExtras = "tideline";

/// What the format calls an element type of TensorFlow; null if it lacks it.
[[nodiscard]] const char* safetensors_name(DataType type);
/// Bytes of all elements of a type that only safetensors has: "F4", "F6_E2M3", "F6_E3M2",
/// "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ". Elements of less than a byte lie side by side. nullopt
/// for other types, on overflow, and where the elements do not fill their last byte.
[[nodiscard]] std::optional<Bytes> foreign_content_bytes(std::string_view type,
                                                         const std::vector<std::int64_t>& dims);

/// Whether a file with this beginning, of at least 9 bytes if it has them, can be one.
[[nodiscard]] bool begins_like_safetensors(std::string_view head);

/// Bytes of the header with the number before it, of a file that begins with `head`. Errors:
/// kCorrupt; kUnsupported for a longer one than kMostSafetensorsHeadBytes.
[[nodiscard]] Result<std::int64_t> safetensors_head_bytes(std::string_view head,
                                                          std::int64_t file_bytes);

/// Reads the header at the beginning of a file of `file_bytes` bytes. Errors: those of
/// opening: kCorrupt, naming tensor and
/// field; kUnsupported for unknown element types. Cost: O(bytes), in memory some ten times as many.
[[nodiscard]] Result<Checkpoint> parse_safetensors(const std::string& path, std::string_view head,
                                                   std::int64_t file_bytes);

}  // namespace tideline::checkpoint
