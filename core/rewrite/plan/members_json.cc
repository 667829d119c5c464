// Tested by unit/rewrite/plan_json_reader_test.cc.
#include "core/rewrite/plan/members_json.h"

#include <nlohmann/json.hpp>

namespace tideline {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace tideline
