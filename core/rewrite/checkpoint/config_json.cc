// Tested by unit/rewrite/checkpoint/options_test.cc.
#include "core/rewrite/checkpoint/config_json.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace tideline::checkpoint_ops {

Status check_config(const std::string& config) {
  if (config.empty()) return {};
  const auto json = nlohmann::json::parse(config, nullptr, false);
  if (json.is_object() && !json.contains("path")) return {};
  return fail(
      Code::kInvalidArgument,
      "{{config}} is '{}'; expected nothing, or a JSON object without \"path\", which is what "
      "the saver's prefix says",
      printable(config));
}

}  // namespace tideline::checkpoint_ops
