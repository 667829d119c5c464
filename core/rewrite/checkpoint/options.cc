// Tested by unit/rewrite/checkpoint/options_test.cc.
#include "core/rewrite/checkpoint/options.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/rewrite/checkpoint/config_json.h"

namespace tideline {
namespace {

// Plugins register under a name that is an identifier of C.
bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

Status validate(const CheckpointOptions& options) {
  if (options.backend.empty()) {
    return fail(Code::kInvalidArgument,
                "{{backend}} is missing; expected the name of a checkpoint backend such as file");
  }
  if (!is_identifier(options.backend)) {
    return fail(Code::kInvalidArgument,
                "{{backend}} is '{}'; expected letters, digits and underscores, and no digit first",
                printable(options.backend));
  }
  if (!is_utf8(options.config) || options.config.find('\0') != std::string::npos) {
    return fail(Code::kInvalidArgument, "{{config}} is no text; expected UTF-8 without zero bytes");
  }
  return checkpoint_ops::check_config(options.config);
}

}  // namespace tideline
