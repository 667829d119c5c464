// Bytes as a connection of the server reads them: in pieces as in one, through the gate and the
// parser of bodies.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "app/web/gate.h"
#include "app/web/json_body.h"
#include "tests/fuzz/require.h"
#include "tests/support/requests.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 16U;

void check_request(const web::Request& request) {
  require(request.path.starts_with('/'), "a path begins with a slash", request.path);
  require(request.path.find('\0') == std::string::npos, "a path has no zero byte");
  require(request.fields.size() <= 100, "fields are limited");
  require(request.body.size() == request.length.value_or(0), "a body is whole");
  for (const auto& [name, value] : request.fields) {
    require(value.find('\n') == std::string::npos && value.find('\r') == std::string::npos,
            "a field is one line", value);
  }
  const web::Gate gate(std::string(64, 'a'), {});
  const auto refusal = gate.refuse(request, true);
  require(refusal.has_value() || request.field("authorization") == "Bearer " + std::string(64, 'a'),
          "nobody comes in without the token");
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tideline;
  if (size == 0 || size > fuzz::kMaxInput) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // At most 64 pieces, and none that is longer than what a connection takes at once.
  const std::size_t piece = std::max(static_cast<std::size_t>(data[size - 1]) + 1, size / 64 + 1);
  const test::Asked whole = test::asked(bytes);
  const test::Asked pieces = test::asked(bytes, piece);
  fuzz::require(whole.requests.size() == pieces.requests.size(), "pieces make as many requests");
  for (std::size_t i = 0; i < whole.requests.size(); ++i) {
    const web::Request& one = whole.requests[i];
    const web::Request& other = pieces.requests[i];
    fuzz::require(one.path == other.path && one.fields == other.fields &&
                      one.query == other.query && one.length == other.length &&
                      one.body == other.body,
                  "pieces make the same request");
    fuzz::check_request(one);
    static_cast<void>(web::parse_body(one.body));
  }
  static_cast<void>(web::parse_body(std::string(bytes)));
  return 0;
}
