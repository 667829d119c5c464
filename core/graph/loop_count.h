// How often loops run in a step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// More rounds than any loop has; keeps products far from the limits of 64 bits.
inline constexpr std::int64_t kMostLoopRounds = 1'000'000'000;

/// Of a list of which nobody knows how many elements it has.
inline constexpr std::int64_t kUnknownLength = -1;

/// Rounds that the user gives for a loop: for each time that it is entered.
struct GivenRounds {
  std::string name;  ///< of a frame ("rnn/while/while_context", "rnn/while") or of a While op
  std::int64_t count = 0;
  friend bool operator==(const GivenRounds&, const GivenRounds&) = default;
};

/// Parses an argument of --rounds: "rnn/while=40". Errors: kInvalidArgument.
[[nodiscard]] Result<GivenRounds> parse_given_rounds(std::string_view text);

/// Where the number of rounds comes from. A later one takes precedence.
enum class RoundsSource : std::uint8_t {
  kUnknown,  ///< counted as one round
  kBounds,   ///< from the loop's condition, whose start, limit and step are known
  kGiven,
  kTraced,
};

/// "unknown", "bounds", "given", "traced".
[[nodiscard]] std::string_view rounds_source_name(RoundsSource source);

/// A loop of a graph or of a function that it calls.
struct LoopCount {
  std::string name;
  std::int64_t rounds = 1;  ///< of a v1 loop in a step; of a While op for each entry
  RoundsSource source = RoundsSource::kUnknown;
  std::string follows = {};  ///< of a backward loop that runs as often as this loop; else empty
  friend bool operator==(const LoopCount&, const LoopCount&) = default;
};

/// Whether the user's `given` means the loop `name`: its name, with or without "/while_context".
[[nodiscard]] bool names_loop(std::string_view given, std::string_view name);
/// Null when no element of `given` means the loop `name`; else the last that does.
[[nodiscard]] const GivenRounds* find_rounds(const std::vector<GivenRounds>& given,
                                             std::string_view name);

}  // namespace tideline
