// Which two graphs are compared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "app/engine/snapshot.h"

namespace tideline::app {

/// Each is one of the words below, or the path of a file.
struct Compared {
  std::string before = std::string(kOriginal);
  std::string after = std::string(kCurrent);
  friend bool operator==(const Compared&, const Compared&) = default;

  static constexpr std::string_view kOriginal = "original";  ///< the graph that is open
  static constexpr std::string_view kCurrent = "current";    ///< what the policy makes of it
  static constexpr std::string_view kRemembered[] = {"A", "B"};
};

/// Whether it is one of the words.
[[nodiscard]] bool is_side_word(std::string_view side);

/// A question for the diff view: two are equal if they have the same answer, unless a file has
/// changed, for which `turn` is there.
struct DiffQuestion {
  Compared sides;
  std::shared_ptr<const GraphFile> file;  ///< the graph that is open
  std::uint64_t plan = 0;                 ///< counts plans; 0 if none is compared
  std::uint64_t turn = 0;
  friend bool operator==(const DiffQuestion&, const DiffQuestion&) = default;
};

}  // namespace tideline::app
