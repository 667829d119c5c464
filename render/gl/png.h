// Encodes and decodes PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "render/gl/image.h"

namespace tideline::gl {

/// Encodes without the alpha channel. Deterministic. Errors: kInvalidArgument for an image without
/// pixels, kInternal with libpng's message. Cost: about 30 ms per million pixels. Thread: pure.
[[nodiscard]] Result<std::string> encode_png(const Image& image);

/// Errors: kCorrupt for bytes that are not a PNG file, kUnsupported for more than `most_pixels`.
/// Thread: pure.
inline constexpr std::uint64_t kMostPngPixels = std::uint64_t{1} << 28U;
[[nodiscard]] Result<Image> decode_png(std::string_view bytes,
                                       std::uint64_t most_pixels = kMostPngPixels);

}  // namespace tideline::gl
