// Tested by unit/web/routes_test.cc and fuzz/fuzz_http.cc.
#include "app/web/json_body.h"

#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"

namespace tideline::web {
namespace {

constexpr int kMostDepth = 16;

// Brackets outside of strings, counted before anything is built of them.
bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string) {
      if (c == '\\') ++i;
      if (c == '"') is_in_string = false;
    } else if (c == '"') {
      is_in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMostDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Response json_response(const nlohmann::ordered_json& answer, int status) {
  Response response;
  response.status = status;
  response.body = app::json_text(answer, -1);
  return response;
}

Result<nlohmann::json> parse_body(const std::string& body) {
  if (is_too_deep(body)) {
    return fail(Code::kInvalidArgument, "the JSON is nested deeper than {} levels", kMostDepth);
  }
  auto parsed = nlohmann::json::parse(body, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_object()) {
    return fail(Code::kInvalidArgument, "the body is no JSON object");
  }
  return parsed;
}

}  // namespace tideline::web
