// Tested by unit/rewrite/overrides_test.cc.
#include "core/rewrite/lms/own_ahead.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/rewrite/parameter.h"

namespace tideline {

Result<OwnAhead> parse_own_ahead(const std::string& text) {
  // The last sign, because a name may hold one.
  const std::size_t sign = text.rfind('=');
  if (sign != std::string::npos && sign > 0) {
    if (const auto ahead = parse_number(text.substr(sign + 1), 1)) {
      return OwnAhead{text.substr(0, sign), *ahead};
    }
  }
  return fail(Code::kInvalidArgument,
              "{{{}}} is '{}'; expected TENSOR=N with an integer N of at least 1, such as "
              "conv1/Relu:0=7",
              kAheadTensors, printable(text, 200));
}

std::string own_ahead_text(const OwnAhead& own) {
  return fmt::format("{}={}", own.tensor, own.ahead);
}

Status check_aheads(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) TIDELINE_RETURN_IF_ERROR(parse_own_ahead(text));
  return {};
}

}  // namespace tideline
