// Bytes as the header and body of a request: in pieces as in one, within the limits, and through
// the gate and the parser of bodies.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "app/web/gate.h"
#include "app/web/http.h"
#include "app/web/json_body.h"
#include "tests/fuzz/require.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 16U;

struct Parsed {
  bool is_done = false;
  int status = 0;  // of the refusal
  std::optional<web::Request> request;
  std::string rest;
};

Parsed parse(std::string_view bytes, std::size_t piece) {
  web::HeaderParser parser;
  Parsed parsed;
  while (!parsed.is_done && parsed.status == 0 && !bytes.empty()) {
    parsed.rest += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    const web::HeaderParser::State state = parser.take(parsed.rest);
    require(state.used <= parsed.rest.size(), "no more is used than there is");
    parsed.rest.erase(0, state.used);
    if (state.problem) parsed.status = state.problem->status;
    parsed.is_done = state.is_done;
    require(!(state.is_done && state.problem), "a header is refused or done");
    require(
        parsed.is_done || parsed.status != 0 || parsed.rest.size() <= web::kMostHeaderBytes + piece,
        "what waits is limited");
  }
  parsed.rest += bytes;
  if (parsed.is_done) parsed.request = parser.request();
  return parsed;
}

void check_request(const web::Request& request) {
  require(request.path.starts_with('/'), "a path begins with a slash", request.path);
  require(request.path.find('\0') == std::string::npos, "a path has no zero byte");
  require(request.fields.size() <= web::kMostFields, "fields are limited");
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
  // At most 64 pieces: each is put behind what waits.
  const std::size_t piece = std::max(static_cast<std::size_t>(data[size - 1]) + 1, size / 64);
  const fuzz::Parsed whole = fuzz::parse(bytes, fuzz::kMaxInput);
  const fuzz::Parsed pieces = fuzz::parse(bytes, piece);
  fuzz::require(whole.is_done == pieces.is_done, "pieces make the same header");
  fuzz::require(!whole.is_done || whole.rest == pieces.rest, "the body begins at one place");
  fuzz::require(whole.request.has_value() == pieces.request.has_value(), "and has one meaning");
  if (whole.request) {
    fuzz::require(whole.request->path == pieces.request->path &&
                      whole.request->fields == pieces.request->fields &&
                      whole.request->query == pieces.request->query &&
                      whole.request->length == pieces.request->length,
                  "pieces make the same request");
    fuzz::check_request(*whole.request);
  }
  static_cast<void>(web::parse_body(std::string(whole.is_done ? whole.rest : bytes)));
  return 0;
}
