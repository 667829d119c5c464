// The graph with which a new user begins.
#pragma once

#include <string>

#include "app/session/wish.h"
#include "core/base/error.h"

namespace tideline::app {

/// A residual net whose step takes 720 MiB, planned for a device with 410 MiB.
struct Sample {
  std::string path;
  Wish wish;
};

/// The sample of the installation, or of the sources, that this program belongs to. Errors:
/// kNotFound, with the places where it was looked for.
[[nodiscard]] Result<Sample> find_sample();

}  // namespace tideline::app
