// Tested by: tests/unit/base/name_pattern_test.cc.
#include "core/base/name_pattern.h"

#include <re2/re2.h>

#include "core/base/text.h"

namespace tideline {

Result<NamePattern> NamePattern::compile(std::string_view text) {
  auto regex = std::make_shared<const re2::RE2>(text, re2::RE2::Quiet);
  if (!regex->ok()) {
    return fail(Code::kInvalidArgument, "'{}' is not a valid regular expression: {}",
                printable(text), printable(regex->error()));
  }
  return NamePattern(std::move(regex));
}

bool NamePattern::matches(std::string_view name) const {
  return re2::RE2::PartialMatch(name, *regex_);
}

const std::string& NamePattern::text() const {
  return regex_->pattern();
}

}  // namespace tideline
