// Tested by unit/graph/loop_count_test.cc.
#include "core/graph/loop_count.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"

namespace tideline {

Result<GivenRounds> parse_given_rounds(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  std::int64_t count = 0;
  bool is_whole = equals != std::string_view::npos && equals > 0;
  if (is_whole) {
    const std::string_view number = text.substr(equals + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    is_whole = error == std::errc() && end == number.data() + number.size() && !number.empty();
  }
  if (!is_whole || count < 1 || count > kMostLoopRounds) {
    return fail(Code::kInvalidArgument,
                "expected LOOP=N, with a whole number of rounds from 1 to {}, not {}",
                kMostLoopRounds, printable(text));
  }
  return GivenRounds{std::string(text.substr(0, equals)), count};
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
