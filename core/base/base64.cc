// Tested by unit/base/text_test.cc.
#include "core/base/base64.h"

#include <nettle/base64.h>

#include <cstdint>

namespace tideline {

std::string base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::size_t kSymbols = 4;  // of a group; nettle would skip blanks and line ends
  if (text.size() % kSymbols != 0) return std::nullopt;
  base64_decode_ctx context;
  base64_decode_init(&context);
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t size = bytes.size();
  const bool is_valid =
      base64_decode_update(&context, &size, reinterpret_cast<std::uint8_t*>(bytes.data()),
                           text.size(), text.data()) == 1 &&
      base64_decode_final(&context) == 1;
  if (!is_valid) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace tideline
