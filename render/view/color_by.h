// What colours say, in the views of levels and of scopes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tideline::render {

enum class ColorBy : std::uint8_t {
  kScope,
  kPhase,
  kDevice,
  kType,
  kMemory,
  kTime,  ///< of the clock of the step
  kLevel,
  kSwap
};
/// What options, actions and pages call them.
inline constexpr std::array<const char*, 8> kColorByWords = {"scope",  "phase", "device", "type",
                                                             "memory", "time",  "level",  "swap"};
/// Precondition: `word` is one of them.
[[nodiscard]] inline ColorBy color_by_of(std::string_view word) {
  return static_cast<ColorBy>(std::find(kColorByWords.begin(), kColorByWords.end(), word) -
                              kColorByWords.begin());
}
[[nodiscard]] inline const char* word_of(ColorBy by) {
  return kColorByWords.at(static_cast<std::size_t>(by));
}

}  // namespace tideline::render
