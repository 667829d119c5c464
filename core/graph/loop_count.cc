// Tested by unit/graph/loop_count_test.cc.
#include "core/graph/loop_count.h"

#include <algorithm>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {

Result<GivenRounds> parse_given_rounds(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const bool is_named = equals != std::string_view::npos && equals > 0;
  const auto count = is_named ? parse_as<std::int64_t>(text.substr(equals + 1)) : std::nullopt;
  if (!count || *count < 1 || *count > kMostLoopRounds) {
    return fail(Code::kInvalidArgument,
                "expected LOOP=N, with a whole number of rounds from 1 to {}, not {}",
                kMostLoopRounds, printable(text));
  }
  return GivenRounds{std::string(text.substr(0, equals)), *count};
}

std::string_view rounds_source_name(RoundsSource source) {
  switch (source) {
    case RoundsSource::kUnknown: return "unknown";
    case RoundsSource::kBounds: return "bounds";
    case RoundsSource::kGiven: return "given";
    case RoundsSource::kTraced: return "traced";
  }
  return "unknown";
}

bool names_loop(std::string_view given, std::string_view name) {
  constexpr std::string_view kContext = "/while_context";
  if (given == name) return true;
  return name.ends_with(kContext) && given == name.substr(0, name.size() - kContext.size());
}

const GivenRounds* find_rounds(const std::vector<GivenRounds>& given, std::string_view name) {
  const auto found = std::find_if(given.rbegin(), given.rend(), [&](const GivenRounds& entry) {
    return names_loop(entry.name, name);
  });
  return found == given.rend() ? nullptr : &*found;
}

}  // namespace tideline
