#include "app/cli/json_number.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace tideline::cli {

nlohmann::ordered_json json_number(double number) {
  if (std::isfinite(number)) return number;
  if (std::isnan(number)) return "NaN";
  return number > 0 ? "Infinity" : "-Infinity";
}

std::string text_number(double number) {
  return fmt::format("{}", number);
}

}  // namespace tideline::cli
