#include "core/io/digest.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>

namespace tideline::io {

std::string sha256_hex(std::string_view bytes) {
  sha256_ctx context{};
  sha256_init(&context);
  // nettle reads unsigned bytes; the cast changes the type of the view, not what it holds.
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace tideline::io
