// Bytes as text (RFC 4648, with padding).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tideline {

[[nodiscard]] std::string base64(std::string_view bytes);
/// Nothing for text that is no base64: other letters, a wrong length or padding.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace tideline
