#include "core/rewrite/values.h"

namespace tideline {

Value Values::get(const Parameter& parameter) const {
  const auto found = by_name_.find(parameter.name);
  return found == by_name_.end() ? parameter.default_value() : found->second;
}

void Values::set(const Parameter& parameter, Value value) {
  if (value == parameter.default_value()) {
    const auto found = by_name_.find(parameter.name);
    if (found != by_name_.end()) by_name_.erase(found);
  } else {
    by_name_.insert_or_assign(std::string(parameter.name), std::move(value));
  }
}

std::vector<std::string> Values::names(const Parameter& parameter) const {
  Value value = get(parameter);
  auto* list = std::get_if<std::vector<std::string>>(&value);
  return list == nullptr ? std::vector<std::string>() : std::move(*list);
}

}  // namespace tideline
