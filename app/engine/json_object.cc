// Tested by unit/engine/read_cluster_test.cc.
#include "app/engine/json_object.h"

#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostJsonBytes = std::size_t{1} << 20U;
constexpr int kMostNesting = 16;

}  // namespace

Result<nlohmann::json> parse_json_object(std::string_view text, std::string_view what) {
  using Json = nlohmann::json;
  if (text.size() > kMostJsonBytes) {
    return fail(Code::kCorrupt, "{} bytes; expected a {} of at most {}", text.size(), what,
                kMostJsonBytes);
  }
  std::string last_key;
  const Json::parser_callback_t watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key) last_key = value.get<std::string>();
    return depth < kMostNesting;
  };
  Json json = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (json.is_discarded() && !last_key.empty()) {
    return fail(Code::kCorrupt,
                "invalid JSON after '{}', or a number too large; expected an object",
                printable(last_key, 100));
  }
  if (!json.is_object()) return fail(Code::kCorrupt, "no JSON object");
  return json;
}

std::string shown_json(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return json_text(value, -1);
}

}  // namespace tideline::app
