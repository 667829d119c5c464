// The graphs with which a new user begins.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/session/wish.h"
#include "core/base/error.h"

namespace tideline::app {

struct Sample {
  std::string_view word;   ///< "residual": as the action takes it
  std::string_view file;   ///< in the folder of samples
  std::string_view title;  ///< "Residual net"
  std::string_view shows;  ///< what there is to see, a sentence
  std::string_view first;  ///< what to do first, a sentence
  Wish (*wish)() = nullptr;
};

/// All of them; the first one is that on which swapping wins, with the budget that shows it.
[[nodiscard]] std::span<const Sample> samples();
/// Null if there is none of that word.
[[nodiscard]] const Sample* find_sample(std::string_view word);
/// The sample in the file `path`; null if it is none.
[[nodiscard]] const Sample* sample_of(const std::string& path);

/// The file of the installation, or of the sources, that this program belongs to. Errors:
/// kNotFound, with the places where it was looked for.
[[nodiscard]] Result<std::string> sample_path(const Sample& sample);

}  // namespace tideline::app
