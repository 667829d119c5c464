// Fingerprints of bytes.
#pragma once

#include <string>
#include <string_view>

namespace tideline::io {

/// SHA-256 in lower-case hexadecimal.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace tideline::io
