// Floating-point numbers in JSON and CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tideline::cli {

/// `number`, or "NaN", "Infinity", "-Infinity" as texts, because JSON lacks these numbers.
/// TensorBoard's JSON has the same texts.
[[nodiscard]] nlohmann::ordered_json json_number(double number);

/// With as many digits as are needed to read the same number again.
[[nodiscard]] std::string text_number(double number);

}  // namespace tideline::cli
