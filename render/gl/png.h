// Encodes and decodes PNG files.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "render/gl/image.h"

namespace tideline::gl {

/// Encodes without the alpha channel. Deterministic. Errors: kInvalidArgument for an image without
/// pixels, kInternal with libpng's message. Cost: about 30 ms per million pixels. Thread: pure.
[[nodiscard]] Result<std::string> encode_png(const Image& image);

/// Errors: kCorrupt for bytes that are not a PNG file, or more than 2^28 pixels. Thread: pure.
[[nodiscard]] Result<Image> decode_png(std::string_view bytes);

}  // namespace tideline::gl
