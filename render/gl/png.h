// Pictures as the bytes of a PNG file, and back.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "render/gl/image.h"

namespace tideline::gl {

/// Alpha is left out. The same image gives the same bytes. Cost: some 30 ms a million pixels.
/// Thread: pure. Errors: kInvalidArgument for an image without pixels, kInternal with libpng's
/// reason.
[[nodiscard]] Result<std::string> encode_png(const Image& image);

/// Errors: kCorrupt for bytes that are no PNG, or one of more than 2^28 pixels.
[[nodiscard]] Result<Image> decode_png(std::string_view bytes);

}  // namespace tideline::gl
