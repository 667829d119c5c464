// Tested by unit/base/text_test.cc.
#include "core/base/base64.h"

#include <algorithm>
#include <cstdint>

namespace tideline {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kBytes = 3;    // of a group
constexpr std::size_t kSymbols = 4;  // of a group
constexpr unsigned kBits = 6;        // of a letter

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / kBytes * kSymbols);
  for (std::size_t at = 0; at < bytes.size(); at += kBytes) {
    const std::size_t count = std::min(kBytes, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < kBytes; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < kSymbols; ++i) {
      const auto shift = kBits * static_cast<unsigned>(kSymbols - 1 - i);
      text.push_back(i <= count ? kLetters[(group >> shift) & 0x3fU] : '=');
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % kSymbols != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / kSymbols * kBytes);
  std::uint32_t group = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_padding = at + padding >= text.size();
    const std::size_t letter = is_padding ? 0 : kLetters.find(text[at]);
    if (letter == std::string_view::npos) return std::nullopt;
    group = group << kBits | static_cast<std::uint32_t>(letter);
    if (at % kSymbols != kSymbols - 1) continue;
    for (unsigned shift = 16;; shift -= 8) {
      bytes.push_back(static_cast<char>((group >> shift) & 0xffU));
      if (shift == 0) break;
    }
    group = 0;
  }
  return bytes.substr(0, bytes.size() - std::min(padding, bytes.size()));
}

}  // namespace tideline
