// Tested by the golden cases rewriters and tune.
#include "core/rewrite/plan/value_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tideline {

std::string json_key(const Parameter& parameter) {
  std::string key(parameter.name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

nlohmann::ordered_json value_json(const Value& value) {
  return std::visit(
      [](const auto& given) {
        if constexpr (std::is_same_v<std::decay_t<decltype(given)>, std::monostate>) {
          return nlohmann::ordered_json(nullptr);
        } else {
          return nlohmann::ordered_json(given);
        }
      },
      value);
}

nlohmann::ordered_json object_with_room(std::size_t members) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  object.get_ref<nlohmann::ordered_json::object_t&>().reserve(members);
  return object;
}

void append(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value) {
  using Members = nlohmann::ordered_json::object_t::Container;
  Members& members = object.get_ref<nlohmann::ordered_json::object_t&>();
  members.emplace_back(std::move(key), std::move(value));
}

}  // namespace tideline
