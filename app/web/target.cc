// Tested by unit/web/target_test.cc and fuzz/fuzz_http.cc.
#include "app/web/target.h"
#include "core/base/parse.h"

#include <algorithm>
#include <charconv>

namespace tideline::web {
namespace {

constexpr std::size_t kMostParameters = 100;

// Replaces %41 and the like; nullopt for what is malformed and for zero bytes.
std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned byte = 0;
    const char* const end = std::from_chars(digits.begin(), digits.end(), byte, 16).ptr;
    if (digits.size() < 2 || end != digits.end() || byte == 0) return std::nullopt;
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

// "a=b&c=d"; false if it is malformed or too much.
bool parse_query(std::string_view text, Values& query) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (++count > kMostParameters) return false;
    std::string_view part = take_until(text, '&');
    if (part.empty()) continue;
    auto name = percent_decoded(take_until(part, '='));
    std::string value(part);
    std::replace(value.begin(), value.end(), '+', ' ');
    auto decoded = percent_decoded(value);
    if (!name || !decoded) return false;
    query[*std::move(name)] = *std::move(decoded);
  }
  return true;
}

}  // namespace

bool parse_target(std::string_view target, Request& request) {
  if (!target.starts_with('/')) return false;
  auto path = percent_decoded(take_until(target, '?'));
  if (!path) return false;
  request.path = *std::move(path);
  return parse_query(target, request.query);
}

}  // namespace tideline::web
