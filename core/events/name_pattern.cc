// Problem: the standard library's regular expressions backtrack, which takes exponential time for a
//   pattern like (a*)*b, and they recurse over the text and the pattern; names come from files and
//   may be long.
// Idea: libstdc++ has a second matcher, selected by a flag, that follows all alternatives at once.
//   Patterns, counted repetitions ({1000} copies its operand a thousand times) and names are
//   limited, which limits the recursion.
// Limits: that matcher does not support back-references; they are refused.
// Tested by: tests/unit/events/name_pattern_test.cc.
#include "core/events/name_pattern.h"

#include <algorithm>

#include "core/base/text.h"

namespace tideline::events {
namespace {

// All counts of a pattern multiplied: an upper bound of how often one of its characters is written.
std::uint64_t repeats(std::string_view pattern) {
  std::uint64_t product = 1;
  for (std::size_t at = pattern.find('{'); at != std::string_view::npos;
       at = pattern.find('{', at + 1)) {
    std::uint64_t largest = 1;
    std::uint64_t number = 0;
    for (std::size_t i = at + 1; i < pattern.size() && pattern[i] != '}'; ++i) {
      const char c = pattern[i];
      if (c == ',') number = 0;
      if (c < '0' || c > '9') continue;
      number =
          std::min(number * 10 + static_cast<std::uint64_t>(c - '0'), NamePattern::kMaxRepeats + 1);
      largest = std::max(largest, number);
    }
    product = std::min(product * largest, NamePattern::kMaxRepeats + 1);
  }
  return product;
}

}  // namespace

Result<NamePattern> NamePattern::compile(std::string text) {
  if (text.size() > kMaxPattern) {
    return fail(Code::kInvalidArgument, "a pattern of {} bytes; expected at most {}", text.size(),
                kMaxPattern);
  }
  if (repeats(text) > kMaxRepeats) {
    return fail(Code::kInvalidArgument, "'{}': expected counts whose product is at most {}",
                printable(text), kMaxRepeats);
  }
  NamePattern pattern;
  try {
    auto flags = std::regex::ECMAScript | std::regex::nosubs;
#ifdef __GLIBCXX__
    flags |= std::regex_constants::__polynomial;
#endif
    pattern.regex_ = std::make_shared<const std::regex>(text, flags);
  } catch (const std::regex_error& error) {
    return fail(Code::kInvalidArgument, "'{}' is not a valid regular expression: {}",
                printable(text), printable(error.what()));
  }
  pattern.text_ = std::move(text);
  return pattern;
}

bool NamePattern::matches(std::string_view name) const {
  name = name.substr(0, kMaxName);
  return std::regex_search(name.begin(), name.end(), *regex_);
}

}  // namespace tideline::events
