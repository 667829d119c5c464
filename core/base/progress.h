// How long work tells how far it is and learns that it is no longer wanted.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.h"

namespace tideline {

/// The listener of long work. The default one is silent and never cancels.
/// Thread: called from the thread that does the work.
class Progress {
 public:
  virtual ~Progress() = default;
  /// `done` of `total` units of `stage` are finished. False: stop, the result is not wanted.
  virtual bool report(std::string_view /*stage*/, std::int64_t /*done*/, std::int64_t /*total*/) {
    return true;
  }
};

/// The error with which cancelled work ends.
[[nodiscard]] inline tl::unexpected<Error> cancelled() {
  return fail(Code::kCancelled, "interrupted");
}

}  // namespace tideline
