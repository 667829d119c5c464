// Tested by unit/rewrite/inline/inline_calls_test.cc.
#include "core/rewrite/inline/inlining.h"

#include <fmt/format.h>

#include <numeric>

#include "core/base/counted.h"
#include "core/base/text.h"

namespace tideline {

std::int64_t Inlining::ops() const {
  return std::accumulate(inlined.begin(), inlined.end(), std::int64_t{0},
                         [](std::int64_t sum, const InlinedCall& call) { return sum + call.ops; });
}

std::vector<std::string> inlining_lines(const Inlining& inlining) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} inlined, {}; {} a call", counted(inlining.inlined.size(), "call"),
                              counted(inlining.ops(), "op"),
                              inlining.kept.size() == 1
                                  ? std::string("1 stays")
                                  : fmt::format("{} stay", inlining.kept.size())));
  for (const KeptCall& call : inlining.kept) {
    lines.push_back(fmt::format("'{}' stays a call{}: {}", printable(call.op),
                                call.function.empty()
                                    ? std::string(" of no function")
                                    : fmt::format(" of '{}'", printable(call.function)),
                                call.reason));
  }
  return lines;
}

}  // namespace tideline
